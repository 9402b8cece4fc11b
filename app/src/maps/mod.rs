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

shadestep_engine::named_enum! {
    /// A kind of map, in the order of the menu. The name is its word on the command line.
    pub enum Map(
        /// Whether the values are counts, for which a sum is meaningful.
        pub counts: bool,
        /// The values, for the command line's help.
        pub help: &'static str,
    ) {
        Value = "value" => (false, "Value of the register or expression given by --value"),
        Ran = "ran" => (true, "How often each pixel's fragment executed the line given by --line"),
        Wrote = "wrote" => (
            true,
            "How often the instruction on the line given by --line passed its condition and wrote",
        ),
        Instructions = "instructions" => (true, "How many instructions ran for each pixel"),
        Shaded = "shaded" => (true, "Overdraw: how many fragments were shaded at each pixel"),
        Helpers = "helpers" => (true, "How many helper invocations ran at each pixel"),
        Killed = "discarded" => (true, "How many fragments the program discarded at each pixel"),
        NotFinite = "not-finite" => (false, "Where an instruction wrote NaN or infinity"),
        Undefined = "undefined" => (
            false,
            "Where the specification leaves an instruction's result undefined",
        ),
        Hits = "hits" => (true, "How often each pixel hit a breakpoint given by --break"),
        Level = "level" => (false, "Level of detail of the texture lookup on the line given by --line"),
        Depth = "depth" => (false, "Depth buffer"),
        Fate = "tests" => (false, "Outcome at each pixel: which test its last fragment failed"),
        Primitive = "primitives" => (false, "Visible primitive at each pixel, each in its own colour"),
        Facing = "facing" => (false, "Whether each pixel shows the front or the back of a primitive"),
        /// Not on the command line, which has no versions.
        Difference = "difference" => (false, "How much each pixel differs from the pinned version"),
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
