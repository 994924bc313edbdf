//! A violation as text: which client, what is wrong, and the execution.
//!
//! `check.<violation and client>.<token of the exploration>`. The client is written in numbers:
//! threads are separated by `/`, calls by `,`; a call is its operation, then key, priority and
//! value as far as it has them.

use super::observe::MAX_CALLS;
use crate::graph;
use crate::replay::calls::{Edges, Violation};
use crate::replay::token::{spell as letters, unspell as text};
use lineal_model::Memory;
use lineal_model::object::{Call, Client, Object, Slot};

/// What is wrong with an execution.
pub enum Wrong {
    /// The program itself.
    Unsafe,
    /// What the calls answered or saw.
    Calls(Violation),
    /// Sequential consistency does not have it.
    Order,
}

/// The token of a violation, around that of its execution.
pub fn encode(client: &Client, wrong: Wrong, execution: &str) -> String {
    let violation = match wrong {
        Wrong::Unsafe => "unsafe".to_string(),
        Wrong::Order => "order".into(),
        Wrong::Calls(Violation::Result) => "result".into(),
        Wrong::Calls(Violation::Sync) => "sync".into(),
        Wrong::Calls(Violation::Client(edges)) => {
            format!("client {}", edges.iter().map(|e| e.to_string()).collect::<Vec<_>>().join(","))
        }
    };
    format!("check.{}.{execution}", letters(&format!("{violation}|{}", spell(client))))
}

fn spell(client: &Client) -> String {
    let call = |&c: &usize| {
        let mut call = client.calls[c];
        let mut text = call.operation.to_string();
        for (letter, slot) in [('k', Slot::Key), ('p', Slot::Prio), ('v', Slot::Value)] {
            if let Some(n) = call.slot(slot) {
                text.push_str(&format!("{letter}{n}"));
            }
        }
        text
    };
    let thread = |t: &Vec<usize>| t.iter().map(call).collect::<Vec<_>>().join(",");
    client.threads.iter().map(thread).collect::<Vec<_>>().join("/")
}

/// What [`spell`] was given, its calls numbered as they are written.
fn unspell(text: &str, object: &Object) -> Option<Client> {
    let mut client = Client::default();
    for thread in text.split('/') {
        let mut calls = Vec::new();
        for text in thread.split(',') {
            calls.push(client.calls.len());
            client.calls.push(call(text, object)?);
        }
        client.threads.push(calls);
    }
    (client.calls.len() <= MAX_CALLS).then_some(client)
}

fn call(text: &str, object: &Object) -> Option<Call> {
    let end = text.find(['k', 'p', 'v']).unwrap_or(text.len());
    let operation: usize = text[..end].parse().ok()?;
    let takes = object.operations.get(operation)?.takes;
    let mut call = Call { operation, value: None, key: None, prio: None };
    let mut rest = &text[end..];
    for (letter, slot) in [('k', Slot::Key), ('p', Slot::Prio), ('v', Slot::Value)] {
        let Some(number) = rest.strip_prefix(letter) else { continue };
        let end = number.find(['k', 'p', 'v']).unwrap_or(number.len());
        *call.slot(slot) = Some(number[..end].parse().ok()?);
        rest = &number[end..];
    }
    let fits = Slot::ALL.iter().all(|&slot| call.slot(slot).is_some() == takes.has(slot));
    (fits && rest.is_empty()).then_some(call)
}

/// What a token says.
pub struct Decoded {
    pub client: Client,
    pub wrong: Wrong,
    /// The token of the exploration.
    pub execution: String,
}

/// The memory model a token was made under.
pub fn memory_of(token: &str) -> Result<Memory, String> {
    let (_, execution) = parts(token).ok_or_else(foreign)?;
    graph::memory_of(execution)
}

/// The client and what is wrong with it, in letters, and the token of the exploration.
fn parts(token: &str) -> Option<(&str, &str)> {
    token.trim().strip_prefix("check.")?.split_once('.')
}

fn foreign() -> String {
    "this is not a token of a violation of an object".into()
}

pub fn decode(token: &str, object: &Object) -> Result<Decoded, String> {
    let (spelled, inner) = parts(token).ok_or_else(foreign)?;
    let said = text(spelled).ok_or_else(foreign)?;
    let (violation, client) = said.split_once('|').ok_or_else(foreign)?;
    let other = || "the token belongs to another input".to_string();
    let client = unspell(client, object).ok_or_else(other)?;
    let wrong = match violation.split_once(' ') {
        Some(("client", list)) => {
            let edges: Option<Edges> = list.split(',').map(|n| n.parse().ok()).collect();
            Wrong::Calls(Violation::Client(edges.ok_or_else(foreign)?))
        }
        None if violation == "result" => Wrong::Calls(Violation::Result),
        None if violation == "sync" => Wrong::Calls(Violation::Sync),
        None if violation == "unsafe" => Wrong::Unsafe,
        None if violation == "order" => Wrong::Order,
        _ => return Err(foreign()),
    };
    Ok(Decoded { client, wrong, execution: inner.to_string() })
}
