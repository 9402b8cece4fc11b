//! Issues the GL commands for a scene's lights, materials, fog and clip planes.

use super::{Job, evaluate};
use crate::scene::{Component, LightingSetting, LightingState};
use shadestep_engine::gl::{Context, Matrix, MatrixMode, Result};

/// Sets the lighting state for the frame of `job`. Positions, directions and planes are in world space, so
/// the commands run while `view` is the model-view matrix. The caller loads the frame's matrix afterwards.
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
    let LightingSetting { state, value } = *setting;
    let number = || vector(value)[0];
    match state {
        LightingState::ModelAmbient => gl.light_model_ambient(vector(value)),
        LightingState::Material(face, name) => gl.material(face, name, vector(value)),
        LightingState::Shininess(face) => gl.material_shininess(face, number()),
        LightingState::Light(light, name) => gl.light(light.into(), name, vector(value)),
        LightingState::LightPosition(light) => gl.light_position(light.into(), vector(value)),
        LightingState::SpotDirection(light) => gl.light_spot_direction(light.into(), three(value)),
        LightingState::LightNumber(light, name) => gl.light_number(light.into(), name, number()),
        LightingState::TexGen(unit, coordinate, space) => {
            gl.active_texture(unit.into())?;
            gl.tex_gen_plane(coordinate, space, vector(value))
        }
        LightingState::TexEnvColor(unit) => {
            gl.active_texture(unit.into())?;
            gl.tex_env_color(vector(value))
        }
        LightingState::ClipPlane(plane) => gl.clip_plane(plane.into(), vector(value).map(f64::from)),
        LightingState::FogColor => gl.fog_color(vector(value)),
        LightingState::FogDensity => gl.fog_density(number()),
        LightingState::FogRange => {
            let [start, end, ..] = vector(value);
            gl.fog_range(start, end)
        }
        LightingState::PointAttenuation => gl.point_distance_attenuation(three(value)),
    }
}
