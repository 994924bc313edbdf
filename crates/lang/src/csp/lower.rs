//! Names settled, macros expanded, sites numbered.

mod arrays;
mod effects;
mod expr;
mod formula;
mod process;
mod scope;
mod shapes;
mod slots;

use super::Loaded;
use super::ast::{self, Item, Name};
use lineal_model::adt::Kind;
use lineal_model::adt::quasi::{Listed, Operations, Relaxation, relax};
use lineal_model::process::expr::Expr;
use lineal_model::process::span;
use lineal_model::process::*;
use lineal_model::{Diagnostic, Place};
use rustc_hash::FxHashMap;
use scope::Scope;
use shapes::Shapes;

/// A process is called that nobody defines.
pub const NO_PROCESS: &str = "L0220";

/// Cells one model may have.
const CELLS: usize = 100_000;

pub fn lower(file: &str, items: &[Item], problems: &mut Vec<Diagnostic>) -> Loaded {
    let mut lower = Lower {
        model: Model { file: file.into(), places: vec![Place::line(file, 0)], ..Model::default() },
        names: FxHashMap::default(),
        events: FxHashMap::default(),
        problems,
        cached_place: None,
        shapes: Shapes::default(),
        arities: Vec::new(),
        counting: false,
    };
    lower.declare(items);
    lower.shapes = lower.find_shapes(items);
    lower.settle_parameters(items);
    lower.bodies(items);
    let assertions = lower.assertions(items);
    slots::settle(&mut lower.model);
    Loaded { model: lower.model, assertions }
}

/// What a name of the file means.
#[derive(Clone)]
enum Meaning<'a> {
    Constant(i32),
    Macro(&'a [Name], &'a ast::Body),
    Global(u32),
    /// First, length; whether it is an array.
    Channel(u32, u32, bool),
    Process(DefId),
}

struct Lower<'a> {
    model: Model,
    names: FxHashMap<Name, (Meaning<'a>, Place)>,
    events: FxHashMap<Name, u32>,
    problems: &'a mut Vec<Diagnostic>,
    cached_place: Option<(Place, Spot)>,
    shapes: Shapes,
    /// How many arguments each process takes.
    arities: Vec<usize>,
    /// In a condition of an assertion, where processes can be counted.
    counting: bool,
}

impl<'a> Lower<'a> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, at: &Place) {
        self.problems.push(Diagnostic::error(code, message).at(at.clone()));
    }

    fn spot(&mut self, at: &Place) -> Spot {
        if let Some((place, spot)) = &self.cached_place
            && place == at
        {
            return *spot;
        }
        let spot = self.model.places.len() as Spot;
        self.model.places.push(at.clone());
        self.cached_place = Some((at.clone(), spot));
        spot
    }

    fn event(&mut self, name: &str) -> u32 {
        if let Some(id) = self.events.get(name) {
            return *id;
        }
        let id = self.model.names.len() as u32;
        self.model.names.push(name.into());
        self.events.insert(name.into(), id);
        id
    }

    fn define(&mut self, name: &Name, meaning: Meaning<'a>, at: &Place) {
        if let Some((_, first)) = self.names.get(name) {
            let first = first.clone();
            self.problems.push(
                Diagnostic::error("L0222", format!("`{name}` is defined twice"))
                    .at(at.clone())
                    .note("the first definition is here", Some(first)),
            );
            return;
        }
        self.names.insert(name.clone(), (meaning, at.clone()));
    }

    /// Everything but bodies, so that processes may be used before they are defined.
    fn declare(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Define { name, params, body, at } => {
                    // A plain number is worth folding at once.
                    let constant = match body {
                        ast::Body::Expr(e) if params.is_empty() && is_numeral(e) => self.constant(e),
                        _ => None,
                    };
                    let meaning = constant.map_or(Meaning::Macro(params, body), Meaning::Constant);
                    self.define(name, meaning, at);
                }
                Item::Enum(names) => {
                    for (i, (name, at)) in names.iter().enumerate() {
                        self.define(name, Meaning::Constant(i as i32), at);
                    }
                }
                Item::Var { name, dims, range, init, hidden, at } => {
                    self.variable(name, dims, range, init, *hidden, at);
                }
                Item::Channel { name, len, capacity, at } => self.channel(name, len, capacity, at),
                Item::Process { name, params, at, .. } => {
                    let id = DefId(self.model.defs.len() as u32);
                    for (i, (param, at)) in params.iter().enumerate() {
                        if params[..i].iter().any(|(p, _)| p == param) {
                            self.error("L0222", format!("parameter `{param}` appears twice"), at);
                        }
                    }
                    self.arities.push(params.len());
                    self.model.defs.push(Def {
                        name: name.clone(),
                        params: params.len() as u16,
                        slots: params.len() as u16,
                        slot_names: params.iter().map(|(n, _)| n.clone()).collect(),
                        body: SiteId(0),
                        alphabet: None,
                    });
                    self.define(name, Meaning::Process(id), at);
                }
                Item::Alphabet { .. } | Item::Assert { .. } => {}
            }
        }
    }

    fn constant(&mut self, e: &ast::Expr) -> Option<i32> {
        let before = self.problems.len();
        let value = self.expr(e, &mut Scope::default())?.specialise(&[]);
        if let Expr::Int(n) = value {
            return Some(n);
        }
        if self.problems.len() == before {
            self.error("L0225", "this must be a constant", &e.at);
        }
        None
    }

    fn variable(
        &mut self,
        name: &Name,
        dims: &[ast::Expr],
        range: &Option<(Option<ast::Expr>, Option<ast::Expr>)>,
        init: &Option<ast::Init>,
        hidden: bool,
        at: &Place,
    ) {
        let mut values = None;
        match init {
            Some(ast::Init::One(e)) => values = self.constant(e).map(|v| vec![v]),
            Some(ast::Init::Many(items)) => {
                let mut all = Vec::new();
                for item in items {
                    match item {
                        ast::InitItem::Repeat(v, n) => {
                            let (v, n) = (self.constant(v), self.constant(n));
                            let (Some(v), Some(n)) = (v, n) else { continue };
                            if n < 0 {
                                self.error("L0226", format!("a value cannot be repeated {n} times"), at);
                            }
                            all.extend(std::iter::repeat_n(v, (n.max(0) as usize).min(CELLS + 1)));
                        }
                        ast::InitItem::Span(a, b) => {
                            let (Some(low), Some(high)) = (self.constant(a), self.constant(b)) else {
                                continue;
                            };
                            all.extend(span(low, high).take(CELLS + 1));
                        }
                    }
                }
                values = Some(all);
            }
            None => {}
        }
        let mut sizes = Vec::new();
        for dim in dims {
            match self.constant(dim) {
                Some(n) if n > 0 && n as usize <= CELLS => sizes.push(n as u32),
                Some(n) => self.error("L0226", format!("an array cannot have {n} elements"), &dim.at),
                None => {}
            }
        }
        if sizes.len() < dims.len() {
            sizes = vec![1; dims.len()];
        }
        if dims.is_empty()
            && let Some(ast::Init::Many(_)) = init
        {
            sizes = vec![values.as_ref().map_or(1, |v| v.len().max(1)) as u32];
        }
        let len = sizes.iter().try_fold(1u32, |a, b| a.checked_mul(*b)).unwrap_or(u32::MAX);
        if len as usize + self.model.cells.len() > CELLS {
            self.error("L0226", format!("the model has more than {CELLS} variables"), at);
            return;
        }
        let range = range.as_ref().and_then(|(a, b)| {
            let low = a.as_ref().map_or(Some(i32::MIN), |a| self.constant(a));
            let high = b.as_ref().map_or(Some(i32::MAX), |b| self.constant(b));
            Some((low?, high?))
        });
        if let Some((low, high)) = range
            && low > high
        {
            self.error("L0226", format!("the range {low}..{high} is empty"), at);
        }
        let default = range.map_or(0, |(low, high)| match low {
            _ if (low..=high).contains(&0) => 0,
            i32::MIN => high,
            _ => low,
        });
        let values = values.unwrap_or_else(|| vec![default]);
        let spread = values.len() == 1 && (len == 1 || matches!(init, None | Some(ast::Init::One(_))));
        if !spread && values.len() != len as usize {
            self.error(
                "L0226",
                format!("`{name}` has {len} elements, but {} initial values", values.len()),
                at,
            );
            return;
        }
        if let Some((low, high)) = range
            && let Some(v) = values.iter().find(|v| !(low..=high).contains(v))
        {
            self.error("L0226", format!("the initial value {v} is outside the range {low}..{high}"), at);
        }
        let global = self.model.globals.len() as u32;
        let first = self.model.cells.len() as u32;
        for i in 0..len as usize {
            let initial = if spread { values[0] } else { values[i] };
            self.model.cells.push(Cell { initial, range, hidden, global });
        }
        self.model.globals.push(Global { name: name.clone(), first, dims: sizes, len });
        self.define(name, Meaning::Global(global), at);
    }

    fn channel(&mut self, name: &Name, len: &Option<ast::Expr>, capacity: &ast::Expr, at: &Place) {
        let capacity = match self.constant(capacity) {
            Some(n) if n >= 0 => n as u32,
            Some(n) => {
                return self.error("L0224", format!("a channel cannot hold {n} messages"), &capacity.at);
            }
            None => return,
        };
        let (count, array) = match len {
            None => (1, false),
            Some(e) => match self.constant(e) {
                Some(n) if (1..=1000).contains(&n) => (n as u32, true),
                Some(n) => return self.error("L0224", format!("{n} channels cannot be made"), &e.at),
                None => return,
            },
        };
        let first = self.model.channels.len() as u32;
        for i in 0..count {
            let name = if array { format!("{name}[{i}]") } else { name.to_string() };
            let channel = Channel {
                send: self.event(&format!("{name}!")),
                receive: self.event(&format!("{name}?")),
                meet: self.event(&name),
                name: name.into(),
                capacity,
            };
            self.model.channels.push(channel);
        }
        self.define(name, Meaning::Channel(first, count, array), at);
    }

    fn bodies(&mut self, items: &'a [Item]) {
        let mut next = 0;
        for item in items {
            match item {
                Item::Process { params, body, name, .. } => {
                    let def = DefId(next);
                    next += 1;
                    let mut scope = self.parameters(def, name, params);
                    let site = self.process(body, &mut scope);
                    let target = &mut self.model.defs[def.0 as usize];
                    target.body = site;
                    target.slots = scope.slot_names.len() as u16;
                    target.slot_names = scope.slot_names;
                }
                Item::Define { params, body, at, .. } => self.try_macro(params, body, at),
                _ => {}
            }
        }
        for item in items {
            let Item::Alphabet { name, events, at } = item else { continue };
            match self.names.get(name) {
                Some((Meaning::Process(def), _)) => {
                    let def = *def;
                    let info = &self.model.defs[def.0 as usize];
                    let params: Vec<Name> = info.slot_names[..info.params as usize].to_vec();
                    let mut scope = Scope::of(def, params.into_iter());
                    scope.slot_names = self.model.defs[def.0 as usize].slot_names.clone();
                    let sets = self.event_sets(events, &mut scope);
                    let target = &mut self.model.defs[def.0 as usize];
                    target.slots = scope.slot_names.len() as u16;
                    target.slot_names = scope.slot_names;
                    if target.alphabet.replace(sets).is_some() {
                        self.error("L0222", format!("the alphabet of `{name}` is given twice"), at);
                    }
                }
                _ => self.unknown("process", name, at),
            }
        }
    }

    /// The names of a definition's parameters, arrays with all their elements.
    fn parameters(&self, def: DefId, name: &Name, params: &[(Name, Place)]) -> Scope {
        let mut scope = Scope::of(def, std::iter::empty());
        for (i, (param, _)) in params.iter().enumerate() {
            match self.shapes.param(name, i) {
                Some(len) => scope.bind_array(param.clone(), len),
                None => scope.bind(param.clone()),
            };
        }
        scope
    }

    /// How many numbers the parameters of each process are.
    fn settle_parameters(&mut self, items: &[Item]) {
        let mut next = 0;
        for item in items {
            let Item::Process { name, params, .. } = item else { continue };
            let scope = self.parameters(DefId(next), name, params);
            let def = &mut self.model.defs[next as usize];
            next += 1;
            def.params = scope.slot_names.len() as u16;
            def.slots = def.params;
            def.slot_names = scope.slot_names;
        }
    }

    /// Reports what is wrong in a macro even if nobody uses it. Parameters count as numbers.
    fn try_macro(&mut self, params: &'a [Name], body: &'a ast::Body, at: &Place) {
        let arguments = params.iter().map(|p| (p.clone(), Expr::Int(0), true)).collect();
        let mut scope = Scope { arguments, ..Scope::default() };
        match body {
            ast::Body::Expr(e) => {
                // It may be a condition of assertions.
                self.counting = true;
                self.expr(e, &mut scope);
                self.counting = false;
            }
            ast::Body::Block(_) if !params.is_empty() => {}
            ast::Body::Block(stmts) => {
                self.block(stmts, &mut scope, at);
            }
        }
    }

    /// By how much operations of the type may be out of order.
    fn quasi(&mut self, object: &Name, quasi: &ast::Quasi, at: &Place) -> Option<Relaxation> {
        let Some(kind) = Kind::from_word(object) else {
            self.error("L0235", format!("there is no type `{object}` to relax"), at);
            return None;
        };
        let mut listed = Vec::new();
        for (members, factor) in &quasi.classes {
            listed.push(Listed { members: members.clone(), factor: self.constant(factor)?.into() });
        }
        match relax(&listed, quasi.semantics, &Operations::Of(kind)) {
            Ok(relaxation) => Some(relaxation),
            Err((why, help)) => {
                self.problems.push(Diagnostic::error("L0235", why).at(at.clone()).help(help));
                None
            }
        }
    }

    fn assertions(&mut self, items: &'a [Item]) -> Vec<Assertion> {
        let mut all = Vec::new();
        for item in items {
            let Item::Assert { text, process, claim, at } = item else { continue };
            let root = self.closed(process, text);
            let claim = match claim {
                ast::Claim::DeadlockFree => Some(Claim::DeadlockFree),
                ast::Claim::DivergenceFree => Some(Claim::DivergenceFree),
                ast::Claim::Deterministic => Some(Claim::Deterministic),
                ast::Claim::Nonterminating => Some(Claim::Nonterminating),
                ast::Claim::Linearizable(object, init, quasi) => {
                    let init = match init {
                        Some(e) => self.constant(e),
                        None => Some(0),
                    };
                    let quasi = match quasi {
                        Some(quasi) => self.quasi(object, quasi, at).map(Some),
                        None => Some(None),
                    };
                    let object = object.to_string();
                    init.zip(quasi).map(|(init, quasi)| Claim::Linearizable { object, init, quasi })
                }
                ast::Claim::Ltl(temporal) => self.temporal(temporal),
                ast::Claim::Refines(spec, semantics) => {
                    Some(Claim::Refines { spec: self.closed(spec, text), semantics: *semantics })
                }
                ast::Claim::Reaches(goal, extreme) => self.reaches(goal, extreme),
            };
            if let Some(claim) = claim {
                all.push(Assertion { text: text.clone(), at: at.clone(), root, claim });
            }
        }
        all
    }

    /// A condition about states, which may count processes.
    fn condition(&mut self, e: &ast::Expr) -> Option<Expr> {
        self.counting = true;
        let condition = self.expr(e, &mut Scope::default());
        self.counting = false;
        Some(condition?.specialise(&[]))
    }

    fn reaches(&mut self, goal: &'a ast::Expr, extreme: &'a Option<(Extreme, ast::Expr)>) -> Option<Claim> {
        let goal = self.condition(goal)?;
        let extreme = match extreme {
            Some((which, e)) => Some((*which, self.condition(e)?)),
            None => None,
        };
        Some(Claim::Reaches { goal, extreme })
    }

    /// A process without parameters around `process`.
    fn closed(&mut self, process: &'a ast::Process, text: &str) -> SiteId {
        let def = DefId(self.model.defs.len() as u32);
        self.model.defs.push(Def {
            name: text.into(),
            params: 0,
            slots: 0,
            slot_names: Vec::new(),
            body: SiteId(0),
            alphabet: None,
        });
        let mut scope = Scope::of(def, std::iter::empty());
        let site = self.process(process, &mut scope);
        self.model.defs[def.0 as usize].body = site;
        site
    }

    fn unknown(&mut self, what: &str, name: &str, at: &Place) {
        let mut problem = match self.names.get(name) {
            Some((meaning, first)) => {
                let is = match meaning {
                    Meaning::Constant(_) => "a constant",
                    Meaning::Macro(..) => "a macro",
                    Meaning::Global(_) => "a variable",
                    Meaning::Channel(..) => "a channel",
                    Meaning::Process(_) => "a process",
                };
                Diagnostic::error("L0223", format!("`{name}` is {is}, but a {what} is needed here"))
                    .note("it is defined here", Some(first.clone()))
            }
            None => {
                let code = if what == "process" { NO_PROCESS } else { "L0223" };
                Diagnostic::error(code, format!("there is no {what} `{name}`"))
            }
        };
        let close = self.names.keys().filter(|k| alike(k, name)).min().cloned();
        if let Some(close) = close
            && *close != *name
        {
            problem = problem.help(format!("did you mean `{close}`?"));
        }
        self.problems.push(problem.at(at.clone()));
    }
}

fn is_numeral(e: &ast::Expr) -> bool {
    match &e.kind {
        ast::ExprKind::Int(_) => true,
        ast::ExprKind::Unary(_, e) => is_numeral(e),
        _ => false,
    }
}

/// Differ in case only, or by one edit.
fn alike(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() - short.len() > 1 || short.len() < 3 {
        return false;
    }
    let prefix = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let skip = (long.len() == short.len()) as usize;
    short[(prefix + skip).min(short.len())..] == long[prefix + 1..]
}
