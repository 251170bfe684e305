/** Controls of other development nodes that chainstage cannot support; they throw the reason. */
import { anyJson, optional } from '../../codec/codec.ts'
import { serverError } from '../eth/errors.ts'
import { param, type Method } from '../method.ts'
import { control, setter, type Names } from './control.ts'

const none = (...names: readonly string[]): Names => Object.fromEntries(names.map((name) => [name, null]))

const reasons: readonly (readonly [Names, string])[] = [
  [setter('setMinGasPrice'), 'the base fee decides about prices (EIP-1559); set it with setNextBlockBaseFeePerGas'],
  [none('anvil_setChainId'), 'the chain id is fixed at the start; see --evm.evm-chain-id'],
  [setter('setRpcUrl'), 'where a fork reads from is fixed at the start'],
  [none('anvil_impersonateSignature'), "ecrecover is the engine's; send for an account with anvil_impersonateAccount"],
  [none('anvil_getBlobByHash', 'anvil_getBlobsByTransactionHash'), 'this chain takes no blobs (EIP-4844)'],
  [
    none('anvil_setFeeToken', 'anvil_setValidatorFeeToken', 'anvil_setFeeAmmLiquidity', 'anvil_dealTIP20'),
    "fees are paid in the chain's own coin; only Tempo has others",
  ],
  [none('anvil_getLastBlockWallTime'), 'blocks carry simulation time; see eth_getBlockByNumber'],
  [none('eth_callBundle'), 'bundles are of Flashbots; eth_callMany runs messages in a row'],
  [none('debug_dbGet'), 'there is no geth database; read the store with abci_query of CometBFT RPC'],
  [none('debug_codeByHash'), 'code is found by address; see eth_getCode'],
  [none('debug_storageRangeAt'), 'storage is read by slot; see eth_getStorageAt and eth_getProof'],
  [none('evm_getLatest'), 'see eth_getBlockByNumber with latest'],
]

export const refused: readonly Method[] = reasons.flatMap(([names, why]) =>
  control({
    names,
    summary: `Refuses: ${why}.`,
    params: [param('value', optional(anyJson), undefined)],
    command: () => {
      throw serverError(`not possible here: ${why}`)
    },
  }),
)
