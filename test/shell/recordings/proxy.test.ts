/** The proxy passes on what clients send and what nodes answer. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import test from 'ava'
import { WebSocket, WebSocketServer } from 'ws'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { redactLine } from '../../../src/recording/redact/redactLine.ts'
import { listen } from '../../../src/shell/listen.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { startLocal } from '../../helpers/server.ts'

/** A node that answers each HTTP request with `answer`, and the proxy in front of all its doors. */
async function behindProxy(answer: RequestListener) {
  const server = createServer(answer)
  const sockets = new WebSocketServer({ server })
  const url = new URL(await listen(server, '127.0.0.1:0'))
  const lines: TapLine[] = []
  const proxy = await startProxy({
    upstreams: { comet: url, eth: url, ethWs: url, rest: url },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: (line) => lines.push(line),
    log: () => {},
  })
  const stop = async () => {
    await proxy.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { urls: proxy.urls, lines, sockets, [Symbol.asyncDispose]: stop }
}

test('a query with more than one question mark reaches the node whole, and is recorded whole', async (t) => {
  const paths: unknown[] = []
  await using node = await behindProxy((request, response) => {
    paths.push(request.url)
    response.end('{"jsonrpc":"2.0","id":-1,"result":{}}')
  })
  const path = '/abci_query?path="/a?b"&height=2'
  await (await fetch(node.urls.comet + encodeURI(path))).text()
  const opened = once(node.sockets, 'connection')
  const socket = new WebSocket(`${node.urls.ethWs}/?a=b?c`)
  await once(socket, 'open')
  const [, { url }] = (await opened) as [unknown, { url: string }]
  socket.terminate()
  t.deepEqual([...paths, url], [encodeURI(path), '/?a=b?c'])
  const log = [{ format: 'tap/1' }, ...node.lines.map((line) => redactLine(line, cometNames))]
  const { answers } = importTap(`${log.map((line) => JSON.stringify(line)).join('\n')}\n`, cometNames)
  t.deepEqual([...answers.keys()], ['comet abci_query {"height":"2","path":"/a?b"}'])
})

test('an error of a REST API, which announces trailers, reaches the client', async (t) => {
  await using server = await startLocal()
  const { rest } = server.urls
  const proxy = await startProxy({
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined, rest: new URL(rest) },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: () => {},
    log: () => {},
  })
  const refused = async (url: string) => {
    const headers = { 'x-cosmos-block-height': '9999' }
    const answer = await fetch(`${url}/cosmos/bank/v1beta1/supply`, { headers })
    return [answer.status, await answer.text()]
  }
  const [direct, proxied] = [await refused(rest), await refused(proxy.urls.rest)]
  await proxy.close()
  t.is(direct[0], 500)
  t.deepEqual(proxied, direct)
})
