//! Assertions with other factors than they say themselves, and the smallest ones.

use crate::quasi::QuasiArgs;
use lineal_check::refine::Checked;
use lineal_check::smallest;
use lineal_model::Diagnostic;
use lineal_model::adt::Kind;
use lineal_model::adt::quasi::{Listed, Operations, Relaxation, Semantics, relax};
use lineal_model::process::{Assertion, Claim, Fault};

/// An assertion as it is asked about.
pub struct Relaxed {
    pub assertion: Assertion,
    /// Whether factors mean anything for it.
    pub is_about: bool,
    /// The class whose smallest factor is looked for.
    sought: Option<usize>,
}

/// The assertion with the factors that were given.
pub fn of(assertion: &Assertion, args: &QuasiArgs) -> Result<Relaxed, Box<Diagnostic>> {
    let plain = |is_about| Relaxed { assertion: assertion.clone(), is_about, sought: None };
    let Claim::Linearizable { object, quasi, .. } = &assertion.claim else { return Ok(plain(false)) };
    // What type is meant is for the engine to complain about.
    let Some(kind) = Kind::from_word(object).filter(|_| args.is_given()) else { return Ok(plain(true)) };
    let understand = |listed: &[Listed], semantics| relax(listed, semantics, &Operations::Of(kind));
    let asked =
        args.relaxation(quasi.as_ref(), &understand).map_err(|d| Box::new(d.at(assertion.at.clone())))?;
    let assertion = match asked.relaxation {
        Some(relaxation) => with(assertion, relaxation),
        None => assertion.clone(),
    };
    Ok(Relaxed { assertion, is_about: true, sought: asked.sought })
}

/// What to say where no assertion has factors.
pub fn nothing() -> Diagnostic {
    Diagnostic::error("L0020", "--quasi is about objects, and nothing is asserted to be one")
        .help("factors go with assertions such as `#assert System() linearizable queue;`")
}

/// The same assertion about another relaxation.
fn with(assertion: &Assertion, relaxation: Relaxation) -> Assertion {
    let mut other = assertion.clone();
    let Claim::Linearizable { quasi, .. } = &mut other.claim else { return other };
    if quasi.is_some()
        && let Some(at) = other.text.rfind(" quasi")
    {
        other.text.truncate(at);
    }
    let semantics = match relaxation.semantics {
        Semantics::Classes => String::new(),
        semantics => format!(" {}", semantics.word()),
    };
    other.text += &format!(" quasi {}{semantics}", relaxation.shown());
    *quasi = Some(relaxation);
    other
}

impl Relaxed {
    /// Whether a factor is looked for.
    pub fn is_sought(&self) -> bool {
        self.sought.is_some()
    }

    /// Decides it, or finds the smallest factor with which it holds.
    pub fn decide(&self, check: impl Fn(&Assertion) -> Result<Checked, Fault>) -> Result<Checked, Fault> {
        let (Some(class), Claim::Linearizable { quasi: Some(relaxation), .. }) =
            (self.sought, &self.assertion.claim)
        else {
            return check(&self.assertion);
        };
        let one = |k| check(&with(&self.assertion, relaxation.with_factor(class, k)));
        smallest(relaxation, class, one, |checked| &mut checked.finding)
    }
}
