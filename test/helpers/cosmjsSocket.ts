import { WebsocketClient } from '@cosmjs/tendermint-rpc'

/**
 * A WebSocket client of cosmjs that `disconnect` ends. That of cosmjs 0.39 connects again every five seconds for as long
 * as its process lives, and an attempt during ten seconds of other work is a rejection that nobody handles.
 */
export class CosmjsSocket extends WebsocketClient {
  /** `url` begins with `http` or `ws`. */
  constructor(url: string, onError: (error: unknown) => void = () => {}) {
    super(url.replace(/^http/, 'ws'), onError)
  }

  override disconnect(): void {
    const { socket } = this as unknown as { readonly socket: { readonly socket: { reconnect: () => void } } }
    socket.socket.reconnect = () => {}
    super.disconnect()
  }
}
