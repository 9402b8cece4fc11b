//! The IR verifier: checks that the executors can run a program. Front ends guarantee these properties, so a
//! failure is a bug in a front end or a pass. Submodules have the checks of language families and of topics.

mod arb;
mod flow;
mod memory;
mod vertex;

use super::{
    Attribute, CcRegister, ConstantVector, Control, Element, Emit, IMAGE_UNITS, Index, Indirect, Instruction,
    Kill, Kind, Negation, Operand, OutputPrimitive, OutputRole, ParameterSource, Program, ProgramOptions,
    Saturation, Source, Swizzle, Target, TexelOffset, TextureAccess, TextureTarget, Type, limits,
};
use crate::isa::{Forms, Language, Modifier, OperandKind, Precision, ResultKind, Rule, Stage};

/// The first broken rule of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// Index of the instruction; the number of instructions if the rule concerns the whole program.
    pub instruction: usize,
    pub message: String,
}

type Check = Result<(), String>;

fn ensure(holds: bool, message: &str) -> Check {
    if holds { Ok(()) } else { Err(message.to_owned()) }
}

/// Checks `program`: ids in range, the number and shape of operands in the table, legal types, non-empty
/// masks, one texture target per unit, counted resources, branch targets, and features that the language
/// lacks.
///
/// # Errors
/// The first broken rule.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let mut units = [None; IMAGE_UNITS];
    for (index, instruction) in program.instructions.iter().enumerate() {
        check_instruction(program, instruction, &mut units)
            .map_err(|message| VerifyError { instruction: index, message })?;
    }
    check_program(program).map_err(|message| VerifyError { instruction: program.instructions.len(), message })
}

fn check_program(program: &Program) -> Check {
    let typed = program.language.profile().typed;
    let storable = |ty| match ty {
        Type::F32 | Type::F16 => true,
        Type::Address => !typed,
        Type::S32 | Type::U32 | Type::F64 | Type::S64 | Type::U64 => typed,
        Type::Fx12 | Type::S24 | Type::U24 => false,
    };
    ensure(program.temporaries.iter().all(|t| storable(t.ty)), "a temporary's type cannot be stored")?;
    ensure(program.outputs.iter().all(|o| storable(o.ty)), "an output's type cannot be stored")?;
    for (index, output) in program.outputs.iter().enumerate() {
        ensure(program.outputs[..index].iter().all(|o| o.role != output.role), "two outputs for one role")?;
    }
    check_primitives(program)?;
    flow::check_program(program)?;
    memory::check_variables(program)?;
    let profile = program.language.profile();
    if profile.declares_variables() {
        arb::check_program(program)?;
    } else if profile.stage != Stage::Fragment {
        vertex::check_program(program)?;
    } else {
        ensure(!program.outputs.is_empty(), "no output is written")?;
        let of_fragments = |role| matches!(role, OutputRole::Color(0) | OutputRole::Depth);
        ensure(
            program.outputs.iter().all(|o| of_fragments(o.role)),
            "a fragment program writes vertex results",
        )?;
        let addresses = program.temporaries.iter().any(|t| t.ty == Type::Address);
        ensure(!addresses, "belongs to vertex programs")?;
        for parameter in &program.parameters {
            let fits = match &parameter.source {
                ParameterSource::Constant(_) | ParameterSource::Named { .. } => true,
                ParameterSource::Local(number) => usize::from(*number) < profile.limits.local_parameters,
                ParameterSource::Env(_) | ParameterSource::State(_) => false,
            };
            ensure(fits, "parameter number out of range, or of another language")?;
        }
        let ProgramOptions { origin_upper_left, pixel_center_integer, .. } = program.options;
        let coordinates =
            ProgramOptions { origin_upper_left, pixel_center_integer, ..ProgramOptions::default() };
        ensure(program.options == coordinates, "an option of other languages")?;
    }
    for parameter in &program.parameters {
        let is_literal = matches!(parameter.source, ParameterSource::Constant(_)) && parameter.name.is_none();
        ensure(is_literal || !parameter.ty.is_wide(), "a declared parameter of 64 bits")?;
        match &parameter.source {
            ParameterSource::Constant(constant) => {
                ensure(!constant.has_nan(), "a constant no text can give")?;
                ensure(constant.ty == parameter.ty, "a constant of another type")?;
            }
            ParameterSource::Named { initial, .. } => {
                ensure(!ConstantVector::floats(*initial).has_nan(), "a constant no text can give")?;
            }
            // The checks of the language families check the numbers.
            ParameterSource::State(_) | ParameterSource::Env(_) | ParameterSource::Local(_) => {}
        }
    }
    for usage in &program.usage {
        let counted = match usage.what {
            "instructions" => program.instructions.len(),
            "temporaries" => program.temporaries.iter().filter(|t| t.ty != Type::Address).count(),
            "parameters" => program.parameters.len(),
            "register halves" => {
                let halves = |ty| if ty == Type::F16 { 1 } else { 2 };
                program.temporaries.iter().map(|t| halves(t.ty)).sum::<usize>()
                    + program.outputs.iter().map(|o| halves(o.ty)).sum::<usize>()
            }
            _ => usage.used,
        };
        ensure(counted == usage.used, "resources are miscounted")?;
        ensure(usage.used <= usage.limit, "more resources than there are")?;
    }
    Ok(())
}

/// Checks the primitive declarations of each stage.
fn check_primitives(program: &Program) -> Check {
    let stage = program.stage();
    let declares = [
        (Stage::Geometry, program.geometry.is_some()),
        (Stage::TessControl, program.patch_vertices.is_some()),
        (Stage::TessEvaluation, program.tessellation.is_some()),
    ];
    ensure(
        declares.into_iter().all(|(of, is_declared)| is_declared == (of == stage)),
        "primitives are declared, or not, against the stage",
    )?;
    let vertices = program.patch_vertices.is_none_or(|count| (1..=limits::PATCH_VERTICES).contains(&count));
    ensure(vertices, "number of a patch's vertices out of range")?;
    let Some(layout) = program.geometry else { return Ok(()) };
    ensure(layout.input.is_in(program.language), "a primitive of another language")?;
    let vertices = (1..=limits::OUTPUT_VERTICES as u32).contains(&layout.vertices_out);
    ensure(vertices, "number of emitted vertices out of range")?;
    let invocations = (1..=limits::GEOMETRY_INVOCATIONS).contains(&layout.invocations);
    ensure(invocations, "number of invocations out of range")?;
    let to_stream = program.instructions.iter().any(|i| matches!(i.kind, Kind::Emit(Emit::ToStream)));
    ensure(!to_stream || layout.output == OutputPrimitive::Points, "a stream of primitives other than points")
}

fn check_instruction(
    program: &Program,
    instruction: &Instruction,
    units: &mut [Option<TextureTarget>; IMAGE_UNITS],
) -> Check {
    let info = instruction.op.info();
    let Some(forms) = info.forms(program.language) else {
        return Err(format!("{} does not belong to the language", info.mnemonic));
    };
    flow::check_kind(program, instruction)?;
    memory::check_instruction(program, instruction)?;
    let updates = |register| forms.cc().any(|cc| CcRegister::from(cc) == register);
    ensure(instruction.update_cc().is_none_or(updates), "C suffix not taken")?;
    let saturate = instruction.saturate();
    let clamps = forms.modifiers.contains(Modifier::Saturation(saturate));
    ensure(saturate == Saturation::None || clamps, "_SAT suffix not taken")?;
    let profile = program.language.profile();
    if let Some(access) = instruction.texture() {
        check_texture(program, instruction, &access)?;
        for unit in access.first..access.first.saturating_add(access.count) {
            let unit = units.get_mut(usize::from(unit)).ok_or("image unit out of range")?;
            // TXQ does not sample.
            if info.rule == Rule::Queries {
                continue;
            }
            ensure(*unit.get_or_insert(access.target) == access.target, "two targets on one image unit")?;
        }
    }
    check_operands(program, instruction)?;
    check_destination(program, instruction)?;
    ensure(instruction.semantics == profile.semantics, "semantics of another language")?;
    if profile.declares_variables() {
        arb::check_instruction(program, instruction)?;
    } else if profile.stage != Stage::Fragment {
        vertex::check_instruction(program, instruction)?;
    }
    check_type(program.language, instruction, &forms)
}

/// Checks that language and instruction have the target, that the unit is in the variable, and that the
/// target takes the offset.
fn check_texture(program: &Program, instruction: &Instruction, access: &TextureAccess) -> Check {
    let &TextureAccess { count, index, target, component, offset, .. } = access;
    let (profile, rule) = (program.language.profile(), instruction.op.info().rule);
    ensure(profile.targets.contains(&target), "the language has no such target")?;
    ensure(target.is_taken_by(rule), "a target that the instruction does not take")?;
    ensure(count == 1 || profile.texture_variables && count > 0, "the language has no texture variables")?;
    match index.register {
        None => ensure(access.known().is_some(), "image unit out of range")?,
        Some((id, component)) => {
            ensure(usize::from(id.0) < program.temporaries.len(), "no such index register")?;
            ensure(component < 4 && index.offset >= 0, "index out of range")?;
        }
    }
    let gathers = matches!(rule, Rule::Gathers | Rule::GathersApart);
    ensure(component == 0 || gathers && component < 4, "the instruction takes no such component")?;
    let axes = if rule == Rule::GathersApart { 0 } else { target.offset_axes() };
    match offset {
        TexelOffset::NONE => Ok(()),
        TexelOffset::Constant(offsets) => {
            let (least, most) = TexelOffset::RANGE;
            let (taken, rest) = offsets.split_at(axes);
            let fits = taken.iter().all(|&offset| (least..=most).contains(&offset.into()));
            ensure(profile.typed && fits && rest.iter().all(|&offset| offset == 0), "offset out of range")
        }
        TexelOffset::Operand => {
            let takes =
                profile.texture_variables && axes > 0 && instruction.op.info().takes_computed_offset();
            ensure(takes, "the instruction takes no computed offset")
        }
    }
}

fn check_operands(program: &Program, instruction: &Instruction) -> Check {
    let info = instruction.op.info();
    let tests = matches!(instruction.kind, Kind::Kill(Kill::Test(_)));
    let is_operand = |kind: &OperandKind| match kind {
        OperandKind::Vector | OperandKind::Scalar | OperandKind::Address | OperandKind::ExtendedSwizzle => {
            true
        }
        OperandKind::OptionalVector | OperandKind::SubroutineVariable => !instruction.operands.is_empty(),
        OperandKind::VectorOrCondition => !tests,
        OperandKind::Condition
        | OperandKind::TextureImage
        | OperandKind::ImageUnit
        | OperandKind::ImageTarget
        | OperandKind::Label
        | OperandKind::BranchCondition => false,
    };
    let mut kinds: Vec<OperandKind> =
        info.operands_in(program.language).iter().copied().filter(is_operand).collect();
    if instruction.texture().is_some_and(|access| access.offset == TexelOffset::Operand) {
        kinds.push(OperandKind::Vector);
    }
    ensure(kinds.len() == instruction.operands.len(), "wrong number of operands")?;
    let evaluated = instruction.operands.first().is_some_and(|operand| operand.source.is_evaluable());
    ensure(
        info.rule != Rule::Evaluates || evaluated,
        "the first operand is not an attribute to interpolate",
    )?;
    let mut parameter = None;
    let mut attribute = None;
    for (operand, kind) in instruction.operands.iter().zip(kinds) {
        check_operand(program, operand, kind)?;
        let is_long = program.source_type(operand.source).is_wide();
        ensure(info.rule != Rule::LongSource || is_long, "unpacks a register that is not LONG")?;
        let is_plain = operand.negate.is_none() && !operand.absolute;
        ensure(info.rule != Rule::NoSigns || is_plain, "the operand takes no sign")?;
        let one = program.language.profile().reads_one;
        match operand.source {
            Source::Param(_) | Source::Indirect(_) | Source::Attribute(_) if !one => {}
            source @ (Source::Param(_) | Source::Indirect(_)) => {
                ensure(*parameter.get_or_insert(source) == source, "two parameters in one instruction")?;
            }
            Source::Attribute(a) => {
                ensure(*attribute.get_or_insert(a) == a, "two attributes in one instruction")?;
            }
            Source::Buffer(_) => {}
            Source::Temp(_) => ensure(
                info.rule != Rule::WideSource || program.source_type(operand.source) != Type::F16,
                "unpacks a 16-bit register",
            )?,
        }
    }
    Ok(())
}

fn check_operand(program: &Program, operand: &Operand, kind: OperandKind) -> Check {
    if kind == OperandKind::ExtendedSwizzle {
        let selectors = operand.swizzle.0.iter().all(|&s| s < 4 || Swizzle::constant(s).is_some());
        ensure(selectors && operand.negate.0 <= 0xF, "selector out of range")?;
        ensure(!operand.absolute, "SWZ takes no absolute value")?;
    } else {
        check_swizzle(operand.swizzle)?;
        let whole = matches!(operand.negate, Negation::NONE | Negation::ALL);
        ensure(whole, "a sign for some components only")?;
    }
    match operand.source {
        Source::Temp(id) => ensure(usize::from(id.0) < program.temporaries.len(), "temporary out of range")?,
        Source::Param(id) => ensure(usize::from(id.0) < program.parameters.len(), "parameter out of range")?,
        Source::Attribute(Attribute::Tex(set)) => ensure(set < 8, "texture coordinate set out of range")?,
        Source::Attribute(attribute) => {
            let stage = program.stage();
            // `vertex::check_program` checks the attributes of state programs.
            let known = stage == Stage::VertexState || attribute.is_in(program.language);
            if let Some((vertex, _)) = attribute.of_vertex() {
                let count = program.vertices_of(attribute);
                ensure(vertex < count, "an attribute of a vertex that there is not")?;
            }
            let written = attribute.output().is_none_or(|role| program.output(role).is_some());
            ensure(written, "a result is read that is none of the program's")?;
            let register = attribute.at_vertex(0).register();
            ensure(
                known && Attribute::of(stage).contains(&register),
                "attribute out of range or of another stage",
            )?;
        }
        Source::Indirect(indirect) => check_indirect(program, &indirect)?,
        Source::Buffer(buffer) => memory::check_buffer(program, &buffer)?,
    }
    ensure(operand.absolute || !operand.negate_absolute, "negation of bars that are not there")?;
    let first = operand.swizzle.0[0];
    ensure(
        kind != OperandKind::Scalar || operand.swizzle == Swizzle::replicate(first),
        "a scalar operand reads several components",
    )
}

/// Checks that the array exists, that the language has relative references to it, and the index register.
fn check_indirect(program: &Program, indirect: &Indirect) -> Check {
    let &Indirect { first, count, index, vertex } = indirect;
    let addresses = &program.language.profile().addresses;
    let chooses = match first {
        Element::Temp(id) => {
            let end = usize::from(id.0) + usize::from(count);
            ensure(end <= program.temporaries.len(), "array of temporaries out of range")?;
            program.language.profile().typed
        }
        Element::Param(id) => {
            let end = usize::from(id.0) + usize::from(count);
            ensure(end <= program.parameters.len(), "parameter array out of range")?;
            addresses.chooses.parameters
        }
        Element::Attribute(_) => {
            let last = count.checked_sub(1).and_then(|steps| first.after(steps));
            let fits = matches!(last, Some(Element::Attribute(last)) if last.is_in(program.language));
            ensure(fits, "attribute array out of range")?;
            let outputs = indirect.elements().filter_map(|element| match element {
                Element::Attribute(attribute) => attribute.output(),
                _ => None,
            });
            let mut outputs = outputs.map(|role| program.output(role));
            ensure(outputs.all(|output| output.is_some()), "a result is read that is none of the program's")?;
            addresses.chooses.attributes
        }
        Element::Output(id) => {
            let outputs = program.outputs.get(usize::from(id.0)..).unwrap_or_default();
            let outputs = outputs.get(..usize::from(count)).unwrap_or_default();
            let mut in_order = outputs.iter().zip(0..);
            let follows =
                |(output, steps): (&super::Output, u8)| Some(output.role) == outputs[0].role.after(steps);
            let fits = !outputs.is_empty() && in_order.all(follows);
            ensure(fits, "output array out of range or not in order")?;
            addresses.chooses.results
        }
    };
    ensure(chooses, "the language has no such relative references")?;
    if let Some(vertex) = vertex {
        let of_vertices =
            matches!(first, Element::Attribute(attribute) if matches!(attribute.of_vertex(), Some((0, _))));
        ensure(of_vertices, "a vertex's number for what vertices do not have")?;
        let count = match first {
            Element::Attribute(attribute) => program.vertices_of(attribute),
            _ => 0,
        };
        ensure(vertex.count == count, "another number of vertices than the primitives have")?;
        check_index(program, vertex.index)?;
    }
    ensure(indirect.registers().next().is_some(), "a relative reference that no register chooses")?;
    check_index(program, index)
}

/// Checks the index register and its offset.
fn check_index(program: &Program, index: Index) -> Check {
    let Some((address, component)) = index.register else { return Ok(()) };
    let addresses = &program.language.profile().addresses;
    let register = program.temporaries.get(usize::from(address.0));
    let typed = program.language.profile().typed;
    let is_address = |t: &super::Temporary| typed || t.ty == Type::Address;
    ensure(register.is_some_and(is_address), "no such address register")?;
    ensure(usize::from(component) < addresses.components.len(), "address component out of range")?;
    let (least, most) = addresses.offsets;
    ensure((least..=most).contains(&index.offset), "offset out of range")
}

/// Checks address registers, condition codes and parameters as operands and destination, for the ARB and the
/// vertex languages.
fn check_registers(program: &Program, instruction: &Instruction) -> Check {
    let language = program.language;
    let profile = language.profile();
    let info = instruction.op.info();
    for (operand, kind) in instruction.operands.iter().zip(info.operands_in(language)) {
        ensure(profile.absolute_values || !operand.absolute, "the language takes no absolute values")?;
        let is_address = program.source_type(operand.source) == Type::Address;
        ensure(is_address == (*kind == OperandKind::Address), "an address register is read as a number")?;
        if is_address {
            let plain = operand.swizzle == Swizzle::IDENTITY && operand.negate.is_none() && !operand.absolute;
            ensure(plain, "an address register with swizzle or sign")?;
        }
    }
    let Some(destination) = instruction.dest() else { return Ok(()) };
    ensure(profile.condition_codes > 0 || destination.test.is_none(), "the language has no condition codes")?;
    let is_address = program.target_type(destination.target) == Type::Address;
    ensure(
        is_address == (info.result == ResultKind::Address),
        "an address register is the destination of something else, or not where it must be",
    )?;
    let one = info.loads_one_address(language);
    ensure(!one || destination.mask.0 == 1, "the address register has only x")?;
    let is_parameter = matches!(destination.target, Target::Param(_));
    ensure(!is_parameter || profile.stage == Stage::VertexState, "only state programs write parameters")
}

fn check_destination(program: &Program, instruction: &Instruction) -> Check {
    let Some(destination) = instruction.dest() else { return Ok(()) };
    match destination.target {
        Target::Temp(id) => ensure(usize::from(id.0) < program.temporaries.len(), "temporary out of range")?,
        Target::Output(id) => ensure(usize::from(id.0) < program.outputs.len(), "output out of range")?,
        Target::Param(id) => ensure(usize::from(id.0) < program.parameters.len(), "parameter out of range")?,
        Target::Indirect(indirect) => {
            let is_written = matches!(indirect.first, Element::Output(_) | Element::Temp(_));
            ensure(is_written, "a relative result that is neither output nor temporary")?;
            check_indirect(program, &indirect)?;
        }
        Target::ConditionOnly(ty) => ensure(ty != Type::Fx12, "no such condition register")?,
    }
    ensure((1..=0xF).contains(&destination.mask.0), "write mask empty or out of range")?;
    if let Some(test) = destination.test {
        flow::check_test(program, test)?;
    }
    match instruction.op.info().rule_in(program.language) {
        Rule::WideDestination => {
            ensure(program.target_type(destination.target) != Type::F16, "packs into a 16-bit register")
        }
        Rule::LongDestination => ensure(
            program.target_type(destination.target).is_wide(),
            "packs into a register that is not LONG",
        ),
        Rule::NoW => ensure(!destination.mask.has(3), "the result has no w component"),
        Rule::Free
        | Rule::WideSource
        | Rule::LongSource
        | Rule::NoSigns
        | Rule::Evaluates
        | Rule::Filters
        | Rule::TakesW
        | Rule::Fetches
        | Rule::FetchesSamples
        | Rule::Queries
        | Rule::QueriesLevel
        | Rule::Gathers
        | Rule::GathersApart => Ok(()),
    }
}

fn check_type(language: Language, instruction: &Instruction, forms: &Forms) -> Check {
    let full = instruction
        .operands
        .iter()
        .any(|o| matches!(o.source, Source::Attribute(Attribute::Fogc | Attribute::Tex(_))));
    let full = full && language.profile().wide_coordinates;
    ensure(!full || instruction.ty == Type::F32, "fog and texture coordinates are read at full precision")?;
    if let Some(typing) = forms.typing {
        let is_of_long = instruction.op.info().rule.is_of_long();
        ensure(!is_of_long || instruction.ty.is_wide(), "the instruction is for 64 bits")?;
        let ty = instruction.named_type();
        let by_letter = match ty {
            Type::F32 => forms.modifiers.contains(Modifier::Precision(Precision::R)),
            Type::F16 => forms.modifiers.contains(Modifier::Precision(Precision::H)),
            _ => false,
        };
        let by_default = typing.default.is_some_and(|data| Type::of(data) == ty);
        let fits = by_letter || by_default || forms.data().any(|data| Type::of(data) == ty);
        return ensure(fits, "the instruction is of no such type");
    }
    if let Some(Control::CallIndirect { .. }) = instruction.control() {
        return ensure(instruction.ty == Type::S32, "the index of a call is a signed integer");
    }
    let suffix = match instruction.ty {
        Type::F32 => Precision::R,
        Type::F16 => Precision::H,
        Type::Fx12 => Precision::X,
        Type::Address => return Err("no operation is of the address type".to_owned()),
        _ => return Err("the language has no operations of the type".to_owned()),
    };
    let forced = !forms.has_precisions() && instruction.ty == Type::F32;
    ensure(
        forced || forms.modifiers.contains(Modifier::Precision(suffix)),
        "the instruction has no such precision",
    )
}

fn check_swizzle(swizzle: Swizzle) -> Check {
    ensure(swizzle.0.iter().all(|&c| c < 4), "swizzle component out of range")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{CcTest, Condition, OutputId, ParamId, TempId, WriteMask};
    use crate::isa::Opcode;

    /// A program with MAD, RFL, PK2H, UP2H, TEX, KIL, and a MOV to the output.
    fn program() -> Program {
        let text = b"!!FP1.0 DECLARE k; MADH R0.xy (GT), H1, k, f[COL0]; RFL R0.xyz, R1, R2; PK2H R3, R0;
            UP2H H2, R3.x; TEX R4, f[TEX0], TEX5, 3D; KIL LT.x; MOV o[COLR], {1,2}; END";
        crate::front::load(text).program.unwrap()
    }

    fn texture(instruction: &mut Instruction) -> &mut TextureAccess {
        match &mut instruction.kind {
            Kind::Texture(_, texture) => texture,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn loaded_programs_pass() {
        assert_eq!(verify(&program()), Ok(()));
    }

    #[track_caller]
    fn breaks(instruction: usize, part: &str, change: impl FnOnce(&mut Program)) {
        let mut broken = program();
        change(&mut broken);
        let fault = verify(&broken).unwrap_err();
        assert_eq!(fault.instruction, instruction);
        assert!(fault.message.contains(part), "{}", fault.message);
    }

    #[test]
    fn every_break_is_noticed() {
        breaks(0, "temporary out of range", |p| {
            p.instructions[0].operands[0].source = Source::Temp(TempId(99))
        });
        breaks(0, "parameter out of range", |p| {
            p.instructions[0].operands[1].source = Source::Param(ParamId(9))
        });
        breaks(0, "set out of range", |p| {
            p.instructions[0].operands[2].source = Source::Attribute(Attribute::Tex(8));
        });
        breaks(0, "full precision", |p| {
            p.instructions[0].operands[2].source = Source::Attribute(Attribute::Fogc);
        });
        breaks(0, "two parameters", |p| p.instructions[0].operands[0].source = Source::Param(ParamId(1)));
        breaks(0, "two attributes", |p| {
            p.instructions[0].operands[0].source = Source::Attribute(Attribute::Col1);
        });
        breaks(0, "swizzle", |p| p.instructions[0].operands[0].swizzle.0[3] = 4);
        breaks(0, "bars", |p| p.instructions[0].operands[0].negate_absolute = true);
        breaks(0, "number of operands", |p| {
            p.instructions[0].operands.pop();
        });
        breaks(0, "kind", |p| p.instructions[0].kind = p.instructions[5].kind);
        breaks(0, "mask", |p| p.instructions[0].dest_mut().unwrap().mask = WriteMask(0));
        breaks(0, "mask", |p| p.instructions[0].dest_mut().unwrap().mask = WriteMask(16));
        breaks(0, "output out of range", |p| {
            p.instructions[0].dest_mut().unwrap().target = Target::Output(OutputId(3));
        });
        breaks(0, "condition register", |p| {
            p.instructions[0].dest_mut().unwrap().target = Target::ConditionOnly(Type::Fx12);
        });
        breaks(0, "swizzle", |p| {
            p.instructions[0].dest_mut().unwrap().test.as_mut().unwrap().swizzle.0[0] = 7;
        });
        breaks(1, "precision", |p| p.instructions[1].ty = Type::Fx12);
        breaks(1, "no w", |p| p.instructions[1].dest_mut().unwrap().mask = WriteMask::ALL);
        breaks(2, "packs", |p| {
            p.instructions[2].dest_mut().unwrap().target = Target::ConditionOnly(Type::F16);
        });
        breaks(2, "C suffix", |p| p.instructions[2].write_mut().unwrap().update_cc = Some(CcRegister::Cc0));
        breaks(2, "_SAT", |p| p.instructions[2].write_mut().unwrap().saturate = Saturation::Unsigned);
        breaks(2, "precision", |p| p.instructions[2].ty = Type::F16);
        breaks(3, "unpacks", |p| p.instructions[3].operands[0].source = p.instructions[0].operands[0].source);
        breaks(3, "scalar", |p| p.instructions[3].operands[0].swizzle = Swizzle::IDENTITY);
        breaks(4, "kind", |p| p.instructions[4].kind = p.instructions[0].kind);
        breaks(4, "unit", |p| texture(&mut p.instructions[4]).first = 16);
        breaks(8, "miscounted", |p| p.instructions.push(p.instructions[0].clone()));
        breaks(5, "two targets", |p| {
            let mut other = p.instructions[4].clone();
            texture(&mut other).target = TextureTarget::Cube;
            p.instructions.insert(5, other);
        });
        breaks(5, "kind", |p| p.instructions[5].kind = Kind::Kill(Kill::Negative));
        breaks(5, "swizzle", |p| {
            p.instructions[5].kind = Kind::Kill(Kill::Test(CcTest {
                condition: Condition::Eq,
                swizzle: Swizzle([0, 1, 2, 9]),
                register: CcRegister::Cc0,
            }));
        });
        breaks(6, "kind", |p| p.instructions[6].kind = p.instructions[5].kind);
        breaks(7, "miscounted", |p| p.usage[1].used += 1);
        breaks(7, "stored", |p| p.temporaries[0].ty = Type::Fx12);
        breaks(7, "role", |p| p.outputs.push(p.outputs[0].clone()));
        breaks(7, "number", |p| p.parameters[0].source = ParameterSource::Local(64));
        breaks(7, "constant", |p| {
            p.parameters[1] = ParameterSource::Constant(ConstantVector::floats([f32::NAN; 4])).into()
        });
        breaks(0, "precision", |p| {
            p.instructions[0].ty = Type::Fx12;
            p.instructions[0].op = Opcode::X2d;
        });
    }
}
