/** The answer to a call that was not recorded. */
import { nearest } from '../../data/nearest.ts'
import type { Answer } from '../../node/answer.ts'

/** Returns the error for a call that was not recorded (`mocks.md` §4.8): clients do not retry it. */
export function missAnswer(key: string, known: readonly string[]): Answer {
  const [side = '', method = ''] = key.split(' ')
  const alike = known.filter((one) => one.startsWith(`${side} ${method} `))
  const near = nearestCall(key, alike)
  const why = near === undefined
    ? `${method} was never called while this was recorded` : 'the same method, with other parameters'
  const names = [...new Set(known.map((one) => one.split(' ')[1] ?? ''))]
  const data = {
    key, nearest: near ?? nearest(method, names) ?? null, why,
    fixes: ['record the session again with this call in it', 'ask as it was recorded'],
  }
  return {
    ok: false, error: { code: -32070, message: `chainstage: no recorded answer for ${method}`, data: JSON.stringify(data) },
  }
}

/** The one that has most of its beginning and end in common. */
function nearestCall(key: string, known: readonly string[]): string | undefined {
  const score = (other: string) => {
    let start = 0
    while (start < key.length && key[start] === other[start]) start += 1
    let end = 1
    while (end <= key.length - start && key.at(-end) === other.at(-end)) end += 1
    return start + end
  }
  return known.toSorted((a, b) => score(b) - score(a))[0]
}
