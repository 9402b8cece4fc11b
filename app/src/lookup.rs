//! Describes a texture lookup in words and numbers. The debugger and the command line use the same words.

use crate::format;
use shadestep_engine::debug::{Looked, LookupStep, Refusal};
use shadestep_engine::ir::{TextureTarget, Type};
use shadestep_engine::texture::{
    DetailTrace, Found, LevelTrace, LookupTrace, NoTexel, ResultComponent, TexelSource, Texture,
};

/// Names of a cube map's faces.
const FACES: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];

/// A fact about a lookup.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name, in a word or two.
    pub name: &'static str,
    /// An explanation of the name.
    pub hint: &'static str,
    /// Its value.
    pub told: Told,
}

/// The value of a fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Numbers(Vec<f32>),
    Words(String),
}

impl Fact {
    fn numbers(name: &'static str, hint: &'static str, numbers: &[f32]) -> Self {
        Self { name, hint, told: Told::Numbers(numbers.to_vec()) }
    }

    fn words(name: &'static str, hint: &'static str, words: impl Into<String>) -> Self {
        Self { name, hint, told: Told::Words(words.into()) }
    }

    /// Returns the value as text, numbers in decimal.
    pub fn text(&self) -> String {
        match &self.told {
            Told::Numbers(numbers) => list(numbers),
            Told::Words(words) => words.clone(),
        }
    }
}

fn list(numbers: &[f32]) -> String {
    numbers.iter().map(|&number| format::float(number)).collect::<Vec<_>>().join(", ")
}

fn sides(size: &[u32]) -> String {
    size.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ")
}

/// Explains why nothing was looked up.
pub fn refusal(refusal: Refusal) -> String {
    match refusal {
        Refusal::NoUnit => {
            "The program chose a unit outside the array, so there is no lookup.".to_owned()
        }
        Refusal::Incomplete(None) => {
            "No texture is bound to this target, so there is no lookup.".to_owned()
        }
        Refusal::Incomplete(Some(why)) => {
            format!("The texture is incomplete, so there is no lookup: {why}.")
        }
        Refusal::Unfit => {
            "The texture's component type or comparison does not fit the instruction, so the result is undefined."
                .to_owned()
        }
        Refusal::Offset((least, most)) => {
            format!("An offset is outside {least} to {most}, so the result is undefined.")
        }
        Refusal::NoTexel(why) => {
            let what = match why {
                NoTexel::Incomplete => "The texture is incomplete",
                NoTexel::Cube => "A cube map cannot be read by texel",
                NoTexel::Level => "There is no such level",
                NoTexel::Layer => "There is no such layer",
                NoTexel::Outside => "The texel is outside the image",
                NoTexel::Sample => "There is no such sample",
            };
            format!("{what}, so the result is undefined.")
        }
        Refusal::NoLevel => "There is no such level, so the result is undefined.".to_owned(),
    }
}

/// Describes a texture: format, size, wrap modes and filters.
pub fn texture(texture: &Texture) -> String {
    let (target, sampler) = (texture.target(), texture.sampler());
    let axes = target.axes();
    let size = texture.level_size(0).unwrap_or_default().map(|side| side as u32);
    let mut words = format!("{}, {}", texture.format().name(), sides(&size[..axes]));
    if target.has_mipmaps() && texture.level_count() > 1 {
        words += &format!(", {} levels", texture.level_count());
    }
    if target.is_filtered() {
        let wraps: Vec<&str> = sampler.wrap[..axes].iter().map(|wrap| wrap.name()).collect();
        words += &format!(
            "; wrap {}; min {}, mag {}",
            wraps.join(", "),
            sampler.min_filter.name(),
            sampler.mag_filter.name()
        );
    }
    words
}

/// Names image `image` of a level by its layer and face. `None` if the target has neither.
pub fn image(target: TextureTarget, image: u32) -> Option<String> {
    let faces = target.faces() as u32;
    let face = target.is_cube().then(|| format!("face {}", FACES[(image % faces) as usize % 6]));
    let layer = target.layer().map(|_| format!("layer {}", image / faces));
    let parts: Vec<String> = layer.into_iter().chain(face).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Column, row and slice, as many as the target has.
pub fn place(target: TextureTarget, place: [i32; 3]) -> String {
    place[..target.axes()].iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// Describes a level by its number and size.
pub fn level(target: TextureTarget, level: &LevelTrace) -> String {
    format!("Level {}, {}", level.level, sides(&level.size[..target.axes()]))
}

/// Returns the source of a texel's value. `None` for the image.
pub const fn source(source: TexelSource) -> Option<&'static str> {
    match source {
        TexelSource::Image => None,
        TexelSource::Border => Some("border"),
        TexelSource::Corner => Some("corner of the cube"),
    }
}

pub const fn component_type(texture: &Texture) -> Type {
    texture.numbers().ty()
}

/// Returns the bits of stored components in multiples of `unit`, so that bytes appear as 0 to 255.
pub fn components(stored: [f32; 4], unit: f32) -> [u64; 4] {
    // Integers have a unit of 1. Dividing could change their bits.
    stored.map(|value| if unit == 1.0 { value } else { value / unit }.to_bits().into())
}

/// Describes how the result is made of stored components. `None` if it has all of them in order.
pub fn sources(sources: [ResultComponent; 4]) -> Option<String> {
    if sources == ResultComponent::ALL {
        return None;
    }
    let each = "xyzw".chars().zip(sources).map(|(to, source)| format!("{to} = {}", component(source)));
    Some(each.collect::<Vec<_>>().join(", "))
}

/// Names a stored component by its letter.
fn component(source: ResultComponent) -> &'static str {
    match source {
        ResultComponent::Component(c) => ["x", "y", "z", "w"][c % 4],
        ResultComponent::Zero => "0",
        ResultComponent::One => "1",
        ResultComponent::Hemi => "√(1 - x² - y²)",
    }
}

/// Lists the facts about the coordinates of a lookup and its level of detail.
pub fn facts(step: &LookupStep) -> Vec<Fact> {
    let target = step.texture.target;
    let read = usize::BITS - usize::from(target.coordinates()).leading_zeros();
    let read = (read as usize).clamp(1, 4);
    let mut facts = Vec::new();
    if let Looked::Size(..) = step.looked {
        let hint = "The level, counted from the base level";
        return vec![Fact::numbers("level", hint, &step.given[..1])];
    }
    facts.push(Fact::numbers("given", "The coordinates in the operand", &step.given[..read]));
    if let Some(divisor) = step.divisor {
        facts.push(Fact::numbers("divided by", "TXP divides by the fourth coordinate", &[divisor]));
        let hint = "The coordinates after the division";
        facts.push(Fact::numbers("projected", hint, &step.texture.coordinates[..read.min(3)]));
    }
    match &step.looked {
        Looked::Up(trace) => {
            place_facts(&mut facts, target, trace);
            if let Some(detail) = trace.found.detail() {
                detail_facts(&mut facts, target, detail);
            }
            if let Found::Gathered { component: gathered, .. } = &trace.found {
                let hint = "The component taken from each texel";
                facts.push(Fact::words("gathered", hint, component(*gathered)));
            }
        }
        Looked::Fetched(_, offset) if *offset != [0; 3] => {
            let offset = offset.map(|offset| offset as f32);
            facts.push(Fact::numbers("offset", "Added to the coordinates", &offset[..target.axes()]));
        }
        Looked::Fetched(..) | Looked::Size(..) | Looked::Refused(_) => {}
    }
    facts
}

fn place_facts(facts: &mut Vec<Fact>, target: TextureTarget, trace: &LookupTrace) {
    let own = trace.quad[trace.lane];
    if target.is_cube() {
        let face = FACES[usize::from(own.face) % 6];
        facts.push(Fact::words("face", "The cube face that the direction hits", face));
        let hint = "The position on the face, from 0 to 1";
        facts.push(Fact::numbers("s, t", hint, &own.coordinates[..2]));
    }
    if let Some(layer) = trace.layer {
        facts.push(Fact::words("layer", "The nearest existing layer", layer.to_string()));
    }
    if let Some(offset) = trace.offset.filter(|offset| *offset != [0; 3]) {
        let offset = offset.map(|offset| offset as f32);
        let hint = "Added to the texels' columns, rows and slices";
        facts.push(Fact::numbers("offset", hint, &offset[..target.axes()]));
    }
    if let Some((func, r)) = trace.comparison {
        let words = format!("{} {} depth", format::float(r), func.name());
        let hint =
            "Each texel gives 1 if comparing the reference, clamped to 0..1, with its depth passes, else 0";
        facts.push(Fact::words("compared", hint, words));
    }
}

fn detail_facts(facts: &mut Vec<Fact>, target: TextureTarget, detail: &DetailTrace) {
    let (axes, position) = (target.axes(), target.position());
    if let Some([dx, dy]) = detail.derivatives {
        let hint = "The change in the coordinates from a pixel to the one on its right";
        facts.push(Fact::numbers("d/dx", hint, &dx[..position]));
        let hint = "The change in the coordinates from a pixel to the one above it";
        facts.push(Fact::numbers("d/dy", hint, &dy[..position]));
        if target.is_cube() {
            let hint = "The same change in s and t on the cube face";
            facts.push(Fact::numbers("d/dx s, t", hint, &detail.in_image[0][..axes]));
            facts.push(Fact::numbers("d/dy s, t", hint, &detail.in_image[1][..axes]));
        }
        let lengths = detail.squared_sides.map(f32::sqrt);
        let hint = "Lengths of the pixel's footprint along x and y, in texels of the base level";
        facts.push(Fact::numbers("sides", hint, &lengths));
        facts.push(Fact::numbers("ρ", "The longer side", &[lengths[0].max(lengths[1])]));
        if let Some([count, most]) = detail.anisotropy {
            let words = format!("{} of at most {}", format::float(count), format::float(most));
            let hint = "The number of samples along the longer side of the footprint";
            facts.push(Fact::words("samples", hint, words));
        }
        let hint = if detail.anisotropy.is_some() {
            "log2 of the longer side divided by the number of samples"
        } else {
            "log2 of ρ"
        };
        facts.push(Fact::numbers("λ base", hint, &[detail.base]));
    } else {
        let hint = "The level that the program gives, or 0 for a vertex or primitive lookup without one";
        facts.push(Fact::numbers("λ given", hint, &[detail.base]));
    }
    let hint = "The sum of the sampler's bias and the lookup's bias, clamped";
    facts.push(Fact::numbers("bias", hint, &[detail.bias]));
    facts.push(Fact::numbers("clamped to", "TEXTURE_MIN_LOD and TEXTURE_MAX_LOD", &detail.clamps));
    facts.push(Fact::numbers("λ", "The level of detail, after bias and clamps", &[detail.lambda]));
    let (which, how) = if detail.magnified { ("mag", "at most") } else { ("min", "above") };
    let words = format!("{which} {}, λ is {how} {}", detail.filter.name(), format::float(detail.switch_over));
    facts.push(Fact::words("filter", "The filter used within a level", words));
}
