//! The parser of ARB programs: its state, and the parts of the shared parser (`front::parser`) that are
//! specific to these languages. `front::arb` lists the modules that read the statements.

use super::buffers::Buffer;
use super::check::{Base, Checker, Extra, ParsedInstruction, ParsedTarget};
use super::flow::Blocks;
use super::interpolation::Interpolations;
use super::limits::Counts;
use super::names::{Names, Variable};
use super::options::Options;
use super::parameters::Literal;
use super::primitives::Primitives;
use super::subroutines::Subroutines;
use super::symbols::Offered;
use super::words::{self, Keyword};
use crate::diag::{Code, Diagnostic, codes};
use crate::front::Sink;
use crate::front::dialect::{Dialect, Elsewhere, Grammar, ParsedOperand, Sign};
use crate::front::operand::LetterTokens;
use crate::front::parser::{self, Parse};
use crate::front::word_roles::Role;
use crate::ir::Program;
use crate::isa::{self, Info, Language, OperandKind, Profile, Stage};
use crate::source::Span;
use crate::syntax::TokenKind;

static FRAGMENT: Dialect = Dialect {
    codes: &codes::ARB,
    has_colon: true,
    dollar_in_labels: true,
    colour_letters: true,
    mask_tokens: LetterTokens::One,
    empty: None,
};

static GPU: Dialect = Dialect {
    codes: &codes::GPU,
    has_colon: true,
    dollar_in_labels: true,
    colour_letters: true,
    mask_tokens: LetterTokens::One,
    empty: None,
};

static VERTEX: Dialect = Dialect {
    codes: &codes::ARB_VERTEX,
    has_colon: true,
    dollar_in_labels: true,
    colour_letters: false,
    mask_tokens: LetterTokens::One,
    empty: None,
};

/// The error codes and the grammar of `language`.
pub const fn dialect(language: Language) -> &'static Dialect {
    if language.profile().typed {
        return &GPU;
    }
    match language.stage() {
        Stage::Vertex | Stage::VertexState | Stage::TessControl | Stage::TessEvaluation | Stage::Geometry => {
            &VERTEX
        }
        Stage::Fragment => &FRAGMENT,
    }
}

/// The state of the parser: everything known about the statements read so far.
pub(super) struct Arb<'t> {
    /// The language of the header, extended by options.
    pub(super) language: Language,
    pub(super) options: Options,
    pub(super) names: Names<'t>,
    pub(super) counts: Counts,
    pub(super) blocks: Blocks,
    pub(super) check: Checker<'t>,
    pub(super) subroutines: Subroutines<'t>,
    pub(super) buffers: Vec<Buffer>,
    /// The possible continuations of an incomplete binding, for editors.
    pub(super) offered: Offered,
    /// Constants in instructions. Their type depends on the operand that reads them.
    pub(super) literals: Vec<Literal>,
    /// The INT or UINT modifier of the current declaration, if the declaration also needs FLAT.
    pub(super) needs_flat: Option<Span>,
    pub(super) primitives: Primitives,
    pub(super) interpolations: Interpolations,
    /// Whether the program uses `|x|` without the option that adds absolute values. Other features of that
    /// option are then probably meant too.
    pub(super) wants_nv: bool,
}

impl<'t> Arb<'t> {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            options: Options::default(),
            names: Names::default(),
            counts: Counts::new(language),
            blocks: Blocks::default(),
            check: Checker::new(language),
            subroutines: Subroutines::default(),
            buffers: Vec::new(),
            offered: Offered::default(),
            literals: Vec::new(),
            needs_flat: None,
            primitives: Primitives::new(language.stage()),
            interpolations: Interpolations::default(),
            wants_nv: false,
        }
    }

    pub(super) fn is_vertex(&self) -> bool {
        self.language.stage() == Stage::Vertex
    }

    pub(super) fn is_fragment(&self) -> bool {
        self.language.stage() == Stage::Fragment
    }

    /// Whether operations and variables have types.
    pub(super) const fn is_typed(&self) -> bool {
        self.language.profile().typed
    }

    /// The error for `what` at `span`, a feature of `language`, which has another header.
    pub(super) fn newer(&self, code: Code, what: &str, language: Language, span: Span) -> Diagnostic {
        let (header, own) = (language.header(), self.language.header());
        Diagnostic::new(code, span, format!("{what} needs `{header}`; this program is `{own}`")).with_fix(
            format!("change the header to {header}"),
            Span::new(0, own.len()),
            header,
        )
    }

    /// The language with another header that has the feature that `has` tests for. `None` if this language
    /// has the feature.
    pub(super) fn newer_language(&self, has: impl Fn(&Profile) -> bool) -> Option<Language> {
        let profile = self.language.profile();
        let newer = profile.later.iter().copied().find(|later| has(later.profile()))?;
        (!has(profile) && newer.option().is_none()).then_some(newer)
    }

    /// The error for `what` at `span`, a feature of `option`.
    pub(super) fn later(&self, what: &str, option: &str, span: Span) -> Diagnostic {
        self.later_coded(codes::ARB_LATER_FEATURE, what, option, span)
    }

    fn later_coded(&self, code: Code, what: &str, option: &str, span: Span) -> Diagnostic {
        let behind = Span::at(self.language.header().len());
        Diagnostic::new(code.of(self.language), span, format!("{what} needs `OPTION {option};`")).with_fix(
            format!("insert OPTION {option};"),
            behind,
            format!("\nOPTION {option};"),
        )
    }

    /// The option that adds the feature that `has` tests for. `None` if the language has the feature.
    pub(super) fn option_for(&self, has: impl Fn(&Profile) -> bool) -> Option<&'static str> {
        let profile = self.language.profile();
        let later = profile.later.iter().find(|later| has(later.profile()));
        later.filter(|_| !has(profile)).and_then(|later| later.option())
    }

    /// Switches to `language`, if options can extend the current language to it.
    pub(super) fn extend_to(&mut self, language: Language) {
        if self.language.profile().later.contains(&language) {
            self.language = language;
            self.check.extend_to(language);
            for name in language.profile().addresses.registers {
                self.names.insert(name, None, Variable::LoopIndex);
            }
        }
    }
}

pub(super) type Parser<'t> = parser::Parser<'t, Arb<'t>>;

impl<'t> Grammar<'t> for Arb<'t> {
    type Base = Base;
    type Target = ParsedTarget;
    type Extra = Extra<'t>;
    type Keyword = Keyword;

    fn dialect(&self) -> &'static Dialect {
        dialect(self.language)
    }

    fn language(&self) -> Language {
        self.language
    }

    fn role(&self, word: &str) -> Role<Keyword> {
        words::role(self.language, word)
    }

    fn statement_wanted(&self) -> &'static str {
        "an instruction, a declaration or `END`"
    }

    fn keyword_statement(parser: &mut Parser<'t>, keyword: Keyword, at: Span) -> Parse<()> {
        parser.keyword_statement(keyword, at)
    }

    fn base(parser: &mut Parser<'t>, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand<Base>> {
        parser.arb_base(kind, sign)
    }

    fn target(parser: &mut Parser<'t>, info: &Info) -> Parse<ParsedTarget> {
        parser.arb_target(info)
    }

    fn special_operand(
        parser: &mut Parser<'t>,
        kind: OperandKind,
        parsed: &mut ParsedInstruction<'t>,
    ) -> Parse<()> {
        match kind {
            OperandKind::Address => {
                let operand = parser.address_operand(parsed.info.mnemonic)?;
                parsed.operands.push(operand);
            }
            OperandKind::Label => parsed.extra.label = Some(parser.called_label(parsed.mnemonic_span)?),
            OperandKind::SubroutineVariable => parser.called_variable(parsed)?,
            OperandKind::BranchCondition => {
                let mnemonic = parsed.info.mnemonic;
                let label = match (parsed.extra.label.is_some(), parsed.extra.called.is_some()) {
                    (true, _) => " done",
                    (_, true) => " chosen",
                    (false, false) => "",
                };
                let example = format!("{mnemonic}{label} (LT.x);");
                parsed.extra.test = parser.parenthesised_test("a branch", &example)?;
            }
            OperandKind::Condition => parsed.extra.test = Some(parser.bare_test(parsed.info.mnemonic)?),
            OperandKind::VectorOrCondition => {
                // A declared name is a variable, even if the name is spelt like a condition.
                let word = parser.word();
                let rule = matches!(parser.own.role(word), Role::Condition(..));
                if rule && parser.own.names.get(word).is_none() {
                    parsed.extra.test = Some(parser.cc_test()?);
                } else {
                    let operand = parser.operand(OperandKind::Vector)?;
                    parsed.operands.push(operand);
                }
            }
            OperandKind::ExtendedSwizzle => {
                let operand = parser.extended_swizzle(parsed.info)?;
                parsed.operands.push(operand);
            }
            OperandKind::TextureImage => {
                let index = parsed.operands.len() + 1;
                let (texture, offset) = parser.texture_image(parsed.info, index)?;
                parsed.extra.texture = Some(texture);
                parsed.operands.extend(offset);
            }
            OperandKind::ImageUnit => parsed.extra.image = Some(parser.image_unit()?),
            OperandKind::ImageTarget => {
                let target = parser.image_target()?;
                if let Some(image) = &mut parsed.extra.image {
                    image.target = Some(target);
                }
            }
            // The shared parser reads these.
            OperandKind::Vector | OperandKind::OptionalVector | OperandKind::Scalar => {}
        }
        Ok(())
    }

    fn take(&mut self, parsed: ParsedInstruction<'t>, sink: &mut Sink) {
        self.instruction(parsed, sink);
    }

    fn take_broken(&mut self, parsed: &ParsedInstruction<'t>, sink: &mut Sink) {
        self.broken_instruction(parsed, sink);
    }

    fn note_lost_statement(&mut self, word: &str) {
        if isa::find(self.language, "IF").is_some() {
            self.blocks.note_lost(word);
        }
    }

    fn finish_faults(&mut self, length: usize, end: Span, sink: &mut Sink) {
        self.report_open_blocks(end, sink);
        self.report_colors(sink);
        self.report_primitives(length, end, sink);
        self.check.labels.report_unknown(length, sink);
        self.subroutines.report(&self.check.labels, length, sink);
    }

    fn declared(&self) -> Vec<(&'t str, Span)> {
        self.names.declared()
    }

    fn amend_findings(&self, sink: &mut Sink) {
        self.names.mark_late_declarations(codes::ARB_UNDEFINED_NAME, sink);
        self.subroutines.mark_misnamed(sink);
    }

    fn into_program(self) -> Program {
        self.build()
    }

    fn later_instruction(&self, word: &str, span: Span) -> Option<Diagnostic> {
        let keyword = |later: &Language| later.profile().keywords.contains(&word);
        let later = isa::later_language(self.language, word)
            .or_else(|| self.language.profile().later.iter().copied().find(keyword))?;
        Some(match later.option() {
            Some(option) => self.later_coded(codes::ARB_LATER_INSTRUCTION, word, option, span),
            None => self.newer(codes::GPU_LATER_INSTRUCTION, word, later, span),
        })
    }

    fn elsewhere(&self, word: &str) -> Option<Elsewhere> {
        super::elsewhere::elsewhere(self.language, word)
    }

    fn label_number(parser: &mut Parser<'t>, name: &'t str, span: Span) -> Parse<bool> {
        parser.subroutine_number(name, span)
    }

    fn take_label(&mut self, name: &'t str, span: Span, sink: &mut Sink) {
        self.place_label(name, span, sink);
    }

    fn note_broken_label(&mut self) {
        self.check.labels.note_broken();
    }

    fn lacks_labels(&self, span: Span) -> Option<Diagnostic> {
        self.option_for(|profile| profile.labels).map(|option| self.later("a label", option, span))
    }

    fn can_be_label(&self, word: &str) -> bool {
        !words::is_reserved(self.language, word)
    }

    fn reserved_words(&self) -> Option<String> {
        let listed = || words::prefixes(self.language).iter().map(|word| format!("`{word}`"));
        self.is_typed()
            .then(|| format!("Only these words are reserved: {}.", listed().collect::<Vec<_>>().join(", ")))
    }

    fn later_condition(&self, word: &str, span: Span) -> Option<Diagnostic> {
        let has_one = self.language.profile().condition_codes == 1;
        let option = self.option_for(|profile| profile.condition_codes > 1).filter(|_| has_one)?;
        let numbered = words::numbered_condition(self.language, word).is_some();
        numbered.then(|| self.later("a numbered condition code register", option, span))
    }

    fn look_at_sign(parser: &mut Parser<'t>) {
        if parser.token.kind == TokenKind::Bar
            && let Some(option) = parser.own.option_for(|profile| profile.absolute_values)
        {
            let fault = parser.own.later("the absolute value of an operand", option, parser.token.span);
            parser.sink.push(fault.with_note("Use ABS: `ABS a, b;`"));
            parser.own.wants_nv = true;
        }
    }

    fn look_at_test(parser: &mut Parser<'t>) {
        if parser.token.kind == TokenKind::LeftParen
            && let Some(option) = parser.own.option_for(|profile| profile.condition_codes > 0)
        {
            let fault = parser.own.later("a condition code mask", option, parser.token.span);
            parser.sink.push(fault);
            parser.skip_parentheses();
        }
    }
}
