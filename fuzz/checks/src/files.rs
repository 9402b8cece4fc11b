//! Checks for files that a user brings: scenes, OBJ meshes and images. `targets` calls them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep::scene::{
    Folder, ImageSource, MeshSource, Mipmaps, SceneMesh, SceneTexture, TextureSpec, load_in,
};
use shadestep::session::{Job, RenderError, Threads, compile_scene, render};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::Elements;
use shadestep_engine::source::LineIndex;
use shadestep_engine::texture::Format;

/// Width and height of rendered scenes in pixels.
const SIDE: u32 = 24;

/// A scene with more elements than this is loaded but not rendered.
const MOST_ELEMENTS: usize = 10_000;

/// Files that a scene can refer to.
const FILES: [(&str, &[u8]); 12] = [
    ("main.fp", b"!!FP1.0\nDECLARE tint;\nTEX R0, f[TEX0], TEX0, 2D;\nMUL o[COLR], R0, tint;\nEND\n"),
    (
        "main.vp",
        b"!!VP2.0\nDP4 o[HPOS].x, c[0], v[OPOS];\nMOV o[HPOS].yzw, v[OPOS];\nMOV o[COL0], c[12];\nEND\n",
    ),
    ("main.vsp", b"!!VSP1.0\nMOV c[20], v[0];\nEND\n"),
    ("arb.fp", b"!!ARBfp1.0\nMUL result.color, fragment.color, state.light[0].diffuse;\nEND\n"),
    (
        "sub.fp",
        b"!!NVfp5.0\nSUBROUTINETYPE T { a, b };\nSUBROUTINE T v = program.subroutine[0];\n\
          SUBROUTINE T w[2] = { program.subroutine[1..2] };\nmain: CALI v; CALI w[1]; RET;\n\
          a SUBROUTINENUM(3): MOV result.color, 1; RET;\nb SUBROUTINENUM(1): MOV result.color, 0.5; RET;\nEND\n",
    ),
    ("read.fp", b"!!NVfp4.0\nTEX result.color, fragment.texcoord[0], texture[0], CUBE;\nEND\n"),
    (
        "main.gp",
        b"!!NVgp5.0\nPRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 2;\n\
          MOV result.attrib[0], vertex[0].position; EMITS 1;\nMOV result.position, vertex[0].position;\n\
          MOV.S result.layer.x, primitive.id.x; EMIT;\nEND\n",
    ),
    (
        "main.tcp",
        b"!!NVtcp5.0\nVERTICES_OUT 3;\nINT TEMP i;\nATTRIB at = vertex.position;\nMOV.S i.x, primitive.invocation;\n\
          MOV result.position, at[i.x];\nMOV result.patch.tessouter[0].x, 3;\nMOV result.patch.tessouter[1].x, 2;\n\
          MOV result.patch.tessouter[2].x, 1.5;\nMOV result.patch.tessinner[0].x, 4;\nEND\n",
    ),
    (
        "main.tep",
        b"!!NVtep5.0\nTESS_MODE TRIANGLES;\nTEMP p;\nMUL p, vertex[0].position, vertex.tesscoord.x;\n\
          MAD p, vertex[1].position, vertex.tesscoord.y, p;\nMAD result.position, vertex[2].position, vertex.tesscoord.z, p;\n\
          END\n",
    ),
    ("a.png", include_bytes!("../../../assets/textures/sprite.png")),
    ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    ("a.txt", b"0 0 0, 1 0 0\n0 1 0"),
];

fn folder<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Folder {
    let files: BTreeMap<_, _> = files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    Folder::Memory(Arc::new(files))
}

/// Loads the bytes as a `scene.toml`, and renders a small picture if the scene loads.
pub fn scene(data: &[u8]) {
    let folder = folder(FILES.into_iter().chain([("scene.toml", data)]));
    let scene = match load_in(folder) {
        Ok(scene) => Arc::new(scene),
        Err(error) => {
            assert!(!error.message.is_empty() && error.file == "scene.toml", "{error}");
            if let Some(place) = error.place {
                let index = LineIndex::new(data);
                assert!((1..=index.line_count()).contains(&place.line), "{error}");
                assert!((1..=index.line_span(place.line - 1).len() + 1).contains(&place.column), "{error}");
            }
            return;
        }
    };
    let programs = compile_scene(&scene);
    if scene.mesh.arrays().element_count() > MOST_ELEMENTS {
        return;
    }
    let job = Job { size: [SIDE; 2], time_secs: 0.5, ..Job::new(scene) };
    let threads = Threads::new(1).expect("the caller's");
    match render(&programs, &job, &threads, &AtomicBool::new(false)) {
        Ok(frame) => assert_eq!(frame.size(), [SIDE; 2]),
        Err(RenderError::NoProgram | RenderError::BadScene(_) | RenderError::Failed(_)) => {}
        Err(error @ (RenderError::BadSize(_) | RenderError::Cancelled)) => panic!("{error}"),
    }
}

/// Loads the bytes as an OBJ file.
pub fn obj(data: &[u8]) {
    let folder = folder([("a.obj", data)].into_iter());
    match SceneMesh::load(&folder, MeshSource::File("a.obj".to_owned())) {
        Ok(mesh) => {
            let arrays = mesh.arrays();
            let vertices = arrays.vertex_count();
            let Elements::Indices { indices, restart: None } = &arrays.elements else {
                panic!("{:?}", arrays.elements)
            };
            assert!(!indices.is_empty() && indices.len().is_multiple_of(3));
            assert!(indices.iter().all(|&index| (index as usize) < vertices));
        }
        Err(error) => assert!(!error.message.is_empty() && error.file == "a.obj", "{error}"),
    }
}

/// Decodes the bytes as an image file and builds a texture. The first two bytes choose the target and the
/// format.
pub fn image(data: &[u8]) {
    let [target, format, data @ ..] = data else { return };
    let target = TextureTarget::TEXTURES[usize::from(*target) % TextureTarget::TEXTURES.len()];
    let source = ImageSource::File("a.png".to_owned());
    let mut spec = TextureSpec::new(0, target, source.clone());
    spec.format = Format::FLOATS[usize::from(*format) % Format::FLOATS.len()];
    match target {
        TextureTarget::Cube | TextureTarget::ArrayCube => spec.images = vec![source; 6],
        TextureTarget::D3 | TextureTarget::Array1D | TextureTarget::Array2D => spec.images = vec![source; 3],
        _ if *format & 0x80 != 0 => spec.mipmaps = Mipmaps::Given(vec![source; 2]),
        _ => {}
    }
    match SceneTexture::load(&folder([("a.png", data)].into_iter()), spec) {
        Ok(loaded) => {
            let preview = loaded.preview();
            assert_eq!(preview.rgba.len(), (preview.width * preview.height * 4) as usize);
            let texture = loaded.texture().expect("what is loaded can be made");
            assert!(texture.level_size(0).is_some());
        }
        Err(error) => assert!(!error.message.is_empty(), "{error}"),
    }
}
