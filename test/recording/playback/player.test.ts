import test from 'ava'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import { createPlayer } from '../../../src/recording/playback/player.ts'

const header = '{"format":"tap/1"}'

type Exchange = {
  readonly t: number
  readonly method: string
  readonly params?: readonly unknown[]
  readonly result: string
}

function line({ t, method, params = [], result }: Exchange): string {
  return JSON.stringify({
    n: 1,
    t,
    iface: 'b',
    kind: 'http',
    conn: 1,
    method: 'POST',
    path: '/',
    ms: 1,
    req: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    res: `{"jsonrpc":"2.0","id":7,"result":${result}}\n`,
  })
}

const recorded = importTap(
  [
    header,
    ...[
      { t: 0, method: 'eth_blockNumber', result: '"0x4"' },
      { t: 10, method: 'eth_getBalance', params: ['0xaa', 'latest'], result: '"0x64"' },
      { t: 20, method: 'eth_sendRawTransaction', params: ['0x02'], result: '"0xbeef"' },
      {
        t: 500,
        method: 'eth_getTransactionReceipt',
        params: ['0xbeef'],
        result: '{"blockNumber":"0x5"}',
      },
      { t: 510, method: 'eth_getBalance', params: ['0xaa', 'latest'], result: '"0x32"' },
      { t: 600, method: 'debug_big', result: '{"wei":123456789012345678901234567890, "f":1.50}' },
    ].map(line),
  ].join('\n'),
  () => [],
)

const balance = 'eth eth_getBalance ["0xaa","latest"]'
const write = 'eth eth_sendRawTransaction ["0x02"]'
const receipt = 'eth eth_getTransactionReceipt ["0xbeef"]'

const started = () => {
  const player = createPlayer(recorded, { patienceMs: 60_000 })
  player.ask('eth eth_blockNumber []', 0)
  return player
}

test('a slow client finds the chain as it was before its transaction', (t) => {
  t.deepEqual(started().ask(balance, 30_000), { ok: true, text: '"0x64"' })
})

test('a receipt waits for its block, and what it changed is seen with it', (t) => {
  const player = started()
  t.deepEqual(player.ask(write, 5000), { ok: true, text: '"0xbeef"' })
  t.is(player.ask(receipt, 5001), undefined)
  t.deepEqual(player.ask(balance, 5001), { ok: true, text: '"0x64"' })
  t.like(player.ask(receipt, 5600), { ok: true })
  t.deepEqual(player.ask(balance, 5600), { ok: true, text: '"0x32"' })
})

test('more polls change nothing', (t) => {
  const player = started()
  for (let at = 1; at < 200; at++) {
    t.deepEqual(player.ask(balance, at * 10), { ok: true, text: '"0x64"' })
  }
})

test('a transaction that never comes is waited for only as long as was said', (t) => {
  const player = createPlayer(recorded, { patienceMs: 100 })
  player.ask('eth eth_blockNumber []', 0)
  player.advance(1000)
  player.advance(1200)
  player.advance(2000)
  t.deepEqual(player.ask(balance, 2001), { ok: true, text: '"0x32"' })
})

test('the text of a result is kept as it was', (t) => {
  t.deepEqual(started().ask('eth debug_big []', 1), {
    ok: true,
    text: '{"wei":123456789012345678901234567890, "f":1.50}',
  })
})

test('no block number is below a head that was given', (t) => {
  const player = started()
  player.given('{"number":"0x9"}')
  t.deepEqual(player.ask('eth eth_blockNumber []', 2), { ok: true, text: '"0x9"' })
})

test('a block is seen when it is mined, and a write that is missing only when told twice', (t) => {
  const player = createPlayer(recorded, { pace: 'mine' })
  t.deepEqual(player.ask(balance, 0), { ok: true, text: '"0x64"' })
  player.advance(100_000)
  player.mine(1)
  t.deepEqual(player.ask(balance, 100_000), { ok: true, text: '"0x64"' })
  player.mine(1)
  t.deepEqual(player.ask(balance, 100_000), { ok: true, text: '"0x32"' })
})

test('in step with its client, asking again moves on, and time does not', (t) => {
  const player = createPlayer(recorded, { pace: 'step' })
  t.deepEqual(player.ask(write, 0), { ok: true, text: '"0xbeef"' })
  t.is(player.ask(receipt, 0), undefined)
  player.advance(100_000)
  t.deepEqual(player.ask(balance, 100_000), { ok: true, text: '"0x64"' })
  t.is(player.ask(receipt, 100_000)?.ok, true)
  t.deepEqual(player.ask(balance, 100_000), { ok: true, text: '"0x32"' })
})

test('a head that one WebSocket was given binds it and HTTP, and no other WebSocket', (t) => {
  const player = started()
  player.given('{"number":"0x9"}', 1)
  const height = (connection?: number) => player.ask('eth eth_blockNumber []', 2, connection)
  t.deepEqual(height(1), { ok: true, text: '"0x9"' })
  t.deepEqual(height(), { ok: true, text: '"0x9"' })
  t.deepEqual(height(2), { ok: true, text: '"0x4"' })
})

test('a block that somebody asked for by its height is no head for the others', (t) => {
  const res = '{"jsonrpc":"2.0","id":-1,"result":{"block":{"header":{"height":"7"}}}}'
  const later = JSON.stringify({
    n: 1,
    t: 900,
    ms: 1,
    iface: 'a',
    kind: 'http',
    conn: 2,
    method: 'GET',
    path: '/block?height=7',
    res,
  })
  const first = line({ t: 0, method: 'eth_blockNumber', result: '"0x4"' })
  const player = createPlayer(importTap([header, first, later].join('\n'), () => ['height']))
  t.is(player.ask('comet block {"height":"7"}', 0)?.ok, true)
  t.deepEqual(player.ask('eth eth_blockNumber []', 1), { ok: true, text: '"0x4"' })
})

const someone = `0x${'cc'.repeat(20)}`

test('a client that comes late finds the head that it found, and is waited for only so long', (t) => {
  const late = importTap(
    [
      header,
      ...[
        { t: 0, method: 'eth_blockNumber', result: '"0x4"' },
        { t: 100, method: 'eth_getCode', params: [someone, 'latest'], result: '"0x"' },
        { t: 900, method: 'eth_blockNumber', result: '"0x5"' },
      ].map(line),
    ].join('\n'),
    () => [],
  )
  const begun = () => {
    const player = createPlayer(late)
    player.ask('eth eth_blockNumber []', 0)
    player.advance(3000)
    return player
  }
  const player = begun()
  t.deepEqual(player.ask('eth eth_blockNumber []', 4000), { ok: true, text: '"0x4"' })
  t.like(player.ask(`eth eth_getCode ["${someone}","latest"]`, 4001), { ok: true })
  t.deepEqual(player.ask('eth eth_blockNumber []', 5500), { ok: true, text: '"0x5"' })
  const alone = begun()
  alone.advance(8000)
  alone.advance(9000)
  t.deepEqual(alone.ask('eth eth_blockNumber []', 9001), { ok: true, text: '"0x5"' })
})

test('a call whose client left is waited for, and is no miss', (t) => {
  const left = JSON.stringify({
    n: 1,
    t: 5,
    ms: 9,
    iface: 'b',
    kind: 'http',
    conn: 1,
    method: 'POST',
    path: '/',
    gone: true,
    req: '{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x77"]}',
  })
  const player = createPlayer(
    importTap([header, line({ t: 0, method: 'eth_blockNumber', result: '"0x4"' }), left].join('\n'), () => []),
  )
  t.is(player.ask('eth eth_getTransactionReceipt ["0x77"]', 10), undefined)
  t.deepEqual(player.misses(), [])
})

test('a block that was told of by its receipt is not forgotten by the head', (t) => {
  const player = started()
  player.ask(write, 1)
  t.is(player.ask(receipt, 600)?.ok, true)
  t.deepEqual(player.ask('eth eth_blockNumber []', 600), { ok: true, text: '"0x5"' })
})

test('a miss says which recorded call is nearest', (t) => {
  const player = started()
  const answer = player.ask('eth eth_getBalance ["0xbb","latest"]', 3)
  t.true(answer?.ok === false && answer.error.code === -32070)
  t.like(JSON.parse((answer?.ok === false ? answer.error.data : undefined) ?? '{}'), {
    nearest: [{ call: balance, path: 'params[0]', recorded: '0xaa', got: '0xbb' }],
    height: 4,
  })
  t.is(player.misses().length, 1)
})

test('a call that nobody could read costs only itself', (t) => {
  const broken = [
    {
      method: 'POST',
      path: '/',
      req: '{"id":1,"method":"eth_call","params":[1,}',
      res: '{"id":1,"error":{"code":-32700,"message":"parse"}}',
    },
    { method: 'GET', path: '/block?height=%zz', res: '{"result":{}}' },
  ].map((one) => JSON.stringify({ n: 1, t: 1, ms: 1, iface: 'a', kind: 'http', conn: 1, ...one }))
  const good = line({ t: 2, method: 'eth_chainId', result: '"0x1"' })
  const { answers } = importTap([header, ...broken, good].join('\n'), () => ['height'])
  t.true(answers.has('eth eth_chainId []'))
  t.false(answers.has('comet block {}'))
})

for (const [what, text] of [
  ['cut off', `${header}\n{"t":1`],
  ['of another form', '{"format":"tap/2"}'],
] as const) {
  test(`a file that is ${what} is refused`, (t) => {
    t.throws(() => importTap(text, () => []), { code: 'INVALID_RECORDING' })
  })
}
