import test from 'ava'
import fc from 'fast-check'
import { goText } from '../../src/codec/goText.ts'
import { jsonOf, plainOf, writeJson, writeJsonBigints } from '../../src/codec/goJsonWrite.ts'

test('markup and line separators are escaped as Go does', (t) => {
  t.is(writeJson({ a: '1 < 2 && 3 > 2\u2028\u2029' }), '{"a":"1 \\u003c 2 \\u0026\\u0026 3 \\u003e 2\\u2028\\u2029"}')
})

test('bytes that are no UTF-8 are written as the escape of U+FFFD, one for each', (t) => {
  t.is(writeJson(goText(Uint8Array.of(0x41, 0xe2, 0x82, 0x42, 0xff, 0))), '"A\\ufffd\\ufffdB\\ufffd\\u0000"')
  t.is(writeJson(goText(Uint8Array.of(0xef, 0xbf, 0xbd))), '"\ufffd"')
  t.is(writeJson('\\ud800 < \udc80'), '"\\\\ud800 \\u003c \\ufffd"')
})

test('text that is UTF-8 comes through bytes unchanged', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      t.is(goText(new TextEncoder().encode(text)), text.replace(/\p{Surrogate}/gu, '\ufffd'))
    }),
    { seed: 3 },
  )
})

test('bigints are numbers or texts as the caller says', (t) => {
  const value = { a: [2n ** 70n, 1], b: undefined, c: { d: -1n } }
  t.is(writeJsonBigints(value, 'number'), '{"a":[1180591620717411303424,1],"c":{"d":-1}}')
  t.is(writeJsonBigints(value, 'string'), '{"a":["1180591620717411303424",1],"c":{"d":"-1"}}')
})

test('what is written reads as it was', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as string
      t.deepEqual(JSON.parse(writeJson(plain)), plain)
      t.deepEqual(plainOf(jsonOf(plain)), plain)
      t.deepEqual(JSON.parse(writeJsonBigints(plain, 'number')), plain)
    }),
    { seed: 4 },
  )
})
