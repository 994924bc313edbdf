//! Small state graphs, for Graphviz.

use lineal_model::Diagnostic;
use lineal_model::lts::Label;
use lineal_model::process::term::Universe;
use lineal_model::process::{Assertion, Model, State, System};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// States beyond which nobody can read the picture.
const MOST: usize = 500;

pub fn write(model: &Model, assertion: &Assertion, file: &Path) -> Result<(), Box<Diagnostic>> {
    let text = graph(model, assertion)?;
    std::fs::write(file, text).map_err(|error| {
        Box::new(Diagnostic::error("L0002", format!("cannot write {}: {error}", file.display())))
    })
}

fn graph(model: &Model, assertion: &Assertion) -> Result<String, Box<Diagnostic>> {
    let universe = Universe::new(model);
    let system = System::new(&universe, assertion.root)
        .map_err(|fault| Box::new(Diagnostic::error("L0230", fault.message)))?;
    let mut ids: HashMap<State, usize> = HashMap::from([(system.start().clone(), 0)]);
    let mut all = vec![system.start().clone()];
    let mut out = String::from("digraph states {\n  rankdir=LR;\n  node [shape=circle, label=\"\"];\n");
    let mut at = 0;
    let mut moves = Vec::new();
    while at < all.len() {
        moves.clear();
        let from = all[at].clone();
        system.moves(&from, &mut moves);
        let shape = match (moves.is_empty(), system.is_done(&from)) {
            (_, true) => "doublecircle",
            (true, false) => "box",
            _ => "circle",
        };
        let _ = writeln!(out, "  s{at} [shape={shape}, tooltip=\"{}\"];", variables(model, &from));
        for step in &moves {
            let label = match step.label {
                Label::Internal => "τ".to_string(),
                Label::Event(e) => universe.events.show(model, e),
            };
            match &step.to {
                Ok(to) => {
                    let id = *ids.entry(to.clone()).or_insert_with(|| {
                        all.push(to.clone());
                        all.len() - 1
                    });
                    let _ = writeln!(out, "  s{at} -> s{id} [label=\"{label}\"];");
                }
                Err(fault) => {
                    let _ =
                        writeln!(out, "  s{at} -> s{at} [label=\"{label}: {}\", color=red];", fault.message);
                }
            }
        }
        if all.len() > MOST {
            return Err(Box::new(
                Diagnostic::error(
                    "L0234",
                    format!("the graph has more than {MOST} states, too many to draw"),
                )
                .help("make the constants of the model smaller, or use --simulate"),
            ));
        }
        at += 1;
    }
    out.push_str("}\n");
    Ok(out)
}

fn variables(model: &Model, state: &State) -> String {
    let all: Vec<String> =
        state.cells.iter().enumerate().map(|(i, v)| format!("{}={v}", model.cell_name(i))).collect();
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph() {
        let load = |text: &str| lineal_lang::csp::load("t.csp", text, &|_| Err(String::new())).unwrap();
        let loaded = load("P() = a -> Skip [] b -> Stop; #assert P() deadlockfree;");
        let text = graph(&loaded.model, &loaded.assertions[0]).unwrap();
        assert_eq!(text.matches(" -> ").count(), 3, "{text}");
        assert!(
            text.contains("label=\"terminate\"") && text.contains("doublecircle") && text.contains("box")
        );
        let loaded = load("var x = 0; P() = a{x++;} -> P(); #assert P() deadlockfree;");
        assert_eq!(graph(&loaded.model, &loaded.assertions[0]).unwrap_err().code, "L0234");
    }
}
