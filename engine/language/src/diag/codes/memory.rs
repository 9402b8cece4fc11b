//! Codes about parameter buffers, images and global memory.

use super::codes;

/// The clause about parameter buffers.
const BUFFERS: &[&str] = &["NV_gpu_program4 2.X.3.6"];

codes! { Error
    GPU_BAD_BUFFER "gpu-bad-buffer" BUFFERS,
        "A buffer binding is `program.buffer[n]` with an element, and both numbers are below their limits.",
        "!!NVfp5.0\nBUFFER b = program.env[0];\nMOV result.color, b;\nEND", "env[0]" => "buffer[0][0]";
    GPU_BUFFER_BINDING "gpu-buffer-binding" BUFFERS,
        "`program.buffer` is bound to a variable of BUFFER, BUFFER4 or CBUFFER. It is not an operand.",
        "!!NVfp5.0\nMOV result.color, program.buffer[0][1];\nEND",
        "MOV result.color, program.buffer[0][1]" => "BUFFER b = program.buffer[0][1];\nMOV result.color, b";
    GPU_BUFFER_OPERAND "gpu-buffer-operand" &["NV_gpu_program5 2.X.8.Z LDC", "NV_parameter_buffer_object2 2.X.3.6"],
        "LDC reads CBUFFER variables, and no other instruction does.",
        "!!NVfp5.0\nCBUFFER c[] = { program.buffer[0] };\nMOV result.color, c[0];\nEND", "MOV" => "LDC.F32X4";
    GPU_BUFFER_UNITS "gpu-buffer-units" BUFFERS,
        "A program declares a binding point by BUFFER or by BUFFER4, not by both.",
        "!!NVfp5.0\nBUFFER4 a = program.buffer[1][0];\nBUFFER b = program.buffer[1][9];\nADD result.color, a, b;\nEND",
        "BUFFER b = program.buffer[1]" => "BUFFER b = program.buffer[2]";
    GPU_NEEDS_ELEMENT "gpu-needs-element" BUFFERS,
        "A variable that is not an array is bound to one element of a buffer.",
        "!!NVfp5.0\nBUFFER b = program.buffer[0];\nMOV result.color, b;\nEND", "buffer[0]" => "buffer[0][0]";
    GPU_BAD_IMAGE_UNIT "gpu-bad-image-unit" &["EXT_shader_image_load_store 2.X.3.X"],
        "An image variable is bound to an image unit, `image[n]`, with a number below the limit.",
        "!!NVfp5.0\nIMAGE i = image[8];\nTEMP t;\nMOV.S t, 0;\nLOADIM.F32X4 result.color, t, i, 2D;\nEND", "[8]" => "[7]";
    GPU_IMAGE_OPERAND "gpu-image-operand" &["EXT_shader_image_load_store 2.X.3.X"],
        "An image variable is not an operand with a value. It names the image of LOADIM, STOREIM or ATOMIM.",
        "!!NVfp5.0\nIMAGE i = image[0];\nTEMP t;\nMOV.S t, 0;\nMOV result.color, i;\nEND", "MOV result.color, i" => "LOADIM.F32X4 result.color, t, i, 2D";
    GPU_IMAGE_TARGET "gpu-image-target" &["EXT_shader_image_load_store 2.X.2"],
        "An image instruction names a target that images have.",
        "!!NVfp5.0\nTEMP t;\nMOV.S t, 0;\nLOADIM.F32X4 result.color, t, image[0], SHADOW2D;\nEND", "SHADOW2D" => "2D";
    GPU_NEEDS_ATOMIC "gpu-needs-atomic" &["NV_gpu_program5 2.X.8.Z ATOM", "EXT_shader_image_load_store 2.X.8.Z ATOMIM"],
        "ATOM and ATOMIM need an operation, such as .ADD, after the storage modifier.",
        "!!NVfp5.0\nTEMP t;\nMOV.U t, 1;\nATOMIM.U32 t, t, t, image[0], 1D;\nMOV.U result.color, t;\nEND", "ATOMIM" => "ATOMIM.ADD";
    GPU_ATOMIC_STORAGE "gpu-atomic-storage" &["NV_gpu_program5 2.X.8.Z ATOM", "EXT_shader_image_load_store 2.X.8.Z ATOMIM"],
        "An atomic operation works only on the storage formats of its table.",
        "!!NVfp5.0\nTEMP t;\nMOV.U t, 1;\nATOM.MIN.U64 t, t, t.x;\nMOV.U result.color, t;\nEND", "U64" => "U32";
}
