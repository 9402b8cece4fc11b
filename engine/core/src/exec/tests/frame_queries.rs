//! Instructions that instrumentation adds do not count towards the instruction limit. So an instrumented
//! program that ends at the limit has the same bits as the run that is stepped through, wherever it ends.

use super::load;
use crate::debug::expression::Place;
use crate::exec::report::Step;
use crate::exec::{
    AttributeLanes, AttributesRead, Bindings, BlockOutput, BlockShader, ExecState as Run, Executable,
    InstructionLimit, LANES, Machine, QUAD, QuadInputs, Registers, Shader, Worker, run_quad_within,
};
use crate::query::{self, Counted, NOTES, Plan, ProgramPoint, Question, VALUES};
use shadestep_language::ir::{
    Attribute, CcRegister, Components, Control, OutputId, OutputRole, Program, Target, TempId, single_bits,
};
use shadestep_language::isa::Language;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Loops as loop kernels and block by block, converted and other IFs with and without ELSE, inlined and other
/// subroutines, NaNs, discards. The fragment's first texture coordinate set selects the path.
const NV2: &str = "OPTION NV_fragment_program2;
TEMP a, b, n;
MOV a, fragment.texcoord[0];
MOV n, {0,0,0,1};
REP 4;
  ADDC n.x, n.x, a.y;
  IF GT.x;
    MUL n.y, n.x, 2;
  ELSE;
    ADD n.y, n.y, 1;
    MOV n.z (LE.x), a.w;
  ENDIF;
  IF LT.x;
    RCP b.w, n.z;
  ENDIF;
  SLTC b.y, 2, n.x;
  BRK (NE.y);
ENDREP;
LOOP {3, 0, 2, 0};
  MOVC b.z, a.z;
  IF GT.z;
    CAL early;
    KIL a.w;
  ELSE;
    CAL plain;
  ENDIF;
  SUB a.z, a.z, 1;
ENDLOOP;
MOV result.color.yzw, n;
RET;
plain:
ADD b.x, b.x, n.y;
MULC result.color.x, b.x, b.x;
RET;
early:
MOVC n.w, a.y;
RET (LT.w);
SUB n.w, n.w, 1;
RET;
";

/// The same constructs in NV_gpu_program4, with integers.
const GPU: &str = "
TEMP a, b, n;
INT TEMP count;
MOV a, fragment.texcoord[0];
MOV n, {0,0,0,1};
MOV.S count, {0,0,0,0};
REP a.x;
  ADD.CC n.x, n.x, a.y;
  IF GT.x;
    MUL n.y, n.x, 2;
  ELSE;
    ADD n.y, n.y, 1;
    MOV n.z (LE.x), a.w;
  ENDIF;
  IF LT.x;
    RCP b.w, n.z;
  ENDIF;
  ADD.S count.x, count.x, 1;
  SLT.CC b.y, 2, n.x;
  BRK (NE.y);
ENDREP;
REP;
  MOV.CC b.z, a.z;
  BRK (LT.z);
  IF GT.z;
    CAL early;
    KIL a.w;
  ELSE;
    CAL plain;
  ENDIF;
  SUB a.z, a.z, 1;
ENDREP;
MOV result.color.yzw, n;
RET;
plain:
ADD b.x, b.x, n.y;
MUL.CC1 result.color.x, b.x, b.x;
RET;
early:
MOV.CC n.w, a.y;
RET (LT.w);
SUB n.w, n.w, 1;
RET;
";

/// 64-bit components.
const LONG: &str = "
TEMP a;
LONG TEMP wide;
MOV a, fragment.texcoord[0];
REP a.x;
  CVT.F64.F32 wide.xy, a;
  ADD.F64 wide.y, wide.y, wide.x;
  MOV.CC a.y, a.y;
  IF GT.y;
    DIV.F64 wide.x, wide.y, wide.z;
  ENDIF;
ENDREP;
CVT.F32.F64 result.color.xy, wide;
";

/// Different in most lanes, also within quads.
fn coordinates(lane: usize) -> [f32; 4] {
    let [x, y, z, w] = [lane % 5, lane / 2 % 4, lane / 3 % 3, lane / 7 % 3];
    [x as f32, y as f32 - 1.5, z as f32, w as f32 - 0.5]
}

/// The steps of one lane in the reference interpreter.
struct Traced {
    steps: Vec<Step>,
    /// Registers before each step, and at the end.
    registers: Vec<Registers>,
}

impl Traced {
    fn times(&self, pc: usize) -> u32 {
        self.steps.iter().filter(|step| step.pc == pc).count() as u32
    }
}

struct Case {
    program: Arc<Program>,
    bindings: Bindings,
    inputs: AttributeLanes,
}

impl Case {
    fn new(language: Language, body: &str) -> Self {
        let program = Arc::new(load(language, body));
        let mut inputs = AttributeLanes::default();
        for lane in 0..LANES {
            for (c, value) in coordinates(lane).into_iter().enumerate() {
                inputs.register_mut(Attribute::Tex(0), c).0[lane] = value;
            }
        }
        Self { bindings: Bindings::initial(&program), program, inputs }
    }

    fn quad(&self, number: usize) -> QuadInputs {
        let mut quad = QuadInputs::default();
        quad.attributes[Attribute::Tex(0).index()] =
            [0, 1, 2, 3].map(|lane| coordinates(QUAD * number + lane));
        quad
    }

    /// All lanes of a block.
    fn traced(&self, limit: InstructionLimit) -> Vec<Traced> {
        let mut all = Vec::new();
        for number in 0..LANES / QUAD {
            let read = AttributesRead::of_quad(&self.program, &self.quad(number));
            let mut at = Run::of_lanes(&self.program, &self.bindings, (QUAD, 0xF));
            let mut lanes: [Traced; QUAD] =
                std::array::from_fn(|_| Traced { steps: Vec::new(), registers: Vec::new() });
            while let Some((pc, here)) = at.next() {
                let before = at.lanes.clone();
                let mut machine =
                    Machine { limit, ..Machine::new(&self.program, &self.bindings, &read, &mut at) };
                for step in machine.trace_all(pc, here, here).into_iter().zip(crate::simd::ones(here.into()))
                {
                    let (step, lane) = step;
                    lanes[lane].steps.push(step);
                    lanes[lane].registers.push(before[lane].clone());
                }
            }
            for (lane, end) in lanes.iter_mut().zip(at.lanes) {
                lane.registers.push(end);
            }
            all.extend(lanes);
        }
        all
    }

    fn plan(&self, question: &Question) -> Plan {
        let own = Shader::new(Arc::new(Executable::new(Arc::clone(&self.program))), self.bindings.clone());
        let limited = own.with_limit(InstructionLimit(7));
        let plan = Plan::new((&self.program, &self.bindings), &limited, question).expect("a plan");
        assert_eq!(plan.shader.limit(), InstructionLimit(7), "the limit is that of the draw");
        plan
    }

    /// All registers, and one attribute.
    fn places(&self) -> Vec<Place> {
        let temporaries = (0..self.program.temporaries.len()).map(|n| Place::Temp(TempId(n as u16)));
        let outputs = (0..self.program.outputs.len()).map(|n| Place::Output(OutputId(n as u16)));
        let codes = CcRegister::of_language(self.program.language).iter().map(|&code| Place::Flags(code));
        temporaries.chain(outputs).chain(codes).chain([Place::Attribute(Attribute::Tex(0))]).collect()
    }
}

fn held(registers: &Registers, place: Place, lane: usize) -> Components {
    match place {
        Place::Temp(TempId(id)) => registers.temporaries[usize::from(id)],
        Place::Output(OutputId(id)) => registers.outputs[usize::from(id)],
        Place::Flags(register) => registers.cc[register.index()].map(|flags| flags.0.into()),
        Place::Attribute(_) | Place::Param(_) => single_bits(coordinates(lane)),
    }
}

/// Results of a frame query, which both executors must agree on.
struct Results {
    /// For each lane, the output colours that instrumentation writes.
    colors: Vec<[[u32; 4]; 3]>,
    executed: Vec<u32>,
}

const COLORS: [u8; 3] = [NOTES, VALUES[0], VALUES[1]];

fn results(case: &Case, plan: &Plan, worker: &mut Worker, limit: InstructionLimit) -> Results {
    let shader = plan.shader.clone().with_limit(limit);
    let longer = shader.program();
    let mut output = BlockOutput::default();
    BlockShader::run(&shader, worker, &case.inputs, u64::MAX, &mut output);
    let ids = COLORS.map(|number| longer.output(OutputRole::Color(number)));
    let word = |id: Option<OutputId>, lane: usize| {
        let registers = id.map(|id| shader.result(worker, id));
        std::array::from_fn(|c| registers.map_or(0, |registers| registers[c].0[lane].to_bits()))
    };
    let colors: Vec<_> = (0..LANES).map(|lane| ids.map(|id| word(id, lane))).collect();
    let executed: Vec<u32> = (0..LANES).map(|lane| shader.executed(worker, lane)).collect();
    let bindings = Bindings::initial(longer);
    // One quad for each limit, because the reference interpreter is slow.
    let number = limit.0 as usize % (LANES / QUAD);
    let ends = run_quad_within(longer, &bindings, &case.quad(number), limit);
    for (lane, end) in (QUAD * number..).zip(ends) {
        let other = ids.map(|id| {
            id.map_or([0; 4], |OutputId(id)| end.registers.outputs[usize::from(id)].map(|bits| bits as u32))
        });
        assert_eq!((colors[lane], executed[lane]), (other, end.executed), "{limit:?} lane {lane}");
    }
    Results { colors, executed }
}

/// Runs `question` with every limit. The query's results must match the steps of the lanes.
fn asked(
    case: &Case,
    runs: &[(InstructionLimit, Vec<Traced>)],
    question: &Question,
    check: impl Fn(&str, &Traced, usize, [[u32; 4]; 3]),
) {
    let plan = case.plan(question);
    let mut worker = plan.shader.patient_worker();
    for (limit, lanes) in runs {
        let found = results(case, &plan, &mut worker, *limit);
        let context = format!("{:?} {question:?} {limit:?}", case.program.language);
        for (lane, traced) in lanes.iter().enumerate() {
            assert_eq!(found.executed[lane] as usize, traced.steps.len(), "{context} lane {lane}");
            check(&context, traced, lane, found.colors[lane]);
        }
    }
}

fn joined(low: [u32; 4], high: [u32; 4]) -> Components {
    std::array::from_fn(|c| u64::from(high[c]) << 32 | u64::from(low[c]))
}

fn registers_are_as_traced(case: &Case, runs: &[(InstructionLimit, Vec<Traced>)]) {
    let instructions = &case.program.instructions;
    let is_index = |place: Place| {
        let mut controls = instructions.iter().filter_map(|instruction| instruction.control());
        controls.any(
            |control| matches!(control, Control::Loop { index: Some(id), .. } if Place::Temp(id) == place),
        )
    };
    for place in case.places() {
        if !is_index(place) {
            let question = Question::Registers(ProgramPoint::End, vec![place]);
            asked(case, runs, &question, |context, traced, lane, [notes, low, high]| {
                let end = traced.registers.last().expect("an end");
                assert_eq!(
                    (notes[0], joined(low, high)),
                    (1, held(end, place, lane)),
                    "{context} lane {lane}"
                );
            });
        }
    }
    for (pc, instruction) in instructions.iter().enumerate() {
        if !ProgramPoint::can_be_after(instruction) {
            continue;
        }
        let own = match instruction.target() {
            Some(Target::Output(id)) => Place::Output(id),
            Some(Target::Temp(id)) => Place::Temp(id),
            _ => Place::Flags(CcRegister::Cc0),
        };
        let question = Question::Registers(ProgramPoint::After(pc), vec![own]);
        asked(case, runs, &question, |context, traced, lane, [notes, low, high]| {
            let last = traced.steps.iter().rposition(|step| step.pc == pc);
            let moment = last.map(|last| last + usize::from(instruction.write().is_some()));
            let value = moment.map_or([0; 4], |moment| held(&traced.registers[moment], own, lane));
            assert_eq!((notes[0], joined(low, high)), (traced.times(pc), value), "{context} lane {lane}");
        });
    }
}

fn writes_are_as_traced(case: &Case, runs: &[(InstructionLimit, Vec<Traced>)]) {
    for pc in 0..case.program.instructions.len() {
        asked(case, runs, &Question::Wrote(pc), |context, traced, lane, [notes, ..]| {
            let writes = traced.steps.iter().filter(|step| step.pc == pc && step.enabled != 0).count();
            assert_eq!(notes[0] as usize, writes, "{context} lane {lane}");
        });
    }
    asked(case, runs, &Question::NotFinite, |context, traced, lane, [notes, ..]| {
        let is_wrong = |step: &&Step| step.changes.iter().any(|change| !change.is_finite());
        let first = traced.steps.iter().find(is_wrong).map_or(0, |step| step.pc as u32 + 1);
        assert_eq!((notes[0] != 0, notes[1]), (first != 0, first), "{context} lane {lane}");
    });
}

fn counts_are_as_traced(case: &Case, runs: &[(InstructionLimit, Vec<Traced>)]) {
    let plan = case.plan(&Question::Lines);
    let never = AtomicBool::new(false);
    for (limit, lanes) in runs {
        let stage = plan.shader.clone().with_limit(*limit);
        let counted = Counted::new((&plan, stage), [8, 8], false, query::Run::from(&never));
        let (mut worker, mut output) = (counted.worker(), BlockOutput::default());
        counted.run(&mut worker, &case.inputs, u64::MAX, &mut output);
        let of = |count: fn(u32) -> u64| -> Vec<u64> {
            let all = |pc| lanes.iter().map(|traced| count(traced.times(pc))).sum();
            (0..case.program.instructions.len()).map(all).collect()
        };
        let expected = [of(u64::from), of(|times| u64::from(times != 0))];
        assert_eq!(counted.instructions(), expected, "{:?} {limit:?}", case.program.language);
    }
}

/// Checks a program at each limit from one instruction to the longest lane.
fn check(language: Language, body: &str) {
    let case = Case::new(language, body);
    let longest = case.traced(InstructionLimit::of(&case.program));
    let longest = longest.iter().map(|lane| lane.steps.len()).max().unwrap_or(0) as u32;
    let limits = if case.program.has_flow() { (1..=longest + 1).collect() } else { vec![longest + 1] };
    let run = |limit| (InstructionLimit(limit), case.traced(InstructionLimit(limit)));
    let runs: Vec<_> = limits.into_iter().map(run).collect();
    counts_are_as_traced(&case, &runs);
    writes_are_as_traced(&case, &runs);
    registers_are_as_traced(&case, &runs);
}

#[test]
fn frame_queries_at_the_limit_of_nv_fragment_program2() {
    check(Language::ArbFp1Nv2, NV2);
}

#[test]
fn frame_queries_at_the_limit_of_nv_gpu_program4() {
    check(Language::NvFp4, GPU);
}

#[test]
fn frame_queries_at_the_limit_of_nv_gpu_program5() {
    check(Language::NvFp5, GPU);
    check(Language::NvFp5, LONG);
}

#[test]
fn frame_queries_of_languages_without_flow() {
    check(Language::Fp1, "MOVC R0, f[TEX0];\nRCP H2.x, R0.w;\nMOV R1.xy (GT.x), R0;\nMOV o[COLR], R0;");
    let body = "TEMP a;\nMOV a, fragment.texcoord[0];\nRCP a.x, a.x;\nMOV result.color, a;";
    check(Language::ArbFp1, body);
    check(Language::ArbFp1Nv1, &format!("OPTION NV_fragment_program;\n{body}"));
}
