import { verify } from 'node:crypto'
import test from 'ava'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import { commitHash, headerHash, voteSignBytes } from '../../src/chain/hashing.ts'
import { recordAt } from '../../src/chain/history.ts'
import { txByHash } from '../../src/chain/lookups.ts'
import { step } from '../../src/chain/step.ts'
import { totalPower } from '../../src/chain/validators.ts'
import { toHex } from '../helpers/cometJson.ts'
import { kvChain } from '../helpers/kvChain.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function produced(world: ChainWorld, chain: Chain, count: number): Chain {
  return step(world, chain, { type: 'produceBlock', count }, 0n).chain
}

function submitted(world: ChainWorld, chain: Chain, text: string) {
  return step(world, chain, { type: 'submitTx', tx: bytes(text), mode: 'admit' }, 0n)
}

function recordsOf(chain: Chain, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const record = recordAt(chain.history, BigInt(index + 1))
    if (record === undefined) throw new Error(`no block ${index + 1}`)
    return record
  })
}

test('each block points to the one before and is signed by more than two thirds, as a light client asks', (t) => {
  const { world, chain, keys } = kvChain({ validators: 4 })
  const records = recordsOf(produced(world, chain, 12), 12)
  for (const [
    index,
    {
      id,
      block: { header, lastCommit },
      seenCommit,
      validators,
    },
  ] of records.entries()) {
    t.is(toHex(headerHash(header)), toHex(id.hash))
    t.is(toHex(commitHash(lastCommit)), toHex(header.lastCommitHash))
    const before = records[index - 1]
    t.is(toHex(header.lastBlockId.hash), before === undefined ? '' : toHex(before.id.hash))
    if (before !== undefined) {
      t.deepEqual(lastCommit, before.seenCommit)
      t.is(toHex(header.validatorsHash), toHex(before.block.header.nextValidatorsHash))
    }
    let power = 0n
    for (const [place, { flag, address, time, signature }] of seenCommit.signatures.entries()) {
      if (flag !== 2) continue
      const key = keys.find((one) => one.address === toHex(address))
      const message = voteSignBytes({ type: 2, round: 0, height: header.height, blockId: id, time }, 'kv-1')
      t.true(key !== undefined && verify(null, message, key.publicKey, signature))
      power += validators.validators[place]?.power ?? 0n
    }
    t.true(power * 3n > totalPower(validators.validators) * 2n)
  }
})

test('proposers of equal power take turns', (t) => {
  const { world, chain } = kvChain({ validators: 4 })
  const proposers = recordsOf(produced(world, chain, 8), 8).map(({ block }) => toHex(block.header.proposerAddress))
  t.is(new Set(proposers.slice(0, 4)).size, 4)
  t.deepEqual(proposers.slice(4), proposers.slice(0, 4))
})

test('one of four validators may be down, two may not', (t) => {
  const { world, chain } = kvChain({ validators: 4 })
  const [a, b] = chain.validators.validators
  if (a === undefined || b === undefined) return t.fail()
  const down = step(world, chain, { type: 'setSigning', validator: a.address, up: false }, 0n).chain
  const one = produced(world, down, 2)
  t.is(one.height, 2n)
  t.deepEqual(
    recordAt(one.history, 2n)?.block.lastCommit.signatures.map(({ flag }) => flag),
    [1, 2, 2, 2],
  )
  const two = step(world, one, { type: 'setSigning', validator: b.address, up: false }, 0n).chain
  t.is(produced(world, two, 2).height, 2n)
})

test('a transaction is admitted, asks for a block, and is found in it', (t) => {
  const { world, chain } = kvChain()
  const { chain: waiting, outcome, then, events } = submitted(world, chain, 'a=1')
  t.like(outcome, { type: 'submitted', admitted: true, refusal: undefined })
  t.deepEqual(then, [{ type: 'produceBlock', ifWaiting: true }])
  t.deepEqual(
    events.map(({ type }) => type),
    ['txAccepted'],
  )
  const next = produced(world, waiting, 1)
  const hash = outcome.type === 'submitted' ? outcome.hash : new Uint8Array(0)
  t.is(txByHash(next.history, hash)?.height, 1n)
  t.like(submitted(world, next, 'a=1').outcome, { refusal: 'tx already exists in cache' })
})

test('what the application refuses may come again, what the mempool refuses has its words', (t) => {
  const { world, chain } = kvChain({ limits: { maxTxBytes: 10, size: 1 } })
  const refused = submitted(world, chain, 'nonsense')
  t.like(refused.outcome, { admitted: false, refusal: undefined, check: { code: 1 } })
  t.like(submitted(world, refused.chain, 'nonsense').outcome, { refusal: undefined })
  t.like(submitted(world, chain, 'a=0123456789').outcome, { refusal: 'Tx too large. Max size is 10, but got 12' })
  const full = submitted(world, chain, 'a=1').chain
  t.like(submitted(world, full, 'b=1').outcome, {
    refusal: 'mempool is full: number of txs 1 (max: 1), total txs bytes 3 (max: 1000000)',
  })
})

test('an old chain is a checkpoint: both go on from it without seeing each other', (t) => {
  const { world, chain } = kvChain()
  const base = produced(world, chain, 3)
  const left = produced(world, submitted(world, base, 'left=1').chain, 1)
  const right = produced(world, submitted(world, base, 'right=1').chain, 2)
  t.deepEqual([base.height, left.height, right.height], [3n, 4n, 5n])
  t.is(new TextDecoder().decode(recordAt(left.history, 4n)?.block.txs[0]), 'left=1')
  t.is(new TextDecoder().decode(recordAt(right.history, 4n)?.block.txs[0]), 'right=1')
  t.is(recordAt(base.history, 4n), undefined)
})

test('block time is logical by default and always grows', (t) => {
  const { world, chain } = kvChain()
  const first = produced(world, chain, 2)
  const later = step(world, first, { type: 'advanceTime', ms: 60_000n }, 0n).chain
  const set = step(world, produced(world, later, 1), { type: 'setNextBlockTime', ms: 0n, keep: false }, 0n).chain
  const times = recordsOf(produced(world, set, 2), 5).map(
    ({
      block: {
        header: { time },
      },
    }) => Number(time.seconds) * 1000 + time.nanos / 1e6,
  )
  const start = Date.parse('2025-01-01T00:00:00Z')
  t.deepEqual(
    times.map((one) => one - start),
    [0, 1000, 62_000, 62_001, 64_000],
  )
})

test('another step of block time holds from the next block on, and goes back', (t) => {
  const { world, chain } = kvChain()
  const run = (from: Chain, ms: bigint | undefined) =>
    produced(world, step(world, from, { type: 'setBlockStep', ms }, 0n).chain, 2)
  const last = run(run(run(chain, 5000n), 10n), undefined)
  const seconds = recordsOf(last, 6).map(
    ({
      block: {
        header: { time },
      },
    }) => Number(time.seconds) + time.nanos / 1e9 - 1735689600,
  )
  t.deepEqual(
    seconds.map((one) => Math.round(one * 1000)),
    [0, 5000, 5010, 5020, 6020, 7020],
  )
})

test('the last of two thousand empty blocks ask no more of the application than the first', (t) => {
  const { world, chain } = kvChain()
  let calls = 0
  const counted = {
    ...world,
    app: counting(world.app, () => {
      calls += 1
    }),
  }
  const half = produced(counted, chain, 1000)
  const first = calls
  t.is(produced(counted, half, 1000).height, 2000n)
  t.is(calls - first, first)
  t.true(first >= 2000, 'each block is executed and committed')
})

/** Returns the application, telling of every call of one of its functions. */
function counting<App extends object>(app: App, told: () => void): App {
  return new Proxy(app, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        told()
        return Reflect.apply(value, target, given)
      }
    },
  })
}
