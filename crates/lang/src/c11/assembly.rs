//! The text of inline assembly: its pieces, and those of them that only hint or fence.
//!
//! | piece | what it does |
//! | --- | --- |
//! | `nop`, `pause`, `rep; nop`, `yield`, `isb` | nothing that memory knows of |
//! | `mfence`, `lock addl $0,(%rsp)` and kin; Arm's `dmb ish`, `dmb sy`, `dsb` | a full fence |
//! | `lfence`; `dmb ishld` | acquires |
//! | `sfence` | releases, because on x86 nothing else could be overtaken by a store |
//!
//! Arm's `dmb ishst` does less than a release and is not among them.

/// An instruction, with the prefix that may stand in a piece of its own.
#[derive(Clone, Copy)]
pub struct Piece<'t> {
    pub locked: bool,
    pub text: &'t str,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Effect {
    Nothing,
    Full,
    Acquire,
    Release,
}

/// The instructions of a template. `None`: a prefix that belongs to none of them.
pub fn pieces(template: &str) -> Option<Vec<Piece<'_>>> {
    let mut out = Vec::new();
    let (mut locked, mut repeated) = (false, false);
    for piece in template.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
        let (mut text, mut prefixed) = (piece, true);
        while prefixed && !text.is_empty() {
            let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
            match word.to_ascii_lowercase().as_str() {
                "lock" if !locked && !repeated => locked = true,
                "rep" if !locked && !repeated => repeated = true,
                _ => prefixed = false,
            }
            if prefixed {
                text = rest.trim();
            }
        }
        if text.is_empty() {
            continue;
        }
        if std::mem::take(&mut repeated) && !text.eq_ignore_ascii_case("nop") {
            return None;
        }
        out.push(Piece { locked: std::mem::take(&mut locked), text });
    }
    (!locked && !repeated).then_some(out)
}

/// What a piece does, if it has no operand of the C program.
pub fn effect(piece: Piece<'_>) -> Option<Effect> {
    let text = piece.text.to_ascii_lowercase().replace("%%", "%");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(", ", ",");
    if piece.locked {
        return adds_nothing(&text).then_some(Effect::Full);
    }
    Some(match text.as_str() {
        "nop" | "pause" | "yield" | "isb" | "isb sy" => Effect::Nothing,
        "mfence" | "dmb ish" | "dmb sy" | "dmb" | "dsb ish" | "dsb sy" | "dsb" => Effect::Full,
        "lfence" | "dmb ishld" => Effect::Acquire,
        "sfence" => Effect::Release,
        _ => return None,
    })
}

/// `addl $0,-4(%rsp)`, `orq $0x0,(%rsp)`: changes nothing on the thread's own stack.
fn adds_nothing(text: &str) -> bool {
    let rest = text.strip_prefix("add").or(text.strip_prefix("or"));
    let rest = rest.and_then(|r| r.strip_prefix(['l', 'q', 'b', 'w']));
    let rest = rest.and_then(|r| r.strip_prefix(" $0,").or(r.strip_prefix(" $0x0,")));
    let place = rest.and_then(|r| r.strip_suffix("(%rsp)").or(r.strip_suffix("(%esp)")));
    place.is_some_and(|p| p.is_empty() || p.parse::<i32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, expected: Option<&[Option<Effect>]>) {
        let found = pieces(template).map(|all| all.into_iter().map(effect).collect::<Vec<_>>());
        assert!(found.as_deref() == expected, "{template}");
    }

    #[test]
    fn pieces_and_what_they_do() {
        check("", Some(&[]));
        check("rep; nop", Some(&[Some(Effect::Nothing)]));
        check("rep nop\n\tpause", Some(&[Some(Effect::Nothing), Some(Effect::Nothing)]));
        check("lock; addl $0, -4(%%rsp)", Some(&[Some(Effect::Full)]));
        check("addl $0,(%%rsp)", Some(&[None]));
        check("lock addl $1,(%%rsp)", Some(&[None]));
        check("lock addl $0,%0(%%rsp)", Some(&[None]));
        check("lock mfence", Some(&[None]));
        check("mfence; lfence;", Some(&[Some(Effect::Full), Some(Effect::Acquire)]));
        check("dmb ishst", Some(&[None]));
        check("mfence; lock", None);
        check("rep movsb", None);
        check("lock; lock; incl %0", Some(&[None, None]));
    }
}
