/**
 * The log on stderr: lines for people, or JSON of pino for programs. It is kept back until the
 * chain serves, so that stderr is silent before.
 */
import type { Logger } from 'pino'
import type { Exchange } from './exchanges.ts'
import { methodsIn } from './methodsIn.ts'
import { printable } from '../data/printable.ts'
import type { Sinks } from './queue.ts'

export type Log = {
  readonly write: Sinks['log']
  /** A line of its own for a request that was answered. */
  readonly request: (exchange: Exchange) => void
  readonly open: () => void
}

/** `isSilent` leaves everything but errors out. */
export type LogOptions = {
  readonly isJson?: boolean
  readonly isSilent?: boolean
  readonly out?: (text: string) => void
}

type Level = Parameters<Sinks['log']>[0]
type Teller = (level: Level, text: string, fields?: object) => void

const keptMost = 100

/** Returns a log that is closed at first; what it was told until it opens comes then. */
export function createLog({
  isJson = false,
  isSilent = false,
  out = (text) => {
    process.stderr.write(text)
  },
}: LogOptions = {}): Log {
  let kept: (readonly [Level, string])[] | undefined = []
  const tell: Teller = isJson ? jsonTeller(out) : (level, text) => out(`${level.padEnd(5)} ${printable(text)}\n`)
  return {
    request: (exchange) => {
      const { side, transport, request, target, status = 0, tookMs = 0 } = exchange
      const method = methodsIn(request) ?? target
      const ms = Math.round(tookMs * 100) / 100
      tell('info', `${side} ${method} ${status} ${ms} ms`, { side, transport, method, status, ms })
    },
    write: (level, text) => {
      if (level === 'debug' || (isSilent && level !== 'error')) return
      if (kept === undefined) tell(level, text)
      else if (kept.length < keptMost) kept.push([level, text])
    },
    open: () => {
      for (const [level, text] of kept ?? []) tell(level, text)
      kept = undefined
    },
  }
}

/** Pino is loaded for the first line; lines keep their order. */
function jsonTeller(out: (text: string) => void): Teller {
  let logger: Promise<Logger> | undefined
  return (level, text, fields = {}) => {
    logger ??= import('pino').then(({ pino }) => pino({ base: null }, { write: out }))
    void logger.then((one) => one[level](fields, text))
  }
}
