//! Every colour, font and size of the app, for the dark and the light theme.
//!
//! Panels ask [`Palette::of`] for colours by meaning. No panel names a colour itself.

mod fonts;
mod ligatures;

pub use fonts::{BUNDLED, CodeFont, FontFile, set_code_font};

use egui::style::{HandleShape, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Theme, Vec2};
use shadestep_engine::ide::TokenKind;
use shadestep_engine::ir::Value;

/// Height of the top bar, in points.
pub const TOP_BAR_HEIGHT: f32 = 44.0;
/// Height of a panel's title strip, in points.
pub const TAB_BAR_HEIGHT: f32 = 32.0;
/// Height of the status bar, in points.
pub const STATUS_BAR_HEIGHT: f32 = 26.0;
/// Edge of an icon button, in points.
pub const ICON_BUTTON: f32 = 26.0;
/// Default size of program text, in points.
pub const CODE_SIZE: f32 = 13.5;
/// Default width of a tab character in program text, in columns.
pub const TAB_WIDTH: usize = 4;
/// Height of a line of program text, in points.
pub const CODE_LINE_HEIGHT: f32 = 20.0;
/// Corner radius of controls, in points.
pub const RADIUS: u8 = 5;

/// Colours of maps, from the least value to the greatest: red, green and blue.
pub const MAP_COLORS: [[u8; 3]; 9] = [
    [13, 8, 45],
    [52, 14, 92],
    [99, 22, 110],
    [146, 36, 103],
    [191, 55, 79],
    [228, 88, 49],
    [247, 137, 22],
    [250, 193, 51],
    [250, 252, 190],
];
/// Map colour of pixels without a value.
pub const MAP_NOTHING: Color32 = Color32::from_rgb(34, 37, 43);
/// Map colour of pixels whose value is a NaN.
pub const MAP_NOT_A_NUMBER: Color32 = Color32::from_rgb(0, 229, 160);
/// Map colour of pixels where a condition holds.
pub const MAP_TRUE: Color32 = Color32::from_rgb(250, 193, 51);
/// Map colour of pixels where a condition does not hold.
pub const MAP_FALSE: Color32 = Color32::from_rgb(52, 58, 70);

/// Map colour of a pixel's outcome, by number: 0 nothing, 1 written, 2 discarded, 3 failed the alpha test, 4
/// failed the stencil test, 5 failed the depth test, 6 depth out of range, 7 no sample left.
pub const fn map_fate(number: usize) -> Color32 {
    match number {
        1 => Color32::from_rgb(86, 156, 92),
        2 => Color32::from_rgb(205, 80, 70),
        3 => Color32::from_rgb(214, 134, 52),
        4 => Color32::from_rgb(170, 104, 196),
        5 => Color32::from_rgb(74, 134, 214),
        6 => Color32::from_rgb(58, 176, 188),
        7 => Color32::from_rgb(200, 190, 92),
        _ => MAP_NOTHING,
    }
}

/// Map colour of an ordinal number. Neighbouring numbers have clearly different colours.
pub fn map_number(number: i64) -> Color32 {
    // Multiples of the golden ratio spread hues evenly around the circle.
    let hue = (number.rem_euclid(1 << 20) as f32 * 0.618_034).fract();
    let value = 0.72 + 0.26 * (number.rem_euclid(3) as f32 / 2.0);
    egui::epaint::Hsva::new(hue, 0.62, value, 1.0).into()
}

/// Returns black or white, whichever is readable on a map colour.
pub fn on_map(ground: Color32) -> Color32 {
    let [r, g, b, _] = ground.to_array().map(u32::from);
    if 3 * r + 6 * g + b > 1150 { Color32::BLACK } else { Color32::WHITE }
}

/// Name of the font family for headings and emphasis.
const SEMI_BOLD: &str = "semi-bold";

/// The user's choice of theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ThemeChoice {
    /// The default.
    #[default]
    Dark,
    Light,
    /// Follows the system; dark if the system does not say.
    System,
}

impl From<ThemeChoice> for egui::ThemePreference {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Dark => Self::Dark,
            ThemeChoice::Light => Self::Light,
            ThemeChoice::System => Self::System,
        }
    }
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// Declares tables of colours. A row has the colour of the dark theme and of the light theme.
macro_rules! colors {
    ($($(#[$about:meta])* $table:ident {
        $($(#[$doc:meta])* $name:ident: $type:ty = $dark:expr, $light:expr;)*
    })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $table {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl $table {
            const DARK: Self = Self { $($name: $dark,)* };
            const LIGHT: Self = Self { $($name: $light,)* };
        }
    )*};
}

colors! {
    /// Colours by meaning.
    Palette {
        /// The window's background: gaps between panels, and the bars at top and bottom.
        ground: Color32 = rgb(0x0F1216), rgb(0xE9ECF0);
        /// Background of panels.
        panel: Color32 = rgb(0x171B21), rgb(0xF8F9FB);
        /// Background of text fields, and of the viewport around the picture.
        well: Color32 = rgb(0x12151A), rgb(0xFFFFFF);
        /// Background of controls and cards on a panel.
        raised: Color32 = rgb(0x222830), rgb(0xECEFF3);
        /// Background of controls under the pointer.
        raised_hover: Color32 = rgb(0x2B323C), rgb(0xE0E5EB);
        /// Thin lines.
        line: Color32 = rgb(0x262C35), rgb(0xDCE1E7);
        /// Thin lines that must be visible: outlines of active controls.
        line_strong: Color32 = rgb(0x3A434F), rgb(0xB9C2CD);
        /// Text.
        text: Color32 = rgb(0xC9D1DA), rgb(0x343C47);
        /// Headings and values.
        text_strong: Color32 = rgb(0xEEF2F6), rgb(0x12171D);
        /// Captions and other secondary text.
        text_weak: Color32 = rgb(0x8A95A3), rgb(0x5D6875);
        /// Inactive elements, such as line numbers.
        text_faint: Color32 = rgb(0x566170), rgb(0x9AA5B1);
        /// The app's main colour.
        accent: Color32 = rgb(0x3FC1A5), rgb(0x0B8A72);
        /// Text and marks on `accent`.
        on_accent: Color32 = rgb(0x06251E), rgb(0xFFFFFF);
        /// A faint background for chosen elements.
        accent_wash: Color32 = rgb(0x173831), rgb(0xD6EFE9);
        /// Errors.
        error: Color32 = rgb(0xF4737E), rgb(0xC8323F);
        /// Background of a line or band with an error.
        error_wash: Color32 = rgb(0x33191E), rgb(0xFBE4E6);
        /// Warnings.
        warning: Color32 = rgb(0xE9B55B), rgb(0x9A6400);
        /// Background of a band with a warning.
        warning_wash: Color32 = rgb(0x32281A), rgb(0xFAEFD5);
        /// Success.
        success: Color32 = rgb(0x6CCB7F), rgb(0x1F8A3B);
        /// Values that are not finite: NaN and the infinities.
        non_finite: Color32 = rgb(0xFF7AD0), rgb(0xB4137F);
        /// Components that a step reads.
        read: Color32 = rgb(0x6FB1FF), rgb(0x1565C0);
        /// Background of components that a step reads.
        read_wash: Color32 = rgb(0x17304D), rgb(0xD9E9FB);
        /// Components that a step writes.
        write: Color32 = rgb(0xF2A65A), rgb(0xB05A00);
        /// Background of components that a step writes.
        write_wash: Color32 = rgb(0x3D2A14), rgb(0xFCE8D0);
        /// Background of the caret's line.
        caret_line: Color32 = rgb(0x191D24), rgb(0xF3F5F8);
        /// Background of the current step's line.
        step_line: Color32 = rgb(0x1B332E), rgb(0xDDF2EC);
        /// Background of selected text.
        selection: Color32 = rgb(0x244A57), rgb(0xBFE3DD);
        /// Background of search matches.
        found: Color32 = rgb(0x5A4A1E), rgb(0xFBE7A8);
        syntax: Syntax = Syntax::DARK, Syntax::LIGHT;
    }

    /// Colours of program text.
    Syntax {
        /// Instruction names.
        mnemonic: Color32 = rgb(0x7FB7FF), rgb(0x1257B0);
        /// Precision, `C` and `_SAT` suffixes.
        suffix: Color32 = rgb(0x5C8FD6), rgb(0x4B7FC4);
        /// Temporaries and condition registers.
        register: Color32 = rgb(0xE6E1CF), rgb(0x2B2F36);
        /// Attributes and outputs.
        interface: Color32 = rgb(0x5FD3B8), rgb(0x0B7A66);
        /// Parameters and other names.
        name: Color32 = rgb(0xD2A8FF), rgb(0x7A3EB1);
        /// Numbers.
        number: Color32 = rgb(0xF2B36B), rgb(0xA65300);
        /// Swizzles, masks and condition rules.
        selector: Color32 = rgb(0x9FB3C8), rgb(0x55677A);
        /// The header, `END`, `DECLARE`, `DEFINE`.
        keyword: Color32 = rgb(0xF38BA8), rgb(0xB3285A);
        /// Texture targets and units.
        texture: Color32 = rgb(0x8BD5E8), rgb(0x0C6F8A);
        /// Commas, braces, semicolons.
        punctuation: Color32 = rgb(0x7C8794), rgb(0x7A8592);
        /// Comments.
        comment: Color32 = rgb(0x6F7B89), rgb(0x75808C);
        /// Text that the language does not allow.
        error: Color32 = rgb(0xF4737E), rgb(0xC8323F);
    }
}

impl Syntax {
    pub fn color(&self, kind: TokenKind) -> Color32 {
        match kind {
            TokenKind::Header | TokenKind::Keyword | TokenKind::Option => self.keyword,
            TokenKind::Mnemonic => self.mnemonic,
            TokenKind::Suffix => self.suffix,
            TokenKind::Register => self.register,
            TokenKind::Attribute | TokenKind::Output => self.interface,
            TokenKind::Parameter | TokenKind::Name | TokenKind::Label => self.name,
            TokenKind::Number => self.number,
            TokenKind::Swizzle | TokenKind::Condition => self.selector,
            TokenKind::TextureUnit | TokenKind::TextureTarget => self.texture,
            TokenKind::Punctuation | TokenKind::Whitespace => self.punctuation,
            TokenKind::Comment => self.comment,
            TokenKind::Error => self.error,
        }
    }
}

impl Palette {
    /// The palette of `visuals`.
    pub const fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode { &Self::DARK } else { &Self::LIGHT }
    }

    /// Returns the text colour of `value`: [`Self::non_finite`] for NaN and the infinities, `usual`
    /// otherwise.
    pub fn of_value(&self, value: impl Into<Value>, usual: Color32) -> Color32 {
        if value.into().is_finite() { usual } else { self.non_finite }
    }

    /// Colour of component `component` in graphs: red, green and blue for x, y and z, grey for w.
    pub const fn component(&self, component: usize) -> Color32 {
        match component {
            0 => self.error,
            1 => self.success,
            2 => self.read,
            _ => self.text_weak,
        }
    }

    pub const fn of_theme(theme: Theme) -> &'static Self {
        match theme {
            Theme::Dark => &Self::DARK,
            Theme::Light => &Self::LIGHT,
        }
    }
}

/// The palette of `ui`.
pub fn palette(ui: &egui::Ui) -> &'static Palette {
    Palette::of(ui.visuals())
}

/// Fades `color`, for text without an effect such as unused names.
pub fn faded(color: Color32) -> Color32 {
    color.gamma_multiply(0.45)
}

/// Font for program text. The user can choose it.
pub fn code_font() -> FontId {
    FontId::new(CODE_SIZE, fonts::program_family())
}

/// Font for values in tables.
pub fn value_font() -> FontId {
    FontId::new(12.5, FontFamily::Monospace)
}

/// Font for the debugger's tables, which have many values in a row.
pub fn table_font() -> FontId {
    FontId::new(10.5, FontFamily::Monospace)
}

/// Font for numbers beside a sparkline.
pub fn graph_font() -> FontId {
    FontId::new(9.0, FontFamily::Monospace)
}

/// Font for captions.
pub fn caption_font() -> FontId {
    FontId::new(11.5, FontFamily::Proportional)
}

/// Font for emphasis at `size` points.
pub fn strong_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(SEMI_BOLD.into()))
}

/// Text for a caption: small and muted.
pub fn caption(ui: &egui::Ui, text: impl Into<String>) -> egui::RichText {
    egui::RichText::new(text).font(caption_font()).color(palette(ui).text_weak)
}

/// Text for a heading within a panel.
pub fn heading(ui: &egui::Ui, text: impl Into<String>) -> egui::RichText {
    egui::RichText::new(text).font(strong_font(13.5)).color(palette(ui).text_strong)
}

/// Text for a value, in the fixed-width font.
pub fn value(ui: &egui::Ui, text: impl Into<String>) -> egui::RichText {
    egui::RichText::new(text).font(value_font()).color(palette(ui).text_strong)
}

/// Frame of a card on a panel.
pub fn card_frame(ui: &egui::Ui) -> egui::Frame {
    let palette = palette(ui);
    egui::Frame::new()
        .fill(palette.well)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(RADIUS + 1))
        .inner_margin(Margin::symmetric(10, 8))
}

/// Installs the fonts and the styles of both themes, and selects `choice`.
pub fn install(ctx: &egui::Context, choice: ThemeChoice) {
    set_code_font(ctx, None, TAB_WIDTH);
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| apply(style, Palette::of_theme(theme), theme));
    }
    ctx.set_theme(choice);
}

/// Selects the theme `choice`.
pub fn select(ctx: &egui::Context, choice: ThemeChoice) {
    ctx.set_theme(choice);
}

fn apply(style: &mut egui::Style, palette: &Palette, theme: Theme) {
    style.text_styles = [
        (TextStyle::Small, caption_font()),
        (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(13.0, FontFamily::Proportional)),
        (TextStyle::Heading, strong_font(18.0)),
        (TextStyle::Monospace, value_font()),
    ]
    .into();
    style.animation_time = 0.12;
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(8.0, 6.0);
    spacing.button_padding = Vec2::new(10.0, 4.0);
    spacing.interact_size = Vec2::new(36.0, ICON_BUTTON);
    spacing.menu_margin = Margin::same(8);
    spacing.window_margin = Margin::same(16);
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 9.0;
    spacing.icon_spacing = 6.0;
    spacing.slider_rail_height = 4.0;
    spacing.slider_width = 140.0;
    spacing.tooltip_width = 440.0;
    spacing.combo_width = 120.0;
    spacing.scroll = ScrollStyle {
        bar_width: 8.0,
        floating_width: 4.0,
        active_handle_opacity: 0.3,
        interact_handle_opacity: 0.6,
        ..ScrollStyle::floating()
    };
    style.interaction.tooltip_delay = 0.35;
    style.interaction.selectable_labels = false;
    style.visuals = visuals(palette, theme);
}

fn visuals(palette: &Palette, theme: Theme) -> egui::Visuals {
    let mut visuals = theme.default_visuals();
    visuals.widgets = widgets(palette);
    visuals.selection =
        Selection { bg_fill: palette.selection, stroke: Stroke::new(1.0, palette.text_strong) };
    visuals.weak_text_color = Some(palette.text_weak);
    visuals.hyperlink_color = palette.accent;
    visuals.faint_bg_color = palette.raised.gamma_multiply(0.45);
    visuals.extreme_bg_color = palette.well;
    visuals.text_edit_bg_color = Some(palette.well);
    visuals.code_bg_color = palette.raised;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.error;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.line_strong);
    visuals.panel_fill = palette.panel;
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(7);
    let shadow =
        |alpha| Shadow { offset: [0, 6], blur: 20, spread: 0, color: Color32::from_black_alpha(alpha) };
    visuals.window_shadow = shadow(if visuals.dark_mode { 120 } else { 48 });
    visuals.popup_shadow = shadow(if visuals.dark_mode { 90 } else { 32 });
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.indent_has_left_vline = false;
    visuals.text_cursor.stroke = Stroke::new(1.5, palette.accent);
    visuals.numeric_color_space = egui::style::NumericColorSpace::GammaByte;
    visuals
}

fn widgets(palette: &Palette) -> Widgets {
    let radius = CornerRadius::same(RADIUS);
    let look = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    Widgets {
        noninteractive: look(palette.panel, palette.line, palette.text),
        inactive: look(palette.raised, palette.raised, palette.text),
        hovered: look(palette.raised_hover, palette.line_strong, palette.text_strong),
        active: look(palette.raised_hover, palette.accent, palette.text_strong),
        open: look(palette.raised_hover, palette.line_strong, palette.text_strong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(color: Color32) -> f64 {
        let channel = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(color.r()) + 0.7152 * channel(color.g()) + 0.0722 * channel(color.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_every_ground() {
        for palette in [Palette::DARK, Palette::LIGHT] {
            for ground in [palette.ground, palette.panel, palette.well, palette.raised] {
                assert!(contrast(palette.text, ground) >= 7.0, "text {palette:?}");
                assert!(contrast(palette.text_weak, ground) >= 4.2, "weak text on {ground:?}");
            }
            for (mark, wash) in [
                (palette.error, palette.error_wash),
                (palette.warning, palette.warning_wash),
                (palette.read, palette.read_wash),
                (palette.write, palette.write_wash),
                (palette.accent, palette.panel),
                (palette.on_accent, palette.accent),
            ] {
                assert!(contrast(mark, wash) >= 3.9, "{mark:?} on {wash:?}: {}", contrast(mark, wash));
            }
            assert_eq!(palette.of_value(f32::MAX, palette.text), palette.text);
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(palette.of_value(value, palette.text), palette.non_finite);
            }
            for ground in [palette.panel, palette.well, palette.read_wash] {
                assert!(contrast(palette.non_finite, ground) >= 4.5, "{ground:?}");
            }
            for color in [
                palette.syntax.mnemonic,
                palette.syntax.number,
                palette.syntax.interface,
                palette.syntax.name,
            ] {
                assert!(contrast(color, palette.well) >= 4.5, "{color:?}");
            }
        }
    }
}
