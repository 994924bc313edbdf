//! Pointers that are read from memory and followed lead to whole blocks of the heap, and nowhere else.
//!
//! A location that is reached through such a pointer is a field of some block ([`super::library`]): it is
//! taken to be none of the named objects, and to lie so far from where its block begins. Both would be wrong of
//! the address of a named object, or of one inside a block. So of every class that followed pointers are
//! read from, all that it ever holds is looked at: what is there before the first call, and what operations
//! write. That must be a block as it was allocated, a number, or a copy of what another such class
//! holds, also one that went from one round of a loop to the next. Else the object is refused.

use super::library::{Library, MOST_INITIAL};
use super::paths::Refusal;
use super::term::Term;
use super::tree::Target;
use lineal_model::run::Loc;
use std::collections::BTreeSet;

/// Whether every pointer that is followed leads to where it is taken to lead.
pub fn are_followed(library: &Library) -> Result<(), Refusal> {
    let mut open: Vec<usize> = Vec::new();
    for (o, operation) in library.operations.iter().enumerate() {
        for node in &operation.tree.nodes {
            if let Some(Target::Heap { block: Term::Read(n, _), .. }) = &node.target {
                open.extend(library.class_of(o, *n));
            }
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(class) = open.pop() {
        if !seen.insert(class) {
            continue;
        }
        let c = &library.classes[class];
        let mut whole = c.initial.len() < MOST_INITIAL && c.initial.iter().all(|(_, value)| is_whole(value));
        for (o, operation) in library.operations.iter().enumerate() {
            for (n, node) in operation.tree.nodes.iter().enumerate() {
                if library.class_of(o, n) != Some(class) || !node.writes() {
                    continue;
                }
                match &node.value {
                    Some(Term::Read(r, _)) => open.extend(library.class_of(o, *r)),
                    Some(Term::Free(k)) if operation.tree.forgotten.unknowns.contains(k) => {
                        match forgotten(library, o) {
                            Some(classes) => open.extend(classes),
                            None => whole = false,
                        }
                    }
                    Some(value) => whole &= is_whole(value),
                    None => whole = false,
                }
            }
        }
        if !whole {
            let why = format!("{} may hold an address that is not that of a whole block of the heap", c.name);
            return Err(Refusal { why, at: None });
        }
    }
    Ok(())
}

/// The classes that an operation reads what it carries from one round of a loop to the next from; `None`: or it may be
/// something else.
fn forgotten(library: &Library, operation: usize) -> Option<BTreeSet<usize>> {
    let tree = &library.operations[operation].tree;
    if !tree.forgotten.others.iter().all(is_whole) {
        return None;
    }
    let mut classes = BTreeSet::new();
    for site in &tree.forgotten.reads {
        let reads = (0..tree.nodes.len()).filter(|&n| tree.nodes[n].site == *site && tree.nodes[n].reads());
        let of: BTreeSet<usize> = reads.filter_map(|n| library.class_of(operation, n)).collect();
        if of.is_empty() {
            return None;
        }
        classes.extend(of);
    }
    Some(classes)
}

/// The address of a block as it was allocated, or no address at all.
fn is_whole(value: &Term) -> bool {
    match value {
        Term::Alloc(_) | Term::Initial(_) => true,
        Term::Const(c) => !Loc(*c as u64).block().is_global(),
        _ => false,
    }
}
