//! Random and hostile `!!FP1.0` texts: what loads prints and loads again to the same program, nothing
//! panics, and time grows with the length of the text only.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use shadestep_engine::diag::first_error;
use shadestep_engine::front::{MAX_DIAGNOSTICS, load};
use shadestep_engine::ide;
use shadestep_engine::ir::{Condition, Program, disassemble, disassemble_instruction, verify};
use shadestep_engine::isa::{Info, Language, Opcode, OperandKind, ResultKind, Rule, instructions};
use shadestep_engine::source::Span;

/// Choices a random program is made from; a shorter list makes a simpler program.
struct Choices {
    list: Vec<u32>,
    next: usize,
}

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        let choice = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice as usize % count
    }

    fn of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    fn number(&mut self) -> String {
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

const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

fn swizzle(choices: &mut Choices) -> String {
    match choices.below(3) {
        0 => String::new(),
        1 => format!(".{}", choices.of(&COMPONENTS)),
        _ => format!(".{}", (0..4).map(|_| choices.of(&COMPONENTS)).collect::<String>()),
    }
}

fn test(choices: &mut Choices) -> String {
    format!("{}{}", choices.of(&Condition::ALL).name(), swizzle(choices))
}

/// What one instruction may read beside temporaries: one attribute and one kind of parameter.
struct Palette {
    attribute: &'static str,
    /// Everything here merges, or is one parameter. Scalars by themselves are marked.
    parameters: Vec<(String, bool)>,
}

fn palette(choices: &mut Choices) -> Palette {
    let attribute = choices.of(&["f[WPOS]", "f[COL0]", "f[COL1]", "f[FOGC]", "f[TEX0]", "f[TEX7]"]);
    let vector = |c: &mut Choices, n: usize| -> String {
        format!("{{{}}}", (0..n).map(|_| c.number()).collect::<Vec<_>>().join(", "))
    };
    let parameters = match choices.below(6) {
        0 => vec![("p[5]".to_owned(), false)],
        1 => vec![("local".to_owned(), false)],
        2 => vec![("late".to_owned(), false)],
        3 => {
            let n = 1 + choices.below(4);
            vec![(vector(choices, n), false)]
        }
        4 => {
            let scalars = [choices.number(), choices.number(), choices.number()];
            scalars.into_iter().map(|s| (s, true)).collect()
        }
        // At most 0, 1, 2 and -1 between them.
        _ => vec![
            ("2".to_owned(), true),
            ("-1".to_owned(), true),
            ("two".to_owned(), true),
            ("{2}".to_owned(), false),
            ("vec".to_owned(), false),
            ("{-1,-1,2,0}".to_owned(), false),
        ],
    };
    Palette { attribute, parameters }
}

fn operand(choices: &mut Choices, kind: OperandKind, rule: Rule, palette: &Palette) -> String {
    let (base, is_scalar) = match choices.below(4) {
        0 => palette.parameters[choices.below(palette.parameters.len())].clone(),
        1 => (palette.attribute.to_owned(), false),
        2 if rule != Rule::WideSource => (format!("H{}", choices.below(20)), false),
        _ => (format!("R{}", choices.below(8)), false),
    };
    let suffix = match kind {
        _ if is_scalar => String::new(),
        OperandKind::Scalar => format!(".{}", choices.of(&COMPONENTS)),
        _ => swizzle(choices),
    };
    // A number with a sign of its own takes no second one, and a minus makes it another scalar.
    let inner = match base.as_bytes().first() {
        Some(b'-') => "",
        Some(b'0'..=b'9') => choices.of(&["", "+"]),
        _ => choices.of(&["", "-", "+"]),
    };
    match choices.below(3) {
        0 => format!("{}|{inner}{base}{suffix}|", choices.of(&["", "-", "+"])),
        _ => format!("{inner}{base}{suffix}"),
    }
}

fn destination(choices: &mut Choices, rule: Rule, color: &str) -> String {
    let register = match choices.below(5) {
        0 if rule != Rule::WideDestination => format!("H{}", choices.below(20)),
        1 if rule != Rule::WideDestination => choices.of(&["HC", color]).to_owned(),
        2 => choices.of(&["RC", "o[DEPR]"]).to_owned(),
        _ => format!("R{}", choices.below(8)),
    };
    let bits = if rule == Rule::NoW { 1 + choices.below(7) } else { 1 + choices.below(15) };
    let letters: String = (0..4).filter(|i| bits >> i & 1 != 0).map(|i| COMPONENTS[i]).collect();
    let mask = if rule != Rule::NoW && choices.below(2) == 0 { String::new() } else { format!(".{letters}") };
    let condition = if choices.below(3) == 0 { format!(" ({})", test(choices)) } else { String::new() };
    format!("{register}{mask}{condition}")
}

fn statement(choices: &mut Choices, info: &Info, color: &str) -> String {
    let forms =
        info.forms(Language::Fp1).expect("every row is an instruction of the language").combinations();
    let suffixes = forms[choices.below(forms.len())].text();
    let palette = palette(choices);
    let mut parts = Vec::new();
    if info.result != ResultKind::None {
        parts.push(destination(choices, info.rule, color));
    }
    for kind in info.operands {
        parts.push(match kind {
            OperandKind::Address | OperandKind::Label | OperandKind::BranchCondition => {
                unreachable!("not in this language")
            }
            OperandKind::Condition => test(choices),
            OperandKind::TextureImage => {
                // One target a unit: the unit decides.
                let unit = choices.below(16);
                format!("TEX{unit}, {}", ["1D", "2D", "3D", "CUBE", "RECT"][unit % 5])
            }
            OperandKind::Vector | OperandKind::Scalar => operand(choices, *kind, info.rule, &palette),
        });
    }
    format!("{}{suffixes} {};\n", info.mnemonic, parts.join(", "))
}

fn random_program(list: Vec<u32>) -> String {
    let mut choices = Choices { list, next: 0 };
    let color = choices.of(&["o[COLR]", "o[COLH]"]);
    let mut text =
        "!!FP1.0\nDEFINE two = 2;\nDEFINE vec = {2, -1};\nDECLARE local = {1e-3, -7};\n".to_owned();
    text.push_str(&statement(&mut choices, Opcode::Add.info(), color).replace("late", "local"));
    text.push_str("DECLARE late = -3.5;\n");
    while choices.next < choices.list.len() {
        let rows: Vec<&Info> = instructions(Language::Fp1).collect();
        let info = rows[choices.below(rows.len())];
        text.push_str(&statement(&mut choices, info, color));
    }
    text + &format!("MOV {color}, R0;\nEND\n")
}

fn without_spans(mut program: Program) -> Program {
    for instruction in &mut program.instructions {
        instruction.span = Span::default();
        instruction.mnemonic_span = Span::default();
        for operand in &mut instruction.operands {
            operand.span = Span::default();
        }
        if let Some(dest) = &mut instruction.dest {
            dest.span = Span::default();
        }
    }
    program
}

#[track_caller]
fn assert_prints_and_reloads(program: Program) {
    assert_eq!(verify(&program), Ok(()));
    let printed = disassemble(&program);
    let again = load(printed.as_bytes());
    let reloaded = again.program.unwrap_or_else(|| panic!("{printed}\n{:#?}", again.diagnostics));
    for instruction in &reloaded.instructions {
        let alone = disassemble_instruction(&reloaded, instruction);
        assert_eq!(&printed[instruction.span.start..instruction.span.end], alone);
    }
    assert_eq!(without_spans(reloaded), without_spans(program), "{printed}");
}

#[test]
fn canonical_text_is_what_one_would_write() {
    let source = "!!FP1.0\nDEFINE half = 0.5; DECLARE tint={1,0.5,0.25}; DECLARE zero;\nMADR_SAT R0.xyz(GT.x),+R1,-|R2.yzxw|,half;\
        MULX H0, R0.xyzw, 2.50; MADH H1, H0, 2, -1; MOV R1, -half; ADD R1, {1,2,3,4}.xxxx, 4; ADDR H2, f[TEX0], tint; \
        TEXC o[COLR], R0, TEX3, CUBE; KIL LT.x; DP3 RC.w, R0, zero; POWH R0.x, p[3].x, R1.w; MOV o[DEPR].z, 1e30; END";
    let program = load(source.as_bytes()).program.unwrap();
    let expected = "!!FP1.0\nDECLARE tint = {1, 0.5, 0.25, 1};\nDECLARE zero;\n\
        MAD_SAT R0.xyz (GT.x), R1, -|R2.yzxw|, 0.5;\nMULX H0, R0, 2.5;\nMAD H1, H0, 2, -1;\n\
        MOV R1, -{0.5, 0, 0, 0}.x;\nADD R1, {1, 2, 3, 4}.x, {1, 2, 3, 4}.w;\nADDR H2, f[TEX0], tint;\n\
        TEXC o[COLR], R0, TEX3, CUBE;\nKIL LT.x;\nDP3 RC.w, R0, zero;\nPOWH R0.x, p[3].x, R1.w;\n\
        MOV o[DEPR].z, 1e30;\nEND\n";
    assert_eq!(disassemble(&program), expected);
    assert_prints_and_reloads(program);
}

/// Whatever the text, the answers hang together.
fn assert_sane(text: &[u8], offset: usize) {
    let loaded = load(text);
    assert_eq!(loaded.program.is_none(), first_error(&loaded.diagnostics).is_some());
    assert!(loaded.diagnostics.is_sorted_by_key(|d| d.position));
    for diagnostic in &loaded.diagnostics {
        assert!(diagnostic.position <= text.len());
        let spans = diagnostic.labels.iter().map(|l| l.span).chain(diagnostic.fix.as_ref().map(|f| f.span));
        for span in spans {
            assert!(span.start <= span.end && span.end <= text.len());
        }
        let shown = ide::render_text(diagnostic, text, "fuzz.fp");
        assert!(shown.contains(diagnostic.code) && shown.contains('^'));
    }
    ide::hover(text, offset, loaded.program.as_ref());
    ide::completions(text, offset);
    ide::outline(text);
    if let Some(program) = loaded.program {
        assert_prints_and_reloads(program);
    }
}

const PIECES: &[&str] = &[
    "MOV", "R0", "R31", "H63", "o[COLR]", "f[TEX0]", "p[0]", ",", ";", ".", "x", "xyzw", "|", "-", "+", "{",
    "}", "(", ")", "EQ", "1", "2.5", "1e", "DEFINE", "DECLARE", "a", "=", "END", "\n", "#", "TEX1", "2D",
    "KIL", "RFL", "[", "]", "\0", "\u{e9}", " ",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_loads_prints_and_loads_again(list in proptest::collection::vec(any::<u32>(), 0..600)) {
        let text = random_program(list);
        let loaded = load(text.as_bytes());
        let program = loaded.program.unwrap_or_else(|| {
            panic!("{text}\n{}", ide::render_all(&loaded.diagnostics, text.as_bytes(), "random.fp"))
        });
        assert_prints_and_reloads(program);
    }

    #[test]
    fn bytes_never_panic(text in proptest::collection::vec(any::<u8>(), 0..200), offset in 0..220_usize) {
        assert_sane(&text, offset);
        let mut program = b"!!FP1.0 ".to_vec();
        program.extend(text);
        assert_sane(&program, offset);
    }

    #[test]
    fn token_salad_never_panics(pieces in proptest::collection::vec(0..PIECES.len(), 0..60), offset in 0..200_usize) {
        let text: String = pieces.iter().flat_map(|&i| [PIECES[i], " "]).collect();
        assert_sane(format!("!!FP1.0\n{text}").as_bytes(), offset);
        assert_sane(format!("!!FP1.0\n{}", text.replace(' ', "")).as_bytes(), offset);
    }

    #[test]
    fn mutated_programs_never_panic(
        list in proptest::collection::vec(any::<u32>(), 0..150),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..3_u8, 0..PIECES.len()), 1..6),
        offset in any::<prop::sample::Index>(),
    ) {
        let mut text = random_program(list).into_bytes();
        for (place, what, piece) in changes {
            let at = place.index(text.len());
            match what {
                0 => { text.remove(at); }
                1 => { text.splice(at..at, PIECES[piece].bytes()); }
                _ => { text.splice(at..at + 1, PIECES[piece].bytes()); }
            }
        }
        let offset = offset.index(text.len());
        assert_sane(&text, offset);
    }
}

#[test]
fn ten_megabytes_take_less_than_two_seconds() {
    const SIZE: usize = 10_000_000;
    let repeat = |piece: &str| format!("!!FP1.0 {}", piece.repeat(SIZE / piece.len()));
    let names: String = (0..400_000).map(|n| format!("DEFINE name{n} = {n};\n")).collect();
    let locals: String = (0..400_000).map(|n| format!("DECLARE name{n} = {{{n}}};\n")).collect();
    let constants: String = (0..400_000).map(|n| format!("MOV R0, {{{n},1,2,3}};\n")).collect();
    for (what, text) in [
        ("instructions", repeat("MAD_SAT R0.xyz (GT.x), f[TEX0].xyzw, -|R1|, {1,2,3,4};\n")),
        ("wrong instructions", repeat("FOO R0;\n")),
        ("wrong operands", repeat("MOV R0, R99;")),
        ("no semicolons", repeat("MOV ")),
        ("one number", repeat("1")),
        ("one fraction", format!("!!FP1.0 MOV R0, 0.{};", "1234567890".repeat(SIZE / 10))),
        ("one word", repeat("a")),
        ("one swizzle", format!("!!FP1.0 MOV R0.{}", "x".repeat(SIZE))),
        ("spaced swizzle", format!("!!FP1.0 MOV R0.{}", "x ".repeat(SIZE / 2))),
        ("brackets", repeat("({[|")),
        ("one comment", format!("!!FP1.0 #{}", "x".repeat(SIZE))),
        ("line ends", repeat("\r\n")),
        ("zeros", repeat("\0")),
        ("unknown words", repeat("\u{e9} ")),
        ("constants", format!("!!FP1.0 {names} MOV o[COLR], name7; END")),
        ("locals", format!("!!FP1.0 {locals} END")),
        ("many constants", format!("!!FP1.0 {constants} END")),
        ("unfinished", format!("!!FP1.0 {} DEFINE", "END ".repeat(SIZE / 4))),
        ("no header", "MOV ".repeat(SIZE / 4)),
        ("only space", " ".repeat(SIZE)),
    ] {
        let start = Instant::now();
        let loaded = load(text.as_bytes());
        let took = start.elapsed();
        assert!(took < Duration::from_secs(2), "{what}: {took:?}");
        assert!(loaded.diagnostics.len() <= 2 * MAX_DIAGNOSTICS, "{what}");
        for diagnostic in loaded.diagnostics.iter().take(3) {
            let length = ide::render_text(diagnostic, text.as_bytes(), "big.fp").len();
            assert!(length < 4000, "{what}: {length} bytes for one diagnostic");
        }
    }
}
