//! Program languages, sets of languages, and the pipeline stages that they are for. The module `profiles` has
//! the facts about each language, as [`super::Profile`] rows.

use super::Profile;
use super::profiles::PROFILES;

named_enum! {
    /// The pipeline stage that a program runs in. The name is in words, e.g. for a tab.
    pub enum Stage(
        /// The GL's name of the program target, without `GL_`.
        pub target_name: &'static str,
        /// The language whose limits the GL reports for the program target. The limits belong to the target,
        /// whatever the header and options of a program (ARB_vertex_program 6.1.12).
        pub usual_language: Language,
    ) {
        /// Runs once per vertex.
        Vertex = "vertex" => ("VERTEX_PROGRAM_NV", Language::ArbVp1),
        /// Runs once per execute command and writes program parameters.
        VertexState = "state" => ("VERTEX_STATE_PROGRAM_NV", Language::ArbVp1),
        /// Runs once per vertex of the output patch.
        TessControl = "tessellation control" => ("TESS_CONTROL_PROGRAM_NV", Language::NvTcp5),
        /// Runs once per vertex of the tessellated patch.
        TessEvaluation = "tessellation evaluation" => ("TESS_EVALUATION_PROGRAM_NV", Language::NvTep5),
        /// Runs once per primitive and emits primitives.
        Geometry = "geometry" => ("GEOMETRY_PROGRAM_NV", Language::NvGp4),
        /// Runs once per fragment.
        Fragment = "fragment" => ("FRAGMENT_PROGRAM_NV", Language::ArbFp1),
    }
}

impl Stage {
    /// Whether several invocations form a thread group: the quad of a fragment, or the patch of a control
    /// program. NV_gpu_program5 2.X.8.Z leaves the choice to the implementation.
    pub const fn has_thread_groups(self) -> bool {
        match self {
            Self::TessControl | Self::Fragment => true,
            Self::Vertex | Self::VertexState | Self::TessEvaluation | Self::Geometry => false,
        }
    }

    /// Whether programs read a primitive or patch, that is, the outputs of the previous stage for several
    /// vertices.
    pub const fn reads_primitives(self) -> bool {
        matches!(self, Self::TessControl | Self::TessEvaluation | Self::Geometry)
    }
}

/// A program language: its header and, for the ARB languages, the option that changes the instruction set.
/// Within a family, each language has all features of the languages before it.
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
    /// `!!NVvp4.0`, NV_vertex_program4.
    NvVp4,
    /// `!!NVfp4.0`, NV_fragment_program4.
    NvFp4,
    /// `!!NVvp5.0`, NV_gpu_program5.
    NvVp5,
    /// `!!NVfp5.0`, NV_gpu_program5.
    NvFp5,
    /// `!!NVgp4.0`, NV_geometry_program4.
    NvGp4,
    /// `!!NVgp5.0`, NV_gpu_program5.
    NvGp5,
    /// `!!NVtcp5.0`, NV_tessellation_program5.
    NvTcp5,
    /// `!!NVtep5.0`, NV_tessellation_program5.
    NvTep5,
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
    /// `!!NVvp4.0`, `!!NVvp5.0`.
    NvVp,
    /// `!!NVfp4.0`, `!!NVfp5.0`.
    NvFp,
    /// `!!NVgp4.0`, `!!NVgp5.0`.
    NvGp,
    /// `!!NVtcp5.0`.
    NvTcp,
    /// `!!NVtep5.0`.
    NvTep,
}

impl Language {
    /// All languages, in the order of their profiles.
    pub const ALL: [Self; PROFILES.len()] = {
        let mut all = [Self::Fp1; PROFILES.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = PROFILES[place].language;
            assert!(all[place] as usize == place, "profiles must be in the order of the languages");
            place += 1;
        }
        all
    };

    #[inline]
    pub const fn profile(self) -> &'static Profile {
        &PROFILES[self as usize]
    }

    /// The text at the start of a program in this language.
    pub const fn header(self) -> &'static str {
        self.profile().header
    }

    /// The option that selects this language instead of [`Self::base`].
    pub const fn option(self) -> Option<&'static str> {
        self.profile().option
    }

    /// The language that the header selects without an option.
    pub const fn base(self) -> Self {
        self.profile().base
    }

    /// The header and option, for display.
    pub const fn name(self) -> &'static str {
        self.profile().name
    }

    /// The extension whose text is cited for the language.
    pub const fn extension(self) -> &'static str {
        self.profile().extension
    }

    /// The family of languages that share the grammar.
    pub const fn family(self) -> Family {
        self.profile().family
    }

    /// The stage that the language's programs run in.
    #[inline]
    pub const fn stage(self) -> Stage {
        self.profile().stage
    }

    /// The language whose header `text` begins with. If several languages share the header, the language
    /// without an option.
    pub fn of_header(text: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|language| text.starts_with(language.header().as_bytes())).map(Self::base)
    }

    /// The first language of each header in `languages`. Languages with the same header differ only in an
    /// option.
    pub fn by_header(languages: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut firsts: Vec<Self> = Vec::new();
        for language in languages {
            if !firsts.iter().any(|first| first.base() == language.base()) {
                firsts.push(language);
            }
        }
        firsts
    }
}

/// A set of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Languages(u32);

impl Languages {
    /// `!!FP1.0`.
    pub const FP1: Self = Self::of(&[Language::Fp1]);
    /// The NV vertex languages, from NV_vertex_program on.
    pub const VP1: Self = Self::of(&[Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vsp1]);
    /// The NV vertex languages from `!!VP1.1` on.
    pub const VP1_1: Self = Self::of(&[Language::Vp1_1, Language::Vp2]);
    /// `!!VP2.0`.
    pub const VP2: Self = Self::of(&[Language::Vp2]);
    /// `!!ARBfp1.0` with any options.
    pub const ARB_FP: Self = Self::of(&[Language::ArbFp1, Language::ArbFp1Nv1, Language::ArbFp1Nv2]);
    /// `!!ARBfp1.0` with OPTION NV_fragment_program or NV_fragment_program2.
    pub const ARB_FP_NV1: Self = Self::of(&[Language::ArbFp1Nv1, Language::ArbFp1Nv2]);
    /// `!!ARBfp1.0` with OPTION NV_fragment_program2.
    pub const ARB_FP_NV2: Self = Self::of(&[Language::ArbFp1Nv2]);
    /// `!!ARBvp1.0` with any options.
    pub const ARB_VP: Self = Self::of(&[Language::ArbVp1, Language::ArbVp1Nv2, Language::ArbVp1Nv3]);
    /// `!!ARBvp1.0` with OPTION NV_vertex_program2 or NV_vertex_program3.
    pub const ARB_VP_NV2: Self = Self::of(&[Language::ArbVp1Nv2, Language::ArbVp1Nv3]);
    /// `!!ARBvp1.0` with OPTION NV_vertex_program3.
    pub const ARB_VP_NV3: Self = Self::of(&[Language::ArbVp1Nv3]);

    /// All languages of NV_gpu_program4 and NV_gpu_program5.
    pub const GPU: Self = Self::GPU_VP.or(Self::GPU_FP).or(Self::GPU_GP).or(Self::GPU_TP);
    /// All languages of NV_gpu_program5.
    pub const GPU_5: Self = Self::of(&[Language::NvVp5, Language::NvFp5, Language::NvGp5]).or(Self::GPU_TP);
    /// `!!NVfp4.0` and `!!NVfp5.0`.
    pub const GPU_FP: Self = Self::of(&[Language::NvFp4, Language::NvFp5]);
    /// `!!NVvp4.0` and `!!NVvp5.0`.
    pub const GPU_VP: Self = Self::of(&[Language::NvVp4, Language::NvVp5]);
    /// `!!NVgp4.0` and `!!NVgp5.0`.
    pub const GPU_GP: Self = Self::of(&[Language::NvGp4, Language::NvGp5]);
    /// `!!NVtcp5.0`.
    pub const GPU_TCP: Self = Self::of(&[Language::NvTcp5]);
    /// `!!NVtep5.0`.
    pub const GPU_TEP: Self = Self::of(&[Language::NvTep5]);
    /// Both tessellation languages.
    pub const GPU_TP: Self = Self::GPU_TCP.or(Self::GPU_TEP);

    /// The languages of fragment programs.
    pub const FRAGMENT: Self = Self::FP1.or(Self::ARB_FP).or(Self::GPU_FP);
    /// `!!VSP1.0`.
    pub const STATE: Self = Self::of(&[Language::Vsp1]);
    /// The languages of vertex programs.
    pub const VERTEX: Self = Self::VP1.without(Self::STATE).or(Self::ARB_VP).or(Self::GPU_VP);

    pub const fn of(languages: &[Language]) -> Self {
        let mut set = 0;
        let mut place = 0;
        while place < languages.len() {
            set |= 1 << languages[place] as u32;
            place += 1;
        }
        Self(set)
    }

    pub const fn contains(self, language: Language) -> bool {
        self.0 & 1 << language as u32 != 0
    }

    /// The union of both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The languages of this set that are not in `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_by_stage_are_those_of_the_profiles() {
        for profile in PROFILES {
            let language = profile.language;
            for (stage, set) in [
                (Stage::Vertex, Languages::VERTEX),
                (Stage::VertexState, Languages::STATE),
                (Stage::TessControl, Languages::GPU_TCP),
                (Stage::TessEvaluation, Languages::GPU_TEP),
                (Stage::Geometry, Languages::GPU_GP),
                (Stage::Fragment, Languages::FRAGMENT),
            ] {
                assert_eq!(set.contains(language), profile.stage == stage, "{}", profile.name);
            }
        }
    }

    #[test]
    fn a_header_is_that_of_the_language_without_options() {
        for language in Language::ALL {
            assert_eq!(
                Language::of_header(format!("{}x", language.header()).as_bytes()),
                Some(language.base())
            );
        }
        assert_eq!(Language::of_header(b" !!FP1.0"), None);
        assert_eq!(Language::of_header(b"!!FP1"), None);
    }
}
