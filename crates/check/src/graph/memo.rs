//! Steps of threads that were made before: what a thread does next follows from its state, from what it
//! is told, and from the blocks it asks about, and a search goes the same ways through a thread's
//! code again and again.
//!
//! States are known by where they are kept: a step that is found here leads to the very state it led to
//! before, so that the next one is found as well. Where threads rarely come to the same again (they
//! compute), looking is given up.

use lineal_model::run::{Answer, BlockId, BlockInfo, Runnable, Step, World};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Steps kept at the most; then all are forgotten.
const MOST: usize = 1 << 12;
/// After so many steps it is seen whether most of them were known.
const TRIAL: u32 = 1 << 11;

pub struct Memo<R: Runnable> {
    steps: FxHashMap<Key<R::Thread>, Known<R>>,
    tried: u32,
    found: u32,
    given_up: bool,
}

struct Key<T> {
    from: *const T,
    told: Answer,
}

impl<T> PartialEq for Key<T> {
    fn eq(&self, other: &Self) -> bool {
        self.from == other.from && self.told == other.told
    }
}

impl<T> Eq for Key<T> {}

impl<T> Hash for Key<T> {
    // Answers that differ in anything but this are rare.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_usize(self.from.addr());
        hasher.write_u64(self.told.value.lo);
    }
}

struct Known<R: Runnable> {
    /// Keeps the state where it is.
    _from: Rc<R::Thread>,
    asked: Asked,
    to: Rc<R::Thread>,
    step: Step,
}

/// The blocks that were asked about, with the answers.
type Asked = SmallVec<[(BlockId, Option<BlockInfo>); 2]>;

/// A world that keeps book of what it is asked.
pub struct Asking<'w> {
    world: &'w dyn World,
    asked: RefCell<Asked>,
}

impl<'w> Asking<'w> {
    pub fn new(world: &'w dyn World) -> Self {
        Asking { world, asked: RefCell::default() }
    }
}

impl World for Asking<'_> {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        let info = self.world.block(block);
        let mut asked = self.asked.borrow_mut();
        if !asked.iter().any(|(b, _)| *b == block) {
            asked.push((block, info));
        }
        info
    }
}

impl<R: Runnable> Default for Memo<R> {
    fn default() -> Self {
        Memo { steps: FxHashMap::default(), tried: 0, found: 0, given_up: false }
    }
}

impl<R: Runnable> Memo<R> {
    pub fn is_used(&self) -> bool {
        !self.given_up
    }

    /// What the thread in this state did when it was told this in such a world.
    pub fn find(
        &mut self,
        from: &Rc<R::Thread>,
        told: Answer,
        world: &dyn World,
    ) -> Option<(Rc<R::Thread>, Step)> {
        self.tried += 1;
        if self.tried == TRIAL {
            self.given_up = self.found < TRIAL / 4 * 3;
            (self.tried, self.found) = (0, 0);
            if self.given_up {
                self.steps = FxHashMap::default();
            }
        }
        let known = self.steps.get(&Key { from: Rc::as_ptr(from), told })?;
        if !known.asked.iter().all(|(block, info)| world.block(*block) == *info) {
            return None;
        }
        self.found += 1;
        Some((known.to.clone(), known.step.clone()))
    }

    /// Keeps a step.
    pub fn keep(
        &mut self,
        from: Rc<R::Thread>,
        told: Answer,
        world: Asking<'_>,
        to: &Rc<R::Thread>,
        step: &Step,
    ) {
        if self.given_up || !matches!(step, Step::Ask(..) | Step::Finished(_)) {
            return;
        }
        if self.steps.len() >= MOST {
            self.steps.clear();
        }
        let asked = world.asked.into_inner();
        let known = Known { asked, to: to.clone(), step: step.clone(), _from: from.clone() };
        self.steps.insert(Key { from: Rc::as_ptr(&from), told }, known);
    }
}
