/** What a program holds of a running chain: both interfaces, and what an operator does. */
import type { fault as faultSchema } from '../scenario/schema.ts'
import { SimError } from '../errors.ts'
import type { OperatorCommand } from '../node/input.ts'
import { digest } from '../simulation/digest.ts'
import { recentCalls } from '../simulation/journal.ts'
import type { Simulation } from '../simulation.ts'
import { maskedText } from '../fault/openCalls.ts'
import type { Masked } from '../fault/rule.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { Exchange } from './exchanges.ts'
import * as actions from './control/actions.ts'
import type { Instance } from './instance.ts'
import { cometProvider, ethProvider, type CometProvider, type EthProvider } from './provider.ts'
import type { Urls } from './server.ts'
import { stateAt, writeState } from './stateFile.ts'

/** Durations are texts with a unit (`1h30m`, `250ms`) or milliseconds. */
export type Duration = string | number

export type Handle = {
  /** Addresses of the listeners that are open; '' where there is none. */
  readonly urls: Urls
  /** Interface B as an EIP-1193 provider, without sockets. */
  readonly eth: EthProvider
  /** Interface A, without sockets. */
  readonly comet: CometProvider
  readonly simulation: () => Simulation
  readonly operate: (command: OperatorCommand) => void
  /** Makes blocks, an interval of block time apart; returns the height. Throws `ActionRefused`. */
  readonly mine: (blocks?: number, interval?: Duration) => number
  /** Moves block time forward from the next block on; returns the height. */
  readonly moveTime: (by: Duration) => number
  /**
   * Moves simulation time, where `pace` is not `wall`; resolves when all that was due has happened.
   */
  readonly advance: (by: Duration) => Promise<void>
  /**
   * Turns a fault on: one of the scenario by name, or one described as there. Returns what ends it.
   */
  readonly fault: (
    name: string, described?: FaultDescription, options?: FaultOptions
  ) => Promise<() => void>
  /** Remembers the chain; returns what goes back to it, once. */
  readonly checkpoint: () => Checkpoint
  /**
   * Writes the whole node to a file; `load` and `start({ state })` go on from it, any number of
   * times.
   */
  readonly save: (path: string) => Promise<void>
  /**
   * Takes the chain to what a file holds. Throws `BadState` or `ForeignState`; nothing has changed
   * then.
   */
  readonly load: (path: string) => Promise<void>
  readonly signal: (name: string) => void
  /** Gives an address (0x… or bech32) an amount of wei out of nothing. */
  readonly faucet: (address: string, wei: bigint) => void
  /** The last calls of clients, those of this program too, oldest first. */
  readonly journal: () => Journal
  /** Throws `NotClean` when something was hidden: see there. */
  readonly assertClean: () => void
  /** A fingerprint: equal chains have equal digests. */
  readonly digest: () => string
}

/** As in the `faults` of a scenario. */
export type FaultDescription = (typeof faultSchema)['_zod']['input']

export type FaultOptions = { readonly for?: Duration; readonly forBlocks?: number }
export type Checkpoint = { readonly id: string; readonly restore: () => void }
export type Journal = {
  readonly calls: readonly CallRecord[]
  readonly counts: Readonly<Record<string, number>>
  readonly exchanges: readonly Exchange[]
  /** Faults that nobody noticed: the client tried again and was answered. */
  readonly masked: readonly Masked[]
}

const spelled = (by: Duration) => (typeof by === 'number' ? `${by}ms` : by)

/** Returns the handle of a chain. */
export function handleOf(instance: Instance, urls: () => Urls): Handle {
  const { simulation } = instance
  return {
    get urls() { return urls() },
    eth: ethProvider(instance.enter, instance.sockets.openLocal),
    comet: cometProvider(instance.enter), simulation,
    operate: (command) => { instance.operate('program', command) },
    mine: (blocks = 1, interval) => actions.mine(
      instance, { blocks, interval: interval === undefined ? undefined : spelled(interval) }
    ).height,
    moveTime: (by) => actions.moveTime(instance, { by: spelled(by) }).height,
    advance: (by) => actions.advance(instance, { by: spelled(by) }).then(() => {}),
    fault: async (name, described, { for: time, forBlocks } = {}) => {
      await actions.useFault(
        instance,
        { name, rule: described, for: time === undefined ? undefined : spelled(time), forBlocks }
      )
      return () => { instance.operate('program', { type: 'clearFault', name }) }
    },
    checkpoint: () => {
      const { id } = actions.checkpoint(instance)
      return { id, restore: () => { actions.restore(instance, { id }) } }
    },
    save: (path) => writeState(path, simulation()),
    load: async (path) => { instance.become(await stateAt(path)) },
    signal: (name) => { actions.signal(instance, { name }) },
    faucet: (address, wei) => { actions.faucet(instance, { address, wei: String(wei) }) },
    journal: () => {
      const { node, journal } = simulation()
      return {
        calls: recentCalls(journal), counts: Object.fromEntries(journal.counts),
        exchanges: instance.exchanges.recent(),
        masked: node.faults.masked,
      }
    },
    assertClean: () => { assertClean(instance) },
    digest: () => digest(simulation()),
  }
}

function assertClean({ simulation, exchanges }: Instance): void {
  const { node, progress } = simulation()
  const unused =
    node.faults.active.filter(({ rule }) => (node.faults.counts.get(rule.name)?.applied ?? 0) === 0)
  const unknown = exchanges.recent()
    .filter(({ answer }) => /"code":-(?:32601|32070)\b/.test(answer ?? ''))
  const problems = [
    ...progress.failures.map(({ step, text }) => `step ${step}: ${text}`),
    ...(node.counters.incident > 1 ? [
      `${node.counters.incident - 1} internal errors: see the log`,
    ] : []),
    ...node.faults.masked.map(maskedText),
    ...unused.map(({ rule }) => `the fault "${rule.name}" is on and was never applied`),
    ...unknown.map(({ side, request }) => `interface ${side === 'eth' ? 'B' : 'A'} has no answer to ${request.slice(0, 120)}`),
  ]
  if (problems.length > 0) throw new NotClean(problems)
}

/**
 * Expectations that failed, internal errors, faults that hit nothing or that nobody noticed, calls
 * that nothing answers.
 */
export class NotClean extends SimError {
  constructor(problems: readonly string[]) {
    super(
      'NOT_CLEAN', problems.join('\n'), { hint: 'A test that passes by luck passes only once.' }
    )
  }
}
