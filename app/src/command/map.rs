//! The commands that show value maps.

use super::Command;
use crate::maps::Map;

impl Map {
    /// Returns the command that shows this map. Its row has the name and the description.
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
}
