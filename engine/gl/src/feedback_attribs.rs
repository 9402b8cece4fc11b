//! The attribute lists of transform feedback: which vertex results are recorded, as commands give them
//! (NV_transform_feedback 2.Y and table X.2, ARB_transform_feedback3).

use super::enums::{self, GLenum};
use super::error::{Error, Result};
use shadestep_core::pipeline::Recorded;
use shadestep_language::ir::{VertexResult, limits};

pub(super) const ATTRIBS: &str = "ARB_transform_feedback3 Errors";

/// Number of binding points: `MAX_TRANSFORM_FEEDBACK_BUFFERS`.
pub(super) const BUFFERS: usize = 4;
/// `MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS`
pub(super) const SEPARATE_ATTRIBS: usize = 4;
/// Most components for one binding point: `MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS`.
pub(super) const INTERLEAVED_COMPONENTS: usize = 128;
/// `MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS`
pub(super) const SEPARATE_COMPONENTS: usize = 4;

/// Special values of `attribs`: switch to the next binding point, or skip 1 to 4 components.
pub const NEXT_BUFFER_NV: i32 = -2;
/// See [`NEXT_BUFFER_NV`].
pub const SKIP_COMPONENTS4_NV: i32 = -3;
/// See [`NEXT_BUFFER_NV`].
pub const SKIP_COMPONENTS3_NV: i32 = -4;
/// See [`NEXT_BUFFER_NV`].
pub const SKIP_COMPONENTS2_NV: i32 = -5;
/// See [`NEXT_BUFFER_NV`].
pub const SKIP_COMPONENTS1_NV: i32 = -6;

enums::gl_enums! {
    /// Distribution of recorded results over binding points.
    #[derive(Default)]
    pub enum FeedbackMode {
        /// Results follow each other; NEXT_BUFFER_NV switches to the next point.
        #[default]
        Interleaved = INTERLEAVED_ATTRIBS,
        /// Each result goes to its own point.
        Separate = SEPARATE_ATTRIBS,
    }
}

/// A kind of attribute that can be recorded (table X.2): its constant, most components, number of attributes,
/// and vertex result.
type Kind = (GLenum, u8, u32, fn(u8) -> VertexResult);

const KINDS: [Kind; 13] = [
    (enums::POSITION, 4, 1, |_| VertexResult::Hpos),
    (enums::PRIMARY_COLOR, 4, 1, |_| VertexResult::Col0),
    (enums::SECONDARY_COLOR_NV, 4, 1, |_| VertexResult::Col1),
    (enums::BACK_PRIMARY_COLOR_NV, 4, 1, |_| VertexResult::Bfc0),
    (enums::BACK_SECONDARY_COLOR_NV, 4, 1, |_| VertexResult::Bfc1),
    (enums::FOG_COORDINATE, 1, 1, |_| VertexResult::Fogc),
    (enums::POINT_SIZE, 1, 1, |_| VertexResult::Psiz),
    (enums::TEXTURE_COORD_NV, 4, limits::TEXTURE_COORDS as u32, VertexResult::Tex),
    (enums::CLIP_DISTANCE_NV, 1, limits::CLIP_DISTANCES as u32, VertexResult::Clp),
    (enums::VERTEX_ID_NV, 1, 1, |_| VertexResult::Id),
    (enums::PRIMITIVE_ID_NV, 1, 1, |_| VertexResult::PrimitiveId),
    (enums::GENERIC_ATTRIB_NV, 4, limits::GENERIC_INTERPOLANTS as u32, VertexResult::Generic),
    (enums::LAYER_NV, 1, 1, |_| VertexResult::Layer),
];

/// Parses an entry of `attribs`; `None` for NEXT_BUFFER_NV.
fn entry([attrib, components, index]: [i32; 3]) -> Result<Option<Recorded>> {
    match attrib {
        NEXT_BUFFER_NV => return Ok(None),
        SKIP_COMPONENTS1_NV => return Ok(Some(Recorded::Skipped(1))),
        SKIP_COMPONENTS2_NV => return Ok(Some(Recorded::Skipped(2))),
        SKIP_COMPONENTS3_NV => return Ok(Some(Recorded::Skipped(3))),
        SKIP_COMPONENTS4_NV => return Ok(Some(Recorded::Skipped(4))),
        _ => {}
    }
    let kind = KINDS.iter().find(|(constant, ..)| i64::from(*constant) == i64::from(attrib));
    let Some((_, most, count, result)) = kind else {
        return Err(Error::invalid_enum(ATTRIBS, format!("no attribute {attrib:#x} can be recorded")));
    };
    let recorded = u8::try_from(components).ok().filter(|components| (1..=*most).contains(components));
    let recorded = recorded.ok_or_else(|| {
        Error::invalid_value(ATTRIBS, format!("an attribute has 1 to {most} components, not {components}"))
    })?;
    // The index is ignored for attributes that exist once.
    let index = if *count == 1 { 0 } else { index };
    let number = u8::try_from(index).ok().filter(|number| u32::from(*number) < *count);
    let number = number.ok_or_else(|| {
        Error::invalid_value(
            ATTRIBS,
            format!("there is no attribute {index} of this kind; the number of them is {count}"),
        )
    })?;
    Ok(Some(Recorded::Result(result(number), recorded)))
}

/// An entry as queries return it: without an index if the attribute exists once (NV_transform_feedback
/// 6.1.14).
pub(super) fn queried([attrib, components, index]: [i32; 3]) -> [i32; 3] {
    let is_one = |(constant, _, count, _): &Kind| i64::from(*constant) == i64::from(attrib) && *count == 1;
    [attrib, components, if KINDS.iter().any(is_one) { 0 } else { index }]
}

/// The results for each binding point.
pub(super) fn record(attribs: &[[i32; 3]], mode: FeedbackMode) -> Result<Vec<Vec<Recorded>>> {
    let entries = attribs.iter().map(|attrib| entry(*attrib)).collect::<Result<Vec<_>>>()?;
    let refused = |reason: String| Err(Error::invalid_operation(ATTRIBS, reason));
    let points: Vec<Vec<Recorded>> = match mode {
        FeedbackMode::Separate => {
            if let Some(place) = entries.iter().position(|entry| !matches!(entry, Some(Recorded::Result(..))))
            {
                return refused(format!("entry {place} is allowed only with INTERLEAVED_ATTRIBS"));
            }
            if entries.len() > SEPARATE_ATTRIBS {
                return refused(format!(
                    "{} attributes are too many: the limit is {SEPARATE_ATTRIBS}",
                    entries.len()
                ));
            }
            entries.iter().flatten().map(|entry| vec![*entry]).collect()
        }
        FeedbackMode::Interleaved => {
            entries.split(Option::is_none).map(|point| point.iter().flatten().copied().collect()).collect()
        }
    };
    if points.len() > BUFFERS {
        return refused(format!("{} binding points are too many: the limit is {BUFFERS}", points.len()));
    }
    let words = |point: &Vec<Recorded>| point.iter().map(|part| usize::from(part.words())).sum::<usize>();
    match points.iter().map(words).max() {
        Some(most) if most > INTERLEAVED_COMPONENTS => refused(format!(
            "{most} components for one buffer are too many: the limit is {INTERLEAVED_COMPONENTS}"
        )),
        _ => Ok(points),
    }
}

/// The entry of `attribs` for a recorded result; `None` if the list cannot name it.
pub fn feedback_attrib(recorded: Recorded) -> Option<[i32; 3]> {
    let skipped = [SKIP_COMPONENTS1_NV, SKIP_COMPONENTS2_NV, SKIP_COMPONENTS3_NV, SKIP_COMPONENTS4_NV];
    let (wanted, components) = match recorded {
        Recorded::Skipped(words) => return Some([*skipped.get(usize::from(words).checked_sub(1)?)?, 0, 0]),
        Recorded::Result(result, components) => (result, components),
    };
    KINDS.iter().find_map(|(constant, most, count, result)| {
        let number = (0..*count as u8).find(|number| result(*number) == wanted)?;
        (1..=*most).contains(&components).then_some([*constant as i32, components.into(), number.into()])
    })
}
