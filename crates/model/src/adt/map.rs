//! A map from keys to texts: get, put, append, delete. Every key starts as the initial value,
//! and delete puts it back there.

use super::Adt;
use crate::history::{History, Method, Op, Value, ValueId, Values};
use crate::verdict::Limit;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

#[derive(Debug)]
pub struct Map<'a> {
    init: ValueId,
    values: &'a Values,
    grown: RefCell<Grown>,
    longest: FxHashMap<ValueId, ValueId>,
    /// By key, the texts that completed gets answered, sorted.
    answers: FxHashMap<ValueId, Vec<String>>,
    /// A text that no answer begins with; `None` if there is no need of one.
    mute: Option<ValueId>,
}

/// Texts that appends make and the history itself does not mention. They are interned after the
/// history's own, so that equal texts have equal names.
#[derive(Debug, Default)]
struct Grown {
    sums: FxHashMap<(ValueId, ValueId), ValueId>,
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, ValueId>,
    /// Whether some answer of the key begins with the text.
    heard: FxHashMap<(ValueId, ValueId), bool>,
}

/// Names of grown texts count down from here.
const GROWN: u32 = u32::MAX;
/// Stands for every text that no answer begins with.
const SILENCE: &str = "\u{0}";

impl Grown {
    fn intern(&mut self, text: Box<str>) -> ValueId {
        let id = ValueId(GROWN - self.texts.len() as u32);
        self.texts.push(text.clone());
        self.ids.insert(text, id);
        id
    }
}

impl<'a> Map<'a> {
    pub fn new(init: &Value, values: &'a Values) -> Self {
        let mut grown = Grown::default();
        let init = values.find(init).unwrap_or_else(|| {
            // No operation mentions it, but appends may build on it.
            let text: Box<str> = match init {
                Value::Text(t) => t.clone(),
                other => other.to_string().into(),
            };
            grown.texts.push(text.clone());
            grown.ids.insert(text, ValueId(GROWN));
            ValueId(GROWN)
        });
        let (longest, answers) = Default::default();
        Map { init, values, grown: RefCell::new(grown), longest, answers, mute: None }
    }

    fn text(&self, grown: &Grown, id: ValueId) -> String {
        match grown.texts.get((GROWN - id.0) as usize) {
            Some(text) => text.to_string(),
            None => self.values.as_text(id).map_or(String::new(), |t| t.into_owned()),
        }
    }

    /// Notes the longest answer of each key that is never put or deleted: there texts only grow,
    /// and every one of them is a beginning of that answer, or has it as its own.
    pub fn of(mut self, history: &History) -> Self {
        let mut fixed = FxHashMap::default();
        for op in history.ops() {
            let answer = (op.method == Method::Read && !op.is_pending() && op.result != ValueId::NONE)
                .then(|| self.values.as_text(op.result).map_or(0, |t| t.len()))
                .map(|length| (length, op.result));
            let slot = fixed.entry(op.key).or_insert(Some((0, ValueId::NONE)));
            match (op.method, answer) {
                (Method::Put | Method::Delete, _) => *slot = None,
                (_, Some(answer)) => {
                    *slot = slot.map(|known| if answer.0 > known.0 { answer } else { known })
                }
                _ => {}
            }
        }
        for op in history.ops().filter(|op| op.method == Method::Read && !op.is_pending()) {
            if let Some(text) = self.values.as_text(op.result) {
                self.answers.entry(op.key).or_default().push(text.into_owned());
            }
        }
        self.answers.values_mut().for_each(|a| a.sort_unstable());
        if self.answers.values().flatten().all(|a| !a.starts_with(SILENCE)) {
            let mut grown = self.grown.borrow_mut();
            let id = self
                .values
                .find(&Value::Text(SILENCE.into()))
                .unwrap_or_else(|| grown.intern(SILENCE.into()));
            drop(grown);
            self.mute = Some(id);
        }
        self.longest =
            fixed.into_iter().filter_map(|(k, v)| Some((k, v?.1))).filter(|e| e.1 != ValueId::NONE).collect();
        self
    }

    fn disagrees(&self, key: ValueId, value: ValueId) -> bool {
        let Some(longest) = self.longest.get(&key).and_then(|l| self.values.as_text(*l)) else {
            return false;
        };
        let grown = self.grown.borrow();
        let text = match grown.texts.get((GROWN - value.0) as usize) {
            Some(text) => (&**text).into(),
            None => self.values.as_text(value).unwrap_or_default(),
        };
        // What grew from a mute text had the longest answer behind it, or was doomed before.
        !longest.starts_with(&*text) && !text.starts_with(&*longest) && !text.starts_with(SILENCE)
    }

    /// Texts with which no answer begins can only be put or deleted away: they are all alike.
    fn mute(&self, key: ValueId, value: ValueId) -> ValueId {
        let Some(mute) = self.mute else { return value };
        if let Some(&heard) = self.grown.borrow().heard.get(&(key, value)) {
            return if heard { value } else { mute };
        }
        let text = self.text(&self.grown.borrow(), value);
        let heard = self.answers.get(&key).is_some_and(|answers| {
            let first = answers.partition_point(|a| **a < *text);
            answers.get(first).is_some_and(|a| a.starts_with(&*text))
        });
        self.grown.borrow_mut().heard.insert((key, value), heard);
        if heard { value } else { mute }
    }

    fn show_value(&self, id: ValueId) -> String {
        match self.grown.borrow().texts.get((GROWN - id.0) as usize) {
            Some(text) => self.values.show_text(text),
            None => self.values.show(id),
        }
    }

    fn append(&self, old: ValueId, piece: ValueId) -> ValueId {
        let mut grown = self.grown.borrow_mut();
        if let Some(&sum) = grown.sums.get(&(old, piece)) {
            return sum;
        }
        let text = (self.text(&grown, old) + &self.text(&grown, piece)).into_boxed_str();
        let sum = match self.values.find(&Value::Text(text.clone())).or(grown.ids.get(&text).copied()) {
            Some(known) => known,
            None => grown.intern(text),
        };
        grown.sums.insert((old, piece), sum);
        sum
    }
}

/// A map of which only one key is used: its state is that key's value.
#[derive(Debug)]
pub struct MapKey<'a>(pub Map<'a>);

impl Adt for MapKey<'_> {
    type State = ValueId;

    fn initial(&self) -> ValueId {
        self.0.init
    }

    fn outcomes(
        &self,
        state: &ValueId,
        op: &Op,
        mut each: impl FnMut(ValueId, ValueId),
    ) -> Result<(), Limit> {
        match op.method {
            Method::Read if op.result == ValueId::NONE || op.result == *state => each(*state, *state),
            Method::Put => each(ValueId::NONE, op.arg),
            Method::Append => each(ValueId::NONE, self.0.append(*state, op.arg)),
            Method::Delete => each(ValueId::NONE, self.0.init),
            _ => {}
        }
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Read
    }

    fn allows(&self, state: &ValueId, op: &Op) -> Result<bool, Limit> {
        Ok(op.result == ValueId::NONE || op.result == *state)
    }

    fn is_doomed(&self, after: &ValueId, op: &Op) -> bool {
        op.method == Method::Append && self.0.disagrees(op.key, *after)
    }

    fn settle(&self, after: ValueId, op: &Op) -> ValueId {
        if self.is_read(op) { after } else { self.0.mute(op.key, after) }
    }

    fn show(&self, state: &ValueId) -> String {
        self.0.show_value(*state)
    }
}

impl Adt for Map<'_> {
    /// Keys that differ from the initial value, sorted.
    type State = Vec<(ValueId, ValueId)>;

    fn initial(&self) -> Self::State {
        Vec::new()
    }

    fn outcomes(
        &self,
        state: &Self::State,
        op: &Op,
        mut each: impl FnMut(ValueId, Self::State),
    ) -> Result<(), Limit> {
        let place = state.binary_search_by_key(&op.key, |e| e.0);
        let now = place.map_or(self.init, |i| state[i].1);
        let (answer, next) = match op.method {
            Method::Read if op.result == ValueId::NONE || op.result == now => (now, now),
            Method::Put => (ValueId::NONE, op.arg),
            Method::Append => (ValueId::NONE, self.append(now, op.arg)),
            Method::Delete => (ValueId::NONE, self.init),
            _ => return Ok(()),
        };
        let mut after = state.clone();
        match (place, next == self.init) {
            (Ok(i), true) => {
                after.remove(i);
            }
            (Ok(i), false) => after[i].1 = next,
            (Err(_), true) => {}
            (Err(i), false) => after.insert(i, (op.key, next)),
        }
        each(answer, after);
        Ok(())
    }

    fn is_read(&self, op: &Op) -> bool {
        op.method == Method::Read
    }

    fn allows(&self, state: &Self::State, op: &Op) -> Result<bool, Limit> {
        let now = state.binary_search_by_key(&op.key, |e| e.0).map_or(self.init, |i| state[i].1);
        Ok(op.result == ValueId::NONE || op.result == now)
    }

    fn is_doomed(&self, after: &Self::State, op: &Op) -> bool {
        let now = after.binary_search_by_key(&op.key, |e| e.0).map_or(self.init, |i| after[i].1);
        op.method == Method::Append && self.disagrees(op.key, now)
    }

    fn settle(&self, mut after: Self::State, op: &Op) -> Self::State {
        if let (false, Ok(i)) = (self.is_read(op), after.binary_search_by_key(&op.key, |e| e.0)) {
            after[i].1 = self.mute(op.key, after[i].1);
        }
        after
    }

    fn show(&self, state: &Self::State) -> String {
        let items: Vec<String> =
            state.iter().map(|(k, v)| format!("{} {}", self.values.show(*k), self.show_value(*v))).collect();
        format!("{{{}}}", items.join(", "))
    }

    fn bytes(&self, state: &Self::State) -> usize {
        24 + size_of_val(&state[..])
    }
}
