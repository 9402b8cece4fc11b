//! Resource limits and the rules for counting (ARB_fragment_program 3.11.3.6, 3.11.4.5.1, 3.11.6 and issue
//! 24).

use super::{ALL, BASE, NV, NV2, around, program, refuses};
use shadestep_gl::Resource;

/// The limits that the engine reports. Each is at least the minimum in the table of the specification.
const INSTRUCTIONS: usize = 1024;
const TEMPORARIES: usize = 64;
const PARAMETERS: usize = 256;
const ATTRIBUTES: usize = 12;

/// The fog options, each with the number of instructions that it takes from the limit.
const FOGS: [(&str, usize); 3] = [("ARB_fog_exp", 3), ("ARB_fog_exp2", 4), ("ARB_fog_linear", 2)];

fn whole(options: &str, body: &str) -> String {
    format!("!!ARBfp1.0\n{options}\n{body}\nEND\n")
}

/// A program at the limit loads. One more instruction is refused at its first token.
#[test]
fn instructions() {
    let options = BASE.iter().chain(NV).map(|options| ((*options).to_owned(), INSTRUCTIONS));
    let fogs = FOGS.map(|(name, less)| (format!("OPTION {name};"), INSTRUCTIONS - less));
    for (options, limit) in options.chain(fogs) {
        for instruction in
            ["MOV result.color, fragment.color;\n", "TEX result.color, fragment.color, texture, 2D;\n"]
        {
            program(&whole(&options, &instruction.repeat(limit)));
            let many = instruction.repeat(limit);
            refuses(
                BASE,
                &[("arb-too-many-instructions", whole(&options, &format!("{many}@{instruction}")))],
            );
            refuses(
                BASE,
                &[(
                    "arb-too-many-instructions",
                    whole(&options, &format!("{many}@{instruction}{instruction}")),
                )],
            );
        }
        let half =
            "KIL fragment.color;\n".repeat(limit / 2) + &"ABS result.color, 1;\n".repeat(limit - limit / 2);
        program(&whole(&options, &half));
        refuses(
            BASE,
            &[("arb-too-many-instructions", whole(&options, &format!("{half}@KIL fragment.color;")))],
        );
    }
    // Declarations and labels do not count. Flow instructions count towards the total.
    let flow =
        format!("f: TEMP t; {} g: PARAM p = 1;", "RET;\n".repeat(INSTRUCTIONS - 3) + "IF TR; CAL f; ENDIF;");
    program(&whole(NV2[0], &flow));
    refuses(BASE, &[("arb-too-many-instructions", whole(NV2[0], &format!("{flow} h: @RET;")))]);
}

#[test]
fn temporaries() {
    let list = |count: usize| (0..count).map(|n| format!("t{n}")).collect::<Vec<_>>().join(", ");
    for options in ALL {
        program(&whole(options, &format!("TEMP {};", list(TEMPORARIES))));
        refuses(
            BASE,
            &[("arb-too-many-temporaries", whole(options, &format!("TEMP {}, @one;", list(TEMPORARIES))))],
        );
        refuses(
            BASE,
            &[(
                "arb-too-many-temporaries",
                whole(options, &format!("TEMP {}; TEMP @one, two;", list(TEMPORARIES))),
            )],
        );
        // Aliases do not count.
        program(&whole(
            options,
            &format!("TEMP {}; ALIAS a = t0; ALIAS b = a; MOV b, t1;", list(TEMPORARIES)),
        ));
    }
    for options in NV {
        let sized = format!("SHORT TEMP {}; LONG TEMP last;", list(TEMPORARIES - 1));
        program(&whole(options, &sized));
        refuses(BASE, &[("arb-too-many-temporaries", whole(options, &format!("{sized} SHORT TEMP @one;")))]);
    }
    for (name, _) in FOGS {
        let options = format!("OPTION {name};");
        program(&whole(&options, &format!("TEMP {};", list(TEMPORARIES - 1))));
        refuses(
            BASE,
            &[(
                "arb-too-many-temporaries",
                whole(&options, &format!("TEMP {}, @one;", list(TEMPORARIES - 1))),
            )],
        );
    }
}

#[test]
fn parameters() {
    let range = |count: usize| format!("PARAM all[] = {{ program.env[0..{}] }};\n", count - 1);
    for (options, limit) in [("".to_owned(), PARAMETERS), (NV2[0].to_owned(), PARAMETERS)]
        .into_iter()
        .chain(FOGS.map(|(name, _)| (format!("OPTION {name};"), PARAMETERS - 2)))
    {
        let full = range(limit);
        program(&whole(&options, &full));
        // A vector that is bound again counts once.
        program(&whole(
            &options,
            &format!("{full}MOV result.color, program.env[3]; PARAM p = program.env[0];"),
        ));
        for (more, loads) in [
            ("MOV result.color, @1;", false),
            ("PARAM p = @1;", false),
            ("PARAM p[] = { @{1,2} };", false),
            ("MOV result.color, @program.local[0];", false),
            ("MOV result.color, @state.fog.color;", false),
            ("PARAM m[] = { @state.matrix.mvp };", false),
            ("PARAM p[2] = { program.env[0], @state.depth.range };", false),
            ("MOV result.color, fragment.color;", true),
        ] {
            let text = whole(&options, &format!("{full}{more}"));
            if loads {
                program(&text);
            } else {
                refuses(BASE, &[("arb-too-many-parameters", text)]);
            }
        }
    }
    for (body, count) in [
        ("MOV t, 1; MOV t, {1,1,1,1}; MOV t, 1.0;", 1),
        ("MOV t, {1}; MOV t, {1,0}; MOV t, {1,0,0,1};", 1),
        ("MOV t, 0; PARAM p = -0.0; MOV t, {0,0,0,-0};", 1),
        ("MOV t, 1; MOV t, -1;", 1),
        ("PARAM p = 1; PARAM q = -1;", 2),
        ("MOV t, 0.1; MOV t, 0.10000000000000000001;", 1),
        ("PARAM p[] = { 1, 1, 2, program.env[0..2], program.env[1] };", 5),
        ("MOV t, program.env[1]; MOV t, program.local[1];", 2),
        ("PARAM m[4] = { state.matrix.mvp }; MOV t, state.matrix.mvp.row[2];", 4),
        ("MOV t, state.matrix.mvp.row[0]; MOV t, state.matrix.mvp.inverse.row[0];", 2),
        ("MOV t, state.material.ambient; MOV t, state.material.front.ambient;", 1),
        ("MOV t, state.matrix.texture.row[0]; MOV t, state.matrix.texture[0].row[0];", 1),
        ("MOV t, state.matrix.modelview.row[0]; MOV t, state.matrix.modelview[0].row[0];", 1),
        ("MOV t, state.lightmodel.scenecolor; MOV t, state.lightmodel.front.scenecolor;", 1),
        ("MOV t, state.texenv.color; MOV t, state.texenv[0].color; MOV t, state.texenv[1].color;", 2),
    ] {
        assert_eq!(Resource::Parameters.used(&program(&around("", body))), count, "{body}");
    }
}

#[test]
fn attributes() {
    let mut all: Vec<String> = (0..8).map(|set| format!("MOV t, fragment.texcoord[{set}];\n")).collect();
    all.extend(["color", "color.secondary", "fogcoord"].map(|item| format!("MOV t, fragment.{item};\n")));
    for options in ALL {
        let text = around(options, &(all.concat() + "ATTRIB p = fragment.position;"));
        assert_eq!(Resource::Attributes.used(&program(&text)), ATTRIBUTES);
    }
    let facing = all.concat()
        + "ATTRIB p = fragment.position; MOV t, fragment.color.primary; MOV t, fragment.texcoord;";
    refuses(NV2, &[("arb-too-many-attributes", format!("{facing} MOV t, @fragment.facing;"))]);
    refuses(NV2, &[("arb-too-many-attributes", format!("{facing} ATTRIB f = @fragment.facing; MOV t, f;"))]);
    for (name, _) in FOGS {
        let options = format!("OPTION {name};");
        program(&around(&options, &all.concat()));
        let text = around(&options, &(all.concat() + "ATTRIB p = @fragment.position; MOV t, p;"));
        refuses(BASE, &[("arb-too-many-attributes", text)]);
    }
}

/// A loaded program reports its usage under the names that queries use.
#[test]
fn usage() {
    let body = "PARAM p[2] = { 1, 2 }; TEMP unused; TEX t, fragment.texcoord, texture, 2D; MUL t, t, p[1];\n\
        TEX u, t, texture[1], 2D; KIL u; MOV result.color, u;";
    for options in ALL {
        let program = program(&around(options, body));
        // ALU: MUL and MOV. Texture: two TEX and KIL. Indirections: t in the second TEX, u in KIL.
        let expected = [5, 2, 3, 3, 4, 2, 1, 0];
        assert_eq!(Resource::ALL.map(|resource| resource.used(&program)), expected, "{options}");
        for usage in &program.usage {
            assert!(usage.used <= usage.limit);
        }
    }
    for (body, indirections) in [
        ("", 1),
        ("TEX t, u, texture, 2D; TEX v, u, texture, 2D;", 1),
        ("TEX t, u, texture, 2D; TEX u, t, texture, 2D;", 2),
        ("MOV t, 1; TEX u, t, texture, 2D; TEX v, t, texture, 2D;", 2),
        ("MOV u, t; TEX t, 1, texture, 2D;", 2),
        ("MOV u, t; TEX u, 1, texture, 2D;", 2),
        ("TEX u, t, texture, 2D; TEX t, 1, texture, 2D;", 1),
        ("MOV t, 1; KIL t;", 2),
        ("MOV t, 1; KIL u;", 1),
        ("MOV t, 1; KIL u; KIL t; TEX u, t, texture, 2D;", 2),
        ("MOV t.x, 1; TEX u, t.y, texture, 2D;", 2),
        ("MOV result.color, 1; TEX result.color, 1, texture, 2D;", 1),
        ("TEX t, 1, texture, 2D; TEX t, t, texture, 2D; TEX t, t, texture, 2D; TEX t, t, texture, 2D;", 4),
        ("ALIAS a = t; MOV a, 1; TEX u, t, texture, 2D;", 2),
    ] {
        for options in ALL {
            let used = Resource::TexIndirections.used(&program(&around(options, body)));
            assert_eq!(used, indirections, "{body}");
        }
    }
}
