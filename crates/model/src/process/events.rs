//! What observers see: events, each stored once and named by a number.

use super::Model;
use super::interned::{Interned, hash};

pub type EventId = u32;

/// Successful termination, in traces `terminate`. It is an event like any other, as in CSP's
/// trace and failure models.
pub const TICK: EventId = 0;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// Index into [`Model::names`]; for [`TICK`], out of range.
    pub name: u32,
    pub args: Box<[i32]>,
}

pub struct Events(Interned<Event>);

impl Default for Events {
    fn default() -> Self {
        let events = Events(Interned::default());
        events.id(u32::MAX, &[]);
        events
    }
}

impl Events {
    pub fn id(&self, name: u32, args: &[i32]) -> EventId {
        self.0.id(
            hash((name, args)),
            |e| e.name == name && *e.args == *args,
            |e| hash((e.name, &*e.args)),
            || Event { name, args: args.into() },
        )
    }

    pub fn event(&self, id: EventId) -> &Event {
        self.0.get(id)
    }

    pub fn len(&self) -> usize {
        self.0.len() as usize
    }
    pub fn is_empty(&self) -> bool {
        false
    }

    /// As the source would write it: `push_res.1.3`, `c!5`, `terminate`.
    pub fn show(&self, model: &Model, id: EventId) -> String {
        if id == TICK {
            return "terminate".into();
        }
        let event = self.event(id);
        let name = &model.names[event.name as usize];
        let mut text = name.to_string();
        for (i, arg) in event.args.iter().enumerate() {
            if i > 0 || !name.ends_with(['!', '?']) {
                text.push('.');
            }
            text.push_str(&arg.to_string());
        }
        text
    }
}
