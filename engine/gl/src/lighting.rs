//! Materials, lights and the light model (glspec15 2.14.1 to 2.14.3), as state that ARB programs can bind.
//! The fixed-function lighting that would read this state is not implemented.

use super::Context;
use super::attributes::alias;
use super::enums::{Cap, EnumArgument, gl_enums};
use super::error::{Error, Result, named};
use super::matrix::{cos_degrees, unit};
use shadestep_core::pipeline::CullFace;
use shadestep_language::ir::{Face, LightProperty, MaterialProperty, ProductProperty, limits, singles};

const LIGHTING: &str = "glspec15 2.14.2";
const TRACKING: &str = "glspec15 2.14.3";

gl_enums! {
    /// A colour of a material: `pname` of `Material`.
    pub enum MaterialColor {
        Ambient = AMBIENT,
        Diffuse = DIFFUSE,
        AmbientAndDiffuse = AMBIENT_AND_DIFFUSE,
        Specular = SPECULAR,
        Emission = EMISSION,
    }

    /// A colour of a light: `pname` of `Light`.
    pub enum LightColor {
        Ambient = AMBIENT,
        Diffuse = DIFFUSE,
        Specular = SPECULAR,
    }

    /// A parameter of a light that is one number: `pname` of `Light`.
    pub enum LightNumber {
        /// 0 to 128.
        SpotExponent = SPOT_EXPONENT,
        /// In degrees, 0 to 90, or 180.
        SpotCutoff = SPOT_CUTOFF,
        /// At least 0.
        ConstantAttenuation = CONSTANT_ATTENUATION,
        /// At least 0.
        LinearAttenuation = LINEAR_ATTENUATION,
        /// At least 0.
        QuadraticAttenuation = QUADRATIC_ATTENUATION,
    }
}

/// The material of one side.
#[derive(Clone, Copy, Debug)]
struct Material {
    ambient: [f32; 4],
    diffuse: [f32; 4],
    specular: [f32; 4],
    emission: [f32; 4],
    shininess: f32,
}

impl Material {
    /// Table 2.10.
    const INITIAL: Self = Self {
        ambient: [0.2, 0.2, 0.2, 1.0],
        diffuse: [0.8, 0.8, 0.8, 1.0],
        specular: [0.0, 0.0, 0.0, 1.0],
        emission: [0.0, 0.0, 0.0, 1.0],
        shininess: 0.0,
    };

    const fn product(&self, property: ProductProperty) -> [f32; 4] {
        match property {
            ProductProperty::Ambient => self.ambient,
            ProductProperty::Diffuse => self.diffuse,
            ProductProperty::Specular => self.specular,
        }
    }

    const fn set(&mut self, color: MaterialColor, value: [f32; 4]) {
        match color {
            MaterialColor::Ambient => self.ambient = value,
            MaterialColor::Diffuse => self.diffuse = value,
            MaterialColor::AmbientAndDiffuse => (self.ambient, self.diffuse) = (value, value),
            MaterialColor::Specular => self.specular = value,
            MaterialColor::Emission => self.emission = value,
        }
    }
}

/// One light.
#[derive(Clone, Copy, Debug)]
struct Light {
    ambient: [f32; 4],
    diffuse: [f32; 4],
    specular: [f32; 4],
    /// In eye coordinates.
    position: [f32; 4],
    /// In eye coordinates.
    direction: [f32; 3],
    exponent: f32,
    /// In degrees.
    cutoff: f32,
    attenuation: [f32; 3],
}

impl Light {
    /// Light `number` as in table 2.10: light 0 is white, the others are black.
    const fn initial(number: usize) -> Self {
        let color = if number == 0 { [1.0; 4] } else { [0.0, 0.0, 0.0, 1.0] };
        Self {
            ambient: [0.0, 0.0, 0.0, 1.0],
            diffuse: color,
            specular: color,
            position: [0.0, 0.0, 1.0, 0.0],
            direction: [0.0, 0.0, -1.0],
            exponent: 0.0,
            cutoff: 180.0,
            attenuation: [1.0, 0.0, 0.0],
        }
    }

    const fn product(&self, property: ProductProperty) -> [f32; 4] {
        match property {
            ProductProperty::Ambient => self.ambient,
            ProductProperty::Diffuse => self.diffuse,
            ProductProperty::Specular => self.specular,
        }
    }

    fn number_mut(&mut self, number: LightNumber) -> &mut f32 {
        match number {
            LightNumber::SpotExponent => &mut self.exponent,
            LightNumber::SpotCutoff => &mut self.cutoff,
            LightNumber::ConstantAttenuation => &mut self.attenuation[0],
            LightNumber::LinearAttenuation => &mut self.attenuation[1],
            LightNumber::QuadraticAttenuation => &mut self.attenuation[2],
        }
    }

    /// The unit vector from the eye (the origin) to the light; zeros for a light at the eye.
    fn direction_from_eye(&self) -> [f64; 3] {
        let [x, y, z, w] = self.position.map(f64::from);
        let to = if w == 0.0 { [x, y, z] } else { [x / w, y / w, z / w] };
        unit(to).unwrap_or_default()
    }

    /// The half-angle vector of an infinite light and an infinite viewer (ARB_vertex_program 2.14.3.2): the
    /// normalised sum of the directions to the light and to the viewer; zeros if the two cancel out.
    fn half(&self) -> [f32; 4] {
        let [x, y, z] = self.direction_from_eye();
        let [x, y, z] = unit([x, y, z + 1.0]).unwrap_or_default().map(|x| x as f32);
        [x, y, z, 1.0]
    }
}

/// All lighting state. Callers must pass the number of an existing light.
#[derive(Clone, Debug)]
pub(super) struct Lighting {
    /// Front, back.
    materials: [Material; 2],
    lights: [Light; limits::LIGHTS as usize],
    ambient: [f32; 4],
    /// The colour that follows the current colour while COLOR_MATERIAL is enabled.
    tracked: (CullFace, MaterialColor),
}

impl Default for Lighting {
    fn default() -> Self {
        Self {
            materials: [Material::INITIAL; 2],
            lights: std::array::from_fn(Light::initial),
            ambient: [0.2, 0.2, 0.2, 1.0],
            tracked: (CullFace::FrontAndBack, MaterialColor::AmbientAndDiffuse),
        }
    }
}

impl Lighting {
    const fn face(&self, face: Face) -> &Material {
        match face {
            Face::Front => &self.materials[0],
            Face::Back => &self.materials[1],
        }
    }

    fn numbered(&self, light: u8) -> Light {
        self.lights.get(usize::from(light)).copied().unwrap_or(Light::initial(1))
    }

    /// `state.material...`
    pub const fn material(&self, face: Face, property: MaterialProperty) -> [f32; 4] {
        let material = self.face(face);
        match property {
            MaterialProperty::Ambient => material.ambient,
            MaterialProperty::Diffuse => material.diffuse,
            MaterialProperty::Specular => material.specular,
            MaterialProperty::Emission => material.emission,
            MaterialProperty::Shininess => [material.shininess, 0.0, 0.0, 1.0],
        }
    }

    /// `state.light[n]...`
    pub fn light(&self, light: u8, property: LightProperty) -> [f32; 4] {
        let light = self.numbered(light);
        match property {
            LightProperty::Ambient => light.ambient,
            LightProperty::Diffuse => light.diffuse,
            LightProperty::Specular => light.specular,
            LightProperty::Position => light.position,
            LightProperty::Attenuation => {
                let [constant, linear, quadratic] = light.attenuation;
                [constant, linear, quadratic, light.exponent]
            }
            LightProperty::SpotDirection => {
                let [x, y, z] = light.direction;
                [x, y, z, cos_degrees(f64::from(light.cutoff)) as f32]
            }
            LightProperty::Half => light.half(),
        }
    }

    /// `state.lightmodel.ambient`
    pub const fn model_ambient(&self) -> [f32; 4] {
        self.ambient
    }

    /// `state.lightmodel.scenecolor`: the result of fixed-function lighting without lights. Each product and
    /// each sum is rounded on its own.
    pub fn scene_color(&self, face: Face) -> [f32; 4] {
        let Material { ambient, diffuse, emission, .. } = *self.face(face);
        let [r, g, b] = std::array::from_fn(|i| self.ambient[i] * ambient[i] + emission[i]);
        [r, g, b, diffuse[3]]
    }

    /// `state.lightprod[n]...`
    pub fn product(&self, light: u8, face: Face, property: ProductProperty) -> [f32; 4] {
        let (light, material) = (self.numbered(light).product(property), self.face(face).product(property));
        let [r, g, b] = std::array::from_fn(|i| light[i] * material[i]);
        [r, g, b, material[3]]
    }
}

/// Checks that a number is between 0 and `most`.
fn ranged(value: f32, most: f32, what: &str) -> Result<f32> {
    if (0.0..=most).contains(&value) {
        return Ok(value);
    }
    Err(Error::invalid_value(LIGHTING, format!("{what} {value} is not between 0 and {most}")))
}

fn checked(number: LightNumber, value: f32) -> Result<f32> {
    match number {
        LightNumber::SpotExponent => ranged(value, 128.0, "the exponent"),
        LightNumber::SpotCutoff if value == 180.0 => Ok(value),
        LightNumber::SpotCutoff if (0.0..=90.0).contains(&value) => Ok(value),
        LightNumber::SpotCutoff => {
            let reason = format!("the cutoff {value} is neither 180 nor between 0 and 90");
            Err(Error::invalid_value(LIGHTING, reason))
        }
        LightNumber::ConstantAttenuation
        | LightNumber::LinearAttenuation
        | LightNumber::QuadraticAttenuation => ranged(value, f32::MAX, "the attenuation"),
    }
}

/// Lighting parameters.
impl Context {
    /// `Material` of a colour. Allowed between begin and end, where it applies from the next draw on. A
    /// colour that follows the current colour ([`Self::color_material`]) keeps its value.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face or colour.
    pub fn material(
        &mut self,
        face: impl EnumArgument<CullFace>,
        color: impl EnumArgument<MaterialColor>,
        value: [f32; 4],
    ) -> Result<()> {
        self.anywhere(|context| {
            let face = named(face, LIGHTING, "face")?;
            let color = named(color, LIGHTING, "parameter")?;
            context.change_materials(face, |material| material.set(color, value));
            // Restore colours that follow the current colour.
            context.track_color();
            Ok(())
        })
    }

    /// `ColorMaterial`: the material colour that follows the current colour while COLOR_MATERIAL is enabled;
    /// initially ambient and diffuse of both faces.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face or colour.
    pub fn color_material(
        &mut self,
        face: impl EnumArgument<CullFace>,
        color: impl EnumArgument<MaterialColor>,
    ) -> Result<()> {
        self.command("ColorMaterial", |context| {
            context.lighting.tracked = (named(face, TRACKING, "face")?, named(color, TRACKING, "mode")?);
            context.track_color();
            Ok(())
        })
    }

    /// `GetIntegerv` of `COLOR_MATERIAL_FACE` and `COLOR_MATERIAL_PARAMETER`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_color_material(&self) -> Result<(CullFace, MaterialColor)> {
        self.query("GetIntegerv", || Ok(self.lighting.tracked))
    }

    /// Copies the current colour to materials, if COLOR_MATERIAL is enabled.
    pub(super) fn track_color(&mut self) {
        if self.state.is(Cap::ColorMaterial) {
            let ((face, color), value) = (self.lighting.tracked, singles(self.attributes[alias::COLOR]));
            self.change_materials(face, |material| material.set(color, value));
        }
    }

    /// `Material` of `SHININESS`, the specular exponent; initially 0. Allowed between begin and end.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown face, `INVALID_VALUE` if the value is not between 0 and 128.
    pub fn material_shininess(&mut self, face: impl EnumArgument<CullFace>, value: f32) -> Result<()> {
        self.anywhere(|context| {
            let face = named(face, LIGHTING, "face")?;
            let value = ranged(value, 128.0, "the shininess")?;
            context.change_materials(face, |material| material.shininess = value);
            Ok(())
        })
    }

    fn change_materials(&mut self, face: CullFace, change: impl Fn(&mut Material)) {
        let [front, back] = &mut self.lighting.materials;
        if face != CullFace::Back {
            change(front);
        }
        if face != CullFace::Front {
            change(back);
        }
    }

    /// `Light` of a colour of light number `light`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown light or colour.
    pub fn light(&mut self, light: u32, color: impl EnumArgument<LightColor>, value: [f32; 4]) -> Result<()> {
        self.change_light(light, |light, _| {
            *match named(color, LIGHTING, "parameter")? {
                LightColor::Ambient => &mut light.ambient,
                LightColor::Diffuse => &mut light.diffuse,
                LightColor::Specular => &mut light.specular,
            } = value;
            Ok(())
        })
    }

    /// `Light` of `POSITION`. The position is transformed once, by the current model-view matrix.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown light.
    pub fn light_position(&mut self, light: u32, position: [f32; 4]) -> Result<()> {
        self.change_light(light, |light, modelview| {
            light.position = modelview.transform(position);
            Ok(())
        })
    }

    /// `Light` of `SPOT_DIRECTION`. The direction is transformed once, by the upper left 3x3 part of the
    /// current model-view matrix.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown light.
    pub fn light_spot_direction(&mut self, light: u32, [x, y, z]: [f32; 3]) -> Result<()> {
        self.change_light(light, |light, modelview| {
            let [x, y, z, _] = modelview.transform([x, y, z, 0.0]);
            light.direction = [x, y, z];
            Ok(())
        })
    }

    /// `Light` of one number.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown light or parameter, `INVALID_VALUE` for a number out of range: an
    /// exponent below 0 or above 128, a cutoff below 0 or above 90 that is not 180, a negative attenuation.
    pub fn light_number(
        &mut self,
        light: u32,
        number: impl EnumArgument<LightNumber>,
        value: f32,
    ) -> Result<()> {
        self.change_light(light, |light, _| {
            let number = named(number, LIGHTING, "parameter")?;
            *light.number_mut(number) = checked(number, value)?;
            Ok(())
        })
    }

    fn change_light(
        &mut self,
        number: u32,
        change: impl FnOnce(&mut Light, &super::Matrix) -> Result<()>,
    ) -> Result<()> {
        self.command("Light", |context| {
            let modelview = context.modelview();
            let light = usize::try_from(number).ok().and_then(|n| context.lighting.lights.get_mut(n));
            let light =
                light.ok_or_else(|| Error::invalid_enum(LIGHTING, format!("there is no LIGHT{number}")))?;
            change(light, &modelview)
        })
    }

    /// `LightModel` of `LIGHT_MODEL_AMBIENT`, the light without a source; initially (0.2,0.2,0.2,1).
    ///
    /// # Errors
    /// None of its own.
    pub fn light_model_ambient(&mut self, color: [f32; 4]) -> Result<()> {
        self.command("LightModel", |context| {
            context.lighting.ambient = color;
            Ok(())
        })
    }
}
