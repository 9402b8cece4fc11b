//! Texts for reference pages: the syntax of instructions, load rules in words, and readings of the
//! specifications that concern an instruction.

use super::words::joined;
use shadestep_language::ir::Storage;
use shadestep_language::isa::{
    DataType, Group, Info, Language, ModifierOrder, Need, OperandKind, ResultKind, Rule, Slot,
};

/// The readings of the specification that concern an instruction in `language`.
pub fn readings(info: &Info, language: Language) -> impl Iterator<Item = String> {
    let executed = language.profile().flow.executed.to_string();
    let own = info.readings.iter().filter(move |reading| reading.languages.contains(language));
    own.map(move |reading| reading.text.replace("{executed}", &executed))
}

/// The syntax of an instruction in `language`, e.g. `MAD[R|H|X][C][_SAT] dst, a, b, c`; empty if the language
/// lacks it. One of the modifiers in `{ }` is required, those in `[ ]` are optional. If types allow different
/// modifiers, each group of types has a line.
pub fn usages(info: &Info, language: Language) -> Vec<String> {
    let Some(forms) = info.forms(language) else { return Vec::new() };
    let order = language.profile().modifier_order;
    let operands = operands_text(info, language);
    let line = |slots: Vec<Slot>| {
        let slots: String = slots.iter().map(|slot| slot_text(slot, order)).collect();
        format!("{}{slots}{operands}", info.mnemonic)
    };
    forms.patterns().into_iter().map(line).collect()
}

/// The modifiers of one kind.
fn slot_text(slot: &Slot, order: ModifierOrder) -> String {
    let choices: Vec<String> = slot.choices.iter().map(|modifier| modifier.text(order)).collect();
    match (slot.need, choices.as_slice()) {
        (Need::Required, [one]) => one.clone(),
        (Need::Required, several) => format!("{{{}}}", several.join("|")),
        (Need::Optional, all) => format!("[{}]", all.join("|")),
    }
}

/// The storage modifiers that need an option, in words; `None` if there are none.
pub fn option_text(info: &Info, language: Language) -> Option<String> {
    let forms = info.forms(language).filter(|_| info.group == Group::Memory)?;
    let is_extended = |data: &DataType| Storage::of(*data).is_some_and(Storage::is_extended);
    let names: Vec<&str> = forms.data().filter(is_extended).map(DataType::name).collect();
    let need = if names.len() == 1 { "needs" } else { "need" };
    (!names.is_empty()).then(|| format!("{} {need} OPTION NV_gpu_program5_mem_extended.", joined(&names)))
}

/// Result and operands, with a space before them.
fn operands_text(info: &Info, language: Language) -> String {
    let mut parts = Vec::new();
    let declares = language.profile().declares_variables();
    let (loaded, read) = if declares { ("address", "address") } else { ("A0", "A1") };
    match info.result {
        ResultKind::None => {}
        ResultKind::Address if info.loads_one_address(language) => parts.push(format!("{loaded}.x")),
        ResultKind::Address => parts.push(loaded.to_owned()),
        ResultKind::Vector | ResultKind::Replicated => parts.push("dst".to_owned()),
    }
    let mut names = ["a", "b", "c"].into_iter();
    let mut branch_condition = "";
    for kind in info.operands_in(language) {
        parts.push(match kind {
            OperandKind::Vector => names.next().unwrap_or("v").to_owned(),
            OperandKind::OptionalVector => format!("[{}]", names.next().unwrap_or("v")),
            OperandKind::Scalar => format!("{}.x", names.next().unwrap_or("s")),
            OperandKind::Condition => "condition".to_owned(),
            OperandKind::VectorOrCondition => format!("{} or condition", names.next().unwrap_or("v")),
            OperandKind::ExtendedSwizzle => format!("{}, x, y, z, w", names.next().unwrap_or("v")),
            OperandKind::TextureImage if declares => "texture[n], target".to_owned(),
            OperandKind::TextureImage => "unit, target".to_owned(),
            OperandKind::ImageUnit => "image[n]".to_owned(),
            OperandKind::ImageTarget => "target".to_owned(),
            OperandKind::Address => read.to_owned(),
            OperandKind::Label => "label".to_owned(),
            OperandKind::SubroutineVariable => "variable or variable[index]".to_owned(),
            OperandKind::BranchCondition => {
                branch_condition = " [(condition)]";
                continue;
            }
        });
    }
    let listed = if parts.is_empty() { String::new() } else { format!(" {}", parts.join(", ")) };
    format!("{listed}{branch_condition}")
}

/// The load rule of an instruction in words, if it has one.
pub const fn rule_text(rule: Rule, language: Language) -> Option<&'static str> {
    match rule {
        Rule::WideDestination | Rule::WideSource if language.profile().declares_variables() => {
            Some("The variable with the packed bits must not be SHORT.")
        }
        Rule::Free => None,
        Rule::WideDestination => {
            Some("The destination must have 32-bit components: an R register, RC, o[COLR] or o[DEPR].")
        }
        Rule::WideSource => Some(
            "The operand must come from 32-bit components: an R register, an attribute, a constant or a parameter.",
        ),
        Rule::LongDestination => Some("The destination must be a LONG variable."),
        Rule::LongSource => Some("The operand must be a LONG variable."),
        Rule::NoSigns => Some("The operand cannot have a minus sign or absolute value bars."),
        Rule::Evaluates => {
            Some("The first operand must be an attribute other than fragment.facing and primitive.id.")
        }
        Rule::NoW => Some("A write mask without w is required."),
        Rule::Filters | Rule::QueriesLevel | Rule::Queries => None,
        Rule::TakesW => Some("The target must not use w as a coordinate."),
        Rule::Fetches => Some("The target must not be a cube map or a SHADOW target."),
        Rule::FetchesSamples => Some("The target must be multisampled, which needs an option."),
        Rule::Gathers => Some("The target must have two-dimensional images."),
        Rule::GathersApart => Some("The target must have two-dimensional images and must not be a cube map."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_language::isa::{Opcode, TABLE};

    #[test]
    fn usage_shows_shapes() {
        let line = |opcode: Opcode, language| usages(opcode.info(), language).join("\n");
        assert_eq!(line(Opcode::Mad, Language::Fp1), "MAD[R|H|X][C][_SAT] dst, a, b, c");
        assert_eq!(line(Opcode::Pow, Language::Fp1), "POW[R|H][C][_SAT] dst, a.x, b.x");
        assert_eq!(line(Opcode::Kil, Language::Fp1), "KIL condition");
        assert_eq!(line(Opcode::Txd, Language::Fp1), "TXD[C][_SAT] dst, a, b, c, unit, target");
        assert_eq!(line(Opcode::Mad, Language::Vp1), "MAD dst, a, b, c");
        assert_eq!(line(Opcode::Mad, Language::Vp2), "MAD[C] dst, a, b, c");
        assert_eq!(line(Opcode::Arl, Language::Vp1_1), "ARL A0.x, a.x");
        assert_eq!(line(Opcode::Arl, Language::Vp2), "ARL[C] A0, a");
        assert_eq!(line(Opcode::Ara, Language::Vp2), "ARA[C] A0, A1");
        assert_eq!(line(Opcode::Bra, Language::Vp2), "BRA label [(condition)]");
        assert_eq!(line(Opcode::Ret, Language::Vp2), "RET [(condition)]");
        assert_eq!(line(Opcode::Bra, Language::Vp1), "");
        assert_eq!(line(Opcode::Mad, Language::ArbFp1), "MAD[_SAT] dst, a, b, c");
        assert_eq!(line(Opcode::Mad, Language::ArbFp1Nv2), "MAD[R|H|X][C][_SAT|_SSAT] dst, a, b, c");
        assert_eq!(line(Opcode::Mad, Language::ArbVp1Nv3), "MAD[C|C0|C1][_SAT] dst, a, b, c");
        assert_eq!(line(Opcode::Arl, Language::ArbVp1), "ARL address.x, a.x");
        assert_eq!(line(Opcode::Arl, Language::ArbVp1Nv2), "ARL[C] address, a");
        assert_eq!(line(Opcode::Popa, Language::ArbVp1Nv3), "POPA address");
        assert_eq!(line(Opcode::Pusha, Language::ArbVp1Nv3), "PUSHA address");
        assert_eq!(line(Opcode::Tex, Language::ArbFp1), "TEX[_SAT] dst, a, texture[n], target");
        assert_eq!(line(Opcode::Swz, Language::ArbVp1), "SWZ dst, a, x, y, z, w");
        assert_eq!(line(Opcode::Kil, Language::ArbFp1), "KIL a");
        assert_eq!(line(Opcode::Kil, Language::ArbFp1Nv1), "KIL a or condition");
        assert_eq!(line(Opcode::If, Language::ArbFp1Nv2), "IF condition");
        assert_eq!(line(Opcode::Brk, Language::ArbFp1Nv2), "BRK [(condition)]");
    }

    /// The readings of the vertex languages appear only for the instructions they concern.
    #[test]
    fn readings_keep_to_their_languages() {
        let found =
            |opcode: Opcode, language| readings(opcode.info(), language).collect::<Vec<_>>().join(" ");
        assert!(found(Opcode::Sge, Language::Vp1).contains("NaN"));
        assert_eq!(found(Opcode::Sge, Language::Fp1), "");
        assert!(found(Opcode::Arl, Language::Vp1_1).contains("not clamped"));
        assert!(!found(Opcode::Arl, Language::Vp2).contains("not clamped"));
        assert!(found(Opcode::Arl, Language::Vp2).contains("-512"));
        assert!(
            found(Opcode::Lit, Language::Vsp1).contains("128")
                && found(Opcode::Lit, Language::Fp1).is_empty()
        );
        for info in TABLE {
            for reading in info.readings {
                let concerns = |l: &Language| reading.languages.contains(*l) && info.forms(*l).is_some();
                assert!(Language::ALL.iter().any(concerns), "{}: {}", info.mnemonic, reading.text);
            }
        }
    }
}
