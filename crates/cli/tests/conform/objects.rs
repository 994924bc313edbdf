//! Small objects with holes for memory orders: `$L2` is a load that is acquire (2) as it should
//! be, `$S3` a store, `$R4` a read-modify-write, `$F0` the order of one that fails.

use lineal_model::object::Level;
use lineal_sweep::Choices;

#[derive(Clone, Debug)]
pub struct Template {
    text: &'static str,
    levels: &'static [Level],
}

impl Template {
    /// With every hole as it should be.
    pub fn plain(&self) -> String {
        self.fill(&mut |_, given| given)
    }

    /// Most holes as they should be, the others by chance.
    pub fn random(&self, rng: &mut Choices) -> String {
        self.fill(&mut |kind, given| {
            let all: &[char] = match kind {
                'L' | 'F' => &['0', '2', '5'],
                'S' => &['0', '3', '5'],
                _ => &['0', '2', '3', '4', '5'],
            };
            if rng.below(3) == 0 { all[rng.below(all.len())] } else { given }
        })
    }

    /// Some holes as they should be, the others seq_cst.
    pub fn raised(&self, rng: &mut Choices) -> String {
        self.fill(&mut |_, given| if rng.below(2) == 0 { '5' } else { given })
    }

    /// Some holes as they should be, the others relaxed.
    pub fn lowered(&self, rng: &mut Choices) -> String {
        self.fill(&mut |_, given| if rng.below(2) == 0 { '0' } else { given })
    }

    fn fill(&self, choose: &mut dyn FnMut(char, char) -> char) -> String {
        let mut out = String::new();
        let mut rest = self.text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let mut hole = rest[at + 1..].chars();
            let (kind, given) = (hole.next().unwrap(), hole.next().unwrap());
            out.push(choose(kind, given));
            rest = &rest[at + 3..];
        }
        out + rest
    }

    pub fn levels(&self) -> Vec<Level> {
        self.levels.to_vec()
    }
}

const CONTAINER: &[Level] = &Level::NAMED;
const PLAIN: &[Level] = &[Level::None, Level::R, Level::Total];

/// One lock around every call: queues and stacks as sequential code has them.
pub const LOCKED_QUEUE: &str = r"
#include <pthread.h>
#pragma lineal object queue args=independent
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
#pragma lineal op enqueue = enqueue(value)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int array[8], front, back;
void enqueue(int value) {
    pthread_mutex_lock(&lock);
    array[back++] = value;
    pthread_mutex_unlock(&lock);
}
int dequeue(void) {
    pthread_mutex_lock(&lock);
    int v = front < back ? array[front++] : 0;
    pthread_mutex_unlock(&lock);
    return v;
}
";

pub const LOCKED_STACK: &str = r"
#include <pthread.h>
#pragma lineal object stack args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == 0
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int array[8], height;
void push(int value) {
    pthread_mutex_lock(&lock);
    array[height++] = value;
    pthread_mutex_unlock(&lock);
}
int pop(void) {
    pthread_mutex_lock(&lock);
    int v = height ? array[--height] : 0;
    pthread_mutex_unlock(&lock);
    return v;
}
";

pub fn all() -> Vec<(&'static str, Template)> {
    let object = |name, text, levels| (name, Template { text, levels });
    vec![
        object("treiber", TREIBER, CONTAINER),
        object("michael-scott", MICHAEL_SCOTT, CONTAINER),
        object("herlihy-wing", HERLIHY_WING, CONTAINER),
        object("front-back", FRONT_BACK, CONTAINER),
        object("flags", FLAGS, PLAIN),
        object("register", REGISTER, PLAIN),
        object("sometimes fenced", SOMETIMES, CONTAINER),
        object("two-part counter", COUNTER, PLAIN),
        object("one slot", SLOT, CONTAINER),
        object("lock", LOCK, PLAIN),
        object("readers and writers", READERS, PLAIN),
        object("semaphore", SEMAPHORE, PLAIN),
        object("barrier", BARRIER, PLAIN),
        object("room for one", ROOM, CONTAINER),
        object("gives up", GIVES_UP, CONTAINER),
        object("up and down", UP_DOWN, PLAIN),
    ]
}

const LOCK: &str = r"
#pragma lineal object lock
#pragma lineal op lock = lock()
#pragma lineal op try_lock = try_lock()
#pragma lineal op unlock = unlock()
static int held;
int try_lock(void) { return !__atomic_exchange_n(&held, 1, $R2); }
void lock(void) { while (!try_lock()) { } }
void unlock(void) { __atomic_store_n(&held, 0, $S3); }
";

const READERS: &str = r"
#pragma lineal object rw-lock
#pragma lineal op try_read_lock = try_read()
#pragma lineal op read_unlock = read_unlock()
#pragma lineal op try_write_lock = try_write()
#pragma lineal op write_unlock = write_unlock()
static int readers;
int try_read(void) {
    int n = __atomic_load_n(&readers, $L0);
    while (n >= 0)
        if (__atomic_compare_exchange_n(&readers, &n, n + 1, 0, $R2, $F0)) return 1;
    return 0;
}
void read_unlock(void) { __atomic_fetch_sub(&readers, 1, $R3); }
int try_write(void) {
    int none = 0;
    return __atomic_compare_exchange_n(&readers, &none, -1, 0, $R2, $F0);
}
void write_unlock(void) { __atomic_store_n(&readers, 0, $S3); }
";

const SEMAPHORE: &str = r"
#pragma lineal object semaphore count=1
#pragma lineal op try_wait = try_wait()
#pragma lineal op post = post()
static int permits = 1;
int try_wait(void) {
    int n = __atomic_load_n(&permits, $L0);
    while (n > 0)
        if (__atomic_compare_exchange_n(&permits, &n, n - 1, 0, $R2, $F0)) return 1;
    return 0;
}
void post(void) { __atomic_fetch_add(&permits, 1, $R3); }
";

/// Two meet: the second one lets the first go.
const BARRIER: &str = r"
#pragma lineal object barrier parties=2
#pragma lineal op wait = meet() -> result
static int come, rounds;
int meet(void) {
    int before = __atomic_fetch_add(&come, 1, $R4);
    if (before % 2 == 1) {
        __atomic_fetch_add(&rounds, 1, $R4);
        return 1;
    }
    while (__atomic_load_n(&rounds, $L2) <= before / 2) { }
    return 0;
}
";

const ROOM: &str = r"
#pragma lineal object queue args=independent capacity=1
#pragma lineal op enqueue = put(value), full if !result
#pragma lineal op dequeue = get() -> value, empty if result == 0
static int slot;
int put(int value) {
    int none = 0;
    return __atomic_compare_exchange_n(&slot, &none, value, 0, $R3, $F0);
}
int get(void) { return __atomic_exchange_n(&slot, 0, $R2); }
";

const GIVES_UP: &str = r"
#pragma lineal object stack args=independent
#pragma lineal op push = push(value), full if !result, may fail
#pragma lineal op pop = pop() -> value, empty if result == 0, may fail
struct node { int value; struct node *next; };
static struct node nodes[8], *top;
static int used;
int push(int value) {
    struct node *n = &nodes[__atomic_fetch_add(&used, 1, 0)];
    n->value = value;
    n->next = __atomic_load_n(&top, $L0);
    return __atomic_compare_exchange_n(&top, &n->next, n, 0, $R3, $F0);
}
int pop(void) {
    struct node *n = __atomic_load_n(&top, $L2);
    if (!n) return 0;
    return __atomic_compare_exchange_n(&top, &n, n->next, 0, $R2, $F0) ? n->value : 0;
}
";

const UP_DOWN: &str = r"
#pragma lineal object counter
#pragma lineal op inc = up() -> result
#pragma lineal op dec = down() -> result
#pragma lineal op read = look()
static int count;
int up(void) { return __atomic_fetch_add(&count, 1, $R4); }
int down(void) { return __atomic_fetch_sub(&count, 1, $R4); }
int look(void) { return __atomic_load_n(&count, $L2); }
";

/// Objects on which a broken engine goes wrong, with a level and a number of calls.
pub fn telltales() -> Vec<(Template, Level, usize)> {
    let plain = |text, level, size| (Template { text, levels: PLAIN }, level, size);
    vec![
        plain(TREIBER, Level::Ri, 3),
        plain(RELAXED_FLAGS, Level::None, 2),
        plain(RELAXED_FLAGS, Level::None, 4),
    ]
}

const TREIBER: &str = r"
#pragma lineal object stack level=R args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1
void *malloc(unsigned long);
struct node { int value; struct node *next; };
static struct node *top;
void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *t = __atomic_load_n(&top, $L2);
    do __atomic_store_n(&n->next, t, $S0);
    while (!__atomic_compare_exchange_n(&top, &t, n, 0, $R3, $F2));
}
int pop(void) {
    struct node *t = __atomic_load_n(&top, $L2);
    while (t && !__atomic_compare_exchange_n(&top, &t, __atomic_load_n(&t->next, $L0), 0, $R3, $F2)) {}
    return t ? t->value : -1;
}
";

const MICHAEL_SCOTT: &str = r"
#pragma lineal object queue level=R args=independent
#pragma lineal init init()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == -1
void *malloc(unsigned long);
struct node { int value; struct node *next; };
static struct node *head, *tail;
void init(void) {
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    head = n;
    tail = n;
}
void enqueue(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = 0;
    for (;;) {
        struct node *t = __atomic_load_n(&tail, $L2);
        struct node *s = __atomic_load_n(&t->next, $L2);
        if (s) {
            __atomic_compare_exchange_n(&tail, &t, s, 0, $R3, $F0);
        } else if (__atomic_compare_exchange_n(&t->next, &s, n, 0, $R3, $F0)) {
            __atomic_compare_exchange_n(&tail, &t, n, 0, $R3, $F0);
            return;
        }
    }
}
int dequeue(void) {
    for (;;) {
        struct node *h = __atomic_load_n(&head, $L2);
        struct node *t = __atomic_load_n(&tail, $L2);
        struct node *s = __atomic_load_n(&h->next, $L2);
        if (h == t) {
            if (!s) return -1;
            __atomic_compare_exchange_n(&tail, &t, s, 0, $R3, $F0);
        } else if (s) {
            int v = s->value;
            if (__atomic_compare_exchange_n(&head, &h, s, 0, $R3, $F0)) return v;
        }
    }
}
";

const HERLIHY_WING: &str = r"
#pragma lineal object queue level=R args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value
static int back, slot[8];
void enqueue(int value) {
    int i = __atomic_fetch_add(&back, 1, $R3);
    __atomic_store_n(&slot[i], value, $S3);
}
int dequeue(void) {
    for (;;) {
        int b = __atomic_load_n(&back, $L2);
        for (int i = 0; i < b; i++) {
            if (__atomic_load_n(&slot[i], $L2)) {
                int v = __atomic_exchange_n(&slot[i], 0, $R4);
                if (v) return v;
            }
        }
    }
}
";

const FRONT_BACK: &str = r"
#pragma lineal object queue level=R args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
static unsigned fb, slot[8];
void enqueue(int value) {
    unsigned k = __atomic_fetch_add(&fb, 1, $R0);
    __atomic_store_n(&slot[k % 256], value, $S3);
}
int dequeue(void) {
    unsigned k = __atomic_load_n(&fb, $L0);
    for (;;) {
        if (k / 256 >= k % 256) return 0;
        if (__atomic_compare_exchange_n(&fb, &k, k + 256, 0, $R0, $F0)) break;
    }
    int v;
    while (!(v = __atomic_load_n(&slot[k / 256], $L2))) {}
    return v;
}
";

const FLAGS: &str = r"
#pragma lineal object set args=equality
#pragma lineal values 0..1
#pragma lineal op add = add(key)
#pragma lineal op remove = del(key)
#pragma lineal op contains = has(key)
static int flag[2];
int add(int key) { return !__atomic_exchange_n(&flag[key], 1, $R4); }
int del(int key) { return __atomic_exchange_n(&flag[key], 0, $R4); }
int has(int key) { return __atomic_load_n(&flag[key], $L2); }
";

const REGISTER: &str = r"
#pragma lineal object register args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value
static int cell;
void put(int value) { __atomic_store_n(&cell, value, $S3); }
int get(void) { return __atomic_load_n(&cell, $L2); }
";

// Executions that look alike to their calls, and differ in what may be missed.
const SOMETIMES: &str = r"
#pragma lineal object register args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value
int __VERIFIER_nondet_range(int, int);
static int cell;
void put(int value) {
    __atomic_store_n(&cell, value, $S3);
    if (__VERIFIER_nondet_range(0, 1) == 0) __atomic_thread_fence(5);
}
int get(void) { return __atomic_load_n(&cell, $L2); }
";

const COUNTER: &str = r"
#pragma lineal object counter args=independent
#pragma lineal op inc = inc()
#pragma lineal op read = get() -> value
static int low, high;
void inc(void) {
    if (__atomic_fetch_add(&low, 1, $R4) == 1) {
        __atomic_fetch_add(&high, 2, $R4);
        __atomic_fetch_sub(&low, 2, $R4);
    }
}
int get(void) { return __atomic_load_n(&high, $L2) + __atomic_load_n(&low, $L2); }
";

const SLOT: &str = r"
#pragma lineal object bag level=R args=independent
#pragma lineal op add = add(value)
#pragma lineal op remove = del() -> value, empty if result == 0
static int slot[4];
void add(int value) {
    for (int i = 0; i < 4; i++) {
        int free = 0;
        if (__atomic_compare_exchange_n(&slot[i], &free, value, 0, $R3, $F0)) return;
    }
}
int del(void) {
    for (int i = 0; i < 4; i++) {
        int v = __atomic_exchange_n(&slot[i], 0, $R2);
        if (v) return v;
    }
    return 0;
}
";

/// Nothing orders anything: loads and stores of two flags.
const RELAXED_FLAGS: &str = r"
#pragma lineal object set args=equality
#pragma lineal values 0..1
#pragma lineal op add = add(key)
#pragma lineal op contains = has(key)
static int flag[2];
int add(int key) { return !__atomic_exchange_n(&flag[key], 1, $R0); }
int has(int key) { return __atomic_load_n(&flag[key], $L0); }
";
