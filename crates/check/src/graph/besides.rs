//! What else is wrong with a program that has a race.
//!
//! A race makes the whole execution undefined, so the search stops there; but whoever wrote
//! `volatile` where C wants `_Atomic` has more to learn than that. The lines that race are taken to
//! hold relaxed atomic accesses, and the program is explored again, as long as another error turns
//! up. Those further errors are hints beside the verdict: the exploration is short, and that it ends
//! without an error says nothing.

use super::{Options, Problem, check_growing};
use lineal_model::run::Runnable;
use lineal_model::{Effort, Finding, Memory, Observer, Verdict};

/// How many further errors are looked for, in how many executions, with loops of how many rounds:
/// whoever has a race to look at does not wait for them.
const FURTHER: usize = 4;
const EXECUTIONS: u64 = 3000;
const LOOPS: u32 = 8;

/// `without` gives the program in which accesses on these lines do not race, and how to explore it.
pub fn besides<R: Runnable>(
    finding: &mut Finding,
    memory: Memory,
    effort: &Effort,
    watch: &dyn Observer,
    mut without: impl FnMut(&[(String, u32)]) -> Option<(R, Options)>,
) {
    let Verdict::Violated(first) = &mut finding.verdict else { return };
    let mut lines = Vec::new();
    let mut last = first.clone();
    let effort = &Effort { max_states: Some(EXECUTIONS), ..effort.clone() };
    while first.further.len() < FURTHER && last.kind.is_race() {
        let known = lines.len();
        let guilty = last.steps.iter().filter(|s| s.guilty).filter_map(|s| s.at.as_ref());
        for at in guilty.chain(&last.at) {
            let line = (at.file.to_string(), at.line);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        // Races that no line stands for (of whole structs) cannot be set aside.
        if lines.len() == known {
            break;
        }
        let Some((mut program, options)) = without(&lines) else { break };
        let unroll = options.unroll.or(Some(LOOPS));
        let options = Options { hints: false, unroll, ..options };
        let mut problem = Problem { program: &mut program, memory, options };
        let Verdict::Violated(next) = check_growing(&mut problem, effort, watch).verdict else { break };
        let place = next.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        let text = format!("{}{place}", next.why);
        if first.further.contains(&text) || first.why == next.why && first.at == next.at {
            break;
        }
        first.further.push(text);
        last = next;
    }
}
