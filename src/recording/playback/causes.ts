/** Finds the blocks of a recording whose transactions name an account. */
import { bytesOfDigits, plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { sha256OfBase64 } from './cometHash.ts'
import { heightAsked, isCallTo, keyParts } from './callKey.ts'
import { callHas } from './callTraits.ts'
import { heightIn, type Run, type Write } from './library.ts'
import { broadcastOf, isBroadcastTaken, isOfService, shownTxs } from './serviceTxs.ts'
import { itemTexts, memberTexts } from './slice.ts'
import { accountsIn, namedIn } from './subjects.ts'

/** A write that the node accepted, with the height of its block if known. */
export type Taken = Write & { readonly height: number | undefined }

/**
 * Accepted writes, and the changes of each account: the ascending `heights` of blocks that name it,
 * and the writes that name it (`pending`).
 */
export type Causes = {
  readonly taken: readonly Taken[]
  readonly heights: ReadonlyMap<string, readonly number[]>
  readonly pending: ReadonlyMap<string, readonly Taken[]>
}

type Seen = ReadonlyMap<string, readonly Run[]>

/** Returns the possible causes of changes to the accounts that a recording asks about. */
export function causesOf(
  seen: Seen,
  writes: readonly Write[],
  told: Iterable<readonly { readonly text: string }[]>,
): Causes {
  const wanted = new Set([...seen.keys()].flatMap(accountsIn))
  const heights = new Map<string, Set<number>>()
  const heightByHash = new Map<string, number>()
  const blame = (text: string, height: number) => {
    for (const account of namedIn(text, wanted)) {
      heights.set(account, (heights.get(account) ?? new Set()).add(height))
    }
  }
  const hashes = new Set(writes.flatMap(hashesOf))
  for (const { text, height } of [...textsOfBlocks(seen), ...textsOfEvents(told)]) {
    blame(text, height)
    for (const [hash] of text.matchAll(/[0-9a-fA-F]{64}/g)) {
      if (hashes.has(hash.toLowerCase())) heightByHash.set(hash.toLowerCase(), height)
    }
  }
  const taken = writes
    .filter(isTaken)
    .map((one) => ({
      ...one,
      height: hashesOf(one)
        .map((hash) => heightByHash.get(hash))
        .find((height) => height !== undefined),
    }))
    .toSorted((a, b) => a.from - b.from)
  const pending = new Map<string, Taken[]>()
  for (const one of taken) {
    const text = isOfService(one.key) ? broadcastOf(one.key).hex : one.key
    if (one.height !== undefined) blame(text, one.height)
    for (const account of namedIn(text, wanted)) {
      pending.set(account, [...(pending.get(account) ?? []), one])
    }
  }
  const rising = [...heights].map(([account, set]) => [account, [...set].toSorted((a, b) => a - b)] as const)
  return { taken, heights: new Map(rising), pending }
}

/**
 * Returns whether a write was accepted. An error or a code other than 0 means that it changed
 * nothing; a write without an answer counts as accepted.
 */
function isTaken({ key, answer }: Write): boolean {
  if (answer.ok !== true) return answer.ok === undefined
  if (isOfService(key)) return isBroadcastTaken(key, answer.text)
  const result = memberTexts(answer.text)
  const code = memberTexts(result.get('check_tx') ?? '').get('code') ?? result.get('code') ?? '0'
  return code === '0'
}

/** Returns the hashes by which blocks name a write, in lowercase hex. */
function hashesOf({ key, answer }: Write): readonly string[] {
  const { side, params } = keyParts(key)
  if (answer.ok !== true) return []
  if (side === 'rest' || side === 'grpc') return [broadcastOf(key).hash]
  if (side === 'eth') {
    // Methods that wait for the block return the receipt.
    const hash = memberTexts(answer.text).get('transactionHash') ?? answer.text
    return [hash.replaceAll(/"|0x/g, '').toLowerCase()]
  }
  const { tx = '' } = JSON.parse(params) as { readonly tx?: string }
  const bytes = bytesOfDigits(tx.replace(/^0x/, ''))
  return bytes === undefined ? [] : [plainHexOf(sha256(bytes))]
}

type OfBlock = { readonly text: string; readonly height: number }

function* textsOfBlocks(seen: Seen): Generator<OfBlock> {
  for (const [key, runs] of seen) {
    if (isOfService(key)) yield* runs.flatMap(({ answer }) => (answer.ok === true ? shownTxs(key, answer.text) : []))
    if (isOfService(key) || !callHas(key, 'showsTxs')) continue
    for (const { answer } of runs) {
      const height = answer.ok === true ? heightIn(answer.text) : 0
      if (answer.ok === true && height > 0) yield { text: `${key} ${answer.text}`, height }
    }
  }
  yield* textsOfCometBlocks(seen)
}

/** Yields the transaction hashes of CometBFT blocks, which contain the transactions as bytes. */
function* textsOfCometBlocks(seen: Seen): Generator<OfBlock> {
  for (const [key, runs] of seen) {
    const height = isCallTo('comet', 'block', key) ? heightAsked(key) : undefined
    const answer = runs.at(-1)?.answer
    if (height === undefined || answer?.ok !== true) continue
    const block = memberTexts(memberTexts(answer.text).get('block') ?? '')
    const txs = itemTexts(memberTexts(block.get('data') ?? '').get('txs') ?? '')
    const text = txs.map((tx) => sha256OfBase64(String(JSON.parse(tx)))).join(' ')
    yield { text, height: Number(height) }
  }
}

/** Yields the transaction events of streams; each names its height and hash. */
function* textsOfEvents(told: Iterable<readonly { readonly text: string }[]>): Generator<OfBlock> {
  for (const events of told) {
    for (const { text } of events) {
      const height = /"tx\.height":\["(\d+)"\]/.exec(text)?.[1]
      if (height !== undefined) yield { text, height: Number(height) }
    }
  }
}
