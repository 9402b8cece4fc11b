//! Builds scenes for the examples of the instruction reference. Each scene sets everything that the example's
//! program reads, so the example draws a picture and can be stepped at once.

use super::program_template;
use crate::scene::{Folder, SCENE_FILE, Scene, SceneError, Slot, load_in};
use shadestep_engine::debug::Subject;
use shadestep_engine::front;
use shadestep_engine::ide::example::{BUFFER, Example, IMAGE_SIDE, image_format};
use shadestep_engine::ir::{ParameterSource, Program};
use shadestep_engine::isa::Stage;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A triangle with positions and colours.
const TRIANGLE: &str = "\
[[attribute]]
index = \"OPOS\"
size = 2
values = [-0.8, -0.7,  0.8, -0.7,  0, 0.8]

[[attribute]]
index = \"COL0\"
size = 3
values = [1, 0.3, 0.2,  0.2, 0.9, 0.4,  0.2, 0.4, 1]
";

/// Returns the scene of an example, with `title`.
///
/// # Errors
/// None for bundled examples, as a test checks. Otherwise the errors of [`load_in`].
pub fn example_scene(example: &Example, title: &str) -> Result<Scene, SceneError> {
    let stage = example.language.stage();
    let slot = Slot::first(stage);
    let name = format!("example.{}", slot.extension());
    let mut files = BTreeMap::from([(name.clone(), example.text.clone().into_bytes())]);
    let mut add = |slot: Slot, text: &str| {
        let name = format!("main.{}", slot.extension());
        files.insert(name.clone(), text.as_bytes().to_vec());
        format!("{} = \"{name}\"\n", slot.key())
    };
    let program = front::load(example.text.as_bytes()).program;
    let mut toml = format!("title = \"{title}\"\n");
    let has_addresses = |program: &Program| program.accesses_memory() && program.buffers.is_empty();
    if !example.language.profile().long_variables && program.as_ref().is_some_and(has_addresses) {
        toml.push_str("addresses = \"32-bit\"\n");
    }
    toml.push_str("\n[program]\n");
    if stage != Stage::VertexState {
        let _ = writeln!(toml, "{} = \"{name}\"", slot.key());
    }
    if stage == Stage::VertexState {
        toml.push_str(&add(Slot::Vertex, include_str!("templates/state/main.vp")));
    }
    if stage == Stage::TessControl {
        toml.push_str(&add(
            Slot::TessEvaluation,
            &program_template(Slot::TessEvaluation, true, program.as_ref()),
        ));
    }
    if stage != Stage::Fragment {
        toml.push_str(&add(Slot::Fragment, include_str!("templates/fragment.fp")));
    }
    if stage == Stage::VertexState {
        let _ = write!(toml, "\n[[state_program]]\nfile = \"{name}\"\ninput = [0.75, 0.25, 0, 1]\n");
    }
    match stage {
        Stage::Fragment => {}
        Stage::VertexState => toml.push_str(
            "\n[geometry]\nmesh = \"sphere\"\n\n[[track]]\nregister = 0\nmatrix = \"MODELVIEW_PROJECTION\"\n",
        ),
        Stage::TessControl | Stage::TessEvaluation => {
            let _ = write!(toml, "\n[geometry]\nprimitive = \"PATCHES\"\npatch_vertices = 3\n\n{TRIANGLE}");
        }
        Stage::Vertex | Stage::Geometry => {
            let _ = write!(toml, "\n[geometry]\nprimitive = \"TRIANGLES\"\n\n{TRIANGLE}");
        }
    }
    if let Some(program) = program {
        toml.push_str(&read(example, slot, &program));
    }
    files.insert(SCENE_FILE.to_owned(), toml.into_bytes());
    load_in(Folder::Memory(Arc::new(files)))
}

/// Returns the tables for the resources that `program` reads: parameters, textures, memory, images.
fn read(example: &Example, slot: Slot, program: &Program) -> String {
    let mut toml = String::new();
    let reads_address = program.parameters.iter().any(|p| p.source == ParameterSource::Local(0));
    if !example.parameters.is_empty() || reads_address {
        toml.push_str("\n[parameters]\n");
    }
    for (number, value) in &example.parameters {
        let _ = writeln!(toml, "\"c[{number}]\" = {{ value = {value:?}, widget = \"number\" }}");
    }
    if reads_address {
        let _ = writeln!(toml, "\"{}.local[0]\" = ['address_of(\"block\")']", slot.key());
    }
    for (unit, target) in program.textures().iter().enumerate() {
        let Some(target) = target.filter(|target| target.has_mipmaps() && target.axes() == 2) else {
            continue;
        };
        if !target.is_cube() && target.layer().is_none() {
            let _ = write!(toml, "\n[[texture]]\nunit = {unit}\nimage = \"builtin:checker\"\n");
        }
    }
    if program.accesses_images() {
        let format = image_format(program);
        let _ = write!(
            toml,
            "\n[[image]]\nname = \"picture\"\nformat = \"{format}\"\nsize = [{IMAGE_SIDE}, {IMAGE_SIDE}]\nunit = 0\nfill = 0\n"
        );
    } else if program.accesses_memory() {
        let _ = write!(toml, "\n[[buffer]]\nname = \"block\"\nvalues = {BUFFER:?}\n");
        if !program.buffers.is_empty() {
            let _ = writeln!(toml, "bind = \"{}.buffer[0]\"", slot.key());
        }
    }
    toml
}

/// Returns the invocation to step in an example's picture of `size`.
pub const fn example_subject(stage: Stage, size: [u32; 2]) -> Subject {
    match stage {
        // Here the values that examples compare attributes with let fragments pass.
        Stage::Fragment => Subject::Pixel([size[0] / 4 * 3, size[1] / 4]),
        Stage::Vertex => Subject::Vertex(0),
        Stage::VertexState => Subject::StateProgram(0),
        Stage::Geometry => Subject::Primitive { number: 0, invocation: 0 },
        Stage::TessControl => Subject::Patch { number: 0, invocation: 0 },
        Stage::TessEvaluation => Subject::PatchVertex { patch: 0, vertex: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{self, Job, SetUp, Threads};
    use shadestep_engine::ide::example::examples;
    use shadestep_engine::isa::Language;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn every_example_is_a_scene_without_faults() {
        for language in Language::ALL {
            for (info, example) in examples(language) {
                let example = example.unwrap();
                let name = format!("{} in {}", info.mnemonic, language.name());
                let scene = example_scene(&example, &name).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert_eq!(scene.warnings, [], "{name}");
                let programs = session::compile_scene(&scene);
                let mut accesses = false;
                for (slot, compiled) in programs.iter() {
                    assert_eq!(compiled.diagnostics, [], "{name}, {slot}");
                    accesses |= compiled.program.as_ref().is_some_and(|program| program.accesses_memory());
                }
                if accesses {
                    let job = Job { size: [32, 32], finds_races: false, ..Job::new(Arc::new(scene)) };
                    let (threads, never) = (Threads::new(1).unwrap(), AtomicBool::new(false));
                    let frame = SetUp::new(&programs, &job).unwrap().render(&threads, &never, None).unwrap();
                    let faults = frame.memory.faults.iter().map(|fault| &fault.diagnostic.message);
                    assert_eq!(faults.collect::<Vec<_>>(), [""; 0], "{name}");
                }
            }
        }
    }
}
