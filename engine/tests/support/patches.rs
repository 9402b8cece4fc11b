//! Random tessellation control programs. Their invocations read each other's results. The reference
//! interpreter runs whole patches, and the batch executor runs blocks of patches.

use std::sync::Arc;

use shadestep_core::exec::{
    AttributeLanes, Bindings, ControlShader, Finished, Inspection, InstructionLimit, LANES, PrimitiveInputs,
    run_patch,
};
use shadestep_engine::front::load;
use shadestep_engine::ir::{Attribute, Program, single_bits};

use super::against::{compare, shaders};
use super::random::Random;
use super::reordered::Pieces;

const DECLARATIONS: &str = "TEMP t, u; INT TEMP i, j; ATTRIB p = vertex.position; ATTRIB q[] = { vertex.attrib[1..2] };\n\
    ATTRIB o = vertex.out.attrib[2]; ATTRIB oo[] = { vertex.out.attrib[3..4] };\n\
    ATTRIB got[] = { primitive.out.tessouter[0..3] };\n\
    OUTPUT r[] = { result.attrib[2..4] }; OUTPUT level[] = { result.patch.tessouter[0..3] };\n";

const STATEMENTS: [&str; 32] = [
    "MOV.S i.x, primitive.invocation;",
    "ADD.S i.x, i.x, 1;",
    "AND.S i, i, 3;",
    "SUB.S j, i.x, j;",
    "XOR.S i.y, primitive.invocation.x, 1;",
    "MOV t, p[i.x];",
    "ADD t, q[i.y][1], u;",
    "MOV u, q[0][i.x];",
    "MUL u, t, 0.5;",
    "MOV result.attrib[2], t;",
    "ADD result.attrib[2].xy, u, 1;",
    "MOV result.attrib[3] (GT.x), t;",
    "MOV r[i.x].xz, u;",
    "MOV t, o[i.x];",
    "MOV t.xz, o[0];",
    "ADD u, oo[i.y][j.x], 1;",
    "MOV u (LT.y), oo[0][i.x];",
    "MOV level[i.x].x, t;",
    "MOV level[2].x, u;",
    "MOV u.x, got[i.x].x;",
    "ADD result.patch.attrib[5].xy, u, 1;",
    "ADD u, primitive.out.patch.attrib[5], t;",
    "MOV result.position, t;",
    "SUB.S.CC j.x, i.x, 2;",
    "SUB.S.CC j.xy, primitive.invocation.x, i;",
    "ADD.CC u, t, -1;",
    "MOV.CC t.x, u.y;",
    "I2F t, i;",
    "TGALL.F t, u;",
    "TGANY.S.CC j.xy, i;",
    "TGEQ.F u.xz, t;",
    "TGANY.S i.w (GT.x), j.x;",
];

const CONDITIONS: [&str; 6] = ["GT.x", "LT.y", "EQ.x", "NE.z", "GE.w", "LE.x"];

/// Appends statements and blocks, nested at most `depth` deep.
fn block(random: &mut Random, depth: usize, subroutines: usize, in_loop: bool, text: &mut String) {
    for _ in 0..1 + random.below(6) {
        let condition = *random.pick(&CONDITIONS);
        match random.below(if depth == 0 { 8 } else { 12 }) {
            6 if subroutines > 0 => {
                let sub = random.below(subroutines);
                let test = if random.chance(2) { format!(" ({condition})") } else { String::new() };
                text.push_str(&format!("CAL s{sub}{test};\n"));
            }
            7 => text.push_str(&match (in_loop, random.below(4)) {
                (true, 0) => format!("BRK ({condition});\n"),
                (true, 1) => format!("CONT ({condition});\n"),
                (_, 2) => format!("RET ({condition});\n"),
                _ => String::new(),
            }),
            8 | 9 => {
                text.push_str(&format!("IF {condition};\n"));
                block(random, depth - 1, subroutines, in_loop, text);
                if random.chance(2) {
                    text.push_str("ELSE;\n");
                    block(random, depth - 1, subroutines, in_loop, text);
                }
                text.push_str("ENDIF;\n");
            }
            10 | 11 => {
                let count = *random.pick(&["{3}", "i.x", "j.x", "{2}"]);
                text.push_str(&format!("REP.S {count};\n"));
                block(random, depth - 1, subroutines, true, text);
                text.push_str("ENDREP;\n");
            }
            _ => {
                text.push_str(random.pick::<&str>(&STATEMENTS));
                text.push('\n');
            }
        }
    }
}

/// The parts of a valid program with `vertices` output vertices.
pub fn pieces(random: &mut Random, vertices: u8) -> Pieces {
    let count = random.below(3);
    let declarations = format!("!!NVtcp5.0\nVERTICES_OUT {vertices};\n{DECLARATIONS}");
    let mut main =
        String::from("MOV.S i, primitive.invocation.x; MOV.S j, 2; MOV t, p[0]; MOV u, q[0][0];\n");
    block(random, 3, count, false, &mut main);
    let subroutine = |sub| {
        let mut body = String::new();
        // A subroutine calls only lower numbers, so all calls end.
        block(random, 2, sub, false, &mut body);
        body
    };
    let subroutines = (0..count).map(subroutine).collect();
    Pieces { declarations, main, subroutines, labels: Vec::new() }
}

/// A valid program with `vertices` output vertices. Subroutines may fall through into the next one.
pub fn program(random: &mut Random, vertices: u8) -> String {
    let pieces = pieces(random, vertices);
    let mut text = pieces.declarations + &pieces.main;
    for (sub, body) in pieces.subroutines.iter().enumerate() {
        if random.chance(2) {
            text.push_str("RET;\n");
        }
        text.push_str(&format!("s{sub}:\n{body}"));
    }
    text.push_str("END\n");
    text
}

/// Random inputs for each patch of a block.
pub fn inputs(random: &mut Random, program: &Program, patches: usize) -> Vec<PrimitiveInputs> {
    let read = program.attributes().into_iter().filter(|attribute| attribute.output().is_none());
    let read: Vec<Attribute> = read.collect();
    let mut value =
        |attribute: &Attribute| (*attribute, single_bits(std::array::from_fn(|_| random.tame_value())));
    (0..patches).map(|_| PrimitiveInputs(read.iter().map(&mut value).collect())).collect()
}

/// Runs one trial. Returns 1 if invocations of the first patch executed different numbers of instructions.
pub fn trial(seed: u64, random: &mut Random) -> usize {
    let vertices = *random.pick(&[1, 2, 3, 4, 4, 5, 7, 8, 16, 32]);
    let text = program(random, vertices);
    let loaded = load(text.as_bytes());
    let program = loaded.program.unwrap_or_else(|| panic!("seed {seed}\n{text}{:#?}", loaded.diagnostics));
    let (program, bindings) = (Arc::new(program), Bindings::default());
    let bindings = Bindings { parameters: Bindings::initial(&program).parameters, ..bindings };
    let count = usize::from(vertices);
    let patches = LANES / count;
    let patches = inputs(random, &program, patches);
    // Without control flow, all invocations run to the end.
    let limited = program.has_flow() && random.chance(2);
    let limit = InstructionLimit(if limited { 1 + random.below(60) as u32 } else { 400 });
    let scalar: Vec<Finished> =
        patches.iter().flat_map(|patch| run_patch(&program, &bindings, patch, limit)).collect();
    let mut lanes = AttributeLanes::with_room(program.attributes().len().max(1));
    for (number, (attribute, _)) in patches[0].0.iter().enumerate() {
        for lane in 0..count * patches.len() {
            let value = match attribute {
                Attribute::Invocation => [(lane % count) as u64, 0, 0, 0],
                _ => patches[lane / count].0[number].1,
            };
            for (component, bits) in value.into_iter().enumerate() {
                lanes.all_mut()[4 * number + component].0[lane] = f32::from_bits(bits as u32);
            }
        }
    }
    // A random subset of the patches runs.
    let mask = random.next() | 1;
    let active = (0..count * patches.len()).filter(|lane| mask >> (lane / count) & 1 != 0);
    let active = active.fold(0u64, |all, lane| all | 1 << lane);
    let is_active = |lane: &usize| active >> lane & 1 != 0;
    for (name, mut wide) in Inspection::all(&program, &bindings, &lanes) {
        wide.finish(active, limit);
        for lane in (0..scalar.len()).filter(is_active) {
            let end = &scalar[lane];
            let difference = compare(&wide.registers(lane), &end.registers).err().or_else(|| {
                let executed = if program.has_flow() { wide.executed(lane) } else { end.executed };
                (executed != end.executed)
                    .then(|| format!("wide executed {executed}, scalar {}", end.executed))
            });
            if let Some(difference) = difference {
                panic!(
                    "seed {seed}, {name}, lane {lane} of patches of {count}, {limit:?}: {difference}\n{text}"
                );
            }
        }
    }
    for shader in shaders(&program, &bindings) {
        let shader = shader.with_limit(limit);
        let mut worker = ControlShader::worker(&shader);
        worker.run(&lanes, active, false);
        for (number, role) in ControlShader::results(&shader).iter().enumerate() {
            let place = program.outputs.iter().position(|output| output.role == *role).expect("an output");
            for lane in (0..scalar.len()).filter(is_active) {
                let wide = [0, 1, 2, 3].map(|c| u64::from(worker.result(number)[c].0[lane].to_bits()));
                let wanted = scalar[lane].registers.outputs[place];
                assert!(
                    wide == wanted,
                    "seed {seed}, lane {lane} of patches of {count}, {limit:?}, {role:?}: wide {wide:x?}, scalar {wanted:x?}\n{text}"
                );
            }
        }
    }
    let executed: Vec<u32> = scalar[..count].iter().map(|end| end.executed).collect();
    usize::from(executed.iter().any(|other| *other != executed[0]))
}
