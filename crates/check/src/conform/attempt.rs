//! Variations of one question, tried one after another: another level, other access modes.
//!
//! Calls that showed a violation once are remembered and tried first: most variations that are wrong
//! fail on some of them. Only what they do not refute is checked in full. All attempts share one
//! budget, so a limit on executions is a limit on all of them together.

use super::check::{Checked, Continued, Refused, check_with};
use super::object::Clients;
use super::search::{Asked, Problem};
use lineal_model::object::{Call, Level};
use lineal_model::{Counts, Effort, Limit, Observer, Stats, Verdict};

pub struct Attempts<'a, C> {
    pub problem: &'a Problem<'a, C>,
    effort: &'a Effort,
    watch: &'a dyn Observer,
    /// Calls that some client makes go wrong, the latest last.
    telling: Vec<Vec<Call>>,
    /// What all attempts explored.
    pub stats: Stats,
    /// How many variations were tried.
    pub tried: u64,
}

/// What became of a variation.
pub enum Attempt {
    /// With its scope.
    Holds(Box<Checked>),
    /// It does not hold; the calls that show it, unless the question itself makes no sense then.
    Fails(Option<Vec<Call>>),
    Unknown(Limit),
}

impl<'a, C: Clients> Attempts<'a, C> {
    pub fn new(problem: &'a Problem<'a, C>, effort: &'a Effort, watch: &'a dyn Observer) -> Self {
        Attempts { problem, effort, watch, telling: Vec::new(), stats: Stats::default(), tried: 0 }
    }

    /// Whether the object so changed is right at the level.
    pub fn attempt(&mut self, clients: &C, level: &Level) -> Attempt {
        self.tried += 1;
        match self.refuted(clients, level) {
            Err(limit) => return Attempt::Unknown(limit),
            Ok(Some(calls)) => return Attempt::Fails(Some(calls)),
            Ok(None) => {}
        }
        match self.check(clients, level, self.problem.asked.clone()) {
            Err(_) => Attempt::Fails(None),
            Ok(checked) => self.outcome(checked),
        }
    }

    /// What was found, remembered.
    pub fn outcome(&mut self, checked: Checked) -> Attempt {
        match &checked.finding.verdict {
            Verdict::Holds(_) => Attempt::Holds(Box::new(checked)),
            Verdict::Unknown(limit) => Attempt::Unknown(limit.clone()),
            Verdict::Violated(_) => {
                let calls = checked.exhibit.map(|e| e.client.calls);
                if let Some(calls) = calls.clone().filter(|c| !self.telling.contains(c)) {
                    self.telling.push(calls);
                }
                Attempt::Fails(calls)
            }
        }
    }

    /// Calls seen before that go wrong here too.
    fn refuted(&mut self, clients: &C, level: &Level) -> Result<Option<Vec<Call>>, Limit> {
        for calls in self.telling.clone().into_iter().rev() {
            if self.fails_on(clients, level, &calls)? {
                return Ok(Some(calls));
            }
        }
        Ok(None)
    }

    /// Whether some client with these calls goes wrong.
    pub fn fails_on(&mut self, clients: &C, level: &Level, calls: &[Call]) -> Result<bool, Limit> {
        let asked = match &self.problem.asked {
            Asked::Only(client) => Asked::Only(client.clone()),
            _ => Asked::Calls(calls.to_vec()),
        };
        match self.check(clients, level, asked) {
            Ok(Checked { finding, .. }) => match finding.verdict {
                Verdict::Unknown(limit) => Err(limit),
                verdict => Ok(matches!(verdict, Verdict::Violated(_))),
            },
            Err(_) => Ok(false),
        }
    }

    /// One question, charged to the common budget.
    pub fn check(&mut self, clients: &C, level: &Level, asked: Asked) -> Result<Checked, Refused> {
        let Problem { memory, unroll, unroll_at, preemptions, reductions, .. } = *self.problem;
        let problem = Problem { clients, asked, memory, level, unroll, unroll_at, preemptions, reductions };
        let Stats { executions, blocked, clients, .. } = self.stats;
        let before = Counts { executions, blocked, clients, ..Counts::default() };
        let left = |max: u64| max.saturating_sub(executions + blocked).max(1);
        let effort = Effort { max_states: self.effort.max_states.map(left), ..self.effort.clone() };
        let mut checked = check_with(&problem, &effort, &Continued { watch: self.watch, before }, false)?;
        let stats = &checked.finding.stats;
        self.stats.executions += stats.executions;
        self.stats.blocked += stats.blocked;
        self.stats.clients += stats.clients;
        self.stats.jobs = stats.jobs;
        if let (Verdict::Unknown(limit), Some(max)) = (&mut checked.finding.verdict, self.effort.max_states)
            && limit.kind == lineal_model::LimitKind::States
        {
            *limit = Limit { covered: limit.covered.clone(), ..Limit::states(max) };
        }
        Ok(checked)
    }

    pub fn stage(&self, doing: &str, settled: &str) {
        self.watch.stage(doing, settled);
    }
}
