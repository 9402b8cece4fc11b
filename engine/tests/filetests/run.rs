//! Runs functions on back ends.

use super::format::{Run, TestFunction};
use super::values::{Place, at, shown};
use shadestep_core::exec::back_end::{Arguments, BackEnd, Constant, MaskRegister};
use shadestep_core::exec::interpreter::Interpreter;
use shadestep_core::exec::lir::{
    DemandedBits, Denorms, Function, Masks, Module, Needs, Node, OptionalOperation, Target,
};
use shadestep_core::exec::{LANES, LaneRegister, back_ends};

/// The lane registers that a function reads and writes.
#[derive(Clone, Debug)]
pub struct Lanes {
    pub registers: Vec<LaneRegister>,
    pub inputs: Vec<LaneRegister>,
    pub outputs: Vec<LaneRegister>,
    /// Lanes of the masks that the function stores as bits.
    pub masks: Vec<(u16, u64)>,
}

impl Lanes {
    /// Enough lane registers for `function` and `run`. The bits of all are different and mean nothing.
    fn new(function: &Function, run: &Run) -> Self {
        let mut counts = [0; 3];
        let mut have = |which: usize, number: u16| {
            counts[which] = counts[which].max(usize::from(number) + 1);
        };
        for node in &function.nodes {
            match *node {
                Node::Register(number) | Node::Uniform(number) => have(0, number),
                Node::Input(number) => have(1, number),
                _ => {}
            }
        }
        for &(target, _) in &function.stores {
            match target {
                Target::Register(number) | Target::Bits(number) => have(0, number),
                Target::Output(number) => have(2, number),
                Target::Again => {}
            }
        }
        let places = run.given.iter().map(|&(place, _)| place);
        for place in places.chain(run.expected.iter().map(|&(place, _)| place)) {
            match place {
                Place::Register(number) | Place::Bits(number) => have(0, number),
                Place::Input(number) => have(1, number),
                Place::Output(number) => have(2, number),
            }
        }
        let junk = |which: usize| {
            let value = |number: usize, lane: usize| {
                f32::from_bits(0x4B00_0000 | (which << 16 | number << 6 | lane) as u32)
            };
            (0..counts[which])
                .map(|number| LaneRegister(std::array::from_fn(|lane| value(number, lane))))
                .collect()
        };
        Self { registers: junk(0), inputs: junk(1), outputs: junk(2), masks: Vec::new() }
    }

    fn of(&mut self, place: Place) -> &mut LaneRegister {
        match place {
            Place::Register(number) | Place::Bits(number) => &mut self.registers[usize::from(number)],
            Place::Input(number) => &mut self.inputs[usize::from(number)],
            Place::Output(number) => &mut self.outputs[usize::from(number)],
        }
    }

    /// The bits of a lane.
    fn bits(&mut self, place: Place, lane: usize) -> u32 {
        let mask = self.masks.iter().find(|&&(number, _)| place == Place::Bits(number));
        match mask {
            Some((_, mask)) => (mask >> lane & 1) as u32,
            None => self.of(place).0[lane].to_bits(),
        }
    }
}

/// The lane registers after `function` has run on `back_end`.
///
/// # Errors
/// The back end cannot compile the function.
pub fn execute(back_end: &dyn BackEnd, function: &Function, before: &Lanes) -> Result<Lanes, String> {
    let mut after = before.clone();
    let mut seen = DemandedBits::default();
    let first_own = after.registers.len() as u16;
    seen.all(0..first_own);
    let module = Module { functions: vec![function.clone()], first_own, seen };
    let compiled = back_end.compile(&module).map_err(|error| error.to_string())?;
    let constants: Vec<f32> = (compiled.constants.iter())
        .map(|constant| match *constant {
            Constant::Bits(bits) => f32::from_bits(bits),
            Constant::Uniform(number) => before.registers[usize::from(number)].0[0],
        })
        .collect();
    after.registers.resize(usize::from(first_own + compiled.own_registers), LaneRegister::ZERO);
    compiled.functions[0].call(Arguments {
        registers: &mut after.registers,
        constants: &constants,
        inputs: &after.inputs,
        outputs: &mut after.outputs,
    });
    after.masks = (function.stores.iter())
        .filter_map(|&(target, _)| match target {
            Target::Bits(register) => {
                let mask = MaskRegister { register, lanes: back_end.mask_lanes() };
                Some((register, mask.read(&after.registers)))
            }
            _ => None,
        })
        .collect();
    after.registers.truncate(usize::from(first_own));
    Ok(after)
}

/// The lane registers before a run.
fn before(function: &Function, run: &Run) -> Lanes {
    let mut lanes = Lanes::new(function, run);
    for (place, list) in &run.given {
        let register = lanes.of(*place);
        register.0 = std::array::from_fn(|lane| f32::from_bits(at(list, lane)));
    }
    lanes
}

/// The places that a function stores to.
fn stored(function: &Function) -> Vec<Place> {
    let place = |&(target, _): &(Target, _)| match target {
        Target::Register(number) => Some(Place::Register(number)),
        Target::Output(number) => Some(Place::Output(number)),
        Target::Bits(number) => Some(Place::Bits(number)),
        Target::Again => None,
    };
    function.stores.iter().filter_map(place).collect()
}

/// Checks all runs of a function on `back_end`.
///
/// # Errors
/// A lane has another value, or the file says nothing about a stored value.
pub fn check_runs(back_end: &dyn BackEnd, function: &TestFunction) -> Result<(), String> {
    let lir = &function.parsed.code;
    if function.runs.is_empty() {
        return Err(format!("%{}: write expected values", function.parsed.name));
    }
    for run in &function.runs {
        let mut before = before(lir, run);
        let mut after = execute(back_end, lir, &before)?;
        let fail = |message: String| Err(format!("%{}: {message}", function.parsed.name));
        for place in stored(lir) {
            if !run.expected.iter().any(|&(expected, _)| expected == place) {
                return fail(format!("write an expected value for {place}"));
            }
        }
        for (place, list) in &run.expected {
            for lane in 0..LANES {
                let (expected, found) = (at(list, lane), after.bits(*place, lane));
                if !expected.accepts(found) {
                    let given = given(run, lane);
                    return fail(format!(
                        "{place}, lane {lane}: expected {expected}, found {}{given}",
                        shown(found)
                    ));
                }
            }
        }
        // No other lane register changes.
        let stored = stored(lir);
        let is_stored = |number: u16, places: [fn(u16) -> Place; 2]| {
            places.iter().any(|place| stored.contains(&place(number)))
        };
        for number in 0..before.registers.len() as u16 {
            let place = Place::Register(number);
            if !is_stored(number, [Place::Register, Place::Bits])
                && !are_equal(&mut before, &mut after, place)
            {
                return fail(format!("{place} changes, but the function does not store to it"));
            }
        }
        for number in 0..before.outputs.len() as u16 {
            let place = Place::Output(number);
            if !is_stored(number, [Place::Output; 2]) && !are_equal(&mut before, &mut after, place) {
                return fail(format!("{place} changes, but the function does not store to it"));
            }
        }
    }
    Ok(())
}

fn are_equal(a: &mut Lanes, b: &mut Lanes, place: Place) -> bool {
    (0..LANES).all(|lane| a.bits(place, lane) == b.bits(place, lane))
}

/// The given values of a lane.
fn given(run: &Run, lane: usize) -> String {
    run.given.iter().map(|(place, list)| format!("\n    {place} = {}", shown(at(list, lane)))).collect()
}

/// Compares a function on every other back end with the interpreter, for random values in all lane registers.
///
/// # Errors
/// A lane has another value.
pub fn compare(function: &Function, mut value: impl FnMut() -> u32) -> Result<(), String> {
    let mut before = before(function, &Run::default());
    let registers = before.registers.iter_mut().chain(&mut before.inputs);
    registers.for_each(|register| register.0 = std::array::from_fn(|_| f32::from_bits(value())));
    for node in &function.nodes {
        if let Node::Uniform(number) = *node {
            let register = &mut before.registers[usize::from(number)];
            *register = LaneRegister([register.0[0]; LANES]);
        }
    }
    let mut expected = execute(back_ends::fallback(), function, &before)?;
    for (name, back_end) in others() {
        let mut found = execute(back_end, function, &before)?;
        for place in stored(function) {
            for lane in 0..LANES {
                let [expected, found] = [&mut expected, &mut found].map(|lanes| lanes.bits(place, lane));
                if expected != found {
                    let given: Vec<String> = (before.registers.iter().enumerate())
                        .map(|(number, register)| (number, register.0[lane].to_bits()))
                        .map(|(number, bits)| format!("\n    register {number} = {}", shown(bits)))
                        .collect();
                    return Err(format!(
                        "{name}: {place}, lane {lane}: expected {}, found {}{}",
                        shown(expected),
                        shown(found),
                        given.concat()
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Every way to run functions, except the interpreter on functions as they are: the other back ends of this
/// processor, and the interpreter on functions in the forms that back ends may need.
pub fn others() -> impl Iterator<Item = (String, &'static dyn BackEnd)> {
    const fn form(masks: Masks, legal: &'static [OptionalOperation]) -> Interpreter {
        Interpreter::new(Needs { denorms: Some(Denorms::Kept), masks, legal })
    }
    const ALL: &[OptionalOperation] = &OptionalOperation::ALL;
    static FORMS: [(&str, Interpreter); 4] = [
        ("masks of their own, all operations", form(Masks::Own, ALL)),
        ("masks of their own, no optional operations", form(Masks::Own, &[])),
        ("masks in vectors, all operations", form(Masks::Vectors, ALL)),
        ("masks in vectors, no optional operations", form(Masks::Vectors, &[])),
    ];
    let forms = FORMS.iter().map(|(name, form)| ((*name).to_owned(), form as &dyn BackEnd));
    let interpreter = back_ends::fallback().name();
    let back_ends = back_ends::compared().filter(move |back_end| back_end.name() != interpreter);
    forms.chain(back_ends.map(|back_end| (back_end.name().to_owned(), back_end)))
}
