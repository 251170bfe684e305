//! go-ethereum's prestateTracer (`eth/tracers/native/prestate.go`): the accounts and slots that the
//! transaction looked at, as they were before, and in diff mode what they became.
//!
//! Options: 1 diff mode, 2 no code, 4 no storage, 8 with accounts that were empty.

use super::{memory::padded, meter::is_noticed_before, Request, Tracer};
use crate::{
    host::{Host, HostThrew},
    json::Json,
    keccak::keccak256,
    machine::{Ctx, Surroundings},
    steps::stop,
};
use revm::{
    bytecode::opcode,
    context::{ContextTr, JournalTr, TxEnv},
    interpreter::{
        interpreter_types::{InputsTr, Jumps, LoopControl},
        Interpreter, InterpreterAction,
    },
    primitives::{Address, Bytes, TxKind, KECCAK_EMPTY, U256},
    state::{Bytecode, EvmState},
    DatabaseRef, Inspector,
};
use std::collections::{btree_map::Entry, BTreeMap, BTreeSet};

const DIFF: u8 = 1;
const NO_CODE: u8 = 2;
const NO_STORAGE: u8 = 4;
const WITH_EMPTY: u8 = 8;

#[derive(Default, Clone)]
struct Account {
    balance: U256,
    nonce: u64,
    code: Bytes,
    is_empty: bool,
    storage: BTreeMap<U256, U256>,
}

/// What differs after the transaction.
#[derive(Default)]
struct Post {
    balance: Option<U256>,
    nonce: Option<u64>,
    code: Option<Bytes>,
    storage: BTreeMap<U256, U256>,
}

/// What the instruction that runs looks at, unless it cannot run.
enum Look {
    Account(Address),
    Slot(Address, U256),
    Deletion(Address),
}

pub struct Prestate {
    flags: u8,
    /// Whom the transaction names; the callee comes with the code that it delegates to.
    start: Vec<Address>,
    callee: Option<Address>,
    looks: Vec<Look>,
    creator: Option<Address>,
    pre: BTreeMap<Address, Account>,
    deleted: BTreeSet<Address>,
}

impl Prestate {
    pub fn new(request: &Request, around: &Surroundings, tx: &TxEnv) -> Self {
        let callee = match tx.kind {
            TxKind::Call(to) => Some(to),
            TxKind::Create => None,
        };
        // The node gives its tracer a transaction without the list of authorizations.
        let start = [Some(tx.caller), callee, Some(around.block.beneficiary)].into_iter().flatten().collect();
        let creator = matches!(tx.kind, TxKind::Create).then_some(tx.caller);
        let (pre, deleted) = (BTreeMap::new(), BTreeSet::new());
        Self { flags: request.flags, start, callee, looks: Vec::new(), creator, pre, deleted }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Looks up whom the transaction names. The host still serves the state before it.
    fn begin(&mut self) -> Result<(), HostThrew> {
        for address in core::mem::take(&mut self.start) {
            self.look_up(address)?;
        }
        if let Some(callee) = self.callee.take() {
            let info = Host.basic_ref(callee)?.unwrap_or_default();
            let code = Host.code_by_hash_ref(info.code_hash)?;
            code.eip7702_address().map_or(Ok(()), |target| self.look_up(target))?;
        }
        if let Some(creator) = self.creator.take() {
            let nonce = Host.basic_ref(creator)?.unwrap_or_default().nonce;
            self.look_up(creator.create(nonce))?;
        }
        Ok(())
    }

    fn look_up(&mut self, address: Address) -> Result<(), HostThrew> {
        if self.pre.contains_key(&address) {
            return Ok(());
        }
        let info = Host.basic_ref(address)?.unwrap_or_default();
        let is_empty = info.balance.is_zero() && info.nonce == 0 && info.code_hash == KECCAK_EMPTY;
        let code = if self.has(NO_CODE) || info.code_hash == KECCAK_EMPTY {
            Bytes::new()
        } else {
            Host.code_by_hash_ref(info.code_hash)?.original_bytes()
        };
        let account = Account { balance: info.balance, nonce: info.nonce, code, is_empty, ..Account::default() };
        self.pre.insert(address, account);
        Ok(())
    }

    fn look_up_slot(&mut self, address: Address, key: U256) -> Result<(), HostThrew> {
        if self.has(NO_STORAGE) {
            return Ok(());
        }
        self.look_up(address)?;
        let Some(account) = self.pre.get_mut(&address) else { return Ok(()) };
        if let Entry::Vacant(slot) = account.storage.entry(key) {
            slot.insert(Host.storage_ref(address, key)?);
        }
        Ok(())
    }

    fn watch(&mut self, interpreter: &Interpreter, ctx: &mut Ctx) -> Result<(), HostThrew> {
        use Look::{Account, Deletion, Slot};
        let (op, stack) = (interpreter.bytecode.opcode(), interpreter.stack.data());
        let own = interpreter.input.target_address();
        let named = |word: &U256| Address::from_word((*word).into());
        self.looks.clear();
        match (op, stack.as_slice()) {
            (opcode::SLOAD | opcode::SSTORE, [.., key]) => self.looks.push(Slot(own, *key)),
            (opcode::SELFDESTRUCT, [.., word]) => self.looks.extend([Deletion(own), Account(named(word))]),
            (opcode::EXTCODECOPY | opcode::EXTCODEHASH | opcode::EXTCODESIZE | opcode::BALANCE, [.., word]) => {
                self.looks.push(Account(named(word)))
            }
            (opcode::CALL | opcode::CALLCODE | opcode::DELEGATECALL | opcode::STATICCALL, [.., _, _, _, word, _]) => {
                let callee = named(word);
                self.looks.push(Account(callee));
                self.looks.extend(current_code(ctx, callee)?.eip7702_address().map(Account));
            }
            (opcode::CREATE, _) => {
                let account = ctx.journal_ref().evm_state().get(&own);
                let nonce = account.map(|found| found.info.nonce).unwrap_or_default();
                self.looks.push(Account(own.create(nonce)));
            }
            (opcode::CREATE2, [.., salt, size, offset, _]) => {
                let code = padded(interpreter, *offset, *size);
                let address = |code: Vec<u8>| own.create2(salt.to_be_bytes::<32>(), keccak256(&code));
                self.looks.extend(code.map(address).map(Account));
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks at what the instruction named, unless it could not run.
    fn note(&mut self, interpreter: &mut Interpreter) -> Result<(), HostThrew> {
        let looks = core::mem::take(&mut self.looks);
        let action = interpreter.bytecode.action().as_ref();
        if action.and_then(InterpreterAction::instruction_result).is_some_and(is_noticed_before) {
            return Ok(());
        }
        for look in looks {
            match look {
                Look::Account(address) => self.look_up(address)?,
                Look::Slot(address, key) => self.look_up_slot(address, key)?,
                Look::Deletion(address) => _ = self.deleted.insert(address),
            }
        }
        Ok(())
    }

    /// Takes out of `pre` what stayed as it was, and returns what the rest became.
    fn diff(&mut self, state: &EvmState) -> BTreeMap<Address, Post> {
        let (no_code, no_storage) = (self.has(NO_CODE), self.has(NO_STORAGE));
        let mut posts = BTreeMap::new();
        for (address, pre) in &mut self.pre {
            if self.deleted.contains(address) {
                continue;
            }
            let now = state.get(address).filter(|account| account.is_touched());
            let mut post = Post::default();
            if let Some(account) = now {
                let info = &account.info;
                post.balance = Some(info.balance).filter(|balance| *balance != pre.balance);
                post.nonce = Some(info.nonce).filter(|nonce| *nonce != pre.nonce);
                let code = info.code.as_ref().map(Bytecode::original_bytes).unwrap_or_default();
                post.code = Some(code).filter(|code| !no_code && *code != pre.code);
            }
            let mut changed = post.balance.is_some() || post.nonce.is_some() || post.code.is_some();
            pre.storage.retain(|key, old| {
                let slot = now.and_then(|account| account.storage.get(key));
                let new = slot.map_or(*old, |slot| slot.present_value());
                if new == *old || no_storage {
                    return false;
                }
                changed = true;
                if !new.is_zero() {
                    post.storage.insert(*key, new);
                }
                !old.is_zero()
            });
            if changed {
                posts.insert(*address, post);
            }
        }
        let deleted = &self.deleted;
        self.pre.retain(|address, _| posts.contains_key(address) || deleted.contains(address));
        posts
    }

    fn write_pre(&self, json: &mut Json) {
        json.raw("{");
        let mut is_first = true;
        for (address, account) in &self.pre {
            json.comma(&mut is_first).address(*address).raw(":{\"balance\":").quantity(account.balance);
            if !account.code.is_empty() {
                json.raw(",\"code\":").bytes(&account.code);
            }
            if account.nonce != 0 {
                json.raw(",\"nonce\":").number(account.nonce);
            }
            if !account.storage.is_empty() {
                json.raw(",");
                write_storage(&account.storage, json);
            }
            json.raw("}");
        }
        json.raw("}");
    }
}

/// The code of an account now, without making it warm.
pub fn current_code(ctx: &mut Ctx, address: Address) -> Result<Bytecode, HostThrew> {
    let loaded = ctx.journal_ref().evm_state().get(&address);
    if let Some(code) = loaded.and_then(|account| account.info.code.clone()) {
        return Ok(code);
    }
    let info = Host.basic_ref(address)?.unwrap_or_default();
    ctx.journal_mut().database.code(info.code_hash)
}

fn write_storage(storage: &BTreeMap<U256, U256>, json: &mut Json) {
    json.raw("\"storage\":{");
    let mut is_first = true;
    for (key, value) in storage {
        json.comma(&mut is_first).word(*key).raw(":").word(*value);
    }
    json.raw("}");
}

fn write_posts(posts: &BTreeMap<Address, Post>, json: &mut Json) {
    json.raw("{");
    let mut is_first = true;
    for (address, post) in posts {
        json.comma(&mut is_first).address(*address).raw(":{");
        let mut is_first_member = true;
        if let Some(balance) = post.balance {
            json.comma(&mut is_first_member).raw("\"balance\":").quantity(balance);
        }
        if let Some(code) = post.code.as_ref().filter(|code| !code.is_empty()) {
            json.comma(&mut is_first_member).raw("\"code\":").bytes(code);
        }
        if let Some(nonce) = post.nonce.filter(|nonce| *nonce != 0) {
            json.comma(&mut is_first_member).raw("\"nonce\":").number(nonce);
        }
        if !post.storage.is_empty() {
            json.comma(&mut is_first_member);
            write_storage(&post.storage, json);
        }
        json.raw("}");
    }
    json.raw("}");
}

impl Inspector<Ctx> for Prestate {
    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        if let Err(error) = self.watch(interpreter, ctx) {
            stop(interpreter, ctx, error);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        if let Err(error) = self.note(interpreter) {
            stop(interpreter, ctx, error);
        }
    }
}

impl Tracer for Prestate {
    fn finish(&mut self, request: &Request, state: &EvmState, json: &mut Json) -> Result<(), HostThrew> {
        self.begin()?;
        let posts = if self.has(DIFF) && !request.no_end { self.diff(state) } else { BTreeMap::new() };
        if !request.no_end && !self.has(WITH_EMPTY) {
            self.pre.retain(|_, account| !account.is_empty);
        }
        if self.has(DIFF) {
            json.raw("{\"post\":");
            write_posts(&posts, json);
            json.raw(",\"pre\":");
            self.write_pre(json);
            json.raw("}");
        } else {
            self.write_pre(json);
        }
        Ok(())
    }
}
