//! Laws of integers and of 64-bit numbers. The functions here run a few instructions in every language with
//! typed operations, with the reference interpreter and the batch executor, and check a relation on each
//! component. `laws` does the same for the float languages.

use proptest::prelude::*;
use shadestep_core::exec::{Bindings, QUAD};
use shadestep_engine::front::load;
use shadestep_engine::ir::{Attribute, Program, Type, VertexResult};
use shadestep_engine::isa::{Language, Stage};

use super::laws::{Vector, executed, run};
use crate::common::compiled::Compiled;

pub use Type::{F32, F64, S32, S64, U32, U64};

/// 32-bit integer types.
pub const WORDS: [Type; 2] = [S32, U32];

pub const INTEGERS: [Type; 4] = [S32, U32, S64, U64];

/// The operands `p`, `q` and `r` of each lane. A 32-bit register has the low half.
type Operands = [[[u64; 4]; QUAD]; 3];

/// One component of the final registers of one lane, by the names of the registers.
#[derive(Debug)]
pub struct Component {
    /// The type of the law's operations.
    pub ty: Type,
    pub p: u64,
    pub q: u64,
    pub r: u64,
    pub s: u64,
    pub t: u64,
    pub u: u64,
    pub v: u64,
    /// A 64-bit register in every type, only in languages that have such registers. `word` is a 32-bit
    /// register in every type.
    pub wide: u64,
    pub word: u64,
}

impl Component {
    /// Reads the bits as an integer of the law's type.
    pub fn number(&self, bits: u64) -> i128 {
        match self.ty {
            S32 => i128::from(bits as u32 as i32),
            S64 => i128::from(bits.cast_signed()),
            _ => i128::from(bits),
        }
    }

    /// Reads the bits as a signed integer of the type's size.
    pub fn signed(&self, bits: u64) -> i128 {
        if self.ty.is_wide() { i128::from(bits.cast_signed()) } else { i128::from(bits as u32 as i32) }
    }

    /// Returns the low bits of the integer, as many as the type has.
    pub fn bits(&self, number: i128) -> u64 {
        if self.ty.is_wide() { number as u64 } else { u64::from(number as u32) }
    }

    /// Returns the size of the type in bits.
    pub fn size(&self) -> u32 {
        if self.ty.is_wide() { 64 } else { 32 }
    }

    /// Returns a value of the type with all bits set.
    pub fn ones(&self) -> u64 {
        self.bits(-1)
    }
}

/// Returns an error if `found` is not `wanted`.
pub fn is(found: u64, wanted: u64) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{found:#x} is not {wanted:#x}")) }
}

/// Returns an error if the bits `found` are not the number `wanted`. All NaNs are equal.
pub fn is_number(found: u64, wanted: f64) -> Result<(), String> {
    let number = f64::from_bits(found);
    let same = found == wanted.to_bits() || number.is_nan() && wanted.is_nan();
    if same { Ok(()) } else { Err(format!("{number:?} is not {wanted:?}")) }
}

/// Returns the languages with typed operations. `later` selects the languages of NV_gpu_program5.
fn languages(later: bool) -> impl Iterator<Item = Language> {
    let all = [
        Language::NvVp4,
        Language::NvGp4,
        Language::NvFp4,
        Language::NvVp5,
        Language::NvTcp5,
        Language::NvTep5,
        Language::NvGp5,
        Language::NvFp5,
    ];
    all.into_iter().filter(move |language| !later || language.profile().long_variables)
}

/// Returns `law` as a program. The suffix of `ty` replaces `.T`.
fn program(language: Language, ty: Type, law: &str) -> Program {
    let (attributes, result, declared) = match language.stage() {
        Stage::Fragment => ("fragment", "result.color", ""),
        Stage::TessControl => ("vertex[0]", "result.position", "VERTICES_OUT 1;"),
        Stage::TessEvaluation => ("vertex[0]", "result.position", "TESS_MODE QUADS;"),
        Stage::Geometry => {
            ("vertex[0]", "result.position", "PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1;")
        }
        Stage::Vertex | Stage::VertexState => ("vertex", "result.position", ""),
    };
    let later = language.profile().long_variables;
    let size = if ty.is_wide() { "LONG " } else { "" };
    let mut text = format!("{}\n{declared}{size}TEMP p, q, r, s, t, u, v;\nTEMP word;\n", language.header());
    if later {
        text += "LONG TEMP wide, other;\n";
    }
    for (register, first) in [("p", 0), ("q", 2), ("r", 4)] {
        let (low, high) =
            (format!("{attributes}.attrib[{first}]"), format!("{attributes}.attrib[{}]", first + 1));
        text += &if ty.is_wide() {
            format!("PK64.U {register}.xy, {low};\nPK64.U {register}.zw, {high};\n")
        } else {
            format!("MOV.U {register}, {low};\n")
        };
    }
    let suffix = match ty {
        F32 => "F",
        F64 => "F64",
        S32 => "S",
        S64 => "S64",
        U64 => "U64",
        _ => "U",
    };
    text += &law.replace(".T", &format!(".{suffix}"));
    text += &format!(";\nMOV.U {result}, {attributes}.attrib[0];\nEND\n");
    let loaded = load(text.as_bytes());
    loaded.program.unwrap_or_else(|| panic!("{text}{:#?}", loaded.diagnostics))
}

/// Returns the attributes that hold the operands: two words for a component of a wide type, else one.
fn attributes(stage: Stage, ty: Type, operands: &Operands) -> Vec<(Attribute, [Vector; QUAD])> {
    let attribute = |number: u8| match stage {
        Stage::Fragment => Attribute::Generic(number),
        Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => {
            Attribute::OfVertex { vertex: 0, result: VertexResult::Generic(number) }
        }
        Stage::Vertex | Stage::VertexState => Attribute::Vertex(number),
    };
    let word = |bits: u64, half: usize| f32::from_bits((bits >> (32 * half)) as u32);
    let mut all = Vec::new();
    for (lanes, first) in operands.iter().zip([0, 2, 4]) {
        if ty.is_wide() {
            let pair =
                |at: usize| lanes.map(|lane| std::array::from_fn(|i| word(lane[2 * at + i / 2], i % 2)));
            all.extend([(attribute(first), pair(0)), (attribute(first + 1), pair(1))]);
        } else {
            all.push((attribute(first), lanes.map(|lane| lane.map(|bits| word(bits, 0)))));
        }
    }
    all
}

/// Generates bits of every kind for a type: special values, random bits, and small numbers of either sign.
fn bits(ty: Type) -> BoxedStrategy<u64> {
    let special: Vec<u64> = match ty {
        F32 => {
            [0.0, -0.0, 1.0, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE]
                .map(|x| u64::from(x.to_bits()))
                .to_vec()
        }
        F64 => [
            0.0,
            -0.0,
            1.0,
            -1.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            9_007_199_254_740_993.0,
            4_294_967_295.5,
            -2_147_483_648.5,
            65_504.0,
            16_777_217.0,
        ]
        .map(f64::to_bits)
        .to_vec(),
        _ => [0, 1, 2, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000]
            .into_iter()
            .chain([0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, u64::MAX])
            .collect(),
    };
    let special = prop::sample::select(special);
    let any = any::<u64>();
    match ty {
        F32 => {
            let near = (-1024..1024_i16).prop_map(|k| u64::from((f32::from(k) / 32.0).to_bits()));
            prop_oneof![special, any, near].boxed()
        }
        F64 => prop_oneof![special, any, (-4096.0..4096.0_f64).prop_map(f64::to_bits)].boxed(),
        _ => prop_oneof![special, any, (-64..64_i64).prop_map(i64::cast_unsigned)].boxed(),
    }
}

/// Checks `relation` on the results of `law` for operands of every kind, in each of `types` and each language
/// that has the type.
pub fn holds(law: &str, types: &[Type], relation: impl Fn(&Component) -> Result<(), String>) {
    hold(law, types, false, relation);
}

/// Does the same as [`holds`] for a law with instructions of NV_gpu_program5.
pub fn holds_later(law: &str, types: &[Type], relation: impl Fn(&Component) -> Result<(), String>) {
    hold(law, types, true, relation);
}

fn hold(law: &str, types: &[Type], later: bool, relation: impl Fn(&Component) -> Result<(), String>) {
    for &ty in types {
        let languages = languages(later || ty.is_wide());
        let programs: Vec<_> = languages.map(|language| Compiled::new(program(language, ty, law))).collect();
        let vector = || prop::array::uniform4(bits(ty));
        let strategy = prop::array::uniform3(prop::array::uniform4(vector()));
        run(&strategy, |operands| check(law, &programs, ty, &operands, &relation));
    }
}

fn check(
    law: &str,
    programs: &[Compiled],
    ty: Type,
    operands: &Operands,
    relation: &impl Fn(&Component) -> Result<(), String>,
) -> Result<(), String> {
    for compiled in programs {
        let program = &compiled.program;
        let place = |name: &str| program.temporaries.iter().position(|temporary| temporary.name == name);
        let bindings = Bindings::initial(program);
        let attributes = attributes(program.stage(), ty, operands);
        for (executor, lanes) in executed(compiled, &bindings, &attributes) {
            for (lane, registers) in lanes.iter().enumerate() {
                for i in 0..4 {
                    let of = |name: &str| place(name).map_or(0, |place| registers.temporaries[place][i]);
                    let component = Component {
                        ty,
                        p: of("p"),
                        q: of("q"),
                        r: of("r"),
                        s: of("s"),
                        t: of("t"),
                        u: of("u"),
                        v: of("v"),
                        wide: of("wide"),
                        word: of("word"),
                    };
                    relation(&component).map_err(|fault| {
                        let language = program.language;
                        format!("`{law}`, {language:?}, {executor}, lane {lane}: {fault}\n{component:#x?}")
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// The registers `p`, `q` and `r` hold the given operands in all components.
#[test]
fn operands_arrive() {
    for ty in [F32, F64, S32, U32, S64, U64] {
        let numbers: Operands = std::array::from_fn(|o| {
            std::array::from_fn(|l| std::array::from_fn(|i| (1 + o + 4 * l + 16 * i) as u64 * 0x1_0000_0001))
        });
        for language in languages(ty.is_wide()) {
            let compiled = Compiled::new(program(language, ty, "MOV.T s, p"));
            let program = &compiled.program;
            let place = |name: &str| program.temporaries.iter().position(|temporary| temporary.name == name);
            let attributes = attributes(program.stage(), ty, &numbers);
            for (executor, lanes) in executed(&compiled, &Bindings::initial(program), &attributes) {
                for (lane, registers) in lanes.iter().enumerate() {
                    for (operand, name) in ["p", "q", "r"].into_iter().enumerate() {
                        let wanted = numbers[operand][lane]
                            .map(|bits| if ty.is_wide() { bits } else { bits & 0xFFFF_FFFF });
                        let found = place(name).map(|place| registers.temporaries[place]);
                        assert_eq!(found, Some(wanted), "{language:?} {ty:?} {executor} {name} {lane}");
                    }
                }
            }
        }
    }
}
