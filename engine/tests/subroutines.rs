//! Subroutines of NV_gpu_program4 and 5, called by CAL and CALI, on both executors. The clauses are
//! NV_gpu_program4 2.X.5 and 2.X.8.Z, and ARB_shader_subroutine ("Dependencies on NV_gpu_program5").

use std::sync::Arc;

use crate::common::quads;
use shadestep_core::exec::{Bindings, QUAD};
use shadestep_engine::front;
use shadestep_language::ir::{disassemble, verify};

/// Runs a program on both executors with the subroutines in `chosen`, and returns r.x in each lane of a quad.
#[track_caller]
fn run(declarations: &str, body: &str, chosen: &[u32]) -> [f32; QUAD] {
    let text = format!(
        "!!NVfp5.0\nTEMP r; INT TEMP i; FLAT INT ATTRIB lane = fragment.texcoord[0];\n{declarations}\n{body}\nEND"
    );
    let loaded = front::load(text.as_bytes());
    let program = loaded.program.unwrap_or_else(|| panic!("{text}\n{:#?}", loaded.diagnostics));
    assert_eq!(verify(&program), Ok(()), "{text}");
    let printed = disassemble(&program);
    let again = front::load(printed.as_bytes());
    let again = again.program.unwrap_or_else(|| panic!("{printed}\n{:#?}", again.diagnostics));
    assert_eq!((disassemble(&again), &again.subroutines), (printed, &program.subroutines));
    let kinds = |program: &shadestep_language::ir::Program| -> Vec<_> {
        program.instructions.iter().map(|instruction| instruction.control()).collect()
    };
    assert_eq!(kinds(&again), kinds(&program));
    let program = Arc::new(program);
    let bindings = Bindings { subroutines: chosen.to_vec(), ..Bindings::initial(&program) };
    let ends = quads::ends(&program, &bindings);
    [0, 1, 2, 3].map(|lane| f32::from_bits(ends[lane].registers.temporaries[0][0] as u32))
}

const ADDERS: &str = "SUBROUTINETYPE Adder { one, ten }; SUBROUTINETYPE Adder { hundred };
SUBROUTINE Adder a[3] = { program.subroutine[0..2] };
SUBROUTINE Adder b = program.subroutine[3];
one SUBROUTINENUM(5): ADD r.x, r.x, 1; RET;
ten SUBROUTINENUM(6): ADD r.x, r.x, 10;
hundred SUBROUTINENUM(7): ADD r.x, r.x, 100;";

#[test]
fn an_index_of_each_lanes_own_chooses() {
    let body = "main: MOV r, 0; MOV.S i, lane; CALI a[i.x]; ADD r.x, r.x, 1000;";
    // An index outside of the array calls nothing.
    assert_eq!(run(ADDERS, body, &[7, 6, 5, 5]), [1100.0, 1010.0, 1001.0, 1000.0]);
    // The default subroutine is the first of the type.
    assert_eq!(run(ADDERS, body, &[]), [1001.0, 1001.0, 1001.0, 1000.0]);
    let body = "main: MOV r, 0; MOV.S i, lane; CALI a[i.y+1]; CALI a[2];";
    assert_eq!(run(ADDERS, body, &[7, 6, 5, 5]), [1.0, 101.0, 11.0, 2.0]);
}

#[test]
fn a_condition_decides() {
    let body = "main: MOV r, 0; MOV.S.CC i, lane; CALI b (GT.x); CALI a[i.x] (LT.y);";
    assert_eq!(run(ADDERS, body, &[7, 5, 5, 6]), [100.0, 11.0, 10.0, 10.0]);
}

#[test]
fn subroutines_call_through_variables_too() {
    let declarations = "SUBROUTINETYPE Outer { once, twice }; SUBROUTINETYPE Inner { one, ten };
SUBROUTINE Outer outer[] = { program.subroutine[4], program.subroutine[1] };
SUBROUTINE Inner inner = program.subroutine[0];
one SUBROUTINENUM(0): ADD r.x, r.x, 1; RET;
ten SUBROUTINENUM(9): ADD r.x, r.x, 10; RET (TR);
once SUBROUTINENUM(1): CALI inner; RET;
twice SUBROUTINENUM(2): CALI inner; CALI inner; RET;";
    let body = "main: MOV r, 0; MOV.S i, lane; CALI outer[i.x]; CALI outer[0]; REP 2; CALI inner; ENDREP;";
    assert_eq!(run(declarations, body, &[9, 2, 0, 0, 1]), [40.0, 50.0, 30.0, 30.0]);
}

#[test]
fn the_main_program_runs_through_subroutines_that_are_called() {
    // CAL s returns at e. Then the main program runs through s and e (2.X.5).
    let text = "main: MOV r, 0; CAL s; MUL r.x, r.x, 3; s: ADD r.x, r.x, 1; e: ADD r.x, r.x, 5;";
    assert_eq!(run("", text, &[]), [9.0; 4]);
    // Only some lanes call.
    let text = "main: MOV r, 0; MOV.S.CC i, lane; CAL s (GT.x); MUL r.x, r.x, 3; s: ADD r.x, r.x, 1; e: ADD r.x, r.x, 5;";
    assert_eq!(run("", text, &[]), [6.0, 9.0, 9.0, 9.0]);
    // The same through a variable, and after an IF block that ends at the label.
    let declarations = "SUBROUTINETYPE T { s }; SUBROUTINE T v = program.subroutine[0];";
    let text = "main: MOV r, 0; MOV.S.CC i, lane; CALI v; MUL r.x, r.x, 3;
s SUBROUTINENUM(0): ADD r.x, r.x, 1; IF GT.x; ADD r.x, r.x, 10; ENDIF; e: ADD r.x, r.x, 5;";
    // The call adds 1 or 11. MUL multiplies by 3. The main program adds 1 or 11 again, and e adds 5.
    assert_eq!(run(declarations, text, &[]), [9.0, 49.0, 49.0, 49.0]);
}

#[test]
fn subroutines_return_at_the_end_of_the_text() {
    let text = "main: MOV r, 0; CAL s; ADD r.x, r.x, 10; RET; s: ADD r.x, r.x, 1;";
    assert_eq!(run("", text, &[]), [11.0; 4]);
    // The subroutine begins at the end of the program.
    let text = "main: MOV r, 0; CAL s; ADD r.x, r.x, 10; RET; s:";
    assert_eq!(run("", text, &[]), [10.0; 4]);
}

#[test]
fn a_subroutine_ends_at_the_next_label_even_where_it_is_empty() {
    let text = "main: MOV r, 0; CAL a; ADD r.x, r.x, 1; CAL b; RET; a: b: ADD r.x, r.x, 100; RET;";
    assert_eq!(run("", text, &[]), [101.0; 4]);
}

#[test]
fn the_lowest_number_of_one_cali_runs_first() {
    // Lanes 0 and 2 call `a`, lanes 1 and 3 call `b`. DDX in `b` sees the 100 that `a` wrote in the other
    // lane. DDX in `a` sees the values of lanes 1 and 3 before `b` (READINGS.md, reading 17).
    let types = "TEMP s; SUBROUTINETYPE T { b, a }; SUBROUTINE T v[] = { program.subroutine[0..1] };";
    let a = "a SUBROUTINENUM(2): DDX s.x, r.x; MOV r.x, 100; RET;";
    let b = "b SUBROUTINENUM(7): DDX s.x, r.x; MOV r.x, 500; RET;";
    let main =
        "main: I2F r, lane; AND.S i, lane, 1; CALI v[i.x]; DDX s.y, r.x; MAD r.x, s.y, 1000, s.x; RET;";
    for text in [[a, b, main], [b, a, main], [main, a, b], [main, b, a], [b, main, a]] {
        // In the lower row 1 - 0, then 1 - 100. In the upper row 3 - 2, then 3 - 100. At the end 500 - 100.
        assert_eq!(run(types, &text.join("\n"), &[2, 7]), [400_001.0, 399_901.0, 400_001.0, 399_903.0]);
    }
}
