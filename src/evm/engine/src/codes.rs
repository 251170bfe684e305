//! Analysed code by its hash, kept across transactions: the jump map is made once.

use revm::{
    primitives::{HashMap, B256},
    state::Bytecode,
};

/// WebAssembly memory never shrinks, so the cache starts again when it holds this much.
const BYTES_MAX: usize = 32 << 20;

#[derive(Default, Debug)]
pub struct Codes {
    by_hash: HashMap<B256, Bytecode>,
    bytes: usize,
}

impl Codes {
    pub fn get(&self, hash: &B256) -> Option<Bytecode> {
        self.by_hash.get(hash).cloned()
    }

    pub fn insert(&mut self, hash: B256, code: Bytecode) {
        if self.bytes + code.len() > BYTES_MAX {
            self.by_hash.clear();
            self.bytes = 0;
        }
        self.bytes += code.len();
        self.by_hash.insert(hash, code);
    }
}
