//! Parses text into a tree with resolved registers and checked sizes. The grammar, from the loosest binding
//! to the tightest:
//!
//! `or`, `and`, `not`, one of `< <= > >= == != is`, `+ -`, `* / %`, a sign, then a primary with an optional
//! swizzle. A primary is a number, a register, `|x|`, `(x)`, `{x, y}` or a function.

use super::names::names;
use super::{Arithmetic, Comparison, ExpressionError, Function, MAX_TEXT, Node, Number, Place, Test};
use shadestep_language::ir::{Condition, Program};
use shadestep_language::source::Span;
use shadestep_language::syntax::is_word_byte;
use std::collections::BTreeMap;

/// The deepest nesting of brackets and signs.
const MAX_DEPTH: usize = 40;

pub(super) struct Parsed {
    pub root: Node,
    pub reads: Vec<(Place, u8)>,
    pub is_condition: bool,
}

/// The kind of a subexpression; numbers with the number of their components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Numbers(usize),
    Flags(usize),
    Truth,
}

pub(super) fn parse(text: &str, program: &Program) -> Result<Parsed, ExpressionError> {
    if text.len() > MAX_TEXT {
        return Err(error(
            Span::new(MAX_TEXT, text.len()),
            format!("An expression has at most {MAX_TEXT} characters"),
        ));
    }
    let mut names = names(program);
    // The longest matching name wins: `result.color.secondary`, not a component of `result.color`.
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut parser = Parser { text, at: 0, names, reads: BTreeMap::new(), depth: 0 };
    let (root, kind) = parser.or()?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.unexpected("the end"));
    }
    if let Kind::Flags(_) = kind {
        let whole = Span::new(0, text.len());
        return Err(error(whole, "Compare a condition code with a rule, as in CC.x is LT".to_owned()));
    }
    let is_condition = kind == Kind::Truth;
    Ok(Parsed { root, reads: parser.reads.into_iter().collect(), is_condition })
}

fn error(span: Span, message: String) -> ExpressionError {
    ExpressionError { span, message }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: Vec<(String, Place)>,
    reads: BTreeMap<Place, u8>,
    depth: usize,
}

type Part = Result<(Node, Kind), ExpressionError>;

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The end of the current token, for messages.
    fn token_end(&self) -> usize {
        let rest = self.rest();
        let word = rest.bytes().take_while(|&byte| is_word_byte(byte)).count();
        self.at + word.max(rest.chars().next().map_or(0, char::len_utf8))
    }

    fn unexpected(&self, wanted: &str) -> ExpressionError {
        let span = Span::new(self.at, self.token_end());
        let found = self.text.get(span.start..span.end).unwrap_or_default();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("\"{found}\"") };
        error(span, format!("Expected {wanted}, found {found}"))
    }

    /// Consumes one of `signs` if it comes next. Of two signs with the same beginning, the longer one must
    /// come first.
    fn sign<T: Copy>(&mut self, signs: &[(&str, T)]) -> Option<T> {
        self.skip_space();
        let (sign, meaning) = signs.iter().find(|(sign, _)| self.rest().starts_with(sign))?;
        self.at += sign.len();
        Some(*meaning)
    }

    /// Consumes one of `words` if it comes next, in any case.
    fn word<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        self.skip_space();
        let length = self.rest().bytes().take_while(|&byte| is_word_byte(byte)).count();
        let found = self.rest().get(..length)?;
        let (word, meaning) = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(found))?;
        self.at += word.len();
        Some(*meaning)
    }

    fn expect(&mut self, sign: &str) -> Result<(), ExpressionError> {
        match self.sign(&[(sign, ())]) {
            Some(()) => Ok(()),
            None => Err(self.unexpected(&format!("\"{sign}\""))),
        }
    }

    /// Returns the subexpression if it is a condition; numbers are an error.
    fn truth(&self, (node, kind): (Node, Kind), from: usize) -> Result<Node, ExpressionError> {
        match kind {
            Kind::Truth => Ok(node),
            Kind::Numbers(_) | Kind::Flags(_) => {
                Err(error(Span::new(from, self.at), "Expected a condition, such as R0.x > 0".to_owned()))
            }
        }
    }

    fn or(&mut self) -> Part {
        let from = self.at;
        let (mut node, mut kind) = self.and()?;
        while self.sign(&[("||", ())]).or_else(|| self.word(&[("or", ())])).is_some() {
            let left = self.truth((node, kind), from)?;
            let next = self.at;
            let right = self.and()?;
            let right = self.truth(right, next)?;
            (node, kind) = (Node::Or(left.into(), right.into()), Kind::Truth);
        }
        Ok((node, kind))
    }

    fn and(&mut self) -> Part {
        let from = self.at;
        let (mut node, mut kind) = self.not()?;
        while self.sign(&[("&&", ())]).or_else(|| self.word(&[("and", ())])).is_some() {
            let left = self.truth((node, kind), from)?;
            let next = self.at;
            let right = self.not()?;
            let right = self.truth(right, next)?;
            (node, kind) = (Node::And(left.into(), right.into()), Kind::Truth);
        }
        Ok((node, kind))
    }

    fn not(&mut self) -> Part {
        let is_sign = !self.rest().trim_start().starts_with("!=") && self.sign(&[("!", ())]).is_some();
        if !is_sign && self.word(&[("not", ())]).is_none() {
            return self.comparison();
        }
        let from = self.at;
        let part = self.deeper(Self::not)?;
        Ok((Node::Not(self.truth(part, from)?.into()), Kind::Truth))
    }

    fn comparison(&mut self) -> Part {
        let from = self.at;
        let left = self.sum()?;
        let comparisons = [
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("=", Comparison::Equal),
        ];
        if let Some(comparison) = self.sign(&comparisons) {
            let right = self.sum()?;
            let (left, right, _) = self.matched(left, right, from)?;
            return Ok((Node::Compare(comparison, left.into(), right.into()), Kind::Truth));
        }
        if self.word(&[("is", ())]).is_none() {
            return Ok(left);
        }
        let negated = self.word(&[("not", ())]).is_some();
        let test = self.test(left.1)?;
        let node = Node::Is(left.0.into(), test);
        Ok((if negated { Node::Not(node.into()) } else { node }, Kind::Truth))
    }

    /// Parses the property after `is`.
    fn test(&mut self, kind: Kind) -> Result<Test, ExpressionError> {
        let of_numbers = [
            ("inf", Test::Infinite),
            ("infinite", Test::Infinite),
            ("finite", Test::Finite),
            ("undefined", Test::Undefined),
        ];
        let rules = Condition::ALL.map(|condition| (condition.name(), Test::Condition(condition)));
        let un = [("UN", Test::Condition(Condition::Nan))];
        let rule = self.word(&rules).or_else(|| self.word(&un));
        match (rule, kind) {
            (Some(test), Kind::Flags(_) | Kind::Numbers(_)) => Ok(test),
            (None, Kind::Numbers(_)) => match self.word(&of_numbers) {
                Some(test) => Ok(test),
                None => Err(self.unexpected("NaN, inf, finite, undefined or a rule such as LT")),
            },
            (_, Kind::Flags(_)) => Err(self.unexpected("a rule of condition codes, such as LT")),
            (_, Kind::Truth) => Err(error(Span::at(self.at), "A condition cannot be compared".to_owned())),
        }
    }

    /// The common number of components of two operands, or an error if the operands do not combine.
    fn matched(
        &self,
        (left, a): (Node, Kind),
        (right, b): (Node, Kind),
        from: usize,
    ) -> Result<(Node, Node, usize), ExpressionError> {
        let span = Span::new(from, self.at);
        let (Kind::Numbers(a), Kind::Numbers(b)) = (a, b) else {
            let message = match (a, b) {
                (Kind::Flags(_), _) | (_, Kind::Flags(_)) => {
                    "Compare a condition code with a rule, as in CC.x is LT"
                }
                _ => "Expected numbers on both sides",
            };
            return Err(error(span, message.to_owned()));
        };
        let widen = |node: Node, size: usize, other: usize| {
            if size == 1 && other > 1 { Node::Swizzled(node.into(), vec![0; other]) } else { node }
        };
        if a != b && a != 1 && b != 1 {
            return Err(error(span, format!("The left side has {a} components, the right side {b}")));
        }
        Ok((widen(left, a, b), widen(right, b, a), a.max(b)))
    }

    fn binary(&mut self, signs: &[(&str, Arithmetic)], operand: fn(&mut Self) -> Part) -> Part {
        let from = self.at;
        let mut part = operand(self)?;
        while let Some(arithmetic) = self.sign(signs) {
            let right = operand(self)?;
            let (left, right, size) = self.matched(part, right, from)?;
            part = (Node::Arithmetic(arithmetic, left.into(), right.into()), Kind::Numbers(size));
        }
        Ok(part)
    }

    fn sum(&mut self) -> Part {
        self.binary(&[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)], Self::product)
    }

    fn product(&mut self) -> Part {
        let signs = [("*", Arithmetic::Multiply), ("/", Arithmetic::Divide), ("%", Arithmetic::Remainder)];
        self.binary(&signs, Self::signed)
    }

    fn signed(&mut self) -> Part {
        match self.sign(&[("-", true), ("+", false)]) {
            None => self.swizzled(),
            Some(negates) => {
                let from = self.at;
                let part = self.deeper(Self::signed)?;
                let (node, size) = self.numbers(part, from)?;
                let node = if negates { Node::Call(Function::Negate, node.into()) } else { node };
                Ok((node, Kind::Numbers(size)))
            }
        }
    }

    fn numbers(&self, (node, kind): (Node, Kind), from: usize) -> Result<(Node, usize), ExpressionError> {
        match kind {
            Kind::Numbers(size) => Ok((node, size)),
            Kind::Flags(_) | Kind::Truth => {
                Err(error(Span::new(from, self.at), "Expected a number".to_owned()))
            }
        }
    }

    /// Parses one nesting level deeper.
    fn deeper(&mut self, inner: fn(&mut Self) -> Part) -> Part {
        if self.depth == MAX_DEPTH {
            return Err(error(Span::at(self.at), format!("More than {MAX_DEPTH} nested brackets")));
        }
        self.depth += 1;
        let part = inner(self);
        self.depth -= 1;
        part
    }

    fn swizzled(&mut self) -> Part {
        self.skip_space();
        let from = self.at;
        let (node, kind) = self.primary()?;
        let Some(components) = self.swizzle()? else { return Ok((node, kind)) };
        let span = Span::new(from, self.at);
        let (Kind::Numbers(size) | Kind::Flags(size)) = kind else {
            return Err(error(span, "A condition has no components".to_owned()));
        };
        if components.iter().any(|&component| usize::from(component) >= size) {
            return Err(error(
                span,
                match size {
                    1 => "There is only one component, x".to_owned(),
                    _ => format!("There are only {size} components"),
                },
            ));
        }
        Ok(match node {
            Node::Register { place, .. } => {
                let count = components.len();
                (Node::Register { place, components }, Kind::Numbers(count))
            }
            Node::Flags { register, .. } => {
                let count = components.len();
                (Node::Flags { register, components }, Kind::Flags(count))
            }
            other => {
                let count = components.len();
                (Node::Swizzled(other.into(), components), Kind::Numbers(count))
            }
        })
    }

    /// Parses an optional swizzle: `.x` to `.wzyx`, or with the letters of colours.
    fn swizzle(&mut self) -> Result<Option<Vec<u8>>, ExpressionError> {
        let Some(behind) = self.rest().strip_prefix('.') else { return Ok(None) };
        let letters: Vec<u8> = behind.bytes().take_while(|&byte| is_word_byte(byte)).collect();
        let span = Span::new(self.at, self.at + 1 + letters.len());
        let component = |letter: &u8| {
            [b"xyzw", b"rgba"].iter().find_map(|names| names.iter().position(|name| name == letter))
        };
        let components: Option<Vec<u8>> =
            letters.iter().map(|letter| component(letter).map(|component| component as u8)).collect();
        match components.filter(|components| (1..=4).contains(&components.len())) {
            Some(components) => {
                self.at = span.end;
                Ok(Some(components))
            }
            None => Err(error(span, "Expected one to four of x, y, z, w after the dot".to_owned())),
        }
    }

    fn primary(&mut self) -> Part {
        self.skip_space();
        let from = self.at;
        if let Some(place) = self.register() {
            return Ok(match place {
                Place::Flags(register) => {
                    (Node::Flags { register, components: vec![0, 1, 2, 3] }, Kind::Flags(4))
                }
                _ => (Node::Register { place, components: vec![0, 1, 2, 3] }, Kind::Numbers(4)),
            });
        }
        if self.sign(&[("(", ())]).is_some() {
            let part = self.deeper(Self::or)?;
            self.expect(")")?;
            return Ok(part);
        }
        if self.sign(&[("|", ())]).is_some() {
            let part = self.deeper(Self::sum)?;
            let (node, size) = self.numbers(part, from)?;
            self.expect("|")?;
            return Ok((Node::Call(Function::Absolute, node.into()), Kind::Numbers(size)));
        }
        if self.sign(&[("{", ())]).is_some() {
            return self.vector(from);
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number();
        }
        self.called(from)
    }

    /// Consumes the name of a register if it comes next.
    fn register(&mut self) -> Option<Place> {
        let fits = |name: &str| {
            let behind = self.rest().strip_prefix(name)?;
            let ends_in_word = name.bytes().last().is_some_and(is_word_byte);
            (!ends_in_word || !behind.bytes().next().is_some_and(is_word_byte)).then_some(name.len())
        };
        let (length, place) = self.names.iter().find_map(|(name, place)| Some((fits(name)?, *place)))?;
        self.at += length;
        // The swizzle that follows says which components are read.
        let here = self.at;
        let components = self.swizzle().ok().flatten().unwrap_or_else(|| vec![0, 1, 2, 3]);
        self.at = here;
        *self.reads.entry(place).or_default() |= components.iter().fold(0, |bits, c| bits | 1 << c);
        Some(place)
    }

    fn number(&mut self) -> Part {
        let rest = self.rest();
        let (length, number) = if rest.starts_with("0x") || rest.starts_with("0X") {
            let digits = rest[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let value = i128::from_str_radix(&rest[2..2 + digits], 16).ok();
            (2 + digits, value.map(Number::Integer))
        } else {
            let bytes = rest.as_bytes();
            let is_part = |(place, byte): &(usize, &u8)| {
                let exponent = *place > 0 && matches!(bytes[place - 1], b'e' | b'E');
                byte.is_ascii_digit()
                    || **byte == b'.'
                    || matches!(byte, b'e' | b'E')
                    || exponent && matches!(byte, b'+' | b'-')
            };
            let length = bytes.iter().enumerate().take_while(is_part).count();
            let word = &rest[..length];
            let whole = word.parse().ok().map(Number::Integer);
            (length, whole.or_else(|| word.parse().ok().map(Number::Float)))
        };
        let span = Span::new(self.at, self.at + length);
        let ends = !self.text.as_bytes().get(span.end).copied().is_some_and(is_word_byte);
        match number.filter(|_| ends) {
            Some(number) => {
                self.at = span.end;
                Ok((Node::Constant(vec![number]), Kind::Numbers(1)))
            }
            None => Err(error(Span::new(span.start, self.token_end()), "This is not a number".to_owned())),
        }
    }

    /// Parses the rest of `{x, y, z, w}` after the opening brace.
    fn vector(&mut self, from: usize) -> Part {
        let mut numbers = Vec::new();
        loop {
            let place = self.at;
            let negative = self.sign(&[("-", true), ("+", false)]).unwrap_or(false);
            self.skip_space();
            let (Node::Constant(value), _) = self.number()? else {
                return Err(error(Span::new(place, self.at), "Expected a number".to_owned()));
            };
            numbers.extend(value.into_iter().map(|value| if negative { value.negated() } else { value }));
            if self.sign(&[(",", ())]).is_none() {
                break;
            }
        }
        self.expect("}")?;
        match numbers.len() {
            size @ 1..=4 => Ok((Node::Constant(numbers), Kind::Numbers(size))),
            _ => Err(error(Span::new(from, self.at), "A vector has at most four components".to_owned())),
        }
    }

    /// Parses a function call, or `step`.
    fn called(&mut self, from: usize) -> Part {
        let functions = [
            ("abs", Function::Absolute),
            ("floor", Function::Floor),
            ("sqrt", Function::SquareRoot),
            ("length", Function::Length),
            ("int", Function::Signed),
            ("uint", Function::Unsigned),
            ("float", Function::Float),
        ];
        if let Some(function) = self.word(&functions) {
            let (part, size) = self.argument()?;
            self.expect(")")?;
            let is_register = matches!(part, Node::Register { .. });
            let reads_bits = matches!(function, Function::Signed | Function::Unsigned | Function::Float);
            if reads_bits && !is_register {
                let message = "int, uint and float take a register".to_owned();
                return Err(error(Span::new(from, self.at), message));
            }
            let size = if function == Function::Length { 1 } else { size };
            return Ok((Node::Call(function, part.into()), Kind::Numbers(size)));
        }
        let pairs = [("min", Some(Arithmetic::Min)), ("max", Some(Arithmetic::Max)), ("dot", None)];
        if let Some(arithmetic) = self.word(&pairs) {
            let (left, a) = self.argument()?;
            self.expect(",")?;
            let part = self.deeper(Self::sum)?;
            let (right, b) = self.numbers(part, from)?;
            self.expect(")")?;
            let (left, right, size) =
                self.matched((left, Kind::Numbers(a)), (right, Kind::Numbers(b)), from)?;
            return Ok(match arithmetic {
                Some(arithmetic) => {
                    (Node::Arithmetic(arithmetic, left.into(), right.into()), Kind::Numbers(size))
                }
                None => (Node::Dot(left.into(), right.into()), Kind::Numbers(1)),
            });
        }
        if self.word(&[("any", ())]).is_some() {
            self.expect("(")?;
            let part = self.deeper(Self::or)?;
            let node = self.truth(part, from)?;
            self.expect(")")?;
            return Ok((Node::Any(node.into()), Kind::Truth));
        }
        if self.word(&[("step", ())]).is_some() {
            return Ok((Node::Position, Kind::Numbers(1)));
        }
        let span = Span::new(self.at, self.token_end());
        let word = self.text.get(span.start..span.end).unwrap_or_default();
        if word.bytes().next().is_some_and(is_word_byte) {
            let known =
                self.names.iter().filter(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(name, _)| name);
            let hint = known.map(|name| format!("; use {name}")).next().unwrap_or_default();
            return Err(error(span, format!("\"{word}\" is not a register of this program{hint}")));
        }
        Err(self.unexpected("a register, a number or a function"))
    }

    /// Parses the opening bracket and first argument of a function.
    fn argument(&mut self) -> Result<(Node, usize), ExpressionError> {
        self.expect("(")?;
        let from = self.at;
        let part = self.deeper(Self::sum)?;
        self.numbers(part, from)
    }
}
