//! The bundled samples, for tests that run over all of them.

use shadestep_language::isa::Language;
use std::path::{Path, PathBuf};

/// A program text of a sample.
pub struct Sample {
    pub path: PathBuf,
    pub text: Vec<u8>,
    pub language: Language,
}

/// The program texts of all samples.
pub fn programs() -> Vec<Sample> {
    let files = |folder: &Path| {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let folders = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    let texts = folders.iter().filter(|path| path.is_dir()).flat_map(|folder| files(folder));
    let program = |path: PathBuf| {
        let text = std::fs::read(&path).unwrap();
        Language::of_header(&text).map(|language| Sample { path, text, language })
    };
    texts.filter(|path| path.is_file()).filter_map(program).collect()
}
