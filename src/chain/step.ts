/** Executes commands on the chain. */
import type { Edited, StateEdit } from '../app/application.ts'
import { plainHexOf } from '../codec/hex.ts'
import { txHash } from '../app/txHash.ts'
import { equalBytes } from '../data/bytes.ts'
import { SimError } from '../errors.ts'
import { admit, incidentsIn } from './admission.ts'
import type { Evidence } from './block.ts'
import type { Chain, ChainWorld, ChainStep } from './chain.ts'
import { advancedTime, hasBlockStep, withBlockStep, withGap, withNextTime } from './clock.ts'
import { type ChainCommand, minesPerTx } from './command.ts'
import { withOtherEthHashes } from './ethIds.ts'
import type { ChainEvent } from './event.ts'
import { evidenceHash } from './hashing.ts'
import { pruned } from './history.ts'
import { heldBack } from './holding.ts'
import { changed, emptyMempool, hasCandidates, removed, waiting, waitingCount, waitingTx } from './mempool.ts'
import { forgotten } from './mempoolCache.ts'
import type { Outcome } from './outcome.ts'
import { produceBlock } from './produceBlock.ts'
import { withValidatorUpdates } from './validatorUpdates.ts'
import { rolledBack } from './rollback.ts'
import { rechecked, withoutChecks } from './recheck.ts'

const done: Outcome = { type: 'done' }

/**
 * Returns the chain after a command at simulation time `nowMs`. Throws the application's error if
 * it refuses an edit.
 */
export function step(world: ChainWorld, chain: Chain, command: ChainCommand, nowMs: bigint): ChainStep {
  switch (command.type) {
    case 'submitTx':
      return submit(world, chain, { ...command, nowMs })
    case 'produceBlock':
      return produce(world, chain, {
        ...command,
        nowMs: command.atMs ?? nowMs,
      })
    case 'advanceTime':
      return moved(chain, advancedTime(chain, nowMs, command.ms))
    case 'setNextBlockTime':
      return moved(chain, withNextTime(chain, nowMs, command))
    case 'setBlockStep':
      return {
        ...still(withBlockStep(chain, nowMs, command.ms)),
        outcome: { type: 'found', found: hasBlockStep(chain) },
      }
    case 'setBlockPolicy':
      return mining({ ...chain, policy: { ...chain.policy, ...command.policy } }, done)
    case 'edit':
      return edited(world, chain, command.edits)
    case 'dropTx':
      return drop(world, chain, command.hash)
    case 'flushMempool':
      return flush(chain, command.keepChecks ?? false)
    case 'holdTx':
      return hold(chain, command)
    case 'holdNext': {
      const others = (chain.holds ?? []).filter(({ name }) => name !== command.rule.name)
      return still({ ...chain, holds: [...others, command.rule] })
    }
    case 'holdNoMore': {
      const { name } = command
      const holds = name === undefined ? [] : (chain.holds ?? []).filter((one) => one.name !== name)
      return still({ ...chain, holds })
    }
    // With a quorum again, waiting transactions are mined at once.
    case 'setSigning':
      return mining({ ...chain, down: withSigning(chain.down, command) }, done)
    case 'failRounds':
      return still({ ...chain, roundsToFail: command.rounds })
    case 'addEvidence':
      return addEvidence(chain, command.evidence)
    case 'rollback': {
      const { chain: before, gone } = rolledBack(chain, command.depth)
      return {
        ...still(before),
        events: [
          { type: 'blocksRemoved', records: gone },
          { type: 'restored', height: before.height },
        ],
      }
    }
    case 'reorgEthereum': {
      const { chain: after, gone, came } = withOtherEthHashes(chain, command.depth)
      return { ...still(after), events: [{ type: 'ethReorganised', gone, came }] }
    }
    case 'prune':
      return still({ ...chain, history: pruned(chain.history, command.below, world.retention) })
    default:
      throw new UnknownCommand(command)
  }
}

/** Applies an operator's edits. Waiting transactions are checked again for new nonces. */
function edited(world: ChainWorld, chain: Chain, edits: readonly StateEdit[]): ChainStep {
  const step = withEdits(withParams(chain, edits), world.app.edit(chain.app, edits))
  const isOfNonces = edits.some(({ type }) => type === 'setNonce')
  if (!isOfNonces || waitingCount(chain.mempool) === 0) return step
  const { mempool, app, events } = rechecked(world, {
    mempool: chain.mempool,
    app: withoutChecks(step.chain.app),
  })
  return { ...mining({ ...step.chain, mempool, app }, done), events: [...step.events, ...events] }
}

/**
 * Returns the chain with the edits' results. Validator changes made after block H count as updates of
 * block H: these validators sign from H+2.
 */
function withEdits(chain: Chain, { state, validatorUpdates: updates }: Edited): ChainStep {
  const next = { ...chain, app: state }
  if (updates.length === 0) return { ...still(next), events: [{ type: 'stateEdited' }] }
  return {
    ...still(withValidatorUpdates(next, updates)),
    events: [{ type: 'stateEdited' }, { type: 'validatorsEdited', updates }],
  }
}

/**
 * Applies an operator's consensus parameters as if block H had set them, so block H+1 follows them.
 */
function withParams(chain: Chain, edits: readonly StateEdit[]): Chain {
  const params = edits.flatMap((one) => (one.type === 'setConsensusParams' ? [one.params] : []))
  if (params.length === 0) return chain
  return { ...chain, consensusParams: Object.assign({ ...chain.consensusParams }, ...params) }
}

type Submission = Extract<ChainCommand, { type: 'submitTx' }> & { readonly nowMs: bigint }

function still(chain: Chain): ChainStep {
  return { chain, outcome: done, events: [], then: [] }
}

function moved(before: Chain, chain: Chain): ChainStep {
  const { offsetMs } = chain.clock
  return {
    chain,
    outcome: { type: 'timeMoved', offsetMs, byMs: offsetMs - before.clock.offsetMs },
    events: [{ type: 'timeMoved', offsetMs }],
    then: [],
  }
}

function submit(world: ChainWorld, chain: Chain, { tx, mode, nowMs }: Submission): ChainStep {
  if (mode === 'check') {
    const checked = world.app.checkTx(chain.app, tx, 'new')
    const { state, result, info, reported } = checked
    const outcome: Outcome = {
      type: 'submitted',
      hash: txHash(tx),
      ethHash: info?.ethHash,
      refusal: undefined,
      check: reported ?? result,
      admitted: false,
    }
    return { ...still({ ...chain, app: state }), outcome, events: incidentsIn(checked) }
  }
  const { mempool, app, outcome, events } = admit(world, chain, { tx, nowMs })
  const next: Chain = { ...chain, mempool, app }
  if (!outcome.admitted) return { ...still(next), outcome, events }
  const entry = waitingTx(mempool, outcome.hash)
  if (entry === undefined || (chain.holds ?? []).length === 0) {
    return { ...mining(next, outcome), events }
  }
  const { entry: kept, holds } = heldBack(world, chain, entry)
  const told = events.map((event) =>
    event.type === 'txAccepted' && event.tx === entry ? { ...event, tx: kept } : event,
  )
  return { ...mining({ ...next, holds, mempool: changed(mempool, kept) }, outcome), events: told }
}

/** Schedules a block if automine is on and a transaction is ready for a block. */
function mining(chain: Chain, outcome: Outcome): ChainStep {
  const isWanted = !chain.policy.paused && minesPerTx(chain.policy) && hasCandidates(chain.mempool)
  return {
    ...still(chain),
    outcome,
    then: isWanted ? [{ type: 'produceBlock', ifWaiting: true }] : [],
  }
}

type Order = Omit<Extract<ChainCommand, { type: 'produceBlock' }>, 'type' | 'atMs'> & {
  readonly nowMs: bigint
}

/**
 * Mines `count` blocks. Stops early without a quorum, or if `ifWaiting` is set and no transaction
 * fits.
 */
function produce(
  world: ChainWorld,
  chain: Chain,
  { nowMs, count = 1, gapMs = 0n, gapFirst = false, ifWaiting = false }: Order,
): ChainStep {
  const heights: bigint[] = []
  const events: ChainEvent[] = []
  let next = chain
  for (let made = 0; made < count; made++) {
    if ((made > 0 || gapFirst) && gapMs > 0n) next = withGap(next, nowMs, gapMs)
    const production = produceBlock(world, next, { nowMs, ifWaiting })
    next = production.chain
    for (const event of production.events) events.push(event)
    if (!production.made) break
    heights.push(next.height)
  }
  const left = ifWaiting ? 0 : count - heights.length
  const outcome: Outcome = { type: 'produced', heights, ...(left > 0 && { left }) }
  // A block that raises a nonce in another way, as a Cosmos transaction does, may end a wait.
  const isPromoted = events.some(({ type }) => type === 'txAccepted')
  // A block with transactions may have been full, so automine mines the rest too.
  const wasFilled = ifWaiting && waitingCount(next.mempool) < waitingCount(chain.mempool)
  return isPromoted || wasFilled ? { ...mining(next, outcome), events } : { ...still(next), outcome, events }
}

/** Removes a transaction and rechecks the rest as if it had never arrived. */
function drop(world: ChainWorld, chain: Chain, hash: Uint8Array): ChainStep {
  const entry = waitingTx(chain.mempool, hash)
  if (entry === undefined) return { ...still(chain), outcome: { type: 'dropped', found: false } }
  const { mempool, app, events } = rechecked(world, {
    mempool: forgotten(removed(chain.mempool, hash), entry),
    app: withoutChecks(chain.app),
  })
  return {
    chain: { ...chain, mempool, app },
    outcome: { type: 'dropped', found: true },
    events: [{ type: 'txEvicted', tx: entry, why: 'dropped' }, ...events],
    then: [],
  }
}

function flush(chain: Chain, keepChecks: boolean): ChainStep {
  const events = waiting(chain.mempool).map((tx) => ({ type: 'txEvicted', tx, why: 'flushed' }) as const)
  const app = keepChecks ? chain.app : withoutChecks(chain.app)
  return {
    ...still({ ...chain, app, mempool: { ...emptyMempool, nextSeq: chain.mempool.nextSeq } }),
    events,
  }
}

function hold(chain: Chain, { hash, held }: Extract<ChainCommand, { type: 'holdTx' }>): ChainStep {
  const entry = waitingTx(chain.mempool, hash)
  if (entry === undefined) return { ...still(chain), outcome: { type: 'found', found: false } }
  return mining({ ...chain, mempool: changed(chain.mempool, { ...entry, held }) }, { type: 'found', found: true })
}

/**
 * Adds evidence to the next block. Evidence that is already waiting counts as success and is added
 * once (`comet-rpc.md` §1.28).
 */
function addEvidence(chain: Chain, evidence: Evidence): ChainStep {
  const hash = evidenceHash(evidence)
  if (chain.evidence.some((one) => equalBytes(evidenceHash(one), hash))) return still(chain)
  return {
    ...still({ ...chain, evidence: [...chain.evidence, evidence] }),
    events: [{ type: 'evidenceAdded', evidence }],
  }
}

function withSigning(
  down: ReadonlySet<string>,
  { validator, up }: { validator: Uint8Array; up: boolean },
): ReadonlySet<string> {
  const next = new Set(down)
  if (up) next.delete(plainHexOf(validator))
  else next.add(plainHexOf(validator))
  return next
}

/** Thrown for a command that does not exist, which a program can send that no compiler has checked. */
class UnknownCommand extends SimError {
  constructor(command: never) {
    super('UNKNOWN_COMMAND', `there is no command of the type "${String((command as { type?: unknown }).type)}"`)
  }
}
