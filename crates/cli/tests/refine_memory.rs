//! What `refine` accounts for is what it takes: limits on memory are as good as that.
//!
//! Compared is the largest size that the process had, without what it has when it does next to nothing.
//! `LINEAL_FULL=1` takes larger models.

use std::process::Command;

fn bytes(model: &str, flags: &[&str]) -> Option<(f64, f64)> {
    let file = format!("{}/../../{model}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(["refine", &file, "--assert", "1", "--format", "json", "--time-limit", "none"])
        .args(flags)
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let stats = &json["results"][0]["stats"];
    let (held, peak) = (stats["table_bytes"].as_f64().unwrap(), stats["peak_bytes"].as_f64().unwrap());
    // Some systems do not tell.
    (peak > 0.0).then_some((held, peak))
}

#[test]
fn what_is_accounted_for_is_what_is_held() {
    let Some((held, peak)) = bytes("examples/register/register-k4.csp", &[]) else {
        println!("skipped: this system does not say how large a process is");
        return;
    };
    let own = peak - held;
    let off = ["--no-antichain", "--no-symmetry", "--no-dead-reset", "--no-fusion"];
    let mut models: Vec<(&str, &[&str])> =
        vec![("examples/queue/michael-scott-6.csp", &off), ("bench/models/height-2x5.csp", &[])];
    if lineal_sweep::full() {
        models.push(("examples/mailbox/mailbox-4.csp", &[]));
        models.push(("examples/mailbox/mailbox-4.csp", &["--jobs", "2"]));
        models.push(("examples/mailbox/mailbox-4.csp", &["--no-fusion"]));
        models.push(("examples/snzi/snzi-3x3.csp", &[]));
        models.push(("bench/models/height-2x6.csp", &[]));
        models.push(("bench/models/solitaire.csp", &["--max-states", "2000000"]));
    }
    for (model, flags) in models {
        let (held, peak) = bytes(model, flags).unwrap();
        let off = (held + own) / peak - 1.0;
        let mib = |bytes: f64| bytes / f64::from(1 << 20);
        println!("{model} {flags:?}: {:.1} of {:.1} MiB, {:+.1} %", mib(held + own), mib(peak), 100.0 * off);
        assert!(off.abs() < 0.1, "{model} {flags:?}: {off:+.3}");
    }
}
