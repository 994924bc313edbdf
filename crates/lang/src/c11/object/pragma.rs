//! One `#pragma lineal` line each, and whether they fit together.

use super::signature::{Signature, Signatures};
use super::text::{call, cut, is_name, mentions, parts};
use super::{TYPES, kind};
use lineal_model::adt::Kind;
use lineal_model::history::Method;
use lineal_model::object::*;
use lineal_model::{Diagnostic, Place};

struct Reader<'a> {
    signatures: &'a Signatures,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The line being read.
    at: Place,
}

/// The object that the lines declare; `None` when there is none or it cannot be made out.
pub fn object(
    pragmas: &[(String, Place)],
    signatures: &Signatures,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Object> {
    let (_, first) = pragmas.first()?;
    let mut reader = Reader { signatures, diagnostics, at: first.clone() };
    let mut objects = pragmas.iter().filter(|(text, _)| word(text).0 == "object");
    let Some((text, at)) = objects.next() else {
        reader.error("L0120", "there are declarations, but no `#pragma lineal object`").help =
            Some(format!("say first what the object is: {TYPES}"));
        return None;
    };
    reader.at = at.clone();
    let mut object = reader.head(word(text).1)?;
    if let Some((_, again)) = objects.next() {
        reader.at = again.clone();
        let first = object.at.clone();
        let d = reader.error("L0121", "an object is declared twice");
        d.notes.push(lineal_model::diagnostic::Note { message: "first here".into(), at: Some(first) });
        d.help = Some("check one object at a time; leave the other out with `#ifdef`".into());
    }
    for (text, at) in pragmas {
        reader.at = at.clone();
        reader.line(text, &mut object);
    }
    for (text, at) in pragmas.iter().filter(|(text, _)| word(text).0 == "role") {
        reader.at = at.clone();
        reader.role(word(text).1, &mut object);
    }
    for (text, at) in pragmas.iter().filter(|(text, _)| word(text).0 == "spec") {
        reader.at = at.clone();
        reader.spec(word(text).1, &mut object);
    }
    reader.at = object.at.clone();
    reader.whole(&object);
    Some(object)
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

impl Reader<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(code, message).at(self.at.clone()));
        self.diagnostics.last_mut().expect("just pushed")
    }

    fn code(&self, text: &str) -> Code {
        Code { text: text.trim_end_matches(';').trim().to_string(), at: self.at.clone() }
    }

    /// `queue level=RI args=independent`.
    fn head(&mut self, text: &str) -> Option<Object> {
        let (name, mut rest) = word(text);
        let Some(kind) = kind(name) else {
            self.error("L0121", format!("`{name}` is no type of objects that Lineal knows")).help =
                Some(format!("the types are {TYPES}"));
            return None;
        };
        let mut object = Object {
            kind,
            word: name.to_string(),
            level: None,
            args: None,
            values: None,
            init: Vec::new(),
            thread_init: Vec::new(),
            fini: Vec::new(),
            operations: Vec::new(),
            roles: Vec::new(),
            spec_init: Vec::new(),
            partial_lock: self.signatures.partial_lock,
            at: self.at.clone(),
        };
        while !rest.is_empty() {
            let Some((key, value)) = rest.split_once('=') else {
                self.error("L0121", format!("`{rest}` is not understood here")).help =
                    Some("an object line is: object TYPE level=LEVEL args=CLASS".into());
                break;
            };
            let value = value.trim_start();
            let end = match value.strip_prefix('(') {
                Some(_) => value.find(')').map_or(value.len(), |i| i + 1),
                None => value.find(char::is_whitespace).unwrap_or(value.len()),
            };
            let (value, more) = value.split_at(end);
            match key.trim() {
                "level" => match level(value) {
                    Ok(level) => object.level = Some(level),
                    Err(why) => {
                        self.error("L0121", why).help = Some(LEVELS.into());
                    }
                },
                "args" => match value {
                    "independent" => object.args = Some(ArgClass::Independent),
                    "equality" => object.args = Some(ArgClass::Equality),
                    "order" => object.args = Some(ArgClass::Order),
                    _ => {
                        self.error("L0121", format!("`{value}` is no class of arguments")).help =
                            Some(CLASSES.into());
                    }
                },
                other => {
                    self.error("L0121", format!("an object has no `{other}`")).help =
                        Some("an object line is: object TYPE level=LEVEL args=CLASS".into());
                }
            }
            rest = more.trim_start();
        }
        Some(object)
    }

    fn line(&mut self, text: &str, object: &mut Object) {
        let (key, rest) = word(text);
        match key {
            "object" | "role" | "spec" | "point" => {}
            "init" | "thread_init" | "fini" | "spec_init" => {
                let code = self.code(rest);
                if let Some((name, args, _)) = call(&code.text) {
                    self.function(name, parts(args).len());
                }
                match key {
                    "init" => object.init.push(code),
                    "fini" => object.fini.push(code),
                    "spec_init" => object.spec_init.push(code),
                    _ => object.thread_init.push(code),
                }
            }
            "op" => {
                if let Some(operation) = self.operation(rest, object.kind) {
                    self.add(operation, object);
                }
            }
            "values" => match rest.split_once("..").map(|(a, b)| (a.trim().parse(), b.trim().parse())) {
                Some((Ok(low), Ok(high))) if low <= high && high - low < 64 => {
                    object.values = Some((low, high));
                }
                _ => {
                    self.error("L0121", format!("`{rest}` is no range of values")).help =
                        Some("write both ends, at most 64 values: values 0..3".into());
                }
            },
            other => {
                self.error("L0121", format!("`#pragma lineal {other}` is unknown")).help = Some(
                    "the declarations are object, init, op, role, thread_init, fini, values, spec, spec_init and point".into(),
                );
            }
        }
    }

    fn add(&mut self, operation: Operation, object: &mut Object) {
        if let Some(earlier) = object.operations.iter().find(|o| o.name == operation.name) {
            let first = earlier.call.at.clone();
            let d = self.error("L0121", format!("the operation `{}` is declared twice", operation.name));
            d.notes.push(lineal_model::diagnostic::Note { message: "first here".into(), at: Some(first) });
            return;
        }
        object.operations.push(operation);
    }

    /// The function, if it is there and takes so many arguments.
    fn function(&mut self, name: &str, count: usize) -> Option<Signature> {
        let Some(signature) = self.signatures.functions.get(name).cloned() else {
            let near = self.signatures.functions.keys().min_by_key(|f| distance(f, name)).cloned();
            let d = self.error("L0122", format!("there is no function `{name}` in the files given"));
            d.help = near.filter(|f| distance(f, name) <= 3).map(|f| format!("there is `{f}`"));
            return None;
        };
        let wanted = signature.params.len();
        if count < wanted || (count > wanted && !signature.variadic) {
            let s = if wanted == 1 { "" } else { "s" };
            self.error("L0123", format!("`{name}` takes {wanted} argument{s}, and is given {count} here"));
            return None;
        }
        Some(signature)
    }

    /// `dequeue = q_deq(&q) -> value, empty if result == -1`.
    fn operation(&mut self, text: &str, kind: Type) -> Option<Operation> {
        const FORM: &str = "an operation is: op NAME = FUNCTION(ARGUMENTS) -> value, empty if result == -1";
        let Some((name, rest)) = text.split_once('=').map(|(a, b)| (a.trim(), b.trim())) else {
            self.error("L0121", "an operation needs a name and a call").help = Some(FORM.into());
            return None;
        };
        let Some((function, args, tail)) = call(rest) else {
            self.error("L0121", format!("`{rest}` is not a call of a function")).help = Some(FORM.into());
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
            call: self.code(&rest[..rest.len() - tail.len()]),
            function: function.to_string(),
            arguments,
            takes,
            answer: None,
            empty_if: None,
            spec: None,
        };
        self.answer(tail, &mut operation)?;
        let signature = signature?;
        self.fits(&mut operation, kind, &signature)?;
        Some(operation)
    }

    /// `-> value, empty if result == -1`.
    fn answer(&mut self, tail: &str, operation: &mut Operation) -> Option<()> {
        let mut clauses = parts(tail).into_iter().peekable();
        if let Some(first) = clauses.peek()
            && let Some(answer) = first.strip_prefix("->")
        {
            let answer = answer.trim();
            if answer.is_empty() {
                self.error("L0121", "`->` must be followed by what the operation answers").help = Some(
                    "`-> value` for what the function returns, `-> out` for what it stores there".into(),
                );
                return None;
            }
            operation.answer = Some(if answer == "value" { "result".into() } else { answer.to_string() });
            clauses.next();
        }
        for clause in clauses.filter(|c| !c.is_empty()) {
            match clause.strip_prefix("empty if") {
                Some(condition) if !condition.trim().is_empty() => {
                    operation.empty_if = Some(condition.trim().to_string());
                }
                _ => {
                    self.error("L0121", format!("`{clause}` is not understood here")).help =
                        Some("after the call: -> value, empty if result == -1".into());
                    return None;
                }
            }
        }
        Some(())
    }

    /// What the type asks of the operation, and what its function gives.
    fn fits(&mut self, operation: &mut Operation, kind: Type, signature: &Signature) -> Option<()> {
        let name = operation.name.clone();
        let answers = answers(kind, operation.method);
        let may_be_empty = may_be_empty(kind, operation.method);
        if kind != Type::Spec && !answers && operation.answer.is_some() {
            self.error("L0124", format!("`{name}` of this type answers nothing, but a result is declared"))
                .help = Some("leave out `-> …`; an insertion that may fail is not one this type has".into());
            return None;
        }
        if !may_be_empty && operation.empty_if.is_some() {
            self.error("L0124", format!("`{name}` of this type has no empty answer")).help =
                Some("leave out `empty if …`".into());
            return None;
        }
        if operation.answer.is_none() && (answers || kind == Type::Spec) && signature.result.is_some() {
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
        if uses_result && signature.result.as_ref().is_some_and(|r| !r.is_scalar) {
            self.error(
                "L0124",
                format!("what `{}` returns is neither a number nor a pointer", operation.function),
            );
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
            if target.is_none() {
                self.error(
                    "L0124",
                    "`out` must be an argument by itself, where the function takes a pointer to a number",
                )
                .help = Some("as in: q_try(&q, out) -> out, empty if result == 0".into());
                return None;
            }
        }
        let missing = match (kind, operation.method) {
            (Type::Known(Kind::PriorityQueue), Method::Insert) if !operation.takes.prio => Some("prio"),
            (Type::Dictionary, _) if !operation.takes.key => Some("key"),
            (Type::Known(Kind::Set), _) if !operation.takes.key && !operation.takes.value => Some("key"),
            (Type::Known(Kind::PriorityQueue), _) => None,
            (Type::Spec, _) => None,
            (_, Method::Insert | Method::PushFront | Method::PushBack | Method::Write | Method::Put)
                if !operation.takes.value && !operation.takes.key =>
            {
                Some("value")
            }
            _ => None,
        };
        if let Some(missing) = missing {
            self.error("L0124", format!("`{name}` takes no `{missing}`")).help =
                Some(format!("write `{missing}` where the checker is to put one"));
            return None;
        }
        Some(())
    }

    fn method(&mut self, kind: Type, name: &str) -> Option<Method> {
        let (found, words) = match kind {
            Type::Known(kind) => (kind.method(name), kind.words()),
            Type::TryLock => {
                let found = match name {
                    "acquire" | "trylock" | "try_lock" | "try-lock" | "lock" => Some(Method::Acquire),
                    "release" | "unlock" => Some(Method::Release),
                    _ => None,
                };
                (found, "acquire, release")
            }
            Type::Dictionary => {
                let found = match name {
                    "put" => Some(Method::Put),
                    "get" => Some(Method::Read),
                    "remove" | "delete" => Some(Method::Remove),
                    "contains" => Some(Method::Contains),
                    _ => None,
                };
                (found, "put, get, remove, contains")
            }
            Type::Spec => (is_name(name).then_some(Method::Custom), "any name"),
        };
        if found.is_none() {
            self.error("L0122", format!("the type has no operation `{name}`")).help =
                Some(format!("it has {words}"));
        }
        found
    }

    /// `producer: enqueue, flush max=1`.
    fn role(&mut self, text: &str, object: &mut Object) {
        const FORM: &str = "a role is: role producer: enqueue max=1";
        let Some((name, rest)) = text.split_once(':') else {
            self.error("L0125", "a role needs a name and operations").help = Some(FORM.into());
            return;
        };
        let (list, max) = match rest.split_once("max=") {
            Some((list, max)) => (list, max.trim().parse::<usize>().ok().filter(|&n| n > 0)),
            None => (rest, Some(1)),
        };
        let Some(max) = max else {
            self.error("L0125", "`max=` of a role is at least 1").help = Some(FORM.into());
            return;
        };
        let mut operations = Vec::new();
        for word in list.split([',', ' ']).filter(|w| !w.is_empty()) {
            let Some(op) = object.operations.iter().position(|o| o.name == word) else {
                self.error("L0125", format!("the role names `{word}`, which is no operation of the object"));
                return;
            };
            if let Some(other) = object.roles.iter().find(|r| r.operations.contains(&op)) {
                let (first, other) = (other.at.clone(), other.name.clone());
                let d =
                    self.error("L0125", format!("`{word}` has two roles, `{other}` and `{}`", name.trim()));
                d.notes.push(lineal_model::diagnostic::Note { message: "the other".into(), at: Some(first) });
                d.help = Some("an operation has one role: whoever may call it".into());
                return;
            }
            operations.push(op);
        }
        if operations.is_empty() {
            self.error("L0125", "a role without operations").help = Some(FORM.into());
            return;
        }
        object.roles.push(Role { name: name.trim().into(), operations, max, at: self.at.clone() });
    }

    /// `enqueue = s_enq(value)`.
    fn spec(&mut self, text: &str, object: &mut Object) {
        const FORM: &str = "the specification of an operation is: spec enqueue = s_enq(value)";
        let parsed =
            text.split_once('=').and_then(|(name, rest)| Some((name.trim(), call(rest)?, rest.trim())));
        let Some((name, (function, args, tail), rest)) = parsed else {
            self.error("L0126", "a specification needs an operation and a call").help = Some(FORM.into());
            return;
        };
        if !tail.is_empty() {
            self.error("L0126", format!("`{tail}` is not understood here")).help =
                Some("the specification answers as its operation does".into());
            return;
        }
        if object.kind != Type::Spec {
            self.error("L0126", format!("an object of type {} has its own specification", object.word))
                .help = Some("declare `object spec` to give your own".into());
            return;
        }
        let Some(signature) = self.function(function, parts(args).len()) else { return };
        let code = self.code(rest);
        let Some(operation) = object.operations.iter_mut().find(|o| o.name == name) else {
            self.error("L0126", format!("`{name}` is no operation of the object"));
            return;
        };
        if operation.answer.is_some() && signature.result.is_none() {
            self.error("L0126", format!("`{function}` returns nothing, but `{name}` answers something"));
            return;
        }
        operation.spec = Some(code);
    }

    /// What only all lines together can say.
    fn whole(&mut self, object: &Object) {
        if object.operations.is_empty() && self.diagnostics.is_empty() {
            self.error("L0120", "the object has no operations").help =
                Some("add `#pragma lineal op NAME = FUNCTION(ARGUMENTS)` for each".into());
        }
        if object.args.is_none()
            && object.values.is_none()
            && object.operations.iter().any(|o| o.takes.anything())
        {
            self.error("L0127", "nothing says what the code does with its arguments").help =
                Some(CLASSES.into());
        }
        let keyed = matches!(object.kind, Type::Known(Kind::Set) | Type::Dictionary);
        if keyed && object.args == Some(ArgClass::Independent) {
            self.error(
                "L0127",
                format!("the keys of a {} are compared, so they are not independent", object.word),
            )
            .help = Some("args=equality if keys are only tested for equality, args=order if by size".into());
        }
        let ranked = object.kind == Type::Known(Kind::PriorityQueue);
        if ranked && object.args.is_some_and(|a| a != ArgClass::Order) && object.values.is_none() {
            self.error("L0127", "the priorities of a priority queue are compared by size").help =
                Some("args=order".into());
        }
        if object.kind == Type::Spec {
            let missing: Vec<Operation> =
                object.operations.iter().filter(|o| o.spec.is_none()).cloned().collect();
            for operation in missing {
                self.at = operation.call.at.clone();
                self.error("L0126", format!("`{}` has no specification", operation.name)).help =
                    Some(format!("add `#pragma lineal spec {} = FUNCTION(ARGUMENTS)`", operation.name));
            }
        }
        if let Some(Level::Pairs(pairs)) = &object.level {
            for pair in pairs {
                for name in [&pair.from, &pair.to] {
                    if !object.operations.iter().any(|o| o.name == *name) {
                        self.error(
                            "L0121",
                            format!("the level names `{name}`, which is no operation of the object"),
                        );
                    }
                }
            }
        }
        if object.kind == Type::Spec && object.partial_lock && object.level.is_some() {
            self.error("L0121", "the specification takes a partial lock, and a level is declared too").help =
                Some("leave the level out: the specification's own accesses say what synchronises".into());
            return;
        }
        if matches!(object.level, Some(Level::R | Level::Ri | Level::Rid)) && object.kind == Type::Spec {
            self.error("L0121", "a specification of your own has no levels R, RI, RID").help = Some(
                "name the pairs: level=(enqueue->dequeue:value, enqueue->enqueue), or level=none".into(),
            );
        }
    }
}

const LEVELS: &str =
    "level=none, R, RI, RID, or pairs of operations: level=(enqueue->dequeue:value, enqueue->enqueue)";
const CLASSES: &str = "args=independent if the code only moves them about, args=equality if it tests them for \
equality, args=order if it compares them by size; or give a finite domain: #pragma lineal values 0..3";

/// Reads a level as written in a pragma or after `--level`.
pub fn level(text: &str) -> Result<Level, String> {
    match text {
        "none" | "None" => return Ok(Level::None),
        "R" | "r" => return Ok(Level::R),
        "RI" | "ri" => return Ok(Level::Ri),
        "RID" | "rid" => return Ok(Level::Rid),
        _ => {}
    }
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let Some(inner) = inner else { return Err(format!("`{text}` is no level of synchronisation")) };
    let mut pairs = Vec::new();
    for part in inner.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (names, via) = part.split_once(':').unwrap_or((part, ""));
        let via = match via.trim() {
            "" => Via::Last,
            "value" => Via::Element,
            "key" => Via::Key,
            other => return Err(format!("`:{other}` is not understood: it is `:value` or `:key`")),
        };
        let Some((from, to)) = cut(names, "->").filter(|(a, b)| !a.is_empty() && !b.is_empty()) else {
            return Err(format!("`{part}` is no pair of operations"));
        };
        pairs.push(Pair { from: from.into(), to: to.into(), via, text: part.into() });
    }
    Ok(Level::Pairs(pairs))
}

fn answers(kind: Type, method: Method) -> bool {
    match kind {
        Type::Known(kind) => kind.answers(method),
        Type::TryLock => method == Method::Acquire,
        Type::Dictionary => method != Method::Put,
        Type::Spec => false,
    }
}

fn may_be_empty(kind: Type, method: Method) -> bool {
    match kind {
        // A failed removal of a key is often reported as an empty answer.
        Type::Known(Kind::Set) | Type::Dictionary => answers(kind, method),
        Type::Known(kind) => kind.may_be_empty(method),
        Type::TryLock => method == Method::Acquire,
        Type::Spec => true,
    }
}

/// How many letters differ, roughly.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}
