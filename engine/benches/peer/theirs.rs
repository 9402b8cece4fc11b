//! Draws the cases with the machine's OpenGL driver. `ours` draws them with Shadestep.

use super::SIZE;
use super::cases::{self, Blend, Case, Depth, Filter, Format, Mesh, Target as TextureTarget};
use super::gl::{Gl, Pixels, token};
use shadestep_engine::gl::enums::Constant;

/// The format of the framebuffer.
#[derive(Clone, Copy)]
pub enum Target {
    /// RGBA8.
    Bytes,
    /// RGBA32F.
    Floats,
}

/// The programs of a case.
enum Programs {
    /// The case's own programs.
    Assembly([u32; 2]),
    /// The GLSL reference, and the location of its uniform `local`.
    Shaders(u32, i32),
}

impl Programs {
    fn new(gl: &Gl, case: &Case) -> Result<Self, String> {
        if !case.references.is_empty() {
            let shaders = case.references.iter().map(|(stage, text)| gl.shader(*stage, text));
            let program = gl.glsl_program(&shaders.collect::<Result<Vec<_>, _>>()?)?;
            gl.use_program(program);
            return Ok(Self::Shaders(program, gl.get_uniform_location(program, "local")));
        }
        let mut programs = [0; 2];
        let texts = [(token::VERTEX_PROGRAM, case.vertex), (token::FRAGMENT_PROGRAM, case.fragment)];
        for (program, (target, text)) in programs.iter_mut().zip(texts) {
            *program = gl.gen_program();
            gl.bind_program(target, *program);
            gl.program_string(target, text.as_bytes());
            if gl.error().is_some() {
                let at = gl.get_integer(token::PROGRAM_ERROR_POSITION);
                return Err(format!("refused at {at}: {}", gl.get_string(token::PROGRAM_ERROR_STRING)));
            }
            gl.enable(target);
        }
        Ok(Self::Assembly(programs))
    }

    /// Sets `program.local[0]` of all programs.
    fn set_local(&self, gl: &Gl, [x, y, z, w]: [f32; 4]) {
        match self {
            Self::Assembly(_) => {
                for stage in [token::VERTEX_PROGRAM, token::FRAGMENT_PROGRAM] {
                    gl.program_local_parameter(stage, 0, x, y, z, w);
                }
            }
            Self::Shaders(_, local) => gl.uniform_4f(*local, x, y, z, w),
        }
    }

    fn delete(&self, gl: &Gl) {
        match self {
            Self::Assembly(programs) => programs.iter().for_each(|&name| gl.delete_program(name)),
            Self::Shaders(program, _) => {
                gl.use_program(0);
                gl.delete_glsl_program(*program);
            }
        }
    }
}

/// A case with all state that stays the same from frame to frame.
pub struct Scene<'a> {
    gl: &'a Gl,
    framebuffers: [u32; 2],
    renderbuffers: [u32; 3],
    textures: Vec<u32>,
    programs: Programs,
    primitive: u32,
    indices: usize,
}

impl<'a> Scene<'a> {
    pub fn new(gl: &'a Gl, case: &Case) -> Result<Self, String> {
        let programs = Programs::new(gl, case)?;
        let (framebuffers, renderbuffers) = targets(gl)?;
        let mesh = Mesh::new(case.geometry);
        for (index, size, data) in [(0, 3, &mesh.positions), (2, 3, &mesh.normals), (8, 2, &mesh.coordinates)]
        {
            gl.bind_buffer(token::ARRAY_BUFFER, gl.gen_buffer());
            gl.array_data(data);
            gl.vertex_attrib_pointer(index, size);
            gl.enable_vertex_attrib_array(index);
        }
        gl.bind_buffer(token::ELEMENT_ARRAY_BUFFER, gl.gen_buffer());
        gl.element_data(&mesh.indices);
        let switch = |cap, on| if on { gl.enable(cap) } else { gl.disable(cap) };
        gl.depth_func(token::LESS);
        switch(token::DEPTH_TEST, case.depth == Depth::Less);
        gl.blend_func(token::SRC_ALPHA, token::ONE_MINUS_SRC_ALPHA);
        switch(token::BLEND, case.blend == Blend::Over);
        gl.viewport(0, 0, SIZE as i32, SIZE as i32);
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        let textures = (0..).zip(case.textures).map(|(unit, wanted)| texture(gl, unit, *wanted)).collect();
        gl.patch_parameter(token::PATCH_VERTICES, 4);
        let (primitive, indices) = (mesh.primitive.constant(), mesh.indices.len());
        match gl.error() {
            Some(error) => Err(format!("GL error {error:#x}")),
            None => Ok(Self { gl, framebuffers, renderbuffers, textures, programs, primitive, indices }),
        }
    }

    /// Draws one frame at time `seconds`.
    pub fn draw(&mut self, target: Target, seconds: f32) -> Result<(), String> {
        let gl = self.gl;
        let side = SIZE as f32;
        gl.bind_framebuffer(token::FRAMEBUFFER, self.framebuffers[target as usize]);
        self.programs.set_local(gl, [seconds, side, side, 1.0]);
        gl.clear(token::COLOR_BUFFER_BIT | token::DEPTH_BUFFER_BIT);
        // llvmpipe splits a draw of more than 256 vertices in the middle of a patch.
        let most = if self.primitive == token::PATCHES { 256 } else { usize::MAX };
        for first in (0..self.indices).step_by(most) {
            gl.draw_elements(self.primitive, first, most.min(self.indices - first));
        }
        gl.finish();
        match gl.error() {
            Some(error) => Err(format!("GL error {error:#x}")),
            None => Ok(()),
        }
    }

    /// The RGBA32F picture, from the bottom row up.
    pub fn pixels(&self) -> Vec<[f32; 4]> {
        self.gl.bind_framebuffer(token::FRAMEBUFFER, self.framebuffers[Target::Floats as usize]);
        self.gl.read_floats([SIZE; 2])
    }
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        self.gl.bind_framebuffer(token::FRAMEBUFFER, 0);
        self.framebuffers.iter().for_each(|&name| self.gl.delete_framebuffer(name));
        self.renderbuffers.iter().for_each(|&name| self.gl.delete_renderbuffer(name));
        self.programs.delete(self.gl);
        self.textures.iter().for_each(|&name| self.gl.delete_texture(name));
    }
}

/// Creates framebuffers of RGBA8 and RGBA32F that share one depth buffer.
fn targets(gl: &Gl) -> Result<([u32; 2], [u32; 3]), String> {
    let side = SIZE as i32;
    let renderbuffer = |format| {
        let name = gl.gen_renderbuffer();
        gl.bind_renderbuffer(token::RENDERBUFFER, name);
        gl.renderbuffer_storage(token::RENDERBUFFER, format, side, side);
        name
    };
    let depth = renderbuffer(token::DEPTH_COMPONENT32F);
    let mut framebuffers = [0; 2];
    let mut renderbuffers = [depth; 3];
    for (n, format) in [token::RGBA8, token::RGBA32F].into_iter().enumerate() {
        framebuffers[n] = gl.gen_framebuffer();
        renderbuffers[n] = renderbuffer(format);
        gl.bind_framebuffer(token::FRAMEBUFFER, framebuffers[n]);
        for (attachment, buffer) in
            [(token::COLOR_ATTACHMENT0, renderbuffers[n]), (token::DEPTH_ATTACHMENT, depth)]
        {
            gl.framebuffer_renderbuffer(token::FRAMEBUFFER, attachment, token::RENDERBUFFER, buffer);
        }
        if gl.check_framebuffer_status(token::FRAMEBUFFER) != token::FRAMEBUFFER_COMPLETE {
            return Err("the driver has no such framebuffer".to_owned());
        }
    }
    Ok((framebuffers, renderbuffers))
}

fn texture(gl: &Gl, unit: u32, wanted: cases::Texture) -> u32 {
    let target = match wanted.target {
        TextureTarget::D2 => token::TEXTURE_2D,
        TextureTarget::D3 => token::TEXTURE_3D,
        TextureTarget::Cube => token::TEXTURE_CUBE_MAP,
        TextureTarget::Rect => token::TEXTURE_RECTANGLE,
    };
    let name = gl.gen_texture();
    gl.active_texture(token::TEXTURE0 + unit);
    gl.bind_texture(target, name);
    let side = cases::side(wanted.target);
    let depth = if wanted.target == TextureTarget::D3 { side } else { 1 };
    let images = if wanted.target == TextureTarget::Cube { 6 } else { 1 };
    for face in 0..images {
        let image = if images == 1 { target } else { token::TEXTURE_CUBE_MAP_POSITIVE_X + face };
        let texels = cases::texels(wanted.target, face as usize);
        let format = match wanted.format {
            Format::Bytes => token::RGBA8,
            Format::Red => token::R32F,
        };
        gl.tex_image(image, 0, format, [side, side, depth], Pixels::Bytes(&texels));
    }
    let wrap = match wanted.target {
        TextureTarget::D2 | TextureTarget::D3 => token::REPEAT,
        TextureTarget::Cube | TextureTarget::Rect => token::CLAMP_TO_EDGE,
    };
    let (min, mag) = match wanted.filter {
        Filter::Nearest => (token::NEAREST_MIPMAP_NEAREST, token::NEAREST),
        Filter::Bilinear => (token::LINEAR, token::LINEAR),
        Filter::Trilinear | Filter::Anisotropic => (token::LINEAR_MIPMAP_LINEAR, token::LINEAR),
    };
    if wanted.filter != Filter::Bilinear {
        gl.generate_mipmap(target);
    }
    if wanted.filter == Filter::Anisotropic {
        gl.tex_parameter_f(target, token::TEXTURE_MAX_ANISOTROPY, 8.0);
    }
    for (parameter, value) in [
        (token::TEXTURE_WRAP_S, wrap),
        (token::TEXTURE_WRAP_T, wrap),
        (token::TEXTURE_WRAP_R, wrap),
        (token::TEXTURE_MIN_FILTER, min),
        (token::TEXTURE_MAG_FILTER, mag),
    ] {
        gl.tex_parameter(target, parameter, value as i32);
    }
    name
}
