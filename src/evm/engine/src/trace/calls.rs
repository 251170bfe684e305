//! go-ethereum's callTracer (`eth/tracers/native/call.go`): the tree of frames. flatCallTracer shows
//! the same tree as a list.
//!
//! Options: 1 only the top call, 2 with logs. For the flat list: see `flat`.

use super::{flat, revert::revert_reason, Request, Tracer, FLAT};
use crate::{
    fault::{self, At},
    host::HostThrew,
    json::Json,
    machine::Ctx,
};
use revm::{
    bytecode::opcode,
    context::{ContextTr, CreateScheme, JournalTr},
    interpreter::{
        interpreter_types::{InputsTr, Jumps, LoopControl},
        CallInputs, CallOutcome, CallScheme, CreateInputs, CreateOutcome, InstructionResult, Interpreter,
        InterpreterAction, InterpreterResult,
    },
    primitives::{Address, Bytes, Log, U256},
    state::EvmState,
    Inspector,
};

const ONLY_TOP: u8 = 1;
const WITH_LOGS: u8 = 2;

/// One frame; `children` are places in the tracer's list.
#[derive(Default)]
pub struct Frame {
    pub kind: &'static str,
    pub from: Address,
    pub to: Option<Address>,
    pub gas: u64,
    pub gas_used: u64,
    pub input: Bytes,
    pub output: Bytes,
    pub value: Option<U256>,
    pub error: Option<String>,
    pub is_precompile: bool,
    pub children: Vec<usize>,
    pub logs: Vec<(Log, usize)>,
}

pub struct Calls {
    is_flat: bool,
    only_top: bool,
    with_logs: bool,
    pub frames: Vec<Frame>,
    open: Vec<usize>,
    depth: usize,
    at: At,
    dying: Option<(Address, Address, U256)>,
}

impl Calls {
    pub fn new(request: &Request) -> Self {
        let is_flat = request.kind == FLAT;
        Self {
            is_flat,
            only_top: !is_flat && request.has(ONLY_TOP),
            with_logs: !is_flat && request.has(WITH_LOGS),
            frames: Vec::new(),
            open: Vec::new(),
            depth: 0,
            at: At::default(),
            dying: None,
        }
    }

    /// The place of the frame that runs.
    pub fn current(&self) -> Option<usize> {
        self.open.last().copied()
    }

    fn is_hidden(&self) -> bool {
        self.only_top && self.depth > 1
    }

    fn enter(&mut self, frame: Frame) {
        self.depth += 1;
        if self.is_hidden() {
            return;
        }
        let place = self.frames.len();
        if let Some(parent) = self.open.last() {
            self.frames[*parent].children.push(place);
        }
        self.open.push(place);
        self.frames.push(frame);
    }

    fn exit(&mut self, ctx: &Ctx, result: &InterpreterResult, creation: Option<Option<Address>>) {
        let (is_creation, created) = (creation.is_some(), creation.flatten());
        let is_hidden = self.is_hidden();
        self.depth -= 1;
        let Some(place) = (if is_hidden { None } else { self.open.pop() }) else { return };
        let is_refused = result.result == InstructionResult::CallTooDeep && ctx.chain.refusal.is_some();
        if let (true, true, Some(parent)) = (is_refused, is_creation, self.open.last()) {
            // The node refuses a creation before its tracers hear of it.
            self.frames[*parent].children.pop();
            self.frames.truncate(place);
            return;
        }
        let frame = &mut self.frames[place];
        // revm ends a creation whose creator has no nonces left well, but without an address.
        let ended = match result.result {
            InstructionResult::Return if is_creation && created.is_none() => InstructionResult::NonceOverflow,
            other => other,
        };
        let keeps_gas = ended.is_ok_or_revert() || ended == InstructionResult::NonceOverflow;
        frame.gas_used = if keeps_gas { result.gas.total_gas_spent() } else { frame.gas };
        frame.error = match ended {
            _ if is_refused => ctx.chain.refusal.clone(),
            InstructionResult::PrecompileError => Some(ctx.chain.precompile_failure.clone()),
            InstructionResult::OutOfGas if !result.output.is_empty() => Some(fault::CODE_TOO_DEAR.into()),
            _ => fault::text(ended, self.at),
        };
        if ended.is_ok() {
            frame.output = result.output.clone();
            frame.to = created.or(frame.to);
            return;
        }
        if ended == InstructionResult::Revert {
            frame.output = result.output.clone();
        }
        if is_creation {
            frame.to = None;
        }
    }

    /// Fills in what only the end of the transaction tells.
    pub fn finish_tree(&mut self, request: &Request) {
        let Some(top) = self.frames.first_mut() else { return };
        top.gas = request.gas_limit;
        top.gas_used = request.shown_gas();
        if !request.no_end {
            self.clear_failed_logs(0, false);
        }
    }

    fn clear_failed_logs(&mut self, place: usize, parent_failed: bool) {
        let failed = parent_failed || self.frames[place].error.is_some();
        if failed {
            self.frames[place].logs.clear();
        }
        for child in self.frames[place].children.clone() {
            self.clear_failed_logs(child, failed);
        }
    }

    fn write(&self, place: usize, json: &mut Json) {
        let frame = &self.frames[place];
        json.raw("{");
        if !frame.children.is_empty() {
            json.raw("\"calls\":[");
            let mut is_first = true;
            for child in &frame.children {
                json.comma(&mut is_first);
                self.write(*child, json);
            }
            json.raw("],");
        }
        if let Some(error) = &frame.error {
            json.raw("\"error\":").text(error).raw(",");
        }
        json.raw("\"from\":").address(frame.from);
        json.raw(",\"gas\":").quantity64(frame.gas);
        json.raw(",\"gasUsed\":").quantity64(frame.gas_used);
        json.raw(",\"input\":").bytes(&frame.input);
        write_logs(&frame.logs, json);
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
        if let Some(value) = frame.value {
            json.raw(",\"value\":").quantity(value);
        }
        json.raw("}");
    }
}

/// Writes the member `logs`, when there are any.
pub fn write_logs(logs: &[(Log, usize)], json: &mut Json) {
    if logs.is_empty() {
        return;
    }
    json.raw(",\"logs\":[");
    let mut is_first = true;
    for (log, position) in logs {
        json.comma(&mut is_first).raw("{\"address\":").address(log.address);
        json.raw(",\"data\":").bytes(&log.data.data);
        json.raw(",\"position\":").quantity64(*position as u64).raw(",\"topics\":[");
        let mut is_first_topic = true;
        for topic in log.data.topics() {
            json.comma(&mut is_first_topic).bytes(topic.as_slice());
        }
        json.raw("]}");
    }
    json.raw("]");
}

impl Inspector<Ctx> for Calls {
    fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        let op = interpreter.bytecode.opcode();
        self.at = At::before(interpreter, ctx);
        if op != opcode::SELFDESTRUCT {
            return;
        }
        let address = interpreter.input.target_address();
        let account = ctx.journal_ref().evm_state().get(&address);
        let balance = account.map(|found| found.info.balance).unwrap_or_default();
        let heir = interpreter.stack.data().last().map(|word| Address::from_word((*word).into()));
        self.dying = heir.map(|heir| (address, heir, balance));
    }

    fn step_end(&mut self, interpreter: &mut Interpreter, _: &mut Ctx) {
        let Some((address, heir, balance)) = self.dying.take() else { return };
        let action = interpreter.bytecode.action().as_ref();
        let ended = action.and_then(InterpreterAction::instruction_result);
        if ended != Some(InstructionResult::SelfDestruct) {
            return;
        }
        self.enter(Frame {
            kind: "SELFDESTRUCT",
            from: address,
            to: Some(heir),
            value: Some(balance),
            ..Frame::default()
        });
        if !self.is_hidden() {
            self.open.pop();
        }
        self.depth -= 1;
    }

    fn log(&mut self, _: &mut Ctx, log: Log) {
        if !self.with_logs || self.is_hidden() {
            return;
        }
        if let Some(place) = self.open.last() {
            let position = self.frames[*place].children.len();
            self.frames[*place].logs.push((log, position));
        }
    }

    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        let (kind, is_code_only) = match inputs.scheme {
            CallScheme::Call => ("CALL", false),
            CallScheme::CallCode => ("CALLCODE", true),
            CallScheme::DelegateCall => ("DELEGATECALL", true),
            CallScheme::StaticCall => ("STATICCALL", false),
        };
        let to = if is_code_only { inputs.bytecode_address } else { inputs.target_address };
        let is_ethereum = ctx.journal_ref().precompile_addresses().contains(&to);
        self.enter(Frame {
            kind,
            from: if is_code_only { inputs.target_address } else { inputs.caller },
            to: Some(to),
            gas: inputs.gas_limit,
            input: inputs.input.bytes(ctx),
            value: Some(inputs.value.get()).filter(|_| inputs.scheme != CallScheme::StaticCall),
            is_precompile: is_ethereum && matches!(inputs.scheme, CallScheme::Call | CallScheme::StaticCall),
            ..Frame::default()
        });
        None
    }

    fn call_end(&mut self, ctx: &mut Ctx, _: &CallInputs, outcome: &mut CallOutcome) {
        self.exit(ctx, &outcome.result, None);
    }

    fn create(&mut self, _: &mut Ctx, inputs: &mut CreateInputs) -> Option<CreateOutcome> {
        self.enter(Frame {
            kind: if matches!(inputs.scheme(), CreateScheme::Create2 { .. }) { "CREATE2" } else { "CREATE" },
            from: inputs.caller(),
            gas: inputs.gas_limit(),
            input: inputs.init_code().clone(),
            value: Some(inputs.value()),
            ..Frame::default()
        });
        None
    }

    fn create_end(&mut self, ctx: &mut Ctx, _: &CreateInputs, outcome: &mut CreateOutcome) {
        self.exit(ctx, &outcome.result, Some(outcome.address));
    }
}

impl Tracer for Calls {
    fn finish(&mut self, request: &Request, _: &EvmState, json: &mut Json) -> Result<(), HostThrew> {
        self.finish_tree(request);
        if self.is_flat {
            flat::write(&self.frames, request, json);
        } else if self.frames.is_empty() {
            json.raw("{}");
        } else {
            self.write(0, json);
        }
        Ok(())
    }
}
