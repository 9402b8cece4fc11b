//! Meshes from Wavefront OBJ text: positions, normals, texture coordinates, vertex colours, polygons.
//! Materials, lines and points are passed over.

use super::SceneError;
use shadestep_engine::pipeline::{Mesh, MeshParts};
use shadestep_engine::source::LineColumn;
use std::cell::Cell;
use std::io::{self, BufRead, Read};
use tobj::{LoadError, LoadOptions};

/// Reads an OBJ file. `name` is what errors call it.
///
/// # Errors
/// Malformed text (with its line), indices that name nothing, no triangles, numbers that are not finite,
/// too many vertices.
pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<Mesh, SceneError> {
    let line = Cell::new(0);
    let mut reader = CountLines { rest: bytes, line: &line };
    let options =
        LoadOptions { single_index: true, triangulate: true, ignore_points: true, ignore_lines: true };
    let loaded = tobj::load_obj_buf(&mut reader, &options, |_| Err(LoadError::OpenFileFailed));
    let (models, _) = loaded.map_err(|error| {
        let words = SceneError::new(name, describe(error));
        let place = LineColumn { line: line.get(), column: 1 };
        if has_a_line(error) { words.at(place) } else { words }
    })?;
    let mut parts = MeshParts::default();
    for model in &models {
        append(&mut parts, &model.mesh).map_err(|message| SceneError::new(name, message))?;
    }
    if parts.triangles.is_empty() {
        return Err(SceneError::new(name, "the OBJ file has no triangles"));
    }
    keep_where_complete(&mut parts);
    Mesh::from_parts(parts).map_err(|error| SceneError::new(name, error.to_string()))
}

/// Adds one model. Attributes that it lacks become NaN for [`keep_where_complete`] to find.
fn append(parts: &mut MeshParts, mesh: &tobj::Mesh) -> Result<(), String> {
    let base = u32::try_from(parts.positions.len()).map_err(|_| "the OBJ file has too many vertices")?;
    let count = mesh.positions.len() / 3;
    let (positions, _) = mesh.positions.as_chunks::<3>();
    parts.positions.extend_from_slice(positions);
    let (normals, _) = mesh.normals.as_chunks::<3>();
    parts.normals.extend((0..count).map(|i| normals.get(i).copied().map_or([f32::NAN; 3], unit)));
    let (texcoords, _) = mesh.texcoords.as_chunks::<2>();
    parts.texcoords.extend((0..count).map(|i| texcoords.get(i).copied().unwrap_or_default()));
    let (colors, _) = mesh.vertex_color.as_chunks::<3>();
    let color = |&[r, g, b]: &[f32; 3]| [r, g, b, 1.0];
    parts.colors.extend((0..count).map(|i| colors.get(i).map_or([1.0; 4], color)));
    let (triangles, _) = mesh.indices.as_chunks::<3>();
    for triangle in triangles {
        let shifted = triangle.map(|index| index.checked_add(base));
        let [Some(a), Some(b), Some(c)] = shifted else {
            return Err("the OBJ file has too many vertices".to_owned());
        };
        parts.triangles.push([a, b, c]);
    }
    Ok(())
}

/// Files may have normals of any length; the pipeline wants unit ones. Zero stays and counts as missing.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let wide = normal.map(f64::from);
    let length = wide.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { wide.map(|c| (c / length) as f32) } else { [f32::NAN; 3] }
}

/// Drops the normals if any vertex has none, so that all are computed from the triangles.
fn keep_where_complete(parts: &mut MeshParts) {
    if parts.normals.iter().flatten().any(|c| c.is_nan()) {
        parts.normals.clear();
    }
}

fn has_a_line(error: LoadError) -> bool {
    matches!(
        error,
        LoadError::PositionParseError
            | LoadError::NormalParseError
            | LoadError::TexcoordParseError
            | LoadError::FaceParseError
            | LoadError::ColorParseError
            | LoadError::ReadError
            | LoadError::InvalidObjectName
            | LoadError::MaterialParseError
    )
}

fn describe(error: LoadError) -> &'static str {
    match error {
        LoadError::PositionParseError | LoadError::ScalingByZeroError => {
            "the vertex position is not three numbers"
        }
        LoadError::ColorParseError => "the vertex colour is not three numbers",
        LoadError::NormalParseError => "the normal is not three numbers",
        LoadError::TexcoordParseError => "the texture coordinate is not two numbers",
        LoadError::FaceParseError => "the face is not a list of vertex indices",
        LoadError::ReadError | LoadError::UnrecognizedCharacter => "the line is not text",
        LoadError::InvalidObjectName => "the object has no name",
        LoadError::MaterialParseError => "the material line is malformed",
        LoadError::InvalidPolygon => "the OBJ file has a face that is no polygon",
        LoadError::FaceVertexOutOfBounds => "the OBJ file has a face with a vertex that does not exist",
        LoadError::FaceTexCoordOutOfBounds => {
            "the OBJ file has a face with a texture coordinate that does not exist"
        }
        LoadError::FaceNormalOutOfBounds => "the OBJ file has a face with a normal that does not exist",
        LoadError::FaceColorOutOfBounds => "the OBJ file has a face with a vertex colour that does not exist",
        LoadError::OpenFileFailed | LoadError::InvalidLoadOptionConfig | LoadError::GenericFailure => {
            "the OBJ file cannot be read"
        }
    }
}

/// Bytes that count how many lines have been taken from them.
struct CountLines<'a> {
    rest: &'a [u8],
    line: &'a Cell<usize>,
}

impl Read for CountLines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for CountLines<'_> {
    /// One line at a time, so that each counts when it is asked for.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let end = self.rest.iter().position(|&b| b == b'\n').map_or(self.rest.len(), |at| at + 1);
        Ok(&self.rest[..end])
    }

    fn consume(&mut self, count: usize) {
        let taken = &self.rest[..count.min(self.rest.len())];
        if !taken.is_empty() && (taken.ends_with(b"\n") || taken.len() == self.rest.len()) {
            self.line.set(self.line.get() + 1);
        }
        self.rest = &self.rest[taken.len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

    fn mesh(text: &str) -> Mesh {
        parse("a.obj", text.as_bytes()).unwrap()
    }

    #[test]
    fn every_kind_of_face_loads() {
        let plain = mesh(&format!("{TRIANGLE}f 1 2 3\n"));
        assert_eq!((plain.positions().len(), plain.triangles()), (3, &[[0, 1, 2]][..]));
        // Counter-clockwise in the xy plane: the computed normal is +z.
        assert_eq!(plain.normals()[0], [0.0, 0.0, 1.0]);
        let quad = mesh(&format!("{TRIANGLE}v 1 1 0\nf 1 2 4 3\n"));
        assert_eq!(quad.triangles().len(), 2);
        let relative = mesh(&format!("{TRIANGLE}f -3 -2 -1\n"));
        assert_eq!(relative.positions()[1], [1.0, 0.0, 0.0]);
        let textured = mesh(&format!("{TRIANGLE}vt 0.25 0.5\nf 1/1 2/1 3/1\n"));
        assert_eq!(textured.texcoords()[2], [0.25, 0.5]);
        let normals = mesh(&format!("{TRIANGLE}vn 0 2 0\nf 1//1 2//1 3//1\n"));
        assert_eq!(normals.normals()[0], [0.0, 1.0, 0.0]);
        let full = mesh(&format!("{TRIANGLE}vt 0.5 1\nvn 0 0 -1\nf 1/1/1 2/1/1 3/1/1\n"));
        assert_eq!((full.texcoords()[0], full.normals()[0]), ([0.5, 1.0], [0.0, 0.0, -1.0]));
    }

    #[test]
    fn several_objects_comments_and_endings_load() {
        let text = format!(
            "# two\r\nmtllib x.mtl\r\no one\r\n{TRIANGLE}usemtl m\r\nf 1 2 3\r\no two\r\nv 0 0 1\r\nf 1 2 4\r\ns off\r\n"
        );
        let both = mesh(&text);
        assert_eq!(both.triangles().len(), 2);
        let last = both.triangles()[1].map(|i| both.positions()[i as usize]);
        assert_eq!(last[2], [0.0, 0.0, 1.0]);
    }

    #[test]
    fn vertex_colours_are_kept() {
        let text = "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n";
        assert_eq!(mesh(text).color(1), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(mesh(&format!("{TRIANGLE}f 1 2 3\n")).color(1), [1.0; 4]);
    }

    #[test]
    fn a_model_without_normals_makes_all_normals_computed() {
        let text = format!("{TRIANGLE}vn 1 0 0\no a\nf 1//1 2//1 3//1\no b\nf 1 2 3\n");
        assert!(mesh(&text).normals().iter().all(|n| *n == [0.0, 0.0, 1.0]));
    }

    #[test]
    fn malformed_files_are_errors_with_their_line() {
        let line = |text: &str| {
            let error = parse("a.obj", text.as_bytes()).unwrap_err();
            assert_eq!(error.file, "a.obj");
            error.place.map(|place| place.line)
        };
        assert_eq!(line("v 0 0 0\nv 1 x 0\n"), Some(2));
        assert_eq!(line("v 0 0\n"), Some(1));
        assert_eq!(line("v 0 0 0\n\nvn 1 2\n"), Some(3));
        assert_eq!(line(&format!("{TRIANGLE}f 1 2 x\n")), Some(4));
        assert_eq!(line("vt oops\n"), Some(1));
    }

    #[test]
    fn hopeless_files_are_errors() {
        for text in [
            String::new(),
            "hello".to_owned(),
            TRIANGLE.to_owned(),
            format!("{TRIANGLE}f 1 2 9\n"),
            format!("{TRIANGLE}f 0 1 2\n"),
            format!("{TRIANGLE}f -9 1 2\n"),
            format!("{TRIANGLE}vt 0 0\nf 1/7 2/7 3/7\n"),
            format!("{TRIANGLE}vn 0 0 1\nf 1//7 2//7 3//7\n"),
            format!("{TRIANGLE}f 1 2 99999999999999999999\n"),
            "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned(),
            "v inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned(),
            format!("{TRIANGLE}f 1\nf 1 2\n"),
        ] {
            assert!(parse("a.obj", text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(parse("a.obj", b"v 0 0 0\n\xFF\xFE\n").is_err());
        assert!(parse("a.obj", &[0; 1000]).is_err());
    }
}
