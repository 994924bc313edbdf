//! Byte strings, each stored once, end to end, and named by a number. Exact: no hashes stand in
//! for states.

pub struct Table {
    bytes: Vec<u8>,
    /// Where each string ends, counted from the base of its block of 65536 strings.
    ends: Vec<u32>,
    bases: Vec<usize>,
    /// Numbers of strings, by hash.
    slots: Vec<u32>,
    /// Some string has a rest that is only carried along.
    tails: bool,
    /// Length of the part that identifies the string, if there are rests.
    keys: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;
const BLOCK: usize = 1 << 16;

impl Default for Table {
    fn default() -> Self {
        Table {
            bytes: Vec::new(),
            ends: Vec::new(),
            bases: vec![0],
            slots: vec![EMPTY; 64],
            tails: false,
            keys: Vec::new(),
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

/// Room for so many more, a quarter of what there is at a time: what is held but not used stays small.
pub fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4).max(64));
    }
}

impl Table {
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes held.
    pub fn size(&self) -> u64 {
        (self.bytes.capacity() + 4 * (self.ends.capacity() + self.slots.capacity() + self.keys.capacity()))
            as u64
    }

    /// The whole string.
    pub fn get(&self, id: u32) -> &[u8] {
        let (start, end) = self.span(id);
        &self.bytes[start..end]
    }

    fn span(&self, id: u32) -> (usize, usize) {
        let id = id as usize;
        let base = self.bases[id / BLOCK];
        let start = if id.is_multiple_of(BLOCK) { base } else { base + self.ends[id - 1] as usize };
        (start, base + self.ends[id] as usize)
    }

    /// What identifies it.
    pub fn key(&self, id: u32) -> &[u8] {
        let (start, end) = self.span(id);
        match self.tails {
            true => &self.bytes[start..start + self.keys[id as usize] as usize],
            false => &self.bytes[start..end],
        }
    }

    /// The number of `key`, and whether it is new. A known key keeps the rest it came with first.
    pub fn insert(&mut self, key: &[u8], rest: &[u8]) -> (u32, bool) {
        self.insert_hashed(hash(key), key, rest)
    }

    /// The same, for a key whose [`hash`] is known.
    pub fn insert_hashed(&mut self, hash: u64, key: &[u8], rest: &[u8]) -> (u32, bool) {
        let mut slot = place(hash, self.slots.len());
        while self.slots[slot] != EMPTY {
            if self.key(self.slots[slot]) == key {
                return (self.slots[slot], false);
            }
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        let id = self.ends.len() as u32;
        self.slots[slot] = id;
        if id as usize >= BLOCK && (id as usize).is_multiple_of(BLOCK) {
            self.bases.push(self.bytes.len());
        }
        if !rest.is_empty() && !self.tails {
            self.keys = (0..id).map(|i| self.get(i).len() as u32).collect();
            self.tails = true;
        }
        if self.tails {
            make_room(&mut self.keys, 1);
            self.keys.push(key.len() as u32);
        }
        make_room(&mut self.bytes, key.len() + rest.len());
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(rest);
        let base = *self.bases.last().expect("never empty");
        make_room(&mut self.ends, 1);
        self.ends.push((self.bytes.len() - base) as u32);
        if self.ends.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        (id, true)
    }

    fn grow(&mut self) {
        // The old ones go first: both at once would be the most memory that is ever needed.
        let len = self.slots.len() + self.slots.len() / 2;
        self.slots = Vec::new();
        let mut slots = vec![EMPTY; len];
        for id in 0..self.ends.len() as u32 {
            let mut slot = place(hash(self.key(id)), len);
            while slots[slot] != EMPTY {
                slot = if slot + 1 == len { 0 } else { slot + 1 };
            }
            slots[slot] = id;
        }
        self.slots = slots;
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
    fn the_rest_is_no_part_of_the_identity() {
        let mut table = Table::default();
        assert_eq!(table.insert(b"a", b""), (0, true));
        assert_eq!(table.insert(b"b", b"1"), (1, true));
        assert_eq!(table.insert(b"b", b"2"), (1, false));
        assert_eq!(table.insert(b"b1", b""), (2, true));
        assert_eq!(table.get(1), b"b1");
    }
}
