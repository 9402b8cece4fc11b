//! Rows of the instruction table: loads, stores, atomics and their order.

macro_rules! memory {
    ($next:ident! $($rest:tt)*) => {
        $next! { $($rest)*
        Ldc "LDC" "Load from a parameter buffer" (Vector) -> Vector, Free, Memory,
            [
                memory("2.X.8.Z LDC", "--XX--", "v", "v").extended(),
                memory4("2.X.8.Z LDC", "--XX--", "v", "v").of("NV_parameter_buffer_object2")
            ],
            "result = components at a",
            "Reads components of the type and number that the storage modifier says from a program parameter buffer, at the byte that the index of the CBUFFER variable says. Components that the modifier does not have are 0. Swizzle and signs are applied to what was read. The byte must be a multiple of the size of what is read. Components outside the buffer read 0."
            => "CBUFFER block[] = { program.buffer[0] }; LDC.F32X4 {r}, block[0];";
        Load "LOAD" "Load from memory" (Scalar) -> Vector, Free, Memory,
            [
                memory("2.X.8.Z LOAD", "--XX--", "v", "su").extended().caches(),
                memory4("2.X.8.Z LOAD", "--XX--", "v", "su").of("NV_shader_buffer_load")
            ],
            "result = components at address a",
            "Reads components of the type and number that the storage modifier says from the address in the operand, an unsigned integer of 64 bits. Components that the modifier does not have are 0. The address must be a multiple of the size of what is read and lie in a buffer that is resident for reading; whatever it does not hold reads 0."
            => "{pointer} LOAD.F32X4 {r}, {at};";
        Store "STORE" "Store to memory" (Vector, Scalar) -> None, Free, Memory,
            [
                memory("2.X.8.Z STORE", "------", "", "v,su").extended().caches()
            ],
            "components at address b = a",
            "Writes components of the type and number that the storage modifier says to the address in the second operand, an unsigned integer of 64 bits. The address must be a multiple of the size of what is written, and all of it must lie in a buffer that is resident for writing; otherwise nothing is stored. Each invocation stores once. In fragment programs helpers and discarded fragments store nothing."
            => "{pointer} STORE.F32X4 {a}, {at}; MOV {r}, {a};";
        Atom "ATOM" "Atomic memory operation" (Vector, Scalar) -> Vector, Free, Memory,
            [
                memory("2.X.8.Z ATOM", "--X---", "s", "v,su").atomic()
            ],
            "result.x = value at address b; value at address b = operation(value, a)",
            "Reads one value from the address in the second operand, combines it with x of the first (CSWAP: stores y where the value equals x) and writes the outcome back, as one atomic step. The result is what memory held before, in x; y, z and w are undefined (here 0). The address must be a multiple of the size of the value and lie in a buffer that is resident for reading and writing. In fragment programs helpers and discarded fragments change nothing and get 0."
            => "UINT TEMP before; {pointer} ATOM.ADD.U32 before.x, {3, 0, 0, 0}, {at}; I2F.U {r}, before.x;";
        Loadim "LOADIM" "Image load" (Vector, ImageUnit, ImageTarget) -> Vector, Free, Memory,
            [
                image("2.X.8.Z LOADIM", "--XX--", "v", "vi").storing().caches()
            ],
            "result = bits of texel a of the image",
            "Reads the texel of the image on the unit whose place the operand says: signed integers along as many axes as the target has, z the layer or face, and w the sample of multisample targets. The bits are not converted: the storage modifier says what they are, and must have the size of the format that the unit has. Components that the modifier does not have are 0, 0 and 1. A texel that there is not, and an image that cannot be read so, gives 0."
            => "LOADIM.F32 {r}, {1, 1}, image[0], 2D;";
        Storeim "STOREIM" "Image store" (ImageUnit, Vector, Vector, ImageTarget) -> None, Free, Memory,
            [
                image("2.X.8.Z STOREIM", "-----F", "", "v,vi").storing().caches().converting()
            ],
            "texel b of the image = a",
            "Writes the first operand to the texel of the image on the unit whose place the second one says, signed integers. With F, S or U, or without a modifier, the values are converted to the format of the unit; a storage modifier stores the bits as they are and must have the size of the format. What does not fit, and a texel that there is not, stores nothing. Each invocation stores once. In fragment programs helpers and discarded fragments store nothing."
            => "STOREIM.F32 image[0], {a}, {1, 1}, 2D; MOV {r}, {a};";
        Atomim "ATOMIM" "Atomic image operation" (Vector, Vector, ImageUnit, ImageTarget) -> Vector, Free, Memory,
            [
                image("2.X.8.Z ATOMIM", "--X---", "s", "v,vi").atomic32()
            ],
            "result.x = texel b of the image; texel b = operation(texel b, a)",
            "Reads the texel of the image on the unit whose place the second operand says, combines it with x of the first (CSWAP: stores y where the texel equals x) and writes the outcome back, as one atomic step. The unit has a format of 32 bits a texel. The result is what was there before, in x; y, z and w are undefined (here 0). In fragment programs helpers and discarded fragments change nothing and get 0."
            => "UINT TEMP before; ATOMIM.ADD.U32 before.x, {3, 0, 0, 0}, {1, 1}, image[0], 2D; I2F.U {r}, before.x;";
        Membar "MEMBAR" "Memory barrier" () -> None, Free, Memory,
            [
                gpu5("2.X.8.Z MEMBAR", "------", "", "").bare()
            ],
            "nothing",
            "Has all that the invocation has read and written in memory done before what it reads and writes from here on."
            => "{pointer} STORE.F32X4 {a}, {at}; MEMBAR; LOAD.F32X4 {r}, {at};";
        }
    };
}
