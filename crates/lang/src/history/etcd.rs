//! etcd logs as published with Porcupine: `INFO  jepsen.util - 3 :invoke :cas [1 4]`.

use super::record::{Datum, Record};
use super::recorder::Recorder;
use super::source::Source;

pub fn read(source: &mut Source, recorder: &mut Recorder) {
    while !recorder.is_full() {
        let rest = source.rest();
        let (line, bytes) = match rest.iter().position(|&b| b == b'\n') {
            Some(end) => (&rest[..end], end + 1),
            None if source.has_ended() => (rest, rest.len()),
            None => {
                if let Err(problem) = source.fill() {
                    return recorder.problem(problem);
                }
                continue;
            }
        };
        if bytes == 0 {
            return;
        }
        match record(line, source.line()) {
            Ok(Some(record)) => recorder.record(&record),
            Ok(None) => {}
            Err(why) => recorder.problem_at("L0302", source.line(), &why),
        }
        let ended = bytes == source.rest().len() && source.rest().last() != Some(&b'\n');
        source.advance(bytes, u32::from(!ended));
    }
}

fn record(line: &[u8], number: u32) -> Result<Option<Record<'_>>, String> {
    let line = std::str::from_utf8(line).map_err(|_| "text that is not UTF-8".to_string())?;
    let mut words = line.split_whitespace();
    let mut next = words.next();
    if next.is_none() {
        return Ok(None);
    }
    // The logger's own words end in a dash; logs without them are taken as well.
    if next == Some("INFO") {
        if words.by_ref().take(3).all(|w| w != "-") {
            return Err("expected `INFO  jepsen.util - PROCESS :TYPE :F VALUE`".into());
        }
        next = words.next();
    }
    let mut record = Record::new(number);
    record.process = match next {
        Some(word) => match word.parse() {
            Ok(n) => Datum::Int(n),
            Err(_) => Datum::Word(word.strip_prefix(':').unwrap_or(word)),
        },
        None => return Err("the line ends before the process".into()),
    };
    let mut keyword = |what: &str| match words.next() {
        Some(word) => {
            word.strip_prefix(':').map(Datum::Word).ok_or(format!("expected :{what}, found `{word}`"))
        }
        None => Err(format!("the line ends before the {what}")),
    };
    record.kind = keyword("type")?;
    record.f = keyword("f")?;
    let value: Vec<&str> = words.collect();
    record.value = match value[..] {
        [] => return Err("the line ends before the value".into()),
        [one] => scalar(one)?,
        [from, to] => {
            let inside = from.strip_prefix('[').zip(to.strip_suffix(']'));
            let (from, to) = inside.ok_or_else(|| format!("expected [from to], found `{from} {to}`"))?;
            Datum::Sequence(vec![scalar(from)?, scalar(to)?])
        }
        // Nemesis lines say whatever they like.
        _ if matches!(record.process, Datum::Word(_)) => Datum::Nil,
        _ => return Err(format!("expected one value, found `{}`", value.join(" "))),
    };
    Ok(Some(record))
}

fn scalar(word: &str) -> Result<Datum<'_>, String> {
    match word {
        "nil" => Ok(Datum::Nil),
        _ => match (word.parse(), word.strip_prefix(':')) {
            (Ok(n), _) => Ok(Datum::Int(n)),
            (_, Some(keyword)) => Ok(Datum::Word(keyword)),
            _ => Err(format!("expected nil, a number or a keyword, found `{word}`")),
        },
    }
}
