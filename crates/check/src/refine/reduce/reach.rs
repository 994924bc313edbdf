//! Which cells each parallel component may ever touch, found from the text.
//!
//! What a component can reach is what the text can, whatever its tests say: more than happens, never
//! less. A cell touched by one component only is *private* to it; what the property reads, and what
//! comes after the components, is shared. The other reductions rest on this; it needs no switch, since
//! by itself it only keeps cells that nobody writes out of stored states.

use super::cells::{Cells, Values, reads, span, touches};
use lineal_model::process::expr::Expr;
use lineal_model::process::state::{ShapeKind, State};
use lineal_model::process::term::{Term, TermId, Universe};
use lineal_model::process::{Block, EventExpr, Model, Node, Pattern, RangeItem, SiteId};

/// What one component can reach: sites, and what its slots may hold.
#[derive(Clone, Debug)]
pub struct Code {
    pub sites: Vec<SiteId>,
    pub env: Vec<Vec<Values>>,
    pub atomic: bool,
    pub read: Cells,
    pub written: Cells,
}

/// What the components of a system share, and what they do not.
pub struct Reach {
    /// By component.
    pub components: Vec<Code>,
    /// Private cells, by component.
    pub private: Vec<Cells>,
    /// Cells nobody writes.
    pub constant: Cells,
    /// Something is `atomic`.
    pub atomic: bool,
}

impl Reach {
    /// `watched` are expressions a property reads in each state.
    pub fn of(universe: &Universe, initial: &State, watched: &[&Expr]) -> Self {
        let model = universe.model;
        let mut parts: Vec<Code> = initial.leaves.iter().map(|t| Code::of(universe, *t)).collect();
        let leaves = parts.len();
        for node in &universe.shape(initial.shape).nodes {
            if let ShapeKind::Seq(right) = node {
                parts.push(Code::of(universe, *right));
            }
        }
        let mut shared = Cells::default();
        watched.iter().for_each(|e| reads(e, &[], &mut shared));
        let (mut seen, mut written) = (shared.clone(), Cells::default());
        for part in &parts {
            let all = part.touched();
            for cell in all.iter().filter(|c| seen.contains(*c)) {
                shared.insert(cell);
            }
            seen.extend(&all);
            written.extend(&part.written);
        }
        let mut constant = Cells::default();
        (0..model.cells.len()).filter(|c| !written.contains(*c)).for_each(|c| constant.insert(c));
        let atomic = parts.iter().any(|p| p.atomic);
        parts.truncate(leaves);
        let own = |part: &Code| {
            let mut cells = part.touched();
            cells.remove_all(&shared);
            cells
        };
        Reach { private: parts.iter().map(own).collect(), components: parts, constant, atomic }
    }

    pub fn is_written(&self, cell: usize) -> bool {
        !self.constant.contains(cell)
    }
}

impl Code {
    /// Follows the text from `term` until nothing new turns up.
    pub fn of(universe: &Universe, term: TermId) -> Code {
        let model = universe.model;
        let mut code = Code::empty(model);
        let mut roots = Vec::new();
        code.start(universe, term, &mut roots);
        loop {
            let mut changed = false;
            let mut seen = vec![false; model.sites.len()];
            let mut work = roots.clone();
            code.sites.clear();
            while let Some(id) = work.pop() {
                if std::mem::replace(&mut seen[id.0 as usize], true) {
                    continue;
                }
                code.sites.push(id);
                changed |= code.visit(model, id, &mut work);
            }
            if !changed {
                return code;
            }
        }
    }

    fn touched(&self) -> Cells {
        let mut cells = self.read.clone();
        cells.extend(&self.written);
        cells
    }

    fn empty(model: &Model) -> Code {
        Code {
            sites: Vec::new(),
            env: model.defs.iter().map(|d| vec![Values::NOTHING; d.slots as usize]).collect(),
            atomic: false,
            read: Cells::default(),
            written: Cells::default(),
        }
    }

    fn start(&mut self, universe: &Universe, term: TermId, roots: &mut Vec<SiteId>) {
        match universe.term(term) {
            Term::Stop | Term::Skip | Term::Done => {}
            Term::At(site, values) => {
                let info = universe.model.site(*site);
                for (slot, value) in info.free.iter().zip(values) {
                    self.env[info.def.0 as usize][*slot as usize].join(&Values::one(*value));
                }
                roots.push(*site);
            }
            Term::Seq(a, b) | Term::Interrupt(a, b) => {
                self.start(universe, *a, roots);
                self.start(universe, *b, roots);
            }
            Term::Choice(_, kids) | Term::Parallel(_, _, kids) => {
                kids.iter().for_each(|k| self.start(universe, *k, roots));
            }
            Term::Hide(t, _) => self.start(universe, *t, roots),
            Term::Atomic(t) => {
                self.atomic = true;
                self.start(universe, *t, roots);
            }
        }
    }

    fn visit(&mut self, model: &Model, id: SiteId, work: &mut Vec<SiteId>) -> bool {
        let site = model.site(id);
        let env = self.env[site.def.0 as usize].clone();
        let mut changed = false;
        let mut look = |e: &Expr| reads(e, &env, &mut self.read);
        match &site.node {
            Node::Stop | Node::Skip => {}
            Node::Prefix { event, block, next, .. } => {
                if let EventExpr::Named(_, args) = event {
                    args.iter().for_each(look);
                }
                self.block(block, &env);
                work.push(*next);
            }
            Node::Send { channel, values, block, next } => {
                channel.index.iter().for_each(&mut look);
                values.iter().for_each(look);
                self.block(block, &env);
                work.push(*next);
            }
            Node::Receive { channel, pattern, guard, block, next } => {
                channel.index.iter().for_each(&mut look);
                guard.iter().for_each(&mut look);
                for p in pattern {
                    match p {
                        Pattern::Match(e) => look(e),
                        Pattern::Bind(slot) => {
                            changed |= self.env[site.def.0 as usize][*slot as usize].join(&Values::Any);
                        }
                    }
                }
                self.block(block, &env);
                work.push(*next);
            }
            Node::If(c, a, b) | Node::IfAtomic(c, a, b) => {
                look(c);
                work.extend([*a, *b]);
            }
            Node::IfBlocking(c, a) | Node::Guard(c, a) => {
                look(c);
                work.push(*a);
            }
            Node::Case(branches, default) => {
                for (c, p) in branches {
                    look(c);
                    work.push(*p);
                }
                work.push(*default);
            }
            Node::Seq(a, b) | Node::Interrupt(a, b) => work.extend([*a, *b]),
            Node::Choice(_, kids) | Node::Parallel(_, kids) => work.extend(kids),
            Node::Indexed(_, ranges, body) => {
                for range in ranges {
                    for item in &range.values {
                        let values = match item {
                            RangeItem::One(e) => Values::of(e, &env),
                            RangeItem::Span(a, b) => span(Values::of(a, &env), Values::of(b, &env)),
                        };
                        changed |= self.env[site.def.0 as usize][range.slot as usize].join(&values);
                    }
                }
                work.push(*body);
            }
            Node::Copies(_, _, body) | Node::Hide(body, _) => work.push(*body),
            Node::Atomic(body) => {
                self.atomic = true;
                work.push(*body);
            }
            Node::Call(def, args) => {
                args.iter().for_each(look);
                for (slot, arg) in args.iter().enumerate() {
                    changed |= self.env[def.0 as usize][slot].join(&Values::of(arg, &env));
                }
                work.push(model.def(*def).body);
            }
        }
        changed
    }

    fn block(&mut self, block: &Option<Block>, env: &[Values]) {
        if let Some(block) = block {
            touches(&block.stmts, env, &mut self.read, &mut self.written);
        }
    }
}
