/** Runs several scenarios, some of them at a time, and keeps the output of each together. */
import type { ProgramOutput } from '../child.ts'

export type CaseRuns<T> = {
  readonly files: readonly (string | undefined)[]
  readonly jobs: number
  /** Whether the scenarios that have not begun are left out. */
  readonly isOver: () => boolean
  readonly run: (file: string | undefined) => Promise<T>
  /** What stands for a scenario that was left out. */
  readonly leftOut: (file: string | undefined) => T
}

/** Resolves with the outcome of each file, in the order of the files. */
export async function runCases<T>({ files, jobs, isOver, run, leftOut }: CaseRuns<T>): Promise<readonly T[]> {
  const outcomes = files.map((file) => leftOut(file))
  const waiting = files.entries()
  const work = async () => {
    for (const [index, file] of waiting) {
      if (isOver()) return
      outcomes[index] = await run(file)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, files.length) }, work))
  return outcomes
}

/** What one scenario prints. */
export type CaseOutput = {
  readonly log: (text: string) => void
  readonly program: ProgramOutput | undefined
  /** Prints what was kept back. */
  readonly flush: () => void
}

/**
 * Returns where a scenario prints: straight to the streams of this process where it runs alone, and
 * all at once when it is over where others run beside it. `before` is called before something is printed.
 */
export function caseOutput(isAlone: boolean, before: () => void): CaseOutput {
  if (isAlone) {
    const log = (text: string) => {
      before()
      process.stderr.write(text)
    }
    return { log, program: undefined, flush: () => {} }
  }
  const kept: [stream: 'stdout' | 'stderr', text: string][] = []
  let isOver = false
  const keep: ProgramOutput = (stream, text) => {
    // The JSON log writes a little later than it is told.
    if (isOver) process[stream].write(text)
    else kept.push([stream, text])
  }
  return {
    log: (text) => keep('stderr', text),
    program: keep,
    flush: () => {
      isOver = true
      if (kept.length > 0) before()
      for (const stream of ['stderr', 'stdout'] as const) {
        const text = kept.flatMap(([one, each]) => (one === stream ? [each] : [])).join('')
        process[stream].write(text === '' || text.endsWith('\n') ? text : `${text}\n`)
      }
      kept.length = 0
    },
  }
}
