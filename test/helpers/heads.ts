import { WebSocket } from 'ws'

/** Subscribes over the WebSocket of Ethereum JSON-RPC; the list grows with what comes. */
export async function messages(
  url: string,
  params: readonly unknown[],
): Promise<{
  readonly heard: readonly unknown[]
  readonly close: () => void
}> {
  const socket = new WebSocket(url)
  const heard: unknown[] = []
  await new Promise((done) => {
    socket.once('open', done)
  })
  const subscribed = new Promise((done) => {
    socket.once('message', done)
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
  await subscribed
  socket.on('message', (data) => {
    heard.push(String(data))
  })
  return { heard, close: () => socket.terminate() }
}
