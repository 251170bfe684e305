/** A real node is recorded through the proxy by the command line, with secrets in the way. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { loadLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { followTip } from '../../../src/shell/recordings/tip.ts'
import { cli, scratch, startCli } from '../../helpers/cli.ts'
import { startPlayback } from '../../helpers/playback.ts'
import { eventually, startLocal } from '../../helpers/server.ts'

const planted = 'PLANTED0s3cr3t0KEY'
const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

/** A program that plants secrets everywhere it can. */
const program = `
const eth = process.env.CHAINSTAGE_ETH_URL, comet = process.env.CHAINSTAGE_COMET_URL
const send = (body, path = '', headers = {}) => fetch(eth + path, {
  method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body),
}).then((answer) => answer.text())
const call = (method, ...params) => ({ jsonrpc: '2.0', id: 7, method, params })
await send(call('eth_chainId'), '/?apikey=${planted}', { authorization: 'Bearer ${planted}', 'x-api-key': '${planted}' })
await send({ ...call('eth_blockNumber'), apiKey: '${planted}' })
await send(call('personal_unlockAccount', '0x01', '${planted}'))
await send([call('eth_gasPrice'), call('eth_call', { privateKey: '${planted}' })])
await send(call('wallet_import', ${JSON.stringify(words)}))
await send(call('wallet_import', '0x' + 'ac'.repeat(32)))
await fetch(comet + '/status?apikey=${planted}').then((answer) => answer.text())
`

test('a WebSocket URL is refused for an interface over HTTP, and allowed for --ws', async (t) => {
  await using server = await startLocal()
  const recorded = (...words: string[]) =>
    cli(['record', ...words, '--level', 'calls', '--out', join(scratch(), 'node'), '--', process.execPath, '-e', '0'])
  for (const flag of ['--eth', '--comet', '--rest']) {
    const { code, err } = await recorded(flag, server.urls.ethWs)
    t.is(code, 2, flag)
    t.true(err.includes(`expected an http or https URL for ${flag}\nUse a URL like http://127.0.0.1:8545.`), err)
  }
  t.is((await recorded('--ws', server.urls.ethWs)).code, 0)
  t.regex((await recorded('--ws', 'nowhere')).err, /expected a ws or wss URL for --ws/)
})

test('planted secrets never reach a file, and what they stood in is withheld', async (t) => {
  await using server = await startLocal()
  const out = join(scratch(), 'secrets')
  const { code, err } = await cli(
    [
      'record',
      '--comet',
      server.urls.comet,
      '--eth',
      `${server.urls.eth}/?key=${planted}`,
      '--out',
      out,
      '--',
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ],
    { MY_TOKEN: planted },
  )
  t.is(code, 1, err)
  t.regex(err, /was not written: mnemonic/)
  t.regex(err, /was not written: private key/)
  t.regex(err, /was not written: (?:named secret|a secret value)/)
  t.throws(
    () => execFileSync('grep', ['-rE', `${planted}|sausage|acacacac|Bearer`, out]),
    undefined,
    'grep found something',
  )
  const library = await loadLibrary(out)
  for (const key of [
    'eth eth_chainId []',
    'eth eth_blockNumber []',
    'eth personal_unlockAccount ["[redacted]"]',
    'comet status {}',
  ]) {
    t.true(library.answers.has(key), key)
  }
})

test('what was flushed before kill -9 is readable, and verify says where it ends', async (t) => {
  await using server = await startLocal()
  const out = join(scratch(), 'killed')
  const recording = startCli([
    'record',
    '--eth',
    server.urls.eth,
    '--ws',
    server.urls.ethWs,
    '--poll',
    '0',
    '--json',
    '--out',
    out,
  ])
  const { urls } = JSON.parse((await recording.says(/^.*\n/))[0]) as { urls: { eth: string } }
  const ask = () =>
    fetch(urls.eth, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
    })
  for (let count = 0; count < 20; count++) await (await ask()).text()
  recording.process.kill('SIGKILL')
  await recording.ended
  const { code, out: said } = await cli(['recording', 'verify', out])
  t.is(code, 0)
  t.regex(said, /was interrupted: it has 20 exchanges and ends after [\d.]+ ms, at height 1/)
  t.true((await loadLibrary(out)).answers.has('eth eth_blockNumber []'))
  t.is(readFileSync(join(out, 'log.jsonl'), 'utf8').split('\n').length, 22)
})

test('a program that fails does not cost the recording that was there', async (t) => {
  await using server = await startLocal()
  const out = join(scratch(), 'kept')
  const ask = `await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' }).then((a) => a.text())`
  const record = (text: string) =>
    cli(['record', '--eth', server.urls.eth, '--out', out, '--', process.execPath, '--input-type=module', '-e', text])
  t.is((await record(ask)).code, 0)
  const failed = await record('process.exit(3)')
  t.is(failed.code, 3)
  t.regex(failed.out, /the existing recording was kept/)
  const { code, out: said } = await cli(['recording', 'verify', out])
  t.is(code, 0, said)
  t.true((await loadLibrary(out)).answers.has('eth eth_chainId []'))
})

test('a damaged recording is named by verify and refused by start', async (t) => {
  await using server = await startLocal()
  const out = join(scratch(), 'damaged')
  await cli([
    'record',
    '--eth',
    server.urls.eth,
    '--out',
    out,
    '--poll',
    '0',
    '--',
    process.execPath,
    '-e',
    `
    fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' })`,
  ])
  execFileSync('sed', ['-i', 's/0x7a69/0x7a68/', join(out, 'eth/eth_chainId.jsonl')])
  const verified = await cli(['recording', 'verify', out])
  t.is(verified.code, 5)
  t.regex(verified.out, /eth\/eth_chainId.jsonl: the digest does not match/)
  const started = await cli(['start', '--playback', out, '--rpc.laddr', 'tcp://127.0.0.1:0'])
  t.is(started.code, 2)
  t.regex(started.err, /INVALID_RECORDING.*eth_chainId/)
})

test('with level blocks, what nobody asked about a height is answered', async (t) => {
  await using server = await startLocal()
  server.mine(2)
  const out = join(scratch(), 'blocks')
  const sink = openSink(join(out, 'log.jsonl'), [])
  const tip = followTip({
    upstreams: { comet: new URL(server.urls.comet), eth: new URL(server.urls.eth) },
    everyMs: 20,
    level: 'blocks',
    nowMs: () => 1,
    note: sink.note,
  })
  await eventually(() => sink.count() > 0)
  server.mine(2)
  await eventually(() => sink.count() >= 20)
  await tip.stop()
  await using playing = await startPlayback(sink.end())
  const ask = async (method: string, ...params: unknown[]) => {
    const response = await fetch(playing.running.urls.eth, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await response.json()) as { result?: unknown }).result
  }
  const block = (await ask('eth_getBlockByNumber', '0x5', false)) as { hash: string }
  t.deepEqual(await ask('eth_getBlockByHash', block.hash, false), block)
  t.deepEqual(
    await ask('eth_getLogs', {
      fromBlock: '0x4',
      toBlock: '0x5',
      address: '0x00000000000000000000000000000000000000aa',
    }),
    [],
  )
  t.deepEqual(playing.player.misses(), [])
})

/** A program that asks once and succeeds, whatever the answer is. */
const askingOnce = `await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
  body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' }).then((answer) => answer.text())`
const recordOnce = (eth: string, out: string, ...words: string[]) =>
  cli(['record', '--eth', eth, '--out', out, ...words, '--', process.execPath, '--input-type=module', '-e', askingOnce])

test('a node that never answers is told of, fails the recording, and leaves an older one alone', async (t) => {
  const website = createServer((_, response) => response.end('<html>'))
  await using server = await startLocal()
  const [old, none] = [join(scratch(), 'old'), join(scratch(), 'none')]
  t.is((await recordOnce(server.urls.eth, old)).code, 0)
  website.listen(0, '127.0.0.1')
  await once(website, 'listening')
  const { port } = website.address() as AddressInfo
  for (const url of ['http://127.0.0.1:9', `http://127.0.0.1:${port}`]) {
    const first = await recordOnce(url, none)
    t.is(first.code, 1, first.out)
    t.regex(first.err, /the node did not tell its height: /)
    t.regex(first.err, /The node gave no response that can be recorded\. Check that it runs/)
    t.true(first.out.endsWith(`${none}: nothing was recorded\n`), first.out)
    t.false(existsSync(none), 'no empty folder is left')
    t.is(/^eth: a response that is not JSON is not recorded$/m.test(first.err), url.endsWith(String(port)), first.err)
    const second = await recordOnce(url, old, '--save-on-failure', '--json')
    t.is(second.code, 1, second.out)
    t.like(JSON.parse(second.out), { exchanges: 0, saved: false, exitCode: 1 })
  }
  t.true((await loadLibrary(old)).answers.has('eth eth_chainId []'))
  website.close()
})

test('record and show count the same requests, without the heights that the recorder saw', async (t) => {
  await using server = await startLocal()
  const out = join(scratch(), 'counted')
  const { out: said } = await recordOnce(server.urls.eth, out)
  const [, exchanges] = /: (\d+) exchanges\n$/.exec(said) ?? []
  t.truthy(exchanges, said)
  const { out: shown } = await cli(['recording', 'show', out])
  t.regex(shown, new RegExp(`^.*: heights .*, ${exchanges} requests, 0 transactions sent\n`))
  const rows = [...shown.matchAll(/^ {2}.*, (\d+) requests?$/gm)].map(([, count]) => Number(count))
  t.is(
    rows.reduce((sum, count) => sum + count, 0),
    Number(exchanges),
  )
})
