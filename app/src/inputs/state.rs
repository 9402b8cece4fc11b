//! Rows for the state of a draw: clip distances, inputs of state programs, and GL state. The header of the GL
//! state lists the settings that differ from the defaults.

use super::parameters::{self, integer_field, number_field};
use super::{AtFirst, blending, cells, choices, folding, reset, row};
use crate::command::Action;
use crate::model::{Document, ResetSubject};
use crate::scene::{
    Attachment, CULL_FACES, DEPTH_TESTS, LOGIC_OPS, NumberType, RasterState, SAMPLES, SceneEdit, Slot,
    StateKey,
};
use crate::theme;
use crate::widgets;
use egui::{Ui, vec2};
use shadestep_engine::ir::limits::CLIP_PLANES;
use shadestep_engine::pipeline::{
    ColorFormat, CompareFunc, FrontFace, PolygonMode, Samples, ShadeModel, Stencil, StencilFace, StencilOp,
};

const CLIP_DISTANCES: StateKey = StateKey::state("clip_distances");
const STENCIL: StateKey = StateKey::state("stencil");

/// Shows the rows.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    state_inputs(ui, document, actions);
    let state = document.scene.raster;
    if document.programs().get(Slot::Vertex).is_some() {
        clip_distances(ui, document, &state, actions);
    }
    folding(ui, "State", &summary(&state), AtFirst::Closed, |ui| settings(ui, document, &state, actions));
}

fn state_inputs(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let states = document.programs().slots().filter_map(|slot| match slot {
        Slot::State(n) => Some(n),
        _ => None,
    });
    let states: Vec<u8> = states.collect();
    if states.is_empty() {
        return;
    }
    folding(ui, "State programs", "v[0] of each", AtFirst::Open, |ui| {
        for n in states {
            let value = document.scene.state_input(n);
            let mut edited = value;
            let name = format!("v[0] of state program {}", n + 1);
            ui.push_id(("state input", n), |ui| {
                ui.horizontal(|ui| {
                    ui.label(theme::value(ui, "v[0]"));
                    ui.label(theme::caption(ui, format!("of state program {}", n + 1)));
                    parameters::sources_menu(ui, &name, &mut edited);
                    reset(ui, document, ResetSubject::StateInput(n), (&name, "value"), actions);
                });
                parameters::numbers(ui, &name, &mut edited, 4);
            });
            if edited != value {
                actions.push(Action::EditScene(SceneEdit::StateInput(n, edited)));
            }
            ui.add_space(4.0);
        }
    });
}

/// Rows for CLIP_PLANE0 to CLIP_PLANE7. An enabled plane clips where the clip distance is negative. The
/// program writes the distance (NV_vertex_program2 2.11); a position-invariant program uses the clip plane.
fn clip_distances(ui: &mut Ui, document: &Document, state: &RasterState, actions: &mut Vec<Action>) {
    let program = document.program(Slot::Vertex);
    let writes = program.is_some_and(|program| program.language.profile().clip_distances);
    let has_them = writes || program.is_some_and(|program| program.options.position_invariant);
    let summary = match state.clip_distances.count_ones() {
        _ if !has_them => "none in this program".to_owned(),
        0 => "none enabled".to_owned(),
        count => format!("{count} enabled"),
    };
    folding(ui, "Clip distances", &summary, AtFirst::Open, |ui| {
        if !has_them {
            let words = "This program writes no clip distances, so only the view volume clips. !!VP2.0, !!NVvp4.0 and \
                         !!NVvp5.0 programs can write them, as can !!ARBvp1.0 programs with NV_vertex_program2 or 3. \
                         Position-invariant programs use the clip planes.";
            ui.label(theme::caption(ui, words));
        }
        ui.add_enabled_ui(has_them, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 12.0;
                for plane in 0..CLIP_PLANES {
                    let mut on = state.clip_distances >> plane & 1 != 0;
                    let response = ui.checkbox(&mut on, format!("CLP{plane}"));
                    let hint = format!("CLIP_PLANE{plane}: clip where distance {plane} is negative");
                    if response.on_hover_text(hint).changed() {
                        let bits = state.clip_distances & !(1 << plane) | u8::from(on) << plane;
                        let changed = RasterState { clip_distances: bits, ..*state };
                        actions.push(Action::EditScene(SceneEdit::State(CLIP_DISTANCES.of(&changed))));
                    }
                }
                let subject = ResetSubject::State(CLIP_DISTANCES);
                reset(ui, document, subject, ("clip distances", "value"), actions);
            });
        });
    });
}

/// Lists the state that differs from the initial state.
fn summary(state: &RasterState) -> String {
    let initial = RasterState::DEFAULT;
    let mut words = Vec::new();
    for (differs, word) in [
        (state.cull != initial.cull, "cull"),
        (state.polygon_mode != initial.polygon_mode, "polygon mode"),
        (state.two_side, "two-sided"),
        (state.discard, "discard"),
        (state.depth.test.is_some(), "depth test"),
        (state.stencil.is_some(), "stencil"),
        (state.alpha_test.is_some(), "alpha test"),
        (state.blend.is_some(), "blend"),
        (state.logic_op.is_some(), "logic op"),
        (state.scissor.is_some(), "scissor"),
        (state.point.sprite, "point sprite"),
    ] {
        if differs {
            words.push(word);
        }
    }
    if words.is_empty() { "default".to_owned() } else { words.join(", ") }
}

/// The rows of the state, and what they change.
pub(super) struct Rows<'a> {
    pub ui: &'a mut Ui,
    pub document: &'a Document,
    pub actions: &'a mut Vec<Action>,
}

impl Rows<'_> {
    /// A row with a caption and a control that changes the state. A reset button appears if the value differs
    /// from the saved one.
    pub fn setting(&mut self, caption: &str, key: StateKey, control: impl FnOnce(&mut Ui, &mut RasterState)) {
        row(self.ui, caption, |ui| {
            let before = self.document.scene.raster;
            let mut state = before;
            control(ui, &mut state);
            if !key.same(&before, &state) {
                self.actions.push(Action::EditScene(SceneEdit::State(key.of(&state))));
            }
            reset(ui, self.document, ResetSubject::State(key), (caption, "value"), self.actions);
        });
    }

    /// Sets a key to its value in `state`.
    pub fn set(&mut self, key: StateKey, state: &RasterState) {
        self.actions.push(Action::EditScene(SceneEdit::State(key.of(state))));
    }

    /// A row with a menu.
    fn list<T: Copy + PartialEq>(
        &mut self,
        (caption, key): (&str, StateKey),
        all: &[(T, &str)],
        value: fn(&mut RasterState) -> &mut T,
    ) {
        self.setting(caption, key, |ui, state| choices(ui, caption, value(state), all, 150.0));
    }

    /// A row with a check box.
    fn tick(&mut self, caption: &str, words: &str, key: StateKey, value: fn(&mut RasterState) -> &mut bool) {
        self.setting(caption, key, |ui, state| {
            widgets::named(ui.checkbox(value(state), words), caption);
        });
    }

    /// A row with a number of pixels.
    fn pixels(&mut self, caption: &str, key: StateKey, value: fn(&mut RasterState) -> &mut f32) {
        self.setting(caption, key, |ui, state| {
            let field = egui::DragValue::new(value(state)).range(0.1..=256.0).speed(0.1).suffix(" px");
            widgets::named(ui.add_sized(vec2(72.0, 22.0), field), caption);
        });
    }
}

/// The row for the format of the colour attachment shown.
fn attachment(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let number = document.output_color();
    let format = document.scene.attachment(number).format;
    row(ui, "Attachment", |ui| {
        let mut chosen = format;
        choices(ui, "Attachment", &mut chosen, &ColorFormat::ALL.map(|f| (f, f.name())), 90.0);
        if chosen != format {
            actions.push(Action::EditScene(SceneEdit::Attachment(number, chosen)));
        }
        ui.label(theme::caption(ui, format!("of output colour {number}")));
    });
    row(ui, "Clear", |ui| {
        let attachment = document.scene.attachment(number);
        let clear = clear_fields(ui, &attachment);
        if clear.map(f32::to_bits) != attachment.clear.map(f32::to_bits) {
            actions.push(Action::EditScene(SceneEdit::ClearColor(number, clear)));
        }
    });
}

/// A field for each component of the attachment's clear value.
fn clear_fields(ui: &mut Ui, attachment: &Attachment) -> [f32; 4] {
    let is_integer = attachment.format.is_integer();
    let width = cells(ui, 4, if is_integer { 88.0 } else { 64.0 });
    let name = |component: usize| format!("Clear {}", ["red", "green", "blue", "alpha"][component]);
    let mut clear = attachment.clear;
    match (attachment.clear_integers(), attachment.format.integer_range()) {
        (Some(integers), Some((least, most))) => {
            let ty = if least < 0 { NumberType::Int } else { NumberType::Uint };
            for (component, mut integer) in integers.into_iter().enumerate() {
                integer_field(ui, &name(component), &mut integer, width, ty);
                clear[component] = f32::from_bits(integer.clamp(least, most) as u32);
            }
        }
        _ => {
            for (component, value) in clear.iter_mut().enumerate() {
                number_field(ui, &name(component), value, width);
            }
        }
    }
    clear
}

fn settings(ui: &mut Ui, document: &Document, state: &RasterState, actions: &mut Vec<Action>) {
    const fn key(name: &str) -> StateKey {
        StateKey::state(name)
    }
    attachment(ui, document, actions);
    let mut rows = Rows { ui, document, actions };
    rows.list(("Cull", const { key("cull") }), &CULL_FACES, |s| &mut s.cull);
    rows.list(("Front face", const { key("front_face") }), &FrontFace::NAMED, |s| &mut s.front_face);
    rows.setting("Polygon mode", const { key("polygon_mode") }, |ui, state| {
        choices(ui, "Front polygon mode", &mut state.polygon_mode[0], &PolygonMode::NAMED, 72.0);
        choices(ui, "Back polygon mode", &mut state.polygon_mode[1], &PolygonMode::NAMED, 72.0);
    });
    rows.list(("Shade model", const { key("shade_model") }), &ShadeModel::NAMED, |s| &mut s.shade_model);
    let words = "back faces use o[BFC0], o[BFC1]";
    rows.tick("Two-sided", words, const { key("two_side") }, |s| &mut s.two_side);
    rows.pixels("Point size", const { key("point_size") }, |s| &mut s.point.size);
    let words = "points use o[PSIZ]";
    rows.tick("Program size", words, const { key("program_point_size") }, |s| &mut s.point.from_program);
    let words = "points are squares with coordinates";
    rows.tick("Point sprite", words, const { key("point_sprite") }, |s| &mut s.point.sprite);
    rows.pixels("Line width", const { key("line_width") }, |s| &mut s.line_width);
    let words = "nothing is rasterised";
    rows.tick("Discard", words, const { key("rasterizer_discard") }, |s| &mut s.discard);
    rows.list(("Depth test", const { StateKey::depth("func") }), &DEPTH_TESTS, |s| &mut s.depth.test);
    rows.tick("Depth write", "store depths", const { StateKey::depth("write") }, |s| &mut s.depth.write);
    blending::show(&mut rows, state.blend);
    rows.list(("Logic op", const { key("logic_op") }), &LOGIC_OPS, |s| &mut s.logic_op);
    rows.setting("Alpha test", const { key("alpha_test") }, |ui, state| {
        state.alpha_test = alpha_test(ui, state.alpha_test);
    });
    stencil(&mut rows, state);
    rows.list(("Samples", const { key("samples") }), &SAMPLES, |s| &mut s.multisample.samples);
    if state.multisample.samples != Samples::One {
        let words = "alpha sets the number of covered samples";
        let key = const { key("alpha_to_coverage") };
        rows.tick("Coverage", words, key, |s| &mut s.multisample.alpha_to_coverage);
    }
}

fn alpha_test(ui: &mut Ui, test: Option<(CompareFunc, f32)>) -> Option<(CompareFunc, f32)> {
    let mut func = test.map(|(func, _)| func);
    let mut reference = test.map_or(0.5, |(_, reference)| reference);
    choices(ui, "Alpha test", &mut func, &DEPTH_TESTS, 90.0);
    if func.is_some() {
        let field = egui::DragValue::new(&mut reference).range(0.0..=1.0).speed(0.005).max_decimals(3);
        widgets::named(ui.add_sized(vec2(56.0, 22.0), field), "Alpha reference");
    }
    func.map(|func| (func, reference))
}

/// Rows for the stencil test of front faces and, if they differ, of back faces.
fn stencil(rows: &mut Rows<'_>, state: &RasterState) {
    let test = state.stencil;
    rows.setting("Stencil", STENCIL, |ui, state| {
        let mut on = test.is_some();
        widgets::named(ui.checkbox(&mut on, "test"), "Stencil test");
        if on != test.is_some() {
            let face = StencilFace::DEFAULT;
            state.stencil = on.then_some(Stencil { front: face, back: face });
        }
        if let Some(test) = &mut state.stencil {
            let mut apart = test.front != test.back;
            widgets::named(ui.checkbox(&mut apart, "separate faces"), "Separate stencil faces");
            match (apart, test.front != test.back) {
                // The settings are separate only if the two faces differ, so the back face gets another
                // function.
                (true, false) => test.back.func = other_function(test.front.func),
                (false, true) => test.back = test.front,
                _ => {}
            }
        }
    });
    let Some(before) = test else { return };
    let mut after = before;
    let apart = before.front != before.back;
    for (caption, face) in [("Front", &mut after.front), ("Back", &mut after.back)] {
        if caption == "Front" || apart {
            stencil_face(rows.ui, if apart { caption } else { "" }, face);
        }
    }
    if !apart {
        after.back = after.front;
    }
    if after != before {
        rows.set(STENCIL, &RasterState { stencil: Some(after), ..*state });
    }
}

fn other_function(func: CompareFunc) -> CompareFunc {
    if func == CompareFunc::Always { CompareFunc::Never } else { CompareFunc::Always }
}

fn stencil_face(ui: &mut Ui, caption: &str, face: &mut StencilFace) {
    ui.push_id(("stencil", caption), |ui| {
        row(ui, caption, |ui| {
            choices(ui, &format!("{caption} stencil function"), &mut face.func, &CompareFunc::NAMED, 110.0);
        });
        row(ui, "Ref, masks", |ui| {
            for (name, byte) in
                [("ref", &mut face.reference), ("read", &mut face.read_mask), ("write", &mut face.write_mask)]
            {
                let field = egui::DragValue::new(byte).prefix(format!("{name} "));
                widgets::named(ui.add_sized(vec2(72.0, 22.0), field), &format!("{caption} stencil {name}"));
            }
        });
        for (name, short, operation) in [
            ("fail", "Fails", &mut face.fail),
            ("depth fail", "Depth fails", &mut face.depth_fail),
            ("pass", "Passes", &mut face.pass),
        ] {
            row(ui, short, |ui| {
                choices(ui, &format!("{caption} stencil {name}"), operation, &StencilOp::NAMED, 110.0);
            });
        }
    });
}
