//! Random pairs of small CSP# processes with internal steps on both sides. The specification is
//! most often a changed copy of the implementation, so that both verdicts are common.

use lineal_sweep::Choices;
#[derive(Clone)]
enum P {
    Stop,
    Skip,
    Prefix(String, Box<P>),
    /// keyword, condition, branches
    Test(&'static str, String, Box<P>, Box<P>),
    Guard(String, Box<P>),
    Op(&'static str, Box<P>, Box<P>),
    Hide(Box<P>, char),
    Call(u32),
}

/// Definitions of one side.
const DEFS: u32 = 3;

fn condition(rng: &mut Choices) -> String {
    match rng.below(5) {
        0 => "g == 0".into(),
        1 => "h == 1".into(),
        2 => "l[i] == 0".into(),
        3 => "l[i] == 1".into(),
        _ => "m[i] == g".into(),
    }
}

fn action(rng: &mut Choices) -> String {
    let event = ["a", "b", "c"][rng.below(3) as usize];
    let block = match rng.below(5) {
        0 => "{g = 1 - g;}",
        1 => "{l[i] = 1 - l[i];}",
        2 => "{m[i] = g;}",
        3 => "{h = l[i];}",
        _ => "{l[i] = m[i]; m[i] = 0;}",
    };
    match rng.below(12) {
        0..=3 => event.into(),
        4 => "p.i".into(),
        5 => "e.l[i]".into(),
        6 => "tau".into(),
        7 => format!("{event}{block}"),
        8 => "e.m[i]".into(),
        _ => format!("tau{block}"),
    }
}

/// `tail`: a call here does not pile anything up.
fn process(rng: &mut Choices, depth: u32, tail: bool) -> P {
    if depth == 0 {
        return match rng.below(8) {
            0 => P::Stop,
            1 => P::Skip,
            _ if tail => P::Prefix(action(rng), Box::new(P::Call(rng.below(DEFS)))),
            _ => P::Prefix(action(rng), Box::new(P::Skip)),
        };
    }
    let sub = |rng: &mut Choices, tail: bool| Box::new(process(rng, depth - 1, tail));
    match rng.below(16) {
        0..=5 => P::Prefix(action(rng), sub(rng, tail)),
        6 => P::Test("if", condition(rng), sub(rng, tail), sub(rng, tail)),
        7 => P::Test("ifa", condition(rng), sub(rng, tail), sub(rng, tail)),
        8 => P::Guard(condition(rng), sub(rng, tail)),
        9 | 10 => P::Op("[]", sub(rng, tail), sub(rng, tail)),
        11 => P::Op("<>", sub(rng, tail), sub(rng, tail)),
        12 => P::Op("[*]", sub(rng, false), sub(rng, false)),
        13 => P::Op(";", sub(rng, false), sub(rng, tail)),
        14 => P::Op("interrupt", sub(rng, false), sub(rng, tail)),
        _ => P::Hide(sub(rng, false), ['a', 'b', 'c'][rng.below(3) as usize]),
    }
}

/// A small change somewhere.
fn change(rng: &mut Choices, p: &mut P) {
    let here = rng.one_in(3);
    match p {
        P::Prefix(_, next) if !here => change(rng, next),
        P::Test(_, _, a, b) | P::Op(_, a, b) if !here => {
            let side = if rng.one_in(2) { a } else { b };
            change(rng, side)
        }
        P::Guard(_, a) | P::Hide(a, _) if !here => change(rng, a),
        _ => {
            let old = p.clone();
            *p = match (rng.below(8), old) {
                (0, old) => P::Prefix("tau".into(), Box::new(old)),
                (1, old) => P::Op("[]", Box::new(old), Box::new(process(rng, 1, false))),
                (2, old) => P::Op("<>", Box::new(old), Box::new(P::Stop)),
                (3, old) => P::Op("<>", Box::new(old), Box::new(process(rng, 1, false))),
                (4, P::Prefix(_, next)) => P::Prefix(action(rng), next),
                (5, P::Op("[]", a, b)) => P::Op("<>", a, b),
                (5, P::Op("<>", a, b)) => P::Op("[]", a, b),
                (6, P::Op("[]", a, _)) => *a,
                (6, P::Guard(_, a)) => *a,
                (_, old) => P::Op("[]", Box::new(old), Box::new(P::Prefix(action(rng), Box::new(P::Skip)))),
            };
        }
    }
}

fn write(p: &P, side: &str, out: &mut String) {
    match p {
        P::Stop => out.push_str("Stop"),
        P::Skip => out.push_str("Skip"),
        P::Prefix(action, next) => {
            out.push_str(&format!("{action} -> ("));
            write(next, side, out);
            out.push(')');
        }
        P::Test(word, c, a, b) => {
            out.push_str(&format!("{word} ({c}) {{ "));
            write(a, side, out);
            out.push_str(" } else { ");
            write(b, side, out);
            out.push_str(" }");
        }
        P::Guard(c, a) => {
            out.push_str(&format!("[{c}] ("));
            write(a, side, out);
            out.push(')');
        }
        P::Op(op, a, b) => {
            out.push_str("((");
            write(a, side, out);
            out.push_str(&format!(") {op} ("));
            write(b, side, out);
            out.push_str("))");
        }
        P::Hide(a, e) => {
            out.push('(');
            write(a, side, out);
            out.push_str(&format!(") \\ {{{e}}}"));
        }
        P::Call(n) => out.push_str(&format!("{side}{n}(i)")),
    }
}

fn system(rng: &mut Choices) -> &'static str {
    [
        "X0(0)",
        "X0(0) ||| X1(1)",
        "(X0(0) ||| X1(1)) \\ {c}",
        "(X0(0) ||| X0(1)) \\ {a}",
        "X0(0) || X1(1)",
        "||| i:{0..N-1}@X0(i)",
        "(||| i:{0..N-1}@X0(i)) \\ {c, e.0, e.1}",
        "(||| i:{0..N-1}@X0(i)) \\ {c, x:{0..N-1}@p.x}",
        "(||| i:{0..N-1}@X0(i)) ||| X1(0)",
        "(X0(0) ||| X1(1)); X2(0)",
    ][rng.below(10) as usize]
}

/// Several ways into one state of the implementation, after which the specification may be in one
/// place or in either of two: whether a step is allowed depends on how large its set is.
fn ways(rng: &mut Choices) -> (Vec<P>, Vec<P>) {
    let events = ["a", "b", "c"];
    // A choice of the events in `mask`, each to one of `next`; now and then by way of τ.
    let choice = |rng: &mut Choices, mask: u32, next: &[u32]| {
        let mut all = None;
        for (i, event) in events.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1) {
            for &n in next.iter().skip(if next.len() > 1 { i % 2 } else { 0 }) {
                let then = match rng.one_in(4) {
                    true => P::Prefix("tau".into(), Box::new(P::Call(n))),
                    false => P::Call(n),
                };
                let step = P::Prefix(event.to_string(), Box::new(then));
                all = Some(match all {
                    None => step,
                    Some(all) => P::Op("[]", Box::new(all), Box::new(step)),
                });
            }
        }
        all.expect("a mask that is not empty")
    };
    // The first place allows something that the second does not.
    let two = 1 + rng.below(6);
    let one = rng.below(8) | 7 & !two;
    let ways = [3, 6, 7][rng.below(3) as usize];
    let offered = if rng.one_in(4) { two } else { one | two };
    let imp = vec![choice(rng, ways, &[1]), choice(rng, offered, &[0]), P::Skip];
    // By every event to both places, or by `b` to the second only.
    let first = match rng.one_in(3) {
        false => choice(rng, ways, &[1, 2]),
        true => {
            let both = [choice(rng, ways, &[1]), choice(rng, ways, &[2])].map(Box::new);
            let [a, b] = both;
            P::Op("[]", a, b)
        }
    };
    let spec = vec![first, choice(rng, one, &[0]), choice(rng, two, &[0])];
    (imp, spec)
}

/// A model that asserts `I() refines S()`, `refines<F>` and `refines<FD>`.
pub fn pair(rng: &mut Choices) -> String {
    let prepared = rng.one_in(3).then(|| ways(rng));
    let imp: Vec<P> = match &prepared {
        Some((imp, _)) => imp.clone(),
        None => (0..DEFS).map(|_| process(rng, 2, true)).collect(),
    };
    let independent = prepared.is_none() && rng.one_in(4);
    let spec: Vec<P> = match independent {
        _ if prepared.is_some() => prepared.as_ref().map_or(Vec::new(), |(_, spec)| spec.clone()),
        true => (0..DEFS).map(|_| process(rng, 2, true)).collect(),
        false => {
            let mut spec = imp.clone();
            for p in &mut spec {
                if !rng.one_in(3) {
                    change(rng, p);
                }
            }
            spec
        }
    };
    let top = system(rng);
    let spec_top = if independent { system(rng) } else { top };
    let swap = prepared.is_none() && rng.one_in(3);
    let mut text = format!(
        "#define N {};\nvar g = 0; var h = 0; var l[N]; var m[N];\n",
        if rng.one_in(8) { 3 } else { 2 }
    );
    for (side, defs) in [("I", &imp), ("S", &spec)] {
        let side = if swap { if side == "I" { "S" } else { "I" } } else { side };
        for (n, p) in defs.iter().enumerate() {
            text.push_str(&format!("{side}{n}(i) = "));
            write(p, side, &mut text);
            text.push_str(";\n");
        }
    }
    let (top, spec_top) = if swap { (spec_top, top) } else { (top, spec_top) };
    text.push_str(&format!("I() = {};\nS() = {};\n", top.replace('X', "I"), spec_top.replace('X', "S")));
    text.push_str("#assert I() refines S();\n#assert I() refines<F> S();\n#assert I() refines<FD> S();\n");
    text
}
