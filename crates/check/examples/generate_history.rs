//! Writes a large log of a correct object, for measuring: JSON lines, one operation a line, in
//! order of returns; or calls and returns as they happen.
//!
//! `generate_history TYPE OPERATIONS [complete|pending|violated] [CLIENTS] [SEED] [operations|events]`
//! with TYPE one of queue, stack, pq, bag, register, kv, set, fai, mutex.

use lineal_sweep::Choices;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufWriter, Write};

/// The sequential objects, all in one.
#[derive(Default)]
struct Object {
    queue: VecDeque<u64>,
    heap: BTreeSet<(u64, u64)>,
    register: BTreeMap<u64, u64>,
    set: BTreeSet<u64>,
    count: u64,
    owner: Option<usize>,
}

struct Call {
    /// Fields of the line before the times, without the result.
    text: String,
    f: &'static str,
    arg: u64,
    extra: u64,
    called: u64,
    /// Its result once it took effect.
    done: Option<String>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let kind = args.first().map_or("queue", |s| s).to_string();
    let total: u64 = args.get(1).and_then(|s| s.parse().ok()).unwrap_or(1000);
    let variant = args.get(2).map_or("complete", |s| s).to_string();
    let clients: usize = args.get(3).and_then(|s| s.parse().ok()).unwrap_or(8);
    let mut random = Choices::new(args.get(4).and_then(|s| s.parse().ok()).unwrap_or(1));
    let form = match args.get(5).map(String::as_str) {
        Some("events") => Form::Events,
        _ => Form::Operations,
    };
    let mut out = Log { out: BufWriter::with_capacity(1 << 20, std::io::stdout()), form };
    let mut object = Object::default();
    let mut open: Vec<Option<Call>> = (0..clients).map(|_| None).collect();
    let mut holding = vec![false; clients];
    let (mut started, mut clock, mut fresh) = (0u64, 0u64, 0u64);
    loop {
        random.begin();
        let client = random.below(clients as u64) as usize;
        match &mut open[client] {
            slot @ None => {
                if started == total {
                    if open.iter().all(Option::is_none) {
                        break;
                    }
                    continue;
                }
                clock += 1;
                let call = begin(&kind, &mut random, &mut fresh, clock, holding[client]);
                out.call(client, call.f, &call.text);
                *slot = Some(call);
                started += 1;
            }
            Some(call) if call.done.is_none() => {
                if variant == "pending" && random.below(200) == 0 && kind != "mutex" {
                    // Crashed; half of them took effect.
                    if random.below(2) == 0 {
                        let _ = effect(&kind, &mut object, call, client);
                    }
                    out.end(client, call, None);
                    open[client] = None;
                    continue;
                }
                call.done = effect(&kind, &mut object, call, client);
            }
            Some(call) => {
                clock += 1;
                if kind == "mutex" {
                    holding[client] = call.f == "acquire";
                }
                out.end(client, call, Some(clock));
                open[client] = None;
            }
        }
        if started == total
            && kind == "mutex"
            && open.iter().flatten().all(|c| c.f == "acquire" && c.done.is_none())
        {
            for (client, call) in open.iter().enumerate().filter_map(|(i, c)| c.as_ref().map(|c| (i, c))) {
                out.end(client, call, None);
            }
            break;
        }
    }
    if variant == "violated" {
        spoil(&kind, &object, &mut fresh, &mut clock, &mut out);
    }
    out.out.flush().unwrap();
}

fn begin(kind: &str, random: &mut Choices, fresh: &mut u64, now: u64, holding: bool) -> Call {
    let first = random.below(2) == 0;
    let mut call = Call { text: String::new(), f: "", arg: 0, extra: 0, called: now, done: None };
    let mut value = || {
        *fresh += 1;
        *fresh
    };
    match kind {
        "queue" | "stack" | "pq" | "bag" => {
            let (add, remove) = match kind {
                "queue" => ("enq", "deq"),
                "stack" => ("push", "pop"),
                "pq" => ("put", "rm"),
                _ => ("add", "remove"),
            };
            call.f = if first { add } else { remove };
            if first {
                call.arg = value();
                call.text = format!(",\"value\":{}", call.arg);
                if kind == "pq" {
                    call.extra = random.below(1_000_000);
                    call.text += &format!(",\"prio\":{}", call.extra);
                }
            }
        }
        "register" | "kv" => {
            if kind == "kv" {
                call.extra = random.below(1000);
                call.text = format!(",\"key\":{}", call.extra);
            }
            call.f = match (kind, first) {
                ("kv", true) => "put",
                ("kv", false) => "get",
                (_, true) => "write",
                (_, false) => "read",
            };
            if first {
                call.arg = value();
                call.text += &format!(",\"value\":{}", call.arg);
            }
        }
        "set" => {
            call.f = ["add", "remove", "contains"][random.below(3) as usize];
            call.arg = random.below(1000);
            call.text = format!(",\"value\":{}", call.arg);
        }
        "mutex" => call.f = if holding { "release" } else { "acquire" },
        _ => call.f = "fai",
    }
    call
}

/// Takes effect if it can; the result as a field.
fn effect(kind: &str, object: &mut Object, call: &Call, client: usize) -> Option<String> {
    let answer = |v: Option<u64>| match v {
        Some(v) => format!(",\"result\":{v}"),
        None => ",\"result\":null".to_string(),
    };
    Some(match call.f {
        "enq" | "push" => {
            object.queue.push_back(call.arg);
            String::new()
        }
        "add" if kind == "bag" => {
            object.queue.push_back(call.arg);
            String::new()
        }
        "deq" => answer(object.queue.pop_front()),
        "pop" => answer(object.queue.pop_back()),
        "remove" if kind == "bag" => answer(object.queue.pop_front()),
        "put" if kind == "pq" => {
            object.heap.insert((call.extra, call.arg));
            String::new()
        }
        "rm" => answer(object.heap.pop_first().map(|e| e.1)),
        "put" | "write" => {
            object.register.insert(call.extra, call.arg);
            String::new()
        }
        "get" | "read" => answer(object.register.get(&call.extra).copied()),
        "add" => format!(",\"result\":{}", object.set.insert(call.arg)),
        "remove" => format!(",\"result\":{}", object.set.remove(&call.arg)),
        "contains" => format!(",\"result\":{}", object.set.contains(&call.arg)),
        "fai" => {
            object.count += 1;
            format!(",\"result\":{}", object.count - 1)
        }
        "acquire" if object.owner.is_some() => return None,
        "acquire" => {
            object.owner = Some(client);
            String::new()
        }
        _ => {
            object.owner = None;
            String::new()
        }
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Operations,
    Events,
}

struct Log<W> {
    out: W,
    form: Form,
}

impl<W: Write> Log<W> {
    fn call(&mut self, client: usize, f: &str, text: &str) {
        if self.form == Form::Events {
            writeln!(self.out, "{{\"process\":{client},\"type\":\"invoke\",\"f\":\"{f}\"{text}}}").unwrap();
        }
    }

    fn end(&mut self, client: usize, call: &Call, ret: Option<u64>) {
        let result = ret.and(call.done.as_deref()).unwrap_or("");
        self.whole(client, (call.f, &call.text, result), call.called, ret);
    }

    /// The return, or all of it; the parts are function, arguments and answer.
    fn whole(&mut self, client: usize, parts: (&str, &str, &str), called: u64, ret: Option<u64>) {
        let (f, text, result) = parts;
        let head = format!("\"f\":\"{f}\"{text}{result}");
        match (self.form, ret) {
            (Form::Operations, Some(ret)) => {
                writeln!(self.out, "{{\"process\":{client},{head},\"call\":{called},\"return\":{ret}}}")
            }
            (Form::Operations, None) => {
                writeln!(self.out, "{{\"process\":{client},{head},\"call\":{called},\"return\":null}}")
            }
            (Form::Events, Some(_)) => {
                writeln!(self.out, "{{\"process\":{client},\"type\":\"ok\",{head}}}")
            }
            (Form::Events, None) => writeln!(self.out, "{{\"process\":{client},\"type\":\"info\",{head}}}"),
        }
        .unwrap();
    }
}

/// Ends the log with operations, one after another, that no correct object does.
fn spoil(kind: &str, object: &Object, fresh: &mut u64, clock: &mut u64, out: &mut Log<impl Write>) {
    let mut say = |f: &str, rest: String| {
        *clock += 2;
        out.call(0, f, rest.split(",\"result\"").next().unwrap_or_default());
        out.whole(0, (f, &rest, ""), *clock - 1, Some(*clock));
    };
    let (a, b) = (*fresh + 1, *fresh + 2);
    match kind {
        "queue" => {
            for v in [a, b] {
                say("enq", format!(",\"value\":{v}"));
            }
            for v in object.queue.iter().copied().chain([b, a]) {
                say("deq", format!(",\"result\":{v}"));
            }
        }
        "stack" => {
            for v in [a, b] {
                say("push", format!(",\"value\":{v}"));
            }
            for v in [a, b] {
                say("pop", format!(",\"result\":{v}"));
            }
        }
        "pq" => {
            say("put", format!(",\"value\":{a},\"prio\":0"));
            say("put", format!(",\"value\":{b},\"prio\":2000000"));
            say("rm", format!(",\"result\":{b}"));
        }
        "bag" => {
            say("add", format!(",\"value\":{a}"));
            say("remove", ",\"result\":null".into());
        }
        "register" => {
            for v in [a, b] {
                say("write", format!(",\"value\":{v}"));
            }
            say("read", format!(",\"result\":{a}"));
        }
        "kv" => {
            for v in [a, b] {
                say("put", format!(",\"key\":0,\"value\":{v}"));
            }
            say("get", format!(",\"key\":0,\"result\":{a}"));
        }
        "set" => {
            say("contains", format!(",\"value\":0,\"result\":{}", !object.set.contains(&0)));
        }
        "mutex" => {
            say("release", String::new());
            say("release", String::new());
        }
        _ => {
            say("fai", format!(",\"result\":{}", object.count + 1));
            say("fai", format!(",\"result\":{}", object.count));
        }
    }
}
