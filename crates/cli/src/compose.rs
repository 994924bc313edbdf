//! `lineal robust client.c --libraries a.c,b.c`: is the client robust, given its libraries, and do
//! fences separate them? Each library is asked about by itself first.

use crate::check::bound;
use crate::desk::Desk;
use crate::options::SourceArgs;
use crate::robust::{self, RobustArgs};
use crate::{preprocess, units, verify};
use lineal_check::conform::{self, Asked, Question, Reductions};
use lineal_check::graph;
use lineal_check::robust::compose::{Client, Entry, Library, Standing, Walked, compose};
use lineal_check::robust::proof::{BuiltIn, Switches, prove};
use lineal_lang::c11::{self, Unit, object};
use lineal_model::object::{Level, Object};
use lineal_model::program::client::Compiled;
use lineal_model::{Assumption, Diagnostic, Extent, Memory, Scope, Verdict};
use std::collections::BTreeSet;

/// Calls of clients of each library, if nothing is said.
const CALLS: &str = "4";

pub fn run(args: &RobustArgs, memory: Memory, desk: &Desk) {
    desk.about("weak memory adds no executions");
    desk.doing("preprocessing");
    let client = match preprocess::run(&args.source, desk) {
        Ok(units) => units,
        Err(found) => return desk.diagnostics(found),
    };
    if object::declares(&client) {
        let text = "the client declares an object; with --libraries it is a program that calls theirs";
        return desk.diagnostics([Diagnostic::error("L0120", text).help(
            "name the file that declares the object in --libraries, and give a program with a `main`",
        )]);
    }
    if memory == Memory::Ra {
        let text = "under ra nothing separates libraries: its seq_cst fences are acq_rel ones";
        return desk.diagnostics([Diagnostic::error("L0012", text).help(
            "name another memory model, --memory rc11 or tso, or ask about the client without --libraries",
        )]);
    }
    let source = SourceArgs { files: args.libraries.clone(), ..args.source.clone() };
    let libraries = match preprocess::run(&source, desk) {
        Ok(units) => units,
        Err(found) => return desk.diagnostics(found),
    };
    let all: Vec<Unit> = client.iter().chain(&libraries).cloned().collect();
    if args.replay.is_some() {
        return robust::program(args, memory, &all, desk);
    }
    desk.doing("reading the client");
    let machine = match c11::load(&all, &args.source.reading()) {
        Ok((machine, warnings)) => {
            desk.diagnostics(warnings);
            machine
        }
        Err(found) => return desk.diagnostics(found),
    };
    let unroll_at = match verify::loops(&args.unroll, &machine) {
        Ok(bounds) => bounds,
        Err(found) => return desk.diagnostics(found),
    };
    let mut described = Vec::new();
    for unit in &libraries {
        match library(args, memory, &client, unit, desk) {
            Ok(found) => described.extend(found),
            Err(found) => return desk.diagnostics(found),
        }
    }
    let (unroll, identity) = (units::rounds(&args.unroll), machine.identity());
    // A build for the engine's own tests has further fields.
    #[allow(clippy::needless_update)]
    let options = graph::Options { unroll, unroll_at, symmetry: true, identity, ..graph::Options::default() };
    let sources: Vec<String> = client.iter().map(|u| u.name.clone()).collect();
    let client = Client { machine: &machine, sources: &sources, libraries: &described, memory, options };
    desk.doing("walking the client");
    let fencing = client.fencing();
    let refused = refused(&client, &fencing.walked);
    if !refused.is_empty() {
        return desk.diagnostics(refused);
    }
    let assumptions = machine.program.assumptions.clone();
    desk.check(|effort, watch| {
        let mut finding = compose(&client, &fencing, effort, watch);
        if let Verdict::Holds(scope) = &mut finding.verdict {
            let known: BTreeSet<Assumption> = scope.assumptions.iter().cloned().collect();
            scope.assumptions.extend(assumptions.into_iter().filter(|a| !known.contains(a)));
        }
        finding.remarks.extend(described.iter().map(standing));
        verify::draw(&finding, args.dot.as_deref(), desk);
        finding
    });
}

/// What the client does that it must not.
fn refused(client: &Client<'_>, walked: &Walked) -> Vec<Diagnostic> {
    let name = |n: usize| &client.libraries[n].name;
    let touches = walked.touches.iter().map(|(&pc, &n)| {
        let text = format!("the client accesses memory of {} itself", name(n));
        let found = Diagnostic::error("L0134", text)
            .help("a library is robust for clients that call it; call it, or do without --libraries");
        place(found, client, pc)
    });
    let undeclared = walked.undeclared.iter().map(|(&pc, (n, function))| {
        let text = format!("`{function}` is no operation of {}, as far as that is declared", name(*n));
        let help = "declare it with #pragma lineal op …, or init, so that robustness is asked with it";
        place(Diagnostic::error("L0135", text).help(help), client, pc)
    });
    touches.chain(undeclared).collect()
}

fn place(found: Diagnostic, client: &Client<'_>, pc: u32) -> Diagnostic {
    match client.place(pc) {
        Some(at) => found.at(at),
        None => found,
    }
}

/// How a library does by itself, for people.
fn standing(library: &Library) -> String {
    let name = &library.name;
    match &library.standing {
        Standing::Robust { calls: Some(n), .. } => {
            let calls = if *n == 1 { "1 call".into() } else { format!("{n} calls") };
            format!("{name} by itself is robust for every client with at most {calls}.")
        }
        Standing::Robust { calls: None, .. } => format!("{name} by itself is robust for every client."),
        Standing::Granted => {
            format!("{name} declares no object, so whether it is robust by itself was not asked.")
        }
        Standing::Open(_) => format!("About {name} by itself, ask lineal robust."),
    }
}

/// The objects that a library declares, each asked about by itself.
fn library(
    args: &RobustArgs,
    memory: Memory,
    client: &[Unit],
    unit: &Unit,
    desk: &Desk,
) -> Result<Vec<Library>, Vec<Diagnostic>> {
    let clients: BTreeSet<&str> = client.iter().flat_map(Unit::file_names).collect();
    let own = unit.file_names().filter(|f| *f == unit.name || !clients.contains(f));
    let files: Vec<String> = own.map(str::to_string).collect();
    if !object::declares(std::slice::from_ref(unit)) {
        let name = unit.name.clone();
        return Ok(vec![Library { name, files, entries: Vec::new(), standing: Standing::Granted }]);
    }
    let mut found = Vec::new();
    for name in object::names(std::slice::from_ref(unit)) {
        desk.doing("reading a library");
        let reading = c11::Options { unspecified: true, ..args.source.reading() };
        let (loaded, _) = object::load_one(std::slice::from_ref(unit), &reading, Some(&name))?;
        let object = &loaded.compiled.object;
        desk.doing("asking about a library by itself");
        found.push(Library {
            name: format!("{name} ({})", unit.name),
            files: files.clone(),
            entries: entries(object),
            standing: asked(args, memory, &loaded.compiled, desk)?,
        });
    }
    Ok(found)
}

/// What clients call, as declared.
fn entries(object: &Object) -> Vec<Entry> {
    const PLACEHOLDERS: [&str; 5] = ["value", "key", "prio", "out", "thread"];
    let names_object = |text: &str| {
        let words = || text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
        words().any(|w| !w.starts_with(|c: char| c.is_ascii_digit()))
            && !words().any(|w| PLACEHOLDERS.contains(&w))
    };
    let operations = object.operations.iter().map(|o| Entry {
        function: o.function.clone(),
        object: (0..o.arguments.len()).filter(|&i| names_object(&o.arguments[i])).collect(),
        setup: false,
    });
    let around = object.init.iter().chain(&object.fini).chain(&object.thread_init);
    let setup = around.map(|code| Entry {
        function: code.text.split('(').next().unwrap_or("").trim().to_string(),
        object: Vec::new(),
        setup: true,
    });
    operations.chain(setup).collect()
}

/// What is known of a library by itself.
fn asked(
    args: &RobustArgs,
    memory: Memory,
    compiled: &Compiled,
    desk: &Desk,
) -> Result<Standing, Vec<Diagnostic>> {
    let object = &compiled.object;
    let bound = bound::calls(args.calls.as_deref().unwrap_or(CALLS), object).map_err(|d| vec![d])?;
    let ask = |question: Question| {
        let problem = conform::Problem {
            clients: compiled,
            asked: Asked::Every(bound.clone()),
            memory,
            level: &Level::None,
            question,
            unroll: units::rounds(&args.unroll),
            unroll_at: &[],
            preemptions: None,
            reductions: Reductions::default(),
        };
        conform::check(&problem, &desk.effort, desk).map(|checked| checked.finding.verdict)
    };
    let open = |why: &str| Ok(Standing::Open(why.into()));
    let scope = match ask(Question::Robust) {
        Ok(Verdict::Holds(scope)) => scope,
        Ok(Verdict::Violated(_)) => return open("it is not robust by itself"),
        Ok(Verdict::Unknown(_)) | Err(_) => return open("whether it is robust by itself was not settled"),
    };
    if !scope.each.is_empty() || !scope.vacuous.is_empty() || scope.bounds.iter().any(|b| b.cut > 0) {
        return open("only some of its clients were asked about");
    }
    let constrained = if !object.roles.is_empty() {
        Some(
            "it is robust for threads that keep to their roles, and the argument lets any thread make any call",
        )
    } else if object.kind.is_lock() {
        Some("only its holder gives it back, and not all that it does happens before")
    } else if compiled.thread_state {
        Some("it keeps state per thread, and the argument lets any thread make any call")
    } else {
        None
    };
    // Happens-before is what counts, where there is more than one order.
    let weak = matches!(memory, Memory::Rc11 | Memory::Ra);
    let lock = constrained.is_some() && weak && matches!(ask(Question::Ordered), Ok(Verdict::Holds(_)));
    match constrained.filter(|_| !lock) {
        Some(why) => open(why),
        None => {
            // Who names a number of calls asks about these; and what counts of locks is not proved.
            let every = match (&args.calls, lock) {
                (None, false) => proved(compiled, memory, desk),
                _ => None,
            };
            let scope = every.unwrap_or(scope);
            let calls = match scope.calls {
                Some(Extent::UpTo(n)) => Some(n),
                Some(Extent::Unbounded) => None,
                None => return open("whether it is robust by itself was not settled"),
            };
            Ok(Standing::Robust { calls, lock, assumptions: scope.assumptions })
        }
    }
}

/// What a proof for every client covers, if there is one.
fn proved(compiled: &Compiled, memory: Memory, desk: &Desk) -> Option<Scope> {
    desk.doing("proving about a library by itself");
    match prove(compiled, memory, Switches::default(), &mut BuiltIn, &desk.effort, desk).verdict {
        Verdict::Holds(scope) if scope.vacuous.is_empty() => Some(scope),
        _ => None,
    }
}
