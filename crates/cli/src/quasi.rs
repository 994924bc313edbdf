//! `--quasi`, `--quasi-semantics`, `--quasi-max`: relaxed types as typed.

use clap::{Args, ValueEnum};
use lineal_lang::quasi::{Stated, class, classes};
use lineal_model::Diagnostic;
use lineal_model::adt::quasi::{Listed, Relaxation, Semantics};

#[derive(Clone, Debug, Default, Args)]
pub struct QuasiArgs {
    /// How many places operations may be out of order, by class: dequeue=2, '{push,pop}=1', 'dequeue->empty=0'; in place of what the input says itself
    #[arg(long, value_name = "CLASS=K", allow_hyphen_values = true)]
    pub quasi: Vec<String>,
    /// How classes move past each other; classes if not given
    #[arg(long, value_enum, value_name = "SEMANTICS")]
    pub quasi_semantics: Option<SemanticsArg>,
    /// Find the smallest factor for this class, with what goes wrong below it
    #[arg(long, value_name = "CLASS")]
    pub quasi_max: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SemanticsArg {
    /// Not at all: each place keeps its class, and nothing is answered before it is there (enqueue(1); dequeue() → 2; enqueue(2); dequeue() → 1 is violated)
    Classes,
    /// As they like: the definition word by word, which allows that order with dequeue=1; may answer unknown
    Literal,
    /// The algorithm of the paper, for comparison
    Windows,
}

impl From<SemanticsArg> for Semantics {
    fn from(semantics: SemanticsArg) -> Semantics {
        match semantics {
            SemanticsArg::Classes => Semantics::Classes,
            SemanticsArg::Literal => Semantics::Literal,
            SemanticsArg::Windows => Semantics::Windows,
        }
    }
}

/// What was asked for.
pub struct Asked {
    pub relaxation: Option<Relaxation>,
    /// The class whose smallest factor is looked for.
    pub sought: Option<usize>,
}

/// The relaxation that classes mean, or why they mean none, and what to do instead.
pub type Understand<'a> = &'a dyn Fn(&[Listed], Semantics) -> Result<Relaxation, (String, String)>;

fn refuse(message: String, help: &str) -> Diagnostic {
    Diagnostic::error("L0020", message).help(help)
}

const FORM: &str = "a class is an operation or several, each perhaps with its answer: --quasi dequeue=2, --quasi '{push,pop}=1', --quasi 'dequeue->empty=0'";

impl QuasiArgs {
    /// Whether anything is said about factors here.
    pub fn is_asked(&self) -> bool {
        !self.quasi.is_empty() || self.quasi_max.is_some()
    }

    /// Whether anything is said here that changes what the input says itself.
    pub fn is_given(&self) -> bool {
        self.is_asked() || self.quasi_semantics.is_some()
    }

    /// `stated`: what the input says itself. Factors given here take the place of all of its factors;
    /// a class whose factor is looked for, of that class only.
    pub fn relaxation(
        &self,
        stated: Option<&Relaxation>,
        understand: Understand,
    ) -> Result<Asked, Diagnostic> {
        if !self.is_given() {
            return Ok(Asked { relaxation: stated.cloned(), sought: None });
        }
        if stated.is_none() && !self.is_asked() {
            let why = "--quasi-semantics says how factors are read, and there are none";
            return Err(refuse(why.into(), FORM));
        }
        let stated = stated.map(Stated::of);
        let mut listed: Vec<Listed> = Vec::new();
        for text in &self.quasi {
            listed.extend(classes(text).map_err(|why| refuse(format!("--quasi: {why}"), FORM))?);
        }
        if let (Some(stated), true) = (&stated, self.quasi.is_empty()) {
            listed.clone_from(&stated.classes);
        }
        let sought = match &self.quasi_max {
            None => None,
            Some(text) if text.contains('=') => {
                let why = format!("--quasi-max: the factor of `{text}` is what is looked for");
                return Err(refuse(why, "name the class alone: --quasi-max dequeue"));
            }
            Some(text) => {
                let members = class(text).map_err(|why| refuse(format!("--quasi-max: {why}"), FORM))?;
                // Of what the input says, this factor is looked for anew.
                if self.quasi.is_empty() {
                    let same = |l: &Listed| {
                        l.members.len() == members.len() && l.members.iter().all(|m| members.contains(m))
                    };
                    listed.retain(|l| !same(l));
                }
                listed.push(Listed { members, factor: 0 });
                Some(listed.len() - 1)
            }
        };
        let given = self.quasi_semantics.map(Semantics::from);
        let semantics = given.or(stated.map(|s| s.semantics)).unwrap_or_default();
        let flag = match (self.quasi.is_empty(), sought) {
            (false, _) => "--quasi",
            (true, Some(_)) => "--quasi-max",
            (true, None) => "--quasi-semantics",
        };
        let relaxation =
            understand(&listed, semantics).map_err(|(why, help)| refuse(format!("{flag}: {why}"), &help))?;
        if let (Some(class), Semantics::Windows) = (sought, semantics)
            && relaxation.classes.iter().enumerate().any(|(c, other)| c != class && other.factor > 0)
        {
            let why = "--quasi-max: windows have one factor, and another class has one".into();
            return Err(refuse(why, "leave the other class out, or use another semantics"));
        }
        Ok(Asked { relaxation: Some(relaxation), sought })
    }
}
