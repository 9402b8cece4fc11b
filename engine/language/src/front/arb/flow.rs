//! Blocks of IF, LOOP and REP: their nesting, their ends, and the statements they may contain
//! (NV_fragment_program2 3.11.4.X).

#![deny(clippy::wildcard_enum_match_arm)]

use super::check::ParsedInstruction;
use super::parser::Arb;
use crate::diag::{Diagnostic, codes};
use crate::front::{Sink, nearest};
use crate::isa::{Action, Block, Flow};
use crate::source::Span;

/// An open block.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    pub kind: Block,
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

impl OpenBlock {
    /// The name of the instruction at [`Self::span`].
    const fn name(&self) -> &'static str {
        if self.otherwise.is_some() { "ELSE" } else { self.kind.name() }
    }
}

/// The open blocks, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    open: Vec<OpenBlock>,
    /// Whether an unreadable statement seems to open or close a block. The open blocks are then unknown.
    lost: bool,
}

/// The words that open, divide and close blocks.
const WORDS: [&str; 7] = ["IF", "ELSE", "ENDIF", "LOOP", "ENDLOOP", "REP", "ENDREP"];

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
        self.loops_with_index() > 0
    }

    /// Number of open LOOP blocks.
    pub fn loops_with_index(&self) -> usize {
        self.open.iter().filter(|block| block.kind == Block::Loop).count()
    }

    fn depth(&self, kind: Block) -> usize {
        self.open.iter().filter(|block| block.kind.is_loop() == kind.is_loop()).count()
    }

    pub fn innermost(&self) -> Option<&OpenBlock> {
        self.open.last()
    }

    fn innermost_loop(&mut self) -> Option<&mut OpenBlock> {
        self.open.iter_mut().rev().find(|block| block.kind.is_loop())
    }
}

impl<'t> Arb<'t> {
    /// Updates the open blocks for the instruction with index `at`. Returns the block that the instruction
    /// closes.
    pub(super) fn step(
        &mut self,
        parsed: &ParsedInstruction<'t>,
        at: usize,
        sink: &mut Sink,
    ) -> Option<OpenBlock> {
        let Action::Flow(flow) = parsed.info.action else { return None };
        let span = parsed.mnemonic_span;
        match flow {
            Flow::If => self.begin(Block::If, parsed, at, sink),
            Flow::Loop => self.begin(Block::Loop, parsed, at, sink),
            Flow::Rep => self.begin(Block::Rep, parsed, at, sink),
            Flow::Else => match self.blocks.open.last_mut() {
                Some(block) if block.kind == Block::If && block.otherwise.is_none() => {
                    block.span = span;
                    block.otherwise = Some(at);
                }
                _ => self.unmatched("ELSE", span, sink),
            },
            Flow::EndIf => return self.end(Block::If, span, sink),
            Flow::EndLoop => return self.end(Block::Loop, span, sink),
            Flow::EndRep => {
                let closed = self.end(Block::Rep, span, sink);
                if let Some(block) = &closed
                    && block.is_endless
                    && block.breaks.is_empty()
                {
                    sink.push(
                        Diagnostic::new(codes::GPU_ENDLESS_LOOP, span, "this REP block never ends")
                            .with_label(block.span, "this REP has no count")
                            .with_note(
                            "Give REP a count, or add a BRK directly in the block or a RET anywhere in it.",
                        ),
                    );
                }
                return closed;
            }
            Flow::Return => self.blocks.open.iter_mut().for_each(|block| block.is_endless = false),
            Flow::Break => {
                if let Some(block) = self.loop_around(parsed, sink) {
                    block.breaks.push(at);
                }
            }
            Flow::Continue => {
                if let Some(block) = self.loop_around(parsed, sink) {
                    block.continues.push(at);
                }
            }
            Flow::Branch | Flow::Call | Flow::CallIndirect | Flow::PushAddress | Flow::PopAddress => {}
        }
        None
    }

    fn begin(&mut self, kind: Block, parsed: &ParsedInstruction<'t>, at: usize, sink: &mut Sink) {
        let span = parsed.mnemonic_span;
        self.check_depth(kind, span, sink);
        let is_endless = kind == Block::Rep && parsed.operands.is_empty() && self.is_typed();
        let (breaks, continues) = (Vec::new(), Vec::new());
        self.blocks.open.push(OpenBlock {
            kind,
            span,
            begin: at,
            otherwise: None,
            breaks,
            continues,
            is_endless,
        });
    }

    /// The loop that a BRK or CONT leaves. `None` after a reported error.
    fn loop_around(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) -> Option<&mut OpenBlock> {
        if self.blocks.innermost_loop().is_none() && self.blocks.are_known() {
            let message = if self.is_typed() {
                format!("{} must be inside a REP block", parsed.info.mnemonic)
            } else {
                "BRK must be inside a LOOP or REP block".to_owned()
            };
            let code = codes::ARB_BREAK_OUTSIDE_LOOP.of(self.language);
            sink.push(Diagnostic::new(code, parsed.mnemonic_span, message).with_note(
                "A loop that calls this subroutine does not count. Use RET to leave a subroutine.",
            ));
        }
        self.blocks.innermost_loop()
    }

    fn check_depth(&self, kind: Block, span: Span, sink: &mut Sink) {
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

    fn end(&mut self, kind: Block, span: Span, sink: &mut Sink) -> Option<OpenBlock> {
        if self.blocks.innermost().is_some_and(|block| block.kind == kind) {
            return self.blocks.open.pop();
        }
        self.unmatched(kind.end(), span, sink);
        // Close the block that the word fits, and all blocks inside it, to avoid further errors.
        if let Some(place) = self.blocks.open.iter().rposition(|block| block.kind == kind) {
            self.blocks.open.truncate(place);
        }
        None
    }

    fn unmatched(&self, name: &str, span: Span, sink: &mut Sink) {
        if self.blocks.lost {
            return;
        }
        let code = codes::ARB_UNMATCHED_BLOCK.of(self.language);
        let fault = |message| Diagnostic::new(code, span, message);
        sink.push(match self.blocks.innermost() {
            Some(block) => {
                let open = block.name();
                fault(format!("{name} does not match the open {open} block"))
                    .with_label(block.span, format!("this {open} needs its {} first", block.kind.end()))
            }
            None => fault(format!("{name} has no matching block")),
        });
    }

    /// Reports the innermost block that is still open at `END`.
    pub(super) fn report_open_blocks(&mut self, end: Span, sink: &mut Sink) {
        let Some(block) = self.blocks.open.last().filter(|_| self.blocks.are_known()) else { return };
        let (name, wanted) = (block.name(), block.kind.end());
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
            let kind = block.name();
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
