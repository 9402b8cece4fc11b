//! Rows of the instruction table: loads, stores, atomics and barriers. [`super`] turns the rows into the
//! table.

macro_rules! memory {
    (($next:path) $($rest:tt)*) => {
        $next! { $($rest)*
        Ldc "LDC" "Load from a parameter buffer" (Vector) -> Vector, Free, Memory,
            LoadsConstants(each(Kernel::Bits, EACH_1)), [
                memory("2.X.8.Z LDC", "--XX--", "v", "v").extended(),
                memory4("2.X.8.Z LDC", "--XX--", "v", "v").needs(MemoryOption::ConstantBuffers)
            ],
            "result = components at a",
            "Reads values from a program parameter buffer. The index of the CBUFFER variable gives the byte offset. The storage modifier gives the type and number of components; the remaining components are 0. Swizzle and signs are applied to the values read. The byte offset must be a multiple of the size of the access. Components outside the buffer are 0."
            => "CBUFFER block[] = { program.buffer[0] }; LDC.F32X4 {r}, block[0];";
        Load "LOAD" "Load from memory" (Scalar) -> Vector, Free, Memory,
            Accesses(Load, Address), [
                memory("2.X.8.Z LOAD", "--XX--", "v", "su").extended().caches(),
                memory4("2.X.8.Z LOAD", "--XX--", "v", "su").needs(MemoryOption::BufferLoads)
            ],
            "result = components at address a",
            "Reads values from memory at the address in the operand, a 64-bit unsigned integer. The storage modifier gives the type and number of components; the remaining components are 0. The address must be a multiple of the size of the access and lie in a buffer that is resident for reading. Components outside that buffer are 0."
            => "{pointer} LOAD.F32X4 {r}, {at};";
        Store "STORE" "Store to memory" (Vector, Scalar) -> None, Free, Memory,
            Accesses(Store, Address), [
                memory("2.X.8.Z STORE", "------", "", "v,su").extended().caches()
            ],
            "components at address b = a",
            "Writes values to memory at the address in the second operand, a 64-bit unsigned integer. The storage modifier gives the type and number of components. The address must be a multiple of the size of the access, and the whole access must lie in a buffer that is resident for writing. Otherwise nothing is stored. Each invocation stores once. In fragment programs, helper invocations and discarded fragments store nothing."
            => "{pointer} STORE.F32X4 {a}, {at}; MOV {r}, {a};";
        Atom "ATOM" "Atomic memory operation" (Vector, Scalar) -> Vector, Free, Memory,
            Accesses(Atomic, Address), [
                memory("2.X.8.Z ATOM", "--X---", "s", "v,su").atomic()
            ],
            "result.x = value at address b; value at address b = operation(value, a)",
            "Combines a value in memory with x of the first operand, in one atomic step. The address is in the second operand. CSWAP stores y if the value equals x. The result is the old value in x; y, z and w are undefined (0 in Shadestep). The address must be a multiple of the size of the value and lie in a buffer that is resident for reading and writing. In fragment programs, helper invocations and discarded fragments change nothing and get 0."
            => "UINT TEMP before; {pointer} ATOM.ADD.U32 before.x, {3, 0, 0, 0}, {at}; I2F.U {r}, before.x;";
        Loadim "LOADIM" "Image load" (Vector, ImageUnit, ImageTarget) -> Vector, Free, Memory,
            Accesses(Load, Image), [
                image("2.X.8.Z LOADIM", "--XX--", "v", "vi").storing().caches()
            ],
            "result = bits of texel a of the image",
            "Reads a texel of the image bound to the unit. The operand holds signed integers: the texel coordinate along each axis of the target, the layer or face in z, and the sample of multisample targets in w. The bits are not converted. The storage modifier says how to read them, and its size must match the format of the unit. Components that the modifier lacks are 0, or 1 for w. A texel outside the image, or an image that cannot be read this way, gives 0."
            => "LOADIM.F32 {r}, {1, 1}, image[0], 2D;";
        Storeim "STOREIM" "Image store" (ImageUnit, Vector, Vector, ImageTarget) -> None, Free, Memory,
            Accesses(Store, Image), [
                image("2.X.8.Z STOREIM", "-----F", "", "v,vi").storing().caches().converting()
            ],
            "texel b of the image = a",
            "Writes the first operand to a texel of the image bound to the unit. The second operand gives the texel coordinates as signed integers. With F, S or U, or without a modifier, the values are converted to the format of the unit. A storage modifier stores the bits unchanged, and its size must match the format. If the size does not match or the texel is outside the image, nothing is stored. Each invocation stores once. In fragment programs, helper invocations and discarded fragments store nothing."
            => "STOREIM.F32 image[0], {a}, {1, 1}, 2D; MOV {r}, {a};";
        Atomim "ATOMIM" "Atomic image operation" (Vector, Vector, ImageUnit, ImageTarget) -> Vector, Free, Memory,
            Accesses(Atomic, Image), [
                image("2.X.8.Z ATOMIM", "--X---", "s", "v,vi").atomic32()
            ],
            "result.x = texel b of the image; texel b = operation(texel b, a)",
            "Combines a texel of the image bound to the unit with x of the first operand, in one atomic step. The second operand gives the texel coordinates. CSWAP stores y if the texel equals x. The format of the unit must have 32 bits per texel. The result is the old value in x; y, z and w are undefined (0 in Shadestep). In fragment programs, helper invocations and discarded fragments change nothing and get 0."
            => "UINT TEMP before; ATOMIM.ADD.U32 before.x, {3, 0, 0, 0}, {1, 1}, image[0], 2D; I2F.U {r}, before.x;";
        Membar "MEMBAR" "Memory barrier" () -> None, Free, Memory,
            Orders, [
                gpu5("2.X.8.Z MEMBAR", "------", "", "").bare()
            ],
            "nothing",
            "Completes all earlier memory reads and writes of the invocation before any later ones."
            => "{pointer} STORE.F32X4 {a}, {at}; MEMBAR; LOAD.F32X4 {r}, {at};";
        }
    };
}

pub(crate) use memory;
