//! Every way through a client, and where on it two libraries are used without a fence in between.
//!
//! Threads are walked one by one, from each place where they are created, with what is known of their
//! registers whatever the others do; where nothing is known of a condition both ways are taken. So
//! every path of an execution is walked, and some that no execution takes. What stands before the
//! creation of a thread comes before all it does, and what it does before what follows its join: such
//! orders need fences on both sides. While no other thread runs nothing can be out of order, and nothing
//! counts.

use super::Client;
use super::owner::{Functions, Label, Owner};
use super::value::Known;
use lineal_model::diagnostic::Place;
use lineal_model::program::{Machine, Reg};
use lineal_model::run::{Loc, Runnable, Site};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// So many states of one thread, and no more.
const MOST: usize = 60_000;
/// So many with the same calls under way at one place, before numbers are forgotten.
const FEW: u32 = 40;

/// A use of a library, or of an atomic variable of the client.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    pub label: Label,
    /// Where the client does it: an instruction.
    pub site: u32,
}

/// What a walk finds.
#[derive(Default)]
pub struct Walked {
    /// Uses of different libraries, and what lies between on one way from the first to the second: the
    /// client's instructions before which a fence would separate the two.
    pub crossings: BTreeMap<(Use, Use), BTreeSet<u32>>,
    /// What is used while several threads run, and whether by taking and giving back a lock only.
    pub used: BTreeMap<Label, bool>,
    /// The client accesses memory that is declared in a library's file, or is an object of it.
    pub touches: BTreeMap<u32, usize>,
    /// Functions of a library that are called, and that it did not declare for that.
    pub undeclared: BTreeMap<u32, (usize, String)>,
    /// Libraries that are set up, and those that are while several threads run.
    pub set_up: BTreeSet<usize>,
    pub late: BTreeSet<usize>,
    /// The client has plain accesses of memory that others may see.
    pub plain: bool,
    /// Functions of the system that use several variables of it, one after the other.
    pub system: BTreeSet<String>,
    /// Why not all ways could be walked.
    pub lost: Option<(String, Option<Place>)>,
    /// Addresses that are used on behalf of several.
    pub shared: BTreeMap<u64, BTreeSet<Label>>,
    /// Client accesses to addresses that are known.
    pub(super) accessed: BTreeMap<u32, u64>,
    pub(super) nested: bool,
    /// Where calls are counted: how many there were at the end.
    pub(super) counts: BTreeSet<Calls>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    pub function: u32,
    pub owner: Owner,
    pub regs: Vec<Known>,
    pub back: u32,
    pub dst: Reg,
}

/// Where a thread is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub frames: Vec<Frame>,
    pub pc: u32,
    /// What was used last, if there was no fence since.
    pub last: Option<Use>,
    /// Something was used since others run.
    pub active: bool,
    /// Where a thread was joined while others run.
    pub joined: Option<u32>,
    /// Of the main thread: how many others run; of others, and if that is not known: `None`.
    pub others: Option<u32>,
    /// How often instructions have allocated.
    pub allocated: BTreeMap<u32, u32>,
    /// How often libraries were called, if that is counted.
    pub calls: Calls,
}

/// By library and object.
pub type Calls = BTreeMap<Label, u32>;

/// A state, and the client's instructions since the last use.
pub type Open = (State, Vec<u32>);

/// Where a thread goes from an instruction.
pub enum Next {
    /// To the instruction where the thread is now.
    On,
    /// The same, and other ways may lead there.
    Meet,
    /// There, and to this one.
    Part(u32),
    Stop,
}

pub struct Walk<'a> {
    pub machine: &'a Machine,
    pub functions: Functions<'a>,
    pub fences: &'a BTreeSet<u32>,
    pub found: Walked,
    /// What threads may have used last when they end, and what they passed since.
    pub ends: BTreeMap<Use, Vec<u32>>,
    /// Some thread besides `main` uses something.
    pub busy: bool,
    /// Only `main` creates threads.
    pub flat: bool,
    /// Count calls, up to this: threads are then run where they are created, one after the other.
    pub counted: Option<u32>,
    pub open: VecDeque<Open>,
}

/// Walks all ways, with fences before these instructions.
pub fn walk(client: &Client<'_>, fences: &BTreeSet<u32>) -> Walked {
    let machine = client.machine;
    let (mut ends, mut busy, mut flat) = (BTreeMap::new(), false, true);
    loop {
        let mut walk = Walk {
            machine,
            functions: client.functions(),
            fences,
            found: Walked::default(),
            ends: std::mem::take(&mut ends),
            busy,
            flat,
            counted: None,
            open: VecDeque::new(),
        };
        let known = walk.ends.len();
        walk.all();
        let more = walk.found.nested && flat || walk.busy && !busy || walk.ends.len() > known;
        if !more || walk.found.lost.is_some() {
            return walk.finished();
        }
        flat &= !walk.found.nested;
        (ends, busy) = (walk.ends, walk.busy);
    }
}

/// How often an execution may call each object, in every way there is; counts end at `most`. `None`: that is
/// not known.
pub fn count(client: &Client<'_>, most: u32) -> Option<BTreeSet<Calls>> {
    let fences = BTreeSet::new();
    let mut walk = Walk {
        machine: client.machine,
        functions: client.functions(),
        fences: &fences,
        found: Walked::default(),
        ends: BTreeMap::new(),
        busy: false,
        flat: true,
        counted: Some(most),
        open: VecDeque::new(),
    };
    walk.all();
    walk.found.lost.is_none().then_some(walk.found.counts)
}

impl Walk<'_> {
    fn all(&mut self) {
        let main = self.machine.program.main;
        let state = State {
            frames: vec![self.frame(main, Owner::Client, &[], 0, 0)],
            pc: self.functions.get(main).entry,
            last: None,
            active: false,
            joined: None,
            others: Some(0),
            allocated: BTreeMap::new(),
            calls: Calls::new(),
        };
        self.open.push_back((state, Vec::new()));
        let mut seen: HashSet<State> = HashSet::new();
        let mut visits: HashMap<(Vec<u32>, u32), u32> = HashMap::new();
        while let Some((mut state, since)) = self.open.pop_front() {
            let calls: Vec<u32> = state.frames.iter().flat_map(|f| [f.function, f.back]).collect();
            let visit = visits.entry((calls, state.pc)).or_default();
            *visit += 1;
            if *visit > FEW {
                let registers = state.frames.iter_mut().flat_map(|f| &mut f.regs);
                registers.for_each(|k| *k = k.widened());
            }
            if !seen.insert(state.clone()) {
                continue;
            }
            if seen.len() > MOST {
                self.lose("it has too many ways through it", None);
            }
            if self.found.lost.is_some() {
                return;
            }
            self.run(state, since);
        }
    }

    /// One thread up to the next place where ways part or meet.
    fn run(&mut self, mut state: State, mut since: Vec<u32>) {
        for _ in 0..MOST {
            let top = state.frames.last().expect("a thread has a frame");
            if self.is_own(top) {
                if self.fences.contains(&state.pc) {
                    state.last = None;
                }
                if state.last.is_some() {
                    since.push(state.pc);
                }
            }
            match self.step(&mut state, &mut since) {
                Next::On => {}
                Next::Meet => return self.open.push_back((state, since)),
                Next::Part(to) => {
                    let other = State { pc: to, ..state.clone() };
                    self.open.push_back((other, since.clone()));
                    return self.open.push_back((state, since));
                }
                Next::Stop => return,
            }
        }
        self.lose("it has too many ways through it", Some(state.pc));
    }

    pub fn lose(&mut self, why: &str, at: Option<u32>) {
        let place = at.and_then(|pc| self.machine.place(Site(pc)));
        self.found.lost.get_or_insert((why.to_string(), place));
    }

    pub fn frame(&self, function: u32, owner: Owner, args: &[Known], back: u32, dst: Reg) -> Frame {
        let f = self.functions.get(function);
        let mut regs = args[..args.len().min(usize::from(f.params))].to_vec();
        regs.resize(usize::from(f.registers).max(regs.len()) + 3, Known::Number(0));
        Frame { function, owner, regs, back, dst }
    }

    /// The client's own code, where a fence can be put.
    pub fn is_own(&self, frame: &Frame) -> bool {
        frame.owner == Owner::Client && self.functions.is_clients(frame.function)
    }

    /// Where the client is.
    pub fn site(&self, state: &State) -> u32 {
        let frames = state.frames.iter().enumerate().rev();
        for (i, frame) in frames {
            if self.is_own(frame) {
                return state.frames.get(i + 1).map_or(state.pc, |above| above.back.saturating_sub(1));
            }
        }
        state.pc
    }

    fn finished(self) -> Walked {
        let mut found = self.found;
        // An object that is handed to a library is the library's.
        let mut objects: BTreeMap<u64, usize> = BTreeMap::new();
        for label in found.used.keys() {
            if let Label::Library(n, Some(object)) = label {
                let globals = object.iter().filter_map(|k| match k {
                    Known::Number(a) => Some(*a >> Loc::OFFSET_BITS),
                    _ => None,
                });
                objects.extend(globals.map(|block| (block, *n)));
            }
        }
        for (&pc, &address) in &found.accessed {
            if let Some(&n) = objects.get(&(address >> Loc::OFFSET_BITS)) {
                found.touches.insert(pc, n);
            }
        }
        found.shared.retain(|_, labels| labels.len() > 1);
        found
    }
}
