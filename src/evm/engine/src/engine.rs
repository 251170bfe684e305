//! The one owned context: rules, machine, and the buffers that the host reads and writes.

use crate::{
    abi::*,
    handler::{Failure, TxHandler},
    host::HostDb,
    machine::{Machine, Surroundings},
    result,
    steps::Steps,
    trace,
};
use revm::{
    context::{
        either::Either,
        result::ExecutionResult,
        transaction::{AccessList, AccessListItem, Authorization, RecoveredAuthority, RecoveredAuthorization},
        BlockEnv, CfgEnv, ContextSetters, TxEnv,
    },
    context_interface::block::BlobExcessGasAndPrice,
    handler::Handler,
    inspector::{Inspector, InspectorHandler},
    primitives::{hardfork::SpecId, TxKind, U256},
    state::EvmState,
};

/// Forks in the order of the `fork` byte, which is the order of `Fork` in `types.ts`.
const FORKS: [SpecId; 15] = [
    SpecId::FRONTIER,
    SpecId::HOMESTEAD,
    SpecId::TANGERINE,
    SpecId::SPURIOUS_DRAGON,
    SpecId::BYZANTIUM,
    SpecId::PETERSBURG, // Constantinople never ran without the repair of Petersburg
    SpecId::PETERSBURG,
    SpecId::ISTANBUL,
    SpecId::BERLIN,
    SpecId::LONDON,
    SpecId::MERGE,
    SpecId::SHANGHAI,
    SpecId::CANCUN,
    SpecId::PRAGUE,
    SpecId::OSAKA,
];

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
        let same_kind = self.around.cfg.spec == around.cfg.spec && self.around.host_addresses == around.host_addresses;
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

    /// Runs the transaction in the input and returns its `result` record.
    pub fn execute(&mut self, is_watched: bool) -> &[u8] {
        let tx = read_tx(&mut Reader(&self.input), self.around.cfg.chain_id);
        if is_watched {
            let mut machine = Machine::new(&self.around, HostDb::default(), Steps);
            let (outcome, state) = inspect(&mut machine, tx);
            let extra = machine.0.ctx.chain.clone();
            result::write(&mut self.output, &outcome, &state, machine.db(), &extra);
        } else if let Some(machine) = &mut self.machine {
            machine.db().originals.clear();
            machine.0.ctx.chain.undo = 0;
            machine.0.ctx.set_tx(tx);
            let outcome = TxHandler::default().run(machine);
            let state = machine.0.ctx.journaled_state.inner.finalize();
            let extra = machine.0.ctx.chain.clone();
            result::write(&mut self.output, &outcome, &state, machine.db(), &extra);
        }
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
pub fn inspect<I: Inspector<crate::machine::Ctx>>(
    machine: &mut Machine<I>,
    tx: TxEnv,
) -> (Result<ExecutionResult, Failure>, EvmState) {
    machine.0.ctx.set_tx(tx);
    let outcome = TxHandler::default().inspect_run(machine);
    let state = machine.0.ctx.journaled_state.inner.finalize();
    (outcome, state)
}

fn read_env(reader: &mut Reader<'_>) -> Surroundings {
    let spec = FORKS[reader.u8() as usize];
    let relax = reader.u8();
    let off = |bit: u8| relax & bit != 0;
    let mut cfg = CfgEnv::default();
    cfg.set_spec_and_mainnet_gas_params(spec);
    cfg.chain_id = reader.u64();
    cfg.max_blobs_per_tx = Some(if spec == SpecId::PRAGUE { 9 } else { 6 }); // EIP-7691, EIP-7594
    cfg.disable_nonce_check = off(ENV_RELAX_NONCE);
    cfg.disable_balance_check = off(ENV_RELAX_BALANCE);
    cfg.disable_base_fee = off(ENV_RELAX_BASE_FEE);
    cfg.disable_fee_charge = off(ENV_RELAX_FEES);
    cfg.disable_eip3607 = off(ENV_RELAX_SENDER_CODE);
    if off(ENV_RELAX_BLOCK_GAS_LIMIT) {
        cfg.disable_block_gas_limit = true;
        cfg.tx_gas_limit_cap = Some(u64::MAX); // EIP-7825 guards blocks too
    }
    if off(ENV_RELAX_CODE_SIZE) {
        cfg.limit_contract_code_size = Some(usize::MAX);
        cfg.limit_contract_initcode_size = Some(usize::MAX);
    }
    let mut block = BlockEnv {
        number: U256::from(reader.u64()),
        timestamp: U256::from(reader.u64()),
        gas_limit: reader.u64(),
        basefee: reader.u64(),
        ..Default::default()
    };
    cfg.memory_limit = reader.u64();
    let blob_gasprice = reader.u128();
    block.blob_excess_gas_and_price = Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice });
    block.beneficiary = reader.address();
    let randomness = reader.word();
    block.prevrandao = Some(randomness);
    block.difficulty = randomness.into(); // one opcode, two names (EIP-4399)
    let host_addresses = (0..reader.count()).map(|_| reader.address()).collect();
    Surroundings { cfg, block, host_addresses, bumps_nonce: !off(ENV_RELAX_NONCE_BUMP) }
}

fn read_tx(reader: &mut Reader<'_>, chain_id: u64) -> TxEnv {
    let (tx_type, creates, has_priority_fee) = (reader.u8(), reader.u8() != 0, reader.u8() != 0);
    let (caller, to) = (reader.address(), reader.address());
    TxEnv {
        tx_type,
        caller,
        kind: if creates { TxKind::Create } else { TxKind::Call(to) },
        gas_limit: reader.u64(),
        gas_price: reader.u128(),
        gas_priority_fee: Some(reader.u128()).filter(|_| has_priority_fee),
        value: reader.u256(),
        nonce: reader.u64(),
        max_fee_per_blob_gas: reader.u128(),
        data: reader.bytes(),
        access_list: AccessList((0..reader.count()).map(|_| read_access(reader)).collect()),
        blob_hashes: (0..reader.count()).map(|_| reader.word()).collect(),
        authorization_list: (0..reader.count()).map(|_| Either::Right(read_authorization(reader))).collect(),
        chain_id: Some(chain_id),
    }
}

fn read_access(reader: &mut Reader<'_>) -> AccessListItem {
    let address = reader.address();
    AccessListItem { address, storage_keys: (0..reader.count()).map(|_| reader.word()).collect() }
}

fn read_authorization(reader: &mut Reader<'_>) -> RecoveredAuthorization {
    let inner = Authorization { chain_id: reader.u256(), address: reader.address(), nonce: reader.u64() };
    let (is_valid, authority) = (reader.u8() != 0, reader.address());
    let recovered = if is_valid { RecoveredAuthority::Valid(authority) } else { RecoveredAuthority::Invalid };
    RecoveredAuthorization::new_unchecked(inner, recovered)
}
