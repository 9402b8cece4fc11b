//! Which invocation of a draw something is about: what can be stepped through.

use shadestep_language::isa::Stage;

/// What can be stepped through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The fragments of a pixel, from the lower left.
    Pixel([u32; 2]),
    /// A vertex, by its number in the vertex arrays.
    Vertex(u32),
    /// An invocation of the tessellation control program.
    Patch {
        /// The patch that it is for, in the order of its instance.
        number: u32,
        /// The vertex of the output patch that it is for.
        invocation: u8,
    },
    /// A vertex that the tessellation evaluation program gives.
    PatchVertex {
        /// The patch, in the order of its instance.
        patch: u32,
        /// Which of the vertices that it is divided at.
        vertex: u32,
    },
    /// An invocation of the geometry program.
    Primitive {
        /// The simple primitive (a point, a line, a triangle, each with what is adjacent) that it is for, in the order of
        /// its instance.
        number: u32,
        /// How many invocations there were for it before.
        invocation: u8,
    },
    /// Execution n, from 0, of those of vertex state programs.
    StateProgram(u8),
}

impl Subject {
    /// What runs for it.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Pixel(_) => Stage::Fragment,
            Self::Vertex(_) => Stage::Vertex,
            Self::Patch { .. } => Stage::TessControl,
            Self::PatchVertex { .. } => Stage::TessEvaluation,
            Self::Primitive { .. } => Stage::Geometry,
            Self::StateProgram(_) => Stage::VertexState,
        }
    }
}

impl std::fmt::Display for Subject {
    /// `Pixel 3, 4`, `Vertex 12`, `Patch 5, invocation 2`, `Patch 5, vertex 12`, `Primitive 5`, `Primitive 5, invocation 2`, `State program 2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pixel([x, y]) => write!(f, "Pixel {x}, {y}"),
            Self::Vertex(element) => write!(f, "Vertex {element}"),
            Self::Patch { number, invocation } => write!(f, "Patch {number}, invocation {invocation}"),
            Self::PatchVertex { patch, vertex } => write!(f, "Patch {patch}, vertex {vertex}"),
            Self::Primitive { number, invocation: 0 } => write!(f, "Primitive {number}"),
            Self::Primitive { number, invocation } => {
                write!(f, "Primitive {number}, invocation {invocation}")
            }
            Self::StateProgram(0) => f.write_str("State program"),
            Self::StateProgram(n) => write!(f, "State program {}", u16::from(*n) + 1),
        }
    }
}
