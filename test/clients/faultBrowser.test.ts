/** What a page in a real browser sees of faults: errors of fetch, CORS, and close codes. */
import { createServer, type Server as Pages } from 'node:http'
import type { AddressInfo } from 'node:net'
import anyTest, { type TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import type { FaultDescription, Server } from '../../src/index.ts'
import { browserPath, startBrowser } from '../helpers/browser.ts'
import { startLocal } from '../helpers/server.ts'

type Stage = { browser: Browser; page: Page; server: Server; pages: Pages }
const test = anyTest as TestFn<Stage>
const browsing = browserPath === undefined ? test.serial.skip : test.serial

if (browserPath === undefined) {
  test('there is no browser here: pages are not tried (install chromium)', (t) => t.pass())
} else {
  test.before(async (t) => {
    const pages = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>dApp</title>')
    })
    await new Promise<void>((done) => { pages.listen(0, '127.0.0.1', done) })
    const [browser, server] = await Promise.all([startBrowser(), startLocal()])
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
    Object.assign(t.context, { browser, server, page, pages })
  })
  test.after.always(async (t) => {
    await t.context.browser.close()
    await t.context.server.close()
    t.context.pages.close()
  })
}

type Asked = { readonly url: string; readonly method: string; readonly timeoutMs: number }

/** Runs in the page. */
async function fetched({ url, method, timeoutMs }: Asked): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        { jsonrpc: '2.0', id: 1, method, params: method.startsWith('eth') ? [] : {} }
      ),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const again = response.headers.get('retry-after')
    const { result, error } = await response.json() as { result?: unknown; error?: { code: number } }
    const said = error === undefined ? JSON.stringify(result).slice(0, 12) : `error ${error.code}`
    return `${response.status} ${said}${again === null ? '' : ` again in ${again}`}`
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

/** Browsers remember what a preflight of an address allowed. */
let asked = 0

const seen = (title: string, fault: FaultDescription, wanted: RegExp) => browsing(`a page sees ${title}`, async (t) => {
  const { server, page } = t.context
  const end = await server.fault('planted', fault)
  try {
    for (const [side, method] of [['eth', 'eth_chainId'], ['comet', 'health']] as const) {
      t.regex(
        await page.evaluate(fetched, { url: `${server.urls[side]}/?${++asked}`, method, timeoutMs: 700 }), wanted,
        side,
      )
    }
  } finally {
    end()
  }
})

seen(
  'an answer without a fault', { match: { method: 'nothing' }, effect: { hang: true } },
  /^200 ("0x7a69"|\{\})$/,
)
seen('the status and Retry-After of a refusal, because CORS is kept', {
  effect: { provider: 'rateLimit' }, select: { rate: { limit: 1, per: '2s', burst: 0 } },
}, /^429 error -32005 again in 2$/)
seen(
  'nothing of a refusal that strips CORS', { effect: { http: { status: 503 } }, cors: 'strip' },
  /^TypeError: Failed to fetch/,
)
seen('an error of JSON-RPC', { effect: { rpcError: 'limitExceeded' } }, /^200 error -32005/)
seen('a null result', { effect: { nullResult: true } }, /^200 null/)
seen('an answer that hangs', { effect: { hang: true } }, /^TimeoutError/)
seen(
  'a connection that is reset before its headers', { effect: { reset: 'beforeHeaders' } },
  /^TypeError: Failed to fetch/,
)
seen(
  'a connection that is reset in its body', { effect: { reset: 'midBody' } },
  /^TypeError: (network error|Failed to fetch)/,
)
seen(
  'a connection that ends without an answer', { effect: { timeout: '20ms' } },
  /^TypeError: Failed to fetch/,
)
seen('an empty body', { effect: { empty: true } }, /^SyntaxError/)
seen('a truncated body', { effect: { truncate: true } }, /^SyntaxError/)
seen('JSON that is none', { effect: { malformed: 'json' } }, /^SyntaxError/)
seen(
  'chunks that are none', { effect: { malformed: 'chunk' } },
  /^TypeError: (network error|Failed to fetch)/,
)
seen(
  'a length that is too long', { effect: { malformed: 'contentLength' } },
  /^TypeError: (network error|Failed to fetch)/,
)
seen('a dribbled body', { effect: { dribble: { bytes: 20, every: '5ms' } } }, /^200 /)
seen('a body that ends with its connection', { effect: { slowClose: '30ms' } }, /^200 /)
seen('listeners that are gone', { effect: { refuse: true } }, /^TypeError: Failed to fetch/)

const preflights = { method: 'OPTIONS' } as const
seen(
  'a preflight that is refused', { match: preflights, effect: { http: { status: 403 } } },
  /^TypeError: Failed to fetch/,
)
seen(
  'a preflight that hangs', { match: preflights, effect: { hang: true } }, /^TimeoutError/,
)
seen('a preflight that is slow', { match: preflights, effect: { latency: '30ms' } }, /^200 /)

/** As a page has it. */
declare const WebSocket: new (url: string) => {
  onopen: () => void
  onmessage: (event: { data: string }) => void
  onclose: (event: { code: number; reason: string; wasClean: boolean }) => void
  send: (text: string) => void
  close: () => void
}

type Listened = { readonly url: string; readonly message: string; readonly enough: number }

/**
 * Runs in the page: what came over a WebSocket and how it ended, or `open` when enough has come.
 */
function listened({ url, message, enough }: Listened): Promise<string> {
  return new Promise((done) => {
    const socket = new WebSocket(url)
    const heard: string[] = []
    socket.onopen = () => { socket.send(message) }
    socket.onmessage = ({ data }) => {
      heard.push(data)
      if (heard.length < enough) return
      done(`${heard.length} open`)
      socket.close()
    }
    socket.onclose = ({ code, reason, wasClean }) =>
      done(`${heard.length} ${code} ${wasClean ? 'clean' : 'broken'} ${reason}`)
  })
}

const subscriptions = {
  eth: { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] },
  comet: { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event = 'NewBlock'" } },
} as const

type Ws = NonNullable<FaultDescription['effect']['ws']>
type Ending = { readonly ws: Ws; readonly wanted: string; readonly enough?: number }

const ends = (title: string, { ws, wanted, enough = 99 }: Ending) => browsing(`a page sees ${title}`, async (t) => {
  const { server, page } = t.context
  for (const side of ['eth', 'comet'] as const) {
    const end = await server.fault(
      'planted', { match: { transport: 'ws', iface: side }, select: { skip: 0 }, effect: { ws } },
    )
    const asked = page.evaluate(listened, {
      url: side === 'eth' ? server.urls.ethWs : server.urls.cometWs, enough,
      message: JSON.stringify(subscriptions[side]),
    })
    const isReady = () => server.simulation().node.subscriptions[side].size > 0 || ws.refuse !== undefined
    while (!isReady()) await new Promise((done) => { setTimeout(done, 5) })
    server.mine(1)
    t.is(await asked, wanted, side)
    end()
    while (server.simulation().node.connections.size > 0) await new Promise(
      (done) => { setTimeout(done, 5) }
    )
  }
})

ends('the code and the reason of a close', {
  ws: { close: { code: 1012, reason: 'service restart' } }, wanted: '1 1012 clean service restart',
})
ends('a connection that breaks', { ws: { close: { code: 1006 } }, wanted: '1 1006 broken ' })
ends(
  'a connection that breaks inside a frame',
  { ws: { close: { code: 1006, mid: 'frame' } }, wanted: '1 1006 broken ' },
)
ends('a handshake that is refused', { ws: { refuse: true }, wanted: '0 1006 broken ' })
ends('an event twice', { ws: { duplicate: 2 }, wanted: '3 open', enough: 3 })
ends('an event late', { ws: { delay: '30ms' }, wanted: '2 open', enough: 2 })
