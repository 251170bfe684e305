/** The EVM's one door: revm in WebAssembly, synchronous, without a state of its own (design §10). */
import { envSize, putEnv, putTx, takeResult, type TakenResult, txSize } from './abi.ts'
import { SimError } from '../errors.ts'
import { hostImports } from './imports.ts'
import { type Instance, inputCursor, newInstance, type Running } from './instance.ts'
import { cursorAt } from './memory.ts'
import { refusal } from './refusal.ts'
import type { EvmEnv, EvmOptions, EvmRead, EvmResult, EvmTx } from './types.ts'

/** Runs transactions. Calls may nest: a callback may execute another transaction. */
export type Engine = {
  /**
   * Returns what the transaction does to the state that `read` serves; nothing is applied. Gas in
   * units of gas, amounts in wei. A transaction that the rules refuse comes back as `refused` with no
   * gas used. An exception of a callback is thrown on unchanged; a fault of the engine is `EvmTrapped`.
   */
  execute: (env: EvmEnv, tx: EvmTx, read: EvmRead, options?: EvmOptions) => EvmResult
}

const noAddresses: readonly Uint8Array[] = []

/** Returns an engine over the compiled module; instances are made as they are needed and kept. */
export function createEngine(module: WebAssembly.Module): Engine {
  const idle: Instance[] = []
  return {
    execute(env, tx, read, options = {}) {
      const refused = refusal(env, tx)
      if (refused !== undefined) return refused
      const instance = idle.pop() ?? newInstance(module, hostImports)
      try {
        return run(instance, { env, tx, read, options })
      } finally {
        instance.running = undefined
        if (!instance.isBroken) idle.push(instance)
      }
    },
  }
}

/** What a call of the engine is made of. */
export type Job = { env: EvmEnv; tx: EvmTx; read: EvmRead; options: EvmOptions }

function run(instance: Instance, job: Job): EvmResult {
  const { tx, options } = job
  return inside(instance, job, undefined, () => {
    putTx(inputCursor(instance, txSize(tx)), tx)
    return instance.exports.execute(instance.engine, options.onStep === undefined ? 0 : 1)
  })
}

/**
 * Returns the result of a call of the engine, after the host's undo log has been cut to what the
 * transaction keeps: everything when it went through, nothing when it was given up.
 */
export function inside(
  instance: Instance, { env, read, options }: Job, writeTrace: Running['writeTrace'], act: () => number,
): EvmResult {
  const { host, onStep } = options
  const undoBase = host?.mark() ?? 0
  const running: Running = { read, host, onStep, writeTrace, undoBase, thrown: undefined }
  instance.running = running
  let kept = 0
  try {
    const taken = attempt(instance, running, () => {
      surround(instance, env, host?.addresses ?? noAddresses)
      return takeResult(cursorAt(instance.memory, act() >>> 0))
    })
    if (writeTrace === undefined) kept = taken.undo
    return taken.result
  } finally {
    host?.cut(undoBase + kept)
  }
}

function attempt(instance: Instance, running: Running, act: () => TakenResult): TakenResult {
  const taken = guarded(instance, running, act)
  if (running.thrown !== undefined) throw running.thrown.error
  if (taken.isAborted) throw new EvmTrapped(taken.result.reason?.detail ?? 'aborted')
  return taken
}

function guarded(instance: Instance, running: Running, act: () => TakenResult): TakenResult {
  try {
    return act()
  } catch (cause) {
    instance.isBroken = true
    if (running.thrown !== undefined && !(running.thrown.error instanceof WebAssembly.RuntimeError)) {
      throw running.thrown.error
    }
    throw new EvmTrapped(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

/** Tells the instance the rules and the block, unless it has been told these very ones. */
function surround(instance: Instance, env: EvmEnv, hostAddresses: readonly Uint8Array[]): void {
  if (instance.env === env && instance.hostAddresses === hostAddresses) return
  putEnv(inputCursor(instance, envSize(hostAddresses)), env, hostAddresses)
  instance.exports.set_env(instance.engine)
  instance.env = env
  instance.hostAddresses = hostAddresses
}

/** The engine itself failed (a trap, or memory that ran out): nothing is kept, the next call works. */
export class EvmTrapped extends SimError {
  constructor(detail: string, cause?: unknown) {
    super('EVM_TRAPPED', `the EVM stopped inside: ${detail}`, {
      hint: 'The state is as it was before. Please report the transaction.', cause,
    })
  }
}
