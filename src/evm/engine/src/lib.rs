//! revm behind one synchronous WebAssembly door.
//!
//! `door` is the only file with `unsafe`: raw pointers come in and go out there and nowhere else.
//! `abi` writes down the layout of every buffer; `src/evm/abi.ts` is its other half, and both are
//! tested against `abi.txt`. Everything a call needs lives in one `Engine`; there are no globals.
#![deny(unsafe_code)]

pub mod abi;
mod codes;
mod dirty;
mod dispatch;
#[allow(unsafe_code)]
mod door;
mod engine;
mod fault;
mod handler;
mod host;
mod json;
mod keccak;
mod machine;
mod precompiles;
mod records;
mod result;
mod steps;
mod trace;
