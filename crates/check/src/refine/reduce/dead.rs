//! Dead variables: a cell that only one component may touch goes back to its initial value when that
//! component cannot read it any more before writing it.
//!
//! Theorem. A state and the state with its dead cells reset are strongly bisimilar, step by step with
//! the same label, actor and fault: the owner writes such a cell before it reads it, and nobody else
//! touches it. So every property of labels, refusals, divergence and deadlock stays.
//! Requires: what a property reads of a state counts as shared ([`Reach`]); a property that tells
//! states apart by all their cells (determinism) must not use it. Whether a cell is dead depends on
//! the state alone, so the order of search does not matter.
//!
//! Found by the usual backward analysis over the sites a component can reach. A cell counts as
//! written for sure only if the target is one cell whatever the parameters are. `P;Q` keeps what
//! either side needs: more than necessary, never less.

use super::by_term::ByTerm;
use super::cells::{Cells, Values, element, reads};
use super::reach::{Code, Reach};
use lineal_model::process::expr::{Expr, Stmt, Target};
use lineal_model::process::state::{ShapeId, State};
use lineal_model::process::term::{Term, TermId, Universe};
use lineal_model::process::{Block, EventExpr, Model, Node, Pattern, SiteId};
use rustc_hash::FxHashMap;
use std::sync::{Arc, RwLock};

/// Which cells are dead, by component.
pub struct Dead {
    shape: ShapeId,
    components: Vec<Component>,
}

struct Component {
    private: Cells,
    live: Live,
    /// By the term it is at.
    dead: ByTerm<Arc<[u32]>>,
}

impl Dead {
    pub fn of(model: &Model, initial: &State, reach: &Reach) -> Self {
        let component = |(code, private): (&Code, &Cells)| Component {
            private: private.clone(),
            live: Live::of(model, code),
            dead: ByTerm::default(),
        };
        let components = reach.components.iter().zip(&reach.private).map(component).collect();
        Dead { shape: initial.shape, components }
    }

    /// Sets the cells that component `leaf` has no use for any more to their initial values. The
    /// components must be those the process began with.
    pub fn reset(&self, universe: &Universe, state: &mut State, leaf: usize) {
        if state.shape != self.shape {
            return;
        }
        let (component, term) = (&self.components[leaf], state.leaves[leaf]);
        let dead = component.dead.get_or(term, || {
            let mut dead = component.private.clone();
            dead.remove_all(&component.live.of_term(universe, term));
            dead.iter().map(|c| c as u32).collect()
        });
        for cell in dead.iter() {
            state.cells[*cell as usize] = universe.model.cells[*cell as usize].initial;
        }
    }
}

/// What a component may still read before it writes it.
struct Live {
    /// By site.
    at: Vec<Cells>,
    /// What comes after something, and what it needs.
    after: RwLock<FxHashMap<TermId, Arc<Cells>>>,
}

impl Live {
    fn of(model: &Model, code: &Code) -> Live {
        let mut live = Live { at: vec![Cells::default(); model.sites.len()], after: RwLock::default() };
        loop {
            let mut changed = false;
            for id in code.sites.iter().rev() {
                let now = live.equation(model, code, *id);
                changed |= live.at[id.0 as usize].extend(&now);
            }
            if !changed {
                return live;
            }
        }
    }

    fn of_term(&self, universe: &Universe, term: TermId) -> Cells {
        let mut cells = Cells::default();
        self.add_term(universe, term, &mut cells);
        cells
    }

    fn add_term(&self, universe: &Universe, term: TermId, out: &mut Cells) {
        match universe.term(term) {
            Term::Stop | Term::Skip | Term::Done => {}
            Term::At(site, _) => {
                out.extend(&self.at[site.0 as usize]);
            }
            Term::Seq(a, b) => {
                self.add_term(universe, *a, out);
                out.extend(&self.after(universe, *b));
            }
            Term::Interrupt(a, b) => {
                self.add_term(universe, *a, out);
                self.add_term(universe, *b, out);
            }
            Term::Choice(_, kids) | Term::Parallel(_, _, kids) => {
                kids.iter().for_each(|k| self.add_term(universe, *k, out));
            }
            Term::Hide(t, _) | Term::Atomic(t) => self.add_term(universe, *t, out),
        }
    }

    /// The needs of the right side of `;`, which grows by one piece at a time.
    fn after(&self, universe: &Universe, term: TermId) -> Arc<Cells> {
        if let Some(known) = self.after.read().expect("no panic while locked").get(&term) {
            return known.clone();
        }
        let mut cells = Cells::default();
        self.add_term(universe, term, &mut cells);
        let cells = Arc::new(cells);
        self.after.write().expect("no panic while locked").insert(term, cells.clone());
        cells
    }

    fn equation(&self, model: &Model, code: &Code, id: SiteId) -> Cells {
        let site = model.site(id);
        let env = &code.env[site.def.0 as usize];
        let mut cells = Cells::default();
        let look = |e: &Expr, cells: &mut Cells| reads(e, env, cells);
        // The needs of the rest, less what the block writes, and what the block needs.
        let through = |block: &Option<Block>, next: SiteId, cells: &mut Cells| {
            let mut rest = self.at[next.0 as usize].clone();
            if let Some(block) = block {
                let mut written = Cells::default();
                exposed(&block.stmts, env, &mut written, cells);
                rest.remove_all(&written);
            }
            cells.extend(&rest);
        };
        match &site.node {
            Node::Stop | Node::Skip => {}
            Node::Prefix { event, block, next, .. } => {
                if let EventExpr::Named(_, args) = event {
                    args.iter().for_each(|a| look(a, &mut cells));
                }
                through(block, *next, &mut cells);
            }
            Node::Send { channel, values, block, next } => {
                channel.index.iter().chain(values).for_each(|e| look(e, &mut cells));
                through(block, *next, &mut cells);
            }
            Node::Receive { channel, pattern, guard, block, next } => {
                channel.index.iter().chain(guard).for_each(|e| look(e, &mut cells));
                for p in pattern {
                    if let Pattern::Match(e) = p {
                        look(e, &mut cells);
                    }
                }
                through(block, *next, &mut cells);
            }
            Node::If(c, a, b) | Node::IfAtomic(c, a, b) => {
                look(c, &mut cells);
                cells.extend(&self.at[a.0 as usize]);
                cells.extend(&self.at[b.0 as usize]);
            }
            Node::IfBlocking(c, a) | Node::Guard(c, a) => {
                look(c, &mut cells);
                cells.extend(&self.at[a.0 as usize]);
            }
            Node::Case(branches, default) => {
                for (c, p) in branches {
                    look(c, &mut cells);
                    cells.extend(&self.at[p.0 as usize]);
                }
                cells.extend(&self.at[default.0 as usize]);
            }
            Node::Seq(a, b) | Node::Interrupt(a, b) => {
                cells.extend(&self.at[a.0 as usize]);
                cells.extend(&self.at[b.0 as usize]);
            }
            Node::Choice(_, kids) | Node::Parallel(_, kids) => {
                for kid in kids {
                    cells.extend(&self.at[kid.0 as usize]);
                }
            }
            Node::Indexed(_, _, body)
            | Node::Copies(_, _, body)
            | Node::Hide(body, _)
            | Node::Atomic(body) => {
                cells.extend(&self.at[body.0 as usize]);
            }
            Node::Call(def, args) => {
                args.iter().for_each(|a| look(a, &mut cells));
                cells.extend(&self.at[model.def(*def).body.0 as usize]);
            }
        }
        cells
    }
}

/// Adds what statements read before they have written it; `written` grows by what they write on
/// every path.
fn exposed(stmts: &[Stmt], env: &[Values], written: &mut Cells, out: &mut Cells) {
    let look = |e: &Expr, written: &Cells, out: &mut Cells| {
        let mut cells = Cells::default();
        reads(e, env, &mut cells);
        cells.remove_all(written);
        out.extend(&cells);
    };
    for stmt in stmts {
        match stmt {
            Stmt::Assign(target, value) => {
                look(value, written, out);
                match target {
                    Target::Cell(c, _) => written.insert(*c as usize),
                    Target::Element(el) => {
                        el.dims.iter().for_each(|(_, e)| look(e, written, out));
                        if let [only] = element(el, env)[..] {
                            written.insert(only);
                        }
                    }
                    Target::Local(_) => {}
                }
            }
            Stmt::If(c, yes, no) => {
                look(c, written, out);
                let mut other = written.clone();
                exposed(yes, env, written, out);
                exposed(no, env, &mut other, out);
                written.retain(&other);
            }
            Stmt::While(c, body, _) => {
                look(c, written, out);
                exposed(body, env, &mut written.clone(), out);
            }
        }
    }
}
