/** The one switch over commands: what is asked of the chain, carried out. */
import { plainHexOf } from '../codec/hex.ts'
import { unreachable } from '../errors.ts'
import type { Chain, ChainWorld, Step } from './chain.ts'
import { advancedTime, withBlockStep, withNextTime } from './clock.ts'
import type { ChainCommand } from './command.ts'
import type { ChainEvent } from './event.ts'
import { admit, changed, emptyMempool, forget, rechecked, removed, waiting, waitingTx } from './mempool.ts'
import type { Outcome } from './outcome.ts'
import { produceBlock } from './produceBlock.ts'

const done: Outcome = { type: 'done' }

/** Returns the chain after a command at simulation time `nowMs`. Throws what the application refuses of edits. */
export function step(world: ChainWorld, chain: Chain, command: ChainCommand, nowMs: bigint): Step {
  switch (command.type) {
    case 'submitTx': return submit(world, chain, command)
    case 'produceBlock': return produce(world, chain, { nowMs, count: command.count ?? 1, gapMs: command.gapMs ?? 0n })
    case 'advanceTime': return moved(advancedTime(chain, command.ms))
    case 'setNextBlockTime': return moved(withNextTime(chain, nowMs, command))
    case 'setBlockStep': return still(withBlockStep(chain, command.ms))
    case 'setBlockPolicy': return still({ ...chain, policy: { ...chain.policy, ...command.policy } })
    case 'edit': return { ...still({ ...chain, app: world.app.edit(chain.app, command.edits) }), events: [{ type: 'stateEdited' }] }
    case 'dropTx': return drop(chain, command.hash)
    case 'flushMempool': return flush(chain)
    case 'holdTx': return hold(chain, command)
    case 'setSigning': return still({ ...chain, down: withSigning(chain.down, command) })
    case 'addEvidence': return {
      ...still({ ...chain, evidence: [...chain.evidence, command.evidence] }),
      events: [{ type: 'evidenceAdded', evidence: command.evidence }],
    }
    default: return unreachable(command)
  }
}

function still(chain: Chain): Step {
  return { chain, outcome: done, events: [], then: [] }
}

function moved(chain: Chain): Step {
  const { offsetMs } = chain.clock
  return { chain, outcome: { type: 'timeMoved', offsetMs }, events: [{ type: 'timeMoved', offsetMs }], then: [] }
}

/** An admitted transaction asks for a block where blocks are made with transactions. */
function submit(world: ChainWorld, chain: Chain, { tx, mode }: Extract<ChainCommand, { type: 'submitTx' }>): Step {
  if (mode === 'check') {
    const { state, result, info } = world.app.checkTx(chain.app, tx, 'new')
    const outcome: Outcome = { type: 'submitted', hash: new Uint8Array(0), ethHash: info?.ethHash, refusal: undefined, check: result, admitted: false }
    return { ...still({ ...chain, app: state }), outcome }
  }
  const admission = admit(world, chain, tx)
  const promoted = admission.outcome.admitted && waiting(admission.mempool).some(({ queued }) => queued)
    ? rechecked(world, admission) : { ...admission, events: [] }
  const next = { ...chain, mempool: promoted.mempool, app: promoted.app }
  const { mode: blocks, paused } = chain.policy
  const isMined = admission.outcome.admitted && !paused && (blocks === 'auto' || blocks === 'mixed') &&
    waiting(next.mempool).some(({ queued, held }) => !queued && !held)
  return {
    chain: next, outcome: admission.outcome, events: [...admission.events, ...promoted.events],
    then: isMined ? [{ type: 'produceBlock' }] : [],
  }
}

type Order = { readonly nowMs: bigint; readonly count: number; readonly gapMs: bigint }

/** Blocks after the first are `gapMs` apart where a gap is asked for. */
function produce(world: ChainWorld, chain: Chain, { nowMs, count, gapMs }: Order): Step {
  const heights: bigint[] = []
  const events: ChainEvent[] = []
  let next = chain
  for (let made = 0; made < count; made++) {
    if (made > 0 && gapMs > 0n) next = advancedTime(next, gapMs)
    const production = produceBlock(world, next, nowMs)
    next = production.chain
    events.push(...production.events)
    if (!production.made) break
    heights.push(next.height)
  }
  return { chain: next, outcome: { type: 'produced', heights }, events, then: [] }
}

function drop(chain: Chain, hash: Uint8Array): Step {
  const entry = waitingTx(chain.mempool, hash)
  if (entry === undefined) return { ...still(chain), outcome: { type: 'dropped', found: false } }
  const mempool = forget(removed(chain.mempool, entry), plainHexOf(hash))
  return {
    chain: { ...chain, mempool }, outcome: { type: 'dropped', found: true },
    events: [{ type: 'txEvicted', tx: entry, why: 'dropped' }], then: [],
  }
}

function flush(chain: Chain): Step {
  const events = waiting(chain.mempool).map((tx) => ({ type: 'txEvicted', tx, why: 'flushed' } as const))
  return { ...still({ ...chain, mempool: { ...emptyMempool, nextSeq: chain.mempool.nextSeq } }), events }
}

function hold(chain: Chain, { hash, held }: Extract<ChainCommand, { type: 'holdTx' }>): Step {
  const entry = waitingTx(chain.mempool, hash)
  if (entry === undefined) return { ...still(chain), outcome: { type: 'found', found: false } }
  return { ...still({ ...chain, mempool: changed(chain.mempool, { ...entry, held }) }), outcome: { type: 'found', found: true } }
}

function withSigning(down: ReadonlySet<string>, { validator, up }: { validator: Uint8Array; up: boolean }): ReadonlySet<string> {
  const next = new Set(down)
  if (up) next.delete(plainHexOf(validator))
  else next.add(plainHexOf(validator))
  return next
}
