//! Values as EDN and as JSON spell them. What is written reads back as the same value: what JSON has
//! no form for (keywords, sets, keys that are no texts) stands there as EDN, marked by [`ESCAPE`].

use super::datum::ESCAPE;
use lineal_model::history::Value;

pub fn edn(value: &Value) -> String {
    let row = |items: &[Value]| items.iter().map(edn).collect::<Vec<_>>().join(" ");
    match value {
        Value::Empty => ":empty".into(),
        Value::None | Value::Nil => "nil".into(),
        Value::Text(t) => quoted(t),
        Value::List(items) => format!("[{}]", row(items)),
        Value::Set(items) => format!("#{{{}}}", row(items)),
        Value::Map(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(k, v)| format!("{} {}", edn(k), edn(v))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Bool(_) | Value::Int(_) | Value::Other(_) => value.to_string(),
    }
}

pub fn json(value: &Value) -> String {
    let escaped = || format!("{{{}:{}}}", quoted(ESCAPE), quoted(&edn(value)));
    match value {
        Value::Nil | Value::None => "null".into(),
        Value::Empty => "\"empty\"".into(),
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Text(t) => quoted(t),
        Value::Other(t) if t.starts_with(|c: char| c.is_ascii_digit() || c == '-') => t.to_string(),
        Value::Other(_) | Value::Set(_) => escaped(),
        Value::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(",")),
        Value::Map(entries) => {
            let plain = |k: &Value| matches!(k, Value::Text(t) if **t != *ESCAPE);
            if !entries.iter().all(|(k, _)| plain(k)) {
                return escaped();
            }
            let entries: Vec<String> =
                entries.iter().map(|(k, v)| format!("{}:{}", json(k), json(v))).collect();
            format!("{{{}}}", entries.join(","))
        }
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
