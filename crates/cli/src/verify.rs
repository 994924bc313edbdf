//! `lineal verify`: preprocess, load, explore.

use crate::args::VerifyArgs;
use crate::desk::Desk;
use crate::plan::Engine;
use crate::preprocess::{self, Trouble};
use crate::shim::c11;

const PROPERTY: &str = "every execution is safe";

pub fn run(args: VerifyArgs, engine: Engine, desk: &Desk) {
    desk.about(PROPERTY);
    desk.doing("preprocessing");
    let units = match preprocess::run(&args.source, c11::headers(), desk) {
        Ok(units) => units.into_iter().map(|u| c11::Unit { name: u.name, text: u.text }).collect::<Vec<_>>(),
        Err(Trouble::Diagnostics(found)) => return desk.diagnostics(found),
        Err(Trouble::Stopped(limit)) => return desk.abandon(limit),
    };
    desk.doing("reading");
    let options = c11::Options { wrapv: args.source.wrapv, nondet: args.source.nondet };
    match c11::load(&units, &options) {
        Err(found) => desk.diagnostics(found),
        Ok(machine) => {
            desk.doing(&format!("exploring ({engine:?})"));
            desk.check(|_, _| match machine {});
        }
    }
}
