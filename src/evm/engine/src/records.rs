//! The records that the host writes: `env` and `tx` (`abi`).

use crate::{
    abi::*,
    machine::{Access, Rule, Surroundings},
};
use revm::{
    context::{
        either::Either,
        transaction::{AccessList, AccessListItem, Authorization, RecoveredAuthority, RecoveredAuthorization},
        BlockEnv, CfgEnv, TxEnv,
    },
    context_interface::block::BlobExcessGasAndPrice,
    primitives::{hardfork::SpecId, TxKind, U256},
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

/// Reads an `env` record.
pub fn read_env(reader: &mut Reader<'_>) -> Surroundings {
    let spec = FORKS[reader.u8() as usize];
    let relax = reader.u8();
    let cold_coinbase = reader.u8() != 0;
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
    let has_blob_fee = blob_gasprice != NO_BLOB_BASE_FEE;
    block.blob_excess_gas_and_price = Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice });
    block.beneficiary = reader.address();
    let randomness = reader.word();
    block.prevrandao = Some(randomness);
    block.difficulty = randomness.into(); // one opcode, two names (EIP-4399)
    let host_addresses = (0..reader.count()).map(|_| reader.address()).collect();
    let moved = (0..reader.count()).map(|_| (reader.address(), reader.address())).collect();
    let access = Access { calls: read_rule(reader), creations: read_rule(reader) };
    let bumps_nonce = !off(ENV_RELAX_NONCE_BUMP);
    Surroundings { cfg, block, host_addresses, moved, bumps_nonce, has_blob_fee, cold_coinbase, access }
}

fn read_rule(reader: &mut Reader<'_>) -> Rule {
    Rule { is_closed: reader.u8() != 0, except: (0..reader.count()).map(|_| reader.address()).collect() }
}

/// Reads a `tx` record; the chain id is the block's.
pub fn read_tx(reader: &mut Reader<'_>, chain_id: u64) -> TxEnv {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::vector;
    use revm::primitives::{Address, B256};

    #[test]
    fn an_env_record_is_read_as_the_host_writes_it() {
        let bytes = vector("env");
        let mut reader = Reader(&bytes);
        let around = read_env(&mut reader);
        assert!(reader.0.is_empty());
        assert_eq!(around.cfg.spec, SpecId::PRAGUE);
        assert_eq!(around.cfg.chain_id, 262_144);
        assert!(around.cfg.disable_nonce_check && around.cfg.disable_fee_charge && !around.bumps_nonce);
        assert!(!around.cfg.disable_balance_check && !around.cfg.disable_base_fee && !around.cfg.disable_eip3607);
        assert_eq!(around.cfg.memory_limit, 6);
        assert_eq!((around.block.number, around.block.timestamp), (U256::from(2), U256::from(3)));
        assert_eq!((around.block.gas_limit, around.block.basefee), (4, 5));
        assert_eq!(around.block.blob_excess_gas_and_price.map(|blob| blob.blob_gasprice), Some((1 << 64) + 7));
        assert!(around.has_blob_fee && around.cold_coinbase);
        assert_eq!(around.block.beneficiary, Address::repeat_byte(0xc0));
        assert_eq!(around.block.prevrandao, Some(B256::repeat_byte(0xaa)));
        assert_eq!(around.host_addresses, [Address::repeat_byte(0x08), Address::repeat_byte(0x09)]);
        assert_eq!(around.moved, [(Address::repeat_byte(0x02), Address::repeat_byte(0x12))]);
        let Access { calls, creations } = around.access;
        assert_eq!((calls.is_closed, calls.except), (true, vec![Address::repeat_byte(0x31)]));
        assert_eq!((creations.is_closed, creations.except), (false, vec![Address::repeat_byte(0x32)]));
    }

    #[test]
    fn a_tx_record_is_read_as_the_host_writes_it() {
        let bytes = vector("tx");
        let mut reader = Reader(&bytes);
        let tx = read_tx(&mut reader, 9);
        assert!(reader.0.is_empty());
        assert_eq!((tx.tx_type, tx.caller), (4, Address::repeat_byte(0xa1)));
        assert_eq!(tx.kind, TxKind::Call(Address::repeat_byte(0xb1)));
        assert_eq!((tx.gas_limit, tx.gas_price, tx.gas_priority_fee), (21_000, (1 << 64) + 1, Some(2)));
        assert_eq!((tx.value, tx.nonce), ((U256::from(1) << 255) + U256::from(3), 4));
        assert_eq!((tx.max_fee_per_blob_gas, tx.chain_id), (5, Some(9)));
        assert_eq!(tx.data.as_ref(), [0xde, 0xad]);
        assert_eq!(tx.access_list.0.len(), 1);
        assert_eq!(tx.access_list.0[0].address, Address::repeat_byte(0xb2));
        assert_eq!(tx.access_list.0[0].storage_keys, [B256::repeat_byte(0x01), B256::repeat_byte(0x02)]);
        assert_eq!(tx.blob_hashes, [B256::repeat_byte(0x03)]);
        let authorities: Vec<_> = tx
            .authorization_list
            .iter()
            .map(|entry| match entry {
                Either::Right(recovered) => (recovered.address, recovered.nonce, recovered.authority()),
                Either::Left(_) => unreachable!("the host recovers"),
            })
            .collect();
        let (valid, invalid) = (Some(Address::repeat_byte(0xe1)), None);
        assert_eq!(authorities, [(Address::repeat_byte(0xb3), 6, valid), (Address::repeat_byte(0xb4), 7, invalid)]);
    }
}
