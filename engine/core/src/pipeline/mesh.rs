//! Triangle meshes: checked, and completed with the attributes that vertex programs commonly read.

use super::{
    ArrayConversion, ArrayData, AttributeArray, AttributeSource, EdgeFlag, EdgeFlags, Elements, Patches,
    Primitive, VertexInput,
};
use glam::DVec3;
use shadestep_language::ir::single_bits;
use std::sync::Arc;

/// The parts of a mesh. Missing normals, tangents, texture coordinates or colours are filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshParts {
    /// Vertex positions.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one per vertex. If empty, computed from the triangles, weighted by area.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates s and t, one per vertex. If empty, (0,0).
    pub texcoords: Vec<[f32; 2]>,
    /// Unit tangents in the direction of growing s, one per vertex; w is the handedness (1 or -1) of normal,
    /// tangent and bitangent. If empty, computed from the texture coordinates.
    pub tangents: Vec<[f32; 4]>,
    /// Colours r, g, b, a, one per vertex. If empty, white.
    pub colors: Vec<[f32; 4]>,
    /// Three vertex indices for each triangle, counter-clockwise when seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// The reason why parts do not form a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshError {
    /// A list has another length than the list of positions.
    Length {
        /// Name of the list.
        list: &'static str,
        /// Its length.
        length: usize,
        /// The number of positions.
        positions: usize,
    },
    /// A triangle refers to a vertex that does not exist.
    Index {
        /// Number of the triangle, from 0.
        triangle: usize,
        /// The index.
        index: u32,
        /// The number of positions.
        positions: usize,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// Name of the list.
        list: &'static str,
        /// Number of the vertex, from 0.
        vertex: usize,
    },
    /// Too many vertices or triangles.
    TooLarge {
        /// Name of the list.
        list: &'static str,
        /// Its length.
        length: usize,
    },
}

impl std::fmt::Display for MeshError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Length { list, length, positions } => {
                write!(f, "the mesh has {positions} positions but {length} {list}")
            }
            Self::Index { triangle, index, positions } => {
                write!(f, "triangle {triangle} uses vertex {index}, but the mesh has {positions} vertices")
            }
            Self::NotFinite { list, vertex } => {
                write!(f, "the {list} of vertex {vertex} contain a number that is not finite")
            }
            Self::TooLarge { list, length } => {
                write!(f, "the mesh has {length} {list}; the limit is {}", Mesh::MAX_ITEMS)
            }
        }
    }
}

impl std::error::Error for MeshError {}

/// A checked mesh. Every list has one entry per vertex (colours may be absent), all numbers are finite, and
/// all indices are valid.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    pub(super) parts: MeshParts,
}

fn vector(v: [f32; 3]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}

fn array(v: DVec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

fn check<const N: usize>(
    list: &'static str,
    values: &[[f32; N]],
    positions: usize,
    optional: Optional,
) -> Result<(), MeshError> {
    let absent = values.is_empty() && optional == Optional::Yes;
    if values.len() != positions && !absent {
        return Err(MeshError::Length { list, length: values.len(), positions });
    }
    match values.iter().position(|value| !value.iter().all(|x| x.is_finite())) {
        Some(vertex) => Err(MeshError::NotFinite { list, vertex }),
        None => Ok(()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Optional {
    Yes,
    No,
}

impl Mesh {
    /// Maximum number of vertices, and of triangles.
    pub const MAX_ITEMS: usize = 1 << 25;

    /// Checks the parts and fills in missing lists.
    ///
    /// # Errors
    /// The first problem found.
    pub fn from_parts(mut parts: MeshParts) -> Result<Self, MeshError> {
        let count = parts.positions.len();
        for (list, length) in [("vertices", count), ("triangles", parts.triangles.len())] {
            if length > Self::MAX_ITEMS {
                return Err(MeshError::TooLarge { list, length });
            }
        }
        check("positions", &parts.positions, count, Optional::No)?;
        check("normals", &parts.normals, count, Optional::Yes)?;
        check("texture coordinates", &parts.texcoords, count, Optional::Yes)?;
        check("tangents", &parts.tangents, count, Optional::Yes)?;
        check("colours", &parts.colors, count, Optional::Yes)?;
        for (triangle, indices) in parts.triangles.iter().enumerate() {
            if let Some(&index) = indices.iter().find(|&&index| index as usize >= count) {
                return Err(MeshError::Index { triangle, index, positions: count });
            }
        }
        if parts.texcoords.is_empty() {
            parts.texcoords = vec![[0.0; 2]; count];
        }
        if parts.normals.is_empty() {
            parts.normals = normals(&parts);
        }
        if parts.tangents.is_empty() {
            parts.tangents = tangents(&parts);
        }
        Ok(Self { parts })
    }

    pub fn positions(&self) -> &[[f32; 3]] {
        &self.parts.positions
    }

    pub fn normals(&self) -> &[[f32; 3]] {
        &self.parts.normals
    }

    pub fn texcoords(&self) -> &[[f32; 2]] {
        &self.parts.texcoords
    }

    /// Tangents with handedness in w.
    pub fn tangents(&self) -> &[[f32; 4]] {
        &self.parts.tangents
    }

    /// Vertex indices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.parts.triangles
    }

    /// Colour of a vertex; white if the mesh has no colours.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn color(&self, vertex: usize) -> [f32; 4] {
        if self.parts.colors.is_empty() { [1.0; 4] } else { self.parts.colors[vertex] }
    }

    /// The bitangent, in the direction of growing t: the cross product of normal and tangent, times the
    /// handedness.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn bitangent(&self, vertex: usize) -> [f32; 3] {
        let [x, y, z, handedness] = self.parts.tangents[vertex];
        let bitangent = vector(self.parts.normals[vertex]).cross(vector([x, y, z]));
        array(bitangent * f64::from(handedness))
    }

    /// The mesh as the vertices of a draw: TRIANGLES by index, with `v[OPOS]` = position, `v[NRML]` = normal,
    /// `v[COL0]` = colour, `v[TEX0]` = texture coordinates (s,t), `v[TEX1]` = tangent with the handedness in
    /// w, `v[TEX2]` = bitangent. The other attributes are (0,0,0,1). Copies all numbers.
    pub fn vertex_input(&self) -> VertexInput {
        let count = self.parts.positions.len();
        let bitangents: Vec<[f32; 3]> = (0..count).map(|vertex| self.bitangent(vertex)).collect();
        let mut attributes = [const { AttributeSource::Current(ArrayConversion::Float.fill()) }; 16];
        attributes[0] = array_of(&self.parts.positions);
        attributes[2] = array_of(&self.parts.normals);
        attributes[3] = match &self.parts.colors[..] {
            [] => AttributeSource::Current(single_bits([1.0; 4])),
            colors => array_of(colors),
        };
        attributes[8] = array_of(&self.parts.texcoords);
        attributes[9] = array_of(&self.parts.tangents);
        attributes[10] = array_of(&bitangents);
        let indices: Arc<[u32]> = self.parts.triangles.as_flattened().into();
        let elements = Elements::Indices { indices, restart: None };
        let edge_flags = EdgeFlags::Current(EdgeFlag::Boundary);
        let (primitive, patches) = (Primitive::Triangles, Patches::DEFAULT);
        VertexInput { attributes, edge_flags, primitive, patches, elements, instances: 1 }
    }

    /// Lowest and highest coordinates of the vertices; zeros for an empty mesh.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        let mut positions = self.parts.positions.iter();
        let Some(&first) = positions.next() else { return [[0.0; 3]; 2] };
        positions.fold([first, first], |[low, high], p| {
            [[0, 1, 2].map(|i| low[i].min(p[i])), [0, 1, 2].map(|i| high[i].max(p[i]))]
        })
    }
}

/// An array with one value per vertex.
fn array_of<const N: usize>(values: &[[f32; N]]) -> AttributeSource {
    let data = ArrayData::Float(values.as_flattened().into());
    AttributeSource::Array(AttributeArray::packed(data, N as u8))
}

/// Vertex normals: the mean of the triangles' normals, weighted by area. The z axis for vertices without a
/// normal.
fn normals(parts: &MeshParts) -> Vec<[f32; 3]> {
    let mut sums = vec![DVec3::ZERO; parts.positions.len()];
    for indices in &parts.triangles {
        let [a, b, c] = indices.map(|i| vector(parts.positions[i as usize]));
        let normal = (b - a).cross(c - a);
        for &i in indices {
            sums[i as usize] += normal;
        }
    }
    sums.into_iter().map(|sum| array(sum.try_normalize().unwrap_or(DVec3::Z))).collect()
}

/// Vertex tangents: the mean of the triangles' directions of growing s, made perpendicular to the normal. If
/// the texture coordinates do not define a direction, any perpendicular one.
fn tangents(parts: &MeshParts) -> Vec<[f32; 4]> {
    let mut sums = vec![(DVec3::ZERO, DVec3::ZERO); parts.positions.len()];
    for indices in &parts.triangles {
        let [a, b, c] = indices.map(|i| vector(parts.positions[i as usize]));
        let [ta, tb, tc] = indices.map(|i| parts.texcoords[i as usize].map(f64::from));
        let (s1, t1, s2, t2) = (tb[0] - ta[0], tb[1] - ta[1], tc[0] - ta[0], tc[1] - ta[1]);
        let determinant = s1 * t2 - s2 * t1;
        if determinant == 0.0 {
            continue;
        }
        // Weighted by area in space: the unit direction times the area.
        let area = (b - a).cross(c - a).length();
        let along_s = ((b - a) * t2 - (c - a) * t1) * determinant.signum();
        let along_t = ((c - a) * s1 - (b - a) * s2) * determinant.signum();
        for &i in indices {
            sums[i as usize].0 += along_s.normalize_or_zero() * area;
            sums[i as usize].1 += along_t.normalize_or_zero() * area;
        }
    }
    let tangent = |(normal, (along_s, along_t)): (&[f32; 3], &(DVec3, DVec3))| {
        let normal = vector(*normal);
        let square = normal.length_squared();
        let flat = if square > 0.0 { *along_s - normal * (normal.dot(*along_s) / square) } else { *along_s };
        let tangent = flat.try_normalize().unwrap_or_else(|| perpendicular(normal));
        let handedness = if normal.cross(tangent).dot(*along_t) < 0.0 { -1.0 } else { 1.0 };
        let [x, y, z] = array(tangent);
        [x, y, z, handedness]
    };
    parts.normals.iter().zip(&sums).map(tangent).collect()
}

fn perpendicular(normal: DVec3) -> DVec3 {
    let axis = if normal.x.abs() <= normal.y.abs().min(normal.z.abs()) { DVec3::X } else { DVec3::Y };
    (axis - normal * normal.dot(axis)).try_normalize().unwrap_or(DVec3::X)
}
