//! Which threads of a client do the same up to the values they carry.

use lineal_model::object::{ArgClass, Client, Object};

/// The class of each thread, as [`crate::graph::Options::rows`] wants it; empty if threads may be
/// told apart by more than values.
///
/// Calls of one operation are alike if arguments are independent data, by declaration, if threads
/// keep no state and have no number, and if the code that comes after all calls does not look at
/// the object either. A specification of the author's own may tell values apart.
pub fn of(object: &Object, client: &Client) -> Vec<u8> {
    let alike = object.args == Some(ArgClass::Independent)
        && object.values.is_none()
        && !object.numbered
        && object.thread_init.is_empty()
        && object.fini.is_empty()
        && object.roles.is_empty()
        && object.kind != lineal_model::adt::Kind::User
        && client.waits.is_empty()
        && client.threads.iter().all(|t| t.len() == 1);
    if !alike {
        return Vec::new();
    }
    client.threads.iter().map(|t| client.calls[t[0]].operation as u8).collect()
}
