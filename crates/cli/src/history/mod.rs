//! `lineal history`: read recorded histories and decide them, file by file, key by key.
//!
//! Files are worked on in parallel (`--jobs`), or one after another with their keys in parallel
//! when there are few; results are filed in the order of the command line. A file that cannot
//! be read costs exit code 2 and nothing else: the others are decided all the same. Nor does one
//! that takes too long ([`log`]).

mod args;
mod convert;
mod input;
mod log;
mod one;
mod page;
mod streamed;
mod user;
mod watch;

pub use args::{HistoryArgs, HistoryCommand};

use crate::desk::Desk;
use crate::flags::flag;
use lineal_lang::history::{Options, order};
use lineal_model::adt::quasi::{Listed, Operations, relax};
use lineal_model::adt::{Kind, Object, Poset};
use lineal_model::{Diagnostic, Effort, Finding, Place};
use one::Asked;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What came of one file.
pub struct LogReport {
    pub finding: Option<Finding>,
    pub diagnostics: Vec<Diagnostic>,
    /// A page about it, if one was asked for.
    pub page: Option<String>,
}

impl LogReport {
    pub fn found(finding: Finding) -> Self {
        LogReport { finding: Some(finding), diagnostics: Vec::new(), page: None }
    }

    /// It cannot be read, or means nothing.
    pub fn refused(diagnostics: Vec<Diagnostic>) -> Self {
        LogReport { finding: None, diagnostics, page: None }
    }
}

pub fn run(args: HistoryArgs, desk: &Arc<Desk>) {
    if let Some(HistoryCommand::Convert(convert)) = &args.command {
        return match convert::run(convert, desk) {
            Ok(()) => {}
            Err(problems) => desk.diagnostics(problems),
        };
    }
    let (mut object, options) = match meaning(&args, desk) {
        Ok(meaning) => meaning,
        Err(problems) => return desk.diagnostics(problems),
    };
    let operations = match &object.user {
        Some(user) => Operations::User(user),
        None => Operations::Of(object.kind),
    };
    let stated = object.user.as_ref().and_then(|user| user.quasi.clone());
    let understand = |listed: &[Listed], semantics| relax(listed, semantics, &operations);
    let sought = match args.quasi.relaxation(stated.as_deref(), &understand) {
        Ok(relaxed) => {
            object.quasi = relaxed.relaxation.map(Arc::new);
            relaxed.sought
        }
        Err(problem) => return desk.diagnostics([problem]),
    };
    if args.minimise && object.quasi.is_some() {
        let problem = Diagnostic::error("L0020", "--minimise says nothing about a relaxed type")
            .help("without some of the operations the others are out of order by less, or by more");
        return desk.diagnostics([problem]);
    }
    let mut inputs = Vec::new();
    for name in &args.files {
        match input::find(name) {
            Ok(found) => inputs.extend(found),
            Err(problem) => desk.diagnostics([problem]),
        }
    }
    if args.html.is_some() && inputs.len() > 1 {
        let problem =
            Diagnostic::error("L0316", "--html writes one page, about one log").help("name a single file");
        return desk.diagnostics([problem]);
    }
    desk.doing("reading and deciding");
    // Many files: one worker each; few: the workers share the keys of one file.
    let many = inputs.len() >= desk.effort.jobs;
    let workers = if many { desk.effort.jobs } else { 1 };
    let effort = Effort { jobs: if many { 1 } else { desk.effort.jobs }, ..desk.effort.clone() };
    let html = args.html.clone();
    let asked = Arc::new(Asked { args, object, sought, options, effort });
    if asked.args.stream
        && let Some(problem) = streamed::refusal(&asked)
    {
        return desk.diagnostics([problem]);
    }
    desk.watch.time_is_for_each();
    let next = AtomicUsize::new(0);
    let filing = Mutex::new(Filing { next: 0, done: BTreeMap::new(), desk, html: html.as_deref() });
    let panics: Mutex<Vec<log::Panic>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(input) = inputs.get(index) else { return };
                desk.about(&asked.property(&input.name));
                let (outcome, panic) = log::attend(&asked, input, index, desk);
                panics.lock().unwrap_or_else(|p| p.into_inner()).extend(panic);
                filing.lock().unwrap_or_else(|p| p.into_inner()).file(index, outcome);
            }
        };
        // The last worker is this thread.
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
    // A broken invariant is said once everything else is.
    let panic = panics.into_inner().unwrap_or_else(|p| p.into_inner()).into_iter().next();
    if let Some(panic) = panic {
        std::panic::resume_unwind(panic);
    }
}

/// Files outcomes in order, each as soon as those before it are there.
struct Filing<'a> {
    next: usize,
    done: BTreeMap<usize, LogReport>,
    desk: &'a Desk,
    html: Option<&'a std::path::Path>,
}

impl Filing<'_> {
    fn file(&mut self, index: usize, outcome: LogReport) {
        // It may have to wait for those before it.
        match &outcome.finding {
            Some(finding) => self.desk.draft(index, finding.clone()),
            None => self.desk.forget_draft(index),
        }
        self.done.insert(index, outcome);
        while let Some(outcome) = self.done.remove(&self.next) {
            self.desk.forget_draft(self.next);
            self.next += 1;
            self.desk.diagnostics(outcome.diagnostics);
            if let Some(finding) = outcome.finding {
                self.desk.file(finding);
            }
            if let (Some(path), Some(page)) = (self.html, outcome.page)
                && let Err(error) = std::fs::write(path, page)
            {
                let message = format!("cannot write {}: {error}", path.display());
                self.desk.diagnostics([Diagnostic::error("L0317", message)]);
            }
        }
    }
}

/// The object and how to read its logs.
fn meaning(args: &HistoryArgs, desk: &Desk) -> Result<(Object, Options), Vec<Diagnostic>> {
    let refuse = |d: Diagnostic| Err(vec![d]);
    let word = args.kind.as_deref().unwrap_or_default();
    if word.ends_with(".c") {
        return in_c(word, args, desk);
    }
    let Some(kind) = Kind::from_word(word) else {
        let known: Vec<&str> = Kind::NAMED.iter().map(|k| k.word()).collect();
        return refuse(
            Diagnostic::error("L0318", format!("`{word}` is no type of object"))
                .help(format!("--as takes {}, or a C file", known.join(", "))),
        );
    };
    if !args.preprocessor.define.is_empty() || !args.preprocessor.include_dirs.is_empty() {
        return refuse(Diagnostic::error("L0318", "-D and -I are about types written in C: --as FILE.c"));
    }
    let idle = idle_flag(kind, args.failed_cas.is_some(), args.fail_is_empty);
    if let Some(problem) = idle.or_else(|| not_priorities(args, kind)) {
        return refuse(problem);
    }
    let mut object = Object::new(kind);
    object.ties = args.ties.map_or(object.ties, Into::into);
    object.first = args.first.map_or(object.first, Into::into);
    if let Some(init) = &args.init {
        object.init = lineal_lang::history::value(init).map_err(|d| vec![d])?;
        let number = matches!(object.init, lineal_model::history::Value::Int(_));
        if matches!(kind, Kind::Counter | Kind::FetchIncrement) && !number {
            return refuse(Diagnostic::error(
                "L0307",
                format!("--init {init}: a {word} starts at a whole number"),
            ));
        }
        let starts = matches!(
            kind,
            Kind::Register | Kind::CasRegister | Kind::Map | Kind::Counter | Kind::FetchIncrement
        );
        if !starts {
            return refuse(Diagnostic::error(
                "L0318",
                format!("--init says nothing about a {word}, which starts empty"),
            ));
        }
    }
    object.order = match &args.order {
        None => None,
        Some(path) => Some(listed(path)?),
    };
    let options = Options { listed_priorities: args.order.is_some(), ..options(args, kind) };
    Ok((object, options))
}

/// A flag about failed operations that this type does not have.
fn idle_flag(kind: Kind, failed_cas: bool, fail_is_empty: bool) -> Option<Diagnostic> {
    if failed_cas && kind != Kind::CasRegister {
        let message = "--failed-cas is about compare-and-swap, so it goes with --as cas-register";
        return Some(Diagnostic::error("L0318", message));
    }
    let empties = [Kind::Queue, Kind::Stack, Kind::Deque, Kind::Bag, Kind::PriorityQueue, Kind::User];
    if fail_is_empty && !empties.contains(&kind) {
        let message = format!("--fail-is-empty says nothing about a {}, which is never empty", kind.word());
        return Some(Diagnostic::error("L0318", message));
    }
    None
}

fn not_priorities(args: &HistoryArgs, kind: Kind) -> Option<Diagnostic> {
    let flags = [
        (args.ties.is_some(), "--ties"),
        (args.first.is_some(), "--first"),
        (args.order.is_some(), "--order"),
    ];
    let (_, flag) = flags.into_iter().find(|(given, _)| *given && kind != Kind::PriorityQueue)?;
    Some(Diagnostic::error("L0318", format!("{flag} is about priorities, so it goes with --as pq")))
}

fn options(args: &HistoryArgs, kind: Kind) -> Options {
    Options {
        failed_cas: args.failed_cas.map(Into::into),
        keyed: args.keyed,
        fail_is_empty: args.fail_is_empty,
        skew: args.skew,
        flags: flag,
        ..Options::new(kind)
    }
}

/// A type written in C; flags about built-in types do not go with it.
fn in_c(path: &str, args: &HistoryArgs, desk: &Desk) -> Result<(Object, Options), Vec<Diagnostic>> {
    let about = |flag: &str, instead: &str| {
        let d = Diagnostic::error("L0318", format!("{flag} says nothing about a type written in C"));
        Err(vec![d.help(instead)])
    };
    if args.init.is_some() {
        return about("--init", "set the object up in C: #pragma lineal init f()");
    }
    if args.order.is_some() || args.first.is_some() {
        let flag = if args.order.is_some() { "--order" } else { "--first" };
        return about(flag, "order the priorities in C");
    }
    if args.ties.is_some() {
        return about("--ties", "say in C which of several values leaves");
    }
    if args.failed_cas.is_some() {
        return about("--failed-cas", "a failed operation did not happen");
    }
    desk.doing("reading the type");
    let user = Arc::new(user::load(std::path::Path::new(path), &args.preprocessor, desk)?);
    let options = Options { user: Some(user.clone()), ..options(args, Kind::User) };
    Ok((Object::of_user(user), options))
}

fn listed(path: &std::path::Path) -> Result<Poset, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| {
        vec![Diagnostic::error("L0314", format!("cannot read {name}: {e}")).at(Place::line(&*name, 1))]
    })?;
    order(&text, &name)
}
