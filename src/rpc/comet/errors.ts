/** Errors of CometBFT RPC (`comet-rpc.md` §0.1): the code is the kind, `data` the readable text. */
import { writeJson } from '../../codec/goJsonWrite.ts'
import type { RpcErrorShape } from '../dialect.ts'
import { RpcError } from '../errors.ts'

const messages = {
  [-32700]: 'Parse error. Invalid JSON',
  [-32600]: 'Invalid Request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
  [-32000]: 'Server error',
} as const

export type CometCode = keyof typeof messages

/** Returns the error member for a code; without a text it has no data. */
export function cometError(code: CometCode, text?: string): RpcErrorShape {
  return { code, message: messages[code], data: text === undefined ? undefined : writeJson(text) }
}

/** Returns the error of a failed handler: every failure of a method has the same code. */
export function failed(text: string): RpcError {
  const { message } = cometError(-32603)
  return new RpcError(-32603, message, { data: writeJson(text) })
}
