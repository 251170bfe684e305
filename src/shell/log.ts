/**
 * The log on stderr: lines for people, or JSON of pino for programs. It is kept back until the chain
 * serves, so that stderr is silent before.
 */
import type { Logger } from 'pino'
import type { Sinks } from './queue.ts'

export type Log = { readonly write: Sinks['log']; readonly open: () => void }

export type LogOptions = { readonly isJson?: boolean; readonly out?: (text: string) => void }

type Level = Parameters<Sinks['log']>[0]

const keptMost = 100

/** Returns a log that is closed at first; what it was told until it opens comes then. */
export function createLog({ isJson = false, out = (text) => { process.stderr.write(text) } }: LogOptions = {}): Log {
  let kept: (readonly [Level, string])[] | undefined = []
  const tell = isJson ? jsonTeller(out) : (level: Level, text: string) => out(`${level.padEnd(5)} ${text}\n`)
  return {
    write: (level, text) => {
      if (level === 'debug') return
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
function jsonTeller(out: (text: string) => void): (level: Level, text: string) => void {
  let logger: Promise<Logger> | undefined
  return (level, text) => {
    logger ??= import('pino').then(({ pino }) => pino({ base: null }, { write: out }))
    void logger.then((one) => one[level](text))
  }
}
