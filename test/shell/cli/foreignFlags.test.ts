/** Flags of Anvil, Hardhat and CometMock on the command line of chainstage. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { Command } from 'commander'
import { foreignFlags } from '../../../src/shell/cli/foreignFlags.ts'
import { rewriteFlags, rewriteOwnFlags } from '../../../src/shell/cli/rewriteFlags.ts'
import { withStartFlags } from '../../../src/shell/cli/startFlags.ts'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { ask, post } from '../../helpers/raw.ts'
import { eventually } from '../../helpers/server.ts'
import { unusedPort } from '../../helpers/unusedPorts.ts'

const means = test.macro({
  exec: (t, words: string, expected: string) => {
    t.deepEqual(rewriteFlags(words.split(' ')).words, expected.split(' '))
  },
  title: (_given, words: string) => `${words} is understood`,
})

test(means, '--port 9545', '--json-rpc.address 127.0.0.1:9545')
test(means, '-p 9 --accounts 3', '--json-rpc.address 127.0.0.1:9 --accounts 3')
test(means, '--port=9545', '--json-rpc.address 127.0.0.1:9545')
test(
  means,
  '--host ::1 --port 9545',
  '--json-rpc.address [::1]:9545 --json-rpc.ws-address [::1]:8546 --rpc.laddr tcp://[::1]:26657 --api.address [::1]:1317 --grpc.address [::1]:9090 --json-rpc.address [::1]:9545',
)
test(
  means,
  '--port 9545 --host [::1]',
  '--json-rpc.address [::1]:9545 --json-rpc.address [::1]:9545 --json-rpc.ws-address [::1]:8546 --rpc.laddr tcp://[::1]:26657 --api.address [::1]:1317 --grpc.address [::1]:9090',
)
test(means, '--chain-id 1337', '--evm.evm-chain-id 1337 --chain-id chainstage_1337-1')
test(means, '--chain-id shop-1', '--chain-id shop-1')
test(means, '--chain-id 9001 --evm.evm-chain-id 262144', '--chain-id 9001 --evm.evm-chain-id 262144')
test(means, '--block-time 2', '--blocks interval --interval 2s --block-time 2s')
test(means, '--block-time 500ms', '--block-time 500ms')
test(means, '-b 0.5 --mixed-mining', '--blocks mixed --interval 0.5s --block-time 0.5s --blocks mixed')
test(means, '--fork-url http://node:8545@1200', '--fork http://node:8545 --fork-height 1200')
test(means, '-f http://node:8545 --fork-block-number 7', '--fork http://node:8545 --fork-height 7')
test(means, '--timestamp 1700000000', '--genesis-time 2023-11-14T22:13:20.000Z')
test(means, '--starting-timestamp 1700000000000', '--genesis-time 2023-11-14T22:13:20.000Z')
test(means, '--auto-tx --block-production-interval 250', '--blocks mixed --interval 250ms')
test(means, '--auto-tx=false --block-production-interval 250', '--blocks interval --interval 250ms')
test(means, '--block-production-interval=-1 --block-time=1000', '--blocks auto --time logical --block-time 1000ms')
test(means, '--block-time 250 --auto-tx=false', '--time logical --block-time 250ms --blocks manual')
test(means, '--block-time -1 --block-production-interval=0', '--time wall --blocks auto')
test(means, '--auto-tx=false -- program --port 1', '--blocks manual -- program --port 1')
// ape-foundry starts `anvil` with these.
test(
  means,
  "--accounts 10 --derivation-path m/44'/60'/0'/0 --steps-tracing --block-base-fee-per-gas 0 --gas-price 0",
  '--accounts 10 --base-fee 0',
)
test(means, "--accounts 2 --derivation-path=m/44'/60'/0'/0/", '--accounts 2')

test('other commands understand numbers after own flags as start does, and leave the rest to their own parser', async (t) => {
  const words = 'run --chain-id 1337 --block-time=2 -b 3 --port 4 -- program --chain-id 5'.split(' ')
  t.is(
    rewriteOwnFlags(words).words.join(' '),
    'run --evm.evm-chain-id 1337 --chain-id chainstage_1337-1 --blocks interval --interval 2s --block-time 2s ' +
      '-b 3 --port 4 -- program --chain-id 5',
  )
  const { out, err } = await cli(['chain-info', '--offline', '--chain-id', '1337'])
  t.like(JSON.parse(out), { chainId: 'chainstage_1337-1', evm: { chainId: 1337 } }, err)
})

test('a flag without effect is dropped and named', (t) => {
  t.deepEqual(rewriteFlags(['--slots-in-an-epoch', '32', '--silent']), {
    words: ['--silent'],
    notes: ['--slots-in-an-epoch has no effect: a block is final once it is mined'],
  })
})

const refused = test.macro({
  exec: (t, words: string, message: RegExp, hint?: RegExp) => {
    const error = t.throws(() => rewriteFlags(words.split(' ')), { message }) as Error & { hint?: string }
    if (hint !== undefined) t.regex(error.hint ?? '', hint)
  },
  title: (_given, words: string) => `${words} is refused with what to do`,
})

test(refused, '--auto-impersonate', /a flag of Anvil/, /anvil_autoImpersonateAccount/)
test(
  refused,
  '--block-time=1000 localhost:26658 genesis.json tcp://0.0.0.0:26657 /home/node grpc',
  /contains the application/,
  /--genesis genesis\.json --rpc\.laddr tcp:\/\/0\.0\.0\.0:26657, or --home \/home\/node/,
)
test(refused, '--no-deploy', /a flag of Hardhat/, /fixtures/)
test(refused, '--hardfork cancun', /expected prague.*received "cancun"/)
test(refused, "--derivation-path m/44'/60'/1'/0", /expected m\/44'\/60'\/0'\/0 .*scenario fixtures/)
test(refused, '--timestamp soon', /expected seconds since 1970, received "soon"/)
test(refused, '--port --json', /--port: expected a value/)
test(refused, '--port', /--port: expected a value/)
test(refused, '--port abc', /--port: expected a port up to 65535, received "abc"/)

/** Flags of chainstage itself, and those that are rewritten. */
function understood(): ReadonlySet<string> {
  const own = withStartFlags(new Command('start')).options.flatMap(({ long, short }) => [long ?? '', short ?? ''])
  return new Set([...own, '--help', '-h', '--version', '-V', ...foreignFlags.flatMap(({ names }) => names)])
}

test('what foreign flags mean are flags of start, whose value they take', (t) => {
  const known = understood()
  for (const { names, means: meaning, takes } of foreignFlags) {
    if (meaning === undefined) continue
    const own: Readonly<Record<string, string>> = {
      '--hardfork': 'prague',
      '--port': '9545',
      '--derivation-path': "m/44'/60'/0'/0",
    }
    const value = own[names[0] ?? ''] ?? (takes === 'nothing' ? '' : '1700000000')
    const words = meaning(value, { values: new Map(), words: [] })
    for (const word of words.filter((one) => one.startsWith('--'))) t.true(known.has(word), `${names[0]}: ${word}`)
  }
})

/** Anvil where there is one; `ANVIL` names another. */
const anvil = [process.env['ANVIL'] ?? '', 'node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil'].find((path) =>
  existsSync(path),
)
const withAnvil = anvil === undefined ? test.skip : test

withAnvil('each flag of the installed Anvil is understood, and in the docs (ANVIL=path, as .ci/run sets it)', (t) => {
  const help = execFileSync(anvil ?? '', ['--help'], { encoding: 'utf8', env: { ...process.env, HOME: scratch() } })
  const flags = [...help.matchAll(/^ {2,6}(?:(-\w), )?(--[\w-]+)|aliases: ([^\]]+)\]/gm)].flatMap(
    ([, short, long, aliases]) => [short, long, ...(aliases?.split(', ') ?? [])].filter((one) => one !== undefined),
  )
  t.true(flags.length > 60, String(flags.length))
  const known = understood()
  t.deepEqual(
    flags.filter((flag) => flag.startsWith('-') && !known.has(flag)),
    [],
  )
  const page = readFileSync('docs/how-to/move-from-other-tools.md', 'utf8')
  const self = ['-h', '--help', '-V', '--version']
  t.deepEqual(
    flags.filter((flag) => flag.startsWith('-') && !self.includes(flag) && !page.includes(`\`${flag}\``)),
    [],
  )
})

test('each flag of the installed `hardhat node` is understood', (t) => {
  const config = join(scratch(), 'hardhat.config.cjs')
  writeFileSync(config, "module.exports = { solidity: '0.8.28' }\n")
  const program = 'node_modules/hardhat/internal/cli/bootstrap.js'
  const help = execFileSync(process.execPath, [program, '--config', config, 'node', '--help'], {
    encoding: 'utf8',
    env: { ...process.env, HOME: scratch(), HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    timeout: 120_000,
  })
  const flags = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag = '']) => flag)
  t.true(flags.includes('--hostname') && flags.length >= 4, help)
  const known = understood()
  t.deepEqual(
    flags.filter((flag) => !known.has(flag)),
    [],
  )
})

test('the table of flags shows no sample value', (t) => {
  const page = readFileSync('docs/how-to/move-from-other-tools.md', 'utf8')
  t.deepEqual(page.match(/\d{4}-\d\d-\d\d|\b\d{10,}\b/g), null)
  t.regex(page, /`--timestamp` \| Anvil \| Sets the genesis time, in seconds since 1970\./)
})

test.serial('a chain started as Anvil is answers as asked, in silence', async (t) => {
  const state = join(scratch(), 'state.bin')
  const words = [
    '--accounts',
    '2',
    '--balance',
    '5',
    '--gas-limit',
    '12345678',
    '--base-fee',
    '1000',
    '--chain-id',
    '1337',
  ]
  const started = startCli(['start', ...freePorts, ...words, '--no-mining', '--dump-state', state, '--json'])
  t.teardown(() => {
    started.process.kill()
  })
  const [line = ''] = await started.says(/^\{.*\}\n/)
  const { urls, chainId, accounts } = JSON.parse(line) as {
    urls: { eth: string }
    chainId: string
    accounts: readonly { ethereum: string }[]
  }
  const call = async (method: string, ...params: readonly unknown[]) =>
    ((await post(urls.eth, { jsonrpc: '2.0', id: 1, method, params })) as { result: unknown }).result
  t.deepEqual([chainId, accounts.length], ['chainstage_1337-1', 2])
  t.is(await call('eth_chainId'), '0x539')
  t.is(await call('eth_getBalance', accounts[0]?.ethereum, 'latest'), `0x${(5n * 10n ** 18n).toString(16)}`)
  const block = (await call('eth_getBlockByNumber', 'latest', false)) as Record<string, string>
  t.is(block['gasLimit'], `0x${(12_345_678).toString(16)}`)
  // The first block was empty, and lowers the fee by an eighth.
  t.is(block['baseFeePerGas'], `0x${(875).toString(16)}`)
  const got = await ask(urls.eth)
  t.deepEqual([got.status, got.body.includes('Ethereum JSON-RPC')], [200, true])
  started.process.kill('SIGINT')
  t.is((await started.ended).code, 0)
  const port = await unusedPort()
  const others = freePorts.filter((word, index) => ![word, freePorts[index - 1]].includes('--json-rpc.address'))
  const quiet = startCli([
    'start',
    ...others,
    ...words,
    '--silent',
    '--port',
    port,
    '--load-state',
    state,
    '--dump-state',
    `${state}.2`,
  ])
  t.teardown(() => {
    quiet.process.kill()
  })
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  quiet.process.kill('SIGINT')
  t.deepEqual(await quiet.ended, { code: 0, out: '', err: '' })
  t.true(readFileSync(`${state}.2`, 'latin1').startsWith('{"chainstageState"'))
})

test.serial('start finds chainstage.json5, then scenarios/local.json5, then the only scenario', async (t) => {
  const folder = scratch()
  const named = (name: string) => `{ chainstage: 1, name: '${name}', steps: [] }`
  const startedName = async () => {
    const started = startCli(['start', ...freePorts, '--json'], {}, folder)
    const [, name] = await started.says(/"scenario":"([^"]*)"/)
    started.process.kill('SIGINT')
    await started.ended
    return name
  }
  t.is(await startedName(), 'local')
  mkdirSync(join(folder, 'scenarios'))
  writeFileSync(join(folder, 'scenarios/only.json5'), named('only'))
  t.is(await startedName(), 'only')
  writeFileSync(join(folder, 'scenarios/second.json5'), named('second'))
  const { code, err } = await cli(['start', ...freePorts], {}, folder)
  t.is(code, 2)
  t.regex(err, /2 scenarios and no local\.json5[^]*Name one, like scenarios\/only\.json5\./)
  writeFileSync(join(folder, 'scenarios/local.json5'), named('mine'))
  t.is(await startedName(), 'mine')
  writeFileSync(join(folder, 'chainstage.json5'), named('root'))
  t.is(await startedName(), 'root')
})
