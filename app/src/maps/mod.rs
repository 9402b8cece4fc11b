//! Maps: a value of every pixel in place of its colour. What a register or an expression is worth behind a line or at the end,
//! how often something happened, what became of the pixel.
//!
//! [`Map`] says what is shown, [`MapChoice`] all that a person has chosen about it, `field` works the values out of a
//! survey, `shades` makes colours of them. No panel is in here: the viewport shows maps.

mod export;
mod field;
mod shades;
mod shown;

pub use export::{csv, png};
pub use field::{Field, LineCounts, MapQuery, QueryError, Statistics, line_counts, work_out};
pub use shades::{Range, gradient, image, legend_ticks};
pub use shown::{Asked, MapAnswer, Maps, ShownMap};

use crate::command::Command;

/// What is shown of every pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// What an expression is worth.
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
    /// What became of the pixel.
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

    /// The command that shows it, which has its name and what is told of it.
    pub const fn command(self) -> Command {
        match self {
            Self::Value => Command::MapValue,
            Self::Ran => Command::MapRan,
            Self::Wrote => Command::MapWrote,
            Self::Instructions => Command::MapInstructions,
            Self::Shaded => Command::MapShaded,
            Self::Helpers => Command::MapHelpers,
            Self::Killed => Command::MapKilled,
            Self::NotFinite => Command::MapNotFinite,
            Self::Undefined => Command::MapUndefined,
            Self::Hits => Command::MapHits,
            Self::Level => Command::MapLevel,
            Self::Depth => Command::MapDepth,
            Self::Fate => Command::MapFate,
            Self::Primitive => Command::MapPrimitive,
            Self::Facing => Command::MapFacing,
            Self::Difference => Command::MapDifference,
        }
    }

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

/// When an expression is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum When {
    /// When the program ends.
    #[default]
    End,
    /// Behind the line that the caret is on.
    Line,
}

/// What a person has chosen of maps, for a document.
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
