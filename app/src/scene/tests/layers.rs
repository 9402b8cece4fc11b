//! `layers`, `layer` and `[[frame_texture]]`: results, and every error with its place.

use super::*;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{MagFilter, MinFilter, Wrap};

fn load_text(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", b"!!NVfp5.0\nMOV result.color, 1;\nEND\n"),
    ]);
    load(&folder.0)
}

/// A scene with `top` at the top of the file, before the first table.
fn with_top(top: &str, rest: &str) -> String {
    format!("{top}{HEAD}{rest}")
}

#[test]
fn layers_are_as_many_as_the_scene_says() {
    let plain = load_text(HEAD).unwrap();
    assert_eq!(plain.layers, SceneLayers { count: 1, shown: 0 });
    let scene = load_text(&with_top(
        "layers = 7\nlayer = 6\n",
        "[[frame_texture]]\n[[frame_texture]]\nunit = 3\ntarget = \"CUBE\"\nfilter = \"NEAREST\"\n",
    ));
    let scene = scene.unwrap();
    assert_eq!(scene.layers, SceneLayers { count: 7, shown: 6 });
    let [first, second] = scene.frame_textures.as_slice() else { panic!("{:?}", scene.frame_textures) };
    assert_eq!((first.unit, first.target), (0, TextureTarget::D2));
    assert_eq!((second.unit, second.target), (3, TextureTarget::Cube));
    assert_eq!((first.sampler.min_filter, first.sampler.mag_filter), (MinFilter::Linear, MagFilter::Linear));
    assert_eq!(
        (second.sampler.min_filter, second.sampler.wrap),
        (MinFilter::Nearest, [Wrap::ClampToEdge; 3])
    );
    assert_eq!((first.layers(7), second.layers(7)), (1, 6));
}

#[test]
fn every_complaint_names_its_place() {
    for (top, rest, line, words) in [
        ("layers = 0\n", "", 1, "from 1 to"),
        ("layer = 1\n", "", 1, "0"),
        ("layers = 3\nlayer = 3\n", "", 2, "from 0 to 2"),
        ("", "[[frame_texture]]\nunit = 16\n", 4, "from 0 to 15"),
        ("", "[[frame_texture]]\ntarget = \"3D\"\n", 4, "\"2D\""),
        ("", "[[frame_texture]]\nfilter = \"CUBIC\"\n", 4, "\"LINEAR\""),
        (
            "layers = 5\n",
            "[[frame_texture]]\ntarget = \"CUBE\"\n",
            5,
            "six layers, one per face, but the scene has layers = 5",
        ),
        ("", "[[frame_texture]]\n[[frame_texture]]\nunit = 0\n", 5, "unit 0 already has a 2D texture"),
        (
            "",
            "[[texture]]\nunit = 2\nimage = \"builtin:xor\"\n[[frame_texture]]\nunit = 2\n",
            7,
            "already has a 2D texture",
        ),
        (
            "",
            "[[image]]\nname = \"a\"\nsize = [2, 2]\ntexture = 1\n[[frame_texture]]\nunit = 1\n",
            8,
            "already has the 2D image \"a\"",
        ),
        ("", "[[attachment]]\nformat = \"RGBA8UI\"\n[[frame_texture]]\n", 5, "integers"),
    ] {
        let error = load_text(&with_top(top, rest)).unwrap_err();
        let found = error.place.map(|place| place.line);
        assert!(found == Some(line) && error.message.contains(words), "{top}{rest}: {found:?} {error}");
    }
}
