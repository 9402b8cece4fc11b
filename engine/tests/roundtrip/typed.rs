//! Texts in the languages of NV_gpu_program4 and 5.

use shadestep_engine::isa::{Language, Languages, Stage};

const DECLARATIONS: &str = "TEMP t, u, a[4]; INT TEMP i, j; UINT TEMP n; FLOAT TEMP f; SHORT TEMP h;\n\
    PARAM p[3] = { program.local[0..2] }; PARAM k = { 0.5, -2, 1e-3, 7 };\n";

/// Statements of both generations; `@` stands for the stage.
const STATEMENTS: [&str; 30] = [
    "MOV t, u;",
    "MOV.S i, j.wzyx;",
    "ADD.F.SAT f, t, -|u|;",
    "ADD.S.CC i.xy, i, 0x7F;",
    "SUB.U.CC1 n, n, 3;",
    "MUL.S.HI i, i, j;",
    "MAD f.xyz, @.attrib[2], k.x, p[1];",
    "MAD.U n, n, 2, n.x;",
    "DIV t, u, u.w;",
    "MOD.U n, n, 7;",
    "SHL.S i, i, j.x;",
    "SHR.U n, n, 31;",
    "AND.U n, n, 0xFFFFFFFF;",
    "OR.S i (NE.xyzw), i, j;",
    "NOT.S i, j;",
    "SGT.S j.x, i.y, i.z;",
    "SEQ t.w, u.x, 1;",
    "I2F t, i;",
    "TRUNC.S i, t;",
    "ROUND.U n, t;",
    "CEIL h, h;",
    "MOV t, a[i.x + 1];",
    "MOV a[i.y].zw, t;",
    "MOV t, p[i.x];",
    "TXF.F t, i, texture[0], 2D, (1, -1);",
    "TXQ i, i.x, texture[0], 2D;",
    "IF GT0.x; MOV t (LT1.y), u; ELSE; RCP t.x, t.y; ENDIF;",
    "REP.S 3; ADD t, t, 1; BRK (EQ.x); ENDREP;",
    "SSG t, u;",
    "MOV result.color, t;",
];

/// Statements that NV_gpu_program5 brings.
const LATER: [&str; 12] = [
    "BFE.U n, n.zwxy, n;",
    "BFI.S i, j, i, i;",
    "BTC.U n, n;",
    "BTFM.S i, j;",
    "CVT.F32.S32 t, i;",
    "CVT.S32.F32.FLR i, t;",
    "PK64.F l, t;",
    "UP64.F t, l;",
    "ADD.F64 l, l, -m;",
    "SLT.U64.CC l.x, m.x, l.y;",
    "TXG t, u, texture[1].y, 2D;",
    "TGALL.S i, j;",
];

/// Declarations and statements of geometry programs.
const OF_PRIMITIVES: &str = "PRIMITIVE_IN LINES; PRIMITIVE_OUT POINTS; VERTICES_OUT 7; ATTRIB v = vertex.position;\n\
    ATTRIB w[] = { vertex.texcoord[1..3] };\n";
const GEOMETRY: [&str; 6] = [
    "EMIT;",
    "ENDPRIM;",
    "MOV t, v[i.x];",
    "MOV t, w[i.x][j.y + 1];",
    "MOV t, w[1][j.z];",
    "MOV.S i.x, primitive.id;",
];

/// Tokens of the languages.
pub const PIECES: &[&str] = &[
    "MOV",
    "ADD",
    ".S",
    ".U",
    ".F64",
    ".CC1",
    ".SAT",
    ".HI",
    "TXF",
    "REP",
    "IF",
    "ENDIF",
    "ENDREP",
    "INT",
    "LONG",
    "TEMP",
    "FLAT",
    "ATTRIB",
    "TEXTURE",
    "IMAGE",
    "LOADIM",
    "STOREIM",
    "ATOMIM",
    "EMIT",
    "EMITS",
    "ENDPRIM",
    "PRIMITIVE_IN",
    "PRIMITIVE_OUT",
    "VERTICES_OUT",
    "INVOCATIONS",
    "TRIANGLES",
    "POINTS",
    "SUBROUTINETYPE",
    "SUBROUTINE",
    "SUBROUTINENUM",
    "CALI",
    "program",
    ".local",
    ".subroutine",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "..",
    ",",
    ";",
    ":",
    "=",
    "fragment",
    "vertex",
    "primitive",
    ".attrib",
    ".id",
    "result",
    ".color",
    "texture",
    "image",
    "2DMS",
    "2D",
    "ARRAY2D",
    "t",
    "i",
    "a",
    "x",
    ".x",
    "-",
    "|",
    "0",
    "1",
    "4294967296",
    "0xFFFFFFFF",
    "1.5",
    "GT0",
    "CF.x",
    "main",
    "END",
];

/// A program that loads.
pub fn random_program(language: Language, list: Vec<u32>) -> String {
    let later = Languages::GPU_5.contains(language);
    let stage = match language.stage() {
        Stage::Vertex | Stage::VertexState => "vertex",
        Stage::Geometry => "vertex[1]",
        Stage::Fragment => "fragment",
    };
    let emits = language.stage() == Stage::Geometry;
    let mut text = format!("{}\n{DECLARATIONS}", language.header());
    if later {
        text.push_str("LONG TEMP l, m;\n");
    }
    if emits {
        text.push_str(OF_PRIMITIVES);
    }
    let choices = STATEMENTS.iter().chain(LATER.iter().filter(|_| later));
    let choices = choices.chain(GEOMETRY.iter().filter(|_| emits)).collect::<Vec<_>>();
    for number in list {
        text.push_str(&choices[number as usize % choices.len()].replace('@', stage));
        text.push('\n');
    }
    text.push_str("END\n");
    text
}
