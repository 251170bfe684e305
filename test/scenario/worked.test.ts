/**
 * The five scenarios of the format's proposal (`mocks.md` §3.4), word for word, each to its end.
 */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { noClient } from '../../src/fault/rule.ts'
import { compileScenario } from '../../src/scenario/compile.ts'
import { fake } from '../../src/scenario/fixtures/fake.ts'
import { loadScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import { compiledRun, type Run } from '../helpers/scenarioRun.ts'
import { callOf } from '../helpers/requests.ts'

const folder = new URL('../../../test/scenario/worked/', import.meta.url)

async function worked(name: string, vars: Readonly<Record<string, string>> = {}): Promise<Run> {
  return compiledRun(await loadScenario(fileURLToPath(new URL(name, folder)), { vars: new Map(Object.entries(vars)) }))
}

/** The demo's past is long: here the same file has a short one, and the full set its own. */
async function demoOf(blocks: number): Promise<Run> {
  const {
    files,
    given,
    closure: [entry = ''],
  } = await loadScenario(fileURLToPath(new URL('token-demo.json5', folder)))
  const text = files.get(entry)?.replace('blocks: 5000, over', `blocks: ${blocks}, over`) ?? ''
  return compiledRun(compileScenario(new Map([...files, [entry, text]]), entry, { ...given, fake }))
}

/** Lets time pass in steps of so much; after each the client may do something. */
function live(
  run: Run,
  { everyMs, mostMs }: { everyMs: number; mostMs: number },
  client: (atMs: number) => void,
): void {
  run.enter({ kind: 'tick' })
  for (let at = 0; at < mostMs && run.simulation().progress.state === 'running'; at += everyMs) {
    client(at)
    run.enter({ kind: 'tick' }, everyMs)
  }
}

const failures = (run: Run) => run.simulation().progress.failures.map(({ step, text }) => `${step}: ${text}`)

test('a transaction is stuck, then replaced; the page polls for the new one only', async (t) => {
  const run = await worked('stuck-then-replaced.json5', { driver: 'script' })
  live(run, { everyMs: 500, mostMs: 240_000 }, () => {
    const {
      facts: { txs },
    } = run.simulation().progress
    const hash = (txs['stuck.replacement'] ?? txs['stuck'])?.ethHash
    if (hash !== undefined) run.call('eth', 'eth_getTransactionReceipt', [`0x${hash}`])
  })
  t.deepEqual([run.simulation().progress.state, ...failures(run)], ['passed'])
})

test('a page that goes on asking for the stuck transaction is found out', async (t) => {
  const run = await worked('stuck-then-replaced.json5', { driver: 'script' })
  live(run, { everyMs: 500, mostMs: 240_000 }, () => {
    const hash = run.simulation().progress.facts.txs['stuck']?.ethHash
    if (hash !== undefined) run.call('eth', 'eth_getTransactionReceipt', [`0x${hash}`])
  })
  t.is(failures(run)[0], 'final: calls of eth_getTransactionReceipt held, but should never hold')
})

test('the validators change, one is jailed, and the chain halts for an upgrade', async (t) => {
  const run = (await worked('validators-and-upgrade.json5')).run()
  t.deepEqual([run.simulation().progress.state, ...failures(run)], ['passed'])
})

test('a provider limits a page, which waits as long as it is told, and recovers', async (t) => {
  const run = await worked('rate-limit.json5')
  const page = pageOf(run)
  live(run, { everyMs: 50, mostMs: 90_000 }, page)
  t.deepEqual([run.simulation().progress.state, ...failures(run)], ['passed'])
})

test('a page that does not wait as long as it is told is found out', async (t) => {
  const run = await worked('rate-limit.json5')
  const page = pageOf(run, false)
  live(run, { everyMs: 50, mostMs: 90_000 }, page)
  t.regex(failures(run)[0] ?? '', /^during: .*expected at least 1950 ms between two calls, was/)
})

/**
 * Asks for the height and six balances, one after another; what is refused waits as long as it is
 * told, or asks at once.
 */
function pageOf(run: Run, isPatient = true): (atMs: number) => void {
  const free = new Map<number, number>()
  let turn = 0
  return (atMs) => {
    if (atMs % 150 !== 0) return
    const which = turn++ % 7
    if ((free.get(which) ?? 0) > atMs) return
    const [method, params] =
      which === 0 ? ['eth_blockNumber', []] : ['eth_getBalance', [`0x${String(which).repeat(40)}`, 'latest']]
    const outputs = run.enter(callOf(method, params))
    const reply = outputs.find((one) => one.kind === 'reply')
    if (reply?.status !== 429) return
    if (isPatient) free.set(which, atMs + Number(reply.headers.find(([name]) => name === 'Retry-After')?.[1]) * 1000)
    else turn--
  }
}

test('a socket is cut, three blocks are missed, and the page comes back and asks for them', async (t) => {
  const run = await worked('websocket-gap.json5')
  live(run, { everyMs: 250, mostMs: 120_000 }, socketOf(run))
  t.deepEqual([run.simulation().progress.state, ...failures(run)], ['passed'])
})

test('a page that does not ask for the blocks it missed is found out', async (t) => {
  const run = await worked('websocket-gap.json5')
  live(run, { everyMs: 250, mostMs: 120_000 }, socketOf(run, false))
  t.regex(failures(run)[0] ?? '', /^back: .*expected blocks \d+ to \d+, block \d+ is missing in 0 calls/)
})

/**
 * Subscribes to heads and logs, opens again a second after a close, then asks for what it missed;
 * asks for the height when heads stop.
 */
function socketOf(run: Run, asksForMissed = true): (atMs: number) => void {
  let connection = 0
  let isOpen = false
  let seen = 0
  let wasCut: bigint | undefined
  let heardMs = 0
  const send = (method: string, params: unknown) => run.enter(callOf(method, params, { connection }))
  const open = (atMs: number) => {
    const answer = run.enter({ kind: 'handshake', side: 'eth', client: noClient })
    if (!answer.some((one) => one.kind === 'reply' && one.status === 101)) return
    run.enter({ kind: 'connected', connection: ++connection, side: 'eth', remote: '127.0.0.1' })
    isOpen = true
    heardMs = atMs
    send('eth_subscribe', ['newHeads'])
    send('eth_subscribe', ['logs', {}])
    if (wasCut !== undefined && asksForMissed) {
      send('eth_getLogs', [{ fromBlock: `0x${wasCut.toString(16)}`, toBlock: 'latest' }])
    }
  }
  return (atMs) => {
    const fresh = run.outputs.slice(seen)
    seen = run.outputs.length
    if (fresh.some((one) => one.kind === 'push' || one.kind === 'broadcast')) heardMs = atMs
    if (isOpen && fresh.some((one) => one.kind === 'close' && one.connection === connection)) {
      isOpen = false
      wasCut = run.simulation().node.chain.height
      run.enter({ kind: 'disconnected', connection })
    }
    if (!isOpen && atMs % 1000 === 0) open(atMs)
    if (isOpen && atMs - heardMs > 6000) run.call('eth', 'eth_blockNumber', [])
  }
}

test('a demo environment has a past, goes on by itself, and follows its presenter', async (t) => {
  const run = await demoOf(200)
  const { plan } = run.simulation()
  const address = (name: string) =>
    `0x${Buffer.from(plan.fixtures.accounts.find((one) => one.name === name)?.address ?? []).toString('hex')}`
  const demo = plan.fixtures.txs.find(({ what }) => what === 'contract demo')?.makes ?? new Uint8Array(20)
  const tokensOf = (name: string) =>
    BigInt(
      run.call('eth', 'eth_call', [
        {
          to: `0x${Buffer.from(demo).toString('hex')}`,
          data: `0x70a08231${address(name).slice(2).padStart(64, '0')}`,
        },
        'latest',
      ]).result as string,
    )
  const height = () => Number(run.simulation().node.chain.height)
  const signal = (name: string) => run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name } })
  const past = height()
  t.true(past > 200)
  t.is(plan.fixtures.accounts.find(({ name }) => name === 'users.0')?.label.includes(' '), true)
  t.true((plan.fixtures.history?.txs.length ?? 0) > 80)

  run.call('eth', 'eth_getBalance', [address('alice'), 'latest'])
  run.enter({ kind: 'tick' }, 5000)
  t.is(tokensOf('alice'), 0n)
  run.enter({ kind: 'tick' }, 5000)
  t.is(tokensOf('alice'), 100n * 10n ** 18n, run.said.join('\n'))
  run.enter({ kind: 'tick' }, 110_000)
  t.is(height(), past + 60)
  t.true(run.outputs.filter((one) => one.kind === 'log' && one.level === 'debug').length > 3)

  const fee = () => BigInt(run.call('eth', 'eth_getBlockByNumber', ['latest', false]).result.baseFeePerGas as string)
  const before = fee()
  signal('congestion')
  run.enter({ kind: 'tick' }, 4000)
  t.true(fee() >= 24n * before)
  signal('outage')
  t.deepEqual(run.call('eth', 'eth_chainId', []), {})
  run.enter({ kind: 'tick' }, 20_000)
  t.is(run.call('eth', 'eth_chainId', []).result, '0x7a69')
  signal('rewind')
  t.is(height(), past)
  signal('rewind')
  t.deepEqual([run.simulation().progress.state, ...failures(run)], ['passed'])
})
