//! The journal as a host precompile sees it: arguments go into the frame's buffer, and answers come
//! back in the same place.

use super::buffer_reserve;
use crate::{
    abi::{Reader, JOURNAL_OK, JOURNAL_REFUSED, JOURNAL_STATIC_WRITE, JOURNAL_THREW},
    precompiles::{HostFrame, JournalError},
};
use revm::primitives::U256;

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

/// Arguments: address (at least 32 bytes reserved). Answer: u256, 1 for a contract and 0 otherwise.
///
/// # Safety
/// See `frame_arguments`.
#[no_mangle]
pub unsafe extern "C" fn journal_is_contract(frame: *mut HostFrame<'static>) -> u32 {
    let act = |frame: &mut HostFrame<'static>, mut reader: Reader<'_>| {
        frame.is_contract(reader.address()).map(|found| Some(U256::from(found).to_le_bytes()))
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
