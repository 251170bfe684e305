import type { IncomingMessage } from 'node:http'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { createPublicClient, http, parseAbi, type Address } from 'viem'
import { WebSocket } from 'ws'
import { profileSettings } from '../../src/settings/profiles.ts'
import { loadScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import type { OnHistoryChange } from '../../src/shell/reloader.ts'
import { serve, type Serving } from '../../src/shell/serving.ts'
import { cli, scratch } from '../helpers/cli.ts'
import { eventually, freePorts } from '../helpers/server.ts'

const ports = { ...freePorts, controlAddress: '127.0.0.1:0' }

/** The chain id of scenarios whose server cannot open its listeners: it finds no certificate. */
const withoutCertificate = 666

type Followed = {
  readonly serving: Serving
  readonly path: string
  readonly log: readonly string[]
  readonly save: (text: string) => void
}

async function follow(
  t: ExecutionContext,
  text: string,
  onHistoryChange: OnHistoryChange = 'restart',
  watches = true,
): Promise<Followed> {
  const path = join(scratch(), 's.json5')
  writeFileSync(path, text)
  const loaded = await loadScenario(path)
  const log: string[] = []
  const settingsOf = (scenario: { readonly evmChainId?: number }) =>
    Promise.resolve({
      ...{ ...profileSettings('local'), ...scenario, ...ports },
      ...(scenario.evmChainId === withoutCertificate ? { tlsCertFile: 'none.pem', tlsKeyFile: 'none.key' } : {}),
    })
  const serving = await serve({
    settings: await settingsOf(loaded.settings),
    scenario: { path, loaded },
    watches,
    onHistoryChange,
    settingsOf,
    genesis: undefined,
    home: undefined,
    log: (_level, said) => log.push(said),
    record: () => {},
  })
  t.teardown(() => serving.close())
  return { serving, path, log, save: (next) => writeFileSync(path, next) }
}

const named = (name: string, rest = '') => `{ chainstage: 1, name: '${name}', seed: 's', ${rest} }`
const nameOf = ({ serving }: Followed) => serving.running().simulation().plan.name
const problemsOf = ({ serving }: Followed) => serving.running().problems.list()
const clientOf = ({ serving }: Followed) => createPublicClient({ transport: http(serving.running().urls.eth) })

test('demands 26 and 27: a save takes effect and keeps connections, height and generation', async (t) => {
  const one = await follow(t, named('a'))
  const { urls } = one.serving.running()
  const socket = new WebSocket(urls.ethWs)
  await new Promise((done) => {
    socket.once('open', done)
  })
  const height = await clientOf(one).getBlockNumber()
  one.save(named('b'))
  await eventually(() => nameOf(one) === 'b')
  const answer = await fetch(urls.eth, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
  })
  t.is(answer.headers.get('x-chainstage-generation'), '2')
  t.is(BigInt(((await answer.json()) as { result: string }).result), height)
  t.is(socket.readyState, WebSocket.OPEN)
  socket.terminate()
})

test('every answer over HTTP says which save it is of: also refusals, preflights, handshakes and those of CometBFT RPC', async (t) => {
  const one = await follow(t, named('a'))
  one.save(named('b'))
  await eventually(() => nameOf(one) === 'b')
  const { urls } = one.serving.running()
  const ways: readonly (readonly [string, RequestInit?])[] = [
    [`${urls.comet}/status`],
    [`${urls.comet}/nothing`],
    [urls.comet, { method: 'POST', body: '{' }],
    [urls.eth, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    [`${urls.eth}/nothing`],
    [urls.ethWs.replace('ws', 'http')],
    [urls.eth, { method: 'OPTIONS', headers: { origin: 'http://a.b', 'access-control-request-method': 'POST' } }],
    [urls.eth, { method: 'POST', body: 'x'.repeat(6_000_000) }],
  ]
  for (const [url, options] of ways) {
    const answer = await fetch(url, options)
    await answer.text()
    t.is(answer.headers.get('x-chainstage-generation'), '2', `${options?.method ?? 'GET'} ${url}: ${answer.status}`)
  }
  for (const url of [urls.cometWs, urls.ethWs]) {
    const socket = new WebSocket(url)
    const answer = await new Promise<IncomingMessage>((done) => {
      socket.once('upgrade', done)
    })
    t.is(answer.headers['x-chainstage-generation'], '2', url)
    socket.terminate()
  }
})

test('a chain that cannot restart with a save continues with its state, and the next save restarts it', async (t) => {
  const one = await follow(t, named('a'))
  const { urls } = one.serving.running()
  const mine = (count: number) =>
    one.serving.running().enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count } })
  mine(5)
  one.save(named('live'))
  await eventually(() => nameOf(one) === 'live')
  const height = await clientOf(one).getBlockNumber()
  one.save(named('b', `chain: { evmChainId: ${withoutCertificate} },`))
  await eventually(() => one.log.some((line) => line.startsWith('the chain could not restart')))
  t.true(one.log.includes('the chain continues with the previous scenario'))
  t.regex(one.serving.running().problems.list()[0]?.text ?? '', /^the chain could not restart: rpc.tls_cert_file/)
  t.is(nameOf(one), 'live')
  t.is(one.serving.running().simulation().progress.generation, 2)
  t.is(one.serving.running().urls.eth, urls.eth)
  mine(1)
  t.is(await clientOf(one).getBlockNumber({ cacheTime: 0 }), height + 1n)
  one.save(named('c', 'chain: { evmChainId: 77 },'))
  await eventually(() => nameOf(one) === 'c')
  t.is(await clientOf(one).getChainId(), 77)
  t.deepEqual(one.serving.running().problems.list(), [])
})

test('a session that begins after a live reload has its scenario, accounts and generation', async (t) => {
  const one = await follow(t, named('a'))
  one.save(named('b', "fixtures: { accounts: { shop: { balance: '7 evm' } } },"))
  await eventually(() => nameOf(one) === 'b')
  const { sessions, urlsOf } = one.serving.running()
  const { plan, progress, node } = sessions.at('late').simulation()
  t.deepEqual([plan.name, progress.generation], ['b', 2])
  const [shop] = node.keys ?? []
  const address = `0x${Buffer.from(shop?.address ?? []).toString('hex')}` as Address
  const client = createPublicClient({ transport: http(urlsOf('late').eth) })
  t.is(await client.getBalance({ address }), 7n * 10n ** 18n)
})

test('with rebase a chain whose inputs are not known stays, and that is said', async (t) => {
  const one = await follow(t, named('a'), 'rebase')
  const { main } = one.serving.running()
  main.become(main.simulation())
  one.save(named('b', 'chain: { evmChainId: 77 },'))
  await eventually(() => problemsOf(one).length === 1)
  t.regex(problemsOf(one)[0]?.text ?? '', /cannot replay the inputs that led to its state/)
  t.is(nameOf(one), 'a')
  t.is(await clientOf(one).getChainId(), 31_337)
})

test('a server that closes during a restart leaves nothing open', async (t) => {
  const one = await follow(t, named('a'))
  const { urls } = one.serving.running()
  one.save(named('b', 'chain: { evmChainId: 77 },'))
  await one.serving.reloader?.reload()
  await one.serving.close()
  t.is(nameOf(one), 'b', 'the restart has ended before the server closes')
  await t.throwsAsync(fetch(urls.eth))
})

test('a server that closes does not wait for a scenario that never finishes loading', async (t) => {
  const one = await follow(t, named('a'), 'restart', false)
  writeFileSync(join(one.path, '../never.mjs'), 'await new Promise((done) => setTimeout(done, 1e6))')
  one.save(named('b', "imports: ['./never.mjs']"))
  const { reloader } = one.serving
  const reloads = [reloader?.reload(), reloader?.reload()].map((reload) =>
    t.throwsAsync(reload ?? Promise.resolve(), { code: 'NOT_RELOADED', message: /: the server ends$/ }),
  )
  const began = performance.now()
  await one.serving.close()
  t.true(performance.now() - began < 15_000, 'a module may load for half a minute')
  await Promise.all(reloads)
})

test('a bad save changes nothing and is told until a good one', async (t) => {
  const one = await follow(t, named('a'))
  one.save('{ chainstage: 1, nam')
  await eventually(() => problemsOf(one).length === 1)
  t.is(nameOf(one), 'a')
  t.regex(problemsOf(one)[0]?.text ?? '', /SC1000/)
  const config = async () =>
    (
      (await (await fetch(`${one.serving.running().urls.control}/api/status`)).json()) as {
        config: Record<string, unknown>
      }
    ).config
  const { state, error, generation } = await config()
  t.deepEqual([state, generation], ['stale', 1])
  t.regex(String(error), /SC1000/)
  one.save(named('b'))
  await eventually(() => nameOf(one) === 'b' && problemsOf(one).length === 0)
  const { state: after, hash } = await config()
  t.deepEqual([after, hash], ['live', one.serving.running().simulation().plan.digest])
})

test('a file that is deleted and comes back is read again', async (t) => {
  const one = await follow(t, named('a'))
  rmSync(one.path)
  await eventually(() => problemsOf(one).length === 1)
  t.is(nameOf(one), 'a')
  one.save(named('b'))
  await eventually(() => nameOf(one) === 'b')
  // Editors write beside and rename.
  writeFileSync(`${one.path}~`, named('c'))
  renameSync(`${one.path}~`, one.path)
  await eventually(() => nameOf(one) === 'c')
  t.pass()
})

test('a part is watched as soon as it is imported, and two saves count once', async (t) => {
  const one = await follow(t, named('a'))
  const part = join(one.path, '../_p.json5')
  writeFileSync(part, "{ vars: { wait: '1s' } }")
  one.save(named('b', "imports: ['./_p.json5'], faults: { f: { effect: { latency: '${vars.wait}' } } }"))
  await eventually(() => nameOf(one) === 'b')
  const { generation } = one.serving.running().simulation().progress
  writeFileSync(part, "{ vars: { wait: '2s' } }")
  one.save(named('c', "imports: ['./_p.json5'], faults: { f: { effect: { latency: '${vars.wait}' } } }"))
  await eventually(() => nameOf(one) === 'c')
  await new Promise((done) => {
    setTimeout(done, 200)
  })
  const { plan, progress } = one.serving.running().simulation()
  t.is(progress.generation, generation + 1)
  t.true(
    JSON.stringify(plan.faults, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).includes(
      '2000',
    ),
  )
})

test('demand 24: new accounts and balances are taken in live, and a new contract is deployed', async (t) => {
  const token = fileURLToPath(new URL('../../../scenarios/_artifacts/DemoToken.json', import.meta.url))
  const one = await follow(t, named('a', "fixtures: { accounts: { alice: { balance: '5 evm' } } }"))
  const { serving } = one
  one.save(
    named(
      'b',
      `fixtures: { accounts: { alice: { balance: '7 evm' }, bob: { balance: '1 evm' } },
    contracts: { demo: { artifact: '${token}', from: '@alice', args: ['D', 'DEMO', '3 DEMO'] } } }`,
    ),
  )
  await eventually(() => nameOf(one) === 'b' || problemsOf(one).length > 0)
  t.deepEqual(problemsOf(one), [])
  const client = clientOf(one)
  const { fixtures } = serving.running().simulation().plan
  const at = (name: string) =>
    `0x${Buffer.from(fixtures.accounts.find((account) => account.name === name)?.address ?? []).toString('hex')}` as Address
  t.is(await client.getBalance({ address: at('bob') }), 10n ** 18n)
  const demo = `0x${Buffer.from(fixtures.txs[0]?.makes ?? []).toString('hex')}` as Address
  t.is(
    await client.readContract({
      address: demo,
      abi: parseAbi(['function totalSupply() view returns (uint256)']),
      functionName: 'totalSupply',
    }),
    3n * 10n ** 18n,
  )
})

test('another seed begins a new chain on the same addresses; sockets are told why', async (t) => {
  const one = await follow(t, named('a'))
  const { urls } = one.serving.running()
  const socket = new WebSocket(urls.ethWs)
  const closed = new Promise((done) => {
    socket.once('close', (code, reason) => done([code, String(reason)]))
  })
  await new Promise((done) => {
    socket.once('open', done)
  })
  const hash = (await clientOf(one).getBlock()).hash
  one.save(named('b').replace("seed: 's'", "seed: 't'"))
  t.deepEqual(await closed, [1012, 'service restart'])
  await eventually(() => nameOf(one) === 'b')
  t.deepEqual(one.serving.running().urls, urls)
  t.not((await clientOf(one).getBlock()).hash, hash)
  t.is(one.serving.running().simulation().progress.generation, 2)
})

test('with keep the chain stays, and the rest is taken in', async (t) => {
  const one = await follow(t, named('a'), 'keep')
  const hash = (await clientOf(one).getBlock()).hash
  one.save(named('b').replace("seed: 's'", "seed: 't'"))
  await eventually(() => nameOf(one) === 'b')
  t.is((await clientOf(one).getBlock()).hash, hash)
  t.true(
    one.log.some((line) => /the chain continues unchanged; start a new chain to apply seed/.test(line)),
    one.log.join('\n'),
  )
  one.save(named('c'))
  await eventually(() => nameOf(one) === 'c')
  t.is(
    one.log.filter((line) => line.includes('start a new chain to apply')).length,
    1,
    'the file is that of the chain again',
  )
})

test('with rebase what was entered is entered to the new genesis again, and the first new answer is told', async (t) => {
  const bob = `0x${'0b'.repeat(20)}` as const
  const one = await follow(t, named('a'), 'rebase')
  const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    clientOf(one).request({ method, params } as never)
  const block = async () => ((await ask('eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash
  const send = () => ask('eth_sendTransaction', { from, to: bob, value: '0x5', gas: '0x5208' })
  const hashes = [await send(), await send()]
  const [before, height] = [await block(), await ask('eth_blockNumber')]
  const again = async (seed: string, name: string) => {
    one.save(named(name).replace("seed: 's'", `seed: '${seed}'`))
    await eventually(() => nameOf(one) === name)
  }
  await again('t', 'b')
  t.not(await block(), before)
  t.is(await ask('eth_blockNumber'), height)
  t.is(await ask('eth_getTransactionCount', from, 'latest'), '0x2')
  for (const hash of hashes) {
    t.is(((await ask('eth_getTransactionReceipt', hash)) as { status: string }).status, '0x1')
  }
  t.true(one.log.some((line) => /replayed \d+ inputs, up to height/.test(line)))
  t.true(
    one.log.some((line) =>
      /first response that differs: input \d+ \(eth .*eth_getBlockByNumber.*\): was 200 .*, is now 200 /.test(line),
    ),
    one.log.join('\n'),
  )
  await send()
  await again('u', 'c')
  t.is(await ask('eth_getBalance', bob, 'latest'), '0xf')
  t.is(one.serving.running().simulation().progress.generation, 3)
})

test('the first new answer after a rebase is told in one line', async (t) => {
  const one = await follow(t, named('a'), 'rebase')
  await clientOf(one).request({ method: 'eth_chainId' })
  one.save(named('b', 'chain: { evmChainId: 77777 }'))
  await eventually(() => nameOf(one) === 'b')
  const told = one.log.find((line) => line.includes('first response that differs'))
  t.regex(told ?? '', /: was 200 \{[^\n]*\}, is now 200 \{[^\n]*"0x12fd1"\}$/)
})

test('validators of the saved file are those of the chain two blocks later, and connections stay', async (t) => {
  const chain = (list: string) => `chain: { validators: [${list}] }`
  const one = await follow(t, named('a', chain("{ name: 'ann', power: 10 }, { name: 'ben', power: 10 }")))
  const { urls } = one.serving.running()
  const socket = new WebSocket(urls.ethWs)
  await new Promise((done) => {
    socket.once('open', done)
  })
  one.save(named('b', chain("{ name: 'ann', power: 30 }, { name: 'cid', power: 20 }")))
  await eventually(() => nameOf(one) === 'b' || problemsOf(one).length > 0)
  t.deepEqual(problemsOf(one), [])
  const { main } = one.serving.running()
  main.operate('test', { type: 'produceBlock', count: 3 })
  const { result } = (await (await fetch(`${urls.comet}/validators`)).json()) as {
    result: { validators: { voting_power: string }[] }
  }
  t.deepEqual(result.validators.map(({ voting_power: power }) => power).toSorted(), ['20', '30'])
  t.is(socket.readyState, WebSocket.OPEN)
  socket.terminate()
})

test('many validators of a saved file sign the blocks after it', async (t) => {
  const one = await follow(t, named('a'))
  one.save(named('b', 'chain: { validators: 30 }'))
  await eventually(() => nameOf(one) === 'b' || problemsOf(one).length > 0)
  const { main, urls } = one.serving.running()
  const before = await clientOf(one).getBlockNumber()
  main.operate('test', { type: 'produceBlock', count: 4 })
  t.is(await clientOf(one).getBlockNumber({ cacheTime: 0 }), before + 4n)
  const { result } = (await (await fetch(`${urls.comet}/commit`)).json()) as {
    result: { signed_header: { commit: { signatures: { block_id_flag: number }[] } } }
  }
  t.is(result.signed_header.commit.signatures.filter(({ block_id_flag: flag }) => flag === 2).length, 30)
})

const refusedTx = `fixtures: { accounts: { poor: { balance: '0 evm' } },
  contracts: { demo: { artifact: '${fileURLToPath(new URL('../../../scenarios/_artifacts/DemoToken.json', import.meta.url))}', from: '@poor', args: ['D', 'DEMO', '3 DEMO'] } } }`

test('what the chain refuses of a save leaves all of it as it was: live, and where a new genesis would be needed', async (t) => {
  for (const seed of ["seed: 's'", "seed: 't'"]) {
    const one = await follow(t, named('a', "clock: { blocks: 'interval', interval: '1h' }"))
    const running = one.serving.running()
    one.save(named('b', `clock: { blocks: 'interval', interval: '50ms' }, ${refusedTx}`).replace("seed: 's'", seed))
    await eventually(() => problemsOf(one).length > 0)
    t.regex(problemsOf(one)[0]?.text ?? '', /insufficient funds|gas|balance/i, seed)
    t.is(nameOf(one), 'a')
    const { chain } = one.serving.running().simulation().node
    t.is(chain.policy.intervalMs, 3_600_000n)
    t.is(one.serving.running(), running)
  }
})

test('blocks come at the interval that was saved', async (t) => {
  const clock = (interval: string) => `clock: { blocks: 'interval', interval: '${interval}' }`
  const one = await follow(t, named('a', clock('1h')))
  one.save(named('b', clock('50ms')))
  await eventually(() => one.serving.running().simulation().node.chain.height > 3n)
  t.is(one.serving.running().simulation().progress.generation, 2)
})

test('faults that a save leaves alone keep their counts, others start over, and those turned on by hand stay', async (t) => {
  const faults = (second: string, third = '') => `faults: {
    kept: { match: { method: 'net_version' }, effect: { rpcError: { code: -1, message: 'kept' } } },
    changed: { match: { method: 'eth_gasPrice' }, effect: { rpcError: { code: -2, message: '${second}' } } }, ${third} },
    steps: [{ id: 'on', do: [{ fault: { use: 'kept' } }, { fault: { use: 'changed' } }, ${third === '' ? '' : "{ fault: { use: 'gone' } }"}] }]`
  const one = await follow(
    t,
    named('a', faults('old', "gone: { match: { method: 'eth_syncing' }, effect: { nullResult: true } },")),
  )
  const { urls } = one.serving.running()
  const ask = async (method: string) =>
    (await (
      await fetch(urls.eth, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      })
    ).json()) as { error?: { message: string } }
  await cli(['faults', 'on', 'by hand', '--url', urls.control, '--rule', ruleFile('eth_accounts')])
  for (const method of ['net_version', 'eth_gasPrice', 'eth_accounts']) await ask(method)
  one.save(named('b', faults('new')))
  await eventually(() => nameOf(one) === 'b')
  const { active, counts } = one.serving.running().simulation().node.faults
  t.deepEqual(active.map(({ rule }) => rule.name).toSorted(), ['by hand', 'changed', 'kept'])
  const applied = (name: string) => counts.get(name)?.applied ?? 0
  t.deepEqual(['kept', 'changed', 'by hand'].map(applied), [1, 0, 1])
  t.is((await ask('eth_gasPrice')).error?.message, 'new')
  t.truthy((await ask('eth_accounts')).error)
})

function ruleFile(method: string): string {
  const path = join(scratch(), 'rule.json5')
  writeFileSync(path, `{ match: { method: '${method}' }, effect: { rpcError: 'limitExceeded' } }`)
  return path
}

test('a step that has run stays history, and that is said', async (t) => {
  const one = await follow(
    t,
    named('a', "steps: [{ id: 'x', do: { mine: 2 } }, { id: 'y', when: { signal: 'go' }, timeout: '1d' }]"),
  )
  const height = one.serving.running().simulation().node.chain.height
  one.save(
    named(
      'a',
      "steps: [{ id: 'x', do: { mine: 9 } }, { id: 'y', when: { signal: 'go' }, timeout: '1d', do: { mine: 1 } }]",
    ),
  )
  await eventually(() => one.log.includes('1 changed step had already run'))
  t.is(one.serving.running().simulation().node.chain.height, height)
})

const many = (last: string, count = 2000) =>
  `steps: [{ id: 'first', when: { signal: 'go' } }, ${Array.from(
    { length: count },
    (_, index) => `{ id: 'step${index}', do: { sendTx: { from: '@account0', to: '@account1', as: 'tx${index}' } } },\n`,
  ).join('')}{ id: 'last', do: { ${last} } }]`

test('requests are answered while a large saved scenario is compiled', async (t) => {
  const one = await follow(t, named('a', many('mine: 1')), 'restart', false)
  one.save(named('b', many('mine: 2')))
  const client = clientOf(one)
  await client.getBlockNumber()
  let isReloaded = false
  const began = performance.now()
  const reloading = one.serving.reloader?.reload().then(() => {
    isReloaded = true
  })
  const waits: number[] = []
  while (!isReloaded) {
    const asked = performance.now()
    await client.getBlockNumber({ cacheTime: 0 })
    waits.push(performance.now() - asked)
  }
  await reloading
  t.is(nameOf(one), 'b')
  t.is(one.serving.running().simulation().plan.steps.length, 2002)
  // One request waits nearly all the time where compiling holds requests back.
  const [longest, whole] = [Math.max(...waits), performance.now() - began]
  t.true(longest < whole / 2, `one of ${waits.length} waited ${longest} ms of ${whole}`)
})

/** Resolves with the number of requests that were answered during `work`. */
async function servedDuring(one: Followed, work: Promise<unknown> | undefined): Promise<number> {
  let isDone = false
  void work?.finally(() => {
    isDone = true
  })
  const client = clientOf(one)
  let served = 0
  for (; !isDone; served++) await client.getBlockNumber({ cacheTime: 0 })
  await work
  return served
}

test.serial('a file that becomes large through a new import is compiled in a thread', async (t) => {
  const one = await follow(t, named('a'), 'restart', false)
  const imported = join(one.path, '..', 'many.json5')
  const faults = Array.from(
    { length: 500 },
    (_, index) => `fault${index}: { match: { method: 'eth_call${index}' }, effect: { rpcError: 'limitExceeded' } },\n`,
  )
  writeFileSync(imported, `{ chainstage: 1, faults: { ${faults.join('')} } }`)
  let threads = 0
  const count = () => {
    threads += 1
  }
  process.on('worker', count)
  t.teardown(() => process.off('worker', count))
  one.save(named('b', "imports: ['./many.json5']"))
  t.is((await one.serving.reloader?.reload())?.change, 'live')
  t.is(threads, 1)
  one.save(named('c'))
  await one.serving.reloader?.reload()
  t.is(threads, 1, 'a small file needs no thread, whatever the size of the previous one')
})

for (const policy of ['restart', 'rebase'] as const) {
  test(`requests are answered while a large genesis is prepared: ${policy}`, async (t) => {
    const one = await follow(t, named('a'), policy, false)
    one.save(named('b', "fixtures: { history: { blocks: 300, over: '1h' } }"))
    const served = await servedDuring(one, one.serving.reloader?.reload())
    t.true(served > 3, `${served} requests were answered`)
    await eventually(() => nameOf(one) === 'b')
    t.true(one.serving.running().simulation().node.chain.height > 300n)
  })
}

test('a rebased chain keeps the start of the old one, from which its times count', async (t) => {
  const one = await follow(t, named('a', "clock: { time: 'wall' }"), 'rebase', false)
  const { startTimeMs } = one.serving.running().settings
  t.true(startTimeMs > 0)
  one.save(named('b', "clock: { time: 'wall' }, fixtures: { history: { blocks: 2, over: '1m' } }"))
  await one.serving.reloader?.reload()
  await eventually(() => nameOf(one) === 'b')
  t.is(one.serving.running().settings.startTimeMs, startTimeMs)
  const { timestamp } = await clientOf(one).getBlock()
  t.true(timestamp >= BigInt(Math.floor(startTimeMs / 1000)), String(timestamp))
})

test('what is wrong with a large saved scenario is told with its place', async (t) => {
  const one = await follow(t, named('a', many('mine: 1')))
  one.save(named('b', many('dig: 1')))
  await eventually(() => problemsOf(one).length > 0)
  t.regex(String(problemsOf(one)[0]?.text), /s\.json5:2001:\d+ {2}SC1010 {2}unknown key "dig"/)
  one.save(named('c', many("mine: 1, sendTx: '")))
  await eventually(() => !String(problemsOf(one)[0]?.text).includes('dig'))
  t.is(nameOf(one), 'a')
  one.save(named('d', many('mine: 3')))
  await eventually(() => nameOf(one) === 'd')
  t.deepEqual(problemsOf(one), [])
})

test('a reload is undone from the command line', async (t) => {
  const one = await follow(t, named('a'))
  one.save(named('b'))
  await eventually(() => nameOf(one) === 'b')
  const { control } = one.serving.running().urls
  const undone = await cli(['reload', '--undo', '--url', control])
  t.regex(undone.out, /reloaded; generation 3/)
  t.is(nameOf(one), 'a')
  const again = await cli(['reload', '--url', control])
  t.regex(again.out, /reloaded; generation 4/)
  t.is(nameOf(one), 'b')
  t.is((await cli(['reload', '--undo', '--url', control])).code, 0)
  const nothing = await cli(['reload', '--undo', '--url', control])
  t.is(nothing.code, 1)
  t.regex(nothing.err, /NOTHING_TO_UNDO/)
})
