//! The command line: files, processes, the clock, colours and exit codes.
//!
//! What was typed ([`args`]) becomes what it means ([`plan`]), is carried out under supervision
//! ([`run`]), printed ([`output`]) and summed up in a number ([`exit`]).

mod args;
mod check;
mod compose;
mod desk;
mod exit;
mod flags;
mod history;
mod limits;
mod options;
mod output;
mod plan;
mod preprocess;
mod progress;
mod prove;
mod quasi;
mod refine;
mod replay;
mod robust;
mod run;
mod units;
mod verify;
mod volatile;

use std::process::ExitCode;

fn main() -> ExitCode {
    let (args, typed) = match args::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(refused) => return output::usage(refused),
    };
    let look = output::Settings::new(&args.common, typed);
    use args::Command::{Check, Robust, Verify};
    let first_try = matches!(args.command, Verify(_) | Check(_) | Robust(_));
    let limits = args.common.limits(first_try);
    let plan = plan::make(args);
    let done = run::run(plan, limits);
    output::print(&done, &look)
}
