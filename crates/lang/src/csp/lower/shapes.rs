//! Which parameters and messages are whole arrays.
//!
//! Values are numbers. An array as a parameter, or as a field of a message, is as many of them as it
//! has elements; how many that is follows from what is passed: the least solution over all calls, outputs
//! and inputs of the text. One parameter, or one field of a channel, has one length wherever it is used.

use super::super::ast::{Action, ExprKind, Process, ProcessKind};
use super::*;

/// Lengths of the arrays among the parameters, by process and number, and among the fields of messages,
/// by channel and number.
#[derive(Default)]
pub struct Shapes {
    params: FxHashMap<(Name, usize), u32>,
    fields: FxHashMap<(Name, usize), u32>,
}

impl Shapes {
    pub fn param(&self, process: &Name, i: usize) -> Option<u32> {
        self.params.get(&(process.clone(), i)).copied()
    }
    pub fn field(&self, channel: &Name, i: usize) -> Option<u32> {
        self.fields.get(&(channel.clone(), i)).copied()
    }
}

/// Arrays in sight, innermost last; a number hides an array of its name.
type Sight = Vec<(Name, Option<u32>)>;

impl<'a> Lower<'a> {
    pub(super) fn find_shapes(&mut self, items: &'a [Item]) -> Shapes {
        let mut shapes = Shapes::default();
        loop {
            let mut news = News { shapes: &shapes, found: Vec::new() };
            for item in items {
                match item {
                    Item::Process { name, params, body, .. } => {
                        let param = |(i, (p, _)): (usize, &(Name, Place))| (p.clone(), shapes.param(name, i));
                        let mut sight: Sight = params.iter().enumerate().map(param).collect();
                        self.look(body, &mut sight, &mut news);
                    }
                    Item::Assert { process, .. } => self.look(process, &mut Vec::new(), &mut news),
                    _ => {}
                }
            }
            let found = news.found;
            let mut changed = false;
            for (is_param, key, len, at) in found {
                let table = if is_param { &mut shapes.params } else { &mut shapes.fields };
                match table.get(&key) {
                    Some(known) if *known != len => {
                        let what = if is_param { "parameter" } else { "field" };
                        let message = format!(
                            "{what} {} of `{}` is given arrays of {known} and of {len} elements",
                            key.1 + 1,
                            key.0
                        );
                        self.error("L0229", message, &at);
                    }
                    Some(_) => {}
                    None => {
                        changed = true;
                        table.insert(key, len);
                    }
                }
            }
            if !changed || !self.problems.is_empty() {
                return shapes;
            }
        }
    }

    /// How many elements an expression has, if it is an array.
    fn length(&mut self, e: &ast::Expr, sight: &Sight) -> Option<u32> {
        match &e.kind {
            ExprKind::Name(name) => match sight.iter().rev().find(|(n, _)| n == name) {
                Some((_, len)) => *len,
                None => match self.names.get(name) {
                    Some((Meaning::Global(g), _)) => {
                        let global = &self.model.globals[*g as usize];
                        (!global.dims.is_empty()).then_some(global.len)
                    }
                    _ => None,
                },
            },
            ExprKind::Array(items) => self.literal_length(items),
            _ => None,
        }
    }

    /// How many elements a literal has; `None` if that is not known, which is reported where it is read.
    fn literal_length(&mut self, items: &[ast::InitItem]) -> Option<u32> {
        let before = self.problems.len();
        let mut len = 0i64;
        for item in items {
            len += match item {
                ast::InitItem::Repeat(_, n) => self.constant(n).map_or(-1, i64::from),
                ast::InitItem::Span(a, b) => match (self.constant(a), self.constant(b)) {
                    (Some(a), Some(b)) => span(a, b).count() as i64,
                    _ => -1,
                },
            };
        }
        self.problems.truncate(before);
        u32::try_from(len).ok().filter(|n| *n > 0)
    }

    fn look(&mut self, p: &Process, sight: &mut Sight, news: &mut News) {
        let depth = sight.len();
        match &p.kind {
            ProcessKind::Stop | ProcessKind::Skip => {}
            ProcessKind::Prefixes(prefixes, rest) => {
                for prefix in prefixes {
                    match &prefix.action {
                        Action::Events(_) => {}
                        Action::Send(channel, values) => {
                            for (i, value) in values.iter().enumerate() {
                                if let Some(len) = self.length(value, sight) {
                                    let key = (channel.name.clone(), i);
                                    news.found.push((false, key, len, value.at.clone()));
                                }
                            }
                        }
                        Action::Receive(channel, _, fields) => {
                            for (i, field) in fields.iter().enumerate() {
                                if let ExprKind::Name(name) = &field.kind {
                                    sight.push((name.clone(), news.shapes.field(&channel.name, i)));
                                }
                            }
                        }
                    }
                }
                self.look(rest, sight, news);
            }
            ProcessKind::If(_, _, yes, no) => {
                self.look(yes, sight, news);
                if let Some(no) = no {
                    self.look(no, sight, news);
                }
            }
            ProcessKind::Case(branches, default) => {
                branches.iter().for_each(|(_, p)| self.look(p, sight, news));
                if let Some(default) = default {
                    self.look(default, sight, news);
                }
            }
            ProcessKind::Guard(_, p) | ProcessKind::Atomic(p) | ProcessKind::Hide(p, _) => {
                self.look(p, sight, news)
            }
            ProcessKind::Copies(_, _, p) => self.look(p, sight, news),
            ProcessKind::Indexed(_, ranges, p) => {
                sight.extend(ranges.iter().map(|r| (r.name.clone(), None)));
                self.look(p, sight, news)
            }
            ProcessKind::Seq(parts) | ProcessKind::Choice(_, parts) | ProcessKind::Parallel(_, parts) => {
                parts.iter().for_each(|p| self.look(p, sight, news))
            }
            ProcessKind::Interrupt(a, b) => {
                self.look(a, sight, news);
                self.look(b, sight, news);
            }
            ProcessKind::Call(name, args) => {
                for (i, arg) in args.iter().enumerate() {
                    if let Some(len) = self.length(arg, sight) {
                        news.found.push((true, (name.clone(), i), len, arg.at.clone()));
                    }
                }
            }
        }
        sight.truncate(depth);
    }
}

/// What one walk finds: of a parameter (or a field), which, how long, and where.
struct News<'s> {
    shapes: &'s Shapes,
    found: Vec<(bool, (Name, usize), u32, Place)>,
}
