import { once } from 'node:events'
import test from 'ava'
import { WebSocket } from 'ws'
import { compileScenario } from '../../src/scenario/compile.ts'
import type { Performed } from '../../src/node/input.ts'
import { longReadEndText } from '../../src/node/longRead.ts'
import type { Output } from '../../src/node/output.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Server } from '../../src/index.ts'
import { bytesOfState, simulationInFile } from '../../src/shell/stateFile.ts'
import { createWorld } from '../../src/shell/world.ts'
import { chainDigest } from '../../src/simulation/digest.ts'
import { awoken, packed } from '../../src/simulation/resume.ts'
import { simulate } from '../../src/simulation.ts'
import { post } from '../helpers/raw.ts'
import { replayRecorded, runRecorded } from '../helpers/recordedRun.ts'
import { eventually, freePorts, startLocal } from '../helpers/server.ts'

const addressOf = (digits: string) => `0x${digits.repeat(20)}`
const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** JUMPDEST, and back to it. */
const endless = { address: addressOf('e1'), code: '0x5b600056' }

/** Calls ecrecover with v = 27 and r = s = 1 for ever. */
const recovering = {
  address: addressOf('e2'),
  code: '0x601b602052600160405260016060525b60206080608060006001610bb8fa50600f56',
}

/** Counts 200,000 down, which takes five million gas, and returns the word in slot 0. */
const counting = { address: addressOf('e3'), code: '0x6300030d405b600190038060055760005460005260206000f3' }

type Answer = { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } }

const request = (method: string, params: readonly unknown[], id = 1) => ({ jsonrpc: '2.0', id, method, params })
const call = ({ address }: { address: string }, gas = '0x2faf080') =>
  request('eth_call', [{ from: alice, to: address, gas }, 'latest'])
const blockNumber = request('eth_blockNumber', [])

async function withContracts(server: Pick<Server, 'urls'>): Promise<void> {
  for (const { address, code } of [endless, recovering, counting]) {
    await post(server.urls.eth, request('anvil_setCode', [address, code]))
  }
  await post(server.urls.eth, request('evm_mine', []))
}

const away = (server: Pick<Server, 'simulation'>) => server.simulation().node.owed.length

test.serial('while an endless call runs, others are answered, and it ends with the time of evm-timeout', async (t) => {
  await using server = await startLocal({ gasCap: 0, evmTimeout: '2s' })
  await withContracts(server)
  const order: string[] = []
  const long = post(server.urls.eth, call(endless, '0x7fffffffffffffff')).then((answer) => {
    order.push('long')
    return answer as Answer
  })
  await eventually(() => away(server) === 1)
  for (let asked = 0; asked < 20; asked++) {
    t.is(((await post(server.urls.eth, blockNumber)) as Answer).result, '0x2')
    order.push('short')
  }
  t.deepEqual(
    order,
    Array.from({ length: 20 }, () => 'short'),
  )
  t.is((await long).error?.message, 'execution aborted (timeout = 2s)')
  t.is(away(server), 0)
})

test.serial('the calls of a batch leave one after the other, and others are answered between them', async (t) => {
  await using server = await startLocal()
  await withContracts(server)
  let ended = false
  const batch = Array.from({ length: 34 }, (_, id) => ({ ...call(recovering, '0x249f0'), id }))
  const long = post(server.urls.eth, batch).then((answers) => {
    ended = true
    return answers as readonly (Answer & { id: number })[]
  })
  const seen = new Set<number>()
  while (!ended) {
    await post(server.urls.eth, blockNumber)
    const { owed, counters } = server.simulation().node
    t.true(owed.length <= 1)
    seen.add(counters.perform)
  }
  t.true(seen.size > 30, `others were answered after each of ${seen.size} calls`)
  const answers = await long
  t.deepEqual(
    answers.map(({ id }) => id),
    batch.map(({ id }) => id),
  )
  for (const { error } of answers) t.regex(error?.message ?? '', /out of gas/)
})

test.serial('a batch of reads that are short pauses when they have used the gas of one', async (t) => {
  await using server = await startLocal()
  await withContracts(server)
  // 200,000 gas each: five in one go, without a thread.
  const batch = Array.from({ length: 20 }, (_, id) => ({ ...call(endless, '0x30d40'), id }))
  const before = server.simulation().node.counters.perform
  const long = post(server.urls.eth, batch)
  await eventually(() => server.simulation().node.counters.perform > before)
  t.is(((await post(server.urls.eth, blockNumber)) as Answer).result, '0x2')
  const answers = (await long) as readonly (Answer & { id: number })[]
  t.deepEqual(
    answers.map(({ id }) => id),
    batch.map(({ id }) => id),
  )
  for (const { error } of answers) t.regex(error?.message ?? '', /out of gas/)
  t.is(server.simulation().node.counters.perform - before, 3)
})

const transaction = { from: alice, to: counting.address, gas: '0x989680' }
const reads = {
  eth_call: [transaction, 'latest'],
  eth_estimateGas: [transaction],
  eth_createAccessList: [transaction, 'latest'],
  debug_traceCall: [transaction, 'latest', { tracer: 'callTracer' }],
  eth_simulateV1: [{ blockStateCalls: [{ calls: [transaction, transaction] }] }, 'latest'],
}

test.serial('a read gives the same answer in a thread as on the spot', async (t) => {
  await using aside = await startLocal()
  await using atOnce = await startLocal({ readSlice: 0 })
  for (const server of [aside, atOnce]) {
    await withContracts(server)
    const slot = [counting.address, '0x0', `0x${'07'.repeat(32)}`]
    await post(server.urls.eth, request('anvil_setStorageAt', slot))
  }
  for (const [method, params] of Object.entries(reads)) {
    const before = aside.simulation().node.counters.perform
    const found = (await post(aside.urls.eth, request(method, params))) as Answer
    t.true(aside.simulation().node.counters.perform > before, `${method} leaves`)
    t.deepEqual(found, (await post(atOnce.urls.eth, request(method, params))) as Answer, method)
    t.truthy(found.result, method)
  }
  t.is(atOnce.simulation().node.counters.perform, 1)
})

test.serial('a read over WebSocket leaves too, and other connections are answered', async (t) => {
  await using server = await startLocal({ gasCap: 0, evmTimeout: '2s' })
  await withContracts(server)
  const socket = new WebSocket(server.urls.ethWs)
  await once(socket, 'open')
  const answered = once(socket, 'message')
  socket.send(JSON.stringify(call(endless, '0x7fffffffffffffff')))
  await eventually(() => away(server) === 1)
  t.is(((await post(server.urls.eth, blockNumber)) as Answer).result, '0x2')
  t.is(away(server), 1)
  const [text] = (await answered) as [Buffer]
  t.is((JSON.parse(text.toString()) as Answer).error?.message, 'execution aborted (timeout = 2s)')
  socket.terminate()
})

test.serial('a transaction is traced in a thread as on the spot', async (t) => {
  const traces: unknown[] = []
  for (const readSlice of [1_000_000, 0]) {
    await using server = await startLocal({ readSlice })
    await withContracts(server)
    const { result: hash } = (await post(server.urls.eth, request('eth_sendTransaction', [transaction]))) as Answer
    traces.push(await post(server.urls.eth, request('debug_traceTransaction', [hash, { tracer: 'prestateTracer' }])))
  }
  t.deepEqual(traces[0], traces[1])
  t.truthy((traces[0] as Answer).result)
})

/** Returns code that counts down, which takes 26 gas for each number. */
const countingFrom = (count: number) => `0x61${count.toString(16).padStart(4, '0')}5b600190038060035700`
const twelve = { from: alice, to: addressOf('e4'), gas: '0x186a0' }

/** Answers after twelve transactions, and how often each of the reads left. */
async function answersOf(readSlice: number, code: string, isOneBlock: boolean, asked: readonly object[]) {
  await using server = await startLocal({ readSlice })
  await post(server.urls.eth, request('anvil_setCode', [twelve.to, code]))
  await post(server.urls.eth, request('evm_mine', []))
  if (isOneBlock) await post(server.urls.eth, request('evm_setAutomine', [false]))
  for (let count = 0; count < 12; count++) await post(server.urls.eth, request('eth_sendTransaction', [twelve]))
  if (isOneBlock) await post(server.urls.eth, request('evm_mine', []))
  const answers: Answer[] = []
  const left: number[] = []
  for (const one of asked) {
    const before = server.simulation().node.counters.perform
    answers.push((await post(server.urls.eth, one)) as Answer)
    left.push(server.simulation().node.counters.perform - before)
  }
  return { answers, left }
}

test.serial('the transactions of a block are traced in a thread together, as on the spot', async (t) => {
  const asked = [
    request('debug_traceBlockByNumber', ['latest', { tracer: 'callTracer' }]),
    request('debug_traceBlockByNumber', ['latest', { tracer: 'opcountTracer' }]),
    request('trace_block', ['latest']),
    request('trace_replayBlockTransactions', ['latest', ['trace', 'stateDiff', 'vmTrace']]),
    // Without traces, nothing runs.
    request('trace_replayBlockTransactions', ['latest', []]),
  ]
  const code = countingFrom(20)
  const [aside, atOnce] = [await answersOf(1_000_000, code, true, asked), await answersOf(0, code, true, asked)]
  t.deepEqual(aside.left, [1, 1, 1, 1, 0])
  t.deepEqual(aside.answers, atOnce.answers)
  for (const { result } of aside.answers) t.is((result as readonly unknown[]).length, 12)
})

test.serial('a read of several executions gets a new slice when it comes back', async (t) => {
  const asked = [request('trace_filter', [{ fromBlock: '0x3', toBlock: 'latest' }])]
  const code = countingFrom(2000)
  const [aside, atOnce] = [await answersOf(1_200_000, code, false, asked), await answersOf(0, code, false, asked)]
  // Two or three executions in each slice, and one in a thread.
  for (const left of aside.left) t.true(left >= 2 && left <= 4, `it left ${left} times`)
  t.deepEqual(aside.answers, atOnce.answers)
  for (const { result } of aside.answers) t.is((result as readonly unknown[]).length, 12)
})

test.serial('a search of many blocks keeps one result for each 32 that it has passed', async (t) => {
  await using server = await startLocal({ readSlice: 1_200_000 })
  await post(server.urls.eth, request('anvil_setCode', [twelve.to, countingFrom(2000)]))
  const sent = Array.from({ length: 100 }, () => request('eth_sendTransaction', [twelve]))
  await post(server.urls.eth, sent)
  let answer: Answer | undefined
  const search = request('trace_filter', [{ fromBlock: '0x2', toBlock: 'latest', fromAddress: [alice], after: 90 }])
  const long = post(server.urls.eth, search).then((one) => {
    answer = one as Answer
  })
  let most = 0
  while (answer === undefined) {
    await post(server.urls.eth, blockNumber)
    for (const { read } of server.simulation().node.owed) most = Math.max(most, read?.ends.length ?? 0)
  }
  await long
  t.true(most > 16 && most < 32 + 4, `${most} results at most`)
  const frames = (answer as { result: { blockNumber: number }[] }).result
  t.deepEqual(
    frames.map(({ blockNumber: height }) => height),
    Array.from({ length: 10 }, (_, at) => 92 + at),
  )
})

test.serial('a call sees the state that it began with, whatever blocks come', async (t) => {
  await using server = await startLocal({ gasCap: 0 })
  await withContracts(server)
  const long = post(server.urls.eth, call(counting))
  await eventually(() => server.simulation().node.counters.perform > 1)
  await post(server.urls.eth, request('anvil_setStorageAt', [counting.address, '0x0', `0x${'07'.repeat(32)}`]))
  await post(server.urls.eth, request('evm_mine', []))
  t.is(((await long) as Answer).result, `0x${'00'.repeat(32)}`)
  t.is(((await post(server.urls.eth, call(counting))) as Answer).result, `0x${'07'.repeat(32)}`)
})

test.serial('no more reads are away at one time than max-long-reads', async (t) => {
  await using server = await startLocal({ gasCap: 0, evmTimeout: '2s', maxLongReads: 1 })
  await withContracts(server)
  const long = post(server.urls.eth, call(endless, '0x7fffffffffffffff')) as Promise<Answer>
  await eventually(() => away(server) === 1)
  const { error } = (await post(server.urls.eth, call(endless))) as Answer
  t.is(error?.code, -32005)
  t.regex(error?.message ?? '', /^chainstage: the limit of 1 long reads is reached; .*--max-long-reads$/)
  t.is(((await post(server.urls.eth, blockNumber)) as Answer).result, '0x2')
  t.regex((await long).error?.message ?? '', /^execution aborted/)
})

test.serial('a node is saved while a read is away, without what it sees', async (t) => {
  await using server = await startLocal({ gasCap: 0, evmTimeout: '1s' })
  await withContracts(server)
  const long = post(server.urls.eth, call(endless, '0x7fffffffffffffff'))
  await eventually(() => away(server) === 1)
  const saved = simulationInFile(bytesOfState(packed(server.simulation())))
  t.deepEqual(
    saved.node.owed.map(({ read }) => read),
    [{ ends: [] }],
  )
  await long
})

test.serial('a tracer in JavaScript runs in a thread whatever gas is used', async (t) => {
  await using server = await startLocal()
  const traced = (tracer: string) =>
    post(server.urls.eth, request('debug_traceCall', [{ from: alice, to: alice }, 'latest', { tracer }]))
  t.is(((await traced('opcountTracer')) as Answer).result, 0)
  const before = server.simulation().node.counters.perform
  const endlessly = '{ fault: function () {}, result: function () { for (;;) ("a".repeat(1e6)).indexOf("b") } }'
  const long = traced(endlessly) as Promise<Answer>
  await eventually(() => server.simulation().node.counters.perform > before)
  t.is(((await post(server.urls.eth, blockNumber)) as Answer).result, '0x1')
  // Its time is over, or the interpreter has counted its operations before that.
  t.regex((await long).error?.message ?? '', /^execution aborted \(timeout = 10s\)$|execution timeout/)
})

test.serial('a batch that was saved between a read and a transaction still sends that', async (t) => {
  await using server = await startLocal({ gasCap: 0, evmTimeout: '2s' })
  await withContracts(server)
  const send = request('eth_sendTransaction', [{ from: alice, to: alice, value: '0x1' }])
  const long = post(server.urls.eth, [call(endless, '0x7fffffffffffffff'), send])
  await eventually(() => away(server) === 1)
  const saved = awoken(packed(server.simulation()))
  const id = server.simulation().node.counters.perform - 1
  await long
  const timeMs = server.simulation().node.nowMs
  const performed = {
    kind: 'performed',
    id,
    result: { ok: true, text: longReadEndText({ ended: 'timeout' }) },
  } as const
  const after = simulate(createWorld(server.settings).world, saved, { ...performed, seq: 99, timeMs, session: '' })
  t.is(after.simulation.node.chain.height, server.simulation().node.chain.height)
  t.is(chainDigest(after.simulation.node), server.digest())
})

test.serial(
  'a read that a bug ended in its thread is an incident, one whose thread was lost can be tried again',
  async (t) => {
    await using server = await startLocal({ gasCap: 0, evmTimeout: '2s' })
    await withContracts(server)
    const long = post(server.urls.eth, call(endless, '0x7fffffffffffffff'))
    await eventually(() => away(server) === 1)
    const simulation = server.simulation()
    const { nowMs: timeMs, counters } = simulation.node
    const { world } = createWorld(server.settings)
    const outputsAfter = (result: Performed) =>
      simulate(world, simulation, { kind: 'performed', id: counters.perform - 1, result, seq: 99, timeMs, session: '' })
        .outputs
    const errorIn = (outputs: readonly Output[]) =>
      outputs.flatMap((one) => (one.kind === 'reply' ? [(JSON.parse(one.body) as Answer).error] : []))[0]
    const incidentsIn = (outputs: readonly Output[]) =>
      outputs.flatMap((one) => (one.kind === 'log' && one.text.startsWith('incident ') ? [one.text] : []))
    const failed = outputsAfter({ ok: false, error: 'TypeError: planted', isBug: true })
    t.is(errorIn(failed)?.code, -32603)
    t.regex(incidentsIn(failed)[0] ?? '', /TypeError: planted/)
    const lost = outputsAfter({ ok: false, error: 'the thread ended' })
    t.like(errorIn(lost), {
      code: -32000,
      message: 'chainstage: the read did not complete: the thread ended; retry the request',
    })
    t.deepEqual(incidentsIn(lost), [])
    await long
  },
)

test.serial('a recording with reads that left is replayed without a thread', async (t) => {
  const settings = { ...profileSettings('local'), ...freePorts, gasCap: 0, evmTimeout: '3s' }
  const { plan } = compileScenario(new Map([['s.json5', "{ chainstage: 1, name: 'x' }"]]), 's.json5')
  const { running, lines } = await runRecorded(settings, plan)
  await withContracts(running)
  const batch = [call(counting), call(endless, '0x7fffffffffffffff'), request('eth_createAccessList', reads.eth_call)]
  const [counted, aborted, listed] = (await post(running.urls.eth, batch)) as readonly Answer[]
  t.is(counted?.result, `0x${'00'.repeat(32)}`)
  t.is(aborted?.error?.message, 'execution aborted (timeout = 3s)')
  t.truthy(listed?.result)
  await running.close()
  t.is(replayRecorded(settings, lines, plan), undefined)
  t.true(lines.filter((line) => line.includes('"kind":"performed"')).length >= 3)
})
