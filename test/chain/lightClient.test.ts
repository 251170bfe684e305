import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import test from 'ava'
import type { ValidatorUpdate } from '../../src/app/abci.ts'
import type { Application } from '../../src/app/application.ts'
import type { BlockRecord } from '../../src/chain/block.ts'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import type { ChainCommand } from '../../src/chain/command.ts'
import { firstChain, parseGenesis } from '../../src/chain/genesis.ts'
import { recordAt } from '../../src/chain/history.ts'
import { step } from '../../src/chain/step.ts'
import { kvApp } from '../helpers/kvApp.ts'
import { kvChain } from '../helpers/kvChain.ts'
import { complaints } from '../helpers/lightClient.ts'

const keys = Array.from({ length: 6 }, (_, index) => {
  const seed = new Uint8Array(32).fill(index + 1)
  const raw = ed25519.getPublicKey(seed)
  return { seed, raw, address: sha256(raw).slice(0, 20) }
})

const same = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b)

/** `val3=20` gives validator 3 the power 20. */
const app: Application = {
  ...kvApp,
  finalizeBlock: (state, request) => {
    const done = kvApp.finalizeBlock(state, request)
    const validatorUpdates = request.txs.flatMap((tx): ValidatorUpdate[] => {
      const [, index, power] = /^val(\d)=(\d+)$/.exec(new TextDecoder().decode(tx)) ?? []
      const key = keys[Number(index)]
      return key === undefined ? [] : [{ publicKey: { type: 'ed25519', bytes: key.raw }, power: BigInt(power ?? 0) }]
    })
    return { ...done, result: { ...done.result, validatorUpdates } }
  },
}

function start(clock: 'logical' | 'wall'): { world: ChainWorld; chain: Chain } {
  const given = kvChain({
    policy: { mode: 'manual' },
    clock: { source: clock, startMs: 1_735_689_600_000n },
    limits: { maxTxBytes: 300_000 },
  })
  const world: ChainWorld = {
    ...given.world,
    app,
    signers: {
      sign: (address, bytes) =>
        keys.filter((one) => same(one.address, address)).map(({ seed }) => ed25519.sign(bytes, seed))[0],
    },
  }
  const genesis = parseGenesis(
    JSON.stringify({
      chain_id: 'light-1',
      genesis_time: '2025-01-01T00:00:00Z',
      validators: keys.slice(0, 3).map(({ raw }, index) => ({
        pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(raw).toString('base64') },
        power: String(10 + index),
      })),
    }),
    new Uint8Array(32),
  )
  return {
    world,
    chain: firstChain(world, genesis, { policy: given.chain.policy, clock: given.chain.clock }),
  }
}

const tx = (text: string): ChainCommand => ({ type: 'submitTx', tx: new TextEncoder().encode(text), mode: 'admit' })
const signing = (index: number, up: boolean): ChainCommand => ({
  type: 'setSigning',
  validator: keys[index]?.address ?? new Uint8Array(0),
  up,
})

/**
 * What happens before the block of a height: validators come, go, change, fall silent; time moves.
 */
const script: Readonly<Record<number, readonly ChainCommand[]>> = {
  2: [tx('a=1')],
  3: [tx('val3=7'), tx('b=2')],
  6: [signing(3, false)],
  9: [tx('val0=25')],
  12: [tx('val4=5'), tx('val5=1')],
  13: [{ type: 'advanceTime', ms: 86_400_000n }],
  17: [tx('val1=0')],
  20: [signing(3, true), signing(5, false)],
  23: [{ type: 'setNextBlockTime', ms: 1_800_000_000_000n, keep: false }],
  27: [tx(`big=${'x'.repeat(140_000)}`)],
  30: [tx('val5=0'), tx('val1=11'), tx('oops')],
  35: [{ type: 'setBlockStep', ms: 250n }],
  40: [tx('val2=1'), tx('val3=60')],
}

function played(clock: 'logical' | 'wall', count: number): readonly BlockRecord[] {
  const given = start(clock)
  let { chain } = given
  for (let height = 1; height <= count; height++) {
    for (const command of [...(script[height] ?? []), { type: 'produceBlock' } as const]) {
      chain = step(given.world, chain, command, BigInt(height) * 777n).chain
    }
  }
  return Array.from({ length: count }, (_, index) => recordAt(chain.history, BigInt(index + 1))).flatMap(
    (one) => one ?? [],
  )
}

for (const clock of ['logical', 'wall'] as const) {
  test(`fifty blocks with changing validators satisfy a light client (${clock} time)`, (t) => {
    const records = played(clock, 50)
    t.is(records.length, 50)
    t.deepEqual(
      records.flatMap((record, index) => complaints(record, record.seenCommit, records[index - 1])),
      [],
    )
    t.true(new Set(records.map(({ validators }) => validators.validators.length)).size > 2)
    t.true(records.some(({ seenCommit }) => seenCommit.signatures.some(({ flag }) => flag === 1)))
    t.true(records.some(({ seenCommit }) => seenCommit.round > 0))
    t.true(records.some(({ id }) => id.parts.total > 1))
  })
}

test('the light client of these tests complains about a changed byte', (t) => {
  const records = played('logical', 6)
  const [, second, third] = records
  if (second === undefined || third === undefined) return t.fail()
  const forged = { ...third, block: { ...third.block, txs: [Uint8Array.of(1)] } }
  t.deepEqual(complaints(forged, third.seenCommit, second), ['data hash at 3', 'size at 3', 'part set at 3'])
  const signatures = third.seenCommit.signatures.map((one, index) =>
    index === 0
      ? {
          ...one,
          signature: one.signature.map((byte, at) => (at === 5 ? byte ^ 1 : byte)),
        }
      : one,
  )
  t.true(complaints(third, { ...third.seenCommit, signatures }, second).includes('signature 0 in a commit of 3'))
})

test('updates of a block sign from the next but one', (t) => {
  const records = played('logical', 6)
  t.deepEqual(
    records.map(({ validators }) => validators.validators.length),
    [3, 3, 3, 3, 4, 4],
  )
  t.true(
    same(
      records[3]?.block.header.nextValidatorsHash ?? new Uint8Array(0),
      records[4]?.block.header.validatorsHash ?? new Uint8Array(1),
    ),
  )
})
