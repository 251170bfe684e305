/** The part of `debug` that looks into the process, over HTTP: with files inside the home only. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { startCli } from '../../helpers/cli.ts'
import { eventually, startLocal } from '../../helpers/server.ts'

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } }

async function ask(url: string, method: string, ...params: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `debug_${method}`, params })
  const headers = { 'content-type': 'application/json' }
  return (await (await fetch(url, { method: 'POST', headers, body })).json()) as Answer
}

const flags = [
  'start',
  '--no-watch',
  '--control',
  '',
  '--rpc.laddr',
  '',
  '--json-rpc.address',
  '127.0.0.1:0',
  '--api.address',
  '',
  '--grpc.address',
  '',
  '--json-rpc.ws-address',
  '',
  '--json-rpc.enable-profiling',
  '--json-rpc.api',
  'eth,debug',
] as const

type Profiled = {
  readonly url: string
  readonly read: (name: string) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Returns where to ask a process of its own, and a reader of files in its home. */
async function profiled(): Promise<Profiled> {
  const home = await mkdtemp(join(tmpdir(), 'profiling-'))
  const node = startCli([...flags, '--home', home])
  const [, url = ''] = await node.says(/Listening on (http:\S+)/)
  return {
    url,
    read: async (name) => JSON.parse(await readFile(join(home, name), 'utf8')) as unknown,
    stop: async () => {
      node.process.kill('SIGTERM')
      await node.ended
      await rm(home, { recursive: true })
    },
  }
}

test('garbage is counted, collected and left to V8', async (t) => {
  const { url, stop } = await profiled()
  const count = async () => {
    const { result } = await ask(url, 'gcStats')
    return result as { NumGC: number; Pause: number[]; PauseTotal: number; LastGC: string }
  }
  const before = await count()
  t.is((await ask(url, 'freeOSMemory')).result, null)
  const after = await count()
  t.true(after.NumGC > before.NumGC)
  t.true(after.PauseTotal > before.PauseTotal)
  t.true(Math.abs(Date.parse(after.LastGC) - Date.now()) < 60_000)
  const { result } = await ask(url, 'memStats')
  const { HeapAlloc, HeapSys, NumGC } = result as Record<string, number>
  t.true(Number(HeapAlloc) > 1e6 && Number(HeapSys) >= Number(HeapAlloc))
  t.true(Number(NumGC) >= after.NumGC)
  t.is((await ask(url, 'setGCPercent', 100)).result, 0)
  t.is((await ask(url, 'setGCPercent', 0)).result, 100)
  t.regex((await ask(url, 'setGCPercent', -1)).error?.message ?? '', /does not stop/)
  await stop()
})

test('profiles are written to the home', async (t) => {
  const { url, read, stop } = await profiled()
  t.is((await ask(url, 'writeMemProfile', 'heap.json')).result, null)
  const heap = (await read('heap.json')) as { snapshot: { node_count: number } }
  t.true(heap.snapshot.node_count > 10_000)
  t.is((await ask(url, 'cpuProfile', 'cpu.json', 0)).result, null)
  t.is((await ask(url, 'startGoTrace', 'trace.json')).result, null)
  t.is((await ask(url, 'startGoTrace', 'b.json')).error?.message, 'trace already in progress')
  t.is((await ask(url, 'stopGoTrace')).result, null)
  t.is((await ask(url, 'stopGoTrace')).error?.message, 'trace not in progress')
  t.is((await ask(url, 'goTrace', 'go.json', 0)).result, null)
  for (const name of ['cpu.json', 'trace.json', 'go.json']) {
    t.true(((await read(name)) as { nodes: unknown[] }).nodes.length > 0, name)
  }
  await stop()
})

test('what blocks is what holds up the event loop', async (t) => {
  const { url, read, stop } = await profiled()
  t.is((await ask(url, 'writeBlockProfile', 'none.json')).result, null)
  t.deepEqual(await read('none.json'), { count: 0 })
  t.is((await ask(url, 'setBlockProfileRate', 1)).result, null)
  let measured = { count: 0, max: 0 }
  await eventually(async () => {
    t.is((await ask(url, 'writeBlockProfile', 'some.json')).result, null)
    measured = (await read('some.json')) as typeof measured
    return measured.count > 0
  })
  t.is((await ask(url, 'setBlockProfileRate', 0)).result, null)
  t.true(measured.max > 1e6)
  t.is((await ask(url, 'blockProfile', 'second.json', 1)).result, null)
  t.true(((await read('second.json')) as { count: number }).count > 0)
  await stop()
})

test('there are no locks, and one thread has one stack', async (t) => {
  const { url, stop } = await profiled()
  const refused = [
    ['mutexProfile', 'a', 1],
    ['writeMutexProfile', 'a'],
    ['setMutexProfileFraction', 1],
  ] as const
  for (const [method, ...params] of refused) {
    const { error } = await ask(url, method, ...params)
    t.is(error?.message, 'a single-threaded process has no locks to profile', method)
  }
  t.regex(String((await ask(url, 'stacks')).result), /thread 1 \[running\]:[^]*waiting for:/)
  await stop()
})

test('nothing is written outside of the home, nor without one', async (t) => {
  const { url, stop } = await profiled()
  for (const path of ['../out.json', '/../out.json', '..']) {
    for (const [method, ...more] of [['writeMemProfile'], ['startCPUProfile'], ['goTrace', 0]]) {
      const { error } = await ask(url, String(method), path, ...more)
      t.regex(error?.message ?? '', /can only be written inside the home directory/, `${method} ${path}`)
    }
  }
  await stop()
  await using homeless = await startLocal({ ethEnableProfiling: true })
  const { error } = await ask(homeless.urls.eth, 'writeMemProfile', 'heap.json')
  t.regex(error?.message ?? '', /start with --home/)
})

const closed = test.macro(async (t, method: string, ...params: unknown[]) => {
  await using server = await startLocal()
  const { error } = await ask(server.urls.eth, method, ...params)
  t.is(error?.message, 'profiling disabled in the debug namespace')
})

for (const method of ['gcStats', 'memStats', 'freeOSMemory', 'stacks', 'stopGoTrace']) {
  test(`${method} asks for enable-profiling`, closed, method)
}
for (const method of ['setGCPercent', 'setBlockProfileRate', 'setMutexProfileFraction']) {
  test(`${method} asks for enable-profiling`, closed, method, 1)
}
const writing = ['writeMemProfile', 'writeBlockProfile', 'writeMutexProfile', 'startGoTrace']
for (const method of writing) {
  test(`${method} asks for enable-profiling`, closed, method, 'file')
}
