//! Codes about headers, options, and features of other languages.

use super::{GRAMMAR, codes};

codes! { Error
    HEADER_MISSING "header-missing" &["NV_fragment_program 3.11.3"],
        "A program begins with a header that names its language.",
        "MOV o[COLR], f[COL0];\nEND", "MOV" => "!!FP1.0\nMOV";
    HEADER_NOT_FIRST "header-not-first" &[
            "NV_fragment_program 3.11.3", "NV_vertex_program2 2.14.1.8", "ARB_fragment_program 3.11.2",
            "ARB_vertex_program 2.14.2", "NV_vertex_program4 2.X.2", "NV_fragment_program4 2.X.2",
            "NV_geometry_program4 2.X.2", "NV_gpu_program5 2.X.2", "NV_tessellation_program5 2.X.2",
        ],
        "The header is the first text of a program. No byte order mark, whitespace or comment comes before it.",
        "# A shader\n!!FP1.0\nMOV o[COLR], f[COL0];\nEND", "# A shader\n!!FP1.0" => "!!FP1.0\n# A shader";
    HEADER_OTHER_TARGET "header-other-target" &["NV_fragment_program 5.7"],
        "A program is loaded for the stage that its header names.";
    HEADER_UNKNOWN "header-unknown" &["NV_fragment_program 3.11.3"],
        "Shadestep knows the header in exactly one spelling, such as `!!FP1.0`.",
        "!!fp1.0\nMOV o[COLR], f[COL0];\nEND", "fp" => "FP";
    HEADER_UNSUPPORTED "header-unsupported" &["NV_fragment_program 3.11.3"],
        "Shadestep does not load the language of this header.",
        "!!FP2.0\nMOV o[COLR], f[COL0];\nEND", "FP2" => "FP1";
    FP1_UNKNOWN_OPTION "fp1-unknown-option" &["ARB_fragment_coord_conventions 3.11.1.1"],
        "An OPTION statement names an option of the language.",
        "!!FP1.0\nOPTION ARB_fog_exp;\nMOV o[COLR], f[COL0];\nEND", "OPTION ARB_fog_exp;\n" => "";
    FP1_LATE_OPTION "fp1-late-option" &["ARB_fragment_coord_conventions 3.11.1.1"],
        "OPTION statements come before all others.",
        "!!FP1.0\nMOV o[COLR], f[WPOS];\nOPTION ARB_fragment_coord_origin_upper_left;\nEND",
        "MOV o[COLR], f[WPOS];\nOPTION ARB_fragment_coord_origin_upper_left;" =>
            "OPTION ARB_fragment_coord_origin_upper_left;\nMOV o[COLR], f[WPOS];";
    VP_UNKNOWN_OPTION "vp-unknown-option" &["NV_vertex_program2 2.14.6"],
        "An OPTION statement names an option of the language.",
        "!!VP1.1\nOPTION ARB_position_invariant;\nMOV o[COL0], v[COL0];\nEND", "ARB" => "NV";
    VP_LATE_OPTION "vp-late-option" &["NV_vertex_program2 2.14.6"],
        "OPTION statements come before all instructions.",
        "!!VP1.1\nMOV o[COL0], v[COL0];\nOPTION NV_position_invariant;\nEND",
        "MOV o[COL0], v[COL0];\nOPTION NV_position_invariant;" => "OPTION NV_position_invariant;\nMOV o[COL0], v[COL0];";
    VP_LATER_FEATURE "vp-later-feature" &["NV_vertex_program2 2.14.1.8"],
        "The program uses grammar of a later version of vertex programs.",
        "!!VP1.1\nMOV o[HPOS], |v[OPOS]|;\nEND", "VP1.1" => "VP2.0";
    VP_LATER_INSTRUCTION "vp-later-instruction" &["NV_vertex_program2 2.14.1.8"],
        "The program uses an instruction of a later version of vertex programs.",
        "!!VP1.1\nFLR o[HPOS], v[OPOS];\nEND", "VP1.1" => "VP2.0";
    ARB_UNKNOWN_OPTION "arb-unknown-option"
        &["ARB_fragment_program 3.11.4.5", "ARB_vertex_program 2.14.4.5", "NV_gpu_program4 2.X.6"],
        "An OPTION statement names an option of the language.",
        "!!ARBfp1.0\nOPTION ARB_fog_exponential;\nMOV result.color, fragment.color;\nEND", "exponential" => "exp";
    ARB_LATE_OPTION "arb-late-option"
        &["ARB_fragment_program 3.11.4.5", "ARB_vertex_program 2.14.4.5", "NV_gpu_program4 2.X.6"],
        "OPTION statements come before all others.",
        "!!ARBfp1.0\nMOV result.color, fragment.color;\nOPTION ARB_fog_exp;\nEND",
        "MOV result.color, fragment.color;\nOPTION ARB_fog_exp;" => "OPTION ARB_fog_exp;\nMOV result.color, fragment.color;";
    ARB_CONFLICTING_OPTIONS "arb-conflicting-options" &[
            "ARB_fragment_program 3.11.4.5.1", "ARB_fragment_program 3.11.4.5.2", "NV_fragment_program4 2.X.6.Y",
        ],
        "A program has at most one fog option and at most one precision hint.",
        "!!ARBfp1.0\nOPTION ARB_fog_exp;\nOPTION ARB_fog_exp2;\nMOV result.color, fragment.color;\nEND",
        "OPTION ARB_fog_exp2;\n" => "";
    ARB_LATER_FEATURE "arb-later-feature" GRAMMAR,
        "The program uses grammar that an option adds, without the option.",
        "!!ARBfp1.0\nMOV result.color, |fragment.color|;\nEND", "ARBfp1.0" => "ARBfp1.0\nOPTION NV_fragment_program;";
    ARB_LATER_INSTRUCTION "arb-later-instruction" GRAMMAR,
        "The program uses an instruction or a suffix that an option adds, without the option.",
        "!!ARBfp1.0\nDDX result.color, fragment.color;\nEND", "ARBfp1.0" => "ARBfp1.0\nOPTION NV_fragment_program;";
    GPU_LATER_FEATURE "gpu-later-feature" &["NV_gpu_program5 2.X.2"],
        "The program uses a target, a binding, an option or a declaration of a language with another header.",
        "!!NVfp4.0\nTEX result.color, fragment.texcoord[0], texture[0], ARRAYCUBE;\nEND", "NVfp4.0" => "NVfp5.0";
    GPU_LATER_INSTRUCTION "gpu-later-instruction" &["NV_gpu_program5 2.X.2"],
        "The program uses an instruction of a language with another header.",
        "!!NVfp4.0\nTEMP t;\nMOV t, fragment.color;\nBTC.U result.color, t;\nEND", "NVfp4.0" => "NVfp5.0";
}
