//! `[parameters]` of `scene.toml`. The keys are names of parameters; `parameters` has their types.

use super::read::{Entry, Table, whole};
use super::schema::{Kind, Number, OneOf, Schema, Shape, Source, schema};
use super::{
    Component, NumberType, ParameterKey, ParameterSetting, SceneBuffer, SceneError, Track, Widget, buffers,
};
use toml::de::DeValue;

const WIDGETS: [(Widget, &str); 3] =
    [(Widget::Slider, "slider"), (Widget::Color, "color"), (Widget::Number, "number")];

/// A parameter with a control or a type, as the text has it.
struct Given {
    ty: NumberType,
    widget: Option<Widget>,
    min: f32,
    max: f32,
}

/// The error of a parameter without a value, after its name.
const NEEDS: &str = "needs value = [numbers]";

/// The table of one parameter.
static PARAMETER: Schema<Given> = schema! { Given, "of a parameter";
    "value": Vector, [-], needs NEEDS,
        "The value. A number alone sets all four components.";
    "widget": OneOf(&WIDGETS), [some widget], "a slider if its range holds the value, else a number",
        "Control in the **Inputs** panel.";
    "min": Number::Any, [min], "`0`", "Lower end of the slider.";
    "max": Number::Any, [max], "`1`", "Upper end of the slider.";
    "type": OneOf(&NumberType::NAMED), [ty], "`\"float\"`",
        "Type of a numbered parameter. Integers take no sources and no `widget`.";
};

/// The value of a parameter: numbers, or a table with them.
pub(super) fn shape() -> Shape {
    Shape::Either(vec![Vector.shape(), Shape::Table(PARAMETER.shape())])
}

pub(super) fn parameters(
    table: &Table<'_>,
    tracks: &[Track],
    buffers: &[SceneBuffer],
) -> Result<Vec<ParameterSetting>, SceneError> {
    let read = |entry: &Entry<'_>| {
        let setting = parameter(entry, buffers)?;
        // Registers that track a matrix refuse values (NV_vertex_program 2.14.5).
        if let ParameterKey::Register(index) = setting.key
            && let Some(track) = tracks.iter().find(|track| track.covers(index))
        {
            return Err(entry.error(format!("c[{index}] tracks {} and cannot be set", track.matrix)));
        }
        Ok(setting)
    };
    table.entries().iter().map(read).collect()
}

fn parameter(entry: &Entry<'_>, buffers: &[SceneBuffer]) -> Result<ParameterSetting, SceneError> {
    let key = ParameterKey::parse(entry.name).ok_or_else(|| {
        let words = "is not a parameter: use a name, \"p[0]\" to \"p[63]\", \"c[0]\" to \"c[255]\", or \"vertex.local[n]\" or \"vertex.env[n]\" (or another stage) with n below 256";
        entry.error(format!("\"{}\" {words}", entry.name))
    })?;
    let mut given = Given { ty: NumberType::Float, widget: None, min: 0.0, max: 1.0 };
    let mut value = entry.clone();
    if entry.value.is_table() {
        let table = entry.table(PARAMETER.place)?;
        PARAMETER.only(&table)?;
        let missing = || table.error(format!("the parameter \"{}\" {NEEDS}", entry.name));
        value = table.get("value").ok_or_else(missing)?;
        PARAMETER.read(&table, &mut given)?;
        check_type(given.ty, &key, &table)?;
        if given.min >= given.max {
            let key = if table.get("min").is_some() { "min" } else { "max" };
            return Err(table.error_at(key, "\"min\" must be less than \"max\" (the defaults are 0 and 1)"));
        }
    }
    let (value, components) = match given.ty {
        _ if buffers::names_address(&value) => addresses(&value, &key, buffers)?,
        NumberType::Float => read_vector(&value)?,
        NumberType::Int | NumberType::Uint => integers(&value, given.ty)?,
    };
    let Given { widget, min, max, .. } = given;
    Ok(ParameterSetting { key, value, components, widget, min, max })
}

/// Reads addresses, which are integers.
fn addresses(
    entry: &Entry<'_>,
    key: &ParameterKey,
    buffers: &[SceneBuffer],
) -> Result<([Component; 4], usize), SceneError> {
    if let ParameterKey::Named(name) = key {
        let words = format!(
            "\"{name}\" is declared with DECLARE and holds floats; only numbered parameters can hold addresses"
        );
        return Err(entry.error(words));
    }
    buffers::addresses(entry, buffers)
}

/// Checks that the parameter `key`, which `table` sets, can have the type.
fn check_type(ty: NumberType, key: &ParameterKey, table: &Table<'_>) -> Result<(), SceneError> {
    if ty == NumberType::Float {
        return Ok(());
    }
    if let ParameterKey::Named(name) = key {
        let words = format!(
            "\"{name}\" is declared with DECLARE and holds floats; only numbered parameters can hold integers"
        );
        return Err(table.error_at("type", words));
    }
    let of_numbers = ["widget", "min", "max"].into_iter().find_map(|key| table.get(key));
    match of_numbers {
        Some(other) => Err(other.error(format!(
            "\"{}\" works only for numbers; this parameter has type {}",
            other.name,
            ty.name()
        ))),
        None => Ok(()),
    }
}

/// Reads one to four integers of a type in brackets, or one alone, filled as [`Vector`] is. Hexadecimal,
/// octal and binary numbers are the 32 bits.
fn integers(entry: &Entry<'_>, ty: NumberType) -> Result<([Component; 4], usize), SceneError> {
    let wanted = format!("1 to 4 whole numbers in brackets, because the type is {}", ty.name());
    let read = |value: &DeValue<'_>| {
        let number = value.as_integer().ok_or_else(|| entry.wrong(&wanted, value))?;
        let (least, most) = match ty {
            NumberType::Int => (i32::MIN.into(), i32::MAX.into()),
            NumberType::Uint | NumberType::Float => (0, i64::from(u32::MAX)),
        };
        let parsed = whole(value);
        let bits = parsed.and_then(|n| u32::try_from(n).ok()).filter(|_| number.radix() != 10);
        match (parsed, bits) {
            (_, Some(bits)) => Ok(Component::Uint(bits).of_type(ty)),
            (Some(n), None) if (least..=most).contains(&n) => Ok(Component::whole(n, ty)),
            _ => Err(entry.error(format!(
                "\"{}\" has {number}, out of range for {}: {least} to {most}",
                entry.name,
                ty.name()
            ))),
        }
    };
    if !entry.value.is_array() {
        return Ok(([read(entry.value)?; 4], 1));
    }
    let values = entry.array(1..=4, &wanted)?;
    let mut filled = Component::fill(ty);
    for (out, value) in filled.iter_mut().zip(&values) {
        *out = read(value)?;
    }
    Ok((filled, values.len()))
}

/// One to four numbers or sources in brackets, or one alone, filled with 0, 0, 0, 1 as the language fills
/// vectors.
pub(super) struct Vector;

impl Kind for Vector {
    type Value = [Component; 4];

    fn read(&self, entry: &Entry<'_>) -> Result<[Component; 4], SceneError> {
        read_vector(entry).map(|(vector, _)| vector)
    }

    fn shape(&self) -> Shape {
        Shape::Source.or_array(1, 4).called("1 to 4 numbers or sources")
    }
}

/// Reads a [`Vector`], and returns how many components the text has.
fn read_vector(entry: &Entry<'_>) -> Result<([Component; 4], usize), SceneError> {
    const SOURCE: Source = Source("1 to 4 numbers or sources such as \"time\" in brackets");
    // A number alone sets all four components, as in the languages.
    let DeValue::Array(_) = entry.value else {
        return Ok(([SOURCE.read(entry)?; 4], 1));
    };
    let values = entry.array(1..=4, SOURCE.0)?;
    let mut filled = Component::fill(NumberType::Float);
    for (out, value) in filled.iter_mut().zip(&values) {
        *out = SOURCE.read_value(entry, value)?;
    }
    Ok((filled, values.len()))
}
