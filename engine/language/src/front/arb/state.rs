//! `state.*`: the fixed-function state that parameters are bound to (Tables X.2.2 to X.2.7 of
//! ARB_fragment_program, X.3.2 to X.3.8 of ARB_vertex_program, X.3 to X.11 of NV_gpu_program4).

use super::bindings::{BindingContext, Subject};
use super::parameters::Bound;
use super::parser::Parser;
use crate::diag::{Diagnostic, codes};
use crate::front::parser::Parse;
use crate::ir::{
    Face, LightProperty, MaterialProperty, MatrixName, MatrixTransform, ProductProperty, StateVector,
    TexGenPlane, TexGenSpace, limits,
};
use crate::source::Span;
use crate::syntax::TokenKind;

const FACES: [&str; 2] = ["front", "back"];

impl<'t> Parser<'t> {
    fn states(&self) -> Subject {
        Subject { code: codes::ARB_BAD_STATE.of(self.own.language), what: "state item" }
    }

    /// Reads `state.*`. The next token is its first word. Returns `None` after a reported error.
    pub(super) fn state_binding(&mut self, place: BindingContext) -> Parse<Option<Bound>> {
        const FRAGMENT: &[&str] =
            &["material", "light", "lightmodel", "lightprod", "texenv", "fog", "depth", "matrix"];
        const VERTEX: &[&str] =
            &["material", "light", "lightmodel", "lightprod", "texgen", "fog", "clip", "point", "matrix"];
        // One list for all program types: `<stateSingleItem>` of NV_gpu_program4 2.X.2.
        const TYPED: &[&str] = &[
            "material",
            "light",
            "lightmodel",
            "lightprod",
            "texgen",
            "texenv",
            "fog",
            "clip",
            "point",
            "depth",
            "matrix",
        ];
        let subject = self.states();
        self.advance();
        self.expect(TokenKind::Dot, "`.` after `state`")?;
        let items = match (self.own.is_typed(), self.own.is_vertex()) {
            (true, _) => TYPED,
            (false, true) => VERTEX,
            (false, false) => FRAGMENT,
        };
        let vector = match self.one_of(items, subject)? {
            "material" => Some(self.material(subject)?),
            "light" => self.light(subject)?,
            "lightmodel" => Some(self.light_model(subject)?),
            "lightprod" => self.light_product(subject)?,
            "texgen" => self.texgen(subject)?,
            "texenv" => {
                let units = Subject { what: "texture unit", ..subject };
                let unit = self.optional_number(usize::from(limits::TEXTURE_UNITS), units)?;
                self.dotted(&["color"], subject)?;
                byte(unit).map(|unit| StateVector::TexEnvColor { unit })
            }
            "fog" => Some(match self.dotted(&["color", "params"], subject)? {
                "color" => StateVector::FogColor,
                _ => StateVector::FogParams,
            }),
            "clip" => {
                let planes = Subject { what: "clip plane", ..subject };
                let number = self.bracketed_number(usize::from(limits::CLIP_PLANES), planes)?;
                self.dotted(&["plane"], subject)?;
                byte(number).map(StateVector::ClipPlane)
            }
            "point" => Some(match self.dotted(&["size", "attenuation"], subject)? {
                "size" => StateVector::PointSize,
                _ => StateVector::PointAttenuation,
            }),
            "depth" => {
                self.dotted(&["range"], subject)?;
                Some(StateVector::DepthRange)
            }
            _ => return self.matrix(place, subject),
        };
        Ok(vector.map(Bound::state))
    }

    fn material(&mut self, subject: Subject) -> Parse<StateVector> {
        let properties = MaterialProperty::ALL.map(MaterialProperty::name);
        let (face, name) = self.faced(&properties, subject)?;
        let found = MaterialProperty::from_name(name);
        Ok(StateVector::Material { face, property: found.unwrap_or(MaterialProperty::Ambient) })
    }

    /// Reads `<optFaceType> "." property`.
    fn faced(&mut self, properties: &[&'static str], subject: Subject) -> Parse<(Face, &'static str)> {
        let with_faces: Vec<&'static str> = FACES.iter().chain(properties).copied().collect();
        let first = self.dotted(&with_faces, subject)?;
        let face = if first == "back" { Face::Back } else { Face::Front };
        let name = if FACES.contains(&first) { self.dotted(properties, subject)? } else { first };
        Ok((face, name))
    }

    fn light(&mut self, subject: Subject) -> Parse<Option<StateVector>> {
        let lights = Subject { what: "light", ..subject };
        let light = self.bracketed_number(usize::from(limits::LIGHTS), lights)?;
        let properties = ["ambient", "diffuse", "specular", "position", "attenuation", "spot", "half"];
        let name = self.dotted(&properties, subject)?;
        if name == "spot" {
            self.dotted(&["direction"], subject)?;
        }
        // `spot.direction` is the only property of two words; `name` is its first word.
        let found = LightProperty::ALL.into_iter().find(|property| property.name().starts_with(name));
        let property = found.unwrap_or(LightProperty::Ambient);
        Ok(byte(light).map(|light| StateVector::Light { light, property }))
    }

    fn light_model(&mut self, subject: Subject) -> Parse<StateVector> {
        let name = self.dotted(&["ambient", "scenecolor", "front", "back"], subject)?;
        if name == "ambient" {
            return Ok(StateVector::LightModelAmbient);
        }
        if FACES.contains(&name) {
            self.dotted(&["scenecolor"], subject)?;
        }
        Ok(StateVector::SceneColor { face: if name == "back" { Face::Back } else { Face::Front } })
    }

    fn light_product(&mut self, subject: Subject) -> Parse<Option<StateVector>> {
        let lights = Subject { what: "light", ..subject };
        let light = self.bracketed_number(usize::from(limits::LIGHTS), lights)?;
        let (face, name) = self.faced(&ProductProperty::ALL.map(ProductProperty::name), subject)?;
        let found = ProductProperty::from_name(name);
        let property = found.unwrap_or(ProductProperty::Ambient);
        Ok(byte(light).map(|light| StateVector::LightProduct { light, face, property }))
    }

    fn texgen(&mut self, subject: Subject) -> Parse<Option<StateVector>> {
        const COORDINATES: [&str; 4] = ["s", "t", "r", "q"];
        let units = Subject { what: "texture unit", ..subject };
        let unit = self.optional_number(usize::from(limits::TEXTURE_COORDS), units)?;
        let space = match self.dotted(&["eye", "object"], subject)? {
            "eye" => TexGenSpace::Eye,
            _ => TexGenSpace::Object,
        };
        let name = self.dotted(&COORDINATES, subject)?;
        let place = (0..4).zip(COORDINATES).find(|(_, known)| *known == name);
        let coordinate = place.map_or(0, |(coordinate, _)| coordinate);
        Ok(byte(unit).map(|unit| StateVector::TexGen { unit, plane: TexGenPlane { space, coordinate } }))
    }

    fn matrix(&mut self, place: BindingContext, subject: Subject) -> Parse<Option<Bound>> {
        self.expect(TokenKind::Dot, "`.` after `matrix`")?;
        if self.word() == "palette" {
            let clause = match (self.own.is_typed(), self.own.is_vertex()) {
                (true, _) => "NV_gpu_program4 2.X.2",
                (false, true) => "ARB_vertex_program, Dependencies on ARB_matrix_palette",
                (false, false) => "ARB_fragment_program, Dependencies on ARB_matrix_palette",
            };
            let fault = Diagnostic::new(
                subject.code.citing(clause),
                self.token.span,
                "palette matrices are not supported",
            )
            .with_note("Use program matrices instead.");
            return self.fail(fault);
        }
        let matrix = Subject { what: "matrix", ..subject };
        let name = match self.one_of(&["modelview", "projection", "mvp", "texture", "program"], matrix)? {
            // Without vertex blending there is only one modelview matrix.
            "modelview" => self.optional_number(1, matrix)?.map(|_| MatrixName::ModelView),
            "projection" => Some(MatrixName::Projection),
            "mvp" => Some(MatrixName::Mvp),
            "texture" => {
                let number = self.optional_number(usize::from(limits::TEXTURE_COORDS), matrix)?;
                byte(number).map(MatrixName::Texture)
            }
            _ => {
                let number = self.bracketed_number(usize::from(limits::PROGRAM_MATRICES), matrix)?;
                byte(number).map(MatrixName::Program)
            }
        };
        let (transform, has_rows) = self.transform(subject)?;
        let (rows, decided) = if has_rows {
            self.rows(place, subject)?
        } else if place == BindingContext::Element {
            (Some((0, 3)), self.token.span)
        } else if self.token.kind == TokenKind::LeftBracket {
            // The matrix number, if any, has been read.
            return Err(self.unexpected("`.row`"));
        } else {
            let span = Span::at(self.previous.end);
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_NEEDS_ROW.citing(subject.code.clause()),
                    self.token.span,
                    "a whole matrix is four vectors, but one is needed: select a row",
                )
                .with_note("An array can hold a whole matrix: `PARAM m[4] = { state.matrix.mvp };`")
                .with_fix("use row 0", span, ".row[0]"),
            );
            (None, self.token.span)
        };
        let (Some(name), Some((first, last))) = (name, rows) else { return Ok(None) };
        let row = StateVector::Matrix { name, transform, row: first };
        Ok(Some(Bound::state(row).repeated(u16::from(last - first) + 1, decided)))
    }

    /// Reads `<stateOptMatModifier>`. Also returns whether `.row` followed, which has been read too.
    fn transform(&mut self, subject: Subject) -> Parse<(MatrixTransform, bool)> {
        let row = Subject { what: "matrix modifier", ..subject };
        if self.token.kind != TokenKind::Dot {
            return Ok((MatrixTransform::Identity, false));
        }
        let transform = match self.dotted(&["inverse", "transpose", "invtrans", "row"], row)? {
            "inverse" => MatrixTransform::Inverse,
            "transpose" => MatrixTransform::Transpose,
            "invtrans" => MatrixTransform::InverseTranspose,
            _ => return Ok((MatrixTransform::Identity, true)),
        };
        if self.token.kind != TokenKind::Dot {
            return Ok((transform, false));
        }
        self.dotted(&["row"], row)?;
        Ok((transform, true))
    }

    /// Reads `[ a ]` or, in arrays, `[ a .. b ]`. Also returns the token that decides how many rows there
    /// are.
    fn rows(&mut self, place: BindingContext, subject: Subject) -> Parse<(Option<(u8, u8)>, Span)> {
        let row = Subject { what: "row", ..subject };
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let (range, decided) = self.range(4, place, row)?;
        let rows = range.and_then(|(a, b)| Some((u8::try_from(a).ok()?, u8::try_from(b).ok()?)));
        Ok((rows, decided))
    }

    /// Reads `a ]` or, in arrays, `a .. b ]`. Also returns the token that decides the length, for errors.
    pub(super) fn range(
        &mut self,
        limit: usize,
        place: BindingContext,
        subject: Subject,
    ) -> Parse<(Option<(u32, u32)>, Span)> {
        let mut decided = self.token.span;
        let first = self.number_below(limit, subject)?;
        let mut last = first;
        if self.token.kind == TokenKind::DotDot {
            let fault = |span, message| {
                Diagnostic::new(codes::ARB_BAD_RANGE.citing(subject.code.clause()), span, message)
            };
            if place != BindingContext::Element {
                let fault = fault(self.token.span, "a range is several vectors, but one is needed")
                    .with_note(
                        "A range can be in the list of an array: `PARAM p[] = { program.env[0..3] };`",
                    );
                return self.fail(fault);
            }
            self.advance();
            decided = self.token.span;
            last = self.number_below(limit, subject)?;
            if let (Some(a), Some(b)) = (first, last)
                && a > b
            {
                self.sink.push(
                    fault(decided, "a range cannot run backwards")
                        .with_note("The second number must not be less than the first."),
                );
                last = None;
            }
        }
        self.close_bracket()?;
        Ok((first.zip(last), decided))
    }
}

fn byte(number: Option<u32>) -> Option<u8> {
    number.and_then(|number| u8::try_from(number).ok())
}
