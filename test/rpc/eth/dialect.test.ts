import test from 'ava'
import { RpcError } from '../../../src/rpc/errors.ts'
import type { Context } from '../../../src/rpc/method.ts'
import { contextOf, dialect, stub } from '../../helpers/ethStub.ts'
import { goldenCases, withoutSource } from '../../helpers/goldenCases.ts'

const files = [
  'b-basics',
  'b-blocks',
  'b-call',
  'b-debug',
  'b-estimate',
  'b-fees',
  'b-filters',
  'b-logs',
  'b-receipts',
  'b-refused',
  'b-sign',
  'b-state',
  'b-trace',
  'b-transactions',
  'b-txpool-miner',
  'b-x-pending',
  'b-z-node-keys',
  'v-mempool-b',
]

type Request = { readonly method?: unknown; readonly params?: unknown }

function decodeError(context: Context, { method, params }: Request): string | undefined {
  const declared = dialect.table.byName.get(String(method))
  if (declared === undefined) throw new Error(`no method ${String(method)}`)
  try {
    const given =
      params === undefined ? ({ form: 'absent' } as const) : ({ form: 'json', text: JSON.stringify(params) } as const)
    dialect.decodeParams(declared, given, context)
    return undefined
  } catch (error) {
    if (error instanceof RpcError) return error.message
    throw error
  }
}

// Everything that a real node refused as a parameter, and everything it did not.
for (const file of files) {
  test(`parameters are read and refused as recorded: ${file}`, (t) => {
    const context = contextOf(stub())
    let compared = 0
    for (const [{ name, via, request }, want] of goldenCases(file)) {
      const { method } = request as Request
      if (via !== 'post' || typeof method !== 'string' || !dialect.table.byName.has(method)) continue
      const body = want.body as { error?: { code: number; message: string } }
      if (body.error?.code === -32601) continue
      const wanted = body.error?.code === -32602 ? withoutSource(body.error.message) : undefined
      t.is(decodeError(context, request as Request), wanted, name)
      compared++
    }
    t.true(compared > 0)
    t.log(`${compared} cases`)
  })
}

const reads = test.macro((t, method: string, params: unknown, wanted: string | undefined) => {
  t.is(decodeError(contextOf(stub({ quirks: ['sane'] })), { method, params }), wanted)
})

const someone = '0x40a0cb1c63e026a81b55ee1308586e21eec1efa9'
test('sane: the tag safe reads state', reads, 'eth_getBalance', [someone, 'safe'], undefined)
test('sane: the block may be left out', reads, 'eth_getBalance', [someone], undefined)
test('sane: null leaves the block out, as eth_simulateV1 of go-ethereum sends it', (t) => {
  const context = contextOf(stub({ quirks: ['sane'] }))
  for (const [method, first] of [
    ['eth_getBalance', someone],
    ['eth_call', {}],
    ['eth_simulateV1', { blockStateCalls: [] }],
  ] as const) {
    const declared = dialect.table.byName.get(method)
    if (declared === undefined) throw new Error(`no method ${method}`)
    const [, at] = dialect.decodeParams(declared, { form: 'json', text: JSON.stringify([first, null]) }, context)
    t.deepEqual(at, { kind: 'tag', tag: 'latest' }, method)
  }
})
test('sane: a signature needs no password', reads, 'personal_sign', ['0x00', someone], undefined)
test('sane: percentiles may be left out', reads, 'eth_feeHistory', ['0x1', 'latest'], undefined)
test('sane: block overrides are taken', reads, 'eth_call', [{}, 'latest', {}, { number: '0x64' }], undefined)
test(
  'sane: a word is no block number',
  reads,
  'eth_getBlockByNumber',
  ['foo', false],
  'invalid argument 0: hex string without 0x prefix',
)
test(
  'sane: an object is no block number',
  reads,
  'eth_getBlockByNumber',
  [{}, false],
  'invalid argument 0: hex string without 0x prefix',
)
test('sane: a decimal is a block number', reads, 'eth_getBlockByNumber', ['5', false], undefined)
test('sane: an address is still needed', reads, 'eth_getBalance', [], 'missing value for required argument 0')

const allowed = test.macro((t, method: string, settings: Parameters<typeof stub>[0], wanted: boolean) => {
  const declared = dialect.table.byName.get(method)
  t.truthy(declared)
  if (declared !== undefined) t.is(dialect.allows(declared, contextOf(stub(settings))), wanted)
})

test('a namespace that is off has no methods', allowed, 'txpool_status', { ethApi: ['eth'] }, false)
test('a namespace that is on has its methods', allowed, 'txpool_status', { ethApi: ['txpool'] }, true)
test('rpc is always on', allowed, 'rpc_modules', { ethApi: [] }, true)
test('controls need the namespace dev', allowed, 'evm_mine', { ethApi: ['eth', 'evm'] }, false)
test('the namespace dev has the controls', allowed, 'evm_mine', { ethApi: ['dev'] }, true)
test(
  'a control that begins with eth needs dev as well',
  allowed,
  'eth_sendUnsignedTransaction',
  { ethApi: ['eth'] },
  false,
)
test('an undocumented method is off', allowed, 'eth_fillTransaction', { quirks: ['sane'] }, false)
test('an undocumented method is on where the node has it', allowed, 'eth_fillTransaction', {}, true)
test('admin is documented and not there', allowed, 'admin_peers', { ethApi: ['admin'] }, false)
test('admin is there by the documents', allowed, 'admin_peers', { ethApi: ['admin'], quirks: ['sane'] }, true)
test('nothing can be pushed over HTTP', allowed, 'eth_subscribe', {}, false)
