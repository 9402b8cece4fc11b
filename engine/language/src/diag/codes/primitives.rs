//! Codes about the declarations of geometry and tessellation programs.

use super::codes;

/// The clauses about declarations.
const DECLARATIONS: &[&str] = &["NV_geometry_program4 2.X.7.Y", "NV_tessellation_program5 2.X.7.Y"];

codes! { Error
    GPU_PRIMITIVE_MISSING "gpu-primitive-missing" DECLARATIONS,
        "A geometry program declares PRIMITIVE_IN, PRIMITIVE_OUT and VERTICES_OUT. A control program declares VERTICES_OUT, and an \
         evaluation program TESS_MODE.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nMOV result.position, vertex[0].position;\nEMIT;\nEND",
        "OUT POINTS;\n" => "OUT POINTS;\nVERTICES_OUT 1;\n";
    GPU_PRIMITIVE_TWICE "gpu-primitive-twice" DECLARATIONS,
        "A program has each of these declarations once.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nVERTICES_OUT 2;\nMOV result.position, vertex[0].position;\nEMIT;\nEND",
        "VERTICES_OUT 2;\n" => "";
    GPU_BAD_PRIMITIVE "gpu-bad-primitive" DECLARATIONS,
        "The declaration names a primitive, a mode, a spacing or an order that exists for it.",
        "!!NVgp4.0\nPRIMITIVE_IN QUADS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, vertex[0].position;\nEMIT;\nEND",
        "QUADS" => "TRIANGLES";
    GPU_BAD_PRIMITIVE_NUMBER "gpu-bad-primitive-number"
        &["NV_geometry_program4 2.14.6.4", "NV_gpu_program5 2.X.7.Y", "NV_tessellation_program5 2.X.7.Y"],
        "VERTICES_OUT and INVOCATIONS have an integer from 1 to the limit.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 0;\nMOV result.position, vertex[0].position;\nEMIT;\nEND",
        "OUT 0" => "OUT 1";
    GPU_LATE_DECLARATION "gpu-late-declaration" &["NV_gpu_program4 2.X.2"],
        "Declarations about primitives and patches come before all other statements except OPTION.",
        "!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nMOV result.position, vertex[0].position;\nVERTICES_OUT 1;\nEMIT;\nEND",
        "MOV result.position, vertex[0].position;\nVERTICES_OUT 1;" => "VERTICES_OUT 1;\nMOV result.position, vertex[0].position;";
    GPU_VERTEX_NUMBER "gpu-vertex-number" &["NV_geometry_program4 2.X.3.2", "NV_tessellation_program5 2.X.3.2"],
        "An attribute of a vertex has the number of a vertex of the primitive or of the patch.",
        "!!NVgp4.0\nPRIMITIVE_IN TRIANGLES;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, vertex[3].position;\nEMIT;\nEND",
        "vertex[3]" => "vertex[2]";
    GPU_PATCH_ATTRIBUTE "gpu-patch-attribute" &["NV_gpu_program5 2.X.3.2"],
        "A geometry program reads levels and attributes of patches only if its input primitives are patches.",
        "!!NVgp5.0\nPRIMITIVE_IN TRIANGLES;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, primitive.tessouter[0].x;\nEMIT;\nEND",
        "primitive.tessouter[0].x" => "vertex[0].position";
    GPU_STREAM_PRIMITIVE "gpu-stream-primitive" &["NV_gpu_program5 2.14.6.2"],
        "EMITS is for programs whose output primitives are POINTS.",
        "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT LINE_STRIP;\nVERTICES_OUT 1;\nMOV result.position, vertex[0].position;\nEMITS 0;\nEND",
        "LINE_STRIP" => "POINTS";
}
