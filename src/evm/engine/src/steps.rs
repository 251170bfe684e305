//! Shows the host every instruction before it runs: for console.log, coverage and debuggers.

use crate::{door, fault::At, machine::Ctx};
use revm::{
    context::{ContextTr, JournalTr},
    context_interface::context::ContextError,
    interpreter::{
        interpreter_types::{Jumps, LoopControl},
        Interpreter,
    },
    Inspector,
};

pub struct Steps;

impl Inspector<Ctx> for Steps {
    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        let (pc, opcode) = (interpreter.bytecode.pc(), interpreter.bytecode.opcode());
        ctx.chain.fault = At::before(interpreter, ctx);
        let (gas, depth) = (interpreter.gas.remaining(), ctx.journal().depth());
        if let Err(error) = door::step(pc, opcode, gas, depth, interpreter.stack.data()) {
            stop(interpreter, ctx, error);
        }
    }
}

/// Ends the transaction because the host threw.
pub fn stop(interpreter: &mut Interpreter, ctx: &mut Ctx, error: crate::host::HostThrew) {
    *ctx.error() = Err(ContextError::Db(error));
    interpreter.bytecode.reset_action();
    interpreter.halt_fatal();
}
