/**
 * All actions of steps. In a file, an action is an object with one key, so that a mistake gives one
 * clear error.
 */
import { z } from 'zod'
import type { Action } from '../../plan/action.ts'
import { accountActions } from './accounts.ts'
import { blockActions } from './blocks.ts'
import { consensusActions } from './consensus.ts'
import { mempoolActions } from './mempool.ts'
import { nodeActions } from './node.ts'
import { progressActions } from './progress.ts'
import { snapshotActions } from './snapshots.ts'
import { transactionActions } from './transactions.ts'

/** The actions in the order of the reference. */
const descriptors = {
  ...blockActions,
  ...transactionActions,
  ...accountActions,
  ...mempoolActions,
  ...consensusActions,
  ...snapshotActions,
  ...nodeActions,
  ...progressActions,
}

type Descriptors = typeof descriptors
type ActionName = keyof Descriptors

const shape = Object.fromEntries(
  Object.entries(descriptors).map(([name, { schema }]) => [name, schema.optional()]),
) as unknown as { [Name in ActionName]: z.ZodOptional<Descriptors[Name]['schema']> }

/** The schema of an action. */
export const action = z
  .strictObject(shape)
  .refine((one) => Object.keys(one).length === 1, 'expected exactly one action in an object')

export type ActionFile = z.output<typeof action>

/** Descriptions of the keys of all actions, for editors. */
export const actionKeys: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(descriptors).map(({ keys }) => keys),
)

/** Returns the action as plain data. */
export function compileAction(given: ActionFile): Action {
  const [[name, value]] = Object.entries(given) as [[ActionName, never]]
  const made = (descriptors[name].compile as (value: never) => Action)(value)
  return { ...made, written: made.type === 'late' ? nameIn(made.json) : name }
}

/** Returns the name of an action whose expressions are evaluated late. */
function nameIn(json: string): string {
  const [name = ''] = Object.keys(JSON.parse(json) as object)
  return name
}
