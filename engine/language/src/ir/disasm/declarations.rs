//! The part of the disassembler that prints the options and declarations before the instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::super::{
    Attribute, BufferUnit, BufferVariable, ConstantVector, Element, FogMode, ImageAccess, Index, Indirect,
    Instruction, Interpolation, OutputRole, Parameter, ParameterSource, Place, Program, Source, Storage,
    TargetOption, Temporary, TessellationLayout, TessellationPoints, TextureAccess, Type, Variation,
};
use super::typed_vector;
use crate::isa::{Language, MemoryOption, Stage};

/// Options and declarations as text, one per line.
pub(super) fn declarations(program: &Program) -> String {
    if program.language.profile().declares_variables() {
        let mut text = options(program);
        primitives(program, &mut text);
        temporaries(program, &mut text);
        parameters(program, &mut text);
        attributes(program, &mut text);
        buffers(program, &mut text);
        units(program, &mut text);
        outputs(program, &mut text);
        subroutines(program, &mut text);
        return text;
    }
    let mut text = String::new();
    if program.options.position_invariant {
        text.push_str("OPTION NV_position_invariant;\n");
    }
    if program.stage() == Stage::Fragment {
        text.push_str(&options(program));
    }
    for parameter in &program.parameters {
        if let ParameterSource::Named { name, initial } = &parameter.source {
            if initial.map(f32::to_bits) == [0; 4] {
                let _ = writeln!(text, "DECLARE {name};");
            } else {
                let _ = writeln!(
                    text,
                    "DECLARE {name} = {};",
                    typed_vector(ConstantVector::floats(*initial), Type::F32)
                );
            }
        }
    }
    text
}

fn options(program: &Program) -> String {
    let options = program.options;
    let fog = options.fog.map(|mode| match mode {
        FogMode::Exp => "ARB_fog_exp",
        FogMode::Exp2 => "ARB_fog_exp2",
        FogMode::Linear => "ARB_fog_linear",
    });
    let draws = program
        .outputs
        .iter()
        .any(|output| matches!(output.role, OutputRole::Color(1..) | OutputRole::SecondaryColor(1..)));
    let has_gpu5 = program.language.profile().texture_variables;
    let forms = program.instructions.iter().filter_map(|i| i.op.info().forms(program.language));
    let loads = forms.filter_map(|forms| forms.needs).any(|option| option == MemoryOption::BufferLoads);
    let bytes = program.buffers.iter().any(|variable| variable.unit == BufferUnit::Byte);
    let extended = program.instructions.iter().filter_map(Instruction::storage).any(Storage::is_extended);
    let wanted = |wanted: bool, name| if wanted { Some(name) } else { None };
    let names = [
        program.language.option(),
        wanted(options.position_invariant, "ARB_position_invariant"),
        fog,
        wanted(options.origin_upper_left, "ARB_fragment_coord_origin_upper_left"),
        wanted(options.pixel_center_integer, "ARB_fragment_coord_pixel_center_integer"),
        wanted(options.early_fragment_tests, "NV_early_fragment_tests"),
        wanted(options.draw_buffers || draws, "ARB_draw_buffers"),
        wanted(options.dual_source, "ARB_blend_func_extended"),
        wanted(loads, MemoryOption::BufferLoads.name()),
        wanted(!has_gpu5 && bytes, MemoryOption::ConstantBuffers.name()),
        wanted(has_gpu5 && extended, MemoryOption::ExtendedStorage.name()),
    ];
    let accesses = program.instructions.iter().filter_map(Instruction::texture);
    let of_targets: Vec<TargetOption> =
        accesses.filter_map(|access| TargetOption::of(access.target, program.language.profile())).collect();
    let of_targets = TargetOption::ALL.into_iter().filter(|option| of_targets.contains(option));
    let names = names.into_iter().flatten().chain(of_targets.map(TargetOption::name));
    names.map(|name| format!("OPTION {name};\n")).collect()
}

/// Prints the declarations of input and output primitives.
fn primitives(program: &Program, text: &mut String) {
    if let Some(vertices) = program.patch_vertices {
        let _ = writeln!(text, "VERTICES_OUT {vertices};");
    }
    if let Some(TessellationLayout { mode, spacing, order, points }) = program.tessellation {
        let (mode, spacing, order) = (mode.name(), spacing.name(), order.name());
        let _ = writeln!(text, "TESS_MODE {mode};\nTESS_SPACING {spacing};\nTESS_VERTEX_ORDER {order};");
        if points == TessellationPoints::On {
            text.push_str("TESS_POINT_MODE;\n");
        }
    }
    let Some(layout) = program.geometry else { return };
    let (input, output) = (layout.input.name(), layout.output.name());
    let _ = writeln!(
        text,
        "PRIMITIVE_IN {input};\nPRIMITIVE_OUT {output};\nVERTICES_OUT {};",
        layout.vertices_out
    );
    if layout.invocations > 1 {
        let _ = writeln!(text, "INVOCATIONS {};", layout.invocations);
    }
}

/// Prints the parameter buffer variables.
fn buffers(program: &Program, text: &mut String) {
    for variable in &program.buffers {
        let &BufferVariable { ref name, unit, ty, first, count, spans, element, elements, is_array } =
            variable;
        let data = match ty {
            Type::S32 => "INT ",
            Type::U32 => "UINT ",
            _ => "",
        };
        let range = |first: u32, count: u32, as_range: bool| match as_range {
            true => format!("[{first}..{}]", first + count - 1),
            false => format!("[{first}]"),
        };
        let points = range(first.into(), count.into(), spans);
        let outer = if spans && is_array { format!("[{count}]") } else { String::new() };
        let _ = match is_array {
            true => writeln!(
                text,
                "{data}{} {name}{outer}[{elements}] = {{ program.buffer{points}{} }};",
                unit.name(),
                range(element, elements, true)
            ),
            false => writeln!(text, "{data}{} {name} = program.buffer{points}[{element}];", unit.name()),
        };
    }
}

/// Prints the subroutine types and variables.
fn subroutines(program: &Program, text: &mut String) {
    let all = &program.subroutines;
    let name = |member: &usize| {
        let subroutine = all.list.get(*member)?;
        program.labels.get(subroutine.label).map(|label| label.name.as_str())
    };
    for ty in &all.types {
        let members: Vec<&str> = ty.members.iter().filter_map(name).collect();
        let _ = writeln!(text, "SUBROUTINETYPE {} {{ {} }};", ty.name, members.join(", "));
    }
    for variable in &all.variables {
        let ty = all.types.get(variable.ty).map_or("", |ty| &ty.name);
        let bindings = variable.parameters.iter().map(|number| format!("program.subroutine[{number}]"));
        let bindings: Vec<String> = bindings.collect();
        let (size, list) = match variable.is_array {
            true => (format!("[{}]", bindings.len()), format!("{{ {} }}", bindings.join(", "))),
            false => (String::new(), bindings.concat()),
        };
        let _ = writeln!(text, "SUBROUTINE {ty} {}{size} = {list};", variable.name);
    }
}

/// Prints the temporaries in program order, with one statement for each run of equal types.
fn temporaries(program: &Program, text: &mut String) {
    let has_registers = !program.language.profile().addresses.registers.is_empty();
    let built_in = |ty| ty == Type::Address && has_registers;
    let declared: Vec<_> = program.temporaries.iter().filter(|t| !built_in(t.ty)).collect();
    for run in declared.chunk_by(|a, b| a.ty == b.ty) {
        let keyword = match run[0].ty {
            Type::F16 => "SHORT TEMP",
            Type::Address => "ADDRESS",
            Type::S32 => "INT TEMP",
            Type::U32 => "UINT TEMP",
            Type::F32 | Type::Fx12 | Type::S24 | Type::U24 => "TEMP",
            Type::F64 => "LONG TEMP",
            Type::S64 => "LONG INT TEMP",
            Type::U64 => "LONG UINT TEMP",
        };
        let mut names: Vec<String> = Vec::new();
        // The elements of an array are consecutive.
        let array = |temporary: &Temporary| temporary.name.split_once('[').map(|(array, _)| array.to_owned());
        for same in run.chunk_by(|a, b| array(a).is_some() && array(a) == array(b)) {
            names.push(match array(same[0]) {
                Some(name) => format!("{name}[{}]", same.len()),
                None => same[0].name.clone(),
            });
        }
        let _ = writeln!(text, "{keyword} {};", names.join(", "));
    }
}

/// The binding of a parameter, as in `PARAM name =` and within arrays.
fn binding(language: Language, source: &ParameterSource, ty: Type) -> String {
    match source {
        ParameterSource::Constant(value) => typed_vector(*value, ty),
        named => named.name_in(language).unwrap_or_default(),
    }
}

/// The array of which the parameter is an element, and the element's index.
fn element(parameter: &Parameter) -> Option<(&str, usize)> {
    let (array, rest) = parameter.name.as_deref()?.split_once('[')?;
    Some((array, rest.strip_suffix(']')?.parse().ok()?))
}

/// Prints the named parameters. If constant indices read only some elements of an array, the program lacks
/// the others. Those are bound like an existing element, which adds no binding.
fn parameters(program: &Program, text: &mut String) {
    let mut arrays: BTreeMap<&str, BTreeMap<usize, &ParameterSource>> = BTreeMap::new();
    for parameter in &program.parameters {
        if let Some((array, place)) = element(parameter) {
            arrays.entry(array).or_default().insert(place, &parameter.source);
        }
    }
    let keyword = |ty| match ty {
        Type::S32 => "INT PARAM",
        Type::U32 => "UINT PARAM",
        _ => "PARAM",
    };
    for parameter in &program.parameters {
        let Some(name) = &parameter.name else { continue };
        let Some((array, _)) = element(parameter) else {
            let value = binding(program.language, &parameter.source, parameter.ty);
            let _ = writeln!(text, "{} {name} = {value};", keyword(parameter.ty));
            continue;
        };
        let Some(elements) = arrays.remove(array) else { continue };
        let mut bindings = Vec::new();
        for (place, source) in elements {
            bindings.resize(place + 1, binding(program.language, source, parameter.ty));
        }
        let keyword = keyword(parameter.ty);
        let _ = writeln!(text, "{keyword} {array}[{}] = {{ {} }};", bindings.len(), bindings.join(", "));
    }
}

/// An array of attributes or results that relative references index. Languages with types must declare these
/// arrays.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Indexed {
    first: Element,
    count: u16,
    /// Whether each vertex has the array.
    of_vertices: bool,
}

impl From<Indirect> for Indexed {
    fn from(indirect: Indirect) -> Self {
        Self { first: indirect.first, count: indirect.count, of_vertices: indirect.vertex.is_some() }
    }
}

/// All such arrays of `program`.
fn indexed(program: &Program) -> Vec<Indexed> {
    let mut arrays: Vec<Indexed> = Vec::new();
    if !program.language.profile().typed {
        return arrays;
    }
    for indirect in program.instructions.iter().flat_map(Instruction::indirects) {
        let declared = matches!(indirect.first, Element::Attribute(_) | Element::Output(_));
        if declared && !arrays.contains(&indirect.into()) {
            arrays.push(indirect.into());
        }
    }
    arrays
}

/// The name of the array that `indirect` refers to.
pub(super) fn array_name(program: &Program, indirect: Indirect) -> Option<String> {
    let place = indexed(program).iter().position(|array| *array == indirect.into())?;
    Some(free_name(program, format!("array{place}")))
}

/// The bindings of an array with `count` elements, as a range.
fn range(first: &str, count: u16) -> Option<String> {
    let (name, number) = first.rsplit_once('[')?;
    let number: u16 = number.strip_suffix(']')?.parse().ok()?;
    Some(format!("{name}[{number}..{}]", number + count - 1))
}

/// Prints attributes with a declared interpolation, and arrays.
fn attributes(program: &Program, text: &mut String) {
    let modifier = |how: Interpolation| {
        let variation = match how.variation {
            Variation::Smooth => "",
            Variation::Flat => "FLAT ",
            Variation::NoPerspective => "NOPERSPECTIVE ",
        };
        let place = match how.place {
            Place::Centre => "",
            Place::Centroid => "CENTROID ",
            Place::Sample => "SAMPLE ",
        };
        [variation, place].concat()
    };
    for (place, (attribute, how)) in program.interpolations.iter().enumerate() {
        let name = free_name(program, format!("attribute{place}"));
        let binding = attribute.register_in(program.language);
        let _ = writeln!(text, "{}ATTRIB {name} = {binding};", modifier(*how));
    }
    let operands = program.instructions.iter().flat_map(|instruction| &instruction.operands);
    let long = operands.filter_map(|operand| match operand.source {
        Source::Attribute(Attribute::LongVertex(number)) => Some(number),
        _ => None,
    });
    for number in long.collect::<BTreeSet<_>>() {
        let name = long_name(program, number);
        let _ = writeln!(text, "LONG ATTRIB {name} = vertex.attrib[{number}];");
    }
    for (place, Indexed { first, count, of_vertices }) in indexed(program).into_iter().enumerate() {
        let name = free_name(program, format!("array{place}"));
        let (keyword, binding) = match first {
            Element::Attribute(Attribute::Vertex(number)) => {
                ("ATTRIB".to_owned(), format!("vertex.attrib[{number}]"))
            }
            Element::Attribute(Attribute::LongVertex(number)) => {
                ("LONG ATTRIB".to_owned(), format!("vertex.attrib[{number}]"))
            }
            Element::Attribute(Attribute::OfVertex { result, .. }) if of_vertices => {
                ("ATTRIB".to_owned(), result.binding_of("vertex"))
            }
            Element::Attribute(Attribute::OutVertex { result, .. }) if of_vertices => {
                ("ATTRIB".to_owned(), result.binding_of("vertex.out"))
            }
            Element::Attribute(attribute) => {
                let how = if program.stage() == Stage::Fragment {
                    modifier(program.interpolation()[attribute.index()])
                } else {
                    String::new()
                };
                (format!("{how}ATTRIB"), attribute.register_in(program.language))
            }
            Element::Output(id) => ("OUTPUT".to_owned(), program.outputs[usize::from(id.0)].role.binding()),
            Element::Temp(_) | Element::Param(_) => continue,
        };
        if of_vertices && count == 1 {
            let _ = writeln!(text, "{keyword} {name} = {binding};");
        } else if let Some(binding) = range(&binding, count) {
            let _ = writeln!(text, "{keyword} {name}[] = {{ {binding} }};");
        }
    }
}

/// The name of the variable that reads vertex attribute `number` with 64 bits.
pub(super) fn long_name(program: &Program, number: u8) -> String {
    free_name(program, format!("long{number}"))
}

/// The keyword of the declaration, the prefix of a unit, and the prefix of the variables' names.
const TEXTURES: [&str; 3] = ["TEXTURE", "texture", "textures"];
const IMAGES: [&str; 3] = ["IMAGE", "image", "images"];

/// The arrays of units that instructions index, as first unit and length.
fn arrays(accesses: impl Iterator<Item = (Index, u8, u8)>) -> Vec<(u8, u8)> {
    let mut arrays = Vec::new();
    for (index, first, count) in accesses {
        let chooses = count > 1 || index.register.is_some();
        if chooses && !arrays.contains(&(first, count)) {
            arrays.push((first, count));
        }
    }
    arrays
}

fn texture_arrays(program: &Program) -> Vec<(u8, u8)> {
    let accesses = program.instructions.iter().filter_map(Instruction::texture);
    arrays(accesses.map(|access| (access.index, access.first, access.count)))
}

fn image_arrays(program: &Program) -> Vec<(u8, u8)> {
    let images = program.instructions.iter().filter_map(Instruction::image);
    arrays(images.map(|image| (image.index, image.first, image.count)))
}

/// The name of the texture array that the access refers to.
pub(super) fn texture_array(program: &Program, access: TextureAccess) -> Option<String> {
    let place = texture_arrays(program).iter().position(|array| *array == (access.first, access.count))?;
    let [.., name] = TEXTURES;
    Some(free_name(program, format!("{name}{place}")))
}

/// The name of the image array that the access refers to.
pub(super) fn image_array(program: &Program, image: &ImageAccess) -> Option<String> {
    let place = image_arrays(program).iter().position(|array| *array == (image.first, image.count))?;
    let [.., name] = IMAGES;
    Some(free_name(program, format!("{name}{place}")))
}

/// Prints the `TEXTURE` and `IMAGE` declarations.
fn units(program: &Program, text: &mut String) {
    for (arrays, [keyword, prefix, name]) in
        [(texture_arrays(program), TEXTURES), (image_arrays(program), IMAGES)]
    {
        for (place, (first, count)) in arrays.into_iter().enumerate() {
            let name = free_name(program, format!("{name}{place}"));
            let last = u16::from(first) + u16::from(count) - 1;
            let _ = writeln!(text, "{keyword} {name}[] = {{ {prefix}[{first}..{last}] }};");
        }
    }
}

/// Prints the SHORT outputs, the only ones that need a declaration.
fn outputs(program: &Program, text: &mut String) {
    for (index, output) in program.outputs.iter().enumerate().filter(|(_, output)| output.ty == Type::F16) {
        let _ = writeln!(text, "SHORT OUTPUT {} = {};", output_name(program, index), output.role.binding());
    }
}

/// The name of output `index` in instructions.
pub(super) fn output_name(program: &Program, index: usize) -> String {
    let output = &program.outputs[index];
    if !program.language.profile().declares_variables() {
        return output.name.clone();
    }
    match output.ty {
        Type::F16 if output.name.contains('.') => free_name(program, format!("short_result{index}")),
        Type::F16 => output.name.clone(),
        _ => output.role.binding(),
    }
}

/// `name`, followed by as many `_` as make it unique among the program's variables.
fn free_name(program: &Program, mut name: String) -> String {
    let is_array =
        |parameter: &Parameter, name: &str| element(parameter).is_some_and(|(array, _)| array == name);
    while program.temporaries.iter().any(|temporary| temporary.name == name)
        || program.parameters.iter().any(|p| p.name.as_deref() == Some(&name) || is_array(p, &name))
    {
        name.push('_');
    }
    name
}
