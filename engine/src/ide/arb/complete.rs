//! What could be written at a place of an ARB program.

use super::meaning::describe;
use crate::front::arb::symbols::{Meaning, Setting, Symbols, read_binding, symbols_of};
use crate::front::arb::words::{numbered_condition, prefixes};
use crate::front::arb::{Place, words as grammar};
use crate::front::lossy;
use crate::front::words::Role;
use crate::ide::complete::{self, Completion, Context, Wanted};
use crate::ir::{Attribute, Condition, IMAGE_UNITS, OutputRole, ParameterSource, VertexResult, limits};
use crate::isa::{Addresses, Info, Language, OperandKind, Profile, ResultKind, Stage};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

/// What could be written at byte `offset` of `text`, which begins with the header of `language`.
pub(in crate::ide) fn completions(
    text: &[u8],
    offset: usize,
    language: Language,
    context: &Context,
) -> Vec<Completion> {
    let symbols = symbols_of(text, language);
    let offered = Offered { text, symbols: &symbols, context };
    let prefix = lossy(Span::new(context.replace.start, offset).slice(text)).to_ascii_lowercase();
    let mut found = Vec::new();
    offered.offer(&mut |label: String, detail: &str| {
        if label.to_ascii_lowercase().starts_with(&prefix) {
            found.push(Completion { label, detail: detail.to_owned(), replace: context.replace });
        }
    });
    found
}

struct Offered<'t> {
    text: &'t [u8],
    symbols: &'t Symbols,
    context: &'t Context,
}

/// The kinds of names that can stand at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Readable,
    Writable,
    Addresses,
    All,
}

impl Offered<'_> {
    const fn setting(&self) -> Setting {
        self.symbols.setting
    }

    const fn language(&self) -> Language {
        self.symbols.setting.language
    }

    const fn profile(&self) -> &'static Profile {
        self.symbols.setting.language.profile()
    }

    fn word(&self, token: Token) -> String {
        lossy(token.span.slice(self.text))
    }

    /// The token so many before the word that is being typed.
    fn back(&self, n: usize) -> Option<Token> {
        self.context.statement.iter().rev().nth(n).copied()
    }

    fn addresses(&self) -> impl Iterator<Item = &str> {
        let declared = self.symbols.names.iter();
        declared.filter(|(_, d)| d.meaning == Meaning::Address).map(|(name, _)| name.as_str())
    }

    fn offer(&self, add: &mut impl FnMut(String, &str)) {
        let Some(first) = self.context.statement.first() else {
            complete::statements(self.language(), add);
            return;
        };
        if self.parts(add) {
            return;
        }
        match self.back(0).map(|token| token.kind) {
            Some(TokenKind::Dot) => {
                self.components(add);
                return;
            }
            Some(TokenKind::LeftBracket) => {
                self.elements(add);
                return;
            }
            Some(TokenKind::LeftParen) => {
                self.conditions(add);
                return;
            }
            _ => {}
        }
        match grammar::role(self.language(), &self.word(*first)) {
            Role::Instruction(info, _) => self.operand(info, add),
            Role::Keyword(keyword) => self.declaration(keyword, add),
            _ => {}
        }
    }

    /// Offers the next part of the binding that ends before the word, if there is one; whether there is.
    fn parts(&self, add: &mut impl FnMut(String, &str)) -> bool {
        let Some(text) = self.binding_before() else { return false };
        let setting = self.setting();
        let read = |text: &str, place| read_binding(setting, self.addresses(), text, place);
        let place = if self.is_list() { Place::Element } else { Place::Declaration };
        let offered = read(&text, place).offered;
        for word in &offered.words {
            let whole = format!("{text}{word}");
            let reading = read(&whole, place);
            // What is at fault right there is not to be had in this program.
            if reading.faults.iter().any(|fault| fault.start >= text.len()) {
                continue;
            }
            let detail = reading.meaning.map(|meaning| describe(setting.language, &meaning).0);
            add((*word).to_owned(), detail.as_deref().unwrap_or(kind_of(&text)));
        }
        for number in 0..offered.numbers {
            add(number.to_string(), "number");
        }
        if offered.numbers > 0 {
            self.indices(&text, add);
        }
        let whole = text.strip_suffix('.').map(|text| read(text, Place::Operand));
        if whole.is_some_and(|whole| whole.meaning.is_some() && whole.faults.is_empty())
            && self.in_instruction()
        {
            self.components(add);
            return true;
        }
        !offered.words.is_empty() || offered.numbers > 0
    }

    fn in_instruction(&self) -> bool {
        let first = self.context.statement.first().map(|token| self.word(*token)).unwrap_or_default();
        matches!(grammar::role(self.language(), &first), Role::Instruction(..))
    }

    /// Address registers for the brackets at the end of `text`, where they can choose.
    fn indices(&self, text: &str, add: &mut impl FnMut(String, &str)) {
        let chooses = self.profile().addresses.chooses;
        let choosable = match text {
            "vertex.attrib[" | "vertex.texcoord[" | "fragment.texcoord[" => chooses.attributes,
            "result.texcoord[" => chooses.results,
            _ => false,
        };
        if choosable {
            self.address_components(add);
        }
    }

    fn address_components(&self, add: &mut impl FnMut(String, &str)) {
        let Addresses { registers, components, .. } = self.profile().addresses;
        for name in registers {
            add(format!("{name}.x"), "index of the LOOP");
        }
        for name in self.addresses() {
            for component in components.chars() {
                add(format!("{name}.{component}"), "relative");
            }
        }
    }

    /// The words, points and brackets right before the word, from the first word of bindings on.
    fn binding_before(&self) -> Option<String> {
        let statement = &self.context.statement;
        let is_part = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Word
                    | TokenKind::Dot
                    | TokenKind::LeftBracket
                    | TokenKind::RightBracket
                    | TokenKind::Number
                    | TokenKind::DotDot
            )
        };
        if !matches!(statement.last()?.kind, TokenKind::Dot | TokenKind::LeftBracket | TokenKind::DotDot) {
            return None;
        }
        let count = statement.iter().rev().take_while(|token| is_part(token)).count();
        let chain = &statement[statement.len() - count..];
        let begins = |token: &Token| {
            let word = self.word(*token);
            token.kind == TokenKind::Word
                && !self.symbols.names.contains_key(&word)
                && (prefixes(self.language()).contains(&word.as_str())
                    || word == "texture" && self.profile().textures)
        };
        let is_start = |place: usize| {
            let before = place.checked_sub(1).and_then(|before| chain.get(before));
            before.is_none_or(|before| before.kind == TokenKind::Word) && begins(&chain[place])
        };
        let start = (0..chain.len()).rev().find(|&place| is_start(place))?;
        Some(chain[start..].iter().map(|token| self.word(*token)).collect())
    }

    /// Whether the word stands in the list of an array.
    fn is_list(&self) -> bool {
        let depth = self.context.statement.iter().fold(0_i32, |depth, token| match token.kind {
            TokenKind::LeftBrace => depth + 1,
            TokenKind::RightBrace => depth - 1,
            _ => depth,
        });
        depth > 0
    }

    /// Component letters; an address register in brackets has one.
    fn components(&self, add: &mut impl FnMut(String, &str)) {
        let name = self.back(1).map(|token| self.word(token)).unwrap_or_default();
        let meaning = self.symbols.names.get(&name).map(|declared| &declared.meaning);
        let is_address = matches!(meaning, Some(Meaning::Address | Meaning::LoopIndex));
        let address = self.profile().addresses.components;
        let index = self.back(2).is_some_and(|token| token.kind == TokenKind::LeftBracket);
        let known = if is_address { address } else { "xyzw" };
        for letter in known.chars() {
            add(letter.to_string(), "components");
        }
        if known.len() > 1 && !index {
            for several in ["xyz", "xyzw"] {
                add(several.to_owned(), "components");
            }
            for several in
                ["r", "g", "b", "a", "rgb", "rgba"].into_iter().filter(|_| self.profile().colour_letters)
            {
                add(several.to_owned(), "components");
            }
        }
    }

    /// What can stand in the brackets behind a declared array.
    fn elements(&self, add: &mut impl FnMut(String, &str)) {
        let Some(name) = self.back(1).map(|token| self.word(token)) else { return };
        let Some(declared) = self.symbols.names.get(&name) else { return };
        let Meaning::Parameters(elements) = &declared.meaning else { return };
        for (number, element) in elements.iter().enumerate() {
            let detail = element.name_in(self.language()).unwrap_or_else(|| "constant".to_owned());
            add(number.to_string(), &detail);
        }
        if self.profile().addresses.chooses.parameters {
            self.address_components(add);
        }
    }

    fn conditions(&self, add: &mut impl FnMut(String, &str)) {
        let numbers: &[&str] = match self.profile().condition_codes {
            0 => return,
            1 => &[""],
            _ => &["", "0", "1"],
        };
        for number in numbers {
            for condition in Condition::ALL {
                let name = format!("{}{number}", condition.name());
                if numbered_condition(&name).is_some() {
                    add(name, "condition rule");
                }
            }
        }
    }

    fn declaration(&self, keyword: grammar::Keyword, add: &mut impl FnMut(String, &str)) {
        use grammar::Keyword;
        let assigned = self.context.statement.iter().any(|token| token.kind == TokenKind::Equals);
        let begins_value = self.back(0).is_some_and(|token| {
            matches!(token.kind, TokenKind::Equals | TokenKind::LeftBrace | TokenKind::Comma)
        });
        match keyword {
            Keyword::Option if self.context.statement.len() == 1 => {
                for name in self.profile().options {
                    add((*name).to_owned(), "program option");
                }
            }
            Keyword::Size(_) if self.context.statement.len() == 1 => {
                for name in ["TEMP", "OUTPUT"] {
                    add(name.to_owned(), "declaration");
                }
            }
            _ if !assigned || !begins_value => {}
            Keyword::Attrib => self.attributes(add),
            Keyword::Output | Keyword::Size(_) => self.results(add),
            Keyword::Param => self.parameters(add),
            Keyword::Alias => self.names(Names::All, add),
            Keyword::Option | Keyword::Temp | Keyword::Address => {}
        }
    }

    fn attributes(&self, add: &mut impl FnMut(String, &str)) {
        for attribute in Attribute::of_language(self.language()) {
            let name = attribute.register_in(self.language());
            let (what, _) = describe(self.language(), &Meaning::Attribute(attribute));
            add(name, &what);
        }
        if self.profile().stage == Stage::Vertex {
            add("vertex.attrib".to_owned(), "generic vertex attribute");
        }
    }

    fn results(&self, add: &mut impl FnMut(String, &str)) {
        let language = self.language();
        if self.profile().stage == Stage::Fragment {
            add("result.color".to_owned(), "colour");
            let buffers = if self.setting().draw_buffers { limits::DRAW_BUFFERS } else { 0 };
            for number in 0..buffers {
                add(format!("result.color[{number}]"), "colour");
            }
            add("result.depth".to_owned(), "depth");
            return;
        }
        for result in VertexResult::ALL {
            let absent = match result {
                VertexResult::Clp(_) => !self.profile().clip_distances,
                VertexResult::Hpos => self.setting().position_invariant,
                _ => false,
            };
            if !absent {
                let (what, _) = describe(language, &Meaning::Result(OutputRole::Vertex(result), None));
                add(result.register_in(language), &what);
            }
        }
    }

    fn parameters(&self, add: &mut impl FnMut(String, &str)) {
        for source in [ParameterSource::Local(0), ParameterSource::Env(0)] {
            let (what, _) = describe(self.language(), &Meaning::Parameter(source.clone()));
            if let Some(name) = source.name_in(self.language()) {
                add(name, &what);
            }
        }
        add("state".to_owned(), "state of the GL");
    }

    /// Declared names with what they stand for.
    fn names(&self, kinds: Names, add: &mut impl FnMut(String, &str)) {
        let declared = self.symbols.names.iter();
        let earlier =
            declared.filter(|(_, d)| d.place.is_none_or(|place| place.end <= self.context.replace.start));
        for (name, declared) in earlier {
            let fits = match &declared.meaning {
                Meaning::Temporary(_) => kinds != Names::Addresses,
                Meaning::Address => matches!(kinds, Names::Addresses | Names::All),
                Meaning::Result(..) | Meaning::IndexedResult => matches!(kinds, Names::Writable | Names::All),
                Meaning::Attribute(_)
                | Meaning::IndexedAttribute(_)
                | Meaning::Parameter(_)
                | Meaning::Parameters(_) => matches!(kinds, Names::Readable | Names::All),
                Meaning::LoopIndex | Meaning::TextureUnit(_) | Meaning::Unknown => false,
            };
            if !fits {
                continue;
            }
            let (what, _) = describe(self.language(), &declared.meaning);
            let one = kinds == Names::Addresses && self.profile().addresses.components.len() == 1;
            let array = matches!(declared.meaning, Meaning::Parameters(_)) && kinds != Names::All;
            let suffix = if one {
                ".x"
            } else if array {
                "[0]"
            } else {
                ""
            };
            add(format!("{name}{suffix}"), &what);
        }
    }

    fn operand(&self, info: &Info, add: &mut impl FnMut(String, &str)) {
        let language = self.language();
        match self.context.wanted(language, info) {
            Some(Wanted::Destination(ResultKind::Address)) => self.names(Names::Addresses, add),
            Some(Wanted::Destination(_)) => {
                self.names(Names::Writable, add);
                self.results(add);
            }
            Some(Wanted::Operand(kind)) => match kind {
                OperandKind::Vector | OperandKind::Scalar | OperandKind::ExtendedSwizzle => self.sources(add),
                OperandKind::VectorOrCondition => {
                    self.sources(add);
                    self.conditions(add);
                }
                OperandKind::Condition => self.conditions(add),
                OperandKind::Address => self.names(Names::Addresses, add),
                OperandKind::Label if self.profile().labels => complete::labels(self.text, add),
                OperandKind::TextureImage => {
                    for unit in 0..IMAGE_UNITS as u8 {
                        add(self.profile().texture_unit(unit), "texture image unit");
                    }
                }
                OperandKind::Label | OperandKind::BranchCondition => {}
            },
            Some(Wanted::Target) => {
                for target in self.setting().targets() {
                    add(target.name().to_owned(), "texture target");
                }
            }
            Some(Wanted::Selector) => {
                for letter in "xyzw".chars() {
                    add(letter.to_string(), "component");
                }
            }
            None => {}
        }
    }

    fn sources(&self, add: &mut impl FnMut(String, &str)) {
        self.names(Names::Readable, add);
        self.attributes(add);
        self.parameters(add);
    }
}

/// What the words of a binding that begins with `text` are parts of.
fn kind_of(text: &str) -> &'static str {
    match text.split(['.', '[']).next() {
        Some("state") => "state",
        Some("program") => "program parameters",
        Some("result") => "result",
        _ => "attribute",
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::completions;

    /// Labels offered at `@`.
    fn at(marked: &str) -> Vec<String> {
        let offset = marked.find('@').unwrap();
        let text = marked.replacen('@', "", 1);
        completions(text.as_bytes(), offset).into_iter().map(|c| c.label).collect()
    }

    #[test]
    fn statements_follow_the_language_and_its_options() {
        assert_eq!(at("!!ARBfp1.0\nCM@"), ["CMP", "CMP_SAT"]);
        assert_eq!(at("!!ARBfp1.0\nDD@"), Vec::<String>::new());
        assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program;\nDDX@")[..2], ["DDX", "DDXC"]);
        assert_eq!(
            at("!!ARBfp1.0\nOPTION NV_fragment_program2;\nEND@"),
            ["ENDIF", "ENDLOOP", "ENDREP", "END"]
        );
        assert_eq!(at("!!ARBvp1.0\nAD@"), ["ADD", "ADDRESS"]);
        assert_eq!(at("!!ARBfp1.0\nTE@"), ["TEX", "TEMP", "TEX_SAT"]);
        assert_eq!(at("!!ARBfp1.0\nSHO@"), Vec::<String>::new());
        assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program;\nSHO@"), ["SHORT"]);
        assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT @"), ["TEMP", "OUTPUT"]);
        assert_eq!(
            at("!!ARBvp1.0\nOPTION @"),
            [
                "ARB_position_invariant",
                "ARB_fragment_program_shadow",
                "NV_vertex_program2",
                "NV_vertex_program3",
            ]
        );
        assert_eq!(at("!!ARBfp1.0\nOPTION ARB_draw@"), ["ARB_draw_buffers"]);
    }

    #[test]
    fn bindings_are_offered_part_by_part() {
        assert_eq!(at("!!ARBfp1.0\nATTRIB c = fragment.@"), ["color", "texcoord", "fogcoord", "position"]);
        assert_eq!(at("!!ARBfp1.0\nMOV r, fragment.color.s@"), ["secondary"]);
        assert_eq!(at("!!ARBfp1.0\nMOV r, fragment.position.@")[..4], ["x", "y", "z", "w"]);
        assert_eq!(
            at("!!ARBvp1.0\nPARAM m[4] = { state.matrix.@"),
            ["modelview", "projection", "mvp", "texture", "program"]
        );
        assert_eq!(at("!!ARBvp1.0\nPARAM p = state.light[@").len(), 8);
        assert_eq!(at("!!ARBvp1.0\nPARAM p = state.light[0].s@"), ["specular", "spot"]);
        assert_eq!(at("!!ARBvp1.0\nPARAM p = state.t@"), ["texgen"]);
        assert_eq!(at("!!ARBfp1.0\nPARAM p = state.t@"), ["texenv"]);
        assert_eq!(at("!!ARBfp1.0\nPARAM p = program.@"), ["env", "local"]);
        assert_eq!(
            at("!!ARBvp1.0\nMOV result.@"),
            ["position", "color", "fogcoord", "pointsize", "texcoord"]
        );
        assert_eq!(at("!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.po@"), ["pointsize"]);
        assert_eq!(at("!!ARBvp1.0\nOPTION NV_vertex_program2;\nMOV result.cl@"), ["clip"]);
        assert_eq!(at("!!ARBfp1.0\nTEX r, c, texture[@").len(), 16);
    }

    #[test]
    fn operands_are_names_and_bindings_of_their_place() {
        let head = "!!ARBfp1.0\nTEMP reg;\nPARAM rest = 2;\nPARAM rows[] = { state.matrix.mvp };\nOUTPUT out = result.color;\n";
        let here = |line: &str| at(&format!("{head}{line}"));
        assert_eq!(here("MOV r@"), ["reg", "result.color", "result.depth"]);
        assert_eq!(here("MOV o@"), ["out"]);
        assert_eq!(here("MOV out, r@"), ["reg", "rest", "rows[0]"]);
        assert_eq!(here("MOV out, frag@").len(), 12);
        assert_eq!(here("MOV out, program.@"), ["env", "local"]);
        assert_eq!(here("MOV out, rows[@"), ["0", "1", "2", "3"]);
        assert_eq!(here("TEX reg, reg, t@")[..2], ["texture[0]", "texture[1]"]);
        assert_eq!(here("TEX reg, reg, texture[0], @"), ["1D", "2D", "3D", "CUBE", "RECT"]);
        assert_eq!(here("SWZ reg, rest, x, @"), ["x", "y", "z", "w"]);
        assert_eq!(here("MOV reg.rg@"), ["rgb", "rgba"]);
        assert_eq!(here("ALIAS b = re@"), ["reg", "rest"]);
        assert_eq!(here("MOV reg (@"), Vec::<String>::new());
        assert_eq!(here("MOV reg, late@;\nTEMP late;"), Vec::<String>::new());
        let shadow = "!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\nTEX r, c, texture[0], SHADOW@";
        assert_eq!(at(shadow), ["SHADOW1D", "SHADOW2D", "SHADOWRECT"]);
    }

    #[test]
    fn what_the_nv_options_bring_is_offered_with_them() {
        let vertex =
            "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS A;\nPARAM p[] = { program.env[0..1] };\n";
        let here = |line: &str| at(&format!("{vertex}{line}"));
        assert_eq!(here("ARL @"), ["A"]);
        assert_eq!(here("PUSHA @"), ["A"]);
        assert_eq!(here("MOV result.position, p[A@"), ["A.x", "A.y", "A.z", "A.w"]);
        assert_eq!(here("MOV result.position, vertex.attrib[A@"), ["A.x", "A.y", "A.z", "A.w"]);
        assert_eq!(here("MOV result.position, vertex.attrib[@").len(), 20);
        assert_eq!(here("MOV result.position (GT@"), ["GT", "GT0", "GT1"]);
        assert_eq!(here("again: BRA a@"), ["again"]);
        assert_eq!(at("!!ARBvp1.0\nADDRESS A;\nARL @"), ["A.x"]);
        let fragment = "!!ARBfp1.0\nOPTION NV_fragment_program2;\n";
        assert_eq!(at(&format!("{fragment}IF L@")), ["LE", "LT"]);
        assert_eq!(at(&format!("{fragment}MOV r, fragment.f@")), ["fogcoord", "facing"]);
        assert_eq!(at(&format!("{fragment}MOV r, fragment.texcoord[A@")), ["A0.x"]);
    }

    #[test]
    fn nothing_is_offered_where_nothing_fits() {
        for text in [
            "!!ARBfp1.0 # MO@",
            "!!ARBfp1.0\nTEMP @",
            "!!ARBfp1.0\nMOV a, 2@",
            "!!ARBfp1.0\nPARAM x @",
            "!!ARBfp1.0\nATTRIB x = fragment.color @",
        ] {
            assert_eq!(at(text), Vec::<String>::new(), "{text}");
        }
    }
}
