/** Controls of other development nodes that chainstage cannot support; they throw the reason. */
import { anyJson, optional } from '../../codec/codec.ts'
import { serverError } from '../eth/errors.ts'
import { param, type Method } from '../method.ts'
import { control, setter, type ControlNames } from './control.ts'

const none = (...names: readonly string[]): ControlNames => Object.fromEntries(names.map((name) => [name, null]))

/** Names, the reason, and the parameters that other nodes take, so that a call with all of them gets the reason. */
const reasons: readonly (readonly [ControlNames, string, ...string[]])[] = [
  [setter('setMinGasPrice'), 'the base fee determines prices (EIP-1559); set it with setNextBlockBaseFeePerGas'],
  [none('anvil_setChainId'), 'the chain id is fixed at startup; set it with --evm.evm-chain-id'],
  [setter('setRpcUrl'), 'the source of a fork is fixed at startup'],
  [
    none('anvil_impersonateSignature'),
    'ecrecover cannot be overridden; use anvil_impersonateAccount',
    'signature',
    'address',
  ],
  [none('anvil_getBlobByHash', 'anvil_getBlobsByTransactionHash'), 'the chain does not support blobs (EIP-4844)'],
  [
    none('anvil_setFeeToken', 'anvil_setValidatorFeeToken', 'anvil_setFeeAmmLiquidity', 'anvil_dealTIP20'),
    "fees are paid in the chain's own coin; only Tempo has other fee tokens",
    'value',
    'token',
    'amount',
  ],
  [none('anvil_getLastBlockWallTime'), 'blocks have simulated time; use eth_getBlockByNumber'],
  [none('eth_callBundle'), 'Flashbots bundles are not supported; use eth_callMany'],
  [none('debug_dbGet'), 'there is no geth database; to read the store, use abci_query of CometBFT RPC'],
  [none('debug_codeByHash'), 'code is looked up by address; use eth_getCode', 'codeHash', 'at'],
  [
    none('debug_storageRangeAt'),
    'storage is read by slot; use eth_getStorageAt or eth_getProof',
    'at',
    'index',
    'address',
    'start',
    'limit',
  ],
  [none('evm_getLatest'), 'use eth_getBlockByNumber with the tag latest'],
]

export const refused: readonly Method[] = reasons.flatMap(([names, why, ...params]) =>
  control({
    names,
    summary: `Always fails: ${why}.`,
    params: (params.length === 0 ? ['value'] : params).map((name) => param(name, optional(anyJson), undefined)),
    examples: [{ params: [], error: `not supported by chainstage: ${why}` }],
    command: () => {
      throw serverError(`not supported by chainstage: ${why}`)
    },
  }),
)
