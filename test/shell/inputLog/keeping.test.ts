import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { noPlan } from '../../../src/plan/plan.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import type { Settings } from '../../../src/settings/settings.ts'
import { lateActions } from '../../../src/shell/loadPart.ts'
import { historyPathOf } from '../../../src/shell/inputLog/chunkPlace.ts'
import { logPathOf, openFileLog } from '../../../src/shell/inputLog/fileLog.ts'
import { createKeeping } from '../../../src/shell/inputLog/keeping.ts'
import { createMemoryLog } from '../../../src/shell/inputLog/memoryLog.ts'
import { replayLog } from '../../../src/shell/inputLog/replayLog.ts'
import { ethProvider } from '../../../src/shell/provider.ts'
import { run } from '../../../src/shell/server.ts'
import { withoutConnections } from '../../../src/simulation/resume.ts'
import { digest } from '../../../src/simulation/digest.ts'
import { scratch } from '../../helpers/cli.ts'
import { memoryInUse } from '../../helpers/memoryInUse.ts'
import { eventually } from '../../helpers/server.ts'
import { callOf } from '../../helpers/requests.ts'

const [alice, bob] = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const unheard: Partial<Settings> = {
  ...{ rpcLaddr: '', ethAddress: '', ethWsAddress: '', apiAddress: '', grpcAddress: '', controlAddress: '' },
  prometheusAddress: '',
}

/** Serves nobody but this process, and keeps the chain in a file. */
async function serve(path: string, changed: Partial<Settings> = {}, plan = noPlan) {
  const said: string[] = []
  const say = (_level: string, text: string) => {
    said.push(text)
  }
  const log = await openFileLog(path)
  const found = await replayLog(log)
  const keeping = createKeeping({ log, say, shortenAfter: 20_000 })
  const running = await run({
    ...{ settings: { ...profileSettings('local'), pace: 'manual', ...unheard, ...changed }, plan },
    ...{ genesis: undefined, home: undefined, log: say, record: () => {}, keeping },
    state: found && withoutConnections(found.simulation),
  })
  const { request } = ethProvider(running.main.queue, running.main.sockets.openLocal)
  const ask = (method: string, ...params: unknown[]) => request({ method, params })
  const close = async () => {
    await keeping.kept()
    await running.close()
    await log.close()
  }
  return { running, keeping, ask, close, said }
}

/** Copies the files as a crash would leave them, and returns the simulation that they lead to. */
async function afterCrash(path: string, name: string) {
  const folder = join(scratch(), name)
  mkdirSync(folder)
  const copy = join(folder, 'chain.state')
  for (const one of [(from: string) => from, logPathOf, historyPathOf]) {
    if (existsSync(one(path))) cpSync(one(path), one(copy), { recursive: true })
  }
  const log = await openFileLog(copy)
  const replayed = await replayLog(log)
  await log.close()
  return replayed
}

const transfer = { from: alice, to: bob, value: '0x1', gas: '0x5208' }
/** Each changes something; between them come reads. */
const changes: readonly (readonly [string, ...unknown[]])[] = [
  ['eth_sendTransaction', transfer],
  ['evm_mine'],
  ['anvil_setBalance', bob, '0x10000'],
  ['eth_newBlockFilter'],
  ['evm_snapshot'],
  ['anvil_mine', '0x5'],
  ['evm_increaseTime', 100],
  ['eth_subscribe', 'newHeads'],
  ['eth_sendTransaction', { ...transfer, data: `0x${'ab'.repeat(300)}`, gas: '0x30d40' }],
  ['evm_setAutomine', false],
  ['eth_sendTransaction', transfer],
  ['evm_setAutomine', true],
  ['hardhat_setStorageAt', bob, '0x0', `0x${'0'.repeat(63)}1`],
]

test.serial('whoever waits until inputs are saved leaves nothing in memory', async (t) => {
  const { kept } = createKeeping({ log: createMemoryLog(), say: () => {} })
  const wait = async () => {
    for (let times = 0; times < 50_000; times++) await kept()
    return memoryInUse()
  }
  const [first, second] = [await wait(), await wait()]
  t.true(second - first < 5_000_000, `${second - first} bytes`)
})

test('the files of a crash lead to the digest of the whole node after its last change', async (t) => {
  const path = join(scratch(), 'chain.state')
  const { running, keeping, ask, close } = await serve(path)
  let [compared, shortened] = [0, 0]
  for (let turn = 0; turn < 130; turn++) {
    const [method, ...params] = changes[(turn * 7) % changes.length]!
    await ask('eth_blockNumber')
    await ask('eth_call', { to: bob, data: '0x' }, 'latest')
    await ask(method, ...params)
    const expected = digest(running.simulation())
    if (turn % 18 !== 0) continue
    const found = await afterCrash(path, String(turn))
    t.is(found && digest(found.simulation), expected, `after ${turn + 1} changes, the last one ${method}`)
    if (found !== undefined && found.inputs < compared) shortened += 1
    compared = found?.inputs ?? 0
  }
  t.true(shortened > 0, 'no snapshot has shortened the log')
  await keeping.kept()
  await close()
})

test('a late action that a process has run is replayed by one that has compiled no scenario', async (t) => {
  const path = join(scratch(), 'chain.state')
  const json = JSON.stringify({ setBalance: { address: bob, amount: '${chain.height} evm' } })
  const step = { id: 'late', when: { type: 'signal', name: 'go', orAfterMs: undefined }, timeoutMs: 1000n } as const
  const { running, keeping, close } = await serve(
    path,
    {},
    {
      ...noPlan,
      steps: [{ ...step, actions: [{ type: 'late', json }], expectations: [], onFail: 'abort', source: '' }],
    },
  )
  t.deepEqual(await running.operate('test', { type: 'signal', name: 'go' }).settled, { kind: 'done' })
  t.is(running.simulation().progress.state, 'passed')
  const expected = digest(running.simulation())
  await keeping.kept()
  // As in another process.
  lateActions.part = undefined
  const found = await afterCrash(path, 'crash')
  t.is(found && digest(found.simulation), expected)
  await close()
})

test('reads before a change are counted in the order of their first calls, on which the digest depends', async (t) => {
  const path = join(scratch(), 'chain.state')
  const { running, ask, close } = await serve(path)
  for (const method of ['net_version', 'eth_gasPrice', 'eth_chainId', 'eth_blockNumber']) await ask(method)
  await ask('evm_mine')
  const found = await afterCrash(path, 'crash')
  t.is(found && digest(found.simulation), digest(running.simulation()))
  await close()
})

test('an answer leaves when its input is in the file, and a read that follows no change at once', async (t) => {
  const path = join(scratch(), 'chain.state')
  const { ask, running, close } = await serve(path)
  for (let turn = 0; turn < 5; turn++) {
    const hash = await ask('eth_sendTransaction', transfer)
    const found = await afterCrash(path, String(turn))
    t.is(found?.simulation.node.chain.height, running.simulation().node.chain.height, String(hash))
  }
  const order: string[] = []
  const change = ask('eth_sendTransaction', transfer).then(() => order.push('change'))
  // It shows the block of a transaction that is not kept yet.
  const read = ask('eth_blockNumber').then(() => order.push('read'))
  await Promise.all([change, read])
  t.deepEqual(order, ['change', 'read'])
  let isAnswered = false
  running.enter(callOf('eth_blockNumber'), () => {
    isAnswered = true
  })
  t.true(isAnswered)
  await close()
})

test('a chain goes on with other settings from what it kept, time and again', async (t) => {
  const path = join(scratch(), 'chain.state')
  const first = await serve(path)
  for (let turn = 0; turn < 5; turn++) await first.ask('eth_sendTransaction', transfer)
  const block = await first.ask('eth_getBlockByNumber', '0x4', false)
  const filter = await first.ask('eth_newBlockFilter')
  await first.close()
  const second = await serve(path, { gasCap: 1_000_000 } as Partial<Settings>)
  t.deepEqual(await second.ask('eth_getBlockByNumber', '0x4', false), block)
  await second.ask('eth_sendTransaction', transfer)
  t.is(((await second.ask('eth_getFilterChanges', filter)) as unknown[]).length, 1)
  await second.close()
  const third = await serve(path)
  t.is(await third.ask('eth_blockNumber'), '0x7')
  t.is(third.running.simulation().node.connections.size, 0)
  await third.close()
})

test('a saved checkpoint that takes the place of the chain is what a crash leaves', async (t) => {
  const path = join(scratch(), 'chain.state')
  const { running, keeping, ask, close } = await serve(path)
  await ask('eth_sendTransaction', transfer)
  const saved = withoutConnections(running.simulation())
  for (let turn = 0; turn < 3; turn++) await ask('eth_sendTransaction', transfer)
  running.main.become(saved)
  await keeping.kept()
  t.is((await afterCrash(path, 'one'))?.simulation.node.chain.height, saved.node.chain.height)
  await ask('eth_sendTransaction', transfer)
  const found = await afterCrash(path, 'two')
  t.is(found && digest(found.simulation), digest(running.simulation()))
  await close()
})

test('a quirk of the application that a reload turns on holds at once, and when the log is replayed', async (t) => {
  const path = join(scratch(), 'chain.state')
  const { running, keeping, ask, close } = await serve(path)
  // COINBASE into slot 0.
  const stored = async () => {
    const hash = await ask('eth_sendTransaction', { from: alice, data: '0x4160005500', gas: '0x30000' })
    const { contractAddress } = (await ask('eth_getTransactionReceipt', hash)) as { contractAddress: string }
    return ask('eth_getStorageAt', contractAddress, '0x0', 'latest')
  }
  const before = await stored()
  const settings = { quirks: ['coinbase-ascii'] }
  const command = { type: 'changeSettings', settings, noted: {} } as const
  running.main.queue.enter({ kind: 'operator', by: 'test', command })
  for (let turn = 0; turn < 10; turn++) await ask('anvil_mine', '0x20')
  // The log begins with a snapshot from after the reload.
  await eventually(() => Number(readFileSync(logPathOf(path), 'utf8').split(' ')[2]) > 5)
  t.not(await stored(), before)
  await ask('evm_mine')
  await keeping.kept()
  const found = await afterCrash(path, 'quirk')
  t.is(found && digest(found.simulation), digest(running.simulation()))
  await close()
})
