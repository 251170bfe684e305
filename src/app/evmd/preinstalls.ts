import { multicall3Code } from './contracts/multicall3.ts'

/**
 * Contracts preinstalled on a local chain, at their usual addresses (cosmos-evm-rpc.md §7.7). A
 * test checks their keccak256 hashes.
 */
export type Preinstall = { readonly name: string; readonly address: string; readonly code: string }

/**
 * Deploys the init code that follows a 32-byte salt in its input, using CREATE2. Arachnid's proxy
 * and Safe's factory have the same code.
 */
const factoryCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082' +
  '378035828234f58015156039578182fd5b8082525050506014600cf3'

/** EIP-2935: returns the hashes of the last 8191 blocks from its storage. */
const historyCode =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111' +
  '604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'

export const preinstalls: readonly Preinstall[] = [
  { name: 'Create2', address: '0x4e59b44847b379578588920cA78FbF26c0B4956C', code: factoryCode },
  {
    // Reimplemented with the original interface: clients call it and do not inspect its code.
    name: 'Multicall3',
    address: '0xcA11bde05977b3631167028862bE2a173976CA11',
    code: multicall3Code,
  },
  {
    name: 'Safe Singleton Factory',
    address: '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
    code: factoryCode,
  },
  { name: 'EIP-2935', address: '0x0000F90827F1C53a10cb7A02335B175320002935', code: historyCode },
]
