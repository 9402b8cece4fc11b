//! Writes the text of an example: the statements of a row in the syntax of a language.

use super::{FIRST_PARAMETER, INTEGERS, NEAR, NUMBERS, STATE_RESULT};
use shadestep_language::ir::{TargetOption, TextureTarget};
use shadestep_language::isa::{Cc, Group, Info, Language, Modifier, OperandKind, Rule, Stage, Typed};

/// Writes an example.
pub(super) struct Writer {
    info: &'static Info,
    language: Language,
    /// Types of the value operands, in order.
    types: Vec<Typed>,
    result: Typed,
}

/// `kind`, with `default` for an inherited type.
fn typed(kind: Typed, default: Typed) -> Typed {
    if kind == Typed::Inherited { default } else { kind }
}

impl Writer {
    pub fn new(info: &'static Info, language: Language) -> Option<Self> {
        let forms = info.forms(language)?;
        let default = match forms.typing {
            Some(typing) if typing.default.is_none_or(|data| !data.is_float()) => Typed::Signed,
            _ => Typed::Float,
        };
        let values = info.operands_in(language).iter().filter(|kind| kind.takes_value()).count();
        let (types, result) = match (info.example, forms.typing) {
            // The statements of rows are written for floats.
            (Some(_), _) | (None, None) => (vec![Typed::Float; 3], Typed::Float),
            (None, Some(typing)) => (
                typing.operands.iter().take(values).map(|kind| typed(*kind, default)).collect(),
                typed(typing.result, default),
            ),
        };
        Some(Self { info, language, types, result })
    }

    const fn declares(&self) -> bool {
        self.language.profile().declares_variables()
    }

    /// The register of the result (0) or of operand `number - 1`.
    fn register(&self, number: usize) -> String {
        if self.declares() { ["r", "a", "b", "c"][number].to_owned() } else { format!("R{number}") }
    }

    fn attribute(&self) -> &'static str {
        match (self.language.stage(), self.declares()) {
            (Stage::Fragment, true) => "fragment.texcoord[0]",
            (Stage::Fragment, false) => "f[TEX0]",
            (Stage::Vertex, true) => "vertex.position",
            (Stage::Vertex, false) => "v[OPOS]",
            (Stage::VertexState, _) => "v[0]",
            (Stage::TessControl | Stage::TessEvaluation | Stage::Geometry, _) => "vertex[0].position",
        }
    }

    /// MOV with the suffix of a type.
    const fn mov(kind: Typed) -> &'static str {
        match kind {
            Typed::Signed => "MOV.S",
            Typed::Unsigned => "MOV.U",
            Typed::Float | Typed::Inherited => "MOV",
        }
    }

    /// The statements between loading registers and using the result.
    pub fn statements(&self) -> Vec<String> {
        match self.info.example {
            Some(own) => self.filled(own),
            None => vec![self.instruction()],
        }
    }

    /// The numbers (from 1) of operands that `statements` use as registers.
    pub fn loaded(&self, statements: &[String]) -> Vec<usize> {
        let uses = |name: &str| statements.iter().any(|statement| words(statement).any(|word| word == name));
        (1..=self.types.len()).filter(|&number| uses(&self.register(number))).collect()
    }

    pub fn text(&self) -> String {
        let statements = self.statements();
        let mut lines = vec![self.language.header().to_owned()];
        lines.extend(self.options().into_iter().map(|option| format!("OPTION {option};")));
        lines.extend(self.stage_declarations());
        let loaded = self.loaded(&statements);
        lines.extend(self.declarations(&loaded));
        let read = loaded.iter().filter(|&&number| self.is_read_first(number, &statements));
        lines.extend(read.map(|&number| self.load(number)));
        let writes_itself = self.info.example.is_some_and(|own| own.contains("{write}"));
        lines.extend(statements);
        if !writes_itself {
            lines.extend(self.written(true));
        }
        lines.push("END\n".to_owned());
        lines.join("\n")
    }

    /// The options that the language, the instruction and its target need.
    fn options(&self) -> Vec<&'static str> {
        let profile = self.language.profile();
        let extension = self.info.forms(self.language).map(|forms| forms.extension);
        let of_extension = extension.filter(|extension| profile.options.contains(extension));
        let of_target =
            self.target().and_then(|target| TargetOption::of(target, profile)).map(TargetOption::name);
        let mut all: Vec<&str> =
            self.language.option().into_iter().chain(of_extension).chain(of_target).collect();
        // The language's own option includes the instruction's.
        if self.language.option().is_some() {
            all.truncate(1);
        }
        all.dedup();
        all
    }

    /// The target of a lookup: 2D if possible.
    fn target(&self) -> Option<TextureTarget> {
        let takes = |target: &TextureTarget| target.is_taken_by(self.info.rule);
        let targets = self.language.profile().targets;
        (self.info.group == Group::Texture).then_some(())?;
        Some(TextureTarget::D2).filter(takes).or_else(|| targets.iter().copied().find(takes))
    }

    fn stage_declarations(&self) -> Vec<String> {
        let lines: &[&str] = match self.language.stage() {
            Stage::Vertex | Stage::VertexState | Stage::Fragment => &[],
            Stage::Geometry => {
                &["PRIMITIVE_IN TRIANGLES;", "PRIMITIVE_OUT TRIANGLE_STRIP;", "VERTICES_OUT 4;"]
            }
            Stage::TessControl => &["VERTICES_OUT 3;", "ATTRIB corner = vertex.position;"],
            Stage::TessEvaluation => &["TESS_MODE TRIANGLES;"],
        };
        let points = self.info.group == Group::Emit && self.info.operands.len() == 1;
        let adapted =
            |line: &&str| if points { line.replace("TRIANGLE_STRIP", "POINTS") } else { (*line).to_owned() };
        lines.iter().map(adapted).collect()
    }

    fn declarations(&self, loaded: &[usize]) -> Vec<String> {
        if !self.declares() {
            return Vec::new();
        }
        let mut groups: [(&str, Vec<String>); 3] =
            [("TEMP", Vec::new()), ("INT TEMP", Vec::new()), ("UINT TEMP", Vec::new())];
        let mut declare = |kind: Typed, name: &str| {
            let group = match kind {
                Typed::Float | Typed::Inherited => 0,
                Typed::Signed => 1,
                Typed::Unsigned => 2,
            };
            groups[group].1.push(name.to_owned());
        };
        declare(self.result, "r");
        if self.result != Typed::Float {
            declare(Typed::Float, "shown");
        }
        for &number in loaded {
            declare(self.types[number - 1], &self.register(number));
        }
        if self.language.stage() == Stage::TessControl {
            declare(Typed::Signed, "me");
        }
        groups
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(keyword, names)| format!("{keyword} {};", names.join(", ")))
            .collect()
    }

    /// Whether a statement reads register `number` before one writes it.
    fn is_read_first(&self, number: usize, statements: &[String]) -> bool {
        let name = self.register(number);
        let statements = statements.iter().flat_map(|line| line.split(';'));
        let Some(first) = statements.into_iter().find(|s| words(s).any(|word| word == name)) else {
            return true;
        };
        let (result, operands) = first.split_once(',').unwrap_or(("", first));
        let writes = words(result).nth(1) == Some(name.as_str());
        !writes || words(operands).any(|word| word == name)
    }

    /// The statement that loads register `number`.
    fn load(&self, number: usize) -> String {
        let (name, kind) = (self.register(number), self.types[number - 1]);
        let mov = Self::mov(kind);
        if !self.language.profile().literals {
            return format!("{mov} {name}, c[{}];", usize::from(FIRST_PARAMETER) + number - 1);
        }
        let values = match kind {
            Typed::Float | Typed::Inherited => NUMBERS[number - 1].map(|value| value.to_string()),
            Typed::Signed => INTEGERS[number - 1].map(|value| value.to_string()),
            Typed::Unsigned => INTEGERS[number - 1].map(|value| value.unsigned_abs().to_string()),
        };
        format!("{mov} {name}, {{{}}};", values.join(", "))
    }

    /// The write mask for the result: some instructions have no w.
    fn result_mask(&self) -> &'static str {
        if self.info.rule_in(self.language) == Rule::NoW { ".xyz" } else { "" }
    }

    /// The instruction with a register for each operand.
    fn instruction(&self) -> String {
        let language = self.language;
        let has_no_type = |typing: shadestep_language::isa::Typing| typing.default.is_none();
        let typing = self.info.forms(language).and_then(|forms| forms.typing);
        let suffix = if typing.is_some_and(has_no_type) { ".S" } else { "" };
        let mut parts = vec![format!("{}{}", self.register(0), self.result_mask())];
        let mut number = 0;
        for kind in self.info.operands_in(language) {
            let mut next = || {
                number += 1;
                self.register(number)
            };
            parts.push(match kind {
                OperandKind::Vector if self.varies(parts.len()) => {
                    number += 1;
                    self.attribute().to_owned()
                }
                OperandKind::Vector | OperandKind::OptionalVector | OperandKind::VectorOrCondition => next(),
                OperandKind::Scalar => format!("{}.x", next()),
                OperandKind::TextureImage => {
                    let target = self.target().map_or("2D", TextureTarget::name);
                    format!("{}, {target}", language.profile().texture_unit(0))
                }
                // Rows with these operands have statements of their own.
                OperandKind::Condition
                | OperandKind::ExtendedSwizzle
                | OperandKind::ImageUnit
                | OperandKind::ImageTarget
                | OperandKind::Address
                | OperandKind::Label
                | OperandKind::SubroutineVariable
                | OperandKind::BranchCondition => continue,
            });
        }
        format!("{}{suffix} {};", self.info.mnemonic, parts.join(", "))
    }

    /// Whether the operand at `place` of the list, after the result, is an attribute. Coordinates of lookups
    /// are.
    fn varies(&self, place: usize) -> bool {
        let is_lookup = self.info.group == Group::Texture && self.language.stage() == Stage::Fragment;
        is_lookup && place == 1 && self.types.first() == Some(&Typed::Float)
    }

    /// The statements of `own` with placeholders replaced, one per line.
    fn filled(&self, own: &str) -> Vec<String> {
        let mut text = own.to_owned();
        for (number, name) in ["r", "a", "b", "c"].into_iter().enumerate() {
            text = text.replace(&format!("{{set {name}}}"), &self.sets_condition(number));
        }
        let kinds = self.info.operands_in(self.language);
        let kill = if kinds.contains(&OperandKind::Condition) {
            format!("{} KIL LT.x;", self.sets_condition(0))
        } else {
            format!("KIL {}.x;", self.register(0))
        };
        let typed = self.language.profile().typed;
        let rep = if typed { "REP.S 3;" } else { "PARAM count = { 3, 0, 0, 0 }; REP count;" };
        let declares = self.declares();
        let wide = self.language.profile().long_variables;
        let near = format!("{NEAR:#x}");
        let table = format!("c[A0.x + {FIRST_PARAMETER}]");
        let braces = [
            ("{kill}", kill.as_str()),
            ("{rep}", rep),
            ("{attribute}", self.attribute()),
            (
                "{address}",
                if declares {
                    "ADDRESS A0; PARAM table[3] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 } };"
                } else {
                    ""
                },
            ),
            ("{pointer}", if wide { "LONG TEMP at; PK64.U at, program.local[0];" } else { "" }),
            ("{at}", if wide { "at.x" } else { &near }),
            ("{table}", if declares { "table[A0.x]" } else { &table }),
            ("{write}", &self.written(true).join(" ")),
            ("{results}", &self.written(false).join(" ")),
        ];
        for (name, content) in braces {
            text = text.replace(name, content);
        }
        for (number, name) in ["{r}", "{a}", "{b}", "{c}"].into_iter().enumerate() {
            text = text.replace(name, &self.register(number));
        }
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        let mut depth = 0usize;
        for letter in text.chars() {
            line.push(letter);
            depth = match letter {
                '{' => depth + 1,
                '}' => depth.saturating_sub(1),
                _ => depth,
            };
            if depth == 0 && matches!(letter, ';' | ':') {
                lines.push(std::mem::take(&mut line).trim().to_owned());
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// A statement that sets the condition code from register `number`.
    fn sets_condition(&self, number: usize) -> String {
        let profile = self.language.profile();
        let suffix = Modifier::Cc(Cc::C).text(profile.modifier_order);
        let name = self.register(number);
        // Languages with declared variables have no destination that discards the value.
        match profile.condition_registers.first().filter(|_| !self.declares()) {
            Some((register, _)) => format!("MOV{suffix} {register}, {name};"),
            None => format!("MOV{suffix} {name}, {name};"),
        }
    }

    /// The statements that make the result visible. `emits` adds the emission of a vertex.
    fn written(&self, emits: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let shown = match self.result {
            Typed::Float | Typed::Inherited => self.register(0),
            Typed::Signed => {
                lines.push("I2F.S shown, r;".to_owned());
                "shown".to_owned()
            }
            Typed::Unsigned => {
                lines.push("I2F.U shown, r;".to_owned());
                "shown".to_owned()
            }
        };
        let (declares, mask) = (self.declares(), self.result_mask());
        match self.language.stage() {
            Stage::Fragment => {
                lines.push(format!(
                    "MOV {}{mask}, {shown};",
                    if declares { "result.color" } else { "o[COLR]" }
                ));
            }
            Stage::Vertex if declares => lines.extend([
                format!("MOV result.color{mask}, {shown};"),
                "MOV result.position, vertex.position;".to_owned(),
            ]),
            Stage::Vertex => {
                lines.extend([format!("MOV o[COL0]{mask}, {shown};"), "MOV o[HPOS], v[OPOS];".to_owned()]);
            }
            Stage::VertexState => lines.push(format!("MOV c[{STATE_RESULT}]{mask}, {shown};")),
            Stage::TessControl => {
                lines.extend([
                    format!("MOV result.color{mask}, {shown};"),
                    "MOV.S me.x, primitive.invocation;".to_owned(),
                    "MOV result.position, corner[me.x];".to_owned(),
                ]);
                let levels = ["tessouter[0]", "tessouter[1]", "tessouter[2]", "tessinner[0]"];
                lines.extend(levels.map(|level| format!("MOV result.patch.{level}.x, 2;")));
            }
            Stage::TessEvaluation => lines.extend([
                format!("MOV result.color{mask}, {shown};"),
                format!("MUL {shown}, vertex[0].position, vertex.tesscoord.x;"),
                format!("MAD {shown}, vertex[1].position, vertex.tesscoord.y, {shown};"),
                format!("MAD result.position, vertex[2].position, vertex.tesscoord.z, {shown};"),
            ]),
            Stage::Geometry => {
                for vertex in 0..if emits { 3 } else { 1 } {
                    lines.push(format!("MOV result.color{mask}, {shown};"));
                    lines.push(format!("MOV result.position, vertex[{vertex}].position;"));
                    lines.extend(emits.then(|| "EMIT;".to_owned()));
                }
            }
        }
        lines
    }
}

/// The words of a statement.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}
