//! Laws of the float languages. A law is a few instructions and a relation between the operands and the
//! results. The functions here run a law in every language and precision that has its instructions, with the
//! reference interpreter and the batch executor. `types` does the same for integers and 64-bit numbers.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use shadestep_core::exec::{
    AttributeLanes, Bindings, InstructionLimit, PrimitiveInputs, QUAD, QuadInputs, Registers, run_primitive,
    run_quad, run_vertex,
};
use shadestep_engine::front::load;
use shadestep_engine::ir::{Attribute, Program, VertexResult, single_bits, singles};
use shadestep_language::isa::{Family, Language, Modifier, Precision, Stage, instructions};

use crate::common::compiled::Compiled;

/// Cases of each law in one run. Failing cases are saved and repeated, so few cases are enough and the tests
/// stay quick.
const CASES: u32 = 48;

pub type Vector = [f32; 4];

/// A language, and the precision suffix of its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub language: Language,
    pub precision: Precision,
}

/// Returns the languages whose registers hold floats only. In the other languages MOV keeps denorms, which
/// these laws flush to zero. `types` has the laws of those languages.
fn languages() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|language| !language.profile().typed)
}

impl Variant {
    fn all() -> Vec<Self> {
        let takes = |language: Language, precision: Precision| {
            instructions(language)
                .filter_map(|info| info.forms(language))
                .any(|forms| forms.modifiers.contains(Modifier::Precision(precision)))
        };
        let mut all = Vec::new();
        for language in languages() {
            for precision in [Precision::R, Precision::H, Precision::X] {
                if precision == Precision::R || takes(language, precision) {
                    all.push(Self { language, precision });
                }
            }
        }
        all
    }

    /// Returns true if the language has absolute-value operands, `|a|`.
    pub fn has_bars(self) -> bool {
        match self.language.family() {
            Family::Fp => true,
            Family::Vp => self.language == Language::Vp2,
            Family::ArbFp | Family::ArbVp => self.language != self.language.base(),
            Family::NvVp | Family::NvTcp | Family::NvTep | Family::NvGp | Family::NvFp => true,
        }
    }

    /// Returns the language's name of the register `a`, `b`, `c` or `s` to `v` of a law.
    fn name(self, word: char) -> Option<&'static str> {
        let names: [&str; 7] = match self.language.family() {
            Family::Fp => ["f[COL0]", "p[0]", "R1", "R2", "R3", "R4", "R5"],
            Family::Vp if self.language == Language::Vsp1 => ["v[0]", "c[1]", "R1", "R2", "R3", "R4", "R5"],
            Family::Vp => ["v[1]", "c[1]", "R1", "R2", "R3", "R4", "R5"],
            Family::ArbFp | Family::NvFp => {
                ["fragment.color", "program.env[0]", "fragment.color.secondary", "s", "t", "u", "v"]
            }
            Family::ArbVp | Family::NvVp => {
                ["vertex.attrib[1]", "program.env[0]", "vertex.attrib[2]", "s", "t", "u", "v"]
            }
            Family::NvTcp | Family::NvTep | Family::NvGp => {
                ["vertex[0].attrib[1]", "program.env[0]", "vertex[0].attrib[2]", "s", "t", "u", "v"]
            }
        };
        "abcstuv".find(word).map(|at| names[at])
    }

    /// Returns the text before and after the instructions: declarations or a load of `c`, and a write to a
    /// result.
    fn frame(self) -> [&'static str; 2] {
        match self.language {
            Language::Fp1 => ["MOVR R1, f[COL1];", "MOVR o[COLR], R2;"],
            Language::Vp1 | Language::Vp1_1 | Language::Vp2 => ["MOV R1, v[2];", "MOV o[HPOS], R2;"],
            Language::Vsp1 => ["MOV R1, c[2];", "MOV c[95], R2;"],
            Language::ArbFp1
            | Language::ArbFp1Nv1
            | Language::ArbFp1Nv2
            | Language::NvFp4
            | Language::NvFp5 => ["TEMP s, t, u, v;", "MOV result.color, s;"],
            Language::ArbVp1
            | Language::ArbVp1Nv2
            | Language::ArbVp1Nv3
            | Language::NvVp4
            | Language::NvVp5 => ["TEMP s, t, u, v;", "MOV result.position, s;"],
            Language::NvTcp5 => ["VERTICES_OUT 1; TEMP s, t, u, v;", "MOV result.position, s;"],
            Language::NvTep5 => ["TESS_MODE QUADS; TEMP s, t, u, v;", "MOV result.position, s;"],
            Language::NvGp4 | Language::NvGp5 => [
                "PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; TEMP s, t, u, v;",
                "MOV result.position, s;",
            ],
        }
    }

    /// Returns the program of `law`, whose instructions name the registers `a`, `b`, `c` and `s` to `v`.
    /// Returns `None` if the language lacks one of the instructions in this precision.
    pub fn program(self, law: &str) -> Option<Program> {
        let mut text = self.language.header().to_owned();
        if let Some(option) = self.language.option() {
            text += &format!("\nOPTION {option};");
        }
        let [before, behind] = self.frame();
        text += &format!("\n{before}\n");
        for statement in law.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            let (word, operands) = statement.split_once(' ').unwrap_or((statement, ""));
            text += &format!("{} {};\n", self.instruction(word)?, self.operands(operands));
        }
        text += &format!("{behind}\nEND\n");
        let loaded = load(text.as_bytes());
        Some(loaded.program.unwrap_or_else(|| panic!("{text}{:#?}", loaded.diagnostics)))
    }

    /// Adds the precision to a mnemonic: `ADDC` becomes `ADDHC`. Returns `None` if the language has no such
    /// instruction.
    fn instruction(self, word: &str) -> Option<String> {
        let of_word = instructions(self.language).filter(|info| word.starts_with(info.mnemonic));
        let info = of_word.max_by_key(|info| info.mnemonic.len())?;
        let forms = info.forms(self.language)?;
        let rest = &word[info.mnemonic.len()..];
        let has = |suffix: &str, is_there: bool| !rest.contains(suffix) || is_there;
        if !has("C", forms.cc().next().is_some()) || !has("_SAT", forms.saturations().next().is_some()) {
            return None;
        }
        let precision = match self.precision {
            _ if !forms.has_precisions() => (self.precision == Precision::R).then_some("")?,
            Precision::R => "R",
            Precision::H => "H",
            Precision::X => "X",
        };
        let has_precision =
            precision.is_empty() || forms.modifiers.contains(Modifier::Precision(self.precision));
        has_precision.then(|| format!("{}{precision}{rest}", info.mnemonic))
    }

    fn operands(self, text: &str) -> String {
        let mut written = String::new();
        let mut before = ' ';
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let follows = letters.peek().is_some_and(|next| next.is_ascii_alphanumeric());
            let alone = !before.is_ascii_alphanumeric() && before != '.' && !follows;
            match self.name(letter).filter(|_| alone) {
                Some(name) => written += name,
                None => written.push(letter),
            }
            before = letter;
        }
        written
    }
}

/// The inputs of four lanes: `a` and `c` differ between lanes, `b` is the same for all.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    pub a: [Vector; QUAD],
    pub b: Vector,
    pub c: [Vector; QUAD],
}

/// The inputs and the final registers of one lane, for relations to compare.
#[derive(Debug)]
pub struct Outcome {
    pub a: Vector,
    pub b: Vector,
    pub s: Vector,
    pub t: Vector,
    pub u: Vector,
    pub v: Vector,
}

/// Generates numbers of every kind: special values of any precision, random bits, fractions that all
/// precisions represent, and fp16 numbers.
pub fn value() -> impl Strategy<Value = f32> {
    const SPECIAL: [u32; 24] = [
        0,
        0x8000_0000,
        0x3F80_0000,
        0xBF80_0000,
        0x7F80_0000,
        0xFF80_0000,
        0x7FC0_0000,
        0xFFC0_0001,
        0x7F80_0001,
        1,
        0x8000_0001,
        0x007F_FFFF,
        0x807F_FFFF,
        0x0080_0000,
        0x8080_0000,
        0x7F7F_FFFF,
        0xFF7F_FFFF,
        0x477F_E000,
        0x477F_F000,
        0x3380_0000,
        0x3880_0000,
        0x4000_0000,
        0xC000_0000,
        0x3FFF_E000,
    ];
    prop_oneof![
        3 => prop::sample::select(SPECIAL.to_vec()).prop_map(f32::from_bits),
        2 => any::<u32>().prop_map(f32::from_bits),
        3 => fraction(),
        2 => any::<u16>().prop_map(|bits| half::f16::from_bits(bits).to_f32()),
        2 => -2.0..2.0_f32,
    ]
}

/// Generates multiples of 1/32 up to 32. Every precision represents them, but X only those below 2.
pub fn fraction() -> impl Strategy<Value = f32> {
    (-1024..=1024_i16).prop_map(|k| f32::from(k) / 32.0)
}

/// Generates operands whose components come from `value`.
pub fn operands(value: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = Operands> {
    let vector = || prop::array::uniform4(value.clone());
    (prop::array::uniform4(vector()), vector(), prop::array::uniform4(vector()))
        .prop_map(|(a, b, c)| Operands { a, b, c })
}

/// Checks `relation` on the results of `law` for operands of all kinds.
pub fn holds(law: &str, relation: impl Fn(Variant, &Outcome) -> Result<(), String>) {
    holds_for(law, operands(value().boxed()), |_| true, relation);
}

/// Checks `relation` on the results of `law` for `operands`, in the variants that `meant` selects.
pub fn holds_for(
    law: &str,
    operands: impl Strategy<Value = Operands>,
    meant: impl Fn(Variant) -> bool,
    relation: impl Fn(Variant, &Outcome) -> Result<(), String>,
) {
    let programs = programs(law, meant);
    assert!(!programs.is_empty(), "no language has `{law}`");
    run(&operands, |operands| check(law, &programs, &operands, &relation));
}

/// Returns `law` as a program of each variant that `meant` selects and that has its instructions.
pub fn programs(law: &str, meant: impl Fn(Variant) -> bool) -> Vec<(Variant, Compiled)> {
    let variants = Variant::all().into_iter().filter(|variant| meant(*variant));
    variants.filter_map(|variant| Some((variant, Compiled::new(variant.program(law)?)))).collect()
}

/// Runs `test` on values of `strategy`. Failing values are saved in `proptest-regressions`, and later runs
/// try them first.
pub fn run<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> Result<(), String>) {
    let config = Config { cases: CASES, source_file: Some(file!()), ..Config::default() };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(strategy, |value| test(value).map_err(TestCaseError::fail));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Runs every program with both executors and checks `relation` on each lane.
pub fn check(
    law: &str,
    programs: &[(Variant, Compiled)],
    operands: &Operands,
    relation: &impl Fn(Variant, &Outcome) -> Result<(), String>,
) -> Result<(), String> {
    for (variant, compiled) in programs {
        let program = &compiled.program;
        for (executor, registers) in executions(compiled, operands) {
            for (lane, registers) in registers.iter().enumerate() {
                let outcome = outcome(*variant, program, operands, lane, registers);
                relation(*variant, &outcome).map_err(|fault| {
                    format!("`{law}`, {variant:?}, {executor}, lane {lane}: {fault}\n{outcome:#?}")
                })?;
            }
        }
    }
    Ok(())
}

fn outcome(
    variant: Variant,
    program: &Program,
    operands: &Operands,
    lane: usize,
    registers: &Registers,
) -> Outcome {
    let register = |word: char| {
        let name = variant.name(word);
        let place = program.temporaries.iter().position(|temporary| Some(temporary.name.as_str()) == name);
        place.map_or([0.0; 4], |place| singles(registers.temporaries[place]))
    };
    let [s, t, u, v] = ['s', 't', 'u', 'v'].map(register);
    Outcome { a: operands.a[lane], b: operands.b, s, t, u, v }
}

/// Returns the final registers of the four lanes, from the reference interpreter and from the batch executor
/// on each instruction set.
fn executions(compiled: &Compiled, operands: &Operands) -> Vec<(&'static str, Vec<Registers>)> {
    let program = &compiled.program;
    let mut bindings = Bindings::initial(program);
    for (value, parameter) in bindings.parameters.iter_mut().zip(&program.parameters) {
        match parameter.name_in(program.language).as_deref() {
            Some("p[0]" | "c[1]" | "program.env[0]") => *value = single_bits(operands.b),
            // A state program has one vertex attribute, so `c` is a parameter with the same value in all
            // lanes.
            Some("c[2]") => *value = single_bits(operands.c[0]),
            _ => {}
        }
    }
    let attributes = match program.stage() {
        Stage::Fragment => [Attribute::Col0, Attribute::Col1],
        Stage::Vertex => [Attribute::VERTEX[1], Attribute::VERTEX[2]],
        Stage::VertexState => [Attribute::VERTEX[0], Attribute::VERTEX[1]],
        Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => [1, 2].map(|number| {
            let result = VertexResult::Generic(number);
            Attribute::OfVertex { vertex: 0, result }
        }),
    };
    let values = [(attributes[0], operands.a), (attributes[1], operands.c)];
    executed(compiled, &bindings, &values)
}

/// Runs a program on four lanes with these attributes. Returns each executor's name and the final registers.
pub fn executed(
    compiled: &Compiled,
    bindings: &Bindings,
    attributes: &[(Attribute, [Vector; QUAD])],
) -> Vec<(&'static str, Vec<Registers>)> {
    let program = &compiled.program;
    let of = |wanted: usize| {
        let found = attributes.iter().find(|(attribute, _)| attribute.index() == wanted);
        found.map_or([[0.0; 4]; QUAD], |(_, values)| *values)
    };
    let scalar = match program.stage() {
        Stage::Fragment => {
            let quad = QuadInputs { attributes: std::array::from_fn(of), ..QuadInputs::default() };
            run_quad(program, bindings, &quad, |_, _| ()).to_vec()
        }
        Stage::Vertex | Stage::VertexState => (0..QUAD)
            .map(|lane| {
                let inputs = std::array::from_fn(|attribute| single_bits(of(attribute)[lane]));
                run_vertex(program, bindings, &inputs).registers
            })
            .collect(),
        // A patch of one vertex has one invocation.
        Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => (0..QUAD)
            .map(|lane| {
                let read =
                    attributes.iter().map(|(attribute, values)| (*attribute, single_bits(values[lane])));
                let inputs = PrimitiveInputs(read.collect());
                run_primitive(program, bindings, &inputs, InstructionLimit::of(program)).registers
            })
            .collect(),
    };
    let mut all = vec![("scalar", scalar)];
    // A vertex state program runs once, so the batch executor does not run it.
    if program.stage() != Stage::VertexState {
        let lanes = lanes(program, attributes);
        for (set, mut inspection) in compiled.inspections(bindings, &lanes) {
            inspection.finish(u64::MAX, InstructionLimit::of(program));
            all.push((set, (FIRST..FIRST + QUAD).map(|lane| inspection.registers(lane)).collect()));
        }
    }
    all
}

/// The first of the four lanes of a block to compare: a multiple of 4, because `lanes` repeats the quad.
const FIRST: usize = 20;

/// Returns inputs that repeat the four lanes over the whole block.
fn lanes(program: &Program, attributes: &[(Attribute, [Vector; QUAD])]) -> AttributeLanes {
    let mut inputs = AttributeLanes::default();
    // Programs that read primitives number the attributes that they use.
    let numbers = program.stage().reads_primitives().then(|| program.attributes());
    for (attribute, values) in attributes {
        let place = match &numbers {
            Some(read) => read.iter().position(|other| other == attribute),
            None => Some(attribute.index()),
        };
        let Some(place) = place else { continue };
        for component in 0..4 {
            let register = &mut inputs.all_mut()[4 * place + component].0;
            for (value, lane) in register.iter_mut().zip(values.iter().cycle()) {
                *value = lane[component];
            }
        }
    }
    inputs
}

/// Checks that each component has the same bits.
pub fn same_bits(left: Vector, right: Vector) -> Result<(), String> {
    expect(left.map(f32::to_bits) == right.map(f32::to_bits), || format!("{left:?} and {right:?} differ"))
}

/// Checks that the numbers are equal or both NaN. Zeros may differ in sign.
pub fn same_numbers(left: Vector, right: Vector) -> Result<(), String> {
    let is_same = |(x, y): (&f32, &f32)| x == y || x.is_nan() && y.is_nan();
    expect(left.iter().zip(&right).all(is_same), || format!("{left:?} and {right:?} differ"))
}

/// Returns the error `what` unless `holds`.
pub fn expect(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Laws of sums run in all languages, and in each precision of a language that has several.
#[test]
fn sums_run_everywhere() {
    let of = |language: Language| {
        let programs = programs("ADD s, a, b", |variant| variant.language == language);
        programs.iter().map(|(variant, _)| variant.precision).collect::<Vec<_>>()
    };
    for language in languages() {
        let several = matches!(language, Language::Fp1 | Language::ArbFp1Nv1 | Language::ArbFp1Nv2);
        let wanted: &[Precision] =
            if several { &[Precision::R, Precision::H, Precision::X] } else { &[Precision::R] };
        assert_eq!(of(language), wanted, "{language:?}");
    }
}
