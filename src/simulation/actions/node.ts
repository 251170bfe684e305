/** Actions on the node as clients see it, on its connections, and on faults. */
import type { NodeCommand } from '../../node/command.ts'
import type { Node } from '../../node/node.ts'
import type { World } from '../../node/world.ts'
import type { ActionOf } from '../../plan/action.ts'
import type { Settings } from '../../settings/settings.ts'
import { lasting } from '../sustained.ts'
import { type Turn, carry, withOutputs } from '../turn.ts'

/**
 * Returns the turn with outputs that close connections: those of an interface, or those with a
 * certain subscription.
 */
function closeWs(_: World, turn: Turn, { code, reason, side, query }: ActionOf<'closeWs'>): Turn {
  const { node } = turn.simulation
  const closed = [...node.connections]
    .filter(
      ([connection, one]) =>
        (side ?? one.side) === one.side && (query === undefined || subscribesTo(node, connection, query)),
    )
    .map(([connection]) => ({ kind: 'close', connection, code, reason }) as const)
  return withOutputs(turn, closed)
}

function subscribesTo({ subscriptions: { comet, eth } }: Node, connection: number, query: string): boolean {
  return (
    (comet.get(connection) ?? []).some(({ text }) => text === query) ||
    (eth.get(connection) ?? []).some(({ kind }) => kind === query)
  )
}

/** Returns the turn with changed node settings (sync status, peers), for a span or permanently. */
function settings(world: World, turn: Turn, { settings: changed, span }: ActionOf<'settings'>): Turn {
  const set = carry(world, turn, { type: 'changeSettings', settings: changed })
  const before = turn.simulation.node.settings
  const values = (['catchingUp', 'peers'] as const).flatMap((name) => {
    if (changed[name] === undefined) return []
    return [[name, { during: settingOf(name, changed), after: settingOf(name, before) }] as const]
  })
  return lasting(set, { edits: [], values: Object.fromEntries(values), span })
}

function settingOf(name: keyof Settings, { [name]: value }: Partial<Settings>): NodeCommand {
  return { type: 'changeSettings', settings: { [name]: value } }
}

function useFault(world: World, turn: Turn, action: ActionOf<'useFault'>): Turn {
  const { forMs, forBlocks, once } = action
  const rule = action.rule ?? turn.simulation.plan.faults.find(({ name }) => name === action.name)
  return rule === undefined ? turn : carry(world, turn, { type: 'setFault', fault: { rule, forMs, forBlocks, once } })
}

function clearFault(world: World, turn: Turn, { name }: ActionOf<'clearFault'>): Turn {
  return carry(world, turn, { type: 'clearFault', name })
}

export const nodePerformers = { settings, closeWs, useFault, clearFault }
