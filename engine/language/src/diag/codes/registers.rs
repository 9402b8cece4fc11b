//! Codes about registers, operands, destinations and data types.

use super::codes;

/// The clauses about address registers.
const ADDRESSES: &[&str] =
    &["NV_fragment_program2 3.11.3.Y", "ARB_vertex_program 2.14.3.5", "NV_gpu_program4 2.X.4.2"];
/// The clauses about arrays of parameters.
const PARAMETERS: &[&str] =
    &["ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.3.3"];
/// The clauses about elements of arrays.
const ELEMENTS: &[&str] =
    &["ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2", "NV_gpu_program4 2.X.4.2"];
/// The clauses about PK instructions.
const PACKING: &[&str] = &[
    "NV_fragment_program_option 3.11.5.32-35",
    "NV_gpu_program4 2.X.8.Z PK2H",
    "NV_gpu_program4 2.X.8.Z PK2US",
    "NV_gpu_program4 2.X.8.Z PK4B",
    "NV_gpu_program4 2.X.8.Z PK4UB",
];
/// The clauses about UP instructions.
const UNPACKING: &[&str] = &[
    "NV_fragment_program_option 3.11.5.43-46",
    "NV_gpu_program4 2.X.8.Z UP2H",
    "NV_gpu_program4 2.X.8.Z UP2US",
    "NV_gpu_program4 2.X.8.Z UP4B",
    "NV_gpu_program4 2.X.8.Z UP4UB",
];

codes! { Error
    FP1_BAD_REGISTER "fp1-bad-register" &["NV_fragment_program 3.11.1", "NV_fragment_program 3.11.1.2"],
        "The temporary registers are R0 to R31 and H0 to H63.",
        "!!FP1.0\nMOV R32, f[COL0];\nMOV o[COLR], R32;\nEND", "R32, f[COL0];\nMOV o[COLR], R32" => "R31, f[COL0];\nMOV o[COLR], R31";
    FP1_BAD_ATTRIBUTE "fp1-bad-attribute" &["NV_fragment_program 3.11.1.1"],
        "The attributes are f[WPOS], f[COL0], f[COL1], f[FOGC] and f[TEX0] to f[TEX7].",
        "!!FP1.0\nMOV o[COLR], f[TEX8];\nEND", "TEX8" => "TEX7";
    FP1_BAD_OUTPUT "fp1-bad-output" &["NV_fragment_program 3.11.1.3"],
        "The outputs are o[COLR], o[COLH] and o[DEPR].",
        "!!FP1.0\nMOV o[COL0], f[COL0];\nEND", "o[COL0]" => "o[COLR]";
    FP1_BAD_PARAMETER_NUMBER "fp1-bad-parameter-number" &["NV_fragment_program 3.11.3"],
        "The numbered parameters are p[0] to p[63].",
        "!!FP1.0\nMOV o[COLR], p[64];\nEND", "64" => "63";
    FP1_READ_OUTPUT "fp1-read-output" &["NV_fragment_program 3.11.1"],
        "Output registers are write-only.",
        "!!FP1.0\nMOV o[COLR], f[COL0];\nMUL o[COLR], o[COLR], f[COL0];\nEND",
        "MOV o[COLR], f[COL0];\nMUL o[COLR], o[COLR]" => "MOV R0, f[COL0];\nMUL o[COLR], R0";
    FP1_READ_CONDITION_REGISTER "fp1-read-condition-register" &["NV_fragment_program 3.11.1"],
        "RC and HC are write-only. Only the condition code that they set can be tested.",
        "!!FP1.0\nMOVC RC, f[COL0];\nMOV o[COLR], RC;\nEND", "MOVC RC, f[COL0];\nMOV o[COLR], RC" => "MOV R0, f[COL0];\nMOV o[COLR], R0";
    FP1_WRITE_ATTRIBUTE "fp1-write-attribute" &["NV_fragment_program 3.11.1"],
        "Attribute registers are read-only.",
        "!!FP1.0\nMOV f[COL0], f[COL1];\nMOV o[COLR], f[COL0];\nEND", "f[COL0], f[COL1];\nMOV o[COLR], f[COL0]" => "R0, f[COL1];\nMOV o[COLR], R0";
    FP1_WRITE_PARAMETER "fp1-write-parameter" &["NV_fragment_program 3.11.1"],
        "Parameters and constants are read-only.",
        "!!FP1.0\nMOV p[0], f[COL0];\nMOV o[COLR], f[COL0];\nEND", "MOV p[0], f[COL0];\n" => "";
    FP1_TWO_ATTRIBUTES "fp1-two-attributes" &["NV_fragment_program 3.11.3"],
        "An instruction reads at most one attribute. It can read the same attribute several times.",
        "!!FP1.0\nMUL o[COLR], f[COL0], f[COL1];\nEND", "MUL o[COLR], f[COL0], " => "MOV R0, f[COL0];\nMUL o[COLR], R0, ";
    FP1_TWO_PARAMETERS "fp1-two-parameters" &["NV_fragment_program 3.11.2"],
        "An instruction reads at most one parameter or constant. It can read the same one several times.",
        "!!FP1.0\nADD o[COLR], p[0], p[1];\nEND", "ADD o[COLR], p[0], " => "MOV R0, p[0];\nADD o[COLR], R0, ";
    FP1_TOO_MANY_SCALARS "fp1-too-many-scalars" &["NV_fragment_program 3.11.2"],
        "The constants of one instruction contain at most four different numbers.",
        "!!FP1.0\nADD o[COLR], {2, 3}, {4};\nEND", "{4}" => "{2}";
    FP1_TWO_COLORS "fp1-two-colors" &["NV_fragment_program 3.11.1.3"],
        "A program writes o[COLR] or o[COLH], not both.",
        "!!FP1.0\nMOV o[COLR], f[COL0];\nMOV o[COLH].w, 1;\nEND", "COLH" => "COLR";
    FP1_NO_OUTPUT "fp1-no-output" &["NV_fragment_program 3.11.1.3"],
        "A program writes at least one output register.",
        "!!FP1.0\nMOV R0, f[COL0];\nEND", "R0" => "o[COLR]";
    FP1_PACK_DESTINATION "fp1-pack-destination" &["NV_fragment_program 3.11.5.20-23"],
        "PK instructions write 32 bits, so the destination has 32-bit components.",
        "!!FP1.0\nPK2H o[COLH], f[COL0];\nEND", "COLH" => "COLR";
    FP1_UNPACK_SOURCE "fp1-unpack-source" &["NV_fragment_program 3.11.5.41-44"],
        "UP instructions read 32 bits, so the operand has 32-bit components.",
        "!!FP1.0\nMOV H0, f[COL0];\nUP2H o[COLR], H0.x;\nEND", "MOV H0, f[COL0];\nUP2H o[COLR], H0" => "MOV R0, f[COL0];\nUP2H o[COLR], R0";
    FP1_RFL_W "fp1-rfl-w" &["NV_fragment_program 3.11.5.26"],
        "RFL has no w result, so the write mask leaves w out.",
        "!!FP1.0\nRFL o[COLR], p[0], f[TEX0];\nEND", "o[COLR]" => "o[COLR].xyz";
    VP_BAD_REGISTER "vp-bad-register"
        &["NV_vertex_program2 2.14.1.4", "NV_vertex_program2 2.14.1.8", "NV_vertex_program2 2.14.1.3"],
        "The temporary registers are R0 to R11, in `!!VP2.0` R0 to R15. The address registers are A0, in `!!VP2.0` also A1.",
        "!!VP2.0\nMOV R16, v[OPOS];\nMOV o[HPOS], R16;\nEND", "R16, v[OPOS];\nMOV o[HPOS], R16" => "R15, v[OPOS];\nMOV o[HPOS], R15";
    VP_BAD_ATTRIBUTE "vp-bad-attribute" &["NV_vertex_program2 2.14.1.1", "NV_vertex_program2 2.14.5"],
        "The attributes are v[0] to v[15] and their names, such as v[OPOS]. A state program has only v[0].",
        "!!VP1.0\nMOV o[HPOS], v[16];\nEND", "16" => "15";
    VP_BAD_RESULT "vp-bad-result" &["NV_vertex_program2 2.14.1.5", "NV_vertex_program2 2.14.5"],
        "The results are o[HPOS], o[COL0], o[COL1], o[BFC0], o[BFC1], o[FOGC], o[PSIZ] and o[TEX0] to o[TEX7], in `!!VP2.0` \
         also o[CLP0] to o[CLP5]. State programs have none.",
        "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL2], v[COL0];\nEND", "COL2" => "COL1";
    VP_BAD_PARAMETER "vp-bad-parameter" &["NV_vertex_program2 2.14.1.2", "NV_vertex_program2 2.14.1.8"],
        "The program parameters are c[0] to c[95], in `!!VP2.0` c[0] to c[255].",
        "!!VP1.0\nMOV o[HPOS], c[96];\nEND", "96" => "95";
    VP_BAD_OFFSET "vp-bad-offset" &["NV_vertex_program2 2.14.1.8"],
        "The offset of a relative reference is -64 to 63 in `!!VP1.0` and `!!VP1.1`, and -256 to 255 in `!!VP2.0`.",
        "!!VP1.0\nARL A0.x, v[0].x;\nMOV o[HPOS], c[A0.x + 64];\nEND", "64" => "63";
    VP_NEEDS_ADDRESS "vp-needs-address" &["NV_vertex_program2 2.14.1.8"],
        "ARL and the other instructions that load addresses write an address register.",
        "!!VP1.0\nARL R0.x, v[0].x;\nMOV o[HPOS], c[A0.x];\nEND", "R0" => "A0";
    VP_ADDRESS_MASK "vp-address-mask" &["NV_vertex_program2 2.14.1.3"],
        "In `!!VP1.0` and `!!VP1.1`, A0 has only its x component.",
        "!!VP1.0\nARL A0.y, v[0].x;\nMOV o[HPOS], c[A0.x];\nEND", "A0.y" => "A0.x";
    VP_READ_ADDRESS "vp-read-address" &["NV_vertex_program2 2.14.1.3"],
        "An address register is read only as an index.",
        "!!VP1.0\nARL A0.x, v[0].x;\nMOV o[HPOS], A0.x;\nEND", "A0.x;" => "c[A0.x];";
    VP_WRITE_ADDRESS "vp-write-address" &["NV_vertex_program2 2.14.1.3"],
        "Only ARL and the other instructions that load addresses write an address register.",
        "!!VP1.0\nMOV A0.x, v[0].x;\nMOV o[HPOS], c[A0.x];\nEND", "MOV A0" => "ARL A0";
    VP_READ_CONDITION_REGISTER "vp-read-condition-register" &["NV_vertex_program2 2.14.1.4"],
        "CC is write-only. Only the condition code that it sets can be tested.",
        "!!VP2.0\nMOVC CC, v[OPOS];\nMOV o[HPOS], CC;\nEND", "MOVC CC, v[OPOS];\nMOV o[HPOS], CC" => "MOV R0, v[OPOS];\nMOV o[HPOS], R0";
    VP_READ_RESULT "vp-read-result" &["NV_vertex_program2 2.14.1.5"],
        "Result registers are write-only.",
        "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[TEX0], o[HPOS];\nEND", "o[TEX0], o[HPOS]" => "o[TEX0], v[OPOS]";
    VP_WRITE_ATTRIBUTE "vp-write-attribute" &["NV_vertex_program2 2.14.1.1"],
        "Attribute registers are read-only.",
        "!!VP1.0\nMOV v[COL0], v[OPOS];\nMOV o[HPOS], v[OPOS];\nEND", "v[COL0]" => "o[COL0]";
    VP_WRITE_PARAMETER "vp-write-parameter" &["NV_vertex_program2 2.14.1.2"],
        "Only state programs write program parameters.",
        "!!VP1.0\nMOV c[0], v[OPOS];\nMOV o[HPOS], v[OPOS];\nEND", "MOV c[0], v[OPOS];\n" => "";
    VP_RELATIVE_WRITE "vp-relative-write" &["NV_vertex_program2 2.14.5"],
        "A state program writes parameters by a constant number.",
        "!!VSP1.0\nARL A0.x, v[0].x;\nMOV c[A0.x], v[0];\nEND", "ARL A0.x, v[0].x;\nMOV c[A0.x]" => "MOV c[0]";
    VP_TWO_ATTRIBUTES "vp-two-attributes" &["NV_vertex_program2 2.14.1.8"],
        "An instruction reads at most one attribute. It can read the same attribute several times.",
        "!!VP1.0\nADD o[HPOS], v[OPOS], v[NRML];\nEND", "ADD o[HPOS], v[OPOS], " => "MOV R0, v[OPOS];\nADD o[HPOS], R0, ";
    VP_TWO_PARAMETERS "vp-two-parameters" &["NV_vertex_program2 2.14.1.8"],
        "An instruction reads at most one program parameter. It can read the same one several times.",
        "!!VP1.0\nADD o[HPOS], c[0], c[1];\nEND", "ADD o[HPOS], c[0], " => "MOV R0, c[0];\nADD o[HPOS], R0, ";
    VP_NO_POSITION "vp-no-position" &["NV_vertex_program2 2.14.1.5"],
        "A vertex program writes o[HPOS], unless it is position-invariant.",
        "!!VP1.0\nMOV o[COL0], v[COL0];\nEND", "COL0], v[COL0]" => "HPOS], v[OPOS]";
    VP_NO_PARAMETER "vp-no-parameter" &["NV_vertex_program2 2.14.5"],
        "A state program writes at least one program parameter.",
        "!!VSP1.0\nMOV R0, v[0];\nEND", "R0" => "c[0]";
    VP_INVARIANT_POSITION "vp-invariant-position" &["NV_vertex_program2 2.14.6.1"],
        "A position-invariant program does not write o[HPOS]. The GL computes the position.",
        "!!VP1.1\nOPTION NV_position_invariant;\nMOV o[HPOS], v[OPOS];\nEND", "HPOS], v[OPOS]" => "COL0], v[COL0]";
    VP_INVARIANT_RELATIVE "vp-invariant-relative" &["NV_vertex_program2 2.14.6.1"],
        "A position-invariant `!!VP1.1` program has no relative references.",
        "!!VP1.1\nOPTION NV_position_invariant;\nARL A0.x, v[0].x;\nMOV o[COL0], c[A0.x];\nEND", "ARL A0.x, v[0].x;\nMOV o[COL0], c[A0.x]" => "MOV o[COL0], c[0]";
    ARB_READ_RESULT "arb-read-result"
        &["ARB_fragment_program 3.11.3.4", "ARB_vertex_program 2.14.3.4", "NV_gpu_program4 2.X.3.5"],
        "Results are write-only.",
        "!!ARBfp1.0\nMOV result.color, fragment.color;\nMUL result.color, result.color, 2;\nEND",
        "MOV result.color, fragment.color;\nMUL result.color, result.color" => "MUL result.color, fragment.color";
    ARB_WRITE_ATTRIBUTE "arb-write-attribute"
        &["ARB_fragment_program 3.11.3.1", "ARB_vertex_program 2.14.3.1", "NV_gpu_program4 2.X.3.2"],
        "Attributes are read-only.",
        "!!ARBfp1.0\nMOV fragment.color, 1;\nEND", "fragment.color" => "result.color";
    ARB_WRITE_PARAMETER "arb-write-parameter" PARAMETERS,
        "Parameters and constants are read-only.",
        "!!ARBfp1.0\nMOV program.local[0], fragment.color;\nEND", "program.local[0]" => "result.color";
    ARB_NOT_ARRAY "arb-not-array" &[
            "ARB_fragment_program 3.11.4.2", "ARB_vertex_program 2.14.4.2", "NV_gpu_program4 2.X.3.1",
        ],
        "Only an array has an index.",
        "!!ARBfp1.0\nTEMP t;\nMOV t, fragment.color;\nMOV result.color, t[0];\nEND", "t[0]" => "t";
    ARB_NEEDS_INDEX "arb-needs-index" ELEMENTS,
        "An instruction reads or writes one element of an array.",
        "!!ARBfp1.0\nPARAM a[] = { 1, 2 };\nMOV result.color, a;\nEND", "color, a" => "color, a[0]";
    ARB_BAD_INDEX "arb-bad-index" ELEMENTS,
        "A constant index is an integer from 0 to the size of the array minus 1.",
        "!!ARBfp1.0\nPARAM a[] = { 1, 2 };\nMOV result.color, a[2];\nEND", "a[2]" => "a[1]";
    ARB_BAD_OFFSET "arb-bad-offset" &[
            "ARB_fragment_program 3.11.2", "ARB_vertex_program 2.14.2", "NV_gpu_program4 2.X.4.2",
        ],
        "The offset of a relative reference is an integer in the limits of the language.",
        "!!NVvp4.0\nINT TEMP i;\nPARAM a[] = { program.env[0..3] };\nMOV.S i.x, vertex.id.x;\nMOV result.position, a[i.x - 1];\nEND",
        "i.x - 1" => "i.x + 1";
    ARB_NEEDS_ADDRESS "arb-needs-address" ADDRESSES,
        "The index of a relative reference is an address register.",
        "!!ARBvp1.0\nTEMP t;\nPARAM a[] = { program.env[0..3] };\nMOV t, vertex.position;\nMOV result.position, a[t.x];\nEND",
        "TEMP t;\nPARAM a[] = { program.env[0..3] };\nMOV t, vertex.position" =>
            "ADDRESS t;\nPARAM a[] = { program.env[0..3] };\nARL t.x, vertex.position.x";
    ARB_READ_ADDRESS "arb-read-address" ADDRESSES,
        "An address register is read only as an index.",
        "!!ARBvp1.0\nADDRESS i;\nPARAM a[] = { program.env[0..3] };\nARL i.x, vertex.position.x;\nMOV result.position, i;\nEND", "position, i;" => "position, a[i.x];";
    ARB_WRITE_ADDRESS "arb-write-address" ADDRESSES,
        "Only ARL and the other instructions that load addresses write an address register.",
        "!!ARBvp1.0\nADDRESS i;\nPARAM a[] = { program.env[0..3] };\nMOV i.x, vertex.position.x;\nMOV result.position, a[i.x];\nEND",
        "MOV i" => "ARL i";
    ARB_ADDRESS_MASK "arb-address-mask" &["ARB_vertex_program 2.14.3.5"],
        "Without an NV option, address registers have only an x component.",
        "!!ARBvp1.0\nADDRESS i;\nPARAM a[] = { program.env[0..3] };\nARL i.y, vertex.position.x;\nMOV result.position, a[i.x];\nEND",
        "i.y" => "i.x";
    ARB_ADDRESS_OUTSIDE_LOOP "arb-address-outside-loop" &["NV_fragment_program2 3.11.3.Y"],
        "In fragment programs, A0 exists inside LOOP blocks.",
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nMOV result.color, fragment.texcoord[A0.x];\nEND",
        "MOV result.color, fragment.texcoord[A0.x];" => "LOOP 4;\nMOV result.color, fragment.texcoord[A0.x];\nENDLOOP;";
    ARB_POPA_MASK "arb-popa-mask" &["NV_vertex_program3 2.14.5.43"],
        "POPA writes the whole address register, always.",
        "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS i;\nPARAM a[] = { program.env[0..3] };\nARL i, vertex.position;\nPUSHA i;\nPOPA i.x;\nMOV result.position, a[i.x];\nEND",
        "POPA i.x" => "POPA i";
    ARB_BAD_SELECTOR "arb-bad-selector"
        &["ARB_fragment_program 3.11.5.28", "ARB_vertex_program 2.14.5.26", "NV_gpu_program4 2.X.8.Z SWZ"],
        "SWZ selects each component with 0, 1, x, y, z or w and an optional sign.",
        "!!ARBfp1.0\nSWZ result.color, fragment.color, x, y, z, 2;\nEND", "2" => "1";
    ARB_RFL_W "arb-rfl-w" &["NV_fragment_program_option 3.11.5.36"],
        "RFL has no w result, so the write mask leaves w out.",
        "!!ARBfp1.0\nOPTION NV_fragment_program;\nRFL result.color, fragment.color, fragment.texcoord[0];\nEND",
        "result.color" => "result.color.xyz";
    ARB_PACK_DESTINATION "arb-pack-destination" PACKING,
        "PK instructions write 32 bits, so the destination is not SHORT.",
        "!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT TEMP t;\nPK2H t, fragment.color;\nMOV result.color, t;\nEND", "SHORT" => "LONG";
    ARB_UNPACK_SOURCE "arb-unpack-source" UNPACKING,
        "UP instructions read 32 bits, so the operand is not SHORT.",
        "!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT TEMP t;\nMOV t, fragment.color;\nUP2H result.color, t.x;\nEND", "SHORT" => "LONG";
    GPU_TYPE_MISMATCH "gpu-type-mismatch" &["NV_gpu_program4 2.X.3.1", "NV_gpu_program4 2.X.4.2"],
        "A variable with a data type is used by instructions of this data type.",
        "!!NVfp4.0\nINT TEMP i;\nMOV i, fragment.color;\nMOV.S result.color, i;\nEND", "INT TEMP i;\nMOV i" => "INT TEMP i;\nMOV.S i";
    GPU_NEEDS_TYPE "gpu-needs-type"
        &["NV_gpu_program4 2.X.4.1", "NV_gpu_program5 2.X.4.1", "NV_gpu_program5 2.X.8.Z CVT"],
        "Some instructions need a data type or a storage modifier. CVT needs two data types.",
        "!!NVfp5.0\nTEMP t;\nCVT t, fragment.color;\nMOV.S result.color, t;\nEND", "CVT" => "CVT.S32.F32";
    GPU_CLAMPED_INTEGER "gpu-clamped-integer" &["NV_gpu_program4 2.X.4.1", "NV_gpu_program5 2.X.8.Z CVT"],
        "Only a floating-point result can be clamped.",
        "!!NVfp4.0\nTEMP t;\nMOV.S t, fragment.color;\nADD.S.SAT result.color, t, t;\nEND", ".SAT" => "";
    GPU_INDEX_REGISTER "gpu-index-register" &["NV_gpu_program4 2.X.4.2"],
        "The index of a relative reference is a scalar integer temporary, or a temporary that is not in an array.",
        "!!NVvp4.0\nPARAM a[] = { program.env[0..3] };\nPARAM p = 1;\nMOV result.position, a[p.x];\nEND", "PARAM p = 1;\nMOV result.position, a[p.x]" => "MOV result.position, a[1]";
    GPU_SIGNED_OPERAND "gpu-signed-operand" &["NV_gpu_program5 2.X.8.Z CVT"],
        "The operand of CVT takes no sign and no absolute value.",
        "!!NVfp5.0\nCVT.S32.F32 result.color, -fragment.color;\nEND", "-fragment" => "fragment";
    GPU_NOT_EVALUATED "gpu-not-evaluated"
        &["NV_gpu_program5 2.X.8.Z IPAC", "NV_gpu_program5 2.X.8.Z IPAO", "NV_gpu_program5 2.X.8.Z IPAS"],
        "IPAC, IPAO and IPAS read an attribute that is interpolated.",
        "!!NVfp5.0\nTEMP t;\nMOV t, fragment.color;\nIPAC result.color, t;\nEND", "TEMP t;\nMOV t, fragment.color;\nIPAC result.color, t" => "IPAC result.color, fragment.color";
    GPU_PACK_DESTINATION "gpu-pack-destination" &["NV_gpu_program5 2.X.8.Z PK64"],
        "PK64 writes 64 bits, so the destination is LONG.",
        "!!NVfp5.0\nTEMP t;\nPK64 t.x, fragment.color;\nUP64 result.color, t.x;\nEND", "TEMP" => "LONG TEMP";
    GPU_UNPACK_SOURCE "gpu-unpack-source" &["NV_gpu_program5 2.X.8.Z UP64"],
        "UP64 reads 64 bits, so the operand is LONG.",
        "!!NVfp5.0\nTEMP t;\nMOV t, fragment.color;\nUP64 result.color, t.x;\nEND", "TEMP t;\nMOV t, fragment.color" => "LONG TEMP t;\nPK64 t.x, fragment.color";
}
