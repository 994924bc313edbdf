//! Lists that grow at their end, as data: which classes they are made of, and the points of their nodes. What
//! that means is in the module about lists.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The field.
    pub next: usize,
    pub pointers: Vec<usize>,
    /// Number of the block that is there first.
    pub first: usize,
    /// The pointer that shows where to link, if there is one that always does.
    pub end: Option<usize>,
    /// Fields that are stored to in every node before it is linked.
    pub filled: Vec<usize>,
}

impl List {
    /// Nodes are read from there.
    pub fn shows_nodes(&self, class: usize) -> bool {
        class == self.next || self.pointers.contains(&class)
    }
}

/// Where a node comes into the list, and where the next one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub enter: usize,
    pub leave: usize,
}
