//! Codes about limits of a program. `docs/limits.md` lists the limits.

use super::codes;

/// The clauses about resources.
const RESOURCES: &[&str] =
    &["ARB_fragment_program 3.11.3.6", "ARB_vertex_program 2.14.3.7", "NV_gpu_program4 2.X.3.9"];

codes! { Error
    FP1_EMPTY "fp1-empty" &["NV_fragment_program 3.11.3"],
        "A program has at least one instruction.",
        "!!FP1.0\nEND", "END" => "MOV o[COLR], f[COL0];\nEND";
    FP1_TOO_MANY_INSTRUCTIONS "fp1-too-many-instructions" &["NV_fragment_program 3.11.3"],
        "A program has at most 1,024 instructions.";
    FP1_TOO_MANY_REGISTERS "fp1-too-many-registers" &["NV_fragment_program 3.11.3"],
        "The temporary registers of a program fit into 64 halves. An R register takes two, an H register one.";
    FP1_TOO_MANY_PARAMETERS "fp1-too-many-parameters" &["NV_fragment_program 3.11.3"],
        "A program declares at most 32,768 named parameters.";
    VP_TOO_MANY_INSTRUCTIONS "vp-too-many-instructions" &["NV_vertex_program2 2.14.1.8"],
        "A program has at most 128 instructions, in `!!VP2.0` 256.";
    ARB_TOO_MANY_INSTRUCTIONS "arb-too-many-instructions" RESOURCES,
        "A program stays within the limits of all instructions, ALU instructions and texture instructions.";
    ARB_TOO_MANY_TEMPORARIES "arb-too-many-temporaries" RESOURCES,
        "A program stays within the limit of temporaries. Each element of an array counts.",
        "!!NVfp4.0\nTEMP t[1024], u;\nMOV u, fragment.color;\nMOV t[0], u;\nMOV result.color, t[0];\nEND", "1024" => "1023";
    ARB_TOO_MANY_PARAMETERS "arb-too-many-parameters" RESOURCES,
        "A program stays within the limit of different parameters, state vectors and constants.";
    ARB_TOO_MANY_ATTRIBUTES "arb-too-many-attributes" RESOURCES,
        "A program stays within the limit of different attributes.";
    ARB_TOO_MANY_ADDRESSES "arb-too-many-addresses" RESOURCES,
        "A program stays within the limit of address registers.",
        "!!ARBvp1.0\nADDRESS a, b, c;\nMOV result.position, vertex.position;\nEND", "ADDRESS a, b, c;\n" => "";
    ARB_TOO_MANY_TEXTURES "arb-too-many-textures" &["NV_vertex_program3 2.14.3.7"],
        "A vertex program uses at most four texture image units.",
        "!!ARBvp1.0\nOPTION NV_vertex_program3;\nTEMP t;\nTEX t, vertex.position, texture[0], 2D;\nTEX t, t, texture[1], 2D;\n\
         TEX t, t, texture[2], 2D;\nTEX t, t, texture[3], 2D;\nTEX result.position, t, texture[4], 2D;\nEND",
        "[4]" => "[3]";
    GPU_TOO_MANY_ATTRIBUTE_COMPONENTS "gpu-too-many-attribute-components" &["NV_gpu_program4 2.X.3.2"],
        "A program stays within the limit of attribute components that instructions read.";
    GPU_TOO_MANY_RESULT_COMPONENTS "gpu-too-many-result-components" &["NV_gpu_program4 2.X.3.5"],
        "A program stays within the limit of result components that instructions write.";
    GPU_TOO_MANY_OUTPUT_COMPONENTS "gpu-too-many-output-components" &["NV_geometry_program4 2.14.6.4"],
        "The vertices that a geometry program declares have at most 1,024 result components in all.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 257;\nMOV result.position, vertex[0].position;\nEMIT;\nEND",
        "257" => "256";
}
