//! Histories back to text, in any format that can hold them: read again, they have the same
//! operations in the same order, with the same values. What a format cannot hold is refused.
//!
//! Operations that are never heard of again end in `:info`, before their process goes on or at the
//! end. Lists that grow by appending are written as transactions. Where the object starts elsewhere
//! than logs of the format do, a record of its own says so first.

use super::Format;
use super::spell::{edn, json};
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{History, Method, Op, Value, ValueId};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Why a format cannot hold histories of this type, if so.
pub fn writes(format: Format, kind: Kind) -> Result<(), String> {
    match format {
        Format::Etcd if !matches!(kind, Kind::Register | Kind::CasRegister) => {
            Err(format!("an etcd log holds registers, not a {}", kind.word()))
        }
        Format::Kv | Format::Elle if kind != Kind::Map => {
            Err(format!("{} logs hold maps, not a {}", format.word(), kind.word()))
        }
        _ => Ok(()),
    }
}

/// Why the format cannot hold this history, if so. `start`: where the object starts.
pub fn fits(history: &History, object: &Object, format: Format, start: &Value) -> Result<(), String> {
    writes(format, object.kind)?;
    let texts = |op: &Op| op.method == Method::Append && elements(history, op.arg).is_none();
    let listed = is_listed(history);
    if format != Format::JsonLines
        && let Some(line) = overlapping(history)
    {
        return Err(format!(
            "a process calls on line {line} before its last operation has returned, which only jsonl holds"
        ));
    }
    match format {
        Format::Etcd => {
            if *start != Value::Nil {
                return Err("an etcd log cannot say where the register starts".into());
            }
            if history.is_keyed() {
                return Err("an etcd log holds one register, not several by key".into());
            }
            let word =
                |v: &Value| matches!(v, Value::Int(_)) || matches!(v, Value::Other(t) if t.starts_with(':'));
            let wrong = history.ops().find_map(|op| {
                let plain = |id: ValueId| {
                    let value = history.values.value(id);
                    (!word(&value) && !matches!(value, Value::Nil | Value::None)).then_some(value)
                };
                let process = history.values.value(op.process);
                let answer = if op.method == Method::Cas { ValueId::NONE } else { op.result };
                let process = (!word(&process)).then_some(process);
                process.or_else(|| [op.arg, op.extra, answer].into_iter().find_map(plain))
            });
            wrong.map_or(Ok(()), |v| Err(format!("an etcd log holds numbers and keywords, not {v}")))
        }
        Format::Kv if listed => Err("a kv log appends texts, and this log elements of lists".into()),
        Format::Elle if history.ops().any(|op| texts(&op)) => {
            Err("transactions append elements of lists, and this log texts".into())
        }
        _ if listed && history.ops().any(|op| texts(&op)) => {
            Err("the log appends both texts and elements of lists".into())
        }
        Format::Elle | Format::Edn | Format::JsonLines if listed || format == Format::Elle => {
            // Within transactions a list is one that grows, and an empty one is nil.
            let lists =
                |id: ValueId| matches!(&history.values.value(id), Value::List(l) if listed || l.is_empty());
            match history.ops().any(|op| lists(op.arg) || lists(op.result)) {
                true => Err("an empty list in a transaction is nil, and here it is not".into()),
                false => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Where objects start in logs of a format that say nothing.
pub fn start(object: &Object, format: Format) -> Value {
    match (format, object.kind) {
        (Format::Kv, Kind::Map) => Value::Text("".into()),
        _ => Object::new(object.kind).init,
    }
}

/// Writes a history that [`fits`].
pub fn write(
    history: &History,
    object: &Object,
    format: Format,
    first: &Value,
    out: &mut dyn Write,
) -> io::Result<()> {
    let writer = Writer { history, object, format, listed: format == Format::Elle || is_listed(history) };
    if *first != start(object, format) || looks_otherwise(history, object, format) {
        match writer.is_json() {
            true => writeln!(out, "{{\"init\":{}}}", json(first))?,
            false => writeln!(out, "{{:init {}}}", edn(first))?,
        }
    }
    if format == Format::JsonLines {
        return history.ops().try_for_each(|op| writer.operation(&op, out));
    }
    let mut open: FxHashMap<ValueId, u32> = FxHashMap::default();
    for (i, is_return) in history.timeline() {
        let op = history.op(i as usize);
        if !is_return && let Some(lost) = open.insert(op.process, i) {
            writer.event(&history.op(lost as usize), "info", out)?;
        }
        if is_return {
            open.remove(&op.process);
        }
        writer.event(&op, if is_return { "ok" } else { "invoke" }, out)?;
    }
    let mut lost: Vec<u32> = open.into_values().collect();
    lost.sort_unstable();
    lost.into_iter().try_for_each(|i| writer.event(&history.op(i as usize), "info", out))
}

/// Whether the log would be taken for one that starts elsewhere: see [`super::detect`].
fn looks_otherwise(history: &History, object: &Object, format: Format) -> bool {
    let text = |i: usize| matches!(history.values.value(history.key(i)), Value::Text(_));
    object.kind == Kind::Map
        && match format {
            Format::Edn => (0..history.len()).any(text),
            Format::Kv => !(0..history.len()).all(text) || history.results().contains(&ValueId::NIL),
            _ => false,
        }
}

/// The line of a call that comes before its process's last operation has returned.
fn overlapping(history: &History) -> Option<u32> {
    let mut open: FxHashMap<ValueId, u32> = FxHashMap::default();
    history.timeline().into_iter().find_map(|(i, is_return)| {
        let op = history.op(i as usize);
        match is_return {
            true => {
                open.remove(&op.process);
                None
            }
            false => open
                .insert(op.process, i)
                .filter(|&before| !history.op(before as usize).is_pending())
                .map(|_| op.line),
        }
    })
}

fn elements(history: &History, id: ValueId) -> Option<Vec<ValueId>> {
    match history.values.value(id) {
        Value::Text(t) => history.values.elements(&t),
        _ => None,
    }
}

/// Whether lists grow by appending.
fn is_listed(history: &History) -> bool {
    let mut ids = history.args().iter().chain(history.results());
    ids.any(|&id| id.as_small().is_none() && elements(history, id).is_some())
}

struct Writer<'a> {
    history: &'a History,
    object: &'a Object,
    format: Format,
    /// Operations are written as transactions of one.
    listed: bool,
}

impl Writer<'_> {
    fn is_json(&self) -> bool {
        matches!(self.format, Format::JsonLines | Format::Elle)
    }

    fn value(&self, id: ValueId) -> Value {
        match elements(self.history, id) {
            Some(list) => Value::List(list.iter().map(|&e| self.history.values.value(e)).collect()),
            None => self.history.values.value(id),
        }
    }

    fn show(&self, id: ValueId) -> String {
        let value = self.value(id);
        if self.is_json() { json(&value) } else { edn(&value) }
    }

    fn list(&self, parts: &[String]) -> String {
        format!("[{}]", parts.join(if self.is_json() { "," } else { " " }))
    }

    /// The arguments, in one value.
    fn argument(&self, op: &Op) -> String {
        let pair = matches!(op.method, Method::Cas | Method::Insert) && op.extra != ValueId::NONE;
        match op.arg {
            arg if pair => self.list(&[self.show(arg), self.show(op.extra)]),
            arg => self.show(arg),
        }
    }

    /// A transaction of one operation.
    fn transaction(&self, op: &Op, answered: bool) -> String {
        let word = match op.method {
            Method::Read => "r",
            Method::Append => "append",
            Method::Delete => "delete",
            _ => "w",
        };
        let word = if self.is_json() { format!("\"{word}\"") } else { format!(":{word}") };
        let value = match op.method {
            Method::Read if answered => self.show(op.result),
            Method::Append => {
                let element = elements(self.history, op.arg).and_then(|l| l.first().copied());
                self.show(element.unwrap_or(op.arg))
            }
            _ => self.show(op.arg),
        };
        let inner = self.list(&[word, self.show(op.key), value]);
        self.list(&[inner])
    }

    /// One operation a line; times are positions.
    fn operation(&self, op: &Op, out: &mut dyn Write) -> io::Result<()> {
        let returned = !op.is_pending();
        write!(out, "{{\"process\":{}", self.show(op.process))?;
        if self.listed {
            write!(out, ",\"f\":\"txn\",\"value\":{}", self.transaction(op, returned))?;
        } else {
            write!(out, ",\"f\":\"{}\"", self.object.name(op))?;
            if op.key != ValueId::NONE {
                write!(out, ",\"key\":{}", self.show(op.key))?;
            }
            match op.method {
                _ if op.arg == ValueId::NONE => {}
                Method::Cas => write!(out, ",\"value\":{}", self.argument(op))?,
                _ => write!(out, ",\"value\":{}", self.show(op.arg))?,
            }
            if op.extra != ValueId::NONE && !matches!(op.method, Method::Cas | Method::Custom) {
                write!(out, ",\"prio\":{}", self.show(op.extra))?;
            }
            // No answer is said, too: an element that ends in true is not one with its answer.
            let says = op.result != ValueId::NONE || self.object.kind == Kind::Set;
            if returned && says {
                write!(out, ",\"result\":{}", self.show(op.result))?;
            }
        }
        match op.ret {
            Op::PENDING => writeln!(out, ",\"call\":{},\"return\":null}}", op.call),
            ret => writeln!(out, ",\"call\":{},\"return\":{ret}}}", op.call),
        }
    }

    fn event(&self, op: &Op, kind: &str, out: &mut dyn Write) -> io::Result<()> {
        let returned = kind == "ok";
        let process = self.show(op.process);
        if self.listed {
            let value = self.transaction(op, returned);
            return match self.is_json() {
                true => writeln!(
                    out,
                    "{{\"type\":\"{kind}\",\"f\":\"txn\",\"value\":{value},\"process\":{process}}}"
                ),
                false => writeln!(out, "{{:process {process}, :type :{kind}, :f :txn, :value {value}}}"),
            };
        }
        let name = self.object.name(op);
        let answered = returned && op.result != ValueId::NONE;
        if self.format == Format::Etcd {
            let failed = op.method == Method::Cas && op.result == ValueId::FALSE;
            let kind = if returned && failed { "fail" } else { kind };
            let value = match kind {
                "info" => ":timed-out".into(),
                _ if answered && op.method == Method::Read => self.show(op.result),
                _ => self.argument(op),
            };
            let process = process.trim_start_matches(':');
            return writeln!(out, "INFO  jepsen.util - {process}\t:{kind}\t:{name}\t{value}");
        }
        write!(out, "{{:process {process}, :type :{kind}, :f :{name}")?;
        if op.key != ValueId::NONE {
            write!(out, ", :key {}", self.show(op.key))?;
        }
        // What has both an argument and an answer says the answer apart.
        let apart = op.arg != ValueId::NONE;
        let value = match (answered, apart) {
            (true, false) => self.show(op.result),
            // Without one, the element again might be taken for it.
            (false, true) if returned && self.object.kind == Kind::Set => "nil".into(),
            _ => self.argument(op),
        };
        write!(out, ", :value {value}")?;
        if answered && apart {
            write!(out, ", :result {}", self.show(op.result))?;
        }
        if answered && op.method == Method::Remove && op.extra != ValueId::NONE {
            write!(out, ", :prio {}", self.show(op.extra))?;
        }
        writeln!(out, "}}")
    }
}
