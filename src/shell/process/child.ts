/** Runs a program against a chain and passes the addresses in environment variables. */
import { constants } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { SimError } from '../../errors.ts'
import { spawnGroup } from './processGroup.ts'
import { onStopSignal } from './stopSignals.ts'
import type { Urls } from '../urls.ts'

/** Receives the output of a program, a chunk at a time. */
export type ProgramOutput = (stream: 'stdout' | 'stderr', text: string) => void

export type ChildOptions = {
  /** Aborted when the time limit of the program is reached. */
  readonly late?: AbortSignal
  /** Without it, the program prints to the streams of this process and reads its stdin. */
  readonly printed?: ProgramOutput | undefined
}

/** How long to wait for output of a program's child processes after it has ended. */
const drainMs = 1000

/**
 * Resolves with the exit code of a program when it has ended; after a signal, it is 128 and the signal's number,
 * as in shells. Ctrl-C and
 * SIGTERM are passed on to the program and its child processes; a second signal kills them. `late`
 * ends them too; the exit code is then 0, because the scenario reports the timeout.
 */
export async function runChild(
  [program = '', ...words]: readonly string[],
  urls: Urls,
  { late, printed }: ChildOptions = {},
): Promise<number> {
  const group = spawnGroup(program, words, {
    stdio: printed === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...addressesIn(urls) },
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    group.leader[stream]?.setEncoding('utf8').on('data', (text: string) => printed?.(stream, text))
  }
  const ignoreSignals = onStopSignal(group.end)
  const end = () => group.end('SIGTERM')
  late?.addEventListener('abort', end)
  try {
    const drained = new Promise<void>((done) => {
      group.leader.once('close', () => done())
    })
    const code = await new Promise<number>((done, fail) => {
      group.leader.once('error', (cause: NodeJS.ErrnoException) => fail(new CannotRun(program, cause)))
      group.leader.once('exit', (ended, signal) =>
        done(ended ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      )
    })
    await group.gone()
    if (printed !== undefined) await Promise.race([drained, setTimeout(drainMs, undefined, { ref: false })])
    return late?.aborted === true ? 0 : code
  } finally {
    late?.removeEventListener('abort', end)
    ignoreSignals()
  }
}

function addressesIn({ eth, ethWs, comet, cometWs, rest, grpc, control }: Urls): NodeJS.ProcessEnv {
  return {
    CHAINSTAGE_ETH_URL: eth,
    CHAINSTAGE_ETH_WS_URL: ethWs,
    CHAINSTAGE_COMET_URL: comet,
    CHAINSTAGE_COMET_WS_URL: cometWs,
    CHAINSTAGE_WS_URL: ethWs,
    CHAINSTAGE_REST_URL: rest,
    CHAINSTAGE_GRPC_URL: grpc,
    ...(control === '' ? {} : { CHAINSTAGE_CONTROL_URL: control, CHAINSTAGE_ADMIN_URL: control }),
  }
}

/** A program that could not be started. */
export class CannotRun extends SimError {
  constructor(program: string, cause: NodeJS.ErrnoException) {
    super('CANNOT_RUN', `cannot run ${program}: ${cause.code === 'ENOENT' ? 'program not found' : cause.message}`, {
      cause,
      hint: 'The command after -- runs without a shell. Give the name or path of an installed program.',
    })
  }
}
