//! Shows an image as a picture: one level and layer, texel by texel.

use super::{MemoryTable, Shown, step_to_writer, writer};
use crate::command::Action;
use crate::format;
use crate::scene::SceneImage;
use crate::theme;
use crate::widgets;
use egui::{Color32, ColorImage, Rect, Sense, TextureHandle, TextureOptions, Ui, pos2, vec2};
use shadestep_engine::ir::Components;
use shadestep_engine::memory::{BoundImage, BufferId, Mode, Store};
use shadestep_engine::texture::ImageFormat;
use shadestep_engine::texture::Numbers;
use std::sync::Arc;

/// Largest side of a picture. Larger images skip texels.
const MOST: u32 = 1024;

/// The part of the image to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    level: u32,
    /// Layer, cube face or slice.
    layer: u32,
    sample: u32,
}

/// A cached picture of an image's contents.
pub(super) struct Made {
    held: Arc<Store>,
    part: Part,
    format: ImageFormat,
    texture: TextureHandle,
}

/// Access to the texels of one part of an image.
struct Texels {
    /// Binding of the level.
    bound: BoundImage,
    part: Part,
    size: [u32; 2],
}

impl Texels {
    /// Offset of texel (x, y), in bytes.
    fn offset(&self, x: u32, y: u32) -> Option<u64> {
        let at = [x, y, self.part.layer, self.part.sample].map(u32::cast_signed);
        // In 1D images and 1D arrays every row is a layer.
        let at = if self.bound.target.axes() == 1 { [at[0], 0, at[1], at[3]] } else { at };
        self.bound.texel(at).ok()
    }

    fn value(&self, held: &Store, x: u32, y: u32) -> Option<Components> {
        let offset = self.offset(x, y)?;
        let mut bytes = [0; 16];
        let bytes = &mut bytes[..self.bound.format.bytes()];
        if offset + bytes.len() as u64 > held.len() {
            return None;
        }
        held.read(offset, bytes);
        Some(self.bound.format.decode(bytes))
    }
}

/// Shows the picture and the menus for level, layer and sample.
pub(super) fn show(
    ui: &mut Ui,
    own: &mut MemoryTable,
    shown: &Shown<'_>,
    image: &SceneImage,
    actions: &mut Vec<Action>,
) {
    let shape = &image.shape;
    let format = image.unit.map_or(shape.format(), |unit| unit.format);
    let levels = shape.levels();
    let part = &mut own.part_shown;
    part.level = part.level.min(levels.len() as u32 - 1);
    let [width, height, depth] = levels[part.level as usize];
    let is_row = shape.target().axes() == 1;
    // The layers of a 1D array are the rows of one picture.
    let layers = if is_row { 1 } else { shape.layers().max(depth) };
    let height = if is_row { shape.layers() } else { height };
    (part.layer, part.sample) = (part.layer.min(layers - 1), part.sample.min(shape.samples() - 1));
    choose(ui, part, [levels.len() as u32, layers, shape.samples()]);
    let Ok(bound) = shape.bind(BufferId(0), (part.level, None), (format, Mode::ReadOnly)) else { return };
    let texels = Texels { bound, part: *part, size: [width, height] };
    let is_made = |made: &Made| {
        Arc::ptr_eq(&made.held, shown.held) && (made.part, made.format) == (texels.part, format)
    };
    if !own.picture.as_ref().is_some_and(is_made) {
        let picture = picture(&texels, shown.held);
        let texture = ui.ctx().load_texture("image of the memory panel", picture, TextureOptions::NEAREST);
        own.picture = Some(Made { held: Arc::clone(shown.held), part: texels.part, format, texture });
    }
    let Some(made) = &own.picture else { return };
    let texture = made.texture.id();
    egui::Frame::new().inner_margin(egui::Margin::same(10)).show(ui, |ui| {
        let room = ui.available_size();
        let [width, height] = texels.size.map(|side| side as f32);
        let scale = (room.x / width).min(room.y / height).max(0.01);
        // From one pixel per texel, the scale is an integer.
        let scale = if scale >= 1.0 { scale.floor() } else { scale };
        let (rect, response) = ui.allocate_exact_size(vec2(width, height) * scale, Sense::click());
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture, rect, whole, Color32::WHITE);
        let name = format!("Picture of {}", shown.buffer.name);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, name.as_str()));
        let Some(pointed) = response.hover_pos() else { return };
        let at = (pointed - rect.min) / scale;
        let (x, y) = (
            at.x.clamp(0.0, width - 1.0) as u32,
            (height - 1.0 - at.y).clamp(0.0, height - 1.0).ceil() as u32,
        );
        if response.clicked()
            && let Some(offset) = texels.offset(x, y)
        {
            step_to_writer(shown, offset, actions);
        }
        response.on_hover_ui_at_pointer(|ui| hover(ui, &texels, shown, [x, y]));
    });
}

/// Shows the texel (x, y), and its old value if it has changed.
fn hover(ui: &mut Ui, texels: &Texels, shown: &Shown<'_>, [x, y]: [u32; 2]) {
    let words = |value: Components| {
        let (count, ty) = (texels.bound.format.count(), texels.bound.format.ty());
        let all: Vec<String> = value[..count].iter().map(|&bits| format::decimal(bits, ty)).collect();
        all.join("  ")
    };
    ui.label(theme::caption(ui, format!("{}({x}, {y}), {}", shown.buffer.name, texels.bound.format.name())));
    let [now, before] = [shown.held, shown.before].map(|store| texels.value(store, x, y));
    if let Some(now) = now {
        ui.label(theme::value(ui, words(now)));
    }
    if let Some(before) = before.filter(|before| Some(*before) != now) {
        ui.label(theme::caption(ui, format!("before: {}", words(before))));
    }
    if let Some(offset) = texels.offset(x, y) {
        writer(ui, shown, offset);
    }
}

/// Fields for level, layer and sample, where the image has several.
fn choose(ui: &mut Ui, part: &mut Part, [levels, layers, samples]: [u32; 3]) {
    if levels.max(layers).max(samples) == 1 {
        return;
    }
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 3)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let numbers = [
                ("Level", &mut part.level, levels),
                ("Layer", &mut part.layer, layers),
                ("Sample", &mut part.sample, samples),
            ];
            for (name, number, count) in numbers.into_iter().filter(|(_, _, count)| *count > 1) {
                ui.label(theme::caption(ui, name));
                let field = egui::DragValue::new(number).range(0..=count - 1).speed(0.05);
                widgets::named(ui.add(field), name);
                ui.label(theme::caption(ui, format!("of {count}, from 0")));
            }
        });
    });
}

/// The picture, highest row first. Integers are grey; the largest integer is white.
fn picture(texels: &Texels, held: &Store) -> ColorImage {
    let [width, height] = texels.size;
    let step = width.max(height).div_ceil(MOST);
    let (columns, rows) = (width.div_ceil(step), height.div_ceil(step));
    let places = (0..rows).rev().flat_map(|row| (0..columns).map(move |column| (column * step, row * step)));
    let values: Vec<Option<Components>> = places.map(|(x, y)| texels.value(held, x, y)).collect();
    let (count, numbers) = (texels.bound.format.count(), texels.bound.format.numbers());
    let number = |bits: u64| match numbers {
        Numbers::Floats => f32::from_bits(bits as u32),
        Numbers::Signed => (bits as u32).cast_signed() as f32,
        Numbers::Unsigned => bits as u32 as f32,
    };
    let all = values.iter().flatten().flat_map(|value| &value[..count.min(3)]);
    let greatest = match numbers {
        Numbers::Floats => 1.0,
        Numbers::Signed | Numbers::Unsigned => all.map(|&bits| number(bits)).fold(1.0, f32::max),
    };
    let byte = |bits: u64| (number(bits) / greatest * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
    let color = |value: &Option<Components>| {
        let Some([red, green, blue, _]) = value.map(|value| value.map(byte)) else { return Color32::BLACK };
        if count == 1 { Color32::from_gray(red) } else { Color32::from_rgb(red, green, blue) }
    };
    let pixels = values.iter().map(color).collect();
    ColorImage::new([columns as usize, rows as usize], pixels)
}
