//! Scopes, limits and counts in plain words.

use lineal_model::adt::quasi::Semantics;
use lineal_model::counter::Audience;
use lineal_model::object::ArgClass;
use lineal_model::process::{Annotation, Fairness};
use lineal_model::run::FailureKind;
use lineal_model::{
    Assumption, Bound, Counter, Extent, Flags, Knob, Limit, LimitKind, Memory, Relaxed, Scope, Stats,
    Storage, WitnessKind,
};

/// What a `holds` covers, a sentence each. The first says what was quantified over.
pub(crate) fn scope(scope: &Scope, flags: Flags) -> Vec<String> {
    let mut out = vec![coverage(scope)];
    out.extend(scope.quasi.as_ref().map(relaxed));
    out.extend(scope.bounds.iter().map(|b| bound(b, flags)));
    if let Storage::Fingerprint { bits } = scope.storage {
        out.push(format!(
            "States were told apart by {bits} bits of hash only: two that collide count as one, \
             so a violation could, with tiny probability, be missed."
        ));
    }
    out
}

fn relaxed(relaxed: &Relaxed) -> String {
    let Relaxed { factors, semantics, caused } = relaxed;
    let factors = if factors.is_empty() { "none" } else { factors };
    let meaning = match semantics {
        Semantics::Literal => {
            "places are counted within each class, and classes move past each other as they like"
        }
        Semantics::Windows => "operations change places within rows of at most one more than the factor",
        Semantics::Classes => "places are counted within each class, and each place keeps its class",
    };
    let semantics = semantics.word();
    let caused = if *caused {
        "; nothing is answered before it is there, though factors alone would allow that"
    } else {
        ""
    };
    format!(
        "Operations may be out of order by so many places: {factors}; all others by none \
         (semantics {semantics}, closed under prefixes: {meaning}{caused})."
    )
}

fn coverage(scope: &Scope) -> String {
    let threads = match scope.threads {
        Some(Extent::UpTo(n)) => Some(count(n, "thread", "threads")),
        Some(Extent::Unbounded) => Some("any number of threads".into()),
        None => None,
    };
    let calls = match scope.calls {
        Some(Extent::UpTo(_)) if !scope.each.is_empty() => {
            Some(format!("at most {} calls", scope.each.join(" and ")))
        }
        Some(Extent::UpTo(n)) => Some(format!("at most {}", count(n, "call", "calls"))),
        Some(Extent::Unbounded) => Some("any number of calls".into()),
        None => None,
    };
    match (scope.memory, calls) {
        (Some(m), None) => {
            let threads = threads.map_or(String::new(), |t| format!(" ({t})"));
            format!("This covers every execution of the program{threads} under {}.", memory(m))
        }
        (Some(m), Some(calls)) => {
            let threads = threads.map_or(String::new(), |t| format!(" from {t}"));
            format!("This covers every client with {calls}{threads}, under {}.", memory(m))
        }
        (None, Some(_)) => match scope.calls {
            Some(Extent::UpTo(n)) => format!(
                "This covers the recorded history, {}, and nothing beyond it.",
                count(n, "operation", "operations")
            ),
            _ => "This covers the recorded history, and nothing beyond it.".into(),
        },
        (None, None) if scope.reached => {
            "This is about one state: the search ended when it was found.".into()
        }
        (None, None) => match threads {
            Some(threads) => format!("This covers every reachable state, with {threads}."),
            None => "This covers every reachable state of the model.".into(),
        },
    }
}

pub(crate) fn memory(memory: Memory) -> &'static str {
    match memory {
        Memory::Sc => "sequential consistency (sc)",
        Memory::Tso => "total store order (tso, as on x86)",
        Memory::Ra => "release/acquire (ra)",
        Memory::Rc11 => "the C11 memory model (rc11)",
    }
}

fn bound(bound: &Bound, flags: Flags) -> String {
    let Bound { knob, value, cut, at } = bound;
    let name = flags(*knob);
    match (cut, at) {
        (1.., _) if *knob == Knob::Preemptions => format!(
            "{name} {value}: executions in which threads that could go on have to let others go first \
             more often than that are not covered."
        ),
        (0, _) => format!("The bound {name} {value} was never reached, so it left nothing out."),
        (cut, None) => {
            format!(
                "The bound {name} {value} cut {} short: what lies beyond is not covered.",
                executions(*cut)
            )
        }
        (cut, Some(at)) => format!(
            "The bound {name} {value} cut {} short, first at {at}: what lies beyond is not covered.",
            executions(*cut)
        ),
    }
}

/// What a claim takes for granted.
pub(crate) fn assumption(assumption: &Assumption, flags: Flags) -> String {
    match assumption {
        Assumption::AllocationSucceeds => "allocation never fails".into(),
        Assumption::EndlessNotJudged => {
            "executions in which a call waits for ever, of which there are some, are not judged".into()
        }
        Assumption::FruitlessIterations => {
            "executions that never end are not judged, and iterations of loops that change nothing are left out (what they read may be old)"
                .into()
        }
        Assumption::NoReuse => "freed addresses are not reused".into(),
        Assumption::LoopsEnd { endless: 0 } => "loops that wait for another thread end".into(),
        Assumption::LoopsEnd { endless } => format!(
            "loops that wait for another thread end (in {endless} of the blocked executions one never \
             does: `{}` reports it)",
            flags(Knob::Liveness)
        ),
        Assumption::NoSpuriousWakeUps => {
            "waiting for a condition ends only when it is signalled (no spurious wake-ups)".into()
        }
        Assumption::OneSpuriousWakeUp => {
            "a thread that waits for a futex wakes up without a reason at most once".into()
        }
        Assumption::ClockSteps => {
            "between two looks at it, a clock stands still or moves on by an hour".into()
        }
        Assumption::RacesIgnored => {
            "plain accesses are relaxed atomic ones: races among them were not looked for".into()
        }
        Assumption::RacesOffAt(line) => {
            format!("plain accesses at {line} are relaxed atomic ones: races among them were not looked for")
        }
        Assumption::VolatileAtomic(order) => {
            format!("accesses of volatile objects are atomic ({order})")
        }
        Assumption::ArgumentsFrom(low, high) => {
            format!("arguments are drawn from {low}..{high}, as declared")
        }
        Assumption::Arguments(ArgClass::Independent) => {
            "the code only moves its arguments about (args=independent), as declared".into()
        }
        Assumption::Arguments(class) => {
            format!("the code only compares its arguments (args={}), as declared", class.word())
        }
        Assumption::HolderReleases => "only a thread that holds the lock releases it".into(),
        Assumption::ClientsSynchronise => {
            "clients order calls by synchronising (release and acquire, locks, joins), not by relaxed \
             accesses or seq_cst fences alone"
                .into()
        }
        Assumption::ThreadsAlike => {
            "only which calls a thread makes matters, not its number (threads alike), as declared".into()
        }
        Assumption::ThreadsNumbered => "threads are numbered from 0 on, without gaps".into(),
        Assumption::Stuck(clients) => {
            let some: Vec<&str> = clients.iter().take(3).map(String::as_str).collect();
            let more = if clients.len() > 3 { ", …" } else { "" };
            format!(
                "calls may wait for others: no execution of {} completes ({}{more})",
                count(clients.len() as u64, "client", "clients"),
                some.join(", ")
            )
        }
        Assumption::LibraryRobust { library, calls: None } => {
            format!("{library} is robust, as was proved for every client")
        }
        Assumption::LibraryRobust { library, calls: Some(calls) } => format!(
            "{library} is robust, which was found for clients with at most {} (executions with more calls of \
             it are not covered)",
            count(*calls, "call", "calls")
        ),
        Assumption::LibraryGranted(library) => {
            format!("{library} is robust by itself (it declares no object, so it was not asked)")
        }
        Assumption::MemoryApart => {
            "the client and its libraries touch each other's memory by calls only".into()
        }
        Assumption::ClientRaceFree => {
            "plain accesses of the client do not race (lineal verify looks for races)".into()
        }
        Assumption::HiddenVariables => "hidden variables (hvar) are no part of a state".into(),
        Assumption::Fair(fairness) => match fairness {
            Fairness::None => "nothing of the scheduler".into(),
            Fairness::WeakEvent => {
                "weak fairness of events: an event that can happen from some point on happens again and again".into()
            }
            Fairness::StrongEvent => {
                "strong fairness of events: an event that can happen again and again does".into()
            }
            Fairness::WeakProcess => {
                "weak fairness of processes: one that can move from some point on moves again and again".into()
            }
            Fairness::StrongProcess => {
                "strong fairness of processes: one that can move again and again does".into()
            }
            Fairness::Global => {
                "global fairness: every step that can be taken again and again is".into()
            }
        },
        Assumption::Annotated(annotation) => match annotation {
            Annotation::WeakFair => {
                "wf(e) in the model: such an event that can happen from some point on happens again and again".into()
            }
            Annotation::StrongFair => {
                "sf(e) in the model: such an event that can happen again and again does".into()
            }
            Annotation::WeakLive => {
                "wl(e) in the model: an event that some process is ready for from some point on happens again \
                 and again"
                    .into()
            }
            Annotation::StrongLive => {
                "sl(e) in the model: an event that some process is ready for again and again happens again and again".into()
            }
        },
        Assumption::ClockSkew(skew) => {
            format!("clocks differ by at most {skew}; operations of one process may overlap by as much")
        }
        Assumption::TextsAreNumbers(name) => format!(
            "texts and keywords are numbers to {name}, which keeps and compares them but does not compute \
             with them"
        ),
        Assumption::CountersEnd(names) => {
            format!("counters do not wrap around ({names})")
        }
        Assumption::Axiom(name, text) => format!("axiom {name} ({text})"),
        Assumption::KeysIndependent(name) => {
            format!("operations on different keys do not matter to each other, as {name} says")
        }
    }
}

fn executions(n: u64) -> String {
    count(n, "execution", "executions")
}

/// What happened, in a sentence, and what more there is to say about it.
pub fn limit(limit: &Limit, flags: Flags) -> String {
    match (limit.kind, limit.value) {
        (LimitKind::States, Some(max)) => {
            let reached = format!("{} {max} was reached", flags(Knob::MaxStates));
            if limit.message.is_empty() { reached } else { format!("{reached}. {}", limit.message) }
        }
        _ => limit.message.clone(),
    }
}

/// What to try after a limit.
pub(crate) fn way_out(limit: &Limit, command: &str, flags: Flags) -> Option<String> {
    let knob = match limit.kind {
        LimitKind::Time => Knob::TimeLimit,
        LimitKind::Memory => Knob::MemoryLimit,
        LimitKind::States => Knob::MaxStates,
        LimitKind::Loop => {
            return Some(format!(
                "{} N says how often threads go round loops; the verdict says what was cut",
                flags(Knob::Unroll)
            ));
        }
        LimitKind::Interrupt | LimitKind::Sampled | LimitKind::Method => return None,
    };
    let flag = flags(knob);
    let smaller = match (command, limit.kind) {
        ("history", _) => "give it a shorter log",
        ("refine", _) => "make the model smaller",
        (_, LimitKind::Time) => "make the program smaller (fewer threads or iterations)",
        _ => "make the program smaller",
    };
    Some(format!("raise {flag}, or {smaller}"))
}

/// What usually helps against a violation of this kind, for witnesses without a hint of their own.
pub fn advice(kind: WitnessKind, flags: Flags) -> Option<String> {
    let WitnessKind::Failure(kind) = kind else { return None };
    let text = match kind {
        FailureKind::Race => "make both accesses atomic, or hold the same lock around both",
        FailureKind::Deadlock => {
            "let every thread take its locks in the same order, and signal what others wait for"
        }
        FailureKind::Liveness => "some thread must write what the loop waits for, whatever the schedule",
        FailureKind::UseAfterFree => "free a block only when no other thread can still reach it",
        FailureKind::Uninitialised => "write the value before others can see it, or allocate with calloc",
        FailureKind::NoValue => "return a value on every path through the function",
        FailureKind::Overflow => {
            let flag = flags(Knob::Wrapv);
            return Some(format!("use an unsigned type, or {flag} if wrapping is what you mean"));
        }
        FailureKind::Leak => {
            return Some(format!("free the block on every path, or leave out {}", flags(Knob::Leaks)));
        }
        _ => return None,
    };
    Some(text.into())
}

/// Counts, time and memory of one check, on one line. Empty if nothing was counted.
pub(crate) fn stats(stats: &Stats) -> String {
    let mut parts = Vec::new();
    if stats.clients > 0 {
        parts.push(count(stats.clients, "client", "clients"));
    }
    if stats.executions + stats.blocked > 0 {
        let text = count(stats.executions, "complete execution", "complete executions");
        let reduced = stats.more.contains_key(&Counter::ExchangeableThreads);
        let same = if reduced { " up to exchanging equal threads" } else { "" };
        parts.push(text + same);
    }
    if stats.blocked > 0 {
        let cause = |counter: &Counter| match counter {
            Counter::Blocked(_) => counter.word().strip_prefix("blocked-"),
            _ => None,
        };
        let causes: Vec<&str> = stats.more.keys().filter_map(cause).collect();
        let causes = if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(" or ")) };
        parts.push(format!("{} blocked{causes}", grouped(stats.blocked)));
    }
    if stats.states > 0 {
        parts.push(count(stats.states, "state", "states"));
    }
    for (counter, n) in &stats.more {
        let said = matches!(counter, Counter::Blocked(_) | Counter::ExchangeableThreads);
        if !said && counter.audience() == Audience::Everyone {
            parts.push(format!("{} {}", counter.word().replace('_', " "), grouped(*n)));
        }
    }
    if stats.seconds > 0.0 {
        parts.push(seconds(stats.seconds));
    }
    if stats.peak_bytes > 0 {
        parts.push(bytes(stats.peak_bytes));
    }
    parts.join(", ")
}

pub(crate) fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// `1234567` as `1,234,567`; four digits stay together.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    if digits.len() <= 4 {
        return digits;
    }
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

pub fn seconds(s: f64) -> String {
    if s < 10.0 { format!("{s:.2} s") } else { format!("{s:.0} s") }
}

pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if value < 10.0 && unit > 0 {
        format!("{value:.1} {}", UNITS[unit])
    } else {
        format!("{value:.0} {}", UNITS[unit])
    }
}

/// The first sentence, and what follows it.
pub(crate) fn first_sentence(text: &str) -> (&str, &str) {
    let text = text.trim();
    if let Some((first, rest)) = text.split_once('\n') {
        let (a, _) = first_sentence(first);
        return if a.len() == first.trim().len() { (a, rest.trim()) } else { (a, text[a.len()..].trim()) };
    }
    let mut from = 0;
    while let Some(i) = text[from..].find(". ") {
        let end = from + i + 1;
        let next = text[end..].trim_start().chars().next();
        let abbreviation = text[..end].ends_with("e.g.") || text[..end].ends_with("i.e.");
        if !abbreviation && next.is_some_and(|c| c.is_uppercase() || c == '`') {
            return (&text[..end], text[end..].trim());
        }
        from = end;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_split_at_full_stops() {
        assert_eq!(first_sentence("A fails. B follows."), ("A fails.", "B follows."));
        assert_eq!(first_sentence("q.head is null"), ("q.head is null", ""));
        assert_eq!(first_sentence("See e.g. Foo. Bar"), ("See e.g. Foo.", "Bar"));
        assert_eq!(first_sentence("One\ntwo. Three"), ("One", "two. Three"));
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(1234567), "1,234,567");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
        assert_eq!(bytes(4096), "4 KiB");
        assert_eq!(count(1, "state", "states"), "1 state");
    }

    #[test]
    fn a_cut_is_admitted() {
        let mut s = Scope::program(Memory::Sc, 2);
        s.bounds.push(Bound { knob: Knob::Unroll, value: 4, cut: 12, at: None });
        let text = scope(&s, Knob::word).join(" ");
        assert!(text.contains("(2 threads) under sequential consistency"), "{text}");
        assert!(text.contains("cut 12 executions short"), "{text}");
    }

    #[test]
    fn a_limit_on_states_says_so_whatever_more_there_is_to_say() {
        let mut l = Limit::states(7);
        assert_eq!(limit(&l, Knob::word), "the limit on states 7 was reached");
        l.message = "It grows.".into();
        assert_eq!(limit(&l, Knob::word), "the limit on states 7 was reached. It grows.");
    }
}
