//! What searches for a better answer came to, in words: levels that do not hold, modes to change.

use crate::columns::{clean, paragraph};
use crate::look::Look;
use crate::style::{Ink, Paint};
use crate::words::count;
use lineal_model::sought::{Change, Goal, Levels, Rewrite, Smallest};

pub(crate) fn levels(levels: &Levels, look: &Look) -> String {
    let mut out = String::new();
    match levels.hold.as_slice() {
        [] => {}
        all if levels.fail.is_empty() => {
            let text = format!("No level is stronger than {}.", all.join(", "));
            out.push_str(&paragraph("", 2, &text, look.width));
        }
        all => {
            let next = if levels.fail.len() == 1 { "the next one does not" } else { "the next ones do not" };
            let text = match all {
                [one] => format!("Level {one} holds; {next}:"),
                _ => format!("Levels {} hold; {next}:", all.join(" and ")),
            };
            out.push_str(&paragraph("", 2, &text, look.width));
        }
    }
    for beyond in &levels.fail {
        let lead = format!("    {}:", beyond.level);
        out.push_str(&paragraph(&lead, lead.len() + 1, &clean(&beyond.why), look.width));
        out.push_str(&paragraph("      client:", 14, &clean(&beyond.client), look.width));
        if let Some(command) = &beyond.command {
            // Never broken, so that it can be copied.
            out.push_str(&format!("      see it: {}\n", clean(command)));
        }
    }
    out
}

pub(crate) fn smallest(smallest: &Smallest) -> String {
    let Smallest { class, factor, below } = smallest;
    match below {
        None if *factor == 0 => format!("The smallest factor for {class} is 0: its operations are in order."),
        None => format!("The smallest factor for {class} is {factor}."),
        Some(_) => {
            format!("The smallest factor for {class} is {factor}. With {} this goes wrong:", factor - 1)
        }
    }
}

pub(crate) fn rewrite(rewrite: &Rewrite, look: &Look) -> String {
    let Rewrite { goal, accesses, changes, minimal, .. } = rewrite;
    let changed = changes.len() as u64;
    let all = count(*accesses, "access", "accesses");
    let text = match (goal, changed, minimal) {
        (Goal::Weaken, 0, true) if *accesses == 0 => "It has no atomic access of its own.".into(),
        (Goal::Weaken, 0, true) => {
            format!("None of its {all} can be weaker: each weaker order of each was tried and is wrong.")
        }
        (Goal::Weaken, n, true) => format!(
            "{n} of its {all} can be weaker, together. None can be weaker than that, with the others so: each \
             weaker order of each was tried and is wrong."
        ),
        (Goal::Weaken, n, false) => format!("{n} of its {all} can be weaker, together."),
        (Goal::Repair, 0, _) => String::new(),
        (Goal::Repair, n, true) => format!(
            "It takes {}. No fewer do, and as many with weaker orders do not either: all were tried or ruled out.",
            count(n, "change", "changes"),
        ),
        (Goal::Repair, n, false) => format!("{} will do.", count(n, "change", "changes")),
    };
    let mut out = String::new();
    if !text.is_empty() {
        out.push_str(&paragraph("", 2, &text, look.width));
    }
    for change in changes.iter().filter(|c| c.by_hand.is_some()) {
        out.push_str(&paragraph("  by hand:", 11, &clean(&by_hand(change)), look.width));
    }
    let verified = match (&rewrite.diff, rewrite.verified) {
        (None, _) => return out,
        (Some(_), true) => "The source as the diff below leaves it was read and checked again, and holds.",
        (Some(_), false) if changes.iter().any(|c| c.by_hand.is_some()) => {
            "The diff below gives these orders, and is not enough without the changes by hand."
        }
        (Some(_), false) => {
            "The diff below gives these orders; the source that it leaves was not checked again as a whole."
        }
    };
    out.push_str(&paragraph("", 2, verified, look.width));
    out
}

fn by_hand(change: &Change) -> String {
    let why = change.by_hand.as_deref().unwrap_or_default();
    format!("{}: {} ({why})", change.at, change.words())
}

/// At the margin, so that it can be copied.
pub(crate) fn diff(diff: &str, paint: Paint) -> String {
    let mut out = String::from("\n");
    for line in diff.lines() {
        let ink = match line.as_bytes().first() {
            Some(b'+') => Some(Ink::Good),
            Some(b'-') => Some(Ink::Bad),
            Some(b'@') => Some(Ink::Faint),
            _ => None,
        };
        // Tabs are the author's, and part of what `patch` compares.
        let line = line.split('\t').map(clean).collect::<Vec<_>>().join("\t");
        match ink {
            Some(ink) => out.push_str(&format!("{}\n", paint.ink(ink, line))),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}
