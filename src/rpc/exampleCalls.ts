/** Calls that several examples of methods make first; `$1` is the result of the first call. */
import type { Example } from './method.ts'

type Calls = NonNullable<Example['before']>

/** The first two accounts of the profile `local`, and an address without a key. */
export const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const someone = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const stranger = '0x1111111111111111111111111111111111111111'

/** `$1` is the hash of a mined transfer. */
export const sentTx: Calls = [['eth_sendTransaction', { from: owner, to: stranger, value: '0x1' }]]

/** `$1` is the hash of a mined transfer, `$2` its receipt. */
export const minedTx: Calls = [...sentTx, ['eth_getTransactionReceipt', '$1']]

/** `$1` is a signed transfer. */
export const signedTx: Calls = [
  ['eth_signTransaction', { from: owner, to: stranger, gas: '0x5208', gasPrice: '0x77359400', nonce: '0x0' }],
]

/** A contract whose functions all return the entry of their first argument in the mapping in slot 0. */
export const tokenAddress = '0x2222222222222222222222222222222222222222'
export const deployedToken: Calls = [['anvil_setCode', tokenAddress, '0x60043560005260406000205460005260206000f3']]
