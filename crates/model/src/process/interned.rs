//! Things that are stored once and named by numbers; whoever looks one up that is known takes no lock.
//!
//! Slots hold numbers by hash. A list of slots that is half full is followed by one twice as long, with
//! all that was in it, and stays where it is: who still reads it may miss what is new, and asks again
//! with the lock.

use super::arena::Arena;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

pub struct Interned<T> {
    all: Arena<T>,
    lists: [OnceLock<Box<[AtomicU32]>>; 26],
    current: AtomicUsize,
    lock: Mutex<()>,
}

const FIRST: usize = 64;
/// A free slot; others hold one more than a number.
const FREE: u32 = 0;

impl<T> Default for Interned<T> {
    fn default() -> Self {
        let interned = Interned {
            all: Arena::default(),
            lists: [const { OnceLock::new() }; 26],
            current: AtomicUsize::new(0),
            lock: Mutex::default(),
        };
        interned.lists[0].get_or_init(|| slots(FIRST));
        interned
    }
}

fn slots(len: usize) -> Box<[AtomicU32]> {
    (0..len).map(|_| AtomicU32::new(FREE)).collect()
}

/// Slots in the order in which they are looked at.
fn probe(slots: &[AtomicU32], hash: u64) -> impl Iterator<Item = &AtomicU32> {
    (0..slots.len()).map(move |i| &slots[(hash as usize).wrapping_add(i) & (slots.len() - 1)])
}

fn put(slots: &[AtomicU32], hash: u64, id: u32) {
    let free = probe(slots, hash).find(|slot| slot.load(Ordering::Relaxed) == FREE);
    free.expect("half of them are").store(id + 1, Ordering::Release);
}

/// What things are looked up by.
pub fn hash<K: Hash>(key: K) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl<T> Interned<T> {
    pub fn len(&self) -> u32 {
        self.all.len()
    }
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn get(&self, id: u32) -> &T {
        self.all.get(id)
    }

    fn slots(&self) -> &[AtomicU32] {
        self.lists[self.current.load(Ordering::Acquire)].get().expect("there before it is current")
    }

    fn find(&self, hash: u64, is: impl Fn(&T) -> bool) -> Option<u32> {
        for slot in probe(self.slots(), hash) {
            let id = slot.load(Ordering::Acquire).checked_sub(1)?;
            if is(self.get(id)) {
                return Some(id);
            }
        }
        None
    }

    /// The number of what has this hash and is it; it is made if there is none.
    pub fn id(
        &self,
        hash: u64,
        is: impl Fn(&T) -> bool,
        hash_of: impl Fn(&T) -> u64,
        make: impl FnOnce() -> T,
    ) -> u32 {
        if let Some(id) = self.find(hash, &is) {
            return id;
        }
        let _one = self.lock.lock().expect("no panic while locked");
        if let Some(id) = self.find(hash, &is) {
            return id;
        }
        let id = self.all.push(make());
        let current = self.slots();
        if (id as usize + 1) * 2 <= current.len() {
            put(current, hash, id);
            return id;
        }
        let next = slots(current.len() * 2);
        (0..=id).for_each(|id| put(&next, hash_of(self.get(id)), id));
        let at = self.current.load(Ordering::Relaxed) + 1;
        self.lists[at].get_or_init(|| next);
        self.current.store(at, Ordering::Release);
        id
    }

    /// Bytes held, without what the things themselves hold elsewhere.
    pub fn size(&self) -> u64 {
        let slots: usize = self.lists.iter().filter_map(OnceLock::get).map(|l| size_of_val::<[_]>(l)).sum();
        u64::from(self.len()) * size_of::<OnceLock<T>>() as u64 + slots as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_stored_once_whoever_comes_first() {
        let interned: Interned<String> = Interned::default();
        // Few hashes, so that slots are shared.
        let id = |n: u32| {
            let hash_of = |s: &String| hash(s) % 700;
            let text = n.to_string();
            interned.id(hash_of(&text), |s| *s == text, hash_of, || text.clone())
        };
        std::thread::scope(|scope| {
            for worker in 0..4 {
                scope.spawn(move || (0..3_000u32).for_each(|n| _ = id((n * 7 + worker * 11) % 2_000)));
            }
        });
        assert_eq!(interned.len(), 2_000);
        assert!((0..2_000).all(|n| *interned.get(id(n)) == n.to_string()));
    }
}
