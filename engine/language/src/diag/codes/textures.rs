//! Codes about texture lookups.

use super::codes;

codes! { Error
    FP1_BAD_TEXTURE_TARGET "fp1-bad-texture-target" &["NV_fragment_program 3.11.3"],
        "The texture targets are 1D, 2D, 3D, CUBE and RECT.",
        "!!FP1.0\nTEX o[COLR], f[TEX0], TEX0, 4D;\nEND", "4D" => "2D";
    FP1_BAD_TEXTURE_UNIT "fp1-bad-texture-unit" &["NV_fragment_program 3.11.3"],
        "The texture image units are TEX0 to TEX15.",
        "!!FP1.0\nTEX o[COLR], f[TEX0], TEX16, 2D;\nEND", "TEX16" => "TEX15";
    FP1_TWO_TARGETS "fp1-two-targets" &["NV_fragment_program 3.11.3"],
        "All lookups of a program in one texture image unit have the same target.",
        "!!FP1.0\nTEX R0, f[TEX0], TEX0, 2D;\nTEX R1, f[TEX0], TEX0, CUBE;\nMUL o[COLR], R0, R1;\nEND", "TEX0, CUBE" => "TEX1, CUBE";
    ARB_BAD_TEXTURE_TARGET "arb-bad-texture-target"
        &["ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.2", "NV_gpu_program4 2.X.4.4"],
        "The texture targets are 1D, 2D, 3D, CUBE and RECT. Options and later languages add more.",
        "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], 4D;\nEND", "4D" => "2D";
    ARB_BAD_TEXTURE_UNIT "arb-bad-texture-unit"
        &["ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.2", "NV_gpu_program4 2.X.4.4", "NV_gpu_program5 2.X.3.8"],
        "A lookup names a texture image unit, `texture[n]`, with a number below the limit.",
        "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[16], 2D;\nEND", "16" => "15";
    ARB_TWO_TARGETS "arb-two-targets"
        &["ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.4", "NV_gpu_program4 2.X.4.4"],
        "All lookups of a program in one texture image unit have the same target.",
        "!!ARBfp1.0\nTEMP a, b;\nTEX a, fragment.texcoord[0], texture[0], 2D;\nTEX b, fragment.texcoord[0], texture[0], CUBE;\nMUL result.color, a, b;\nEND",
        "texture[0], CUBE" => "texture[1], CUBE";
    GPU_TEXTURE_TARGET "gpu-texture-target" &[
            "NV_gpu_program4 2.X.4.4", "NV_texture_multisample 2.X.4.4", "NV_gpu_program4 2.X.8.Z TXB",
            "NV_gpu_program4 2.X.8.Z TXL", "NV_gpu_program4 2.X.8.Z TXP", "NV_gpu_program5 2.X.8.Z TXG",
            "NV_gpu_program5 2.X.8.Z TXGO",
        ],
        "A texture instruction takes only targets that it can look up.",
        "!!NVfp5.0\nTXG result.color, fragment.texcoord[0], texture[0].x, 1D;\nEND", "1D" => "2D";
    GPU_TEXEL_OFFSET "gpu-texel-offset" &["NV_gpu_program4 2.X.4.4"],
        "A constant texel offset has one integer in the limits for each axis of the target.",
        "!!NVfp4.0\nTEX result.color, fragment.texcoord[0], texture[0], 2D, (8, 0);\nEND", "8, 0" => "7, 0";
    GPU_COMPUTED_OFFSET "gpu-computed-offset" &["NV_gpu_program5 2.X.4.4"],
        "Only instructions and targets with texel offsets take a computed offset.",
        "!!NVfp5.0\nTEMP t;\nMOV.S t, 1;\nTEX result.color, fragment.texcoord[0], texture[0], CUBE, offset(t);\nEND", "CUBE" => "2D";
    GPU_COMPONENT_SELECTION "gpu-component-selection" &["NV_gpu_program5 2.X.4.4"],
        "Only instructions that gather select a component of the texture.",
        "!!NVfp5.0\nTEX result.color, fragment.texcoord[0], texture[0].x, 2D;\nEND", "[0].x" => "[0]";
    GPU_TEXTURE_OPERAND "gpu-texture-operand" &["NV_gpu_program5 2.X.3.8"],
        "A texture variable is not an operand with a value. It names the texture of a lookup.",
        "!!NVfp5.0\nTEXTURE a = texture[0];\nMOV result.color, a;\nEND", "MOV result.color, a;" => "TEX result.color, fragment.texcoord[0], a, 2D;";
}
