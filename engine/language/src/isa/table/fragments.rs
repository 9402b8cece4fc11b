//! Rows of the instruction table: texture lookups, and derivatives, interpolation and discard of fragment
//! programs. [`super`] turns the rows into the table.

macro_rules! fragments {
    (($next:path) $($rest:tt)*) => {
        $next! { $($rest)*
        Tex "TEX" "Texture lookup" (Vector, TextureImage) -> Vector, Filters, Texture,
            LooksUp(Plan::Texture(Lookup::Plain)), [
                fp1("3.11.5.38", CS),
                arb_fp("3.11.6.1", CS).reads("Looks up the texture at (s,t,r) = (x,y,z), with filtering. The level of detail comes from coordinate differences within the 2x2 quad. RECT coordinates are in texels. An incomplete texture gives (0,0,0,1). SHADOW targets compare r with the depth in the texture."),
                arb_vp_nv3("2.14.5.45").reads("Looks up the texture at (s,t,r) = (x,y,z), with filtering. Vertices have no neighbours, so the level of detail is just the bias of texture and unit. RECT coordinates are in texels. An incomplete texture gives (0,0,0,1)."),
                gpu_tex("2.X.8.Z TEX", "XXXX-F", "v", "vf").reads("Looks up the texture at (s,t,r) = (x,y,z), with filtering. In fragment programs the level of detail comes from coordinate differences within the 2x2 quad. RECT coordinates are in texels. Array targets take the layer from the coordinate after the image coordinates, and SHADOW targets compare the coordinate after that. Use S or U for integer textures.")
            ],
            "result = texture(unit, a.xyz)",
            "Looks up the texture at (s,t,r) = (x,y,z), with filtering. The level of detail comes from coordinate differences within the 2x2 quad. RECT coordinates are in texels. An incomplete texture gives (0,0,0,0).";
        Txd "TXD" "Texture lookup with derivatives" (Vector, Vector, Vector, TextureImage) -> Vector, Filters, Texture,
            LooksUp(Plan::Texture(Lookup::Gradient)), [
                fp1("3.11.5.39", CS),
                arb_fp_nv("3.11.6.5", CS),
                gpu_tex("2.X.8.Z TXD", "XXXX-F", "v", "vf,vf,vf")
            ],
            "result = texture(unit, a.xyz, d/dx = b.xyz, d/dy = c.xyz)",
            "Looks up the texture at (x,y,z), with filtering. The level of detail comes from the derivatives you give: the second operand along x, the third along y.";
        Txp "TXP" "Projective texture lookup" (Vector, TextureImage) -> Vector, TakesW, Texture,
            LooksUp(Plan::Texture(Lookup::Projective)), [
                fp1("3.11.5.40", CS),
                arb_fp("3.11.6.2", CS).reads("Looks up the texture at (x/w, y/w, z/w), with filtering. A cube map ignores w, which only scales the direction. If w is zero or negative, the result is undefined. SHADOW targets compare z/w with the depth in the texture."),
                arb_vp_nv3("2.14.5.48").reads("Looks up the texture at (x/w, y/w, z/w), with filtering. The level of detail is the bias of texture and unit. A cube map ignores w, which only scales the direction."),
                gpu_tex("2.X.8.Z TXP", "XXXX-F", "v", "vf").reads("Looks up the texture at (x/w, y/w, z/w), with filtering. If w is zero or negative, the result is undefined. SHADOWCUBE and SHADOWARRAY2D are not allowed, because they need w themselves.")
            ],
            "result = texture(unit, a.xyz / a.w)",
            "Looks up the texture at (x/w, y/w, z/w), with filtering. A cube map ignores w and uses x, y and z as they are.";
        Txb "TXB" "Texture lookup with bias" (Vector, TextureImage) -> Vector, TakesW, Texture,
            LooksUp(Plan::Texture(Lookup::Bias)), [
                arb_fp("3.11.6.3", CS),
                arb_vp_nv3("2.14.5.46").reads("Looks up the texture like TEX, with w added to the level of detail. The level is zero for vertices, so TXB equals TXL until the bias is clamped."),
                gpu_tex("2.X.8.Z TXB", "XXXX-F", "v", "vf").reads("Looks up the texture like TEX, with w added to the level of detail together with the biases of texture and unit. The sum of the three biases is clamped. SHADOWCUBE and SHADOWARRAY2D are not allowed, because they need w themselves.")
            ],
            "result = texture(unit, a.xyz, bias = a.w)",
            "Looks up the texture like TEX, with w added to the level of detail together with the biases of texture and unit. The sum of the three biases is clamped."
            readings [
                Reading::new(Languages::ARB_FP, "A NaN bias counts as 0."),
                NAN_LEVEL
            ];
        Txl "TXL" "Texture lookup at a level" (Vector, TextureImage) -> Vector, TakesW, Texture,
            LooksUp(Plan::Texture(Lookup::Level)), [
                arb_fp_nv2("3.11.6.6", CS),
                arb_vp_nv3("2.14.5.47").reads("Looks up the texture at (s,t,r) = (x,y,z), with filtering. The level of detail is w plus the bias of texture and unit."),
                gpu_tex("2.X.8.Z TXL", "XXXX-F", "v", "vf").reads("Looks up the texture at (s,t,r) = (x,y,z), with filtering. The level of detail is w plus the bias of texture and unit. In fragment programs it does not depend on neighbours, so it is also correct in divergent control flow. SHADOWCUBE and SHADOWARRAY2D are not allowed, because they need w themselves.")
            ],
            "result = texture(unit, a.xyz, level = a.w)",
            "Looks up the texture at (s,t,r) = (x,y,z), with filtering. The level of detail is w plus the bias of texture and unit. It does not depend on neighbours, so it is also correct in divergent control flow."
            readings [
                Reading::new(Languages::ARB_FP, "A NaN level counts as 0."),
                NAN_LEVEL
            ];
        Txf "TXF" "Texel fetch" (Vector, TextureImage) -> Vector, Fetches, Texture,
            LooksUp(Plan::Texel(Texel::Fetch)), [gpu_tex("2.X.8.Z TXF", "XXXX-F", "v", "vi")],
            "result = texel (a.x, a.y, a.z) of level a.w of the texture",
            "Reads one texel, without filtering or wrap modes. The operand holds signed integers: the texel coordinate along each axis of the target, and in w the level, counted from the base level. Levels above the base level need a minification filter with mipmaps. Outside the image or its levels the result is undefined (0 in Shadestep). CUBE and SHADOW targets are not allowed.";
        Txfms "TXFMS" "Multisample texel fetch" (Vector, TextureImage) -> Vector, FetchesSamples, Texture,
            LooksUp(Plan::Texel(Texel::Fetch)), [gpu_tex("2.X.4.4", "XXXX-F", "v", "vi").of("NV_texture_multisample")],
            "result = sample a.w of texel (a.x, a.y, a.z) of the texture",
            "Reads one sample of a texel of a multisample texture. The operand holds signed integers: the texel coordinates in x and y, the layer of ARRAY2DMS in z, and the sample number in w. GetMultisamplefv returns the position of each sample. Outside the image, or for a sample that does not exist, the result is undefined (0 in Shadestep). The options NV_texture_multisample (targets 2DMS and ARRAY2DMS) and NV_explicit_multisample (target RENDERBUFFER) add this instruction.";
        Txq "TXQ" "Texture size query" (Vector, TextureImage) -> Vector, Queries, Texture,
            LooksUp(Plan::Texel(Texel::Size)), [gpu_tex("2.X.8.Z TXQ", "-----S", "vi", "vi")],
            "result = (width, height, depth) of level a.x of the texture",
            "Returns the size of a texture level as integers, along each axis of the target. x is a signed integer: the level, counted from the base level. The other components are undefined (0 in Shadestep), and so are all components of a level that does not exist."
            => "INT TEMP size; TXQ size, 0, texture[0], 2D; I2F.S {r}, size;";
        Txg "TXG" "Texture gather" (Vector, TextureImage) -> Vector, Gathers, Texture,
            LooksUp(Plan::Texture(Lookup::Gather)), [gpu5_tex("2.X.8.Z TXG", "XXXX-F", "v", "vf")],
            "result = component of the texels (i0,j1), (i1,j1), (i1,j0), (i0,j0) at a",
            "Gathers one component of the four texels of the base level that a LINEAR filter would blend: x has the upper left one, y the upper right, z the lower right, w the lower left. A letter after the unit selects the component; without one it is x. SHADOW targets give 1 for each texel that passes the comparison, else 0.";
        Txgo "TXGO" "Texture gather with offsets" (Vector, Vector, Vector, TextureImage) -> Vector, GathersApart, Texture,
            LooksUp(Plan::Texture(Lookup::GatherApart)), [gpu5_tex("2.X.8.Z TXGO", "XXXX-F", "v", "vf,vi,vi")],
            "result = component of four texels at a, moved by b and c",
            "Gathers four texels like TXG, but with a separate offset in texels for each: signed integers from -32 to 31, the second operand along s, the third along t. The offsets start from the lower left of the texels that LINEAR would blend. An offset outside this range, or wrap mode CLAMP, gives an undefined result (0 in Shadestep).";
        Lod "LOD" "Level of detail" (Vector, TextureImage) -> Vector, QueriesLevel, Texture,
            LooksUp(Plan::Texture(Lookup::LevelQuery)), [gpu5_tex("2.X.8.Z LOD", "X-XX-F", "v", "vf")],
            "result = (level of detail at a with clamps, without them)",
            "Computes the level of detail that TEX would use. x is the level, counted from the base level, that the minification filter uses; y is the level before it is clamped and rounded. z and w are undefined (0 in Shadestep).";
        Ddx "DDX" "Derivative along x" (Vector) -> Vector, Free, Derivative,
            Computes(Plan::DerivativeX), [
                fp1("3.11.5.3", RHCS),
                arb_fp_nv("3.11.5.30", RHCS),
                gpu_fp("2.X.8.Z DDX", "X-XXXF", "v", "v")
            ],
            "result = d a / d x",
            "Computes how fast each component changes from a pixel to its right neighbour, as a difference within the 2x2 quad. Killed and uncovered neighbours still run, so the difference always exists. A derivative of a derivative is zero or meaningless."
            => "DDX {r}, {attribute};";
        Ddy "DDY" "Derivative along y" (Vector) -> Vector, Free, Derivative,
            Computes(Plan::DerivativeY), [
                fp1("3.11.5.4", RHCS),
                arb_fp_nv("3.11.5.31", RHCS),
                gpu_fp("2.X.8.Z DDY", "X-XXXF", "v", "v")
            ],
            "result = d a / d y",
            "Computes how fast each component changes from a pixel to the one above it (y grows upwards), as a difference within the 2x2 quad."
            => "DDY {r}, {attribute};";
        Ipac "IPAC" "Interpolate at the centroid" (Vector) -> Vector, Evaluates, Interpolation,
            Computes(Plan::Interpolate(Location::Centroid)), [
                gpu5_fp("2.X.8.Z IPAC", "X-XX-F", "v", "v")
            ],
            "result = attribute a at the centroid",
            "Interpolates the attribute at the centroid, a point of the pixel that the primitive covers, whether its variable is declared CENTROID, SAMPLE or neither. FLAT and NOPERSPECTIVE still apply. With one sample per pixel the centroid is the centre, so the result equals MOV. Swizzle and signs are applied to the interpolated value."
            => "IPAC {r}, {attribute};";
        Ipao "IPAO" "Interpolate at an offset" (Vector, Vector) -> Vector, Evaluates, Interpolation,
            Computes(Plan::Interpolate(Location::Offset)), [
                gpu5_fp("2.X.8.Z IPAO", "X-XX-F", "v", "v,v")
            ],
            "result = attribute a at the centre of the pixel + (b.x, b.y)",
            "Interpolates the attribute at an offset from the pixel's centre: b.x pixels to the right and b.y pixels up. Perspective correction applies unless the variable is declared NOPERSPECTIVE. A FLAT attribute is the same everywhere; CENTROID and SAMPLE do not matter. Offsets are rounded to 1024ths of a pixel. They are defined from -0.5 to 0.5; beyond that the result is undefined (0 in Shadestep). Swizzle and signs are applied to the interpolated value."
            => "IPAO {r}, {attribute}, {b}.x;";
        Ipas "IPAS" "Interpolate at a sample" (Vector, Scalar) -> Vector, Evaluates, Interpolation,
            Computes(Plan::Interpolate(Location::Sample)), [
                gpu5_fp("2.X.8.Z IPAS", "X-XX-F", "v", "v,su")
            ],
            "result = attribute a at sample b of the pixel",
            "Interpolates the attribute at the sample with the given number, an integer, whether its variable is declared CENTROID, SAMPLE or neither. FLAT and NOPERSPECTIVE still apply. Without a multisample buffer every number means the centre of the pixel, so the result equals MOV. Swizzle and signs are applied to the interpolated value."
            => "IPAS {r}, {attribute}, 0;";
        Kil "KIL" "Discard the fragment" (Condition) -> None, Free, Kill,
            Discards, [
                fp1("3.11.5.11", NONE),
                arb_fp_plain("3.11.6.4").bare().takes(&[OperandKind::Vector]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is negative. Zero and NaN are not negative. With OPTION NV_fragment_program the operand can be a condition code test instead. Nothing is drawn for a discarded fragment, but it keeps running so that its neighbours have derivatives."),
                arb_fp_from_nv1("3.11.6.4", NONE).takes(&[OperandKind::VectorOrCondition]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is negative. Zero and NaN are not negative. The operand can be a condition code test instead, which discards if it holds for any of the four components. Nothing is drawn for a discarded fragment, but it keeps running so that its neighbours have derivatives."),
                gpu_fp("2.X.8.Z KIL", "XX--XF", "", "v").takes(&[OperandKind::VectorOrCondition]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is negative. Zero, NaN and unsigned integers are not negative. The operand can be a condition code test instead, which discards if it holds for any of the four components. Nothing is drawn for a discarded fragment, but it keeps running so that its neighbours have derivatives.")
            ],
            "if (any tested condition code is true) discard",
            "Discards the fragment if the test holds for any of the four (swizzled) condition code components. Nothing is drawn for a discarded fragment, but it keeps running so that its neighbours have derivatives."
            => "SUB {r}, {attribute}, {b}.x; {kill}";
        }
    };
}

pub(crate) use fragments;
