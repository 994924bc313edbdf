//! On which events an operand of `||` synchronises.
//!
//! The alphabet of a process is every event its text can reach, as far as parameters are known,
//! or what `#alphabet` says. Events with a statement block never synchronise and are left out;
//! so are channel events, `tau`, and what the process hides. An argument that depends on shared
//! memory or on a received value matches any number.

use super::expr::Known;
use super::term::Universe;
use super::*;
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub struct Alphabet {
    exact: FxHashSet<EventId>,
    patterns: Vec<(u32, Vec<Option<i32>>)>,
}

/// Instances of definitions one alphabet may go through.
const MANY: usize = 20_000;

impl Alphabet {
    pub fn contains(&self, events: &Events, event: EventId) -> bool {
        if self.exact.contains(&event) {
            return true;
        }
        if event == events::TICK || self.patterns.is_empty() {
            return false;
        }
        let e = events.event(event);
        self.patterns.iter().any(|(name, args)| {
            *name == e.name
                && args.len() == e.args.len()
                && args.iter().zip(&e.args).all(|(p, v)| p.is_none_or(|p| p == *v))
        })
    }

    pub fn of(universe: &Universe, site: SiteId, env: Known) -> Result<Alphabet, Fault> {
        let mut walk = Walk { universe, seen: FxHashSet::default(), found: Alphabet::default() };
        let mut work = vec![(site, env.to_vec())];
        while let Some((site, env)) = work.pop() {
            walk.visit(site, env, &mut work)?;
        }
        Ok(walk.found)
    }
}

struct Walk<'u, 'm> {
    universe: &'u Universe<'m>,
    seen: FxHashSet<(SiteId, Vec<Option<i32>>)>,
    found: Alphabet,
}

type Work = Vec<(SiteId, Vec<Option<i32>>)>;

impl Walk<'_, '_> {
    fn visit(&mut self, id: SiteId, env: Vec<Option<i32>>, work: &mut Work) -> Result<(), Fault> {
        let model = self.universe.model;
        let site = model.site(id);
        let free: Vec<_> = site.free.iter().map(|s| env[*s as usize]).collect();
        if !self.seen.insert((id, free)) {
            return Ok(());
        }
        if self.seen.len() > MANY {
            let name = &model.def(site.def).name;
            return Err(Fault::new(
                FaultKind::Expansion,
                format!("the alphabet of `{name}` is too large to find: give it with #alphabet"),
                site.spot,
            ));
        }
        match &site.node {
            Node::Stop | Node::Skip => {}
            Node::Prefix { event, block, next, .. } => {
                if let (EventExpr::Named(name, args), None) = (event, block) {
                    let args: Vec<_> = args.iter().map(|a| a.specialise(&env).constant()).collect();
                    self.add(*name, args);
                }
                work.push((*next, env));
            }
            Node::Send { next, .. } => work.push((*next, env)),
            Node::Receive { pattern, next, .. } => {
                let mut env = env;
                for p in pattern {
                    if let Pattern::Bind(slot) = p {
                        env[*slot as usize] = None;
                    }
                }
                work.push((*next, env));
            }
            Node::If(c, a, b) | Node::IfAtomic(c, a, b) => match c.specialise(&env).constant() {
                Some(0) => work.push((*b, env)),
                Some(_) => work.push((*a, env)),
                None => {
                    work.push((*a, env.clone()));
                    work.push((*b, env));
                }
            },
            Node::IfBlocking(c, a) | Node::Guard(c, a) => {
                if c.specialise(&env).constant() != Some(0) {
                    work.push((*a, env));
                }
            }
            Node::Case(branches, default) => {
                for (c, p) in branches {
                    if c.specialise(&env).constant() != Some(0) {
                        work.push((*p, env.clone()));
                    }
                }
                work.push((*default, env));
            }
            Node::Seq(a, b) | Node::Interrupt(a, b) => {
                work.push((*a, env.clone()));
                work.push((*b, env));
            }
            Node::Choice(_, kids) | Node::Parallel(_, kids) => {
                work.extend(kids.iter().map(|k| (*k, env.clone())));
            }
            Node::Indexed(_, ranges, body) => {
                self.universe.expand(ranges, env, site.spot, &mut |e| work.push((*body, e.to_vec())))?;
            }
            Node::Copies(_, _, body) | Node::Atomic(body) => work.push((*body, env)),
            Node::Hide(body, sets) => {
                let inner = Alphabet::of(self.universe, *body, &env)?;
                let mut hidden = Alphabet::default();
                for set in sets {
                    self.each(set, &env, site.spot, &mut |name, args| {
                        hidden.add(&self.universe.events, name, args)
                    })?;
                }
                let events = &self.universe.events;
                self.found.exact.extend(inner.exact.into_iter().filter(|e| !hidden.contains(events, *e)));
                self.found.patterns.extend(inner.patterns);
            }
            Node::Call(def, args) => {
                let args: Vec<_> = args.iter().map(|a| a.specialise(&env).constant()).collect();
                let def = model.def(*def);
                let mut env = vec![None; def.slots as usize];
                env[..args.len()].copy_from_slice(&args);
                match &def.alphabet {
                    None => work.push((def.body, env)),
                    Some(sets) => {
                        for set in sets {
                            let mut all = Vec::new();
                            self.each(set, &env, site.spot, &mut |name, args| all.push((name, args)))?;
                            all.into_iter().for_each(|(name, args)| self.add(name, args));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: u32, args: Vec<Option<i32>>) {
        self.found.add(&self.universe.events, name, args)
    }

    fn each(
        &self,
        set: &EventSet,
        env: &[Option<i32>],
        spot: Spot,
        found: &mut dyn FnMut(u32, Vec<Option<i32>>),
    ) -> Result<(), Fault> {
        self.universe.expand(&set.ranges, env.to_vec(), spot, &mut |env| {
            found(set.name, set.args.iter().map(|a| a.specialise(env).constant()).collect())
        })
    }
}

impl Alphabet {
    fn add(&mut self, events: &Events, name: u32, args: Vec<Option<i32>>) {
        match args.iter().copied().collect::<Option<Vec<i32>>>() {
            Some(args) => {
                self.exact.insert(events.id(name, &args));
            }
            None => self.patterns.push((name, args)),
        }
    }
}
