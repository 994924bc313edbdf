//! Declarations: specifiers, declarators, initialisers, attributes.

use super::*;
use lineal_model::program::float::FloatKind;

impl Parser<'_> {
    /// Whether a declaration (rather than an expression) starts here.
    pub(super) fn starts_declaration(&self) -> bool {
        self.names_type(0)
    }

    /// Whether the token so far ahead begins a type; `__extension__` says nothing by itself.
    pub(super) fn names_type(&self, mut ahead: usize) -> bool {
        while matches!(self.peek_at(ahead), Tok::Ident(w) if &**w == "__extension__") {
            ahead += 1;
        }
        match self.peek_at(ahead) {
            Tok::Ident(w) => is_specifier(w) || self.is_type_name(w),
            _ => false,
        }
    }

    pub(super) fn specs(&mut self) -> Parsed<Specs> {
        let pos = self.pos();
        let mut specs = Specs {
            storage: Storage::None,
            thread_local: false,
            quals: Quals::default(),
            ty: TypeSpec::Int(IntTy::Int),
            align: Vec::new(),
            attributes: Attributes::default(),
            pos,
        };
        let mut ty: Option<TypeSpec> = None;
        let mut words = Words::default();
        let mut complex = false;
        while let Some(w) = self.word() {
            match w {
                "typedef" => specs.storage = Storage::Typedef,
                "extern" => specs.storage = Storage::Extern,
                "static" => specs.storage = Storage::Static,
                "register" | "auto" => specs.storage = Storage::Register,
                "_Thread_local" | "__thread" | "thread_local" if w != "thread_local" || ty.is_none() => {
                    specs.thread_local = true
                }
                "const" | "__const" | "__const__" => specs.quals.konst = true,
                "volatile" | "__volatile__" | "__volatile" => specs.quals.volatile = true,
                "restrict" | "__restrict" | "__restrict__" | "inline" | "__inline" | "__inline__"
                | "__extension__" => {}
                "_Noreturn" => specs.attributes.noreturn = true,
                "_Alignas" => {
                    self.bump();
                    self.expect("(")?;
                    let align = if self.starts_declaration() {
                        Align::Type(Box::new(self.type_name()?))
                    } else {
                        Align::Expr(self.conditional()?)
                    };
                    specs.align.push(align);
                    self.expect(")")?;
                    continue;
                }
                "__attribute__" | "__attribute" => {
                    self.attributes(&mut specs.attributes)?;
                    continue;
                }
                "_Atomic" if matches!(self.peek_at(1), Tok::Punct("(")) => {
                    self.bump();
                    self.bump();
                    let inner = self.nested(|p| p.type_name())?;
                    self.expect(")")?;
                    ty = Some(TypeSpec::Atomic(Box::new(inner)));
                    continue;
                }
                "_Atomic" => specs.quals.atomic = true,
                "void" => ty = Some(TypeSpec::Void),
                "struct" | "union" => {
                    ty = Some(TypeSpec::Record(Box::new(self.nested(|p| p.record())?)));
                    continue;
                }
                "enum" => {
                    ty = Some(TypeSpec::Enum(Box::new(self.enumeration()?)));
                    continue;
                }
                "typeof" | "__typeof__" | "__typeof" => {
                    self.bump();
                    self.expect("(")?;
                    ty = Some(self.nested(|p| {
                        Ok(if p.starts_declaration() {
                            TypeSpec::TypeofType(Box::new(p.type_name()?))
                        } else {
                            TypeSpec::TypeofExpr(Box::new(p.expression()?))
                        })
                    })?);
                    self.expect(")")?;
                    continue;
                }
                "__auto_type" => ty = Some(TypeSpec::Auto),
                "float" | "_Float32" => ty = Some(TypeSpec::Float(FloatKind::Single)),
                "double" | "_Float64" | "_Float32x" => ty = Some(TypeSpec::Float(FloatKind::Double)),
                "_Float16" => ty = Some(TypeSpec::Opaque(Opaque::Float16)),
                "_Float128" | "__float128" | "_Float64x" => ty = Some(TypeSpec::Opaque(Opaque::Float128)),
                "_Complex" | "__complex__" => complex = true,
                "__int128" | "__int128_t" | "__uint128_t" => ty = Some(TypeSpec::Opaque(Opaque::Int128)),
                "__builtin_va_list" => ty = Some(TypeSpec::Opaque(Opaque::VaList)),
                "int" | "char" | "short" | "long" | "signed" | "unsigned" | "_Bool" | "__signed__"
                | "__signed" => words.add(w),
                _ if ty.is_none() && words.none() && self.is_type_name(w) => {
                    ty = Some(TypeSpec::Typedef(w.into()));
                }
                _ => break,
            }
            self.bump();
        }
        if complex {
            ty = Some(TypeSpec::Opaque(Opaque::Complex));
        }
        if let (Some(TypeSpec::Float(FloatKind::Double)), false) = (&ty, words.none()) {
            ty = Some(TypeSpec::Opaque(Opaque::LongDouble));
        }
        specs.ty = match (ty, words.none()) {
            (Some(ty), _) => ty,
            (None, false) => match words.int() {
                Some(int) => TypeSpec::Int(int),
                None => {
                    return Err(self.error_at("L0101", pos, "these type words do not go together".into()));
                }
            },
            (None, true) => {
                if let Some(w) = self.word().filter(|w| !is_keyword(w)).map(str::to_owned) {
                    return Err(self.error("L0102", format!("unknown type `{w}`")));
                }
                return Err(self.unexpected("a declaration"));
            }
        };
        Ok(specs)
    }

    pub(super) fn pointer_quals(&mut self) -> Parsed<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.word() {
                Some("const" | "__const") => quals.konst = true,
                Some("volatile" | "__volatile__") => quals.volatile = true,
                Some("_Atomic") if !matches!(self.peek_at(1), Tok::Punct("(")) => quals.atomic = true,
                Some("restrict" | "__restrict" | "__restrict__") => {}
                Some("__attribute__") => {
                    self.attributes(&mut Attributes::default())?;
                    continue;
                }
                _ => return Ok(quals),
            }
            self.bump();
        }
    }

    /// A declarator; `abstract_ok` allows the name to be missing.
    pub(super) fn declarator(&mut self, abstract_ok: bool) -> Parsed<Declarator> {
        self.nested(|p| {
            let pos = p.pos();
            let mut pointers = Vec::new();
            let mut attributes = Attributes::default();
            p.attributes_if_any(&mut attributes)?;
            while p.eat("*") {
                pointers.push(Derived::Pointer(p.pointer_quals()?));
                if pointers.len() > MAX_DEPTH as usize {
                    return Err(p.error("L0108", format!("more than {MAX_DEPTH} pointer levels")));
                }
            }
            p.attributes_if_any(&mut attributes)?;
            let mut inner =
                Declarator { name: None, derived: Vec::new(), attributes: attributes.clone(), pos };
            let opens_inner = p.is("(")
                && match p.peek_at(1) {
                    Tok::Punct(q) => matches!(*q, "*" | "(" | "^") || *q == "[" && abstract_ok,
                    Tok::Ident(w) => w.starts_with("__attribute") || !(is_specifier(w) || p.is_type_name(w)),
                    _ => false,
                };
            match p.peek() {
                Tok::Ident(_) => {
                    inner.pos = p.pos();
                    inner.name = Some(p.ident()?);
                }
                _ if opens_inner => {
                    p.bump();
                    inner = p.declarator(abstract_ok)?;
                    p.expect(")")?;
                }
                _ if abstract_ok => {}
                _ => return Err(p.unexpected("a name")),
            }
            loop {
                if p.eat("[") {
                    while p.eat_word(&["static", "const", "restrict", "volatile", "__restrict"]) {}
                    let size = if p.is("]") || p.is("*") && matches!(p.peek_at(1), Tok::Punct("]")) {
                        p.eat("*");
                        None
                    } else {
                        Some(Box::new(p.assignment()?))
                    };
                    p.expect("]")?;
                    inner.derived.push(Derived::Array(size));
                } else if p.is("(") {
                    let function = p.scoped(|p| p.parameters())?;
                    inner.derived.push(function);
                } else {
                    break;
                }
                if inner.derived.len() > MAX_DEPTH as usize {
                    return Err(p.error("L0108", format!("a declarator with more than {MAX_DEPTH} levels")));
                }
            }
            inner.derived.extend(pointers.into_iter().rev());
            if matches!(p.word(), Some("asm" | "__asm__" | "__asm")) {
                p.bump();
                if let (Tok::Str(label), Tok::Punct(")")) = (p.peek_at(1), p.peek_at(2)) {
                    inner.attributes.label = Some(String::from_utf8_lossy(label).into());
                }
                p.skip_parentheses()?;
            }
            p.attributes_if_any(&mut inner.attributes)?;
            Ok(inner)
        })
    }

    pub(super) fn parameters(&mut self) -> Parsed<Derived> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(Derived::Function { params: Vec::new(), variadic: false, unspecified: true });
        }
        if self.word() == Some("void") && matches!(self.peek_at(1), Tok::Punct(")")) {
            self.bump();
            self.bump();
            return Ok(Derived::Function { params: Vec::new(), variadic: false, unspecified: false });
        }
        let mut params = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat("...") {
                variadic = true;
                break;
            }
            if !self.starts_declaration()
                && matches!(self.peek(), Tok::Ident(_))
                && matches!(self.peek_at(1), Tok::Punct("," | ")"))
            {
                let name = self.word().unwrap_or_default().to_owned();
                return Err(self.error("L0102", format!("unknown type `{name}`")));
            }
            let specs = self.specs()?;
            let declarator = self.declarator(true)?;
            if let Some(name) = &declarator.name {
                self.declare(&name.clone(), false);
            }
            params.push((specs, declarator));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(Derived::Function { params, variadic, unspecified: false })
    }

    /// The rest of a declaration whose first declarator was read.
    pub(super) fn init_declarators(
        &mut self,
        specs: &Specs,
        first: Declarator,
    ) -> Parsed<Vec<(Declarator, Option<Initializer>)>> {
        let mut items = Vec::new();
        let mut declarator = first;
        loop {
            if let Some(name) = &declarator.name {
                let what = match (specs.storage, &declarator.attributes.label) {
                    (Storage::Typedef, _) => Named::Type,
                    (Storage::Register, Some(label)) => Named::Register(label.clone()),
                    _ => Named::Other,
                };
                self.name(&name.clone(), what);
            }
            let init = if self.eat("=") { Some(self.initializer()?) } else { None };
            items.push((declarator, init));
            if !self.eat(",") {
                break;
            }
            declarator = self.declarator(false)?;
        }
        self.expect(";")?;
        Ok(items)
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let specs = self.specs()?;
        if self.eat(";") {
            return Ok(Declaration { specs, items: Vec::new() });
        }
        let first = self.declarator(false)?;
        if self.is("{") {
            return Err(self.error("L0104", "functions inside functions are not modelled".into()));
        }
        let items = self.init_declarators(&specs, first)?;
        Ok(Declaration { specs, items })
    }

    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        let pos = self.pos();
        if !self.eat("{") {
            return Ok(Initializer::Expr(self.assignment()?));
        }
        self.nested(|p| {
            let mut list = Vec::new();
            while !p.is("}") {
                let mut path = Vec::new();
                loop {
                    if p.eat(".") {
                        path.push(Designator::Field(p.ident()?));
                    } else if p.eat("[") {
                        let low = p.conditional()?;
                        path.push(if p.eat("...") {
                            Designator::Range(low, p.conditional()?)
                        } else {
                            Designator::Index(low)
                        });
                        p.expect("]")?;
                    } else {
                        break;
                    }
                }
                if !path.is_empty() {
                    p.expect("=")?;
                } else if matches!(p.peek(), Tok::Ident(_)) && matches!(p.peek_at(1), Tok::Punct(":")) {
                    // GNU's old `field: value`.
                    path.push(Designator::Field(p.ident()?));
                    p.bump();
                }
                list.push((path, p.initializer()?));
                if !p.eat(",") {
                    break;
                }
            }
            p.expect("}")?;
            Ok(Initializer::List(list, pos))
        })
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let specs = self.specs()?;
        let declarator = self.declarator(true)?;
        Ok(TypeName { specs, declarator })
    }
}

pub(super) fn is_specifier(w: &str) -> bool {
    matches!(
        w,
        "typedef"
            | "extern"
            | "static"
            | "register"
            | "auto"
            | "_Thread_local"
            | "__thread"
            | "const"
            | "__const"
            | "volatile"
            | "__volatile__"
            | "restrict"
            | "inline"
            | "__inline"
            | "__inline__"
            | "__extension__"
            | "_Noreturn"
            | "_Alignas"
            | "__attribute__"
            | "__attribute"
            | "_Atomic"
            | "void"
            | "struct"
            | "union"
            | "enum"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__auto_type"
            | "float"
            | "double"
            | "_Complex"
            | "__complex__"
            | "_Float16"
            | "_Float32x"
            | "_Float64x"
            | "_Float32"
            | "_Float64"
            | "_Float128"
            | "__float128"
            | "__int128"
            | "__int128_t"
            | "__uint128_t"
            | "__builtin_va_list"
            | "int"
            | "char"
            | "short"
            | "long"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "__signed__"
            | "__signed"
    )
}

/// The multiset of integer type words.
#[derive(Default)]
struct Words {
    int: u8,
    char: u8,
    short: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    bool: u8,
}

impl Words {
    fn add(&mut self, word: &str) {
        let count = match word {
            "int" => &mut self.int,
            "char" => &mut self.char,
            "short" => &mut self.short,
            "long" => &mut self.long,
            "unsigned" => &mut self.unsigned,
            "_Bool" => &mut self.bool,
            _ => &mut self.signed,
        };
        // More than a few of one word are as wrong as many, and sums of them must not overflow.
        *count = (*count + 1).min(9);
    }

    fn none(&self) -> bool {
        self.int + self.char + self.short + self.long + self.signed + self.unsigned + self.bool == 0
    }

    fn int(&self) -> Option<IntTy> {
        if self.signed + self.unsigned > 1 || self.int > 1 {
            return None;
        }
        let unsigned = self.unsigned == 1;
        let signed = self.signed == 1;
        Some(match (self.bool, self.char, self.short, self.long) {
            (1, 0, 0, 0) if self.int == 0 && !signed && !unsigned => IntTy::Bool,
            (0, 1, 0, 0) if self.int == 0 => match (signed, unsigned) {
                (true, _) => IntTy::SChar,
                (_, true) => IntTy::UChar,
                _ => IntTy::Char,
            },
            (0, 0, 1, 0) if unsigned => IntTy::UShort,
            (0, 0, 1, 0) => IntTy::Short,
            (0, 0, 0, 0) if unsigned => IntTy::UInt,
            (0, 0, 0, 0) => IntTy::Int,
            (0, 0, 0, 1) if unsigned => IntTy::ULong,
            (0, 0, 0, 1) => IntTy::Long,
            (0, 0, 0, 2) if unsigned => IntTy::ULongLong,
            (0, 0, 0, 2) => IntTy::LongLong,
            _ => return None,
        })
    }
}
