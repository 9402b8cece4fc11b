//! Program languages: header, option, stage, and which instruction set each has.

/// What a program runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Each vertex (`VERTEX_PROGRAM_NV`).
    Vertex,
    /// Once, when it is executed; it writes program parameters (`VERTEX_STATE_PROGRAM_NV`).
    VertexState,
    /// Each fragment (`FRAGMENT_PROGRAM_NV`).
    Fragment,
}

impl Stage {
    /// The name in words, e.g. for a tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::VertexState => "state",
            Self::Fragment => "fragment",
        }
    }
}

/// A program language: its header, and for the ARB languages the option that changes the instruction set.
/// Within a family each has what the ones before have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// `!!FP1.0`, NV_fragment_program.
    Fp1,
    /// `!!VP1.0`, NV_vertex_program.
    Vp1,
    /// `!!VP1.1`, NV_vertex_program1_1.
    Vp1_1,
    /// `!!VP2.0`, NV_vertex_program2.
    Vp2,
    /// `!!VSP1.0`, NV_vertex_program.
    Vsp1,
    /// `!!ARBfp1.0`, ARB_fragment_program.
    ArbFp1,
    /// `!!ARBfp1.0` with `OPTION NV_fragment_program`.
    ArbFp1Nv1,
    /// `!!ARBfp1.0` with `OPTION NV_fragment_program2`.
    ArbFp1Nv2,
    /// `!!ARBvp1.0`, ARB_vertex_program.
    ArbVp1,
    /// `!!ARBvp1.0` with `OPTION NV_vertex_program2`.
    ArbVp1Nv2,
    /// `!!ARBvp1.0` with `OPTION NV_vertex_program3`.
    ArbVp1Nv3,
}

/// Languages that share a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// `!!FP1.0`.
    Fp,
    /// `!!VP1.0`, `!!VP1.1`, `!!VP2.0`, `!!VSP1.0`.
    Vp,
    /// `!!ARBfp1.0` with any options.
    ArbFp,
    /// `!!ARBvp1.0` with any options.
    ArbVp,
}

impl Language {
    /// All of them, loadable or not; [`crate::front::LANGUAGES`] has those that load.
    pub const ALL: [Self; 11] = [
        Self::Fp1,
        Self::Vp1,
        Self::Vp1_1,
        Self::Vp2,
        Self::Vsp1,
        Self::ArbFp1,
        Self::ArbFp1Nv1,
        Self::ArbFp1Nv2,
        Self::ArbVp1,
        Self::ArbVp1Nv2,
        Self::ArbVp1Nv3,
    ];

    /// The bytes a program in this language begins with.
    pub const fn header(self) -> &'static str {
        match self {
            Self::Fp1 => "!!FP1.0",
            Self::Vp1 => "!!VP1.0",
            Self::Vp1_1 => "!!VP1.1",
            Self::Vp2 => "!!VP2.0",
            Self::Vsp1 => "!!VSP1.0",
            Self::ArbFp1 | Self::ArbFp1Nv1 | Self::ArbFp1Nv2 => "!!ARBfp1.0",
            Self::ArbVp1 | Self::ArbVp1Nv2 | Self::ArbVp1Nv3 => "!!ARBvp1.0",
        }
    }

    /// The option that makes it this language rather than [`Self::base`].
    pub const fn option(self) -> Option<&'static str> {
        match self {
            Self::ArbFp1Nv1 => Some("NV_fragment_program"),
            Self::ArbFp1Nv2 => Some("NV_fragment_program2"),
            Self::ArbVp1Nv2 => Some("NV_vertex_program2"),
            Self::ArbVp1Nv3 => Some("NV_vertex_program3"),
            Self::Fp1 | Self::Vp1 | Self::Vp1_1 | Self::Vp2 | Self::Vsp1 | Self::ArbFp1 | Self::ArbVp1 => {
                None
            }
        }
    }

    /// The language of the header alone.
    pub const fn base(self) -> Self {
        match self {
            Self::ArbFp1 | Self::ArbFp1Nv1 | Self::ArbFp1Nv2 => Self::ArbFp1,
            Self::ArbVp1 | Self::ArbVp1Nv2 | Self::ArbVp1Nv3 => Self::ArbVp1,
            Self::Fp1 | Self::Vp1 | Self::Vp1_1 | Self::Vp2 | Self::Vsp1 => self,
        }
    }

    /// Header and option, for display.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ArbFp1Nv1 => "!!ARBfp1.0 + NV_fragment_program",
            Self::ArbFp1Nv2 => "!!ARBfp1.0 + NV_fragment_program2",
            Self::ArbVp1Nv2 => "!!ARBvp1.0 + NV_vertex_program2",
            Self::ArbVp1Nv3 => "!!ARBvp1.0 + NV_vertex_program3",
            Self::Fp1 | Self::Vp1 | Self::Vp1_1 | Self::Vp2 | Self::Vsp1 | Self::ArbFp1 | Self::ArbVp1 => {
                self.header()
            }
        }
    }

    /// The extension whose text is cited for the language. That of NV_vertex_program2 restates and
    /// replaces the older vertex languages' (its section 2.14); state programs are only in the first.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Fp1 => "NV_fragment_program",
            Self::Vp1 | Self::Vp1_1 | Self::Vp2 => "NV_vertex_program2",
            Self::Vsp1 => "NV_vertex_program",
            Self::ArbFp1 => "ARB_fragment_program",
            Self::ArbFp1Nv1 => "NV_fragment_program_option",
            Self::ArbFp1Nv2 => "NV_fragment_program2",
            Self::ArbVp1 => "ARB_vertex_program",
            Self::ArbVp1Nv2 => "NV_vertex_program2_option",
            Self::ArbVp1Nv3 => "NV_vertex_program3",
        }
    }

    /// The languages it shares its grammar with.
    pub const fn family(self) -> Family {
        match self {
            Self::Fp1 => Family::Fp,
            Self::Vp1 | Self::Vp1_1 | Self::Vp2 | Self::Vsp1 => Family::Vp,
            Self::ArbFp1 | Self::ArbFp1Nv1 | Self::ArbFp1Nv2 => Family::ArbFp,
            Self::ArbVp1 | Self::ArbVp1Nv2 | Self::ArbVp1Nv3 => Family::ArbVp,
        }
    }

    /// Whether its programs write clip distances (NV_vertex_program2 2.11, NV_vertex_program2_option 2.11).
    pub const fn has_clip_distances(self) -> bool {
        matches!(self, Self::Vp2 | Self::ArbVp1Nv2 | Self::ArbVp1Nv3)
    }

    /// Whether it is one of the ARB languages.
    pub const fn is_arb(self) -> bool {
        matches!(self.family(), Family::ArbFp | Family::ArbVp)
    }

    /// What its programs run on.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Vsp1 => Stage::VertexState,
            _ => match self.family() {
                Family::Fp | Family::ArbFp => Stage::Fragment,
                Family::Vp | Family::ArbVp => Stage::Vertex,
            },
        }
    }

    /// Which version of the NV vertex instruction set it has, if it is one of those languages.
    pub const fn vertex_version(self) -> Option<VertexVersion> {
        match self {
            Self::Vp1 | Self::Vsp1 => Some(VertexVersion::Vp1),
            Self::Vp1_1 => Some(VertexVersion::Vp1_1),
            Self::Vp2 => Some(VertexVersion::Vp2),
            _ => None,
        }
    }

    /// Place among the three languages of an ARB family; 0 for the others.
    pub(super) const fn arb_place(self) -> usize {
        match self {
            Self::ArbFp1Nv1 | Self::ArbVp1Nv2 => 1,
            Self::ArbFp1Nv2 | Self::ArbVp1Nv3 => 2,
            _ => 0,
        }
    }
}

/// Versions of the NV vertex instruction set; each has what the ones before have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VertexVersion {
    /// NV_vertex_program.
    Vp1,
    /// NV_vertex_program1_1.
    Vp1_1,
    /// NV_vertex_program2.
    Vp2,
}
