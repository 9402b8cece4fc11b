//! Names the package that a system lacks when the window library cannot start.
//!
//! The window library loads its libraries at run time. Some of its failures are errors and some are panics,
//! so this module searches their messages for known words.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A part of the system that comes in a package.
struct Part {
    /// Its name in the message.
    name: &'static str,
    debian: &'static str,
    fedora: &'static str,
    arch: &'static str,
}

/// Libraries, each by its name without `.so` and version.
const LIBRARIES: [Part; 9] = [
    part("libX11", "libx11-6", "libX11", "libx11"),
    part("libX11-xcb", "libx11-xcb1", "libX11-xcb", "libx11"),
    part("libXcursor", "libxcursor1", "libXcursor", "libxcursor"),
    part("libXi", "libxi6", "libXi", "libxi"),
    part("libxcb", "libxcb1", "libxcb", "libxcb"),
    part("libxcb-xkb", "libxcb-xkb1", "libxcb", "libxcb"),
    part("libxkbcommon", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    part("libxkbcommon-x11", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    WAYLAND,
];

const WAYLAND: Part = part("libwayland-client", "libwayland-client0", "libwayland-client", "wayland");

const KEYBOARD: Part = part(
    "libxkbcommon with its keyboard data",
    "libxkbcommon0 and xkb-data",
    "libxkbcommon and xkeyboard-config",
    "libxkbcommon and xkeyboard-config",
);

const GRAPHICS: Part =
    part("OpenGL", "libgl1 and libegl1", "mesa-libGL and mesa-libEGL", "mesa and libglvnd");

const fn part(name: &'static str, debian: &'static str, fedora: &'static str, arch: &'static str) -> Part {
    Part { name, debian, fedora, arch }
}

impl Part {
    /// Names the missing part and the package to install, in one sentence without a full stop.
    fn sentence(&self) -> String {
        let Self { name, debian, fedora, arch } = self;
        format!(
            "the app needs {name}, which cannot be loaded; install {debian} (Debian, Ubuntu), {fedora} (Fedora) or {arch} (Arch)"
        )
    }
}

/// Returns the sentence for a failure of the window library, from its debug form or its panic message. `None`
/// for failures that are not about a missing package.
pub(super) fn sentence(words: &str) -> Option<String> {
    // The panic of an unwrapped error of winit's.
    if words.contains("XKBNotFound") {
        return Some(keyboard(std::env::var_os("XKB_CONFIG_ROOT")));
    }
    if words.contains("NoWaylandLib") {
        return Some(WAYLAND.sentence());
    }
    let is_panic = words.starts_with("Library lib") && words.contains("could not be loaded");
    let is_error = words.contains("LibraryOpenError") && words.contains("kind: Library");
    if is_panic || is_error { library(words) } else { None }
}

/// Returns the sentence for the first library named in `words`.
fn library(words: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let mut names = words.split(|c| !is_part(c)).filter_map(|word| Some(word.split_once(".so")?.0));
    let name = names.find(|name| name.starts_with("lib"))?;
    Some(match LIBRARIES.iter().find(|part| part.name == name) {
        Some(part) => part.sentence(),
        None => {
            format!("the app needs {name}, which cannot be loaded; install the package that has {name}.so")
        }
    })
}

/// Returns the sentence for a failure to draw. `words` is the graphics library's message.
pub(super) fn graphics(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    format!("{} ({})", GRAPHICS.sentence(), words.join(" "))
}

/// Returns the sentence for missing keyboard data. `root` is the value of `XKB_CONFIG_ROOT`.
fn keyboard(root: Option<OsString>) -> String {
    let sentence = KEYBOARD.sentence();
    match root.filter(|root| !Path::new(root).is_dir()) {
        Some(root) => {
            format!("{sentence}, or correct XKB_CONFIG_ROOT: there is no folder {}", root.to_string_lossy())
        }
        None => sentence,
    }
}

/// Searches for keyboard data in the places where libxkbcommon does. libxkbcommon itself would print its own
/// error if it found none. Systems that keep each package in its own folder have the data elsewhere, so the
/// search is skipped there.
pub(super) fn missing_keyboard_data(variable: impl Fn(&str) -> Option<OsString>) -> Option<String> {
    let elsewhere = ["/nix/store", "/gnu/store"].iter().any(|store| Path::new(store).is_dir());
    let root = variable("XKB_CONFIG_ROOT");
    if !cfg!(target_os = "linux") || (elsewhere && root.is_none()) {
        return None;
    }
    let mut places: Vec<PathBuf> = match &root {
        Some(root) => vec![root.into()],
        None => ["/usr/share/X11/xkb", "/usr/share/xkeyboard-config-2", "/usr/local/share/X11/xkb"]
            .map(PathBuf::from)
            .into(),
    };
    places.push(variable("XKB_CONFIG_EXTRA_PATH").map_or_else(|| "/etc/xkb".into(), PathBuf::from));
    places.extend(variable("XDG_CONFIG_HOME").map(|folder| Path::new(&folder).join("xkb")));
    if let Some(home) = variable("HOME") {
        places.extend([".config/xkb", ".xkb"].map(|inner| Path::new(&home).join(inner)));
    }
    if places.iter().any(|place| place.is_dir()) { None } else { Some(keyboard(root)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_names_its_packages() {
        let of_error = |detail: &str| {
            format!(
                "WinitEventLoop(Os(OsError {{ line: 1, file: \"mod.rs\", error: XNotSupported(LibraryOpenError(OpenError {{ kind: Library, detail: \"{detail}\" }})) }}))"
            )
        };
        let none = "cannot open shared object file: No such file or directory";
        for (words, named) in [
            (of_error(&format!("libX11.so.6: {none}; libX11.so: {none}")), ["libx11-6", "libX11", "libx11"]),
            (of_error(&format!("libX11-xcb.so.1: {none}")), ["libx11-xcb1", "libX11-xcb", "libx11"]),
            (of_error(&format!("libXcursor.so.1: {none}")), ["libxcursor1", "libXcursor", "libxcursor"]),
            (of_error("/tmp/a/libXi.so.6: file too short"), ["libxi6", "libXi", "libxi"]),
            (of_error(&format!("libxcb.so.1: {none}")), ["libxcb1", "libxcb", "libxcb"]),
            (
                "Library libxkbcommon-x11.so could not be loaded.".to_owned(),
                ["libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"],
            ),
            (
                "Library libxkbcommon.so could not be loaded.".to_owned(),
                ["libxkbcommon0", "libxkbcommon", "libxkbcommon"],
            ),
            (
                "called `Result::unwrap()` on an `Err` value: XKBNotFound".to_owned(),
                ["xkb-data", "xkeyboard-config", "xkeyboard-config"],
            ),
            (
                "WinitEventLoop(Os(OsError { error: WaylandError(Connection(NoWaylandLib)) }))".to_owned(),
                ["libwayland-client0", "libwayland-client", "wayland"],
            ),
        ] {
            let found = sentence(&words).unwrap_or_else(|| panic!("{words}"));
            let [debian, fedora, arch] = named;
            for (package, system) in [(debian, "(Debian, Ubuntu)"), (fedora, "(Fedora)"), (arch, "(Arch)")] {
                assert!(found.contains(&format!("{package} {system}")), "{words}: {found}");
            }
            assert!(!found.contains('\n'));
        }
        let other = sentence(&of_error(&format!("libXrender.so.1: {none}"))).unwrap();
        assert!(other.ends_with("install the package that has libXrender.so"), "{other}");
        let drawn = graphics("WGPU error: none\n  of two");
        assert!(drawn.contains("libgl1 and libegl1 (Debian") && drawn.ends_with("(WGPU error: none of two)"));
    }

    #[test]
    fn other_failures_are_not_about_packages() {
        for words in [
            "index out of bounds: the len is 1 but the index is 2",
            "WinitEventLoop(Os(OsError { error: XNotSupported(XOpenDisplayFailed) }))",
            "WinitEventLoop(Os(OsError { error: WaylandError(Connection(NoCompositor)) }))",
            "no entry found for libX11.so",
        ] {
            assert_eq!(sentence(words), None, "{words}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn keyboard_data_is_looked_for_where_the_library_looks() {
        let folder = std::env::temp_dir().join(format!("shadestep-xkb-{}", std::process::id()));
        let (none, there) = (folder.join("none"), folder.join("there"));
        std::fs::create_dir_all(there.join("xkb")).unwrap();
        let with = |name: &'static str, place: &Path| {
            let place = place.as_os_str().to_owned();
            let none = none.as_os_str().to_owned();
            missing_keyboard_data(move |asked| {
                let known = ["XKB_CONFIG_ROOT", "XKB_CONFIG_EXTRA_PATH", "XDG_CONFIG_HOME", "HOME"];
                assert!(known.contains(&asked), "{asked}");
                Some(if asked == name { place.clone() } else { none.clone() })
            })
        };
        for name in ["XKB_CONFIG_ROOT", "XKB_CONFIG_EXTRA_PATH", "XDG_CONFIG_HOME"] {
            assert_eq!(with(name, &there), None, "{name}");
        }
        let words = with("XKB_CONFIG_ROOT", &none).unwrap();
        assert!(words.contains("xkb-data (Debian, Ubuntu)"), "{words}");
        assert!(
            words.ends_with(&format!("XKB_CONFIG_ROOT: there is no folder {}", none.display())),
            "{words}"
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
