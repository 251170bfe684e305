/** The description of one scenario action, and parts that several actions share. */
import type { z } from 'zod'
import type { NodeCommand } from '../../node/command.ts'
import type { Action } from '../../plan/action.ts'

/** Everything that the format knows about one action. */
export type ActionDescriptor<Shape extends z.ZodType> = {
  readonly schema: Shape
  /** Descriptions of the action and of the keys inside it, for editors (`keys/chainKeys.ts`). */
  readonly keys: Readonly<Record<string, string>>
  /** Returns the action as plain data, from the value that the schema returns. */
  readonly compile: (value: z.output<Shape>) => Action
}

/** Returns the descriptor unchanged; `compile` gets the type of the schema's value. */
export function describedAction<Shape extends z.ZodType>(one: ActionDescriptor<Shape>): ActionDescriptor<Shape> {
  return one
}

/** Returns the action that carries out a command. */
export function commandAction(command: NodeCommand): Action {
  return { type: 'command', command }
}

/** Returns one action for all; a single action is returned unchanged. */
export function several(...actions: readonly Action[]): Action {
  const [only] = actions
  return actions.length === 1 && only !== undefined ? only : { type: 'several', actions }
}
