import test from 'ava'
import type { Misbehavior } from '../../src/app/abci.ts'
import type { Application } from '../../src/app/application.ts'
import type { Evidence, Vote } from '../../src/chain/block.ts'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import type { ChainCommand } from '../../src/chain/command.ts'
import { recordAt } from '../../src/chain/history.ts'
import { recordByHash } from '../../src/chain/lookups.ts'
import { step } from '../../src/chain/step.ts'
import { resolveHeight } from '../../src/chain/view.ts'
import { toHex } from '../helpers/cometJson.ts'
import { kvApp } from '../helpers/kvApp.ts'
import { kvChain } from '../helpers/kvChain.ts'

const tx = (text: string): ChainCommand => ({ type: 'submitTx', tx: new TextEncoder().encode(text), mode: 'admit' })

function run(world: ChainWorld, chain: Chain, ...commands: readonly ChainCommand[]): Chain {
  return commands.reduce((before, command) => step(world, before, command, 0n).chain, chain)
}

const time = { seconds: 1_735_689_600n, nanos: 0 }

function duplicateVote({ lastBlockId, validators }: Chain): Evidence {
  const [validator] = validators.validators
  const vote = (byte: number): Vote => ({
    type: 2,
    height: 1n,
    round: 0,
    blockId: { ...lastBlockId, hash: new Uint8Array(32).fill(byte) },
    time,
    validatorAddress: validator?.address ?? new Uint8Array(20),
    validatorIndex: 0,
    signature: new Uint8Array(64).fill(byte),
  })
  return {
    type: 'duplicateVote',
    voteA: vote(1),
    voteB: vote(2),
    totalPower: 10n,
    validatorPower: 10n,
    time,
  }
}

/** An application that writes down what misbehaviour it is told of. */
function listening(): { app: Application; told: Misbehavior[] } {
  const told: Misbehavior[] = []
  const finalizeBlock: Application['finalizeBlock'] = (state, request) => {
    told.push(...request.misbehavior)
    return kvApp.finalizeBlock(state, request)
  }
  return { app: { ...kvApp, finalizeBlock }, told }
}

test('evidence is taken once, stands in the next block alone, and the application is told', (t) => {
  const { world: given, chain } = kvChain()
  const { app, told } = listening()
  const world = { ...given, app }
  const one = run(world, chain, { type: 'produceBlock' })
  const evidence = duplicateVote(one)
  const { chain: added, events } = step(world, one, { type: 'addEvidence', evidence }, 0n)
  t.deepEqual(events, [{ type: 'evidenceAdded', evidence }])
  t.deepEqual(step(world, added, { type: 'addEvidence', evidence }, 0n).events, [])
  const after = run(world, added, { type: 'produceBlock', count: 2 })
  t.deepEqual(recordAt(after.history, 2n)?.block.evidence, [evidence])
  t.deepEqual(recordAt(after.history, 3n)?.block.evidence, [])
  t.not(
    toHex(recordAt(after.history, 2n)?.block.header.evidenceHash ?? new Uint8Array(0)),
    toHex(recordAt(after.history, 1n)?.block.header.evidenceHash ?? new Uint8Array(0)),
  )
  t.like(told, [{ type: 'duplicateVote', height: 1n, power: 10n, totalPower: 10n }])
  t.is(told.length, 1)
})

test('an attack by two validators is told of each', (t) => {
  const { world: given, chain } = kvChain({ validators: 2 })
  const { app, told } = listening()
  const world = { ...given, app }
  const one = run(world, chain, { type: 'produceBlock' })
  const record = recordAt(one.history, 1n)
  if (record === undefined) return t.fail()
  const { validators } = record
  run(
    world,
    one,
    {
      type: 'addEvidence',
      evidence: {
        type: 'lightClientAttack',
        conflicting: { header: record.block.header, commit: record.seenCommit, validators },
        commonHeight: 1n,
        byzantine: validators.validators,
        totalPower: 20n,
        time,
      },
    },
    { type: 'produceBlock' },
  )
  t.deepEqual(
    told.map(({ address }) => toHex(address)),
    validators.validators.map(({ address }) => toHex(address)),
  )
})

test('what waits is taken when mining begins, goes on, or has a quorum again', (t) => {
  const {
    world,
    chain,
    keys: [key],
  } = kvChain({ policy: { mode: 'manual' } })
  const waiting = run(world, chain, tx('a=1'))
  const thenOf = (from: Chain, command: ChainCommand) => step(world, from, command, 0n).then.length
  t.is(thenOf(chain, { type: 'setBlockPolicy', policy: { mode: 'auto' } }), 0)
  t.is(thenOf(waiting, { type: 'setBlockPolicy', policy: { mode: 'auto' } }), 1)
  t.is(thenOf(waiting, { type: 'setBlockPolicy', policy: { mode: 'interval' } }), 0)
  const paused = run(world, waiting, { type: 'setBlockPolicy', policy: { mode: 'mixed', paused: true } })
  t.is(thenOf(paused, tx('b=1')), 0)
  t.is(thenOf(paused, { type: 'setBlockPolicy', policy: { paused: false } }), 1)
  const validator = Buffer.from(key?.address ?? '', 'hex')
  const silent = run(
    world,
    waiting,
    { type: 'setBlockPolicy', policy: { mode: 'auto' } },
    { type: 'setSigning', validator, up: false },
  )
  t.is(run(world, silent, { type: 'produceBlock' }).height, 0n)
  t.is(thenOf(silent, { type: 'setSigning', validator, up: true }), 1)
})

test('blocks keep the gap that is asked for, and time goes on from there', (t) => {
  const { world, chain } = kvChain()
  const after = run(
    world,
    chain,
    { type: 'produceBlock' },
    { type: 'produceBlock', count: 3, gapMs: 60_000n },
    { type: 'produceBlock', count: 2 },
  )
  const seconds = [1n, 2n, 3n, 4n, 5n, 6n].map(
    (height) => Number(recordAt(after.history, height)?.block.header.time.seconds ?? 0n) - Number(time.seconds),
  )
  t.deepEqual(seconds, [0, 1, 61, 121, 122, 123])
})

test('a pruned chain answers from its base on, and the newest block stays', (t) => {
  const { world, chain } = kvChain()
  const ten = run(world, chain, { type: 'produceBlock', count: 10 })
  const pruned = run(world, ten, { type: 'prune', below: 7n })
  t.is(recordAt(pruned.history, 6n), undefined)
  t.is(recordAt(pruned.history, 7n)?.block.header.height, 7n)
  t.is(recordByHash(pruned.history, recordAt(ten.history, 3n)?.id.hash ?? new Uint8Array(0)), undefined)
  t.throws(() => resolveHeight(pruned, 6n), { message: 'height 6 is not available, lowest height is 7' })
  t.is(recordAt(run(world, pruned, { type: 'prune', below: 99n }).history, 10n)?.block.header.height, 10n)
  t.is(recordAt(ten.history, 3n)?.block.header.height, 3n)
  t.is(run(world, pruned, { type: 'produceBlock' }).height, 11n)
})

const heights = test.macro({
  title: (_given, asked: bigint | undefined, said: string) => `height ${asked} of a chain of three: ${said}`,
  exec: (t, asked: bigint | undefined, said: string) => {
    const { world, chain } = kvChain()
    const three = run(world, chain, { type: 'produceBlock', count: 3 })
    const answer = () => String(resolveHeight(three, asked))
    if (/^\d+$/.test(said)) t.is(answer(), said)
    else t.throws(answer, { message: said })
  },
})
test(heights, undefined, '3')
test(heights, 1n, '1')
test(heights, 3n, '3')
test(heights, 0n, 'height must be greater than 0, but got 0')
test(heights, -1n, 'height must be greater than 0, but got -1')
test(heights, 4n, 'height 4 must be less than or equal to the current blockchain height 3')
