//! What stopped a frame, in the words of go-ethereum 1.16 (`core/vm/errors.go`), which wallets and
//! tests match on.

use crate::machine::Ctx;
use revm::{
    bytecode::opcode::{self, OpCode},
    context::result::{HaltReason, OutOfGasError},
    interpreter::{
        instructions::utility::IntoAddress,
        interpreter_types::{Jumps, LegacyBytecode},
        InstructionResult, Interpreter, SuccessOrHalt,
    },
    primitives::hardfork::SpecId,
    state::Account,
};

const STACK_LIMIT: i32 = 1024;

/// A creation that cannot pay for storing the code it returned. No other that is out of gas has an output.
pub const CODE_TOO_DEAR: &str = "contract creation code storage out of gas";

/// The instruction that was running when a frame ended, and how high the stack was.
#[derive(Default, Debug, Clone, Copy)]
pub struct At {
    pub opcode: u8,
    pub height: usize,
    /// A call that cannot pay for the first access to its account.
    pub is_unpaid: bool,
}

impl At {
    /// Where the interpreter stands before an instruction runs.
    pub fn before(interpreter: &Interpreter, ctx: &Ctx) -> Self {
        let opcode = interpreter.bytecode.opcode();
        let is_call = matches!(opcode, opcode::CALL | opcode::CALLCODE | opcode::DELEGATECALL | opcode::STATICCALL);
        let left = interpreter.gas.remaining().checked_sub(WARM_ACCESS);
        let is_unpaid = is_call && left.is_some_and(|left| is_unpaid(interpreter, ctx, left));
        Self { opcode, height: interpreter.stack.len(), is_unpaid }
    }
}

/// What a call costs in any case, and what the first access to its account costs beside it (EIP-2929).
const WARM_ACCESS: u64 = 100;
const COLD_ACCESS: u64 = 2_500;

/// Whether a call that has paid what it costs in any case cannot pay for the first access to its account.
pub fn is_unpaid(interpreter: &Interpreter, ctx: &Ctx, left: u64) -> bool {
    if left >= COLD_ACCESS || !ctx.cfg.spec.is_enabled_in(SpecId::BERLIN) {
        return false;
    }
    let Ok(target) = interpreter.stack.peek(1) else { return false };
    let target = target.into_address();
    let journal = &ctx.journaled_state.inner;
    let is_known = |account: &Account| !account.is_cold_transaction_id(journal.transaction_id);
    !journal.state.get(&target).is_some_and(is_known) && journal.warm_addresses.is_cold(&target)
}

/// Where the interpreter stands after an instruction has failed: one past its opcode.
pub fn at(interpreter: &Interpreter, is_unpaid: bool) -> At {
    let pc = interpreter.bytecode.pc().wrapping_sub(1);
    let opcode = interpreter.bytecode.bytecode_slice().get(pc).copied().unwrap_or_default();
    At { opcode, height: interpreter.stack.len(), is_unpaid }
}

/// Returns the text of a frame's end, nothing when it ended well.
pub fn text(result: InstructionResult, at: At) -> Option<String> {
    match SuccessOrHalt::<HaltReason>::from(result) {
        SuccessOrHalt::Success(_) => None,
        SuccessOrHalt::Revert => Some("execution reverted".into()),
        SuccessOrHalt::Halt(reason) => Some(halt_text(&reason, at)),
        other => Some(format!("{other:?}")),
    }
}

/// Returns the text of a halt.
pub fn halt_text(reason: &HaltReason, at: At) -> String {
    let code = OpCode::new_or_unknown(at.opcode);
    let (inputs, outputs) = (i32::from(code.inputs()), i32::from(code.outputs()));
    let text = match reason {
        HaltReason::OutOfGas(OutOfGasError::ReentrancySentry) => "out of gas: not enough gas for reentrancy sentry",
        HaltReason::OutOfGas(OutOfGasError::InvalidOperand) => "gas uint64 overflow",
        HaltReason::OutOfGas(OutOfGasError::MemoryLimit) => "out of gas: memory limit reached",
        HaltReason::OutOfGas(_) if at.is_unpaid => "out of gas: out of gas",
        HaltReason::OutOfGas(_) => "out of gas",
        HaltReason::InvalidJump => "invalid jump destination",
        HaltReason::OutOfOffset => "return data out of bounds",
        HaltReason::CreateCollision => "contract address collision",
        HaltReason::NonceOverflow => "nonce uint64 overflow",
        HaltReason::CreateContractSizeLimit => "max code size exceeded",
        HaltReason::CreateContractStartingWithEF => "invalid code: must not begin with 0xef",
        HaltReason::CreateInitCodeSizeLimit => "max initcode size exceeded",
        HaltReason::StateChangeDuringStaticCall | HaltReason::CallNotAllowedInsideStatic => "write protection",
        HaltReason::OutOfFunds => "insufficient balance for transfer",
        HaltReason::CallTooDeep => "max call depth exceeded",
        HaltReason::PrecompileError => "precompile failed",
        HaltReason::InvalidFEOpcode => "invalid opcode: INVALID",
        HaltReason::OpcodeNotFound | HaltReason::NotActivated => return invalid_opcode(at.opcode),
        HaltReason::StackUnderflow => return format!("stack underflow ({} <=> {inputs})", at.height),
        HaltReason::StackOverflow => {
            return format!("stack limit reached {} ({})", at.height, STACK_LIMIT + inputs - outputs)
        }
        HaltReason::PrecompileErrorWithContext(text) => precompile_text(text),
        other => return format!("{other}"),
    };
    text.into()
}

/// The words of go-ethereum's precompiles for those of revm's; unknown ones stay as they are.
pub fn precompile_text(text: &str) -> &str {
    match text {
        "field point not a member of bn254 curve" => "bn256: coordinate exceeds modulus",
        "failed to create affine g point for bn254 curve" => "bn256: malformed point",
        "bn254 invalid pair length" => "bad elliptic curve pairing size",
        "wrong final indicator flag for blake2" => "invalid final flag",
        "mismatched blob version" => "mismatched versioned hash",
        "verifying blob kzg proof failed" => "error verifying kzg proof",
        "bls12-381 g1 point not on curve" | "bls12-381 g2 point not on curve" => "invalid point: not on curve",
        "bls12-381 g1 point not in correct subgroup" => "g1 point is not on correct subgroup",
        "bls12-381 g2 point not in correct subgroup" => "g2 point is not on correct subgroup",
        "bls12-381 fp 64 top bytes of input are not zero" => "invalid field element top bytes",
        "wrong input length for blake2" | "invalid blob input length" => "invalid input length",
        length if length.starts_with("bls12-381") && length.ends_with("input length error") => "invalid input length",
        other => other,
    }
}

fn invalid_opcode(opcode: u8) -> String {
    match OpCode::new(opcode) {
        Some(known) => format!("invalid opcode: {known}"),
        None => format!("invalid opcode: opcode {opcode:#x} not defined"),
    }
}
