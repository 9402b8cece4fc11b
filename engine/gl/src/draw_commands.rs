//! The commands that draw: vertices one by one (glspec15 2.6.1, NV_primitive_restart), elements of arrays
//! (2.8) and rectangles (2.10). Each command creates a [`DrawCall`].

use super::enums::EnumArgument;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::attributes::{AttributeValue, alias, attribute_range};
use super::counted::Counted;
use super::error::{Error, ErrorCode, Result, named};
use super::immediate::Immediate;
use super::{Context, DrawCall};
use shadestep_core::pipeline::{
    AttributeSource, Cancelled, Elements, Framebuffer, Primitive, Stats, Threads, VertexInput,
    vertex_attributes,
};

const ARRAYS: &str = "glspec15 2.8";
const INSTANCED: &str = "EXT_draw_instanced 2.8";

/// Most elements of one draw. Each takes memory during the draw.
pub const MOST_ELEMENTS: u32 = 1 << 27;

/// Indices of elements, from the three types of `DrawElements`.
#[derive(Clone, Debug, PartialEq)]
pub struct Indices(Arc<[u32]>);

impl From<Arc<[u32]>> for Indices {
    fn from(indices: Arc<[u32]>) -> Self {
        Self(indices)
    }
}

impl From<&[u32]> for Indices {
    fn from(indices: &[u32]) -> Self {
        Self(indices.into())
    }
}

impl From<&[u16]> for Indices {
    fn from(indices: &[u16]) -> Self {
        Self(indices.iter().copied().map(u32::from).collect())
    }
}

impl From<&[u8]> for Indices {
    fn from(indices: &[u8]) -> Self {
        Self(indices.iter().copied().map(u32::from).collect())
    }
}

/// The destination of draws, with the threads to use and a cancel flag.
#[derive(Debug)]
pub struct Canvas<'a> {
    pub target: &'a mut Framebuffer,
    pub threads: &'a Threads,
    /// Cancels the draw when it becomes true.
    pub cancel: &'a AtomicBool,
}

/// The result of a draw that was allowed.
pub type Drawn = std::result::Result<Stats, Cancelled>;

impl Canvas<'_> {
    /// Renders a draw.
    ///
    /// # Errors
    /// `INVALID_OPERATION` as [`DrawCall::refuse_target`]; `Ok(Err(Cancelled))` as [`DrawCall::render`].
    pub fn render(&mut self, call: &DrawCall) -> Result<Drawn> {
        call.refuse_target(self.target)?;
        Ok(call.render(self.target, self.threads, self.cancel))
    }
}

/// The number, if it is not negative.
fn whole(number: i32, what: &str) -> Result<u32> {
    u32::try_from(number).map_err(|_| Error::invalid_value(ARRAYS, format!("{what} {number} is negative")))
}

/// Checks the number of elements against the limit.
fn bounded(count: usize) -> Result<()> {
    if count <= MOST_ELEMENTS as usize {
        return Ok(());
    }
    let reason = format!("{count} elements are more than can be drawn at once");
    Err(Error { code: ErrorCode::OutOfMemory, reason, clause: ARRAYS })
}

impl Context {
    /// `Begin`: later vertices form primitives, until [`Self::end`].
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown mode. `INVALID_OPERATION` in these cases:
    ///
    /// * Between begin and end.
    /// * The mode of a program is enabled and the bound program does not exist or is invalid.
    /// * The geometry program takes other primitives.
    /// * PATCHES are drawn and no program tessellates or reads them, or tessellation programs are active and
    ///   the mode is not PATCHES.
    /// * A blend function takes second colours while output colours go to other draw buffers than the first.
    pub fn begin(&mut self, mode: impl EnumArgument<Primitive>) -> Result<()> {
        self.command("Begin", |context| {
            let mode = named(mode, "glspec15 2.6.1", "mode")?;
            context.refuse_undrawable(mode)?;
            context.immediate = Some(Immediate::new(mode));
            Ok(())
        })
    }

    /// `PrimitiveRestartNV`: equivalent to end and begin with the same mode.
    ///
    /// # Errors
    /// `INVALID_OPERATION` outside begin and end.
    pub fn primitive_restart(&mut self) -> Result<()> {
        self.anywhere(Self::restart)
    }

    fn restart(&mut self) -> Result<()> {
        match &mut self.immediate {
            Some(immediate) => immediate.restart(),
            None => Err(Error::invalid_operation(
                "NV_primitive_restart 2.6.X",
                "PrimitiveRestartNV is allowed only between Begin and End",
            )),
        }
    }

    /// `ArrayElement`: copies an element of the enabled arrays to the current values. Attribute 0 makes a
    /// vertex. The restart index acts as [`Self::primitive_restart`] while PRIMITIVE_RESTART_NV is enabled.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `index` is negative or an enabled array does not have the element;
    /// `INVALID_OPERATION` if an enabled array has no data, and for the restart index outside begin and end.
    pub fn array_element(&mut self, index: i32) -> Result<()> {
        self.anywhere(|context| {
            let element = whole(index, "element")?;
            if context.arrays.restart() == Some(element) {
                return context.restart();
            }
            let attributes =
                context.arrays.sources(context.vertex_mode(), &context.attributes, &context.buffers)?;
            let edge_flags = context.arrays.edge_flags(context.edge_flag, &context.buffers)?;
            for (number, source) in attributes.iter().enumerate() {
                if let AttributeSource::Array(array) = source
                    && !array.has(element)
                {
                    let reason = format!("the array for attribute {number} has no element {element}");
                    return Err(Error::invalid_value(ARRAYS, reason));
                }
            }
            context.edge_flag = edge_flags.of(element);
            let elements = Elements::Range { first: element, count: 1 };
            let input = VertexInput {
                attributes,
                edge_flags,
                primitive: Primitive::Points,
                patches: context.patches,
                elements,
                instances: 1,
            };
            let values = vertex_attributes(&input, element, 0);
            // Attribute 0 last, because it makes the vertex.
            for place in (0..input.attributes.len()).rev() {
                if matches!(input.attributes[place], AttributeSource::Array(_)) {
                    context.set_attribute(place, values[place])?;
                }
            }
            Ok(())
        })
    }

    /// `End`: the vertices since begin, as a draw to render.
    ///
    /// # Errors
    /// `INVALID_OPERATION` without a begin.
    pub fn end(&mut self) -> Result<DrawCall> {
        self.anywhere(|context| match context.immediate.take() {
            Some(immediate) => context.draw_call(Some(immediate.into_input(context.patches))),
            None => Err(Error::invalid_operation("glspec15 2.6.1", "End without Begin")),
        })
    }

    /// `DrawArrays`: `count` elements of the enabled arrays from `first`, as a draw to render. Without an
    /// array for attribute 0, there are no vertices.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown mode, `INVALID_VALUE` if `first` or `count` is negative, `OUT_OF_MEMORY` for
    /// more than [`MOST_ELEMENTS`], and the errors of [`Self::begin`]; `INVALID_OPERATION` also if an enabled array
    /// has no data.
    pub fn prepare_arrays(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        first: i32,
        count: i32,
    ) -> Result<DrawCall> {
        self.command("DrawArrays", |context| {
            let mode = named(mode, ARRAYS, "mode")?;
            context.range_of(mode, [first, count])
        })
    }

    /// `DrawArraysInstanced`: [`Self::prepare_arrays`] for `instances` instances. Programs read the instance
    /// number (`vertex.instance`). An array with a divisor advances once per that many instances.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays`]; `INVALID_VALUE` also if `instances` is negative.
    pub fn prepare_arrays_instanced(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        [first, count]: [i32; 2],
        instances: i32,
    ) -> Result<DrawCall> {
        self.command("DrawArraysInstanced", |context| {
            let mode = named(mode, INSTANCED, "mode")?;
            let instances = whole(instances, "instance count")?;
            Ok(context.range_of(mode, [first, count])?.with_instances(instances))
        })
    }

    /// `DrawElementsInstanced`: [`Self::prepare_elements`] for `instances` instances.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays_instanced`].
    pub fn prepare_elements_instanced(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        indices: impl Into<Indices>,
        instances: i32,
    ) -> Result<DrawCall> {
        self.command("DrawElementsInstanced", |context| {
            let mode = named(mode, INSTANCED, "mode")?;
            let instances = whole(instances, "instance count")?;
            Ok(context.list_of(mode, indices.into())?.with_instances(instances))
        })
    }

    /// `VertexAttribDivisor`: the array of attribute `index` advances once per `divisor` instances, or once
    /// per vertex if `divisor` is 0.
    ///
    /// # Errors
    /// `INVALID_VALUE` if the index is greater than 15.
    pub fn vertex_attrib_divisor(&mut self, index: u32, divisor: u32) -> Result<()> {
        const CLAUSE: &str = "glspec40 2.8";
        self.command("VertexAttribDivisor", |context| {
            let place = attribute_range(index, 1, CLAUSE)?.start;
            context.arrays.attribute_mut(place).divisor = divisor;
            Ok(())
        })
    }

    /// `count` elements from `first`.
    pub(super) fn range_of(&self, mode: Primitive, [first, count]: [i32; 2]) -> Result<DrawCall> {
        let (first, count) = (whole(first, "first")?, whole(count, "count")?);
        bounded(count as usize)?;
        // ArrayElement restarts primitives too (NV_primitive_restart 2.8).
        let elements = match self.arrays.restart() {
            Some(index) if index >= first && index - first < count => {
                Elements::Indices { indices: (first..first + count).collect(), restart: Some(index) }
            }
            _ => Elements::Range { first, count },
        };
        self.draw_elements_of(mode, elements)
    }

    /// The elements with these indices.
    fn list_of(&self, mode: Primitive, Indices(indices): Indices) -> Result<DrawCall> {
        bounded(indices.len())?;
        self.draw_elements_of(mode, Elements::Indices { indices, restart: self.arrays.restart() })
    }

    /// `MultiDrawArrays`: a draw for each pair of first element and count. A count that is not positive draws
    /// nothing.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays`], for the first draw with an error. Then nothing is drawn.
    pub fn prepare_multi_arrays<'a>(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        ranges: impl Into<Counted<'a, [i32; 2]>>,
    ) -> Result<Vec<DrawCall>> {
        self.command("MultiDrawArrays", |context| {
            let mode = named(mode, ARRAYS, "mode")?;
            let ranges = ranges.into().values(ARRAYS)?.iter().filter(|[_, count]| *count > 0);
            ranges.map(|range| context.range_of(mode, *range)).collect()
        })
    }

    /// `MultiDrawElements`: a draw for each list of indices. An empty list draws nothing.
    ///
    /// # Errors
    /// As [`Self::prepare_multi_arrays`].
    pub fn prepare_multi_elements<'a>(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        lists: impl Into<Counted<'a, Indices>>,
    ) -> Result<Vec<DrawCall>> {
        self.command("MultiDrawElements", |context| {
            let mode = named(mode, ARRAYS, "mode")?;
            let lists = lists.into().values(ARRAYS)?.iter().filter(|Indices(indices)| !indices.is_empty());
            lists.map(|list| context.list_of(mode, list.clone())).collect()
        })
    }

    /// `DrawRangeElements`: [`Self::prepare_elements`] with all indices in `start` to `end`.
    ///
    /// # Errors
    /// As [`Self::prepare_elements`]; `INVALID_VALUE` also if `end` is less than `start`, and for an index
    /// outside the range that is not the restart index.
    pub fn prepare_range_elements(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        [start, end]: [u32; 2],
        indices: impl Into<Indices>,
    ) -> Result<DrawCall> {
        self.command("DrawRangeElements", |context| {
            let mode = named(mode, ARRAYS, "mode")?;
            if end < start {
                return Err(Error::invalid_value(
                    ARRAYS,
                    format!("the end {end} is before the start {start}"),
                ));
            }
            let indices = indices.into();
            let restart = context.arrays.restart();
            let outside = |&index: &u32| !(start..=end).contains(&index) && Some(index) != restart;
            if let Some(index) = indices.0.iter().copied().find(outside) {
                let reason = format!("element {index} is not between {start} and {end}");
                return Err(Error::invalid_value(ARRAYS, reason));
            }
            context.list_of(mode, indices)
        })
    }

    /// `Rect`: a polygon with two given opposite corners, as a draw to render.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn prepare_rect(&mut self, [x1, y1]: [f32; 2], [x2, y2]: [f32; 2]) -> Result<DrawCall> {
        self.command("Rect", |context| {
            context.refuse_undrawable(Primitive::Polygon)?;
            let mut rectangle = Immediate::new(Primitive::Polygon);
            for [x, y] in [[x1, y1], [x2, y1], [x2, y2], [x1, y2]] {
                let mut vertex = context.attributes;
                vertex[alias::POSITION] = [x, y].to_attribute();
                rectangle.push(vertex, context.edge_flag)?;
            }
            context.draw_call(Some(rectangle.into_input(context.patches)))
        })
    }

    /// `DrawElements`: the elements with these indices, as a draw to render.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays`].
    pub fn prepare_elements(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        indices: impl Into<Indices>,
    ) -> Result<DrawCall> {
        self.command("DrawElements", |context| {
            let mode = named(mode, ARRAYS, "mode")?;
            context.list_of(mode, indices.into())
        })
    }

    /// `DrawArrays` at once: [`Self::prepare_arrays`], then [`DrawCall::render`] on a canvas.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays`], and as [`Canvas::render`] says; `Ok(Err(Cancelled))` if rendering was cancelled.
    pub fn draw_arrays(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        first: i32,
        count: i32,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let call = self.prepare_arrays(mode, first, count)?;
        self.draw_at_once(vec![call], canvas)
    }

    /// `DrawElements` at once.
    ///
    /// # Errors
    /// As [`Self::draw_arrays`].
    pub fn draw_elements(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        indices: impl Into<Indices>,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let call = self.prepare_elements(mode, indices)?;
        self.draw_at_once(vec![call], canvas)
    }

    /// `DrawArraysInstanced` at once.
    ///
    /// # Errors
    /// As [`Self::prepare_arrays_instanced`], and as [`Canvas::render`] says; `Ok(Err(Cancelled))` if rendering was
    /// cancelled.
    pub fn draw_arrays_instanced(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        range: [i32; 2],
        instances: i32,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let call = self.prepare_arrays_instanced(mode, range, instances)?;
        self.draw_at_once(vec![call], canvas)
    }

    /// `DrawElementsInstanced` at once.
    ///
    /// # Errors
    /// As [`Self::draw_arrays_instanced`].
    pub fn draw_elements_instanced(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        indices: impl Into<Indices>,
        instances: i32,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let call = self.prepare_elements_instanced(mode, indices, instances)?;
        self.draw_at_once(vec![call], canvas)
    }

    /// `MultiDrawArrays` at once, one draw after the other, up to the first that is cancelled.
    ///
    /// # Errors
    /// As [`Self::prepare_multi_arrays`], and as [`Canvas::render`] says; `Ok(Err(Cancelled))` if rendering was cancelled.
    pub fn draw_multi_arrays<'a>(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        ranges: impl Into<Counted<'a, [i32; 2]>>,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let calls = self.prepare_multi_arrays(mode, ranges)?;
        self.draw_at_once(calls, canvas)
    }

    /// `MultiDrawElements` at once.
    ///
    /// # Errors
    /// As [`Self::draw_multi_arrays`].
    pub fn draw_multi_elements<'a>(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        lists: impl Into<Counted<'a, Indices>>,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let calls = self.prepare_multi_elements(mode, lists)?;
        self.draw_at_once(calls, canvas)
    }

    /// `DrawRangeElements` at once.
    ///
    /// # Errors
    /// As [`Self::draw_arrays`].
    pub fn draw_range_elements(
        &mut self,
        mode: impl EnumArgument<Primitive>,
        range: [u32; 2],
        indices: impl Into<Indices>,
        canvas: &mut Canvas<'_>,
    ) -> Result<Drawn> {
        let call = self.prepare_range_elements(mode, range, indices)?;
        self.draw_at_once(vec![call], canvas)
    }

    /// Renders draws in sequence and sums their counts. Each draw starts from the memory that the previous
    /// one left.
    ///
    /// # Errors
    /// As [`Canvas::render`], for the first draw that is refused or cancelled.
    fn draw_at_once(&mut self, calls: Vec<DrawCall>, canvas: &mut Canvas<'_>) -> Result<Drawn> {
        let mut all = Stats::default();
        for mut call in calls {
            self.renew(&mut call);
            match self.note(canvas.render(&call))? {
                Ok(stats) => all += stats,
                cancelled => return Ok(cancelled),
            }
            self.keep(&call);
        }
        Ok(Ok(all))
    }

    /// A rectangle that covers the window with one fragment per pixel, as a draw to render. No GL command
    /// draws it. The draw has no vertices and ignores vertex state.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if fragment program mode is enabled and the bound program does not exist, and for
    /// second colours as [`Self::begin`].
    pub fn prepare_viewport_quad(&mut self) -> Result<DrawCall> {
        self.command("Rect", |context| {
            context.refuse_second_colors_of_others()?;
            context.draw_call(None)
        })
    }
}
