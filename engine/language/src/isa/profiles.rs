//! The profile of each language, one constant per language. To add a language, add its profile here, a
//! variant to [`Language`], and the language to the sets in [`super::Languages`] whose features it has.

use super::TextureTarget;

use super::{
    Addresses, Cc, ConditionNames, DataType, Family, FlowLimits, Language, Limits, Modifier, ModifierOrder,
    Modifiers, Precision, Profile, RegisterFiles, Relative, Saturation, Semantics, Stage,
};

const R: Modifier = Modifier::Precision(Precision::R);
const H: Modifier = Modifier::Precision(Precision::H);
const X: Modifier = Modifier::Precision(Precision::X);
const C: Modifier = Modifier::Cc(Cc::C);
const SAT: Modifier = Modifier::Saturation(Saturation::Unsigned);
const SSAT: Modifier = Modifier::Saturation(Saturation::Signed);

const NO_ADDRESSES: Addresses = Addresses {
    registers: &[],
    components: "",
    offsets: (0, 0),
    chooses: Relative { parameters: false, attributes: false, results: false },
};

/// `!!FP1.0`.
const FP1: Profile = Profile {
    language: Language::Fp1,
    header: "!!FP1.0",
    option: None,
    base: Language::Fp1,
    later: &[],
    name: "!!FP1.0",
    extension: "NV_fragment_program",
    family: Family::Fp,
    family_name: "!!FP1.0",
    stage: Stage::Fragment,
    semantics: Semantics::NV_FRAGMENT,
    keywords: &["OPTION", "DEFINE", "DECLARE", "END"],
    // ARB_fragment_coord_conventions, dependencies on NV_fragment_program.
    options: &["ARB_fragment_coord_origin_upper_left", "ARB_fragment_coord_pixel_center_integer"],
    brings: "",
    files: Some(RegisterFiles { attributes: "f", outputs: Some("o"), parameters: "p" }),
    // Ruling 11 in READINGS.md.
    limits: Limits {
        instructions: 1024,
        alu_instructions: usize::MAX,
        tex_instructions: usize::MAX,
        tex_indirections: usize::MAX,
        temporaries: 32,
        parameters: 64,
        local_parameters: 64,
        attributes: usize::MAX,
        addresses: 0,
    },
    flow: FlowLimits::NV2,
    modifiers: Modifiers::of(&[R, H, X, C, SAT]),
    modifier_order: ModifierOrder::LettersThenClamp,
    addresses: NO_ADDRESSES,
    condition_codes: 1,
    condition_names: ConditionNames::Codes,
    condition_registers: &[("RC", Precision::R), ("HC", Precision::H)],
    absolute_values: true,
    typed: false,
    long_variables: false,
    texture_variables: false,
    plus_signs: true,
    labels: false,
    reserves_words: true,
    names: true,
    literals: true,
    merges_constants: true,
    targets: TextureTarget::FP1,
    half_variables: true,
    wide_coordinates: true,
    reads_one: true,
    colour_letters: false,
    clears_temporaries: true,
    clip_distances: false,
    clips_when_invariant: false,
    relative_when_invariant: false,
    always_sums_colors: false,
};

/// `!!VP1.0`. NV_vertex_program2 2.14.1.2 to 2.14.1.4 and 2.14.1.8 define the registers and limits of the NV
/// vertex languages.
const VP1: Profile = Profile {
    language: Language::Vp1,
    header: "!!VP1.0",
    option: None,
    base: Language::Vp1,
    later: &[Language::Vp1_1, Language::Vp2],
    name: "!!VP1.0",
    extension: "NV_vertex_program2",
    family: Family::Vp,
    family_name: "the NV vertex languages",
    stage: Stage::Vertex,
    semantics: Semantics::NV_VERTEX_1,
    keywords: &["END"],
    options: &[],
    brings: "",
    files: Some(RegisterFiles { attributes: "v", outputs: Some("o"), parameters: "c" }),
    limits: Limits {
        instructions: 128,
        alu_instructions: usize::MAX,
        tex_instructions: 0,
        tex_indirections: 0,
        temporaries: 12,
        parameters: 96,
        local_parameters: 256,
        attributes: 16,
        addresses: 1,
    },
    flow: FlowLimits::NV2,
    modifiers: Modifiers::NONE,
    modifier_order: ModifierOrder::LettersThenClamp,
    addresses: Addresses {
        registers: &["A0"],
        components: "x",
        offsets: (-64, 63),
        chooses: Relative { parameters: true, attributes: false, results: false },
    },
    condition_codes: 0,
    condition_names: ConditionNames::Codes,
    condition_registers: &[],
    absolute_values: false,
    typed: false,
    long_variables: false,
    texture_variables: false,
    plus_signs: false,
    labels: false,
    reserves_words: true,
    names: false,
    literals: false,
    merges_constants: false,
    targets: &[],
    half_variables: false,
    wide_coordinates: false,
    reads_one: true,
    colour_letters: false,
    clears_temporaries: true,
    clip_distances: false,
    // NV vertex programs have no user clipping, position-invariant or not (2.14.1.7).
    clips_when_invariant: false,
    relative_when_invariant: false,
    always_sums_colors: true,
};

/// `!!VP1.1`.
const VP1_1: Profile = Profile {
    language: Language::Vp1_1,
    header: "!!VP1.1",
    base: Language::Vp1_1,
    later: &[Language::Vp2],
    name: "!!VP1.1",
    keywords: &["OPTION", "END"],
    options: &["NV_position_invariant"],
    plus_signs: true,
    ..VP1
};

/// `!!VP2.0`.
const VP2: Profile = Profile {
    language: Language::Vp2,
    header: "!!VP2.0",
    base: Language::Vp2,
    later: &[],
    name: "!!VP2.0",
    semantics: Semantics::NV_VERTEX_2,
    limits: Limits { instructions: 256, temporaries: 16, parameters: 256, addresses: 2, ..VP1.limits },
    modifiers: Modifiers::of(&[C]),
    addresses: Addresses {
        registers: &["A0", "A1"],
        components: "xyzw",
        offsets: (-256, 255),
        ..VP1.addresses
    },
    condition_codes: 1,
    condition_registers: &[("CC", Precision::R)],
    absolute_values: true,
    labels: true,
    reserves_words: false,
    clip_distances: true,
    relative_when_invariant: true,
    ..VP1_1
};

/// `!!VSP1.0`.
const VSP1: Profile = Profile {
    language: Language::Vsp1,
    header: "!!VSP1.0",
    base: Language::Vsp1,
    name: "!!VSP1.0",
    extension: "NV_vertex_program",
    stage: Stage::VertexState,
    files: Some(RegisterFiles { attributes: "v", outputs: None, parameters: "c" }),
    ..VP1
};

/// The options that `!!ARBfp1.0` and the NV fragment languages with types share.
const FRAGMENT_OPTIONS: [&str; 10] = [
    "ARB_fog_exp",
    "ARB_fog_exp2",
    "ARB_fog_linear",
    "ARB_precision_hint_fastest",
    "ARB_precision_hint_nicest",
    "ARB_fragment_program_shadow",
    "ARB_draw_buffers",
    "ATI_draw_buffers",
    "ARB_fragment_coord_origin_upper_left",
    "ARB_fragment_coord_pixel_center_integer",
];

/// Concatenates two lists.
const fn joined<const A: usize, const B: usize, const ALL: usize>(
    first: [&'static str; A],
    second: [&'static str; B],
) -> [&'static str; ALL] {
    let mut all = [""; ALL];
    let mut i = 0;
    while i < ALL {
        all[i] = if i < A { first[i] } else { second[i - A] };
        i += 1;
    }
    all
}

/// `!!ARBfp1.0`. The GL's limits belong to the program target (6.1.12), so options do not change them.
const ARB_FP1: Profile = Profile {
    language: Language::ArbFp1,
    header: "!!ARBfp1.0",
    option: None,
    base: Language::ArbFp1,
    later: &[Language::ArbFp1Nv1, Language::ArbFp1Nv2],
    name: "!!ARBfp1.0",
    extension: "ARB_fragment_program",
    family: Family::ArbFp,
    family_name: "the ARB fragment languages",
    stage: Stage::Fragment,
    semantics: Semantics::ARB,
    keywords: &["ATTRIB", "PARAM", "TEMP", "OUTPUT", "ALIAS", "OPTION", "END"],
    options: &joined::<10, 2, 12>(FRAGMENT_OPTIONS, ["NV_fragment_program", "NV_fragment_program2"]),
    brings: "",
    files: None,
    limits: Limits {
        instructions: 1024,
        alu_instructions: 1024,
        tex_instructions: 1024,
        tex_indirections: 1024,
        temporaries: 64,
        parameters: 256,
        local_parameters: 256,
        attributes: 12,
        addresses: 0,
    },
    flow: FlowLimits::NV2,
    modifiers: Modifiers::of(&[SAT]),
    modifier_order: ModifierOrder::Any,
    addresses: NO_ADDRESSES,
    condition_codes: 0,
    condition_names: ConditionNames::Codes,
    condition_registers: &[],
    absolute_values: false,
    typed: false,
    long_variables: false,
    texture_variables: false,
    plus_signs: true,
    labels: false,
    reserves_words: true,
    names: true,
    literals: true,
    merges_constants: false,
    targets: TextureTarget::ARB,
    half_variables: false,
    wide_coordinates: false,
    reads_one: false,
    colour_letters: true,
    clears_temporaries: false,
    clip_distances: false,
    clips_when_invariant: false,
    relative_when_invariant: false,
    always_sums_colors: false,
};

/// `!!ARBfp1.0` with OPTION NV_fragment_program.
const ARB_FP1_NV1: Profile = Profile {
    language: Language::ArbFp1Nv1,
    option: Some("NV_fragment_program"),
    later: &[Language::ArbFp1Nv2],
    name: "!!ARBfp1.0 + NV_fragment_program",
    extension: "NV_fragment_program_option",
    keywords: &["ATTRIB", "PARAM", "TEMP", "OUTPUT", "ALIAS", "OPTION", "END", "SHORT", "LONG"],
    brings: "Adds condition codes and masks, the precisions R, H and X, |absolute values|, and SHORT and LONG variables.",
    modifiers: Modifiers::of(&[R, H, X, C, SAT]),
    condition_codes: 1,
    condition_registers: &[("CC", Precision::R)],
    absolute_values: true,
    half_variables: true,
    ..ARB_FP1
};

/// `!!ARBfp1.0` with OPTION NV_fragment_program2.
const ARB_FP1_NV2: Profile = Profile {
    language: Language::ArbFp1Nv2,
    option: Some("NV_fragment_program2"),
    later: &[],
    name: "!!ARBfp1.0 + NV_fragment_program2",
    extension: "NV_fragment_program2",
    brings: "Adds everything in NV_fragment_program, plus IF, LOOP and REP blocks, subroutines, _SSAT, fragment.facing, and fragment.texcoord[A0.x+n] in LOOP blocks.",
    modifiers: Modifiers::of(&[R, H, X, C, SAT, SSAT]),
    // The index of LOOP blocks; `<addrRegPosOffset>` (3.11.2).
    addresses: Addresses {
        registers: &["A0"],
        components: "x",
        offsets: (0, 9),
        chooses: Relative { parameters: false, attributes: true, results: false },
    },
    labels: true,
    ..ARB_FP1_NV1
};

/// `!!ARBvp1.0`.
const ARB_VP1: Profile = Profile {
    language: Language::ArbVp1,
    header: "!!ARBvp1.0",
    option: None,
    base: Language::ArbVp1,
    later: &[Language::ArbVp1Nv2, Language::ArbVp1Nv3],
    name: "!!ARBvp1.0",
    extension: "ARB_vertex_program",
    family: Family::ArbVp,
    family_name: "the ARB vertex languages",
    stage: Stage::Vertex,
    keywords: &["ATTRIB", "PARAM", "TEMP", "ADDRESS", "OUTPUT", "ALIAS", "OPTION", "END"],
    options: &[
        "ARB_position_invariant",
        "ARB_fragment_program_shadow",
        "NV_vertex_program2",
        "NV_vertex_program3",
    ],
    limits: Limits {
        instructions: 256,
        alu_instructions: 256,
        tex_instructions: 256,
        tex_indirections: 256,
        temporaries: 16,
        parameters: 256,
        local_parameters: 256,
        attributes: 16,
        addresses: 2,
    },
    modifiers: Modifiers::NONE,
    // `<addrRegRelOffset>` (2.14.2).
    addresses: Addresses {
        registers: &[],
        components: "x",
        offsets: (-64, 63),
        chooses: Relative { parameters: true, attributes: false, results: false },
    },
    targets: &[],
    colour_letters: false,
    clips_when_invariant: true,
    relative_when_invariant: true,
    ..ARB_FP1
};

/// `!!ARBvp1.0` with OPTION NV_vertex_program2.
const ARB_VP1_NV2: Profile = Profile {
    language: Language::ArbVp1Nv2,
    option: Some("NV_vertex_program2"),
    later: &[Language::ArbVp1Nv3],
    name: "!!ARBvp1.0 + NV_vertex_program2",
    extension: "NV_vertex_program2_option",
    brings: "Adds condition codes and masks, |absolute values|, labels and branches, address registers with four components, and result.clip[n].",
    modifiers: Modifiers::of(&[C]),
    // Any integer (`<arrayMemRelOffset>` of 2.14.2, ruling 8).
    addresses: Addresses { components: "xyzw", offsets: (i64::MIN, i64::MAX), ..ARB_VP1.addresses },
    condition_codes: 1,
    condition_registers: &[("CC", Precision::R)],
    absolute_values: true,
    labels: true,
    clip_distances: true,
    ..ARB_VP1
};

/// `!!ARBvp1.0` with OPTION NV_vertex_program3.
const ARB_VP1_NV3: Profile = Profile {
    language: Language::ArbVp1Nv3,
    option: Some("NV_vertex_program3"),
    later: &[],
    name: "!!ARBvp1.0 + NV_vertex_program3",
    extension: "NV_vertex_program3",
    brings: "Adds everything in NV_vertex_program2, plus texture lookups, a second condition code register, _SAT, PUSHA and POPA, and attributes and results indexed by an address register.",
    modifiers: Modifiers::of(&[C, Modifier::Cc(Cc::C0), Modifier::Cc(Cc::C1), SAT]),
    addresses: Addresses {
        chooses: Relative { parameters: true, attributes: true, results: true },
        ..ARB_VP1_NV2.addresses
    },
    condition_codes: 2,
    targets: TextureTarget::ARB,
    ..ARB_VP1_NV2
};

/// The modifiers of NV_gpu_program4 (Tables X.14 and X.15).
const GPU_4: Modifiers = Modifiers::of(&[
    R,
    H,
    data(DataType::F),
    data(DataType::U),
    data(DataType::S),
    data(DataType::S24),
    data(DataType::U24),
    C,
    Modifier::Cc(Cc::C0),
    Modifier::Cc(Cc::C1),
    SAT,
    SSAT,
    Modifier::NoTypeCheck,
]);

/// The modifiers that NV_gpu_program5 adds, without the storage modifiers of memory instructions (its Table
/// X.14).
const GPU_5: Modifiers = Modifiers::FORMATS.or(Modifiers::ROUNDINGS).or(Modifiers::of(&[Modifier::Precise]));

const fn data(data: DataType) -> Modifier {
    Modifier::Data(data)
}

/// Keywords that the languages of NV_gpu_program4 share.
const KEYWORDS_4: [&str; 14] = [
    "ATTRIB", "PARAM", "TEMP", "OUTPUT", "ALIAS", "BUFFER", "BUFFER4", "CBUFFER", "OPTION", "INT", "UINT",
    "FLOAT", "SHORT", "LONG",
];

/// Keywords that the languages of NV_gpu_program5 share.
const KEYWORDS_5: [&str; 18] = [
    "ATTRIB",
    "PARAM",
    "TEMP",
    "OUTPUT",
    "ALIAS",
    "TEXTURE",
    "IMAGE",
    "BUFFER",
    "BUFFER4",
    "CBUFFER",
    "SUBROUTINETYPE",
    "SUBROUTINE",
    "OPTION",
    "INT",
    "UINT",
    "FLOAT",
    "SHORT",
    "LONG",
];

/// `!!NVvp4.0`. The specification leaves the limits to the GL.
const NV_VP4: Profile = Profile {
    language: Language::NvVp4,
    header: "!!NVvp4.0",
    option: None,
    base: Language::NvVp4,
    later: &[Language::NvVp5],
    name: "!!NVvp4.0",
    extension: "NV_vertex_program4",
    family: Family::NvVp,
    family_name: "the NV vertex languages with types",
    stage: Stage::Vertex,
    semantics: Semantics::NV_GPU4,
    keywords: &joined::<14, 1, 15>(KEYWORDS_4, ["END"]),
    options: &[
        "ARB_position_invariant",
        "NV_shader_buffer_load",
        "NV_parameter_buffer_object2",
        "NV_texture_multisample",
        "NV_explicit_multisample",
    ],
    limits: Limits {
        instructions: 16384,
        alu_instructions: 16384,
        tex_instructions: 16384,
        tex_indirections: 16384,
        temporaries: 1024,
        parameters: 1024,
        local_parameters: 256,
        attributes: 16,
        addresses: 0,
    },
    flow: FlowLimits::NV_GPU4,
    modifiers: GPU_4,
    modifier_order: ModifierOrder::Dotted,
    // Offsets of 0 to n - 1 are legal, where n is the size of the indexed array (2.X.4.2, ruling 5).
    addresses: Addresses {
        registers: &[],
        components: "xyzw",
        offsets: (0, u16::MAX as i64),
        chooses: Relative { parameters: true, attributes: true, results: true },
    },
    condition_codes: 2,
    condition_names: ConditionNames::Flags,
    absolute_values: true,
    typed: true,
    labels: true,
    reserves_words: false,
    targets: TextureTarget::GPU_4,
    half_variables: true,
    colour_letters: true,
    clip_distances: true,
    ..ARB_VP1
};

/// `!!NVfp4.0`.
const NV_FP4: Profile = Profile {
    language: Language::NvFp4,
    header: "!!NVfp4.0",
    base: Language::NvFp4,
    later: &[Language::NvFp5],
    name: "!!NVfp4.0",
    extension: "NV_fragment_program4",
    family: Family::NvFp,
    family_name: "the NV fragment languages with types",
    stage: Stage::Fragment,
    keywords: &joined::<14, 4, 18>(KEYWORDS_4, ["FLAT", "CENTROID", "NOPERSPECTIVE", "END"]),
    options: &joined::<10, 4, 14>(
        FRAGMENT_OPTIONS,
        [
            "NV_shader_buffer_load",
            "NV_parameter_buffer_object2",
            "NV_texture_multisample",
            "NV_explicit_multisample",
        ],
    ),
    limits: Limits { attributes: 32, ..NV_VP4.limits },
    clip_distances: false,
    clips_when_invariant: false,
    relative_when_invariant: false,
    ..NV_VP4
};

/// `!!NVvp5.0`.
const NV_VP5: Profile = Profile {
    language: Language::NvVp5,
    header: "!!NVvp5.0",
    base: Language::NvVp5,
    later: &[],
    name: "!!NVvp5.0",
    extension: "NV_gpu_program5",
    keywords: &joined::<18, 1, 19>(KEYWORDS_5, ["END"]),
    options: &[
        "ARB_position_invariant",
        "NV_shader_buffer_load",
        "NV_parameter_buffer_object2",
        "NV_gpu_program5_mem_extended",
        "NV_texture_multisample",
        "NV_explicit_multisample",
    ],
    modifiers: GPU_4.or(GPU_5),
    long_variables: true,
    texture_variables: true,
    targets: TextureTarget::GPU_5,
    ..NV_VP4
};

/// `!!NVfp5.0`.
const NV_FP5: Profile = Profile {
    language: Language::NvFp5,
    header: "!!NVfp5.0",
    base: Language::NvFp5,
    later: &[],
    name: "!!NVfp5.0",
    extension: "NV_gpu_program5",
    keywords: &joined::<18, 5, 23>(KEYWORDS_5, ["FLAT", "CENTROID", "NOPERSPECTIVE", "SAMPLE", "END"]),
    options: &joined::<10, 7, 17>(
        FRAGMENT_OPTIONS,
        [
            "ARB_blend_func_extended",
            "NV_early_fragment_tests",
            "NV_shader_buffer_load",
            "NV_parameter_buffer_object2",
            "NV_gpu_program5_mem_extended",
            "NV_texture_multisample",
            "NV_explicit_multisample",
        ],
    ),
    modifiers: GPU_4.or(GPU_5),
    long_variables: true,
    texture_variables: true,
    targets: TextureTarget::GPU_5,
    ..NV_FP4
};

/// `!!NVgp4.0`. It has no options of its own (NV_geometry_program4 2.X.6.Y).
const NV_GP4: Profile = Profile {
    language: Language::NvGp4,
    header: "!!NVgp4.0",
    base: Language::NvGp4,
    later: &[Language::NvGp5],
    name: "!!NVgp4.0",
    extension: "NV_geometry_program4",
    family: Family::NvGp,
    family_name: "the NV geometry languages",
    stage: Stage::Geometry,
    keywords: &joined::<14, 4, 18>(KEYWORDS_4, ["PRIMITIVE_IN", "PRIMITIVE_OUT", "VERTICES_OUT", "END"]),
    options: &[
        "NV_shader_buffer_load",
        "NV_parameter_buffer_object2",
        "NV_texture_multisample",
        "NV_explicit_multisample",
    ],
    limits: Limits { attributes: 32, ..NV_VP4.limits },
    clips_when_invariant: false,
    relative_when_invariant: false,
    ..NV_VP4
};

/// `!!NVgp5.0`.
const NV_GP5: Profile = Profile {
    language: Language::NvGp5,
    header: "!!NVgp5.0",
    base: Language::NvGp5,
    later: &[],
    name: "!!NVgp5.0",
    extension: "NV_gpu_program5",
    keywords: &joined::<18, 5, 23>(
        KEYWORDS_5,
        ["PRIMITIVE_IN", "PRIMITIVE_OUT", "VERTICES_OUT", "INVOCATIONS", "END"],
    ),
    options: &[
        "NV_shader_buffer_load",
        "NV_parameter_buffer_object2",
        "NV_gpu_program5_mem_extended",
        "NV_texture_multisample",
        "NV_explicit_multisample",
    ],
    modifiers: GPU_4.or(GPU_5),
    long_variables: true,
    texture_variables: true,
    targets: TextureTarget::GPU_5,
    ..NV_GP4
};

/// `!!NVtcp5.0`. It has no options of its own (NV_tessellation_program5 2.X.6.Y).
const NV_TCP5: Profile = Profile {
    language: Language::NvTcp5,
    header: "!!NVtcp5.0",
    base: Language::NvTcp5,
    name: "!!NVtcp5.0",
    extension: "NV_tessellation_program5",
    family: Family::NvTcp,
    family_name: "the NV tessellation control language",
    stage: Stage::TessControl,
    keywords: &joined::<18, 2, 20>(KEYWORDS_5, ["VERTICES_OUT", "END"]),
    ..NV_GP5
};

/// `!!NVtep5.0`. It has no options of its own (NV_tessellation_program5 2.X.6.Y).
const NV_TEP5: Profile = Profile {
    language: Language::NvTep5,
    header: "!!NVtep5.0",
    base: Language::NvTep5,
    name: "!!NVtep5.0",
    family: Family::NvTep,
    family_name: "the NV tessellation evaluation language",
    stage: Stage::TessEvaluation,
    keywords: &joined::<18, 5, 23>(
        KEYWORDS_5,
        ["TESS_MODE", "TESS_SPACING", "TESS_VERTEX_ORDER", "TESS_POINT_MODE", "END"],
    ),
    ..NV_TCP5
};

/// Every language, in the order of [`Language`].
pub(super) const PROFILES: &[Profile; 19] = &[
    FP1,
    VP1,
    VP1_1,
    VP2,
    VSP1,
    ARB_FP1,
    ARB_FP1_NV1,
    ARB_FP1_NV2,
    ARB_VP1,
    ARB_VP1_NV2,
    ARB_VP1_NV3,
    NV_VP4,
    NV_FP4,
    NV_VP5,
    NV_FP5,
    NV_GP4,
    NV_GP5,
    NV_TCP5,
    NV_TEP5,
];
