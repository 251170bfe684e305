/**
 * Splits recorded Multicall3 batches into calls, and reassembles batches on request. Clients batch
 * whatever calls happen to be made together, so batches differ between runs (`mocks.md` §4.3, rule
 * 6).
 */
import { abiTypes, decodeAbi, encodeAbi, type AbiValue } from '../../app/evmd/precompiles/abi.ts'
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import { isCallTo, keyOfNormalized, keyParts } from './callKey.ts'
import { countUpTo, type Answers, type HeldAnswer, type NoteSource } from './library.ts'

/** A call within a batch; `key` is the key of the same call made alone. */
type Inner = { readonly key: string; readonly mayFail: boolean }

/** The result of a call, valid from a moment; `source` is the recorded call that returned it. */
type Came = { readonly since: number; readonly isOk: boolean; readonly data: Uint8Array; readonly source: string }

const results = abiTypes('(bool,bytes)[]')
const lists = {
  '0x82ad56cb': abiTypes('(address,bool,bytes)[]'),
  '0xbce38bd7': abiTypes('bool,(address,bytes)[]'),
} as const

/**
 * Returns a function that finds the answers to a batch of calls, or to a call that was part of one.
 */
export function createGathering(
  answers: Answers,
  note: NoteSource,
): (key: string) => readonly HeldAnswer[] | undefined {
  let parts: ReadonlyMap<string, readonly Came[]> | undefined
  const cameOf = (key: string): readonly Came[] => {
    const alone = (answers.get(key) ?? []).flatMap((one) => cameAlone(key, one))
    if (alone.length === 0) parts ??= partsOf(answers)
    const came = alone.length > 0 ? alone : (parts?.get(key) ?? [])
    for (const { source } of came) note(source)
    return came
  }
  return (key) => {
    if (!isCallTo('eth', 'eth_call', key)) return undefined
    const inner = innerOf(key)
    // A failed part does not reveal the error of the same call made alone.
    const held =
      inner === undefined
        ? cameOf(key)
            .filter(({ isOk }) => isOk)
            .map(({ since, data }) => heldOf(since, data))
        : together(
            inner,
            inner.map((one) => cameOf(one.key)),
          )
    return held.length === 0 ? undefined : held
  }
}

/** Returns the calls in a batch, or undefined if the call is not a batch. */
function innerOf(key: string): readonly Inner[] | undefined {
  const [call, ...rest] = parseCanonicalJson(keyParts(key).params) as readonly [
    ({ readonly input?: unknown } | null)?,
    ...unknown[],
  ]
  const input = typeof call?.input === 'string' ? call.input : ''
  const head = input.slice(0, 10)
  if (head !== '0x82ad56cb' && head !== '0xbce38bd7') return undefined
  const isThree = head === '0x82ad56cb'
  try {
    const values = decodeAbi(lists[head], bytesOfHex(`0x${input.slice(10)}`))
    const items = (isThree ? values[0] : values[1]) as readonly (readonly AbiValue[])[]
    return items.map(([to, ...others]) => {
      const asked = { input: hexOf(others.at(-1) as Uint8Array), to: hexOf(to as Uint8Array) }
      const mayFail = isThree ? others[0] === true : values[0] === false
      return { key: keyOfNormalized('eth', 'eth_call', [asked, ...rest]), mayFail }
    })
  } catch {
    return undefined
  }
}

/** Returns the results of calls that were part of recorded batches, by key. */
function partsOf(answers: Answers): ReadonlyMap<string, readonly Came[]> {
  const parts = new Map<string, Came[]>()
  for (const key of answers.keys()) {
    const mayGather = isCallTo('eth', 'eth_call', key) && /"input":"0x(?:82ad56cb|bce38bd7)/.test(key)
    if (!mayGather) continue
    const inner = innerOf(key)
    for (const { since, answer } of inner === undefined ? [] : (answers.get(key) ?? [])) {
      const came = answer.ok === true ? resultsIn(answer.text) : []
      for (const [index, [isOk, data]] of came.entries()) {
        const part = inner?.[index]?.key
        if (part === undefined) continue
        const one = { since, isOk: isOk === true, data: data as Uint8Array, source: key }
        const list = parts.get(part)
        if (list === undefined) parts.set(part, [one])
        else list.push(one)
      }
    }
  }
  for (const list of parts.values()) list.sort((a, b) => a.since - b.since)
  return parts
}

/**
 * Decodes a batch's results. Another contract may have a function with the same selector and a
 * different result; for that, the list is empty.
 */
function resultsIn(text: string): readonly (readonly AbiValue[])[] {
  try {
    const [list] = decodeAbi(results, bytesIn(text))
    return list as readonly (readonly AbiValue[])[]
  } catch {
    return []
  }
}

function cameAlone(source: string, { since, answer }: HeldAnswer): readonly Came[] {
  if (answer.ok === undefined) return []
  if (answer.ok) return [{ since, isOk: true, data: bytesIn(answer.text), source }]
  const { code, data = '"0x"' } = answer.error
  return code === 3 ? [{ since, isOk: false, data: bytesIn(data), source }] : []
}

function bytesIn(json: string): Uint8Array {
  return bytesOfHex(String(JSON.parse(json)))
}

/** Assembles the answers to a batch: a new one whenever the result of a part changes. */
function together(inner: readonly Inner[], all: readonly (readonly Came[])[]): readonly HeldAnswer[] {
  if (all.some((list) => list.length === 0)) return []
  const from = Math.max(0, ...all.map(([first]) => first?.since ?? 0))
  const moments = new Set([from, ...all.flat().map(({ since }) => since)])
  return [...moments]
    .filter((at) => at >= from)
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const came = all.flatMap((list) => list[countUpTo(list, at, ({ since }) => since) - 1] ?? [])
      if (came.some(({ isOk }, index) => !isOk && inner[index]?.mayFail === false)) return []
      const value = encodeAbi(results, [came.map(({ isOk, data }) => [isOk, data])])
      return [heldOf(at, value)]
    })
}

function heldOf(since: number, data: Uint8Array): HeldAnswer {
  return { since, answer: { ok: true, text: `"${hexOf(data)}"` }, count: 1 }
}
