//! The camera: transformation from world to eye to clip coordinates (glspec15 2.10), in f64.

use glam::{DMat4, DVec3};

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the eye, in world space.
    pub eye: [f32; 3],
    /// The point in the middle of the picture, in world space.
    pub target: [f32; 3],
    /// The up direction. Need not be perpendicular to the line of sight.
    pub up: [f32; 3],
    /// Vertical opening angle in degrees.
    pub fov_y_degrees: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance of the far plane.
    pub far: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: [0.0, 0.0, 3.0],
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            fov_y_degrees: 45.0,
            near: 0.1,
            far: 100.0,
        }
    }
}

/// The reason why a camera cannot show a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraError {
    /// A number is NaN or infinite.
    NotFinite,
    /// Eye and target are the same point.
    EyeIsTarget,
    /// The up vector is zero or along the line of sight.
    UpAlongView,
    /// The opening angle is not between 0 and 180 degrees.
    FieldOfView,
    /// Not 0 < near < far.
    Planes,
}

impl std::fmt::Display for CameraError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "one of the camera's numbers is not finite",
            Self::EyeIsTarget => "the camera's eye and target are the same point",
            Self::UpAlongView => "the camera's up vector is zero or points along the line of sight",
            Self::FieldOfView => "the camera's field of view must be more than 0 and less than 180 degrees",
            Self::Planes => "the camera needs 0 < near < far",
        })
    }
}

impl std::error::Error for CameraError {}

/// View and projection in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub eye: DVec3,
    pub eye_from_world: DMat4,
    pub clip_from_eye: DMat4,
}

/// A camera's matrices as rows: component i of `matrix * v` is the dot product of row i and v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraMatrices {
    /// From world to eye space, in which the camera looks along -z.
    pub modelview: [[f32; 4]; 4],
    /// From eye space to clip space.
    pub projection: [[f32; 4]; 4],
    /// Position of the eye, in world space.
    pub eye: [f32; 3],
}

fn vector(v: [f32; 3]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}

impl Camera {
    /// Checks that the camera can show a picture.
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&self) -> Result<(), CameraError> {
        let scalars = [self.fov_y_degrees, self.near, self.far];
        if ![self.eye, self.target, self.up].iter().flatten().chain(&scalars).all(|x| x.is_finite()) {
            return Err(CameraError::NotFinite);
        }
        let forward = (vector(self.target) - vector(self.eye)).try_normalize();
        let forward = forward.ok_or(CameraError::EyeIsTarget)?;
        let up = vector(self.up).try_normalize().ok_or(CameraError::UpAlongView)?;
        if forward.cross(up).length() < 1e-6 {
            return Err(CameraError::UpAlongView);
        }
        if !(self.fov_y_degrees > 0.0 && self.fov_y_degrees < 180.0) {
            return Err(CameraError::FieldOfView);
        }
        if !(self.near > 0.0 && self.near < self.far) {
            return Err(CameraError::Planes);
        }
        Ok(())
    }

    /// The matrices for a window of `size` pixels, each rounded from f64. Values that [`Self::check`] would
    /// refuse are replaced by drawable ones.
    pub fn matrices(&self, size: [u32; 2]) -> CameraMatrices {
        let view = self.view(size);
        let rows = |matrix: DMat4| matrix.transpose().to_cols_array_2d().map(|row| row.map(|x| x as f32));
        let (modelview, projection) = (rows(view.eye_from_world), rows(view.clip_from_eye));
        CameraMatrices { modelview, projection, eye: view.eye.to_array().map(|x| x as f32) }
    }

    /// The view for a window of `size` pixels. Values that [`Self::check`] would refuse are replaced by
    /// drawable ones. So a camera that passes through a bad position, such as the eye over the pole, still
    /// gives a picture.
    pub(super) fn view(&self, size: [u32; 2]) -> View {
        let fallback = Self::default();
        let eye = if vector(self.eye).is_finite() { vector(self.eye) } else { vector(fallback.eye) };
        let target = vector(self.target);
        let forward = (target - eye).try_normalize().unwrap_or(DVec3::NEG_Z);
        let up = vector(self.up).try_normalize().unwrap_or(DVec3::Y);
        let other = if forward.x.abs() < 0.5 { DVec3::X } else { DVec3::Z };
        let side = if forward.cross(up).length() < 1e-6 { forward.cross(other) } else { forward.cross(up) };
        let side = side.normalize();
        let up = side.cross(forward);
        let eye_from_world = DMat4::from_cols(
            DVec3::new(side.x, up.x, -forward.x).extend(0.0),
            DVec3::new(side.y, up.y, -forward.y).extend(0.0),
            DVec3::new(side.z, up.z, -forward.z).extend(0.0),
            DVec3::new(-side.dot(eye), -up.dot(eye), forward.dot(eye)).extend(1.0),
        );
        let fov = if self.fov_y_degrees.is_finite() { self.fov_y_degrees } else { fallback.fov_y_degrees };
        let fov = f64::from(fov).clamp(0.01, 179.9).to_radians();
        let planes_good = self.near > 0.0 && self.near < self.far && self.far.is_finite();
        let [near, far] =
            if planes_good { [self.near, self.far] } else { [fallback.near, fallback.far] }.map(f64::from);
        let focal = 1.0 / (0.5 * fov).tan();
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let clip_from_eye = DMat4::from_cols(
            glam::DVec4::new(focal / aspect, 0.0, 0.0, 0.0),
            glam::DVec4::new(0.0, focal, 0.0, 0.0),
            glam::DVec4::new(0.0, 0.0, (far + near) / (near - far), -1.0),
            glam::DVec4::new(0.0, 0.0, 2.0 * far * near / (near - far), 0.0),
        );
        View { eye, eye_from_world, clip_from_eye }
    }
}
