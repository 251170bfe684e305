/** The sizes of contracts and of their creation code (EIP-170, EIP-3860), and the setting that lifts both. */
import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** Creation code that returns so many zero bytes as the contract; `padding` makes it longer. */
const creationOf = (length: number, padding = 0): string =>
  `0x61${length.toString(16).padStart(4, '0')}6000f3${'00'.repeat(padding)}`

const [most, creationMost] = [24_576, 49_152]

test('a contract has at most 24,576 bytes, and its creation code 49,152', (t) => {
  const { call } = localSimulation()
  const deploy = (data: string) => call('eth_sendTransaction', { from, data, gas: '0x989680' }).result
  const statusOf = (hash: unknown) =>
    (call('eth_getTransactionReceipt', hash).result as { readonly status: string } | null)?.status
  t.is(statusOf(deploy(creationOf(most, creationMost - 6))), '0x1')
  t.is(statusOf(deploy(creationOf(most + 1))), '0x0')
  t.regex(call('eth_estimateGas', { from, data: creationOf(most + 1) }).error?.message ?? '', /max code size exceeded/)
  const { error } = call('eth_sendTransaction', { from, data: creationOf(1, creationMost - 5), gas: '0x989680' })
  t.regex(error?.message ?? '', /max initcode size exceeded: code size 49153, limit 49152/)
})

test('with --disable-code-size-limit, both may be longer, in transactions, calls and simulations', (t) => {
  const { call } = localSimulation({ unlimitedCode: true })
  const data = creationOf(30_000, 60_000)
  const gas = call('eth_estimateGas', { from, data }).result
  const hash = call('eth_sendTransaction', { from, data, gas }).result
  const receipt = call('eth_getTransactionReceipt', hash).result as Record<string, string>
  t.is(receipt['status'], '0x1')
  t.is(String(call('eth_getCode', receipt['contractAddress'], 'latest').result).length, 2 + 2 * 30_000)
  t.is(String(call('eth_call', { from, data, gas }, 'latest').result).length, 2 + 2 * 30_000)
  const simulated = call('eth_simulateV1', { blockStateCalls: [{ calls: [{ from, data, gas }] }] }, 'latest')
  const [block] = simulated.result as [{ readonly calls: readonly { readonly status: string }[] }]
  t.is(block.calls[0]?.status, '0x1')
  const trace = call('debug_traceTransaction', hash, { tracer: 'callTracer' }).result as Record<string, string>
  t.is(trace['error'], undefined)
})
