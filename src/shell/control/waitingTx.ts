/**
 * A transaction in the mempool, found by the hash of either interface: its page, its replacement
 * and its removal.
 */
import { readGoHex } from '../../codec/base64.ts'
import { hexOf } from '../../codec/hex.ts'
import type { MempoolTx } from '../../chain/event.ts'
import { waiting, waitingTx } from '../../chain/mempool.ts'
import { equalBytes } from '../../data/bytes.ts'
import { type Action, ActionRefused, upToDate } from './act.ts'
import type { KnownAbis } from './abis.ts'
import { calledBy } from './contracts.ts'
import { decodeCall } from './decodeCall.ts'
import { rowOf } from './mempoolView.ts'
import { NotThere } from './route.ts'
import { sendAsClient } from './sendAsClient.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/**
 * Returns the transaction in the mempool with the given hash (of either interface), or undefined.
 */
export function findWaiting({ simulation }: Instance, text: string): MempoolTx | undefined {
  const { mempool } = simulation().node.chain
  const bytes = readGoHex(text.replace(/^0x/, ''))
  if (typeof bytes === 'string' || bytes.length !== 32) return undefined
  const isIt = ({ info }: MempoolTx) => info?.ethHash !== undefined && equalBytes(info.ethHash, bytes)
  return waitingTx(mempool, bytes) ?? waiting(mempool).find(isIt)
}

/**
 * Returns a transaction of the mempool with its predicted effects, or undefined if none has this
 * hash.
 */
export function waitingView(instance: Instance, text: string, known: KnownAbis) {
  const found = findWaiting(instance, text)
  if (found === undefined) return undefined
  const [signed] = instance.world.ethereum?.unwrap(found.tx) ?? []
  const tx = signed?.tx
  return {
    waiting: {
      ...rowOf(instance, found),
      raw: hexOf(found.tx),
      to: tx?.to === undefined ? null : checksumAddress(tx.to),
      wei: tx === undefined ? null : String(tx.value),
      input: tx === undefined ? null : hexOf(tx.data),
      call: tx?.to === undefined ? null : decodeCall(tx.data, known, calledBy(instance, tx.to, known)),
    },
  }
}

/**
 * Returns fees raised by an eighth. A node requires a tenth for a replacement; an eighth leaves
 * room for rounding.
 */
const raised = (wei: bigint) => `0x${(wei + wei / 8n + 1n).toString(16)}`

const transferGas = 21_000

/**
 * Replaces an Ethereum transaction in the mempool by the same one with fees an eighth higher. With
 * `cancel`, replaces it by a transfer of zero to its sender. Resolves with the new hash. Throws
 * `NotThere`, `ActionRefused`, `ActionUnconfirmed`, and `SendRefused` if the node has no key of the
 * sender.
 */
export async function replaceTx(
  instance: Instance,
  { hash, cancel = false }: { readonly hash: string; readonly cancel?: boolean | undefined },
  known: KnownAbis,
) {
  await upToDate(instance)
  const found = findWaiting(instance, hash)
  if (found === undefined) throw new NotThere(`waiting transaction ${hash}`)
  const [signed] = instance.world.ethereum?.unwrap(found.tx) ?? []
  if (signed === undefined || found.info === undefined) {
    throw new ActionRefused(
      'only an Ethereum transaction can be replaced',
      'Drop this one and send another, or release it.',
    )
  }
  const { tx, from } = signed
  const { feeCap, tipCap } = found.info
  const sender = hexOf(from)
  const fees =
    tx.type < 2 ? { gasPrice: raised(feeCap) } : { maxFeePerGas: raised(feeCap), maxPriorityFeePerGas: raised(tipCap) }
  const body = cancel
    ? { to: sender, value: '0x0', gas: `0x${transferGas.toString(16)}` }
    : {
        ...(tx.to === undefined ? {} : { to: hexOf(tx.to) }),
        ...{ value: `0x${tx.value.toString(16)}`, data: hexOf(tx.data), gas: `0x${tx.gasLimit.toString(16)}` },
      }
  const sent = { from: sender, nonce: `0x${tx.nonce.toString(16)}`, ...fees, ...body }
  const call = { method: 'eth_sendTransaction', params: [sent] }
  return { replaced: hash, hash: await sendAsClient(instance, call, known) }
}

/** Removes a transaction from the mempool. Throws `NotThere`. */
export function dropTx(instance: Instance, hash: string) {
  return {
    commands: [{ type: 'dropTx', hash: waitingHash(instance, hash) }],
    result: () => ({ hash, dropped: true }),
  } satisfies Action<unknown>
}

/** Keeps a transaction of the mempool out of blocks, or releases it. Throws `NotThere`. */
export function holdTx(instance: Instance, hash: string, held: boolean) {
  return {
    commands: [{ type: 'holdTx', hash: waitingHash(instance, hash), held }],
    result: () => ({ hash, held }),
  } satisfies Action<unknown>
}

function waitingHash(instance: Instance, text: string): Uint8Array {
  const found = findWaiting(instance, text)
  if (found === undefined) throw new NotThere(`waiting transaction ${text}`)
  return found.hash
}
