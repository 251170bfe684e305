//! go-ethereum's erc7562Tracer (`eth/tracers/native/erc7562.go`, 1.16.2): the tree of frames, and for
//! each what a bundler of account abstraction must know of it.
//!
//! Options: 2 with logs. The request's `before` lists the opcodes that are not counted.

use super::{
    calls::{write_logs, Calls},
    memory::padded,
    prestate::current_code,
    revert::revert_reason,
    struct_logs::current_slot,
    Request, Tracer,
};
use crate::{host::HostThrew, json::Json, machine::Ctx, steps::stop};
use revm::{
    bytecode::opcode,
    interpreter::{
        interpreter_types::{InputsTr, Jumps, LegacyBytecode},
        CallInputs, CallOutcome, CreateInputs, CreateOutcome, Interpreter,
    },
    primitives::{Address, Log, U256},
    state::EvmState,
    Inspector,
};
use std::collections::{btree_map::Entry, BTreeMap, BTreeSet};

/// What one frame did itself.
#[derive(Default)]
struct Marks {
    reads: BTreeMap<U256, U256>,
    writes: BTreeMap<U256, u64>,
    transient_reads: BTreeMap<U256, u64>,
    transient_writes: BTreeMap<U256, u64>,
    looked_at: Vec<Address>,
    opcodes: BTreeMap<u8, u64>,
    sizes: BTreeMap<Address, (usize, u8)>,
}

pub struct Erc7562 {
    calls: Calls,
    marks: Vec<Marks>,
    is_ignored: [bool; 256],
    /// The instruction before with the top of its stack, in whichever frame it was.
    last: Option<(u8, U256)>,
    preimages: BTreeSet<Vec<u8>>,
}

impl Erc7562 {
    pub fn new(request: &Request) -> Self {
        let mut is_ignored = [false; 256];
        for op in &request.before {
            is_ignored[*op as usize] = true;
        }
        let (marks, preimages) = (Vec::new(), BTreeSet::new());
        Self { calls: Calls::new(request), marks, is_ignored, last: None, preimages }
    }

    fn watch(&mut self, interpreter: &Interpreter, ctx: &mut Ctx) -> Result<(), HostThrew> {
        let (op, stack) = (interpreter.bytecode.opcode(), interpreter.stack.data());
        let last = self.last.replace((op, stack.last().copied().unwrap_or_default()));
        let Some(place) = self.calls.current() else { return Ok(()) };
        self.marks.resize_with(self.calls.frames.len(), Marks::default);
        let marks = &mut self.marks[place];
        match last.filter(|_| !matches!(op, opcode::RETURN | opcode::REVERT)) {
            Some((opcode::EXTCODESIZE, _)) if op == opcode::ISZERO => {}
            Some((before, top)) if is_look(before) => marks.looked_at.push(Address::from_word(top.into())),
            Some((opcode::GAS, _)) if !is_call(op) => *marks.opcodes.entry(opcode::GAS).or_default() += 1,
            _ => {}
        }
        if op != opcode::GAS && !self.is_ignored[op as usize] {
            *marks.opcodes.entry(op).or_default() += 1;
        }
        let own = interpreter.input.target_address();
        match (op, stack.as_slice()) {
            (opcode::SLOAD, [.., key]) if !marks.writes.contains_key(key) => {
                if let Entry::Vacant(read) = marks.reads.entry(*key) {
                    read.insert(current_slot(ctx, own, *key)?);
                }
            }
            (opcode::SSTORE, [.., key]) => *marks.writes.entry(*key).or_default() += 1,
            (opcode::TLOAD, [.., key]) => *marks.transient_reads.entry(*key).or_default() += 1,
            (opcode::TSTORE, [.., key]) => *marks.transient_writes.entry(*key).or_default() += 1,
            (opcode::KECCAK256, [.., length, offset]) => {
                self.preimages.extend(padded(interpreter, *offset, *length));
            }
            (_, [.., word]) if is_look(op) => marks.note_size(ctx, *word, op)?,
            (_, [.., word, _]) if is_call(op) => marks.note_size(ctx, *word, op)?,
            _ => {}
        }
        Ok(())
    }

    fn write(&self, place: usize, json: &mut Json) {
        let (frame, marks) = (&self.calls.frames[place], &self.marks[place]);
        json.raw("{");
        marks.write_slots(json);
        if !frame.children.is_empty() {
            json.raw(",\"calls\":[");
            let mut is_first = true;
            for child in &frame.children {
                json.comma(&mut is_first);
                self.write(*child, json);
            }
            json.raw("]");
        }
        marks.write_sizes(json);
        if let Some(error) = &frame.error {
            json.raw(",\"error\":").text(error);
        }
        json.raw(",\"extCodeAccessInfo\":[");
        let mut is_first = true;
        for address in &marks.looked_at {
            json.comma(&mut is_first).address(*address);
        }
        json.raw("],\"from\":").address(frame.from);
        json.raw(",\"gas\":").quantity64(frame.gas);
        json.raw(",\"gasUsed\":").quantity64(frame.gas_used);
        json.raw(",\"input\":").bytes(&frame.input);
        if place == 0 && !self.preimages.is_empty() {
            json.raw(",\"keccak\":[");
            let mut is_first = true;
            for preimage in &self.preimages {
                json.comma(&mut is_first).bytes(preimage);
            }
            json.raw("]");
        }
        write_logs(&frame.logs, json);
        // The node looks at this for inner frames only.
        let is_short = place > 0 && frame.error.as_ref().is_some_and(|error| error.contains("out of gas"));
        json.raw(",\"outOfGas\":").raw(if is_short { "true" } else { "false" });
        if !frame.output.is_empty() {
            json.raw(",\"output\":").bytes(&frame.output);
        }
        if let Some(reason) = frame.error.as_ref().and_then(|_| revert_reason(&frame.output)) {
            json.raw(",\"revertReason\":").text(&reason);
        }
        if let Some(to) = frame.to {
            json.raw(",\"to\":").address(to);
        }
        json.raw(",\"type\":").text(frame.kind);
        marks.write_opcodes(json);
        if let Some(value) = frame.value {
            json.raw(",\"value\":").quantity(value);
        }
        json.raw("}");
    }
}

impl Marks {
    fn note_size(&mut self, ctx: &mut Ctx, word: U256, op: u8) -> Result<(), HostThrew> {
        let address = Address::from_word(word.into());
        if let Entry::Vacant(size) = self.sizes.entry(address) {
            size.insert((current_code(ctx, address)?.original_bytes().len(), op));
        }
        Ok(())
    }

    fn write_slots(&self, json: &mut Json) {
        json.raw("\"accessedSlots\":{\"reads\":{");
        let mut is_first = true;
        for (key, value) in &self.reads {
            json.comma(&mut is_first).word(*key).raw(":[").word(*value).raw("]");
        }
        json.raw("}");
        let counts = [
            ("transientReads", &self.transient_reads),
            ("transientWrites", &self.transient_writes),
            ("writes", &self.writes),
        ];
        for (name, slots) in counts {
            json.raw(",").text(name).raw(":{");
            let mut is_first = true;
            for (key, count) in slots {
                json.comma(&mut is_first).word(*key).raw(":").number(*count);
            }
            json.raw("}");
        }
        json.raw("}");
    }

    fn write_sizes(&self, json: &mut Json) {
        json.raw(",\"contractSize\":{");
        let mut is_first = true;
        for (address, (size, op)) in &self.sizes {
            json.comma(&mut is_first).address(*address).raw(":{\"contractSize\":").number(*size as u64);
            json.raw(",\"opcode\":").number(u64::from(*op)).raw("}");
        }
        json.raw("}");
    }

    fn write_opcodes(&self, json: &mut Json) {
        json.raw(",\"usedOpcodes\":{");
        let names: BTreeMap<String, u64> =
            self.opcodes.iter().map(|(op, count)| (format!("{op:#x}"), *count)).collect();
        let mut is_first = true;
        for (name, count) in &names {
            json.comma(&mut is_first).text(name).raw(":").number(*count);
        }
        json.raw("}");
    }
}

fn is_look(op: u8) -> bool {
    matches!(op, opcode::EXTCODESIZE | opcode::EXTCODECOPY | opcode::EXTCODEHASH)
}

fn is_call(op: u8) -> bool {
    matches!(op, opcode::CALL | opcode::CALLCODE | opcode::DELEGATECALL | opcode::STATICCALL)
}

impl Inspector<Ctx> for Erc7562 {
    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        self.calls.step(interpreter, ctx);
        // Where there is no code, go-ethereum runs nothing; revm runs the STOP behind it.
        if interpreter.bytecode.bytecode_slice().is_empty() {
            return;
        }
        if let Err(error) = self.watch(interpreter, ctx) {
            stop(interpreter, ctx, error);
        }
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        self.calls.step_end(interpreter, ctx);
    }

    fn log(&mut self, ctx: &mut Ctx, log: Log) {
        self.calls.log(ctx, log);
    }

    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        self.calls.call(ctx, inputs)
    }

    fn call_end(&mut self, ctx: &mut Ctx, inputs: &CallInputs, outcome: &mut CallOutcome) {
        self.calls.call_end(ctx, inputs, outcome);
    }

    fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.calls.create(ctx, inputs)
    }

    fn create_end(&mut self, ctx: &mut Ctx, inputs: &CreateInputs, outcome: &mut CreateOutcome) {
        self.calls.create_end(ctx, inputs, outcome);
    }
}

impl Tracer for Erc7562 {
    fn finish(&mut self, request: &Request, _: &EvmState, json: &mut Json) -> Result<(), HostThrew> {
        self.calls.finish_tree(request);
        self.marks.resize_with(self.calls.frames.len(), Marks::default);
        if self.calls.frames.is_empty() {
            json.raw("{}");
        } else {
            self.write(0, json);
        }
        Ok(())
    }
}
