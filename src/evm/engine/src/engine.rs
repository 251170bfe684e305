//! The one owned context: rules, machine, and the buffers that the host reads and writes.

use crate::{
    abi::{Reader, Writer},
    handler::{Failure, TxHandler},
    host::HostDb,
    keccak::keccak256,
    machine::{Ctx, Machine, Surroundings},
    records::{read_env, read_tx},
    result,
    steps::Steps,
    trace,
};
use revm::{
    context::{result::ExecutionResult, ContextSetters, TxEnv},
    handler::Handler,
    inspector::{Inspector, InspectorHandler},
    state::EvmState,
};

#[derive(Default)]
pub struct Engine {
    pub input: Vec<u8>,
    output: Writer,
    around: Surroundings,
    machine: Option<Machine<()>>,
}

impl Engine {
    /// Takes the rules and the block from the input. The machine, with its code cache, stays.
    pub fn set_env(&mut self) {
        let around = read_env(&mut Reader(&self.input));
        let same_kind = self.around.cfg.spec == around.cfg.spec
            && self.around.host_addresses == around.host_addresses
            && self.around.moved == around.moved;
        self.machine = match self.machine.take() {
            Some(mut machine) if same_kind => {
                machine.surround(&around);
                Some(machine)
            }
            Some(mut machine) => Some(Machine::new(&around, core::mem::take(machine.db()), ())),
            None => Some(Machine::new(&around, HostDb::default(), ())),
        };
        self.around = around;
    }

    /// Runs the transaction in the input and returns its `result` record. One that is not watched is
    /// given up when it has used the slice.
    pub fn execute(&mut self, is_watched: bool, slice: Option<u64>) -> &[u8] {
        let tx = read_tx(&mut Reader(&self.input), self.around.cfg.chain_id);
        if is_watched {
            let mut machine = Machine::new(&self.around, HostDb::default(), Steps);
            let (outcome, state) = inspect(&mut machine, tx);
            let extra = machine.0.ctx.chain.clone();
            result::write(&mut self.output, &outcome, &state, machine.db(), &extra);
        } else if let Some(machine) = &mut self.machine {
            machine.db().originals.clear();
            machine.0.ctx.chain.undo = 0;
            machine.0.ctx.chain.first_refund = 0;
            machine.0.ctx.chain.frame_failed = false;
            machine.0.ctx.chain.dirty = Default::default();
            machine.0.ctx.chain.refused_code = Default::default();
            machine.0.ctx.chain.slice = slice;
            machine.0.ctx.set_tx(tx);
            let outcome = TxHandler::default().run(machine);
            let state = machine.0.ctx.journaled_state.inner.finalize();
            let extra = machine.0.ctx.chain.clone();
            result::write(&mut self.output, &outcome, &state, machine.db(), &extra);
        }
        &self.output.0
    }

    /// Returns the gas of the slice that the last transaction has left.
    pub fn slice_left(&self) -> u64 {
        self.machine.as_ref().and_then(|machine| machine.0.ctx.chain.slice).unwrap_or_default()
    }

    /// Returns the keccak256 of the input.
    pub fn keccak256(&mut self) -> &[u8] {
        self.output.0.clear();
        self.output.raw(&keccak256(&self.input));
        &self.output.0
    }

    /// Runs the transaction under a tracer and returns its `result` record; the trace goes to the host.
    pub fn trace(&mut self) -> &[u8] {
        let mut reader = Reader(&self.input);
        let (tx, request) = (reader.bytes(), reader.bytes());
        let tx = read_tx(&mut Reader(&tx), self.around.cfg.chain_id);
        trace::run(&self.around, tx, &request, &mut self.output);
        &self.output.0
    }
}

/// Runs a transaction with an inspector, through revm's own loop.
pub fn inspect<I: Inspector<Ctx>>(machine: &mut Machine<I>, tx: TxEnv) -> (Result<ExecutionResult, Failure>, EvmState) {
    machine.0.ctx.set_tx(tx);
    let outcome = TxHandler::default().inspect_run(machine);
    let state = machine.0.ctx.journaled_state.inner.finalize();
    (outcome, state)
}
