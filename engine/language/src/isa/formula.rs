//! Parses the formulas in the rows of the instruction table. Hover text uses this module to show the
//! computation of one component, with the values of the operands.
//!
//! A formula is a list of statements separated by `; `. `result = E` assigns all four components, and
//! `result.xz = E` assigns the named ones. If `E` is a parenthesised list with one expression per component,
//! each component has its own expression. Any other `E` is shared by all components. In an expression, `a`,
//! `b` and `c` are operands. `a.x` reads the named components. A plain `a` reads the component that is
//! computed, or the single component of a scalar. A statement that begins with `where` explains a name in the
//! other statements.

/// A part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    /// Literal text.
    Text(&'f str),
    /// An operand, counted from 0, and the components after its point, if any.
    Operand(usize, Option<&'f str>),
}

const LETTERS: &str = "xyzw";

/// Splits `formula` into statements. A statement that assigns a result has a left and a right side; any other
/// has only a right side.
fn statements(formula: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    formula.split("; ").map(|statement| match statement.split_once(" = ") {
        Some((left, right)) if left.starts_with("result") && !left.contains(' ') => (Some(left), right),
        _ => (None, statement),
    })
}

/// The expression of component `component` (0 = x) of the result. `None` if `formula` does not assign this
/// component.
pub fn component(formula: &str, component: usize) -> Option<&str> {
    let letter = LETTERS.chars().nth(component)?;
    statements(formula).find_map(|(left, right)| {
        let components = match left?.strip_prefix("result")?.strip_prefix('.') {
            Some(written) => written,
            None => LETTERS,
        };
        let place = components.chars().position(|other| other == letter)?;
        let each = tuple(right);
        let is_each = components.len() > 1 && each.len() == components.len();
        Some(if is_each { each.get(place).copied().unwrap_or(right) } else { right })
    })
}

/// The expression of the first statement that assigns a result.
pub fn whole(formula: &str) -> Option<&str> {
    statements(formula).find_map(|(left, right)| left.map(|_| right))
}

/// The text of each `where` statement in `formula`.
pub fn explanations(formula: &str) -> impl Iterator<Item = &str> {
    statements(formula).filter_map(|(left, right)| right.strip_prefix("where ").filter(|_| left.is_none()))
}

/// The expressions of the parenthesised list that makes up the whole of `expression`; empty if `expression`
/// is not such a list.
fn tuple(expression: &str) -> Vec<&str> {
    let Some(inner) = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return Vec::new();
    };
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '(' => depth += 1,
            // The first parenthesis closed before the end.
            ')' if depth == 0 => return Vec::new(),
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.extend(inner.get(start..at).map(str::trim));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(inner.get(start..).map(str::trim));
    parts
}

/// Splits `expression` into text and operands. The instruction has `operands` operands.
pub fn pieces(expression: &str, operands: usize) -> Vec<Piece<'_>> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let (mut text_from, mut at) = (0, 0);
    while let Some(rest) = expression.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let (word, behind) = rest.split_at(length);
        let index = ["a", "b", "c"].iter().take(operands).position(|name| *name == word);
        let Some(index) = index else {
            at += length;
            continue;
        };
        let written = behind
            .strip_prefix('.')
            .map(|behind| behind.split(|letter| !LETTERS.contains(letter)).next().unwrap_or_default());
        let components = written.filter(|written| !written.is_empty());
        let end = at + length + components.map_or(0, |components| components.len() + 1);
        found.extend(expression.get(text_from..at).filter(|text| !text.is_empty()).map(Piece::Text));
        found.push(Piece::Operand(index, components));
        (text_from, at) = (end, end);
    }
    found.extend(expression.get(text_from..).filter(|text| !text.is_empty()).map(Piece::Text));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_come_apart_by_component() {
        let dst = "result = (1, a.y*b.y, a.z, b.w)";
        assert_eq!([0, 1, 2, 3].map(|c| component(dst, c)), ["1", "a.y*b.y", "a.z", "b.w"].map(Some));
        let x2d = "result.xz = a.x + b.x*c.x; result.yw = a.y";
        assert_eq!(
            [0, 1, 2, 3].map(|c| component(x2d, c)),
            ["a.x + b.x*c.x", "a.y", "a.x + b.x*c.x", "a.y"].map(Some)
        );
        assert_eq!([0, 2].map(|c| component("result.xy = (cos(a), sin(a))", c)), [Some("cos(a)"), None]);
        assert_eq!(component("result = (a * b) >> 32", 3), Some("(a * b) >> 32"));
        assert_eq!(component("result.xyzw = 1 / a", 3), Some("1 / a"));
        assert_eq!(component("go on at the ENDIF", 0), None);
        assert_eq!(whole("result = (width, height) of level a.x"), Some("(width, height) of level a.x"));
        let noted = "result = f(a); where f(v) = v";
        assert_eq!(
            (component(noted, 1), explanations(noted).collect::<Vec<_>>()),
            (Some("f(a)"), vec!["f(v) = v"])
        );
    }

    #[test]
    fn operands_are_words_of_their_own() {
        use Piece::{Operand, Text};
        assert_eq!(
            pieces("bits a.y to a.y + b", 2),
            [
                Text("bits "),
                Operand(0, Some("y")),
                Text(" to "),
                Operand(0, Some("y")),
                Text(" + "),
                Operand(1, None)
            ]
        );
        assert_eq!(pieces("|a|", 1), [Text("|"), Operand(0, None), Text("|")]);
        assert_eq!(pieces("begin a primitive", 0), [Text("begin a primitive")]);
    }
}
