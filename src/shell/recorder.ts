/** Collects the lines of a recording while a chain runs. */
import type { RecordingHeader } from '../recording/format.ts'
import { headerLine, recordLine } from '../recording/record.ts'
import { digest } from '../simulation/digest.ts'
import type { Settings } from '../settings/settings.ts'
import { packageVersion } from './packageFiles.ts'
import type { Sinks } from './queue.ts'
import type { ToRun } from './runToEnd.ts'

export type Recorder = {
  /** What to run: time starts at a fixed moment, so that a replay starts there too. */
  readonly chosen: ToRun
  readonly record: Sinks['record']
  readonly text: () => string
  readonly count: () => number
}

/** Returns a recorder for a run. */
export function startRecording(chosen: ToRun): Recorder {
  const { scenario, genesis } = chosen
  const settings: Settings = chosen.settings.time === 'wall' && chosen.settings.startTimeMs === 0
    ? { ...chosen.settings, startTimeMs: Date.now() } : chosen.settings
  const header: RecordingHeader = {
    format: 1, version: packageVersion(), scenario: scenario?.closure[0] ?? '', seed: settings.seed,
    files: Object.fromEntries([
      ...(scenario?.files ?? []), ...(genesis === undefined ? [] : [['genesis', genesis] as const])
    ]),
    settings,
    ...(
      scenario?.given.vars === undefined ? {} : { vars: Object.fromEntries(scenario.given.vars) }
    ),
  }
  const lines: string[] = []
  return {
    chosen: { ...chosen, settings },
    record: (input, outputs, simulation) => {
      lines.push(recordLine(input, outputs, () => digest(simulation)))
    },
    text: () => [headerLine(header), ...lines, ''].join('\n'),
    count: () => lines.length,
  }
}
