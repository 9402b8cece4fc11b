//! Declared names of attributes and results. The debugger looks registers up by these names; instructions
//! refer to registers.
//! registers.

use super::{Attribute, OutputRole};

/// A declared name of an attribute or a result, or of an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// The only element, or the first of an array.
    pub first: Declared,
    /// The number of elements of an array; `None` for a single register.
    pub count: Option<u16>,
}

/// The first element of a declared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// An attribute of the invocation.
    Attribute(Attribute),
    /// A result of every vertex of the primitive, written `name[vertex]`. The attribute is that of vertex 0.
    OfVertices(Attribute),
    /// A result.
    Result(OutputRole),
}
