import test from 'ava'
import fc from 'fast-check'
import type { Codec } from '../../src/codec/codec.ts'
import { array, bool, defaulting, float, integer, memberOf, object, optional, text } from '../../src/codec/codec.ts'
import { DecodeError } from '../../src/codec/decodeError.ts'
import { parseJson } from '../../src/codec/goJson.ts'
import { writeJson } from '../../src/codec/goJsonWrite.ts'

const uint8 = integer('uint8')
const inner = object({ n: uint8 }, { goType: 'types.Inner' })
const opaque = object({ n: uint8 }, { goType: 'types.Inner' })
const outer = object(
  {
    name: defaulting(text(), ''),
    list: optional(array(inner, '[]types.Inner')),
    on: defaulting(bool, false),
  },
  { goType: 'types.Outer' },
)
const around = object({ o: opaque }, { goType: 'types.Around', opaque: true })

const says = test.macro((t, codec: Codec<unknown>, wire: string, expected: { text: string; path: string }) => {
  const error = t.throws(() => codec.decode(parseJson(wire), 'params[0]'), {
    instanceOf: DecodeError,
  })
  t.like(error, { ...expected, code: 'BAD_PARAMETER' })
})
for (const [codec, wire, message, path] of [
  [bool, '"true"', 'json: cannot unmarshal string into Go value of type bool', 'params[0]'],
  [uint8, '256', 'json: cannot unmarshal number 256 into Go value of type uint8', 'params[0]'],
  [uint8, '1.5', 'json: cannot unmarshal number 1.5 into Go value of type uint8', 'params[0]'],
  [uint8, '-0', 'json: cannot unmarshal number -0 into Go value of type uint8', 'params[0]'],
  [float(), '"50"', 'json: cannot unmarshal string into Go value of type float64', 'params[0]'],
  [array(text(), '[]string'), '"x"', 'json: cannot unmarshal string into Go value of type []string', 'params[0]'],
  [array(text(), '[]string'), '["a",5]', 'json: cannot unmarshal number into Go value of type string', 'params[0][1]'],
  [
    outer,
    '{"NAME":5}',
    'json: cannot unmarshal number into Go struct field Outer.name of type string',
    'params[0].name',
  ],
  [
    outer,
    '{"list":[{"n":[]}]}',
    'json: cannot unmarshal array into Go struct field Inner.list.n of type uint8',
    'params[0].list[0].n',
  ],
  [
    around,
    '{"o":{"n":true}}',
    'json: cannot unmarshal bool into Go struct field Around.o.n of type uint8',
    'params[0].o.n',
  ],
  [outer, '[]', 'json: cannot unmarshal array into Go value of type types.Outer', 'params[0]'],
  [inner, '{}', "missing required field 'n'", 'params[0].n'],
] as const)
  test(`${wire} is refused with: ${message}`, says, codec, wire, { text: message, path })

test('members match without regard to case and the last one wins', (t) => {
  const value = outer.decode(parseJson('{"name":"a","NAME":"b","x":1,"on":null}'), '')
  t.deepEqual(value, { name: 'b', list: undefined, on: false })
  const json = parseJson('{"a":1,"A":2,"\u212a":3}')
  if (json.type !== 'object') return t.fail()
  t.is(memberOf(json, 'a')?.raw, '2')
  t.is(memberOf(json, 'k')?.raw, '3')
})

test('values read back', (t) => {
  const values = fc.record({
    name: fc.string(),
    on: fc.boolean(),
    list: fc.option(fc.array(fc.record({ n: fc.bigInt({ min: 0n, max: 255n }) })), {
      nil: undefined,
    }),
  })
  fc.assert(
    fc.property(values, (value) => {
      t.deepEqual(outer.decode(parseJson(writeJson(outer.encode(value))), ''), value)
    }),
    { seed: 16 },
  )
})

test('the schema says what is required', (t) => {
  t.deepEqual(inner.schema, {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
  })
})
