//! The forms that rows of the table have in each language, as the tables of its specification print them.

use super::Storage;

use super::{
    Cc, DataType, Format, Forms, Languages, Modifier, Modifiers, OperandKind, Precision, Saturation, Typed,
    Typing,
};

pub(super) const NONE: Modifiers = Modifiers::NONE;
pub(super) const C: Modifiers =
    Modifiers::of(&[Modifier::Cc(Cc::C), Modifier::Cc(Cc::C0), Modifier::Cc(Cc::C1)]);
pub(super) const S: Modifiers =
    Modifiers::of(&[Modifier::Saturation(Saturation::Unsigned), Modifier::Saturation(Saturation::Signed)]);
pub(super) const CS: Modifiers = C.or(S);
pub(super) const RHCS: Modifiers =
    CS.or(Modifiers::of(&[Modifier::Precision(Precision::R), Modifier::Precision(Precision::H)]));
pub(super) const RHXCS: Modifiers = RHCS.or(Modifiers::of(&[Modifier::Precision(Precision::X)]));

// Formulas and hover texts that several rows or forms have.
pub(super) const RSQ_FORMULA: &str = "result.xyzw = 1 / sqrt(|a|)";
pub(super) const RSQ_PROSE: &str = "Divides 1 by the square root of the operand's absolute value and gives the result in all four components, accurate to at least 22 bits. Either zero gives +INF.";
pub(super) const LG2_PROSE: &str = "Computes the logarithm to base 2, in all four components, with an error below 2^-22. The specification leaves zero and negative operands undefined. In Shadestep either zero gives -INF and a negative operand gives NaN.";
pub(super) const LIT_FORMULA: &str =
    "result = (1, max(a.x,0), a.x > 0 ? max(a.y,0)^clamp(a.w, -128, 128) : 0, 1)";
pub(super) const LIT_PROSE: &str = "Computes lighting factors from a diffuse dot product in x, a specular dot product in y and an exponent in w: ambient in x (always 1), diffuse in y and specular in z. Specular is zero where the surface faces away from the light. The exponent is clamped to just inside -128 to 128; any number to the power 0 is 1.";
pub(super) const RSQ_PROSE_GPU: &str = "Divides 1 by the square root of the operand and gives the result in all four components, accurate to at least 22 bits. RSQ does not take the operand's absolute value. The specification leaves zero and negative operands undefined. In Shadestep a zero gives an infinity of the same sign and a negative operand gives NaN.";
pub(super) const DP3_PROSE: &str = "Sums the products of x, y and z, in all four components. The sum runs from left to right, and each product and sum is rounded.";
pub(super) const DP4_PROSE: &str = "Sums the products of x, y, z and w, in all four components. The sum runs from left to right, and each step is rounded. Four of them, one for each row of a matrix, transform a position.";

const fn forms(
    languages: Languages,
    extension: &'static str,
    section: &'static str,
    modifiers: Modifiers,
) -> Forms {
    Forms {
        languages,
        modifiers,
        own: NONE,
        extension,
        section,
        operands: None,
        formula: None,
        prose: None,
        typing: None,
    }
}

/// In `!!FP1.0` with `modifiers`, as Table X.4 prints them.
pub(super) const fn fp1(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::FP1, "NV_fragment_program", section, modifiers)
}

/// In every NV vertex language, from `!!VP1.0` on. Section numbers of all are NV_vertex_program2's.
pub(super) const fn vp1(section: &'static str) -> Forms {
    forms(Languages::VP1, "NV_vertex_program2", section, C)
}

/// From `!!VP1.1` on.
pub(super) const fn vp1_1(section: &'static str) -> Forms {
    Forms { languages: Languages::VP1_1, ..vp1(section) }
}

/// In every NV vertex language before `!!VP2.0`.
pub(super) const fn vp1_only(section: &'static str) -> Forms {
    Forms { languages: Languages::VP1.without(Languages::VP2), ..vp1(section) }
}

/// In `!!VP2.0` only.
pub(super) const fn vp2(section: &'static str) -> Forms {
    Forms { languages: Languages::VP2, ..vp1(section) }
}

/// In every ARB fragment language; with the NV options with `modifiers`, as Table X.5 prints them.
pub(super) const fn arb_fp(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::ARB_FP, "ARB_fragment_program", section, modifiers)
}

/// The same before OPTION NV_fragment_program2, where that brings precisions and C.
pub(super) const fn arb_fp_before_nv2(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_FP.without(Languages::ARB_FP_NV2), ..arb_fp(section, S) }
}

/// In `!!ARBfp1.0` without options.
pub(super) const fn arb_fp_plain(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_FP.without(Languages::ARB_FP_NV1), ..arb_fp(section, S) }
}

/// The same from OPTION NV_fragment_program on.
pub(super) const fn arb_fp_from_nv1(section: &'static str, modifiers: Modifiers) -> Forms {
    Forms { languages: Languages::ARB_FP_NV1, ..arb_fp(section, modifiers) }
}

/// The same from OPTION NV_fragment_program2 on.
pub(super) const fn arb_fp_late(section: &'static str, modifiers: Modifiers) -> Forms {
    Forms { languages: Languages::ARB_FP_NV2, ..arb_fp(section, modifiers) }
}

/// From OPTION NV_fragment_program on.
pub(super) const fn arb_fp_nv(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::ARB_FP_NV1, "NV_fragment_program_option", section, modifiers)
}

/// With OPTION NV_fragment_program2.
pub(super) const fn arb_fp_nv2(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::ARB_FP_NV2, "NV_fragment_program2", section, modifiers)
}

/// In every ARB vertex language.
pub(super) const fn arb_vp(section: &'static str) -> Forms {
    forms(Languages::ARB_VP, "ARB_vertex_program", section, CS)
}

/// In `!!ARBvp1.0` without options.
pub(super) const fn arb_vp_plain(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_VP.without(Languages::ARB_VP_NV2), ..arb_vp(section) }
}

/// The same from OPTION NV_vertex_program2 on.
pub(super) const fn arb_vp_from_nv2(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_VP_NV2, ..arb_vp(section) }
}

/// From OPTION NV_vertex_program2 on.
pub(super) const fn arb_vp_nv2(section: &'static str) -> Forms {
    forms(Languages::ARB_VP_NV2, "NV_vertex_program2_option", section, CS)
}

/// With OPTION NV_vertex_program3.
pub(super) const fn arb_vp_nv3(section: &'static str) -> Forms {
    forms(Languages::ARB_VP_NV3, "NV_vertex_program3", section, CS)
}

impl Forms {
    /// The same without any modifier.
    pub(super) const fn bare(self) -> Self {
        Self { modifiers: NONE, ..self }
    }

    /// The same without clamps.
    pub(super) const fn no_sat(self) -> Self {
        Self { modifiers: C, ..self }
    }

    /// The same for these languages.
    pub(super) const fn only(self, languages: Languages) -> Self {
        Self { languages, ..self }
    }

    /// The same with an operand list of its own.
    pub(super) const fn takes(self, operands: &'static [OperandKind]) -> Self {
        Self { operands: Some(operands), ..self }
    }

    /// The same with a formula of its own.
    pub(super) const fn computes(self, formula: &'static str) -> Self {
        Self { formula: Some(formula), ..self }
    }

    /// The same with these modifiers besides.
    pub(super) const fn also(self, modifiers: &[Modifier]) -> Self {
        Self { modifiers: self.modifiers.or(Modifiers::of(modifiers)), ..self }
    }

    /// The same with two data types, that of the result and that of the operand, and a rounding (CVT).
    pub(super) const fn converts(self) -> Self {
        let typing = match self.typing {
            Some(typing) => Some(Typing { types: 2, ..typing }),
            None => None,
        };
        Self { typing, modifiers: self.modifiers.or(CONVERSIONS), ..self }
    }

    /// The same of another extension.
    pub(super) const fn of(self, extension: &'static str) -> Self {
        Self { extension, ..self }
    }

    /// The same with the storage modifiers of NV_gpu_program5_mem_extended.
    pub(super) const fn extended(self) -> Self {
        Self { own: self.own.or(storages(true, true)), ..self }
    }

    /// The same with the storage modifiers of Table X.3 and, of their sizes, those of NV_gpu_program5_mem_extended.
    pub(super) const fn storing(self) -> Self {
        Self { own: self.own.or(storages(false, true)), ..self }
    }

    /// The same with the data types of what is converted.
    pub(super) const fn converting(self) -> Self {
        let data = [Modifier::Data(DataType::F), Modifier::Data(DataType::S), Modifier::Data(DataType::U)];
        Self { own: self.own.or(Modifiers::of(&data)), ..self }
    }

    /// The same with COH and VOL.
    pub(super) const fn caches(self) -> Self {
        Self { own: self.own.or(Modifiers::of(&[Modifier::Coherent, Modifier::Volatile])), ..self }
    }

    /// The same with atomic operations on texels, each with the storage modifiers that it has.
    pub(super) const fn atomic32(self) -> Self {
        let storages =
            [Modifier::Data(DataType::Sized(Format::U32)), Modifier::Data(DataType::Sized(Format::S32))];
        Self { own: Modifiers::ATOMICS.or(Modifiers::of(&storages)), ..self }
    }

    /// The same at addresses.
    pub(super) const fn atomic(self) -> Self {
        let wide = Modifiers::of(&[Modifier::Data(DataType::Sized(Format::U64))]);
        let forms = self.atomic32();
        Self { own: forms.own.or(wide), ..forms }
    }

    /// The same with hover text of its own, where the shared text would be wrong.
    pub(super) const fn reads(self, prose: &'static str) -> Self {
        Self { prose: Some(prose), ..self }
    }
}

/// In NV_gpu_program4 and what extends it. `columns` are those that Table X.13 of NV_gpu_program5 has under F, I, C, S, H
/// and D; `result` and `operands` what it has under "Out" and "Inputs", without textures and conditions. What
/// NV_gpu_program4 lacks its profile leaves out.
pub(super) const fn gpu(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let modifiers = columns_modifiers(columns.as_bytes());
    let typing = typing(columns.as_bytes(), result.as_bytes(), operands.as_bytes());
    let checks = if typing.is_some() { CHECKS } else { NONE };
    let forms = forms(Languages::GPU, "NV_gpu_program4", name, modifiers.or(checks));
    Forms { typing, ..forms }
}

/// In NV_gpu_program5.
pub(super) const fn gpu5(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { languages: Languages::GPU_5, extension: "NV_gpu_program5", ..forms }
}

/// The same of a texture instruction, for which PREC means nothing.
pub(super) const fn gpu_tex(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { modifiers: forms.modifiers.without(Modifiers::of(&[Modifier::Precise])), ..forms }
}

/// The same in NV_gpu_program5.
pub(super) const fn gpu5_tex(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let Forms { modifiers, .. } = gpu_tex(name, columns, result, operands);
    Forms { modifiers, ..gpu5(name, columns, result, operands) }
}

/// The same in fragment programs.
pub(super) const fn gpu_fp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { languages: Languages::GPU_FP, extension: "NV_fragment_program4", ..forms }
}

/// The same of NV_gpu_program5.
pub(super) const fn gpu5_fp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu5(name, columns, result, operands);
    Forms { languages: Languages::GPU_5.and(Languages::GPU_FP), ..forms }
}

/// The same in geometry programs, of which Table X.13 says the same in NV_geometry_program4.
pub(super) const fn gpu_gp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { languages: Languages::GPU_GP, extension: "NV_geometry_program4", ..forms }
}

/// The same of NV_gpu_program5.
pub(super) const fn gpu5_gp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu5(name, columns, result, operands);
    Forms { languages: Languages::GPU_5.and(Languages::GPU_GP), ..forms }
}

/// What accesses memory, in NV_gpu_program5, with the storage modifiers that are not those of
/// NV_gpu_program5_mem_extended alone, which [`Forms::extended`] adds. PREC means nothing for it.
pub(super) const fn memory(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let Forms { modifiers, typing, .. } = gpu5_tex(name, columns, result, operands);
    Forms { modifiers, own: STORAGES_5, typing, ..gpu5(name, columns, result, operands) }
}

/// What accesses images, in NV_gpu_program5.
pub(super) const fn image(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    gpu5_tex(name, columns, result, operands).of("EXT_shader_image_load_store")
}

/// What accesses memory, in NV_gpu_program4, which has it with an option of another extension.
pub(super) const fn memory4(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let languages = Languages::GPU.without(Languages::GPU_5);
    Forms { languages, own: STORAGES_4, ..memory(name, columns, result, operands) }
}

/// The storage modifiers of NV_shader_buffer_load and NV_parameter_buffer_object2.
const STORAGES_4: Modifiers = storages(false, false);
/// Those of NV_gpu_program5.
const STORAGES_5: Modifiers = storages(true, false);

/// Those of up to 32 bits a component, with those of 64 or with those of NV_gpu_program5_mem_extended.
const fn storages(wide: bool, extended: bool) -> Modifiers {
    let mut set = NONE;
    let mut place = 0;
    while place < Storage::ALL.len() {
        let storage = Storage::ALL[place];
        if (wide || storage.component_bytes() < 8) && (extended || !storage.is_extended()) {
            set = set.or(Modifiers::of(&[Modifier::Data(storage.data_type())]));
        }
        place += 1;
    }
    set
}

/// What ARB_shader_subroutine adds to the languages of NV_gpu_program5.
pub(super) const fn subroutines(name: &'static str) -> Forms {
    Forms { extension: "ARB_shader_subroutine", ..gpu5(name, "------", "", "") }
}

/// What every instruction with types takes beside what Table X.13 prints.
const CHECKS: Modifiers = Modifiers::of(&[Modifier::NoTypeCheck, Modifier::Precise]);

const fn columns_modifiers(columns: &[u8]) -> Modifiers {
    let mut set = NONE;
    if columns[0] != b'-' {
        set = set.or(FLOATS);
    }
    if columns[0] == b'6' {
        set = set.or(Modifiers::of(&[Modifier::Data(DataType::Sized(Format::F64))]));
    }
    if columns[1] != b'-' {
        set = set.or(INTEGERS);
    }
    if columns[1] == b'6' {
        set = set.or(Modifiers::of(&[
            Modifier::Data(DataType::Sized(Format::S64)),
            Modifier::Data(DataType::Sized(Format::U64)),
        ]));
    }
    if columns[2] != b'-' {
        set = set.or(C);
    }
    if columns[3] != b'-' {
        set = set.or(S);
    }
    if columns[4] != b'-' {
        set = set.or(Modifiers::of(&[Modifier::Precision(Precision::H)]));
    }
    set
}

/// What CVT takes: the types of storage, and how to round.
const CONVERSIONS: Modifiers = Modifiers::FORMATS.or(Modifiers::ROUNDINGS);

/// Under F. The suffix R says the same (Table X.15 of NV_gpu_program4).
const FLOATS: Modifiers = Modifiers::of(&[
    Modifier::Precision(Precision::R),
    Modifier::Data(DataType::F),
    Modifier::Data(DataType::Sized(Format::F32)),
]);

/// Under I.
const INTEGERS: Modifiers = Modifiers::of(&[
    Modifier::Data(DataType::S),
    Modifier::Data(DataType::U),
    Modifier::Data(DataType::Sized(Format::S32)),
    Modifier::Data(DataType::Sized(Format::U32)),
]);

const fn typing(columns: &[u8], result: &[u8], operands: &[u8]) -> Option<Typing> {
    if operands.is_empty() {
        return None;
    }
    let default = match columns[5] {
        b'F' => Some(DataType::F),
        b'S' => Some(DataType::S),
        _ => None,
    };
    let mut all = [Typed::Inherited; 3];
    let mut place = 0;
    let mut at = 0;
    while at < operands.len() {
        match operands[at] {
            b',' => place += 1,
            letter => all[place] = typed(letter, all[place]),
        }
        at += 1;
    }
    let mut written = Typed::Inherited;
    at = 0;
    while at < result.len() {
        written = typed(result[at], written);
        at += 1;
    }
    Some(Typing { default, result: written, operands: all, types: 1 })
}

/// What `letter` of "vf", "su" and the like says of a type.
const fn typed(letter: u8, before: Typed) -> Typed {
    match letter {
        b'f' => Typed::Float,
        b'u' => Typed::Unsigned,
        // A first `s` is for a scalar.
        b'i' => Typed::Signed,
        _ => before,
    }
}
