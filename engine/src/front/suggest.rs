//! "Did you mean": the known word nearest to a mistyped one.

use strsim::osa_distance;

/// Longest word worth comparing; longer ones are nobody's typing slip.
const MAX_LENGTH: usize = 40;

/// The candidate that `word` most likely meant: the same letters in another case, or at most one edit
/// (two in words of six letters and more) away. The first of equals wins.
pub(crate) fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    let allowed = if word.len() >= 6 { 2 } else { 1 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.filter(|c| c.len().abs_diff(word.len()) <= allowed && *c != word) {
        let distance =
            if candidate.eq_ignore_ascii_case(word) { 0 } else { 1 + osa_distance(word, candidate) };
        // A word of one or two letters is one edit from too much else.
        let close = distance == 0 || (distance <= 1 + allowed && word.len() > 2);
        if close && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
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
        assert_eq!(near("DELCARE"), Some("DECLARE"));
        assert_eq!(near("XYZ"), None);
        assert_eq!(near("M"), None);
    }
}
