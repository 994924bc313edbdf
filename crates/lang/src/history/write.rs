//! Histories back to text, in any format that can hold them.

use super::Format;
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{History, Method, Op, Value, ValueId};
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

pub fn write(history: &History, object: &Object, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::JsonLines {
        return history.ops().try_for_each(|op| operation(history, object, &op, out));
    }
    for (i, is_return) in history.timeline() {
        let op = history.op(i as usize);
        event(history, object, format, &op, if is_return { "ok" } else { "invoke" }, out)?;
    }
    // What never returned is said to be unknown, so that processes may be reused.
    for op in history.ops().filter(Op::is_pending) {
        event(history, object, format, &op, "info", out)?;
    }
    Ok(())
}

/// One operation a line; times are positions.
fn operation(history: &History, object: &Object, op: &Op, out: &mut dyn Write) -> io::Result<()> {
    let json = |id| json(&history.values.value(id));
    write!(out, "{{\"process\":{},\"f\":\"{}\"", json(op.process), object.name(op))?;
    if op.key != ValueId::NONE {
        write!(out, ",\"key\":{}", json(op.key))?;
    }
    match (op.method, op.arg) {
        (_, ValueId::NONE) => {}
        (Method::Cas, from) => write!(out, ",\"value\":[{},{}]", json(from), json(op.extra))?,
        (_, arg) => {
            write!(out, ",\"value\":{}", json(arg))?;
            if op.extra != ValueId::NONE && op.method != Method::Custom {
                write!(out, ",\"prio\":{}", json(op.extra))?;
            }
        }
    }
    if !op.is_pending() && op.result != ValueId::NONE {
        write!(out, ",\"result\":{}", json(op.result))?;
    }
    match op.ret {
        Op::PENDING => writeln!(out, ",\"call\":{},\"return\":null}}", op.call),
        ret => writeln!(out, ",\"call\":{},\"return\":{ret}}}", op.call),
    }
}

fn event(
    history: &History,
    object: &Object,
    format: Format,
    op: &Op,
    kind: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let failed = op.method == Method::Cas && op.result == ValueId::FALSE;
    let kind = if kind == "ok" && failed && format == Format::Etcd { "fail" } else { kind };
    let show = |id: ValueId| match format {
        Format::Elle => json(&history.values.value(id)),
        _ => edn(&history.values.value(id)),
    };
    let name = object.name(op);
    let process = show(op.process);
    let answered = kind == "ok" && object.kind.answers(op.method) && op.result != ValueId::NONE;
    let argument = match (op.method, op.arg) {
        (_, ValueId::NONE) => "nil".to_string(),
        (Method::Cas, from) => format!("[{} {}]", show(from), show(op.extra)),
        (method, arg) if op.extra != ValueId::NONE && method != Method::Custom => {
            format!("[{} {}]", show(arg), show(op.extra))
        }
        (_, arg) => show(arg),
    };
    // A set's element and a cas's pair are arguments and have an answer besides.
    let both = answered && op.arg != ValueId::NONE;
    let value = if answered && !both { show(op.result) } else { argument };
    let result = if both { format!(", :result {}", show(op.result)) } else { String::new() };
    match format {
        Format::Etcd => writeln!(
            out,
            "INFO  jepsen.util - {process}\t:{kind}\t:{name}\t{}",
            if kind == "info" { ":timed-out".into() } else { value }
        ),
        Format::Kv => {
            let key = show(op.key);
            writeln!(out, "{{:process {process}, :type :{kind}, :f :{name}, :key {key}, :value {value}}}")
        }
        Format::Elle => {
            let f = match op.method {
                Method::Read => "r",
                Method::Append => "append",
                _ => "w",
            };
            let value = if value == "nil" { "null".into() } else { value };
            let (key, quoted) = (show(op.key), process);
            writeln!(
                out,
                "{{\"type\":\"{kind}\",\"f\":\"txn\",\"value\":[[\"{f}\",{key},{value}]],\"process\":{quoted}}}"
            )
        }
        _ if op.key != ValueId::NONE => {
            let key = show(op.key);
            writeln!(
                out,
                "{{:process {process}, :type :{kind}, :f :{name}, :key {key}, :value {value}{result}}}"
            )
        }
        _ => writeln!(out, "{{:process {process}, :type :{kind}, :f :{name}, :value {value}{result}}}"),
    }
}

fn edn(value: &Value) -> String {
    match value {
        Value::Empty => ":empty".into(),
        Value::None => "nil".into(),
        other => other.to_string(),
    }
}

fn json(value: &Value) -> String {
    match value {
        Value::Nil | Value::None => "null".into(),
        Value::Empty => "\"empty\"".into(),
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Text(t) | Value::Other(t) => quoted(t),
        Value::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(",")),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
