//! Memory of a run: the buffers that it begins with, and what they must hold at the end.

use std::fmt::Write;

use shadestep_engine::exec::Bindings;
use shadestep_engine::memory::{Bound, BufferId, Memory, Mode, Reason};

use crate::format::{Expectation, Fact, Run};
use crate::values::{Number, parse_numbers};

/// Where a buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Resident from this address on.
    Address(u64),
    /// Bound to this binding point.
    Point(usize),
}

impl Place {
    /// `memory 0x10000` or `buffer[2]`, and what stands behind.
    pub fn parse(name: &str) -> Option<Result<(Self, &str), String>> {
        if let Some(rest) = name.strip_prefix("memory ") {
            let (number, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            let address = number.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
            return Some(match address {
                Some(address) => Ok((Self::Address(address), rest.trim())),
                None => Err(format!("`{number}` is no address: 0x10000")),
            });
        }
        let (number, rest) = name.strip_prefix("buffer[")?.split_once(']')?;
        let point = number.parse().map_err(|_| format!("`{number}` is no binding point"));
        Some(point.map(|point| (Self::Point(point), rest.trim())))
    }
}

/// A buffer as a run begins.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub place: Place,
    pub mode: Mode,
    pub bytes: Vec<u8>,
}

impl Buffer {
    /// `= numbers` behind its place and mode; `READ_WRITE` if none is written.
    pub fn parse(place: Place, mode: &str, value: &str) -> Result<Self, String> {
        let mode = match mode {
            "" | "READ_WRITE" => Mode::ReadWrite,
            "READ_ONLY" => Mode::ReadOnly,
            "WRITE_ONLY" => Mode::WriteOnly,
            _ => return Err(format!("`{mode}` is no access mode")),
        };
        let numbers: Option<Vec<Number>> = parse_numbers(value)?.into_iter().collect();
        let bytes = numbers.ok_or("no value")?.into_iter().flat_map(bytes).collect();
        Ok(Self { place, mode, bytes })
    }
}

/// The bytes of a number in memory.
fn bytes(number: Number) -> Vec<u8> {
    let size = if number.ty.is_wide() { 8 } else { 4 };
    number.bits.to_le_bytes()[..size].to_vec()
}

/// Puts the buffers of `run` where it says, as they are at its beginning.
pub fn begin(run: &Run, bindings: &mut Bindings) -> Result<(), String> {
    let mut memory = Memory::default();
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
        }
    }
    // With reports of its own.
    bindings.memory = memory.into();
    Ok(())
}

/// Whether the run has anything to do with memory.
pub fn is_used(run: &Run) -> bool {
    !run.buffers.is_empty() || run.expectations.iter().any(|e| matches!(e.fact, Fact::Reported(_)))
}

/// Compares what the memory of `bindings` holds, and what was reported of accesses, with what `run` expects.
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
                        let got = crate::values::describe(number.ty, found);
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

/// `not resident`, `misaligned`, ..., as a list; `nothing` for none.
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
            other => return Err(format!("`{other}` is no reason")),
        })
    };
    if text == "nothing" {
        return Ok(Vec::new());
    }
    text.split(',').map(reason).collect()
}
