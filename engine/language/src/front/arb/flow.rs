//! Blocks of IF, LOOP and REP: their nesting, their ends, and the statements they may contain
//! (NV_fragment_program2 3.11.4.X).

use super::check::ParsedInstruction;
use super::parser::Arb;
use crate::diag::{Diagnostic, codes};
use crate::front::{Sink, nearest};
use crate::isa::Opcode;
use crate::source::Span;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    If,
    /// An IF after its ELSE.
    Else,
    Loop,
    Rep,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::If => "IF",
            Self::Else => "ELSE",
            Self::Loop => "LOOP",
            Self::Rep => "REP",
        }
    }

    const fn end(self) -> &'static str {
        match self {
            Self::If | Self::Else => "ENDIF",
            Self::Loop => "ENDLOOP",
            Self::Rep => "ENDREP",
        }
    }

    pub const fn is_loop(self) -> bool {
        matches!(self, Self::Loop | Self::Rep)
    }
}

/// An open block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub kind: Kind,
    /// The instruction that opened the block, or its ELSE.
    pub span: Span,
    /// Index of the IF, LOOP or REP.
    pub begin: usize,
    /// Index of the ELSE.
    pub otherwise: Option<usize>,
    /// Indices of the BRKs that leave the loop.
    pub breaks: Vec<usize>,
    /// Indices of the CONTs that end an iteration of the loop.
    pub continues: Vec<usize>,
    /// Whether the loop has no iteration count and contains no RET.
    pub is_endless: bool,
}

/// The open blocks, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    open: Vec<Block>,
    /// Whether an unreadable statement seems to open or close a block. The open blocks are then unknown.
    lost: bool,
}

/// The words that open, divide and close blocks.
const WORDS: [&str; 7] = ["IF", "ELSE", "ENDIF", "LOOP", "ENDLOOP", "REP", "ENDREP"];

/// The effect of an instruction on the open blocks.
pub(super) enum Step {
    /// No effect.
    None,
    /// Opens a block inside `loops` LOOP blocks.
    Begin { kind: Kind, loops: usize },
    /// The ELSE of the innermost block.
    Else,
    /// Closes this block.
    End(Block),
    /// Leaves the innermost loop.
    Break,
    /// Ends the iteration of the innermost loop.
    Continue,
}

impl Blocks {
    /// Notes an unreadable statement that begins with `word`.
    pub fn note_lost(&mut self, word: &str) {
        let upper = word.to_ascii_uppercase();
        let meant = |known: &str| upper.starts_with(known);
        self.lost |= WORDS.into_iter().any(meant) || nearest(word, WORDS).is_some();
    }

    /// Whether the open blocks are known.
    pub const fn are_known(&self) -> bool {
        !self.lost
    }

    /// Whether a LOOP block is open.
    pub fn in_loop_with_index(&self) -> bool {
        self.open.iter().any(|block| block.kind == Kind::Loop)
    }

    /// Number of open LOOP blocks.
    pub fn loops_with_index(&self) -> usize {
        self.open.iter().filter(|block| block.kind == Kind::Loop).count()
    }

    fn depth(&self, kind: Kind) -> usize {
        self.open.iter().filter(|block| block.kind.is_loop() == kind.is_loop()).count()
    }

    pub fn innermost(&self) -> Option<&Block> {
        self.open.last()
    }

    fn innermost_loop(&mut self) -> Option<&mut Block> {
        self.open.iter_mut().rev().find(|block| block.kind.is_loop())
    }
}

const fn kind_of(op: Opcode) -> Option<Kind> {
    match op {
        Opcode::If => Some(Kind::If),
        Opcode::Loop => Some(Kind::Loop),
        Opcode::Rep => Some(Kind::Rep),
        _ => None,
    }
}

impl<'t> Arb<'t> {
    /// Updates the open blocks for the instruction with index `at`.
    pub(super) fn step(&mut self, parsed: &ParsedInstruction<'t>, at: usize, sink: &mut Sink) -> Step {
        let op = parsed.info.opcode;
        let span = parsed.mnemonic_span;
        if let Some(kind) = kind_of(op) {
            self.check_depth(kind, span, sink);
            let loops = self.blocks.loops_with_index();
            let is_endless = kind == Kind::Rep && parsed.operands.is_empty() && self.is_typed();
            let (breaks, continues) = (Vec::new(), Vec::new());
            self.blocks.open.push(Block {
                kind,
                span,
                begin: at,
                otherwise: None,
                breaks,
                continues,
                is_endless,
            });
            return Step::Begin { kind, loops };
        }
        match op {
            Opcode::Else => match self.blocks.open.last_mut() {
                Some(block) if block.kind == Kind::If => {
                    block.kind = Kind::Else;
                    block.span = span;
                    block.otherwise = Some(at);
                    Step::Else
                }
                _ => {
                    self.unmatched("ELSE", span, sink);
                    Step::None
                }
            },
            Opcode::Endif => self.end("ENDIF", span, sink),
            Opcode::Endloop => self.end("ENDLOOP", span, sink),
            Opcode::Endrep => {
                let step = self.end("ENDREP", span, sink);
                if let Step::End(block) = &step
                    && block.is_endless
                    && block.breaks.is_empty()
                {
                    sink.push(
                        Diagnostic::new(codes::GPU_ENDLESS_LOOP,
                            span,
                            "this REP block never ends",
                        )
                        .with_label(block.span, "this REP has no count")
                        .with_note(
                            "Give REP a count, or add a BRK directly in the block or a RET anywhere in it.",
                        ),
                    );
                }
                step
            }
            Opcode::Ret => {
                for block in &mut self.blocks.open {
                    block.is_endless = false;
                }
                Step::None
            }
            Opcode::Brk | Opcode::Cont => {
                if let Some(block) = self.blocks.innermost_loop() {
                    if op == Opcode::Cont {
                        block.continues.push(at);
                        return Step::Continue;
                    }
                    block.breaks.push(at);
                    return Step::Break;
                }
                if self.blocks.are_known() {
                    sink.push(
                        Diagnostic::new(codes::ARB_BREAK_OUTSIDE_LOOP.of(self.language),
                            span,
                            if self.is_typed() {
                                format!("{} must be inside a REP block", parsed.info.mnemonic)
                            } else {
                                "BRK must be inside a LOOP or REP block".to_owned()
                            },
                        )
                        .with_note("A loop that calls this subroutine does not count. Use RET to leave a subroutine."),
                    );
                }
                Step::None
            }
            _ => Step::None,
        }
    }

    fn check_depth(&self, kind: Kind, span: Span, sink: &mut Sink) {
        let limits = &self.language.profile().flow;
        let (limit, what) = match (kind.is_loop(), self.is_typed()) {
            (true, false) => (limits.nested_loops, "LOOP and REP"),
            (true, true) => (limits.nested_loops, "REP"),
            (false, _) => (limits.nested_ifs, "IF"),
        };
        if self.blocks.depth(kind) >= limit {
            let note = if self.is_typed() {
                "Move the inner blocks to a subroutine."
            } else {
                "You can move the inner blocks to a subroutine, but all active blocks count at run time."
            };
            sink.push(
                Diagnostic::new(
                    codes::ARB_TOO_DEEP.of(self.language),
                    span,
                    format!("{what} blocks can be nested at most {limit} deep"),
                )
                .with_note(note),
            );
        }
    }

    fn end(&mut self, name: &'static str, span: Span, sink: &mut Sink) -> Step {
        if self.blocks.innermost().is_some_and(|block| block.kind.end() == name) {
            return self.blocks.open.pop().map_or(Step::None, Step::End);
        }
        self.unmatched(name, span, sink);
        // Close the block that the word fits, and all blocks inside it, to avoid further errors.
        if let Some(place) = self.blocks.open.iter().rposition(|block| block.kind.end() == name) {
            self.blocks.open.truncate(place);
        }
        Step::None
    }

    fn unmatched(&self, name: &str, span: Span, sink: &mut Sink) {
        if self.blocks.lost {
            return;
        }
        let code = codes::ARB_UNMATCHED_BLOCK.of(self.language);
        let fault = |message| Diagnostic::new(code, span, message);
        sink.push(match self.blocks.innermost() {
            Some(block) => {
                let open = block.kind.name();
                fault(format!("{name} does not match the open {open} block"))
                    .with_label(block.span, format!("this {open} needs its {} first", block.kind.end()))
            }
            None => fault(format!("{name} has no matching block")),
        });
    }

    /// Reports the innermost block that is still open at `END`.
    pub(super) fn report_open_blocks(&mut self, end: Span, sink: &mut Sink) {
        let Some(block) = self.blocks.open.last().filter(|_| self.blocks.are_known()) else { return };
        let (name, wanted) = (block.kind.name(), block.kind.end());
        sink.push(
            Diagnostic::new(
                codes::ARB_UNCLOSED_BLOCK.of(self.language),
                end,
                format!("the {name} block has no {wanted}"),
            )
            .with_label(block.span, format!("this {name} is still open"))
            .with_fix(format!("insert {wanted};"), Span::at(end.start), format!("{wanted};\n")),
        );
    }

    /// Adds a label before the next instruction.
    pub(super) fn place_label(&mut self, name: &'t str, span: Span, sink: &mut Sink) {
        if let Some(block) = self.blocks.innermost().filter(|_| self.blocks.are_known()) {
            let kind = block.kind.name();
            sink.push(
                Diagnostic::new(
                    codes::ARB_LABEL_IN_BLOCK.of(self.language),
                    span,
                    format!("labels cannot be inside {kind} blocks"),
                )
                .with_label(block.span, "the block starts here")
                .with_note("Move the label outside all blocks."),
            );
            self.check.labels.note_broken();
            return;
        }
        let at = self.check.next();
        self.check.labels.make(name, at, span, sink);
    }
}
