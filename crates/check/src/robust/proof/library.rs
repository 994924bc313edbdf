//! An object as the prover sees it: what each operation can do, and the classes of locations it does that
//! to. A class is a global, an element of an array, or a field of blocks of the heap.

use super::memory;
use super::nodes::List;
use super::paths::{self, Memory, Model, Refusal};
use super::stated::{self, Known, Stated};
use super::term::{Binary, Term, ZERO};
use super::tree::{Act, Node, Target, Tree};
use lineal_model::Place;
use lineal_model::object::Object;
use lineal_model::program::client::Compiled;
use lineal_model::program::{Program, Sought};
use std::collections::{BTreeMap, BTreeSet};

/// What values of a class are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Equality.
    Plain,
    /// Size, and addition: numbers that do not wrap around.
    Number,
    /// Nothing is said about them.
    Wild,
}

/// Of an array: so many initial values are known, at most.
pub const MOST_INITIAL: usize = 64;

/// What a write that is not looked at may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrote {
    /// A block that its call allocated.
    Own,
    Constant(i64),
    Anything,
}

#[derive(Clone, Debug)]
pub struct Class {
    pub name: String,
    pub heap: bool,
    pub sort: Sort,
    /// Values before the first call, by index.
    pub initial: Vec<(Term, Term)>,
    /// Every write is a read-modify-write.
    pub updates: bool,
    /// Every write that others can see is one.
    pub shared_updates: bool,
    /// Every write is to a block that nobody else knows of.
    pub own: bool,
    /// What is written where others can see it.
    pub wrote: BTreeSet<Wrote>,
    /// All writes that others can see are made by one session, that of this role.
    pub owner: Option<usize>,
    /// All of these release.
    pub releases: bool,
    pub bytes: u8,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub name: String,
    pub tree: Tree,
    /// All calls of this role are made by one session.
    pub session: Option<usize>,
    /// By node: its class, and which location of it.
    pub access: Vec<Option<(usize, Term)>>,
    pub depth: Vec<usize>,
    /// Rounds of loops of this operation, rather than the whole of a call ([`paths`]).
    pub round_of: Option<usize>,
}

impl Operation {
    fn new(name: String, tree: Tree, session: Option<usize>, round_of: Option<usize>) -> Self {
        let depth = (0..tree.nodes.len()).map(|n| tree.depth(n)).collect();
        Operation { name, tree, session, access: Vec::new(), depth, round_of }
    }
}

#[derive(Clone, Debug)]
pub struct Library {
    pub operations: Vec<Operation>,
    pub classes: Vec<Class>,
    /// The largest number that values are compared with or grow by, and what they are divided by.
    pub largest: i64,
    pub modulus: i64,
    pub list: Option<List>,
    /// What its author says of it, and numbers that are mentioned there.
    pub stated: Vec<Stated>,
    pub named: Vec<i64>,
    pub model: Model,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Global(u32, i64, i64),
    Heap(i64),
    Fences,
}

/// Reads an object.
pub fn library(compiled: &Compiled, memory: lineal_model::Memory) -> Result<Library, Refusal> {
    use lineal_model::Memory as M;
    let model = Model { fences: memory != M::Ra, strong: memory == M::Tso };
    let (operations, object) = (&compiled.operations, &compiled.object);
    let program = &operations.machine.program;
    let refuse = |why: &str| Err(Refusal { why: why.into(), at: Some(object.at.clone()) });
    if compiled.thread_state || operations.thread_init.is_some() {
        return refuse("the object keeps state per thread");
    }
    if !object.fini.is_empty() {
        return refuse("something is run after the last call");
    }
    let memory = paths::setup(program, operations.setup)?;
    let (mut all, mut more) = (Vec::new(), Vec::new());
    for (k, operation) in object.operations.iter().enumerate() {
        let (tree, rounds) = paths::tree(program, operations.calls[k], model)?;
        if !tree.nodes.iter().any(|n| n.act == Act::End) {
            return refuse(&format!("no path of `{}` comes to an end", operation.name));
        }
        let alone = |r: &(usize, &lineal_model::object::Role)| r.1.max == 1 && r.1.operations.contains(&k);
        let session = object.roles.iter().enumerate().find(alone).map(|(r, _)| r);
        all.push(Operation::new(operation.name.clone(), tree, session, None));
        let name = || format!("{} (a round)", operation.name);
        more.extend(rounds.map(|tree| Operation::new(name(), tree, session, Some(k))));
    }
    all.extend(more);
    Reader { program, memory: &memory, object, keys: BTreeMap::new() }.read(all, model)
}

struct Reader<'a> {
    program: &'a Program,
    memory: &'a Memory,
    object: &'a Object,
    keys: BTreeMap<Key, usize>,
}

impl Reader<'_> {
    /// Where an access is written.
    fn place(&self, node: &Node) -> Option<Place> {
        let site = self.program.sites.get(node.site as usize).copied()?;
        self.program.places.get(site as usize).cloned().flatten()
    }

    fn read(mut self, mut operations: Vec<Operation>, model: Model) -> Result<Library, Refusal> {
        let strides = strides(&operations).map_err(|(why, node)| Refusal { why, at: self.place(node) })?;
        let mut sizes: BTreeMap<usize, u8> = BTreeMap::new();
        for operation in &mut operations {
            let nodes = std::mem::take(&mut operation.tree.nodes);
            for node in &nodes {
                let access = node.target.as_ref().map(|t| self.access(t, &strides));
                if let Some((class, _)) = access
                    && *sizes.entry(class).or_insert(node.bytes) != node.bytes
                {
                    let why = "one location is accessed in several sizes".into();
                    return Err(Refusal { why, at: self.place(node) });
                }
                operation.access.push(access);
            }
            operation.tree.nodes = nodes;
        }
        self.overlap(&sizes)?;
        let keys: Vec<Key> = {
            let mut keys: Vec<(usize, Key)> = self.keys.iter().map(|(k, c)| (*c, *k)).collect();
            keys.sort_unstable();
            keys.into_iter().map(|(_, k)| k).collect()
        };
        let names: Vec<(usize, Key)> = keys.into_iter().enumerate().collect();
        let classes = names.iter().map(|&(c, key)| self.class(c, key, sizes[&c], &operations)).collect();
        let (largest, modulus, named) = stated::constants(self.object);
        let mut library =
            Library { operations, classes, largest, modulus, list: None, stated: Vec::new(), named, model };
        library.sorts(stated::numbers(&library.known(), self.object));
        library.list = List::of(&library);
        library.stated = stated::resolve(&library.known(), self.object).0;
        Ok(library)
    }

    fn access(&mut self, target: &Target, strides: &BTreeMap<u32, i64>) -> (usize, Term) {
        let (key, index) = match target {
            Target::Global { number, offset, index } => {
                let stride = strides.get(number).copied().unwrap_or(0);
                match index {
                    Some((_, term)) => {
                        let first = Term::Const(offset / stride);
                        let size = super::term::Size { bytes: 8, signed: false };
                        let index =
                            Term::binary(lineal_model::program::BinOp::Add, size, term.clone(), first);
                        (Key::Global(*number, stride, offset % stride), index)
                    }
                    None if stride > 0 => {
                        (Key::Global(*number, stride, offset % stride), Term::Const(offset / stride))
                    }
                    None => (Key::Global(*number, 0, *offset), Term::Const(0)),
                }
            }
            Target::Heap { block, offset } => (Key::Heap(*offset), block.clone()),
            Target::Fences => (Key::Fences, Term::Const(0)),
        };
        let next = self.keys.len();
        (*self.keys.entry(key).or_insert(next), index)
    }

    /// Locations are cells that do not overlap.
    fn overlap(&self, sizes: &BTreeMap<usize, u8>) -> Result<(), Refusal> {
        let range = |key: &Key, class: usize| match *key {
            Key::Global(number, _, offset) => Some((Some(number), offset, offset + i64::from(sizes[&class]))),
            Key::Heap(offset) => Some((None, offset, offset + i64::from(sizes[&class]))),
            Key::Fences => None,
        };
        let all: Vec<_> = self.keys.iter().filter_map(|(k, c)| range(k, *c)).collect();
        for (i, a) in all.iter().enumerate() {
            if all[..i].iter().any(|b| a.0 == b.0 && a.1 < b.2 && b.1 < a.2) {
                let why = "accesses of several sizes overlap".into();
                return Err(Refusal { why, at: Some(self.object.at.clone()) });
            }
        }
        Ok(())
    }

    fn class(&self, class: usize, key: Key, bytes: u8, operations: &[Operation]) -> Class {
        let (name, heap, initial) = match key {
            Key::Fences => {
                ("the order of seq_cst fences".into(), false, vec![(Term::Const(0), Term::Const(0))])
            }
            Key::Heap(offset) => {
                let field = self.program.shapes.values().find_map(|(name, shape)| {
                    let path = shape.path(offset as u32, Sought::of_size(bytes));
                    shape.scalar(offset as u32, Sought::of_size(bytes)).map(|_| format!("{name}{path}"))
                });
                let initial = self.memory.blocks.iter().filter(|((_, at), _)| *at == offset);
                let initial = initial.map(|((k, _), v)| (Term::Initial(*k), v.clone())).collect();
                (field.unwrap_or(format!("block+{offset}")), true, initial)
            }
            Key::Global(number, stride, offset) => {
                let global = &self.program.globals[number as usize];
                let path = global.shape.path(offset as u32, Sought::of_size(bytes));
                let at = |offset: i64| {
                    let set = self.memory.globals.get(&(number, offset)).cloned();
                    set.unwrap_or_else(|| Term::Const(memory::initial(global, offset, bytes)))
                };
                let count = if stride > 0 { global.bytes.len() as i64 / stride } else { 1 };
                let initial = (0..count.min(MOST_INITIAL as i64))
                    .map(|i| (Term::Const(i), at(offset + i * stride)))
                    .collect();
                let path = if stride > 0 { path.replacen("[0]", "[…]", 1) } else { path };
                (format!("{}{path}", global.name), false, initial)
            }
        };
        let accesses = || {
            nodes(operations)
                .filter(move |(o, n)| operations[*o].access[*n].as_ref().is_some_and(|a| a.0 == class))
        };
        let node = |(o, n): (usize, usize)| &operations[o].tree.nodes[n];
        let writes: Vec<(usize, usize)> = accesses().filter(|&w| node(w).writes()).collect();
        let shared: Vec<(usize, usize)> = writes.iter().copied().filter(|&w| !node(w).own).collect();
        let wrote = |&w: &(usize, usize)| match &node(w).value {
            Some(Term::Alloc(_)) => Wrote::Own,
            Some(Term::Const(c)) => Wrote::Constant(*c),
            _ => Wrote::Anything,
        };
        let sessions: BTreeSet<Option<usize>> = shared.iter().map(|w| operations[w.0].session).collect();
        Class {
            name,
            heap,
            sort: Sort::Plain,
            initial,
            updates: writes.iter().all(|&w| node(w).act == Act::Update),
            shared_updates: shared.iter().all(|&w| node(w).act == Act::Update),
            own: shared.is_empty(),
            wrote: shared.iter().map(wrote).collect(),
            owner: if sessions.len() == 1 { sessions.into_iter().next().flatten() } else { None },
            releases: shared.iter().all(|&w| node(w).releases),
            bytes,
        }
    }
}

fn nodes(operations: &[Operation]) -> impl Iterator<Item = (usize, usize)> + '_ {
    operations.iter().enumerate().flat_map(|(o, op)| (0..op.tree.nodes.len()).map(move |n| (o, n)))
}

/// By what globals are indexed.
fn strides(operations: &[Operation]) -> Result<BTreeMap<u32, i64>, (String, &Node)> {
    let mut strides: BTreeMap<u32, i64> = BTreeMap::new();
    for (o, n) in nodes(operations) {
        if let Some(Target::Global { number, index: Some((stride, _)), .. }) =
            &operations[o].tree.nodes[n].target
            && *strides.entry(*number).or_insert(*stride) != *stride
        {
            return Err(("an array is indexed in several ways".into(), &operations[o].tree.nodes[n]));
        }
    }
    Ok(strides)
}

impl Library {
    /// What facts may be about.
    pub fn known(&self) -> Vec<Known<'_>> {
        let own = |class: usize| {
            let all = self.operations.iter().flat_map(|o| o.tree.nodes.iter().zip(&o.access));
            let mut own = all.filter(|(node, _)| node.own && node.writes());
            own.any(|(_, access)| access.as_ref().is_some_and(|a| a.0 == class))
        };
        let numbers = |sort| (sort != Sort::Wild).then_some(sort == Sort::Number);
        let all = self.classes.iter().enumerate();
        all.map(|(k, c)| Known { name: &c.name, numbers: numbers(c.sort), own: own(k) }).collect()
    }

    pub fn node(&self, operation: usize, node: usize) -> &Node {
        &self.operations[operation].tree.nodes[node]
    }

    pub fn class_of(&self, operation: usize, node: usize) -> Option<usize> {
        self.operations[operation].access[node].as_ref().map(|a| a.0)
    }

    /// The classes whose values a term is made of.
    fn read_classes(&self, operation: usize, term: &Term) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        term.parts(&mut |t| {
            if let Term::Read(n, _) = t {
                found.extend(self.class_of(operation, *n));
            }
        });
        found
    }

    /// Which classes hold numbers: those that are computed with, and what is compared with them or
    /// copied to or from them.
    fn sorts(&mut self, numbers: Vec<usize>) {
        let mut numbers: BTreeSet<usize> = numbers.into_iter().collect();
        let mut together: Vec<BTreeSet<usize>> = Vec::new();
        for (o, n) in nodes(&self.operations).collect::<Vec<_>>() {
            let node = self.node(o, n);
            let terms: Vec<Term> =
                node.conditions.iter().map(|c| c.0.clone()).chain(node.value.clone()).collect();
            let own = self.class_of(o, n);
            for term in terms.iter().chain(self.operations[o].access[n].as_ref().map(|a| &a.1)) {
                term.parts(&mut |t| match t {
                    Term::Bin(Binary::Eq, _, a, b) => {
                        let mut both = self.read_classes(o, a);
                        both.extend(self.read_classes(o, b));
                        together.push(both);
                    }
                    Term::Bin(_, _, a, b) => {
                        numbers.extend(self.read_classes(o, a));
                        numbers.extend(self.read_classes(o, b));
                    }
                    _ => {}
                });
            }
            if let (Some(own), Some(value)) = (own, &node.value) {
                let mut both = self.read_classes(o, value);
                if matches!(value, Term::Bin(..)) {
                    numbers.insert(own);
                }
                both.insert(own);
                together.push(both);
            }
        }
        loop {
            let before = numbers.len();
            for set in &together {
                if set.iter().any(|c| numbers.contains(c)) {
                    numbers.extend(set);
                }
            }
            if numbers.len() == before {
                break;
            }
        }
        for &c in &numbers {
            self.classes[c].sort = Sort::Number;
        }
        // What is written to numbers must be numbers that only grow out of numbers.
        loop {
            let odd = |&c: &usize| {
                let class = &self.classes[c];
                let small = |t: &Term| matches!(t, Term::Const(v) if (0..=32).contains(v));
                class.sort == Sort::Number
                    && (class.bytes < 4
                        || class.initial.iter().any(|(_, v)| !small(v))
                        || nodes(&self.operations).any(|(o, n)| {
                            let node = self.node(o, n);
                            node.writes()
                                && self.class_of(o, n) == Some(c)
                                && node.value.as_ref().is_none_or(|v| self.number(o, v).is_none())
                        }))
            };
            let wild: Vec<usize> = (0..self.classes.len()).filter(odd).collect();
            if wild.is_empty() {
                break;
            }
            wild.into_iter().for_each(|c| self.classes[c].sort = Sort::Wild);
        }
        for (o, n) in nodes(&self.operations).collect::<Vec<_>>() {
            let node = self.node(o, n);
            let mut terms: Vec<Term> = node.conditions.iter().map(|c| c.0.clone()).collect();
            terms.extend(node.value.clone());
            terms.extend(self.operations[o].access[n].as_ref().map(|a| a.1.clone()));
            let (mut largest, mut modulus) = (self.largest, self.modulus);
            for term in terms {
                term.parts(&mut |t| match t {
                    Term::Const(c) if (0..=32).contains(c) => largest = largest.max(*c),
                    Term::Bin(Binary::Rem, _, _, n) => {
                        if let Term::Const(n) = **n
                            && (1..=32).contains(&n)
                        {
                            modulus = modulus.max(n);
                        }
                    }
                    Term::Bin(Binary::And, _, _, n) => {
                        if let Term::Const(n) = **n
                            && (1..32).contains(&n)
                        {
                            modulus = modulus.max(n + 1);
                        }
                    }
                    _ => {}
                });
            }
            (self.largest, self.modulus) = (largest, modulus);
        }
    }

    /// A term as a number that was read, if any, and what is added to it.
    pub fn number(&self, operation: usize, term: &Term) -> Option<(Option<usize>, i64)> {
        match term {
            Term::Const(c) if (0..=32).contains(c) => Some((None, *c)),
            Term::Read(n, _) => {
                let class = self.class_of(operation, *n)?;
                (self.classes[class].sort == Sort::Number).then_some((Some(*n), 0))
            }
            Term::Bin(Binary::Add, _, a, b) => match (self.number(operation, a)?, &**b) {
                ((read, c), Term::Const(d)) if (0..=32).contains(d) => Some((read, c + d)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A divisor that is a power of two.
    pub fn remainder(term: &Term) -> Option<(&Term, u64)> {
        match term {
            Term::Bin(Binary::Rem, size, a, n) if !size.signed => match **n {
                Term::Const(n) if (1..=32).contains(&n) && n.count_ones() == 1 => Some((a, n as u64)),
                _ => None,
            },
            Term::Bin(Binary::And, _, a, n) => match **n {
                Term::Const(n) if (1..32).contains(&n) && (n + 1).count_ones() == 1 => {
                    Some((a, n as u64 + 1))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Conditions on the way to a node, itself included.
fn conditions(operation: &Operation, node: usize) -> impl Iterator<Item = &(Term, bool)> {
    operation.tree.path(node).into_iter().flat_map(|n| &operation.tree.nodes[n].conditions)
}

fn is_null(term: &Term, is: bool, wanted: &dyn Fn(&Term) -> bool, truth: bool) -> bool {
    is == truth && matches!(term, Term::Bin(Binary::Eq, _, a, b) if **b == ZERO && wanted(a))
}

impl List {
    pub fn of(library: &Library) -> Option<List> {
        (0..library.classes.len()).find_map(|next| Self::linked_by(library, next))
    }

    fn linked_by(library: &Library, next: usize) -> Option<List> {
        let c = &library.classes[next];
        if !c.heap || c.sort != Sort::Plain {
            return None;
        }
        let firsts = library.classes.iter().flat_map(|c| &c.initial).flat_map(|(at, value)| [at, value]);
        let firsts: BTreeSet<usize> =
            firsts.filter_map(|t| if let Term::Initial(k) = t { Some(*k) } else { None }).collect();
        let (Some(&first), 1) = (firsts.first(), firsts.len()) else { return None };
        if !c.initial.contains(&(Term::Initial(first), ZERO)) {
            return None;
        }
        let (mut found_by, mut filled) = (BTreeSet::new(), BTreeSet::from_iter(0..library.classes.len()));
        for (o, operation) in library.operations.iter().enumerate() {
            for (n, node) in operation.tree.nodes.iter().enumerate() {
                let of_field = library.class_of(o, n) == Some(next);
                if node.own && node.act != Act::Alloc {
                    let fits = if of_field { node.value == Some(ZERO) } else { !is_block(&node.value) };
                    if !fits {
                        return None;
                    }
                }
                if !node.is_shared_write() {
                    continue;
                }
                let path = operation.tree.path(n);
                let link = path.iter().copied().find(|&l| {
                    operation.tree.nodes[l].is_shared_write() && operation.tree.nodes[l].value == node.value
                });
                if is_block(&node.value) && link.and_then(|l| library.class_of(o, l)) != Some(next) {
                    return None;
                }
                if !of_field {
                    continue;
                }
                let itself = |t: &Term| matches!(t, Term::Read(r, _) if *r == n);
                filled.retain(|field| {
                    path.iter().filter(|&&w| operation.tree.nodes[w].own).any(|&w| {
                        let access = operation.access[w].as_ref();
                        access.is_some_and(|(c, block)| c == field && Some(block) == node.value.as_ref())
                    })
                });
                if node.act != Act::Update
                    || !is_block(&node.value)
                    || link != Some(n)
                    || !filled.contains(&next)
                    || !node.conditions.iter().any(|(c, is)| is_null(c, *is, &itself, true))
                {
                    return None;
                }
                found_by.insert(match operation.access[n].as_ref().map(|a| &a.1) {
                    Some(Term::Read(r, _)) => library.class_of(o, *r),
                    _ => None,
                });
            }
        }
        let filled = filled.into_iter().collect();
        let mut list = List { next, pointers: Vec::new(), first, end: None, filled };
        loop {
            let more = (0..library.classes.len())
                .find(|c| !list.pointers.contains(c) && list.is_pointer(library, *c))
                .into_iter();
            let before = list.pointers.len();
            list.pointers.extend(more);
            if list.pointers.len() == before {
                break;
            }
        }
        let single =
            |all: BTreeSet<Option<usize>>| if all.len() == 1 { all.into_iter().next() } else { None };
        list.end = single(found_by).flatten().filter(|p| list.pointers.contains(p));
        list.end.is_some().then_some(list)
    }

    /// What is written there are nodes that are known.
    fn is_pointer(&self, library: &Library, class: usize) -> bool {
        let c = &library.classes[class];
        let node = |o: usize, n: usize| {
            let operation = &library.operations[o];
            let access = &operation.tree.nodes[n];
            if library.class_of(o, n) != Some(class) || !access.writes() {
                return true;
            }
            access.act == Act::Update
                && match &access.value {
                    Some(Term::Alloc(_)) => true,
                    Some(Term::Read(r, _)) => {
                        let from = library.class_of(o, *r);
                        let same = |t: &Term| matches!(t, Term::Read(s, _) if s == r);
                        from == Some(class)
                            || from.is_some_and(|p| self.pointers.contains(&p))
                            || from == Some(self.next)
                                && conditions(operation, n).any(|(c, is)| is_null(c, *is, &same, false))
                    }
                    _ => false,
                }
        };
        !c.heap
            && c.sort == Sort::Plain
            && c.updates
            && matches!(c.initial.as_slice(), [(Term::Const(_), Term::Initial(k))] if *k == self.first)
            && (0..library.operations.len())
                .all(|o| (0..library.operations[o].tree.nodes.len()).all(|n| node(o, n)))
    }

    /// Reads and writes that nodes can be told by release and acquire from.
    pub fn releases(&self, library: &Library, class: usize) -> bool {
        self.shows_nodes(class) && library.classes[class].releases
    }
}

fn is_block(value: &Option<Term>) -> bool {
    matches!(value, Some(Term::Alloc(_)))
}
