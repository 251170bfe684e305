/**
 * Errors of Ethereum JSON-RPC, and the texts that layers of the node add (`cosmos-evm-rpc.md` §1.3,
 * §1.5).
 */
import { GrpcStatus, grpcCodes } from '../../app/grpcStatus.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'

/** The error codes of geth's `rpc` package. */
export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  timeout: -32002,
  tooLarge: -32003,
  server: -32000,
  reverted: 3,
} as const

/** Returns the error of a failure without a code of its own. */
export function serverError(text: string): RpcError {
  return new RpcError(codes.server, text)
}

/** Returns the error of a parameter that cannot be decoded. */
export function invalidParams(text: string, hint?: string): RpcError {
  return new RpcError(codes.invalidParams, text, hint === undefined ? {} : { hint })
}

/** Returns the error of a method that is unknown or whose namespace is off; both look the same. */
export function methodNotFound(name: string): RpcError {
  return new RpcError(codes.methodNotFound, `the method ${name} does not exist/is not available`)
}

/** Throws the error of a Go panic in a handler, where the node has one (quirk `handler-crashes`). */
export function checkCrash({ node }: Pick<Context, 'node'>, isCrashing: boolean): void {
  if (isCrashing && hasQuirk(node.settings, 'handler-crashes')) {
    throw new RpcError(codes.internal, 'method handler crashed')
  }
}

const codeNames: Readonly<Record<number, GrpcCode>> = {
  [grpcCodes.unknown]: 'Unknown',
  [grpcCodes.internal]: 'Internal',
  [grpcCodes.invalidArgument]: 'InvalidArgument',
  [grpcCodes.notFound]: 'NotFound',
}

/**
 * Returns the result of `ask`. Errors of the application's query server become Ethereum JSON-RPC
 * errors.
 */
export function fromQueryServer<Found>(ask: () => Found): Found {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof GrpcStatus)) throw error
    throw serverError(grpcText(codeNames[error.grpcCode] ?? 'Unknown', error.message))
  }
}

export type GrpcCode = 'Unknown' | 'Internal' | 'InvalidArgument' | 'NotFound'

/** Returns an error text as it arrives through the node's gRPC client. */
export function grpcText(code: GrpcCode, text: string): string {
  return `rpc error: code = ${code} desc = ${text}`
}

const futureHeight = 'invalid height: cannot query with height in the future; please provide a valid height'

/**
 * Error texts for heights above the head, by the request's path inside the node (corrections-b 9).
 */
export const aboveHead = {
  comet: (height: bigint, head: bigint) =>
    `height ${height} must be less than or equal to the current blockchain height ${head}`,
  query: () => grpcText('Unknown', `codespace sdk code 26: ${futureHeight}`),
  account: (height: bigint, head: bigint) =>
    `cannot query with height in the future (current: ${head}, queried: ${height}); ` +
    'please provide a valid height: invalid height',
  header: () => 'header not found',
} as const

export type AboveHead = (height: bigint, head: bigint) => string
