/** Answers calls that were not recorded (`mocks.md` §4.8). */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { nearest } from '../../data/nearest.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Answer } from '../../node/answer.ts'
import { keyParts } from './callKey.ts'
import { ownCodes } from '../../rpc/ownCodes.ts'
import { isJsonObject } from '../../data/members.ts'

export type MissedAt = { readonly recording: string; readonly height: number }

/** All recorded calls, by interface and method. */
export type Known = ReadonlyMap<string, readonly string[]>

/** A recorded call and its difference from the requested one. */
type Near = {
  readonly call: string
  readonly why: string
  readonly path?: string
  readonly recorded?: unknown
  readonly got?: unknown
}

/**
 * Returns an error that clients do not retry. It lists the nearest recorded calls with their
 * differences, and possible fixes.
 */
export function missAnswer(key: string, known: Known, { recording, height }: MissedAt): Answer {
  const { side, method } = keyParts(key)
  const alike = known.get(`${side} ${method}`)
  const near =
    alike === undefined ? otherMethods(side, method, known) : nearestCalls(key, alike).map((one) => nearOf(key, one))
  const data = {
    recording,
    key,
    height,
    nearest: near,
    fixes: [
      'chainstage recording update RECORDING --from-misses RECORDING.misses.json --upstream-eth URL',
      'record the session again and include this call',
      'start with --mode missing and the URLs of a node',
      'send the call as it was recorded',
    ],
  }
  return {
    ok: false,
    error: {
      code: ownCodes.notRecorded,
      message: `chainstage: no recorded response for ${method} at height ${height}`,
      data: JSON.stringify(data),
    },
  }
}

/** Groups keys by interface and method. */
export function byMethod(keys: Iterable<string>): Known {
  const known = new Map<string, string[]>()
  for (const key of keys) {
    const { side, method } = keyParts(key)
    const list = known.get(`${side} ${method}`) ?? []
    known.set(`${side} ${method}`, list)
    list.push(key)
  }
  return known
}

function otherMethods(side: string, method: string, known: Known): readonly Near[] {
  const names = [...known.keys()].filter((one) => one.startsWith(`${side} `)).map((one) => one.slice(side.length + 1))
  const near = nearest(method, names)
  const why = `${method} was never called during the recording`
  return [{ call: near ?? '', why }]
}

/** Returns the three calls that share the longest beginning and end with the key. */
function nearestCalls(key: string, known: readonly string[]): readonly string[] {
  const score = (other: string) => {
    let start = 0
    while (start < key.length && key[start] === other[start]) start += 1
    let end = 1
    while (end <= key.length - start && key.at(-end) === other.at(-end)) end += 1
    return start + end
  }
  return known
    .map((one) => ({ one, score: score(one) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ one }) => one)
}

function nearOf(key: string, other: string): Near {
  const [got, recorded] = [key, other].map((one) => parseCanonicalJson(keyParts(one).params))
  const found = differenceIn(got, recorded, 'params')
  if (found === undefined) return { call: other, why: 'the same call' }
  const isBlock =
    /^params\[\d+\]$/.test(found.path) &&
    [found.got, found.recorded].every(
      (one) => typeof one === 'string' && /^(?:latest|pending|earliest|safe|finalized|0x[0-9a-f]{1,16})$/.test(one),
    )
  const why =
    isBlock || found.path === 'params.height'
      ? 'the same call at a different height'
      : 'the same method with a different parameter'
  return { call: other, why, ...found }
}

type Found = { readonly path: string; readonly recorded: unknown; readonly got: unknown }

/** Returns the first difference between two values. */
function differenceIn(got: unknown, recorded: unknown, path: string): Found | undefined {
  const isList = Array.isArray(got) && Array.isArray(recorded)
  if (!isList && !(isJsonObject(got) && isJsonObject(recorded))) {
    const isSame = canonicalJson(got ?? null) === canonicalJson(recorded ?? null)
    return isSame ? undefined : { path, recorded: recorded ?? null, got: got ?? null }
  }
  const [a, b] = [new Map(Object.entries(got)), new Map(Object.entries(recorded))]
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const below = isList ? `${path}[${name}]` : `${path}.${name}`
    const found = differenceIn(a.get(name), b.get(name), below)
    if (found !== undefined) return found
  }
  return undefined
}
