import type { Expectation, PlanStep, Trigger } from '../node/plan.ts'
import { compileAction } from './compileAction.ts'
import type { ExpectationFile } from './expectationSchema.ts'
import type { StepFile } from './stepSchema.ts'
import type { TriggerFile } from './triggerSchema.ts'

const defaultTimeoutMs = 60_000n

/** `place` gives file and line of a path inside the step, for reports. */
export type StepPlaces = { readonly place: (path: readonly (string | number)[]) => string }

/** Returns the step a file describes; one without `when` runs as soon as the one before is done. */
export function compileStep(step: StepFile, index: number, { place }: StepPlaces): PlanStep {
  return {
    id: step.id ?? `step-${index + 1}`,
    when: triggerOf(step.when),
    actions: (step.do ?? []).map(compileAction),
    expectations: (step.expect ?? []).map((one, at) => expectationOf(one, place(['expect', at]))),
    timeoutMs: step.timeout ?? defaultTimeoutMs,
    onFail: step.onFail ?? 'abort',
    source: place([]),
  }
}

function triggerOf(when: TriggerFile | undefined): Trigger {
  if (when === undefined) return { type: 'immediately' }
  if ('height' in when) {
    return typeof when.height === 'number'
      ? { type: 'height', height: BigInt(when.height) }
      : { type: 'blocks', count: BigInt(when.height.slice(1)) }
  }
  if ('blocks' in when) return { type: 'blocks', count: BigInt(when.blocks) }
  if ('after' in when) return { type: 'after', ms: when.after }
  if ('time' in when) return { type: 'time', ms: when.time }
  if ('signal' in when) return { type: 'signal', name: when.signal }
  const { iface, method, nth } = when.request
  return { type: 'request', side: iface, method, nth: nth ?? 1 }
}

function expectationOf(one: ExpectationFile, source: string): Expectation {
  const common = { withinMs: one.within, source }
  if ('height' in one) {
    return { ...common, type: 'height', min: bigintOf(one.height.min), max: bigintOf(one.height.max) }
  }
  if ('balance' in one) {
    const { address, min, max } = one.balance
    return { ...common, type: 'balance', who: address, min, max }
  }
  if ('fault' in one) {
    return { ...common, type: 'faultApplied', name: one.fault, min: one.applied.min ?? 0, max: one.applied.max }
  }
  if ('calls' in one) {
    return { ...common, type: 'calls', method: one.calls.method, min: one.count.min ?? 0, max: one.count.max }
  }
  const { iface, method, params } = one.rpc
  return {
    ...common, type: 'rpc', side: iface, method, params: JSON.stringify(params ?? []),
    path: one.path ?? '', equals: JSON.stringify(one.equals),
  }
}

function bigintOf(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value)
}
