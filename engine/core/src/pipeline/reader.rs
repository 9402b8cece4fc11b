//! Inputs of geometry and tessellation programs (NV_geometry_program4 2.X.3.2, NV_tessellation_program5
//! 2.X.3.2): the results of an earlier stage for each vertex, and the values per patch.

use super::TessellationLevels;
use super::interface::StageInterface;
use super::vertices::{Keeping, Vertices};
use crate::exec::{AttributeLanes, PrimitiveInputs};
use shadestep_language::ir::{Attribute, PatchResult, limits, single_bits};
use std::ops::Range;

/// A primitive or patch that a program runs for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Number among the primitives that the previous stage made for the instance.
    pub number: u32,
    /// The `primitive.id`.
    pub id: u32,
    /// The simple primitive or patch of the draw that the input is or originates from.
    pub source: u32,
    /// Index of the first slot; `count` slots follow each other.
    first: u32,
    count: u8,
    /// Row among the patch values.
    patch: u32,
}

/// Primitives with the slots of their vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    list: Vec<Input>,
    slots: Vec<u32>,
}

impl Inputs {
    /// Number of primitives.
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, place: usize) -> Input {
        self.list[place]
    }

    /// The slots of a primitive's vertices.
    pub fn slots(&self, place: usize) -> &[u32] {
        let Input { first, count, .. } = self.list[place];
        &self.slots[first as usize..][..count.into()]
    }

    /// Adds a primitive, unless a vertex is missing. `patch` is its row among the patch values.
    pub fn push(
        &mut self,
        (number, id, source): (u32, u32, u32),
        patch: u32,
        slots: impl Iterator<Item = Option<u32>>,
    ) {
        let first = self.slots.len();
        for slot in slots {
            let Some(slot) = slot else { return self.slots.truncate(first) };
            self.slots.push(slot);
        }
        let count = (self.slots.len() - first) as u8;
        self.list.push(Input { number, id, source, first: first as u32, count, patch });
    }
}

/// The values per patch, one row per patch.
#[derive(Clone, Debug, Default)]
pub(super) struct PatchValues {
    pub columns: usize,
    pub data: Vec<f32>,
}

impl PatchValues {
    /// The values that `reader` reads for patches without a control program, one row for all patches. The
    /// levels are the default levels. All other values are undefined, here 0 (NV_tessellation_program5
    /// 2.X.3.2).
    pub fn without_control(reader: &Reader, levels: &TessellationLevels) -> Self {
        let TessellationLevels { outer, inner } = levels;
        let value = |&(result, component): &(PatchResult, usize)| match (result, component) {
            (PatchResult::Outer(number), 0) => outer[usize::from(number)],
            (PatchResult::Inner(number), 0) => inner[usize::from(number)],
            _ => 0.0,
        };
        Self { columns: reader.patches.len(), data: reader.patches.iter().map(value).collect() }
    }

    fn row(&self, patch: u32) -> &[f32] {
        self.data.get(patch as usize * self.columns..).unwrap_or_default()
    }

    /// Appends the rows of `others`, which must have the same number of columns.
    pub fn append(&mut self, mut others: Self) {
        self.data.append(&mut others.data);
    }
}

/// The inputs of a stage, with their vertices and patch values.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub inputs: &'a Inputs,
    pub vertices: &'a Vertices,
    pub patches: &'a PatchValues,
}

impl Reading<'_> {
    /// Records the clocks of the vertices that each lane reads, if clocks are kept. `places` holds the input
    /// of each lane.
    pub fn hand_on(&self, lanes: &mut AttributeLanes, places: impl Iterator<Item = usize>) {
        if matches!(self.vertices.keeping(), Keeping::Races(_)) {
            let before =
                |place: usize| self.inputs.slots(place).iter().map(|slot| self.vertices.before(*slot));
            lanes.set_before(places.map(before));
        }
    }
}

/// The attributes that a program reads, and the data that earlier stages store for them.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// The stored data of vertices.
    pub vertices: StageInterface,
    /// The stored data of patches, one column per component.
    pub patches: Vec<(PatchResult, usize)>,
    /// The attributes, each with the column of each component; `None` for components that are not read.
    inputs: Vec<(Attribute, [Option<u16>; 4])>,
}

impl Reader {
    /// The reader of a program that reads these components.
    pub fn new(inputs: &[(Attribute, u8)]) -> Self {
        let (mut vertices, mut patches) = (StageInterface::default(), Vec::new());
        let inputs = inputs.iter().map(|&(attribute, used)| {
            let column = |component: usize| {
                let is_used = used >> component & 1 != 0;
                match attribute {
                    Attribute::OfVertex { result, .. } if is_used => Some(vertices.bits(result, component)),
                    Attribute::OfPatch(result) if is_used => {
                        let kept = patches.iter().position(|other| *other == (result, component));
                        Some(kept.unwrap_or_else(|| {
                            patches.push((result, component));
                            patches.len() - 1
                        }) as u16)
                    }
                    _ => None,
                }
            };
            (attribute, [0, 1, 2, 3].map(column))
        });
        let inputs = inputs.collect();
        Self { vertices, patches, inputs }
    }

    /// The reader of a recorded program. Includes all components of the attributes that its instructions
    /// name, the same attributes of the other vertices, and the numbers of the invocation.
    pub fn of_all(inputs: &[(Attribute, u8)]) -> Self {
        let read = inputs.iter().map(|(attribute, _)| *attribute);
        let of_vertices = |attribute: Attribute| match attribute {
            Attribute::OfVertex { .. } => {
                (0..limits::PATCH_VERTICES).map(|v| attribute.at_vertex(v)).collect()
            }
            other => vec![other],
        };
        // The program finds its own attributes by position, so these come first.
        let mut all: Vec<Attribute> = read.clone().collect();
        let mut others: Vec<Attribute> = read.flat_map(of_vertices).chain(Attribute::NUMBERS).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|other| !all.contains(other));
        all.extend(others);
        Self::new(&all.into_iter().map(|attribute| (attribute, 0b1111)).collect::<Vec<_>>())
    }

    /// Number of attributes.
    pub const fn count(&self) -> usize {
        self.inputs.len()
    }

    /// The value of an attribute for one input of `reading`. `own` returns attributes that differ between
    /// invocations.
    #[inline(always)]
    fn value(
        (attribute, columns): &(Attribute, [Option<u16>; 4]),
        reading: Reading<'_>,
        place: usize,
        own: impl Fn(Attribute) -> [f32; 3],
    ) -> [f32; 4] {
        let of = |row: &[f32]| {
            columns
                .map(|column| column.and_then(|column| row.get(usize::from(column)).copied()).unwrap_or(0.0))
        };
        let number = match attribute {
            Attribute::OfVertex { vertex, .. } => {
                let slot = reading.inputs.slots(place).get(usize::from(*vertex));
                return slot.map_or([0.0; 4], |slot| of(reading.vertices.data(*slot)));
            }
            Attribute::OfPatch(_) => return of(reading.patches.row(reading.inputs.get(place).patch)),
            Attribute::PrimitiveId => reading.inputs.get(place).id,
            Attribute::VertexCount => reading.inputs.slots(place).len() as u32,
            other => {
                let [x, y, z] = own(*other);
                return [x, y, z, 0.0];
            }
        };
        [f32::from_bits(number), 0.0, 0.0, 0.0]
    }

    /// Fills the lanes of `run`, which all read the input at `place`. `own` returns [`Attribute::Invocation`]
    /// and [`Attribute::TessCoord`] of each lane, counted from the first lane of the run.
    pub fn fill(
        &self,
        lanes: &mut AttributeLanes,
        reading: Reading<'_>,
        (run, place): (Range<usize>, usize),
        own: impl Fn(Attribute, usize) -> [f32; 3],
    ) {
        for (registers, read) in lanes.all_mut().chunks_exact_mut(4).zip(&self.inputs) {
            let is_own = matches!(read.0, Attribute::Invocation | Attribute::TessCoord);
            if is_own {
                for lane in run.clone() {
                    let value = own(read.0, lane - run.start);
                    registers.iter_mut().zip(value).for_each(|(register, value)| register.0[lane] = value);
                }
                continue;
            }
            let value = Self::value(read, reading, place, |_| [0.0; 3]);
            for (register, value) in registers.iter_mut().zip(value) {
                register.0[run.clone()].fill(value);
            }
        }
    }

    /// The inputs of an invocation for the input at `place`.
    pub fn inputs_of(
        &self,
        reading: Reading<'_>,
        place: usize,
        own: impl Fn(Attribute) -> [f32; 3],
    ) -> PrimitiveInputs {
        let value = |read: &(Attribute, [Option<u16>; 4])| {
            (read.0, single_bits(Self::value(read, reading, place, &own)))
        };
        let mut inputs: Vec<_> = self.inputs.iter().map(value).collect();
        inputs.sort_unstable_by_key(|(attribute, _)| *attribute);
        PrimitiveInputs(inputs)
    }
}

/// The number of an invocation, as a register holds it.
pub(super) fn invocation(number: u32) -> [f32; 3] {
    [f32::from_bits(number), 0.0, 0.0]
}
