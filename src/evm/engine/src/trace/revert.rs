//! What revert data says.

use revm::primitives::U256;

/// What `Error(string)` or `Panic(uint256)` says, as go-ethereum's `abi.UnpackRevert` reads it.
pub fn revert_reason(output: &[u8]) -> Option<String> {
    let (selector, data) = output.split_at_checked(4)?;
    let word = |at: usize| data.get(at..at + 32).map(U256::from_be_slice);
    let size = |value: U256| usize::try_from(value).ok();
    match selector {
        [0x08, 0xc3, 0x79, 0xa0] => {
            let start = size(word(0)?)?;
            let length = size(word(start)?)?;
            let text = data.get(start + 32..start.checked_add(32)?.checked_add(length)?)?;
            Some(String::from_utf8_lossy(text).into_owned())
        }
        [0x4e, 0x48, 0x7b, 0x71] => {
            let code = word(0)?;
            Some(u64::try_from(code).ok().and_then(panic_text).map_or_else(|| unknown_panic(code), String::from))
        }
        _ => None,
    }
}

fn unknown_panic(code: U256) -> String {
    format!("unknown panic code: {code:#x}")
}

fn panic_text(code: u64) -> Option<&'static str> {
    Some(match code {
        0x00 => "generic panic",
        0x01 => "assert(false)",
        0x11 => "arithmetic underflow or overflow",
        0x12 => "division or modulo by zero",
        0x21 => "enum overflow",
        0x22 => "invalid encoded storage byte array accessed",
        0x31 => "out-of-bounds array access; popping on an empty array",
        0x32 => "out-of-bounds access of an array or bytesN",
        0x41 => "out of memory",
        0x51 => "uninitialized function",
        _ => return None,
    })
}
