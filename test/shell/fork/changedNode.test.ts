/** What a fork does when its node refuses, or serves another chain. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { start } from '../../../src/index.ts'
import { forkOf, raw } from '../../helpers/forked.ts'
import { eventually, startLocal } from '../../helpers/server.ts'

/** Starts a gateway that forwards to a node, at once or when it is told to, or answers with a status. */
async function startGateway(first: string) {
  let target: string | number = first
  let forwarding: Promise<unknown> = Promise.resolve()
  const gateway = createServer(async (asked, answer) => {
    await forwarding
    if (typeof target === 'number') {
      answer.writeHead(target).end('slow down')
      return
    }
    const sent = request(target, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502)
      got.pipe(answer)
    })
    asked.pipe(sent)
  })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  return {
    url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    show: (next: string | number) => {
      target = next
    },
    /** Holds requests until the function that it returns is called. */
    hold: () => {
      let forward = () => {}
      forwarding = new Promise<void>((done) => {
        forward = done
      })
      return forward
    },
    asked: () => once(gateway, 'request'),
    [Symbol.dispose]: () => {
      gateway.close()
      gateway.closeAllConnections()
    },
  }
}

let last = 0x100
/** Returns an address that a fork has not read yet. */
const fresh = () => `0x${(last++).toString(16).padStart(40, 'c')}`

async function ask(url: string, method: string, params: readonly unknown[]) {
  const { result, error } = JSON.parse(await raw(url, method, params)) as {
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }
  return error ?? result
}

const balance = (url: string, address = fresh()) => ask(url, 'eth_getBalance', [address, 'latest'])
const block = (url: string) => ask(url, 'eth_getBlockByNumber', ['0x2', false])

/** Longer than a check of the node's chain holds, and than calls to a silent node fail. */
const checkAgain = () => after(1100)

async function refuses(t: ExecutionContext, url: string, text: RegExp): Promise<void> {
  for (const answer of [await balance(url), await block(url)]) t.like(answer, { code: -32072 })
  t.regex(((await block(url)) as { message: string }).message, text)
}

test('a fork uses no answer of another chain at the URL of its node, and continues when its chain is back', async (t) => {
  await using own = await startLocal({ blocks: 'manual' })
  await using other = await startLocal({ blocks: 'manual', evmChainId: 4242 })
  own.mine(4)
  using gateway = await startGateway(own.urls.eth)
  await using fork = await forkOf([gateway.url])
  const { eth } = fork.urls
  const known = fresh()
  t.is(await balance(eth, known), '0x0')
  const seen = await block(eth)
  gateway.show(429)
  const away = new RegExp(
    `the node at ${gateway.url}, whose chain was forked, did not answer eth_\\w+: HTTP status 429`,
  )
  t.regex(((await block(eth)) as { message: string }).message, away)
  gateway.show(other.urls.eth)
  const text = new RegExp(`the node at ${gateway.url} is no longer the forked chain: it has the EVM chain id 4242, not`)
  await refuses(t, eth, text)
  other.mine(9)
  await refuses(t, eth, text)
  t.is(await balance(eth, known), '0x0')
  gateway.show(own.urls.eth)
  t.is(await balance(eth), '0x0')
  t.deepEqual(await block(eth), seen)
})

test('a fork notices that its node has replaced the block of the fork, but not its hash alone', async (t) => {
  await using node = await startLocal({ blocks: 'manual' })
  node.mine(4)
  await using fork = await forkOf([node.urls.eth])
  const { eth } = fork.urls
  node.mine(2)
  await ask(node.urls.eth, 'anvil_reorg', [2, []])
  await ask(node.urls.eth, 'chainstage_reorg', [6, 'evm'])
  await checkAgain()
  t.is(await balance(eth), '0x0')
  await ask(node.urls.eth, 'evm_increaseTime', [100])
  await ask(node.urls.eth, 'anvil_reorg', [6, []])
  await checkAgain()
  await refuses(t, eth, /is no longer the forked chain: its block \d has the hash 0x\w{64}, not 0x\w{64}; start that/)
  await ask(node.urls.eth, 'anvil_rollback', [6])
  await refuses(t, eth, /is no longer the forked chain: its newest block is 1; start that chain again, or fork anew/)
})

test('requests that wait behind one to a silent node fail with it, and the next ones ask the node again', async (t) => {
  await using node = await startLocal({ blocks: 'manual' })
  node.mine(2)
  await using fork = await start({ ports: 'free', fork: { from: [node.urls.eth], timeoutMs: 2000 } })
  const { eth } = fork.urls
  const end = await node.fault('silent', { match: { method: '*' }, effect: { hang: true } })
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, () => balance(eth)))
  // One after the other, they would take 40 s.
  t.true(performance.now() - began < 30_000)
  for (const answer of answers) t.like(answer, { code: -32071 })
  await end()
  await checkAgain()
  t.is(await balance(eth), '0x0')
})

test('logs of the other chain that are no list are refused', async (t) => {
  await using node = await startLocal({ blocks: 'manual' })
  node.mine(2)
  await using fork = await forkOf([node.urls.eth])
  await node.fault('none', { match: { method: 'eth_getLogs' }, effect: { nullResult: true } })
  const answer = await ask(fork.urls.eth, 'eth_getLogs', [{ fromBlock: '0x1' }])
  t.like(answer, { code: -32072, message: 'unexpected response to eth_getLogs: null' })
})

test('a client that leaves while the node of a fork is slow leaves no subscription behind', async (t) => {
  await using node = await startLocal({ blocks: 'auto' })
  node.mine(5)
  using gateway = await startGateway(node.urls.eth)
  await using fork = await forkOf([gateway.url])
  const client = new WebSocket(fork.urls.ethWs)
  await once(client, 'open')
  const forward = gateway.hold()
  const asked = gateway.asked()
  const send = (method: string, params: readonly unknown[]) =>
    client.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  send('eth_getBlockByNumber', ['0x2', false])
  send('eth_subscribe', ['newHeads'])
  await asked
  client.terminate()
  await after(200)
  forward()
  await eventually(() => {
    const hasSubscribed = fork.journal().calls.some(({ method }) => method === 'eth_subscribe')
    return hasSubscribed && fork.simulation().node.connections.size === 0
  })
  t.is(fork.simulation().node.subscriptions.eth.size, 0)
})
