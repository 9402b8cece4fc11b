//! The instruction reference, generated from the instruction table and searched by name or text.

use super::{Learn, ListKeys, Row, card, list_row, no_hits, search_field};
use crate::command::Action;
use crate::theme;
use crate::widgets;
use egui::Ui;
use shadestep_engine::ide::example::SpecialCase;
use shadestep_engine::ide::{self, Block};
use shadestep_engine::isa::{self, Info, Language, Opcode, TABLE};

/// Largest height of the language menu, in points. The window's height also limits it.
const LANGUAGES_HEIGHT: f32 = 480.0;

/// Height of a row in a table of special cases, in points.
const ROW_HEIGHT: f32 = 17.0;
/// Width of an operand in a table of special cases, in points.
const OPERAND_WIDTH: f32 = 84.0;

/// The instructions of one language, or of all languages.
fn listed(language: Option<Language>) -> impl Iterator<Item = &'static Info> {
    isa::all().filter(move |info| language.is_none_or(|language| info.forms(language).is_some()))
}

/// The instructions of `language`, or of all languages, that match `query`. Matches in the mnemonic come
/// first.
fn search(language: Option<Language>, query: &str) -> Vec<&'static Info> {
    let query = query.trim().to_lowercase();
    let (mut by_name, by_text): (Vec<&Info>, Vec<&Info>) =
        listed(language).partition(|info| info.mnemonic.to_lowercase().starts_with(&query));
    by_name.extend(by_text.into_iter().filter(|info| {
        let prose = language.map_or(info.prose, |language| info.prose_in(language));
        let text = format!("{} {} {} {prose}", info.mnemonic, info.title, info.formula);
        text.to_lowercase().contains(&query)
    }));
    by_name
}

/// Shows the search field and the list.
pub fn list(ui: &mut Ui, choice: &mut Learn) {
    let margin = egui::Margin { left: 10, right: 10, top: 0, bottom: 6 };
    let keys = egui::Frame::new().inner_margin(margin).show(ui, |ui| {
        let keys = search_field(ui, &mut choice.query, ("reference query", "Search reference"));
        ui.add_space(6.0);
        language_menu(ui, choice);
        keys
    });
    let keys: ListKeys = keys.inner;
    let found = search(choice.language, &choice.query);
    if keys != ListKeys::default() {
        let chosen = chosen(choice).opcode;
        let at = found.iter().position(|info| info.opcode == chosen);
        let moved = keys.moved(at, found.len()).and_then(|index| found.get(index));
        choice.opcode = moved.map_or(choice.opcode, |info| Some(info.opcode));
        choice.reveal = Some(());
    }
    let chosen = chosen(choice).opcode;
    widgets::jumping(egui::ScrollArea::vertical()).id_salt("instructions").auto_shrink(false).show(
        ui,
        |ui| {
            for info in &found {
                let selected = chosen == info.opcode;
                let label = format!("{}  {}", info.mnemonic, info.title);
                let response = list_row(ui, selected, &label, &Row::default());
                if response.clicked() {
                    choice.opcode = Some(info.opcode);
                }
                if selected && choice.reveal.take().is_some() {
                    response.scroll_to_me(Some(egui::Align::Center));
                }
            }
            if found.is_empty() {
                no_hits(ui, "instruction", &choice.query);
            }
            ui.add_space(6.0);
        },
    );
}

/// A menu that selects the language of the list.
fn language_menu(ui: &mut Ui, choice: &mut Learn) {
    let name = |language: Option<Language>| language.map_or("All languages", Language::name);
    let menu = egui::ComboBox::from_id_salt("reference language")
        .selected_text(name(choice.language))
        .width(ui.available_width())
        .height(LANGUAGES_HEIGHT);
    let shown = menu.show_ui(ui, |ui| {
        for language in std::iter::once(None).chain(Language::ALL.map(Some)) {
            ui.selectable_value(&mut choice.language, language, name(language));
        }
    });
    widgets::named(shown.response, "Reference language");
}

/// The chosen instruction. Without a choice, the first instruction of the list.
fn chosen(choice: &Learn) -> &'static Info {
    let first = || listed(choice.language).next();
    choice.opcode.map(Opcode::info).or_else(first).unwrap_or(&TABLE[0])
}

/// A reference page, generated once.
pub struct ShownPage {
    opcode: Opcode,
    language: Option<Language>,
    blocks: Vec<Block>,
}

/// Shows the page of the chosen instruction.
pub fn page(ui: &mut Ui, choice: &mut Learn, actions: &mut Vec<Action>) {
    let info = chosen(choice);
    let (opcode, language) = (info.opcode, choice.language);
    if choice.page.as_ref().is_none_or(|shown| (shown.opcode, shown.language) != (opcode, language)) {
        let mut languages = Language::ALL;
        languages.sort_by_key(|other| Some(*other) != language);
        choice.page = Some(ShownPage { opcode, language, blocks: ide::page(info, &languages) });
    }
    let blocks = choice.page.as_ref().map_or(&[][..], |shown| &shown.blocks);
    egui::ScrollArea::vertical().id_salt(("reference", info.mnemonic)).auto_shrink(false).show(ui, |ui| {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(16, 12)).show(ui, |ui| {
            ui.set_max_width(ui.available_width().min(680.0));
            ui.spacing_mut().item_spacing.y = 4.0;
            ui.label(theme::heading(ui, info.mnemonic).font(theme::strong_font(20.0)));
            ui.label(egui::RichText::new(info.title).color(theme::palette(ui).text_weak));
            ui.add_space(6.0);
            contents(ui, blocks, actions);
        });
    });
}

fn contents(ui: &mut Ui, blocks: &[Block], actions: &mut Vec<Action>) {
    let mut lines: Vec<&str> = Vec::new();
    for block in blocks {
        if let Block::Line(line) | Block::Usage(line) = block {
            lines.push(line);
            continue;
        }
        code(ui, &std::mem::take(&mut lines).join("\n"));
        match block {
            Block::Languages(title) => {
                ui.add_space(8.0);
                ui.label(theme::heading(ui, title));
            }
            Block::Heading(title) => {
                ui.add_space(8.0);
                ui.label(theme::heading(ui, *title));
            }
            Block::Words(words) => _ = widgets::prose_label(ui, words),
            Block::Example(example, results) => {
                code(ui, example.text.trim_end());
                for (number, [x, y, z, w]) in &example.parameters {
                    ui.label(theme::caption(ui, format!("c[{number}] is ({x}, {y}, {z}, {w})")));
                }
                code(ui, &results.join("\n"));
                let response = widgets::primary_button(ui, "Try it");
                if response.on_hover_text("Open this program in a tab and step to the instruction").clicked()
                {
                    actions.push(Action::TryExample(Box::new(example.clone())));
                }
            }
            Block::Cases(cases) => table(ui, cases),
            Block::Line(_) | Block::Usage(_) => {}
        }
    }
    code(ui, &lines.join("\n"));
}

/// A table of special cases: operands, result and an optional explanation.
fn table(ui: &mut Ui, cases: &[SpecialCase]) {
    let count = cases.first().map_or(0, |case| case.operands.len());
    theme::card_frame(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().interact_size.y = ROW_HEIGHT;
        ui.spacing_mut().item_spacing.y = 2.0;
        for case in cases {
            let operands: Vec<String> = ["a", "b", "c"]
                .iter()
                .zip(&case.operands)
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 10.0;
                // The operands have a fixed width, so that the results line up.
                let width = OPERAND_WIDTH * count as f32;
                ui.allocate_ui_with_layout(
                    egui::vec2(width, ROW_HEIGHT),
                    egui::Layout::left_to_right(egui::Align::Center),
                    |ui| {
                        ui.set_min_width(width);
                        ui.label(theme::value(ui, operands.join(", ")));
                    },
                );
                ui.label(theme::value(ui, &*case.result).color(theme::palette(ui).text_strong));
                if let Some(why) = &case.why {
                    ui.add(egui::Label::new(theme::caption(ui, why)).wrap());
                }
            });
        }
    });
}

/// A card with `text`. An empty text has no card.
fn code(ui: &mut Ui, text: &str) {
    if !text.is_empty() {
        card(ui, theme::value(ui, text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DocumentId, Part, TextId};
    use crate::scene::Slot;

    #[test]
    fn names_come_before_texts() {
        let fragment = |query| search(Some(Language::Fp1), query);
        assert_eq!(fragment("mul").first().map(|info| info.mnemonic), Some("MUL"));
        assert!(fragment("derivative").iter().any(|info| info.mnemonic == "DDX"));
        assert_eq!(fragment("").len(), 45);
    }

    #[test]
    fn the_list_keeps_to_a_language() {
        assert_eq!(search(Some(Language::Vp1), "").len(), 17);
        assert_eq!(search(Some(Language::Vp2), "").len(), 39);
        // Options add instructions to the list (Table X.5 in the text of NV_fragment_program2).
        assert_eq!(search(Some(Language::ArbFp1), "").len(), 33);
        assert_eq!(search(Some(Language::ArbFp1Nv2), "").len(), 67);
        assert_eq!(search(None, "").len(), TABLE.len());
        assert!(search(Some(Language::Vp2), "derivative").is_empty());
        assert_eq!(search(None, "bra").first().map(|info| info.mnemonic), Some("BRA"));
    }

    #[test]
    fn the_list_opens_on_the_documents_language_and_stays_where_it_was_put() {
        let text = |id| TextId { document: DocumentId(id), part: Part::Program(Slot::Fragment) };
        let mut choice = Learn::default();
        choice.follow(Some((text(1), Language::Vp2)));
        assert_eq!(choice.language, Some(Language::Vp2));
        assert_eq!(chosen(&choice).mnemonic, "ABS");
        choice.language = None;
        choice.follow(Some((text(1), Language::Vp2)));
        choice.follow(None);
        assert_eq!(choice.language, None, "the program is the same");
        choice.follow(Some((text(1), Language::Fp1)));
        assert_eq!((choice.language, chosen(&choice).mnemonic), (Some(Language::Fp1), "ADD"));
        choice.language = None;
        choice.follow(Some((text(2), Language::Fp1)));
        assert_eq!(choice.language, Some(Language::Fp1), "it is another program");
    }
}
