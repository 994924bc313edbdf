//! What the check of an object refuses, as diagnostics.

use lineal_check::conform::Refused;
use lineal_check::reference::Fault;
use lineal_model::Diagnostic;
use lineal_model::object::{Client, Object};

pub fn words(object: &Object, why: Refused) -> Diagnostic {
    match why {
        Refused::Unfit { operation, number } => {
            let operation = &object.operations[operation];
            let text = format!(
                "`{}` cannot be called with {number}: its parameter's type has no such number",
                operation.name
            );
            Diagnostic::error("L0127", text)
                .at(operation.call.at.clone())
                .help("declare the numbers to try, all of which fit: #pragma lineal values 0..1")
        }
        Refused::NeverReturns { operation } => {
            let operation = &object.operations[operation];
            Diagnostic::error("L0128", format!("`{}` never returns", operation.name))
                .at(operation.call.at.clone())
                .note("no execution of any client completes a call of it", None)
                .help("an operation may wait for others, but something must end its wait; --calls may be too small, or a loop never ends")
        }
        Refused::Arguments { class, client, other, fault } => {
            let calls = |c: &Client| object.show_client(c);
            let class = class.word();
            let claim = Diagnostic::error("L0129", format!("the arguments do not keep to args={class}, as declared"))
                .at(object.at.clone())
                .note(format!("{} and {} behave differently", calls(&client), calls(&other)), None)
                .help("declare a wider class (args=equality, args=order), or a finite domain: #pragma lineal values 0..3");
            match fault {
                Some(fault) => {
                    claim.note(format!("then {}", specification(object, &other, fault).message), None)
                }
                None => claim,
            }
        }
        Refused::Specification { client, fault } => specification(object, &client, fault),
        Refused::Sequentially { client, witness } => {
            let text = format!("the object goes wrong under sequential consistency already: {}", witness.why);
            let found = Diagnostic::error("L0132", text)
                .note(format!("in the client {}", object.show_client(&client)), None)
                .help("whether weak memory adds anything is asked of objects that are safe without it; see the violation with: lineal check FILE --memory sc");
            match witness.at {
                Some(at) if !at.file.starts_with('<') => found.at(at),
                _ => found,
            }
        }
        Refused::Other { client, name, witness } => {
            let text = format!("the specification {name} goes wrong: {}", witness.why);
            let found = Diagnostic::error("L0126", text)
                .note(format!("in the client {}", object.show_client(&client)), None)
                .help(format!("nothing follows about the object; see it with: lineal check {name}"));
            match witness.at {
                Some(at) if !at.file.starts_with('<') => found.at(at),
                _ => found,
            }
        }
    }
}

/// The specification itself went wrong.
fn specification(object: &Object, client: &Client, fault: Fault) -> Diagnostic {
    let operation = fault.call.map(|c| &object.operations[client.calls[c].operation]);
    let what = match operation {
        Some(o) => format!("the specification of `{}`: {}", o.name, fault.message),
        None => format!("what sets the specification up: {}", fault.message),
    };
    let declared = match operation {
        Some(o) => o.spec.as_ref(),
        None => object.spec_init.first(),
    };
    // What is generated is about the line it was generated from.
    let own = fault.at.filter(|at| !at.file.starts_with('<'));
    let at = own.unwrap_or_else(|| declared.map_or(object.at.clone(), |code| code.at.clone()));
    let found = Diagnostic::error("L0126", what).at(at);
    match fault.asserted {
        true => found
            .note("the search tries orders of the calls that did not happen", None)
            .help("say `__VERIFIER_assume(condition)` where an operation is not possible otherwise"),
        false => found,
    }
}
