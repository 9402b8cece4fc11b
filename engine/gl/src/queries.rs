//! Query objects: the number of primitives generated, and of primitives that transform feedback recorded
//! (glspec40 2.18, 2.21, ARB_transform_feedback3). Occlusion and timer queries are not supported.

use super::counted::Counted;
use super::enums::EnumArgument;
use super::error::{Error, Result, named};
use super::names::Names;
use super::{Context, enums};
use shadestep_core::pipeline::{STREAMS, Stats};

const CLAUSE: &str = "glspec40 2.18";
const QUERY: &str = "glspec40 6.1.13";

enums::gl_enums! {
    /// The counter of a query.
    pub enum QueryTarget {
        PrimitivesGenerated = PRIMITIVES_GENERATED,
        PrimitivesWritten = TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
    }
}

/// A query object. Its result is available when the query has ended.
#[derive(Clone, Copy, Debug)]
struct Object {
    target: QueryTarget,
    result: u64,
}

/// An active query: the name of its object, the count so far, and whether the object still exists.
#[derive(Clone, Copy, Debug)]
struct Active {
    name: u32,
    count: u64,
    is_deleted: bool,
}

/// All query objects of a context, and the active queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Queries {
    /// Names from GenQueries that no query has used have no object.
    names: Names<Option<Object>>,
    active: [[Option<Active>; STREAMS]; 2],
}

impl Queries {
    /// Adds the counts of a draw.
    pub fn count(&mut self, stats: &Stats) {
        for (active, counts) in self.active.iter_mut().zip([stats.generated, stats.recorded]) {
            for (active, count) in active.iter_mut().zip(counts) {
                if let Some(active) = active {
                    active.count += count;
                }
            }
        }
    }

    fn is_active(&self, name: u32) -> bool {
        self.active.iter().flatten().flatten().any(|active| active.name == name && !active.is_deleted)
    }
}

/// Index of a vertex stream.
///
/// # Errors
/// `INVALID_VALUE` if the stream does not exist.
pub(super) fn stream(number: impl Into<i64>, clause: &'static str) -> Result<usize> {
    let number = number.into();
    let place = usize::try_from(number).ok().filter(|place| *place < STREAMS);
    place.ok_or_else(|| Error::invalid_value(clause, format!("there is no vertex stream {number}")))
}

/// Query objects.
impl Context {
    /// `GenQueries`: `n` unused names.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million names.
    pub fn gen_queries(&mut self, n: i32) -> Result<Vec<u32>> {
        self.command("GenQueries", |context| context.queries.names.generate(n, CLAUSE, || None))
    }

    /// `DeleteQueries`: frees the names. Unused names are ignored. An active query continues.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count.
    pub fn delete_queries<'a>(&mut self, ids: impl Into<Counted<'a, u32>>) -> Result<()> {
        self.command("DeleteQueries", |context| {
            for &name in ids.into().values(CLAUSE)? {
                context.queries.names.remove(name);
                for active in context.queries.active.as_flattened_mut().iter_mut().flatten() {
                    active.is_deleted |= active.name == name;
                }
            }
            Ok(())
        })
    }

    /// `IsQuery`: whether a query object with this name exists. Between begin and end, returns false and
    /// stores an error.
    pub fn is_query(&self, id: u32) -> bool {
        self.query("IsQuery", || Ok(self.queries.names.has_object(id))).unwrap_or(false)
    }

    /// `BeginQueryIndexed`: starts counting for vertex stream `index`. [`Self::begin_query`] is for stream 0.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_VALUE` if the stream does not exist,
    /// `INVALID_OPERATION` if the name is 0, its object has another target or is active, or a query of the
    /// target and stream is active.
    pub fn begin_query_indexed(
        &mut self,
        target: impl EnumArgument<QueryTarget>,
        index: u32,
        id: u32,
    ) -> Result<()> {
        self.command("BeginQueryIndexed", |context| {
            let target = named(target, CLAUSE, "target")?;
            let place = stream(index, CLAUSE)?;
            let queries = &mut context.queries;
            let refused = |reason: String| Err(Error::invalid_operation(CLAUSE, reason));
            if id == 0 {
                return refused("0 is not a query object".to_owned());
            }
            if queries.active[target as usize][place].is_some() {
                return refused(format!("a query for this target and stream {index} is already active"));
            }
            if queries.is_active(id) {
                return refused(format!("query {id} is active"));
            }
            match queries.names.get(id).copied().flatten() {
                Some(object) if object.target != target => {
                    return refused(format!("query {id} is for another target"));
                }
                Some(_) => {}
                None => queries.names.insert(id, Some(Object { target, result: 0 })),
            }
            queries.active[target as usize][place] = Some(Active { name: id, count: 0, is_deleted: false });
            Ok(())
        })
    }

    /// `BeginQuery`: [`Self::begin_query_indexed`] for stream 0.
    ///
    /// # Errors
    /// As [`Self::begin_query_indexed`].
    pub fn begin_query(&mut self, target: impl EnumArgument<QueryTarget>, id: u32) -> Result<()> {
        self.begin_query_indexed(target, 0, id)
    }

    /// `EndQueryIndexed`: stops counting and stores the result in the object.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_VALUE` if the stream does not exist,
    /// `INVALID_OPERATION` if no query is active.
    pub fn end_query_indexed(&mut self, target: impl EnumArgument<QueryTarget>, index: u32) -> Result<()> {
        self.command("EndQueryIndexed", |context| {
            let target = named(target, CLAUSE, "target")?;
            let place = stream(index, CLAUSE)?;
            let Some(active) = context.queries.active[target as usize][place].take() else {
                return Err(Error::invalid_operation(
                    CLAUSE,
                    "no query for this target and stream is active",
                ));
            };
            if !active.is_deleted {
                context.queries.names.insert(active.name, Some(Object { target, result: active.count }));
            }
            Ok(())
        })
    }

    /// `EndQuery`: [`Self::end_query_indexed`] for stream 0.
    ///
    /// # Errors
    /// As [`Self::end_query_indexed`].
    pub fn end_query(&mut self, target: impl EnumArgument<QueryTarget>) -> Result<()> {
        self.end_query_indexed(target, 0)
    }

    /// `GetQueryIndexediv` of `CURRENT_QUERY` and `QUERY_COUNTER_BITS`: the name of the active query, or 0;
    /// and 64.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_VALUE` if the stream does not exist.
    pub fn get_query(&self, target: impl EnumArgument<QueryTarget>, index: u32) -> Result<(u32, u32)> {
        self.query("GetQueryIndexediv", || {
            let target = named(target, QUERY, "target")?;
            let active = self.queries.active[target as usize][stream(index, QUERY)?];
            Ok((active.map_or(0, |active| active.name), u64::BITS))
        })
    }

    /// `GetQueryObjectui64v` of `QUERY_RESULT`, which is available once the query has ended.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the object does not exist, and while it is active.
    pub fn get_query_object(&self, id: u32) -> Result<u64> {
        self.query("GetQueryObjectui64v", || {
            if self.queries.is_active(id) {
                return Err(Error::invalid_operation(QUERY, format!("query {id} is active")));
            }
            let object = self.queries.names.get(id).copied().flatten();
            let none = || Error::invalid_operation(QUERY, format!("there is no query {id}"));
            object.map(|object| object.result).ok_or_else(none)
        })
    }
}
