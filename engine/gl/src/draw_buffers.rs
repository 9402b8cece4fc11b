//! Maps output colours to colour buffers (ARB_draw_buffers 4.2.1).
//!
//! The context is monoscopic and single-buffered, with three auxiliary buffers. FRONT_LEFT is colour buffer 0
//! of a [`Framebuffer`](shadestep_core::pipeline::Framebuffer); AUX0 to AUX2 are its buffers 1 to 3.

use super::Context;
use super::counted::Counted;
use super::enums::{self, EnumArgument, GLenum, Named, numbered};
use super::error::{Error, Result, named};
use shadestep_language::ir::{Program, limits};

const CLAUSE: &str = "ARB_draw_buffers 4.2.1";

/// Number of output colours, and of colour buffers.
pub(super) const COUNT: usize = limits::DRAW_BUFFERS as usize;

enums::gl_enums! {
    /// A destination of output colours (table 4.3).
    pub enum DrawBuffer {
        None = NONE,
        FrontLeft = FRONT_LEFT,
        FrontRight = FRONT_RIGHT,
        BackLeft = BACK_LEFT,
        BackRight = BACK_RIGHT,
        Front = FRONT,
        Back = BACK,
        Left = LEFT,
        Right = RIGHT,
        FrontAndBack = FRONT_AND_BACK,
        ;
        /// `AUXi`
        Aux(u8) = numbered(enums::AUX0, 4),
    }
}

impl DrawBuffer {
    /// Index of the framebuffer's colour buffer that this destination selects, if the context has one.
    const fn color_buffer(self) -> Option<usize> {
        match self {
            Self::FrontLeft | Self::Front | Self::Left | Self::FrontAndBack => Some(0),
            Self::Aux(number) if (number as usize) < COUNT - 1 => Some(number as usize + 1),
            Self::None
            | Self::FrontRight
            | Self::BackLeft
            | Self::BackRight
            | Self::Back
            | Self::Right
            | Self::Aux(_) => None,
        }
    }

    /// Whether the destination can stand for several buffers.
    const fn is_several(self) -> bool {
        matches!(self, Self::Front | Self::Back | Self::Left | Self::Right | Self::FrontAndBack)
    }

    /// The destination, if it is NONE or a buffer of the context.
    fn allocated(self) -> Result<Self> {
        let exists = self == Self::None || self.color_buffer().is_some();
        let missing = || Error::invalid_operation(CLAUSE, format!("there is no buffer {self:?}"));
        exists.then_some(self).ok_or_else(missing)
    }
}

/// `DRAW_BUFFERi_ARB`, the buffer of output colour i. `DRAW_BUFFER` is the buffer of colour 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawBufferQuery(pub u8);

impl Named for DrawBufferQuery {
    fn of_constant(value: GLenum) -> Option<Self> {
        let output = numbered(enums::DRAW_BUFFER0_ARB, 16)(value);
        output.or((value == enums::DRAW_BUFFER).then_some(0)).map(Self)
    }
}

/// The buffer of each output colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawBuffers([DrawBuffer; COUNT]);

impl Default for DrawBuffers {
    fn default() -> Self {
        let mut buffers = [DrawBuffer::None; COUNT];
        buffers[0] = DrawBuffer::Front;
        Self(buffers)
    }
}

impl DrawBuffers {
    /// For each colour buffer, the output colour that goes there. Without the ARB_draw_buffers option, all
    /// selected buffers take colour 0.
    pub fn sources(&self, program: Option<&Program>) -> [Option<u8>; COUNT] {
        let numbered = program.is_some_and(|program| program.options.draw_buffers);
        let mut sources = [None; COUNT];
        for (output, buffer) in (0..).zip(self.0) {
            if let Some(buffer) = buffer.color_buffer() {
                sources[buffer] = Some(if numbered { output } else { 0 });
            }
        }
        sources
    }

    /// The colour buffer that output colour `output` goes to.
    pub fn buffer_of(&self, output: usize) -> Option<usize> {
        self.0.get(output)?.color_buffer()
    }

    /// The first output colour from `number` on with a colour buffer, and that buffer.
    pub fn first_from(&self, number: u8) -> Option<(u8, DrawBuffer)> {
        let mut others = (0..).zip(self.0).skip(usize::from(number));
        others.find(|(_, buffer)| *buffer != DrawBuffer::None)
    }
}

/// Draw buffers.
impl Context {
    /// `DrawBuffer`: output colour 0 goes to `buffer`, all others to none.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a constant that is not a buffer, `INVALID_OPERATION` for a buffer that the context
    /// does not have.
    pub fn draw_buffer(&mut self, buffer: impl EnumArgument<DrawBuffer>) -> Result<()> {
        self.command("DrawBuffer", |context| {
            let mut buffers = [DrawBuffer::None; COUNT];
            buffers[0] = named(buffer, CLAUSE, "buffer")?.allocated()?;
            context.draw_buffers = DrawBuffers(buffers);
            Ok(())
        })
    }

    /// `DrawBuffersARB`: output colour i goes to buffer i of the list. Colours beyond the list go to none.
    ///
    /// # Errors
    /// `INVALID_OPERATION` for more buffers than output colours, for a buffer that the context does not have,
    /// for a constant that stands for several buffers, for a buffer that is listed twice, and for a constant
    /// that is not a buffer; `INVALID_VALUE` for a negative count.
    pub fn draw_buffers<'a, T>(&mut self, buffers: impl Into<Counted<'a, T>>) -> Result<()>
    where
        T: EnumArgument<DrawBuffer> + Copy + 'a,
    {
        self.command("DrawBuffersARB", |context| {
            let given = buffers.into().values(CLAUSE)?;
            if given.len() > COUNT {
                let reason = format!("{} buffers are more than the {COUNT} output colours", given.len());
                return Err(Error::invalid_operation(CLAUSE, reason));
            }
            let mut buffers = [DrawBuffer::None; COUNT];
            for (place, &buffer) in given.iter().enumerate() {
                let unknown = || Error::invalid_operation(CLAUSE, "one of the values is not a buffer");
                let buffer = buffer.value().ok_or_else(unknown)?;
                if buffer.is_several() {
                    let reason = format!("{buffer:?} means several buffers");
                    return Err(Error::invalid_operation(CLAUSE, reason));
                }
                let buffer = buffer.allocated()?;
                if buffer != DrawBuffer::None && buffers[..place].contains(&buffer) {
                    let reason = format!("{buffer:?} is named twice");
                    return Err(Error::invalid_operation(CLAUSE, reason));
                }
                buffers[place] = buffer;
            }
            context.draw_buffers = DrawBuffers(buffers);
            Ok(())
        })
    }

    /// `GetIntegerv` of `DRAW_BUFFERi_ARB`: the buffer of output colour i. Initially colour 0 goes to FRONT,
    /// the others to none.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an output colour that does not exist.
    pub fn get_draw_buffer(&self, query: impl EnumArgument<DrawBufferQuery>) -> Result<DrawBuffer> {
        self.query("GetIntegerv", || {
            let DrawBufferQuery(number) = named(query, CLAUSE, "value")?;
            let buffer = self.draw_buffers.0.get(usize::from(number)).copied();
            buffer.ok_or_else(|| Error::invalid_enum(CLAUSE, format!("there is no output colour {number}")))
        })
    }
}
