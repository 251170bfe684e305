/**
 * Signs with development accounts in ways that wallets offer and the node does not (`peers.md`
 * §2.1).
 */
import { owner } from '../exampleCalls.ts'
import { latestBlock } from '../../chain/view.ts'
import type { Codec } from '../../codec/codec.ts'
import { encodeEthTx } from '../../codec/ethTx.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { JsonSyntaxError, parseJson, type Json } from '../../codec/goJson.ts'
import { hexOf } from '../../codec/hex.ts'
import { signingKeyOf, signDigest, signTx } from '../eth/keys.ts'
import { invalidParams } from '../eth/errors.ts'
import { fillTx } from '../eth/fill.ts'
import { chainIdOf } from '../eth/lookup.ts'
import { addressParam } from '../eth/params.ts'
import { bytesResult } from '../eth/results.ts'
import { txArgs } from '../../app/txArgs.ts'
import { typedData, typedDataDigest, type TypedData } from '../eth/typedData.ts'
import { param, query, type Method } from '../method.ts'
import { question } from './control.ts'

/** Typed data as an object, or as JSON text, which is how wallets send it. */
const typedDataOrText: Codec<TypedData> = {
  ...typedData,
  schema: { anyOf: [typedData.schema, { type: 'string' }] },
  decode: (wire, path) => typedData.decode(wire.type === 'string' ? jsonIn(wire.value, path) : wire, path),
}

function jsonIn(given: string, path: string): Json {
  try {
    return parseJson(given)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const text = `expected typed data as JSON, received invalid JSON: ${error.message}`
    throw new DecodeError({ path, expected: 'JSON', received: 'invalid JSON', text })
  }
}

const exampleData = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'to', type: 'address' }] },
  primaryType: 'Mail',
  domain: { name: 'Demo' },
  message: { to: owner },
}

/** Typed data encoding by the version in the method name. */
const versions: Readonly<Record<string, { summary: string; takesArrays: boolean }>> = {
  eth_signTypedData_v3: {
    summary: 'Signs typed data (EIP-712) without arrays with a key held by the node; v is 27 or 28.',
    takesArrays: false,
  },
  eth_signTypedData_v4: {
    summary: 'Signs typed data (EIP-712) with a key held by the node; v is 27 or 28.',
    takesArrays: true,
  },
}

const typed = Object.entries(versions).map(([name, { summary, takesArrays }]) =>
  query({
    name,
    summary,
    spec: 'peers.md §2.1',
    params: [addressParam, param('data', typedDataOrText)],
    result: bytesResult,
    traits: ['usesAccounts'],
    examples: [
      { params: [owner, exampleData], result: '…' },
      { params: [owner, JSON.stringify(exampleData)], result: '…' },
    ],
    read: (context, [who, data]) => {
      if (!takesArrays) checkNoArrays(data)
      return signDigest(typedDataDigest(data), signingKeyOf(context, who))
    },
  }),
)

function checkNoArrays({ types }: TypedData): void {
  const fields = [...types.values()].flat()
  const array = fields.find(({ type }) => type.endsWith(']'))
  if (array !== undefined)
    throw invalidParams(
      `expected typed data without arrays, received the field "${array.name}" of type ${array.type}; ` +
        'use eth_signTypedData_v4',
    )
}

export const signing: readonly Method[] = [
  ...typed,
  query({
    name: 'eth_signTransaction',
    summary: 'Signs a transaction with a key held by the node and returns its bytes without submitting it.',
    spec: 'peers.md §2.1',
    params: [param('transaction', txArgs)],
    result: bytesResult,
    traits: ['usesAccounts'],
    examples: [{ params: [{ from: owner, to: owner, gas: '0x5208' }], result: '…' }],
    read: (context, [args]) => {
      const key = signingKeyOf(context, args.from ?? new Uint8Array(20))
      return encodeEthTx(signTx(fillTx(context, args), key, chainIdOf(context)))
    },
  }),
  ...question({
    names: ['eth_coinbase'],
    summary: "Returns the address that receives the tips of the next block: the proposer's operator.",
    params: [],
    read: ({ node: { chain } }) => {
      const set = chain.app.evmBlock?.coinbase
      return hexOf(set ?? latestBlock(chain)?.ethereum.miner ?? new Uint8Array(20))
    },
  }),
]
