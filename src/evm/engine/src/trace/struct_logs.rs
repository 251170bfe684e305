//! go-ethereum's struct logger (`eth/tracers/logger`): one entry for each instruction, handed to the
//! host in pieces so that no trace has to fit into memory.
//!
//! Options: 1 no stack, 2 no storage, 4 memory, 8 return data.

use super::{meter::Meter, Request, Tracer};
use crate::{
    door,
    host::{Host, HostThrew},
    json::Json,
    machine::Ctx,
    steps::stop,
};
use revm::{
    bytecode::opcode::{self, OpCode},
    context::{ContextTr, JournalTr},
    interpreter::{
        interpreter_types::{InputsTr, Jumps, LegacyBytecode, MemoryTr, ReturnData},
        Interpreter,
    },
    primitives::{Address, HashMap, B256, U256},
    state::EvmState,
    DatabaseRef, Inspector,
};
use std::collections::BTreeMap;

const NO_STACK: u8 = 1;
const NO_STORAGE: u8 = 2;
const MEMORY: u8 = 4;
const RETURN_DATA: u8 = 8;

const PIECE_BYTES: usize = 64 << 10;

pub struct StructLogs {
    flags: u8,
    limit: u64,
    written: u64,
    is_first: bool,
    json: Json,
    /// What the entry of the running instruction shows after its name.
    pending: Option<Pending>,
    storage: HashMap<Address, BTreeMap<B256, B256>>,
    meter: Meter,
}

struct Pending {
    pc: usize,
    opcode: u8,
    gas: u64,
    depth: usize,
    memory: Json,
    tail: Json,
}

impl StructLogs {
    pub fn new(request: &Request) -> Self {
        let mut json = Json::default();
        json.raw("{\"failed\":").raw(if request.failed { "true" } else { "false" });
        json.raw(",\"gas\":").number(request.shown_gas());
        json.raw(",\"returnValue\":").bytes(&request.output).raw(",\"structLogs\":[");
        Self {
            flags: request.flags,
            limit: request.limit,
            written: 0,
            is_first: true,
            json,
            pending: None,
            storage: HashMap::default(),
            meter: Meter::default(),
        }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn is_full(&self) -> bool {
        self.limit != 0 && self.written > self.limit
    }

    fn begin(&mut self, interpreter: &Interpreter, ctx: &mut Ctx) -> Result<(), HostThrew> {
        let op = interpreter.bytecode.opcode();
        self.meter.begin(interpreter, ctx)?;
        let (mut memory, mut tail) = (Json::default(), Json::default());
        if self.has(MEMORY) {
            write_memory(&mut memory, interpreter);
        }
        if self.has(RETURN_DATA) && !interpreter.return_data.buffer().is_empty() {
            tail.raw(",\"returnData\":").bytes(interpreter.return_data.buffer());
        }
        if !self.has(NO_STACK) {
            write_stack(&mut tail, interpreter.stack.data());
        }
        if !self.has(NO_STORAGE) && matches!(op, opcode::SLOAD | opcode::SSTORE) {
            self.write_storage(&mut tail, interpreter, ctx)?;
        }
        self.pending = Some(Pending {
            pc: interpreter.bytecode.pc(),
            opcode: op,
            gas: interpreter.gas.remaining(),
            depth: ctx.journal().depth(),
            memory,
            tail,
        });
        Ok(())
    }

    /// All slots of the contract that instructions have seen so far.
    fn write_storage(&mut self, json: &mut Json, interpreter: &Interpreter, ctx: &mut Ctx) -> Result<(), HostThrew> {
        let (stack, address) = (interpreter.stack.data(), interpreter.input.target_address());
        let slot = match (interpreter.bytecode.opcode(), stack.as_slice()) {
            (opcode::SLOAD, [.., key]) => Some((*key, current_slot(ctx, address, *key)?)),
            (opcode::SSTORE, [.., value, key]) => Some((*key, *value)),
            _ => None,
        };
        let Some((key, value)) = slot else { return Ok(()) };
        let slots = self.storage.entry(address).or_default();
        slots.insert(key.into(), value.into());
        json.raw(",\"storage\":{");
        let mut is_first = true;
        for (key, value) in slots.iter() {
            json.comma(&mut is_first).bare(key.as_slice()).raw(":").bare(value.as_slice());
        }
        json.raw("}");
        Ok(())
    }

    fn end(&mut self, interpreter: &mut Interpreter) {
        let (Some(pending), Some(metered)) = (self.pending.take(), self.meter.end(interpreter)) else { return };
        let start = self.json.0.len();
        let json = self.json.comma(&mut self.is_first);
        json.raw("{\"depth\":").number(pending.depth as u64);
        // A fault is no part of the entry.
        if let Some(failure) = metered.failure.filter(|failure| !failure.is_fault) {
            json.raw(",\"error\":").text(&failure.text);
        }
        json.raw(",\"gas\":").number(pending.gas);
        json.raw(",\"gasCost\":").number(metered.cost);
        json.0.extend_from_slice(&pending.memory.0);
        json.raw(",\"op\":").text(&name(pending.opcode)).raw(",\"pc\":").number(pending.pc as u64);
        if metered.refund != 0 {
            json.raw(",\"refund\":").number(metered.refund);
        }
        json.0.extend_from_slice(&pending.tail.0);
        json.raw("}");
        self.written += (self.json.0.len() - start) as u64;
    }

    fn flush(&mut self) -> Result<(), HostThrew> {
        if self.json.0.len() < PIECE_BYTES {
            return Ok(());
        }
        door::write_trace(&self.json.0)?;
        self.json.0.clear();
        Ok(())
    }
}

/// The node's name of an instruction.
pub fn name(op: u8) -> String {
    match OpCode::new(op) {
        Some(known) => known.as_str().into(),
        None => format!("opcode {op:#x} not defined"),
    }
}

fn write_stack(json: &mut Json, stack: &[U256]) {
    json.raw(",\"stack\":[");
    let mut is_first = true;
    for value in stack {
        json.comma(&mut is_first).quantity(*value);
    }
    json.raw("]");
}

fn write_memory(json: &mut Json, interpreter: &Interpreter) {
    let size = interpreter.memory.size();
    if size == 0 {
        return;
    }
    json.raw(",\"memory\":[");
    let mut is_first = true;
    for word in interpreter.memory.slice_len(0, size).chunks_exact(32) {
        json.comma(&mut is_first).bare(word);
    }
    json.raw("]");
}

/// The value of a slot now, without making it warm.
pub fn current_slot(ctx: &mut Ctx, address: Address, key: U256) -> Result<U256, HostThrew> {
    let account = ctx.journal_ref().evm_state().get(&address);
    if let Some(slot) = account.and_then(|found| found.storage.get(&key)) {
        return Ok(slot.present_value());
    }
    if account.is_some_and(|found| found.is_created()) {
        return Ok(U256::ZERO);
    }
    Host.storage_ref(address, key)
}

impl Inspector<Ctx> for StructLogs {
    fn initialize_interp(&mut self, _: &mut Interpreter, _: &mut Ctx) {
        self.meter.open_frame();
    }

    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        // Where there is no code, go-ethereum runs nothing; revm runs the STOP behind it.
        if self.is_full() || interpreter.bytecode.bytecode_slice().is_empty() {
            return;
        }
        if let Err(error) = self.begin(interpreter, ctx) {
            stop(interpreter, ctx, error);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        self.end(interpreter);
        if let Err(error) = self.flush() {
            stop(interpreter, ctx, error);
        }
    }
}

impl Tracer for StructLogs {
    fn finish(&mut self, _: &Request, _: &EvmState, json: &mut Json) -> Result<(), HostThrew> {
        self.json.raw("]}");
        json.0 = core::mem::take(&mut self.json.0);
        Ok(())
    }
}
