/** What clients were given under faults, as `expect: { given }` of a scenario tells. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, scratch } from '../../helpers/cli.ts'

const faults = `faults: {
  refused: { match: { method: 'eth_gasPrice' }, effect: { rpcError: { code: -32005, message: 'limit exceeded', data: { wait: 3 } } } },
  busy: { match: { method: 'eth_accounts' }, effect: { http: { status: 503, body: 'busy' } } },
  cut: { match: { method: 'eth_syncing' }, effect: { truncate: true } },
  other: { match: { method: 'eth_chainId' }, effect: { mutate: { replace: '', value: '0x99' } } },
}`
const on = `do: [{ fault: { use: 'refused' } }, { fault: { use: 'busy' } }, { fault: { use: 'cut' } }, { fault: { use: 'other' } }]`

const program = `
for (const method of ['eth_gasPrice', 'eth_gasPrice', 'eth_accounts', 'eth_syncing', 'eth_chainId', 'net_version', 'eth_nope']) {
  await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }) }).then((one) => one.text(), () => '')
}
await fetch(process.env.CHAINSTAGE_COMET_URL + '/block?height=99')
await fetch(process.env.CHAINSTAGE_ADMIN_URL + '/api/signal', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'asked' }) })`

/** Runs a scenario with one expectation after the program has asked, and returns its code and report. */
async function run(expectation: string) {
  const file = join(scratch(), 's.json5')
  writeFileSync(
    file,
    `{ chainstage: 1, name: 's', ${faults}, run: { timeout: '20s' },
      steps: [{ ${on} }, { when: { signal: 'asked' }, expect: ${expectation} }] }`,
  )
  return cli(['run', file, '--', process.execPath, '--input-type=module', '-e', program])
}

const holds = test.macro(async (t, expectation: string) => {
  const done = await run(expectation)
  t.is(done.code, 0, done.out + done.err)
})

test(
  'a client is given the error, status, cut body or changed result of a fault, and the truth beside it',
  holds,
  `[
  { given: { method: 'eth_gasPrice', error: { code: -32005, includes: 'limit', dataMatches: 'wait' } }, count: 2 },
  { given: { method: 'eth_gasPrice', error: true }, count: { min: 1, max: 2 } },
  { given: { method: 'eth_accounts', status: 503 } },
  { given: { method: 'eth_syncing', nothing: true } },
  { given: { method: 'eth_chainId', result: { eq: '0x99' } } },
  { given: { method: 'eth_chainId', result: { ne: '0x7a69' } } },
  { given: { method: 'net_*', iface: 'eth', result: { matches: '^31337$' } } },
  { given: { method: 'eth_nope', error: { code: -32601 } } },
  { given: { method: 'block', iface: 'comet', error: { dataMatches: 'height 99' } } },
  { rpc: { iface: 'eth', method: 'eth_chainId' }, equals: '0x7a69' },
]`,
)

const fails = test.macro(async (t, expectation: string, said: RegExp) => {
  const done = await run(expectation)
  t.is(done.code, 1, done.out + done.err)
  t.regex(done.out, said)
})

test(
  'a result is not an error, and the report says what was given',
  fails,
  `{ given: { method: 'eth_gasPrice', result: { matches: '0x' } } }`,
  /eth_gasPrice answered with the result matching 0x: expected at least 1, was 0; the last call was answered with the error \{"code":-32005/,
)
test(
  'a status is no answer',
  fails,
  `{ given: { method: 'eth_accounts', error: true } }`,
  /eth_accounts answered with an error: expected at least 1, was 0; the last call was answered with the HTTP status 503/,
)
test(
  'too many are told too',
  fails,
  `{ given: { method: 'eth_gasPrice', error: { code: -32005 } }, count: 1 }`,
  /answered with an error -32005: expected 1, was 2/,
)

test('what was given needs exactly one of its kinds', async (t) => {
  const done = await run(`{ given: { method: 'eth_gasPrice', error: true, nothing: true } }`)
  t.is(done.code, 2)
  t.regex(done.err, /expected one of result \(with eq, ne, matches, min or max\), error, status or nothing/)
})
