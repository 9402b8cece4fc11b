//! Writes fixed-function state, lights, materials and fog into the text of `scene.toml`.

use super::values::{
    drop_empty, find_or_add, inline_table, integer, set, set_or_remove, table, tables, whole,
};
use crate::scene::lighting::{self, Lighting};
use crate::scene::raster::{DEPTH, STATE};
use crate::scene::schema::{Row, Schema};
use crate::scene::{Component, LightingSetting, LightingState, Scene};
use shadestep_engine::pipeline::{CullFace, RasterState};
use std::fmt;
use toml_edit::{DocumentMut, TableLike};

/// A key of `[state]` or `[depth]`.
#[derive(Clone, Copy)]
pub struct StateKey {
    section: &'static str,
    row: &'static Row<RasterState>,
}

impl StateKey {
    /// Returns the key `name` of `[state]`. Use it in constants: a name that does not exist panics.
    pub const fn state(name: &str) -> Self {
        Self { section: "state", row: STATE.row(name) }
    }

    /// Returns the key `name` of `[depth]`, as [`Self::state`] does.
    pub const fn depth(name: &str) -> Self {
        Self { section: "depth", row: DEPTH.row(name) }
    }

    /// Returns the setting of this key to its value in `state`.
    pub fn of(self, state: &RasterState) -> StateSetting {
        StateSetting { key: self, state: Box::new(*state) }
    }

    /// Whether both states have the same value of this key.
    pub fn same(self, a: &RasterState, b: &RasterState) -> bool {
        self.row.cell.same(a, b)
    }
}

impl PartialEq for StateKey {
    fn eq(&self, other: &Self) -> bool {
        (self.section, self.row.name) == (other.section, other.row.name)
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.section, self.row.name)
    }
}

/// A key of `[state]` or `[depth]` with its value.
#[derive(Clone, Debug)]
pub struct StateSetting {
    /// The key.
    pub key: StateKey,
    /// The state that holds the value.
    pub state: Box<RasterState>,
}

impl PartialEq for StateSetting {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.key.same(&self.state, &other.state)
    }
}

pub(super) fn set_state(document: &mut DocumentMut, setting: &StateSetting) -> Option<()> {
    let StateKey { section, row } = setting.key;
    set_or_remove(table(document.as_table_mut(), section)?, row.name, row.cell.write(&setting.state));
    drop_empty(document.as_table_mut(), section);
    Some(())
}

/// The place of a lighting variable in the text: a table at the top, a table in it if any, and its keys.
struct Place {
    section: Section,
    inner: Option<&'static str>,
    schema: &'static Schema<Lighting>,
    /// An empty table for reading and comparing.
    empty: Lighting,
}

enum Section {
    Table(&'static str),
    /// The table `[[name]]` of a light, unit or plane. The first key of its schema has the number.
    Numbered(&'static str, u8),
}

fn place(state: LightingState) -> Place {
    let one = |name, schema| {
        let empty = Lighting::of_number(0);
        Place { section: Section::Table(name), inner: None, schema, empty }
    };
    let numbered = |name, number, schema| {
        let section = Section::Numbered(name, number);
        Place { section, inner: None, schema, empty: Lighting::of_number(number) }
    };
    match state {
        LightingState::ModelAmbient => one("lighting", &lighting::MODEL),
        LightingState::Material(face, _) | LightingState::Shininess(face) => {
            let inner = match face {
                CullFace::Front => Some("front"),
                CullFace::Back => Some("back"),
                CullFace::FrontAndBack => None,
            };
            let empty = Lighting::of_face(face);
            Place { section: Section::Table("material"), inner, schema: &lighting::MATERIAL, empty }
        }
        LightingState::Light(n, _)
        | LightingState::LightPosition(n)
        | LightingState::SpotDirection(n)
        | LightingState::LightNumber(n, _) => numbered("light", n, &lighting::LIGHT),
        LightingState::TexGen(n, ..) => numbered("texgen", n, &lighting::TEXGEN),
        LightingState::TexEnvColor(n) => numbered("texenv", n, &lighting::TEXENV),
        LightingState::ClipPlane(n) => numbered("clip_plane", n, &lighting::CLIP_PLANE),
        LightingState::PointAttenuation => one("point", &lighting::POINT),
        LightingState::FogColor | LightingState::FogDensity | LightingState::FogRange => {
            Place { inner: Some("fog"), ..one("state", &lighting::FOG) }
        }
    }
}

impl Place {
    /// The rows that write `state`.
    fn rows(&self, state: LightingState) -> Vec<&'static Row<Lighting>> {
        let setting = state.with([Component::Constant(0.0); 4]);
        let only = Lighting { settings: vec![setting], ..self.empty.clone() };
        let rows = self.schema.rows.iter();
        rows.filter(|row| !row.cell.same(&only, &self.empty)).collect()
    }

    /// The table in the text, added if it is missing.
    fn table<'d>(&self, document: &'d mut DocumentMut) -> Option<&'d mut dyn TableLike> {
        match self.section {
            Section::Table(name) => table(document.as_table_mut(), name),
            Section::Numbered(name, number) => {
                let key = self.schema.rows[0].name;
                let is_it = |index: usize, table: &toml_edit::Table| {
                    let default = self.schema.number_at(index) as i64;
                    integer(table, key).unwrap_or(default) == i64::from(number)
                };
                let new = |table: &mut toml_edit::Table| set(table, key, whole(number.into()));
                Some(find_or_add(tables(document, name)?, is_it, new)?)
            }
        }
    }
}

pub(super) fn set_lighting(
    document: &mut DocumentMut,
    scene: &Scene,
    setting: &LightingSetting,
) -> Option<()> {
    let place = place(setting.state);
    let mut found = place.table(document)?;
    if let Some(key) = place.inner {
        let is_new = found.get(key).is_none();
        found = match key {
            "fog" => inline_table(found, key)?,
            _ => table(found, key)?,
        };
        // Setting the colour of fog must not enable fog.
        if key == "fog" && is_new {
            set(found, "mode", "OFF".into());
        }
    }
    // One key can set several variables.
    let mut all = Lighting { settings: scene.lighting.clone(), ..place.empty.clone() };
    all.settings.push(*setting);
    for row in place.rows(setting.state) {
        set(found, row.name, row.cell.write(&all)?);
    }
    Some(())
}

pub(super) fn remove_lighting(document: &mut DocumentMut, state: LightingState) -> Option<()> {
    let place = place(state);
    let found = place.table(document)?;
    let rows = place.rows(state);
    match place.inner {
        Some(key) => {
            if let Some(inner) = found.get_mut(key).and_then(toml_edit::Item::as_table_like_mut) {
                for row in rows {
                    inner.remove(row.name);
                }
                if inner.len() == 1 && inner.get("mode").and_then(|mode| mode.as_str()) == Some("OFF") {
                    inner.remove("mode");
                }
            }
            drop_empty(found, key);
        }
        None => {
            for row in rows {
                found.remove(row.name);
            }
        }
    }
    match place.section {
        Section::Table(name) => drop_empty(document.as_table_mut(), name),
        Section::Numbered(name, _) => {
            let key = place.schema.rows[0].name;
            // The number of a table can be its position, so only tables at the end may be removed.
            let written = tables(document, name)?;
            while written.iter().last().is_some_and(|table| table.iter().all(|(other, _)| other == key)) {
                written.remove(written.len() - 1);
            }
            drop_empty(document.as_table_mut(), name);
        }
    }
    Some(())
}
