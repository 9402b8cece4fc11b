//! Constructors for the forms of a table row: which languages have the instruction, with which modifiers and
//! types. The arguments follow the instruction tables in the specifications, so that rows can be compared
//! with them. [`super::table`] uses these functions.

use super::{
    Cc, DataType, Format, Forms, Languages, MemoryOption, Modifier, Modifiers, OperandKind, Precision,
    Saturation, Storage, Typed, Typing,
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

// Formulas and hover texts that several rows or forms share.
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
        needs: None,
        operands: None,
        formula: None,
        prose: None,
        typing: None,
    }
}

/// The form in `!!FP1.0`, with the `modifiers` that Table X.4 lists.
pub(super) const fn fp1(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::FP1, "NV_fragment_program", section, modifiers)
}

/// The form in every NV vertex language, from `!!VP1.0` on. Section numbers are from NV_vertex_program2.
pub(super) const fn vp1(section: &'static str) -> Forms {
    forms(Languages::VP1, "NV_vertex_program2", section, C)
}

/// The form from `!!VP1.1` on.
pub(super) const fn vp1_1(section: &'static str) -> Forms {
    Forms { languages: Languages::VP1_1, ..vp1(section) }
}

/// The form in the NV vertex languages before `!!VP2.0`.
pub(super) const fn vp1_only(section: &'static str) -> Forms {
    Forms { languages: Languages::VP1.without(Languages::VP2), ..vp1(section) }
}

/// The form in `!!VP2.0` only.
pub(super) const fn vp2(section: &'static str) -> Forms {
    Forms { languages: Languages::VP2, ..vp1(section) }
}

/// The form in every ARB fragment language. The NV options allow the `modifiers` that Table X.5 lists.
pub(super) const fn arb_fp(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::ARB_FP, "ARB_fragment_program", section, modifiers)
}

/// The form before OPTION NV_fragment_program2, for instructions to which that option adds precisions and C.
pub(super) const fn arb_fp_before_nv2(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_FP.without(Languages::ARB_FP_NV2), ..arb_fp(section, S) }
}

/// The form in `!!ARBfp1.0` without options.
pub(super) const fn arb_fp_plain(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_FP.without(Languages::ARB_FP_NV1), ..arb_fp(section, S) }
}

/// The form of an ARB instruction from OPTION NV_fragment_program on.
pub(super) const fn arb_fp_from_nv1(section: &'static str, modifiers: Modifiers) -> Forms {
    Forms { languages: Languages::ARB_FP_NV1, ..arb_fp(section, modifiers) }
}

/// The form of an ARB instruction with OPTION NV_fragment_program2.
pub(super) const fn arb_fp_late(section: &'static str, modifiers: Modifiers) -> Forms {
    Forms { languages: Languages::ARB_FP_NV2, ..arb_fp(section, modifiers) }
}

/// The form of an instruction that OPTION NV_fragment_program adds.
pub(super) const fn arb_fp_nv(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::ARB_FP_NV1, "NV_fragment_program_option", section, modifiers)
}

/// The form of an instruction that OPTION NV_fragment_program2 adds.
pub(super) const fn arb_fp_nv2(section: &'static str, modifiers: Modifiers) -> Forms {
    forms(Languages::ARB_FP_NV2, "NV_fragment_program2", section, modifiers)
}

/// The form in every ARB vertex language.
pub(super) const fn arb_vp(section: &'static str) -> Forms {
    forms(Languages::ARB_VP, "ARB_vertex_program", section, CS)
}

/// The form in `!!ARBvp1.0` without options.
pub(super) const fn arb_vp_plain(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_VP.without(Languages::ARB_VP_NV2), ..arb_vp(section) }
}

/// The form of an ARB instruction from OPTION NV_vertex_program2 on.
pub(super) const fn arb_vp_from_nv2(section: &'static str) -> Forms {
    Forms { languages: Languages::ARB_VP_NV2, ..arb_vp(section) }
}

/// The form of an instruction that OPTION NV_vertex_program2 adds.
pub(super) const fn arb_vp_nv2(section: &'static str) -> Forms {
    forms(Languages::ARB_VP_NV2, "NV_vertex_program2_option", section, CS)
}

/// The form of an instruction that OPTION NV_vertex_program3 adds.
pub(super) const fn arb_vp_nv3(section: &'static str) -> Forms {
    forms(Languages::ARB_VP_NV3, "NV_vertex_program3", section, CS)
}

impl Forms {
    /// Removes all modifiers.
    pub(super) const fn bare(self) -> Self {
        Self { modifiers: NONE, ..self }
    }

    /// Removes all modifiers except condition code updates.
    pub(super) const fn no_sat(self) -> Self {
        Self { modifiers: C, ..self }
    }

    /// Limits the form to `languages`.
    pub(super) const fn only(self, languages: Languages) -> Self {
        Self { languages, ..self }
    }

    /// Replaces the operands.
    pub(super) const fn takes(self, operands: &'static [OperandKind]) -> Self {
        Self { operands: Some(operands), ..self }
    }

    /// Replaces the formula.
    pub(super) const fn computes(self, formula: &'static str) -> Self {
        Self { formula: Some(formula), ..self }
    }

    /// Adds `modifiers`.
    pub(super) const fn also(self, modifiers: &[Modifier]) -> Self {
        Self { modifiers: self.modifiers.or(Modifiers::of(modifiers)), ..self }
    }

    /// Adds a second data type, for the operand, and a rounding (CVT).
    pub(super) const fn converts(self) -> Self {
        let typing = match self.typing {
            Some(typing) => Some(Typing { types: 2, ..typing }),
            None => None,
        };
        Self { typing, modifiers: self.modifiers.or(CONVERSIONS), ..self }
    }

    /// Replaces the extension.
    pub(super) const fn of(self, extension: &'static str) -> Self {
        Self { extension, ..self }
    }

    /// Makes the instruction part of the extension of `option`, which a program needs for it.
    pub(super) const fn needs(self, option: MemoryOption) -> Self {
        Self { extension: option.name(), needs: Some(option), ..self }
    }

    /// Adds the storage modifiers of NV_gpu_program5_mem_extended, those of 64 bits included.
    pub(super) const fn extended(self) -> Self {
        Self { own: self.own.or(storages(true, true)), ..self }
    }

    /// Adds the storage modifiers of Table X.3 and those of NV_gpu_program5_mem_extended, up to 32 bits per
    /// component.
    pub(super) const fn storing(self) -> Self {
        Self { own: self.own.or(storages(false, true)), ..self }
    }

    /// Adds the data types F, S and U of the texels that are converted.
    pub(super) const fn converting(self) -> Self {
        let data = [Modifier::Data(DataType::F), Modifier::Data(DataType::S), Modifier::Data(DataType::U)];
        Self { own: self.own.or(Modifiers::of(&data)), ..self }
    }

    /// Adds COH and VOL.
    pub(super) const fn caches(self) -> Self {
        Self { own: self.own.or(Modifiers::of(&[Modifier::Coherent, Modifier::Volatile])), ..self }
    }

    /// Sets the atomic operations on texels, with their storage modifiers.
    pub(super) const fn atomic32(self) -> Self {
        let storages =
            [Modifier::Data(DataType::Sized(Format::U32)), Modifier::Data(DataType::Sized(Format::S32))];
        Self { own: Modifiers::ATOMICS.or(Modifiers::of(&storages)), ..self }
    }

    /// Sets the atomic operations on memory addresses, with their storage modifiers.
    pub(super) const fn atomic(self) -> Self {
        let wide = Modifiers::of(&[Modifier::Data(DataType::Sized(Format::U64))]);
        let forms = self.atomic32();
        Self { own: forms.own.or(wide), ..forms }
    }

    /// Replaces the hover text.
    pub(super) const fn reads(self, prose: &'static str) -> Self {
        Self { prose: Some(prose), ..self }
    }
}

/// The form in NV_gpu_program4 and NV_gpu_program5. `columns` are the columns F, I, C, S, H and D of Table
/// X.13 in NV_gpu_program5. `result` and `operands` are its columns "Out" and "Inputs", without textures and
/// conditions. The profile of a language removes modifiers that the language lacks.
pub(super) const fn gpu(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let modifiers = columns_modifiers(columns.as_bytes());
    let typing = typing(columns.as_bytes(), result.as_bytes(), operands.as_bytes());
    let checks = if typing.is_some() { CHECKS } else { NONE };
    let forms = forms(Languages::GPU, "NV_gpu_program4", name, modifiers.or(checks));
    Forms { typing, ..forms }
}

/// The form of an instruction that only NV_gpu_program5 has.
pub(super) const fn gpu5(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { languages: Languages::GPU_5, extension: "NV_gpu_program5", ..forms }
}

/// As [`gpu`], for texture instructions, which do not take PREC.
pub(super) const fn gpu_tex(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { modifiers: forms.modifiers.without(Modifiers::of(&[Modifier::Precise])), ..forms }
}

/// As [`gpu5`], for texture instructions, which do not take PREC.
pub(super) const fn gpu5_tex(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let Forms { modifiers, .. } = gpu_tex(name, columns, result, operands);
    Forms { modifiers, ..gpu5(name, columns, result, operands) }
}

/// As [`gpu`], for fragment programs only.
pub(super) const fn gpu_fp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { languages: Languages::GPU_FP, extension: "NV_fragment_program4", ..forms }
}

/// As [`gpu5`], for fragment programs only.
pub(super) const fn gpu5_fp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu5(name, columns, result, operands);
    Forms { languages: Languages::GPU_5.and(Languages::GPU_FP), ..forms }
}

/// As [`gpu`], for geometry programs only. Table X.13 in NV_geometry_program4 has the same columns.
pub(super) const fn gpu_gp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu(name, columns, result, operands);
    Forms { languages: Languages::GPU_GP, extension: "NV_geometry_program4", ..forms }
}

/// As [`gpu5`], for geometry programs only.
pub(super) const fn gpu5_gp(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let forms = gpu5(name, columns, result, operands);
    Forms { languages: Languages::GPU_5.and(Languages::GPU_GP), ..forms }
}

/// The form of a memory instruction in NV_gpu_program5, with the storage modifiers of that extension.
/// [`Forms::extended`] adds those of NV_gpu_program5_mem_extended. Memory instructions do not take PREC.
pub(super) const fn memory(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let Forms { modifiers, typing, .. } = gpu5_tex(name, columns, result, operands);
    Forms { modifiers, own: STORAGES_5, typing, ..gpu5(name, columns, result, operands) }
}

/// The form of an image instruction in NV_gpu_program5.
pub(super) const fn image(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    gpu5_tex(name, columns, result, operands).of("EXT_shader_image_load_store")
}

/// The form of a memory instruction in NV_gpu_program4, where the extension of an option adds it.
pub(super) const fn memory4(name: &'static str, columns: &str, result: &str, operands: &str) -> Forms {
    let languages = Languages::GPU.without(Languages::GPU_5);
    Forms { languages, own: STORAGES_4, ..memory(name, columns, result, operands) }
}

/// The storage modifiers of NV_shader_buffer_load and NV_parameter_buffer_object2.
const STORAGES_4: Modifiers = storages(false, false);
/// The storage modifiers of NV_gpu_program5.
const STORAGES_5: Modifiers = storages(true, false);

/// The storage modifiers up to 32 bits per component. `wide` adds 64 bits, and `extended` adds the modifiers
/// of NV_gpu_program5_mem_extended.
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

/// The form of an instruction that ARB_shader_subroutine adds to NV_gpu_program5.
pub(super) const fn subroutines(name: &'static str) -> Forms {
    Forms { extension: "ARB_shader_subroutine", ..gpu5(name, "------", "", "") }
}

/// The modifiers that every instruction with types takes beyond Table X.13.
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

/// The modifiers of CVT: the types of storage, and the rounding.
const CONVERSIONS: Modifiers = Modifiers::FORMATS.or(Modifiers::ROUNDINGS);

/// Column F. The suffix R is equal to the type F (Table X.15 of NV_gpu_program4).
const FLOATS: Modifiers = Modifiers::of(&[
    Modifier::Precision(Precision::R),
    Modifier::Data(DataType::F),
    Modifier::Data(DataType::Sized(Format::F32)),
]);

/// Column I.
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

/// The type that `letter` adds to a column entry such as "vf" or "su"; `before` is the type so far.
const fn typed(letter: u8, before: Typed) -> Typed {
    match letter {
        b'f' => Typed::Float,
        b'u' => Typed::Unsigned,
        // An `s` before another letter stands for a scalar.
        b'i' => Typed::Signed,
        _ => before,
    }
}
