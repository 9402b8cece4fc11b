//! Multisampling (glspec40 3.3.1 and 4.1.3): the state and queries of ARB_multisample, ARB_sample_shading and
//! NV_explicit_multisample, and the masks of ARB_texture_multisample. Multisample textures are created like
//! all textures ([`shadestep_core::texture`]).

use super::enums::EnumArgument;
use super::error::{Error, Result, named};
use super::state::clamped;
use super::{Context, enums};
use shadestep_core::pipeline::{SampleCoverage, Samples};

const MASKS: &str = "glspec40 4.1.3";
const MASKS_NV: &str = "NV_explicit_multisample 4.1.3";
const POSITIONS: &str = "glspec40 3.3.1";
const POSITIONS_NV: &str = "NV_explicit_multisample 3.2.1";

/// Words of the sample mask (`MAX_SAMPLE_MASK_WORDS`): one word holds 32 samples.
pub(super) const MASK_WORDS: u32 = 1;

/// Multisampling state such as `SAMPLE_COVERAGE_VALUE`, whether the feature that reads it is enabled or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multisampling {
    /// Samples per pixel of the window.
    pub samples: Samples,
    pub coverage: SampleCoverage,
    pub mask: u32,
    pub min_shading: f32,
}

impl Default for Multisampling {
    fn default() -> Self {
        let coverage = SampleCoverage { value: 1.0, invert: false };
        Self { samples: Samples::One, coverage, mask: u32::MAX, min_shading: 0.0 }
    }
}

/// Whether SAMPLE_COVERAGE is inverted: C's boolean `invert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageInversion {
    /// FALSE
    Kept,
    /// TRUE
    Inverted,
}

enums::gl_enums! {
    /// The `pname` of `GetMultisamplefv`.
    pub enum SampleQuery {
        Position = SAMPLE_POSITION,
    }

    /// A property of the window's pixels: `pname` of `GetIntegerv`.
    pub enum SamplesQuery {
        /// 1 if pixels have more than one sample.
        SampleBuffers = SAMPLE_BUFFERS,
        /// Number of samples, or 0 without a multisample buffer.
        Samples = SAMPLES,
    }
}

/// Multisampling. All of these are errors (`INVALID_OPERATION`) between begin and end.
impl Context {
    /// Sets the samples per pixel of the window, like the choice of a pixel format (GLX_SAMPLES_ARB,
    /// WGL_SAMPLES_ARB); initially one. Draws need framebuffers with this many samples.
    ///
    /// # Errors
    /// None of its own.
    pub fn choose_samples(&mut self, samples: Samples) -> Result<()> {
        self.set("ChoosePixelFormat", || Ok(()), |state, ()| state.multisampling.samples = samples)
    }

    /// `SampleCoverage`: the value is clamped to `[0,1]`; initially 1 and FALSE.
    ///
    /// # Errors
    /// None of its own.
    pub fn sample_coverage(&mut self, value: f32, inversion: CoverageInversion) -> Result<()> {
        let invert = inversion == CoverageInversion::Inverted;
        let coverage = SampleCoverage { value: clamped(value), invert };
        self.set("SampleCoverage", || Ok(coverage), |state, v| state.multisampling.coverage = v)
    }

    /// `SAMPLE_COVERAGE_VALUE` and `SAMPLE_COVERAGE_INVERT`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_sample_coverage(&self) -> Result<SampleCoverage> {
        self.query("GetFloatv", || Ok(self.state.multisampling.coverage))
    }

    /// `SampleMaski`: bit n enables sample n; initially all ones.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a word other than 0.
    pub fn sample_mask_i(&mut self, word: u32, mask: u32) -> Result<()> {
        let word = || mask_word(word, Error::invalid_value, MASKS);
        self.set("SampleMaski", word, |state, ()| state.multisampling.mask = mask)
    }

    /// `SampleMaskIndexedNV`: as [`Self::sample_mask_i`], with another error.
    ///
    /// # Errors
    /// `INVALID_OPERATION` for a word other than 0.
    pub fn sample_mask_indexed_nv(&mut self, word: u32, mask: u32) -> Result<()> {
        let word = || mask_word(word, Error::invalid_operation, MASKS_NV);
        self.set("SampleMaskIndexedNV", word, |state, ()| state.multisampling.mask = mask)
    }

    /// `GetIntegeri_v` of `SAMPLE_MASK_VALUE`.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a word other than 0.
    pub fn get_sample_mask_value(&self, word: u32) -> Result<u32> {
        self.query("GetIntegeri_v", || {
            mask_word(word, Error::invalid_value, MASKS).map(|()| self.state.multisampling.mask)
        })
    }

    /// `MinSampleShading`: clamped to `[0,1]`; initially 0.
    ///
    /// # Errors
    /// None of its own.
    pub fn min_sample_shading(&mut self, value: f32) -> Result<()> {
        self.set("MinSampleShading", || Ok(clamped(value)), |state, v| state.multisampling.min_shading = v)
    }

    /// `GetFloatv` of `MIN_SAMPLE_SHADING_VALUE`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_min_sample_shading_value(&self) -> Result<f32> {
        self.query("GetFloatv", || Ok(self.state.multisampling.min_shading))
    }

    /// `GetIntegerv` of `SAMPLE_BUFFERS` and `SAMPLES`.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `query` is not a [`SamplesQuery`].
    pub fn get_samples(&self, query: impl EnumArgument<SamplesQuery>) -> Result<u32> {
        self.query("GetIntegerv", || {
            let count = self.sample_count();
            Ok(match named(query, "glspec15 6.1.1", "value")? {
                SamplesQuery::SampleBuffers => u32::from(count != 0),
                SamplesQuery::Samples => count,
            })
        })
    }

    /// `GetMultisamplefv`: the position of a sample in its pixel. The origin is the lower left corner; (0.5,
    /// 0.5) is the centre.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `query` is not a [`SampleQuery`], `INVALID_VALUE` for a sample that does not exist.
    /// Without a multisample buffer, no sample does.
    pub fn get_multisample_f(&self, query: impl EnumArgument<SampleQuery>, sample: u32) -> Result<[f32; 2]> {
        self.query("GetMultisamplefv", || self.sample_place(query, sample, (Error::invalid_value, POSITIONS)))
    }

    /// `GetMultisamplefvNV`: as [`Self::get_multisample_f`], with another error.
    ///
    /// # Errors
    /// `INVALID_ENUM` if `query` is not a [`SampleQuery`], `INVALID_OPERATION` for a sample that does not
    /// exist.
    pub fn get_multisample_f_nv(
        &self,
        query: impl EnumArgument<SampleQuery>,
        sample: u32,
    ) -> Result<[f32; 2]> {
        let error = (Error::invalid_operation as Fault, POSITIONS_NV);
        self.query("GetMultisamplefvNV", || self.sample_place(query, sample, error))
    }

    /// `SAMPLES`
    fn sample_count(&self) -> u32 {
        match self.state.multisampling.samples {
            Samples::One => 0,
            samples => samples.count() as u32,
        }
    }

    fn sample_place(
        &self,
        query: impl EnumArgument<SampleQuery>,
        sample: u32,
        (fault, clause): (Fault, &'static str),
    ) -> Result<[f32; 2]> {
        let SampleQuery::Position = named(query, clause, "value")?;
        let count = self.sample_count();
        let place = self.state.multisampling.samples.position(sample as usize).filter(|_| sample < count);
        place.ok_or_else(|| fault(clause, format!("there is no sample {sample}: SAMPLES is {count}")))
    }
}

/// A constructor of errors.
type Fault = fn(&'static str, String) -> Error;

/// Checks the index of a word of the mask.
fn mask_word(word: u32, fault: Fault, clause: &'static str) -> Result<()> {
    if word < MASK_WORDS {
        return Ok(());
    }
    Err(fault(clause, format!("the sample mask has {MASK_WORDS} word, so there is no word {word}")))
}
