//! The window around the panels: top bar, docking, status bar, command palette, dialogs and notices.

mod dialogs;
mod docking;
mod export;
mod key_table;
mod keycap;
mod palette;
mod path_prompt;
mod preferences;
mod recovery;
mod shortcuts;
mod status;
mod top_bar;

use crate::command::Action;
use crate::model::{DocumentId, PerDocument};
use crate::state::{Stale, State};
use crate::{debugger, editor, inputs, learn, memory, theme, viewport};
use egui::{Frame, Margin, Panel};

/// Private state of each panel. A panel changes it without an action.
#[derive(Default)]
pub struct Panels {
    /// Syntax colours, completions and other analyses of the active text.
    pub editor: editor::Analysis,
    /// Pages and lists of the Learn panel.
    pub learn: learn::Learn,
    /// Previews of textures.
    pub previews: inputs::Previews,
    /// Filter and scroll position of the vertex table.
    pub vertices: debugger::VertexTable,
    /// Counts of the histogram window.
    pub histogram: viewport::Histogram,
    /// Text in the Watches panel.
    pub watches: debugger::WatchTable,
    /// Choices in the Memory panel.
    pub memory: memory::MemoryTable,
    palette: palette::CommandPalette,
    preferences: preferences::Preferences,
    sheet: shortcuts::Sheet,
    docking: docking::Docking,
}

impl Panels {
    /// Makes the palette open with `query`.
    pub fn type_into_palette(&mut self, query: &str) {
        self.palette = palette::CommandPalette::searching(query);
    }
}

impl Panels {
    /// Drops stale caches, and entries of closed documents.
    pub fn drop_stale(&mut self, stale: &mut Stale) {
        let Stale { text, previews, watches, closed } = std::mem::take(stale);
        if text {
            self.editor.highlighter.clear();
        }
        if previews {
            self.previews.clear();
        }
        if watches {
            self.watches = debugger::WatchTable::default();
        }
        closed.into_iter().for_each(|closed| self.forget(closed));
    }
}

impl PerDocument for Panels {
    fn forget(&mut self, closed: DocumentId) {
        // The other panels keep nothing of a document. The histogram counts the picture again.
        let Self {
            editor,
            learn: _,
            previews,
            vertices: _,
            histogram,
            watches: _,
            memory: _,
            palette: _,
            preferences: _,
            sheet: _,
            docking: _,
        } = self;
        editor.forget(closed);
        previews.forget(closed);
        histogram.clear();
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        [self.editor.kept(), self.previews.kept()].concat()
    }
}

/// Shows the whole window.
pub fn show(ui: &mut egui::Ui, state: &State, own: &mut Panels, actions: &mut Vec<Action>) {
    if state.view.full_screen.is_some() {
        viewport::show_alone(ui, state, actions);
    } else {
        window(ui, state, own, actions);
    }
    palette::show(ui, state, &mut own.palette, actions);
    dialogs::show(ui, state, own, actions);
    dialogs::notices(ui, state, actions);
    drop_target(ui);
}

/// Shows the bars and the panels.
fn window(ui: &mut egui::Ui, state: &State, own: &mut Panels, actions: &mut Vec<Action>) {
    // The window is cleared to the theme's background, and no panel paints the background again. With a
    // software OpenGL each layer of the window's size costs milliseconds.
    Panel::top("top bar")
        .exact_size(theme::TOP_BAR_HEIGHT)
        .resizable(false)
        .show_separator_line(false)
        .frame(Frame::new().inner_margin(Margin::symmetric(8, 0)))
        .show(ui, |ui| top_bar::show(ui, state, actions));
    Panel::bottom("status bar")
        .exact_size(theme::STATUS_BAR_HEIGHT)
        .resizable(false)
        .show_separator_line(false)
        .frame(Frame::new().inner_margin(Margin::symmetric(12, 0)))
        .show(ui, |ui| status::show(ui, state, actions));
    let panels = Frame::new().inner_margin(Margin { left: 6, right: 6, top: 0, bottom: 0 });
    egui::CentralPanel::default().frame(panels).show(ui, |ui| {
        docking::show(ui, state, own, actions);
    });
    viewport::show_histogram(ui, state, &mut own.histogram, actions);
}

/// Shows that files can be dropped, while the user drags files over the window.
fn drop_target(ui: &egui::Ui) {
    if ui.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let palette = theme::palette(ui);
    let painter =
        ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
    let rect = ui.max_rect();
    painter.rect_filled(rect, 0.0, palette.ground.gamma_multiply(0.85));
    painter.text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        "Drop a program or a scene to open it",
        theme::strong_font(20.0),
        palette.accent,
    );
    painter.text(
        rect.center() + egui::vec2(0.0, 28.0),
        egui::Align2::CENTER_CENTER,
        "An image replaces the first texture, an OBJ file the mesh",
        egui::TextStyle::Body.resolve(ui.style()),
        palette.text,
    );
}
