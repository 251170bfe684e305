/**
 * Keeps a chain in a log: every input that changes the chain is logged, outputs wait until it is,
 * and snapshots shorten the log.
 */
import { thrownText } from '../../errors.ts'
import { emptyJournal } from '../../simulation/journal.ts'
import type { Input } from '../../plan/input.ts'
import type { Simulation } from '../../simulation/turn.ts'
import type { Keeper, Sinks } from '../queue.ts'
import { bytesOfState, bytesOfStateLater } from '../stateFile.ts'
import { unlessAborted } from '../unlessAborted.ts'
import { callsSince, inputEntryText, standingOf } from './entryText.ts'
import type { InputLog } from './inputLog.ts'
import { moveHistory, type Referring, referring } from './storedHistory.ts'

/** Keeps one chain at a time; each from its call of `begin`. */
export type Keeping = Keeper & {
  /** Stops logging inputs until the next `begin`. */
  readonly pause: () => void
  /**
   * Starts the log with a simulation, to which later inputs are added; resolves when it is stored.
   */
  readonly begin: (simulation: Simulation) => Promise<void>
  /** Resolves when all inputs so far are logged. Rejects if they cannot be. */
  readonly kept: () => Promise<void>
  /** Rejects when logging has failed for good. */
  readonly failed: Promise<never>
}

export type KeepingOptions = {
  readonly log: InputLog
  readonly say: Sinks['log']
  /** Minimum number of bytes of entries before the log is shortened; by default 8 MiB. */
  readonly shortenAfter?: number
  /** Returns the bytes of a snapshot that shortens the log. */
  readonly snapshotOf?: (snapshot: Referring) => Promise<Uint8Array>
}

const leastBytes = 8 * 2 ** 20

/** Approximate bytes that a block adds to a snapshot, without its transactions. */
const bytesPerBlock = 1024

/** Returns a keeper that logs chains. */
export function createKeeping({
  log,
  say,
  shortenAfter = leastBytes,
  snapshotOf = ({ state, parts }) => bytesOfStateLater(state, parts),
}: KeepingOptions): Keeping {
  let isOn = false
  let isShortening = false
  // Without a snapshot, a crash would leave a history that belongs to nothing.
  let hasSnapshot = false
  let sequence = log.last()
  let journal: Simulation['journal'] = emptyJournal
  let grown = 0
  let due = shortenAfter
  const outgoing = createOutgoing(sequence)
  const { failed, fail, unlessFailed } = createFailure()

  function replaced(simulation: Simulation): void {
    if (!isOn) return
    journal = simulation.journal
    grown = 0
    const at = ++sequence
    const { state, parts } = referring(simulation, log.history)
    log.shorten({ sequence: at, bytes: bytesOfState(state, parts) }).then(() => {
      hasSnapshot = true
      outgoing.acknowledge(at)
    }, fail)
  }

  /**
   * Shortens the log. A snapshot is due after as many bytes of entries as the last one had. So its
   * cost per input does not grow with the chain.
   */
  async function shorten(simulation: Simulation): Promise<void> {
    isShortening = true
    grown = 0
    const at = sequence
    try {
      const bytes = await snapshotOf(referring(simulation, log.history))
      due = Math.max(shortenAfter, bytes.length)
      await log.shorten({ sequence: at, bytes })
    } catch (error) {
      say('warn', `cannot shorten the input log: ${thrownText(error)}`)
    } finally {
      isShortening = false
    }
  }

  function entered(input: Input, before: Simulation, after: Simulation): void {
    if (!isOn || !hasChanged(input, before, after)) return
    const at = ++sequence
    const calls = callsSince(journal, before.journal)
    journal = after.journal
    const text = inputEntryText({ input, ...(calls && { calls }), ...standingOf(after) })
    log.append({ sequence: at, text }).then(() => outgoing.acknowledge(at), fail)
    const blocks = Number(after.node.chain.height - before.node.chain.height)
    grown += text.length + Math.max(blocks, 0) * bytesPerBlock
    if (log.history !== undefined && hasSnapshot && blocks > 0) moveHistory(log.history, after)
    if (grown >= due && !isShortening) void shorten(after)
  }

  // A race with `failed` would leave something behind with every call, for as long as nothing fails.
  const settled = () => unlessFailed(() => outgoing.settled(sequence))
  return {
    failed,
    entered,
    replaced,
    pause: () => {
      isOn = false
    },
    begin: (simulation) => {
      isOn = true
      replaced(simulation)
      return settled()
    },
    kept: settled,
    whenKept: (work) => outgoing.add(sequence, work),
  }
}

/** Returns a promise that only `fail` settles, without a warning if nobody handles it; `unlessFailed` waits beside it. */
function createFailure() {
  const failing = new AbortController()
  const unlessFailed = <Value>(work: () => Promise<Value>) =>
    unlessAborted(failing.signal, work, () => failing.signal.reason as Error)
  const failed = unlessFailed(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  return { failed, fail: (error: unknown) => failing.abort(error), unlessFailed }
}

type Held = { readonly upTo: number; readonly work: () => void }

/**
 * Returns a queue of work, in order. Each item waits until all entries up to a number are logged.
 */
function createOutgoing(from: number) {
  const held: Held[] = []
  let kept = from
  let isLeaving = false
  const leave = () => {
    if (isLeaving) return
    isLeaving = true
    for (let [first] = held; first !== undefined && first.upTo <= kept; [first] = held) {
      held.shift()
      first.work()
    }
    isLeaving = false
  }
  const add = (upTo: number, work: () => void) => {
    held.push({ upTo, work })
    leave()
  }
  return {
    add,
    acknowledge: (upTo: number) => {
      kept = upTo
      leave()
    },
    settled: (upTo: number): Promise<void> =>
      new Promise((done) => {
        add(upTo, done)
      }),
  }
}

/**
 * Returns whether an input changed anything that must be kept. The time of a wall clock and the
 * journal of calls do not count. A change that was rolled back may count.
 */
function hasChanged({ kind }: Input, before: Simulation, after: Simulation): boolean {
  if (kind === 'learned') return true
  if (before === after) return false
  const { pace } = after.node.settings
  return (
    before.plan !== after.plan ||
    differ(before.progress, after.progress) ||
    differ(before.node, after.node, pace === 'wall' ? 'nowMs' : undefined)
  )
}

function differ<Value extends object>(before: Value, after: Value, except?: keyof Value): boolean {
  if (before === after) return false
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Value>
  for (const name of names) if (name !== except && before[name] !== after[name]) return true
  return false
}
