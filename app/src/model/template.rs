//! The templates for new programs and scenes.

use crate::scene::{Folder, SCENE_FILE, Scene, SceneError, Slot, load_in};
use shadestep_engine::ir::{OutputRole, Program, VertexResult};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A program or scene to begin with.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its title in the list of templates.
    pub title: &'static str,
    /// A sentence that describes the picture.
    pub about: &'static str,
    /// The files by name. Without a `scene.toml`, the template is a single program in the default scene.
    files: &'static [(&'static str, &'static str)],
}

/// Lone programs.
pub const NEW_PROGRAMS: [Template; 8] = [
    Template {
        title: "Fragment program",
        about: "A !!FP1.0 program that fills the picture",
        files: &[("untitled.fp", include_str!("templates/picture.fp"))],
    },
    Template {
        title: "Vertex program",
        about: "A !!VP1.1 program that lights a sphere",
        files: &[("untitled.vp", include_str!("templates/mesh.vp"))],
    },
    Template {
        title: "ARB fragment program",
        about: "An !!ARBfp1.0 program with NVIDIA's options that fills the picture",
        files: &[("untitled.fp", include_str!("templates/arb.fp"))],
    },
    Template {
        title: "ARB vertex program",
        about: "An !!ARBvp1.0 program that lights a sphere",
        files: &[("untitled.vp", include_str!("templates/arb.vp"))],
    },
    Template {
        title: "NV_gpu_program4 fragment program",
        about: "An !!NVfp4.0 program that fills the picture, using integer instructions",
        files: &[("untitled.fp", include_str!("templates/typed4.fp"))],
    },
    Template {
        title: "NV_gpu_program4 vertex program",
        about: "An !!NVvp4.0 program that lights a rippling sphere",
        files: &[("untitled.vp", include_str!("templates/typed4.vp"))],
    },
    Template {
        title: "NV_gpu_program5 fragment program",
        about: "An !!NVfp5.0 program that counts bits at every pixel",
        files: &[("untitled.fp", include_str!("templates/typed5.fp"))],
    },
    Template {
        title: "NV_gpu_program5 vertex program",
        about: "An !!NVvp5.0 program with subroutines that shape a sphere",
        files: &[("untitled.vp", include_str!("templates/typed5.vp"))],
    },
];

/// Scenes of several files.
pub const NEW_SCENES: [Template; 7] = [
    Template {
        title: "Textured picture",
        about: "A fragment program that fills the picture, with a texture and sliders",
        files: &[
            (SCENE_FILE, include_str!("templates/textured/scene.toml")),
            ("main.fp", include_str!("templates/textured/main.fp")),
        ],
    },
    Template {
        title: "Lit mesh",
        about: "A vertex and a fragment program that light a turning torus",
        files: &[
            (SCENE_FILE, include_str!("templates/lit/scene.toml")),
            ("main.vp", include_str!("templates/lit/main.vp")),
            ("main.fp", include_str!("templates/lit/main.fp")),
        ],
    },
    Template {
        title: "Vertex arrays",
        about: "Vertices listed one by one, and the programs that draw them",
        files: &[
            (SCENE_FILE, include_str!("templates/arrays/scene.toml")),
            ("main.vp", include_str!("templates/arrays/main.vp")),
            ("main.fp", include_str!("templates/arrays/main.fp")),
        ],
    },
    Template {
        title: "State program",
        about: "A vertex state program that runs once for each frame",
        files: &[
            (SCENE_FILE, include_str!("templates/state/scene.toml")),
            ("setup.vsp", include_str!("templates/state/setup.vsp")),
            ("main.vp", include_str!("templates/state/main.vp")),
            ("main.fp", include_str!("templates/state/main.fp")),
        ],
    },
    Template {
        title: "Geometry program",
        about: "A geometry program that takes a torus apart, triangle by triangle",
        files: &[
            (SCENE_FILE, include_str!("templates/geometry/scene.toml")),
            ("main.vp", include_str!("templates/geometry/main.vp")),
            ("main.gp", include_str!("templates/geometry/main.gp")),
            ("main.fp", include_str!("templates/geometry/main.fp")),
        ],
    },
    Template {
        title: "Tessellation",
        about: "Control and evaluation programs that turn a cube into a sphere",
        files: &[
            (SCENE_FILE, include_str!("templates/tessellation/scene.toml")),
            ("main.vp", include_str!("templates/tessellation/main.vp")),
            ("main.tcp", include_str!("templates/tessellation/main.tcp")),
            ("main.tep", include_str!("templates/tessellation/main.tep")),
            ("main.fp", include_str!("templates/tessellation/main.fp")),
        ],
    },
    Template {
        title: "Writing memory",
        about: "A fragment program that stores a number for each pixel in a buffer",
        files: &[
            (SCENE_FILE, include_str!("templates/memory/scene.toml")),
            ("main.fp", include_str!("templates/memory/main.fp")),
        ],
    },
];

impl Template {
    /// Returns the scene. `number`, from 1, distinguishes open scenes without a file.
    ///
    /// # Errors
    /// None for the templates here, as a test checks. Otherwise the errors of [`load_in`].
    pub fn scene(&self, number: usize) -> Result<Scene, SceneError> {
        let numbered = |name: &str, between: &str| match number {
            1 => name.to_owned(),
            n => format!("{name}{between}{n}"),
        };
        if let [(name, text)] = self.files {
            let (stem, extension) = name.split_once('.').unwrap_or((name, "fp"));
            let name = format!("{}.{extension}", numbered(stem, "-"));
            let mut scene = Scene::for_program(&name, None, text.as_bytes());
            // No file holds the scene yet.
            scene.folder = Folder::Disk(std::path::PathBuf::new());
            return Ok(scene);
        }
        let text = |name: &str, text: &str| match name {
            SCENE_FILE => text.replacen("Untitled", &numbered("Untitled", " "), 1),
            _ => text.to_owned(),
        };
        let file = |&(name, content): &(&str, &str)| (name.to_owned(), text(name, content).into_bytes());
        load_in(Folder::Memory(Arc::new(self.files.iter().map(file).collect::<BTreeMap<_, _>>())))
    }
}

/// Returns the initial text of a program that is added to a scene. A program that produces vertices passes on
/// the colour and the texture coordinates that `before`, the program of the previous stage, writes. `None`
/// means fixed-function vertices, which have both.
pub fn program_template(slot: Slot, has_mesh: bool, before: Option<&Program>) -> String {
    let text = match slot {
        Slot::Vertex if has_mesh => include_str!("templates/mesh.vp"),
        Slot::Vertex => include_str!("templates/viewport.vp"),
        Slot::State(_) => include_str!("templates/state.vsp"),
        Slot::TessControl => include_str!("templates/control.tcp"),
        Slot::TessEvaluation => include_str!("templates/evaluation.tep"),
        Slot::Geometry => include_str!("templates/geometry.gp"),
        Slot::Fragment => include_str!("templates/fragment.fp"),
    };
    let Some(before) = before.filter(|_| slot != Slot::Fragment) else { return text.to_owned() };
    let passed_on = [("color", VertexResult::Col0), ("texcoord[0]", VertexResult::Tex(0))];
    let lacks = |line: &&str| {
        passed_on
            .iter()
            .any(|(name, result)| line.contains(name) && before.output(OutputRole::Vertex(*result)).is_none())
    };
    let kept: String = text.split_inclusive('\n').filter(|line| !lacks(line)).collect();
    kept.replace("\n\n\n", "\n\n").replace("\n\nEND", "\nEND")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{self, Job, Threads};
    use shadestep_engine::front;
    use std::collections::HashSet;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn added_programs_pass_on_what_is_written() {
        let vertex = |results: &str| {
            let text = format!("!!NVvp4.0\nMOV result.position, vertex.position;\n{results}END\n");
            front::load(text.as_bytes()).program.unwrap()
        };
        let color = "MOV result.color, vertex.color;\n";
        let both = "MOV result.color, vertex.color;\nMOV result.texcoord[0], vertex.texcoord[0];\n";
        for slot in [Slot::TessControl, Slot::TessEvaluation, Slot::Geometry] {
            let whole = program_template(slot, true, None);
            for (results, has_color, has_set) in
                [("", false, false), (color, true, false), (both, true, true)]
            {
                let text = program_template(slot, true, Some(&vertex(results)));
                assert_eq!(text.contains("result.color"), has_color, "{text}");
                assert_eq!(text.contains("texcoord"), has_set, "{text}");
                assert_eq!(text == whole, has_set, "{text}");
                let loaded = front::load(text.as_bytes());
                assert_eq!((loaded.program.is_some(), loaded.diagnostics), (true, Vec::new()), "{text}");
            }
        }
    }

    #[test]
    fn every_template_loads_and_says_what_it_is() {
        for template in NEW_PROGRAMS.iter().chain(&NEW_SCENES) {
            let scene = template.scene(2).unwrap();
            assert!(
                ["untitled-2.fp", "untitled-2.vp", "Untitled 2"].contains(&&*scene.title),
                "{}",
                scene.title
            );
            let loaded = session::compile_scene(&scene);
            for (slot, compiled) in loaded.iter() {
                assert_eq!(compiled.diagnostics, [], "{}, {slot}", template.title);
            }
            let program = |slot| loaded.get(slot)?.program.as_deref();
            assert_eq!(scene.check_programs(program), Ok(()), "{}", template.title);
            let unknown = scene.parameter_warnings(program);
            assert_eq!([scene.warnings.clone(), unknown].concat(), [], "{}", template.title);
            let links = session::link_warnings(&scene, |slot| loaded.get(slot)?.interface.as_deref());
            assert_eq!(links, [], "{}", template.title);
        }
    }

    /// Each template draws a picture of several colours and makes no faulty memory access.
    #[test]
    fn every_template_draws_a_picture() {
        let threads = Threads::new(2).unwrap();
        for template in NEW_PROGRAMS.iter().chain(&NEW_SCENES) {
            let scene = template.scene(1).unwrap();
            let programs = session::compile_scene(&scene);
            let job = Job { size: [64, 64], ..Job::new(Arc::new(scene)) };
            let frame = session::render(&programs, &job, &threads, &AtomicBool::new(false)).unwrap();
            assert_eq!(frame.note(), None, "{}", template.title);
            let pixels = (0..64).flat_map(|y| (0..64).map(move |x| [x, y]));
            let colors = pixels.map(|at| frame.pixel(at).unwrap().color.map(f32::to_bits));
            let colors: HashSet<[u32; 4]> = colors.collect();
            assert!(colors.len() > 1, "{}: {} colours", template.title, colors.len());
        }
    }
}
