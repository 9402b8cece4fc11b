//! Requests to record the run of a subject, and the recordings. [`crate::worker`] records on a thread.

use super::{DebugSession, StepPosition};
use crate::model::{DocumentId, Draft};
use crate::session::{
    self, Agreement, Fragments, Frame, Job, Loaded, PrimitiveRecording, RenderError, VertexRecording,
};
use shadestep_engine::debug::{Recording, Subject};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A request to record the run of a subject.
#[derive(Clone, Debug)]
pub struct RecordRequest {
    /// Number of the request; increases.
    pub generation: u64,
    /// Document of the programs.
    pub document: DocumentId,
    pub programs: Loaded,
    /// The frame's inputs.
    pub job: Job,
    /// The picture to compare with.
    pub frame: Arc<Frame>,
    pub subject: Subject,
    /// Position to go to after recording.
    pub place: StepPosition,
    /// The programs for the crash note that the next process reads.
    pub kept: Arc<Draft>,
}

/// The recorded run of a subject.
#[derive(Clone, Debug)]
pub enum Recorded {
    /// The fragments of a pixel in drawing order.
    Pixel {
        fragments: Fragments,
        /// How the fragments compare with the picture.
        agreement: Agreement,
    },
    Vertex(Box<VertexRecording>),
    /// An invocation of a program that reads primitives or patches.
    Primitive(Box<PrimitiveRecording>),
    StateProgram(Arc<Recording>),
}

/// The answer to a [`RecordRequest`].
pub struct RecordReply {
    pub generation: u64,
    /// The session, or why there is none.
    pub outcome: Result<Box<DebugSession>, RenderError>,
}

/// Records the subject of `request` and goes to its position.
///
/// # Errors
/// See [`RenderError`].
pub fn record(request: RecordRequest, cancel: &AtomicBool) -> Result<DebugSession, RenderError> {
    let (programs, job) = (&request.programs, &request.job);
    let recorded = match request.subject {
        Subject::Pixel(pixel) => {
            let picture = (job, Some(&*request.frame));
            let fragments = session::record(programs, picture, pixel, request.place.fragment, cancel)?;
            let agreement = session::verify_pixel(&request.frame, job, pixel, fragments.end());
            Recorded::Pixel { fragments, agreement }
        }
        Subject::Vertex(element) => {
            Recorded::Vertex(Box::new(session::record_vertex(programs, job, element, cancel)?))
        }
        Subject::Patch { .. } | Subject::PatchVertex { .. } | Subject::Primitive { .. } => {
            let primitive = session::record_primitive(programs, job, request.subject, cancel)?;
            Recorded::Primitive(Box::new(primitive))
        }
        Subject::StateProgram(n) => {
            Recorded::StateProgram(session::record_state_program(programs, job, n, cancel)?)
        }
    };
    DebugSession::new(request, recorded, cancel)
}
