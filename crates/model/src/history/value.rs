//! Values of a history, as 32-bit names.
//!
//! Small numbers name themselves, so that a log of a million integers needs no table; anything
//! else is interned.

use rustc_hash::FxHashMap;

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
            ValueId(n) if n < Self::TABLE => write!(f, "{n}"),
            ValueId(n) => write!(f, "#{}", n - Self::TABLE),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    None,
    Nil,
    Bool(bool),
    Empty,
    Int(i64),
    Text(Box<str>),
    /// Something of the log's own syntax that we only compare and print: `:a`, `[1 2]`, `1.5`.
    Other(Box<str>),
    /// The arguments of an operation that takes several.
    List(Box<[Value]>),
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
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|i| i.to_string()).collect();
                write!(f, "[{}]", items.join(" "))
            }
        }
    }
}

/// The table of values that do not name themselves.
#[derive(Clone, Debug)]
pub struct Values {
    table: Vec<Value>,
    ids: FxHashMap<Value, ValueId>,
    text_bytes: usize,
}

impl Default for Values {
    fn default() -> Self {
        let table = vec![Value::Nil, Value::Bool(false), Value::Bool(true), Value::Empty, Value::None];
        let ids =
            table.iter().enumerate().map(|(i, v)| (v.clone(), ValueId(ValueId::TABLE + i as u32))).collect();
        Values { table, ids, text_bytes: 0 }
    }
}

impl Values {
    pub fn intern(&mut self, value: Value) -> ValueId {
        if let Value::Int(n) = value {
            return self.int(n);
        }
        if let Some(&id) = self.ids.get(&value) {
            return id;
        }
        self.add(value)
    }

    pub fn int(&mut self, n: i64) -> ValueId {
        match u32::try_from(n) {
            Ok(small) if small < ValueId::TABLE => ValueId(small),
            _ => match self.ids.get(&Value::Int(n)) {
                Some(&id) => id,
                None => self.add(Value::Int(n)),
            },
        }
    }

    fn add(&mut self, value: Value) -> ValueId {
        let id = ValueId(ValueId::TABLE + u32::try_from(self.table.len()).expect("fewer than 2^31 values"));
        if let Value::Text(t) | Value::Other(t) = &value {
            self.text_bytes += 2 * t.len();
        }
        self.table.push(value.clone());
        self.ids.insert(value, id);
        id
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

    /// The characters of a text; nil counts as no characters at all.
    pub fn as_text(&self, id: ValueId) -> Option<std::borrow::Cow<'_, str>> {
        match id.as_small() {
            Some(n) => Some(n.to_string().into()),
            None => match &self.table[(id.0 - ValueId::TABLE) as usize] {
                Value::Text(t) | Value::Other(t) => Some((&**t).into()),
                Value::Int(n) => Some(n.to_string().into()),
                Value::Nil => Some("".into()),
                Value::None | Value::Bool(_) | Value::Empty | Value::List(_) => None,
            },
        }
    }

    pub fn show(&self, id: ValueId) -> String {
        self.value(id).to_string()
    }

    pub fn find(&self, value: &Value) -> Option<ValueId> {
        match value {
            Value::Int(n) if (0..i64::from(ValueId::TABLE)).contains(n) => Some(ValueId(*n as u32)),
            _ => self.ids.get(value).copied(),
        }
    }

    /// Where in the table a value is that does not name itself.
    pub fn place(&self, id: ValueId) -> usize {
        (id.0 - ValueId::TABLE) as usize
    }

    pub fn at(&self, place: usize) -> Option<&Value> {
        self.table.get(place)
    }

    pub fn table_len(&self) -> usize {
        self.table.len()
    }

    pub fn bytes(&self) -> usize {
        self.text_bytes + self.table.len() * (2 * size_of::<Value>() + 8)
    }
}
