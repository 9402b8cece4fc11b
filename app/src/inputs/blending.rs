//! Rows for blending: factors, equation and constant colour.

use super::parameters::number_field;
use super::state::Rows;
use super::{cells, choices, row};
use crate::scene::{RasterState, StateKey};
use egui::Ui;
use shadestep_engine::pipeline::{Blend, BlendEquation, BlendFactor};

const fn blend(source: BlendFactor, destination: BlendFactor) -> Option<Blend> {
    let factors = [source, destination];
    Some(Blend { equation: BlendEquation::Add, rgb: factors, alpha: factors, color: [0.0; 4] })
}

/// Common settings for the menu. The rows below it set everything else.
const COMMON: [(Option<Blend>, &str); 4] = [
    (None, "OFF"),
    (blend(BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha), "SRC_ALPHA, ONE_MINUS_SRC_ALPHA"),
    (blend(BlendFactor::One, BlendFactor::One), "ONE, ONE"),
    (blend(BlendFactor::DstColor, BlendFactor::Zero), "DST_COLOR, ZERO"),
];

const BLEND: StateKey = StateKey::state("blend");

/// Shows the rows for blending. `before` is the current setting.
pub(super) fn show(rows: &mut Rows<'_>, before: Option<Blend>) {
    rows.setting("Blend", BLEND, |ui, state| {
        let mut all = COMMON.to_vec();
        if !all.iter().any(|(common, _)| *common == before) {
            all.push((before, "custom"));
        }
        choices(ui, "Blend", &mut state.blend, &all, 150.0);
    });
    let Some(before) = before else { return };
    let mut after = before;
    let ui = &mut *rows.ui;
    row(ui, "Equation", |ui| {
        choices(ui, "Blend equation", &mut after.equation, &BlendEquation::NAMED, 190.0);
    });
    let has_factors = !matches!(before.equation, BlendEquation::Min | BlendEquation::Max);
    ui.add_enabled_ui(has_factors, |ui| {
        let rgb = ["Source RGB", "Dest. RGB"].into_iter().zip(&mut after.rgb);
        rgb.for_each(|(caption, factor)| factor_row(ui, caption, factor));
        // The alpha factors follow the RGB factors until the user changes them.
        if before.alpha == before.rgb {
            after.alpha = after.rgb;
        }
        let alpha = ["Source alpha", "Dest. alpha"].into_iter().zip(&mut after.alpha);
        alpha.for_each(|(caption, factor)| factor_row(ui, caption, factor));
    })
    .response
    .on_disabled_hover_text("MIN and MAX do not use factors");
    if has_factors && reads_constant(&after) {
        row(ui, "Constant", |ui| {
            let width = cells(ui, 4, 64.0);
            for (value, name) in after.color.iter_mut().zip(["red", "green", "blue", "alpha"]) {
                number_field(ui, &format!("Blend constant {name}"), value, width);
            }
        });
    }
    if !is_same(&after, &before) {
        rows.set(BLEND, &RasterState { blend: Some(after), ..rows.document.scene.raster });
    }
}

fn factor_row(ui: &mut Ui, caption: &str, factor: &mut BlendFactor) {
    let name = format!("{caption} factor");
    row(ui, caption, |ui| choices(ui, &name, factor, &BlendFactor::NAMED, 190.0));
}

/// True if a factor uses the constant colour.
fn reads_constant(blend: &Blend) -> bool {
    use BlendFactor::{ConstantAlpha, ConstantColor, OneMinusConstantAlpha, OneMinusConstantColor};
    let constant = [ConstantColor, OneMinusConstantColor, ConstantAlpha, OneMinusConstantAlpha];
    blend.rgb.iter().chain(&blend.alpha).any(|factor| constant.contains(factor))
}

/// True if both settings are equal bit by bit, so that a NaN equals itself.
fn is_same(a: &Blend, b: &Blend) -> bool {
    let key = |blend: &Blend| (blend.equation, blend.rgb, blend.alpha, blend.color.map(f32::to_bits));
    key(a) == key(b)
}
