//! Maps: a value of every pixel in place of its colour, such as a register after a line, how often something happened,
//! or the outcome of the pixel. All of it is data, without egui.
//!
//! [`Map`] says what is shown, [`MapChoice`] all that a person has chosen about it, `field` works the values out of a
//! survey. [`crate::false_colours`] makes pictures of them, and the viewport shows these.

mod csv;
mod field;
mod range;

pub use csv::csv;
pub use field::{Field, LineCounts, MapQuery, QueryError, Statistics, line_counts, work_out};
pub use range::{Range, legend_ticks};

/// A kind of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// The value of an expression.
    Value,
    /// How often the line at the caret was executed.
    Ran,
    /// How often the line at the caret wrote something.
    Wrote,
    /// How many instructions were executed for the pixel.
    Instructions,
    /// How many fragments were shaded at the pixel.
    Shaded,
    /// How many helpers ran at the pixel.
    Helpers,
    /// How many fragments at the pixel the program discarded.
    Killed,
    /// Where NaN or an infinity was written.
    NotFinite,
    /// Where an instruction gave what the specification leaves undefined.
    Undefined,
    /// How often breakpoints were hit.
    Hits,
    /// The level of detail of the lookup at the caret's line.
    Level,
    /// The depth buffer.
    Depth,
    /// The outcome of the pixel.
    Fate,
    /// The number of the primitive that is seen.
    Primitive,
    /// Which side of it is seen.
    Facing,
    /// How much the colour differs from that of the pinned version.
    Difference,
}

impl Map {
    /// In the order of the menu.
    pub const ALL: [Self; 16] = [
        Self::Value,
        Self::Ran,
        Self::Wrote,
        Self::Instructions,
        Self::Shaded,
        Self::Helpers,
        Self::Killed,
        Self::NotFinite,
        Self::Undefined,
        Self::Hits,
        Self::Level,
        Self::Depth,
        Self::Fate,
        Self::Primitive,
        Self::Facing,
        Self::Difference,
    ];

    /// Whether its values are counts, which have a sum.
    pub const fn counts(self) -> bool {
        matches!(
            self,
            Self::Ran
                | Self::Wrote
                | Self::Instructions
                | Self::Shaded
                | Self::Helpers
                | Self::Killed
                | Self::Hits
        )
    }
}

/// When an expression is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum When {
    /// When the program ends.
    #[default]
    End,
    /// After the line of the caret.
    Line,
}

/// The map settings of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapChoice {
    /// The map that is shown, if any.
    pub map: Option<Map>,
    /// The expression of [`Map::Value`]; the output colour if it is empty.
    pub expression: String,
    /// When it is looked at.
    pub when: When,
    /// The values of the ends of the colours; those of the field without one.
    pub range: Option<[f64; 2]>,
    /// Whether the editor shows how often each line was executed.
    pub line_counts: bool,
}
