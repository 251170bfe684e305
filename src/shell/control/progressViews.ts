/** The control API's views of faults, scenario and journal. */
import { hexOf } from '../../codec/hex.ts'
import { maskedText } from '../../fault/openCalls.ts'
import type { FaultRule } from '../../fault/rule.ts'
import { rulesOff } from './faultsOff.ts'
import { noCount } from '../../fault/select.ts'
import { missingText } from '../../scenario/stopped.ts'
import { countsOf, recentCalls } from '../../simulation/journal.ts'
import { sightOf } from '../../simulation/sight.ts'
import type { Exchange } from '../exchanges.ts'
import { methodsIn } from '../methodsIn.ts'
import type { Instance } from '../ports.ts'

/** Returns the active faults with their counts, and the faults that can be turned on. */
export function faultsView(instance: Instance) {
  const { node, plan } = instance.simulation()
  const unsaved = rulesOff(instance).filter(({ name }) => plan.faults.every((rule) => rule.name !== name))
  const countsOf = ({ name }: FaultRule) => {
    const { matched, applied, masked } = node.faults.counts.get(name) ?? noCount
    return { name, matched, applied, masked }
  }
  const active = node.faults.active.map(({ rule, untilMs, untilHeight }) => {
    return {
      ...countsOf(rule),
      untilMs: untilMs === undefined ? null : Number(untilMs),
      leftMs: untilMs === undefined ? null : leftUntil(instance, untilMs),
      untilHeight: untilHeight === undefined ? null : Number(untilHeight),
      rule: plainOf(rule),
    }
  })
  const names = new Set(active.map(({ name }) => name))
  return {
    active,
    masked: node.faults.masked.map((one) => ({ ...one, timeMs: Number(one.timeMs), text: maskedText(one) })),
    available: [...plan.faults, ...unsaved]
      .filter(({ name }) => !names.has(name))
      .map((rule) => ({ ...countsOf(rule), rule: plainOf(rule) })),
  }
}

/** Returns the steps and rules of the scenario, each with its progress. */
export function scenarioView(instance: Instance) {
  const { simulation, world } = instance
  const { plan, progress } = simulation()
  const sight = sightOf(world, simulation())
  return {
    name: plan.name,
    description: plan.description,
    digest: plan.digest,
    seed: plan.seed,
    state: progress.state,
    generation: progress.generation,
    signals: progress.signals,
    steps: plan.steps.map((step, index) => {
      const failures = progress.failures.filter((one) => one.step === step.id).map(({ text }) => text)
      return {
        id: step.id,
        source: step.source,
        state: stateOf(index, progress, failures),
        failures,
        when: plainOf(step.when),
        actions: plainOf(step.actions),
        expectations: plainOf(step.expectations),
        ...(index === progress.step && progress.state === 'running'
          ? {
              missing: missingText(plan, progress, sight),
              met: progress.met.length,
              fired: progress.watch.fired,
              times: step.times ?? 1,
              leftMs: leftUntil(instance, progress.watch.since.timeMs + step.timeoutMs),
            }
          : {}),
        waitsFor: step.when.type === 'signal' ? step.when.name : null,
      }
    }),
    rules: (plan.rules ?? []).map((rule) => ({
      id: rule.id,
      source: rule.source,
      when: plainOf(rule.when),
      actions: plainOf(rule.actions),
      phase: rule.phase ?? null,
      times: rule.times ?? null,
      fired: progress.rules[rule.id]?.watch.fired ?? 0,
      failures: progress.failures.filter(({ step }) => step === rule.id).map(({ text }) => text),
    })),
    failures: progress.failures,
  }
}

/** Returns the milliseconds from now until a simulation time; 0 for one that is over. */
function leftUntil({ nowMs }: Instance, timeMs: bigint): number {
  return Math.max(0, Number(timeMs - nowMs()))
}

type StepProgress = {
  readonly step: number
  readonly phase: 'waiting' | 'delayed' | 'checking'
  readonly state: string
}

function stateOf(index: number, { step, phase, state }: StepProgress, failures: readonly string[]): string {
  if (failures.length > 0) return 'failed'
  if (index < step) return 'done'
  if (state === 'failed') return 'skipped'
  return index > step ? 'to come' : phase
}

/**
 * Returns client requests with their responses, newest first, and the number of calls per method.
 */
export function journalView({ simulation, exchanges }: Instance, limit: number) {
  const { journal } = simulation()
  const faults = new Map(recentCalls(journal).map((one) => [one.seq, one]))
  const recent = exchanges.recent(limit).toReversed()
  return {
    counts: Object.fromEntries(countsOf(journal)),
    dropped: journal.dropped,
    recent: recent.map((one) => summaryOf(one, faults.get(one.seq))),
  }
}

type Record = {
  readonly method: string
  readonly outcome: string
  readonly faults: readonly string[]
}

function summaryOf(exchange: Exchange, record: Record | undefined) {
  const { seq, timeMs, side, transport, tookMs, status, request } = exchange
  return {
    seq,
    timeMs,
    side,
    transport,
    tookMs: tookMs ?? null,
    status: status ?? null,
    method: methodsIn(request) ?? record?.method ?? request.slice(0, 80),
    outcome: record?.outcome ?? (tookMs === undefined ? 'owed' : 'none'),
    faults: record?.faults ?? [],
  }
}

/** Returns one exchange in full, or undefined if it is no longer kept. */
export function exchangeView({ exchanges, simulation }: Instance, seq: number) {
  const found = exchanges.at(seq)
  if (found === undefined) return undefined
  const calls = recentCalls(simulation().journal).filter((one) => one.seq === seq)
  return {
    ...found,
    calls: calls.map(({ timeMs, delayMs, height, ...rest }) => ({
      ...rest,
      ...(height === undefined ? {} : { height: Number(height) }),
      timeMs: Number(timeMs),
      delayMs: Number(delayMs),
    })),
  }
}

/** Returns a value as plain JSON: big numbers as decimal text, bytes as hex. */
function plainOf(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => {
      if (one instanceof Uint8Array) return hexOf(one)
      return typeof one === 'bigint' ? String(one) : one
    }),
  ) as unknown
}
