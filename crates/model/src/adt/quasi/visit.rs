//! Whatever is to be done with a type, done with the type relaxed.

use super::erased::{Erased, Numbered};
use super::{Quasi, Relaxation, Semantics, Windows};
use crate::adt::{Adt, Object, Visit};
use crate::history::History;

pub struct Visited<'a, V> {
    pub visitor: V,
    pub relaxation: &'a Relaxation,
    pub object: &'a Object,
    /// Has the calls that continuations may make.
    pub history: &'a History,
}

impl<V: Visit> Visit for Visited<'_, V> {
    type Out = V::Out;

    fn visit<A: Adt>(self, adt: &A) -> V::Out {
        let Visited { visitor, relaxation, object, history } = self;
        match relaxation.semantics {
            Semantics::Windows => {
                visitor.visit(&Erased(&Numbered::new(Windows::new(adt, relaxation, object, history))))
            }
            _ => visitor.visit(&Erased(&Numbered::new(Quasi::new(adt, relaxation, object, history)))),
        }
    }
}
