//! Memory of a run: the initial contents of its buffers, and the expected contents at the end.

use std::fmt::Write;

use shadestep_core::memory::{Bound, BoundImage, BufferId, Memory, Mode, Reason};
use shadestep_engine::exec::Bindings;
use shadestep_engine::ir::{ImageAccess, limits};
use shadestep_engine::texture::ImageFormat;

use super::format::{Expectation, Fact, Run};
use super::values::{Number, parse_numbers};

/// The binding of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Resident at this address.
    Address(u64),
    /// Bound to this binding point.
    Point(usize),
    /// Bound to this image unit.
    Image(usize),
}

impl Place {
    /// Parses `memory 0x10000` or `buffer[2]`. Also returns the rest of the text.
    pub fn parse(name: &str) -> Option<Result<(Self, &str), String>> {
        if let Some(rest) = name.strip_prefix("memory ") {
            let (number, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            let address = number.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
            return Some(match address {
                Some(address) => Ok((Self::Address(address), rest.trim())),
                None => Err(format!("`{number}` is no address: 0x10000")),
            });
        }
        let numbered = |prefix, what| {
            let (number, rest) = name.strip_prefix(prefix)?.split_once(']')?;
            let number = number.parse::<usize>().map_err(|_| format!("`{number}` is no {what}"));
            Some(number.map(|number| (number, rest.trim())))
        };
        let point = numbered("buffer[", "binding point").map(|p| p.map(|(n, rest)| (Self::Point(n), rest)));
        let image = || numbered("image[", "image unit").map(|p| p.map(|(n, rest)| (Self::Image(n), rest)));
        point.or_else(image)
    }
}

/// A buffer with its initial contents.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub place: Place,
    pub mode: Mode,
    pub bytes: Vec<u8>,
    /// The image, if the buffer is bound as one. [`begin`] fills in the image's buffer.
    pub image: Option<Result<BoundImage, Reason>>,
}

impl Buffer {
    /// Parses the mode after the place, and the numbers after `=`. The default mode is `READ_WRITE`.
    pub fn parse(place: Place, rest: &str, value: &str) -> Result<Self, String> {
        let (mode, image) = match place {
            Place::Image(_) => parse_image(rest).map(|(mode, image)| (mode, Some(image)))?,
            _ => (mode_of(rest).ok_or_else(|| format!("`{rest}` is no access mode"))?, None),
        };
        let numbers: Option<Vec<Number>> = parse_numbers(value)?.into_iter().collect();
        let bytes = numbers.ok_or("no value")?.into_iter().flat_map(bytes).collect();
        Ok(Self { place, mode, bytes, image })
    }
}

fn mode_of(word: &str) -> Option<Mode> {
    Some(match word {
        "" | "READ_WRITE" => Mode::ReadWrite,
        "READ_ONLY" => Mode::ReadOnly,
        "WRITE_ONLY" => Mode::WriteOnly,
        _ => return None,
    })
}

/// Parses target, size and internal format: `2D 4x2 R32UI`. After the format may follow `as RGBA8` (the
/// format of the unit), `layers 3`, `samples 4`, and the access that programs have.
fn parse_image(text: &str) -> Result<(Mode, Result<BoundImage, Reason>), String> {
    let mut words = text.split_whitespace();
    let mut next = |what: &str| words.next().ok_or_else(|| format!("an image has {what}"));
    let name = next("a target")?;
    let target = ImageAccess::TARGETS.into_iter().find(|target| target.name() == name);
    let target = target.ok_or_else(|| format!("`{name}` is no image target"))?;
    let mut size = [1; 3];
    let sides = next("a size")?;
    for (side, word) in size.iter_mut().zip(sides.split('x')) {
        *side = word.parse().map_err(|_| format!("`{sides}` is no size"))?;
    }
    let format = |name: &str| ImageFormat::from_name(name).ok_or_else(|| format!("`{name}` is no format"));
    let internal = format(next("a format")?)?;
    let (buffer, offset, access) = (BufferId(0), 0, Mode::ReadWrite);
    let mut image =
        BoundImage { buffer, offset, target, size, layers: 1, samples: 1, format: internal, access };
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse().ok()).ok_or(format!("how many {word}?"));
        match word {
            "as" => image.format = format(words.next().unwrap_or_default())?,
            "layers" => image.layers = number()?,
            "samples" => image.samples = number()?,
            _ => image.access = mode_of(word).ok_or_else(|| format!("`{word}` says nothing of an image"))?,
        }
    }
    let fits = image.format.bytes() == internal.bytes();
    Ok((image.access, if fits { Ok(image) } else { Err(Reason::OtherFormat) }))
}

/// The bytes of a number in memory, in little-endian order.
fn bytes(number: Number) -> Vec<u8> {
    let size = if number.ty.is_wide() { 8 } else { 4 };
    number.bits.to_le_bytes()[..size].to_vec()
}

/// Creates the buffers of `run` with their initial contents and binds them.
pub fn begin(run: &Run, bindings: &mut Bindings) -> Result<(), String> {
    let mut memory = Memory::default();
    let mut units = vec![Err(Reason::NoImage); limits::IMAGE_UNITS];
    for buffer in &run.buffers {
        let id = memory.add(&buffer.bytes);
        match buffer.place {
            Place::Address(address) => {
                let placed = memory.make_resident(id, address, buffer.mode);
                placed.map_err(|error| format!("  no buffer can be at {address:#x}: {error:?}\n"))?;
            }
            Place::Point(point) => {
                let slot = bindings.buffers.get_mut(point).ok_or("  no such binding point\n")?;
                *slot = Some(Bound { buffer: id, offset: 0, size: buffer.bytes.len() as u64 });
            }
            Place::Image(unit) => {
                let unit = units.get_mut(unit).ok_or("  no such image unit\n")?;
                *unit = buffer.image.unwrap_or(Err(Reason::NoImage));
                if let Ok(image) = unit {
                    image.buffer = id;
                }
            }
        }
    }
    memory.bind_images(units);
    // The new memory has a list of reports of its own.
    bindings.memory = memory.into();
    Ok(())
}

/// Returns true if the run has buffers or expects reports of memory accesses.
pub fn is_used(run: &Run) -> bool {
    !run.buffers.is_empty() || run.expectations.iter().any(|e| matches!(e.fact, Fact::Reported(_)))
}

/// Compares the memory in `bindings` and its reports with the expectations of `run`.
pub fn compare(run: &Run, bindings: &Bindings, who: &str, faults: &mut String) {
    let memory = bindings.memory.snapshot();
    for Expectation { line, fact, .. } in &run.expectations {
        match fact {
            Fact::Memory(place, expected) => {
                let index = run.buffers.iter().position(|buffer| buffer.place == *place);
                let Some(index) = index else {
                    let _ = writeln!(faults, "  line {line}: the run has no such buffer");
                    continue;
                };
                let held = memory.bytes(BufferId(index as u32));
                let size = |number: &Option<Number>| match number {
                    Some(number) if number.ty.is_wide() => 8,
                    _ => 4,
                };
                if expected.iter().map(size).sum::<usize>() != held.len() {
                    let _ = writeln!(faults, "  line {line}: the buffer has {} bytes", held.len());
                    continue;
                }
                let mut at = 0;
                for number in expected {
                    let mut word = [0; 8];
                    word[..size(number)].copy_from_slice(&held[at..at + size(number)]);
                    let found = u64::from_le_bytes(word);
                    if let Some(number) = number.filter(|number| !number.matches(found, None)) {
                        let got = super::values::describe(number.ty, found);
                        let _ = writeln!(
                            faults,
                            "  line {line}: {who}: byte {at} expected {}, got {got}",
                            number.describe()
                        );
                    }
                    at += size(number);
                }
            }
            Fact::Reported(expected) => {
                let mut found: Vec<Reason> =
                    bindings.memory.reports().iter().map(|report| report.first.reason).collect();
                found.dedup();
                if found != *expected {
                    let _ = writeln!(faults, "  line {line}: {who}: reported {found:?}");
                }
            }
            _ => {}
        }
    }
}

/// Parses a list of reasons, such as `not resident, misaligned`. `nothing` is the empty list.
pub fn parse_reasons(text: &str) -> Result<Vec<Reason>, String> {
    let reason = |word: &str| {
        Ok(match word.trim() {
            "not bound" => Reason::NotBound,
            "outside the array" => Reason::OutsideArray,
            "not resident" => Reason::NotResident,
            "out of bounds" => Reason::OutOfBounds,
            "misaligned" => Reason::Misaligned,
            "not readable" => Reason::NotReadable,
            "not writable" => Reason::NotWritable,
            "no image" => Reason::NoImage,
            "other format" => Reason::OtherFormat,
            "outside the image" => Reason::OutsideImage,
            "other size" => Reason::OtherSize,
            "other numbers" => Reason::OtherNumbers,
            other => return Err(format!("`{other}` is no reason")),
        })
    };
    if text == "nothing" {
        return Ok(Vec::new());
    }
    text.split(',').map(reason).collect()
}
