/** Checks the commands of programs, whose mistakes would otherwise look like bugs of chainstage. */
import { minedMost } from '../node/mining.ts'
import type { OperatorCommand } from '../plan/input.ts'
import { anyObject, type Check, matching, text, whole } from './arguments.ts'

const bigint = matching('a bigint', (value) => typeof value === 'bigint')
const boolean = matching('true or false', (value) => typeof value === 'boolean')
const array = matching('an array', Array.isArray)
const bytes = matching('a Uint8Array', (value) => value instanceof Uint8Array)

type Members<Type extends OperatorCommand['type']> = Partial<
  Record<keyof Extract<OperatorCommand, { type: Type }>, Check>
>

/** The members that a command must have, by its type. */
const members: { readonly [Type in OperatorCommand['type']]?: Members<Type> } = {
  mine: { count: whole('a number of blocks', 1, minedMost) },
  sequence: { commands: array },
  submitTx: { tx: bytes },
  advanceTime: { ms: bigint },
  setNextBlockTime: { ms: bigint, keep: boolean },
  setBlockPolicy: { policy: anyObject },
  edit: { edits: array },
  dropTx: { hash: bytes },
  holdTx: { hash: bytes, held: boolean },
  holdNext: { rule: anyObject },
  setSigning: { validator: bytes, up: boolean },
  rollback: { depth: bigint },
  reorgEthereum: { depth: bigint },
  prune: { below: bigint },
  changeSettings: { settings: anyObject },
  restore: { id: text },
  setFault: { fault: anyObject },
  loadPlan: { plan: anyObject },
  signal: { name: text },
}

/** Throws `BadArgument` for a command that lacks a member, or has one of another type. */
export const command: Check = (value, where) => {
  anyObject(value, where)
  const given = value as Readonly<Record<string, unknown>>
  const type = String(given['type'])
  if (!Object.hasOwn(members, type)) return
  for (const [name, check] of Object.entries<Check>(members[type as keyof typeof members] ?? {})) {
    check(given[name], `${where}.${name}`)
  }
}
