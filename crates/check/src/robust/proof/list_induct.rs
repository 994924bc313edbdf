//! The inductions of what is said about lists ([`super::list`]).
//!
//! - **chain** can fail first at a link `e` of a node `m` to a node `t`, for some `w` that was linked before, is
//!   not `t`, and has no successor yet. `w` is the first node or was linked by one call, which is looked at;
//!   before `e` all links are assumed to be in order.
//! - **follows**: every write of the pointer is a read-modify-write, so it is enough that none of them goes from a
//!   node to one that was not linked later.
//! - **lags** follows from *follows*: a node got its successor by a call that had read it from the
//!   pointer, which is looked at.
//! - **behind** can fail first at a write of the pointer. The other one only moves on, so it is enough that the
//!   call has read the new node there, or a later one; before the write it is assumed.
//! - **told** and **passed**: every write `w` of a node to one of the classes releases (by the shape), so it
//!   is enough that what is to be seen happens before `w`; for reads before `w` it is assumed. Since `w` is
//!   read by whoever reads the node there, in program order or not, the reads need not be sequentially consistent.

use super::encode::Instance;
use super::formula::TRUE;
use super::induct::Induction;
use super::lemma::Lemma;

impl<'l> Induction<'l> {
    pub(super) fn chain(&self, lemma: &Lemma, calls: [usize; 2]) -> Option<Instance<'l>> {
        let list = self.library.list.as_ref()?;
        let mut x = self.instance(&calls);
        let mut cases = Vec::new();
        let made = x.made_nodes(list);
        for e in x.links() {
            let (Some(to), Some(index)) = (x.span_of_index(e), x.events[e].index.clone()) else {
                cases.push(vec![x.events[e].on]);
                continue;
            };
            if x.events[e].call != 0 {
                continue;
            }
            for w in &made {
                if w.span == to {
                    continue;
                }
                let (other, point) = (x.f.equal(&w.bits, &index), x.point(e));
                let mut case = vec![x.events[e].on, w.is, -other, x.lt(w.span.enter, point)];
                case.push(-x.le(w.span.leave, point));
                Self::at(&mut x, e, &mut case);
                cases.push(case);
            }
        }
        let cut = x.cut;
        lemma.assert(&mut x, Some(cut));
        Self::either(x, cases)
    }

    pub(super) fn follows(&self, pointer: usize, call: usize) -> Option<Instance<'l>> {
        let x = self.instance(&[call]);
        let mut cases = Vec::new();
        for w in x.writes_of(pointer) {
            let mut case = vec![x.events[w].on];
            if let (Some(from), Some(to)) = (x.spans.get(&w).copied(), x.span_of_value(w)) {
                case.push(-x.lt(from.enter, to.enter));
            }
            cases.push(case);
        }
        Self::either(x, cases)
    }

    pub(super) fn lags(&self, pointer: usize, calls: [usize; 2]) -> Option<Instance<'l>> {
        let x = self.instance(&calls);
        let mut cases = Vec::new();
        for r in x.reads_of(pointer) {
            if x.events[r].call != 0 {
                continue;
            }
            for e in x.links() {
                let mut case = vec![x.events[r].on, x.events[e].on, x.precedes(e, r)];
                if let (Some(span), Some(of)) = (x.spans.get(&r).copied(), x.span_of_index(e)) {
                    case.push(-x.le(of.enter, span.enter));
                }
                cases.push(case);
            }
        }
        Self::either(x, cases)
    }

    pub(super) fn behind(
        &self,
        lemma: &Lemma,
        (pointer, other): (usize, usize),
        call: usize,
    ) -> Option<Instance<'l>> {
        let mut x = self.instance(&[call]);
        let mut cases = Vec::new();
        for w in x.writes_of(pointer) {
            let mut case = vec![x.events[w].on];
            if let Some(to) = x.span_of_value(w) {
                for r in x.reads_of(other) {
                    if let (Some(seen), TRUE) = (x.spans.get(&r).copied(), x.so(r, w)) {
                        case.push(-x.le(to.enter, seen.enter));
                    }
                }
            }
            Self::at(&mut x, w, &mut case);
            cases.push(case);
        }
        let cut = x.cut;
        lemma.assert(&mut x, Some(cut));
        Self::either(x, cases)
    }

    /// `pointer`: what is to be seen are its moves; else links. The first call has it, the second writes a later
    /// node to one of the classes.
    pub(super) fn told(
        &self,
        lemma: &Lemma,
        pointer: Option<usize>,
        of: &[usize],
        calls: [usize; 2],
    ) -> Vec<Instance<'l>> {
        let x = self.instance(&calls);
        let from = pointer.map_or_else(|| x.links(), |p| x.writes_of(p));
        from.into_iter()
            .filter(|&p| x.events[p].call == 0)
            .filter_map(|p| self.told_of(lemma, pointer, (p, of), calls))
            .collect()
    }

    fn told_of(
        &self,
        lemma: &Lemma,
        pointer: Option<usize>,
        (p, of): (usize, &[usize]),
        calls: [usize; 2],
    ) -> Option<Instance<'l>> {
        let mut x = self.instance(&calls);
        let covered = x.cover(p, false);
        self.known.synchronise(&mut x, &covered);
        let mut cases = Vec::new();
        for &class in of {
            for w in x.writes_of(class) {
                // Null is stored to blocks that nobody knows of.
                if w == p || x.node(w).own {
                    continue;
                }
                let mut case = vec![x.events[p].on, x.events[w].on, -covered[w]];
                if let (Some(mine), Some(theirs)) = (x.span_of_value(p), x.span_of_value(w)) {
                    let reached = match pointer {
                        None => x.le(mine.enter, theirs.enter),
                        Some(_) => x.lt(mine.enter, theirs.enter),
                    };
                    case.push(reached);
                }
                Self::at(&mut x, w, &mut case);
                cases.push(case);
            }
        }
        let cut = x.cut;
        lemma.synchronise(&mut x, &covered, Some(cut));
        Self::either(x, cases)
    }
}
