//! Texture targets and the options that add them (Table X.17 of NV_gpu_program4 and NV_gpu_program5). A
//! target determines the coordinates of a lookup and the instructions that take the target.

use super::{Profile, Rule};

named_enum! {
    /// The texture target of a lookup, as written in the program.
    pub enum TextureTarget(facts: Facts) {
        D1 = "1D" => (Facts::of(Self::D1, 1)),
        D2 = "2D" => (Facts::of(Self::D2, 2)),
        D3 = "3D" => (Facts::of(Self::D3, 3)),
        Cube = "CUBE" => (Facts::of(Self::Cube, 2).cube()),
        Rect = "RECT" => (Facts::of(Self::Rect, 2)),
        /// A 1D texture compared with the third coordinate (ARB_fragment_program_shadow).
        Shadow1D = "SHADOW1D" => (Facts::of(Self::D1, 1).compared(2)),
        /// A 2D texture compared with the third coordinate.
        Shadow2D = "SHADOW2D" => (Facts::of(Self::D2, 2).compared(2)),
        /// A RECT texture compared with the third coordinate.
        ShadowRect = "SHADOWRECT" => (Facts::of(Self::Rect, 2).compared(2)),
        /// An array of one-dimensional images (EXT_texture_array).
        Array1D = "ARRAY1D" => (Facts::of(Self::Array1D, 1).layered(1)),
        /// An array of two-dimensional images.
        Array2D = "ARRAY2D" => (Facts::of(Self::Array2D, 2).layered(2)),
        /// A cube map compared with the fourth coordinate.
        ShadowCube = "SHADOWCUBE" => (Facts::of(Self::Cube, 2).cube().compared(3)),
        /// A 1D array compared with the third coordinate.
        ShadowArray1D = "SHADOWARRAY1D" => (Facts::of(Self::Array1D, 1).layered(1).compared(2)),
        /// A 2D array compared with the fourth coordinate.
        ShadowArray2D = "SHADOWARRAY2D" => (Facts::of(Self::Array2D, 2).layered(2).compared(3)),
        /// The texels of a buffer object, for TXF and TXQ (EXT_texture_buffer_object).
        Buffer = "BUFFER" => (Facts::of(Self::Buffer, 1)),
        /// Several samples per texel, for TXFMS and TXQ (NV_texture_multisample).
        Multisample2D = "2DMS" => (Facts::of(Self::Multisample2D, 2)),
        /// An array of 2DMS images.
        MultisampleArray2D = "ARRAY2DMS" => (Facts::of(Self::MultisampleArray2D, 2).layered(2)),
        /// The samples of a renderbuffer, for TXFMS and TXQ (NV_explicit_multisample).
        Renderbuffer = "RENDERBUFFER" => (Facts::of(Self::Renderbuffer, 2)),
        /// An array of cube maps (ARB_texture_cube_map_array).
        ArrayCube = "ARRAYCUBE" => (Facts::of(Self::ArrayCube, 2).cube().layered(3)),
        /// An array of cube maps with depth comparison.
        ShadowArrayCube = "SHADOWARRAYCUBE" => (
            Facts { reference: Some(Reference::Unsaid), ..Facts::of(Self::ArrayCube, 2).cube().layered(3) }
        ),
    }
}

/// The properties of a target from which all others follow.
struct Facts {
    /// The target of the bound texture, e.g. 2D for SHADOW2D.
    image: TextureTarget,
    /// The number of axes of one image.
    axes: u8,
    /// The number of images in one layer: 6 for cube maps, else 1.
    faces: u8,
    /// The component of the coordinates that selects the layer, 0 = x.
    layer: Option<u8>,
    /// The place of the reference value of depth comparisons.
    reference: Option<Reference>,
}

impl Facts {
    const fn of(image: TextureTarget, axes: u8) -> Self {
        Self { image, axes, faces: 1, layer: None, reference: None }
    }

    const fn cube(self) -> Self {
        Self { faces: 6, ..self }
    }

    const fn layered(self, component: u8) -> Self {
        Self { layer: Some(component), ..self }
    }

    const fn compared(self, component: u8) -> Self {
        Self { reference: Some(Reference::Component(component)), ..self }
    }
}

/// The place of the reference value that a lookup compares depths with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference {
    /// A component of the coordinates, 0 = x.
    Component(u8),
    /// No published text names a place: direction and layer use all four components.
    Unsaid,
}

impl TextureTarget {
    /// The targets that textures can have before NV_gpu_program4.
    pub const BASIC: [Self; 5] = [Self::D1, Self::D2, Self::D3, Self::Cube, Self::Rect];

    /// The targets that textures can have.
    pub const TEXTURES: [Self; 12] = [
        Self::D1,
        Self::D2,
        Self::D3,
        Self::Cube,
        Self::Rect,
        Self::Array1D,
        Self::Array2D,
        Self::ArrayCube,
        Self::Buffer,
        Self::Multisample2D,
        Self::MultisampleArray2D,
        Self::Renderbuffer,
    ];

    /// The targets that compare depths before NV_gpu_program4.
    pub const BASIC_SHADOW: [Self; 3] = [Self::Shadow1D, Self::Shadow2D, Self::ShadowRect];

    /// The targets of NV_fragment_program.
    pub const FP1: &[Self] = &Self::BASIC;

    /// The targets of the ARB languages. The SHADOW targets require an option.
    pub const ARB: &[Self] = Self::ALL.split_at(8).0;

    /// The targets of NV_gpu_program4 with EXT_texture_buffer_object. The multisample targets require an
    /// option.
    pub const GPU_4: &[Self] = Self::ALL.split_at(17).0;

    /// The targets of NV_gpu_program5: all.
    pub const GPU_5: &[Self] = &Self::ALL;

    /// The article for the name, "a" or "an".
    ///
    /// ```
    /// use shadestep_language::isa::TextureTarget;
    ///
    /// assert_eq!(TextureTarget::D2.article(), "a");
    /// assert_eq!(TextureTarget::Array2D.article(), "an");
    /// ```
    pub const fn article(self) -> &'static str {
        if self.name().as_bytes()[0] == b'A' { "an" } else { "a" }
    }

    /// The target of the bound texture, e.g. 2D for SHADOW2D.
    #[inline]
    pub const fn image(self) -> Self {
        self.facts().image
    }

    /// Whether lookups compare depths.
    #[inline]
    pub const fn is_shadow(self) -> bool {
        self.facts().reference.is_some()
    }

    /// The number of axes of an image. Lookups filter along each axis.
    #[inline]
    pub const fn axes(self) -> usize {
        self.facts().axes as usize
    }

    /// The number of images in a layer: 6 for cube maps, else 1.
    #[inline]
    pub const fn faces(self) -> usize {
        self.facts().faces as usize
    }

    /// Whether the coordinates are a direction, which selects the face.
    #[inline]
    pub const fn is_cube(self) -> bool {
        self.faces() > 1
    }

    #[inline]
    pub const fn has_samples(self) -> bool {
        matches!(self, Self::Multisample2D | Self::MultisampleArray2D | Self::Renderbuffer)
    }

    /// Whether lookups filter texels. Lookups of other targets read single texels or samples.
    #[inline]
    pub const fn is_filtered(self) -> bool {
        !matches!(self, Self::Buffer) && !self.has_samples()
    }

    /// Whether textures can have more than one mipmap level.
    pub const fn has_mipmaps(self) -> bool {
        self.is_filtered() && !matches!(self, Self::Rect)
    }

    /// The component of the coordinates that selects the layer of an array target, 0 = x.
    #[inline]
    pub const fn layer(self) -> Option<usize> {
        match self.facts().layer {
            Some(component) => Some(component as usize),
            None => None,
        }
    }

    /// The component of the coordinates with the reference value of a SHADOW target, 0 = x. `None` for
    /// SHADOWARRAYCUBE.
    #[inline]
    pub const fn reference(self) -> Option<usize> {
        match self.facts().reference {
            Some(Reference::Component(component)) => Some(component as usize),
            Some(Reference::Unsaid) | None => None,
        }
    }

    /// The number of coordinates, from x on, that give the position in an image or the direction.
    #[inline]
    pub const fn position(self) -> usize {
        if self.is_cube() { 3 } else { self.axes() }
    }

    /// The components of the coordinates that a lookup reads, bit 0 = x: position, layer and reference value.
    #[inline]
    pub const fn coordinates(self) -> u8 {
        let facts = self.facts();
        let mut used = (1 << self.position()) - 1;
        if let Some(layer) = facts.layer {
            used |= 1 << layer;
        }
        if let Some(Reference::Component(component)) = facts.reference {
            used |= 1 << component;
        }
        used
    }

    /// The components that TXF and TXFMS read of their operand, bit 0 = x: position, layer, and the level or
    /// sample in w. BUFFER has only a position (Table X.18).
    #[inline]
    pub const fn texel_coordinates(self) -> u8 {
        if matches!(self, Self::Buffer) { 0b0001 } else { self.coordinates() | 0b1000 }
    }

    /// Whether texture instructions with `rule` take the target (NV_gpu_program4 2.X.4.4 and 2.X.8,
    /// NV_gpu_program5 2.X.8).
    pub fn is_taken_by(self, rule: Rule) -> bool {
        let filtered = self.is_filtered() && (!self.is_shadow() || self.reference().is_some());
        match rule {
            Rule::Filters => filtered,
            Rule::TakesW => filtered && self.coordinates() & 0b1000 == 0,
            Rule::Fetches => !self.is_cube() && !self.is_shadow() && !self.has_samples(),
            Rule::FetchesSamples => self.has_samples(),
            Rule::Queries => true,
            Rule::QueriesLevel => self.is_filtered(),
            Rule::Gathers => filtered && self.axes() == 2,
            Rule::GathersApart => filtered && self.axes() == 2 && !self.is_cube(),
            Rule::Free
            | Rule::WideDestination
            | Rule::WideSource
            | Rule::NoW
            | Rule::LongDestination
            | Rule::LongSource
            | Rule::NoSigns
            | Rule::Evaluates => false,
        }
    }

    /// The number of axes with a texel offset: none for cube maps and buffers (2.X.4.4).
    #[inline]
    pub const fn offset_axes(self) -> usize {
        if self.is_cube() || matches!(self, Self::Buffer) { 0 } else { self.axes() }
    }
}

named_enum! {
    /// A program option that adds texture targets.
    pub enum TargetOption {
        /// The SHADOW targets.
        Shadow = "ARB_fragment_program_shadow",
        /// 2DMS and ARRAY2DMS.
        Multisample = "NV_texture_multisample",
        /// RENDERBUFFER.
        Renderbuffer = "NV_explicit_multisample",
    }
}

impl TargetOption {
    /// The option that lookups of `target` require in programs with `profile`.
    pub fn of(target: TextureTarget, profile: &Profile) -> Option<Self> {
        match target {
            TextureTarget::Multisample2D | TextureTarget::MultisampleArray2D => Some(Self::Multisample),
            TextureTarget::Renderbuffer => Some(Self::Renderbuffer),
            _ => (target.is_shadow() && !profile.typed).then_some(Self::Shadow),
        }
    }
}
