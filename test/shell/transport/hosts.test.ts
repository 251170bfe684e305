import test from 'ava'
import { WebSocket } from 'ws'
import { ask, post } from '../../helpers/raw.ts'
import { startLocal } from '../../helpers/server.ts'

const served = test.macro(async (t, host: string, status: number, allowedHosts: readonly string[] = []) => {
  await using server = await startLocal({ allowedHosts })
  const answer = await ask(`${server.urls.comet}/health`, { headers: { host } })
  t.is(answer.status, status)
  if (status === 403) t.regex(answer.body, /--allowed-hosts/)
  const other = await ask(server.urls.eth, { headers: { host } })
  t.is(other.status, status)
})

test('loopback by name is served', served, 'localhost:26657', 200)
test('a name below localhost is served', served, 'app.localhost', 200)
test('loopback by address is served', served, '127.0.0.1', 200)
test('loopback of IPv6 is served', served, '[::1]:1', 200)
test('another address is served: a name is what an attacker can point here', served, '192.168.1.7:26657', 200)
test('a foreign name is refused', served, 'attacker.example:26657', 403)
test('a name that only ends like loopback is refused', served, 'localhost.attacker.example', 403)
test('a name that looks like an address is refused', served, '127.0.0.1.attacker.example', 403)
test('a name that was allowed is served', served, 'chainstage:8545', 200, ['chainstage'])
test('the case of a name does not matter', served, 'chainstage:8545', 200, ['ChainStage'])
test('any name is served when all are allowed', served, 'x', 200, ['*'])

test('a WebSocket to a foreign name is refused', async (t) => {
  await using server = await startLocal()
  const socket = new WebSocket(server.urls.cometWs, { headers: { host: 'attacker.example' } })
  const status = await new Promise((done) => {
    socket.on('unexpected-response', (_request, response) => {
      done(response.statusCode)
      response.destroy()
    })
    socket.on('error', () => {})
  })
  t.is(status, 403)
})

const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const typedData = { types: { EIP712Domain: [] }, primaryType: 'EIP712Domain', domain: {}, message: {} }
/** Calls that sign with an account of the node. */
const signing: Readonly<Record<string, readonly unknown[]>> = {
  eth_sendTransaction: [{ from: account, to: account, value: '0x1' }],
  eth_resend: [{ from: account, to: account, nonce: '0x0' }],
  eth_sign: [account, '0x68656c6c6f'],
  personal_sign: ['0x68656c6c6f', account, ''],
  eth_signTypedData: [account, typedData],
  eth_signTypedData_v3: [account, typedData],
  eth_signTypedData_v4: [account, typedData],
  eth_signTransaction: [{ from: account, to: account, gas: '0x5208' }],
  wallet_sendCalls: [{ version: '2.0.0', from: account, calls: [{ to: account }] }],
}

/** Returns the names of the methods that pages of an origin were refused. */
async function refusedTo(origin: string, settings: Parameters<typeof startLocal>[0]) {
  await using server = await startLocal(settings)
  const messages = Object.entries(signing).map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answers = (await post(server.urls.eth, messages, { origin })) as readonly {
    readonly error?: { readonly message: string }
  }[]
  return Object.keys(signing).filter((_method, index) =>
    answers[index]?.error?.message.includes('is not allowed from web pages of other origins'),
  )
}

const guarded = test.macro(
  async (t, origin: string, settings: Parameters<typeof startLocal>[0], refused: readonly string[]) => {
    t.deepEqual(await refusedTo(origin, settings), refused)
  },
)

test(
  'a page of another origin may not sign or send with accounts of the node',
  guarded,
  'https://attacker.example',
  {},
  Object.keys(signing),
)
test('a page of this machine may sign and send', guarded, 'http://localhost:3000', {}, [])
test('a program that sends its name as origin may sign and send, as titanoboa does', guarded, 'Titanoboa', {}, [])
test('a page without an origin of its own may not sign or send', guarded, 'null', {}, Object.keys(signing))
test(
  'a page that is allowed may sign and send',
  guarded,
  'https://app.example',
  { allowedOrigins: ['https://app.example'] },
  [],
)
test(
  'under a quirk pages of any origin may use accounts, but no methods for operators',
  guarded,
  'https://attacker.example',
  { quirks: ['accounts-for-any-page'] },
  ['personal_sign', 'wallet_sendCalls'],
)
