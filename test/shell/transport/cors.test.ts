import test from 'ava'
import { ask } from '../../helpers/raw.ts'
import { startLocal } from '../../helpers/server.ts'

const patterns = ['http://localhost:3000', 'https://*.example.com']
const preflightVary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

type Request = { verb?: string; path?: string; headers?: Record<string, string>; body?: string }

/** What of an answer CORS is about: the three headers without their long names, and the status. */
async function seen(side: 'comet' | 'eth', origins: readonly string[], request: Request) {
  await using server = await startLocal({ corsAllowedOrigins: origins })
  const { status, headers } = await ask(server.urls[side] + (request.path ?? '/'), request)
  return {
    status,
    vary: headers.vary,
    origin: headers['access-control-allow-origin'],
    methods: headers['access-control-allow-methods'],
    headers: headers['access-control-allow-headers'],
  }
}

const plain = test.macro(async (t, origin: string, request: Request, allowed: string | undefined) => {
  const got = await seen('comet', patterns, { path: '/health', ...request, headers: { origin, ...request.headers } })
  t.deepEqual([got.origin, got.vary], [allowed, 'Origin'])
})

test('A: a listed origin may read', plain, 'http://localhost:3000', {}, 'http://localhost:3000')
test('A: another port is another origin', plain, 'http://localhost:3001', {}, undefined)
test(
  'A: case does not matter, and the origin comes back as sent',
  plain,
  'HTTP://LOCALHOST:3000',
  {},
  'HTTP://LOCALHOST:3000',
)
test('A: a star stands for any text', plain, 'https://x.y.example.com', {}, 'https://x.y.example.com')
test('A: a star stands for no text too', plain, 'https://.example.com', {}, 'https://.example.com')
test('A: a star does not stand for the dot', plain, 'https://example.com', {}, undefined)
test('A: an origin with more behind it is refused', plain, 'https://a.example.com.evil', {}, undefined)
test('A: put runs, but may not be read', plain, 'http://localhost:3000', { verb: 'PUT' }, undefined)
test(
  'A: options without a wanted method is an ordinary request',
  plain,
  'http://localhost:3000',
  { verb: 'OPTIONS' },
  'http://localhost:3000',
)
test('A: a 404 may be read', plain, 'http://localhost:3000', { path: '/nope' }, 'http://localhost:3000')
test(
  'A: a parse error may be read',
  plain,
  'http://localhost:3000',
  { path: '/', verb: 'POST', body: '{' },
  'http://localhost:3000',
)

test('A: what is refused before routing has no CORS headers', async (t) => {
  const body = JSON.stringify(Array.from({ length: 11 }, () => ({})))
  const got = await seen('comet', patterns, { verb: 'POST', headers: { origin: 'http://localhost:3000' }, body })
  t.deepEqual([got.status, got.vary, got.origin], [200, undefined, undefined])
})

test('A: without origins there is no CORS, and a preflight runs the method', async (t) => {
  const got = await seen('comet', [], {
    path: '/health',
    verb: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  })
  t.deepEqual([got.status, got.vary, got.origin], [200, undefined, undefined])
})

const preflights = test.macro(
  async (t, wanted: { method?: string; headers?: string; origin?: string }, isAllowed: boolean) => {
    const { method = 'POST', headers, origin = 'http://localhost:3000' } = wanted
    const got = await seen('comet', patterns, {
      verb: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        ...(headers === undefined ? {} : { 'access-control-request-headers': headers }),
      },
    })
    t.deepEqual(got, {
      status: 204,
      vary: preflightVary,
      origin: isAllowed ? origin : undefined,
      methods: isAllowed ? method : undefined,
      headers: isAllowed ? headers : undefined,
    })
  },
)

test('preflight: no headers wanted', preflights, {}, true)
test('preflight: one header', preflights, { headers: 'content-type' }, true)
test('preflight: a header in capitals is refused', preflights, { headers: 'Content-Type' }, false)
test(
  'preflight: sorted headers',
  preflights,
  { headers: 'accept,content-type,origin,x-requested-with,x-server-time' },
  true,
)
test('preflight: a blank after a comma stays', preflights, { headers: 'content-type, x-server-time' }, true)
test('preflight: two blanks are refused', preflights, { headers: 'content-type,  x-server-time' }, false)
test('preflight: unsorted headers are refused', preflights, { headers: 'x-server-time,content-type' }, false)
test('preflight: a header twice is refused', preflights, { headers: 'content-type,content-type' }, false)
test('preflight: a comma at the end', preflights, { headers: 'content-type,' }, true)
test('preflight: another header is refused', preflights, { headers: 'authorization' }, false)
test('preflight: a star is no header', preflights, { headers: '*' }, false)
test('preflight: options is always allowed', preflights, { method: 'OPTIONS' }, true)
test('preflight: put is refused', preflights, { method: 'PUT' }, false)
test('preflight: lower case is refused', preflights, { method: 'post' }, false)
test('preflight: a foreign origin is refused', preflights, { origin: 'http://evil' }, false)

const onB = test.macro(async (t, wanted: Record<string, string>, expected: Record<string, string>) => {
  const { status, ...got } = await seen('eth', [], {
    verb: 'OPTIONS',
    headers: { origin: 'http://example.com', ...wanted },
  })
  t.is(status, 204)
  t.deepEqual(Object.fromEntries(Object.entries(got).filter(([, value]) => value !== undefined)), {
    vary: preflightVary,
    ...expected,
  })
})

test(
  'B: a preflight',
  onB,
  { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  { origin: '*', methods: 'POST', headers: 'content-type' },
)
test(
  'B: a preflight without headers',
  onB,
  { 'access-control-request-method': 'POST' },
  { origin: '*', methods: 'POST' },
)
test('B: a preflight for put', onB, { 'access-control-request-method': 'PUT' }, {})
test(
  'B: a preflight for another header',
  onB,
  { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-custom' },
  {},
)

test('B: every answer varies by origin, and any origin may read', async (t) => {
  const got = await seen('eth', [], {
    verb: 'POST',
    headers: { origin: 'http://example.com', 'content-type': 'application/json' },
    body: '{}',
  })
  t.deepEqual([got.status, got.origin, got.vary], [200, '*', 'Origin'])
  const put = await seen('eth', [], { verb: 'PUT', headers: { origin: 'http://example.com' } })
  t.deepEqual([put.status, put.origin, put.vary], [405, undefined, 'Origin'])
})
