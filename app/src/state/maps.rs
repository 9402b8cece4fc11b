//! [`Maps`]: the map that is requested and the map that is shown.

use crate::false_colours::image;
use crate::maps::{Field, LineCounts, Map, MapChoice, MapQuery, Range, Statistics};
use crate::model::{Document, DocumentId, PerDocument};
use crate::scene::Slot;
use crate::session::{Compiled, RenderError};
use crate::worker::{Asked, MapAnswer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Pixels stay squares when the map is enlarged.
const FILTER: egui::TextureOptions =
    egui::TextureOptions { minification: egui::TextureFilter::Linear, ..egui::TextureOptions::NEAREST };

/// A map on the screen.
pub struct ShownMap {
    /// Document of its picture.
    pub document: DocumentId,
    /// Query that it answers.
    pub query: MapQuery,
    /// The fragment program of its picture, which may be earlier than the text as it is now.
    compiled: Option<Arc<Compiled>>,
    /// The values.
    pub field: Arc<Field>,
    /// Statistics of the values.
    pub statistics: Statistics,
    /// Values of the ends of its colours.
    pub range: Range,
    /// How many values are in each part of the range; of values with one component.
    pub bins: Vec<usize>,
    /// The colours.
    pub texture: egui::TextureHandle,
    /// Time that the map took.
    pub time: Duration,
    /// Whether the person has fixed the range.
    is_fixed: bool,
}

impl ShownMap {
    /// The line, from 0, of instruction `pc` of its program in the text of `document`; `None` if it was
    /// deleted.
    pub fn line_in(&self, document: &Document, pc: usize) -> Option<usize> {
        let lines = document.lines_of(Slot::Fragment, self.compiled.as_ref()?);
        lines.get(pc).copied().flatten()
    }
}

/// Executions of lines, for the text of a document as it is now.
struct ShownCounts {
    document: DocumentId,
    /// The program that was executed.
    compiled: Arc<Compiled>,
    counts: LineCounts,
    /// Revision of the texts that the lines are of.
    placed: Option<u64>,
}

/// Number of bins of the histogram.
const BINS: usize = 47;

fn bins(field: &Field, range: Range) -> Vec<usize> {
    let mut bins = vec![0; BINS];
    for place in 0..field.present.len() {
        if let Some([value]) = field.value(place)
            && !value.is_nan()
        {
            let bin = (range.place(*value) * BINS as f64) as usize;
            bins[bin.min(BINS - 1)] += 1;
        }
    }
    bins
}

/// Time after which a map in progress shows its progress.
const PATIENCE: Duration = Duration::from_millis(200);

/// A map that is being worked out.
struct Waiting {
    /// Number of its picture.
    picture: u64,
    since: Instant,
    /// Fragments that have been looked at.
    shaded: Arc<AtomicU64>,
    /// How many there are to look at.
    total: u64,
}

/// Maps of the document in front.
#[derive(Default)]
pub struct Maps {
    asked: Option<Asked>,
    /// Map in progress.
    waiting: Option<Waiting>,
    /// Map that follows the one in progress.
    next: Option<Waiting>,
    shown: Option<ShownMap>,
    counts: Option<ShownCounts>,
    /// Why there is no map, in words.
    error: Option<(DocumentId, String)>,
}

impl Maps {
    /// Notes that this is wanted, of a picture with so many fragments, in place of what is being worked out or `after` that; where
    /// it has to be asked for gives it, with what counts the fragments that have been looked at.
    pub fn want(&mut self, wanted: Asked, fragments: u64, after: bool) -> Option<(Asked, Arc<AtomicU64>)> {
        if self.asked.as_ref() == Some(&wanted) {
            return None;
        }
        let passes = wanted.query.as_ref().map_or(0, MapQuery::passes) + u64::from(wanted.line_counts);
        let (picture, since) = (wanted.picture, Instant::now());
        let waiting = Waiting { picture, since, shaded: Arc::default(), total: fragments * passes };
        let shaded = Arc::clone(&waiting.shaded);
        self.asked = Some(wanted.clone());
        if after && self.waiting.is_some() {
            self.next = Some(waiting);
        } else {
            (self.waiting, self.next) = (Some(waiting), None);
        }
        Some((wanted, shaded))
    }

    /// Whether something was asked for that is not answered.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Progress of the map, 0 to 1, after [`PATIENCE`].
    pub fn progress(&self) -> Option<f32> {
        let Waiting { since, shaded, total, .. } = self.waiting.as_ref()?;
        let done = shaded.load(Ordering::Relaxed) as f32 / (*total).max(1) as f32;
        (since.elapsed() >= PATIENCE).then_some(done.min(1.0))
    }

    /// Nothing is wanted.
    pub fn want_nothing(&mut self) {
        *self = Self::default();
    }

    /// Notes why the map cannot be asked for. What is wanted next is asked for, even if it was before.
    pub fn refuse(&mut self, document: DocumentId, words: String) {
        (self.asked, self.waiting, self.next) = (None, None, None);
        self.fail(document, words);
    }

    /// Notes why there is no map of what was asked for.
    fn fail(&mut self, document: DocumentId, words: String) {
        self.error = Some((document, words));
        self.shown = None;
    }

    /// The map of `document`, if it is there.
    pub fn shown(&self, document: DocumentId) -> Option<&ShownMap> {
        self.shown.as_ref().filter(|shown| shown.document == document)
    }

    /// Why there is none, in words.
    pub fn error(&self, document: DocumentId) -> Option<&str> {
        self.error.as_ref().filter(|(of, _)| *of == document).map(|(_, words)| &**words)
    }

    /// How often lines of `document` were executed.
    pub fn counts(&self, document: DocumentId) -> Option<&LineCounts> {
        self.counts.as_ref().filter(|shown| shown.document == document).map(|shown| &shown.counts)
    }

    /// Brings the lines of the counts up to date with the text of `document`.
    pub fn follow(&mut self, document: &Document) {
        let Some(shown) = self.counts.as_mut().filter(|shown| shown.document == document.id) else { return };
        if shown.placed.replace(document.revision) != Some(document.revision) {
            shown.counts.place(&document.lines_of(Slot::Fragment, &shown.compiled));
        }
    }

    /// Takes an answer, if it is of what is wanted still. One of an earlier picture is shown until the next comes.
    pub fn take(&mut self, ctx: &egui::Context, choice: &MapChoice, answer: MapAnswer) {
        let MapAnswer { asked, compiled, field, counts, time } = answer;
        let wanted = self.asked.as_ref();
        if !wanted.is_some_and(|wanted| wanted.document == asked.document && wanted.query == asked.query) {
            return;
        }
        if self.waiting.as_ref().is_some_and(|waiting| waiting.picture == asked.picture) {
            self.waiting = self.next.take().map(|next| Waiting { since: Instant::now(), ..next });
        }
        match counts {
            Some(Ok(counts)) => {
                let (document, counts) = (asked.document, LineCounts::clone(&counts));
                let shown = |compiled| ShownCounts { document, compiled, counts, placed: None };
                self.counts = compiled.clone().map(shown);
            }
            Some(Err(RenderError::Cancelled)) => {}
            Some(Err(_)) => self.counts = None,
            None if !asked.line_counts => self.counts = None,
            None => {}
        }
        match (field, asked.query) {
            (Some(Ok(field)), Some(query)) => {
                self.error = None;
                let statistics = field.statistics();
                let range = Range::of((&statistics, field.is_condition), query.map, choice.range);
                let colors = image(&field, query.map, range);
                let document = asked.document;
                let texture = match self.shown.take().filter(|shown| shown.document == document) {
                    Some(mut shown) => {
                        shown.texture.set(colors, FILTER);
                        shown.texture
                    }
                    None => ctx.load_texture("map", colors, FILTER),
                };
                let bins = bins(&field, range);
                self.shown = Some(ShownMap {
                    document,
                    query,
                    compiled,
                    field,
                    statistics,
                    range,
                    bins,
                    texture,
                    time,
                    is_fixed: choice.range.is_some(),
                });
            }
            (Some(Err(RenderError::Cancelled)), _) => {}
            (Some(Err(error)), _) => self.fail(asked.document, error.to_string()),
            (None, _) | (_, None) => {
                self.shown = None;
                self.error = None;
            }
        }
    }

    /// Has the map say that it took `time`, for pictures that are compared.
    pub fn freeze(&mut self, time: Duration) {
        self.shown.iter_mut().for_each(|shown| shown.time = time);
    }

    /// Colours the map anew where the chosen range became another.
    pub fn recolor(&mut self, choice: &MapChoice) {
        let Some(shown) = &mut self.shown else { return };
        let map: Map = shown.query.map;
        let given = choice.range.map(|[low, high]| Range { low, high });
        let is_so = given.is_none_or(|given| given == shown.range);
        let was_given = given.is_none() && std::mem::take(&mut shown.is_fixed);
        if !is_so || was_given {
            shown.range = Range::of((&shown.statistics, shown.field.is_condition), map, choice.range);
            shown.bins = bins(&shown.field, shown.range);
            shown.is_fixed = given.is_some();
            shown.texture.set(image(&shown.field, map, shown.range), FILTER);
        }
    }
}

impl PerDocument for Maps {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            self.want_nothing();
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        let Self { asked, waiting: _, next: _, shown, counts, error } = self;
        let asked = asked.as_ref().map(|asked| asked.document);
        let shown = shown.as_ref().map(|shown| shown.document);
        let counts = counts.as_ref().map(|counts| counts.document);
        let error = error.as_ref().map(|(document, _)| *document);
        [asked, shown, counts, error].into_iter().flatten().collect()
    }
}
