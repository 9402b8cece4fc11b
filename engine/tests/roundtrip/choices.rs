//! Choices for random programs of any language.

use shadestep_engine::ir::Condition;

/// Choices a random program is made from; a shorter list makes a simpler program.
pub struct Choices {
    list: Vec<u32>,
    next: usize,
}

impl Choices {
    pub fn new(list: Vec<u32>) -> Self {
        Self { list, next: 0 }
    }

    /// Whether all choices have been made.
    pub fn are_spent(&self) -> bool {
        self.next >= self.list.len()
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let choice = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice as usize % count
    }

    /// One of `options`.
    pub fn of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    /// A number as a program may write it.
    pub fn number(&mut self) -> String {
        let bits = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        let value = f32::from_bits(bits);
        match self.below(3) {
            0 if value.is_finite() => format!("{value:e}"),
            1 if value.is_finite() => format!("{value}"),
            _ => self.of(&["0", "-0", "1", "-1", "0.5", "1e39", "-1e39", "1e-44", "2"]).to_owned(),
        }
    }
}

pub const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

pub fn swizzle(choices: &mut Choices) -> String {
    match choices.below(3) {
        0 => String::new(),
        1 => format!(".{}", choices.of(&COMPONENTS)),
        _ => format!(".{}", (0..4).map(|_| choices.of(&COMPONENTS)).collect::<String>()),
    }
}

/// A condition test, without parentheses.
pub fn test(choices: &mut Choices) -> String {
    format!("{}{}", choices.of(Condition::OF_NUMBERS).name(), swizzle(choices))
}

/// A write mask, often none; `bits` has the components it may name.
pub fn mask(choices: &mut Choices, bits: usize) -> String {
    let letters: String = (0..4).filter(|i| bits >> i & 1 != 0).map(|i| COMPONENTS[i]).collect();
    if choices.below(2) == 0 { String::new() } else { format!(".{letters}") }
}
