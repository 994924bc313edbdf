//! An execution, step by step: a column per thread when they fit, otherwise a list.
//!
//! Steps are numbered from 1 in the order of the witness. A read names the step whose value it
//! takes, the source line stands at the right, and a `>` marks the steps that take part in the
//! violation.

use crate::columns::{clean, cut, pad, paragraph, width, wrap};
use crate::sources::Sources;
use crate::style::{Ink, Paint};
use lineal_model::Witness;
use lineal_model::verdict::Step;
use std::collections::BTreeSet;

/// Longer traces lose their middle; JSON has it all.
const HEAD: usize = 60;
const TAIL: usize = 140;
/// A thread's column is this wide at least, or the list is used.
const NARROWEST: usize = 16;
const WIDEST: usize = 40;
const GAP: usize = 2;
/// Room for a source line, if it can be had.
const SOURCE: usize = 26;

pub(crate) fn render(witness: &Witness, sources: &Sources, total: usize, paint: Paint) -> String {
    let rows = rows(witness, sources);
    let threads: BTreeSet<u32> = witness.steps.iter().map(|s| s.thread).collect();
    let layout = Layout::choose(&rows, &threads.into_iter().collect::<Vec<_>>(), witness, total);
    let mut out = layout.header(&rows, paint);
    let hidden = if rows.len() > HEAD + TAIL { HEAD..rows.len() - TAIL } else { 0..0 };
    for (i, row) in rows.iter().enumerate() {
        if i == hidden.start && !hidden.is_empty() {
            let note = format!("… {} steps left out; --format json has them all …", hidden.len());
            out.push_str(&format!("{}{}\n", " ".repeat(layout.gutter()), paint.ink(Ink::Faint, note)));
        }
        if !hidden.contains(&i) {
            out.push_str(&layout.row(row, paint));
        }
    }
    out
}

struct Row<'a> {
    number: usize,
    step: &'a Step,
    /// What happened, and where a value came from.
    text: String,
    /// `file:line`, or the line alone where all are of one file.
    place: String,
    source: String,
}

fn rows<'a>(witness: &'a Witness, sources: &Sources) -> Vec<Row<'a>> {
    let one_file = file_of(witness).is_some();
    witness
        .steps
        .iter()
        .enumerate()
        .map(|(i, step)| {
            let mut text = clean(step.what.trim());
            if let Some(from) = step.reads_from {
                text.push_str(&format!(" (from step {})", from + 1));
            }
            let (place, source) = match &step.at {
                None => (String::new(), String::new()),
                Some(at) => {
                    let name =
                        if one_file { at.line.to_string() } else { format!("{}:{}", at.file, at.line) };
                    let line = sources.line(&at.file, at.line).map_or(String::new(), |l| clean(l.trim()));
                    (clean(&name), line)
                }
            };
            Row { number: i + 1, step, text, place, source }
        })
        .collect()
}

/// The file all steps are in, if it is one.
fn file_of(witness: &Witness) -> Option<&str> {
    let mut files = witness.steps.iter().filter_map(|s| s.at.as_ref().map(|at| &*at.file));
    let first = files.next()?;
    files.all(|f| f == first).then_some(first)
}

pub(crate) fn thread_name(witness: &Witness, thread: u32) -> String {
    match witness.threads.get(thread as usize) {
        Some(name) if !name.is_empty() => clean(name),
        _ => format!("thread {thread}"),
    }
}

struct Layout {
    digits: usize,
    /// Threads with a column each, left to right; empty: a list.
    threads: Vec<u32>,
    names: Vec<String>,
    columns: Vec<usize>,
    place: usize,
    source: usize,
    source_title: String,
    total: usize,
}

impl Layout {
    fn choose(rows: &[Row<'_>], threads: &[u32], witness: &Witness, total: usize) -> Layout {
        let names: Vec<String> =
            (0..=threads.last().copied().unwrap_or(0)).map(|t| thread_name(witness, t)).collect();
        let mut layout = Layout {
            digits: rows.len().to_string().len(),
            threads: threads.to_vec(),
            names,
            columns: Vec::new(),
            place: rows.iter().map(|r| width(&r.place)).max().unwrap_or(0).min(30),
            source: 0,
            source_title: file_of(witness).map_or("source".into(), clean),
            total,
        };
        let longest = rows.iter().map(|r| width(&r.source)).max().unwrap_or(0);
        let wanted = longest.min(SOURCE);
        for cap in (NARROWEST..=WIDEST).rev() {
            layout.columns = threads
                .iter()
                .map(|t| {
                    let cells = rows.iter().filter(|r| r.step.thread == *t).map(|r| width(&r.text));
                    let name = width(&layout.names[*t as usize]);
                    cells.chain([name]).max().unwrap_or(0).min(cap)
                })
                .collect();
            let used = layout.gutter() + layout.columns.iter().map(|c| c + GAP).sum::<usize>() + layout.place;
            if used + 3 + wanted <= total {
                layout.source = longest.min(total - used - 3);
                return layout;
            }
        }
        // A list: one column for the thread's name, one for what it did.
        let name = threads.iter().map(|t| width(&layout.names[*t as usize])).max().unwrap_or(0).min(16);
        let text = rows.iter().map(|r| width(&r.text)).max().unwrap_or(0);
        let rest = total.saturating_sub(layout.gutter() + name + layout.place + 3 + 2 * GAP);
        let text = text.min((rest * 3 / 5).max(NARROWEST));
        layout.threads.clear();
        layout.columns = vec![name, text];
        layout.source = longest.min(rest.saturating_sub(text));
        layout
    }

    /// Marker, step number and a gap.
    fn gutter(&self) -> usize {
        2 + self.digits + GAP
    }

    fn header(&self, rows: &[Row<'_>], paint: Paint) -> String {
        let mut line = " ".repeat(self.gutter());
        if self.threads.is_empty() {
            line.push_str(&pad("thread", self.columns[0] + GAP));
            line.push_str(&pad("step", self.columns[1] + GAP));
        } else {
            for (thread, column) in self.threads.iter().zip(&self.columns) {
                line.push_str(&pad(&cut(&self.names[*thread as usize], *column), column + GAP));
            }
        }
        if rows.iter().any(|r| !r.place.is_empty()) {
            let room = self.total.saturating_sub(width(&line));
            line.push_str(&cut(&self.source_title, room));
        }
        format!("{}\n", paint.ink(Ink::Strong, line.trim_end()))
    }

    fn row(&self, row: &Row<'_>, paint: Paint) -> String {
        let index = self.threads.iter().position(|t| *t == row.step.thread);
        let (before, room) = match index {
            Some(i) => (self.columns[..i].iter().map(|c| c + GAP).sum(), self.columns[i]),
            None => (self.columns[0] + GAP, self.columns[1]),
        };
        let all: usize = self.columns.iter().map(|c| c + GAP).sum();
        let mut out = String::new();
        for (i, piece) in wrap(&row.text, room).iter().enumerate() {
            let mut line = if i == 0 {
                format!("{} {:>2$}", if row.step.guilty { '>' } else { ' ' }, row.number, self.digits)
            } else {
                String::new()
            };
            line = pad(&line, self.gutter());
            let name = if index.is_none() && i == 0 {
                cut(&self.names[row.step.thread as usize], self.columns[0])
            } else {
                String::new()
            };
            line.push_str(&pad(&name, before));
            line.push_str(piece);
            let ink = if row.step.guilty { Some(Ink::Bad) } else { None };
            let mut shown = ink.map_or(line.clone(), |ink| paint.ink(ink, &line));
            if i == 0 && !row.place.is_empty() {
                shown.push_str(&" ".repeat((self.gutter() + all).saturating_sub(width(&line))));
                shown.push_str(&self.beside(row, paint));
            }
            out.push_str(shown.trim_end());
            out.push('\n');
        }
        if !row.step.remark.is_empty() {
            let indent = self.gutter() + before + 2;
            let lead = format!("{}↳", " ".repeat(self.gutter() + before));
            // A remark may run on under the columns to its right, but needs room to be read.
            let right = self.total.max(indent + 24);
            out.push_str(&paragraph(&lead, indent, &clean(&row.step.remark), right));
        }
        out
    }

    fn beside(&self, row: &Row<'_>, paint: Paint) -> String {
        let place = cut(&row.place, self.place);
        let fill = " ".repeat(self.place.saturating_sub(width(&place)));
        if self.source < 4 || row.source.is_empty() {
            return paint.ink(Ink::Faint, format!("{fill}{place}"));
        }
        paint.ink(Ink::Faint, format!("{fill}{place} │ {}", cut(&row.source, self.source)))
    }
}
