//! Everything one run of Lineal has to say; the terminal, JSON and HTML are three readings of it.

use crate::counter::Counter;
use crate::diagnostic::{Diagnostic, Place};
use crate::sought::{Levels, Rewrite, Smallest};
use crate::verdict::{Verdict, Witness};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub command: String,
    pub findings: Vec<Finding>,
    pub diagnostics: Vec<Diagnostic>,
}

/// One property and its verdict.
#[derive(Clone, Debug)]
pub struct Finding {
    /// A sentence that the verdict makes true or false: "every execution is safe".
    pub property: String,
    /// What is wrong instead, if it is violated: "some execution is not safe".
    pub wrong: String,
    pub at: Option<Place>,
    /// Of several objects in the files: the one that was checked.
    pub object: Option<String>,
    pub verdict: Verdict,
    pub stats: Stats,
    /// Sets of final values (`--observe`), each with how many executions end in it.
    pub outcomes: BTreeMap<String, u64>,
    /// Sentences about the run that are no part of the claim ("12 nemesis lines were skipped").
    pub remarks: Vec<String>,
    /// A run that shows what holds, where one run can: a state that is reached.
    pub example: Option<Box<Witness>>,
    /// Of a search for the strongest level.
    pub levels: Option<Levels>,
    /// Of a search for access modes.
    pub rewrite: Option<Rewrite>,
    /// Of a search for the smallest factor.
    pub smallest: Option<Smallest>,
}

impl Finding {
    pub fn new(property: impl Into<String>, verdict: Verdict) -> Self {
        Finding {
            property: property.into(),
            wrong: String::new(),
            at: None,
            object: None,
            verdict,
            stats: Stats::default(),
            outcomes: BTreeMap::new(),
            remarks: Vec::new(),
            example: None,
            levels: None,
            rewrite: None,
            smallest: None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    pub states: u64,
    pub executions: u64,
    pub blocked: u64,
    pub clients: u64,
    pub seconds: f64,
    pub peak_bytes: u64,
    pub jobs: u64,
    pub seed: u64,
    /// Counts that only some engines have.
    #[serde(flatten)]
    pub more: BTreeMap<Counter, u64>,
}
