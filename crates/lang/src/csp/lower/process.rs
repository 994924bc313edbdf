//! Process expressions into sites. After an error a `Stop` takes the place of what was wrong.

use super::super::ast::{Action, ProcessKind, Test};
use super::arrays::Value;
use super::*;

impl<'a> Lower<'a> {
    fn add(&mut self, node: Node, at: &Place, scope: &Scope) -> SiteId {
        let id = SiteId(self.model.sites.len() as u32);
        let site = Site { node, def: scope.def.unwrap_or(DefId(0)), spot: self.spot(at), free: Vec::new() };
        self.model.sites.push(site);
        id
    }

    pub(super) fn process(&mut self, p: &'a ast::Process, scope: &mut Scope) -> SiteId {
        let node = self.node(p, scope).unwrap_or(Node::Stop);
        match node {
            // A chain of prefixes has numbered its own first site.
            Node::Call(DefId(u32::MAX), _) => SiteId(self.model.sites.len() as u32 - 1),
            node => self.add(node, &p.at, scope),
        }
    }

    fn node(&mut self, p: &'a ast::Process, scope: &mut Scope) -> Option<Node> {
        Some(match &p.kind {
            ProcessKind::Stop => Node::Stop,
            ProcessKind::Skip => Node::Skip,
            ProcessKind::Prefixes(prefixes, rest) => {
                self.prefixes(prefixes, rest, scope);
                // See `process`.
                Node::Call(DefId(u32::MAX), Vec::new())
            }
            ProcessKind::If(test, c, yes, no) => {
                let c = self.expr(c, scope);
                let yes = self.process(yes, scope);
                if *test == Test::Blocking {
                    return Some(Node::IfBlocking(c?, yes));
                }
                let no = match no {
                    Some(no) => self.process(no, scope),
                    None => self.add(Node::Skip, &p.at, scope),
                };
                match test {
                    Test::Plain => Node::If(c?, yes, no),
                    _ => Node::IfAtomic(c?, yes, no),
                }
            }
            ProcessKind::Case(branches, default) => {
                let mut all = Vec::new();
                let mut good = true;
                for (c, body) in branches {
                    let c = self.expr(c, scope);
                    let body = self.process(body, scope);
                    good &= c.is_some();
                    all.extend(c.map(|c| (c, body)));
                }
                let default = match default {
                    Some(p) => self.process(p, scope),
                    None => self.add(Node::Skip, &p.at, scope),
                };
                if !good {
                    return None;
                }
                Node::Case(all, default)
            }
            ProcessKind::Guard(c, body) => {
                let c = self.expr(c, scope);
                let body = self.process(body, scope);
                Node::Guard(c?, body)
            }
            ProcessKind::Seq(parts) => {
                let mut sites: Vec<_> = parts.iter().map(|p| self.process(p, scope)).collect();
                let last = sites.pop()?;
                let mut right = last;
                while let Some(left) = sites.pop() {
                    if sites.is_empty() {
                        return Some(Node::Seq(left, right));
                    }
                    right = self.add(Node::Seq(left, right), &p.at, scope);
                }
                return None;
            }
            ProcessKind::Choice(choice, parts) => {
                Node::Choice(*choice, parts.iter().map(|p| self.process(p, scope)).collect())
            }
            ProcessKind::Parallel(kind, parts) => {
                Node::Parallel(*kind, parts.iter().map(|p| self.process(p, scope)).collect())
            }
            ProcessKind::Indexed(operator, ranges, body) => {
                let depth = scope.visible.len();
                let ranges = self.ranges(ranges, scope);
                let body = self.process(body, scope);
                scope.visible.truncate(depth);
                Node::Indexed(*operator, ranges?, body)
            }
            ProcessKind::Copies(operator, count, body) => {
                let count = self.expr(count, scope);
                let body = self.process(body, scope);
                Node::Copies(*operator, count?, body)
            }
            ProcessKind::Hide(body, sets) => {
                let body = self.process(body, scope);
                Node::Hide(body, self.event_sets(sets, scope))
            }
            ProcessKind::Atomic(body) => Node::Atomic(self.process(body, scope)),
            ProcessKind::Interrupt(a, b) => {
                let a = self.process(a, scope);
                Node::Interrupt(a, self.process(b, scope))
            }
            ProcessKind::Call(name, args) => return self.call(name, args, &p.at, scope),
        })
    }

    fn call(&mut self, name: &Name, args: &'a [ast::Expr], at: &Place, scope: &mut Scope) -> Option<Node> {
        let lowered: Vec<_> = args.iter().map(|a| self.value(a, scope)).collect();
        let Some((Meaning::Process(def), first)) = self.names.get(name).cloned() else {
            self.unknown("process", name, at);
            return None;
        };
        let params = self.arities[def.0 as usize];
        if params != args.len() {
            let count = |n: usize| match n {
                1 => "1 argument".to_string(),
                n => format!("{n} arguments"),
            };
            self.problems.push(
                Diagnostic::error(
                    "L0221",
                    format!("process `{name}` takes {}, {} given", count(params), args.len()),
                )
                .at(at.clone())
                .note("it is defined here", Some(first)),
            );
            return None;
        }
        let mut flat = Vec::new();
        for (i, value) in lowered.into_iter().enumerate() {
            match (value?, self.shapes.param(name, i)) {
                (Value::Many(all), Some(len)) if all.len() == len as usize => flat.extend(all),
                (Value::One(e), None) => flat.push(e),
                (_, Some(len)) => {
                    let message =
                        format!("elsewhere an array of {len} elements is passed here, and this is none");
                    self.error("L0229", message, &args[i].at);
                    return None;
                }
                (Value::Many(_), None) => {
                    self.error("L0229", "a whole array cannot be passed here", &args[i].at);
                    return None;
                }
            }
        }
        Some(Node::Call(def, flat))
    }

    fn ranges(&mut self, ranges: &'a [ast::Range], scope: &mut Scope) -> Option<Vec<Range>> {
        let mut out = Vec::new();
        for range in ranges {
            let mut values = Vec::new();
            for item in &range.values {
                values.push(match item {
                    ast::RangeItem::One(e) => RangeItem::One(self.still(e, scope)?),
                    ast::RangeItem::Span(a, b) => {
                        let (a, b) = (self.still(a, scope), self.still(b, scope));
                        RangeItem::Span(a?, b?)
                    }
                });
            }
            out.push(Range { slot: scope.bind(range.name.clone()), values });
        }
        Some(out)
    }

    /// An expression that may read parameters, but no shared memory.
    fn still(&mut self, e: &'a ast::Expr, scope: &mut Scope) -> Option<Expr> {
        let lowered = self.expr(e, scope)?;
        let mut shared = false;
        lowered.walk(&mut |e| shared |= matches!(e, Expr::Cell(_) | Expr::Element(_) | Expr::Queue(..)));
        if shared {
            self.error("L0225", "index sets and hiding sets must not depend on shared variables", &e.at);
            return None;
        }
        Some(lowered)
    }

    pub(super) fn event_sets(&mut self, sets: &'a [ast::EventSet], scope: &mut Scope) -> Vec<EventSet> {
        let mut out = Vec::new();
        for set in sets {
            let depth = scope.visible.len();
            let ranges = self.ranges(&set.ranges, scope);
            let args: Option<Vec<_>> = set.event.args.iter().map(|a| self.still(a, scope)).collect();
            scope.visible.truncate(depth);
            if let (Some(ranges), Some(args)) = (ranges, args) {
                out.push(EventSet { ranges, name: self.event(&set.event.name), args });
            }
        }
        out
    }

    /// Numbers the chain from its end, so that a long one needs no deep recursion.
    fn prefixes(&mut self, prefixes: &'a [ast::Prefix], rest: &'a ast::Process, scope: &mut Scope) {
        let depth = scope.visible.len();
        // Names are bound from the front, sites numbered from the back.
        let heads: Vec<_> = prefixes.iter().map(|p| (self.head(p, scope), p)).collect();
        let mut next = self.process(rest, scope);
        scope.visible.truncate(depth);
        for (head, prefix) in heads.into_iter().rev() {
            next = match head {
                Some(head) => self.prefix(head, next, &prefix.at, scope),
                None => self.add(Node::Stop, &prefix.at, scope),
            };
        }
    }

    fn head(&mut self, prefix: &'a ast::Prefix, scope: &mut Scope) -> Option<Head> {
        let kind = match &prefix.action {
            Action::Events(events) => {
                let mut all = Vec::new();
                for event in events {
                    all.push(match event {
                        None => (EventExpr::Tau, None),
                        Some(event) => {
                            let args = self.flat(&event.args, scope);
                            let name = self.event(&event.name);
                            (EventExpr::Named(name, args?), event.annotation)
                        }
                    });
                }
                HeadKind::Events(all)
            }
            Action::Send(channel, values) => {
                let channel = self.channel_expr(channel, scope);
                let values = self.flat(values, scope);
                HeadKind::Send(channel?, values?)
            }
            Action::Receive(channel, guard, fields) => {
                let name = &channel.name;
                let channel = self.channel_expr(channel, scope);
                let mut pattern = Vec::new();
                for (i, field) in fields.iter().enumerate() {
                    let len = self.shapes.field(name, i);
                    self.field(field, len, scope, &mut pattern)?;
                }
                let guard = match guard {
                    Some(g) => Some(self.expr(g, scope)?),
                    None => None,
                };
                HeadKind::Receive(channel?, pattern, guard)
            }
        };
        let block = match &prefix.block {
            Some(stmts) => Some(self.block(stmts, scope, &prefix.at)?),
            None => None,
        };
        Some(Head { kind, block })
    }

    /// Values one after the other, arrays with all their elements.
    fn flat(&mut self, values: &[ast::Expr], scope: &mut Scope) -> Option<Vec<Expr>> {
        let lowered: Vec<_> = values.iter().map(|v| self.value(v, scope)).collect();
        let mut flat = Vec::new();
        for value in lowered {
            match value? {
                Value::One(e) => flat.push(e),
                Value::Many(all) => flat.extend(all),
            }
        }
        Some(flat)
    }

    /// A new name takes the field, or as many as the array has that is sent; anything else must equal it.
    fn field(
        &mut self,
        field: &'a ast::Expr,
        len: Option<u32>,
        scope: &mut Scope,
        out: &mut Vec<Pattern>,
    ) -> Option<()> {
        if let ast::ExprKind::Name(name) = &field.kind {
            match self.names.get(name) {
                _ if scope.slot(name).is_some() => {}
                None => {
                    let first = match len {
                        Some(len) => scope.bind_array(name.clone(), len),
                        None => scope.bind(name.clone()),
                    };
                    let last = first + len.unwrap_or(1) as u16;
                    out.extend((first..last).map(Pattern::Bind));
                    return Some(());
                }
                Some((Meaning::Global(_), first)) => {
                    let first = first.clone();
                    self.problems.push(
                        Diagnostic::error(
                            "L0224",
                            format!("an input cannot store into the shared variable `{name}`"),
                        )
                        .at(field.at.clone())
                        .note("it is declared here", Some(first))
                        .help("receive into a new name and assign it: `c?v{x = v;} -> …`"),
                    );
                    return None;
                }
                Some(_) => {}
            }
        }
        match self.value(field, scope)? {
            Value::One(e) => out.push(Pattern::Match(e)),
            Value::Many(all) => out.extend(all.into_iter().map(Pattern::Match)),
        }
        Some(())
    }

    fn prefix(&mut self, head: Head, next: SiteId, at: &Place, scope: &Scope) -> SiteId {
        let block = head.block.filter(|b| !b.stmts.is_empty());
        let node = match head.kind {
            HeadKind::Events(mut events) if events.len() == 1 => {
                let (event, annotation) = events.remove(0);
                Node::Prefix { event, annotation, block, next }
            }
            HeadKind::Events(events) => {
                let kids = events
                    .into_iter()
                    .map(|(event, annotation)| {
                        self.add(Node::Prefix { event, annotation, block: block.clone(), next }, at, scope)
                    })
                    .collect();
                Node::Choice(Choice::External, kids)
            }
            HeadKind::Send(channel, values) => Node::Send { channel, values, block, next },
            HeadKind::Receive(channel, pattern, guard) => {
                Node::Receive { channel, pattern, guard, block, next }
            }
        };
        self.add(node, at, scope)
    }
}

struct Head {
    kind: HeadKind,
    block: Option<Block>,
}

enum HeadKind {
    Events(Vec<(EventExpr, Option<Annotation>)>),
    Send(ChannelExpr, Vec<Expr>),
    Receive(ChannelExpr, Vec<Pattern>, Option<Expr>),
}
