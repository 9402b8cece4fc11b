//! Tables of every register at the current position. Marks show the components that the current step reads
//! and writes, and the components that the last step changed.

use super::flow;
use super::sections;
use super::values::{self, Mark, NameKind, Row};
use super::{traced, whatif};
use crate::command::Action;
use crate::format::ValueFormat;
use crate::model::{DocumentId, Part};
use crate::settings::{Folded, Section};
use crate::state::State as AppState;
use crate::stepping::{
    ChangedRun, DebugSession, Direction, RegisterName, RunTarget, flags_in_words, place_name, place_of,
    register_key, shown_name,
};
use crate::theme;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use shadestep_engine::debug::ancestry::Ancestry;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Register, State, Step};
use shadestep_engine::ir::{
    Attribute, CcRegister, Components, Element, Flags, OutputId, ParameterSource, Program, Source, Target,
    TempId, Temporary, Type,
};
use shadestep_engine::isa::{ConditionNames, Language, Stage};
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
pub struct Formats<'a> {
    /// The format of registers that have no format of their own.
    pub all: ValueFormat,
    /// Formats of single registers.
    pub own: &'a BTreeMap<RegisterName, ValueFormat>,
    /// The program that the registers belong to.
    pub program: (DocumentId, Option<Part>),
    /// The position in the run.
    pub position: usize,
    pub edited: Option<Edit>,
    /// Where the components begin in the rows, in points from the left.
    pub at: f32,
    pub folded: &'a Folded,
    pub watches: &'a [String],
}

impl<'a> Formats<'a> {
    /// The display settings for the registers of `session` in a table of `width` points.
    pub fn of(state: &'a AppState, session: &DebugSession, width: f32) -> Self {
        let all = state.settings.format;
        let of_session = state.document_of(session.document());
        Self {
            all,
            own: &state.stepping.register_formats,
            program: (session.document(), session.text_id().map(|id| id.part)),
            position: session.position(),
            edited: session.edited(),
            at: values::values_at(width, names(session).iter().map(String::as_str), all),
            folded: &state.settings.folded,
            watches: of_session.map_or(&[], |document| &document.watches),
        }
    }
}

/// The names of all rows.
fn names(session: &DebugSession) -> Vec<String> {
    let Some(program) = session.program() else { return Vec::new() };
    let temporaries = program.temporaries.iter().map(|temporary| temporary.name.clone());
    let outputs = program.outputs.iter().map(|output| output.name.clone());
    let text = session.text();
    let attributes = program.attributes().into_iter();
    let attributes = attributes.map(|read| shown_name(program, text, Place::Attribute(read)));
    let parameters = session.parameters().iter().map(|&id| shown_name(program, text, Place::Param(id)));
    temporaries.chain(outputs).chain(attributes).chain(parameters).collect()
}

/// The register of a row.
#[derive(Clone, Copy)]
struct RowRegister<'a> {
    /// The key of its format in the settings.
    key: &'a str,
    place: Place,
    /// The register as a destination, if the program can write it.
    written: Option<Register>,
    /// Whether expressions can name the register.
    is_named: bool,
}

impl Formats<'_> {
    /// Shows `row` with the register's format as a tag. A click on the tag opens a menu of formats. A
    /// secondary click on the row opens the register's menu. A double click on a component opens a field for
    /// another value. If the program writes the register, both menus also lead to the writing steps.
    fn show(
        self,
        ui: &mut Ui,
        register: RowRegister<'_>,
        row: &Row<'_>,
        actions: &mut Vec<Action>,
    ) -> Response {
        let RowRegister { key, place, written, is_named } = register;
        let (document, part) = self.program;
        let name = (document, part, key.to_owned());
        let own = self.own.get(&name).copied();
        let format = own.unwrap_or(self.all);
        let palette = theme::palette(ui);
        let color = if own.is_some() { palette.accent } else { palette.text_weak };
        let response = values::show_tagged(ui, row, format, (color, self.at));
        let rect = values::tag_rect(response.rect, self.at);
        let tag = ui.interact(rect, response.id.with("tag"), Sense::click());
        tag.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Show {} as", row.name))
        });
        if tag.hovered() || egui::Popup::is_id_open(ui.ctx(), egui::Popup::default_response_id(&tag)) {
            let outline = Stroke::new(1.0, palette.line_strong);
            ui.painter().rect_stroke(rect.shrink2(vec2(0.0, 1.5)), 3.0, outline, StrokeKind::Inside);
        }
        let tag = tag.on_hover_text("Format of this register. Click to change it.");
        let choose = |ui: &mut Ui, actions: &mut Vec<Action>| {
            let as_all = ("Default", "Use the format chosen for all registers");
            let choices = std::iter::once((None, as_all)).chain(
                ValueFormat::ALL.map(|format| (Some(format), (format.name_for(row.types), format.hint()))),
            );
            for (format, (label, hint)) in choices {
                if ui.selectable_label(own == format, label).on_hover_text(hint).clicked() {
                    actions.push(Action::SetRegisterFormat(name.clone(), format));
                    ui.close();
                }
            }
        };
        egui::Popup::menu(&tag).show(|ui| {
            if let Some(written) = written {
                writes(ui, row.name, written, actions);
                ui.separator();
            }
            ui.label(theme::caption(ui, format!("Show {} as", row.name)));
            choose(ui, actions);
        });
        response.context_menu(|ui| {
            traced::menu(ui, (row.name, place), self.position, actions);
            ui.separator();
            if is_named {
                self.watch(ui, row.name, actions);
            }
            if let Some(written) = written {
                writes(ui, row.name, written, actions);
                ui.separator();
            }
            ui.menu_button(format!("Show {} as", row.name), |ui| choose(ui, actions));
        });
        if response.double_clicked()
            && let Some(component) = response
                .interact_pointer_pos()
                .and_then(|point| values::component_at((response.rect, self.at), point, row, format))
        {
            let edit = Edit { position: self.position, place, component, bits: 0 };
            actions.push(Action::EditValue(Some(edit)));
        }
        whatif::field(ui, (row.name, place), (row.bits, row.types), (format, self.edited), actions);
        response
    }

    /// The menu entry that adds the register `name` to the watches.
    fn watch(self, ui: &mut Ui, name: &str, actions: &mut Vec<Action>) {
        let is_watched = self.watches.iter().any(|watched| watched == name);
        let button = ui.add_enabled(!is_watched, egui::Button::new("Add to watches"));
        let button = button.on_hover_text("Show the register over the whole run in the Watches panel");
        if button.on_disabled_hover_text("This register is already watched").clicked() {
            actions.push(Action::AddWatch(self.program.0, name.to_owned()));
            ui.close();
        }
    }
}

/// Menu buttons that run to the steps that write a component of a register.
fn writes(ui: &mut Ui, name: &str, place: Register, actions: &mut Vec<Action>) {
    egui::Grid::new("writes").spacing(vec2(2.0, 2.0)).show(ui, |ui| {
        for (words, direction) in
            [("Next write to", Direction::Forward), ("Previous write to", Direction::Back)]
        {
            let said = format!("{words} {name}");
            let run = |component| Action::RunTo(direction, RunTarget::Write(place, component));
            values::buttons(ui, (&said, &said), run, actions);
        }
    });
}

/// Shows all tables except the condition codes. When the current step changes, the table scrolls to a
/// register that the step writes or reads.
pub fn show(ui: &mut Ui, session: &DebugSession, formats: Formats<'_>, actions: &mut Vec<Action>) {
    let (Some(state), Some(program)) = (session.state(), session.program()) else { return };
    let mut marks = Marks::of(session, program);
    let here = (session.subject(), session.selected(), session.position());
    let id = ui.scope_id().with("step in view");
    let before = ui.data(|data| data.get_temp(id));
    if before != Some(here) {
        ui.data_mut(|data| data.insert_temp(id, here));
        marks.reveal = touched(&marks);
    }
    let changed = session.changed();
    let mut tables = Tables { program, state, session, changed, marks: &marks, formats, actions };
    tables.temporaries(ui);
    tables.outputs(ui);
    if session.vertex().is_some()
        && tables.header(ui, (Section::Position, "Final position"), Some(values::VALUES_AT))
    {
        flow::position(ui, session, formats.all);
    }
    tables.attributes(ui);
    tables.parameters(ui);
    legend(ui);
}

/// The main register of a step, which scrolls into view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touched {
    Written(Register),
    Read(Source),
}

/// The register that a step writes through `target`. `None` if the step writes only conditions or addresses
/// no register.
pub fn register_of(target: Target, step: &Step) -> Option<Register> {
    match target {
        Target::Temp(id) => Some(Register::Temp(id)),
        Target::Output(id) => Some(Register::Output(id)),
        Target::Param(id) => Some(Register::Param(id)),
        Target::Indirect(_) => step.relative_target.and_then(|relative| relative.place()),
        Target::ConditionOnly(_) => None,
    }
}

/// The register that the current step writes, else the first that the step reads. At the end of the run, the
/// register that the last step wrote.
fn touched(marks: &Marks<'_>) -> Option<Touched> {
    let Some(step) = marks.current else {
        let change = marks.previous?.changes.first()?;
        return Some(Touched::Written(change.place));
    };
    let instruction = &marks.program.instructions[step.pc];
    let written = instruction.target().and_then(|target| register_of(target, step));
    let read = instruction.operands.first().map(|operand| Touched::Read(operand.source));
    written.map(Touched::Written).or(read)
}

/// The marks of registers at one position.
struct Marks<'a> {
    program: &'a Program,
    current: Option<&'a Step>,
    previous: Option<&'a Step>,
    /// The register that scrolls into view in this frame.
    reveal: Option<Touched>,
    /// The traced value's ancestry and the current position. Components outside the ancestry are dimmed.
    traced: Option<(&'a Ancestry, usize)>,
}

impl<'a> Marks<'a> {
    fn of(session: &'a DebugSession, program: &'a Program) -> Self {
        let (current, previous) = (session.current_step(), session.previous_step());
        let traced = session.traced().map(|traced| (&traced.ancestry, session.position()));
        Self { program, current, previous, reveal: None, traced }
    }

    /// Whether a value is traced and the component plays no part in it.
    fn is_outside(&self, place: Place, component: usize) -> bool {
        let Some((ancestry, position)) = self.traced else { return false };
        !ancestry.holds(position, place, component as u8)
    }

    /// Scrolls to the row of a register if the row is the one to reveal.
    fn reveal(&self, row: &Response, place: Option<Register>, source: Option<Source>) {
        let is_it = match self.reveal {
            Some(Touched::Written(wanted)) => place == Some(wanted),
            Some(Touched::Read(wanted)) => source == Some(wanted),
            None => false,
        };
        if is_it {
            row.scroll_to_me(None);
        }
    }

    /// Components of `source` that the current step uses, bit 0 = x. In an address register, also the
    /// component that a relative reference adds.
    fn read(&self, source: Source) -> u8 {
        let Some(step) = self.current else { return 0 };
        let instruction = &self.program.instructions[step.pc];
        let mut read = 0;
        for (operand, values) in instruction.operands.iter().zip(&step.operands) {
            let led_to = values.relative.and_then(|led| led.element).and_then(Element::source);
            if operand.source == source || led_to == Some(source) {
                for component in (0..4).filter(|c| values.used >> c & 1 != 0) {
                    read |= 1 << operand.swizzle.0[component];
                }
            }
        }
        let chosen_by = instruction.indirects().flat_map(|indirect| indirect.registers());
        for (_, component) in chosen_by.filter(|(register, _)| Source::Temp(*register) == source) {
            read |= 1 << component;
        }
        read
    }

    /// Components of `place` that the current step writes, bit 0 = x.
    fn written(&self, place: Register) -> u8 {
        let Some(step) = self.current else { return 0 };
        let target = self.program.instructions[step.pc].target();
        let same = match (target, place) {
            (Some(Target::Temp(a)), Register::Temp(b)) => a == b,
            (Some(Target::Output(a)), Register::Output(b)) => a == b,
            (Some(Target::Param(a)), Register::Param(b)) => a == b,
            (Some(Target::Indirect(_)), place) => {
                step.relative_target.is_some_and(|led| led.place() == Some(place))
            }
            (
                None
                | Some(Target::Temp(_) | Target::Output(_) | Target::Param(_) | Target::ConditionOnly(_)),
                _,
            ) => false,
        };
        if same { step.enabled } else { 0 }
    }

    /// Components of `place` that the last step changed, bit 0 = x.
    fn changed(&self, place: Register) -> u8 {
        let changes = self.previous.map_or(&[][..], |step| &step.changes);
        changes
            .iter()
            .filter(|c| c.place == place && c.before != c.after)
            .fold(0, |bits, c| bits | 1 << c.component)
    }

    fn of_place(&self, place: Register, source: Option<Source>, defined: u8) -> [Mark; 4] {
        let read = source.map_or(0, |source| self.read(source));
        let (written, changed) = (self.written(place), self.changed(place));
        std::array::from_fn(|c| {
            let has = |bits: u8| bits >> c & 1 != 0;
            Mark {
                read: has(read),
                written: has(written),
                changed: has(changed),
                undefined: !has(defined),
                dimmed: self.is_outside(place_of(place), c),
                differs: false,
            }
        })
    }

    fn of_source(&self, source: Source) -> [Mark; 4] {
        let read = self.read(source);
        std::array::from_fn(|c| {
            let dimmed = match source {
                Source::Attribute(attribute) => self.is_outside(Place::Attribute(attribute), c),
                _ => false,
            };
            Mark { read: read >> c & 1 != 0, dimmed, ..Mark::default() }
        })
    }
}

/// The tables at one position.
struct Tables<'a> {
    program: &'a Program,
    state: &'a State,
    session: &'a DebugSession,
    /// The recorded run, while the session steps through a changed run.
    changed: Option<&'a ChangedRun>,
    marks: &'a Marks<'a>,
    formats: Formats<'a>,
    actions: &'a mut Vec<Action>,
}

impl Tables<'_> {
    /// Shows the header of a section. Returns whether the section is open.
    fn header(&mut self, ui: &mut Ui, section: (Section, &str), columns_at: Option<f32>) -> bool {
        sections::header(ui, section, columns_at, self.formats.folded, self.actions)
    }

    /// The same for a table of registers.
    fn table(&mut self, ui: &mut Ui, section: (Section, &str)) -> bool {
        self.header(ui, section, Some(self.formats.at))
    }

    /// Shows a row. If the recorded run holds another value, a second row shows that value.
    fn row(
        &mut self,
        ui: &mut Ui,
        (key, place, written): (&str, Place, Option<Register>),
        row: Row<'_>,
        formats: Formats<'_>,
    ) -> Response {
        let is_named = place_name(place, self.program).is_some();
        let register = RowRegister { key, place, written, is_named };
        let recorded = self.changed.and_then(|changed| changed.recorded_value(place));
        let Some(recorded) = recorded.filter(|recorded| *recorded != row.bits) else {
            return formats.show(ui, register, &row, self.actions);
        };
        let differs: [bool; 4] = std::array::from_fn(|c| recorded[c] != row.bits[c]);
        let marks = std::array::from_fn(|c| Mark { differs: differs[c], ..row.marks[c] });
        let response = formats.show(ui, register, &Row { marks, ..row }, self.actions);
        let marks = differs.map(|differs| Mark { dimmed: !differs, ..Mark::default() });
        let hint = "The value in the recorded run";
        let below = Row { name: "recorded", kind: NameKind::Stage, hint, bits: recorded, marks, ..row };
        let format = self.formats.own.get(&(formats.program.0, formats.program.1, key.to_owned()));
        let faint = theme::palette(ui).text_faint;
        values::show_tagged(ui, &below, format.copied().unwrap_or(formats.all), (faint, formats.at));
        response
    }

    fn temporaries(&mut self, ui: &mut Ui) {
        let Self { program, state, marks, .. } = *self;
        if program.temporaries.is_empty() {
            return;
        }
        let mut rows: Vec<_> = program.temporaries.iter().zip(&state.temporaries).enumerate().collect();
        rows.sort_by_key(|(_, (temporary, _))| name_order(&temporary.name));
        let is_address = |row: &(usize, (&Temporary, &Components))| row.1.0.ty == Type::Address;
        let (addresses, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_address);
        let temporaries = (Section::Temporaries, "Temporaries");
        for (section, rows) in [(temporaries, rows), ((Section::Addresses, "Address registers"), addresses)] {
            if rows.is_empty() || !self.table(ui, section) {
                continue;
            }
            for (index, (temporary, bits)) in rows {
                let id = TempId(index as u16);
                let defined = state.temporaries_defined[index];
                let mut its = marks.of_place(Register::Temp(id), Some(Source::Temp(id)), defined);
                // Address registers hold integers, so the chosen format does not apply.
                let (hint, formats) = match temporary.ty {
                    Type::Address => (
                        "Integers, used for relative addressing",
                        Formats { all: ValueFormat::Typed, ..self.formats },
                    ),
                    ty => (type_hint(ty), self.formats),
                };
                let profile = program.language.profile();
                if temporary.ty == Type::Address && !profile.declares_variables() {
                    let components = profile.addresses.components.len();
                    its.iter_mut().skip(components).for_each(|mark| mark.dimmed = true);
                }
                let (name, kind, types) =
                    (&temporary.name, NameKind::Register, state.temporaries_types[index]);
                let row = Row { name, kind, hint, bits: *bits, types, marks: its };
                let written = Some(Register::Temp(id));
                let row = self.row(ui, (name, Place::Temp(id), written), row, formats);
                marks.reveal(&row, Some(Register::Temp(id)), Some(Source::Temp(id)));
            }
            ui.add_space(6.0);
        }
    }

    fn outputs(&mut self, ui: &mut Ui) {
        let Self { program, state, marks, .. } = *self;
        if program.outputs.is_empty() {
            return;
        }
        let title = match program.stage() {
            Stage::VertexState | Stage::Fragment => "Outputs",
            Stage::Vertex | Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => "Results",
        };
        if !self.table(ui, (Section::Outputs, title)) {
            return;
        }
        for (index, output) in program.outputs.iter().enumerate() {
            let place = Register::Output(OutputId(index as u16));
            let (bits, its) =
                (state.outputs[index], marks.of_place(place, None, state.outputs_defined[index]));
            let (name, kind, types) = (&output.name, NameKind::Register, state.outputs_types[index]);
            let row = Row { name, kind, hint: "", bits, types, marks: its };
            let row = self.row(ui, (name, place_of(place), Some(place)), row, self.formats);
            marks.reveal(&row, Some(place), None);
        }
        ui.add_space(6.0);
    }

    fn attributes(&mut self, ui: &mut Ui) {
        let Self { program, state, marks, .. } = *self;
        let used = program.attributes();
        if used.is_empty() || !self.table(ui, (Section::Attributes, "Attributes")) {
            return;
        }
        for attribute in used {
            let place = Place::Attribute(attribute);
            let key = register_key(program, place);
            let name = shown_name(program, self.session.text(), place);
            let source = Source::Attribute(attribute);
            let hint = match attribute_hint(attribute) {
                hint if name == key => hint.to_owned(),
                hint => format!("{key}. {hint}"),
            };
            let bits = state.attribute(attribute);
            let (kind, types, its) = (NameKind::Register, [attribute.ty(); 4], marks.of_source(source));
            let row = Row { name: &name, kind, hint: &hint, bits, types, marks: its };
            let row = self.row(ui, (&key, place, None), row, self.formats);
            marks.reveal(&row, None, Some(source));
        }
        ui.add_space(6.0);
    }

    fn parameters(&mut self, ui: &mut Ui) {
        let Self { program, state, session, marks, .. } = *self;
        let title = (Section::Parameters, "Parameters");
        if session.parameters().is_empty() || !self.table(ui, title) {
            return;
        }
        for &id in session.parameters() {
            let index = usize::from(id.0);
            let parameter = &program.parameters[index];
            let hint = match &parameter.source {
                ParameterSource::Constant(_) => "Constant in the program",
                ParameterSource::Named { .. } => "Named parameter",
                ParameterSource::Local(_) => "Numbered parameter",
                ParameterSource::Env(_) => "Program parameter register",
                ParameterSource::State(_) => "Fixed-function state",
            };
            let key = register_key(program, Place::Param(id));
            let name = shown_name(program, session.text(), Place::Param(id));
            let its = marks.of_place(Register::Param(id), Some(Source::Param(id)), 0xF);
            let (kind, bits, types) = (NameKind::Register, state.parameters[index], [parameter.ty; 4]);
            let row = Row { name: &name, kind, hint, bits, types, marks: its };
            let place = (program.stage() == Stage::VertexState).then_some(Register::Param(id));
            let row = self.row(ui, (&key, Place::Param(id), place), row, self.formats);
            marks.reveal(&row, Some(Register::Param(id)), Some(Source::Param(id)));
        }
        ui.add_space(6.0);
    }
}

/// The type of a register's components, in words.
const fn type_hint(ty: Type) -> &'static str {
    match ty {
        Type::F64 => "Double precision (fp64)",
        Type::S32 | Type::S24 => "32-bit signed integers",
        Type::U32 | Type::U24 => "32-bit unsigned integers",
        Type::S64 => "64-bit signed integers",
        Type::U64 => "64-bit unsigned integers",
        Type::F16 => "Half precision (fp16)",
        Type::F32 | Type::Fx12 | Type::Address => "Single precision (fp32)",
    }
}

/// Sort key of a register's name: R before H, then by number.
fn name_order(name: &str) -> (bool, usize, String) {
    let number = name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(usize::MAX);
    (!name.starts_with('R'), number, name.to_owned())
}

/// The condition codes of the program's language.
pub fn condition_codes(ui: &mut Ui, session: &DebugSession, at: f32, actions: &mut Vec<Action>) {
    let (Some(state), Some(program)) = (session.state(), session.program()) else { return };
    let marks = &Marks::of(session, program);
    let language = marks.program.language;
    for register in CcRegister::of_language(language) {
        let title = flow::condition_code(*register, language);
        let recorded = session.changed().and_then(|changed| changed.recorded_state());
        let codes = [Some(state), recorded].map(|state| state.map(|state| state.cc[register.index()]));
        let response = condition_code(ui, (title, at), *register, codes, marks);
        let place = Place::Flags(*register);
        response.context_menu(|ui| {
            let name = register.name_in(language);
            traced::menu(ui, (name, place), session.position(), actions);
        });
    }
}

/// Shows a condition code, and marks the components that differ from the recorded run if `recorded` has its
/// codes.
fn condition_code(
    ui: &mut Ui,
    (title, at): (&str, f32),
    register: CcRegister,
    [codes, recorded]: [Option<[Flags; 4]>; 2],
    marks: &Marks<'_>,
) -> Response {
    let codes = codes.unwrap_or_default();
    let (palette, language) = (theme::palette(ui), marks.program.language);
    let instruction = marks.current.map(|step| &marks.program.instructions[step.pc]);
    let test = instruction.and_then(|i| i.test().or_else(|| i.write()?.dest.test));
    let test = test.filter(|test| test.register == register);
    let read = test.map_or(0, |test| test.swizzle.0.iter().fold(0u8, |bits, c| bits | 1 << c));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    values::paint_title(ui, rect, title);
    let changes = |step: &Step, component: usize| {
        let [before, after] = [step.cc_before, step.cc_after].map(|cc| cc[register.index()][component]);
        before != after
    };
    for component in 0..4 {
        let cell = values::cell_rect(rect.shrink2(vec2(0.0, 2.0)), at, component).shrink2(vec2(1.5, 0.0));
        let is_read = read >> component & 1 != 0;
        let changed = marks.previous.is_some_and(|step| changes(step, component));
        if is_read {
            ui.painter().rect_filled(cell, 3.0, palette.read_wash);
        }
        if marks.current.is_some_and(|step| changes(step, component)) {
            ui.painter().rect_stroke(cell, 3.0, Stroke::new(1.2, palette.write), StrokeKind::Inside);
        }
        let differs = recorded.is_some_and(|recorded| recorded[component] != codes[component]);
        if differs {
            ui.painter().rect_filled(cell, 3.0, palette.warning_wash);
        }
        let color = match (changed, is_read) {
            _ if marks.is_outside(Place::Flags(register), component) => palette.text_faint,
            _ if differs => palette.warning,
            (true, _) => palette.write,
            (false, true) => palette.read,
            (false, false) => palette.text_strong,
        };
        paint_flags(ui, cell, codes[component], language, color);
    }
    let names = codes.map(|flags| flags_in_words(flags, language)).join(" ");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{title}: {names}")));
    let recorded = recorded.filter(|recorded| *recorded != codes).map_or_else(String::new, |recorded| {
        format!("\nRecorded run: {}", recorded.map(|flags| flags_in_words(flags, language)).join(" "))
    });
    let words = match language.profile().condition_names {
        ConditionNames::Codes => "LT below zero, EQ zero, GT above zero, UN not a number",
        ConditionNames::Flags => {
            "LT below zero, EQ zero, GT above zero, UN not a number (unordered).\n\
             Flags: S sign (below zero) and Z zero; NaN sets both. C carry and O overflow, for integers."
        }
    };
    response.on_hover_text(format!("{words}{recorded}"))
}

/// Paints the code of `flags`. In languages with single flags, their letters follow, each in a fixed column.
fn paint_flags(ui: &Ui, cell: Rect, flags: Flags, language: Language, color: Color32) {
    let font = theme::table_font();
    let right = pos2(cell.right() - 5.0, cell.center().y);
    let painter = ui.painter().with_clip_rect(cell.intersect(ui.clip_rect()));
    match language.profile().condition_names {
        ConditionNames::Codes => {
            painter.text(right, Align2::RIGHT_CENTER, flags.code(), font, color);
        }
        ConditionNames::Flags => {
            let faint = theme::palette(ui).text_faint;
            let mut job = LayoutJob::default();
            let mut add = |text: &str, space: f32, color| {
                job.append(text, space, TextFormat::simple(font.clone(), color));
            };
            add(flags.code(), 0.0, color);
            for (place, letter) in flags.letters().into_iter().enumerate() {
                let space = if place == 0 { 5.0 } else { 0.0 };
                match letter {
                    Some(letter) => add(letter.encode_utf8(&mut [0; 4]), space, color),
                    None => add("·", space, faint),
                }
            }
            let text = painter.layout_job(job);
            painter.galley(Align2::RIGHT_CENTER.anchor_size(right, text.size()).min, text, color);
        }
    }
}

fn attribute_hint(attribute: Attribute) -> &'static str {
    match attribute {
        Attribute::Wpos => "Window position: x, y of the pixel's centre, depth, 1/w",
        Attribute::Col0 => "Primary colour",
        Attribute::Col1 => "Secondary colour",
        Attribute::Facing => "+1 if front-facing, -1 if back-facing",
        Attribute::Fogc | Attribute::FogCoord => "Fog coordinate",
        Attribute::Tex(_) => "Texture coordinates",
        Attribute::ClipDistance(_) => "Distance to a clip plane",
        Attribute::Generic(_) => "Generic interpolant",
        Attribute::PrimitiveId => "Number of the primitive in the draw call",
        Attribute::PointCoord => "Coordinates within the point sprite",
        Attribute::SampleId => "Sample number",
        Attribute::SampleMask => "One bit for each covered sample",
        Attribute::Vertex(_) | Attribute::LongVertex(_) => "Vertex attribute",
        Attribute::VertexId => "Number of the vertex in the arrays",
        Attribute::Instance => "Instance number",
        Attribute::OfVertex { .. } => "Result of one of the primitive's vertices",
        Attribute::OutVertex { .. } => "Written by an invocation for a vertex of the patch",
        Attribute::OfPatch(_) => "Per-patch value",
        Attribute::OutPatch(_) => "Per-patch value written so far",
        Attribute::TessCoord => "Position of the vertex within the patch",
        Attribute::Invocation => "Invocation number within the primitive or patch",
        Attribute::VertexCount => "Number of vertices in the primitive",
    }
}

fn legend(ui: &mut Ui) {
    let palette = theme::palette(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let cell = vec2(18.0, 13.0);
        let mut entry = |words: &str, draw: &dyn Fn(&egui::Painter, Rect)| {
            let (rect, _) = ui.allocate_exact_size(cell, Sense::hover());
            draw(ui.painter(), rect);
            ui.label(theme::caption(ui, words));
            ui.add_space(8.0);
        };
        entry("read by this step", &|painter, rect| {
            painter.rect_filled(rect, 3.0, palette.read_wash);
        });
        entry("written by this step", &|painter, rect| {
            painter.rect_stroke(rect, 3.0, Stroke::new(1.2, palette.write), StrokeKind::Inside);
        });
        entry("changed by the last step", &|painter, rect| {
            let font = theme::caption_font();
            painter.text(rect.center(), Align2::CENTER_CENTER, "0.5", font, palette.write);
        });
    });
    ui.add_space(4.0);
}
