/** Effects on the time and the content of an answer. */
import { z } from 'zod'
import { latencyTable } from '../../fault/distribution.ts'
import { list, pointer } from '../shapes.ts'
import { describedEffect } from './descriptor.ts'
import { grpcStatuses, providers, type ProviderName, rpcErrors, type RpcErrorFile } from './knownErrors.ts'
import { lag, latency as latencyShape } from './latency.ts'

/** The name of an HTTP header. */
export const headerName = z.string().regex(/^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/, 'expected the name of a header')

/** Headers of the response's framing, which is that of its body. */
const framingHeader = /^(?:content-length|transfer-encoding)$/i

const headers = z
  .record(headerName, z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'expected printable characters of Latin-1'))
  .refine(
    (given) => !Object.keys(given).some((name) => framingHeader.test(name)),
    'expected no content-length and no transfer-encoding, because the body sets them',
  )

const nameIn = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  z.enum(Object.keys(table) as [Name, ...Name[]])

const latency = describedEffect({
  schema: latencyShape,
  keys: {
    latency: "Delays the response. Example: '2s' or { uniform: ['100ms', '2s'] }.",
    uniform: "Draws a time between two limits. Example: ['100ms', '2s'].",
    normal: "Draws a time from a normal distribution. Example: { mean: '200ms', sd: '50ms' }.",
    mean: "Mean of the distribution. Example: '200ms'.",
    sd: "Standard deviation. Example: '50ms'.",
    lognormal: "Draws a time from a log-normal distribution. Example: { median: '80ms', p99: '3s' }.",
    exponential: "Draws a time from an exponential distribution. Example: { mean: '200ms' }.",
    percentiles: "Draws a time by percentiles. Example: { p50: '80ms', p99: '3s' }.",
    table: "Draws one of these times, all equally likely. Example: ['80ms', '200ms', '3s'].",
  },
  stage: 'delay',
  compile: (given) => {
    if ('min' in given) return [{ type: 'latency', minMs: given.min, maxMs: given.max }]
    return [{ type: 'latencyTable', ms: 'table' in given ? given.table : latencyTable(given) }]
  },
})

const http = describedEffect({
  schema: z.strictObject({
    status: z.int().min(200).max(599),
    headers: headers.optional(),
    body: z.unknown().optional(),
  }),
  keys: {
    http: 'Answers with an HTTP status. Example: { status: 429 }.',
    'http.status': 'HTTP status, 200 to 599. Example: 503.',
    headers:
      "Response headers; $retryAfter is replaced by the seconds left. Example: { 'retry-after': '$retryAfter' }.",
    body:
      'Response body: a text, or a value sent as JSON; "$id" is replaced by the id of the call, ' +
      'or by null if it has none. ' +
      "Example: { error: 'too many requests' }.",
  },
  stage: 'status',
  compile: ({ status, headers, body }) => [
    { type: 'http', status, headers: Object.entries(headers ?? {}), body: bodyText(body) },
  ],
})

function bodyText(body: unknown): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}

const rpcError = describedEffect({
  schema: z.union([
    nameIn(rpcErrors).transform((name): RpcErrorFile => rpcErrors[name]),
    z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  ]),
  keys: {
    rpcError: "Answers with a JSON-RPC error: a name, or code and message. Example: 'limitExceeded'.",
    'rpcError.code': 'JSON-RPC error code. Example: -32005.',
    message: "Text of the error. Example: 'limit exceeded'.",
    data: "Data of the error. Example: '0x08c379a0'.",
  },
  stage: 'result',
  compile: ({ code, message, data }) => [
    { type: 'rpcError', code, message, ...(data === undefined ? {} : { data: JSON.stringify(data) }) },
  ],
})

const grpc = describedEffect({
  schema: z
    .union([
      nameIn(grpcStatuses).transform((name) => ({ code: grpcStatuses[name], message: name })),
      z
        .strictObject({ status: nameIn(grpcStatuses), message: z.string() })
        .transform(({ status, message }) => ({ code: grpcStatuses[status], message })),
    ])
    .meta({ description: 'fails gRPC and REST calls with a gRPC status' }),
  keys: {
    grpc: "Fails gRPC and REST calls with a gRPC status. Example: 'UNAVAILABLE'.",
    'grpc.status': "Name of a gRPC status. Example: 'UNAVAILABLE'.",
  },
  stage: 'result',
  compile: (status) => [{ type: 'rpcError', ...status }],
})

const provider = describedEffect({
  schema: nameIn(providers)
    .transform((name: ProviderName) => providers[name])
    .meta({ description: 'refuses as a hosted node provider does' }),
  keys: { provider: "Refuses as a hosted node provider does. Example: 'infura'." },
  stage: 'status',
  compile: ({ status, headers, error }) => [
    {
      type: 'http',
      status,
      headers: Object.entries(headers),
      body: JSON.stringify({ jsonrpc: '2.0', id: '$id', error }),
    },
  ],
})

const nullResult = describedEffect({
  schema: z.literal(true),
  keys: { nullResult: 'Answers with the result null. Example: true.' },
  stage: 'result',
  compile: () => [{ type: 'result', changes: [{ path: '', change: 'remove', value: 'null' }] }],
})

const change = z.union([
  z
    .strictObject({ remove: pointer })
    .transform(({ remove }) => ({ path: remove, change: 'remove' as const, value: 'null' })),
  z.strictObject({ replace: pointer, value: z.unknown() }).transform(({ replace, value }) => ({
    path: replace,
    change: 'replace' as const,
    value: JSON.stringify(value) ?? 'null',
  })),
  z
    .strictObject({ add: pointer, value: z.unknown() })
    .transform(({ add, value }) => ({ path: add, change: 'add' as const, value: JSON.stringify(value) ?? 'null' })),
])

const mutate = describedEffect({
  schema: list(change).meta({ description: 'the true result with some values changed' }),
  keys: {
    mutate: "Changes values in the true result (RFC 6902). Example: { remove: '/logs/0' }.",
    remove: "JSON pointer to the value to remove. Example: '/logs/0'.",
    replace: "JSON pointer to the value to replace. Example: '/status'.",
    add: "JSON pointer to the place where value is added. Example: '/logs/0'.",
    'mutate.value': "New value, as JSON. Example: '0x0'.",
  },
  stage: 'result',
  compile: (changes) => [{ type: 'result', changes }],
})

const stale = describedEffect({
  schema: z
    .strictObject({ lag, flip: z.boolean().optional() })
    .meta({ description: 'answers from an older state; flip: every other call' }),
  keys: {
    stale: "Answers from an older state. Example: { lag: '3 blocks' }.",
    lag: "Age of the state. Example: '3 blocks' or '10s'.",
    flip:
      'Answers every other call from the current state, like two nodes behind a load balancer. Default: false. ' +
      'Example: true.',
  },
  stage: 'view',
  compile: ({ lag: by, flip }) => [{ type: 'stale', lag: by, flip: flip ?? false }],
})

const indexLag = describedEffect({
  schema: lag.meta({ description: 'delays receipts, logs and searches, by blocks or time' }),
  keys: { indexLag: "Delays receipts, logs and searches. Example: '2 blocks'. 0 ends it." },
  stage: 'view',
  compile: (by) => [{ type: 'indexLag', lag: by }],
})

export const answerEffects = { latency, http, rpcError, grpc, provider, nullResult, mutate, stale, indexLag }
