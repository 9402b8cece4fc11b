//! Fixed-function state that ARB programs can bind to parameters: Tables X.2.2 to X.2.7 of
//! ARB_fragment_program and X.3.2 to X.3.8 of ARB_vertex_program. The GL context computes the values.
//!
//! Vertex blending and matrix palettes are not supported, so the bindings that depend on them are missing.

use std::fmt;

use super::limits;
use crate::isa::{Language, Stage};

/// A side of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// Front: the default of a binding without a face.
    Front,
    /// `.back`
    Back,
}

impl Face {
    pub const ALL: [Self; 2] = [Self::Front, Self::Back];

    const fn prefix(self) -> &'static str {
        match self {
            Self::Front => "",
            Self::Back => "back.",
        }
    }
}

named_enum! {
    /// A material property.
    pub enum MaterialProperty {
        /// Ambient colour.
        Ambient = "ambient",
        /// Diffuse colour.
        Diffuse = "diffuse",
        /// Specular colour.
        Specular = "specular",
        /// Emissive colour.
        Emission = "emission",
        /// (s,0,0,1).
        Shininess = "shininess",
    }

    /// A property of a light.
    pub enum LightProperty {
        /// Ambient colour.
        Ambient = "ambient",
        /// Diffuse colour.
        Diffuse = "diffuse",
        /// Specular colour.
        Specular = "specular",
        /// Position in eye coordinates.
        Position = "position",
        /// Constant, linear and quadratic attenuation, spot exponent.
        Attenuation = "attenuation",
        /// Spot direction and cosine of the cutoff angle.
        SpotDirection = "spot.direction",
        /// Half-angle vector of an infinite light and viewer; w is 1.
        Half = "half",
    }

    /// A colour that both lights and materials have.
    pub enum ProductProperty {
        Ambient = "ambient",
        Diffuse = "diffuse",
        Specular = "specular",
    }
}

/// The coordinate space of a texture coordinate generation plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TexGenSpace {
    /// Eye coordinates.
    Eye,
    /// Object coordinates.
    Object,
}

/// A plane of texture coordinate generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TexGenPlane {
    pub space: TexGenSpace,
    /// The coordinate that the plane generates, 0 = s to 3 = q.
    pub coordinate: u8,
}

/// A matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MatrixName {
    /// Modelview matrix 0.
    ModelView,
    /// Projection matrix.
    Projection,
    /// Projection times modelview.
    Mvp,
    /// Texture matrix n.
    Texture(u8),
    /// Program matrix n.
    Program(u8),
}

/// The form of a matrix that a binding reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MatrixTransform {
    /// The matrix itself.
    Identity,
    /// `.inverse`
    Inverse,
    /// `.transpose`
    Transpose,
    /// `.invtrans`
    InverseTranspose,
}

impl MatrixTransform {
    pub const ALL: [Self; 4] = [Self::Identity, Self::Inverse, Self::Transpose, Self::InverseTranspose];

    const fn suffix(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::Inverse => ".inverse",
            Self::Transpose => ".transpose",
            Self::InverseTranspose => ".invtrans",
        }
    }
}

/// One vector of fixed-function state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateVector {
    /// `state.material...`
    Material {
        /// Side.
        face: Face,
        /// Property.
        property: MaterialProperty,
    },
    /// `state.light[n]...`
    Light {
        /// Number.
        light: u8,
        /// Property.
        property: LightProperty,
    },
    /// `state.lightmodel.ambient`
    LightModelAmbient,
    /// `state.lightmodel.scenecolor`
    SceneColor {
        /// Side.
        face: Face,
    },
    /// `state.lightprod[n]...`
    LightProduct {
        /// Number.
        light: u8,
        /// Side.
        face: Face,
        /// Property.
        property: ProductProperty,
    },
    /// `state.texgen[n]...`, in vertex programs.
    TexGen {
        /// Coordinate set.
        unit: u8,
        /// Plane.
        plane: TexGenPlane,
    },
    /// `state.texenv[n].color`, in fragment programs.
    TexEnvColor {
        /// Texture unit.
        unit: u8,
    },
    /// `state.fog.color`
    FogColor,
    /// `state.fog.params`: density, start, end, 1/(end-start).
    FogParams,
    /// `state.clip[n].plane`, in vertex programs.
    ClipPlane(u8),
    /// `state.point.size`, in vertex programs: size, minimum, maximum, fade threshold.
    PointSize,
    /// `state.point.attenuation`, in vertex programs.
    PointAttenuation,
    /// `state.depth.range`, in fragment programs: near, far, far - near, 1.
    DepthRange,
    /// `state.matrix...row[n]`
    Matrix {
        /// Matrix.
        name: MatrixName,
        transform: MatrixTransform,
        /// Row, 0 to 3.
        row: u8,
    },
}

/// A row of the identity matrix.
fn unit(row: u8) -> [f32; 4] {
    std::array::from_fn(|c| f32::from(c == usize::from(row)))
}

impl StateVector {
    /// The initial value in the GL (glspec15 tables 6.8 to 6.12; tables 2.10 and 2.11 for lighting).
    pub fn initial(self) -> [f32; 4] {
        match self {
            Self::Material { property, .. } => match property {
                MaterialProperty::Ambient => [0.2, 0.2, 0.2, 1.0],
                MaterialProperty::Diffuse => [0.8, 0.8, 0.8, 1.0],
                MaterialProperty::Specular | MaterialProperty::Emission | MaterialProperty::Shininess => {
                    [0.0, 0.0, 0.0, 1.0]
                }
            },
            Self::Light { light, property } => match property {
                LightProperty::Diffuse | LightProperty::Specular if light == 0 => [1.0; 4],
                LightProperty::Ambient | LightProperty::Diffuse | LightProperty::Specular => {
                    [0.0, 0.0, 0.0, 1.0]
                }
                LightProperty::Position => [0.0, 0.0, 1.0, 0.0],
                LightProperty::Attenuation => [1.0, 0.0, 0.0, 0.0],
                // The cutoff is 180 degrees, whose cosine is -1.
                LightProperty::SpotDirection => [0.0, 0.0, -1.0, -1.0],
                LightProperty::Half => [0.0, 0.0, 1.0, 1.0],
            },
            Self::LightModelAmbient => [0.2, 0.2, 0.2, 1.0],
            // The ambient light times the material's ambient colour.
            Self::SceneColor { .. } => [0.2 * 0.2, 0.2 * 0.2, 0.2 * 0.2, 1.0],
            Self::LightProduct { light: 0, property: ProductProperty::Diffuse, .. } => [0.8, 0.8, 0.8, 1.0],
            Self::LightProduct { .. } => [0.0, 0.0, 0.0, 1.0],
            Self::TexGen { plane, .. } if plane.coordinate < 2 => unit(plane.coordinate),
            Self::TexGen { .. } | Self::TexEnvColor { .. } | Self::FogColor | Self::ClipPlane(_) => [0.0; 4],
            Self::FogParams => [1.0, 0.0, 1.0, 1.0],
            Self::PointSize => [1.0, 0.0, limits::POINT_SIZE, 1.0],
            Self::PointAttenuation => [1.0, 0.0, 0.0, 1.0],
            Self::DepthRange => [0.0, 1.0, 1.0, 1.0],
            // All matrices are the identity.
            Self::Matrix { row, .. } => unit(row),
        }
    }

    /// Every state vector.
    pub fn all() -> Vec<Self> {
        let mut all = vec![
            Self::LightModelAmbient,
            Self::FogColor,
            Self::FogParams,
            Self::PointSize,
            Self::PointAttenuation,
            Self::DepthRange,
        ];
        for face in Face::ALL {
            all.extend(MaterialProperty::ALL.map(|property| Self::Material { face, property }));
            all.push(Self::SceneColor { face });
            for light in 0..limits::LIGHTS {
                all.extend(ProductProperty::ALL.map(|property| Self::LightProduct { light, face, property }));
            }
        }
        for light in 0..limits::LIGHTS {
            all.extend(LightProperty::ALL.map(|property| Self::Light { light, property }));
        }
        for unit in 0..limits::TEXTURE_COORDS {
            for space in [TexGenSpace::Eye, TexGenSpace::Object] {
                let plane = |coordinate| TexGenPlane { space, coordinate };
                all.extend((0..4).map(|coordinate| Self::TexGen { unit, plane: plane(coordinate) }));
            }
        }
        all.extend((0..limits::TEXTURE_UNITS).map(|unit| Self::TexEnvColor { unit }));
        all.extend((0..limits::CLIP_PLANES).map(Self::ClipPlane));
        let mut matrices = vec![MatrixName::ModelView, MatrixName::Projection, MatrixName::Mvp];
        matrices.extend((0..limits::TEXTURE_COORDS).map(MatrixName::Texture));
        matrices.extend((0..limits::PROGRAM_MATRICES).map(MatrixName::Program));
        for name in matrices {
            for transform in MatrixTransform::ALL {
                all.extend((0..4).map(|row| Self::Matrix { name, transform, row }));
            }
        }
        all
    }

    /// Whether programs in `language` can bind the vector. Languages with types share one list for all stages
    /// (NV_gpu_program4 2.X.2, `<stateSingleItem>`).
    pub fn is_in(self, language: Language) -> bool {
        let stage = language.stage();
        if language.profile().typed {
            return true;
        }
        match self {
            Self::TexGen { .. } | Self::ClipPlane(_) | Self::PointSize | Self::PointAttenuation => {
                stage == Stage::Vertex
            }
            Self::TexEnvColor { .. } | Self::DepthRange => stage == Stage::Fragment,
            _ => stage != Stage::VertexState,
        }
    }

    /// Whether its numbers (lights, units, rows) are below the limits.
    pub const fn exists(self) -> bool {
        match self {
            Self::Light { light, .. } | Self::LightProduct { light, .. } => light < limits::LIGHTS,
            Self::TexGen { unit, plane } => unit < limits::TEXTURE_COORDS && plane.coordinate < 4,
            Self::TexEnvColor { unit } => unit < limits::TEXTURE_UNITS,
            Self::ClipPlane(number) => number < limits::CLIP_PLANES,
            Self::Matrix { name, row, .. } => {
                let named = match name {
                    MatrixName::Texture(number) => number < limits::TEXTURE_COORDS,
                    MatrixName::Program(number) => number < limits::PROGRAM_MATRICES,
                    MatrixName::ModelView | MatrixName::Projection | MatrixName::Mvp => true,
                };
                named && row < 4
            }
            Self::Material { .. }
            | Self::LightModelAmbient
            | Self::SceneColor { .. }
            | Self::FogColor
            | Self::FogParams
            | Self::PointSize
            | Self::PointAttenuation
            | Self::DepthRange => true,
        }
    }
}

/// The binding as programs write it, in its shortest form.
impl fmt::Display for StateVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Material { face, property } => {
                write!(f, "state.material.{}{}", face.prefix(), property.name())
            }
            Self::Light { light, property } => write!(f, "state.light[{light}].{}", property.name()),
            Self::LightModelAmbient => f.write_str("state.lightmodel.ambient"),
            Self::SceneColor { face } => write!(f, "state.lightmodel.{}scenecolor", face.prefix()),
            Self::LightProduct { light, face, property } => {
                write!(f, "state.lightprod[{light}].{}{}", face.prefix(), property.name())
            }
            Self::TexGen { unit, plane: TexGenPlane { space, coordinate } } => {
                let space = match space {
                    TexGenSpace::Eye => "eye",
                    TexGenSpace::Object => "object",
                };
                let coordinate = ["s", "t", "r", "q"].get(usize::from(coordinate)).copied().unwrap_or("?");
                write!(f, "state.texgen[{unit}].{space}.{coordinate}")
            }
            Self::TexEnvColor { unit } => write!(f, "state.texenv[{unit}].color"),
            Self::FogColor => f.write_str("state.fog.color"),
            Self::FogParams => f.write_str("state.fog.params"),
            Self::ClipPlane(number) => write!(f, "state.clip[{number}].plane"),
            Self::PointSize => f.write_str("state.point.size"),
            Self::PointAttenuation => f.write_str("state.point.attenuation"),
            Self::DepthRange => f.write_str("state.depth.range"),
            Self::Matrix { name, transform, row } => {
                f.write_str("state.matrix.")?;
                match name {
                    MatrixName::ModelView => f.write_str("modelview")?,
                    MatrixName::Projection => f.write_str("projection")?,
                    MatrixName::Mvp => f.write_str("mvp")?,
                    MatrixName::Texture(number) => write!(f, "texture[{number}]")?,
                    MatrixName::Program(number) => write!(f, "program[{number}]")?,
                }
                write!(f, "{}.row[{row}]", transform.suffix())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_vector_exists_once_and_is_bound_somewhere() {
        let all = StateVector::all();
        let names: HashSet<String> = all.iter().map(StateVector::to_string).collect();
        assert_eq!(names.len(), all.len());
        for vector in &all {
            assert!(vector.exists(), "{vector}");
            assert!(vector.is_in(Language::ArbVp1) || vector.is_in(Language::ArbFp1), "{vector}");
            assert!(vector.is_in(Language::NvVp4) && vector.is_in(Language::NvFp5), "{vector}");
            assert!(!vector.is_in(Language::Vsp1), "{vector}");
        }
        // Counted in the tables: 10 material, 8 * 7 light, 1 + 2 light model, 8 * 6 products, 8 * 8 texture
        // generation, 8 environments, 2 fog, 8 clip planes, 2 point, 1 depth, 19 matrices * 4 * 4 rows.
        assert_eq!(all.len(), 10 + 56 + 3 + 48 + 64 + 8 + 2 + 8 + 2 + 1 + 19 * 16);
    }

    #[test]
    fn bindings_are_spelt_as_in_the_tables() {
        let transform = MatrixTransform::InverseTranspose;
        let light = |property| StateVector::Light { light: 3, property };
        let plane = TexGenPlane { space: TexGenSpace::Object, coordinate: 3 };
        for (vector, text) in [
            (
                StateVector::Material { face: Face::Back, property: MaterialProperty::Shininess },
                "state.material.back.shininess",
            ),
            (light(LightProperty::SpotDirection), "state.light[3].spot.direction"),
            (StateVector::SceneColor { face: Face::Front }, "state.lightmodel.scenecolor"),
            (
                StateVector::LightProduct { light: 7, face: Face::Back, property: ProductProperty::Diffuse },
                "state.lightprod[7].back.diffuse",
            ),
            (StateVector::TexGen { unit: 2, plane }, "state.texgen[2].object.q"),
            (StateVector::ClipPlane(5), "state.clip[5].plane"),
            (
                StateVector::Matrix { name: MatrixName::Texture(1), transform, row: 2 },
                "state.matrix.texture[1].invtrans.row[2]",
            ),
        ] {
            assert_eq!(vector.to_string(), text);
        }
    }
}
