/** Actions of an operator as values, and how they are carried out. */
import { Bug, SimError } from '../../errors.ts'
import type { OperatorCommand } from '../../node/input.ts'
import type { Instance, Operated } from '../ports.ts'

/** Commands, one after the other, and what is answered after the last. */
export type Action<Result> = { readonly commands: readonly OperatorCommand[]; readonly result: () => Result }

/**
 * Carries an action out and resolves with its result, after its commands have had their turn.
 * Throws `ActionRefused` and `ActionMetBug`; the commands after that one are not entered.
 */
export async function act<Result>(instance: Instance, { commands, result }: Action<Result>): Promise<Result> {
  for (const command of commands) assertDone(await instance.operate('control', command).settled)
  return result()
}

/**
 * Enters an action and returns its result at once. Throws `ActionRefused` and `ActionMetBug`. A
 * fork may still have to ask its other chain: the result is then of the time before, and a refusal
 * is in the log alone.
 */
export function actNow<Result>(instance: Instance, { commands, result }: Action<Result>): Result {
  for (const command of commands) operateNow(instance, 'control', command)
  return result()
}

/** Enters a command. Throws `ActionRefused` and `ActionMetBug`, unless the command has to wait. */
export function operateNow({ operate }: Instance, by: string, command: OperatorCommand): void {
  const { now } = operate(by, command)
  if (now !== undefined) assertDone(now)
}

/** Throws `ActionRefused` and `ActionMetBug`. */
export function assertDone(operated: Operated): void {
  if (operated.kind === 'refused') throw new ActionRefused(operated.message)
  if (operated.kind === 'bug') throw new ActionMetBug(operated.incident)
}

/** Something that was asked of a chain and that it does not do; nothing has changed. */
export class ActionRefused extends SimError {
  constructor(message: string, hint?: string, cause?: unknown) {
    super('ACTION_REFUSED', message, { ...(hint === undefined ? {} : { hint }), cause })
  }
}

/** A command ran into a bug; nothing has changed. */
export class ActionMetBug extends Bug {
  constructor(incident: number) {
    super('ACTION_MET_BUG', `the command ran into a bug in chainstage and had no effect: incident ${incident}`, {
      hint: `The log has the details of incident ${incident}; please report them.`,
    })
  }
}
