//! Every object of `examples/`, at every level, against both slow deciders.
//!
//! Clients of up to 3 calls under rc11 (2 for sets, and where threads matter) and of 1 call under the
//! other models; with `LINEAL_FULL=1` of up to 4 calls and of up to 3, which takes about 20 minutes.
//! `LINEAL_ONLY=treiber` takes the files with that in their name, and `LINEAL_CALLS=5` clients of up
//! to so many calls, under rc11 only.
//!
//! Up to 3 calls every partial order of them is a program of its own, beyond that one of those that
//! differ by exchanging calls nobody can tell apart. The published algorithm is asked about up to 4
//! calls: its first phase takes too long for more.

use super::slow::{self, Clients};
use super::{Question, Said, Subject, engine_all, full};
use lineal_model::Memory;
use lineal_model::object::{Client, Level};
use std::path::{Path, PathBuf};
use std::time::Instant;

const LEVELS: [Level; 6] = Level::NAMED;

/// Calls with more executions than this, made in parallel, are left out.
const LARGEST: u64 = 400_000;

#[test]
fn queues() {
    folder("queue", 10, 3);
}

#[test]
fn stacks() {
    folder("stack", 4, 3);
}

#[test]
fn sets() {
    folder("set", 5, 2);
}

/// How the lists of calls came out at one level.
#[derive(Default)]
struct Tally {
    holds: usize,
    violated: usize,
    is_unsafe: usize,
    left_out: usize,
    /// Of those compared: not with the published algorithm.
    not_published: usize,
}

#[track_caller]
fn folder(name: &str, least: usize, small: usize) {
    let only = std::env::var("LINEAL_ONLY").unwrap_or_default();
    let asked: Option<usize> =
        std::env::var("LINEAL_CALLS").ok().map(|n| n.parse().expect("LINEAL_CALLS is a number"));
    let files = objects(name);
    assert!(files.len() >= least, "{} objects in examples/{name}", files.len());
    let (mut compared, mut wrong) = (0, Vec::new());
    for (shown, text) in files.iter().filter(|f| f.0.contains(&only)) {
        let subject = Subject::named(shown, text.clone());
        assert!(subject.loaded.compiled.object.roles.is_empty(), "{shown}: roles are not arranged here");
        for memory in [Memory::Rc11, Memory::Sc, Memory::Ra, Memory::Tso] {
            let most = match (full(), memory) {
                _ if asked.is_some() => asked.filter(|_| memory == Memory::Rc11).unwrap_or(0),
                (true, Memory::Rc11) => 4,
                (true, _) => 3,
                // Threads are arranged in every way then.
                (false, Memory::Rc11) if subject.loaded.compiled.thread_state => 2,
                (false, Memory::Rc11) => small,
                (false, _) => 1,
            };
            compared += object(shown, &subject, memory, most, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 0 || !only.is_empty(), "nothing was compared");
}

/// Compares one object under one model, on every list of up to `most` calls; says how often.
fn object(shown: &str, subject: &Subject, memory: Memory, most: usize, wrong: &mut Vec<String>) -> usize {
    let started = Instant::now();
    let mut tallies: [Tally; LEVELS.len()] = Default::default();
    let (mut clients, mut executions) = (0, 0);
    for client in (1..=most).flat_map(|n| subject.clients(n)) {
        let q = Question {
            subject,
            level: &LEVELS[0],
            memory,
            largest: LARGEST,
            reductions: super::Reductions::default(),
        };
        let which = if client.calls.len() > 3 { Clients::UpToExchange } else { Clients::Every };
        let slow = slow::walk(q, &LEVELS, &client, which);
        clients += slow.clients;
        executions += slow.executions;
        for ((level, tally), violated) in LEVELS.iter().zip(&mut tallies).zip(&slow.violated) {
            if slow.too_large {
                tally.left_out += 1;
                continue;
            }
            let q = Question { level, ..q };
            let fast = engine_all(q, &client);
            let (count, agrees) = match fast {
                Said::Holds => (&mut tally.holds, !slow.is_unsafe && !violated),
                Said::Violated => (&mut tally.violated, *violated),
                Said::Unsafe => (&mut tally.is_unsafe, slow.is_unsafe),
                Said::TooLarge => (&mut tally.left_out, true),
            };
            *count += 1;
            if !agrees {
                wrong.push(format!(
                    "{}: the engine says {fast:?}, every client {slow:?}",
                    what(shown, q, &client)
                ));
            }
            let fits = client.calls.len() <= 4 && memory != Memory::Tso;
            if fits && matches!(fast, Said::Holds | Said::Violated) {
                let said = published(q, &client);
                if said == Said::TooLarge {
                    tally.not_published += 1;
                } else if said != fast {
                    wrong.push(format!(
                        "{}: the engine says {fast:?}, as published {said:?}",
                        what(shown, q, &client)
                    ));
                }
            }
        }
    }
    if most == 0 {
        return 0;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{shown}, {memory}, calls up to {most}: {clients} clients, {executions} executions, {seconds:.1} s"
    );
    for (level, t) in LEVELS.iter().zip(&tallies) {
        let Tally { holds, violated, is_unsafe, left_out, not_published } = t;
        println!(
            "  level {level}: lists of calls: {holds} hold, {violated} violated, {is_unsafe} unsafe, \
             {left_out} left out (over {LARGEST} executions), {not_published} too large as published"
        );
    }
    tallies.iter().map(|t| t.holds + t.violated + t.is_unsafe).sum()
}

fn what(shown: &str, q: Question<'_>, client: &Client) -> String {
    let object = &q.subject.loaded.compiled.object;
    let calls: Vec<String> = client.calls.iter().map(|c| object.show_call(c)).collect();
    format!("{shown}, level {}, {}, {}", q.level, q.memory, calls.join(" || "))
}

/// The published algorithm knows nothing of threads: it is asked about each way to arrange them.
fn published(q: Question<'_>, client: &Client) -> Said {
    if !q.subject.loaded.compiled.thread_state {
        return slow::published(q, client);
    }
    let said: Vec<Said> = q.subject.arrangements(client).iter().map(|c| slow::published(q, c)).collect();
    [Said::Violated, Said::TooLarge].into_iter().find(|s| said.contains(s)).unwrap_or(Said::Holds)
}

/// The files that declare an object, as their path in the repository and text.
pub fn objects(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let inside = std::fs::read_dir(root.join("examples").join(folder)).unwrap();
    let mut files: Vec<PathBuf> = inside.map(|entry| entry.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    let shown = |file: &PathBuf| format!("{folder}/{}", file.file_name().unwrap().to_string_lossy());
    let read = |file: &PathBuf| (shown(file), std::fs::read_to_string(file).unwrap());
    files.iter().map(read).filter(|(_, text)| text.contains("#pragma lineal object")).collect()
}
