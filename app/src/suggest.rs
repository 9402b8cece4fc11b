//! "Did you mean ...?" for misspelt names.

pub(crate) use shadestep_engine::front::nearest;

/// Returns the end of an error message: `; did you mean "x"?`. If no name is similar: `introduction` and all
/// names, or `none`.
pub(crate) fn hint<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
    introduction: &str,
) -> String {
    match nearest(word, names.clone()) {
        Some(name) => format!("; did you mean \"{name}\"?"),
        None => format!("; {introduction} {}", list(names)),
    }
}

/// Returns the end of an error message about an unknown name: `; did you mean "x"?`, or all existing names.
/// `kind` is the plural of the named things, such as `buffers`.
pub(crate) fn known<'a>(word: &str, names: impl IntoIterator<Item = &'a str> + Clone, kind: &str) -> String {
    let introduction = match names.clone().into_iter().take(2).count() {
        0 => "there are".to_owned(),
        1 => "the only one is".to_owned(),
        _ => format!("the {kind} are"),
    };
    hint(word, names, &introduction)
}

/// Returns `; did you mean "x"?`, or nothing if no name is similar.
pub(crate) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |c| format!("; did you mean \"{c}\"?"))
}

/// Returns the names as a list: `"a", "b" and "c"`, or `none`.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| format!("\"{n}\"")).collect();
    if names.is_empty() { "none".to_owned() } else { joined(&names, "and") }
}

/// Returns `items` as part of a sentence: `a, b and c`.
pub(crate) fn joined(items: &[String], conjunction: &str) -> String {
    match items {
        [rest @ .., last] if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
        _ => items.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_not() {
        let names = ["min_filter", "mag_filter", "wrap", "format"];
        let asked = |word| did_you_mean(word, names);
        assert_eq!(asked("minfilter"), "; did you mean \"min_filter\"?");
        assert_eq!(asked("formta"), "; did you mean \"format\"?");
        assert_eq!(asked("WRAP"), "; did you mean \"wrap\"?");
        assert_eq!(asked("geometry"), "");
        assert_eq!(asked(""), "");
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list(["a", "b", "c"]), "\"a\", \"b\" and \"c\"");
        assert_eq!(list(["a"]), "\"a\"");
    }

    #[test]
    fn hints_without_names_say_none() {
        assert_eq!(list([]), "none");
        assert_eq!(known("x", [], "buffers"), "; there are none");
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        assert_eq!(known("zzzz", ["bins"], "buffers"), "; the only one is \"bins\"");
        assert_eq!(known("zzzz", ["a", "b"], "buffers"), "; the buffers are \"a\" and \"b\"");
    }
}
