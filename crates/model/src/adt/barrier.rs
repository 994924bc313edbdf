//! A barrier of C objects: calls return in rounds.
//!
//! Calls of one round take effect together, which an order of calls cannot say. So an order is cut
//! into rounds, of `parties` calls that follow one another, and that each of them must see all the
//! others of its round ([`super::Via::Round`]) says the rest: none returns before all have come. If
//! calls answer, exactly one of each round answers true.
//!
//! All calls of the history return, or it would not be asked about; a round that is not full has
//! no legal order.

use super::Adt;
use crate::history::{Method, Op, ValueId};
use crate::verdict::Limit;

#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    pub parties: u32,
    /// So many calls there are.
    pub calls: usize,
}

/// Of the round under way: how many have come, and whether one of them was told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    come: u32,
    chosen: bool,
}

impl Adt for Barrier {
    type State = Round;

    fn initial(&self) -> Round {
        Round { come: 0, chosen: false }
    }

    fn outcomes(&self, round: &Round, op: &Op, mut each: impl FnMut(ValueId, Round)) -> Result<(), Limit> {
        if op.method != Method::Meet || !self.calls.is_multiple_of(self.parties as usize) {
            return Ok(());
        }
        let last = round.come + 1 == self.parties;
        for told in [ValueId::TRUE, ValueId::FALSE] {
            let chosen = round.chosen || told == ValueId::TRUE;
            let twice = round.chosen && told == ValueId::TRUE;
            let nobody = last && !chosen;
            let unwanted = op.result != ValueId::NONE && op.result != told;
            if unwanted || twice || nobody {
                continue;
            }
            let next = if last { self.initial() } else { Round { come: round.come + 1, chosen } };
            each(told, next);
        }
        Ok(())
    }

    fn is_read(&self, _: &Op) -> bool {
        false
    }

    fn show(&self, round: &Round) -> String {
        format!("{} of {} are there", round.come, self.parties)
    }
}
