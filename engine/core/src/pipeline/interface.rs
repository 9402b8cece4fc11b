//! The stage interface: maps fragment attributes to vertex results (NV_vertex_program2 2.14.1.5,
//! NV_fragment_program 3.11.1.1).
//!
//! An attribute component is a constant, a window coordinate, or a column of the vertices' data that is
//! interpolated. Only components that the fragment program reads get a source. Only results that the vertex
//! program writes are stored.

use super::clip::CLIP_DISTANCES;
use super::samples::{Rate, Sampling};
use super::{
    DepthSource, FragmentCoordinates, Merging, PixelCenters, RasterState, ShadeModel, WindowOrigin, merge,
};
use crate::exec::FragmentFacts;
use shadestep_language::ir::{Attribute, Interpolation, Interpolations, Place, Variation, VertexResult};
use std::sync::Arc;

/// The attributes that a fragment program reads, and whether it replaces depth.
#[derive(Clone, Copy, Debug)]
pub struct FragmentReads {
    /// The components of each attribute, by [`Attribute::index`] (bit 0 = x).
    pub attributes: [u8; Attribute::SLOTS],
    /// The interpolation of each attribute.
    pub interpolation: Interpolations,
    /// The source of depth.
    pub depth: DepthSource,
    /// Whether the program evaluates attributes away from pixel centres.
    pub evaluates: bool,
    /// Whether the program runs once per sample, if pixels have several samples.
    pub shades_samples: bool,
}

impl FragmentReads {
    /// Reads nothing.
    pub const NOTHING: Self = Self {
        attributes: [0; Attribute::SLOTS],
        interpolation: [Interpolation::DEFAULT; Attribute::SLOTS],
        depth: DepthSource::Window,
        evaluates: false,
        shades_samples: false,
    };

    /// The reads of a program with these facts.
    pub fn of(facts: &FragmentFacts) -> Self {
        Self {
            attributes: facts.attributes_used,
            interpolation: facts.interpolation,
            depth: Merging::of(facts).depth,
            evaluates: facts.evaluates,
            shades_samples: facts.shades_samples,
        }
    }

    /// The interpolation of an attribute over a primitive: as the program declares, except that flat shading
    /// makes colours flat (NV_fragment_program4 2.X.3.1).
    pub(super) fn spread(&self, attribute: Attribute, state: &RasterState) -> Spread {
        let is_color = matches!(attribute, Attribute::Col0 | Attribute::Col1);
        if is_color && state.shade_model == ShadeModel::Flat {
            return Spread::Flat;
        }
        match self.interpolation[attribute.index()].variation {
            Variation::Smooth => Spread::Smooth,
            Variation::Flat => Spread::Flat,
            Variation::NoPerspective => Spread::NoPerspective,
        }
    }
}

/// A component of the fragment's window position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowDatum {
    X,
    Y,
    Z,
    ReciprocalW,
}

/// Window coordinates in the fragment program's convention. Exact for every pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WindowPlaces {
    /// x of the centre of column 0.
    left: f64,
    /// y of the centre of row 0.
    bottom: f64,
    /// Change of y from a row to the row above.
    up: f64,
}

impl WindowPlaces {
    /// The coordinates in a window that is `height` pixels high.
    pub fn new(coordinates: FragmentCoordinates, height: u32) -> Self {
        let center = match coordinates.centers {
            PixelCenters::Halves => 0.5,
            PixelCenters::Whole => 0.0,
        };
        // The clause computes H - y_w first and then subtracts the half for integer centres.
        let [bottom, up] = match coordinates.origin {
            WindowOrigin::LowerLeft => [center, 1.0],
            WindowOrigin::UpperLeft => [f64::from(height) - 1.0 + center, -1.0],
        };
        Self { left: center, bottom, up }
    }

    /// x of the centre of a column.
    #[inline(always)]
    pub fn x(&self, column: u32) -> f64 {
        self.left + f64::from(column)
    }

    /// x at an offset to the right of a column's centre, in pixels.
    #[inline(always)]
    pub fn x_beside(&self, column: u32, offset: f64) -> f64 {
        self.x(column) + offset
    }

    /// y at an offset above a row's centre, in pixels.
    #[inline(always)]
    pub fn y_beside(&self, row: u32, offset: f64) -> f64 {
        self.y(row) + self.up * offset
    }

    /// y of the centre of a row. Rows count from the bottom.
    #[inline(always)]
    pub fn y(&self, row: u32) -> f64 {
        self.bottom + self.up * f64::from(row)
    }
}

/// An attribute component: register and component index.
pub(super) type Slot = (Attribute, usize);

/// The source of a varying's value at a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Datum {
    /// Columns of the vertex's data, for front faces and for back faces.
    Column { front: u16, back: u16 },
    /// The value of every vertex, for a result that is not written.
    Constant(f32),
    /// +1 on front faces, -1 on back faces.
    Facing,
    /// The bits of the primitive's number.
    PrimitiveId,
}

/// The interpolation of a varying over a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// Interpolated with perspective correction.
    Smooth,
    /// Interpolated linearly in window space.
    NoPerspective,
    /// The value at the provoking vertex (2.14.7).
    Flat,
    /// Interpolated, but replaced over point sprites. The number selects the component of the sprite
    /// coordinate (ARB_point_sprite).
    Sprite(u8),
}

/// A component that is interpolated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Varied {
    pub slot: Slot,
    pub datum: Datum,
    pub spread: Spread,
    pub place: Place,
}

/// Whether vertex values are clamped before interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clamp {
    /// Clamps to `[0,1]`, with NaN as 0.
    Color,
    None,
}

impl Clamp {
    const fn of(result: VertexResult) -> Self {
        match result {
            VertexResult::Col0 | VertexResult::Col1 | VertexResult::Bfc0 | VertexResult::Bfc1 => Self::Color,
            _ => Self::None,
        }
    }

    #[inline(always)]
    fn apply(self, value: f32) -> f32 {
        match self {
            // True for -0.0, which is kept.
            Self::Color if value >= 0.0 => value.min(1.0),
            Self::Color => 0.0,
            Self::None => value,
        }
    }
}

/// A component of a result as later stages read it: colours are clamped.
pub(super) fn clamped(result: VertexResult, value: f32) -> f32 {
    Clamp::of(result).apply(value)
}

/// A number stored for each vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    result: VertexResult,
    component: usize,
    clamp: Clamp,
}

/// The attribute components that vary within a pixel.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedSlots {
    /// In the order of [`StageInterface::varyings`].
    pub varyings: Vec<Slot>,
    pub window: Vec<(Slot, WindowDatum)>,
    pub places: WindowPlaces,
}

/// The sample positions at which attributes are evaluated, for a draw whose primitives cover samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SamplePlaces {
    pub sampling: Sampling,
    /// The samples that SAMPLE_COVERAGE and SAMPLE_MASK leave of every fragment.
    fixed: u16,
    /// Whether `fragment.sampleid` is read.
    pub id: bool,
    /// Whether `fragment.samplemask` is read.
    pub mask: bool,
}

impl SamplePlaces {
    /// `None` if primitives cover pixel centres only.
    pub fn new(reads: &FragmentReads, state: &RasterState) -> Option<Self> {
        let sampling = Sampling::new(&state.multisample, reads.shades_samples);
        let used = |attribute: Attribute| reads.attributes[attribute.index()] & 1 != 0;
        sampling.is_multisample().then(|| Self {
            sampling,
            fixed: merge::fixed_coverage(&state.multisample),
            id: used(Attribute::SampleId),
            mask: used(Attribute::SampleMask),
        })
    }

    /// The place at which an attribute with this declared place is evaluated.
    pub const fn place(&self, declared: Place) -> Place {
        match (self.sampling.rate, declared) {
            (Rate::WholeSample, _) | (Rate::Sample, Place::Sample) => Place::Sample,
            (Rate::Pixel | Rate::Sample, Place::Centroid) => Place::Centroid,
            (Rate::Pixel | Rate::Sample, Place::Centre) | (Rate::Pixel, Place::Sample) => Place::Centre,
        }
    }

    /// `fragment.samplemask` for a primitive that covers these samples of a pixel. `sample` is the
    /// invocation's sample, if invocations are per sample. The mask excludes samples that SAMPLE_COVERAGE and
    /// SAMPLE_MASK remove (glspec40 3.12.2).
    pub fn sample_mask(&self, covered: u16, sample: usize) -> f32 {
        let own = if self.sampling.rate == Rate::Pixel { u16::MAX } else { 1 << sample };
        f32::from_bits(u32::from(covered & self.fixed & own))
    }
}

/// The use of the vertex results of one draw.
#[derive(Clone, Debug, Default)]
pub(super) struct StageInterface {
    pub constants: Vec<(Slot, f32)>,
    pub window: Vec<(Slot, WindowDatum)>,
    pub places: WindowPlaces,
    pub varyings: Vec<Varied>,
    columns: Vec<Column>,
    /// Columns of the clip distances that are enabled and written.
    pub distances: [Option<u16>; CLIP_DISTANCES],
    /// Column of the point size, if the program sets it.
    pub point_size: Option<u16>,
    /// Column of the layer, if a geometry program writes it.
    pub layer: Option<u16>,
    /// The components that are evaluated away from pixel centres, if any.
    pub evaluated: Option<Arc<EvaluatedSlots>>,
    /// Whether the program evaluates attributes itself.
    pub evaluates: bool,
    /// Sample positions, if primitives cover samples.
    pub samples: Option<SamplePlaces>,
    /// The attributes that are evaluated at centroids, without duplicates.
    pub centroid: Vec<Attribute>,
    /// The columns of `varyings`, if all are plain columns to interpolate, with the same column for both
    /// faces.
    pub plain: Option<Vec<u16>>,
    /// Whether vertices come from a geometry program, which sets the primitives' numbers itself.
    after_geometry: bool,
}

/// The components that `attributes_used` names.
pub(super) fn slots(attributes_used: &[u8; Attribute::SLOTS]) -> impl Iterator<Item = Slot> {
    let used = *attributes_used;
    Attribute::FRAGMENT.into_iter().flat_map(move |attribute| {
        (0..4).filter(move |c| used[attribute.index()] >> c & 1 != 0).map(move |c| (attribute, c))
    })
}

impl StageInterface {
    /// `written` has a bit for each vertex result that the program writes. `after_geometry` says whether the
    /// program is a geometry program. `height` is the window's height.
    pub fn new(
        reads: &FragmentReads,
        (written, after_geometry): (u64, bool),
        state: &RasterState,
        height: u32,
    ) -> Self {
        let mut interface = Self {
            after_geometry,
            places: WindowPlaces::new(state.coordinates, height),
            evaluates: reads.evaluates,
            samples: SamplePlaces::new(reads, state),
            ..Self::default()
        };
        for slot in slots(&reads.attributes) {
            let declared = reads.interpolation[slot.0.index()].place;
            let place = interface.samples.map_or(Place::Centre, |samples| samples.place(declared));
            interface.attribute(slot, (reads.spread(slot.0, state), place), written, state);
        }
        for number in 0..CLIP_DISTANCES {
            if state.clip_distances >> number & 1 != 0 {
                interface.distances[number] = interface.column(VertexResult::Clp(number as u8), 0, written);
            }
        }
        if after_geometry {
            interface.layer = interface.column(VertexResult::Layer, 0, written);
        }
        if state.point.from_program {
            interface.point_size = interface.column(VertexResult::Psiz, 0, written);
        }
        let plain = |varied: &Varied| match varied.datum {
            Datum::Column { front, back } if front == back && varied.spread == Spread::Smooth => Some(front),
            _ => None,
        };
        interface.plain = interface.varyings.iter().map(plain).collect();
        let centroid = interface.varyings.iter().filter(|varied| varied.place == Place::Centroid);
        interface.centroid = centroid.map(|varied| varied.slot.0).collect();
        interface.centroid.dedup();
        let evaluates = reads.evaluates || !interface.centroid.is_empty();
        interface.evaluated = evaluates.then(|| {
            let varyings = interface.varyings.iter().map(|varied| varied.slot).collect();
            let (window, places) = (interface.window.clone(), interface.places);
            Arc::new(EvaluatedSlots { varyings, window, places })
        });
        interface
    }

    /// The column of a result's component, added if needed. `None` if the program does not write the
    /// component.
    fn column(&mut self, result: VertexResult, component: usize, written: u64) -> Option<u16> {
        if written >> result.index() & 1 == 0 {
            return None;
        }
        self.columns.push(Column { result, component, clamp: Clamp::of(result) });
        Some(self.columns.len() as u16 - 1)
    }

    /// The place of a column, added if needed.
    fn column_of(&mut self, column: Column) -> u16 {
        let place = self.columns.iter().position(|other| *other == column);
        place.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        }) as u16
    }

    /// The column of a result's component for transform feedback, added if needed. `None` if the program does
    /// not write the component.
    pub fn recorded(&mut self, (result, component): (VertexResult, usize), written: u64) -> Option<u16> {
        let is_written = written >> result.index() & 1 != 0;
        is_written.then(|| self.column_of(Column { result, component, clamp: Clamp::of(result) }))
    }

    /// Whether batches need the samples that primitives cover, before tests remove any.
    pub fn needs_coverage(&self) -> bool {
        self.samples.is_some_and(|samples| samples.mask || self.evaluates || !self.centroid.is_empty())
    }

    fn attribute(
        &mut self,
        slot: Slot,
        (declared, place): (Spread, Place),
        written: u64,
        state: &RasterState,
    ) {
        let (attribute, component) = slot;
        let unwritten = [0.0, 0.0, 0.0, 1.0][component];
        let (result, spread) = match attribute {
            Attribute::Wpos => {
                use WindowDatum::{ReciprocalW, X, Y, Z};
                return self.window.push((slot, [X, Y, Z, ReciprocalW][component]));
            }
            Attribute::Col0 | Attribute::Col1 => return self.color(slot, (declared, place), written, state),
            Attribute::Fogc | Attribute::FogCoord if component == 0 => (VertexResult::Fogc, Spread::Smooth),
            Attribute::Fogc
            | Attribute::Vertex(_)
            | Attribute::LongVertex(_)
            | Attribute::VertexId
            | Attribute::Instance
            | Attribute::OfVertex { .. }
            | Attribute::OutVertex { .. }
            | Attribute::OfPatch(_)
            | Attribute::OutPatch(_)
            | Attribute::TessCoord
            | Attribute::Invocation
            | Attribute::VertexCount => {
                return self.constants.push((slot, 0.0));
            }
            Attribute::FogCoord => return self.constants.push((slot, unwritten)),
            Attribute::Facing if component == 0 => {
                return self.varyings.push(Varied {
                    slot,
                    datum: Datum::Facing,
                    spread: Spread::Flat,
                    place,
                });
            }
            Attribute::Facing => return self.constants.push((slot, unwritten)),
            Attribute::PrimitiveId if component == 0 && self.after_geometry => {
                (VertexResult::PrimitiveId, Spread::Flat)
            }
            Attribute::PrimitiveId if component == 0 => {
                return self.varyings.push(Varied {
                    slot,
                    datum: Datum::PrimitiveId,
                    spread: Spread::Flat,
                    place,
                });
            }
            Attribute::PointCoord if state.point.sprite && component < 2 => {
                let spread = Spread::Sprite(component as u8);
                return self.varyings.push(Varied { slot, datum: Datum::Constant(0.0), spread, place });
            }
            // Set per invocation.
            Attribute::SampleMask | Attribute::SampleId if component == 0 && self.samples.is_some() => return,
            // The only sample is covered, also if MULTISAMPLE is disabled (glspec40 3.12.2).
            Attribute::SampleMask if component == 0 => {
                return self.constants.push((slot, f32::from_bits(1)));
            }
            Attribute::PrimitiveId | Attribute::PointCoord | Attribute::SampleId | Attribute::SampleMask => {
                return self.constants.push((slot, 0.0));
            }
            Attribute::Tex(set) => {
                let sprite = state.point.sprite && state.point.replace >> set & 1 != 0;
                let spread = if sprite { Spread::Sprite(component as u8) } else { declared };
                (VertexResult::Tex(set), spread)
            }
            Attribute::ClipDistance(number) if component == 0 => (VertexResult::Clp(number), Spread::Smooth),
            Attribute::ClipDistance(_) => return self.constants.push((slot, 0.0)),
            Attribute::Generic(number) => (VertexResult::Generic(number), declared),
        };
        match self.column(result, component, written) {
            Some(column) => {
                let datum = Datum::Column { front: column, back: column };
                self.varyings.push(Varied { slot, datum, spread, place });
            }
            None if matches!(spread, Spread::Sprite(_)) => {
                self.varyings.push(Varied { slot, datum: Datum::Constant(unwritten), spread, place });
            }
            // An integer that was not written is undefined: here 0.
            None if attribute == Attribute::PrimitiveId => self.constants.push((slot, 0.0)),
            None => self.constants.push((slot, unwritten)),
        }
    }

    fn color(&mut self, slot: Slot, (spread, place): (Spread, Place), written: u64, state: &RasterState) {
        let (attribute, component) = slot;
        let [front, back] = match attribute {
            Attribute::Col1 => [VertexResult::Col1, VertexResult::Bfc1],
            _ => [VertexResult::Col0, VertexResult::Bfc0],
        };
        let back = if state.two_side { back } else { front };
        // Columns of results that are not written hold the results' initial values.
        if written >> front.index() & 1 == 0 && written >> back.index() & 1 == 0 {
            return self.constants.push((slot, [0.0, 0.0, 0.0, 1.0][component]));
        }
        let front = self.column(front, component, u64::MAX).unwrap_or(0);
        let back = if state.two_side { self.column(back, component, u64::MAX).unwrap_or(0) } else { front };
        self.varyings.push(Varied { slot, datum: Datum::Column { front, back }, spread, place });
    }

    /// Numbers stored per vertex.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The column of a result's component with unclamped bits, added if needed.
    pub fn bits(&mut self, result: VertexResult, component: usize) -> u16 {
        self.column_of(Column { result, component, clamp: Clamp::None })
    }

    /// Writes the columns of the vertices at `places`, [`Self::columns`] numbers per vertex. `row` returns
    /// the values of a result's component, or `None` if the program does not write it.
    pub fn keep<'r>(
        &self,
        row: impl Fn(VertexResult, usize) -> Option<&'r [f32]>,
        places: impl Iterator<Item = usize> + Clone,
        out: &mut [f32],
    ) {
        let count = self.columns.len();
        for (number, column) in self.columns.iter().enumerate() {
            let initial = [0.0, 0.0, 0.0, 1.0][column.component];
            let values = row(column.result, column.component);
            let places = places.clone().map(|place| place * count + number);
            match (values, column.clamp) {
                (None, clamp) => places.for_each(|place| out[place] = clamp.apply(initial)),
                (Some(values), Clamp::None) => {
                    places.zip(values).for_each(|(place, value)| out[place] = *value);
                }
                (Some(values), clamp) => {
                    places.zip(values).for_each(|(place, value)| out[place] = clamp.apply(*value));
                }
            }
        }
    }
}
