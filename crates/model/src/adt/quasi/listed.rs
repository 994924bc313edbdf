//! Classes as they are written, and what they mean to a type.

use super::{Answered, Class, Member, Relaxation, Semantics};
use crate::adt::{Kind, UserType};
use crate::history::{Method, Value, ValueId};

/// Greater factors are refused.
pub const MOST: u32 = 24;

/// `{push, pop->empty}=2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub members: Vec<Named>,
    pub factor: i64,
}

/// `pop->empty`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub operation: String,
    pub answer: Option<Value>,
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.operation)?;
        self.answer.as_ref().map_or(Ok(()), |answer| write!(f, "->{answer}"))
    }
}

impl Listed {
    fn name(&self) -> String {
        let members: Vec<String> = self.members.iter().map(Named::to_string).collect();
        match &members[..] {
            [one] => one.clone(),
            _ => format!("{{{}}}", members.join(", ")),
        }
    }
}

/// What operations are called, and what they are.
pub enum Operations<'a> {
    /// By the words of a built-in type.
    Of(Kind),
    /// By the names of a type written in C.
    User(&'a UserType),
    /// By the author's names: of an object of this kind, with the method of each operation.
    Named(Kind, &'a [(String, Method)]),
}

impl Operations<'_> {
    fn find(&self, name: &str) -> Option<(Method, Option<ValueId>)> {
        match self {
            Operations::Of(kind) => Some((kind.method(name)?, None)),
            Operations::User(user) => Some((Method::Custom, Some(ValueId::small(user.find(name)?)))),
            Operations::Named(kind, all) => {
                let at = all.iter().position(|(n, _)| n == name)?;
                match kind {
                    Kind::User => Some((Method::Custom, Some(ValueId::small(at as u32)))),
                    _ => Some((all[at].1, None)),
                }
            }
        }
    }

    fn known(&self) -> String {
        match self {
            Operations::Of(kind) => kind.words().into(),
            Operations::User(user) => {
                user.operations.iter().map(|o| o.name.as_str()).collect::<Vec<_>>().join(", ")
            }
            Operations::Named(_, all) => all.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", "),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Operations::Of(kind) | Operations::Named(kind, _) => *kind,
            Operations::User(_) => Kind::User,
        }
    }

    /// Whether the operation may answer so; `true` where nobody knows.
    fn may_answer(&self, method: Method, custom: Option<ValueId>, answer: &Value) -> bool {
        match (self, answer) {
            (Operations::User(user), Value::Empty) => {
                custom.is_some_and(|c| user.operations[c.0 as usize].may_be_empty)
            }
            (Operations::User(user), _) => custom.is_some_and(|c| user.operations[c.0 as usize].answers),
            (Operations::Named(Kind::User, _), _) => true,
            (_, Value::Empty) => self.kind().may_be_empty(method),
            _ => self.kind().answers(method),
        }
    }
}

/// The relaxation that is meant. An error is a message, and what to do instead.
pub fn relax(
    listed: &[Listed],
    semantics: Semantics,
    operations: &Operations,
) -> Result<Relaxation, (String, String)> {
    let kind = operations.kind();
    if kind == Kind::Mutex || kind.is_lock() || matches!(kind, Kind::Semaphore | Kind::Barrier) {
        return Err((
            match kind {
                Kind::Semaphore | Kind::Barrier => {
                    format!("a {} cannot be relaxed: out of order, nobody waits for anybody", kind.word())
                }
                _ => format!("a {} cannot be relaxed: out of order, a lock protects nothing", kind.word()),
            },
            "leave the factors out".into(),
        ));
    }
    let mut classes: Vec<Class> = Vec::new();
    for class in listed {
        let name = class.name();
        let mut members = Vec::new();
        for named in &class.members {
            let Some((method, custom)) = operations.find(&named.operation) else {
                return Err((
                    format!("there is no operation `{}` to relax", named.operation),
                    format!("the operations are {}", operations.known()),
                ));
            };
            let answer = match &named.answer {
                None => Answered::Anything,
                Some(value) if operations.may_answer(method, custom, value) => {
                    Answered::Exactly(value.clone())
                }
                Some(value) => {
                    return Err((
                        format!("`{}` never answers {value}", named.operation),
                        "leave the answer out, or name one that it gives".into(),
                    ));
                }
            };
            let member = Member { method, custom, answer };
            // Several names of one operation.
            if members.contains(&member) {
                continue;
            }
            let mut earlier = classes.iter().flat_map(|c| &c.members).chain(&members);
            if earlier.any(|m| m.overlaps(&member)) {
                return Err((
                    format!("`{named}` is in two classes"),
                    "classes have nothing in common: name every operation once, or tell answers apart as in dequeue->empty".into(),
                ));
            }
            members.push(member);
        }
        let factor = factor(class.factor, &name)?;
        classes.push(Class { members, factor, name });
    }
    if semantics == Semantics::Windows && classes.iter().filter(|c| c.factor > 0).count() > 1 {
        return Err((
            "windows have one factor, and there are several classes with one".into(),
            "put the operations into one class: {push, pop}=2; or use another semantics".into(),
        ));
    }
    Ok(Relaxation { semantics, classes, drift: None, known: None })
}

fn factor(factor: i64, name: &str) -> Result<u32, (String, String)> {
    if factor < 0 {
        return Err((
            format!("the factor of {name} is {factor}, which is no number of places"),
            "0 means that its operations keep their order".into(),
        ));
    }
    match u32::try_from(factor) {
        Ok(factor) if factor <= MOST => Ok(factor),
        _ => Err((
            format!(
                "a factor of {factor} for {name} is too much: which of so many operations are still to come, and since when, has more than 2^{} possibilities",
                factor.saturating_mul(2)
            ),
            format!("factors are at most {MOST}"),
        )),
    }
}
