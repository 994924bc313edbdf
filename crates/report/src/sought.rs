//! What searches for a better answer came to, in words: levels that do not hold.

use crate::columns::{clean, paragraph};
use crate::look::Look;
use lineal_model::sought::Levels;

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
            let text = format!("{} holds; {next}:", all.join(" and "));
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
