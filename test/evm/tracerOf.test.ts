import test from 'ava'
import { tracerOf } from '../../src/evm/trace.ts'

test('JavaScript tracers and unknown ones are refused', (t) => {
  const refused = (name: string) => t.throws(
    () => tracerOf(name, {}), { code: 'EVM_TRACER_REFUSED' }
  )
  for (const name of ['{count: 0}', 'bigramTracer']) {
    t.is(refused(name)?.message, `JavaScript tracers are not supported: ${name}`)
  }
  t.is(refused('fooTracer')?.message, 'ReferenceError: fooTracer is not defined at <eval>:1:2(0)')
})

test('requests name tracers and their options', (t) => {
  t.deepEqual(tracerOf(undefined, { disableStack: true, limit: 3 }), {
    name: 'structLogs', disableStack: true, disableStorage: false, enableMemory: false,
    enableReturnData: false, limit: 3n,
  })
  t.deepEqual(tracerOf('muxTracer', { callTracer: { withLog: true }, noopTracer: null }), {
    name: 'muxTracer', tracers: {
      callTracer: { name: 'callTracer', onlyTopCall: false, withLog: true },
      noopTracer: { name: 'noopTracer' },
    },
  })
})
