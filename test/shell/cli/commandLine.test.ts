import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import type { Command } from 'commander'
import { showAll } from '../../../src/shell/cli/help.ts'
import { verbs } from '../../../src/shell/cli/verbs.ts'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { ask, post } from '../../helpers/raw.ts'
import { eventually } from '../../helpers/server.ts'

const says = test.macro(async (t, words: readonly string[], code: number, err: RegExp) => {
  const done = await cli(words)
  t.is(done.code, code, done.out + done.err)
  t.regex(done.err, err)
})

test.serial('an unknown flag without a verb means start', says, ['--rpc.ladr', 'x'], 2, /Did you mean --rpc\.laddr\?/)
test.serial(
  'a bad value says what was expected',
  says,
  ['start', '--evm.evm-chain-id', 'mainnet'],
  2,
  /--evm\.evm-chain-id: expected a number, received "mainnet"/,
)
test.serial(
  'a program beside --serve, which was never run',
  says,
  ['record', 'scenarios/local.json5', '--serve', '--', process.execPath, '-e', '0'],
  2,
  /CONTRADICTION: expected --serve without a program, received both\nLeave --serve out/,
)
test.serial('a recording that is not there', says, ['replay', 'nowhere.jsonl'], 2, /nowhere\.jsonl/)
test.serial(
  'a recording that is none',
  says,
  ['replay', 'package.json'],
  2,
  /package\.json:1: expected a line of a recorded run, in canonical JSON/,
)
test.serial('a group of commands without one shows its help alone', says, ['recording'], 2, /for git\.\n$/)
test.serial(
  'a choice that does not exist',
  says,
  ['start', '--profile', 'foo'],
  2,
  /evmd, documented, received "foo"\n$/,
)
test.serial(
  'a fault rule that is not there',
  says,
  ['faults', 'on', 'a', '--rule', 'no.json5'],
  2,
  /no\.json5: file not/,
)
test.serial('a genesis that is not there', says, ['start', '--genesis', 'nowhere.json'], 2, /nowhere\.json/)
test.serial(
  'a mnemonic that is none',
  says,
  ['start', '--mnemonic', 'one two three', ...freePorts],
  2,
  /not a BIP-39 mnemonic/,
)

test.serial(
  'a fleet command without servers is wrong usage',
  says,
  ['fleet', 'status'],
  2,
  /BAD_FLEET: .* received none/,
)

test('each command, argument and flag has a help text of whole sentences', async (t) => {
  const texts: string[] = []
  const visit = (command: Command, above: string): void => {
    const name = `${above} ${command.name()}`
    texts.push(`${name}: ${command.description()}`)
    // The description of start says what its scenario is, and its help has one screen.
    const words = command.registeredArguments.filter(() => command.name() !== 'start')
    for (const one of words) texts.push(`${name} ${one.name()}: ${one.description}`)
    for (const { flags, hidden, description } of command.options) {
      if (!hidden) texts.push(`${name} ${flags}: ${description}`)
    }
    for (const one of command.commands) visit(one, name)
  }
  showAll()
  for (const load of Object.values(verbs)) {
    visit(
      (await load())(() => {}),
      'chainstage',
    )
  }
  t.true(texts.length > 300, String(texts.length))
  t.deepEqual(
    texts.filter((text) => !/: [A-Z][^]*\.(?: \(default: .*\))?(?: \[[A-Z0-9_]+\])?$/.test(text)),
    [],
  )
})

test.serial('help lists every verb, and start every setting with its variable', async (t) => {
  const help = await cli(['--help'])
  t.is(help.code, 0)
  for (const verb of ['start', 'run', 'record', 'replay', 'check', 'init', 'methods', 'accounts']) {
    t.regex(help.out, new RegExp(`^  ${verb} `, 'm'))
  }
  t.true(help.out.split('\n').length <= 40, help.out)
  const helps = await Promise.all(
    ['start', 'test', 'run', 'new', 'record', 'replay', 'check'].map((verb) => cli([verb, '--help'])),
  )
  for (const { out } of helps) t.true(out.split('\n').length <= 40, out)
  t.notRegex(helps[0]?.out ?? '', /--rpc\.laddr/)
  const all = await cli(['start', '--help', 'all'])
  t.regex(all.out, /--rpc\.laddr <value>[^]*\(default:\s+tcp:\/\/127\.0\.0\.1:26657\)\s+\[CHAINSTAGE_RPC_LADDR\]/)
  for (const flag of ['--gas-limit', '--dump-state', '--on-history-change', '--upstream-eth']) {
    t.true(all.out.includes(`  ${flag} `), flag)
  }
})

test.serial(
  'help of a command without hidden flags has choices and defaults, and that of a subcommand names --help all',
  async (t) => {
    const created = await cli(['new', '--help'])
    t.regex(created.out, /--with <tool> [^]*"vitest"[^]*"foundry"[^]*default: "node"/)
    const status = await cli(['fleet', 'status', '--help'])
    t.notRegex(status.out, /--fleet-name/)
    t.regex(status.out, /All flags with their defaults: chainstage fleet status --help all\n$/)
    t.regex((await cli(['fleet', 'status', '--help', 'all'])).out, /--fleet-name/)
    t.notRegex((await cli(['fleet', '--help'])).out, /^ {2}help /m)
  },
)

test.serial('start prints its banner, then its addresses, and Ctrl-C ends it at once', async (t) => {
  const server = startCli(['start', ...freePorts])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  await server.says(/\(Cosmos gRPC\)\n$/)
  t.is(server.err(), '')
  const text = server.out()
  t.regex(text, /0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 +cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq/)
  t.regex(text, /0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80/)
  t.regex(text, /keys are public/)
  t.regex(text, /test test .* junk/)
  t.regex(text, /31337[^]*chainstage-1[^]*local/)
  const lines = text.trimEnd().split('\n').slice(-5)
  t.true(
    lines.every((line) => /^Listening on (?:http|ws):/.test(line)),
    lines.join('\n'),
  )
  const url = /Listening on (http\S+) \(Ethereum JSON-RPC\)/.exec(text)?.[1] ?? ''
  t.deepEqual(await post(url, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }), {
    jsonrpc: '2.0',
    id: 1,
    result: '0x7a69',
  })
  // A client that stays connected does not hold it up: it is the one that is disconnected.
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const disconnected = once(socket, 'close')
  server.process.kill('SIGINT')
  const { code, err } = await server.ended
  t.is(code, 0)
  t.is(err, '')
  await disconnected
})

test.serial('SIGTERM ends it with 0 too', async (t) => {
  const server = startCli(['start', ...freePorts])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  await server.says(/over WebSocket/)
  server.process.kill('SIGTERM')
  t.is((await server.ended).code, 0)
})

test.serial(
  'where CI is set it serves without looking for saved files, and --watch is refused unless it is forced',
  async (t) => {
    const scenario = join(scratch(), 's.json5')
    writeFileSync(scenario, "{ chainstage: 1, name: 'before', steps: [] }")
    const quiet = startCli(['start', scenario, ...freePorts], { CI: 'true' })
    const forced = startCli(['start', scenario, '--force', ...freePorts], { CI: 'true' })
    t.teardown(() => {
      for (const { process: child } of [quiet, forced]) child.kill('SIGKILL')
    })
    await Promise.all([quiet.says(/over WebSocket/), forced.says(/over WebSocket/)])
    writeFileSync(scenario, '{ chainstage: 1, name: ')
    await eventually(() => forced.err().includes('not reloaded'))
    t.is(quiet.err(), '')
    const refused = await cli(['start', '--watch', ...freePorts], { CI: 'true' })
    t.is(refused.code, 2)
    t.regex(refused.err, /CI is set[\s\S]*--force/)
  },
)

test.serial('demand 40: start --json says where it listens in one line', async (t) => {
  const server = startCli(['start', '--json', ...freePorts])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  const [line] = await server.says(/^\{.*\}\n/)
  const { urls, accounts, evmChainId } = JSON.parse(line) as {
    urls: { comet: string }
    accounts: unknown[]
    evmChainId: number
  }
  t.deepEqual([accounts.length, evmChainId], [10, 31337])
  t.is((await ask(`${urls.comet}/health`)).status, 200)
  server.process.kill('SIGINT')
  t.is((await server.ended).code, 0)
})

test.serial('demand 40: start --json --log-requests logs each request as a line of JSON, with its time', async (t) => {
  const server = startCli(['start', '--json', '--log-requests', ...freePorts])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  const [line] = await server.says(/^\{.*\}\n/)
  const { urls } = JSON.parse(line) as { urls: { comet: string; eth: string } }
  await ask(`${urls.comet}/health`)
  await fetch(urls.eth, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  })
  server.process.kill('SIGINT')
  const { err } = await server.ended
  const lines = err
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .filter(({ method }) => method !== undefined)
  t.deepEqual(
    lines.map(({ side, method, status }) => [side, method, status]),
    [
      ['comet', '/health', 200],
      ['eth', 'eth_chainId', 200],
    ],
  )
  for (const { ms } of lines) t.is(typeof ms, 'number')
})

test.serial('listeners can be turned off one by one', async (t) => {
  const server = startCli([
    'start',
    ...freePorts,
    '--json-rpc.ws-address',
    '',
    '--rpc.laddr',
    '',
    '--api.address',
    '',
    '--grpc.address',
    '',
  ])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  await server.says(/Ethereum JSON-RPC\)\n$/)
  t.is(server.out().match(/Listening on/g)?.length, 1)
  server.process.kill('SIGINT')
  t.is((await server.ended).code, 0)
})

test.serial('every address of --rpc.laddr is named', async (t) => {
  const server = startCli(['start', ...freePorts, '--rpc.laddr', 'tcp://127.0.0.1:0,tcp://127.0.0.1:0'])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  await server.says(/over WebSocket/)
  const urls = [...server.out().matchAll(/^Listening on (\S+) \(CometBFT RPC/gm)].map(([, url]) => url)
  t.is(new Set(urls).size, 2)
  for (const url of urls) t.is((await ask(`${url}/health`)).status, 200)
  server.process.kill('SIGINT')
  t.is((await server.ended).code, 0)
})

test.serial('init writes, refuses to overwrite, and start reads what it wrote', async (t) => {
  const home = scratch()
  const first = await cli(['init', '--home', home])
  t.is(first.code, 0)
  const path = join(home, 'config', 'app.toml')
  const again = await cli(['init', '--home', home])
  t.is(again.code, 1)
  t.regex(again.err, /is there already/)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^# evm-chain-id = .*$/m, 'evm-chain-id = 7'))
  const words = ['start', '--json', '--json-rpc.api', 'admin', ...freePorts]
  const server = startCli(words, { NODE_HOME: home })
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  const [line] = await server.says(/^\{.*\}\n/)
  const told = JSON.parse(line) as { evmChainId: number; urls: { eth: string } }
  t.is(told.evmChainId, 7)
  t.deepEqual(await post(told.urls.eth, { jsonrpc: '2.0', id: 1, method: 'admin_datadir', params: [] }), {
    jsonrpc: '2.0',
    id: 1,
    result: home,
  })
  server.process.kill('SIGINT')
  await server.ended
  rmSync(home, { recursive: true })
})

test.serial('a saved file of the home changes what can change live, and says what cannot', async (t) => {
  const home = scratch()
  await cli(['init', '--home', home])
  const server = startCli(['start', '--home', home, '--json', ...freePorts])
  t.teardown(() => {
    server.process.kill('SIGKILL')
  })
  const [line] = await server.says(/^\{.*\}\n/)
  const { urls } = JSON.parse(line) as { urls: { comet: string } }
  const origin = async () =>
    (await ask(`${urls.comet}/health`, { headers: { origin: 'http://a.example' } })).headers[
      'access-control-allow-origin'
    ]
  t.is(await origin(), undefined)
  const path = join(home, 'config', 'config.toml')
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text
      .replace('# cors_allowed_origins = []', 'cors_allowed_origins = ["*"]')
      .replace(/^# max_open_connections = .*$/m, 'max_open_connections = 7'),
  )
  await eventually(async () => (await origin()) === '*')
  await server.says(/restart to apply rpc\.max_open_connections/, 'err')
  writeFileSync(path, '[rpc]\ncors_alowed_origins = []\n')
  await server.says(/not reloaded, nothing has changed.*Did you mean rpc\.cors_allowed_origins/s, 'err')
  t.is(await origin(), '*')
  server.process.kill('SIGINT')
  t.is((await server.ended).code, 0)
  rmSync(home, { recursive: true })
})

const scenario = (rest: string) => `{ chainstage: 1, name: 'mine', ${rest} }`

test.serial('run ends with a report: 0 passed, 1 failed, 3 not finished', async (t) => {
  const folder = scratch()
  const write = (name: string, rest: string) => {
    const path = join(folder, name)
    writeFileSync(path, scenario(rest))
    return path
  }
  const passed = await cli([
    'run',
    write('passed.json5', 'steps: [{ do: { mine: 3 }, expect: { height: { min: 3 } } }]'),
  ])
  t.deepEqual([passed.code, /^mine: passed/.test(passed.out)], [0, true], passed.out + passed.err)
  const failed = await cli([
    'run',
    write('failed.json5', 'steps: [{ do: { mine: 1 }, expect: { height: { min: 9 } } }]'),
  ])
  t.is(failed.code, 1, failed.out + failed.err)
  t.regex(failed.out, /failed\.json5:1/)
  const late = await cli([
    'run',
    write(
      'late.json5',
      "steps: [{ when: { signal: 'never' }, do: { mine: 1 } }], clock: { pace: 'wall' }, run: { timeout: '300ms' }",
    ),
  ])
  t.is(late.code, 3, late.out + late.err)
  const json = await cli(['run', '--json', join(folder, 'failed.json5')])
  t.is((JSON.parse(json.out) as { state: string }).state, 'failed')
  rmSync(folder, { recursive: true })
})

test.serial('run starts a program against the chain, and its exit code counts', async (t) => {
  const folder = scratch()
  const path = join(folder, 'served.json5')
  writeFileSync(path, "{ chainstage: 1, name: 'served', steps: [] }")
  const program = `fetch(process.env.CHAINSTAGE_COMET_URL + '/health').then((answer) => process.exit(answer.status === 200 ? 7 : 8))`
  const done = await cli(['run', path, '--', process.execPath, '-e', program])
  t.is(done.code, 7, done.out + done.err)
  rmSync(folder, { recursive: true })
})

test.serial('a run fails at once when its program has ended and only a client could go on', async (t) => {
  const folder = scratch()
  const run = (name: string, rest: string, ...flags: readonly string[]) => {
    const path = join(folder, name)
    writeFileSync(path, scenario(rest))
    return cli(['run', path, ...flags, '--', process.execPath, '-e', '0'])
  }
  const waits = "steps: [{ id: 'wait', when: { height: 5 }, timeout: '1d', do: { mine: 1 } }]"
  const [stalled, until, delayed, timed, mined] = await Promise.all([
    run('stalled.json5', waits),
    run('until.json5', 'steps: [{ do: { mine: 1 } }], run: { until: { height: 9 } }'),
    run('delayed.json5', "steps: [{ id: 'later', delay: '3 blocks', do: { mine: 1 } }]"),
    run('timed.json5', "steps: [{ id: 'wait', when: { any: [{ height: 5 }, { after: '2s' }] }, do: { mine: 1 } }]"),
    run('mined.json5', waits, '--blocks', 'interval', '--interval', '300ms'),
  ])
  t.is(stalled.code, 3, stalled.out + stalled.err)
  t.regex(stalled.out, /wait: the program ended before step wait was complete: it waited for height 5\n/)
  t.regex(until.out, /until: the program ended before step until was complete: it waited for height 9\n/)
  t.regex(delayed.out, /the program ended before step later was complete: its delay of 3 blocks was not over\n/)
  t.is(timed.code, 0, timed.out + timed.err)
  t.is(mined.code, 0, mined.out + mined.err)
  rmSync(folder, { recursive: true })
})

test.serial('check names every problem with file, line and column', async (t) => {
  const folder = scratch()
  const path = join(folder, 'bad.json5')
  writeFileSync(path, "{\n  chainstage: 1,\n  name: 'bad',\n  steps: [{ do: { mien: 3 } }],\n  clok: {},\n}\n")
  const done = await cli(['check', path])
  t.is(done.code, 2)
  t.regex(done.err, /bad\.json5:4:\d+ .*mien[^]*Did you mean "mine"/)
  t.regex(done.err, /bad\.json5:5:3 .*clok[^]*Did you mean "clock"/)
  rmSync(folder, { recursive: true })
})

test.serial('a program that record runs controls the chain, as one that run runs', async (t) => {
  const folder = scratch()
  const path = join(folder, 'signal.json5')
  const out = join(folder, 'signal.jsonl')
  writeFileSync(path, "{ chainstage: 1, name: 'signal', steps: [{ when: { signal: 'go' }, do: { mine: 2 } }] }")
  const program = `fetch(process.env.CHAINSTAGE_CONTROL_URL + '/api/signal', { method: 'POST', body: '{"name":"go"}' })
    .then((answer) => process.exit(answer.ok ? 0 : 1))`
  for (const words of [
    ['run', path],
    ['record', path, '--out', out],
  ]) {
    const { code, out: said, err } = await cli([...words, '--', process.execPath, '-e', program])
    t.is(code, 0, said + err)
  }
  t.regex((await cli(['replay', out])).out, /every output the same/)
})

test.serial('what record writes, replay finds the same; a changed line is found', async (t) => {
  const folder = scratch()
  const path = join(folder, 'told.json5')
  const out = join(folder, 'told.jsonl')
  writeFileSync(path, "{ chainstage: 1, name: 'told', steps: [] }")
  const program = `fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}' }).then((answer) => answer.text())`
  const recorded = await cli(['record', path, '--out', out, '--', process.execPath, '-e', program])
  t.is(recorded.code, 0, recorded.out + recorded.err)
  t.true(existsSync(out))
  const same = await cli(['replay', out])
  t.deepEqual([same.code, /every output the same/.test(same.out)], [0, true], same.out + same.err)
  const asJson = await cli(['replay', out, '--json'])
  const { inputs } = JSON.parse(asJson.out) as { inputs: number }
  t.deepEqual(JSON.parse(asJson.out), { file: out, inputs, difference: null })
  t.is(inputs, readFileSync(out, 'utf8').trimEnd().split('\n').length - 1)
  const changed = readFileSync(out, 'utf8').replace('\\"result\\":\\"0x0\\"', '\\"result\\":\\"0x1\\"')
  t.not(changed, readFileSync(out, 'utf8'))
  writeFileSync(out, changed)
  const other = await cli(['replay', out])
  t.is(other.code, 5, other.out + other.err)
  t.regex(other.out, /differs\n {2}recorded .*\n {2}replayed /)
  const told = await cli(['replay', out, '--json'])
  t.is(told.code, 5)
  t.like(JSON.parse(told.out), { inputs, difference: { what: 'output 1' } })
  const again = await cli(['record', path, '--out', out, '--json'])
  t.like(JSON.parse(again.out.trimEnd().split('\n').at(-1) ?? ''), { out, exitCode: 0 })
  rmSync(folder, { recursive: true })
})

test.serial('methods and accounts are listed, as text and as JSON', async (t) => {
  const methods = await cli(['methods', 'eth_getBal'])
  t.regex(methods.out, /^eth_getBalance\(/)
  const all = JSON.parse((await cli(['methods', '--json'])).out) as { name: string }[]
  t.true(all.length > 150)
  const accounts = JSON.parse((await cli(['accounts', '--json', '--accounts', '2'])).out) as {
    ethereum: string
  }[]
  t.deepEqual(
    accounts.map(({ ethereum }) => ethereum),
    ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  )
})

test.serial('the accounts of the profile evmd are those that its chain funds', async (t) => {
  const accounts = JSON.parse((await cli(['accounts', '--json', '--profile', 'evmd'])).out) as object[]
  t.like(accounts[0], {
    name: 'dev0',
    ethereum: '0xC6Fe5D33615a1C52c08018c47E8Bc53646A0E101',
    privateKey: '0x88cbead91aee890d27bf06e003ade3d4e952427e88f88d31d61d3ef5e5d54305',
  })
  t.is(accounts.length, 5)
})

test.serial('a text that no method has in its name is told how to list all methods', async (t) => {
  const [told, asJson] = await Promise.all([cli(['methods', 'nosuch']), cli(['methods', 'nosuch', '--json'])])
  t.deepEqual([told.code, told.out], [0, 'none; chainstage methods lists all of them\n'])
  t.deepEqual([asJson.code, asJson.out], [0, '[]\n'])
})
