/** The modes of a playback, which decide how calls are answered; `modes.ts` implements them. */
import { SimError } from '../../errors.ts'

export const modes = ['strict', 'once', 'missing', 'all', 'refresh', 'spy', 'diff', 'lenient'] as const
export type Mode = (typeof modes)[number]

/**
 * Returns the mode that a flag names. The default is `strict` if `CI` is set, else `once`. Throws
 * `BadMode`.
 */
export function modeOf(text: string | undefined, environment: NodeJS.ProcessEnv): Mode {
  if (text === undefined) {
    return (environment['CI'] ?? '') === '' || environment['CI'] === 'false' ? 'once' : 'strict'
  }
  const found = modes.find((one) => one === text)
  if (found === undefined) throw new BadMode(text)
  return found
}

/** The mode does not exist. */
export class BadMode extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `expected --mode to be one of ${modes.join(', ')}, received ${received}`)
  }
}
