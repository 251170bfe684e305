/** What a chain that continues from a saved one keeps. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { start, type Server, type StartOptions } from '../../src/index.ts'
import { scratch } from '../helpers/cli.ts'
import { eventually } from '../helpers/server.ts'

const [alice, bob] = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']

const begin = ({ settings, ...options }: StartOptions = {}) =>
  start({ ports: 'none', ...options, settings: { time: 'logical', pace: 'manual', ...settings } })
const ask = (server: Server, method: string, ...params: unknown[]) => server.eth.request({ method, params })
const heightOf = (server: Server) => server.simulation().node.chain.height
const policyOf = (server: Server) => server.simulation().node.chain.policy

/** Saves a chain, ends it and continues from the file. */
async function continued(server: Server, options: StartOptions = {}): Promise<Server> {
  const state = join(scratch(), 'chain.state')
  await server.save(state)
  await server.close()
  return begin({ ...options, state })
}

/** Writes a scenario and returns its path. */
function scenarioOf(text: string, name = 'kept'): string {
  const path = join(scratch(), 'scenario.json5')
  writeFileSync(path, `{ chainstage: 1, name: '${name}', seed: 'one', ${text} }`)
  return path
}

test('an interval that a client set goes on after a restart', async (t) => {
  const first = await begin({ settings: { blocks: 'auto' } })
  await ask(first, 'evm_setIntervalMining', 1)
  await using second = await continued(first, { settings: { blocks: 'auto' } })
  t.is(await ask(second, 'anvil_getIntervalMining'), 1)
  const before = heightOf(second)
  await second.advance(3000)
  t.is(heightOf(second), before + 3n)
})

test('automine that a client turned off stays off, and a waiting transaction still waits', async (t) => {
  const first = await begin({ settings: { blocks: 'auto' } })
  await ask(first, 'evm_setAutomine', false)
  await ask(first, 'eth_sendTransaction', { from: alice, to: bob, value: '0x1' })
  await using second = await continued(first, { settings: { blocks: 'auto' } })
  t.is(await ask(second, 'anvil_getAutomine'), false)
  await ask(second, 'eth_sendTransaction', { from: alice, to: bob, value: '0x1' })
  t.like(await ask(second, 'txpool_status'), { pending: '0x2' })
})

test('a chain that a step has paused stays paused, and can be resumed', async (t) => {
  const scenario = scenarioOf(`steps: [ { when: { height: 2 }, do: [{ blocks: 'pause' }] },
    { when: { signal: 'go' }, do: [{ blocks: 'resume' }] } ]`)
  const settings = { blocks: 'interval', interval: '1s' } as const
  const first = await begin({ scenario, settings })
  await first.advance(5000)
  t.is(heightOf(first), 2n)
  await using second = await continued(first, { scenario, settings })
  await second.advance(5000)
  t.is(heightOf(second), 2n)
  second.signal('go')
  await second.advance(3000)
  t.is(heightOf(second), 5n)
})

test('a changed setting wins over the saved policy, and leaves the rest of it', async (t) => {
  const first = await begin({ settings: { blocks: 'interval', interval: '1s' } })
  await ask(first, 'evm_setIntervalMining', 7)
  await using second = await continued(first, { settings: { blocks: 'mixed', interval: '1s' } })
  t.like(policyOf(second), { mode: 'mixed', intervalMs: 7000n })
  await using third = await continued(second, { settings: { blocks: 'mixed', interval: '2s', lazy: true } })
  t.like(policyOf(third), { mode: 'mixed', intervalMs: 2000n, lazy: true })
  const before = heightOf(third)
  await third.advance(4000)
  t.is(heightOf(third), before + 2n)
})

test('another scenario starts with its own policy', async (t) => {
  const first = await begin({ scenario: scenarioOf(''), settings: { blocks: 'auto' } })
  await ask(first, 'evm_setAutomine', false)
  await using second = await continued(first, { scenario: scenarioOf('', 'other'), settings: { blocks: 'auto' } })
  t.like(policyOf(second), { mode: 'auto', paused: false })
})

test('a changed block time applies from the next block on; an unchanged one keeps what a client set', async (t) => {
  const gaps = async (server: Server): Promise<number> => {
    server.mine(2)
    const [before, last] = (await Promise.all(
      [1n, 0n].map((back) => ask(server, 'eth_getBlockByNumber', `0x${(heightOf(server) - back).toString(16)}`, false)),
    )) as { timestamp: string }[]
    return Number(last?.timestamp) - Number(before?.timestamp)
  }
  const first = await begin({ settings: { blocks: 'manual', blockTime: '3s' } })
  t.is(await gaps(first), 3)
  const second = await continued(first, { settings: { blocks: 'manual', blockTime: '20s' } })
  t.is(await gaps(second), 20)
  await ask(second, 'anvil_setBlockTimestampInterval', 7)
  await using third = await continued(second, { settings: { blocks: 'manual', blockTime: '20s' } })
  t.is(await gaps(third), 7)
})

const mines = scenarioOf(`steps: [ { when: { signal: 'go' }, do: [{ mine: 300 }, { log: 'mined' }] } ]`)

/** A chain whose scenario has mined a part of its blocks. */
async function mining(): Promise<Server> {
  const server = await begin({ scenario: mines, settings: { blocks: 'manual' } })
  server.signal('go')
  await eventually(() => heightOf(server) > 20n)
  return server
}

test('a step that was mining when the chain was saved mines the rest, and is not over before', async (t) => {
  const first = await mining()
  t.true(heightOf(first) < 300n)
  await using second = await continued(first, { scenario: mines, settings: { blocks: 'manual' } })
  t.is(second.simulation().progress.state, 'running')
  await eventually(() => second.simulation().progress.state === 'passed')
  t.is(heightOf(second), 301n)
})

test('another scenario does not mine what a step of the saved one has left', async (t) => {
  const first = await mining()
  const other = scenarioOf(`steps: [ { when: { signal: 'go' }, do: [{ mine: 7 }] } ]`, 'other')
  await using second = await continued(first, { scenario: other, settings: { blocks: 'manual' } })
  const before = heightOf(second)
  second.signal('go')
  await eventually(() => second.simulation().progress.state === 'passed')
  t.is(heightOf(second), before + 7n)
})

test('a saved chain that is loaded ends the mining of clients, but not that of its step', async (t) => {
  const first = await mining()
  const state = join(scratch(), 'chain.state')
  await first.save(state)
  await first.close()
  await using second = await begin({ scenario: mines, settings: { blocks: 'manual' } })
  const mined = ask(second, 'anvil_mine', '0xf4240')
  await eventually(() => (second.simulation().node.mining ?? []).length > 0)
  await second.load(state)
  const jobs = second.simulation().node.mining ?? []
  // The client waited for job 1, which was also the number of the step's.
  t.deepEqual(
    jobs.map(({ id }) => id),
    [2],
  )
  await t.throwsAsync(mined, {
    message: /^only \d+ of 1000000 blocks were mined: meanwhile the chain was reset, restored /,
  })
  await eventually(() => second.simulation().progress.state === 'passed')
  t.is(heightOf(second), 301n)
})

test('a saved chain that is loaded stays at its height', async (t) => {
  const server = await begin({ settings: { blocks: 'manual' } })
  const state = join(scratch(), 'still.state')
  server.mine()
  await server.save(state)
  const mined = ask(server, 'anvil_mine', '0xf4240')
  await eventually(() => heightOf(server) > 20n)
  await server.load(state)
  await t.throwsAsync(mined, {
    message: /^only \d+ of 1000000 blocks were mined: meanwhile the chain was reset, restored /,
  })
  t.is(heightOf(server), 2n)
})

const declares = (...names: string[]) =>
  scenarioOf(`fixtures: { accounts: { ${names.map((name) => `${name}: { balance: '5' }`).join(', ')} } }`)
const addressOf = (server: Server, name: string) => {
  const { plan } = server.simulation()
  return `0x${Buffer.from(plan.fixtures.accounts.find((one) => one.name === name)?.address ?? []).toString('hex')}`
}

test('an account that was added to the scenario while the chain was saved has its balance', async (t) => {
  const settings = { blocks: 'auto' } as const
  const first = await begin({ scenario: declares('shop'), settings })
  await ask(first, 'evm_setIntervalMining', 3)
  const log: string[] = []
  await using second = await continued(first, {
    scenario: declares('shop', 'bank'),
    settings,
    log: (_level, line) => log.push(line),
  })
  const balance = await ask(second, 'eth_getBalance', addressOf(second, 'bank'), 'latest')
  t.is(BigInt(String(balance)), 5n)
  t.deepEqual(log, ['applied the changes that were made while the chain was saved'])
  t.is(await ask(second, 'anvil_getIntervalMining'), 3)
})

test('what needs a new genesis is named when a saved chain continues without it', async (t) => {
  const first = await begin({ scenario: declares('shop', 'bank') })
  const log: string[] = []
  await using second = await continued(first, {
    scenario: declares('shop'),
    log: (_level, line) => log.push(line),
  })
  t.is(log[0], 'the saved chain keeps its genesis, so these do not apply: fixtures.accounts')
  t.is(heightOf(second), 1n)
})

test('steps that were finished before the scenario was changed stay finished', async (t) => {
  const steps = (more: string) =>
    scenarioOf(`steps: [ { when: { signal: 'a' }, do: [{ mine: 1 }] }, { when: { signal: 'b' }, do: [${more}] } ]`)
  const first = await begin({ scenario: steps(''), settings: { blocks: 'manual' } })
  first.signal('a')
  const height = heightOf(first)
  await using second = await continued(first, { scenario: steps('{ mine: 2 }'), settings: { blocks: 'manual' } })
  second.signal('b')
  t.is(heightOf(second), height + 2n)
})

test('other validators apply to a saved chain, once', async (t) => {
  const settings = { blocks: 'manual', validators: 2 } as const
  const powers = (server: Server) => server.simulation().node.chain.validators.validators.length
  const first = await begin({ settings })
  first.mine(3)
  const second = await continued(first, { settings: { ...settings, validators: 3 } })
  second.mine(3)
  t.is(powers(second), 3)
  const third = await continued(second, { settings: { ...settings, validators: 3 } })
  third.mine(3)
  t.is(powers(third), 3)
  await using fourth = await continued(third, { settings })
  fourth.mine(3)
  t.is(powers(fourth), 2)
})

test('settings that a step changed stay changed, until the scenario gives others', async (t) => {
  const steps = `steps: [ { when: { height: 1 }, do: [{ node: { catchingUp: true } }] } ]`
  const settings = { blocks: 'manual' } as const
  const isCatchingUp = (server: Server) => server.simulation().node.settings.catchingUp
  const first = await begin({ scenario: scenarioOf(steps), settings })
  t.true(isCatchingUp(first))
  const second = await continued(first, { scenario: scenarioOf(steps), settings })
  t.true(isCatchingUp(second))
  const third = await continued(second, { scenario: scenarioOf(steps), settings })
  t.true(isCatchingUp(third))
  await using fourth = await continued(third, { scenario: scenarioOf('', 'other'), settings })
  t.false(isCatchingUp(fourth))
})

test('wall time is that of today also after a checkpoint of the process before, and after a reset', async (t) => {
  const secondsOf = async (server: Server) => {
    server.mine(1)
    const { timestamp } = (await ask(server, 'eth_getBlockByNumber', 'latest', false)) as { timestamp: string }
    return Number(timestamp)
  }
  const at = (hour: number) =>
    ({ blocks: 'manual', time: 'wall', startTimeMs: 1_800_000_000_000 + hour * 3_600_000 }) as const
  const first = await begin({ settings: at(0) })
  t.is(await secondsOf(first), 1_800_000_000)
  const checkpoint = await ask(first, 'evm_snapshot')
  await using second = await continued(first, { settings: at(1) })
  t.is(await secondsOf(second), 1_800_003_600)
  await ask(second, 'evm_revert', checkpoint)
  t.is(await secondsOf(second), 1_800_003_600)
  await ask(second, 'anvil_reset')
  second.mine(1)
  t.is(await secondsOf(second), 1_800_003_600)
})
