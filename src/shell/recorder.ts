/** Collects the lines of a recording during a run. */
import { type RecordingHeader, headerLine, recordLine, recordingFormat } from '../recording/format.ts'
import { digest } from '../simulation/digest.ts'
import { startingNow } from './beginning.ts'
import { packageVersion } from './packageFiles.ts'
import type { Sinks } from './queue.ts'
import type { ToRun } from './runToEnd.ts'

export type Recorder = {
  /** The run to record, with a fixed start time, so that a replay starts at the same time. */
  readonly chosen: ToRun
  readonly record: Sinks['record']
  /** The first line, without its line break. */
  readonly header: string
  readonly text: () => string
  readonly count: () => number
}

/** Returns a recorder. It passes lines, without line breaks, to `note`, or else keeps them. */
export function startRecording(chosen: ToRun, note?: (line: string) => void): Recorder {
  const { scenario, genesis } = chosen
  const settings = startingNow(chosen.settings)
  const header: RecordingHeader = {
    format: recordingFormat,
    version: packageVersion(),
    scenario: scenario?.closure[0] ?? '',
    seed: settings.seed,
    files: Object.fromEntries([
      ...(scenario?.files ?? []),
      ...(genesis === undefined ? [] : [['genesis', genesis] as const]),
    ]),
    settings,
    ...(scenario?.given.vars === undefined ? {} : { vars: Object.fromEntries(scenario.given.vars) }),
  }
  const lines: string[] = []
  const keep = note ?? ((line: string) => lines.push(line))
  let count = 0
  const first = headerLine(header)
  return {
    header: first,
    chosen: { ...chosen, settings },
    record: (input, outputs, simulation) => {
      count += 1
      keep(recordLine(input, outputs, () => digest(simulation)))
    },
    text: () => [first, ...lines, ''].join('\n'),
    count: () => count,
  }
}
