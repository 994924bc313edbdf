//! Values of a history, as 32-bit names.
//!
//! Small numbers name themselves, so that a log of a million integers needs no table; anything
//! else is interned.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A number below 2³¹ itself, or a place in the table of [`Values`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    const TABLE: u32 = 1 << 31;
    pub const NIL: ValueId = ValueId(Self::TABLE);
    pub const FALSE: ValueId = ValueId(Self::TABLE + 1);
    pub const TRUE: ValueId = ValueId(Self::TABLE + 2);
    /// What a remove answers when there is nothing to remove.
    pub const EMPTY: ValueId = ValueId(Self::TABLE + 3);
    /// No value at all: not given, or not known.
    pub const NONE: ValueId = ValueId(Self::TABLE + 4);
    /// Every number that no operation mentions: an answer that none of them gives.
    pub const UNHEARD: ValueId = ValueId(u32::MAX);

    pub fn small(n: u32) -> Self {
        debug_assert!(n < Self::TABLE);
        ValueId(n)
    }

    /// The number this is, if it names itself.
    pub fn as_small(self) -> Option<u32> {
        (self.0 < Self::TABLE).then_some(self.0)
    }

    pub fn bool(b: bool) -> Self {
        if b { Self::TRUE } else { Self::FALSE }
    }

    pub fn as_bool(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }
}

impl std::fmt::Debug for ValueId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::NIL => f.write_str("nil"),
            Self::FALSE => f.write_str("false"),
            Self::TRUE => f.write_str("true"),
            Self::EMPTY => f.write_str("empty"),
            Self::NONE => f.write_str("-"),
            Self::UNHEARD => f.write_str("?"),
            ValueId(n) if n < Self::TABLE => write!(f, "{n}"),
            ValueId(n) => write!(f, "#{}", n - Self::TABLE),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    None,
    Nil,
    Bool(bool),
    Empty,
    Int(i64),
    Text(Box<str>),
    /// Something of the log's own syntax that we only compare and print: `:a`, `1.5`.
    Other(Box<str>),
    /// Several in a row; also the arguments of an operation that takes several.
    List(Box<[Value]>),
    /// Sorted, each once: the order in a log means nothing.
    Set(Box<[Value]>),
    /// Sorted by key.
    Map(Box<[(Value, Value)]>),
}

impl Value {
    /// A set of these, however often and in whatever order they come.
    pub fn set(mut items: Vec<Value>) -> Self {
        items.sort_unstable();
        items.dedup();
        Value::Set(items.into())
    }

    /// `None`: a key is there twice.
    pub fn map(mut entries: Vec<(Value, Value)>) -> Option<Self> {
        entries.sort_unstable();
        let twice = entries.windows(2).any(|w| w[0].0 == w[1].0);
        (!twice).then(|| Value::Map(entries.into()))
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::None => f.write_str("?"),
            Value::Nil => f.write_str("nil"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Empty => f.write_str("empty"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Text(t) => write!(f, "{t:?}"),
            Value::Other(t) => f.write_str(t),
            Value::List(items) => write!(f, "[{}]", row(items)),
            Value::Set(items) => write!(f, "#{{{}}}", row(items)),
            Value::Map(entries) => {
                let entries: Vec<String> = entries.iter().map(|(k, v)| format!("{k} {v}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
        }
    }
}

fn row(items: &[Value]) -> String {
    items.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
}

/// Before each element of a list that grows by appending. Such a list is a text of its elements'
/// names, so that one appended to another is the two texts in a row, as with texts of a log.
const ELEMENT: char = '\u{2}';

/// The table of values that do not name themselves.
#[derive(Clone, Debug)]
pub struct Values {
    table: IndexSet<Value, FxBuildHasher>,
    text_bytes: usize,
}

impl Default for Values {
    fn default() -> Self {
        let table = [Value::Nil, Value::Bool(false), Value::Bool(true), Value::Empty, Value::None];
        Values { table: table.into_iter().collect(), text_bytes: 0 }
    }
}

/// The name of a value at this place of the table.
fn at(place: usize) -> ValueId {
    ValueId(ValueId::TABLE + u32::try_from(place).expect("fewer than 2^31 values"))
}

impl Values {
    pub fn intern(&mut self, value: Value) -> ValueId {
        if let Value::Int(n) = value {
            return self.int(n);
        }
        self.add(value)
    }

    pub fn int(&mut self, n: i64) -> ValueId {
        match u32::try_from(n) {
            Ok(small) if small < ValueId::TABLE => ValueId(small),
            _ => self.add(Value::Int(n)),
        }
    }

    fn add(&mut self, value: Value) -> ValueId {
        let (place, is_new) = self.table.insert_full(value);
        if let (true, Value::Text(t) | Value::Other(t)) = (is_new, &self.table[place]) {
            self.text_bytes += t.len();
        }
        at(place)
    }

    pub fn value(&self, id: ValueId) -> Value {
        match id.as_small() {
            Some(n) => Value::Int(i64::from(n)),
            None => self.table[(id.0 - ValueId::TABLE) as usize].clone(),
        }
    }

    /// The value as a number, if it is one.
    pub fn as_int(&self, id: ValueId) -> Option<i64> {
        match id.as_small() {
            Some(n) => Some(i64::from(n)),
            None => match self.table[(id.0 - ValueId::TABLE) as usize] {
                Value::Int(n) => Some(n),
                _ => None,
            },
        }
    }

    /// A list that may grow by appending, under a name of its own; an empty one is nil.
    pub fn growing(&mut self, elements: &[ValueId]) -> ValueId {
        if elements.is_empty() {
            return ValueId::NIL;
        }
        let text: String = elements.iter().map(|e| format!("{ELEMENT}{}", e.0)).collect();
        self.intern(Value::Text(text.into()))
    }

    /// The elements of such a list, given as its text.
    pub fn elements(&self, text: &str) -> Option<Vec<ValueId>> {
        let known = |n: &u32| *n < ValueId::TABLE || self.at((n - ValueId::TABLE) as usize).is_some();
        let names = text.strip_prefix(ELEMENT)?.split(ELEMENT);
        names.map(|n| n.parse().ok().filter(known).map(ValueId)).collect()
    }

    /// A text as a person would write it, also if it is a list.
    pub fn show_text(&self, text: &str) -> String {
        match self.elements(text) {
            Some(list) => {
                let shown: Vec<String> = list.iter().map(|&e| self.show(e)).collect();
                format!("[{}]", shown.join(" "))
            }
            None => format!("{text:?}"),
        }
    }

    /// The characters of a text; nil counts as no characters at all.
    pub fn as_text(&self, id: ValueId) -> Option<std::borrow::Cow<'_, str>> {
        match id.as_small() {
            Some(n) => Some(n.to_string().into()),
            None => match &self.table[(id.0 - ValueId::TABLE) as usize] {
                Value::Text(t) | Value::Other(t) => Some((&**t).into()),
                Value::Int(n) => Some(n.to_string().into()),
                Value::Nil => Some("".into()),
                Value::None | Value::Empty => None,
                other => Some(other.to_string().into()),
            },
        }
    }

    pub fn show(&self, id: ValueId) -> String {
        match self.value(id) {
            Value::Text(t) => self.show_text(&t),
            other => other.to_string(),
        }
    }

    pub fn find(&self, value: &Value) -> Option<ValueId> {
        match value {
            Value::Int(n) if (0..i64::from(ValueId::TABLE)).contains(n) => Some(ValueId(*n as u32)),
            _ => self.table.get_index_of(value).map(at),
        }
    }

    /// Where in the table a value is that does not name itself.
    pub fn place(&self, id: ValueId) -> usize {
        (id.0 - ValueId::TABLE) as usize
    }

    pub fn at(&self, place: usize) -> Option<&Value> {
        self.table.get_index(place)
    }

    pub fn table_len(&self) -> usize {
        self.table.len()
    }

    pub fn bytes(&self) -> usize {
        self.text_bytes + self.table.len() * (size_of::<Value>() + 3 * size_of::<usize>())
    }
}
