/** Runs one engine call: state access, exceptions and the undo log. */
import { envSize, putEnv, takeResult, type TakenResult } from './abi.ts'
import { Bug, thrownText } from '../errors.ts'
import { type Instance, inputCursor, type Running } from './instance.ts'
import { cursorAt } from './memory.ts'
import type { EvmEnv, EvmOptions, EvmRead, EvmResult, EvmTx } from './types.ts'

/**
 * The input of an engine call. If `writeTrace` is set, the host's module state is rolled back
 * afterwards.
 */
export type Job = {
  env: EvmEnv
  tx: EvmTx
  read: EvmRead
  options: EvmOptions
  writeTrace: ((piece: Uint8Array) => void) | undefined
  onScriptEvent?: (instance: Instance, event: number, view: number) => boolean
}

const noAddresses: readonly Uint8Array[] = []

/**
 * Returns the result of an engine call. Afterwards the host's undo log is cut to the entries that
 * the transaction keeps: all of a successful transaction, none of an aborted one.
 */
export function runJob(instance: Instance, job: Job, act: () => number): EvmResult {
  const { env, read, options, writeTrace } = job
  const { host, onStep } = options
  const undoBase = host?.mark() ?? 0
  host?.begin?.()
  const { onScriptEvent: tell } = job
  const onScriptEvent = tell && ((event: number, view: number) => tell(instance, event, view))
  const running: Running = {
    read,
    host,
    onStep,
    writeTrace,
    onScriptEvent,
    undoBase,
    thrown: undefined,
  }
  instance.running = running
  let kept = 0
  try {
    const taken = guarded(instance, running, () => {
      surround(instance, env, host?.addresses ?? noAddresses)
      return takeResult(cursorAt(instance.memory, act() >>> 0))
    })
    if (running.thrown !== undefined) throw running.thrown.error
    if (taken.isAborted) throw new EvmTrapped(taken.result.reason?.detail ?? 'aborted')
    if (writeTrace === undefined) kept = taken.undo
    return taken.result
  } finally {
    instance.running = undefined
    host?.cut(undoBase + kept)
  }
}

/**
 * Runs `act` and marks the instance as broken after a trap. An exception of a callback takes
 * precedence over the trap.
 */
function guarded(instance: Instance, running: Running, act: () => TakenResult): TakenResult {
  try {
    return act()
  } catch (cause) {
    instance.isBroken = true
    if (running.thrown !== undefined && !(running.thrown.error instanceof WebAssembly.RuntimeError)) {
      throw running.thrown.error
    }
    throw new EvmTrapped(thrownText(cause), cause)
  }
}

/** Passes the rules and the block to the instance, unless it already has these objects. */
function surround(instance: Instance, env: EvmEnv, hostAddresses: readonly Uint8Array[]): void {
  if (instance.env === env && instance.hostAddresses === hostAddresses) return
  putEnv(inputCursor(instance, envSize(env, hostAddresses)), env, hostAddresses)
  instance.exports.set_env(instance.engine)
  instance.env = env
  instance.hostAddresses = hostAddresses
}

/** The engine failed: a trap, or out of memory. The state is unchanged and the next call works. */
export class EvmTrapped extends Bug {
  constructor(detail: string, cause?: unknown) {
    super('EVM_TRAPPED', `the EVM stopped inside: ${detail}`, {
      hint: 'The state is as it was before. Please report the transaction.',
      cause,
    })
  }
}

/**
 * An execution needs more gas than its slice has left. The caller that sets the slice catches it.
 */
export class SliceOver extends Bug {
  constructor() {
    super('SLICE_OVER', 'the execution needs more gas than its slice has left', {
      hint: 'Catch this error where the slice is given, and run the execution without a slice.',
    })
  }
}
