//! Text → model. Opens no files, runs nothing, and does not know which engine comes next.

pub mod c11;
pub mod csp;
pub mod history;
pub mod quasi;
