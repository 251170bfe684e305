//! The state before the transaction, as the host serves it.

use crate::{
    abi::{Reader, ACCOUNT_SIZE},
    codes::Codes,
    door,
};
use core::fmt;
use revm::{
    primitives::{Address, B256, KECCAK_EMPTY, U256},
    state::{AccountInfo, Bytecode},
    Database, DatabaseRef,
};

/// The host threw an exception, which it has kept; the transaction ends here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostThrew;

impl fmt::Display for HostThrew {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the host threw")
    }
}

impl core::error::Error for HostThrew {}
impl revm::database_interface::DBErrorMarker for HostThrew {}

/// An account as it was when the transaction first read it.
#[derive(Debug)]
pub struct Original {
    pub address: Address,
    pub exists: bool,
    pub balance: U256,
    pub nonce: u64,
    pub code_hash: B256,
}

/// Reads an `account` record.
fn read_account(record: &[u8]) -> AccountInfo {
    let mut reader = Reader(record);
    let (balance, nonce, code_hash) = (reader.u256(), reader.u64(), reader.word());
    AccountInfo { balance, nonce, code_hash, code: None, account_id: None }
}

/// Reads from the host without remembering: what tracers look at after the fact.
pub struct Host;

impl Host {
    fn account(&self, address: Address) -> Result<Option<AccountInfo>, HostThrew> {
        let mut buffer = [0; ACCOUNT_SIZE];
        if !door::account(&address, &mut buffer)? {
            return Ok(None);
        }
        Ok(Some(read_account(&buffer)))
    }

    fn slot(&self, address: Address, key: U256) -> Result<U256, HostThrew> {
        let mut value = [0; 32];
        door::slot(&address, &key.to_be_bytes(), &mut value)?;
        Ok(U256::from_be_bytes(value))
    }

    fn code(&self, hash: B256) -> Result<Bytecode, HostThrew> {
        Ok(Bytecode::new_raw(door::code(&hash)?.into()))
    }
}

impl DatabaseRef for Host {
    type Error = HostThrew;

    fn basic_ref(&self, address: Address) -> Result<Option<AccountInfo>, HostThrew> {
        self.account(address)
    }

    fn code_by_hash_ref(&self, hash: B256) -> Result<Bytecode, HostThrew> {
        self.code(hash)
    }

    fn storage_ref(&self, address: Address, key: U256) -> Result<U256, HostThrew> {
        self.slot(address, key)
    }

    fn block_hash_ref(&self, number: u64) -> Result<B256, HostThrew> {
        door::block_hash(number)
    }
}

/// What a transaction runs on: the host, the code cache, and what was read, for the diff. revm's own
/// record of original values is reset when an account turns from cold to warm, so it will not do.
#[derive(Default, Debug)]
pub struct HostDb {
    pub codes: Codes,
    pub originals: Vec<Original>,
}

impl HostDb {
    /// Returns analysed code, from the cache when it was run before.
    pub fn code(&mut self, hash: B256) -> Result<Bytecode, HostThrew> {
        if hash == KECCAK_EMPTY {
            return Ok(Bytecode::default());
        }
        if let Some(code) = self.codes.get(&hash) {
            return Ok(code);
        }
        let code = Host.code(hash)?;
        self.codes.insert(hash, code.clone());
        Ok(code)
    }
}

impl Database for HostDb {
    type Error = HostThrew;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, HostThrew> {
        let found = Host.account(address)?;
        let info = found.clone().unwrap_or_default();
        let AccountInfo { balance, nonce, code_hash, .. } = info;
        self.originals.push(Original { address, exists: found.is_some(), balance, nonce, code_hash });
        let Some(mut info) = found else { return Ok(None) };
        info.code = Some(self.code(code_hash)?);
        Ok(Some(info))
    }

    fn code_by_hash(&mut self, hash: B256) -> Result<Bytecode, HostThrew> {
        self.code(hash)
    }

    fn storage(&mut self, address: Address, key: U256) -> Result<U256, HostThrew> {
        Host.slot(address, key)
    }

    fn block_hash(&mut self, number: u64) -> Result<B256, HostThrew> {
        door::block_hash(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::vector;

    #[test]
    fn an_account_record_is_read_as_the_host_writes_it() {
        let record = vector("account");
        assert_eq!(record.len(), ACCOUNT_SIZE);
        let info = read_account(&record);
        let balance = (U256::from(1) << 192) + U256::from(7);
        assert_eq!((info.balance, info.nonce, info.code_hash), (balance, 8, B256::repeat_byte(0xcc)));
    }
}
