//! What programs of primitives read (NV_geometry_program4 2.X.3.2, NV_tessellation_program5 2.X.3.2): of each vertex what an earlier
//! stage gave it, and what a patch has besides.

use super::TessellationLevels;
use super::interface::StageInterface;
use super::vertices::{Keeping, Vertices};
use crate::exec::{AttributeLanes, PrimitiveInputs};
use shadestep_language::ir::{Attribute, PatchResult, limits, single_bits};
use std::ops::Range;

/// A primitive or patch that a program runs for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Its number among those that the stage before made for the instance.
    pub number: u32,
    /// Its `primitive.id`.
    pub id: u32,
    /// The simple primitive or patch of the draw that it is, or was made of.
    pub source: u32,
    /// The first of its slots, and how many there are.
    first: u32,
    count: u8,
    /// Its row among what patches have.
    patch: u32,
}

/// Primitives with the slots of their vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    list: Vec<Input>,
    slots: Vec<u32>,
}

impl Inputs {
    /// How many there are.
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// One of them.
    pub fn get(&self, place: usize) -> Input {
        self.list[place]
    }

    /// The slots of the vertices of one.
    pub fn slots(&self, place: usize) -> &[u32] {
        let Input { first, count, .. } = self.list[place];
        &self.slots[first as usize..][..count.into()]
    }

    /// Adds one, unless a vertex is missing. `patch` is its row among what patches have.
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

/// What patches have besides their vertices, a row each.
#[derive(Clone, Debug, Default)]
pub(super) struct PatchValues {
    pub columns: usize,
    pub data: Vec<f32>,
}

impl PatchValues {
    /// The values that `reader` reads of patches without a control program, one row for all of them: the
    /// levels are the default ones, and everything else is undefined, 0 (NV_tessellation_program5 2.X.3.2).
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

    /// Adds the rows of `others`, which have as many columns.
    pub fn append(&mut self, mut others: Self) {
        self.data.append(&mut others.data);
    }
}

/// What a stage reads of.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub inputs: &'a Inputs,
    pub vertices: &'a Vertices,
    pub patches: &'a PatchValues,
}

impl Reading<'_> {
    /// Records the clocks of the vertices that each lane reads, if they are kept. `places` has the input of each lane.
    pub fn hand_on(&self, lanes: &mut AttributeLanes, places: impl Iterator<Item = usize>) {
        if matches!(self.vertices.keeping(), Keeping::Races(_)) {
            let before =
                |place: usize| self.inputs.slots(place).iter().map(|slot| self.vertices.before(*slot));
            lanes.set_before(places.map(before));
        }
    }
}

/// What a program reads, and what has to be kept for it.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// Of vertices.
    pub vertices: StageInterface,
    /// Of patches: a column each.
    pub patches: Vec<(PatchResult, usize)>,
    /// The attributes, each with the column of each component that is read.
    inputs: Vec<(Attribute, [Option<u16>; 4])>,
}

impl Reader {
    /// That of a program that reads these components.
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

    /// That of one that is recorded: of all components of what its instructions name, also of the other vertices, and of the numbers
    /// of its invocation.
    pub fn of_all(inputs: &[(Attribute, u8)]) -> Self {
        let read = inputs.iter().map(|(attribute, _)| *attribute);
        let of_vertices = |attribute: Attribute| match attribute {
            Attribute::OfVertex { .. } => {
                (0..limits::PATCH_VERTICES).map(|v| attribute.at_vertex(v)).collect()
            }
            other => vec![other],
        };
        // The program finds its own attributes by their place, so these come first.
        let mut all: Vec<Attribute> = read.clone().collect();
        let mut others: Vec<Attribute> = read.flat_map(of_vertices).chain(Attribute::NUMBERS).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|other| !all.contains(other));
        all.extend(others);
        Self::new(&all.into_iter().map(|attribute| (attribute, 0b1111)).collect::<Vec<_>>())
    }

    /// How many attributes there are.
    pub const fn count(&self) -> usize {
        self.inputs.len()
    }

    /// What is read for one of `reading`'s; of what differs from invocation to invocation what `own` says.
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

    /// Fills the lanes of `run`, all of which are for the one at `place`. `own` says what each of them, counted from the first, has
    /// of [`Attribute::Invocation`] and [`Attribute::TessCoord`].
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

    /// What an invocation for the one at `place` reads.
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

/// The number of an invocation as a register holds it.
pub(super) fn invocation(number: u32) -> [f32; 3] {
    [f32::from_bits(number), 0.0, 0.0]
}
