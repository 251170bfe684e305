import test from 'ava'
import fc from 'fast-check'
import { JsonSyntaxError, parseJson, parseJsonPrefix } from '../../src/codec/goJson.ts'
import type { Json } from '../../src/codec/goJson.ts'

const refuses = test.macro((t, text: string, message: string) => {
  t.is(t.throws(() => parseJson(text), { instanceOf: JsonSyntaxError })?.message, message)
})

// Answers of Go's json.Unmarshal.
const table: readonly (readonly [string, string])[] = [
  ['', 'unexpected end of JSON input'],
  ['  ', 'unexpected end of JSON input'],
  ['x', "invalid character 'x' looking for beginning of value"],
  ["'", "invalid character '\\'' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['é', "invalid character 'Ã' looking for beginning of value"],
  // What \xff becomes in a Go string.
  ['\udcff', "invalid character 'ÿ' looking for beginning of value"],
  ['tr', "invalid character ' ' in literal true (expecting 'u')"],
  ['fo', "invalid character 'o' in literal false (expecting 'a')"],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['tx.height=2', "invalid character 'x' in literal true (expecting 'r')"],
  ['-', "invalid character ' ' in numeric literal"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.', "invalid character ' ' after decimal point in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1e', "invalid character ' ' in exponent of numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ['3D01', "invalid character 'D' after top-level value"],
  ['{}{', "invalid character '{' after top-level value"],
  ['"', 'unexpected end of JSON input'],
  ['"a', 'unexpected end of JSON input'],
  ['"\\', "invalid character ' ' in string escape code"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u1', "invalid character ' ' in \\u hexadecimal character escape"],
  ['"a\u0001"', "invalid character '\\x01' in string literal"],
  ['"a\n"', "invalid character '\\n' in string literal"],
  ['[1', 'unexpected end of JSON input'],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['{1', "invalid character '1' looking for beginning of object key string"],
  ['{"a"', 'unexpected end of JSON input'],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 2}', "invalid character '2' after object key:value pair"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['['.repeat(10_001), 'exceeded max depth'],
]
for (const [text, message] of table) {
  test(`${JSON.stringify(text.slice(0, 20))} is refused as Go does`, refuses, text, message)
}

test('ten thousand levels are read', (t) => {
  t.is(parseJson('['.repeat(10_000) + ']'.repeat(10_000)).type, 'array')
})

test('a stream ends with EOF when empty and unexpected EOF when cut', (t) => {
  for (const [text, message] of [
    ['', 'EOF'],
    [' \n', 'EOF'],
    ['{', 'unexpected EOF'],
    ['tr', 'unexpected EOF'],
  ] as const) {
    t.is(t.throws(() => parseJsonPrefix(text))?.message, message)
  }
})

test('what follows the first value of a stream is not looked at', (t) => {
  const { value, end } = parseJsonPrefix(' {"a":1} x')
  t.is(value.raw, '{"a":1}')
  t.is(end, 8)
})

test('numbers, strings and containers keep their spelling', (t) => {
  const json = parseJson(' { "a" : [ 1e3 , "\\u0041" ] } ')
  t.is(json.raw, '{ "a" : [ 1e3 , "\\u0041" ] }')
  if (json.type !== 'object') return t.fail()
  const list = json.members[0]?.[1]
  t.is(list?.raw, '[ 1e3 , "\\u0041" ]')
  if (list?.type !== 'array') return t.fail()
  t.deepEqual(list.items, [
    { type: 'number', raw: '1e3' },
    { type: 'string', raw: '"\\u0041"', value: 'A' },
  ])
})

test('half of a surrogate pair is U+FFFD, a whole one a character', (t) => {
  const read = (text: string) => Reflect.get(parseJson(text), 'value') as unknown
  t.is(read('"\\ud800x"'), '\ufffdx')
  t.is(read('"\\ud83d\\ude00"'), '😀')
})

function plain(json: Json): unknown {
  switch (json.type) {
    case 'null':
      return null
    case 'number':
      return Number(json.raw)
    case 'array':
      return json.items.map(plain)
    case 'object': {
      const out: Record<string, unknown> = {}
      for (const [name, value] of json.members) {
        Object.defineProperty(out, name, {
          value: plain(value),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return out
    }
    default:
      return json.value
  }
}

test('any JSON text is read as JSON.parse reads it', (t) => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent)
      t.deepEqual(plain(parseJson(spaced)), JSON.parse(spaced))
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('a damaged text is accepted exactly when JSON.parse accepts it', (t) => {
  const damage = fc.tuple(
    fc.json({ maxDepth: 3 }),
    fc.nat(),
    fc.constantFrom('', '{', '}', '[', ',', ':', '"', '\\', '0', '.', 'e', '-', ' '),
  )
  fc.assert(
    fc.property(damage, ([text, place, insert]) => {
      const at = place % (text.length + 1)
      const broken = text.slice(0, at) + insert + text.slice(at + (place % 2))
      t.is(
        accepts(() => parseJson(broken)),
        accepts(() => JSON.parse(broken)),
        broken,
      )
    }),
    { seed: 2, numRuns: 2000 },
  )
})

function accepts(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
