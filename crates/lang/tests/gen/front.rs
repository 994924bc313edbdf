//! Generated text through the front-end, and the simplest machine to run it on.

use lineal_lang::c11;
use lineal_model::program::{Machine, Store};
use lineal_model::run::{Answer, Failure, Op, Runnable, Step, ThreadId, Value, lay_out};

pub fn load(text: &str) -> Result<Machine, String> {
    let unit = c11::Unit::of("generated.c", text);
    match unit.and_then(|unit| c11::load(&[unit], &c11::Options::default())) {
        Ok((machine, _)) => Ok(machine),
        Err(found) => {
            let shown: Vec<String> = found
                .iter()
                .map(|d| format!("{} {}", d.at.as_ref().map_or(String::new(), |p| p.to_string()), d.message))
                .collect();
            Err(shown.join("\n"))
        }
    }
}

/// Runs a program that has one thread; the final value of global `result`.
pub fn result_of(text: &str) -> Result<u64, String> {
    let mut machine = load(text)?;
    let attempt = |machine: &mut Machine| match run(machine) {
        Err(Step::Relayout(change)) => Err(change),
        ended => Ok(ended),
    };
    let store = match lay_out(&mut machine, Machine::adapt, attempt).map_err(|f| f.message)? {
        Ok(store) => store,
        Err(Step::Failed(f)) => {
            let place = machine.place(f.site).map_or(String::new(), |p| p.to_string());
            return Err(format!("{place}: {}", f.message));
        }
        Err(other) => return Err(format!("{other:?}")),
    };
    let (loc, size, _) = machine.global("result").ok_or("there is no `result`")?;
    Ok(store.read(&machine, loc, size).lo)
}

fn run(machine: &Machine) -> Result<Store, Step> {
    let mut store = Store::default();
    let mut thread = machine.start(ThreadId::MAIN, machine.main());
    let mut answer = Answer::default();
    loop {
        let (op, site) = match machine.resume(&mut thread, answer, &store) {
            Step::Finished(_) => return Ok(store),
            Step::Ask(op, site) => (op, site),
            other => return Err(other),
        };
        answer = match (op, store.perform(machine, op)) {
            (Op::Choose { low, .. }, _) => Value::word(low as u64).into(),
            (_, Ok(value)) => value.expect("nobody else runs").into(),
            (_, Err((kind, message))) => return Err(Step::Failed(Failure { kind, message, site })),
        };
    }
}
