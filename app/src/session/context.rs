//! Turns a scene into a draw: loads its programs into a [`gl::Context`] and sets the state of a frame there.
//! Scenes reach the renderer only through the context.

use super::lighting;
use super::matrices::{Matrices, matrices};
use super::{Job, RenderError, evaluate};
use crate::scene::{
    ArrayInBuffer, Component, DEFAULT_P0, FrameTexture, Half, ImageUnit, MatrixName, NumberType,
    ParameterKey, Programs, Scene, SceneImage, SceneTexture, Slot, VertexArrays, default_texture,
    parameter_key,
};
use shadestep_engine::gl::{
    self, BufferTarget, BufferUsage, Cap, ClientState, Context, CoverageInversion, DrawBuffer, DrawCall,
    FeedbackMode, Mask, Matrix, MatrixMode, PatchLevels, PatchNumber, TrackedMatrix, Transform,
};
use shadestep_engine::ir::limits::CLIP_PLANES;
use shadestep_engine::ir::{ParameterSource, Program, TextureTarget};
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{
    ArrayConversion, AttributeSource, CullFace, Elements, Layers, MultisampleState, Patches, PolygonMode,
    Primitive, RasterState, SampleCoverage, Stencil,
};
use shadestep_engine::texture::{Format, Image, Level, Texture, TextureError};
use std::sync::{Arc, LazyLock};

/// The vertex program of scenes without one.
pub(super) const BUILT_IN: &str = include_str!("built_in.vp");

/// The first register that [`BUILT_IN`] reads, far from the registers that scenes set.
const BUILT_IN_REGISTERS: u32 = 240;

/// A context with [`BUILT_IN`] loaded as the vertex program.
static INITIAL: LazyLock<gl::Result<Context>> = LazyLock::new(|| {
    let mut context = Context::new();
    context.load_program(Stage::Vertex, BUILT_IN_ID, BUILT_IN.as_bytes())?;
    Ok(context)
});

/// Name of [`BUILT_IN`] in the context.
const BUILT_IN_ID: u32 = 1;

/// Returns the name of a scene's program in the context.
pub(super) fn program_id(slot: Slot) -> u32 {
    match slot {
        Slot::Vertex => 2,
        Slot::Fragment => 3,
        Slot::Geometry => 4,
        Slot::TessControl => 5,
        Slot::TessEvaluation => 6,
        Slot::State(n) => 7 + u32::from(n),
    }
}

/// Returns a context without a scene's programs.
pub(super) fn initial() -> Context {
    INITIAL.as_ref().map_or_else(|_| Context::new(), Context::clone)
}

/// Returns the draw of a frame and the context that made it.
///
/// # Errors
/// The object model refuses a setting of the scene; the message is the object model's.
pub(super) fn set_up(
    context: &Context,
    programs: &Programs<()>,
    job: &Job,
) -> Result<(Context, DrawCall), RenderError> {
    let states = programs.slots().filter(|slot| matches!(slot, Slot::State(_))).count();
    let mut gl = before_state_program(context, programs, u8::try_from(states).unwrap_or(u8::MAX), job)?;
    let scene = &*job.scene;
    let call = if scene.mesh.is_viewport() && !programs.have_vertices() {
        gl.prepare_viewport_quad()?
    } else {
        let arrays = scene.vertex_arrays().map_err(RenderError::Failed)?;
        set_patches(&mut gl, &scene.patches)?;
        set_feedback(&mut gl, scene, arrays.primitive)?;
        draw_arrays(&mut gl, &arrays, job)?
    };
    let call = call.after_clear(scene.clear_for(job.output_color)).seen_in(seen(job));
    Ok((gl, call))
}

/// Returns the layer to show, if the scene has layers.
fn seen(job: &Job) -> Option<Layers> {
    let count = job.scene.layers.count;
    (count > 1).then_some(Layers { count, seen: job.layer })
}

/// Returns the context as it is when state program `n` of the scene runs.
///
/// # Errors
/// As [`set_up`].
pub(super) fn before_state_program(
    context: &Context,
    programs: &Programs<()>,
    n: u8,
    job: &Job,
) -> Result<Context, RenderError> {
    let mut gl = context.clone();
    prepare(&mut gl, programs, job)?;
    for earlier in 0..n {
        execute(&mut gl, earlier, job)?;
    }
    Ok(gl)
}

/// Returns `v[0]` of state program `n`.
pub(super) fn state_input(n: u8, job: &Job) -> [f32; 4] {
    evaluate(job.scene.state_input(n), job)
}

fn execute(gl: &mut Context, n: u8, job: &Job) -> gl::Result<()> {
    gl.execute_program(Stage::VertexState, program_id(Slot::State(n)), state_input(n, job))
}

/// Sets everything except state programs and vertices.
fn prepare(gl: &mut Context, programs: &Programs<()>, job: &Job) -> Result<(), RenderError> {
    let scene = &*job.scene;
    let matrices = matrices(job);
    lighting::set(gl, &matrices.view, job)?;
    set_matrices(gl, &matrices)?;
    set_buffers(gl, job)?;
    set_images(gl, &scene.images)?;
    let own_vertex = programs.get(Slot::Vertex).is_some();
    if own_vertex || programs.slots().any(|slot| matches!(slot, Slot::State(_))) {
        for track in &scene.tracks {
            let (matrix, transform) = (tracked(track.matrix), track.transform);
            gl.track_matrix(Stage::Vertex, track.register.into(), matrix, transform)?;
        }
        set_registers(gl, job)?;
    }
    if own_vertex {
        set_program(gl, Slot::Vertex, job)?;
    } else {
        set_built_in(gl, job, &matrices)?;
        gl.bind_program(Stage::Vertex, BUILT_IN_ID)?;
    }
    gl.enable(Cap::VertexProgram)?;
    for slot in [Slot::TessControl, Slot::TessEvaluation, Slot::Geometry] {
        if programs.get(slot).is_some() {
            set_program(gl, slot, job)?;
        }
    }
    if programs.get(Slot::Fragment).is_some() {
        set_program(gl, Slot::Fragment, job)?;
        let mut buffers = vec![DrawBuffer::None; usize::from(job.output_color)];
        buffers.push(DrawBuffer::FrontLeft);
        gl.draw_buffers(&buffers[..])?;
    } else {
        // Texture 0 of the fixed stage is the first texture that the scene has on unit 0.
        let texture = scene.textures.iter().find(|texture| texture.spec().unit == 0);
        gl.bind_texture(0, texture.map(made).transpose()?)?;
    }
    set_raster_state(gl, &scene.raster)?;
    Ok(set_fog(gl, scene)?)
}

/// Returns the GL's name of a matrix.
pub(super) fn tracked(matrix: MatrixName) -> TrackedMatrix {
    match matrix {
        MatrixName::Modelview => TrackedMatrix::Modelview,
        MatrixName::Projection => TrackedMatrix::Projection,
        MatrixName::ModelviewProjection => TrackedMatrix::ModelviewProjection,
        MatrixName::Texture(n) => TrackedMatrix::TextureUnit(n),
        MatrixName::Tracking(n) => TrackedMatrix::Matrix(n),
    }
}

/// Returns the name of a scene's buffer in the context.
pub(super) fn buffer_id(number: u8) -> u32 {
    u32::from(number) + 1
}

/// Binds the scene's images, which are textures numbered from 1, to their image units.
fn set_images(gl: &mut Context, images: &[SceneImage]) -> gl::Result<()> {
    for (texture, image) in (1..).zip(images) {
        let buffer = u8::try_from(image.buffer).map_or(0, buffer_id);
        gl.tex_image_in_buffer(texture, image.shape.clone(), buffer)?;
        if let Some(ImageUnit { unit, level, layer, access, format }) = image.unit {
            let bound = (level, layer.is_none(), layer.unwrap_or(0));
            gl.bind_image_texture(unit.into(), texture, bound, access, format)?;
        }
    }
    Ok(())
}

/// Makes the scene's buffers resident and binds them.
fn set_buffers(gl: &mut Context, job: &Job) -> gl::Result<()> {
    gl.choose_address_bits(job.scene.address_bits)?;
    for (number, buffer) in (0..).zip(&job.scene.buffers) {
        let name = buffer_id(number);
        let store = job.kept.get(usize::from(number)).unwrap_or(&buffer.store);
        gl.bind_buffer(BufferTarget::Texture, name)?;
        gl.share_buffer_data(BufferTarget::Texture, store.clone(), BufferUsage::DynamicCopy)?;
        if buffer.resident {
            gl.make_buffer_resident(BufferTarget::Texture, buffer.access)?;
        }
        for (stage, point) in &buffer.bound {
            let target = match stage {
                Stage::Fragment => BufferTarget::FragmentProgramParameter,
                Stage::Geometry => BufferTarget::GeometryProgramParameter,
                Stage::TessControl => BufferTarget::TessControlProgramParameter,
                Stage::TessEvaluation => BufferTarget::TessEvaluationProgramParameter,
                Stage::Vertex | Stage::VertexState => BufferTarget::VertexProgramParameter,
            };
            gl.bind_buffer_base(target, (*point).into(), name)?;
        }
    }
    Ok(())
}

fn set_matrices(gl: &mut Context, matrices: &Matrices) -> gl::Result<()> {
    let mut load = |mode, matrix: &Matrix| {
        gl.matrix_mode(mode)?;
        gl.load_matrix(&matrix.to_columns())
    };
    load(MatrixMode::Modelview, &matrices.modelview)?;
    load(MatrixMode::Projection, &matrices.projection)?;
    matrices.tracking.iter().zip(0..).try_for_each(|(matrix, n)| load(MatrixMode::Matrix(n), matrix))?;
    gl.matrix_mode(MatrixMode::Texture)?;
    for (matrix, unit) in matrices.texture.iter().zip(0..) {
        gl.active_texture(unit)?;
        gl.load_matrix(&matrix.to_columns())?;
    }
    gl.active_texture(0)
}

/// Sets `c[n]` of the scene.
fn set_registers(gl: &mut Context, job: &Job) -> gl::Result<()> {
    for setting in &job.scene.parameters {
        if let ParameterKey::Register(n) = setting.key {
            match integers(gl, setting.value) {
                Some(value) => gl.program_env_parameter4(Stage::Vertex, u32::from(n), value)?,
                None => gl.program_parameter4(Stage::Vertex, u32::from(n), evaluate(setting.value, job))?,
            }
        }
    }
    Ok(())
}

/// Sets the registers that [`BUILT_IN`] reads.
fn set_built_in(gl: &mut Context, job: &Job, matrices: &Matrices) -> gl::Result<()> {
    let first = BUILT_IN_REGISTERS;
    let vertex = Stage::Vertex;
    gl.track_matrix(vertex, first, TrackedMatrix::ModelviewProjection, Transform::Identity)?;
    gl.track_matrix(vertex, first + 4, TrackedMatrix::Modelview, Transform::Identity)?;
    for (row, register) in matrices.model.rows.into_iter().zip(first + 8..) {
        gl.program_parameter4(vertex, register, row)?;
    }
    let [x, y, z] = job.scene.camera.eye;
    gl.program_parameter4(vertex, first + 12, [x, y, z, 1.0])
}

/// Sets the number of vertices in a patch and the default tessellation levels.
fn set_patches(gl: &mut Context, patches: &Patches) -> gl::Result<()> {
    gl.patch_parameter_i(PatchNumber::Vertices, patches.vertices.into())?;
    gl.patch_parameter_fv(PatchLevels::DefaultOuter, &patches.levels.outer[..])?;
    gl.patch_parameter_fv(PatchLevels::DefaultInner, &patches.levels.inner[..])
}

/// Binds the program of `slot`, with the parameters, subroutines and textures that the program declares.
fn set_program(gl: &mut Context, slot: Slot, job: &Job) -> Result<(), RenderError> {
    let (id, stage) = (program_id(slot), slot.stage());
    gl.bind_program(stage, id)?;
    Cap::of_programs(stage).map_or(Ok(()), |cap| gl.enable(cap))?;
    let Some(program) = gl.get_program(id)?.program().cloned() else { return Ok(()) };
    for parameter in &program.parameters {
        set_parameter(gl, slot, &parameter.source, job)?;
    }
    choose_subroutines(gl, slot, &program, job)?;
    Ok(bind_textures(gl, &program, job)?)
}

/// Sets a parameter that the program of `slot` declares, if the scene has a value for it.
fn set_parameter(gl: &mut Context, slot: Slot, source: &ParameterSource, job: &Job) -> gl::Result<()> {
    let stage = slot.stage();
    let Some((key, _)) = parameter_key(source, stage) else { return Ok(()) };
    let default = match key {
        ParameterKey::Numbered(0) => Some(DEFAULT_P0),
        ParameterKey::Numbered(_) => Some([Component::Constant(0.0); 4]),
        _ => None,
    };
    let Some(value) = setting(&key, job).or(default) else { return Ok(()) };
    match (source, integers(gl, value)) {
        (ParameterSource::Local(n), Some(bits)) => gl.program_local_parameter4(stage, (*n).into(), bits),
        (ParameterSource::Local(n), None) => {
            gl.program_local_parameter4(stage, (*n).into(), evaluate(value, job))
        }
        // `set_registers` sets the registers of vertex programs.
        (ParameterSource::Env(_), _) if stage == Stage::Vertex => Ok(()),
        (ParameterSource::Env(n), Some(bits)) => gl.program_env_parameter4(stage, (*n).into(), bits),
        (ParameterSource::Env(n), None) => {
            gl.program_env_parameter4(stage, (*n).into(), evaluate(value, job))
        }
        (ParameterSource::Named { name, .. }, _) => {
            gl.program_named_parameter4(program_id(slot), name.as_bytes(), evaluate(value, job))
        }
        (ParameterSource::Constant(_) | ParameterSource::State(_), _) => Ok(()),
    }
}

/// Returns the argument of the commands with `I4ui` in their names, if the components are integers. Programs
/// read the same bits of signed ones.
fn integers(gl: &mut Context, value: [Component; 4]) -> Option<gl::Integers<u32, 4>> {
    let is_integer = value.iter().any(|component| component.number_type() != NumberType::Float);
    let bits = |component: Component| match component.of_type(NumberType::Uint) {
        Component::Uint(bits) => bits,
        Component::Address(buffer, half) => {
            let address = gl.get_named_buffer_gpu_address(buffer_id(buffer)).unwrap_or(0);
            match half {
                Half::Low => address as u32,
                Half::High => (address >> 32) as u32,
            }
        }
        Component::Constant(_) | Component::Auto(_) | Component::Int(_) => 0,
    };
    is_integer.then(|| gl::Integers(value.map(bits)))
}

/// Sets the subroutines of the bound program. Binding the program has reset all parameters to their defaults.
fn choose_subroutines(gl: &mut Context, slot: Slot, program: &Program, job: &Job) -> Result<(), RenderError> {
    let chosen = job.scene.chosen_subroutines(slot, program).map_err(RenderError::BadScene)?;
    if !chosen.is_empty() {
        gl.program_subroutine_parameters(slot.stage(), &chosen[..])?;
    }
    Ok(())
}

fn bind_textures(gl: &mut Context, program: &Program, job: &Job) -> gl::Result<()> {
    for (unit, target) in (0u8..).zip(program.textures()) {
        let Some(target) = target else { continue };
        let image = target.image();
        let fits = |t: &&SceneTexture| t.spec().unit == unit && t.spec().target == image;
        let given = job.scene.textures.iter().find(fits).map(made).transpose()?;
        let given = match given {
            Some(given) => Some(given),
            None => match frame_drawn((unit, image), job)? {
                Some(drawn) => Some(drawn),
                None => image_looked_up(gl, (unit, image), &job.scene.images)?,
            },
        };
        gl.bind_texture(unit.into(), given.or_else(|| default_texture(target)))?;
    }
    Ok(())
}

/// Returns the picture of the previous frame if a frame texture is on this unit. Before the first frame, it
/// has the clear colour.
fn frame_drawn((unit, target): (u8, TextureTarget), job: &Job) -> gl::Result<Option<Arc<Texture>>> {
    let scene = &*job.scene;
    let is_wanted = |texture: &FrameTexture| (texture.unit, texture.target) == (unit, target);
    let Some(number) = scene.frame_textures.iter().position(is_wanted) else { return Ok(None) };
    // After an edit of the scene, the previous picture may have another target.
    if let Some(drawn) = job.drawn.get(number).filter(|drawn| drawn.target() == target) {
        return Ok(Some(Arc::clone(drawn)));
    }
    let texture = &scene.frame_textures[number];
    let color = scene.clear_for(job.output_color).color;
    let layers = (0..texture.layers(scene.layers.count)).map(|_| (color.to_vec(), [1, 1]));
    frame_texture(texture, layers).map(|texture| Some(Arc::new(texture))).map_err(refused)
}

/// Builds a frame texture from layers, given as colours in rows from the bottom, with their sizes.
pub(super) fn frame_texture(
    texture: &FrameTexture,
    layers: impl Iterator<Item = (Vec<f32>, [usize; 2])>,
) -> Result<Texture, TextureError> {
    let image =
        |(colors, [width, height]): (Vec<f32>, [usize; 2])| Image::from_f32([width, height, 1], colors);
    let faces = layers.map(image).collect::<Result<_, _>>()?;
    Texture::new(texture.target, Format::Rgba32F, vec![Level { faces }], texture.sampler)
}

/// Returns the contents of the image that lookups on this unit read.
fn image_looked_up(
    gl: &Context,
    (unit, target): (u8, TextureTarget),
    images: &[SceneImage],
) -> gl::Result<Option<Arc<Texture>>> {
    let found = (1..).zip(images).find_map(|(name, image)| {
        let lookup = image.lookup.filter(|_| image.is_looked_up(unit, target))?;
        Some((name, lookup.sampler))
    });
    let made = found.and_then(|(name, sampler)| gl.image_texture(name, sampler));
    Ok(made.transpose().map_err(refused)?.map(Arc::new))
}

/// Reports data that cannot become texels.
fn refused(error: TextureError) -> gl::Error {
    gl::Error { code: gl::ErrorCode::OutOfMemory, reason: error.to_string(), clause: "glspec15 3.8.1" }
}

/// Returns the engine's texture, and builds it at its first use.
fn made(texture: &SceneTexture) -> gl::Result<Arc<Texture>> {
    texture.texture().map_err(refused)
}

/// Returns the value that the scene sets for a parameter.
fn setting(key: &ParameterKey, job: &Job) -> Option<[Component; 4]> {
    let setting = job.scene.parameters.iter().find(|setting| setting.key == *key);
    setting.map(|setting| setting.value)
}

/// Enables the capabilities that `state` needs, and disables the others.
fn set_capabilities(gl: &mut Context, state: &RasterState) -> gl::Result<()> {
    let RasterState { multisample, offset, point, depth, .. } = state;
    let planes = (0..CLIP_PLANES).map(|n| (Cap::ClipPlane(n), state.clip_distances >> n & 1 != 0));
    let caps = [
        (Cap::Multisample, multisample.enabled),
        (Cap::SampleAlphaToCoverage, multisample.alpha_to_coverage),
        (Cap::SampleAlphaToOne, multisample.alpha_to_one),
        (Cap::SampleCoverage, multisample.coverage.is_some()),
        (Cap::SampleMask, multisample.mask.is_some()),
        (Cap::SampleShading, multisample.shading.is_some()),
        (Cap::ScissorTest, state.scissor.is_some()),
        (Cap::DepthTest, depth.test.is_some()),
        (Cap::DepthClamp, depth.clamp),
        (Cap::VertexProgramTwoSide, state.two_side),
        (Cap::RasterizerDiscard, state.discard),
        (Cap::CullFace, state.cull.is_some()),
        (Cap::PolygonOffsetFill, offset.fill),
        (Cap::PolygonOffsetLine, offset.line),
        (Cap::PolygonOffsetPoint, offset.point),
        (Cap::VertexProgramPointSize, point.from_program),
        (Cap::PointSmooth, point.smooth),
        (Cap::PointSprite, point.sprite),
        (Cap::AlphaTest, state.alpha_test.is_some()),
        (Cap::StencilTest, state.stencil.is_some()),
        (Cap::Blend, state.blend.is_some()),
        (Cap::ColorLogicOp, state.logic_op.is_some()),
    ];
    caps.into_iter().chain(planes).try_for_each(|(cap, on)| if on { gl.enable(cap) } else { gl.disable(cap) })
}

fn set_multisample(gl: &mut Context, state: &MultisampleState) -> gl::Result<()> {
    gl.choose_samples(state.samples)?;
    if let Some(SampleCoverage { value, invert }) = state.coverage {
        let inversion = if invert { CoverageInversion::Inverted } else { CoverageInversion::Kept };
        gl.sample_coverage(value, inversion)?;
    }
    state.mask.map_or(Ok(()), |mask| gl.sample_mask_i(0, mask))?;
    state.shading.map_or(Ok(()), |share| gl.min_sample_shading(share))
}

fn set_raster_state(gl: &mut Context, state: &RasterState) -> gl::Result<()> {
    set_multisample(gl, &state.multisample)?;
    state.viewport.map_or(Ok(()), |rect| gl.viewport(rect))?;
    state.scissor.map_or(Ok(()), |rect| gl.scissor(rect))?;
    let mask = |on| if on { Mask::Write } else { Mask::Keep };
    state.depth.test.map_or(Ok(()), |func| gl.depth_func(func))?;
    gl.depth_mask(mask(state.depth.write))?;
    gl.depth_range(state.depth.range[0], state.depth.range[1])?;
    gl.front_face(state.front_face)?;
    state.cull.map_or(Ok(()), |face| gl.cull_face(face))?;
    set_polygons(gl, state)?;
    gl.color_mask(state.color_mask.map(mask))?;
    state.alpha_test.map_or(Ok(()), |(func, reference)| gl.alpha_func(func, reference))?;
    state.stencil.map_or(Ok(()), |stencil| set_stencil(gl, &stencil))?;
    if let Some(blend) = state.blend {
        gl.blend_equation(blend.equation)?;
        gl.blend_func_separate(blend.rgb[0], blend.rgb[1], blend.alpha[0], blend.alpha[1])?;
        gl.blend_color(blend.color)?;
    }
    state.logic_op.map_or(Ok(()), |op| gl.logic_op(op))?;
    set_capabilities(gl, state)
}

fn set_polygons(gl: &mut Context, state: &RasterState) -> gl::Result<()> {
    let [front, back]: [PolygonMode; 2] = state.polygon_mode;
    gl.polygon_mode(CullFace::Front, front)?;
    gl.polygon_mode(CullFace::Back, back)?;
    gl.polygon_offset(state.offset.factor, state.offset.units)?;
    gl.shade_model(state.shade_model)?;
    gl.line_width(state.line_width)?;
    gl.point_size(state.point.size)?;
    gl.coord_replace(state.point.replace)
}

fn set_stencil(gl: &mut Context, stencil: &Stencil) -> gl::Result<()> {
    for (face, state) in [(CullFace::Front, stencil.front), (CullFace::Back, stencil.back)] {
        gl.stencil_func_separate(face, state.func, state.reference.into(), state.read_mask.into())?;
        gl.stencil_op_separate(face, state.fail, state.depth_fail, state.pass)?;
        gl.stencil_mask_separate(face, state.write_mask.into())?;
    }
    Ok(())
}

/// Sets the fog mode. The rest of fog is part of lighting.
fn set_fog(gl: &mut Context, scene: &Scene) -> gl::Result<()> {
    let Some(mode) = scene.fog else { return Ok(()) };
    gl.fog_mode(mode)?;
    gl.enable(Cap::Fog)
}

/// Sets up the transform feedback of the scene for primitives of `mode`.
fn set_feedback(gl: &mut Context, scene: &Scene, mode: Primitive) -> gl::Result<()> {
    if scene.feedback.is_empty() {
        return Ok(());
    }
    let (mut attribs, mut streams) = (Vec::new(), Vec::new());
    for (point, feedback) in (0..).zip(&scene.feedback) {
        let buffer = u8::try_from(feedback.buffer).map_or(0, buffer_id);
        gl.bind_buffer_base(BufferTarget::TransformFeedback, point, buffer)?;
        if point > 0 {
            attribs.push([gl::NEXT_BUFFER_NV, 0, 0]);
        }
        attribs.extend(feedback.record.iter().filter_map(|recorded| gl::feedback_attrib(*recorded)));
        streams.push(i32::from(feedback.stream));
    }
    gl.transform_feedback_stream_attribs(&attribs, &streams, FeedbackMode::Interleaved)?;
    let primitive = gl.feedback_primitive(mode)?;
    gl.begin_transform_feedback(primitive)
}

fn draw_arrays(gl: &mut Context, arrays: &VertexArrays, job: &Job) -> gl::Result<DrawCall> {
    for (number, source) in &arrays.attributes {
        match source {
            // The bits are passed on unchanged, whatever their type.
            AttributeSource::Current(value) => gl.vertex_attrib(u32::from(*number), gl::Longs(*value))?,
            AttributeSource::Array(array) => {
                let bytes = gl::ArrayType::from(&array.data).bytes();
                let stride = array.stride * bytes;
                let placed = job.scene.arrays_in_buffers.iter().find(|placed| placed.attribute == *number);
                let (stride, pointer) = match placed {
                    Some(ArrayInBuffer { buffer, ty, place: [offset, stride], .. }) => {
                        let name = u8::try_from(*buffer).map_or(0, buffer_id);
                        gl.bind_buffer(BufferTarget::Array, name)?;
                        (*stride as usize, gl::ArrayPointer::Buffer { ty: *ty, offset: *offset as usize })
                    }
                    None => {
                        let (data, offset) = (array.data.clone(), array.offset);
                        (stride, gl::ArrayPointer::Client { data, offset })
                    }
                };
                let stride = i32::try_from(stride).unwrap_or(i32::MAX);
                let (index, size) = (u32::from(*number), i32::from(array.size));
                match array.conversion {
                    ArrayConversion::Float | ArrayConversion::Normalized => {
                        gl.vertex_attrib_pointer(index, size, stride, pointer)?;
                    }
                    ArrayConversion::Integer => gl.vertex_attrib_i_pointer(index, size, stride, pointer)?,
                    ArrayConversion::Long => gl.vertex_attrib_l_pointer(index, size, stride, pointer)?,
                }
                gl.vertex_attrib_divisor((*number).into(), array.divisor)?;
                gl.enable_client_state(ClientState::VertexAttribArray(*number))?;
            }
        }
    }
    let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    let instances = job.scene.instances;
    match &arrays.elements {
        Elements::Range { first, count } => {
            // DrawTransformFeedback draws the recorded vertices.
            let count = job.captured.filter(|_| job.scene.drawn_again.is_some()).unwrap_or(*count);
            gl.prepare_arrays_instanced(arrays.primitive, [*first, count].map(number), number(instances))
        }
        Elements::Indices { indices, restart } => {
            if let Some(index) = restart {
                gl.primitive_restart_index(*index)?;
                gl.enable_client_state(ClientState::PrimitiveRestart)?;
            }
            gl.prepare_elements_instanced(arrays.primitive, indices.clone(), number(instances))
        }
    }
}
