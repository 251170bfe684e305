/** The log: lines on stderr, kept back until the chain serves, so that stderr is silent before. */
import type { Sinks } from './queue.ts'

export type Log = { readonly write: Sinks['log']; readonly open: () => void }

const keptMost = 100

/** Returns a log that is closed at first; what it was told until it opens comes then. */
export function createLog(out: (text: string) => void = (text) => { process.stderr.write(text) }): Log {
  let kept: string[] | undefined = []
  return {
    write: (level, text) => {
      if (level === 'debug') return
      const line = `${level.padEnd(5)} ${text}\n`
      if (kept === undefined) out(line)
      else if (kept.length < keptMost) kept.push(line)
    },
    open: () => {
      for (const line of kept ?? []) out(line)
      kept = undefined
    },
  }
}
