//! Completions in every language.

use super::*;

/// The labels offered at `@`.
fn at(marked: &str) -> Vec<String> {
    let offset = marked.find('@').unwrap();
    let text = marked.replacen('@', "", 1);
    completions(text.as_bytes(), offset).into_iter().map(|c| c.label).collect()
}

#[test]
fn offers_fit_the_place() {
    assert_eq!(
        at("!!FP1.0\nSU@"),
        [
            "SUB",
            "SUBC",
            "SUBC_SAT",
            "SUBH",
            "SUBHC",
            "SUBHC_SAT",
            "SUBH_SAT",
            "SUBR",
            "SUBRC",
            "SUBRC_SAT",
            "SUBR_SAT",
            "SUBX",
            "SUBXC",
            "SUBXC_SAT",
            "SUBX_SAT",
            "SUB_SAT"
        ]
    );
    assert_eq!(at("!!FP1.0\nde@"), ["DEFINE", "DECLARE"]);
    assert_eq!(at("!!FP1.0\nOPTION ARB_fragment_coord_p@"), ["ARB_fragment_coord_pixel_center_integer"]);
    assert_eq!(at("!!FP1.0\nMOV o[@"), ["COLR", "COLH", "DEPR"]);
    assert_eq!(at("!!FP1.0\nMOV R0, f[F@"), ["FOGC"]);
    assert_eq!(at("!!FP1.0\nTEX R0, f[TEX0], TEX1, @"), ["1D", "2D", "3D", "CUBE", "RECT"]);
    assert_eq!(at("!!FP1.0\nTEX R0, f[TEX0], TEX1@")[..2], ["TEX1", "TEX10"]);
    assert_eq!(at("!!FP1.0\nKIL N@"), ["NE"]);
    assert_eq!(at("!!FP1.0\nMOV R0 (G@"), ["GE", "GT"]);
    assert_eq!(at("!!FP1.0\nDEFINE pi = 3;\nDECLARE px;\nMOV R7, -|p@"), ["pi", "px", "p[0]"]);
    assert_eq!(at("!!FP1.0\nMOV R5, H3;\nMOV R@"), ["R5", "RC"]);
}

#[test]
fn nothing_is_offered_where_nothing_fits() {
    for text in [
        "!!FP1.0 # MO@",
        "!!FP1.0\nMOV R0, 2@",
        "!!FP1.0\nMOV R0 @",
        "!!FP1.0\nMOV R0, R1, @",
        "!!FP1.0\nDEFINE @",
    ] {
        assert_eq!(at(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(at("MOV R0, R@"), Vec::<String>::new());
}

#[test]
fn headers_are_offered_where_one_stands() {
    assert_eq!(at("@"), LANGUAGES.map(Language::header));
    assert_eq!(at("!!VP@"), ["!!VP1.0", "!!VP1.1", "!!VP2.0"]);
    assert_eq!(at("!!ARB@"), ["!!ARBfp1.0", "!!ARBvp1.0"]);
    assert_eq!(at("!!F@P9\nMOV R0, R1;"), ["!!FP1.0"]);
    assert_eq!(completions(b"", 5), completions(b"", 0));
}

#[test]
fn offers_follow_the_language() {
    assert_eq!(at("!!VP1.0\nS@"), ["SGE", "SLT"]);
    assert_eq!(at("!!VP1.1\nS@"), ["SGE", "SLT", "SUB"]);
    assert_eq!(at("!!VP2.0\nSU@"), ["SUB", "SUBC"]);
    assert_eq!(at("!!VP2.0\nhere: BR@"), ["BRA"]);
    assert_eq!(at("!!VP1.0\nO@"), Vec::<String>::new());
    assert_eq!(at("!!VP1.1\nO@"), ["OPTION"]);
    assert_eq!(at("!!VP2.0\nOPTION @"), ["NV_position_invariant"]);
    assert_eq!(at("!!VP1.0\nMOV o[P@"), ["PSIZ"]);
    assert_eq!(at("!!VP1.0\nMOV o[CL@"), Vec::<String>::new());
    assert_eq!(at("!!VP2.0\nMOV o[CLP@").len(), 6);
    assert_eq!(at("!!VP2.0\nMOV R0, v[T@").len(), 8);
    assert_eq!(at("!!VSP1.0\nMOV R0, v[@"), ["0"]);
    assert_eq!(at("!!VSP1.0\nMOV c@"), ["c[0]"]);
    assert_eq!(at("!!VP2.0\nMOV C@"), ["CC"]);
    assert_eq!(at("!!VP1.1\nMOV C@"), Vec::<String>::new());
    assert_eq!(at("!!VP2.0\nMOV R0(L@"), ["LE", "LT"]);
    assert_eq!(at("!!VP1.0\nMOV R0(L@"), Vec::<String>::new());
}

#[test]
fn address_registers_are_offered_where_they_can_stand() {
    assert_eq!(at("!!VP1.0\nARL @"), ["A0.x"]);
    assert_eq!(at("!!VP2.0\nARL @"), ["A0", "A1"]);
    assert_eq!(at("!!VP2.0\nARA A0, @"), ["A0", "A1"]);
    assert_eq!(at("!!VP1.0\nMOV R0, c[@"), ["A0.x"]);
    assert_eq!(at("!!VP2.0\nMOV R0, c[A1@"), ["A1.x", "A1.y", "A1.z", "A1.w"]);
    assert_eq!(at("!!VP1.0\nMOV R0, c[A0.@"), ["x"]);
    assert_eq!(at("!!VP2.0\nMOV R0, c[A0.@"), ["x", "y", "z", "w"]);
    assert_eq!(at("!!VP2.0\nARL A0.@"), ["x", "y", "z", "w", "xyz", "xyzw"]);
    assert_eq!(at("!!VP2.0\nMOV R0, A@"), Vec::<String>::new());
}

#[test]
fn branches_are_offered_the_labels_of_the_text() {
    let text = "!!VP2.0\nagain: MOV R0, R1;\nBRA a@ (GT.x);\nafter: RET;\nagain: END";
    assert_eq!(at(text), ["again", "after"]);
    assert_eq!(at("!!VP2.0\nx: CAL @"), ["x"]);
    assert_eq!(at("!!VP2.0\nx: BRA x (N@"), ["NE"]);
    assert_eq!(at("!!VP2.0\nx: RET (N@"), ["NE"]);
    assert_eq!(at("!!VP2.0\nx: RET @"), Vec::<String>::new());
    assert_eq!(at("!!VP2.0\nx: BRA x @"), Vec::<String>::new());
}

#[test]
fn statements_follow_the_language_and_its_options() {
    assert_eq!(at("!!ARBfp1.0\nCM@"), ["CMP", "CMP_SAT"]);
    assert_eq!(at("!!ARBfp1.0\nDD@"), Vec::<String>::new());
    assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program;\nDDX@")[..2], ["DDX", "DDXC"]);
    assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program2;\nEND@"), ["ENDIF", "ENDLOOP", "ENDREP", "END"]);
    assert_eq!(at("!!ARBvp1.0\nAD@"), ["ADD", "ADDRESS"]);
    assert_eq!(at("!!ARBfp1.0\nTE@"), ["TEX", "TEMP", "TEX_SAT"]);
    assert_eq!(at("!!ARBfp1.0\nSHO@"), Vec::<String>::new());
    assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program;\nSHO@"), ["SHORT"]);
    assert_eq!(at("!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT @"), ["TEMP", "OUTPUT"]);
    assert_eq!(
        at("!!ARBvp1.0\nOPTION @"),
        ["ARB_position_invariant", "ARB_fragment_program_shadow", "NV_vertex_program2", "NV_vertex_program3",]
    );
    assert_eq!(at("!!ARBfp1.0\nOPTION ARB_draw@"), ["ARB_draw_buffers"]);
}

#[test]
fn bindings_are_offered_part_by_part() {
    assert_eq!(at("!!ARBfp1.0\nATTRIB c = fragment.@"), ["color", "texcoord", "fogcoord", "position"]);
    assert_eq!(at("!!ARBfp1.0\nMOV r, fragment.color.s@"), ["secondary"]);
    assert_eq!(at("!!ARBfp1.0\nMOV r, fragment.position.@")[..4], ["x", "y", "z", "w"]);
    assert_eq!(
        at("!!ARBvp1.0\nPARAM m[4] = { state.matrix.@"),
        ["modelview", "projection", "mvp", "texture", "program"]
    );
    assert_eq!(at("!!ARBvp1.0\nPARAM p = state.light[@").len(), 8);
    assert_eq!(at("!!ARBvp1.0\nPARAM p = state.light[0].s@"), ["specular", "spot"]);
    assert_eq!(at("!!ARBvp1.0\nPARAM p = state.t@"), ["texgen"]);
    assert_eq!(at("!!ARBfp1.0\nPARAM p = state.t@"), ["texenv"]);
    for header in ["!!NVvp4.0", "!!NVfp4.0", "!!NVvp5.0", "!!NVfp5.0"] {
        let all = |beginning: &str| at(&format!("{header}\nPARAM p = state.{beginning}@"));
        assert_eq!(all("t"), ["texgen", "texenv"]);
        assert_eq!([all("d"), all("cl"), all("po")], [["depth"], ["clip"], ["point"]]);
    }
    assert_eq!(at("!!ARBfp1.0\nPARAM p = program.@"), ["env", "local"]);
    assert_eq!(at("!!ARBvp1.0\nMOV result.@"), ["position", "color", "fogcoord", "pointsize", "texcoord"]);
    assert_eq!(at("!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.po@"), ["pointsize"]);
    assert_eq!(at("!!ARBvp1.0\nOPTION NV_vertex_program2;\nMOV result.cl@"), ["clip"]);
    assert_eq!(at("!!ARBfp1.0\nTEX r, c, texture[@").len(), 16);
}

#[test]
fn operands_are_names_and_bindings_of_their_place() {
    let head = "!!ARBfp1.0\nTEMP reg;\nPARAM rest = 2;\nPARAM rows[] = { state.matrix.mvp };\nOUTPUT out = result.color;\n";
    let here = |line: &str| at(&format!("{head}{line}"));
    assert_eq!(here("MOV r@"), ["reg", "result.color", "result.depth"]);
    assert_eq!(here("MOV o@"), ["out"]);
    assert_eq!(here("MOV out, r@"), ["reg", "rest", "rows[0]"]);
    assert_eq!(here("MOV out, frag@").len(), 12);
    assert_eq!(here("MOV out, program.@"), ["env", "local"]);
    assert_eq!(here("MOV out, rows[@"), ["0", "1", "2", "3"]);
    assert_eq!(here("TEX reg, reg, t@")[..2], ["texture[0]", "texture[1]"]);
    assert_eq!(here("TEX reg, reg, texture[0], @"), ["1D", "2D", "3D", "CUBE", "RECT"]);
    assert_eq!(here("SWZ reg, rest, x, @"), ["x", "y", "z", "w"]);
    assert_eq!(here("MOV reg.rg@"), ["rgb", "rgba"]);
    assert_eq!(here("ALIAS b = re@"), ["reg", "rest"]);
    assert_eq!(here("MOV reg (@"), Vec::<String>::new());
    assert_eq!(here("MOV reg, late@;\nTEMP late;"), Vec::<String>::new());
    let shadow = "!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\nTEX r, c, texture[0], SHADOW@";
    assert_eq!(at(shadow), ["SHADOW1D", "SHADOW2D", "SHADOWRECT"]);
}

#[test]
fn what_the_nv_options_bring_is_offered_with_them() {
    let vertex = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS A;\nPARAM p[] = { program.env[0..1] };\n";
    let here = |line: &str| at(&format!("{vertex}{line}"));
    assert_eq!(here("ARL @"), ["A"]);
    assert_eq!(here("PUSHA @"), ["A"]);
    assert_eq!(here("MOV result.position, p[A@"), ["A.x", "A.y", "A.z", "A.w"]);
    assert_eq!(here("MOV result.position, vertex.attrib[A@"), ["A.x", "A.y", "A.z", "A.w"]);
    assert_eq!(here("MOV result.position, vertex.attrib[@").len(), 20);
    assert_eq!(here("MOV result.position (GT@"), ["GT", "GT0", "GT1"]);
    assert_eq!(here("again: BRA a@"), ["again"]);
    assert_eq!(at("!!ARBvp1.0\nADDRESS A;\nARL @"), ["A.x"]);
    let fragment = "!!ARBfp1.0\nOPTION NV_fragment_program2;\n";
    assert_eq!(at(&format!("{fragment}IF L@")), ["LE", "LT"]);
    assert_eq!(at(&format!("{fragment}MOV r, fragment.f@")), ["fogcoord", "facing"]);
    assert_eq!(at(&format!("{fragment}MOV r, fragment.texcoord[A@")), ["A0.x"]);
}

#[test]
fn nothing_is_offered_where_nothing_fits_in_arb_programs() {
    for text in [
        "!!ARBfp1.0 # MO@",
        "!!ARBfp1.0\nTEMP @",
        "!!ARBfp1.0\nMOV a, 2@",
        "!!ARBfp1.0\nPARAM x @",
        "!!ARBfp1.0\nATTRIB x = fragment.color @",
    ] {
        assert_eq!(at(text), Vec::<String>::new(), "{text}");
    }
}

/// The labels offered at `@` in a text of `language`.
fn at_in(language: Language, marked: &str) -> Vec<String> {
    let offset = marked.find('@').unwrap();
    let text = marked.replacen('@', "", 1);
    completions_in(Some(language), text.as_bytes(), offset).into_iter().map(|c| c.label).collect()
}

/// The columns of Tables X.13 and X.14: NV_gpu_program4 has no sizes. `AND` works on integers, so has no
/// clamp.
#[test]
fn modifiers_are_offered_one_by_one() {
    use Language::{NvFp4, NvFp5};
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nMA@"), ["MAD", "MAX"]);
    assert_eq!(
        at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nADD.@"),
        ["F", "U", "S", "CC", "CC0", "CC1", "SAT", "SSAT", "NTC"]
    );
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nAND.@"), ["U", "S", "CC", "CC0", "CC1", "NTC"]);
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nADD.S.C@"), ["CC", "CC0", "CC1"]);
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nADD.S.CC1.@"), ["NTC"]);
    let offered = at_in(NvFp5, "!!NVfp5.0\nTEMP a;\nADD.@");
    for word in ["F32", "F64", "S64", "U64", "PREC"] {
        assert!(offered.contains(&word.to_owned()), "{word}: {offered:?}");
    }
    // After an instruction's name and modifiers come its operands.
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP apple;\nADD.S.CC ap@"), ["apple"]);
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP apple;\nADD.S apple, ap@"), ["apple"]);
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nMOV.S a.xy@"), ["xyz", "xyzw"]);
    assert_eq!(at_in(NvFp4, "!!NVfp4.0\nTEMP a;\nADD.Q.@"), Vec::<String>::new());
}
