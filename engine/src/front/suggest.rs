//! "Did you mean": the known word nearest to a mistyped one.

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
    for candidate in candidates.filter(|c| c.len() <= MAX_LENGTH && *c != word) {
        let distance = if candidate.eq_ignore_ascii_case(word) { 0 } else { 1 + distance(word, candidate) };
        // A word of one or two letters is one edit from too much else.
        let close = distance == 0 || (distance <= 1 + allowed && word.len() > 2);
        if close && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap neighbours) between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX / 2;
    }
    let mut two_back = vec![0; b.len() + 1];
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(previous[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(two_back[j - 2] + 1);
            }
        }
        two_back = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
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
