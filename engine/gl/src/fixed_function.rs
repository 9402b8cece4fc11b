//! Fixed-function state that ARB programs can bind, with commands of its own: planes of texture coordinate
//! generation (glspec15 2.11.4), clip planes (2.12), point parameters (3.3) and texture environment colours
//! (3.8.13).
//!
//! There is no generation mode, because texture coordinates are never generated.

use super::enums::{self, CLIP_PLANES, EnumArgument, GLenum, Named, TEXTURE_COORDS, gl_enums};
use super::error::{Error, Result, named};
use super::state::clamped;
use super::{Context, Matrix};
use shadestep_core::pipeline::PointState;
use shadestep_language::ir::{IMAGE_UNITS, TexGenPlane, TexGenSpace};

const GENERATION: &str = "glspec15 2.11.4";
const CLIPPING: &str = "glspec15 2.12";
const POINTS: &str = "glspec15 3.3";

gl_enums! {
    /// A texture coordinate: `coord` of `TexGen`.
    pub enum Coordinate {
        S = S,
        T = T,
        R = R,
        Q = Q,
    }

    /// `pname` of `PointParameter` for parameters of one number.
    pub enum PointParameter {
        /// The lower bound of derived sizes.
        SizeMin = POINT_SIZE_MIN,
        /// The upper bound of derived sizes.
        SizeMax = POINT_SIZE_MAX,
        /// Only programs read it, because points do not fade here.
        FadeThreshold = POINT_FADE_THRESHOLD_SIZE,
    }
}

impl Named for TexGenSpace {
    fn of_constant(value: GLenum) -> Option<Self> {
        match value {
            enums::EYE_PLANE => Some(Self::Eye),
            enums::OBJECT_PLANE => Some(Self::Object),
            _ => None,
        }
    }
}

/// The planes of one texture coordinate set: s, t, r, q.
type Planes = [[f32; 4]; 4];

/// Initially s is x and t is y; r and q are 0.
const INITIAL_PLANES: Planes = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0; 4]];

/// Distance attenuation of point sizes, and its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointAttenuation {
    /// The coefficients a, b and c.
    pub coefficients: [f32; 3],
    pub min: f32,
    pub max: f32,
    pub fade: f32,
}

impl PointAttenuation {
    /// No attenuation, and bounds that no point exceeds.
    pub const INITIAL: Self =
        Self { coefficients: [1.0, 0.0, 0.0], min: 0.0, max: PointState::MAX_SIZE, fade: 1.0 };

    /// The size of a point of `POINT_SIZE` `size` at `eye`: size * sqrt(1/(a + b d + c d^2)), clamped to the
    /// bounds. If min exceeds max, max wins.
    pub fn derived(&self, size: f32, [x, y, z, w]: [f32; 4]) -> f32 {
        let [a, b, c] = self.coefficients;
        let d = (x * x + y * y + z * z).sqrt() / w.abs();
        (size * (1.0 / (a + b * d + c * d * d)).sqrt()).max(self.min).min(self.max)
    }
}

/// The texture environment of a unit (`TexEnv`).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Environment {
    color: [f32; 4],
    lod_bias: f32,
}

impl Environment {
    const INITIAL: Self = Self { color: [0.0; 4], lod_bias: 0.0 };
}

/// All state of this module.
#[derive(Clone, Debug)]
pub(super) struct FixedFunction {
    /// Of each texture coordinate set, in eye coordinates.
    eye: [Planes; TEXTURE_COORDS as usize],
    /// Of each texture coordinate set, in object coordinates.
    object: [Planes; TEXTURE_COORDS as usize],
    environment: [Environment; IMAGE_UNITS],
    /// In eye coordinates.
    clip: [[f32; 4]; CLIP_PLANES as usize],
    pub points: PointAttenuation,
}

impl Default for FixedFunction {
    fn default() -> Self {
        Self {
            eye: [INITIAL_PLANES; TEXTURE_COORDS as usize],
            object: [INITIAL_PLANES; TEXTURE_COORDS as usize],
            environment: [Environment::INITIAL; IMAGE_UNITS],
            clip: [[0.0; 4]; CLIP_PLANES as usize],
            points: PointAttenuation::INITIAL,
        }
    }
}

impl FixedFunction {
    /// `state.texgen[n]...`; zeros for sets that do not exist.
    pub fn tex_gen(&self, unit: u8, plane: TexGenPlane) -> [f32; 4] {
        let planes = match plane.space {
            TexGenSpace::Eye => &self.eye,
            TexGenSpace::Object => &self.object,
        };
        let planes = planes.get(usize::from(unit));
        planes.and_then(|planes| planes.get(usize::from(plane.coordinate))).copied().unwrap_or_default()
    }

    /// `state.texenv[n].color`
    pub fn environment(&self, unit: u8) -> [f32; 4] {
        self.environment.get(usize::from(unit)).map_or([0.0; 4], |environment| environment.color)
    }

    /// `TEXTURE_LOD_BIAS` of a unit.
    pub fn lod_bias(&self, unit: usize) -> f32 {
        self.environment.get(unit).map_or(0.0, |environment| environment.lod_bias)
    }

    /// Restores the groups in `mask` from `saved` (glspec15 6.1.14).
    pub fn restore(&mut self, mask: GLenum, saved: &Self) {
        if mask & enums::TEXTURE_BIT != 0 {
            (self.eye, self.object, self.environment) = (saved.eye, saved.object, saved.environment);
        }
        if mask & enums::TRANSFORM_BIT != 0 {
            self.clip = saved.clip;
        }
        if mask & enums::POINT_BIT != 0 {
            self.points = saved.points;
        }
    }

    /// `state.clip[n].plane`
    pub fn clip_plane(&self, plane: u8) -> [f32; 4] {
        self.clip.get(usize::from(plane)).copied().unwrap_or_default()
    }

    /// The clip planes, in eye coordinates.
    pub const fn clip_planes(&self) -> &[[f32; 4]; CLIP_PLANES as usize] {
        &self.clip
    }
}

/// Transforms a plane from object to eye coordinates.
fn moved(plane: [f64; 4], modelview: &Matrix) -> [f32; 4] {
    modelview.inverse().transform_row(plane)
}

/// Planes, points and texture environments.
impl Context {
    /// `TexGen` of `OBJECT_PLANE` or `EYE_PLANE` for the active texture unit. An eye plane is given in object
    /// coordinates and transformed once, by the inverse of the current model-view matrix.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown coordinate or plane, `INVALID_OPERATION` if the active unit has no
    /// texture coordinates.
    pub fn tex_gen_plane(
        &mut self,
        coordinate: impl EnumArgument<Coordinate>,
        space: impl EnumArgument<TexGenSpace>,
        plane: [f32; 4],
    ) -> Result<()> {
        self.command("TexGen", |context| {
            let coordinate: Coordinate = named(coordinate, GENERATION, "coordinate")?;
            let space = named(space, GENERATION, "plane")?;
            let unit = usize::from(context.matrices.texture_stack()?);
            let modelview = context.modelview();
            let (planes, plane) = match space {
                TexGenSpace::Eye => {
                    (&mut context.fixed_function.eye, moved(plane.map(f64::from), &modelview))
                }
                TexGenSpace::Object => (&mut context.fixed_function.object, plane),
            };
            planes[unit][coordinate as usize] = plane;
            Ok(())
        })
    }

    /// `TexEnv` of `TEXTURE_ENV_COLOR` for the active texture unit, clamped to `[0,1]`. Each of the 16 image
    /// units has a colour; programs can bind the first 8.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end: every unit that can be active has images.
    pub fn tex_env_color(&mut self, color: [f32; 4]) -> Result<()> {
        self.change_environment(|environment| environment.color = color.map(clamped))
    }

    /// `TexEnv` of `TEXTURE_LOD_BIAS` in `TEXTURE_FILTER_CONTROL` for the active texture unit. The bias is
    /// added to the texture's own bias and the sum is clamped (3.8.8). NaN becomes 0.
    ///
    /// # Errors
    /// As [`Self::tex_env_color`].
    pub fn tex_env_lod_bias(&mut self, bias: f32) -> Result<()> {
        let bias = if bias.is_nan() { 0.0 } else { bias };
        self.change_environment(|environment| environment.lod_bias = bias)
    }

    fn change_environment(&mut self, change: impl FnOnce(&mut Environment)) -> Result<()> {
        self.command("TexEnv", |context| {
            let unit = usize::from(context.matrices.active_texture);
            context.fixed_function.environment.get_mut(unit).map(change);
            Ok(())
        })
    }

    /// `GetTexEnv` of `TEXTURE_ENV_COLOR`, of the active texture unit.
    ///
    /// # Errors
    /// As [`Self::tex_env_color`].
    pub fn get_tex_env_color(&self) -> Result<[f32; 4]> {
        self.query("GetTexEnv", || Ok(self.fixed_function.environment(self.matrices.active_texture)))
    }

    /// `GetTexEnv` of `TEXTURE_LOD_BIAS`, of the active texture unit.
    ///
    /// # Errors
    /// As [`Self::tex_env_color`].
    pub fn get_tex_env_lod_bias(&self) -> Result<f32> {
        self.query("GetTexEnv", || Ok(self.fixed_function.lod_bias(self.matrices.active_texture.into())))
    }

    /// `ClipPlane` with the number of the plane. The plane is given in object coordinates and transformed
    /// once, by the inverse of the current model-view matrix. It clips in the fixed-function vertex stage and
    /// position-invariant programs.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown plane.
    pub fn clip_plane(&mut self, plane: u32, equation: [f64; 4]) -> Result<()> {
        self.command("ClipPlane", |context| {
            let modelview = context.modelview();
            let place = usize::try_from(plane).ok().and_then(|n| context.fixed_function.clip.get_mut(n));
            *place
                .ok_or_else(|| Error::invalid_enum(CLIPPING, format!("there is no CLIP_PLANE{plane}")))? =
                moved(equation, &modelview);
            Ok(())
        })
    }

    /// `PointParameter` of one number.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown parameter, `INVALID_VALUE` if the number is negative.
    pub fn point_parameter(
        &mut self,
        parameter: impl EnumArgument<PointParameter>,
        value: f32,
    ) -> Result<()> {
        self.command("PointParameter", |context| {
            let parameter = named(parameter, POINTS, "parameter")?;
            if !(0.0..=f32::INFINITY).contains(&value) {
                return Err(Error::invalid_value(POINTS, format!("{value} is negative")));
            }
            let points = &mut context.fixed_function.points;
            *match parameter {
                PointParameter::SizeMin => &mut points.min,
                PointParameter::SizeMax => &mut points.max,
                PointParameter::FadeThreshold => &mut points.fade,
            } = value;
            Ok(())
        })
    }

    /// `PointParameter` of `POINT_DISTANCE_ATTENUATION`: a, b and c; initially (1,0,0).
    ///
    /// # Errors
    /// None of its own.
    pub fn point_distance_attenuation(&mut self, coefficients: [f32; 3]) -> Result<()> {
        self.command("PointParameter", |context| {
            context.fixed_function.points.coefficients = coefficients;
            Ok(())
        })
    }
}
