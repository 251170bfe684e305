/** Effects on the bytes of a response and on its connection. */
import { z } from 'zod'
import { duration } from '../shapes.ts'
import { describedEffect } from './descriptor.ts'

type All = Readonly<Record<string, unknown>>

/** Returns whether another effect of the fault breaks the framing, which then wins. */
function breaksFraming({ malformed: part }: All): boolean {
  return part !== undefined && part !== 'json'
}

const empty = describedEffect({
  schema: z.literal(true),
  keys: { empty: 'Sends an empty body. Example: true.' },
  stage: 'bytes',
  compile: (_, all) => (breaksFraming(all) ? [] : [{ type: 'body', damage: 'empty' }]),
})

const truncate = describedEffect({
  schema: z.literal(true),
  keys: { truncate: 'Sends the first half of the body. Example: true.' },
  stage: 'bytes',
  compile: (_, all) => (breaksFraming(all) || all['empty'] === true ? [] : [{ type: 'body', damage: 'truncate' }]),
})

const malformed = describedEffect({
  schema: z.enum(['json', 'chunk', 'utf8', 'contentLength']),
  keys: { malformed: "Part of the body to break: json, utf8, chunk or contentLength. Example: 'json'." },
  stage: 'bytes',
  compile: (damage, all) => {
    if (damage !== 'json') return [{ type: 'framing', damage }]
    return all['empty'] === true || all['truncate'] === true ? [] : [{ type: 'body', damage }]
  },
})

const dribble = describedEffect({
  schema: z.strictObject({ bytes: z.int().min(1), every: duration }),
  keys: {
    dribble: "Sends the body a few bytes at a time. Example: { bytes: 16, every: '100ms' }.",
    bytes: 'Bytes sent at a time. Example: 16.',
    'dribble.every': "Time between two parts of the body. Example: '100ms'.",
  },
  stage: 'bytes',
  compile: ({ bytes, every }) => [{ type: 'dribble', bytes, everyMs: Number(every) }],
})

const bandwidth = describedEffect({
  schema: z.int().min(1).meta({ description: 'bytes per second' }),
  keys: { bandwidth: 'Bytes per second. Example: 1024.' },
  stage: 'bytes',
  // 20 parts per second, or single bytes at a lower rate.
  compile: (bytesPerSecond) => {
    const bytes = Math.ceil(bytesPerSecond / 20)
    return [{ type: 'dribble', bytes, everyMs: Math.round((bytes * 1000) / bytesPerSecond) }]
  },
})

const slowClose = describedEffect({
  schema: duration,
  keys: { slowClose: "Closes the connection this long after the response. Example: '2s'." },
  stage: 'bytes',
  compile: (after) => [{ type: 'slowClose', afterMs: Number(after) }],
})

const hang = describedEffect({
  schema: z.literal(true),
  keys: { hang: 'Never responds. Example: true.' },
  stage: 'bytes',
  compile: () => [{ type: 'hang' }],
})

const timeout = describedEffect({
  schema: duration,
  keys: { 'effect.timeout': "Closes the connection without a response after this time. Example: '5s'." },
  stage: 'bytes',
  compile: (after) => [{ type: 'timeout', afterMs: Number(after) }],
})

const reset = describedEffect({
  schema: z.enum(['beforeHeaders', 'midBody', 'afterBody']),
  keys: {
    reset: "When to reset the connection: beforeHeaders, midBody or afterBody. Example: 'midBody'.",
  },
  stage: 'bytes',
  compile: (when) => [{ type: 'reset', when }],
})

const refuse = describedEffect({
  schema: z.literal(true).meta({ description: 'refuses new connections' }),
  keys: { refuse: 'Refuses new connections. Example: true.' },
  stage: 'connection',
  compile: () => [{ type: 'refuse' }],
})

export const transportEffects = {
  empty,
  truncate,
  malformed,
  dribble,
  bandwidth,
  slowClose,
  hang,
  timeout,
  reset,
  refuse,
}
