/** A chain that runs in a program: providers for both interfaces, and controls. */
import type { fault as faultSchema } from '../scenario/schema.ts'
import { minedMost } from '../node/mining.ts'
import type { OperatorCommand } from '../plan/input.ts'
import { chainDigest, digest } from '../simulation/digest.ts'
import { countsOf, recentCalls } from '../simulation/journal.ts'
import { anyObject, checkArguments, duration, matching, optional, options, text, wei, whole } from './arguments.ts'
import type { Masked } from '../fault/rule.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { Exchange } from './exchanges.ts'
import { assertClean } from './assertClean.ts'
import { actNow, operateNow } from './control/act.ts'
import { mineNow } from './control/mining.ts'
import { command as anyCommand } from './commandMembers.ts'
import * as actions from './control/actions.ts'
import { cometProvider, ethProvider, type CometProvider, type EthProvider } from './provider.ts'
import type { Urls } from './urls.ts'
import type { Instance } from './ports.ts'
import type { Simulation } from '../simulation/turn.ts'

/** Durations are texts with a unit (`1h30m`, `250ms`) or milliseconds. */
export type Duration = string | number

/** A chain: its URLs, providers without sockets, and controls. */
export type Handle = {
  /** Addresses of the open listeners; '' for an interface without one. */
  readonly urls: Urls
  /** Ethereum JSON-RPC as an EIP-1193 provider, without sockets. */
  readonly eth: EthProvider
  /** CometBFT RPC, without sockets. */
  readonly comet: CometProvider
  /** Returns the immutable state of the node, for debugging. */
  readonly simulation: () => Simulation
  /**
   * Runs a command as the dashboard does. The functions below are easier to use. Throws
   * `BadArgument`, `ActionRefused` or `ActionMetBug`, and then changes nothing.
   */
  readonly operate: (command: OperatorCommand) => void
  /**
   * Mines 1 to 1,000,000 blocks (default 1) whose timestamps are `interval` apart. Returns the
   * height. Throws `BadArgument` and `ActionRefused`.
   */
  readonly mine: (blocks?: number, interval?: Duration) => number
  /** Moves block time forward, starting with the next block. Returns the height. */
  readonly moveTime: (by: Duration) => number
  /**
   * Moves simulation time forward, unless `pace` is `wall`. Resolves when everything due until then
   * has happened.
   */
  readonly advance: (by: Duration) => Promise<void>
  /**
   * Turns on a fault of the scenario by its name, or the fault in `described`. Resolves with a
   * function that turns it off.
   */
  readonly fault: (name: string, described?: FaultDescription, options?: FaultOptions) => Promise<() => void>
  /** Takes a checkpoint. Its `restore` returns the chain to that state, once. */
  readonly checkpoint: () => Checkpoint
  /**
   * Writes the whole node to a file. `load` and `start({ state })` can read it any number of times.
   */
  readonly save: (path: string) => Promise<void>
  /** Loads the node from a file. Throws `BadState` or `ForeignState`, and then changes nothing. */
  readonly load: (path: string) => Promise<void>
  /** Releases a scenario step that waits for this signal. */
  readonly signal: (name: string) => void
  /** Mints test tokens to an address (0x… or bech32), in wei. */
  readonly faucet: (address: string, wei: bigint) => void
  /** Returns the last requests of clients, including those of this program, oldest first. */
  readonly journal: () => Journal
  /**
   * Throws `NotClean` if a step failed, a fault was masked or never applied, a method was unknown, or
   * an internal error occurred.
   */
  readonly assertClean: () => void
  /**
   * Returns a fingerprint as 64 hex digits. `chain` (default) covers the last block and the state
   * after it. `node` also covers mempool, simulation time, faults, filters, connections, counters and
   * the scenario: nodes with equal digests give the same response to every later request.
   */
  readonly digest: (of?: 'chain' | 'node') => string
}

/** A fault, as in `faults` of a scenario. */
export type FaultDescription = (typeof faultSchema)['_zod']['input']

/** When a fault turns itself off: after a duration, or after a number of blocks. */
export type FaultOptions = { readonly for?: Duration; readonly forBlocks?: number }
/** A saved state of the chain. */
export type Checkpoint = { readonly id: string; readonly restore: () => void }
/** The latest requests of clients. */
export type Journal = {
  readonly calls: readonly CallRecord[]
  readonly counts: Readonly<Record<string, number>>
  readonly exchanges: readonly Exchange[]
  /** Faults that a retry of the client hid. */
  readonly masked: readonly Masked[]
}

const spelled = (by: Duration) => (typeof by === 'number' ? `${by}ms` : by)

const blockCount = whole('a number of blocks', 1, minedMost)
const faultOptions = options({
  for: optional(duration),
  forBlocks: optional(whole('a number of blocks', 1, 1e9)),
})
const digestKind = matching("'chain' or 'node'", (of) => of === 'chain' || of === 'node')

/** Returns the handle of a chain. */
export function handleOf(instance: Instance, urls: () => Urls): Handle {
  const { simulation } = instance
  return {
    get urls() {
      return urls()
    },
    eth: ethProvider(instance.queue, instance.sockets.openLocal),
    comet: cometProvider(instance.queue),
    simulation,
    operate: (command) => {
      checkArguments('chain.operate', { command: [command, anyCommand] })
      operateNow(instance, 'program', command)
    },
    mine: (blocks = 1, interval) => {
      checkArguments('chain.mine', {
        blocks: [blocks, blockCount],
        interval: [interval, optional(duration)],
      })
      return mineNow(instance, { blocks, interval: interval === undefined ? undefined : spelled(interval) }).height
    },
    moveTime: (by) => {
      checkArguments('chain.moveTime', { by: [by, duration] })
      return actNow(instance, actions.moveTime(instance, { by: spelled(by) })).height
    },
    advance: async (by) => {
      checkArguments('chain.advance', { by: [by, duration] })
      await actions.advance(instance, { by: spelled(by) })
    },
    fault: (name, described, limits) => turnFaultOn(instance, name, described, limits),
    checkpoint: () => checkpointOf(instance),
    save: async (path) => {
      checkArguments('chain.save', { path: [path, text] })
      const now = simulation()
      const { writeState } = await import('./stateFile.ts')
      await writeState(path, now)
    },
    load: async (path) => {
      checkArguments('chain.load', { path: [path, text] })
      const { stateAt } = await import('./stateFile.ts')
      instance.become(await stateAt(path))
    },
    signal: (name) => {
      checkArguments('chain.signal', { name: [name, text] })
      actNow(instance, actions.signal(instance, { name }))
    },
    faucet: (address, amount) => {
      checkArguments('chain.faucet', { address: [address, text], wei: [amount, wei] })
      actNow(instance, actions.faucet(instance, { address, wei: String(amount) }))
    },
    journal: () => journalOf(instance),
    assertClean: () => {
      assertClean(instance)
    },
    digest: (of = 'chain') => {
      checkArguments('chain.digest', { of: [of, digestKind] })
      return of === 'chain' ? chainDigest(simulation().node) : digest(simulation())
    },
  }
}

async function turnFaultOn(
  instance: Instance,
  name: string,
  described: FaultDescription | undefined,
  limits: FaultOptions = {},
): Promise<() => void> {
  checkArguments('chain.fault', {
    name: [name, text],
    described: [described, optional(anyObject)],
    options: [limits, faultOptions],
  })
  const { for: time, forBlocks } = limits
  await actions.useFault(instance, {
    name,
    rule: described,
    for: time === undefined ? undefined : spelled(time),
    forBlocks,
  })
  return () => {
    operateNow(instance, 'program', { type: 'clearFault', name })
  }
}

function checkpointOf(instance: Instance): Checkpoint {
  const { id } = actNow(instance, actions.checkpoint(instance))
  return {
    id,
    restore: () => {
      actNow(instance, actions.restore(instance, { id }))
    },
  }
}

function journalOf({ simulation, exchanges }: Instance): Journal {
  const { node, journal } = simulation()
  return {
    calls: recentCalls(journal),
    counts: Object.fromEntries(countsOf(journal)),
    exchanges: exchanges.recent(),
    masked: node.faults.masked,
  }
}
