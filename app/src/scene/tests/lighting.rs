//! Lights, materials and other state that ARB programs bind.

use super::*;
use shadestep_engine::gl::{Coordinate, LightColor, LightNumber, MaterialColor};
use shadestep_engine::ir::TexGenSpace;
use shadestep_engine::pipeline::CullFace;

fn load_lit(toml: &str) -> Result<Scene, SceneError> {
    let text = format!("[program]\nfragment = \"main.fp\"\n{toml}");
    let folder = TempFolder::new(&[("scene.toml", text.as_bytes()), ("main.fp", PROGRAM)]);
    load(&folder.0)
}

#[test]
fn every_section_becomes_commands_in_order() {
    let toml = r#"
[lighting]
ambient = [0.1, 0.2, 0.3]

[material]
diffuse = [0.5, 0.5, 0.5, 0.25]
shininess = 20

[material.back]
emission = [1, 0, 0]

[[light]]
position = ["mouse_x", 2, 3, 1]
specular = [1, 1, 1]

[[light]]
number = 5
attenuation = [1, 0.5, 0.25]
spot_direction = [0, -1, 0]
spot_cutoff = 30

[[texgen]]
unit = 2
eye_t = [0, 1, 0, 0]
object_q = [0, 0, 0, 1]

[[texenv]]
unit = 3
color = [0.25, 0.5, 0.75, 1]

[[clip_plane]]
plane = [0, 1, 0, 0.5]

[point]
attenuation = [0, 1, 2]
"#;
    let v = |vector: [f32; 4]| vector.map(Component::Constant);
    let n = Component::Constant;
    let one = |x| v([x, 0.0, 0.0, 0.0]);
    let expected = [
        LightingState::ModelAmbient.with(v([0.1, 0.2, 0.3, 1.0])),
        LightingState::Material(CullFace::FrontAndBack, MaterialColor::Diffuse)
            .with(v([0.5, 0.5, 0.5, 0.25])),
        LightingState::Shininess(CullFace::FrontAndBack).with(one(20.0)),
        LightingState::Material(CullFace::Back, MaterialColor::Emission).with(v([1.0, 0.0, 0.0, 1.0])),
        LightingState::Light(0, LightColor::Specular).with(v([1.0; 4])),
        LightingState::LightPosition(0).with([Component::Auto(AutoSource::MouseX), n(2.0), n(3.0), n(1.0)]),
        LightingState::SpotDirection(5).with(v([0.0, -1.0, 0.0, 0.0])),
        LightingState::LightNumber(5, LightNumber::SpotCutoff).with(one(30.0)),
        LightingState::LightNumber(5, LightNumber::ConstantAttenuation).with(one(1.0)),
        LightingState::LightNumber(5, LightNumber::LinearAttenuation).with(one(0.5)),
        LightingState::LightNumber(5, LightNumber::QuadraticAttenuation).with(one(0.25)),
        LightingState::TexGen(2, Coordinate::T, TexGenSpace::Eye).with(v([0.0, 1.0, 0.0, 0.0])),
        LightingState::TexGen(2, Coordinate::Q, TexGenSpace::Object).with(v([0.0, 0.0, 0.0, 1.0])),
        LightingState::TexEnvColor(3).with(v([0.25, 0.5, 0.75, 1.0])),
        LightingState::ClipPlane(0).with(v([0.0, 1.0, 0.0, 0.5])),
        LightingState::PointAttenuation.with(v([0.0, 1.0, 2.0, 0.0])),
    ];
    assert_eq!(load_lit(toml).unwrap().lighting, expected);
}

#[test]
fn what_is_wrong_is_named() {
    for (toml, words) in [
        ("[[light]]\nnumber = 8\n", "number"),
        ("[[light]]\ncolour = [1, 1, 1]\n", "colour"),
        ("[[light]]\nposition = [1, 2, 3]\n", "3 elements"),
        ("[material]\nshininess = \"shiny\"\n", "shiny"),
        ("[material.side]\ndiffuse = [1, 1, 1]\n", "side"),
        ("[[texgen]]\nunit = 8\n", "unit"),
        ("[[texenv]]\ncolor = [1]\n", "it has 1 element"),
        ("[point]\nattenuation = [1, 2, 3, 4]\n", "4 elements"),
        (&"[[clip_plane]]\n".repeat(9), "choose 0 to 7"),
    ] {
        let error = load_lit(toml).unwrap_err().to_string();
        assert!(error.contains(words), "{toml}: {error}");
    }
}

#[test]
fn settings_have_the_components_of_their_variable() {
    let v = |x: f32| [x; 4].map(Component::Constant);
    let cutoff = LightingState::LightNumber(0, LightNumber::SpotCutoff);
    assert_eq!(cutoff.with(v(10.0)).components(), [Component::Constant(10.0)]);
    assert_eq!(cutoff.name(), "light 0 spot cutoff");
    let front = LightingState::Shininess(CullFace::Front);
    assert!(LightingState::Shininess(CullFace::FrontAndBack).covers(front));
    assert!(!LightingState::Shininess(CullFace::Back).covers(front));
}

/// Settings that a program binds have the GL's initial values.
#[test]
fn bound_settings_begin_as_in_the_gl() {
    use shadestep_engine::gl::Context;
    use shadestep_engine::ir::StateVector;
    let context = Context::new();
    for state in StateVector::all() {
        let bound = LightingSetting::bound_by(state);
        let [LightingSetting { state: LightingState::Light(..) | LightingState::Material(..), value }] =
            bound[..]
        else {
            continue;
        };
        let value = value.map(|component| match component {
            Component::Constant(number) => number,
            Component::Auto(_) | Component::Int(_) | Component::Uint(_) | Component::Address(..) => f32::NAN,
        });
        assert_eq!(context.state_vector(state), value, "{state}");
    }
}
