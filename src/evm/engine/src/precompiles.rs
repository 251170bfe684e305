//! Ethereum's precompiles, and those of the host, which may change balances, logs and storage of the
//! running transaction through its journal.
//!
//! The host's own state is no part of the journal. Its undo log is: the length of the log is one
//! word in the transient storage of an address that nothing else uses, so that revm takes it back
//! with the frame, and neither a diff nor a trace nor an access list shows it.

use crate::{
    abi::{Writer, CALL_CODE, CALL_DELEGATE, CALL_STATIC},
    door::{self, Ended},
    fault,
    host::HostThrew,
    machine::{Ctx, PRECOMPILE_WEIGHT, SLICE_OVER},
};
use revm::{
    context::{ContextTr, Journal, JournalTr, LocalContextTr},
    context_interface::journaled_state::account::JournaledAccountTr,
    handler::{precompile_output_to_interpreter_result, EthPrecompiles, PrecompileProvider},
    interpreter::{CallInputs, CallScheme, Gas, InstructionResult, InterpreterResult},
    precompile::{PrecompileHalt, PrecompileStatus},
    primitives::{address, hardfork::SpecId, Address, AddressSet, Bytes, Log, B256, U256},
};

/// Holds the undo word. Nobody has its key, and only the engine writes to its transient storage.
pub const UNDO_ADDRESS: Address = address!("fffffffffffffffffffffffffffffffffffffffe");

type HostJournal = Journal<crate::host::HostDb>;

pub struct Precompiles {
    ethereum: EthPrecompiles,
    host: AddressSet,
    moved: Vec<(Address, Address)>,
}

impl Precompiles {
    pub fn new(spec: SpecId, host: &[Address], moved: &[(Address, Address)]) -> Self {
        Self { ethereum: EthPrecompiles::new(spec), host: host.iter().copied().collect(), moved: moved.into() }
    }

    /// Runs what moved to the called address; where something moved away, code runs as anywhere else.
    /// What moves to where it is answers nowhere.
    fn run_moved(&mut self, ctx: &mut Ctx, inputs: &CallInputs) -> Result<Option<InterpreterResult>, String> {
        let called = inputs.bytecode_address;
        if let Some((from, _)) = self.moved.iter().find(|(from, to)| *to == called && from != to) {
            return self.run_ethereum(ctx, *from, inputs);
        }
        if self.moved.iter().any(|(from, _)| *from == called) {
            return Ok(None);
        }
        self.run_ethereum(ctx, called, inputs)
    }

    /// As revm's own provider, which forgets why a precompile failed below the top frame.
    fn run_ethereum(
        &mut self,
        ctx: &mut Ctx,
        address: Address,
        inputs: &CallInputs,
    ) -> Result<Option<InterpreterResult>, String> {
        let Some(precompile) = self.ethereum.precompiles.get(&address) else { return Ok(None) };
        // A precompile asks for its price before it computes.
        let most = ctx.chain.slice.map_or(inputs.gas_limit, |left| inputs.gas_limit.min(left / PRECOMPILE_WEIGHT));
        let ran = precompile.execute(&inputs.input.as_bytes(ctx), most, inputs.reservoir);
        let mut output = ran.map_err(|error| error.to_string())?;
        if most < inputs.gas_limit && output.halt_reason().is_some_and(|reason| reason.is_oog()) {
            return Err(SLICE_OVER.into());
        }
        ctx.chain.count(output.gas_used.saturating_mul(PRECOMPILE_WEIGHT));
        if is_priceless(output.halt_reason(), self.ethereum.spec) {
            output.status = PrecompileStatus::Halt(PrecompileHalt::OutOfGas);
        }
        if let Some(reason) = output.halt_reason().filter(|reason| !reason.is_oog()) {
            let text = reason.to_string();
            ctx.chain.precompile_failure = fault::precompile_text(&text).into();
            if ctx.journal().depth() == 1 {
                ctx.local_mut().set_precompile_error_context(text);
            }
        }
        Ok(Some(precompile_output_to_interpreter_result(output, inputs.gas_limit)))
    }
}

impl PrecompileProvider<Ctx> for Precompiles {
    type Output = InterpreterResult;

    // A machine is made for one fork.
    fn set_spec(&mut self, _: SpecId) -> bool {
        false
    }

    // The host's are cold on first touch: they are contracts to Cosmos EVM's access list.
    fn warm_addresses(&self) -> &AddressSet {
        self.ethereum.warm_addresses()
    }

    fn run(&mut self, ctx: &mut Ctx, inputs: &CallInputs) -> Result<Option<InterpreterResult>, String> {
        if !self.host.contains(&inputs.bytecode_address) {
            return self.run_moved(ctx, inputs);
        }
        call_host(ctx, inputs).map(Some).map_err(|_| "the host threw".into())
    }
}

/// Lengths that revm cannot hold have a price that nobody can pay: go-ethereum is out of gas there.
fn is_priceless(reason: Option<&PrecompileHalt>, spec: SpecId) -> bool {
    use PrecompileHalt::*;
    match reason {
        Some(ModexpExpOverflow | ModexpBaseOverflow | ModexpModOverflow) => true,
        Some(ModexpEip7823LimitSize) => !spec.is_enabled_in(SpecId::OSAKA),
        _ => false,
    }
}

fn call_host(ctx: &mut Ctx, inputs: &CallInputs) -> Result<InterpreterResult, HostThrew> {
    let input = inputs.input.bytes(ctx);
    let journal = &mut ctx.journaled_state;
    let undo: u64 = journal.tload(UNDO_ADDRESS, U256::ZERO).saturating_to();
    let call = call_record(inputs, undo, &input);
    let mut frame = HostFrame { journal, is_static: inputs.is_static, arguments: vec![0; 128] };
    let ended = door::host_call(&call, &mut frame)?;
    let mut gas = Gas::new(inputs.gas_limit);
    let (result, output) = match ended {
        Ended::OutOfGas => (InstructionResult::PrecompileOOG, Bytes::new()),
        Ended::StaticWrite => (InstructionResult::StateChangeDuringStaticCall, Bytes::new()),
        Ended::Success { gas_used, .. } | Ended::Revert { gas_used, .. } if !gas.record_regular_cost(gas_used) => {
            (InstructionResult::PrecompileOOG, Bytes::new())
        }
        Ended::Success { undo, output, .. } => {
            journal.tstore(UNDO_ADDRESS, U256::ZERO, U256::from(undo));
            (InstructionResult::Return, output)
        }
        Ended::Revert { output, .. } => (InstructionResult::Revert, output),
    };
    if !result.is_ok_or_revert() {
        gas.spend_all();
    }
    Ok(InterpreterResult::new(result, output, gas))
}

/// Writes a `call` record.
fn call_record(inputs: &CallInputs, undo: u64, input: &[u8]) -> Vec<u8> {
    let borrowed = match inputs.scheme {
        CallScheme::DelegateCall => CALL_DELEGATE,
        CallScheme::CallCode => CALL_CODE,
        CallScheme::Call | CallScheme::StaticCall => 0,
    };
    let flags = if inputs.is_static { CALL_STATIC } else { 0 } | borrowed;
    let mut call = Writer::default();
    call.raw(inputs.bytecode_address.as_slice());
    call.raw(inputs.caller.as_slice());
    call.u256(inputs.value.get());
    call.u64(inputs.gas_limit);
    call.u64(undo);
    call.u8(flags);
    call.bytes(input);
    call.0
}

/// What one call of a host precompile may touch while it runs. Reading or writing leaves an address
/// as warm or cold as it was, because the SDK's modules know of no access list.
pub struct HostFrame<'a> {
    journal: &'a mut HostJournal,
    is_static: bool,
    /// Where the host puts the arguments of the next journal call and finds its answer.
    pub arguments: Vec<u8>,
}

/// Why a journal call did nothing.
pub enum JournalError {
    Refused,
    StaticWrite,
    Threw,
}

impl From<HostThrew> for JournalError {
    fn from(_: HostThrew) -> Self {
        Self::Threw
    }
}

impl HostFrame<'_> {
    fn writable(&self) -> Result<(), JournalError> {
        if self.is_static {
            return Err(JournalError::StaticWrite);
        }
        Ok(())
    }

    pub fn balance(&mut self, address: Address) -> Result<U256, JournalError> {
        let mut account = self.journal.load_account_mut(address)?;
        let balance = *account.data.balance();
        if account.is_cold {
            account.data.unsafe_mark_cold();
        }
        Ok(balance)
    }

    /// Whether an address has code that is not a delegation (EIP-7702), as of now in the transaction.
    pub fn is_contract(&mut self, address: Address) -> Result<bool, JournalError> {
        let mut account = self.journal.load_account_with_code_mut(address)?;
        let found = account.data.code().is_some_and(|code| !code.is_empty() && !code.is_eip7702());
        if account.is_cold {
            account.data.unsafe_mark_cold();
        }
        Ok(found)
    }

    pub fn add_balance(&mut self, address: Address, wei: U256) -> Result<(), JournalError> {
        self.writable()?;
        let mut account = self.journal.load_account_mut(address)?;
        let done = account.data.incr_balance(wei);
        if account.is_cold {
            account.data.unsafe_mark_cold();
        }
        if done {
            Ok(())
        } else {
            Err(JournalError::Refused)
        }
    }

    pub fn sub_balance(&mut self, address: Address, wei: U256) -> Result<(), JournalError> {
        self.writable()?;
        let mut account = self.journal.load_account_mut(address)?;
        let done = account.data.decr_balance(wei);
        if account.is_cold {
            account.data.unsafe_mark_cold();
        }
        if done {
            Ok(())
        } else {
            Err(JournalError::Refused)
        }
    }

    pub fn transfer(&mut self, from: Address, to: Address, wei: U256) -> Result<(), JournalError> {
        self.sub_balance(from, wei)?;
        self.add_balance(to, wei)
    }

    pub fn log(&mut self, address: Address, topics: Vec<B256>, data: Bytes) -> Result<(), JournalError> {
        self.writable()?;
        self.journal.log(Log::new_unchecked(address, topics, data));
        Ok(())
    }

    pub fn slot(&mut self, address: Address, key: U256) -> Result<U256, JournalError> {
        self.with_slot(address, key, None)
    }

    pub fn set_slot(&mut self, address: Address, key: U256, value: U256) -> Result<(), JournalError> {
        self.writable()?;
        self.with_slot(address, key, Some(value)).map(|_| ())
    }

    fn with_slot(&mut self, address: Address, key: U256, new: Option<U256>) -> Result<U256, JournalError> {
        let mut account = self.journal.load_account_mut(address)?;
        let account_was_cold = account.is_cold;
        let slot_was_cold = match new {
            None => account.data.sload_concrete_error(key, false).map(|slot| slot.is_cold),
            Some(value) => account.data.sstore_concrete_error(key, value, false).map(|slot| slot.is_cold),
        };
        let slot_was_cold = slot_was_cold.map_err(|error| error.unwrap_db_error())?;
        if account_was_cold {
            account.data.unsafe_mark_cold();
        }
        let slot = self.journal.inner.state.get_mut(&address).and_then(|found| found.storage.get_mut(&key));
        let Some(slot) = slot else { return Ok(U256::ZERO) };
        if slot_was_cold {
            slot.mark_cold();
        }
        Ok(slot.present_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::vector;
    use revm::{
        interpreter::{CallInput, CallValue},
        state::Bytecode,
    };

    #[test]
    fn a_call_record_is_written_as_the_host_reads_it() {
        let inputs = CallInputs {
            input: CallInput::Bytes(Bytes::new()),
            return_memory_offset: 0..0,
            gas_limit: 30_000,
            reservoir: 0,
            bytecode_address: Address::repeat_byte(0x08),
            known_bytecode: (B256::ZERO, Bytecode::default()),
            target_address: Address::repeat_byte(0xb1),
            caller: Address::repeat_byte(0xa1),
            value: CallValue::Apparent((U256::from(1) << 128) + U256::from(5)),
            scheme: CallScheme::DelegateCall,
            is_static: true,
            charged_new_account_state_gas: false,
        };
        assert_eq!(call_record(&inputs, 3, &[0xca, 0xfe]), vector("call"));
    }
}
