//! Where the columns of a trace stand.

use crate::columns::{cut, pad, width};
use lineal_model::Place;
use std::collections::BTreeSet;

/// One line of the table, before it is laid out.
pub(crate) struct Row<'a> {
    /// `None`: no step, but what the steps led to.
    pub number: Option<usize>,
    pub thread: u32,
    /// What happened, and where a value came from.
    pub text: String,
    pub at: Option<&'a Place>,
    /// `file:line`, or the line alone where all are of one file.
    pub place: String,
    pub source: String,
    /// Which character of `source` is meant, as far as anybody knows.
    pub focus: usize,
    pub guilty: bool,
    pub remark: String,
}

#[derive(Debug)]
pub(crate) struct Layout {
    /// Of the largest step number.
    pub digits: usize,
    /// Marker, step number and a gap.
    pub gutter: usize,
    /// Threads and their offsets after the gutter; empty: a list.
    columns: Vec<(u32, usize)>,
    names: Vec<String>,
    /// In a list, the width of the thread's name.
    list: usize,
    /// Width of the part between gutter and source.
    body: usize,
    pub place: usize,
    /// Room for a source line.
    pub source: usize,
    pub total: usize,
}

const GAP: usize = 2;

impl Layout {
    /// The roomiest arrangement that fits, from columns with long texts to a list.
    pub fn choose(rows: &[Row<'_>], names: &[String], total: usize) -> Layout {
        let digits = rows.iter().filter_map(|r| r.number).max().unwrap_or(0).to_string().len();
        let mut layout = Layout {
            digits,
            gutter: 2 + digits + GAP,
            columns: Vec::new(),
            names: names.to_vec(),
            list: 0,
            body: 0,
            place: rows.iter().map(|r| width(&r.place)).max().unwrap_or(0).min(30),
            source: 0,
            total,
        };
        let longest = rows.iter().map(|r| width(&r.source)).max().unwrap_or(0);
        let threads: BTreeSet<u32> = rows.iter().map(|r| r.thread).collect();
        let need = |t: u32| rows.iter().filter(|r| r.thread == t).map(|r| width(&r.text)).max().unwrap_or(0);
        // Texts are wrapped, and source lines cut, only as far as the width demands.
        const TRIES: [(usize, usize, usize); 7] =
            [(60, 40, 16), (60, 30, 14), (44, 30, 14), (44, 24, 12), (36, 24, 12), (32, 24, 6), (24, 20, 4)];
        for (text, source, narrowest) in TRIES {
            for spread in (narrowest..=28).rev().step_by(2) {
                layout.columns.clear();
                layout.body = 0;
                let mut offset = 0;
                for &t in &threads {
                    layout.columns.push((t, offset));
                    let title = width(&names[t as usize]);
                    layout.body = layout.body.max(offset + need(t).min(text).max(title));
                    offset += (need(t) + GAP).min(spread).max(title + GAP);
                }
                if layout.beside() + layout.place + 3 + longest.min(source) <= total {
                    layout.source = longest.min(total - layout.beside() - layout.place - 3);
                    return layout;
                }
            }
        }
        layout.columns.clear();
        layout.list = threads.iter().map(|t| width(&names[*t as usize])).max().unwrap_or(0).min(16);
        let lead = layout.list + GAP;
        let rest = total.saturating_sub(layout.gutter + lead + GAP + layout.place + 3);
        let text = rows.iter().map(|r| width(&r.text)).max().unwrap_or(0);
        let text = text.min((rest * 3 / 5).max(16));
        layout.body = lead + text;
        layout.source = longest.min(rest.saturating_sub(text));
        layout
    }

    /// Titles and their offsets.
    pub fn titles(&self) -> Vec<(usize, String)> {
        if self.columns.is_empty() {
            return vec![(0, "thread".into()), (self.list + GAP, "step".into())];
        }
        self.columns.iter().map(|(t, offset)| (*offset, self.names[*t as usize].clone())).collect()
    }

    /// Where a thread's text starts, and how wide it may be.
    pub fn cell(&self, thread: u32) -> (usize, usize) {
        let column = self.columns.iter().find(|(t, _)| *t == thread);
        let offset = column.map_or(self.list + GAP, |(_, offset)| *offset);
        (offset, self.body.saturating_sub(offset))
    }

    /// What stands before the text: in a list, the thread's name.
    pub fn lead(&self, thread: u32) -> String {
        if self.columns.is_empty() {
            pad(&cut(&self.names[thread as usize], self.list), self.list)
        } else {
            String::new()
        }
    }

    /// Where places and source lines start.
    pub fn beside(&self) -> usize {
        self.gutter + self.body + GAP
    }
}
