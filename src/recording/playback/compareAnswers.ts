/**
 * Compares a node's response with the recorded one: byte for byte if the call is pinned, otherwise
 * by structure.
 */
import type { Answer } from '../../node/answer.ts'
import { keyParts } from './callKey.ts'
import { callHas } from './callTraits.ts'

/**
 * Returns whether the answer to a call must never change, because the call names a hash or height
 * or is constant.
 */
function isPinned(key: string): boolean {
  const { side, params } = keyParts(key)
  const names = side === 'eth' ? /"0x[0-9a-f]{1,64}"/ : /"(?:hash|(?:x-cosmos-block-)?height)"/
  return callHas(key, 'constant') || names.test(params)
}

/** Describes the difference between two answers, or returns undefined if there is none. */
export function compareAnswers(key: string, recorded: Answer, live: Answer): string | undefined {
  if (recorded.ok !== live.ok) return `recorded ${answerShown(recorded)}, now ${answerShown(live)}`
  if (recorded.ok === false && live.ok === false) {
    return recorded.error.code === live.error.code
      ? undefined
      : `recorded ${answerShown(recorded)}, now ${answerShown(live)}`
  }
  if (recorded.ok !== true || live.ok !== true || recorded.text === live.text || callHas(key, 'varies'))
    return undefined
  if (isPinned(key) && !/"(?:latest|pending)"/.test(key)) {
    return `recorded ${answerShown(recorded)}, now ${answerShown(live)}`
  }
  return formDifference(JSON.parse(recorded.text), JSON.parse(live.text), 'result')
}

function answerShown(answer: Answer): string {
  if (answer.ok === undefined) return 'nothing'
  return answer.ok ? answer.text.slice(0, 120) : `error ${answer.error.code} ${answer.error.message.slice(0, 100)}`
}

/**
 * Compares names of members and types of values, but not the values. Lists are compared by their
 * first item.
 */
function formDifference(recorded: unknown, live: unknown, path: string): string | undefined {
  const [was, is] = [kindOf(recorded), kindOf(live)]
  if (was === 'null' || is === 'null') return undefined
  if (was !== is) return `${path} was ${was}, now it is ${is}`
  if (Array.isArray(recorded) && Array.isArray(live)) {
    return recorded.length === 0 || live.length === 0 ? undefined : formDifference(recorded[0], live[0], `${path}[0]`)
  }
  if (typeof recorded !== 'object' || typeof live !== 'object' || recorded === null || live === null) return undefined
  const [a, b] = [new Map(Object.entries(recorded)), new Map(Object.entries(live))]
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    if (!b.has(name)) return `${path}.${name} is missing now`
    if (!a.has(name)) return `${path}.${name} is new`
    const found = formDifference(a.get(name), b.get(name), `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value
}
