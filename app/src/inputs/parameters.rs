//! Rows for the programs' parameters: named ones with sliders, number fields and colour pickers, then
//! numbered registers.

use super::{make_room, reset, section};
use crate::command::Action;
use crate::format;
use crate::model::{Document, ResetSubject};
use crate::scene::{
    AutoSource, Component, Half, NumberType, ParameterKey, ParameterSetting, SceneEdit, Slot, Widget,
};
use crate::theme;
use crate::widgets;
use egui::{Align, Color32, Layout, Sense, Ui, vec2};

/// Width below which a field drops the space around its number, in points.
const NARROW: f32 = 64.0;

const NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Shows all parameters that the programs read or declare.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    section(ui, "Parameters");
    let mut keys = document.parameters();
    // Named parameters come first, in the program's order, because they are meant for the user. Registers
    // follow by number.
    keys.sort_by_key(|(key, _)| match key {
        ParameterKey::Named(_) => None,
        numbered => Some(numbered.clone()),
    });
    if keys.is_empty() {
        let program = document.program(document.active_slot());
        let declares = program.is_some_and(|program| program.language.profile().declares_variables());
        let words = match (super::why_unknown(document), document.active_slot()) {
            (Some(words), _) => words,
            _ if declares => {
                "This program has no parameters. Each parameter that it reads gets a control here, for example PARAM tint = program.local[0];"
            }
            (None, Slot::Fragment) => {
                "This program has no parameters. Declare one to get a control here, for example DECLARE tint = {1, 0.5, 0.2, 1};"
            }
            // Vertex and state programs only: the languages of geometry and tessellation programs declare
            // variables.
            (None, _) => {
                "There are no parameters to set. Each register that a program reads gets a control here, for example c[20], unless it tracks a matrix."
            }
        };
        ui.label(theme::caption(ui, words));
    }
    for (key, initial) in keys {
        parameter(ui, document, &key, initial, actions);
        ui.add_space(4.0);
    }
    ui.add_space(8.0);
}

/// Name, source and values of a parameter.
pub(super) fn parameter(
    ui: &mut Ui,
    document: &Document,
    key: &ParameterKey,
    initial: [f32; 4],
    actions: &mut Vec<Action>,
) {
    let setting = document.scene.parameters.iter().find(|setting| setting.key == *key);
    let value = document.parameter(key, initial);
    let mut edited = value;
    ui.push_id(key, |ui| {
        header(ui, document, key, &mut edited, actions);
        let widget = document.widget(key, initial);
        let count = setting.map_or(4, |setting| setting.components.clamp(1, 4));
        match widget {
            Widget::Color => color(ui, key, &mut edited, count),
            Widget::Number => numbers(ui, key, &mut edited, count),
            Widget::Slider => sliders(ui, key, &mut edited, count, setting),
        }
    });
    if edited != value {
        actions.push(Action::EditScene(SceneEdit::Parameter(key.clone(), edited)));
    }
}

fn header(
    ui: &mut Ui,
    document: &Document,
    key: &ParameterKey,
    value: &mut [Component; 4],
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        ui.set_min_height(22.0);
        let (name, binding) = document.parameter_title(key);
        ui.label(theme::value(ui, name));
        if let Some(binding) = binding {
            ui.label(theme::caption(ui, binding));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if value[0].number_type() == NumberType::Float {
                sources_menu(ui, key, value);
            }
            if document.can_be_integers(key) {
                type_menu(ui, key, value);
            }
            let name = key.to_string();
            reset(ui, document, ResetSubject::Parameter(key.clone()), (&name, "value"), actions);
        });
    });
}

/// A menu that selects the source of each component: a number, or a value that the app computes for every
/// frame.
pub(super) fn sources_menu(ui: &mut Ui, key: &impl std::fmt::Display, value: &mut [Component; 4]) {
    let response = small_menu(ui, "Source", |ui| {
        for (index, name) in NAMES.iter().enumerate() {
            ui.menu_button(format!("{key}.{name}"), |ui| {
                let current = value[index];
                if ui.selectable_label(matches!(current, Component::Constant(_)), "Number").clicked() {
                    value[index] = Component::Constant(0.0);
                    ui.close();
                }
                for (source, source_name) in AutoSource::NAMED {
                    let selected = current == Component::Auto(source);
                    if ui.selectable_label(selected, source_name.replace('_', " ")).clicked() {
                        value[index] = Component::Auto(source);
                        ui.close();
                    }
                }
            });
        }
    });
    response.on_hover_text("Let time, the mouse or the camera drive a component");
}

fn small_menu(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui)) -> egui::Response {
    egui::containers::menu::MenuButton::from_button(super::small_button(ui, title)).ui(ui, add).0
}

/// A menu that selects the number type. Programs of typed languages can read integers.
fn type_menu(ui: &mut Ui, key: &ParameterKey, value: &mut [Component; 4]) {
    let now = value[0].number_type();
    let response = small_menu(ui, now.name(), |ui| {
        for (ty, words) in [
            (NumberType::Float, "Numbers (float)"),
            (NumberType::Int, "Signed integers (int)"),
            (NumberType::Uint, "Unsigned integers (uint)"),
        ] {
            if ui.selectable_label(now == ty, words).clicked() {
                *value = value.map(|component| component.of_type(ty));
                ui.close();
            }
        }
    });
    widgets::named(response, &format!("{key} type")).on_hover_text("Choose the type of the components");
}

/// Shows the source of a component that the app computes, in place of a control.
fn auto_chip(ui: &mut Ui, source: AutoSource, width: f32) {
    let words = source.name().replace('_', " ");
    let hint = format!("“{words}” sets this in every frame. Choose another source on the right.");
    chip(ui, words, width).on_hover_text(hint);
}

/// Shows a component that holds one half of a buffer's address, in place of a control.
fn address_chip(ui: &mut Ui, (number, half): (u8, Half), width: f32) {
    let words = match half {
        Half::Low => format!("buffer {number} low"),
        Half::High => format!("buffer {number} high"),
    };
    let hint = "Half of the address of a buffer, numbered by its place in scene.toml";
    chip(ui, words, width).on_hover_text(hint);
}

fn chip(ui: &mut Ui, words: String, width: f32) -> egui::Response {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(width.min(110.0), 20.0), Sense::hover());
    ui.painter().rect_filled(rect, theme::RADIUS, palette.accent_wash);
    let (centre, font) = (egui::Align2::CENTER_CENTER, theme::caption_font());
    ui.painter().text(rect.center(), centre, words, font, palette.accent);
    response
}

/// A field for an integer in the range of `ty`. It accepts decimal numbers, and 32 bits in hexadecimal.
pub(super) fn integer_field(ui: &mut Ui, name: &str, value: &mut i64, width: f32, ty: NumberType) {
    let range = match ty {
        NumberType::Int => f64::from(i32::MIN)..=f64::from(i32::MAX),
        NumberType::Uint | NumberType::Float => 0.0..=f64::from(u32::MAX),
    };
    let drag = egui::DragValue::new(value)
        .range(range)
        // An arrow key changes the value by this amount.
        .speed(1.0)
        .custom_formatter(|value, _| format!("{}", value as i64))
        .custom_parser(move |text| integer_of(text, ty).map(|integer| integer as f64));
    make_room(ui, width);
    ui.scope(|ui| {
        ui.style_mut().drag_value_text_style = egui::TextStyle::Monospace;
        ui.spacing_mut().button_padding.x = 2.0;
        widgets::named(ui.add_sized(vec2(width, 22.0), drag), name);
    });
}

/// Parses a typed integer: decimal digits, or bits after 0x.
fn integer_of(text: &str, ty: NumberType) -> Option<i64> {
    let text = text.trim().replace('_', "");
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        return text.parse().ok();
    };
    let bits = u32::from_str_radix(digits, 16).ok()?;
    Some(if ty == NumberType::Int { bits.cast_signed().into() } else { bits.into() })
}

/// The control of one component in a row of fields.
fn field(ui: &mut Ui, name: &str, component: &mut Component, width: f32) {
    let ty = component.number_type();
    let mut integer = match component {
        Component::Constant(number) => return number_field(ui, name, number, width),
        Component::Auto(source) => return auto_chip(ui, *source, width),
        Component::Int(integer) => i64::from(*integer),
        Component::Uint(integer) => i64::from(*integer),
        Component::Address(number, half) => return address_chip(ui, (*number, *half), width),
    };
    integer_field(ui, name, &mut integer, width, ty);
    *component = Component::whole(integer, ty);
}

pub(super) fn number_field(ui: &mut Ui, name: &str, value: &mut f32, width: f32) {
    let speed = (f64::from(value.abs()) * 0.01).max(0.005);
    // Shows all digits that the value needs.
    let drag = widgets::float_field(value, Some(|value| format::float(value as f32)))
        .speed(speed)
        .custom_parser(|text| text.trim().parse().ok().filter(|value: &f32| !value.is_nan()).map(f64::from));
    make_room(ui, width);
    ui.scope(|ui| {
        ui.style_mut().drag_value_text_style = egui::TextStyle::Monospace;
        if width < NARROW {
            ui.spacing_mut().button_padding.x = 2.0;
        }
        widgets::named(ui.add_sized(vec2(width, 22.0), drag), name);
    });
}

/// One field per component.
pub(super) fn numbers(ui: &mut Ui, key: &impl std::fmt::Display, value: &mut [Component; 4], count: usize) {
    let width = ((ui.available_width() - 6.0 * (count as f32 - 1.0)) / count as f32).clamp(40.0, 110.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for index in 0..count {
            field(ui, &format!("{key}.{}", NAMES[index]), &mut value[index], width);
        }
    });
}

fn sliders(
    ui: &mut Ui,
    key: &ParameterKey,
    value: &mut [Component; 4],
    count: usize,
    setting: Option<&ParameterSetting>,
) {
    let (min, max) = setting.map_or((0.0, 1.0), |setting| (setting.min, setting.max));
    for index in 0..count {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            if count > 1 {
                let (rect, _) = ui.allocate_exact_size(vec2(10.0, 22.0), Sense::hover());
                let palette = theme::palette(ui);
                let middle = egui::Align2::LEFT_CENTER;
                ui.painter().text(
                    rect.left_center(),
                    middle,
                    NAMES[index],
                    theme::value_font(),
                    palette.text_weak,
                );
            }
            let name = format!("{key}.{}", NAMES[index]);
            match &mut value[index] {
                Component::Constant(number) => {
                    slider(ui, &format!("{name} slider"), number, min..=max);
                    number_field(ui, &name, number, 72.0);
                }
                other => {
                    let width = (ui.available_width() - 4.0).clamp(60.0, 400.0);
                    field(ui, &name, other, width);
                }
            }
        });
    }
}

fn slider(ui: &mut Ui, name: &str, number: &mut f32, range: std::ops::RangeInclusive<f32>) {
    ui.scope(|ui| {
        let palette = theme::palette(ui);
        ui.spacing_mut().slider_width = (ui.available_width() - 84.0).clamp(40.0, 320.0);
        ui.spacing_mut().interact_size.y = 16.0;
        let visuals = ui.visuals_mut();
        visuals.selection.bg_fill = palette.accent;
        visuals.widgets.inactive.bg_fill = palette.raised_hover;
        for widget in
            [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active]
        {
            widget.fg_stroke = egui::Stroke::new(1.5, palette.accent);
        }
        let slider = egui::Slider::new(number, range).show_value(false).clamping(egui::SliderClamping::Never);
        widgets::named(ui.add(slider), name);
    });
}

/// A colour picker for r, g and b, and number fields for exact or larger values.
pub(super) fn color(ui: &mut Ui, key: &impl std::fmt::Display, value: &mut [Component; 4], count: usize) {
    let constants: Option<Vec<f32>> = value[..3]
        .iter()
        .map(|component| match component {
            Component::Constant(number) => Some(*number),
            Component::Auto(_) | Component::Int(_) | Component::Uint(_) | Component::Address(..) => None,
        })
        .collect();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if let Some([r, g, b]) = constants.as_deref() {
            // The picker edits the displayed colour: the value without conversion, at 8 bits per channel.
            let shown = widgets::color_of([*r, *g, *b]);
            let mut picked: Color32 = shown;
            let response = ui.color_edit_button_srgba(&mut picked);
            widgets::named(response, &format!("{key} colour"));
            if picked != shown {
                for (component, byte) in value.iter_mut().zip([picked.r(), picked.g(), picked.b()]) {
                    *component = Component::Constant(f32::from(byte) / 255.0);
                }
            }
        }
        let width = ((ui.available_width() - 6.0 * (count as f32 - 1.0)) / count as f32).clamp(40.0, 88.0);
        for index in 0..count {
            field(ui, &format!("{key}.{}", NAMES[index]), &mut value[index], width);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_in_digits_and_in_bits() {
        for (text, ty, expected) in [
            ("12", NumberType::Int, Some(12)),
            (" -3 ", NumberType::Int, Some(-3)),
            ("0xFFFF_FFFF", NumberType::Int, Some(-1)),
            ("0xffffffff", NumberType::Uint, Some(4_294_967_295)),
            ("0x100000000", NumberType::Uint, None),
            ("1.5", NumberType::Int, None),
            ("", NumberType::Uint, None),
        ] {
            assert_eq!(integer_of(text, ty), expected, "{text}");
        }
    }
}
