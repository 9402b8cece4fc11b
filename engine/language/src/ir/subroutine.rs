//! Subroutines that CALI calls: their numbers and types, and the variables that the application sets (ARB_shader_subroutine,
//! "Dependencies on NV_gpu_program5"). Everything is plain data; what a variable calls is answered here alone, so that both
//! executors and the object model agree.

/// A label that has a number, `name SUBROUTINENUM(number):`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subroutine {
    /// Index into [`super::Program::labels`].
    pub label: usize,
    /// Its SUBROUTINENUM, which no other has.
    pub number: u16,
}

/// What SUBROUTINETYPE statements of one name say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubroutineType {
    /// As declared.
    pub name: String,
    /// Indices into [`Subroutines::list`], in the order of the statements, each once.
    pub members: Vec<usize>,
}

/// What a SUBROUTINE statement declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubroutineVariable {
    /// As declared.
    pub name: String,
    /// Index into [`Subroutines::types`].
    pub ty: usize,
    /// The program subroutine parameter of each element; of a variable that is no array, of the only one.
    pub parameters: Vec<u16>,
    /// Whether an index chooses one of them.
    pub is_array: bool,
}

/// The subroutines of a program that can be called indirectly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subroutines {
    /// Numbered labels, in the order of the text.
    pub list: Vec<Subroutine>,
    /// The types, in the order of the text.
    pub types: Vec<SubroutineType>,
    /// The variables, in the order of the text.
    pub variables: Vec<SubroutineVariable>,
}

impl Subroutines {
    /// How many program subroutine parameters the program has: one plus the highest number that a variable is bound to,
    /// and 0 without variables.
    pub fn parameters(&self) -> usize {
        let numbers = self.variables.iter().flat_map(|variable| &variable.parameters);
        numbers.max().map_or(0, |&highest| usize::from(highest) + 1)
    }

    /// The type of the variables that are bound to `parameter`; nothing where there are none.
    pub fn type_of(&self, parameter: usize) -> Option<&SubroutineType> {
        let bound = |variable: &&SubroutineVariable| {
            variable.parameters.iter().any(|&number| usize::from(number) == parameter)
        };
        self.types.get(self.variables.iter().find(bound)?.ty)
    }

    /// The subroutine of `ty` with this SUBROUTINENUM.
    fn member(&self, ty: &SubroutineType, number: u32) -> Option<usize> {
        let has = |&index: &usize| self.list.get(index).is_some_and(|s| u32::from(s.number) == number);
        ty.members.iter().copied().find(has)
    }

    /// Whether `parameter` can have the value `number`. Anything fits where no variable is bound to it.
    pub fn fits(&self, parameter: usize, number: u32) -> bool {
        self.type_of(parameter).is_none_or(|ty| self.member(ty, number).is_some())
    }

    /// The value that `parameter` has until it is set: the number of the first subroutine of its type, or 0.
    pub fn default_of(&self, parameter: usize) -> u32 {
        let first = self.type_of(parameter).and_then(|ty| ty.members.first());
        first.and_then(|&first| self.list.get(first)).map_or(0, |subroutine| subroutine.number.into())
    }

    /// The same of all parameters that there are.
    pub fn defaults(&self) -> Vec<u32> {
        (0..self.parameters()).map(|parameter| self.default_of(parameter)).collect()
    }

    /// The order in which lanes run the subroutines that one CALI has called: lowest SUBROUTINENUM first, whatever the
    /// order in the text. Subroutine `index` is one of [`Self::list`].
    pub fn rank(&self, index: usize) -> u32 {
        self.list.get(index).map_or(0, |subroutine| subroutine.number.into())
    }

    /// The subroutine, as an index into [`Self::list`], that element `index` of `variable` calls where parameters have the
    /// values `chosen`. A value that is missing or fits no subroutine of the type counts as the default. Nothing is called
    /// outside an array.
    pub fn called(&self, variable: usize, index: i64, chosen: &[u32]) -> Option<usize> {
        let variable = self.variables.get(variable)?;
        let parameter = usize::from(*variable.parameters.get(usize::try_from(index).ok()?)?);
        let ty = self.types.get(variable.ty)?;
        let set = chosen.get(parameter).and_then(|&number| self.member(ty, number));
        set.or_else(|| ty.members.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the text's example: Hero is superman (2), wolverine (3), batman (0), robin (1); GothamHero is the last two.
    fn heroes() -> Subroutines {
        let list = [0, 1, 2, 3].map(|n| Subroutine { label: n, number: n as u16 }).to_vec();
        let ty = |name: &str, members: &[usize]| SubroutineType {
            name: name.to_owned(),
            members: members.to_vec(),
        };
        let variable = |name: &str, ty, parameters: &[u16]| SubroutineVariable {
            name: name.to_owned(),
            ty,
            parameters: parameters.to_vec(),
            is_array: parameters.len() > 1,
        };
        Subroutines {
            list,
            types: vec![ty("Hero", &[2, 3, 0, 1]), ty("GothamHero", &[0, 1])],
            variables: vec![variable("any", 0, &[0]), variable("gotham", 1, &[4, 2])],
        }
    }

    #[test]
    fn variables_call_what_is_chosen() {
        let heroes = heroes();
        assert_eq!(heroes.parameters(), 5);
        // The text's own choice: parameter 0 is superman.
        assert_eq!(heroes.called(0, 0, &[2]), Some(2));
        assert_eq!(heroes.called(1, 0, &[2, 0, 0, 0, 1]), Some(1));
        assert_eq!(heroes.called(1, 1, &[2, 0, 0, 0, 1]), Some(0));
        assert_eq!([-1, 2, i64::MAX].map(|index| heroes.called(1, index, &[])), [None; 3]);
    }

    #[test]
    fn what_is_not_chosen_well_is_the_default() {
        let heroes = heroes();
        assert_eq!(heroes.defaults(), [2, 0, 0, 0, 0]);
        assert_eq!((heroes.called(0, 0, &[]), heroes.called(0, 0, &[7])), (Some(2), Some(2)));
        // superman is none of Gotham's.
        assert_eq!(heroes.called(1, 0, &[0, 0, 0, 0, 2]), Some(0));
        assert!(heroes.fits(0, 3) && !heroes.fits(0, 4) && !heroes.fits(4, 2) && heroes.fits(1, 99));
    }
}
