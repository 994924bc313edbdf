//! The smallest factor with which something is quasi-linearizable, whichever engine is asked.

use lineal_model::adt::quasi::{MOST, Relaxation};
use lineal_model::sought::Smallest;
use lineal_model::{Finding, Verdict};

/// Asks about greater and greater factors for a class until what was asked about holds, or nothing
/// can be said. What is accepted with a factor is accepted with all greater ones.
pub fn smallest<T, E>(
    relaxation: &Relaxation,
    class: usize,
    mut decide: impl FnMut(u32) -> Result<T, E>,
    finding: impl Fn(&mut T) -> &mut Finding,
) -> Result<T, E> {
    let name = relaxation.classes[class].name.clone();
    let mut below = None;
    for factor in 0..=MOST {
        let mut decided = decide(factor)?;
        let found = finding(&mut decided);
        match &mut found.verdict {
            Verdict::Holds(_) => {
                found.smallest = Some(Smallest { class: name, factor, below });
                return Ok(decided);
            }
            Verdict::Violated(_) if factor == MOST => {
                found.remarks.push(format!("no factor for {name} up to {MOST} is enough"));
                return Ok(decided);
            }
            Verdict::Violated(witness) => below = Some(witness.clone()),
            Verdict::Unknown(_) => {
                if factor > 0 {
                    found.remarks.push(format!("with {} for {name} it is violated", factor - 1));
                }
                return Ok(decided);
            }
        }
    }
    unreachable!("the last factor is decided one way or another")
}
