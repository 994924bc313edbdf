//! Exit codes, and which one wins.

use lineal_model::{Report, Severity, Verdict};

pub const HOLDS: u8 = 0;
pub const VIOLATED: u8 = 1;
/// Bad input or usage.
pub const REFUSED: u8 = 2;
pub const UNKNOWN: u8 = 3;
/// A bug in Lineal, as Rust's own panics have it.
pub const PANICKED: u8 = 101;

/// A violation found is a violation, whatever else went wrong: 1 outranks 2, 2 outranks 3, 3
/// outranks 0.
pub fn code(report: &Report) -> u8 {
    let violated = report.findings.iter().any(|f| matches!(f.verdict, Verdict::Violated(_)));
    let refused = report.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let unknown = report.findings.iter().any(|f| matches!(f.verdict, Verdict::Unknown(_)));
    match (violated, refused, unknown) {
        (true, _, _) => VIOLATED,
        (_, true, _) => REFUSED,
        (_, _, true) => UNKNOWN,
        (false, false, false) => HOLDS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lineal_model::{Diagnostic, Finding, Limit, Memory, Scope, Witness, WitnessKind};

    fn holds() -> Verdict {
        Verdict::Holds(Scope::program(Memory::Sc, 1))
    }
    fn violated() -> Verdict {
        Verdict::Violated(Box::new(Witness::new(WitnessKind::Result, "")))
    }
    fn unknown() -> Verdict {
        Verdict::Unknown(Limit::method("?"))
    }

    #[track_caller]
    fn check(verdicts: Vec<Verdict>, diagnostics: Vec<Diagnostic>, expected: u8) {
        let findings = verdicts.into_iter().map(|v| Finding::new("p", v)).collect();
        assert_eq!(code(&Report { command: "verify".into(), findings, diagnostics }), expected);
    }

    #[test]
    fn the_ranking() {
        let error = || vec![Diagnostic::error("L0001", "bad")];
        check(vec![holds()], vec![], HOLDS);
        check(vec![holds()], vec![Diagnostic::warning("L0002", "hm")], HOLDS);
        check(vec![holds(), unknown()], vec![], UNKNOWN);
        check(vec![holds(), unknown()], error(), REFUSED);
        check(vec![unknown(), violated(), holds()], error(), VIOLATED);
        check(vec![], error(), REFUSED);
    }
}
