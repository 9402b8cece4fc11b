//! GPU addresses: each buffer gets its own for as long as it has its bytes (NV_shader_buffer_load 2.9).

/// Where buffers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressBits {
    /// Below 4 GB, so that programs without registers of 64 bits reach them (NV_shader_buffer_load, issue 15).
    Bits32,
    /// Beyond, so that programs which lose the upper half of an address reach nothing.
    #[default]
    Bits64,
}

impl AddressBits {
    /// `MAX_SHADER_BUFFER_ADDRESS_NV`: no buffer reaches beyond.
    pub const fn max(self) -> u64 {
        match self {
            Self::Bits32 => u32::MAX as u64,
            Self::Bits64 => (1 << 40) - 1,
        }
    }
}

/// Gives out addresses. None is 0, and between buffers there is room, so that whoever runs over the end of one meets nobody.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// What is given out now.
    pub bits: AddressBits,
    /// The next ones, by their bits.
    next: [u64; 2],
}

impl Default for Addresses {
    fn default() -> Self {
        Self::new(AddressBits::default())
    }
}

impl Addresses {
    /// What every address is a multiple of: enough for the largest access, and for a page to begin there.
    pub const ALIGNMENT: u64 = 4096;

    /// All of `bits` are free.
    pub const fn new(bits: AddressBits) -> Self {
        Self { bits, next: [1 << 16, 1 << 32] }
    }

    /// An address for a buffer of `length` bytes; none when all have been given out.
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
