//! go-ethereum's price of an instruction before it runs (`core/vm/jump_table.go`, `gas_table.go`,
//! `operations_acl.go`), for instructions that revm stops halfway: those that lack gas, and those that
//! a static call forbids. Forks before Berlin had other prices.

use super::struct_logs::current_slot;
use crate::{
    host::{Host, HostThrew},
    machine::Ctx,
};
use revm::{
    bytecode::opcode::*,
    context::{ContextTr, JournalTr},
    context_interface::{context::SStoreResult, Host as _},
    interpreter::{
        instructions::gas_table_spec,
        interpreter_types::{InputsTr, Jumps, RuntimeFlag},
        Interpreter,
    },
    primitives::{hardfork::SpecId, Address, U256},
    state::AccountInfo,
    DatabaseRef,
};

/// More than the accounts of an instruction can cost: two cold ones, value, and a new account.
const MOST_FOR_ACCOUNTS: u64 = 50_000;
/// Memory beyond this has no price (`memoryGasCost`).
const MOST_MEMORY: u64 = 0x1F_FFFF_FFE0;
const COLD_ACCOUNT: u64 = 2_500;
const NEW_ACCOUNT: u64 = 25_000;
const VALUE: u64 = 9_000;
/// What SSTORE asks to be left, and the price where it is not.
const SENTRY: u64 = 2_300;

/// The operands of an instruction; 0 is the top.
struct Operands<'a>(&'a [U256]);

impl Operands<'_> {
    fn word(&self, place: usize) -> U256 {
        self.0.iter().rev().nth(place).copied().unwrap_or_default()
    }

    fn number(&self, place: usize) -> u64 {
        self.word(place).saturating_to()
    }

    fn address(&self, place: usize) -> Address {
        Address::from_word(self.word(place).into())
    }
}

/// Returns the part of a price that go-ethereum takes before it looks at any operand.
pub fn constant(op: u8, spec: SpecId) -> u64 {
    match op {
        CREATE | CREATE2 => 32_000,
        CALL | CALLCODE | DELEGATECALL | STATICCALL => 100,
        BALANCE | EXTCODESIZE | EXTCODECOPY | EXTCODEHASH => 100,
        SELFDESTRUCT => 5_000,
        EXP | SLOAD | SSTORE | LOG0..=LOG4 => 0,
        op => gas_table_spec(spec)[op as usize].into(),
    }
}

/// Returns the price of the instruction that is about to run, where revm may stop it halfway. Nothing
/// for an instruction that gas is plenty for.
pub fn before(interpreter: &Interpreter, ctx: &mut Ctx) -> Result<Option<u64>, HostThrew> {
    let (op, spec) = (interpreter.bytecode.opcode(), ctx.cfg.spec);
    if !spec.is_enabled_in(SpecId::BERLIN) {
        return Ok(None);
    }
    let (constant, gas) = (constant(op, spec), interpreter.gas.remaining());
    let operands = Operands(interpreter.stack.data());
    let plain = plain_price(op, &operands, interpreter);
    let most = constant.saturating_add(plain.unwrap_or(u64::MAX)).saturating_add(MOST_FOR_ACCOUNTS);
    if gas >= most && !(interpreter.runtime_flag.is_static() && is_forbidden(op)) {
        return Ok(None);
    }
    let (Some(plain), false) = (plain, gas < constant) else { return Ok(Some(constant)) };
    let left = gas - constant;
    let own = match op {
        SSTORE if left <= SENTRY => Some(0),
        SSTORE => Some(store_price(interpreter, ctx, operands.word(0), operands.word(1))?),
        SLOAD => {
            Some(if is_slot_warm(ctx, interpreter.input.target_address(), operands.word(0)) { 100 } else { 2_100 })
        }
        BALANCE | EXTCODESIZE | EXTCODECOPY | EXTCODEHASH => Some(cold_price(ctx, operands.address(0), COLD_ACCOUNT)),
        SELFDESTRUCT => Some(destroy_price(ctx, interpreter.input.target_address(), operands.address(0))?),
        CALL | CALLCODE | DELEGATECALL | STATICCALL => call_price(op, &operands, ctx, left, plain)?,
        _ => Some(0),
    };
    let dynamic = own.and_then(|own| own.checked_add(plain));
    Ok(Some(dynamic.and_then(|dynamic| dynamic.checked_add(constant)).unwrap_or(constant)))
}

fn is_forbidden(op: u8) -> bool {
    matches!(op, SSTORE | LOG0..=LOG4 | CREATE | CREATE2 | CALL | SELFDESTRUCT | TSTORE)
}

/// The part of the price that needs no account: words, and the memory that the instruction adds.
/// Nothing where go-ethereum's numbers overflow.
fn plain_price(op: u8, operands: &Operands<'_>, interpreter: &Interpreter) -> Option<u64> {
    let words = |place: usize| operands.number(place).div_ceil(32);
    let (per_word, ranges): (u64, &[(usize, usize)]) = match op {
        KECCAK256 => (6 * words(1).min(MOST_MEMORY), &[(0, 1)]),
        CALLDATACOPY | CODECOPY | RETURNDATACOPY => (3 * words(2).min(MOST_MEMORY), &[(0, 2)]),
        EXTCODECOPY => (3 * words(3).min(MOST_MEMORY), &[(1, 3)]),
        MCOPY => (3 * words(2).min(MOST_MEMORY), &[(0, 2), (1, 2)]),
        CREATE => (2 * words(2).min(MOST_MEMORY), &[(1, 2)]),
        CREATE2 => (8 * words(2).min(MOST_MEMORY), &[(1, 2)]),
        LOG0..=LOG4 => (375 * (1 + u64::from(op - LOG0)) + 8 * operands.number(1).min(MOST_MEMORY), &[(0, 1)]),
        EXP => (10 + 50 * operands.word(1).byte_len() as u64, &[]),
        CALL | CALLCODE => (0, &[(5, 6), (3, 4)]),
        DELEGATECALL | STATICCALL => (0, &[(4, 5), (2, 3)]),
        RETURN | REVERT => (0, &[(0, 1)]),
        _ => (0, &[]),
    };
    let mut needed = match op {
        MLOAD | MSTORE => end_of(operands.word(0), U256::from(32))?,
        MSTORE8 => end_of(operands.word(0), U256::from(1))?,
        _ => 0,
    };
    for (offset, length) in ranges {
        needed = needed.max(end_of(operands.word(*offset), operands.word(*length))?);
    }
    Some(per_word + growth_price(interpreter, needed)?)
}

/// Where a range of memory ends; nothing needs no memory.
fn end_of(offset: U256, length: U256) -> Option<u64> {
    if length.is_zero() {
        return Some(0);
    }
    offset.checked_add(length).and_then(|end| u64::try_from(end).ok())
}

/// The price of the memory that is added; nothing where there can be no so much.
fn growth_price(interpreter: &Interpreter, needed: u64) -> Option<u64> {
    if needed > MOST_MEMORY {
        return None;
    }
    let price = |bytes: u64| {
        let words = bytes.div_ceil(32);
        3 * words + words * words / 512
    };
    Some(price(needed).saturating_sub(price(interpreter.memory.len() as u64)))
}

fn is_account_warm(ctx: &Ctx, address: Address) -> bool {
    let journal = ctx.journal_ref();
    let transaction = journal.inner.transaction_id;
    let known = journal.evm_state().get(&address);
    known.is_some_and(|account| !account.is_cold_transaction_id(transaction))
        || journal.inner.warm_addresses.is_warm(&address)
}

fn is_slot_warm(ctx: &Ctx, address: Address, key: U256) -> bool {
    let journal = ctx.journal_ref();
    let transaction = journal.inner.transaction_id;
    let slot = journal.evm_state().get(&address).and_then(|account| account.storage.get(&key));
    slot.is_some_and(|slot| !slot.is_cold_transaction_id(transaction))
        || journal.inner.warm_addresses.is_storage_warm(&address, &key)
}

fn cold_price(ctx: &Ctx, address: Address, price: u64) -> u64 {
    if is_account_warm(ctx, address) {
        0
    } else {
        price
    }
}

/// The account now, without making it warm.
fn current_account(ctx: &Ctx, address: Address) -> Result<AccountInfo, HostThrew> {
    match ctx.journal_ref().evm_state().get(&address) {
        Some(account) => Ok(account.info.clone()),
        None => Ok(Host.basic_ref(address)?.unwrap_or_default()),
    }
}

fn destroy_price(ctx: &Ctx, own: Address, heir: Address) -> Result<u64, HostThrew> {
    let is_new = current_account(ctx, heir)?.is_empty() && !current_account(ctx, own)?.balance.is_zero();
    Ok(cold_price(ctx, heir, COLD_ACCOUNT + 100) + if is_new { NEW_ACCOUNT } else { 0 })
}

/// The account that the code of an address is taken from, if it is another one (EIP-7702).
fn delegate_of(ctx: &Ctx, address: Address) -> Result<Option<Address>, HostThrew> {
    if !ctx.cfg.spec.is_enabled_in(SpecId::PRAGUE) {
        return Ok(None);
    }
    let info = current_account(ctx, address)?;
    let code = match info.code {
        Some(code) => code,
        None if info.is_empty_code_hash() => return Ok(None),
        None => Host.code_by_hash_ref(info.code_hash)?,
    };
    Ok(match code.original_byte_slice() {
        [0xef, 0x01, 0x00, target @ ..] if target.len() == 20 => Some(Address::from_slice(target)),
        _ => None,
    })
}

/// The price of a call with the gas that it hands on, less its memory. Nothing where go-ethereum gives
/// up on the way: what it took so far does not show.
fn call_price(op: u8, operands: &Operands<'_>, ctx: &Ctx, left: u64, memory: u64) -> Result<Option<u64>, HostThrew> {
    let callee = operands.address(1);
    let mut access = cold_price(ctx, callee, COLD_ACCOUNT);
    if access <= left {
        if let Some(target) = delegate_of(ctx, callee)? {
            access += 100 + if target == callee { 0 } else { cold_price(ctx, target, COLD_ACCOUNT) };
        }
    }
    let Some(left) = left.checked_sub(access) else { return Ok(None) };
    let mut base = 0;
    if matches!(op, CALL | CALLCODE) && !operands.word(2).is_zero() {
        base += VALUE;
        if op == CALL && current_account(ctx, callee)?.is_empty() {
            base += NEW_ACCOUNT;
        }
    }
    // go-ethereum's difference wraps around where the gas does not suffice.
    let available = left.wrapping_sub(base + memory);
    let most = available - available / 64;
    let handed_on = u64::try_from(operands.word(0)).unwrap_or(u64::MAX).min(most);
    Ok(handed_on.checked_add(base).and_then(|gas| gas.checked_add(access)))
}

fn store_price(interpreter: &Interpreter, ctx: &mut Ctx, key: U256, new_value: U256) -> Result<u64, HostThrew> {
    let address = interpreter.input.target_address();
    let present_value = current_slot(ctx, address, key)?;
    let is_warm = is_slot_warm(ctx, address, key);
    let slot = ctx.journal_ref().evm_state().get(&address).and_then(|account| account.storage.get(&key));
    let original_value = slot.map_or(present_value, |slot| slot.original_value);
    let values = SStoreResult { original_value, present_value, new_value };
    let params = ctx.gas_params();
    Ok(params.sstore_static_gas() + params.sstore_dynamic_gas(true, &values, !is_warm))
}
