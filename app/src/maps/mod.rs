//! Maps: a value of every pixel in place of its colour, such as a register after a line, a number of
//! executions, or the outcome of the pixel.
//!
//! [`Map`] is the kind of map, [`MapChoice`] the user's settings, and `field` computes the values with a
//! frame query. [`crate::false_colours`] colours them for the viewport. Nothing here uses egui.

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
    /// Number of instructions executed for the pixel.
    Instructions,
    /// Number of fragments shaded at the pixel.
    Shaded,
    /// Number of helpers that ran at the pixel.
    Helpers,
    /// Number of fragments at the pixel that the program discarded.
    Killed,
    /// Pixels where NaN or an infinity was written.
    NotFinite,
    /// Pixels where an instruction's result is undefined by the specification.
    Undefined,
    /// Number of breakpoint hits.
    Hits,
    /// The level of detail of the lookup on the caret's line.
    Level,
    Depth,
    Fate,
    /// The number of the visible primitive.
    Primitive,
    /// The visible side of the primitive: +1 front, -1 back.
    Facing,
    /// The colour's difference from the pinned version.
    Difference,
}

impl Map {
    /// All kinds in the order of the menu.
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

    /// Whether the values are counts, for which a sum is meaningful.
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
    /// The visible map, if there is one.
    pub map: Option<Map>,
    /// The expression of [`Map::Value`]. An empty text stands for the output colour.
    pub expression: String,
    /// When the expression is evaluated.
    pub when: When,
    /// The values at the two ends of the colour scale. `None` takes them from the field.
    pub range: Option<[f64; 2]>,
    /// Whether the editor shows how often each line was executed.
    pub line_counts: bool,
}
