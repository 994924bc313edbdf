//! Text into models: C, CSP#, recorded histories.

pub mod csp;
