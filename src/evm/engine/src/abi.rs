//! The layout of every buffer that crosses the door, written down once. `src/evm/abi.ts` is the
//! other half; `abi.txt` holds the vectors that both are tested against.
//!
//! Integers are little-endian; `u256` is 32 bytes little-endian; `word` is 32 bytes big-endian as
//! the EVM shows it (storage keys and values, hashes). `bytes` is `length u32` and then the bytes.
//!
//! ```text
//! env       fork u8 | relax u8 | cold coinbase u8 | chain id u64 | height u64 | timestamp u64
//!           | block gas limit u64 | base fee u64 | memory limit u64 | blob base fee u128 | coinbase 20 | prevrandao word
//!           | host addresses u32, 20 each | moved precompiles u32, (from 20 | to 20) each
//!           | calls rule | creations rule, each (closed u8 | except u32, 20 each)
//! tx        type u8 | creates u8 | has priority fee u8 | from 20 | to 20 | gas limit u64
//!           | gas price u128 | priority fee u128 | value u256 | nonce u64 | blob fee cap u128
//!           | data bytes | access list u32, (address 20 | slots u32, word each) each
//!           | blob hashes u32, word each
//!           | authorizations u32, (chain id u256 | address 20 | nonce u64 | valid u8 | authority 20) each
//! result    status u8 | flags u8 | created address 20 | gas used u64 | gas peak u64 | refund u64
//!           | undo u64 | output bytes | kind bytes | detail bytes
//!           | logs u32, (address 20 | topics u32, word each | data bytes) each
//!           | accounts u32, (address 20 | flags u8 | balance u256 | nonce u64 | code hash word
//!             | code bytes, when flag 4 | slots u32, (key word | value word) each) each
//! account   balance u256 | nonce u64 | code hash word                      what `read_account` fills in
//! call      precompile 20 | caller 20 | value u256 | gas limit u64 | undo u64 | flags u8 | input bytes
//!                                                                           what `host_call` is given
//! returned  gas used u64 | undo u64 | output bytes                         what `host_call` answers
//! trace     tx bytes | request bytes                                       what `trace` is given
//! request   tracer u8 | options u8 | failed u8 | no end u8 | limit u64 | gas used u64 | output bytes
//!           | before bytes | after bytes                                   see `trace`
//! ```
//!
//! All bits of the blob base fee are set when the chain has none. `before` and `after` belong to flat calls;
//! the erc7562Tracer finds in `before` the opcodes that it does not count.
//!
//! `relax` is a set of bits in the order of `EvmRelax`: nonce 1, balance 2, base fee 4, fees 8,
//! sender code 16, block gas limit 32, code size 64, nonce bump 128. Account flags: created 1, destroyed 2, new
//! code 4, empty 8. Result flags: created 1, a frame failed 2. Call flags: static 1, delegate 2, code call 4.
//! `undo` is the length of the host's undo log since the transaction began.

use revm::primitives::{Address, Bytes, B256, U256};

pub const ENV_RELAX_NONCE: u8 = 1;
pub const ENV_RELAX_BALANCE: u8 = 2;
pub const ENV_RELAX_BASE_FEE: u8 = 4;
pub const ENV_RELAX_FEES: u8 = 8;
pub const ENV_RELAX_SENDER_CODE: u8 = 16;
pub const ENV_RELAX_BLOCK_GAS_LIMIT: u8 = 32;
pub const ENV_RELAX_CODE_SIZE: u8 = 64;
pub const ENV_RELAX_NONCE_BUMP: u8 = 128;

/// The blob base fee of a chain that has none.
pub const NO_BLOB_BASE_FEE: u128 = u128::MAX;

pub const ACCOUNT_CREATED: u8 = 1;
pub const ACCOUNT_DESTROYED: u8 = 2;
pub const ACCOUNT_NEW_CODE: u8 = 4;
pub const ACCOUNT_EMPTY: u8 = 8;

pub const CALL_STATIC: u8 = 1;
pub const CALL_DELEGATE: u8 = 2;
pub const CALL_CODE: u8 = 4;

pub const RESULT_CREATED: u8 = 1;
pub const RESULT_FRAME_FAILED: u8 = 2;

pub const STATUS_SUCCESS: u8 = 0;
pub const STATUS_REVERT: u8 = 1;
pub const STATUS_HALT: u8 = 2;
pub const STATUS_REFUSED: u8 = 3;
/// The host threw; it knows what.
pub const STATUS_ABORTED: u8 = 4;

/// What an import answers. `HOST_THREW` ends the transaction: nothing of it is kept.
pub const HOST_OK: u32 = 0;
pub const HOST_ABSENT: u32 = 1;
pub const HOST_THREW: u32 = 2;

/// How a host precompile ended.
pub const CALL_SUCCESS: u32 = 0;
pub const CALL_REVERT: u32 = 1;
pub const CALL_THREW: u32 = 2;
pub const CALL_OUT_OF_GAS: u32 = 3;
pub const CALL_STATIC_WRITE: u32 = 4;

/// What a journal callback answers.
pub const JOURNAL_OK: u32 = 0;
pub const JOURNAL_REFUSED: u32 = 1;
pub const JOURNAL_THREW: u32 = 2;
pub const JOURNAL_STATIC_WRITE: u32 = 3;

pub const ACCOUNT_SIZE: usize = 72;

/// Reads a buffer front to back. A short buffer is a mistake of the other half and panics.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, length: usize) -> &'a [u8] {
        let (head, tail) = self.0.split_at(length);
        self.0 = tail;
        head
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N));
        array
    }

    pub fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    pub fn count(&mut self) -> usize {
        u32::from_le_bytes(self.array()) as usize
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub fn u128(&mut self) -> u128 {
        u128::from_le_bytes(self.array())
    }

    pub fn u256(&mut self) -> U256 {
        U256::from_le_bytes::<32>(self.array())
    }

    pub fn word(&mut self) -> B256 {
        B256::new(self.array())
    }

    pub fn address(&mut self) -> Address {
        Address::new(self.array())
    }

    pub fn bytes(&mut self) -> Bytes {
        let length = self.count();
        Bytes::copy_from_slice(self.take(length))
    }
}

/// Appends to a buffer front to back.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn count(&mut self, value: usize) {
        self.0.extend((value as u32).to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn u256(&mut self, value: U256) {
        self.0.extend(value.to_le_bytes::<32>());
    }

    pub fn word(&mut self, value: U256) {
        self.0.extend(value.to_be_bytes::<32>());
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.raw(bytes);
    }
}

/// Returns the bytes of a vector in `abi.txt`, which the host's tests read too.
#[cfg(test)]
pub fn vector(name: &str) -> Vec<u8> {
    let line = include_str!("../abi.txt").lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    revm::primitives::hex::decode(line.unwrap_or_default()).unwrap_or_default()
}
