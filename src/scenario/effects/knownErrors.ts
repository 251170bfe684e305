/** Errors of nodes, gRPC and node providers, by the names that scenarios use. */

/** An error of JSON-RPC (`mocks.md` §3.3). */
export type RpcErrorFile = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export const rpcErrors = {
  limitExceeded: { code: -32005, message: 'rate limit exceeded' },
  nonceTooLow: { code: -32000, message: 'nonce too low' },
  alreadyKnown: { code: -32000, message: 'already known' },
  underpriced: { code: -32000, message: 'replacement transaction underpriced' },
  notFound: { code: -32000, message: 'header not found' },
  pruned: { code: -32000, message: 'missing trie node: the state of this height was pruned' },
} as const satisfies Record<string, RpcErrorFile>

/** gRPC error statuses, by the names that clients use. */
export const grpcStatuses = {
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const

/**
 * Error responses of node providers. Codes, texts and statuses are
 * as users reported them: INFURA/infura#201 and #237, wevm/viem#5084, conduitxyz/node#36,
 * xmtp/xmtpd#672.
 */
export type Provider = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type ProviderName = keyof typeof providers

const retryLater = { 'Retry-After': '$retryAfter' }

export const providers = {
  rateLimit: {
    status: 429,
    headers: retryLater,
    error: { code: -32005, message: 'rate limit exceeded' },
  },
  infura: {
    status: 429,
    headers: {},
    error: {
      code: -32005,
      message: 'project ID request rate exceeded',
      data: {
        rate: { allowed_rps: 10, backoff_seconds: 30, current_rps: 13.333 },
        see: 'https://infura.io/dashboard',
      },
    },
  },
  infuraDaily: {
    status: 429,
    headers: {},
    error: { code: -32005, message: 'daily request count exceeded, request rate limited' },
  },
  infuraResults: {
    status: 200,
    headers: {},
    error: { code: -32005, message: 'query returned more than 10000 results' },
  },
  alchemy: {
    status: 429,
    headers: {},
    error: {
      code: 429,
      message:
        'Your app has exceeded its compute units per second capacity. If you have retries ' +
        'enabled, you can safely ignore this message. If not, check out ' +
        'https://docs.alchemy.com/reference/throughput',
    },
  },
  alchemyMonthly: {
    status: 403,
    headers: {},
    error: {
      code: -32600,
      message:
        'Monthly capacity limit exceeded. Visit ' +
        'https://dashboard.alchemyapi.io/settings/billing to upgrade your scaling policy for ' +
        'continued service.',
    },
  },
  /** The HTTP status is 200, so clients that check only the status do not retry. */
  quicknode: {
    status: 200,
    headers: {},
    error: {
      code: -32007,
      message:
        '50/second request limit reached - reduce calls per second or upgrade your account ' + 'at quicknode.com',
    },
  },
  quicknodeRange: {
    status: 413,
    headers: {},
    error: { code: -32614, message: 'eth_getLogs is limited to a 10,000 range' },
  },
} as const satisfies Record<string, Provider>
