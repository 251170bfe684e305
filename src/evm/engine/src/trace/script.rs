//! Tracers in JavaScript (`eth/tracers/js`): the host runs them, and is told here what happens. A
//! step shows its price before it runs, which revm does not know then: the transaction runs twice,
//! first under `Prices`, and the host remembers.

use super::{calls::Calls, meter::Meter, Request, Tracer};
use crate::{abi::Writer, door, host::HostThrew, json::Json, machine::Ctx, steps::stop};
use revm::{
    context::{ContextTr, JournalTr},
    interpreter::{
        interpreter_types::{InputsTr, Jumps, LegacyBytecode, MemoryTr},
        CallInputs, CallOutcome, CreateInputs, CreateOutcome, Interpreter,
    },
    primitives::{Address, Bytes},
    state::EvmState,
    Inspector,
};

const RUNS: u8 = 0;
const FAULTS: u8 = 1;
const CANNOT_RUN: u8 = 2;

const PIECE_BYTES: usize = 64 << 10;

/// Writes for each step: price u64 | refund u64 | how it goes u8 | the failure's text, if any.
#[derive(Default)]
pub struct Prices {
    meter: Meter,
    out: Writer,
}

/// Where there is no code, go-ethereum runs nothing; revm runs the STOP behind it.
fn has_code(interpreter: &Interpreter) -> bool {
    !interpreter.bytecode.bytecode_slice().is_empty()
}

impl Inspector<Ctx> for Prices {
    fn initialize_interp(&mut self, _: &mut Interpreter, _: &mut Ctx) {
        self.meter.open_frame();
    }

    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        if !has_code(interpreter) {
            return;
        }
        if let Err(error) = self.meter.begin(interpreter, ctx) {
            stop(interpreter, ctx, error);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        let Some(metered) = self.meter.end(interpreter) else { return };
        self.out.u64(metered.cost);
        self.out.u64(metered.refund);
        match metered.failure {
            None => self.out.u8(RUNS),
            Some(failure) => {
                self.out.u8(if failure.is_fault { FAULTS } else { CANNOT_RUN });
                self.out.bytes(failure.text.as_bytes());
            }
        }
        if self.out.0.len() >= PIECE_BYTES {
            if let Err(error) = door::write_trace(&self.out.0) {
                stop(interpreter, ctx, error);
            }
            self.out.0.clear();
        }
    }
}

impl Tracer for Prices {
    fn finish(&mut self, _: &Request, _: &EvmState, json: &mut Json) -> Result<(), HostThrew> {
        json.0 = core::mem::take(&mut self.out.0);
        Ok(())
    }
}

const STEP: u8 = 0;
const ENTER: u8 = 1;
const EXIT: u8 = 2;
const END: u8 = 3;

pub struct Script {
    calls: Calls,
    /// The input of each open frame.
    inputs: Vec<Bytes>,
    is_done: bool,
}

impl Script {
    pub fn new(request: &Request) -> Self {
        Self { calls: Calls::new(request), inputs: Vec::new(), is_done: false }
    }

    fn tell(&mut self, ctx: &mut Ctx, event: &Writer) -> Result<(), HostThrew> {
        self.is_done = !door::script_event(&event.0, ctx.journal_ref().evm_state())?;
        Ok(())
    }

    /// Layout: STEP | pc u32 | opcode u8 | gas u64 | depth u32 | stack address u32, height u32 |
    /// memory address u32, length u32 | caller | address | value u256 | input address u32, length u32.
    fn tell_step(&mut self, interpreter: &Interpreter, ctx: &mut Ctx) -> Result<(), HostThrew> {
        let mut event = Writer::default();
        event.u8(STEP);
        event.count(interpreter.bytecode.pc());
        event.u8(interpreter.bytecode.opcode());
        event.u64(interpreter.gas.remaining());
        let depth = ctx.journal().depth();
        event.count(depth);
        let stack = interpreter.stack.data();
        event.count(stack.as_ptr() as usize);
        event.count(stack.len());
        let size = interpreter.memory.size();
        let memory = interpreter.memory.slice_len(0, size);
        event.count(memory.as_ptr() as usize);
        event.count(size);
        event.raw(interpreter.input.caller_address().as_slice());
        event.raw(interpreter.input.target_address().as_slice());
        event.u256(interpreter.input.call_value());
        self.inputs.truncate(depth);
        let input = self.inputs.last().cloned().unwrap_or_default();
        event.count(input.as_ptr() as usize);
        event.count(input.len());
        self.tell(ctx, &event)
    }

    /// Layout: ENTER | kind bytes | from | to | gas u64 | whether there is a value u8 | value u256 |
    /// input bytes.
    fn tell_enter(&mut self, ctx: &mut Ctx, place: usize, to: Address) -> Result<(), HostThrew> {
        let frame = &self.calls.frames[place];
        let mut event = Writer::default();
        event.u8(ENTER);
        event.bytes(frame.kind.as_bytes());
        event.raw(frame.from.as_slice());
        event.raw(to.as_slice());
        event.u64(frame.gas);
        event.u8(frame.value.is_some().into());
        event.u256(frame.value.unwrap_or_default());
        event.bytes(&frame.input);
        self.tell(ctx, &event)
    }

    /// Layout: EXIT | gas used u64 | output bytes | error bytes, none when it went well.
    fn tell_exit(&mut self, ctx: &mut Ctx, place: usize) -> Result<(), HostThrew> {
        let event = self.ended(EXIT, place);
        self.tell(ctx, &event)
    }

    fn ended(&self, kind: u8, place: usize) -> Writer {
        let mut event = Writer::default();
        event.u8(kind);
        let frame = self.calls.frames.get(place);
        event.u64(frame.map(|frame| frame.gas_used).unwrap_or_default());
        event.bytes(frame.map(|frame| frame.output.as_ref()).unwrap_or_default());
        event.bytes(frame.and_then(|frame| frame.error.as_deref()).unwrap_or_default().as_bytes());
        event
    }

    fn opened(&mut self, ctx: &mut Ctx, to: Address, input: Bytes) {
        self.inputs.push(input);
        let inner = self.calls.current().filter(|place| *place > 0 && !self.is_done);
        let Some(place) = inner else { return };
        if let Err(error) = self.tell_enter(ctx, place, to) {
            fail(ctx, error);
        }
    }

    fn closed(&mut self, ctx: &mut Ctx, place: Option<usize>) {
        self.inputs.pop();
        let Some(place) = place.filter(|place| *place > 0 && !self.is_done) else { return };
        if let Err(error) = self.tell_exit(ctx, place) {
            fail(ctx, error);
        }
    }
}

/// Between instructions: the transaction ends as soon as the next one runs.
fn fail(ctx: &mut Ctx, error: HostThrew) {
    *ctx.error() = Err(revm::context_interface::context::ContextError::Db(error));
}

impl Inspector<Ctx> for Script {
    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        self.calls.step(interpreter, ctx);
        if self.is_done || !has_code(interpreter) {
            return;
        }
        if let Err(error) = self.tell_step(interpreter, ctx) {
            stop(interpreter, ctx, error);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        let known = self.calls.frames.len();
        self.calls.step_end(interpreter, ctx);
        // A contract that destroys itself is a frame that ends at once.
        if self.calls.frames.len() == known || self.is_done {
            return;
        }
        let heir = self.calls.frames[known].to.unwrap_or_default();
        let told = self.tell_enter(ctx, known, heir).and_then(|()| self.tell_exit(ctx, known));
        if let Err(error) = told {
            stop(interpreter, ctx, error);
        }
    }

    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        let outcome = self.calls.call(ctx, inputs);
        let frame = self.calls.current().map(|place| &self.calls.frames[place]);
        let (to, input) = frame.map(|frame| (frame.to, frame.input.clone())).unwrap_or_default();
        self.opened(ctx, to.unwrap_or_default(), input);
        outcome
    }

    fn call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        let place = self.calls.current();
        self.calls.call_end(ctx, inputs, outcome);
        self.closed(ctx, place);
    }

    fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        let outcome = self.calls.create(ctx, inputs);
        let creator = ctx.journal_ref().evm_state().get(&inputs.caller());
        let nonce = creator.map(|account| account.info.nonce).unwrap_or_default();
        self.opened(ctx, inputs.created_address(nonce), Bytes::new());
        outcome
    }

    fn create_end(&mut self, ctx: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        let place = self.calls.current();
        self.calls.create_end(ctx, inputs, outcome);
        self.closed(ctx, place);
    }
}

impl Tracer for Script {
    /// Layout: END, and then as EXIT.
    fn finish(&mut self, _: &Request, state: &EvmState, _: &mut Json) -> Result<(), HostThrew> {
        door::script_event(&self.ended(END, 0).0, state).map(|_| ())
    }
}
