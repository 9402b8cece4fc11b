//! "Did you mean ...?" for names that people type.

use std::cmp::Reverse;
use strsim::osa_distance;

/// Characters that are compared; what differs behind them is nobody's typing slip.
const MAX_CHARS: usize = 64;

/// The candidate most like `word`, if any is like it at all: at most a third of its letters differ. Of
/// equally near ones, that with the longer beginning in common.
pub(crate) fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    let word: String = word.chars().take(MAX_CHARS).flat_map(char::to_lowercase).collect();
    let distances = candidates.into_iter().map(|candidate| {
        let lower = candidate.to_lowercase();
        let common = word.chars().zip(lower.chars()).take_while(|(a, b)| a == b).count();
        (osa_distance(&word, &lower), Reverse(common), candidate)
    });
    distances.filter(|(d, ..)| *d <= limit).min().map(|(.., candidate)| candidate)
}

/// A sentence part to append to an error: `; did you mean "x"?` or nothing.
pub(crate) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    closest(word, candidates).map_or_else(String::new, |c| format!("; did you mean \"{c}\"?"))
}

/// The names as a list for people: `"a", "b" and "c"`.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("\"{n}\"")).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_not() {
        let names = ["min_filter", "mag_filter", "wrap", "format"];
        assert_eq!(closest("minfilter", names), Some("min_filter"));
        assert_eq!(closest("formta", names), Some("format"));
        assert_eq!(closest("WRAP", names), Some("wrap"));
        assert_eq!(closest("geometry", names), None);
        assert_eq!(closest("", names), None);
        assert_eq!(closest("MADD", ["ADD", "MAD"]), Some("MAD"));
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list(["a", "b", "c"]), "\"a\", \"b\" and \"c\"");
        assert_eq!(list(["a"]), "\"a\"");
    }
}
