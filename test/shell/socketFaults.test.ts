import { once } from 'node:events'
import test, { type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import type { FaultDescription, Server } from '../../src/index.ts'
import { ask } from '../helpers/raw.ts'
import { eventually, startLocal } from '../helpers/server.ts'

type Ears = {
  readonly socket: WebSocket
  readonly heard: string[]
  /** What the client found wrong with what it was sent. */
  readonly wrong: string[]
  readonly ended: Promise<readonly [number, string]>
}

async function open(url: string): Promise<Ears> {
  const socket = new WebSocket(url)
  const heard: string[] = []
  socket.on('message', (data) => {
    heard.push(String(data))
  })
  const wrong: string[] = []
  socket.on('error', (error) => {
    wrong.push(error.message)
  })
  const ended = new Promise<readonly [number, string]>((done) => {
    socket.on('close', (code, reason) => done([code, String(reason)]))
  })
  await once(socket, 'open')
  return { socket, heard, wrong, ended }
}

const subscribe = {
  comet: {
    jsonrpc: '2.0',
    id: 7,
    method: 'subscribe',
    params: { query: "tm.event='NewBlockHeader'" },
  },
  eth: { jsonrpc: '2.0', id: 7, method: 'eth_subscribe', params: ['newHeads'] },
} as const
type Side = keyof typeof subscribe

const urlOf = ({ urls }: Server, side: Side) => (side === 'comet' ? urls.cometWs : urls.ethWs)

/** Opens a subscription, turns a fault on, makes blocks and says which heights came. */
async function listening(server: Server, side: Side): Promise<Ears> {
  const ears = await open(urlOf(server, side))
  ears.socket.send(JSON.stringify(subscribe[side]))
  await eventually(() => ears.heard.length === 1)
  ears.heard.length = 0
  return ears
}

function heights({ heard }: Ears): number[] {
  return heard.map((text) => {
    const { params, result } = JSON.parse(text)
    return Number(params === undefined ? result.data.value.header.height : params.result.number)
  })
}

const both = (title: string, body: (t: ExecutionContext, side: Side) => Promise<void>) => {
  for (const side of ['comet', 'eth'] as const) test(`${side === 'comet' ? 'A' : 'B'}: ${title}`, (t) => body(t, side))
}

const events = test.macro({
  async exec(t, ws: NonNullable<FaultDescription['effect']['ws']>, wanted: (first: number) => number[]) {
    for (const side of ['comet', 'eth'] as const) {
      await using server = await startLocal()
      const ears = await listening(server, side)
      await server.fault('planted', { match: { transport: 'ws' }, effect: { ws } })
      const first = server.mine(1)
      server.mine(3)
      await eventually(() => ears.heard.length >= wanted(first).length)
      t.deepEqual(heights(ears).toSorted(), wanted(first).toSorted(), side)
      ears.socket.terminate()
    }
  },
  title: (_, ws: object) => `over real sockets of both sides: ${JSON.stringify(ws)}`,
})
test(events, { duplicate: 2 }, (first: number) => [0, 0, 1, 1, 2, 2, 3, 3].map((more) => first + more))
test(events, { delay: '30ms' }, (first: number) => [0, 1, 2, 3].map((more) => first + more))
test(events, { reorder: { window: 2 } }, (first: number) => [1, 0, 3, 2].map((more) => first + more))

both('a dropped event never comes and the next one does', async (t, side) => {
  await using server = await startLocal()
  const ears = await listening(server, side)
  await server.fault('lost', { select: { count: 1 }, effect: { ws: { drop: true } } })
  const first = server.mine(1)
  server.mine(1)
  await eventually(() => ears.heard.length > 0)
  t.deepEqual(heights(ears), [first + 1])
  ears.socket.terminate()
})

both('a stall answers calls and keeps events until it ends', async (t, side) => {
  await using server = await startLocal()
  const ears = await listening(server, side)
  const end = await server.fault('silent', { effect: { ws: { stall: true } } })
  const first = server.mine(1)
  ears.socket.send(
    JSON.stringify(
      side === 'comet'
        ? { jsonrpc: '2.0', id: 1, method: 'health' }
        : { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
    ),
  )
  await eventually(() => ears.heard.length > 0)
  t.regex(ears.heard.splice(0)[0] ?? '', /"id":1,"result"/)
  end()
  await eventually(() => ears.heard.length > 0)
  t.deepEqual(heights(ears), [first])
  ears.socket.terminate()
})

both('a close says its code and reason, and the door stays shut for some blocks', async (t, side) => {
  await using server = await startLocal()
  const { ended } = await listening(server, side)
  await server.fault('cut', {
    match: { transport: 'ws' },
    effect: { ws: { close: { code: 1012, reason: 'service restart' }, refuseFor: '2 blocks' } },
  })
  t.deepEqual(await ended, [1012, 'service restart'])
  const refused = new WebSocket(urlOf(server, side))
  const [error] = (await once(refused, 'error')) as [Error]
  t.regex(error.message, /503/)
  server.mine(2)
  const back = await open(urlOf(server, side))
  back.socket.terminate()
})

both('1006 breaks the connection, in the middle of a frame too', async (t, side) => {
  await using server = await startLocal()
  for (const close of [{ code: 1006 }, { code: 1006, mid: 'frame' }] as const) {
    const { ended, heard } = await listening(server, side)
    const end = await server.fault('cut', { effect: { ws: { close } } })
    t.deepEqual(await ended, [1006, ''])
    t.deepEqual(heard, [])
    end()
  }
})

both('a handshake is refused with the status it says', async (t, side) => {
  await using server = await startLocal()
  await server.fault('door', { effect: { ws: { refuse: { status: 429 } } } })
  const refused = new WebSocket(urlOf(server, side))
  const [error] = (await once(refused, 'error')) as [Error]
  t.regex(error.message, /429/)
  t.is(server.simulation().node.faults.counts.get('door')?.applied, 1)
})

test('A: a cancelled subscription says so, B: it falls silent', async (t) => {
  await using server = await startLocal()
  const [comet, eth] = [await listening(server, 'comet'), await listening(server, 'eth')]
  await server.fault('over', { effect: { ws: { cancelSubscription: true } } })
  server.mine(2)
  await eventually(() => comet.heard.length > 0)
  t.deepEqual(JSON.parse(comet.heard[0] ?? ''), {
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32000,
      message: 'Server error',
      data: 'subscription was canceled (reason: client is not pulling messages fast enough)',
    },
  })
  t.is(comet.heard.length, 1)
  t.deepEqual(eth.heard, [])
  for (const { socket } of [comet, eth]) socket.terminate()
})

const answers = test.macro({
  async exec(t, effect: FaultDescription['effect'], wanted: string | number, problem: RegExp = /^$/) {
    for (const side of ['comet', 'eth'] as const) {
      await using server = await startLocal()
      const { socket, heard, wrong, ended } = await open(urlOf(server, side))
      const method = side === 'comet' ? 'health' : 'eth_chainId'
      await server.fault('planted', { match: { transport: 'ws', method }, effect })
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(side === 'eth' ? { params: [] } : {}) }))
      if (typeof wanted === 'number') t.is((await ended)[0], wanted, side)
      else {
        await eventually(() => heard.length > 0)
        t.regex(heard[0] ?? '', new RegExp(wanted), side)
        socket.terminate()
      }
      t.regex(wrong.join(), problem)
    }
  },
  title: (_, effect: object) => `an answer over WebSocket, on both sides: ${JSON.stringify(effect)}`,
})
test(answers, { empty: true }, '^$')
test(answers, { truncate: true }, '^\\{"jsonrpc":"2\\.0",[^}]*$')
test(answers, { malformed: 'json' }, '^\\{"jsonrpc":"2\\.0",,')
test(answers, { malformed: 'utf8' }, 1006, /UTF-8/)
test(answers, { malformed: 'chunk' }, 1006, /RSV/)
test(answers, { malformed: 'contentLength' }, 1006)
test(answers, { dribble: { bytes: 5, every: '2ms' } }, '"result"')
test(answers, { bandwidth: 1000 }, '"result"')
test(answers, { timeout: '30ms' }, 1006)
test(answers, { slowClose: '30ms' }, 1001)
test(answers, { reset: 'beforeHeaders' }, 1006)
test(answers, { reset: 'midBody' }, 1006)
test(answers, { http: { status: 429, body: { error: 'slow down' } } }, '^\\{"error":"slow down"\\}$')
test(answers, { rpcError: 'limitExceeded' }, '-32005')
test(answers, { provider: 'quicknode' }, '-32007')
test(answers, { nullResult: true }, '"result":null')
test(answers, { ws: { close: { code: 1008, reason: 'policy' } } }, 1008)

test('listeners that refuse are gone, and come back on their ports', async (t) => {
  await using server = await startLocal()
  const port = async (url: string) =>
    fetch(url).then(
      () => 'open',
      (error: Error) => {
        const { cause } = error as { cause?: { code?: string } }
        return cause?.code ?? String(error)
      },
    )
  const end = await server.fault('gone', { match: { iface: 'eth' }, effect: { refuse: true } })
  await eventually(async () => (await port(server.urls.eth)) !== 'open')
  t.is(await port(server.urls.eth), 'ECONNREFUSED')
  t.is(await port(server.urls.comet), 'open')
  end()
  await eventually(async () => (await port(server.urls.eth)) === 'open')
  const { body } = await ask(server.urls.eth, {
    verb: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  })
  t.regex(body, /0x7a69/)
})

test('a refusal of some calls breaks their connections and leaves the listeners open', async (t) => {
  await using server = await startLocal()
  const { eth, ethWs, comet } = server.urls
  const asked = async (url: string, method: string) =>
    ask(url, {
      verb: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    }).then(
      ({ status }) => status,
      () => 'broken',
    )
  const off = await server.fault('gone', { match: { method: 'eth_gasPrice' }, effect: { refuse: true } })
  t.deepEqual([await asked(eth, 'eth_gasPrice'), await asked(eth, 'eth_chainId')], ['broken', 200])
  t.is(await asked(comet, 'health'), 200)
  const { socket } = await open(ethWs)
  socket.terminate()
  off()
  await server.fault('twice', { match: { iface: 'eth' }, select: { count: 2 }, effect: { refuse: true } })
  const methods = ['eth_chainId', 'eth_gasPrice', 'eth_blockNumber']
  const answers = []
  for (const method of methods) answers.push(await asked(eth, method))
  t.deepEqual(answers, ['broken', 'broken', 200])
})

test('a client is cut when more than 64 MiB wait for a dribbled frame', async (t) => {
  t.timeout(300_000)
  await using server = await startLocal()
  await server.fault('slow', { match: { method: 'eth_chainId' }, effect: { dribble: { bytes: 1, every: '1h' } } })
  const { socket, heard, ended } = await open(server.urls.ethWs)
  const ask = (method: string, id: string) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: [] }))
  ask('eth_chainId', '1')
  // A response repeats the id of its request.
  for (let count = 0; count < 80; count++) ask('net_version', 'x'.repeat(1_000_000))
  t.is((await ended)[0], 1006)
  t.deepEqual(heard, [])
})
