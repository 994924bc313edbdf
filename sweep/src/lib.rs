//! What random tests need: choices that a seed decides, how long to go on, and of a case that fails
//! a small one that fails too.

mod choices;
mod smallest;

pub use choices::Choices;
pub use smallest::{shrink, smallest};

/// Whether the long form of a suite was asked for.
pub fn full() -> bool {
    std::env::var_os("LINEAL_FULL").is_some()
}

/// The seed that was asked for; else always the same one, and in the long form a fresh one, which is
/// printed.
pub fn seed(usual: u64) -> u64 {
    if let Some(seed) = std::env::var("LINEAL_SEED").ok().and_then(|s| s.parse().ok()) {
        return seed;
    }
    if !full() {
        return usual;
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = now.map_or(usual, |now| now.as_secs());
    println!("LINEAL_SEED={seed}");
    seed
}
