/**
 * What `ws` is told of both interfaces; a module of its own, so that it is loaded when it is
 * needed.
 */
import { WebSocket, WebSocketServer } from 'ws'

/** Returns a server that takes sockets handed to it; `maxPayload` is of one message, in bytes. */
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
 * Gorilla repeats the code of a close and not its reason; `ws` repeats both, and hands the client's
 * over as bytes (`corrections-a.md` 20).
 */
class BriefSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, typeof reason === 'string' ? reason : undefined)
  }
}
