/** A program that is run against a chain: it learns the addresses from its environment. */
import { spawn } from 'node:child_process'
import { SimError } from '../errors.ts'
import type { Urls } from './server.ts'

/** Resolves with the exit code of a command; its output is ours. A signal counts as 1. */
export function runChild([program = '', ...words]: readonly string[], urls: Urls): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, {
      stdio: 'inherit',
      env: {
        ...process.env, CHAINSTAGE_ETH_URL: urls.eth, CHAINSTAGE_ETH_WS_URL: urls.ethWs,
        CHAINSTAGE_COMET_URL: urls.comet, CHAINSTAGE_COMET_WS_URL: urls.cometWs,
        ...(urls.control === '' ? {} : { CHAINSTAGE_CONTROL_URL: urls.control }),
      },
    })
    child.on('error', (cause: NodeJS.ErrnoException) => fail(new CannotRun(program, cause)))
    child.on('exit', (code) => done(code ?? 1))
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
