/**
 * The log on stderr: lines for people, or pino's JSON for programs. Lines are held back until the
 * chain serves, so that stderr stays silent until then.
 */
import type { Logger } from 'pino'
import type { Exchange } from './exchanges.ts'
import { methodsIn } from './methodsIn.ts'
import { printable } from '../data/printable.ts'
import type { LogLevel } from '../node/output.ts'
import type { Sinks } from './queue.ts'

export type Log = {
  readonly write: Sinks['log']
  /** Logs a line for an answered request. */
  readonly request: (exchange: Exchange) => void
  readonly open: () => void
}

/** `isSilent` logs only errors. */
export type LogOptions = {
  readonly isJson?: boolean
  readonly isSilent?: boolean
  readonly out?: (text: string) => void
}

type Teller = (level: LogLevel, text: string, fields?: object) => void

const keptMost = 100

/** Returns a closed log; `open` prints the lines written before it, at most 100. */
export function createLog({
  isJson = false,
  isSilent = false,
  out = (text) => {
    process.stderr.write(text)
  },
}: LogOptions = {}): Log {
  let kept: (readonly [LogLevel, string])[] | undefined = []
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

/** Returns a function that logs through pino, which is loaded for the first line. */
function jsonTeller(out: (text: string) => void): Teller {
  let logger: Promise<Logger> | undefined
  return (level, text, fields = {}) => {
    logger ??= import('pino').then(({ pino }) => pino({ base: null }, { write: out }))
    void logger.then((one) => one[level](fields, text))
  }
}
