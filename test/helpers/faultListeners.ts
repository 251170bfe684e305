/** What the WebSockets of viem, ethers and cosmjs hear of new blocks, in words of a table. */
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { WebSocketProvider } from 'ethers'
import { createPublicClient, webSocket } from 'viem'
import type { Server } from '../../src/index.ts'
import { CosmjsSocket } from './cosmjsSocket.ts'
import { chainOf } from './server.ts'

/** Heights of blocks that were heard of, and how it ended; later words are added to it. */
export type Ear = {
  readonly words: readonly string[]
  readonly close: () => unknown
}

export type Listener = (server: Server) => Promise<Ear>

async function viem({ urls }: Server): Promise<Ear> {
  const words: string[] = []
  const transport = webSocket(urls.ethWs, { reconnect: false, keepAlive: false, retryCount: 0 })
  const client = createPublicClient({ chain: chainOf(urls.eth), transport })
  // A handshake that fails is told by an event, not by an error.
  const onError = (error: Error | Event) => {
    words.push(error instanceof Error ? error.name : error.type)
  }
  await client.transport
    .subscribe({
      params: ['newHeads'],
      onError,
      onData: ({ result }) => {
        words.push(String(Number(result.number)))
      },
    })
    .catch(onError)
  return {
    words,
    close: () =>
      client.transport.getRpcClient().then(
        (one) => one.close(),
        () => {},
      ),
  }
}

async function ethers({ urls }: Server): Promise<Ear> {
  const words: string[] = []
  const provider = new WebSocketProvider(urls.ethWs, 31337, { staticNetwork: true })
  // It asks for no ends itself: who wants to know of them looks at its socket.
  Object.assign(provider.websocket, {
    onclose: ({ code }: { code: number }) => {
      words.push(`closed ${code}`)
    },
    onerror: ({ message }: { message: string }) => {
      words.push(message)
    },
  })
  // What it cancels at its end, it does not catch itself.
  const send = provider.send.bind(provider)
  provider.send = (...asked) =>
    send(...asked).catch((error: unknown) => {
      if (provider.destroyed) return new Promise(() => {})
      throw error
    })
  await provider.on('block', (height: number) => {
    words.push(String(height))
  })
  return { words, close: () => provider.destroy().catch(() => {}) }
}

function cosmjs({ urls }: Server): Promise<Ear> {
  const words: string[] = []
  const note = (error: unknown) => {
    const text = error instanceof Error ? error.message : JSON.stringify(error)
    if (!words.includes(text)) words.push(text)
  }
  const client = Comet38Client.create(new CosmjsSocket(urls.comet, note))
  client.subscribeNewBlock().addListener({
    next: ({ header: { height } }) => {
      words.push(String(height))
    },
    error: note,
    complete: () => {
      words.push('complete')
    },
  })
  return Promise.resolve({ words, close: () => client.disconnect() })
}

export const listeners: Readonly<Record<'viem' | 'ethers' | 'cosmjs', Listener>> = { viem, ethers, cosmjs }
