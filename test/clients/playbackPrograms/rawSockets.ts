/**
 * No library: calls in one stream, frames in pieces, batches with faults in them, ids of all kinds.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { fresh, plain, sleep, type Where } from './stage.ts'

type Call = { readonly id?: unknown; readonly method: string; readonly params?: unknown }

const textOf = ({ id = 1, method, params = [] }: Call) => JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** Two requests are sent before the first is answered, on one connection. */
async function pipelined(url: string, calls: readonly Call[]): Promise<unknown> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let got = ''
  socket.on('data', (part: Buffer) => {
    got += part.toString('utf8')
  })
  socket.write(
    calls
      .map((call) => {
        const body = textOf(call)
        return `POST / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      })
      .join(''),
  )
  for (let tries = 0; tries < 100 && (got.match(/"jsonrpc"/g) ?? []).length < calls.length; tries++) await sleep(30)
  socket.destroy()
  return [...got.matchAll(/"id":("?\w+"?)/g)].map(([, id]) => id)
}

async function post(url: string, body: string): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return [response.status, JSON.parse(await response.text()) as unknown]
}

export async function rawSockets({ comet, cometWs, eth, ethWs }: Where): Promise<unknown> {
  const found: unknown[] = [
    await pipelined(eth, [
      { id: 7, method: 'eth_chainId' },
      { id: '"b"', method: 'net_version' },
      { id: 9, method: 'eth_chainId' },
    ]),
  ]
  found.push(
    await pipelined(comet, [
      { id: 1, method: 'health', params: {} },
      { id: 2, method: 'genesis_chunked', params: { chunk: '0' } },
    ]),
  )
  found.push(
    await post(
      eth,
      `[${[
        textOf({ id: 'x', method: 'eth_chainId' }),
        textOf({ id: 2, method: 'eth_nothing' }),
        textOf({ id: 3, method: 'eth_getBalance', params: ['0x1'] }),
        textOf({ id: 4, method: 'eth_getBalance', params: [fresh(0xe1), 'latest'] }),
        textOf({ id: 4, method: 'eth_getCode', params: [fresh(0xe1)] }),
      ].join(',')}]`,
    ),
  )
  found.push(
    await post(comet, textOf({ id: -1, method: 'nothing' })),
    await post(comet, textOf({ method: 'block', params: { height: 'x' } })),
  )
  found.push(
    await post(
      comet,
      `[${textOf({ id: 5, method: 'health', params: {} })},${textOf({ id: 6, method: 'commit', params: ['1'] })}]`,
    ),
  )
  found.push(
    await framed(ethWs, [
      { id: 1, method: 'eth_subscribe', params: ['newHeads'] },
      { id: 2, method: 'eth_subscribe', params: ['nothing'] },
      { id: 3, method: 'eth_unsubscribe', params: ['0x1234'] },
      { id: 4, method: 'eth_newBlockFilter' },
      { id: 5, method: 'eth_getFilterChanges', params: ['0x99'] },
    ]),
  )
  const query = "tm.event='NewBlockHeader'"
  found.push(
    await framed(cometWs, [
      { id: 'a', method: 'subscribe', params: { query } },
      { id: 'b', method: 'subscribe', params: [query] },
      { id: 'c', method: 'subscribe', params: { query: 'not a query' } },
      { id: 'd', method: 'unsubscribe', params: { query: "tm.event='Tx'" } },
      { id: 'e', method: 'unsubscribe', params: { query } },
      { id: 'f', method: 'unsubscribe', params: { query } },
      { id: 'g', method: 'unsubscribe_all', params: {} },
    ]),
  )
  const gone = new AbortController()
  const left = fetch(eth, {
    method: 'POST',
    body: textOf({ method: 'eth_getTransactionReceipt', params: [`0x${'ab'.repeat(32)}`] }),
    signal: gone.signal,
  })
  setTimeout(() => {
    gone.abort()
  }, 5)
  await left.catch(() => {})
  return plain(found)
}

/**
 * Each call is sent in two frames, after the answer to the one before; resolves with the forms of
 * the answers.
 */
async function framed(url: string, calls: readonly Call[]): Promise<unknown> {
  const socket = new WebSocket(url)
  const answers: {
    readonly id?: unknown
    readonly result?: unknown
    readonly error?: unknown
    readonly method?: string
  }[] = []
  socket.on('message', (data: Buffer) => {
    answers.push(JSON.parse(data.toString('utf8')) as never)
  })
  await once(socket, 'open')
  for (const call of calls) {
    const text = textOf(call)
    socket.send(text.slice(0, 9), { fin: false })
    socket.send(text.slice(9), { fin: true })
    for (let tries = 0; tries < 100 && !answers.some(({ id }) => id === call.id); tries++) {
      await sleep(20)
    }
  }
  socket.terminate()
  return calls
    .map(({ id }) => answers.filter((one) => one.id === id))
    .map(([one]) => (one?.error === undefined ? typeof one?.result : one.error))
}
