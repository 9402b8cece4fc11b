//! GL state (ARB_fragment_program 3.11.2, Tables X.2.2 to X.2.7).

use super::{ALL, accepts, refuses};

fn vectors() -> Vec<String> {
    let mut all = Vec::new();
    for face in ["", ".front", ".back"] {
        for property in ["ambient", "diffuse", "specular", "emission", "shininess"] {
            all.push(format!("material{face}.{property}"));
        }
        for light in 0..8 {
            for property in ["ambient", "diffuse", "specular"] {
                all.push(format!("lightprod[{light}]{face}.{property}"));
            }
        }
        all.push(format!("lightmodel{face}.scenecolor"));
    }
    for light in 0..8 {
        for property in
            ["ambient", "diffuse", "specular", "position", "attenuation", "spot.direction", "half"]
        {
            all.push(format!("light[{light}].{property}"));
        }
    }
    all.extend(
        ["lightmodel.ambient", "texenv.color", "fog.color", "fog.params", "depth.range"].map(str::to_owned),
    );
    all.extend((0..8).map(|unit| format!("texenv[{unit}].color")));
    all
}

fn matrices() -> Vec<String> {
    let names = ["modelview", "modelview[0]", "projection", "mvp", "texture"].map(str::to_owned);
    let numbered = (0..8).flat_map(|n| [format!("texture[{n}]"), format!("program[{n}]")]);
    let modified = |name: String| {
        ["", ".inverse", ".transpose", ".invtrans"].map(|modifier| format!("matrix.{name}{modifier}"))
    };
    names.into_iter().chain(numbered).flat_map(modified).collect()
}

#[test]
fn every_vector() {
    for vector in vectors() {
        accepts(
            ALL,
            &[&format!(
                "PARAM p = state.{vector}; PARAM q[2] = {{ state.{vector}, 1 }}; MAD t, p, q[0].x, -state.{vector}.wzyx;\
                    RCP t, state.{vector}.r; SWZ t, state.{vector}, x, 0, 1, -w;"
            )],
        );
        refuses(
            ALL,
            &[
                ("arb-write-parameter", format!("MOV @state.{vector}, t;")),
                ("arb-unexpected", format!("PARAM p = state.{vector}@.x;")),
                ("arb-unexpected", format!("MOV t, state.{vector}@[0];")),
                ("arb-needs-component", format!("RCP t, state.{vector}@;")),
            ],
        );
    }
}

#[test]
fn every_matrix() {
    for matrix in matrices() {
        accepts(
            ALL,
            &[&format!(
                "PARAM p = state.{matrix}.row[3]; PARAM q[4] = {{ state.{matrix} }}; PARAM r[2] = {{ state.{matrix}.row[1..2] }};\
                    PARAM s[] = {{ state.{matrix}.row[0] }}; MAD t, p, q[3], r[1]; ADD t, s[0], state.{matrix}.row[2].x;"
            )],
        );
        refuses(
            ALL,
            &[
                ("arb-needs-row", format!("MOV t, state.{matrix}@;")),
                ("arb-needs-row", format!("ADD t, state.{matrix}@, u;")),
                ("arb-needs-row", format!("PARAM p = state.{matrix}@;")),
                ("arb-bad-range", format!("MOV t, state.{matrix}.row[0@..1];")),
                ("arb-bad-range", format!("PARAM p = state.{matrix}.row[0@..3];")),
                ("arb-bad-range", format!("PARAM p[] = {{ state.{matrix}.row[1..@0] }};")),
                ("arb-bad-state", format!("MOV t, state.{matrix}.row[@4];")),
                ("arb-bad-state", format!("PARAM p[] = {{ state.{matrix}.row[0..@4] }};")),
                ("arb-bad-state", format!("MOV t, state.{matrix}.row[@1.0];")),
                ("arb-unexpected", format!("MOV t, state.{matrix}.row[@-1];")),
                ("arb-unexpected", format!("MOV t, state.{matrix}.row[@];")),
                ("arb-unexpected", format!("MOV t, state.{matrix}.row@;")),
                ("arb-unexpected", format!("MOV t, state.{matrix}.row@.x;")),
                ("arb-bad-state", format!("MOV t, state.{matrix}.@x;")),
                ("arb-bad-state", format!("MOV t, state.{matrix}.@column[0];")),
                ("arb-unexpected", format!("PARAM p = state.{matrix}.row[0]@.inverse;")),
                ("arb-bad-component", format!("MOV t, state.{matrix}.row[0].@inverse;")),
                ("arb-write-parameter", format!("MOV @state.{matrix}.row[0], t;")),
            ],
        );
    }
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, state.matrix@;"),
            ("arb-unexpected", "MOV t, state.matrix@[0];"),
            ("arb-unexpected", "MOV t, state.matrix.@;"),
            ("arb-bad-state", "MOV t, state.matrix.@view.row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.@row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.@inverse.mvp.row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.@palette[0].row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.@color.row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.modelview[@1].row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.texture[@8].row[0];"),
            ("arb-bad-state", "MOV t, state.matrix.program[@8].row[0];"),
            ("arb-bad-state", "PARAM p[4] = { state.matrix.program[@8] };"),
            ("arb-unexpected", "MOV t, state.matrix.program@.row[0];"),
            ("arb-unexpected", "PARAM p[4] = { state.matrix.program @};"),
            ("arb-unexpected", "MOV t, state.matrix.program[@].row[0];"),
            ("arb-unexpected", "MOV t, state.matrix.texture[0 @.row[0];"),
            ("arb-unexpected", "MOV t, state.matrix.mvp@[0].row[0];"),
            ("arb-unexpected", "MOV t, state.matrix.projection@[0].row[0];"),
            ("arb-unexpected", "PARAM p[4] = { state.matrix.mvp@[0] };"),
            ("arb-bad-state", "MOV t, state.matrix.mvp.inverse.@transpose.row[0];"),
            ("arb-bad-state", "PARAM p[4] = { state.matrix.mvp.inverse.@inverse };"),
        ],
    );
}

#[test]
fn no_other_state() {
    refuses(
        ALL,
        &[
            ("arb-unexpected", "MOV t, state@;"),
            ("arb-unexpected", "MOV t, state.@;"),
            ("arb-unexpected", "MOV t, state@[0];"),
            ("arb-bad-state", "MOV t, state.@x;"),
            ("arb-bad-state", "MOV t, state.@Fog.color;"),
            ("arb-bad-state", "MOV t, state.@clip[0].plane;"),
            ("arb-bad-state", "MOV t, state.@point.size;"),
            ("arb-bad-state", "MOV t, state.@texgen[0].eye.s;"),
            ("arb-bad-state", "MOV t, state.@env[0];"),
            ("arb-unexpected", "MOV t, state.material@;"),
            ("arb-unexpected", "MOV t, state.material@[0].ambient;"),
            ("arb-unexpected", "MOV t, state.material.front@;"),
            ("arb-bad-state", "MOV t, state.material.@position;"),
            ("arb-bad-state", "MOV t, state.material.front.@back.ambient;"),
            ("arb-bad-state", "MOV t, state.material.@left.ambient;"),
            ("arb-unexpected", "MOV t, state.light@.ambient;"),
            ("arb-bad-state", "MOV t, state.light[@8].ambient;"),
            ("arb-unexpected", "MOV t, state.light[0]@;"),
            ("arb-unexpected", "MOV t, state.light[0].spot@;"),
            ("arb-bad-state", "MOV t, state.light[0].spot.@cutoff;"),
            ("arb-bad-state", "MOV t, state.light[0].@front.ambient;"),
            ("arb-bad-state", "MOV t, state.light[0].@emission;"),
            ("arb-unexpected", "MOV t, state.lightmodel@;"),
            ("arb-unexpected", "MOV t, state.lightmodel@[0].ambient;"),
            ("arb-bad-state", "MOV t, state.lightmodel.front.@ambient;"),
            ("arb-bad-state", "MOV t, state.lightmodel.@diffuse;"),
            ("arb-unexpected", "MOV t, state.lightprod@.ambient;"),
            ("arb-bad-state", "MOV t, state.lightprod[@8].ambient;"),
            ("arb-bad-state", "MOV t, state.lightprod[0].@shininess;"),
            ("arb-bad-state", "MOV t, state.lightprod[0].back.@emission;"),
            ("arb-bad-state", "MOV t, state.texenv[@8].color;"),
            ("arb-bad-state", "MOV t, state.texenv.@mode;"),
            ("arb-unexpected", "MOV t, state.texenv@;"),
            ("arb-unexpected", "MOV t, state.fog@;"),
            ("arb-bad-state", "MOV t, state.fog.@density;"),
            ("arb-unexpected", "MOV t, state.fog@[0].color;"),
            ("arb-bad-state", "MOV t, state.depth.@near;"),
            // A number out of range, and later uses of the faulty declaration.
            ("arb-bad-state", "PARAM p = state.light[@8].ambient; MOV t, p; MOV t, p.x;"),
        ],
    );
}
