/** Changes that last for a span: they are repeated for each block, and undone when it is over. */
import type { NodeCommand } from '../node/command.ts'
import type { World } from '../node/world.ts'
import type { Span } from '../plan/action.ts'
import type { Sustained } from '../scenario/facts.ts'
import { observed } from './observe.ts'
import { type Turn, carry, withFacts, withNode } from './turn.ts'

type Lasting = Pick<Sustained, 'edits' | 'values'> & { readonly span: Span | undefined }

/**
 * Returns the turn with edits that are repeated until a span is over. A value that another span
 * has already changed returns to the value from before that one. Without a span, the values are
 * those to return to.
 */
export function lasting(turn: Turn, { edits, values = {}, span }: Lasting): Turn {
  const {
    node: { nowMs, chain },
    progress: { facts },
  } = turn.simulation
  if (span === undefined) return withFacts(turn, { sustained: facts.sustained.map((one) => returningTo(one, values)) })
  const { ms, blocks } = span
  const names = Object.entries(values).map(([name, value]) => {
    const after = facts.sustained.map((one) => one.values?.[name]?.after).find((command) => command !== undefined)
    return [name, { ...value, ...(after !== undefined && { after }) }] as const
  })
  const one: Sustained = {
    edits,
    values: Object.fromEntries(names),
    untilMs: ms === undefined ? undefined : nowMs + ms,
    untilHeight: blocks === undefined ? undefined : chain.height + blocks,
  }
  return minedSingly(withFacts(turn, { sustained: [...facts.sustained, one] }), true)
}

/** Returns a sustained change that ends with other values. */
function returningTo(one: Sustained, values: NonNullable<Sustained['values']>): Sustained {
  const names = Object.entries(one.values ?? {}).map(([name, value]) => {
    const { during: after = value.after } = values[name] ?? {}
    return [name, { ...value, after }] as const
  })
  return { ...one, values: Object.fromEntries(names) }
}

/**
 * Returns the turn after the sustained edits were repeated for a new block and the expired ones
 * ended.
 */
export function sustain(world: World, turn: Turn, isNewBlock: boolean): Turn {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  if (facts.sustained.length === 0) return minedSingly(turn, false)
  const isOver = ({ untilMs, untilHeight }: Sustained) =>
    (untilMs !== undefined && node.nowMs >= untilMs) || (untilHeight !== undefined && node.chain.height >= untilHeight)
  const going = facts.sustained.filter((one) => !isOver(one))
  const after = facts.sustained.flatMap((one, index) =>
    isOver(one) ? ended(one, facts.sustained.slice(index + 1), going) : [],
  )
  const edits = isNewBlock ? going.flatMap((one) => one.edits) : []
  const commands: readonly NodeCommand[] = [...after, ...(edits.length === 0 ? [] : [{ type: 'edit', edits } as const])]
  const next = going.length === facts.sustained.length ? turn : withFacts(turn, { sustained: going })
  return commands.reduce((before, command) => carry(world, before, command), minedSingly(next, going.length > 0))
}

/** Returns the turn whose mining jobs mine in slices of one block, or no longer do. */
function minedSingly(turn: Turn, isSingly: boolean): Turn {
  const { minesSingly = false, ...node } = turn.simulation.node
  if (minesSingly === isSingly) return turn
  return withNode(turn, isSingly ? { ...node, minesSingly: true } : node)
}

/**
 * Returns the turn after a command. While changes last for a span, several blocks are mined one by
 * one, so that each block has them, or no longer has them.
 */
export function carriedWithin(world: World, turn: Turn, command: NodeCommand): Turn {
  if (command.type !== 'produceBlock') return carry(world, turn, command)
  let [next, rest] = [turn, command]
  while ((rest.count ?? 1) > 1 && next.simulation.progress.facts.sustained.length > 0) {
    const { turn: seen, isNewBlock } = observed(world, carry(world, next, { ...rest, count: 1 }))
    next = sustain(world, seen, isNewBlock)
    rest = { ...rest, count: (rest.count ?? 1) - 1, gapFirst: true }
  }
  return carry(world, next, rest)
}

/**
 * Returns the commands for the values of a change that is over. A value of a newer change stays;
 * otherwise the newest that lasts takes effect again, or the value from before all of them.
 */
function ended(one: Sustained, newer: readonly Sustained[], going: readonly Sustained[]): readonly NodeCommand[] {
  return Object.entries(one.values ?? {}).flatMap(([name, { after }]) => {
    if (newer.some(({ values }) => values?.[name] !== undefined)) return []
    return [going.findLast(({ values }) => values?.[name] !== undefined)?.values?.[name]?.during ?? after]
  })
}
