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

test('case is ignored in the names of options, the last one counts, and null is none', (t) => {
  t.like(tracerOf('callTracer', { OnlyTopCall: true, withlog: true }), { onlyTopCall: true, withLog: true })
  t.like(tracerOf('callTracer', { onlyTopCall: true, OnlyTopCall: null }), { onlyTopCall: true })
  t.like(tracerOf('prestateTracer', { diffMode: true, DIFFMODE: false }), { diffMode: false })
  t.like(tracerOf(undefined, { DisableStack: true, LIMIT: 3 }), { disableStack: true, limit: 3n })
})

const refused: readonly (readonly [string, string, string])[] = [
  ['callTracer', '{"onlyTopCall":1}', 'number into Go struct field callTracerConfig.onlyTopCall of type bool'],
  ['callTracer', '[]', 'array into Go value of type native.callTracerConfig'],
  ['callTracer', '{"withlog":{}}', 'object into Go struct field callTracerConfig.withLog of type bool'],
  [
    'flatCallTracer',
    '{"includePrecompiles":"yes"}',
    'string into Go struct field flatCallTracerConfig.includePrecompiles of type bool',
  ],
  ['prestateTracer', '{"diffMode":"yes"}', 'string into Go struct field prestateTracerConfig.diffMode of type bool'],
  ['prestateTracer', 'true', 'bool into Go value of type native.prestateTracerConfig'],
  [
    'erc7562Tracer',
    '{"stackTopItemsSize":1.5}',
    'number 1.5 into Go struct field erc7562TracerConfig.stackTopItemsSize of type int',
  ],
  [
    'erc7562Tracer',
    '{"ignoredOpcodes":{}}',
    'object into Go struct field erc7562TracerConfig.ignoredOpcodes of type []hexutil.Uint64',
  ],
  ['muxTracer', '1', 'number into Go value of type map[string]json.RawMessage'],
  ['muxTracer', '{"callTracer":"x"}', 'string into Go value of type native.callTracerConfig'],
]

for (const [name, text, reason] of refused) {
  test(`${name} refuses ${text} as the node does`, (t) => {
    t.throws(() => tracerOf(name, JSON.parse(text), text), { message: `json: cannot unmarshal ${reason}` })
  })
}

test('null leaves an option out, and tracers without options read none', (t) => {
  t.deepEqual(tracerOf('callTracer', { withLog: null }), { name: 'callTracer', onlyTopCall: false, withLog: false })
  t.deepEqual(tracerOf('noopTracer', {}, '"x"'), { name: 'noopTracer' })
  t.deepEqual(tracerOf('4byteTracer', {}, '[1]'), { name: '4byteTracer' })
})
