import { headerLine, recordLine } from '../../src/recording/format.ts'
import { parseRecording } from '../../src/recording/replay.ts'
import { playerOf } from '../../src/shell/replayer.ts'

/**
 * Returns a recording with its inputs and today's outputs: for recordings that ship, after a change
 * that is meant.
 */
export function rerecord(text: string): string {
  const { header, lines } = parseRecording(text)
  const play = playerOf(header)
  const written = lines.map(({ input }) => {
    const { outputs, digest } = play(input)
    return recordLine(input, outputs, digest)
  })
  return [headerLine(header), ...written, ''].join('\n')
}
