//! `[[feedback]]` of `scene.toml`: transform feedback, which records vertices into buffers.

use super::SceneBuffer;
use super::SceneError;
use super::buffers;
use super::read::{Entry, Table};
use super::schema::{Kind, Schema, Shape, Text, Whole, schema};
use shadestep_engine::gl::{Limit, feedback_attrib};
use shadestep_engine::ir::VertexResult;
use shadestep_engine::ir::limits::VERTEX_STREAMS;
use shadestep_engine::isa::Language;
use shadestep_engine::pipeline::Recorded;

/// A recording into a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneFeedback {
    /// The number of the buffer in the scene.
    pub buffer: usize,
    /// The vertex stream.
    pub stream: u8,
    /// The results of each vertex that are recorded.
    pub record: Vec<Recorded>,
}

/// Reads every `[[feedback]]`.
pub(super) fn feedback(
    tables: &[Table<'_>],
    buffers: &[SceneBuffer],
) -> Result<Vec<SceneFeedback>, SceneError> {
    let mut all: Vec<SceneFeedback> = Vec::with_capacity(tables.len());
    for table in tables {
        let one = one(table, buffers)?;
        if all.len() as i64 == Limit::TransformFeedbackBuffers.value() {
            return Err(
                table.error(format!("transform feedback can record into at most {} buffers", all.len()))
            );
        }
        if all.iter().any(|other| other.buffer == one.buffer) {
            let name = &buffers[one.buffer].name;
            return Err(
                table.error_at("buffer", format!("another [[feedback]] already records into \"{name}\""))
            );
        }
        all.push(one);
    }
    Ok(all)
}

/// A recording as the text has it.
pub(super) struct Given {
    buffer: String,
    stream: u8,
    record: Vec<Recorded>,
}

/// `[[feedback]]`.
pub(super) static FEEDBACK: Schema<Given> = schema! { Given, "in [[feedback]]";
    "buffer": Text("text"), [buffer], needs "the feedback needs buffer = \"NAME\", the name of a [[buffer]]",
        "Name of the `[[buffer]]` to record into.";
    "stream": Whole::<u8>::new(0, VERTEX_STREAMS as u32 - 1), [stream], "`0`",
        "Vertex stream of a geometry program, as in EMITS.";
    "results": Results, [record],
        needs "the feedback needs results = [\"position\", ...]: the results to record of each vertex",
        "Results to record for each vertex, in order.";
};

fn one(table: &Table<'_>, buffers: &[SceneBuffer]) -> Result<SceneFeedback, SceneError> {
    let mut given = Given { buffer: String::new(), stream: 0, record: Vec::new() };
    FEEDBACK.read(table, &mut given)?;
    let buffer = buffers::named(&given.buffer, buffers, |words| table.error_at("buffer", words))?;
    Ok(SceneFeedback { buffer, stream: given.stream, record: given.record })
}

struct Results;

impl Kind for Results {
    type Value = Vec<Recorded>;

    fn read(&self, entry: &Entry<'_>) -> Result<Vec<Recorded>, SceneError> {
        let most = Limit::TransformFeedbackInterleavedComponents.value() as usize;
        let names = entry.strings(1..=most, "results such as \"position.xyz\" in brackets")?;
        let record = names.into_iter().map(|name| recorded(entry, name)).collect::<Result<Vec<_>, _>>()?;
        let words: usize = record.iter().map(|part| usize::from(part.words())).sum();
        if words > most {
            return Err(entry.error(format!(
                "{words} components per vertex are too many; at most {most} can be recorded"
            )));
        }
        Ok(record)
    }

    fn shape(&self) -> Shape {
        Shape::Text("text").array(1, usize::MAX).called("texts")
    }
}

/// Parses `position.xyz`, `texcoord[2]` or `skip(1)`.
fn recorded(entry: &Entry<'_>, name: &str) -> Result<Recorded, SceneError> {
    if let Some(count) = name.strip_prefix("skip(").and_then(|rest| rest.strip_suffix(')')) {
        let count = count.trim().parse().ok().filter(|count| (1..=4).contains(count));
        let wrong = || entry.error(format!("\"{name}\" must skip 1 to 4 components"));
        return count.map(Recorded::Skipped).ok_or_else(wrong);
    }
    let bare = name.strip_prefix("result.").unwrap_or(name);
    let suffixes = [(1, ".x"), (2, ".xy"), (3, ".xyz"), (4, ".xyzw")];
    let given = suffixes.into_iter().find_map(|(count, suffix)| Some((bare.strip_suffix(suffix)?, count)));
    let (bare, components) = given.map_or((bare, None), |(bare, count)| (bare, Some(count)));
    let bare = match bare {
        "color.primary" | "color.front" | "color.front.primary" => "color",
        "color.front.secondary" => "color.secondary",
        "color.back.primary" => "color.back",
        bare => bare,
    };
    let binding = |result: &VertexResult| result.register_in(Language::NvGp5);
    let is_named = |result: &VertexResult| binding(result).strip_prefix("result.") == Some(bare);
    let Some(result) = VertexResult::ALL.into_iter().find(is_named) else {
        let all = VertexResult::ALL.map(|result| binding(&result).replacen("result.", "", 1));
        return Err(entry.unknown_word(name, all.iter().map(String::as_str)));
    };
    let can_be = |components: &u8| feedback_attrib(Recorded::Result(result, *components)).is_some();
    match components {
        Some(count) if !can_be(&count) => {
            Err(entry.error(format!("\"{name}\" has only one component: write \"{bare}\"")))
        }
        Some(count) => Ok(Recorded::Result(result, count)),
        None => Ok(Recorded::Result(result, if can_be(&4) { 4 } else { 1 })),
    }
}
