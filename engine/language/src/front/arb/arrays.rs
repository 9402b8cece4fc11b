//! Arrays in declarations: sizes, brackets, and lists of consecutive elements (NV_gpu_program4 2.X.3.1,
//! 2.X.3.2, 2.X.3.5, NV_gpu_program5 2.X.3.8).

use super::bindings::Naming;
use super::parser::Parser;
use crate::diag::{Diagnostic, codes};
use crate::front::parser::Parse;
use crate::ir::{Attribute, OutputRole, PatchResult, VertexResult};
use crate::source::Span;
use crate::syntax::TokenKind;

/// The size of an array and its place; `None` for empty brackets.
pub(super) type Size = Option<(u32, Span)>;

impl Parser<'_> {
    /// Reads `[ size ]` of an array of temporaries. Returns `None` after a reported error.
    pub(super) fn array_size(&mut self) -> Parse<Option<u16>> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let token = self.token;
        if !token.kind.is_numeric() {
            return Err(self.unexpected("the size of the array"));
        }
        self.advance();
        let most = self.own.language.profile().limits.temporaries;
        let size = self.whole_number(token).and_then(|n| u16::try_from(n).ok());
        let size = size.filter(|&n| (1..=most).contains(&usize::from(n)));
        if size.is_none() {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_ARRAY_SIZE.citing("NV_gpu_program4 2.X.3.1"),
                    token.span,
                    format!("`{shown}` is not a valid array size"),
                )
                .with_note(format!("An array size is a whole number from 1 to {most}.")),
            );
        }
        self.close_bracket()?;
        Ok(size)
    }

    /// Reports the text from `begin` to here, which cannot be an element of an array. `clause` says so.
    pub(super) fn stands_alone(&mut self, begin: Span, clause: &'static str) {
        let span = begin.to(self.previous);
        let shown = self.excerpt(span);
        self.sink.push(
            Diagnostic::new(
                codes::GPU_NOT_IN_ARRAY.citing(clause),
                span,
                format!("`{shown}` cannot be in an array"),
            )
            .with_note("An array can hold only numbered bindings: texture coordinates, attrib[n], clip[n]."),
        );
    }

    /// Reads `[ ]` or `[ size ]` after the name of a variable, in languages with such arrays.
    pub(super) fn declared_size(&mut self) -> Parse<Option<Size>> {
        if !self.own.is_typed() || self.token.kind != TokenKind::LeftBracket {
            return Ok(None);
        }
        self.advance();
        let token = self.token;
        let mut size = None;
        if token.kind.is_numeric() {
            self.advance();
            let value = self.whole_number(token).filter(|n| *n > 0);
            match value {
                Some(value) => size = Some((value, token.span)),
                None => {
                    let shown = self.excerpt(token.span);
                    self.sink.push(Diagnostic::new(
                        codes::ARB_ARRAY_SIZE.citing("NV_gpu_program4 2.X.3.1"),
                        token.span,
                        format!("`{shown}` is not a valid array size"),
                    ));
                }
            }
        } else if token.kind != TokenKind::RightBracket {
            return Err(self.unexpected("a size or `]`"));
        }
        self.close_bracket()?;
        Ok(Some(size))
    }

    /// The result of [`Self::declared_size`] for the variable whose name is at `name`, corrected for missing
    /// brackets. If the next token is the brace of a list, the variable is an array even without brackets,
    /// which is reported.
    pub(super) fn bracketed(&mut self, name: Span, sized: Option<Size>) -> Option<Size> {
        if sized.is_some() || !self.own.is_typed() || self.token.kind != TokenKind::LeftBrace {
            return sized;
        }
        let shown = self.excerpt(name);
        self.sink.push(
            Diagnostic::new(
                codes::GPU_NEEDS_BRACKETS,
                self.token.span,
                format!("a list declares an array: write `{shown}[]`"),
            )
            .with_label(name, "add brackets to this name")
            .with_fix("insert []", Span::at(name.end), "[]"),
        );
        Some(None)
    }

    /// Reads `{ item, ... }` with consecutive items. Returns the first item and the count. `next` returns the
    /// item a given number of steps after an item; `clause` requires that the items are consecutive.
    pub(super) fn list<T: Copy + PartialEq>(
        &mut self,
        (size, clause): (Size, &'static str),
        item: impl Fn(&mut Self) -> Parse<Option<(T, u32)>>,
        next: impl Fn(T, u32) -> Option<T>,
    ) -> Parse<Option<(T, u32)>> {
        self.expect(TokenKind::LeftBrace, "`{`")?;
        let mut all: Option<(T, u32)> = None;
        let mut whole = true;
        loop {
            let begin = self.token.span;
            let Some((first, count)) = item(self)? else {
                whole = false;
                if self.eat(TokenKind::RightBrace).is_some() {
                    break;
                }
                self.comma_in_list("`,` or `}`")?;
                continue;
            };
            let span = begin.to(self.previous);
            all = match all {
                None => Some((first, count)),
                Some((begins, before)) => {
                    if whole && next(begins, before) != Some(first) {
                        self.sink.push(
                            Diagnostic::new(
                                codes::GPU_NOT_CONSECUTIVE.citing(clause),
                                span,
                                "this element does not continue the one before it",
                            )
                            .with_note(
                                "The elements of an array must be of one kind and numbered consecutively.",
                            ),
                        );
                        whole = false;
                    }
                    Some((begins, before.saturating_add(count)))
                }
            };
            if self.token.kind == TokenKind::RightBrace {
                break;
            }
            self.comma_in_list("`,` or `}`")?;
        }
        let close = self.previous;
        let end = self.eat(TokenKind::RightBrace).unwrap_or(close);
        if let (Some((wanted, place)), Some((_, count)), true) = (size, all, whole)
            && wanted != count
        {
            let how = if count > wanted { "more" } else { "fewer" };
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_ARRAY_SIZE.citing("NV_gpu_program4 2.X.3.1"),
                    end,
                    format!("the array size is {wanted}, but the list has {how} elements"),
                )
                .with_label(place, "the array size")
                .with_fix("remove the size", place, ""),
            );
            whole = false;
        }
        Ok(all.filter(|_| whole))
    }
}

/// Whether an attribute has a number, so that it can be in an array.
pub(super) const fn is_in_array(attribute: Attribute, naming: Naming) -> bool {
    match attribute {
        Attribute::Tex(_) | Attribute::ClipDistance(_) | Attribute::Generic(_) => true,
        Attribute::OfVertex { result, .. } | Attribute::OutVertex { result, .. } => {
            result.after(1).is_some() || is_last(OutputRole::Vertex(result))
        }
        Attribute::OfPatch(_) | Attribute::OutPatch(_) => true,
        Attribute::Vertex(number) => number >= 8 || matches!(naming, Naming::Generic),
        _ => false,
    }
}

/// Whether `role` is the last element of its array.
pub(super) const fn is_last(role: OutputRole) -> bool {
    matches!(
        role,
        OutputRole::Vertex(VertexResult::Tex(7) | VertexResult::Clp(7) | VertexResult::Generic(31))
            | OutputRole::Patch(PatchResult::Outer(3) | PatchResult::Inner(1) | PatchResult::Generic(29))
    )
}
