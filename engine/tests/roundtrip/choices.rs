//! Choices for random programs of any language.

use shadestep_engine::ir::Condition;

/// The numbers that determine a random program. A shorter list gives a simpler program.
pub struct Choices {
    list: Vec<u32>,
    next: usize,
}

impl Choices {
    pub fn new(list: Vec<u32>) -> Self {
        Self { list, next: 0 }
    }

    /// Returns true once the list is used up. Further choices are all 0.
    pub fn are_spent(&self) -> bool {
        self.next >= self.list.len()
    }

    /// Returns a number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let choice = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice as usize % count
    }

    pub fn of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    /// Returns a number as a program may spell it.
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

/// Returns a condition test without parentheses.
pub fn test(choices: &mut Choices) -> String {
    format!("{}{}", choices.of(Condition::OF_NUMBERS).name(), swizzle(choices))
}

/// Returns a write mask of the components in `bits`, or nothing half of the time.
pub fn mask(choices: &mut Choices, bits: usize) -> String {
    let letters: String = (0..4).filter(|i| bits >> i & 1 != 0).map(|i| COMPONENTS[i]).collect();
    if choices.below(2) == 0 { String::new() } else { format!(".{letters}") }
}
