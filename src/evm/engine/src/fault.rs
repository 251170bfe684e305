//! What stopped a frame, in the words of go-ethereum 1.16 (`core/vm/errors.go`), which wallets and
//! tests match on.

use revm::{
    bytecode::opcode::OpCode,
    context::result::{HaltReason, OutOfGasError},
    interpreter::{
        interpreter_types::{Jumps, LegacyBytecode},
        InstructionResult, Interpreter, SuccessOrHalt,
    },
};

const STACK_LIMIT: i32 = 1024;

/// A creation that cannot pay for storing the code it returned. No other that is out of gas has an output.
pub const CODE_TOO_DEAR: &str = "contract creation code storage out of gas";

/// The instruction that was running when a frame ended, and how high the stack was.
#[derive(Default, Debug, Clone, Copy)]
pub struct At {
    pub opcode: u8,
    pub height: usize,
}

/// Where the interpreter stands after an instruction has failed: one past its opcode.
pub fn at(interpreter: &Interpreter) -> At {
    let pc = interpreter.bytecode.pc().wrapping_sub(1);
    let opcode = interpreter.bytecode.bytecode_slice().get(pc).copied().unwrap_or_default();
    At { opcode, height: interpreter.stack.len() }
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
