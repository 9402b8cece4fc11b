//! GPU addresses. Each buffer gets its own address, which it keeps as long as its data store
//! (NV_shader_buffer_load 2.9).

/// The range of buffer addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressBits {
    /// Below 4 GB, so that programs without 64-bit registers can use them (NV_shader_buffer_load, issue 15).
    Bits32,
    /// Above 4 GB, so that programs which lose the upper half of an address reach no buffer.
    #[default]
    Bits64,
}

impl AddressBits {
    /// `MAX_SHADER_BUFFER_ADDRESS_NV`: no buffer extends beyond this address.
    pub const fn max(self) -> u64 {
        match self {
            Self::Bits32 => u32::MAX as u64,
            Self::Bits64 => (1 << 40) - 1,
        }
    }
}

/// Assigns addresses. No address is 0. Buffers have gaps between them, so that an overrun does not reach
/// another buffer.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// The range of the next addresses.
    pub bits: AddressBits,
    /// The next address of each range, indexed by [`AddressBits`].
    next: [u64; 2],
}

impl Default for Addresses {
    fn default() -> Self {
        Self::new(AddressBits::default())
    }
}

impl Addresses {
    /// Alignment of addresses in bytes, sufficient for the largest access and for pages.
    pub const ALIGNMENT: u64 = 4096;

    /// An assigner for `bits`, with all addresses free.
    pub const fn new(bits: AddressBits) -> Self {
        Self { bits, next: [1 << 16, 1 << 32] }
    }

    /// An address for a buffer of `length` bytes; `None` if the range is exhausted.
    pub fn assign(&mut self, length: u64) -> Option<u64> {
        let place = &mut self.next[self.bits as usize];
        let address = *place;
        let end = address.checked_add(length)?.checked_next_multiple_of(Self::ALIGNMENT)?;
        let next = end.checked_add(Self::ALIGNMENT)?;
        (next <= self.bits.max()).then(|| {
            *place = next;
            address
        })
    }
}
