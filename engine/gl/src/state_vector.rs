//! The values of fixed-function state that ARB programs bind (tables X.3.2 to X.3.8 of ARB_vertex_program,
//! X.2.2 to X.2.7 of ARB_fragment_program).

use super::Context;
use super::enums::TrackedMatrix;
use super::matrix::Matrix;
use shadestep_language::ir::{MatrixName, MatrixTransform, StateVector};

impl Context {
    /// The current value of a parameter bound to `state`.
    ///
    /// The inverse of a singular matrix is zeros. A light, unit or row that does not exist gives zeros too;
    /// no program that loads binds one.
    pub fn state_vector(&self, state: StateVector) -> [f32; 4] {
        let (lighting, fixed_function) = (&self.lighting, &self.fixed_function);
        match state {
            StateVector::Material { face, property } => lighting.material(face, property),
            StateVector::Light { light, property } => lighting.light(light, property),
            StateVector::LightModelAmbient => lighting.model_ambient(),
            StateVector::SceneColor { face } => lighting.scene_color(face),
            StateVector::LightProduct { light, face, property } => lighting.product(light, face, property),
            StateVector::TexGen { unit, plane } => fixed_function.tex_gen(unit, plane),
            StateVector::TexEnvColor { unit } => fixed_function.environment(unit),
            StateVector::FogColor => self.state.fog_color(),
            StateVector::FogParams => self.state.fog_params(),
            StateVector::ClipPlane(plane) => fixed_function.clip_plane(plane),
            StateVector::PointSize => {
                let points = &fixed_function.points;
                [self.state.point_size(), points.min, points.max, points.fade]
            }
            StateVector::PointAttenuation => {
                let [a, b, c] = fixed_function.points.coefficients;
                [a, b, c, 1.0]
            }
            StateVector::DepthRange => {
                let [near, far] = self.state.depth_range();
                [near, far, far - near, 1.0]
            }
            StateVector::Matrix { name, transform, row } => {
                let rows = self.transformed(name, transform).rows;
                rows.get(usize::from(row)).copied().unwrap_or_default()
            }
        }
    }

    fn transformed(&self, name: MatrixName, transform: MatrixTransform) -> Matrix {
        let matrix = match name {
            MatrixName::ModelView => TrackedMatrix::Modelview,
            MatrixName::Projection => TrackedMatrix::Projection,
            MatrixName::Mvp => TrackedMatrix::ModelviewProjection,
            MatrixName::Texture(unit) => TrackedMatrix::TextureUnit(unit),
            MatrixName::Program(number) => TrackedMatrix::Matrix(number),
        };
        let matrix = self.matrix(matrix).unwrap_or(Matrix::ZERO);
        match transform {
            MatrixTransform::Identity => matrix,
            MatrixTransform::Inverse => matrix.inverse(),
            MatrixTransform::Transpose => matrix.transposed(),
            MatrixTransform::InverseTranspose => matrix.inverse().transposed(),
        }
    }
}
