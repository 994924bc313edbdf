//! Byte strings, each stored once, end to end, and named by a number. Exact: a hash says where to look,
//! and eight bits of it, kept beside the number, whether looking is worth it; only equal strings are one.

pub struct Table {
    bytes: Vec<u8>,
    ends: Ends,
    /// Numbers of strings, by hash; and of each slot eight bits of the hash, [`FREE`] if nobody is there.
    slots: Vec<u32>,
    tags: Vec<u8>,
    /// Length of the part that identifies the string, if some string has a rest that is only carried
    /// along.
    keys: Option<Vec<u32>>,
}

const FREE: u8 = 0;

impl Default for Table {
    fn default() -> Self {
        Table {
            bytes: Vec::new(),
            ends: Ends::default(),
            slots: vec![0; 64],
            tags: vec![FREE; 64],
            keys: None,
        }
    }
}

pub fn hash(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = bytes.len() as u64 ^ K;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        h = (h ^ word).wrapping_mul(K);
        h ^= h >> 29;
    }
    let mut last = [0; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    h = (h ^ u64::from_le_bytes(last)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    h ^= h >> 32;
    h = h.wrapping_mul(K);
    h ^ h >> 29
}

/// Where to look first among `len` slots.
fn place(hash: u64, len: usize) -> usize {
    ((u128::from(hash) * len as u128) >> 64) as usize
}

/// What is kept of a hash: bits that say nothing about the place.
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// Room for so many more, a quarter of what there is at a time: what is held but not used stays small.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4).max(64));
    }
}

/// Bytes that a list takes. What it has room for and never touched is the system's as long as it is
/// more than a few pages.
pub fn held<T>(list: &Vec<T>) -> u64 {
    let (used, room) = (list.len() * size_of::<T>(), list.capacity() * size_of::<T>());
    used.saturating_add(PAGES).min(room) as u64
}

const PAGES: usize = 1 << 16;

/// With what lies idle between blocks that grew and moved: about a sixteenth, as measured.
pub fn with_gaps(bytes: u64) -> u64 {
    bytes + bytes / 16
}

impl Table {
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn size(&self) -> u64 {
        let keys = self.keys.as_ref().map_or(0, held);
        held(&self.bytes) + self.ends.size() + held(&self.slots) + held(&self.tags) + keys
    }

    /// The whole string.
    pub fn get(&self, id: u32) -> &[u8] {
        let (start, end) = self.ends.span(id as usize);
        &self.bytes[start..end]
    }

    /// What identifies it.
    pub fn key(&self, id: u32) -> &[u8] {
        let (start, end) = self.ends.span(id as usize);
        match &self.keys {
            Some(keys) => &self.bytes[start..start + keys[id as usize] as usize],
            None => &self.bytes[start..end],
        }
    }

    /// The number of `key`, and whether it is new. A known key keeps the rest it came with first.
    pub fn insert(&mut self, key: &[u8], rest: &[u8]) -> (u32, bool) {
        self.insert_hashed(hash(key), key, rest)
    }

    /// The same, for a key whose [`hash`] is known.
    pub fn insert_hashed(&mut self, hash: u64, key: &[u8], rest: &[u8]) -> (u32, bool) {
        let (mut slot, tag) = (place(hash, self.slots.len()), tag(hash));
        while self.tags[slot] != FREE {
            if self.tags[slot] == tag && self.key(self.slots[slot]) == key {
                return (self.slots[slot], false);
            }
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        let id = self.len() as u32;
        (self.slots[slot], self.tags[slot]) = (id, tag);
        if !rest.is_empty() && self.keys.is_none() {
            self.keys = Some((0..id).map(|i| self.get(i).len() as u32).collect());
        }
        if let Some(keys) = &mut self.keys {
            make_room(keys, 1);
            keys.push(key.len() as u32);
        }
        make_room(&mut self.bytes, key.len() + rest.len());
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(rest);
        self.ends.push(self.bytes.len());
        if self.len() * 8 > self.slots.len() * 7 {
            self.grow();
        }
        (id, true)
    }

    fn grow(&mut self) {
        // The old ones go first: both at once would be the most memory that is ever needed.
        let len = self.slots.len() + self.slots.len() / 3;
        (self.slots, self.tags) = (Vec::new(), Vec::new());
        let (mut slots, mut tags) = (vec![0; len], vec![FREE; len]);
        for id in 0..self.len() as u32 {
            let hash = hash(self.key(id));
            let mut slot = place(hash, len);
            while tags[slot] != FREE {
                slot = if slot + 1 == len { 0 } else { slot + 1 };
            }
            (slots[slot], tags[slot]) = (id, tag(hash));
        }
        (self.slots, self.tags) = (slots, tags);
    }
}

/// Where strings end that lie one behind the other: in blocks, counted from the beginning of each; in
/// two bytes as long as that will do.
#[derive(Default)]
struct Ends {
    bases: Vec<usize>,
    short: Vec<u16>,
    long: Vec<u32>,
    is_long: bool,
    /// Where the last one ends.
    last: usize,
}

const BLOCK: usize = 64;

impl Ends {
    fn len(&self) -> usize {
        if self.is_long { self.long.len() } else { self.short.len() }
    }

    fn size(&self) -> u64 {
        held(&self.bases) + held(&self.short) + held(&self.long)
    }

    fn end(&self, id: usize) -> usize {
        match self.is_long {
            true => self.long[id] as usize,
            false => self.short[id].into(),
        }
    }

    fn span(&self, id: usize) -> (usize, usize) {
        let base = self.bases[id / BLOCK];
        let start = if id.is_multiple_of(BLOCK) { 0 } else { self.end(id - 1) };
        (base + start, base + self.end(id))
    }

    fn push(&mut self, end: usize) {
        if self.len().is_multiple_of(BLOCK) {
            make_room(&mut self.bases, 1);
            self.bases.push(self.last);
        }
        self.last = end;
        let end = end - self.bases[self.bases.len() - 1];
        if !self.is_long && end > u16::MAX.into() {
            self.long = std::mem::take(&mut self.short).into_iter().map(u32::from).collect();
            self.is_long = true;
        }
        match self.is_long {
            true => {
                make_room(&mut self.long, 1);
                self.long.push(end as u32);
            }
            false => {
                make_room(&mut self.short, 1);
                self.short.push(end as u16);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_it_holds() {
        let mut table = Table::default();
        for i in 0u32..200_000 {
            let key = format!("state {i}");
            assert_eq!(table.insert(key.as_bytes(), b""), (i, true));
        }
        for i in (0u32..200_000).step_by(17) {
            let key = format!("state {i}");
            assert_eq!(table.insert(key.as_bytes(), b""), (i, false));
            assert_eq!(table.get(i), key.as_bytes());
        }
    }

    #[test]
    fn long_strings_are_held_like_short_ones() {
        let mut table = Table::default();
        let key = |i: usize| vec![(i % 251) as u8; i * 7 % 3000];
        let mut seen = std::collections::HashMap::new();
        for i in 0..2_000 {
            let (id, new) = table.insert(&key(i), b"");
            assert_eq!(new, seen.insert(key(i), id).is_none_or(|before| before != id));
        }
        assert!(seen.iter().all(|(key, id)| table.get(*id) == key));
    }

    #[test]
    fn the_rest_is_no_part_of_the_identity() {
        let mut table = Table::default();
        assert_eq!(table.insert(b"a", b""), (0, true));
        assert_eq!(table.insert(b"b", b"1"), (1, true));
        assert_eq!(table.insert(b"b", b"2"), (1, false));
        assert_eq!(table.insert(b"b1", b""), (2, true));
        assert_eq!(table.get(1), b"b1");
    }
}
