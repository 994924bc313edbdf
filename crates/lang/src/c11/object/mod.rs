//! `#pragma lineal …` → [`Compiled`]: what the object is, how its operations are called.
//!
//! Pragmas bind to the file, in any order; an ordinary compiler ignores them. Declarations that
//! are missing or contradict each other are diagnostics with the line; what the named functions
//! take is looked up in the program itself.
//!
//! - [`several`]: which lines belong to which object.
//! - [`pragma`]: one line each.
//! - [`signature`]: the functions of the file.
//! - [`operations`]: what runs the operations, compiled once.
//! - [`listing`]: a client as a C program, for people.

pub mod listing;
mod operations;
mod pragma;
pub use pragma::{level, misfit};
mod several;
mod signature;

use super::lex::Tok;
use super::pragma::Line;
use super::{Options, Unit};
use lineal_model::adt::Kind;
use lineal_model::program::client::Compiled;
use lineal_model::{Diagnostic, Severity};
pub use several::names;
pub use signature::{Param, Signature, Signatures};

/// An object, and what its functions look like.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub compiled: Compiled,
    pub signatures: Signatures,
    /// The unit that declares the object.
    pub unit: usize,
}

/// Whether an object is declared, well or not.
pub fn declares(units: &[Unit]) -> bool {
    let lines = |unit: &Unit| super::pragma::pragmas(unit.tokens(), unit.files());
    units.iter().flat_map(lines).any(|line| matches!(line.line, Line::Object(..)))
}

/// Reads the declarations of all units; of several objects, the one that is chosen.
pub fn load(units: &[Unit], options: &Options) -> Result<(Loaded, Vec<Diagnostic>), Vec<Diagnostic>> {
    load_one(units, options, None)
}

/// The same, of the object called so: [`names`].
pub fn load_one(
    units: &[Unit],
    options: &Options,
    name: Option<&str>,
) -> Result<(Loaded, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (signatures, warnings) = signature::of(units, options)?;
    let owned = units.iter().any(|u| u.tokens().windows(2).any(|w| is_owned_mutex(&w[0].tok, &w[1].tok)));
    let mut sections = several::sections(units).map_err(|d| vec![d])?;
    let chosen = match (name, sections.len()) {
        (None, 0 | 1) => sections.pop(),
        (None, _) => return Err(vec![several::which(&sections, options.flags)]),
        (Some(name), _) => match sections.iter().position(|s| s.name == name) {
            Some(at) => Some(sections.swap_remove(at)),
            None => return Err(vec![several::unknown(name, &sections)]),
        },
    };
    let several::Section { pragmas, unit: home, .. } = chosen.unwrap_or_default();
    let mut diagnostics = Vec::new();
    let object = pragma::object(&pragmas, &signatures, !options.unspecified, &mut diagnostics);
    let object = match object {
        Some(object) if !diagnostics.iter().any(|d| d.severity == Severity::Error) => object,
        Some(_) => return Err(diagnostics),
        None => {
            if diagnostics.is_empty() {
                diagnostics.push(nothing_declared());
            }
            return Err(diagnostics);
        }
    };
    let thread_state = owned || signatures.thread_state || !object.thread_init.is_empty() || object.numbered;
    diagnostics.extend(warnings);
    let operations = operations::operations(units, &object, &signatures, home, options)?;
    let specification = match object.kind {
        Kind::User if !options.unspecified => {
            Some(operations::specification(units, &object, &signatures, home, options)?)
        }
        _ => None,
    };
    let compiled = Compiled { object, operations, specification, thread_state };
    Ok((Loaded { compiled, signatures, unit: home }, diagnostics))
}

/// As the initialiser of a mutex that knows its owner begins, in `headers/pthread.h`.
fn is_owned_mutex(dot: &Tok, name: &Tok) -> bool {
    matches!((dot, name), (Tok::Punct("."), Tok::Ident(n)) if &**n == "kind")
}

fn nothing_declared() -> Diagnostic {
    Diagnostic::error("L0120", "no object is declared in the files given").help(
        "say what the object is and how it is called:\n\
         #pragma lineal object queue level=R args=independent\n\
         #pragma lineal init q_init(&q)\n\
         #pragma lineal op enqueue = q_enq(&q, value)\n\
         #pragma lineal op dequeue = q_deq(&q) -> value, empty if result == -1",
    )
}

const TYPES: &str = "register, cas-register, counter, fai, stack, queue, deque, bag, set, map, pq, lock, try-lock, \
                     rw-lock, semaphore, barrier, or spec for one defined by your own C functions";
