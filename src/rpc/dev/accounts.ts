/** Sets balances, nonces, code and storage; effective immediately at `latest` and `pending`. */
import { someone } from '../exampleCalls.ts'
import type { StateEdit } from '../../app/application.ts'
import { preview, type Codec } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { address, data, fixedData } from '../../codec/hex.ts'
import type { NodeCommand } from '../../node/command.ts'
import { invalidParams } from '../eth/errors.ts'
import { ethereumOf } from '../eth/lookup.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, setter, type ControlNames } from './control.ts'
import { dialectOf, perDialect } from '../devDialects.ts'
import { wei, whole } from './integers.ts'
import { wordOf } from '../../data/bigEndian.ts'

const owner = param('address', address)
const slotNumber = whole('storage slots')
const bytes32 = fixedData(32, 'common.Hash')

/** A storage slot, as a number or as 32 bytes. */
export const slot: Codec<Uint8Array> = {
  schema: slotNumber.schema,
  decode: (wire, path) => wordOf(slotNumber.decode(wire, path)),
  encode: (value) => bytes32.encode(value),
}

/** A storage word: exactly 32 bytes, because a shorter one is usually a mistake. */
export const word: Codec<Uint8Array> = {
  schema: bytes32.schema,
  decode: (wire, path) => {
    try {
      return bytes32.decode(wire, path)
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      const text = `expected a storage word of 32 bytes as 0x data, received ${preview(wire)}`
      throw new DecodeError({ path, expected: '32 bytes', received: preview(wire), text })
    }
  },
  encode: (bytes) => bytes32.encode(bytes),
}

const balanceNames: ControlNames = {
  ...setter('setBalance'),
  evm_setAccountBalance: true,
}
const addNames: ControlNames = {
  anvil_addBalance: null,
  hardhat_addBalance: true,
  dev_faucet: true,
  chainstage_faucet: true,
}
const nonceNames: ControlNames = {
  ...setter('setNonce'),
  evm_setAccountNonce: perDialect({ anvil: null, hardhat: true, ganache: true }),
}
const codeNames: ControlNames = { ...setter('setCode'), evm_setAccountCode: true }
const storageNames: ControlNames = {
  anvil_setStorageAt: true,
  hardhat_setStorageAt: true,
  ganache_setStorageAt: true,
  evm_setAccountStorageAt: true,
}

export const accounts: readonly Method[] = [
  ...control({
    names: balanceNames,
    summary: 'Sets the balance of an account, in wei.',
    params: [owner, param('wei', wei)],
    examples: [[someone, '0xff']],
    command: (_context, [who, amount]) => edit({ type: 'setBalance', address: who, amount }),
  }),
  ...control({
    names: addNames,
    summary: 'Increases the balance of an account by an amount in wei.',
    params: [owner, param('wei', wei)],
    examples: [[someone, '0xff']],
    command: (_context, [who, amount]) => edit({ type: 'addBalance', address: who, amount }),
  }),
  ...control({
    names: nonceNames,
    summary: 'Sets the nonce of an account.',
    params: [owner, param('nonce', whole('transactions'))],
    examples: [[someone, '0x7']],
    command: (context, [who, nonce]) => {
      if (dialectOf(context) === 'hardhat') refuseLower(context, who, nonce)
      return edit({ type: 'setNonce', address: who, nonce })
    },
  }),
  ...control({
    names: codeNames,
    summary: 'Sets the code of an account.',
    params: [owner, param('code', data())],
    examples: [[someone, '0x00']],
    command: (_context, [who, code]) => edit({ type: 'setCode', address: who, code }),
  }),
  ...control({
    names: storageNames,
    summary: 'Sets a storage word of a contract.',
    params: [owner, param('slot', slot), param('value', word)],
    examples: [[someone, '0x2', `0x${'11'.repeat(32)}`]],
    command: (_context, [who, key, bytes]) => edit({ type: 'setStorage', address: who, slot: key, value: bytes }),
  }),
]

/** Returns the command for state edits. */
export function edit(...edits: readonly StateEdit[]): NodeCommand {
  return { type: 'edit', edits }
}

/** Only Hardhat refuses to lower a nonce (`peers.md` §2.2). */
function refuseLower(context: Context, who: Uint8Array, nonce: bigint): void {
  const least = ethereumOf(context).account(context.node.chain.app, who).nonce
  if (nonce < least) throw invalidParams(`expected a nonce of at least ${least}, received ${nonce}`)
}
