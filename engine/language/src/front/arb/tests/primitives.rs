//! Geometry programs: declarations, vertices and results (NV_geometry_program4 2.X, NV_gpu_program5 2.X).

use super::*;
use crate::ir::{GeometryLayout, InputPrimitive, OutputPrimitive, VertexIndex};
use Language::{NvGp4, NvGp5};

const BOTH: &[Language] = &[NvGp4, NvGp5];

/// A program with this body that reads triangles.
#[track_caller]
fn takes(language: Language, body: &str) -> Program {
    accepts(
        language,
        &format!(
            "PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3; INT TEMP i, j; {body}"
        ),
    )
}

#[track_caller]
fn refuses_body(languages: &[Language], code: &str, marked: &str) {
    let names =
        "PRIMITIVE_IN TRIANGLES; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3; INT TEMP i, j; TEMP t;";
    refuses(languages, code, &format!("{names} {marked}"));
}

fn source(program: &Program, at: usize) -> Source {
    program.instructions[at].operands[0].source
}

const fn of(vertex: u8, result: VertexResult) -> Attribute {
    Attribute::OfVertex { vertex, result }
}

#[test]
fn primitives_are_declared_once_each() {
    let program = accepts(NvGp4, "PRIMITIVE_IN LINES_ADJACENCY; VERTICES_OUT 7; PRIMITIVE_OUT POINTS; EMIT;");
    let layout = GeometryLayout {
        input: InputPrimitive::LinesAdjacency,
        output: OutputPrimitive::Points,
        vertices_out: 7,
        invocations: 1,
    };
    assert_eq!(program.geometry, Some(layout));
    let program =
        accepts(NvGp5, "INVOCATIONS 32; PRIMITIVE_IN POINTS; PRIMITIVE_OUT LINE_STRIP; VERTICES_OUT 1024;");
    let layout = GeometryLayout {
        input: InputPrimitive::Points,
        output: OutputPrimitive::LineStrip,
        vertices_out: 1024,
        invocations: 32,
    };
    assert_eq!(program.geometry, Some(layout));
    refuses(BOTH, "gpu-primitive-missing", "PRIMITIVE_OUT POINTS; VERTICES_OUT 1; EMIT;@");
    refuses(BOTH, "gpu-primitive-missing", "PRIMITIVE_IN POINTS; VERTICES_OUT 1; EMIT;@");
    refuses(BOTH, "gpu-primitive-missing", "PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; EMIT;@");
    refuses(BOTH, "gpu-primitive-twice", "PRIMITIVE_IN POINTS; PRIMITIVE_IN @TRIANGLES;");
    refuses(BOTH, "gpu-primitive-twice", "VERTICES_OUT 3; VERTICES_OUT @3;");
    refuses_body(BOTH, "gpu-late-declaration", "@VERTICES_OUT 3;");
    refuses(BOTH, "gpu-bad-primitive", "PRIMITIVE_IN @LINE_STRIP;");
    refuses(BOTH, "gpu-bad-primitive", "PRIMITIVE_OUT @TRIANGLES;");
    refuses(BOTH, "gpu-bad-primitive-number", "VERTICES_OUT @0;");
    refuses(BOTH, "gpu-bad-primitive-number", "VERTICES_OUT @1025;");
    refuses(&[NvGp5], "gpu-bad-primitive-number", "INVOCATIONS @33;");
    refuses(&[NvGp4], "gpu-later-instruction", "@INVOCATIONS 2;");
}

#[test]
fn what_is_emitted_has_limits() {
    // 1024 components: 256 vertices of one vector.
    let body = |vertices: u32, results: &str| {
        format!("PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT {vertices}; TEMP t; {results} EMIT;")
    };
    let position = "MOV result.position, t;";
    accepts(NvGp4, &body(256, position));
    accepts(NvGp4, &body(1024, "MOV result.position.x, t;"));
    let marked = position.replace("result", "@result");
    refuses(BOTH, "gpu-too-many-output-components", &body(257, &marked));
    accepts(NvGp4, &body(128, "MOV result.position, t; MOV result.color, t;"));
    // EMITS is for points (NV_gpu_program5 2.14.6.2).
    accepts(
        NvGp5,
        "PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 1; INT TEMP i; EMITS 1; EMITS i.x; ENDPRIM;",
    );
    refuses_body(&[NvGp5], "gpu-stream-primitive", "@EMITS 0;");
    refuses_body(&[NvGp4], "gpu-later-instruction", "@EMITS 0;");
    refuses(VERTEX, "gpu-unknown-instruction", "@EMIT;");
}

#[test]
fn vertices_are_named_by_number() {
    let program = takes(
        NvGp4,
        "MOV result.position, vertex[0].position; MOV result.color, vertex[2].color.back.secondary;
         MOV result.texcoord, vertex[1].texcoord[3]; MOV result.fogcoord.x, vertex[0].clip[7];
         MOV.U result.primid.x, primitive.id; MOV.S result.layer.x, vertex[2].id.x; MOV result.pointsize.x, vertex[0].pointsize;
         MOV result.attrib[31], vertex[1].attrib[31]; MOV result.clip[0].x, vertex[0].fogcoord; EMIT; ENDPRIM;",
    );
    let read = |at: usize| match source(&program, at) {
        Source::Attribute(attribute) => attribute,
        other => panic!("{other:?}"),
    };
    use VertexResult::{Bfc1, Clp, Fogc, Generic, Hpos, Id, Psiz, Tex};
    let all = [of(0, Hpos), of(2, Bfc1), of(1, Tex(3)), of(0, Clp(7)), Attribute::PrimitiveId];
    assert_eq!([0, 1, 2, 3, 4].map(read), all);
    assert_eq!([5, 6, 7, 8].map(read), [of(2, Id), of(0, Psiz), of(1, Generic(31)), of(0, Fogc)]);
    let roles: Vec<_> = program.outputs.iter().map(|output| output.role).collect();
    assert!(roles.contains(&OutputRole::Vertex(VertexResult::PrimitiveId)));
    assert!(roles.contains(&OutputRole::Vertex(VertexResult::Layer)));
    // "[m]" is required in instructions, and constant.
    refuses_body(BOTH, "gpu-vertex-number", "MOV t, vertex@.position;");
    refuses_body(BOTH, "gpu-vertex-number", "MOV t, vertex[@i.x].position;");
    refuses_body(BOTH, "gpu-vertex-number", "MOV t, vertex[@3].position;");
    refuses_body(BOTH, "arb-bad-attribute", "MOV t, vertex[0].@normal;");
    refuses_body(BOTH, "arb-bad-result", "MOV result.@id, t;");
    refuses_body(BOTH, "arb-bad-attribute", "MOV t, primitive.@position;");
    refuses(VERTEX, "arb-bad-result", "TEMP t; MOV result.@layer, t;");
    takes(NvGp5, "MOV.S i, primitive.invocation; MOV.S i, primitive.vertexcount;");
    refuses_body(&[NvGp4], "gpu-later-feature", "MOV.S i, primitive.@invocation;");
}

#[test]
fn variables_without_a_vertex_are_indexed_by_it() {
    // The examples of 2.X.3.2.
    let program = takes(
        NvGp4,
        "ATTRIB pos = vertex.position; ATTRIB pos2 = vertex[2].position; ATTRIB texcoords[] = { vertex.texcoord[0..3] };
         ATTRIB tcoords1[4] = { vertex[1].texcoord[1..4] };
         MOV result.position, pos[1]; MOV result.position, vertex[1].position; MOV result.position, pos2;
         MOV result.position, texcoords[i.x][1]; MOV result.position, texcoords[i.x][j.y+2]; MOV result.position, tcoords1[2];
         MOV result.position, texcoords[2][j.w]; MOV result.position, pos[i.z];",
    );
    use VertexResult::{Hpos, Tex};
    let one = |vertex, result| Source::Attribute(of(vertex, result));
    assert_eq!([0, 1, 2].map(|at| source(&program, at)), [one(1, Hpos), one(1, Hpos), one(2, Hpos)]);
    assert_eq!(source(&program, 5), one(1, Tex(3)));
    let indirect = |at: usize| source(&program, at).indirect().expect("a relative reference");
    let index = |index: Index| (index.register.map(|(_, component)| component), index.offset);
    let vertex = |vertex: Option<VertexIndex>| vertex.map(|vertex| (vertex.count, index(vertex.index)));
    let told = |at: usize| {
        let Indirect { first, count, index: element, vertex: of } = indirect(at);
        (first, count, index(element), vertex(of))
    };
    let first = |vertex, result| Element::Attribute(of(vertex, result));
    assert_eq!(told(3), (first(0, Tex(1)), 1, (None, 0), Some((3, (Some(0), 0)))));
    assert_eq!(told(4), (first(0, Tex(0)), 4, (Some(1), 2), Some((3, (Some(0), 0)))));
    assert_eq!(told(6), (first(2, Tex(0)), 4, (Some(3), 0), None));
    assert_eq!(told(7), (first(0, Hpos), 1, (None, 0), Some((3, (Some(2), 0)))));
    let elements: Vec<_> = indirect(4).elements().collect();
    assert_eq!((elements.len(), elements[0], elements[11]), (12, first(0, Tex(0)), first(2, Tex(3))));
    refuses_body(BOTH, "arb-needs-index", "ATTRIB p = vertex.position; MOV t, p@;");
    refuses_body(BOTH, "arb-needs-index", "ATTRIB p[] = { vertex.attrib[1..2] }; MOV t, p[0]@;");
    refuses_body(BOTH, "arb-not-array", "ATTRIB p = vertex.position; MOV t, p[0]@[0];");
    refuses_body(BOTH, "gpu-not-consecutive", "ATTRIB p[] = { vertex.texcoord[0], @vertex[0].texcoord[1] };");
    refuses_body(BOTH, "gpu-not-in-array", "ATTRIB p[] = { @vertex.position };");
    refuses_body(BOTH, "arb-write-attribute", "ATTRIB p = vertex.position; MOV @p[0], t;");
}
