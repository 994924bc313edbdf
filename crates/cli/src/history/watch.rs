//! The clock of one log, and where its verdict goes.

use super::LogReport;
use crate::desk::Desk;
use lineal_model::{Counts, Finding, Limit, Observer};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// The limits of one log.
pub struct Watch {
    desk: Arc<Desk>,
    started: Instant,
}

impl Watch {
    pub fn new(desk: &Arc<Desk>) -> Self {
        Watch { desk: desk.clone(), started: Instant::now() }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limit that was reached, if one was.
    pub fn reached(&self) -> Option<Limit> {
        self.desk.watch.reached().or_else(|| {
            let limits = self.desk.watch.limits();
            limits.time.filter(|&time| self.started.elapsed() >= time).map(|_| limits.out_of_time())
        })
    }

    /// The time is over, and has been for so long that there is nothing to wait for.
    pub fn overdue(&self) -> Option<Limit> {
        let limits = self.desk.watch.limits();
        limits
            .time
            .filter(|&time| self.started.elapsed() >= time + limits.grace())
            .map(|_| limits.out_of_time())
    }
}

impl Observer for Watch {
    fn progress(&self, counts: Counts) -> ControlFlow<Limit> {
        self.desk.watch.progress(counts)?;
        match self.reached() {
            Some(limit) => ControlFlow::Break(limit),
            None => ControlFlow::Continue(()),
        }
    }
}

/// What a log's thread says.
pub enum Message {
    /// A verdict that is settled; more may be said about it.
    Settled(Box<Finding>),
    Done(Box<LogReport>),
}

/// Where a verdict goes as soon as it is settled.
pub struct Outbox(Sender<Message>);

impl Outbox {
    pub fn new(to: Sender<Message>) -> Self {
        Outbox(to)
    }

    pub fn settled(&self, finding: Finding) {
        // Nobody listens to what was left behind.
        let _ = self.0.send(Message::Settled(Box::new(finding)));
    }
}
