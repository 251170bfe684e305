import test from 'ava'
import { feeAfter } from '../../../src/rpc/eth/fees.ts'

const rule = { elasticityMultiplier: 2n, baseFeeChangeDenominator: 8n, minGasPrice: 0n }
const block = (baseFee: bigint, gasUsed: bigint) => ({ baseFee, gasUsed, gasLimit: 10_000_000n })

const follows = test.macro((t, baseFee: bigint, gasUsed: bigint, wanted: bigint) => {
  t.is(feeAfter(block(baseFee, gasUsed), rule), wanted)
})

test('an empty block lowers the base fee by an eighth, as recorded', follows, 0x342770c0n, 0n, 0x2da282a8n)
test('a block at its target keeps it', follows, 1_000_000_000n, 5_000_000n, 1_000_000_000n)
test('a full block raises it by an eighth', follows, 1_000_000_000n, 10_000_000n, 1_125_000_000n)
test('a rise is at least one wei', follows, 1n, 10_000_000n, 2n)
test('a fraction of a wei is cut', follows, 3n, 0n, 2n)

test('the base fee does not fall below the minimum price', (t) => {
  t.is(feeAfter(block(1000n, 0n), { ...rule, minGasPrice: 990n }), 990n)
})

test('a chain without a gas limit has no base fee', (t) => {
  t.is(feeAfter({ baseFee: 5n, gasUsed: 0n, gasLimit: 1n }, rule), 0n)
})
