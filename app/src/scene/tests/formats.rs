//! Textures of integers, of values in the text and of a buffer's bytes; attachments; instances; and every
//! error.

use super::*;
use shadestep_engine::pipeline::ColorFormat;
use shadestep_engine::texture::{Format, MagFilter, MinFilter, Wrap};

const VERTEX: &[u8] = b"!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n";

/// A PNG of one row of grey pixels of 16 bits.
fn deep_row(greys: &[u16]) -> Vec<u8> {
    let image =
        ::image::ImageBuffer::<::image::Luma<u16>, _>::from_raw(greys.len() as u32, 1, greys.to_vec());
    let mut png = std::io::Cursor::new(Vec::new());
    image.unwrap().write_to(&mut png, ::image::ImageFormat::Png).unwrap();
    png.into_inner()
}

/// Loads a scene of `toml` with programs, images and a file of bytes.
fn load_with(toml: &str) -> Result<Scene, SceneError> {
    let folder = TempFolder::new(&[
        ("scene.toml", toml.as_bytes()),
        ("main.fp", PROGRAM),
        ("main.vp", VERTEX),
        ("column.png", &column(&[10, 200])),
        ("deep.png", &deep_row(&[7, 40_000])),
        ("bytes.bin", &[1, 0, 0xFF, 0xFF, 2, 0, 3, 0, 0, 0, 0x80, 0x3F]),
        ("odd.bin", &[1, 2, 3]),
        ("empty.bin", b""),
    ]);
    load(&folder.0)
}

/// The texture with `keys` on unit 0.
fn texture(keys: &str) -> SceneTexture {
    let toml = format!("{HEAD}[[texture]]\nunit = 0\n{keys}\n");
    let scene = load_with(&toml).unwrap_or_else(|error| panic!("{toml}: {error}"));
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    scene.textures[0].clone()
}

/// Components of a texel in the format's order.
fn texel(texture: &SceneTexture, face: usize, at: [usize; 3]) -> [f32; 4] {
    let texture = texture.texture().unwrap();
    assert!(texture.is_complete(), "{:?}", texture.why());
    texture.texel(0, face, at).unwrap()
}

#[test]
fn missing_wrap_modes_are_the_defaults_of_the_target() {
    let rect = texture("target = \"RECT\"\nimage = \"builtin:xor\"\nwrap = [\"CLAMP\", \"CLAMP\"]");
    assert_eq!(rect.spec().sampler.wrap, [Wrap::Clamp, Wrap::Clamp, Wrap::ClampToEdge]);
}

#[test]
fn images_become_integers() {
    // xor at (3, 10) is (3, 10, 9, 255); signed integers take 128 for 0.
    let unsigned = texture("image = \"builtin:xor\"\nformat = \"RGBA8UI\"");
    assert_eq!(texel(&unsigned, 0, [3, 10, 0]), [3.0, 10.0, 9.0, 255.0]);
    assert_eq!(unsigned.texture().unwrap().format(), Format::Rgba8Ui);
    let signed = texture("image = \"builtin:xor\"\nformat = \"RGBA32I\"");
    assert_eq!(texel(&signed, 0, [3, 10, 0]), [-125.0, -118.0, -119.0, 127.0]);
    let spec = signed.spec();
    assert_eq!(
        (spec.sampler.min_filter, spec.sampler.mag_filter, &spec.mipmaps),
        (MinFilter::Nearest, MagFilter::Nearest, &Mipmaps::None)
    );
    // The lower row of a picture is that of t = 0. LUMINANCE takes red, ALPHA takes alpha.
    let file = texture("image = \"column.png\"\nformat = \"LUMINANCE_ALPHA16UI\"");
    assert_eq!([0, 1].map(|y| texel(&file, 0, [0, y, 0])[..2].to_vec()), [[200.0, 255.0], [10.0, 255.0]]);
    // 16 bits stay 16 bits, as far as the format has them.
    let deep = |format: &str| {
        let texture = texture(&format!("image = \"deep.png\"\nformat = \"{format}\""));
        [0, 1].map(|x| texel(&texture, 0, [x, 0, 0])[0])
    };
    assert_eq!(deep("R16UI"), [7.0, 40_000.0]);
    assert_eq!(deep("R8UI"), [7.0, 255.0]);
    assert_eq!(deep("R16I"), [-32_761.0, 7232.0]);
    // Levels of their own may be looked up.
    let levels = texture(
        "levels = [\"column.png\", \"column.png\"]\nmax_level = 0\nmin_filter = \"NEAREST_MIPMAP_NEAREST\"\nformat = \"R8UI\"",
    );
    assert_eq!(levels.texture().unwrap().level_count(), 2);
}

#[test]
fn every_integer_format_loads_from_every_kind_of_image() {
    for &format in &Format::ALL[Format::FLOATS.len()..] {
        let all = matches!(format, Format::R32Ui | Format::Rgb8I | Format::LuminanceAlpha16Ui);
        let small = |target: &TextureTarget| all || target.axes() == 1 && target.layer().is_none();
        for target in TextureTarget::TEXTURES.into_iter().filter(small) {
            let spec = TextureSpec::new(0, target, ImageSource::Builtin("xor".to_owned()));
            let loaded = SceneTexture::load(&Folder::Bundled(""), spec.in_format(format));
            let fits = match target {
                TextureTarget::Buffer => format.bytes_in_buffer().is_some(),
                _ => !target.has_samples() || format.is_renderable(),
            };
            assert_eq!(loaded.is_ok(), fits, "{} {target:?}", format.name());
            let Ok(loaded) = loaded else { continue };
            assert!(loaded.texture().unwrap().is_complete(), "{} {target:?}", format.name());
            let preview = loaded.preview();
            assert_eq!(preview.rgba.len() as u32, 4 * preview.width * preview.height);
        }
    }
}

#[test]
fn texels_can_be_spelled_out_for_every_target() {
    let flat = texture("format = \"R32UI\"\nsize = [2, 3]\nvalues = [0, 4294967295, 2, 3, 0x10, 5]");
    assert_eq!(texel(&flat, 0, [1, 0, 0])[0], 4_294_967_295.0);
    assert_eq!([texel(&flat, 0, [0, 1, 0])[0], texel(&flat, 0, [0, 2, 0])[0]], [2.0, 16.0]);
    let pairs = texture("target = \"1D\"\nformat = \"RG16I\"\nvalues = [-32768, 32767, 1, 2, 3, 4]");
    assert_eq!(pairs.texture().unwrap().level_size(0), Some([3, 1, 1]));
    assert_eq!(texel(&pairs, 0, [0; 3])[..2], [-32_768.0, 32_767.0]);
    // ALPHA stores alpha alone. Numbers of other formats are rounded to what those have: 0.5 of 255 is 128.
    let alpha = texture("target = \"RECT\"\nformat = \"ALPHA8\"\nsize = [1, 2]\nvalues = [0.5, 1]");
    assert_eq!([0, 1].map(|y| texel(&alpha, 0, [0, y, 0])[0]), [128.0 / 255.0, 1.0]);
    let floats = texture(
        "format = \"RGBA32F\"\nmipmaps = \"none\"\nmin_filter = \"NEAREST\"\nsize = [1, 1]\nvalues = [0.1, -2, 1e30, inf]",
    );
    assert_eq!(texel(&floats, 0, [0; 3]), [0.1, -2.0, 1e30, f32::INFINITY]);
    let solid = texture("target = \"3D\"\nformat = \"R8I\"\nsize = [1, 2, 3]\nvalues = [1, 2, 3, 4, 5, -6]");
    assert_eq!([texel(&solid, 0, [0, 1, 1])[0], texel(&solid, 0, [0, 1, 2])[0]], [4.0, -6.0]);
    let layers =
        texture("target = \"ARRAY2D\"\nformat = \"R8I\"\nsize = [1, 2, 3]\nvalues = [1, 2, 3, 4, 5, 6]");
    assert_eq!([texel(&layers, 1, [0, 1, 0])[0], texel(&layers, 2, [0, 0, 0])[0]], [4.0, 5.0]);
    let samples = "format = \"R8I\"\nvalues = [1, 2, 3, 4, 5, 6, 7, 8]";
    let flat = texture(&format!("target = \"RENDERBUFFER\"\nsize = [1, 2, 4]\n{samples}"));
    assert_eq!([texel(&flat, 0, [0, 1, 0])[0], texel(&flat, 0, [0, 0, 3])[0]], [2.0, 7.0]);
    let layers = texture(&format!("target = \"ARRAY2DMS\"\nsize = [1, 2, 2, 2]\n{samples}"));
    assert_eq!([texel(&layers, 0, [0, 1, 1])[0], texel(&layers, 1, [0, 0, 1])[0]], [4.0, 7.0]);
    let rows = texture("target = \"ARRAY1D\"\nformat = \"R8I\"\nsize = [3, 2]\nvalues = [1, 2, 3, 4, 5, 6]");
    assert_eq!(texel(&rows, 1, [2, 0, 0])[0], 6.0);
    let numbers: Vec<String> = (0..24).map(|n| n.to_string()).collect();
    let cube = texture(&format!(
        "target = \"CUBE\"\nformat = \"R16UI\"\nsize = [2, 2]\nvalues = [{}]",
        numbers.join(", ")
    ));
    assert_eq!([texel(&cube, 0, [1, 0, 0])[0], texel(&cube, 5, [1, 1, 0])[0]], [1.0, 23.0]);
    // Levels are made of numbers that are no integers.
    let mipmapped = texture("format = \"R8\"\nsize = [2, 2]\nvalues = [0, 1, 1, 0]");
    assert_eq!(mipmapped.texture().unwrap().level_count(), 2);
}

#[test]
fn buffer_textures_have_values_or_the_bytes_of_a_file() {
    let values = texture("target = \"BUFFER\"\nformat = \"RGB32F\"\nvalues = [1, 2, 3, 4.5, 5, 6]");
    assert_eq!(values.texture().unwrap().level_size(0), Some([2, 1, 1]));
    assert_eq!(texel(&values, 0, [1, 0, 0])[..3], [4.5, 5.0, 6.0]);
    let sized = texture("target = \"BUFFER\"\nformat = \"R32UI\"\nsize = [2]\nvalues = [7, 4000000000]");
    assert_eq!(texel(&sized, 0, [1, 0, 0])[0], 4_000_000_000.0);
    // The least significant byte is first.
    let file =
        |format: &str| texture(&format!("target = \"BUFFER\"\nfile = \"bytes.bin\"\nformat = \"{format}\""));
    let short = file("R16I");
    assert_eq!(short.texture().unwrap().level_size(0), Some([6, 1, 1]));
    assert_eq!([0, 1, 2, 3].map(|x| texel(&short, 0, [x, 0, 0])[0]), [1.0, -1.0, 2.0, 3.0]);
    assert_eq!(texel(&file("R32F"), 0, [2, 0, 0])[0], 1.0);
    assert_eq!(texel(&file("RGBA8"), 0, [0; 3]), [1.0 / 255.0, 0.0, 1.0, 1.0]);
    assert!(short.files()[0].ends_with("bytes.bin"), "it is watched");
    let preview = short.preview();
    assert_eq!((preview.width, preview.height), (3, 2), "a square of texels");
    // -1 is black, 16256, which is 0x3F80, is white.
    assert_eq!((&preview.rgba[4..8], &preview.rgba[20..24]), (&[0, 0, 0, 255][..], &[255; 4][..]));
    // The same bytes are read once however often they are bound.
    let toml = format!(
        "{HEAD}[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = \"bytes.bin\"\nformat = \"R8UI\"\n\
         [[texture]]\nunit = 1\ntarget = \"BUFFER\"\nfile = \"bytes.bin\"\nformat = \"R8UI\"\n"
    );
    let scene = load_with(&toml).unwrap();
    let [first, second] = [0, 1].map(|unit: usize| scene.textures[unit].texture().unwrap());
    assert!(first.shares_texels_with(&second));
}

/// TOML after [`HEAD`] (two lines), the line and column of the error, words of its message.
const FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nformat = \"RGBA8U\"",
        (6, 1),
        &["no texture format \"RGBA8U\"", "\"RGBA8UI\""],
    ),
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nformat = \"R8UI\"\nmipmaps = \"generate\"",
        (7, 1),
        &["R8UI", "mipmaps"],
    ),
    (
        "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nformat = \"R8UI\"\nborder = [0.5, 0, 0, 0]",
        (7, 1),
        &["border of R8UI needs whole numbers"],
    ),
    ("[[texture]]\nunit = 0\nsize = [1, 1]\nimage = \"builtin:xor\"", (5, 1), &["works only with values"]),
    (
        "[[texture]]\nunit = 0\nvalues = [1]\nimage = \"builtin:xor\"",
        (5, 1),
        &["\"image\" or \"values\", not both"],
    ),
    (
        "[[texture]]\nunit = 0\nlevels = [\"builtin:xor\"]\nvalues = [1]",
        (6, 1),
        &["\"levels\" or an image, not both"],
    ),
    ("[[texture]]\nunit = 0\nvalues = 1", (5, 1), &["numbers in brackets"]),
    ("[[texture]]\nunit = 0\nvalues = []", (5, 1), &["0 elements"]),
    ("[[texture]]\nunit = 0\nvalues = [1, 2, 3, 4]", (5, 1), &["2D texture need size = [width, height]"]),
    (
        "[[texture]]\nunit = 0\nsize = [1, 1]\nvalues = [1, 2, 3]",
        (6, 1),
        &["3 numbers; each texel of RGBA8 needs 4"],
    ),
    (
        "[[texture]]\nunit = 0\nformat = \"R8\"\nsize = [2, 2]\nvalues = [1, 2, 3]",
        (6, 1),
        &["\"size\" makes 4 texels, but \"values\" has 3"],
    ),
    (
        "[[texture]]\nunit = 0\ntarget = \"CUBE\"\nformat = \"R8\"\nsize = [1, 1]\nvalues = [1]",
        (7, 1),
        &["makes 6 texels with its six faces"],
    ),
    (
        "[[texture]]\nunit = 0\ntarget = \"3D\"\nformat = \"R8\"\nsize = [1, 1]\nvalues = [1]",
        (7, 1),
        &["[width, height, depth]", "2 elements"],
    ),
    (
        "[[texture]]\nunit = 0\ntarget = \"1D\"\nformat = \"R8\"\nsize = [16385]\nvalues = [1]",
        (7, 1),
        &["1 to 16384"],
    ),
    ("[[texture]]\nunit = 0\nformat = \"RGBA9\"\nvalues = [1]", (5, 1), &["no texture format"]),
    // A number has its own place.
    (
        "[[texture]]\nunit = 0\nformat = \"R8UI\"\nsize = [2, 1]\nvalues = [255, 256]",
        (7, 16),
        &["out of range for R8UI: 0 to 255"],
    ),
    (
        "[[texture]]\nunit = 0\nformat = \"R32I\"\nsize = [1, 1]\nvalues = [-2147483649]",
        (7, 11),
        &["-2147483648 to 2147483647"],
    ),
    (
        "[[texture]]\nunit = 0\nformat = \"R8UI\"\nsize = [1, 1]\nvalues = [0.5]",
        (7, 11),
        &["whole numbers", "R8UI holds integers", "0.5"],
    ),
    ("[[texture]]\nunit = 0\nformat = \"R8\"\nsize = [1, 1]\nvalues = [\"a\"]", (7, 11), &["the text \"a\""]),
    (
        "[[texture]]\nunit = 0\nformat = \"R8\"\nsize = [1, 1]\nvalues = [1e39]",
        (7, 11),
        &["larger than the largest"],
    ),
    ("[[texture]]\nunit = 0\nfile = \"bytes.bin\"", (5, 1), &["BUFFER texture", "image = "]),
    ("[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = 3", (6, 1), &["text in quotes"]),
    (
        "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = \"none.bin\"",
        (6, 1),
        &["none.bin: there is no such file"],
    ),
    ("[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = \"../a\"", (6, 1), &["leaves the scene's folder"]),
    (
        "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = \"odd.bin\"\nformat = \"R16UI\"",
        (6, 1),
        &["odd.bin: the size of 3 bytes is not a multiple of the texel size of R16UI, 2 bytes"],
    ),
    (
        "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = \"empty.bin\"",
        (6, 1),
        &["0 bytes is not a multiple"],
    ),
    (
        "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nfile = \"bytes.bin\"\nformat = \"RGB8\"",
        (7, 1),
        &["buffer textures do not have the format RGB8"],
    ),
    (
        "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nformat = \"RGB16UI\"\nvalues = [1, 2, 3]",
        (6, 1),
        &["buffer textures do not have the format RGB16UI"],
    ),
    ("[[attachment]]\nformat = \"RGBA32U\"", (4, 1), &["no attachment format \"RGBA32U\"", "\"RGBA32UI\""]),
    ("[[attachment]]\nformat = 8", (4, 1), &["text in quotes"]),
    ("[[attachment]]\nnumber = 4", (4, 1), &["from 0 to 3"]),
    ("[[attachment]]\nnumber = 1\n[[attachment]]", (5, 1), &["output colour 1 already has an attachment"]),
    ("[[attachment]]\n[[attachment]]\nnumber = 0", (5, 1), &["output colour 0 already has an attachment"]),
    (
        "[[attachment]]\n[[attachment]]\n[[attachment]]\n[[attachment]]\n[[attachment]]",
        (7, 1),
        &["output colours are 0 to 3"],
    ),
    ("[[attachment]]\nfromat = \"RGBA8\"", (4, 1), &["did you mean \"format\""]),
    ("[[attachment]]\nclear = [1, 2, 3]", (4, 1), &["4 numbers", "3 elements"]),
    ("[[attachment]]\nformat = \"RGBA8I\"\nclear = [1, 2, 3]", (5, 1), &["4 whole numbers", "3 elements"]),
    (
        "[[attachment]]\nformat = \"RGBA8I\"\nclear = [0, 0, 0, 0.5]",
        (5, 19),
        &["RGBA8I holds integers", "0.5"],
    ),
    (
        "[[attachment]]\nformat = \"RGBA8I\"\nclear = [0, 128, 0, 0]",
        (5, 13),
        &["out of range", "-128 to 127"],
    ),
    ("[[attachment]]\nformat = \"RGBA32UI\"\nclear = [-1, 0, 0, 0]", (5, 10), &["0 to 4294967295"]),
    ("[attachment]\nformat = \"RGBA8\"", (3, 2), &["[[attachment]]"]),
    ("[geometry]\ninstances = 2", (4, 1), &["works only with a mesh, a primitive or a vertex program"]),
    ("[geometry]\nmesh = \"cube\"\ninstances = 0", (5, 1), &["from 1 to 1048576"]),
    ("[geometry]\nmesh = \"cube\"\ninstances = 1.5", (5, 1), &["whole number"]),
    ("[geometry]\nmesh = \"knot\"\ninstances = 1000000", (5, 1), &["limit of 134217728"]),
    (
        "[geometry]\nmesh = \"cube\"\ninstances = 5\n[[attribute]]\nindex = 6\nsize = 1\nvalues = [1, 2]\ndivisor = 2",
        (6, 1),
        &["v[6] has 2 elements; 5 instances need 3"],
    ),
    (
        "[geometry]\nmesh = \"cube\"\n[[attribute]]\nindex = 6\nvalue = [1]\ndivisor = 1",
        (8, 1),
        &["\"divisor\" works only with values or file"],
    ),
    (
        "[geometry]\nmesh = \"cube\"\n[[attribute]]\nindex = 6\nsize = 1\nvalues = [1]\ndivisor = -1",
        (9, 1),
        &["from 0"],
    ),
    (
        "[geometry]\nmesh = \"cube\"\n[[attribute]]\nindex = 6\nsize = 2\nvalues = [1, 2, 3]\ndivisor = 1",
        (8, 1),
        &["3 numbers; each element needs 2"],
    ),
    (
        "[geometry]\nprimitive = \"POINTS\"\n[[attribute]]\nindex = 0\nsize = 1\nvalues = [1]\ndivisor = 1",
        (4, 1),
        &["without a divisor"],
    ),
];

#[test]
fn every_complaint_names_its_place() {
    check_faults(FAULTS, load_with);
}

#[test]
fn what_has_no_effect_is_told_at_its_place() {
    for (toml, places) in [
        // Integers are looked up by NEAREST alone.
        (
            "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nformat = \"R8UI\"\nmag_filter = \"LINEAR\"",
            &[((7, 1), "integer textures need the minification filter NEAREST")][..],
        ),
        (
            "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nmin_filter = \"LINEAR\"\nformat = \"R8UI\"",
            &[((6, 1), "incomplete")],
        ),
        // No level 1, of numbers or of integers.
        (
            "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nmipmaps = \"none\"",
            &[((3, 1), "level 1 (128 x 128 x 1)")],
        ),
        (
            "[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nformat = \"R8UI\"\nmin_filter = \"NEAREST_MIPMAP_NEAREST\"",
            &[((3, 1), "level 1")],
        ),
        ("[[texture]]\nunit = 0\nimage = \"builtin:xor\"\nbase_level = 9", &[((6, 1), "base level, 9")]),
        // A buffer has no filters.
        (
            "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nformat = \"R8UI\"\nvalues = [1]\nmag_filter = \"LINEAR\"",
            &[],
        ),
        (
            "[state]\nblend = { src = \"ONE\", dst = \"ONE\" }\n[[attachment]]\nformat = \"RGBA8\"\n\
             [[attachment]]\nformat = \"RGBA8I\"",
            &[((8, 1), "blending has no effect on output colour 1")],
        ),
        (
            "[state]\nblend = { src = \"ONE\", dst = \"ONE\" }\nalpha_test = { func = \"LESS\", ref = 1 }\n\
             [[attachment]]\nformat = \"RGBA32I\"",
            &[((7, 1), "blending and the alpha test have no effect")],
        ),
        ("[state]\nalpha_test = { func = \"LESS\", ref = 1 }", &[]),
    ] {
        let scene = load_with(&format!("{HEAD}{toml}\n")).unwrap_or_else(|error| panic!("{toml}\n{error}"));
        let found: Vec<_> = scene.warnings.iter().map(|w| w.place.map(|p| (p.line, p.column))).collect();
        let expected: Vec<_> = places.iter().map(|(place, _)| Some(*place)).collect();
        assert_eq!(found, expected, "{toml}\n{:?}", scene.warnings);
        for (warning, (_, words)) in scene.warnings.iter().zip(places) {
            assert!(warning.message.contains(words), "{toml}\n{warning}");
        }
    }
}

#[test]
fn attachments_have_formats_and_clear_values() {
    let scene = scene(
        "[clear]\ncolor = [0.25, 0.5, 2, 1]\n[[attachment]]\nformat = \"rgba16f\"\n\
         [[attachment]]\nformat = \"GL_RGBA32UI_EXT\"\nclear = [1, 0x10, 4294967295, 0]\n\
         [[attachment]]\nnumber = 3\nformat = \"RGBA8I\"\nclear = [-128, 127, 0, 1]\n",
    );
    let of = |number| {
        let attachment = scene.attachment(number);
        let clear = scene.clear_for(number);
        assert_eq!(clear.color.map(f32::to_bits), attachment.clear.map(f32::to_bits));
        assert_eq!((clear.depth, clear.stencil), (scene.clear.depth, scene.clear.stencil));
        (attachment.format, attachment.clear)
    };
    let cleared = [0.25, 0.5, 2.0, 1.0];
    assert_eq!(of(0), (ColorFormat::Rgba16F, cleared));
    let (format, clear) = of(1);
    assert_eq!((format, clear.map(f32::to_bits)), (ColorFormat::Rgba32Ui, [1, 16, u32::MAX, 0]));
    assert_eq!(of(2), (ColorFormat::Rgba32F, cleared), "nothing is said of it");
    let (format, clear) = of(3);
    assert_eq!((format, clear.map(|c| c.to_bits().cast_signed())), (ColorFormat::Rgba8I, [-128, 127, 0, 1]));
    // Integers are 0 where nothing is said, whatever numbers are.
    let bare = super::scene("[[attachment]]\nformat = \"RGBA16UI\"\n");
    assert_eq!(bare.attachment(0).clear.map(f32::to_bits), [0; 4]);
    for format in ColorFormat::ALL {
        let scene = super::scene(&format!("[[attachment]]\nformat = \"{}\"\n", format.name()));
        assert_eq!(scene.attachment(0).format, format);
    }
}

#[test]
fn instances_have_arrays_of_their_own() {
    let arrays = scene(
        "[geometry]\nprimitive = \"TRIANGLES\"\ninstances = 5\n\
         [[attribute]]\nindex = 0\nsize = 2\nvalues = [0, 0, 1, 0, 0, 1]\n\
         [[attribute]]\nindex = 6\nsize = 1\nvalues = [1, 2, 3]\ndivisor = 2\n",
    );
    assert_eq!(arrays.instances, 5);
    let made = arrays.vertex_arrays().unwrap();
    assert_eq!((made.vertex_count(), made.element_count()), (3, 3));
    let AttributeSource::Array(array) = &made.attributes[1].1 else { panic!("an array") };
    assert_eq!((array.divisor, array.data.len()), (2, 3));
    let mesh = scene(
        "[geometry]\nmesh = \"cube\"\ninstances = 3\n[[attribute]]\nindex = 6\nsize = 1\nvalues = [1, 2, 3]\ndivisor = 1\n",
    );
    assert_eq!((mesh.instances, mesh.attributes.len()), (3, 1));
    assert!(mesh.vertex_arrays().is_ok());
    assert_eq!(scene("[geometry]\nmesh = \"cube\"\n").instances, 1);
    let toml = "[program]\nvertex = \"main.vp\"\n[geometry]\ninstances = 4\n";
    assert_eq!(load_with(toml).unwrap().instances, 4, "the rectangle too, by a vertex program");
}

/// As [`super::FAULTS`].
const SAMPLE_FAULTS: &[(&str, (usize, usize), &[&str])] = &[
    ("[state]\nsamples = 3", (4, 1), &["1, 2, 4, 8 or 16"]),
    ("[state]\nsamples = 32", (4, 1), &["from 1 to 16"]),
    ("[state]\nsamples = \"4\"", (4, 1), &["whole number"]),
    ("[state]\nsample = 4", (4, 1), &["unknown key \"sample\"", "\"samples\""]),
    ("[state]\nmultisample = 1", (4, 1), &["true or false"]),
    ("[state]\nalpha_to_coverage = \"yes\"", (4, 1), &["true or false"]),
    ("[state]\nalpha_to_one = 0", (4, 1), &["true or false"]),
    ("[state]\nsample_coverage = 0.5", (4, 1), &["a table"]),
    ("[state]\nsample_coverage = { value = 2 }", (4, 21), &["from 0 to 1"]),
    ("[state]\nsample_coverage = { inverted = true }", (4, 21), &["\"invert\""]),
    ("[state]\nsample_mask = 65536", (4, 1), &["from 0 to 65535"]),
    ("[state]\nsample_shading = 1.5", (4, 1), &["from 0 to 1"]),
];

#[test]
fn every_complaint_about_samples_names_its_place() {
    check_faults(SAMPLE_FAULTS, load_text);
}

#[test]
fn samples_of_a_pixel_are_read() {
    let scene = scene(
        "[state]\nsamples = 8\nmultisample = false\nalpha_to_coverage = true\nalpha_to_one = true\n\
         sample_coverage = { value = 0.25, invert = true }\nsample_mask = 5\nsample_shading = 0.5\n",
    );
    let state = scene.raster.multisample;
    assert_eq!((state.samples.count(), state.enabled), (8, false));
    assert!(state.alpha_to_coverage && state.alpha_to_one);
    assert_eq!(state.coverage.map(|coverage| (coverage.value, coverage.invert)), Some((0.25, true)));
    assert_eq!((state.mask, state.shading), (Some(5), Some(0.5)));
}
