//! Text to model: C11, CSP#, recorded histories. Opens no files and knows no engine.

pub mod history;
