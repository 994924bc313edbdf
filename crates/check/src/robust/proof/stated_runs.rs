//! Facts that are given ([`super::stated`]) against random runs of random clients, under sequential consistency: by
//! their meaning, without formulas. What a run contradicts is false. Nothing follows from runs that do not.

use super::library::Library;
use super::oblige::Label;
use super::prove::words;
use super::run::{Choose, Run, client, run};
use super::shape::is_scalar;
use super::stated::{Pattern, Stated};
use super::stated_use::first_value;
use super::term::Term;
use super::tree::Act;
use lineal_model::fact::{Atom, Compare, Conclusion, Value, Which};
use lineal_model::program::client::Compiled;

/// A step of a run, and which access of which operation it is; `None`: before the first call.
type Step = Option<(usize, Label)>;

/// A run that contradicts the fact, in words.
pub fn contradicted(
    (compiled, library): (&Compiled, &Library),
    stated: &Stated,
    runs: usize,
    choose: Choose<'_>,
) -> Option<String> {
    for _ in 0..runs {
        let calls = 2 + choose(4);
        let client = client(compiled, library, calls, choose);
        let most = 6 + choose(60);
        let Some(mut run) = run((compiled, library.model), &client, most, choose) else { continue };
        run.split(library);
        let Some(world) = World::of(library, &run) else { continue };
        if let Some(steps) = world.fails(stated) {
            return Some(format!("{}: {steps}", compiled.object.show_client(&client)));
        }
    }
    None
}

struct World<'a> {
    library: &'a Library,
    run: &'a Run,
    steps: Vec<(usize, Label)>,
    before: Vec<Vec<bool>>,
}

impl<'a> World<'a> {
    /// `None`: a call follows no path of its tree.
    fn of(library: &'a Library, run: &'a Run) -> Option<Self> {
        let mut steps = Vec::new();
        for (call, made) in run.calls.iter().enumerate() {
            if !run.steps.iter().any(|s| s.call == call) {
                continue;
            }
            let path = run.embeddings(library, made.operation, call).into_iter().next()?;
            let label = |node| Label { operation: made.operation, node };
            steps.extend(path.into_iter().filter_map(|(node, step)| Some((step?, label(node)))));
        }
        Some(World { library, run, steps, before: run.happens_before() })
    }

    fn place(step: Step) -> usize {
        step.map_or(0, |(i, _)| i + 1)
    }

    fn choices(&self, pattern: &Pattern, tuple: &[Step]) -> Vec<Step> {
        let call = pattern.by.map(|of| tuple[of].map(|(i, _)| self.run.steps[i].call));
        let fits = |&&(i, l): &&(usize, Label)| {
            pattern.fits(self.library, l.operation, l.node)
                && call.is_none_or(|call| call == Some(self.run.steps[i].call))
        };
        let mut all: Vec<Step> = self.steps.iter().filter(fits).copied().map(Some).collect();
        if pattern.is_open() && is_scalar(self.library, pattern.class) {
            all.push(None);
        }
        all
    }

    fn fails(&self, stated: &Stated) -> Option<String> {
        let mut tuples: Vec<Vec<Step>> = vec![Vec::new()];
        for pattern in &stated.steps {
            let longer = tuples.iter().flat_map(|tuple| {
                let more = self.choices(pattern, tuple).into_iter();
                more.map(|s| tuple.iter().copied().chain([s]).collect())
            });
            tuples = longer.collect();
        }
        let patterns: Vec<&Pattern> = stated.steps.iter().collect();
        let wrong = |tuple: &&Vec<Step>| {
            stated.given().iter().all(|a| self.is(tuple, &patterns, a) == Some(true))
                && !self.concludes(stated, tuple)
        };
        let tuple = tuples.iter().find(wrong)?;
        let names = stated.fact.steps.iter().map(|s| &s.name);
        let told = names.zip(tuple).map(|(name, step)| format!("{name} is {}", self.told(*step)));
        Some(told.collect::<Vec<_>>().join(", "))
    }

    fn told(&self, step: Step) -> String {
        let Some((i, label)) = step else { return "the initial value".into() };
        let s = &self.run.steps[i];
        let mut text = format!("step {}, {}", i + 1, words(self.library, label));
        text.extend(s.read.map(|v| format!(", which reads {v}")));
        text.extend(s.wrote.map(|v| format!(", which writes {v}")));
        text
    }

    fn concludes(&self, stated: &Stated, tuple: &[Step]) -> bool {
        let index = |step: Step| step.map(|(i, _)| i);
        match &stated.fact.conclusion {
            Conclusion::Either(ways) => ways.iter().zip(&stated.some).any(|(way, pattern)| {
                let patterns: Vec<&Pattern> = stated.steps.iter().chain(pattern).collect();
                let holds =
                    |tuple: &[Step]| way.atoms.iter().all(|a| self.is(tuple, &patterns, a) != Some(false));
                let Some(pattern) = pattern else { return holds(tuple) };
                let last = tuple.iter().map(|s| Self::place(*s)).max().unwrap_or(0);
                self.choices(pattern, tuple).into_iter().any(|some| {
                    let longer: Vec<Step> = tuple.iter().copied().chain([some]).collect();
                    Self::place(some) <= last && holds(&longer)
                })
            }),
            Conclusion::Before(a, b) => match (index(tuple[*a]), index(tuple[*b])) {
                (Some(a), Some(b)) => self.before[a][b],
                _ => true,
            },
            Conclusion::Tells { write, step } => {
                let Some(s) = index(tuple[*step]) else { return true };
                let heads = self.run.heads(Self::place(tuple[*write]));
                heads.into_iter().any(|h| h == s || self.before[s][h])
            }
            Conclusion::ThenUpdate(a) => {
                let class = stated.steps[*a].class;
                let loc = match index(tuple[*a]) {
                    Some(i) => self.run.steps[i].loc,
                    None => {
                        let of = |l: &Label| self.library.class_of(l.operation, l.node) == Some(class);
                        let found = self.steps.iter().find(|(_, l)| of(l));
                        found.and_then(|(i, _)| self.run.steps[*i].loc)
                    }
                };
                let later = self.run.steps.iter().skip(Self::place(tuple[*a]));
                later
                    .into_iter()
                    .find(|s| s.wrote.is_some() && s.loc == loc)
                    .is_none_or(|s| s.act == Act::Update)
            }
        }
    }

    fn value(&self, tuple: &[Step], patterns: &[&Pattern], value: &Value) -> Option<u64> {
        let found = match value.of {
            None => 0,
            Some((step, which)) => match tuple[step] {
                Some((i, _)) => match which {
                    Which::Old => self.run.steps[i].read?,
                    Which::New => self.run.steps[i].wrote?,
                },
                None => match first_value(self.library, patterns[step].class)? {
                    Term::Const(c) => *c as u64,
                    _ => return None,
                },
            },
        };
        let sum = found.wrapping_add(value.add as u64);
        Some(value.modulo.map_or(sum, |n| sum % n as u64))
    }

    /// `None`: that is not known.
    fn is(&self, tuple: &[Step], patterns: &[&Pattern], atom: &Atom) -> Option<bool> {
        let step = |a: &usize| tuple[*a].map(|(i, _)| &self.run.steps[i]);
        let together = |a: &usize, b: &usize| match (step(a), step(b)) {
            (Some(a), Some(b)) => a.loc == b.loc,
            _ => patterns[*a].class == patterns[*b].class,
        };
        Some(match atom {
            Atom::Order(a, compare, b) => {
                let (a, b) = (Self::place(tuple[*a]), Self::place(tuple[*b]));
                if *compare == Compare::Less { a < b } else { a <= b }
            }
            Atom::Together(a, b) => together(a, b),
            Atom::Reads(a, b) => {
                together(a, b) && step(a).is_some_and(|s| s.source == Self::place(tuple[*b]))
            }
            Atom::Session(a, b) => match (step(a), step(b)) {
                (Some(a), Some(b)) => a.thread == b.thread,
                _ => false,
            },
            Atom::Not(atom) => !self.is(tuple, patterns, atom)?,
            Atom::Values(a, compare, b) => {
                compare.holds(self.value(tuple, patterns, a)?, self.value(tuple, patterns, b)?)
            }
        })
    }
}
