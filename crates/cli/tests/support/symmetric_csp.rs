//! Random CSP# models of processes that differ only in their number, or almost: names are stored,
//! compared, used as indices, sent over channels and counted through by loops, and now and then one
//! of them is named outright.

use lineal_sweep::Choices;
fn pick<'t>(rng: &mut Choices, from: &[&'t str]) -> &'t str {
    from[rng.below(from.len() as u32) as usize]
}

/// What the model has besides arrays.
#[derive(Clone, Copy)]
struct Features {
    channels: bool,
    constants: bool,
}

fn condition(rng: &mut Choices, f: Features) -> String {
    let constant = ["a[0] == 1", "last == 0", "i == 0", "a[N-1] == 0", "last < 1"];
    let plain = [
        "a[i] == 0",
        "a[i] == 1",
        "last == NONE",
        "last == i",
        "last != NONE && a[last] == 1",
        "nx[i] == NONE",
        "nx[i] == last",
        "g == 0",
        "g < 2",
        "m[i][i] == 0",
        "m[i][i] == 1",
        "last != NONE && m[last][i] == 2",
        "(&& k:{0..N-1}@(a[k] == a[i]))",
    ];
    match f.constants && rng.below(8) == 0 {
        true => pick(rng, &constant),
        false => pick(rng, &plain),
    }
    .into()
}

/// One statement; `j`: inside a loop over all names.
fn statement(rng: &mut Choices, f: Features, j: bool) -> String {
    let rounds = [
        "a[j] = 1;",
        "a[j] = a[i];",
        "b[j] = a[j];",
        "m[j][i] = 1;",
        "m[i][j] = 1;",
        "m[i][j] = m[j][i];",
        "m[j][j] = 2;",
        "if (last != NONE) { m[last][j] = 2; }",
        "if (last != NONE) { m[j][last] = a[j]; }",
        "if (j != i) { a[j] = 2; }",
        "if (j == last) { a[j] = 0; } else { b[j] = 1; }",
        "nx[j] = i;",
        "nx[j] = j;",
        "if (nx[j] == NONE) { nx[j] = last; }",
        "last = j;",
        "g = j;",
        "a[j] = g;",
        "if (g < 3) { g = g + 1; }",
    ];
    let once = [
        "a[i] = 1;",
        "a[i] = 1 - a[i];",
        "b[i] = a[i];",
        "last = i;",
        "last = NONE;",
        "nx[i] = last;",
        "nx[i] = i;",
        "last = nx[i];",
        "m[i][i] = 1;",
        "if (last != NONE) { m[last][i] = 2; }",
        "if (last != NONE) { a[last] = a[i]; }",
        "if (last != i) { b[i] = 1; }",
        "g = 1 - g;",
        "if (g < 2) { g = g + 1; }",
        "var k = last; if (k == i) { nx[i] = k; }",
        "b[i] = a[i] + b[i]; if (b[i] > 1) { b[i] = 0; }",
    ];
    let constant =
        ["a[0] = 1;", "last = 0;", "nx[i] = 1;", "m[0][i] = 1;", "a[N-1] = a[i];", "g = i;", "m[1] = 2;"];
    let wrong = ["a[last] = 1;", "a[g + 1] = 1;", "g = 2 / a[i];", "m[last][i] = 1;"];
    match rng.below(24) {
        0 if f.constants => pick(rng, &constant),
        1 if f.constants => pick(rng, &wrong),
        _ if j => pick(rng, &rounds),
        _ => pick(rng, &once),
    }
    .into()
}

fn block(rng: &mut Choices, f: Features) -> String {
    let mut all = String::new();
    for _ in 0..rng.below(2) {
        all += &statement(rng, f, false);
    }
    if rng.below(4) == 0 {
        let n = pick(rng, &["N", "N", "N", "N", "1", "0"]);
        all += &format!("var j = 0; while (j < {n}) {{ ");
        for _ in 0..=rng.below(2) {
            all += &statement(rng, f, true);
        }
        all += " j = j + 1; }";
        if rng.below(6) == 0 {
            all += pick(rng, &["last = j;", "g = j;", "if (j == i) { a[i] = 1; }"]);
        }
    } else {
        all += &statement(rng, f, false);
    }
    all
}

fn label(rng: &mut Choices, f: Features) -> String {
    let constant = ["x.0", "x.1"];
    let plain = ["x.i", "x.i", "y", "z.a[i]", "w.last", "w.nx[i]", "v.i.b[i]", "z.m[i][i]"];
    match f.constants && rng.below(10) == 0 {
        true => pick(rng, &constant),
        false => pick(rng, &plain),
    }
    .into()
}

fn action(rng: &mut Choices, f: Features) -> String {
    if f.channels && rng.below(3) == 0 {
        let sends = ["c!i", "c!a[i]", "d[i]!1", "c!last", "r!i", "r!i.a[i]"];
        let receives = ["c?k", "c?[k == i]k", "d[i]?k", "c?i", "r?k", "r?k.l"];
        return match rng.below(2) {
            0 => pick(rng, &sends).into(),
            _ => pick(rng, &receives).into(),
        };
    }
    match rng.below(4) {
        0 => label(rng, f),
        1 => format!("tau{{{}}}", block(rng, f)),
        _ => format!("{}{{{}}}", label(rng, f), block(rng, f)),
    }
}

fn process(rng: &mut Choices, f: Features, depth: u32) -> String {
    if depth == 0 {
        return pick(rng, &["Stop", "Skip", "Skip", "y -> Stop", "x.i -> Skip"]).into();
    }
    let sub = |rng: &mut Choices| process(rng, f, depth - 1);
    match rng.below(14) {
        0..=6 => format!("{} -> ({})", action(rng, f), sub(rng)),
        7 => format!("[{}] ({})", condition(rng, f), sub(rng)),
        8 => format!("ifa ({}) {{ {} }} else {{ {} }}", condition(rng, f), sub(rng), sub(rng)),
        9 => format!("if ({}) {{ {} }} else {{ {} }}", condition(rng, f), sub(rng), sub(rng)),
        10 => format!("(({}) [] ({}))", sub(rng), sub(rng)),
        11 => format!("(({}) <> ({}))", sub(rng), sub(rng)),
        12 => format!("([] k:{{0..N-1}}@(x.k{{ a[k] = 1; }} -> ({})))", sub(rng)),
        _ => format!(
            "case {{ {}: ({}) {}: ({}) default: ({}) }}",
            condition(rng, f),
            sub(rng),
            condition(rng, f),
            sub(rng),
            sub(rng)
        ),
    }
}

fn system(rng: &mut Choices) -> &'static str {
    pick(
        rng,
        &[
            "||| i:{0..N-1}@P(i)",
            "||| i:{0..N-1}@P(i)",
            "||| i:{0..N-1}@P(i)",
            "(||| i:{0..N-1}@P(i)) \\ {y, k:{0..N-1}@x.k}",
            "(||| i:{0..N-1}@P(i)) \\ {y, x.0}",
            "||| i:{0..N-1}@((P(i) ||| C()) \\ {x.i})",
            "(||| i:{0..N-1}@P(i)) ||| C()",
            "||| i:{0..N-1}@(P(i) \\ {x.i})",
            "P(0) ||| P(1)",
            "(||| i:{0..N-1}@P(i)); C()",
            "|||{2}@P(0)",
            "(|||{3}@P(1)) \\ {y}",
            "(|||{2}@P(0)) ||| C() ||| C()",
            "(||| i:{0..N-1}@P(i)) ||| (|||{2}@C())",
        ],
    )
}

const GOALS: [&str; 18] = [
    "a[0] == 0 && a[1] == 1",
    "a[0] == 1 && a[1] == 0",
    "a[1] == 2",
    "last == 0",
    "last == 1 && a[0] == 0",
    "last == NONE && a[0] + a[1] == 1",
    "a[0] == a[1]",
    "m[0][1] == 2 && m[1][0] != 2",
    "m[1][0] == 1",
    "nx[0] == 1",
    "nx[1] == 1 && nx[0] == NONE",
    "(&& k:{0..N-1}@(a[k] == 1))",
    "(|| k:{0..N-1}@(nx[k] == k))",
    "g == 2",
    "last != NONE && a[last] == 0",
    "a[last] == 1",
    "m[2] == 2",
    "b[1] == 1 && b[0] == 0",
];

const EXTREMES: [&str; 7] = [
    "max(a[1])",
    "min(a[0] + 2 * m[0][1])",
    "max(last)",
    "max(g)",
    "max(nx[0])",
    "min(b[0] - b[1])",
    "max(a[last])",
];

/// How many assertions each model makes.
pub const ASSERTIONS: usize = 10;

/// Ten assertions: the last three are refinements.
pub fn model(rng: &mut Choices) -> String {
    let features = Features { channels: rng.below(5) == 0, constants: rng.below(2) == 0 };
    let depth = 2 + rng.below(2);
    let imp = process(rng, features, depth);
    let spec = match rng.below(4) {
        0 => imp.clone(),
        1 => process(rng, features, depth),
        // A part of the text taken from elsewhere: most often events or values.
        2 => imp.replacen("= 1", "= 0", 1),
        _ => imp.replacen("x.i", "y", 1),
    };
    let literal = rng.below(3) == 0;
    let n = if rng.below(4) == 0 { 3 } else { 2 };
    let mut text = format!(
        "#define N {n};\n#define NONE -1;\nvar a[N]; var b[N]; var m[N][N]; var g = 0; var last = NONE; \
         var nx = [NONE({n})];\n"
    );
    if features.channels {
        text += "channel c 2; channel d[N] 1; channel r 0;\n";
    }
    let (top, other) = (system(rng), system(rng));
    let spec_top = if rng.below(4) == 0 { other } else { top };
    let nobody = |body: String| if literal { body.replace("NONE", "-1") } else { body };
    let (imp, spec) = (nobody(imp), nobody(spec));
    text += &format!("P(i) = {imp};\nS(i) = {spec};\nC() = [] k:{{0..N-1}}@(x.k -> Skip) [] y -> Stop;\n");
    text += &format!("Sys() = {top};\nSpec() = {};\n", spec_top.replace("P(", "S("));
    for _ in 0..3 {
        text += &format!("#assert Sys() reaches {};\n", pick(rng, &GOALS));
    }
    text += &format!("#assert Sys() reaches {} with {};\n", pick(rng, &GOALS), pick(rng, &EXTREMES));
    text += "#assert Sys() deadlockfree;\n#assert Sys() nonterminating;\n#assert Sys() divergencefree;\n";
    text += "#assert Sys() refines Spec();\n#assert Sys() refines<F> Spec();\n#assert Sys() refines<FD> Spec();\n";
    text
}
