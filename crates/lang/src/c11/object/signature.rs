//! The functions of a program and what they take, as its own declarations say.

use super::super::ast::{External, IntTy};
use super::super::lower::{self, Declared};
use super::super::types::{FnTy, QTy, Records, Ty};
use super::super::{Options, SourceUnit, Unit, sources};
use lineal_model::{Diagnostic, Severity};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub struct Signatures {
    pub functions: BTreeMap<String, Signature>,
    /// The program has thread-local variables.
    pub thread_state: bool,
    /// Something takes a partial lock.
    pub partial_lock: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `None`: returns nothing.
    pub result: Option<Param>,
    pub params: Vec<Param>,
    pub variadic: bool,
}

/// A type as C writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub text: String,
    pub is_scalar: bool,
    pub is_pointer: bool,
    /// The numbers that an integer type has.
    pub range: Option<(i64, i64)>,
    /// What it points to, if there may be a variable of it.
    pub target: Option<Target>,
}

/// What a pointer points to, as C writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub text: String,
    pub is_scalar: bool,
}

/// Reads the program once for the types of its functions.
pub fn of(units: &[Unit], options: &Options) -> Result<(Signatures, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (sources, files) = sources(units)?;
    let (found, diagnostics) = lower::declared(&sources, &files, options);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|d| d.severity == Severity::Error);
    // A file of operations needs no main.
    let errors: Vec<Diagnostic> = errors.into_iter().filter(|d| d.code != "L0105").collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let functions = found.functions.iter().map(|(n, f)| (n.clone(), signature(f, &found.records))).collect();
    let Declared { thread_locals: thread_state, partial_lock, .. } = found;
    Ok((Signatures { functions, thread_state, partial_lock }, warnings))
}

/// Leaves out the program's own `main`: clients bring theirs.
pub fn without_main(sources: &mut [SourceUnit]) {
    for source in sources.iter_mut().filter(|s| !s.runtime) {
        Rc::make_mut(&mut source.externals).retain(|external| match external {
            External::Function { declarator, .. } => declarator.name.as_deref() != Some("main"),
            _ => true,
        });
    }
}

fn signature(f: &FnTy, records: &Records) -> Signature {
    let result = (f.ret.ty != Ty::Void).then(|| param(&f.ret, records));
    Signature { result, params: f.params.iter().map(|p| param(p, records)).collect(), variadic: f.variadic }
}

fn param(ty: &QTy, records: &Records) -> Param {
    let plain = |ty: &QTy| records.show(&QTy { ty: ty.ty.clone(), quals: Default::default() });
    let target = match &ty.ty {
        Ty::Pointer(to) if to.ty.is_scalar() || matches!(to.ty, Ty::Record(_)) => {
            Some(Target { text: plain(to), is_scalar: to.ty.is_scalar() })
        }
        _ => None,
    };
    Param {
        text: plain(ty),
        is_scalar: ty.ty.is_scalar(),
        is_pointer: matches!(ty.ty, Ty::Pointer(_)),
        range: range(&ty.ty),
        target,
    }
}

fn range(ty: &Ty) -> Option<(i64, i64)> {
    let Ty::Int(int) = ty else { return None };
    if *int == IntTy::Bool {
        return Some((0, 1));
    }
    let kind = int.kind();
    let bits = 8 * u32::from(kind.size());
    match (kind.signed(), bits) {
        (_, 64..) => Some((if kind.signed() { i64::MIN } else { 0 }, i64::MAX)),
        (true, _) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        (false, _) => Some((0, (1 << bits) - 1)),
    }
}
