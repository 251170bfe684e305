/** Changes of coins and stake that a transaction made in Cosmos modules, from its events. */
import type { AbciEvent } from '../../app/abci.ts'

/**
 * A change of the coins of an address, or of its stake with `validator`; `amount` is negative if
 * the address has less than before.
 */
export type ModuleChange = {
  readonly address: string
  readonly denom: string
  readonly validator: string | null
  readonly amount: string
}

type Sum = Omit<ModuleChange, 'amount'> & { amount: bigint }

/** Returns the changes of coins (bank) and stake (staking), without those that add up to zero. */
export function moduleChanges(events: readonly AbciEvent[]): readonly ModuleChange[] {
  const sums = new Map<string, Sum>()
  for (const event of events) {
    for (const [address, sign, validator] of partsOf(event, events)) {
      for (const coin of attributeOf(event, 'amount').split(',')) {
        const [, digits, denom = ''] = /^(\d+)(.+)$/.exec(coin) ?? []
        if (digits === undefined || address === '') continue
        const key = `${address} ${denom} ${validator}`
        const sum = sums.get(key) ?? { address, denom, validator, amount: 0n }
        sum.amount += sign * BigInt(digits)
        sums.set(key, sum)
      }
    }
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n).map((one) => ({ ...one, amount: String(one.amount) }))
}

const attributeOf = ({ attributes }: AbciEvent, key: string) => attributes.find((one) => one.key === key)?.value ?? ''

/** Address, sign, and validator for a change of stake. */
type Part = readonly [address: string, sign: bigint, validator: string | null]

function partsOf(event: AbciEvent, events: readonly AbciEvent[]): readonly Part[] {
  const value = (key: string) => attributeOf(event, key)
  switch (event.type) {
    case 'coin_spent':
      return [[value('spender'), -1n, null]]
    case 'coin_received':
      return [[value('receiver'), 1n, null]]
    case 'delegate':
      return [[value('delegator'), 1n, value('validator')]]
    case 'unbond':
      return [[value('delegator'), -1n, value('validator')]]
    case 'redelegate': {
      const delegator = value('delegator') || senderOf(event, events)
      return [
        [delegator, -1n, value('source_validator')],
        [delegator, 1n, value('destination_validator')],
      ]
    }
    default:
      return []
  }
}

/** Returns the sender of the message that emitted an event. */
function senderOf(event: AbciEvent, events: readonly AbciEvent[]): string {
  const place = attributeOf(event, 'msg_index')
  const told = events.find(
    (one) => one.type === 'message' && attributeOf(one, 'sender') !== '' && attributeOf(one, 'msg_index') === place,
  )
  return told === undefined ? '' : attributeOf(told, 'sender')
}
