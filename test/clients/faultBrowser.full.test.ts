/** What a page in a real browser sees of faults: errors of fetch, CORS, and close codes. */
import type { Server as Pages } from 'node:http'
import type { AddressInfo } from 'node:net'
import anyTest, { type TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import type { Server } from '../../src/index.ts'
import { browserPath, startBrowser, startPages } from '../helpers/browser.ts'
import type { Sent } from '../helpers/faultClients.ts'
import { plant, withTx } from '../helpers/faultStage.ts'
import { callFaults, type CallFault } from '../helpers/faultTable.ts'
import { eventually, startLocal } from '../helpers/server.ts'
import { socketFaults, type SocketFault } from '../helpers/socketFaultTable.ts'

type Stage = { browser: Browser; page: Page; server: Server; pages: Pages; sent: Sent }
const test = anyTest as TestFn<Stage>
const browsing = browserPath === undefined ? test.serial.skip : test.serial

if (browserPath !== undefined) {
  test.before(async (t) => {
    const pages = await startPages()
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
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const again = response.headers.get('retry-after')
    said.push(response.status, ...(again === null ? [] : [`again in ${again}`]))
    const { result, error } = (await response.json()) as {
      result?: string | null | { sync_info?: { latest_block_height: string } }
      error?: { code: number }
    }
    if (error !== undefined) said.push(`error ${error.code}`)
    else if (typeof result === 'string') said.push(Number(result))
    else
      said.push(result?.sync_info === undefined ? JSON.stringify(result) : Number(result.sync_info.latest_block_height))
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

const seen = (title: string, row: Row) =>
  browsing(`a page sees ${title}`, async (t) => {
    const { server, page, sent } = t.context
    const end = await plant(server, row)
    try {
      for (const side of ['eth', 'comet'] as const) {
        const [method, params] = questionsOf(row, sent)[side]
        const url = `${server.urls[side]}/?${++asked}`
        const timeoutMs = row.isSilent === true ? 700 : 60_000
        t.regex(await page.evaluate(fetched, { url, method, params, timeoutMs }), row.page, side)
      }
    } finally {
      end()
    }
  })

seen('an answer without a fault', {
  effect: { hang: true },
  fault: { match: { method: 'nothing' } },
  page: /^200 5$/,
})
for (const [title, row] of Object.entries(callFaults)) seen(title, row)

const preflights = { match: { method: 'OPTIONS' } } as const
seen('a preflight that is refused', {
  fault: preflights,
  effect: { http: { status: 403 } },
  page: /^TypeError: Failed to fetch/,
})
seen('a preflight that hangs', {
  fault: preflights,
  effect: { hang: true },
  isSilent: true,
  page: /^TimeoutError/,
})
seen('a preflight that is slow', {
  fault: preflights,
  effect: { latency: '30ms' },
  page: /^200 5$/,
})

/** As a page has it. */
declare const WebSocket: new (
  url: string,
) => {
  onopen: () => void
  onmessage: (event: { data: string }) => void
  onclose: (event: { code: number; reason: string; wasClean: boolean }) => void
  send: (text: string) => void
  close: () => void
}

type Listened = { readonly url: string; readonly message: string }

// biome-ignore lint/suspicious/noShadowRestrictedNames: it is the page's
declare const globalThis: { heard: string[]; quit: () => void }

/** Runs in the page: listens over a WebSocket, and keeps what came and how it ended. */
function listen({ url, message }: Listened): void {
  const socket = new WebSocket(url)
  const heard: string[] = []
  socket.onopen = () => {
    socket.send(message)
  }
  socket.onmessage = ({ data }) => {
    const { result, params, error } = JSON.parse(data) as {
      params?: { result: { number: string } }
      result?: { data?: { value: { block: { header: { height: string } } } } }
      error?: { code: number }
    }
    const height = params?.result.number ?? result?.data?.value.block.header.height
    if (error !== undefined) heard.push(`error ${error.code}`)
    else if (height !== undefined) heard.push(String(Number(height)))
  }
  socket.onclose = ({ code, reason, wasClean }) => {
    heard.push(`${code} ${wasClean ? 'clean' : 'broken'} ${reason}`)
  }
  Object.assign(globalThis, { heard, quit: () => socket.close() })
}

const subscriptions = {
  eth: { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] },
  comet: { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event = 'NewBlock'" } },
} as const

const listens = (title: string, row: SocketFault) =>
  browsing(`a page listens and sees ${title}`, async (t) => {
    const { page } = t.context
    for (const [index, side] of (['eth', 'comet'] as const).entries()) {
      await using server = await startLocal()
      const plant = () => server.fault('planted', { effect: row.effect })
      const early = row.ends === 'refused' ? await plant() : undefined
      const url = side === 'eth' ? server.urls.ethWs : server.urls.cometWs
      await page.evaluate(listen, { url, message: JSON.stringify(subscriptions[side]) })
      const heard = () => page.evaluate(() => globalThis.heard.join(' '))
      const isListening = () => server.simulation().node.subscriptions[side].size > 0
      if (early === undefined) await eventually(isListening)
      const end = early ?? (await plant())
      for (let block = 0; block < 3; block++) server.mine(1)
      if (row.ends !== undefined) await eventually(async () => (await heard()) !== '')
      end()
      server.mine(1)
      const wanted = row.page[index] ?? /never/
      for (let tries = 0; tries < 3000 && !wanted.test(await heard()); tries++) await pause()
      t.regex(await heard(), wanted, side)
      await page.evaluate(() => globalThis.quit())
    }
  })
for (const [title, row] of Object.entries(socketFaults)) listens(title, row)

const pause = () =>
  new Promise<void>((done) => {
    setTimeout(done, 20)
  })
