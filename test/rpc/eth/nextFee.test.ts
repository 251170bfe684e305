/** Fees of a few wei, where what the next block asks for and what the last did are far apart. */
import test from 'ava'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** A chain whose newest block has a base fee of some wei. */
function chainAt(baseFee: number, quirks: readonly string[] = []): Asked {
  const chain = localSimulation({ quirks: [...quirks] })
  chain.call('evm_mine')
  chain.call('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`)
  chain.call('evm_mine')
  return chain
}

/** What `eth_feeHistory` says the next block costs. */
function nextFee({ call }: Asked): number {
  const { result } = call('eth_feeHistory', '0x1', 'latest', [])
  return Number((result as { baseFeePerGas: readonly string[] }).baseFeePerGas[1])
}

const send = ({ call }: Asked, gasPrice: number) =>
  call('eth_sendTransaction', {
    from,
    to: from,
    gas: '0x5208',
    gasPrice: `0x${gasPrice.toString(16)}`,
  })

const pays = test.macro((t, baseFee: number) => {
  const chain = chainAt(baseFee)
  const fee = nextFee(chain)
  const { result, error } = send(chain, fee)
  t.is(error, undefined)
  t.like(chain.call('eth_getTransactionReceipt', result).result, { status: '0x1' })
  const { baseFeePerGas } = chain.call('eth_getBlockByNumber', 'latest', false).result as {
    readonly baseFeePerGas: string
  }
  t.is(Number(baseFeePerGas), fee, 'eth_feeHistory said so')
})

for (const baseFee of [1, 2, 3, 4, 9, 10, 1_000_000_000]) {
  test(`the next base fee after ${baseFee} wei is known, and paying it is enough`, pays, baseFee)
}

test('the fees of blocks that are there are theirs', (t) => {
  const { call } = chainAt(9)
  call('evm_mine')
  const fees = (count: string, newest: string) =>
    (call('eth_feeHistory', count, newest, []).result as { baseFeePerGas: readonly string[] }).baseFeePerGas
  t.deepEqual(fees('0x2', '0x3'), fees('0x3', '0x4').slice(0, 3))
})

test('less than the next base fee is refused', (t) => {
  const chain = chainAt(90)
  t.regex(send(chain, nextFee(chain) - 1).error?.message ?? '', /less than block base fee/)
})

test('the node asks for the base fee of the last block', (t) => {
  const { error } = send(chainAt(9, ['last-fee-required']), 8)
  t.regex(error?.message ?? '', /max fee per gas less than block base fee \(8 < 9\)/)
})

const suggestions = (chain: Asked) => ({
  gasPrice: Number(chain.call('eth_gasPrice').result),
  tip: Number(chain.call('eth_maxPriorityFeePerGas').result),
})

const raised = 10_000_000_000

test('suggested prices cover a base fee that rises in the next block', (t) => {
  const chain = chainAt(1_000_000_000)
  chain.call('hardhat_setNextBlockBaseFeePerGas', `0x${raised.toString(16)}`)
  t.deepEqual(suggestions(chain), { gasPrice: (raised * 9) / 8, tip: raised / 8 })
  const { result, error } = chain.call('eth_sendTransaction', { from, to: from })
  t.is(error, undefined)
  t.like(chain.call('eth_getTransactionReceipt', result).result, { status: '0x1' })
})

test('suggested prices do not fall below the base fee of the last block', (t) => {
  const chain = chainAt(1_000_000_000)
  chain.call('evm_mine')
  const { baseFeePerGas } = chain.call('eth_getBlockByNumber', 'latest', false).result as { baseFeePerGas: string }
  const last = Number(baseFeePerGas)
  t.true(nextFee(chain) < last)
  t.is(suggestions(chain).gasPrice, last + Math.floor(last / 8))
})

test('the node suggests prices for the base fee of the last block', (t) => {
  const chain = chainAt(1_000_000_000, ['pending-is-latest'])
  chain.call('hardhat_setNextBlockBaseFeePerGas', `0x${raised.toString(16)}`)
  t.is(suggestions(chain).gasPrice, 1_125_000_000)
})

/** Returns BASEFEE. */
const readsFee = '0x485f5260205ff3'

test('the trace of a transaction runs with the base fee of its block, as the transaction did', (t) => {
  const chain = chainAt(1_000_000)
  const kept = '0x000000000000000000000000000000000000c0de'
  chain.call('anvil_setCode', kept, '0x485f5260205fa0485f5260205ff3')
  const hash = chain.call('eth_sendTransaction', { from, to: kept, gas: '0x20000' }).result
  const { logs } = chain.call('eth_getTransactionReceipt', hash).result as { logs: readonly { data: string }[] }
  const { baseFeePerGas } = chain.call('eth_getBlockByNumber', 'latest', false).result as { baseFeePerGas: string }
  t.is(Number(logs[0]?.data), Number(baseFeePerGas))
  t.like(chain.call('debug_traceTransaction', hash, { tracer: 'callTracer' }).result, { output: logs[0]?.data })
})

test('a traced message has the base fee of its block, and that of the next one with a quirk', (t) => {
  const seen = (chain: Asked) => {
    const { output } = chain.call('debug_traceCall', { from, data: readsFee }, 'latest', { tracer: 'callTracer' })
      .result as { output: string }
    return Number(output)
  }
  t.is(seen(chainAt(1_000_000)), 1_000_000)
  const asNode = chainAt(1_000_000, ['trace-call-next-fee'])
  t.is(seen(asNode), nextFee(asNode))
  t.not(nextFee(asNode), 1_000_000)
})
