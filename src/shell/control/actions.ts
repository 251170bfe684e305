/** Operator actions. Each consists of commands that a method or a scenario can also issue. */
import { isExpected } from '../../errors.ts'
import { addressBytes, Bech32Error, readBech32 } from '../../codec/bech32.ts'
import { noBlockReason } from '../../chain/quorum.ts'
import { nearest } from '../../data/nearest.ts'
import type { FaultRule } from '../../fault/rule.ts'
import { rememberOff, rulesOff } from './faultsOff.ts'
import type { Instance } from '../ports.ts'
import { type Action, ActionRefused, act, assertDone, assertNoPlayback, durationOf } from './act.ts'
import { heightView } from './views.ts'

/** Moves block time forward; with `mine`, also mines a block with the new time. The result is the height. */
export function moveTime(instance: Instance, { by, mine: mines }: { by: string; mine?: boolean | undefined }) {
  // A block that is refused must not leave the time moved.
  const why = mines === true ? noBlockReason(instance.world, instance.simulation().node.chain) : undefined
  if (why !== undefined) throw new ActionRefused(why.message, why.hint)
  return {
    commands: [
      { type: 'advanceTime', ms: durationOf(by) },
      ...(mines === true ? [{ type: 'produceBlock' } as const] : []),
    ],
    result: () => heightView(instance),
  } satisfies Action<unknown>
}

/** Advances simulation time. Throws `ActionRefused` unless the pace is manual. */
export async function advance(instance: Instance, { by }: { by: string }) {
  const { pace } = instance.simulation().node.settings
  if (pace === 'wall') {
    throw new ActionRefused(
      'simulation time follows the clock, because --pace is wall',
      'Start with --pace manual, or move block time instead.',
    )
  }
  assertDone(await instance.advance(Number(durationOf(by))))
  return { simulationMs: Number(instance.simulation().node.nowMs) }
}

/** Takes a checkpoint; the result is its id and the height. */
export function checkpoint(instance: Instance) {
  return {
    commands: [{ type: 'checkpoint' }],
    result: () => ({ id: instance.simulation().node.checkpoints.at(-1)?.id ?? '', ...heightView(instance) }),
  } satisfies Action<unknown>
}

/** Restores a checkpoint, by default the newest. Throws `ActionRefused` if it does not exist. */
export function restore(instance: Instance, { id }: { id?: string | undefined }) {
  assertNoPlayback(instance)
  const { checkpoints } = instance.simulation().node
  const ids = checkpoints.map((one) => one.id)
  const wanted = id ?? ids.at(-1)
  if (wanted === undefined) {
    throw new ActionRefused('there is no checkpoint', 'Take one first: chainstage checkpoint.')
  }
  if (!ids.includes(wanted)) {
    const there = ids.length === 0 ? 'Take one first: chainstage checkpoint.' : `Choose from ${ids.join(', ')}.`
    throw new ActionRefused(
      `there is no checkpoint ${wanted}`,
      `${there} For a saved one: chainstage checkpoint load NAME.`,
    )
  }
  return {
    commands: [{ type: 'restore', id: wanted }],
    result: () => ({ id: wanted, ...heightView(instance) }),
  } satisfies Action<unknown>
}

/**
 * Reorganizes the newest blocks: changes their hashes on Ethereum JSON-RPC only, or replaces the
 * blocks on both interfaces.
 */
export function reorganise(
  instance: Instance,
  { depth, view = 'chain' }: { depth: number; view?: 'evm' | 'chain' | undefined },
) {
  assertNoPlayback(instance)
  const { height, history } = instance.simulation().node.chain
  const most = height - history.base
  if (BigInt(depth) > most) {
    throw new ActionRefused(`expected a depth of at most ${most} blocks, received ${depth}`)
  }
  const command =
    view === 'evm'
      ? ({ type: 'reorgEthereum', depth: BigInt(depth) } as const)
      : ({
          type: 'sequence',
          commands: [
            { type: 'rollback', depth: BigInt(depth) },
            // One second later, so that a block without transactions gets a different hash.
            { type: 'advanceTime', ms: 1000n },
            { type: 'produceBlock', count: depth },
          ],
        } as const)
  return { commands: [command], result: () => ({ depth, view, ...heightView(instance) }) } satisfies Action<unknown>
}

export type FaultOptions = {
  /** The name of a fault of the scenario, or any name if `rule` is given. */
  readonly name: string
  readonly rule?: unknown
  readonly for?: string | undefined
  readonly forBlocks?: number | undefined
}

/** Turns on a fault: one of the scenario by name, or one given as a rule in the scenario format. */
export async function useFault(instance: Instance, { name, rule: file, for: time, forBlocks }: FaultOptions) {
  const given = file === undefined ? undefined : await described(name, file)
  return act(instance, () => {
    const rule = given ?? knownFault([...instance.simulation().plan.faults, ...rulesOff(instance)], name)
    const fault = {
      rule,
      ...(time !== undefined && { forMs: durationOf(time) }),
      ...(forBlocks !== undefined && { forBlocks: BigInt(forBlocks) }),
    }
    return {
      commands: [{ type: 'setFault', fault }],
      result: () => ({ name, on: true }),
    }
  })
}

function knownFault(rules: readonly FaultRule[], name: string): FaultRule {
  const found = rules.find((rule) => rule.name === name)
  if (found !== undefined) return found
  const names = rules.map((rule) => rule.name)
  const near = nearest(name, names)
  throw new ActionRefused(
    `the scenario has no fault "${name}"`,
    near === undefined
      ? `It has ${names.join(', ') || 'none'}. Describe a new one: --rule FILE, or "rule" in the control API.`
      : `Did you mean "${near}"?`,
  )
}

/** Resolves with the fault that a scenario rule describes. Throws `ActionRefused`. */
export async function described(name: string, file: unknown): Promise<FaultRule> {
  const { compileFault } = await import('../../scenario/compileFault.ts')
  const { fault } = await import('../../scenario/schema.ts')
  const { worded } = await import('../../scenario/issueText.ts')
  const parsed = fault.safeParse(file, worded)
  if (parsed.success) return compileFault(name, parsed.data)
  const { problemsIn } = await import('../../scenario/problems.ts')
  const problems = problemsIn(parsed.error.issues, { at: ['faults', name], whole: 'rule', value: file })
  throw new ActionRefused(
    problems.map(({ message }) => message).join('; '),
    problems.find(({ hint }) => hint !== undefined)?.hint ??
      'For example { match: { method: "eth_*" }, effect: { latency: "200ms" } }.',
  )
}

/** Resolves with what is wrong with a fault's rule, or with null if a scenario could have it. */
export async function faultProblem(name: string, rule: unknown): Promise<{ readonly problem: string | null }> {
  try {
    await described(name, rule)
    return { problem: null }
  } catch (error) {
    if (isExpected(error)) return { problem: error.message }
    throw error
  }
}

/** Turns off the named fault, or all faults if no name is given. */
export function clearFault(instance: Instance, name: string | undefined) {
  const rules = instance.simulation().node.faults.active.map(({ rule }) => rule)
  const active = rules.map((rule) => rule.name)
  if (name !== undefined && !active.includes(name)) {
    throw new ActionRefused(`no fault "${name}" is on`, `On: ${active.join(', ') || 'none'}.`)
  }
  return {
    commands: [{ type: 'clearFault', name }],
    result: () => {
      rememberOff(
        instance,
        rules.filter((rule) => name === undefined || rule.name === name),
      )
      return { cleared: name === undefined ? active : [name] }
    },
  } satisfies Action<unknown>
}

/**
 * Sends a signal to the scenario. The signal is kept until a step that waits for it consumes it.
 */
export function signal(instance: Instance, { name }: { name: string }) {
  return {
    commands: [{ type: 'signal', name }],
    result: () => {
      const { state, step } = instance.simulation().progress
      return { name, state, step }
    },
  } satisfies Action<unknown>
}

/**
 * Mints test tokens to an account, in whole tokens unless `wei` is given. The result is its
 * balance.
 */
export function faucet(
  instance: Instance,
  {
    address,
    tokens,
    wei,
  }: {
    address: string
    tokens?: string | undefined
    wei?: string | undefined
  },
) {
  const who = addressOf(address)
  const amount = wei === undefined ? weiOf(tokens ?? '100') : BigInt(wei)
  const balance = () => instance.world.ethereum?.account(instance.simulation().node.chain.app, who).wei
  return {
    commands: [{ type: 'edit', edits: [{ type: 'addBalance', address: who, amount }] }],
    result: () => ({ address, wei: String(balance() ?? 0n) }),
  } satisfies Action<unknown>
}

/** Returns the bytes of a 0x or bech32 address. */
function addressOf(text: string): Uint8Array {
  const bytes = addressBytes(text)
  if (bytes !== undefined) return bytes
  throw new ActionRefused(
    `expected an address, received "${text}"${whyNotBech32(text)}`,
    'An address is 0x and 40 hex digits, or cosmos1…',
  )
}

/** Returns what is wrong with an address that looks like bech32, after a colon. */
function whyNotBech32(text: string): string {
  if (!/^[a-z]+1/i.test(text)) return ''
  try {
    return `: it has ${readBech32(text).bytes.length} bytes instead of 20`
  } catch (error) {
    if (error instanceof Bech32Error) return `: ${error.message}`
    throw error
  }
}

function weiOf(text: string): bigint {
  const match = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null) {
    throw new ActionRefused(`expected an amount in whole tokens like 1.5, received "${text}"`)
  }
  return BigInt(`${match[1] ?? '0'}${(match[2] ?? '').padEnd(18, '0')}`)
}
