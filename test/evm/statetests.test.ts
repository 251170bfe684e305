import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import test from 'ava'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { EvmEnv, EvmLog, EvmTx } from '../../src/evm/types.ts'
import { testEngine } from '../helpers/engine.ts'
import { rlp } from '../helpers/rlp.ts'
import { apply, emptyWorld, hex, put, readOf, setSlot, toHex, word, type World } from '../helpers/state.ts'
import { stateRoot } from '../helpers/stateRoot.ts'

/**
 * 1,407 Cancun cases of ethereum/tests' GeneralStateTests (MIT), chosen by hash of the file name.
 */
const file = new URL('../../../test/evm/statetests/cancun.json.gz', import.meta.url)

type Pre = { balance: string; nonce: string; code: string; storage: Record<string, string> }
type Transaction = {
  data: string[]
  gasLimit: string[]
  value: string[]
  nonce: string
  sender: string
  to: string
  gasPrice?: string
  maxFeePerGas?: string
  maxPriorityFeePerGas?: string
  maxFeePerBlobGas?: string
  accessLists?: ({ address: string; storageKeys: string[] }[] | null)[]
  blobVersionedHashes?: string[]
}
type Post = {
  hash: string
  logs: string
  expectException?: string
  indexes: {
    data: number
    gas: number
    value: number
  }
}
type Case = {
  env: Record<string, string>
  pre: Record<string, Pre>
  transaction: Transaction
  post: Post[]
}

const cases: Record<string, Case> = JSON.parse(gunzipSync(readFileSync(file)).toString())

/** EIP-4844's fake_exponential with Cancun's update fraction. */
function blobBaseFee(excess: bigint): bigint {
  const fraction = 3_338_477n
  let [sum, term] = [0n, fraction]
  for (let i = 1n; term > 0n; i += 1n) {
    sum += term
    term = (term * excess) / (fraction * i)
  }
  return sum / fraction
}

const big = (text: string | undefined): bigint => BigInt(text === undefined || text === '' ? 0 : text)

function envOf(env: Record<string, string>): EvmEnv {
  return {
    fork: 'cancun',
    chainId: 1n,
    height: big(env['currentNumber']),
    timestampSeconds: big(env['currentTimestamp']),
    coinbase: hex(env['currentCoinbase'] ?? ''),
    prevRandao: word(big(env['currentRandom'])),
    blockGasLimit: big(env['currentGasLimit']),
    baseFee: big(env['currentBaseFee']),
    blobBaseFee: blobBaseFee(big(env['currentExcessBlobGas'])),
    relax: {},
    memoryLimitBytes: 1 << 30,
  }
}

function txOf(tx: Transaction, { data, gas, value }: Post['indexes']): EvmTx {
  const accessList = (tx.accessLists?.[data] ?? []).map(({ address, storageKeys }) => ({
    address: hex(address),
    slots: storageKeys.map((key) => word(BigInt(key))),
  }))
  const type =
    tx.blobVersionedHashes !== undefined ? 3 : tx.maxFeePerGas !== undefined ? 2 : tx.accessLists?.[data] ? 1 : 0
  return {
    type,
    from: hex(tx.sender),
    to: tx.to === '' ? undefined : hex(tx.to),
    gasLimit: big(tx.gasLimit[gas]),
    gasPrice: big(tx.gasPrice ?? tx.maxFeePerGas),
    value: big(tx.value[value]),
    nonce: big(tx.nonce),
    data: hex(tx.data[data] ?? ''),
    priorityFee: tx.maxPriorityFeePerGas === undefined ? undefined : big(tx.maxPriorityFeePerGas),
    accessList,
    authorizations: [],
    blobHashes: (tx.blobVersionedHashes ?? []).map(hex),
    blobFeeCap: big(tx.maxFeePerBlobGas),
  }
}

function worldOf(pre: Record<string, Pre>): World {
  const world = emptyWorld()
  for (const [at, account] of Object.entries(pre)) {
    put(world, hex(at), { balance: big(account.balance), nonce: big(account.nonce), code: hex(account.code) })
    for (const [key, value] of Object.entries(account.storage))
      setSlot(world, hex(at), word(big(key)), word(big(value)))
  }
  return world
}

const logsHash = (logs: readonly EvmLog[]): string =>
  toHex(keccak_256(rlp(logs.map(({ address, topics, data }) => [address, topics, data]))))

test('every state test gives the expected root, logs and refusal', (t) => {
  const engine = testEngine()
  let passed = 0
  for (const [name, { env, pre, transaction, post }] of Object.entries(cases)) {
    for (const expected of post) {
      const world = worldOf(pre)
      const result = engine.execute(envOf(env), txOf(transaction, expected.indexes), readOf(world))
      apply(world, result.diff)
      const got = [result.status === 'refused', `0x${toHex(stateRoot(world))}`, `0x${logsHash(result.logs)}`]
      const wanted = [expected.expectException !== undefined, expected.hash, expected.logs]
      if (got.every((value, index) => value === wanted[index])) passed += 1
      else
        t.deepEqual(got, wanted, `${name} ${JSON.stringify(expected.indexes)} ${result.reason?.kind ?? result.status}`)
    }
  }
  t.is(passed, 1407)
})
