//! Bindings of attributes and results: parses `fragment.*`, `vertex.*`, `primitive.*`, `result.*` and the
//! indices in their brackets. `binding_words` has the tables of words.

use super::binding_words::{
    CONTROL_RESULTS, FRAGMENT_ARRAYS, FRAGMENT_SCALARS, GEOMETRY_RESULTS, PATCH_ARRAYS, PRIMITIVE_ATTRIBUTES,
    PatchArray, VERTEX_ARRAYS, VERTEX_RESULTS, VERTEX_SCALARS,
};
use super::indices::Relative;
use super::parser::Parser;
use crate::diag::{Code, Diagnostic, codes};
use crate::front::nearest;
use crate::front::parser::Parse;
use crate::ir::{Attribute, OutputRole, VertexResult, limits};
use crate::isa::Stage;
use crate::source::Span;
use crate::syntax::TokenKind;

pub(super) const VERTEX_ATTRIBUTES: usize = 16;

/// The place of a binding in the program. It decides whether a range or a suffix may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingContext {
    /// In an instruction, where a suffix may follow.
    Operand,
    /// In SWZ, whose operand takes no suffix.
    Bare,
    /// After the `=` of a declaration of one variable.
    Declaration,
    /// In the list of an array.
    Element,
}

/// The attributes that a binding selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeBinding {
    One(Attribute),
    /// One of the `count` attributes from `first` on, chosen by an address register.
    Indexed {
        first: Attribute,
        count: u8,
        relative: Relative,
    },
    /// Like `Indexed`, but of a vertex that an index selects. Without `element`, the attribute is `first`
    /// (NV_geometry_program4 2.X.3.2).
    OfVertices {
        first: Attribute,
        count: u8,
        vertex: Relative,
        element: Option<Relative>,
    },
    /// `[a..b]` in a declaration.
    Range {
        first: Attribute,
        count: u8,
    },
}

/// The results that a binding selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultBinding {
    One(OutputRole),
    /// The texture coordinate set that an address register chooses.
    TexCoord(Relative),
    /// `[a..b]` in a declaration.
    Range {
        first: OutputRole,
        count: u8,
    },
}

/// The code and the wording of errors about a list of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub code: Code,
    /// A noun for messages such as "there is no ...".
    pub what: &'static str,
}

/// The contents of the brackets of an array of attributes or results.
enum Index {
    Number(u8),
    /// First number and count.
    Range(u8, u8),
    Relative(Relative),
    Broken,
}

impl<'t> Parser<'t> {
    fn attributes(&self) -> Subject {
        Subject { code: codes::ARB_BAD_ATTRIBUTE.of(self.own.language), what: "attribute" }
    }

    fn results(&self) -> Subject {
        Subject { code: codes::ARB_BAD_RESULT.of(self.own.language), what: "result" }
    }

    /// Reads `.` and one of `words`.
    pub(super) fn dotted(&mut self, words: &[&'static str], subject: Subject) -> Parse<&'static str> {
        self.expect(TokenKind::Dot, "`.`")?;
        self.one_of(words, subject)
    }

    /// Reads one of `words`.
    pub(super) fn one_of(&mut self, words: &[&'static str], subject: Subject) -> Parse<&'static str> {
        if self.token.kind != TokenKind::Word {
            self.own.offered.words = words.to_vec();
            return Err(self.unexpected(&format!("the name of {} {}", article(subject.what), subject.what)));
        }
        let word = self.word();
        if let Some(found) = words.iter().find(|known| **known == word) {
            self.advance();
            return Ok(found);
        }
        let span = self.token.span;
        let shown = self.excerpt(span);
        let mut fault =
            Diagnostic::new(subject.code, span, format!("there is no {} `{shown}` here", subject.what))
                .with_note(match words {
                    [only] => format!("The only choice is {only}."),
                    _ => format!("The choices are {}.", words.join(", ")),
                });
        if let Some(meant) = nearest(word, words.iter().copied()) {
            fault = fault.with_fix(format!("replace with {meant}"), span, meant);
        }
        self.fail(fault)
    }

    /// Reads a number below `limit`. Returns `None` after reporting a number that is not whole or too large.
    pub(super) fn number_below(&mut self, limit: usize, subject: Subject) -> Parse<Option<u32>> {
        let token = self.token;
        if !token.kind.is_numeric() {
            self.own.offered.numbers = limit;
            return Err(self.unexpected("a number"));
        }
        self.advance();
        let value = self.whole_number(token);
        let number = value.filter(|&n| usize::try_from(n).is_ok_and(|n| n < limit));
        if number.is_none() {
            let shown = self.excerpt(token.span);
            let message = match value {
                Some(_) => format!("there is no {} {shown}", subject.what),
                None => format!("`{shown}` is not a whole number"),
            };
            let note = match limit {
                1 => "The only number is 0.".to_owned(),
                _ => format!("Valid numbers are 0 to {}.", limit - 1),
            };
            self.sink.push(Diagnostic::new(subject.code, token.span, message).with_note(note));
        }
        Ok(number)
    }

    /// Reads `[ number ]`.
    pub(super) fn bracketed_number(&mut self, limit: usize, subject: Subject) -> Parse<Option<u32>> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let number = self.number_below(limit, subject)?;
        self.close_bracket()?;
        Ok(number)
    }

    /// Reads `[ number ]`. Without brackets the number is 0.
    pub(super) fn optional_number(&mut self, limit: usize, subject: Subject) -> Parse<Option<u32>> {
        if self.token.kind == TokenKind::LeftBracket {
            return self.bracketed_number(limit, subject);
        }
        Ok(Some(0))
    }

    /// Reads `[ number ]`, `[ A0.x+n ]`, or `[ a..b ]` in declarations of languages with types.
    fn index(&mut self, limit: u8, place: BindingContext, subject: Subject) -> Parse<Index> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        if self.own.is_typed() {
            // Declarations of one variable may bind a range too. Instructions may not.
            let place = if place == BindingContext::Declaration { BindingContext::Element } else { place };
            let begin = self.token.span;
            let (range, decided) = self.range(usize::from(limit), place, subject)?;
            let range = range.and_then(|(a, b)| Some((u8::try_from(a).ok()?, u8::try_from(b).ok()?)));
            return Ok(match range {
                Some((a, _)) if decided == begin => Index::Number(a),
                Some((a, b)) => Index::Range(a, b - a + 1),
                None => Index::Broken,
            });
        }
        if self.token.kind != TokenKind::Word {
            let number = self.number_below(usize::from(limit), subject)?;
            self.close_bracket()?;
            return Ok(number.and_then(|n| u8::try_from(n).ok()).map_or(Index::Broken, Index::Number));
        }
        if let Some(option) = self.own.option_for(|profile| profile.addresses.chooses.attributes) {
            let fault = self.own.later("a computed index", option, self.token.span);
            return self.fail(fault);
        }
        let relative = self.relative(None)?;
        self.close_bracket()?;
        Ok(relative.map_or(Index::Broken, Index::Relative))
    }

    /// Whether the next two tokens are `.` and one of `words`.
    fn dot_and(&self, words: &[&str]) -> bool {
        let following = self.following().map(|token| self.word_at(token)).unwrap_or_default();
        self.token.kind == TokenKind::Dot && words.contains(&following)
    }

    /// Reads `.` and one of `words` if they follow. In instructions, any other word is taken as a suffix.
    fn optional_word(
        &mut self,
        words: &[&'static str],
        place: BindingContext,
        subject: Subject,
    ) -> Parse<Option<&'static str>> {
        let present = match place {
            BindingContext::Operand => self.dot_and(words),
            BindingContext::Bare | BindingContext::Declaration | BindingContext::Element => {
                self.token.kind == TokenKind::Dot
            }
        };
        if present { self.dotted(words, subject).map(Some) } else { Ok(None) }
    }

    /// Reads `fragment.*`, `vertex.*` or `primitive.*` and counts its attributes as bound. The next token is
    /// the first word. Returns `None` after a reported error.
    pub(super) fn attribute_binding(&mut self, place: BindingContext) -> Parse<Option<AttributeBinding>> {
        Ok(self.named_attribute(place)?.map(|(binding, _)| binding))
    }

    /// Like [`Self::attribute_binding`], but also returns how the binding names the attribute.
    pub(super) fn named_attribute(
        &mut self,
        place: BindingContext,
    ) -> Parse<Option<(AttributeBinding, Naming)>> {
        let start = self.advance().span;
        let prefix = start.slice(self.text);
        let names_vertices = self.own.names_vertices() && prefix == b"vertex";
        let is_of_domain = names_vertices
            && self.own.language.stage() == Stage::TessEvaluation
            && self.dot_and(&["tesscoord"]);
        let vertex = match names_vertices && !is_of_domain {
            true => Some(self.which_vertex(place, start)?),
            false => None,
        };
        self.expect(TokenKind::Dot, &format!("`.` after `{}`", self.excerpt(start)))?;
        let binding = if let Some(vertex) = vertex {
            self.attribute_of_vertex(place, vertex)?
        } else if is_of_domain {
            self.advance();
            Some((AttributeBinding::One(Attribute::TessCoord), Naming::Conventional))
        } else if prefix == b"primitive" {
            self.primitive_attribute(place, start)?
        } else if self.own.is_typed() {
            self.typed_attribute(place)?
        } else if self.own.is_vertex() {
            self.vertex_attribute(place)?
        } else {
            self.fragment_attribute(place)?
        };
        let span = start.to(self.previous);
        let (first, count, naming) = match binding {
            Some((AttributeBinding::One(attribute), naming)) => (attribute, 1, naming),
            Some((AttributeBinding::Range { first, count }, naming)) => (first, count, naming),
            Some((AttributeBinding::Indexed { .. } | AttributeBinding::OfVertices { .. }, _)) | None => {
                return Ok(binding);
            }
        };
        for attribute in (0..count).filter_map(|steps| first.after(steps)) {
            self.own.counts.bind_attribute(attribute, naming, span, &mut self.sink);
        }
        Ok(binding)
    }

    /// Reads `.in` or `.out` after `vertex` in tessellation programs, if present.
    fn patch(&mut self) -> Option<Patch> {
        let patch = match self.own.language.stage() {
            Stage::TessControl | Stage::TessEvaluation if self.dot_and(&["in"]) => Patch::In,
            Stage::TessControl if self.dot_and(&["out"]) => Patch::Out,
            _ => return None,
        };
        self.advance();
        self.advance();
        Some(patch)
    }

    /// Reads `[ m ]` after `vertex`, `vertex.in` or `vertex.out`. Declarations may omit the brackets.
    fn which_vertex(&mut self, place: BindingContext, start: Span) -> Parse<Vertex> {
        let patch = self.patch();
        let of = |number| Vertex { patch, number };
        let vertex = start.to(self.previous);
        let read = patch.unwrap_or(Patch::In);
        if self.token.kind == TokenKind::LeftBracket {
            return Ok(of(self.vertex_number(read)?.map_or(WhichVertex::Broken, WhichVertex::One)));
        }
        let declares = matches!(place, BindingContext::Declaration | BindingContext::Element);
        // In tessellation programs `.in` or `.out` may follow. An unknown word after the point is reported
        // later, so the missing index is not reported here.
        let following = self.following().filter(|_| {
            patch.is_none() && matches!(self.own.language.stage(), Stage::TessControl | Stage::TessEvaluation)
        });
        if following.is_some_and(|token| !VERTEX_RESULTS.contains(&self.word_at(token))) {
            return Ok(of(WhichVertex::Broken));
        }
        if !declares {
            let shown = self.excerpt(vertex);
            let fault = Diagnostic::new(
                codes::GPU_VERTEX_NUMBER.citing(self.own.vertex_clause()),
                vertex,
                format!("select a vertex, as in `{shown}[0]`"),
            )
            .with_fix("insert [0]", Span::at(vertex.end), "[0]");
            let position = following.map_or(self.token.span, |token| token.span).start;
            self.sink.push(fault.at_position(position));
            return Ok(of(WhichVertex::Broken));
        }
        Ok(of(WhichVertex::Each))
    }

    /// Reads an attribute that an earlier stage wrote for a vertex, after `vertex[m].`.
    fn attribute_of_vertex(
        &mut self,
        place: BindingContext,
        which: Vertex,
    ) -> Parse<Option<(AttributeBinding, Naming)>> {
        let subject = self.attributes();
        let mut words = VERTEX_RESULTS.to_vec();
        if which.patch.is_none() && !matches!(which.number, WhichVertex::One(_)) {
            words.extend_from_slice(match self.own.language.stage() {
                Stage::TessControl => &["in", "out"],
                Stage::TessEvaluation => &["in", "tesscoord"],
                _ => &[],
            });
        }
        let read = self.vertex_register(place, subject, &words)?;
        let (vertex, naming) = match which.number {
            WhichVertex::One(vertex) => (vertex, Naming::Conventional),
            WhichVertex::Each => (0, Naming::OfVertices),
            WhichVertex::Broken => return Ok(None),
        };
        let attribute = |role| match (role, which.patch) {
            (OutputRole::Vertex(result), Some(Patch::Out)) => Some(Attribute::OutVertex { vertex, result }),
            (OutputRole::Vertex(result), _) => Some(Attribute::OfVertex { vertex, result }),
            _ => None,
        };
        let binding = match read {
            Some(ResultBinding::One(role)) => attribute(role).map(AttributeBinding::One),
            Some(ResultBinding::Range { first, count }) => {
                attribute(first).map(|first| AttributeBinding::Range { first, count })
            }
            Some(ResultBinding::TexCoord(_)) | None => None,
        };
        Ok(binding.map(|binding| (binding, naming)))
    }

    /// Reads the rest of `primitive.*`. The word `primitive` is at `start` and has been read.
    fn primitive_attribute(
        &mut self,
        place: BindingContext,
        start: Span,
    ) -> Parse<Option<(AttributeBinding, Naming)>> {
        let subject = self.attributes();
        let language = self.own.language;
        let patch = match (language.stage(), self.word()) {
            (Stage::TessControl | Stage::TessEvaluation, "in") => Some(Patch::In),
            (Stage::TessControl, "out") => Some(Patch::Out),
            _ => None,
        };
        if patch.is_some() {
            self.advance();
            self.expect(TokenKind::Dot, &format!("`.` after `{}`", self.excerpt(start.to(self.previous))))?;
        }
        let is_out = patch == Some(Patch::Out);
        // The output patch has no `vertexcount`.
        let scalars: Vec<_> = PRIMITIVE_ATTRIBUTES[..if is_out { 2 } else { 3 }].to_vec();
        let arrays: Vec<PatchArray> = PATCH_ARRAYS.map(|array| PatchArray { is_out, ..array }).into();
        self.refuse_newer(&scalars)?;
        let of_patch = |language| arrays.iter().filter(move |array| array.attribute(0).is_in(language));
        if let Some(newer) = self.own.newer_language(|profile| of_patch(profile.language).next().is_some())
            && let Some(array) = arrays.iter().find(|array| array.word == self.word())
        {
            let what = format!("the attribute `{}`", array.word);
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, &what, newer, self.token.span);
            return self.fail(fault);
        }
        let mut words: Vec<&'static str> = Vec::new();
        words
            .extend(scalars.iter().filter(|(_, attribute)| attribute.is_in(language)).map(|(word, _)| *word));
        words.extend(of_patch(language).map(|array| array.word));
        if patch.is_none() {
            words.extend_from_slice(match language.stage() {
                Stage::TessControl => &["in", "out"],
                Stage::TessEvaluation => &["in"],
                _ => &[],
            });
        }
        let word = self.one_of(&words, subject)?;
        let name = self.previous;
        if let Some((_, attribute)) = scalars.iter().find(|(known, _)| *known == word) {
            return Ok(Some((AttributeBinding::One(*attribute), Naming::Conventional)));
        }
        let Some(array) = arrays.iter().find(|array| array.word == word) else { return Ok(None) };
        if word == "patch" {
            self.dotted(&["attrib"], subject)?;
        }
        self.own.check_patch_attribute(name, &mut self.sink);
        // The index may be omitted for number 0, except in control programs.
        if language.stage() != Stage::TessControl && self.token.kind != TokenKind::LeftBracket {
            return Ok(Some((AttributeBinding::One(array.attribute(0)), Naming::Conventional)));
        }
        let index = self.index(array.count, place, subject)?;
        Ok(indexed(index, |number| array.attribute(number), array.count, Naming::Conventional))
    }

    /// Reports an error if the next word names an attribute that only a newer language has.
    fn refuse_newer(&mut self, scalars: &[(&'static str, Attribute)]) -> Parse<()> {
        let word = self.word();
        if let Some((_, attribute)) = scalars.iter().find(|(known, _)| *known == word)
            && let Some(newer) = self.own.newer_language(|profile| attribute.is_in(profile.language))
        {
            let what = format!("the attribute `{word}`");
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, &what, newer, self.token.span);
            return self.fail(fault);
        }
        Ok(())
    }

    /// Reads one of the attributes of languages with types. Each has one word; some take an index.
    fn typed_attribute(&mut self, place: BindingContext) -> Parse<Option<(AttributeBinding, Naming)>> {
        let subject = self.attributes();
        let language = self.own.language;
        let (scalars, arrays) = match self.own.is_vertex() {
            true => (VERTEX_SCALARS, VERTEX_ARRAYS),
            false => (FRAGMENT_SCALARS, FRAGMENT_ARRAYS),
        };
        self.refuse_newer(scalars)?;
        let mut words = vec!["color"];
        words
            .extend(scalars.iter().filter(|(_, attribute)| attribute.is_in(language)).map(|(word, _)| *word));
        words.extend(arrays.iter().map(|array| array.word));
        let word = self.one_of(&words, subject)?;
        if let Some(array) = arrays.iter().find(|array| array.word == word) {
            if array.has_default && self.token.kind != TokenKind::LeftBracket {
                return Ok(Some((AttributeBinding::One((array.element)(0)), array.naming)));
            }
            let index = self.index(array.count, place, subject)?;
            return Ok(indexed(index, array.element, array.count, array.naming));
        }
        let attribute = match scalars.iter().find(|(known, _)| *known == word) {
            Some((_, attribute)) => *attribute,
            None => {
                let secondary =
                    self.optional_word(&["primary", "secondary"], place, subject)? == Some("secondary");
                match (self.own.is_vertex(), secondary) {
                    (true, false) => Attribute::Vertex(3),
                    (true, true) => Attribute::Vertex(4),
                    (false, false) => Attribute::Col0,
                    (false, true) => Attribute::Col1,
                }
            }
        };
        Ok(Some((AttributeBinding::One(attribute), Naming::Conventional)))
    }

    fn fragment_attribute(&mut self, place: BindingContext) -> Parse<Option<(AttributeBinding, Naming)>> {
        const ALL: [&str; 5] = ["color", "texcoord", "fogcoord", "position", "facing"];
        let subject = self.attributes();
        let later = !Attribute::Facing.is_in(self.own.language);
        if later && self.word() == "facing" {
            let fault = self.own.later("fragment.facing", "NV_fragment_program2", self.token.span);
            return self.fail(fault);
        }
        let attribute = match self.one_of(if later { &ALL[..4] } else { &ALL }, subject)? {
            "color" => match self.optional_word(&["primary", "secondary"], place, subject)? {
                Some("secondary") => Attribute::Col1,
                _ => Attribute::Col0,
            },
            "texcoord" if self.token.kind == TokenKind::LeftBracket => {
                let index = self.index(limits::TEXTURE_COORDS, place, subject)?;
                return Ok(indexed(index, Attribute::Tex, limits::TEXTURE_COORDS, Naming::Conventional));
            }
            "texcoord" => Attribute::Tex(0),
            "fogcoord" => Attribute::FogCoord,
            "facing" => Attribute::Facing,
            _ => Attribute::Wpos,
        };
        Ok(Some((AttributeBinding::One(attribute), Naming::Conventional)))
    }

    fn vertex_attribute(&mut self, place: BindingContext) -> Parse<Option<(AttributeBinding, Naming)>> {
        let subject = self.attributes();
        if matches!(self.word(), "weight" | "matrixindex") {
            let shown = self.excerpt(self.token.span);
            let fault = Diagnostic::new(subject.code.citing("ARB_vertex_program, Dependencies on EXT_vertex_weighting and ARB_vertex_blend"),
                self.token.span,
                format!("there is no attribute `{shown}` here"),
            )
            .with_note("Vertex blending and matrix palettes are not supported. Use generic attributes, vertex.attrib[n], for weights and indices.");
            return self.fail(fault);
        }
        let all = ["position", "normal", "color", "fogcoord", "texcoord", "attrib"];
        let number = match self.one_of(&all, subject)? {
            "position" => 0,
            "normal" => 2,
            "color" => match self.optional_word(&["primary", "secondary"], place, subject)? {
                Some("secondary") => 4,
                _ => 3,
            },
            "fogcoord" => 5,
            "texcoord" if self.token.kind == TokenKind::LeftBracket => {
                let index = self.index(limits::TEXTURE_COORDS, place, subject)?;
                let set = |set| Attribute::Vertex(8 + set);
                return Ok(indexed(index, set, limits::TEXTURE_COORDS, Naming::Conventional));
            }
            "texcoord" => 8,
            _ => {
                let index = self.index(VERTEX_ATTRIBUTES as u8, place, subject)?;
                return Ok(indexed(index, Attribute::Vertex, VERTEX_ATTRIBUTES as u8, Naming::Generic));
            }
        };
        Ok(Some((AttributeBinding::One(Attribute::Vertex(number)), Naming::Conventional)))
    }

    /// Reads `result.*`. The next token is its first word. Returns `None` after a reported error.
    pub(super) fn result_binding(&mut self, place: BindingContext) -> Parse<Option<ResultBinding>> {
        self.advance();
        self.expect(TokenKind::Dot, "`.` after `result`")?;
        if self.own.is_fragment() { self.fragment_result(place) } else { self.vertex_result(place) }
    }

    fn fragment_result(&mut self, place: BindingContext) -> Parse<Option<ResultBinding>> {
        let subject = self.results();
        let sample_mask = |language| Attribute::SampleMask.is_in(language);
        if self.word() == "samplemask"
            && let Some(newer) = self.own.newer_language(|profile| sample_mask(profile.language))
        {
            let fault = self.own.newer(codes::GPU_LATER_FEATURE, "a sample mask", newer, self.token.span);
            return self.fail(fault);
        }
        let words = &["color", "depth", "samplemask"][..if sample_mask(self.own.language) { 3 } else { 2 }];
        let role = match self.one_of(words, subject)? {
            "color" => return self.fragment_color(place, subject),
            "depth" => OutputRole::Depth,
            _ => OutputRole::SampleMask,
        };
        Ok(Some(ResultBinding::One(role)))
    }

    /// Reads `<resultOptColorNum> <resultOptColorType>` after `result.color`.
    fn fragment_color(&mut self, place: BindingContext, subject: Subject) -> Parse<Option<ResultBinding>> {
        let options = self.own.options.program;
        let number = if self.token.kind == TokenKind::LeftBracket {
            if !options.draw_buffers {
                let fault = self.own.later("a numbered colour output", "ARB_draw_buffers", self.token.span);
                return self.fail(fault);
            }
            self.bracketed_number(usize::from(limits::DRAW_BUFFERS), subject)?
        } else {
            Some(0)
        };
        const TYPES: [&str; 2] = ["primary", "secondary"];
        const OPTION: &str = "ARB_blend_func_extended";
        if self.dot_and(&TYPES)
            && let Some(newer) = self.own.newer_language(|profile| profile.options.contains(&OPTION))
        {
            let fault = self.own.newer(
                codes::GPU_LATER_FEATURE,
                "a primary or secondary colour output",
                newer,
                self.token.span,
            );
            return self.fail(fault);
        }
        if !options.dual_source
            && self.own.language.profile().options.contains(&OPTION)
            && self.dot_and(&TYPES)
        {
            let fault = self.own.later("a primary or secondary colour output", OPTION, self.token.span);
            return self.fail(fault);
        }
        let is_second =
            options.dual_source && self.optional_word(&TYPES, place, subject)? == Some("secondary");
        let number = number.and_then(|number| u8::try_from(number).ok());
        let role = if is_second { OutputRole::SecondaryColor } else { OutputRole::Color };
        Ok(number.map(|number| ResultBinding::One(role(number))))
    }

    fn vertex_result(&mut self, place: BindingContext) -> Parse<Option<ResultBinding>> {
        let subject = self.results();
        let span = self.token.span;
        let later = self.own.option_for(|profile| profile.clip_distances);
        if let Some(option) = later.filter(|_| self.word() == "clip") {
            let fault = self.own.later("a clip distance", option, span);
            return self.fail(fault);
        }
        if self.word() == "position" && self.own.options.program.position_invariant {
            let code = match self.own.is_typed() {
                true => codes::ARB_INVARIANT_POSITION.citing("NV_vertex_program4 2.X.6.Y"),
                false => codes::ARB_INVARIANT_POSITION,
            };
            let fault = Diagnostic::new(
                code,
                span,
                "a position-invariant program cannot use result.position",
            )
            .with_note("With OPTION ARB_position_invariant, the fixed-function transformation computes the position.");
            self.sink.push(fault);
            self.advance();
            return Ok(None);
        }
        let words: &[&str] = match (later, self.own.language.stage(), self.own.is_typed()) {
            (_, Stage::Geometry, _) => &GEOMETRY_RESULTS,
            (_, Stage::TessControl, _) => &CONTROL_RESULTS,
            (Some(_), ..) => &VERTEX_RESULTS[..5],
            (None, _, false) => &VERTEX_RESULTS[..6],
            (None, _, true) => &VERTEX_RESULTS,
        };
        self.vertex_register(place, subject, words)
    }

    /// Reads a result of a vertex. `words` are the results that the language has.
    fn vertex_register(
        &mut self,
        place: BindingContext,
        subject: Subject,
        words: &[&'static str],
    ) -> Parse<Option<ResultBinding>> {
        let result = match self.one_of(words, subject)? {
            "position" => VertexResult::Hpos,
            "color" => self.vertex_color(place, subject)?,
            "fogcoord" => VertexResult::Fogc,
            "pointsize" => VertexResult::Psiz,
            "texcoord" if self.token.kind == TokenKind::LeftBracket => {
                let index = self.index(limits::TEXTURE_COORDS, place, subject)?;
                return Ok(result_at(index, |set| OutputRole::Vertex(VertexResult::Tex(set))));
            }
            "texcoord" => VertexResult::Tex(0),
            "id" => VertexResult::Id,
            "patch" => return self.patch_result(place, subject),
            "primid" => VertexResult::PrimitiveId,
            "layer" => VertexResult::Layer,
            "attrib" => {
                let index = self.index(limits::GENERIC_INTERPOLANTS, place, subject)?;
                return Ok(result_at(index, |number| OutputRole::Vertex(VertexResult::Generic(number))));
            }
            _ if self.own.is_typed() => {
                let index = self.index(limits::CLIP_DISTANCES, place, subject)?;
                return Ok(result_at(index, |plane| OutputRole::Vertex(VertexResult::Clp(plane))));
            }
            _ => {
                let number = self.bracketed_number(usize::from(limits::CLIP_PLANES), subject)?;
                let Some(plane) = number.and_then(|n| u8::try_from(n).ok()) else { return Ok(None) };
                VertexResult::Clp(plane)
            }
        };
        Ok(Some(ResultBinding::One(OutputRole::Vertex(result))))
    }

    /// Reads a result of a patch, after `result.patch`.
    fn patch_result(&mut self, place: BindingContext, subject: Subject) -> Parse<Option<ResultBinding>> {
        let word = self.dotted(&["tessouter", "tessinner", "attrib"], subject)?;
        // The table names the generic array by its attribute word `patch`; its result word is `attrib`.
        let is_meant = |array: &&PatchArray| array.word == word || array.word == "patch" && word == "attrib";
        let Some(array) = PATCH_ARRAYS.iter().find(is_meant) else { return Ok(None) };
        let index = self.index(array.count, place, subject)?;
        Ok(result_at(index, |number| OutputRole::Patch((array.element)(number))))
    }

    /// Reads `<optFaceType> <optColorType>`.
    fn vertex_color(&mut self, place: BindingContext, subject: Subject) -> Parse<VertexResult> {
        let first = ["front", "back", "primary", "secondary"];
        let mut back = false;
        let color = match self.optional_word(&first, place, subject)? {
            Some(face @ ("front" | "back")) => {
                back = face == "back";
                self.optional_word(&first[2..], place, subject)?
            }
            color => color,
        };
        Ok(match (back, color == Some("secondary")) {
            (false, false) => VertexResult::Col0,
            (false, true) => VertexResult::Col1,
            (true, false) => VertexResult::Bfc0,
            (true, true) => VertexResult::Bfc1,
        })
    }
}

fn result_at(index: Index, role: impl Fn(u8) -> OutputRole) -> Option<ResultBinding> {
    match index {
        Index::Number(number) => Some(ResultBinding::One(role(number))),
        Index::Range(first, count) => Some(ResultBinding::Range { first: role(first), count }),
        Index::Relative(relative) => Some(ResultBinding::TexCoord(relative)),
        Index::Broken => None,
    }
}

/// The input or output patch of a tessellation control program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patch {
    /// The patch that the program reads. In other programs, the input primitive.
    In,
    /// The patch that the program writes.
    Out,
}

/// The vertex that an attribute binding names.
#[derive(Clone, Copy)]
struct Vertex {
    /// `.in` or `.out`, if the program writes one.
    patch: Option<Patch>,
    number: WhichVertex,
}

/// The vertex number in an attribute binding.
#[derive(Clone, Copy)]
enum WhichVertex {
    One(u8),
    /// No number: the index of the variable chooses the vertex.
    Each,
    /// A reported error.
    Broken,
}

/// How a binding names an attribute: by its conventional name, by its generic number, or for each vertex of
/// the primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    Conventional,
    Generic,
    OfVertices,
}

fn indexed(
    index: Index,
    attribute: impl Fn(u8) -> Attribute,
    count: u8,
    naming: Naming,
) -> Option<(AttributeBinding, Naming)> {
    let binding = match index {
        Index::Number(number) => AttributeBinding::One(attribute(number)),
        Index::Range(first, count) => AttributeBinding::Range { first: attribute(first), count },
        Index::Relative(relative) => AttributeBinding::Indexed { first: attribute(0), count, relative },
        Index::Broken => return None,
    };
    Some((binding, naming))
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
