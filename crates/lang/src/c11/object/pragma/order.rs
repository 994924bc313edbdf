//! `order=1<3,2<3`: chains of priorities, the lower one first. What the chains do not relate may
//! leave a priority queue in any order.

use lineal_model::adt::Poset;
use lineal_model::history::Value;

pub fn order(text: &str) -> Result<Poset, String> {
    let mut pairs = Vec::new();
    for chain in text.trim_start_matches('(').trim_end_matches(')').split(',') {
        let numbers: Result<Vec<i64>, _> = chain.split('<').map(|n| n.trim().parse()).collect();
        match numbers {
            Ok(numbers) if numbers.len() > 1 => {
                pairs.extend(numbers.windows(2).map(|w| (Value::Int(w[0]), Value::Int(w[1]))))
            }
            _ => return Err(format!("`{chain}` is no comparison of priorities")),
        }
    }
    Poset::new(&pairs).map_err(|cycle| format!("the order runs in a circle through {}", cycle.0))
}
