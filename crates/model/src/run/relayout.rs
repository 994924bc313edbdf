//! Starting over with another layout: what an access asks for, and the loop that learns it.

use super::{Failure, Site};

/// An access that does not fit the cells of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relayout {
    /// The block's layout, as in `Op::Alloc`, or the number of a global.
    pub layout: u32,
    pub offset: u32,
    pub size: u32,
    /// The size of the block.
    pub extent: u32,
    pub atomic: bool,
    pub site: Site,
}

/// Makes attempts until no access asks for another layout. Each one that does is learned by
/// `adapt`, and everything starts over: what was done before was about cells that are no more. An
/// error says why no layout fits.
pub fn lay_out<S: ?Sized, T>(
    subject: &mut S,
    adapt: impl Fn(&mut S, Relayout) -> Result<(), Failure>,
    mut attempt: impl FnMut(&mut S) -> Result<T, Relayout>,
) -> Result<T, Failure> {
    loop {
        match attempt(subject) {
            Ok(done) => return Ok(done),
            Err(change) => adapt(subject, change)?,
        }
    }
}
