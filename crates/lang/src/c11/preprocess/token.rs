//! Preprocessing tokens: small, copied freely, with their spelling in a table.

use crate::c11::lex::Pos;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A spelling, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Name,
    /// Anything that begins like a number.
    Number,
    Char,
    Str,
    Punct,
    /// A character that is no C, or a literal that is not closed.
    Other,
    /// `<stdio.h>` behind `__has_include(`.
    Header,
    /// Nothing, where `##` wants an operand.
    Placemarker,
    /// A whole `#pragma` line, without the `#pragma`.
    Pragma,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    /// White space comes before it.
    pub space: bool,
    /// A name that is never a macro again: it came up during its own replacement.
    pub blue: bool,
    pub text: Sym,
    pub pos: Pos,
}

impl Token {
    pub fn is(&self, text: Sym) -> bool {
        self.kind == Kind::Punct && meaning(self.text) == text
    }
}

/// All spellings so far.
pub struct Names {
    texts: Vec<Rc<str>>,
    index: FxHashMap<Rc<str>, Sym>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { texts: Vec::with_capacity(512), index: FxHashMap::default() };
        for text in known::TEXTS {
            names.intern(text);
        }
        names
    }
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(sym) = self.index.get(text) {
            return *sym;
        }
        let sym = Sym(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.index.insert(text, sym);
        sym
    }

    pub fn text(&self, sym: Sym) -> &Rc<str> {
        &self.texts[sym.index()]
    }
}

impl Sym {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The spelling of a punctuator, by its meaning.
    pub fn punctuator(self) -> &'static str {
        known::TEXTS[meaning(self).index()]
    }
}

/// `<:` is another spelling of `[`.
fn meaning(punctuator: Sym) -> Sym {
    match punctuator {
        known::OPEN_BRACKET_2 => known::OPEN_BRACKET,
        known::CLOSE_BRACKET_2 => known::CLOSE_BRACKET,
        known::OPEN_BRACE_2 => known::OPEN_BRACE,
        known::CLOSE_BRACE_2 => known::CLOSE_BRACE,
        known::HASH_2 => known::HASH,
        known::PASTE_2 => known::PASTE,
        other => other,
    }
}

macro_rules! known {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// Spellings with a fixed number: punctuators, and words the preprocessor knows.
        #[allow(dead_code)]
        pub mod known {
            use super::Sym;

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            #[repr(u32)]
            enum Number { $($name),* }

            $(pub const $name: Sym = Sym(Number::$name as u32);)*
            pub static TEXTS: &[&str] = &[$($text),*];
        }
    };
}

known! {
    ELLIPSIS = "...", SHIFT_LEFT_SET = "<<=", SHIFT_RIGHT_SET = ">>=", ARROW = "->", INCREMENT = "++",
    DECREMENT = "--", SHIFT_LEFT = "<<", SHIFT_RIGHT = ">>", AT_MOST = "<=", AT_LEAST = ">=", EQUAL = "==",
    UNEQUAL = "!=", AND_AND = "&&", OR_OR = "||", TIMES_SET = "*=", DIVIDE_SET = "/=", REMAINDER_SET = "%=",
    PLUS_SET = "+=", MINUS_SET = "-=", AND_SET = "&=", XOR_SET = "^=", OR_SET = "|=", PASTE = "##",
    OPEN_BRACKET = "[", CLOSE_BRACKET = "]", OPEN = "(", CLOSE = ")", OPEN_BRACE = "{", CLOSE_BRACE = "}",
    DOT = ".", AND = "&", TIMES = "*", PLUS = "+", MINUS = "-", TILDE = "~", NOT = "!", DIVIDE = "/",
    REMAINDER = "%", LESS = "<", GREATER = ">", XOR = "^", OR = "|", QUESTION = "?", COLON = ":",
    SEMICOLON = ";", SET = "=", COMMA = ",", HASH = "#",
    OPEN_BRACKET_2 = "<:", CLOSE_BRACKET_2 = ":>", OPEN_BRACE_2 = "<%", CLOSE_BRACE_2 = "%>", HASH_2 = "%:",
    PASTE_2 = "%:%:",
    NOTHING = "", DEFINED = "defined", VA_ARGS = "__VA_ARGS__", VA_OPT = "__VA_OPT__", PRAGMA = "_Pragma",
    LINE = "__LINE__", FILE = "__FILE__", DATE = "__DATE__", TIME = "__TIME__", TIMESTAMP = "__TIMESTAMP__",
    COUNTER = "__COUNTER__", INCLUDE_LEVEL = "__INCLUDE_LEVEL__", BASE_FILE = "__BASE_FILE__",
    HAS_INCLUDE = "__has_include", HAS_INCLUDE_NEXT = "__has_include_next",
    HAS_ATTRIBUTE = "__has_attribute", HAS_C_ATTRIBUTE = "__has_c_attribute",
    HAS_CPP_ATTRIBUTE = "__has_cpp_attribute", HAS_BUILTIN = "__has_builtin",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_kept_once() {
        let mut names = Names::default();
        assert_eq!(names.intern("("), known::OPEN);
        assert_eq!(names.intern("__has_builtin"), known::HAS_BUILTIN);
        let x = names.intern("x");
        assert_eq!(names.intern("x"), x);
        assert_eq!(&**names.text(x), "x");
        assert_eq!(known::OPEN_BRACKET_2.punctuator(), "[");
    }
}
