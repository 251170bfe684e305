/** What was recorded of whole blocks answers what nobody asked, as the chain itself answers it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { WebSocket } from 'ws'
import { encodeFunctionData, parseEther } from 'viem'
import type { Library } from '../../../src/recording/playback/library.ts'
import { createPlayer } from '../../../src/recording/playback/player.ts'
import { listen as listenAt } from '../../../src/shell/transport/listen.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { followTip } from '../../../src/shell/recordings/tip.ts'
import { scratch } from '../../helpers/cli.ts'
import { startPlayback } from '../../helpers/playback.ts'
import { eventually, startLocal } from '../../helpers/server.ts'
import { abi, bob, clientOf, permitToken } from '../../helpers/viemStage.ts'

type Frame = {
  readonly id?: unknown
  readonly params?: { readonly result: unknown }
  readonly result?: unknown
}

/** Listens to streams, each under its number, until it is closed. */
async function listen(
  url: string,
  subscriptions: readonly (readonly [string, unknown])[],
): Promise<{ frames: Frame[]; close: () => void }> {
  const socket = new WebSocket(url)
  const frames: Frame[] = []
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString('utf8')) as Frame)
  })
  await once(socket, 'open')
  for (const [id, [method, params]] of subscriptions.entries()) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  }
  await eventually(() => frames.length >= subscriptions.length)
  return {
    frames,
    close: () => {
      socket.terminate()
    },
  }
}

const ofTransfers = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ofEth = [
  ['eth_subscribe', ['logs', {}]],
  ['eth_subscribe', ['logs', { topics: [ofTransfers] }]],
] as const
const queries = [
  "tm.event='NewBlock'",
  "tm.event='NewBlockHeader'",
  "tm.event='Tx'",
  "tm.event='Tx' AND message.sender EXISTS",
]
const ofComet = queries.map((query) => ['subscribe', { query }] as const)

/** What a chain told and answered, and the recording of its blocks alone. */
async function recordedBlocks() {
  const bytecode = permitToken()
  await using server = await startLocal({ blocks: 'interval', interval: '150ms' })
  const { comet, cometWs, eth, ethWs } = server.urls
  const sink = openSink(`${scratch()}/log.jsonl`, [])
  const startedAt = performance.now()
  const tip = followTip({
    upstreams: { comet: new URL(comet), eth: new URL(eth) },
    everyMs: 20,
    level: 'blocks',
    nowMs: () => performance.now() - startedAt,
    note: sink.note,
  })
  await eventually(() => sink.count() > 0)
  const told = [await listen(ethWs, ofEth), await listen(cometWs, ofComet)]
  const client = clientOf(server, 'http')
  const hash = await client.deployContract({ abi, bytecode })
  const { contractAddress, blockNumber } = await client.waitForTransactionReceipt({ hash })
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 5n] })
  const sent = await client.sendTransaction({ to: contractAddress ?? bob, data, value: 0n })
  const receipt = await client.waitForTransactionReceipt({ hash: sent })
  await client.sendTransaction({ to: bob, value: parseEther('1') })
  await eventually(() => server.simulation().node.chain.height >= receipt.blockNumber + 3n)
  const asked = questions(server.simulation().node.chain.height, {
    first: blockNumber,
    block: receipt.blockHash,
    tx: sent,
  })
  const answers = await Promise.all(asked.map((one) => answerOf(server.urls, one)))
  await tip.stop()
  for (const one of told) one.close()
  return { library: sink.end(), told: told.flatMap(({ frames }) => frames), asked, answers }
}

type Question = readonly ['comet' | 'eth', string, unknown]

function questions(
  height: bigint,
  { first, block, tx }: { first: bigint; block: string; tx: string },
): readonly Question[] {
  const tag = `0x${first.toString(16)}`
  return [
    ['eth', 'eth_getBlockByHash', [block, true]],
    ['eth', 'eth_getBlockByHash', [block, false]],
    ['eth', 'eth_getTransactionByHash', [tx]],
    ['eth', 'eth_getTransactionReceipt', [tx]],
    ['eth', 'eth_getBlockTransactionCountByHash', [block]],
    ['eth', 'eth_getBlockTransactionCountByNumber', [tag]],
    ['eth', 'eth_getTransactionByBlockNumberAndIndex', [tag, '0x0']],
    ['eth', 'eth_getTransactionByBlockHashAndIndex', [block, '0x0']],
    ['eth', 'eth_getTransactionByBlockNumberAndIndex', [tag, '0x9']],
    ['eth', 'eth_getLogs', [{ fromBlock: tag, toBlock: `0x${(height - 2n).toString(16)}`, topics: [ofTransfers] }]],
    ['comet', 'header', { height: String(first) }],
    ['comet', 'block_by_hash', { hash: Buffer.from(block.slice(2), 'hex').toString('base64') }],
    ['comet', 'header_by_hash', { hash: block.slice(2).toUpperCase() }],
    ['comet', 'validators', { height: String(first), page: '1', per_page: '20' }],
  ]
}

async function answerOf(
  urls: { readonly comet: string; readonly eth: string },
  [side, method, params]: Question,
): Promise<unknown> {
  const response = await fetch(urls[side], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as unknown
}

const recorded = recordedBlocks()

test('what nobody asked about a height is answered as the chain answers it', async (t) => {
  const { library, asked, answers } = await recorded
  await using playing = await startPlayback(library)
  for (const [index, one] of asked.entries()) {
    t.deepEqual(await answerOf(playing.running.urls, one), answers[index], JSON.stringify(one))
  }
  t.deepEqual(playing.player.misses(), [])
})

test('what nobody listened to is told as the chain told it', async (t) => {
  const { library, told } = await recorded
  const toldBy = (id: number, form: (frame: Frame) => unknown) =>
    told.filter((one) => one.id === id && one.result !== undefined).map(form)
  for (const [id, [, params]] of ofComet.entries()) {
    const expected = toldBy(id, ({ result }) => result).filter(
      (one) => typeof one === 'object' && Object.keys(one as object).length > 0,
    )
    const found = eventsOf(library, `comet subscribe ${JSON.stringify(params)}`)
    const overlap = found.filter((one) => expected.some((other) => heightsIn(other) === heightsIn(one)))
    t.true(overlap.length > 0, queries[id] ?? '')
    const heights = new Set(found.map(heightsIn))
    t.deepEqual(
      overlap,
      expected.filter((one) => heights.has(heightsIn(one))),
    )
  }
  const logs = told.flatMap((one) => (one.params === undefined ? [] : [one.params.result]))
  const found = eventsOf(library, `eth eth_subscribe ["logs",{"topics":["${ofTransfers}"]}]`)
  t.true(found.length >= 2)
  for (const one of found) {
    t.true(logs.some((other) => JSON.stringify(other) === JSON.stringify(one)))
  }
})

test('a stream of heads is made of blocks, and of a query that blocks do not tell there is none', async (t) => {
  const { library } = await recorded
  const heads = eventsOf(library, 'eth eth_subscribe ["newHeads"]') as readonly {
    readonly number: string
  }[]
  t.deepEqual(
    heads.map(({ number }) => Number(number)),
    heads.map((_, index) => (library.heads[0]?.height ?? 0) + 1 + index),
  )
  t.is(Number(heads.at(-1)?.number), library.heads.at(-1)?.height ?? 0)
  t.deepEqual(eventsOf(library, 'eth eth_newBlockFilter []').length, heads.length)
  t.is(createPlayer(library).told('comet subscribe {"query":"tm.event=\'Vote\'"}', 0, 1), undefined)
})

/** What nobody asked; answers that tell of the head are compared at the last height. */
const ofWhole = [
  ['eth', 'eth_chainId', []],
  ['eth', 'net_version', []],
  ['eth', 'eth_blockNumber', []],
  ['eth', 'eth_getBlockByNumber', ['latest', false]],
  ['comet', 'health', {}],
  ['comet', 'status', {}],
  ['comet', 'abci_info', {}],
  ['comet', 'block', {}],
  ['comet', 'header', {}],
  ['comet', 'commit', {}],
  ['comet', 'tx_search', { query: 'tx.height>0', per_page: '2', order_by: 'desc' }],
  ['comet', 'tx_search', { query: `message.sender EXISTS AND tx.height<=99999` }],
  ['comet', 'tx_search', { query: 'no query' }],
  ['comet', 'tx_search', { query: 'tx.height>0', page: '9' }],
  ['comet', 'block_search', { query: 'block.height>1', per_page: '3' }],
  ['comet', 'block_search', { query: 'block.height>1', order_by: 'asc' }],
] as const satisfies readonly Question[]

test('a recording of every block knows its head, its chain and what its blocks hold', async (t) => {
  await using server = await startLocal({ blocks: 'manual' })
  const { comet, eth } = server.urls
  const sink = openSink(`${scratch()}/log.jsonl`, [])
  const client = clientOf(server, 'http')
  const startedAt = performance.now()
  const tip = followTip({
    upstreams: { comet: new URL(comet), eth: new URL(eth) },
    everyMs: 10,
    level: 'blocks',
    nowMs: () => performance.now() - startedAt,
    note: sink.note,
  })
  const first = server.simulation().node.chain.height
  await eventually(() => sink.count() > 10)
  for (let count = 1; count <= 4; count++) {
    await client.sendTransaction({ to: bob, value: parseEther('1') })
    server.operate({ type: 'produceBlock' })
  }
  await tip.stop()
  // The first block was the head when it was recorded, and its commit not canonical yet.
  const whole = [...ofWhole, ['comet', 'commit', { height: String(first) }] satisfies Question]
  const answers = await Promise.all(whole.map((one) => answerOf(server.urls, one)))
  await using playing = await startPlayback(sink.end(), { pace: 'mine' })
  for (let count = 1; count <= 6; count++) {
    playing.running.operate('test', { type: 'mine', count: 1 })
  }
  t.is(playing.player.height(), Number(first) + 4)
  for (const [index, one] of whole.entries()) {
    const [now, was] = [await answerOf(playing.running.urls, one), answers[index]]
    t.deepEqual(withoutNode(now), withoutNode(was), JSON.stringify(one))
  }
  t.deepEqual(playing.player.misses(), [])
})

test('a block that a node did not give at once is requested again', async (t) => {
  await using server = await startLocal({ blocks: 'manual' })
  let refusals = 0
  // Each call for the results of a block meets the rate limit once, and its connection is cut once.
  const limited = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes('block_results') && refusals++ % 3 < 2) {
      if (refusals % 3 === 1) return void response.writeHead(429).end('slow down')
      return void response.destroy()
    }
    const answer = await fetch(server.urls.comet, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    response.end(await answer.text())
  })
  const url = new URL(await listenAt(limited, '127.0.0.1:0'))
  const sink = openSink(`${scratch()}/log.jsonl`, [])
  const upstreams = { comet: url, eth: undefined }
  const tip = followTip({ upstreams, everyMs: 10, level: 'blocks', nowMs: () => 1, note: sink.note })
  const first = Number(server.simulation().node.chain.height)
  await eventually(() => sink.count() > 0)
  server.mine(3)
  await eventually(() => refusals >= 12)
  await tip.stop()
  limited.closeAllConnections()
  limited.close()
  const { answers } = sink.end()
  for (let height = first; height <= first + 3; height++) {
    t.true(answers.has(`comet block_results {"height":"${height}"}`), String(height))
    t.true(answers.has(`comet validators {"height":"${height}"}`), String(height))
  }
})

/** Recordings keep no identity of a node. */
function withoutNode(answer: unknown): unknown {
  const { result, ...rest } = answer as { readonly result?: unknown }
  if (typeof result !== 'object' || result === null || !('node_info' in result)) return answer
  return { ...rest, result: { ...result, node_info: undefined } }
}

function eventsOf(library: Library, key: string): readonly unknown[] {
  return (createPlayer(library).told(key, -Infinity, Infinity) ?? []).map((text) => JSON.parse(text) as unknown)
}

function heightsIn(event: unknown): string {
  return /"height":"(\d+)"/.exec(JSON.stringify(event))?.[1] ?? ''
}
