//! Two versions of a text as a unified diff, for people and for `patch -p0`.

use std::fmt::Write;

/// Lines shown around a change.
const AROUND: usize = 3;

/// What leads from `old` to `new`; empty if nothing has to.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let steps = steps(&a, &b);
    let mut out = String::new();
    for hunk in hunks(&steps) {
        if out.is_empty() {
            let _ = write!(out, "--- {name}\n+++ {name}\n");
        }
        let of = |sides: &[Side]| steps[hunk.clone()].iter().filter(|s| sides.contains(&s.side)).count();
        let (left, right) = (of(&[Side::Both, Side::Old]), of(&[Side::Both, Side::New]));
        let first = &steps[hunk.start];
        let _ = writeln!(out, "@@ -{} +{} @@", range(first.old, left), range(first.new, right));
        for step in &steps[hunk] {
            let (mark, line) = match step.side {
                Side::Both => (' ', a[step.old]),
                Side::Old => ('-', a[step.old]),
                Side::New => ('+', b[step.new]),
            };
            let _ = write!(out, "{mark}{line}");
            if !line.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    out
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// `12,3`: three lines from line 12 on; of none, the line before.
fn range(from: usize, count: usize) -> String {
    match count {
        0 => format!("{from},0"),
        1 => format!("{}", from + 1),
        _ => format!("{},{count}", from + 1),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Both,
    Old,
    New,
}

/// A line of one side or both, and how many came before it.
struct Step {
    side: Side,
    old: usize,
    new: usize,
}

/// All lines in order, as many as possible shared.
fn steps(a: &[&str], b: &[&str]) -> Vec<Step> {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (m, n) = (a.len() - tail, b.len() - tail);
    // shared[i][j]: how many lines the rests from i and j on have in common.
    let mut shared = vec![vec![0u32; n + 1 - head]; m + 1 - head];
    for i in (head..m).rev() {
        for j in (head..n).rev() {
            let (x, y) = (i - head, j - head);
            shared[x][y] = match a[i] == b[j] {
                true => shared[x + 1][y + 1] + 1,
                false => shared[x + 1][y].max(shared[x][y + 1]),
            };
        }
    }
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let inside = i >= head && i <= m && j >= head && j <= n && (i < m || j < n);
        let side = if !inside || (i < m && j < n && a[i] == b[j]) {
            Side::Both
        } else if i < m && (j == n || shared[i + 1 - head][j - head] >= shared[i - head][j + 1 - head]) {
            Side::Old
        } else {
            Side::New
        };
        out.push(Step { side, old: i, new: j });
        i += usize::from(side != Side::New);
        j += usize::from(side != Side::Old);
    }
    out
}

/// Changes that lie close together, with the lines around them.
fn hunks(steps: &[Step]) -> Vec<std::ops::Range<usize>> {
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for k in (0..steps.len()).filter(|&k| steps[k].side != Side::Both) {
        let (start, end) = (k.saturating_sub(AROUND), (k + 1 + AROUND).min(steps.len()));
        match out.last_mut() {
            Some(last) if last.end >= start => last.end = end,
            _ => out.push(start..end),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_added_and_removed_lines() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        let new = "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n12\n13\n";
        let expected = "--- f.c\n+++ f.c\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n\
                        @@ -8,5 +8,5 @@\n 8\n 9\n 10\n-11\n 12\n+13\n";
        assert_eq!(unified("f.c", old, new), expected);
        assert_eq!(unified("f.c", old, old), "");
    }

    #[test]
    fn a_missing_last_line_break_is_said() {
        assert_eq!(
            unified("f", "a", "b"),
            "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        );
        assert_eq!(unified("f", "", "b\n"), "--- f\n+++ f\n@@ -0,0 +1 @@\n+b\n");
    }
}
