/**
 * Applies a command to a node. Follow-up commands of the chain go on the agenda. Under the eager
 * policy they run before `apply` returns, so that a response can include its block.
 */
import type { ChainCommand } from '../chain/command.ts'
import { assertGaps } from '../chain/clock.ts'
import type { ChainEvent } from '../chain/event.ts'
import type { Outcome, Submitted } from '../chain/outcome.ts'
import { haltOf, quorumMissing } from '../chain/quorum.ts'
import { step } from '../chain/step.ts'
import { plainHexOf } from '../codec/hex.ts'
import { addDue } from '../data/agenda.ts'
import { cometPushes } from '../feed/comet.ts'
import { ethPushes } from '../feed/eth.ts'
import { newHeadJson } from '../feed/ethHeads.ts'
import { pendingTxJson } from '../feed/ethShapes.ts'
import { genesisChange } from '../settings/changes.ts'
import { hasQuirk } from '../settings/quirks.ts'
import type { Settings } from '../settings/settings.ts'
import { restored, withCheckpoint } from './checkpoints.ts'
import { withBatch } from './batches.ts'
import type { NodeCommand } from './command.ts'
import { concat, effects, type Effects, withTask } from './effects.ts'
import { gathering, polled, withFilter } from './filters.ts'
import { withIncident } from './incidents.ts'
import { abandonMining, afterSlice, newMiningJob, nextSlice, withoutMining, withQuorum } from './mining.ts'
import type { Node, MiningJob } from './node.ts'
import { withFirstBlock, withoutWait, withPace } from './pace.ts'
import { push } from './pushing.ts'
import { faultCleared, faultSet, withoutEnded } from './faulting.ts'
import { withComet, withEth, withoutComet, withoutEth } from './subscribing.ts'
import type { World } from './world.ts'

export type Applied = Effects & { readonly outcome: Outcome }

/**
 * Returns the node after a command, with the outcome, the events and the outputs for subscribers.
 */
export function apply(world: World, node: Node, command: NodeCommand): Applied {
  switch (command.type) {
    case 'none':
      return plain(node, { type: 'done' })
    case 'sequence':
      return inSequence(world, plain(node, { type: 'done' }), command.commands)
    case 'mine':
      assertGaps(node.chain, node.nowMs, command)
      return mineSlice(world, node, newMiningJob(node, command))
    case 'produceBlock': {
      const applied = applyToChain(world, node, command)
      return { ...applied, ...withQuorum(applied, quorumMissing(world, applied.node.chain)) }
    }
    case 'mineOn': {
      const [job] = node.mining ?? []
      return job === undefined ? plain(node, { type: 'done' }) : mineSlice(world, node, job)
    }
    case 'stopMining':
      return plain(withoutMining(node), { type: 'done' })
    case 'submissions':
      return submitInTurn(world, node, command)
    case 'perform': {
      const { node: next, output, id } = withTask(node, command.task)
      return { ...plain(next, { type: 'id', id: String(id) }), outputs: [output] }
    }
    case 'addKey':
      return plain({ ...node, keys: [...(node.keys ?? []), command.key] }, { type: 'done' })
    case 'reset':
      return reset(world, node)
    case 'changeSettings':
      return plain(withSettings(node, command), { type: 'done' })
    case 'checkpoint': {
      const { node: next, id } = withCheckpoint(node)
      return plain(next, { type: 'id', id })
    }
    case 'restore':
      return restore(world, node, command.id)
    case 'setFault':
      return { ...faultSet(node, command.fault), outcome: { type: 'done' } }
    case 'clearFault':
      return { ...faultCleared(node, command.name), outcome: { type: 'done' } }
    case 'installFilter': {
      const { node: next, id } = newId(world, node, 'filter')
      return plain(withFilter(next, id, command.filter), { type: 'id', id })
    }
    case 'pollFilter': {
      const { node: next, changes } = polled(node, command.id)
      return plain(next, { type: 'filterChanges', changes })
    }
    case 'uninstallFilter': {
      const filters = new Map(node.filters)
      return plain({ ...node, filters }, { type: 'found', found: filters.delete(command.id) })
    }
    case 'subscribeComet':
      return plain(withComet(node, command.connection, command.subscription), { type: 'done' })
    case 'unsubscribeComet':
      return found(withoutComet(node, command.connection, command.query))
    case 'subscribeEth': {
      const { node: next, id } = newId(world, node, 'subscription')
      return plain(withEth(next, command.connection, { ...command.subscription, id }), { type: 'id', id })
    }
    case 'unsubscribeEth':
      return found(withoutEth(node, command.connection, command.id))
    default:
      return applyToChain(world, node, command)
  }
}

function plain(node: Node, outcome: Outcome): Applied {
  return { ...effects(node), outcome }
}

function found({ node, found: isFound }: { node: Node; found: boolean }): Applied {
  return plain(node, { type: 'found', found: isFound })
}

function inSequence(world: World, start: Applied, commands: readonly NodeCommand[]): Applied {
  return commands.reduce((before: Applied, command) => concat(before, apply(world, before.node, command)), start)
}

function withSettings(node: Node, { settings, noted }: Extract<NodeCommand, { type: 'changeSettings' }>): Node {
  const next = { ...node, settings: { ...node.settings, ...settings } }
  if (noted !== undefined) {
    const known = { ...node.noted, ...noted }
    return { ...next, given: { ...node.given, ...settings }, noted: genesisChange(next.settings, known) }
  }
  const before = Object.keys(settings).map((name) => [name, node.settings[name as keyof Settings]])
  return { ...next, given: { ...Object.fromEntries(before), ...node.given } }
}

type Submissions = Extract<NodeCommand, { type: 'submissions' }>

function submitInTurn(world: World, node: Node, { commands, id }: Submissions): Applied {
  const each: Submitted[] = []
  let done = plain(node, { type: 'done' })
  for (const command of commands) {
    done = inSequence(world, done, [command])
    if (done.outcome.type !== 'submitted') break
    each.push(done.outcome)
    if (!done.outcome.admitted) break
  }
  const kept = id === undefined ? done.node : withBatch(done.node, id, each)
  return { ...done, node: kept, outcome: { type: 'submissions', each } }
}

function mineSlice(world: World, node: Node, job: MiningJob): Applied {
  const applied = applyToChain(world, node, nextSlice(node, job))
  return { ...applied, ...afterSlice(applied, job, quorumMissing(world, applied.node.chain)) }
}

function reset(world: World, node: Node): Applied {
  const next = withFirstBlock(
    withPace(world, {
      ...abandonMining(node),
      chain: node.origin,
      filters: new Map(),
      checkpoints: [],
    }),
  )
  return {
    ...plain(next, { type: 'done' }),
    events: [{ type: 'restored', height: next.chain.height }],
  }
}

function restore(world: World, node: Node, id: string): Applied {
  // A job of the abandoned chain would mine on in the restored one at once.
  const next = restored(abandonMining(node), id)
  if (next === undefined) return plain(node, { type: 'found', found: false })
  return {
    ...plain(withoutWait(world, next), { type: 'found', found: true }),
    events: [{ type: 'restored', height: next.chain.height }],
  }
}

/**
 * Returns a new id: 16 random bytes in hex without leading zeros, as geth's `rpc.NewID` makes them.
 * The bytes are drawn from the seed.
 */
function newId(
  world: World,
  node: Node,
  kind: 'filter' | 'subscription',
): {
  node: Node
  id: string
} {
  const count = node.counters[kind]
  const digits = plainHexOf(world.random.bytes(`id:${kind}`, count, 16)).replace(/^0+/, '')
  return {
    id: `0x${digits || '0'}`,
    node: { ...node, counters: { ...node.counters, [kind]: count + 1 } },
  }
}

function applyToChain(world: World, node: Node, command: ChainCommand): Applied {
  const { chain, outcome, events, then } = step(world, node.chain, command, node.nowMs)
  const grown =
    chain.height === node.chain.height
      ? { ...node, chain }
      : withoutEnded({ ...node, chain, made: madeBy(node, chain.height) })
  const paced = command.type === 'setBlockPolicy' ? withPace(world, grown) : withoutWait(world, grown)
  const told = withHalt(world, node, tell(world, paced, events))
  if (!chain.policy.lazy) return applyInTurn(world, { ...told, outcome }, then)
  const agenda = then.reduce(
    (before, next) => addDue(before, node.nowMs, { type: 'command', command: next }),
    told.node.agenda,
  )
  return { ...told, node: { ...told.node, agenda }, outcome }
}

/** Logs that the application halts, right after its last block. */
function withHalt(world: World, before: Node, told: Effects): Effects {
  const { chain } = told.node
  const halt = chain.height > before.chain.height ? haltOf(world, chain) : undefined
  if (halt === undefined) return told
  const text = `the chain halts after block ${chain.height}: ${halt.message} (${halt.hint})`
  return concat(told, effects(told.node, [{ kind: 'log', level: 'warn', text }]))
}

/** Maximum number of entries in `Node.made`. No query looks further back. */
const madeMost = 256

/**
 * Returns `made` after a block at `height`. Blocks of the same instant share an entry; entries
 * above the previous height (rolled back) are removed.
 */
function madeBy({ made, nowMs, chain }: Node, height: bigint): Node['made'] {
  const newest = made.at(-1)
  const isWhole = newest === undefined || newest.height <= chain.height
  const before = isWhole ? made : made.filter((one) => one.height <= chain.height)
  const last = before.at(-1)
  return last?.atMs === nowMs && last.below <= chain.height
    ? [...before.slice(0, -1), { ...last, height }]
    : [...before, { atMs: nowMs, below: chain.height, height }].slice(-madeMost)
}

function applyInTurn(world: World, applied: Applied, commands: readonly ChainCommand[]): Applied {
  return commands.reduce((before: Applied, command) => {
    const after = applyToChain(world, before.node, command)
    return { ...concat(before, after), outcome: before.outcome }
  }, applied)
}

/** Counts and logs the bugs among the events. */
function incidentsTold(node: Node, events: readonly ChainEvent[]): Effects {
  return events.reduce((before, event) => {
    if (event.type !== 'incident') return before
    const { node: next, output } = withIncident(before.node, event.text)
    return concat(before, effects(next, [output]))
  }, effects(node))
}

/**
 * Sends events to filters and subscribers: CometBFT RPC first, then Ethereum JSON-RPC, each in its
 * own order.
 */
function tell(world: World, node: Node, events: readonly ChainEvent[]): Effects {
  if (events.length === 0) return effects(node)
  const told = incidentsTold(node, events)
  return { ...concat(told, tellSubscribers(world, gathering(told.node, events), events)), events }
}

/** Returns the node after its subscribers were sent events, and the outputs to send. */
export function tellSubscribers(world: World, node: Node, events: readonly ChainEvent[]): Effects {
  const { comet, eth } = node.subscriptions
  const isStandIn = hasQuirk(node.settings, 'newheads-eth-hash')
  const heads = ethPushes(eth, events, {
    headOf: (record) => newHeadJson(record, isStandIn),
    onlyCommitted: hasQuirk(node.settings, 'uncommitted-tx-hides-block'),
    txOf: ({ tx }) => {
      const [signed] = world.ethereum?.unwrap(tx) ?? []
      return signed === undefined ? null : pendingTxJson(signed)
    },
  })
  return push(world, node, [...cometPushes(comet, events, world.signers), ...heads])
}
