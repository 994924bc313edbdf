//! Random histories of every type, with values of every shape, written in every format and read
//! again: the same operations in the same order, so the same verdict; and once more through another
//! format. What a format cannot hold is refused, and EDN and JSON lines hold everything.
//!
//! `LINEAL_FULL=1` draws fifty times as many, from a fresh seed that is printed (`LINEAL_SEED`).

#[path = "../../check/tests/monitor_support/mod.rs"]
mod monitor_support;

use lineal_check::monitor::{self, Problem};
use lineal_lang::history::{Format, Options, fits, load, start, write};
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{Builder, Call, History, Method, Op, Value, ValueId, Values};
use lineal_model::{Effort, Unwatched};
use lineal_sweep::Choices;
use monitor_support::{draft, subjects};
use std::collections::BTreeMap;

fn text(t: &str) -> Value {
    Value::Text(t.into())
}

fn word(t: &str) -> Value {
    Value::Other(t.into())
}

fn list(items: &[Value]) -> Value {
    Value::List(items.into())
}

/// Values that one format or another might confuse.
fn pool() -> Vec<Value> {
    let ints = [-1, 0, 1, 7, i64::MAX, i64::MIN, 1 << 31].map(Value::Int);
    let texts = ["x", "", "ok", "true", ":a", "nil", "[1 2]", "1.5", "a\"b\\c\n\t\u{1}é", "#edn"].map(text);
    let words = [":a", ":ok", ":timed-out", "1.5", "-0.25", "123456789012345678901234567890"].map(word);
    let (one, two, yes) = (Value::Int(1), Value::Int(2), Value::Bool(true));
    let pair = list(&[one.clone(), two.clone()]);
    let made = [
        Value::Bool(true),
        Value::Bool(false),
        pair.clone(),
        list(&[one.clone(), yes.clone()]),
        list(&[pair.clone(), yes.clone()]),
        list(&[Value::Nil]),
        list(&[]),
        Value::set(vec![two.clone(), one.clone(), pair]),
        Value::map(vec![(text("x"), one.clone()), (text("y"), two.clone())]).unwrap(),
        Value::map(vec![(word(":x"), one.clone()), (Value::Int(3), yes)]).unwrap(),
        Value::map(vec![(text("#edn"), text("1"))]).unwrap(),
        Value::map(Vec::new()).unwrap(),
    ];
    ints.into_iter().chain(texts).chain(words).chain(made).collect()
}

/// Different values for small numbers, so that everything is equal that was.
struct Names<'a> {
    random: &'a mut Choices,
    pool: Vec<Value>,
    chosen: BTreeMap<(usize, u32), Value>,
}

impl Names<'_> {
    fn of(&mut self, space: usize, n: u32) -> Value {
        let Names { random, pool, chosen } = self;
        chosen.entry((space, n)).or_insert_with(|| pool.swap_remove(random.below(pool.len()))).clone()
    }
}

/// The history with other values; with `lists`, texts become lists of their letters.
fn enriched(plain: &History, object: &Object, lists: bool, random: &mut Choices) -> History {
    let keyed = object.kind != Kind::Map && random.chance(20);
    let numbers = matches!(object.kind, Kind::Counter | Kind::FetchIncrement);
    let rich = random.chance(80);
    let seed = Choices::new(random.below(1u64 << 40));
    let mut keys: Vec<u32> = (0..plain.len()).map(|_| random.below(2) as u32).collect();
    keys.truncate(if keyed { plain.len() } else { 0 });
    let mut random = seed;
    let mut pool = pool();
    if object.kind == Kind::PriorityQueue {
        // A removed pair that was not put is read as a value with its priority.
        pool.retain(|v| !matches!(v, Value::List(l) if l.len() == 2));
    }
    let mut names = Names { random: &mut random, pool, chosen: BTreeMap::new() };
    let mut builder = Builder::new();
    let mut id =
        |values: &mut Values, space: usize, id: ValueId| match (id.as_small(), plain.values.value(id)) {
            (Some(n), _) if rich && !numbers => values.intern(names.of(space, n)),
            (_, Value::Text(t)) if lists => {
                let elements: Vec<ValueId> =
                    t.bytes().map(|b| values.intern(names.of(9, u32::from(b)))).collect();
                values.growing(&elements)
            }
            (_, value) => values.intern(value),
        };
    let mut new = vec![0; plain.len()];
    for (i, is_return) in plain.timeline() {
        let (i, op) = (i as usize, plain.op(i as usize));
        let values = &mut builder.values;
        if is_return {
            // Drafts have answers that no log can say.
            let removes = object.kind.may_be_empty(op.method);
            let unsaid = object.kind == Kind::Set && op.method != Method::Contains;
            let result = match op.result {
                ValueId::NONE if unsaid || !object.kind.answers(op.method) => ValueId::NONE,
                ValueId::NONE if matches!(op.method, Method::Cas | Method::Contains) => ValueId::FALSE,
                ValueId::NONE if removes => ValueId::EMPTY,
                ValueId::NONE if numbers => ValueId::small(99),
                ValueId::NONE => ValueId::NIL,
                ValueId::NIL if removes => ValueId::EMPTY,
                ValueId::NIL | ValueId::EMPTY if numbers => ValueId::small(99),
                ValueId::EMPTY if !removes => values.intern(word(":none")),
                other => id(values, 0, other),
            };
            builder.ret(new[i], result);
            continue;
        }
        let key = keys.get(i).map_or(op.key, |&k| ValueId::small(k));
        let none = |id: ValueId| id == ValueId::NONE;
        let key = if none(key) { key } else { id(values, 1, key) };
        let process = id(values, 2, op.process);
        // Priorities are compared as numbers.
        let extra = match op.method {
            Method::Cas => id(values, 0, op.extra),
            _ => op.extra,
        };
        let arg = id(values, 0, op.arg);
        new[i] = builder.call(Call { method: op.method, process, key, arg, extra, line: 1 });
    }
    builder.finish()
}

fn dump(history: &History) -> Vec<String> {
    let plain = |id: ValueId| history.values.value(id);
    let value = |id: ValueId| match plain(id) {
        // Within a transaction every list is one that may grow.
        Value::Text(t) => match history.values.elements(&t) {
            Some(list) => format!("{:?}", Value::List(list.into_iter().map(plain).collect())),
            None => format!("{t:?}"),
        },
        other => format!("{other:?}"),
    };
    let line = |op: Op| {
        let values = [op.process, op.key, op.arg, op.extra, op.result].map(value);
        format!("{:?} {values:?} {} {}", op.method, op.call, op.ret)
    };
    history.ops().map(line).collect()
}

fn holds(history: &History, object: &Object) -> bool {
    let checked =
        monitor::decide_parts(history, &Problem::new(history, object), &Effort::default(), &Unwatched);
    assert!(checked.unknown().is_none());
    checked.violated().is_none()
}

/// Written and read again, as anybody would: the format is found, not told.
fn through(history: &History, object: &Object, format: Format) -> Result<(History, Object, String), String> {
    fits(history, object, format, &object.init)?;
    let mut bytes = Vec::new();
    write(history, object, format, &object.init, &mut bytes).unwrap();
    let shown = String::from_utf8(bytes).unwrap();
    let options = Options { listed_priorities: object.order.is_some(), ..Options::new(object.kind) };
    let loaded = load(&mut shown.as_bytes(), "log", None, &options)
        .unwrap_or_else(|found| panic!("{:?}: {found:?}\n{shown}\n{}", format, dump(history).join("\n")));
    let init = loaded.init.clone().unwrap_or_else(|| start(object, loaded.format));
    Ok((loaded.history, object.clone().init(init), shown))
}

#[test]
fn every_conversion_keeps_the_verdict() {
    let full = lineal_sweep::full();
    let seed = lineal_sweep::seed(21);
    let mut random = Choices::new(seed);
    let (mut written, mut refused, mut violated, mut histories) = (0, 0, 0, 0);
    for subject in subjects() {
        let appends = matches!(subject.object.init, Value::Text(_));
        for round in 0..if full { 15_000 } else { 300 } {
            let plain = draft(&subject.object, &mut random, 8, 60).build(&mut random);
            if plain.is_empty() {
                continue;
            }
            let lists = appends && round % 2 == 0;
            let mut object = subject.object.clone();
            if lists {
                object = object.init(Value::Nil);
            } else if object.kind == Kind::Register && random.chance(30) {
                object = object.init(Value::Int(random.pick(&[0, 3])));
            }
            let history = enriched(&plain, &object, lists, &mut random);
            histories += 1;
            let expected = holds(&history, &object);
            violated += usize::from(!expected);
            for format in Format::ALL {
                let case = |shown: &str| format!("{} as {format:?}, seed {seed}:\n{shown}", subject.name);
                match through(&history, &object, format) {
                    Err(why) => {
                        // Elements of lists that are lists themselves do not mix with those that grow.
                        let any = matches!(format, Format::Edn | Format::JsonLines) && !lists;
                        assert!(!any, "{why}: {}", case(&dump(&history).join("\n")));
                        refused += 1;
                    }
                    Ok((again, start, shown)) => {
                        assert_eq!(dump(&again), dump(&history), "{}", case(&shown));
                        assert_eq!(start.init, object.init, "{}", case(&shown));
                        assert_eq!(holds(&again, &start), expected, "{}", case(&shown));
                        written += 1;
                        let other = random.pick(&Format::ALL);
                        if let Ok((third, start, shown)) = through(&again, &start, other) {
                            assert_eq!(dump(&third), dump(&history), "{}", case(&shown));
                            assert_eq!(start.init, object.init, "{}", case(&shown));
                        }
                    }
                }
            }
        }
    }
    println!(
        "seed {seed}: {histories} histories, {violated} violated; {written} logs written, {refused} refused"
    );
    assert!(written > 2 * histories && violated > histories / 5);
}
