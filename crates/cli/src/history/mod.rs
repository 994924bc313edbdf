//! `lineal history`: read recorded histories and decide them, file by file, key by key.
//!
//! Files are worked on in parallel (`--jobs`), or one after another with their keys in parallel
//! when there are few; results are filed in the order of the command line. A file that cannot
//! be read costs exit code 2 and nothing else: the others are decided all the same.

mod args;
mod convert;
mod input;
mod one;
mod streamed;

pub use args::{HistoryArgs, HistoryCommand};

use crate::desk::Desk;
use lineal_lang::history::{Options, order};
use lineal_model::adt::{Kind, Object, Poset};
use lineal_model::{Diagnostic, Effort, Finding, Place};
use one::Asked;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of one file.
pub struct Outcome {
    pub finding: Option<Finding>,
    pub diagnostics: Vec<Diagnostic>,
    /// A page about it, if one was asked for.
    pub page: Option<String>,
}

pub fn run(args: HistoryArgs, desk: &Desk) {
    if let Some(HistoryCommand::Convert(convert)) = &args.command {
        return desk.diagnostics(convert::run(convert).err().into_iter().flatten());
    }
    let (object, options) = match meaning(&args) {
        Ok(meaning) => meaning,
        Err(problems) => return desk.diagnostics(problems),
    };
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
    desk.doing("reading");
    // Many files: one worker each; few: the workers share the keys of one file.
    let many = inputs.len() >= desk.effort.jobs;
    let workers = if many { desk.effort.jobs } else { 1 };
    let effort = Effort { jobs: if many { 1 } else { desk.effort.jobs }, ..desk.effort.clone() };
    let asked = Asked { args: &args, object: &object, options: &options, effort: &effort };
    if args.stream
        && let Some(problem) = streamed::refusal(&asked)
    {
        return desk.diagnostics([problem]);
    }
    let next = AtomicUsize::new(0);
    let filing = Mutex::new(Filing { next: 0, done: BTreeMap::new(), desk, html: args.html.as_deref() });
    std::thread::scope(|scope| {
        let work = || {
            while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let index = inputs.iter().position(|i| std::ptr::eq(i, input)).unwrap_or(0);
                desk.about(&one::property(&asked, &input.name));
                let outcome = match args.stream {
                    true => streamed::check(&asked, input, &desk.watch),
                    false => one::check(&asked, input, &desk.watch),
                };
                filing.lock().unwrap_or_else(|p| p.into_inner()).file(index, outcome);
            }
        };
        // The last worker is this thread.
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
}

/// Files outcomes in order, each as soon as those before it are there.
struct Filing<'a> {
    next: usize,
    done: BTreeMap<usize, Outcome>,
    desk: &'a Desk,
    html: Option<&'a std::path::Path>,
}

impl Filing<'_> {
    fn file(&mut self, index: usize, outcome: Outcome) {
        self.done.insert(index, outcome);
        while let Some(outcome) = self.done.remove(&self.next) {
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
fn meaning(args: &HistoryArgs) -> Result<(Object, Options), Vec<Diagnostic>> {
    let refuse = |d: Diagnostic| Err(vec![d]);
    let word = args.kind.as_deref().unwrap_or_default();
    if word.ends_with(".c") {
        return refuse(
            Diagnostic::error(
                "L0320",
                format!("`--as {word}`: types written in C are not available in this build"),
            )
            .help("use one of the built-in types"),
        );
    }
    let Some(kind) = Kind::from_word(word) else {
        let known: Vec<&str> = Kind::ALL.iter().map(|k| k.word()).collect();
        return refuse(
            Diagnostic::error("L0318", format!("`{word}` is no type of object"))
                .help(format!("--as takes {}", known.join(", "))),
        );
    };
    let mut object = Object { ties: args.ties.into(), first: args.first.into(), ..Object::new(kind) };
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
    if args.order.is_some() && kind != Kind::PriorityQueue {
        return refuse(Diagnostic::error("L0318", "--order is about priorities, so it goes with --as pq"));
    }
    let options = Options {
        failed_cas: args.failed_cas.map(Into::into),
        keyed: args.keyed,
        fail_is_empty: args.fail_is_empty,
        skew: args.skew,
        listed_priorities: args.order.is_some(),
        ..Options::new(kind)
    };
    Ok((object, options))
}

fn listed(path: &std::path::Path) -> Result<Poset, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| {
        vec![Diagnostic::error("L0314", format!("cannot read {name}: {e}")).at(Place::line(&*name, 1))]
    })?;
    order(&text, &name)
}
