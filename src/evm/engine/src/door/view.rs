//! The state as a tracer in JavaScript sees it while the transaction runs. Looking changes nothing:
//! whatever the transaction has not touched, the host knows itself.

use super::buffer_reserve;
use crate::abi::{Reader, Writer};
use revm::{primitives::U256, state::EvmState};

/// The accounts that the transaction has touched so far.
pub struct View<'a> {
    pub state: &'a EvmState,
    /// Where the host puts arguments and finds the answer.
    pub arguments: Vec<u8>,
}

/// Returns where to write `length` bytes of arguments for the next call.
///
/// # Safety
/// `view` is the argument of the `script_event` that is running; the same for every `view_*`.
#[no_mangle]
pub unsafe extern "C" fn view_arguments(view: *mut View<'static>, length: u32) -> *mut u8 {
    unsafe { buffer_reserve(&mut (*view).arguments, length) }
}

/// Arguments: address. Answer: whether touched u8 | exists u8 | balance u256 | nonce u64 | code hash |
/// whether the code follows u8 | code bytes.
///
/// # Safety
/// See `view_arguments`.
#[no_mangle]
pub unsafe extern "C" fn view_account(view: *mut View<'static>) -> *const u8 {
    let view = unsafe { &mut *view };
    let address = Reader(&view.arguments).address();
    let mut answer = Writer::default();
    let found = view.state.get(&address);
    answer.u8(found.is_some().into());
    if let Some(account) = found {
        answer.u8((!account.is_loaded_as_not_existing_not_touched()).into());
        answer.u256(account.info.balance);
        answer.u64(account.info.nonce);
        answer.raw(account.info.code_hash.as_slice());
        answer.u8(account.info.code.is_some().into());
        answer.bytes(account.info.code.as_ref().map(|code| code.original_byte_slice()).unwrap_or_default());
    }
    view.arguments = answer.0;
    view.arguments.as_ptr()
}

/// Arguments: address | word. Answer: whether known u8 | word.
///
/// # Safety
/// See `view_arguments`.
#[no_mangle]
pub unsafe extern "C" fn view_slot(view: *mut View<'static>) -> *const u8 {
    let view = unsafe { &mut *view };
    let mut reader = Reader(&view.arguments);
    let (address, key) = (reader.address(), U256::from_be_bytes(reader.word().0));
    let account = view.state.get(&address);
    let slot = account.and_then(|found| found.storage.get(&key)).map(|slot| slot.present_value());
    let known = slot.or_else(|| account.filter(|found| found.is_created()).map(|_| U256::ZERO));
    let mut answer = Writer::default();
    answer.u8(known.is_some().into());
    answer.word(known.unwrap_or_default());
    view.arguments = answer.0;
    view.arguments.as_ptr()
}
