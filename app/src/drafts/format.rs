//! The file format of drafts: a line with version and checksum, then TOML. The texts in the file are readable
//! without Shadestep.

use crate::model::{Draft, Sum};

/// Start of the first line.
const TITLE: &str = "# Shadestep draft ";
/// Version of the format.
const VERSION: u32 = 2;
/// Earlier versions that can be read. Version 1 has no texts of scenes.
const EARLIER: [u32; 1] = [1];

/// The reason why a file cannot be read as a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A later version of Shadestep wrote it.
    Newer,
    /// The file is incomplete or not a draft.
    Damaged,
}

/// Returns the content of the file of `draft`. `None` only for a value that TOML cannot represent.
pub fn write(draft: &Draft) -> Option<Vec<u8>> {
    let body = toml::to_string_pretty(draft).ok()?;
    Some(format!("{TITLE}{VERSION}, checksum {:016x}\n{body}", checksum(&body)).into_bytes())
}

/// Reads a draft.
///
/// # Errors
/// See [`Unreadable`].
pub fn read(bytes: &[u8]) -> Result<Draft, Unreadable> {
    let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::Damaged)?;
    let (first, body) = text.split_once('\n').ok_or(Unreadable::Damaged)?;
    let (version, sum) = first
        .strip_prefix(TITLE)
        .and_then(|rest| rest.split_once(", checksum "))
        .and_then(|(version, sum)| Some((version.parse::<u32>().ok()?, u64::from_str_radix(sum, 16).ok()?)))
        .ok_or(Unreadable::Damaged)?;
    if sum != checksum(body) {
        return Err(Unreadable::Damaged);
    }
    if version != VERSION && !EARLIER.contains(&version) {
        return Err(Unreadable::Newer);
    }
    let draft: Draft = toml::from_str(body).map_err(|_| Unreadable::Damaged)?;
    if draft.programs.is_empty() { Err(Unreadable::Damaged) } else { Ok(draft) }
}

fn checksum(body: &str) -> u64 {
    let mut hash = Sum::default();
    hash.add(body.as_bytes());
    hash.value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::draft_tests::draft;
    use std::path::Path;

    #[test]
    fn texts_come_back_as_they_were() {
        for text in [
            "",
            "\n",
            "\n\n!!FP1.0\nEND",
            "\r\n \t\r \u{0}\u{7f}\u{1b}",
            "\"\"\" ''' \\ \\u0041 \"\"\"\"",
            "'''\n\"\"\"\n",
            "# é \u{1F600} \u{2028} \u{feff}",
            "trailing \\\n   spaces  ",
        ] {
            for saved in ["", "other \"\"\" text\r\n"] {
                let kept = draft(Some(Path::new("/a b/\"ü\".fp")), saved, text);
                assert_eq!(read(&write(&kept).unwrap()), Ok(kept), "{text:?}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_come_back_byte_for_byte() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/tmp/\xff\xfe \n/a.fp"));
        let kept = draft(Some(path), "a", "b");
        let again = read(&write(&kept).unwrap()).unwrap();
        assert_eq!(again.programs[0].path().as_deref(), Some(path));
        assert_eq!(again, kept);
    }

    #[test]
    fn files_that_are_not_whole_are_refused_whatever_is_missing() {
        let bytes = write(&draft(None, "!!FP1.0\nEND\n", "!!FP1.0\nMOV o[COLR], 1;\nEND\n")).unwrap();
        for end in 0..bytes.len() {
            assert_eq!(read(&bytes[..end]), Err(Unreadable::Damaged), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x01;
            // Only the version's digit can change without damage.
            assert!(read(&changed).is_err(), "byte {at}");
        }
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(read(text.replace("draft 2,", "draft 4,").as_bytes()), Err(Unreadable::Newer));
        // A file of an earlier version can be read.
        assert!(read(text.replace("draft 2,", "draft 1,").as_bytes()).is_ok());
        assert_eq!(read(b"\xff\xff"), Err(Unreadable::Damaged));
    }
}
