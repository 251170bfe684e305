/** Runs scenarios in parallel and keeps the output of each scenario together. */
import type { ProgramOutput } from '../process/child.ts'

export type CaseRuns<T> = {
  readonly files: readonly (string | undefined)[]
  readonly jobs: number
  /** Whether to skip the scenarios that have not started. */
  readonly isOver: () => boolean
  readonly run: (file: string | undefined) => Promise<T>
  /** Returns the outcome of a skipped scenario. */
  readonly leftOut: (file: string | undefined) => T
}

/** Resolves with the outcomes in the order of the files. */
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

/** The output of one scenario. */
export type CaseOutput = {
  readonly log: (text: string) => void
  readonly program: ProgramOutput | undefined
  /** Prints the buffered output. */
  readonly flush: () => void
}

/**
 * Returns the output of a scenario. A scenario that runs alone prints directly; output of parallel
 * scenarios is buffered and printed at the end. `before` is called before anything is printed.
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
    // The JSON log may write after `flush`.
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
