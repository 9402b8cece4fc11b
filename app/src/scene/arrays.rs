//! Vertex attribute arrays: the arrays of meshes, and `[[attribute]]` of `scene.toml`. `mesh` and `obj` load
//! meshes; `geometry` decides which arrays a scene draws.

use super::error::{SceneError, SceneRule};
use super::folder::MAX_FILE_BYTES;
use super::geometry::Geometry;
use super::loader::Loader;
use super::parse::about_file;
use super::read::{Entry, Table};
use super::schema::{self, OneOf, Raw, Schema, Shape, Text, Whole, schema};
use super::{ElementType, SceneBuffer, buffers};
use crate::codes;
use crate::format;
use fnv::FnvHashMap;
use shadestep_engine::gl::{self, ArrayType, MOST_ELEMENTS};
use shadestep_engine::ir::{Attribute, Components, singles};
use shadestep_engine::isa::Language;
use shadestep_engine::pipeline::{
    ArrayConversion, ArrayData, AttributeArray, AttributeSource, Elements, Mesh, Primitive, VertexInput,
};
use std::path::PathBuf;
use std::sync::Arc;
use toml::de::DeValue;

/// Limit on the numbers in one array, and on indices.
pub(super) const MAX_VALUES: usize = 1 << 24;

/// Limit on instances, and on the instances that share one element of an array.
pub const MAX_INSTANCES: u32 = 1 << 20;

/// Attribute numbers of the viewport quad.
const OPOS: u8 = 0;
const TEX0: u8 = 8;

/// Attributes that meshes fill: position, normal, colour, texture coordinates, tangent and bitangent.
const MESH_ATTRIBUTES: [u8; 6] = [OPOS, 2, 3, TEX0, 9, 10];

/// The vertices of a scene: the attributes that it sets, the primitive that the vertices make, and the order
/// in which they are drawn. Attributes that the scene does not set keep their initial values.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexArrays {
    /// The number of each attribute and the source of its values. Each number occurs at most once.
    pub attributes: Vec<(u8, AttributeSource)>,
    pub primitive: Primitive,
    /// The vertices to draw, in order.
    pub elements: Elements,
}

impl VertexArrays {
    /// Returns the length of the arrays with one element per vertex, or 0 if there is no such array.
    pub fn vertex_count(&self) -> usize {
        let lengths = self.attributes.iter().filter_map(|(_, source)| of_vertices(source).map(length));
        lengths.min().unwrap_or(0)
    }

    pub fn element_count(&self) -> usize {
        match &self.elements {
            Elements::Range { count, .. } => *count as usize,
            Elements::Indices { indices, .. } => indices.len(),
        }
    }

    /// A quad with its corners in clip space in `v[OPOS]`, and `v[TEX0]` from (0,0) to (1,1).
    pub(super) fn viewport() -> Self {
        let floats = |size, values: &[f32]| floats(size, values.to_vec());
        Self {
            attributes: vec![
                (OPOS, floats(2, &[-1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0])),
                (TEX0, floats(2, &[0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0])),
            ],
            primitive: Primitive::Quads,
            elements: Elements::Range { first: 0, count: 4 },
        }
    }

    /// The arrays of a mesh: see [`Mesh::vertex_input`].
    pub(super) fn of_mesh(mesh: &Mesh) -> Self {
        let VertexInput { attributes, primitive, elements, .. } = mesh.vertex_input();
        let given = MESH_ATTRIBUTES.map(|number| (number, attributes[usize::from(number)].clone()));
        Self { attributes: given.into(), primitive, elements }
    }

    /// Turns indexed TRIANGLES into TRIANGLES_ADJACENCY. After each vertex comes the vertex across the edge
    /// to the next one. Vertices with equal positions count as one corner, whatever their other attributes.
    /// An edge at the rim has no neighbour, so the triangle's own third vertex is used.
    pub(super) fn with_adjacency(self) -> Self {
        let Elements::Indices { indices, .. } = &self.elements else { return self };
        let positions = self.attributes.iter().find(|(number, _)| *number == OPOS);
        let place = |vertex: u32| match positions {
            // +0 and -0 are one place.
            Some((_, AttributeSource::Array(array))) => {
                singles(array.value(vertex)).map(|coordinate| (coordinate + 0.0).to_bits())
            }
            _ => [0; 4],
        };
        let triangles = indices.as_chunks::<3>().0;
        let edges = |[a, b, c]: [u32; 3]| [(a, b, c), (b, c, a), (c, a, b)];
        let across: FnvHashMap<_, u32> = triangles
            .iter()
            .flat_map(|triangle| edges(*triangle))
            .map(|(from, to, third)| ((place(from), place(to)), third))
            .collect();
        let with_adjacent = |(from, to, third): (u32, u32, u32)| {
            // Neighbouring triangles have the same orientation, so they traverse their shared edge in
            // opposite directions.
            [from, across.get(&(place(to), place(from))).copied().unwrap_or(third)]
        };
        let all = triangles.iter().flat_map(|triangle| edges(*triangle)).flat_map(with_adjacent).collect();
        let elements = Elements::Indices { indices: all, restart: None };
        Self { primitive: Primitive::TrianglesAdjacency, elements, ..self }
    }

    /// Adds attributes to these arrays.
    ///
    /// # Errors
    /// A sentence, if an attribute already has values or an array has another length.
    pub fn with(mut self, extra: &[(u8, AttributeSource)]) -> Result<Self, String> {
        let vertices = self.vertex_count();
        for (number, source) in extra {
            let name = register(*number);
            if self.attributes.iter().any(|(other, _)| other == number) {
                return Err(format!("the geometry already provides {name}"));
            }
            if let Some(array) = of_vertices(source)
                && length(array) != vertices
            {
                let found = format::counted(length(array), "vertex");
                return Err(format!("the array for {name} has {found}; the geometry has {vertices}"));
            }
            self.attributes.push((*number, source.clone()));
        }
        Ok(self)
    }
}

fn floats(size: u8, values: Vec<f32>) -> AttributeSource {
    AttributeSource::Array(AttributeArray::packed(ArrayData::Float(values.into()), size))
}

/// The array in `source`, if it has an element for each vertex.
fn of_vertices(source: &AttributeSource) -> Option<&AttributeArray> {
    match source {
        AttributeSource::Array(array) if array.divisor == 0 => Some(array),
        AttributeSource::Array(_) | AttributeSource::Current(_) => None,
    }
}

/// Elements in `array`, which is tightly packed.
fn length(array: &AttributeArray) -> usize {
    array.data.len() / usize::from(array.size.max(1))
}

/// The register of an attribute, such as `v[OPOS]`.
fn register(number: u8) -> String {
    Attribute::Vertex(number).register_in(Language::Vp2)
}

/// An attribute's array in a buffer of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayInBuffer {
    /// The number of the attribute.
    pub attribute: u8,
    /// The number of the buffer in the scene.
    pub buffer: usize,
    /// The type of the values.
    pub ty: ArrayType,
    /// Offset of the first value, and stride, in bytes.
    pub place: [u32; 2],
}

/// The attributes of all `[[attribute]]` tables.
pub(super) struct Attributes {
    /// In the order of the file.
    pub sources: Vec<(u8, AttributeSource)>,
    /// The attributes with arrays in buffers.
    pub in_buffers: Vec<ArrayInBuffer>,
    /// The files on disk that the values were read from.
    pub files: Vec<PathBuf>,
}

/// Warns if no array gives attribute 0, as a draw of `arrays` then has no vertices. The warning is at the key
/// that selects the primitive.
pub(super) fn warning(root: &Table<'_>, arrays: &VertexArrays) -> Result<Option<SceneError>, SceneError> {
    let gives_vertices = |(number, source): &(u8, AttributeSource)| {
        *number == OPOS && matches!(source, AttributeSource::Array(_))
    };
    let geometry = match root.get("geometry") {
        Some(entry) if !arrays.attributes.iter().any(gives_vertices) => entry.table("in [geometry]")?,
        _ => return Ok(None),
    };
    let words = "nothing is drawn: attribute 0 has no array, and each element of that array makes a vertex";
    Ok(Some(geometry.error_at("primitive", words).by(&SceneRule {
        code: codes::SCENE_NO_VERTICES,
        note: "Give [[attribute]] index = 0 values, a file or a buffer. One value for all vertices (\"value\") is not an array.",
    })))
}

/// Numbers in brackets, of a type that another key gives.
pub(super) const VALUES: Raw = Raw(|| Shape::Number(None, None).array(1, MAX_VALUES).called("numbers"));

const VALUE: Raw = Raw(|| Shape::Number(None, None).array(1, 4));

/// An attribute as the text has it.
pub(super) struct Given {
    number: u8,
    kind: Kind,
    size: Option<u8>,
    divisor: u32,
}

const IN_BUFFER: (&str, &str) = ("buffer", "buffer = \"NAME\"");

/// `[[attribute]]`.
pub(super) static ATTRIBUTE: Schema<Given> = schema! { Given, "in [[attribute]]";
    "index": AttributeNumber, [number], needs "the attribute needs index = 0 to 15 or a name such as \"OPOS\"",
        "The attribute. Names are `OPOS`, `WGHT`, `NRML`, `COL0`, `COL1`, `FOGC` and `TEX0` to `TEX7`.";
    "type": OneOf(&KINDS), [kind], "`\"float\"`", "Type of the numbers.";
    "size": Whole::<u8>::new(1, 4), [some size], "4 for `ubyte`, else none",
        "Numbers for each vertex in `values`, `file` or `buffer`. Missing components are 0, 0, 0, 1.";
    "values": VALUES, [-], "none", "The array.";
    "file": Text("file"), [-], "none", "Text file with the numbers, separated by white space or commas.";
    "value": VALUE, [-], "none", "The same value for every vertex. Not for `short`, `double` and `ubyte`.";
    "buffer": Text("text"), [-], "none",
        "Name of a `[[buffer]]`. The draw reads the contents at the start of the frame.";
    "offset": Whole::<u32>::new(0, u32::MAX), [-], "`0`", "Bytes before the first element in the buffer.",
        with IN_BUFFER;
    "stride": Whole::<u32>::new(0, u32::MAX), [-], "size of an element",
        "Bytes from one element to the next in the buffer.", with IN_BUFFER;
    "divisor": Whole::<u32>::new(0, MAX_INSTANCES), [divisor], "`0`",
        "0: an element for each vertex. N: an element for every N instances.";
};

/// Reads every `[[attribute]]`.
pub(super) fn attributes(
    loader: &Loader<'_>,
    tables: &[Table<'_>],
    buffers: &[SceneBuffer],
) -> Result<Attributes, SceneError> {
    let sources = Vec::with_capacity(tables.len());
    let mut attributes = Attributes { sources, in_buffers: Vec::new(), files: Vec::new() };
    for table in tables {
        let mut given = Given { number: 0, kind: KINDS[0].0, size: None, divisor: 0 };
        ATTRIBUTE.read(table, &mut given)?;
        let number = given.number;
        if attributes.sources.iter().any(|(other, _)| *other == number) {
            return Err(table.error_at("index", format!("{} already has values", register(number))));
        }
        if let Some(entry) = table.get("buffer") {
            let (source, place) = given.in_buffer(table, &entry, buffers)?;
            attributes.sources.push((number, source));
            attributes.in_buffers.push(place);
            continue;
        }
        let (source, file) = given.source(loader, table)?;
        attributes.sources.push((number, source));
        attributes.files.extend(file);
    }
    Ok(attributes)
}

/// An attribute number: 0 to 15, or a mnemonic of NV_vertex_program's table X.3.
struct AttributeNumber;

impl AttributeNumber {
    fn names() -> Vec<(u8, &'static str)> {
        let named =
            Attribute::VERTEX.into_iter().filter(|a| !a.name().starts_with(|c: char| c.is_ascii_digit()));
        named.map(|a| (a.index() as u8, a.name())).collect()
    }
}

impl schema::Kind for AttributeNumber {
    type Value = u8;

    fn read(&self, entry: &Entry<'_>) -> Result<u8, SceneError> {
        match entry.value.as_str() {
            Some(word) => entry.choice_of(word, &Self::names()),
            None => Ok(entry.integer(0..=15)? as u8),
        }
    }

    fn shape(&self) -> Shape {
        let names = Shape::Words(Self::names().into_iter().map(|(_, name)| name).collect());
        Shape::Either(vec![Shape::Whole(0, 15), names.called("a name")])
    }
}

/// A type of numbers. The four types of `VertexAttribPointerNV` become fp32. The types of
/// `VertexAttribIPointer` and `VertexAttribLPointer` whose names include a component size keep their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub element: ElementType,
    pub conversion: ArrayConversion,
}

/// fp64 numbers that become fp32.
const DOUBLE: Kind = Kind { element: ElementType::Double, conversion: ArrayConversion::Float };

const KINDS: [(Kind, &str); 9] = [
    (ElementType::Float.kind(), "float"),
    (ElementType::Short.kind(), "short"),
    (DOUBLE, "double"),
    (ElementType::UnsignedByte.kind(), "ubyte"),
    (ElementType::Int.kind(), "int"),
    (ElementType::UnsignedInt.kind(), "uint"),
    (ElementType::Int64.kind(), "int64"),
    (ElementType::UnsignedInt64.kind(), "uint64"),
    (ElementType::Double.kind(), "float64"),
];

impl Given {
    /// Returns the array or the value, and the file that it was read from, if any.
    fn source(
        &self,
        loader: &Loader<'_>,
        table: &Table<'_>,
    ) -> Result<(AttributeSource, Option<PathBuf>), SceneError> {
        let given: Vec<Entry<'_>> =
            ["values", "file", "value"].into_iter().filter_map(|key| table.get(key)).collect();
        let [given] = given.as_slice() else {
            let words =
                "an attribute needs exactly one of values = [numbers], file = \"FILE\" and value = [numbers]";
            return Err(given.get(1).map_or_else(|| table.error(words), |second| second.error(words)));
        };
        if given.name == "value" {
            if let Some(entry) = ["size", "divisor"].into_iter().find_map(|key| table.get(key)) {
                return Err(entry.error(format!("\"{}\" works only with values or file", entry.name)));
            }
            return Ok((AttributeSource::Current(current(given, self.kind)?), None));
        }
        let &Self { kind, divisor, .. } = self;
        let size = self.size(table)?;
        let (data, file) = if given.name == "values" {
            (inline(given, kind)?, None)
        } else {
            let name = given.string()?;
            let read = |text: &[u8]| from_text(given, name, text, kind.element);
            let data =
                loader.array(name, Some(kind), (read, MAX_FILE_BYTES), |error| about_file(given, error))?;
            (data, loader.folder().path_of(name))
        };
        let array =
            AttributeArray { conversion: kind.conversion, divisor, ..AttributeArray::packed(data, size) };
        let values = length(&AttributeArray { size: 1, ..array.clone() });
        if values == 0 || !values.is_multiple_of(usize::from(size)) {
            let each = if divisor == 0 { "vertex" } else { "element" };
            let words = format!("found {}; each {each} needs {size}", format::counted(values, "number"));
            return Err(given.error(words));
        }
        Ok((AttributeSource::Array(array), file))
    }

    /// Returns the array in the buffer that `entry` names.
    fn in_buffer(
        &self,
        table: &Table<'_>,
        entry: &Entry<'_>,
        buffers: &[SceneBuffer],
    ) -> Result<(AttributeSource, ArrayInBuffer), SceneError> {
        if let Some(other) = ["values", "file", "value"].into_iter().find_map(|key| table.get(key)) {
            let words = "an attribute needs exactly one of values = [numbers], file = \"FILE\", value = [numbers] and buffer = \"NAME\"";
            return Err(other.error(words));
        }
        let buffer = buffers::named(entry.string()?, buffers, |words| entry.error(words))?;
        let &Self { number: attribute, kind, divisor, .. } = self;
        let (size, ty) = (self.size(table)?, kind.element.array_type());
        let close = u32::from(size) * ty.bytes() as u32;
        let bytes_there = buffers[buffer].store.len() as u32;
        let offset = table.get("offset").map_or(Ok(0), |entry| entry.integer(0..=bytes_there))?;
        let most = bytes_there.max(close);
        let stride = table.get("stride").map_or(Ok(close), |entry| entry.integer(close..=most))?;
        let bytes = buffers[buffer].store.bytes();
        let data = gl::strided((&bytes, offset as usize), ty, size.into(), stride as usize);
        let packed = AttributeArray::packed(data, size);
        let array = AttributeArray { conversion: kind.conversion, divisor, ..packed };
        if length(&array) == 0 {
            let found = format::counted(bytes_there as usize, "byte");
            let words = format!("the buffer has {found}, but one element needs {close}");
            return Err(entry.error(words));
        }
        let place = ArrayInBuffer { attribute, buffer, ty, place: [offset, stride] };
        Ok((AttributeSource::Array(array), place))
    }

    /// Unsigned bytes come in fours (NV_vertex_program 2.14.3).
    fn size(&self, table: &Table<'_>) -> Result<u8, SceneError> {
        match (self.size, self.kind.element) {
            (Some(4) | None, ElementType::UnsignedByte) => Ok(4),
            (Some(_), ElementType::UnsignedByte) => {
                Err(table.error_at("size", "arrays of type \"ubyte\" need size = 4"))
            }
            (Some(size), _) => Ok(size),
            (None, _) => {
                Err(table.error("the attribute needs size = 1 to 4: how many numbers each vertex has"))
            }
        }
    }
}

/// Reads `value`, which all vertices share.
fn current(entry: &Entry<'_>, kind: Kind) -> Result<Components, SceneError> {
    const FEW: &str = "1 to 4 numbers in brackets";
    let values = entry.array(1..=4, FEW)?;
    // These types become fp32, so Float reads the same values.
    if kind == DOUBLE || matches!(kind.element, ElementType::Short | ElementType::UnsignedByte) {
        let words = "\"value\" must have numbers of type float, int, uint, int64, uint64 or float64";
        return Err(entry.error(words));
    }
    let numbers = read(entry, &values, kind, FEW)?;
    let packed = AttributeArray::packed(numbers, values.len() as u8);
    Ok(AttributeArray { conversion: kind.conversion, ..packed }.value(0))
}

const NUMBERS: &str = "numbers in brackets";

pub(super) fn inline(entry: &Entry<'_>, kind: Kind) -> Result<ArrayData, SceneError> {
    read(entry, &entry.array(1..=MAX_VALUES, NUMBERS)?, kind, NUMBERS)
}

pub(super) fn single(entry: &Entry<'_>, kind: Kind) -> Result<ArrayData, SceneError> {
    read(entry, &[entry.value], kind, "a number")
}

/// Reads `values`. `many` describes them in messages.
fn read(entry: &Entry<'_>, values: &[&DeValue<'_>], kind: Kind, many: &str) -> Result<ArrayData, SceneError> {
    let (values, wanted) = (values.iter().copied(), &*kind.element.wanted());
    if kind == DOUBLE {
        // The values become fp32, so values out of fp32's range are refused.
        values.clone().try_for_each(|v| entry.float_of(v, many).map(drop))?;
    }
    Ok(match kind.element {
        ElementType::Float => ArrayData::Float(collect(values.map(|v| entry.float_of(v, many)))?),
        ElementType::Double => ArrayData::Double(collect(values.map(|v| entry.double_of(v, NUMBERS)))?),
        ElementType::Short => ArrayData::Short(collect(values.map(|v| whole(entry, v, wanted)))?),
        ElementType::UnsignedByte => {
            ArrayData::UnsignedByte(collect(values.map(|v| whole(entry, v, wanted)))?)
        }
        ElementType::Int => ArrayData::Int(collect(values.map(|v| whole(entry, v, wanted)))?),
        ElementType::UnsignedInt => ArrayData::UnsignedInt(collect(values.map(|v| whole(entry, v, wanted)))?),
        ElementType::Int64 => ArrayData::Int64(collect(values.map(|v| whole(entry, v, wanted)))?),
        ElementType::UnsignedInt64 => {
            ArrayData::UnsignedInt64(collect(values.map(|v| whole(entry, v, wanted)))?)
        }
    })
}

/// Reads a whole number in the range of `T`.
fn whole<T: TryFrom<i128>>(entry: &Entry<'_>, value: &DeValue<'_>, wanted: &str) -> Result<T, SceneError> {
    let number = value.as_integer().and_then(|n| i128::from_str_radix(n.as_str(), n.radix()).ok());
    number.and_then(|n| T::try_from(n).ok()).ok_or_else(|| entry.wrong(wanted, value))
}

fn collect<T>(values: impl Iterator<Item = Result<T, SceneError>>) -> Result<Arc<[T]>, SceneError> {
    values.collect::<Result<Vec<T>, SceneError>>().map(Into::into)
}

/// Reads the text of a file: numbers separated by whitespace or commas.
fn from_text(
    entry: &Entry<'_>,
    name: &str,
    bytes: &[u8],
    element: ElementType,
) -> Result<ArrayData, SceneError> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| entry.error(format!("{name}: the file is not text")))?;
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let wanted = &*element.wanted();
    Ok(match element {
        ElementType::Float => ArrayData::Float(parse(entry, name, words, wanted)?),
        ElementType::Short => ArrayData::Short(parse(entry, name, words, wanted)?),
        ElementType::Double => ArrayData::Double(parse(entry, name, words, wanted)?),
        ElementType::UnsignedByte => ArrayData::UnsignedByte(parse(entry, name, words, wanted)?),
        ElementType::Int => ArrayData::Int(parse(entry, name, words, wanted)?),
        ElementType::UnsignedInt => ArrayData::UnsignedInt(parse(entry, name, words, wanted)?),
        ElementType::Int64 => ArrayData::Int64(parse(entry, name, words, wanted)?),
        ElementType::UnsignedInt64 => ArrayData::UnsignedInt64(parse(entry, name, words, wanted)?),
    })
}

fn parse<'t, T: std::str::FromStr>(
    entry: &Entry<'_>,
    name: &str,
    words: impl Iterator<Item = &'t str>,
    wanted: &str,
) -> Result<Arc<[T]>, SceneError> {
    collect(words.enumerate().map(|(index, word)| {
        if index >= MAX_VALUES {
            return Err(entry.error(format!("{name}: there are more than {MAX_VALUES} numbers")));
        }
        word.parse().map_err(|_| {
            let word: String = word.chars().take(24).collect();
            entry.error(format!("{name}: number {} is \"{word}\"; expected {wanted}", index + 1))
        })
    }))
}

/// Reads `indices` of `[geometry]` and returns the vertices that `geometry` draws of `sources`.
pub(super) fn arrays(
    table: &Table<'_>,
    (primitive, geometry): (Primitive, &Geometry),
    sources: Vec<(u8, AttributeSource)>,
) -> Result<VertexArrays, SceneError> {
    let fault = |words: String| table.error_at("primitive", words);
    let of_each = |(number, source): &(u8, AttributeSource)| Some((*number, length(of_vertices(source)?)));
    let mut lengths = sources.iter().filter_map(of_each);
    let Some((first, vertices)) = lengths.next() else {
        return Err(fault(
            "a primitive needs an [[attribute]] with values or file, and without a divisor".to_owned(),
        ));
    };
    if let Some((number, found)) = lengths.find(|(_, found)| *found != vertices) {
        let (one, other) = (register(first), register(number));
        let vertices = format::counted(vertices, "vertex");
        return Err(fault(format!(
            "the array for {one} has {vertices}, but the array for {other} has {found}"
        )));
    }
    let elements = match table.get("indices") {
        Some(entry) => indices(table, &entry, geometry.restart, vertices)?,
        None => Elements::Range { first: 0, count: count(table, vertices)? },
    };
    Ok(VertexArrays { attributes: sources, primitive, elements })
}

/// Checks that `instances` of `elements` elements each are within the limit, and that each array of `sources`
/// is long enough for them. `tables` are the tables of the sources, for errors.
pub(super) fn check_instances(
    geometry: Option<&Table<'_>>,
    (instances, elements): (u32, usize),
    (tables, sources): (&[Table<'_>], &[(u8, AttributeSource)]),
) -> Result<(), SceneError> {
    if let Some(entry) = geometry.and_then(|table| table.get("instances"))
        && instances as usize > (MOST_ELEMENTS as usize) / elements.max(1)
    {
        let words = format!(
            "{instances} instances of {} exceed the limit of {MOST_ELEMENTS} elements",
            format::counted(elements, "element")
        );
        return Err(entry.error(words));
    }
    for (table, (number, source)) in tables.iter().zip(sources) {
        let AttributeSource::Array(array) = source else { continue };
        let Some(wanted) = instances.checked_next_multiple_of(array.divisor).map(|n| n / array.divisor)
        else {
            continue;
        };
        let (name, found) = (register(*number), length(array));
        if found < wanted as usize {
            let found = format::counted(found, "element");
            let need = if instances == 1 { "needs" } else { "need" };
            let instances = format::counted(instances as usize, "instance");
            return Err(table.error(format!("the array for {name} has {found}; {instances} {need} {wanted}")));
        }
    }
    Ok(())
}

/// Reads `count`: the number of elements to draw, at most `available`.
fn count(table: &Table<'_>, available: usize) -> Result<u32, SceneError> {
    let available = available as u32;
    table.get("count").map_or(Ok(available), |entry| entry.integer(0..=available))
}

fn indices(
    table: &Table<'_>,
    entry: &Entry<'_>,
    restart: Option<u32>,
    vertices: usize,
) -> Result<Elements, SceneError> {
    let values = entry.array(1..=MAX_VALUES, "vertex numbers in brackets")?;
    let indices = collect(values.iter().map(|value| {
        let index = entry.integer_of(value, &(0..=u32::MAX))?;
        if Some(index) == restart || (index as usize) < vertices {
            Ok(index)
        } else {
            let there = match vertices {
                1 => "vertex 0".to_owned(),
                _ => format!("vertices 0 to {}", vertices.saturating_sub(1)),
            };
            Err(entry.error(format!("\"indices\" names vertex {index}, but the arrays have only {there}")))
        }
    }))?;
    let count = count(table, indices.len())? as usize;
    let indices = if count == indices.len() { indices } else { indices[..count].into() };
    Ok(Elements::Indices { indices, restart })
}
