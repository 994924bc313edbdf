//! Which relaxations mean something for an object whose clients are made up.

use crate::adt::Kind;
use crate::adt::quasi::{Answered, Listed, Member, Operations, Relaxation, Semantics, relax};
use crate::history::{Method, Value};
use crate::object::{Object, Operation};

/// The relaxation of an object that is meant. An error is a message, and what to do instead.
pub fn relaxed(
    object: &Object,
    listed: &[Listed],
    semantics: Semantics,
) -> Result<Relaxation, (String, String)> {
    let named: Vec<(String, Method)> = object.operations.iter().map(|o| (o.name.clone(), o.method)).collect();
    let relaxation = relax(listed, semantics, &Operations::Named(object.kind, &named))?;
    let refuse = |why: &str, help: &str| Err((why.to_string(), help.to_string()));
    if object.kind == Kind::User && object.partial_lock {
        let why = "the specification takes a partial lock, so its accesses go with its order of calls";
        return refuse(why, "relax a specification without a partial lock");
    }
    if object.size.is_some() || object.operations.iter().any(|o| o.may_fail) {
        let why = "what has a capacity, or operations that may fail, is not relaxed";
        return refuse(why, "leave `capacity=` and `may fail` out, or the factors");
    }
    let tells =
        |o: &Operation| object.kind == Kind::Counter && o.method != Method::Read && o.answer.is_some();
    if object.operations.iter().any(tells) {
        let why = "a counter whose additions answer is not relaxed";
        return refuse(why, "leave their answers out: `op inc = f()`, without `-> …`");
    }
    // Elements are told apart by the call that put them there, and other arguments stand for many.
    let number = |m: &Member| matches!(m.answer, Answered::Exactly(Value::Int(_)));
    let vague = object.kind.is_container() || (object.args.is_some() && object.values.is_none());
    if vague && relaxation.classes.iter().flat_map(|c| &c.members).any(number) {
        let why = "a class names a number, and the numbers that are drawn here stand for any others";
        return refuse(why, "leave the answer out; or draw from a range: #pragma lineal values 0..3");
    }
    // Names of one operation of the type stand and fall together.
    for (name, method) in named.iter().filter(|_| object.kind != Kind::User) {
        let is_listed = listed.iter().flat_map(|l| &l.members).any(|m| m.operation == *name);
        let lists = |c: &crate::adt::quasi::Class| c.members.iter().any(|m| m.method == *method);
        if !is_listed && relaxation.classes.iter().any(lists) {
            let why = format!(
                "`{name}` is the same operation of a {} as another that is listed",
                object.kind.word()
            );
            return refuse(&why, "put both into one class: {a,b}=1");
        }
    }
    Ok(relaxation)
}
