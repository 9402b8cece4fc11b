//! What a statement of an ARB program adds to the outline.

use crate::front::arb::words::{Keyword, role};
use crate::front::lossy;
use crate::front::words::Role;
use crate::ide::outline::{OutlineItem, OutlineKind};
use crate::isa::{Language, Opcode, OperandKind, ResultKind};
use crate::source::Span;
use crate::syntax::TokenKind;

/// Adds what `statement`, without its `;`, is worth.
pub(in crate::ide) fn statement(
    text: &[u8],
    language: Language,
    statement: &[(TokenKind, Span)],
    items: &mut Vec<OutlineItem>,
) {
    let word =
        |index: usize| statement.get(index).map_or_else(String::new, |(_, span)| lossy(span.slice(text)));
    match role(language, &word(0)) {
        Role::Keyword(Keyword::Size(_)) if !language.profile().half_variables => {}
        Role::Keyword(Keyword::Size(_)) => {
            if let Role::Keyword(keyword) = role(language, &word(1)) {
                declaration(text, keyword, statement.get(1..).unwrap_or_default(), items);
            }
        }
        Role::Keyword(keyword) => declaration(text, keyword, statement, items),
        Role::Instruction(info, _) => {
            if matches!(info.opcode, Opcode::If | Opcode::Loop | Opcode::Rep) {
                let (Some((_, first)), Some((_, last))) = (statement.first(), statement.last()) else {
                    return;
                };
                let detail =
                    statement.get(1).map_or_else(String::new, |(_, from)| squeezed(text, from.to(*last)));
                items.push(OutlineItem {
                    kind: OutlineKind::Block,
                    title: info.mnemonic.to_owned(),
                    detail,
                    span: *first,
                });
            }
            if info.result != ResultKind::None && word(1) == "result" {
                written(text, &word(0), statement, items);
            }
            if info.operands_in(language).contains(&OperandKind::TextureImage) {
                lookup(text, statement, items);
            }
        }
        _ => {}
    }
}

fn squeezed(text: &[u8], span: Span) -> String {
    lossy(span.slice(text)).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn declaration(text: &[u8], keyword: Keyword, statement: &[(TokenKind, Span)], items: &mut Vec<OutlineItem>) {
    let Some((_, last)) = statement.last() else { return };
    let equals = statement.iter().position(|(kind, _)| *kind == TokenKind::Equals);
    let value = equals.and_then(|equals| statement.get(equals + 1));
    let detail = value.map_or_else(String::new, |(_, from)| squeezed(text, from.to(*last)));
    let is_bound = ["state", "program"].iter().any(|word| detail.contains(word));
    let kind = match keyword {
        Keyword::Option => OutlineKind::Option,
        Keyword::Temp => OutlineKind::Temporary,
        Keyword::Address => OutlineKind::Address,
        Keyword::Attrib => OutlineKind::Attribute,
        Keyword::Output => OutlineKind::Output,
        Keyword::Param if is_bound => OutlineKind::Parameter,
        Keyword::Param => OutlineKind::Constant,
        Keyword::Alias | Keyword::Size(_) => return,
    };
    // TEMP and ADDRESS list names.
    let names =
        statement.iter().skip(1).take_while(|(kind, _)| matches!(kind, TokenKind::Word | TokenKind::Comma));
    for (_, name) in names.filter(|(kind, _)| *kind == TokenKind::Word) {
        items.push(OutlineItem { kind, title: lossy(name.slice(text)), detail: detail.clone(), span: *name });
    }
}

/// The words, points and brackets from `start` on, as they are written but for spaces, and where they end.
fn chain(text: &[u8], statement: &[(TokenKind, Span)], start: usize) -> (String, Span, usize) {
    let mut end = start;
    let mut open = false;
    while let Some((kind, _)) = statement.get(end) {
        match kind {
            TokenKind::LeftBracket => open = true,
            TokenKind::RightBracket => open = false,
            TokenKind::Word | TokenKind::Dot => {}
            TokenKind::Number | TokenKind::Plus | TokenKind::Minus if open => {}
            _ => break,
        }
        end += 1;
    }
    let whole = statement.get(start..end).unwrap_or_default();
    let span = match (whole.first(), whole.last()) {
        (Some((_, first)), Some((_, last))) => first.to(*last),
        _ => Span::at(0),
    };
    (whole.iter().map(|(_, span)| lossy(span.slice(text))).collect(), span, end)
}

fn add(kind: OutlineKind, title: String, detail: String, span: Span, items: &mut Vec<OutlineItem>) {
    if !items.iter().any(|item| item.kind == kind && item.title == title) {
        items.push(OutlineItem { kind, title, detail, span });
    }
}

/// The first write to a result that no OUTPUT names.
fn written(text: &[u8], mnemonic: &str, statement: &[(TokenKind, Span)], items: &mut Vec<OutlineItem>) {
    let (mut title, span, _) = chain(text, statement, 1);
    // A write mask is no part of the name.
    if let Some((name, mask)) = title.rsplit_once('.')
        && mask.bytes().all(|letter| b"xyzwrgba".contains(&letter))
        && name.contains('.')
    {
        title = name.to_owned();
    }
    add(OutlineKind::Output, title, mnemonic.to_owned(), span, items);
}

/// The first lookup on a texture image unit.
fn lookup(text: &[u8], statement: &[(TokenKind, Span)], items: &mut Vec<OutlineItem>) {
    for start in 2..statement.len() {
        let (_, span) = statement[start];
        if span.slice(text) == b"texture" && statement[start - 1].0 == TokenKind::Comma {
            let (unit, span, end) = chain(text, statement, start);
            let target = statement.get(end + 1).map_or_else(String::new, |(_, span)| lossy(span.slice(text)));
            add(OutlineKind::Texture, unit, target, span, items);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::{OutlineKind, outline};

    #[test]
    fn declarations_blocks_lookups_and_results() {
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
    fn broken_statements_are_left_out() {
        for text in
            ["!!ARBfp1.0\nTEMP;", "!!ARBfp1.0;;\nMOV;", "!!ARBvp1.0\nPARAM = ;", "!!ARBvp1.0\nwhat: TEX;"]
        {
            assert_eq!(outline(text.as_bytes()), [], "{text}");
        }
    }
}
