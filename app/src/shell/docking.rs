//! Shows the panels in the user's layout.

use super::Panels;
use crate::command::Action;
use crate::settings::{Layout, Pane};
use crate::state::State;
use crate::theme::{self, Palette};
use crate::{debugger, editor, inputs, learn, memory, problems, viewport};
use egui::{Color32, Stroke, Visuals};
use egui_tiles::{Container, Tabs, Tile, TileId, Tiles, UiResponse};

/// The layout as egui last showed it. Unlike the saved layout it has egui's record of the panels' places on
/// the screen.
#[derive(Default)]
pub struct Docking {
    shown: Option<Layout>,
}

struct Docked<'a> {
    state: &'a State,
    own: &'a mut Panels,
    actions: &'a mut Vec<Action>,
    /// The editor's tile. A tile with the editor alone needs no title, because the editor has its own tabs.
    editor: Option<TileId>,
}

/// Shows all panels.
pub fn show(ui: &mut egui::Ui, state: &State, own: &mut Panels, actions: &mut Vec<Action>) {
    let kept = &state.settings.layout;
    let shown = own.docking.shown.take().filter(|shown| shown == kept);
    let mut layout = shown.unwrap_or_else(|| kept.clone());
    layout.adopt();
    if Pane::ALL.iter().any(|pane| layout.tree.tiles.find_pane(pane).is_none()) {
        layout = Layout::default();
    }
    if let Some(tile) = layout.tree.tiles.find_pane(&Pane::Compare) {
        layout.tree.tiles.set_visible(tile, state.stepping.comparison.is_some());
    }
    // Without problems, one line below the editor replaces the panel.
    let problems = problems::any(state);
    if let Some(tile) = layout.tree.tiles.find_pane(&Pane::Problems) {
        layout.tree.tiles.set_visible(tile, problems);
    }
    let editor = layout.tree.tiles.find_pane(&Pane::Editor);
    layout.tree.ui(&mut Docked { state, own, actions, editor }, ui);
    if layout != *kept {
        actions.insert(0, Action::SetLayout(Box::new(layout.clone())));
    }
    own.docking.shown = Some(layout);
}

impl egui_tiles::Behavior<Pane> for Docked<'_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, _tile_id: TileId, pane: &mut Pane) -> UiResponse {
        let rect = ui.max_rect();
        if !matches!(pane, Pane::Editor | Pane::Viewport) {
            // The editor and the viewport paint their whole area themselves.
            ui.painter().rect_filled(rect, 0.0, theme::palette(ui).panel);
        }
        ui.shrink_clip_rect(rect);
        match pane {
            Pane::Editor if problems::any(self.state) => {
                editor::show(ui, self.state, &mut self.own.editor, self.actions);
            }
            Pane::Editor => {
                let (above, bar) = rect.split_top_bottom_at_y(rect.bottom() - problems::BAR_HEIGHT);
                let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(above).id_salt("editor"));
                inner.shrink_clip_rect(above);
                editor::show(&mut inner, self.state, &mut self.own.editor, self.actions);
                problems::bar(ui, bar);
            }
            Pane::Problems => problems::show(ui, self.state, self.actions),
            Pane::Viewport => viewport::show(ui, self.state, self.actions),
            Pane::Inputs => inputs::show(ui, self.state, &mut self.own.previews, self.actions),
            Pane::Debugger => debugger::show(ui, self.state, self.actions),
            Pane::Watches => {
                debugger::show_watches(ui, self.state, &mut self.own.watches, self.actions);
            }
            Pane::Compare => debugger::show_comparison(ui, self.state, self.actions),
            Pane::Vertices => {
                debugger::show_vertices(ui, self.state, &mut self.own.vertices, self.actions);
            }
            Pane::Memory => memory::show(ui, self.state, &mut self.own.memory, self.actions),
            Pane::Learn => learn::show(ui, self.state, &mut self.own.learn, self.actions),
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        let title = match (pane, self.state.document().map_or(0, |d| d.findings().count())) {
            (Pane::Problems, count) if count > 0 => format!("Problems  {count}"),
            _ => pane.name().to_owned(),
        };
        title.into()
    }

    /// The title of tabs during a drag: the title of the active panel.
    fn tab_title_for_tile(&mut self, tiles: &Tiles<Pane>, tile_id: TileId) -> egui::WidgetText {
        let front = match tiles.get(tile_id) {
            Some(Tile::Pane(pane)) => Some(pane),
            Some(Tile::Container(Container::Tabs(tabs))) => {
                tabs.active.and_then(|tile| tiles.get_pane(&tile))
            }
            Some(Tile::Container(Container::Linear(_) | Container::Grid(_))) | None => None,
        };
        front.map_or_else(|| "Panels".into(), |pane| self.tab_title_for_pane(pane))
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut egui::Ui,
        _tile_id: TileId,
        tabs: &Tabs,
        _scroll_offset: &mut f32,
    ) {
        let active = tabs.active.and_then(|id| tiles.get_pane(&id));
        ui.add_space(6.0);
        if active == Some(&Pane::Viewport) {
            viewport::toolbar(ui, self.state, self.actions);
        }
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        theme::TAB_BAR_HEIGHT
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        6.0
    }

    fn min_size(&self) -> f32 {
        96.0
    }

    fn tab_title_spacing(&self, _visuals: &Visuals) -> f32 {
        14.0
    }

    fn tab_bar_color(&self, _visuals: &Visuals) -> Color32 {
        // The window already has this colour, so the tab bar does not paint it again.
        Color32::TRANSPARENT
    }

    fn tab_bg_color(
        &self,
        visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile_id: TileId,
        state: &egui_tiles::TabState,
    ) -> Color32 {
        if state.active { Palette::of(visuals).panel } else { Color32::TRANSPARENT }
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile_id: TileId,
        _state: &egui_tiles::TabState,
    ) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, visuals: &Visuals) -> Stroke {
        Stroke::new(1.0, Palette::of(visuals).line)
    }

    fn tab_text_color(
        &self,
        visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile_id: TileId,
        state: &egui_tiles::TabState,
    ) -> Color32 {
        let palette = Palette::of(visuals);
        if state.active { palette.text_strong } else { palette.text_weak }
    }

    fn resize_stroke(&self, style: &egui::Style, resize_state: egui_tiles::ResizeState) -> Stroke {
        let palette = Palette::of(&style.visuals);
        match resize_state {
            egui_tiles::ResizeState::Idle => Stroke::new(6.0, palette.ground),
            egui_tiles::ResizeState::Hovering => Stroke::new(2.0, palette.line_strong),
            egui_tiles::ResizeState::Dragging => Stroke::new(2.0, palette.accent),
        }
    }

    fn is_tab_bar_visible(&self, _tile_id: TileId, tabs: &Tabs) -> bool {
        !matches!((tabs.children.as_slice(), self.editor), ([only], Some(editor)) if *only == editor)
    }

    fn cycle_tabs_with_keyboard(&self) -> bool {
        false
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions {
            all_panes_must_have_tabs: true,
            // The problems panel appears and disappears within the editor's share of the window, so nothing
            // else moves.
            join_nested_linear_containers: false,
            ..egui_tiles::SimplificationOptions::default()
        }
    }
}
