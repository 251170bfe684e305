import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { cli, freePorts, scratch, startCli } from './helpers/cli.ts'
import { eventually } from './helpers/server.ts'

function scenarioFile(text: string): string {
  const path = join(scratch(), 's.json5')
  writeFileSync(path, text)
  return path
}

test.serial(
  'start prints accounts and a warning, is silent on stderr, ends with its listeners, and stops on Ctrl-C',
  async (t) => {
    const started = startCli(['start', ...freePorts])
    t.teardown(() => {
      started.process.kill()
    })
    await eventually(() => started.out().includes('over WebSocket'))
    const out = started.out()
    t.regex(out, /0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 {2}cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq/)
    t.regex(out, /These keys are public/)
    t.regex(out, /EVM chain id\s+31337/)
    t.deepEqual(
      out
        .trimEnd()
        .split('\n')
        .slice(-3)
        .map((line) => line.slice(0, 12)),
      ['Listening on', 'Listening on', 'Listening on'],
    )
    t.is(started.err(), '')
    started.process.kill('SIGINT')
    t.is((await started.ended).code, 0)
  },
)

test.serial('start --app kvstore opens CometBFT RPC alone and says so', async (t) => {
  const started = startCli(['start', '--app', 'kvstore', ...freePorts])
  t.teardown(() => {
    started.process.kill()
  })
  await eventually(() => started.out().includes('Listening on'))
  t.regex(started.out(), /kvstore: send key=value on CometBFT RPC[\s\S]*Ethereum JSON-RPC is not served/)
  t.deepEqual(
    started
      .out()
      .match(/^Listening on .*$/gm)
      ?.map((line) => line.includes('CometBFT RPC')),
    [true],
  )
  t.notRegex(started.out(), /Accounts|EVM chain id/)
  started.process.kill('SIGINT')
  t.is((await started.ended).code, 0)
})

test.serial('start names every address of a list of them', async (t) => {
  const others = freePorts.filter(
    (_, index) =>
      !freePorts
        .slice(0, index + 1)
        .slice(-2)
        .includes('--rpc.laddr'),
  )
  const list = ['--rpc.laddr', 'tcp://127.0.0.1:0,tcp://[::1]:0']
  const started = startCli(['start', '--app', 'kvstore', ...others, ...list])
  t.teardown(() => {
    started.process.kill()
  })
  const named = (): readonly string[] => started.out().match(/^Listening on .*CometBFT RPC.*$/gm) ?? []
  await eventually(() => named().length === 2)
  t.regex(named().join(), /127\.0\.0\.1:\d+.*\[::1\]:\d+/)
  started.process.kill('SIGINT')
  t.is((await started.ended).code, 0)
})

const refused = test.macro(async (t, words: readonly string[] | (() => string[]), code: number, expected: RegExp) => {
  const ended = await cli(typeof words === 'function' ? words() : words)
  t.is(ended.code, code, ended.err)
  t.regex(ended.err, expected)
  t.notRegex(ended.err, /\n\s+at /, 'no stack')
})

test.serial(
  'an unknown flag names the nearest',
  refused,
  ['start', '--json-rpc.adress', 'x'],
  2,
  /unknown option.*[\s\S]*--json-rpc.address/,
)
test.serial(
  'an address of another machine is refused without talk of other programs',
  refused,
  ['start', '--host', '192.0.2.1'],
  1,
  /this machine does not have this address\nUse an address of this machine/,
)
test.serial('an unknown command names the nearest', refused, ['strat'], 2, /strat[\s\S]*start/)
test.serial(
  'a number that is none is refused with what was expected',
  refused,
  ['start', '--json-rpc.filter-cap', 'many'],
  2,
  /--json-rpc.filter-cap: expected a number, received "many"/,
)
test.serial(
  'a profile that does not exist is refused',
  refused,
  ['start', '--profile', 'lokal'],
  2,
  /expected one of local, evmd, documented[\s\S]*local/,
)
test.serial(
  'two values for one setting are refused',
  refused,
  ['start', '--json-rpc.gas-cap', '1', '--rpc-gas-cap', '2'],
  2,
  /both are the same setting/,
)
test.serial(
  'a scenario that is not there is refused with advice',
  refused,
  ['run', 'no/such.json5'],
  2,
  /no\/such.json5: file not found[\s\S]*scenarios\/local.json5/,
)
test.serial(
  'a scenario with a mistake is refused with line and column',
  refused,
  () => ['run', scenarioFile("{\n chainstage: 1, name: 'x',\n stepps: [] }")],
  2,
  /s.json5:3:2 {2}SC1010[\s\S]*Did you mean "steps"/,
)
test.serial(
  'an address that is none is refused',
  refused,
  ['start', '--json-rpc.address', 'here'],
  2,
  /expected HOST:PORT/,
)

test.serial('a port in use is refused with advice', async (t) => {
  const other = createServer()
  await new Promise<void>((done) => {
    other.listen(0, '127.0.0.1', () => done())
  })
  const { port } = other.address() as AddressInfo
  const ended = await cli([
    'start',
    ...freePorts.slice(0, 2),
    '--json-rpc.address',
    `127.0.0.1:${port}`,
    '--json-rpc.ws-address',
    '',
    '--api.address',
    '',
    '--grpc.address',
    '',
  ])
  t.is(ended.code, 1)
  t.regex(ended.err, /the address is already in use[\s\S]*--json-rpc.address/)
  other.close()
})

test.serial('run ends with 0 when every expectation holds and with 1 when one fails', async (t) => {
  const passing = scenarioFile(
    "{ chainstage: 1, name: 'p', clock: { pace: 'instant' }, steps: [{ do: { mine: 2 }, expect: { height: { min: 3 } } }] }",
  )
  const failing = scenarioFile(
    "{ chainstage: 1, name: 'f', clock: { pace: 'instant' }, steps: [{ id: 'deep', do: { mine: 2 }, expect: { height: { min: 9 } } }] }",
  )
  const passed = await cli(['run', passing, ...freePorts])
  t.is(passed.code, 0, passed.err)
  t.regex(passed.out, /p: passed[\s\S]*ok/)
  const failed = await cli(['run', failing, ...freePorts])
  t.is(failed.code, 1)
  t.regex(failed.out, /s.json5:1 {2}deep: height: expected at least 9, was 3/)
})

test.serial('the same scenario in two processes writes the same bytes, and they replay', async (t) => {
  const paths = [join(scratch(), 'a.jsonl'), join(scratch(), 'b.jsonl')]
  for (const path of paths) {
    t.is((await cli(['record', 'scenarios/slow-node.json5', '--out', path, ...freePorts])).code, 0)
  }
  const [a = '', b = ''] = paths.map((path) => readFileSync(path, 'utf8'))
  t.is(a, b)
  t.true(a.length > 1000)
  const replayed = await cli(['replay', paths[0] ?? ''])
  t.is(replayed.code, 0, replayed.out + replayed.err)
})

test.serial('init writes files that change nothing, and never over older ones', async (t) => {
  const home = scratch()
  t.is((await cli(['init', '--home', home])).code, 0)
  for (const name of ['config.toml', 'app.toml']) {
    const lines = readFileSync(join(home, 'config', name), 'utf8').split('\n')
    t.deepEqual(
      lines.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('[')),
      [],
    )
    t.true(lines.length > 50)
  }
  const again = await cli(['init', '--home', home])
  t.is(again.code, 1)
  t.regex(again.err, /is there already/)
})

test.serial('a saved scenario takes effect while it runs, and a bad one changes nothing', async (t) => {
  const text = (balance: string) =>
    `{ chainstage: 1, name: 'r', chain: { profile: 'local' }, steps: [{ when: { signal: 'never' } }, ${balance}] }`
  const path = scenarioFile(text('{ do: { log: 1 } }').replace('log: 1', "log: 'a'"))
  const started = startCli(['start', path, ...freePorts])
  t.teardown(() => {
    started.process.kill()
  })
  await eventually(() => started.out().includes('over WebSocket'))
  writeFileSync(path, '{ chainstage: 1, name: ')
  await eventually(() => started.err().includes('not reloaded, nothing has changed'))
  t.regex(started.err(), /s.json5:1:\d+ {2}SC1000/)
  writeFileSync(path, text("{ do: { log: 'b' } }"))
  await eventually(() => /reloaded .*s.json5/.test(started.err().replace(/not reloaded/g, '')))
  t.regex(started.err(), /generation 2/)
  writeFileSync(path, '')
  await eventually(() => started.err().includes('the file is empty'))
  const { length } = started.err()
  writeFileSync(path, text("{ do: { log: 'b' } }"))
  // Nothing is reloaded here, because the running scenario is saved again.
  await eventually(() => started.err().slice(length).includes('the saved files are valid again'))
  started.process.kill('SIGTERM')
  t.is((await started.ended).code, 0)
})
