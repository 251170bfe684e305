/** What a page in a real browser sees of faults: errors of fetch, CORS, and close codes. */
import { createServer, type Server as Pages } from 'node:http'
import type { AddressInfo } from 'node:net'
import anyTest, { type TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import type { FaultDescription, Server } from '../../src/index.ts'
import { browserPath, startBrowser } from '../helpers/browser.ts'
import type { Sent } from '../helpers/faultClients.ts'
import { plant, withTx } from '../helpers/faultStage.ts'
import { callFaults, type CallFault } from '../helpers/faultTable.ts'
import { startLocal } from '../helpers/server.ts'

type Stage = { browser: Browser; page: Page; server: Server; pages: Pages; sent: Sent }
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
    Object.assign(t.context, { browser, server, page, pages, sent: await withTx(server) })
  })
  test.after.always(async (t) => {
    await t.context.browser.close()
    await t.context.server.close()
    t.context.pages.close()
  })
}

type Asked = {
  readonly url: string
  readonly method: string
  readonly params: unknown
  readonly timeoutMs: number
}

/** Runs in the page. */
async function fetched({ url, method, params, timeoutMs }: Asked): Promise<string> {
  const said: unknown[] = []
  try {
    const response = await fetch(url, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const again = response.headers.get('retry-after')
    said.push(response.status, ...(again === null ? [] : [`again in ${again}`]))
    const { result, error } = await response.json() as {
      result?: string | null | { sync_info?: { latest_block_height: string } }
      error?: { code: number }
    }
    if (error !== undefined) said.push(`error ${error.code}`)
    else if (typeof result === 'string') said.push(Number(result))
    else said.push(result?.sync_info === undefined
      ? JSON.stringify(result) : Number(result.sync_info.latest_block_height))
  } catch (error) {
    said.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  }
  return said.join(' ')
}

/** Browsers remember what a preflight of an address allowed. */
let asked = 0

function questionsOf({ question = 'height' }: Row, { ethHash, cometHash }: Sent) {
  if (question === 'height') {
    return { eth: ['eth_blockNumber', []], comet: ['status', {}] } as const
  }
  return {
    eth: ['eth_getTransactionReceipt', [ethHash]],
    comet: ['tx', { hash: Buffer.from(cometHash).toString('base64') }],
  } as const
}

type Row = Omit<CallFault, 'viem' | 'ethers' | 'cosmjs'>

const seen = (title: string, row: Row) => browsing(`a page sees ${title}`, async (t) => {
  const { server, page, sent } = t.context
  const end = await plant(server, row)
  try {
    for (const side of ['eth', 'comet'] as const) {
      const [method, params] = questionsOf(row, sent)[side]
      const url = `${server.urls[side]}/?${++asked}`
      t.regex(await page.evaluate(fetched, { url, method, params, timeoutMs: 700 }), row.page, side)
    }
  } finally {
    end()
  }
})

seen('an answer without a fault', {
  effect: { hang: true }, fault: { match: { method: 'nothing' } }, page: /^200 5$/,
})
for (const [title, row] of Object.entries(callFaults)) seen(title, row)

const preflights = { match: { method: 'OPTIONS' } } as const
seen('a preflight that is refused', {
  fault: preflights, effect: { http: { status: 403 } }, page: /^TypeError: Failed to fetch/,
})
seen('a preflight that hangs', {
  fault: preflights, effect: { hang: true }, page: /^TimeoutError/,
})
seen('a preflight that is slow', {
  fault: preflights, effect: { latency: '30ms' }, page: /^200 5$/,
})

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
