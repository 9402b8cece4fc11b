//! A driver's answers to questions about programs in its own languages, through `gl`. `theirs_references`,
//! `theirs_memory`, `theirs_samples` and `theirs_feedback` answer the questions with GLSL references; `ours`
//! answers for Shadestep.

use shadestep_engine::gl::enums::Constant;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::Primitive;
use shadestep_engine::texture::{
    BorderColor, DepthMode, Format, MagFilter, MinFilter, Numbers, Texture, Wrap,
};

use super::gl::{Gl, Pixels, token};
use super::question::{
    Answer, FED, FEED, Given, Inputs, PLACES, Question, SIDE, Slot, Value, images, texels,
};

/// A colour that no program here outputs. Pixels that keep the colour had their fragment discarded.
pub const NOTHING: [f32; 4] = [-12345.5, 23456.25, -34567.125, 45678.75];

/// A driver with a row of pixels as its framebuffer.
pub struct Driver {
    pub gl: Gl,
    /// The framebuffers: RGBA32F, which is normally bound, and RGBA32UI for references.
    pub framebuffers: [u32; 2],
    /// The buffer object of storage block 0, if the driver has storage blocks.
    pub storage: Option<u32>,
    /// The words of `GetString(EXTENSIONS)`.
    extensions: Vec<String>,
}

/// Image units that questions use.
const UNITS: u8 = 16;

/// The commands that set a run's parameters and read pixels back, for programs or for GLSL references.
pub trait Way {
    fn clear(&self, gl: &Gl);

    /// Sets the parameters of a run.
    fn set(&self, gl: &Gl, inputs: &Inputs);

    /// Resets the parameters of a run to 0.
    fn set_back(&self, gl: &Gl, inputs: &Inputs);

    /// Reads the framebuffer.
    ///
    /// # Errors
    /// Errors of the GL.
    fn values(&self, gl: &Gl, size: [u32; 2]) -> Result<Vec<Value>, String>;
}

/// The commands for a program in one of the driver's own languages.
struct OfProgram {
    target: u32,
    program: u32,
}

impl OfProgram {
    fn parameter(&self, gl: &Gl, slot: &Slot, [x, y, z, w]: [f32; 4]) {
        match slot {
            Slot::Env(n) => gl.program_env_parameter(self.target, (*n).into(), x, y, z, w),
            Slot::Local(n) => gl.program_local_parameter(self.target, (*n).into(), x, y, z, w),
            Slot::Named(name) => {
                gl.program_named_parameter_nv(self.program, name.as_bytes(), [x, y, z, w]);
            }
        }
    }
}

impl Way for OfProgram {
    fn clear(&self, gl: &Gl) {
        let [r, g, b, a] = NOTHING;
        gl.clear_color(r, g, b, a);
        gl.clear(token::COLOR_BUFFER_BIT);
    }

    fn set(&self, gl: &Gl, inputs: &Inputs) {
        inputs.parameters.iter().for_each(|(slot, value)| self.parameter(gl, slot, *value));
    }

    fn set_back(&self, gl: &Gl, inputs: &Inputs) {
        inputs.parameters.iter().for_each(|(slot, _)| self.parameter(gl, slot, [0.0; 4]));
    }

    fn values(&self, gl: &Gl, size: [u32; 2]) -> Result<Vec<Value>, String> {
        floats(gl, size)
    }
}

/// Reads a framebuffer of floats.
///
/// # Errors
/// Errors of the GL.
pub fn floats(gl: &Gl, size: [u32; 2]) -> Result<Vec<Value>, String> {
    let pixels = gl.read_floats(size);
    if let Some(error) = gl.error() {
        return Err(format!("GL error {error:#x}"));
    }
    let value = |color: &[f32; 4]| {
        let bits = color.map(f32::to_bits);
        if bits == NOTHING.map(f32::to_bits) { Value::Killed } else { Value::Color(bits) }
    };
    Ok(pixels.iter().map(value).collect())
}

impl Driver {
    /// Connects to the machine's driver.
    ///
    /// # Errors
    /// The reason why there is no context, or no framebuffer.
    pub fn new() -> Result<Self, String> {
        let gl = Gl::new()?;
        let extensions: Vec<String> =
            gl.get_string(token::EXTENSIONS).split_whitespace().map(str::to_owned).collect();
        let has_storage = extensions.iter().any(|name| name == "GL_ARB_shader_storage_buffer_object");
        let storage = has_storage.then(|| gl.gen_buffer());
        let framebuffers = [token::RGBA32UI, token::RGBA32F].map(|format| framebuffer(&gl, format));
        let [Some(bits), Some(floats)] = framebuffers else {
            return Err("the driver has no RGBA32F or RGBA32UI framebuffer".to_owned());
        };
        for target in [token::CLAMP_FRAGMENT_COLOR, token::CLAMP_READ_COLOR] {
            gl.clamp_color(target, 0);
        }
        gl.pixel_store(token::PACK_ALIGNMENT, 1);
        gl.pixel_store(token::UNPACK_ALIGNMENT, 1);
        gl.viewport(0, 0, PLACES as i32, 1);
        match gl.error() {
            Some(error) => Err(format!("GL error {error:#x}")),
            None => Ok(Self { gl, framebuffers: [floats, bits], storage, extensions }),
        }
    }

    /// The renderer and the version.
    pub fn name(&self) -> [String; 2] {
        [token::RENDERER, token::VERSION].map(|name| self.gl.get_string(name))
    }

    /// Whether the driver's extension string has the language and all options of the question's text, or the
    /// extensions of its reference.
    pub fn offers(&self, question: &Question) -> bool {
        let has = |name: &str| self.extensions.iter().any(|extension| extension == name);
        match &question.reference {
            Some(reference) => reference.needs.iter().all(|name| has(name)),
            None => required(&question.text).iter().all(|name| has(name)),
        }
    }

    /// Returns the driver's answer. `None` if the driver cannot be asked, because only NVIDIA has a texture's
    /// format.
    ///
    /// # Errors
    /// Errors of the GL other than a refused program.
    pub fn answer(&self, question: &Question) -> Result<Option<Answer>, String> {
        let gl = &self.gl;
        gl.error();
        if let Some(reference) = &question.reference {
            return self.reference(question, reference);
        }
        let target = program_target(question);
        let program = match self.load(target, &question.text) {
            Ok(program) => program,
            Err(position) => return Ok(Some(Answer::Refused(position))),
        };
        if question.runs.is_empty() {
            gl.delete_program(program);
            return Ok(Some(Answer::Loaded(Vec::new())));
        }
        let other = match question.show() {
            Some(show) => self.load(token::FRAGMENT_PROGRAM, show.as_bytes()),
            None => self.load(token::VERTEX_PROGRAM, FEED.as_bytes()),
        };
        let other = other.map_err(|at| format!("the other stage's program is refused at {at}"))?;
        let values = self.drawn(question, &OfProgram { target, program })?;
        for stage in [token::VERTEX_PROGRAM, token::FRAGMENT_PROGRAM] {
            gl.disable(stage);
        }
        gl.delete_program(program);
        gl.delete_program(other);
        Ok(values.map(Answer::Loaded))
    }

    /// Loads and enables a program.
    ///
    /// # Errors
    /// PROGRAM_ERROR_POSITION, if the driver refuses the program.
    fn load(&self, target: u32, text: &[u8]) -> Result<u32, i64> {
        let gl = &self.gl;
        let program = gl.gen_program();
        // The GL loads programs of NV_gpu_program4 and 5 with ARB's command (NV_gpu_program4 2.X.2).
        const GPU: [&[u8]; 6] =
            [b"!!NVfp4.0", b"!!NVvp4.0", b"!!NVgp4.0", b"!!NVfp5.0", b"!!NVvp5.0", b"!!NVgp5.0"];
        if text.starts_with(b"!!ARB") || GPU.iter().any(|header| text.starts_with(header)) {
            gl.bind_program(target, program);
            gl.program_string(target, text);
        } else {
            let target = if target == token::VERTEX_PROGRAM { target } else { token::FRAGMENT_PROGRAM_NV };
            gl.load_program_nv(target, program, text);
            gl.bind_program(target, program);
        }
        let refused = gl.error().is_some();
        let position = i64::from(gl.get_integer(token::PROGRAM_ERROR_POSITION));
        if refused {
            gl.delete_program(program);
            return Err(position);
        }
        gl.enable(self.mode(target, text));
        Ok(program)
    }

    fn mode(&self, target: u32, text: &[u8]) -> u32 {
        if text.starts_with(b"!!FP") { token::FRAGMENT_PROGRAM_NV } else { target }
    }

    /// Draws the runs of `question` and returns their values: points in rows of [`PLACES`], or the pixels of
    /// a picture. `None` if the driver cannot be asked.
    ///
    /// # Errors
    /// Errors of the GL.
    pub fn drawn(&self, question: &Question, way: &impl Way) -> Result<Option<Vec<Value>>, String> {
        if let (false, [inputs]) = (question.triangles.is_empty(), &question.runs[..]) {
            return self.picture(question, way, inputs);
        }
        let mut values = Some(Vec::new());
        for row in question.runs.chunks(PLACES) {
            let more = self.points(question, way, row)?;
            values = values.zip(more).map(|(values, more)| [values, more].concat());
        }
        Ok(values)
    }

    /// Draws one point for each run.
    fn points(
        &self,
        question: &Question,
        way: &impl Way,
        runs: &[Inputs],
    ) -> Result<Option<Vec<Value>>, String> {
        let gl = &self.gl;
        way.clear(gl);
        let mut askable = true;
        for (index, inputs) in runs.iter().enumerate() {
            way.set(gl, inputs);
            let mut made = self.textures(inputs);
            made.extend(inputs.image.as_ref().map(|image| self.image(image)));
            askable &= made.iter().all(Option::is_some);
            self.memory(&inputs.memory);
            gl.begin(token::POINTS);
            self.attributes(question, inputs);
            let [x, y, z, w] = Question::place(index);
            gl.vertex_attrib(0, x, y, z, w);
            gl.end();
            self.clean(made);
            way.set_back(gl, inputs);
        }
        let values = way.values(gl, [PLACES as u32, 1])?;
        Ok(askable.then(|| values[..runs.len()].to_vec()))
    }

    /// Draws the primitives of a picture with these inputs.
    pub fn vertices(&self, question: &Question, inputs: &[Inputs]) {
        let gl = &self.gl;
        if let Some(between) =
            question.between.as_ref().filter(|_| question.primitive() == Primitive::Patches)
        {
            gl.patch_parameter(token::PATCH_VERTICES, between.patch_vertices);
        }
        gl.begin(question.primitive().constant());
        inputs.iter().for_each(|inputs| self.attributes(question, inputs));
        for ([x, y, z, w], [s, t, r, q]) in &question.triangles {
            gl.vertex_attrib(8, *s, *t, *r, *q);
            gl.vertex_attrib(0, *x, *y, *z, *w);
        }
        gl.end();
    }

    /// Draws a picture and returns its pixels.
    fn picture(
        &self,
        question: &Question,
        way: &impl Way,
        inputs: &Inputs,
    ) -> Result<Option<Vec<Value>>, String> {
        let gl = &self.gl;
        way.clear(gl);
        gl.clear(token::DEPTH_BUFFER_BIT);
        gl.viewport(0, 0, SIDE as i32, SIDE as i32);
        gl.enable(token::DEPTH_TEST);
        way.set(gl, inputs);
        let made = self.textures(inputs);
        let askable = made.iter().all(Option::is_some);
        self.vertices(question, std::slice::from_ref(inputs));
        self.clean(made);
        way.set_back(gl, inputs);
        gl.disable(token::DEPTH_TEST);
        gl.viewport(0, 0, PLACES as i32, 1);
        let values = way.values(gl, [SIDE as u32; 2])?;
        Ok(askable.then_some(values))
    }

    /// Binds textures and returns their names; `None` for each one that the GL lacks.
    fn textures(&self, inputs: &Inputs) -> Vec<Option<u32>> {
        inputs.textures.iter().map(|(unit, texture)| self.texture(*unit, texture)).collect()
    }

    /// Deletes textures, after all commands that use them have finished.
    fn clean(&self, made: Vec<Option<u32>>) {
        self.gl.finish();
        made.into_iter().flatten().for_each(|name| self.gl.delete_texture(name));
    }

    /// Sets the vertex attributes of a run, between begin and end.
    pub fn attributes(&self, question: &Question, inputs: &Inputs) {
        let numbers = if question.shows.is_some() { (1..=15).collect() } else { FED.to_vec() };
        for number in numbers {
            self.gl.vertex_attrib(number.into(), 0.0, 0.0, 0.0, 1.0);
        }
        for (number, value) in &inputs.attributes {
            let number = u32::from(*number);
            match *value {
                Given::Floats([x, y, z, w]) => self.gl.vertex_attrib(number, x, y, z, w),
                Given::Signed([x, y, z, w]) => self.gl.vertex_attrib_i(number, x, y, z, w),
                Given::Unsigned([x, y, z, w]) => self.gl.vertex_attrib_ui(number, x, y, z, w),
                Given::Doubles([x, y, z, w]) => self.gl.vertex_attrib_l(number, x, y, z, w),
            }
        }
    }

    /// Binds a copy of `texture`. `None` if the GL lacks the format or target.
    fn texture(&self, unit: u8, texture: &Texture) -> Option<u32> {
        let (format, order) = format(texture.format())?;
        let numbers = texture.format().numbers();
        let target = target(texture.target())?;
        let gl = &self.gl;
        let name = gl.gen_texture();
        gl.active_texture(token::TEXTURE0 + u32::from(unit % UNITS));
        gl.bind_texture(target, name);
        self.parameters(target, texture);
        for level in 0..texture.level_count() {
            let Some(size) = texture.level_size(level).filter(|size| !size.contains(&0)) else { continue };
            let stored: Vec<Vec<[f32; 4]>> =
                (0..images(texture, level)).map(|image| texels(texture, level, image)).collect();
            // The layers of an array are one image; the faces of a cube map are six.
            let commands = match texture.target() {
                TextureTarget::Cube => (token::TEXTURE_CUBE_MAP_POSITIVE_X..)
                    .zip(stored)
                    .map(|of_face| (of_face, size))
                    .collect(),
                TextureTarget::Array1D => vec![((target, stored.concat()), [size[0], stored.len(), 1])],
                _ => vec![((target, stored.concat()), [size[0], size[1], size[2] * stored.len()])],
            };
            for ((image, stored), size) in commands {
                if texture.format().base().is_depth() {
                    let depths: Vec<f32> = stored.iter().map(|texel| texel[0]).collect();
                    gl.tex_image(image, level as i32, format, size, Pixels::Depths(&depths));
                    continue;
                }
                let pixel = |texel: &[f32; 4]| {
                    let mut pixel = [0.0; 4];
                    order.iter().zip(texel).for_each(|(place, value)| pixel[*place] = *value);
                    pixel
                };
                let pixels: Vec<f32> = stored.iter().flat_map(pixel).collect();
                let signed = || pixels.iter().map(|v| *v as i32).collect::<Vec<_>>();
                let unsigned = || pixels.iter().map(|v| *v as u32).collect::<Vec<_>>();
                let give = |pixels| gl.tex_image(image, level as i32, format, size, pixels);
                match numbers {
                    Numbers::Floats => give(Pixels::Floats(&pixels)),
                    Numbers::Signed => give(Pixels::Signed(&signed())),
                    Numbers::Unsigned => give(Pixels::Unsigned(&unsigned())),
                }
            }
        }
        Some(name)
    }

    fn parameters(&self, target: u32, texture: &Texture) {
        let gl = &self.gl;
        let sampler = texture.sampler();
        let wrap = |wrap| match wrap {
            Wrap::Repeat => token::REPEAT,
            Wrap::Clamp => token::CLAMP,
            Wrap::ClampToEdge => token::CLAMP_TO_EDGE,
            Wrap::ClampToBorder => token::CLAMP_TO_BORDER,
            Wrap::MirroredRepeat => token::MIRRORED_REPEAT,
        };
        let min = match sampler.min_filter {
            MinFilter::Nearest => token::NEAREST,
            MinFilter::Linear => token::LINEAR,
            MinFilter::NearestMipmapNearest => token::NEAREST_MIPMAP_NEAREST,
            MinFilter::LinearMipmapNearest => token::LINEAR_MIPMAP_NEAREST,
            MinFilter::NearestMipmapLinear => token::NEAREST_MIPMAP_LINEAR,
            MinFilter::LinearMipmapLinear => token::LINEAR_MIPMAP_LINEAR,
        };
        let mag = match sampler.mag_filter {
            MagFilter::Nearest => token::NEAREST,
            MagFilter::Linear => token::LINEAR,
        };
        for (name, value) in [
            (token::TEXTURE_WRAP_S, wrap(sampler.wrap[0])),
            (token::TEXTURE_WRAP_T, wrap(sampler.wrap[1])),
            (token::TEXTURE_WRAP_R, wrap(sampler.wrap[2])),
            (token::TEXTURE_MIN_FILTER, min),
            (token::TEXTURE_MAG_FILTER, mag),
        ] {
            gl.tex_parameter(target, name, value as i32);
        }
        if let BorderColor::Floats(border) = sampler.border {
            gl.tex_parameter_4f(target, token::TEXTURE_BORDER_COLOR, border);
        }
        if target != token::TEXTURE_RECTANGLE {
            gl.tex_parameter(target, token::TEXTURE_BASE_LEVEL, sampler.base_level as i32);
            gl.tex_parameter(target, token::TEXTURE_MAX_LEVEL, sampler.max_level as i32);
            gl.tex_parameter_f(target, token::TEXTURE_MIN_LOD, sampler.min_lod);
            gl.tex_parameter_f(target, token::TEXTURE_MAX_LOD, sampler.max_lod);
            gl.tex_parameter_f(target, token::TEXTURE_LOD_BIAS, sampler.lod_bias);
        }
        if texture.format().base().is_depth() {
            let mode = match sampler.depth_mode {
                DepthMode::Luminance => token::LUMINANCE,
                DepthMode::Intensity => token::INTENSITY,
                DepthMode::Alpha => token::ALPHA,
                DepthMode::Red => token::RED,
            };
            gl.tex_parameter(target, token::DEPTH_TEXTURE_MODE, mode as i32);
            if let Some(compare) = sampler.compare {
                gl.tex_parameter(target, token::TEXTURE_COMPARE_MODE, token::COMPARE_R_TO_TEXTURE as i32);
                let func =
                    shadestep_engine::pipeline::CompareFunc::ALL.iter().position(|func| *func == compare);
                gl.tex_parameter(target, token::TEXTURE_COMPARE_FUNC, 0x200 + func.unwrap_or(0) as i32);
            }
        }
    }
}

/// Creates a framebuffer of `format` with a depth buffer, and leaves the framebuffer bound.
fn framebuffer(gl: &Gl, format: u32) -> Option<u32> {
    let name = gl.gen_framebuffer();
    gl.bind_framebuffer(token::FRAMEBUFFER, name);
    for (attachment, format) in
        [(token::COLOR_ATTACHMENT0, format), (token::DEPTH_ATTACHMENT, token::DEPTH_COMPONENT32F)]
    {
        let buffer = gl.gen_renderbuffer();
        gl.bind_renderbuffer(token::RENDERBUFFER, buffer);
        gl.renderbuffer_storage(token::RENDERBUFFER, format, PLACES as i32, SIDE as i32);
        gl.framebuffer_renderbuffer(token::FRAMEBUFFER, attachment, token::RENDERBUFFER, buffer);
    }
    (gl.check_framebuffer_status(token::FRAMEBUFFER) == token::FRAMEBUFFER_COMPLETE).then_some(name)
}

/// The target of the program that the question is about.
fn program_target(question: &Question) -> u32 {
    let begins = |header: &str| question.text.starts_with(header.as_bytes());
    if begins("!!NVgp") {
        token::GEOMETRY_PROGRAM
    } else if question.shows.is_some() || ["!!ARBvp", "!!VP", "!!NVvp"].into_iter().any(begins) {
        token::VERTEX_PROGRAM
    } else {
        token::FRAGMENT_PROGRAM
    }
}

/// The extensions that define a program's header and options. The remaining options belong to the header's
/// extension.
fn required(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let header = [
        ("!!ARBfp1.0", "GL_ARB_fragment_program"),
        ("!!ARBvp1.0", "GL_ARB_vertex_program"),
        ("!!FP1.0", "GL_NV_fragment_program"),
        ("!!VP1.1", "GL_NV_vertex_program1_1"),
        ("!!VP1.0", "GL_NV_vertex_program"),
        ("!!VSP1.0", "GL_NV_vertex_program"),
        ("!!VP2.0", "GL_NV_vertex_program2"),
        ("!!NVfp4.0", "GL_NV_fragment_program4"),
        ("!!NVvp4.0", "GL_NV_vertex_program4"),
        ("!!NVgp4.0", "GL_NV_geometry_program4"),
        ("!!NVfp5.0", "GL_NV_gpu_program5"),
        ("!!NVvp5.0", "GL_NV_gpu_program5"),
        ("!!NVgp5.0", "GL_NV_gpu_program5"),
        ("!!NVtcp5.0", "GL_NV_tessellation_program5"),
        ("!!NVtep5.0", "GL_NV_tessellation_program5"),
    ];
    let mut names: Vec<String> = header
        .iter()
        .filter(|(header, _)| text.starts_with(header))
        .map(|(_, name)| (*name).to_owned())
        .collect();
    if names.is_empty() {
        // The text has no known header, so all implementations refuse it. Ask as for an ARB fragment program.
        names.push("GL_ARB_fragment_program".to_owned());
    }
    for (option, name) in [
        ("ARB_fragment_program_shadow", "GL_ARB_fragment_program_shadow"),
        ("ARB_draw_buffers", "GL_ARB_draw_buffers"),
        ("ATI_draw_buffers", "GL_ATI_draw_buffers"),
        ("ARB_fragment_coord_", "GL_ARB_fragment_coord_conventions"),
        ("NV_fragment_program2", "GL_NV_fragment_program2"),
        ("NV_fragment_program", "GL_NV_fragment_program_option"),
        ("NV_vertex_program2", "GL_NV_vertex_program2_option"),
        ("NV_vertex_program3", "GL_NV_vertex_program3"),
    ] {
        if text.contains(option) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The GL's texture target for a lookup of `target`.
pub const fn target(target: TextureTarget) -> Option<u32> {
    match target {
        TextureTarget::D1 | TextureTarget::Shadow1D => Some(token::TEXTURE_1D),
        TextureTarget::D2 | TextureTarget::Shadow2D => Some(token::TEXTURE_2D),
        TextureTarget::D3 => Some(token::TEXTURE_3D),
        TextureTarget::Cube | TextureTarget::ShadowCube => Some(token::TEXTURE_CUBE_MAP),
        TextureTarget::Rect | TextureTarget::ShadowRect => Some(token::TEXTURE_RECTANGLE),
        TextureTarget::Array1D | TextureTarget::ShadowArray1D => Some(token::TEXTURE_1D_ARRAY),
        TextureTarget::Array2D | TextureTarget::ShadowArray2D => Some(token::TEXTURE_2D_ARRAY),
        TextureTarget::ArrayCube | TextureTarget::ShadowArrayCube => Some(token::TEXTURE_CUBE_MAP_ARRAY),
        TextureTarget::Buffer
        | TextureTarget::Multisample2D
        | TextureTarget::MultisampleArray2D
        | TextureTarget::Renderbuffer => None,
    }
}

/// The GL's internal format, and for each stored component its index in an R, G, B, A pixel.
fn format(format: Format) -> Option<(u32, &'static [usize])> {
    const RGBA: &[usize] = &[0, 1, 2, 3];
    Some(match format.name() {
        "ALPHA8" => (token::ALPHA8, &[3]),
        "LUMINANCE8" => (token::LUMINANCE8, &[0]),
        "LUMINANCE8_ALPHA8" => (token::LUMINANCE8_ALPHA8, &[0, 3]),
        "INTENSITY8" => (token::INTENSITY8, &[0]),
        "RGB8" => (token::RGB8, RGBA),
        "RGBA8" => (token::RGBA8, RGBA),
        "ALPHA16" => (token::ALPHA16, &[3]),
        "LUMINANCE16" => (token::LUMINANCE16, &[0]),
        "LUMINANCE16_ALPHA16" => (token::LUMINANCE16_ALPHA16, &[0, 3]),
        "INTENSITY16" => (token::INTENSITY16, &[0]),
        "RGB16" => (token::RGB16, RGBA),
        "RGBA16" => (token::RGBA16, RGBA),
        "DEPTH_COMPONENT16" => (token::DEPTH_COMPONENT16, &[0]),
        "DEPTH_COMPONENT24" => (token::DEPTH_COMPONENT24, &[0]),
        "DEPTH_COMPONENT32F" => (token::DEPTH_COMPONENT32F, &[0]),
        "RG8" => (token::RG8, RGBA),
        "R32UI" => (token::R32UI, RGBA),
        "RGBA16F" => (token::RGBA16F, RGBA),
        "RGBA32F" => (token::RGBA32F, RGBA),
        "RGBA8I" => (token::RGBA8I, RGBA),
        "RGBA16UI" => (token::RGBA16UI, RGBA),
        "RGBA32I" => (token::RGBA32I, RGBA),
        _ => return None,
    })
}
