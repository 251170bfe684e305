//! The `result` record: outcome, logs, and the accounts that changed, in the order of their addresses.

use crate::{
    abi::*,
    dirty::Dirty,
    fault,
    handler::Failure,
    host::{HostDb, Original},
    machine::{Extra, NIL_POINTER, SLICE_OVER},
};
use core::fmt::Debug;
use revm::{
    context::result::{EVMError, ExecutionResult, Output},
    primitives::{Address, Log, KECCAK_EMPTY, U256},
    state::{Account, EvmState},
};

/// Writes the record of a finished transaction.
pub fn write(
    out: &mut Writer,
    outcome: &Result<ExecutionResult, Failure>,
    state: &EvmState,
    db: &mut HostDb,
    extra: &Extra,
) {
    out.0.clear();
    write_outcome(out, outcome, extra);
    let kept = outcome.is_ok();
    let none = EvmState::default();
    write_accounts(out, if kept { state } else { &none }, &mut db.originals, &extra.dirty);
}

struct Head<'a> {
    status: u8,
    created: Option<Address>,
    gas: [u64; 3],
    output: &'a [u8],
    kind: String,
    detail: String,
    logs: &'a [Log],
}

/// The name of an enum's variant, without what it carries.
fn variant(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    text[..end].to_string()
}

fn write_outcome(out: &mut Writer, outcome: &Result<ExecutionResult, Failure>, extra: &Extra) {
    let mut head = Head {
        status: STATUS_REFUSED,
        created: None,
        gas: [0; 3],
        output: &[],
        kind: String::new(),
        detail: String::new(),
        logs: &[],
    };
    match outcome {
        Ok(result) => {
            let gas = result.gas();
            head.gas = [gas.tx_gas_used(), gas.total_gas_spent(), gas.inner_refunded()];
            head.logs = result.logs();
            match result {
                ExecutionResult::Success { output, .. } => {
                    head.status = STATUS_SUCCESS;
                    head.output = output.data();
                    if let Output::Create(_, created) = output {
                        head.created = *created;
                    }
                }
                ExecutionResult::Revert { output, .. } => {
                    head.status = STATUS_REVERT;
                    head.output = output;
                    head.logs = &[];
                }
                ExecutionResult::Halt { reason, .. } => {
                    head.status = STATUS_HALT;
                    head.kind = variant(reason).replace("WithContext", "");
                    head.output = &extra.refused_code;
                    let is_too_dear = head.kind == "OutOfGas" && !head.output.is_empty();
                    head.detail = match is_too_dear {
                        true => fault::CODE_TOO_DEAR.into(),
                        false => fault::halt_text(reason, extra.fault),
                    };
                    head.logs = &[];
                }
            }
        }
        Err(EVMError::Transaction(reason)) => {
            head.kind = variant(reason);
            head.detail = reason.to_string();
        }
        Err(EVMError::Header(reason)) => {
            head.kind = variant(reason);
            head.detail = reason.to_string();
        }
        Err(EVMError::Custom(text)) if text == NIL_POINTER => {
            head.kind = "NilPointer".into();
            head.detail = text.clone();
        }
        Err(EVMError::Custom(text)) if text == SLICE_OVER => {
            head.kind = "SliceOver".into();
            head.detail = text.clone();
        }
        Err(other) => {
            head.status = STATUS_ABORTED;
            head.detail = other.to_string();
        }
    }
    write_head(out, &head, extra);
}

fn write_head(out: &mut Writer, head: &Head<'_>, extra: &Extra) {
    out.u8(head.status);
    let created = if head.created.is_some() { RESULT_CREATED } else { 0 };
    out.u8(created | if extra.frame_failed { RESULT_FRAME_FAILED } else { 0 });
    out.raw(head.created.unwrap_or_default().as_slice());
    for gas in head.gas {
        out.u64(gas);
    }
    out.u64(extra.undo);
    out.bytes(head.output);
    out.bytes(head.kind.as_bytes());
    out.bytes(head.detail.as_bytes());
    out.count(head.logs.len());
    for log in head.logs {
        out.raw(log.address.as_slice());
        out.count(log.data.topics().len());
        for topic in log.data.topics() {
            out.raw(topic.as_slice());
        }
        out.bytes(&log.data.data);
    }
}

/// One account of the diff; the slots are sorted.
struct Change<'a> {
    address: Address,
    flags: u8,
    account: &'a Account,
    slots: Vec<(U256, U256)>,
}

fn write_accounts(out: &mut Writer, state: &EvmState, originals: &mut [Original], dirty: &Dirty) {
    originals.sort_unstable_by_key(|original| original.address);
    let touched = state.iter().filter(|(address, account)| account.is_touched() || dirty.is_account(address));
    let mut changes: Vec<Change<'_>> =
        touched.filter_map(|(address, account)| change(*address, account, originals, dirty)).collect();
    changes.sort_unstable_by_key(|change| change.address);
    out.count(changes.len());
    for change in changes {
        let info = &change.account.info;
        out.raw(change.address.as_slice());
        out.u8(change.flags);
        out.u256(info.balance);
        out.u64(info.nonce);
        out.raw(info.code_hash.as_slice());
        if change.flags & ACCOUNT_NEW_CODE != 0 {
            out.bytes(info.code.as_ref().map(|code| code.original_byte_slice()).unwrap_or_default());
        }
        out.count(change.slots.len());
        for (key, value) in change.slots {
            out.word(key);
            out.word(value);
        }
    }
}

/// What happened to a touched account; nothing when it is as it was and the node does not store it again.
fn change<'a>(address: Address, account: &'a Account, originals: &[Original], dirty: &Dirty) -> Option<Change<'a>> {
    let found = originals.binary_search_by_key(&address, |original| original.address);
    let original = found.ok().map(|at| &originals[at]).filter(|original| original.exists);
    let is_created = account.is_created();
    // Before Spurious Dragon revm marks an empty account that should stay as created.
    let is_dirty = dirty.is_account(&address);
    let is_empty = account.is_empty() && !is_created;
    if account.is_selfdestructed() || (is_empty && !is_dirty) {
        return original.map(|_| Change { address, flags: ACCOUNT_DESTROYED, account, slots: Vec::new() });
    }
    let info = &account.info;
    let (balance, nonce, code_hash) = match original {
        Some(original) => (original.balance, original.nonce, original.code_hash),
        None => (U256::ZERO, 0, KECCAK_EMPTY),
    };
    let has_new_code = info.code_hash != code_hash;
    let value = |key: U256| account.storage.get(&key).map(|slot| (key, slot.present_value()));
    let slots: Vec<(U256, U256)> = match is_dirty {
        true => dirty.slots_of(address).filter_map(value).collect(),
        // Words of frames that were reverted.
        false => Vec::new(),
    };
    let is_same = info.balance == balance && info.nonce == nonce && !has_new_code;
    if is_same && !is_created && !is_dirty {
        return None;
    }
    let flags = if is_created { ACCOUNT_CREATED } else { 0 }
        | if has_new_code { ACCOUNT_NEW_CODE } else { 0 }
        | if is_empty { ACCOUNT_EMPTY } else { 0 };
    Some(Change { address, flags, account, slots })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::vector;
    use revm::{
        context::result::{ResultGas, SuccessReason},
        primitives::{Bytes, B256},
        state::{AccountInfo, AccountStatus, Bytecode, EvmStorageSlot, TransactionId},
    };

    fn account(balance: u64, code: &[u8], status: AccountStatus) -> Account {
        let code = Bytecode::new_raw(Bytes::copy_from_slice(code));
        let code_hash = B256::repeat_byte(0xcc);
        let info =
            AccountInfo { balance: U256::from(balance), nonce: 1, code_hash, code: Some(code), account_id: None };
        let mut account = Account::from(info);
        account.status = status | AccountStatus::Touched;
        account
    }

    #[test]
    fn a_result_record_is_written_as_the_host_reads_it() {
        let created = Address::repeat_byte(0xd1);
        let log =
            Log::new_unchecked(Address::repeat_byte(0xb1), vec![B256::repeat_byte(0x01)], Bytes::from_static(&[9]));
        let outcome = Ok(ExecutionResult::Success {
            reason: SuccessReason::Return,
            gas: ResultGas::default().with_total_gas_spent(50_000).with_refunded(10_000),
            logs: vec![log],
            output: Output::Create(Bytes::from_static(&[0xab]), Some(created)),
        });
        let mut state = EvmState::default();
        let mut fresh = account(5, &[0x60], AccountStatus::Created);
        for key in [9u64, 2] {
            let slot = EvmStorageSlot::new_changed(U256::ZERO, U256::from(key + 1), TransactionId::ZERO);
            fresh.storage.insert(U256::from(key), slot);
        }
        state.insert(created, fresh);
        state.insert(Address::repeat_byte(0x11), account(0, &[], AccountStatus::SelfDestructed));
        state.insert(Address::repeat_byte(0x22), account(7, &[], AccountStatus::Touched));
        let mut db = HostDb::default();
        for (byte, balance) in [(0x22, 7), (0x11, 3)] {
            let (address, code_hash) = (Address::repeat_byte(byte), B256::repeat_byte(0xcc));
            db.originals.push(Original { address, exists: true, balance: U256::from(balance), nonce: 1, code_hash });
        }
        let mut out = Writer::default();
        let keys = [2u64, 9].map(|key| (created, U256::from(key)));
        let dirty = Dirty { accounts: [created].into(), slots: keys.into(), from: 0 };
        write(&mut out, &outcome, &state, &mut db, &Extra { undo: 4, dirty, ..Extra::default() });
        assert_eq!(out.0, vector("result"));
    }
}
