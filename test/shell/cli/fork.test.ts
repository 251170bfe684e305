/** A fork as a person starts and records it. */
import { join } from 'node:path'
import test from 'ava'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { raw } from '../../helpers/forked.ts'
import { startLocal } from '../../helpers/server.ts'

const friend = `0x${'f1'.repeat(20)}`
const program = `
const call = async (method, params) => (await (await fetch(process.env.CHAINSTAGE_ETH_URL, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})).json()).result
console.log('balance', await call('eth_getBalance', ['${friend}', 'latest']))`

test('a fork is recorded against a node, and starts without it', async (t) => {
  const folder = join(scratch(), 'shop')
  const node = await startLocal()
  await raw(node.urls.eth, 'anvil_setBalance', [friend, '0x2a'])
  node.mine(3)
  const recorded = await cli([
    'record',
    '--level',
    'fork',
    '--eth',
    node.urls.eth,
    '--comet',
    node.urls.comet,
    '--out',
    folder,
    '--',
    process.execPath,
    '-e',
    program,
  ])
  await node.close()
  t.is(recorded.code, 0, recorded.err)
  t.regex(recorded.out, /balance 0x2a\n.*shop: the state of height 4, \d+ exchanges/s)
  const started = startCli(['start', '--fork', folder, ...freePorts, '--json'])
  const [line] = await started.says(/^\{.*\}$/m)
  const { urls } = JSON.parse(line) as { urls: { eth: string } }
  t.deepEqual(JSON.parse(await raw(urls.eth, 'eth_getBalance', [friend, 'latest'])), {
    jsonrpc: '2.0',
    id: 1,
    result: '0x2a',
  })
  t.is((JSON.parse(await raw(urls.eth, 'eth_blockNumber', [])) as { result: string }).result, '0x5')
  const { error } = JSON.parse(await raw(urls.eth, 'eth_getCode', [`0x${'0c'.repeat(20)}`, 'latest'])) as {
    error: { code: number }
  }
  t.is(error.code, -32070)
  started.process.kill('SIGTERM')
  const ended = await started.ended
  t.is(ended.code, 4, 'something was missed')
  t.regex(ended.err, /account 0x0c0c.* at height 4 is unknown/)
})

test('what cannot be gone on from is said', async (t) => {
  const nobody = await cli(['start', '--fork', 'http://127.0.0.1:1', ...freePorts])
  t.is(nobody.code, 1)
  t.regex(nobody.err, /http:\/\/127\.0\.0\.1:1 responds to neither eth_chainId nor status/)
  const height = await cli(['start', '--fork', 'http://127.0.0.1:1', '--fork-height', 'x'])
  t.regex(height.err, /expected --fork-height HEIGHT, received "x"/)
})

test('a saved fork continues at its own height, although the other chain has moved on', async (t) => {
  const node = await startLocal()
  node.mine(3)
  const args = ['start', '--fork', node.urls.eth, ...freePorts, '--json', '--state', join(scratch(), 'chain.state')]
  const height = async () => {
    const { process, says, ended } = startCli(args)
    const [line] = await says(/^\{.*\}$/m)
    const { urls } = JSON.parse(line) as { urls: { eth: string } }
    await raw(urls.eth, 'evm_mine', [])
    const { result } = JSON.parse(await raw(urls.eth, 'eth_blockNumber', [])) as { result: string }
    process.kill('SIGTERM')
    await ended
    return Number(result)
  }
  const first = await height()
  node.mine(2)
  t.is(await height(), first + 1)
  await node.close()
})
