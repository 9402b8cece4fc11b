//! Components of texels: the numbers that they represent, and the conversions to bits and back.
//!
//! `format` lists the components of every format. Textures, buffer textures and images share these
//! conversions. Colour buffers convert whole tiles of pixels with functions of their own.

use super::small_floats;
use shadestep_language::ir::Type;
use shadestep_language::num::fp16;

/// The storage of one component, with its number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// An integer n that represents n / (2^bits - 1), from 0 to 1. 32 bits have the precision of fp32.
    Unorm(u32),
    /// A signed integer n that represents n / (2^(bits-1) - 1), from -1 to 1 (glspec40 equation 2.4).
    Snorm(u32),
    /// A signed integer n that represents n / 2^(bits-1). It follows the table in NV_texture_shader's Issues,
    /// which represents 0 exactly and 1 not. Table 2.9 of glspec15 has it the other way round.
    /// NV_texture_shader allows both and says that its hardware uses n / 128.
    Biased(u32),
    /// fp32, fp16, or an unsigned float of 11 or 10 bits (EXT_packed_float 2.1.A, 2.1.B).
    Float(u32),
    /// 9 bits with an exponent shared by the whole texel (EXT_texture_shared_exponent 3.8.1).
    Shared,
    /// Depth in fp32, from 0 to 1.
    Depth,
    /// A signed integer.
    Int(u32),
    /// An unsigned integer.
    Uint(u32),
}

/// The data type that lookups return. Instructions that read the format must have the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Floating-point numbers.
    Floats,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
}

impl Numbers {
    /// The type in registers.
    pub const fn ty(self) -> Type {
        match self {
            Self::Floats => Type::F32,
            Self::Signed => Type::S32,
            Self::Unsigned => Type::U32,
        }
    }
}

impl Component {
    /// Number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Unorm(bits)
            | Self::Snorm(bits)
            | Self::Biased(bits)
            | Self::Float(bits)
            | Self::Int(bits)
            | Self::Uint(bits) => bits,
            Self::Shared => 9,
            Self::Depth => 32,
        }
    }

    /// The data type that lookups return for this component.
    pub(super) const fn numbers(self) -> Numbers {
        match self {
            Self::Int(_) => Numbers::Signed,
            Self::Uint(_) => Numbers::Unsigned,
            Self::Unorm(_)
            | Self::Snorm(_)
            | Self::Biased(_)
            | Self::Float(_)
            | Self::Shared
            | Self::Depth => Numbers::Floats,
        }
    }

    /// The least and the greatest integer of the component; `None` for other components.
    pub(super) const fn integer_range(self) -> Option<(i64, i64)> {
        match self {
            Self::Int(bits) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Self::Uint(bits) => Some((0, (1 << bits) - 1)),
            _ => None,
        }
    }

    /// The integer that represents 1, for fixed-point components.
    const fn one(self) -> u32 {
        match self {
            Self::Unorm(bits) => u32::MAX >> (32 - bits),
            Self::Snorm(bits) => u32::MAX >> (33 - bits),
            Self::Biased(bits) => 1 << (bits - 1),
            _ => 1,
        }
    }

    /// The bits for a number, clamped and rounded to the component's precision. Fixed-point components turn
    /// NaN into 0 (glspec15 3.8.1), as the casts here do. Signed integers are sign-extended to 32 bits.
    ///
    /// 0 for integers, and for [`Self::Shared`], which depends on the other components.
    fn of_number(self, value: f64) -> u32 {
        let one = f64::from(self.one());
        match self {
            // Halves are rounded upwards.
            Self::Unorm(_) => (value.clamp(0.0, 1.0) * one + 0.5) as u32,
            Self::Biased(_) => (value * one + 0.5).floor().clamp(-one, one - 1.0) as i32 as u32,
            // Halves are rounded away from zero.
            Self::Snorm(_) => (value.clamp(-1.0, 1.0) * one).round() as i32 as u32,
            Self::Float(32) => (value as f32).to_bits(),
            Self::Float(16) => fp16::to_bits(small_floats::half(value)),
            Self::Float(bits) => small_floats::unsigned_bits(value, bits as i32 - 5),
            // NaN fails the comparison, so it becomes 0. So does -0.
            Self::Depth if value > 0.0 => (value.min(1.0) as f32).to_bits(),
            Self::Depth | Self::Shared | Self::Int(_) | Self::Uint(_) => 0,
        }
    }

    /// The bits for an integer, clamped to the component's range (EXT_texture_integer 3.8.1). Signed integers
    /// are sign-extended to 32 bits. 0 for other components.
    pub(super) fn of_integer(self, value: i64) -> u32 {
        self.integer_range().map_or(0, |(least, most)| value.clamp(least, most) as u32)
    }

    /// The bits for a register of type F32, S32 or U32 with these bits.
    pub(super) fn encode(self, ty: Type, register: u32) -> u32 {
        match (ty, self) {
            // The bits of a signalling NaN would change in f64.
            (Type::F32, Self::Float(32)) => register,
            (Type::F32, Self::Float(16)) => fp16::to_bits(f32::from_bits(register)),
            (Type::F32, _) => self.of_number(f32::from_bits(register).into()),
            (Type::S32, _) => self.of_integer(register.cast_signed().into()),
            _ => self.of_integer(register.into()),
        }
    }

    /// The register for the component's bits: the bits of an fp32 number, or a 32-bit integer.
    pub(super) fn decode(self, bits: u32) -> u32 {
        let signed = |width: u32| (bits << (32 - width)).cast_signed() >> (32 - width);
        match self {
            Self::Float(32) | Self::Depth | Self::Shared | Self::Uint(_) => bits,
            Self::Float(16) => fp16::from_bits(bits).to_bits(),
            Self::Float(width) => small_floats::from_unsigned_bits(bits, width as i32 - 5).to_bits(),
            Self::Int(width) => signed(width) as u32,
            Self::Unorm(32) => ((f64::from(bits) / f64::from(self.one())) as f32).to_bits(),
            // fp32 represents both integers exactly.
            Self::Unorm(_) => (bits as f32 / self.one() as f32).to_bits(),
            Self::Snorm(width) | Self::Biased(width) => {
                (signed(width) as f32 / self.one() as f32).max(-1.0).to_bits()
            }
        }
    }

    /// `value`, clamped and rounded to the component's precision.
    pub(super) fn quantise(self, value: f64) -> f32 {
        match self {
            // Skips the conversion to bits and back.
            Self::Float(16) => small_floats::half(value),
            Self::Float(bits @ (10 | 11)) => small_floats::unsigned(value, bits as i32 - 5),
            _ => f32::from_bits(self.decode(self.of_number(value))),
        }
    }

    /// Whether every value is also a value of a byte, n / 255. This is so if 2^bits - 1 divides 255.
    pub(super) const fn fits_byte(self) -> bool {
        matches!(self, Self::Unorm(1 | 2 | 4 | 8))
    }

    /// The byte for `value`, for components that [`Self::fits_byte`].
    pub(super) fn byte(self, value: f64) -> u8 {
        (self.of_number(value) * (255 / self.one())) as u8
    }

    /// The least and the greatest border value: the component's range, or -1 and 1 for signed fixed-point
    /// components (NV_texture_shader 3.8.4). Border values are not rounded to the component's precision.
    /// 0 for integers, whose borders are handled separately.
    pub(super) const fn border_range(self) -> (f32, f32) {
        match self {
            Self::Unorm(_) | Self::Depth => (0.0, 1.0),
            Self::Snorm(_) | Self::Biased(_) => (-1.0, 1.0),
            Self::Float(16 | 32) => (f32::NEG_INFINITY, f32::INFINITY),
            Self::Float(_) => (0.0, f32::INFINITY),
            Self::Shared => (0.0, small_floats::GREATEST_SHARED),
            Self::Int(_) | Self::Uint(_) => (0.0, 0.0),
        }
    }
}
