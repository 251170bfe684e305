/** Integers as Go reads them from texts, with the prefixes of its source. */
import test from 'ava'
import { bigIntegerOf, goInteger } from '../../src/codec/goIntegers.ts'

const numbers = { '0': 0n, '00': 0n, '010': 8n, '0_7': 7n, '0o7': 7n, '0B1': 1n, '0X1f': 31n, '0x_f': 15n, '1_0': 10n }
const others = ['', '0o', '0x', '00x1', '00b1', '08', '018', '0_', '_1', '1__0', '1 ']

for (const [text, value] of Object.entries(numbers)) {
  test(`${text} is ${value}, whatever its size may be`, (t) => {
    t.is(goInteger(text, 'uint64', { anyBase: true }), value)
    t.deepEqual([bigIntegerOf(text), bigIntegerOf(`+${text}`), bigIntegerOf(`-${text}`)], [value, value, -value])
  })
}

for (const text of others) {
  test(`${JSON.stringify(text)} is no integer`, (t) => {
    t.is(goInteger(text, 'uint64', { anyBase: true }), `strconv.ParseUint: parsing "${text}": invalid syntax`)
    t.deepEqual([bigIntegerOf(text), bigIntegerOf(`-${text}`)], [undefined, undefined])
  })
}
