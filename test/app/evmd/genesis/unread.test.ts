import { readFileSync } from 'node:fs'
import test from 'ava'
import { start } from '../../../../src/index.ts'

type Document = { app_state: Record<string, Record<string, unknown>> }

const recorded = () => JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
const startWith = (document: Document) => start({ ports: 'none', genesis: JSON.stringify(document) })

test('the genesis of a recorded node loads, also with an empty module that nobody knows', async (t) => {
  const document = recorded()
  document.app_state['wasm'] = {}
  await using server = await startWith(document)
  t.truthy(server)
})

test('a base fee of 0 loads and is what clients are told', async (t) => {
  const document = recorded()
  const market = document.app_state['feemarket'] ?? {}
  document.app_state['feemarket'] = { ...market, params: { ...(market['params'] as object), base_fee: '0.000000000000000000' } }
  await using server = await startWith(document)
  const { baseFeePerGas } = await server.eth.request<{ baseFeePerGas: string }>({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  t.is(baseFeePerGas, '0x0')
})

const refused = test.macro(async (t, module: string, value: Record<string, unknown>, message: RegExp) => {
  const document = recorded()
  document.app_state[module] = value
  await t.throwsAsync(startWith(document), { message, code: 'UNREAD_GENESIS' })
})

test('a module that evmd lacks is refused by name', refused, 'wasm', { codes: [{}] }, /app_state\.wasm is not supported/)
test('grants are refused by name', refused, 'authz', { authorization: [{}] }, /app_state\.authz\.authorization/)
test('fee allowances are refused by name', refused, 'feegrant', { allowances: [{}] }, /feegrant\.allowances/)
test('fractions of the smallest unit are refused by name', refused, 'precisebank', { remainder: '5' }, /precisebank\.remainder/)
