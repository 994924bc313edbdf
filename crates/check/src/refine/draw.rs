//! A state graph, as Graphviz reads it: the states of the unreduced process, numbered in order of the
//! steps it takes to get there. What is too large to look at is cut: states whose steps are left out are
//! dashed, and a note says how many there are.

use super::explore::{Explorer, Identity, Levels, NodeId, Stop, Task};
use super::parallel::with_room;
use lineal_model::lts::{Label, StepsOf};
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
    Limit(Limit),
}

/// A picture.
#[derive(Debug)]
pub struct Drawn {
    pub text: String,
    /// States whose steps are not shown, if some are not.
    pub cut: Option<usize>,
}

/// The graph of an assertion's process: all of it, or what is nearest to the beginning. At most `most`
/// states are followed.
pub fn draw(
    model: &Model,
    assertion: &Assertion,
    most: usize,
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Drawn, Undrawn> {
    with_room(|| {
        let universe = Universe::new(model);
        let system = System::new(&universe, assertion.root).map_err(Undrawn::Unbuilt)?;
        let mut picture = Picture { system: &system, most, followed: 0, text: String::new() };
        picture.text.push_str("digraph states {\n  rankdir=LR;\n  node [shape=circle, label=\"\"];\n");
        let mut explorer = Explorer::new(&system, Levels::Every, Identity::Whole, watch);
        // One worker: states are numbered without gaps.
        match explorer.explore(&mut picture, &Effort { jobs: 1, ..effort.clone() }) {
            Some(Stop::Found(Cut(first))) => {
                let cut = explorer.states.len() - first;
                for state in first..explorer.states.len() {
                    picture.line(format_args!("s{state} [style=dashed];"));
                }
                picture.line(format_args!(
                    "note [shape=note, label=\"cut here: {cut} states, dashed, are not followed\"];"
                ));
                Ok(Drawn { text: picture.text + "}\n", cut: Some(cut) })
            }
            Some(Stop::Limit(limit)) => Err(Undrawn::Limit(limit)),
            None => Ok(Drawn { text: picture.text + "}\n", cut: None }),
        }
    })
}

struct Picture<'p, 'u, 'm> {
    system: &'p System<'u, 'm>,
    most: usize,
    followed: usize,
    text: String,
}

/// From this state on, none is followed: they are visited in the order of their numbers.
struct Cut(usize);

impl<'u, 'm> Task<System<'u, 'm>> for Picture<'_, 'u, 'm> {
    type Found = Cut;

    fn visit(
        &mut self,
        explorer: &mut Explorer<System<'u, 'm>>,
        node: NodeId,
        steps: StepsOf<Fault>,
    ) -> ControlFlow<Stop<Cut>, bool> {
        let at = explorer.state(node);
        if self.followed == self.most {
            return Break(Stop::Found(Cut(at as usize)));
        }
        self.followed += 1;
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
        Continue(true)
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
