/** Answers calls about the head as of a given height (`mocks.md` §4.1). */
import { base64Of } from '../../codec/base64.ts'
import { bytesOfDigits, quantityOf } from '../../codec/hex.ts'
import type { Answer } from '../../node/answer.ts'
import { heightAsked, isCallTo, keyAtHeight, keyOfNormalized, keyParts } from './callKey.ts'
import { headIn, type HeldAnswer } from './library.ts'
import { memberTexts } from './slice.ts'

/** Returns the answers to a call, recorded or derived. */
export type Lookup = (key: string) => readonly HeldAnswer[] | undefined

/**
 * Returns the answer to a call about the head as of a height. It is the recorded one, the answer to
 * the same call with that height, or one derived from its block.
 */
export function answerAt(
  key: string,
  height: number,
  { held, lookup }: { held: readonly HeldAnswer[]; lookup: Lookup },
): Answer | undefined {
  if (height === 0) return undefined
  if (isCallTo('eth', 'eth_blockNumber', key)) return blockNumberAt(height, lookup)
  const exact = held.findLast(({ answer }) => answer.ok === true && headIn(key, answer) === height)
  if (exact !== undefined) return exact.answer
  const recorded = held.at(-1)?.answer
  const text = recorded?.ok === true ? recorded.text : undefined
  if (isCallTo('comet', 'status', key)) {
    return text === undefined ? undefined : statusAt(text, height, lookup)
  }
  if (isCallTo('comet', 'abci_info', key)) {
    return text === undefined ? undefined : abciInfoAt(text, height, lookup)
  }
  const found = lookup(keyAt(key, height))?.at(-1)?.answer
  return found?.ok === true && found.text !== 'null' ? found : undefined
}

/** Returns the key of the same call with a height instead of the head. */
function keyAt(key: string, height: number): string {
  const { side, method, params } = keyParts(key)
  // Without a height, `validators` returns the set of the block being decided.
  if (side === 'comet') return keyAtHeight(method, method === 'validators' ? height + 1 : height)
  const asked = JSON.parse(params) as readonly unknown[]
  return keyOfNormalized(
    side,
    method,
    asked.map((one) => (one === 'latest' ? quantityOf(height) : one)),
  )
}

/**
 * Returns the block number, if Ethereum JSON-RPC knows that block: a client that sees a number
 * requests its block next. A head known only from CometBFT RPC gives undefined.
 */
function blockNumberAt(height: number, lookup: Lookup): Answer | undefined {
  const number = quantityOf(height)
  const isKnown = [false, true].some((isFull) =>
    lookup(keyOfNormalized('eth', 'eth_getBlockByNumber', [number, isFull]))?.some(
      ({ answer }) => answer.ok === true && answer.text !== 'null',
    ),
  )
  return isKnown ? { ok: true, text: JSON.stringify(number) } : undefined
}

function statusAt(text: string, height: number, lookup: Lookup): Answer | undefined {
  const found = resultAt('block', height, lookup)
  const id = memberTexts(found?.get('block_id') ?? '')
  const header = memberTexts(memberTexts(found?.get('block') ?? '').get('header') ?? '')
  const [hash, appHash, time] = [id.get('hash'), header.get('app_hash'), header.get('time')]
  if (hash === undefined || appHash === undefined || time === undefined) return undefined
  return replaced(text, {
    latest_block_hash: hash,
    latest_app_hash: appHash,
    latest_block_height: `"${height}"`,
    latest_block_time: time,
  })
}

/**
 * Returns `abci_info` after a block. Its app hash is in `block_results` as base64, or in the next
 * header as hex.
 */
function abciInfoAt(text: string, height: number, lookup: Lookup): Answer | undefined {
  const next = memberTexts(resultAt('header', height + 1, lookup)?.get('header') ?? '')
  const hash = JSON.parse(next.get('app_hash') ?? '""') as string
  const appHash =
    resultAt('block_results', height, lookup)?.get('app_hash') ??
    (hash === '' ? undefined : `"${base64Of(bytesOfDigits(hash.toLowerCase()) ?? new Uint8Array())}"`)
  if (appHash === undefined) return undefined
  return replaced(text, { last_block_height: `"${height}"`, last_block_app_hash: appHash })
}

/**
 * Returns the commit of a block that was recorded as the head, once the head is higher: the next
 * block contains it. Undefined for any other call, and if that block is not known.
 */
export function canonicalCommit(
  key: string,
  { text }: { readonly text: string },
  { tip, lookup }: { readonly tip: number; readonly lookup: Lookup },
): Answer | undefined {
  const height = isCallTo('comet', 'commit', key) ? Number(heightAsked(key)) : Number.NaN
  if (!(height < tip)) return undefined
  const commit = memberTexts(text)
  if (commit.get('canonical') !== 'false') return undefined
  const header = memberTexts(commit.get('signed_header') ?? '').get('header')
  const next = memberTexts(resultAt('block', height + 1, lookup)?.get('block') ?? '').get('last_commit')
  if (header === undefined || next === undefined) return undefined
  return { ok: true, text: `{"signed_header":{"header":${header},"commit":${next}},"canonical":true}` }
}

function resultAt(method: string, height: number, lookup: Lookup): ReadonlyMap<string, string> | undefined {
  const answer = lookup(keyAtHeight(method, height))?.at(-1)?.answer
  return answer?.ok === true ? memberTexts(answer.text) : undefined
}

function replaced(text: string, members: Readonly<Record<string, string>>): Answer {
  let changed = text
  for (const [name, value] of Object.entries(members)) {
    changed = changed.replace(new RegExp(`("${name}":)\\s*"(?:[^"\\\\]|\\\\.)*"`), (_, start: string) => start + value)
  }
  return { ok: true, text: changed }
}
