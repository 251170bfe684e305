/** Every effect that a fault has on calls, and what each client saw of it. */
import type { FaultDescription } from '../../src/index.ts'
import type { Question } from './faultClients.ts'

type Effect = FaultDescription['effect']

export type CallFault = {
  readonly effect: Effect | { readonly eth: Effect; readonly comet: Effect }
  readonly fault?: Omit<FaultDescription, 'effect'>
  /** Nothing is ever answered. */
  readonly isSilent?: boolean
  /** How high the chain is, where nothing else is said: 5. */
  readonly question?: Question
  readonly viem: RegExp
  readonly ethers: RegExp
  readonly cosmjs: RegExp
  /** Of a page in a browser, the same on both interfaces. */
  readonly page: RegExp
}

const lateButWhole = { viem: /^5$/, ethers: /^5$/, cosmjs: /^5$/, page: /^200 5$/ } as const

const broken = {
  viem: /^HttpRequestError: .*fetch failed/,
  ethers: /^Error ECONN/,
  cosmjs: /^TypeError: fetch failed/,
  page: /^TypeError: Failed to fetch/,
} as const

const cut = {
  viem: /^HttpRequestError: .*terminated/,
  ethers: /^Error (ECONNRESET|HPE)/,
  cosmjs: /^TypeError: terminated/,
  page: /^(200 )?TypeError: (network error|Failed to fetch)/,
} as const

const noJson = {
  ethers: /^Error UNSUPPORTED_OPERATION: response body is not valid JSON/,
  cosmjs: /^SyntaxError/,
  page: /^200 SyntaxError/,
} as const

const silent = {
  isSilent: true,
  viem: /^TimeoutError: The request took too long/,
  ethers: /^Error TIMEOUT: request timeout/,
  cosmjs: /^TimeoutError/,
  page: /^TimeoutError/,
} as const

export const callFaults: Readonly<Record<string, CallFault>> = {
  'a fixed latency': { effect: { latency: '30ms' }, ...lateButWhole },
  'a latency from a range': { effect: { latency: { uniform: ['5ms', '40ms'] } }, ...lateButWhole },
  'a normal latency': {
    effect: { latency: { normal: { mean: '20ms', sd: '2ms' } } },
    ...lateButWhole,
  },
  'a long-tailed latency': {
    effect: { latency: { lognormal: { median: '9ms', p99: '40ms' } } },
    ...lateButWhole,
  },
  'an exponential latency': {
    effect: { latency: { exponential: { mean: '9ms' } } },
    ...lateButWhole,
  },
  'a latency by percentiles': {
    effect: { latency: { percentiles: { p50: '9ms', p99: '40ms' } } },
    ...lateButWhole,
  },
  'a latency from a list': { effect: { latency: { table: ['9ms', '30ms'] } }, ...lateButWhole },
  'a status of HTTP': {
    effect: { http: { status: 503, body: 'busy' } },
    viem: /^HttpRequestError: .*Status: 503.*"busy"/,
    ethers: /^Error SERVER_ERROR: server response 503/,
    cosmjs: /^Error: Bad status on response: 503/,
    page: /^503 SyntaxError/,
  },
  'a status of HTTP without CORS': {
    effect: { http: { status: 503, body: 'busy' } },
    fault: { cors: 'strip' },
    viem: /^HttpRequestError: .*Status: 503/,
    ethers: /^Error SERVER_ERROR: server response 503/,
    cosmjs: /^Error: Bad status on response: 503/,
    page: /^TypeError: Failed to fetch/,
  },
  'a status with the seconds to wait': {
    effect: { http: { status: 429, headers: { 'Retry-After': '0' }, body: 'slow down' } },
    viem: /^HttpRequestError: .*Status: 429.*"slow down"/,
    ethers: /^Error SERVER_ERROR: exceeded maximum retry limit/,
    cosmjs: /^Error: Bad status on response: 429/,
    page: /^429 again in 0 SyntaxError/,
  },
  'an error of JSON-RPC': {
    effect: { rpcError: { code: -32000, message: 'no', data: 'more' } },
    viem: /^InvalidInputRpcError: .*Details: no/,
    ethers: /^Error UNKNOWN_ERROR: .*"code": -32000, "data": "more", "message": "no"/,
    cosmjs: /^Error: \{"code":-32000,"message":"no","data":"more"\}/,
    page: /^200 error -32000$/,
  },
  'an error by its name': {
    effect: { rpcError: 'limitExceeded' },
    viem: /^LimitExceededRpcError/,
    ethers: /^Error UNKNOWN_ERROR: .*-32005/,
    cosmjs: /^Error: \{"code":-32005/,
    page: /^200 error -32005$/,
  },
  'a provider that refuses': {
    effect: { provider: 'infura' },
    viem: /^LimitExceededRpcError: .*project ID request rate exceeded/,
    ethers: /^Error SERVER_ERROR: exceeded maximum retry limit.*-32005/,
    cosmjs: /^Error: Bad status on response: 429/,
    page: /^429 (again in \d+ )?error -32005$/,
  },
  'a null result': {
    effect: { nullResult: true },
    viem: /^TypeError: Cannot convert null to a BigInt/,
    ethers: /^TypeError INVALID_ARGUMENT: invalid numeric value/,
    cosmjs: /^TypeError: Cannot read properties of null/,
    page: /^200 null$/,
  },
  'a changed result': {
    effect: {
      eth: { mutate: { replace: '', value: '0x63' } },
      comet: { mutate: { replace: '/sync_info/latest_block_height', value: '99' } },
    },
    viem: /^99$/,
    ethers: /^99$/,
    cosmjs: /^99$/,
    page: /^200 99$/,
  },
  'a node that is behind': {
    effect: { stale: { lag: '2 blocks' } },
    viem: /^3$/,
    ethers: /^3$/,
    cosmjs: /^3$/,
    page: /^200 3$/,
  },
  'an index that is behind': {
    effect: { indexLag: '2 blocks' },
    question: 'receipt',
    viem: /^TransactionReceiptNotFoundError/,
    ethers: /^null$/,
    cosmjs: /tx \([0-9A-F]{64}\) not found/,
    page: /^200 (null|error -32603)$/,
  },
  'an empty body': {
    effect: { empty: true },
    viem: /^HttpRequestError: .*Unexpected end of JSON/,
    ...noJson,
  },
  'a truncated body': {
    effect: { truncate: true },
    viem: /^HttpRequestError: .*JSON/,
    ...noJson,
  },
  'JSON that is none': {
    effect: { malformed: 'json' },
    viem: /^HttpRequestError: .*JSON/,
    ...noJson,
  },
  'bytes that are no text': {
    effect: { malformed: 'utf8' },
    ...noJson,
    // They stand in a text that viem does not look at.
    viem: /^5$/,
    cosmjs: /^Error: hex string contains invalid characters/,
    page: /^200 /,
  },
  'chunks that are none': { effect: { malformed: 'chunk' }, ...cut },
  'a length that is too long': { effect: { malformed: 'contentLength' }, ...cut },
  'a dribbled body': { effect: { dribble: { bytes: 200, every: '2ms' } }, ...lateButWhole },
  'a narrow line': { effect: { bandwidth: 20_000 }, ...lateButWhole },
  'a connection that is closed late': { effect: { slowClose: '30ms' }, ...lateButWhole },
  'an answer that hangs': { effect: { hang: true }, ...silent },
  'a connection that ends without an answer': { effect: { timeout: '20ms' }, ...broken },
  'a reset before the headers': { effect: { reset: 'beforeHeaders' }, ...broken },
  'a reset in the body': { effect: { reset: 'midBody' }, ...cut },
  'a reset after the body': { effect: { reset: 'afterBody' }, ...lateButWhole },
  'listeners that are gone': { effect: { refuse: true }, ...broken },
}
