//! Answers of every shape, for every operation of every type, in EDN and JSON, as the value or the
//! result of an event and on one line with the call: what an answer says is used, or refused.
//!
//! What each says is decided here a second time, from a table of what operations answer. Values are
//! spelled at random (blanks, commas, the order within maps and sets), which must not matter.
//!
//! `LINEAL_FULL=1` draws fifty times as many, from a fresh seed that is printed (`LINEAL_SEED`).

#[path = "../../check/tests/monitor_support/mod.rs"]
mod monitor_support;

use lineal_lang::history::{Format, Options, load};
use lineal_model::adt::Kind;
use lineal_model::history::{Value, ValueId};
use lineal_sweep::Choices;

fn int(n: i64) -> Value {
    Value::Int(n)
}

fn text(t: &str) -> Value {
    Value::Text(t.into())
}

fn word(t: &str) -> Value {
    Value::Other(t.into())
}

fn yes() -> Value {
    Value::Bool(true)
}

fn list(items: &[&Value]) -> Value {
    Value::List(items.iter().map(|v| (*v).clone()).collect())
}

/// What an operation answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answers {
    Nothing,
    Truth,
    Value,
    ValueOrEmpty,
    Number,
}

/// Type, word, what it takes (at random), what it answers.
fn operations(random: &mut Choices) -> Vec<(Kind, &'static str, Option<Value>, Answers)> {
    use Answers::*;
    let pair = list(&[&int(5), &int(7)]);
    let odd = list(&[&int(5), &yes()]);
    let elements = [int(5), text("x"), word(":a"), pair, odd];
    let one = || elements[0].clone();
    let some = elements[random.below(elements.len())].clone();
    let some = || Some(some.clone());
    vec![
        (Kind::Register, "read", None, Value),
        (Kind::Register, "write", some(), Nothing),
        (Kind::CasRegister, "cas", Some(list(&[&int(3), &int(4)])), Truth),
        (Kind::CasRegister, "cas", Some(list(&[&int(3), &int(3)])), Truth),
        (Kind::Queue, "enqueue", some(), Nothing),
        (Kind::Queue, "dequeue", None, ValueOrEmpty),
        (Kind::Stack, "push", some(), Nothing),
        (Kind::Stack, "pop", None, ValueOrEmpty),
        (Kind::Deque, "push-front", some(), Nothing),
        (Kind::Deque, "push-back", some(), Nothing),
        (Kind::Deque, "pop-front", None, ValueOrEmpty),
        (Kind::Deque, "pop-back", None, ValueOrEmpty),
        (Kind::Bag, "add", some(), Nothing),
        (Kind::Bag, "remove", None, ValueOrEmpty),
        (Kind::Set, "add", some(), Truth),
        (Kind::Set, "remove", some(), Truth),
        (Kind::Set, "contains", some(), Truth),
        (Kind::Map, "get", None, Value),
        (Kind::Map, "put", some(), Nothing),
        (Kind::Map, "append", Some(text("x")), Nothing),
        (Kind::Map, "delete", None, Nothing),
        (Kind::PriorityQueue, "put", Some(list(&[&one(), &int(2)])), Nothing),
        (Kind::PriorityQueue, "rm", None, ValueOrEmpty),
        (Kind::Counter, "add", Some(int(2)), Nothing),
        (Kind::Counter, "read", None, Number),
        (Kind::FetchIncrement, "fai", None, Number),
        (Kind::Mutex, "acquire", None, Nothing),
        (Kind::Mutex, "release", None, Nothing),
    ]
}

/// Something that a log might have there.
fn shape(random: &mut Choices, argument: Option<&Value>, depth: usize) -> Value {
    let truth = Value::Bool(random.chance(50));
    let simple = [
        Value::Nil,
        truth.clone(),
        int(random.below(8) as i64),
        int(-1),
        word("1.5"),
        text(random.pick(&["ok", "empty", "false", "true", "x", "failed"])),
        word(random.pick(&[":ok", ":empty", ":failed", ":false", ":a"])),
    ];
    let part = |random: &mut Choices| shape(random, argument, depth + 1);
    match (random.below(12), argument) {
        (0 | 1, Some(argument)) => argument.clone(),
        (2 | 3, Some(argument)) => list(&[argument, &truth]),
        (4, _) if depth < 2 => {
            let items: Vec<Value> = (0..random.below(4)).map(|_| part(random)).collect();
            Value::List(items.into())
        }
        (5, _) if depth < 2 => list(&[&part(random), &part(random)]),
        (6, _) if depth < 2 => Value::set((0..random.below(3)).map(|_| part(random)).collect()),
        (7, _) if depth < 2 => {
            let keys = ["x", "y", "z"];
            let entries = (0..random.below(4)).map(|i| (text(keys[i % 3]), part(random))).collect();
            Value::map(entries).unwrap_or(Value::Nil)
        }
        _ => simple[random.below(simple.len())].clone(),
    }
}

/// `None`: JSON has no such value.
fn spelled(value: &Value, json: bool, random: &mut Choices) -> Option<String> {
    let gap = |random: &mut Choices| match json {
        true => random.pick(&[",", ", ", " , "]),
        false => random.pick(&[" ", ", ", ",", "  "]),
    };
    let row = |items: &[Value], random: &mut Choices| -> Option<String> {
        let mut out = String::new();
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                out += gap(random);
            }
            out += &spelled(item, json, random)?;
        }
        Some(out)
    };
    let shuffled = |n: usize, random: &mut Choices| {
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).for_each(|i| order.swap(i, random.below(i + 1)));
        order
    };
    Some(match value {
        Value::Nil => {
            if json {
                "null".into()
            } else {
                "nil".into()
            }
        }
        Value::Text(t) => format!("\"{t}\""),
        Value::Other(t) if t.starts_with(':') && json => return None,
        Value::Other(t) if &**t == "1.5" => random.pick(&["1.5", "1.50", "15e-1"]).into(),
        Value::List(items) => format!("[{}]", row(items, random)?),
        Value::Set(_) if json => return None,
        Value::Set(items) => {
            let order = shuffled(items.len(), random);
            let items: Vec<Value> = order.iter().map(|&i| items[i].clone()).collect();
            format!("#{{{}}}", row(&items, random)?)
        }
        Value::Map(entries) => {
            let mut out = Vec::new();
            for i in shuffled(entries.len(), random) {
                let (key, value) = (&entries[i].0, spelled(&entries[i].1, json, random)?);
                out.push(format!("{key}{}{value}", if json { ":" } else { " " }));
            }
            format!("{{{}}}", out.join(gap(random)))
        }
        other => other.to_string(),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An event, the answer in its value or its result.
    Event { json: bool, result: bool },
    /// A whole operation.
    Line { result: bool },
}

/// What the log of one operation should come to: its answer (and a priority), or nothing at all.
fn expected(
    (kind, f, argument, answers): &(Kind, &str, Option<Value>, Answers),
    form: Form,
    said: &Value,
) -> Option<(Value, Value)> {
    let apart = matches!(form, Form::Event { result: true, .. } | Form::Line { result: true });
    let plain = |v: Value| Some((v, Value::None));
    let again = !apart && argument.as_ref() == Some(said);
    let is = |w: &str| *said == text(w) || *said == word(&format!(":{w}"));
    match answers {
        Answers::Nothing => {
            let done = *said == Value::Nil || is("ok") || (*said == Value::Bool(true) && *f != "delete");
            // A priority need not be repeated.
            let value = match (kind, argument) {
                (Kind::PriorityQueue, Some(Value::List(pair))) => !apart && pair[0] == *said,
                _ => false,
            };
            (done || again || value).then_some((Value::None, Value::None))
        }
        Answers::Truth => {
            let behind = match (said, argument) {
                (Value::List(both), Some(argument)) if !apart && both.len() == 2 && both[0] == *argument => {
                    Some(&both[1]).filter(|b| matches!(b, Value::Bool(_)))
                }
                _ => None,
            };
            let unsaid = *said == Value::Nil || again;
            match (said, behind, *f) {
                (_, _, "contains") if unsaid => None,
                (_, _, "cas") if unsaid => match form {
                    Form::Event { .. } => plain(Value::Bool(true)),
                    Form::Line { .. } => None,
                },
                _ if unsaid => plain(Value::None),
                (Value::Bool(b), ..) => plain(Value::Bool(*b)),
                (_, Some(b), _) => plain(b.clone()),
                _ => None,
            }
        }
        Answers::ValueOrEmpty if *said == Value::Nil || is("empty") => plain(Value::Empty),
        Answers::ValueOrEmpty | Answers::Value => match (kind, said) {
            (Kind::PriorityQueue, Value::List(pair)) if pair.len() == 2 => match &pair[1] {
                Value::Int(n) => Some((pair[0].clone(), int(*n))),
                _ => plain(said.clone()),
            },
            _ => plain(said.clone()),
        },
        Answers::Number => matches!(said, Value::Int(_)).then(|| (said.clone(), Value::None)),
    }
}

fn log(
    (kind, f, argument, _): &(Kind, &str, Option<Value>, Answers),
    form: Form,
    said: &str,
    random: &mut Choices,
) -> Option<String> {
    let json = !matches!(form, Form::Event { json: false, .. });
    let nothing = if json { "null" } else { "nil" };
    let given = match argument {
        Some(argument) => spelled(argument, json, random)?,
        None => nothing.into(),
    };
    let key = match (kind, json) {
        (Kind::Map, true) => ",\"key\":1",
        (Kind::Map, false) => " :key 1",
        _ => "",
    };
    Some(match form {
        Form::Event { json: false, result } => {
            let answer = match result {
                true => format!(":value {} :result {said}", random.pick(&["nil", &*given])),
                false => format!(":value {said}"),
            };
            format!(
                "{{:process 0 :type :invoke :f :{f}{key} :value {given}}}\n{{:process 0 :type :ok :f :{f}{key} {answer}}}\n"
            )
        }
        Form::Event { json: true, result } => {
            let answer = match result {
                true => format!("\"value\":{},\"result\":{said}", random.pick(&["null", &*given])),
                false => format!("\"value\":{said}"),
            };
            format!(
                "{{\"process\":0,\"type\":\"invoke\",\"f\":\"{f}\"{key},\"value\":{given}}}\n\
                 {{\"process\":0,\"type\":\"ok\",\"f\":\"{f}\"{key},{answer}}}\n"
            )
        }
        Form::Line { result } => {
            let answer = match result {
                true => format!("\"value\":{given},\"result\":{said}"),
                false => format!("\"value\":{said}"),
            };
            format!("{{\"process\":0,\"f\":\"{f}\"{key},{answer},\"call\":1,\"return\":2}}\n")
        }
    })
}

#[test]
fn what_an_answer_says_is_used_or_refused() {
    let full = lineal_sweep::full();
    let seed = lineal_sweep::seed(18);
    let mut random = Choices::new(seed);
    let forms = [
        Form::Event { json: false, result: false },
        Form::Event { json: false, result: true },
        Form::Event { json: true, result: false },
        Form::Event { json: true, result: true },
        Form::Line { result: true },
        Form::Line { result: false },
    ];
    let (mut used, mut refused) = (0, 0);
    for _ in 0..if full { 20_000 } else { 400 } {
        for operation in operations(&mut random) {
            let (kind, _, argument, answers) = &operation;
            let form = random.pick(&forms);
            // On one line, the value of an operation that takes one is that.
            if form == (Form::Line { result: false }) && (argument.is_some() || *answers == Answers::Nothing)
            {
                continue;
            }
            let said = shape(&mut random, argument.as_ref(), 0);
            let json = form != Form::Event { json: false, result: false }
                && form != Form::Event { json: false, result: true };
            let Some(spelling) = spelled(&said, json, &mut random) else { continue };
            let Some(log) = log(&operation, form, &spelling, &mut random) else { continue };
            let format = if json { Format::JsonLines } else { Format::Edn };
            let loaded = load(&mut log.as_bytes(), "log", Some(format), &Options::new(*kind));
            let want = expected(&operation, form, &said);
            let case = || format!("{operation:?}, {form:?}, seed {seed}: {said}\n{log}");
            match (loaded, want) {
                (Err(found), None) => {
                    assert!(found.iter().all(|d| d.code.starts_with("L03")), "{found:?}");
                    refused += 1;
                }
                (Ok(loaded), Some((answer, rank))) => {
                    let history = &loaded.history;
                    assert_eq!(history.len(), 1, "{}", case());
                    let op = history.op(0);
                    assert_eq!(history.values.value(op.result), answer, "{}", case());
                    if *answers != Answers::Nothing && *answers != Answers::Truth {
                        assert_eq!(history.values.value(op.extra), rank, "{}", case());
                    }
                    let ranked = *kind == Kind::PriorityQueue || operation.1 == "cas";
                    let took = match argument {
                        Some(Value::List(pair)) if ranked => pair[0].clone(),
                        Some(argument) => argument.clone(),
                        None => Value::None,
                    };
                    assert_eq!(history.values.value(op.arg), took, "{}", case());
                    assert!(op.key == ValueId::NONE || *kind == Kind::Map);
                    used += 1;
                }
                (Ok(loaded), None) => {
                    let op = loaded.history.op(0);
                    panic!("read as {op:?}, should be refused: {}", case())
                }
                (Err(found), Some(want)) => panic!("{found:?}, should be {want:?}: {}", case()),
            }
        }
    }
    println!("seed {seed}: {used} answers used, {refused} refused");
    assert!(used > 1000 && refused > 1000);
}
