//! Checks the tables of special cases against the formulas of their pages. The formulas are evaluated here as
//! written.

use super::*;
use shadestep_language::isa::formula;

/// Evaluates a formula over fp32 numbers. `None` for words without such a value.
struct Reader<'f> {
    rest: &'f str,
    operands: &'f [f32],
}

/// `value` with denormals flushed to zero.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

/// The lesser or greater of two numbers; NaN if either is NaN.
fn chosen(a: f32, b: f32, takes_a: bool) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if takes_a {
        a
    } else {
        b
    }
}

impl<'f> Reader<'f> {
    fn value(expression: &'f str, operands: &'f [f32]) -> Option<f32> {
        let mut reader = Reader { rest: expression, operands };
        let value = reader.choice()?;
        reader.rest.trim().is_empty().then_some(value)
    }

    fn takes(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.trim_start().strip_prefix(text) else { return false };
        self.rest = rest;
        true
    }

    fn choice(&mut self) -> Option<f32> {
        let condition = self.comparison()?;
        if !self.takes("?") {
            return Some(condition);
        }
        let yes = self.choice()?;
        self.takes(":").then_some(())?;
        let no = self.choice()?;
        Some(if condition == 1.0 { yes } else { no })
    }

    fn comparison(&mut self) -> Option<f32> {
        let a = self.sum()?;
        for (sign, holds) in [
            (">=", (|a, b| a >= b) as fn(f32, f32) -> bool),
            ("<=", |a, b| a <= b),
            ("==", |a, b| a == b),
            ("!=", |a, b| a != b),
            (">", |a, b| a > b),
            ("<", |a, b| a < b),
        ] {
            if self.takes(sign) {
                let b = self.sum()?;
                return Some(f32::from(u8::from(holds(a, b))));
            }
        }
        Some(a)
    }

    fn sum(&mut self) -> Option<f32> {
        let mut value = self.product()?;
        loop {
            value = if self.takes("+") {
                flushed(value + self.product()?)
            } else if self.takes("-") {
                flushed(value - self.product()?)
            } else {
                return Some(value);
            };
        }
    }

    fn product(&mut self) -> Option<f32> {
        let mut value = self.sign()?;
        loop {
            value = if self.takes("*") {
                flushed(value * self.sign()?)
            } else if self.takes("/") {
                flushed(value / self.sign()?)
            } else {
                return Some(value);
            };
        }
    }

    fn sign(&mut self) -> Option<f32> {
        if self.takes("-") {
            return Some(-self.sign()?);
        }
        let base = self.atom()?;
        if self.takes("^") { Some(flushed(base.powf(self.sign()?))) } else { Some(base) }
    }

    fn bars(&mut self) -> Option<f32> {
        let value = self.choice()?;
        self.takes("|").then_some(value.abs())
    }

    fn atom(&mut self) -> Option<f32> {
        if self.takes("(") {
            let value = self.choice()?;
            return self.takes(")").then_some(value);
        }
        if self.takes("|") {
            return self.bars();
        }
        let rest = self.rest.trim_start();
        let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
        let length = rest.find(|letter: char| !is_digit(letter)).unwrap_or(rest.len());
        if length > 0 {
            self.rest = &rest[length..];
            return rest[..length].parse().ok();
        }
        let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        self.rest = behind;
        if let Some(place) = ["a", "b", "c"].iter().position(|name| *name == word) {
            // All components of an operand are equal, so the letter does not matter.
            if let Some(behind) = behind.strip_prefix('.') {
                self.rest = behind.strip_prefix(['x', 'y', 'z', 'w'])?;
            }
            return self.operands.get(place).copied();
        }
        match word {
            "TRUE" => return Some(1.0),
            "FALSE" => return Some(0.0),
            "log2" if self.takes("|") => return Some(self.bars()?.log2()),
            _ => {}
        }
        self.takes("(").then_some(())?;
        let mut arguments = vec![self.choice()?];
        while self.takes(",") {
            arguments.push(self.choice()?);
        }
        self.takes(")").then_some(())?;
        function(word, &arguments)
    }
}

fn function(name: &str, arguments: &[f32]) -> Option<f32> {
    Some(match (name, arguments) {
        ("floor", [a]) => a.floor(),
        ("ceil", [a]) => a.ceil(),
        ("trunc", [a]) => a.trunc(),
        ("round", [a]) => a.round_ties_even(),
        ("sqrt", [a]) => a.sqrt(),
        ("log2", [a]) => a.log2(),
        // The specifications require no accuracy far from 0.
        ("sin" | "cos", [a]) if a.abs() > 1e6 => return None,
        ("sin", [a]) => a.sin(),
        ("cos", [a]) => a.cos(),
        ("sign", [a]) => a.signum(),
        ("max", [a, b]) => chosen(*a, *b, a > b),
        ("min", [a, b]) => chosen(*a, *b, a < b),
        ("clamp", [a, low, high]) => chosen(chosen(*a, *low, a > low), *high, a < high),
        _ => return None,
    })
}

/// Whether two numbers are equal within the precision of approximations.
fn are_close(a: f32, b: f32) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-4 * b.abs().max(1.0)
}

/// The numbers of a result: those in parentheses, or the one number that all components have.
fn numbers(result: &str, count: usize) -> Option<Vec<f32>> {
    let each: Option<Vec<f32>> =
        result.trim_matches(['(', ')']).split(", ").map(|number| number.parse().ok()).collect();
    let each = each?;
    if each.len() == 1 { Some(vec![each[0]; count]) } else { (each.len() == count).then_some(each) }
}

#[test]
fn special_cases_are_what_formulas_give() {
    let (mut faults, mut compared) = (Vec::new(), 0);
    for language in Language::ALL {
        for info in instructions(language) {
            let formula = info.formula_in(language);
            // SWZ selects its components with words of its own. In floats `^` is a power.
            if [Opcode::Swz, Opcode::Xor].contains(&info.opcode) {
                continue;
            }
            let expressions: Vec<&str> = (0..4).filter_map(|c| formula::component(formula, c)).collect();
            // A formula's remarks about NaN are words, so they are not evaluated.
            let excepts_nan = formula::explanations(formula).any(|words| words.contains("NaN"));
            for case in special_cases(&example(info, language).unwrap()) {
                let operands: Vec<f32> =
                    case.operands.iter().map(|text| flushed(text.parse().unwrap_or(f32::NAN))).collect();
                if excepts_nan && operands.iter().any(|operand| operand.is_nan()) {
                    continue;
                }
                let given: Option<Vec<f32>> =
                    expressions.iter().map(|expression| Reader::value(expression, &operands)).collect();
                let Some(given) = given.filter(|given| !given.is_empty()) else { continue };
                let shown = numbers(&case.result, given.len());
                let agree =
                    shown.is_some_and(|shown| shown.iter().zip(&given).all(|(a, b)| are_close(*a, *b)));
                if !agree {
                    let (name, language) = (info.mnemonic, language.name());
                    faults.push(format!("{name} in {language}: {case:?}, and {formula} gives {given:?}"));
                }
                compared += 1;
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(compared > 2000, "{compared}");
}

/// If a row is undefined in the specification, its page says so. If the page says undefined, a row is.
#[test]
fn what_is_undefined_is_said_in_words() {
    for language in Language::ALL {
        for info in instructions(language) {
            let cases = special_cases(&example(info, language).unwrap());
            let is_undefined =
                |case: &SpecialCase| case.why.as_ref().is_some_and(|why| why.contains("undefined"));
            let prose = info.prose_in(language);
            let name = format!("{} in {}: {cases:?}", info.mnemonic, language.name());
            if cases.iter().any(is_undefined) {
                assert!(prose.contains("undefined"), "{name}");
            }
            if ["operands undefined", "angles undefined", "undefined for integers"]
                .iter()
                .any(|end| prose.contains(end))
            {
                assert!(cases.iter().any(is_undefined), "{name}");
            }
        }
    }
}

#[test]
fn addresses_saturate_at_the_ends_of_their_integers() {
    let result = |opcode: Opcode, language: Language, operand: &str| {
        let cases = special_cases(&example(opcode.info(), language).unwrap());
        cases.into_iter().find(|case| case.operands == [operand]).map(|case| case.result)
    };
    // ARB_vertex_program 2.14.5.3 and NV_vertex_program2_option 2.14.5.29 load integers; NV_vertex_program2
    // 2.14.1.3 has 10 bits.
    for (language, opcode, least, greatest) in [
        (Language::ArbVp1, Opcode::Arl, "-2147483648", "2147483647"),
        (Language::ArbVp1Nv2, Opcode::Arl, "-2147483648", "2147483647"),
        (Language::ArbVp1Nv2, Opcode::Arr, "-2147483648", "2147483647"),
        (Language::ArbVp1Nv3, Opcode::Arl, "-2147483648", "2147483647"),
        (Language::ArbVp1Nv3, Opcode::Arr, "-2147483648", "2147483647"),
        (Language::Vp2, Opcode::Arl, "-512", "511"),
        (Language::Vp2, Opcode::Arr, "-512", "511"),
    ] {
        assert_eq!(result(opcode, language, "-inf").as_deref(), Some(least), "{}", language.name());
        assert_eq!(result(opcode, language, "inf").as_deref(), Some(greatest), "{}", language.name());
        assert_eq!(result(opcode, language, "3e38").as_deref(), Some(greatest), "{}", language.name());
    }
}
