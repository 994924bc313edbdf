//! Bags, and the rule every container shares: a value leaves after it came.
//!
//! Values of a bag do not constrain each other. Put each value's add at the end and its remove at
//! the start of its own operation: then it is inside just during its core, so beyond this rule
//! only empty removes can fail (see [`super::empty`]).

use super::lives::Lives;
use super::{Bug, Conflict, seeded};
use lineal_model::adt::Object;
use lineal_model::history::History;

pub fn check(lives: &Lives, history: &History, object: &Object) -> Option<Conflict> {
    if seeded::active(Bug::BagForgetsOrder) {
        return None;
    }
    let early = (0..lives.len()).find(|&n| lives.rr[n] < lives.ca[n])?;
    let show = |op: u32| object.show(&history.op(op as usize), &history.values);
    let why = format!("{} returned before {} was called", show(lives.remove[early]), show(lives.add[early]));
    Some(Conflict::new([lives.add[early], lives.remove[early]], why))
}
