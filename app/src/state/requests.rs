//! Sends requests to the services for pictures, recordings, vertices and maps.

use super::{Running, State};
use crate::drafts::Search;
use crate::mailbox::Urgency;
use crate::maps::{Map, MapQuery};
use crate::model::{Document, Draft, Part, TextFile};
use crate::scene::{AutoSource, Slot};
use crate::session::Job;
use crate::settings::Pane;
use crate::state::Tool;
use crate::stepping::{RecordRequest, StepPosition, Stops};
use crate::worker::{Asked, LoadRequest, MapRequest, RenderRequest, VerticesRequest};
use shadestep_engine::debug::Subject;
use std::sync::Arc;

impl State {
    /// Requests a picture of the current state.
    pub fn want_picture(&mut self, urgency: Urgency) {
        if self.pending.render != Some(Urgency::Now) {
            self.pending.render = Some(urgency);
        }
    }

    /// Returns true if the picture changes with time.
    pub fn is_animated(&self) -> bool {
        self.document().is_some_and(|d| d.depends_on(|s| matches!(s, AutoSource::Time | AutoSource::Frame)))
    }

    /// Returns the job for the document at the current time.
    pub fn job(&self, document: &Document) -> Job {
        Job {
            time_secs: self.clock.time_secs,
            frame: self.clock.frame,
            mouse: self.view.mouse,
            output_color: document.output_color(),
            layer: document.layer(),
            instance: document.instance(),
            finds_races: !self.settings.ignores_races,
            ..Job::new(Arc::clone(&document.scene))
        }
    }

    /// Requests a recording of `subject` of the picture shown. Stepping starts at `place`.
    pub fn record(&mut self, subject: Subject, place: StepPosition) {
        let generation = self.fresh_generation();
        let Some(document) = self.document() else { return };
        if self.held_why(document).is_some() {
            return;
        }
        // Without a picture, the recording is requested when the picture arrives.
        self.pending.record = Some((generation, subject, place));
        let Some(document) = self.document() else { return };
        let Some(shown) = &document.shown else { return };
        let request = RecordRequest {
            generation,
            document: document.id,
            programs: shown.programs.clone(),
            job: Job { instance: document.instance(), ..shown.job.clone() },
            frame: Arc::clone(&shown.frame),
            subject,
            place,
            kept: Arc::clone(&shown.kept),
        };
        self.services.recorder.request(request, Urgency::Now);
    }

    /// Reads the files that changed texts of `scene.toml` name.
    pub fn read_scenes(&mut self) {
        for document in &mut self.documents {
            if let Some(reading) = document.take_reading() {
                self.services.tasks.read_scene(document.id, reading);
            }
        }
    }

    /// Cancels the recording in progress.
    pub fn stop_recording(&mut self) {
        self.pending.record = None;
        self.services.recorder.cancel();
    }

    /// Returns true if a visible panel shows the vertices of the picture.
    fn shows_vertices(&self) -> bool {
        let stepped = self.stepping.session.as_ref().is_some_and(|session| session.vertex().is_some());
        stepped || self.view.tool == Tool::Vertex || self.settings.layout.is_shown(Pane::Vertices)
    }

    /// Requests the vertices of the picture shown, if a panel shows them and they are missing.
    pub fn want_vertices(&mut self) {
        if !self.shows_vertices() {
            return;
        }
        let Some(document) = self.documents.get(self.active) else { return };
        let Some(shown) = &document.shown else { return };
        let Some(elements) = self.stepping.vertices.to_ask(shown.generation, document.id) else { return };
        let request = VerticesRequest {
            picture: shown.generation,
            document: document.id,
            programs: shown.programs.clone(),
            job: shown.job.clone(),
            elements,
            kept: Arc::clone(&shown.kept),
        };
        self.services.vertices.request(request, Urgency::Now);
    }

    /// Requests the chosen map and the counts of lines, if they are missing.
    pub fn want_map(&mut self) {
        let Some(document) = self.documents.get(self.active) else { return };
        let choice = &document.map;
        if choice.map.is_none() && !choice.line_counts {
            self.services.query.cancel();
            return self.maps.want_nothing();
        }
        let Some(shown) = &document.shown else { return };
        let compiled = shown.programs.get(Slot::Fragment);
        let program = compiled.and_then(|compiled| Some((compiled, compiled.program.as_ref()?)));
        let Some((compiled, program)) = program else {
            return self.maps.refuse(document.id, "there is no fragment program".to_owned());
        };
        let text = document.text(Part::Program(Slot::Fragment));
        // The picture may belong to an earlier text than the caret and the breakpoints.
        let lines = document.lines_of(Slot::Fragment, compiled);
        let caret_line = text.map_or(0, TextFile::caret_line);
        let hits = text.filter(|_| choice.map == Some(Map::Hits));
        let breakpoints =
            hits.map_or_else(Vec::new, |text| Stops::new(&text.breakpoints, program, &lines).in_force());
        let pinned = self.view.versions.get(document.id).and_then(|versions| versions.pinned());
        let pinned = pinned.map(|pinned| Arc::clone(&pinned.frame));
        let query = match MapQuery::new(choice, program, (&lines, caret_line), (breakpoints, pinned)) {
            Ok(query) => query,
            Err(error) => return self.maps.refuse(document.id, error.0),
        };
        self.maps.recolor(choice);
        let asked = Asked {
            document: document.id,
            picture: shown.generation,
            query,
            line_counts: choice.line_counts,
        };
        let is_live = self.clock.running == Running::Yes;
        let wanted = self.maps.want(asked, shown.frame.stats.fragments, is_live);
        let Some((asked, shaded)) = wanted else { return };
        let request = MapRequest {
            asked,
            programs: shown.programs.clone(),
            job: shown.job.clone(),
            frame: Arc::clone(&shown.frame),
            shaded,
            kept: Arc::clone(&shown.kept),
        };
        // While time runs, the map of each picture is finished even if newer pictures follow.
        self.services.query.request(request, if is_live { Urgency::Next } else { Urgency::Now });
    }

    /// Updates the values of watches, breakpoints and a comparison to the current step.
    pub fn refresh_watched(&mut self) {
        let Some(document) = self.documents.get(self.active) else { return };
        if let Some(session) = &mut self.stepping.session {
            session.follow(document);
        }
        self.maps.follow(document);
        self.stepping.watched.refresh(
            document,
            self.stepping.session.as_mut(),
            &self.services.history_worker,
        );
        if let Some(comparison) = &mut self.stepping.comparison {
            comparison.refresh(document, self.stepping.session.as_mut(), &self.services.run_diff_worker);
        }
    }

    /// Returns a unique number for a request.
    pub fn fresh_generation(&mut self) -> u64 {
        self.pending.generation += 1;
        self.pending.generation
    }

    /// Requests the wanted picture. Returns false if nothing was requested: held programs do not run, and no
    /// program runs until the held ones are known.
    pub fn send_wanted_render(&mut self) -> bool {
        if self.recovery.search == Search::UnderWay {
            return false;
        }
        let Some(urgency) = self.pending.render.take() else { return false };
        let Some(document) = self.documents.get(self.active) else { return false };
        let kept = self.services.drafts.take(document);
        if self.held_why(document).is_some() {
            return false;
        }
        self.pending.rendered = Some(document.id);
        self.send_render(urgency, kept);
        true
    }

    fn send_render(&mut self, urgency: Urgency, kept: Arc<Draft>) {
        let generation = self.fresh_generation();
        let Some(document) = self.documents.get(self.active) else { return };
        let texts = document.program_texts();
        let (document_id, revision) = (document.id, document.revision);
        if !document.is_analysed() && self.pending.load != Some((document_id, revision)) {
            self.pending.load = Some((document_id, revision));
            let (texts, kept) = (texts.clone(), Arc::clone(&kept));
            let request = LoadRequest { document: document_id, revision, texts, kept };
            self.services.loader.request(request, Urgency::Next);
        }
        let request = RenderRequest {
            generation,
            document: document_id,
            revision,
            texts,
            kept,
            job: self.job(document),
            overlays: document.overlays,
            urgency,
        };
        self.services.renderer.request(request, urgency);
    }
}
