//! Programs with the same subroutines in another order of the text. Lanes reconverge at the instruction after
//! a CAL, so the order changes no bit of the results of derivatives, votes and other invocations.

use std::sync::Arc;

use shadestep_core::exec::{Bindings, Finished, InstructionLimit, run_patch};
use shadestep_engine::front::load;
use shadestep_engine::ir::Program;

use super::against::{check_limits, finished};
use super::random::Random;
use super::{arb, patches};

/// The highest instruction limit that [`check_limits`] tries.
const LIMIT: InstructionLimit = InstructionLimit(600);

/// The parts of a program's text, from which tests build it in any order.
pub struct Pieces {
    /// Header and declarations.
    pub declarations: String,
    /// The main program, without its RET.
    pub main: String,
    /// Bodies of subroutines `s0`, `s1` and so on, without their last RET.
    pub subroutines: Vec<String>,
    /// Text after the name of each label, such as ` SUBROUTINENUM(3)`. May be shorter than the list.
    pub labels: Vec<String>,
}

impl Pieces {
    /// The program with its subroutines in `order`, the first `before` of them above the main program.
    fn text(&self, order: &[usize], before: usize) -> String {
        let subroutine = |&sub: &usize| {
            let label = self.labels.get(sub).map_or("", String::as_str);
            format!("s{sub}{label}:\n{}RET;\n", self.subroutines[sub])
        };
        let (above, below) = order.split_at(before);
        let above: String = above.iter().map(subroutine).collect();
        let below: String = below.iter().map(subroutine).collect();
        format!("{}{above}main:\n{}RET;\n{below}END\n", self.declarations, self.main)
    }
}

/// Counts of the interesting programs in all trials.
#[derive(Debug, Default)]
pub struct Counts {
    /// Programs with lanes that executed different numbers of instructions.
    diverged: usize,
    /// Diverged fragment programs with CALI.
    indirect: usize,
    /// Diverged control programs.
    patches: usize,
}

impl From<&Counts> for Vec<usize> {
    fn from(counts: &Counts) -> Self {
        vec![counts.diverged, counts.indirect, counts.patches]
    }
}

/// The notation of a fragment language. `{c}` in a statement stands for one of the conditions.
struct Words {
    declarations: &'static str,
    begin: &'static str,
    statements: &'static [&'static str],
    /// A longer loop, with a count per lane if the language has one.
    repeat: &'static str,
}

const CONDITIONS: [&str; 6] = ["GT.x", "LT.y", "EQ.z", "NE.w", "GE.y", "LE.x"];

const ARB: Words = Words {
    declarations: "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP r, t, u, c;\n",
    begin: "FLR r, fragment.texcoord[1]; MOV t, r; MOV u, r.yxwz; SUBC c, r, 1;\n",
    statements: &[
        "ADD r.xy, r, 1;",
        "MUL t, r, 0.5;",
        "DDX u, r;",
        "DDY t.xz, u;",
        "DDX t ({c}), u;",
        "SUBC c, r, u;",
        "ADDC c.yz, t, -0.5;",
        "ADD u ({c}), t, r.y;",
        "MOV r.zw, u;",
    ],
    repeat: "REP 3;",
};

const TYPED: Words = Words {
    declarations: "!!NVfp5.0\nTEMP r, t, u, c; INT TEMP i, j;\n",
    begin: "FLR r, fragment.texcoord[1]; MOV t, r; MOV u, r.yxwz; SUB.CC c, r, 1; MOV.S i, {3,1,0,2}; FLR.S j, r;\n",
    statements: &[
        "ADD r.xy, r, 1;",
        "MUL t, r, 0.5;",
        "DDX u, r;",
        "DDY t.xz, u;",
        "DDX t ({c}), u;",
        "TGANY.S.CC i, j;",
        "TGALL.F u, t;",
        "TGEQ.F.CC t.xw, r;",
        "SUB.CC c, r, u;",
        "ADD.CC c.yz, t, -0.5;",
        "ADD u ({c}), t, r.y;",
        "ADD.S j.xz, j, 1;",
        "AND.S i.x, j, 3;",
        "MOV r.zw, u;",
    ],
    repeat: "REP.S j.x;",
};

/// Appends statements and blocks, nested at most `depth` deep. Calls come from `calls`.
fn block(random: &mut Random, words: &Words, depth: usize, calls: &[String], text: &mut String) {
    for _ in 0..1 + random.below(5) {
        let condition = *random.pick(&CONDITIONS);
        match random.below(if depth == 0 { 6 } else { 9 }) {
            0 | 1 if !calls.is_empty() => {
                let test = if random.chance(3) { String::new() } else { format!(" ({condition})") };
                text.push_str(&format!("{}{test};\n", random.pick(calls)));
            }
            2 if random.chance(2) => text.push_str(&format!("RET ({condition});\n")),
            6 | 7 => {
                text.push_str(&format!("IF {condition};\n"));
                block(random, words, depth - 1, calls, text);
                if random.chance(2) {
                    text.push_str("ELSE;\n");
                    block(random, words, depth - 1, calls, text);
                }
                text.push_str("ENDIF;\n");
            }
            8 => {
                text.push_str(random.pick::<&str>(&["REP 2;", words.repeat]));
                text.push('\n');
                block(random, words, depth - 1, calls, text);
                if random.chance(2) {
                    text.push_str(&format!("BRK ({condition});\n"));
                }
                text.push_str("ENDREP;\n");
            }
            _ => {
                text.push_str(&random.pick(words.statements).replace("{c}", condition));
                text.push('\n');
            }
        }
    }
}

/// The parts of a fragment program. Half of the typed programs have CALI.
fn fragment_pieces(random: &mut Random) -> Pieces {
    let words = if random.chance(2) { &ARB } else { &TYPED };
    let count = 1 + random.below(4);
    // A subroutine calls only lower numbers, so all calls end.
    let calls: Vec<String> = (0..count).map(|sub| format!("CAL s{sub}")).collect();
    let subroutine = |sub| {
        let mut body = String::new();
        block(random, words, 2, &calls[..sub], &mut body);
        body
    };
    let subroutines = (0..count).map(subroutine).collect();
    let (mut main, mut declarations) = (words.begin.to_owned(), words.declarations.to_owned());
    let (mut calls_of_main, mut labels) = (calls.clone(), Vec::new());
    if words.declarations == TYPED.declarations && random.chance(2) {
        let first = random.below(3);
        labels = (0..count).map(|sub| format!(" SUBROUTINENUM({})", (first + 3 * sub) % 13)).collect();
        let members: Vec<String> = (0..count).map(|sub| format!("s{sub}")).collect();
        declarations.push_str(&format!(
            "SUBROUTINETYPE T {{ {} }};\nSUBROUTINE T v[] = {{ program.subroutine[0..3] }};\n",
            members.join(", ")
        ));
        calls_of_main.extend(["CALI v[i.x]".to_owned(), "CALI v[i.y]".to_owned(), "CALI v[1]".to_owned()]);
    }
    block(random, words, 3, &calls_of_main, &mut main);
    main.push_str("ADD result.color, r, t;\n");
    Pieces { declarations, main, subroutines, labels }
}

fn loaded(seed: u64, text: &str) -> Arc<Program> {
    let loaded = load(text.as_bytes());
    Arc::new(loaded.program.unwrap_or_else(|| panic!("seed {seed}\n{text}{:#?}", loaded.diagnostics)))
}

/// The numbers below `count` in a random order.
fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, random.below(at + 1));
    }
    order
}

/// Runs one trial: the same program with its subroutines in two orders.
pub fn trial(seed: u64, random: &mut Random, counts: &mut Counts) {
    let of_patch = random.chance(4);
    let pieces = if of_patch { patches::pieces(random, 4) } else { fragment_pieces(random) };
    let count = pieces.subroutines.len();
    let texts = [0, 1].map(|_| {
        let before = random.below(count + 1);
        pieces.text(&shuffled(random, count), before)
    });
    let [one, other] = texts.each_ref().map(|text| loaded(seed, text));
    let subroutines: Vec<u32> = (0..4).map(|_| random.below(13) as u32).collect();
    let bindings = |program: &Program| {
        let parameters = Bindings::initial(program).parameters;
        Bindings { parameters, subroutines: subroutines.clone(), ..Bindings::default() }
    };
    let ends: [Vec<Finished>; 2] = if of_patch {
        let inputs = patches::inputs(random, &one, 1);
        [&one, &other].map(|program| run_patch(program, &bindings(program), &inputs[0], LIMIT))
    } else {
        let attributes = arb::attributes(random, |random| random.below(5) as f32 - 1.0);
        let first = check_limits(seed, random, &one, (&bindings(&one), &attributes), u64::MAX);
        [first, finished(&other, (&bindings(&other), &attributes), LIMIT)]
    };
    let diverged = ends[0].iter().any(|end| end.executed != ends[0][0].executed);
    counts.diverged += usize::from(diverged);
    counts.indirect += usize::from(diverged && !pieces.labels.is_empty());
    counts.patches += usize::from(diverged && of_patch);
    for (lane, (first, second)) in ends[0].iter().zip(&ends[1]).enumerate() {
        let (first, second) = (observed(&one, first), observed(&other, second));
        assert_eq!(first, second, "seed {seed}, lane {lane}\n{}\n{}", texts[0], texts[1]);
    }
}

/// Every register and result at the end of a run. A program lists its outputs in the order of the text, so
/// the function sorts them.
fn observed(program: &Program, end: &Finished) -> impl PartialEq + std::fmt::Debug + use<> {
    let registers = &end.registers;
    let values = registers.outputs.iter().zip(&registers.outputs_defined);
    let outputs = program.outputs.iter().zip(values);
    let mut outputs: Vec<_> =
        outputs.map(|(output, (value, defined))| (format!("{:?}", output.role), *value, *defined)).collect();
    outputs.sort();
    let state = (registers.temporaries.clone(), registers.cc, registers.killed);
    (outputs, state, end.ended, end.executed)
}
