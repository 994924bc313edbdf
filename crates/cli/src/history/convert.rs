//! `lineal history convert`: the same operations in another format.

use super::args::ConvertArgs;
use super::watch::Watch;
use super::{input, user};
use crate::desk::Desk;
use crate::flags::flag;
use lineal_lang::history::{Options, fits, load, start, write, writes};
use lineal_model::Diagnostic;
use lineal_model::adt::{Kind, Object};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

pub fn run(args: &ConvertArgs, desk: &Arc<Desk>) -> Result<(), Vec<Diagnostic>> {
    let one = |d: Diagnostic| vec![d];
    let object = match Kind::from_word(&args.kind) {
        Some(kind) => Object::new(kind),
        None if args.kind.ends_with(".c") => {
            Object::of_user(Arc::new(user::load(Path::new(&args.kind), &args.preprocessor, desk)?))
        }
        None => {
            return Err(one(Diagnostic::error("L0318", format!("`{}` is no type of object", args.kind))));
        }
    };
    if let Some(problem) = super::idle_flag(object.kind, args.failed_cas.is_some(), args.fail_is_empty) {
        return Err(one(problem));
    }
    let to = args.to.format();
    writes(to, object.kind).map_err(|why| one(Diagnostic::error("L0321", why)))?;
    let options = Options {
        failed_cas: args.failed_cas.map(Into::into),
        keyed: args.keyed,
        fail_is_empty: args.fail_is_empty,
        // Priorities are only copied.
        listed_priorities: true,
        user: object.user.clone(),
        flags: flag,
        ..Options::new(object.kind)
    };
    let inputs = input::find(&args.file).map_err(one)?;
    let [input] = &inputs[..] else {
        return Err(one(Diagnostic::error("L0321", "one log at a time, please")));
    };
    let failed = |what: String, e: std::io::Error| one(Diagnostic::error("L0314", format!("{what}: {e}")));
    let watch = Watch::new(desk);
    let mut reader = input.open(&watch).map_err(|e| failed(format!("cannot open {}", input.name), e))?;
    let loaded = load(&mut reader, &input.name, args.from.format(), &options)?;
    let first = loaded.init.clone().unwrap_or_else(|| start(&object, loaded.format));
    fits(&loaded.history, &object, to, &first).map_err(|why| one(Diagnostic::error("L0321", why)))?;
    let target: Box<dyn Write> = match &args.output {
        None => Box::new(std::io::stdout()),
        Some(path) => Box::new(
            std::fs::File::create(path).map_err(|e| failed(format!("cannot write {}", path.display()), e))?,
        ),
    };
    let mut out = BufWriter::new(target);
    let written = write(&loaded.history, &object, to, &first, &mut out).and_then(|()| out.flush());
    match written {
        // A reader that has seen enough is no error.
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(e) => Err(failed("cannot write".into(), e)),
        Ok(()) => Ok(()),
    }
}
