//! [`Store`]: the bytes of a buffer, in pages. Copies of a store share pages until one of them writes, so
//! copying a memory is cheap. A store also tracks which bytes were never written.

use std::sync::Arc;

/// Bytes per page, the unit of sharing and copying.
pub(super) const PAGE: usize = 4096;

type Page = [u8; PAGE];

/// The bytes of a buffer. Copies share pages until they are written.
#[derive(Clone, Debug, Default)]
pub struct Store {
    pages: Vec<Arc<Page>>,
    length: u64,
    /// For each page, whether it was written since the last [`Memory::snapshot`]. Empty before the first
    /// write.
    changed: Vec<bool>,
    /// Number of changed pages.
    changed_count: usize,
    /// For each page, a bit for each byte that was never written; `None` for a page without such bytes. Empty
    /// if all bytes are written.
    unwritten: Vec<Option<Arc<Bits>>>,
}

/// A bit for each byte of a page.
type Bits = [u64; PAGE / 64];

impl PartialEq for Store {
    /// Compares the bytes.
    fn eq(&self, other: &Self) -> bool {
        // Pages are 0 beyond the end of the buffer.
        let same = |(a, b): (&Arc<Page>, &Arc<Page>)| Arc::ptr_eq(a, b) || a == b;
        self.length == other.length && self.pages.iter().zip(&other.pages).all(same)
    }
}

impl Eq for Store {}

impl Store {
    /// A store with these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let page = |bytes: &[u8]| {
            let mut page = [0; PAGE];
            page[..bytes.len()].copy_from_slice(bytes);
            Arc::new(page)
        };
        let pages = bytes.chunks(PAGE).map(page).collect();
        let (changed, unwritten) = (Vec::new(), Vec::new());
        Self { pages, length: bytes.len() as u64, changed, changed_count: 0, unwritten }
    }

    /// A store of `length` bytes that count as never written. Their value is 0.
    pub fn unwritten(length: u64) -> Self {
        let count = length.div_ceil(PAGE as u64) as usize;
        let (page, bits) = (Arc::new([0; PAGE]), Arc::new([u64::MAX; PAGE / 64]));
        let (pages, unwritten) = (vec![page; count], vec![Some(bits); count]);
        Self { pages, length, changed: Vec::new(), changed_count: 0, unwritten }
    }

    /// Whether any of the `length` bytes from `offset` on was never written.
    pub fn is_unwritten(&self, offset: u64, length: u64) -> bool {
        let bit = |at: u64| {
            let (page, at) = place(at);
            let bits = self.unwritten.get(page).and_then(Option::as_ref);
            bits.is_some_and(|bits| bits[at / 64] >> (at % 64) & 1 != 0)
        };
        !self.unwritten.is_empty() && (offset..offset + length).any(bit)
    }

    /// Size in bytes.
    pub const fn len(&self) -> u64 {
        self.length
    }

    /// Whether the store is empty.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// A copy of all bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.length as usize];
        self.read(0, &mut bytes);
        bytes
    }

    /// Copies the bytes from `offset` on. The range must be within the store.
    pub fn read(&self, offset: u64, into: &mut [u8]) {
        let (mut page, mut at) = place(offset);
        let mut left = into;
        while !left.is_empty() {
            let here = left.len().min(PAGE - at);
            let (now, later) = left.split_at_mut(here);
            now.copy_from_slice(&self.pages[page][at..at + here]);
            (left, page, at) = (later, page + 1, 0);
        }
    }

    /// Replaces the bytes from `offset` on. The range must be within the store.
    pub fn write(&mut self, offset: u64, from: &[u8]) {
        self.changed.resize(self.pages.len(), false);
        let (mut page, mut at) = place(offset);
        let mut left = from;
        while !left.is_empty() {
            let here = left.len().min(PAGE - at);
            let (now, later) = left.split_at(here);
            Arc::make_mut(&mut self.pages[page])[at..at + here].copy_from_slice(now);
            if let Some(Some(bits)) = self.unwritten.get_mut(page) {
                let bits = Arc::make_mut(bits);
                (at..at + here).for_each(|at| bits[at / 64] &= !(1 << (at % 64)));
            }
            self.changed_count += usize::from(!std::mem::replace(&mut self.changed[page], true));
            (left, page, at) = (later, page + 1, 0);
        }
    }

    /// Restarts counting of written pages.
    pub(super) fn count_anew(&mut self) {
        (self.changed, self.changed_count) = (Vec::new(), 0);
    }

    /// Size in bytes of the memory that is not shared with another copy.
    pub(super) fn bytes_apart(&self, other: &Self) -> usize {
        let apart = self.pages.iter().zip(&other.pages).filter(|(a, b)| !Arc::ptr_eq(a, b)).count();
        apart * PAGE + self.pages.len() * (size_of::<Arc<Page>>() + 1)
    }

    /// Size in bytes of the pages written since the last snapshot.
    pub(super) fn bytes_changed(&self) -> usize {
        if self.changed_count == 0 {
            return 0;
        }
        self.changed_count * PAGE + self.pages.len() * (size_of::<Arc<Page>>() + 1)
    }
}

/// The page of a byte, and the offset in the page.
const fn place(offset: u64) -> (usize, usize) {
    ((offset / PAGE as u64) as usize, (offset % PAGE as u64) as usize)
}
