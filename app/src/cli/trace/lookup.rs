//! Texture lookups of a trace in detail, as lines of text and as JSON.

use super::json::{single, single_scalar, value};
use crate::format;
use crate::lookup;
use serde_json::{Value, json};
use shadestep_engine::debug::{Looked, LookupStep, Recording};
use shadestep_engine::ir::Type;
use shadestep_engine::texture::{
    DetailTrace, FetchedTexel, Found, LevelTrace, LookupTrace, Probe, TexelSource, TexelTrace, Texture,
};
use std::io::{self, Write};

/// Formats stored components. `used` is the mask of components that the result uses.
fn components(texture: &Texture, used: u8, bits: [u64; 4]) -> String {
    let ty = lookup::component_type(texture);
    let used = (0..4).filter(|c| used >> c & 1 != 0).map(|c| format::decimal(bits[c], ty));
    used.collect::<Vec<_>>().join(" ")
}

/// Writes the lines of a lookup, after the line of its unit.
pub(super) fn write_text(out: &mut impl Write, step: &LookupStep, recording: &Recording) -> io::Result<()> {
    let Some(texture) = step.texture.texture.and_then(|unit| recording.texture(unit)) else {
        return match step.looked {
            Looked::Refused(why) => writeln!(out, "          {}", lookup::refusal(why)),
            Looked::Up(_) | Looked::Fetched(..) | Looked::Size(..) => Ok(()),
        };
    };
    writeln!(out, "          {}", lookup::texture(texture))?;
    for fact in lookup::facts(step) {
        writeln!(out, "          {}: {}", fact.name, fact.text())?;
    }
    match &step.looked {
        Looked::Up(trace) => Lookup { texture, trace }.write(out),
        Looked::Fetched(fetched, _) => {
            let used = fetched.sources.iter().fold(0, |all, source| all | source.reads());
            let bits = lookup::components(fetched.stored, fetched.unit);
            let mut place = format!("level {}", fetched.level);
            place.extend(lookup::image(texture.target(), fetched.image).map(|image| format!(", {image}")));
            place.extend(fetched.sample.map(|sample| format!(", sample {sample}")));
            let at = lookup::place(texture.target(), fetched.place);
            writeln!(out, "          {place}, texel ({at}): {}", components(texture, used, bits))
        }
        Looked::Size(..) => Ok(()),
        Looked::Refused(why) => writeln!(out, "          {}", lookup::refusal(*why)),
    }
}

struct Lookup<'a> {
    texture: &'a Texture,
    trace: &'a LookupTrace,
}

impl Lookup<'_> {
    fn components(&self, stored: [f32; 4]) -> String {
        let used = self.trace.sources.iter().fold(0, |all, source| all | source.reads());
        components(self.texture, used, lookup::components(stored, self.trace.unit))
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.trace.found {
            Found::Filtered { probes, components, .. } => {
                for (number, probe) in probes.iter().enumerate() {
                    if probes.len() > 1 {
                        writeln!(out, "          sample {} of {}:", number + 1, probes.len())?;
                    }
                    for level in &probe.levels {
                        self.write_level(out, level)?;
                    }
                }
                writeln!(out, "          sum: {}", self.components(*components))?;
                if let Some(words) = lookup::sources(self.trace.sources) {
                    writeln!(out, "          result: {words}")?;
                }
                Ok(())
            }
            Found::Gathered { level, .. } => self.write_level(out, level),
            Found::Levels(_) => Ok(()),
        }
    }

    fn write_level(&self, out: &mut impl Write, level: &LevelTrace) -> io::Result<()> {
        let target = self.texture.target();
        let at: Vec<String> = level.at[..target.axes()].iter().map(|&at| format::float(at)).collect();
        let (weight, at) = (format::float(level.weight), at.join(", "));
        writeln!(
            out,
            "          {}, weight {weight}, at ({at}):",
            lookup::level(target, level).to_lowercase()
        )?;
        for texel in &level.texels {
            let mut place = format!("({})", lookup::place(target, texel.place));
            place.extend(lookup::image(target, texel.image).map(|image| format!(" of {image}")));
            place.extend(lookup::source(texel.source).map(|source| format!(", {source}")));
            let weight = format::float(texel.weight);
            let compared = match self.trace.comparison {
                Some(_) => format!(" -> {}", format::float(texel.value[0])),
                None => String::new(),
            };
            let stored = self.components(texel.stored);
            writeln!(out, "            {place}, weight {weight}: {stored}{compared}")?;
        }
        Ok(())
    }
}

fn singles(numbers: &[f32]) -> Value {
    numbers.iter().copied().map(single).collect()
}

/// The JSON object of a lookup.
pub(super) fn json(step: &LookupStep, recording: &Recording) -> Value {
    let texture = step.texture.texture.and_then(|unit| recording.texture(unit));
    let ty = texture.map_or(Type::F32, lookup::component_type);
    let refused = match step.looked {
        Looked::Refused(why) => Some(lookup::refusal(why)),
        Looked::Up(_) | Looked::Fetched(..) | Looked::Size(..) => None,
    };
    let fetched = match &step.looked {
        Looked::Fetched(fetched, offset) => Some(fetched_json(fetched, *offset, ty)),
        Looked::Up(_) | Looked::Size(..) | Looked::Refused(_) => None,
    };
    json!({
        "texture": texture.map(lookup::texture),
        "given": singles(&step.given),
        "divisor": step.divisor.map(single),
        "refused": refused,
        "texel": fetched,
        "filtered": step.looked.trace().map(|trace| trace_json(trace, ty)),
    })
}

/// Stored components as JSON numbers.
fn stored(values: [f32; 4], unit: f32, ty: Type) -> Value {
    lookup::components(values, unit).into_iter().map(|bits| value(bits, ty)).collect()
}

fn fetched_json(fetched: &FetchedTexel, offset: [i32; 3], ty: Type) -> Value {
    json!({
        "level": fetched.level,
        "image": fetched.image,
        "place": fetched.place,
        "offset": offset,
        "sample": fetched.sample,
        "stored": stored(fetched.stored, fetched.unit, ty),
    })
}

fn trace_json(trace: &LookupTrace, ty: Type) -> Value {
    let own = trace.quad[trace.lane];
    let level = |level: &LevelTrace| level_json(level, trace.unit, ty);
    let (probes, gathered, sum) = match &trace.found {
        Found::Filtered { probes, components, .. } => (&probes[..], None, Some(*components)),
        Found::Gathered { level, .. } => (&[][..], Some(level), None),
        Found::Levels(_) => (&[][..], None, None),
    };
    let probe = |probe: &Probe| {
        json!({
            "coordinates": singles(&probe.at.coordinates),
            "face": probe.at.face,
            "levels": probe.levels.iter().map(level).collect::<Value>(),
            "value": stored(probe.value, trace.unit, ty),
        })
    };
    let comparison = trace.comparison.map(
        |(function, reference)| json!({ "function": function.name(), "reference": single_scalar(reference) }),
    );
    json!({
        "coordinates": singles(&trace.coordinates),
        "in_image": singles(&own.coordinates),
        "face": own.face,
        "layer": trace.layer,
        "offset": trace.offset,
        "comparison": comparison,
        "detail": trace.found.detail().map(detail_json),
        "samples": probes.iter().map(probe).collect::<Value>(),
        "gathered": gathered.map(level),
        "sum": sum.map(|sum| stored(sum, trace.unit, ty)),
        "result": trace.result.map(|result| value(result.to_bits().into(), ty)),
    })
}

fn detail_json(detail: &DetailTrace) -> Value {
    let sides = |[dx, dy]: [[f32; 3]; 2]| json!({ "dx": singles(&dx), "dy": singles(&dy) });
    json!({
        "derivatives": detail.derivatives.map(sides),
        "in_image": sides(detail.in_image),
        "sides": singles(&detail.squared_sides.map(f32::sqrt)),
        "anisotropy": detail.anisotropy.map(|counts| singles(&counts)),
        "base": single_scalar(detail.base),
        "bias": single_scalar(detail.bias),
        "clamps": singles(&detail.clamps),
        "lambda": single_scalar(detail.lambda),
        "magnified": detail.magnified,
        "filter": detail.filter.name(),
    })
}

fn level_json(level: &LevelTrace, unit: f32, ty: Type) -> Value {
    let texel = |texel: &TexelTrace| {
        let source = match texel.source {
            TexelSource::Image => "image",
            TexelSource::Border => "border",
            TexelSource::Corner => "corner",
        };
        json!({
            "place": texel.place,
            "image": texel.image,
            "source": source,
            "weight": single(texel.weight),
            "stored": stored(texel.stored, unit, ty),
            "value": stored(texel.value, unit, ty),
        })
    };
    json!({
        "level": level.level,
        "size": level.size,
        "weight": single(level.weight),
        "at": singles(&level.at),
        "weights": singles(&level.weights),
        "texels": level.texels.iter().map(texel).collect::<Value>(),
        "value": stored(level.value, unit, ty),
    })
}
