//! Rows of the instruction table: branches, blocks, subroutines and address registers; what geometry programs emit, and what thread groups ask.

macro_rules! flow {
    ($next:ident! $($rest:tt)*) => {
        $next! { $($rest)*
        Bra "BRA" "Branch" (Label, BranchCondition) -> None, Free, Flow,
            [
                vp2("2.14.3.6").bare(),
                arb_vp_nv2("2.14.5.30").bare()
            ],
            "if (any tested condition code is true) go on at the label",
            "Goes on at the label if the test holds for any of the four (swizzled) condition code components, or always where no test is written. Every program ends after so many instructions, so an endless loop does."
            => "MOV {r}, {a}; {set a} BRA done (GT.x); MOV {r}, {b}; done:";
        Cal "CAL" "Subroutine call" (Label, BranchCondition) -> None, Free, Flow,
            [
                vp2("2.14.3.7").bare(),
                arb_fp_nv2("3.11.X.2", NONE).reads("Calls the subroutine at the label if the test holds for any component, or always where no test is written. Calls nest four deep; a fifth ends the program, and the fragment comes out as it then stands."),
                arb_vp_nv2("2.14.5.31").bare(),
                gpu("2.X.8.Z CAL", "------", "", "").reads("Calls the subroutine at the label if the test holds for any component, or always where no test is written. Calls nest 32 deep; one more ends the program, with the results as they then stand.")
            ],
            "if (any tested condition code is true) push the next instruction and go on at the label",
            "Calls the subroutine at the label if the test holds for any component, or always where no test is written. Calls nest four deep; a fifth ends the program, and the vertex comes out as it then stands."
            => "CAL twice; {write} RET; twice: ADD {r}, {a}, {a}; RET;";
        Cali "CALI" "Indirect subroutine call" (SubroutineVariable, BranchCondition) -> None, Free, Flow,
            [subroutines("2.X.8.Z CALI")],
            "if (any tested condition code is true) push the next instruction and go on at the label that the variable stands for",
            "Calls the subroutine that the application has chosen for a subroutine variable, or for an element of an array of them, if the test holds for any component, or always where no test is written. An index outside the array calls nothing. Calls nest 32 deep; one more ends the program, with the results as they then stand."
            => "SUBROUTINETYPE change { twice, half }; SUBROUTINE change chosen = program.subroutine[0]; CALI chosen; {write} RET; twice SUBROUTINENUM(0): ADD {r}, {a}, {a}; RET; half SUBROUTINENUM(1): MUL {r}, {a}, {b}.x; RET;";
        Ret "RET" "Return" (BranchCondition) -> None, Free, Flow,
            [
                vp2("2.14.3.27").bare(),
                arb_fp_nv2("3.11.X.10", NONE),
                arb_vp_nv2("2.14.5.34").bare().only(Languages::ARB_VP_NV2.without(Languages::ARB_VP_NV3)),
                arb_vp_nv2("2.14.5.34").bare().only(Languages::ARB_VP_NV3).reads("Returns from a subroutine if the test holds for any component, or always where no test is written. Outside any subroutine it ends the program; so it does where PUSHA has left an address on top of the stack that both share."),
                gpu("2.X.8.Z RET", "------", "", "").reads("Returns from a subroutine if the test holds for any component, or always where no test is written, and leaves the blocks it stands in. Outside any subroutine it ends the program.")
            ],
            "if (any tested condition code is true) go on behind the latest CAL",
            "Returns from a subroutine if the test holds for any component, or always where no test is written. Outside any subroutine it ends the program."
            => "CAL twice; {write} RET; twice: ADD {r}, {a}, {a}; RET;";
        Brk "BRK" "Leave the loop" (BranchCondition) -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.1", NONE),
                gpu("2.X.8.Z BRK", "------", "", "").computes("if (any tested condition code is true) go on behind the ENDREP").reads("Leaves the innermost REP block if the test holds for any of the four (swizzled) condition code components, or always where no test is written. It must stand inside such a block of the same subroutine.")
            ],
            "if (any tested condition code is true) go on behind the ENDLOOP or ENDREP",
            "Leaves the innermost LOOP or REP block if the test holds for any of the four (swizzled) condition code components, or always where no test is written. It must stand inside such a block of the same subroutine."
            => "MOV {r}, {b}; {rep} ADD {r}, {r}, {b}; {set r} BRK (GT.z); ENDREP;";
        Else "ELSE" "Otherwise" () -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.3", NONE),
                gpu("2.X.8.Z ELSE", "------", "", "")
            ],
            "go on at the ENDIF",
            "Divides an IF block. After the part above it, execution goes on at the ENDIF. Where the test of the IF fails, the part below it is executed instead."
            => "{set a} IF GT.x; MOV {r}, {a}; ELSE; MOV {r}, {b}; ENDIF;";
        Endif "ENDIF" "End of an IF block" () -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.4", NONE),
                gpu("2.X.8.Z ENDIF", "------", "", "")
            ],
            "nothing",
            "Ends an IF block, with or without ELSE."
            => "MOV {r}, {b}; {set a} IF GT.x; MOV {r}, {a}; ENDIF;";
        Endloop "ENDLOOP" "End of a LOOP block" () -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.5", NONE)
            ],
            "count -= 1; A0.x += increment; if (count > 0) go on behind the LOOP",
            "Counts one round of the LOOP block and moves the index on by the increment. Another round follows while the count is above zero."
            => "PARAM count = { 3, 0, 1, 0 }; MOV {r}, {a}; LOOP count; ADD {r}, {r}, {b}; ENDLOOP;";
        Endrep "ENDREP" "End of a REP block" () -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.6", NONE),
                gpu("2.X.8.Z ENDREP", "------", "", "")
            ],
            "count -= 1; if (count > 0) go on behind the REP",
            "Counts one round of the REP block. Another round follows while the count is above zero."
            => "MOV {r}, {a}; {rep} ADD {r}, {r}, {b}; ENDREP;";
        If "IF" "Conditional block" (Condition) -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.7", NONE),
                gpu("2.X.8.Z IF", "------", "", "").reads("Executes the block up to ELSE or ENDIF if the test holds for any of the four (swizzled) condition code components, otherwise what stands between ELSE and ENDIF, if there is an ELSE. Blocks nest 64 deep in one subroutine. In fragment programs neighbours in the quad that are elsewhere still count for derivatives.")
            ],
            "if (no tested condition code is true) go on behind the ELSE, or else the ENDIF",
            "Executes the block up to ELSE or ENDIF if the test holds for any of the four (swizzled) condition code components, otherwise what stands between ELSE and ENDIF, if there is an ELSE. Blocks nest 48 deep, those of callers included; one more ends the program. Neighbours in the quad that stand elsewhere still count for derivatives."
            => "{set a} IF GT.y; MOV {r}, {a}; ELSE; MOV {r}, {b}; ENDIF;";
        Loop "LOOP" "Loop with an index" (Vector) -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.8", NONE)
            ],
            "count = floor(a.x); A0.x = floor(a.y); increment = floor(a.z); if (count <= 0) go on behind the ENDLOOP",
            "Repeats the block up to ENDLOOP as often as x says (rounded down, at most 255 times, not at all at zero or below). A0.x begins at y and grows by z each round; where it is read it counts as at least 0. The operand must be a program parameter. LOOP and REP nest four deep, those of callers included; one more ends the program."
            => "PARAM count = { 3, 0, 1, 0 }; MOV {r}, {a}; LOOP count; ADD {r}, {r}, {b}; ENDLOOP;";
        Popa "POPA" "Pop an address register" () -> Address, Free, Flow,
            [
                arb_vp_nv3("2.14.5.43").bare()
            ],
            "result = the address on top of the stack",
            "Takes an address register's four components off the stack that PUSHA and CAL share. Where the stack is empty or a return address lies on top, the program ends, and the vertex comes out as it then stands. It takes no masks."
            => "{address} ARL A0, {a}; PUSHA A0; ARL A0.x, {b}.x; MOV {r}, {table}; POPA A0; ADD {r}, {r}, {table};";
        Pusha "PUSHA" "Push an address register" (Address) -> None, Free, Flow,
            [
                arb_vp_nv3("2.14.5.44").bare()
            ],
            "put a on the stack",
            "Puts an address register's four components on the stack that CAL uses too. With four entries on it the program ends, and the vertex comes out as it then stands."
            => "{address} ARL A0, {a}; PUSHA A0; ARL A0.x, {b}.x; MOV {r}, {table}; POPA A0; ADD {r}, {r}, {table};";
        Rep "REP" "Loop" (Vector) -> None, Free, Flow,
            [
                arb_fp_nv2("3.11.X.9", NONE),
                gpu("2.X.8.Z REP", "66--XF", "", "v").takes(&[OperandKind::OptionalVector]).computes("count = floor(a.x); if (count <= 0) go on behind the ENDREP").reads("Repeats the block up to ENDREP as often as x says (rounded down, not at all at zero or below), or without an operand until BRK or RET leaves it. REP blocks nest 64 deep in one subroutine.")
            ],
            "count = floor(a.x); if (count <= 0) go on behind the ENDREP",
            "Repeats the block up to ENDREP as often as x says (rounded down, at most 255 times, not at all at zero or below). The operand must be a program parameter. LOOP and REP nest four deep, those of callers included; one more ends the program."
            => "MOV {r}, {a}; {rep} ADD {r}, {r}, {b}; ENDREP;";
        Cont "CONT" "Next round of the loop" (BranchCondition) -> None, Free, Flow,
            [
                gpu("2.X.8.Z CONT", "------", "", "")
            ],
            "if (any tested condition code is true) go on at the ENDREP",
            "Ends the round of the innermost REP block if the test holds for any of the four (swizzled) condition code components, or always where no test is written. It must stand inside such a block of the same subroutine."
            => "MOV {r}, {b}; {rep} {set r} CONT (GT.x); ADD {r}, {r}, {a}; ENDREP;";
        Ara "ARA" "Address register add" (Address) -> Address, Free, Address,
            [
                vp2("2.14.3.3"),
                arb_vp_nv2("2.14.5.28").no_sat().computes("result = (a.x + a.z, a.y + a.w, a.x + a.z, a.y + a.w); where each sum saturates at 32 bits")
            ],
            "result = (a.x + a.z, a.y + a.w, a.x + a.z, a.y + a.w); where each sum is clamped to [-512, 511]",
            "Adds the two halves of an address register: x and z, y and w. With counter and index in x and y and their steps in z and w, one ARAC moves a loop on and sets the condition code for its branch."
            => "{address} ARL A0, {a}; ARA A0.x, A0; MOV {r}, {table};";
        Arl "ARL" "Address register load" (Vector) -> Address, Free, Address,
            [
                vp1_only("2.14.3.4").computes("result.x = floor(a); where NaN gives 0").reads("Loads A0.x with the floor of the scalar operand, not clamped; NaN gives 0. c[A0.x+n] then reads the parameter that many places on."),
                vp2("2.14.3.4"),
                arb_vp_plain("2.14.5.3").no_sat().computes("result.x = clamp(floor(a), -2^31, 2^31 - 1); where NaN gives 0").reads("Loads x of an address register, its only component, with the floor of the scalar operand; NaN gives 0. An array element named by address and offset is then read that many places on."),
                arb_vp_from_nv2("2.14.5.3").no_sat().computes("result = clamp(floor(a), -2^31, 2^31 - 1); where NaN gives 0").reads("Loads an address register with the floor of the operand; NaN gives 0. An array element named by address and offset is then read that many places on.")
            ],
            "result = clamp(floor(a), -512, 511); where NaN gives 0",
            "Loads an address register with the floor of the operand; NaN gives 0. c[A0.x+n] then reads the parameter that many places on."
            => "{address} ARL A0.x, {a}.x; MOV {r}, {table};";
        Arr "ARR" "Address register load with round" (Vector) -> Address, Free, Address,
            [
                vp2("2.14.3.5"),
                arb_vp_nv2("2.14.5.29").no_sat().computes("result = clamp(round(a), -2^31, 2^31 - 1); where NaN gives 0")
            ],
            "result = clamp(round(a), -512, 511); where NaN gives 0",
            "Like ARL, but rounds to the nearest whole number, halves to the even one."
            => "{address} ARR A0.x, {a}.x; MOV {r}, {table};";
        Emit "EMIT" "Emit a vertex" () -> None, Free, Emit,
            [
                gpu_gp("2.X.8.Z EMIT", "------", "", "").bare()
            ],
            "vertex = results; results = undefined",
            "Adds a vertex to the primitive that is being made, with what the results hold. The results are undefined then, so each has to be written again for the next vertex. Vertices beyond the declared number are not emitted."
            => "MOV {r}, {a};";
        Emits "EMITS" "Emit a vertex to a stream" (Scalar) -> None, Free, Emit,
            [
                gpu5_gp("2.X.8.Z EMITS", "-X---S", "", "s")
            ],
            "vertex of stream a = results; results = undefined",
            "Adds a vertex to the vertex stream that the operand, a signed integer, says, with what the results hold. The results are undefined then. A stream that there is not gets nothing."
            => "MOV {r}, {a}; {write} {results} EMITS 0;";
        Endprim "ENDPRIM" "End the primitive" () -> None, Free, Emit,
            [
                gpu_gp("2.X.8.Z ENDPRIM", "------", "", "").bare()
            ],
            "begin a new primitive",
            "Ends the primitive that is being made and begins another of the same type. It emits no vertex, and the results stay as they are."
            => "MOV {r}, {a}; {write} ENDPRIM;";
        Tgall "TGALL" "Test all of a thread group" (Vector) -> Vector, Free, Group,
            [
                gpu5("2.X.8.Z TGALL", "XXXX-F", "v", "v")
            ],
            "result = a is not zero in all active invocations of the group",
            "True in each component that is other than zero in all the invocations that execute the instruction together: in fragment programs those of the 2x2 quad, elsewhere the invocation alone. True is 1.0, -1 or all ones as the type is, false is 0.";
        Tgany "TGANY" "Test any of a thread group" (Vector) -> Vector, Free, Group,
            [
                gpu5("2.X.8.Z TGANY", "XXXX-F", "v", "v")
            ],
            "result = a is not zero in any active invocation of the group",
            "True in each component that is not zero in one or more of the invocations that execute the instruction together: in fragment programs those of the 2x2 quad, elsewhere the invocation alone. True is 1.0, -1 or all ones as the type is, false is 0.";
        Tgeq "TGEQ" "Test a thread group for equality" (Vector) -> Vector, Free, Group,
            [
                gpu5("2.X.8.Z TGEQ", "XXXX-F", "v", "v")
            ],
            "result = a is the same in all active invocations of the group",
            "True in each component that has one value in all the invocations that execute the instruction together: in fragment programs those of the 2x2 quad, elsewhere the invocation alone. True is 1.0, -1 or all ones as the type is, false is 0.";
        }
    };
}
