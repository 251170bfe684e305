/** Answers calls to a forked chain about the other chain's history. */
import { recordByHash, ethTxPlace, txByHash } from '../../chain/history.ts'
import { waiting } from '../../chain/mempool.ts'
import { readBase64 } from '../../codec/base64.ts'
import { bytesOfDigits } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import { membersOf } from '../../data/members.ts'
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../settings/side.ts'
import type { Node } from '../../node/node.ts'
import { historyPlace } from '../../recording/fork/historyPlace.ts'
import type { Call } from '../../rpc/transport.ts'
import { peek } from '../peek.ts'
import { bothFound, type HistoryAsked } from './search.ts'
import type { Source } from './source.ts'
import type { ForkCall } from './unanswered.ts'

/**
 * Returns undefined for a call that our chain answers. Resolves with undefined if the other chain
 * has no answer, so that ours answers too.
 */
export function historyAnswer(asked: HistoryAsked, side: Side, call: Call): Promise<Answer | undefined> | undefined {
  const { source, height, node } = asked
  const place = historyPlace(side, call, { height, head: node.chain.height })
  if (place.kind === 'own' || !source.has(side)) return undefined
  const { name: method, params } = call
  switch (place.kind) {
    case 'other':
      return source.ask({ side, method, params })
    case 'logs':
      return both(asked, { ...place, method }, joinedLogs)
    case 'search':
      return bothFound(asked, { method, params: place.params })
    case 'fees':
      return both(asked, { ...place, method }, joinedFees)
    case 'hash':
      return isOurs(node, place.hash) ? undefined : foundByHash(source, { side, method, params }, height)
  }
}

/**
 * Returns the other chain's answer. Where it has none, or one above the fork, our chain answers.
 */
async function foundByHash(source: Source, call: ForkCall, height: bigint): Promise<Answer | undefined> {
  const answer = await source.ask(call).catch(() => undefined)
  if (answer?.ok !== true || answer.text === 'null') return undefined
  const at = heightIn(JSON.parse(answer.text))
  return at !== undefined && at > height ? undefined : answer
}

/** Returns the height in a block, a transaction, a receipt, or the first of several logs. */
function heightIn(value: unknown): bigint | undefined {
  const result = membersOf(Array.isArray(value) ? value[0] : value)
  const header = membersOf(result['header'] ?? membersOf(result['block'])['header'])
  // A transaction pending on the other chain is not one of ours.
  if (result['blockNumber'] === null) return 1n << 63n
  const said = result['blockNumber'] ?? result['number'] ?? result['height'] ?? header['height'] ?? header['number']
  return typeof said === 'string' ? BigInt(said) : undefined
}

function isOurs({ chain: { history, mempool } }: Node, text: string): boolean {
  const hash = hashOf(text)
  if (hash === undefined) return false
  const isHeld = [recordByHash, ethTxPlace, txByHash].some((find) => find(history, hash) !== undefined)
  return isHeld || waiting(mempool).some(({ info }) => info?.ethHash !== undefined && equalBytes(info.ethHash, hash))
}

function hashOf(text: string): Uint8Array | undefined {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  if (digits !== undefined) return bytesOfDigits(digits)
  const bytes = readBase64(text)
  return typeof bytes === 'string' ? undefined : bytes
}

type Parts = { readonly other: string; readonly own: string }

async function both(
  { source, world, node }: HistoryAsked,
  { method, other, own }: Parts & { method: string },
  join: (before: Told, after: unknown) => string,
): Promise<Answer> {
  const before = await source.ask({ side: 'eth', method, params: { form: 'json', text: other } })
  if (before.ok !== true) return before
  const after = peek(world, node, { side: 'eth', method, params: JSON.parse(own) as unknown })
  if (!('error' in after)) return { ok: true, text: join(before, after.result) }
  const { code, message } = after.error
  return { ok: false, error: { code, message, data: undefined } }
}

type Told = Extract<Answer, { ok: true }>

function joinedLogs(before: Told, after: unknown): string {
  const inner = [before.text, JSON.stringify(after)].map((text) => text.trim().slice(1, -1))
  return `[${inner.filter((text) => text !== '').join(',')}]`
}

/** Joins two fee histories. The other chain's fee for its next block is replaced by ours. */
function joinedFees(before: Told, after: unknown): string {
  const [first, last] = [membersOf(JSON.parse(before.text)), membersOf(after)]
  const entries = Object.entries(first).map(([name, value]) => {
    const more = last[name]
    if (!Array.isArray(value) || !Array.isArray(more)) return [name, value] as const
    const kept: readonly unknown[] = isAhead(name) ? value.slice(0, -1) : value
    return [name, [...kept, ...(more as unknown[])]] as const
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** Returns whether a list also contains a value for the next block. */
function isAhead(name: string): boolean {
  return name === 'baseFeePerGas' || name === 'baseFeePerBlobGas'
}
