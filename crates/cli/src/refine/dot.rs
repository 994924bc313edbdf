//! Small state graphs, for Graphviz.

use lineal_check::refine::{Undrawn, draw};
use lineal_model::process::{Assertion, Model};
use lineal_model::{Diagnostic, Effort, Unwatched};
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
    draw(model, assertion, MOST, &Effort::default(), &Unwatched).map_err(|why| {
        Box::new(match why {
            Undrawn::Unbuilt(fault) => Diagnostic::error("L0230", fault.message),
            Undrawn::TooLarge => {
                Diagnostic::error("L0234", format!("the graph has more than {MOST} states, too many to draw"))
                    .help("make the constants of the model smaller, or use --simulate")
            }
            Undrawn::Limit(limit) => Diagnostic::error("L0234", limit.message),
        })
    })
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
