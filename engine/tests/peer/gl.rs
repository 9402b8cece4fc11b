//! A headless OpenGL compatibility context of the machine's driver, through EGL loaded at run time. The
//! unsafe code of tests and benches is all here: every public method is safe to call.
//!
//! [`Gl`] has the GL's commands under their own names. Commands that take memory take slices and check their
//! lengths. Callers ask for errors with [`Gl::error`]. `theirs` and the bench's `theirs` draw through this
//! context.

#![expect(unsafe_code, reason = "a C interface, loaded at run time")]
#![expect(dead_code, reason = "test and bench use different commands")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::ptr;

use libloading::Library;
use shadestep_engine::isa::Stage;

/// Numbers of the GL's tokens, by their names without `GL_`.
pub mod token {
    macro_rules! tokens {
        ($($name:ident = $value:literal;)*) => { $(pub const $name: u32 = $value;)* };
    }
    tokens! {
        NO_ERROR = 0; POINTS = 0; TRIANGLES = 4; TRIANGLE_STRIP = 5; DEPTH_BUFFER_BIT = 0x100;
        COLOR_BUFFER_BIT = 0x4000; LESS = 0x201; LEQUAL = 0x203; ALWAYS = 0x207; SRC_ALPHA = 0x302;
        ONE_MINUS_SRC_ALPHA = 0x303; ONE = 1; CULL_FACE = 0xB44; DEPTH_TEST = 0xB71; BLEND = 0xBE2; FOG = 0xB60;
        TEXTURE_1D = 0xDE0; TEXTURE_2D = 0xDE1; TEXTURE_3D = 0x806F; TEXTURE_RECTANGLE = 0x84F5;
        TEXTURE_CUBE_MAP = 0x8513; TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515; BYTE = 0x1400; UNSIGNED_BYTE = 0x1401;
        UNSIGNED_INT = 0x1405; FLOAT = 0x1406; MODELVIEW = 0x1700; PROJECTION = 0x1701; DEPTH_COMPONENT = 0x1902;
        RED = 0x1903; ALPHA = 0x1906; RGB = 0x1907; RGBA = 0x1908; LUMINANCE = 0x1909; LUMINANCE_ALPHA = 0x190A;
        VENDOR = 0x1F00; RENDERER = 0x1F01; VERSION = 0x1F02; EXTENSIONS = 0x1F03; NEAREST = 0x2600;
        LINEAR = 0x2601; NEAREST_MIPMAP_NEAREST = 0x2700; LINEAR_MIPMAP_NEAREST = 0x2701;
        NEAREST_MIPMAP_LINEAR = 0x2702; LINEAR_MIPMAP_LINEAR = 0x2703; TEXTURE_MAG_FILTER = 0x2800;
        TEXTURE_MIN_FILTER = 0x2801; TEXTURE_WRAP_S = 0x2802; TEXTURE_WRAP_T = 0x2803; TEXTURE_WRAP_R = 0x8072;
        REPEAT = 0x2901; CLAMP = 0x2900; CLAMP_TO_EDGE = 0x812F; CLAMP_TO_BORDER = 0x812D;
        MIRRORED_REPEAT = 0x8370; TEXTURE_BORDER_COLOR = 0x1004; TEXTURE_BASE_LEVEL = 0x813C;
        TEXTURE_MAX_LEVEL = 0x813D; TEXTURE_MIN_LOD = 0x813A; TEXTURE_MAX_LOD = 0x813B;
        TEXTURE_LOD_BIAS = 0x8501; TEXTURE_MAX_ANISOTROPY = 0x84FE; TEXTURE_COMPARE_MODE = 0x884C;
        TEXTURE_COMPARE_FUNC = 0x884D; COMPARE_R_TO_TEXTURE = 0x884E; DEPTH_TEXTURE_MODE = 0x884B;
        ALPHA8 = 0x803C; LUMINANCE8 = 0x8040; LUMINANCE8_ALPHA8 = 0x8045; INTENSITY8 = 0x804B; INTENSITY = 0x8049;
        ALPHA16 = 0x803E; LUMINANCE16 = 0x8042; LUMINANCE16_ALPHA16 = 0x8048; INTENSITY16 = 0x804D;
        RGB8 = 0x8051; RGBA8 = 0x8058; RGB16 = 0x8054; RGBA16 = 0x805B; RGBA32F = 0x8814;
        DEPTH_COMPONENT16 = 0x81A5; DEPTH_COMPONENT24 = 0x81A6; DEPTH_COMPONENT32F = 0x8CAC;
        TEXTURE0 = 0x84C0; PACK_ALIGNMENT = 0xD05; UNPACK_ALIGNMENT = 0xCF5;
        VERTEX_PROGRAM = 0x8620; FRAGMENT_PROGRAM = 0x8804; GEOMETRY_PROGRAM = 0x8C26; FRAGMENT_PROGRAM_NV = 0x8870;
        VERTEX_STATE_PROGRAM_NV = 0x8621; VERTEX_PROGRAM_TWO_SIDE = 0x8643; VERTEX_PROGRAM_POINT_SIZE = 0x8642;
        PROGRAM_FORMAT_ASCII = 0x8875; PROGRAM_ERROR_POSITION = 0x864B; PROGRAM_ERROR_STRING = 0x8874;
        PROGRAM_UNDER_NATIVE_LIMITS = 0x88B6;
        FRAMEBUFFER = 0x8D40; RENDERBUFFER = 0x8D41; COLOR_ATTACHMENT0 = 0x8CE0; DEPTH_ATTACHMENT = 0x8D00;
        FRAMEBUFFER_COMPLETE = 0x8CD5; CLAMP_VERTEX_COLOR = 0x891A; CLAMP_FRAGMENT_COLOR = 0x891B;
        CLAMP_READ_COLOR = 0x891C; ARRAY_BUFFER = 0x8892; ELEMENT_ARRAY_BUFFER = 0x8893; STATIC_DRAW = 0x88E4;
        SHADER_STORAGE_BUFFER = 0x90D2; READ_WRITE = 0x88BA; TEXTURE_2D_MULTISAMPLE = 0x9100; CLIP_PLANE0 = 0x3000; COLOR = 0x1800; FRAGMENT_SHADER = 0x8B30; VERTEX_SHADER = 0x8B31; GEOMETRY_SHADER = 0x8DD9;
        TRANSFORM_FEEDBACK_BUFFER = 0x8C8E; INTERLEAVED_ATTRIBS = 0x8C8C; RASTERIZER_DISCARD = 0x8C89;
        TESS_CONTROL_SHADER = 0x8E88; TESS_EVALUATION_SHADER = 0x8E87; PATCH_VERTICES = 0x8E72; PATCHES = 14;
        COMPILE_STATUS = 0x8B81; LINK_STATUS = 0x8B82; INT = 0x1404; RGBA_INTEGER = 0x8D99; TEXTURE_1D_ARRAY = 0x8C18;
        TEXTURE_2D_ARRAY = 0x8C1A; TEXTURE_CUBE_MAP_ARRAY = 0x9009; R32UI = 0x8236; R32F = 0x822E; RG8 = 0x822B; RGBA16F = 0x881A;
        RGBA32UI = 0x8D70; RGBA16UI = 0x8D76; RGBA32I = 0x8D82; RGBA8I = 0x8D8E;
    }
}

use token::*;

/// A display, a context, an address in a library.
type Handle = *mut c_void;
/// `GetShaderiv` and `GetProgramiv`.
type GetObject = unsafe extern "system" fn(u32, u32, *mut i32);
/// `GetShaderInfoLog` and `GetProgramInfoLog`.
type GetLog = unsafe extern "system" fn(u32, i32, *mut i32, *mut u8);

/// Declares the commands. The `plain` ones, whose arguments are all numbers, become safe public methods.
macro_rules! commands {
    (plain { $( $name:ident $method:ident ( $($argument:ident : $ty:ty),* ) $(-> $result:ty)? ; )* }
     raw { $( $raw:ident $field:ident ( $($raw_ty:ty),* ) $(-> $raw_result:ty)? ; )* }) => {
        /// Entry points; `None` for commands that the driver lacks.
        #[derive(Default)]
        struct Entries {
            $( $method: Option<unsafe extern "system" fn($($ty),*) $(-> $result)?>, )*
            $( $field: Option<unsafe extern "system" fn($($raw_ty),*) $(-> $raw_result)?>, )*
        }

        impl Entries {
            fn load(address: &dyn Fn(&CStr) -> Handle) -> Self {
                let mut entries = Self::default();
                $( {
                    let name = concat!("gl", stringify!($name), "\0");
                    let found = CStr::from_bytes_with_nul(name.as_bytes()).map_or(ptr::null_mut(), address);
                    // SAFETY: null is `None`. Any other address is the command of this name, declared as in C.
                    entries.$method = unsafe { std::mem::transmute::<Handle, Option<_>>(found) };
                } )*
                $( {
                    let name = concat!("gl", stringify!($raw), "\0");
                    let found = CStr::from_bytes_with_nul(name.as_bytes()).map_or(ptr::null_mut(), address);
                    // SAFETY: as above.
                    entries.$field = unsafe { std::mem::transmute::<Handle, Option<_>>(found) };
                } )*
                entries
            }
        }

        impl Gl {
            $( pub fn $method(&self, $($argument: $ty),*) $(-> $result)? {
                // SAFETY: the context is current on this thread as long as `self` lives, and no argument is
                // an address.
                unsafe { has(self.entries.$method, stringify!($name))($($argument),*) }
            } )*
        }
    };
}

commands! {
    plain {
        GetError get_error() -> u32;
        Enable enable(cap: u32);
        Disable disable(cap: u32);
        Viewport viewport(x: i32, y: i32, width: i32, height: i32);
        ClearColor clear_color(r: f32, g: f32, b: f32, a: f32);
        ClearDepth clear_depth(depth: f64);
        Clear clear(mask: u32);
        Finish finish();
        DepthFunc depth_func(func: u32);
        BlendFunc blend_func(source: u32, destination: u32);
        PointSize point_size(size: f32);
        Begin begin(mode: u32);
        End end();
        Vertex4f vertex(x: f32, y: f32, z: f32, w: f32);
        Color4f color(r: f32, g: f32, b: f32, a: f32);
        SecondaryColor3f secondary_color(r: f32, g: f32, b: f32);
        FogCoordf fog_coord(f: f32);
        MultiTexCoord4f multi_tex_coord(unit: u32, s: f32, t: f32, r: f32, q: f32);
        VertexAttrib4fARB vertex_attrib(index: u32, x: f32, y: f32, z: f32, w: f32);
        VertexAttribI4i vertex_attrib_i(index: u32, x: i32, y: i32, z: i32, w: i32);
        VertexAttribI4ui vertex_attrib_ui(index: u32, x: u32, y: u32, z: u32, w: u32);
        VertexAttribL4d vertex_attrib_l(index: u32, x: f64, y: f64, z: f64, w: f64);
        MatrixMode matrix_mode(mode: u32);
        LoadIdentity load_identity();
        ActiveTexture active_texture(unit: u32);
        BindTexture bind_texture(target: u32, texture: u32);
        TexParameteri tex_parameter(target: u32, name: u32, value: i32);
        TexParameterf tex_parameter_f(target: u32, name: u32, value: f32);
        GenerateMipmap generate_mipmap(target: u32);
        PixelStorei pixel_store(name: u32, value: i32);
        ClampColorARB clamp_color(target: u32, clamp: u32);
        BindProgramARB bind_program(target: u32, program: u32);
        ProgramLocalParameter4fARB program_local_parameter(target: u32, index: u32, x: f32, y: f32, z: f32, w: f32);
        ProgramEnvParameter4fARB program_env_parameter(target: u32, index: u32, x: f32, y: f32, z: f32, w: f32);
        ProgramParameter4fNV program_parameter_nv(target: u32, index: u32, x: f32, y: f32, z: f32, w: f32);
        BindFramebuffer bind_framebuffer(target: u32, framebuffer: u32);
        BindRenderbuffer bind_renderbuffer(target: u32, renderbuffer: u32);
        RenderbufferStorage renderbuffer_storage(target: u32, format: u32, width: i32, height: i32);
        FramebufferRenderbuffer framebuffer_renderbuffer(target: u32, attachment: u32, kind: u32, buffer: u32);
        CheckFramebufferStatus check_framebuffer_status(target: u32) -> u32;
        BindBuffer bind_buffer(target: u32, buffer: u32);
        EnableVertexAttribArrayARB enable_vertex_attrib_array(index: u32);
        DisableVertexAttribArrayARB disable_vertex_attrib_array(index: u32);
        DrawArrays draw_arrays(mode: u32, first: i32, count: i32);
        PatchParameteri patch_parameter(name: u32, value: i32);
        CreateShader create_shader(kind: u32) -> u32;
        CompileShader compile_shader(shader: u32);
        DeleteShader delete_shader(shader: u32);
        CreateProgram create_program() -> u32;
        AttachShader attach_shader(program: u32, shader: u32);
        LinkProgram link_program(program: u32);
        UseProgram use_program(program: u32);
        DeleteProgram delete_glsl_program(program: u32);
        Uniform4f uniform_4f(location: i32, x: f32, y: f32, z: f32, w: f32);
        BeginTransformFeedback begin_transform_feedback(mode: u32);
        EndTransformFeedback end_transform_feedback();
        BindBufferBase bind_buffer_base(target: u32, index: u32, buffer: u32);
        RenderbufferStorageMultisample renderbuffer_storage_multisample(target: u32, samples: i32, format: u32, width: i32, height: i32);
        TexImage2DMultisample tex_image_2d_multisample(target: u32, samples: i32, format: u32, width: i32, height: i32, fixed: u8);
        FramebufferTexture2D framebuffer_texture_2d(target: u32, attachment: u32, kind: u32, texture: u32, level: i32);
        Uniform4ui uniform_4ui(location: i32, x: u32, y: u32, z: u32, w: u32);
    }
    raw {
        GetString string(u32) -> *const u8;
        GetIntegerv integers(u32, *mut i32);
        ReadPixels read_pixels(i32, i32, i32, i32, u32, u32, *mut c_void);
        GenTextures gen_textures(i32, *mut u32);
        DeleteTextures delete_textures(i32, *const u32);
        TexImage1D tex_image_1d(u32, i32, i32, i32, i32, u32, u32, *const c_void);
        TexImage2D tex_image_2d(u32, i32, i32, i32, i32, i32, u32, u32, *const c_void);
        TexImage3D tex_image_3d(u32, i32, i32, i32, i32, i32, i32, u32, u32, *const c_void);
        TexParameterfv tex_parameter_fv(u32, u32, *const f32);
        GenProgramsARB gen_programs(i32, *mut u32);
        DeleteProgramsARB delete_programs(i32, *const u32);
        ProgramStringARB program_string(u32, u32, i32, *const c_void);
        GetProgramivARB program_iv(u32, u32, *mut i32);
        LoadProgramNV load_program_nv(u32, u32, i32, *const u8);
        ProgramNamedParameter4fvNV program_named_parameter_nv(u32, i32, *const u8, *const f32);
        GenFramebuffers gen_framebuffers(i32, *mut u32);
        GenRenderbuffers gen_renderbuffers(i32, *mut u32);
        DeleteFramebuffers delete_framebuffers(i32, *const u32);
        DeleteRenderbuffers delete_renderbuffers(i32, *const u32);
        DrawBuffers draw_buffers(i32, *const u32);
        BindImageTexture bind_image(u32, u32, i32, u8, i32, u32, u32);
        GenBuffers gen_buffers(i32, *mut u32);
        DeleteBuffers delete_buffers(i32, *const u32);
        BufferData buffer_data(u32, isize, *const c_void, u32);
        VertexAttribPointerARB vertex_attrib_pointer(u32, i32, u32, u8, i32, *const c_void);
        DrawElements draw_elements(u32, i32, u32, *const c_void);
        ShaderSource shader_source(u32, i32, *const *const c_char, *const i32);
        GetShaderiv shader_iv(u32, u32, *mut i32);
        GetShaderInfoLog shader_info_log(u32, i32, *mut i32, *mut u8);
        GetProgramiv glsl_program_iv(u32, u32, *mut i32);
        GetProgramInfoLog glsl_program_info_log(u32, i32, *mut i32, *mut u8);
        GetUniformLocation uniform_location(u32, *const c_char) -> i32;
        TransformFeedbackVaryings feedback_varyings(u32, i32, *const *const c_char, u32);
        GetBufferSubData get_buffer_data(u32, isize, isize, *mut c_void);
        ClearBufferuiv clear_buffer_ui(u32, i32, *const u32);
    }
}

/// Returns the entry point.
fn has<T>(entry: Option<T>, name: &str) -> T {
    entry.unwrap_or_else(|| panic!("the driver has no gl{name}"))
}

/// Texels in memory, with their components and type.
#[derive(Clone, Copy, Debug)]
pub enum Pixels<'a> {
    /// R, G, B, A.
    Bytes(&'a [u8]),
    /// R, G, B, A.
    Floats(&'a [f32]),
    /// One depth a texel.
    Depths(&'a [f32]),
    /// R, G, B, A of an integer format.
    Signed(&'a [i32]),
    /// R, G, B, A of an unsigned integer format.
    Unsigned(&'a [u32]),
}

impl Pixels<'_> {
    /// The format, the type, the number of texels and their address.
    fn parts(self) -> (u32, u32, usize, *const c_void) {
        match self {
            Self::Bytes(data) => (RGBA, UNSIGNED_BYTE, data.len() / 4, data.as_ptr().cast()),
            Self::Floats(data) => (RGBA, FLOAT, data.len() / 4, data.as_ptr().cast()),
            Self::Depths(data) => (DEPTH_COMPONENT, FLOAT, data.len(), data.as_ptr().cast()),
            Self::Signed(data) => (RGBA_INTEGER, INT, data.len() / 4, data.as_ptr().cast()),
            Self::Unsigned(data) => (RGBA_INTEGER, UNSIGNED_INT, data.len() / 4, data.as_ptr().cast()),
        }
    }
}

/// A current context. It stays on the thread that created it, until the process ends.
pub struct Gl {
    entries: Entries,
    /// Keeps the library loaded, because the entry points are in it.
    _library: Library,
    _not_send: PhantomData<*const ()>,
}

/// EGL's tokens.
mod egl {
    pub const PLATFORM_SURFACELESS_MESA: u32 = 0x31DD;
    pub const PLATFORM_DEVICE_EXT: u32 = 0x313F;
    pub const OPENGL_API: u32 = 0x30A2;
    pub const OPENGL_BIT: i32 = 8;
    pub const RENDERABLE_TYPE: i32 = 0x3040;
    pub const SURFACE_TYPE: i32 = 0x3033;
    pub const NONE: i32 = 0x3038;
}

impl Gl {
    /// [`Self::new`], after setting the `variables` that the environment lacks. Drivers read them when they
    /// are loaded.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_environment(variables: &[(&str, &str)]) -> Result<Self, String> {
        for (name, value) in variables {
            if std::env::var_os(name).is_none() {
                // SAFETY: called before the first driver is loaded, by the only thread.
                unsafe { std::env::set_var(name, value) };
            }
        }
        Self::new()
    }

    /// Creates a context on the surfaceless platform, or else on one of the devices.
    ///
    /// # Errors
    /// The reason why no context could be created.
    pub fn new() -> Result<Self, String> {
        // SAFETY: initialising libEGL has no precondition but that no other thread does so at once.
        let library = unsafe { Library::new("libEGL.so.1") }.map_err(|e| format!("libEGL.so.1: {e}"))?;
        let symbol = |name: &str| -> Result<Handle, String> {
            // SAFETY: only the address is taken.
            let found = unsafe { library.get::<Handle>(name.as_bytes()) };
            found.map(|symbol| *symbol).map_err(|e| format!("{name}: {e}"))
        };
        let context = Connection::new(&symbol)?;
        let displays = context.displays();
        let made = displays.iter().any(|&display| context.make_current(display));
        if !made {
            return Err(format!("no EGL display of {} gives an OpenGL context", displays.len()));
        }
        let entries = Entries::load(&|name| {
            // SAFETY: the name ends with a zero.
            unsafe { (context.get_proc_address)(name.as_ptr()) }
        });
        Ok(Self { entries, _library: library, _not_send: PhantomData })
    }

    /// `GetString`; empty if the driver knows no such string.
    pub fn get_string(&self, name: u32) -> String {
        // SAFETY: the answer is null or ends with a zero, and stays until the context goes.
        unsafe {
            let text = has(self.entries.string, "GetString")(name);
            if text.is_null() {
                return String::new();
            }
            CStr::from_ptr(text.cast()).to_string_lossy().into_owned()
        }
    }

    /// Whether the driver offers an extension (`GL_...`).
    pub fn offers(&self, extension: &str) -> bool {
        self.get_string(EXTENSIONS).split_whitespace().any(|word| word == extension)
    }

    /// `GetIntegerv` of one number.
    pub fn get_integer(&self, name: u32) -> i32 {
        // Some names have four.
        let mut value = [0; 16];
        // SAFETY: no name asked for here has more than 16 numbers.
        unsafe { has(self.entries.integers, "GetIntegerv")(name, value.as_mut_ptr()) };
        value[0]
    }

    /// `GetProgramivARB`.
    pub fn get_program_integer(&self, target: u32, name: u32) -> i32 {
        let mut value = 0;
        // SAFETY: every name has one number.
        unsafe { has(self.entries.program_iv, "GetProgramivARB")(target, name, &raw mut value) };
        value
    }

    /// The first error since the last call, if there was one. The other errors are dropped.
    pub fn error(&self) -> Option<u32> {
        let first = self.get_error();
        while self.get_error() != NO_ERROR {}
        (first != NO_ERROR).then_some(first)
    }

    fn generate(&self, command: Option<unsafe extern "system" fn(i32, *mut u32)>) -> u32 {
        let mut name = 0;
        // SAFETY: there is room for one name.
        unsafe { has(command, "Gen")(1, &raw mut name) };
        name
    }

    fn delete(&self, command: Option<unsafe extern "system" fn(i32, *const u32)>, name: u32) {
        // SAFETY: there is one name.
        unsafe { has(command, "Delete")(1, &raw const name) };
    }

    pub fn gen_texture(&self) -> u32 {
        self.generate(self.entries.gen_textures)
    }

    pub fn gen_program(&self) -> u32 {
        self.generate(self.entries.gen_programs)
    }

    pub fn gen_framebuffer(&self) -> u32 {
        self.generate(self.entries.gen_framebuffers)
    }

    pub fn gen_renderbuffer(&self) -> u32 {
        self.generate(self.entries.gen_renderbuffers)
    }

    /// `BindImageTexture` of level 0 with all layers, for reading and writing.
    pub fn bind_image_texture(&self, unit: u32, texture: u32, format: u32) {
        // SAFETY: no argument is an address.
        unsafe {
            has(self.entries.bind_image, "BindImageTexture")(unit, texture, 0, 1, 0, READ_WRITE, format);
        }
    }

    pub fn gen_buffer(&self) -> u32 {
        self.generate(self.entries.gen_buffers)
    }

    pub fn delete_texture(&self, name: u32) {
        self.delete(self.entries.delete_textures, name);
    }

    pub fn delete_program(&self, name: u32) {
        self.delete(self.entries.delete_programs, name);
    }

    pub fn delete_buffer(&self, name: u32) {
        self.delete(self.entries.delete_buffers, name);
    }

    pub fn delete_framebuffer(&self, name: u32) {
        self.delete(self.entries.delete_framebuffers, name);
    }

    pub fn delete_renderbuffer(&self, name: u32) {
        self.delete(self.entries.delete_renderbuffers, name);
    }

    /// `DrawBuffers`.
    pub fn draw_buffers(&self, buffers: &[u32]) {
        let count = i32::try_from(buffers.len()).unwrap_or(0);
        // SAFETY: there are `count`.
        unsafe { has(self.entries.draw_buffers, "DrawBuffers")(count, buffers.as_ptr()) };
    }

    /// `ProgramStringARB`.
    pub fn program_string(&self, target: u32, text: &[u8]) {
        let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
        // SAFETY: the text is `length` bytes.
        unsafe {
            has(self.entries.program_string, "ProgramStringARB")(
                target,
                PROGRAM_FORMAT_ASCII,
                length,
                text.as_ptr().cast(),
            );
        }
    }

    /// `LoadProgramNV`.
    pub fn load_program_nv(&self, target: u32, program: u32, text: &[u8]) {
        let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
        // SAFETY: the text is `length` bytes.
        unsafe { has(self.entries.load_program_nv, "LoadProgramNV")(target, program, length, text.as_ptr()) };
    }

    /// `ProgramNamedParameter4fvNV`.
    pub fn program_named_parameter_nv(&self, program: u32, name: &[u8], value: [f32; 4]) {
        let length = i32::try_from(name.len()).unwrap_or(i32::MAX);
        // SAFETY: the name is `length` bytes, and there are four numbers.
        unsafe {
            has(self.entries.program_named_parameter_nv, "ProgramNamedParameter4fvNV")(
                program,
                length,
                name.as_ptr(),
                value.as_ptr(),
            );
        }
    }

    /// `TexParameterfv` of four numbers.
    pub fn tex_parameter_4f(&self, target: u32, name: u32, value: [f32; 4]) {
        // SAFETY: no name has more than four numbers.
        unsafe { has(self.entries.tex_parameter_fv, "TexParameterfv")(target, name, value.as_ptr()) };
    }

    /// `TexImage1D`, `TexImage2D` or `TexImage3D`, depending on `target`.
    pub fn tex_image(&self, target: u32, level: i32, format: u32, size: [usize; 3], pixels: Pixels<'_>) {
        let (from, ty, texels, data) = pixels.parts();
        assert_eq!(texels, size.iter().product::<usize>(), "texels of an image");
        let [w, h, d] = size.map(|n| i32::try_from(n).unwrap_or(0));
        let format = i32::try_from(format).unwrap_or(0);
        // SAFETY: there are as many texels as the image has. Rows are packed: a texel is a multiple of 4
        // bytes, the GL's default alignment.
        unsafe {
            match target {
                TEXTURE_1D => {
                    has(self.entries.tex_image_1d, "TexImage1D")(target, level, format, w, 0, from, ty, data);
                }
                TEXTURE_3D | TEXTURE_2D_ARRAY | TEXTURE_CUBE_MAP_ARRAY => {
                    has(self.entries.tex_image_3d, "TexImage3D")(
                        target, level, format, w, h, d, 0, from, ty, data,
                    );
                }
                _ => {
                    has(self.entries.tex_image_2d, "TexImage2D")(
                        target, level, format, w, h, 0, from, ty, data,
                    );
                }
            }
        }
    }

    /// `ShaderSource` and `CompileShader` of a new shader.
    ///
    /// # Errors
    /// The driver's information log.
    pub fn shader(&self, stage: Stage, text: &str) -> Result<u32, String> {
        let shader = self.create_shader(match stage {
            Stage::Vertex | Stage::VertexState => VERTEX_SHADER,
            Stage::TessControl => TESS_CONTROL_SHADER,
            Stage::TessEvaluation => TESS_EVALUATION_SHADER,
            Stage::Geometry => GEOMETRY_SHADER,
            Stage::Fragment => FRAGMENT_SHADER,
        });
        let length = i32::try_from(text.len()).unwrap_or(i32::MAX);
        let start = text.as_ptr().cast::<c_char>();
        // SAFETY: there is one text of `length` bytes.
        unsafe {
            has(self.entries.shader_source, "ShaderSource")(shader, 1, &raw const start, &raw const length)
        };
        self.compile_shader(shader);
        let get = (self.entries.shader_iv, self.entries.shader_info_log);
        self.status(shader, COMPILE_STATUS, get).map(|()| shader)
    }

    /// Links a new program from `shaders` and deletes them.
    ///
    /// # Errors
    /// The driver's information log.
    pub fn glsl_program(&self, shaders: &[u32]) -> Result<u32, String> {
        self.glsl_program_recording(shaders, &[])
    }

    /// Links a new program whose `varyings` transform feedback records, interleaved.
    ///
    /// # Errors
    /// The driver's information log.
    pub fn glsl_program_recording(&self, shaders: &[u32], varyings: &[&str]) -> Result<u32, String> {
        let program = self.create_program();
        for &shader in shaders {
            self.attach_shader(program, shader);
            self.delete_shader(shader);
        }
        if !varyings.is_empty() {
            let names: Vec<CString> = varyings.iter().filter_map(|name| CString::new(*name).ok()).collect();
            let starts: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
            let count = i32::try_from(starts.len()).unwrap_or(i32::MAX);
            // SAFETY: there are `count` names. Each ends with a zero and lives until the command returns.
            unsafe {
                has(self.entries.feedback_varyings, "TransformFeedbackVaryings")(
                    program,
                    count,
                    starts.as_ptr(),
                    INTERLEAVED_ATTRIBS,
                );
            }
        }
        self.link_program(program);
        let get = (self.entries.glsl_program_iv, self.entries.glsl_program_info_log);
        self.status(program, LINK_STATUS, get).map(|()| program)
    }

    /// Returns the information log as an error if `status` of the shader or program is false.
    fn status(
        &self,
        name: u32,
        status: u32,
        (value_of, log_of): (Option<GetObject>, Option<GetLog>),
    ) -> Result<(), String> {
        let mut good = 0;
        let mut log = vec![0u8; 4096];
        let mut length = 0;
        // SAFETY: the status is one number, and there is room for the log.
        unsafe {
            has(value_of, "GetShaderiv")(name, status, &raw mut good);
            has(log_of, "GetShaderInfoLog")(name, 4096, &raw mut length, log.as_mut_ptr());
        }
        log.truncate(usize::try_from(length).unwrap_or(0));
        if good != 0 { Ok(()) } else { Err(String::from_utf8_lossy(&log).into_owned()) }
    }

    /// `GetUniformLocation`: -1 for a name that the program does not use.
    pub fn get_uniform_location(&self, program: u32, name: &str) -> i32 {
        let Ok(name) = CString::new(name) else { return -1 };
        // SAFETY: the name ends with a zero.
        unsafe { has(self.entries.uniform_location, "GetUniformLocation")(program, name.as_ptr()) }
    }

    /// `ClearBufferuiv` of the colour buffer.
    pub fn clear_unsigned(&self, value: [u32; 4]) {
        // SAFETY: a colour is four numbers.
        unsafe { has(self.entries.clear_buffer_ui, "ClearBufferuiv")(COLOR, 0, value.as_ptr()) };
    }

    /// `ReadPixels` of unsigned integers R, G, B, A, from the bottom row up.
    pub fn read_unsigned(&self, [width, height]: [u32; 2]) -> Vec<[u32; 4]> {
        let mut values = vec![[0; 4]; (width * height) as usize];
        // SAFETY: there is room for all of them.
        unsafe {
            has(self.entries.read_pixels, "ReadPixels")(
                0,
                0,
                width as i32,
                height as i32,
                RGBA_INTEGER,
                UNSIGNED_INT,
                values.as_mut_ptr().cast(),
            );
        }
        values
    }

    /// `ReadPixels` of fp32 R, G, B, A, from the bottom row up.
    pub fn read_floats(&self, size: [u32; 2]) -> Vec<[f32; 4]> {
        self.read_pixels(size, RGBA).as_chunks().0.to_vec()
    }

    /// `ReadPixels` of depths, from the bottom row up.
    pub fn read_depths(&self, size: [u32; 2]) -> Vec<f32> {
        self.read_pixels(size, DEPTH_COMPONENT)
    }

    /// `ReadPixels` of `format`, RGBA or DEPTH_COMPONENT, as fp32.
    fn read_pixels(&self, [width, height]: [u32; 2], format: u32) -> Vec<f32> {
        let components = if format == RGBA { 4 } else { 1 };
        let mut values = vec![0.0; components * (width * height) as usize];
        // SAFETY: there is room for all of them.
        unsafe {
            has(self.entries.read_pixels, "ReadPixels")(
                0,
                0,
                width as i32,
                height as i32,
                format,
                FLOAT,
                values.as_mut_ptr().cast(),
            );
        }
        values
    }

    /// `BufferData` of fp32 numbers to the buffer bound to ARRAY_BUFFER.
    pub fn array_data(&self, data: &[f32]) {
        self.buffer_data(ARRAY_BUFFER, data);
    }

    /// `BufferData` of indices to the buffer bound to ELEMENT_ARRAY_BUFFER.
    pub fn element_data(&self, data: &[u32]) {
        self.buffer_data(ELEMENT_ARRAY_BUFFER, data);
    }

    /// `BufferData` of words to the buffer bound to SHADER_STORAGE_BUFFER.
    pub fn storage_data(&self, data: &[u32]) {
        self.buffer_data(SHADER_STORAGE_BUFFER, data);
    }

    /// `BufferData` of the buffer that transform feedback records into.
    pub fn feedback_data(&self, data: &[u32]) {
        self.buffer_data(TRANSFORM_FEEDBACK_BUFFER, data);
    }

    /// `GetBufferSubData` of the first `count` words of the buffer that transform feedback records into.
    pub fn get_feedback_data(&self, count: usize) -> Vec<u32> {
        let mut words = vec![0; count];
        let bytes = size_of_val(&words[..]) as isize;
        // SAFETY: there is room for as many bytes.
        unsafe {
            has(self.entries.get_buffer_data, "GetBufferSubData")(
                TRANSFORM_FEEDBACK_BUFFER,
                0,
                bytes,
                words.as_mut_ptr().cast(),
            );
        }
        words
    }

    /// `BufferData`; `T` is a plain number without padding.
    fn buffer_data<T: Copy>(&self, target: u32, data: &[T]) {
        // SAFETY: the size is that of the slice.
        unsafe {
            has(self.entries.buffer_data, "BufferData")(
                target,
                size_of_val(data) as isize,
                data.as_ptr().cast(),
                STATIC_DRAW,
            );
        }
    }

    /// `VertexAttribPointerARB` of `size` packed fp32 numbers a vertex, from the start of the bound buffer.
    /// The buffer must have numbers for all vertices of a draw: the GL does not check that.
    pub fn vertex_attrib_pointer(&self, index: u32, size: u8) {
        assert_ne!(self.get_integer(0x8894), 0, "a buffer is bound to ARRAY_BUFFER");
        // SAFETY: with a buffer bound the address is an offset into it.
        unsafe {
            has(self.entries.vertex_attrib_pointer, "VertexAttribPointerARB")(
                index,
                size.into(),
                FLOAT,
                0,
                0,
                ptr::null(),
            );
        }
    }

    /// `DrawElements` of `count` indices in the bound buffer, from index `first` on.
    pub fn draw_elements(&self, mode: u32, first: usize, count: usize) {
        assert_ne!(self.get_integer(0x8895), 0, "a buffer is bound to ELEMENT_ARRAY_BUFFER");
        let (offset, count) = (ptr::without_provenance(4 * first), i32::try_from(count).unwrap_or(0));
        // SAFETY: with a buffer bound the address is an offset into it.
        unsafe { has(self.entries.draw_elements, "DrawElements")(mode, count, UNSIGNED_INT, offset) };
    }
}

/// EGL's entry points, before there is a context.
struct Connection {
    get_proc_address: unsafe extern "system" fn(*const c_char) -> Handle,
    get_platform_display: Option<unsafe extern "system" fn(u32, Handle, *const i32) -> Handle>,
    query_devices: Option<unsafe extern "system" fn(i32, *mut Handle, *mut i32) -> u32>,
    initialize: unsafe extern "system" fn(Handle, *mut i32, *mut i32) -> u32,
    bind_api: unsafe extern "system" fn(u32) -> u32,
    choose_config: unsafe extern "system" fn(Handle, *const i32, *mut Handle, i32, *mut i32) -> u32,
    create_context: unsafe extern "system" fn(Handle, Handle, Handle, *const i32) -> Handle,
    make_current: unsafe extern "system" fn(Handle, Handle, Handle, Handle) -> u32,
}

/// The command at `address`.
///
/// # Safety
/// `F` is that command's type as C declares it.
unsafe fn function<F: Copy>(address: Handle) -> F {
    assert_eq!(size_of::<F>(), size_of::<Handle>());
    // SAFETY: both are addresses, and the caller vouches for the type.
    unsafe { std::mem::transmute_copy(&address) }
}

impl Connection {
    fn new(symbol: &dyn Fn(&str) -> Result<Handle, String>) -> Result<Self, String> {
        // SAFETY: each is EGL's command of that name, declared as in C. `symbol` gives no null pointer, and a
        // null pointer from `eglGetProcAddress` becomes `None`.
        unsafe {
            let get: unsafe extern "system" fn(*const c_char) -> Handle =
                function(symbol("eglGetProcAddress")?);
            let extension =
                |name: &str| CString::new(name).map_or(ptr::null_mut(), |name| get(name.as_ptr()));
            Ok(Self {
                get_proc_address: get,
                get_platform_display: std::mem::transmute::<Handle, Option<_>>(extension(
                    "eglGetPlatformDisplayEXT",
                )),
                query_devices: std::mem::transmute::<Handle, Option<_>>(extension("eglQueryDevicesEXT")),
                initialize: function(symbol("eglInitialize")?),
                bind_api: function(symbol("eglBindAPI")?),
                choose_config: function(symbol("eglChooseConfig")?),
                create_context: function(symbol("eglCreateContext")?),
                make_current: function(symbol("eglMakeCurrent")?),
            })
        }
    }

    /// Displays that need no window system: the surfaceless one and then the devices, or only the devices if
    /// `SHADESTEP_PEER_PLATFORM` is `device`.
    fn displays(&self) -> Vec<Handle> {
        let Some(get) = self.get_platform_display else { return Vec::new() };
        let mut displays = Vec::new();
        if std::env::var_os("SHADESTEP_PEER_PLATFORM").is_none_or(|name| name != "device") {
            // SAFETY: the platform takes no native display and no attributes.
            displays.push(unsafe { get(egl::PLATFORM_SURFACELESS_MESA, ptr::null_mut(), ptr::null()) });
        }
        if let Some(query) = self.query_devices {
            let mut devices = [ptr::null_mut(); 16];
            let mut count = 0;
            // SAFETY: there is room for 16.
            unsafe { query(16, devices.as_mut_ptr(), &raw mut count) };
            let count = usize::try_from(count).unwrap_or(0).min(devices.len());
            for &device in &devices[..count] {
                // SAFETY: the devices are those that EGL has just named.
                displays.push(unsafe { get(egl::PLATFORM_DEVICE_EXT, device, ptr::null()) });
            }
        }
        displays.retain(|display| !display.is_null());
        displays
    }

    /// Makes a context of the display's newest OpenGL compatibility version current, without a surface.
    fn make_current(&self, display: Handle) -> bool {
        let attributes = [egl::RENDERABLE_TYPE, egl::OPENGL_BIT, egl::SURFACE_TYPE, 0, egl::NONE];
        let mut config = ptr::null_mut();
        let mut count = 0;
        // SAFETY: the display came from EGL, the lists end with NONE, and there is room for one
        // configuration. Without attributes, EGL creates a compatibility context.
        unsafe {
            if (self.initialize)(display, ptr::null_mut(), ptr::null_mut()) == 0
                || (self.bind_api)(egl::OPENGL_API) == 0
                || (self.choose_config)(display, attributes.as_ptr(), &raw mut config, 1, &raw mut count) == 0
            {
                return false;
            }
            if count == 0 {
                // EGL_KHR_no_config_context.
                config = ptr::null_mut();
            }
            let none = [egl::NONE];
            let context = (self.create_context)(display, config, ptr::null_mut(), none.as_ptr());
            !context.is_null() && (self.make_current)(display, ptr::null_mut(), ptr::null_mut(), context) != 0
        }
    }
}
