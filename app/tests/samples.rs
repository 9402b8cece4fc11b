//! Every sample loads without warnings, renders a picture with enough colours, and has the same colours in
//! the debugger as in the picture. A person judges the look of the pictures. These tests do not.

use shadestep::scene::{
    self, Bundled, Component, ParameterKey, ParameterSetting, ProgramFile, Programs, Scene, Slot, Widget,
};
use shadestep::session::{self, Agreement, Frame, Job, Loaded, PersistentBuffers, PixelStatus, Threads};
use shadestep_engine::ir::ParameterSource;
use std::collections::BTreeSet;
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The sample that the app opens if it starts without arguments.
const OPENER: &str = "00-welcome";
const SIZE: [u32; 2] = [64, 64];

fn load(sample: &Bundled) -> Arc<Scene> {
    Arc::new(sample.load().unwrap_or_else(|error| panic!("{}: {error}", sample.name)))
}

fn compile(scene: &Scene) -> Loaded {
    let programs = session::compile_scene(scene);
    for (slot, compiled) in programs.iter() {
        assert!(compiled.diagnostics.is_empty(), "{} {slot}: {:#?}", scene.name, compiled.diagnostics);
        assert!(compiled.program.is_some(), "{} {slot} does not load", scene.name);
    }
    programs
}

fn job(scene: &Arc<Scene>, time_secs: f32) -> Job {
    Job { size: SIZE, time_secs, ..Job::new(Arc::clone(scene)) }
}

fn render(compiled: &Loaded, job: &Job) -> Frame {
    let threads = Threads::new(1).unwrap_or_else(|error| panic!("no thread: {error}"));
    session::render(compiled, job, &threads, &AtomicBool::new(false))
        .unwrap_or_else(|error| panic!("{}: {error}", job.scene.name))
}

/// Returns the number of different 8-bit colours in a picture.
fn colours(frame: &Frame) -> usize {
    frame.to_rgba8().chunks_exact(4).map(<[u8]>::to_vec).collect::<BTreeSet<_>>().len()
}

#[test]
fn there_are_enough_and_the_opener_is_first() {
    let names: Vec<&str> = scene::bundled().iter().map(|sample| sample.name).collect();
    assert!(names.len() >= 16, "{names:?}");
    assert_eq!(names.first(), Some(&OPENER));
}

/// Returns the warnings about the combination of programs, and about the parameters that the scene sets, if
/// the programs of `scene` have these texts.
fn warnings_with(scene: &Scene, texts: &Programs<Arc<[u8]>>) -> Vec<String> {
    let loaded = session::compile_all(texts, &Loaded::default());
    let found = session::link_warnings(scene, |slot| loaded.get(slot)?.interface.as_deref());
    let links = found.iter().map(|(slot, found)| format!("{}, {slot}: {}", scene.name, found.message));
    let unknown = scene.parameter_warnings(|slot| loaded.get(slot)?.program.as_deref());
    links.chain(unknown.iter().map(|found| format!("{}, {found}", scene.name))).collect()
}

#[test]
fn no_sample_has_a_warning_about_its_scene() {
    let mut faults = Vec::new();
    for sample in scene::bundled() {
        let scene = load(sample);
        faults.extend(scene.warnings.iter().map(ToString::to_string));
        faults.extend(warnings_with(&scene, &scene.programs.map(|_, file| Arc::clone(&file.text))));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_solution_of_a_lesson_has_a_warning_about_its_scene() {
    let mut faults = Vec::new();
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/lessons");
    let folders = std::fs::read_dir(lessons).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.join("scene.toml").exists()) {
        let scene = scene::open(&folder).unwrap_or_else(|error| panic!("{error}"));
        faults.extend(scene.warnings.iter().map(ToString::to_string));
        let solution = |file: &ProgramFile| std::fs::read(folder.join("solution").join(&file.name)).ok();
        let text = |file: &ProgramFile| solution(file).map_or_else(|| Arc::clone(&file.text), Arc::from);
        faults.extend(warnings_with(&scene, &scene.programs.map(|_, file| text(file))));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_sample_explains_itself() {
    let mut titles = BTreeSet::new();
    for sample in scene::bundled() {
        let scene = load(sample);
        let readme = scene.readme.as_deref().unwrap_or_else(|| panic!("{} has no README", sample.name));
        assert!(sample.title != sample.name, "{} has no title", sample.name);
        let opener = sample.name.starts_with("00-");
        assert_eq!(sample.chapter.is_empty(), opener, "{} stands under \"{}\"", sample.name, sample.chapter);
        let heading = readme.lines().next().and_then(|line| line.strip_prefix("# "));
        assert!(heading.is_some_and(|text| !text.trim().is_empty()), "{} has no heading", sample.name);
        // The README has at least one section, and each program has comments.
        assert!(readme.lines().any(|line| line.starts_with("## ")), "{} has no sections", sample.name);
        let programs = scene.programs.iter();
        for (slot, file) in programs {
            let text = String::from_utf8_lossy(&file.text);
            assert!(text.lines().any(|line| line.trim_start().starts_with('#')), "{} {slot}", sample.name);
        }
        assert!(titles.insert(scene.title.clone()), "two samples are called {}", scene.title);
    }
}

#[test]
fn scenes_set_only_what_their_programs_use() {
    for sample in scene::bundled() {
        let scene = load(sample);
        let programs = compile(&scene);
        let programs = || programs.iter().filter_map(|(_, compiled)| compiled.program.as_deref());
        for setting in &scene.parameters {
            let ParameterKey::Named(wanted) = &setting.key else { continue };
            let initial = programs().flat_map(|program| &program.parameters).find_map(|p| match &p.source {
                ParameterSource::Named { name, initial } if name == wanted => Some(*initial),
                _ => None,
            });
            let initial = initial
                .unwrap_or_else(|| panic!("{} sets {wanted}, which its program does not read", sample.name));
            // A program that is opened without the scene starts with the same values.
            for (component, initial) in setting.value.iter().zip(initial) {
                if let Component::Constant(value) = component
                    && !setting.value.iter().any(|c| matches!(c, Component::Auto(_)))
                {
                    assert_eq!(*value, initial, "{}: {wanted}", sample.name);
                }
            }
        }
        for texture in &scene.textures {
            let unit = usize::from(texture.spec().unit);
            let target = Some(texture.spec().target);
            // A SHADOW target reads a texture of the target in its name: SHADOW2D reads 2D.
            let looked_up = programs().any(|program| program.textures()[unit].map(|t| t.image()) == target);
            // Without a fragment program, fixed-function texturing reads texture 0.
            let used = looked_up || (unit == 0 && scene.programs.get(Slot::Fragment).is_none());
            assert!(used, "{} unit {unit}", sample.name);
        }
    }
}

#[test]
fn sliders_reach_the_values_that_a_sample_starts_with() {
    let turned = |setting: &&ParameterSetting| match setting.widget {
        Some(widget) => widget == Widget::Slider,
        None => [setting.min, setting.max] != [0.0, 1.0],
    };
    for sample in scene::bundled() {
        for setting in load(sample).parameters.iter().filter(turned) {
            for component in &setting.value[..setting.components] {
                if let Component::Constant(value) = component {
                    let reached = (setting.min..=setting.max).contains(value);
                    assert!(reached, "{}: {} is {value}, beside its slider", sample.name, setting.key);
                }
            }
        }
    }
}

/// Returns the pairs of a text such as "`name` (`program.local[0]`)": a name, and the binding after the name.
fn names_with_bindings(text: &str) -> Vec<(&str, String)> {
    let places = text.match_indices("` (`program.").map(|(at, _)| text.split_at(at));
    let pairs = places.filter_map(|(before, after)| {
        let name = before.rsplit('`').next()?;
        let binding = after.trim_start_matches("` (`").split('`').next()?;
        Some((name.split('.').next()?, binding.to_owned()))
    });
    pairs.collect()
}

#[test]
fn texts_call_the_parameters_of_arb_programs_as_the_inputs_do() {
    let mut checked = 0;
    for sample in scene::bundled() {
        let scene = load(sample);
        let programs = compile(&scene);
        let readme = scene.readme.as_deref().unwrap_or_default();
        let text = readme.split_whitespace().collect::<Vec<_>>().join(" ");
        // A README writes keys of the scene in quotes, as `scene.toml` does.
        for key in ["`fragment.local[", "`fragment.env[", "`vertex.local[", "`geometry.local[", "`p["] {
            let program = programs.iter().find_map(|(_, compiled)| compiled.program.as_deref());
            let arb = program.is_some_and(|program| program.language.profile().declares_variables());
            assert!(!arb || !text.contains(key), "{}: {key}", sample.name);
        }
        for (name, binding) in names_with_bindings(&text) {
            let programs = programs.iter().filter_map(|(_, compiled)| compiled.program.as_deref());
            let known =
                programs.flat_map(|program| program.parameters.iter().zip(iter::repeat(program.language)));
            let mut known = known.filter(|(parameter, _)| parameter.name.as_deref() == Some(name));
            let known = known
                .any(|(parameter, language)| parameter.source.name_in(language).as_ref() == Some(&binding));
            assert!(known, "{}: no program calls {binding} {name}", sample.name);
            checked += 1;
        }
    }
    assert!(checked > 0, "no text names a parameter");
}

#[test]
fn every_sample_renders_a_picture() {
    for sample in scene::bundled() {
        let scene = load(sample);
        let compiled = compile(&scene);
        for time_secs in [0.0, 1.5, 100.0] {
            let frame = render(&compiled, &job(&scene, time_secs));
            let count = colours(&frame);
            // Toon shading has few colours: background, ink, and a few tones.
            assert!(count >= 8, "{} at {time_secs} s has {count} colours", sample.name);
            for y in 0..SIZE[1] {
                for x in 0..SIZE[0] {
                    let color = frame.pixel([x, y]).unwrap().color;
                    assert!(
                        !color.iter().any(|c| c.is_nan()),
                        "{} at {time_secs} s: NaN at {x},{y}",
                        sample.name
                    );
                }
            }
        }
    }
}

#[test]
fn stepping_agrees_with_the_picture() {
    for sample in scene::bundled() {
        let scene = load(sample);
        let compiled = compile(&scene);
        let job = job(&scene, 1.5);
        let frame = render(&compiled, &job);
        let mut recorded = 0;
        // In sparse pictures the fixed pixels may all be background, so the first drawn pixel is added.
        let all = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y]));
        let is_drawn =
            |pixel: &[u32; 2]| frame.pixel(*pixel).is_some_and(|p| p.status == PixelStatus::Written);
        let first = all.into_iter().find(is_drawn);
        let some = [[32, 32], [31, 40], [12, 20], [50, 33], [20, 51], [33, 12]];
        for pixel in some.into_iter().chain(first) {
            // Records with the memory logs of the picture, and without.
            for known in [Some(&frame), None] {
                let never = AtomicBool::new(false);
                let recordings = session::record(&compiled, (&job, known), pixel, None, &never).unwrap();
                recorded += recordings.len();
                let agreement = session::verify_pixel(&frame, &job, pixel, recordings.end());
                assert_eq!(agreement, Agreement::Same, "{} at {pixel:?}", sample.name);
            }
        }
        assert!(recorded > 0, "{}: none of the pixels was drawn", sample.name);
    }
}

/// The side of a thumbnail in pixels, and the side of the square of picture pixels that each thumbnail pixel
/// averages.
const THUMBNAIL: (u32, u32) = (80, 3);

/// Renders `scene`, and returns the middle square as a small RGBA picture.
fn thumbnail(scene: &Arc<Scene>) -> Vec<u8> {
    let (side, square) = THUMBNAIL;
    let [width, height] = scene.size;
    let scaled = |length: u32| length * side * square / width.min(height);
    let size = [scaled(width), scaled(height)];
    // Scenes that read the previous frame need previous frames.
    let frames = if scene.frame_textures.is_empty() { 1 } else { 3 };
    let (compiled, mut persistent) = (compile(scene), PersistentBuffers::default());
    let mut job = Job { size, ..job(scene, 1.0) };
    let mut frame = render(&compiled, &job);
    for number in 1..frames {
        persistent.end(&frame.memory);
        job.frame = number;
        persistent.begin(&mut job);
        frame = render(&compiled, &job);
    }
    let pixels = frame.to_rgba8();
    let [left, top] = size.map(|length| (length - side * square) / 2);
    let places = (0..side).flat_map(|y| (0..side).map(move |x| [x, y]));
    let mean = |[x, y]: [u32; 2], component: u32| {
        let rows = (0..square).map(|row| top + y * square + row);
        let each = rows.flat_map(|row| (0..square).map(move |n| (row * size[0] + left + x * square + n) * 4));
        let sum: u32 = each.map(|at| u32::from(pixels[(at + component) as usize])).sum();
        (sum / (square * square)) as u8
    };
    places
        .flat_map(|place| {
            (0..4).map(move |component| if component == 3 { 255 } else { mean(place, component) })
        })
        .collect()
}

/// `UPDATE_SNAPSHOTS=true` writes the thumbnails.
#[test]
fn thumbnails_show_what_the_samples_draw() {
    let update = std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|value| value == "true");
    let mut differing = Vec::new();
    for sample in scene::bundled() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples").join(sample.name).join("thumbnail.png");
        let side = THUMBNAIL.0;
        let now =
            image::RgbaImage::from_raw(side, side, thumbnail(&load(sample))).expect("as many as pixels");
        if update {
            image::DynamicImage::from(now).to_rgb8().save(&path).expect("written");
        } else if image::open(&path).ok().map(|image| image.to_rgba8()) != Some(now) {
            differing.push(sample.name);
        }
    }
    assert!(differing.is_empty(), "not as they draw now (UPDATE_SNAPSHOTS=true writes them): {differing:?}");
}
