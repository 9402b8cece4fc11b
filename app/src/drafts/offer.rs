//! [`Offer`]: a draft of an earlier session, with its changes and the state of its files, for the user to
//! restore or discard.

use super::difference::Difference;
use super::folder::{Activity, Leftover};
use crate::model::{Draft, DraftProgram, DraftScene, read_text};
use crate::scene::SCENE_FILE;
use std::path::PathBuf;
use std::sync::Arc;

/// The state of a file, compared with the text that its draft began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFate {
    /// The draft never had a file.
    None,
    /// The file is unchanged.
    Same,
    /// The file has another text now.
    Changed,
    /// The file is missing or unreadable.
    Gone,
}

/// A program of an offered draft.
#[derive(Clone, Debug)]
pub struct OfferedProgram {
    /// The file's name.
    pub name: String,
    pub path: Option<PathBuf>,
    pub fate: FileFate,
    /// The draft's changes since its file was saved.
    pub difference: Difference,
}

/// An offered draft.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The file of the draft, which also identifies the offer.
    pub file: PathBuf,
    pub draft: Arc<Draft>,
    /// Its programs with changes.
    pub programs: Vec<OfferedProgram>,
}

/// Returns the offer of `leftover`. `None` if files have all of its texts and its programs were not running.
pub fn offer(leftover: &Leftover) -> Option<Offer> {
    let offered = |program: &DraftProgram| {
        let path = program.path();
        let now = path.as_deref().map(read_text);
        if matches!(&now, Some(Some(text)) if *text == program.text) {
            return None;
        }
        let difference = Difference::between(program.saved(), &program.text)?;
        let fate = match now {
            None => FileFate::None,
            Some(None) => FileFate::Gone,
            Some(Some(text)) if text == program.saved() => FileFate::Same,
            Some(Some(_)) => FileFate::Changed,
        };
        Some(OfferedProgram { name: program.name.clone(), path, fate, difference })
    };
    let mut programs: Vec<_> = leftover.draft.modified().filter_map(offered).collect();
    programs.extend(leftover.draft.scene.as_ref().and_then(|scene| offered_scene(&leftover.draft, scene)));
    let wanted = !programs.is_empty() || leftover.activity == Activity::Running;
    wanted.then(|| Offer { file: leftover.file.clone(), draft: Arc::clone(&leftover.draft), programs })
}

/// Returns the changes of `scene.toml`.
fn offered_scene(draft: &Draft, scene: &DraftScene) -> Option<OfferedProgram> {
    let path = draft.origin.scene_file();
    let now = path.as_deref().map(read_text);
    if matches!(&now, Some(Some(text)) if *text == scene.text) {
        return None;
    }
    let difference = Difference::between(&scene.saved, &scene.text)?;
    let fate = match now {
        None => FileFate::None,
        Some(None) => FileFate::Gone,
        Some(Some(text)) if text == scene.saved => FileFate::Same,
        Some(Some(_)) => FileFate::Changed,
    };
    Some(OfferedProgram { name: SCENE_FILE.to_owned(), path, fate, difference })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::draft_tests::draft;

    const BEGUN: &str = "!!FP1.0\nMOV o[COLR], 1;\nEND\n";
    const TYPED: &str = "!!FP1.0\nMOV o[COLR], 0;\nEND\n";

    fn leftover(draft: Draft, activity: Activity) -> Leftover {
        Leftover { file: PathBuf::from("7.draft"), draft: Arc::new(draft), activity }
    }

    fn fate(draft: Draft) -> Option<FileFate> {
        offer(&leftover(draft, Activity::Idle)).map(|offer| offer.programs[0].fate)
    }

    #[test]
    fn what_a_file_has_already_is_not_offered() {
        let path = std::env::temp_dir().join(format!("shadestep-offer-{}.fp", std::process::id()));
        std::fs::write(&path, BEGUN).unwrap();
        let of_file = || draft(Some(&path), BEGUN, TYPED);
        assert_eq!(fate(of_file()), Some(FileFate::Same));
        std::fs::write(&path, "theirs").unwrap();
        assert_eq!(fate(of_file()), Some(FileFate::Changed));
        std::fs::write(&path, TYPED).unwrap();
        assert_eq!(fate(of_file()), None);
        assert!(offer(&leftover(of_file(), Activity::Running)).is_some(), "it is to be seen, but not run");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(fate(of_file()), Some(FileFate::Gone));
        assert_eq!(fate(draft(None, BEGUN, TYPED)), Some(FileFate::None));
        assert_eq!(fate(draft(None, BEGUN, BEGUN)), None);
    }
}
