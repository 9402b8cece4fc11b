//! Query objects: how many primitives came to transform feedback, and how many it recorded (glspec40 2.18, 2.21,
//! ARB_transform_feedback3). Occlusion and timer queries are not here.

use super::counted::Counted;
use super::enums::EnumArgument;
use super::error::{Error, Result, named};
use super::names::Names;
use super::{Context, enums};
use shadestep_core::pipeline::{STREAMS, Stats};

const CLAUSE: &str = "glspec40 2.18";
const QUERY: &str = "glspec40 6.1.13";

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueryTarget {
    /// `PRIMITIVES_GENERATED`
    PrimitivesGenerated,
    /// `TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN`
    PrimitivesWritten,
}

enums::conversions! {
    QueryTarget {
        PrimitivesGenerated = PRIMITIVES_GENERATED,
        PrimitivesWritten = TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
    }
}

/// A query object. Results are there when a query ends.
#[derive(Clone, Copy, Debug)]
struct Object {
    target: QueryTarget,
    result: u64,
}

/// A query that is active: the name of its object, what was counted, and whether the name is still its.
#[derive(Clone, Copy, Debug)]
struct Active {
    name: u32,
    count: u64,
    is_deleted: bool,
}

/// All query objects of a context, and which are active.
#[derive(Clone, Debug, Default)]
pub(super) struct Queries {
    /// Those that were given out and not begun yet have no object.
    names: Names<Option<Object>>,
    active: [[Option<Active>; STREAMS]; 2],
}

impl Queries {
    /// Counts a draw.
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

/// A vertex stream by its number.
///
/// # Errors
/// `INVALID_VALUE` if there is no such.
pub(super) fn stream(number: impl Into<i64>, clause: &'static str) -> Result<usize> {
    let number = number.into();
    let place = usize::try_from(number).ok().filter(|place| *place < STREAMS);
    place.ok_or_else(|| Error::invalid_value(clause, format!("there is no vertex stream {number}")))
}

/// Query objects.
impl Context {
    /// `GenQueries`: `n` names that no query object has.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million names.
    pub fn gen_queries(&mut self, n: i32) -> Result<Vec<u32>> {
        self.command("GenQueries", |context| context.queries.names.generate(n, CLAUSE, || None))
    }

    /// `DeleteQueries`: the names are unused again; names that are not in use are passed over. A query that is active goes on.
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

    /// `IsQuery`: whether a query object of this name exists. Between begin and end: false, and an error.
    pub fn is_query(&self, id: u32) -> bool {
        self.query("IsQuery", || Ok(self.queries.names.has_object(id))).unwrap_or(false)
    }

    /// `BeginQueryIndexed`: what is drawn from now on is counted of vertex stream `index`. [`Self::begin_query`] is for stream 0.
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target, `INVALID_VALUE` if there is no such stream, `INVALID_OPERATION` if the name is 0, its object
    /// is of another target or active, and if a query of the target and stream is active.
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

    /// `BeginQuery`: as [`Self::begin_query_indexed`], of stream 0.
    ///
    /// # Errors
    /// As there.
    pub fn begin_query(&mut self, target: impl EnumArgument<QueryTarget>, id: u32) -> Result<()> {
        self.begin_query_indexed(target, 0, id)
    }

    /// `EndQueryIndexed`: the object has the result.
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target, `INVALID_VALUE` if there is no such stream, `INVALID_OPERATION` if none is active.
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

    /// `EndQuery`: as [`Self::end_query_indexed`], of stream 0.
    ///
    /// # Errors
    /// As there.
    pub fn end_query(&mut self, target: impl EnumArgument<QueryTarget>) -> Result<()> {
        self.end_query_indexed(target, 0)
    }

    /// `GetQueryIndexediv` of `CURRENT_QUERY` and `QUERY_COUNTER_BITS`: the name of the query that is active, or 0; and 64.
    ///
    /// # Errors
    /// `INVALID_ENUM` for another target, `INVALID_VALUE` if there is no such stream.
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
    /// `INVALID_OPERATION` if there is no such object, and while it is active.
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
