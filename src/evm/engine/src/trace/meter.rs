//! What go-ethereum says of an instruction before it runs: its price, the refund and why it cannot
//! run. revm knows this only afterwards, so it is read when the instruction is over.

use super::price;
use crate::{
    fault::{self, At},
    host::HostThrew,
    machine::Ctx,
};
use revm::{
    bytecode::opcode,
    context::{ContextTr, JournalTr},
    interpreter::{
        interpreter_types::{Jumps, LoopControl},
        FrameInput, InstructionResult, Interpreter, InterpreterAction,
    },
};

/// An instruction that is about to run.
struct Start {
    at: At,
    gas: u64,
    refund: u64,
    /// The refund of the frame alone.
    own_refund: i64,
    /// The price where revm may stop the instruction before it has taken all of it.
    price: Option<u64>,
    constant: u64,
}

/// An instruction that ran, or failed.
pub struct Metered {
    pub cost: u64,
    /// The refund as the instruction runs; the price of SSTORE comes with its refund.
    pub refund: u64,
    pub failure: Option<Failure>,
}

/// Why an instruction failed. Whatever go-ethereum notices before it runs is part of its step; what
/// the instruction itself finds is a fault. REVERT counts as one.
pub struct Failure {
    pub is_fault: bool,
    pub text: String,
}

/// The refund counters of the open frames, and the instruction that runs.
#[derive(Default)]
pub struct Meter {
    refunds: Vec<i64>,
    start: Option<Start>,
}

impl Meter {
    pub fn open_frame(&mut self) {
        self.refunds.push(0);
    }

    /// Forgets frames that were left without a step of their own.
    pub fn begin(&mut self, interpreter: &Interpreter, ctx: &mut Ctx) -> Result<(), HostThrew> {
        self.refunds.truncate(ctx.journal().depth());
        let own_refund = interpreter.gas.refunded();
        if let Some(top) = self.refunds.last_mut() {
            *top = own_refund;
        }
        let refund = ctx.chain.first_refund as i64 + self.refunds.iter().sum::<i64>();
        self.start = Some(Start {
            at: At::before(interpreter, ctx),
            gas: interpreter.gas.remaining(),
            refund: refund.max(0) as u64,
            own_refund,
            price: price::before(interpreter, ctx)?,
            constant: price::constant(interpreter.bytecode.opcode(), ctx.cfg.spec),
        });
        Ok(())
    }

    pub fn end(&mut self, interpreter: &mut Interpreter) -> Option<Metered> {
        let start = self.start.take()?;
        let remaining = interpreter.gas.remaining();
        let action = interpreter.bytecode.action().as_ref();
        // The node shows the price of CREATE without the gas that it hands on.
        let handed_on = match action {
            Some(InterpreterAction::NewFrame(FrameInput::Create(inputs))) => inputs.gas_limit(),
            _ => 0,
        };
        let spent = start.gas.saturating_sub(remaining).saturating_sub(handed_on);
        let result = action.and_then(InterpreterAction::instruction_result);
        let cost = match result {
            Some(InstructionResult::StackUnderflow | InstructionResult::StackOverflow) => start.constant,
            Some(result) if is_out_of_gas(result) || is_forbidden(result) => start.price.unwrap_or(spent),
            _ => spent,
        };
        let gained = match start.at.opcode {
            opcode::SSTORE => interpreter.gas.refunded() - start.own_refund,
            _ => 0,
        };
        let failure = result.and_then(|result| {
            let text = fault::text(result, start.at)?;
            Some(Failure { is_fault: !is_noticed_before(result), text })
        });
        Some(Metered { cost, refund: start.refund.saturating_add_signed(gained), failure })
    }
}

/// Whether go-ethereum notices the failure before the instruction runs.
pub fn is_noticed_before(result: InstructionResult) -> bool {
    matches!(result, InstructionResult::StackUnderflow | InstructionResult::StackOverflow) || is_out_of_gas(result)
}

fn is_out_of_gas(result: InstructionResult) -> bool {
    use InstructionResult::*;
    matches!(result, OutOfGas | MemoryOOG | MemoryLimitOOG | InvalidOperandOOG | ReentrancySentryOOG)
}

/// Whether a static call forbids the instruction: go-ethereum charges before it looks.
fn is_forbidden(result: InstructionResult) -> bool {
    use InstructionResult::*;
    matches!(result, StateChangeDuringStaticCall | CallNotAllowedInsideStatic)
}
