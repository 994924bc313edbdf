mod refine;

use clap::Parser;

#[derive(Parser)]
enum Command {
    Refine(Typed),
}

#[derive(clap::Args)]
struct Typed {
    #[command(flatten)]
    args: refine::RefineArgs,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    #[arg(long)]
    max_states: Option<u64>,
}

fn main() {
    let Command::Refine(typed) = Command::parse();
    let effort = lineal_model::Effort { jobs: typed.jobs, max_states: typed.max_states, seed: 0 };
    let report = refine::run(&typed.args, &effort, &lineal_model::Unwatched);
    for d in &report.diagnostics {
        println!("{}[{}]: {}", d.at.as_ref().map_or(String::new(), |p| p.to_string()), d.code, d.message);
        if let Some(h) = &d.help {
            println!("   help: {h}");
        }
        for n in &d.notes {
            println!("   note: {} {:?}", n.message, n.at.as_ref().map(|p| p.to_string()));
        }
    }
    for f in &report.findings {
        println!(
            "{} {} — {:.3}s {:?} {:?}",
            f.verdict.word(),
            f.property,
            f.stats.seconds,
            f.stats.more,
            (f.stats.states, f.stats.peak_bytes)
        );
        for r in &f.remarks {
            println!("   {r}");
        }
        match &f.verdict {
            lineal_model::Verdict::Violated(w) => {
                println!("   {}: {}", w.kind, w.why);
                for s in &w.steps {
                    println!(
                        "     {:12} {} {}",
                        w.threads.get(s.thread as usize).cloned().unwrap_or_default(),
                        s.what,
                        s.remark
                    );
                }
                for h in &w.history {
                    println!("     {:?}", h);
                }
            }
            lineal_model::Verdict::Unknown(l) => println!("   {} {}", l.message, l.covered),
            _ => {}
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or(""));
}
