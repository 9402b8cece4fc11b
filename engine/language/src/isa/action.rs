//! The action of an instruction: the column of the table that decides which IR a front end makes, which IR
//! the verifier accepts, and where blocks begin and end.

#![deny(clippy::wildcard_enum_match_arm)]

use super::Type;

/// The effect of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Computes its result from its operands, with the plan in the row.
    Computes,
    /// Loads its result from a parameter buffer (LDC).
    LoadsConstants,
    /// Converts its operand to the types of the instruction's name (CVT).
    Converts,
    /// Reads a texture, with the plan in the row.
    LooksUp,
    /// Discards the fragment (KIL).
    Discards,
    /// Selects the next instruction, or uses the stack of addresses.
    Flow(Flow),
    /// Accesses memory or an image.
    Accesses(AccessKind, AccessPlace),
    /// Emits geometry.
    Emits(Emit),
    /// Orders memory accesses (MEMBAR).
    Orders,
}

/// A flow instruction. [`crate::ir::Control`] describes the effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    Branch,
    Call,
    CallIndirect,
    Return,
    If,
    Else,
    EndIf,
    Loop,
    EndLoop,
    Rep,
    EndRep,
    Break,
    Continue,
    PushAddress,
    PopAddress,
}

/// A kind of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    If,
    /// A loop with an index.
    Loop,
    /// A loop without an index.
    Rep,
}

/// The effect of an instruction on the blocks of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockEdge {
    Opens(Block),
    /// Splits an IF block (ELSE).
    Splits,
    Closes(Block),
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    Load,
    Store,
    Atomic,
}

/// The place of the accessed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessPlace {
    /// A memory address.
    Address,
    /// A texel of an image.
    Image,
}

crate::named_enum! {
    /// An instruction that emits geometry (NV_geometry_program4 2.X.8, NV_gpu_program5 2.X.8).
    pub enum Emit {
        /// Emits a vertex with the current results to stream 0. The results are undefined afterwards.
        Vertex = "EMIT",
        /// As EMIT, to the stream in operand 0.
        ToStream = "EMITS",
        /// Ends the primitive. The results keep their values.
        EndPrimitive = "ENDPRIM",
    }

    /// A program option that adds instructions or modifiers that access memory. The extension of an option has
    /// the same name.
    pub enum MemoryOption {
        /// LOAD, in NV_gpu_program4.
        BufferLoads = "NV_shader_buffer_load",
        /// CBUFFER and LDC, in NV_gpu_program4.
        ConstantBuffers = "NV_parameter_buffer_object2",
        /// Further storage modifiers, in NV_gpu_program5.
        ExtendedStorage = "NV_gpu_program5_mem_extended",
    }
}

impl Action {
    /// The place of the data that the instruction accesses. `None` if it accesses no data at an address.
    pub const fn place(self) -> Option<AccessPlace> {
        if let Self::Accesses(_, place) = self { Some(place) } else { None }
    }

    /// The effect on the blocks of the text. `None` if the instruction neither begins nor ends a block.
    pub const fn edge(self) -> Option<BlockEdge> {
        let Self::Flow(flow) = self else { return None };
        match flow {
            Flow::If => Some(BlockEdge::Opens(Block::If)),
            Flow::Loop => Some(BlockEdge::Opens(Block::Loop)),
            Flow::Rep => Some(BlockEdge::Opens(Block::Rep)),
            Flow::Else => Some(BlockEdge::Splits),
            Flow::EndIf => Some(BlockEdge::Closes(Block::If)),
            Flow::EndLoop => Some(BlockEdge::Closes(Block::Loop)),
            Flow::EndRep => Some(BlockEdge::Closes(Block::Rep)),
            Flow::Branch
            | Flow::Call
            | Flow::CallIndirect
            | Flow::Return
            | Flow::Break
            | Flow::Continue
            | Flow::PushAddress
            | Flow::PopAddress => None,
        }
    }
}

impl BlockEdge {
    /// Whether a block, or a part of a block, ends before the instruction.
    pub const fn ends(self) -> bool {
        !matches!(self, Self::Opens(_))
    }

    /// Whether a block, or a part of a block, begins after the instruction.
    pub const fn begins(self) -> bool {
        !matches!(self, Self::Closes(_))
    }
}

impl Block {
    /// The name of the instruction that opens the block.
    pub const fn name(self) -> &'static str {
        match self {
            Self::If => "IF",
            Self::Loop => "LOOP",
            Self::Rep => "REP",
        }
    }

    /// The name of the instruction that closes the block.
    pub const fn end(self) -> &'static str {
        match self {
            Self::If => "ENDIF",
            Self::Loop => "ENDLOOP",
            Self::Rep => "ENDREP",
        }
    }

    /// Whether the block repeats.
    pub const fn is_loop(self) -> bool {
        !matches!(self, Self::If)
    }
}

impl AccessKind {
    /// The index of the operand with the location.
    pub const fn location_operand(self) -> u8 {
        match self {
            Self::Load => 0,
            Self::Store | Self::Atomic => 1,
        }
    }
}

impl AccessPlace {
    /// The type of the location.
    pub const fn location_type(self) -> Type {
        match self {
            Self::Address => Type::U64,
            Self::Image => Type::S32,
        }
    }
}
