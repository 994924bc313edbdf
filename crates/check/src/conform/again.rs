//! One earlier violation again, from its token.

use super::client::{self, Answer, Found};
use super::object::Clients;
use super::search::{Question, Search};
use super::token::Wrong;
use super::{against, robust, token, witness};
use crate::graph;
use lineal_model::object::{Client, Exhibit};
use lineal_model::{Verdict, Witness, WitnessKind};

/// The violation that a token stands for.
pub fn again<C: Clients>(search: &Search<'_, C>, token: &str) -> Result<(Witness, Exhibit), String> {
    let token::Decoded { client, wrong, execution } = token::decode(token, search.object())?;
    let (mut program, marks) = search.problem.clients.program(&client);
    graph::fits(&execution, search.problem.memory, search.problem.clients.identity(&program))?;
    let other = match wrong {
        Wrong::Unsafe => false,
        Wrong::Order => search.problem.question != Question::Robust,
        Wrong::Calls(_) => search.problem.question != Question::Linearizable,
    };
    if other {
        return Err("the token answers another question".into());
    }
    let found = match wrong {
        Wrong::Unsafe => {
            let options = search.graph_options(&program);
            let memory = search.problem.memory;
            let mut problem = graph::Problem { program: &mut program, memory, options };
            let Verdict::Violated(witness) = graph::replay(&mut problem, &execution)?.verdict else {
                return Err("the token does not lead to its violation in this object".into());
            };
            let replayed = Found::unsafely(*witness);
            met_again(search, &client, &execution).unwrap_or(replayed)
        }
        Wrong::Order => {
            let mut trial = search.trial(&mut program, &marks, &client, false, None);
            let replay = Some(execution);
            robust::again(&mut trial, Witness { replay, ..Witness::new(WitnessKind::Order, "") })?
        }
        Wrong::Calls(violation) => {
            let reference = search.problem.clients.reference(&client).transpose();
            let reference = reference.map_err(|_| "its specification cannot be set up")?;
            let mut trial = search.trial(&mut program, &marks, &client, false, reference);
            match search.problem.clients.against() {
                None => client::again(&mut trial, &execution, violation)?,
                Some(against) => {
                    against::again(&mut trial, against, &execution, violation, search.effort, search.watch)?
                }
            }
        }
    };
    let (witness, exhibit) = witness::of(search, &mut program, &client, &marks, found);
    Ok((Witness { replay: Some(token.trim().to_string()), ..witness }, exhibit))
}

/// The error of this token as the exploration of its client meets it. A token has the steps; what
/// was wrong with them, and where, the exploration knows. `None`: it meets another one first.
fn met_again<C: Clients>(search: &Search<'_, C>, client: &Client, token: &str) -> Option<Found> {
    let (mut program, marks) = search.problem.clients.program(client);
    let tried = search.client(&mut program, &marks, client, true, search.effort, search.watch);
    match tried.answer {
        Answer::Violated(found) => {
            Some(*found).filter(|f| f.judged.is_none() && f.witness.replay.as_deref() == Some(token))
        }
        _ => None,
    }
}
