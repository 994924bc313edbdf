//! Random small CSP# systems with a temporal assertion about them: two or three processes with shared
//! variables, some of them exchangeable, and formulas over events and conditions.

use lineal_sweep::Choices;

const EVENTS: [&str; 4] = ["a", "b", "c", "e.i"];

fn condition(rng: &mut Choices) -> &'static str {
    rng.pick(&["g == 0", "g == 1", "h == 0", "h == 1", "l[i] == 0", "l[i] == g"])
}

fn block(rng: &mut Choices) -> &'static str {
    rng.pick(&[
        // These two may fault.
        "{h = 1 / (1 - g);}",
        "{l[i] = l[3 * h];}",
        "{g = 1 - g;}",
        "{h = 1 - h;}",
        "{l[i] = 1 - l[i];}",
        "{g = l[i];}",
        "{h = 0;}",
        "{l[i] = g; h = 1;}",
    ])
}

/// With annotations, if they are wanted.
fn action(rng: &mut Choices, annotate: bool) -> String {
    let event: &str = rng.pick(&EVENTS);
    // What may be hidden has none.
    let word = match annotate && event != "c" && !rng.one_in(3) {
        true => rng.pick(&["wf", "sf", "wl", "sl"]),
        false => "",
    };
    let event = if word.is_empty() { event.to_string() } else { format!("{word}({event})") };
    match rng.below(8) {
        0..=2 => event,
        3..=4 => format!("{event}{}", block(rng)),
        5 => "tau".into(),
        6 => format!("tau{}", block(rng)),
        _ => "e.l[i]".into(),
    }
}

/// `defs`: how many definitions there are to call.
fn process(rng: &mut Choices, depth: u32, defs: u32, annotate: bool) -> String {
    if depth == 0 {
        return match rng.below(10) {
            0 => "Stop".into(),
            1 => "Skip".into(),
            _ => format!("{} -> D{}(i)", action(rng, annotate), rng.below(defs)),
        };
    }
    let mut sub = || process(rng, depth - 1, defs, annotate);
    let (one, two) = (sub(), sub());
    match rng.below(11) {
        0..=3 => format!("{} -> ({one})", action(rng, annotate)),
        4..=5 => format!("({one}) [] ({two})"),
        6 => format!("({one}) <> ({two})"),
        7 => format!("[{}] ({one})", condition(rng)),
        10 => parts(rng, annotate),
        8 => format!("ifa ({}) {{{one}}} else {{{two}}}", condition(rng)),
        _ => format!("if ({}) {{{one}}} else {{{two}}}", condition(rng)),
    }
}

/// A process that splits into parts.
fn parts(rng: &mut Choices, annotate: bool) -> String {
    let mut one = || match rng.below(4) {
        0 => "Skip".to_string(),
        1 => "Stop".into(),
        2 => format!("{} -> Skip", action(rng, annotate)),
        _ => format!("{} -> {} -> Stop", action(rng, annotate), action(rng, annotate)),
    };
    let (a, b) = (one(), one());
    let op: &str = rng.pick(&["|||", "|||", "||"]);
    format!("(({a}) {op} ({b}))")
}

fn atom(rng: &mut Choices) -> String {
    rng.pick(&["a", "b", "c", "e.0", "e.1", "p", "q", "r", "terminate", "p", "q"]).into()
}

fn formula(rng: &mut Choices, depth: u32) -> String {
    if depth == 0 || rng.one_in(6) {
        return match rng.below(12) {
            0 => "true".into(),
            1..=3 => format!("!{}", atom(rng)),
            _ => atom(rng),
        };
    }
    let one = formula(rng, depth - 1);
    match rng.below(18) {
        0..=2 => format!("[]({one})"),
        3..=5 => format!("<>({one})"),
        6 => format!("[]<>({one})"),
        7 => format!("<>[]({one})"),
        8 => format!("X({one})"),
        9 => format!("!({one})"),
        n => {
            let two = formula(rng, depth - 1);
            let op = ["&&", "||", "->", "U", "R", "->", "||", "U"][n as usize - 10];
            match rng.below(12) {
                0 => format!("({one}) <-> ({two})"),
                1 => format!("({one}) xor ({two})"),
                2 | 3 => format!("[](({one}) -> <>({two}))"),
                _ => format!("({one}) {op} ({two})"),
            }
        }
    }
}

pub fn case(rng: &mut Choices) -> String {
    made(rng, false)
}

/// The same with annotations of events.
pub fn annotated(rng: &mut Choices) -> String {
    made(rng, true)
}

/// Equal processes that split into parts.
pub fn split(rng: &mut Choices) -> String {
    let mut text = String::from(HEAD);
    let action = action(rng, false);
    let (one, two) = (parts(rng, false), process(rng, 1, 2, false));
    text += &match rng.below(3) {
        0 => format!("D0(i) = {one} [] ({two});\n"),
        1 => format!("D0(i) = {action} -> ({one} [] ({two}));\n"),
        _ => format!("D0(i) = ({two}) [] ({one}; {action} -> D0(i));\n"),
    };
    text += &format!("D1(i) = {};\n", process(rng, 1, 2, false));
    let system = match rng.below(4) {
        0 => "|||{3}@D0(0)",
        1 => "(|||{2}@D0(1)) ||| D1(0)",
        _ => "|||{2}@D0(0)",
    };
    let depth = 1 + rng.below(2u32);
    text + &format!("S() = {system};\n#assert S() |= {};\n", formula(rng, depth))
}

const HEAD: &str =
    "var g = 0;\nvar h = 0;\nvar l[3];\n#define p g == 1;\n#define q h == 1;\n#define r g == h;\n";

fn made(rng: &mut Choices, annotate: bool) -> String {
    let defs = 1 + rng.below(3u32);
    let mut text = String::from(HEAD);
    for d in 0..defs {
        let depth = 1 + rng.below(2u32);
        text += &format!("D{d}(i) = {};\n", process(rng, depth, defs, annotate));
    }
    let system = match rng.below(10) {
        0..=2 => "|||i:{0..1}@D0(i)".to_string(),
        3 => "|||i:{0..2}@D0(i)".into(),
        4 => "D0(0)".into(),
        5 => format!("D0(0) ||| D{}(1)", rng.below(defs)),
        6 => format!("D0(0) || D{}(1)", rng.below(defs)),
        7 => "|||{2}@D0(0)".into(),
        8 => format!("(|||{{2}}@D0(1)) ||| D{}(0)", rng.below(defs)),
        _ if annotate => format!("(D0(0) ||| D{}(1)) \\ {{c}}", rng.below(defs)),
        _ => format!("(D0(0) ||| D{}(1)) \\ {{a, b}}", rng.below(defs)),
    };
    let depth = 2 + rng.below(2u32);
    text + &format!("S() = {system};\n#assert S() |= {};\n", formula(rng, depth))
}
