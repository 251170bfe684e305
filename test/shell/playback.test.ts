import test from 'ava'
import { readFileSync } from 'node:fs'
import { importTap } from '../../src/recording/playback/importTap.ts'
import { createPlayer } from '../../src/recording/playback/player.ts'
import { resolveSettings } from '../../src/shell/config/resolve.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { run } from '../../src/shell/server.ts'
import { noPlan } from '../../src/shell/start.ts'

const traffic = readFileSync(new URL('../../../test/recording/traffic/wallet.jsonl', import.meta.url), 'utf8')

test('recorded traffic is answered over HTTP, in batches, under the ids of the client', async (t) => {
  const flags = new Map([
    ['rpc.laddr', 'tcp://127.0.0.1:0'], ['json-rpc.address', '127.0.0.1:0'], ['json-rpc.ws-address', '127.0.0.1:0'],
  ])
  const settings = resolveSettings({ flags, environment: {}, scenario: undefined, defaults: {}, files: undefined })
  const player = createPlayer(importTap(traffic, cometNames), { scale: 1, patienceMs: 15_000 })
  const running = await run({
    settings, plan: noPlan, genesis: undefined, home: undefined, log: () => {}, record: () => {}, player,
  })
  t.teardown(running.close)
  const ask = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(running.urls.eth, { method: 'POST', headers, body: JSON.stringify(body) })
    return await response.text()
  }
  t.is(
    await ask([{ jsonrpc: '2.0', id: 'x', method: 'eth_chainId' }, { jsonrpc: '2.0', id: 9, method: 'net_version', params: [] }]),
    '[{"jsonrpc":"2.0","id":"x","result":"0x40000"},{"jsonrpc":"2.0","id":9,"result":"262144"}]\n',
  )
  t.regex(await ask({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x01', 'latest'] }), /"code":-32070/)
  t.is(player.misses().length, 1)
})
