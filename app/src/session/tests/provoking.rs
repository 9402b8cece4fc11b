//! Flat attributes of the default scene: the picture, recordings and frame queries have the value of the
//! provoking vertex, which is the upper left corner.

use super::*;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::ir::TempId;
use shadestep_engine::query::{ProgramPoint, Question};

#[test]
fn flat_attributes_of_the_default_scene_have_the_value_of_the_provoking_vertex() {
    for (attribute, expected) in [
        ("fragment.texcoord[5]", [0.0, 1.0, 0.0, 1.0]),
        ("fragment.attrib[9]", [0.0, 1.0, 0.0, 1.0]),
        ("fragment.color", [0.0, 1.0, 1.0, 1.0]),
        ("fragment.color.secondary", [0.0, 0.0, 0.0, 1.0]),
    ] {
        let text = format!(
            "!!NVfp4.0\nFLAT ATTRIB a = {attribute};\nTEMP t;\nMOV t, a;\nMOV result.color, t;\nEND\n"
        );
        let (compiled, job) = job(scene(&text), [5, 3]);
        let frame = check_agreement(&compiled, &job, 1);
        let question = Question::Registers(ProgramPoint::End, vec![Place::Temp(TempId(0))]);
        let set_up = SetUp::new(&compiled, &job).unwrap();
        let answer = set_up.query_frame(&question, &Threads::new(1).unwrap(), &CANCEL).unwrap();
        for pixel in (0..3).flat_map(|y| (0..5).map(move |x| [x, y])) {
            assert_eq!(frame.pixel(pixel).unwrap().color, expected, "{attribute} {pixel:?}");
            let told = answer.registers[0][(pixel[1] * 5 + pixel[0]) as usize];
            assert_eq!(singles(told), expected, "{attribute} {pixel:?}");
            let fragments = fragments(&compiled, &job, pixel);
            let recording = fragments.get(0).and_then(|fragment| fragment.recording.clone()).unwrap();
            assert_eq!(singles(recording.outputs[0]), expected, "{attribute} {pixel:?}");
        }
    }
}

#[test]
fn flat_shading_of_a_scene_without_a_mesh_makes_colours_flat() {
    let toml = "[state]\nshade_model = \"FLAT\"\n";
    let program = "!!ARBfp1.0\nTEMP t;\nMOV t, fragment.color;\nMOV t.z, fragment.texcoord.x;\nMOV result.color, t;\nEND\n";
    let (compiled, job) = job(formats::scene_of(toml, program, ""), [4, 4]);
    let frame = check_agreement(&compiled, &job, 1);
    assert_eq!(frame.pixel([2, 1]).unwrap().color, [0.0, 1.0, 0.625, 1.0]);
}
