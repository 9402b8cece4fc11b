//! [`Maps`]: the requested value map and the map shown.

use crate::false_colours::image;
use crate::maps::{Field, LineCounts, Map, MapChoice, MapQuery, Range, Statistics};
use crate::model::{Document, DocumentId, PerDocument};
use crate::scene::Slot;
use crate::session::{Compiled, RenderError};
use crate::worker::{Asked, MapAnswer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Enlarged pixels stay squares.
const FILTER: egui::TextureOptions =
    egui::TextureOptions { minification: egui::TextureFilter::Linear, ..egui::TextureOptions::NEAREST };

/// A map on the screen.
pub struct ShownMap {
    /// Document of its picture.
    pub document: DocumentId,
    /// Query that it answers.
    pub query: MapQuery,
    /// The fragment program of its picture, which may be older than the current text.
    compiled: Option<Arc<Compiled>>,
    pub field: Arc<Field>,
    /// Statistics of the values.
    pub statistics: Statistics,
    /// The values at both ends of the colour scale.
    pub range: Range,
    /// Histogram of the range, for values with one component.
    pub bins: Vec<usize>,
    /// The map in colours.
    pub texture: egui::TextureHandle,
    /// Time that the map took.
    pub time: Duration,
    /// True if the user has fixed the range.
    is_fixed: bool,
}

impl ShownMap {
    /// Returns the line, from 0, of instruction `pc` of its program in the text of `document`. `None` if the
    /// instruction was deleted.
    pub fn line_in(&self, document: &Document, pc: usize) -> Option<usize> {
        let lines = document.lines_of(Slot::Fragment, self.compiled.as_ref()?);
        lines.get(pc).copied().flatten()
    }
}

/// Execution counts of lines, for the current text of a document.
struct ShownCounts {
    document: DocumentId,
    /// The program that ran.
    compiled: Arc<Compiled>,
    counts: LineCounts,
    /// Revision of the texts that the lines refer to.
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

/// A map that is being computed.
struct Waiting {
    /// Number of its picture.
    picture: u64,
    since: Instant,
    /// Number of fragments processed so far.
    shaded: Arc<AtomicU64>,
    /// Number of fragments to process.
    total: u64,
}

/// Maps of the document in front.
#[derive(Default)]
pub struct Maps {
    asked: Option<Asked>,
    /// The map in progress.
    waiting: Option<Waiting>,
    /// The map after the one in progress.
    next: Option<Waiting>,
    shown: Option<ShownMap>,
    counts: Option<ShownCounts>,
    /// The reason why there is no map.
    error: Option<(DocumentId, String)>,
}

impl Maps {
    /// Records the wanted map of a picture with `fragments` fragments. It replaces the map in progress, or
    /// follows it if `after`. Returns the request to send, with a counter for processed fragments. `None` if
    /// the map was already requested.
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

    /// Returns true if a request has no answer yet.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Returns the progress of the map, 0 to 1, after `PATIENCE`.
    pub fn progress(&self) -> Option<f32> {
        let Waiting { since, shaded, total, .. } = self.waiting.as_ref()?;
        let done = shaded.load(Ordering::Relaxed) as f32 / (*total).max(1) as f32;
        (since.elapsed() >= PATIENCE).then_some(done.min(1.0))
    }

    /// Drops the map and all requests.
    pub fn want_nothing(&mut self) {
        *self = Self::default();
    }

    /// Records why the map cannot be requested. The next wanted map is requested even if it is the same.
    pub fn refuse(&mut self, document: DocumentId, words: String) {
        (self.asked, self.waiting, self.next) = (None, None, None);
        self.fail(document, words);
    }

    /// Records why the requested map does not exist.
    fn fail(&mut self, document: DocumentId, words: String) {
        self.error = Some((document, words));
        self.shown = None;
    }

    /// Returns the map of `document`, if it is shown.
    pub fn shown(&self, document: DocumentId) -> Option<&ShownMap> {
        self.shown.as_ref().filter(|shown| shown.document == document)
    }

    /// Returns the reason why there is no map.
    pub fn error(&self, document: DocumentId) -> Option<&str> {
        self.error.as_ref().filter(|(of, _)| *of == document).map(|(_, words)| &**words)
    }

    /// Returns how often each line of `document` ran.
    pub fn counts(&self, document: DocumentId) -> Option<&LineCounts> {
        self.counts.as_ref().filter(|shown| shown.document == document).map(|shown| &shown.counts)
    }

    /// Moves the counts to the lines of the current text of `document`.
    pub fn follow(&mut self, document: &Document) {
        let Some(shown) = self.counts.as_mut().filter(|shown| shown.document == document.id) else { return };
        if shown.placed.replace(document.revision) != Some(document.revision) {
            shown.counts.place(&document.lines_of(Slot::Fragment, &shown.compiled));
        }
    }

    /// Takes an answer to a request that is still wanted. The map of an earlier picture is shown until the
    /// next one arrives.
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

    /// Sets the shown time to `time`, for screenshots that are compared.
    pub fn freeze(&mut self, time: Duration) {
        self.shown.iter_mut().for_each(|shown| shown.time = time);
    }

    /// Recolours the map if the chosen range has changed.
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
