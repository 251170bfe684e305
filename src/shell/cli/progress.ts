/** A bar on stderr while scenarios run, where a person looks; elsewhere nothing. */
import { Presets, SingleBar } from 'cli-progress'

export type Progress = {
  /** Counts one more that is done. */
  readonly told: (name: string) => void
  /** Prints to stdout without tearing the bar. */
  readonly print: (text: string) => void
  readonly stop: () => void
}

/** Returns a bar that is shown at once, or one that is silent. */
export function createProgress(isWanted: boolean, total: number): Progress {
  const bar = isWanted && process.stderr.isTTY
    ? new SingleBar({ format: '{bar} {value}/{total} {name}', clearOnComplete: true, hideCursor: true }, Presets.shades_grey) : undefined
  let done = 0
  bar?.start(total, 0, { name: '' })
  return {
    told: (name) => { done += 1; bar?.update(done, { name }) },
    print: (text) => {
      if (bar !== undefined) process.stderr.write('\r\x1b[K')
      process.stdout.write(`${text}\n`)
      bar?.update(done)
    },
    stop: () => { bar?.stop() },
  }
}
