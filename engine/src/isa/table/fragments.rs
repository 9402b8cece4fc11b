//! Rows of the instruction table: texture lookups and what fragments alone have: derivatives, interpolation, discarding.

macro_rules! fragments {
    ($next:ident! $($rest:tt)*) => {
        $next! { $($rest)*
        Tex "TEX" "Texture lookup" (Vector, TextureImage) -> Vector, Filters, Texture,
            [
                fp1("3.11.5.38", CS),
                arb_fp("3.11.6.1", CS).reads("Filtered lookup at (s,t,r) = x, y, z. The level of detail comes from differences within the 2x2 quad. RECT coordinates are in texels. A texture that is not complete gives (0,0,0,1). SHADOW targets compare r with the depth found."),
                arb_vp_nv3("2.14.5.45").reads("Filtered lookup at (s,t,r) = x, y, z. Vertices have no neighbours, so the level of detail is the bias of texture and unit alone. RECT coordinates are in texels. A texture that is not complete gives (0,0,0,1)."),
                gpu_tex("2.X.8.Z TEX", "XXXX-F", "v", "vf").reads("Filtered lookup at (s,t,r) = x, y, z. In fragment programs the level of detail comes from differences within the 2x2 quad. RECT coordinates are in texels, array targets take their layer from the coordinate behind those of the image, SHADOW targets compare the next one. S and U are for textures of integers.")
            ],
            "result = texture(unit, a.xyz)",
            "Filtered lookup at (s,t,r) = x, y, z. The level of detail comes from differences within the 2x2 quad. RECT coordinates are in texels. A texture that is not complete gives (0,0,0,0).";
        Txd "TXD" "Texture lookup with derivatives" (Vector, Vector, Vector, TextureImage) -> Vector, Filters, Texture,
            [
                fp1("3.11.5.39", CS),
                arb_fp_nv("3.11.6.5", CS),
                gpu_tex("2.X.8.Z TXD", "XXXX-F", "v", "vf,vf,vf")
            ],
            "result = texture(unit, a.xyz, d/dx = b.xyz, d/dy = c.xyz)",
            "Filtered lookup that takes the level of detail from derivatives you give: the second operand along x, the third along y.";
        Txp "TXP" "Projective texture lookup" (Vector, TextureImage) -> Vector, TakesW, Texture,
            [
                fp1("3.11.5.40", CS),
                arb_fp("3.11.6.2", CS).reads("Filtered lookup at x/w, y/w, z/w. A cube map ignores w, which only scales the direction. Where w is not above zero the result is undefined. SHADOW targets compare z/w with the depth found."),
                arb_vp_nv3("2.14.5.48").reads("Filtered lookup at x/w, y/w, z/w, with the bias of texture and unit as the level of detail. A cube map ignores w, which only scales the direction."),
                gpu_tex("2.X.8.Z TXP", "XXXX-F", "v", "vf").reads("Filtered lookup at x/w, y/w, z/w. Where w is not above zero the result is undefined. It has no coordinates for SHADOWCUBE and SHADOWARRAY2D.")
            ],
            "result = texture(unit, a.xyz / a.w)",
            "Filtered lookup at x/w, y/w, z/w. A cube map ignores w and is looked up with x, y, z as they are.";
        Txb "TXB" "Texture lookup with bias" (Vector, TextureImage) -> Vector, TakesW, Texture,
            [
                arb_fp("3.11.6.3", CS),
                arb_vp_nv3("2.14.5.46").reads("Like TEX, with w added to the level of detail, which is zero for vertices: the same as TXL up to where the bias is clamped."),
                gpu_tex("2.X.8.Z TXB", "XXXX-F", "v", "vf").reads("Like TEX, with w added to the level of detail besides the bias of texture and unit. The three together are clamped. It has no coordinates for SHADOWCUBE and SHADOWARRAY2D.")
            ],
            "result = texture(unit, a.xyz, bias = a.w)",
            "Like TEX, with w added to the level of detail besides the bias of texture and unit. The three together are clamped.";
        Txl "TXL" "Texture lookup at a level" (Vector, TextureImage) -> Vector, TakesW, Texture,
            [
                arb_fp_nv2("3.11.6.6", CS),
                arb_vp_nv3("2.14.5.47").reads("Filtered lookup at (s,t,r) = x, y, z with the level of detail that w gives, to which the bias of texture and unit is added."),
                gpu_tex("2.X.8.Z TXL", "XXXX-F", "v", "vf").reads("Filtered lookup at (s,t,r) = x, y, z with the level of detail that w gives, to which the bias of texture and unit is added. In fragment programs it does not depend on neighbours, so it is right in divergent flow too. It has no coordinates for SHADOWCUBE and SHADOWARRAY2D.")
            ],
            "result = texture(unit, a.xyz, level = a.w)",
            "Filtered lookup at (s,t,r) = x, y, z with the level of detail that w gives, to which the bias of texture and unit is added. It does not depend on neighbours, so it is right in divergent flow too.";
        Txf "TXF" "Texel fetch" (Vector, TextureImage) -> Vector, Fetches, Texture,
            [gpu_tex("2.X.8.Z TXF", "XXXX-F", "v", "vi")],
            "result = texel (a.x, a.y, a.z) of level a.w of the texture",
            "Reads one texel without filter and wrap modes. The operand holds signed integers: the texel's place along each axis that the target has, and in w the level, counted from the base level. Levels above the base level need a minification filter with mipmaps. Outside the image or the levels the result is undefined (here 0). CUBE and SHADOW targets are not taken.";
        Txfms "TXFMS" "Multisample texel fetch" (Vector, TextureImage) -> Vector, FetchesSamples, Texture,
            [gpu_tex("2.X.4.4", "XXXX-F", "v", "vi").of("NV_texture_multisample")],
            "result = sample a.w of texel (a.x, a.y, a.z) of the texture",
            "Reads one sample of a texel of a multisample texture. The operand holds signed integers: the texel's place in x and y, the layer of ARRAY2DMS in z, and in w the number of the sample, which is where GetMultisamplefv says. Outside the image and for a sample that there is not the result is undefined (here 0). It comes with the options NV_texture_multisample (targets 2DMS and ARRAY2DMS) and NV_explicit_multisample (RENDERBUFFER).";
        Txq "TXQ" "Texture size query" (Vector, TextureImage) -> Vector, Queries, Texture,
            [gpu_tex("2.X.8.Z TXQ", "-----S", "vi", "vi")],
            "result = (width, height, depth) of level a.x of the texture",
            "Integers: the size of the level that x, a signed integer counted from the base level, says, along as many axes as the target has. The other components, and all of them for a level that there is not, are undefined (here 0)."
            => "INT TEMP size; TXQ size, 0, texture[0], 2D; I2F.S {r}, size;";
        Txg "TXG" "Texture gather" (Vector, TextureImage) -> Vector, Gathers, Texture,
            [gpu5_tex("2.X.8.Z TXG", "XXXX-F", "v", "vf")],
            "result = component of the texels (i0,j1), (i1,j1), (i1,j0), (i0,j0) at a",
            "One component of the four texels of the base level that a LINEAR filter would blend: x has the upper left one, y the upper right, z the lower right, w the lower left. A letter behind the unit says which component, x without one. SHADOW targets give 1 for each texel that passes the comparison, else 0.";
        Txgo "TXGO" "Texture gather with offsets" (Vector, Vector, Vector, TextureImage) -> Vector, GathersApart, Texture,
            [gpu5_tex("2.X.8.Z TXGO", "XXXX-F", "v", "vf,vi,vi")],
            "result = component of four texels at a, moved by b and c",
            "Like TXG, with an offset in texels of its own for each of the four: signed integers from -32 to 31, the second operand along s, the third along t. They are added to the lower left one of the texels that LINEAR would blend. Outside these limits, or where the texture wraps with CLAMP, the result is undefined (here 0).";
        Lod "LOD" "Level of detail" (Vector, TextureImage) -> Vector, QueriesLevel, Texture,
            [gpu5_tex("2.X.8.Z LOD", "X-XX-F", "v", "vf")],
            "result = (level of detail at a with clamps, without them)",
            "What level of detail TEX would have: in x the level, counted from the base level, that the minification filter works with; in y the same before it is clamped and rounded. z and w are undefined (here 0).";
        Ddx "DDX" "Derivative along x" (Vector) -> Vector, Free, Derivative,
            [
                fp1("3.11.5.3", RHCS),
                arb_fp_nv("3.11.5.30", RHCS),
                gpu_fp("2.X.8.Z DDX", "X-XXXF", "v", "v")
            ],
            "result = d a / d x",
            "How fast each component changes from one pixel to its right neighbour, taken as a difference within the 2x2 quad. Killed and uncovered neighbours still run, so the difference always exists. A derivative of a derivative is zero or meaningless."
            => "DDX {r}, {attribute};";
        Ddy "DDY" "Derivative along y" (Vector) -> Vector, Free, Derivative,
            [
                fp1("3.11.5.4", RHCS),
                arb_fp_nv("3.11.5.31", RHCS),
                gpu_fp("2.X.8.Z DDY", "X-XXXF", "v", "v")
            ],
            "result = d a / d y",
            "How fast each component changes from one pixel to the one above it (y grows upwards), taken as a difference within the 2x2 quad."
            => "DDY {r}, {attribute};";
        Ipac "IPAC" "Interpolate at the centroid" (Vector) -> Vector, Evaluates, Interpolation,
            [
                gpu5_fp("2.X.8.Z IPAC", "X-XX-F", "v", "v")
            ],
            "result = attribute a at the centroid",
            "What the attribute is at the centroid, a place of the pixel that the primitive covers, whether its variable is declared CENTROID, SAMPLE or neither. FLAT and NOPERSPECTIVE hold as declared. With one sample a pixel the centroid is the centre, so the result is that of MOV. Swizzle and signs are applied to the interpolated value."
            => "IPAC {r}, {attribute};";
        Ipao "IPAO" "Interpolate at an offset" (Vector, Vector) -> Vector, Evaluates, Interpolation,
            [
                gpu5_fp("2.X.8.Z IPAO", "X-XX-F", "v", "v,v")
            ],
            "result = attribute a at the centre of the pixel + (b.x, b.y)",
            "What the attribute is (b.x, b.y) pixels right of and above the centre of the pixel, with perspective correction unless its variable is declared NOPERSPECTIVE. One that is FLAT is the same everywhere; CENTROID and SAMPLE do not matter. Offsets are rounded to 1024ths of a pixel. From -0.5 to 0.5 they are defined; beyond that the result is undefined (here 0). Swizzle and signs are applied to the interpolated value."
            => "IPAO {r}, {attribute}, {b}.x;";
        Ipas "IPAS" "Interpolate at a sample" (Vector, Scalar) -> Vector, Evaluates, Interpolation,
            [
                gpu5_fp("2.X.8.Z IPAS", "X-XX-F", "v", "v,su")
            ],
            "result = attribute a at sample b of the pixel",
            "What the attribute is at the sample with this number, an integer, whether its variable is declared CENTROID, SAMPLE or neither. FLAT and NOPERSPECTIVE hold as declared. Without a multisample buffer that is the centre of the pixel, whatever the number, so the result is that of MOV. Swizzle and signs are applied to the interpolated value."
            => "IPAS {r}, {attribute}, 0;";
        Kil "KIL" "Discard the fragment" (Condition) -> None, Free, Kill,
            [
                fp1("3.11.5.11", NONE),
                arb_fp_plain("3.11.6.4").bare().takes(&[OperandKind::Vector]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is below zero (neither zero nor NaN is). With OPTION NV_fragment_program the operand can be a condition code test instead. Nothing is drawn for the fragment; it goes on running only as a neighbour for derivatives."),
                arb_fp_from_nv1("3.11.6.4", NONE).takes(&[OperandKind::VectorOrCondition]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is below zero (neither zero nor NaN is). The operand can be a condition code test instead: then it discards if the test holds for any of the four components. Nothing is drawn for the fragment; it goes on running only as a neighbour for derivatives."),
                gpu_fp("2.X.8.Z KIL", "XX--XF", "", "v").takes(&[OperandKind::VectorOrCondition]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is below zero (neither zero nor NaN nor an unsigned integer is). The operand can be a condition code test instead: then it discards if the test holds for any of the four components. Nothing is drawn for the fragment; it goes on running only as a neighbour for derivatives.")
            ],
            "if (any tested condition code is true) discard",
            "Discards the fragment if the test is true for any of the four (swizzled) condition code components. Nothing is drawn for it; it goes on running only as a neighbour for derivatives."
            => "SUB {r}, {attribute}, {b}.x; {kill}";
        }
    };
}
