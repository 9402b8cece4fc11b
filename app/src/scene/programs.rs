//! The programs of a scene by slot: at most one for each stage, and any number of vertex state programs.

use shadestep_engine::isa::{Language, Stage};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A program's slot in a scene. Slots order as their tabs: vertex, state programs in order of execution,
/// tessellation control and evaluation, geometry, fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// The vertex program.
    Vertex,
    /// Vertex state program n, from 0. State programs run in this order before each frame.
    State(u8),
    /// The tessellation control program.
    TessControl,
    /// The tessellation evaluation program.
    TessEvaluation,
    /// The geometry program.
    Geometry,
    /// The fragment program.
    Fragment,
}

/// The stage and the names of a slot.
struct Facts {
    stage: Stage,
    /// The name in `scene.toml`.
    key: &'static str,
    extension: &'static str,
    /// The kind of program, with its article.
    kind: &'static str,
    /// The title of the tab.
    title: &'static str,
}

impl Slot {
    /// Limit on the vertex state programs of a scene.
    pub const MAX_STATE_PROGRAMS: usize = 16;

    /// The slots that a scene has once: all except the slots of state programs.
    pub const SINGLE: [Self; 5] =
        [Self::Vertex, Self::TessControl, Self::TessEvaluation, Self::Geometry, Self::Fragment];

    /// The slot for another program of `stage` if the slots in `taken` are in use. `None` if no slot is free.
    pub fn free(stage: Stage, mut taken: impl Iterator<Item = Self>) -> Option<Self> {
        match Self::first(stage) {
            Self::State(_) => {
                let states = taken.filter(|slot| matches!(slot, Self::State(_))).count();
                let n = u8::try_from(states).ok()?;
                (states < Self::MAX_STATE_PROGRAMS).then_some(Self::State(n))
            }
            slot => (!taken.any(|other| other == slot)).then_some(slot),
        }
    }

    const fn facts(self) -> Facts {
        match self {
            Self::Vertex => Facts {
                stage: Stage::Vertex,
                key: "vertex",
                extension: "vp",
                kind: "a vertex program",
                title: "Vertex",
            },
            Self::State(_) => Facts {
                stage: Stage::VertexState,
                key: "state",
                extension: "vsp",
                kind: "a vertex state program",
                title: "State",
            },
            Self::TessControl => Facts {
                stage: Stage::TessControl,
                key: "tess_control",
                extension: "tcp",
                kind: "a tessellation control program",
                title: "Control",
            },
            Self::TessEvaluation => Facts {
                stage: Stage::TessEvaluation,
                key: "tess_eval",
                extension: "tep",
                kind: "a tessellation evaluation program",
                title: "Evaluation",
            },
            Self::Geometry => Facts {
                stage: Stage::Geometry,
                key: "geometry",
                extension: "gp",
                kind: "a geometry program",
                title: "Geometry",
            },
            Self::Fragment => Facts {
                stage: Stage::Fragment,
                key: "fragment",
                extension: "fp",
                kind: "a fragment program",
                title: "Fragment",
            },
        }
    }

    pub const fn stage(self) -> Stage {
        self.facts().stage
    }

    /// The first slot for programs of `stage`.
    pub const fn first(stage: Stage) -> Self {
        match stage {
            Stage::Vertex => Self::Vertex,
            Stage::VertexState => Self::State(0),
            Stage::TessControl => Self::TessControl,
            Stage::TessEvaluation => Self::TessEvaluation,
            Stage::Geometry => Self::Geometry,
            Stage::Fragment => Self::Fragment,
        }
    }

    /// The slot for a program with this text, by its header. [`Slot::Fragment`] if the header is unknown.
    pub fn of_text(text: &[u8]) -> Self {
        Self::first(Language::of_header(text).map_or(Stage::Fragment, Language::stage))
    }

    /// Whether a program in this slot makes the scene run the vertex pipeline, even for the viewport quad.
    pub const fn has_vertices(self) -> bool {
        !matches!(self, Self::State(_) | Self::Fragment)
    }

    /// The kind of program with its article: `a vertex program`.
    pub const fn kind(self) -> &'static str {
        self.facts().kind
    }

    /// The name of the program within a sentence: `fragment program`, `state program 2`.
    pub fn program(self) -> String {
        match self {
            Self::State(0) => "state program".to_owned(),
            Self::State(n) => format!("state program {}", u16::from(n) + 1),
            other => other.kind().trim_start_matches("a ").to_owned(),
        }
    }

    /// The name of the slot in `scene.toml` and on the command line.
    pub const fn key(self) -> &'static str {
        self.facts().key
    }

    /// Usual extension of the slot's files.
    pub const fn extension(self) -> &'static str {
        self.facts().extension
    }
}

impl fmt::Display for Slot {
    /// The title of its tab: `Vertex`, `State`, `State 2`, `Fragment`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(n @ 1..) => write!(f, "State {}", u16::from(*n) + 1),
            slot => f.write_str(slot.facts().title),
        }
    }
}

/// A value for each program of a scene, in the order of [`Slot`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs<T>(Vec<(Slot, T)>);

impl<T> Default for Programs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Programs<T> {
    pub fn get(&self, slot: Slot) -> Option<&T> {
        self.0.iter().find(|(s, _)| *s == slot).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        self.0.iter_mut().find(|(s, _)| *s == slot).map(|(_, value)| value)
    }

    /// Sets the value of `slot` and returns the previous value.
    pub fn insert(&mut self, slot: Slot, value: T) -> Option<T> {
        match self.0.binary_search_by_key(&slot, |(s, _)| *s) {
            Ok(index) => Some(std::mem::replace(&mut self.0[index].1, value)),
            Err(index) => {
                self.0.insert(index, (slot, value));
                None
            }
        }
    }

    /// Removes the value of `slot` and returns it.
    pub fn take(&mut self, slot: Slot) -> Option<T> {
        let index = self.0.iter().position(|(s, _)| *s == slot)?;
        Some(self.0.remove(index).1)
    }

    /// All values with their slots, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &T)> {
        self.0.iter().map(|(slot, value)| (*slot, value))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut T)> {
        self.0.iter_mut().map(|(slot, value)| (*slot, value))
    }

    /// The slots in use, in order.
    pub fn slots(&self) -> impl DoubleEndedIterator<Item = Slot> {
        self.0.iter().map(|(slot, _)| *slot)
    }

    /// Whether any program makes the scene run the vertex pipeline.
    pub fn have_vertices(&self) -> bool {
        self.slots().any(Slot::has_vertices)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The slot that is shown first: the last stage with a program, or else the first state program. `None`
    /// if there are no programs.
    pub fn main(&self) -> Option<Slot> {
        let last = Slot::SINGLE.into_iter().rev().find(|slot| self.get(*slot).is_some());
        last.or_else(|| self.slots().next())
    }

    /// Converts each value.
    pub fn map<U>(&self, mut make: impl FnMut(Slot, &T) -> U) -> Programs<U> {
        Programs(self.0.iter().map(|(slot, value)| (*slot, make(*slot, value))).collect())
    }
}

impl<T> IntoIterator for Programs<T> {
    type Item = (Slot, T);
    type IntoIter = std::vec::IntoIter<(Slot, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> FromIterator<(Slot, T)> for Programs<T> {
    fn from_iter<I: IntoIterator<Item = (Slot, T)>>(items: I) -> Self {
        let mut programs = Self::default();
        for (slot, value) in items {
            programs.insert(slot, value);
        }
        programs
    }
}

/// The text and the origin of a program.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// A plain file name within the scene's folder.
    pub name: String,
    /// The path on disk. `None` for bundled scenes and for text that was never saved.
    pub path: Option<PathBuf>,
    pub text: Arc<[u8]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_stand_in_the_order_of_their_tabs() {
        let mut programs: Programs<&str> =
            [(Slot::Fragment, "f"), (Slot::State(1), "s1"), (Slot::Vertex, "v"), (Slot::State(0), "s0")]
                .into_iter()
                .collect();
        let titles: Vec<String> = programs.slots().map(|slot| slot.to_string()).collect();
        assert_eq!(titles, ["Vertex", "State", "State 2", "Fragment"]);
        assert_eq!(programs.main(), Some(Slot::Fragment));
        assert_eq!(Slot::free(Stage::VertexState, programs.slots()), Some(Slot::State(2)));
        assert_eq!(Slot::free(Stage::Vertex, programs.slots()), None);
        assert_eq!(programs.take(Slot::State(0)), Some("s0"));
        assert_eq!(programs.insert(Slot::Vertex, "w"), Some("v"));
        assert_eq!(programs.len(), 3);
        programs.take(Slot::Fragment);
        assert_eq!(programs.main(), Some(Slot::Vertex));
        programs.take(Slot::Vertex);
        assert_eq!(programs.main(), Some(Slot::State(1)));
        assert_eq!(Programs::<()>::default().main(), None);
    }

    #[test]
    fn headers_tell_the_place() {
        for (text, slot) in [
            ("!!FP1.0", Slot::Fragment),
            ("!!VP1.0 x", Slot::Vertex),
            ("!!VP1.1\n", Slot::Vertex),
            ("!!VP2.0", Slot::Vertex),
            ("!!VSP1.0", Slot::State(0)),
            ("", Slot::Fragment),
            (" !!VP2.0", Slot::Fragment),
        ] {
            assert_eq!(Slot::of_text(text.as_bytes()), slot, "{text}");
        }
    }
}
