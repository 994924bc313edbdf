//! C as written: names unresolved, types unevaluated.

pub use super::lex::Pos;
use lineal_model::program::float::FloatKind;
use std::rc::Rc;

pub type Name = Rc<str>;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub pos: Pos,
    /// Height of the tree, so that nothing behind the parser can overflow the stack.
    pub depth: u16,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int {
        value: u64,
        ty: IntTy,
    },
    Float {
        bits: u64,
        kind: FloatKind,
    },
    /// Something that is not modelled, whatever it is worth.
    Refused(&'static str),
    Str(Rc<[u8]>),
    /// `__func__`.
    FunctionName,
    Ident(Name),
    Unary(Unary, Box<Expr>),
    /// `x++` (+1) or `x--` (-1).
    Postfix(i8, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    /// `c ? t : e`; without `t`, `c ?: e`.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Member {
        base: Box<Expr>,
        name: Name,
        arrow: bool,
    },
    Index(Box<Expr>, Box<Expr>),
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, Box<Initializer>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    Statements(Box<Block>),
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
}

/// C's integer types, told apart as `_Generic` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntTy {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

/// Types whose objects have a size and a place, and whose values are not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    Int128,
    Float16,
    LongDouble,
    Float128,
    Complex,
    VaList,
    Vector(u32),
}

impl Opaque {
    pub fn what(self) -> &'static str {
        match self {
            Opaque::Int128 => "a 128-bit integer",
            Opaque::Float16 => "a `_Float16`",
            Opaque::LongDouble => "a `long double`",
            Opaque::Float128 => "a `__float128`",
            Opaque::Complex => "a complex number",
            Opaque::VaList => "a variable argument list",
            Opaque::Vector(_) => "a value of vector type",
        }
    }

    pub fn spelling(self) -> &'static str {
        match self {
            Opaque::Int128 => "__int128",
            Opaque::Float16 => "_Float16",
            Opaque::LongDouble => "long double",
            Opaque::Float128 => "__float128",
            Opaque::Complex => "double _Complex",
            Opaque::VaList => "va_list",
            Opaque::Vector(_) => "vector",
        }
    }

    pub fn size(self) -> u64 {
        match self {
            Opaque::Float16 => 2,
            Opaque::VaList => 24,
            Opaque::Vector(size) => u64::from(size),
            _ => 16,
        }
    }

    pub fn align(self) -> u64 {
        match self {
            Opaque::Float16 => 2,
            Opaque::Complex | Opaque::VaList => 8,
            Opaque::Vector(size) => u64::from(size),
            _ => 16,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quals {
    pub konst: bool,
    pub volatile: bool,
    pub atomic: bool,
}

#[derive(Clone, Debug)]
pub enum TypeSpec {
    Void,
    Int(IntTy),
    Float(FloatKind),
    Opaque(Opaque),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    Typedef(Name),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    Atomic(Box<TypeName>),
    /// `__auto_type`.
    Auto,
}

#[derive(Clone, Debug)]
pub struct RecordSpec {
    pub union: bool,
    pub tag: Option<Name>,
    /// `None`: only named, not defined here.
    pub fields: Option<Vec<FieldDecl>>,
    pub attributes: Attributes,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum FieldDecl {
    Field(Box<FieldSpec>),
    StaticAssert(Expr, Pos),
}

#[derive(Clone, Debug)]
pub struct FieldSpec {
    pub specs: Specs,
    pub declarator: Declarator,
    pub bits: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct EnumSpec {
    pub tag: Option<Name>,
    pub members: Option<Vec<(Name, Option<Expr>, Pos)>>,
    pub pos: Pos,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Register,
}

#[derive(Clone, Debug, Default)]
pub struct Attributes {
    pub packed: bool,
    pub aligned: Vec<Option<Expr>>,
    pub noreturn: bool,
    /// `vector_size`.
    pub vector: Option<Box<Expr>>,
    /// The function runs before `main`.
    pub constructor: bool,
    /// It runs when the process ends.
    pub destructor: bool,
    /// It is another name of that function or object.
    pub alias: Option<Name>,
    pub transparent_union: bool,
    /// `asm("r10")` behind a declarator: a register, or another name for the linker.
    pub label: Option<Name>,
    /// Named ones that change meaning and are refused.
    pub refused: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub struct Specs {
    pub storage: Storage,
    pub thread_local: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub align: Vec<Align>,
    pub attributes: Attributes,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum Align {
    Type(Box<TypeName>),
    Expr(Expr),
}

/// Derivations from the inside out: `int *a[3]` is Array, then Pointer.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Option<Name>,
    pub derived: Vec<Derived>,
    pub attributes: Attributes,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum Derived {
    Pointer(Quals),
    Array(Option<Box<Expr>>),
    Function { params: Vec<(Specs, Declarator)>, variadic: bool, unspecified: bool },
}

#[derive(Clone, Debug)]
pub struct TypeName {
    pub specs: Specs,
    pub declarator: Declarator,
}

#[derive(Clone, Debug)]
pub enum Designator {
    Field(Name),
    Index(Expr),
    Range(Expr, Expr),
}

#[derive(Clone, Debug)]
pub enum Initializer {
    Expr(Expr),
    List(Vec<(Vec<Designator>, Initializer)>, Pos),
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub specs: Specs,
    pub items: Vec<(Declarator, Option<Initializer>)>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub items: Vec<Stmt>,
    pub end: Pos,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Declaration(Declaration),
    Block(Block),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For(Option<Box<Stmt>>, Option<Expr>, Option<Expr>, Box<Stmt>),
    Switch(Expr, Box<Stmt>),
    Case(Expr, Option<Expr>, Box<Stmt>),
    Default(Box<Stmt>),
    Label(Name, Box<Stmt>),
    Goto(Name),
    Break,
    Continue,
    Return(Option<Expr>),
    StaticAssert(Expr, Option<Rc<[u8]>>),
    Assembly(Box<Assembly>),
    /// A `#pragma` in a function: the marks on statements are read from it.
    Pragma,
    Refused(&'static str),
}

/// `asm volatile (template : outputs : inputs : clobbers)`.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Said, or because there are no outputs.
    pub volatile: bool,
    pub template: String,
    pub outputs: Vec<Operand>,
    pub inputs: Vec<Operand>,
    /// Whether `"memory"` is among the clobbers: the compiler keeps accesses on their side.
    pub memory: bool,
}

#[derive(Clone, Debug)]
pub struct Operand {
    pub name: Option<Name>,
    pub constraint: String,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub enum External {
    Function { specs: Specs, declarator: Declarator, body: Block },
    Declaration(Declaration),
    StaticAssert(Expr, Option<Rc<[u8]>>, Pos),
    Pragma,
}
