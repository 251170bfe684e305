/** What the in-process API says of arguments that it does not take. */
import anyTest, { type TestFn } from 'ava'
import { start, type Server, type StartOptions } from '../src/index.ts'
import { withChain } from '../src/shell/testing/ava.ts'
import { chainFixtures } from '../src/shell/testing/fixtures.ts'

const test = anyTest as TestFn<{ chain: Server }>

test.before(async (t) => {
  t.context.chain = await start({ ports: 'none' })
})
test.after.always(async (t) => {
  await t.context.chain.close()
})

/** JavaScript, and TypeScript that was told to be silent, passes anything. */
type Loose = Record<string, (...given: unknown[]) => unknown>

const refused = test.macro(async (t, call: (chain: Loose) => unknown, message: string, hint?: string) => {
  const { chain } = t.context
  const before = chain.digest('node')
  const error = await t.throwsAsync(async () => {
    await call(chain as unknown as Loose)
  })
  t.is(error?.message, message)
  t.is((error as { hint?: string } | undefined)?.hint, hint)
  t.is(chain.digest('node'), before)
})

const blocks = 'chain.mine: blocks: expected a number of blocks, a whole number from 1 to 1000000'
const time = "expected a duration like '1h30m' or '250ms', or whole milliseconds, 0 or more"

test('mine takes no text', refused, ({ mine }) => mine!('x'), `${blocks}, received 'x'`)
test('mine takes no negative number', refused, ({ mine }) => mine!(-1), `${blocks}, received -1`)
test('mine takes no fraction', refused, ({ mine }) => mine!(1.5), `${blocks}, received 1.5`)
test('mine takes no zero', refused, ({ mine }) => mine!(0), `${blocks}, received 0`)
test('mine takes no bigint', refused, ({ mine }) => mine!(5n), `${blocks}, received 5n`)
test(
  'an interval has a unit',
  refused,
  ({ mine }) => mine!(1, 'soon'),
  `chain.mine: interval: ${time}, received 'soon'`,
)
test(
  'moveTime needs a duration',
  refused,
  ({ moveTime }) => moveTime!(),
  `chain.moveTime: by: ${time}, received undefined`,
)
test(
  'moveTime does not go back',
  refused,
  ({ moveTime }) => moveTime!('-1s'),
  `chain.moveTime: by: ${time}, received '-1s'`,
)
test(
  'a command has its members',
  refused,
  ({ operate }) => operate!({ type: 'rollback' }),
  'chain.operate: command.depth: expected a bigint, received undefined',
)
test(
  'a command has members of their types',
  refused,
  ({ operate }) => operate!({ type: 'mine', count: '3' }),
  "chain.operate: command.count: expected a number of blocks, a whole number from 1 to 1000000, received '3'",
)
test('advance needs a duration', refused, ({ advance }) => advance!(NaN), `chain.advance: by: ${time}, received NaN`)
test(
  'a fault has a name',
  refused,
  ({ fault }) => fault!(''),
  "chain.fault: name: expected a non-empty string, received ''",
)
test(
  'a fault is described by an object',
  refused,
  ({ fault }) => fault!('slow', '2s'),
  "chain.fault: described: expected an object, received '2s'",
)
test(
  'options of a fault are known',
  refused,
  ({ fault }) => fault!('slow', {}, { forBlock: 2 }),
  'chain.fault: options has no "forBlock"',
  'Did you mean "forBlocks"?',
)
test(
  'save needs a path',
  refused,
  ({ save }) => save!(),
  'chain.save: path: expected a non-empty string, received undefined',
)
test('load needs a path', refused, ({ load }) => load!(7), 'chain.load: path: expected a non-empty string, received 7')
test(
  'a signal has a name',
  refused,
  ({ signal }) => signal!(null),
  'chain.signal: name: expected a non-empty string, received null',
)
test(
  'a faucet gives a bigint',
  refused,
  ({ faucet }) => faucet!('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 5),
  'chain.faucet: wei: expected a bigint of wei, 0 or more, like 10n ** 18n, received 5',
)
test(
  'a command is an object',
  refused,
  ({ operate }) => operate!('mine'),
  "chain.operate: command: expected an object, received 'mine'",
)
test(
  'there are two digests',
  refused,
  ({ digest }) => digest!('chian'),
  "chain.digest: of: expected 'chain' or 'node', received 'chian'",
)
test(
  'a session has a name',
  refused,
  ({ session }) => session!(1),
  'chain.session: name: expected a non-empty string, received 1',
)
test(
  'a request is an object',
  refused,
  (chain) => (chain['eth'] as unknown as Loose)['request']!('eth_chainId'),
  "eth.request: request: expected an object, received 'eth_chainId'",
)
test(
  'a request names a method',
  refused,
  (chain) => (chain['eth'] as unknown as Loose)['request']!({ methode: 'eth_chainId' }),
  'eth.request: request.method: expected a non-empty string, received undefined',
)
test(
  'a call names a method',
  refused,
  (chain) => (chain['comet'] as unknown as Loose)['call']!({}),
  'comet.call: method: expected a non-empty string, received {}',
)
test(
  'a listener is a function',
  refused,
  (chain) => (chain['eth'] as unknown as Loose)['on']!('message'),
  'eth.on: listener: expected a function, received undefined',
)

const options = (given: object) => () => start(given as StartOptions)

test(
  'a misspelt option is named, with the one that was meant',
  refused,
  options({ scenarioo: 'scenarios/local.json5' }),
  'start: options has no "scenarioo"',
  'Did you mean "scenario"?',
)
test(
  'a misspelt setting is named, with the one that was meant',
  refused,
  options({ settings: { blockTimes: '1s' } }),
  'start: options.settings has no "blockTimes"',
  'Did you mean "blockTime"?',
)
const named = test.macro(async (t, flag: string, setting: string) => {
  const settings = { [flag]: '127.0.0.1:0' } as StartOptions['settings']
  const error = await t.throwsAsync(start({ ports: 'none', settings: settings ?? {} }))
  t.is((error as { hint?: string } | undefined)?.hint, `Did you mean "${setting}"?`)
})
test('a setting is named as in programs, not as its flag', named, 'control', 'controlAddress')
test('a flag with dashes is no setting either', named, '--json-rpc.address', 'ethAddress')
test('nor is another spelling of a flag', named, 'rpc-gas-cap', 'gasCap')
test(
  'a setting has its kind',
  refused,
  options({ settings: { accounts: 'many' } }),
  'start: options.settings.accounts: expected a number, received "many"',
)
test(
  'a setting has one of its values',
  refused,
  options({ settings: { pace: 'slow' } }),
  'start: options.settings.pace: expected one of wall, instant, manual, received "slow"',
)
test(
  'ports are free, none or numbers',
  refused,
  options({ ports: 'any' }),
  "start: options.ports: expected 'free', 'none' or an object of ports, received 'any'",
)
test(
  'a port is one',
  refused,
  options({ ports: { eth: 85_450 } }),
  'start: options.ports.eth: expected a port, a whole number from 0 to 65535, received 85450',
)
test(
  'a fork is a list',
  refused,
  options({ fork: { from: 'http://127.0.0.1:8545' } }),
  "start: options.fork.from: expected an array of strings, received 'http://127.0.0.1:8545'",
)
test(
  'the patience of a fork is a number of milliseconds',
  refused,
  options({ fork: { from: ['http://127.0.0.1:1'], timeoutMs: '1s' } }),
  "start: options.fork.timeoutMs: expected milliseconds, a whole number from 1 to 2147483647, received '1s'",
)
test(
  'variables need a scenario',
  refused,
  options({ vars: { PRICE: '5' } }),
  "start: options.vars: expected options.scenario beside it, received { PRICE: '5' }",
)
test(
  'a fork has a genesis of its own',
  refused,
  options({ fork: { from: ['http://127.0.0.1:1'] }, genesis: '{}' }),
  "start: options.genesis: expected nothing beside options.fork, which brings its own, received '{}'",
)
test('no variables need no scenario', async (t) => {
  await using chain = await start({ ports: 'none', vars: {} })
  t.is(chain.mine(), 2)
})
test(
  'start takes one object',
  refused,
  () => start('local' as StartOptions),
  "start: options: expected an object, received 'local'",
)
test(
  'the hooks of AVA take the same options',
  refused,
  () => withChain(test, { ports: 'any' } as unknown as StartOptions),
  "withChain: options.ports: expected 'free', 'none' or an object of ports, received 'any'",
)
test(
  'the fixtures of Vitest and Playwright take the same options',
  refused,
  () => chainFixtures({ port: 'free' } as unknown as StartOptions),
  'chainFixtures: options has no "port"',
  'Did you mean "ports"?',
)
