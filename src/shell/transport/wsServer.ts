/** The configuration of `ws` for both interfaces, in a separate module that is loaded on demand. */
import { WebSocket, WebSocketServer } from 'ws'

/** Returns a server for sockets passed to it; `maxPayload` limits a message, in bytes. */
export function createWsServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    skipUTF8Validation: true,
    handleProtocols: () => false,
    maxPayload,
    WebSocket: BriefSocket,
  })
}

/**
 * A WebSocket that answers a close with its code but not its reason, as Gorilla does. `ws` would
 * return both; it passes the client's reason as bytes (`corrections-a.md` 20).
 */
class BriefSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, typeof reason === 'string' ? reason : undefined)
  }
}
