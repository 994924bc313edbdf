//! The zones of a register (see the fast decider), kept only while they may still change.
//!
//! A value is *over* once an operation on another value has returned that was called after this
//! one's first return: any later operation on it would stretch its forward zone across the other.
//! (Operations still open do not count: they may turn out to read a second write of their value.) When it is over and none of its operations is open, its zone is final, and the value
//! is forgotten: whoever reads it from now on needs a new write of it. Final zones are compared
//! in order of their starts, as soon as no zone still open can start earlier.

use lineal_model::history::ValueId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Register {
    /// Values that may still be read.
    zones: FxHashMap<ValueId, Zone>,
    /// Open operations: their values, and when they were called.
    open: FxHashMap<u64, (ValueId, u64)>,
    /// Of the operations that have returned, the last call, and the last on another value.
    latest: [(ValueId, u64); 2],
    /// Final zones by start: start, f, s.
    settled: BinaryHeap<Reverse<(u64, u64, u64)>>,
    /// The last forward zone compared, f and s.
    forward: Option<(u64, u64)>,
    /// Pending writes that nobody has read: when they were called.
    lost: FxHashMap<ValueId, u64>,
}

#[derive(Clone, Copy, Debug)]
struct Zone {
    /// First return, last call.
    f: u64,
    s: u64,
    written: bool,
    open: u32,
}

const NEVER: u64 = u64::MAX;

impl Register {
    pub fn new(init: ValueId) -> Self {
        let start = Zone { f: 0, s: 0, written: true, open: 0 };
        Register {
            zones: FxHashMap::from_iter([(init, start)]),
            open: FxHashMap::default(),
            latest: [(ValueId::NONE, 0); 2],
            settled: BinaryHeap::new(),
            forward: None,
            lost: FxHashMap::default(),
        }
    }

    pub fn write(&mut self, op: u64, value: ValueId, at: u64, ret: Option<u64>) -> Result<(), String> {
        let again = || Err("a value is written again while it may still be read".to_string());
        if self.lost.contains_key(&value) {
            return again();
        }
        let known = self.zones.get(&value).copied();
        let zone = match (known, ret) {
            (None, None) => {
                self.lost.insert(value, at);
                return Ok(());
            }
            (Some(zone), _) if zone.written => return again(),
            // Reads of it are open already.
            (Some(zone), _) => zone,
            (None, Some(_)) => Zone { f: NEVER, s: at, written: true, open: 0 },
        };
        let (f, open) = (zone.f.min(ret.unwrap_or(NEVER)), zone.open + u32::from(ret.is_some()));
        self.zones.insert(value, Zone { f, s: zone.s.max(at), written: true, open });
        if ret.is_some() {
            self.open.insert(op, (value, at));
        }
        Ok(())
    }

    pub fn read(&mut self, op: u64, value: ValueId, at: u64, ret: Option<u64>) {
        // A read that never returned, or of which nothing is known, says nothing.
        let Some(ret) = ret.filter(|_| value != ValueId::NONE) else { return };
        let lost = self.lost.remove(&value);
        let zone = self.zones.entry(value).or_insert(Zone { f: NEVER, s: 0, written: false, open: 0 });
        if let Some(called) = lost {
            zone.written = true;
            zone.s = zone.s.max(called);
        }
        zone.f = zone.f.min(ret);
        zone.s = zone.s.max(at);
        zone.open += 1;
        self.open.insert(op, (value, at));
    }

    pub fn ret(&mut self, op: u64) -> Result<(), String> {
        let Some((value, called)) = self.open.remove(&op) else { return Ok(()) };
        let Some(zone) = self.zones.get_mut(&value) else { return Ok(()) };
        zone.open -= 1;
        if !zone.written {
            return Err(
                "a read answers a value that nobody had written, or that was surely overwritten".into()
            );
        }
        let [first, second] = &mut self.latest;
        if value == first.0 {
            first.1 = first.1.max(called);
        } else if called > first.1 {
            (*second, *first) = (*first, (value, called));
        } else if called > second.1 {
            *second = (value, called);
        }
        self.retire()
    }

    pub fn finish(&mut self) -> Result<(), String> {
        for (_, zone) in self.zones.drain() {
            self.settled.push(Reverse((zone.f.min(zone.s), zone.f, zone.s)));
        }
        self.compare(NEVER)
    }

    /// Forgets the values that are over.
    fn retire(&mut self) -> Result<(), String> {
        let settled = &mut self.settled;
        let [first, second] = self.latest;
        self.zones.retain(|&value, zone| {
            let others = if value == first.0 { second.1 } else { first.1 };
            let over = zone.written && zone.open == 0 && zone.f < others;
            if over {
                settled.push(Reverse((zone.f.min(zone.s), zone.f, zone.s)));
            }
            !over
        });
        let earliest = self.zones.values().map(|z| z.f.min(z.s)).min().unwrap_or(NEVER);
        self.compare(earliest)
    }

    /// Compares the settled zones that start before `until`.
    fn compare(&mut self, until: u64) -> Result<(), String> {
        while let Some(&Reverse((start, f, s))) = self.settled.peek() {
            if start >= until {
                break;
            }
            self.settled.pop();
            if let Some((outer_f, outer_s)) = self.forward
                && f < outer_s
                && (f < s || outer_f < s)
            {
                return Err("two values would have to be in the register at the same time".into());
            }
            if f < s {
                self.forward = Some((f, s));
            }
        }
        Ok(())
    }
}
