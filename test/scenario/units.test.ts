import test from 'ava'
import { amount, blockCount, durationMs, ratio } from '../../src/scenario/units.ts'

type Parse = (text: string) => unknown

const means = test.macro<[Parse, string, unknown]>({
  exec: (t, parse, text, expected) => {
    t.deepEqual(parse(text), expected)
  },
  title: (_, parse, text, expected) =>
    `${parse.name} of '${text}' is ${expected === undefined ? 'refused' : typeof expected === 'object' ? 'a ratio' : String(expected)}`,
})

test(means, durationMs, '1500ms', 1500n)
test(means, durationMs, '30s', 30_000n)
test(means, durationMs, '1.5s', 1500n)
test(means, durationMs, '2m', 120_000n)
test(means, durationMs, '14d', 1_209_600_000n)
test(means, durationMs, '1d2h', 93_600_000n)
test(means, durationMs, '1h 30m', 5_400_000n)
test(means, durationMs, '5', undefined)
test(means, durationMs, '-1s', undefined)
test(means, durationMs, '1.2345s', undefined)
test(means, blockCount, '3 blocks', 3n)
test(means, blockCount, '1 block', 1n)
test(means, blockCount, '3s', undefined)
test(means, amount, '1.5 evm', 1_500_000_000_000_000_000n)
test(means, amount, '3 gwei', 3_000_000_000n)
test(means, amount, '1000atest', 1000n)
test(means, amount, '1000000000000000000001', 1_000_000_000_000_000_000_001n)
test(means, amount, '1.5', undefined)
test(means, amount, '0.1 wei', undefined)
test(means, amount, '1 florin', undefined)
test(means, amount, '1 constructor', undefined)
test(means, ratio, '1/5', { numerator: 1n, denominator: 5n })
test(means, ratio, '5/1', undefined)
test(means, ratio, '1/0', undefined)
