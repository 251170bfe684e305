/** What is left after Ctrl-C and SIGTERM: no program, every file, the right exit code. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { cli, freePorts, scratch, startCli, type Ended, type Started } from '../../helpers/cli.ts'
import { post } from '../../helpers/raw.ts'
import { eventually, startLocal } from '../../helpers/server.ts'
import { unusedPorts } from '../../helpers/unusedPorts.ts'

/** A program that starts another one and tells the ids of both; neither ends by itself. */
const twoPrograms = (atSignal: string) => `
  import { spawn } from 'node:child_process'
  process.on('SIGINT', () => { ${atSignal} })
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  console.log('pids ' + process.pid + ' ' + other.pid)
  setInterval(() => {}, 1000)`

function scenarioIn(folder: string): string {
  const path = join(folder, 's.json5')
  writeFileSync(path, "{ chainstage: 1, name: 's', clock: { pace: 'wall' }, steps: [] }")
  return path
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Resolves when both programs are gone; what a defect leaves is killed after the test. */
async function ends(t: ExecutionContext, started: Started): Promise<readonly number[]> {
  const [, ...pids] = await started.says(/pids (\d+) (\d+)/)
  const both = pids.map(Number)
  t.teardown(() => {
    for (const pid of both.filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  return both
}

const stops = test.macro(async (t, verb: string, signal: 'SIGINT' | 'SIGTERM', code: number) => {
  const folder = scratch()
  const report = join(folder, 'r.xml')
  const log = verb === 'test' ? ['--log', join(folder, 'run.log')] : []
  const started = startCli([
    verb,
    scenarioIn(folder),
    ...log,
    '--reporter',
    `junit=${report}`,
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    twoPrograms('process.exit(0)'),
  ])
  const pids = await ends(t, started)
  started.process.kill(signal)
  const ended = await started.ended
  t.is(ended.code, code, ended.out + ended.err)
  await eventually(() => !pids.some(isAlive))
  t.regex(readFileSync(report, 'utf8'), new RegExp(`<failure message="${signal} ended the run`))
})

test.serial('SIGINT to run ends the program with all that it started, and gives 130', stops, 'run', 'SIGINT', 130)
test.serial('SIGTERM to test ends the program with all that it started, and gives 143', stops, 'test', 'SIGTERM', 143)

test.serial('a second Ctrl-C kills a program that does not heed the first', async (t) => {
  const started = startCli([
    'run',
    scenarioIn(scratch()),
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    twoPrograms("console.log('heard')"),
  ])
  const pids = await ends(t, started)
  started.process.kill('SIGINT')
  await started.says(/heard/)
  t.true(isAlive(pids[0] ?? 0))
  started.process.kill('SIGINT')
  t.is((await started.ended).code, 130)
  await eventually(() => !pids.some(isAlive))
})

/** Presses Ctrl-C again and again until the command has ended. */
async function interrupt({ process: child, ended }: Started): Promise<Ended> {
  const again = setInterval(() => child.kill('SIGINT'), 1)
  child.kill('SIGINT')
  return ended.finally(() => clearInterval(again))
}

test.serial('Ctrl-C again while --state is saved loses nothing', async (t) => {
  const state = join(scratch(), 'chain.state')
  const started = startCli(['start', '--state', state, ...freePorts])
  t.teardown(() => {
    started.process.kill('SIGKILL')
  })
  await started.says(/over WebSocket/)
  t.is((await interrupt(started)).code, 0)
  t.true(existsSync(state))
})

test.serial('Ctrl-C again while misses are written keeps exit code 4', async (t) => {
  const folder = scratch()
  const recording = join(folder, 'rec')
  t.is((await cli(['recording', 'import', 'test/recording/traffic/wallet.jsonl', '--out', recording])).code, 0)
  const started = startCli(['start', '--playback', recording, '--json', ...freePorts])
  t.teardown(() => {
    started.process.kill('SIGKILL')
  })
  const [line] = await started.says(/^\{.*\}\n/)
  const { urls } = JSON.parse(line) as { urls: { eth: string } }
  await post(urls.eth, { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x01', 'latest'] })
  t.is((await interrupt(started)).code, 4)
  t.regex(readFileSync(`${recording}.misses.json`, 'utf8'), /eth_getBalance/)
})

test.serial('a scenario as a module that leaves a timer behind does not keep a command alive', async (t) => {
  const path = join(scratch(), 'hold.mjs')
  writeFileSync(path, "setInterval(() => {}, 1000)\nexport default { chainstage: 1, name: 'held', steps: [] }")
  const started = startCli(['run', path])
  t.teardown(() => {
    started.process.kill('SIGKILL')
  })
  const { code, out, err } = await started.ended
  t.is(code, 0, err)
  t.regex(out, /^held: passed/)
})

test.serial('a program that cannot be started ends a recording, and leaves nothing of it', async (t) => {
  await using server = await startLocal()
  const out = join(scratch(), 'rec')
  const started = startCli(['record', '--eth', server.urls.eth, '--out', out, '--', 'no-such-program'])
  t.teardown(() => {
    started.process.kill('SIGKILL')
  })
  const { code, err } = await started.ended
  t.is(code, 1)
  t.regex(err, /CANNOT_RUN/)
  t.false(existsSync(out))
})

test.serial('a chain that cannot listen again after a restart ends with exit code 1', async (t) => {
  const folder = scratch()
  const path = scenarioIn(folder)
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')]
  for (const file of [cert, key]) writeFileSync(file, '')
  const started = startCli(['start', path, '--rpc.tls_cert_file', cert, '--rpc.tls_key_file', key, ...freePorts])
  t.teardown(() => {
    started.process.kill('SIGKILL')
  })
  await started.says(/over WebSocket/)
  rmSync(cert)
  writeFileSync(path, "{ chainstage: 1, name: 's', chain: { evmChainId: 77 }, clock: { pace: 'wall' }, steps: [] }")
  const { code, out, err } = await started.ended
  t.is(code, 1, out)
  t.regex(out + err, /nothing serves any more, so the process ends/)
})

test.serial('a process that ends before its command is over says so, and fails', async (t) => {
  const url = new URL('../../../src/shell/process/endProcess.js', import.meta.url)
  const text = `const { watchForEnd } = await import(${JSON.stringify(url)}); watchForEnd(); await new Promise(() => {})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (part: Buffer) => {
    err += String(part)
  })
  const [code] = (await once(child, 'close')) as [number]
  t.is(code, 70, err)
  t.regex(err, /the process ended before its command was over/)
})

test('a signal that ends a run gets its response', async (t) => {
  const folder = scratch()
  const path = join(folder, 'waits.json5')
  writeFileSync(
    path,
    "{ chainstage: 1, name: 'w', clock: { pace: 'wall' }, steps: [{ id: 'a', when: { signal: 'go' }, timeout: '20s' }] }",
  )
  const [port] = await unusedPorts(1)
  const control = ['--control', `127.0.0.1:${port}`]
  const recording = startCli(['record', path, '--out', join(folder, 'run.jsonl'), ...freePorts, ...control])
  await eventually(async () => (await cli(['status', ...control])).code === 0)
  const signal = await cli(['signal', 'go', ...control])
  t.is(signal.code, 0, signal.err)
  t.is((await recording.ended).code, 0)
})

const stopsFork = test.macro(async (t, words: (url: string, folder: string) => readonly string[]) => {
  const silent = createServer((socket) => {
    t.teardown(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  const asked = once(silent, 'connection')
  await once(silent, 'listening')
  const folder = scratch()
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const started = startCli(words(url, folder))
  await asked
  const began = performance.now()
  started.process.kill('SIGINT')
  const { code, err } = await started.ended
  t.is(code, 130, err)
  t.regex(err, /STOPPED: SIGINT ended the command before its chain served/)
  t.true(performance.now() - began < 15_000, 'the node has half a minute to answer')
  t.deepEqual(readdirSync(folder), [], 'nothing is left')
})

const endedByCtrlC = (what: string) => `Ctrl-C ends ${what} that waits for the silent node of its fork`

test.serial(endedByCtrlC('a start'), stopsFork, (url, folder) => {
  return ['start', '--fork', url, ...freePorts, '--state', join(folder, 'kept.state')]
})
test.serial(endedByCtrlC('a run'), stopsFork, (url) => ['run', '--fork', url, '--', 'true'])
test.serial(endedByCtrlC('a recording'), stopsFork, (url, folder) => {
  return ['record', '--level', 'fork', '--eth', url, '--out', join(folder, 'recording'), '--', 'true']
})
