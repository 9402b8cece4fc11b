//! The outline of a program, for jumping to a place: options, names, section comments, labels, blocks,
//! textures and outputs.

use std::collections::HashMap;

use super::words::{self, Array, Word, classify};
use shadestep_language::front::{language_with_options, lossy};
use shadestep_language::isa::{BlockEdge, Info, Language, OperandKind, ResultKind, Stage};
use shadestep_language::source::Span;
use shadestep_language::syntax::{Lexer, TokenKind};

/// The kind of an outline entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    /// The first line of a run of comment lines.
    Section,
    /// A name from `DEFINE`, or from `PARAM` for a constant.
    Constant,
    /// A name from `DECLARE`, `BUFFER`, `BUFFER4` or `CBUFFER`, or from `PARAM` for a value that is set from
    /// outside.
    Parameter,
    /// A name from `ATTRIB`.
    Attribute,
    /// A name from `TEMP`.
    Temporary,
    /// A name from `ADDRESS`.
    Address,
    /// `IF`, `LOOP` or `REP`.
    Block,
    /// The first lookup on a texture image unit.
    Texture,
    /// The first write to an output register or, in a state program, to a parameter; a name from `OUTPUT`.
    Output,
    /// A label: a subroutine or a branch target.
    Label,
    /// A program option.
    Option,
}

/// One entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    pub kind: OutlineKind,
    /// The name, unit, register, label or comment.
    pub title: String,
    /// A value, target, instruction or number of uses; can be empty.
    pub detail: String,
    /// The place to jump to.
    pub span: Span,
}

/// The outline of a program text, which may have errors, in text order. A text without a language has only
/// sections.
pub fn outline(text: &[u8]) -> Vec<OutlineItem> {
    let language = language_with_options(text);
    let mut items: Vec<OutlineItem> = Vec::new();
    let mut label_uses: HashMap<&str, usize> = HashMap::new();
    let mut statement: Vec<(TokenKind, Span)> = Vec::new();
    // Whether the line so far is blank, and whether the previous line was a comment.
    let mut line_is_blank = true;
    let mut after_comment = false;
    for token in Lexer::new(text) {
        match token.kind {
            TokenKind::Whitespace => {
                let breaks = token.span.slice(text).iter().filter(|b| **b == b'\n').count();
                line_is_blank |= breaks > 0;
                after_comment &= breaks < 2;
            }
            TokenKind::Comment => {
                let words = lossy(token.span.slice(text));
                let title =
                    words.trim_matches(|c: char| c == '#' || c == '-' || c == '=' || c.is_whitespace());
                if line_is_blank && !after_comment && statement.is_empty() && !title.is_empty() {
                    let title = title.chars().take(80).collect();
                    let item = OutlineItem {
                        kind: OutlineKind::Section,
                        title,
                        detail: String::new(),
                        span: token.span,
                    };
                    items.push(item);
                }
                after_comment |= line_is_blank;
                line_is_blank = false;
            }
            TokenKind::Colon if language.is_some_and(|language| language.profile().labels) => {
                // `(n)` can follow the name of a numbered subroutine.
                let numbered = statement.len() == 5 && statement[1].0 == TokenKind::Word;
                if let Some(&(TokenKind::Word, name)) =
                    statement.first().filter(|_| statement.len() == 1 || numbered)
                {
                    let title = lossy(name.slice(text));
                    let detail = String::new();
                    items.push(OutlineItem { kind: OutlineKind::Label, title, detail, span: name });
                }
                statement.clear();
                (line_is_blank, after_comment) = (false, false);
            }
            TokenKind::Semicolon => {
                if let Some(language) = language {
                    let statement = Statement { text, language, tokens: &statement };
                    statement.add_items(&mut items);
                    if let Some(label) = statement.branch_label() {
                        *label_uses.entry(label).or_default() += 1;
                    }
                }
                statement.clear();
                (line_is_blank, after_comment) = (false, false);
            }
            kind => {
                // No statement needs more tokens. The limit keeps a text without semicolons from using much
                // memory.
                if statement.len() < 128 {
                    statement.push((kind, token.span));
                }
                (line_is_blank, after_comment) = (false, false);
                if kind == TokenKind::Header {
                    statement.clear();
                }
            }
        }
    }
    for item in items.iter_mut().filter(|item| item.kind == OutlineKind::Label) {
        item.detail = match label_uses.get(item.title.as_str()) {
            None if item.title == words::MAIN => "start of the program".to_owned(),
            None => "not used".to_owned(),
            Some(1) => "used once".to_owned(),
            Some(count) => format!("used {count} times"),
        };
    }
    items
}

/// The significant tokens of a statement, without its `;`.
struct Statement<'s, 't> {
    text: &'t [u8],
    language: Language,
    tokens: &'s [(TokenKind, Span)],
}

impl<'t> Statement<'_, 't> {
    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|(kind, _)| *kind)
    }

    fn word(&self, index: usize) -> &'t str {
        let word =
            self.tokens.get(index).and_then(|(_, span)| std::str::from_utf8(span.slice(self.text)).ok());
        word.unwrap_or_default()
    }

    fn classify(&self, index: usize) -> Word {
        classify(self.language, self.word(index))
    }

    /// The text from a token on, as one line.
    fn rest(&self, index: usize) -> String {
        let rest = self.span(index, self.tokens.len());
        lossy(rest.slice(self.text)).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The target label of a branch.
    fn branch_label(&self) -> Option<&'t str> {
        match self.classify(0) {
            Word::Instruction(info) if info.operands.first() == Some(&OperandKind::Label) => {
                (self.kind(1) == Some(TokenKind::Word)).then(|| self.word(1))
            }
            _ => None,
        }
    }

    /// Adds the outline entries of the statement.
    fn add_items(&self, items: &mut Vec<OutlineItem>) {
        match self.classify(0) {
            Word::Keyword(_) => {
                // Skip the modifiers of variables.
                let keywords = (0..self.tokens.len()).map_while(|place| match self.classify(place) {
                    Word::Keyword(keyword) => Some((keyword, place + 1)),
                    _ => None,
                });
                if let Some((keyword, first)) = keywords.last() {
                    self.declaration(keyword, first, items);
                }
            }
            Word::Instruction(info) => self.instruction(info, items),
            _ => {}
        }
    }

    /// Adds the names that `keyword` declares. The names begin at `first`.
    fn declaration(&self, keyword: &str, first: usize, items: &mut Vec<OutlineItem>) {
        let equals = self.tokens.iter().position(|(kind, _)| *kind == TokenKind::Equals);
        let detail = equals.map_or_else(String::new, |equals| self.rest(equals + 1));
        let is_bound = ["state", "program"].iter().any(|word| detail.contains(word));
        let kind = match keyword {
            "OPTION" => OutlineKind::Option,
            "TEMP" => OutlineKind::Temporary,
            "ADDRESS" => OutlineKind::Address,
            "ATTRIB" => OutlineKind::Attribute,
            "OUTPUT" => OutlineKind::Output,
            "DECLARE" | "BUFFER" | "BUFFER4" | "CBUFFER" => OutlineKind::Parameter,
            "PARAM" if is_bound => OutlineKind::Parameter,
            "DEFINE" | "PARAM" => OutlineKind::Constant,
            _ => return,
        };
        let count = if matches!(keyword, "TEMP" | "ADDRESS") { usize::MAX } else { 1 };
        let listed = self.tokens.iter().skip(first);
        let listed = listed.take_while(|(kind, _)| matches!(kind, TokenKind::Word | TokenKind::Comma));
        for (_, name) in listed.filter(|(kind, _)| *kind == TokenKind::Word).take(count) {
            // If a statement declares only one name, the target is the whole statement.
            let whole = !self.language.profile().declares_variables();
            let span = if whole { self.span(0, self.tokens.len()) } else { *name };
            items.push(OutlineItem {
                kind,
                title: lossy(name.slice(self.text)),
                detail: detail.clone(),
                span,
            });
        }
    }

    fn instruction(&self, info: &Info, items: &mut Vec<OutlineItem>) {
        if matches!(info.action.edge(), Some(BlockEdge::Opens(_))) {
            let (title, detail) = (info.mnemonic.to_owned(), self.rest(1));
            items.push(OutlineItem { kind: OutlineKind::Block, title, detail, span: self.span(0, 1) });
        }
        let mut add_first = |kind, start: usize, end: usize, detail: &str| {
            let title: String = (start..end).map(|index| self.word(index)).collect();
            if !items.iter().any(|item| item.kind == kind && item.title == title) {
                let span = self.span(start, end);
                items.push(OutlineItem { kind, title, detail: detail.to_owned(), span });
            }
        };
        if info.result != ResultKind::None && self.is_result(1) {
            let mut end = self.chain_end(1);
            // A write mask is not part of the name.
            let letters = self.word(end - 1).bytes().all(|letter| b"xyzwrgba".contains(&letter));
            if letters && end > 4 && self.kind(end - 2) == Some(TokenKind::Dot) {
                end -= 1;
            }
            if self.kind(end - 1) == Some(TokenKind::Dot) {
                end -= 1;
            }
            add_first(OutlineKind::Output, 1, end, self.word(0));
        }
        if info.operands_in(self.language).contains(&OperandKind::TextureImage) {
            let is_unit = |place: &usize| {
                self.kind(place - 1) == Some(TokenKind::Comma)
                    && words::is_texture_unit(self.language, self.word(*place))
            };
            for place in (2..self.tokens.len()).filter(is_unit) {
                let end = self.chain_end(place);
                add_first(OutlineKind::Texture, place, end, self.word(end + 1));
            }
        }
    }

    /// Whether a result without an OUTPUT name begins here. State programs write parameters.
    fn is_result(&self, index: usize) -> bool {
        match self.classify(index) {
            Word::Array(Array::Outputs) => true,
            Word::Array(Array::Parameters) => self.language.stage() == Stage::VertexState,
            Word::Binding => self.word(index) == "result",
            _ => false,
        }
    }

    /// Index of the token after the words, dots and brackets that begin at `start`.
    fn chain_end(&self, start: usize) -> usize {
        let mut open = false;
        let mut belongs = |(kind, _): &&(TokenKind, Span)| match kind {
            TokenKind::LeftBracket | TokenKind::RightBracket => {
                open = *kind == TokenKind::LeftBracket;
                true
            }
            TokenKind::Word | TokenKind::Dot => true,
            TokenKind::Number | TokenKind::Plus | TokenKind::Minus => open,
            _ => false,
        };
        start + self.tokens.iter().skip(start).take_while(|token| belongs(token)).count()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        match self.tokens.get(start..end) {
            Some([(_, first), .., (_, last)]) => first.to(*last),
            Some([(_, only)]) => *only,
            _ => Span::at(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_textures_outputs_and_sections() {
        let text = b"!!FP1.0\n# Setup\n# more\nDEFINE pi = 3.14;\nDECLARE tint = {1,\n 2};\nDECLARE k; # not a section\n\n\
            ### Lookup ###\nTEX R0, f[TEX1], TEX3, CUBE;\nTEX R1, f[TEX1], TEX3, CUBE;\nMOV o[COLR], R0;\nEND";
        let found: Vec<_> = outline(text).into_iter().map(|i| (i.kind, i.title, i.detail)).collect();
        let expected = [
            (OutlineKind::Section, "Setup", ""),
            (OutlineKind::Constant, "pi", "3.14"),
            (OutlineKind::Parameter, "tint", "{1, 2}"),
            (OutlineKind::Parameter, "k", ""),
            (OutlineKind::Section, "Lookup", ""),
            (OutlineKind::Texture, "TEX3", "CUBE"),
            (OutlineKind::Output, "o[COLR]", "MOV"),
        ]
        .map(|(kind, title, detail)| (kind, title.to_owned(), detail.to_owned()));
        assert_eq!(found, expected);
    }

    fn found(text: &str) -> Vec<(OutlineKind, String, String)> {
        outline(text.as_bytes()).into_iter().map(|i| (i.kind, i.title, i.detail)).collect()
    }

    #[test]
    fn labels_options_and_results() {
        let text = "!!VP2.0\nOPTION NV_position_invariant;\nmain: CAL lit (GT);\nCAL lit; BRA end;\nlit:\nMOV o[COL0].x, R0;\nRET;\nidle: end : END";
        let expected = [
            (OutlineKind::Option, "NV_position_invariant", ""),
            (OutlineKind::Label, "main", "start of the program"),
            (OutlineKind::Label, "lit", "used 2 times"),
            (OutlineKind::Output, "o[COL0]", "MOV"),
            (OutlineKind::Label, "idle", "not used"),
            (OutlineKind::Label, "end", "used once"),
        ]
        .map(|(kind, title, detail)| (kind, title.to_owned(), detail.to_owned()));
        assert_eq!(found(text), expected);
        // Before !!VP2.0 there are no labels. State programs write parameters.
        assert_eq!(found("!!VP1.1 here: MOV o[HPOS], v[0]; END"), []);
        assert_eq!(
            found("!!VSP1.0 MOV R0, c[1]; MOV c[7].x, R0; END"),
            [(OutlineKind::Output, "c[7]".to_owned(), "MOV".to_owned())]
        );
        assert_eq!(found("# Notes\nDEFINE x = 1;").len(), 1);
    }

    #[test]
    fn broken_text_has_an_outline_of_what_is_left() {
        assert_eq!(
            found("!!FP1.0;;;DEFINE;DECLARE =;MOV o;TEX TEX0;"),
            [(OutlineKind::Output, "o".to_owned(), "MOV".to_owned())]
        );
        for text in ["", ";;;", "!!FP1.0 DEFINE", "\u{e9};", "!!VP2.0 :::", "!!VP2.0 BRA;a b:"] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn declarations_blocks_lookups_and_results_of_arb_programs() {
        let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\n# Names\nSHORT TEMP a, b;\nATTRIB c = fragment.color;\n\
            PARAM k = {1,\n 2};\nPARAM m[4] = { state.matrix.mvp };\nOUTPUT out = result.color;\n\
            IF GT.x;\nTEX a, c, texture[2], CUBE;\nTXP b, c, texture[2], CUBE;\nENDIF;\nREP k;\nBRK (EQ.x);\nENDREP;\n\
            MOV result.depth.z, a;\nCAL sub;\nMOV out, a;\nRET;\nsub: RET;\nEND";
        let found: Vec<_> =
            outline(text.as_bytes()).into_iter().map(|i| (i.kind, i.title, i.detail)).collect();
        let expected = [
            (OutlineKind::Option, "NV_fragment_program2", ""),
            (OutlineKind::Section, "Names", ""),
            (OutlineKind::Temporary, "a", ""),
            (OutlineKind::Temporary, "b", ""),
            (OutlineKind::Attribute, "c", "fragment.color"),
            (OutlineKind::Constant, "k", "{1, 2}"),
            (OutlineKind::Parameter, "m", "{ state.matrix.mvp }"),
            (OutlineKind::Output, "out", "result.color"),
            (OutlineKind::Block, "IF", "GT.x"),
            (OutlineKind::Texture, "texture[2]", "CUBE"),
            (OutlineKind::Block, "REP", "k"),
            (OutlineKind::Output, "result.depth", "MOV"),
            (OutlineKind::Label, "sub", "used once"),
        ]
        .map(|(kind, title, detail)| (kind, title.to_owned(), detail.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn broken_arb_statements_are_left_out() {
        for text in
            ["!!ARBfp1.0\nTEMP;", "!!ARBfp1.0;;\nMOV;", "!!ARBvp1.0\nPARAM = ;", "!!ARBvp1.0\nwhat: TEX;"]
        {
            assert_eq!(outline(text.as_bytes()), [], "{text}");
        }
    }
}
