//! [`Dialog`]: the window in front of everything.

use crate::model::{DocumentId, ExportForm, PerDocument};
use crate::tasks::PathPrompt;

/// A close that waits for an answer about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Closing one tab.
    Tab(DocumentId),
    /// Closing the app.
    App,
}

/// A window in front of everything.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// Unsaved changes.
    Unsaved(Closing),
    /// Saving would overwrite changes that another program has saved.
    Overwrite(DocumentId),
    /// A prompt for a path, on systems without a file dialog.
    Path(Box<PathPrompt>),
    /// Templates of new scenes.
    NewScene,
    /// A condition to run to.
    RunTo,
    /// A picture or a sequence to export.
    Export(Box<ExportForm>),
    /// The user closes the app while an export runs.
    StillExporting,
    /// Keys, font, tab width and theme.
    Preferences,
    /// Every key.
    Keys,
    /// About the app.
    About,
}

impl PerDocument for Option<Dialog> {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            *self = None;
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        let of = match self {
            Some(Dialog::Unsaved(Closing::Tab(id)) | Dialog::Overwrite(id)) => Some(*id),
            Some(Dialog::Export(form)) => Some(form.document),
            Some(Dialog::Path(prompt)) => prompt.question.purpose.document(),
            Some(
                Dialog::Unsaved(Closing::App)
                | Dialog::NewScene
                | Dialog::RunTo
                | Dialog::StillExporting
                | Dialog::Preferences
                | Dialog::Keys
                | Dialog::About,
            )
            | None => None,
        };
        of.into_iter().collect()
    }
}
