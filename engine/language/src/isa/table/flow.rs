//! Rows of the instruction table: branches, blocks, subroutines and address registers, emits of geometry
//! programs, and votes of thread groups. [`super`] turns the rows into the table.

macro_rules! flow {
    (($next:path) $($rest:tt)*) => {
        $next! { $($rest)*
        Bra "BRA" "Branch" (Label, BranchCondition) -> None, Free, Flow,
            Flow(Branch), [
                vp2("2.14.3.6").bare(),
                arb_vp_nv2("2.14.5.30").bare()
            ],
            "if (any tested condition code is true) jump to the label",
            "Jumps to the label if the test holds for any of the four (swizzled) condition code components. Without a test it always jumps. Programs have an instruction limit, so even an endless loop ends."
            => "MOV {r}, {a}; {set a} BRA done (GT.x); MOV {r}, {b}; done:"
            readings [EXECUTED];
        Cal "CAL" "Subroutine call" (Label, BranchCondition) -> None, Free, Flow,
            Flow(Call), [
                vp2("2.14.3.7").bare(),
                arb_fp_nv2("3.11.X.2", NONE).reads("Calls the subroutine at the label if the test holds for any condition code component. Without a test it always calls. Calls nest up to four deep. A fifth call ends the program, and the fragment keeps the results written so far."),
                arb_vp_nv2("2.14.5.31").bare(),
                gpu("2.X.8.Z CAL", "------", "", "").reads("Calls the subroutine at the label if the test holds for any condition code component. Without a test it always calls. Calls nest up to 32 deep. One more call ends the program, with the results written so far.")
            ],
            "if (any tested condition code is true) push the next instruction and jump to the label",
            "Calls the subroutine at the label if the test holds for any condition code component. Without a test it always calls. Calls nest up to four deep. A fifth call ends the program, and the vertex keeps the results written so far."
            => "CAL twice; {write} RET; twice: ADD {r}, {a}, {a}; RET;"
            readings [
                Reading::new(Languages::VP2, "With four return addresses on the stack, CAL ends the program. It does not jump to the label, although the pseudo-code suggests it."),
                RESULTS_STAY,
                EXECUTED,
                ONE_STACK
            ];
        Cali "CALI" "Indirect subroutine call" (SubroutineVariable, BranchCondition) -> None, Free, Flow,
            Flow(CallIndirect), [subroutines("2.X.8.Z CALI")],
            "if (any tested condition code is true) push the next instruction and jump to the subroutine that the variable selects",
            "Calls the subroutine that the application has chosen for a subroutine variable, or for an element of an array of them, if the test holds for any condition code component. Without a test it always calls. An index outside the array calls nothing. Calls nest up to 32 deep. One more call ends the program, with the results written so far."
            => "SUBROUTINETYPE change { twice, half }; SUBROUTINE change chosen = program.subroutine[0]; CALI chosen; {write} RET; twice SUBROUTINENUM(0): ADD {r}, {a}, {a}; RET; half SUBROUTINENUM(1): MUL {r}, {a}, {b}.x; RET;"
            readings [
                EXECUTED,
                Reading::new(Languages::GPU_5, "Each lane calls the subroutine that its own index selects, or nothing if the index is outside the array. A parameter that is not set selects the first subroutine of its type.")
            ];
        Ret "RET" "Return" (BranchCondition) -> None, Free, Flow,
            Flow(Return), [
                vp2("2.14.3.27").bare(),
                arb_fp_nv2("3.11.X.10", NONE),
                arb_vp_nv2("2.14.5.34").bare().only(Languages::ARB_VP_NV2.without(Languages::ARB_VP_NV3)),
                arb_vp_nv2("2.14.5.34").bare().only(Languages::ARB_VP_NV3).reads("Returns from a subroutine if the test holds for any condition code component. Without a test it always returns. Outside a subroutine it ends the program. It also ends the program if the top of the stack, which calls share with PUSHA, is an address register."),
                gpu("2.X.8.Z RET", "------", "", "").reads("Returns from a subroutine if the test holds for any condition code component, and leaves all blocks around it. Without a test it always returns. Outside a subroutine it ends the program.")
            ],
            "if (any tested condition code is true) continue after the latest CAL",
            "Returns from a subroutine if the test holds for any condition code component. Without a test it always returns. Outside a subroutine it ends the program."
            => "CAL twice; {write} RET; twice: ADD {r}, {a}, {a}; RET;"
            readings [
                RESULTS_STAY,
                EXECUTED,
                ONE_STACK,
                Reading::new(Languages::ARB_FP_NV2, "RET leaves the loops and IF blocks entered since the CAL.")
            ];
        Brk "BRK" "Leave the loop" (BranchCondition) -> None, Free, Flow,
            Flow(Break), [
                arb_fp_nv2("3.11.X.1", NONE),
                gpu("2.X.8.Z BRK", "------", "", "").computes("if (any tested condition code is true) continue after the ENDREP").reads("Leaves the innermost REP block if the test holds for any of the four (swizzled) condition code components. Without a test it always leaves the block. BRK must be inside such a block, in the same subroutine.")
            ],
            "if (any tested condition code is true) continue after the ENDLOOP or ENDREP",
            "Leaves the innermost LOOP or REP block if the test holds for any of the four (swizzled) condition code components. Without a test it always leaves the block. BRK must be inside such a block, in the same subroutine."
            => "MOV {r}, {b}; {rep} ADD {r}, {r}, {b}; {set r} BRK (GT.z); ENDREP;";
        Else "ELSE" "Otherwise" () -> None, Free, Flow,
            Flow(Else), [
                arb_fp_nv2("3.11.X.3", NONE),
                gpu("2.X.8.Z ELSE", "------", "", "")
            ],
            "jump to the ENDIF",
            "Separates the two parts of an IF block. After the first part, execution jumps to the ENDIF. If the test of the IF fails, the second part runs instead."
            => "{set a} IF GT.x; MOV {r}, {a}; ELSE; MOV {r}, {b}; ENDIF;";
        Endif "ENDIF" "End of an IF block" () -> None, Free, Flow,
            Flow(EndIf), [
                arb_fp_nv2("3.11.X.4", NONE),
                gpu("2.X.8.Z ENDIF", "------", "", "")
            ],
            "nothing",
            "Ends an IF block, with or without ELSE."
            => "MOV {r}, {b}; {set a} IF GT.x; MOV {r}, {a}; ENDIF;";
        Endloop "ENDLOOP" "End of a LOOP block" () -> None, Free, Flow,
            Flow(EndLoop), [
                arb_fp_nv2("3.11.X.5", NONE)
            ],
            "count -= 1; A0.x += increment; if (count > 0) continue after the LOOP",
            "Ends an iteration of the LOOP block: decrements the count and adds the increment to the index. The loop repeats while the count is above zero."
            => "PARAM count = { 3, 0, 1, 0 }; MOV {r}, {a}; LOOP count; ADD {r}, {r}, {b}; ENDLOOP;";
        Endrep "ENDREP" "End of a REP block" () -> None, Free, Flow,
            Flow(EndRep), [
                arb_fp_nv2("3.11.X.6", NONE),
                gpu("2.X.8.Z ENDREP", "------", "", "")
            ],
            "count -= 1; if (count > 0) continue after the REP",
            "Ends an iteration of the REP block and decrements the count. The loop repeats while the count is above zero."
            => "MOV {r}, {a}; {rep} ADD {r}, {r}, {b}; ENDREP;";
        If "IF" "Conditional block" (Condition) -> None, Free, Flow,
            Flow(If), [
                arb_fp_nv2("3.11.X.7", NONE),
                gpu("2.X.8.Z IF", "------", "", "").reads("Runs the instructions up to ELSE or ENDIF if the test holds for any of the four (swizzled) condition code components. Otherwise it runs those between ELSE and ENDIF, if there is an ELSE. IF blocks nest up to 64 deep in one subroutine. In fragment programs, derivatives still use neighbours in the quad that took another path.")
            ],
            "if (no tested condition code is true) continue after the ELSE, or else the ENDIF",
            "Runs the instructions up to ELSE or ENDIF if the test holds for any of the four (swizzled) condition code components. Otherwise it runs those between ELSE and ENDIF, if there is an ELSE. IF blocks nest up to 48 deep, including the blocks of callers. One more block ends the program. Derivatives still use neighbours in the quad that took another path."
            => "{set a} IF GT.y; MOV {r}, {a}; ELSE; MOV {r}, {b}; ENDIF;"
            readings [Reading::new(Languages::ARB_FP_NV2, "An IF without an ELSE does not count as an active block if its test fails.")];
        Loop "LOOP" "Loop with an index" (Vector) -> None, Free, Flow,
            Flow(Loop), [
                arb_fp_nv2("3.11.X.8", NONE)
            ],
            "count = floor(a.x); A0.x = floor(a.y); increment = floor(a.z); if (count <= 0) continue after the ENDLOOP",
            "Repeats the block up to ENDLOOP. The number of iterations is x, rounded down and limited to 255; zero or less skips the block. A0.x starts at y and grows by z each iteration. A negative A0.x is read as 0. The operand must be a program parameter. LOOP and REP blocks nest up to four deep, including the loops of callers. One more loop ends the program."
            => "PARAM count = { 3, 0, 1, 0 }; MOV {r}, {a}; LOOP count; ADD {r}, {r}, {b}; ENDLOOP;"
            readings [
                EXECUTED,
                Reading::new(Languages::ARB_FP_NV2, "Index and increment are rounded down and kept as 32-bit whole numbers that saturate. NaN counts as 0.")
            ];
        Popa "POPA" "Pop an address register" () -> Address, Free, Flow,
            Flow(PopAddress), [
                arb_vp_nv3("2.14.5.43").bare()
            ],
            "result = the address on top of the stack",
            "Pops the four components of an address register off the stack that PUSHA and CAL share. If the stack is empty or a return address is on top, the program ends, and the vertex keeps the results written so far. POPA cannot have a write mask or a condition code test."
            => "{address} ARL A0, {a}; PUSHA A0; ARL A0.x, {b}.x; MOV {r}, {table}; POPA A0; ADD {r}, {r}, {table};"
            readings [ONE_STACK];
        Pusha "PUSHA" "Push an address register" (Address) -> None, Free, Flow,
            Flow(PushAddress), [
                arb_vp_nv3("2.14.5.44").bare()
            ],
            "push a onto the stack",
            "Pushes the four components of an address register onto the stack that CAL also uses. If the stack already has four entries, the program ends, and the vertex keeps the results written so far."
            => "{address} ARL A0, {a}; PUSHA A0; ARL A0.x, {b}.x; MOV {r}, {table}; POPA A0; ADD {r}, {r}, {table};"
            readings [ONE_STACK];
        Rep "REP" "Loop" (Vector) -> None, Free, Flow,
            Flow(Rep), [
                arb_fp_nv2("3.11.X.9", NONE),
                gpu("2.X.8.Z REP", "66--XF", "", "v").takes(&[OperandKind::OptionalVector]).computes("count = floor(a.x); if (count <= 0) continue after the ENDREP").reads("Repeats the block up to ENDREP. The number of iterations is x, rounded down; zero or less skips the block. Without an operand the loop runs until BRK or RET leaves it. REP blocks nest up to 64 deep in one subroutine.")
            ],
            "count = floor(a.x); if (count <= 0) continue after the ENDREP",
            "Repeats the block up to ENDREP. The number of iterations is x, rounded down and limited to 255; zero or less skips the block. The operand must be a program parameter. LOOP and REP blocks nest up to four deep, including the loops of callers. One more loop ends the program."
            => "MOV {r}, {a}; {rep} ADD {r}, {r}, {b}; ENDREP;"
            readings [EXECUTED];
        Cont "CONT" "Next iteration" (BranchCondition) -> None, Free, Flow,
            Flow(Continue), [
                gpu("2.X.8.Z CONT", "------", "", "")
            ],
            "if (any tested condition code is true) jump to the ENDREP",
            "Ends the current iteration of the innermost REP block if the test holds for any of the four (swizzled) condition code components. Without a test it always ends the iteration. CONT must be inside such a block, in the same subroutine."
            => "MOV {r}, {b}; {rep} {set r} CONT (GT.x); ADD {r}, {r}, {a}; ENDREP;";
        Ara "ARA" "Address register add" (Address) -> Address, Free, Address,
            Computes(|semantics| each(address_sum(semantics), HALVES)), [
                vp2("2.14.3.3"),
                arb_vp_nv2("2.14.5.28").no_sat().computes("result = (a.x + a.z, a.y + a.w, a.x + a.z, a.y + a.w); where each sum saturates at 32 bits")
            ],
            "result = (a.x + a.z, a.y + a.w, a.x + a.z, a.y + a.w); where each sum is clamped to [-512, 511]",
            "Adds the two halves of an address register: x and z, y and w. With a counter and an index in x and y and their steps in z and w, one ARAC advances a loop and sets the condition code for its branch."
            => "{address} ARL A0, {a}; ARA A0.x, A0; MOV {r}, {table};"
            readings [OUTSIDE_PARAMETERS, ADDRESS_CONDITION, ADDRESS_SATURATES];
        Arl "ARL" "Address register load" (Vector) -> Address, Free, Address,
            Computes(|semantics| each(address_floor(semantics), EACH_1)), [
                vp1_only("2.14.3.4").computes("result.x = floor(a); where NaN gives 0").reads("Loads A0.x with the scalar operand, rounded down and not clamped. NaN gives 0. c[A0.x+n] then reads parameter number A0.x + n."),
                vp2("2.14.3.4"),
                arb_vp_plain("2.14.5.3").no_sat().computes("result.x = clamp(floor(a), -2^31, 2^31 - 1); where NaN gives 0").reads("Loads x of an address register, its only component, with the scalar operand, rounded down. NaN gives 0. The register plus an offset can then select an element of an array, as in array[address.x+n]."),
                arb_vp_from_nv2("2.14.5.3").no_sat().computes("result = clamp(floor(a), -2^31, 2^31 - 1); where NaN gives 0").reads("Loads an address register with the operand, rounded down. NaN gives 0. A component of the register plus an offset can then select an element of an array, as in array[address.x+n].")
            ],
            "result = clamp(floor(a), -512, 511); where NaN gives 0",
            "Loads an address register with the operand, rounded down. NaN gives 0. c[A0.x+n] then reads parameter number A0.x + n."
            => "{address} ARL A0.x, {a}.x; MOV {r}, {table};"
            readings [
                OUTSIDE_PARAMETERS,
                ADDRESS_RANGE,
                Reading::new(Languages::VP1.without(Languages::VP2), "NaN gives 0. The address is not clamped."),
                ADDRESS_CONDITION,
                ADDRESS_SATURATES
            ];
        Arr "ARR" "Address register load, rounded" (Vector) -> Address, Free, Address,
            Computes(|semantics| each(address_round(semantics), EACH_1)), [
                vp2("2.14.3.5"),
                arb_vp_nv2("2.14.5.29").no_sat().computes("result = clamp(round(a), -2^31, 2^31 - 1); where NaN gives 0")
            ],
            "result = clamp(round(a), -512, 511); where NaN gives 0",
            "Loads an address register like ARL, but rounds to the nearest whole number, ties to even."
            => "{address} ARR A0.x, {a}.x; MOV {r}, {table};"
            readings [OUTSIDE_PARAMETERS, ADDRESS_RANGE, ADDRESS_CONDITION, ADDRESS_SATURATES];
        Emit "EMIT" "Emit a vertex" () -> None, Free, Emit,
            Emits(Vertex), [
                gpu_gp("2.X.8.Z EMIT", "------", "", "").bare()
            ],
            "vertex = results; results = undefined",
            "Emits a vertex with the current results and adds it to the current primitive. The results are undefined afterwards, so write each one again for the next vertex. Vertices beyond the declared number are not emitted."
            => "MOV {r}, {a};";
        Emits "EMITS" "Emit a vertex to a stream" (Scalar) -> None, Free, Emit,
            Emits(ToStream), [
                gpu5_gp("2.X.8.Z EMITS", "-X---S", "", "s")
            ],
            "vertex of stream a = results; results = undefined",
            "Emits a vertex with the current results to the vertex stream given by the operand, a signed integer. The results are undefined afterwards. A stream that does not exist receives nothing."
            => "MOV {r}, {a}; {write} {results} EMITS 0;";
        Endprim "ENDPRIM" "End the primitive" () -> None, Free, Emit,
            Emits(EndPrimitive), [
                gpu_gp("2.X.8.Z ENDPRIM", "------", "", "").bare()
            ],
            "begin a new primitive",
            "Ends the current primitive and begins another of the same type. It emits no vertex and keeps the results."
            => "MOV {r}, {a}; {write} ENDPRIM;";
        Tgall "TGALL" "Test all of a thread group" (Vector) -> Vector, Free, Group,
            Computes(Plan::Group(Vote::All)), [
                gpu5("2.X.8.Z TGALL", "XXXX-F", "v", "v")
            ],
            "result = a is not zero in all active invocations of the group",
            "Tests whether each component is nonzero in all the invocations that execute the instruction together. In fragment programs these are the invocations of the 2x2 quad; elsewhere each invocation is alone. True is 1.0 for floats, -1 for signed and all ones for unsigned integers; false is 0.";
        Tgany "TGANY" "Test any of a thread group" (Vector) -> Vector, Free, Group,
            Computes(Plan::Group(Vote::Any)), [
                gpu5("2.X.8.Z TGANY", "XXXX-F", "v", "v")
            ],
            "result = a is not zero in any active invocation of the group",
            "Tests whether each component is nonzero in any of the invocations that execute the instruction together. In fragment programs these are the invocations of the 2x2 quad; elsewhere each invocation is alone. True is 1.0 for floats, -1 for signed and all ones for unsigned integers; false is 0.";
        Tgeq "TGEQ" "Test a thread group for equality" (Vector) -> Vector, Free, Group,
            Computes(Plan::Group(Vote::Equal)), [
                gpu5("2.X.8.Z TGEQ", "XXXX-F", "v", "v")
            ],
            "result = a is the same in all active invocations of the group",
            "Tests whether each component has the same value in all the invocations that execute the instruction together. In fragment programs these are the invocations of the 2x2 quad; elsewhere each invocation is alone. True is 1.0 for floats, -1 for signed and all ones for unsigned integers; false is 0.";
        }
    };
}

pub(crate) use flow;
