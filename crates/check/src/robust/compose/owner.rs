//! Whose code and whose memory it is: the client's, a library's, or that of the system.

use super::value::Known;
use super::{Entry, Library, Standing};
use lineal_model::diagnostic::Place;
use lineal_model::program::{Function, Machine, Sought};
use lineal_model::run::{BlockId, Loc, Runnable, Site};

/// On whose behalf a function runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    Client,
    /// Of a library, on this object of it; `None`: on one that is not known.
    Library(usize, Option<Vec<Known>>),
    /// The system's own library.
    System,
}

/// What a step belongs to. Two steps may go without a fence between them if they belong to the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    Library(usize, Option<Vec<Known>>),
    /// A variable of the system's library, in a mutex, say.
    System(Known),
    /// An atomic variable of the client: a library by itself, which coherence makes robust.
    Variable(Known),
    /// A thread is created, or joined, while others run.
    Start,
    Join,
}

impl Label {
    pub fn is_same(&self, other: &Label) -> bool {
        let known = match self {
            Label::Library(_, object) => object.as_ref().is_some_and(|o| o.iter().all(|k| k.is_one())),
            Label::System(k) | Label::Variable(k) => k.is_one(),
            Label::Start | Label::Join => false,
        };
        known && self == other
    }
}

/// Who a function was written by.
pub struct Functions<'a> {
    machine: &'a Machine,
    libraries: &'a [Library],
    files: Vec<Option<Place>>,
    /// Which stand in a file of no library, so that a fence can be put there.
    clients: Vec<bool>,
    /// Which stand in the client's sources, not in what they include.
    sources: Vec<bool>,
}

impl<'a> Functions<'a> {
    pub fn new(machine: &'a Machine, libraries: &'a [Library], sources: &[String]) -> Self {
        let place = |f: &Function| (f.entry..f.end).find_map(|pc| machine.place(Site(pc)));
        let files: Vec<_> = machine.program.functions.iter().map(place).collect();
        let in_source =
            |at: &Option<Place>| at.as_ref().is_some_and(|p| sources.iter().any(|s| **s == *p.file));
        let sources = files.iter().map(in_source).collect();
        let mut functions = Functions { machine, libraries, files, clients: Vec::new(), sources };
        let own = |f: u32| !functions.get(f).runtime && functions.libraries_of(f).next().is_none();
        functions.clients = (0..machine.program.functions.len() as u32).map(own).collect();
        functions
    }

    pub fn get(&self, function: u32) -> &Function {
        &self.machine.program.functions[function as usize]
    }

    /// It is not a library's, by where it stands.
    pub fn is_clients(&self, function: u32) -> bool {
        self.clients[function as usize]
    }

    pub fn is_lock(&self, library: usize) -> bool {
        matches!(self.libraries[library].standing, Standing::Robust { lock: true, .. })
    }

    fn libraries_of(&self, function: u32) -> impl Iterator<Item = usize> {
        let file = self.files[function as usize].as_ref().map(|p| p.file.clone());
        let runtime = self.get(function).runtime;
        let has =
            move |l: &Library| !runtime && file.as_ref().is_some_and(|f| l.files.iter().any(|n| **n == **f));
        self.libraries.iter().enumerate().filter(move |(_, l)| has(l)).map(|(n, _)| n)
    }

    /// The library, and how it was declared that it is called so.
    pub fn entry(&self, function: u32) -> Option<(usize, &'a Entry)> {
        let name = &self.get(function).name;
        let of = |n: usize| self.libraries[n].entries.iter().find(|e| e.function == *name).map(|e| (n, e));
        self.libraries_of(function).find_map(of)
    }

    /// On whose behalf a function runs that is called by `caller`. An error: it is a library's, and was not
    /// declared as something that clients call.
    pub fn called(&self, function: u32, caller: &Owner, args: &[Known]) -> Result<Owner, usize> {
        if self.get(function).runtime {
            return Ok(match caller {
                Owner::Client => Owner::System,
                other => other.clone(),
            });
        }
        let mine: Vec<usize> = self.libraries_of(function).collect();
        let Some(&first) = mine.first() else {
            // What both include runs for whoever calls it.
            let calls_back = self.sources[function as usize];
            return Ok(if calls_back { Owner::Client } else { caller.clone() });
        };
        if let Some((n, entry)) = self.entry(function) {
            if matches!(caller, Owner::Library(m, _) if *m == n) {
                return Ok(caller.clone());
            }
            let object: Vec<Known> = entry.object.iter().filter_map(|&i| args.get(i).copied()).collect();
            return Ok(Owner::Library(n, object.iter().all(|k| k.is_one()).then_some(object)));
        }
        match caller {
            Owner::Library(m, _) if mine.contains(m) => Ok(caller.clone()),
            _ if self.libraries[first].entries.is_empty() => Ok(Owner::Library(first, Some(Vec::new()))),
            _ => Err(first),
        }
    }

    /// The library in whose files this address was declared.
    pub fn library_at(&self, address: Known) -> Option<usize> {
        let Known::Number(address) = address else { return None };
        let block = Loc(address).block();
        let program = &self.machine.program;
        let global = program.globals.get(block.number() as usize);
        let global = global.filter(|g| block.owner() == BlockId::GLOBAL_OWNER && !g.constant)?;
        let place = program.places.get(global.place as usize)?.as_ref()?;
        self.libraries.iter().position(|l| l.files.iter().any(|f| **f == *place.file))
    }

    pub fn is_constant(&self, address: Known) -> bool {
        let Known::Number(address) = address else { return false };
        let block = Loc(address).block();
        let global = self.machine.program.globals.get(block.number() as usize);
        block.owner() == BlockId::GLOBAL_OWNER && global.is_some_and(|g| g.constant)
    }

    /// The label in words.
    pub fn words(&self, label: &Label) -> String {
        match label {
            Label::Library(n, Some(object)) => {
                let name = &self.libraries[*n].name;
                let objects: Vec<String> = object.iter().map(|k| self.name(*k, true)).collect();
                if objects.is_empty() { name.clone() } else { format!("{name} at {}", objects.join(", ")) }
            }
            Label::Library(n, None) => format!("{} (which object is not known)", self.libraries[*n].name),
            Label::System(k) => self.name(*k, true),
            Label::Variable(k) => self.name(*k, false),
            Label::Start => "the start of a thread".into(),
            Label::Join => "the join of a thread".into(),
        }
    }

    pub fn name(&self, at: Known, whole: bool) -> String {
        let Known::Number(n) = at else {
            return if at.is_one() { "a block" } else { "what a pointer leads to" }.into();
        };
        let loc = Loc(n);
        let global = self.machine.program.globals.get(loc.block().number() as usize);
        match global.filter(|_| loc.block().owner() == BlockId::GLOBAL_OWNER) {
            Some(g) if whole && loc.offset() == 0 => format!("`{}`", g.name),
            Some(g) => format!("`{}{}`", g.name, g.shape.path(loc.offset(), Sought::of_size(4))),
            None => "what a pointer leads to".into(),
        }
    }
}
