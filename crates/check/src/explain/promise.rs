//! What a level of synchronisation promises, in words.

use crate::replay::calls::Wanted;
use lineal_model::adt::Kind;
use lineal_model::history::Method;
use lineal_model::object::Level;

/// A line that says what the object promises; `None` if it promises nothing.
pub fn line(wanted: Wanted<'_>) -> Option<String> {
    let level = wanted.level;
    let named = |wanted_method: &dyn Fn(Method) -> bool| {
        let all = wanted.object.operations.iter().filter(|o| wanted_method(o.method));
        all.map(|o| o.name.clone()).collect::<Vec<_>>().join("/")
    };
    let kind = wanted.object.kind;
    let takes = |m: Method| kind.takes(m);
    let passed = match (kind, level) {
        (_, Level::None) => return None,
        (_, Level::Specified) => {
            return Some("Which calls must see which, the specification says by its own accesses.".into());
        }
        (_, Level::Pairs(_)) => {
            return Some(format!(
                "This is promised: what was written before the one call is visible after the other, {level}."
            ));
        }
        (_, Level::Total) => {
            return Some(
                "Level total promises: what was written before a call is visible after every later one, \
                 whatever they answer."
                    .into(),
            );
        }
        _ if kind.is_container() => format!(
            "what was written before {} is visible to the {} that takes the element",
            named(&|m| !takes(m)),
            named(&takes)
        ),
        (Kind::TryLock, _) => format!(
            "what was written before {} is visible after the next successful {}",
            named(&|m| m == Method::Release),
            named(&|m| m == Method::Acquire)
        ),
        (Kind::RwLock, _) => format!(
            "what was written before {} is visible after the next successful {}, and what was done before {} \
             after the next successful {}",
            named(&|m| m == Method::Release),
            named(&|m| matches!(m, Method::Acquire | Method::AcquireShared)),
            named(&|m| m == Method::ReleaseShared),
            named(&|m| m == Method::Acquire)
        ),
        (Kind::Semaphore, _) => format!(
            "what was written before {} is visible after every later successful {}",
            named(&|m| m == Method::Release),
            named(&|m| m == Method::Acquire)
        ),
        (Kind::Barrier, _) => format!(
            "what was written before {} is visible to all who meet there, after it",
            named(&|m| m == Method::Meet)
        ),
        (Kind::Set | Kind::Dictionary, _) => {
            "what was written before an element was added is visible to the calls that find it".into()
        }
        _ => "what was written before a write is visible to the calls that read it".into(),
    };
    let also = match level {
        Level::Ri if kind.is_container() => format!(", and to each later {}", named(&|m| !takes(m))),
        Level::Ri => ", and to each later change".into(),
        Level::Rd if kind.is_container() => format!(", and from each {} to the later ones", named(&takes)),
        Level::Rd => ", and from each removal to the later ones".into(),
        Level::Rid if kind.is_container() => {
            format!(
                ", to each later {}, and from each {} to the later ones",
                named(&|m| !takes(m)),
                named(&takes)
            )
        }
        Level::Rid => ", to each later change, and from each removal to the later ones".into(),
        _ => String::new(),
    };
    Some(format!("Level {level} promises: {passed}{also}."))
}
