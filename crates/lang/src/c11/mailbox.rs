//! The globals through which functions that run alone are given their arguments and answer: see
//! [`Mailbox`].

use lineal_model::adt::user::Mailbox;
use lineal_model::program::Machine;

/// Their definitions in C, with so many inputs.
pub fn globals(inputs: usize) -> String {
    format!("static long long __lineal_in[{inputs}], __lineal_said, __lineal_none;\n")
}

/// Where they are in a program that has them.
pub fn bound(machine: &Machine, inputs: usize) -> Mailbox {
    let global = |name: &str| machine.global(name).expect("a global of the mailbox").0;
    Mailbox {
        inputs: global("__lineal_in[0]"),
        count: inputs as u32,
        answer: global("__lineal_said"),
        empty: global("__lineal_none"),
    }
}
