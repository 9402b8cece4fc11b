//! Buffer objects at GPU addresses: residency, address queries and barriers (NV_shader_buffer_load 2.9,
//! NV_shader_buffer_store 2.9, EXT_shader_image_load_store 2.14.X).

use super::Context;
use super::buffers::{BufferId, Object};
use super::enums::{self, BufferTarget, EnumArgument};
use super::error::{Error, Result, named};
use shadestep_core::memory::{AddressBits, Mode};

const CLAUSE: &str = "NV_shader_buffer_load 2.9";
const QUERY: &str = "NV_shader_buffer_load 6.1.13";

/// All barrier bits of MemoryBarrierEXT.
const BARRIERS: u32 = 0x1FFF;

impl Object {
    /// `MakeBufferResidentNV`
    fn make_resident(&mut self, mode: Mode) -> Result<()> {
        if self.resident.is_some() {
            return Err(Error::invalid_operation(CLAUSE, "the buffer object is already resident"));
        }
        self.gpu_address(CLAUSE)?;
        self.resident = Some(mode);
        Ok(())
    }

    /// `MakeBufferNonResidentNV`
    fn make_non_resident(&mut self) -> Result<()> {
        let was = self.resident.take();
        was.map(drop).ok_or_else(|| Error::invalid_operation(CLAUSE, "the buffer object is not resident"))
    }

    /// `BUFFER_GPU_ADDRESS_NV`
    fn gpu_address(&self, clause: &'static str) -> Result<u64> {
        let none = || Error::invalid_operation(clause, "the buffer object has no data store");
        self.address.ok_or_else(none)
    }
}

/// Residency of buffer objects.
impl Context {
    /// `MakeBufferResidentNV`: gives programs access to the data store of the buffer object bound to the
    /// target, at its GPU address. `access` is the kind of access.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target or access; `INVALID_OPERATION` if nothing is bound, and if the
    /// buffer object is already resident or has no data store.
    pub fn make_buffer_resident(
        &mut self,
        target: impl EnumArgument<BufferTarget>,
        access: impl EnumArgument<Mode>,
    ) -> Result<()> {
        self.command("MakeBufferResidentNV", |context| {
            let target: BufferTarget = named(target, CLAUSE, "target")?;
            let mode = named(access, CLAUSE, "access")?;
            context.buffers.current_mut(target, CLAUSE)?.make_resident(mode)
        })
    }

    /// `MakeBufferNonResidentNV`: ends the access of programs.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` if nothing is bound or the object is not
    /// resident.
    pub fn make_buffer_non_resident(&mut self, target: impl EnumArgument<BufferTarget>) -> Result<()> {
        self.command("MakeBufferNonResidentNV", |context| {
            context.buffers.current_mut(target, CLAUSE)?.make_non_resident()
        })
    }

    /// `IsBufferResidentNV`
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` if nothing is bound.
    pub fn is_buffer_resident(&self, target: impl EnumArgument<BufferTarget>) -> Result<bool> {
        self.query("IsBufferResidentNV", || Ok(self.buffers.current(target, QUERY)?.resident.is_some()))
    }

    /// `MakeNamedBufferResidentNV`: [`Self::make_buffer_resident`] for the buffer object `buffer`, which is
    /// created if it does not exist.
    ///
    /// # Errors
    /// As [`Self::make_buffer_resident`], and `INVALID_OPERATION` if `buffer` is 0.
    pub fn make_named_buffer_resident(&mut self, buffer: u32, access: impl EnumArgument<Mode>) -> Result<()> {
        self.command("MakeNamedBufferResidentNV", |context| {
            let mode = named(access, CLAUSE, "access")?;
            context.named_buffer(buffer)?.make_resident(mode)
        })
    }

    /// `MakeNamedBufferNonResidentNV`
    ///
    /// # Errors
    /// `INVALID_OPERATION` if `buffer` is 0, or not resident.
    pub fn make_named_buffer_non_resident(&mut self, buffer: u32) -> Result<()> {
        self.command("MakeNamedBufferNonResidentNV", |context| {
            context.named_buffer(buffer)?.make_non_resident()
        })
    }

    /// `IsNamedBufferResidentNV` of the buffer object `buffer`, which is created if it does not exist.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if `buffer` is 0.
    pub fn is_named_buffer_resident(&mut self, buffer: u32) -> Result<bool> {
        self.command("IsNamedBufferResidentNV", |context| {
            Ok(context.named_buffer(buffer)?.resident.is_some())
        })
    }

    /// `GetBufferParameterui64vNV` of `BUFFER_GPU_ADDRESS_NV`: the address of the data store. It is valid
    /// until the store is replaced or the buffer object deleted, a multiple of 4096, and never 0.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target, `INVALID_OPERATION` if nothing is bound or the object has no
    /// data store.
    pub fn get_buffer_gpu_address(&self, target: impl EnumArgument<BufferTarget>) -> Result<u64> {
        self.query("GetBufferParameterui64vNV", || self.buffers.current(target, QUERY)?.gpu_address(QUERY))
    }

    /// `GetNamedBufferParameterui64vNV` of `BUFFER_GPU_ADDRESS_NV`
    ///
    /// # Errors
    /// `INVALID_OPERATION` if `buffer` is 0 or the buffer object has no data store.
    pub fn get_named_buffer_gpu_address(&mut self, buffer: u32) -> Result<u64> {
        self.command("GetNamedBufferParameterui64vNV", |context| {
            context.named_buffer(buffer)?.gpu_address(QUERY)
        })
    }

    /// Sets the address range for new data stores. In a GL this is up to the implementation. Initially
    /// addresses are beyond 4 GB.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn choose_address_bits(&mut self, bits: AddressBits) -> Result<()> {
        self.command("ChooseAddressBits", |context| {
            context.buffers.addresses.bits = bits;
            Ok(())
        })
    }

    /// `GetIntegerui64vNV` of `MAX_SHADER_BUFFER_ADDRESS_NV`: the greatest address.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_max_shader_buffer_address(&self) -> Result<u64> {
        self.query("GetIntegerui64vNV", || Ok(self.buffers.addresses.bits.max()))
    }

    /// `MemoryBarrierEXT`: makes earlier writes of programs visible to later commands. Draws take effect in
    /// sequence here, so the command has no effect.
    ///
    /// # Errors
    /// `INVALID_VALUE` for unknown bits, unless all bits are set.
    pub fn memory_barrier(&mut self, barriers: u32) -> Result<()> {
        self.command("MemoryBarrierEXT", |_| {
            if barriers == enums::ALL_BARRIER_BITS_EXT || barriers & !BARRIERS == 0 {
                return Ok(());
            }
            let reason = format!("the bits {:#x} do not name barriers", barriers & !BARRIERS);
            Err(Error::invalid_value("EXT_shader_image_load_store 2.14.X", reason))
        })
    }

    fn named_buffer(&mut self, name: u32) -> Result<&mut Object> {
        let id: Option<BufferId> = (name != 0).then(|| self.buffers.make(name));
        let object = id.and_then(|id| self.buffers.object_mut(id));
        object.ok_or_else(|| Error::invalid_operation(CLAUSE, "0 is not the name of a buffer object"))
    }
}
