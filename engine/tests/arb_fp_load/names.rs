//! Names, keywords, declarations and aliases (ARB_fragment_program 3.11.2, 3.11.3, 3.11.3.3, 3.11.3.5), with
//! the changes of the NV options.

use super::{ALL, BASE, BEFORE_NV2, NV, NV1, NV2, accepts, refuses};

/// The keywords of ARB_fragment_program 3.11.2.
const KEYWORDS: &str = "ABS ABS_SAT ADD ADD_SAT ALIAS ATTRIB CMP CMP_SAT COS COS_SAT DP3 DP3_SAT DP4 DP4_SAT \
    DPH DPH_SAT DST DST_SAT END EX2 EX2_SAT FLR FLR_SAT FRC FRC_SAT KIL LG2 LG2_SAT LIT LIT_SAT LRP LRP_SAT MAD \
    MAD_SAT MAX MAX_SAT MIN MIN_SAT MOV MOV_SAT MUL MUL_SAT OPTION OUTPUT PARAM POW POW_SAT RCP RCP_SAT RSQ \
    RSQ_SAT SIN SIN_SAT SCS SCS_SAT SGE SGE_SAT SLT SLT_SAT SUB SUB_SAT SWZ SWZ_SAT TEMP TEX TEX_SAT TXB TXB_SAT \
    TXP TXP_SAT XPD XPD_SAT fragment program result state texture";

/// Rows of Table X.5, grouped by the marks in the columns R, H, X, C and S.
const NV1_ROWS: &[(&str, &str)] = &[
    ("RHXCS", "ABS ADD DP3 DP4 DPH FLR FRC LRP MAD MAX MIN MOV MUL SEQ SFL SGE SGT SLE SLT SNE STR SUB"),
    ("RHCS", "COS DDX DDY DST EX2 LG2 LIT POW RCP RFL RSQ SIN X2D"),
    ("CS", "TEX TXB TXD TXP UP2H UP2US UP4B UP4UB"),
    ("S", "CMP SCS SWZ XPD"),
    ("", "KIL PK2H PK2US PK4B PK4UB"),
];
const NV2_ROWS: &[(&str, &str)] = &[
    (
        "RHXCS",
        "ABS ADD DP2 DP2A DP3 DP4 DPH FLR FRC LRP MAD MAX MIN MOV MUL SEQ SFL SGE SGT SLE SLT SNE STR SUB",
    ),
    ("RHCS", "COS DDX DDY DIV DST EX2 LG2 LIT NRM POW RCP RFL RSQ SCS SIN SWZ X2D XPD"),
    ("CS", "CMP TEX TXB TXD TXL TXP UP2H UP2US UP4B UP4UB"),
    ("", "BRK CAL ELSE ENDIF ENDLOOP ENDREP IF KIL LOOP PK2H PK2US PK4B PK4UB REP RET"),
];

/// Combines each mnemonic of `rows` with all suffixes. The first list has the names that the columns allow,
/// where S allows the suffixes in `saturations`. The second list has all other names.
fn variants(rows: &[(&str, &str)], saturations: &[&str]) -> (Vec<String>, Vec<String>) {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (columns, mnemonics) in rows {
        for mnemonic in mnemonics.split_whitespace() {
            for precision in ["", "R", "H", "X"] {
                for cc in ["", "C"] {
                    for saturation in ["", "_SAT", "_SSAT"] {
                        let has = columns.contains(precision)
                            && columns.contains(cc)
                            && (saturation.is_empty()
                                || columns.contains('S') && saturations.contains(&saturation));
                        let name = format!("{mnemonic}{precision}{cc}{saturation}");
                        if has { own.push(name) } else { others.push(name) }
                    }
                }
            }
        }
    }
    others.retain(|name| !own.contains(name));
    (own, others)
}

fn reserved(name: &str) -> [(&'static str, String); 1] {
    [("arb-reserved-name", format!("TEMP @{name};"))]
}

fn is_free(name: &str) -> String {
    format!("TEMP {name}; MOV {name}, u; ALIAS other = {name}; MOV t, other;")
}

#[test]
fn keywords_of_the_list_are_reserved() {
    for keyword in KEYWORDS.split_whitespace() {
        refuses(ALL, &reserved(keyword));
        // END ends the program at any place, so a label cannot follow.
        if keyword != "END" {
            refuses(NV2, &[("arb-reserved-label", format!("@{keyword}: MOV t, u;"))]);
        }
    }
}

#[test]
fn variants_of_the_tables_are_reserved_with_their_option_and_no_others() {
    let (first, first_others) = variants(NV1_ROWS, &["_SAT"]);
    let (second, second_others) = variants(NV2_ROWS, &["_SAT", "_SSAT"]);
    let base: Vec<&str> = KEYWORDS.split_whitespace().collect();
    assert_eq!((first.len(), second.len()), (553, 975));
    for name in &first {
        refuses(NV1, &reserved(name));
        if !base.contains(&name.as_str()) {
            accepts(BASE, &[&is_free(name)]);
        }
    }
    for name in &second {
        refuses(NV2, &reserved(name));
        if !first.contains(name) {
            accepts(NV1, &[&is_free(name)]);
        }
    }
    for name in &first_others {
        accepts(NV1, &[&is_free(name)]);
    }
    for name in &second_others {
        accepts(NV2, &[&is_free(name)]);
        // Nor is the name an instruction.
        let loaded = shadestep_engine::front::load(super::around(NV2[0], &format!("{name} t;")).as_bytes());
        let fault = &loaded.diagnostics[0];
        assert_eq!(fault.code, "arb-bad-suffix", "{name}: {}", fault.message);
    }
}

#[test]
fn names_in_use() {
    accepts(
        ALL,
        &[
            "TEMP _, $, a$_9, Mov, mov, END1, vertex, color, x, xyzw, rgba, e5, D, R0, H0, main;",
            "TEMP x; MOV x.x, x.x; MOV x.w, -x;",
            "TEMP EQ, TR, SHORT, LONG, CUBE, RECT, SHADOW2D, row, env, local, matrix; MOV EQ, TR; MOV SHORT.x, LONG;",
            "PARAM EQ = 1; MOV t, EQ; ATTRIB NE = fragment.color; KIL NE; OUTPUT GT = result.depth; MOV GT.z, t;",
            "TEMP a; TEMP b, c; TEMP\nd\n,e ; MOV a, b; MOV c, d; MOV e, e;",
            "PARAM A = 1; PARAM a = 2; ADD t, A, a;",
            "TEMP a123456789012345678901234567890123456789012345678901234567890123456789; TEMP A0A;",
            // Statements of all kinds in any order.
            "MOV t, u; TEMP w; MOV w, t; PARAM p = 1; ADD t, p, w; OUTPUT o = result.color; ATTRIB c = fragment.color;\
                MOV o, c; ALIAS q = p; MOV t, q;",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-unexpected", "TEMP @;"),
            ("arb-unexpected", "TEMP a,@;"),
            ("arb-unexpected", "TEMP @, a;"),
            ("arb-unexpected", "TEMP @1a;"),
            ("arb-unexpected", "TEMP @3D;"),
            ("arb-unexpected", "TEMP a@.x;"),
            ("arb-unexpected", "TEMP a@[2];"),
            ("arb-unexpected", "TEMP a @= 1;"),
            ("arb-missing-comma", "TEMP a @b;"),
            ("arb-unexpected", "TEMP a @1;"),
            ("arb-unexpected", "TEMP @-a;"),
            ("arb-redefined-name", "TEMP @t;"),
            ("arb-redefined-name", "TEMP a, b, @a;"),
            ("arb-redefined-name", "PARAM @t = 1;"),
            ("arb-redefined-name", "PARAM @t[] = { 1, 2 };"),
            ("arb-redefined-name", "ATTRIB @t = fragment.color;"),
            ("arb-redefined-name", "OUTPUT @t = result.color;"),
            ("arb-redefined-name", "ALIAS @t = u;"),
            ("arb-redefined-name", "ALIAS @t = t;"),
            ("arb-redefined-name", "ALIAS a = t; TEMP @a;"),
            ("arb-redefined-name", "PARAM p = 1; PARAM @p = 1;"),
            ("arb-redefined-name", "OUTPUT o = result.color; OUTPUT @o = result.color;"),
            ("arb-reserved-name", "PARAM @MOV = 1;"),
            ("arb-reserved-name", "PARAM @state[] = { 1 };"),
            ("arb-reserved-name", "ATTRIB @fragment = fragment.color;"),
            ("arb-reserved-name", "OUTPUT @result = result.color;"),
            ("arb-reserved-name", "ALIAS @TEMP = t;"),
            ("arb-reserved-name", "TEMP a, @END, b;"),
        ],
    );
}

#[test]
fn names_must_be_declared_before() {
    refuses(
        ALL,
        &[
            ("arb-undefined-name", "MOV @a, t;"),
            ("arb-undefined-name", "MOV t, @a;"),
            ("arb-undefined-name", "MOV t, -@a.x;"),
            ("arb-undefined-name", "MOV t, @a[0];"),
            ("arb-undefined-name", "MOV t, @a[0].xyzw;"),
            ("arb-undefined-name", "MOV @a.xy, t;"),
            ("arb-undefined-name", "MOV @a[0], t;"),
            ("arb-undefined-name", "RCP t, @a.x;"),
            ("arb-undefined-name", "RCP t, @a;"),
            ("arb-undefined-name", "KIL @a;"),
            ("arb-undefined-name", "SWZ t, @a, x, y, 0, 1;"),
            ("arb-undefined-name", "TEX t, @a, texture, 2D;"),
            ("arb-undefined-name", "ALIAS b = @a;"),
            ("arb-undefined-name", "ALIAS b = @b;"),
            ("arb-undefined-name", "ALIAS b = @a; MOV b, a;"),
            ("arb-undefined-name", "MOV t, @a; TEMP a;"),
            ("arb-undefined-name", "MOV t, @T;"),
            // An undefined name is reported once.
            ("arb-undefined-name", "MOV t, @a; ADD t, a, a; MOV a, t;"),
            ("arb-undefined-name", "MOV t, @vertex.position;"),
            ("arb-undefined-name", "MOV t, @R0;"),
            ("arb-undefined-name", "MOV @o, t;"),
            ("arb-undefined-name", "MOV t, @f[WPOS];"),
        ],
    );
    refuses(BEFORE_NV2, &[("arb-undefined-name", "MOV t, @A0;"), ("arb-undefined-name", "MOV t, @A0.x;")]);
    accepts(BEFORE_NV2, &["TEMP A0; MOV A0, t;"]);
    refuses(
        NV2,
        &[
            ("arb-redefined-name", "TEMP @A0;"),
            ("arb-redefined-name", "PARAM @A0 = 1;"),
            ("arb-redefined-name", "SHORT TEMP a, @A0;"),
            ("arb-redefined-name", "ALIAS @A0 = t;"),
            ("arb-read-address", "MOV t, @A0;"),
            ("arb-read-address", "LOOP 1; MOV t, @A0.x; ENDLOOP;"),
            ("arb-write-address", "MOV @A0, t;"),
            ("arb-write-address", "LOOP 1; MOV @A0.x, t; ENDLOOP;"),
            ("arb-undefined-name", "MOVC @CC, t;"),
        ],
    );
    accepts(NV2, &["TEMP A1, CC; MOV A1, CC;"]);
}

#[test]
fn aliases() {
    accepts(
        ALL,
        &[
            "ALIAS a = t; ALIAS b = a; MOV b.x, a.y; MOV t, b;",
            "PARAM p = 1; ALIAS q = p; MOV t, q; PARAM r[2] = { 1, 2 }; ALIAS s = r; MOV t, s[1];",
            "ATTRIB c = fragment.color; ALIAS d = c; MOV t, d; OUTPUT o = result.color; ALIAS w = o; MOV w, t;",
        ],
    );
    accepts(
        NV2,
        &[
            "ALIAS i = A0; LOOP 1; MOV t, fragment.texcoord[i.x+1]; ENDLOOP;",
            "SHORT TEMP s; ALIAS a = s; MOV a, t;",
        ],
    );
    refuses(
        ALL,
        &[
            ("arb-unexpected", "ALIAS @;"),
            ("arb-unexpected", "ALIAS a@;"),
            ("arb-unexpected", "ALIAS a =@;"),
            ("arb-unexpected", "ALIAS a @t;"),
            ("arb-unexpected", "ALIAS a = @1;"),
            ("arb-unexpected", "ALIAS a = @{1};"),
            ("arb-unexpected", "ALIAS a = @-t;"),
            ("arb-unexpected", "ALIAS a = @fragment.color;"),
            ("arb-unexpected", "ALIAS a = @result.color;"),
            ("arb-unexpected", "ALIAS a = @program.env[0];"),
            ("arb-unexpected", "ALIAS a = t@.x;"),
            ("arb-unexpected", "PARAM r[2] = { 1, 2 }; ALIAS a = r@[0];"),
            ("arb-unexpected", "ALIAS a = t@, b = t;"),
            // An alias has the kind of the variable that it names.
            ("arb-needs-index", "PARAM r[] = { 1, 2 }; ALIAS s = r; MOV t, s@;"),
            ("arb-bad-index", "PARAM r[] = { 1, 2 }; ALIAS s = r; MOV t, s[@2];"),
            ("arb-write-parameter", "PARAM p = 1; ALIAS q = p; MOV @q, t;"),
            ("arb-write-attribute", "ATTRIB c = fragment.color; ALIAS d = c; MOV @d, t;"),
            ("arb-read-result", "OUTPUT o = result.color; ALIAS w = o; MOV t, @w;"),
        ],
    );
    refuses(NV, &[("arb-pack-destination", "SHORT TEMP s; ALIAS a = s; PK2H @a, t;")]);
}

#[test]
fn sizes() {
    accepts(
        NV,
        &[
            "SHORT TEMP a; LONG TEMP b, c; SHORT TEMP d, e; MOV a, b; MOV c, d; MOV e, a;",
            "SHORT OUTPUT o = result.color; MOV o, t; LONG OUTPUT d = result.depth; MOV d.z, t;",
            "SHORT OUTPUT o = result.color; SHORT OUTPUT p = result.color; MOV o, t; MOV p, t;",
            "LONG OUTPUT o = result.color; LONG OUTPUT p = result.color; MOV o, t; MOV p, t;",
            // Sizes may differ where the variables are declared but not both written.
            "SHORT OUTPUT o = result.color; LONG OUTPUT p = result.color; MOV o, t;",
            "SHORT TEMP SHORT; LONG TEMP LONG; MOV SHORT, LONG;",
            "SHORT TEMP a; SHORT\nTEMP\nb; UP2H a, t.x; PK2H t, a;",
        ],
    );
    refuses(
        NV,
        &[
            (
                "arb-result-sizes",
                "SHORT OUTPUT o = result.color; LONG OUTPUT p = result.color; MOV o, t; MOV @p, t;",
            ),
            (
                "arb-result-sizes",
                "LONG OUTPUT o = result.depth; SHORT OUTPUT p = result.depth; MOV o, t; MOV @p.z, t;",
            ),
            ("arb-unexpected", "SHORT@;"),
            ("arb-unexpected", "SHORT @a;"),
            ("arb-unexpected", "SHORT @PARAM p = 1;"),
            ("arb-unexpected", "LONG @ATTRIB p = fragment.color;"),
            ("arb-unexpected", "SHORT @LONG TEMP a;"),
            ("arb-unexpected", "LONG @ALIAS a = t;"),
            ("arb-unexpected", "SHORT @MOV t, u;"),
            ("arb-missing-comma", "TEMP SHORT @a;"),
            ("arb-pack-destination", "SHORT TEMP a; PK2H @a, t;"),
            // A result without a size has the size of the other variables that write it.
            ("arb-pack-destination", "SHORT OUTPUT a = result.color; MOV a, t; PK2H @result.color, t;"),
            ("arb-pack-destination", "SHORT OUTPUT a = result.depth; PK4B result.depth, t; MOV @a.z, t;"),
            ("arb-pack-destination", "SHORT TEMP a; PK2US @a.x, t;"),
            ("arb-pack-destination", "SHORT OUTPUT a = result.color; PK4B @a, t;"),
            ("arb-pack-destination", "SHORT OUTPUT a = result.depth; PK4UB @a.z (EQ), t;"),
            ("arb-unpack-source", "SHORT TEMP a; UP2H t, @a.x;"),
            ("arb-unpack-source", "SHORT TEMP a; UP2US t, -@a.x;"),
            ("arb-unpack-source", "SHORT TEMP a; UP4B t, |@a.x|;"),
            ("arb-unpack-source", "SHORT TEMP a; UP4UBC_SAT t, @a.w;"),
        ],
    );
    accepts(NV, &["SHORT OUTPUT a = result.color; PK2H result.color, t; MOV result.color, t;"]);
    accepts(NV, &["PK2H t, u; PK2US t.x, u; PK4B result.color, u; PK4UB result.depth (NE.x), u;"]);
    refuses(
        BASE,
        &[
            ("arb-later-feature", "@SHORT TEMP a;"),
            ("arb-later-feature", "@LONG TEMP a, b;"),
            ("arb-later-feature", "@SHORT OUTPUT a = result.color;"),
            ("arb-unknown-instruction", "@SHORT a;"),
            ("arb-unknown-instruction", "@LONG PARAM p = 1;"),
        ],
    );
}
