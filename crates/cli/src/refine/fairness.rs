//! Which runs count in temporal assertions.

use clap::ValueEnum;
use lineal_model::Diagnostic;
use lineal_model::process::{Assertion, Claim, Fairness};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FairnessArg {
    /// Every run
    None,
    /// An event that can happen from some point on happens again and again
    WeakEvent,
    /// An event that can happen again and again does
    StrongEvent,
    /// A process that can move from some point on moves again and again
    WeakProcess,
    /// A process that can move again and again does
    StrongProcess,
    /// Every step that can be taken again and again is
    Global,
}

impl From<FairnessArg> for Fairness {
    fn from(arg: FairnessArg) -> Self {
        match arg {
            FairnessArg::None => Fairness::None,
            FairnessArg::WeakEvent => Fairness::WeakEvent,
            FairnessArg::StrongEvent => Fairness::StrongEvent,
            FairnessArg::WeakProcess => Fairness::WeakProcess,
            FairnessArg::StrongProcess => Fairness::StrongProcess,
            FairnessArg::Global => Fairness::Global,
        }
    }
}

pub fn is_temporal(assertion: &Assertion) -> bool {
    matches!(assertion.claim, Claim::Ltl { .. })
}

/// The assertion with the fairness that was asked for.
pub fn of(assertion: &Assertion, given: Option<FairnessArg>) -> Assertion {
    let mut other = assertion.clone();
    if let (Claim::Ltl { fairness, .. }, Some(given)) = (&mut other.claim, given) {
        *fairness = given.into();
    }
    other
}

/// What to say where no assertion is about runs.
pub fn nothing() -> Diagnostic {
    Diagnostic::error("L0020", "--fairness is about temporal assertions, and there is none")
        .help("they are written `#assert System() |= [] (request -> <> answer);`")
}
