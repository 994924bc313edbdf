//! The questions of `#if` that are no arithmetic: `defined`, `__has_include`, `__has_attribute`,
//! `__has_builtin`.
//!
//! Attributes and builtins are there if the front-end takes them, so that programs which ask choose a
//! way that can be checked.

use super::token::{Kind, Token, known};
use super::{Preprocessor, Stop};

/// Attributes that mean something to the front-end, or nothing to any execution.
static ATTRIBUTES: &[&str] = &[
    "access",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "const",
    "copy",
    "deprecated",
    "designated_init",
    "error",
    "externally_visible",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "no_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "noclone",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "optimize",
    "packed",
    "pure",
    "returns_nonnull",
    "section",
    "sentinel",
    "target",
    "tls_model",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
    "weak",
];

/// What may follow `__builtin_`.
static BUILTINS: &[&str] = &[
    "abort",
    "add_overflow",
    "assume_aligned",
    "calloc",
    "choose_expr",
    "constant_p",
    "exit",
    "expect",
    "expect_with_probability",
    "free",
    "malloc",
    "memcpy",
    "memmove",
    "memset",
    "mul_overflow",
    "offsetof",
    "prefetch",
    "printf",
    "puts",
    "realloc",
    "sub_overflow",
    "trap",
    "types_compatible_p",
    "unreachable",
];

/// What may follow `__atomic_`.
static ATOMICS: &[&str] = &[
    "add_fetch",
    "always_lock_free",
    "and_fetch",
    "clear",
    "compare_exchange",
    "compare_exchange_n",
    "exchange",
    "exchange_n",
    "fetch_add",
    "fetch_and",
    "fetch_nand",
    "fetch_or",
    "fetch_sub",
    "fetch_xor",
    "is_lock_free",
    "load",
    "load_n",
    "nand_fetch",
    "or_fetch",
    "signal_fence",
    "store",
    "store_n",
    "sub_fetch",
    "test_and_set",
    "thread_fence",
    "xor_fetch",
];

/// What may follow `__sync_`.
static SYNCS: &[&str] = &[
    "add_and_fetch",
    "and_and_fetch",
    "bool_compare_and_swap",
    "fetch_and_add",
    "fetch_and_and",
    "fetch_and_nand",
    "fetch_and_or",
    "fetch_and_sub",
    "fetch_and_xor",
    "lock_release",
    "lock_test_and_set",
    "nand_and_fetch",
    "or_and_fetch",
    "sub_and_fetch",
    "synchronize",
    "val_compare_and_swap",
    "xor_and_fetch",
];

fn has_attribute(name: &str) -> bool {
    let plain = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
    ATTRIBUTES.contains(&plain)
}

fn has_builtin(name: &str) -> bool {
    let sorts = [("__builtin_", BUILTINS), ("__atomic_", ATOMICS), ("__sync_", SYNCS)];
    sorts.iter().any(|(prefix, names)| name.strip_prefix(prefix).is_some_and(|rest| names.contains(&rest)))
}

impl Preprocessor<'_> {
    /// The tokens with a number in place of each question. `None`: one is malformed, and was reported.
    pub fn answered(&mut self, tokens: Vec<Token>) -> Result<Option<Vec<Token>>, Stop> {
        let asks = |t: &Token| {
            let questions = known::HAS_INCLUDE..=known::HAS_BUILTIN;
            t.kind == Kind::Name && (t.text == known::DEFINED || questions.contains(&t.text))
        };
        if !tokens.iter().any(asks) {
            return Ok(Some(tokens));
        }
        let mut out = Vec::with_capacity(tokens.len());
        let mut rest = &tokens[..];
        while let Some((token, behind)) = rest.split_first() {
            rest = behind;
            if !asks(token) {
                out.push(*token);
                continue;
            }
            let asked = match (token.text, behind) {
                (known::DEFINED, [name, ..]) if name.kind == Kind::Name => {
                    rest = &behind[1..];
                    Some(self.is_defined(name.text))
                }
                (_, [open, inner @ ..]) if open.is(known::OPEN) => {
                    let end = inner.iter().position(|t| t.is(known::CLOSE)).unwrap_or(inner.len());
                    rest = inner.get(end + 1..).unwrap_or(&[]);
                    let closed = end < inner.len();
                    if closed { self.ask(token, &inner[..end])? } else { None }
                }
                _ => None,
            };
            let Some(yes) = asked else {
                let message = match token.text {
                    known::DEFINED => "`defined` asks for the name of a macro".to_string(),
                    _ => format!("`{}` does not ask for anything that makes sense", self.text(token)),
                };
                self.error(token.pos, message)?;
                return Ok(None);
            };
            out.push(self.answer(token, yes));
        }
        Ok(Some(out))
    }

    /// `None`: this cannot be asked.
    fn ask(&mut self, question: &Token, inner: &[Token]) -> Result<Option<bool>, Stop> {
        Ok(match question.text {
            known::DEFINED => match inner {
                [name] if name.kind == Kind::Name => Some(self.is_defined(name.text)),
                _ => None,
            },
            known::HAS_INCLUDE | known::HAS_INCLUDE_NEXT => match self.header(inner) {
                Some(header) => {
                    let next = question.text == known::HAS_INCLUDE_NEXT;
                    Some(self.search(&header, next, Some(question.pos))?.is_some())
                }
                None => None,
            },
            known::HAS_BUILTIN => match inner {
                [name] if name.kind == Kind::Name => Some(has_builtin(self.text(name))),
                _ => None,
            },
            // `[[gnu::…]]` and its like are no syntax of C11.
            known::HAS_ATTRIBUTE => match inner {
                [name] if name.kind == Kind::Name => Some(has_attribute(self.text(name))),
                _ => Some(false),
            },
            _ => Some(false),
        })
    }
}
