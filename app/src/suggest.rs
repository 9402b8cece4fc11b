//! "Did you mean ...?" for names that people type.

use std::cmp::Reverse;

/// The candidate most like `word`, if any is like it at all: at most a third of its letters differ. Of
/// equally near ones, that with the longer beginning in common.
pub(crate) fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    let word = word.to_lowercase();
    let distances = candidates.into_iter().map(|candidate| {
        let lower = candidate.to_lowercase();
        let common = word.chars().zip(lower.chars()).take_while(|(a, b)| a == b).count();
        (distance(&word, &lower), Reverse(common), candidate)
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

/// Letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
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
    fn distance_counts_edits() {
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("abc", "ab"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list(["a", "b", "c"]), "\"a\", \"b\" and \"c\"");
        assert_eq!(list(["a"]), "\"a\"");
    }
}
