//! Drafts as bytes: a line that says what follows and its checksum, then TOML. A person who finds such a file can read
//! the texts in it.

use crate::model::{Draft, Sum};

/// What the first line begins with.
const TITLE: &str = "# Shadestep draft ";
/// Number of this form of the file.
const VERSION: u32 = 2;
/// Forms before it that can be read: one without the texts of scenes.
const EARLIER: [u32; 1] = [1];

/// Why a file gives no draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is of a form that this version does not know.
    Newer,
    /// It is not whole, or no draft at all.
    Damaged,
}

/// The file that keeps `draft`; `None` only for what TOML has no form for.
pub fn write(draft: &Draft) -> Option<Vec<u8>> {
    let body = toml::to_string_pretty(draft).ok()?;
    Some(format!("{TITLE}{VERSION}, checksum {:016x}\n{body}", checksum(&body)).into_bytes())
}

/// The draft in a file.
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
            // Only the version's digit can be another one without being damage.
            assert!(read(&changed).is_err(), "byte {at}");
        }
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(read(text.replace("draft 2,", "draft 4,").as_bytes()), Err(Unreadable::Newer));
        // What an earlier version wrote can be read.
        assert!(read(text.replace("draft 2,", "draft 1,").as_bytes()).is_ok());
        assert_eq!(read(b"\xff\xff"), Err(Unreadable::Damaged));
    }
}
