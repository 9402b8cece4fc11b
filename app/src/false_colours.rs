//! Value maps in false colours, as a picture on the screen and as a PNG file.

use crate::maps::{Field, Map, Range};
use crate::theme;
use egui::{Color32, ColorImage};
use std::io::Cursor;

/// Returns the colour at `place`, 0 to 1: dark violet over red and orange to pale yellow, of evenly growing
/// brightness.
pub fn gradient(place: f64) -> Color32 {
    let stops = theme::MAP_COLORS;
    let at = place.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let first = (at as usize).min(stops.len() - 2);
    let part = at - first as f64;
    let mix = |c: usize| {
        let [from, to] = [stops[first][c], stops[first + 1][c]].map(f64::from);
        (from + (to - from) * part).round() as u8
    };
    Color32::from_rgb(mix(0), mix(1), mix(2))
}

/// Returns the map as a picture, top row first. Pixels without a value have a neutral colour. NaN has a
/// colour of its own.
pub fn image(field: &Field, map: Map, range: Range) -> ColorImage {
    let [width, height] = field.size.map(|side| side as usize);
    let mut image = ColorImage::filled([width, height], theme::MAP_NOTHING);
    for y in 0..height {
        for x in 0..width {
            if let Some(value) = field.value(y * width + x) {
                image.pixels[(height - 1 - y) * width + x] = shade(value, (field, map), range);
            }
        }
    }
    image
}

fn shade(value: &[f64], (field, map): (&Field, Map), range: Range) -> Color32 {
    if value.iter().any(|component| component.is_nan()) {
        return theme::MAP_NOT_A_NUMBER;
    }
    match value {
        [fate] if map == Map::Fate => theme::map_fate(*fate as usize),
        [truth] if field.is_condition => {
            if *truth != 0.0 {
                theme::MAP_TRUE
            } else {
                theme::MAP_FALSE
            }
        }
        [number] if map == Map::Primitive => theme::map_number(*number as i64),
        [single] => gradient(range.place(*single)),
        several => {
            let level = |c: usize| {
                let place = several.get(c).map_or(0.0, |component| range.place(*component));
                (place * 255.0).round() as u8
            };
            Color32::from_rgb(level(0), level(1), level(2))
        }
    }
}

/// Returns the map as a PNG file.
///
/// # Errors
/// The message of the encoder.
pub fn png(field: &Field, map: Map, range: Range) -> Result<Vec<u8>, String> {
    let picture = image(field, map, range);
    let [width, height] = field.size;
    let mut bytes = Cursor::new(Vec::new());
    let (format, color) = (::image::ImageFormat::Png, ::image::ExtendedColorType::Rgba8);
    ::image::write_buffer_with_format(&mut bytes, picture.as_raw(), width, height, color, format)
        .map_err(|error| format!("the map cannot be encoded as PNG: {error}"))?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_get_brighter_with_the_value() {
        let brightness = |place: f64| {
            let [r, g, b, _] = gradient(place).to_array().map(u32::from);
            3 * r + 6 * g + b
        };
        let steps: Vec<u32> = (0..=100).map(|step| brightness(f64::from(step) / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] <= pair[1]), "{steps:?}");
    }
}
