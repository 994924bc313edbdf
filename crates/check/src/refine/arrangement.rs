//! How the components of a process are arranged, and when two arrangements are the same but for
//! names and the order of operands.
//!
//! Equal components may stand under different operators, as in `(A(i) ||| C()) \ {e.i}` for each
//! `i`: renaming must take the `C()` of one to that of the other, not to itself.

use lineal_model::process::state::ShapeKind;

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
