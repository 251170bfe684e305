//! What the state database of Cosmos EVM stores of a transaction: accounts that it holds to be dirty, also
//! if they are as they were, and every word that was ever written to them, also in frames that were reverted.

use crate::machine::Ctx;
use revm::{
    bytecode::opcode,
    context_interface::journaled_state::entry::JournalEntry,
    handler::FrameResult,
    interpreter::{CallInputs, CallScheme, InstructionResult},
    primitives::{Address, U256},
    state::EvmState,
};
use std::collections::BTreeSet;

/// Addresses and words. A loop may write the same words ever again, so each is held once.
#[derive(Default, Debug, Clone)]
pub struct Dirty {
    pub accounts: BTreeSet<Address>,
    pub slots: BTreeSet<(Address, U256)>,
    /// Where the journal was when the sender had been checked, which the node does elsewhere.
    pub from: usize,
}

impl Dirty {
    pub fn is_account(&self, address: &Address) -> bool {
        self.accounts.contains(address)
    }

    pub fn slots_of(&self, address: Address) -> impl Iterator<Item = U256> + '_ {
        self.slots.range((address, U256::ZERO)..=(address, U256::MAX)).map(|(_, key)| *key)
    }

    /// Takes what the journal of a transaction that has ended tells.
    pub fn finish(&mut self, journal: &[JournalEntry], state: &EvmState) {
        for entry in journal.get(self.from..).unwrap_or_default() {
            match entry {
                JournalEntry::AccountCreated { address, .. }
                | JournalEntry::BalanceChange { address, .. }
                | JournalEntry::NonceChange { address, .. }
                | JournalEntry::NonceBump { address }
                | JournalEntry::CodeChange { address, .. } => {
                    self.accounts.insert(*address);
                }
                JournalEntry::StorageChanged { address, key, .. } => {
                    self.accounts.insert(*address);
                    self.slots.insert((*address, *key));
                }
                JournalEntry::BalanceTransfer { from, to, balance } => self.moved(from, to, *balance, state),
                JournalEntry::AccountDestroyed { address, target, had_balance, .. } => {
                    self.accounts.insert(*address);
                    self.moved(address, target, *had_balance, state);
                }
                _ => {}
            }
        }
    }

    /// Nothing that is given still makes an account.
    fn moved(&mut self, from: &Address, to: &Address, wei: U256, state: &EvmState) {
        if !wei.is_zero() {
            self.accounts.extend([*from, *to]);
        } else if is_missing(state, to) {
            self.accounts.insert(*to);
        }
    }

    /// Notes the words of a frame that is about to be reverted; those of an account that it made go with it.
    pub fn revert(&mut self, journal: &[JournalEntry], state: &EvmState) {
        for entry in journal {
            if let JournalEntry::StorageChanged { address, key, .. } = entry {
                self.slots.insert((*address, *key));
            }
        }
        for entry in journal {
            let JournalEntry::AccountCreated { address, .. } = entry else { continue };
            if is_missing(state, address) {
                self.slots.retain(|(owner, _)| owner != address);
            }
        }
    }
}

fn is_missing(state: &EvmState, address: &Address) -> bool {
    state.get(address).is_none_or(|account| account.is_loaded_as_not_existing())
}

/// Makes an account dirty until the frame is reverted: the journal gets a change to the balance that it has.
fn mark(ctx: &mut Ctx, address: Address) {
    let inner = &mut ctx.journaled_state.inner;
    let Some(account) = inner.state.get(&address) else { return };
    inner.journal.push(JournalEntry::BalanceChange { address, old_balance: account.info.balance });
}

/// After SELFDESTRUCT only an account that named itself still has a balance, which the node has set.
pub fn mark_self(ctx: &mut Ctx, address: Address) {
    let account = ctx.journaled_state.inner.state.get(&address);
    if account.is_some_and(|account| !account.info.balance.is_zero()) {
        mark(ctx, address);
    }
}

/// Notes what a frame leaves that is about to be reverted.
pub fn before_revert(ctx: &mut Ctx, start: usize, ended: InstructionResult) {
    let inner = &ctx.journaled_state.inner;
    // revm writes a word before it asks for the gas.
    let is_unpaid = ended == InstructionResult::OutOfGas && ctx.chain.fault.opcode == opcode::SSTORE;
    let end = match inner.journal.last() {
        Some(JournalEntry::StorageChanged { .. }) if is_unpaid => inner.journal.len() - 1,
        _ => inner.journal.len(),
    };
    ctx.chain.dirty.revert(&inner.journal[start..end], &inner.state);
}

/// What a call does to the called account that revm leaves out.
pub struct Called {
    target: Address,
    is_static: bool,
    gives_itself: bool,
}

impl Called {
    pub fn of(inputs: &CallInputs) -> Option<Self> {
        let is_static = inputs.scheme == CallScheme::StaticCall;
        if !is_static && inputs.scheme != CallScheme::Call {
            return None;
        }
        let gives_itself = !is_static && inputs.caller == inputs.target_address && !inputs.value.get().is_zero();
        Some(Self { target: inputs.target_address, is_static, gives_itself })
    }

    /// Marks the account of a call that has begun or, with a result, ended: a static call and one of a
    /// precompile make a missing account, and what is given to oneself sets the balance.
    pub fn mark(&self, ctx: &mut Ctx, ended: Option<&FrameResult>) {
        let is_precompile = match ended {
            Some(result) if !result.interpreter_result().result.is_ok() => return,
            Some(FrameResult::Call(outcome)) => outcome.was_precompile_called,
            _ => false,
        };
        let makes = self.is_static || is_precompile;
        if self.gives_itself || (makes && is_missing(&ctx.journaled_state.inner.state, &self.target)) {
            mark(ctx, self.target);
        }
    }
}
