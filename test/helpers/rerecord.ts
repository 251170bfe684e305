import { headerLine, recordLine } from '../../src/recording/format.ts'
import { parseRecording } from '../../src/recording/replay.ts'
import { playerOf } from '../../src/shell/replayer.ts'

/**
 * Resolves with a recording with its inputs and today's outputs: for recordings that ship, after a change
 * that is meant.
 */
export async function rerecord(text: string): Promise<string> {
  const { header, lines } = parseRecording(text)
  const play = await playerOf(header)
  const written = lines.map(({ input }) => {
    const { outputs, digest } = play(input)
    return recordLine(input, outputs, digest)
  })
  return [headerLine(header), ...written, ''].join('\n')
}
