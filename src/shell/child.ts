/** A program that is run against a chain: it learns the addresses from its environment. */
import { spawn } from 'node:child_process'
import { SimError } from '../errors.ts'
import type { Urls } from './server.ts'

/**
 * Resolves with the exit code of a command; its output is ours. A signal counts as 1. `late` ends
 * it: then it counts as 0, because that its time was over is told by the scenario.
 */
export function runChild(
  [program = '', ...words]: readonly string[], urls: Urls, late?: AbortSignal,
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, {
      stdio: 'inherit',
      env: {
        ...process.env, CHAINSTAGE_ETH_URL: urls.eth, CHAINSTAGE_ETH_WS_URL: urls.ethWs,
        CHAINSTAGE_COMET_URL: urls.comet, CHAINSTAGE_COMET_WS_URL: urls.cometWs,
        CHAINSTAGE_WS_URL: urls.ethWs,
        ...(urls.control === '' ? {} : {
          CHAINSTAGE_CONTROL_URL: urls.control, CHAINSTAGE_ADMIN_URL: urls.control,
        }),
      },
    })
    child.on('error', (cause: NodeJS.ErrnoException) => fail(new CannotRun(program, cause)))
    const end = () => child.kill('SIGTERM')
    late?.addEventListener('abort', end)
    child.on('exit', (code) => {
      late?.removeEventListener('abort', end)
      done(late?.aborted === true ? 0 : code ?? 1)
    })
  })
}

/** A program that could not be started. */
export class CannotRun extends SimError {
  constructor(program: string, cause: NodeJS.ErrnoException) {
    super('CANNOT_RUN', `cannot run ${program}: ${cause.code === 'ENOENT' ? 'there is no such program' : cause.message}`, {
      cause, hint: 'What stands after -- is run as it is, without a shell.',
    })
  }
}
