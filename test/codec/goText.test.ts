import test from 'ava'
import { goFloat } from '../../src/codec/goText.ts'

// As `fmt.Sprint` of Go printed them.
for (const [value, shown] of [
  [0, '0'],
  [-0, '-0'],
  [1.5, '1.5'],
  [123456, '123456'],
  [123456.789, '123456.789'],
  [1_000_000, '1e+06'],
  [-1_000_000, '-1e+06'],
  [1_234_567.89, '1.23456789e+06'],
  [1e20, '1e+20'],
  [1e100, '1e+100'],
  [0.0001, '0.0001'],
  [0.000_01, '1e-05'],
] as const)
  test(`Go prints ${shown}`, (t) => {
    t.is(goFloat(value), shown)
  })
