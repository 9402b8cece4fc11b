//! A map's values as a CSV file.

use super::Field;
use std::fmt::Write;

/// The values as CSV, with a line for each pixel that has one: `x,y` from the lower left, then the
/// components. Each number has the shortest form that reads back exactly.
pub fn csv(field: &Field) -> String {
    let names = ["x", "y", "z", "w"];
    let mut text = String::from("pixel_x,pixel_y");
    match field.components {
        1 => text.push_str(",value"),
        count => text.extend(names.iter().take(count).map(|name| format!(",value_{name}"))),
    }
    text.push('\n');
    let width = field.size[0] as usize;
    for place in 0..field.present.len() {
        let Some(value) = field.value(place) else { continue };
        let _ = write!(text, "{},{}", place % width, place / width);
        text.extend(value.iter().map(|component| format!(",{component}")));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_with_values_are_lines() {
        let field = Field {
            size: [2, 1],
            components: 2,
            is_condition: false,
            values: vec![0.5, -1.0, 0.0, 0.0],
            present: vec![true, false],
            first: Vec::new(),
        };
        assert_eq!(csv(&field), "pixel_x,pixel_y,value_x,value_y\n0,0,0.5,-1\n");
    }
}
