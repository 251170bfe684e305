import type { Expected } from '../plan/expectation.ts'
import type { CallRecord } from '../rpc/callRecord.ts'

type Pace = Extract<Expected, { type: 'pace' }>

/** Returns the first violation of a pace limit by calls, or undefined if there is none. */
export function paceVerdict({ text, by, limit }: Pace, calls: readonly CallRecord[]): string | undefined {
  const groups = new Map<string, bigint[]>()
  for (const call of calls) {
    const key = groupOf(by, call)
    const times = groups.get(key) ?? []
    times.push(call.timeMs)
    groups.set(key, times)
  }
  for (const times of groups.values()) {
    const reason = 'apartMs' in limit ? tooClose(times, limit.apartMs) : tooMany(times, limit)
    if (reason !== undefined) return `${text}: ${reason}`
  }
  return undefined
}

function groupOf(by: Pace['by'], { session, side, method, params }: CallRecord): string {
  if (by === 'all') return ''
  return by === 'session' ? session : [session, side, method, params].join('\n')
}

function tooClose(times: readonly bigint[], apartMs: bigint): string | undefined {
  for (const [index, time] of times.entries()) {
    const before = times[index - 1]
    if (before === undefined || time - before >= apartMs) continue
    return `expected at least ${apartMs} ms between two calls, was ${time - before} ms at ${time} ms`
  }
  return undefined
}

function tooMany(times: readonly bigint[], { most, perMs }: { most: number; perMs: bigint }): string | undefined {
  for (const [index, time] of times.entries()) {
    const until = times.slice(index).filter((later) => later < time + perMs).length
    if (until > most) {
      return `expected at most ${most} calls in any ${perMs} ms, was ${until} from ${time} ms on`
    }
  }
  return undefined
}
