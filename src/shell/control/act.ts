/** Operator actions as values, and the functions that execute them. */
import { Bug, SimError } from '../../errors.ts'
import type { OperatorCommand } from '../../plan/input.ts'
import { durationMs } from '../../settings/duration.ts'
import type { Instance, Operated } from '../ports.ts'

/** Commands to execute in order; `result` returns the response after the last one. */
export type Action<Result> = { readonly commands: readonly OperatorCommand[]; readonly result: () => Result }

/**
 * Executes an action and resolves with its result right after its last command, before any later
 * input. In a fleet, `actionOf` is called when this member has applied what the leader had before.
 * Throws `ActionRefused`, `ActionMetBug` and `ActionUnconfirmed`; the remaining commands are then
 * not executed.
 */
export async function act<Result>(instance: Instance, actionOf: () => Action<Result>): Promise<Result> {
  await upToDate(instance)
  const { commands, result } = actionOf()
  assertPlayable(instance, commands)
  for (const command of commands) assertDone(await instance.operate('control', command).settled)
  return result()
}

/**
 * Resolves when this member of a fleet has applied what the leader had before, so that what is
 * computed from the chain afterwards counts from all of it. Throws `ActionUnconfirmed`.
 */
export async function upToDate({ caughtUp }: Instance): Promise<void> {
  assertDone(await caughtUp())
}

/**
 * Executes an action and returns its result immediately. Throws `ActionRefused` and `ActionMetBug`.
 * On a fork, a command may first have to fetch state from the other chain. The result then predates
 * the command, and a refusal appears only in the log.
 */
export function actNow<Result>(instance: Instance, { commands, result }: Action<Result>): Result {
  assertPlayable(instance, commands)
  for (const command of commands) operateNow(instance, 'control', command)
  return result()
}

/** Commands for what a chain answers, which do nothing to a playback: `sequence` is a reorganization. */
const unplayable: readonly OperatorCommand['type'][] = [
  'advanceTime',
  'edit',
  'sequence',
  'reorgEthereum',
  'checkpoint',
  'restore',
  'reset',
]

/** Throws `ActionRefused` for a command that would have no effect on a playback. */
function assertPlayable(instance: Instance, commands: readonly OperatorCommand[]): void {
  if (commands.some(({ type }) => unplayable.includes(type))) assertNoPlayback(instance)
}

/** Says that a playback did not move, and why. */
export function staysText(height: number): string {
  const why = 'its recording ends there, or it waits for a request that no client has made yet'
  return `the playback stays at height ${height}: ${why}`
}

/** Throws `ActionRefused` on a playback, for actions that change what a chain answers. */
export function assertNoPlayback({ playback }: Instance): void {
  if (playback === undefined) return
  throw new ActionRefused(
    'a playback answers from its recording, which this would not change',
    'Start a chain, or a fork of the recording with --fork.',
  )
}

/** Submits a command. Throws `ActionRefused` and `ActionMetBug`, unless the command has to wait. */
export function operateNow({ operate }: Instance, by: string, command: OperatorCommand): void {
  const { now } = operate(by, command)
  if (now !== undefined) assertDone(now)
}

/** Throws `ActionRefused`, `ActionMetBug` or `ActionUnconfirmed` if a command failed. */
export function assertDone(operated: Operated): void {
  if (operated.kind === 'unconfirmed') throw new ActionUnconfirmed(operated.message)
  if (operated.kind === 'refused') throw new ActionRefused(operated.message, operated.hint)
  if (operated.kind === 'bug') throw new ActionMetBug(operated.incident)
}

/** Returns the milliseconds of a duration that an operator gave. Throws `ActionRefused`. */
export function durationOf(text: string): bigint {
  try {
    return durationMs(text)
  } catch (error) {
    const received = JSON.stringify(text)
    throw new ActionRefused(`expected a duration like 1h30m, 12s or 250ms, received ${received}`, undefined, error)
  }
}

/** Thrown when the chain refuses an action; nothing has changed. */
export class ActionRefused extends SimError {
  constructor(message: string, hint?: string, cause?: unknown) {
    super('ACTION_REFUSED', message, { ...(hint === undefined ? {} : { hint }), cause })
  }
}

/** Thrown when no leader of the fleet confirmed a command in time; it may still take effect. */
export class ActionUnconfirmed extends SimError {
  constructor(message: string) {
    super('ACTION_UNCONFIRMED', message, { hint: 'Run chainstage fleet status to see whether a member leads.' })
  }
}

/** Thrown when a command ran into a bug; nothing has changed. */
export class ActionMetBug extends Bug {
  constructor(incident: number) {
    super('ACTION_MET_BUG', `the command ran into a bug in chainstage and had no effect: incident ${incident}`, {
      hint: `The log has the details of incident ${incident}; please report them.`,
    })
  }
}
