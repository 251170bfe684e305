/**
 * Every method that the specification of Ethereum JSON-RPC documents and chainstage has, over HTTP:
 * documented parameters are taken, results fit the documented schemas. `ethereumMethods.json` holds
 * these: `shapes` are what a `$ref` names.
 */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { privateKeyToAccount } from 'viem/accounts'
import { ethTable } from '../../src/rpc/eth/index.ts'
import { quirks as quirkTexts } from '../../src/settings/quirks.ts'
import { schemaComplaints, type Schema, type Shapes } from '../helpers/jsonSchema.ts'
import { startLocal } from '../helpers/server.ts'
import { absent, excepted } from './ethereumExceptions.ts'

type Param = { readonly name: string; readonly required: boolean; readonly schema: Schema }
type Facts = {
  readonly shapes: Shapes
  readonly methods: Readonly<Record<string, { readonly params: readonly Param[]; readonly result: Schema }>>
}

const root = new URL('../../../test/', import.meta.url)
const { shapes, methods } = JSON.parse(readFileSync(new URL('conformance/ethereumMethods.json', root), 'utf8')) as Facts
const served = new Set(ethTable.methods.map(({ name }) => name))
const ethApi = ['eth', 'web3', 'net', 'debug']

type Asks = (method: string, ...params: unknown[]) => Promise<unknown>

/** Asks over HTTP; throws what is answered as an error. */
function askerOf(url: string): Asks {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(error.message)
    return result
  }
}

/** Init code that emits a log with a topic and leaves no code. */
const emitting = '0x600160006000a100'
/** Init code that leaves the code 0x60015500: it stores at slot 1. */
const storing = '0x6360015500600052600460 1cf3'.replace(' ', '')

/** The first account of the profile `local`, which sends one transaction before its own. */
const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

type Facets = {
  readonly from: string
  readonly raw: string
  readonly hashes: readonly string[]
  readonly blocks: readonly string[]
  readonly filters: { readonly logs: unknown; readonly blocks: unknown; readonly pending: unknown }
}

/** Makes transactions of several types, each in a block of its own, and filters that were there before. */
async function prepare(ask: Asks): Promise<Facets> {
  const [from = ''] = (await ask('eth_accounts')) as string[]
  const filters = {
    logs: await ask('eth_newFilter', { fromBlock: '0x1' }),
    blocks: await ask('eth_newBlockFilter'),
    pending: await ask('eth_newPendingTransactionFilter'),
  }
  const hashes: string[] = []
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }
  const accessList = [{ address: from, storageKeys: [`0x${'00'.repeat(32)}`] }]
  for (const tx of [
    { to: from, value: '0x1', gasPrice: '0x77359400' },
    { to: from, value: '0x1', gasPrice: '0x77359400', accessList },
    { to: from, value: '0x1', ...fees, accessList },
    { input: emitting, ...fees },
    { input: storing, ...fees },
  ])
    hashes.push(String(await ask('eth_sendTransaction', { from, gas: '0x186a0', ...tx })))
  const blocks: string[] = []
  for (const hash of hashes) {
    blocks.push(((await ask('eth_getTransactionReceipt', hash)) as { blockHash: string }).blockHash)
  }
  const raw = await signer.signTransaction({
    to: signer.address,
    value: 1n,
    gas: 21_000n,
    chainId: Number(await ask('eth_chainId')),
    nonce: Number(await ask('eth_getTransactionCount', signer.address, 'latest')) + 1,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  return { from, raw, hashes, blocks, filters }
}

/** What is asked, by method: lists of parameters. */
function asked({
  from,
  raw,
  hashes,
  blocks,
  filters,
}: Facets): Readonly<Record<string, readonly (readonly unknown[])[]>> {
  const references = ['latest', 'earliest', 'pending', 'safe', 'finalized', '0x1', '0x2']
  const unknown = `0x${'11'.repeat(32)}`
  const call = { from, to: from, value: '0x1', gas: '0x186a0' }
  const none = [[]]
  const key = `0x${'00'.repeat(32)}`
  const inBlocks = [...blocks, unknown].map((block) => [block, '0x0'])
  return {
    debug_getRawBlock: [['0x2'], ['latest']],
    eth_accounts: none,
    eth_blockNumber: none,
    eth_chainId: none,
    eth_gasPrice: none,
    eth_maxPriorityFeePerGas: none,
    eth_newBlockFilter: none,
    eth_newPendingTransactionFilter: none,
    eth_syncing: none,
    eth_call: [
      [call, 'latest'],
      [{ input: storing }, '0x2'],
      [call, blocks[0]],
    ],
    eth_createAccessList: [[call, 'latest']],
    eth_estimateGas: [[call], [{ from, input: emitting }, 'latest']],
    eth_feeHistory: [
      ['0x3', 'latest', [10, 50.5]],
      ['0x1', '0x2', []],
    ],
    eth_getBalance: [...references, blocks[0]].map((at) => [from, at]),
    eth_getBlockByHash: [...blocks, unknown].flatMap((hash) => [
      [hash, true],
      [hash, false],
    ]),
    eth_getBlockByNumber: [...references, '0xffff'].flatMap((at) => [
      [at, true],
      [at, false],
    ]),
    eth_getBlockReceipts: [...references, ...blocks].map((at) => [at]),
    eth_getBlockTransactionCountByHash: [[blocks[0]], [unknown]],
    eth_getBlockTransactionCountByNumber: references.map((at) => [at]),
    eth_getCode: references.map((at) => [from, at]),
    eth_getFilterChanges: Object.values(filters).map((id) => [id]),
    eth_getFilterLogs: [[filters.logs]],
    eth_getLogs: [[{ fromBlock: '0x1' }], [{ fromBlock: '0x1', toBlock: '0x3', address: [from], topics: [] }]],
    eth_getProof: [
      [from, [key, '0x1'], 'latest'],
      [from, [], '0x3'],
    ],
    eth_getStorageAt: [
      [from, '0x0', 'latest'],
      [from, key, '0x2'],
    ],
    eth_getTransactionByBlockHashAndIndex: [...inBlocks, [blocks[0], '0x9']],
    eth_getTransactionByBlockNumberAndIndex: [...references.map((at) => [at, '0x0']), ['0x2', '0x9']],
    eth_getTransactionByHash: [...hashes, unknown].map((hash) => [hash]),
    eth_getTransactionCount: references.map((at) => [from, at]),
    eth_getTransactionReceipt: [...hashes, unknown].map((hash) => [hash]),
    eth_getUncleCountByBlockHash: [[blocks[0]]],
    eth_getUncleCountByBlockNumber: references.map((at) => [at]),
    eth_newFilter: [[{ fromBlock: '0x1', topics: [] }]],
    eth_sendTransaction: [[{ ...call, gasPrice: '0x77359400' }]],
    eth_sendRawTransaction: [[raw]],
    eth_sign: [[from, '0xdeadbeef']],
    eth_uninstallFilter: [[filters.logs], ['0x1']],
  }
}

/** Returns what is wrong with the parameters we ask with, and with what is answered. */
async function wrongAnswers(ask: Asks, method: string, given: readonly unknown[]): Promise<string[]> {
  const { params = [], result: schema = {} } = methods[method] ?? {}
  const ours = given.flatMap((value, at) =>
    schemaComplaints(shapes, params[at]?.schema ?? { enum: [] }, value, `${method}(${at})`),
  )
  try {
    return [...ours, ...schemaComplaints(shapes, schema, await ask(method, ...given), method)]
  } catch (error) {
    return [...ours, `${method}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function matches(pattern: string, complaint: string): boolean {
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`).test(complaint)
}

const answers = test.macro(async (t, quirks: readonly string[], excepted: Readonly<Record<string, string>>) => {
  await using server = await startLocal({ ethApi, quirks })
  const ask = askerOf(server.urls.eth)
  const calls = asked(await prepare(ask))
  const used = new Set<string>()
  const wrong = new Set<string>()
  // The node has methods that its documents deny, and we only with this habit.
  const isThere = (method: string) => served.has(method) && (quirks.length > 0 || !method.startsWith('debug_'))
  for (const [method, list] of Object.entries(calls).filter(([method]) => isThere(method)))
    for (const given of list) {
      for (const complaint of await wrongAnswers(ask, method, given)) {
        const exception = Object.keys(excepted).find((pattern) => matches(pattern, complaint))
        if (exception === undefined) wrong.add(`${complaint} (${JSON.stringify(given).slice(0, 80)})`)
        else used.add(exception)
      }
    }
  t.deepEqual([...wrong], [])
  t.deepEqual(
    Object.keys(excepted).filter((one) => !used.has(one)),
    [],
    'an exception that nothing needs',
  )
  t.deepEqual(
    Object.keys(methods).filter((one) => served.has(one) && !(one in calls)),
    [],
  )
})

// Of an unknown hash it answers after thirty seconds.
const habits = Object.keys(quirkTexts).filter((one) => one !== 'receipt-blocks-on-unknown')
test('every documented method that is served answers as documented', answers, [], excepted.sane)
test('the habits of the node that stray from the document are recorded ones', answers, habits, excepted.faithful)

test('what is documented and not served is what the node has not either', (t) => {
  t.deepEqual(
    Object.keys(methods).filter((one) => !served.has(one)),
    absent,
  )
})

test('every exception names a recorded case', (t) => {
  for (const [pattern, because] of [...Object.entries(excepted.sane), ...Object.entries(excepted.faithful)]) {
    const [file = '', name = ''] = because.split(': ')
    const cases = JSON.parse(readFileSync(new URL(`golden/cases/${file}.json`, root), 'utf8')) as { name: string }[]
    t.true(
      cases.some((one) => one.name === name),
      `${pattern}: ${because}`,
    )
  }
})
