//! "Did you mean": finds the known word nearest to a mistyped one. Programs use it, and so do names in
//! scenes.

use std::cmp::Reverse;

use strsim::osa_distance;

/// The longest word to compare, in bytes. A longer word is hardly a typing slip.
const MAX_LENGTH: usize = 40;

/// The candidate that `word` most likely meant. It has the same letters in another case, or is at most one
/// edit away (two edits for words of six letters and more). Among equally near candidates, the one with the
/// longest common beginning wins, and then the first.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    let allowed = if word.len() >= 6 { 2 } else { 1 };
    let near = candidates.into_iter().filter(|c| c.len().abs_diff(word.len()) <= allowed && *c != word);
    let distances = near.map(|candidate| {
        let distance =
            if candidate.eq_ignore_ascii_case(word) { 0 } else { 1 + osa_distance(word, candidate) };
        let common =
            word.bytes().zip(candidate.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        (distance, Reverse(common), candidate)
    });
    // Too many words are one edit away from a word of one or two letters.
    let close =
        distances.filter(|(distance, ..)| *distance == 0 || (*distance <= 1 + allowed && word.len() > 2));
    close.min_by_key(|(distance, common, _)| (*distance, *common)).map(|(.., candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let words = ["MOV", "MUL", "DECLARE", "DEFINE", "TEX0"];
        let near = |word| nearest(word, words.iter().copied());
        assert_eq!(near("mov"), Some("MOV"));
        assert_eq!(near("MVO"), Some("MOV"));
        assert_eq!(near("MULL"), Some("MUL"));
        assert_eq!(nearest("MADD", ["ADD", "MAD"]), Some("MAD"));
        assert_eq!(near("DELCARE"), Some("DECLARE"));
        assert_eq!(near("XYZ"), None);
        assert_eq!(near("M"), None);
    }
}
