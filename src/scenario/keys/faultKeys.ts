/** Descriptions of the keys of faults for editors; see `chainKeys.ts`. */
export const faultKeys: Readonly<Record<string, string>> = {
  faults:
    "Faults by name; a step turns one on with fault: 'NAME'. " +
    "Example: { slow: { match: { method: 'eth_*' }, effect: { latency: '2s' } } }.",
  match:
    "Calls, connections or events that the fault applies to. Default: all. Example: { iface: 'eth', method: 'eth_*' }.",
  iface: "Interface: comet, eth, rest or grpc. Default: all. Example: 'eth'.",
  'rpc.iface': "Interface to call: comet, eth, rest or grpc. Example: 'eth'.",
  'call.iface': "Interface to call: comet, eth, rest or grpc. Example: 'eth'.",
  transport: "http or ws. Default: both. Example: 'ws'.",
  method: "Method, or several; * stands for any text. Example: 'eth_get*'.",
  except: "Methods to exclude from the match. Example: ['eth_chainId'].",
  params:
    "Parameters that the call must have, at least. Example: [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }].",
  'match.params':
    'Parameters that the call must have, at least; * matches any text. ' +
    "Example: [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }].",
  'call.params': "Parameters of the call. Example: ['latest', false].",
  'rpc.params': "Parameters of the call. Example: ['latest', false].",
  session: "Session that the call belongs to. Example: 'checkout'.",
  client: "Client that makes the call. Example: { origin: 'http://localhost:5173' }.",
  origin: "Origin header of the client. Example: 'http://localhost:5173'.",
  userAgent: "Text in the User-Agent header of the client. Example: 'Chrome'.",
  subscription: "Subscription kinds like newHeads, or queries like \"tm.event = 'Tx'\". Example: 'newHeads'.",
  batch: "single: only calls outside a batch; batch: only calls in a batch. Default: 'any'. Example: 'batch'.",
  select: 'Which matching calls are hit. Default: all. Example: { count: 1 }.',
  skip: 'Number of matching calls that pass first. Default: 0. Example: 2.',
  'select.count': 'Number of calls that are hit, after skip. Default: all. Example: 1.',
  'select.per':
    "call: a call and its retries count once; attempt: each attempt counts. Default: call. Example: 'attempt'.",
  probability: "Share of calls that are hit. Example: '1/5'.",
  key:
    'Key of a draw: count, or client+request, which treats retries like the first attempt. Default: count. ' +
    "Example: 'client+request'.",
  rate: "Hits calls above a limit. Example: { limit: 5, per: '1s' }.",
  'expect.rate': "Rate that calls must not exceed: at most max in a period. Example: { max: 10, per: '1s' }.",
  limit: 'Number of calls that pass in a period. Example: 5.',
  'rate.per': "Length of the period. Example: '1s'.",
  burst: 'Number of calls that may pass at once. Default: limit. Example: 2.',
  'rate.by': "Scope of the limit: the calls that share it. Default: all. Example: 'session'.",
  header: "Header whose value identifies the client. Example: 'x-api-key'.",
  counting:
    'bucket: refills continuously; window: refills all at once at the end of a period. Default: bucket. ' +
    "Example: 'window'.",
  schedule: "Alternates the fault between on and off, by time or by blocks. Example: { on: '5s', off: '10s' }.",
  on: "How long the fault is on. Example: '5s' or '3 blocks'.",
  off: "How long the fault is off. Example: '10s' or '2 blocks'.",
  at:
    'before: the call is not executed; after: it is executed and its response is lost. Default: before. ' +
    "Example: 'after'.",
  effect: "Effect on the selected calls. Example: { latency: '2s' }.",
  cors: "keep or strip the CORS headers of the response, which browsers need. Default: keep. Example: 'strip'.",
}
