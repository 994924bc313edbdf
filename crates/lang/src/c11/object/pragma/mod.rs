//! One `#pragma lineal` line each, and whether they fit together.

mod fact;
mod level;
mod operation;
mod order;

use super::TYPES;
use super::signature::{Signature, Signatures};
use crate::c11::pragma::{Domain, Form, Line, Pragma, call, is_name, mentions, parts};
use crate::quasi::Stated;
pub use level::{level, misfit};
use lineal_model::adt::{First, Kind, Ties};
use lineal_model::history::Method;
use lineal_model::object::*;
use lineal_model::relaxed::relaxed;
use lineal_model::{Diagnostic, Place};
use order::order;

struct Reader<'a> {
    signatures: &'a Signatures,
    /// Operations of the author's own have to say what they mean.
    specified: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// The line being read.
    at: Place,
}

/// The object that the lines declare; `None` when there is none or it cannot be made out.
pub fn object(
    pragmas: &[Pragma],
    signatures: &Signatures,
    specified: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Object> {
    let mut reader = Reader { signatures, specified, diagnostics, at: pragmas.first()?.at.clone() };
    let mut objects = pragmas.iter().filter_map(|p| match &p.line {
        Line::Object(name, rest) => Some((name, rest, &p.at)),
        _ => None,
    });
    let Some((name, rest, at)) = objects.next() else {
        reader.error("L0120", "there are declarations, but no `#pragma lineal object`").help =
            Some(format!("say first what the object is: {TYPES}"));
        return None;
    };
    reader.at = at.clone();
    let mut object = reader.head(name, rest)?;
    for pragma in pragmas {
        reader.at = pragma.at.clone();
        reader.line(&pragma.line, &mut object);
    }
    // These name operations, wherever they stand.
    for pragma in pragmas {
        reader.at = pragma.at.clone();
        match &pragma.line {
            Line::Role(text) => reader.role(text, &mut object),
            Line::Spec(form) => reader.spec(form, &mut object),
            Line::Quasi(stated) => reader.quasi(stated, &mut object),
            Line::Fact(granted, text) => reader.fact(*granted, text, &mut object),
            _ => {}
        }
    }
    reader.at = object.at.clone();
    reader.whole(&object);
    Some(object)
}

impl Reader<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(code, message).at(self.at.clone()));
        self.diagnostics.last_mut().expect("just pushed")
    }

    fn code(&self, text: &str) -> Code {
        Code { text: text.to_string(), at: self.at.clone() }
    }

    /// C to be run, whose functions have to be there.
    fn run(&mut self, text: &str) -> Code {
        if let Some((name, args, _)) = call(text) {
            self.function(name, parts(args).len());
        }
        self.code(text)
    }

    /// `queue level=RI args=independent`.
    fn head(&mut self, name: &str, mut rest: &str) -> Option<Object> {
        let Some(kind) = Kind::of_object(name) else {
            self.error("L0121", format!("`{name}` is no type of objects that Lineal knows")).help =
                Some(format!("the types are {TYPES}"));
            return None;
        };
        let mut object = Object {
            kind,
            word: name.to_string(),
            name: None,
            level: None,
            args: None,
            ties: Ties::Fifo,
            first: First::Min,
            order: None,
            size: None,
            values: None,
            init: Vec::new(),
            thread_init: Vec::new(),
            fini: Vec::new(),
            operations: Vec::new(),
            roles: Vec::new(),
            numbered: false,
            threads_alike: false,
            spec_init: Vec::new(),
            partial_lock: self.signatures.partial_lock,
            quasi: None,
            facts: Vec::new(),
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
            let key = key.trim();
            if (key == "level" && object.level.is_some()) || (key == "args" && object.args.is_some()) {
                self.error("L0121", format!("`{key}` is said twice"));
            }
            match key {
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
                "capacity" | "count" | "parties" => match (size_of(kind), value.parse::<u32>()) {
                    (Some((word, least)), Ok(n)) if word == key && n >= least => {
                        if object.size.replace(n).is_some() {
                            self.error("L0121", format!("`{key}` is said twice"));
                        }
                    }
                    (Some((word, least)), _) if word == key => {
                        self.error(
                            "L0121",
                            format!("`{key}={value}` is not understood: a number from {least} on"),
                        );
                    }
                    _ => {
                        let whose = match key {
                            "capacity" => "a queue, stack, deque, bag or pq",
                            "count" => "a semaphore",
                            _ => "a barrier",
                        };
                        self.error("L0121", format!("only {whose} has `{key}`"));
                    }
                },
                "name" if is_name(value) => object.name = Some(value.to_string()),
                "name" => {
                    self.error("L0121", format!("`{value}` is no name: letters, digits and `_`"));
                }
                "ties" | "first" | "order" if kind != Kind::PriorityQueue => {
                    self.error("L0121", format!("only a priority queue has `{key}`"));
                }
                "order" => match order(value) {
                    Ok(order) => object.order = Some(order),
                    Err(why) => {
                        self.error("L0121", why).help =
                            Some("order=1<3,2<3 says which priorities are below which".into());
                    }
                },
                "ties" | "first" => match (key, value) {
                    ("ties", "fifo") => object.ties = Ties::Fifo,
                    ("ties", "any") => object.ties = Ties::Any,
                    ("first", "min") => object.first = First::Min,
                    ("first", "max") => object.first = First::Max,
                    _ => {
                        self.error("L0121", format!("`{value}` is not understood here")).help =
                            Some("ties=fifo or ties=any, first=min or first=max".into());
                    }
                },
                other => {
                    self.error("L0121", format!("an object has no `{other}`")).help =
                        Some("an object line is: object TYPE level=LEVEL args=CLASS (and name=…; of containers capacity=…, of a pq ties=… first=… order=…, of a semaphore count=…, of a barrier parties=…)".into());
                }
            }
            rest = more.trim_start();
        }
        let missing = match kind {
            Kind::Semaphore => Some("count"),
            Kind::Barrier => Some("parties"),
            _ => None,
        };
        if let Some(word) = missing.filter(|_| object.size.is_none()) {
            let what =
                if word == "count" { "how many permits it starts with" } else { "how many calls meet" };
            self.error("L0121", format!("a {} needs `{word}=N`: {what}", object.word));
        }
        Some(object)
    }

    fn line(&mut self, line: &Line, object: &mut Object) {
        match line {
            // Read elsewhere.
            Line::Object(..) | Line::Role(_) | Line::Spec(_) | Line::Quasi(_) | Line::Fact(..) => {}
            // About logs, or about linearization points, which are not needed.
            Line::ReadOnly(_) | Line::Keys(_) | Line::Values(Domain::Wide) | Line::Point | Line::Race(_) => {}
            Line::Init(text) => {
                let code = self.run(text);
                object.init.push(code);
            }
            Line::Fini(text) => {
                let code = self.run(text);
                object.fini.push(code);
            }
            Line::ThreadInit(text) => {
                let code = self.run(text);
                object.numbered |= mentions(text, "thread");
                object.thread_init.push(code);
            }
            Line::SpecInit(text) => {
                let code = self.run(text);
                if object.kind != Kind::User {
                    self.specified_already(object);
                }
                object.spec_init.push(code);
            }
            Line::Threads(rest) if rest == "alike" => object.threads_alike = true,
            Line::Threads(rest) => {
                self.error("L0121", format!("`threads {rest}` is not understood")).help = Some(
                    "`threads alike` says that only telling threads apart matters, not their numbers".into(),
                );
            }
            Line::Op(form) => {
                if let Some(operation) = self.operation(form, object) {
                    self.add(operation, object);
                }
            }
            Line::Values(Domain::Range(range, text)) => match *range {
                Some((low, high)) if low <= high && i128::from(high) - i128::from(low) < 64 => {
                    if object.values.replace((low, high)).is_some() {
                        self.error("L0121", "`values` is declared twice");
                    }
                }
                _ => {
                    self.error("L0121", format!("`{text}` is no range of values")).help =
                        Some("write both ends, at most 64 values: values 0..3".into());
                }
            },
            Line::Level => self.unknown("level"),
            Line::Unknown(word) => self.unknown(word),
        }
    }

    fn unknown(&mut self, word: &str) {
        self.error("L0121", format!("`#pragma lineal {word}` is unknown")).help = Some(
            "the declarations are object, init, op, quasi, role, thread_init, threads, fini, values, spec, spec_init, lemma, axiom, point and race".into(),
        );
    }

    fn specified_already(&mut self, object: &Object) {
        self.error("L0126", format!("an object of type {} has its own specification", object.word)).help =
            Some("declare `object spec` to give your own".into());
    }

    fn add(&mut self, operation: Operation, object: &mut Object) {
        if let Some(earlier) = object.operations.iter().find(|o| o.name == operation.name) {
            let first = earlier.call.at.clone();
            let d = self.error("L0121", format!("the operation `{}` is declared twice", operation.name));
            d.notes.push(lineal_model::diagnostic::Note { message: "first here".into(), at: Some(first) });
            return;
        }
        object.numbered |= operation.takes.thread;
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

    /// `producer: enqueue, flush max=1`.
    fn role(&mut self, text: &str, object: &mut Object) {
        const FORM: &str = "a role is: role producer: enqueue max=1";
        let Some((name, rest)) = text.split_once(':') else {
            self.error("L0125", "a role needs a name and operations").help = Some(FORM.into());
            return;
        };
        let (list, max) = match rest.split_once("max=") {
            Some((list, max)) => (list, max.trim()),
            None => (rest, "1"),
        };
        let max = match max.parse::<usize>() {
            Ok(n) if n > 0 => n,
            Ok(_) => {
                self.error("L0125", "`max=` of a role is at least 1").help = Some(FORM.into());
                return;
            }
            Err(_) => {
                self.error("L0125", format!("`max={max}` is not understood")).help = Some(FORM.into());
                return;
            }
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

    /// `dequeue=2, {push, pop}=1 literal`.
    fn quasi(&mut self, stated: &Result<Stated, String>, object: &mut Object) {
        if object.quasi.is_some() {
            self.error("L0133", "`quasi` is declared twice").help =
                Some("name all classes on one line, with commas between them".into());
            return;
        }
        let relaxation = match stated {
            Ok(stated) => relaxed(object, &stated.classes, stated.semantics),
            Err(why) => Err((why.clone(), QUASI.into())),
        };
        match relaxation {
            Ok(relaxation) => object.quasi = Some(relaxation.into()),
            Err((why, help)) => self.error("L0133", why).help = Some(help),
        }
    }

    /// `enqueue = s_enq(value)`.
    fn spec(&mut self, form: &Result<Form, String>, object: &mut Object) {
        const FORM: &str = "the specification of an operation is: spec enqueue = s_enq(value)";
        let form = match form {
            Ok(form) => form,
            Err(why) => {
                self.error("L0126", why.clone()).help = Some(FORM.into());
                return;
            }
        };
        let (name, Some((function, args, ""))) = (&form.name, call(&form.call)) else {
            self.error("L0126", format!("`{}` is not a call of a function", form.call)).help =
                Some(FORM.into());
            return;
        };
        if form.answer.is_some() || form.empty_if.is_some() || form.full_if.is_some() || form.may_fail {
            self.error("L0126", "a specification answers as its operation does").help = Some(FORM.into());
            return;
        }
        if object.kind != Kind::User {
            self.specified_already(object);
            return;
        }
        let Some(signature) = self.function(function, parts(args).len()) else { return };
        let code = self.code(&form.call);
        let Some(operation) = object.operations.iter_mut().find(|o| o.name == *name) else {
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
        if object.threads_alike && !object.numbered {
            self.error("L0121", "`threads alike` is said of an object that does not use `thread`").help =
                Some("leave it out: threads have no numbers here".into());
        }
        let keyed = object.kind.is_keyed();
        if keyed && object.args == Some(ArgClass::Independent) {
            self.error(
                "L0127",
                format!("the keys of a {} are compared, so they are not independent", object.word),
            )
            .help = Some("args=equality if keys are only tested for equality, args=order if by size".into());
        }
        let ranked = object.kind == Kind::PriorityQueue;
        if object.order.is_some() && object.values.is_none() {
            self.error("L0127", "the order names priorities, so clients have to use those").help =
                Some("give a finite domain that has them: #pragma lineal values 1..3".into());
        } else if ranked && object.args.is_some_and(|a| a != ArgClass::Order) && object.values.is_none() {
            self.error("L0127", "the priorities of a priority queue are compared by size").help =
                Some("args=order".into());
        }
        if object.kind == Kind::User && self.specified {
            let missing: Vec<Operation> =
                object.operations.iter().filter(|o| o.spec.is_none()).cloned().collect();
            for operation in missing {
                self.at = operation.call.at.clone();
                self.error("L0126", format!("`{}` has no specification", operation.name)).help =
                    Some(format!("add `#pragma lineal spec {} = FUNCTION(ARGUMENTS)`", operation.name));
            }
        }
        let compared = object.kind == Kind::CasRegister;
        if compared && object.args == Some(ArgClass::Independent) && object.values.is_none() {
            self.error("L0127", "a compare-and-swap tests its arguments for equality").help =
                Some("args=equality".into());
        }
        let sums = |o: &Operation| matches!(o.method, Method::Add | Method::Subtract);
        let adds = object.operations.iter().any(|o| sums(o) && o.takes.value);
        if adds && object.values.is_none() {
            self.error("L0127", "a counter computes with what is added").help =
                Some("give a finite domain: #pragma lineal values 1..2".into());
        }
        if let Some(why) = object.level.as_ref().and_then(|level| misfit(level, object)) {
            self.error("L0121", why).help = Some(LEVELS.into());
        }
        if object.kind == Kind::User && object.partial_lock && object.level.is_some() {
            self.error("L0121", "the specification takes a partial lock, and a level is declared too").help =
                Some("leave the level out: the specification's own accesses say what synchronises".into());
            return;
        }
        if object.level.as_ref().is_some_and(Level::is_of_containers) && object.kind == Kind::User {
            self.error("L0121", "a specification of your own has no levels R, RI, RD, RID").help = Some(
                "name the pairs: level=(enqueue->dequeue:value, enqueue->enqueue), or level=none, level=total"
                    .into(),
            );
        }
    }
}

const QUASI: &str = "factors are: quasi dequeue=2, or quasi {push,pop}=1, dequeue->empty=0 literal";
const LEVELS: &str = "level=none, R, RI, RD, RID, total, or pairs of operations: level=(enqueue->dequeue:value, enqueue->enqueue)";
const CLASSES: &str = "args=independent if the code only moves them about, args=equality if it tests them for \
equality, args=order if it compares them by size; or give a finite domain: #pragma lineal values 0..3";

/// The number that a type has, by its word, and the smallest it can be.
fn size_of(kind: Kind) -> Option<(&'static str, u32)> {
    match kind {
        kind if kind.is_container() => Some(("capacity", 1)),
        Kind::Semaphore => Some(("count", 0)),
        Kind::Barrier => Some(("parties", 1)),
        _ => None,
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
