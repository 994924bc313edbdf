//! Random sources full of macros, and damage to them.

pub mod cc;

use lineal_sweep::Choices;
use std::fmt::Write;

const NAMES: [&str; 8] = ["A", "B", "C", "D", "F", "G", "H", "K"];
const PARAMS: [&str; 3] = ["x", "y", "z"];
const WORDS: [&str; 14] = ["a", "b", "+", "-", "1", "2u", "\"s\\n\"", "'c'", "(", ")", ",", "[", "_1", "L"];

/// Definitions and uses, one after the other.
pub fn source(choices: &mut Choices) -> String {
    let mut out = String::from("#define str(s) #s\n#define xstr(s) str(s)\n");
    let mut kinds = [None; NAMES.len()];
    for _ in 0..2 + choices.below(4usize) {
        define(choices, &mut out, &mut kinds);
    }
    for _ in 0..1 + choices.below(6usize) {
        match choices.below(12usize) {
            0 => define(choices, &mut out, &mut kinds),
            1 => {
                let which = choices.below(NAMES.len());
                kinds[which] = None;
                let _ = writeln!(out, "#undef {}", NAMES[which]);
            }
            2 => conditional(choices, &mut out, &kinds),
            3 => {
                out.push_str("xstr(");
                text(choices, &mut out, &kinds, 2);
                out.push_str(")\n");
            }
            _ => {
                text(choices, &mut out, &kinds, 3);
                out.push('\n');
            }
        }
    }
    out
}

/// What a macro takes: nothing, or so many arguments, and perhaps more.
type Kind = Option<Option<(usize, bool)>>;

fn define(choices: &mut Choices, out: &mut String, kinds: &mut [Kind; NAMES.len()]) {
    let which = choices.below(NAMES.len());
    if kinds[which].is_some() {
        let _ = writeln!(out, "#undef {}", NAMES[which]);
    }
    let _ = write!(out, "#define {}", NAMES[which]);
    let takes = choices.chance(65).then(|| (choices.below(3usize), choices.chance(35)));
    let mut params: Vec<&str> = Vec::new();
    if let Some((count, variadic)) = takes {
        params.extend(&PARAMS[..count]);
        let mut shown: Vec<&str> = params.clone();
        if variadic {
            let named = choices.one_in(4);
            shown.push(if named { "more..." } else { "..." });
            params.push(if named { "more" } else { "__VA_ARGS__" });
        }
        let _ = write!(out, "({})", shown.join(if choices.one_in(2) { "," } else { " , " }));
    }
    let variadic = takes.is_some_and(|t| t.1);
    let mut depth = 0;
    for _ in 0..choices.below(7usize) {
        let gap = if choices.chance(70) { " " } else { "" };
        // Names would run into one another.
        let gap = if out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') { " " } else { gap };
        out.push_str(if out.ends_with(')') && depth == 0 { " " } else { gap });
        match choices.below(16usize) {
            0..=3 if !params.is_empty() => out.push_str(choices.pick(&params)),
            4 if !params.is_empty() => {
                let _ = write!(out, "#{}", choices.pick(&params));
            }
            5 if !params.is_empty() && choices.chance(60) => {
                let _ = write!(out, "{}##{}", choices.pick(&["a", "_", "b"]), choices.pick(&params));
            }
            6 if variadic => {
                let _ = write!(out, "(a, ##{})", params[params.len() - 1]);
            }
            7 if variadic => {
                out.push_str("__VA_OPT__(");
                out.push_str(choices.pick(&["b", ", a", "x", "", "F(1)"]));
                let _ = write!(out, "{})", choices.pick(&["", " A", " b"]));
            }
            8 => {
                out.push('(');
                depth += 1;
            }
            9 if depth > 0 => {
                out.push(')');
                depth -= 1;
            }
            10 => out.push_str("a##1"),
            11..=13 => out.push_str(choices.pick(&NAMES)),
            _ => out.push_str(choices.pick(&["a", "b", "1", "+", "\"t\"", ",", ".", "'\\''", "$"])),
        }
    }
    (0..depth).for_each(|_| out.push(')'));
    out.push('\n');
    kinds[which] = Some(takes);
}

/// Tokens, among them calls.
fn text(choices: &mut Choices, out: &mut String, kinds: &[Kind; NAMES.len()], depth: usize) {
    for _ in 0..1 + choices.below(4usize) {
        if choices.chance(75) || out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            out.push(' ');
        }
        match choices.below(10usize) {
            0..=4 if depth > 0 => call(choices, out, kinds, depth - 1),
            5 => out.push_str(choices.pick(&NAMES)),
            6 => {
                out.push('(');
                text(choices, out, kinds, depth.saturating_sub(1));
                out.push(')');
            }
            7 => out.push_str(choices.pick(&["__COUNTER__", "+=", "/* c */", "\\\n", "$"])),
            _ => {
                let word = choices.pick(&WORDS);
                // Arguments keep their number, and parentheses close.
                out.push_str(if ["(", ")", ","].contains(&word) { "-" } else { word });
            }
        }
    }
}

fn call(choices: &mut Choices, out: &mut String, kinds: &[Kind; NAMES.len()], depth: usize) {
    let which = choices.below(NAMES.len());
    out.push_str(NAMES[which]);
    let (count, variadic) = match kinds[which] {
        Some(Some(takes)) => takes,
        Some(None) if choices.chance(70) => return,
        _ => (choices.below(3usize), false),
    };
    out.push_str(choices.pick(&["(", "(", "(", " (", "\n(", "( "]));
    let count = if variadic { count + choices.below(3usize) } else { count };
    for i in 0..count {
        if i > 0 {
            out.push_str(choices.pick(&[",", ", ", " ,", ",\n"]));
        }
        if !choices.one_in(6) {
            text(choices, out, kinds, depth);
        }
    }
    if choices.one_in(25) {
        out.push_str("\n#ifdef A\nyes\n#else\nno\n#endif\n");
    }
    out.push(')');
}

fn conditional(choices: &mut Choices, out: &mut String, kinds: &[Kind; NAMES.len()]) {
    let name = choices.pick(&NAMES);
    match choices.below(3usize) {
        0 => {
            let _ = writeln!(out, "#ifdef {name}");
        }
        1 => {
            let _ = writeln!(out, "#ifndef {name}");
        }
        _ => {
            let condition = expression(choices, 3);
            let _ = writeln!(out, "#if {condition} || defined {name} && !defined({})", choices.pick(&NAMES));
        }
    }
    text(choices, out, kinds, 2);
    if choices.one_in(2) {
        let _ = writeln!(out, "\n#elif {}\nsecond", expression(choices, 2));
    }
    if choices.one_in(2) {
        out.push_str("\n#else\n# if 0\ndon't \" # /* \n x */ #error\n# endif\nother");
    }
    out.push_str("\n#endif\n");
}

/// Arithmetic that no division by zero and no type of gcc's warnings can spoil.
fn expression(choices: &mut Choices, depth: usize) -> String {
    let simple = ["0", "1", "-1", "2u", "0x7fffffffffffffff", "'a'", "'\\377'", "name", "__LINE__", "017"];
    if depth == 0 || choices.one_in(4) {
        return choices.pick(&simple).into();
    }
    let (a, b) = (expression(choices, depth - 1), expression(choices, depth - 1));
    match choices.below(8usize) {
        0 => format!("({a} ? {b} : {})", expression(choices, depth - 1)),
        1 => format!("!({a})"),
        2 => format!("~{a}"),
        3 => format!("({a}) {} 3", choices.pick(&["/", "%", "<<", ">>", "<< -", ">> 70 +"])),
        _ => {
            let operators = ["+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"];
            format!("({a}) {} ({b})", choices.pick(&operators))
        }
    }
}

/// Bytes left out, put in, or moved.
pub fn damaged(text: &str, choices: &mut Choices) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + choices.below(4usize) {
        let at = choices.below(bytes.len().max(1));
        let spice: &[&[u8]] = &[
            b"#",
            b"##",
            b"\\\n",
            b"(",
            b")",
            b"\"",
            b"'",
            b"/*",
            b"*/",
            b"//",
            b"\n#if ",
            b"\n#endif\n",
            b"\n#else\n",
            b"\n#define ",
            b"\n#include <stdio.h>\n",
            b"__VA_OPT__(",
            b"__VA_ARGS__",
            b"...",
            b",",
            b"\xff",
            b"\0",
            b"defined",
            b"\n#elif ",
            b"_Pragma(",
            b"__has_include(<",
            b"\n#line 7 \"f\"\n",
            b"%:",
            b"\n#undef ",
            b"\xc3\xa9",
        ];
        match choices.below(4usize) {
            0 if at < bytes.len() => {
                let end = (at + 1 + choices.below(6usize)).min(bytes.len());
                bytes.drain(at..end);
            }
            1 => {
                let from = choices.below(bytes.len().max(1));
                let end = (from + choices.below(40usize)).min(bytes.len());
                let part = bytes.get(from..end).unwrap_or(&[]).to_vec();
                bytes.splice(at.min(bytes.len())..at.min(bytes.len()), part);
            }
            _ => {
                let put = choices.pick(spice);
                bytes.splice(at.min(bytes.len())..at.min(bytes.len()), put.iter().copied());
            }
        }
    }
    bytes
}
