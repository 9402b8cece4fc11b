//! Codes about labels, blocks, calls and subroutine variables.

use super::codes;

/// The clauses about flow.
const FLOW: &[&str] =
    &["NV_fragment_program2 3.11.4.X", "NV_vertex_program2_option 2.14.4.X", "NV_gpu_program4 2.X.5"];
/// The clause about subroutine variables.
const SUBROUTINES: &[&str] = &["ARB_shader_subroutine 2.X.5"];

codes! { Error
    ARB_UNCLOSED_BLOCK "arb-unclosed-block" FLOW,
        "Every block ends before `END`: IF with ENDIF, LOOP with ENDLOOP, REP with ENDREP.",
        "!!NVfp4.0\nMOVC result.color, fragment.color;\nIF GT.x;\nMOV result.color, 1;\nEND", "1;\n" => "1;\nENDIF;\n";
    ARB_UNMATCHED_BLOCK "arb-unmatched-block" FLOW,
        "ELSE and the ends of blocks belong to the innermost open block.",
        "!!NVfp4.0\nMOVC result.color, fragment.color;\nIF GT.x;\nMOV result.color, 1;\nENDREP;\nEND", "ENDREP" => "ENDIF";
    ARB_TOO_DEEP "arb-too-deep" FLOW,
        "Blocks nest no deeper than the limit of the language.",
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nREP 2;\nREP 2;\nREP 2;\nREP 2;\nREP 2;\nMOV result.color, 1;\n\
         ENDREP;\nENDREP;\nENDREP;\nENDREP;\nENDREP;\nEND",
        "REP 2;\nMOV result.color, 1;\nENDREP;" => "MOV result.color, 1;";
    ARB_BREAK_OUTSIDE_LOOP "arb-break-outside-loop" FLOW,
        "BRK and CONT are inside a LOOP or REP block.",
        "!!NVfp4.0\nMOV result.color, fragment.color;\nBRK;\nEND", "BRK;\n" => "";
    ARB_LABEL_IN_BLOCK "arb-label-in-block" FLOW,
        "A label is not inside a block.",
        "!!NVfp4.0\nMOVC result.color, fragment.color;\nIF GT.x;\nhalf:\nMOV result.color, 0.5;\nENDIF;\nEND", "half:\n" => "";
    ARB_LOOP_OPERAND "arb-loop-operand" &["NV_fragment_program2 3.11.X.8"],
        "The count of LOOP or REP is a parameter or a constant.",
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP t;\nMOV t, 3;\nREP t;\nMOV result.color, 1;\nENDREP;\nEND", "TEMP t;\nMOV t, 3;\nREP t" => "REP 3";
    GPU_ENDLESS_LOOP "gpu-endless-loop" &["NV_gpu_program4 2.X.5"],
        "A REP block without a count contains BRK or RET.",
        "!!NVfp4.0\nREP;\nMOV result.color, fragment.color;\nENDREP;\nEND", "color;\nENDREP" => "color;\nBRK;\nENDREP";
    GPU_INDIRECT_RECURSION "gpu-indirect-recursion" SUBROUTINES,
        "CALI does not call the subroutine that contains it, directly or through other calls.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINE T v = program.subroutine[0];\nmain:\nCALI v;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, 1;\nCALI v;\nRET;\nEND",
        "1;\nCALI v;" => "1;";
    GPU_BAD_SUBROUTINE_NUMBER "gpu-bad-subroutine-number" SUBROUTINES,
        "SUBROUTINENUM has an integer below the limit.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINE T v = program.subroutine[0];\nmain:\nCALI v;\nRET;\na SUBROUTINENUM(256):\nMOV result.color, 1;\nRET;\nEND",
        "256" => "0";
    GPU_SUBROUTINE_NUMBER_TWICE "gpu-subroutine-number-twice" SUBROUTINES,
        "Each subroutine has a number of its own.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a, b };\nSUBROUTINE T v = program.subroutine[0];\nmain:\nCALI v;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, 1;\nRET;\nb SUBROUTINENUM(0):\nMOV result.color, 0;\nRET;\nEND",
        "b SUBROUTINENUM(0)" => "b SUBROUTINENUM(1)";
    GPU_SUBROUTINE_WITHOUT_NUMBER "gpu-subroutine-without-number" SUBROUTINES,
        "A label in the list of a subroutine type has a SUBROUTINENUM.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINE T v = program.subroutine[0];\nmain:\nCALI v;\nRET;\na:\nMOV result.color, 1;\nRET;\nEND",
        "a:" => "a SUBROUTINENUM(0):";
    GPU_SUBROUTINE_WITHOUT_CHOICE "gpu-subroutine-without-choice" &["ARB_shader_subroutine Issues (2)"],
        "The type of a subroutine variable lists at least one subroutine.",
        "!!NVfp5.0\nSUBROUTINETYPE T { };\nSUBROUTINE T v = program.subroutine[0];\nMOV result.color, 1;\nEND",
        "SUBROUTINETYPE T { };\nSUBROUTINE T v = program.subroutine[0];\n" => "";
    GPU_NOT_SUBROUTINE_TYPE "gpu-not-subroutine-type" SUBROUTINES,
        "SUBROUTINE names a type that SUBROUTINETYPE declares.",
        "!!NVfp5.0\nTEMP T;\nSUBROUTINE T v = program.subroutine[0];\nmain:\nCALI v;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, 1;\nRET;\nEND",
        "TEMP T;" => "SUBROUTINETYPE T { a };";
    GPU_NOT_SUBROUTINE_VARIABLE "gpu-not-subroutine-variable" &["ARB_shader_subroutine 2.X.2"],
        "CALI calls a subroutine variable. CAL calls a label.",
        "!!NVfp5.0\nTEMP t;\nMOV t, 1;\nCALI t;\nMOV result.color, t;\nEND", "CALI t;\n" => "";
    GPU_SUBROUTINE_OPERAND "gpu-subroutine-operand" &["ARB_shader_subroutine 2.X.2"],
        "A subroutine variable has no value that an instruction can read. CALI calls it.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINE T v = program.subroutine[0];\nmain:\nMOV result.color, v;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, 1;\nRET;\nEND",
        "MOV result.color, v" => "CALI v";
    GPU_BAD_SUBROUTINE_PARAMETER "gpu-bad-subroutine-parameter" &["ARB_shader_subroutine 2.14.1"],
        "A subroutine parameter is `program.subroutine[n]` with an integer below the limit.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINE T v = program.subroutine[1024];\nmain:\nCALI v;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, 1;\nRET;\nEND",
        "1024" => "0";
    GPU_SUBROUTINE_PARAMETER_TYPES "gpu-subroutine-parameter-types" SUBROUTINES,
        "All variables that are bound to one subroutine parameter have the same type.",
        "!!NVfp5.0\nSUBROUTINETYPE T { a };\nSUBROUTINETYPE U { a };\nSUBROUTINE T v = program.subroutine[0];\nSUBROUTINE U w = program.subroutine[0];\nmain:\nCALI v;\nCALI w;\nRET;\na SUBROUTINENUM(0):\nMOV result.color, 1;\nRET;\nEND",
        "w = program.subroutine[0]" => "w = program.subroutine[1]";
}
