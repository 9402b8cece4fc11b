//! The GL's constants for buffer texture formats: table X.1 of EXT_texture_buffer_object, and the additions
//! of glspec40's table 3.21.

use super::{GLenum, Named};
use shadestep_core::texture::Format;

macro_rules! formats {
    ($($name:ident = $value:literal $format:ident;)*) => {
        $(
            #[doc = concat!("`GL_", stringify!($name), "`")]
            pub const $name: GLenum = $value;
        )*

        impl Named for Format {
            fn of_constant(value: GLenum) -> Option<Self> {
                match value {
                    $($name => Some(Self::$format),)*
                    _ => None,
                }
            }
        }
    };
}

formats! {
    ALPHA8 = 0x803C Alpha8;
    ALPHA16 = 0x803E Alpha16;
    ALPHA16F_ARB = 0x881C Alpha16F;
    ALPHA32F_ARB = 0x8816 Alpha32F;
    ALPHA8I_EXT = 0x8D90 Alpha8I;
    ALPHA16I_EXT = 0x8D8A Alpha16I;
    ALPHA32I_EXT = 0x8D84 Alpha32I;
    ALPHA8UI_EXT = 0x8D7E Alpha8Ui;
    ALPHA16UI_EXT = 0x8D78 Alpha16Ui;
    ALPHA32UI_EXT = 0x8D72 Alpha32Ui;
    LUMINANCE8 = 0x8040 Luminance8;
    LUMINANCE16 = 0x8042 Luminance16;
    LUMINANCE16F_ARB = 0x881E Luminance16F;
    LUMINANCE32F_ARB = 0x8818 Luminance32F;
    LUMINANCE8I_EXT = 0x8D92 Luminance8I;
    LUMINANCE16I_EXT = 0x8D8C Luminance16I;
    LUMINANCE32I_EXT = 0x8D86 Luminance32I;
    LUMINANCE8UI_EXT = 0x8D80 Luminance8Ui;
    LUMINANCE16UI_EXT = 0x8D7A Luminance16Ui;
    LUMINANCE32UI_EXT = 0x8D74 Luminance32Ui;
    LUMINANCE8_ALPHA8 = 0x8045 Luminance8Alpha8;
    LUMINANCE16_ALPHA16 = 0x8048 Luminance16Alpha16;
    LUMINANCE_ALPHA16F_ARB = 0x881F LuminanceAlpha16F;
    LUMINANCE_ALPHA32F_ARB = 0x8819 LuminanceAlpha32F;
    LUMINANCE_ALPHA8I_EXT = 0x8D93 LuminanceAlpha8I;
    LUMINANCE_ALPHA16I_EXT = 0x8D8D LuminanceAlpha16I;
    LUMINANCE_ALPHA32I_EXT = 0x8D87 LuminanceAlpha32I;
    LUMINANCE_ALPHA8UI_EXT = 0x8D81 LuminanceAlpha8Ui;
    LUMINANCE_ALPHA16UI_EXT = 0x8D7B LuminanceAlpha16Ui;
    LUMINANCE_ALPHA32UI_EXT = 0x8D75 LuminanceAlpha32Ui;
    INTENSITY8 = 0x804B Intensity8;
    INTENSITY16 = 0x804D Intensity16;
    INTENSITY16F_ARB = 0x881D Intensity16F;
    INTENSITY32F_ARB = 0x8817 Intensity32F;
    INTENSITY8I_EXT = 0x8D91 Intensity8I;
    INTENSITY16I_EXT = 0x8D8B Intensity16I;
    INTENSITY32I_EXT = 0x8D85 Intensity32I;
    INTENSITY8UI_EXT = 0x8D7F Intensity8Ui;
    INTENSITY16UI_EXT = 0x8D79 Intensity16Ui;
    INTENSITY32UI_EXT = 0x8D73 Intensity32Ui;
    RGBA8 = 0x8058 Rgba8;
    RGBA16 = 0x805B Rgba16;
    RGBA16F_ARB = 0x881A Rgba16F;
    RGBA32F_ARB = 0x8814 Rgba32F;
    RGBA8I_EXT = 0x8D8E Rgba8I;
    RGBA16I_EXT = 0x8D88 Rgba16I;
    RGBA32I_EXT = 0x8D82 Rgba32I;
    RGBA8UI_EXT = 0x8D7C Rgba8Ui;
    RGBA16UI_EXT = 0x8D76 Rgba16Ui;
    RGBA32UI_EXT = 0x8D70 Rgba32Ui;
    R8 = 0x8229 R8;
    R16 = 0x822A R16;
    R16F = 0x822D R16F;
    R32F = 0x822E R32F;
    R8I = 0x8231 R8I;
    R8UI = 0x8232 R8Ui;
    R16I = 0x8233 R16I;
    R16UI = 0x8234 R16Ui;
    R32I = 0x8235 R32I;
    R32UI = 0x8236 R32Ui;
    RG8 = 0x822B Rg8;
    RG16 = 0x822C Rg16;
    RG16F = 0x822F Rg16F;
    RG32F = 0x8230 Rg32F;
    RG8I = 0x8237 Rg8I;
    RG8UI = 0x8238 Rg8Ui;
    RG16I = 0x8239 Rg16I;
    RG16UI = 0x823A Rg16Ui;
    RG32I = 0x823B Rg32I;
    RG32UI = 0x823C Rg32Ui;
    RGB32F_ARB = 0x8815 Rgb32F;
    RGB32I_EXT = 0x8D83 Rgb32I;
    RGB32UI_EXT = 0x8D71 Rgb32Ui;
}
