import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { crc32, gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { start, type Server, type StartOptions } from '../../src/index.ts'
import { SimError } from '../../src/errors.ts'
import { absentOrBad, simulationInFile } from '../../src/shell/stateFile.ts'
import { cli, freePorts, scratch, startCli } from '../helpers/cli.ts'
import { api, rpc, startControlled } from '../helpers/control.ts'

const [alice, bob] = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const still = { blocks: 'manual', time: 'logical', pace: 'manual' } as const

const begin = (options: StartOptions = {}) =>
  start({ ports: 'none', ...options, settings: { ...still, ...options.settings } })
const send = (server: Server) =>
  server.eth.request({
    method: 'eth_sendTransaction',
    params: [{ from: alice, to: bob, value: '0x1', gas: '0x5208' }],
  }) as Promise<string>
const ask = (server: Server, method: string, ...params: unknown[]) => server.eth.request({ method, params })

/** A chain with blocks, a transaction that waits, a filter, a checkpoint and moved time. */
async function lived(): Promise<{
  server: Server
  waiting: string
  filter: unknown
  checkpoint: unknown
}> {
  const server = await begin()
  await send(server)
  server.mine(3)
  const checkpoint = await ask(server, 'evm_snapshot')
  server.moveTime('1h')
  const filter = await ask(server, 'eth_newBlockFilter')
  server.mine(1)
  return { server, waiting: await send(server), filter, checkpoint }
}

test('demand 19: a chain that goes on from a file is the one that was saved, and makes the same blocks', async (t) => {
  const { server, waiting, filter, checkpoint } = await lived()
  const path = join(scratch(), 'chain.state')
  await server.save(path)
  await using other = await begin({ state: path })
  t.is(other.digest('node'), server.digest('node'))
  for (const one of [server, other]) one.mine(2)
  const hashes = await Promise.all([server, other].map((one) => ask(one, 'eth_getBlockByNumber', 'latest', false)))
  t.deepEqual(hashes[0], hashes[1])
  t.like(await ask(other, 'eth_getTransactionReceipt', waiting), { blockNumber: '0x6', status: '0x1' })
  t.is(((await ask(other, 'eth_getFilterChanges', filter)) as unknown[]).length, 3)
  t.true(await ask(other, 'evm_revert', checkpoint))
  t.is(await ask(other, 'eth_blockNumber'), '0x4')
  await server.close()
})

test('a checkpoint that is older than the states in memory is in the file, and is restored from it', async (t) => {
  const server = await begin()
  await send(server)
  server.mine(1)
  const checkpoint = await ask(server, 'evm_snapshot')
  const before = await ask(server, 'eth_getBlockByNumber', 'latest', false)
  server.mine(400)
  const path = join(scratch(), 'chain.state')
  await server.save(path)
  await using other = await begin({ state: path })
  t.is(other.digest('node'), server.digest('node'))
  for (const one of [server, other]) {
    t.true(await ask(one, 'evm_revert', checkpoint))
    t.deepEqual(await ask(one, 'eth_getBlockByNumber', 'latest', false), before)
    one.mine(2)
  }
  t.is(other.digest('chain'), server.digest('chain'))
  await server.close()
})

test('two processes that were asked the same save the same bytes', async (t) => {
  const folder = scratch()
  const saved = async (name: string): Promise<Buffer> => {
    const path = join(folder, name)
    const words = [
      '--state',
      path,
      '--profile',
      'local',
      '--blocks',
      'manual',
      '--time',
      'logical',
      '--pace',
      'manual',
      '--json',
    ]
    const one = startCli(['start', ...freePorts, ...words])
    const { urls } = JSON.parse((await one.says(/\{"chainstage".*\}/))[0]) as {
      urls: { eth: string }
    }
    await rpc(urls.eth, 'eth_sendTransaction', { from: alice, to: bob, value: '0x1', gas: '0x5208' })
    await rpc(urls.eth, 'anvil_mine', '0x4')
    one.process.kill('SIGTERM')
    await one.ended
    return readFileSync(path)
  }
  t.deepEqual(await saved('a'), await saved('b'))
})

test('a scenario goes on where it was; another one starts over', async (t) => {
  const folder = scratch()
  const [path, first, second] = ['chain.state', 'first.json5', 'second.json5'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const text = (name: string) => `{ chainstage: 1, name: '${name}', seed: 'one', steps: [
    { id: 'two', when: { height: 2 }, do: [{ fault: { use: 'slow' } }] }, { id: 'go', when: { signal: 'go' }, do: [] } ],
    faults: { slow: { match: { method: 'eth_chainId' }, effect: { latency: '1s' } } } }`
  writeFileSync(first, text('first'))
  writeFileSync(second, text('second'))
  const server = await begin({ scenario: first })
  server.mine(5)
  const { step } = server.simulation().progress
  await server.save(path)
  await server.close()
  await using same = await begin({ scenario: first, state: path })
  t.is(same.simulation().progress.step, step)
  await using fresh = await begin({ scenario: second, state: path })
  t.is(fresh.simulation().plan.name, 'second')
  t.is(fresh.simulation().progress.started.height, 6n)
})

async function refuses(t: ExecutionContext, change: (bytes: Buffer) => Buffer, expected: RegExp): Promise<void> {
  const path = join(scratch(), 'chain.state')
  await using server = await begin()
  server.mine(2)
  await server.save(path)
  writeFileSync(path, change(readFileSync(path)))
  const before = server.digest('node')
  const error = await t.throwsAsync(server.load(path))
  t.regex(error?.message ?? '', expected)
  t.is(server.digest('node'), before)
  await t.throwsAsync(begin({ state: path }), { message: expected })
}

const flip = (bytes: Buffer) => {
  bytes[bytes.length - 50]! ^= 1
  return bytes
}

test(
  'a file that was cut short is refused',
  refuses,
  (bytes: Buffer) => bytes.subarray(0, -10),
  /expected \d+ bytes .* received \d+: the file is truncated/,
)
test(
  'a file to which something was appended is refused',
  refuses,
  (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('more')]),
  /expected \d+ bytes .* received \d+: the file has more than what was saved/,
)
test('a file with a flipped bit is refused', refuses, flip, /the digest does not match/)
test(
  'demand 20: a file of another format is refused by its number',
  refuses,
  (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replace('"chainstageState":11', '"chainstageState":12'), 'latin1'),
  /expected format 11, received format 12/,
)
test(
  'a file that is something else is refused',
  refuses,
  () => Buffer.from('{"name":"x"}\n'),
  /expected a state file of chainstage/,
)
test('an empty file is refused', refuses, () => Buffer.alloc(0), /expected a state file of chainstage/)

test('a state of another genesis is refused, and nothing has changed', async (t) => {
  const path = join(scratch(), 'chain.state')
  await using server = await begin({ settings: { seed: 'another' } })
  await server.save(path)
  await t.throwsAsync(begin({ state: path }), { code: 'FOREIGN_STATE', message: /another genesis of chain/ })
  await t.throwsAsync(begin({ state: join(scratch(), 'none') }), {
    code: 'BAD_STATE',
    message: /file not found/,
  })
  await t.throwsAsync(begin({ state: scratch() }), { code: 'BAD_STATE', message: /expected a file, received a folder/ })
})

test('a state file without permissions is not called damaged: the advice is to let this user read it', (t) => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  const error = t.throws(() => absentOrBad(denied), { code: 'BAD_STATE', message: 'permission denied (EACCES)' })
  t.regex((error instanceof SimError ? error.hint : undefined) ?? '', /Let this user read the file/)
})

test('a saved checkpoint is loaded any number of times, and connections stay', async (t) => {
  const checkpoints = scratch()
  await using server = await startControlled({ checkpoints })
  const socket = new WebSocket(server.urls.ethWs)
  const heads: string[] = []
  socket.on('message', (text) => {
    const { params } = JSON.parse(String(text)) as { params?: { result: { number: string } } }
    if (params !== undefined) heads.push(params.result.number)
  })
  await new Promise((done) => socket.once('open', done))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  await new Promise((done) => socket.once('message', done))
  t.like((await api(server, '/checkpoints/saved', { name: 'start' })).body, { name: 'start', height: 1 })
  for (const _ of [1, 2]) {
    await rpc(server.urls.eth, 'eth_sendTransaction', { from: alice, to: bob, value: '0x1', gas: '0x5208' })
    t.is(await rpc(server.urls.eth, 'eth_blockNumber'), '0x2')
    t.like((await api(server, '/checkpoints/load', { name: 'start' })).body, { name: 'start', height: 1 })
    t.is(await rpc(server.urls.eth, 'eth_getTransactionCount', alice, 'latest'), '0x0')
  }
  t.deepEqual(heads, ['0x2', '0x2'])
  t.like((await api(server, '/checkpoints/saved')).body, [{ name: 'start', height: 1 }])
  writeFileSync(join(checkpoints, 'torn.state'), 'x')
  t.regex((await api(server, '/checkpoints/saved')).body[1].problem, /expected a state file of chainstage/)
  t.like((await api(server, '/checkpoints/load', { name: 'nope' })).body, {
    error: { code: 'NO_CHECKPOINT', hint: 'Saved checkpoints: start, torn.' },
  })
  t.like((await api(server, '/checkpoints/saved', { name: '../x' })).body, { error: { code: 'BAD_NAME' } })
  socket.close()
})

test('demand 18: start --state saves on exit and goes on from there; checkpoint save, load and list reach it', async (t) => {
  const folder = scratch()
  const words = [
    'start',
    ...freePorts,
    '--state',
    join(folder, 'chain.state'),
    '--checkpoints',
    folder,
    '--json',
    '--profile',
    'local',
  ]
  const first = startCli(words)
  const { urls } = JSON.parse((await first.says(/\{"chainstage".*\}/))[0]) as {
    urls: Record<'eth' | 'control', string>
  }
  await rpc(urls.eth, 'anvil_mine', '0x4')
  const there = { CHAINSTAGE_CONTROL_URL: urls.control }
  t.regex((await cli(['checkpoint', 'save', 'five'], there)).out, /five holds height 5: /)
  await rpc(urls.eth, 'anvil_mine', '0x4')
  first.process.kill('SIGTERM')
  t.regex((await first.ended).err, /saving height 9 to /)
  const second = startCli(words)
  const again = JSON.parse((await second.says(/\{"chainstage".*\}/))[0]) as {
    urls: Record<'eth' | 'control', string>
  }
  t.is(await rpc(again.urls.eth, 'eth_blockNumber'), '0x9')
  const here = { CHAINSTAGE_CONTROL_URL: again.urls.control }
  t.regex((await cli(['checkpoint', 'list'], here)).out, /^five {2}chain \S+ {2}height 5 /m)
  t.regex((await cli(['checkpoint', 'load', 'five'], here)).out, /at height 5/)
  t.is(await rpc(again.urls.eth, 'eth_blockNumber'), '0x5')
  second.process.kill('SIGTERM')
  await second.ended
})

const notSaved = test.macro((t, plain: Buffer, unpackedBytes: number, message: RegExp) => {
  const packed = gzipSync(plain)
  const header = {
    chainstageState: 11,
    version: '0.0.0',
    chainId: 'x',
    height: '1',
    bytes: packed.length,
    unpackedBytes,
    sha256: createHash('sha256').update(packed).digest('hex'),
  }
  const first = JSON.stringify({ ...header, sum: crc32(JSON.stringify(header)) })
  const file = Buffer.concat([Buffer.from(`${first}\n`), packed])
  t.throws(() => simulationInFile(file), { code: 'BAD_STATE', message })
})
test(
  'a state file whose content is something else is refused',
  notSaved,
  serialize({ something: 'else' }),
  1000,
  /the content is not a saved chain/,
)
test(
  'a state file whose content is no value is refused',
  notSaved,
  Buffer.from('garbage'),
  7,
  /the content is not a saved chain/,
)
test(
  'a state file that unpacks to more than it says is refused',
  notSaved,
  Buffer.alloc(2 ** 20),
  1000,
  /the content is not a saved chain/,
)
test(
  'a state file that unpacks to far more than it has is refused',
  notSaved,
  Buffer.from('garbage'),
  2 ** 28 + 1,
  /expected at most 268435456 unpacked bytes, received a file of 268435457/,
)
