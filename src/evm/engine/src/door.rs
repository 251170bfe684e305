//! The door itself: what the host imports and exports. The only place with raw pointers.
//!
//! An `Engine` and a `HostFrame` cross as handles: addresses that the host got from here and gives
//! back unchanged, the frame only while its `host_call` runs. One thread, no reentry into an engine
//! that is executing: the host takes another instance for that.

use crate::{
    abi::*,
    engine::Engine,
    host::HostThrew,
    precompiles::{HostFrame, JournalError},
};
use revm::primitives::{Address, Bytes, B256, U256};

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
            let mut reader = Reader(&out);
            let (gas_used, undo, output) = (reader.u64(), reader.u64(), reader.bytes());
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
/// `watched` is not 0 when the host wants every instruction.
///
/// # Safety
/// As `input_reserve`, after `set_env`.
#[no_mangle]
pub unsafe extern "C" fn execute(engine: *mut Engine, watched: u32) -> *const u8 {
    unsafe { &mut *engine }.execute(watched != 0).as_ptr()
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

/// Returns where to write `length` bytes of arguments for the next journal call of the frame.
///
/// # Safety
/// `frame` is the argument of the `host_call` that is running; the same for every `journal_*`.
#[no_mangle]
pub unsafe extern "C" fn frame_arguments(frame: *mut HostFrame<'static>, length: u32) -> *mut u8 {
    unsafe { buffer_reserve(&mut (*frame).arguments, length) }
}

/// Reads the arguments, acts, and leaves the answer where the arguments were.
unsafe fn journal(
    frame: *mut HostFrame<'static>,
    act: impl FnOnce(&mut HostFrame<'static>, Reader<'_>) -> Result<Option<[u8; 32]>, JournalError>,
) -> u32 {
    let frame = unsafe { &mut *frame };
    let arguments = core::mem::take(&mut frame.arguments);
    let outcome = act(frame, Reader(&arguments));
    frame.arguments = arguments;
    match outcome {
        Ok(answer) => {
            if let Some(answer) = answer {
                frame.arguments[..32].copy_from_slice(&answer);
            }
            JOURNAL_OK
        }
        Err(JournalError::Refused) => JOURNAL_REFUSED,
        Err(JournalError::StaticWrite) => JOURNAL_STATIC_WRITE,
        Err(JournalError::Threw) => JOURNAL_THREW,
    }
}

/// Arguments: address (at least 32 bytes reserved). Answer: u256.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_balance(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        frame.balance(reader.address()).map(|wei| Some(wei.to_le_bytes()))
    };
    unsafe { journal(frame, act) }
}

/// Arguments: address | u256.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_add_balance(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        frame.add_balance(reader.address(), reader.u256()).map(|()| None)
    };
    unsafe { journal(frame, act) }
}

/// Arguments: address | u256.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_sub_balance(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        frame.sub_balance(reader.address(), reader.u256()).map(|()| None)
    };
    unsafe { journal(frame, act) }
}

/// Arguments: from address | to address | u256.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_transfer(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        frame.transfer(reader.address(), reader.address(), reader.u256()).map(|()| None)
    };
    unsafe { journal(frame, act) }
}

/// Arguments: address | topics u32, word each | data bytes.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_log(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        let address = reader.address();
        let topics = (0..reader.count()).map(|_| reader.word()).collect();
        frame.log(address, topics, reader.bytes()).map(|()| None)
    };
    unsafe { journal(frame, act) }
}

/// Arguments: address | key word. Answer: word.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_slot(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        frame.slot(reader.address(), reader.word().into()).map(|value| Some(value.to_be_bytes()))
    };
    unsafe { journal(frame, act) }
}

/// Arguments: address | key word | value word.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_set_slot(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        let (address, key, value) = (reader.address(), reader.word(), reader.word());
        frame.set_slot(address, key.into(), value.into()).map(|()| None)
    };
    unsafe { journal(frame, act) }
}
