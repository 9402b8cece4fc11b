//! Memory for invocations on several threads at the same time, in any order. Every word is a processor's
//! atomic, and an access within one word is one atomic operation. Larger accesses are several operations, as
//! on graphics hardware.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::access::Action;
use super::{BufferId, Bytes, Located, Memory, Reason, Request, Store, Transfer};

/// Bytes per word.
const WORD: usize = 8;

/// The buffers of a [`Memory`] as words. The memory itself still resolves addresses.
#[derive(Debug)]
pub(super) struct Concurrent {
    memory: Memory,
    buffers: Vec<Box<[AtomicU64]>>,
}

impl Concurrent {
    pub fn new(memory: Memory) -> Self {
        let words = |store: &Arc<Store>| -> Box<[AtomicU64]> {
            let bytes = store.bytes();
            let word = |bytes: &[u8]| {
                let mut word = [0; WORD];
                word[..bytes.len()].copy_from_slice(bytes);
                AtomicU64::new(u64::from_le_bytes(word))
            };
            bytes.chunks(WORD).map(word).collect()
        };
        let buffers = memory.buffers.iter().map(words).collect();
        Self { memory, buffers }
    }

    /// The memory with the current contents.
    pub fn into_memory(self) -> Memory {
        let Self { mut memory, buffers } = self;
        for (store, words) in memory.buffers.iter_mut().zip(buffers) {
            let length = store.len() as usize;
            let mut bytes: Vec<u8> =
                words.iter().flat_map(|w| w.load(Ordering::Relaxed).to_le_bytes()).collect();
            bytes.truncate(length);
            if store.bytes() != bytes {
                *store = Arc::new(Store::new(&bytes));
            }
        }
        memory
    }

    /// The word that contains the byte at `offset` of a buffer, and the byte's position in the word.
    fn word(&self, buffer: BufferId, offset: u64) -> Option<(&AtomicU64, usize)> {
        let words = self.buffers.get(buffer.0 as usize)?;
        Some((words.get(offset as usize / WORD)?, offset as usize % WORD))
    }

    fn read(&self, buffer: BufferId, offset: u64, into: &mut [u8]) {
        let mut done = 0;
        while done < into.len() {
            let Some((word, at)) = self.word(buffer, offset + done as u64) else { return };
            let here = (WORD - at).min(into.len() - done);
            let bytes = word.load(Ordering::Relaxed).to_le_bytes();
            into[done..done + here].copy_from_slice(&bytes[at..at + here]);
            done += here;
        }
    }

    fn write(&self, buffer: BufferId, offset: u64, from: &[u8]) {
        let mut done = 0;
        while done < from.len() {
            let Some((word, at)) = self.word(buffer, offset + done as u64) else { return };
            let here = (WORD - at).min(from.len() - done);
            let part = &from[done..done + here];
            // Other threads may write the other bytes of the word.
            let with = |old: u64| {
                let mut bytes = old.to_le_bytes();
                bytes[at..at + here].copy_from_slice(part);
                Some(u64::from_le_bytes(bytes))
            };
            if here == WORD {
                let whole = with(0).unwrap_or_default();
                word.store(whole, Ordering::Relaxed);
            } else {
                let _ = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with);
            }
            done += here;
        }
    }

    /// Performs any access.
    pub fn access(&self, request: &Request) -> Transfer {
        let mut transfer = Transfer::new(request);
        let located = match self.memory.locate(request) {
            Ok(located) => located,
            Err(reason) => {
                transfer.fault = Some(reason);
                return transfer;
            }
        };
        let Located { buffer, offset, texel, .. } = located;
        transfer.texel = texel;
        let (size, whole) = (transfer.size(), located.whole(&transfer));
        if whole < size {
            transfer.fault = Some(Reason::OutOfBounds);
        } else {
            transfer.at = Some((buffer, offset));
        }
        match request.action {
            Action::Load => self.read(buffer, offset, &mut transfer.before[..whole]),
            _ if whole < size => {}
            Action::Store(_) => match request.action.result(request.storage, texel, &transfer.before) {
                Ok(after) => {
                    after.iter().for_each(|bytes| self.write(buffer, offset, &bytes[..size]));
                    transfer.after = after;
                }
                Err(reason) => (transfer.fault, transfer.at) = (Some(reason), None),
            },
            Action::Atomic(..) => self.combine(request, (buffer, offset), &mut transfer),
        }
        transfer
    }

    /// Performs an atomic, whose value is within one word.
    fn combine(&self, request: &Request, (buffer, offset): (BufferId, u64), transfer: &mut Transfer) {
        let Some((word, at)) = self.word(buffer, offset) else { return };
        let size = transfer.size();
        let mut old = word.load(Ordering::Relaxed);
        loop {
            let mut bytes = old.to_le_bytes();
            let mut before = Bytes::default();
            before[..size].copy_from_slice(&bytes[at..at + size]);
            // Atomics have no format conversion.
            let result = request.action.result(request.storage, None, &before);
            (transfer.before, transfer.after) = (before, result.unwrap_or_default());
            let Some(after) = transfer.after else { return };
            bytes[at..at + size].copy_from_slice(&after[..size]);
            let new = u64::from_le_bytes(bytes);
            match word.compare_exchange_weak(old, new, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => old = now,
            }
        }
    }
}
