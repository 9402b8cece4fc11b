//! The viewport panel: the picture with zoom, pan, pixel grid and read-out. Here the user picks pixels and
//! moves the camera.

mod alone;
mod compare;
mod histogram;
mod lines;
mod map;
mod orbit;
mod pipeline;
mod strip;
mod time_bar;
mod vertex;
mod view;

pub use alone::show as show_alone;
pub use histogram::{Histogram, show as show_histogram};
pub use orbit::{dolly, orbit};

use crate::command::{Action, Command};
use crate::format;
use crate::icons::Icon;
use crate::model::{Document, Shown};
use crate::scene::{AutoSource, SCENE_FILE, SceneEdit, Slot};
use crate::session::{Button, Mouse, PixelStatus, ShadedVertex};
use crate::state::{Slow, State, Tool};
use crate::theme;
use crate::widgets::{self, OnClick as _, Pressed, Tone, menu};
use egui::{Align2, Color32, PointerButton, Rect, Sense, Stroke, StrokeKind, pos2, vec2};
use shadestep_engine::debug::Subject;
use shadestep_engine::ir::{Type, single_bits};
use shadestep_engine::pipeline::ColorFormat;

/// Zoom from which the grid between pixels is visible, in points per pixel.
const GRID_FROM: f32 = 10.0;
/// Height of the read-out, in points.
const READOUT_HEIGHT: f32 = 30.0;
/// Width of the zoom factor's text, in points.
const ZOOM_WIDTH: f32 = 52.0;
/// Space for the panel's title beside the toolbar, in points.
const TITLE_WIDTH: f32 = 76.0;

/// Shows the buttons of the panel's title strip, from right to left.
pub fn toolbar(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for command in [Command::FullScreen, Command::ExportPicture, Command::PickCentre] {
        menu::command_button(ui, command, state, actions);
    }
    let shown = state.document().map(|document| document.overlays).unwrap_or_default();
    for (command, on) in [
        (Command::ToggleNormals, shown.normals),
        (Command::ToggleWireframe, shown.wireframe.is_some()),
        (Command::PickVertices, state.view.tool == Tool::Vertex),
    ] {
        menu::toggle_button(ui, command, if on { Pressed::Yes } else { Pressed::No }, state, actions);
    }
    let zoom_width = 3.0 * theme::ICON_BUTTON + ZOOM_WIDTH + 8.0;
    if ui.available_width() >= zoom_width + TITLE_WIDTH {
        zoom(ui, state, actions);
    }
    map::menu(ui, state, actions);
    if let Some(document) = state.document().filter(|document| document.output_colors() > 1) {
        output_color(ui, document, actions);
    }
    if let Some(document) = state.document().filter(|document| document.scene.layers.count > 1) {
        layer(ui, document, actions);
    }
}

/// A menu that selects the layer of the framebuffer to show.
fn layer(ui: &mut egui::Ui, document: &Document, actions: &mut Vec<Action>) {
    let shown = document.layer();
    let text = egui::RichText::new(format!("layer {shown}")).font(theme::caption_font());
    let response = ui.menu_button(text, |ui| {
        let choose = |ui: &mut egui::Ui| {
            for number in 0..document.scene.layers.count {
                if ui.selectable_label(number == shown, format!("Layer {number}")).clicked() {
                    actions.push(Action::ShowLayer(number));
                    ui.close();
                }
            }
        };
        egui::ScrollArea::vertical().show(ui, choose);
    });
    let hint = "Choose the framebuffer layer to show (result.layer of a geometry program)";
    widgets::named(response.response, "Layer").on_hover_text(hint);
}

/// Zoom buttons, as alternatives to the wheel and keys.
fn zoom(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    for command in [Command::ZoomFit, Command::ZoomIn] {
        menu::command_button(ui, command, state, actions);
    }
    let zoom =
        state.view.zoom.factor().map_or_else(|| "Fit".to_owned(), |zoom| format!("{:.0} %", zoom * 100.0));
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ZOOM_WIDTH, 20.0), Sense::hover());
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, zoom, theme::caption_font(), palette.text_weak);
    menu::command_button(ui, Command::ZoomOut, state, actions);
}

/// A menu that selects the program's colour output to show.
fn output_color(ui: &mut egui::Ui, document: &Document, actions: &mut Vec<Action>) {
    let shown = document.output_color();
    let words = |number: u8| format!("result.color[{number}]");
    let with_format = |number: u8| {
        let mut given = document.scene.attachments.iter().filter(|attachment| attachment.number == number);
        given
            .next()
            .map_or_else(|| words(number), |given| format!("{}  {}", words(number), given.format.name()))
    };
    let text = egui::RichText::new(words(shown)).font(theme::caption_font());
    let response = ui.menu_button(text, |ui| {
        for number in 0..document.output_colors() {
            if ui.selectable_label(number == shown, with_format(number)).clicked() {
                actions.push(Action::ShowOutputColor(number));
                ui.close();
            }
        }
    });
    let hint = "Choose the output colour to show (ARB_draw_buffers)";
    widgets::named(response.response, "Output colour").on_hover_text(hint);
}

pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let Some(document) = state.document() else { return };
    let all = ui.available_rect_before_wrap();
    let split = (all.bottom() - READOUT_HEIGHT).max(all.top());
    let (mut area, foot) = all.split_top_bottom_at_y(split);
    if let Some(shown) = document.shown.as_ref().filter(|_| pipeline::is_shown(document)) {
        let (above, row) = area.split_top_bottom_at_y((area.bottom() - pipeline::HEIGHT).max(area.top()));
        pipeline::show(ui, document, shown, row, actions);
        area = above;
    }
    if !state.settings.hides_time_bar {
        let (above, bar) = area.split_top_bottom_at_y((area.bottom() - time_bar::HEIGHT).max(area.top()));
        time_bar::show(ui, state, document, bar, actions);
        area = above;
    }
    let versions = state.view.versions.get(document.id);
    if state.settings.shows_versions {
        let (above, strip) = area.split_top_bottom_at_y((area.bottom() - strip::HEIGHT).max(area.top()));
        strip::show(ui, versions, strip, actions);
        area = above;
    }
    if versions.is_some_and(|versions| versions.pinned().is_some()) {
        let (top, rest) = area.split_top_bottom_at_y((area.top() + compare::HEIGHT).min(area.bottom()));
        compare::bar(ui, state, document, top, actions);
        area = rest;
    }
    if document.map.map.is_some() {
        let (top, rest) = area.split_top_bottom_at_y((area.top() + map::BAR_HEIGHT).min(area.bottom()));
        map::bar(ui, state, document, top, actions);
        area = rest;
    }
    let banners = banners(state, document);
    let height = (banners.len() as f32 * widgets::BAND_HEIGHT).min(area.height());
    let (above, seen) = area.split_top_bottom_at_y(area.top() + height);
    // There is always space for one banner above the picture. Further banners make the picture smaller.
    area.min.y += (height - view::BANNER).max(0.0);
    let hovered = match &document.shown {
        Some(shown) => canvas(ui, state, document, shown, (area, seen), actions),
        None if state.held_why(document).is_some() => {
            held(&mut ui.new_child(egui::UiBuilder::new().max_rect(seen)), state, document, actions);
            Hovered::default()
        }
        None => {
            let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(seen));
            let words = match (document.error_count(), &document.render_error) {
                (0, None) => "The first picture is being rendered.",
                (0, Some(_)) => "This scene could not be rendered.",
                _ if document.has_faulty_program() => "The picture appears when the programs have no errors.",
                _ => "The picture appears when scene.toml has no errors.",
            };
            widgets::empty_state(&mut inner, Icon::Play, "No picture yet", words);
            Hovered::default()
        }
    };
    show_banners(ui, above, &banners, actions);
    readout(ui, state, document, foot, hovered);
    ui.advance_cursor_after_rect(all);
}

/// Paints the ground of a bar in `rect` and the line between the bar and the picture, at the height `edge`.
/// Returns the bar's content, which has `margin` on each side.
fn bar_content(
    ui: &mut egui::Ui,
    (rect, edge): (Rect, f32),
    margin: egui::Vec2,
    builder: egui::UiBuilder,
) -> egui::Ui {
    let palette = theme::palette(ui);
    ui.painter().rect_filled(rect, 0.0, palette.panel);
    ui.painter().hline(rect.x_range(), edge, Stroke::new(1.0, palette.line));
    let mut content = ui.new_child(builder.max_rect(rect.shrink2(margin)));
    content.set_clip_rect(rect.intersect(ui.clip_rect()));
    content
}

/// Paints the whole of `image` into `rect`.
fn paint_image(painter: &egui::Painter, image: &egui::TextureHandle, rect: Rect) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(image.id(), rect, whole, Color32::WHITE);
}

/// Shows why there is no picture, and a button that runs the programs again.
fn held(ui: &mut egui::Ui, state: &State, document: &Document, actions: &mut Vec<Action>) {
    let Some(why) = state.held_why(document) else { return };
    let button = widgets::empty_state_with(ui, Icon::Warning, "Not run", why.words(), "Run again");
    button.on_hover_text(Command::RunHeld.tooltip(ui.ctx())).on_click(Command::RunHeld, actions);
}

/// A message above the picture.
struct Banner {
    tone: Tone,
    words: String,
    /// Label and command of the button.
    button: Option<(&'static str, Command)>,
}

/// The messages about the picture.
fn banners(state: &State, document: &Document) -> Vec<Banner> {
    let mut banners = Vec::new();
    if let Some(why) = state.held_why(document) {
        // Without a picture, `held` shows the same message.
        if document.shown.is_some() {
            let (words, button) = (why.words().to_owned(), Some(("Run again", Command::RunHeld)));
            banners.push(Banner { tone: Tone::Warning, words, button });
        }
        return banners;
    }
    for (long, words, stop) in [
        (state.slow == Slow::Yes, "Still rendering…", Command::StopRendering),
        (state.records_long(), "Still recording…", Command::StopDebugging),
    ] {
        if long {
            banners.push(Banner { tone: Tone::Info, words: words.to_owned(), button: Some(("Stop", stop)) });
        }
    }
    if let Some(error) = &document.render_error {
        banners.push(Banner { tone: Tone::Error, words: format!("No new picture: {error}"), button: None });
    } else if document.error_count() > 0 && document.shown.is_some() {
        let at_fault =
            if document.has_faulty_program() { String::new() } else { format!(" in {SCENE_FILE}") };
        // The text must fit above a narrow picture.
        let errors = format::counted(document.error_count(), "error");
        let words = format!("{errors}{at_fault}. Showing the last picture that worked");
        let button = Some(("Go to error", Command::NextProblem));
        banners.push(Banner { tone: Tone::Error, words, button });
    }
    banners
}

/// Shows `banners` in `area`. Clicks on banners do not reach the picture below.
fn show_banners(ui: &mut egui::Ui, area: Rect, banners: &[Banner], actions: &mut Vec<Action>) {
    if banners.is_empty() {
        return;
    }
    let response = ui.interact(area, ui.scope_id().with("banners"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, "Messages about the picture"));
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(area).id_salt("banners"));
    inner.shrink_clip_rect(area);
    for Banner { tone, words, button } in banners {
        widgets::band(&mut inner, *tone, words, |ui| {
            let Some((label, command)) = *button else { return };
            widgets::button(ui, label).on_hover_text(command.tooltip(ui.ctx())).on_click(command, actions);
        });
    }
}

/// The pixel and the vertex under the pointer.
#[derive(Clone, Copy, Default)]
struct Hovered<'a> {
    pixel: Option<[u32; 2]>,
    /// The vertex nearest to the pointer, in the mode that picks vertices.
    vertex: Option<&'a ShadedVertex>,
}

/// Shows the picture in `area`. Banners do not cover `seen`. Returns the pixel and vertex under the pointer.
fn canvas<'a>(
    ui: &egui::Ui,
    state: &'a State,
    document: &Document,
    shown: &Shown,
    (area, seen): (Rect, Rect),
    actions: &mut Vec<Action>,
) -> Hovered<'a> {
    let size = shown.frame.size();
    let picture = state.view.zoom.picture_rect(area, size);
    let response = ui.interact(area, ui.scope_id().with("picture"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Rendered picture"));
    let painter = ui.painter_at(seen);
    let on_screen = state.view.pictures.get(document.id);
    let map = state.maps.shown(document.id).filter(|map| map.field.size == size);
    if let (Some((texture, _)), None) = (on_screen, map) {
        paint_image(&painter, texture, picture);
    }
    let palette = theme::palette(ui);
    painter.rect_stroke(picture, 0.0, Stroke::new(1.0, palette.line_strong), StrokeKind::Outside);
    let scale = picture.width() / size[0] as f32;
    let pinned = state.view.versions.get(document.id).and_then(|versions| versions.pinned());
    if let Some(pinned) = pinned.filter(|pinned| pinned.frame.size() == size && map.is_none()) {
        compare::paint(ui, pinned, document.compare, (seen, picture), actions);
    }
    if let Some(map) = map {
        map::paint(ui, &painter, map, (seen, picture));
    }
    if let Some((_, lines)) = on_screen {
        lines::paint(&painter, seen, picture, size, lines, palette);
    }
    if scale >= GRID_FROM {
        paint_grid(&painter, picture.intersect(seen), picture, scale, scale / GRID_FROM);
    }
    let stepped = state.stepping.session.as_ref().filter(|session| session.document() == document.id);
    if let Some(pixel) = stepped.and_then(|session| session.pixel()) {
        paint_pick(&painter, view::pixel_rect(picture, size, pixel), palette);
    }
    if let Some(vertex) = vertex::stepped(state, document) {
        vertex::mark(&painter, picture, size, vertex, palette);
    }
    if let Some(primitive) = stepped.and_then(|session| session.primitive()) {
        lines::paint_outline(&painter, picture, size, &primitive.outline, palette);
    }
    let pointer = response.hover_pos();
    let pixel = pointer.and_then(|pos| view::pixel_at(picture, size, pos));
    let nearest = pointer.and_then(|pos| vertex::nearest(state, document, picture, size, pos));
    if let Some(vertex) = nearest {
        vertex::mark(&painter, picture, size, vertex, palette);
    } else if let (Some(pixel), true) = (pixel, scale >= GRID_FROM) {
        let rect = view::pixel_rect(picture, size, pixel);
        painter.rect_stroke(rect, 0.0, Stroke::new(1.5, palette.text_strong), StrokeKind::Outside);
    }
    interact(ui, state, document, &response, area, picture, actions);
    context_menu(ui, state, &response, pixel, actions);
    if response.clicked()
        && let Some(pos) = response.interact_pointer_pos()
    {
        let picked = match state.view.tool {
            Tool::Pixel => {
                view::pixel_at(picture, size, pos).map(|pixel| Action::Pick(Subject::Pixel(pixel)))
            }
            Tool::Vertex => vertex::nearest(state, document, picture, size, pos)
                .map(|vertex| Action::Pick(Subject::Vertex(vertex.element))),
        };
        actions.extend(picked);
    }
    Hovered { pixel, vertex: nearest }
}

/// The context menu. The first entry is about the pixel under the pointer at the time of the right click.
fn context_menu(
    ui: &egui::Ui,
    state: &State,
    response: &egui::Response,
    pixel: Option<[u32; 2]>,
    actions: &mut Vec<Action>,
) {
    use Command::{CopyPicture, ExportPicture, FullScreen, PickVertices, ResetCamera, ZoomActual, ZoomFit};
    let id = ui.scope_id().with("pixel of the menu");
    if response.secondary_clicked() {
        ui.data_mut(|data| data.insert_temp(id, pixel));
    }
    let groups: [&[Command]; 3] =
        [&[CopyPicture, ExportPicture], &[ZoomFit, ZoomActual, FullScreen], &[PickVertices, ResetCamera]];
    menu::context(response, state, &groups, actions, |ui, actions| {
        let pixel: Option<[u32; 2]> = ui.data(|data| data.get_temp(id)).flatten();
        if let Some([x, y]) = pixel {
            if ui.button(format!("Debug pixel {x}, {y}")).clicked() {
                actions.push(Action::Pick(Subject::Pixel([x, y])));
                ui.close();
            }
            ui.separator();
        }
    });
}

fn interact(
    ui: &egui::Ui,
    state: &State,
    document: &Document,
    response: &egui::Response,
    area: Rect,
    picture: Rect,
    actions: &mut Vec<Action>,
) {
    let mut zoom = state.view.zoom;
    let size = document.shown.as_ref().map_or(document.scene.size, |shown| shown.frame.size());
    if let Some(pointer) = response.hover_pos() {
        let (scroll, pinch, shift) =
            ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta(), input.modifiers.shift));
        if shift && document.has_mesh() && scroll != 0.0 {
            actions.push(Action::EditScene(SceneEdit::Camera(dolly(document.scene.camera, scroll))));
        } else if scroll != 0.0 || pinch != 1.0 {
            zoom.zoom_at(area, size, pointer, (scroll * 0.0035).exp() * pinch);
        }
    }
    move_mouse(ui, state, response, picture, actions);
    let drag = response.drag_delta();
    let uses_mouse = document.depends_on(|s| s == AutoSource::MouseDown);
    if response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
        zoom.pan(area, size, drag);
    } else if response.dragged_by(PointerButton::Primary) && drag != egui::Vec2::ZERO {
        if document.has_mesh() {
            actions.push(Action::EditScene(SceneEdit::Camera(orbit(document.scene.camera, drag))));
        } else if !uses_mouse {
            zoom.pan(area, size, drag);
        }
    }
    if response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::Grabbing);
    } else if response.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::Crosshair);
    }
    if zoom != state.view.zoom {
        actions.push(Action::SetZoom(zoom));
    }
}

/// Sends the pointer's place over `picture` to the program's mouse.
fn move_mouse(
    ui: &egui::Ui,
    state: &State,
    response: &egui::Response,
    picture: Rect,
    actions: &mut Vec<Action>,
) {
    let Some(pointer) = response.hover_pos() else { return };
    let uv = ((pointer - picture.min) / picture.size()).clamp(vec2(0.0, 0.0), vec2(1.0, 1.0));
    let down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    let button = if down { Button::Down } else { Button::Up };
    let mouse = Mouse { position: [uv.x, 1.0 - uv.y], button };
    if mouse != state.view.mouse {
        actions.push(Action::SetMouse(mouse));
    }
}

/// Paints lines between pixels. The grey is visible on dark and bright pixels. The lines fade in with the
/// zoom.
fn paint_grid(painter: &egui::Painter, visible: Rect, picture: Rect, scale: f32, strength: f32) {
    let color = Color32::from_gray(128).gamma_multiply((strength - 0.8).clamp(0.0, 0.55));
    let stroke = Stroke::new(1.0, color);
    let lines = |from: f32, to: f32, origin: f32| {
        let first = ((from - origin) / scale).ceil() as i32;
        let last = ((to - origin) / scale).floor() as i32;
        (first..=last).map(move |i| origin + i as f32 * scale)
    };
    for x in lines(visible.left(), visible.right(), picture.left()) {
        painter.vline(x, visible.y_range(), stroke);
    }
    for y in lines(visible.top(), visible.bottom(), picture.top()) {
        painter.hline(visible.x_range(), y, stroke);
    }
}

/// Marks the debugged pixel: a frame around the pixel, and a cross over the picture that helps to find it.
fn paint_pick(painter: &egui::Painter, pixel: Rect, palette: &theme::Palette) {
    let frame =
        if pixel.width() < 7.0 { Rect::from_center_size(pixel.center(), vec2(9.0, 9.0)) } else { pixel };
    painter.rect_stroke(frame, 0.0, Stroke::new(3.0, palette.on_accent), StrokeKind::Outside);
    painter.rect_stroke(frame, 0.0, Stroke::new(1.5, palette.accent), StrokeKind::Outside);
    let arm = 14.0;
    let center = frame.center();
    let reach = frame.width() / 2.0 + 3.0;
    for direction in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
        let line = [center + direction * reach, center + direction * (reach + arm)];
        painter.line_segment(line, Stroke::new(3.0, palette.on_accent));
        painter.line_segment(line, Stroke::new(1.5, palette.accent));
    }
}

/// Shows the format of the displayed attachment, if the scene sets one, and how the picture displays it.
fn format_tag(ui: &mut egui::Ui, document: &Document) {
    let Some(shown) = &document.shown else { return };
    let (number, format) = (shown.job.output_color, shown.frame.color_format());
    if !shown.job.scene.attachments.iter().any(|attachment| attachment.number == number) {
        return;
    }
    let words = match format {
        ColorFormat::Rgba8 | ColorFormat::Rgba16F | ColorFormat::Rgba32F => "0 is black and 1 is white",
        ColorFormat::Rgba8Ui | ColorFormat::Rgba16Ui => "0 is black and the largest integer is white",
        ColorFormat::Rgba8I | ColorFormat::Rgba16I => {
            "the smallest integer is black, 0 is grey, and the largest is white"
        }
        ColorFormat::Rgba32I | ColorFormat::Rgba32Ui => {
            "the low eight bits of each component are shown, from 0 (black) to 255 (full)"
        }
    };
    let color = theme::palette(ui).accent;
    let label = ui.label(theme::caption(ui, format.name()).color(color));
    let hint = format!("Output colour {number} has the format {}: {words}", format.name());
    label.on_hover_text(hint);
}

/// Shows the values of the pixel under the pointer, or else of the debugged pixel.
fn readout(ui: &mut egui::Ui, state: &State, document: &Document, rect: Rect, hovered: Hovered<'_>) {
    let palette = theme::palette(ui);
    let picked =
        state.stepping.session.as_ref().filter(|s| s.document() == document.id).and_then(|s| s.pixel());
    let pixel = hovered.pixel.or(picked);
    let builder = egui::UiBuilder::new().layout(egui::Layout::left_to_right(egui::Align::Center));
    let mut line = bar_content(ui, (rect, rect.top() + 0.5), vec2(12.0, 0.0), builder);
    line.spacing_mut().item_spacing.x = 10.0;
    if state.view.tool == Tool::Vertex {
        match hovered.vertex.or_else(|| vertex::stepped(state, document)) {
            Some(vertex) => vertex::readout(&mut line, vertex),
            None => {
                let words = theme::caption(&line, vertex::words(state, document));
                line.add(egui::Label::new(words).truncate());
            }
        }
        return;
    }
    let Some((pixel, value)) = pixel.and_then(|p| Some((p, document.shown.as_ref()?.frame.pixel(p)?))) else {
        format_tag(&mut line, document);
        let words = theme::caption(ui, "Hover over the picture to read a pixel; click to step through it");
        line.add(egui::Label::new(words).truncate());
        return;
    };
    let [x, y] = pixel;
    let [r, g, b, _] = value.format.shown(value.color);
    widgets::swatch(&mut line, Color32::from_rgb(r, g, b), vec2(16.0, 16.0));
    line.label(theme::value(ui, format!("{x}, {y}")).color(palette.text_weak));
    let map = state.maps.shown(document.id);
    if let Some(words) = map.and_then(|map| map::value_at(document, map, pixel)) {
        let name = map.map_or("", |map| map.query.map.command().info().label);
        line.label(theme::value(ui, name).color(palette.text_weak));
        line.label(theme::value(ui, words).color(palette.accent));
        widgets::divider(&mut line);
    }
    format_tag(&mut line, document);
    let color = match value.status {
        PixelStatus::Written => None,
        PixelStatus::Empty => Some(palette.text_weak),
        _ => Some(palette.warning),
    };
    if let Some(color) = color {
        line.label(theme::value(ui, crate::history::outcome(value.status)).color(color));
    }
    let has_depth = document.has_mesh() || document.program(Slot::Fragment).is_some_and(|p| p.writes_depth());
    let depth = has_depth.then_some(("depth", value.depth));
    let register = single_bits(value.color);
    let types = document.shown.as_ref().map_or([Type::F32; 4], |shown| shown.frame.types());
    let channels = std::array::from_fn::<_, 4, _>(|c| (["r", "g", "b", "a"][c], (register, types, c)));
    let depth = depth.map(|(name, depth)| (name, ([depth.to_bits().into(), 0, 0, 0], [Type::F32; 4], 0)));
    let mut left = channels.into_iter().chain(depth).peekable();
    while let Some((name, (bits, types, c))) = left.next() {
        let text = format::decimal(bits[c], types[c]);
        let width = |text: &str| {
            line.painter().layout_no_wrap(text.to_owned(), theme::value_font(), palette.text).size().x
        };
        // A truncated number would look like a different number, so the whole number is left out.
        let more = if left.peek().is_some() { line.spacing().item_spacing.x + width("…") } else { 0.0 };
        if width(name) + 4.0 + width(&text) + more > line.available_width() {
            let more = line.label(theme::value(ui, "…").color(palette.text_weak));
            let rest = left
                .map(|(name, (bits, types, c))| format!("\n{name} {}", format::decimal(bits[c], types[c])));
            more.on_hover_text(theme::value(ui, format!("{name} {text}{}", rest.collect::<String>())));
            return;
        }
        line.scope(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.label(theme::value(ui, name).color(palette.text_weak));
            let color = palette.of_value(types[c].value(bits[c]), palette.text_strong);
            let label = ui.label(theme::value(ui, text).color(color));
            label.on_hover_ui(|ui| widgets::views(ui, bits, types, c));
        });
    }
}
