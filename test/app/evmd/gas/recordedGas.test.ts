/**
 * Gas by message and by method of a precompile: the blocks of a real node are executed again, and
 * every transaction must use the gas that it used there. How they were recorded stands in
 * `recorded.json`, in `about`. The figures cover what a store access costs, iterators included, and
 * what each message reads: a transaction that reads one key more is found.
 */
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { TxResult } from '../../../../src/app/abci.ts'
import { createEvmd } from '../../../../src/app/evmd/evmd.ts'
import { parseTime } from '../../../../src/codec/time.ts'
import { profileSettings } from '../../../../src/settings/profiles.ts'
import { testEngine } from '../../../helpers/engine.ts'
import { requestOf, type Document } from '../../../helpers/evmdChain.ts'

type Tx = {
  readonly name: string
  readonly code: number
  readonly gas: number
  readonly bytes: string
}
type Vote = readonly [address: string, power: number, signed: boolean]
type Recorded = {
  readonly proposer: string
  readonly genesis: Document
  /** `votes` are those of the block before where they are left out. */
  readonly blocks: readonly {
    readonly time: string
    readonly votes?: readonly Vote[]
    readonly txs?: readonly Tx[]
  }[]
}

const file = new URL('../../../../../test/app/evmd/gas/recorded.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded
const hex = (text: string): Uint8Array => Buffer.from(text, 'hex')

/** Executes the recorded blocks; returns the results by the names of transactions. */
function replayed(): ReadonlyMap<string, TxResult> {
  const settings = { ...profileSettings('evmd'), evmChainId: 262_144, mempoolMaxTxs: -1 }
  const { application } = createEvmd({ engine: testEngine(), settings: { ...settings, quirks: ['faithful'] } })
  const results = new Map<string, TxResult>()
  let { state } = application.initChain(requestOf(recorded.genesis))
  let votes: readonly Vote[] = []
  for (const { time, votes: changed, txs = [] } of recorded.blocks) {
    votes = changed ?? votes
    const done = application.finalizeBlock(state, {
      height: state.height + 1n,
      time: parseTime(time),
      hash: new Uint8Array(32),
      txs: txs.map(({ bytes }) => Buffer.from(bytes, 'base64')),
      proposerAddress: hex(recorded.proposer),
      nextValidatorsHash: new Uint8Array(32),
      lastCommit: {
        round: 0,
        votes: votes.map(([address, power, signed]) => ({ address: hex(address), power: BigInt(power), signed })),
      },
      misbehavior: [],
    })
    state = application.commit(done.state)
    for (const [at, result] of done.result.txResults.entries()) results.set(txs[at]?.name ?? '', result)
  }
  return results
}

let results: ReadonlyMap<string, TxResult> = new Map()
test.before(() => {
  results = replayed()
})

const costs = test.macro({
  exec: (t, { name, code, gas }: Tx) => {
    const got = results.get(name)
    t.deepEqual({ code: got?.code, gas: got?.gasUsed }, { code, gas: BigInt(gas) }, got?.log)
  },
  title: (_, { name, code, gas }: Tx) =>
    `${name} uses ${gas} gas as on the real node${code === 0 ? '' : ` and fails with code ${code}`}`,
})

for (const tx of recorded.blocks.flatMap(({ txs = [] }) => txs)) test(costs, tx)
