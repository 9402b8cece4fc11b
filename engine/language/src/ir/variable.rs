//! Names that a program declares for what it reads and writes, for debuggers.

use super::{Attribute, OutputRole};

/// A declared name of an attribute or a result, or of an array of some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The first element.
    pub first: Declared,
    /// Elements of an array.
    pub count: Option<u16>,
}

/// The first element of a declared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// An attribute of the invocation.
    Attribute(Attribute),
    /// An attribute that each vertex of the primitive has, of the first vertex: `name[vertex]`.
    OfVertices(Attribute),
    /// A result.
    Result(OutputRole),
}
