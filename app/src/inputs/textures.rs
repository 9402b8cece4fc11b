//! Rows for the texture units in use: preview, image, filters and wrapping.

use super::section;
use crate::command::Action;
use crate::format;
use crate::icons::Icon;
use crate::model::{Document, DocumentId, PerDocument};
use crate::scene::{
    COMPARISONS, FrameTexture, ImageSource, SceneEdit, SceneImage, SceneTexture, Slot, TextureSpec,
    asset_names, builtin_names,
};
use crate::settings::Pane;
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Color32, Rect, Sense, Ui, pos2, vec2};
use shadestep_engine::ir::{IMAGE_UNITS, TextureTarget};
use shadestep_engine::isa::Language;
use shadestep_engine::texture::{MagFilter, MinFilter, Wrap};
use std::collections::HashMap;

/// Largest side, in texels, of a preview that shows single texels without filtering.
const FEW_TEXELS: usize = 36;

/// Side of a preview, in points.
const PREVIEW: f32 = 72.0;
/// Previews of textures, created once per texture.
#[derive(Default)]
pub struct Previews {
    made: HashMap<(DocumentId, u8, TextureTarget), egui::TextureHandle>,
}

impl PerDocument for Previews {
    fn forget(&mut self, closed: DocumentId) {
        self.made.retain(|(document, ..), _| *document != closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.made.keys().map(|(document, ..)| *document).collect()
    }
}

impl Previews {
    /// Drops all previews.
    pub fn clear(&mut self) {
        self.made.clear();
    }

    fn get(
        &mut self,
        ctx: &egui::Context,
        document: DocumentId,
        texture: &SceneTexture,
    ) -> &egui::TextureHandle {
        let spec = texture.spec();
        self.made.entry((document, spec.unit, spec.target)).or_insert_with(|| {
            let preview = texture.preview();
            let size = [preview.width as usize, preview.height as usize];
            let opaque: Vec<u8> =
                preview.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
            let image = if opaque.len() == 4 * size[0] * size[1] && !opaque.is_empty() {
                egui::ColorImage::from_rgba_unmultiplied(size, &opaque)
            } else {
                egui::ColorImage::filled([1, 1], Color32::TRANSPARENT)
            };
            // A small texture is not filtered, so that single texels are visible.
            let few = size.iter().all(|&side| side <= FEW_TEXELS);
            let options = if few { egui::TextureOptions::NEAREST } else { egui::TextureOptions::LINEAR };
            ctx.load_texture(format!("texture {}", spec.unit), image, options)
        })
    }
}

/// Shows the units in use.
pub fn show(ui: &mut Ui, document: &Document, previews: &mut Previews, actions: &mut Vec<Action>) {
    section(ui, "Textures");
    let listed = listed(document);
    for &(unit, target, usage) in &listed {
        ui.push_id(("unit", unit, target.name()), |ui| match drawn(document, unit, target) {
            Some(Drawn::Image(image)) => one_image(ui, document, unit, image, actions),
            Some(Drawn::Frame(texture)) => one_frame(ui, document, texture),
            None => one(ui, document, (unit, target, usage), previews, actions),
        });
        ui.add_space(8.0);
    }
    add_menu(ui, document, actions);
    if listed.is_empty() {
        let words = super::why_unknown(document).unwrap_or("This program uses no textures.");
        ui.label(theme::caption(ui, words));
    }
    ui.add_space(8.0);
}

/// The reason why a unit is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    LookedUp,
    BoundOnly,
}

/// The units that programs look up, and the textures that only the scene binds, sorted by unit.
fn listed(document: &Document) -> Vec<(u8, TextureTarget, Use)> {
    let looked_up = units(document).into_iter().zip(0..);
    let mut listed: Vec<_> =
        looked_up.filter_map(|(target, unit)| Some((unit, target?, Use::LookedUp))).collect();
    for texture in &document.scene.textures {
        let (unit, target) = (texture.spec().unit, texture.spec().target);
        if !listed.iter().any(|&(its, at, _)| its == unit && at.image() == target) {
            listed.push((unit, target, Use::BoundOnly));
        }
    }
    listed.sort_by_key(|&(unit, ..)| unit);
    listed
}

/// A menu of every unit and target without a texture in the scene.
fn add_menu(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let text = egui::RichText::new("Add texture").font(theme::caption_font());
    let menu = ui.menu_button(text, |ui| {
        for unit in 0..IMAGE_UNITS as u8 {
            let free: Vec<TextureTarget> = TextureTarget::TEXTURES
                .into_iter()
                .filter(|&target| document.texture(unit, target).is_none())
                .filter(|&target| drawn(document, unit, target).is_none())
                .collect();
            if free.is_empty() {
                continue;
            }
            ui.menu_button(unit_name(document, unit), |ui| {
                for target in free {
                    let hint = format!("Bind a checkerboard to target {} of unit {unit}", target.name());
                    if ui.button(target.name()).on_hover_text(hint).clicked() {
                        let image = ImageSource::Builtin("checker".to_owned());
                        actions.push(Action::SetTexture(TextureSpec::new(unit, target, image)));
                        ui.close();
                    }
                }
            });
        }
    });
    menu.response.on_hover_text("Bind a texture to a free unit and target");
}

/// The target of every unit that the fragment and vertex program look up. Without a fragment program, the
/// default one looks up unit 0.
fn units(document: &Document) -> [Option<TextureTarget>; IMAGE_UNITS] {
    let of = |slot| document.program(slot).map(|program| program.textures()).unwrap_or_default();
    let (mut units, vertex) = (of(Slot::Fragment), of(Slot::Vertex));
    if document.program_text(Slot::Fragment).is_none() {
        units[0] = Some(TextureTarget::D2);
    }
    for (unit, target) in units.iter_mut().zip(vertex) {
        *unit = unit.or(target);
    }
    units
}

/// The name of image unit `unit` in the scene's programs.
fn unit_name(document: &Document, unit: u8) -> String {
    let programs = [Slot::Fragment, Slot::Vertex].into_iter().filter_map(|slot| document.program(slot));
    let profiles: Vec<_> = programs.map(|program| program.language.profile()).collect();
    let declares = profiles.iter().find(|profile| profile.declares_variables());
    let named = declares.or(profiles.first()).copied().unwrap_or(Language::Fp1.profile());
    named.texture_unit(unit)
}

/// A texture whose texels come from programs.
enum Drawn<'a> {
    Image(&'a SceneImage),
    Frame(&'a FrameTexture),
}

/// The program-written texture on this unit and target.
fn drawn(document: &Document, unit: u8, target: TextureTarget) -> Option<Drawn<'_>> {
    let scene = &document.scene;
    let frame = scene.frame_textures.iter().find(|frame| (frame.unit, frame.target) == (unit, target));
    let image = || scene.images.iter().find(|image| image.is_looked_up(unit, target));
    frame.map(Drawn::Frame).or_else(|| image().map(Drawn::Image))
}

/// Rows for a texture with the previous frame.
fn one_frame(ui: &mut Ui, document: &Document, texture: &FrameTexture) {
    ui.horizontal(|ui| {
        ui.label(theme::value(ui, unit_name(document, texture.unit)));
        ui.label(theme::caption(ui, format!("{} · RGBA32F", texture.target.name())));
    });
    let layers = texture.layers(document.scene.layers.count);
    let what = match layers {
        1 => "The previous frame".to_owned(),
        _ => format!("Layers 0 to {} of the previous frame", layers - 1),
    };
    ui.label(theme::caption(ui, what)).on_hover_text("Set by [[frame_texture]] in scene.toml");
}

/// Rows for an image. The Memory panel shows its contents.
fn one_image(ui: &mut Ui, document: &Document, unit: u8, image: &SceneImage, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(theme::value(ui, unit_name(document, unit)));
        let (target, format) = (image.shape.target().name(), image.shape.format().name());
        ui.label(theme::caption(ui, format!("{target} · {format}")));
    });
    ui.horizontal(|ui| {
        let name = &document.scene.buffers[image.buffer].name;
        ui.label(theme::caption(ui, format!("Image {name} at the start of the frame")));
        let text = egui::RichText::new("Show in Memory").font(theme::caption_font());
        ui.button(text)
            .on_hover_text("Show the image's contents as numbers and as a picture")
            .on_click(Action::Show(Pane::Memory), actions);
    });
}

fn one(
    ui: &mut Ui,
    document: &Document,
    (unit, target, usage): (u8, TextureTarget, Use),
    previews: &mut Previews,
    actions: &mut Vec<Action>,
) {
    let bound = document.texture(unit, target);
    let spec = document.texture_spec(unit, target);
    let mut edited = spec.clone();
    ui.horizontal_top(|ui| {
        preview(ui, document, bound, previews);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            ui.horizontal(|ui| {
                ui.label(theme::value(ui, unit_name(document, unit)));
                ui.label(theme::caption(ui, target.name()));
                if usage == Use::BoundOnly {
                    ui.label(theme::caption(ui, "unused"))
                        .on_hover_text("The scene binds this texture, but none of its programs uses it");
                }
                if let Some(why) = bound.and_then(SceneTexture::incomplete) {
                    let color = theme::palette(ui).warning;
                    let label = ui.label(theme::caption(ui, "incomplete").color(color));
                    label.on_hover_text(format!("The texture is incomplete, so lookups return 0: {why}"));
                }
                if bound.is_some() {
                    let remove = format!("Remove {} texture of unit {unit}", target.name());
                    if widgets::icon_button(ui, Icon::Close, &remove, true).clicked() {
                        let edit = SceneEdit::RemoveTexture(unit, target.image());
                        actions.push(Action::EditScene(edit));
                    }
                }
            });
            image_menu(ui, &spec, &mut edited, actions);
            format_list(ui, &spec, bound, &mut edited);
            // A target without filtering has no further settings.
            if !target.is_filtered() {
                return;
            }
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                choice(ui, "Minification filter", &mut edited.sampler.min_filter, &MinFilter::NAMED);
                choice(ui, "Magnification filter", &mut edited.sampler.mag_filter, &MagFilter::NAMED);
                let mut wrap = edited.sampler.wrap[0];
                choice(ui, "Wrap mode", &mut wrap, &Wrap::NAMED);
                if wrap != edited.sampler.wrap[0] {
                    edited.sampler.wrap = [wrap; 3];
                }
                if target.is_shadow() || edited.format.name().starts_with("DEPTH") {
                    choice(ui, "Depth comparison", &mut edited.sampler.compare, &COMPARISONS);
                }
            });
        });
    });
    if edited != spec {
        actions.push(Action::SetTexture(edited));
    }
}

fn preview(ui: &mut Ui, document: &Document, bound: Option<&SceneTexture>, previews: &mut Previews) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(PREVIEW, PREVIEW), Sense::hover());
    let spelled = |image: &ImageSource| matches!(image, ImageSource::Values(_) | ImageSource::Store(_));
    if bound.is_some_and(|texture| texture.spec().images.iter().any(spelled)) {
        response.on_hover_text(
            "The largest value is white. 0 is black, or the smallest value if that is negative",
        );
    }
    ui.painter().rect_filled(rect, 4.0, palette.well);
    if let Some(texture) = bound {
        let handle = previews.get(ui.ctx(), document.id, texture);
        let size = handle.size_vec2();
        let scale = (PREVIEW / size.x.max(1.0)).min(PREVIEW / size.y.max(1.0));
        let image = Rect::from_center_size(rect.center(), size * scale);
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(handle.id(), image, uv, Color32::WHITE);
    } else {
        let middle = egui::Align2::CENTER_CENTER;
        ui.painter().text(rect.center(), middle, "xor", theme::caption_font(), palette.text_weak);
    }
    let stroke = egui::Stroke::new(1.0, palette.line_strong);
    ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Inside);
}

/// Name of the texture's image.
fn image_name(spec: &TextureSpec) -> String {
    match spec.images.as_slice() {
        [
            ImageSource::Builtin(name)
            | ImageSource::Asset(name)
            | ImageSource::File(name)
            | ImageSource::Store(name),
        ] => name.clone(),
        [ImageSource::Values(values)] => {
            let sides: Vec<String> = values.size.iter().map(u32::to_string).collect();
            format!("{} values", sides.join(" × "))
        }
        many => format!("{} images", many.len()),
    }
}

fn image_menu(ui: &mut Ui, spec: &TextureSpec, edited: &mut TextureSpec, actions: &mut Vec<Action>) {
    let response = egui::ComboBox::from_id_salt("image")
        .selected_text(image_name(spec))
        .width((ui.available_width() - 4.0).clamp(60.0, 220.0))
        .height(320.0)
        .show_ui(ui, |ui| {
            if ui.selectable_label(false, "Choose file…").clicked() {
                actions.push(Action::ChooseTexture(spec.clone()));
            }
            ui.separator();
            for (name, what) in builtin_names() {
                let source = ImageSource::Builtin(name.to_owned());
                let selected = spec.images == [source.clone()];
                if ui.selectable_label(selected, name).on_hover_text(what).clicked() {
                    edited.take_image(source);
                }
            }
            ui.separator();
            for name in asset_names(spec.target) {
                let source = ImageSource::Asset(name.to_owned());
                if ui.selectable_label(spec.images == [source.clone()], name).clicked() {
                    edited.take_image(source);
                }
            }
        });
    widgets::named(response.response, "Image").on_hover_text("Choose the image of this texture");
}

/// A menu of formats that the target supports and the images can be converted to.
fn format_list(ui: &mut Ui, spec: &TextureSpec, bound: Option<&SceneTexture>, edited: &mut TextureSpec) {
    let list = egui::ComboBox::from_id_salt("format")
        .selected_text(egui::RichText::new(spec.format.name()).font(theme::caption_font()))
        .width((ui.available_width() - 4.0).clamp(60.0, 220.0))
        .height(320.0)
        .truncate();
    let response = list.show_ui(ui, |ui| {
        let mut group = None;
        for (of, format) in spec.formats(bound) {
            if group != Some(of) {
                ui.add_space(if group.is_none() { 0.0 } else { 4.0 });
                ui.label(theme::caption(ui, of.name()));
                group = Some(of);
            }
            let response = ui.selectable_label(spec.format == format, format.name());
            if response.clicked() {
                *edited = spec.changed_to(format);
            }
        }
    });
    let hint = "Choose the internal format. The list has only formats that suit the target and the texture's values.";
    widgets::named(response.response, "Texture format").on_hover_text(hint);
}

/// Formats a GL name such as `NEAREST_MIPMAP_LINEAR` for users.
fn words(name: &str) -> String {
    format::capitalized(&name.replace('_', " ").to_lowercase())
}

/// A shorter form, for a control with little space.
fn short(name: &str) -> String {
    match name {
        "NEAREST_MIPMAP_NEAREST" => "Nearest mip".to_owned(),
        "LINEAR_MIPMAP_NEAREST" => "Bilinear mip".to_owned(),
        "NEAREST_MIPMAP_LINEAR" => "Nearest, 2 mips".to_owned(),
        "LINEAR_MIPMAP_LINEAR" => "Trilinear".to_owned(),
        "CLAMP_TO_EDGE" => "To edge".to_owned(),
        "CLAMP_TO_BORDER" => "To border".to_owned(),
        "MIRRORED_REPEAT" => "Mirrored".to_owned(),
        name => words(name),
    }
}

fn choice<T: Copy + PartialEq>(ui: &mut Ui, what: &str, value: &mut T, choices: &[(T, &str)]) {
    let current = choices.iter().find(|(choice, _)| choice == value).map_or("", |(_, name)| name);
    let response = egui::ComboBox::from_id_salt(what)
        .selected_text(egui::RichText::new(short(current)).font(theme::caption_font()))
        .width(48.0)
        .show_ui(ui, |ui| {
            for (choice, name) in choices {
                if ui.selectable_label(value == choice, words(name)).clicked() {
                    *value = *choice;
                }
            }
        });
    let hint = format!("{what}: {}", words(current).to_lowercase());
    widgets::named(response.response, what).on_hover_text(hint);
}
