//! The texts that places point into, as far as they are known.

use lineal_model::{Finding, Place, Report, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Source texts by the name that places use. A missing text is no error: the place is then shown
/// without its line.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: BTreeMap<Arc<str>, Text>,
}

#[derive(Clone, Debug)]
struct Text {
    whole: String,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl Sources {
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<String>) {
        let whole = text.into();
        let starts = std::iter::once(0)
            .chain(whole.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1))
            .collect();
        self.texts.insert(name.into(), Text { whole, starts });
    }

    pub fn contains(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    /// A line without its line break; lines count from 1.
    pub fn line(&self, name: &str, line: u32) -> Option<&str> {
        let text = self.texts.get(name)?;
        let index = (line as usize).checked_sub(1)?;
        let start = *text.starts.get(index)?;
        let end = text.starts.get(index + 1).map_or(text.whole.len(), |next| next - 1);
        Some(text.whole[start..end].trim_end_matches('\r'))
    }
}

/// Every file that some place of the report names.
pub fn files(report: &Report) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    let mut add = |place: &Option<Place>| {
        if let Some(place) = place {
            found.insert(place.file.clone());
        }
    };
    for diagnostic in &report.diagnostics {
        add(&diagnostic.at);
        diagnostic.notes.iter().for_each(|note| add(&note.at));
    }
    for Finding { at, verdict, .. } in &report.findings {
        add(at);
        match verdict {
            Verdict::Holds(scope) => scope.bounds.iter().for_each(|bound| add(&bound.at)),
            Verdict::Unknown(limit) => add(&limit.at),
            Verdict::Violated(witness) => {
                add(&witness.at);
                witness.steps.iter().for_each(|step| add(&step.at));
                witness.history.iter().for_each(|op| add(&op.at));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_number() {
        let mut sources = Sources::default();
        sources.add("a.c", "one\r\ntwo\n\nfour");
        assert_eq!(sources.line("a.c", 1), Some("one"));
        assert_eq!(sources.line("a.c", 3), Some(""));
        assert_eq!(sources.line("a.c", 4), Some("four"));
        assert_eq!(sources.line("a.c", 5), None);
        assert_eq!(sources.line("a.c", 0), None);
        assert_eq!(sources.line("b.c", 1), None);
    }
}
