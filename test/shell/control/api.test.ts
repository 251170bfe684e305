import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { createWalletClient, http, parseEther, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { demoToken } from '../../helpers/contracts.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { talk } from '../../helpers/raw.ts'
import { chainOf } from '../../helpers/server.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('what an operator does is what the interfaces show', async (t) => {
  await using server = await startControlled()
  t.like((await api(server, '/status')).body, { height: 1, evmChainId: 31337, problems: [] })
  t.deepEqual((await api(server, '/mine', { blocks: 3, interval: '5s' })).body, { height: 4 })
  t.is(await rpc(server.urls.eth, 'eth_blockNumber'), '0x4')
  const { id } = (await api(server, '/checkpoint', {})).body
  t.deepEqual((await api(server, '/time', { by: '1h', mine: true })).body, { height: 5 })
  const [newest, before] = (await api(server, '/blocks?limit=2')).body
  t.true(newest.timeMs - before.timeMs >= 3_600_000)
  await api(server, '/faucet', { address: bob, tokens: '1.5' })
  t.is(await rpc(server.urls.eth, 'eth_getBalance', bob, 'latest'), `0x${parseEther('10001.5').toString(16)}`)
  t.deepEqual((await api(server, '/restore', { id })).body, { id, height: 4 })
  t.is(await rpc(server.urls.eth, 'eth_blockNumber'), '0x4')
})

test('a transaction is shown from both sides, with its logs decoded', async (t) => {
  await using server = await startControlled()
  const writer = createWalletClient({ chain: chainOf(server.urls.eth), transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  await writer.deployContract({ abi, bytecode, args: [] })
  const [listed] = (await api(server, '/transactions')).body
  const { body } = await api(server, `/transactions/${listed.ethHash}`)
  t.is(body.creates, body.receipt.result.contractAddress && listed.creates)
  t.deepEqual(body.decodedLogs[0].decoded.event, 'Transfer')
  t.is(body.decodedLogs[0].decoded.args[1].value, alice.address)
  t.true(body.cosmosEvents.some((one: { type: string }) => one.type === 'ethereum_tx'))
  t.is(body.comet.result.hash, listed.hash)
  t.is((await api(server, `/transactions/${listed.hash}`)).body.ethHash, listed.ethHash)
  const block = (await api(server, `/blocks/${listed.height}`)).body
  t.is(block.list[0].hash, listed.hash)
  t.is(block.comet.result.block_id.hash, block.hash)
})

test('the journal keeps requests with their answers, and looking leaves no trace', async (t) => {
  await using server = await startControlled()
  await rpc(server.urls.eth, 'eth_chainId')
  await fetch(`${server.urls.comet}/health`)
  const { body } = await api(server, '/journal')
  t.deepEqual(
    body.recent.map((one: { method: string; side: string }) => [one.side, one.method]),
    [
      ['comet', 'health'],
      ['eth', 'eth_chainId'],
    ],
  )
  t.deepEqual(body.counts, { eth_chainId: 1, health: 1 })
  const { body: one } = await api(server, `/journal/${body.recent[1].seq}`)
  t.is(JSON.parse(one.answer).result, '0x7a69')
  t.is(JSON.parse(one.request).method, 'eth_chainId')
  await api(server, '/call', { side: 'eth', method: 'eth_blockNumber' })
  t.is(Object.keys((await api(server, '/journal')).body.counts).length, 2)
})

test('faults are turned on by description, counted, and turned off', async (t) => {
  await using server = await startControlled()
  const rule = {
    match: { method: 'eth_gasPrice' },
    effect: { rpcError: { code: -32005, message: 'no' } },
  }
  t.deepEqual((await api(server, '/faults', { name: 'no-price', rule })).body, { name: 'no-price', on: true })
  const answer = await fetch(server.urls.eth, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}',
  })
  t.regex(await answer.text(), /-32005/)
  t.like((await api(server, '/faults')).body.active[0], { name: 'no-price', matched: 1, applied: 1 })
  t.deepEqual((await api(server, '/faults/no-price', undefined, 'DELETE')).body, { cleared: ['no-price'] })
  t.deepEqual((await api(server, '/faults')).body.active, [])
})

const refuses = test.macro(async (t, path: string, body: unknown, message: RegExp) => {
  await using server = await startControlled()
  const before = (await api(server, '/status')).body.height
  const told = await api(server, path, body)
  t.is(told.status, 400, JSON.stringify(told.body))
  t.regex(told.body.error.message, message)
  t.is((await api(server, '/status')).body.height, before)
})
test(
  'a number of blocks that is none is refused',
  refuses,
  '/mine',
  { blocks: '2' },
  /blocks: expected a whole number of blocks/,
)
test('a member that does not exist is refused', refuses, '/mine', { count: 2 }, /count/)
test('a duration without a unit is refused', refuses, '/time', { by: '60' }, /expected a duration like 1h30m/)
test('time does not move back', refuses, '/time', { by: '-1s' }, /by: expected a duration .*, received "-1s"/)
test('block times do not move back', refuses, '/mine', { blocks: 2, interval: '-1s' }, /interval: .*received "-1s"/)

test('a fault for a time counts from when it is turned on, also on a chain on which nothing has happened', async (t) => {
  await using server = await startControlled({ blocks: 'manual', clockSpeed: 1000 })
  await setTimeout(50)
  const rule = { match: { method: 'eth_gasPrice' }, effect: { http: { status: 503 } } }
  await api(server, '/faults', { name: 'busy', rule, for: '1h' })
  const { body } = await api(server, '/faults')
  const [{ untilMs, leftMs }] = body.active
  t.true(untilMs >= 3_600_000 + 40_000, String(untilMs))
  t.true(leftMs <= 3_600_000, String(leftMs))
})

test('a fault does not end before it begins', refuses, '/faults', { name: 'x', for: '-1s' }, /for: .*received "-1s"/)
test(
  'no depth is refused',
  refuses,
  '/reorg',
  { depth: 0 },
  /depth: expected a whole number of blocks from 1 to 1000000/,
)
test(
  'a time that RFC 3339 cannot represent is refused',
  refuses,
  '/time',
  { by: '3000000000000h', mine: true },
  /^expected a time of at most 253402300799 seconds \(the end of the year 9999\), received \d+$/,
)
test('a checkpoint that is not there is refused', refuses, '/restore', { id: '0x99' }, /there is no checkpoint/)
test('a fault that is not there is refused', refuses, '/faults', { name: 'x' }, /the scenario has no fault "x"/)
test(
  'a fault that makes no sense is refused',
  refuses,
  '/faults',
  { name: 'x', rule: { effect: { latency: 5 } } },
  /latency/,
)
test(
  'the options for a gRPC status of a fault are named',
  refuses,
  '/faults',
  { name: 'x', rule: { effect: { grpc: 'NOPE' } } },
  /^effect\.grpc: .*"UNAVAILABLE"/,
)
test('an address that is none is refused', refuses, '/faucet', { address: '0x12' }, /expected an address/)
test(
  'the refusal of a mistyped address names the right checksum',
  refuses,
  '/faucet',
  { address: 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxlwjxtt' },
  /expected an address, received "cosmos1\w+": decoding bech32 failed: invalid checksum \(expected \w{6} got lwjxtt\)/,
)
test(
  'the refusal of an address of a contract in the SDK tells its length',
  refuses,
  '/faucet',
  { address: 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq0fr2sh' },
  /it has 32 bytes instead of 20/,
)
test('simulation time that follows the clock is not moved', refuses, '/advance', { by: '1s' }, /follows the clock/)

test('a misspelt key of a fault is answered with the nearest one', async (t) => {
  await using server = await startControlled()
  const { body } = await api(server, '/faults', { name: 'x', rule: { effect: { latncy: '1s' } } })
  t.like(body.error, { message: 'unknown key "latncy"', hint: 'Did you mean "latency"?' })
})

test('pages of other origins and names that are not ours are refused', async (t) => {
  await using server = await startControlled()
  const foreign = await fetch(`${server.urls.control}/api/mine`, {
    method: 'POST',
    body: '{}',
    headers: { Origin: 'https://evil.example' },
  })
  t.is(foreign.status, 403)
  t.is((await api(server, '/status')).body.height, 1)
  const local = await fetch(`${server.urls.control}/api/mine`, {
    method: 'POST',
    body: '{}',
    headers: { Origin: server.urls.control },
  })
  t.is(local.status, 200)
  await t.throwsAsync(startControlled({ controlAddress: '0.0.0.0:0' }), {
    message: /expected an address of this machine, received/,
  })
  await using asked = await startControlled({ controlAddress: '0.0.0.0:0', controlExposed: true })
  t.is((await api(asked, '/status')).body.height, 1)
})

test('changes are told as they happen', async (t) => {
  await using server = await startControlled()
  const answer = await fetch(`${server.urls.control}/api/live`)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  t.regex(String((await reader?.read())?.value), /^event: changed\ndata: \{.*"height":1,/)
  await rpc(server.urls.eth, 'evm_mine')
  t.regex(String((await reader?.read())?.value), /"height":2,/)
  await reader?.cancel()
  const { host } = new URL(server.urls.control)
  const request = (line: string) => `${line} HTTP/1.1\r\nHost: ${host}\r\n`
  const closing = `${request('GET /api/status')}Connection: close\r\n\r\n`
  const after = await talk(server.urls.control, `${request('HEAD /api/live')}\r\n${closing}`, 20_000)
  t.regex(after.text, /text\/event-stream[^]*HTTP\/1\.1 200[^]*"height":2/, 'what follows HEAD is answered')
})

test('sessions are leased, have the same API, and end', async (t) => {
  await using server = await startControlled()
  const { session, urls } = (await api(server, '/sessions', {})).body
  await rpc(`${urls.eth}/`, 'evm_mine')
  const below = await fetch(`${urls.control}/api/status`)
  t.like((await below.json()) as object, { session, height: 2 })
  t.is((await api(server, '/status')).body.height, 1)
  t.is((await api(server, '/sessions')).body.length, 1)
  t.deepEqual((await api(server, `/sessions/${session}`, undefined, 'DELETE')).body, { session, released: true })
  t.is((await fetch(`${urls.control}/api/status`)).status, 404)
})
