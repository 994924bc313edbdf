//! Damage. [`mutate`] makes small changes of the kind that break assumptions of a parser or a
//! lowering; [`splice`] crosses two programs; [`nasty`] lists inputs that are large or deep.

use lineal_sweep::Choices;

/// A damaged copy of `source`; often no C at all, and not always UTF-8.
pub fn mutate(source: &str, seed: u64) -> Vec<u8> {
    let mut random = Choices::new(seed ^ 0x6d75_7461);
    let mut tokens = tokens(source);
    let times = if random.chance(60) { 1 } else { random.range(2, 5) };
    for _ in 0..times {
        damage(&mut tokens, &mut random);
    }
    let mut bytes = tokens.concat().into_bytes();
    if random.chance(12) && !bytes.is_empty() {
        for _ in 0..random.range(1, 8) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.bits() as u8,
                1 => bytes.insert(
                    at,
                    *random.pick_ref(&[0, 0xff, 0xc3, 0x80, b'\r', 0x0c, b'\\', b'"', b'\'', b'#']),
                ),
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                break;
            }
        }
    }
    if random.chance(5) {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// The beginning of one program, the end of another, and perhaps a piece in the middle moved.
pub fn splice(one: &str, other: &str, seed: u64) -> Vec<u8> {
    let mut random = Choices::new(seed ^ 0x7370_6c69);
    let (a, b) = (tokens(one), tokens(other));
    let (i, j) = (random.below(a.len() + 1), random.below(b.len() + 1));
    let mut out = if random.chance(50) {
        [&a[..i], &b[j..]].concat()
    } else {
        let end = (j + random.below(60)).min(b.len());
        [&a[..i], &b[j..end], &a[i..]].concat()
    };
    if random.chance(50) {
        damage(&mut out, &mut random);
    }
    out.concat().into_bytes()
}

const WORDS: &[&str] = &[
    "int",
    "char",
    "long",
    "unsigned",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "_Atomic",
    "_Thread_local",
    "_Alignas(8)",
    "_Noreturn",
    "inline",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case 1:",
    "default:",
    "break;",
    "continue;",
    "goto x;",
    "return",
    "sizeof",
    "typeof",
    "_Generic",
    "_Static_assert",
    "__attribute__((packed))",
    "float",
    "double",
    "_Complex",
    "asm(\"nop\")",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ".",
    "->",
    "...",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "<<",
    ">>",
    "=",
    "==",
    "+=",
    "<<=",
    "++",
    "--",
    "?",
    ":",
    "&&",
    "||",
    "#",
    "##",
    "\\",
    "\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "&&x",
    "({",
    "})",
    "= {",
    "} =",
    "[]",
    "()",
    "[0 ... 3] =",
    ".m0 =",
    "main",
    "pthread_create",
    "atomic_load",
    "malloc",
    "free",
    "assert",
    "__VERIFIER_assume",
    "__func__",
    "NULL",
    "(void *)0",
    "*(int *)0",
    "&(int){1}",
    "sizeof(int[])",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "0x",
    "0xfffffffffffffffff",
    "08",
    "1u",
    "1ull",
    "1lll",
    "1e5",
    "1.5",
    "0x1p3",
    "'ab'",
    "'\\x'",
    "'\\xfff'",
    "1/0",
    "1%0",
    "(-9223372036854775807-1)/-1",
    "1<<64",
    "1<<-1",
    "0x7fffffff+1",
    "~0ull",
    "1000000000",
    "0b2",
    "0b",
];

fn damage(tokens: &mut Vec<String>, random: &mut Choices) {
    if tokens.is_empty() {
        tokens.push(random.pick_ref(WORDS).to_string());
    }
    let at = random.below(tokens.len());
    let other = random.below(tokens.len());
    let len = random.below(12) + 1;
    match random.below(16) {
        0 | 1 => drop(tokens.remove(at)),
        2 => tokens.insert(at, tokens[at].clone()),
        3 => tokens.swap(at, other),
        4 => tokens[at] = tokens[other].clone(),
        5 | 6 => tokens[at] = format!(" {} ", random.pick_ref(WORDS)),
        7 => tokens.insert(at, format!(" {} ", random.pick_ref(WORDS))),
        8 => {
            let numbers: Vec<usize> =
                (0..tokens.len()).filter(|i| tokens[*i].starts_with(|c: char| c.is_ascii_digit())).collect();
            let at = if numbers.is_empty() { at } else { *random.pick_ref(&numbers) };
            tokens[at] = random.pick_ref(NUMBERS).to_string();
        }
        9 => {
            let end = (at + len).min(tokens.len());
            tokens.drain(at..end);
        }
        10 => {
            let end = (at + len).min(tokens.len());
            let piece = tokens[at..end].to_vec();
            tokens.splice(other..other, piece);
        }
        11 => {
            let brackets: Vec<usize> = (0..tokens.len())
                .filter(|i| matches!(tokens[*i].as_str(), "{" | "}" | "(" | ")" | "[" | "]" | ";"))
                .collect();
            if !brackets.is_empty() {
                let at = *random.pick_ref(&brackets);
                tokens[at] = random.pick_ref(&["{", "}", "(", ")", "[", "]", ";", ""]).to_string();
            }
        }
        12 => {
            let (open, close) =
                *random.pick_ref(&[("(", ")"), ("{", "}"), ("[", "]"), ("(int)", ""), ("*", ""), ("!", "")]);
            let n = *random.pick_ref(&[3, 30, 300, 3000]);
            tokens[at] = format!("{}{}{}", open.repeat(n), tokens[at], close.repeat(n));
        }
        13 => {
            // Names for other names: types where values are wanted, and the reverse.
            let names: Vec<usize> = (0..tokens.len())
                .filter(|i| tokens[*i].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
                .collect();
            if !names.is_empty() {
                let (a, b) = (*random.pick_ref(&names), *random.pick_ref(&names));
                tokens[a] = tokens[b].clone();
            }
        }
        14 => tokens[at] = "x".repeat(*random.pick_ref(&[100, 5000])),
        _ => tokens.insert(
            at,
            format!(
                "\n#{}\n",
                random.pick_ref(&[
                    "",
                    "line 0",
                    "line 99999999999 \"z\"",
                    "pragma x",
                    "if 0",
                    "else",
                    "endif",
                    "define int long",
                    "include \"/\"",
                    " 7 \"gone.c\" 3"
                ])
            ),
        ),
    }
}

/// Words, numbers, strings, runs of blanks, and single characters; joined, they are the source.
fn tokens(source: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut kind = ' ';
    for c in source.chars() {
        let this = match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => 'w',
            ' ' | '\t' => 's',
            _ => 'p',
        };
        match out.last_mut() {
            Some(last) if this == kind && this != 'p' => last.push(c),
            _ => out.push(c.to_string()),
        }
        kind = this;
    }
    out
}

/// Large or deep input: each must be answered, by a verdict or a diagnostic, within seconds.
pub fn nasty() -> Vec<(&'static str, String)> {
    let body = |s: String| format!("int main(void)\n{{\n{s}\n    return 0;\n}}\n");
    let deep = 20_000;
    let r = |s: &str, n: usize| s.repeat(n);
    vec![
        ("deep parentheses", body(format!("    int x = {}1{};", r("(", deep), r(")", deep)))),
        ("open parentheses", body(format!("    int x = {}", r("(", deep)))),
        ("deep blocks", body(format!("{}{}", r("{", deep), r("}", deep)))),
        ("open blocks", body(r("{", deep))),
        (
            "deep subscripts",
            body(format!("    int a[1] = {{ 0 }}; return {}0{};", r("a[", deep), r("]", deep))),
        ),
        (
            "deep calls",
            format!(
                "static int f(int x) {{ return x; }}\n{}",
                body(format!("    return {}0{};", r("f(", deep), r(")", deep)))
            ),
        ),
        ("deep pointers", body(format!("    int {}p = 0;", r("*", deep)))),
        ("deep dereference", body(format!("    int x = 0; return {}x;", r("*&", deep)))),
        ("deep unary", body(format!("    int x = {}1;", r("- ", deep)))),
        ("deep not", body(format!("    int x = {}1;", r("!", deep)))),
        ("deep casts", body(format!("    int x = {}1;", r("(int)", deep)))),
        ("deep sizeof", body(format!("    unsigned long x = {}1;", r("sizeof ", deep)))),
        ("deep initialiser", body(format!("    int x = {}1{};", r("{", deep), r("}", deep)))),
        ("deep array type", body(format!("    int a{};", r("[1]", deep)))),
        ("deep declarator", body(format!("    int {}x{} = 1;", r("(", deep), r(")", deep)))),
        (
            "deep function type",
            format!("int {}f{};\n{}", r("(*", 5_000), r(")(void)", 5_000), body(String::new())),
        ),
        ("deep struct", format!("{} int x; {}\n{}", r("struct {", deep), r("};", deep), body(String::new()))),
        ("deep conditional", body(format!("    int x = {}0{};", r("1 ? ", deep), r(" : 0", deep)))),
        ("deep else", body(format!("    if (0) ;{}", r(" else if (0) ;", deep)))),
        ("deep if", body(format!("    {};", r("if (1) ", deep)))),
        ("deep while", body(format!("    {};", r("while (0) ", deep)))),
        ("deep labels", body((0..deep).map(|i| format!("l{i}: ")).collect::<String>() + ";")),
        (
            "deep statement expressions",
            body(format!("    int x = {}1;{};", r("({ ", 3_000), r(" })", 3_000))),
        ),
        ("deep typeof", body(format!("    int x; {}x{} y;", r("typeof(", 5_000), r(")", 5_000)))),
        ("deep generic", body(format!("    int x = {}1{};", r("_Generic(1, int: ", 3_000), r(")", 3_000)))),
        ("long sum", body(format!("    unsigned x = 0{};", r(" + 1u", 100_000)))),
        ("long comma", body(format!("    int x; x = 0{};", r(", 1", 100_000)))),
        ("long assignment", body(format!("    int x; {}1;", r("x = ", deep)))),
        ("long line", body(format!("    int x = 0;{}", r(" x = 1;", 1_500_000)))),
        ("long blank line", body(r(" ", 10_000_000))),
        ("long name", body(format!("    int {} = 1;", r("n", 1_000_000)))),
        ("long number", body(format!("    int x = {};", r("9", 100_000)))),
        ("long string", body(format!("    const char *s = \"{}\";", r("s", 1_000_000)))),
        ("many strings", body(format!("    const char *s = {};", r("\"ab\" ", 50_000)))),
        (
            "many cases",
            body(format!(
                "    switch (1) {{ {} }}",
                (0..50_000).map(|i| format!("case {i}: ")).collect::<String>() + ";"
            )),
        ),
        ("many locals", body((0..20_000).map(|i| format!("int v{i} = {i};\n")).collect())),
        (
            "many globals",
            (0..20_000).map(|i| format!("int g{i};\n")).collect::<String>() + &body(String::new()),
        ),
        (
            "many functions",
            (0..10_000).map(|i| format!("int f{i}(void) {{ return {i}; }}\n")).collect::<String>()
                + &body(String::new()),
        ),
        (
            "many enumerators",
            format!(
                "enum {{ {} }};\n{}",
                (0..50_000).map(|i| format!("e{i}, ")).collect::<String>(),
                body(String::new())
            ),
        ),
        ("wide range label", body("    switch (5) { case 0 ... 0x7fffffffffffffff: ; }".into())),
        (
            "wide range initialiser",
            body("    static char a[0x40000000] = { [0 ... 0x3fffffff] = 1 };".into()),
        ),
        ("large array", "static char a[0x7fffffff];\n".to_string() + &body("    a[0] = 1;".into())),
        ("large local array", body("    char a[0x7fffffff]; a[0] = 1;".into())),
        (
            "large alignment",
            "static _Alignas(0x100000000) char a;\n".to_string() + &body("    a = 1;".into()),
        ),
        ("large bit-field", "struct s { int x : 0x7fffffffffffffff; };\n".to_string() + &body(String::new())),
        (
            "enumerator past the end",
            "enum e { A = 0x7fffffffffffffff, B };\n".to_string() + &body(String::new()),
        ),
        ("division in a constant", body("    int a[1 / 0]; (void)a;".into())),
        ("overflow in a constant", body("    static int x = -2147483647 - 1 - 1; (void)x;".into())),
        (
            "minimum by minus one",
            body("    static long x = (-9223372036854775807L - 1) / -1; (void)x;".into()),
        ),
        (
            "remainder of the minimum",
            body("    static long x = (-9223372036854775807L - 1) % -1; (void)x;".into()),
        ),
        ("shift in a constant", body("    static int x = 1 << 99, y = 1 >> -1; (void)x; (void)y;".into())),
        ("own initialiser", body("    int x = x; return x;".into())),
        ("own size", body("    int x = sizeof x; return x - 4;".into())),
        (
            "endless recursion",
            "static int f(int x) { return f(x + 0); }\n".to_string() + &body("    return f(1);".into()),
        ),
        ("endless loop", body("    for (;;) ;".into())),
        ("endless counting", body("    for (unsigned long i = 0; ; i++) ;".into())),
        (
            "endless allocation",
            "#include <stdlib.h>\n".to_string() + &body("    for (;;) malloc(1000);".into()),
        ),
        (
            "large allocation",
            "#include <stdlib.h>\n".to_string()
                + &body("    char *p = malloc(0x7fffffffffffffff); return p != 0;".into()),
        ),
        (
            "allocation that overflows",
            "#include <stdlib.h>\n".to_string()
                + &body("    long *p = calloc(0x4000000000000000, 16); return p != 0;".into()),
        ),
        ("main calls main", "int main(void) { return main(); }\n".to_string()),
        ("main is a variable", "int main = 5;\n".to_string()),
        ("only a brace", "}".to_string()),
        ("only a quote", "\"".to_string()),
        ("only a hash", "#".to_string()),
        ("nothing", String::new()),
        ("zero bytes", "\0".repeat(1000)),
        ("backslashes", "\\\n".repeat(100_000)),
    ]
}
