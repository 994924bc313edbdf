//! A cell to look at when an execution is over.

use crate::run::{Loc, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    pub name: String,
    pub loc: Loc,
    pub size: u8,
    pub signed: bool,
}

impl Observed {
    pub fn show(&self, value: Value) -> String {
        match value {
            v if v.undefined => "undefined".into(),
            v if self.size > 8 => format!("{:#x}_{:016x}", v.hi, v.lo),
            v if self.signed => v.signed(self.size).to_string(),
            v => v.truncate(self.size).lo.to_string(),
        }
    }
}
