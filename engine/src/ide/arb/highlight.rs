//! Tokens of a line of an ARB program.

use crate::front::arb::Place;
use crate::front::arb::symbols::{Meaning, Reading, Setting, read_binding};
use crate::front::arb::words::{Keyword, is_reserved, prefixes, role};
use crate::front::words::Role;
use crate::ide::highlight::{Token, TokenKind};
use crate::ide::lexicon::{Lexicon, NameKind};
use crate::ide::words::{Word, classify, elsewhere};
use crate::isa::{self, Info, Language, Lookup, OperandKind};
use crate::source::Span;
use crate::syntax::{self, TokenKind as Lexed};

/// A line in colours.
pub(in crate::ide) struct Coloured {
    pub tokens: Vec<Token>,
    /// The binding or texture image unit at the place that was asked about; what has no meaning is at fault. Not all
    /// of them: one can stand for hundreds of parameters.
    pub binding: Option<(Span, Option<Meaning>)>,
}

/// Colours the line that `lexed` are the tokens of; `asked` is the offset at which a binding is looked for.
pub(in crate::ide) fn line(
    line: &[u8],
    lexed: &[syntax::Token],
    lexicon: &Lexicon,
    asked: Option<usize>,
) -> Option<Coloured> {
    let setting = lexicon.setting?;
    let coloured = Coloured { tokens: Vec::with_capacity(lexed.len()), binding: None };
    let mut painter = Painter {
        line,
        lexed,
        lexicon,
        setting,
        asked,
        statement: Statement::Beginning,
        before: None,
        commas: 0,
        braces: 0,
        inside: Inside::Nothing,
        coloured,
    };
    let mut at = 0;
    while let Some(token) = lexed.get(at) {
        at = painter.token(at, *token);
    }
    Some(painter.coloured)
}

/// What is known of the statement that a token stands in.
#[derive(Clone, Copy)]
enum Statement {
    /// Nothing yet: it begins here, or goes on from an earlier line.
    Beginning,
    /// It began on an earlier line.
    Earlier,
    Instruction(&'static Info),
    Declaration(Keyword),
}

/// Brackets and parentheses that are open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    /// The brackets of something whose elements are not known.
    Brackets,
    /// The brackets of an array with so many elements.
    Array(usize),
    Parentheses,
}

struct Painter<'l> {
    line: &'l [u8],
    lexed: &'l [syntax::Token],
    lexicon: &'l Lexicon,
    setting: Setting,
    asked: Option<usize>,
    statement: Statement,
    /// The last significant token.
    before: Option<Lexed>,
    /// Commas of the statement outside of braces.
    commas: usize,
    braces: usize,
    inside: Inside,
    coloured: Coloured,
}

impl<'l> Painter<'l> {
    fn push(&mut self, span: Span, kind: TokenKind) {
        if !span.is_empty() {
            self.coloured.tokens.push(Token { span, kind });
        }
    }

    const fn language(&self) -> Language {
        self.setting.language
    }

    fn text(&self, span: Span) -> &'l str {
        std::str::from_utf8(span.slice(self.line)).unwrap_or_default()
    }

    /// The first significant token from `at` on.
    fn significant(&self, at: usize) -> Option<syntax::Token> {
        let rest = self.lexed.get(at..).unwrap_or_default();
        rest.iter().copied().find(|token| !matches!(token.kind, Lexed::Whitespace | Lexed::Comment))
    }

    fn begin_statement(&mut self) {
        self.statement = Statement::Beginning;
        (self.commas, self.braces, self.inside) = (0, 0, Inside::Nothing);
    }

    /// Colours the token at `at`, and the binding that begins with it, if one does; where to go on.
    fn token(&mut self, at: usize, token: syntax::Token) -> usize {
        let profile = self.language().profile();
        let kind = match token.kind {
            Lexed::Word => return self.word(at, token.span),
            Lexed::Whitespace => TokenKind::Whitespace,
            Lexed::Comment => TokenKind::Comment,
            Lexed::Header => {
                let is_own = token.span.slice(self.line) == self.language().header().as_bytes();
                if is_own { TokenKind::Header } else { TokenKind::Error }
            }
            Lexed::Number => self.number(token.span),
            Lexed::Dimension if self.can_look_up() => TokenKind::TextureTarget,
            Lexed::Dimension | Lexed::BadNumber | Lexed::Unknown | Lexed::EndOfText => TokenKind::Error,
            Lexed::Colon if !profile.labels => TokenKind::Error,
            Lexed::Bar if !profile.absolute_values => TokenKind::Error,
            Lexed::LeftParen | Lexed::RightParen if profile.condition_codes == 0 => TokenKind::Error,
            _ => TokenKind::Punctuation,
        };
        match token.kind {
            Lexed::Semicolon | Lexed::Colon => self.begin_statement(),
            Lexed::Comma if self.braces == 0 => self.commas += 1,
            Lexed::LeftBrace => self.braces += 1,
            Lexed::RightBrace => self.braces = self.braces.saturating_sub(1),
            Lexed::LeftParen => self.inside = Inside::Parentheses,
            Lexed::LeftBracket if !matches!(self.inside, Inside::Array(_)) => self.inside = Inside::Brackets,
            Lexed::RightParen | Lexed::RightBracket => self.inside = Inside::Nothing,
            _ => {}
        }
        if !matches!(token.kind, Lexed::Whitespace | Lexed::Comment | Lexed::Header) {
            self.before = Some(token.kind);
        }
        self.push(token.span, kind);
        at + 1
    }

    /// Whether a texture target can stand here.
    fn can_look_up(&self) -> bool {
        match self.statement {
            Statement::Instruction(info) => info.operands.contains(&OperandKind::TextureImage),
            Statement::Beginning | Statement::Earlier => true,
            Statement::Declaration(_) => false,
        }
    }

    fn number(&self, span: Span) -> TokenKind {
        match self.inside {
            Inside::Array(count) if !matches!(self.before, Some(Lexed::Plus | Lexed::Minus)) => {
                let index: usize = self.text(span).parse().unwrap_or(usize::MAX);
                if index < count { TokenKind::Parameter } else { TokenKind::Error }
            }
            _ => TokenKind::Number,
        }
    }

    fn word(&mut self, at: usize, span: Span) -> usize {
        let before = self.before.replace(Lexed::Word);
        let word = self.text(span);
        if before == Some(Lexed::Dot) {
            let kind = if self.are_letters(word) { TokenKind::Swizzle } else { TokenKind::Error };
            self.push(span, kind);
            return at + 1;
        }
        let begins = matches!(self.statement, Statement::Beginning);
        if begins && self.head(at, span, word) {
            return at + 1;
        }
        if begins {
            self.statement = Statement::Earlier;
        }
        if let Some(next) = self.binding(at, span, word) {
            return next;
        }
        let kind = self.operand(span, word, before).unwrap_or_else(|| {
            // What ends its line may be half a word of a statement that is being typed.
            let half = begins
                && self.significant(at + 1).is_none()
                && matches!(classify(self.language(), word), Word::Name)
                && elsewhere(self.language(), word).is_empty();
            if half { TokenKind::Name } else { TokenKind::Error }
        });
        self.push(span, kind);
        at + 1
    }

    /// Whether `word` is component letters of one set.
    fn are_letters(&self, word: &str) -> bool {
        let from = |set: &str| word.chars().all(|letter| set.contains(letter));
        let colours = self.language().profile().colour_letters;
        word.len() <= 4 && (from("xyzw") || colours && from("rgba"))
    }

    /// Colours a word that can only begin a statement, if it is one.
    fn head(&mut self, at: usize, span: Span, word: &str) -> bool {
        let language = self.language();
        if self.significant(at + 1).is_some_and(|token| token.kind == Lexed::Colon)
            && language.profile().labels
        {
            let legal = !is_reserved(language, word);
            self.push(span, if legal { TokenKind::Label } else { TokenKind::Error });
            return true;
        }
        match role(language, word) {
            Role::Keyword(Keyword::Size(_)) if !language.profile().half_variables => return false,
            Role::Keyword(keyword) => {
                self.statement = Statement::Declaration(keyword);
                self.push(span, TokenKind::Keyword);
            }
            Role::End => self.push(span, TokenKind::Keyword),
            Role::Instruction(info, _) => self.instruction(span, info, TokenKind::Suffix),
            Role::Condition(..) | Role::Other(_) | Role::Name => {
                let Lookup::BadSuffix(info) = isa::lookup(language, word) else { return false };
                if self.lexicon.names.contains_key(word) {
                    return false;
                }
                self.instruction(span, info, TokenKind::Error);
            }
        }
        true
    }

    fn instruction(&mut self, span: Span, info: &'static Info, suffix: TokenKind) {
        self.statement = Statement::Instruction(info);
        let middle = span.start + info.mnemonic.len();
        self.push(Span::new(span.start, middle), TokenKind::Mnemonic);
        self.push(Span::new(middle, span.end), suffix);
    }

    /// What a word is that begins no statement and no binding; nothing if the language has no use for it here.
    fn operand(&mut self, span: Span, word: &str, before: Option<Lexed>) -> Option<TokenKind> {
        let language = self.language();
        if let Statement::Declaration(keyword) = self.statement
            && let Some(kind) = self.declared(keyword, word, before)
        {
            return Some(kind);
        }
        let info = match self.statement {
            Statement::Instruction(info) => Some(info),
            _ => None,
        };
        let takes = |kind| info.is_some_and(|info: &Info| info.operands_in(language).contains(&kind));
        let is_condition =
            matches!(role(language, word), Role::Condition(..)) && language.profile().condition_codes > 0;
        if self.inside == Inside::Parentheses {
            return is_condition.then_some(TokenKind::Condition);
        }
        if takes(OperandKind::Label) {
            return (!is_reserved(language, word)).then_some(TokenKind::Label);
        }
        if let Some(&kind) = self.lexicon.names.get(word) {
            if let NameKind::Array(count) = kind
                && self.bracket_follows(span)
            {
                self.inside = Inside::Array(count);
            }
            return Some(name_kind(kind));
        }
        if is_condition && (takes(OperandKind::Condition) || takes(OperandKind::VectorOrCondition)) {
            return Some(TokenKind::Condition);
        }
        if takes(OperandKind::ExtendedSwizzle)
            && self.commas >= 2
            && word.len() == 1
            && self.are_letters(word)
        {
            return Some(TokenKind::Swizzle);
        }
        let is_target = self.can_look_up() && self.setting.targets().any(|target| target.name() == word);
        is_target.then_some(TokenKind::TextureTarget)
    }

    fn bracket_follows(&self, span: Span) -> bool {
        let next = self.lexed.partition_point(|token| token.span.start < span.end);
        self.significant(next).is_some_and(|token| token.kind == Lexed::LeftBracket)
    }

    /// What a word is behind the keyword of a declaration, if that depends on it.
    fn declared(&mut self, keyword: Keyword, word: &str, before: Option<Lexed>) -> Option<TokenKind> {
        let language = self.language();
        match keyword {
            Keyword::Option => {
                let known = language.profile().options.contains(&word);
                Some(if known { TokenKind::Option } else { TokenKind::Error })
            }
            Keyword::Size(_) if matches!(word, "TEMP" | "OUTPUT") => {
                self.statement =
                    Statement::Declaration(if word == "TEMP" { Keyword::Temp } else { Keyword::Output });
                Some(TokenKind::Keyword)
            }
            Keyword::Size(_) => Some(TokenKind::Error),
            Keyword::Temp
            | Keyword::Address
            | Keyword::Param
            | Keyword::Attrib
            | Keyword::Output
            | Keyword::Alias => {
                let is_new = before == Some(Lexed::Word)
                    || matches!(keyword, Keyword::Temp | Keyword::Address) && before == Some(Lexed::Comma);
                if !is_new {
                    return None;
                }
                if is_reserved(language, word) {
                    return Some(TokenKind::Error);
                }
                Some(self.lexicon.names.get(word).map_or(TokenKind::Name, |kind| name_kind(*kind)))
            }
        }
    }

    /// Colours the binding or texture image unit that begins at `at`, if one does.
    fn binding(&mut self, at: usize, span: Span, word: &str) -> Option<usize> {
        let language = self.language();
        let unit = word == "texture" && self.can_look_up() && language.profile().textures;
        let known = if word == "texture" { unit } else { prefixes(language).contains(&word) };
        let names_binding = self.lexicon.names.contains_key(word) || self.inside == Inside::Parentheses;
        if !known || names_binding {
            return None;
        }
        let end = self.chain_end(at);
        let chain = Span::new(span.start, self.lexed[end - 1].span.end);
        let reading = self.read(chain, unit);
        let whole = !reading.faults.is_empty();
        let length = if whole { chain.len() } else { reading.length };
        let kind = match word {
            "result" => TokenKind::Output,
            "texture" => TokenKind::TextureUnit,
            "state" | "program" => TokenKind::Parameter,
            _ => TokenKind::Attribute,
        };
        let mut next = at;
        while let Some(token) = self.lexed.get(next).filter(|t| t.span.end <= span.start + length) {
            let place = Span::new(token.span.start - span.start, token.span.end - span.start);
            let faulty = reading.faults.iter().any(|f| f.start < place.end && place.start < f.end);
            let shown = self.part(next, *token, kind);
            self.push(token.span, if faulty { TokenKind::Error } else { shown });
            next += 1;
        }
        let bound = Span::new(span.start, span.start + length);
        if self.asked.is_some_and(|offset| bound.contains(offset)) {
            self.coloured.binding = Some((bound, reading.meaning.filter(|_| !whole)));
        }
        Some(next.max(at + 1))
    }

    /// What a token within a binding of `kind` is.
    fn part(&self, at: usize, token: syntax::Token, kind: TokenKind) -> TokenKind {
        match token.kind {
            Lexed::Whitespace => TokenKind::Whitespace,
            Lexed::Number => kind,
            Lexed::Word => {
                let address = |word: &str| self.lexicon.names.get(word) == Some(&NameKind::Address);
                let back =
                    |n: usize| at.checked_sub(n).map(|i| self.text(self.lexed[i].span)).unwrap_or_default();
                if address(self.text(token.span)) {
                    TokenKind::Register
                } else if back(1) == "." && address(back(2)) {
                    TokenKind::Swizzle
                } else {
                    kind
                }
            }
            _ => TokenKind::Punctuation,
        }
    }

    /// The token behind the words, points and brackets that begin at `at`.
    fn chain_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        let mut place = at + 1;
        let mut previous = Lexed::Word;
        let mut open = false;
        while let Some(token) = self.lexed.get(place) {
            match token.kind {
                Lexed::Whitespace => {
                    place += 1;
                    continue;
                }
                Lexed::Word | Lexed::BadNumber if previous == Lexed::Dot || open => {}
                Lexed::Dot if previous != Lexed::Dot => {}
                Lexed::LeftBracket if !open => open = true,
                Lexed::RightBracket if open => open = false,
                Lexed::Number | Lexed::DotDot | Lexed::Plus | Lexed::Minus if open => {}
                _ => break,
            }
            previous = token.kind;
            place += 1;
            end = place;
        }
        end
    }

    /// Reads the binding in `chain` as it is where it stands.
    fn read(&self, chain: Span, unit: bool) -> Reading {
        let text = self.text(chain);
        let read = |place| read_binding(self.setting, self.lexicon.addresses(), text, place);
        match self.statement {
            Statement::Declaration(_) if self.braces > 0 => read(Place::Element),
            Statement::Declaration(_) => read(Place::Declaration),
            Statement::Instruction(_) => read(Place::Operand),
            // It may be an operand or in the list of an array.
            Statement::Beginning | Statement::Earlier => {
                let operand = read(Place::Operand);
                if unit || operand.meaning.is_some() && operand.faults.is_empty() {
                    return operand;
                }
                let element = read(Place::Element);
                if element.faults.is_empty() { element } else { operand }
            }
        }
    }
}

const fn name_kind(kind: NameKind) -> TokenKind {
    match kind {
        NameKind::Temporary | NameKind::Address => TokenKind::Register,
        NameKind::Attribute => TokenKind::Attribute,
        NameKind::Parameter | NameKind::Array(_) => TokenKind::Parameter,
        NameKind::Output => TokenKind::Output,
        NameKind::Unknown => TokenKind::Name,
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::TokenKind::{self, *};
    use crate::ide::highlight;

    /// The last line of `text` in colours, without spaces and punctuation.
    fn last_line(text: &str) -> Vec<(&str, TokenKind)> {
        let start = text.rfind('\n').map_or(0, |place| place + 1);
        highlight(text.as_bytes())
            .into_iter()
            .filter(|token| token.span.start >= start && !matches!(token.kind, Whitespace | Punctuation))
            .map(|token| (&text[token.span.start..token.span.end], token.kind))
            .collect()
    }

    fn errors(text: &str) -> Vec<&str> {
        last_line(text).into_iter().filter(|(_, kind)| *kind == Error).map(|(word, _)| word).collect()
    }

    const NAMES: &str = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP reg;\nPARAM rows[2] = { program.env[0..1] };\n\
        PARAM k = 2;\nATTRIB tint = fragment.color;\nOUTPUT out = result.color;\nALIAS too = k;\n";

    #[test]
    fn declarations_in_all_their_parts() {
        assert_eq!(
            last_line(
                "!!ARBfp1.0\nOPTION ARB_fog_exp; TEMP a, b; PARAM m[4] = { state.matrix.mvp.inverse }; # why"
            ),
            [
                ("OPTION", Keyword),
                ("ARB_fog_exp", Option),
                ("TEMP", Keyword),
                ("a", Register),
                ("b", Register),
                ("PARAM", Keyword),
                ("m", Parameter),
                ("4", Number),
                ("state", Parameter),
                ("matrix", Parameter),
                ("mvp", Parameter),
                ("inverse", Parameter),
                ("# why", Comment),
            ]
        );
        assert_eq!(
            last_line(
                "!!ARBvp1.0\nATTRIB n = vertex.attrib[3]; ADDRESS A; OUTPUT o = result.texcoord[1]; ALIAS p = n;"
            ),
            [
                ("ATTRIB", Keyword),
                ("n", Attribute),
                ("vertex", Attribute),
                ("attrib", Attribute),
                ("3", Attribute),
                ("ADDRESS", Keyword),
                ("A", Register),
                ("OUTPUT", Keyword),
                ("o", Output),
                ("result", Output),
                ("texcoord", Output),
                ("1", Output),
                ("ALIAS", Keyword),
                ("p", Attribute),
                ("n", Attribute),
            ]
        );
        let short = "!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT TEMP h; LONG OUTPUT o = result.depth;";
        assert_eq!(last_line(short)[..3], [("SHORT", Keyword), ("TEMP", Keyword), ("h", Register)]);
        assert_eq!(last_line(short)[3..5], [("LONG", Keyword), ("OUTPUT", Keyword)]);
    }

    #[test]
    fn instructions_in_all_their_parts() {
        assert_eq!(
            last_line(&format!(
                "{NAMES}MADRC_SSAT reg.xyz (GT.x), -|tint.bgra|, rows[1], {{1, 2}}; MOV out, too;"
            )),
            [
                ("MAD", Mnemonic),
                ("RC_SSAT", Suffix),
                ("reg", Register),
                ("xyz", Swizzle),
                ("GT", Condition),
                ("x", Swizzle),
                ("tint", Attribute),
                ("bgra", Swizzle),
                ("rows", Parameter),
                ("1", Parameter),
                ("1", Number),
                ("2", Number),
                ("MOV", Mnemonic),
                ("out", Output),
                ("too", Parameter),
            ]
        );
        assert_eq!(
            last_line(&format!(
                "{NAMES}TEX reg, fragment.texcoord[2].xyxy, texture[3], CUBE; TEX reg, k, texture, 2D;"
            )),
            [
                ("TEX", Mnemonic),
                ("reg", Register),
                ("fragment", Attribute),
                ("texcoord", Attribute),
                ("2", Attribute),
                ("xyxy", Swizzle),
                ("texture", TextureUnit),
                ("3", TextureUnit),
                ("CUBE", TextureTarget),
                ("TEX", Mnemonic),
                ("reg", Register),
                ("k", Parameter),
                ("texture", TextureUnit),
                ("2D", TextureTarget),
            ]
        );
        assert_eq!(
            last_line(&format!(
                "{NAMES}sub: IF NE.x; CAL sub (LT); ELSE; SWZ reg, k, -x, 0, y, 1; ENDIF; END"
            )),
            [
                ("sub", Label),
                ("IF", Mnemonic),
                ("NE", Condition),
                ("x", Swizzle),
                ("CAL", Mnemonic),
                ("sub", Label),
                ("LT", Condition),
                ("ELSE", Mnemonic),
                ("SWZ", Mnemonic),
                ("reg", Register),
                ("k", Parameter),
                ("x", Swizzle),
                ("0", Number),
                ("y", Swizzle),
                ("1", Number),
                ("ENDIF", Mnemonic),
                ("END", Keyword),
            ]
        );
        let vertex = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS A;\nMOVC1 result.texcoord[A.x+1].x (EQ1), vertex.attrib[A.y];";
        assert_eq!(
            last_line(vertex),
            [
                ("MOV", Mnemonic),
                ("C1", Suffix),
                ("result", Output),
                ("texcoord", Output),
                ("A", Register),
                ("x", Swizzle),
                ("1", Output),
                ("x", Swizzle),
                ("EQ1", Condition),
                ("vertex", Attribute),
                ("attrib", Attribute),
                ("A", Register),
                ("y", Swizzle),
            ]
        );
    }

    #[test]
    fn a_statement_may_go_on_over_lines() {
        let list = "!!ARBvp1.0\nPARAM m[] = {\n  state.matrix.mvp, program.local[0..2] };";
        assert_eq!(errors(list), Vec::<&str>::new());
        assert_eq!(
            errors(&format!("{NAMES}MAD reg,\n  tint, k, fragment.color.secondary.x;")),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn faults_stand_out() {
        let plain = |line: &str| format!("!!ARBfp1.0\nTEMP a;\n{line}");
        assert_eq!(errors(&plain("MOV a, nothing;")), ["nothing"]);
        assert_eq!(errors(&plain("MOV a, state.fog.colour;")), ["colour"]);
        assert_eq!(errors(&plain("MOV a, state.light[9].half;")), ["9"]);
        assert_eq!(errors(&plain("MOV a, fragment.facing;")), ["facing"]);
        assert_eq!(errors(&plain("MOVC a, |a|;")), ["C", "|", "|"]);
        assert_eq!(errors(&plain("MOV a (GT), a;")), ["(", "GT", ")"]);
        assert_eq!(errors(&plain("DDX a, a;")), ["DDX"]);
        assert_eq!(errors(&plain("OPTION ARB_position_invariant;")), ["ARB_position_invariant"]);
        assert_eq!(errors(&plain("TEX a, a, texture[16], SHADOW2D;")), ["16", "SHADOW2D"]);
        assert_eq!(errors(&plain("TEMP ADD, b; MOV a.xg, a;")), ["ADD", "xg"]);
        assert_eq!(errors(&plain("here: MOV a, vertex.color;")), ["here", ":", "vertex", "color"]);
        assert_eq!(errors(&format!("{NAMES}MOV reg, rows[2]; MOV reg, FAIL;")), ["2", "FAIL"]);
        assert_eq!(errors("!!ARBvp1.0\nADDRESS A;\nMOV result.color.rgb, vertex.weight;"), ["rgb", "weight"]);
        // Half a word is none.
        assert_eq!(last_line(&plain("MO")), [("MO", Name)]);
    }

    #[test]
    fn options_decide_what_is_legal() {
        let line = |option: &str, line: &str| format!("!!ARBfp1.0\n{option}TEMP a;\n{line}");
        let shadow = "TEX a, a, texture[0], SHADOW2D;";
        assert_eq!(errors(&line("OPTION ARB_fragment_program_shadow;\n", shadow)), Vec::<&str>::new());
        let colour = "MOV result.color[1], a;";
        assert_eq!(errors(&line("OPTION ARB_draw_buffers;\n", colour)), Vec::<&str>::new());
        assert!(!errors(&line("", colour)).is_empty());
        let nv = "DDXH a, fragment.position;";
        assert_eq!(errors(&line("OPTION NV_fragment_program;\n", nv)), Vec::<&str>::new());
        // Without IF its condition is but a name that nothing declares.
        assert_eq!(errors(&line("OPTION NV_fragment_program;\n", "IF GT;")), ["IF", "GT"]);
    }
}
