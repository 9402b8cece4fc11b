//! Vertices given one by one between begin and end (glspec15 2.6.1, NV_primitive_restart 2.6.X).

use super::attributes::Attributes;
use super::error::{Error, ErrorCode, Result};
use shadestep_core::pipeline::{
    ArrayConversion, ArrayData, AttributeArray, AttributeSource, EdgeFlag, EdgeFlags, Elements, Patches,
    Primitive, VertexInput,
};

/// Most vertices and restarts between begin and end.
const MOST_ELEMENTS: usize = 1 << 24;

/// The index that marks a restart. It exceeds every vertex index.
const RESTART: u32 = u32::MAX;

/// The vertices since begin.
#[derive(Clone, Debug)]
pub(super) struct Immediate {
    primitive: Primitive,
    vertices: Vec<Attributes>,
    /// One edge flag per vertex.
    edge_flags: Vec<EdgeFlag>,
    /// Vertex indices with [`RESTART`] between primitives; `None` until the first restart.
    elements: Option<Vec<u32>>,
}

impl Immediate {
    pub const fn new(primitive: Primitive) -> Self {
        Self { primitive, vertices: Vec::new(), edge_flags: Vec::new(), elements: None }
    }

    fn room(&self) -> Result<()> {
        let held = self.elements.as_ref().map_or(self.vertices.len(), Vec::len);
        if held < MOST_ELEMENTS {
            return Ok(());
        }
        let reason = format!("at most {MOST_ELEMENTS} vertices are allowed between Begin and End");
        Err(Error { code: ErrorCode::OutOfMemory, reason, clause: "glspec15 2.6.1" })
    }

    /// Adds a vertex with these attributes. `edge_flag` is the flag of the edge that begins there.
    pub fn push(&mut self, vertex: Attributes, edge_flag: EdgeFlag) -> Result<()> {
        self.room()?;
        if let Some(elements) = &mut self.elements {
            elements.push(self.vertices.len() as u32);
        }
        self.vertices.push(vertex);
        self.edge_flags.push(edge_flag);
        Ok(())
    }

    /// Restarts the primitive.
    pub fn restart(&mut self) -> Result<()> {
        self.room()?;
        let count = self.vertices.len() as u32;
        self.elements.get_or_insert_with(|| (0..count).collect()).push(RESTART);
        Ok(())
    }

    /// The vertices in the pipeline's form. Attributes that never changed are constant, not arrays.
    pub fn into_input(self, patches: Patches) -> VertexInput {
        let vertices = &self.vertices;
        let attributes = std::array::from_fn(|number| {
            let first = vertices.first().map_or([0; 4], |vertex| vertex[number]);
            if number != 0 && vertices.iter().all(|vertex| vertex[number] == first) {
                return AttributeSource::Current(first);
            }
            // The bits, whatever the type of the attribute.
            let bits = vertices.iter().flat_map(|vertex| vertex[number]);
            let array = AttributeArray::packed(ArrayData::UnsignedInt64(bits.collect()), 4);
            AttributeSource::Array(AttributeArray { conversion: ArrayConversion::Long, ..array })
        });
        let elements = match self.elements {
            Some(indices) => Elements::Indices { indices: indices.into(), restart: Some(RESTART) },
            None => Elements::Range { first: 0, count: self.vertices.len() as u32 },
        };
        let first = self.edge_flags.first().copied().unwrap_or_default();
        let edge_flags = if self.edge_flags.iter().all(|flag| *flag == first) {
            EdgeFlags::Current(first)
        } else {
            let flags = self.edge_flags.iter().map(|flag| u8::from(*flag == EdgeFlag::Boundary));
            EdgeFlags::Array { flags: flags.collect(), stride: 1, offset: 0 }
        };
        VertexInput { attributes, edge_flags, primitive: self.primitive, patches, elements, instances: 1 }
    }
}
