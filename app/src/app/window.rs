//! Sizes of the window.

/// Size of the first window on a monitor of unknown size, in points. With its decorations it fits a monitor
/// of 1280x800.
pub const FIRST_SIZE: [f32; 2] = [1200.0, 680.0];
/// Smallest size of the window, in points.
pub const LEAST_SIZE: [f32; 2] = [720.0, 480.0];
/// Size of the first window on a large monitor, in points.
const LARGE: [f32; 2] = [1440.0, 900.0];
/// Space for a title bar and task bars on a monitor, in points.
const TAKEN: [f32; 2] = [80.0, 120.0];

/// Returns the size of the first window on `monitor`, without its decorations.
pub fn first_size(monitor: egui::Vec2) -> egui::Vec2 {
    let room = monitor - egui::Vec2::from(TAKEN);
    room.min(LARGE.into()).max(LEAST_SIZE.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_window_fits_its_monitor() {
        let fits = |monitor: [f32; 2]| first_size(monitor.into());
        assert_eq!(fits([1280.0, 800.0]), egui::Vec2::from(FIRST_SIZE));
        assert_eq!(fits([1920.0, 1080.0]), egui::vec2(1440.0, 900.0));
        assert_eq!(fits([1366.0, 768.0]), egui::vec2(1286.0, 648.0));
        assert_eq!(fits([640.0, 480.0]), egui::Vec2::from(LEAST_SIZE));
    }
}
