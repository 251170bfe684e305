import { SimError } from '../errors.ts'

/**
 * An error whose code and text the method chooses, because the real node's error is part of its
 * contract. `data` is JSON text.
 */
export class RpcError extends SimError {
  readonly rpcCode: number
  readonly data: string | undefined

  constructor(rpcCode: number, message: string, options: { data?: string; hint?: string; cause?: unknown } = {}) {
    super('RPC_ERROR', message, options)
    this.rpcCode = rpcCode
    this.data = options.data
  }
}
