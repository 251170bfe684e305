/** The answer of a chain that has been stopped. */
import type { ReplyOutput } from '../node/output.ts'

export const stoppedText = 'the chain was stopped'

/** The reply to every request that the chain can no longer answer, in all interfaces. */
export const stoppedReply: ReplyOutput = {
  kind: 'reply',
  seq: 0,
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32603, message: stoppedText } }),
  wire: undefined,
}
