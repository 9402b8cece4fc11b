//! Tests that expressions agree with steps and states. In every stage and at every step of a run, an
//! expression that names a register has the value, type and definedness that the step and the state show.

use super::{Component, Expression, Place, Values, register_names};
use crate::debug::{Cursor, Here, Recording, Register, State};
use crate::exec::{Bindings, PrimitiveInputs, QUAD, QuadInputs, VertexInputs};
use shadestep_language::ir::{Attribute, Components, Flags, Program, Source, Type, single_bits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const FRAGMENT: &[u8] = b"!!NVfp5.0
ATTRIB sets[] = { fragment.attrib[3..4] };
FLAT INT ATTRIB number = fragment.attrib[7];
OUTPUT given = result.color;
TEMP a;
INT TEMP n;
MOV.CC a, sets[0];
MOV.S n.x, number.x;
IF GT.x;
  ADD.CC1 a, a, 1;
ENDIF;
MOV given.xy, a;
MOV.S n.y, primitive.id.x;
END
";

const VERTEX: &[u8] = b"!!NVvp5.0
ATTRIB normal = vertex.attrib[2];
ATTRIB sets[] = { vertex.texcoord[0..1] };
LONG ATTRIB wide = vertex.attrib[5];
OUTPUT given = result.position;
OUTPUT list[] = { result.texcoord[0..2] };
PARAM scale = program.local[0];
TEMP a;
LONG TEMP b;
INT TEMP n;
MOV.F64 b, wide;
MOV.CC a, normal;
MUL a.x (GT.y), a, scale;
MOV.S n.x, vertex.id;
MOV list[1], sets[1];
MOV given, a;
CVT.F32.F64 list[2].xy, b;
END
";

const GEOMETRY: &[u8] = b"!!NVgp5.0
PRIMITIVE_IN LINES;
PRIMITIVE_OUT POINTS;
VERTICES_OUT 2;
ATTRIB places[] = { vertex.attrib[2..3] };
OUTPUT given = result.position;
OUTPUT list[] = { result.attrib[0..1] };
INT TEMP n;
TEMP a;
MOV.S n.x, 1;
MOV given, places[n.x][1];
MOV.S list[1].x, n;
EMIT;
MOV.CC a, vertex[0].position;
MOV given.xy (GT.x), a;
MOV list[0].zw, places[0][0];
EMIT;
END
";

const CONTROL: &[u8] = b"!!NVtcp5.0
VERTICES_OUT 3;
ATTRIB place = vertex.position;
ATTRIB other = vertex.out.position;
OUTPUT given = result.position;
TEMP a;
INT TEMP n;
MOV.S n.x, primitive.invocation.x;
MOV given, place[n.x];
MOV.S result.attrib[1].xy, n;
MOV a, vertex.out[1].position;
ADD a, a, other[n.x];
MOV result.patch.attrib[0].y, a.x;
MOV result.patch.tessouter[0].x, 2;
ADD a.z, a, primitive.out.patch.attrib[0].y;
MOV a.w, primitive.out.tessouter[0].x;
MOV.S n.y, vertex.out[2].attrib[1].x;
END
";

const EVALUATION: &[u8] = b"!!NVtep5.0
TESS_MODE TRIANGLES;
ATTRIB place = vertex.position;
OUTPUT given = result.position;
TEMP a;
MUL a, place[0], vertex.tesscoord.x;
MAD a, place[1], vertex.tesscoord.y, a;
MOV given, a;
MOV.S result.attrib[2].x, primitive.id.x;
END
";

/// Recorded invocations, with a function that gives the inputs of each.
struct Runs {
    recordings: Vec<Recording>,
    given: fn(Attribute, usize) -> Components,
}

fn loaded(text: &[u8]) -> (Arc<Program>, Arc<Bindings>) {
    let loaded = shadestep_language::front::load(text);
    let program = Arc::new(loaded.program.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
    let parameters = program.parameters.len();
    let mut bindings = Bindings::initial(&program);
    bindings.parameters.resize(parameters, [0; 4]);
    (program, Arc::new(bindings))
}

/// A different value for each component of each attribute in each lane.
fn numbered(attribute: Attribute, lane: usize) -> Components {
    let first = attribute.index() as f32 * 16.0 + lane as f32 * 4.0;
    let value = [0.25, 1.25, 2.25, 3.25].map(|c| first + c);
    if attribute.ty().is_integer() { [lane as u64 + 1, 0, 0, 0] } else { single_bits(value) }
}

/// The value of a vertex attribute register. LONG variables read 64 bits of it.
fn of_vertex(attribute: Attribute, _: usize) -> Components {
    let long = [0, 1, 2, 3].map(|c| f64::to_bits(attribute.index() as f64 + 0.25 * f64::from(c)));
    if attribute.is_long() { long } else { long.map(|bits| bits & u64::from(u32::MAX)) }
}

fn of_primitive(attribute: Attribute, lane: usize) -> Components {
    let number = |number: u64| [number, 0, 0, 0];
    match attribute {
        Attribute::Invocation => number(lane as u64),
        Attribute::PrimitiveId => number(11),
        Attribute::VertexCount => number(2),
        other => numbered(other, 0),
    }
}

fn primitive(program: &Program) -> PrimitiveInputs {
    let all = program.attributes_recorded().into_iter();
    PrimitiveInputs(all.map(|attribute| (attribute, of_primitive(attribute, 0))).collect())
}

fn fragment() -> Runs {
    let (program, bindings) = loaded(FRAGMENT);
    let mut inputs = QuadInputs::default();
    for attribute in Attribute::FRAGMENT {
        let value = |lane| numbered(attribute, lane).map(|bits| f32::from_bits(bits as u32));
        inputs.attributes[attribute.index()] = [0, 1, 2, 3].map(value);
    }
    let record = |lane| {
        let never = AtomicBool::new(false);
        Recording::of_fragment(&program, &bindings, inputs.clone(), (lane, [0, 0]), &never).expect("a run")
    };
    Runs { recordings: (0..QUAD).map(record).collect(), given: numbered }
}

fn vertex() -> Runs {
    let (program, bindings) = loaded(VERTEX);
    let value = |number: u8| of_vertex(Attribute::LongVertex(number), 0);
    let mut inputs = VertexInputs::default();
    for (number, input) in inputs.iter_mut().enumerate() {
        *input = value(number as u8);
    }
    let never = AtomicBool::new(false);
    let run = Recording::of_vertex(&program, &bindings, &inputs, 0, &never).expect("a run");
    Runs { recordings: vec![run], given: of_vertex }
}

fn geometry() -> Runs {
    let (program, bindings) = loaded(GEOMETRY);
    let never = AtomicBool::new(false);
    let run = Recording::of_primitive(&program, &bindings, &primitive(&program), (0, 0), &never);
    Runs { recordings: vec![run.expect("a run")], given: of_primitive }
}

fn control() -> Runs {
    let (program, bindings) = loaded(CONTROL);
    let (inputs, never) = (primitive(&program), AtomicBool::new(false));
    let record = |invocation| {
        Recording::of_patch(&program, &bindings, &inputs, (0, invocation), &never).expect("a run")
    };
    Runs { recordings: (0..3).map(record).collect(), given: of_primitive }
}

fn evaluation() -> Runs {
    let (program, bindings) = loaded(EVALUATION);
    let never = AtomicBool::new(false);
    let run = Recording::of_patch_vertex(&program, &bindings, &primitive(&program), (0, 0), &never);
    Runs { recordings: vec![run.expect("a run")], given: of_primitive }
}

impl Runs {
    fn program(&self) -> &Program {
        self.recordings[0].program()
    }

    /// Component `c` of a register of `lane`, from the states of all lanes before a step.
    fn shown(&self, states: &[State], lane: usize, place: Place, c: usize) -> Component {
        let output = |lane: usize, index: usize| Component {
            bits: states[lane].outputs[index][c],
            ty: states[lane].outputs_types[index][c],
            defined: states[lane].outputs_defined[index] >> c & 1 != 0,
        };
        match place {
            Place::Temp(id) => {
                let (state, index) = (&states[lane], usize::from(id.0));
                Component {
                    bits: state.temporaries[index][c],
                    ty: state.temporaries_types[index][c],
                    defined: state.temporaries_defined[index] >> c & 1 != 0,
                }
            }
            Place::Output(id) => output(lane, id.0.into()),
            Place::Attribute(attribute) => match attribute.output() {
                Some(role) => {
                    let id = self.program().output(role).expect("an output");
                    let own = attribute.of_vertex().map_or(lane, |(vertex, _)| vertex.into());
                    let shown = output(own, id.0.into());
                    assert_eq!(states[lane].attribute(attribute)[c], shown.bits, "{attribute:?}");
                    shown
                }
                None => {
                    let bits = (self.given)(attribute, lane)[c];
                    Component { bits, ty: attribute.ty(), defined: true }
                }
            },
            Place::Param(id) => {
                let index = usize::from(id.0);
                let ty = self.program().parameters[index].ty;
                Component { bits: states[lane].parameters[index][c], ty, defined: true }
            }
            Place::Flags(register) => {
                let Flags(bits) = states[lane].cc[register.index()][c];
                Component { bits: bits.into(), ty: Type::U32, defined: true }
            }
        }
    }

    /// Checks that the expressions at a step agree with `states`.
    fn check_names(&self, names: &[(String, Place)], (states, lane): (&[State], usize), here: &Here<'_>) {
        for (name, place) in names {
            for c in 0..4 {
                let shown = self.shown(states, lane, *place, c);
                if let Place::Flags(register) = place {
                    assert_eq!(u64::from(here.flags(*register, c).0), shown.bits, "{name}, lane {lane}");
                    continue;
                }
                assert_eq!(here.component(*place, c), shown, "{name}, component {c}, lane {lane}");
                let text = format!("{name}.{}", ["x", "y", "z", "w"][c]);
                let outcome = Expression::parse(&text, self.program()).expect("a register").evaluate(here);
                let number = Component { defined: true, ..shown };
                assert_eq!(outcome.undefined, !shown.defined, "{text}");
                let expected = super::Number::read(number).as_float().to_bits();
                assert_eq!(outcome.value.numbers()[0].as_float().to_bits(), expected, "{text}");
            }
        }
    }

    fn check(&self, expected: &[&str]) {
        let program = self.program();
        let place = |name: &String| {
            let expression = Expression::parse(&format!("{name} is EQ"), program);
            expression
                .unwrap_or_else(|error| panic!("{name}: {error}"))
                .reads()
                .first()
                .map(|(place, _)| *place)
        };
        let codes = shadestep_language::ir::CcRegister::of_language(program.language);
        let code = |name: &str| codes.iter().find(|code| code.name_in(program.language) == name);
        let names: Vec<(String, Place)> = register_names(program)
            .into_iter()
            .filter_map(|name| {
                let found = code(&name).map(|code| Place::Flags(*code)).or_else(|| place(&name))?;
                Some((name, found))
            })
            .collect();
        for name in expected {
            assert!(names.iter().any(|(known, _)| known == name), "{name} is not in {names:?}");
        }
        let steps = self.recordings.iter().map(Recording::len).min().unwrap_or(0);
        for position in 0..=steps {
            let states: Vec<State> = self.recordings.iter().map(|run| run.state_at(position)).collect();
            for (lane, run) in self.recordings.iter().enumerate() {
                let mut cursor = Cursor::new(run);
                cursor.seek(run, position);
                self.check_names(&names, (&states, lane), &cursor.here(run));
                let before: Vec<Component> = {
                    let here = cursor.here(run);
                    names
                        .iter()
                        .flat_map(|(_, place)| (0..4).map(|c| here.component(*place, c)).collect::<Vec<_>>())
                        .collect()
                };
                let held = |place: Place, c: usize| {
                    let number = names.iter().position(|(_, other)| *other == place);
                    number.map(|number| before[4 * number + c].bits)
                };
                let Some(step) = run.steps(position..position + 1).next() else { continue };
                for (operand, read) in program.instructions[step.pc].operands.iter().zip(&step.operands) {
                    let place = match operand.source {
                        Source::Temp(id) => Place::Temp(id),
                        Source::Attribute(attribute) => Place::Attribute(attribute),
                        Source::Param(id) => Place::Param(id),
                        Source::Indirect(_) | Source::Buffer(_) => continue,
                    };
                    for c in 0..4 {
                        let value = held(place, c);
                        assert!(value.is_none_or(|bits| bits == read.register[c]), "{place:?}: {step:?}");
                    }
                }
                cursor.seek(run, position + 1);
                let after = cursor.here(run);
                for change in &step.changes {
                    let place = match change.place {
                        Register::Temp(id) => Place::Temp(id),
                        Register::Output(id) => Place::Output(id),
                        Register::Param(id) => Place::Param(id),
                    };
                    let (bits, ty) = (change.after, change.type_after);
                    let written = Component { bits, ty, defined: !change.is_undefined };
                    assert_eq!(after.component(place, change.component.into()), written, "{change:?}");
                }
            }
        }
    }
}

#[test]
fn fragments() {
    let names = [
        "a",
        "n",
        "given",
        "result.color",
        "sets[1]",
        "number",
        "fragment.position",
        "fragment.attrib[9]",
        "CC1",
    ];
    fragment().check(&names);
}

#[test]
fn vertices() {
    let names = [
        "normal",
        "sets[0]",
        "wide",
        "list[2]",
        "vertex.attrib[3]",
        "vertex.color",
        "vertex.attrib[5]",
        "vertex.instance",
        "scale",
    ];
    vertex().check(&names);
}

#[test]
fn primitives() {
    let names =
        ["places[1][0]", "vertex[1].position", "given", "list[0]", "primitive.id", "primitive.invocation"];
    geometry().check(&names);
}

#[test]
fn patches() {
    let names = [
        "vertex.out[1].position",
        "vertex.out[2].attrib[1]",
        "primitive.out.patch.attrib[0]",
        "other[2]",
        "place[7]",
        "primitive.invocation",
    ];
    control().check(&names);
}

#[test]
fn vertices_of_patches() {
    evaluation().check(&["place[2]", "vertex.tesscoord", "primitive.id", "result.attrib[2]"]);
}

#[test]
fn emitted_vertices_keep_types_and_what_was_written() {
    let runs = geometry();
    let program = runs.program();
    let run = &runs.recordings[0];
    let number =
        |name: &str| program.outputs.iter().position(|output| output.name == name).expect("an output");
    let position = number("result.position");
    let [zero, one] = ["result.attrib[0]", "result.attrib[1]"].map(number);
    let written = |vertex: usize, output: usize| {
        (run.emitted_as[vertex][output].types[0], run.emitted_as[vertex][output].defined)
    };
    assert_eq!(written(0, position), (Type::F32, 0b1111));
    assert_eq!(written(0, one), (Type::S32, 0b0001));
    assert_eq!(written(0, zero), (Type::F32, 0));
    assert_eq!(written(1, position), (Type::F32, 0b0011));
    assert_eq!(written(1, zero), (Type::F32, 0b1100));
    assert_eq!(written(1, one), (Type::F32, 0));
}
