//! Texels in the text of a scene: `values` and `size` of `[[texture]]`.

use super::SceneError;
use super::image::{Data, FirstRow, Pixels};
use super::read::{Entry, Table};
use super::schema::{Raw, Shape};
use crate::format;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{Format, MAX_BUFFER_TEXELS, MAX_SIZE, Numbers};

/// Limit on the numbers of one texture.
const MAX_VALUES: usize = 1 << 24;

/// Texels as `scene.toml` has them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TexelValues {
    /// Width, then those of height, depth, samples and layers that the target has.
    pub size: Vec<u32>,
    /// Bits of the fp64 numbers: components in the format's order, texels with x fastest, rows from t = 0.
    bits: Vec<u64>,
}

pub(super) const SIZES: Raw =
    Raw(|| Shape::Whole(1, MAX_BUFFER_TEXELS as i64).array(1, 4).called("integers"));

/// Describes `size` for a target, in messages.
fn size_words(target: TextureTarget) -> &'static str {
    match (target.axes(), target.layer().is_some()) {
        (1, false) => "[width]",
        (1, true) => "[width, layers]",
        (2, false) if target.has_samples() => "[width, height, samples]",
        (2, true) if target.has_samples() => "[width, height, samples, layers]",
        (2, false) => "[width, height]",
        (2, true) => "[width, height, layers]",
        _ => "[width, height, depth]",
    }
}

/// Whether a target has a single size, which follows from the number of texels.
pub(super) fn size_is_known(target: TextureTarget) -> bool {
    target.axes() == 1 && target.layer().is_none()
}

impl TexelValues {
    /// Reads `values` and `size` for a texture of `target` in `format`.
    ///
    /// # Errors
    /// A value that is not a number, a number that the format cannot store, or a count that does not match
    /// `size`.
    pub(super) fn read(
        table: &Table<'_>,
        values: &Entry<'_>,
        (target, format): (TextureTarget, Format),
    ) -> Result<Self, SceneError> {
        let each = format.pixel_places().len();
        let numbers = values.elements(1..=MAX_VALUES, "numbers in brackets")?;
        let bits = numbers.map(|number| Ok(number_of(&number, format)?.to_bits()));
        let bits = bits.collect::<Result<Vec<u64>, SceneError>>()?;
        if !bits.len().is_multiple_of(each) {
            let (found, name) = (format::counted(bits.len(), "number"), format.name());
            return Err(values.error(format!("found {found}; each texel of {name} needs {each}")));
        }
        let texels = bits.len() / each;
        let size = match table.get("size") {
            Some(size) => read_size(&size, target, texels)?,
            None if size_is_known(target) => vec![texels as u32],
            None => {
                let (article, name, words) = (target.article(), target.name(), size_words(target));
                let words = format!("the values of {article} {name} texture need size = {words}");
                return Err(values.error(words));
            }
        };
        Ok(Self { size, bits })
    }

    pub(super) fn numbers(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.bits.iter().map(|&bits| f64::from_bits(bits))
    }

    /// The images of a texture of `target` in `format`: one image, or one for each face and layer.
    pub(super) fn images(&self, target: TextureTarget, format: Format, first_row: FirstRow) -> Vec<Pixels> {
        let axes = target.axes() + usize::from(target.has_samples());
        let side = |axis: usize| match self.size.get(axis) {
            Some(&side) if axis < axes => side as usize,
            _ => 1,
        };
        let size = [0, 1, 2].map(side);
        let places = format.pixel_places();
        let image = |bits: &[u64]| {
            let texels = bits.chunks_exact(places.len());
            let data = match format.numbers() {
                Numbers::Floats => Data::Floats(placed(texels, places, |n| n as f32)),
                Numbers::Signed => Data::Signed(placed(texels, places, |n| n as i32)),
                Numbers::Unsigned => Data::Unsigned(placed(texels, places, |n| n as u32)),
            };
            Pixels { size, data, first_row }
        };
        let numbers = size.iter().product::<usize>() * places.len();
        self.bits.chunks_exact(numbers.max(1)).map(image).collect()
    }
}

/// Expands texels to red, green, blue and alpha. `places` are the components that the format has.
fn placed<'a, T: Copy + Default>(
    texels: impl Iterator<Item = &'a [u64]>,
    places: &[usize],
    value: impl Fn(f64) -> T,
) -> Vec<T> {
    let pixel = |texel: &[u64]| {
        let mut pixel = [T::default(); 4];
        for (&bits, &place) in texel.iter().zip(places) {
            pixel[place] = value(f64::from_bits(bits));
        }
        pixel
    };
    texels.flat_map(pixel).collect()
}

/// Reads a number that `format` can store. Integers are exact; other numbers are rounded to fp32.
fn number_of(entry: &Entry<'_>, format: Format) -> Result<f64, SceneError> {
    const WANTED: &str = "numbers in brackets";
    let Some(range) = format.integer_range() else {
        return entry.float_of(entry.value, WANTED).map(f64::from);
    };
    let name = format.name();
    let wanted = format!("whole numbers in brackets, because {name} holds integers");
    entry.integer_for(name, range, &wanted).map(|number| number as f64)
}

fn read_size(entry: &Entry<'_>, target: TextureTarget, texels: usize) -> Result<Vec<u32>, SceneError> {
    let words = size_words(target);
    let axes = words.split(',').count();
    let sides = entry.array(axes..=axes, &format!("{words} in whole numbers"))?;
    let most = if target == TextureTarget::Buffer { MAX_BUFFER_TEXELS } else { MAX_SIZE };
    let range = 1..=most as u32;
    let size: Vec<u32> =
        sides.into_iter().map(|side| entry.integer_of(side, &range)).collect::<Result<_, SceneError>>()?;
    let wanted = size.iter().fold(target.faces() as u64, |count, &side| count.saturating_mul(side.into()));
    if wanted == texels as u64 {
        return Ok(size);
    }
    let faces = if target.is_cube() { " with its six faces" } else { "" };
    let wanted = format::counted(wanted as usize, "texel");
    Err(entry.error(format!("\"size\" makes {wanted}{faces}, but \"values\" has {texels}")))
}
