//! The objects of `examples/robust/` as their headers ask about them, and mutants of these with one
//! access weakened.

use lineal_check::conform::Clients;
use lineal_check::conform::clients::Bound;
use lineal_lang::c11::object::{self, Loaded};
use lineal_lang::c11::preprocess::{Setup, Shelf, bundled};
use lineal_lang::c11::{Options, Unit};
use lineal_model::program::client::Compiled;
use lineal_model::{Diagnostic, Memory};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// An object, and what its header says about it.
pub struct Row {
    /// `treiber.c -D PUSH=acq_rel`.
    pub name: String,
    pub compiled: Compiled,
    pub memory: Memory,
    pub calls: usize,
    /// `holds` or `violated`.
    pub expected: String,
}

/// Files of the examples, and bundled headers.
struct Disk;

impl Shelf for Disk {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        let text = bundled(path).map(|text| text.as_bytes().to_vec()).or_else(|| std::fs::read(path).ok());
        Ok(text.map(Into::into))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/robust")
}

/// Every line of every object, in the order of the files.
pub fn rows() -> Vec<Row> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("examples are there")
        .map(|f| f.expect("an entry").path())
        .collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files.iter().flat_map(|file| of(file)).collect()
}

fn of(file: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(file).expect("an example can be read");
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for pair in lines.windows(2) {
        let run = pair[0].strip_prefix("//@ run: robust").or(pair[0].strip_prefix("//@ run-full: robust"));
        let (Some(run), Some(expect)) = (run, pair[1].strip_prefix("//@ expect: ")) else { continue };
        let words: Vec<&str> = run.split_whitespace().collect();
        // Another question about the same object.
        if words.contains(&"--weaken") {
            continue;
        }
        let after =
            |flag: &str| words.windows(2).filter(|w| w[0] == flag).map(|w| w[1].to_string()).collect();
        let (define, calls, memory): (Vec<String>, Vec<String>, Vec<String>) =
            (after("-D"), after("--calls"), after("--memory"));
        let Some(loaded) = load(file, &text, &define) else { continue };
        all.push(Row {
            name: format!("{}{run}", file.file_name().expect("a file").to_string_lossy()),
            compiled: loaded.compiled,
            memory: if memory.iter().any(|m| m == "tso") { Memory::Tso } else { Memory::Rc11 },
            calls: calls.first().map_or(4, |n| n.parse().expect("a number")),
            expected: expect.split_whitespace().next().unwrap_or("").to_string(),
        });
    }
    all
}

/// `None`: a program, not an object.
fn load(file: &Path, text: &str, define: &[String]) -> Option<Loaded> {
    let setup = Setup { define, include_dirs: &[], include: &[] };
    let (unit, _) = Unit::new(&file.to_string_lossy(), text.as_bytes(), setup, &Disk).expect("it is C");
    object::declares(std::slice::from_ref(&unit)).then(|| {
        let options = Options { unspecified: true, ..Options::default() };
        object::load(&[unit], &options).expect("an object").0
    })
}

/// One access weaker than it is, in every way there is: what, and the object.
pub fn mutants(compiled: &Compiled) -> Vec<(String, Compiled)> {
    let spots = compiled.operations.spots();
    let of = |spot: &lineal_model::program::modes::Spot| {
        let made = |modes: lineal_model::program::modes::Modes| {
            let (old, new) = (spot.modes.words(spot.access), modes.words(spot.access));
            let line = spot.place.line;
            (
                format!("line {line}: {} {old} → {new}", spot.access.word()),
                compiled.with_modes(&[(spot, modes)]),
            )
        };
        spot.weaker().into_iter().map(made).collect::<Vec<_>>()
    };
    spots.iter().flat_map(of).collect()
}

pub fn bound(calls: usize) -> Bound {
    Bound::Total(calls)
}
