//! Versions of a document: the pictures of its earlier texts, and the pinned picture to compare with.
//!
//! A picture of changed texts is a new version, unless it follows the previous one within moments, as during
//! typing.

use crate::model::{Document, DocumentId, Part, PerDocument};
use crate::session::Frame;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Largest number of versions of a document. The oldest are removed first.
const MOST: usize = 60;
/// Largest total size of full pictures, which can be pinned. Other versions have only a thumbnail.
const MOST_BYTES: usize = 96 << 20;
/// Edits within this time are one version.
const MOMENTS: Duration = Duration::from_millis(1500);
/// Longest side of a thumbnail, in pixels.
const THUMBNAIL: usize = 96;

/// Earlier texts of a document with their picture.
pub struct Version {
    /// From 1.
    pub number: u32,
    pub texts: Vec<(Part, Arc<str>)>,
    pub thumbnail: egui::TextureHandle,
    /// The full picture, if it is kept.
    picture: Option<Kept>,
    revision: u64,
    at: Instant,
}

impl Version {
    /// Returns true if the full picture is kept.
    pub const fn can_be_pinned(&self) -> bool {
        self.picture.is_some()
    }

    /// Returns the first line that differs in the later `texts`: its tab, its number from 1, and its current
    /// text.
    pub fn first_difference<'a>(&self, texts: &'a [(Part, Arc<str>)]) -> Option<(Part, usize, &'a str)> {
        texts.iter().find_map(|(part, text)| {
            let before = self.texts.iter().find(|(other, _)| other == part).map_or("", |(_, text)| text);
            let mut lines = before.lines();
            let (number, line) = text.lines().enumerate().find(|(_, line)| lines.next() != Some(line))?;
            Some((*part, number + 1, line.trim()))
        })
    }
}

/// A picture with its exact values.
#[derive(Clone)]
struct Kept {
    frame: Arc<Frame>,
    image: Arc<egui::ColorImage>,
}

impl Kept {
    fn bytes(&self) -> usize {
        let [width, height] = self.frame.size().map(|side| side as usize);
        // Colour, depth and status, and the form for the screen.
        width * height * (16 + 4 + 1 + 4)
    }
}

/// A version to compare the picture with.
pub struct Pinned {
    pub number: u32,
    pub frame: Arc<Frame>,
    /// The picture for the screen.
    pub texture: egui::TextureHandle,
}

/// The versions of a document.
#[derive(Default)]
pub struct Versions {
    list: VecDeque<Version>,
    pinned: Option<Pinned>,
    last: u32,
}

impl Versions {
    /// Iterates from the oldest version to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Version> {
        self.list.iter()
    }

    pub const fn pinned(&self) -> Option<&Pinned> {
        self.pinned.as_ref()
    }

    pub fn get(&self, number: u32) -> Option<&Version> {
        self.list.iter().find(|version| version.number == number)
    }

    /// Pins a version, if its full picture is kept.
    pub fn pin(&mut self, ctx: &egui::Context, number: u32) {
        let found = self.list.iter().find(|version| version.number == number);
        let Some(Kept { frame, image }) = found.and_then(|version| version.picture.clone()) else { return };
        let texture =
            ctx.load_texture("pinned", egui::ImageData::Color(image), egui::TextureOptions::NEAREST);
        self.pinned = Some(Pinned { number, frame, texture });
    }

    pub fn pin_newest(&mut self, ctx: &egui::Context) {
        if let Some(newest) = self.list.back().map(|version| version.number) {
            self.pin(ctx, newest);
        }
    }

    pub fn unpin(&mut self) {
        self.pinned = None;
    }

    /// Adds the picture of the current texts of `document` as a version, or updates the last version.
    fn note(
        &mut self,
        ctx: &egui::Context,
        document: &Document,
        frame: &Arc<Frame>,
        image: &egui::ColorImage,
    ) {
        let texts: Vec<(Part, Arc<str>)> =
            document.texts().map(|(part, file)| (part, Arc::from(file.text()))).collect();
        let picture = Kept { frame: Arc::clone(frame), image: Arc::new(image.clone()) };
        let now = Instant::now();
        let pinned = self.pinned.as_ref().map(|pinned| pinned.number);
        if let Some(last) = self.list.back_mut() {
            let same = last.texts == texts;
            let goes_on =
                now.duration_since(last.at) < MOMENTS && self.last > 1 && pinned != Some(last.number);
            if same || goes_on {
                // The first version is never updated by edits, because it has the texts that the document was
                // opened with.
                last.thumbnail.set(thumbnail(image), egui::TextureOptions::LINEAR);
                last.picture = Some(picture);
                (last.texts, last.revision) = (texts, document.revision);
                if !same {
                    last.at = now;
                }
                return self.forget();
            }
        }
        self.last += 1;
        let small = ctx.load_texture("version", thumbnail(image), egui::TextureOptions::LINEAR);
        self.list.push_back(Version {
            number: self.last,
            texts,
            thumbnail: small,
            picture: Some(picture),
            revision: document.revision,
            at: now,
        });
        self.forget();
    }

    fn forget(&mut self) {
        while self.list.len() > MOST {
            self.list.pop_front();
        }
        let mut room = MOST_BYTES;
        for version in self.list.iter_mut().rev() {
            let Some(bytes) = version.picture.as_ref().map(Kept::bytes) else { continue };
            match room.checked_sub(bytes) {
                Some(rest) => room = rest,
                None => version.picture = None,
            }
        }
    }
}

/// Returns `image` with no side longer than [`THUMBNAIL`]. Each pixel is the middle pixel of its part.
fn thumbnail(image: &egui::ColorImage) -> egui::ColorImage {
    let [width, height] = image.size;
    let longest = width.max(height).max(1);
    let scale = longest.div_ceil(THUMBNAIL).max(1);
    let size = [width.div_ceil(scale), height.div_ceil(scale)];
    let mut small = egui::ColorImage::filled(size, egui::Color32::BLACK);
    for y in 0..size[1] {
        for x in 0..size[0] {
            let from = [x * scale + scale / 2, y * scale + scale / 2];
            let place = from[1].min(height - 1) * width + from[0].min(width - 1);
            small.pixels[y * size[0] + x] = image.pixels[place];
        }
    }
    small
}

/// The versions of all documents.
#[derive(Default)]
pub struct AllVersions {
    of: HashMap<DocumentId, Versions>,
}

impl AllVersions {
    pub fn get(&self, document: DocumentId) -> Option<&Versions> {
        self.of.get(&document)
    }

    pub fn get_mut(&mut self, document: DocumentId) -> Option<&mut Versions> {
        self.of.get_mut(&document)
    }

    /// Takes a picture of `document`, which was drawn from the texts of `revision`.
    pub fn take(
        &mut self,
        ctx: &egui::Context,
        document: &Document,
        revision: u64,
        (frame, image): (&Arc<Frame>, &egui::ColorImage),
    ) {
        if revision != document.revision {
            return;
        }
        let versions = self.of.entry(document.id).or_default();
        // Changes of time, mouse or camera make no version. A version keeps its first picture.
        let is_noted = versions.list.back().is_some_and(|last| last.revision == revision);
        if !is_noted {
            versions.note(ctx, document, frame, image);
        }
    }
}

impl PerDocument for AllVersions {
    fn forget(&mut self, closed: DocumentId) {
        self.of.remove(&closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.of.keys().copied().collect()
    }
}
