import test from 'ava'
import { eth_feeHistory } from '../../../src/rpc/eth/eth_feeHistory.ts'
import { chainOf, recordOf } from '../../helpers/ethRecords.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { contextOf, dialect } from '../../helpers/ethStub.ts'

const gwei = 1_000_000_000n
const records = [
  recordOf(1n, [], { baseFee: 875_000_000n }),
  recordOf(
    2n,
    [
      {
        gasUsed: 100_000n,
        price: gwei + 5n,
      },
      { gasUsed: 300_000n, price: gwei + 1n },
      { gasUsed: 600_000n, price: gwei + 9n },
    ],
    { baseFee: gwei },
  ),
]

function history(...params: unknown[]): unknown {
  const context = contextOf(chainOf(records))
  return eth_feeHistory.read(
    context,
    dialect.decodeParams(eth_feeHistory, { form: 'json', text: JSON.stringify(params) }, context),
  )
}

test('fees, use and the fee after the last block', (t) => {
  t.deepEqual(history('0x2', 'latest', []), {
    oldestBlock: '0x1',
    baseFeePerGas: ['0x342770c0', '0x3b9aca00', '0x35a4e900'],
    gasUsedRatio: [0, 0.1],
    baseFeePerBlobGas: ['0x1', '0x1', '0x1'],
    blobGasUsedRatio: [0, 0],
  })
})

test('tips are weighed by gas and sorted', (t) => {
  t.like(history('0x1', 'latest', [0, 10, 40, 41, 100]), { reward: [['0x1', '0x1', '0x5', '0x9', '0x9']] })
})

test('a block without transactions has tips of nothing', (t) => {
  t.like(history('0x1', '0x1', [50]), { reward: [['0x0']] })
})

test('more blocks than there are begin at 0, which shows the first', (t) => {
  t.like(history('0x64', 'latest', []), { oldestBlock: '0x0', gasUsedRatio: [0, 0, 0.1] })
})

const refuses = test.macro((t, params: unknown[], message: string) => {
  t.throws(() => history(...params), { message })
})

test('a percentile above a hundred', refuses, ['0x1', 'latest', [101]], 'invalid reward percentile: 101.000000')
test(
  'percentiles out of order',
  refuses,
  ['0x1', 'latest', [50, 25]],
  'invalid reward percentile: #0:50.000000 > #1:25.000000',
)
test('a block after the head', refuses, ['0x1', '0x9', []], 'request beyond head block: requested 9, head 2')
test('too many blocks', refuses, ['0x65', 'latest', []], 'FeeHistory user block count 101 higher than 100')

test('pruned blocks are refused instead of shown as the first one that is left', (t) => {
  const { call, command } = localSimulation({ blocks: 'manual' })
  call('anvil_mine', 5)
  command({ type: 'prune', below: 4n })
  const refusal = (...params: unknown[]) => call('eth_feeHistory', ...params).error?.message
  const head = Number(call('eth_blockNumber').result)
  t.is(refusal(head - 3, 'latest', []), undefined)
  t.is(refusal(head - 2, 'latest', []), 'height 3 is not available, lowest height is 4')
  t.is(refusal(1, '0x3', []), 'height 3 is not available, lowest height is 4')
})
