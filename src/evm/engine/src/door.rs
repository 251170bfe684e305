//! The door itself: what the engine imports and exports. The only place with raw pointers.
//!
//! An `Engine` and a `HostFrame` cross as handles: addresses that the host got from here and gives
//! back unchanged, the frame only while its `host_call` runs. One thread, no reentry into an engine
//! that is executing: the host takes another instance for that.

use crate::{abi::*, engine::Engine, host::HostThrew, precompiles::HostFrame};
use revm::{
    primitives::{Address, Bytes, B256, U256},
    state::EvmState,
};

mod journal;
mod view;

pub use view::View;

#[cfg(target_arch = "wasm32")]
mod host {
    #[link(wasm_import_module = "host")]
    extern "C" {
        pub fn read_account(address: *const u8, out: *mut u8) -> u32;
        pub fn read_slot(address: *const u8, key: *const u8, out: *mut u8) -> u32;
        pub fn read_code(hash: *const u8, buffer: usize) -> u32;
        pub fn read_block_hash(height: u64, out: *mut u8) -> u32;
        pub fn host_call(call: *const u8, frame: usize, buffer: usize) -> u32;
        pub fn step(pc: u32, opcode: u32, gas: u64, depth: u32, stack: *const u8, height: u32) -> u32;
        pub fn write_trace(bytes: *const u8, length: u32) -> u32;
        pub fn script_event(event: *const u8, view: usize) -> u32;
    }
}

/// Outside WebAssembly (unit tests of the layouts) there is no host.
#[cfg(not(target_arch = "wasm32"))]
mod host {
    use crate::abi::{CALL_THREW, HOST_THREW};

    pub unsafe fn read_account(_: *const u8, _: *mut u8) -> u32 {
        HOST_THREW
    }
    pub unsafe fn read_slot(_: *const u8, _: *const u8, _: *mut u8) -> u32 {
        HOST_THREW
    }
    pub unsafe fn read_code(_: *const u8, _: usize) -> u32 {
        HOST_THREW
    }
    pub unsafe fn read_block_hash(_: u64, _: *mut u8) -> u32 {
        HOST_THREW
    }
    pub unsafe fn host_call(_: *const u8, _: usize, _: usize) -> u32 {
        CALL_THREW
    }
    pub unsafe fn step(_: u32, _: u32, _: u64, _: u32, _: *const u8, _: u32) -> u32 {
        HOST_THREW
    }
    pub unsafe fn write_trace(_: *const u8, _: u32) -> u32 {
        HOST_THREW
    }
    pub unsafe fn script_event(_: *const u8, _: usize) -> u32 {
        HOST_THREW
    }
}

fn answered(code: u32) -> Result<bool, HostThrew> {
    match code {
        HOST_OK => Ok(true),
        HOST_ABSENT => Ok(false),
        _ => Err(HostThrew),
    }
}

// ---- what the engine asks of the host ----

/// Fills in an `account` record; false when there is none.
pub fn account(address: &Address, out: &mut [u8; ACCOUNT_SIZE]) -> Result<bool, HostThrew> {
    answered(unsafe { host::read_account(address.as_ptr(), out.as_mut_ptr()) })
}

pub fn slot(address: &Address, key: &[u8; 32], out: &mut [u8; 32]) -> Result<bool, HostThrew> {
    answered(unsafe { host::read_slot(address.as_ptr(), key.as_ptr(), out.as_mut_ptr()) })
}

pub fn code(hash: &B256) -> Result<Vec<u8>, HostThrew> {
    let mut out = Vec::new();
    answered(unsafe { host::read_code(hash.as_ptr(), &mut out as *mut Vec<u8> as usize) }).map(|_| out)
}

pub fn block_hash(height: u64) -> Result<B256, HostThrew> {
    let mut out = B256::ZERO;
    answered(unsafe { host::read_block_hash(height, out.as_mut_ptr()) }).map(|_| out)
}

/// Shows the host an instruction; `stack` is the words as revm keeps them, `u256` each.
pub fn step(pc: usize, opcode: u8, gas: u64, depth: usize, stack: &[U256]) -> Result<bool, HostThrew> {
    let (words, height) = (stack.as_ptr().cast(), stack.len() as u32);
    answered(unsafe { host::step(pc as u32, opcode.into(), gas, depth as u32, words, height) })
}

/// Hands the host the next piece of a trace.
pub fn write_trace(bytes: &[u8]) -> Result<bool, HostThrew> {
    answered(unsafe { host::write_trace(bytes.as_ptr(), bytes.len() as u32) })
}

/// Tells a tracer in JavaScript what happens; false when it wants to know no more. Meanwhile the
/// host may ask the view for the state.
pub fn script_event(event: &[u8], state: &EvmState) -> Result<bool, HostThrew> {
    let mut view = View { state, arguments: Vec::new() };
    answered(unsafe { host::script_event(event.as_ptr(), &mut view as *mut View<'_> as usize) })
}

/// How a host precompile ended.
pub enum Ended {
    Success { gas_used: u64, undo: u64, output: Bytes },
    Revert { gas_used: u64, output: Bytes },
    OutOfGas,
    StaticWrite,
}

/// Runs a host precompile; `call` is a `call` record, and the answer a `returned` one.
pub fn host_call(call: &[u8], frame: &mut HostFrame<'_>) -> Result<Ended, HostThrew> {
    let mut out = Vec::new();
    let (frame, buffer) = (frame as *mut HostFrame<'_> as usize, &mut out as *mut Vec<u8> as usize);
    let code = unsafe { host::host_call(call.as_ptr(), frame, buffer) };
    match code {
        CALL_SUCCESS | CALL_REVERT => {
            let (gas_used, undo, output) = read_returned(&out);
            Ok(match code {
                CALL_SUCCESS => Ended::Success { gas_used, undo, output },
                _ => Ended::Revert { gas_used, output },
            })
        }
        CALL_OUT_OF_GAS => Ok(Ended::OutOfGas),
        CALL_STATIC_WRITE => Ok(Ended::StaticWrite),
        _ => Err(HostThrew),
    }
}

fn read_returned(record: &[u8]) -> (u64, u64, Bytes) {
    let mut reader = Reader(record);
    (reader.u64(), reader.u64(), reader.bytes())
}

// ---- what the host asks of the engine ----

/// Returns the handle of a new engine. It lives as long as the instance.
#[no_mangle]
pub extern "C" fn engine_new() -> *mut Engine {
    Box::into_raw(Box::default())
}

/// Returns where to write `length` bytes of input for the next call of the engine.
///
/// # Safety
/// `engine` came from `engine_new` and is not executing.
#[no_mangle]
pub unsafe extern "C" fn input_reserve(engine: *mut Engine, length: u32) -> *mut u8 {
    let input = unsafe { &mut (*engine).input };
    input.clear();
    input.resize(length as usize, 0);
    input.as_mut_ptr()
}

/// Takes the input as an `env` record.
///
/// # Safety
/// As `input_reserve`.
#[no_mangle]
pub unsafe extern "C" fn set_env(engine: *mut Engine) {
    unsafe { &mut *engine }.set_env();
}

/// Takes the input as a `tx` record, runs it, and returns where its `result` record begins.
/// `watched` is not 0 when the host wants every instruction. The transaction is given up after
/// `slice` gas, when that is not all bits.
///
/// # Safety
/// As `input_reserve`, after `set_env`.
#[no_mangle]
pub unsafe extern "C" fn execute(engine: *mut Engine, watched: u32, slice: u64) -> *const u8 {
    let slice = if slice == u64::MAX { None } else { Some(slice) };
    unsafe { &mut *engine }.execute(watched != 0, slice).as_ptr()
}

/// Returns the gas of the slice that the last transaction has left.
///
/// # Safety
/// As `input_reserve`.
#[no_mangle]
pub unsafe extern "C" fn slice_left(engine: *mut Engine) -> u64 {
    unsafe { &*engine }.slice_left()
}

/// Takes the input as `tx bytes | request bytes` (the request is JSON, see `trace`), writes the trace
/// to the host, and returns where the `result` record begins.
///
/// # Safety
/// As `input_reserve`, after `set_env`.
#[no_mangle]
pub unsafe extern "C" fn trace(engine: *mut Engine) -> *const u8 {
    unsafe { &mut *engine }.trace().as_ptr()
}

/// Hashes the input, and returns where its keccak256 begins: 32 bytes.
///
/// # Safety
/// As `input_reserve`.
#[no_mangle]
pub unsafe extern "C" fn keccak256(engine: *mut Engine) -> *const u8 {
    unsafe { &mut *engine }.keccak256().as_ptr()
}

/// Makes room for `length` bytes in a buffer that an import was given, and returns where to write.
///
/// # Safety
/// `buffer` is the argument of the import that is running.
#[no_mangle]
pub unsafe extern "C" fn buffer_reserve(buffer: *mut Vec<u8>, length: u32) -> *mut u8 {
    let buffer = unsafe { &mut *buffer };
    buffer.clear();
    buffer.resize(length as usize, 0);
    buffer.as_mut_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_returned_record_is_read_as_the_host_writes_it() {
        assert_eq!(read_returned(&vector("returned")), (1_000, 2, Bytes::from_static(&[0xbe, 0xef])));
    }
}
