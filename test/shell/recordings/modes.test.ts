/** Each mode of playback, with a chain of ours as the real node. */
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { WebSocket } from 'ws'
import type { SimError } from '../../../src/errors.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { loadLibrary, originNow, saveLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { modeOf, type Mode } from '../../../src/shell/recordings/mode.ts'
import { openPlaying } from '../../../src/shell/recordings/openPlaying.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { updateFolder } from '../../../src/shell/recordings/updateFolder.ts'
import { run } from '../../../src/shell/server.ts'
import type { Server } from '../../../src/index.ts'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { eventually, freePorts as addresses, startLocal } from '../../helpers/server.ts'
import { noPlan } from '../../../src/plan/plan.ts'

const someone = '0x00000000000000000000000000000000000000aa'
const chainId = { method: 'eth_chainId', params: [] }
const bob = `0x${'b0'.repeat(20)}`
const rich = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const gasPrice = { method: 'eth_gasPrice', params: [] }
const balance = (block: string) => ({ method: 'eth_getBalance', params: [someone, block] })

type Call = { readonly method: string; readonly params: readonly unknown[] }

/** Sends calls one by one. */
async function send(url: string, calls: readonly Call[]): Promise<readonly string[]> {
  const answers: string[] = []
  for (const [index, call] of calls.entries()) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: index, ...call }),
    })
    answers.push(await response.text())
  }
  return answers
}

/** Starts a playback as a person does, asks, ends it, and tells what it said. */
async function playByCli(folder: string, words: readonly string[], calls: readonly Call[]) {
  const started = startCli(['start', ...freePorts, '--json', '--no-watch', '--playback', folder, ...words])
  const { urls } = JSON.parse((await started.says(/^\{.*\n/))[0]) as { urls: { eth: string } }
  const answers = await send(urls.eth, calls)
  started.process.kill('SIGTERM')
  return { answers, ...(await started.ended) }
}

const upstreamOf = (server: Server | undefined) => ({
  comet: undefined,
  eth: server === undefined ? undefined : new URL(server.urls.eth),
  ethWs: undefined,
})

/** Plays a recording in this process. */
async function play(folder: string, mode: Mode, { node, calls }: { node?: Server; calls: readonly Call[] }) {
  const opened = await openPlaying({
    path: folder,
    mode,
    upstreams: upstreamOf(node),
    pace: 'recorded',
    scale: 1,
    patienceMs: 1000,
    maxDegraded: 10,
  })
  const running = await run({
    settings: {
      ...profileSettings('local'),
      rpcLaddr: '',
      ethAddress: '127.0.0.1:0',
      ethWsAddress: '',
      apiAddress: '',
      grpcAddress: '',
      controlAddress: '',
      blocks: 'manual',
    },
    plan: noPlan,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: () => {},
    playing: opened,
  })
  const answers = await send(running.urls.eth, calls)
  await running.close()
  return { answers, ...(await opened.end()) }
}

/** Resolves with the calls that a folder has, beside what is recorded of every block. */
async function callsIn(folder: string): Promise<readonly string[]> {
  const { answers } = await loadLibrary(folder)
  return [...answers.keys()].filter((key) => !/Block|getLogs/.test(key))
}

/** Records some calls. */
async function recorded(server: Server, calls: readonly Call[]): Promise<string> {
  const folder = join(scratch(), 'modes')
  const sink = openSink(join(folder, 'log.jsonl'), [])
  const proxy = await startProxy({
    upstreams: upstreamOf(server),
    note: sink.note,
    log: () => {},
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
  })
  await send(proxy.urls.eth, calls)
  await proxy.close()
  await saveLibrary(folder, sink.end(), originNow())
  return folder
}

test('strict is the default under CI, once elsewhere', (t) => {
  t.is(modeOf(undefined, { CI: 'true' }), 'strict')
  t.is(modeOf(undefined, {}), 'once')
  t.throws(() => modeOf('most', {}), { code: 'BAD_SETTING' })
})

test('once records where there is nothing, and is strict where there is', async (t) => {
  await using server = await startLocal()
  const folder = join(scratch(), 'once')
  const upstream = ['--mode', 'once', '--upstream-eth', server.urls.eth]
  await playByCli(folder, upstream, [chainId])
  const { answers, code, err } = await playByCli(folder, upstream, [chainId, gasPrice])
  t.regex(answers[0] ?? '', /"0x7a69"/)
  t.regex(answers[1] ?? '', /-32070/)
  t.is(code, 4)
  t.regex(err, /no recorded response: eth eth_gasPrice/)
  const told = JSON.parse(readFileSync(`${folder}.misses.json`, 'utf8')) as { misses: readonly string[] }
  t.deepEqual(told.misses, ['eth eth_gasPrice []'])
})

test('missing asks the node for what was not recorded, and keeps it', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId])
  const first = await play(folder, 'missing', { node: server, calls: [gasPrice] })
  const { answers, misses } = await play(folder, 'strict', { calls: [chainId, gasPrice] })
  t.deepEqual(misses, [])
  t.is(answers[1]?.replace('"id":1', '"id":0'), first.answers[0])
})

test('spy asks the node and keeps nothing', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId])
  const spied = await play(folder, 'spy', { node: server, calls: [gasPrice, chainId] })
  t.regex(spied.answers[0] ?? '', /"result":"0x/)
  t.like(spied, { mode: 'spy', passed: ['eth eth_gasPrice []'], used: ['eth eth_chainId []'] })
  t.false((await loadLibrary(folder)).answers.has('eth eth_gasPrice []'))
})

test('diff answers from the node and says what is different', async (t) => {
  await using server = await startLocal()
  await using other = await startLocal({ evmChainId: 4242 })
  const folder = await recorded(server, [chainId, gasPrice])
  const calls = [chainId, gasPrice]
  t.deepEqual((await play(folder, 'diff', { node: server, calls })).differences, [])
  const { answers, differences } = await play(folder, 'diff', { node: other, calls })
  t.regex(answers[0] ?? '', /"0x1092"/)
  t.deepEqual(differences, ['eth eth_chainId []: recorded "0x7a69", now "0x1092"'])
})

test('diff says of a recorded call that no node is set for it, not that it was not recorded', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId])
  const { answers, differences } = await play(folder, 'diff', { calls: [chainId] })
  t.regex(answers[0] ?? '', /"message":"chainstage: no node is set for it \(--upstream-eth\)"/)
  t.deepEqual(differences, [
    'eth eth_chainId []: recorded "0x7a69", now error -32071 chainstage: no node is set for it (--upstream-eth)',
  ])
  const { answers: spied } = await play(folder, 'spy', { calls: [gasPrice] })
  t.regex(spied[0] ?? '', /this call was not recorded, and no node is set for it/)
})

test('a call that mines and was not recorded mines on the node that the mode asks, and so does a recorded one in diff', async (t) => {
  const calls = [
    { method: 'hardhat_mine', params: ['0x2'] },
    { method: 'evm_mine', params: [] },
  ]
  for (const mode of ['spy', 'missing', 'diff'] as const) {
    await using server = await startLocal({ blocks: 'manual' })
    const folder = await recorded(server, mode === 'diff' ? [chainId, ...calls] : [chainId])
    const before = server.simulation().node.chain.height
    const { answers, passed, differences } = await play(folder, mode, { node: server, calls })
    t.deepEqual(
      answers.map((one) => (JSON.parse(one) as { result: unknown }).result),
      [true, '0x0'],
    )
    t.is(server.simulation().node.chain.height, before + 3n)
    t.deepEqual([passed.length, differences], [2, []])
  }
})

test('lenient answers by the nearest height, whose call counts as used, then by the simulator, and says so', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [balance('latest')])
  const { answers, degraded, used } = await play(folder, 'lenient', { calls: [balance('0x1'), gasPrice] })
  t.regex(answers[0] ?? '', /"0x0"/)
  t.regex(answers[1] ?? '', /"result":"0x/)
  t.regex(degraded[0] ?? '', /eth_getBalance.*: answered like/)
  t.regex(degraded[1] ?? '', /eth_gasPrice.*: answered by chainstage/)
  t.is(used.length, 1)
  t.regex(used[0] ?? '', /eth_getBalance.*"latest"/)
})

test('refresh keeps what was asked, all keeps the rest too', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId, gasPrice])
  const upstream = ['--upstream-eth', server.urls.eth]
  await playByCli(folder, ['--mode', 'all', ...upstream], [chainId])
  t.is((await callsIn(folder)).length, 2)
  await playByCli(folder, ['--mode', 'refresh', ...upstream], [chainId])
  t.deepEqual(await callsIn(folder), ['eth eth_chainId []'])
})

test('a mode that asks a node and was told of none is refused', async (t) => {
  const { code, err } = await startCli(['start', ...freePorts, '--playback', 'nowhere', '--mode', 'missing']).ended
  t.is(code, 2)
  t.regex(err, /needs a node to ask, received none/)
})

test('what missing has learned is kept although it is killed', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId])
  const started = startCli([
    'start',
    ...freePorts,
    '--json',
    '--no-watch',
    '--playback',
    folder,
    '--mode',
    'missing',
    '--upstream-eth',
    server.urls.eth,
  ])
  const { urls } = JSON.parse((await started.says(/^\{.*\n/))[0]) as { urls: { eth: string } }
  const [price] = await send(urls.eth, [gasPrice])
  started.process.kill('SIGKILL')
  await started.ended
  const again = await play(folder, 'strict', { calls: [gasPrice] })
  t.is(again.answers[0], price)
  await play(folder, 'missing', { node: server, calls: [chainId] })
  t.false(readdirSync(folder).includes('learned.jsonl'))
  t.true((await loadLibrary(folder)).answers.has('eth eth_gasPrice []'))
})

type Heard = {
  readonly params?: { readonly subscription: string }
  readonly id?: unknown
  readonly result?: string | boolean | object
}

/** Listens over a WebSocket until it has heard so many frames, and unsubscribes. */
async function hears(
  url: string,
  call: Call,
  { frames, then }: { frames: number; then: () => void },
): Promise<readonly Heard[]> {
  const socket = new WebSocket(url)
  const heard: Heard[] = []
  socket.on('message', (data: Buffer) => {
    heard.push(JSON.parse(data.toString('utf8')) as Heard)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'mine', ...call }))
  await eventually(() => heard.length > 0)
  then()
  await eventually(() => heard.length >= frames)
  const ended =
    call.method === 'subscribe'
      ? { method: 'unsubscribe', params: call.params }
      : { method: 'eth_unsubscribe', params: [heard[0]?.result] }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, ...ended }))
  await eventually(() => heard.some(({ id }) => id === 7))
  socket.terminate()
  return heard
}

test('modes that ask a node listen to it, too, and missing keeps what it heard', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId])
  const upstreams = {
    comet: new URL(server.urls.comet),
    eth: new URL(server.urls.eth),
    ethWs: new URL(server.urls.ethWs),
  }
  const opened = await openPlaying({
    path: folder,
    mode: 'missing',
    upstreams,
    pace: 'recorded',
    scale: 1,
    patienceMs: 1000,
    maxDegraded: 10,
  })
  const running = await run({
    settings: { ...profileSettings('local'), ...addresses, controlAddress: '', blocks: 'manual' },
    plan: noPlan,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: () => {},
    playing: opened,
  })
  const then = () => {
    server.mine(2)
  }
  const heads = await hears(running.urls.ethWs, { method: 'eth_subscribe', params: ['newHeads'] }, { frames: 3, then })
  t.is(heads[1]?.params?.subscription, String(heads[0]?.result))
  t.like(heads.at(-1), { id: 7, result: true })
  const query = ["tm.event='NewBlockHeader'"]
  const headers = await hears(running.urls.cometWs, { method: 'subscribe', params: query }, { frames: 3, then })
  t.deepEqual(
    headers.slice(0, 3).map(({ id }) => id),
    ['mine', 'mine', 'mine'],
  )
  const [filter = ''] = await send(running.urls.eth, [{ method: 'eth_newBlockFilter', params: [] }])
  then()
  const { result } = JSON.parse(filter) as { result: string }
  const [changes = ''] = await send(running.urls.eth, [{ method: 'eth_getFilterChanges', params: [result] }])
  t.is((JSON.parse(changes) as { result: readonly string[] }).result.length, 2)
  await running.close()
  await opened.end()
  const { streams } = await loadLibrary(folder)
  t.is(streams.get('eth eth_subscribe ["newHeads"]')?.length, 2)
  t.is(streams.get('comet subscribe {"query":"tm.event=\'NewBlockHeader\'"}')?.length, 2)
})

test('a patch lies on top of what was recorded, stays when it is written anew, and fails when its target is gone', async (t) => {
  await using server = await startLocal()
  const folder = await recorded(server, [chainId, { method: 'eth_getBlockByNumber', params: ['0x0', false] }])
  mkdirSync(join(folder, 'patches'))
  const patch = join(folder, 'patches', 'other.json5')
  const edit = (method: string, path: string) =>
    writeFileSync(
      patch,
      `[{ match: { method: '${method}' }, patch: [{ op: 'replace', path: '${path}', value: '0x539' }], reason: 'another chain' }]`,
    )
  edit('eth_chainId', '')
  const asked = () => play(folder, 'strict', { calls: [chainId] })
  t.regex((await asked()).answers[0] ?? '', /"0x539"/)
  await play(folder, 'missing', { node: server, calls: [gasPrice] })
  t.regex((await asked()).answers[0] ?? '', /"0x539"/)
  t.regex(JSON.stringify((await loadLibrary(folder)).answers.get('eth eth_chainId []')), /0x7a69/)
  edit('eth_getBlockByNumber', '/nothing')
  const refusal = await t.throwsAsync<SimError>(asked(), {
    code: 'INVALID_RECORDING',
    message: /patches\/other\.json5: .*\/nothing, which does not exist/,
  })
  t.is(refusal?.hint, 'Correct this file, or remove it. The recording itself is not changed.')
  edit('eth_syncing', '')
  await t.throwsAsync(asked(), { message: /another chain.*eth_syncing, which is not recorded/ })
  const verified = await cli(['recording', 'verify', folder])
  t.is(verified.code, 5)
  t.regex(verified.out, /eth_syncing/)
  writeFileSync(patch, '{ match: {} }')
  await t.throwsAsync(asked(), { message: /expected \{ match/ })
})

test('a call whose parameters differ in what rules ignore is answered, and rules that make two answers one are refused', async (t) => {
  await using server = await startLocal()
  const sent = (gas: string, from = someone) => ({ method: 'eth_estimateGas', params: [{ from, to: bob, gas }] })
  const folder = await recorded(server, [
    sent('0x100000'),
    balance('latest'),
    { method: 'eth_getBalance', params: [rich, '0x1'] },
  ])
  const rules = join(folder, 'rules.json5')
  const asked = () => play(folder, 'strict', { calls: [sent('0x200000')] })
  t.regex((await asked()).answers[0] ?? '', /-32070/)
  writeFileSync(rules, "{ ignore: { eth_estimateGas: ['params[0].gas'] } }")
  t.regex((await asked()).answers[0] ?? '', /"result":"0x5208"/)
  const other = await play(folder, 'strict', { calls: [sent('0x200000', bob)] })
  t.regex(other.answers[0] ?? '', /-32070/)
  await play(folder, 'missing', { node: server, calls: [gasPrice] })
  t.regex((await asked()).answers[0] ?? '', /0x5208/, 'they stay when the recording is written anew')
  writeFileSync(rules, "{ ignore: { eth_getBalance: ['params[0]', 'params[1]'] } }")
  await t.throwsAsync(asked(), {
    code: 'INVALID_RECORDING',
    message: /rules\.json5: the rules make two recorded calls equal/,
  })
  writeFileSync(rules, '{ ignored: {} }')
  await t.throwsAsync(asked(), { code: 'INVALID_RECORDING', message: /rules\.json5: expected \{ ignore/ })
})

test('update asks again for what was missed, for heights and for methods, and for nothing of the head', async (t) => {
  await using server = await startLocal()
  const block = { method: 'eth_getBlockByNumber', params: ['0x0', false] }
  const folder = await recorded(server, [chainId, block, balance('latest'), balance('0x0')])
  const before = await loadLibrary(folder)
  await playByCli(folder, ['--mode', 'strict'], [gasPrice, { method: 'eth_getBlockReceipts', params: ['0x0'] }])
  const upstream = ['--upstream-eth', server.urls.eth]
  const again = (...words: string[]) => cli(['recording', 'update', folder, ...upstream, ...words])
  t.regex((await again('--from-misses', `${folder}.misses.json`)).out, /2 of 2 calls recorded again/)
  t.true((await loadLibrary(folder)).answers.has('eth eth_gasPrice []'))
  t.regex((await again('--heights', '0..3')).out, /3 of 3 calls/)
  t.regex((await again('--only', 'eth_getBalance')).out, /1 of 1 call recorded/)
  t.regex((await again('--heights', '7..9')).out, /0 of 0 calls/)
  t.regex((await again('--stale', '2d')).out, /recorded less than 2d ago/)
  const after = await loadLibrary(folder)
  for (const key of before.answers.keys())
    t.deepEqual(
      after.answers.get(key)?.map(({ answer }) => answer),
      before.answers.get(key)?.map(({ answer }) => answer),
    )
  const missing = await cli(['recording', 'update', folder, '--heights', '0..3'])
  t.is(missing.code, 1)
  t.regex(missing.err, /not answered: eth eth_getBlockByNumber/)
  t.regex(missing.err, /To ask for these calls, add --upstream-eth URL\./)
})

test('update asks CometBFT RPC in its own spelling', async (t) => {
  await using server = await startLocal()
  server.mine(2)
  const folder = await recorded(server, [chainId])
  const missed = [
    'comet block {"height":"1"}',
    'comet abci_query {"path":"/app/version"}',
    'comet block_search {"query":"block.height=1"}',
  ]
  const upstreams = { comet: new URL(server.urls.comet), eth: undefined, ethWs: undefined }
  t.like(await updateFolder(folder, { upstreams, missed, only: [], heights: undefined }), { asked: 3, unanswered: [] })
  const { answers } = await loadLibrary(folder)
  for (const key of [...missed, 'eth eth_chainId []']) t.is(answers.get(key)?.[0]?.answer.ok, true, key)
})

const trafficOf = (name: string) =>
  fileURLToPath(new URL(`../../../../test/recording/traffic/${name}.jsonl`, import.meta.url))
const [wallet, mixed] = [trafficOf('wallet'), trafficOf('mixed')]

test('the banner and status tell of the recorded chain, not of the simulator behind it', async (t) => {
  const folder = join(scratch(), 'wallet')
  await saveLibrary(folder, await loadLibrary(mixed), originNow())
  const started = startCli(['start', ...freePorts, '--no-watch', '--playback', folder, '--mode', 'strict'])
  const [, control = ''] = await started.says(/Dashboard on (\S+)/)
  t.regex(started.out(), /EVM chain id +262144\n +Cosmos chain id +9001\n +playback of +wallet\n/)
  const status = (await (await fetch(`${control}/api/status`)).json()) as object
  t.like(status, { evmChainId: 262_144, chainId: '9001', playback: 'wallet', blocks: { mode: 'playback' } })
  t.true((status as { height: number }).height > 0)
  started.process.kill('SIGTERM')
  t.is((await started.ended).code, 0)
})

test('stopping a detached playback that missed a call ends with its exit code', async (t) => {
  const environment = { CHAINSTAGE_STATE: scratch() }
  const file = join(scratch(), 'wallet.jsonl')
  copyFileSync(wallet, file)
  const { out } = await cli(
    ['start', '--detach', '--json', ...freePorts, '--playback', file, '--mode', 'strict'],
    environment,
  )
  const { pid, urls } = JSON.parse(out) as { pid: number; urls: { eth: string } }
  t.teardown(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      /* it has ended */
    }
  })
  t.regex((await send(urls.eth, [{ method: 'eth_call', params: [] }]))[0] ?? '', /-32070/)
  const stopped = await cli(['instances', 'stop', String(pid)], environment)
  t.is(stopped.code, 4)
  t.regex(stopped.err, new RegExp(`${pid} ended with exit code 4; see `))
  t.true(existsSync(`${file}.misses.json`))
})

test('a saved patch or rule of a recording takes effect while it plays, and a bad one changes nothing', async (t) => {
  const folder = join(scratch(), 'watched')
  await saveLibrary(folder, await loadLibrary(wallet), originNow())
  const started = startCli(['start', ...freePorts, '--watch', '--playback', folder, '--mode', 'strict'])
  const [, eth = ''] = await started.says(/Listening on (\S+) \(Ethereum JSON-RPC\)/)
  const now = async () => (await send(eth, [chainId]))[0] ?? ''
  const until = async (wanted: RegExp) => {
    for (let tries = 0; tries < 200 && !wanted.test(await now()); tries++) {
      await new Promise((done) => {
        setTimeout(done, 50)
      })
    }
    t.regex(await now(), wanted)
  }
  t.regex(await now(), /"0x40000"/)
  mkdirSync(join(folder, 'patches'))
  const patch = join(folder, 'patches', 'id.json5')
  const edit = (value: string) =>
    writeFileSync(
      patch,
      `{ match: { method: 'eth_chainId' }, patch: [{ op: 'replace', path: '', value: '${value}' }], reason: 'r' }`,
    )
  edit('0x539')
  await until(/"0x539"/)
  writeFileSync(patch, '{ match: {} }')
  await started.says(/not reloaded, nothing has changed/, 'err').catch(() => started.says(/not reloaded/))
  t.regex(await now(), /"0x539"/)
  writeFileSync(join(folder, 'rules.json5'), "{ ignore: { eth_getCode: ['params[0]'] } }")
  edit('0x53a')
  await until(/"0x53a"/)
  const other = { method: 'eth_getCode', params: [someone, 'latest'] }
  t.regex((await send(eth, [other]))[0] ?? '', /"result":"0x"/)
  started.process.kill('SIGTERM')
  await started.ended
})
