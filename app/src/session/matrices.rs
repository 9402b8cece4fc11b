//! The matrices of a frame, computed from the camera and the scene's matrix settings.

use super::{Job, number};
use crate::scene::{Component, MATRIX_COUNT, MatrixName, MatrixOperation, MatrixSource};
use shadestep_engine::gl::Matrix;

/// The matrices at the start of a frame. Tracked matrices and the modelview-projection matrix derive from
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrices {
    /// From model space to world space.
    pub model: Matrix,
    /// From world space to eye space.
    pub view: Matrix,
    /// `MODELVIEW`: from model space to eye space.
    pub modelview: Matrix,
    /// `PROJECTION`: from eye space to clip space.
    pub projection: Matrix,
    /// `TEXTUREn`
    pub texture: [Matrix; MATRIX_COUNT as usize],
    /// `MATRIXn`
    pub tracking: [Matrix; MATRIX_COUNT as usize],
}

pub fn matrices(job: &Job) -> Matrices {
    let camera = job.scene.camera.matrices(job.size);
    let (model, view) = (product(&job.scene.model, job), Matrix { rows: camera.modelview });
    let mut matrices = Matrices {
        model,
        view,
        modelview: view.times(&model),
        projection: Matrix { rows: camera.projection },
        texture: [Matrix::IDENTITY; MATRIX_COUNT as usize],
        tracking: [Matrix::IDENTITY; MATRIX_COUNT as usize],
    };
    for (name, source) in &job.scene.matrices {
        let value = match source {
            MatrixSource::Constant(matrix) => *matrix,
            MatrixSource::Operations(operations) => product(operations, job),
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

/// Returns the product of the operations. The first operation applies to points first, so it is the rightmost
/// factor.
fn product(operations: &[MatrixOperation], job: &Job) -> Matrix {
    operations.iter().fold(Matrix::IDENTITY, |product, operation| one(operation, job).times(&product))
}

fn one(operation: &MatrixOperation, job: &Job) -> Matrix {
    let value = |component: Component| number(component, job);
    match *operation {
        MatrixOperation::Translate(vector) => Matrix::translation(vector.map(value)),
        MatrixOperation::Scale(vector) => Matrix::scaling(vector.map(value)),
        MatrixOperation::Rotate { angle, rate, axis } => Matrix::rotation(value(angle) * rate, axis),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{AutoSource, Camera, Scene};
    use std::sync::Arc;

    fn job(change: impl FnOnce(&mut Scene)) -> Job {
        let mut scene = Scene::for_program("t.fp", None, *b"!!FP1.0");
        change(&mut scene);
        Job { size: [200, 100], time_secs: 3.0, ..Job::new(Arc::new(scene)) }
    }

    fn point(matrix: &Matrix, p: [f32; 4]) -> [f32; 4] {
        matrix.rows.map(|row| row.iter().zip(p).map(|(a, b)| a * b).sum())
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
            assert_eq!(matrices.texture[3], Matrix::IDENTITY);
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
        // tan(45 degrees) is 1 except for rounding. The picture is twice as wide as high.
        let near = point(&matrices.projection, [1.0, 1.0, -1.0, 1.0]);
        assert!((near[0] - 0.5).abs() < 1e-6 && (near[1] - 1.0).abs() < 1e-6, "{near:?}");
        assert_eq!((near[2], near[3]), (-1.0, 1.0), "the near plane is at -w");
        let far = point(&matrices.projection, [0.0, 0.0, -3.0, 1.0]);
        assert_eq!((far[2], far[3]), (3.0, 3.0), "and the far plane at w");
        let bad = Camera { up: [0.0, 0.0, 1.0], ..Camera::default() };
        let modelview = super::matrices(&job(|scene| scene.camera = bad)).modelview;
        assert!(modelview.rows.as_flattened().iter().all(|x| x.is_finite()));
    }
}
