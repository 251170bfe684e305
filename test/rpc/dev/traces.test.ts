import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const receiver = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const contract = '0x00000000000000000000000000000000000c0de1'

/** Sends 1 wei on to the receiver, then stores 1 at slot 1. */
const code = `0x5f5f5f5f600173${receiver.slice(2)}5af16001556001600155`

type Frame = {
  readonly action: { readonly from: string; readonly to: string; readonly value: string }
  readonly traceAddress: readonly number[]
  readonly transactionHash?: string
}

function tracedChain() {
  const { call, command } = localSimulation()
  const read = (method: string, ...params: unknown[]) => {
    const { result, error } = call(method, ...params)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  read('evm_mine')
  read('hardhat_setCode', contract, code)
  const hash = read('eth_sendTransaction', { from, to: contract, value: '0x5', gas: '0x30d40' }) as string
  const number = read('eth_blockNumber') as string
  return { call, command, read, hash, number }
}

test('a transaction is traced as a flat list of frames', (t) => {
  const { read, hash, number } = tracedChain()
  const frames = read('trace_transaction', hash) as Frame[]
  t.like(frames, [
    {
      action: { from, to: contract, value: '0x5', callType: 'call', input: '0x' },
      subtraces: 1,
      traceAddress: [],
      type: 'call',
      transactionHash: hash,
      transactionPosition: 0,
      blockNumber: Number(number),
    },
    { action: { from: contract, to: receiver, value: '0x1' }, subtraces: 0, traceAddress: [0] },
  ])
  t.deepEqual(read('trace_block', number), frames)
  t.deepEqual(read('trace_block', 'latest'), frames)
})

// As Anvil 1.5 says: of the code alone, without the 21,000 of the transaction.
const ends: readonly (readonly [name: string, code: string, gas: string, frame: object])[] = [
  ['sends coins only', '0x', '0x5208', { action: { gas: '0x0' }, result: { gasUsed: '0x0', output: '0x' } }],
  ['reverts', '0x5f5ffd', '0x30d40', { action: { gas: '0x2bb38' }, result: { gasUsed: '0x4' }, error: 'Reverted' }],
  ['has no such instruction', '0xfe', '0x30d40', { action: { gas: '0x2bb38' }, error: 'Bad instruction' }],
]
for (const [name, code, gas, wanted] of ends) {
  test(`the frame and the changes of a transaction that ${name} are those of Anvil`, (t) => {
    const { read } = tracedChain()
    const to = '0x00000000000000000000000000000000000c0de2'
    read('hardhat_setCode', to, code)
    const hash = read('eth_sendTransaction', { from, to, gas }) as string
    const [frame] = read('trace_transaction', hash) as object[]
    t.like(frame, wanted)
    const { stateDiff } = read('trace_replayTransaction', hash, ['stateDiff']) as { stateDiff: object }
    t.deepEqual(stateDiff, {}, 'neither the fee nor the nonce is part of what code changes')
  })
}

test('what is not there has no frames', (t) => {
  const { read } = tracedChain()
  t.deepEqual(read('trace_transaction', `0x${'11'.repeat(32)}`), [])
  t.deepEqual(read('trace_block', '0x99'), [])
  read('evm_mine')
  t.deepEqual(read('trace_block', 'latest'), [])
})

test('a block that was pruned has no frames to show, which is an error', (t) => {
  const { call, command, read, number } = tracedChain()
  read('evm_mine')
  command({ type: 'prune', below: BigInt(number) + 1n })
  for (const [method, ...more] of [['trace_block'], ['trace_replayBlockTransactions', ['trace']]] as const) {
    t.is(call(method, number, ...more).error?.message, `height ${BigInt(number)} is not available, lowest height is 4`)
  }
})

test('frames are found by sender and receiver', (t) => {
  const { read, call, number } = tracedChain()
  read('evm_mine')
  const found = (filter: object) =>
    (read('trace_filter', { fromBlock: '0x1', toBlock: 'latest', ...filter }) as Frame[]).map(
      ({ traceAddress }) => traceAddress,
    )
  t.deepEqual(found({ fromAddress: [from], toBlock: number, fromBlock: number }), [[]])
  t.deepEqual(found({ toAddress: [receiver] }), [[0]])
  t.deepEqual(found({ fromAddress: [from], toAddress: [receiver] }), [[], [0]])
  t.deepEqual(found({ fromAddress: [from], toAddress: [receiver], mode: 'intersection' }), [])
  t.deepEqual(found({ after: 1, count: 1 }), [[0]])
  t.deepEqual(found({ count: 0 }), [])
  t.deepEqual(read('trace_filter', {}), [], 'the newest block alone')
  t.regex(call('trace_filter', { mode: 'both' }).error?.message ?? '', /"union"/)
})

test('a replay says what a transaction changed', (t) => {
  const { read, call, hash, number } = tracedChain()
  const both = read('trace_replayTransaction', hash, ['trace', 'stateDiff']) as {
    readonly trace: readonly Frame[]
    readonly stateDiff: Readonly<Record<string, Record<string, unknown>>>
  }
  t.deepEqual(
    both.trace.map(({ traceAddress }) => traceAddress),
    [[], [0]],
  )
  t.is(both.trace[0]?.transactionHash, undefined)
  const slot = `0x${'1'.padStart(64, '0')}`
  t.deepEqual(both.stateDiff[contract], {
    balance: { '*': { from: '0x0', to: '0x4' } },
    code: '=',
    nonce: '=',
    storage: { [slot]: { '*': { from: `0x${'00'.repeat(32)}`, to: slot } } },
  })
  t.like(read('trace_replayTransaction', hash, []), { trace: [], stateDiff: null, vmTrace: null })
  t.like(read('trace_replayBlockTransactions', number, ['trace']), [{ trace: both.trace, transactionHash: hash }])
  t.regex(
    call('trace_replayTransaction', hash, ['steps']).error?.message ?? '',
    /expected "trace", "stateDiff" or "vmTrace", received "steps"/,
  )
  t.truthy(call('trace_replayTransaction', `0x${'11'.repeat(32)}`, ['trace']).error)
})

test('faithful nodes have no such methods', (t) => {
  const { call } = localSimulation({ ethApi: ['eth', 'debug'] })
  for (const method of ['trace_block', 'eth_coinbase', 'eth_signTypedData_v4', 'wallet_sendCalls']) {
    t.is(call(method, 'latest').error?.code, -32601, method)
  }
})
