//! Renaming processes: one permutation for the implementation state, every specification state
//! and the labels.

/// A permutation, by number.
pub type Perm = u32;
pub const IDENTITY: Perm = 0;

pub trait Symmetry: Sync {
    /// Appends (after clearing `out`) the representative of a packed implementation state;
    /// answers the permutation that leads there and the length of its key.
    fn canonical(&self, state: &[u8], out: &mut Vec<u8>) -> (Perm, usize);
    /// The image of a packed specification state; answers the length of its key.
    fn spec_state(&self, perm: Perm, state: &[u8], out: &mut Vec<u8>) -> usize;
    fn event(&self, perm: Perm, event: u32) -> u32;
    fn inverse(&self, perm: Perm) -> Perm;
    /// First `b`, then `a`.
    fn compose(&self, a: Perm, b: Perm) -> Perm;
    /// Bytes held.
    fn size(&self) -> u64;
}
