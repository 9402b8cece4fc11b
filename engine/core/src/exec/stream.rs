//! The vertices that one invocation of a geometry program emits (NV_geometry_program4 2.14.6, NV_gpu_program5
//! 2.X.8.Z). `emissions` has the same for a block of lanes.

use shadestep_language::ir::{Components, Type, limits};

/// Vertices and ends of primitives, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// The results of all vertices, one vertex after the other.
    values: Vec<Components>,
    /// Number of results of a vertex.
    results: usize,
    marks: Vec<Mark>,
    vertices: usize,
}

/// One element of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A vertex.
    Vertex {
        /// The vertex stream of the vertex.
        stream: u8,
    },
    /// The end of a primitive.
    EndPrimitive,
}

/// How a result of an emitted vertex was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The type of the last write to each component; before the first write, the register's type.
    pub types: [Type; 4],
    /// Components that were written with a defined value (bit 0 = x).
    pub defined: u8,
}

impl Stream {
    /// Adds a vertex with these results to vertex stream `number` and returns its mark. Returns `None` if the
    /// stream does not exist or the invocation has already emitted `limit` vertices.
    pub(crate) fn vertex(
        &mut self,
        results: impl Iterator<Item = Components>,
        number: i32,
        limit: u32,
    ) -> Option<Mark> {
        let stream = u8::try_from(number).ok().filter(|&stream| stream < limits::VERTEX_STREAMS)?;
        if self.vertices >= (limit as usize).min(limits::OUTPUT_VERTICES) {
            return None;
        }
        let before = self.values.len();
        self.values.extend(results);
        self.results = self.values.len() - before;
        self.vertices += 1;
        let mark = Mark::Vertex { stream };
        self.marks.push(mark);
        Some(mark)
    }

    /// Ends the primitive. Does nothing for an empty primitive.
    pub(crate) fn end_primitive(&mut self) -> Option<Mark> {
        let mark = matches!(self.marks.last(), Some(Mark::Vertex { .. })).then_some(Mark::EndPrimitive)?;
        self.marks.push(mark);
        Some(mark)
    }

    /// Vertices and ends of primitives, in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Number of vertices.
    pub const fn len(&self) -> usize {
        self.vertices
    }

    /// Whether there are no vertices.
    pub const fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// The indices of the vertices in vertex stream `number`.
    pub fn vertices_of(&self, number: u8) -> impl Iterator<Item = usize> {
        let streams = self.marks.iter().filter_map(|mark| match mark {
            Mark::Vertex { stream } => Some(*stream),
            Mark::EndPrimitive => None,
        });
        streams.enumerate().filter(move |(_, stream)| *stream == number).map(|(vertex, _)| vertex)
    }

    /// The results of vertex `number`, as [`shadestep_language::ir::Program::outputs`] lists them.
    pub fn results(&self, number: usize) -> &[Components] {
        let first = number * self.results;
        self.values.get(first..first + self.results).unwrap_or_default()
    }

    /// Heap memory in bytes.
    pub(super) fn bytes_behind(&self) -> usize {
        self.values.len() * size_of::<Components>() + self.marks.len() * size_of::<Mark>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emit(stream: &mut Stream, value: u64, number: i32, limit: u32) -> Option<Mark> {
        stream.vertex([[value; 4], [value + 1; 4]].into_iter(), number, limit)
    }

    #[test]
    fn vertices_keep_their_results_and_their_order() {
        let mut stream = Stream::default();
        assert_eq!(stream.end_primitive(), None, "there is no vertex to end");
        emit(&mut stream, 10, 0, 8);
        emit(&mut stream, 20, 3, 8);
        assert_eq!(stream.end_primitive(), Some(Mark::EndPrimitive));
        assert_eq!(stream.end_primitive(), None);
        emit(&mut stream, 30, 0, 8);
        let [zero, three] = [0, 3].map(|stream| Mark::Vertex { stream });
        assert_eq!(stream.marks(), [zero, three, Mark::EndPrimitive, zero]);
        assert_eq!(stream.vertices_of(0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(stream.results(1), [[20; 4], [21; 4]]);
        assert_eq!(stream.results(2), [[30; 4], [31; 4]]);
        assert!(stream.results(3).is_empty());
    }

    #[test]
    fn there_are_no_more_vertices_than_declared_and_no_other_streams() {
        let mut stream = Stream::default();
        assert_eq!(emit(&mut stream, 1, -1, 2), None);
        assert_eq!(emit(&mut stream, 1, limits::VERTEX_STREAMS.into(), 2), None);
        assert!(stream.is_empty());
        assert!(emit(&mut stream, 1, 0, 2).is_some() && emit(&mut stream, 2, 0, 2).is_some());
        assert_eq!(emit(&mut stream, 3, 0, 2), None);
        assert_eq!((stream.len(), stream.marks().len()), (2, 2));
        let mut stream = Stream::default();
        let emitted = (0..2000).filter(|&n| emit(&mut stream, n, 0, u32::MAX).is_some()).count();
        assert_eq!(emitted, limits::OUTPUT_VERTICES);
    }
}
