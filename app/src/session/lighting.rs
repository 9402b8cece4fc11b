//! What a scene says of lights, materials and the like, as commands to the GL.

use super::{Job, evaluate};
use crate::scene::{Component, LightingSetting};
use shadestep_engine::gl::{Context, Matrix, MatrixMode, Result};

/// Sets all of it for the frame of `job`. Positions, directions and planes are the world's, so they are given
/// while `view` is the model-view matrix; the caller loads the frame's afterwards.
pub(super) fn set(gl: &mut Context, view: &Matrix, job: &Job) -> Result<()> {
    if job.scene.lighting.is_empty() {
        return Ok(());
    }
    gl.matrix_mode(MatrixMode::Modelview)?;
    gl.load_matrix(&view.to_columns())?;
    for setting in &job.scene.lighting {
        one(gl, setting, job)?;
    }
    gl.active_texture(0)
}

fn one(gl: &mut Context, setting: &LightingSetting, job: &Job) -> Result<()> {
    let vector = |vector: [Component; 4]| evaluate(vector, job);
    let three = |v: [Component; 4]| {
        let [x, y, z, _] = vector(v);
        [x, y, z]
    };
    let number = |number: Component| vector([number; 4])[0];
    match *setting {
        LightingSetting::ModelAmbient(color) => gl.light_model_ambient(vector(color)),
        LightingSetting::Material(face, name, color) => gl.material(face, name, vector(color)),
        LightingSetting::Shininess(face, value) => gl.material_shininess(face, number(value)),
        LightingSetting::Light(light, name, color) => gl.light(light.into(), name, vector(color)),
        LightingSetting::LightPosition(light, place) => gl.light_position(light.into(), vector(place)),
        LightingSetting::SpotDirection(light, direction) => {
            gl.light_spot_direction(light.into(), three(direction))
        }
        LightingSetting::LightNumber(light, name, value) => {
            gl.light_number(light.into(), name, number(value))
        }
        LightingSetting::TexGen(unit, coordinate, space, plane) => {
            gl.active_texture(unit.into())?;
            gl.tex_gen_plane(coordinate, space, vector(plane))
        }
        LightingSetting::TexEnvColor(unit, color) => {
            gl.active_texture(unit.into())?;
            gl.tex_env_color(vector(color))
        }
        LightingSetting::ClipPlane(plane, equation) => {
            gl.clip_plane(plane.into(), vector(equation).map(f64::from))
        }
        LightingSetting::FogColor(color) => gl.fog_color(vector(color)),
        LightingSetting::FogDensity(density) => gl.fog_density(number(density)),
        LightingSetting::FogRange(range) => {
            let [start, end, ..] = vector(range);
            gl.fog_range(start, end)
        }
        LightingSetting::PointAttenuation(coefficients) => gl.point_distance_attenuation(three(coefficients)),
    }
}
