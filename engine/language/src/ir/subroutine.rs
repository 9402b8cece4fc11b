//! Subroutines of CALI: their numbers and types, and the variables that the application sets
//! (ARB_shader_subroutine, "Dependencies on NV_gpu_program5").
//!
//! The types are plain data. Only [`Subroutines::called`] resolves a call, so that both executors and the
//! object model agree.

/// A label with a number, `name SUBROUTINENUM(number):`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subroutine {
    /// Index into [`super::Program::labels`].
    pub label: usize,
    /// The SUBROUTINENUM, unique in the program.
    pub number: u16,
}

/// A subroutine type: the members of all SUBROUTINETYPE statements with one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubroutineType {
    pub name: String,
    /// Indices into [`Subroutines::list`], in the order of the statements, without duplicates.
    pub members: Vec<usize>,
}

/// A subroutine variable, declared by a SUBROUTINE statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubroutineVariable {
    pub name: String,
    /// Index into [`Subroutines::types`].
    pub ty: usize,
    /// The program subroutine parameter of each element. A variable that is not an array has one.
    pub parameters: Vec<u16>,
    /// Whether references have an index.
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
    /// The number of program subroutine parameters: one more than the highest number that a variable is bound
    /// to, or 0 without variables.
    pub fn parameters(&self) -> usize {
        let numbers = self.variables.iter().flat_map(|variable| &variable.parameters);
        numbers.max().map_or(0, |&highest| usize::from(highest) + 1)
    }

    /// The type of the variables that are bound to `parameter`, if there are any.
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

    /// Whether `parameter` can have the value `number`. A parameter without bound variables accepts every
    /// value.
    pub fn fits(&self, parameter: usize, number: u32) -> bool {
        self.type_of(parameter).is_none_or(|ty| self.member(ty, number).is_some())
    }

    /// The initial value of `parameter`: the number of the first subroutine of its type, or 0.
    pub fn default_of(&self, parameter: usize) -> u32 {
        let first = self.type_of(parameter).and_then(|ty| ty.members.first());
        first.and_then(|&first| self.list.get(first)).map_or(0, |subroutine| subroutine.number.into())
    }

    /// The initial values of all parameters.
    pub fn defaults(&self) -> Vec<u32> {
        (0..self.parameters()).map(|parameter| self.default_of(parameter)).collect()
    }

    /// The order in which lanes run the subroutines that one CALI calls: the lowest SUBROUTINENUM first,
    /// independent of the order in the text. `index` is an index into [`Self::list`].
    pub fn rank(&self, index: usize) -> u32 {
        self.list.get(index).map_or(0, |subroutine| subroutine.number.into())
    }

    /// The subroutine that element `index` of `variable` calls, as an index into [`Self::list`]. `chosen` has
    /// the values of the parameters. A missing value, or a value without a subroutine of the type, counts as
    /// the default. An index outside the array calls nothing.
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

    /// The example of the specification: Hero is superman (2), wolverine (3), batman (0), robin (1);
    /// GothamHero is the last two.
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
        // The example's own choice: parameter 0 is superman.
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
        // superman is not a GothamHero.
        assert_eq!(heroes.called(1, 0, &[0, 0, 0, 0, 2]), Some(0));
        assert!(heroes.fits(0, 3) && !heroes.fits(0, 4) && !heroes.fits(4, 2) && heroes.fits(1, 99));
    }
}
