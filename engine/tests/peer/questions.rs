//! Collects all questions: the programs of the conformance files and of the samples on their inputs, and the
//! questions from `random_programs`, `pictures` and `references`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use shadestep_engine::front;
use shadestep_engine::ir::{Attribute, ParameterSource, Program, singles};
use shadestep_engine::isa::Stage;

use super::question::{Given, Inputs, Question, Slot};
use super::surgery::{Shown, shown};
use super::{pictures, random_programs, references};
use crate::common::files;
use crate::conformance::format::{self, Case, Run};
use crate::conformance::texture_building::texture;
use crate::support::random::Random;
use crate::support::textures;

/// All questions. Their names are unique.
pub fn all() -> Vec<Question> {
    let mut questions = conformance();
    questions.extend(samples());
    questions.extend(random_programs::all());
    questions.extend(pictures::all());
    questions.extend(references::all());
    questions
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The programs of the conformance files. Programs with runs get the inputs of these runs.
fn conformance() -> Vec<Question> {
    let folder = root().join("tests/conformance");
    let mut questions = Vec::new();
    for (file_name, path) in files::below(&folder, &["test"]) {
        let Ok(file) = fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|t| format::parse(&t))
        else {
            // The conformance tests report files that cannot be read.
            continue;
        };
        for (number, case) in file.cases.iter().enumerate() {
            match case {
                Case::Program { texts, runs, .. } => {
                    for (variant, text) in texts.iter().enumerate() {
                        let name = format!("{file_name}/{number}.{variant}");
                        questions.extend(of_runs(&name, text, runs));
                    }
                }
                Case::Load { texts, .. } | Case::Error { texts, .. } => {
                    for (variant, marked) in texts.iter().enumerate() {
                        let name = format!("{file_name}/{number}.{variant}");
                        questions.push(Question::loading(name, &marked.text));
                    }
                }
            }
        }
    }
    questions
}

/// Questions about a program of a conformance file: one whether it loads, and one for each variable on the
/// runs' inputs.
fn of_runs(name: &str, text: &[u8], runs: &[Run]) -> Vec<Question> {
    of_program(name, text, |program, shown| {
        runs.iter().filter_map(|run| inputs(program, run, &shown.moved)).flatten().collect()
    })
}

/// Questions about a program: one whether it loads, and one for each variable on the inputs from `fed`, if
/// there are any.
fn of_program(
    name: &str,
    text: &[u8],
    mut fed: impl FnMut(&Program, &Shown) -> Vec<Inputs>,
) -> Vec<Question> {
    let mut questions = vec![Question::loading(name, text)];
    let (Some(program), Ok(text)) = (front::load(text).program, std::str::from_utf8(text)) else {
        return questions;
    };
    for shown in shown(text, &program) {
        let runs = fed(&program, &shown);
        if !runs.is_empty() {
            questions.push(Question {
                shows: shown.attribute,
                runs,
                ..Question::loading(format!("{name}/{}", shown.what), shown.text.as_bytes())
            });
        }
    }
    questions
}

/// The inputs of each lane, without duplicates. `None` if a caller cannot set one of the run's inputs.
fn inputs(program: &Program, run: &Run, moved: &[(u8, u8)]) -> Option<Vec<Inputs>> {
    let mut parameters = Vec::new();
    for (name, value) in &run.parameters {
        parameters.push((slot(program, name)?, *value));
    }
    let mut built = Vec::new();
    for (unit, notation) in &run.textures {
        built.push((*unit, Arc::new(texture(notation).ok()?)));
    }
    if program.stage() == Stage::Fragment && run.given.iter().any(|a| feed(*a).is_none()) {
        return None;
    }
    let mut lanes: Vec<Vec<(u8, [f32; 4])>> = Vec::new();
    for lane in 0..4 {
        let values = |a: &Attribute| singles(run.attribute(a.index())[lane]);
        let attributes = match program.stage() {
            Stage::Fragment => run.given.iter().filter_map(|a| Some((feed(*a)?, values(a)))).collect(),
            _ => (0..16).zip(&Attribute::VERTEX).map(|(n, a)| (n, values(a))).collect(),
        };
        let attributes = self::moved(attributes, moved);
        let bits = |attributes: &[(u8, [f32; 4])]| -> Vec<u32> {
            attributes.iter().flat_map(|(_, value)| value.map(f32::to_bits)).collect()
        };
        if !lanes.iter().any(|other| bits(other) == bits(&attributes)) {
            lanes.push(attributes);
        }
    }
    let inputs = |attributes| Inputs {
        attributes: floats(attributes),
        parameters: parameters.clone(),
        textures: built.clone(),
        ..Inputs::default()
    };
    Some(lanes.into_iter().map(inputs).collect())
}

/// Wraps attributes that are four fp32 numbers.
fn floats(attributes: Vec<(u8, [f32; 4])>) -> Vec<(u8, Given)> {
    attributes.into_iter().map(|(number, value)| (number, Given::Floats(value))).collect()
}

/// Copies the value of the first attribute of each pair to the second. Drops attribute 0 and duplicates.
fn moved(mut attributes: Vec<(u8, [f32; 4])>, moved: &[(u8, u8)]) -> Vec<(u8, [f32; 4])> {
    for (from, to) in moved {
        if let Some(at) = attributes.iter().position(|(number, _)| number == from) {
            let (_, value) = attributes[at];
            attributes.retain(|(number, _)| number != to);
            attributes.push((*to, value));
        }
    }
    attributes.retain(|(number, _)| *number != 0);
    attributes.sort_by_key(|(number, _)| *number);
    attributes.dedup_by_key(|(number, _)| *number);
    attributes
}

/// The generic attribute that [`FEED`](super::question::FEED) passes on as a fragment attribute. `None` for
/// attributes that come from the rasteriser or belong to another stage.
fn feed(attribute: Attribute) -> Option<u8> {
    match attribute {
        Attribute::Col0 => Some(3),
        Attribute::Col1 => Some(4),
        Attribute::Fogc | Attribute::FogCoord => Some(5),
        Attribute::Tex(set) => Some(8 + set),
        Attribute::Wpos
        | Attribute::Facing
        | Attribute::ClipDistance(_)
        | Attribute::Generic(_)
        | Attribute::PrimitiveId
        | Attribute::PointCoord
        | Attribute::SampleId
        | Attribute::SampleMask
        | Attribute::OfVertex { .. }
        | Attribute::OutVertex { .. }
        | Attribute::OfPatch(_)
        | Attribute::OutPatch(_)
        | Attribute::TessCoord
        | Attribute::Invocation
        | Attribute::VertexCount
        | Attribute::Vertex(_)
        | Attribute::LongVertex(_)
        | Attribute::VertexId
        | Attribute::Instance => None,
    }
}

/// The place of the parameter that a run calls `name`, if a caller can set the parameter.
fn slot(program: &Program, name: &str) -> Option<Slot> {
    let language = program.language;
    let parameter = program.parameters.iter().find(|parameter| {
        parameter.name_in(language).as_deref() == Some(name)
            || parameter.source.name_in(language).as_deref() == Some(name)
    })?;
    slot_of(&parameter.source)
}

fn slot_of(source: &ParameterSource) -> Option<Slot> {
    match source {
        ParameterSource::Env(n) => Some(Slot::Env(*n)),
        ParameterSource::Local(n) => Some(Slot::Local(*n)),
        ParameterSource::Named { name, .. } => Some(Slot::Named(name.clone())),
        ParameterSource::Constant(_) | ParameterSource::State(_) => None,
    }
}

/// The samples' programs: whether they load, and their variables on inputs like a scene's.
fn samples() -> Vec<Question> {
    let folder = root().join("../samples");
    let mut questions = Vec::new();
    for (name, path) in files::below(&folder, &["fp", "vp", "arbfp", "arbvp", "fp1", "vsp"]) {
        let name = format!("samples/{name}");
        let Ok(text) = fs::read(&path) else { continue };
        questions.extend(on_random_inputs(&name, &text, 6, Random::tame_value));
    }
    questions
}

/// Questions about a program: one whether it loads, and one for each variable on `runs` random inputs.
pub fn on_random_inputs(
    name: &str,
    text: &[u8],
    runs: usize,
    value: impl Fn(&mut Random) -> f32,
) -> Vec<Question> {
    let seed = name.bytes().fold(1u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let mut random = Random::new(seed);
    // All variables are shown on the same inputs.
    let mut fed: Option<Vec<Inputs>> = None;
    of_program(name, text, |program, _| {
        fed.get_or_insert_with(|| (0..runs).map(|_| random_inputs(&mut random, program, &value)).collect())
            .clone()
    })
}

fn random_inputs(random: &mut Random, program: &Program, value: &impl Fn(&mut Random) -> f32) -> Inputs {
    let four = |random: &mut Random| std::array::from_fn(|_| value(random));
    let attributes = floats((1..16).map(|n| (n, four(random))).collect());
    let slots = program.parameters.iter().filter_map(|parameter| slot_of(&parameter.source));
    let parameters = slots.map(|slot| (slot, four(random))).collect();
    let mut bound = Vec::new();
    for (unit, target) in (0..).zip(program.textures()) {
        if let Some(target) = target {
            bound.push((unit, Arc::new(textures::small(random, target))));
        }
    }
    Inputs { attributes, parameters, textures: bound, ..Inputs::default() }
}
