//! `[[buffer]]` of `scene.toml`: memory that programs read and write, at addresses and as parameter buffers.

use super::SceneError;
use super::arrays::{self, Kind, VALUES};
use super::loader::Loader;
use super::parameters::Half;
use super::parse::about_file;
use super::read::{Entry, Table};
use super::schema::{self, Number, OneOf, Schema, Shape, Text, Whole, schema};
use super::write::CONTENTS;
use super::write::values::list;
use super::{Component, NumberType, Setting, Slot};
use shadestep_engine::gl::{ArrayType, MOST_BUFFER_BYTES, bytes_of};
use shadestep_engine::ir::Type;
use shadestep_engine::ir::limits::PARAMETER_BUFFERS;
use shadestep_engine::isa::Stage;
use shadestep_engine::memory::{Mode, Store};
use shadestep_engine::pipeline::{ArrayConversion, ArrayData};
use std::path::PathBuf;
use std::sync::Arc;
use toml::de::DeValue;
use toml_edit::Value;

/// Limit on the buffers of a scene.
pub(crate) const MOST_BUFFERS: usize = 64;
/// Limit on the bytes of all buffers together.
const MOST_BYTES: usize = 2 * MOST_BUFFER_BYTES;

/// A buffer of a scene.
#[derive(Clone, Debug)]
pub struct SceneBuffer {
    pub name: String,
    /// The type of the elements. Only displays use it.
    pub element: ElementType,
    /// The contents when the scene begins.
    pub store: Arc<Store>,
    /// The accesses that programs may make at the address.
    pub access: Mode,
    /// Whether the buffer has an address. The buffers of images have none.
    pub resident: bool,
    /// The parameter buffers with these contents: stage and binding point.
    pub bound: Vec<(Stage, u8)>,
    /// The contents when a frame begins.
    pub each_frame: EachFrame,
    /// The source of the contents when the scene begins.
    pub contents: Contents,
    /// The file on disk with the contents, if there is one.
    pub(super) file: Option<PathBuf>,
}

/// The source of the first contents of a buffer or an image.
#[derive(Clone, Debug)]
pub enum Contents {
    /// None: the contents are undefined.
    Unwritten,
    /// One number in every element.
    Fill(f64),
    /// Numbers in the text.
    Values,
    /// A file in the scene's folder.
    File(String),
}

impl PartialEq for Contents {
    /// Compares numbers by their bits, so that a NaN equals itself and 0 differs from -0.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fill(a), Self::Fill(b)) => a.to_bits() == b.to_bits(),
            (Self::File(a), Self::File(b)) => a == b,
            (Self::Unwritten, Self::Unwritten) | (Self::Values, Self::Values) => true,
            (Self::Unwritten | Self::Fill(_) | Self::Values | Self::File(_), _) => false,
        }
    }
}

impl Contents {
    /// Reads `values`, `file` or `fill` of `table`. The caller has checked that there is at most one.
    pub(super) fn of(table: &Table<'_>) -> Result<Self, SceneError> {
        if table.get("values").is_some() {
            return Ok(Self::Values);
        }
        if let Some(entry) = table.get("file") {
            return Ok(Self::File(entry.string()?.to_owned()));
        }
        match table.get("fill") {
            Some(entry) => Ok(Self::Fill(entry.double_of(entry.value, "a number")?)),
            None => Ok(Self::Unwritten),
        }
    }
}

impl SceneBuffer {
    /// Limit on the elements that [`Self::numbers`] lists.
    const MOST_LISTED: u64 = 1024;

    /// Returns the elements as `values` lists them in a scene's text. Returns `None` for more than 1024
    /// elements, and for integers of more than 63 bits, which TOML cannot express.
    pub fn numbers(&self) -> Option<Vec<ListedNumber>> {
        let (bytes, each) = (self.store.len(), self.element.bytes() as u64);
        if bytes > Self::MOST_LISTED * each || bytes % each != 0 {
            return None;
        }
        let bytes = self.store.bytes();
        bytes.chunks_exact(self.element.bytes()).map(|chunk| self.element.listed(chunk)).collect()
    }
}

/// An element of a buffer, as a TOML number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListedNumber {
    /// A whole number.
    Whole(i64),
    /// fp32
    Float(f32),
    /// fp64
    Double(f64),
}

shadestep_engine::named_enum! {
    /// The contents of a buffer when a frame begins, by its name in `scene.toml`.
    #[derive(Default)]
    pub enum EachFrame {
        /// The first contents.
        #[default]
        Reset = "reset",
        /// The result of the last frame.
        Keep = "keep",
    }

    /// The type of the elements of a buffer, by its name in `scene.toml`.
    #[derive(Default)]
    pub enum ElementType(
        /// The type in the object model.
        pub array_type: ArrayType,
        /// The type of an element in a register, where small integers have 32 bits.
        pub ty: Type,
        conversion: ArrayConversion,
    ) {
        /// fp32
        #[default]
        Float = "float" => (ArrayType::Float, Type::F32, ArrayConversion::Float),
        /// Signed integers of 16 bits.
        Short = "short" => (ArrayType::Short, Type::S32, ArrayConversion::Float),
        /// Unsigned integers of 8 bits.
        UnsignedByte = "ubyte" => (ArrayType::UnsignedByte, Type::U32, ArrayConversion::Normalized),
        /// Signed integers of 32 bits.
        Int = "int" => (ArrayType::Int, Type::S32, ArrayConversion::Integer),
        /// Unsigned integers of 32 bits.
        UnsignedInt = "uint" => (ArrayType::UnsignedInt, Type::U32, ArrayConversion::Integer),
        /// Signed integers of 64 bits.
        Int64 = "int64" => (ArrayType::Int64, Type::S64, ArrayConversion::Long),
        /// Unsigned integers of 64 bits.
        UnsignedInt64 = "uint64" => (ArrayType::UnsignedInt64, Type::U64, ArrayConversion::Long),
        /// fp64
        Double = "float64" => (ArrayType::Double, Type::F64, ArrayConversion::Long),
    }
}

impl ElementType {
    /// Size of one element, in bytes.
    pub const fn bytes(self) -> usize {
        self.array_type().bytes()
    }

    /// Returns the bits that a register holds after a load of this element. `bytes` are little-endian.
    pub fn bits(self, bytes: &[u8]) -> u64 {
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        match self {
            Self::Short => u64::from(i32::from((bits as u16).cast_signed()).cast_unsigned()),
            _ => bits,
        }
    }

    /// Returns the element in `bytes` (little-endian). Returns `None` for an integer that TOML cannot
    /// express.
    fn listed(self, bytes: &[u8]) -> Option<ListedNumber> {
        let bits = self.bits(bytes);
        Some(match self {
            Self::Float => ListedNumber::Float(f32::from_bits(bits as u32)),
            Self::Double => ListedNumber::Double(f64::from_bits(bits)),
            Self::Int64 => ListedNumber::Whole(bits.cast_signed()),
            Self::UnsignedInt64 => ListedNumber::Whole(bits.try_into().ok()?),
            Self::Short | Self::Int => ListedNumber::Whole((bits as u32).cast_signed().into()),
            Self::UnsignedByte | Self::UnsignedInt => ListedNumber::Whole((bits as u32).into()),
        })
    }

    /// The type of numbers in arrays, converted as its register type needs.
    pub(super) const fn kind(self) -> Kind {
        Kind { element: self, conversion: self.conversion() }
    }

    /// A description of one number, for messages.
    pub(super) fn wanted(self) -> String {
        let bits = 8 * self.bytes() as u32;
        let (least, most) = match self {
            Self::Float | Self::Double => return "a number".to_owned(),
            Self::Short | Self::Int | Self::Int64 => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
            Self::UnsignedByte | Self::UnsignedInt | Self::UnsignedInt64 => (0, (1_i128 << bits) - 1),
        };
        format!("a whole number from {least} to {most}")
    }
}

pub(crate) const ACCESSES: [(Mode, &str); 3] =
    [(Mode::ReadWrite, "READ_WRITE"), (Mode::ReadOnly, "READ_ONLY"), (Mode::WriteOnly, "WRITE_ONLY")];

impl SceneBuffer {
    pub fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }
}

/// Reads every `[[buffer]]`.
pub(super) fn buffers(loader: &Loader<'_>, tables: &[Table<'_>]) -> Result<Vec<SceneBuffer>, SceneError> {
    let mut buffers: Vec<SceneBuffer> = Vec::with_capacity(tables.len().min(MOST_BUFFERS));
    for table in tables {
        let room = Room::of(table, &buffers)?;
        let buffer = buffer(loader, table, room)?;
        for (stage, point) in &buffer.bound {
            let holds = |other: &&SceneBuffer| other.bound.contains(&(*stage, *point));
            if let Some(other) = buffers.iter().find(holds) {
                let words = format!("{} is already \"{}\"", bound_name(*stage, *point), other.name);
                return Err(table.error_at("bind", words));
            }
        }
        buffers.push(buffer);
        check_name(table, &buffers)?;
    }
    Ok(buffers)
}

/// Checks that the last of `buffers`, which `table` describes, has a unique name.
pub(super) fn check_name(table: &Table<'_>, buffers: &[SceneBuffer]) -> Result<(), SceneError> {
    let Some((last, before)) = buffers.split_last() else { return Ok(()) };
    if before.iter().any(|other| other.name == last.name) {
        let what = if last.resident { "a buffer" } else { "a buffer or image" };
        return Err(table.error_at("name", format!("there is already {what} \"{}\"", last.name)));
    }
    Ok(())
}

/// The bytes that a scene has left for buffers and images.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room(u64);

impl Room {
    /// Returns the bytes left after `buffers` for the next one, which `table` describes.
    pub fn of(table: &Table<'_>, buffers: &[SceneBuffer]) -> Result<Self, SceneError> {
        if buffers.len() == MOST_BUFFERS {
            return Err(table.error(format!("a scene can have at most {MOST_BUFFERS} buffers and images")));
        }
        let bytes: u64 = buffers.iter().map(|buffer| buffer.store.len()).sum();
        Ok(Self((MOST_BYTES as u64).saturating_sub(bytes)))
    }

    /// Checks that `bytes`, the size that `entry` sets, fit. Call this before memory is allocated.
    pub fn check(self, entry: &Entry<'_>, bytes: u64) -> Result<(), SceneError> {
        if bytes <= self.0 {
            return Ok(());
        }
        let most = MOST_BYTES >> 20;
        Err(entry.error(format!("the scene's buffers and images exceed {most} MiB together")))
    }

    /// Limit on the size of a file for one buffer, in bytes.
    pub fn of_file(self) -> u64 {
        self.0.min(MOST_BUFFER_BYTES as u64)
    }
}

/// A parameter buffer as scenes name it: `fragment.buffer[0]`.
pub fn bound_name(stage: Stage, point: u8) -> String {
    let stage = if stage == Stage::VertexState { Stage::Vertex } else { stage };
    format!("{}.buffer[{point}]", Slot::first(stage).key())
}

/// The keys of a `[[buffer]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferKeys {
    /// The name. References to the buffer change with it.
    pub name: String,
    pub element: ElementType,
    /// Length in bytes.
    pub size: Option<u32>,
    pub contents: Contents,
    pub access: Mode,
    pub bound: Vec<(Stage, u8)>,
    pub each_frame: EachFrame,
}

impl BufferKeys {
    /// Returns the first key that differs from `old`, as a change.
    pub fn since(self, old: &Self) -> Option<Setting<Self>> {
        let contents = (self.contents != old.contents).then_some(CONTENTS);
        let key = contents.or_else(|| BUFFER.changed(old, &self))?;
        Some(Setting { key, keys: Box::new(self) })
    }
}

impl SceneBuffer {
    /// The keys that make the buffer.
    pub fn keys(&self) -> BufferKeys {
        BufferKeys {
            name: self.name.clone(),
            element: self.element,
            size: u32::try_from(self.store.len()).ok(),
            contents: self.contents.clone(),
            access: self.access,
            bound: self.bound.clone(),
            each_frame: self.each_frame,
        }
    }
}

const BYTES: Whole<u32> = Whole::new(1, MOST_BUFFER_BYTES as u32);

/// `[[buffer]]`.
pub(super) static BUFFER: Schema<BufferKeys> = schema! { BufferKeys, "in [[buffer]]";
    "name": Name, [name], needs "the buffer needs name = \"NAME\"",
        "1 to 64 letters, digits, `_`, `-` and `.`.";
    "type": OneOf(&ElementType::NAMED), [element], "`\"float\"`", "Type of its numbers.";
    "values": VALUES, [-], "none", "The contents.";
    "file": Text("file"), [-], "none", "The contents as bytes.";
    "size": BYTES, [some size], "none", "Length in bytes. With `values` or `file` it adds room after them.";
    "fill": Number::Any, [-], "undefined", "With `size` alone: this number fills the buffer.";
    "access": OneOf(&ACCESSES), [access], "`\"READ_WRITE\"`", "The access of programs at its address.";
    "bind": Bound, [bound], "none",
        "Parameter buffers, such as `\"fragment.buffer[0]\"`, for any stage, numbers 0 to 13.";
    "each_frame": OneOf(&EachFrame::NAMED), [each_frame], "`\"reset\"`",
        "`\"keep\"` starts a frame with the result of the last one.";
};

fn buffer(loader: &Loader<'_>, table: &Table<'_>, room: Room) -> Result<SceneBuffer, SceneError> {
    let mut keys = BufferKeys {
        name: String::new(),
        element: ElementType::default(),
        size: None,
        contents: Contents::Unwritten,
        access: Mode::ReadWrite,
        bound: Vec::new(),
        each_frame: EachFrame::default(),
    };
    BUFFER.read(table, &mut keys)?;
    let BufferKeys { name, element, size: length, access, bound, each_frame, .. } = keys;
    let given: Vec<Entry<'_>> =
        ["values", "file", "size"].into_iter().filter_map(|key| table.get(key)).collect();
    // With other contents, `size` adds room after them.
    let (given, size) = match given.as_slice() {
        [given] => (given, None),
        [given, size] if size.name == "size" => (given, Some(size)),
        _ => {
            let words = "a buffer needs exactly one of values = [numbers], file = \"FILE\" and size = BYTES";
            return Err(given.get(1).map_or_else(|| table.error(words), |second| second.error(words)));
        }
    };
    if let Some(fill) = table.get("fill").filter(|_| given.name != "size") {
        return Err(fill.error("\"fill\" works only with size = BYTES"));
    }
    let mut file = None;
    let store = match (given.name, length) {
        ("values", _) => {
            let data = arrays::inline(given, element.kind())?;
            checked(given, room, data.bytes())?;
            Store::new(&bytes_of(&data))
        }
        ("size", Some(length)) => {
            room.check(given, length.into())?;
            match table.get("fill") {
                Some(entry) => Store::new(&filled(&entry, length as usize, element)?),
                None => Store::unwritten(length.into()),
            }
        }
        _ => {
            let path = given.string()?;
            room.check(given, 1)?;
            let raw = |bytes: &[u8]| Ok(ArrayData::UnsignedByte(bytes.into()));
            let read = (raw, room.of_file());
            let data = loader.array(path, None, read, |error| about_file(given, error))?;
            file = loader.folder().path_of(path);
            checked(given, room, data.bytes())?;
            Store::new(&bytes_of(&data))
        }
    };
    let store = match size.zip(length) {
        Some((size, length)) => with_room(store, (size, length.into()), room)?,
        None => store,
    };
    let (store, contents) = (Arc::new(store), Contents::of(table)?);
    Ok(SceneBuffer { name, element, store, access, resident: true, bound, each_frame, contents, file })
}

/// Checks the length of a buffer. Errors are at `entry`, which sets the contents.
fn checked(entry: &Entry<'_>, room: Room, bytes: usize) -> Result<(), SceneError> {
    if !(1..=MOST_BUFFER_BYTES).contains(&bytes) {
        return Err(entry.error(format!("the buffer has {bytes} bytes; choose 1 to {MOST_BUFFER_BYTES}")));
    }
    room.check(entry, bytes as u64)
}

/// Returns the contents with undefined bytes after them, `length` bytes in all. `size` sets the length.
fn with_room(store: Store, (size, length): (&Entry<'_>, u64), room: Room) -> Result<Store, SceneError> {
    room.check(size, length)?;
    if length < store.len() {
        return Err(
            size.error(format!("\"size\" is {length}, less than the {} bytes of the data", store.len()))
        );
    }
    let mut room = Store::unwritten(length);
    room.write(0, &store.bytes());
    Ok(room)
}

/// Returns `length` bytes filled with one number. A remainder shorter than the number is 0.
fn filled(entry: &Entry<'_>, length: usize, element: ElementType) -> Result<Vec<u8>, SceneError> {
    let one = bytes_of(&arrays::single(entry, element.kind())?);
    let mut bytes = one.repeat(length / one.len());
    bytes.resize(length, 0);
    Ok(bytes)
}

/// Whether a buffer or an image can have this name.
pub fn is_buffer_name(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=64).contains(&name.len()) && name.chars().all(legal)
}

/// The name of a buffer or an image.
pub(super) struct Name;

impl schema::Kind for Name {
    type Value = String;

    fn read(&self, entry: &Entry<'_>) -> Result<String, SceneError> {
        let name = entry.string()?;
        if !is_buffer_name(name) {
            return Err(entry.error("a name consists of 1 to 64 letters, digits, \"_\", \"-\" and \".\""));
        }
        Ok(name.to_owned())
    }

    fn write(&self, name: &String) -> Option<Value> {
        Some(name.into())
    }

    fn shape(&self) -> Shape {
        Shape::Text("text")
    }
}

/// `"fragment.buffer[0]"`, or several of them in brackets.
pub(super) struct Bound;

const MOST_BOUND: usize = Slot::SINGLE.len() * PARAMETER_BUFFERS;

impl schema::Kind for Bound {
    type Value = Vec<(Stage, u8)>;

    fn read(&self, entry: &Entry<'_>) -> Result<Vec<(Stage, u8)>, SceneError> {
        let names = match entry.value.as_str() {
            Some(name) => vec![name],
            None => entry
                .strings(1..=MOST_BOUND, "parameter buffers in brackets, such as [\"fragment.buffer[0]\"]")?,
        };
        let mut all = Vec::with_capacity(names.len());
        for name in names {
            let parsed = Slot::SINGLE.into_iter().find_map(|slot| {
                let digits = name.strip_prefix(slot.key())?.strip_prefix(".buffer[")?.strip_suffix(']')?;
                let number = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))?;
                (usize::from(number) < PARAMETER_BUFFERS).then_some((slot.stage(), number))
            });
            let last = PARAMETER_BUFFERS - 1;
            let words = || {
                format!(
                    "\"{name}\" is not a parameter buffer: use \"fragment.buffer[0]\" to \"fragment.buffer[{last}]\", or another stage"
                )
            };
            let parsed = parsed.ok_or_else(|| entry.error(words()))?;
            if all.contains(&parsed) {
                return Err(entry.error(format!("\"{name}\" appears twice")));
            }
            all.push(parsed);
        }
        Ok(all)
    }

    fn write(&self, bound: &Vec<(Stage, u8)>) -> Option<Value> {
        let mut names = bound.iter().map(|(stage, point)| Value::from(bound_name(*stage, *point)));
        match bound.len() {
            0 => None,
            1 => names.next(),
            _ => Some(list(names)),
        }
    }

    fn shape(&self) -> Shape {
        let one = Shape::Text("text");
        Shape::Either(vec![one.clone(), one.array(1, MOST_BOUND).called("texts")])
    }
}

/// Whether a parameter's value contains addresses.
pub(super) fn names_address(entry: &Entry<'_>) -> bool {
    let is_one = |value: &DeValue<'_>| value.as_str().is_some_and(|word| word.starts_with("address_of("));
    match entry.value {
        DeValue::Array(values) => values.iter().any(|value| is_one(value.get_ref())),
        value => is_one(value),
    }
}

/// Reads one or two `address_of("name")`: two components each, the low word first. Missing components are 0.
pub(super) fn addresses(
    entry: &Entry<'_>,
    buffers: &[SceneBuffer],
) -> Result<([Component; 4], usize), SceneError> {
    const WANTED: &str = "one or two of 'address_of(\"NAME\")' in brackets, or one alone";
    let values = match entry.value {
        DeValue::Array(_) => entry.array(1..=2, WANTED)?,
        single => vec![single],
    };
    let mut filled = [Component::whole(0, NumberType::Uint); 4];
    for (place, value) in values.iter().enumerate() {
        let word = value.as_str().ok_or_else(|| entry.wrong(WANTED, value))?;
        let inner = word.strip_prefix("address_of(").and_then(|rest| rest.strip_suffix(')'));
        let name = inner.map(|inner| inner.trim().trim_matches('"'));
        let name = name.ok_or_else(|| entry.error(format!("\"{}\" must be {WANTED}", entry.name)))?;
        // There are at most 64 buffers.
        let number = named(name, buffers, |words| entry.error(words))? as u8;
        filled[2 * place] = Component::Address(number, Half::Low);
        filled[2 * place + 1] = Component::Address(number, Half::High);
    }
    Ok((filled, 2 * values.len()))
}

/// Returns the number of the buffer `name`. The buffers of images are not found. `error` makes the error for
/// an unknown name.
pub(super) fn named(
    name: &str,
    buffers: &[SceneBuffer],
    error: impl FnOnce(String) -> SceneError,
) -> Result<usize, SceneError> {
    let called = || buffers.iter().enumerate().filter(|(_, buffer)| buffer.resident);
    let found = called().find(|(_, buffer)| buffer.name == name);
    found.map(|(number, _)| number).ok_or_else(|| {
        let hint = crate::suggest::known(name, called().map(|(_, buffer)| buffer.name.as_str()), "buffers");
        error(format!("there is no buffer \"{name}\"{hint}"))
    })
}
