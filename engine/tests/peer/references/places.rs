//! Instructions that depend on the place in the picture, with GLSL references: derivatives, levels of detail,
//! and attributes at samples, centroids and offsets. Each picture is a rectangle of 16x16 pixels whose
//! texture coordinates grow along both axes.

use super::lookups::{Image, Sampling};
use super::{Kind, Row, Stage, row};
use crate::peer::compare::Nearness::{Approximate, Texture};
use crate::peer::question::{Inputs, Question};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::Format;
use std::sync::Arc;

const fn place(ours: &'static str, theirs: &'static str) -> Row {
    row(ours, &[], Kind::Float, theirs).near(Approximate)
}

/// Rows, with the scale of the texture coordinates.
const ROWS: &[(Row, f32)] = &[
    (place("IPAS.F r, set, 0;", "interpolateAtSample(coordinates, 0)"), 1.0),
    (place("DDX.F r, set;", "dFdx(coordinates)"), 7.3),
    (place("DDY.F r, set;", "dFdy(coordinates)"), 7.3),
    (place("IPAC.F r, set;", "interpolateAtCentroid(coordinates)"), 1.0),
    (
        place("IPAO.F r, set, {0.25, -0.375, 0, 0};", "interpolateAtOffset(coordinates, vec2(0.25, -0.375))"),
        1.0,
    ),
    (
        place("IPAO.F r, set, {-0.5, 0.4375, 0, 0};", "interpolateAtOffset(coordinates, vec2(-0.5, 0.4375))"),
        1.0,
    ),
    (place("LOD.F r, set, texture[0], 2D;", "vec4(textureQueryLod(image, coordinates.xy), 0.0, 0.0)"), 0.7),
    (place("LOD.F r, set, texture[0], 2D;", "vec4(textureQueryLod(image, coordinates.xy), 0.0, 0.0)"), 9.1),
    (place("LOD.F r, set, texture[0], 2D;", "vec4(textureQueryLod(image, coordinates.xy), 0.0, 0.0)"), 250.0),
];

/// TXB with different biases. The lookup reads the nearest texel of the nearest level. Coordinates grow by
/// 2.2 texels a pixel along s and by 1.3 along t.
const BIASED: &[Row] = &[
    biased(
        "MOV.F at, set; MOV.F at.w, 0; TXB.F r, at, texture[0], 2D;",
        "texture(image, coordinates.xy, 0.0)",
    ),
    biased(
        "MOV.F at, set; MOV.F at.w, 1; TXB.F r, at, texture[0], 2D;",
        "texture(image, coordinates.xy, 1.0)",
    ),
    biased(
        "MOV.F at, set; MOV.F at.w, -1; TXB.F r, at, texture[0], 2D;",
        "texture(image, coordinates.xy, -1.0)",
    ),
    biased(
        "MOV.F at, set; MOV.F at.w, 1; TXB.F r, at, texture[0], 2D, (1,-2);",
        "textureOffset(image, coordinates.xy, ivec2(1, -2), 1.0)",
    ),
];

const fn biased(ours: &'static str, theirs: &'static str) -> Row {
    row(ours, &[], Kind::Float, theirs).near(Texture)
}

/// One picture for each row.
pub fn all() -> Vec<Question> {
    let corner = |scale: f32, x: f32, y: f32| {
        let set = [0.037 + scale * x, 0.041 + scale * 0.6 * y, x * 0.5 + y * 0.25, 1.0];
        ([2.0 * x - 1.0, 2.0 * y - 1.0, 0.0, 1.0], set)
    };
    let trilinear = Image::new(TextureTarget::D2, Format::Rgba8, Sampling::Trilinear);
    let nearest = Image::new(TextureTarget::D2, Format::Rgba8, Sampling::Nearest);
    let rows = ROWS.iter().map(|(row, scale)| (row, *scale, trilinear));
    let questions = rows.chain(BIASED.iter().map(|row| (row, 4.4, nearest))).map(|(row, scale, image)| {
        let [a, b, c, d] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, y]| corner(scale, x, y));
        let textures = vec![(0, Arc::new(image.texture()))];
        let runs = vec![Inputs { textures, ..Inputs::default() }];
        let declarations = ["ATTRIB set = fragment.texcoord[0];\nTEMP at;\n", "uniform sampler2D image;"];
        let question = row.question(Stage::Fragment, declarations, runs);
        let name = format!("{} scaled {scale}", question.name);
        Question { name, triangles: vec![a, b, c, c, b, d], ..question }
    });
    questions.collect()
}
