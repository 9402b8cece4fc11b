//! Programs that read primitives, in both executors (NV_geometry_program4 2.14.6.3, 2.X.8,
//! NV_tessellation_program5 2.X.8).

use super::*;
use crate::exec::{
    ControlShader, Executable, GeometryShader, Mark, PrimitiveInputs, Shader, Stream, run_patch,
    run_primitive,
};
use shadestep_language::ir::{OutputRole, VertexResult};

/// The value of the attribute in component `c` of lane `lane`.
fn value(attribute: Attribute, c: usize, lane: usize) -> u32 {
    match attribute {
        Attribute::OfVertex { vertex, result } => {
            (1000.0 * f32::from(vertex) + 10.0 * result.index() as f32 + c as f32 + lane as f32 / 64.0)
                .to_bits()
        }
        Attribute::PrimitiveId => lane as u32,
        Attribute::Invocation => lane as u32 % 3,
        _ => 3,
    }
}

/// The emissions of each lane of a block, which must be equal in the reference interpreter and in all back
/// ends of the batch executor.
#[track_caller]
fn emitted(language: Language, body: &str) -> Vec<Stream> {
    let declared = "PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT POINTS; VERTICES_OUT 4; INT TEMP i; TEMP t;";
    let program = Arc::new(load(language, &format!("{declared} {body}")));
    let bindings = Bindings::initial(&program);
    let limit = InstructionLimit::of(&program);
    let inputs = |lane: usize| {
        let read = program.attributes().into_iter();
        let bits = |attribute| [0, 1, 2, 3].map(|c| u64::from(value(attribute, c, lane)));
        PrimitiveInputs(read.map(|attribute| (attribute, bits(attribute))).collect())
    };
    let traced: Vec<Stream> =
        (0..LANES).map(|lane| run_primitive(&program, &bindings, &inputs(lane), limit).emitted).collect();
    for executable in Executable::all(&program) {
        let shader = Shader::new(Arc::new(executable), bindings.clone());
        let mut lanes = AttributeLanes::with_room(GeometryShader::inputs(&shader).len());
        for (registers, (attribute, _)) in
            lanes.all_mut().chunks_exact_mut(4).zip(GeometryShader::inputs(&shader))
        {
            for (c, register) in registers.iter_mut().enumerate() {
                for lane in 0..LANES {
                    register.0[lane] = f32::from_bits(value(*attribute, c, lane));
                }
            }
        }
        let mut worker = GeometryShader::worker(&shader);
        // Runs twice: the second run must forget the first run's vertices.
        for _ in 0..2 {
            worker.run(&lanes, u64::MAX);
        }
        let emissions = worker.take_emissions();
        for (lane, traced) in traced.iter().enumerate() {
            assert_eq!(&emissions.stream(lane), traced, "lane {lane} of {body}");
        }
    }
    traced
}

/// The x of result `number` of each vertex of a lane.
fn xs(stream: &Stream, number: usize) -> Vec<f32> {
    (0..stream.len()).map(|vertex| f32::from_bits(stream.results(vertex)[number][0] as u32)).collect()
}

const VERTEX: Mark = Mark::Vertex { stream: 0 };

#[test]
fn vertices_are_emitted_up_to_the_limit() {
    let copies = "MOV result.position, vertex[0].position; EMIT; MOV result.position, vertex[2].position; EMIT; ENDPRIM;\
                  MOV result.position, vertex[1].position; EMIT;";
    for language in [Language::NvGp4, Language::NvGp5] {
        for (lane, stream) in emitted(language, copies).iter().enumerate() {
            assert_eq!(stream.marks(), [VERTEX, VERTEX, Mark::EndPrimitive, VERTEX]);
            assert_eq!(xs(stream, 0), [0.0, 2000.0, 1000.0].map(|x| x + lane as f32 / 64.0));
        }
    }
    let many = "REP {9, 9, 9, 9}; MOV result.position, 1; EMIT; ENDREP;";
    assert!(emitted(Language::NvGp4, many).iter().all(|stream| stream.marks() == [VERTEX; 4]));
}

#[test]
fn results_are_undefined_after_a_vertex_and_kept_by_the_end_of_a_primitive() {
    let text = "MOV result.position, 7; MOV result.color, 5; EMIT; MOV result.position, 8; ENDPRIM; EMIT;";
    let stream = &emitted(Language::NvGp4, text)[0];
    assert_eq!(xs(stream, 0), [7.0, 8.0]);
    // Undefined results keep their initial values.
    assert_eq!(xs(stream, 1), [5.0, 0.0]);
}

#[test]
fn each_lane_emits_what_its_flow_comes_to() {
    let text = "INT TEMP n; MOV.S i, primitive.id; AND.S i, i, 3; ADD.S n, i, 1;\
                REP.S i.x; I2F t, n; MOV result.position, t; EMIT; ENDREP;\
                IF NE.x; ENDIF;";
    let text = text.replace("I2F t, n;", "CVT.F32.S32 t, n;").replace("IF NE.x; ENDIF;", "");
    for (lane, stream) in emitted(Language::NvGp5, &text).iter().enumerate() {
        let count = lane % 4;
        assert_eq!(xs(stream, 0), vec![count as f32 + 1.0; count], "lane {lane}");
    }
}

#[test]
fn vertices_are_chosen_at_run_time() {
    let text = "ATTRIB p = vertex.position; ATTRIB a[] = { vertex.attrib[4..6] };\
                MOV.S i, primitive.id; MOV result.position, p[i.x]; MOV result.color, a[i.x][i.x]; MOV result.texcoord, a[1][i.x]; EMIT;";
    for (lane, stream) in emitted(Language::NvGp4, text).iter().enumerate() {
        let own = lane as f32 / 64.0;
        let within = |value: f32| if lane < 3 { value + own } else { 0.0 };
        let vertex = 1000.0 * lane as f32;
        let attribute = (10 * VertexResult::Generic(4).index() + 10 * lane) as f32;
        assert_eq!(xs(stream, 0), [within(vertex)], "lane {lane}");
        assert_eq!(xs(stream, 1), [within(vertex + attribute)], "lane {lane}");
        assert_eq!(xs(stream, 2), [within(1000.0 + attribute)], "lane {lane}");
    }
}

#[test]
fn invocations_and_streams_are_numbered() {
    let text = "MOV.S i, primitive.invocation; MOV result.position, primitive.vertexcount.x; EMITS i.x; EMITS {4}.x;";
    for (lane, stream) in emitted(Language::NvGp5, text).iter().enumerate() {
        // There are four streams. A vertex to a fifth one is ignored.
        assert_eq!(stream.marks(), [Mark::Vertex { stream: (lane % 3) as u8 }]);
        assert_eq!(stream.results(0)[0][0], 3);
    }
}

/// Lanes that wait in the caller continue after the lanes in the subroutine have reached the instruction
/// limit.
#[test]
fn who_awaits_a_call_goes_on_when_the_others_have_come_to_the_limit() {
    let long = "MOV result.attrib[1], 8; ".repeat(60);
    let text = format!(
        "VERTICES_OUT 2; INT TEMP i; MOV.S.CC i, primitive.invocation.x; CAL long (NE.x); \
         MOV result.attrib[0], 7; RET; long: {long}"
    );
    let program = Arc::new(load(Language::NvTcp5, &text));
    let bindings = Bindings::initial(&program);
    let limit = InstructionLimit(50);
    let traced = run_patch(&program, &bindings, &PrimitiveInputs(Vec::new()), limit);
    let result = |role| program.outputs.iter().position(|output| output.role == role).expect("an output");
    let role = OutputRole::Vertex(VertexResult::Generic(0));
    let sevens = [7.0_f32.to_bits().into(); 4];
    assert_eq!(traced[0].registers.outputs[result(role)], sevens);
    for executable in Executable::all(&program) {
        let shader = Shader::new(Arc::new(executable), bindings.clone()).with_limit(limit);
        let mut lanes = AttributeLanes::with_room(ControlShader::inputs(&shader).len());
        for lane in 0..LANES {
            lanes.all_mut()[0].0[lane] = f32::from_bits(lane as u32 % 2);
        }
        let mut worker = ControlShader::worker(&shader);
        worker.run(&lanes, u64::MAX, false);
        let place =
            ControlShader::results(&shader).iter().position(|other| *other == role).expect("a result");
        for lane in (0..LANES).step_by(2) {
            let found = [0, 1, 2, 3].map(|c| worker.result(place)[c].0[lane]);
            assert_eq!(found, [7.0; 4], "lane {lane}");
        }
    }
}
