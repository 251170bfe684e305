/** The `debug` methods that inspect the process (`cosmos-evm-rpc.md` §2.10). */
import type { Outcome } from '../../chain/outcome.ts'
import { parseJson } from '../../codec/goJson.ts'
import { plainOf, type Plain } from '../../codec/goJsonWrite.ts'
import { assert } from '../../errors.ts'
import type { NodeCommand } from '../../node/command.ts'
import type { Performed } from '../../node/input.ts'
import type { Task } from '../../node/output.ts'
import { WaitingReply, type Context } from '../method.ts'
import { serverError } from './errors.ts'

/** Time limit for a task of the shell, in addition to the seconds of a profile. */
const patienceMs = 60_000n

/** Throws unless `enable-profiling` lets debug methods inspect this process. */
export function checkProfiling({ node }: Context): void {
  if (!node.settings.ethEnableProfiling) throw serverError('profiling disabled in the debug namespace')
}

/** Returns the command that starts a task of the shell. */
export function performing(context: Context, task: Task): NodeCommand {
  checkProfiling(context)
  return { type: 'perform', task }
}

/** Returns the shell's answer, or `WaitingReply` until there is one. Throws the shell's error. */
function performed({ woken }: Context, outcome: Outcome, seconds = 0): WaitingReply | string {
  if (woken === undefined || woken === 'event') {
    assert(outcome.type === 'id', `a task gave ${outcome.type}`)
    return new WaitingReply({ for: 'performed', id: Number(outcome.id) }, patienceMs + BigInt(seconds) * 1000n)
  }
  if (woken === 'timeout') throw serverError('the task did not finish in time')
  return taskText(woken)
}

/** Returns the reply of a task that produces JSON text. Throws as `performed` does. */
export function performedJson(context: Context, outcome: Outcome): WaitingReply | Plain {
  const done = performed(context, outcome)
  return done instanceof WaitingReply ? done : plainOf(parseJson(done))
}

/** Always throws: a process with one thread has no mutexes to profile. */
export function refuseMutexes(context: Context): never {
  checkProfiling(context)
  throw serverError('a single-threaded process has no locks to profile')
}

/**
 * Returns the reply of a task without a result: null when the task is done, which takes `seconds`.
 * Throws as `performed` does.
 */
export function performedQuietly(context: Context, outcome: Outcome, seconds: number): WaitingReply | undefined {
  const done = performed(context, outcome, seconds)
  return done instanceof WaitingReply ? done : undefined
}

function taskText(done: Performed): string {
  if (done.ok) return done.text
  throw serverError(done.error)
}
