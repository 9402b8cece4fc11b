//! The memory panel: contents of the scene's buffers before the picture, after the picture and at the
//! debugger's step.

mod picture;
mod table;

use crate::command::{Action, Command};
use crate::format::{self, ValueFormat};
use crate::icons::Icon;
use crate::model::Document;
use crate::scene::{EachFrame, ElementType, Scene, SceneBuffer, SceneImage};
use crate::session::{FrameMemory, MemoryMap};
use crate::state::State;
use crate::stepping::DebugSession;
use crate::theme;
use crate::widgets;
use egui::Ui;
use shadestep_engine::memory::{BufferId, Store};
use std::fmt::Write as _;
use std::sync::Arc;

/// The point in time whose memory is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ProgramPoint {
    /// The start of the frame.
    Before,
    /// The end of the frame.
    #[default]
    After,
    /// Before the debugger's current step.
    Step,
}

/// State of the panel, private to the panel.
#[derive(Default)]
pub struct MemoryTable {
    /// Name of the buffer shown. If no buffer has this name, the first buffer is shown.
    buffer: String,
    /// Element type to show, if it differs from the type in the scene.
    shown_as: Option<ElementType>,
    moment: ProgramPoint,
    /// Text in the field that jumps to an element.
    jump: String,
    /// Element to scroll to.
    scroll_to: Option<u64>,
    /// Part of the elements in the table, for large buffers.
    part: usize,
    /// True if images are shown as pictures.
    as_picture: bool,
    /// Level, layer and sample of the picture.
    part_shown: picture::Part,
    /// The picture drawn last.
    picture: Option<picture::Made>,
}

/// Bytes that a step reads or writes.
struct Touched {
    /// Offset of the first byte.
    from: i64,
    /// Offset after the last byte.
    to: i64,
    is_written: bool,
}

/// The view of one buffer.
struct Shown<'a> {
    buffer: &'a SceneBuffer,
    element: ElementType,
    format: ValueFormat,
    /// The contents.
    held: &'a Arc<Store>,
    /// The contents to compare with: at the start of the frame, or of the debugged run.
    before: &'a Arc<Store>,
    touched: Vec<Touched>,
    /// The frame's memory and the buffer's number, if the contents at the end of the frame are shown.
    writers: Option<(&'a FrameMemory, usize)>,
}

pub fn show(ui: &mut Ui, state: &State, own: &mut MemoryTable, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let Some(document) = state.document() else { return };
    let Some(shown) = &document.shown else {
        let words = "The contents of the buffers appear with the first picture.";
        widgets::empty_state(ui, Icon::Memory, "No picture yet", words);
        return;
    };
    let (scene, memory) = (&*shown.job.scene, &shown.frame.memory);
    if scene.buffers.is_empty() {
        let words = "Programs with NV_gpu_program5 can read and write the buffers of a scene. Add one \
                     in Inputs, under Buffers and images.";
        widgets::empty_state(ui, Icon::Memory, "This scene has no buffers", words);
        return;
    }
    let session = state.stepping.session.as_ref().filter(|session| session.document() == document.id);
    let session = session.filter(|session| is_of(session, scene));
    if session.is_none() && own.moment == ProgramPoint::Step {
        own.moment = ProgramPoint::After;
    }
    let number = scene.buffers.iter().position(|buffer| buffer.name == own.buffer).unwrap_or(0);
    header(ui, own, (scene, number), session.is_some());
    let buffer = &scene.buffers[number];
    about(ui, document, scene, number);
    races(ui, state, actions);
    widgets::hairline(ui);
    let (Some(before), Some(after)) = (memory.before.get(number), memory.after.get(number)) else { return };
    let id = BufferId(number as u32);
    let stepped = session.and_then(|session| {
        let held = session.state()?.memory.store(id)?;
        Some((held, session.memory_at_start()?.store(id)?, touched(session, scene, number)))
    });
    let (held, before, touched) = match (own.moment, stepped) {
        (ProgramPoint::Step, Some(stepped)) => stepped,
        (ProgramPoint::Before, _) => (before, before, Vec::new()),
        (ProgramPoint::After | ProgramPoint::Step, _) => (after, before, Vec::new()),
    };
    let format =
        if state.settings.format == ValueFormat::Hex { ValueFormat::Hex } else { ValueFormat::Typed };
    let element = own.shown_as.unwrap_or(buffer.element);
    let writers = (own.moment == ProgramPoint::After).then_some((memory, number));
    let shown = Shown { buffer, element, format, held, before, touched, writers };
    match image_of(scene, number).filter(|_| own.as_picture) {
        Some(image) => picture::show(ui, own, &shown, image, actions),
        None => table::show(ui, own, &shown, actions),
    }
}

/// Shows which invocation last wrote the byte at `offset`. A click steps through that invocation.
fn writer(ui: &mut Ui, shown: &Shown<'_>, offset: u64) {
    if let Some(subject) = shown.writers.and_then(|(memory, number)| memory.writer(number, offset)) {
        let subject = subject.to_string().to_lowercase();
        ui.label(theme::caption(ui, format!("written by {subject}; click to step through it")));
    }
}

/// Steps through the invocation that last wrote the byte at `offset`.
fn step_to_writer(shown: &Shown<'_>, offset: u64, actions: &mut Vec<Action>) {
    let subject = shown.writers.and_then(|(memory, number)| memory.writer(number, offset));
    actions.extend(subject.and_then(Action::step_to).into_iter().flatten());
}

/// The image whose texels are in buffer `number`.
fn image_of(scene: &Scene, number: usize) -> Option<&SceneImage> {
    scene.images.iter().find(|image| image.buffer == number)
}

/// True if the debugged run accesses the memory of `scene`.
fn is_of(session: &DebugSession, scene: &Scene) -> bool {
    let accesses = session.program().is_some_and(|program| program.accesses_memory());
    let stepped = &session.request.job.scene.buffers;
    accesses
        && stepped.len() == scene.buffers.len()
        && stepped.iter().zip(&scene.buffers).all(|(a, b)| a.name == b.name && a.store.len() == b.store.len())
}

/// The bytes of a buffer that the current step reads and writes.
fn touched(session: &DebugSession, scene: &Scene, number: usize) -> Vec<Touched> {
    let (map, buffer) = (MemoryMap::of(scene), &scene.buffers[number]);
    let Some(step) = session.current_step() else { return Vec::new() };
    let here = step.transfers().filter_map(|transfer| {
        let (found, from) = map.find(transfer.place)?;
        let to = from + transfer.size() as i64;
        let is_written = transfer.after.is_some();
        std::ptr::eq(found, buffer).then_some(Touched { from, to, is_written })
    });
    here.collect()
}

/// Menus for buffer, element type and time, and a field that jumps to an element.
fn header(ui: &mut Ui, own: &mut MemoryTable, (scene, number): (&Scene, usize), is_stepped: bool) {
    egui::Frame::new().inner_margin(egui::Margin { left: 10, right: 10, top: 5, bottom: 2 }).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(8.0, 4.0);
            let buffer = &scene.buffers[number];
            let all = scene.buffers.iter().map(|buffer| buffer.name.as_str());
            if let Some(chosen) = list(ui, "Buffer", 120.0, &buffer.name, all) {
                own.buffer.clone_from(&scene.buffers[chosen].name);
                (own.shown_as, own.part, own.scroll_to) = (None, 0, Some(0));
            }
            let element = own.shown_as.unwrap_or(buffer.element);
            let names = ElementType::ALL.iter().map(|element| element.name());
            if let Some(chosen) = list(ui, "Show as", 74.0, element.name(), names) {
                own.shown_as = Some(ElementType::ALL[chosen]).filter(|&chosen| chosen != buffer.element);
                (own.part, own.scroll_to) = (0, Some(0));
            }
            let mut moments = vec![
                (ProgramPoint::Before, "Before", "Show the contents before the frame"),
                (ProgramPoint::After, "After", "Show the contents after the frame, with its changes highlighted"),
            ];
            if is_stepped {
                let words = "Show the contents before the current step of the debugger. The four pixels of a quad \
                             step together.";
                moments.push((ProgramPoint::Step, "Step", words));
            }
            if let Some(moment) = widgets::segmented(ui, own.moment, &moments) {
                own.moment = moment;
            }
            if image_of(scene, number).is_some() {
                let ways = [
                    (false, "Table", "Show the bytes as a list of elements"),
                    (true, "Texels", "Show one level and layer as a picture. Hover over a texel to see its value."),
                ];
                if let Some(as_picture) = widgets::segmented(ui, own.as_picture, &ways) {
                    own.as_picture = as_picture;
                }
            }
            let count = buffer.store.len() / element.bytes() as u64;
            let field = egui::TextEdit::singleline(&mut own.jump).hint_text("Element").desired_width(72.0);
            let response = widgets::named(ui.add(field), "Go to element");
            let wanted = number_in(&own.jump);
            if response.changed() && wanted.is_some_and(|wanted| wanted < count) {
                own.scroll_to = wanted;
            }
            if !own.jump.trim().is_empty() && wanted.is_none_or(|wanted| wanted >= count) {
                let color = theme::palette(ui).warning;
                ui.label(theme::caption(ui, number_range(count)).color(color));
            }
        });
    });
}

/// The range of element numbers, in words.
fn number_range(count: u64) -> String {
    count.checked_sub(1).map_or_else(|| "No elements".to_owned(), |last| format!("Choose 0 to {last}"))
}

/// Parses a number in decimal, or in hexadecimal after 0x.
fn number_in(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A menu that selects one of `names`.
fn list<'n>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    current: &str,
    names: impl Iterator<Item = &'n str>,
) -> Option<usize> {
    let text = egui::RichText::new(current).font(theme::caption_font());
    let menu = egui::ComboBox::from_id_salt(name).selected_text(text).width(width).truncate();
    let shown = menu.show_ui(ui, |ui| {
        let mut chosen = None;
        for (number, other) in names.enumerate() {
            if ui.selectable_label(other == current, other).clicked() {
                chosen = Some(number);
            }
        }
        chosen
    });
    widgets::named(shown.response, name);
    shown.inner.flatten()
}

/// A checkbox that turns the search for races on and off.
fn races(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 10, top: 0, bottom: 4 }).show(ui, |ui| {
        let mut finds = !state.settings.ignores_races;
        let response = ui.checkbox(&mut finds, theme::caption(ui, "Find races"));
        if response
            .on_hover_text("Report invocations that access the same bytes in no defined order")
            .changed()
        {
            actions.push(Command::ToggleRaces.into());
        }
    });
}

/// One line with the buffer's size, bindings and access.
fn about(ui: &mut Ui, document: &Document, scene: &Scene, number: usize) {
    let buffer = &scene.buffers[number];
    let mut words = format::counted(buffer.store.len() as usize, "byte");
    for image in scene.images.iter().filter(|image| image.buffer == number) {
        let (shape, sides) = (&image.shape, image.shape.target().axes());
        let size: Vec<String> = shape.levels()[0][..sides].iter().map(u32::to_string).collect();
        let _ = write!(words, ", {} {} {}", shape.target().name(), size.join(" × "), shape.format().name());
        if let Some(unit) = image.unit {
            let _ = write!(words, " on image unit {}", unit.unit);
        }
        if let Some(lookup) = image.lookup {
            let copy = if lookup.is_copy { " (a copy from the start of the frame)" } else { "" };
            let _ = write!(words, ", texture[{}]{copy}", lookup.unit);
        }
    }
    if let Some(address) = MemoryMap::of(scene).address(number).filter(|_| buffer.resident) {
        words.push_str(&format!(" at {address:#x}, {}", buffer.access.name()));
    }
    for (stage, point) in &buffer.bound {
        words.push_str(&format!(", {}", crate::scene::bound_name(*stage, *point)));
    }
    words.push_str(match buffer.each_frame {
        EachFrame::Reset => "",
        EachFrame::Keep => ", kept between frames",
    });
    let faults = document.shown.iter().flat_map(|shown| &shown.frame.memory.faults).count();
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 10, top: 1, bottom: 4 }).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.label(theme::caption(ui, words));
            if faults > 0 {
                let color = theme::palette(ui).warning;
                let words = format!("{}: see Problems", format::counted(faults, "memory fault"));
                ui.label(theme::caption(ui, words).color(color));
            }
        });
    });
}
