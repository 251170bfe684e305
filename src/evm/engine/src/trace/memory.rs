//! Memory as tracers read it before an instruction runs.

use revm::{
    interpreter::{interpreter_types::MemoryTr, Interpreter},
    primitives::U256,
};

/// Memory that an instruction names and that is not there yet counts as zeros up to here.
const PADDING_BYTES: u64 = 1 << 20;

/// The memory that an instruction names, with zeros where there is none yet; nothing beyond reason.
pub fn padded(interpreter: &Interpreter, offset: U256, length: U256) -> Option<Vec<u8>> {
    let low = |word: U256| word.as_limbs()[0];
    let (start, held) = (low(offset), interpreter.memory.size() as u64);
    let end = start.checked_add(low(length))?;
    if end > held + PADDING_BYTES {
        return None;
    }
    let mut bytes = vec![0; (end - start) as usize];
    let shared = held.min(end).saturating_sub(start) as usize;
    if shared > 0 {
        bytes[..shared].copy_from_slice(&interpreter.memory.slice_len(start as usize, shared));
    }
    Some(bytes)
}
