//! The client of a violation as a C program of its own: any compiler takes it, and `lineal verify`
//! finds the violation in it again.
//!
//! - Wrong answers: the calls leave theirs in globals, and an assertion says that these never
//!   come together.
//! - Missing synchronisation: something is written before the one call and read after the other.
//!   If the other call's own answer shows that it comes later, that is an ordinary variable, and
//!   the violation is a data race; else the variable is atomic but relaxed, and the assertion is
//!   about what was read, too.
//! - Errors, and executions that only weak memory has, need nothing more than the calls.

use super::Loaded;
use super::operations::{cast, out_type, type_of};
use lineal_model::adt::Hold;
use lineal_model::history::Method;
use lineal_model::object::{Client, Exhibit, Outcome, Shows};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What stands above the client.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Lines of a comment.
    pub remarks: Vec<String>,
    /// `NAME` or `NAME=VALUE`, as given to the compiler.
    pub defines: Vec<String>,
    /// The object's file, as the program should name it.
    pub include: String,
}

pub fn listing(loaded: &Loaded, head: &Head, exhibit: &Exhibit) -> String {
    let Exhibit { client, shows } = exhibit;
    let program = Program { loaded, client, shows, race: race(loaded, client, shows) };
    let mut out = String::new();
    for line in &head.remarks {
        let _ = writeln!(out, "{}", format!("// {line}").trim_end());
    }
    for define in &head.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let _ = writeln!(out, "#define {name} {value}");
    }
    // The object's own main must not be the program's.
    let renamed = loaded.signatures.functions.contains_key("main");
    if renamed {
        out.push_str("#define main main_of_the_object\n");
    }
    let _ = writeln!(out, "#include \"{}\"", head.include);
    if renamed {
        out.push_str("#undef main\n");
    }
    if loaded.compiled.object.partial_lock {
        out.push_str("/* For the specification, which is not run here. */\n");
        for name in ["lineal_plock", "lineal_punlock"] {
            let _ = writeln!(out, "void {name}(int *lock) {{ (void)lock; }}");
        }
    }
    out.push_str("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\n");
    program.globals(&mut out);
    (0..client.threads.len()).for_each(|t| program.thread(&mut out, t));
    program.main(&mut out);
    out
}

/// The one pair whose second call tells by its answer that it took what the first one put there.
fn race(loaded: &Loaded, client: &Client, shows: &Shows) -> Option<(usize, usize)> {
    let Shows::Unseen(outcomes, pairs) = shows else { return None };
    let [(i, j)] = pairs[..] else { return None };
    let method = |c: usize| loaded.compiled.object.operations[client.calls[c].operation].method;
    let takes = |c: usize| loaded.compiled.object.kind.takes(method(c));
    let put = |c: usize| if takes(c) { None } else { client.calls[c].value };
    let Outcome::Value(v) = outcomes[j] else { return None };
    let only = (0..client.calls.len()).all(|c| (put(c) == Some(v)) == (c == i));
    (takes(j) && only && client.calls[j].key.is_none()).then_some((i, j))
}

fn held(hold: Hold) -> &'static str {
    match hold {
        Hold::Exclusive => "held",
        Hold::Shared => "shared",
    }
}

struct Program<'a> {
    loaded: &'a Loaded,
    client: &'a Client,
    shows: &'a Shows,
    race: Option<(usize, usize)>,
}

impl Program<'_> {
    fn show(&self, c: usize) -> String {
        self.loaded.compiled.object.show_call(&self.client.calls[c])
    }

    fn outcomes(&self) -> &[Outcome] {
        match self.shows {
            Shows::Answers(outcomes) | Shows::Unseen(outcomes, _) => outcomes,
            Shows::Error(_) | Shows::Order => &[],
        }
    }

    /// Pairs that are looked at through relaxed variables.
    fn unseen(&self) -> &[(usize, usize)] {
        match self.shows {
            Shows::Unseen(_, pairs) if self.race.is_none() => pairs,
            _ => &[],
        }
    }

    /// Whether the answer of a call is of interest.
    fn keeps(&self, c: usize) -> bool {
        let asked = match self.race {
            Some((_, j)) => c == j,
            None => self.outcomes().get(c).is_some_and(|o| *o != Outcome::Nothing),
        };
        let guards = |t: &Vec<usize>| t.contains(&c) && self.releases(t) && self.acquires(c).is_some();
        asked || self.client.threads.iter().any(guards)
    }

    fn may_be_empty(&self, c: usize) -> bool {
        self.loaded.compiled.object.operations[self.client.calls[c].operation].empty_if.is_some()
    }

    fn method(&self, c: usize) -> Method {
        self.loaded.compiled.object.operations[self.client.calls[c].operation].method
    }

    /// The variable that counts what the call gets of a lock, and that it gives back.
    fn acquires(&self, c: usize) -> Option<&'static str> {
        self.loaded.compiled.object.kind.acquires(self.method(c)).map(held)
    }

    fn released(&self, c: usize) -> Option<&'static str> {
        self.loaded.compiled.object.kind.releases(self.method(c)).map(held)
    }

    /// Whether the thread releases a lock, which it does only while it holds it.
    fn releases(&self, thread: &[usize]) -> bool {
        thread.iter().any(|&c| self.released(c).is_some())
    }

    /// Whether the call answers; what waits for a lock has it when it returns.
    fn answers(&self, c: usize) -> bool {
        self.loaded.compiled.object.operations[self.client.calls[c].operation].answer.is_some()
    }

    fn globals(&self, out: &mut String) {
        let n = self.client.calls.len();
        if (0..n).any(|c| self.keeps(c)) {
            let _ = writeln!(out, "static long answer[{n}]; /* of each call */");
        }
        if (0..n).any(|c| self.keeps(c) && self.may_be_empty(c)) {
            let _ = writeln!(out, "static int empty[{n}];   /* it answered that there was nothing */");
        }
        for c in self.client.waits.iter().map(|w| w.0).collect::<BTreeSet<_>>() {
            let _ = writeln!(out, "static atomic_int done_{c}; /* {} has returned */", self.show(c));
        }
        if let Some((i, j)) = self.race {
            let (i, j) = (self.show(i), self.show(j));
            let _ = writeln!(out, "static int data; /* written before {i}, read after {j} */");
        }
        for (k, &(i, j)) in self.unseen().iter().enumerate() {
            let (i, j) = (self.show(i), self.show(j));
            let _ = writeln!(out, "static atomic_int data_{k}; /* written before {i} */");
            let _ = writeln!(out, "static int seen_{k};        /* what is read there after {j} */");
        }
    }

    fn thread(&self, out: &mut String, t: usize) {
        let calls = &self.client.threads[t];
        let _ = writeln!(out, "\nstatic void *thread_{}(void *unused) {{", t + 1);
        let _ = writeln!(out, "    (void)unused;");
        if self.loaded.compiled.thread_state {
            let _ = writeln!(out, "    const int thread = {t}; (void)thread;");
        }
        for code in &self.loaded.compiled.object.thread_init {
            let _ = writeln!(out, "    {};", code.text);
        }
        if self.releases(calls) {
            out.push_str("    int held = 0, shared = 0; /* only who holds the lock releases it */\n");
            out.push_str("    (void)held; (void)shared;\n");
        }
        for &c in calls {
            for (i, _) in self.client.waits.iter().filter(|w| w.1 == c) {
                let _ =
                    writeln!(out, "    while (!atomic_load_explicit(&done_{i}, memory_order_acquire)) {{}}");
            }
            if self.race.is_some_and(|(i, _)| i == c) {
                out.push_str("    data = 1;\n");
            }
            for (k, _) in self.unseen().iter().enumerate().filter(|(_, p)| p.0 == c) {
                let _ = writeln!(out, "    atomic_store_explicit(&data_{k}, 1, memory_order_relaxed);");
            }
            let locks = self.releases(calls);
            if let Some(held) = self.released(c) {
                let _ = writeln!(out, "    if ({held} > 0) {{\n    {held}--;");
                self.call(out, c);
                out.push_str("    }\n");
            } else {
                self.call(out, c);
            }
            if let Some(held) = self.acquires(c).filter(|_| locks) {
                let _ = match self.answers(c) {
                    true => writeln!(out, "    if ({}answer[{c}]) {held}++;", self.unless_empty(c)),
                    false => writeln!(out, "    {held}++;"),
                };
            }
            if self.race.is_some_and(|(_, j)| j == c) {
                let _ = writeln!(out, "    if ({}) {{", self.gives(c));
                out.push_str("        int seen = data;\n        (void)seen;\n    }\n");
            }
            for (k, _) in self.unseen().iter().enumerate().filter(|(_, p)| p.1 == c) {
                let _ =
                    writeln!(out, "    seen_{k} = atomic_load_explicit(&data_{k}, memory_order_relaxed);");
            }
            if self.client.waits.iter().any(|w| w.0 == c) {
                let _ = writeln!(out, "    atomic_store_explicit(&done_{c}, 1, memory_order_release);");
            }
        }
        out.push_str("    return 0;\n}\n");
    }

    /// One call with its placeholders as locals.
    fn call(&self, out: &mut String, c: usize) {
        let loaded = self.loaded;
        let call = &self.client.calls[c];
        let operation = &loaded.compiled.object.operations[call.operation];
        let _ = writeln!(out, "    {{ /* {} */", self.show(c));
        for (name, number) in [("value", call.value), ("key", call.key), ("prio", call.prio)] {
            if let Some(number) = number {
                let ty = type_of(&loaded.signatures, operation, name);
                let _ = writeln!(
                    out,
                    "        {ty} {name} = {};",
                    cast(&loaded.signatures, operation, name, number)
                );
            }
        }
        if operation.takes.out {
            let ty = out_type(&loaded.signatures, operation);
            let _ = writeln!(out, "        {ty} found = {{0}}; {ty} *out = &found;");
        }
        let signature = loaded.signatures.functions.get(&operation.function);
        let text = &operation.call.text;
        match signature.is_some_and(|s| s.result.is_some()) && self.keeps(c) {
            true => writeln!(out, "        __typeof__({text}) result = {text}; (void)result;"),
            false => writeln!(out, "        {text};"),
        }
        .ok();
        if self.keeps(c) {
            if let Some(condition) = &operation.empty_if {
                let _ = writeln!(out, "        empty[{c}] = ({condition}) ? 1 : 0;");
            }
            if let Some(answer) = &operation.answer {
                let answer = if answer == "out" { "found" } else { answer };
                let unless = if self.may_be_empty(c) { format!("if (!empty[{c}]) ") } else { String::new() };
                let _ = writeln!(out, "        {unless}answer[{c}] = (long)({answer});");
            }
        }
        out.push_str("    }\n");
    }

    /// That a call gave the answer of the violation.
    fn gives(&self, c: usize) -> String {
        match self.outcomes()[c] {
            Outcome::Nothing => "1".into(),
            Outcome::Empty => format!("empty[{c}]"),
            Outcome::Value(v) => format!("{}answer[{c}] == {v}", self.unless_empty(c)),
        }
    }

    fn unless_empty(&self, c: usize) -> String {
        if self.may_be_empty(c) { format!("!empty[{c}] && ") } else { String::new() }
    }

    fn main(&self, out: &mut String) {
        let n = self.client.threads.len();
        out.push_str("\nint main(void) {\n");
        let _ = writeln!(out, "    pthread_t t[{n}];");
        for code in &self.loaded.compiled.object.init {
            let _ = writeln!(out, "    {};", code.text);
        }
        for t in 0..n {
            let _ = writeln!(out, "    pthread_create(&t[{t}], 0, thread_{}, 0);", t + 1);
        }
        let _ = writeln!(out, "    for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);");
        self.assertion(out);
        for code in &self.loaded.compiled.object.fini {
            let _ = writeln!(out, "    {};", code.text);
        }
        out.push_str("    return 0;\n}\n");
    }

    fn assertion(&self, out: &mut String) {
        let said = match self.shows {
            Shows::Answers(_) => "no order of the calls gives these answers together",
            Shows::Unseen(..) if self.race.is_none() => "with these answers, it must have been seen",
            _ => return,
        };
        let answered = |c: &usize| self.outcomes()[*c] != Outcome::Nothing;
        let mut all: Vec<String> =
            (0..self.outcomes().len()).filter(answered).map(|c| self.gives(c)).collect();
        all.extend((0..self.unseen().len()).map(|k| format!("!seen_{k}")));
        if all.is_empty() {
            all.push("1".into());
        }
        let _ = writeln!(out, "    /* {said} */");
        let _ = writeln!(out, "    assert(!({}));", all.join("\n             && "));
    }
}
