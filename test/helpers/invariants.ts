/**
 * What must hold of the state of a chain, whatever messages did: read from the stores' own bytes.
 */
import { Delegation, UnbondingDelegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { FeePool, ValidatorOutstandingRewards } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import { Deposit } from 'cosmjs-types/cosmos/gov/v1/gov'
import { createHash } from 'node:crypto'
import type { FinalizeBlockResult, Misbehavior } from '../../src/app/abci.ts'
import { ed25519Address } from '../../src/crypto/ed25519.ts'
import type { MessageChain } from './messageChain.ts'
import { quickChain, randomMessage, randomOf, type Random } from './randomMessages.ts'

const moduleHex = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 40)
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Returns what does not hold. */
export function broken(chain: MessageChain): string[] {
  const found: string[] = []
  const expect = (what: string, a: bigint, b: bigint): void => {
    if (a !== b) found.push(`${what}: ${a} is not ${b}`)
  }
  const balances = balancesOf(chain, found)
  const sum = (values: Iterable<bigint>): bigint => [...values].reduce((a, b) => a + b, 0n)
  for (const [key, value] of chain.store('bank', 0)) {
    const denom = Buffer.from(key.subarray(1)).toString()
    expect(`supply of ${denom}`, BigInt(Buffer.from(value).toString()), sum(balances.get(denom)?.values() ?? []))
  }
  const held = (name: string): bigint => balances.get('atest')?.get(moduleHex(name)) ?? 0n
  const validators = [...chain.store('staking', 0x21)].map(([, value]) => Validator.decode(value))
  const delegations = [...chain.store('staking', 0x31)].map(([, value]) => Delegation.decode(value))
  const unbondings = [...chain.store('staking', 0x32)].map(([, value]) => UnbondingDelegation.decode(value))
  for (const { operatorAddress, delegatorShares, tokens } of validators) {
    const own = delegations.filter(({ validatorAddress }) => validatorAddress === operatorAddress)
    expect(`shares of ${operatorAddress}`, BigInt(delegatorShares), sum(own.map(({ shares }) => BigInt(shares))))
    if (BigInt(tokens) < 0n) found.push(`${operatorAddress} has ${tokens} tokens`)
  }
  if (delegations.some(({ shares }) => BigInt(shares) <= 0n)) {
    found.push('a delegation without shares')
  }
  const tokens = (isBonded: boolean): bigint =>
    sum(validators.filter(({ status }) => (status === 3) === isBonded).map((each) => BigInt(each.tokens)))
  const waiting = sum(unbondings.flatMap(({ entries }) => entries.map(({ balance }) => BigInt(balance))))
  expect('bonded pool', held('bonded_tokens_pool'), tokens(true))
  expect('not bonded pool', held('not_bonded_tokens_pool'), tokens(false) + waiting)
  const deposits = [...chain.store('gov', 0x10)].map(([, value]) => Deposit.decode(value))
  expect('deposits', held('gov'), sum(deposits.flatMap(({ amount }) => amount.map((coin) => BigInt(coin.amount)))))
  const outstanding = [...chain.store('distribution', 2)].flatMap(
    ([, value]) => ValidatorOutstandingRewards.decode(value).rewards,
  )
  const pool = [...chain.store('distribution', 0)].flatMap(([, value]) => FeePool.decode(value).communityPool)
  const owed = sum([...outstanding, ...pool].map(({ amount }) => BigInt(amount)))
  expect('rewards and community pool', held('distribution'), owed / 10n ** 18n)
  const power = sum(chain.validators.map((each) => each.power))
  const bonded = validators.filter(({ status }) => status === 3)
  expect('power', power, sum(bonded.map((each) => BigInt(each.tokens) / 10n ** 18n)))
  return found
}

function balancesOf(chain: MessageChain, found: string[]): Map<string, Map<string, bigint>> {
  const balances = new Map<string, Map<string, bigint>>()
  for (const [key, value] of chain.store('bank', 2)) {
    const end = 2 + (key[1] ?? 0)
    const denom = Buffer.from(key.subarray(end)).toString()
    const amount = BigInt(Buffer.from(value).toString())
    if (amount <= 0n) found.push(`${hex(key)} has ${amount}`)
    const of = balances.get(denom) ?? new Map<string, bigint>()
    balances.set(denom, of.set(hex(key.subarray(2, end)), amount))
  }
  return balances
}

export type Step = {
  readonly seconds: number
  readonly txs: readonly Uint8Array[]
  readonly absent: readonly string[]
  readonly misbehavior: readonly Misbehavior[]
}

export type Played = {
  readonly chain: MessageChain
  readonly steps: readonly Step[]
  readonly broken: readonly string[]
  /** How many messages of each kind succeeded. */
  readonly succeeded: ReadonlyMap<string, number>
}

const perBlock = 20

/** Runs random messages in blocks, with absent and faulty validators and jumps of time. */
export function playRandom(seed: number, count: number): Played {
  const chain = quickChain()
  const random = randomOf(seed)
  const steps: Step[] = []
  const succeeded = new Map<string, number>()
  for (let done = 0; done < count; done += perBlock) {
    const messages = Array.from({ length: perBlock }, () => randomMessage(chain, random))
    const sequences = new Map<string, bigint>()
    const txs = messages.map(({ from, message }) => {
      const sequence = sequences.get(from.address) ?? chain.account(from.address).sequence
      sequences.set(from.address, sequence + 1n)
      return chain.signed(from, [message], { sequence, gas: 1_000_000n })
    })
    const step = {
      seconds: random(8),
      txs,
      absent: absentOf(chain, random),
      misbehavior: faultsOf(chain, random),
    }
    steps.push(step)
    const { txResults } = playStep(chain, step)
    txResults.forEach(({ code }, at) => {
      const name = messages[at]?.message.typeUrl ?? ''
      if (code === 0) succeeded.set(name, (succeeded.get(name) ?? 0) + 1)
    })
    const found = broken(chain)
    if (found.length > 0) return { chain, steps, broken: [`after ${done}`, ...found], succeeded }
  }
  return { chain, steps, broken: [], succeeded }
}

/** Runs the blocks once more; returns the app hash. */
export function replay(steps: readonly Step[]): string {
  const chain = quickChain()
  for (const step of steps) playStep(chain, step)
  return hex(chain.state.appHash)
}

function playStep(chain: MessageChain, { seconds, txs, absent, misbehavior }: Step): FinalizeBlockResult {
  chain.time += BigInt(seconds)
  chain.absent.clear()
  for (const each of absent) chain.absent.add(each)
  return chain.block(txs, misbehavior)
}

/** One and the same validator of the set stays away for long stretches. */
function absentOf({ validators, state }: MessageChain, random: Random): string[] {
  const stretch = Number(state.height / 25n)
  const one = validators[stretch % validators.length]
  if (one === undefined || validators.length < 2 || stretch % 2 === 0 || random(5) === 0) return []
  return [hex(ed25519Address(one.publicKey.bytes))]
}

function faultsOf({ validators, state, time }: MessageChain, random: Random): Misbehavior[] {
  const one = validators[random(validators.length)]
  if (one === undefined || validators.length < 3 || random(60) > 0) return []
  return [
    {
      type: 'duplicateVote',
      address: ed25519Address(one.publicKey.bytes),
      power: one.power,
      height: state.height - 1n,
      time: { seconds: time - 1n, nanos: 0 },
      totalPower: 0n,
    },
  ]
}
