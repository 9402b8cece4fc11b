//! Moves the camera around its target, and nearer or farther.

use crate::scene::Camera;
use egui::Vec2;

/// Rotation per point of dragging, in radians.
const SPEED: f32 = 0.008;
/// Least angle between the camera and a pole, in radians. At the pole the up direction would flip.
const POLE: f32 = 0.05;

/// Rotates `camera` around its target for a drag of `drag` points.
pub fn orbit(camera: Camera, drag: Vec2) -> Camera {
    let [dx, dy, dz] = offset(&camera);
    let distance = (dx * dx + dy * dy + dz * dz).sqrt();
    if distance == 0.0 {
        return camera;
    }
    let heading = dx.atan2(dz) - drag.x * SPEED;
    let half_turn = std::f32::consts::FRAC_PI_2;
    let pitch =
        ((dy / distance).clamp(-1.0, 1.0).asin() + drag.y * SPEED).clamp(POLE - half_turn, half_turn - POLE);
    let level = distance * pitch.cos();
    let to = [level * heading.sin(), distance * pitch.sin(), level * heading.cos()];
    let [x, y, z] = camera.target;
    Camera { eye: [x + to[0], y + to[1], z + to[2]], ..camera }
}

/// Moves `camera` nearer (positive `scroll`, in points) or farther.
pub fn dolly(camera: Camera, scroll: f32) -> Camera {
    let factor = (-scroll * 0.003).exp();
    let [dx, dy, dz] = offset(&camera);
    let distance = (dx * dx + dy * dy + dz * dz).sqrt() * factor;
    if !(camera.near * 1.5..camera.far * 0.9).contains(&distance) {
        return camera;
    }
    let [x, y, z] = camera.target;
    Camera { eye: [x + dx * factor, y + dy * factor, z + dz * factor], ..camera }
}

fn offset(camera: &Camera) -> [f32; 3] {
    let [ex, ey, ez] = camera.eye;
    let [tx, ty, tz] = camera.target;
    [ex - tx, ey - ty, ez - tz]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(camera: &Camera) -> f32 {
        offset(camera).iter().map(|c| c * c).sum::<f32>().sqrt()
    }

    #[test]
    fn orbiting_keeps_the_distance_and_stays_off_the_poles() {
        let mut camera = Camera::default();
        for _ in 0..200 {
            camera = orbit(camera, Vec2::new(13.0, 9.0));
            assert!((distance(&camera) - 3.0).abs() < 1e-3);
        }
        assert!(camera.eye[1] < 3.0 && camera.eye[1] > 2.9);
        let back = orbit(orbit(Camera::default(), Vec2::new(40.0, 20.0)), Vec2::new(-40.0, -20.0));
        for (a, b) in back.eye.iter().zip(Camera::default().eye) {
            assert!((a - b).abs() < 1e-5);
        }
    }

    #[test]
    fn dolly_stops_at_the_clip_planes() {
        let mut camera = Camera::default();
        for _ in 0..100 {
            camera = dolly(camera, 50.0);
        }
        assert!(distance(&camera) > camera.near);
        for _ in 0..100 {
            camera = dolly(camera, -50.0);
        }
        assert!(distance(&camera) < camera.far);
    }
}
