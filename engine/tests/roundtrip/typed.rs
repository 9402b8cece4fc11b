//! Random texts in the languages of NV_gpu_program4 and NV_gpu_program5.

use shadestep_language::isa::{Language, Languages, Stage};

const DECLARATIONS: &str = "TEMP t, u, a[4]; INT TEMP i, j; UINT TEMP n; FLOAT TEMP f; SHORT TEMP h;\n\
    PARAM p[3] = { program.local[0..2] }; PARAM k = { 0.5, -2, 1e-3, 7 };\n";

/// Statements of both generations. `@` is replaced with the prefix of the stage's inputs.
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

/// Statements that NV_gpu_program5 adds.
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

/// Statements of programs that read primitives.
const OF_PRIMITIVES: [&str; 4] =
    ["MOV t, v[i.x];", "MOV t, w[i.x][j.y + 1];", "MOV t, w[1][j.z];", "MOV.S i.x, primitive.id;"];

/// The prefix that replaces `@` in statements (`vertex`, `fragment`, `vertex[1]`), and the stage's own
/// declarations and statements.
struct OfStage {
    vertex: &'static str,
    declarations: &'static str,
    statements: &'static [&'static str],
}

const fn of_stage(stage: Stage) -> OfStage {
    match stage {
        Stage::Vertex | Stage::VertexState => OfStage { vertex: "vertex", declarations: "", statements: &[] },
        Stage::Fragment => OfStage { vertex: "fragment", declarations: "", statements: &[] },
        Stage::TessControl => OfStage {
            vertex: "vertex[1]",
            declarations: "VERTICES_OUT 3; OUTPUT levels[] = { result.patch.tessouter[0..3] };\n\
                ATTRIB vo = vertex.out.color;\n",
            statements: &[
                "MOV t, vertex.out[2].position;",
                "MOV t, vo[i.x];",
                "MOV levels[j.x].x, t;",
                "MOV result.patch.attrib[4].zw, t;",
                "MUL t, primitive.out.tessouter[1].x, u;",
                "MOV t, primitive.out.patch.attrib[4];",
                "MOV.S i.x, primitive.invocation;",
            ],
        },
        Stage::TessEvaluation => OfStage {
            vertex: "vertex[1]",
            declarations: "TESS_MODE QUADS; TESS_SPACING FRACTIONAL_ODD; TESS_VERTEX_ORDER CW; TESS_POINT_MODE;\n\
                ATTRIB q[] = { primitive.patch.attrib[3..5] };\n",
            statements: &[
                "MOV t, vertex.tesscoord;",
                "MOV t, q[i.x];",
                "MUL t, primitive.tessouter[3].x, primitive.tessinner[1].x;",
                "MOV.S i.x, primitive.vertexcount;",
            ],
        },
        Stage::Geometry => OfStage {
            vertex: "vertex[1]",
            declarations: "PRIMITIVE_IN LINES; PRIMITIVE_OUT POINTS; VERTICES_OUT 7;\n",
            statements: &["EMIT;", "ENDPRIM;"],
        },
    }
}

/// Tokens for random texts that need not load.
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
    "PATCHES",
    "TESS_MODE",
    "TESS_SPACING",
    "TESS_VERTEX_ORDER",
    "TESS_POINT_MODE",
    "QUADS",
    "CCW",
    ".patch",
    ".tessouter",
    ".tesscoord",
    ".in",
    ".out",
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

/// Returns a program that loads.
pub fn random_program(language: Language, list: Vec<u32>) -> String {
    let later = Languages::GPU_5.contains(language);
    let of_primitives = language.stage().reads_primitives();
    let stage = of_stage(language.stage());
    let mut text = format!("{}\n{}{DECLARATIONS}", language.header(), stage.declarations);
    if later {
        text.push_str("LONG TEMP l, m;\n");
    }
    if of_primitives {
        text.push_str("ATTRIB v = vertex.position; ATTRIB w[] = { vertex.texcoord[1..3] };\n");
    }
    let choices = STATEMENTS.iter().chain(LATER.iter().filter(|_| later));
    let choices = choices.chain(OF_PRIMITIVES.iter().filter(|_| of_primitives));
    let choices = choices.chain(stage.statements).collect::<Vec<_>>();
    for number in list {
        text.push_str(&choices[number as usize % choices.len()].replace('@', stage.vertex));
        text.push('\n');
    }
    text.push_str("END\n");
    text
}
