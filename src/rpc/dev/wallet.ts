/**
 * Batches of wallet calls (EIP-5792), for viem's `sendCalls` and similar clients. Each call is a
 * transaction of its own, sent in order, so a batch is not atomic. Unless the client chooses the id
 * of a batch, it consists of the transaction hashes, so that nothing has to be stored.
 */
import type { Outcome } from '../../chain/outcome.ts'
import { anyJson, array, bool, memberOf, object, optional, text, type Codec } from '../../codec/codec.ts'
import type { Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { address, big, bytesOfDigits, hexOf, quantityOf } from '../../codec/hex.ts'
import { concatBytes } from '../../data/bytes.ts'
import { assert } from '../../errors.ts'
import { receiptJson } from '../../feed/ethShapes.ts'
import { batchHashes } from '../../node/batches.ts'
import type { NodeCommand } from '../../node/command.ts'
import { RpcError } from '../errors.ts'
import { submittedHash } from '../eth/broadcast.ts'
import { callOf } from '../eth/calls.ts'
import { aboveHead, invalidParams } from '../eth/errors.ts'
import { keyAddresses, keyring } from '../eth/keys.ts'
import { ethereumOf, minedByHash, stateOfRef, type Mined } from '../eth/lookup.ts'
import { addressParam, pending } from '../eth/params.ts'
import { findWaiting, pendingNonce } from '../eth/pool.ts'
import { revertError } from '../eth/revert.ts'
import { sendAsNode } from '../eth/sendAsNode.ts'
import { txArgs, type TxArgs } from '../../app/txArgs.ts'
import { owner } from '../exampleCalls.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, question } from './control.ts'

type Batch = {
  readonly id: string | undefined
  readonly from: Uint8Array | undefined
  readonly chainId: bigint | undefined
  readonly atomicRequired: boolean | undefined
  readonly calls: readonly TxArgs[]
  readonly capabilities: Json | undefined
}

const batch: Codec<Batch> = object<Batch>(
  {
    id: optional(text()),
    from: optional(address),
    chainId: optional(big),
    atomicRequired: optional(bool),
    calls: array(txArgs, '[]Call'),
    capabilities: optional(anyJson),
  },
  { goType: 'SendCallsOptions' },
)

/** The status codes of EIP-5792. */
const codes = {
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  usedId: 5720,
  unknownBatch: 5730,
  tooLarge: 5740,
  atomicity: 5760,
} as const

/** Most calls in one batch. */
const callsMost = 100

/** Most characters in an id: 4,096 bytes in hex (EIP-5792). */
const idCharactersMost = 8194

const oneCall = { version: '2.0.0', from: owner, calls: [{ to: owner, value: '0x1' }] }

export const wallet: readonly Method[] = [
  ...control({
    names: { wallet_sendCalls: sentBatch },
    traits: ['submits'],
    summary: 'Sends calls as separate transactions, one after another, and returns the id of the batch.',
    params: [param('batch', batch)],
    examples: [[oneCall]],
    command: (context, [asked]) => sendCalls(context, asked),
  }),
  ...question({
    names: ['eth_requestAccounts'],
    summary:
      'Returns the addresses of the keys held by the node, as wallets do when a page asks to connect (EIP-1102).',
    params: [],
    read: (context) => keyAddresses(context).map((address) => hexOf(address)),
  }),
  ...question({
    names: ['wallet_getCallsStatus'],
    summary: 'Returns the status of a batch: 100 pending, 200 succeeded, 500 failed, 600 partly failed.',
    params: [param('id', text())],
    examples: [{ before: [['wallet_sendCalls', oneCall]], params: ['$1.id'] }],
    read: (context, [id]) => statusOf(context, id),
  }),
  ...question({
    names: ['wallet_showCallsStatus'],
    summary: 'Returns null if a batch exists; chainstage has no window to show its status in.',
    params: [param('id', text())],
    examples: [{ before: [['wallet_sendCalls', oneCall]], params: ['$1.id'] }],
    read: (context, [id]) => {
      batchOf(context, id)
      return null
    },
  }),
  ...question({
    names: ['wallet_getCapabilities'],
    summary: 'Returns the capabilities of the wallet by chain; atomic batches are not supported.',
    params: [addressParam, param('chainIds', optional(array(big, '[]hexutil.Big')), undefined)],
    examples: [[owner]],
    read: (context, [, wanted]) => {
      const { chainId } = chainOf(context)
      if (wanted !== undefined && !wanted.includes(chainId)) return {}
      return { [quantityOf(chainId)]: { atomic: { status: 'unsupported' } } }
    },
  }),
]

const chainOf = (context: Context) => ethereumOf(context).params(context.node.chain.app)

function sendCalls(context: Context, asked: Batch): NodeCommand {
  checkBatch(context, asked)
  const from = asked.from ?? keyring(context)[0]?.address ?? new Uint8Array(20)
  const calls = asked.calls.map((one) => ({ ...one, from }))
  const gas = calls.length === 1 ? [] : gasInTurn(context, calls)
  const { nonce } = ethereumOf(context).account(context.node.chain.app, from)
  const first = pendingNonce(context, from, nonce)
  return {
    type: 'submissions',
    ...(asked.id !== undefined && { id: asked.id }),
    commands: calls.map((one, index) =>
      sendAsNode(context, {
        ...one,
        gas: one.gas ?? gas[index],
        nonce: first + BigInt(index),
      }),
    ),
  }
}

function checkBatch(context: Context, { id, chainId, atomicRequired, calls, capabilities }: Batch) {
  if (id !== undefined) checkId(context, id)
  const own = chainOf(context).chainId
  if (chainId !== undefined && chainId !== own)
    throw new RpcError(codes.unsupportedChain, `expected the chain id ${own}, received ${chainId}`)
  if (calls.length === 0 || calls.length > callsMost)
    throw new RpcError(codes.tooLarge, `expected 1 to ${callsMost} calls, received ${calls.length}`)
  if (atomicRequired === true && calls.length > 1)
    throw new RpcError(
      codes.atomicity,
      'expected atomicRequired to be false: chainstage does not support atomic batches',
    )
  const members = capabilities?.type === 'object' ? capabilities.members : []
  const demanded = members.find(([, one]) => !isOptional(one))
  if (demanded !== undefined)
    throw new RpcError(codes.unsupportedCapability, `chainstage does not support the capability "${demanded[0]}"`)
}

function checkId(context: Context, id: string) {
  if (id === '' || id.length > idCharactersMost)
    throw invalidParams(`expected an id of 1 to ${idCharactersMost} characters, received ${id.length}`)
  if (findBatch(context, id) !== undefined)
    throw new RpcError(codes.usedId, `another batch has the id ${id}; choose a new one for each batch`)
}

function isOptional(capability: Json): boolean {
  const said = capability.type === 'object' ? memberOf(capability, 'optional') : undefined
  return said?.type === 'bool' && said.value
}

/** Returns the gas of each call, executed after those before it: its peak usage plus a stipend. */
function gasInTurn(context: Context, calls: readonly TxArgs[]): readonly bigint[] {
  const state = stateOfRef(context, pending, aboveHead.header)
  const messages = calls.map((args) => callOf(context, state, { args }))
  const [end] = ethereumOf(context).series(state, [{ overrides: [], calls: messages }])
  return (end?.results ?? []).map(({ status, output, gasPeak }) => {
    if (status === 'revert') throw revertError(context, output)
    return ((gasPeak + stipend) * 64n) / 63n
  })
}

/**
 * The stipend that a call with value gives to the called contract; 1/64 of the gas stays behind at
 * each level.
 */
const stipend = 2_300n

/**
 * A refused call ends the batch. If it is the first, the method throws; otherwise the batch failed
 * partially.
 */
function sentBatch(_context: Context, outcome: Outcome, params: readonly unknown[]): PlainObject {
  assert(outcome.type === 'submissions', `submitting gave ${outcome.type}`)
  const [first] = outcome.each
  assert(first !== undefined, 'a batch has at least one call')
  // Throws if the first call was refused.
  submittedHash(first, '')
  const [{ id }] = params as readonly [Batch]
  return { id: id ?? hexOf(concatBytes(batchHashes(outcome.each))) }
}

type Found = { readonly hashes: readonly Uint8Array[]; readonly mined: readonly Mined[]; readonly isWaiting: boolean }

/** Returns a batch of which a transaction is mined or waits, or undefined. */
function findBatch(context: Context, id: string): Found | undefined {
  const { batches = [], chain } = context.node
  const hashes = batches.find((one) => one.id === id)?.hashes ?? hashesIn(id)
  const mined = hashes.flatMap((hash) => minedByHash(chain, hash) ?? [])
  const isWaiting = hashes.some((hash) => findWaiting(context, hash) !== undefined)
  return mined.length === 0 && !isWaiting ? undefined : { hashes, mined, isWaiting }
}

/** Returns the transaction hashes that an id consists of; none if it has another form. */
function hashesIn(id: string): readonly Uint8Array[] {
  const bytes = id.startsWith('0x') ? bytesOfDigits(id.slice(2)) : undefined
  const count = (bytes?.length ?? 0) / 32
  if (bytes === undefined || !Number.isInteger(count) || count > callsMost) return []
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * 32, index * 32 + 32))
}

function batchOf(context: Context, id: string): Found {
  const found = findBatch(context, id)
  if (found === undefined) throw new RpcError(codes.unknownBatch, `no batch has the id ${id}`)
  return found
}

function statusOf(context: Context, id: string): PlainObject {
  const { hashes, mined, isWaiting } = batchOf(context, id)
  const succeeded = mined.filter(({ tx }) => !tx.receipt.failed).length
  return {
    version: '2.0.0',
    id,
    chainId: quantityOf(chainOf(context).chainId),
    status: isWaiting ? 100 : statusFor(succeeded, hashes.length),
    atomic: false,
    receipts: mined.map(({ record, tx }) => receiptJson(record, tx, tx.receipt.cumulativeGasUsed)),
  }
}

function statusFor(succeeded: number, count: number): number {
  if (succeeded === 0) return 500
  return succeeded === count ? 200 : 600
}
