/** State and block overrides of `debug_traceCall`, as geth and Anvil apply them. */
import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const to = `0x${'aa'.repeat(20)}`
const bank = '0x0000000000000000000000000000000000000804'
/** Returns the number of the block: NUMBER, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const code = '0x4360005260206000f3'
const blockOverrides = { number: '0x1234' }
const number = `0x${'1234'.padStart(64, '0')}`

type Frame = { readonly output?: string }

for (const at of [to, bank]) {
  test(`a trace sees the overrides of state and block that a call of ${at} sees`, (t) => {
    const { call } = localSimulation()
    const stateOverrides = { [at]: { code } }
    const tracer = 'callTracer'
    const { result } = call('debug_traceCall', { to: at }, 'latest', { tracer, stateOverrides, blockOverrides })
    t.is((result as Frame).output, number)
    t.is(call('eth_call', { to: at }, 'latest', stateOverrides, blockOverrides).result, number)
    t.is((call('debug_traceCall', { to }, 'latest', { tracer }).result as Frame).output, undefined)
  })
}

test('a trace without a tracer sees the overrides too', (t) => {
  const { call } = localSimulation()
  const { result } = call('debug_traceCall', { to }, 'latest', { stateOverrides: { [to]: { code } } })
  t.is((result as { structLogs: readonly unknown[] }).structLogs.length, 6)
})

test('with quirk call-overrides-limited, a trace ignores overrides, also malformed ones', (t) => {
  const { call } = localSimulation({ quirks: ['call-overrides-limited'] })
  for (const stateOverrides of [{ [to]: { code } }, 5]) {
    const config = { tracer: 'callTracer', stateOverrides, blockOverrides: { number: 'x' } }
    const { result, error } = call('debug_traceCall', { to }, 'latest', config)
    t.is(error, undefined)
    t.is((result as Frame).output, undefined)
  }
})

test('malformed overrides of a trace are refused as those of a call', (t) => {
  const { call } = localSimulation()
  const refusal = (config: object) => call('debug_traceCall', { to }, 'latest', config).error
  for (const overrides of [5, { [to]: { code: 'x' } }, { x: {} }]) {
    t.deepEqual(refusal({ stateOverrides: overrides }), call('eth_call', { to }, 'latest', overrides).error)
  }
  t.regex(refusal({ blockOverrides: { number: 'x' } })?.message ?? '', /hex string without 0x prefix/)
})
