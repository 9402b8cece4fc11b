//! Identifies one invocation of a draw, for reports and for the debugger.

use shadestep_language::isa::Stage;

/// An invocation that the debugger can step through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The fragments of a pixel; the coordinates count from the lower left.
    Pixel([u32; 2]),
    /// A vertex, by its index in the vertex arrays.
    Vertex(u32),
    /// An invocation of the tessellation control program.
    Patch {
        /// Index of the patch in its instance.
        number: u32,
        /// Index of the vertex of the output patch, which is the invocation number.
        invocation: u8,
    },
    /// An invocation of the tessellation evaluation program: one vertex of a tessellated patch.
    PatchVertex {
        /// Index of the patch in its instance.
        patch: u32,
        /// Index of the vertex among those of the tessellated patch.
        vertex: u32,
    },
    /// An invocation of the geometry program.
    Primitive {
        /// Index of the basic primitive (point, line or triangle, with or without adjacency) in its instance.
        number: u32,
        /// Number of the invocation for this primitive, from 0.
        invocation: u8,
    },
    /// An execution of a vertex state program, from 0.
    StateProgram(u8),
}

impl Subject {
    /// The program stage of the invocation.
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
    /// For example `Pixel 3, 4`, `Vertex 12`, `Patch 5, invocation 2`, `Patch 5, vertex 12`, `Primitive 5`,
    /// `Primitive 5, invocation 2`, `State program 2`.
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
