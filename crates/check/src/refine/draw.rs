//! A small state graph, as Graphviz reads it: every state of the unreduced process, numbered in order of
//! the steps it takes to get there.

use super::explore::{Explorer, Identity, Levels, NodeId, Stop, Task};
use super::parallel::with_room;
use lineal_model::lts::{Label, Steps};
use lineal_model::process::term::Universe;
use lineal_model::process::{Assertion, Fault, Model, State, System};
use lineal_model::{Effort, Limit, Observer};
use std::fmt::Write;
use std::ops::ControlFlow::{self, Break, Continue};

/// Why there is no picture.
#[derive(Debug)]
pub enum Undrawn {
    /// The process cannot even be built.
    Unbuilt(Fault),
    TooLarge,
    Limit(Limit),
}

/// The graph of an assertion's process, if it has at most `most` states.
pub fn draw(
    model: &Model,
    assertion: &Assertion,
    most: usize,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<String, Undrawn> {
    with_room(|| {
        let universe = Universe::new(model);
        let system = System::new(&universe, assertion.root).map_err(Undrawn::Unbuilt)?;
        let mut picture = Picture { system: &system, most, text: String::new() };
        picture.text.push_str("digraph states {\n  rankdir=LR;\n  node [shape=circle, label=\"\"];\n");
        let mut explorer = Explorer::new(&system, Levels::Every, Identity::Whole, watch);
        match explorer.explore(&mut picture, effort) {
            Some(Stop::Found(TooLarge)) => Err(Undrawn::TooLarge),
            Some(Stop::Limit(limit)) => Err(Undrawn::Limit(limit)),
            None => Ok(picture.text + "}\n"),
        }
    })
}

struct Picture<'p, 'u, 'm> {
    system: &'p System<'u, 'm>,
    most: usize,
    text: String,
}

struct TooLarge;

impl<'u, 'm> Task<System<'u, 'm>> for Picture<'_, 'u, 'm> {
    type Found = TooLarge;

    fn visit(
        &mut self,
        explorer: &mut Explorer<System<'u, 'm>>,
        node: NodeId,
        steps: &Steps<Fault>,
    ) -> ControlFlow<Stop<TooLarge>, bool> {
        let at = explorer.state(node);
        let state = self.system.unpack(explorer.bytes(node));
        let stuck = steps.is_empty() && steps.failed().is_empty();
        let shape = match (stuck, self.system.is_done(&state)) {
            (_, true) => "doublecircle",
            (true, false) => "box",
            _ => "circle",
        };
        let cells = self.variables(&state);
        self.line(format_args!("s{at} [shape={shape}, tooltip=\"{cells}\"];"));
        let mut failed = steps.failed().iter().peekable();
        for i in 0..=steps.len() {
            // In the order of the state's steps.
            let next = if i < steps.len() { steps.number(i) } else { u32::MAX };
            while let Some(f) = failed.next_if(|f| f.number < next) {
                let (label, why) = (self.shown(f.label), &f.fault.message);
                self.line(format_args!("s{at} -> s{at} [label=\"{label}: {why}\", color=red];"));
            }
            if i < steps.len() {
                let (to, label) = (explorer.number(steps.state(i)).0, self.shown(steps.label(i)));
                self.line(format_args!("s{at} -> s{to} [label=\"{label}\"];"));
            }
        }
        if explorer.states.len() > self.most { Break(Stop::Found(TooLarge)) } else { Continue(true) }
    }
}

impl Picture<'_, '_, '_> {
    fn line(&mut self, text: std::fmt::Arguments) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn shown(&self, label: Label) -> String {
        match label {
            Label::Internal => "τ".to_string(),
            Label::Event(e) => self.system.universe.events.show(self.system.universe.model, e),
        }
    }

    fn variables(&self, state: &State) -> String {
        let name = |i| self.system.universe.model.cell_name(i);
        let all: Vec<String> =
            state.cells.iter().enumerate().map(|(i, v)| format!("{}={v}", name(i))).collect();
        all.join(" ")
    }
}
