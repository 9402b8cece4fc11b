//! Codes of warnings about the programs of a draw together. A single program cannot show them.

use super::codes;

codes! { Warning
    LINK_UNWRITTEN_RESULT "link-unwritten-result" &[
            "NV_gpu_program4 2.X.3.5", "NV_vertex_program 2.14.1.5", "ARB_vertex_program 2.14.3.4",
            "NV_fragment_program4 2.X.3.2", "NV_geometry_program4 2.X.3.2", "NV_tessellation_program5 2.X.3.2",
        ],
        "A stage reads a result that the stage before it does not write. Its value is undefined.";
    LINK_OTHER_NUMBERS "link-other-numbers"
        &["NV_fragment_program4 2.X.3.2", "NV_geometry_program4 2.X.3.2", "NV_tessellation_program5 2.X.3.2"],
        "A stage reads integers as floating-point numbers, or the other way round. The bits are used unchanged.";
    LINK_UNWRITTEN_LEVEL "link-unwritten-level" &["NV_tessellation_program5 2.X.3.2"],
        "A control program leaves out levels that the mode of the evaluation program needs.";
    LINK_UNWRITTEN_AT_EMIT "link-unwritten-at-emit" &["NV_geometry_program4 2.X.8.Z, EMIT"],
        "A geometry program emits a vertex without a result that a later stage reads.";
    LINK_IMAGE_LOOP "link-image-loop" &["EXT_shader_image_load_store 2.14.X"],
        "A draw looks up texels that it also stores to. Lookups need not see the stores of the same draw.";
}
