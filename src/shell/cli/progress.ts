/** Shows a progress bar on stderr while scenarios run; only on a terminal. */
import { Presets, SingleBar } from 'cli-progress'
import type { Simulation } from '../../simulation/turn.ts'

export type RunProgress = {
  /** Shows the current step of the running scenario. */
  readonly at: (simulation: Pick<Simulation, 'plan' | 'progress'>) => void
  /** Counts a finished scenario. */
  readonly told: (name: string) => void
  /** Clears the line of the bar; the next update draws the bar again. */
  readonly clear: () => void
  /** Prints to stdout without breaking the bar. */
  readonly print: (text: string) => void
  readonly stop: () => void
}

/** Returns a progress bar. Without `isWanted` or a terminal, it draws nothing. */
export function createProgress(isWanted: boolean, total: number): RunProgress {
  const format = '{bar} {value}/{total} {name}'
  const bar =
    isWanted && process.stderr.isTTY
      ? new SingleBar({ format, clearOnComplete: true, hideCursor: true }, Presets.shades_grey)
      : undefined
  const clear = () => {
    if (bar !== undefined) process.stderr.write('\r\x1b[K')
  }
  let done = 0
  bar?.start(total, 0, { name: '' })
  return {
    at: ({ plan, progress: { step } }) => {
      const { id } = plan.steps[step] ?? { id: plan.until === undefined ? 'over' : 'until' }
      bar?.update(done, {
        name: `${plan.name}: ${Math.min(step + 1, plan.steps.length)}/${plan.steps.length} ${id}`,
      })
    },
    told: (name) => {
      done += 1
      bar?.update(done, { name })
    },
    clear,
    print: (text) => {
      clear()
      process.stdout.write(`${text}\n`)
      bar?.update(done)
    },
    stop: () => {
      bar?.stop()
    },
  }
}
