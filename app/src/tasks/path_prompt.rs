//! [`PathPrompt`]: a prompt for a typed path, with a list of the folder's entries. It replaces the file
//! dialog on systems without one.

use super::Question;
use crate::places;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathEntry {
    /// Folders come first.
    pub kind: EntryKind,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    Folder,
    /// Anything else.
    File,
}

/// A prompt for a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPrompt {
    /// Purpose of the path, and the folder to begin in.
    pub question: Question,
    /// The typed text.
    pub text: String,
    /// The folder of `entries`.
    pub listed: Option<PathBuf>,
    /// Entries of the folder, folders first.
    pub entries: Vec<PathEntry>,
    /// The folder of relative paths.
    base: PathBuf,
    /// State of the entered path.
    pub progress: PromptProgress,
}

/// State of the entered path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PromptProgress {
    /// No path was entered.
    #[default]
    Typing,
    /// The path is being opened or written.
    Waiting,
    /// The error. The text stays, so the user can correct it.
    Failed(String),
}

impl PathPrompt {
    /// Asks `question`, beginning in its folder or else in the working directory.
    pub fn new(question: Question) -> Self {
        let folder = question.folder.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let name = if question.purpose.is_saving() { question.name.as_str() } else { "" };
        let text = folder.join(name).to_string_lossy().into_owned();
        Self {
            question,
            text,
            listed: None,
            entries: Vec::new(),
            base: folder,
            progress: PromptProgress::Typing,
        }
    }

    /// Takes the typed text. A path that restarts within the text, with a second separator or `~`, replaces
    /// the part before it.
    pub fn type_text(&mut self, text: String) {
        let begun = begun_anew(&text).unwrap_or(&text);
        self.text = begun.to_owned();
        if self.progress != PromptProgress::Waiting {
            self.progress = PromptProgress::Typing;
        }
    }

    /// Returns the characters of the suggested name without its extension, which are selected when the prompt
    /// opens.
    pub(crate) fn suggested(&self) -> std::ops::Range<usize> {
        let (_, name) = self.parts();
        let start = self.text.chars().count() - name.chars().count();
        let stem = Path::new(name).file_stem().map_or(0, |stem| stem.to_string_lossy().chars().count());
        start..start + stem
    }

    /// Returns true if saving would replace a file.
    pub(crate) fn replaces(&self) -> bool {
        let (_, name) = self.parts();
        let is_it = |entry: &PathEntry| entry.kind == EntryKind::File && entry.name == name;
        self.question.purpose.is_saving() && self.wanted().is_none() && self.entries.iter().any(is_it)
    }

    /// Returns the folder part of the text, and the name after it.
    pub(crate) fn parts(&self) -> (PathBuf, &str) {
        let at = self.text.rfind(['/', MAIN_SEPARATOR]).map_or(0, |separator| separator + 1);
        let (folder, name) = self.text.split_at(at);
        (self.base.join(places::expanded(folder)), name)
    }

    /// Returns the folder to list, if `entries` are not its entries.
    pub fn wanted(&self) -> Option<PathBuf> {
        let (folder, _) = self.parts();
        (self.listed.as_deref() != Some(&folder)).then_some(folder)
    }

    /// Returns the typed path.
    pub fn path(&self) -> PathBuf {
        self.base.join(places::expanded(&self.text))
    }

    /// Returns the entries that begin with the typed name and fit the question.
    pub(crate) fn matches(&self) -> impl Iterator<Item = &PathEntry> {
        let (_, typed) = self.parts();
        let (_, extensions) = self.question.purpose.filter();
        let fits = move |entry: &&PathEntry| {
            let hidden = entry.name.starts_with('.') && !typed.starts_with('.');
            let extension = Path::new(&entry.name).extension().unwrap_or_default().to_string_lossy();
            let wanted = extensions.is_empty()
                || entry.kind == EntryKind::Folder
                || extensions.contains(&&*extension.to_lowercase());
            wanted && !hidden && entry.name.to_lowercase().starts_with(&typed.to_lowercase())
        };
        self.entries.iter().filter(fits)
    }

    /// Returns the text with `entry` in place of the typed name. A folder ends with a separator.
    pub(crate) fn completed(&self, entry: &PathEntry) -> String {
        let (_, typed) = self.parts();
        let end = if entry.kind == EntryKind::Folder { MAIN_SEPARATOR.to_string() } else { String::new() };
        format!("{}{}{end}", &self.text[..self.text.len() - typed.len()], entry.name)
    }

    /// Returns the text after Tab: completed to the only matching entry, or to the common start of all
    /// matches.
    pub(crate) fn tabbed(&self) -> Option<String> {
        let (_, typed) = self.parts();
        let mut matches = self.matches();
        let first = matches.next()?;
        let mut common: &str = &first.name;
        let mut several = false;
        for entry in matches {
            several = true;
            let same = common.char_indices().zip(entry.name.chars());
            let end =
                same.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, c), _)| at + c.len_utf8());
            common = &common[..end];
        }
        if !several {
            return Some(self.completed(first));
        }
        (common.len() > typed.len())
            .then(|| format!("{}{common}", &self.text[..self.text.len() - typed.len()]))
    }
}

/// Returns the path that restarts within `text`, after `//` or at `/~`.
pub(crate) fn begun_anew(text: &str) -> Option<&str> {
    let doubled = text.rfind("//").filter(|&at| at > 0 || text.len() > 2).map(|at| at + 1);
    let home = text.rfind("/~/").or_else(|| text.ends_with("/~").then(|| text.len() - 2)).map(|at| at + 1);
    text.get(doubled.max(home)?..)
}

/// Returns the entries of `folder`, folders first. Empty if the folder cannot be read.
pub fn list_folder(folder: &Path) -> Vec<PathEntry> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let entry = |entry: std::fs::DirEntry| {
        // Follows links.
        let kind = if entry.path().is_dir() { EntryKind::Folder } else { EntryKind::File };
        PathEntry { kind, name: entry.file_name().to_string_lossy().into_owned() }
    };
    let mut entries: Vec<PathEntry> = read.take(10_000).flatten().map(entry).collect();
    entries.sort_unstable();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::Purpose;

    fn prompt(text: &str, names: &[&str]) -> PathPrompt {
        let question = Question { purpose: Purpose::Open, folder: None, name: String::new() };
        let entry = |name: &&str| match name.strip_suffix('/') {
            Some(name) => PathEntry { kind: EntryKind::Folder, name: name.to_owned() },
            None => PathEntry { kind: EntryKind::File, name: (*name).to_owned() },
        };
        PathPrompt {
            text: text.to_owned(),
            entries: names.iter().map(entry).collect(),
            ..PathPrompt::new(question)
        }
    }

    #[test]
    fn tab_goes_on_as_far_as_there_is_no_choice() {
        let names = ["shaders/", "shadow.fp", "wave.vp", "notes.doc", ".hidden.fp"];
        let tabbed = |text: &str| prompt(text, &names).tabbed();
        assert_eq!(tabbed("/a/w").as_deref(), Some("/a/wave.vp"));
        assert_eq!(tabbed("/a/s").as_deref(), Some("/a/shad"));
        assert_eq!(tabbed("/a/shad"), None);
        assert_eq!(tabbed("/a/shade"), Some(format!("/a/shaders{MAIN_SEPARATOR}")));
        assert_eq!(tabbed("/a/no"), None, "no program");
        assert_eq!(tabbed("/a/.h").as_deref(), Some("/a/.hidden.fp"));
        assert_eq!(tabbed("WAVE").as_deref(), Some("wave.vp"));
    }

    #[test]
    fn paths_begin_anew_within_the_text() {
        let mut prompt = prompt("/a/b/", &[]);
        for (typed, text) in [
            ("/a/b//x/y.fp", "/x/y.fp"),
            ("/a/b/~/y.fp", "~/y.fp"),
            ("/a/b/~", "~"),
            ("/a/b/y~.fp", "/a/b/y~.fp"),
            ("//x", "/x"),
            ("/", "/"),
        ] {
            prompt.type_text(typed.to_owned());
            assert_eq!(prompt.text, text, "{typed}");
        }
        prompt.type_text("y.fp".to_owned());
        assert_eq!(prompt.path(), prompt.base.join("y.fp"));
        prompt.type_text("/x/y.fp".to_owned());
        assert_eq!(prompt.path(), Path::new("/x/y.fp"));
    }

    #[test]
    fn the_stem_of_a_suggested_name_is_selected() {
        let question =
            |purpose, name: &str| Question { purpose, folder: Some("/ä/b".into()), name: name.to_owned() };
        let id = crate::model::DocumentId(1);
        let selected = |question| {
            let prompt = PathPrompt::new(question);
            let range = prompt.suggested();
            prompt.text.chars().skip(range.start).take(range.len()).collect::<String>()
        };
        assert_eq!(selected(question(Purpose::SaveProgram(id), "main.fp")), "main");
        assert_eq!(selected(question(Purpose::SaveScene(id), "wave-copy")), "wave-copy");
        assert_eq!(selected(question(Purpose::Open, "")), "");
    }

    #[test]
    fn folders_are_listed_once_and_first() {
        let folder = std::env::temp_dir().join(format!("shadestep-list-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("z")).unwrap();
        std::fs::write(folder.join("a.fp"), "").unwrap();
        let entries = list_folder(&folder);
        assert_eq!(entries.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["z", "a.fp"]);
        let mut prompt = prompt(&format!("{}/", folder.display()), &[]);
        let wanted = prompt.wanted().unwrap();
        assert_eq!(std::path::absolute(&wanted).unwrap(), std::path::absolute(&folder).unwrap());
        prompt.listed = Some(wanted);
        assert_eq!(prompt.wanted(), None);
        assert_eq!(list_folder(Path::new("/no/such/folder")), []);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
