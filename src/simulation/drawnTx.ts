/**
 * Draws the random values of a planned transaction. A draw is keyed by the step or rule and its
 * repetition.
 */
import { keysOf, type World } from '../node/world.ts'
import type { Node } from '../node/node.ts'
import { SimError } from '../errors.ts'
import type { PlannedTx, PlannedWho } from '../plan/action.ts'
import { drawn, type Drawing } from '../scenario/fixtures/draw.ts'
import type { ValueFile } from '../scenario/fixtures/fixtureSchema.ts'
import { amount } from '../scenario/units.ts'

/** `id` is the step or rule, `index` its repetition, `place` the position of the action. */
export type Occasion = { readonly id: string; readonly index: number; readonly place: number }

/** A planned transaction with all its values drawn. */
export type SettledTx = Omit<PlannedTx, 'from' | 'to' | 'value'> & {
  readonly from: string
  readonly to: string | undefined
  readonly value: bigint
}

/**
 * Returns the transaction with its values drawn. Other rules and repetitions do not change the
 * draws.
 */
export function drawnTx(world: World, node: Node, planned: PlannedTx, { id, index, place }: Occasion): SettledTx {
  const drawing = (what: string): Drawing => ({
    random: world.random,
    label: `do:${id}:${place}:${what}`,
    index,
    text: (text) => text,
    groupOf: (name) => membersOf(world, node, name),
    amountOf,
  })
  const who = (one: PlannedWho, what: string) => String(drawn(one, drawing(what)))
  const { from, to, value, data } = planned
  return {
    ...planned,
    from: who(from, 'from'),
    to: to === undefined ? undefined : who(to, 'to'),
    value: typeof value === 'bigint' ? value : amountOf(String(drawn(value, drawing('value')))),
    data: {
      ...data,
      args: data.args.map((one, at) => (isDraw(one) ? drawn(one, drawing(`args/${at}`)) : one)),
    },
  }
}

/** Returns whether a planned transaction contains random values. */
export function isDrawn({ from, to, value, data }: PlannedTx): boolean {
  return [from, to, value, ...data.args].some(isDraw)
}

/** Returns whether an argument contains a draw, written in one of the forms that fixtures use. */
function isDraw(one: unknown): one is ValueFile {
  if (typeof one !== 'object' || one === null) return false
  return Array.isArray(one) ? one.some(isDraw) : 'pick' in one || 'int' in one || 'lognormal' in one
}

/**
 * Returns the accounts of a group. Those of a declaration with `count` are called `users.0`,
 * `users.1` and so on.
 */
function membersOf(world: World, node: Node, group: string): readonly string[] {
  const start = `${group.slice(1)}.`
  const members = keysOf(world, node)
    .filter(({ name }) => name.startsWith(start))
    .map(({ name }) => `@${name}`)
  if (members.length === 0) throw new NoGroup(group)
  return members
}

function amountOf(text: string): bigint {
  const value = amount(text)
  if (value === undefined) throw new NoAmount(text)
  return value
}

/** The group has no accounts to pick from. */
export class NoGroup extends SimError {
  constructor(group: string) {
    super('NO_GROUP', `no group of accounts is called "${group}"`, {
      hint: 'Declare the group under fixtures.accounts, with a count.',
    })
  }
}

/** The text is not an amount. */
export class NoAmount extends SimError {
  constructor(text: string) {
    super('NO_AMOUNT', `expected an amount like '1.5 evm' or '250', received "${text}"`)
  }
}
