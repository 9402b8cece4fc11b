//! The panels and their layouts.

use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};

shadestep_engine::named_enum! {
    /// A panel. The name is the title on its tab.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub enum Pane {
        /// The texts of the document.
        Editor = "Editor",
        /// Errors and warnings.
        Problems = "Problems",
        /// The picture.
        Viewport = "Picture",
        /// Parameters, textures, mesh.
        Inputs = "Inputs",
        /// The run that is stepped.
        Debugger = "Debugger",
        /// Expressions with their values, and breakpoints.
        Watches = "Watches",
        /// Two runs side by side, while a run is kept.
        Compare = "Compare",
        /// The table of vertices.
        Vertices = "Vertices",
        /// Contents of buffers.
        Memory = "Memory",
        /// Samples and reference.
        Learn = "Learn",
    }
}

/// Arrangement of the panels. Kept between runs.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Layout {
    pub(crate) tree: Tree<Pane>,
}

/// The purpose of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutPurpose {
    /// All panels in balance.
    General,
    /// The editor has most of the space.
    Write,
    /// The debugger has its own column.
    Debug,
    /// Learn has its own column.
    Learn,
}

impl Default for Layout {
    fn default() -> Self {
        Self::of(LayoutPurpose::General)
    }
}

/// The tiles of a layout under construction.
#[derive(Default)]
struct Builder {
    tiles: Tiles<Pane>,
}

impl Builder {
    /// Adds panels as tabs of one place, the first one in front.
    fn tabs(&mut self, panes: &[Pane]) -> TileId {
        let panes: Vec<TileId> = panes.iter().map(|&pane| self.tiles.insert_pane(pane)).collect();
        self.tiles.insert_tab_tile(panes)
    }

    /// Puts one tile above the other. The upper tile gets `share` of the height.
    fn above(&mut self, upper: TileId, lower: TileId, share: f32) -> TileId {
        let linear = Linear::new_binary(LinearDir::Vertical, [upper, lower], share);
        self.tiles.insert_container(Container::Linear(linear))
    }

    /// Puts two tiles side by side. The left tile gets `share` of the width.
    fn beside(&mut self, left: TileId, right: TileId, share: f32) -> TileId {
        let linear = Linear::new_binary(LinearDir::Horizontal, [left, right], share);
        self.tiles.insert_container(Container::Linear(linear))
    }
}

impl Layout {
    /// Returns the layout for `purpose`.
    pub fn of(purpose: LayoutPurpose) -> Self {
        use Pane::{Compare, Debugger, Editor, Inputs, Learn, Memory, Problems, Vertices, Viewport, Watches};
        let mut b = Builder::default();
        let editor = b.tabs(&[Editor]);
        let problems = b.tabs(&[Problems]);
        let text = b.above(editor, problems, 0.78);
        let picture = b.tabs(&[Viewport]);
        let root = match purpose {
            LayoutPurpose::General => {
                let learn = b.tabs(&[Learn]);
                let tools = b.tabs(&[Inputs, Debugger, Watches, Compare, Vertices, Memory]);
                let left = b.above(text, learn, 0.64);
                let right = b.above(picture, tools, 0.5);
                b.beside(left, right, 0.42)
            }
            LayoutPurpose::Write => {
                let tools = b.tabs(&[Inputs, Debugger, Watches, Compare, Vertices, Memory, Learn]);
                let right = b.above(picture, tools, 0.53);
                b.beside(text, right, 0.56)
            }
            LayoutPurpose::Debug => {
                let debugger = b.tabs(&[Debugger]);
                let tools = b.tabs(&[Watches, Compare, Inputs, Vertices, Memory, Learn]);
                let middle = b.above(picture, tools, 0.6);
                let right = b.beside(middle, debugger, 0.46);
                b.beside(text, right, 0.32)
            }
            LayoutPurpose::Learn => {
                let learn = b.tabs(&[Learn]);
                let tools = b.tabs(&[Inputs, Debugger, Watches, Compare, Vertices, Memory]);
                let right = b.above(picture, tools, 0.5);
                let rest = b.beside(text, right, 0.5);
                b.beside(learn, rest, 0.36)
            }
        };
        Self { tree: Tree::new(egui::Id::unique("panels"), root, b.tiles) }
    }

    /// Brings `pane` to the front of its tabs. Adds the panel if a kept layout lacks it.
    pub fn show(&mut self, pane: Pane) {
        self.adopt();
        if self.tree.tiles.find_pane(&pane).is_none() {
            *self = Self::default();
        }
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(p) if *p == pane));
    }

    /// Adds panels that a layout of an earlier version lacks, beside the debugger. All other panels keep
    /// their places.
    pub(crate) fn adopt(&mut self) {
        let tiles = &mut self.tree.tiles;
        let Some(debugger) = tiles.find_pane(&Pane::Debugger) else { return };
        let Some(place) = tiles.parent_of(debugger) else { return };
        for pane in [Pane::Watches, Pane::Compare] {
            if tiles.find_pane(&pane).is_none() {
                let tile = tiles.insert_pane(pane);
                if let Some(Tile::Container(container)) = tiles.get_mut(place) {
                    container.add_child(tile);
                }
            }
        }
    }

    /// Returns true if `pane` is visible.
    pub fn is_shown(&self, pane: Pane) -> bool {
        self.tree
            .active_tiles()
            .into_iter()
            .any(|id| matches!(self.tree.tiles.get(id), Some(Tile::Pane(p)) if *p == pane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_that_a_kept_layout_lacks_come_beside_the_debugger() {
        let mut layout = Layout::of(LayoutPurpose::Learn);
        for pane in [Pane::Watches, Pane::Compare] {
            let tile = layout.tree.tiles.find_pane(&pane).expect("it is there");
            layout.tree.remove_recursively(tile);
            assert!(layout.tree.tiles.find_pane(&pane).is_none());
        }
        layout.show(Pane::Watches);
        assert!(layout.is_shown(Pane::Watches) && layout.is_shown(Pane::Learn), "all else stays");
        let beside = |pane| layout.tree.tiles.parent_of(layout.tree.tiles.find_pane(&pane)?);
        assert!(beside(Pane::Compare).is_some());
        assert_eq!(beside(Pane::Compare), beside(Pane::Debugger));
    }
}
