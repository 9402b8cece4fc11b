//! Tests of the languages of NV_gpu_program4 and NV_gpu_program5: accepted programs, errors and their places,
//! and that the printed text loads as the same program.

mod fixes;
mod primitives;
mod wording;

use crate::diag::Severity;
use crate::front::Loaded;
use crate::ir::{
    Attribute, Control, Element, Index, Indirect, Interpolation, OutputRole, ParameterSource, Place, Program,
    Source, Target, Type, VertexResult, disassemble, verify,
};
use crate::isa::{Info, Language, Opcode, OperandKind, ResultKind, Rule, instructions};

use Language::{NvFp4, NvFp5, NvVp4, NvVp5};

const ALL: [Language; 4] = [NvVp4, NvFp4, NvVp5, NvFp5];
const FRAGMENT: &[Language] = &[NvFp4, NvFp5];
const VERTEX: &[Language] = &[NvVp4, NvVp5];

fn load(language: Language, body: &str) -> Loaded {
    super::load(format!("{} {body} END", language.header()).as_bytes(), language)
}

/// The program of `body`, which must load and verify. Its printed text must load as the same program.
#[track_caller]
fn accepts(language: Language, body: &str) -> Program {
    let loaded = load(language, body);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let program = loaded.program.clone().unwrap_or_else(|| panic!("{language:?} {body}\n{errors:#?}"));
    assert_eq!(verify(&program), Ok(()), "{body}");
    let text = disassemble(&program);
    let again = super::load(text.as_bytes(), language);
    let again = again.program.unwrap_or_else(|| panic!("{body}\n{text}\n{:#?}", again.diagnostics));
    assert_eq!(disassemble(&again), text, "{body}");
    assert_eq!(
        (again.options, again.instructions.len()),
        (program.options, program.instructions.len()),
        "{text}"
    );
    for (one, other) in program.instructions.iter().zip(&again.instructions) {
        assert_eq!(
            (one.op, one.ty, one.write().map(|w| (w.saturate, w.update_cc))),
            (other.op, other.ty, other.write().map(|w| (w.saturate, w.update_cc))),
            "{text}"
        );
    }
    program
}

/// The first error of `marked` must have `code` and be at the `@`. A mark at the end stands for the length of
/// the whole program, including its END. Errors about the program as a whole are there.
#[track_caller]
fn refuses(languages: &[Language], code: &str, marked: &str) {
    for &language in languages {
        let behind = if marked.ends_with('@') { " END".len() } else { 0 };
        let at = language.header().len() + 1 + marked.find('@').expect("a mark") + behind;
        let loaded = load(language, &marked.replacen('@', "", 1));
        let first = loaded.diagnostics.iter().find(|d| d.severity == Severity::Error);
        let first = first.unwrap_or_else(|| panic!("{language:?} {marked} loads"));
        assert_eq!((first.code.name(), first.position), (code, at), "{language:?} {marked}: {first:#?}");
        assert!(!first.clause().is_empty());
    }
}

/// Declarations that the cases below use.
const NAMES: &str = "TEMP t, u; INT TEMP i; UINT TEMP n; FLOAT TEMP f; ";

#[track_caller]
fn refused_with_names(languages: &[Language], code: &str, marked: &str) {
    refuses(languages, code, &format!("{NAMES}{marked}"));
}

#[test]
fn instructions_of_newer_languages_are_unknown_in_older_ones() {
    let older = crate::front::load(b"!!ARBfp1.0 STORE a, b; END");
    assert_eq!(older.diagnostics[0].message, "`STORE` is not an instruction of `!!ARBfp1.0`");
}

#[test]
fn a_mask_that_leaves_out_what_memory_holds_is_warned_about() {
    let warnings = |statement: &str| {
        let text = format!("!!NVfp5.0 UINT TEMP t; INT TEMP i; {statement}; END");
        let loaded = crate::front::load(text.as_bytes());
        assert!(loaded.program.is_some(), "{statement}: {:?}", loaded.diagnostics);
        loaded.diagnostics.iter().filter(|finding| finding.code == "gpu-empty-mask").count()
    };
    for statement in [
        "LOAD.U32 t.y, t.x",
        "LOAD.U32X2 t.zw, t.x",
        "ATOM.ADD.U32 t.yzw, t, t.x",
        "LOADIM.U32 t.w, i, image[0], 2D",
    ] {
        assert_eq!(warnings(statement), 1, "{statement}");
    }
    for statement in
        ["LOAD.U32 t.xy, t.x", "LOAD.U32X2 t.y, t.x", "LOAD.U32X4 t.w, t.x", "ATOM.ADD.U32 t.x, t, t.x"]
    {
        assert_eq!(warnings(statement), 0, "{statement}");
    }
}

#[test]
fn names_and_declarations() {
    // 2.X.3: declared once, and before they are used.
    refuses(&ALL, "arb-redefined-name", "TEMP a; TEMP @a;");
    refuses(&ALL, "arb-undefined-name", "TEMP a; MOV a, @b;");
    refuses(&ALL, "arb-reserved-name", "TEMP @program;");
    refuses(VERTEX, "arb-reserved-name", "TEMP @vertex;");
    refuses(FRAGMENT, "arb-reserved-name", "TEMP @primitive;");
    // Instruction names, keywords and conditions are free (2.X.2).
    for language in ALL {
        accepts(language, "TEMP ADD, INT, EQ; ADD ADD, INT, EQ;");
    }
    // 2.X.3.1: one type, one size, and which classes have them.
    refuses(&ALL, "gpu-two-types", "INT @UINT TEMP a;");
    refuses(&ALL, "gpu-two-types", "INT SHORT @INT TEMP a;");
    refuses(&ALL, "gpu-two-sizes", "SHORT @LONG TEMP a;");
    refuses(&ALL, "gpu-bad-size", "LONG @PARAM a = 1;");
    refuses(&ALL, "gpu-bad-size", "SHORT INT @PARAM a = 1;");
    refuses(&[NvVp4], "gpu-bad-size", "LONG @ATTRIB a = vertex.position;");
    refuses(FRAGMENT, "gpu-bad-size", "LONG @OUTPUT a = result.color;");
    let text = "LONG ATTRIB a = vertex.attrib[1]; LONG INT ATTRIB b[] = { vertex.attrib[2..5] }; ATTRIB c = vertex.attrib[1];\n\
                LONG TEMP t; INT TEMP i; MOV.F64 t, a; MOV.S64 t, b[i.x+1]; MOV.S64 t, b[1]; MOV.S i, c;";
    let program = accepts(NvVp5, text);
    let source = |n: usize| program.instructions[n].operands[0].source;
    assert_eq!(source(0), Source::Attribute(Attribute::LongVertex(1)));
    let Source::Indirect(Indirect { first, count, .. }) = source(1) else { panic!("an array") };
    assert_eq!((first, count), (Element::Attribute(Attribute::LongVertex(2)), 4));
    assert_eq!(source(2), Source::Attribute(Attribute::LongVertex(3)));
    assert_eq!(source(3), Source::Attribute(Attribute::Vertex(1)));
    // Modifiers alone are not a statement.
    refuses(&ALL, "gpu-unexpected", "INT @ALIAS a = b;");
}

#[test]
fn sizes_become_types_of_registers() {
    let types = |language| {
        let text = "SHORT TEMP a; LONG TEMP b; INT TEMP c; LONG UINT TEMP d; FLOAT TEMP e; TEMP g;";
        accepts(language, text).temporaries.iter().map(|t| t.ty).collect::<Vec<_>>()
    };
    use Type::{F16, F32, F64, S32, U32, U64};
    assert_eq!(types(NvVp4), [F16, F32, S32, U32, F32, F32]);
    assert_eq!(types(NvFp5), [F16, F64, S32, U64, F32, F32]);
}

#[test]
fn arrays() {
    // 2.X.3.1: sizes, and an index at each use.
    refuses(&ALL, "arb-array-size", "TEMP a[@0];");
    refuses(&ALL, "gpu-unexpected", "TEMP a[@];");
    refuses(&ALL, "arb-array-size", "PARAM a[3] = { 1, 2 @};");
    refuses(VERTEX, "arb-array-size", "ATTRIB a[2] = { vertex.attrib[1..3] @};");
    refused_with_names(&ALL, "arb-needs-index", "TEMP a[2]; MOV t, a@;");
    refused_with_names(&ALL, "arb-needs-index", "TEMP a[2]; MOV a@, t;");
    refused_with_names(&ALL, "arb-not-array", "MOV t, u@[0];");
    refused_with_names(&ALL, "arb-not-array", "MOV t@[0], u;");
    // 2.X.4.2: absolute numbers, relative offsets.
    refused_with_names(&ALL, "arb-bad-index", "TEMP a[2]; MOV t, a[@2];");
    refused_with_names(&ALL, "arb-bad-offset", "TEMP a[2]; MOV t, a[i.x+@2];");
    refused_with_names(&ALL, "arb-bad-offset", "TEMP a[2]; MOV t, a[i.x-@1];");
    refused_with_names(&ALL, "gpu-type-mismatch", "TEMP a[2]; MOV t, a[@f.x];");
    refused_with_names(&ALL, "gpu-index-register", "TEMP a[2]; PARAM p = 1; MOV t, a[@p.x];");
    refused_with_names(&ALL, "arb-needs-component", "TEMP a[2]; MOV t, a[i@];");
    // 2.X.3.2: elements of one kind, with consecutive numbers.
    refuses(VERTEX, "gpu-not-consecutive", "ATTRIB a[] = { vertex.attrib[1], @vertex.attrib[3] };");
    refuses(VERTEX, "gpu-not-consecutive", "ATTRIB a[] = { vertex.attrib[2], @vertex.attrib[1] };");
    refuses(VERTEX, "gpu-not-consecutive", "ATTRIB a[] = { vertex.attrib[1], @vertex.texcoord[2] };");
    refuses(VERTEX, "gpu-not-in-array", "ATTRIB a[] = { @vertex.position };");
    refuses(VERTEX, "arb-bad-range", "ATTRIB a[] = { vertex.texcoord[2..@1] };");
    refuses(FRAGMENT, "arb-bad-range", "ATTRIB a[] = { fragment.clip[2..@1] };");
    refuses(VERTEX, "gpu-not-consecutive", "OUTPUT a[] = { result.texcoord[1], @result.clip[2] };");
    refuses(VERTEX, "arb-bad-range", "OUTPUT a[] = { result.attrib[2..@1] };");
    refuses(&ALL, "arb-bad-range", "PARAM a[] = { program.env[2..@1] };");
    refuses(&ALL, "arb-bad-range", "PARAM a[] = { state.matrix.mvp.row[2..@1] };");
    // NV_fragment_program4 2.X.3.5.
    refuses(FRAGMENT, "gpu-result-array", "OUTPUT a@[] = { result.color };");
}

#[test]
fn elements_of_arrays_are_registers() {
    let text = "TEMP a[3], t; ATTRIB v[] = { vertex.attrib[4..7] }; OUTPUT o[2] = { result.attrib[3], result.attrib[4] };
        PARAM p[] = { program.local[2..3], 5 };
        MOV a[1], v[2]; MOV a[t.y+2], v[t.x]; MOV o[t.w+1], p[t.z]; MOV o[1], p[2]; MOV result.position, a[0];";
    let program = accepts(NvVp4, text);
    assert_eq!(
        program.temporaries.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(),
        ["a[0]", "a[1]", "a[2]", "t"]
    );
    let operand = |at: usize| program.instructions[at].operands[0].source;
    assert_eq!(operand(0), Source::Attribute(Attribute::Vertex(6)));
    let Source::Indirect(Indirect { first, count, index, .. }) = operand(1) else { panic!() };
    let chosen = |index: Index| (index.register.map(|(_, component)| component), index.offset);
    assert_eq!((first, count, chosen(index)), (Element::Attribute(Attribute::Vertex(4)), 4, (Some(0), 0)));
    let Some(Target::Indirect(Indirect { count, index, .. })) = program.instructions[1].target() else {
        panic!()
    };
    assert_eq!((count, chosen(index)), (3, (Some(1), 2)));
    let roles: Vec<OutputRole> = program.outputs.iter().map(|output| output.role).collect();
    let generic = |number| OutputRole::Vertex(VertexResult::Generic(number));
    assert_eq!(roles, [generic(3), generic(4), OutputRole::Vertex(VertexResult::Hpos)]);
    // The grammar itself allows a range without braces (<attribUseD>).
    accepts(NvFp4, "ATTRIB c = fragment.attrib[1..3]; INT TEMP i; MOV result.color, c[i.x];");
}

#[test]
fn types_of_operands() {
    // 2.X.3.1, 2.X.4: a variable of one type cannot be used as another type.
    refused_with_names(&ALL, "gpu-type-mismatch", "ADD t, @i, t;");
    refused_with_names(&ALL, "gpu-type-mismatch", "ADD @i, t, t;");
    refused_with_names(&ALL, "gpu-type-mismatch", "ADD.S t, t, @n;");
    refused_with_names(&ALL, "gpu-type-mismatch", "ADD.U t, t, @f;");
    refused_with_names(&ALL, "gpu-type-mismatch", "TRUNC.S t, @i;");
    refused_with_names(&ALL, "gpu-type-mismatch", "I2F @i, i;");
    refused_with_names(&ALL, "gpu-type-mismatch", "SAD.S n, i, i, @i;");
    refused_with_names(&ALL, "gpu-type-mismatch", "INT PARAM p = 1; MOV t, @p;");
    refused_with_names(VERTEX, "gpu-type-mismatch", "INT ATTRIB p = vertex.attrib[1]; MOV t, @p;");
    refused_with_names(FRAGMENT, "gpu-type-mismatch", "TEX @i, t, texture[0], 2D;");
    for language in ALL {
        let names = |body: &str| format!("{NAMES}{body}");
        accepts(
            language,
            &names("ADD.NTC i, t, n; TRUNC.S i, f; I2F f, i; SAD.S n, i, i, n; AND i, i, i; MOV.U t, n;"),
        );
    }
}

#[test]
fn modifiers() {
    // 2.X.4.1: one modifier of each kind, clamps only of floats, and the modifiers that Table X.13 allows.
    refused_with_names(&ALL, "gpu-bad-suffix", "ADD.F.@S t, t, t;");
    refused_with_names(&ALL, "gpu-bad-suffix", "ADD.CC.@CC1 t, t, t;");
    refused_with_names(&ALL, "gpu-bad-suffix", "ADD.SAT.@SSAT t, t, t;");
    refused_with_names(&ALL, "gpu-bad-suffix", "ADD.@XYZ t, t, t;");
    refused_with_names(&ALL, "gpu-bad-suffix", "COS.@S t, t.x;");
    refused_with_names(&ALL, "gpu-bad-suffix", "AND.@SAT t, t, t;");
    refused_with_names(&ALL, "gpu-bad-suffix", "@ADDCR t, t, t;");
    refused_with_names(&ALL, "gpu-clamped-integer", "ADD.S.@SAT i, i, i;");
    refused_with_names(&ALL, "gpu-clamped-integer", "TRUNC.U.@SSAT t, t;");
    refused_with_names(&ALL, "gpu-needs-type", "@MUL.HI t, t, t;");
    refused_with_names(&[NvVp4, NvFp4], "gpu-bad-suffix", "ADD.@F64 t, t, t;");
    refused_with_names(&[NvVp4, NvFp4], "gpu-later-instruction", "@BTC t, t;");
    refuses(&[NvVp4, NvFp4], "gpu-later-instruction", "@TEXTURE a = texture[1];");
    refuses(&[NvFp4], "gpu-later-instruction", "@SAMPLE ATTRIB a = fragment.color;");
    refused_with_names(VERTEX, "gpu-unknown-instruction", "@DDX t, t;");
}

#[test]
fn constants_are_what_reads_them() {
    // 2.X.3.3
    refused_with_names(&ALL, "gpu-float-constant", "ADD.S t, t, @1.0;");
    refused_with_names(&ALL, "gpu-float-constant", "INT PARAM p = @1e2;");
    refused_with_names(&ALL, "gpu-negative-constant", "ADD.U t, t, {1, @-1};");
    refused_with_names(&ALL, "gpu-negative-constant", "UINT PARAM p = @-1;");
    refused_with_names(&ALL, "gpu-large-constant", "AND t, t, @2147483648;");
    refused_with_names(&ALL, "gpu-large-constant", "AND.U t, t, @0x100000000;");
    for body in [
        "ADD.U64 t, t, @18446744073709551616;",
        "ADD.S64 t, t, @9223372036854775808;",
        "SHL.U64 t, t, {0, @0x10000000000000000};",
    ] {
        refused_with_names(&[NvVp5, NvFp5], "gpu-large-constant", body);
    }
    refused_with_names(&ALL, "gpu-large-constant", "UINT PARAM p = @4294967296;");
    refused_with_names(&ALL, "gpu-large-constant", "AND.U t, t, @340282366920938463463374607431768211456;");
    refused_with_names(&ALL, "arb-bad-number", "AND.U t, t, @0xG;");
    let text = "TEMP t; INT PARAM p = -3; ADD.S t, t, -7; ADD.U t, t, 0xFFFFFFFF; ADD t, t, 0x10;
        AND t, p, {-2147483648, 5}; MOV result.position, t;";
    let program = accepts(NvVp5, text);
    let bits = |at: usize| match &program.parameters[at].source {
        ParameterSource::Constant(constant) => constant.bits,
        other => panic!("{other:?}"),
    };
    assert_eq!(bits(0), [7; 4]);
    assert!(!program.instructions[0].operands[1].negate.is_none());
    assert_eq!(bits(1), [u32::MAX.into(); 4]);
    assert_eq!(bits(2), [16f32.to_bits().into(); 4]);
    assert_eq!(bits(3), [0xFFFF_FFFD; 4]);
    // Omitted components are 0 for y and z, 1 for w.
    assert_eq!(bits(4), [0x8000_0000, 5, 0, 1]);
    assert_eq!(program.parameters[3].ty, Type::S32);
}

#[test]
fn constants_are_as_wide_as_what_reads_them() {
    // 2.X.3.3: "interpreted according to the required data type of the operand".
    let constant = |text: &str| {
        let body = format!("TEMP t; LONG TEMP l; {text}");
        let program = accepts(NvVp5, &body);
        let mut ids = program.instructions.iter().flat_map(|i| &i.operands).filter_map(|o| match o.source {
            Source::Param(id) => Some(id),
            _ => None,
        });
        let id = ids.next_back().expect("a constant");
        match program.parameters[usize::from(id.0)].source {
            ParameterSource::Constant(constant) => (constant.bits[0], constant.ty),
            ref other => panic!("{other:?}"),
        }
    };
    for (text, bits, ty) in [
        ("ADD.U64 l, l, 18446744073709551615;", u64::MAX, Type::U64),
        ("ADD.S64 l, l, 0x7FFFFFFFFFFFFFFF;", i64::MAX.cast_unsigned(), Type::S64),
        ("ADD.S64 l, l, {-9223372036854775808, 1};", 1 << 63, Type::S64),
        ("ADD.F64 l, l, 0.1;", 0.1f64.to_bits(), Type::F64),
        ("ADD.F64 l, l, {-1e300};", (-1e300f64).to_bits(), Type::F64),
        ("ADD.F64 l, l, 9007199254740993;", 9_007_199_254_740_992f64.to_bits(), Type::F64),
        ("ADD t, t, 0.1;", 0.1f32.to_bits().into(), Type::F32),
        ("MOV.U64 l, 5000000000;", 5_000_000_000, Type::U64),
        ("SHL.U64 l, 5000000000, 1;", 1, Type::U64),
        ("CVT.F32.U64 t, 5000000000;", 5_000_000_000, Type::U64),
        ("CVT.F32.F64 t, 0.1;", 0.1f64.to_bits(), Type::F64),
        ("CVT.U64.S32 l, {-5};", 0xFFFF_FFFB, Type::S32),
        ("CVT.U32.U8 t, 200;", 200, Type::U32),
        ("CVT.F32.F16 t, 0.1;", 0.1f32.to_bits().into(), Type::F32),
        ("STORE.S64X2 {-5000000000}, 4096;", 4096, Type::U64),
        ("STORE.U32 t, 0x123456789A;", 0x12_3456_789A, Type::U64),
        ("LOAD.F32 t, 5000000000;", 5_000_000_000, Type::U64),
        ("ATOM.ADD.U64 l, 5000000000, 4096;", 4096, Type::U64),
        ("PK64.U l, 4000000000;", 4_000_000_000, Type::U32),
        ("MUL.S24 t, t, 5;", 5, Type::S32),
    ] {
        assert_eq!(constant(text), (bits, ty), "{text}");
    }
    assert_eq!(constant("MOV.S64 l, -5000000000;").0, 5_000_000_000);
}

#[test]
fn interpolation() {
    // NV_fragment_program4 2.X.3.1
    refuses(FRAGMENT, "gpu-needs-flat", "INT ATTRIB a = @fragment.attrib[1];");
    refuses(FRAGMENT, "gpu-interpolation-variable", "FLAT @TEMP a;");
    refuses(FRAGMENT, "gpu-interpolation-twice", "CENTROID @CENTROID ATTRIB a = fragment.color;");
    refuses(FRAGMENT, "gpu-flat-conflict", "FLAT @CENTROID ATTRIB a = fragment.color;");
    refuses(FRAGMENT, "gpu-flat-conflict", "NOPERSPECTIVE @FLAT ATTRIB a = fragment.color;");
    for binding in ["position", "facing", "fogcoord", "clip[1]"] {
        refuses(FRAGMENT, "gpu-not-interpolated", &format!("FLAT ATTRIB a = @fragment.{binding};"));
    }
    refuses(
        FRAGMENT,
        "gpu-interpolation-differs",
        "FLAT ATTRIB a = fragment.attrib[1]; ATTRIB b = @fragment.attrib[1];",
    );
    refuses(
        FRAGMENT,
        "gpu-color-interpolation",
        "FLAT ATTRIB a = fragment.color; ATTRIB b = @fragment.color.secondary;",
    );
    refuses(VERTEX, "gpu-unknown-instruction", "@FLAT ATTRIB a = vertex.color;");
    let text =
        "FLAT INT ATTRIB a = fragment.attrib[1]; NOPERSPECTIVE CENTROID ATTRIB b = fragment.texcoord[2];
        MOV result.color, b;";
    let found = accepts(NvFp4, text).interpolations;
    let centroid = Interpolation { place: Place::Centroid, ..Interpolation::NO_PERSPECTIVE };
    assert_eq!(found, [(Attribute::Tex(2), centroid), (Attribute::Generic(1), Interpolation::FLAT)]);
    // NV_gpu_program5 2.X.2
    let text = "SAMPLE CENTROID ATTRIB a = fragment.texcoord[2]; CENTROID ATTRIB b = fragment.attrib[1];
        MOV result.color, b;";
    let place = |place| Interpolation { place, ..Interpolation::DEFAULT };
    let program = accepts(NvFp5, text);
    assert!(program.shades_samples());
    assert_eq!(
        program.interpolations,
        [(Attribute::Tex(2), place(Place::Sample)), (Attribute::Generic(1), place(Place::Centroid))]
    );
    assert!(accepts(NvFp5, "MOV result.color, fragment.sampleid;").shades_samples());
    assert!(!accepts(NvFp5, "MOV result.color, fragment.samplemask;").shades_samples());
}

#[test]
fn bindings() {
    // NV_vertex_program4 2.X.3.2
    refuses(VERTEX, "arb-attribute-conflict", "ATTRIB a = vertex.normal; ATTRIB b = @vertex.attrib[2];");
    refuses(VERTEX, "arb-bad-attribute", "ATTRIB a = vertex.attrib[@16];");
    refuses(VERTEX, "arb-bad-attribute", "ATTRIB a = vertex.@weight;");
    refuses(FRAGMENT, "arb-bad-attribute", "ATTRIB a = fragment.attrib[@32];");
    refuses(FRAGMENT, "arb-bad-attribute", "ATTRIB a = fragment.clip[@8];");
    refuses(VERTEX, "arb-bad-result", "OUTPUT a = result.attrib[@32];");
    refuses(VERTEX, "arb-bad-result", "OUTPUT a = result.clip[@8];");
    refuses(VERTEX, "arb-invariant-position", "OPTION ARB_position_invariant; OUTPUT a = result.@position;");
    refuses(FRAGMENT, "arb-later-feature", "OUTPUT a = result.color@[1];");
    // 5 2.X.3.5 and 3.11.4.5.3
    refuses(&[NvFp5], "arb-later-feature", "OUTPUT a = result.color@.secondary;");
    refuses(&[NvFp4], "gpu-later-feature", "OPTION @ARB_blend_func_extended;");
    refuses(&[NvFp4], "gpu-later-feature", "OUTPUT a = result.@samplemask;");
    refuses(VERTEX, "arb-bad-result", "OUTPUT a = result.@samplemask;");
    refuses(FRAGMENT, "arb-bad-result", "OUTPUT a = result.@id;");
    let roles =
        |language, text| accepts(language, text).outputs.iter().map(|output| output.role).collect::<Vec<_>>();
    let text = "OPTION ARB_blend_func_extended; OPTION ARB_draw_buffers; OUTPUT a = result.color[1].secondary;
                MOV result.color.primary, 0; MOV result.color.secondary.xy, 0; MOV a, 1; MOV.U result.samplemask.x, {1}.x;
                MOV result.color[2], 0; MOV result.color[3].primary.xyz, 0; MOV result.depth.z, 1;";
    let expected = [
        OutputRole::Color(0),
        OutputRole::SecondaryColor(0),
        OutputRole::SecondaryColor(1),
        OutputRole::SampleMask,
        OutputRole::Color(2),
        OutputRole::Color(3),
        OutputRole::Depth,
    ];
    assert_eq!(roles(NvFp5, text), expected);
    let text = "MOV result.position, 0; MOV.S result.id.x, vertex.id.x;";
    assert_eq!(roles(NvVp4, text)[1], OutputRole::Vertex(VertexResult::Id));
    refuses(FRAGMENT, "arb-conflicting-options", "OPTION ARB_fog_exp; OPTION @ARB_fog_linear;");
    refuses(
        FRAGMENT,
        "arb-conflicting-options",
        "OPTION ARB_precision_hint_nicest; OPTION @ARB_precision_hint_fastest;",
    );
    refused_with_names(&ALL, "gpu-mixed-components", "MOV t, u.@xgba;");
    refused_with_names(&ALL, "arb-write-parameter", "MOV @program.local[0], t;");
    for binding in
        ["color", "color.secondary", "texcoord[7]", "fogcoord", "clip[7]", "attrib[31]", "position", "facing"]
    {
        accepts(NvFp4, &format!("MOV result.color, fragment.{binding};"));
    }
    for binding in ["position", "normal", "color.primary", "fogcoord", "texcoord", "attrib[15]"] {
        accepts(NvVp4, &format!("MOV result.position, vertex.{binding};"));
    }
    for binding in ["color.back.secondary", "pointsize", "fogcoord", "texcoord[7]", "attrib[31]", "clip[7]"] {
        accepts(NvVp5, &format!("MOV result.{binding}, vertex.color;"));
    }
    accepts(
        NvFp4,
        "OPTION ATI_draw_buffers; OPTION ARB_fragment_program_shadow; MOV result.color[3], 1; MOV result.depth.z, 1;",
    );
}

#[test]
fn components_of_attributes_and_results_are_counted() {
    let mut text = "TEMP t; ".to_owned();
    for number in 0..32 {
        text += &format!("ADD t, t, fragment.attrib[{number}];");
    }
    refuses(FRAGMENT, "gpu-too-many-attribute-components", &format!("{text} MOV t, @fragment.color.x;"));
    refuses(
        FRAGMENT,
        "gpu-too-many-attribute-components",
        &format!("OPTION ARB_fog_exp; {}", text.replacen("fragment.attrib[31]", "@fragment.attrib[31]", 1)),
    );
    let mut text = String::new();
    for number in 0..32 {
        text += &format!("MOV result.attrib[{number}], 1;");
    }
    refuses(VERTEX, "gpu-too-many-result-components", &format!("{text} MOV @result.position.x, 1;"));
}

#[test]
fn textures() {
    // 2.X.4.4
    refused_with_names(&ALL, "arb-two-targets", "TEX t, t, texture[0], 1D; TEX t, t, texture[0], @2D;");
    refused_with_names(&ALL, "arb-two-targets", "TEX t, t, texture[0], SHADOW2D; TEX t, t, texture[0], @2D;");
    refused_with_names(&ALL, "gpu-texel-offset", "TEX t, t, texture[0], 1D, (0, @1);");
    refused_with_names(&ALL, "gpu-texel-offset", "TEX t, t, texture[0], RECT, (0, 1, @-1);");
    refused_with_names(&ALL, "gpu-texel-offset", "TEX t, t, texture[0], CUBE, (@1);");
    refused_with_names(&ALL, "gpu-texel-offset", "TEX t, t, texture[0], 2D, (@8);");
    refused_with_names(&ALL, "gpu-texel-offset", "TEX t, t, texture[0], 2D, (@-9);");
    refused_with_names(&[NvVp4, NvFp4], "gpu-later-feature", "TEX t, t, texture[0], 2D, @offset(i);");
    let new = &[NvVp5, NvFp5];
    refused_with_names(new, "gpu-computed-offset", "TXD t, t, t, t, texture[0], 2D, @offset(i);");
    refused_with_names(new, "gpu-computed-offset", "TEX t, t, texture[0], CUBE, @offset(i);");
    refused_with_names(new, "gpu-component-selection", "TEX t, t, texture[0]@.x, 2D;");
    refuses(new, "arb-bad-texture-unit", "TEXTURE a = texture[@16];");
    refuses(new, "arb-bad-range", "TEXTURE a[] = { texture[3..@2] };");
    refuses(new, "gpu-not-consecutive", "TEXTURE a[] = { texture[3], @texture[2] };");
    refused_with_names(new, "gpu-texture-operand", "TEXTURE a = texture[3]; MOV t, @a;");
    let arrays = "TEXTURE s[] = { texture[0..3] }; TEX t, t, s[2], 2D;";
    refused_with_names(new, "arb-two-targets", &format!("{arrays} TEX t, t, texture[1], @3D;"));
    accepts(
        NvFp5,
        "TEMP t; TEXTURE a = texture[3]; TEX t, fragment.texcoord, a, 2D, (0, 0); MOV result.color, t;",
    );
}

#[test]
fn flow() {
    // 2.X.5
    refused_with_names(&ALL, "arb-unmatched-block", "IF EQ; @ENDREP;");
    refused_with_names(&ALL, "arb-unmatched-block", "REP 2; IF EQ; @ENDREP; ENDIF;");
    refused_with_names(&ALL, "arb-label-in-block", "IF EQ; @a: ENDIF;");
    assert_eq!(load(NvVp4, "IF EQ;").diagnostics[0].code, "arb-unclosed-block");
    refused_with_names(&ALL, "arb-break-outside-loop", "@CONT;");
    refused_with_names(&ALL, "arb-break-outside-loop", "IF EQ; @BRK (GT.x); ENDIF;");
    refused_with_names(&ALL, "gpu-endless-loop", "REP; IF EQ; CONT; ENDIF; @ENDREP;");
    refused_with_names(&ALL, "gpu-endless-loop", "REP; REP; BRK; ENDREP; @ENDREP;");
    let deep = |word: &str| format!("{word} ").repeat(64);
    refused_with_names(&ALL, "arb-too-deep", &format!("{} @IF EQ; {}", deep("IF EQ;"), deep("ENDIF;")));
    refused_with_names(&ALL, "arb-too-deep", &format!("{} @REP 2; {}", deep("REP 2;"), deep("ENDREP;")));
    let language = NvVp4;
    let unknown = load(language, "CAL a;");
    assert_eq!(unknown.diagnostics[0].code, "gpu-unknown-label");
    for language in ALL {
        accepts(language, "TEMP t; REP; IF EQ1.x; RET (NAN0.y); ENDIF; ENDREP;");
        accepts(language, "INT TEMP i; REP.S i; CONT (NSF.x); BRK (CF1); ENDREP; CAL a (LEG); RET; a: RET;");
    }
}

#[test]
fn subroutines_end_where_the_next_begins() {
    let text = "TEMP t; main: CAL b; RET; a: MOV t, 1; b: MOV t, 2; IF EQ; MOV t, 3; ENDIF; c: MOV t, 4;";
    let program = accepts(NvFp4, text);
    let ops: Vec<Opcode> = program.instructions.iter().map(|i| i.op).collect();
    use Opcode::{Cal, Endif, If, Mov, Ret};
    assert_eq!(ops, [Cal, Ret, Mov, Ret, Mov, If, Mov, Endif, Ret, Mov]);
    assert_eq!(program.labels.iter().map(|label| label.at).collect::<Vec<_>>(), [0, 2, 4, 9]);
    let controls: Vec<Control> = program.instructions.iter().filter_map(|i| i.control()).collect();
    assert_eq!(controls[0].target(), Some(4));
    // The branch past the IF block leads to the RET.
    assert_eq!(controls[3].target(), Some(8));
    // The main program continues past labels.
    let text = "TEMP t; MOV t, 1; a: MOV t, 2; RET; b: MOV t, 3; main: MOV t, 4; c: MOV t, 5;";
    let program = accepts(NvVp5, text);
    assert_eq!(program.instructions.iter().filter(|i| i.op == Ret).count(), 3);
    assert_eq!(program.entry, 6);
}

#[test]
fn conversions_and_long_variables() {
    let new = &[NvVp5, NvFp5];
    refused_with_names(new, "gpu-needs-type", "@CVT t, t;");
    refused_with_names(new, "gpu-needs-type", "@CVT.S32 t, t;");
    refused_with_names(new, "gpu-bad-suffix", "CVT.S32.F32.@U8 t, t;");
    refused_with_names(new, "gpu-signed-operand", "CVT.S32.F32 t, @-t;");
    refused_with_names(new, "gpu-signed-operand", "CVT.S32.F32 t, @|t|;");
    refused_with_names(new, "gpu-type-mismatch", "CVT.S32.F32 @n, t;");
    refused_with_names(new, "gpu-type-mismatch", "CVT.S32.F32 t, @i;");
    refused_with_names(new, "gpu-pack-destination", "PK64 @t, t;");
    refused_with_names(new, "gpu-unpack-source", "UP64 t, @t;");
    let text = "LONG TEMP d; TEMP t; INT TEMP i; CVT.F64.S8.CEIL.SAT d, i; CVT.U16.F16 t, t; PK64.U d, t; UP64 t, d;";
    let types: Vec<Type> = accepts(NvFp5, text).instructions.iter().map(|i| i.ty).collect();
    // The 64-bit components have the type of the modifier.
    assert_eq!(types, [Type::F64, Type::U32, Type::U64, Type::F64]);
    let text = "TEMP t; INT TEMP i; CVT.SAT.S32.ROUND.F32.CC1 i, t; CVT.F32.NTC.U8 t, i; TGALL.U.CC t, t; BFE.S i, i, i;";
    accepts(NvVp5, text);
}

#[test]
fn attributes_of_what_is_drawn() {
    assert!(accepts(NvFp5, "OPTION NV_early_fragment_tests;").options.early_fragment_tests);
    refuses(&[NvFp4], "gpu-later-feature", "OPTION @NV_early_fragment_tests;");
    refuses(&[NvFp4], "gpu-later-feature", "ATTRIB a = fragment.@pointcoord;");
    refuses(&[NvFp4], "arb-bad-attribute", "ATTRIB a = primitive.@color;");
    for binding in ["pointcoord", "sampleid", "samplemask"] {
        accepts(NvFp5, &format!("MOV result.color, fragment.{binding};"));
    }
    accepts(NvVp4, "INT ATTRIB i = vertex.id; ATTRIB j = vertex.instance; ADD.S result.attrib[0].x, i, j;");
    let text =
        "INT ATTRIB i = primitive.id; FLAT INT ATTRIB j = primitive.id; MOV.S result.color, primitive.id;";
    accepts(NvFp4, text);
}

#[test]
fn what_is_evaluated_is_an_attribute() {
    // 5 2.X.8.Z
    for (name, others) in [("IPAC", ""), ("IPAO", ", t"), ("IPAS", ", n.x")] {
        let refused = |operand: &str| {
            refused_with_names(&[NvFp5], "gpu-not-evaluated", &format!("{name} t, {operand}{others};"));
        };
        refused("@u");
        refused("-@u.x");
        refused("@{1, 2}");
        refused("@program.local[0]");
        refused("@fragment.facing");
        refused("@primitive.id");
        for declaration in ["TEMP a[2];", "ATTRIB a = fragment.facing;", "FLAT INT ATTRIB a = primitive.id;"]
        {
            let a = if declaration.starts_with("TEMP") { "@a[i.x]" } else { "@a" };
            let body = format!("{declaration} {name}.NTC t, {a}{others};");
            refused_with_names(&[NvFp5], "gpu-not-evaluated", &body);
        }
        let language_and_code = [(NvFp4, "gpu-later-instruction"), (NvVp5, "gpu-unknown-instruction")];
        for (language, code) in language_and_code {
            refused_with_names(&[language], code, &format!("@{name} t, fragment.color{others};"));
        }
        refused_with_names(&[NvFp5], "gpu-bad-suffix", &format!("{name}.@S t, fragment.color{others};"));
        refused_with_names(&[NvFp5], "gpu-bad-suffix", &format!("{name}.@F16 t, fragment.color{others};"));
        for operand in ["fragment.position", "fragment.pointcoord", "fragment.clip[1]", "fragment.fogcoord.x"]
        {
            let body = format!("{NAMES} {name}.SAT.CC1 t (GT.x), |{operand}|{others}; MOV result.color, t;");
            let program = accepts(NvFp5, &body);
            assert!(program.evaluates());
        }
        let array = "CENTROID ATTRIB a[] = { fragment.attrib[2..4] };";
        accepts(NvFp5, &format!("{NAMES} {array} {name} t, -a[i.x+1].yxzw{others}; {name} t, a[2]{others};"));
    }
    refused_with_names(&[NvFp5], "gpu-type-mismatch", "IPAO t, fragment.color, @i;");
    refused_with_names(&[NvFp5], "gpu-type-mismatch", "IPAS t, fragment.color, @f.x;");
    refused_with_names(&[NvFp5], "gpu-needs-component", "IPAS t, fragment.color, n@;");
    accepts(NvFp5, "TEMP t; IPAS t, fragment.color, 3; IPAO t, fragment.color, {0.5, -0.5};");
}

#[test]
fn packing_takes_no_short_variables() {
    for name in ["PK2H", "PK2US", "PK4B", "PK4UB"] {
        refuses(&ALL, "arb-pack-destination", &format!("TEMP t; SHORT TEMP h; {name} @h, t;"));
        refuses(
            FRAGMENT,
            "arb-pack-destination",
            &format!("TEMP t; SHORT OUTPUT h = result.color; {name} @h, t;"),
        );
    }
    for name in ["UP2H", "UP2US", "UP4B", "UP4UB"] {
        refuses(&ALL, "arb-unpack-source", &format!("TEMP t; SHORT TEMP h; {name} t, @h.x;"));
    }
}

/// 2.X.8.Z, RFL: the fourth component of the result is undefined, so that a program may write it.
#[test]
fn reflections_may_write_w() {
    for language in ALL {
        for destination in ["t", "t.w", "t.xw"] {
            accepts(language, &format!("TEMP t; RFL {destination}, 1, t;"));
        }
    }
}

/// An instruction `name` with operands without types.
fn instance(language: Language, info: &Info, name: &str) -> String {
    let mut parts = Vec::new();
    let mut behind = "";
    if info.result != ResultKind::None {
        parts.push("t.xyz".to_owned());
    }
    for (place, kind) in info.operands_in(language).iter().enumerate() {
        parts.push(match kind {
            OperandKind::Vector if place == 0 && info.rule == Rule::Evaluates => {
                "-|fragment.color.yzwx|".to_owned()
            }
            OperandKind::Vector if info.opcode == Opcode::Ldc => "-|c[8].yzwx|".to_owned(),
            OperandKind::Vector | OperandKind::OptionalVector | OperandKind::VectorOrCondition => {
                "-u.yzwx".to_owned()
            }
            OperandKind::Scalar => "u.y".to_owned(),
            OperandKind::Condition => "NE1.x".to_owned(),
            OperandKind::ExtendedSwizzle => "u, x, -y, 0, 1".to_owned(),
            OperandKind::TextureImage if info.rule == Rule::FetchesSamples => "texture[2], 2DMS".to_owned(),
            OperandKind::TextureImage => "texture[2], 2D".to_owned(),
            OperandKind::ImageUnit => "image[2]".to_owned(),
            OperandKind::ImageTarget => "2D".to_owned(),
            OperandKind::Label => "l".to_owned(),
            OperandKind::SubroutineVariable => "v".to_owned(),
            OperandKind::BranchCondition => {
                behind = " (GT.y)";
                continue;
            }
            OperandKind::Address => unreachable!("not in these languages"),
        });
    }
    format!("{name} {}{behind}; ", parts.join(", "))
}

/// Enables all storage modifiers.
const EXTENDED: &str = "OPTION NV_gpu_program5_mem_extended; ";

#[test]
fn every_combination_of_modifiers_loads_and_prints() {
    for language in ALL {
        let order = language.profile().modifier_order;
        for info in instructions(language) {
            // PK64 and UP64 are for LONG variables.
            let mut text =
                if info.rule.is_of_long() { "LONG TEMP t, u; l: " } else { "TEMP t, u; l: " }.to_owned();
            let mut names = Vec::new();
            for suffixes in info.forms(language).unwrap().combinations() {
                if info.operands.is_empty()
                    || info.forms(language).unwrap().typing.is_some_and(|t| t.types > 1)
                {
                    continue;
                }
                // HI needs a type, which every combination has.
                let name = format!("{}{}", info.mnemonic, suffixes.text_in(order));
                text += &instance(language, info, &name);
                names.push((name, suffixes));
            }
            let text = match info.opcode {
                Opcode::Brk | Opcode::Cont => text.replace("l: ", "l: REP 2; ") + "ENDREP;",
                Opcode::If => text + "ENDIF;",
                Opcode::Cali => {
                    let types = "SUBROUTINETYPE T { s }; SUBROUTINE T v = program.subroutine[0];";
                    format!("{types} {text} s SUBROUTINENUM(0):")
                }
                Opcode::Ldc => {
                    let option = "OPTION NV_parameter_buffer_object2; ";
                    let option = if language.profile().texture_variables { EXTENDED } else { option };
                    format!("{option}CBUFFER c[16] = {{ program.buffer[0] }}; {text}")
                }
                Opcode::Load if !language.profile().texture_variables => {
                    format!("OPTION NV_shader_buffer_load; {text}")
                }
                Opcode::Load | Opcode::Store | Opcode::Loadim | Opcode::Storeim => {
                    format!("{EXTENDED}{text}")
                }
                Opcode::Txfms => format!("OPTION NV_texture_multisample; {text}"),
                // Nested loops would be too deep.
                Opcode::Rep => text.replace("; REP", "; ENDREP; REP") + "ENDREP;",
                _ => text,
            };
            if names.is_empty() {
                continue;
            }
            let program = accepts(language, &text);
            for (name, suffixes) in names {
                let found = crate::isa::find(language, &name).expect("a full name");
                assert_eq!((found.0.opcode, found.1), (info.opcode, suffixes), "{name}");
            }
            assert!(program.instructions.iter().any(|i| i.op == info.opcode), "{text}");
        }
    }
}

/// Declarations and subroutines that the cases below use.
const SUBROUTINES: &str = "SUBROUTINETYPE T { a }; SUBROUTINETYPE U { b }; SUBROUTINE T v = program.subroutine[0]; \
    SUBROUTINE U w[2] = { program.subroutine[1], program.subroutine[2] }; INT TEMP i; TEMP t; FLOAT TEMP f; ";

#[track_caller]
fn refused_with_subroutines(code: &str, marked: &str) {
    let behind = "RET; a SUBROUTINENUM(0): RET; b SUBROUTINENUM(7): RET;";
    refuses(&[NvVp5, NvFp5], code, &format!("{SUBROUTINES}{marked} {behind}"));
}

#[test]
fn subroutines() {
    let old = &[NvVp4, NvFp4];
    let new = &[NvVp5, NvFp5];
    // ARB_shader_subroutine: a part of NV_gpu_program5 alone.
    refuses(old, "gpu-later-instruction", "@SUBROUTINETYPE T { a }; a: RET;");
    refuses(old, "gpu-later-instruction", "@SUBROUTINE T v = program.subroutine[0];");
    refuses(old, "gpu-later-instruction", "@CALI v;");
    refuses(old, "gpu-later-feature", "a @SUBROUTINENUM(1): RET;");
    // 2.X.5: numbers.
    refuses(new, "gpu-bad-subroutine-number", "a SUBROUTINENUM(@256): RET;");
    refuses(new, "gpu-bad-subroutine-number", "a SUBROUTINENUM(@1.5): RET;");
    refuses(new, "gpu-unexpected", "a SUBROUTINENUM(@-1): RET;");
    refuses(new, "gpu-unexpected", "a SUBROUTINENUM(1)@; RET;");
    refuses(new, "gpu-subroutine-number-twice", "a SUBROUTINENUM(255): RET; b SUBROUTINENUM(@255): RET;");
    // Types.
    refuses(new, "arb-redefined-name", "TEMP T; SUBROUTINETYPE @T { a }; a SUBROUTINENUM(0): RET;");
    refuses(new, "gpu-unexpected", "SUBROUTINETYPE T { a, @}; a SUBROUTINENUM(0): RET;");
    refuses(new, "gpu-unexpected", "SUBROUTINETYPE T @= { a }; a SUBROUTINENUM(0): RET;");
    // Variables.
    refuses(new, "arb-undefined-name", "SUBROUTINE @T v = program.subroutine[0];");
    refuses(new, "gpu-not-subroutine-type", "TEMP T; SUBROUTINE @T v = program.subroutine[0];");
    refused_with_subroutines("arb-redefined-name", "SUBROUTINE T @v = program.subroutine[3];");
    refused_with_subroutines("gpu-bad-subroutine-parameter", "SUBROUTINE T x = program.subroutine[@1024];");
    refused_with_subroutines("arb-bad-range", "SUBROUTINE T x = program.subroutine[3@..4];");
    refused_with_subroutines("arb-bad-parameter", "SUBROUTINE T x = program.@env[3];");
    refused_with_subroutines("arb-array-size", "SUBROUTINE T x[3] = { program.subroutine[3..4] @};");
    refused_with_subroutines("gpu-unexpected", "SUBROUTINE T x[1] = @program.subroutine[3];");
    refused_with_subroutines("gpu-subroutine-parameter-types", "SUBROUTINE U x = @program.subroutine[0];");
    refused_with_subroutines(
        "gpu-subroutine-parameter-types",
        "SUBROUTINE T x[] = { program.subroutine[3], @program.subroutine[2..4] };",
    );
    // 2.X.8.Z CALI.
    refused_with_subroutines("arb-needs-index", "CALI w@;");
    refused_with_subroutines("arb-not-array", "CALI v@[0];");
    refused_with_subroutines("arb-bad-index", "CALI w[@2];");
    refused_with_subroutines("arb-bad-offset", "CALI w[i.x+@2];");
    refused_with_subroutines("gpu-type-mismatch", "CALI w[@f.x];");
    refused_with_subroutines("gpu-not-subroutine-variable", "CALI @t;");
    refused_with_subroutines("arb-undefined-name", "CALI @a;");
    refused_with_subroutines("gpu-subroutine-operand", "MOV t, @v;");
    refused_with_subroutines("gpu-subroutine-operand", "MOV @v, t;");
    refused_with_subroutines("gpu-subroutine-operand", "MOV t, @T;");
}

/// The code of the only error in `body` and the text it points to. The error must be at the program's end.
#[track_caller]
fn told_at_the_end(body: &str) -> (&'static str, String) {
    let loaded = load(NvFp5, body);
    let [fault] = loaded.diagnostics.as_slice() else { panic!("{body}\n{:#?}", loaded.diagnostics) };
    let text = format!("{} {body} END", NvFp5.header());
    assert_eq!(crate::diag::error_position(&loaded.diagnostics), text.len() as i64, "{body}");
    (fault.code.name(), String::from_utf8_lossy(fault.span().slice(text.as_bytes())).into_owned())
}

#[test]
fn subroutines_as_a_whole() {
    let told = |code, place: &str| (code, place.to_owned());
    // A label in a type must exist and have a number.
    let found = told_at_the_end("SUBROUTINETYPE T { a }; RET; a: RET;");
    assert_eq!(found, told("gpu-subroutine-without-number", "a"));
    let found = told_at_the_end("SUBROUTINETYPE T { a }; RET;");
    assert_eq!(found, told("gpu-unknown-label", "a"));
    // CAL calls labels.
    let loaded = load(
        NvFp5,
        "SUBROUTINETYPE T { a }; SUBROUTINE T v = program.subroutine[0]; CAL v; RET; a SUBROUTINENUM(0):",
    );
    let [fault] = loaded.diagnostics.as_slice() else { panic!("{:#?}", loaded.diagnostics) };
    assert_eq!(
        (fault.code.name(), fault.fix.as_ref().map(|fix| fix.replacement.as_str())),
        ("gpu-unknown-label", Some("CALI"))
    );
    // Issue 2.
    let found = told_at_the_end("SUBROUTINETYPE T { }; SUBROUTINE T vee = program.subroutine[0];");
    assert_eq!(found, told("gpu-subroutine-without-choice", "vee"));
    // "Programs that may potentially cause infinite recursion through indirect calls".
    let types = "SUBROUTINETYPE T { a, b }; SUBROUTINE T v = program.subroutine[0]; ";
    let itself = format!("{types} RET; a SUBROUTINENUM(0): CALI v; RET; b SUBROUTINENUM(1): RET;");
    assert_eq!(told_at_the_end(&itself), told("gpu-indirect-recursion", "v"));
    let around =
        format!("{types} RET; a SUBROUTINENUM(0): CAL c; RET; b SUBROUTINENUM(1): RET; c: CALI v; RET;");
    assert_eq!(told_at_the_end(&around), told("gpu-indirect-recursion", "v"));
    let two = "SUBROUTINETYPE T { a }; SUBROUTINETYPE U { b }; SUBROUTINE T v = program.subroutine[0]; \
        SUBROUTINE U w = program.subroutine[1]; RET; a SUBROUTINENUM(0): CALI w; RET; b SUBROUTINENUM(1): CAL c; RET;";
    accepts(NvFp5, &format!("{two} c: RET;"));
    // Both calls are on the cycle.
    let around = load(NvFp5, &format!("{two} c: CALI v; RET;"));
    let codes: Vec<&str> = around.diagnostics.iter().map(|fault| fault.code.name()).collect();
    assert_eq!(codes, ["gpu-indirect-recursion"; 2]);
    // Recursion by CAL alone is allowed, also in a subroutine that calls others indirectly.
    accepts(
        NvFp5,
        &format!("{types} RET; a SUBROUTINENUM(0): RET; b SUBROUTINENUM(1): RET; c: CAL c; CALI v; RET;"),
    );
}

#[test]
fn subroutines_are_plain_data() {
    // The text's own example, and an array.
    let text = "SUBROUTINETYPE Hero { superman, wolverine }; SUBROUTINETYPE Hero { batman, robin, batman }; \
        SUBROUTINETYPE GothamHero { batman, robin }; SUBROUTINE Hero anyHero = program.subroutine[0]; \
        SUBROUTINE GothamHero gothamHero[] = { program.subroutine[5..6], program.subroutine[1] }; INT TEMP i; \
        batman SUBROUTINENUM(0): RET; robin SUBROUTINENUM(1): RET; superman SUBROUTINENUM(2): RET; \
        wolverine SUBROUTINENUM(3): RET; main: CALI anyHero; CALI gothamHero[1] (EQ.x); CALI gothamHero[i.w+2];";
    for language in [NvVp5, NvFp5] {
        let program = accepts(language, text);
        let all = &program.subroutines;
        let label = |at: &usize| program.labels[all.list[*at].label].name.as_str();
        let members = |ty: usize| all.types[ty].members.iter().map(label).collect::<Vec<_>>();
        assert_eq!(members(0), ["superman", "wolverine", "batman", "robin"]);
        assert_eq!(members(1), ["batman", "robin"]);
        let variable = |at: usize| {
            let v = &all.variables[at];
            (v.name.as_str(), v.ty, v.parameters.clone(), v.is_array)
        };
        assert_eq!(variable(0), ("anyHero", 0, vec![0], false));
        assert_eq!(variable(1), ("gothamHero", 1, vec![5, 6, 1], true));
        let calls: Vec<_> = program.instructions.iter().filter(|i| i.op == Opcode::Cali).collect();
        let elements = calls.iter().map(|call| match call.control() {
            Some(Control::CallIndirect { variable, offset, test }) => (variable, offset, test.is_some()),
            _ => panic!("{call:?}"),
        });
        assert_eq!(elements.collect::<Vec<_>>(), [(0, 0, false), (1, 1, true), (1, 2, false)]);
        assert_eq!(calls[2].operands[0].swizzle.0, [3; 4]);
    }
    // Words of the grammar are not keywords of the language.
    accepts(NvFp5, "TEMP SUBROUTINE, SUBROUTINENUM; MOV SUBROUTINENUM (GT.x), SUBROUTINE;");
}
