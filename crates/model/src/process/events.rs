//! What observers see: events, each stored once and named by a number.

use super::Model;
use super::arena::Arena;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

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

pub struct Events {
    all: Arena<Event>,
    ids: Mutex<FxHashMap<Event, EventId>>,
}

impl Default for Events {
    fn default() -> Self {
        let events = Events { all: Arena::default(), ids: Mutex::default() };
        events.id(u32::MAX, &[]);
        events
    }
}

impl Events {
    pub fn id(&self, name: u32, args: &[i32]) -> EventId {
        let mut ids = self.ids.lock().expect("no panic while locked");
        let event = Event { name, args: args.into() };
        *ids.entry(event).or_insert_with_key(|e| self.all.push(e.clone()))
    }

    pub fn event(&self, id: EventId) -> &Event {
        self.all.get(id)
    }

    pub fn len(&self) -> usize {
        self.all.len() as usize
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
