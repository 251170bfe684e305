/** The REST API and gRPC between clients and a node: recorded by the proxy, kept in files, and played back. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { status } from '@grpc/grpc-js'
import type { Server } from '../../../src/index.ts'
import { cli, scratch } from '../../helpers/cli.ts'
import { GrpcClient, reflectionV1alpha, textField } from '../../helpers/grpc.ts'
import { ethereumPerson, signTx, any } from '../../helpers/messageChain.ts'
import { startPlayback } from '../../helpers/playback.ts'
import { eventually, freePorts, startLocal } from '../../helpers/server.ts'
import { differencesOf } from '../../../src/recording/folder/differences.ts'
import type { Library } from '../../../src/recording/playback/library.ts'
import { noPlan } from '../../../src/plan/plan.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import type { Mode } from '../../../src/shell/recordings/mode.ts'
import { openPlaying } from '../../../src/shell/recordings/openPlaying.ts'
import type { Upstreams } from '../../../src/shell/recordings/upstream.ts'
import { run } from '../../../src/shell/server.ts'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { loadLibrary, originNow, saveLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { importFile } from '../../../src/shell/recordings/importFile.ts'
import { loadPack } from '../../../src/shell/recordings/packFile.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { followTip } from '../../../src/shell/recordings/tip.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'

const balance = '/cosmos.bank.v1beta1.Query/Balance'
const nodeInfo = '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo'
const alice = ethereumPerson(0)
const bob = 'cosmos1zaxr299q62e39q4zf4fdmjncpfwlqxd0rzpqux'
const ofBob = Buffer.concat([textField(1, bob), textField(2, 'atest')])
const balances = `/cosmos/bank/v1beta1/balances/${bob}`
const secret = 'PLANTED0s3cr3t0KEY'

type Held = { readonly balance: { readonly amount: string } }
type Door = { readonly rest: string; readonly grpc: string }

/** What a program asks, and all that it was told. */
async function session({ rest, grpc }: Door): Promise<readonly unknown[]> {
  const said: unknown[] = []
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(rest + path, init)
    said.push(answer.status, answer.headers.get('x-cosmos-block-height') === null, await answer.json())
  }
  using client = new GrpcClient(grpc)
  const call = async (path: string, message: Uint8Array, headers = {}) => {
    const { code, details, bytes } = await client.call(path, message, { headers })
    said.push(code, details, bytes?.toString('base64'))
  }
  await get(`${balances}/by_denom?denom=atest`)
  await get(`${balances}?pagination.limit=1&apikey=${secret}`, { headers: { authorization: `Bearer ${secret}` } })
  await get(`${balances}/by_denom?denom=atest`, { headers: { 'x-cosmos-block-height': '1' } })
  await get('/cosmos/bank/v1beta1/denoms_metadata/nope')
  await get('/cosmos/base/tendermint/v1beta1/node_info')
  await call(balance, ofBob)
  await call(balance, ofBob, { 'x-cosmos-block-height': '1' })
  await call('/cosmos.bank.v1beta1.Query/DenomMetadata', textField(1, 'nöpe'))
  said.push((await client.call(nodeInfo, new Uint8Array(0))).code)
  const send = any(MsgSend, { fromAddress: alice.address, toAddress: bob, amount: [{ denom: 'atest', amount: '7' }] })
  const [tx, next] = [0n, 1n].map((sequence) => signTx(alice, [send], { number: 0n, sequence }))
  await get('/cosmos/tx/v1beta1/txs', {
    method: 'POST',
    body: JSON.stringify({
      tx_bytes: Buffer.from(tx ?? []).toString('base64'),
      mode: 'BROADCAST_MODE_SYNC',
      [secret]: 1,
    }),
  })
  await eventually(async () => {
    const { balance: held } = (await (await fetch(`${rest}${balances}/by_denom?denom=atest`)).json()) as Held
    return held.amount === '7'
  })
  const size = next?.length ?? 0
  const head = Buffer.of(0x0a, (size & 127) | 128, size >> 7)
  await call(
    '/cosmos.tx.v1beta1.Service/BroadcastTx',
    Buffer.concat([head, next ?? Buffer.alloc(0), Buffer.of(0x10, 2)]),
  )
  await eventually(async () => String((await client.call(balance, ofBob)).bytes).endsWith('14'))
  const { methods } = await client.service(reflectionV1alpha, 'cosmos.bank.v1beta1.Query')
  said.push(methods.length)
  return said
}

/** Resolves with what a session said through the proxy, and the folder that knows it. */
async function recorded(server: Server, out: string): Promise<readonly unknown[]> {
  const sink = openSink(join(out, 'log.jsonl'), [secret])
  const { rest, grpc } = server.urls
  const proxy = await startProxy({
    upstreams: {
      comet: undefined,
      eth: undefined,
      ethWs: undefined,
      rest: new URL(rest),
      grpc: new URL(`http://${grpc}`),
    },
    where: { comet: '', eth: '', ethWs: undefined },
    note: sink.note,
    log: () => {},
  })
  const tip = followTip({
    upstreams: { comet: undefined, eth: undefined, rest: new URL(rest) },
    everyMs: 10,
    level: 'calls',
    nowMs: proxy.nowMs,
    note: sink.note,
  })
  const said = await session(proxy.urls)
  await tip.stop()
  await proxy.close()
  await saveLibrary(out, sink.end(), originNow(0))
  return said
}

test('a playback answers REST and gRPC as the node did, headers and refusals included', async (t) => {
  const out = join(scratch(), 'services')
  await using server = await startLocal()
  const account = await (await fetch(`${server.urls.rest}/cosmos/auth/v1beta1/accounts/${alice.address}`)).json()
  t.like(account, { account: { sequence: '0' } })
  const first = await recorded(server, out)
  t.true(first.includes(404) && first.includes(status.INVALID_ARGUMENT))
  const library = await loadLibrary(out)
  t.false(JSON.stringify([...library.answers.keys()].map((key) => [key, library.answers.get(key)])).includes(secret))
  t.true([...library.answers.keys()].some((key) => key.startsWith('grpc cosmos.bank.v1beta1.Query/Balance {"address"')))
  await using playback = await startPlayback(library)
  t.deepEqual(plain(await session(playback.running.urls)), plain(first))
  t.deepEqual(playback.player.misses(), [])
  using client = new GrpcClient(playback.running.urls.grpc)
  const { bytes } = await client.call(nodeInfo, new Uint8Array(0))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is there to find them
  t.regex(String(bytes), /\x04node/)
  t.notRegex(String(bytes), /\nchainstage:/)
})

/** Who a node is was made unknown in the recording. */
function plain(said: readonly unknown[]): string {
  return JSON.stringify(said, (name, value: unknown) => (name === 'default_node_info' ? '' : value))
}

test('a packed recording of REST and gRPC unpacks to the same calls', async (t) => {
  const [folder, file, again] = ['packed', 'packed.pack', 'unpacked'].map((name) => join(scratch(), name)) as [
    string,
    string,
    string,
  ]
  await using server = await startLocal()
  await recorded(server, folder)
  for (const words of [
    ['pack', folder, '--out', file],
    ['unpack', file, '--out', again],
  ]) {
    const { code, err } = await cli(['recording', ...words])
    t.is(code, 0, err)
  }
  const har = `${again}.har`
  const exported = await cli(['recording', 'export', folder, '--out', har])
  t.regex(exported.err, /^not in the file: [1-9]\d* calls?, because HAR export has no form for gRPC/)
  t.notRegex(readFileSync(har, 'utf8'), /Query\/Balance/)
  const [first, packed] = [await loadLibrary(folder), loadPack(file)]
  const { library: read, withheld } = await importFile(har, `${har}.log`)
  t.deepEqual(withheld, [])
  const ofRest = ({ answers }: Library) =>
    [...answers.keys()]
      // Import replaces the identity of a node by another one.
      .filter((key) => key.startsWith('rest ') && !key.includes('GetNodeInfo'))
      .toSorted()
      .map((key) => [key, answers.get(key)?.map(({ answer }) => answer)])
  t.deepEqual(ofRest(read), ofRest(first))
  t.is(ofRest(read).length, 5)
  t.is(read.writes.filter(({ key }) => key.includes('BroadcastTx')).length, 1)
  const keys = [...first.answers.keys()].toSorted()
  t.true(keys.some((key) => key.startsWith('rest ')) && keys.some((key) => key.startsWith('grpc ')))
  t.deepEqual([...packed.answers.keys()].toSorted(), keys)
  t.is(packed.writes.length, first.writes.length)
  t.deepEqual(differencesOf(first, await loadLibrary(again)), { onlyFirst: [], onlySecond: [], changed: [] })
})

const program = `
const answer = await fetch(process.env.CHAINSTAGE_REST_URL + '${balances}')
if (answer.status !== 200 || !process.env.CHAINSTAGE_GRPC_URL) process.exit(3)
`

test('the command line records a REST API and gRPC for a program', async (t) => {
  await using server = await startLocal()
  const { rest, grpc } = server.urls
  const out = join(scratch(), 'program')
  const node = [process.execPath, '--input-type=module', '-e', program]
  const { code, err } = await cli(['record', '--rest', rest, '--grpc', grpc, '--out', out, '--', ...node])
  t.is(code, 0, err)
  const library = await loadLibrary(out)
  t.true([...library.answers.keys()].some((key) => key.startsWith('rest cosmos.bank.v1beta1.Query/AllBalances')))
})

test('a run in a mode that records asks a REST API and gRPC, too', async (t) => {
  await using server = await startLocal()
  const { rest, grpc } = server.urls
  const out = join(scratch(), 'modeAll')
  const upstreams = ['--upstream-rest', rest, '--upstream-grpc', grpc]
  const node = [process.execPath, '--input-type=module', '-e', program]
  const { code, err } = await cli(['run', '--playback', out, '--mode', 'all', ...upstreams, '--', ...node])
  t.is(code, 0, err)
  const library = await loadLibrary(out)
  t.true([...library.answers.keys()].some((key) => key.startsWith('rest cosmos.bank.v1beta1.Query/AllBalances')))
})

test('what was not recorded is refused on both doors, and names what was', async (t) => {
  const out = join(scratch(), 'missed')
  await using server = await startLocal()
  await recorded(server, out)
  await using playback = await startPlayback(await loadLibrary(out))
  const { rest, grpc } = playback.running.urls
  const answer = await fetch(`${rest}${balances}/by_denom?denom=other`)
  t.is(answer.status, 500)
  t.regex(await answer.text(), /no recorded response for cosmos\.bank\.v1beta1\.Query\/Balance.*nearest/)
  using client = new GrpcClient(grpc)
  const { code, details } = await client.call(balance, Buffer.concat([textField(1, bob), textField(2, 'other')]))
  t.is(code, status.INTERNAL)
  t.regex(details, /no recorded response for cosmos\.bank\.v1beta1\.Query\/Balance/)
})

/** Plays a folder in a mode, asks some calls of it over both doors, and tells what it said. */
async function playing(path: string, mode: Mode, upstreams: Upstreams) {
  const opened = await openPlaying({
    path,
    mode,
    upstreams,
    pace: 'recorded',
    scale: 1,
    patienceMs: 1000,
    maxDegraded: 0,
  })
  const running = await run({
    settings: {
      ...profileSettings('local'),
      ...freePorts,
      blocks: 'manual',
    },
    plan: noPlan,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: () => {},
    playing: opened,
  })
  const said: unknown[] = []
  const paths = [
    `${balances}/by_denom?denom=atest`,
    `${balances}?pagination.limit=1`,
    '/cosmos/bank/v1beta1/denoms_metadata/nope',
    '/cosmos/base/tendermint/v1beta1/blocks/1',
  ]
  for (const path of paths) {
    const answer = await fetch(running.urls.rest + path)
    said.push(answer.status, await answer.text())
  }
  using client = new GrpcClient(running.urls.grpc)
  const calls = [
    [balance, ofBob, {}],
    [balance, ofBob, { 'x-cosmos-block-height': '1' }],
    ['/cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight', Buffer.of(8, 1), {}],
    ['/cosmos.bank.v1beta1.Query/DenomMetadata', textField(1, 'nöpe'), {}],
  ] as const
  for (const [method, message, headers] of calls) {
    const { code, details, bytes } = await client.call(method, message, { headers })
    said.push(code, details, bytes?.toString('base64'))
  }
  await running.close()
  return { said, ...(await opened.end()) }
}

test('missing asks a node over REST and gRPC, and keeps what it says', async (t) => {
  const out = join(scratch(), 'asked')
  await using server = await startLocal()
  await saveLibrary(out, openSink(join(scratch(), 'empty.jsonl'), []).end(), originNow(0))
  const upstreams = {
    comet: undefined,
    eth: undefined,
    ethWs: undefined,
    rest: new URL(server.urls.rest),
    grpc: new URL(`http://${server.urls.grpc}`),
  }
  const first = await playing(out, 'missing', upstreams)
  t.deepEqual(first.misses, [])
  t.true(first.passed.some((key) => key.startsWith('rest ')) && first.passed.some((key) => key.startsWith('grpc ')))
  const again = await playing(out, 'strict', { comet: undefined, eth: undefined, ethWs: undefined })
  t.deepEqual(again.misses, [])
  t.deepEqual(again.said, first.said)
  t.deepEqual((await playing(out, 'diff', upstreams)).differences, [])
  await using other = await startLocal({ chainId: 'other-1' })
  const moved = { ...upstreams, rest: new URL(other.urls.rest), grpc: new URL(`http://${other.urls.grpc}`) }
  const { differences } = await playing(out, 'diff', moved)
  t.regex(differences.join('\n'), /rest .*GetBlockByHeight.*: recorded/)
  t.regex(differences.join('\n'), /grpc .*GetBlockByHeight.*: recorded/)
})

test('update asks a REST API and gRPC again for calls that name a height', async (t) => {
  const out = join(scratch(), 'updated')
  await using server = await startLocal()
  await recorded(server, out)
  const { rest, grpc } = server.urls
  const {
    code,
    out: said,
    err,
  } = await cli(['recording', 'update', out, '--upstream-rest', rest, '--upstream-grpc', grpc])
  t.is(code, 0, err)
  t.regex(said, /: ([1-9]\d*) of \1 calls recorded again/)
})

test('transactions are kept from a node that is elsewhere', async (t) => {
  const noted: string[] = []
  const elsewhere = new URL('http://node.example:1')
  const proxy = await startProxy({
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined, rest: elsewhere, grpc: elsewhere },
    where: { comet: '', eth: '', ethWs: undefined },
    note: ({ path = '' }) => noted.push(path),
    log: () => {},
  })
  const { rest, grpc } = proxy.urls
  const answer = await fetch(`${rest}/cosmos/tx/v1beta1/txs`, { method: 'POST', body: '{"tx_bytes":"AA==","mode":2}' })
  t.regex(await answer.text(), /"code":7, .*--allow-writes/)
  using client = new GrpcClient(grpc)
  t.is((await client.call('/cosmos.tx.v1beta1.Service/BroadcastTx', new Uint8Array(0))).code, status.PERMISSION_DENIED)
  await proxy.close()
  t.deepEqual(noted, [])
})
