//! What whoever prints says about the place it is printed to.

use lineal_model::{Flags, Knob};

/// How it should look.
#[derive(Clone, Debug)]
pub struct Look {
    pub width: usize,
    pub colour: bool,
    /// What was typed, without any witness to replay.
    pub command: String,
    /// A witness is being replayed: all of it is shown.
    pub replays: bool,
    /// Where the client of a violation goes, if anywhere.
    pub client: Option<String>,
    pub flags: Flags,
}

impl Default for Look {
    fn default() -> Self {
        Look {
            width: 100,
            colour: false,
            command: String::new(),
            replays: false,
            client: None,
            flags: Knob::word,
        }
    }
}
