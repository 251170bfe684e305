/** Upgrade plans, which halt the chain at a height until the binary is replaced (x/upgrade). */
import { int64, type Message, message, nested, text } from '../../../../codec/protobuf/message.ts'
import { type Time, zeroTime } from '../../../../data/time.ts'
import type { Context, Handler } from '../../context.ts'
import { sdkError } from '../../txError.ts'
import { timeField } from '../../wire.ts'

export type Plan = { name: string; height: bigint; info: string }

const planMessage = message<Plan>({ 1: ['name', text], 3: ['height', int64], 4: ['info', text] })
// Plans no longer have a time, but the SDK still writes Go's zero time.
const storedPlan = message<Plan & { time: Time }>({
  1: ['name', text],
  2: ['time', timeField],
  3: ['height', int64],
  4: ['info', text],
})
const msgUpgrade = message<{ authority: string; plan: Plan | undefined }>({
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

function schedule(context: Context, plan: Plan | undefined): void {
  if (plan === undefined || plan.name === '') {
    throw sdkError('invalidRequest', 'name cannot be empty')
  }
  if (plan.height <= 0n) throw sdkError('invalidRequest', 'height must be greater than 0')
  if (plan.height < context.block.height) {
    throw sdkError('invalidRequest', 'upgrade cannot be scheduled in the past')
  }
  setUpgradePlan(context, plan)
}

/** Stores an upgrade plan; undefined cancels it. */
export function setUpgradePlan(context: Pick<Context, 'store'>, plan: Plan | undefined): void {
  const store = context.store('upgrade')
  if (plan === undefined) return store.delete(planKey)
  store.set(planKey, storedPlan.encode({ ...plan, time: zeroTime }))
}

/** Returns the upgrade plan, or undefined. */
function upgradePlan(context: Pick<Context, 'store'>): Plan | undefined {
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
