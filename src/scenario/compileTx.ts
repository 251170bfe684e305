import type { z } from 'zod'
import { bytesOfHex } from '../codec/hex.ts'
import { keccakOfText } from '../crypto/hash.ts'
import type { Coins, PlannedCosmosTx, PlannedData, PlannedMessage, PlannedTx } from '../plan/action.ts'
import type { cosmosMessage, cosmosTx, deploy, sendTx } from './txSchema.ts'

const noData: PlannedData = { head: new Uint8Array(0), types: '', args: [] }

/** Returns the compiled Ethereum transaction. */
export function compileSend({ to, data, call, ...rest }: z.output<typeof sendTx>): PlannedTx {
  const called = call === undefined ? undefined : callData(call.fn, call.args ?? [])
  const plain = data === undefined ? noData : { ...noData, head: bytesOfHex(data) }
  return { ...commonOf(rest), to: to ?? call?.contract, data: called ?? plain }
}

/** Returns the compiled transaction that deploys a contract. */
export function compileDeploy({
  bytecode = '0x',
  types,
  args,
  artifact: _,
  ...rest
}: z.output<typeof deploy>): PlannedTx {
  return {
    ...commonOf(rest),
    to: undefined,
    data: { head: bytesOfHex(bytecode), types: types ?? '', args: args ?? [] },
  }
}

/**
 * Returns the data of a call: the selector (four bytes of the signature's hash), then the
 * arguments.
 */
function callData(fn: string, args: readonly unknown[]): PlannedData {
  const head = keccakOfText(fn).slice(0, 4)
  return { head, types: fn.slice(fn.indexOf('(') + 1, -1), args }
}

type Common = Omit<z.output<typeof sendTx>, 'to' | 'data' | 'call'>

function commonOf({
  from,
  value,
  nonce,
  gas,
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
  as,
  allowRevert,
  label,
}: Common): Omit<PlannedTx, 'to' | 'data'> {
  return {
    type: 'sendTx',
    from,
    value: value ?? 0n,
    nonce: typeof nonce === 'number' ? BigInt(nonce) : nonce,
    gas: gas === undefined ? undefined : BigInt(gas),
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    name: as,
    allowRevert: allowRevert ?? false,
    ...(label !== undefined && { labels: label }),
  }
}

/** Returns the compiled Cosmos transaction. */
export function compileCosmosTx(given: z.output<typeof cosmosTx>): PlannedCosmosTx {
  const { from, messages, gas, fee, memo, sequence, as, allowRevert, label, broadcast } = given
  return {
    type: 'cosmosTx',
    from,
    messages: messages.map(messageOf),
    gas: BigInt(gas ?? 300_000),
    fee: fee === undefined ? undefined : coinsOf(fee),
    memo: memo ?? '',
    sequence: sequence === undefined ? undefined : BigInt(sequence),
    name: as,
    allowRevert: allowRevert ?? false,
    ...(label !== undefined && { labels: label }),
    ...(broadcast !== undefined && { broadcast }),
  }
}

const options = { yes: 1, abstain: 2, no: 3, noWithVeto: 4 } as const

function messageOf(one: z.output<typeof cosmosMessage>): PlannedMessage {
  if ('send' in one) return { type: 'send', to: one.send.to, coins: coinsOf(one.send.amount) }
  if ('delegate' in one)
    return {
      type: 'delegate',
      validator: one.delegate.validator,
      coins: coinsOf(one.delegate.amount),
    }
  if ('undelegate' in one)
    return {
      type: 'undelegate',
      validator: one.undelegate.validator,
      coins: coinsOf(one.undelegate.amount),
    }
  if ('redelegate' in one) {
    const { from, to, amount } = one.redelegate
    return { type: 'redelegate', source: from, target: to, coins: coinsOf(amount) }
  }
  if ('withdrawRewards' in one) {
    return { type: 'withdrawRewards', validator: one.withdrawRewards.validator }
  }
  if ('vote' in one) {
    return { type: 'vote', proposal: BigInt(one.vote.proposal), option: options[one.vote.option] }
  }
  return { type: 'raw', typeUrl: one.raw.typeUrl, value: bytesOfHex(one.raw.value) }
}

function coinsOf(text: string): Coins {
  const [, amount = '', denom = ''] = /^(\d+)(.*)$/.exec(text) ?? []
  return { denom, amount }
}
