import { bytesOfHex } from '../codec/hex.ts'
import type { Action, Expectation, PlanStep, Trigger } from '../node/plan.ts'
import type { ActionFile, ExpectationFile, StepFile, TriggerFile } from './schema.ts'

const defaultTimeoutMs = 60_000n

/** `place` gives file and line of a path inside the step, for reports. */
export type StepPlaces = { readonly place: (path: readonly (string | number)[]) => string }

/** Returns the step a file describes; one without `when` runs as soon as the one before is done. */
export function compileStep(step: StepFile, index: number, { place }: StepPlaces): PlanStep {
  return {
    id: step.id ?? `step-${index + 1}`,
    when: triggerOf(step.when),
    actions: (step.do ?? []).map(actionOf),
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

function actionOf(action: ActionFile): Action {
  if (action.fault !== undefined) {
    const span = action.fault.for
    return {
      type: 'useFault', name: action.fault.use,
      forMs: span && 'ms' in span ? span.ms : undefined,
      forBlocks: span && 'blocks' in span ? span.blocks : undefined,
    }
  }
  if (action.clearFault !== undefined) {
    return { type: 'clearFault', name: action.clearFault === '*' ? undefined : action.clearFault }
  }
  if (action.call !== undefined) {
    const { iface, method, params } = action.call
    return { type: 'call', side: iface, method, params: JSON.stringify(params ?? []) }
  }
  if (action.log !== undefined) return { type: 'log', text: action.log }
  return { type: 'command', command: commandOf(action) }
}

function commandOf(action: ActionFile): Extract<Action, { type: 'command' }>['command'] {
  const { mine, timeJump, setBlockTime, blocks, setBalance, setNonce, setCode, setStorage } = action
  if (action.mempool !== undefined) return { type: 'flushMempool' }
  if (action.node !== undefined) return { type: 'prune', below: BigInt(action.node.prunedBelow) }
  if (mine !== undefined) return { type: 'produceBlock', count: mine }
  if (timeJump !== undefined) return { type: 'advanceTime', ms: timeJump }
  if (setBlockTime !== undefined) return { type: 'setBlockPolicy', policy: { intervalMs: setBlockTime } }
  if (blocks !== undefined) return { type: 'setBlockPolicy', policy: { paused: blocks === 'pause' } }
  const edit = setBalance ? { type: 'setBalance', address: bytesOfHex(setBalance.address), amount: setBalance.amount } as const
    : setNonce ? { type: 'setNonce', address: bytesOfHex(setNonce.address), nonce: BigInt(setNonce.nonce) } as const
      : setCode ? { type: 'setCode', address: bytesOfHex(setCode.address), code: bytesOfHex(setCode.code) } as const
        : setStorage ? { type: 'setStorage', address: bytesOfHex(setStorage.address), slot: bytesOfHex(setStorage.slot), value: bytesOfHex(setStorage.value) } as const
          : undefined
  return { type: 'edit', edits: edit === undefined ? [] : [edit] }
}

function expectationOf(one: ExpectationFile, source: string): Expectation {
  const common = { withinMs: one.within, source }
  if ('height' in one) {
    return { ...common, type: 'height', min: bigintOf(one.height.min), max: bigintOf(one.height.max) }
  }
  if ('balance' in one) {
    const { address, min, max } = one.balance
    return { ...common, type: 'balance', address: bytesOfHex(address), min, max }
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
