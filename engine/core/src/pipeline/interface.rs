//! The stage interface: which fragment attribute comes from which vertex result (NV_vertex_program2 2.14.1.5,
//! NV_fragment_program 3.11.1.1).
//!
//! An attribute component is a constant, a window quantity, or a column of the vertices' data to
//! interpolate. Only the components that the fragment program reads are looked at, and only results that
//! the vertex program writes are kept.

use super::clip::CLIP_DISTANCES;
use super::samples::{Rate, Sampling};
use super::{
    DepthSource, FragmentCoordinates, Merging, PixelCenters, RasterState, ShadeModel, WindowOrigin, merge,
};
use crate::exec::FragmentFacts;
use shadestep_language::ir::{Attribute, Interpolation, Interpolations, Place, Variation, VertexResult};
use std::sync::Arc;

/// What a fragment program reads of the stage before it, and whether it replaces depth.
#[derive(Clone, Copy, Debug)]
pub struct FragmentReads {
    /// The components of each attribute, by [`Attribute::index`] (bit 0 = x).
    pub attributes: [u8; Attribute::SLOTS],
    /// How each is interpolated.
    pub interpolation: Interpolations,
    /// Where depth comes from.
    pub depth: DepthSource,
    /// Whether it evaluates attributes away from the centres of pixels.
    pub evaluates: bool,
    /// Whether it has an invocation for each sample, wherever pixels have several.
    pub shades_samples: bool,
}

impl FragmentReads {
    /// Nothing.
    pub const NOTHING: Self = Self {
        attributes: [0; Attribute::SLOTS],
        interpolation: [Interpolation::DEFAULT; Attribute::SLOTS],
        depth: DepthSource::Window,
        evaluates: false,
        shades_samples: false,
    };

    /// What a program with these facts reads.
    pub fn of(facts: &FragmentFacts) -> Self {
        Self {
            attributes: facts.attributes_used,
            interpolation: facts.interpolation,
            depth: Merging::of(facts).depth,
            evaluates: facts.evaluates,
            shades_samples: facts.shades_samples,
        }
    }

    /// How an attribute is spread over a primitive: as the program declares, but colours are flat under flat
    /// shading (NV_fragment_program4 2.X.3.1).
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

/// A quantity of a fragment's place in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowDatum {
    X,
    Y,
    Z,
    ReciprocalW,
}

/// Window coordinates as the fragment program counts them: exact for every pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WindowPlaces {
    /// The centre of column 0.
    left: f64,
    /// The centre of row 0.
    bottom: f64,
    /// From a row to the one above.
    up: f64,
}

impl WindowPlaces {
    /// Those of a window `height` pixels high.
    pub fn new(coordinates: FragmentCoordinates, height: u32) -> Self {
        let center = match coordinates.centers {
            PixelCenters::Halves => 0.5,
            PixelCenters::Whole => 0.0,
        };
        // H - y_w is taken before the half of whole centres.
        let [bottom, up] = match coordinates.origin {
            WindowOrigin::LowerLeft => [center, 1.0],
            WindowOrigin::UpperLeft => [f64::from(height) - 1.0 + center, -1.0],
        };
        Self { left: center, bottom, up }
    }

    /// The centre of a column.
    #[inline(always)]
    pub fn x(&self, column: u32) -> f64 {
        self.left + f64::from(column)
    }

    /// So many pixels right of the centre of a column.
    #[inline(always)]
    pub fn x_beside(&self, column: u32, offset: f64) -> f64 {
        self.x(column) + offset
    }

    /// So many pixels above the centre of a row.
    #[inline(always)]
    pub fn y_beside(&self, row: u32, offset: f64) -> f64 {
        self.y(row) + self.up * offset
    }

    /// The centre of a row, counted from below.
    #[inline(always)]
    pub fn y(&self, row: u32) -> f64 {
        self.bottom + self.up * f64::from(row)
    }
}

/// An attribute component: register and component index.
pub(super) type Slot = (Attribute, usize);

/// Where the value of a varying at a vertex comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Datum {
    /// Columns of the vertex's data, for front faces and for back faces.
    Column { front: u16, back: u16 },
    /// The result is not written: every vertex has this.
    Constant(f32),
    /// +1 on front faces, -1 on back faces.
    Facing,
    /// The bits of the primitive's number.
    PrimitiveId,
}

/// How it is spread over the primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// Interpolated with perspective correction.
    Smooth,
    /// Interpolated linearly in window space.
    NoPerspective,
    /// That of the provoking vertex (2.14.7).
    Flat,
    /// Interpolated, but replaced over point sprites; the component says by what (ARB_point_sprite).
    Sprite(u8),
}

/// A component that has to be interpolated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Varied {
    pub slot: Slot,
    pub datum: Datum,
    pub spread: Spread,
    pub place: Place,
}

/// Whether vertices' values are clamped before they are interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clamp {
    /// Colours, to `[0,1]`; NaN becomes 0.
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
            // -0.0 is not below 0.
            Self::Color if value >= 0.0 => value.min(1.0),
            Self::Color => 0.0,
            Self::None => value,
        }
    }
}

/// A component of a result as stages behind the programs have it: colours are clamped.
pub(super) fn clamped(result: VertexResult, value: f32) -> f32 {
    Clamp::of(result).apply(value)
}

/// A number that is kept of each vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Column {
    result: VertexResult,
    component: usize,
    clamp: Clamp,
}

/// The attribute components that depend on the place within a pixel.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedSlots {
    /// In the order of [`StageInterface::varyings`].
    pub varyings: Vec<Slot>,
    pub window: Vec<(Slot, WindowDatum)>,
    pub places: WindowPlaces,
}

/// Where the attributes of a draw are evaluated whose primitives cover samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SamplePlaces {
    pub sampling: Sampling,
    /// What SAMPLE_COVERAGE and SAMPLE_MASK leave of any fragment.
    fixed: u16,
    /// Whether `fragment.sampleid` is read.
    pub id: bool,
    /// Whether `fragment.samplemask` is read.
    pub mask: bool,
}

impl SamplePlaces {
    /// `None` where primitives cover centres alone.
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

    /// Where an attribute is evaluated that is declared so.
    pub const fn place(&self, declared: Place) -> Place {
        match (self.sampling.rate, declared) {
            (Rate::WholeSample, _) | (Rate::Sample, Place::Sample) => Place::Sample,
            (Rate::Pixel | Rate::Sample, Place::Centroid) => Place::Centroid,
            (Rate::Pixel | Rate::Sample, Place::Centre) | (Rate::Pixel, Place::Sample) => Place::Centre,
        }
    }

    /// `fragment.samplemask` where a primitive covers these samples of a pixel, of an invocation for `sample` if it is for one: what
    /// SAMPLE_COVERAGE and SAMPLE_MASK take away is not in it (glspec40 3.12.2).
    pub fn sample_mask(&self, covered: u16, sample: usize) -> f32 {
        let own = if self.sampling.rate == Rate::Pixel { u16::MAX } else { 1 << sample };
        f32::from_bits(u32::from(covered & self.fixed & own))
    }
}

/// What becomes of the vertex results of one draw.
#[derive(Clone, Debug, Default)]
pub(super) struct StageInterface {
    pub constants: Vec<(Slot, f32)>,
    pub window: Vec<(Slot, WindowDatum)>,
    pub places: WindowPlaces,
    pub varyings: Vec<Varied>,
    columns: Vec<Column>,
    /// Columns of the clip distances that are enabled and written.
    pub distances: [Option<u16>; CLIP_DISTANCES],
    /// Column of the point size, if the program decides on it.
    pub point_size: Option<u16>,
    /// Column of the layer, if a geometry program writes it.
    pub layer: Option<u16>,
    /// What is evaluated away from the centres of pixels, if anything is.
    pub evaluated: Option<Arc<EvaluatedSlots>>,
    /// Whether the program evaluates attributes itself.
    pub evaluates: bool,
    /// If primitives cover samples.
    pub samples: Option<SamplePlaces>,
    /// The attributes that are evaluated at centroids, each once.
    pub centroid: Vec<Attribute>,
    /// The columns of `varyings`, if all are no more than columns to interpolate, the same for both faces.
    pub plain: Option<Vec<u16>>,
    /// Whether vertices come from a geometry program, which says itself what number primitives have.
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
    /// `written` has a bit for each vertex result that the program writes, a geometry program if `after_geometry`
    /// says so; `height` is the window's.
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

    /// The column of a result's component; `None` where the program does not write it.
    fn column(&mut self, result: VertexResult, component: usize, written: u64) -> Option<u16> {
        if written >> result.index() & 1 == 0 {
            return None;
        }
        self.columns.push(Column { result, component, clamp: Clamp::of(result) });
        Some(self.columns.len() as u16 - 1)
    }

    /// The same, which there is once.
    fn column_of(&mut self, column: Column) -> u16 {
        let place = self.columns.iter().position(|other| *other == column);
        place.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        }) as u16
    }

    /// The column of a result's component as transform feedback records it; `None` where the program does not write it.
    pub fn recorded(&mut self, (result, component): (VertexResult, usize), written: u64) -> Option<u16> {
        let is_written = written >> result.index() & 1 != 0;
        is_written.then(|| self.column_of(Column { result, component, clamp: Clamp::of(result) }))
    }

    /// Whether batches need to know which samples primitives cover, whatever tests leave of them.
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
            // They differ from invocation to invocation.
            Attribute::SampleMask | Attribute::SampleId if component == 0 && self.samples.is_some() => return,
            // The only sample is covered (glspec40 3.12.2, also where MULTISAMPLE is disabled).
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
            // An integer that was not written is undefined: 0.
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
        // Columns of results that are not written hold what results begin with.
        if written >> front.index() & 1 == 0 && written >> back.index() & 1 == 0 {
            return self.constants.push((slot, [0.0, 0.0, 0.0, 1.0][component]));
        }
        let front = self.column(front, component, u64::MAX).unwrap_or(0);
        let back = if state.two_side { self.column(back, component, u64::MAX).unwrap_or(0) } else { front };
        self.varyings.push(Varied { slot, datum: Datum::Column { front, back }, spread, place });
    }

    /// Numbers kept of each vertex.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The column of the bits of a result's component, which there is once.
    pub fn bits(&mut self, result: VertexResult, component: usize) -> u16 {
        self.column_of(Column { result, component, clamp: Clamp::None })
    }

    /// Writes the columns of the vertices at `places`, [`Self::columns`] numbers a vertex. `row` has their values of a result's
    /// component, if it is written.
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
