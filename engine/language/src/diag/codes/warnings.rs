//! Codes of warnings about one program, in addition to the warnings that every family has.

use super::codes;

codes! { Warning
    GPU_EMPTY_MASK "gpu-empty-mask" &[
            "NV_gpu_program5 2.X.8.Z LOAD", "NV_gpu_program5 2.X.8.Z LDC", "NV_gpu_program5 2.X.8.Z ATOM",
            "EXT_shader_image_load_store 2.X.8.Z LOADIM", "EXT_shader_image_load_store 2.X.8.Z ATOMIM",
        ],
        "The write mask leaves out all components that the access returns.",
        "!!NVfp5.0\nTEMP t;\nMOV.S t, 0;\nMOV result.color, 1;\nLOADIM.F32 result.color.y, t, image[0], 2D;\nEND", "color.y" => "color.x";
    GPU_UNWRITTEN_POSITION "gpu-unwritten-position" &["NV_geometry_program4 2.X.8.Z, EMIT"],
        "A vertex is emitted before all components of its position are written. After EMIT, all results are undefined again.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 2;\nMOV result.position, vertex[0].position;\nEMIT;\nEMIT;\nEND",
        "EMIT;\nEMIT;" => "EMIT;\nMOV result.position, vertex[0].position;\nEMIT;";
    GPU_TOO_MANY_VERTICES "gpu-too-many-vertices" &["NV_geometry_program4 2.14.6.4"],
        "A geometry program emits more vertices than VERTICES_OUT declares.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, vertex[0].position;\nEMIT;\nMOV result.position, vertex[0].position;\nEMIT;\nEND",
        "VERTICES_OUT 1" => "VERTICES_OUT 2";
    GPU_NO_STREAM "gpu-no-stream" &["NV_gpu_program5 2.X.8.Z, EMITS"],
        "EMITS and ENDPRIM name a vertex stream from 0 to 3.",
        "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, vertex[0].position;\nEMITS 4;\nEND",
        "EMITS 4" => "EMITS 3";
    GPU_NO_LEVELS "gpu-no-levels" &["NV_tessellation_program5 2.X.3.2"],
        "A tessellation control program writes no tessellation levels, so they are undefined.",
        "!!NVtcp5.0\nVERTICES_OUT 3;\nMOV result.position, vertex[0].position;\nEND",
        "position;\nEND" => "position;\nMOV result.patch.tessouter[0], 2;\nMOV result.patch.tessouter[1], 2;\nMOV result.patch.tessouter[2], 2;\nMOV result.patch.tessinner[0], 2;\nEND";
}
