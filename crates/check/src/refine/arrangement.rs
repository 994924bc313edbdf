//! How the components of a process are arranged, and when two arrangements are the same but for
//! names and the order of operands.
//!
//! Equal components may stand under different operators, as in `(A(i) ||| C()) \ {e.i}` for each
//! `i`: renaming must take the `C()` of one to that of the other, not to itself.

use lineal_model::process::state::ShapeKind;
use lineal_model::process::term::Universe;
use lineal_model::process::{Parallel, State};

/// How components are arranged: an operator, and what is below it.
pub struct Tree<'n> {
    kind: &'n ShapeKind,
    /// The number of the component, for a leaf.
    leaf: u32,
    kids: Vec<Tree<'n>>,
}

impl<'n> Tree<'n> {
    pub fn of(nodes: &'n [ShapeKind]) -> Self {
        fn node<'n>(rest: &mut std::slice::Iter<'n, ShapeKind>, leaves: &mut u32) -> Tree<'n> {
            let kind = rest.next().expect("as many nodes as operands");
            let operands = match kind {
                ShapeKind::Leaf => 0,
                ShapeKind::Parallel(_, _, n) => *n,
                ShapeKind::Hide(_) | ShapeKind::Seq(_) | ShapeKind::Atomic => 1,
            };
            let leaf = *leaves;
            *leaves += u32::from(operands == 0);
            Tree { kind, leaf, kids: (0..operands).map(|_| node(rest, leaves)).collect() }
        }
        node(&mut nodes.iter(), &mut 0)
    }

    /// Whether this is `other` but for the order of operands of `|||`; an equivalence as well.
    fn is_exchanged(&self, other: &Tree, leaf: &dyn Fn(u32, u32) -> bool) -> bool {
        if self.kind != other.kind || self.kids.len() != other.kids.len() {
            return false;
        }
        if self.kids.is_empty() {
            return leaf(self.leaf, other.leaf);
        }
        if !matches!(self.kind, ShapeKind::Parallel(Parallel::Interleave, ..)) {
            return self.kids.iter().zip(&other.kids).all(|(a, b)| a.is_exchanged(b, leaf));
        }
        let mut free = vec![true; other.kids.len()];
        self.kids.iter().all(|kid| {
            let to = (0..free.len()).find(|i| free[*i] && kid.is_exchanged(&other.kids[*i], leaf));
            to.inspect(|i| free[*i] = false).is_some()
        })
    }

    /// Whether this is `other` up to the order of operands, and which component is which. Being
    /// so is an equivalence, so the first operand that fits will do.
    pub fn matches(
        &self,
        other: &Tree,
        same: &dyn Fn(&ShapeKind, &ShapeKind) -> bool,
        leaf: &dyn Fn(u32, u32) -> bool,
        map: &mut Vec<u32>,
    ) -> bool {
        if !same(self.kind, other.kind) || self.kids.len() != other.kids.len() {
            return false;
        }
        if self.kids.is_empty() {
            map[self.leaf as usize] = other.leaf;
            return leaf(self.leaf, other.leaf);
        }
        let mut free = vec![true; other.kids.len()];
        self.kids.iter().all(|kid| {
            let to = (0..free.len()).find(|i| free[*i] && kid.matches(&other.kids[*i], same, leaf, map));
            to.inspect(|i| free[*i] = false).is_some()
        })
    }
}

/// Whether two states differ in the order of operands of `|||` at most, anywhere: then they are
/// strongly bisimilar, since `|||` does not look at that order.
pub fn are_exchanged(universe: &Universe, a: &State, b: &State) -> bool {
    let leaf = |i: u32, j: u32| a.leaves[i as usize] == b.leaves[j as usize];
    let (one, two) = (&universe.shape(a.shape).nodes, &universe.shape(b.shape).nodes);
    a.leaves.len() == b.leaves.len()
        && (&a.cells, &a.queues) == (&b.cells, &b.queues)
        && Tree::of(one).is_exchanged(&Tree::of(two), &leaf)
}
