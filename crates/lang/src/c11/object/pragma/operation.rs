//! One operation: how it is called, what it takes, what it answers.

use super::Reader;
use crate::c11::object::signature::Signature;
use crate::c11::pragma::{Form, call, is_name, mentions, parts};
use lineal_model::adt::Kind;
use lineal_model::history::Method;
use lineal_model::object::*;

impl Reader<'_> {
    /// `dequeue = q_deq(&q) -> value, empty if result == -1`.
    pub(super) fn operation(&mut self, form: &Result<Form, String>, object: &Object) -> Option<Operation> {
        let kind = object.kind;
        const FORM: &str = "an operation is: op NAME = FUNCTION(ARGUMENTS) -> value, empty if result == -1";
        let form = match form {
            Ok(form) => form,
            Err(why) => {
                self.error("L0121", why.clone()).help = Some(FORM.into());
                return None;
            }
        };
        let name = &*form.name;
        let Some((function, args, "")) = call(&form.call) else {
            self.error("L0121", format!("`{}` is not a call of a function", form.call)).help =
                Some(FORM.into());
            return None;
        };
        let method = self.method(kind, name)?;
        let arguments: Vec<String> = parts(args).into_iter().map(str::to_string).collect();
        let has = |what: &str| arguments.iter().any(|a| mentions(a, what));
        let takes = Takes {
            value: has("value"),
            key: has("key"),
            prio: has("prio"),
            out: has("out"),
            thread: has("thread"),
        };
        let signature = self.function(function, arguments.len());
        let mut operation = Operation {
            name: name.to_string(),
            method,
            call: self.code(&form.call),
            function: function.to_string(),
            arguments,
            takes,
            ranges: Vec::new(),
            answer: form.answer.clone().map(|a| if a == "value" { "result".into() } else { a }),
            empty_if: form.empty_if.clone(),
            may_fail: form.may_fail,
            spec: None,
        };
        let signature = signature?;
        if let Some(full) = &form.full_if {
            self.full(&mut operation, object, full)?;
        }
        // Who waits says nothing; who tries says how it went, at least by what the function returns.
        let tries = name.contains("try") || object.word.starts_with("try");
        if kind.may_answer(method) && kind.answers(method) && operation.answer.is_none() {
            operation.answer = match (&operation.empty_if, &signature.result) {
                (Some(_), _) => Some("1".into()),
                (None, Some(_)) if tries => Some("result".into()),
                (None, _) if name.contains("try") => {
                    self.error("L0124", format!("`{name}` must say what it answers")).help =
                        Some("add `-> value` for what the function returns, or `-> out`".into());
                    return None;
                }
                (None, _) => None,
            };
        }
        self.fits(&mut operation, kind, &signature)?;
        let fails =
            operation.empty_if.is_some() || (operation.answer.is_some() && kind.tells_success(method));
        if form.may_fail && (!fails || kind == Kind::User) {
            let d =
                self.error("L0124", format!("`{name}` may fail, but has no answer that says that it did"));
            d.help = Some(match kind {
                Kind::User => "let the specification fail too: it may use lineal_choose()".into(),
                _ => {
                    "say which: `empty if …`, `full if …`, or `-> result == 0` for what answers true or false"
                        .into()
                }
            });
            return None;
        }
        Some(operation)
    }

    /// What adds may find no room.
    fn full(&mut self, operation: &mut Operation, object: &Object, full: &str) -> Option<()> {
        let name = &operation.name;
        if !object.kind.is_container() || !object.kind.adds(operation.method) {
            self.error("L0124", format!("`{name}` of this type has no room to run out of")).help =
                Some("`full if …` is for what adds to a queue, stack, deque, bag or pq".into());
            return None;
        }
        if operation.empty_if.is_some() {
            self.error("L0124", format!("`{name}` adds something, so it finds nothing empty")).help =
                Some("leave out `empty if …`".into());
            return None;
        }
        if object.size.is_none() && !operation.may_fail {
            self.error(
                "L0124",
                format!("`{name}` may answer that there is no room, but how much there is, is not said"),
            )
            .help = Some(
                "add `capacity=N` to the object's line, or `, may fail` if it may be full at any time".into(),
            );
            return None;
        }
        operation.empty_if = Some(full.to_string());
        Some(())
    }

    /// What the type asks of the operation, and what its function gives.
    fn fits(&mut self, operation: &mut Operation, kind: Kind, signature: &Signature) -> Option<()> {
        let name = operation.name.clone();
        let may_answer = kind.may_answer(operation.method);
        let answers = answers(kind, operation.method) && !may_answer;
        let full = kind.is_container() && kind.adds(operation.method);
        let may_be_empty = full || may_be_empty(kind, operation.method);
        if kind != Kind::User && !answers && !may_answer && operation.answer.is_some() {
            self.error("L0124", format!("`{name}` of this type answers nothing, but a result is declared"))
                .help = Some("leave out `-> …`; an insertion that may fail is not one this type has".into());
            return None;
        }
        if !may_be_empty && operation.empty_if.is_some() {
            self.error("L0124", format!("`{name}` of this type has no empty answer")).help =
                Some("leave out `empty if …`".into());
            return None;
        }
        if operation.answer.is_none() && (answers || kind == Kind::User) && signature.result.is_some() {
            operation.answer = Some("result".into());
        }
        let uses_result = [&operation.answer, &operation.empty_if]
            .into_iter()
            .flatten()
            .any(|text| mentions(text, "result"));
        if uses_result && signature.result.is_none() {
            self.error(
                "L0124",
                format!("`{}` returns nothing, so `{name}` has no result", operation.function),
            )
            .help = Some("say where the result is: a pointer argument `out`, and `-> out`".into());
            return None;
        }
        let whole = |text: &String| text.trim() == "result";
        let number = [&operation.answer, &operation.empty_if].into_iter().flatten().any(whole);
        if number && signature.result.as_ref().is_some_and(|r| !r.is_scalar) {
            self.error(
                "L0124",
                format!("what `{}` returns is neither a number nor a pointer", operation.function),
            )
            .help = Some("name the member that is the answer: `-> result.value`".into());
            return None;
        }
        if answers && operation.answer.is_none() {
            self.error("L0124", format!("`{name}` must say what it answers")).help =
                Some("add `-> value` for what the function returns, or `-> out`".into());
            return None;
        }
        let uses_out =
            [&operation.answer, &operation.empty_if].into_iter().flatten().any(|t| mentions(t, "out"));
        if uses_out && !operation.takes.out {
            self.error("L0124", format!("`out` is not among the arguments of `{name}`")).help =
                Some("pass it to the function: q_try(&q, out) -> out".into());
            return None;
        }
        if operation.takes.out {
            let place = operation.arguments.iter().position(|a| a == "out");
            let target = place.and_then(|i| signature.params.get(i)).and_then(|p| p.target.clone());
            let Some(target) = target else {
                self.error(
                    "L0124",
                    "`out` must be an argument by itself, where the function takes a pointer to something",
                )
                .help = Some("as in: q_try(&q, out) -> out, empty if result == 0".into());
                return None;
            };
            if !target.is_scalar && operation.answer.as_ref().is_some_and(|a| a.trim() == "out") {
                self.error("L0124", format!("what `{}` stores in `out` is no number", operation.function))
                    .help = Some("name the member that is the answer: `-> out->value`".into());
                return None;
            }
        }
        self.placeholders(operation, kind)?;
        self.ranges(operation, signature);
        Some(())
    }

    /// The type says what an operation takes.
    fn placeholders(&mut self, operation: &Operation, kind: Kind) -> Option<()> {
        use Slot::{Key, Prio, Value};
        let name = &operation.name;
        let (needed, allowed): (&[Slot], &[Slot]) = match (kind, operation.method) {
            (Kind::User, _) => return Some(()),
            // One of them: what is in the set.
            (Kind::Set, _) if operation.takes.value => (&[Value], &[Value]),
            (Kind::Set, _) => (&[Key], &[Key]),
            (Kind::Dictionary, Method::Put) => (&[Key, Value], &[Key, Value]),
            (Kind::Dictionary, _) => (&[Key], &[Key]),
            (Kind::PriorityQueue, Method::Insert) => (&[Prio], &[Prio, Value]),
            (_, Method::Insert | Method::PushFront | Method::PushBack | Method::Write) => {
                (&[Value], &[Value])
            }
            (_, Method::Cas) => (&[Key, Value], &[Key, Value]),
            (_, Method::Add | Method::Subtract) => (&[], &[Value]),
            _ => (&[], &[]),
        };
        if let Some(missing) = needed.iter().find(|s| !operation.takes.has(**s)) {
            let text = format!("`{name}` takes no `{}`", missing.word());
            let help = match operation.method {
                Method::Cas => {
                    "a compare-and-swap takes the value expected as `key` and the new one as `value`".into()
                }
                _ => format!("write `{}` where the checker is to put one", missing.word()),
            };
            self.error("L0124", text).help = Some(help);
            return None;
        }
        let further = Slot::ALL.into_iter().find(|s| operation.takes.has(*s) && !allowed.contains(s));
        if let Some(further) = further {
            let text = format!("`{name}` of this type has no `{}`", further.word());
            self.error("L0124", text).help = Some(match allowed.last() {
                Some(slot) => format!("it takes `{}`", slot.word()),
                None => "it takes nothing; give a constant".into(),
            });
            return None;
        }
        Some(())
    }

    /// Which numbers the placeholders can be.
    fn ranges(&mut self, operation: &mut Operation, signature: &Signature) {
        for slot in Slot::ALL {
            for (argument, param) in operation.arguments.iter().zip(&signature.params) {
                if argument == slot.word()
                    && let Some((low, high)) = param.range
                {
                    operation.ranges.push((slot, low, high));
                }
            }
        }
    }

    fn method(&mut self, kind: Kind, name: &str) -> Option<Method> {
        let (found, words) = match kind {
            Kind::User => (is_name(name).then_some(Method::Custom), "any name"),
            kind => (kind.method(name), kind.words()),
        };
        if found.is_none() {
            self.error("L0122", format!("the type has no operation `{name}`")).help =
                Some(format!("it has {words}"));
        }
        found
    }
}

/// Whether the type asks for an answer.
fn answers(kind: Kind, method: Method) -> bool {
    kind != Kind::User && kind.answers(method)
}

fn may_be_empty(kind: Kind, method: Method) -> bool {
    match kind {
        // A failed removal of a key is often reported as an empty answer.
        Kind::Set | Kind::Dictionary | Kind::TryLock | Kind::RwLock => kind.answers(method),
        Kind::Semaphore | Kind::Barrier => kind.may_answer(method),
        Kind::User => true,
        kind => kind.may_be_empty(method),
    }
}
