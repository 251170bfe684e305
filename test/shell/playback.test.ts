import { once } from 'node:events'
import test from 'ava'
import { readFileSync } from 'node:fs'
import { WebSocket } from 'ws'
import { importTap } from '../../src/recording/playback/importTap.ts'
import { act } from '../../src/shell/control/act.ts'
import { checkpoint, faucet, moveTime, reorganise, restore } from '../../src/shell/control/actions.ts'
import { mine } from '../../src/shell/control/mining.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { startPlayback } from '../helpers/playback.ts'
import { startLocal } from '../helpers/server.ts'
import { libraryOfTap } from '../helpers/tap.ts'

const traffic = readFileSync(new URL('../../../test/recording/traffic/wallet.jsonl', import.meta.url), 'utf8')
const library = importTap(traffic, cometNames)

async function ask(url: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return await response.text()
}

test('demand 6: recorded traffic is answered over HTTP, in batches, under the ids of the client', async (t) => {
  await using playing = await startPlayback(library)
  const { eth } = playing.running.urls
  t.is(
    await ask(eth, [
      { jsonrpc: '2.0', id: 'x', method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 9, method: 'net_version', params: [] },
    ]),
    '[{"jsonrpc":"2.0","id":"x","result":"0x40000"},{"jsonrpc":"2.0","id":9,"result":"262144"}]\n',
  )
  t.regex(
    await ask(eth, { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x01', 'latest'] }),
    /"code":-32070/,
  )
  t.is(playing.player.misses().length, 1)
})

test('subscriptions over HTTP are refused, as on a chain', async (t) => {
  const query = "tm.event='Tx'"
  const subscribed = ['comet subscribe {"query":"tm.event=\'Tx\'"}', 'eth eth_subscribe ["newHeads"]']
  await using playing = await startPlayback({ ...library, streams: new Map(subscribed.map((key) => [key, []])) })
  const { eth, comet } = playing.running.urls
  const call = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
  t.regex(await ask(eth, call('eth_subscribe', ['newHeads'])), /-32601.*notifications not supported/)
  for (const method of ['subscribe', 'unsubscribe', 'unsubscribe_all']) {
    t.regex(await ask(comet, call(method, method === 'unsubscribe_all' ? {} : { query })), /-32601.*Method not found/)
  }
})

test('faults are on top of what was recorded', async (t) => {
  await using playing = await startPlayback(library)
  playing.running.operate('test', {
    type: 'setFault',
    fault: {
      rule: {
        name: 'busy',
        match: { methods: ['eth_chainId'] },
        select: { type: 'window', skip: 0, count: 1, per: 'attempt' },
        at: 'before',
        cors: 'keep',
        effects: [{ type: 'rpcError', code: -32005, message: 'busy' }],
      },
    },
  })
  const { eth } = playing.running.urls
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  t.regex(await ask(eth, call), /-32005/)
  t.regex(await ask(eth, call), /"0x40000"/)
})

test('mine moves a playback that stands', async (t) => {
  await using playing = await startPlayback(library, { pace: 'mine' })
  const { eth } = playing.running.urls
  const height = () => ask(eth, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const first = await height()
  t.is(await height(), first)
  await ask(eth, { jsonrpc: '2.0', id: 2, method: 'evm_mine', params: [] })
  const second = await height()
  t.not(second, first)
  playing.running.operate('test', { type: 'mine', count: 2 })
  t.not(await height(), second)
})

test('a recorded call that mines moves a playback that waits for it, and has its recorded response', async (t) => {
  const recorded = libraryOfTap([
    { t: 0, method: 'eth_blockNumber', result: '"0x4"' },
    { t: 500, method: 'evm_mine', result: '"0"' },
    { t: 900, method: 'eth_blockNumber', result: '"0x5"' },
  ])
  t.is(recorded.asks.length, 1)
  await using playing = await startPlayback(recorded)
  const { eth } = playing.running.urls
  const height = () => ask(eth, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  t.regex(await height(), /"0x4"/)
  t.regex(await ask(eth, { jsonrpc: '2.0', id: 2, method: 'evm_mine', params: [] }), /"result":"0"/)
  t.regex(await height(), /"0x5"/)
})

test('a call that mines and was not recorded is answered in its form, and refused once the playback stays', async (t) => {
  const heads = Array.from({ length: 8 }, (_, at) => {
    return { t: at * 100, method: 'eth_blockNumber', result: `"0x${at + 1}"` }
  })
  await using playing = await startPlayback(libraryOfTap(heads), { pace: 'mine' })
  const { eth, comet } = playing.running.urls
  const { player } = playing
  const result = async (url: string, method: string, params: unknown) =>
    (JSON.parse(await ask(url, { jsonrpc: '2.0', id: 1, method, params })) as { result: unknown }).result
  t.is(await result(eth, 'anvil_mine', []), null)
  t.is(await result(eth, 'hardhat_mine', []), true)
  t.is(await result(eth, 'evm_mine', []), '0x0')
  t.is(await result(`${eth}/hardhat`, 'evm_mine', []), '0')
  t.deepEqual(await result(comet, 'advance_blocks', { num_blocks: '1' }), {})
  const height = player.height()
  t.is(height, 6)
  t.is(await result(eth, 'hardhat_mine', ['0x0']), true)
  t.is(player.height(), height)
  player.mine(Number.MAX_SAFE_INTEGER)
  const stays = new RegExp(`"message":"the playback stays at height ${player.height()}: its recording ends there`)
  for (const method of ['anvil_mine', 'hardhat_mine', 'evm_mine']) {
    t.regex(await ask(eth, { jsonrpc: '2.0', id: 1, method, params: [] }), stays)
  }
  const advance = { jsonrpc: '2.0', id: 1, method: 'advance_blocks', params: { num_blocks: '1' } }
  t.regex(await ask(comet, advance), /"code":-32603,.*"data":"the playback stays at height/)
})

test('each call that mines moves a playback by as many blocks as it would mine on a chain', async (t) => {
  const heads = Array.from({ length: 40 }, (_, at) => {
    return { t: at * 100, method: 'eth_blockNumber', result: `"0x${(at + 1).toString(16)}"` }
  })
  await using playing = await startPlayback(libraryOfTap(heads), { pace: 'mine' })
  const { eth } = playing.running.urls
  const moved = async (method: string, ...params: unknown[]) => {
    const before = playing.player.height()
    const answer = await ask(eth, { jsonrpc: '2.0', id: 1, method, params })
    return [playing.player.height() - before, answer.includes('"error"')]
  }
  t.deepEqual(await moved('evm_mine', { blocks: 3 }), [3, false])
  t.deepEqual(await moved('evm_mine', { timestamp: 5, blocks: '0x2' }), [2, false])
  t.deepEqual(await moved('evm_mine', 1_900_000_000), [1, false])
  t.deepEqual(await moved('hardhat_mine', '0x2', '0xc'), [2, false])
  t.deepEqual(await moved('hardhat_intervalMine'), [1, false])
  t.deepEqual(await moved('anvil_mine_detailed', { blocks: 2 }), [2, false])
  t.deepEqual(await moved('evm_mine_detailed'), [1, false])
  t.deepEqual(await moved('evm_mine', { blocks: 'many' }), [0, true])
})

test('the control API lists no blocks of the chain that stands behind a playback', async (t) => {
  await using playing = await startPlayback(library, {}, { controlAddress: '127.0.0.1:0' })
  const { control } = playing.running.urls
  t.deepEqual(await (await fetch(`${control}/api/blocks`)).json(), [])
  t.is((await fetch(`${control}/api/blocks/1`)).status, 404)
})

test('mining over the control port tells the height of the playback', async (t) => {
  await using playing = await startPlayback(library, { pace: 'mine' }, { controlAddress: '127.0.0.1:0' })
  const { eth, control } = playing.running.urls
  const { height } = JSON.parse(await ask(`${control}/api/mine`, { blocks: 2 })) as { height: number }
  const { result } = JSON.parse(await ask(eth, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })) as {
    result: string
  }
  t.is(height, Number(result))
})

test('a call mines at most a million blocks, as on a chain, and stops at the last head', async (t) => {
  await using playing = await startPlayback(library, { pace: 'mine' })
  const { eth } = playing.running.urls
  const mine = (method: string, count: string) => ask(eth, { jsonrpc: '2.0', id: 1, method, params: [count] })
  const refused = /"code":-32602,"message":"expected at most 1000000 blocks, received 9007199254740991"/
  t.regex(await mine('hardhat_mine', '0x1fffffffffffff'), refused)
  t.regex(await mine('anvil_mine', '9007199254740991'), refused)
  t.regex(await mine('hardhat_mine', `0x${'f'.repeat(64)}`), /"code":-32602/)
  playing.player.mine(Number.MAX_SAFE_INTEGER)
  t.is(playing.player.height(), library.heads.at(-1)?.height ?? 0)
  await using local = await startLocal()
  const call = { jsonrpc: '2.0', id: 1, method: 'hardhat_mine', params: ['0x1fffffffffffff'] }
  t.is(await ask(local.urls.eth, call), await mine('hardhat_mine', '0x1fffffffffffff'))
})

test('the control API tells the height of a playback, and refuses what would not change it', async (t) => {
  await using playing = await startPlayback(library, { pace: 'mine' })
  const { main } = playing.running
  const before = playing.player.height()
  t.deepEqual(await mine(main, { blocks: 2 }), { height: before + 2 })
  playing.player.mine(Number.MAX_SAFE_INTEGER)
  await t.throwsAsync(mine(main, { blocks: 1 }), { code: 'ACTION_REFUSED', message: /stays at height \d+/ })
  const refused = { code: 'ACTION_REFUSED', message: /^a playback answers from its recording/ }
  await t.throwsAsync(
    act(main, () => moveTime(main, { by: '1h' })),
    refused,
  )
  const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  await t.throwsAsync(
    act(main, () => faucet(main, { address })),
    refused,
  )
  const reset = () => ({ commands: [{ type: 'reset' }], result: () => undefined }) as const
  const reorg = () => reorganise(main, { depth: 1 })
  for (const action of [() => checkpoint(main), () => restore(main, {}), reorg, reset])
    await t.throwsAsync(act<unknown>(main, action), refused)
})

test('a call that makes no sense is a miss, and the playback goes on', async (t) => {
  await using playing = await startPlayback(library)
  const { eth } = playing.running.urls
  const call = (method: string, params: unknown) => ask(eth, { jsonrpc: '2.0', id: 1, method, params })
  const senseless = [[], [null], [7], ['0x1'], [[]], [{ fromBlock: 'x', toBlock: {} }]]
  for (const method of ['eth_call', 'eth_getLogs', 'eth_getTransactionByBlockNumberAndIndex', 'eth_newFilter']) {
    for (const params of senseless) {
      const answer = await call(method, params)
      t.regex(answer, /"code":-32070/, `${method} ${JSON.stringify(params)}`)
    }
  }
  t.regex(await call('eth_chainId', []), /"0x40000"/)
})

const streaming = { ...library, streams: new Map([['eth eth_newBlockFilter []', []]]) }

test('of more than 1,000 filters over HTTP, the one that was not polled for the longest time ends', async (t) => {
  await using playing = await startPlayback(streaming)
  const { eth } = playing.running.urls
  const call = (method: string, params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })
  const make = async (count: number) => {
    const calls = Array.from({ length: count }, () => call('eth_newBlockFilter', []))
    return (JSON.parse(await ask(eth, calls)) as readonly { readonly result: string }[]).map(({ result }) => result)
  }
  const changes = (id: string | undefined) => ask(eth, call('eth_getFilterChanges', [id]))
  const made = [...(await make(500)), ...(await make(500))]
  t.is(new Set(made).size, 1000)
  t.regex(await changes(made[0]), /"result":\[\]/)
  t.is((await make(1)).length, 1)
  t.regex(await changes(made[0]), /"result":\[\]/)
  t.regex(await changes(made[1]), /filter 0x0+2 not found/)
  t.regex(await changes(made[2]), /"result":\[\]/)
})

test('a connection has at most 1,000 subscriptions and filters, and another one is not touched', async (t) => {
  await using playing = await startPlayback(streaming)
  const sockets = [1, 2].map(() => new WebSocket(playing.running.urls.ethWs))
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const make = async (socket: WebSocket | undefined, count: number) => {
    const calls = Array.from({ length: count }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, params: [] },
      method: 'eth_newBlockFilter',
    }))
    socket?.send(JSON.stringify(calls))
    const [text] = (await once(socket as WebSocket, 'message')) as [Buffer]
    return JSON.parse(String(text)) as readonly { readonly error?: unknown }[]
  }
  const [first, second] = sockets
  for (const answers of [await make(first, 500), await make(first, 500), await make(second, 1)]) {
    t.true(answers.every(({ error }) => error === undefined))
  }
  t.like((await make(first, 1))[0]?.error, {
    code: -32000,
    message: 'expected at most 1000 subscriptions and filters of a connection',
  })
  for (const socket of sockets) socket.close()
})
