//! GPU addresses: each buffer gets its own for as long as it has its bytes (NV_shader_buffer_load 2.9).

/// Gives out addresses. None is 0, and between buffers there is room, so that whoever runs over the end of one meets nobody.
#[derive(Clone, Debug)]
pub struct Addresses {
    next: u64,
}

impl Default for Addresses {
    fn default() -> Self {
        Self { next: 1 << 32 }
    }
}

impl Addresses {
    /// What every address is a multiple of: enough for the largest access, and for a page to begin there.
    pub const ALIGNMENT: u64 = 4096;

    /// `MAX_SHADER_BUFFER_ADDRESS_NV`: no buffer reaches beyond.
    pub const MAX: u64 = (1 << 40) - 1;

    /// An address for a buffer of `length` bytes; none when all have been given out.
    pub fn assign(&mut self, length: u64) -> Option<u64> {
        let address = self.next;
        let end = address.checked_add(length)?.checked_next_multiple_of(Self::ALIGNMENT)?;
        let next = end.checked_add(Self::ALIGNMENT)?;
        (next <= Self::MAX).then(|| {
            self.next = next;
            address
        })
    }
}
