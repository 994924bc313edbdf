//! `--strongest-spec`: what to type to see why a level does not hold.

use super::CheckArgs;
use lineal_model::Finding;
use lineal_model::adt::quasi::Semantics;
use lineal_model::sought::Beyond;

/// Each level that does not hold, with its command.
pub fn commands(args: &CheckArgs, finding: &mut Finding) {
    let Some(levels) = &mut finding.levels else { return };
    for beyond in &mut levels.fail {
        beyond.command = Some(command(args, beyond));
    }
}

fn command(args: &CheckArgs, beyond: &Beyond) -> String {
    let mut words = vec!["lineal".to_string(), "check".into()];
    let source = &args.source;
    words.extend(source.files.iter().map(|f| quoted(&f.display().to_string())));
    words.extend(source.define.iter().map(|d| quoted(&format!("-D{d}"))));
    words.extend(source.include_dirs.iter().map(|d| quoted(&format!("-I{}", d.display()))));
    words.extend(source.include.iter().map(|f| format!("--include {}", quoted(&f.display().to_string()))));
    words.extend(args.memory.map(|m| format!("--memory {}", lineal_model::Memory::from(m))));
    words.extend(source.wrapv.then(|| "--wrapv".to_string()));
    words.extend(source.nondet.map(|(a, b)| format!("--nondet {a}..{b}")));
    words.extend(args.quasi.quasi.iter().map(|q| format!("--quasi {}", quoted(q))));
    let semantics = args.quasi.quasi_semantics.map(Semantics::from);
    words.extend(semantics.map(|s| format!("--quasi-semantics {}", s.word())));
    words.extend(args.unroll.iter().map(|b| format!("--unroll {b}")));
    words.push(format!("--level {}", quoted(&beyond.level)));
    words.push(match beyond.alone {
        true => format!("--client {}", quoted(&beyond.client)),
        // What it takes is a client that no line can say.
        false => format!("--calls {}", beyond.calls),
    });
    words.join(" ")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
