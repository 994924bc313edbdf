//! One execution as a graph for Graphviz: a cluster per thread, `po` down each of them, and across
//! them what reads from what, which write follows which, and what a stale read missed.

use lineal_model::Witness;
use std::fmt::Write;

/// The text of a `.dot` file.
pub fn render(witness: &Witness) -> String {
    let mut out = String::from("digraph execution {\n");
    out.push_str("  node [shape=box, fontname=\"monospace\", fontsize=10];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=9];\n");
    let _ = writeln!(out, "  label={};", quoted(&witness.why));
    let threads = witness.steps.iter().map(|s| s.thread).max().map_or(0, |t| t + 1);
    for thread in 0..threads {
        let steps = || witness.steps.iter().enumerate().filter(|(_, s)| s.thread == thread);
        if steps().next().is_none() {
            continue;
        }
        let name = witness.threads.get(thread as usize).map_or("", String::as_str);
        let _ = writeln!(out, "  subgraph cluster_{thread} {{");
        let _ = writeln!(out, "    label={};", quoted(&format!("thread {thread} {name}")));
        for (i, step) in steps() {
            let mut text = format!("{}: {}", i + 1, step.what);
            if let Some(at) = &step.at {
                let _ = write!(text, "\n{}:{}", at.file.rsplit('/').next().unwrap_or(""), at.line);
            }
            let colour = if step.guilty { ", color=red, penwidth=2" } else { "" };
            let _ = writeln!(out, "    s{i} [label={}{colour}];", quoted(&text));
        }
        let order: Vec<String> = steps().map(|(i, _)| format!("s{i}")).collect();
        if order.len() > 1 {
            let _ = writeln!(out, "    {} [label=po, weight=10];", order.join(" -> "));
        }
        out.push_str("  }\n");
    }
    for (i, step) in witness.steps.iter().enumerate() {
        let edges = [
            (step.starts, true, "create", "gray40"),
            (step.reads_from, false, "rf", "forestgreen"),
            (step.overwrites, false, "mo", "orange3"),
            (step.missed, true, "fr", "red"),
            (step.unseen, false, "\"not visible\", style=dashed", "red"),
        ];
        for (other, forth, label, colour) in edges {
            if let Some(other) = other {
                let (from, to) = if forth { (i, other as usize) } else { (other as usize, i) };
                let style = format!("label={label}, color={colour}, fontcolor={colour}, constraint=false");
                let _ = writeln!(out, "  s{from} -> s{to} [{style}];");
            }
        }
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\l"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    // The last line of a label is aligned like the others.
    if out.contains("\\l") {
        out.push_str("\\l");
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lineal_model::verdict::Step;

    #[test]
    fn edges_and_clusters() {
        let step = |thread, what: &str| Step { thread, what: what.into(), ..Step::default() };
        let steps = vec![
            Step { starts: Some(1), ..step(0, "create thread 1") },
            step(1, "x = 1"),
            Step { overwrites: Some(1), ..step(1, "x = \"2\"") },
            Step { reads_from: Some(1), missed: Some(2), guilty: true, ..step(0, "read x → 1") },
            Step { unseen: Some(1), ..step(0, "return") },
        ];
        let witness = Witness {
            steps,
            threads: vec!["main".into(), "f".into()],
            ..Witness::new(lineal_model::WitnessKind::Result, "")
        };
        let dot = render(&witness);
        for line in [
            "s0 -> s1 [label=create",
            "s1 -> s3 [label=rf",
            "s1 -> s2 [label=mo",
            "s3 -> s2 [label=fr",
            "s1 -> s4 [label=\"not visible\", style=dashed, color=red",
        ] {
            assert!(dot.contains(line), "{line} in\n{dot}");
        }
        assert!(
            dot.contains("s0 -> s3 -> s4 [label=po")
                && dot.contains("x = \\\"2\\\"")
                && dot.contains("color=red")
        );
        assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    }
}
