//! The matrices of a frame, from the camera and what a scene says of them.

use super::{Job, auto_value};
use crate::scene::{
    Camera, Component, IDENTITY, MATRIX_COUNT, Matrix, MatrixName, MatrixOperation, MatrixSource,
};

/// Four rows of a matrix in the making.
type Rows = [[f64; 4]; 4];

const UNIT: Rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Every matrix a frame begins with, as rows. What tracks them, and the modelview-projection matrix, follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrices {
    /// `MODELVIEW`: from the model to the eye.
    pub modelview: Matrix,
    /// `PROJECTION`: from the eye to clip coordinates.
    pub projection: Matrix,
    /// `TEXTUREn`
    pub texture: [Matrix; MATRIX_COUNT as usize],
    /// `MATRIXn`
    pub tracking: [Matrix; MATRIX_COUNT as usize],
}

/// The matrices of `job`: worked in f64, then rounded.
pub fn matrices(job: &Job) -> Matrices {
    let camera = job.camera.unwrap_or(job.scene.camera);
    let (eye_from_world, projection) = view(&camera, job.size);
    let model = product(&job.scene.model, job);
    let mut matrices = Matrices {
        modelview: rounded(multiply(&eye_from_world, &model)),
        projection: rounded(projection),
        texture: [IDENTITY; MATRIX_COUNT as usize],
        tracking: [IDENTITY; MATRIX_COUNT as usize],
    };
    for (name, source) in &job.scene.matrices {
        let value = match source {
            MatrixSource::Constant(matrix) => *matrix,
            MatrixSource::Operations(operations) => rounded(product(operations, job)),
        };
        let place = match name {
            MatrixName::Texture(n) => matrices.texture.get_mut(usize::from(*n)),
            MatrixName::Tracking(n) => matrices.tracking.get_mut(usize::from(*n)),
            MatrixName::Modelview => Some(&mut matrices.modelview),
            MatrixName::Projection => Some(&mut matrices.projection),
            MatrixName::ModelviewProjection => None,
        };
        if let Some(place) = place {
            *place = value;
        }
    }
    matrices
}

/// What places the model in the world, as rows.
pub fn model(job: &Job) -> [[f32; 4]; 4] {
    rounded(product(&job.scene.model, job))
}

fn multiply(a: &Rows, b: &Rows) -> Rows {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..4).map(|k| a[row][k] * b[k][column]).sum()))
}

fn rounded(rows: Rows) -> Matrix {
    rows.map(|row| row.map(|x| x as f32))
}

/// Points pass through the first operation first: it stands rightmost.
fn product(operations: &[MatrixOperation], job: &Job) -> Rows {
    operations.iter().fold(UNIT, |product, operation| multiply(&one(operation, job), &product))
}

fn one(operation: &MatrixOperation, job: &Job) -> Rows {
    let value = |component: &Component| match component {
        Component::Constant(number) => f64::from(*number),
        Component::Auto(source) => f64::from(auto_value(*source, job)),
    };
    let mut rows = UNIT;
    match operation {
        MatrixOperation::Translate(vector) => {
            for (row, component) in rows.iter_mut().zip(vector) {
                row[3] = value(component);
            }
        }
        MatrixOperation::Scale(vector) => {
            for (index, component) in vector.iter().enumerate() {
                rows[index][index] = value(component);
            }
        }
        MatrixOperation::Rotate { angle, rate, axis } => {
            rotate(&mut rows, value(angle) * f64::from(*rate), axis.map(f64::from));
        }
    }
    rows
}

/// The matrix of `Rotate` (glspec15 2.10.2).
fn rotate(rows: &mut Rows, degrees: f64, axis: [f64; 3]) {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let u = axis.map(|x| x / length);
    // Quarter turns come out even.
    let (sin, cos) = match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        turn => turn.to_radians().sin_cos(),
    };
    let cross = [[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]];
    for (r, row) in rows.iter_mut().take(3).enumerate() {
        for (c, out) in row.iter_mut().take(3).enumerate() {
            let unit = if r == c { 1.0 } else { 0.0 };
            *out = u[r] * u[c] + cos * (unit - u[r] * u[c]) + sin * cross[r][c];
        }
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `None` for what has no direction.
fn normalized(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 1e-6 && length.is_finite()).then(|| a.map(|x| x / length))
}

/// The viewing and the projection matrix. What [`Camera::check`] would refuse is replaced by something
/// that shows a picture, as the built-in transform does.
fn view(camera: &Camera, size: [u32; 2]) -> (Rows, Rows) {
    let camera = if camera.check().is_ok() { *camera } else { upright(camera) };
    let eye = camera.eye.map(f64::from);
    let forward = normalized(minus(camera.target.map(f64::from), eye)).unwrap_or([0.0, 0.0, -1.0]);
    let side = normalized(cross(forward, camera.up.map(f64::from))).unwrap_or([1.0, 0.0, 0.0]);
    let up = cross(side, forward);
    let row = |axis: [f64; 3]| [axis[0], axis[1], axis[2], -dot(axis, eye)];
    let eye_from_world = [row(side), row(up), row(forward.map(|x| -x)), UNIT[3]];
    let focal = 1.0 / (0.5 * f64::from(camera.fov_y_degrees).to_radians()).tan();
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let (near, far) = (f64::from(camera.near), f64::from(camera.far));
    let projection = [
        [focal / aspect, 0.0, 0.0, 0.0],
        [0.0, focal, 0.0, 0.0],
        [0.0, 0.0, (far + near) / (near - far), 2.0 * far * near / (near - far)],
        [0.0, 0.0, -1.0, 0.0],
    ];
    (eye_from_world, projection)
}

/// `camera` with its up vector turned, or else everything, as the camera by default has it.
fn upright(camera: &Camera) -> Camera {
    let turned = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]].map(|up| Camera { up, ..*camera });
    turned.into_iter().find(|camera| camera.check().is_ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{AutoSource, Scene};
    use std::sync::Arc;

    fn job(change: impl FnOnce(&mut Scene)) -> Job {
        let mut scene = Scene::for_program("t.fp", None, *b"!!FP1.0");
        change(&mut scene);
        Job { size: [200, 100], time_secs: 3.0, ..Job::new(Arc::new(scene)) }
    }

    fn point(matrix: &Matrix, p: [f32; 4]) -> [f32; 4] {
        matrix.map(|row| row.iter().zip(p).map(|(a, b)| a * b).sum())
    }

    #[test]
    fn points_pass_through_operations_in_their_order() {
        let number = Component::Constant;
        let turn = MatrixOperation::Rotate { angle: number(90.0), rate: 1.0, axis: [0.0, 0.0, 2.0] };
        let shift = MatrixOperation::Translate([1.0, 2.0, 3.0].map(number));
        let stretch = MatrixOperation::Scale([2.0, 1.0, 1.0].map(number));
        for (operations, expected) in [
            // (1, 0, 0) turned by 90 degrees about z is (0, 1, 0).
            (vec![turn, shift], [1.0, 3.0, 3.0, 1.0]),
            (vec![shift, turn], [-2.0, 2.0, 3.0, 1.0]),
            (vec![shift, stretch], [4.0, 2.0, 3.0, 1.0]),
            (vec![stretch, shift], [3.0, 2.0, 3.0, 1.0]),
            (vec![], [1.0, 0.0, 0.0, 1.0]),
        ] {
            let matrices = matrices(&job(|scene| {
                scene.matrices = vec![(MatrixName::Texture(2), MatrixSource::Operations(operations.clone()))];
            }));
            assert_eq!(point(&matrices.texture[2], [1.0, 0.0, 0.0, 1.0]), expected, "{operations:?}");
            assert_eq!(matrices.texture[3], IDENTITY);
        }
    }

    #[test]
    fn time_turns_at_its_rate() {
        let angle = Component::Auto(AutoSource::Time);
        let turn = MatrixOperation::Rotate { angle, rate: 60.0, axis: [0.0, 1.0, 0.0] };
        let matrices = matrices(&job(|scene| {
            scene.matrices = vec![(MatrixName::Tracking(7), MatrixSource::Operations(vec![turn]))];
        }));
        // 3 s at 60 degrees a second is half a turn.
        assert_eq!(point(&matrices.tracking[7], [1.0, 2.0, 0.0, 1.0]), [-1.0, 2.0, 0.0, 1.0]);
    }

    #[test]
    fn the_camera_gives_modelview_and_projection() {
        let camera = Camera { fov_y_degrees: 90.0, near: 1.0, far: 3.0, ..Camera::default() };
        let shift = MatrixOperation::Translate([1.0, 0.0, 0.0].map(Component::Constant));
        let matrices = matrices(&job(|scene| {
            scene.camera = camera;
            scene.model = vec![shift];
        }));
        // The eye is 3 in front of the origin, looking along -z; the model lies 1 to the right.
        assert_eq!(point(&matrices.modelview, [0.0, 0.0, 0.0, 1.0]), [1.0, 0.0, -3.0, 1.0]);
        // tan(45 degrees) is 1 but for its rounding; twice as wide as high.
        let near = point(&matrices.projection, [1.0, 1.0, -1.0, 1.0]);
        assert!((near[0] - 0.5).abs() < 1e-6 && (near[1] - 1.0).abs() < 1e-6, "{near:?}");
        assert_eq!((near[2], near[3]), (-1.0, 1.0), "the near plane is at -w");
        let far = point(&matrices.projection, [0.0, 0.0, -3.0, 1.0]);
        assert_eq!((far[2], far[3]), (3.0, 3.0), "and the far plane at w");
        let bad = Camera { up: [0.0, 0.0, 1.0], ..Camera::default() };
        let modelview = super::matrices(&job(|scene| scene.camera = bad)).modelview;
        assert!(modelview.as_flattened().iter().all(|x| x.is_finite()));
    }
}
