import { noPlan } from '../../src/plan/plan.ts'
import { recordLine } from '../../src/recording/format.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { run, type Running } from '../../src/shell/server.ts'
import { digest } from '../../src/simulation/digest.ts'

/** Starts a server; `lines` gets the line of each input that a recording has after its header. */
export async function runRecorded(
  settings: Settings,
  plan = noPlan,
): Promise<{ readonly running: Running; readonly lines: readonly string[] }> {
  const lines: string[] = []
  const running = await run({
    settings,
    plan,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: (input, outputs, simulation) => {
      lines.push(recordLine(input, outputs, () => digest(simulation)))
    },
  })
  return { running, lines }
}
