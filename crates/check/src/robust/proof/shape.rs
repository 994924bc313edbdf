//! Which lemmas an object has the shape for: what the code shows at a glance.

use super::encode::Switches;
use super::library::{Library, Sort};
use super::stated::Stated;
use super::term::{Binary, Term};
use super::tree::Act;
use crate::seeded::{self, Bug};
use std::collections::BTreeSet;

/// A fact that takes an induction of its own; what each says is in [`super::lemma`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lemma {
    Grows {
        class: usize,
    },
    /// `knocks`: it is also written while it is held, by those who find it so.
    Lock {
        class: usize,
        free: i64,
        synchronises: bool,
        knocks: bool,
    },
    Turn {
        shown: usize,
        synchronises: bool,
    },
    Ring {
        ahead: usize,
        behind: usize,
        slots: i64,
    },
    Once {
        class: usize,
    },
    Chain,
    Follows {
        pointer: usize,
    },
    Lags {
        pointer: usize,
    },
    Behind {
        pointer: usize,
        other: usize,
    },
    Told {
        of: Vec<usize>,
    },
    Passed {
        pointer: usize,
        of: Vec<usize>,
    },
    /// What the author says: which of those facts.
    Stated {
        number: usize,
    },
}

impl Lemma {
    /// What its author said.
    pub fn stated<'l>(&self, library: &'l Library) -> Option<&'l Stated> {
        if let Lemma::Stated { number } = self { Some(&library.stated[*number]) } else { None }
    }

    /// The classes that links are told by.
    pub fn told_of(&self) -> &[usize] {
        if let Lemma::Told { of } = self { of } else { &[] }
    }

    pub fn name(&self, library: &Library) -> String {
        let name = |c: &usize| library.classes[*c].name.clone();
        let names = |all: &[usize]| all.iter().map(name).collect::<Vec<_>>().join(", ");
        match self {
            Lemma::Grows { class } => format!("{}: grows", name(class)),
            Lemma::Lock { class, .. } => format!("{}: held by one call at a time", name(class)),
            Lemma::Turn { shown, .. } => format!("{}: handed from call to call", name(shown)),
            Lemma::Ring { ahead, behind, slots } => {
                format!("{}: from {} to {slots} more than that", name(ahead), name(behind))
            }
            Lemma::Once { class } => format!("{}: written once, by who drew the place", name(class)),
            Lemma::Chain => {
                let next = library.list.as_ref().map_or(0, |l| l.next);
                format!("{}: written of the last node", name(&next))
            }
            Lemma::Follows { pointer } => format!("{}: moves along the list", name(pointer)),
            Lemma::Lags { pointer } => format!("{}: shows the last node or the one before", name(pointer)),
            Lemma::Behind { pointer, other } => {
                format!("{}: shows no later node than {}", name(pointer), name(other))
            }
            Lemma::Told { of } => {
                format!("{}: who acquires a node has seen all links so far", names(of))
            }
            Lemma::Stated { number } => library.stated[*number].name(),
            Lemma::Passed { pointer, of } => {
                format!("{}: who acquires a node has seen {} move to earlier ones", names(of), name(pointer))
            }
        }
    }
}

/// Nodes of a class in a tree.
pub fn of_class(library: &Library, operation: usize, class: usize) -> Vec<usize> {
    let nodes = 0..library.operations[operation].tree.nodes.len();
    nodes.filter(|&n| library.class_of(operation, n) == Some(class)).collect()
}

/// The last write of the class before a node.
pub fn write_before(library: &Library, operation: usize, class: usize, node: usize) -> Option<usize> {
    let tree = &library.operations[operation].tree;
    let path = tree.path(node);
    let before = path[..path.len() - 1].iter().rev();
    before.copied().find(|&n| library.class_of(operation, n) == Some(class) && tree.nodes[n].writes())
}

pub fn is_scalar(library: &Library, class: usize) -> bool {
    let all = (0..library.operations.len()).flat_map(|o| library.operations[o].access.iter().flatten());
    let indices: BTreeSet<&Term> = all.filter(|a| a.0 == class).map(|a| &a.1).collect();
    !library.classes[class].heap && indices.len() == 1 && matches!(indices.first(), Some(Term::Const(_)))
}

/// What to try: the shapes that are there.
pub fn candidates(library: &Library, switches: Switches) -> Vec<Lemma> {
    let classes = 0..library.classes.len();
    let scalar: Vec<usize> = classes.filter(|&c| is_scalar(library, c)).collect();
    let mut all = Vec::new();
    let growing: Vec<usize> = scalar.iter().copied().filter(|&c| grows(library, c)).collect();
    all.extend(growing.iter().map(|&class| Lemma::Grows { class }));
    all.extend(scalar.iter().filter_map(|&class| lock(library, class)));
    all.extend((0..library.classes.len()).filter_map(|shown| turn(library, &growing, shown)));
    all.extend(
        (0..library.classes.len()).filter(|&c| once(library, &growing, c)).map(|class| Lemma::Once { class }),
    );
    for &ahead in &growing {
        for &behind in &growing {
            all.extend(ring(library, ahead, behind));
        }
    }
    all.extend(list(library));
    all.extend((0..library.stated.len()).map(|number| Lemma::Stated { number }));
    all.retain(|lemma| match lemma {
        Lemma::Grows { .. } | Lemma::Once { .. } => switches.grows,
        Lemma::Lock { .. } => switches.lock,
        Lemma::Turn { .. } => switches.turn,
        Lemma::Ring { .. } => switches.ring,
        Lemma::Stated { .. } => switches.stated,
        _ => switches.list,
    });
    all
}

/// The facts about a list: in the order in which they rest on each other.
fn list(library: &Library) -> Vec<Lemma> {
    let Some((list, end)) = library.list.as_ref().and_then(|l| Some((l, l.end?))) else { return Vec::new() };
    let mut all = vec![Lemma::Chain];
    all.extend(list.pointers.iter().map(|&pointer| Lemma::Follows { pointer }));
    all.push(Lemma::Lags { pointer: end });
    let looks = |&(o, w): &(usize, usize)| {
        let path = library.operations[o].tree.path(w);
        path.iter().any(|&n| library.class_of(o, n) == Some(end) && library.node(o, n).reads())
    };
    let others = list.pointers.iter().copied().filter(|&p| p != end && writes(library, p).iter().all(looks));
    all.extend(others.map(|pointer| Lemma::Behind { pointer, other: end }));
    let releases = |c: &usize| list.releases(library, *c);
    let core = vec![list.next, end];
    if core.iter().all(releases) {
        let others: Vec<usize> = list.pointers.iter().copied().filter(|p| *p != end && releases(p)).collect();
        let sets = std::iter::once(core).chain(others.into_iter().map(|p| vec![p]));
        for of in sets {
            all.push(Lemma::Told { of: of.clone() });
            all.push(Lemma::Passed { pointer: end, of });
        }
    }
    all
}

fn writes(library: &Library, class: usize) -> Vec<(usize, usize)> {
    let operations = 0..library.operations.len();
    let nodes = operations.flat_map(|o| of_class(library, o, class).into_iter().map(move |n| (o, n)));
    nodes.filter(|&(o, n)| library.node(o, n).writes()).collect()
}

fn grows(library: &Library, class: usize) -> bool {
    let c = &library.classes[class];
    let grown = |&(o, n): &(usize, usize)| {
        let node = library.node(o, n);
        match node.value.as_ref().and_then(|v| library.number(o, v)) {
            Some((Some(read), add)) => {
                let own = if node.act == Act::Update { read == n } else { c.owner.is_some() };
                own && add >= 1 && library.class_of(o, read) == Some(class)
            }
            _ => false,
        }
    };
    let all = writes(library, class);
    c.sort == Sort::Number && !all.is_empty() && all.iter().all(grown)
}

/// Every write is to a place that was drawn from one counter, by the call that drew it.
fn once(library: &Library, growing: &[usize], class: usize) -> bool {
    let all = writes(library, class);
    let drawn: BTreeSet<Option<usize>> = all
        .iter()
        .map(|&(o, n)| {
            let (_, index) = library.operations[o].access[n].as_ref()?;
            let (Some(draw), 0) = library.number(o, index)? else { return None };
            let from = library.class_of(o, draw).filter(|c| growing.contains(c))?;
            let alone = write_before(library, o, class, n).is_none();
            (library.node(o, draw).act == Act::Update && library.classes[from].updates && alone)
                .then_some(from)
        })
        .collect();
    !library.classes[class].heap && drawn.len() == 1 && !drawn.contains(&None)
}

fn lock(library: &Library, class: usize) -> Option<Lemma> {
    let Some((_, Term::Const(free))) = library.classes[class].initial.first() else { return None };
    let all = writes(library, class);
    let (mut acquires, mut releases, mut taken, mut knocks) = (true, true, false, false);
    for &(o, n) in &all {
        let node = library.node(o, n);
        let before = write_before(library, o, class, n);
        // On the way to some node: what this one read was the value of a lock that is free.
        let found_free = |of: usize, on_the_way: usize| {
            let path = library.operations[o].tree.path(on_the_way);
            path.iter().flat_map(|&k| &library.node(o, k).conditions).any(|(c, is)| {
                *is && matches!(c, Term::Bin(Binary::Eq, _, a, b)
                    if matches!(**a, Term::Read(r, _) if r == of) && **b == Term::Const(*free))
            })
        };
        let updates = before.filter(|&w| library.node(o, w).act == Act::Update);
        match node.act {
            Act::Update => {
                let other = matches!(&node.value, Some(Term::Const(v)) if v != free);
                if !other || updates.is_some() {
                    return None;
                }
                knocks |= !found_free(n, n);
                (acquires, taken) = (acquires && node.acquires, true);
            }
            _ => {
                let took = updates.is_some_and(|w| found_free(w, n));
                if node.value != Some(Term::Const(*free)) || !took {
                    return None;
                }
                releases &= node.releases;
            }
        }
    }
    taken.then_some(Lemma::Lock { class, free: *free, synchronises: acquires && releases, knocks })
}

/// In one operation: where a number is drawn, where what it needs is waited for, and where another is
/// shown, which may be on each path elsewhere.
#[derive(Clone, Debug)]
pub struct Stage {
    pub draw: usize,
    pub wait: usize,
    pub shows: Vec<usize>,
    pub needs: Term,
}

/// The stages of an operation that shows something; `None`: it has another shape.
pub fn stages(library: &Library, operation: usize, shown: usize) -> Option<Vec<Stage>> {
    let tree = &library.operations[operation].tree;
    let access = |n: usize| library.operations[operation].access[n].as_ref();
    let mut found: Vec<Stage> = Vec::new();
    for show in of_class(library, operation, shown) {
        if !tree.nodes[show].writes() {
            continue;
        }
        let path = tree.path(show);
        let on = || path.iter().copied().filter(|&n| library.class_of(operation, n) == Some(shown));
        let wait = on().next()?;
        let met = path.iter().flat_map(|&n| &tree.nodes[n].conditions).find_map(|(c, is)| match c {
            Term::Bin(Binary::Eq, _, a, b) if *is => match (&**a, &**b) {
                (Term::Read(r, _), other) | (other, Term::Read(r, _)) if *r == wait => Some(other.clone()),
                _ => None,
            },
            _ => None,
        });
        let needs = met?;
        let (draw, _) = library.number(operation, &needs)?;
        let draw = draw?;
        let once = on().filter(|&n| tree.nodes[n].writes()).count() == 1;
        let fits = tree.nodes[draw].act == Act::Update
            && tree.is_before(draw, wait)
            && tree.nodes[wait].act == Act::Read
            && tree.nodes[show].act == Act::Write
            && access(wait) == access(show)
            && once;
        if !fits {
            return None;
        }
        match found.iter_mut().find(|stage| stage.wait == wait && !seeded::active(Bug::OneShow)) {
            Some(stage) if (stage.draw, &stage.needs) == (draw, &needs) => stage.shows.push(show),
            // Whoever has waited there may have waited for either.
            Some(_) => return None,
            None => found.push(Stage { draw, wait, shows: vec![show], needs }),
        }
    }
    Some(found)
}

fn turn(library: &Library, growing: &[usize], shown: usize) -> Option<Lemma> {
    let s = &library.classes[shown];
    if s.sort != Sort::Number || s.heap || writes(library, shown).is_empty() {
        return None;
    }
    let mut synchronises = true;
    for o in 0..library.operations.len() {
        for stage in stages(library, o, shown)? {
            let drawn = library.class_of(o, stage.draw)?;
            if !growing.contains(&drawn) || !library.classes[drawn].updates {
                return None;
            }
            synchronises &= library.node(o, stage.wait).acquires;
            synchronises &= stage.shows.iter().all(|&show| library.node(o, show).releases);
        }
    }
    Some(Lemma::Turn { shown, synchronises })
}

fn ring(library: &Library, ahead: usize, behind: usize) -> Option<Lemma> {
    let (a, b) = (&library.classes[ahead], &library.classes[behind]);
    if ahead == behind
        || a.owner.is_none()
        || b.owner.is_none()
        || a.owner == b.owner
        || a.initial != b.initial
    {
        return None;
    }
    let mut slots = None;
    for operation in &library.operations {
        for (term, is) in operation.tree.nodes.iter().flat_map(|n| &n.conditions) {
            if let (Term::Bin(Binary::Eq, _, gap, n), false) = (term, is)
                && let (Term::Bin(Binary::Sub, _, x, y), Term::Const(n)) = (&**gap, &**n)
                && let (Term::Read(x, _), Term::Read(y, _)) = (&**x, &**y)
                && (operation.access[*x].as_ref()?.0, operation.access[*y].as_ref()?.0) == (ahead, behind)
            {
                slots = Some(*n);
            }
        }
    }
    let slots = slots.filter(|n| (1..=32).contains(n))?;
    Some(Lemma::Ring { ahead, behind, slots })
}

/// In one operation: reads of the own counter and then of the other one.
pub fn looks(library: &Library, operation: usize, own: usize, other: usize) -> Vec<(usize, usize)> {
    let role = library.operations[operation].session;
    if role.is_none() || library.classes[own].owner != role {
        return Vec::new();
    }
    let tree = &library.operations[operation].tree;
    let mut found = Vec::new();
    for r in of_class(library, operation, other) {
        if !tree.nodes[r].reads() {
            continue;
        }
        let path = tree.path(r);
        let first = path.iter().copied().find(|&n| library.class_of(operation, n) == Some(own));
        if let Some(e) = first
            && e != r
            && tree.nodes[e].reads()
            && write_before(library, operation, own, r).is_none()
        {
            found.push((e, r));
        }
    }
    found
}
