//! Current vertex attributes, and the fixed-function commands that set the same state (NV_vertex_program
//! 2.14.1.1 and table X.2).

use super::Context;
use super::counted::Counted;
use super::enums::{TEXTURE_COORDS, VERTEX_ATTRIBS};
use super::error::{Error, Result};
use shadestep_core::pipeline::{ArrayConversion, ArrayNumber, EdgeFlag};
use shadestep_language::ir::{Components, single_bits, singles};

const ATTRIBUTES: &str = "NV_vertex_program 2.14.1.1";
const ALIASING: &str = "NV_vertex_program 2.14.1.6";
const QUERY: &str = "NV_vertex_program 6.1.13";

/// Bits of the 16 attributes.
pub(super) type Attributes = [Components; VERTEX_ATTRIBS as usize];

/// Attributes that fixed-function vertex parameters alias (table X.2). Vertex weights (EXT_vertex_weighting)
/// are not supported, so attribute 1 has no alias.
pub(super) mod alias {
    pub const POSITION: usize = 0;
    pub const NORMAL: usize = 2;
    pub const COLOR: usize = 3;
    pub const SECONDARY_COLOR: usize = 4;
    pub const FOG_COORD: usize = 5;
    pub const TEXTURE_COORD: usize = 8;
}

/// (0,0,0,1): the components that a command does not set.
const FILL: Components = ArrayConversion::Float.fill();

/// The initial attributes: (0,0,0,1), except (0,0,1) for the normal and white for the primary colour
/// (NV_vertex_program2 2.14.8, glspec15 2.7).
pub(super) const INITIAL: Attributes = {
    let mut all = [FILL; VERTEX_ATTRIBS as usize];
    let one = FILL[3];
    all[alias::NORMAL] = [0, 0, one, one];
    all[alias::COLOR] = [one; 4];
    all
};

/// The numbers of one attribute: one to four of type `i16` (`s`), `f32` (`f`) or `f64` (`d`), or four of type
/// `u8` (`ub`). Missing y and z are 0, a missing w is 1. Other commands take arrays in a wrapper type:
/// [`super::Whole`], [`super::Normalized`], [`super::Integers`], [`super::Longs`].
pub trait AttributeValue: Copy {
    /// The bits of the attribute. Bytes are divided by 255 (glspec15 table 2.9) and doubles are rounded to
    /// fp32. Other numbers are unchanged.
    fn to_attribute(self) -> Components;
}

/// The converted `numbers`, followed by fill values.
pub(super) fn attribute<const N: usize>(
    numbers: [impl ArrayNumber; N],
    conversion: ArrayConversion,
) -> Components {
    let mut all = conversion.fill();
    for (all, number) in all.iter_mut().zip(numbers) {
        *all = conversion.component(number);
    }
    all
}

/// Implements the conversion of each kind of number.
macro_rules! attribute_values {
    ($($number:ty: $conversion:ident => $($count:literal)*;)*) => {
        $($(
            impl AttributeValue for [$number; $count] {
                fn to_attribute(self) -> Components {
                    attribute(self, ArrayConversion::$conversion)
                }
            }
        )*)*
    };
}

attribute_values! {
    i16: Float => 1 2 3 4;
    f32: Float => 1 2 3 4;
    f64: Float => 1 2 3 4;
    u8: Normalized => 4;
}

/// The `count` attributes from `index` on.
pub(super) fn attribute_range(
    index: u32,
    count: usize,
    clause: &'static str,
) -> Result<std::ops::Range<usize>> {
    let first = usize::try_from(index).unwrap_or(usize::MAX);
    let end = first.saturating_add(count.max(1));
    if end > usize::from(VERTEX_ATTRIBS) {
        let reason = format!("attribute {} does not exist: the last one is 15", end - 1);
        return Err(Error::invalid_value(clause, reason));
    }
    Ok(first..first + count)
}

/// Vertex attributes.
impl Context {
    /// `VertexAttrib{1,2,3,4}{s,f,d}[v]NV` and `VertexAttrib4ub[v]NV`; the type of the array selects the
    /// command: `[2.0f32, 3.0]` is `2f`. Between begin and end, attribute 0 makes a vertex. Elsewhere it does
    /// nothing.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn vertex_attrib(&mut self, index: u32, value: impl AttributeValue) -> Result<()> {
        self.anywhere(|context| {
            let place = attribute_range(index, 1, ATTRIBUTES)?.start;
            context.set_attribute(place, value.to_attribute())
        })
    }

    /// `VertexAttribs{1,2,3,4}{s,f,d}vNV` and `VertexAttribs4ubvNV`: sets one attribute per value, the last
    /// one first, so that attribute 0 comes last.
    ///
    /// # Errors
    /// `INVALID_VALUE` if one of the indices is greater than 15 and for a negative count.
    pub fn vertex_attribs<'a, V: AttributeValue + 'a>(
        &mut self,
        index: u32,
        values: impl Into<Counted<'a, V>>,
    ) -> Result<()> {
        self.anywhere(|context| {
            let values = values.into().values(ATTRIBUTES)?;
            let range = attribute_range(index, values.len(), ATTRIBUTES)?;
            range
                .zip(values)
                .rev()
                .try_for_each(|(place, value)| context.set_attribute(place, value.to_attribute()))
        })
    }

    /// `GetVertexAttrib{d,f,i}vNV` of `CURRENT_ATTRIB_NV`.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15, and for attribute 0, which has no current value.
    pub fn get_vertex_attrib(&self, index: u32) -> Result<[f32; 4]> {
        self.query("GetVertexAttribNV", || {
            let place = attribute_range(index, 1, QUERY)?.start;
            if place == 0 {
                return Err(Error::invalid_value(QUERY, "attribute 0 has no current value"));
            }
            Ok(singles(self.attributes[place]))
        })
    }

    /// `Vertex{2,3,4}`: attribute 0.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY` after very many vertices.
    pub fn vertex(&mut self, position: impl AttributeValue) -> Result<()> {
        self.anywhere(|context| context.set_attribute(alias::POSITION, position.to_attribute()))
    }

    /// `Normal3f`: attribute 2; its w becomes 1.
    ///
    /// # Errors
    /// None.
    pub fn normal(&mut self, normal: [f32; 3]) -> Result<()> {
        self.anywhere(|context| context.set_attribute(alias::NORMAL, normal.to_attribute()))
    }

    /// `Color4f`: attribute 3.
    ///
    /// # Errors
    /// None.
    pub fn color(&mut self, color: [f32; 4]) -> Result<()> {
        self.anywhere(|context| context.set_attribute(alias::COLOR, single_bits(color)))
    }

    /// `SecondaryColor3f`: attribute 4; its w becomes 1.
    ///
    /// # Errors
    /// None.
    pub fn secondary_color(&mut self, color: [f32; 3]) -> Result<()> {
        self.anywhere(|context| context.set_attribute(alias::SECONDARY_COLOR, color.to_attribute()))
    }

    /// `FogCoordf`: attribute 5 becomes (coordinate, 0, 0, 1).
    ///
    /// # Errors
    /// None.
    pub fn fog_coord(&mut self, coordinate: f32) -> Result<()> {
        self.anywhere(|context| context.set_attribute(alias::FOG_COORD, [coordinate].to_attribute()))
    }

    /// `MultiTexCoord{1,2,3,4}` with the number of the set: attribute 8 + set.
    ///
    /// # Errors
    /// `INVALID_ENUM` if there is no such set.
    pub fn multi_tex_coord(&mut self, set: u32, coordinates: impl AttributeValue) -> Result<()> {
        self.anywhere(|context| {
            let set = texture_set(set)?;
            context.set_attribute(alias::TEXTURE_COORD + set, coordinates.to_attribute())
        })
    }

    /// `EdgeFlag`: whether later vertices of separate polygons begin boundary edges; initially TRUE. Allowed
    /// between begin and end.
    ///
    /// # Errors
    /// None.
    pub fn edge_flag(&mut self, flag: EdgeFlag) -> Result<()> {
        self.anywhere(|context| {
            context.edge_flag = flag;
            Ok(())
        })
    }

    /// `GetBooleanv` of `EDGE_FLAG`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_edge_flag(&self) -> Result<EdgeFlag> {
        self.query("GetBooleanv", || Ok(self.edge_flag))
    }

    /// Sets the current value of attribute `place`, or adds a vertex if it is the position.
    pub(super) fn set_attribute(&mut self, place: usize, value: Components) -> Result<()> {
        if place != alias::POSITION {
            self.attributes[place] = value;
            if place == alias::COLOR {
                self.track_color();
            }
            return Ok(());
        }
        let Some(immediate) = &mut self.immediate else { return Ok(()) };
        let mut vertex = self.attributes;
        vertex[alias::POSITION] = value;
        immediate.push(vertex, self.edge_flag)
    }
}

/// The index of a texture coordinate set, if it exists.
pub(super) fn texture_set(set: u32) -> Result<usize> {
    let place = usize::try_from(set).ok().filter(|&place| place < usize::from(TEXTURE_COORDS));
    place.ok_or_else(|| Error::invalid_enum(ALIASING, format!("there is no texture coordinate set {set}")))
}
