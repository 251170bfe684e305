/** Plans to stop at a height for another program (x/upgrade). */
import { int64, type Message, message, nested, text } from '../../../../codec/protobuf/message.ts'
import { type Time, zeroTime } from '../../../../data/time.ts'
import type { Context, Handler } from '../../context.ts'
import { sdkError } from '../../txError.ts'
import { timeField } from '../../wire.ts'

export type Plan = { name: string; height: bigint; info: string }

const planMessage = message<Plan>({ 1: ['name', text], 3: ['height', int64], 4: ['info', text] })
// Plans have no time any more; the SDK still writes Go's zero time in its place.
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

/** Makes a handler that only x/gov's account may use. */
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

/** Sets the plan of an upgrade, or takes it back. */
export function setUpgradePlan(context: Pick<Context, 'store'>, plan: Plan | undefined): void {
  const store = context.store('upgrade')
  if (plan === undefined) return store.delete(planKey)
  store.set(planKey, storedPlan.encode({ ...plan, time: zeroTime }))
}

/** Returns the plan of an upgrade, or undefined. */
function upgradePlan(context: Pick<Context, 'store'>): Plan | undefined {
  const value = context.store('upgrade').get(planKey)
  return value === undefined ? undefined : storedPlan.decode(value)
}

/**
 * Returns why no block of a height can be made; undefined when it can. There is no program to
 * change to here, so a plan stops the chain at its height, as it stops a node that was not
 * replaced.
 */
export function upgradeNeeded(context: Pick<Context, 'store'>, height: bigint): string | undefined {
  const plan = upgradePlan(context)
  if (plan === undefined || plan.height > height) return undefined
  return `UPGRADE "${plan.name}" NEEDED at height: ${plan.height}: ${plan.info}`
}
