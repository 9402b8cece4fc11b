//! Inlining: copies the body of a small subroutine into the block that calls it, if the body has no calls.
//!
//! Without inlining, a call and a return are two transitions between blocks. Every instruction, including CAL
//! and RET, is still executed and counted. CAL and RET only no longer end a block.

use std::collections::BTreeSet;
use std::ops::Range;

use super::convert::Guard;
use shadestep_language::ir::{Control, Instruction, Program};
use shadestep_language::isa::Stage;
use shadestep_language::semantics::plan::Plan;

/// Maximum number of instructions of an inlined body.
const LONGEST: usize = 64;
/// Maximum number of instructions of all inlined copies together.
const MOST: usize = 1024;

/// An instruction at one of its positions.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Index in the program.
    pub pc: usize,
    /// The flow control with targets as step indices, if the instruction changes the flow.
    pub control: Option<Control>,
    /// The instruction's role in a converted IF block.
    pub guard: Option<Guard>,
}

/// The instructions of a program, with inlined bodies after their CALs.
#[derive(Clone, Debug)]
pub struct Steps {
    /// In the program's order, except for the bodies.
    pub all: Vec<Step>,
    /// Where execution begins.
    pub entry: usize,
    /// First step of each numbered subroutine, if the program has CALI.
    pub subroutines: Vec<usize>,
}

impl Steps {
    /// The steps of `program`.
    pub fn of(program: &Program) -> Self {
        let bodies = bodies(program);
        // The step of each instruction outside inlined copies, and the program's end.
        let mut places = vec![0];
        for body in &bodies {
            places.push(places[places.len() - 1] + 1 + body.as_ref().map_or(0, Range::len));
        }
        let place = |pc: usize| places[pc.min(bodies.len())];
        let steering = |pc: usize| program.instructions[pc].control();
        let mut all = Vec::new();
        for (pc, body) in bodies.iter().enumerate() {
            let control = steering(pc).filter(|_| body.is_none());
            let control = control.map(|control| control.leading_to(control.target().map_or(0, place)));
            all.push(Step { pc, control, guard: None });
            let Some(body) = body.clone() else { continue };
            // Targets of flow instructions in a body are in the same copy.
            let first = all.len();
            let within = |to: usize| first + to.saturating_sub(body.start);
            all.extend(body.clone().map(|pc| {
                let control = steering(pc).filter(|_| pc + 1 < body.end);
                let control = control.map(|control| control.leading_to(control.target().map_or(0, within)));
                Step { pc, control, guard: None }
            }));
        }
        let indirect = |i: &Instruction| matches!(i.control(), Some(Control::CallIndirect { .. }));
        let called =
            if program.instructions.iter().any(indirect) { program.subroutines.list.len() } else { 0 };
        let subroutines = (0..called).map(|index| program.subroutine_place(index).map_or(0, place)).collect();
        Self { all, entry: place(program.entry), subroutines }
    }

    /// Whether the IF whose test leads to step `otherwise` has an ELSE, which is then the step before
    /// `otherwise`.
    pub fn has_else(&self, otherwise: usize) -> bool {
        let before = otherwise.checked_sub(1).and_then(|before| self.all.get(before));
        before.is_some_and(|step| matches!(step.control, Some(Control::Else { .. })))
    }
}

/// For each instruction, the body to inline after it, including RET.
fn bodies(program: &Program) -> Vec<Option<Range<usize>>> {
    let mut bodies = vec![None; program.instructions.len()];
    // A read of a neighbour's register depends on the neighbour's pc, so the order of blocks must not change.
    let stage = program.stage();
    let reads_neighbours = program.instructions.iter().any(|i| Plan::of(i).depends_on_group(stage));
    // A read of memory that a neighbour writes depends on this order too.
    let meets_neighbours = stage == Stage::Fragment && program.writes_memory();
    if reads_neighbours || meets_neighbours || may_overflow(program) {
        return bodies;
    }
    let mut room = MOST;
    for (instruction, place) in program.instructions.iter().zip(&mut bodies) {
        let Some(Control::Call { to, test: None }) = instruction.control() else { continue };
        *place = body(program, to).filter(|body| body.len() <= room);
        room -= place.as_ref().map_or(0, Range::len);
    }
    bodies
}

/// The body of the subroutine at `start`, if its only flow control is complete IF blocks and the final RET.
fn body(program: &Program, start: usize) -> Option<Range<usize>> {
    let mut depth = 0usize;
    for (at, instruction) in program.instructions.get(start..)?.iter().enumerate().take(LONGEST) {
        match instruction.control() {
            None => {}
            Some(Control::If { .. }) => depth += 1,
            Some(Control::Else { .. }) if depth > 0 => {}
            Some(Control::EndIf) => depth = depth.checked_sub(1)?,
            Some(Control::Return { test: None }) if depth == 0 => return Some(start..start + at + 1),
            Some(_) => return None,
        }
    }
    None
}

/// Whether a call may overflow the stack, which ends the program.
fn may_overflow(program: &Program) -> bool {
    let pushes = |i: &Instruction| matches!(i.control(), Some(Control::PushAddress));
    if program.instructions.iter().any(pushes) {
        return true;
    }
    // Subroutines that can run with this number of entries on the stack.
    let mut begun = BTreeSet::from([program.entry]);
    for _ in 0..=program.flow_limits().calls {
        begun = called(program, &begun);
    }
    !begun.is_empty()
}

/// Targets of calls that can be reached from `starts` without another call.
fn called(program: &Program, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut called = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut left: Vec<usize> = starts.iter().copied().collect();
    while let Some(pc) = left.pop() {
        let Some(instruction) = program.instructions.get(pc).filter(|_| seen.insert(pc)) else { continue };
        let target = instruction.control().and_then(|control| control.target());
        match instruction.control() {
            Some(Control::Call { to, .. }) => {
                called.insert(to);
            }
            Some(Control::CallIndirect { variable, .. }) => called.extend(program.called_through(variable)),
            // Conditional instructions may also continue.
            _ => left.extend(target),
        }
        if !matches!(instruction.control(), Some(Control::Return { test: None })) {
            left.push(pc + 1);
        }
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        let text = format!("!!ARBfp1.0\nOPTION NV_fragment_program2;\n{text}END\n");
        shadestep_language::front::load(text.as_bytes()).program.expect("a program")
    }

    /// For each CAL of a fragment program, whether its subroutine is inlined.
    fn stands(text: &str) -> Vec<bool> {
        let program = program(text);
        let calls = |i: &Instruction| matches!(i.control(), Some(Control::Call { .. }));
        let bodies = bodies(&program).into_iter().zip(&program.instructions);
        bodies.filter(|(_, i)| calls(i)).map(|(body, _)| body.is_some()).collect()
    }

    #[test]
    fn a_straight_body_stands_where_it_is_called() {
        assert_eq!(stands("CAL one;\nRET;\none:\nMOV result.color, 1;\nKIL 1;\nRET;\n"), [true]);
        // From a loop, from a subroutine, and before the definition.
        let text = "one:\nMOV result.color, 1;\nRET;\nmain:\nREP 3;\nCAL one;\nENDREP;\nCAL two;\nRET;\n\
                    two:\nIF GT.x;\nCAL one;\nENDIF;\nRET;\n";
        assert_eq!(stands(text), [true, false, true]);
    }

    #[test]
    fn so_does_one_with_blocks() {
        let text = "MOVC result.color.x, fragment.color;\nCAL one;\nRET;\none:\nIF GT.x;\nMOV result.color, 1;\nELSE;\n\
                    MOV result.color, 0;\nENDIF;\nKIL 1;\nRET;\n";
        assert_eq!(stands(text), [true]);
        let steps = Steps::of(&program(text));
        let pcs: Vec<usize> = steps.all.iter().map(|step| step.pc).collect();
        assert_eq!(pcs, [0, 1, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5, 6, 7, 8, 9]);
        // IF and ELSE of each copy lead to steps of the same copy. CAL and its RET have no flow control any
        // more.
        let targets: Vec<_> =
            steps.all.iter().map(|step| step.control.and_then(|control| control.target())).collect();
        assert_eq!((targets[2], targets[4]), (Some(5), Some(6)));
        assert_eq!((targets[10], targets[12]), (Some(13), Some(14)));
        assert!(steps.all[1].control.is_none() && steps.all[8].control.is_none());
        assert!(matches!(steps.all[16].control, Some(Control::Return { test: None })));
    }

    #[test]
    fn what_steers_otherwise_stays_a_subroutine() {
        // A conditional call; a conditional return; a return within a block; a loop; no end.
        assert_eq!(stands("CAL one (GT.x);\nRET;\none:\nMOV result.color, 1;\nRET;\n"), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nMOV result.color, 1;\nRET (GT.x);\n"), [false]);
        assert_eq!(
            stands("CAL one;\nRET;\none:\nIF GT.x;\nRET;\nENDIF;\nMOV result.color, 1;\nRET;\n"),
            [false]
        );
        assert_eq!(stands("CAL one;\nRET;\none:\nREP 2;\nMOV result.color, 1;\nENDREP;\nRET;\n"), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nMOV result.color, 1;\n"), [false]);
    }

    #[test]
    fn order_stays_where_neighbours_are_looked_at() {
        let program = |lookup: &str| {
            format!(
                "TEMP a;\nCAL one;\nRET;\none:\n{lookup} a, fragment.texcoord, texture[0], 2D;\nMOV result.color, a;\nRET;\n"
            )
        };
        assert_eq!(stands(&program("TXL")), [true]);
        assert_eq!(stands(&program("TEX")), [false]);
        assert_eq!(stands("CAL one;\nRET;\none:\nDDX result.color, fragment.color;\nRET;\n"), [false]);
    }

    #[test]
    fn order_stays_where_neighbours_meet_in_memory() {
        let text = "CAL one;\nRET;\none:\nMOV result.color, 1;\nRET;\n";
        let mut program = program(text);
        let store = |program: &mut Program, access| {
            let (storage, caching) =
                (shadestep_language::ir::Storage::F32, shadestep_language::ir::Caching::default());
            program.instructions[2].kind =
                shadestep_language::ir::Kind::Memory(shadestep_language::ir::Memory {
                    access,
                    image: None,
                    storage,
                    caching,
                });
        };
        assert!(bodies(&program)[0].is_some());
        let write = *program.instructions[2].write().expect("it writes");
        store(&mut program, shadestep_language::ir::Access::Load(write));
        assert!(bodies(&program)[0].is_some(), "who only reads meets nobody");
        store(&mut program, shadestep_language::ir::Access::Store);
        assert!(bodies(&program)[0].is_none());
    }

    #[test]
    fn the_stack_of_those_that_stand_there_is_never_full() {
        let chain = |length: usize| {
            let link = |n| format!("sub{n}:\nCAL sub{};\nCAL last;\nRET;\n", n + 1);
            let links: String = (1..length).map(link).collect();
            format!(
                "CAL sub1;\nRET;\n{links}sub{length}:\nMOV result.color.x, 1;\nCAL last;\nRET;\nlast:\nMOV result.color, 1;\nRET;\n"
            )
        };
        // The deepest subroutine calls `last` too.
        let deepest = shadestep_language::isa::FlowLimits::NV2.calls - 1;
        assert!(stands(&chain(deepest)).into_iter().any(|stands| stands));
        assert!(!stands(&chain(deepest + 1)).into_iter().any(|stands| stands));
        // Recursion can always overflow.
        let text =
            "CAL one;\nRET;\none:\nCAL two;\nCAL one (GT.x);\nRET;\ntwo:\nMOV result.color, 1;\nRET;\n";
        assert_eq!(stands(text), [false; 3]);
    }

    #[test]
    fn programs_do_not_grow_without_bound() {
        let long = "MOV result.color, 1;\n".repeat(LONGEST);
        assert_eq!(stands(&format!("CAL one;\nRET;\none:\n{long}RET;\n")), [false]);
        let body = "MOV result.color, 1;\n".repeat(LONGEST - 1);
        let calls = "CAL one;\n".repeat(40);
        let stands = stands(&format!("{calls}RET;\none:\n{body}RET;\n"));
        assert_eq!(stands.into_iter().filter(|stands| *stands).count(), MOST / LONGEST);
    }
}
