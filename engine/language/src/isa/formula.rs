//! The formulas of the table's rows, taken apart: what each component of the result is computed from.
//!
//! A formula is statements, with `; ` between them. `result = E` gives all four components, `result.xz = E` those named.
//! An `E` that is as many expressions in parentheses as there are components has one for each; any other is the same for
//! all. In an expression `a`, `b` and `c` are operands: with components behind a point those, without any the component
//! that is computed, or the one of a scalar. A statement that begins with `where` says what is meant by the others.

/// A part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    /// As written.
    Text(&'f str),
    /// An operand, from 0, with the components that are written behind its point.
    Operand(usize, Option<&'f str>),
}

/// The components, in order.
const LETTERS: &str = "xyzw";

/// The statements of `formula`: left and right side of those with a result, the whole of others on the right.
fn statements(formula: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    formula.split("; ").map(|statement| match statement.split_once(" = ") {
        Some((left, right)) if left.starts_with("result") && !left.contains(' ') => (Some(left), right),
        _ => (None, statement),
    })
}

/// What component `component` (0 = x) of the result is; `None` if `formula` gives no such component.
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

/// What the result is, all components together, where one expression says it.
pub fn whole(formula: &str) -> Option<&str> {
    statements(formula).find_map(|(left, right)| left.map(|_| right))
}

/// What `formula` says of its own words.
pub fn explanations(formula: &str) -> impl Iterator<Item = &str> {
    statements(formula).filter_map(|(left, right)| right.strip_prefix("where ").filter(|_| left.is_none()))
}

/// The expressions in the parentheses that all of `expression` stands in; none if it does not.
fn tuple(expression: &str) -> Vec<&str> {
    let Some(inner) = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return Vec::new();
    };
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '(' => depth += 1,
            // The first parenthesis was closed before the end.
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

/// `expression` in pieces, of an instruction with `operands` operands.
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
