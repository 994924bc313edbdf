//! An execution, step by step: a column per thread when they fit, otherwise a list.
//!
//! Steps are numbered from 1 in the order of the witness. A read names the step whose value it
//! takes, the source line stands at the right, and a `>` marks the steps that take part in the
//! violation. Only one thread acts in a row, so its text may run on over the columns to its
//! right: columns are as narrow as their titles allow.

use crate::columns::{TIE, clean, cut, pad, paragraph, width, wrap};
use crate::layout::{Layout, Row};
use crate::look::Look;
use crate::sources::Sources;
use crate::style::{Ink, Paint};
use lineal_model::verdict::Step;
use lineal_model::{Knob, Witness};
use std::path::Path;

/// Longer traces lose their middle; JSON has it all.
const HEAD: usize = 60;
const TAIL: usize = 140;

/// Shorter traces are never thinned out.
const SHORT: usize = 24;

/// Which steps to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    All,
    /// Those that matter at first reading; numbers show where others are.
    First,
}

/// The table, and how many minor steps are not in it.
pub(crate) fn render(
    witness: &Witness,
    sources: &Sources,
    look: &Look,
    paint: Paint,
    detail: Detail,
) -> (String, usize) {
    let thin = detail == Detail::First && witness.steps.len() > SHORT;
    let mut rows: Vec<Row> = witness
        .steps
        .iter()
        .enumerate()
        .filter(|(_, s)| !(thin && s.minor))
        .map(|(i, s)| Row::step(i, s))
        .collect();
    let left_out = witness.steps.len() - rows.len();
    rows.extend(Row::end(witness));
    let one_file = one_file(witness);
    for row in &mut rows {
        row.find_source(sources, one_file.is_some());
    }
    let layout = Layout::choose(&rows, &names(witness), look.width);
    let title = one_file.map_or("source".into(), short);
    let mut out = header(&layout, &rows, &title, paint);
    let hidden = if rows.len() > HEAD + TAIL { HEAD..rows.len() - TAIL } else { 0..0 };
    for (i, row) in rows.iter().enumerate() {
        if i == hidden.start && !hidden.is_empty() {
            let json = (look.flags)(Knob::Json);
            let note = format!("… {} steps left out; {json} has them all …", hidden.len());
            out.push_str(&format!("{}{}\n", " ".repeat(layout.gutter), paint.ink(Ink::Faint, note)));
        }
        if row.number.is_some() && row.number == witness.repeats.map(|at| at as usize + 1) {
            let note = paint.ink(Ink::Faint, "┈┈ from here on, again and again ┈┈");
            out.push_str(&format!("{}{note}\n", " ".repeat(layout.gutter)));
        }
        if !hidden.contains(&i) {
            out.push_str(&print(&layout, row, paint));
        }
    }
    (out, left_out)
}

impl<'a> Row<'a> {
    fn step(index: usize, step: &'a Step) -> Self {
        let mut text = clean(step.what.trim());
        if let Some(from) = step.reads_from {
            text.push_str(&format!(" (from{TIE}step{TIE}{})", from + 1));
        }
        Row {
            number: Some(index + 1),
            thread: step.thread,
            text,
            at: step.at.as_ref(),
            place: String::new(),
            source: String::new(),
            focus: 0,
            guilty: step.guilty,
            remark: clean(step.remark.trim()),
        }
    }

    /// Where it ends, unless a marked step says so already: a failure need not be a step, since
    /// what a thread does with its own variables is none.
    fn end(witness: &'a Witness) -> Option<Self> {
        let at = witness.at.as_ref()?;
        let here =
            |s: &&Step| s.guilty && s.at.as_ref().is_some_and(|p| (&p.file, p.line) == (&at.file, at.line));
        if witness.steps.iter().any(|s| here(&s)) {
            return None;
        }
        let (why, _) = crate::words::first_sentence(&witness.why);
        Some(Row {
            number: None,
            thread: match witness.thread {
                Some(thread) => thread,
                None => witness.steps.iter().rev().find(|s| s.guilty).or(witness.steps.last())?.thread,
            },
            text: clean(why.trim_end_matches('.')),
            at: Some(at),
            place: String::new(),
            source: String::new(),
            focus: 0,
            guilty: true,
            remark: String::new(),
        })
    }

    fn find_source(&mut self, sources: &Sources, one_file: bool) {
        if let Some(at) = self.at {
            self.place =
                if one_file { at.line.to_string() } else { format!("{}:{}", short(&at.file), at.line) };
            let line = sources.line(&at.file, at.line).unwrap_or("");
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            self.focus = (at.column as usize).saturating_sub(1 + indent);
            // No terminal is wider than this, and some lines are very long.
            let far = self.focus + 400;
            self.source = clean(line.chars().skip(indent).take(far).collect::<String>().trim_end());
        }
    }
}

/// The file all steps are in, if it is one.
fn one_file(witness: &Witness) -> Option<&str> {
    let steps = witness.steps.iter().filter_map(|s| s.at.as_ref());
    let mut files = steps.chain(&witness.at).map(|at| &*at.file);
    let first = files.next()?;
    files.all(|f| f == first).then_some(first)
}

/// The path was shown with the violation; here its last part will do.
fn short(file: &str) -> String {
    clean(Path::new(file).file_name().and_then(|n| n.to_str()).unwrap_or(file))
}

/// Names for columns, by thread number, as long as threads occur.
fn names(witness: &Witness) -> Vec<String> {
    let last = witness.steps.iter().map(|s| s.thread).chain(witness.thread).max().unwrap_or(0);
    (0..=last).map(|t| thread_name(witness, t)).collect()
}

/// `1 worker`: steps speak of threads by number.
pub(crate) fn thread_name(witness: &Witness, thread: u32) -> String {
    match witness.threads.get(thread as usize) {
        Some(name) if !name.trim().is_empty() => {
            format!("{thread} {}", clean(name.trim().trim_matches(['<', '>'])))
        }
        _ => format!("thread {thread}"),
    }
}

fn header(layout: &Layout, rows: &[Row<'_>], title: &str, paint: Paint) -> String {
    let mut line = " ".repeat(layout.gutter);
    for (offset, name) in layout.titles() {
        line = pad(&line, layout.gutter + offset);
        line.push_str(&name);
    }
    if rows.iter().any(|r| !r.place.is_empty()) {
        line = pad(&line, layout.beside());
        line.push_str(&cut(title, layout.total.saturating_sub(width(&line))));
    }
    format!("{}\n", paint.ink(Ink::Strong, line.trim_end()))
}

fn print(layout: &Layout, row: &Row<'_>, paint: Paint) -> String {
    let (offset, room) = layout.cell(row.thread);
    let start = layout.gutter + offset;
    let mut out = String::new();
    for (i, piece) in wrap(&row.text, room).iter().enumerate() {
        let mut line = String::new();
        if i == 0 {
            let mark = if row.guilty { '>' } else { ' ' };
            let number = row.number.map_or(String::new(), |n| n.to_string());
            line = pad(&format!("{mark} {number:>0$}", layout.digits), layout.gutter);
            line.push_str(&layout.lead(row.thread));
        }
        line = pad(&line, start);
        line.push_str(piece);
        let mut shown = if row.guilty { paint.ink(Ink::Bad, &line) } else { line.clone() };
        if i == 0 && !row.place.is_empty() {
            shown.push_str(&" ".repeat(layout.beside().saturating_sub(width(&line))));
            shown.push_str(&paint.ink(Ink::Faint, beside(layout, row)));
        }
        out.push_str(shown.trim_end());
        out.push('\n');
    }
    if !row.remark.is_empty() {
        let lead = format!("{}↳", " ".repeat(start));
        // A remark may run on under the source lines, but needs room to be read.
        out.push_str(&paragraph(&lead, start + 2, &row.remark, layout.total.max(start + 26)));
    }
    out
}

fn beside(layout: &Layout, row: &Row<'_>) -> String {
    let place = cut(&row.place, layout.place);
    let fill = " ".repeat(layout.place.saturating_sub(width(&place)));
    match layout.source {
        room if room < 4 || row.source.is_empty() => format!("{fill}{place}"),
        room => format!("{fill}{place} │ {}", cut(&in_view(row, room), room)),
    }
}

/// The source line, from a little before the place that is meant if that would not be seen.
fn in_view(row: &Row<'_>, room: usize) -> String {
    if width(&row.source) <= room || row.focus + 6 <= room {
        return row.source.clone();
    }
    let back = (room / 3).min(12);
    let rest: String = row.source.chars().skip(row.focus.saturating_sub(back)).collect();
    // Whole words, if one starts soon.
    let word = rest.find(' ').filter(|i| *i < back).map_or(0, |i| i + 1);
    format!("…{}", &rest[word..])
}
