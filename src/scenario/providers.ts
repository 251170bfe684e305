/**
 * Error responses of node providers, by the names that scenarios use. Codes, texts and statuses are
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
