//! Codes about names, variables, arrays and constants.

use super::{GRAMMAR, codes};

/// The clauses about variables.
const VARIABLES: &[&str] =
    &["ARB_fragment_program 3.11.3", "ARB_vertex_program 2.14.3", "NV_gpu_program4 2.X.3"];
/// The clauses about parameters.
const PARAMETERS: &[&str] =
    &["ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3"];
/// The clause about attributes in programs with data types.
const INTERPOLATION: &[&str] = &["NV_fragment_program4 2.X.3.1"];
/// The clause about data types and sizes.
const TYPES: &[&str] = &["NV_gpu_program4 2.X.3.1"];

codes! { Error
    FP1_UNDEFINED_NAME "fp1-undefined-name" &["NV_fragment_program 3.11.2"],
        "A name is defined by DEFINE or DECLARE before its first use.",
        "!!FP1.0\nMUL o[COLR], f[COL0], gain;\nEND", "!!FP1.0\n" => "!!FP1.0\nDECLARE gain;\n";
    FP1_REDEFINED_NAME "fp1-redefined-name" &["NV_fragment_program 3.11.2"],
        "DEFINE and DECLARE do not define a name again.",
        "!!FP1.0\nDECLARE gain;\nDEFINE gain = 2;\nMUL o[COLR], f[COL0], gain;\nEND", "DECLARE gain;\n" => "";
    FP1_RESERVED_NAME "fp1-reserved-name" &["NV_fragment_program 3.11.2"],
        "Names of instructions, registers and targets, and the words of the grammar, cannot be names.",
        "!!FP1.0\nDECLARE MOV;\nMOV o[COLR], f[COL0];\nEND", "DECLARE MOV;\n" => "";
    FP1_BAD_CONSTANT "fp1-bad-constant" &["NV_fragment_program 3.11.2", "NV_fragment_program 3.11.3"],
        "A constant is a number or a vector of one to four numbers.",
        "!!FP1.0\nMOV o[COLR], {1, 2, 3, 4, 5};\nEND", ", 5" => "";
    FP1_BAD_NUMBER "fp1-bad-number" &["NV_fragment_program 3.11.3"],
        "A number is not followed by letters. An exponent has digits.",
        "!!FP1.0\nMOV o[COLR], 1e;\nEND", "1e" => "1e2";
    FP1_SCALAR_SUFFIX "fp1-scalar-suffix" &["NV_fragment_program 3.11.3"],
        "A scalar constant takes no suffix.",
        "!!FP1.0\nMOV o[COLR], 2 .x;\nEND", " .x" => "";
    ARB_UNDEFINED_NAME "arb-undefined-name" VARIABLES,
        "A variable is declared before its first use.",
        "!!ARBfp1.0\nMOV result.color, tint;\nEND", "!!ARBfp1.0\n" => "!!ARBfp1.0\nPARAM tint = program.local[0];\n";
    ARB_REDEFINED_NAME "arb-redefined-name" VARIABLES,
        "A name is declared once.",
        "!!ARBfp1.0\nTEMP a, a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND", ", a" => "";
    ARB_RESERVED_NAME "arb-reserved-name" GRAMMAR,
        "Keywords, instruction names and the first words of bindings cannot be names.",
        "!!ARBfp1.0\nTEMP state;\nMOV result.color, fragment.color;\nEND", "TEMP state;\n" => "";
    ARB_BAD_NUMBER "arb-bad-number" GRAMMAR,
        "A number is not followed by letters. An exponent has digits.",
        "!!ARBfp1.0\nPARAM a = 1e;\nMOV result.color, a;\nEND", "1e" => "1e2";
    ARB_BAD_CONSTANT "arb-bad-constant" GRAMMAR,
        "A vector constant has one to four numbers.",
        "!!ARBfp1.0\nPARAM a = {1, 2, 3, 4, 5};\nMOV result.color, a;\nEND", ", 5" => "";
    ARB_SCALAR_SUFFIX "arb-scalar-suffix"
        &["NV_fragment_program_option 3.11.2", "NV_vertex_program2_option 2.14.2", "NV_gpu_program4 2.X.2"],
        "A scalar constant takes no suffix.",
        "!!NVfp4.0\nMOV result.color, 5.0.x;\nEND", "5.0.x" => "5.0";
    GPU_FLOAT_CONSTANT "gpu-float-constant" &["NV_gpu_program4 2.X.3.3"],
        "A number that is read as an integer has no decimal point and no exponent.",
        "!!NVfp4.0\nINT PARAM a = 1.0;\nMOV.S result.color, a;\nEND", "1.0" => "1";
    GPU_NEGATIVE_CONSTANT "gpu-negative-constant" &["NV_gpu_program4 2.X.3.3"],
        "A number that is read as an unsigned integer is not negative.",
        "!!NVfp4.0\nUINT PARAM a = -1;\nMOV.U result.color, a;\nEND", "-1" => "0xFFFFFFFF";
    GPU_LARGE_CONSTANT "gpu-large-constant" &["NV_gpu_program4 2.X.3.3"],
        "An integer constant fits its data type.",
        "!!NVfp4.0\nINT PARAM a = 2147483648;\nMOV.S result.color, a;\nEND", "8;" => "7;";
    ARB_BAD_ATTRIBUTE "arb-bad-attribute"
        &[
            "ARB_fragment_program 3.11.3.1", "ARB_vertex_program 2.14.3.1", "NV_gpu_program4 2.X.3.2",
            "ARB_vertex_program, Dependencies on EXT_vertex_weighting and ARB_vertex_blend",
        ],
        "An attribute binding names an attribute of the stage and a number that exists.",
        "!!ARBfp1.0\nMOV result.color, fragment.normal;\nEND", "fragment.normal" => "fragment.texcoord[0]";
    ARB_BAD_RESULT "arb-bad-result"
        &["ARB_fragment_program 3.11.3.4", "ARB_vertex_program 2.14.3.4", "NV_gpu_program4 2.X.3.5"],
        "A result binding names a result of the stage and a number that exists.",
        "!!ARBfp1.0\nMOV result.position, fragment.color;\nEND", "position" => "color";
    ARB_BAD_PARAMETER "arb-bad-parameter" &[
            "ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3",
            "ARB_shader_subroutine 2.14.1",
        ],
        "A parameter is `program.env[n]` or `program.local[n]`, with an integer below the limit.",
        "!!ARBfp1.0\nMOV result.color, program.global[0];\nEND", "global" => "local";
    ARB_BAD_STATE "arb-bad-state" &[
            "ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3",
            "ARB_fragment_program, Dependencies on ARB_matrix_palette",
            "ARB_vertex_program, Dependencies on ARB_matrix_palette", "NV_gpu_program4 2.X.2",
        ],
        "A `state` binding names an item of GL state and a number that exists.",
        "!!ARBfp1.0\nMOV result.color, state.fog.colour;\nEND", "colour" => "color";
    ARB_BAD_RANGE "arb-bad-range" &[
            "ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3",
            "NV_gpu_program4 2.X.3.2", "NV_gpu_program4 2.X.3.5", "NV_gpu_program4 2.X.3.6", "NV_gpu_program5 2.X.3.8",
        ],
        "A range goes up, and it stands only in the list of an array.",
        "!!ARBfp1.0\nPARAM a[] = { program.env[3..1] };\nMOV result.color, a[0];\nEND", "3..1" => "1..3";
    ARB_NEEDS_ROW "arb-needs-row" PARAMETERS,
        "A variable or an operand is one row of a matrix. A whole matrix fills an array.",
        "!!ARBfp1.0\nPARAM a = state.matrix.mvp;\nMOV result.color, a;\nEND", "mvp" => "mvp.row[0]";
    ARB_ARRAY_SIZE "arb-array-size" &[
            "ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3", "ARB_fragment_program 3.11.2",
            "ARB_vertex_program 2.14.2", "NV_gpu_program4 2.X.2", "NV_gpu_program4 2.X.3.1", "NV_gpu_program4 2.X.3.6",
        ],
        "The size of an array is an integer in the limits, and it is the number of items in its list.",
        "!!ARBfp1.0\nPARAM a[3] = { 1, 2 };\nMOV result.color, a[0];\nEND", "[3]" => "[2]";
    ARB_BOUND_TWICE "arb-bound-twice" &[
            "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3", "NV_gpu_program4 2.X.3.2", "NV_gpu_program4 2.X.3.5",
        ],
        "Arrays that are indexed at run time do not contain the same binding twice.",
        "!!NVvp4.0\nINT TEMP i;\nPARAM a[] = { program.env[0], 1, program.env[0] };\nMOV.S i.x, vertex.id.x;\nMOV result.position, a[i.x];\nEND",
        "1, program.env[0]" => "1, program.env[1]";
    ARB_ATTRIBUTE_CONFLICT "arb-attribute-conflict" &["ARB_vertex_program 2.14.3.1", "NV_vertex_program4 2.X.3.2"],
        "A program does not read both a generic vertex attribute and the fixed-function attribute that can be the same register.",
        "!!ARBvp1.0\nTEMP t;\nMOV t, vertex.attrib[0];\nADD result.position, t, vertex.position;\nEND",
        "vertex.attrib[0]" => "vertex.attrib[6]";
    ARB_RESULT_SIZES "arb-result-sizes" &["NV_fragment_program_option 3.11.3.4"],
        "All variables that are bound to one result have the same size.",
        "!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT OUTPUT a = result.color;\nLONG OUTPUT b = result.color;\nMOV a.xyz, fragment.color;\nMOV b.w, 1;\nEND",
        "LONG" => "SHORT";
    ARB_INVARIANT_POSITION "arb-invariant-position" &["ARB_vertex_program 2.14.4.5.1", "NV_vertex_program4 2.X.6.Y"],
        "A program with `OPTION ARB_position_invariant` does not name `result.position`. The GL computes the position.",
        "!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.position, vertex.position;\nEND",
        "result.position, vertex.position" => "result.color, vertex.color";
    GPU_BAD_SIZE "gpu-bad-size" &["NV_gpu_program4 2.X.3.1", "NV_gpu_program5 2.X.3.1"],
        "SHORT and LONG apply to temporaries and results, and LONG to attributes and parameters of the NV_gpu_program5 languages.",
        "!!NVfp4.0\nSHORT PARAM a = 1;\nMOV result.color, a;\nEND", "SHORT " => "";
    GPU_TWO_SIZES "gpu-two-sizes" TYPES,
        "A declaration has at most one size.",
        "!!NVfp4.0\nSHORT LONG TEMP a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND", "SHORT " => "";
    GPU_TWO_TYPES "gpu-two-types" TYPES,
        "A declaration has at most one data type.",
        "!!NVfp4.0\nINT FLOAT TEMP a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND", "INT " => "";
    GPU_NEEDS_BRACKETS "gpu-needs-brackets" &["NV_gpu_program4 2.X.2"],
        "A list declares an array, so brackets follow the name.",
        "!!NVfp5.0\nTEXTURE a = { texture[0], texture[1] };\nTEX result.color, fragment.texcoord[0], a[1], 2D;\nEND", "TEXTURE a" => "TEXTURE a[]";
    GPU_NOT_CONSECUTIVE "gpu-not-consecutive" &[
            "NV_gpu_program4 2.X.3.2", "NV_gpu_program4 2.X.3.5", "NV_gpu_program4 2.X.3.6", "NV_gpu_program5 2.X.3.8",
            "EXT_shader_image_load_store 2.X.3.X",
        ],
        "The items of an array of attributes, results, buffers, textures or images follow each other.",
        "!!NVfp5.0\nTEXTURE a[] = { texture[0], texture[2] };\nTEX result.color, fragment.texcoord[0], a[1], 2D;\nEND",
        "texture[2]" => "texture[1]";
    GPU_NOT_IN_ARRAY "gpu-not-in-array" &["NV_gpu_program4 2.X.3.2", "NV_gpu_program4 2.X.3.5"],
        "An array of attributes or results contains only bindings that have a number.",
        "!!NVvp4.0\nATTRIB a[] = { vertex.color };\nMOV result.position, a[0];\nEND", "vertex.color" => "vertex.attrib[1]";
    GPU_RESULT_ARRAY "gpu-result-array" &["NV_fragment_program4 2.X.3.5"],
        "Fragment programs have no arrays of results.",
        "!!NVfp4.0\nOUTPUT a[] = { result.color };\nMOV a[0], fragment.color;\nEND",
        "a[] = { result.color };\nMOV a[0]" => "a = result.color;\nMOV a";
    GPU_NOT_VARIABLE "gpu-not-variable" &["NV_gpu_program4 2.X.3.8"],
        "ALIAS gives another name to a variable.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINE T v = program.subroutine[0];\nALIAS Z = T;\nCALI v;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, fragment.color;\nRET;\nEND",
        "ALIAS Z = T;\n" => "";
    GPU_INTERPOLATION_VARIABLE "gpu-interpolation-variable" INTERPOLATION,
        "Only attributes take interpolation modifiers.",
        "!!NVfp4.0\nFLAT TEMP a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND", "FLAT " => "";
    GPU_INTERPOLATION_TWICE "gpu-interpolation-twice" INTERPOLATION,
        "A declaration has each interpolation modifier at most once.",
        "!!NVfp4.0\nFLAT FLAT ATTRIB a = fragment.color;\nMOV result.color, a;\nEND", "FLAT " => "";
    GPU_INTERPOLATION_DIFFERS "gpu-interpolation-differs" INTERPOLATION,
        "All variables that are bound to one attribute have the same interpolation modifiers.",
        "!!NVfp4.0\nFLAT ATTRIB a = fragment.attrib[1];\nATTRIB b = fragment.attrib[1];\nADD result.color, a, b;\nEND",
        "\nATTRIB" => "\nFLAT ATTRIB";
    GPU_COLOR_INTERPOLATION "gpu-color-interpolation" INTERPOLATION,
        "Primary and secondary colour have the same interpolation modifiers.",
        "!!NVfp4.0\nFLAT ATTRIB a = fragment.color;\nATTRIB b = fragment.color.secondary;\nADD result.color, a, b;\nEND",
        "\nATTRIB" => "\nFLAT ATTRIB";
    GPU_FLAT_CONFLICT "gpu-flat-conflict" INTERPOLATION,
        "FLAT excludes every other interpolation modifier.",
        "!!NVfp4.0\nFLAT CENTROID ATTRIB a = fragment.color;\nMOV result.color, a;\nEND", "FLAT " => "";
    GPU_NOT_INTERPOLATED "gpu-not-interpolated" INTERPOLATION,
        "Attributes that are the same on the whole primitive take no interpolation modifiers.",
        "!!NVfp4.0\nFLAT ATTRIB a = fragment.facing;\nMOV result.color, a.x;\nEND", "FLAT " => "";
    GPU_NEEDS_FLAT "gpu-needs-flat" INTERPOLATION,
        "An attribute of a fragment that is INT or UINT is declared FLAT.",
        "!!NVfp4.0\nINT ATTRIB a = fragment.attrib[0];\nMOV.S result.color, a;\nEND", "INT" => "FLAT INT";
}
