//! Tests that pictures and stepping agree bit for bit, for parameters, textures and state of every kind.

use super::*;
use crate::scene::{
    Camera, Clear, CompareFunc, Depth, Folder, LightingState, MAX_SIZE, MeshSource, ParameterKey,
    ParameterSetting, SceneMesh, bundled,
};
use shadestep_engine::ir::{single_bits, singles};

mod feedback;
mod formats;
mod layers;
mod memory;
mod provoking;

static CANCEL: AtomicBool = AtomicBool::new(false);

fn scene(text: &str) -> Scene {
    Scene::for_program("test.fp", None, text.as_bytes())
}

fn job(scene: Scene, size: [u32; 2]) -> (Loaded, Job) {
    let programs = compile_scene(&scene);
    for (slot, compiled) in programs.iter() {
        let messages: Vec<_> = compiled.diagnostics.iter().map(|d| &d.message).collect();
        assert!(compiled.program.is_some(), "{slot}: {messages:?}");
    }
    (programs, Job { size, ..Job::new(Arc::new(scene)) })
}

fn draw(compiled: &Loaded, job: &Job) -> Frame {
    render(compiled, job, &Threads::new(1).unwrap(), &CANCEL).unwrap()
}

fn fragments(compiled: &Loaded, job: &Job, pixel: [u32; 2]) -> Fragments {
    record(compiled, (job, None), pixel, None, &CANCEL).unwrap()
}

/// Renders, and steps every pixel of a grid. All must agree. Returns the frame.
fn check_agreement(compiled: &Loaded, job: &Job, step: usize) -> Frame {
    let frame = draw(compiled, job);
    for y in (0..job.size[1]).step_by(step) {
        for x in (0..job.size[0]).step_by(step) {
            let recordings = fragments(compiled, job, [x, y]);
            let agreement = verify_pixel(&frame, job, [x, y], recordings.end());
            assert_eq!(agreement, Agreement::Same, "{} at {x},{y}", job.scene.name);
            // The depth after the fragments equals the depth buffer's.
            let expected = recordings.end().map_or(job.scene.clear.depth, |end| end.depth);
            let depth = frame.pixel([x, y]).unwrap().depth;
            assert_eq!(depth.to_bits(), expected.to_bits(), "{} at {x},{y}", job.scene.name);
        }
    }
    frame
}

#[test]
fn the_default_scene_feeds_the_documented_attributes() {
    // Each attribute in a program of its own. The values follow from the list at pixel (2, 1) of 4 x
    // 4: s = 2.5 / 4, t = 1.5 / 4.
    let (s, t) = (0.625, 0.375);
    for (attribute, expected) in [
        ("TEX0", [s, t, 0.0, 1.0]),
        ("TEX7", [s, t, 0.0, 1.0]),
        ("COL0", [s, t, 1.0 - s, 1.0]),
        ("COL1", [0.0, 0.0, 0.0, 1.0]),
        ("FOGC", [t, 0.0, 0.0, 0.0]),
        ("WPOS", [2.5, 1.5, 0.5, 1.0]),
    ] {
        let text = format!("!!FP1.0\nMOVR o[COLR], f[{attribute}];\nEND\n");
        let (compiled, job) = job(scene(&text), [4, 4]);
        let pixel = draw(&compiled, &job).pixel([2, 1]).unwrap();
        assert_eq!((pixel.color, pixel.status), (expected, PixelStatus::Written), "{attribute}");
    }
}

#[test]
fn parameters_come_from_the_scene_then_defaults() {
    let text = "!!FP1.0\nDECLARE a = {1, 2, 3, 4};\nDECLARE b = 7;\nMOVR R0, a;\nADDR R0, R0, b;\n\
                ADDR R0, R0, p[0];\nADDR R0, R0, p[1];\nADDR o[COLR], R0, p[5];\nEND\n";
    let (compiled, mut job) = job(scene(text), [8, 4]);
    job.time_secs = 2.5;
    let program = Arc::clone(compiled.get(Slot::Fragment).unwrap().program.as_ref().unwrap());
    let value = |job: &Job, key: &str| {
        let index = program
            .parameters
            .iter()
            .position(|p| p.name_in(program.language).as_deref() == Some(key))
            .unwrap();
        singles(draw_call(&compiled, job).unwrap().fragment_bindings().unwrap().parameters[index])
    };
    assert_eq!(value(&job, "a"), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(value(&job, "b"), [7.0; 4]);
    assert_eq!(value(&job, "p[0]"), [2.5, 8.0, 4.0, 1.0]);
    assert_eq!(value(&job, "p[5]"), [0.0; 4]);
    let auto = |sources: [AutoSource; 4]| sources.map(Component::Auto);
    use AutoSource::{Aspect, EyeX, EyeY, EyeZ, Frame, Height, MouseDown, MouseX, MouseY, Time, Width};
    let set = |key, value| ParameterSetting { key, value, components: 4, widget: None, min: 0.0, max: 1.0 };
    let scene = Arc::make_mut(&mut job.scene);
    scene.parameters = vec![
        set(ParameterKey::Named("a".to_owned()), auto([Time, Frame, Width, Height])),
        set(ParameterKey::Numbered(1), auto([Aspect, MouseX, MouseY, MouseDown])),
        set(ParameterKey::Numbered(5), auto([EyeX, EyeY, EyeZ, Time])),
    ];
    scene.camera = Camera { eye: [1.0, 2.0, 3.5], ..Camera::default() };
    job.frame = 9;
    job.mouse = Mouse { position: [0.25, 0.75], button: Button::Down };
    assert_eq!(value(&job, "a"), [2.5, 9.0, 8.0, 4.0]);
    assert_eq!(value(&job, "p[1]"), [2.0, 0.25, 0.75, 1.0]);
    assert_eq!(value(&job, "p[5]"), [1.0, 2.0, 3.5, 2.5]);
}

#[test]
fn integers_reach_programs_as_their_bits() {
    let int = [i32::MIN, -2, 16_777_217, 0x7F80_0001];
    let bits = int.map(i32::cast_unsigned);
    for (what, key) in [
        ("program.local[3]", ParameterKey::Numbered(3)),
        ("program.local[200]", ParameterKey::Numbered(200)),
        ("program.env[5]", ParameterKey::FragmentEnv(5)),
    ] {
        for value in [int.map(Component::Int), bits.map(Component::Uint)] {
            // Compared as integers, so no floating-point rule changes the bits. The result is 1 if all are
            // equal.
            let text = format!(
                "!!NVfp4.0\nPARAM p = {what};\nINT TEMP a;\nSEQ.S a, p, {{ -2147483648, -2, 16777217, 0x7F800001 }};\n\
                 AND.S a, a, 1;\nI2F result.color, a;\nEND\n"
            );
            let mut scene = scene(&text);
            let key = key.clone();
            let set = ParameterSetting { key, value, components: 4, widget: None, min: 0.0, max: 1.0 };
            scene.parameters.push(set);
            let (programs, job) = job(scene, [2, 2]);
            assert_eq!(draw(&programs, &job).pixel([0, 0]).unwrap().color, [1.0; 4], "{what} {value:?}");
        }
    }
    let vertex = |what: &str| {
        format!(
            "!!NVvp4.0\nPARAM p = {what};\nINT TEMP a;\nSEQ.S a, p, {{ -2147483648, -2, 16777217, 0x7F800001 }};\n\
             AND.S a, a, 1;\nI2F result.color, a;\nMOV result.position, vertex.position;\nEND\n"
        )
    };
    for (what, key) in
        [("program.local[3]", ParameterKey::VertexLocal(3)), ("program.env[99]", ParameterKey::Register(99))]
    {
        let mut scene = scene("!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n");
        let file = crate::scene::ProgramFile {
            name: "v".to_owned(),
            path: None,
            text: vertex(what).as_bytes().into(),
        };
        scene.programs.insert(Slot::Vertex, file);
        let value = int.map(Component::Int);
        scene.parameters.push(ParameterSetting {
            key,
            value,
            components: 4,
            widget: None,
            min: 0.0,
            max: 1.0,
        });
        let (programs, job) = job(scene, [2, 2]);
        assert_eq!(draw(&programs, &job).pixel([0, 0]).unwrap().color, [1.0; 4], "{what}");
    }
}

#[test]
fn units_without_a_texture_have_xor_for_whatever_target() {
    // The centre of texel (x, y) exactly: s = (x + 0.5) / 256. No filter can blend there.
    for (target, at, expected) in [
        ("1D", "{0.041015625, 0, 0, 0}", [10, 0, 10, 255]),
        ("2D", "{0.041015625, 0.013671875, 0, 0}", [10, 3, 10 ^ 3, 255]),
        ("RECT", "{10.5, 3.5, 0, 0}", [10, 3, 10 ^ 3, 255]),
        ("3D", "{0.109375, 0.046875, 0.015625, 0}", [24, 8, 24 ^ 8, 255]),
        // Face +x (glspec15 table 3.21): s = (-z/x + 1) / 2, t = (-y/x + 1) / 2.
        ("CUBE", "{1, 0.97265625, 0.91796875, 0}", [10, 3, 10 ^ 3, 255]),
    ] {
        let text = format!("!!FP1.0\nMOVR R0, {at};\nTEX o[COLR], R0, TEX5, {target};\nEND\n");
        let (compiled, job) = job(scene(&text), [2, 2]);
        let color = draw(&compiled, &job).pixel([1, 1]).unwrap().color;
        assert_eq!(color, expected.map(|n: u8| f32::from(n) / 255.0), "{target}");
    }
}

#[test]
fn stepping_and_rendering_agree_on_every_bundled_sample() {
    for sample in bundled() {
        let scene = sample.load().unwrap();
        let (compiled, mut job) = job(scene, [33, 27]);
        job.time_secs = 1.75;
        job.mouse.position = [0.3, 0.6];
        let frame = check_agreement(&compiled, &job, 5);
        // A sample shows something: its pixels differ.
        let bytes = frame.to_rgba8();
        assert!(bytes.chunks_exact(4).any(|pixel| pixel != &bytes[..4]), "{} is blank", sample.name);
    }
}

#[test]
fn pictures_do_not_depend_on_the_number_of_threads() {
    for name in ["plasma", "kil-dissolve", "depth"] {
        let sample = crate::scene::open(name).unwrap();
        let (compiled, job) = job(sample, [130, 70]);
        let pictures: Vec<_> = [1, 2, 3, 8]
            .into_iter()
            .map(|count| render(&compiled, &job, &Threads::new(count).unwrap(), &CANCEL).unwrap())
            .collect();
        for picture in &pictures[1..] {
            let same = |a: &Frame, b: &Frame| {
                let bits = |f: &Frame| -> Vec<[u32; 4]> {
                    f.framebuffer.color.floats().iter().map(|c| c.map(f32::to_bits)).collect()
                };
                bits(a) == bits(b) && a.framebuffer.status == b.framebuffer.status && a.stats == b.stats
            };
            assert!(same(&pictures[0], picture), "{name}");
        }
    }
}

#[test]
fn pixel_history_has_every_fragment_with_its_outcome() {
    let mut torus = scene("!!FP1.0\nMOVR o[COLR], f[TEX2];\nEND\n");
    torus.mesh = SceneMesh::load(&Folder::Bundled(""), MeshSource::Torus).unwrap();
    torus.camera.eye = [2.5, 0.0, 1.0];
    torus.raster.depth = Depth::LESS;
    torus.clear = Clear { color: [9.0, 8.0, 7.0, 6.0], depth: 1.0, stencil: 0 };
    let (compiled, job) = job(torus, [31, 31]);
    check_agreement(&compiled, &job, 2);
    let mut most = Fragments::default();
    for y in 0..31 {
        for x in 0..31 {
            let recordings = fragments(&compiled, &job, [x, y]);
            if recordings.len() > most.len() {
                most = recordings;
            }
        }
    }
    // A ray through both sides of the tube twice meets at least four surfaces.
    assert!(most.len() >= 4, "{}", most.len());
    let mut stored = 1.0;
    for fragment in most.iter() {
        assert_eq!(fragment.before.depth, stored);
        let nearer = fragment.depth < stored;
        assert_eq!(fragment.outcome, if nearer { PixelStatus::Written } else { PixelStatus::DepthFailed });
        stored = stored.min(fragment.depth);
    }
}

#[test]
fn killed_and_refused_fragments_say_so() {
    // Discarded where s < 0.5.
    let killing = "!!FP1.0\nSUBRC RC.x, f[TEX0], 0.5;\nKIL LT.x;\nMOVR o[COLR], f[TEX0];\nEND\n";
    let (compiled, job_) = job(scene(killing), [4, 2]);
    let frame = check_agreement(&compiled, &job_, 1);
    let status = |x| frame.pixel([x, 0]).unwrap().status;
    assert_eq!((status(1), status(2)), (PixelStatus::Killed, PixelStatus::Written));
    assert_eq!(fragments(&compiled, &job_, [0, 0]).get(0).unwrap().outcome, PixelStatus::Killed);
    assert_eq!(frame.stats.killed, 4);

    // Depth 2 * s: outside [0, 1] on the right half unless it is clamped (3.11.6).
    let deep = "!!FP1.0\nMOVR o[COLR], f[TEX0];\nMULR o[DEPR].z, f[TEX0].x, 2;\nEND\n";
    let mut with_test = scene(deep);
    with_test.raster.depth = Depth::LESS;
    let (compiled, job_) = job(with_test.clone(), [4, 2]);
    let frame = check_agreement(&compiled, &job_, 1);
    assert_eq!(frame.pixel([0, 0]).unwrap().status, PixelStatus::Written);
    assert_eq!(frame.pixel([3, 0]).unwrap().status, PixelStatus::DepthDiscarded);
    assert_eq!(fragments(&compiled, &job_, [3, 0]).get(0).unwrap().outcome, PixelStatus::DepthDiscarded);
    with_test.raster.depth = Depth { test: Some(CompareFunc::Lequal), clamp: true, ..Depth::LESS };
    let (compiled, job_) = job(with_test.clone(), [4, 2]);
    assert_eq!(check_agreement(&compiled, &job_, 1).pixel([3, 0]).unwrap().status, PixelStatus::Written);
    with_test.raster.depth.test = Some(CompareFunc::Never);
    let (compiled, job_) = job(with_test, [4, 2]);
    let frame = check_agreement(&compiled, &job_, 1);
    assert_eq!(frame.pixel([0, 0]).unwrap().status, PixelStatus::DepthFailed);
    assert_eq!(fragments(&compiled, &job_, [0, 0]).get(0).unwrap().outcome, PixelStatus::DepthFailed);
}

#[test]
fn disagreement_is_noticed() {
    let (compiled, job) = job(scene("!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n"), [4, 4]);
    let frame = draw(&compiled, &job);
    let elsewhere = fragments(&compiled, &job, [1, 2]);
    assert_eq!(verify_pixel(&frame, &job, [1, 2], elsewhere.end()), Agreement::Same);
    let stepped = elsewhere.get(0).unwrap().recording.as_ref().map(|recording| recording.color);
    let rendered = single_bits([0.125, 0.125, 0.0, 1.0]);
    assert_eq!(
        verify_pixel(&frame, &job, [0, 0], elsewhere.end()),
        Agreement::Different { stepped, rendered }
    );
    assert!(matches!(verify_pixel(&frame, &job, [0, 0], None), Agreement::Different { stepped: None, .. }));
}

#[test]
fn requests_that_cannot_be_met_are_errors() {
    let broken = compile_scene(&scene("!!FP1.0\nFOO R0;\nEND\n"));
    let compiled = broken.get(Slot::Fragment).unwrap();
    assert!(compiled.program.is_none() && !compiled.diagnostics.is_empty());
    let (compiled, mut job) = job(scene("!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n"), [4, 4]);
    let threads = Threads::new(1).unwrap();
    let error = |compiled: &Loaded, job: &Job, cancel: bool| {
        render(compiled, job, &threads, &AtomicBool::new(cancel)).map(|_| ()).unwrap_err()
    };
    assert_eq!(error(&broken, &job, false), RenderError::NoProgram);
    assert_eq!(record(&broken, (&job, None), [0, 0], None, &CANCEL).map(|_| ()), Err(RenderError::NoProgram));
    assert_eq!(error(&compiled, &job, true), RenderError::Cancelled);
    assert!(matches!(
        record(&compiled, (&job, None), [4, 0], None, &CANCEL).map(|_| ()),
        Err(RenderError::Failed(_))
    ));
    let cancelled = AtomicBool::new(true);
    let stopped = record(&compiled, (&job, None), [1, 1], None, &cancelled).map(|_| ());
    assert_eq!(stopped, Err(RenderError::Cancelled));
    for size in [[0, 4], [4, 0], [MAX_SIZE + 1, 1]] {
        job.size = size;
        assert_eq!(error(&compiled, &job, false), RenderError::BadSize(size));
    }
    assert!(Threads::new(0).is_err() && Threads::new(Threads::MAX + 1).is_err());
}

#[test]
fn memory_of_an_old_frame_is_used_and_cleared() {
    let (all, job) = job(scene("!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n"), [5, 3]);
    let none = compile_scene(&scene("!!FP1.0\nMOVR o[COLR], f[TEX0];\nKIL TR;\nEND\n"));
    let threads = Threads::new(1).unwrap();
    let old = draw(&all, &job);
    let frame = SetUp::new(&none, &job).unwrap().render(&threads, &CANCEL, Some(old)).unwrap();
    let pixel = frame.pixel([4, 2]).unwrap();
    assert_eq!((pixel.color, pixel.status), (job.scene.clear.color, PixelStatus::Killed));
    let larger = Job { size: [7, 7], ..job };
    let frame = SetUp::new(&all, &larger).unwrap().render(&threads, &CANCEL, Some(frame)).unwrap();
    assert_eq!(frame.size(), [7, 7]);
}

#[test]
fn pngs_read_back_as_the_picture() {
    let (compiled, job) = job(scene("!!FP1.0\nMOVR o[COLR], f[COL0];\nEND\n"), [6, 4]);
    let frame = draw(&compiled, &job);
    let rgba = frame.to_rgba8();
    let image = image::load_from_memory(&frame.into_png().unwrap()).unwrap().to_rgba8();
    assert_eq!((image.dimensions(), image.as_raw()), ((6, 4), &rgba));
    // The top row is first, and t is large there. s = 0.5 / 6, t = 3.5 / 4, 8 bits each.
    assert_eq!(image.get_pixel(0, 0).0, [21, 223, 234, 255]);
}

#[test]
fn programs_for_another_place_are_refused_there() {
    let text = Arc::<[u8]>::from(b"!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n".as_slice());
    assert!(compile_for(Slot::Fragment, text.clone()).program.is_some());
    for (slot, words) in [(Slot::Vertex, "as a vertex program"), (Slot::State(1), "as a state program")] {
        let compiled = compile_for(slot, text.clone());
        let [fault] = compiled.diagnostics.as_slice() else { panic!("{:?}", compiled.diagnostics) };
        assert!(compiled.program.is_none(), "{slot}");
        assert_eq!((fault.code.name(), fault.position), ("header-other-target", 0));
        assert_eq!((fault.span().start, fault.span().end), (0, 7));
        assert!(fault.message.contains(words), "{}", fault.message);
    }
}

#[test]
fn texts_that_stayed_the_same_are_not_loaded_again() {
    let text = |text: &str| Arc::<[u8]>::from(text.as_bytes());
    let mut texts: Programs<Arc<[u8]>> =
        [(Slot::Fragment, text("!!FP1.0 END")), (Slot::Vertex, text("x"))].into_iter().collect();
    let first = compile_all(&texts, &Loaded::default());
    texts.insert(Slot::Vertex, text("y"));
    let second = compile_all(&texts, &first);
    let same = |slot| Arc::ptr_eq(first.get(slot).unwrap(), second.get(slot).unwrap());
    assert!(same(Slot::Fragment) && !same(Slot::Vertex));
}

#[test]
fn scenes_are_drawn_with_the_state_they_ask_for() {
    let fragment = "!!FP1.0\nMOVR o[COLR], 1;\nEND\n";
    let written = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scene(fragment);
        scene.mesh = SceneMesh::load(&Folder::Bundled(""), MeshSource::Sphere).unwrap();
        scene.raster.depth = Depth::LESS;
        change(&mut scene);
        let (programs, job) = job(scene, [24, 24]);
        check_agreement(&programs, &job, 3).stats.written
    };
    let plain = written(&|_| {});
    assert!(plain > 40);
    let half = crate::scene::MatrixOperation::Scale([Component::Constant(0.5); 3]);
    let small = written(&|scene| scene.model = vec![half]);
    assert!(small > 0 && small < plain / 2, "{small} of {plain}");
    assert_eq!(written(&|scene| scene.raster.scissor = Some([0, 0, 2, 2])), 0);
    let blend = pipeline::Blend {
        equation: pipeline::BlendEquation::Add,
        rgb: [pipeline::BlendFactor::SrcAlpha; 2],
        alpha: [pipeline::BlendFactor::One; 2],
        color: [0.0; 4],
    };
    assert_eq!(written(&|scene| scene.raster.blend = Some(blend)), plain);
}

#[test]
fn vertex_and_state_programs_drive_the_picture() {
    // The state program doubles v[0] into c[20]. The vertex program reads its colour from c[20].
    let vertex = "!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], c[20];\nEND\n";
    let state = "!!VSP1.0\nADD c[20], v[0], v[0];\nEND\n";
    let mut scene = scene("!!FP1.0\nMOVR o[COLR], f[COL0];\nEND\n");
    scene.mesh = SceneMesh::sphere();
    for (slot, text) in [(Slot::Vertex, vertex), (Slot::State(0), state)] {
        let file =
            crate::scene::ProgramFile { name: String::new(), path: None, text: text.as_bytes().into() };
        scene.programs.insert(slot, file);
    }
    scene.state_inputs = vec![[0.25, 0.125, 0.5, 0.5].map(Component::Constant)];
    let (programs, job) = job(scene, [16, 16]);
    let frame = check_agreement(&programs, &job, 2);
    assert_eq!(frame.pixel([8, 8]).unwrap().color, [0.5, 0.25, 1.0, 1.0]);
    let (list, _) = VertexList::new(&programs, &job).unwrap();
    let visible = list.vertices[list.in_view[0] as usize];
    let run = record_vertex(&programs, &job, visible.element, &CANCEL).unwrap();
    assert_eq!(run.vertex, visible);
    assert_eq!(run.recording.outputs.last().copied().map(singles), Some([0.5, 0.25, 1.0, 1.0]));
    let run = record_state_program(&programs, &job, 0, &CANCEL).unwrap();
    assert_eq!(run.len(), 1);
    assert!(record_vertex(&programs, &job, u32::MAX, &CANCEL).is_err());
}

#[test]
fn pixels_without_a_fragment_program_have_a_history_too() {
    let mut scene = scene("!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], c[1];\nEND\n");
    scene.tracks.clear();
    let key = ParameterKey::Register(1);
    let value = [0.25, 0.5, 0.75, 1.0].map(Component::Constant);
    scene.parameters.push(ParameterSetting { key, value, components: 4, widget: None, min: 0.0, max: 1.0 });
    let (programs, job) = job(scene, [16, 16]);
    let frame = check_agreement(&programs, &job, 2);
    assert_eq!(frame.pixel([8, 8]).unwrap().color, [0.25, 0.5, 0.75, 1.0]);
    let fragments = fragments(&programs, &job, [8, 8]);
    assert!(fragments.iter().all(|fragment| fragment.recording.is_none() && fragment.elements.len() == 3));
}

#[test]
fn lights_and_planes_are_the_worlds() {
    use shadestep_engine::gl::LightNumber;
    use shadestep_engine::ir::{LightProperty, StateVector};
    let mut scene = scene("!!FP1.0\nMOVR o[COLR], f[COL0];\nEND\n");
    scene.mesh = SceneMesh::sphere();
    // Moving the model does not move the light.
    scene.model = vec![crate::scene::MatrixOperation::Translate([5.0, 0.0, 0.0].map(Component::Constant))];
    let vector = |v: [f32; 4]| v.map(Component::Constant);
    scene.lighting = vec![
        LightingState::LightPosition(1).with(vector([1.0, 2.0, 0.0, 1.0])),
        LightingState::LightNumber(1, LightNumber::SpotCutoff).with(vector([60.0; 4])),
        LightingState::ClipPlane(0).with(vector([0.0, 0.0, 1.0, 0.0])),
    ];
    let (programs, mut job) = job(scene, [8, 8]);
    let context =
        context::before_state_program(&programs.context, &programs.loaded().unwrap(), 0, &job).unwrap();
    // The eye is 3 before the origin, looking along -z.
    let position = StateVector::Light { light: 1, property: LightProperty::Position };
    assert_eq!(context.state_vector(position), [1.0, 2.0, -3.0, 1.0]);
    // z = 0 in the world is z + 3 = 0 before the eye.
    assert_eq!(context.state_vector(StateVector::ClipPlane(0)), [0.0, 0.0, 1.0, 3.0]);
    let scene = Arc::make_mut(&mut job.scene);
    scene.lighting = vec![LightingState::LightNumber(1, LightNumber::SpotCutoff).with(vector([100.0; 4]))];
    let refused = SetUp::new(&programs, &job).map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("cutoff"), "{refused}");
}

#[test]
fn textures_are_made_when_a_program_looks_them_up() {
    let texture = |unit: u8, target: &str| {
        format!("[[texture]]\nunit = {unit}\ntarget = \"{target}\"\nimage = \"builtin:noise\"\n")
    };
    let toml = format!(
        "[program]\nfragment = \"a.fp\"\n{}{}{}",
        texture(0, "2D"),
        texture(0, "RECT"),
        texture(1, "2D") + "format = \"LUMINANCE8\"\n"
    );
    let program =
        |unit: u8, target: &str| format!("!!FP1.0\nTEX o[COLR], f[TEX0], TEX{unit}, {target};\nEND\n");
    let files = [("scene.toml", toml), ("a.fp", program(0, "2D"))];
    let files = files.map(|(name, text)| (name.to_owned(), text.into_bytes())).into();
    let mut scene = crate::scene::load_in(Folder::Memory(Arc::new(files))).unwrap();
    let textures = scene.textures.clone();
    let made = || textures.iter().map(|texture| texture.is_made()).collect::<Vec<_>>();
    assert_eq!(made(), [false; 3]);
    let (compiled, first) = job(scene.clone(), [4, 4]);
    draw(&compiled, &first);
    assert_eq!(made(), [true, false, false]);
    // As in the editor: another program, the same scene.
    let file = scene.programs.get_mut(Slot::Fragment).unwrap();
    file.text = program(1, "2D").into_bytes().into();
    let (compiled, second) = job(scene, [4, 4]);
    draw(&compiled, &second);
    assert_eq!(made(), [true, false, true]);
}
