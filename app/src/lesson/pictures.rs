//! Checks of pictures: whole pictures against the solution's, and single pixels.

use super::check::{Fault, Trial, distance};
use super::wording::{absence, pair, seen, settings};
use super::{Lesson, Task, Variation};
use crate::format;
use crate::scene::{Component, NumberType, ParameterSetting, Scene};
use crate::session::{self, Frame, Job, Loaded, Pixel, PixelStatus, RenderError, Threads};
use shadestep_engine::debug::Subject;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Pictures of one answer, each with its parameters.
#[derive(Debug, Default)]
pub(super) struct Pictures(Vec<(Variation, Frame)>);

impl Pictures {
    /// Draws a picture for each variation that the checks of `lesson` name, and for the scene's own
    /// parameters.
    ///
    /// # Errors
    /// The errors of [`session::render`].
    pub fn draw(
        lesson: &Lesson,
        (programs, job): (&Loaded, &Job),
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> Result<Self, RenderError> {
        Self::draw_some(lesson, |_| true, (programs, job), (threads, cancel))
    }

    /// Draws the pictures of [`Self::draw`] whose parameters are not the scene's own.
    ///
    /// # Errors
    /// The errors of [`session::render`].
    pub fn draw_varied(
        lesson: &Lesson,
        (programs, job): (&Loaded, &Job),
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> Result<Self, RenderError> {
        Self::draw_some(lesson, |parameters| !parameters.is_empty(), (programs, job), (threads, cancel))
    }

    fn draw_some(
        lesson: &Lesson,
        wanted: impl Fn(&Variation) -> bool,
        (programs, job): (&Loaded, &Job),
        (threads, cancel): (&Threads, &AtomicBool),
    ) -> Result<Self, RenderError> {
        let mut drawn = Self::default();
        for check in &lesson.checks {
            let Task::Picture { parameters, .. } = &check.task else { continue };
            if wanted(parameters) && drawn.get(parameters).is_none() {
                let job = Job { scene: varied(&job.scene, parameters), ..job.clone() };
                drawn.0.push((parameters.clone(), session::render(programs, &job, threads, cancel)?));
            }
        }
        Ok(drawn)
    }

    /// The picture with `parameters`.
    pub fn get(&self, parameters: &Variation) -> Option<&Frame> {
        self.0.iter().find(|(drawn, _)| drawn == parameters).map(|(_, frame)| frame)
    }
}

/// Returns `scene` with other values for `parameters`.
fn varied(scene: &Arc<Scene>, parameters: &Variation) -> Arc<Scene> {
    if parameters.is_empty() {
        return Arc::clone(scene);
    }
    let mut scene = Scene::clone(scene);
    for (key, numbers) in parameters {
        let at = scene.parameters.iter().position(|setting| setting.key == *key);
        let ty = at.map(|index| scene.parameters[index].value[0].number_type()).unwrap_or(NumberType::Float);
        let mut value = Component::fill(ty);
        for (component, number) in value.iter_mut().zip(numbers) {
            *component = Component::Constant(*number as f32).of_type(ty);
        }
        match at {
            Some(index) => scene.parameters[index].value = value,
            None => scene.parameters.push(ParameterSetting {
                key: key.clone(),
                value,
                components: numbers.len(),
                widget: None,
                min: 0.0,
                max: 1.0,
            }),
        }
    }
    Arc::new(scene)
}

impl Trial<'_> {
    /// Compares the picture with `parameters` with the solution's.
    pub(super) fn picture(
        &self,
        parameters: &Variation,
        rect: Option<[u32; 4]>,
        (alpha, tolerance): (bool, f64),
    ) -> Option<Fault> {
        let own = if parameters.is_empty() { self.frame.as_ref() } else { self.varied.get(parameters) };
        let (frame, solution) = (own?, self.reference.pictures.get(parameters)?);
        let compared = if alpha { 4 } else { 3 };
        let [width, height] = frame.size();
        let [left, bottom, across, up] = rect.unwrap_or([0, 0, width, height]);
        let (right, top) = (left.saturating_add(across).min(width), bottom.saturating_add(up).min(height));
        let (mut count, mut total, mut worst) = (0_u64, 0_u64, (0.0, [0, 0]));
        for at in (bottom..top).flat_map(|y| (left..right).map(move |x| [x, y])) {
            let (Some(is), Some(should)) = (frame.pixel(at), solution.pixel(at)) else { continue };
            let distance = distance(&seen(&is)[..compared], &seen(&should)[..compared]);
            total += 1;
            count += u64::from(distance > tolerance);
            if distance > worst.0 {
                worst = (distance, at);
            }
        }
        if count == 0 {
            return None;
        }
        let at @ [x, y] = worst.1;
        let (is, should) = (frame.pixel(at)?, solution.pixel(at)?);
        let [is_words, should_words] = told(&is, &should, compared);
        let case = match parameters.is_empty() {
            true => String::new(),
            false => format!("With {}: ", settings(parameters)),
        };
        let facts = if count == 1 {
            let one = if case.is_empty() { "One" } else { "one" };
            format!("{case}{one} pixel differs: ({x}, {y}) is {is_words} and should be {should_words}.")
        } else {
            let (count, total) = (format::count(count), format::count(total));
            format!(
                "{case}{count} of {total} pixels differ. The worst is ({x}, {y}): it is {is_words} and should be {should_words}."
            )
        };
        let colors = [&is, &should].map(|pixel| {
            let [red, green, blue, opacity] = seen(pixel).map(|component| component as f32);
            [red, green, blue, if alpha { opacity } else { 1.0 }]
        });
        let fault = Fault { colors: Some(colors), ..Fault::new(facts) };
        // Stepping uses the scene's own parameters, for which this pixel may be right.
        Some(if parameters.is_empty() { fault.at(Subject::Pixel(at)) } else { fault })
    }

    /// Compares the colour of a pixel.
    pub(super) fn pixel(&self, at: [u32; 2], color: &[f64], tolerance: f64) -> Option<Fault> {
        let [x, y] = at;
        let frame = self.frame.as_ref()?;
        let Some(pixel) = frame.pixel(at) else { return Some(no_pixel(at)) };
        let is: Vec<f64> =
            pixel.color.iter().map(|component| f64::from(*component)).take(color.len()).collect();
        if distance(&is, color) <= tolerance {
            return None;
        }
        let (is_words, should_words) = pair(&is, color);
        let is_words = match absence(pixel.status) {
            None => is_words,
            Some(why) => format!("{why}, leaving {is_words},"),
        };
        let facts = format!("Pixel ({x}, {y}) is {is_words} and should be {should_words}.");
        let shown = [&is[..], color].map(|numbers| {
            let mut shown = [0.0, 0.0, 0.0, 1.0];
            shown.iter_mut().zip(numbers).for_each(|(out, number)| *out = *number as f32);
            shown
        });
        let colors = (color.len() >= 3).then_some(shown);
        Some(Fault { colors, ..Fault::new(facts).at(Subject::Pixel(at)) })
    }

    /// Checks that the program discards the fragment of a pixel.
    pub(super) fn discarded(&self, at: [u32; 2]) -> Option<Fault> {
        let [x, y] = at;
        let Some(pixel) = self.frame.as_ref()?.pixel(at) else { return Some(no_pixel(at)) };
        let facts = match pixel.status {
            PixelStatus::Killed => return None,
            PixelStatus::Written => format!("At pixel ({x}, {y}), the program writes a colour."),
            status => format!("Pixel ({x}, {y}) is {}.", absence(status).unwrap_or("not discarded")),
        };
        Some(Fault::new(facts).at(Subject::Pixel(at)))
    }
}

fn no_pixel([x, y]: [u32; 2]) -> Fault {
    Fault::new(format!("The picture has no pixel ({x}, {y})."))
}

/// Describes two pixels by the first components of their colours. A pixel without a colour from a program has
/// the reason instead.
fn told(is: &Pixel, should: &Pixel, components: usize) -> [String; 2] {
    let (is_color, should_color) = pair(&seen(is)[..components], &seen(should)[..components]);
    let words = |pixel: &Pixel, color: String, end: &str| match absence(pixel.status) {
        None => color,
        Some(why) => format!("{why}, leaving {color}{end}"),
    };
    [words(is, is_color, ","), words(should, should_color, "")]
}
