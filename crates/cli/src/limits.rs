//! Time, memory and Ctrl-C, as an [`Observer`] that engines ask.
//!
//! Asking costs a few relaxed loads: the supervisor samples clock and memory and raises a flag.
//! An engine that does not ask in time is abandoned by the supervisor, so a limit is honoured
//! within its tolerance whatever an engine does.

use lineal_model::{Counts, Limit, LimitKind, Observer};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Option<Duration>,
    /// Somebody asked for this time.
    pub asked: bool,
    pub memory: u64,
}

impl Limits {
    /// What is said when the time is over.
    pub fn out_of_time(&self) -> Limit {
        let seconds = self.time.unwrap_or_default();
        let advice =
            if self.asked { "" } else { "; --time-limit 10m tries harder, --time-limit none never gives up" };
        let message = format!("The time limit of {} was reached (--time-limit{advice}).", plain(seconds));
        let value = Some(seconds.as_secs_f64().ceil() as u64);
        Limit { value, ..Limit::new(LimitKind::Time, message) }
    }

    /// A limit is honoured to within 10 % or one second; half of that is left for printing.
    pub fn grace(&self) -> Duration {
        let tenth = self.time.unwrap_or_default() / 10;
        tenth.max(Duration::from_secs(1)) / 2
    }

    /// Likewise 10 % or 32 MiB.
    fn ceiling(&self) -> u64 {
        self.memory.saturating_add((self.memory / 10).max(32 << 20) / 2)
    }
}

#[derive(Debug)]
pub struct Watch {
    limits: Limits,
    started: Instant,
    /// 0, or 1 + the kind of limit reached.
    stop: AtomicU8,
    stopped_after: AtomicU64,
    interrupts: AtomicUsize,
    /// The time limit is for each of several things, and not looked after here.
    each: AtomicBool,
    counts: [AtomicU64; 5],
}

const TIME: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPT: u8 = 3;

impl Watch {
    pub fn new(limits: Limits) -> Self {
        Watch {
            limits,
            started: Instant::now(),
            stop: AtomicU8::new(0),
            stopped_after: AtomicU64::new(0),
            interrupts: AtomicUsize::new(0),
            each: AtomicBool::new(false),
            counts: Default::default(),
        }
    }

    /// From now on the time limit is for each of several things, which have clocks of their own.
    pub fn time_is_for_each(&self) {
        self.each.store(true, Relaxed);
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Called by the signal handler.
    pub fn interrupt(&self) {
        self.interrupts.fetch_add(1, Relaxed);
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn counts(&self) -> Counts {
        let [states, executions, blocked, clients, bytes] = self.counts.each_ref().map(|c| c.load(Relaxed));
        Counts { states, executions, blocked, clients, bytes }
    }

    /// Called by the supervisor every few milliseconds. `Break` means that the engine was told to
    /// stop and did not: there is no time left to wait for it.
    pub fn tick(&self, resident: Option<u64>) -> ControlFlow<Limit> {
        let resident = resident.unwrap_or(0);
        let elapsed = self.elapsed();
        if self.stop.load(Relaxed) == 0 {
            let reached = if self.interrupts.load(Relaxed) > 0 {
                INTERRUPT
            } else if !self.each.load(Relaxed) && self.limits.time.is_some_and(|limit| elapsed >= limit) {
                TIME
            } else if resident > self.limits.memory {
                MEMORY
            } else {
                0
            };
            if reached != 0 {
                self.raise(reached);
            }
        }
        let Some(limit) = self.reached() else { return ControlFlow::Continue(()) };
        let since = elapsed.saturating_sub(Duration::from_millis(self.stopped_after.load(Relaxed)));
        let impatient = self.interrupts.load(Relaxed) > 1;
        if impatient || resident > self.limits.ceiling() || since > self.limits.grace() {
            ControlFlow::Break(limit)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn raise(&self, kind: u8) {
        self.stopped_after.store(self.elapsed().as_millis() as u64, Relaxed);
        self.stop.store(kind, Relaxed);
    }

    /// The limit that was reached, if one was.
    pub fn reached(&self) -> Option<Limit> {
        match self.stop.load(Relaxed) {
            TIME => Some(self.limits.out_of_time()),
            MEMORY => {
                let message = format!(
                    "The memory limit of {} was reached (--memory-limit).",
                    lineal_report::bytes(self.limits.memory)
                );
                Some(Limit { value: Some(self.limits.memory), ..Limit::new(LimitKind::Memory, message) })
            }
            INTERRUPT => Some(Limit::new(LimitKind::Interrupt, "The check was interrupted.")),
            _ => None,
        }
    }
}

impl Observer for Watch {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        let Counts { states, executions, blocked, clients, bytes } = counts;
        for (cell, n) in self.counts.iter().zip([states, executions, blocked, clients, bytes]) {
            cell.store(n, Relaxed);
        }
        if self.stop.load(Relaxed) == 0 && bytes > self.limits.memory {
            self.raise(MEMORY);
        }
        match self.reached() {
            Some(limit) => ControlFlow::Break(limit),
            None => ControlFlow::Continue(()),
        }
    }
}

fn plain(time: Duration) -> String {
    let s = time.as_secs_f64();
    if s.fract() == 0.0 { format!("{s:.0} s") } else { format!("{s} s") }
}

/// Resident and peak memory of this process in bytes, where the system tells (Linux).
pub fn memory() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let line = status.lines().find(|l| l.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
    };
    Some((field("VmRSS:")?, field("VmHWM:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(time: Option<Duration>, memory: u64) -> Watch {
        Watch::new(Limits { time, asked: true, memory })
    }

    #[test]
    fn nothing_is_reached_at_first() {
        let w = watch(None, 1 << 30);
        assert!(w.tick(Some(1 << 20)).is_continue());
        assert!(w.progress(Counts::default()).is_continue());
    }

    #[test]
    fn an_engine_hears_of_the_time_limit_before_it_is_abandoned() {
        let w = watch(Some(Duration::ZERO), 1 << 30);
        assert!(w.tick(None).is_continue());
        match w.progress(Counts::default()) {
            ControlFlow::Break(limit) => assert_eq!(limit.kind, LimitKind::Time),
            ControlFlow::Continue(()) => panic!("the limit was not passed on"),
        }
    }

    #[test]
    fn memory_far_above_the_limit_is_not_waited_for() {
        let w = watch(None, 100 << 20);
        assert!(w.tick(Some(101 << 20)).is_continue());
        assert!(w.tick(Some(140 << 20)).is_break());
    }

    #[test]
    fn tables_count_as_memory_before_they_exist() {
        let w = watch(None, 100);
        assert!(w.progress(Counts { bytes: 101, ..Counts::default() }).is_break());
    }

    #[test]
    fn a_second_interrupt_is_not_waited_for() {
        let w = watch(None, 1 << 30);
        w.interrupt();
        assert!(w.tick(None).is_continue());
        w.interrupt();
        assert!(w.tick(None).is_break());
    }
}
