//! A history as a page: one file that needs nothing else.
//!
//! Rows are processes, boxes are operations from call to return, open-ended where an operation
//! never returned; a line joins the operations in the longest order found. One tab a key, bad
//! ones first. The page draws only what is visible, so a million operations are no burden.

use lineal_model::adt::Object;
use lineal_model::history::{History, Op, ValueId};
use serde_json::{Value, json};
use std::collections::HashSet;

/// One key's history and what is known about it.
#[derive(Clone, Debug)]
pub struct Tab<'a> {
    pub name: String,
    pub history: &'a History,
    /// `holds`, `violated`, `unknown`, or `undecided` if another key was enough.
    pub verdict: &'static str,
    /// The broken rule, or what is covered.
    pub why: String,
    /// Operations in the longest order found, with the state after each.
    pub order: Vec<(u32, String)>,
    pub stuck: Option<u32>,
    /// How many events can be explained.
    pub prefix: Option<u32>,
    /// Operations that are wrong by themselves.
    pub guilty: Vec<u32>,
    /// What could come next, and why it cannot.
    pub failing: Vec<(u32, String)>,
    /// What is not on the page.
    pub note: String,
}

/// The page draws at most so many processes.
const ROWS: usize = 400;

const SHELL: &str = include_str!("page.html");

pub fn render(title: &str, object: &Object, tabs: &[Tab]) -> String {
    let mut tabs: Vec<&Tab> = tabs.iter().collect();
    let rank = |t: &Tab| match t.verdict {
        "violated" => 0,
        "unknown" => 1,
        _ => 2,
    };
    tabs.sort_by_key(|t| rank(t));
    let data = json!({
        "title": title,
        "tabs": tabs.iter().map(|t| tab(t, object)).collect::<Vec<_>>(),
    });
    // A text in the log must not be able to end the script.
    let data = data.to_string().replace('<', "\\u003c");
    let (head, rest) = SHELL.split_once("{{title}}").expect("the shell has a place for the title");
    let (middle, tail) = rest.split_once("{{data}}").expect("the shell has a place for the data");
    [head, &escaped(title), middle, &data, tail].concat()
}

fn tab(tab: &Tab, object: &Object) -> Value {
    let history = tab.history;
    let mut processes: Vec<ValueId> = Vec::new();
    let mut rows = std::collections::HashMap::new();
    for op in history.ops() {
        rows.entry(op.process).or_insert_with(|| {
            processes.push(op.process);
            processes.len() - 1
        });
    }
    if processes.len() > ROWS {
        // Not all of them are drawn: those to look at come first.
        let process = |&op: &u32| history.op(op as usize).process;
        let wanted: HashSet<ValueId> = tab.stuck.iter().chain(&tab.guilty).map(process).collect();
        processes.sort_by_key(|p| !wanted.contains(p));
        rows = processes.iter().zip(0..).map(|(p, n)| (*p, n)).collect();
    }
    let row: Vec<usize> = history.ops().map(|op| rows[&op.process]).collect();
    let returns: Vec<Value> =
        history.returns().iter().map(|&r| if r == Op::PENDING { Value::Null } else { json!(r) }).collect();
    let labels: Vec<String> = history.ops().map(|op| object.show(&op, &history.values)).collect();
    json!({
        "name": tab.name,
        "verdict": tab.verdict,
        "why": tab.why,
        "events": history.events(),
        "processes": processes.iter().map(|p| history.values.show(*p)).collect::<Vec<_>>(),
        "row": row,
        "call": history.calls(),
        "ret": returns,
        "label": labels,
        "line": history.ops().map(|op| op.line).collect::<Vec<_>>(),
        "order": tab.order.iter().map(|o| o.0).collect::<Vec<_>>(),
        "states": tab.order.iter().map(|o| &o.1).collect::<Vec<_>>(),
        "stuck": tab.stuck,
        "prefix": tab.prefix,
        "guilty": tab.guilty,
        "note": tab.note,
        "failing": tab.failing.iter().map(|(op, why)| json!([op, why])).collect::<Vec<_>>(),
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
