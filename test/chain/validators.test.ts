import test from 'ava'
import { firstSet, incremented, updated, validatorAddress } from '../../src/chain/validators.ts'
import type { ValidatorSet } from '../../src/chain/block.ts'
import { golden } from '../golden.ts'
import { fromBase64, toHex, type WireHeader } from '../helpers/cometJson.ts'

type WireValidator = { address: string; voting_power: string; proposer_priority: string }
type Vectors = {
  two: {
    blocks: {
      height: string
      header: WireHeader
      validators: WireValidator[]
      commit: { round: number }
      validator_updates: null | unknown[]
    }[]
    validators: { address: string; pub_key: { value: string }; voting_power: string }[]
  }
}
const { two } = golden<Vectors>('vectors-a.json')

const key = (first: number) => ({ type: 'ed25519' as const, bytes: Uint8Array.of(first) })

function shown({ validators }: ValidatorSet): string {
  return validators.map(({ priority }) => String(priority)).join(',')
}

/** Three keys whose addresses ascend, as the vector wants. */
function ascendingKeys() {
  return [1, 2, 3].map(key).toSorted((a, b) => (toHex(validatorAddress(a)) < toHex(validatorAddress(b)) ? -1 : 1))
}

test('proposers take turns by power, with the priorities of the reference', (t) => {
  const powers = [10n, 5n, 1n]
  let set = firstSet(ascendingKeys().map((publicKey, index) => ({ publicKey, power: powers[index] ?? 0n })))
  const proposers: string[] = []
  const priorities: string[] = []
  for (let height = 1; height <= 8; height++) {
    proposers.push('ABC'.charAt(set.proposer))
    priorities.push(shown(set))
    set = incremented(set, 1)
  }
  t.is(proposers.join(''), 'ABAABACA')
  t.deepEqual(priorities, ['-6,5,1', '4,-6,2', '-2,-1,3', '-8,4,4', '2,-7,5', '-4,-2,6', '6,3,-9', '0,8,-8'])
})

test('a real chain of two validators has these priorities at every height', (t) => {
  const quiet = two.blocks.slice(
    0,
    two.blocks.findIndex(({ validators, validator_updates }) => validators.length !== 2 || validator_updates !== null),
  )
  const genesis = two.validators.map(({ pub_key, voting_power }) => ({
    publicKey: { type: 'ed25519' as const, bytes: fromBase64(pub_key.value) },
    power: BigInt(voting_power),
  }))
  t.true(quiet.length > 5)
  let set: ValidatorSet | undefined
  for (const { validators } of quiet) {
    const matches = validators.every((one) => genesis.some(({ power }) => String(power) === one.voting_power))
    if (!matches) break
    set = set === undefined ? startAt(genesis, validators) : incremented(set, 1)
    t.deepEqual(
      set.validators.map(({ address, priority }) => [toHex(address), String(priority)]),
      validators.map(({ address, proposer_priority }) => [address, proposer_priority]),
    )
  }
})

/**
 * The recording may begin after the set was made: priorities of its first height, then by the
 * rules.
 */
function startAt(genesis: Parameters<typeof firstSet>[0], first: WireValidator[]): ValidatorSet {
  const { validators } = firstSet(genesis)
  return {
    validators: validators.map((one, index) => ({ ...one, priority: BigInt(first[index]?.proposer_priority ?? 0) })),
    proposer: 0,
  }
}

test('a validator that enters waits longest, one that leaves is gone, one that changes keeps its place', (t) => {
  const [a, b, c] = ascendingKeys()
  if (a === undefined || b === undefined || c === undefined) return t.fail()
  const set = firstSet([
    { publicKey: a, power: 10n },
    { publicKey: b, power: 10n },
  ])
  const joined = updated(set, [{ publicKey: c, power: 20n }])
  t.deepEqual(
    joined.validators.map(({ power }) => power),
    [20n, 10n, 10n],
  )
  t.deepEqual(
    joined.validators.map(({ priority }) => priority),
    [-30n, 5n, 25n],
  )
  const left = updated(joined, [{ publicKey: a, power: 0n }])
  t.deepEqual(
    left.validators.map(({ address }) => toHex(address)),
    [c, b].map((one) => toHex(validatorAddress(one))),
  )
})
