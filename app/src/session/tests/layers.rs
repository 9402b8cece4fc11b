//! Layers of scenes: the shown layer, and the layers that the next frame reads.

use super::formats::scene_of;
use super::*;
use std::collections::BTreeMap;

/// Point n covers all of layer n. Green is the layer's number; red comes from the same place in the previous
/// frame.
const TO_LAYERS: &str = "!!NVgp4.0
PRIMITIVE_IN POINTS; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3;
INT TEMP n; MOV.S n.x, primitive.id.x;
MOV result.position, {-1, -1, 0, 1}; MOV.S result.layer.x, n.x; I2F result.attrib[0].x, n.x; EMIT;
MOV result.position, {3, -1, 0, 1}; MOV.S result.layer.x, n.x; I2F result.attrib[0].x, n.x; EMIT;
MOV result.position, {-1, 3, 0, 1}; MOV.S result.layer.x, n.x; I2F result.attrib[0].x, n.x; EMIT;
END";

const BEFORE: &str = "!!NVfp4.0
TEMP c, at;
MOV at, {0.5, 0.5, 0, 0}; MOV at.z, fragment.attrib[0].x;
TEX c, at, texture[1], ARRAY2D;
ADD result.color.x, c.x, 1; MOV result.color.y, fragment.attrib[0].x; MOV result.color.zw, {0, 0, 0, 1};
END";

fn layered() -> Scene {
    let toml = "layers = 3\nlayer = 2\n[program]\nfragment = \"main.fp\"\nvertex = \"main.vp\"\ngeometry = \"main.gp\"\n\
        [geometry]\nprimitive = \"POINTS\"\n[[attribute]]\nindex = 0\nsize = 1\nvalues = [0, 0, 0, 0]\n\
        [[frame_texture]]\nunit = 1\ntarget = \"ARRAY2D\"\n[clear]\ncolor = [0.5, 0, 0, 1]\n";
    let vertex = "!!NVvp4.0\nMOV result.position, vertex.attrib[0];\nEND\n";
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let files: BTreeMap<String, Vec<u8>> = [
        file("scene.toml", toml),
        file("main.fp", BEFORE),
        file("main.vp", vertex),
        file("main.gp", TO_LAYERS),
    ]
    .into();
    crate::scene::load_in(Folder::Memory(Arc::new(files))).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_layer_is_shown_and_stepped_and_the_next_frame_finds_all_of_them() {
    let (compiled, mut job) = job(layered(), [4, 4]);
    assert_eq!(job.layer, 2, "what the scene shows first");
    let mut persistent = PersistentBuffers::default();
    for (frame, red) in [(0, 1.5f32), (1, 2.5), (2, 3.5), (2, 3.5), (0, 1.5), (3, 2.5)] {
        for layer in [0, 1, 2] {
            (job.frame, job.layer) = (frame, layer);
            job.drawn.clear();
            persistent.begin(&mut job);
            let drawn = check_agreement(&compiled, &job, 1);
            persistent.end(&drawn.memory);
            assert_eq!(drawn.pixel([1, 2]).unwrap().color, [red, layer as f32, 0.0, 1.0], "frame {frame}");
            // Primitives for layer 3, which does not exist, write nothing.
            assert_eq!(drawn.stats.written, 48);
        }
    }
}

#[test]
fn a_scene_without_layers_has_all_of_it() {
    let toml =
        "[geometry]\nprimitive = \"POINTS\"\n[[attribute]]\nindex = 0\nsize = 2\nvalues = [0.1, 0.1]\n";
    let vertex = "!!NVvp4.0\nMOV result.position, vertex.attrib[0];\nEND\n";
    let (compiled, job) = job(scene_of(toml, "!!NVfp4.0\nMOV result.color, 1;\nEND\n", vertex), [4, 4]);
    assert_eq!(check_agreement(&compiled, &job, 1).pixel([2, 2]).unwrap().color, [1.0; 4]);
}
