//! Reads meshes from Wavefront OBJ text: positions, normals, texture coordinates, vertex colours and
//! polygons.
//! Materials, groups, lines and points are ignored.
//!
//! Available readers overflow on damaged files and do not report the line of every error, so this is our own.

use super::SceneError;
use shadestep_engine::pipeline::{Mesh, MeshParts};
use std::collections::HashMap;

/// Limit on each of positions, normals, texture coordinates, vertices and triangles of an OBJ file.
pub(super) const MAX_ITEMS: usize = 1 << 23;

/// Reads an OBJ file. Errors call it `name`.
///
/// # Errors
/// Malformed lines and indices out of range (with their line), no triangles, or too many vertices.
pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<Mesh, SceneError> {
    parse_within(MAX_ITEMS, name, bytes)
}

/// As [`parse`], with a limit of `most` items of each kind.
fn parse_within(most: usize, name: &str, bytes: &[u8]) -> Result<Mesh, SceneError> {
    let mut reader = Reader { most, ..Reader::default() };
    for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let read = reader.line(&String::from_utf8_lossy(line)).and_then(|()| reader.check_size());
        read.map_err(|message| SceneError::new(name, message).at_line(index + 1))?;
    }
    if reader.parts.triangles.is_empty() {
        return Err(SceneError::new(name, "the OBJ file has no triangles"));
    }
    Mesh::from_parts(reader.finish()).map_err(|error| SceneError::new(name, error.to_string()))
}

/// A corner of a face: indices, from 0, of its position, texture coordinate and normal.
type Corner = (u32, Option<u32>, Option<u32>);

/// The items read so far.
#[derive(Default)]
struct Reader {
    /// Most items of each kind.
    most: usize,
    positions: Vec<[f32; 3]>,
    colors: Vec<Option<[f32; 3]>>,
    texcoords: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    /// The vertex for each distinct corner.
    vertices: HashMap<Corner, u32>,
    /// For each position the last corner with it, and the corner's vertex. Most lookups hit this entry and
    /// skip the hash table.
    latest: Vec<Option<(Corner, u32)>>,
    /// Vertices of the current face. The allocation is reused for each face.
    corners: Vec<u32>,
    /// The mesh. A vertex without a normal has NaN as its normal until [`Self::finish`].
    parts: MeshParts,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => self.position(&numbers(words, "position")?),
            Some("vt") => self.texcoord(&numbers(words, "texture coordinate")?),
            Some("vn") => self.normal(&numbers(words, "normal")?),
            Some("f") => self.face(words),
            _ => Ok(()),
        }
    }

    /// Refuses a file over the limit. The check runs after each line, and a line adds at most its length in
    /// items, so memory stays bounded.
    fn check_size(&self) -> Result<(), String> {
        let Self { positions, texcoords, normals, parts, .. } = self;
        let counts =
            [positions.len(), texcoords.len(), normals.len(), parts.positions.len(), parts.triangles.len()];
        let most = self.most;
        if counts.into_iter().any(|count| count > most) {
            return Err(format!("the mesh is too large: the limit is {most} vertices and triangles"));
        }
        Ok(())
    }

    /// Reads x y z. An optional w is ignored, as polygons do not use it. An optional colour follows.
    fn position(&mut self, numbers: &[f32]) -> Result<(), String> {
        let (position, color) = match *numbers {
            [x, y, z] | [x, y, z, _] => ([x, y, z], None),
            [x, y, z, r, g, b] | [x, y, z, r, g, b, _] => ([x, y, z], Some([r, g, b])),
            _ => {
                return Err("a vertex position has three numbers, optionally followed by three for a colour"
                    .to_owned());
            }
        };
        self.positions.push(position);
        self.colors.push(color);
        self.latest.push(None);
        Ok(())
    }

    /// Reads s, t and r. Missing coordinates are 0, and r is ignored.
    fn texcoord(&mut self, numbers: &[f32]) -> Result<(), String> {
        let texcoord = match *numbers {
            [s] => [s, 0.0],
            [s, t] | [s, t, _] => [s, t],
            _ => return Err("a texture coordinate has one to three numbers".to_owned()),
        };
        self.texcoords.push(texcoord);
        Ok(())
    }

    fn normal(&mut self, numbers: &[f32]) -> Result<(), String> {
        let [x, y, z] = *numbers else { return Err("a normal has three numbers".to_owned()) };
        self.normals.push(unit([x, y, z]));
        Ok(())
    }

    /// Reads a polygon and splits it into a fan of triangles around its first corner.
    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        for word in words {
            corners.push(self.corner(word)?);
            if corners.len() > self.most {
                return Err(format!("the face has more than {} corners", self.most));
            }
        }
        let [first, rest @ ..] = corners.as_slice() else { return Err(TOO_FEW.to_owned()) };
        if rest.len() < 2 {
            return Err(TOO_FEW.to_owned());
        }
        self.parts.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
        self.corners = corners;
        Ok(())
    }

    /// Returns the vertex for `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    fn corner(&mut self, word: &str) -> Result<u32, String> {
        let mut fields = word.split('/');
        let position = fields.next().unwrap_or_default();
        let position = resolve(position, self.positions.len(), "vertex")?;
        let optional = |field: Option<&str>, count, what| match field {
            None | Some("") => Ok(None),
            Some(field) => resolve(field, count, what).map(Some),
        };
        let texcoord = optional(fields.next(), self.texcoords.len(), "texture coordinate")?;
        let normal = optional(fields.next(), self.normals.len(), "normal")?;
        if fields.next().is_some() {
            return Err(format!("\"{word}\" is not a face corner: a corner has at most three indices"));
        }
        let next = u32::try_from(self.parts.positions.len()).map_err(|_| "there are too many vertices")?;
        let corner = (position, texcoord, normal);
        let latest = &mut self.latest[position as usize];
        if let Some((met, vertex)) = *latest
            && met == corner
        {
            return Ok(vertex);
        }
        let vertex = *self.vertices.entry(corner).or_insert(next);
        *latest = Some((corner, vertex));
        if vertex == next {
            let at = |index: u32| index as usize;
            self.parts.positions.push(self.positions[at(position)]);
            self.parts.texcoords.push(texcoord.map_or([0.0; 2], |index| self.texcoords[at(index)]));
            self.parts.normals.push(normal.map_or([f32::NAN; 3], |index| self.normals[at(index)]));
            let [r, g, b] = self.colors[at(position)].unwrap_or([1.0; 3]);
            self.parts.colors.push([r, g, b, 1.0]);
        }
        Ok(vertex)
    }

    /// Returns the parts of the mesh. If any vertex lacks a normal, all normals are left to be computed.
    fn finish(mut self) -> MeshParts {
        if self.parts.normals.iter().flatten().any(|c| c.is_nan()) {
            self.parts.normals.clear();
        }
        self.parts
    }
}

const TOO_FEW: &str = "a face needs at least three corners";

/// The first eight numbers of a line. No line uses more than seven.
#[derive(Default)]
struct Numbers {
    values: [f32; 8],
    count: usize,
}

impl std::ops::Deref for Numbers {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.values[..self.count]
    }
}

/// Parses finite numbers.
fn numbers<'a>(words: impl Iterator<Item = &'a str>, what: &str) -> Result<Numbers, String> {
    let mut numbers = Numbers::default();
    for word in words {
        let number = word.parse::<f32>().ok().filter(|number| number.is_finite());
        let Some(number) = number else {
            return Err(format!(
                "\"{}\" in a {what} is not a number",
                word.chars().take(40).collect::<String>()
            ));
        };
        if let Some(value) = numbers.values.get_mut(numbers.count) {
            *value = number;
            numbers.count += 1;
        }
    }
    Ok(numbers)
}

/// Resolves an index: OBJ counts from 1, or backwards from -1 for the last of the `count` items so far.
fn resolve(word: &str, count: usize, what: &str) -> Result<u32, String> {
    let index = word.parse::<i64>().map_err(|_| {
        format!("\"{}\" is not a valid {what} index", word.chars().take(40).collect::<String>())
    })?;
    let from_zero = if index < 0 { i64::try_from(count).unwrap_or(0) + index } else { index - 1 };
    let found = u32::try_from(from_zero).ok().filter(|&at| (at as usize) < count);
    found.ok_or_else(|| format!("there is no {what} {index}; the file has {count} up to this line"))
}

/// Normalises a normal. Files may contain normals of any length, but the pipeline needs unit normals. A
/// normal without a direction becomes NaN, which marks it as missing.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let wide = normal.map(f64::from);
    let length = wide.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 { wide.map(|c| (c / length) as f32) } else { [f32::NAN; 3] }
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
    fn items_have_a_limit_each() {
        let within = |text: &str| parse_within(6, "a.obj", text.as_bytes());
        let too_large = "limit is 6 vertices and triangles";
        let cases = [
            (TRIANGLE.repeat(3), 7, too_large),
            (format!("{TRIANGLE}{}", "vt 0 1\n".repeat(9)), 10, too_large),
            (format!("{TRIANGLE}{}", "vn 0 0 1\n".repeat(9)), 10, too_large),
            (format!("{TRIANGLE}{}", "f 1 2 3\n".repeat(9)), 10, too_large),
            // Corners at one position with different texture coordinates become separate vertices.
            (
                format!("{TRIANGLE}{}f 1/1 1/2 1/3 1/4 1/5 1/6\nf 2/1 2/2 2/3\n", "vt 0 1\n".repeat(6)),
                11,
                too_large,
            ),
            (format!("{TRIANGLE}f 1 2 3 1 2 3 1\n"), 4, "more than 6 corners"),
        ];
        for (text, line, message) in cases {
            let error = within(&text).unwrap_err();
            assert_eq!(error.place.map(|place| place.line), Some(line), "{text}");
            assert!(error.message.contains(message), "{}", error.message);
        }
        let most = format!("{0}{0}f 1 2 3 4 5 6\nf 1 3 5\nf 2 4 6\n", TRIANGLE);
        assert_eq!(within(&most).unwrap().triangles().len(), 6);
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
        assert_eq!(line(&format!("{TRIANGLE}f 1 2 3\nf 1 2 9\n")), Some(5));
        assert_eq!(line(&format!("{TRIANGLE}f 1 2\n")), Some(4));
        assert_eq!(line(&format!("{TRIANGLE}f 1/1/1/1 2 3\n")), Some(4));
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
            format!("{TRIANGLE}p 1\nl 1 2\n"),
            format!("{TRIANGLE}f\n"),
            format!("{TRIANGLE}f -9223372036854775808 1 2\n"),
        ] {
            assert!(parse("a.obj", text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(parse("a.obj", b"v 0 0 0\n\xFF\xFE\n").is_err());
        assert!(parse("a.obj", &[0; 1000]).is_err());
    }

    #[test]
    fn damaged_files_never_panic() {
        let whole = "# x\nmtllib a.mtl\no a\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1e3 0 0 0 1\nv 1 1 -0.5 0 1 0\nvt 0 1\nvt 0.5 .5\n\
                     vn 0 0 1\nusemtl m\ns 1\nf 1/1/1 2/2/1 3/1/1\nf -1//-1 -2//1 2//1 1//1\ng b\nl 1 2\np 3\nf 1 2 3\n";
        parse("a.obj", whole.as_bytes()).unwrap();
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let letter = |letters: &[u8], index: usize| letters[index % letters.len()];
        let mut loaded = 0;
        for _ in 0..4000 {
            let mut bytes = whole.as_bytes().to_vec();
            for _ in 0..1 + random(4) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = letter(b"0123456789-/. \nvfneog\xFF", random(64)),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, letter(b"9876543210-/. \nvfntlp", random(64))),
                }
            }
            loaded += usize::from(parse("a.obj", &bytes).is_ok());
        }
        // The damage is small, so that some of the files load and others do not.
        assert!((100..3900).contains(&loaded), "{loaded}");
    }
}
