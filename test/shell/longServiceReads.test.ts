/** Long reads over REST, gRPC and abci_query: they leave the main thread as those of Ethereum JSON-RPC do. */
import test from 'ava'
import { messageFrom } from '../../src/rpc/grpc/jsonCall.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Server } from '../../src/index.ts'
import { GrpcClient } from '../helpers/grpc.ts'
import { post } from '../helpers/raw.ts'
import { replayRecorded, runRecorded } from '../helpers/recordedRun.ts'
import { eventually, freePorts, startLocal } from '../helpers/server.ts'

type Chain = Pick<Server, 'urls' | 'simulation'>

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** JUMPDEST, and back to it. */
const endless = { address: `0x${'e1'.repeat(20)}`, code: '0x5b600056' }
/** Counts 200,000 down, which takes five million gas, and returns the word in slot 0. */
const counting = { address: `0x${'e3'.repeat(20)}`, code: '0x6300030d405b600190038060055760005460005260206000f3' }

const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
const away = (chain: Chain) => chain.simulation().node.owed.length
const left = (chain: Chain) => chain.simulation().node.counters.perform

async function withContracts({ urls }: Chain): Promise<void> {
  for (const { address, code } of [endless, counting]) {
    await post(urls.eth, request('anvil_setCode', [address, code]))
  }
  await post(urls.eth, request('evm_mine', []))
}

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const argsOf = (to: string, gas = '0x989680') => inBase64({ from: alice, to, gas })

/** A query as JSON: its method, and the path of the REST API that calls it. */
type Query = { readonly method: string; readonly json: object; readonly rest: string }

function queryOf(method: string, rest: string, json: Readonly<Record<string, string>>): Query {
  return { method: `cosmos.evm.vm.v1.Query/${method}`, json, rest: `${rest}?${new URLSearchParams(json)}` }
}

const vm = '/cosmos/evm/vm/v1'
const callOf = (to: string, gas?: string, cap = '25000000') =>
  queryOf('EthCall', `${vm}/eth_call`, { args: argsOf(to, gas), gas_cap: cap })

/** The text of a response over each interface. */
const interfaces: Readonly<Record<string, (chain: Chain, query: Query) => Promise<string>>> = {
  rest: async ({ urls }, { rest }) => (await fetch(urls.rest + rest)).text(),
  grpc: async ({ urls }, { method, json }) => {
    using client = new GrpcClient(urls.grpc)
    const answer = await client.call(`/${method}`, messageFrom(method, json), { timeoutMs: 30_000 })
    return `${answer.code} ${answer.details} ${answer.bytes?.toString('hex') ?? ''}`
  },
  abci: async ({ urls }, { method, json }) => {
    const data = Buffer.from(messageFrom(method, json)).toString('hex')
    return JSON.stringify(await post(urls.comet, request('abci_query', { path: `/${method}`, data })))
  },
}

test.serial('calls, estimates and traces give the same answers in a thread as on the spot', async (t) => {
  await using aside = await startLocal()
  await using atOnce = await startLocal({ readSlice: 0 })
  const answers: string[][] = [[], []]
  for (const [index, chain] of [aside, atOnce].entries()) {
    await withContracts(chain)
    await post(chain.urls.eth, request('anvil_setStorageAt', [counting.address, '0x0', `0x${'07'.repeat(32)}`]))
    const sent = { from: alice, to: counting.address, gas: '0x989680' }
    const { result: hash } = (await post(chain.urls.eth, request('eth_sendTransaction', [sent]))) as { result: string }
    const raw = (await post(chain.urls.eth, request('eth_getRawTransactionByHash', [hash]))) as { result: string }
    const msg = { raw: raw.result }
    const at = { block_number: '3', block_time: '2026-01-01T00:00:03Z' }
    const traced = { ...at, trace_config: { tracer: 'callTracer' } }
    const queries: readonly Query[] = [
      callOf(counting.address),
      queryOf('EstimateGas', `${vm}/estimate_gas`, { args: argsOf(counting.address), gas_cap: '25000000' }),
      { method: 'cosmos.evm.vm.v1.Query/TraceTx', json: { msg, ...traced }, rest: '' },
      { method: 'cosmos.evm.vm.v1.Query/TraceBlock', json: { txs: [msg, msg], ...traced }, rest: '' },
      {
        method: 'cosmos.evm.vm.v1.Query/TraceCall',
        json: { args: argsOf(counting.address), gas_cap: '25000000', ...traced },
        rest: '',
      },
    ]
    for (const query of queries) {
      for (const [name, ask] of Object.entries(interfaces)) {
        if (name === 'rest' && query.rest === '') continue
        const before = left(chain)
        answers[index]?.push(`${name} ${query.method} ${await ask(chain, query)}`)
        t.is(left(chain) > before, chain === aside, `${name} leaves: ${answers[index]?.at(-1)}`)
      }
    }
  }
  t.deepEqual(answers[0], answers[1])
  const texts = answers[0] ?? []
  t.is(texts.length, 12)
  t.true(texts.some((text) => text.includes(Buffer.alloc(32, 7).toString('base64'))))
  for (const text of texts) t.notRegex(text, /"code":[^0]|^grpc \S+ [^0]|"error"/, text.slice(0, 300))
})

test.serial(
  'an endless call over each interface ends with the time of evm-timeout, and others are answered',
  async (t) => {
    await using chain = await startLocal({ evmTimeout: '500ms' })
    await withContracts(chain)
    const query = callOf(endless.address, '0x7fffffffffffffff', '18446744073709551615')
    for (const [name, ask] of Object.entries(interfaces)) {
      let isOver = false
      const long = ask(chain, query).finally(() => {
        isOver = true
      })
      await eventually(() => away(chain) === 1)
      for (let asked = 0; asked < 10; asked++) {
        t.is(((await post(chain.urls.eth, request('eth_blockNumber', []))) as { result: string }).result, '0x2')
      }
      t.false(isOver, `${name}: the call still runs`)
      t.regex(await long, /execution aborted \(timeout = 500ms\)/, name)
      t.is(away(chain), 0)
    }
  },
)

test.serial('a query shows the height and the state that it began with, whatever blocks come', async (t) => {
  await using chain = await startLocal()
  await withContracts(chain)
  const before = left(chain)
  const long = fetch(chain.urls.rest + callOf(counting.address).rest)
  await eventually(() => left(chain) > before)
  await post(chain.urls.eth, request('anvil_setStorageAt', [counting.address, '0x0', `0x${'07'.repeat(32)}`]))
  await post(chain.urls.eth, request('evm_mine', []))
  const answer = await long
  t.is(answer.headers.get('x-cosmos-block-height') ?? answer.headers.get('grpc-metadata-x-cosmos-block-height'), '2')
  t.is(((await answer.json()) as { ret: string }).ret, Buffer.alloc(32).toString('base64'))
})

test.serial('a recording with queries that left is replayed without a thread', async (t) => {
  const settings = { ...profileSettings('local'), ...freePorts, evmTimeout: '500ms' }
  const { running, lines } = await runRecorded(settings)
  await withContracts(running)
  for (const ask of Object.values(interfaces)) {
    t.regex(await ask(running, callOf(counting.address)), /A{40}|0{60}/)
    await ask(running, callOf(endless.address, '0x7fffffffffffffff', '18446744073709551615'))
  }
  await running.close()
  t.is(replayRecorded(settings, lines), undefined)
  t.true(lines.filter((line) => line.includes('"kind":"performed"')).length >= 6)
})
