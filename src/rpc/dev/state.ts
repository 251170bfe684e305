/** The EVM accounts as one text in the form of Anvil's state dump (`peers.md` §1, §2.1). */
import type { StateEdit } from '../../app/application.ts'
import type { EthereumContent } from '../../app/ethereumView.ts'
import { anyJson, memberOf, object, optional, type Codec } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { parseJson, type Json } from '../../codec/goJson.ts'
import { jsonOf } from '../../codec/goJsonWrite.ts'
import { BadGzip, gunzip, gzip } from '../../codec/gzip.ts'
import { address, data, hexOf, quantityOf } from '../../codec/hex.ts'
import { isExpected } from '../../errors.ts'
import { invalidParams } from '../eth/errors.ts'
import { ethereumOf } from '../eth/lookup.ts'
import { slots } from '../../app/stateOverrides.ts'
import { param, type Context, type Method } from '../method.ts'
import { edit } from './accounts.ts'
import { control, question, under } from './control.ts'
import { wei, whole } from './integers.ts'

/** Most bytes of a dump after decompression. */
const dumpBytesMost = 256 * 1024 * 1024

/** The EIP-2935 contract, which stores block hashes of its chain. It is left out of dumps. */
const historyContract = '0x0000f90827f1c53a10cb7a02335b175320002935'

type Dumped = {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Uint8Array
  readonly storage: readonly (readonly [Uint8Array, Uint8Array])[]
}

const dumped: Codec<Dumped> = object<Dumped>(
  {
    nonce: whole('transactions'),
    balance: wei,
    code: data(),
    storage: slots,
  },
  { goType: 'Account' },
)

export const state: readonly Method[] = [
  ...question({
    names: ['anvil_dumpState', 'hardhat_dumpState', 'ganache_dumpState'],
    summary: 'Returns the balances, nonces, code and storage of all accounts, without blocks, as gzipped JSON.',
    params: [param('preserveHistoricalStates', optional(anyJson), undefined)],
    examples: [[]],
    read: (context) => hexOf(gzip(new TextEncoder().encode(dumpText(context)))),
  }),
  ...control({
    names: under(['anvil', 'hardhat', 'ganache'], 'loadState', true),
    summary: 'Loads the accounts of a dump from chainstage or Anvil, without changing other accounts.',
    params: [param('state', data())],
    examples: [[hexOf(new TextEncoder().encode('{"accounts":{}}'))]],
    command: (_context, [bytes]) => edit(...accountsOf(bytes).flatMap(editsOf)),
  }),
]

function dumpText(context: Context): string {
  const accounts = [...ethereumOf(context).accounts(context.node.chain.app)]
  return JSON.stringify({
    // Anvil accepts a block only with its record and then replaces its own chain, so the dump has
    // no blocks.
    block: null,
    accounts: Object.fromEntries(accounts.map((one) => [hexOf(one.address), dumpOf(one)] as const).filter(isOfState)),
    best_block_number: null,
    blocks: [],
    transactions: [],
    historical_states: null,
  })
}

function dumpOf({ nonce, wei: balance, code, slots: storage }: EthereumContent) {
  return {
    nonce: Number(nonce),
    balance: quantityOf(balance),
    code: hexOf(code),
    storage: Object.fromEntries(storage.map(({ key, value }) => [hexOf(key), hexOf(value)])),
  }
}

const isOfState = ([who]: readonly [string, unknown]) => who.toLowerCase() !== historyContract

type Owned = readonly [who: Uint8Array, account: Dumped]

function accountsOf(bytes: Uint8Array): readonly Owned[] {
  const accounts = membersOf(jsonIn(bytes))
  return accounts.filter(isOfState).map(([who, account]) => {
    try {
      return [address.decode(jsonOf(who), 'accounts'), dumped.decode(account, who)]
    } catch (error) {
      if (error instanceof DecodeError) throw badDump(`account ${who}: ${error.text}`)
      throw error
    }
  })
}

function membersOf(json: Json): readonly (readonly [string, Json])[] {
  const accounts = json.type === 'object' ? memberOf(json, 'accounts') : undefined
  if (accounts?.type !== 'object') throw badDump('expected an object with the member `accounts`')
  return accounts.members
}

/** Older dumps are uncompressed JSON. */
function jsonIn(bytes: Uint8Array): Json {
  const isPlain = bytes[0] === '{'.charCodeAt(0)
  try {
    return parseJson(new TextDecoder().decode(isPlain ? bytes : gunzip(bytes, dumpBytesMost)))
  } catch (error) {
    if (!isExpected(error)) throw error
    throw badDump(error instanceof BadGzip ? `not gzip: ${error.message}` : error.message)
  }
}

function badDump(text: string) {
  return invalidParams(`expected a dump from anvil_dumpState: ${text}`)
}

function editsOf([who, { nonce, balance, code, storage }]: Owned): readonly StateEdit[] {
  return [
    { type: 'setBalance', address: who, amount: balance },
    { type: 'setNonce', address: who, nonce },
    ...(code.length === 0 ? [] : [{ type: 'setCode', address: who, code } as const]),
    ...storage.map(([slot, value]) => ({ type: 'setStorage', address: who, slot, value }) as const),
  ]
}
