//! Where a running command puts what it found. What lies here survives a panic, a limit or an
//! interrupt that ends the command midway.

use crate::limits::{Watch, memory};
use lineal_model::{Counts, Diagnostic, Effort, Finding, Limit, Observer, Report, Verdict};
use lineal_report::Sources;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

pub struct Desk {
    pub watch: Watch,
    pub effort: Effort,
    so_far: Mutex<SoFar>,
}

pub struct SoFar {
    pub report: Report,
    pub sources: Sources,
    /// What is being done now, in a word or two: `verify`, `preprocessing`.
    pub doing: String,
    /// What holds whatever becomes of the rest.
    pub settled: String,
    /// What the check under way is about.
    pub property: String,
    /// Findings that are settled, and will be filed once more is said about them: by number.
    pub drafts: BTreeMap<usize, Finding>,
    /// Findings that are still to come, one for each that will be filed, in order: what is known of them.
    pub awaited: VecDeque<Finding>,
}

impl Observer for Desk {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        self.watch.progress(counts)
    }

    fn stage(&self, doing: &str, settled: &str) {
        let mut so_far = self.so_far();
        so_far.doing = doing.into();
        so_far.settled = settled.into();
    }
}

impl Desk {
    pub fn new(command: &str, effort: Effort, watch: Watch) -> Self {
        let report = Report { command: command.into(), ..Report::default() };
        let so_far = SoFar {
            report,
            sources: Sources::default(),
            doing: command.into(),
            settled: String::new(),
            property: command.into(),
            drafts: BTreeMap::new(),
            awaited: VecDeque::new(),
        };
        Desk { watch, effort, so_far: Mutex::new(so_far) }
    }

    pub fn so_far(&self) -> MutexGuard<'_, SoFar> {
        // A panic elsewhere leaves whole entries: every change below is a single push.
        self.so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Names what is going on, for the progress line and for limits.
    pub fn doing(&self, what: &str) {
        self.so_far().doing = what.into();
    }

    pub fn source(&self, name: &str, text: &str) {
        self.so_far().sources.add(name, text);
    }

    pub fn diagnostics(&self, found: impl IntoIterator<Item = Diagnostic>) {
        self.so_far().report.diagnostics.extend(found);
    }

    /// The property that the next finding will be about, should a limit be reached before it.
    pub fn about(&self, property: &str) {
        self.so_far().property = property.into();
    }

    /// Says which findings will be filed, in this order, so that none is missing if a limit is reached
    /// before.
    pub fn awaits(&self, findings: impl IntoIterator<Item = Finding>) {
        self.so_far().awaited.extend(findings);
    }

    /// Runs one check and files its finding, with the time and memory it took.
    pub fn check(&self, engine: impl FnOnce(&Effort, &Watch) -> Finding) {
        let started = Instant::now();
        let mut finding = engine(&self.effort, &self.watch);
        finding.stats.seconds = started.elapsed().as_secs_f64();
        self.file(finding);
    }

    /// Keeps a finding whose verdict is settled, in case nothing better comes of it.
    pub fn draft(&self, number: usize, finding: Finding) {
        self.so_far().drafts.insert(number, finding);
    }

    /// Something better came of it.
    pub fn forget_draft(&self, number: usize) {
        self.so_far().drafts.remove(&number);
    }

    /// Files a finding that has its own times.
    pub fn file(&self, mut finding: Finding) {
        finding.stats.peak_bytes = memory().map_or(0, |(_, peak)| peak);
        finding.stats.seed = self.effort.seed;
        let mut so_far = self.so_far();
        so_far.awaited.pop_front();
        so_far.report.findings.push(finding);
    }

    /// Files what is known about a check that did not stop when told to, and what was settled.
    pub fn abandon(&self, mut limit: Limit) {
        let drafts = std::mem::take(&mut self.so_far().drafts);
        let about = self.so_far().property.clone();
        let known = drafts.values().any(|draft| draft.property == about);
        drafts.into_values().for_each(|draft| self.file(draft));
        if known {
            return;
        }
        let (property, doing) = {
            let so_far = self.so_far();
            limit.covered.clone_from(&so_far.settled);
            (so_far.property.clone(), so_far.doing.clone())
        };
        let counts = self.watch.counts();
        if counts.executions + counts.blocked > 0 && limit.covered.is_empty() {
            limit.covered =
                format!("{} executions were explored by then.", counts.executions + counts.blocked);
        }
        if counts.states > 0 && limit.covered.is_empty() {
            limit.covered = format!("{} states were entered by then.", counts.states);
        }
        limit.message = format!("{} while {doing}.", limit.message.trim_end_matches('.'));
        let later = limit.clone();
        let mut finding = match self.so_far().awaited.front().cloned() {
            Some(known) => Finding { verdict: Verdict::Unknown(limit), ..known },
            None => Finding::new(property, Verdict::Unknown(limit)),
        };
        finding.stats.seconds = self.watch.elapsed().as_secs_f64();
        finding.stats.states = counts.states;
        finding.stats.executions = counts.executions;
        finding.stats.blocked = counts.blocked;
        finding.stats.clients = counts.clients;
        self.file(finding);
        self.leave_out(later);
    }

    /// Files what was to come and will not.
    pub fn leave_out(&self, limit: Limit) {
        let awaited: Vec<Finding> = self.so_far().awaited.iter().cloned().collect();
        for known in awaited {
            let covered = "This was not begun.".into();
            self.file(Finding { verdict: Verdict::Unknown(Limit { covered, ..limit.clone() }), ..known });
        }
    }
}
