//! `lineal robust --prove`: a proof for every client.

use crate::desk::Desk;
use crate::options::SourceArgs;
use lineal_check::robust::proof::encode::Switches;
use lineal_check::robust::proof::lemma::Lemmas;
use lineal_check::robust::proof::prove::{Prover, Stop, words};
use lineal_check::robust::proof::{library, solver};
use lineal_lang::c11::{self, Unit, object};

pub fn debug(source: &SourceArgs, units: &[Unit], desk: &Desk) {
    let options = c11::Options { unspecified: true, ..source.reading() };
    let loaded = match object::load_one(units, &options, None) {
        Ok((loaded, _)) => loaded,
        Err(found) => return desk.diagnostics(found),
    };
    let lib = match library::library(&loaded.compiled, true) {
        Ok(l) => l,
        Err(why) => { println!("REFUSED {} {:?}", why.why, why.at); return }
    };
    if std::env::var_os("DUMP").is_some() {
        for o in &lib.operations {
            println!("== {}", o.name);
            for (n, node) in o.tree.nodes.iter().enumerate() {
                println!("{n:3} <- {:?} {:?} {:?} own={} acq={} rel={} v={:?} c={:?}", node.parent, node.act, o.access[n], node.own, node.acquires, node.releases, node.value, node.conditions);
            }
        }
        for c in &lib.classes { println!("{c:?}"); }
    }
    let lemmas = Lemmas::default();
    let mut s = solver::BuiltIn;
    let t = std::time::Instant::now();
    let mut watch = |_: &_| std::ops::ControlFlow::Continue(());
    let mut p = Prover::new(&lib, &lemmas, Switches::default(), &mut s, &mut watch);
    match p.run() {
        Ok(()) => println!("PROVED {:?} {:.2}s", p.proof, t.elapsed().as_secs_f64()),
        Err(Stop::Stuck(s)) => { println!("STUCK {} : {} ({} queries {} clauses {:.2}s)", words(&lib, s.write), s.open, p.proof.queries, p.proof.clauses, t.elapsed().as_secs_f64()); for l in s.candidate { println!("   {l}"); } }
        Err(Stop::Limit(l)) => println!("LIMIT {l:?}"),
    }
}
