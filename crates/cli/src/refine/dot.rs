//! State graphs, for Graphviz.

use lineal_check::refine::{Drawn, Undrawn, draw};
use lineal_model::process::{Assertion, Model};
use lineal_model::{Diagnostic, Effort, Unwatched};
use std::path::Path;

/// States beyond which nobody can read the picture: the rest is cut off.
const MOST: usize = 500;

pub fn write(
    model: &Model,
    assertion: &Assertion,
    file: &Path,
) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
    let drawn = graph(model, assertion)?;
    std::fs::write(file, drawn.text).map_err(|error| {
        Box::new(Diagnostic::error("L0002", format!("cannot write {}: {error}", file.display())))
    })?;
    Ok(drawn.cut.map(|cut| {
        Diagnostic::warning(
            "L0234",
            format!("the graph was cut after {MOST} states: {cut} more, drawn dashed, are not followed"),
        )
        .help("make the constants of the model smaller, or use --simulate")
    }))
}

fn graph(model: &Model, assertion: &Assertion) -> Result<Drawn, Box<Diagnostic>> {
    draw(model, assertion, MOST, &Effort::default(), &Unwatched).map_err(|why| {
        Box::new(match why {
            Undrawn::Unbuilt(fault) => Diagnostic::error("L0230", fault.message),
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
        let Drawn { text, cut } = graph(&loaded.model, &loaded.assertions[0]).unwrap();
        assert_eq!(cut, None);
        assert_eq!(text.matches(" -> ").count(), 3, "{text}");
        assert!(
            text.contains("label=\"terminate\"") && text.contains("doublecircle") && text.contains("box")
        );
        let loaded = load("var x = 0; P() = a{x++;} -> P(); #assert P() deadlockfree;");
        let Drawn { text, cut } = graph(&loaded.model, &loaded.assertions[0]).unwrap();
        assert_eq!(cut, Some(1));
        assert_eq!(text.matches(" -> ").count(), MOST, "{text}");
        assert!(text.contains("s500 [style=dashed]") && text.contains("cut here: 1 states"), "{text}");
    }
}
