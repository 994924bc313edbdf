//! Orders of priorities: lines `p < q`, or chains `p < q < r`.

use super::datum::single;
use super::value::value_of;
use lineal_model::adt::Poset;
use lineal_model::history::Value;
use lineal_model::{Diagnostic, Place};

pub fn order(text: &str, file: &str) -> Result<Poset, Vec<Diagnostic>> {
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split(['#', ';']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let chain: Vec<Option<Value>> =
            line.split('<').map(|name| single(name.trim()).ok().map(|d| value_of(&d))).collect();
        let whole: Option<Vec<Value>> = chain.into_iter().collect();
        match whole.filter(|c| c.len() > 1) {
            Some(chain) => pairs.extend(chain.windows(2).map(|w| (w[0].clone(), w[1].clone()))),
            None => problems.push(
                Diagnostic::error("L0313", format!("`{line}` is no comparison of priorities"))
                    .at(Place::line(file, number))
                    .help("write one `p < q` on each line"),
            ),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Poset::new(&pairs).map_err(|cycle| {
        let message = format!("the order runs in a circle through {}", cycle.0);
        vec![Diagnostic::error("L0313", message).at(Place::line(file, 1))]
    })
}
