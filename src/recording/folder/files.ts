/** A recording as files, by their paths below its folder: text in, text out (`mocks.md` §4.4). */
import { SimError } from '../../errors.ts'

export type Files = ReadonlyMap<string, string>

/** What is wrong with the files of a recording, and where. */
export class BadRecording extends SimError {
  constructor(where: string, what: string, cause?: unknown) {
    super('INVALID_RECORDING', `${where}: ${what}`, {
      hint: 'chainstage recording verify says all that is wrong. Record it again, or take an undamaged copy.',
      cause,
    })
  }
}
