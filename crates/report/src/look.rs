//! What whoever prints says about the place it is printed to.

/// How it should look.
#[derive(Clone, Debug)]
pub struct Look {
    pub width: usize,
    pub colour: bool,
    /// What was typed, for the line that replays a witness.
    pub typed: String,
}

impl Default for Look {
    fn default() -> Self {
        Look { width: 100, colour: false, typed: String::new() }
    }
}
