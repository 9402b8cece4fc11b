//! The texture lookup of the current step in detail: its coordinates, its level of detail, the texels that it
//! reads with their weights, and the filtered sum. `picture` draws the texels.

mod picture;

use super::sections;
use super::values::{self, Extra, Mark, NameKind, Row};
use crate::command::Action;
use crate::format::ValueFormat;
use crate::lookup::{self, Told};
use crate::settings::{Folded, Section};
use crate::stepping::DebugSession;
use crate::theme;
use crate::widgets::{self, AtFirst};
use egui::{Color32, Ui};
use picture::Seen;
use shadestep_engine::debug::{Looked, LookupStep, Subject};
use shadestep_engine::ir::Type;
use shadestep_engine::texture::{
    Found, LevelTrace, LookupTrace, Probe, ResultComponent, TexelTrace, Texture,
};

/// Where the components of a texel begin, in points from the left.
const TEXELS_AT: f32 = 132.0;

/// Shows the lookup of the current step, if the step has one.
pub(super) fn show(
    ui: &mut Ui,
    session: &DebugSession,
    (format, folded): (ValueFormat, &Folded),
    actions: &mut Vec<Action>,
) {
    let Some(step) = session.lookup() else { return };
    let texture = step.texture.texture.and_then(|unit| session.recording()?.texture(unit));
    let unit = step.texture.texture.map_or("no such unit".to_owned(), |found| format!("TEX{}", found.unit));
    let title = format!("Lookup: {unit}, {}", step.texture.target.name());
    if !sections::header(ui, (Section::Lookup, &title), None, folded, actions) {
        return;
    }
    if let Some(texture) = texture {
        ui.add(egui::Label::new(theme::caption(ui, lookup::texture(texture))).wrap());
        ui.add_space(3.0);
    }
    if let Looked::Refused(why) = step.looked {
        let words = egui::RichText::new(lookup::refusal(why)).color(theme::palette(ui).warning);
        ui.add(egui::Label::new(words).wrap());
        ui.add_space(4.0);
    }
    for fact in lookup::facts(step) {
        let told = match &fact.told {
            Told::Numbers(numbers) => {
                let shown = numbers.iter().map(|number| format.show(number.to_bits().into(), Type::F32));
                shown.collect::<Vec<_>>().join("  ")
            }
            Told::Words(words) => words.clone(),
        };
        values::fact(ui, fact.name, fact.hint, &told);
    }
    if let Some(texture) = texture {
        read(ui, session, (step, texture), format);
    }
    ui.add_space(8.0);
}

/// Shows the texels that the lookup reads.
fn read(ui: &mut Ui, session: &DebugSession, (step, texture): (&LookupStep, &Texture), format: ValueFormat) {
    let of_quad = matches!(session.subject(), Subject::Pixel(_));
    match &step.looked {
        Looked::Up(trace) => {
            let texels = Texels { texture, trace, format };
            match &trace.found {
                Found::Filtered { probes, components, .. } => {
                    if let [only] = &probes[..] {
                        texels.probe(ui, only, of_quad);
                    } else {
                        texels.probes(ui, probes, of_quad);
                    }
                    texels.sum(ui, *components);
                }
                Found::Gathered { level, .. } => texels.level(ui, level, of_quad),
                Found::Levels(_) => {}
            }
        }
        Looked::Fetched(fetched, _) => {
            let target = step.texture.target;
            let mut words = format!("Level {}", fetched.level);
            words.extend(lookup::image(target, fetched.image).map(|image| format!(", {image}")));
            words.extend(fetched.sample.map(|sample| format!(", sample {sample}")));
            values::columns_at(ui, &words, TEXELS_AT);
            let seen = Seen {
                texture,
                level: fetched.level,
                size: fetched.size,
                sources: fetched.sources,
                image: fetched.image,
                slice: fetched.sample.map_or(fetched.place[2], |sample| sample as i32),
            };
            seen.show_one(ui, fetched.place);
            let bits = lookup::components(fetched.stored, fetched.unit);
            let name = lookup::place(target, fetched.place);
            stored(ui, (texture, fetched.sources), (&name, "The texel read"), (bits, None), format);
            result_words(ui, fetched.sources);
        }
        Looked::Size(..) | Looked::Refused(_) => {}
    }
}

/// A row of stored components with a swatch.
fn stored(
    ui: &mut Ui,
    (texture, sources): (&Texture, [ResultComponent; 4]),
    (name, hint): (&str, &str),
    (bits, tag): ([u64; 4], Option<String>),
    format: ValueFormat,
) {
    let ty = lookup::component_type(texture);
    let used = sources.iter().fold(0_u8, |all, source| all | source.reads());
    let marks = std::array::from_fn(|c| Mark { dimmed: used >> c & 1 == 0, ..Mark::default() });
    let row = Row { name, kind: NameKind::Stage, hint, bits, types: [ty; 4], marks };
    let swatch =
        (ty == Type::F32).then(|| picture::color(sources, bits.map(|bits| f32::from_bits(bits as u32))));
    values::show_with(ui, &row, format, Extra { swatch, tag, at: TEXELS_AT });
}

/// The source of each result component, if the sources are not simply the stored components in order.
fn result_words(ui: &mut Ui, sources: [ResultComponent; 4]) {
    if let Some(words) = lookup::sources(sources) {
        values::fact(ui, "result", "The components after the texture's format and swizzle", &words);
    }
}

/// Inputs that all rows of texels share.
struct Texels<'a> {
    texture: &'a Texture,
    trace: &'a LookupTrace,
    format: ValueFormat,
}

impl Texels<'_> {
    /// Several samples along the pixel's longer side: the value of each, and its texels in a folding section.
    fn probes(&self, ui: &mut Ui, probes: &[Probe], of_quad: bool) {
        if let Some(level) = probes.first().and_then(|probe| probe.levels.first()) {
            let same = |other: &&LevelTrace| other.level == level.level;
            let all = probes.iter().flat_map(|probe| &probe.levels).filter(same);
            picture::level(ui, (self.texture, self.trace), all.collect(), of_quad);
        }
        values::columns_at(ui, "Samples", TEXELS_AT);
        for (number, probe) in probes.iter().enumerate() {
            let name = format!("sample {}", number + 1);
            let bits = lookup::components(probe.value, self.trace.unit);
            let part = percent(1.0 / probes.len() as f32, 1);
            let hint = "The value of the sample; details below";
            stored(ui, (self.texture, self.trace.sources), (&name, hint), (bits, Some(part)), self.format);
        }
        for (number, probe) in probes.iter().enumerate() {
            let title = format!("Texels of sample {}", number + 1);
            let at = lookup::level(self.texture.target(), &probe.levels[0]);
            let style = (AtFirst::Closed, theme::caption_font());
            widgets::folding(ui, (&title, &at), style, |ui| {
                for level in &probe.levels {
                    self.rows(ui, level);
                }
            });
        }
    }

    fn probe(&self, ui: &mut Ui, probe: &Probe, of_quad: bool) {
        for level in &probe.levels {
            self.level(ui, level, of_quad);
        }
        if let [_, far] = &probe.levels[..] {
            let words = format!("{} of the way from the first level to the second", self.number(far.weight));
            values::fact(ui, "blended", "The second level's weight: the fraction of λ", &words);
        }
    }

    fn level(&self, ui: &mut Ui, level: &LevelTrace, of_quad: bool) {
        picture::level(ui, (self.texture, self.trace), vec![level], of_quad);
        self.rows(ui, level);
    }

    /// The texels of a level.
    fn rows(&self, ui: &mut Ui, level: &LevelTrace) {
        let target = self.texture.target();
        let mut title = lookup::level(target, level);
        if level.weight != 1.0 {
            title += &format!(", weight {}", self.number(level.weight));
        }
        values::heading(ui, &title);
        values::fact(
            ui,
            ["u", "u, v", "u, v, w"][target.axes().clamp(1, 3) - 1],
            "The position in the level, in texels, after wrapping",
            &{
                let at = level.at[..target.axes()].iter().map(|&at| self.number(at));
                at.collect::<Vec<_>>().join("  ")
            },
        );
        if level.texels.len() > 1 && level.weights != [0.0; 3] {
            let all = level.weights[..target.axes()].iter().map(|&weight| self.number(weight));
            let hint = "The weights of the second texels along x, y and z. The first texels get 1 minus these weights.";
            values::fact(ui, "fractions", hint, &all.collect::<Vec<_>>().join("  "));
        }
        values::columns_at(ui, "Texels", TEXELS_AT);
        for (number, texel) in level.texels.iter().enumerate() {
            self.texel(ui, (number, texel));
        }
        if level.texels.len() > 1 && !matches!(self.trace.found, Found::Gathered { .. }) {
            let bits = lookup::components(level.value, self.trace.unit);
            let hint = "Blended along x, then y, then z";
            stored(ui, (self.texture, self.trace.sources), ("level", hint), (bits, None), self.format);
        }
    }

    fn texel(&self, ui: &mut Ui, (number, texel): (usize, &TexelTrace)) {
        let (target, trace) = (self.texture.target(), self.trace);
        let mut name = lookup::place(target, texel.place);
        let mut hint = match trace.found {
            Found::Gathered { .. } => {
                format!("Becomes {} of the result", part(&trace.found, (number, texel), 0))
            }
            Found::Filtered { .. } | Found::Levels(_) => {
                format!("Weight {} of the level", self.number(texel.weight))
            }
        };
        hint.extend(lookup::image(target, texel.image).map(|image| format!("; {image}")));
        if let Some(source) = lookup::source(texel.source) {
            hint = format!("{hint}; {source}");
            name = source.split(' ').next().unwrap_or(source).to_owned();
        }
        let mut bits = lookup::components(texel.stored, trace.unit);
        if trace.comparison.is_some() {
            // The result of the comparison is in y, next to the depth in x.
            bits[1] = texel.value[0].to_bits().into();
            let (name, words) = (name.as_str(), if texel.value[0] > 0.0 { "passes" } else { "fails" });
            let mark = |dimmed| Mark { dimmed, ..Mark::default() };
            let marks = [mark(false), mark(false), mark(true), mark(true)];
            let hint = format!("{hint}; x is its depth, y the result of the comparison, which {words}");
            let row = Row { name, kind: NameKind::Stage, hint: &hint, bits, types: [Type::F32; 4], marks };
            let swatch = Some(Color32::from_gray(if texel.value[0] > 0.0 { 255 } else { 0 }));
            let tag = Some(part(&trace.found, (number, texel), 1));
            values::show_with(ui, &row, self.format, Extra { swatch, tag, at: TEXELS_AT });
            return;
        }
        let tag = Some(part(&trace.found, (number, texel), 1));
        stored(ui, (self.texture, trace.sources), (&name, &hint), (bits, tag), self.format);
    }

    /// The filtered sum over all levels and samples.
    fn sum(&self, ui: &mut Ui, components: [f32; 4]) {
        values::columns_at(ui, "Sum", TEXELS_AT);
        let (trace, bits) = (self.trace, lookup::components(components, self.trace.unit));
        stored(
            ui,
            (self.texture, trace.sources),
            ("filtered", "The sum over all levels and samples"),
            (bits, None),
            self.format,
        );
        result_words(ui, trace.sources);
    }

    fn number(&self, number: f32) -> String {
        self.format.show(number.to_bits().into(), Type::F32)
    }
}

/// A texel's weight in the level, in percent with `digits` decimals. For a gather, the component that the
/// texel becomes.
fn part(found: &Found, (number, texel): (usize, &TexelTrace), digits: usize) -> String {
    match found {
        Found::Gathered { .. } => ["x", "y", "z", "w"][number % 4].to_owned(),
        Found::Filtered { .. } | Found::Levels(_) => percent(texel.weight, digits),
    }
}

fn percent(weight: f32, digits: usize) -> String {
    format!("{:.digits$}%", f64::from(weight) * 100.0)
}
