/** Upgrade plans, which halt the chain at a height until the binary is replaced (x/upgrade). */
import { bytes, int64, type Message, message, nested, text } from '../../../../codec/protobuf/message.ts'
import { timestamp } from '../../../../codec/protobuf/timestamp.ts'
import { compareTime, type Time, zeroTime } from '../../../../data/time.ts'
import type { Context, Handler } from '../../context.ts'
import { sdkError } from '../../txError.ts'
import { timeField } from '../../wire.ts'

export type Plan = { name: string; height: bigint; info: string }

/** A plan in a message, with the members that the SDK no longer supports. */
type AskedPlan = Plan & { time: Time | undefined; clientState: Uint8Array }
const planMessage = message<AskedPlan>({
  1: ['name', text],
  2: ['time', nested(timestamp)],
  3: ['height', int64],
  4: ['info', text],
  5: ['clientState', bytes],
})
// Plans no longer have a time, but the SDK still writes Go's zero time.
const storedPlan = message<Plan & { time: Time }>({
  1: ['name', text],
  2: ['time', timeField],
  3: ['height', int64],
  4: ['info', text],
})
const msgUpgrade = message<{ authority: string; plan: AskedPlan | undefined }>({
  1: ['authority', text],
  2: ['plan', nested(planMessage)],
})
const planKey = Uint8Array.of(0)

/** Returns a handler of messages that only x/gov's account may send. */
type ForGov = <Value extends { authority: string }>(
  codec: Message<Value>,
  run: (context: Context, asked: Value) => void,
) => Handler

/** Returns the messages of x/upgrade. */
export function upgradeMessages(forGov: ForGov): Readonly<Record<string, Handler>> {
  return {
    '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade': forGov(msgUpgrade, (context, { plan }) => schedule(context, plan)),
    '/cosmos.upgrade.v1beta1.MsgCancelUpgrade': forGov(msgUpgrade, (context) => {
      context.store('upgrade').delete(planKey)
    }),
  }
}

function schedule(context: Context, plan: AskedPlan | undefined): void {
  if (plan?.time !== undefined && compareTime(plan.time, zeroTime) !== 0) {
    throw sdkError('invalidRequest', 'time-based upgrades have been deprecated in the SDK')
  }
  if (plan !== undefined && plan.clientState.length > 0) {
    throw sdkError('invalidRequest', 'upgrade logic for IBC has been moved to the IBC module')
  }
  if (plan === undefined || plan.name === '') {
    throw sdkError('invalidRequest', 'name cannot be empty')
  }
  if (plan.height <= 0n) throw sdkError('invalidRequest', 'height must be greater than 0')
  if (plan.height < context.block.height) {
    throw sdkError('invalidRequest', 'upgrade cannot be scheduled in the past')
  }
  const { name, height, info } = plan
  setUpgradePlan(context, { name, height, info })
}

/** Stores an upgrade plan; undefined cancels it. */
export function setUpgradePlan(context: Pick<Context, 'store'>, plan: Plan | undefined): void {
  const store = context.store('upgrade')
  if (plan === undefined) return store.delete(planKey)
  store.set(planKey, storedPlan.encode({ ...plan, time: zeroTime }))
}

/** Returns the upgrade plan, or undefined. */
export function upgradePlan(context: Pick<Context, 'store'>): Plan | undefined {
  const value = context.store('upgrade').get(planKey)
  return value === undefined ? undefined : storedPlan.decode(value)
}

/**
 * Returns why no block can be mined at a height; undefined if one can. chainstage cannot switch
 * binaries, so a plan halts the chain at its height, like a node that was not replaced.
 */
export function upgradeNeeded(context: Pick<Context, 'store'>, height: bigint): string | undefined {
  const plan = upgradePlan(context)
  if (plan === undefined || plan.height > height) return undefined
  return `UPGRADE "${plan.name}" NEEDED at height: ${plan.height}: ${plan.info}`
}
