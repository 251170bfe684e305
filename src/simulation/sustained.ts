/** Changes that last for a span: they are repeated for each block, and undone when it is over. */
import type { NodeCommand } from '../node/command.ts'
import type { World } from '../node/world.ts'
import type { Span } from '../plan/action.ts'
import type { Sustained } from '../scenario/facts.ts'
import { type Turn, carry, withFacts } from './turn.ts'

type Lasting = Pick<Sustained, 'edits' | 'after'> & { readonly span: Span }

/** Returns the turn with edits that are repeated until a span is over. */
export function lasting(turn: Turn, { edits, after, span: { ms, blocks } }: Lasting): Turn {
  const {
    node: { nowMs, chain },
    progress: { facts },
  } = turn.simulation
  const one: Sustained = {
    edits,
    after,
    untilMs: ms === undefined ? undefined : nowMs + ms,
    untilHeight: blocks === undefined ? undefined : chain.height + blocks,
  }
  return withFacts(turn, { sustained: [...facts.sustained, one] })
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
  if (facts.sustained.length === 0) return turn
  const isOver = ({ untilMs, untilHeight }: Sustained) =>
    (untilMs !== undefined && node.nowMs >= untilMs) || (untilHeight !== undefined && node.chain.height >= untilHeight)
  const going = facts.sustained.filter((one) => !isOver(one))
  const edits = isNewBlock ? going.flatMap((one) => one.edits) : []
  const commands: readonly NodeCommand[] = [
    ...facts.sustained.filter(isOver).flatMap(({ after }) => after),
    ...(edits.length === 0 ? [] : [{ type: 'edit', edits } as const]),
  ]
  const next = going.length === facts.sustained.length ? turn : withFacts(turn, { sustained: going })
  return commands.reduce((before, command) => carry(world, before, command), next)
}
