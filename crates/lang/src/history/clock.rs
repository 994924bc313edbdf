//! Times of events. They must not go backwards, and at equal times calls come before returns.

use super::record::Datum;
use super::recorder::{Problem, Recorder, SCALE, Sink};
use super::value::shown;
use lineal_model::Knob;
use lineal_model::history::Stamp;

impl Recorder<'_> {
    pub(super) fn tick(&mut self, time: &Datum) -> Result<Stamp, Problem> {
        if matches!(time, Datum::Absent | Datum::Nil) {
            if self.options.skew.is_some() {
                return Err((
                    "L0315",
                    format!("the record has no time, which {} needs", self.flag(Knob::ClockSkew)),
                ));
            }
            self.flush();
            return Ok(0);
        }
        let now = self.stamp(time)?;
        let last = self.clock.last.replace(now);
        if last != Some(now) {
            self.flush();
        }
        match last.filter(|&last| last > now && self.options.skew.is_none()) {
            Some(last) => Err(("L0306", format!("time goes backwards, from {last} to {now}"))),
            None => Ok(now),
        }
    }

    pub(super) fn stamp(&mut self, time: &Datum) -> Result<Stamp, Problem> {
        let far = || ("L0306", "a time beyond what 64 bits hold".to_string());
        match time {
            Datum::Int(n) if self.clock.scaled => n.checked_mul(SCALE).ok_or_else(far),
            // The last few values mark pending operations.
            Datum::Int(n) if *n < Stamp::MAX - 1 => Ok(*n),
            Datum::Int(_) => Err(far()),
            Datum::Decimal(text) => {
                let seconds: f64 = text.parse().map_err(|_| far())?;
                if !self.clock.scaled {
                    self.rescale().ok_or_else(far)?;
                }
                let scaled = (seconds * SCALE as f64).round();
                if scaled.abs() < 9e18 { Ok(scaled as Stamp) } else { Err(far()) }
            }
            other => Err(("L0307", format!("{} is no time", shown(other)))),
        }
    }

    fn rescale(&mut self) -> Option<()> {
        self.clock.scaled = true;
        if let Some(last) = &mut self.clock.last {
            *last = last.checked_mul(SCALE)?;
        }
        for open in self.open.values_mut() {
            open.time = open.time.checked_mul(SCALE)?;
        }
        match &mut self.sink {
            Sink::ByTime(builder) => builder.rescale(SCALE),
            _ => Some(()),
        }
    }
}
