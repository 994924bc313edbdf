//! Memory orders in the author's own text: where an access is written, and the text with other ones.
//!
//! Which instructions come of which piece of text is found by trying: the piece is written with
//! another order, the whole is read again, and whatever has another mode now came of it. So macros,
//! headers and functions that several operations use need no special treatment, and one piece of
//! text is one access, however many instructions it becomes. A piece whose order stands somewhere
//! else (an argument of a macro) belongs to none of them: each use is an access by itself.
//!
//! What can be missed: accesses whose order is not in the text that was given (a macro from the
//! command line), and uses of atomic variables in expressions that are not recognised ([`plain`]).
//! They are left to be changed by hand. `__sync` functions have no order that could be another one,
//! and are left alone.

mod call;
mod plain;
mod scan;

use lineal_model::program::modes::Access;
use lineal_model::program::modes::{Modes, Spot, by_place};
use lineal_model::run::Mode;
use std::ops::Range;

/// A file as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// As places in it name it.
    pub name: String,
    pub text: String,
}

/// Replace this part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// An access, and where it is written.
#[derive(Clone, Debug)]
pub struct Located {
    pub spot: Spot,
    written: Written,
}

#[derive(Clone, Debug)]
enum Written {
    Call(usize, call::Call),
    /// The order stands somewhere else: it is not ours to say where.
    Elsewhere,
    Plain(usize, plain::Use),
    Nowhere,
}

/// Finds the text of every access. `reread` gives the accesses of the changed sources, one for each
/// instruction; `None`: they mean something else then, or nothing.
pub fn locate(
    sources: &[Source],
    accesses: &[Spot],
    mut reread: impl FnMut(&[Source]) -> Option<Vec<Spot>>,
) -> Vec<Located> {
    let mut search = Search { sources, accesses, reread: &mut reread, taken: vec![false; accesses.len()] };
    let mut found = Vec::new();
    for (s, source) in sources.iter().enumerate() {
        let tokens = scan::tokens(&source.text);
        for call in call::calls(&source.text, &tokens) {
            let spot = call.probes().into_iter().find_map(|modes| {
                let edits = call.edits(&source.text, modes);
                search.comes_of(s, &edits, call.access, modes)
            });
            let Some(spot) = spot else { continue };
            if call.is_literal(&source.text) {
                found.push(Located { spot, written: Written::Call(s, call) });
                continue;
            }
            // An order that a macro is given: each use of it may have its own.
            let own = |a: &&Spot| spot.sites.contains(&a.sites[0]);
            let uses = by_place(accesses.iter().filter(own).cloned().collect());
            found.extend(uses.into_iter().map(|spot| Located { spot, written: Written::Elsewhere }));
        }
    }
    // What is left was written without a function, or cannot be found.
    let left: Vec<Spot> =
        (0..accesses.len()).filter(|&i| !search.taken[i]).map(|i| accesses[i].clone()).collect();
    let left = by_place(left);
    // What several accesses come of (a `__sync` function with its fences) cannot have another order.
    let is_whole = |s: &&Spot| left.iter().filter(|other| other.place == s.place).count() == 1;
    for spot in left.iter().filter(is_whole).cloned() {
        match search.plain(&spot) {
            Some(known) => found.push(known),
            None => found.push(Located { spot, written: Written::Nowhere }),
        }
    }
    found.sort_by_key(|l| l.spot.sites.first().copied());
    found
}

struct Search<'a> {
    sources: &'a [Source],
    accesses: &'a [Spot],
    reread: &'a mut dyn FnMut(&[Source]) -> Option<Vec<Spot>>,
    taken: Vec<bool>,
}

impl Search<'_> {
    /// The instructions whose modes these edits change, if they are one access.
    fn comes_of(&mut self, source: usize, edits: &[Edit], access: Access, new: Modes) -> Option<Spot> {
        if edits.is_empty() {
            return None;
        }
        let mut changed = self.sources.to_vec();
        changed[source].text = apply(&changed[source].text, edits);
        let after = (self.reread)(&changed)?;
        let same = |(a, b): (&Spot, &Spot)| a.access == b.access;
        if after.len() != self.accesses.len() || !self.accesses.iter().zip(&after).all(same) {
            return None;
        }
        let of: Vec<usize> = (0..after.len()).filter(|&i| after[i].modes != self.accesses[i].modes).collect();
        let first = &self.accesses[*of.first()?];
        let fits = |&i: &usize| {
            let (old, now) = (&self.accesses[i], &after[i]);
            !self.taken[i] && old.access == access && old.modes == first.modes && now.modes == new
        };
        if !of.iter().all(fits) {
            return None;
        }
        of.iter().for_each(|&i| self.taken[i] = true);
        let sites = of.iter().flat_map(|&i| self.accesses[i].sites.clone()).collect();
        Some(Spot { sites, ..first.clone() })
    }

    /// An access that is written as the use of a variable.
    fn plain(&mut self, spot: &Spot) -> Option<Located> {
        let s = self.sources.iter().position(|s| *s.name == *spot.place.file)?;
        let text = &self.sources[s].text;
        let tokens = scan::tokens(text);
        let new = Modes { mode: Mode::Relaxed, fail: Mode::Relaxed };
        for guess in plain::uses(text, &tokens, spot.place.line, spot.access) {
            let found = self.comes_of(s, &guess.edits(text, new), spot.access, new);
            if let Some(found) = found {
                return Some(Located { spot: found, written: Written::Plain(s, guess) });
            }
        }
        None
    }
}

/// Why an access cannot be changed in the text, if so.
pub fn by_hand(located: &Located) -> Option<&'static str> {
    match located.written {
        Written::Elsewhere => Some("its order is not written there"),
        Written::Nowhere => Some("its text was not found"),
        Written::Call(..) | Written::Plain(..) => None,
    }
}

/// The sources with these modes, as far as they can be written.
pub fn rewrite(sources: &[Source], changes: &[(&Located, Modes)]) -> Vec<Source> {
    let mut edits: Vec<Vec<Edit>> = vec![Vec::new(); sources.len()];
    for (located, modes) in changes {
        match &located.written {
            Written::Call(s, call) => edits[*s].extend(call.edits(&sources[*s].text, *modes)),
            Written::Plain(s, plain) => edits[*s].extend(plain.edits(&sources[*s].text, *modes)),
            Written::Elsewhere | Written::Nowhere => {}
        }
    }
    let changed = |(source, edits): (&Source, &Vec<Edit>)| Source {
        name: source.name.clone(),
        text: apply(&source.text, edits),
    };
    sources.iter().zip(&edits).map(changed).collect()
}

/// The text with its parts replaced. Of two that overlap the first is kept; whoever reads the result
/// again will notice.
fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|e| (e.range.start, e.range.end));
    let (mut out, mut at) = (String::new(), 0);
    for edit in edits {
        if edit.range.start >= at {
            out.push_str(&text[at..edit.range.start]);
            out.push_str(&edit.text);
            at = edit.range.end;
        }
    }
    out.push_str(&text[at..]);
    out
}
