//! Several workers on one search: whoever is busy gives away the oldest choice it still has open.
//!
//! Subtrees are independent and need no common table, so what travels is a plain value: a graph,
//! an open choice, and the names used in it. The taker runs the threads again to have their
//! states. Counts add up; the verdict does not depend on who did what.

use super::explore::{Frame, Halt, Search};
use super::graph::Graph;
use super::names::Names;
use lineal_model::run::{Answer, Runnable, ThreadId};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

/// Work that somebody gave away.
pub struct Task<const N: usize> {
    graph: Graph<(), N>,
    frame: Frame<(), N>,
    names: Names,
}

pub struct Pool<const N: usize> {
    tasks: Mutex<Vec<Task<N>>>,
    changed: Condvar,
    workers: usize,
    idle: AtomicUsize,
    over: AtomicBool,
    pub executions: AtomicU64,
    pub blocked: AtomicU64,
}

impl<const N: usize> Pool<N> {
    pub fn new(workers: usize) -> Self {
        Pool {
            tasks: Mutex::new(Vec::new()),
            changed: Condvar::new(),
            workers,
            idle: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
        }
    }

    /// Someone has nothing to do.
    fn has_idle_worker(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    pub fn finish(&self) {
        self.over.store(true, Relaxed);
        let _tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }

    fn give(&self, task: Task<N>) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).push(task);
        self.changed.notify_one();
    }

    /// Waits for work; `None` when there will be no more.
    fn take(&self) -> Option<Task<N>> {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.is_over() {
                return None;
            }
            if let Some(task) = tasks.pop() {
                return Some(task);
            }
            if self.idle.fetch_add(1, Relaxed) + 1 == self.workers {
                self.over.store(true, Relaxed);
                self.changed.notify_all();
                return None;
            }
            tasks = self.changed.wait(tasks).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }
}

/// Tells the others if a worker dies, so that they do not wait for it.
struct Guard<'p, const N: usize>(&'p Pool<N>);

impl<const N: usize> Drop for Guard<'_, N> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.finish();
        }
    }
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Works until nobody has anything left. The first worker has the whole search to begin with.
    pub fn run_with(&mut self, pool: &Pool<N>, first: bool) -> Result<(), Halt> {
        let _guard = Guard(pool);
        let mut end = if first { self.run() } else { Ok(()) };
        while end.is_ok() {
            let Some(task) = pool.take() else { return Ok(()) };
            self.close_books();
            self.names = task.names;
            self.graph = task.graph.without_states();
            self.revive();
            self.stack.push(task.frame.into_own());
            end = self.work();
        }
        pool.finish();
        end
    }

    /// Gives the oldest open choice away if someone wants it.
    pub fn share(&mut self, pool: &Pool<N>) {
        if !pool.has_idle_worker() {
            return;
        }
        let Some(at) = self.stack.iter().position(Frame::is_open) else { return };
        // Undo everything after it, on a copy.
        let mut copy: Option<Graph<Rc<R::Thread>, N>> = None;
        for frame in self.stack[at + 1..].iter().rev() {
            match frame {
                Frame::Revisit { saved, .. } => {
                    let mut graph = (**saved).clone();
                    graph.asks.clone_from(&self.graph.asks);
                    copy = Some(graph);
                }
                frame => {
                    let graph = copy.get_or_insert_with(|| self.graph.clone());
                    frame.pushed().into_iter().for_each(|t| graph.pop(t));
                }
            }
        }
        let mut graph = copy.unwrap_or_else(|| self.graph.clone());
        if let Frame::Revisit { reader, group: Some(_), .. } = self.stack[at] {
            (graph.lanes[reader].owed, graph.lanes[reader].revisited) = (super::event::EventId::INIT, None);
        }
        self.stack[at].pushed().into_iter().for_each(|t| graph.pop(t));
        let frame = self.stack[at].split();
        pool.give(Task { graph: graph.without_states(), frame, names: self.names.clone() });
    }

    /// Runs all threads again so that their events have states.
    fn revive(&mut self) {
        let mut states = Vec::new();
        for (t, lane) in self.graph.lanes.iter().enumerate().filter(|(_, l)| l.exists) {
            let mut state = self.program.start(ThreadId(t as u8), lane.entry);
            self.go(&mut state, Answer::default());
            let copyable = self.program.fork(&state).is_some();
            self.copyable = self.copyable && copyable;
            let mut kept = Vec::new();
            for i in 0..lane.events.len() {
                kept.push(self.program.fork(&state).map(Rc::new));
                if let Some(answer) = lane.answer(i) {
                    self.go(&mut state, answer);
                }
            }
            states.push((t, kept, state));
        }
        for (t, kept, state) in states {
            let lane = &mut self.graph.lanes[t];
            for (event, state) in lane.events.iter_mut().zip(kept) {
                event.state = state;
            }
            lane.state = Some(Rc::new(state));
        }
        // Nobody moved last: the next event of each thread keeps its state.
        self.last = N;
    }
}

impl<S, const N: usize> Frame<S, N> {
    /// Threads whose last event this frame has in place, in the order in which to take them back.
    fn pushed(&self) -> Vec<usize> {
        match *self {
            Frame::Plain { thread, pushed }
            | Frame::Choose { thread, pushed, .. }
            | Frame::Read { thread, pushed, .. }
            | Frame::Write { thread, pushed, .. } => pushed.then_some(thread).into_iter().collect(),
            Frame::Revisit { writer, group: Some(_), pushed: true, .. } => vec![writer],
            Frame::Revisit { writer, reader, pushed: true, .. } => vec![reader, writer],
            Frame::Revisit { .. } => Vec::new(),
        }
    }

    /// Whether alternatives are left.
    fn is_open(&self) -> bool {
        match self {
            Frame::Plain { .. } => false,
            Frame::Choose { next, .. } => next.is_some(),
            Frame::Read { floors, upto, again, .. } => *again || floors.least() < *upto,
            Frame::Write { floor, upto, revisits, .. } => {
                floor < upto || revisits.as_ref().is_none_or(|r| !r.is_empty())
            }
            Frame::Revisit { floor, upto, again, .. } => *again || floor < upto,
        }
    }

    /// Takes all alternatives that are left out of this frame and into another.
    fn split<P>(&mut self) -> Frame<P, N> {
        match self {
            Frame::Plain { .. } => unreachable!("no alternative to give away"),
            Frame::Choose { thread, next, high, .. } => {
                Frame::Choose { thread: *thread, pushed: false, next: next.take(), high: *high }
            }
            Frame::Read { thread, floors, upto, again, .. } => {
                let left = Frame::Read {
                    thread: *thread,
                    pushed: false,
                    floors: *floors,
                    upto: *upto,
                    again: std::mem::take(again),
                };
                *upto = floors.least();
                left
            }
            Frame::Write { thread, floor, upto, revisits, .. } => {
                let revisits = revisits.replace(Vec::new());
                let left =
                    Frame::Write { thread: *thread, pushed: false, floor: *floor, upto: *upto, revisits };
                *upto = *floor;
                left
            }
            Frame::Revisit { writer, reader, stamp, group, floor, upto, again, .. } => {
                let left = Frame::Revisit {
                    saved: Box::new(Graph::new()),
                    writer: *writer,
                    reader: *reader,
                    stamp: *stamp,
                    group: *group,
                    pushed: false,
                    floor: *floor,
                    upto: *upto,
                    again: std::mem::take(again),
                };
                *upto = *floor;
                left
            }
        }
    }

    /// The same frame for a search of one's own.
    fn into_own<P>(mut self) -> Frame<P, N> {
        self.split()
    }
}
