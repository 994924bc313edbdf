//! Generated text through `cc -E` and the front-end, and the simplest machine to run it on.

use super::compiled::Scratch;
use lineal_lang::c11;
use lineal_model::program::Machine;
use lineal_model::run::{Answer, BlockId, BlockInfo, Loc, Op, Runnable, Step, ThreadId, Value, World};
use std::collections::HashMap;
use std::process::Command;

/// Each source, preprocessed with the bundled headers: one call of `cc` for all.
pub fn preprocessed(sources: &[String]) -> Result<Vec<String>, String> {
    let scratch = Scratch::new()?;
    let include = scratch.0.join("include");
    std::fs::create_dir_all(&include).map_err(|e| e.to_string())?;
    for (name, text) in c11::headers() {
        std::fs::write(include.join(name), text).map_err(|e| e.to_string())?;
    }
    let mut cc = Command::new("cc");
    cc.args(["-E", "-nostdinc", "-std=gnu11", "-w", "-isystem"]).arg(&include);
    for (i, source) in sources.iter().enumerate() {
        let path = scratch.0.join(format!("{i}.c"));
        std::fs::write(&path, source).map_err(|e| e.to_string())?;
        cc.arg(path);
    }
    let out = cc.output().map_err(|e| format!("cannot run cc: {e}"))?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&out.stdout);
    // Each file starts with `# 0 "<path>"`.
    let mark = format!("# 0 \"{}", scratch.0.display());
    let parts: Vec<String> = text.split(&mark).skip(1).map(|p| format!("{mark}{p}")).collect();
    if parts.len() != sources.len() {
        return Err(format!("{} parts for {} sources", parts.len(), sources.len()));
    }
    Ok(parts)
}

pub fn load(text: &str) -> Result<Machine, String> {
    let unit = c11::Unit { name: "generated.c".into(), text: text.into() };
    match c11::load(&[unit], &c11::Options::default()) {
        Ok((machine, _)) => Ok(machine),
        Err(found) => {
            let shown: Vec<String> = found
                .iter()
                .map(|d| format!("{} {}", d.at.as_ref().map_or(String::new(), |p| p.to_string()), d.message))
                .collect();
            Err(shown.join("\n"))
        }
    }
}

/// Runs a program that has one thread; the final value of global `result`.
pub fn result_of(text: &str) -> Result<u64, String> {
    let mut machine = load(text)?;
    loop {
        match run(&machine) {
            Ok(store) => {
                let (loc, size, _) = machine.global("result").ok_or("there is no `result`")?;
                return Ok(store.read(&machine, loc, size).lo);
            }
            Err(Step::Relayout(change)) => machine.adapt(change).map_err(|f| f.message)?,
            Err(Step::Failed(f)) => {
                let place = machine.place(f.site).map_or(String::new(), |p| p.to_string());
                return Err(format!("{place}: {}", f.message));
            }
            Err(other) => return Err(format!("{other:?}")),
        }
    }
}

#[derive(Default)]
struct Store {
    cells: HashMap<Loc, Value>,
    blocks: HashMap<BlockId, (BlockInfo, bool)>,
}

impl Store {
    fn read(&self, machine: &Machine, loc: Loc, size: u8) -> Value {
        if let Some(value) = self.cells.get(&loc) {
            return *value;
        }
        match self.blocks.get(&loc.block()) {
            Some((_, true)) => Value::ZERO,
            Some((_, false)) => Value::UNDEFINED,
            None => machine.initial(loc, size),
        }
    }
}

impl World for Store {
    fn block(&self, block: BlockId) -> Option<BlockInfo> {
        self.blocks.get(&block).map(|(info, _)| *info)
    }
}

fn run(machine: &Machine) -> Result<Store, Step> {
    let mut store = Store::default();
    let mut thread = machine.start(ThreadId::MAIN, machine.main());
    let mut answer = Answer::default();
    loop {
        match machine.resume(&mut thread, answer, &store) {
            Step::Finished(_) => return Ok(store),
            Step::Ask(op, _) => answer = Answer::from(perform(machine, &mut store, op)),
            other => return Err(other),
        }
    }
}

fn perform(machine: &Machine, store: &mut Store, op: Op) -> Value {
    match op {
        Op::Read { loc, size, .. } => store.read(machine, loc, size),
        Op::Write { loc, value, .. } => {
            store.cells.insert(loc, value);
            Value::ZERO
        }
        Op::Rmw { loc, size, rmw, .. } => {
            let old = store.read(machine, loc, size);
            if let Some(new) = rmw.apply(old, size) {
                store.cells.insert(loc, new);
            }
            old
        }
        Op::Alloc { block, size, zeroed, layout, .. } => {
            store.blocks.insert(block, (BlockInfo { size, layout }, zeroed));
            Value::ZERO
        }
        Op::Choose { low, .. } => Value::word(low as u64),
        _ => Value::ZERO,
    }
}
