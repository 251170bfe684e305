//! revm's handler of a transaction with the differences that a Cosmos chain needs.

use crate::{
    host::HostThrew,
    machine::{Ctx, Machine},
    precompiles::UNDO_ADDRESS,
};
use core::marker::PhantomData;
use revm::{
    context::{
        result::{EVMError, HaltReason, InvalidTransaction},
        Cfg, ContextTr, JournalTr, Transaction,
    },
    context_interface::journaled_state::account::JournaledAccountTr,
    handler::{post_execution, pre_execution, validation, EvmTr, FrameResult, Handler},
    inspector::{Inspector, InspectorHandler},
    interpreter::{interpreter::EthInterpreter, CreateOutcome, GasTracker, InitialAndFloorGas},
    primitives::{Address, U256},
};

pub type Failure = EVMError<HostThrew, InvalidTransaction>;

pub struct TxHandler<I>(PhantomData<I>);

impl<I> Default for TxHandler<I> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<I> Handler for TxHandler<I> {
    type Evm = Machine<I>;
    type Error = Failure;
    type HaltReason = HaltReason;

    /// A message that no block limits may bring more init code than a transaction; CREATE may not.
    fn validate_env(&self, machine: &mut Machine<I>) -> Result<(), Failure> {
        let ctx = machine.ctx_mut();
        if !ctx.cfg.disable_block_gas_limit {
            return validation::validate_env(ctx);
        }
        let limit = ctx.cfg.limit_contract_initcode_size.replace(usize::MAX);
        let outcome = validation::validate_env(&mut *ctx);
        ctx.cfg.limit_contract_initcode_size = limit;
        outcome
    }

    fn load_accounts(&self, machine: &mut Machine<I>) -> Result<(), Failure> {
        pre_execution::load_accounts::<_, Failure>(machine)?;
        let ctx = machine.ctx_mut();
        if ctx.chain.cold_coinbase {
            ctx.journal_mut().warm_coinbase_account(Address::ZERO);
        }
        Ok(())
    }

    /// With fees off revm skips the balance check together with the top-up that lets an unfunded
    /// sender move `value`; here the two switches stay independent.
    fn validate_against_state_and_deduct_caller(
        &self,
        machine: &mut Machine<I>,
        _: &mut InitialAndFloorGas,
    ) -> Result<(), Failure> {
        let ctx = machine.ctx();
        pre_execution::validate_against_state_and_deduct_caller::<_, Failure>(ctx)?;
        if ctx.cfg.is_fee_charge_disabled() && ctx.cfg.is_balance_check_disabled() {
            let (caller, value) = (ctx.tx.caller(), ctx.tx.value());
            let mut account = ctx.journaled_state.load_account_mut(caller)?.data;
            if *account.balance() < value {
                account.set_balance(value);
            }
        }
        ctx.chain.dirty.from = ctx.journaled_state.inner.journal.len();
        if ctx.chain.keeps_nonce && ctx.tx.kind().is_call() {
            let mut account = ctx.journaled_state.load_account_mut(ctx.tx.caller())?.data;
            let before = account.nonce().wrapping_sub(1);
            account.unsafe_set_nonce(before);
        }
        Ok(())
    }

    /// Struct logs begin with this refund.
    fn apply_eip7702_auth_list(&self, machine: &mut Machine<I>, gas: &mut GasTracker) -> Result<Option<u64>, Failure> {
        let refund = pre_execution::apply_eip7702_auth_list::<_, Failure>(machine.ctx_mut(), gas)?;
        machine.ctx_mut().chain.first_refund = refund.unwrap_or_default();
        Ok(refund)
    }

    /// The last step that sees the journal before it is cleared: what the transaction keeps of the
    /// host's undo log is read here, after every frame has been settled, and so is the code that a
    /// failed creation returned, which revm's result of the transaction lacks.
    fn reward_beneficiary(&self, machine: &mut Machine<I>, result: &mut FrameResult) -> Result<(), Failure> {
        let ctx = machine.ctx();
        let undo = ctx.journal_mut().tload(UNDO_ADDRESS, U256::ZERO);
        ctx.chain.undo = undo.saturating_to();
        let inner = &ctx.journaled_state.inner;
        ctx.chain.dirty.finish(&inner.journal, &inner.state);
        if let FrameResult::Create(CreateOutcome { result, .. }) = &*result {
            if result.result.is_halt() {
                ctx.chain.refused_code = result.output.clone();
            }
        }
        post_execution::reward_beneficiary(ctx, result.gas()).map_err(EVMError::from)
    }
}

impl<I: Inspector<Ctx>> InspectorHandler for TxHandler<I> {
    type IT = EthInterpreter;
}
