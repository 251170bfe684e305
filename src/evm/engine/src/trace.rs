//! go-ethereum's tracers (`eth/tracers`, 1.16). The host has run the transaction once before, so the
//! gas that the trace shows and whether it failed are known from the start.

mod calls;
mod erc7562;
mod flat;
mod four_byte;
mod memory;
mod meter;
mod prestate;
mod price;
mod revert;
mod script;
mod struct_logs;

use crate::{
    abi::{Reader, Writer},
    door,
    engine::inspect,
    host::HostDb,
    json::Json,
    machine::{Ctx, Machine, Surroundings},
    result,
};
use revm::{
    context::{result::EVMError, TxEnv},
    primitives::Bytes,
    state::EvmState,
    Inspector,
};

const STRUCT_LOGS: u8 = 0;
const CALLS: u8 = 1;
const FLAT: u8 = 2;
const PRESTATE: u8 = 3;
const FOUR_BYTE: u8 = 4;
const ERC7562: u8 = 5;
const PRICES: u8 = 6;
const SCRIPT: u8 = 7;

/// A trace request: which tracer, its options as bits (see each tracer), and what it shows.
pub struct Request {
    kind: u8,
    flags: u8,
    /// Bytes of struct logs, 0 for all of them.
    limit: u64,
    gas_used: u64,
    failed: bool,
    /// The node gives its tracer no end of a failed transaction: what the end would fill in stays 0.
    no_end: bool,
    gas_limit: u64,
    output: Bytes,
    /// Members of every flat call before and after its own, as JSON; see also `erc7562`.
    before: Bytes,
    after: Bytes,
}

impl Request {
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The gas of the whole transaction as the trace shows it.
    fn shown_gas(&self) -> u64 {
        if self.no_end {
            0
        } else {
            self.gas_used
        }
    }
}

/// A tracer is an inspector that writes its JSON when the transaction is over.
trait Tracer: Inspector<Ctx> {
    fn finish(&mut self, request: &Request, state: &EvmState, json: &mut Json) -> Result<(), crate::host::HostThrew>;
}

/// Runs the transaction under the tracer that the `request` record names, writes the trace to the
/// host and the `result` record to `out`.
pub fn run(around: &Surroundings, tx: TxEnv, request: &[u8], out: &mut Writer) {
    let mut reader = Reader(request);
    let request = Request {
        kind: reader.u8(),
        flags: reader.u8(),
        failed: reader.u8() != 0,
        no_end: reader.u8() != 0,
        limit: reader.u64(),
        gas_used: reader.u64(),
        output: reader.bytes(),
        before: reader.bytes(),
        after: reader.bytes(),
        gas_limit: tx.gas_limit,
    };
    match request.kind {
        STRUCT_LOGS => traced(around, tx, &request, struct_logs::StructLogs::new(&request), out),
        CALLS | FLAT => traced(around, tx, &request, calls::Calls::new(&request), out),
        PRESTATE => {
            let tracer = prestate::Prestate::new(&request, around, &tx);
            traced(around, tx, &request, tracer, out)
        }
        FOUR_BYTE => traced(around, tx, &request, four_byte::FourByte::default(), out),
        ERC7562 => traced(around, tx, &request, erc7562::Erc7562::new(&request), out),
        PRICES => traced(around, tx, &request, script::Prices::default(), out),
        SCRIPT => traced(around, tx, &request, script::Script::new(&request), out),
        kind => unreachable!("no tracer {kind}"),
    }
}

fn traced<T: Tracer>(around: &Surroundings, tx: TxEnv, request: &Request, tracer: T, out: &mut Writer) {
    let mut machine = Machine::new(around, HostDb::default(), tracer);
    let (mut outcome, state) = inspect(&mut machine, tx);
    if outcome.is_ok() {
        let mut json = Json::default();
        let finished = machine.0.inspector.finish(request, &state, &mut json);
        if let Err(error) = finished.and_then(|()| door::write_trace(&json.0)) {
            outcome = Err(EVMError::Database(error));
        }
    }
    let extra = machine.0.ctx.chain.clone();
    result::write(out, &outcome, &state, machine.db(), &extra);
}
