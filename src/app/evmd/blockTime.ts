/**
 * Block time as modules use it: timestamps, durations in nanoseconds, and keys that sort by time.
 */
import { formatTime } from '../../codec/time.ts'
import { addNanos, compareTime, type Time } from '../../data/time.ts'
import { utf8Of } from '../../data/utf8.ts'
import type { Context } from './context.ts'

/** 1970-01-01T00:00:00Z: the SDK's value for a time that is not set. */
export const epoch: Time = { seconds: 0n, nanos: 0 }

/** Returns the time of the context's block. */
export function blockTime({ block }: Pick<Context, 'block'>): Time {
  return { seconds: block.timeSeconds, nanos: block.timeNanos }
}

/** Returns the time `nanos` nanoseconds after the block's time. */
export function timeAfter(context: Pick<Context, 'block'>, nanos: bigint): Time {
  return addNanos(blockTime(context), nanos)
}

/** Returns whether a time is at or before the block's time. */
export function isPast(context: Pick<Context, 'block'>, time: Time): boolean {
  return compareTime(time, blockTime(context)) <= 0
}

/** Returns 29 bytes that sort by time (SDK FormatTimeBytes): `2006-01-02T15:04:05.000000000`. */
export function timeKey(time: Time): Uint8Array {
  if (last === undefined || last.seconds !== time.seconds || last.nanos !== time.nanos) {
    const whole = formatTime({ seconds: time.seconds, nanos: 0 }).slice(0, -1)
    const key = utf8Of(`${whole}.${time.nanos.toString().padStart(9, '0')}`)
    last = { seconds: time.seconds, nanos: time.nanos, key }
  }
  return last.key
}

// Seven queues per block look up entries due at the same time. The key is never mutated.
let last: (Time & { readonly key: Uint8Array }) | undefined

/** Returns a time as RFC 3339 in whole seconds, the format of completion times in events. */
export function secondText(time: Time): string {
  return formatTime({ seconds: time.seconds, nanos: 0 })
}
