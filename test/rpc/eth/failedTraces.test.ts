/** Traces of failed transactions and messages. */
import test from 'ava'
import { loadScripts } from '../../../src/shell/scripts/loading.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

test.before(loadScripts)

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** Reverts without data. */
const data = '0x5f5ffd'
const gas = '0x186a0'
const script = '{step: function() {}, fault: function() {}, result: function(ctx) { return String(ctx.gasUsed) }}'

const tracers = [
  ['the struct logger', {}, (trace: unknown) => (trace as { gas: number }).gas],
  ['callTracer', { tracer: 'callTracer' }, (trace: unknown) => Number((trace as { gasUsed: string }).gasUsed)],
  ['a JavaScript tracer', { tracer: script }, Number],
] as const

const reports = test.macro({
  title: (_, name) => `${name} reports the gas of a failed transaction and of a failed message`,
  exec: (t, _name: string, config: object, gasOf: (trace: unknown) => number) => {
    const { call } = localSimulation()
    const hash = call('eth_sendTransaction', { from, data, gas }).result
    const { status } = call('eth_getTransactionReceipt', hash).result as { status: string }
    t.is(status, '0x0')
    const used = gasOf(call('debug_traceTransaction', hash, config).result)
    t.true(used > 53_000 && used < 54_000, String(used))
    t.is(gasOf(call('debug_traceCall', { from, data, gas }, 'latest', config).result), used)
  },
})

for (const [name, config, gasOf] of tracers) test(reports, name, config, gasOf)

test('a failed transaction has no gas in traces with quirk trace-charged-gas', (t) => {
  const { call } = localSimulation({ quirks: ['trace-charged-gas'] })
  const hash = call('eth_sendTransaction', { from, data, gas }).result
  for (const [name, config, gasOf] of tracers.slice(0, 2)) {
    t.is(gasOf(call('debug_traceTransaction', hash, config).result), 0, name)
    t.is(gasOf(call('debug_traceCall', { from, data, gas }, 'latest', config).result), 0, name)
  }
})

test('prestateTracer refuses two options that exclude each other', (t) => {
  const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true, includeEmpty: true } }
  const { error } = localSimulation().call('debug_traceCall', { from, data, gas }, 'latest', config)
  t.is(error?.message, 'rpc error: code = Internal desc = cannot use diffMode with includeEmpty')
})

/** Calls totalSupply() of the bank precompile so many times, and returns whether the last call succeeded. */
const supplies = (times: number) =>
  `0x6318160ddd5f52${'5f5f6004601c6108045afa50'.repeat(times).slice(0, -2)}5f5260205ff3`

test('the limit of calls to precompiles holds for each run of a trace on its own', (t) => {
  const { call } = localSimulation()
  const tracers = { tracer: 'muxTracer', tracerConfig: { callTracer: {}, prestateTracer: {}, '4byteTracer': {} } }
  const lastOf = (times: number) => {
    const { result } = call('debug_traceCall', { from, data: supplies(times) }, 'latest', tracers)
    return Number((result as { callTracer: { output: string } }).callTracer.output)
  }
  t.deepEqual([1, 20, 21].map(lastOf), [1, 1, 0])
})

test('a negative limit refuses a block at once, if it has transactions', (t) => {
  const { call } = localSimulation({ blocks: 'manual' })
  call('eth_sendTransaction', { from, data, gas })
  call('evm_mine')
  const text = 'rpc error: code = InvalidArgument desc = output limit cannot be negative, got -1'
  t.is(call('debug_traceBlockByNumber', 'latest', { limit: -1 }).error?.message, text)
  call('evm_mine')
  t.deepEqual(call('debug_traceBlockByNumber', 'latest', { limit: -1 }).result, [])
})

test('forks in the options of a trace must be an object', (t) => {
  const { call } = localSimulation()
  const type = 'Go struct field TraceConfig.TraceConfig.overrides of type types.ChainConfig'
  t.is(
    call('debug_traceCall', { from, data, gas }, 'latest', { overrides: 5 }).error?.message,
    `invalid argument 2: json: cannot unmarshal number into ${type}`,
  )
  t.is(call('debug_traceCall', { from, data, gas }, 'latest', { overrides: { berlinBlock: 0 } }).error, undefined)
  t.is(call('debug_traceCall', { from, data, gas }, 'latest', { overrides: null }).error, undefined)
})

test('a transaction that panicked is there and cannot be traced', (t) => {
  const { call } = localSimulation()
  // BLOBBASEFEE, which the node does not have.
  const hash = call('eth_sendTransaction', { from, data: '0x4a', gas }).result
  const message = (of: unknown) => call('debug_traceTransaction', of).error?.message
  t.is(message(hash), `GetTxByEthHash ${String(hash)}: invalid ethereum tx`)
  const other = `0x${'1'.repeat(64)}`
  t.is(message(other), `GetTxByEthHash ${other}: ethereum tx not found`)
})

test('logs stay out of a call tree with quirk call-trace-without-logs, however the option is spelled', (t) => {
  const { call } = localSimulation({ quirks: ['call-trace-without-logs'] })
  const traced = (tracerConfig: object) =>
    call('debug_traceCall', { from, data: '0x5f5fa000' }, 'latest', { tracer: 'callTracer', tracerConfig }).result
  t.deepEqual(traced({ WithLog: true }), traced({}))
})

test("the traces of a block name their transactions, as geth's do, and not with quirk block-traces-unnamed", (t) => {
  for (const quirks of [[], ['block-traces-unnamed']]) {
    const { call } = localSimulation({ quirks, blocks: 'manual' })
    const sent = [from, from].map(() => call('eth_sendTransaction', { from, data, gas }).result)
    call('evm_mine')
    for (const config of [{ tracer: 'callTracer' }, { tracer: 'noTracer' }]) {
      const traces = call('debug_traceBlockByNumber', 'latest', config).result as readonly { txHash?: string }[]
      t.deepEqual(
        traces.map(({ txHash }) => txHash),
        quirks.length === 0 ? sent : [undefined, undefined],
      )
      t.deepEqual(
        traces.map((trace) => Object.keys(trace).at(-1)),
        config.tracer === 'callTracer' ? ['result', 'result'] : ['error', 'error'],
      )
    }
  }
})

test('a trace of a pruned block says that it is pruned, and of one above the head that it is above', (t) => {
  const { call, command } = localSimulation({ blocks: 'manual' })
  call('anvil_mine', 3)
  command({ type: 'prune', below: 3n })
  const head = String(call('eth_blockNumber').result)
  const refusal = (height: string) => call('debug_traceBlockByNumber', height).error?.message
  t.is(refusal('0x2'), 'height 2 is not available, lowest height is 3')
  t.is(refusal('0x99'), `height 153 must be less than or equal to the current blockchain height ${Number(head)}`)
})
