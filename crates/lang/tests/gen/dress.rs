//! One shape, many C programs: where its variables lie, how its threads come about, and whether its
//! read-modify-writes are GCC's `__sync_*`. None of it changes what can happen.

use super::concurrent::{ATOMICS, Event, Operand, Order, Shape, Update};
use lineal_sweep::Choices;

#[derive(Clone, Debug)]
pub struct Dress {
    place: &'static Place,
    /// Read-modify-writes, compare-and-swaps and fences are full barriers.
    pub sync: bool,
    /// The thread that `main` does not create itself, and who does.
    nested: Option<(usize, Nested)>,
}

/// Where the atomic variables lie.
#[derive(Debug)]
struct Place {
    names: [&'static str; ATOMICS.len()],
    types: [&'static str; ATOMICS.len()],
    declares: &'static str,
    sets_up: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Nested {
    /// The last of a chain of so many.
    Deep(i64),
    /// The youngest of so many children of one thread.
    Wide(i64),
}

const INT: &str = "int";
const LONG: &str = "long";

static PLACES: [Place; 8] = [
    Place {
        names: ATOMICS,
        types: [INT; 3],
        declares: "atomic_int x, a[2];\nstruct { char pad; atomic_int y; } s;\n",
        sets_up: "",
    },
    Place {
        names: ["u.low", "u.high", "z"],
        types: [INT; 3],
        declares: "union { struct { atomic_int low, high; }; atomic_long both; } u;\natomic_int z;\n",
        sets_up: "",
    },
    Place {
        names: ["u[0].low", "u[1].high", "u[1].low"],
        types: [INT; 3],
        declares: "union both { struct { atomic_int low, high; }; atomic_long both; } *u;\n",
        sets_up: "u = calloc(2, sizeof *u);",
    },
    Place {
        names: ["u[0].low", "u[1].both", "u[0].high"],
        types: [INT, LONG, INT],
        declares: "union both { atomic_long both; struct { atomic_int low, high; }; } u[2];\n",
        sets_up: "",
    },
    Place {
        names: ["h->n", "h->slot[0]", "h->slot[2]"],
        types: [INT, LONG, LONG],
        declares: "struct h { atomic_int n; atomic_long slot[]; } *h;\n",
        sets_up: "h = malloc(sizeof *h + 3 * sizeof *h->slot); h->n = 0; h->slot[0] = 0; h->slot[2] = 0;",
    },
    Place {
        names: ["h->slot[0]", "h->slot[1]", "h->n"],
        types: ["short", "short", LONG],
        declares: "struct h { atomic_long n; char c; atomic_short slot[]; } *h;\n",
        sets_up: "h = calloc(1, sizeof *h + 3 * sizeof *h->slot);",
    },
    Place {
        names: ["h->n", "h->slot[0]", "h->slot[2]"],
        types: [INT, LONG, LONG],
        declares: "struct h { atomic_int n; atomic_long slot[1]; } *h;\n",
        sets_up: "h = calloc(1, sizeof *h + 2 * sizeof *h->slot);",
    },
    Place {
        names: ["h->n", "((atomic_long *)(h + 1))[0]", "((atomic_long *)(h + 1))[2]"],
        types: [INT, LONG, LONG],
        declares: "struct h { atomic_int n; int size; } *h;\n",
        sets_up: "h = calloc(1, sizeof *h + 3 * sizeof(atomic_long)); h->size = 3;",
    },
];

impl Dress {
    pub fn plain() -> Dress {
        Dress { place: &PLACES[0], sync: false, nested: None }
    }

    /// Any dress for a shape of so many threads.
    pub fn random(seed: u64, threads: usize) -> Dress {
        let random = &mut Choices::new(seed ^ 0x0d7e_55e5);
        let nested = random.chance(40).then(|| {
            let many = random.range(8, 11);
            (random.below(threads), if random.chance(50) { Nested::Deep(many) } else { Nested::Wide(many) })
        });
        Dress { place: random.pick_ref(&PLACES), sync: random.chance(50), nested }
    }

    pub fn declares(&self) -> &str {
        self.place.declares
    }

    pub fn sets_up(&self) -> &str {
        self.place.sets_up
    }

    pub fn names(&self) -> [&str; ATOMICS.len()] {
        self.place.names
    }

    pub fn is_nested(&self) -> bool {
        self.nested.is_some()
    }

    /// What `main` creates to get thread `t`, and the functions that it needs.
    pub fn creation(&self, t: usize) -> (String, String) {
        match self.nested {
            Some((nested, Nested::Deep(many))) if nested == t => (
                format!("deep, (void *){many}L"),
                format!(
                    "\nstatic void *deep(void *arg)\n{{\n    pthread_t t;\n    long left = (long)arg;\n    \
                     if (left > 1)\n        pthread_create(&t, 0, deep, (void *)(left - 1));\n    else\n        \
                     pthread_create(&t, 0, thread{t}, 0);\n    pthread_join(t, 0);\n    return 0;\n}}\n"
                ),
            ),
            Some((nested, Nested::Wide(many))) if nested == t => (
                "wide, 0".into(),
                format!(
                    "\nstatic void *idle(void *arg) {{ return arg; }}\n\nstatic void *wide(void *arg)\n{{\n    \
                     pthread_t t;\n    for (int i = 0; i < {many}; i++) {{\n        \
                     pthread_create(&t, 0, idle, 0);\n        pthread_join(t, 0);\n    }}\n    \
                     pthread_create(&t, 0, thread{t}, 0);\n    pthread_join(t, 0);\n    return arg;\n}}\n"
                ),
            ),
            _ => (format!("thread{t}, 0"), String::new()),
        }
    }

    /// A compare-and-swap; the result is 10 on success, otherwise the value seen.
    pub fn cas(&self, result: usize, loc: usize, expected: i32, call: &dyn Fn(&str) -> String) -> String {
        let (place, ty) = (self.place.names[loc], self.place.types[loc]);
        format!("{{ {ty} e = {expected}; r{result} = {} ? 10 : e; }}", call(place))
    }

    /// The spelling of an event as `__sync_*`, if it has one.
    pub fn full_barrier(&self, e: &Event) -> Option<String> {
        let name = |loc: &usize| self.place.names[*loc];
        match e {
            _ if !self.sync => None,
            Event::Update { result, loc, update, by, .. } => {
                let op = match update {
                    Update::Add => "add",
                    Update::Sub => "sub",
                    Update::Or => "or",
                    Update::And => "and",
                    Update::Xor => "xor",
                    Update::Exchange => return None,
                };
                Some(format!("r{result} = __sync_fetch_and_{op}(&{}, {by});", name(loc)))
            }
            Event::Cas { result, loc, expected, desired, weak: false, .. } => Some(format!(
                "{{ long e = __sync_val_compare_and_swap(&{}, {expected}, {desired}); r{result} = e == {expected} ? 10 : e; }}",
                name(loc)
            )),
            Event::Fence(_) => Some("__sync_synchronize();".into()),
            _ => None,
        }
    }
}

/// Threads whose relaxed accesses are kept apart by full barriers: whatever the memory model, what
/// they do is sequentially consistent. To be written with [`Dress::sync`].
pub fn barrier_shape(seed: u64) -> Shape {
    let random = &mut Choices::new(seed ^ 0xba5e_ba11);
    let count = if random.chance(30) { 3 } else { 2 };
    let mut results = 0;
    let mut threads = Vec::new();
    for _ in 0..count {
        let mut events = Vec::new();
        for i in 0..random.range(2, if count == 3 { 2 } else { 3 }) {
            if i > 0 {
                events.push(barrier(random, &mut results));
            }
            let loc = random.below(2);
            events.push(if random.chance(50) {
                results += 1;
                Event::Load { result: results - 1, loc, order: Order::Relaxed }
            } else {
                let value = Operand { result: None, add: random.range(1, 3) as i32 };
                Event::Store { loc, value, order: Order::Relaxed }
            });
        }
        threads.push(events);
    }
    Shape { seed, threads, results }
}

fn barrier(random: &mut Choices, results: &mut usize) -> Event {
    let order = Order::SeqCst;
    // Mostly a variable that nobody else needs: then nothing but the barrier orders anything.
    let loc = if random.chance(70) { 2 } else { random.below(2) };
    if random.chance(15) {
        return Event::Fence(order);
    }
    *results += 1;
    let result = *results - 1;
    if random.chance(40) {
        let (expected, desired) = (random.range(0, 4) as i32, random.range(1, 3) as i32);
        return Event::Cas { result, loc, expected, desired, weak: false, success: order, failure: order };
    }
    let update = *random.pick_ref(&[Update::Add, Update::Sub, Update::Or, Update::And, Update::Xor]);
    Event::Update { result, loc, update, by: random.range(0, 2) as i32, order }
}
