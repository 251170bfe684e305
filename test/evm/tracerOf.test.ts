import test from 'ava'
import { tracerOf } from '../../src/evm/trace.ts'

test('whatever is no native tracer is JavaScript', (t) => {
  t.deepEqual(tracerOf('{count: 0}', {}), { name: 'script', code: '{count: 0}', config: '{}' })
  t.deepEqual(tracerOf('fooTracer', {}, '{"a": 1}'), {
    name: 'script',
    code: 'fooTracer',
    config: '{"a": 1}',
  })
  const named = tracerOf('bigramTracer', {})
  t.true(named.name === 'script' && named.code.startsWith('{'))
})

test('requests name tracers and their options', (t) => {
  t.deepEqual(tracerOf(undefined, { disableStack: true, limit: 3 }), {
    name: 'structLogs',
    disableStack: true,
    disableStorage: false,
    enableMemory: false,
    enableReturnData: false,
    limit: 3n,
  })
  t.deepEqual(tracerOf('muxTracer', { callTracer: { withLog: true }, noopTracer: null }), {
    name: 'muxTracer',
    tracers: {
      callTracer: { name: 'callTracer', onlyTopCall: false, withLog: true },
      noopTracer: { name: 'noopTracer' },
    },
  })
})
