//! Where an object starts, as far as a log says so.

use super::Format;
use super::record::Record;
use super::recorder::{Problem, Recorder, Sink};
use super::value::value_of;
use lineal_model::Knob;
use lineal_model::adt::Kind;
use lineal_model::history::{Value, ValueId};

impl Recorder<'_> {
    /// A record that says where the object starts.
    pub(super) fn start(&mut self, record: &Record) -> Result<(), Problem> {
        let kind = self.options.kind;
        let value = value_of(&record.init);
        let number = matches!(value, Value::Int(_));
        let starts = match kind {
            Kind::Register | Kind::CasRegister | Kind::Map => true,
            Kind::Counter | Kind::FetchIncrement => number,
            _ => false,
        };
        if !starts {
            return Err(("L0307", format!("a {} does not start at {value}", kind.word())));
        }
        let begun = match &self.sink {
            Sink::InOrder { builder, .. } => !builder.is_empty(),
            Sink::ByTime(builder) => !builder.is_empty(),
            Sink::PassedOn { next, .. } => *next > 0,
        };
        if begun || self.init.is_some() {
            return Err(("L0312", "where the object starts is said once, before everything else".into()));
        }
        let id = self.values().intern(value.clone());
        if let Sink::PassedOn { init, .. } = &self.sink
            && *init != id
        {
            let (stream, init) = (self.flag(Knob::Stream), self.flag(Knob::Init));
            let message = format!("the log starts at {value}; {stream} has to be told: {init} {value}");
            return Err(("L0322", message));
        }
        self.init = Some(value);
        Ok(())
    }

    /// A get that found nothing: kv logs, which start as the empty text, have none.
    pub(super) fn nil_answer(&mut self) -> Result<ValueId, Problem> {
        self.nil = true;
        if self.guessed && self.format == Format::Kv && matches!(self.sink, Sink::PassedOn { .. }) {
            let (stream, from, edn) = (self.flag(Knob::Stream), self.flag(Knob::Format), Format::Edn.word());
            let message =
                format!("a get answers nil, which kv logs do not; {stream} has to be told: {from} {edn}");
            return Err(("L0322", message));
        }
        Ok(ValueId::NIL)
    }
}
