//! The files that saving a document writes, as plain data. [`crate::tasks`] writes them.

use super::{Document, DocumentId, Part, TextFile};
use crate::scene::{Folder, SCENE_FILE, Slot};
use std::path::{Path, PathBuf};

/// The content of a file to write.
#[derive(Clone, Debug)]
pub enum Content {
    /// A text of the document.
    Text(Part, String),
    /// Another text.
    Plain(String),
    /// A copy of a file of the scene, by its name in the folder.
    Copy(Folder, String),
}

/// One file to write.
#[derive(Clone, Debug)]
pub struct SaveFile {
    pub path: PathBuf,
    pub content: Content,
}

/// Files to write, in order.
#[derive(Clone, Debug)]
pub struct Save {
    pub document: DocumentId,
    /// The folder that the document moves into. It must not exist, or must be empty.
    pub new_folder: Option<PathBuf>,
    /// The files. `scene.toml` names the others and comes last.
    pub files: Vec<SaveFile>,
}

/// How a document can be saved.
#[derive(Clone, Debug)]
pub enum SaveWay {
    /// Every text has a file.
    Write(Save),
    /// A single program without a file. The user chooses a file. The string is the suggested name.
    ChooseFile(String),
    /// The user chooses a folder. The string is the suggested name.
    ChooseFolder(String),
}

impl Document {
    /// Returns the program and its slot if the document is one lone program in the default scene.
    pub fn alone(&self) -> Option<(Slot, &TextFile)> {
        let default_scene = matches!(self.own_folder, Folder::Disk(_))
            && self.scene_text.path().is_none()
            && !self.scene_text.is_modified();
        let mut own = self.programs.iter().filter(|(_, text)| text.path().is_some() || text.is_modified());
        let first = own.next();
        let first = first.or_else(|| Some((self.programs.front_slot(), self.programs.front())));
        first.filter(|_| default_scene && own.next().is_none())
    }

    /// Returns how to save the changes.
    pub fn save_way(&self) -> SaveWay {
        if let Some((slot, program)) = self.alone() {
            return match program.path() {
                Some(path) => SaveWay::Write(self.save_program(slot, path.to_path_buf())),
                None => SaveWay::ChooseFile(program.file_name(slot)),
            };
        }
        match self.scene_text.path().and_then(Path::parent) {
            Some(folder) => SaveWay::Write(self.save_in_place(folder)),
            None => self.choose_folder(),
        }
    }

    /// Returns how to save the document in another place.
    pub fn save_as_way(&self) -> SaveWay {
        match self.alone() {
            Some((slot, program)) => SaveWay::ChooseFile(program.file_name(slot)),
            None => self.choose_folder(),
        }
    }

    fn choose_folder(&self) -> SaveWay {
        let name = self.scene.name.split_once('.').map_or(&*self.scene.name, |(stem, _)| stem);
        SaveWay::ChooseFolder(name.to_owned())
    }

    /// Returns the save that writes the lone program at `slot` to `path`.
    pub fn save_program(&self, slot: Slot, path: PathBuf) -> Save {
        let text = self.program_text(slot).map_or_else(String::new, |program| program.text.clone());
        let content = Content::Text(Part::Program(slot), text);
        Save { document: self.id, new_folder: None, files: vec![SaveFile { path, content }] }
    }

    /// Returns the save that writes changed texts to their files.
    fn save_in_place(&self, folder: &Path) -> Save {
        let mut files = Vec::new();
        let used = self.files_used();
        for (name, _) in self.chosen.iter().filter(|(name, _)| used.contains(name)) {
            let content = Content::Copy(self.folder(), name.clone());
            files.push(SaveFile { path: folder.join(name), content });
        }
        for (slot, program) in self.programs.iter() {
            let path = program.path().map_or_else(|| folder.join(program.name()), Path::to_path_buf);
            if program.is_modified() || program.path().is_none() {
                files.push(SaveFile {
                    path,
                    content: Content::Text(Part::Program(slot), program.text.clone()),
                });
            }
        }
        if let Some(path) = self.scene_text.path().filter(|_| self.scene_text.is_modified()) {
            let content = Content::Text(Part::Scene, self.scene_text.text.clone());
            files.push(SaveFile { path: path.to_path_buf(), content });
        }
        Save { document: self.id, new_folder: None, files }
    }

    /// Returns the save that writes the whole scene, with copies of its files, into a new folder.
    pub fn save_in_folder(&self, folder: &Path) -> Save {
        let mut files = Vec::new();
        let copies = self.files_used();
        for name in copies {
            let path = folder.join(&name);
            files.push(SaveFile { path, content: Content::Copy(self.folder(), name) });
        }
        if let Some(readme) = &self.scene.readme {
            files.push(SaveFile { path: folder.join("README.md"), content: Content::Plain(readme.clone()) });
        }
        for (slot, program) in self.programs.iter() {
            let content = Content::Text(Part::Program(slot), program.text.clone());
            files.push(SaveFile { path: folder.join(program.name()), content });
        }
        let content = Content::Text(Part::Scene, self.scene_text.text.clone());
        files.push(SaveFile { path: folder.join(SCENE_FILE), content });
        Save { document: self.id, new_folder: Some(folder.to_path_buf()), files }
    }

    /// Returns the texts whose files another program has changed and `save` would overwrite.
    pub fn overwritten_by(&self, save: &Save) -> Vec<Part> {
        let text = |file: &SaveFile| match &file.content {
            Content::Text(part, _) => Some((*part, file.path.clone())),
            Content::Plain(_) | Content::Copy(..) => None,
        };
        let texts = save.files.iter().filter_map(text);
        let changed = texts.filter(|(part, path)| {
            let file = self.text(*part);
            file.is_some_and(|file| file.changed_on_disk.is_some() && file.path() == Some(path))
        });
        changed.map(|(part, _)| part).collect()
    }

    /// Records that the files now hold the contents of `save`.
    pub fn saved(&mut self, save: &Save) {
        let alone = self.alone().map(|(slot, _)| slot);
        for file in &save.files {
            let Content::Text(part, text) = &file.content else { continue };
            if let Some(text_file) = self.text_mut(*part) {
                text_file.mark_saved(text.clone(), file.path.clone());
            }
        }
        if let Some(folder) = &save.new_folder {
            self.own_folder = Folder::Disk(folder.clone());
            self.moved_to(folder);
        } else if let Some(slot) = alone {
            self.lone_program_moved(slot);
        }
        if save.new_folder.is_some() || save.files.iter().any(|f| matches!(f.content, Content::Copy(..))) {
            self.chosen = Default::default();
            // The same files have new places to watch and read.
            self.unread = super::Unread::Wanted;
        }
        if self.scene.toml == self.scene_text.saved() {
            self.base = std::sync::Arc::clone(&self.scene);
        }
        self.seal_step();
        self.revision += 1;
    }

    fn moved_to(&mut self, folder: &Path) {
        let mut scene = crate::scene::Scene::clone(&self.scene);
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        scene.name = name;
        self.scene = std::sync::Arc::new(scene);
    }

    /// Names the scene after the lone program's file, and moves the document to its folder.
    fn lone_program_moved(&mut self, slot: Slot) {
        let Some(path) = self.program_text(slot).and_then(TextFile::path).map(Path::to_path_buf) else {
            return;
        };
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        self.own_folder = Folder::Disk(path.parent().map_or_else(PathBuf::new, Path::to_path_buf));
        // Steps in the scene's text would no longer fit, so keep the text if the history has one.
        if self.history.is_about(self.scene_text.number) {
            return;
        }
        let old = self.program_text(slot).map_or_else(String::new, |program| program.name().to_owned());
        let scene = &self.scene;
        let renamed =
            crate::scene::Scene::for_program(&name, Some(&path), self.programs.front().text.as_bytes());
        if old == name || renamed.programs.slots().ne(scene.programs.slots()) {
            return;
        }
        if let Some(program) = self.programs.get_mut(slot) {
            program.rename(name);
        }
        self.scene_text.text.clone_from(&renamed.toml);
        self.scene_text.begun_with(renamed.toml.clone());
        let mut scene = crate::scene::Scene::clone(&self.scene);
        scene.name.clone_from(&renamed.name);
        scene.title = renamed.title;
        scene.toml = renamed.toml;
        scene.watched = renamed.watched;
        scene.programs = renamed.programs;
        self.scene = std::sync::Arc::new(scene);
    }
}
