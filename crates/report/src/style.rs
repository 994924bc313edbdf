//! Colours: what they mean, in one place.

use std::fmt::Display;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// `holds`.
    Good,
    /// `violated`, and the steps to blame.
    Bad,
    /// `unknown`, and whatever weakens a claim.
    Caution,
    /// Headings.
    Strong,
    /// Source lines and statistics beside the matter.
    Faint,
}

/// Wraps text in colour, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub colour: bool,
}

impl Paint {
    pub fn ink(self, ink: Ink, text: impl Display) -> String {
        let code = match ink {
            Ink::Good => "1;32",
            Ink::Bad => "1;31",
            Ink::Caution => "1;33",
            Ink::Strong => "1",
            Ink::Faint => "2",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}
