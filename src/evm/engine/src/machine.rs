//! revm's mainnet EVM with our dispatcher and our precompiles, with or without an inspector.

use crate::{
    dirty::{self, Called, Dirty},
    dispatch,
    fault::{self, At},
    host::HostDb,
    keccak,
    precompiles::Precompiles,
};
use revm::{
    bytecode::opcode,
    context::{BlockEnv, CfgEnv, Context, ContextTr, Evm, FrameStack, Journal, TxEnv},
    context_interface::context::ContextError,
    handler::{
        evm::{ContextDbError, FrameInitResult},
        instructions::EthInstructions,
        EthFrame, EvmTr, FrameInitOrResult, FrameResult, FrameTr, ItemOrResult,
    },
    inspector::{Inspector, InspectorEvmTr},
    interpreter::{
        instructions::{block_info, contract},
        interpreter::resize_memory,
        interpreter::EthInterpreter,
        interpreter_action::FrameInput,
        CallScheme, Host, Instruction, InstructionContext, InstructionResult, InterpreterAction,
    },
    primitives::{hardfork::SpecId, Address, Bytes, KECCAK_EMPTY, U256},
};

/// What Go says when it follows a pointer to nothing.
pub const NIL_POINTER: &str = "runtime error: invalid memory address or nil pointer dereference";

/// How a transaction ends that has used the gas it may run for in one go.
pub const SLICE_OVER: &str = "the slice of gas is used up";

/// The slowest precompiles of Ethereum take some twenty times as long for their gas as keccak does.
pub const PRECOMPILE_WEIGHT: u64 = 20;

/// Which contracts may call others and create some (x/vm's access lists), for the signer of a transaction.
#[derive(Default, Debug, Clone)]
pub struct Access {
    pub calls: Rule,
    pub creations: Rule,
}

/// Whether contracts are forbidden to do something, and those for which the contrary holds.
#[derive(Default, Debug, Clone)]
pub struct Rule {
    pub is_closed: bool,
    pub except: Vec<Address>,
}

impl Rule {
    fn allows(&self, caller: &Address) -> bool {
        self.is_closed == self.except.contains(caller)
    }
}

impl Access {
    /// Returns why a frame may not begin, in the words of Cosmos EVM. The caller of a delegated call is the contract
    /// that makes it.
    fn refusal(&self, input: &FrameInput) -> Option<String> {
        let (rule, caller, what) = match input {
            FrameInput::Call(inputs) => {
                let is_delegated = inputs.scheme == CallScheme::DelegateCall;
                let caller = if is_delegated { inputs.target_address } else { inputs.caller };
                (&self.calls, caller, "perform a call")
            }
            FrameInput::Create(inputs) => (&self.creations, inputs.caller(), "deploy contracts"),
            FrameInput::Empty => return None,
        };
        let text = || format!("caller address {caller} does not have permission to {what}");
        (!rule.allows(&caller)).then(text)
    }
}

/// A frame at this depth fails before it begins, and its gas goes back to its caller.
const TOO_DEEP: usize = usize::MAX;

/// What the transaction carries beside revm's own context.
#[derive(Default, Debug, Clone)]
pub struct Extra {
    /// The length of the host's undo log that the transaction keeps, taken as it ends.
    pub undo: u64,
    /// Where the last frame that failed stood.
    pub fault: At,
    /// A call leaves the sender's nonce alone.
    pub keeps_nonce: bool,
    pub has_blob_fee: bool,
    pub cold_coinbase: bool,
    /// The refund that the transaction begins with: for authorities that existed (EIP-7702).
    pub first_refund: u64,
    /// The code of the transaction's own creation, which was refused.
    pub refused_code: Bytes,
    /// Whether a frame was reverted after it had begun.
    pub frame_failed: bool,
    /// Why the last of Ethereum's precompiles that failed did, in go-ethereum's words.
    pub precompile_failure: String,
    /// The call that runs cannot pay for the first access to its account.
    pub is_unpaid: bool,
    /// What the node stores, beside what has changed.
    pub dirty: Dirty,
    pub access: Access,
    /// Why the last frame that was to begin may not, if it may not.
    pub refusal: Option<String>,
    /// Gas that may still be used before the transaction is given up as `SLICE_OVER`.
    pub slice: Option<u64>,
}

impl Extra {
    /// Takes used gas off the slice.
    pub fn count(&mut self, gas: u64) {
        if let Some(left) = &mut self.slice {
            *left = left.saturating_sub(gas);
        }
    }
}

pub type Ctx = Context<BlockEnv, TxEnv, CfgEnv, HostDb, Journal<HostDb>, Extra>;
pub type Instructions = EthInstructions<EthInterpreter, Ctx>;
pub type Frame = EthFrame<EthInterpreter>;

/// The parts of a block and of the rules that a transaction sees.
#[derive(Clone, Default)]
pub struct Surroundings {
    pub cfg: CfgEnv,
    pub block: BlockEnv,
    pub host_addresses: Vec<Address>,
    /// Ethereum's precompiles that answer elsewhere, from where and to where; the same is nowhere.
    pub moved: Vec<(Address, Address)>,
    pub bumps_nonce: bool,
    pub has_blob_fee: bool,
    /// Address 0 begins warm instead of the coinbase (EIP-3651), as on Cosmos EVM.
    pub cold_coinbase: bool,
    pub access: Access,
}

pub struct Machine<I>(pub Evm<Ctx, I, Instructions, Precompiles, Frame>);

impl<I> Machine<I> {
    pub fn new(around: &Surroundings, db: HostDb, inspector: I) -> Self {
        let spec = around.cfg.spec;
        let mut ctx: Ctx = Context::new(db, spec);
        ctx.cfg = around.cfg.clone();
        ctx.block = around.block.clone();
        ctx.chain.keeps_nonce = !around.bumps_nonce;
        ctx.chain.has_blob_fee = around.has_blob_fee;
        ctx.chain.cold_coinbase = around.cold_coinbase;
        ctx.chain.access = around.access.clone();
        let mut instruction = Instructions::new_mainnet_with_spec(spec);
        let cost = instruction.gas_table()[opcode::KECCAK256 as usize];
        instruction.insert_instruction(opcode::KECCAK256, Instruction::new(keccak256), cost);
        let cost = instruction.gas_table()[opcode::BLOBBASEFEE as usize];
        instruction.insert_instruction(opcode::BLOBBASEFEE, Instruction::new(blob_base_fee), cost);
        for (kind, run) in CALLS {
            let cost = instruction.gas_table()[kind as usize];
            instruction.insert_instruction(kind, Instruction::new(run), cost);
        }
        let precompiles = Precompiles::new(spec, &around.host_addresses, &around.moved);
        Self(Evm { ctx, inspector, instruction, precompiles, frame_stack: FrameStack::new_prealloc(8) })
    }

    /// Takes a new block or new rules of the same fork and the same precompiles.
    pub fn surround(&mut self, around: &Surroundings) {
        self.0.ctx.cfg = around.cfg.clone();
        self.0.ctx.block = around.block.clone();
        self.0.ctx.chain.keeps_nonce = !around.bumps_nonce;
        self.0.ctx.chain.has_blob_fee = around.has_blob_fee;
        self.0.ctx.chain.cold_coinbase = around.cold_coinbase;
        self.0.ctx.chain.access = around.access.clone();
    }

    pub fn db(&mut self) -> &mut HostDb {
        &mut self.0.ctx.journaled_state.database
    }
}

/// The gas that a frame gives to the one that it opens.
fn handed_on(action: &InterpreterAction) -> u64 {
    match action {
        InterpreterAction::NewFrame(FrameInput::Call(inputs)) => inputs.gas_limit,
        InterpreterAction::NewFrame(FrameInput::Create(inputs)) => inputs.gas_limit(),
        _ => 0,
    }
}

/// Whether a frame ended badly after it had begun: what forbids it to begin reverts nothing.
fn has_failed(ended: InstructionResult) -> bool {
    use InstructionResult::*;
    !ended.is_ok() && !matches!(ended, CallTooDeep | OutOfFunds | CreateCollision | NonceOverflow)
}

type Run = fn(InstructionContext<'_, Ctx, EthInterpreter>) -> Result<(), InstructionResult>;

const CALLS: [(u8, Run); 4] = [
    (opcode::CALL, call::<{ opcode::CALL }>),
    (opcode::CALLCODE, call::<{ opcode::CALLCODE }>),
    (opcode::DELEGATECALL, call::<{ opcode::DELEGATECALL }>),
    (opcode::STATICCALL, call::<{ opcode::STATICCALL }>),
];

/// revm's call, which does not tell what it could not pay for.
fn call<const KIND: u8>(context: InstructionContext<'_, Ctx, EthInterpreter>) -> Result<(), InstructionResult> {
    let left = context.interpreter.gas.remaining();
    context.host.chain.is_unpaid = fault::is_unpaid(context.interpreter, context.host, left);
    contract::call::<KIND, _, _>(context)
}

/// KECCAK256 with our hash: the hook that the hashing crate offers is fixed to another host's import.
pub fn keccak256<H: Host>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let interpreter = context.interpreter;
    let Some(([offset], top)) = interpreter.stack.popn_top::<1>() else {
        return Err(InstructionResult::StackUnderflow);
    };
    let size = |value: U256| usize::try_from(value).map_err(|_| InstructionResult::InvalidOperandOOG);
    let length = size(*top)?;
    let params = context.host.gas_params();
    if !interpreter.gas.record_regular_cost(params.keccak256_cost(length)) {
        return Err(InstructionResult::OutOfGas);
    }
    *top = if length == 0 {
        KECCAK_EMPTY.into()
    } else {
        let from = size(offset)?;
        resize_memory(&mut interpreter.gas, &mut interpreter.memory, params, from, length)?;
        U256::from_be_bytes(keccak::keccak256(&interpreter.memory.slice_len(from, length)))
    };
    Ok(())
}

/// BLOBBASEFEE on a chain that has no blobs: Cosmos EVM follows a pointer that is nil, and whoever
/// called it gets this text of Go's runtime.
fn blob_base_fee(context: InstructionContext<'_, Ctx, EthInterpreter>) -> Result<(), InstructionResult> {
    if context.host.chain.has_blob_fee || !context.host.cfg.spec.is_enabled_in(SpecId::CANCUN) {
        return block_info::blob_basefee(context);
    }
    *context.host.error() = Err(ContextError::Custom(NIL_POINTER.into()));
    Err(InstructionResult::FatalExternalError)
}

impl<I> EvmTr for Machine<I> {
    type Context = Ctx;
    type Instructions = Instructions;
    type Precompiles = Precompiles;
    type Frame = Frame;

    fn all(&self) -> (&Ctx, &Instructions, &Precompiles, &FrameStack<Frame>) {
        self.0.all()
    }

    fn all_mut(&mut self) -> (&mut Ctx, &mut Instructions, &mut Precompiles, &mut FrameStack<Frame>) {
        self.0.all_mut()
    }

    fn frame_init(
        &mut self,
        mut input: <Frame as FrameTr>::FrameInit,
    ) -> Result<FrameInitResult<'_, Frame>, ContextDbError<Ctx>> {
        let chain = &mut self.0.ctx.chain;
        chain.refusal = chain.access.refusal(&input.frame_input);
        if chain.refusal.is_some() {
            input.depth = TOO_DEEP;
        }
        let called = match &input.frame_input {
            FrameInput::Call(inputs) => Called::of(inputs),
            _ => None,
        };
        let ended = match self.0.frame_init(input)? {
            ItemOrResult::Result(result) => Some(result),
            ItemOrResult::Item(_) => None,
        };
        if let Some(called) = called {
            called.mark(&mut self.0.ctx, ended.as_ref());
        }
        Ok(match ended {
            Some(result) => ItemOrResult::Result(result),
            None => ItemOrResult::Item(self.0.frame_stack.get()),
        })
    }

    fn frame_run(&mut self) -> Result<FrameInitOrResult<Frame>, ContextDbError<Ctx>> {
        let frame = self.0.frame_stack.get();
        let (table, gas) = (self.0.instruction.instruction_table(), self.0.instruction.gas_table());
        let (before, slice) = (frame.interpreter.gas.remaining(), self.0.ctx.chain.slice);
        let floor = slice.map_or(0, |left| before.saturating_sub(left));
        let ran = match slice {
            Some(0) => None,
            _ => dispatch::run(&mut frame.interpreter, table, gas, &mut self.0.ctx, floor),
        };
        let Some(action) = ran else { return Err(ContextError::Custom(SLICE_OVER.into())) };
        if slice.is_some() {
            let used = before.saturating_sub(frame.interpreter.gas.remaining());
            self.0.ctx.chain.count(used.saturating_sub(handed_on(&action)));
        }
        if action.instruction_result().is_some_and(|result| result.is_halt()) {
            let is_unpaid = core::mem::take(&mut self.0.ctx.chain.is_unpaid);
            self.0.ctx.chain.fault = fault::at(&frame.interpreter, is_unpaid);
        }
        let ended = action.instruction_result();
        if ended == Some(InstructionResult::SelfDestruct) {
            dirty::mark_self(&mut self.0.ctx, frame.interpreter.input.target_address);
        }
        let (start, is_create) = (frame.checkpoint.journal_i, frame.data.is_create());
        // Code that was returned may still be refused.
        let before = ended.filter(|ended| ended.is_ok() && is_create).map(|_| self.0.ctx.chain.dirty.slots.clone());
        if let Some(ended) = ended.filter(|ended| !ended.is_ok() || is_create) {
            dirty::before_revert(&mut self.0.ctx, start, ended);
        }
        let result = frame.process_next_action::<_, ContextDbError<Ctx>>(&mut self.0.ctx, action)?;
        if let ItemOrResult::Result(outcome) = &result {
            frame.set_finished(true);
            if let Some(slots) = before.filter(|_| outcome.interpreter_result().result.is_ok()) {
                self.0.ctx.chain.dirty.slots = slots;
            }
        }
        Ok(result)
    }

    fn frame_return_result(&mut self, result: FrameResult) -> Result<Option<FrameResult>, ContextDbError<Ctx>> {
        self.0.ctx.chain.frame_failed |= has_failed(result.interpreter_result().result);
        self.0.frame_return_result(result)
    }
}

impl<I: Inspector<Ctx>> InspectorEvmTr for Machine<I> {
    type Inspector = I;

    fn all_inspector(&self) -> (&Ctx, &Instructions, &Precompiles, &FrameStack<Frame>, &I) {
        self.0.all_inspector()
    }

    fn all_mut_inspector(&mut self) -> (&mut Ctx, &mut Instructions, &mut Precompiles, &mut FrameStack<Frame>, &mut I) {
        self.0.all_mut_inspector()
    }
}
