use super::*;
use crate::drafts::RunGuard;
use crate::model::draft_tests::draft;
use crate::scene::{self, Scene};
use crate::session::{compile_scene, render};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shadestep-export-{name}-{}", std::process::id()));
        let _none = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left = fs::remove_dir_all(&self.0);
    }
}

fn rate(frames: f32) -> Rate {
    Rate::new(frames).unwrap()
}

/// A scene with time in red, the frame number in green and x in blue, half transparent.
fn moving(folder: &Folder) -> Scene {
    let program = "!!ARBfp1.0\nPARAM t = program.local[0];\nPARAM f = program.local[1];\nTEMP a;\n\
                   MOV a, {0, 0, 0, 0.5};\nMOV a.x, t.x;\nMUL a.y, f.x, 0.1;\nMUL a.z, fragment.position.x, 0.1;\n\
                   MOV result.color, a;\nEND\n";
    fs::create_dir_all(folder.0.join("scene")).unwrap();
    let scene = "size = [7, 5]\n[program]\nfragment = \"a.fp\"\n\
                 [parameters]\n\"fragment.local[0]\" = [\"time\", 0, 0, 0]\n\"fragment.local[1]\" = [\"frame\", 0, 0, 0]\n";
    fs::write(folder.0.join("scene/a.fp"), program).unwrap();
    fs::write(folder.0.join("scene/scene.toml"), scene).unwrap();
    scene::load(&folder.0.join("scene")).unwrap()
}

fn snapshot(scene: Scene) -> Snapshot {
    let programs = compile_scene(&scene);
    let job = Job::new(Arc::new(scene));
    let threads = Threads::new(1).unwrap();
    let frame = render(&programs, &job, &threads, &AtomicBool::new(false)).unwrap();
    Snapshot { programs, job, frame: Arc::new(frame), kept: Arc::new(draft(None, "", "one")) }
}

fn export(snapshot: &Snapshot, spec: &Spec, path: &Path) -> Result<Progress, ExportError> {
    let progress = Progress::default();
    let mut guard = RunGuard::nowhere();
    run(snapshot, spec, path, &mut guard, &progress).map(|_written| progress)
}

/// Returns the frames of `spec`, each drawn separately.
fn expected(snapshot: &Snapshot, spec: &Spec, sequence: &Sequence) -> Vec<Vec<u8>> {
    let threads = Threads::new(1).unwrap();
    let frames = (0..sequence.count()).map(|frame| {
        let job = Job { size: spec.size, time_secs: sequence.time(frame), frame, ..snapshot.job.clone() };
        render(&snapshot.programs, &job, &threads, &AtomicBool::new(false)).unwrap().to_rgba8()
    });
    frames.collect()
}

#[test]
fn sequences_have_the_frames_before_their_end() {
    for (from, to, frames, count) in [
        (0.0, 4.0, 30.0, 120),
        (1.0, 1.5, 10.0, 5),
        (0.0, 0.1, 30.0, 3),
        (0.0, 0.001, 30.0, 1),
        (0.0, 1.0, 29.97, 30),
        (-1.0, 1.0, 0.5, 1),
    ] {
        let sequence = Sequence::between(from, to, rate(frames)).unwrap();
        assert_eq!(sequence.count(), count, "{from} {to} {frames}");
        assert!(sequence.time(count - 1) < to && sequence.time(count) > to - 1e-3);
    }
    assert!(Sequence::between(1.0, 1.0, rate(30.0)).unwrap_err().contains("after the start"));
    assert!(Sequence::between(0.0, 1e6, rate(30.0)).unwrap_err().contains("100000"));
    assert!(Sequence::new(0.0, rate(30.0), 0).is_err());
    for frames in [0.0, 0.09, 241.0, f32::NAN, -1.0] {
        assert_eq!(Rate::new(frames), None, "{frames}");
    }
    for (frames, delay) in [(30.0, [1, 30]), (29.97, [100, 2997]), (0.1, [10, 1]), (12.5, [2, 25])] {
        assert_eq!(rate(frames).delay(), delay, "{frames}");
    }
}

#[test]
fn an_animated_png_has_every_pixel_of_every_frame() {
    let folder = Folder::new("apng");
    let snapshot = snapshot(moving(&folder));
    let sequence = Sequence::between(0.25, 0.75, rate(12.5)).unwrap();
    let spec = Spec { size: [9, 4], content: Content::Animation(AnimationKind::Apng, sequence) };
    let path = folder.0.join("a.png");
    let progress = export(&snapshot, &spec, &path).unwrap();
    let expected = expected(&snapshot, &spec, &sequence);
    assert_eq!((expected.len(), progress.done()), (7, 7));
    assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "the frames differ");
    let file = io::BufReader::new(fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    assert_eq!((control.num_frames, control.num_plays), (7, 0));
    for frame in &expected {
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgba).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (9, 4, png::ColorType::Rgba));
        assert!(rgba == *frame);
        let shown = reader.info().frame_control().unwrap();
        assert_eq!((shown.delay_num, shown.delay_den), (2, 25));
        assert_eq!((shown.blend_op, shown.x_offset), (png::BlendOp::Source, 0));
    }
    // A reader that knows only still pictures shows the first frame.
    let still = image::open(&path).unwrap().to_rgba8();
    assert!(*still.as_raw() == expected[0]);
    assert_eq!(folder.names(), ["a.png", "scene"]);
}

#[test]
fn a_gif_has_opaque_frames_whose_times_add_up() {
    let folder = Folder::new("gif");
    let snapshot = snapshot(moving(&folder));
    let sequence = Sequence::new(0.0, rate(30.0), 9).unwrap();
    let spec = Spec { size: [7, 5], content: Content::Animation(AnimationKind::Gif, sequence) };
    let path = folder.0.join("a.gif");
    export(&snapshot, &spec, &path).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (7, 5));
    let mut delays = Vec::new();
    for mut frame in expected(&snapshot, &spec, &sequence) {
        let read = decoder.read_next_frame().unwrap().unwrap();
        frame.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        // The frame has fewer than 256 colours, so all are exact.
        assert!(read.buffer == frame);
        delays.push(read.delay);
    }
    assert!(decoder.read_next_frame().unwrap().is_none());
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3, 4, 3], "30 hundredths of a second");
    assert!(AnimationKind::Gif.check(rate(50.5)).is_err() && AnimationKind::Gif.check(rate(50.0)).is_ok());
}

#[test]
fn numbered_files_go_to_a_new_folder() {
    let folder = Folder::new("files");
    let snapshot = snapshot(moving(&folder));
    let sequence = Sequence::new(1.0, rate(10.0), 3).unwrap();
    let spec = Spec { size: [4, 4], content: Content::Files(sequence) };
    let path = folder.0.join("deep/frames");
    export(&snapshot, &spec, &path).unwrap();
    for (number, frame) in expected(&snapshot, &spec, &sequence).iter().enumerate() {
        let read = image::open(path.join(format!("frame-{number:04}.png"))).unwrap().to_rgba8();
        assert!(read.as_raw() == frame, "{number}");
    }
    assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
    let again = export(&snapshot, &spec, &path).unwrap_err();
    assert!(again.to_string().contains("folder is not empty"), "{again}");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
}

#[test]
fn a_picture_of_another_size_is_drawn_anew() {
    let folder = Folder::new("picture");
    let mut snapshot = snapshot(moving(&folder));
    snapshot.job.time_secs = 0.5;
    let path = folder.0.join("a.png");
    let spec = |size| Spec { size, content: Content::Picture };
    export(&snapshot, &spec([21, 3]), &path).unwrap();
    let large = image::open(&path).unwrap().to_rgba8();
    assert_eq!((large.dimensions(), large.get_pixel(0, 0)[0]), ((21, 3), 128));
    // The export of the shown picture is identical to it.
    export(&snapshot, &spec([7, 5]), &path).unwrap();
    assert!(*image::open(&path).unwrap().to_rgba8() == *snapshot.frame.to_rgba8());
}

#[test]
fn a_cancelled_export_leaves_all_as_it_was() {
    let folder = Folder::new("cancelled");
    let snapshot = snapshot(moving(&folder));
    let sequence = Sequence::new(0.0, rate(30.0), 50_000).unwrap();
    let (file, frames) = (folder.0.join("a.gif"), folder.0.join("frames"));
    fs::write(&file, "an older file").unwrap();
    for (content, path) in
        [(Content::Animation(AnimationKind::Gif, sequence), &file), (Content::Files(sequence), &frames)]
    {
        let (spec, progress) = (Spec { size: [7, 5], content }, Progress::default());
        let outcome = std::thread::scope(|scope| {
            let export = scope.spawn(|| {
                let mut guard = RunGuard::nowhere();
                run(&snapshot, &spec, path, &mut guard, &progress)
            });
            while progress.done() < 3 && !export.is_finished() {
                std::thread::yield_now();
            }
            progress.cancel();
            export.join().unwrap()
        });
        assert!(matches!(outcome, Err(ExportError::Render(RenderError::Cancelled))), "{outcome:?}");
        assert!(progress.done() >= 3);
    }
    assert_eq!(fs::read(&file).unwrap(), b"an older file");
    assert_eq!(folder.names(), ["a.gif", "scene"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told() {
    let folder = Folder::new("full");
    let snapshot = snapshot(moving(&folder));
    let sequence = Sequence::new(0.0, rate(30.0), 3).unwrap();
    for kind in [AnimationKind::Apng, AnimationKind::Gif] {
        let spec = Spec { size: [7, 5], content: Content::Animation(kind, sequence) };
        let error = export(&snapshot, &spec, Path::new("/dev/full")).unwrap_err();
        assert!(error.to_string().contains("space"), "{error}");
    }
}
