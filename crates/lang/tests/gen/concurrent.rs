//! Random concurrent programs, small enough to enumerate.
//!
//! A [`Shape`] is the program as data. It can be written as C ([`Shape::source`]) and it can be
//! run by brute force under sequential consistency ([`Shape::enumerate`]), so that an engine
//! behind the C front-end has an oracle that shares nothing with either.

use super::dress::Dress;
use lineal_sweep::Choices;

pub const ATOMICS: [&str; 3] = ["x", "s.y", "a[1]"];
pub const PLAIN: [&str; 2] = ["n", "m"];
pub const LOCKS: [&str; 2] = ["k", "l"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    Add,
    Sub,
    Or,
    And,
    Xor,
    Exchange,
}

/// A constant, or a result of the same thread plus a constant.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub result: Option<usize>,
    pub add: i32,
}

/// Numbers are positions in [`ATOMICS`], [`PLAIN`], [`LOCKS`] and among the results.
#[derive(Clone, Debug)]
pub enum Event {
    Load {
        result: usize,
        loc: usize,
        order: Order,
    },
    Store {
        loc: usize,
        value: Operand,
        order: Order,
    },
    Update {
        result: usize,
        loc: usize,
        update: Update,
        by: i32,
        order: Order,
    },
    /// The result is 10 on success, otherwise the value seen.
    Cas {
        result: usize,
        loc: usize,
        expected: i32,
        desired: i32,
        weak: bool,
        success: Order,
        failure: Order,
    },
    Fence(Order),
    Lock(usize),
    Unlock(usize),
    Read {
        result: usize,
        var: usize,
    },
    Write {
        var: usize,
        value: Operand,
    },
    Await {
        loc: usize,
        value: i32,
        order: Order,
    },
    If {
        result: usize,
        equals: i32,
        then: Box<Event>,
    },
}

/// Threads of events; everything starts at zero.
#[derive(Clone, Debug)]
pub struct Shape {
    pub seed: u64,
    pub threads: Vec<Vec<Event>>,
    pub results: usize,
}

/// The program of a seed as C text. `main` creates the threads, joins them, and copies the shared
/// variables into plain globals; [`Shape::observed`] lists what to look at.
pub fn generate_concurrent(seed: u64) -> String {
    concurrent_shape(seed).source()
}

pub fn concurrent_shape(seed: u64) -> Shape {
    Shape { seed, ..shape_of(&mut choices_of(seed)) }
}

/// The choices that a seed stands for.
pub fn choices_of(seed: u64) -> Choices {
    Choices::new(seed ^ 0xc0ff_ee00)
}

pub fn shape_of(random: &mut Choices) -> Shape {
    let mut maker = Maker {
        plain: random.chance(35),
        locks: if random.chance(35) { random.range(1, 2) as usize } else { 0 },
        awaits: random.chance(12),
        locs: random.range(1, 3) as usize,
        random,
        results: 0,
        own: Vec::new(),
    };
    let count = if maker.random.chance(45) { 3 } else { 2 };
    let threads = (0..count).map(|_| maker.thread(if count == 3 { 3 } else { 4 })).collect();
    Shape { seed: 0, threads, results: maker.results }
}

struct Maker<'r> {
    random: &'r mut Choices,
    plain: bool,
    locks: usize,
    awaits: bool,
    locs: usize,
    results: usize,
    /// Results of the current thread.
    own: Vec<usize>,
}

const LOADS: [Order; 3] = [Order::Relaxed, Order::Acquire, Order::SeqCst];
const STORES: [Order; 3] = [Order::Relaxed, Order::Release, Order::SeqCst];
const BOTH: [Order; 5] = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

impl Maker<'_> {
    fn thread(&mut self, most: i64) -> Vec<Event> {
        self.own.clear();
        let mut events = Vec::new();
        let mut left = self.random.range(2, most);
        while left > 0 {
            if self.locks > 0 && self.random.chance(50) {
                let lock = self.random.below(self.locks);
                events.push(Event::Lock(lock));
                let inner = self.random.range(1, 2).min(left);
                let nested = (self.locks == 2 && self.random.chance(30)).then_some(1 - lock);
                events.extend(nested.map(Event::Lock));
                for _ in 0..inner {
                    let protected = self.plain && self.random.chance(60);
                    events.push(if protected { self.plain() } else { self.event() });
                }
                events.extend(nested.map(Event::Unlock));
                events.push(Event::Unlock(lock));
                left -= inner;
            } else {
                // An unprotected plain access now and then: it may race, or not.
                let exposed = self.plain && self.random.chance(25);
                events.push(if exposed { self.plain() } else { self.event() });
                left -= 1;
            }
        }
        events
    }

    fn result(&mut self) -> usize {
        self.own.push(self.results);
        self.results += 1;
        self.results - 1
    }

    fn operand(&mut self) -> Operand {
        let result =
            (!self.own.is_empty() && self.random.chance(30)).then(|| *self.random.pick_ref(&self.own));
        Operand { result, add: self.random.range(1, 3) as i32 }
    }

    fn plain(&mut self) -> Event {
        let var = self.random.below(PLAIN.len());
        if self.random.chance(50) {
            Event::Read { result: self.result(), var }
        } else {
            Event::Write { var, value: self.operand() }
        }
    }

    fn event(&mut self) -> Event {
        let loc = self.random.below(self.locs);
        match self.random.below(20) {
            0..6 => Event::Load { result: self.result(), loc, order: *self.random.pick_ref(&LOADS) },
            6..12 => Event::Store { loc, value: self.operand(), order: *self.random.pick_ref(&STORES) },
            12..14 => {
                use Update::*;
                let update = *self.random.pick_ref(&[Add, Sub, Or, And, Xor, Exchange]);
                let (by, order) = (self.random.range(1, 3) as i32, *self.random.pick_ref(&BOTH));
                Event::Update { result: self.result(), loc, update, by, order }
            }
            14..16 => {
                let success = *self.random.pick_ref(&BOTH);
                // The failure order may not release, nor be stronger than the success order.
                let failure = match success {
                    Order::SeqCst => *self.random.pick_ref(&LOADS),
                    Order::Acquire | Order::AcqRel => *self.random.pick_ref(&LOADS[..2]),
                    _ => Order::Relaxed,
                };
                Event::Cas {
                    result: self.result(),
                    loc,
                    expected: self.random.range(0, 2) as i32,
                    desired: self.random.range(1, 3) as i32,
                    weak: self.random.chance(30),
                    success,
                    failure,
                }
            }
            16 => Event::Fence(*self.random.pick_ref(&BOTH)),
            17 if self.awaits => Event::Await {
                loc,
                value: self.random.range(1, 2) as i32,
                order: *self.random.pick_ref(&LOADS),
            },
            18 | 19 if !self.own.is_empty() => {
                let result = *self.random.pick_ref(&self.own);
                let equals = self.random.range(0, 2) as i32;
                let value = self.operand();
                let then = Event::Store { loc, value, order: *self.random.pick_ref(&STORES) };
                Event::If { result, equals, then: Box::new(then) }
            }
            _ => Event::Store { loc, value: self.operand(), order: *self.random.pick_ref(&STORES) },
        }
    }
}

impl Shape {
    /// The plain globals to observe, in the order [`Shape::enumerate`] reports them.
    pub fn observed(&self) -> Vec<String> {
        let results = (0..self.results).map(|i| format!("r{i}"));
        let finals = (0..ATOMICS.len() + PLAIN.len()).map(|i| format!("f{i}"));
        results.chain(finals).collect()
    }

    pub fn source(&self) -> String {
        self.source_in(&Dress::plain())
    }

    pub fn source_in(&self, dress: &Dress) -> String {
        let mut out = format!("//@ run: verify --memory sc --observe {}\n", self.observed().join(","));
        out += &format!(
            "// seed {}\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\n",
            self.seed
        );
        out += dress.declares();
        out += "int n, m;\n";
        out += "pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;\n";
        out += &format!("int {};\n", self.observed().join(", "));
        for (t, events) in self.threads.iter().enumerate() {
            out += &format!("\nstatic void *thread{t}(void *arg)\n{{\n    (void)arg;\n");
            for e in events {
                out += &format!("    {}\n", statement(e, dress));
            }
            out += "    return 0;\n}\n";
        }
        let n = self.threads.len();
        let created: Vec<_> = (0..n).map(|t| dress.creation(t)).collect();
        created.iter().for_each(|(_, functions)| out += functions);
        out += &format!("\nint main(void)\n{{\n    pthread_t t[{n}];\n    {}\n", dress.sets_up());
        for (t, (entry, _)) in created.iter().enumerate() {
            out += &format!("    pthread_create(&t[{t}], 0, {entry});\n");
        }
        for t in 0..n {
            out += &format!("    pthread_join(t[{t}], 0);\n");
        }
        for (i, name) in dress.names().iter().chain(&PLAIN).enumerate() {
            out += &format!("    f{i} = {name};\n");
        }
        out + "    return 0;\n}\n"
    }
}

fn statement(e: &Event, dress: &Dress) -> String {
    let names = dress.names();
    if let Some(text) = dress.full_barrier(e) {
        return text;
    }
    match e {
        Event::Load { result, loc, order } => {
            format!("r{result} = atomic_load_explicit(&{}, {});", names[*loc], word(*order))
        }
        Event::Store { loc, value, order } => {
            format!("atomic_store_explicit(&{}, {}, {});", names[*loc], operand(value), word(*order))
        }
        Event::Update { result, loc, update, by, order } => {
            let f = match update {
                Update::Add => "fetch_add",
                Update::Sub => "fetch_sub",
                Update::Or => "fetch_or",
                Update::And => "fetch_and",
                Update::Xor => "fetch_xor",
                Update::Exchange => "exchange",
            };
            format!("r{result} = atomic_{f}_explicit(&{}, {by}, {});", names[*loc], word(*order))
        }
        Event::Cas { result, loc, expected, desired, weak, success, failure } => {
            let kind = if *weak { "weak" } else { "strong" };
            let orders = format!("{}, {}", word(*success), word(*failure));
            dress.cas(*result, *loc, *expected, &|place| {
                format!("atomic_compare_exchange_{kind}_explicit(&{place}, &e, {desired}, {orders})")
            })
        }
        Event::Fence(order) => format!("atomic_thread_fence({});", word(*order)),
        Event::Lock(l) => format!("pthread_mutex_lock(&{});", LOCKS[*l]),
        Event::Unlock(l) => format!("pthread_mutex_unlock(&{});", LOCKS[*l]),
        Event::Read { result, var } => format!("r{result} = {};", PLAIN[*var]),
        Event::Write { var, value } => format!("{} = {};", PLAIN[*var], operand(value)),
        Event::Await { loc, value, order } => {
            format!("while (atomic_load_explicit(&{}, {}) != {value}) ;", names[*loc], word(*order))
        }
        Event::If { result, equals, then } => {
            format!("if (r{result} == {equals}) {}", statement(then, dress))
        }
    }
}

fn operand(o: &Operand) -> String {
    match o.result {
        Some(r) => format!("r{r} + {}", o.add),
        None => o.add.to_string(),
    }
}

fn word(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
    }
}
