//! Makes the table of files that are compiled into the binary: `samples/`, and `assets/textures/` and
//! `assets/meshes/`, so that the program works from anywhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders of the workspace that are compiled in.
const FOLDERS: [&str; 3] = ["samples", "assets/textures", "assets/meshes"];

fn main() -> io::Result<()> {
    let missing = |name| move |_| io::Error::other(format!("{name} is not set"));
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(missing("CARGO_MANIFEST_DIR"))?);
    let root = root.parent().map_or_else(|| root.clone(), Path::to_path_buf);
    let mut files = Vec::new();
    for folder in FOLDERS {
        let path = root.join(folder);
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_dir() {
            collect(&path, folder, &mut files)?;
        }
    }
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in &files {
        writeln!(table, "    ({name:?}, include_bytes!({:?})),", path.display().to_string())
            .map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(missing("OUT_DIR"))?);
    fs::write(out.join("embedded.rs"), table)
}

/// Adds every file under `path`, named with forward slashes from the workspace's root.
fn collect(path: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let file_name = entry.file_name();
        let Some(file_name) = file_name.to_str() else { continue };
        if file_name.starts_with('.') {
            continue;
        }
        let name = format!("{name}/{file_name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &name, files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
