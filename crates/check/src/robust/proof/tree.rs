//! What one call of an operation can do: a tree of accesses, each way from the root to a leaf one path
//! through the code.

use super::term::Term;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    Read,
    Write,
    /// A read-modify-write that writes.
    Update,
    Fence,
    /// A new block.
    Alloc,
    /// The call returns.
    End,
    /// The program goes wrong.
    Fail,
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A global: its number, the offset, and of an array what else is added: a multiple of a term.
    Global { number: u32, offset: i64, index: Option<(i64, Term)> },
    /// A block of the heap, and an offset in it.
    Heap { block: Term, offset: i64 },
    /// The cell that stands for the order of seq_cst fences.
    Fences,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub parent: Option<usize>,
    pub act: Act,
    pub target: Option<Target>,
    pub bytes: u8,
    pub atomic: bool,
    /// More than acquire and release was asked for, and is not taken into account.
    pub seq_cst: bool,
    pub acquires: bool,
    pub releases: bool,
    /// What is written.
    pub value: Option<Term>,
    /// What is true if this happens: conditions on what was read so far, and here.
    pub conditions: Vec<(Term, bool)>,
    /// To a block of this call that nobody else can know of.
    pub own: bool,
    /// The instruction.
    pub site: u32,
    /// Of an end: a loop goes round again, as if for the first time.
    pub again: bool,
}

impl Node {
    pub fn reads(&self) -> bool {
        matches!(self.act, Act::Read | Act::Update)
    }

    pub fn writes(&self) -> bool {
        matches!(self.act, Act::Write | Act::Update)
    }

    /// Others can see that it happened.
    pub fn is_shared_write(&self) -> bool {
        self.writes() && !self.own
    }

    /// The last of a block (`(read | fence | own store)* write?`).
    pub fn ends_block(&self) -> bool {
        self.is_shared_write() || matches!(self.act, Act::End | Act::Fail)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub forgotten: Forgotten,
}

/// What went from one round of a loop to another and was forgotten: which unknowns stand for it, and what
/// it may have been.
#[derive(Clone, Debug, Default)]
pub struct Forgotten {
    pub unknowns: BTreeSet<usize>,
    /// What these instructions read.
    pub reads: BTreeSet<u32>,
    pub others: BTreeSet<Term>,
}

impl Tree {
    pub fn children(&self, of: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(move |&n| self.nodes[n].parent == of)
    }

    /// From the root to the node, it included.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let Some(up) = self.nodes[path[path.len() - 1]].parent {
            path.push(up);
        }
        path.reverse();
        path
    }

    pub fn depth(&self, node: usize) -> usize {
        self.path(node).len() - 1
    }

    pub fn is_before(&self, a: usize, b: usize) -> bool {
        let mut at = self.nodes[b].parent;
        while let Some(n) = at {
            if n == a {
                return true;
            }
            at = self.nodes[n].parent;
        }
        false
    }

    /// What comes after a node in its block.
    pub fn rest_of_block(&self, node: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![node];
        while let Some(n) = open.pop() {
            if self.nodes[n].ends_block() {
                continue;
            }
            for child in self.children(Some(n)) {
                found.insert(child);
                open.push(child);
            }
        }
        found
    }

    /// Leaves out what leads to no end: a path that goes round a loop to no avail.
    pub fn prune(&mut self) {
        self.only(&|n| matches!(n.act, Act::End | Act::Fail) && !n.again, &|_| true);
    }

    /// A write that others can see and that no end follows: an execution that goes wrong elsewhere may have it.
    pub fn lost(&self) -> Option<&Node> {
        let mut ends = vec![false; self.nodes.len()];
        for n in 0..self.nodes.len() {
            if matches!(self.nodes[n].act, Act::End | Act::Fail) {
                self.path(n).into_iter().for_each(|k| ends[k] = true);
            }
        }
        self.nodes.iter().zip(ends).find(|(n, ends)| n.is_shared_write() && !ends).map(|(n, _)| n)
    }

    /// The rounds of loops that wrote and go on as if nothing had been, without what came before the loop.
    pub fn rounds(&self) -> Option<Tree> {
        let mut rounds = self.clone();
        rounds.only(&|n| n.again, &|n| n.act != Act::Alloc && !n.own);
        (!rounds.nodes.is_empty()).then_some(rounds)
    }

    /// Leaves out what leads to none of these leaves, and nodes that are not wanted at all: whose children
    /// become those of their parents.
    fn only(&mut self, leaf: &dyn Fn(&Node) -> bool, wanted: &dyn Fn(&Node) -> bool) {
        let mut keep = vec![false; self.nodes.len()];
        for n in 0..self.nodes.len() {
            if leaf(&self.nodes[n]) {
                self.path(n).into_iter().for_each(|k| keep[k] = wanted(&self.nodes[k]));
            }
        }
        if keep.iter().all(|k| *k) {
            return;
        }
        for n in 0..self.nodes.len() {
            while let Some(up) = self.nodes[n].parent.filter(|&up| keep[n] && !keep[up]) {
                self.nodes[n].parent = self.nodes[up].parent;
            }
        }
        let mut number = vec![usize::MAX; self.nodes.len()];
        let mut next = 0;
        for n in 0..self.nodes.len() {
            if keep[n] {
                number[n] = next;
                next += 1;
            }
        }
        let mut kept = Vec::new();
        for (n, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            if keep[n] {
                kept.push(renumbered(node, &number));
            }
        }
        self.nodes = kept;
    }
}

fn renumbered(mut node: Node, number: &[usize]) -> Node {
    node.parent = node.parent.map(|p| number[p]);
    node.value = node.value.map(|v| moved(&v, number));
    node.conditions = node.conditions.iter().map(|(c, is)| (moved(c, number), *is)).collect();
    node.target = node.target.map(|t| match t {
        Target::Heap { block, offset } => Target::Heap { block: moved(&block, number), offset },
        Target::Global { number: g, offset, index } => {
            Target::Global { number: g, offset, index: index.map(|(k, t)| (k, moved(&t, number))) }
        }
        Target::Fences => Target::Fences,
    });
    node
}

fn moved(term: &Term, number: &[usize]) -> Term {
    match term {
        Term::Read(n, size) => Term::Read(number[*n], *size),
        Term::Un(op, a) => Term::Un(*op, moved(a, number).into()),
        Term::Bin(op, size, a, b) => Term::Bin(*op, *size, moved(a, number).into(), moved(b, number).into()),
        other => other.clone(),
    }
}
