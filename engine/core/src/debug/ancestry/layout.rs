//! Numbers the locations that a lane can write: the components of its registers, and other state that acts
//! like a register.

use crate::debug::Register;
use crate::debug::expression::Place;
use shadestep_language::ir::{CcRegister, Indirect, OutputId, ParamId, Program, Target, TempId};
use shadestep_language::isa::Stage;

/// Index of a location.
pub(super) type Location = u32;

/// The locations of a lane of one program.
#[derive(Debug)]
pub(super) struct Layout {
    outputs: Location,
    parameters: Location,
    flags: Location,
    /// Whether the fragment is discarded.
    pub killed: Location,
    /// The output stream of the lane, as one value.
    pub emitted: Location,
    /// The address stack that CAL and PUSHA share.
    pub stack: Location,
    /// The addresses of all stores, of all lanes.
    pub memory: Location,
    /// The first location of the arrays that relative references write. Each array has one location for the
    /// addresses of its writes.
    arrays: Location,
    written: Vec<Indirect>,
    /// For each register, the arrays that contain it. The index is the register's location / 4.
    arrays_of: Vec<Vec<Location>>,
}

impl Layout {
    pub fn new(program: &Program) -> Self {
        let components = |registers: usize| 4 * registers as Location;
        let outputs = components(program.temporaries.len());
        let parameters = outputs + components(program.outputs.len());
        let written = if program.stage() == Stage::VertexState { program.parameters.len() } else { 0 };
        let flags = parameters + components(written);
        let killed = flags + components(CcRegister::ALL.len());
        let mut layout = Self {
            outputs,
            parameters,
            flags,
            killed,
            emitted: killed + 1,
            stack: killed + 2,
            memory: killed + 3,
            arrays: killed + 4,
            written: Vec::new(),
            arrays_of: vec![Vec::new(); flags as usize / 4],
        };
        for instruction in &program.instructions {
            if let Some(Target::Indirect(indirect)) = instruction.target()
                && !layout.written.iter().any(|other| is_same_array(other, &indirect))
            {
                let array = layout.arrays + layout.written.len() as Location;
                layout.written.push(indirect);
                for register in indirect.elements().filter_map(Register::of_element) {
                    let quarter = layout.register(register, 0) as usize / 4;
                    layout.arrays_of[quarter].push(array);
                }
            }
        }
        layout
    }

    /// Number of locations.
    pub fn len(&self) -> usize {
        self.arrays as usize + self.written.len()
    }

    /// Location of component `c` of a register.
    pub fn register(&self, register: Register, c: usize) -> Location {
        let (first, id) = match register {
            Register::Temp(TempId(id)) => (0, id),
            Register::Output(OutputId(id)) => (self.outputs, id),
            Register::Param(ParamId(id)) => (self.parameters, id),
        };
        first + 4 * Location::from(id) + c as Location
    }

    /// Location of component `c` of a condition code.
    pub fn flags(&self, register: CcRegister, c: usize) -> Location {
        self.flags + 4 * register.index() as Location + c as Location
    }

    /// Location of component `c` of `place`; `None` if lanes cannot write `place`.
    pub fn of_place(&self, place: Place, c: usize) -> Option<Location> {
        match place {
            Place::Temp(id) => Some(self.register(Register::Temp(id), c)),
            Place::Output(id) => Some(self.register(Register::Output(id), c)),
            Place::Param(id) if self.parameters < self.flags => Some(self.register(Register::Param(id), c)),
            Place::Flags(register) => Some(self.flags(register, c)),
            Place::Param(_) | Place::Attribute(_) => None,
        }
    }

    /// The register and component at a location; `None` if the location is not a register.
    pub fn place(&self, location: Location) -> Option<(Place, u8)> {
        let (c, number) = ((location % 4) as u8, |first: Location| ((location - first) / 4) as u16);
        let place = match location {
            _ if location < self.outputs => Place::Temp(TempId(number(0))),
            _ if location < self.parameters => Place::Output(OutputId(number(self.outputs))),
            _ if location < self.flags => Place::Param(ParamId(number(self.parameters))),
            _ if location < self.killed => Place::Flags(CcRegister::ALL[usize::from(number(self.flags))]),
            _ => return None,
        };
        Some((place, c))
    }

    /// The arrays that contain the register at `location`.
    pub fn arrays_of(&self, location: Location) -> &[Location] {
        self.arrays_of.get(location as usize / 4).map_or(&[], Vec::as_slice)
    }

    /// Whether a location belongs to an array.
    pub const fn is_array(&self, location: Location) -> bool {
        location >= self.arrays
    }

    /// The locations of the elements of an array.
    pub fn elements(&self, array: Location) -> impl Iterator<Item = Location> {
        let registers = (0..).step_by(4).zip(&self.arrays_of);
        let elements = registers.filter(move |(_, arrays)| arrays.contains(&array));
        elements.flat_map(|(first, _)| first..first + 4)
    }

    /// The location of the array that `indirect` writes to.
    pub fn array(&self, indirect: &Indirect) -> Option<Location> {
        let place = self.written.iter().position(|other| is_same_array(other, indirect))?;
        Some(self.arrays + place as Location)
    }
}

fn is_same_array(a: &Indirect, b: &Indirect) -> bool {
    let vertices = |indirect: &Indirect| indirect.vertex.map_or(1, |vertex| vertex.count);
    (a.first, a.count, vertices(a)) == (b.first, b.count, vertices(b))
}
