//! Stepping through a model by hand.

use lineal_check::refine::witness::changes;
use lineal_model::lts::Label;
use lineal_model::process::system::Move;
use lineal_model::process::term::Universe;
use lineal_model::process::{Assertion, Fault, Model, State, System};
use std::io::{BufRead, Write};

pub fn run(model: &Model, assertion: &Assertion) -> Result<(), Fault> {
    let universe = Universe::new(model);
    let system = System::new(&universe, assertion.root)?;
    let stdin = std::io::stdin();
    // A closed pipe ends the session like `q` does.
    let _ = converse(&universe, &system, &mut stdin.lock(), &mut std::io::stdout());
    Ok(())
}

fn converse(
    universe: &Universe,
    system: &System,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut trail: Vec<(State, String)> = vec![(system.start().clone(), String::new())];
    writeln!(out, "A number takes that step; b goes back, r starts over, t shows the trace, q quits.")?;
    loop {
        let state = trail[trail.len() - 1].0.clone();
        let mut moves = Vec::new();
        system.moves(&state, &mut moves);
        writeln!(out, "\nstep {}", trail.len() - 1)?;
        show_state(universe, &state, out)?;
        for (i, step) in moves.iter().enumerate() {
            writeln!(out, "  [{i}] {}", describe(universe, &state, step))?;
        }
        if moves.is_empty() {
            let how = if system.is_done(&state) {
                "The process has terminated."
            } else {
                "Deadlock: nothing can move."
            };
            writeln!(out, "  {how}")?;
        }
        write!(out, "> ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return writeln!(out);
        }
        match line.trim() {
            "q" => return Ok(()),
            "b" if trail.len() > 1 => {
                trail.pop();
            }
            "b" => writeln!(out, "This is the start.")?,
            "r" => trail.truncate(1),
            "t" => {
                let events: Vec<&str> = trail[1..].iter().map(|(_, e)| &**e).collect();
                writeln!(
                    out,
                    "{}",
                    if events.is_empty() { "no steps yet".into() } else { events.join(" ") }
                )?;
            }
            number => match number.parse::<usize>().ok().and_then(|n| moves.get(n)) {
                Some(step) => match &step.to {
                    Ok(to) => trail.push((to.clone(), label(universe, step))),
                    Err(fault) => writeln!(out, "This step fails: {}.", fault.message)?,
                },
                None => writeln!(out, "Type the number of a step, or b, r, t, q.")?,
            },
        }
    }
}

fn label(universe: &Universe, step: &Move) -> String {
    match step.label {
        Label::Internal => "τ".into(),
        Label::Event(e) => universe.events.show(universe.model, e),
    }
}

fn describe(universe: &Universe, from: &State, step: &Move) -> String {
    let place = universe.model.place(universe.model.site(step.site).spot);
    let line = place.map_or(String::new(), |p| format!("  (line {})", p.line));
    let what = match &step.to {
        Ok(to) => changes(universe, from, to),
        Err(fault) => format!("fails: {}", fault.message),
    };
    format!("process {}: {}  {what}{line}", step.who, label(universe, step))
}

fn show_state(universe: &Universe, state: &State, out: &mut dyn Write) -> std::io::Result<()> {
    for global in &universe.model.globals {
        let cells = &state.cells[global.first as usize..(global.first + global.len) as usize];
        let values: Vec<String> = cells.iter().map(i32::to_string).collect();
        let shown = if global.dims.is_empty() { values.concat() } else { format!("[{}]", values.join(", ")) };
        write!(out, "  {} = {shown}", global.name)?;
    }
    for (channel, queue) in universe.model.channels.iter().zip(&state.queues) {
        write!(out, "  {} holds {}", channel.name, queue.len())?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session() {
        let text = "var x = 0; P() = a{x = 1;} -> b -> Stop [] c -> Skip; #assert P() deadlockfree;";
        let loaded = lineal_lang::csp::load("t.csp", text, &|_| Err(String::new())).unwrap();
        let universe = Universe::new(&loaded.model);
        let system = System::new(&universe, loaded.assertions[0].root).unwrap();
        let mut out = Vec::new();
        converse(&universe, &system, &mut &b"0\n0\nt\nb\nr\n7\nq\n"[..], &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("[0] process 0: a  x: 0 → 1"), "{out}");
        assert!(out.contains("Deadlock: nothing can move."), "{out}");
        assert!(out.contains("> a b\n"), "{out}");
        assert!(out.contains("Type the number of a step"), "{out}");
    }
}
