import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { chainstage, freeFlags, scratch } from '../../helpers/cli.ts'
import { ask, post } from '../../helpers/raw.ts'
import { eventually } from '../../helpers/server.ts'

const says = test.macro(async (t, words: readonly string[], code: number, stderr: RegExp) => {
  const done = await chainstage(words).finished
  t.is(done.code, code, done.stdout + done.stderr)
  t.regex(done.stderr, stderr)
})

test('an unknown flag: the nearest one is named', says, ['start', '--json-rpc.adress', 'x'], 2, /unknown option '--json-rpc\.adress'\nDid you mean --json-rpc\.address\?/)
test('an unknown flag without a verb means start', says, ['--rpc.ladr', 'x'], 2, /Did you mean --rpc\.laddr\?/)
test('an unknown verb: the nearest one is named', says, ['strat'], 2, /Did you mean chainstage start\?/)
test('a bad value says what was expected', says, ['start', '--evm.evm-chain-id', 'mainnet'], 2, /--evm\.evm-chain-id: expected a number, received "mainnet"/)
test('a scenario that is not there', says, ['run', 'nowhere.json5'], 2, /cannot read the scenario .*nowhere\.json5: there is no such file/)
test('a recording that is not there', says, ['replay', 'nowhere.jsonl'], 2, /nowhere\.jsonl/)
test('a genesis that is not there', says, ['start', '--genesis', 'nowhere.json'], 2, /nowhere\.json/)
test('a mnemonic that is none', says, ['start', '--mnemonic', 'one two three', ...freeFlags], 2, /not a BIP-39 mnemonic/)

test('help lists every verb, and start every setting with its variable', async (t) => {
  const help = await chainstage(['--help']).finished
  t.is(help.code, 0)
  for (const verb of ['start', 'run', 'record', 'replay', 'check', 'init', 'methods', 'accounts']) t.regex(help.stdout, new RegExp(`^  ${verb} `, 'm'))
  const start = await chainstage(['start', '--help']).finished
  t.regex(start.stdout, /--rpc\.laddr <value>[^]*\[CHAINSTAGE_RPC_LADDR\]/)
})

test('start prints its banner, then its addresses, and Ctrl-C ends it at once', async (t) => {
  const server = chainstage(['start', ...freeFlags])
  await server.says(/over WebSocket\)\n$/)
  t.is(server.stderr(), '')
  const text = server.stdout()
  t.regex(text, /0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 +cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq/)
  t.regex(text, /0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80/)
  t.regex(text, /keys are public/)
  t.regex(text, /test test .* junk/)
  t.regex(text, /31337[^]*chainstage-1[^]*local/)
  const lines = text.trimEnd().split('\n').slice(-3)
  t.true(lines.every((line) => /^Listening on (?:http|ws):/.test(line)), lines.join('\n'))
  // A client that stays connected does not hold it up.
  const url = /Listening on (http\S+) \(Ethereum JSON-RPC\)/.exec(text)?.[1] ?? ''
  t.deepEqual(await post(url, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }), { jsonrpc: '2.0', id: 1, result: '0x7a69' })
  const began = performance.now()
  server.signal('SIGINT')
  const { code, stderr } = await server.finished
  t.is(code, 0)
  t.is(stderr, '')
  t.true(performance.now() - began < 3000)
})

test('SIGTERM ends it with 0 too', async (t) => {
  const server = chainstage(['start', ...freeFlags])
  await server.says(/over WebSocket/)
  server.signal('SIGTERM')
  t.is((await server.finished).code, 0)
})

test('start --json says where it listens in one line', async (t) => {
  const server = chainstage(['start', '--json', ...freeFlags])
  const [line] = await server.says(/^\{.*\}\n/)
  const { urls, accounts, evmChainId } = JSON.parse(line) as { urls: { comet: string }; accounts: unknown[]; evmChainId: number }
  t.deepEqual([accounts.length, evmChainId], [10, 31337])
  t.is((await ask(`${urls.comet}/health`)).status, 200)
  server.signal('SIGINT')
  t.is((await server.finished).code, 0)
})

test('a port in use: what to do is said, and the exit code is 1', async (t) => {
  const other = createServer()
  await new Promise<void>((done) => { other.listen(0, '127.0.0.1', done) })
  const { port } = other.address() as AddressInfo
  const done = await chainstage(['start', ...freeFlags, '--json-rpc.address', `127.0.0.1:${port}`]).finished
  other.close()
  t.is(done.code, 1)
  t.regex(done.stderr, new RegExp(`cannot listen on 127\\.0\\.0\\.1:${port}: something else is listening there`))
  t.regex(done.stderr, /--json-rpc\.address/)
  t.is(done.stdout, '')
})

test('listeners can be turned off one by one', async (t) => {
  const server = chainstage(['start', ...freeFlags, '--json-rpc.ws-address', '', '--rpc.laddr', ''])
  await server.says(/Ethereum JSON-RPC\)\n$/)
  t.is(server.stdout().match(/Listening on/g)?.length, 1)
  server.signal('SIGINT')
  t.is((await server.finished).code, 0)
})

test('init writes, refuses to overwrite, and start reads what it wrote', async (t) => {
  const home = scratch()
  const first = await chainstage(['init', '--home', home]).finished
  t.is(first.code, 0)
  const path = join(home, 'config', 'app.toml')
  const again = await chainstage(['init', '--home', home]).finished
  t.is(again.code, 1)
  t.regex(again.stderr, /is there already/)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^# evm-chain-id = .*$/m, 'evm-chain-id = 7'))
  const server = chainstage(['start', '--json', ...freeFlags], { env: { NODE_HOME: home } })
  const [line] = await server.says(/^\{.*\}\n/)
  t.is((JSON.parse(line) as { evmChainId: number }).evmChainId, 7)
  server.signal('SIGINT')
  await server.finished
  rmSync(home, { recursive: true })
})

test('a saved file of the home changes what can change live, and says what cannot', async (t) => {
  const home = scratch()
  await chainstage(['init', '--home', home]).finished
  const server = chainstage(['start', '--home', home, '--json', ...freeFlags])
  const [line] = await server.says(/^\{.*\}\n/)
  const { urls } = JSON.parse(line) as { urls: { comet: string } }
  const origin = async () => (await ask(`${urls.comet}/health`, { headers: { origin: 'http://a.example' } })).headers['access-control-allow-origin']
  t.is(await origin(), undefined)
  const path = join(home, 'config', 'config.toml')
  const text = readFileSync(path, 'utf8')
  // Watching starts after the addresses are told.
  await eventually(async () => {
    writeFileSync(path, text.replace('# cors_allowed_origins = []', 'cors_allowed_origins = ["*"]').replace(/^# max_open_connections = .*$/m, 'max_open_connections = 7'))
    return (await origin()) === '*'
  })
  await server.says(/restart needed for rpc\.max_open_connections/, 'stderr')
  writeFileSync(path, '[rpc]\ncors_alowed_origins = []\n')
  await server.says(/not reloaded, nothing has changed.*Did you mean rpc\.cors_allowed_origins/s, 'stderr')
  t.is(await origin(), '*')
  server.signal('SIGINT')
  t.is((await server.finished).code, 0)
  rmSync(home, { recursive: true })
})

const scenario = (rest: string) => `{ chainstage: 1, name: 'mine', ${rest} }`

test('run ends with a report: 0 passed, 1 failed, 3 not finished', async (t) => {
  const folder = scratch()
  const write = (name: string, rest: string) => { const path = join(folder, name); writeFileSync(path, scenario(rest)); return path }
  const passed = await chainstage(['run', write('passed.json5', "steps: [{ do: { mine: 3 }, expect: { height: { min: 3 } } }]")]).finished
  t.deepEqual([passed.code, /^mine: passed/.test(passed.stdout)], [0, true], passed.stdout + passed.stderr)
  const failed = await chainstage(['run', write('failed.json5', "steps: [{ do: { mine: 1 }, expect: { height: { min: 9 } } }]")]).finished
  t.is(failed.code, 1, failed.stdout + failed.stderr)
  t.regex(failed.stdout, /failed\.json5:1/)
  const late = await chainstage(['run', write('late.json5', "steps: [{ when: { signal: 'never' }, do: { mine: 1 } }], clock: { pace: 'wall' }, run: { timeout: '300ms' }")]).finished
  t.is(late.code, 3, late.stdout + late.stderr)
  const json = await chainstage(['run', '--json', join(folder, 'failed.json5')]).finished
  t.is((JSON.parse(json.stdout) as { state: string }).state, 'failed')
  rmSync(folder, { recursive: true })
})

test('run starts a program against the chain, and its exit code counts', async (t) => {
  const folder = scratch()
  const path = join(folder, 'served.json5')
  writeFileSync(path, "{ chainstage: 1, name: 'served', steps: [] }")
  const program = `fetch(process.env.CHAINSTAGE_COMET_URL + '/health').then((answer) => process.exit(answer.status === 200 ? 7 : 8))`
  const done = await chainstage(['run', path, '--', process.execPath, '-e', program]).finished
  t.is(done.code, 7, done.stdout + done.stderr)
  rmSync(folder, { recursive: true })
})

test('check names every problem with file, line and column', async (t) => {
  const folder = scratch()
  const path = join(folder, 'bad.json5')
  writeFileSync(path, "{\n  chainstage: 1,\n  name: 'bad',\n  steps: [{ do: { mien: 3 } }],\n  clok: {},\n}\n")
  const done = await chainstage(['check', path]).finished
  t.is(done.code, 2)
  t.regex(done.stderr, /bad\.json5:4:\d+ .*mien[^]*Did you mean "mine"/)
  t.regex(done.stderr, /bad\.json5:5:3 .*clok[^]*Did you mean "clock"/)
  rmSync(folder, { recursive: true })
})

test('a saved scenario takes effect, a bad one changes nothing and says why', async (t) => {
  const folder = scratch()
  const path = join(folder, 'live.json5')
  const text = (rest: string) => `{ chainstage: 1, name: 'live', seed: 's', ${rest} }`
  writeFileSync(path, text('steps: []'))
  const server = chainstage(['start', path, '--json', ...freeFlags])
  const [line] = await server.says(/^\{.*\}\n/)
  const { urls } = JSON.parse(line) as { urls: { eth: string } }
  const status = async () => (await ask(urls.eth, { verb: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' })).status
  t.is(await status(), 200)
  const faulty = "faults: { busy: { match: { method: 'eth_chainId' }, effect: { http: { status: 503 } } } }, steps: [{ do: { fault: { use: 'busy' } } }]"
  await eventually(async () => { writeFileSync(path, text(faulty)); return (await status()) === 503 })
  writeFileSync(path, text('stepps: []'))
  await server.says(/live\.json5:1:\d+.*stepps/, 'stderr')
  t.is(await status(), 503)
  server.signal('SIGINT')
  t.is((await server.finished).code, 0)
  rmSync(folder, { recursive: true })
})

test('what record writes, replay finds the same; a changed line is found', async (t) => {
  const folder = scratch()
  const path = join(folder, 'told.json5')
  const out = join(folder, 'told.jsonl')
  writeFileSync(path, "{ chainstage: 1, name: 'told', steps: [] }")
  const program = `fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}' }).then((answer) => answer.text())`
  const recorded = await chainstage(['record', path, '--out', out, '--', process.execPath, '-e', program]).finished
  t.is(recorded.code, 0, recorded.stdout + recorded.stderr)
  t.true(existsSync(out))
  const same = await chainstage(['replay', out]).finished
  t.deepEqual([same.code, /every output the same/.test(same.stdout)], [0, true], same.stdout + same.stderr)
  const changed = readFileSync(out, 'utf8').replace('\\"result\\":\\"0x0\\"', '\\"result\\":\\"0x1\\"')
  t.not(changed, readFileSync(out, 'utf8'))
  writeFileSync(out, changed)
  const other = await chainstage(['replay', out]).finished
  t.is(other.code, 5, other.stdout + other.stderr)
  t.regex(other.stdout, /differs\n {2}recorded .*\n {2}replayed /)
  rmSync(folder, { recursive: true })
})

test('methods and accounts are listed, as text and as JSON', async (t) => {
  const methods = await chainstage(['methods', 'eth_getBal']).finished
  t.regex(methods.stdout, /^eth_getBalance\(/)
  const all = JSON.parse((await chainstage(['methods', '--json']).finished).stdout) as { name: string }[]
  t.true(all.length > 150)
  const accounts = JSON.parse((await chainstage(['accounts', '--json', '--accounts', '2']).finished).stdout) as { ethereum: string }[]
  t.deepEqual(accounts.map(({ ethereum }) => ethereum), ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'])
})
