//! "Did you mean": the known word nearest to a mistyped one, for programs and for whoever reads names that people type.

use std::cmp::Reverse;

use strsim::osa_distance;

/// Longest word worth comparing; longer ones are nobody's typing slip.
const MAX_LENGTH: usize = 40;

/// The candidate that `word` most likely meant: the same letters in another case, or at most one edit (two in words of six
/// letters and more) away. Of equally near ones that with the longer beginning in common, else the first.
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
    // A word of one or two letters is one edit from too much else.
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
