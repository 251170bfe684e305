/**
 * Traces and the chain configuration over `abci_query`: requests and answers put together by hand.
 */
import test from 'ava'
import { encodeFunctionData, hexToBytes, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start, type Server } from '../../../../src/index.ts'
import { demoToken } from '../../../helpers/contracts.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const fees = {
  chainId: 31337,
  gas: 3_000_000n,
  maxFeePerGas: 10n ** 11n,
  maxPriorityFeePerGas: 1n,
  type: 'eip1559',
} as const

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)])
const number = (field: number, value: number) => [...varint(field << 3), ...varint(value)]
const bytes = (field: number, value: Iterable<number>) => {
  const all = [...value]
  return [...varint((field << 3) | 2), ...varint(all.length), ...all]
}
const text = (field: number, value: string) => bytes(field, Buffer.from(value))
const ethereum = (raw: Hex) => bytes(6, hexToBytes(raw))

type Told = { response: { code: number; log: string; value: string | null } }

async function ask(server: Server, method: string, data: readonly number[], height = 0): Promise<Buffer> {
  const { response } = (await server.comet.call('abci_query', {
    path: `/cosmos.evm.vm.v1.Query/${method}`,
    data: Buffer.from(data).toString('hex'),
    height: String(height),
    prove: false,
  })) as Told
  if (response.code !== 0) throw new Error(response.log)
  return Buffer.from(response.value ?? '', 'base64')
}

/** Field 1 of an answer, whose length takes as many bytes as it needs. */
function dataOf(answer: Buffer): unknown {
  let at = 1
  while ((answer[at] ?? 0) >= 0x80) at += 1
  return JSON.parse(answer.subarray(at + 1).toString())
}

type Sent = { readonly raw: Hex; readonly hash: string }

/** A chain with a token, and two transfers of it in one block of height 3. */
async function withTransfers() {
  // The services trace as the node does: with the gas that was charged.
  const server = await start({
    ports: 'none',
    settings: { blocks: 'manual', quirks: ['trace-charged-gas'] },
  })
  const request = (method: string, ...params: unknown[]) => server.eth.request({ method, params })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const send = async (nonce: number, to: Hex | undefined, data: Hex): Promise<Sent> => {
    const raw = await alice.signTransaction({ ...fees, nonce, data, ...(to && { to }) })
    return { raw, hash: (await request('eth_sendRawTransaction', raw)) as string }
  }
  const { hash } = await send(0, undefined, bytecode)
  server.mine()
  const { contractAddress: token } = (await request('eth_getTransactionReceipt', hash)) as { contractAddress: Hex }
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 5n] })
  const first = await send(1, token, data)
  const second = await send(2, token, data)
  server.mine()
  const height = Number(await request('eth_blockNumber'))
  return { server, request, first, second, token, data, height }
}

const callTracer = bytes(3, text(1, 'callTracer'))

test('a transaction is traced as Ethereum JSON-RPC traces it, after those before it', async (t) => {
  const { server, request, first, second, height } = await withTransfers()
  const data = [
    ...bytes(1, ethereum(second.raw)),
    ...callTracer,
    ...bytes(4, ethereum(first.raw)),
    ...number(5, height),
  ]
  const told = dataOf(await ask(server, 'TraceTx', data, height - 1))
  t.deepEqual(told, await request('debug_traceTransaction', second.hash, { tracer: 'callTracer' }))
  const steps = dataOf(
    await ask(
      server,
      'TraceTx',
      [...bytes(1, ethereum(first.raw)), ...bytes(3, [...number(5, 1), ...number(9, 3)])],
      height - 1,
    ),
  )
  t.is((steps as { structLogs: unknown[] }).structLogs.length, 1, 'the limit is of bytes: one step is over it')
  t.false('stack' in (steps as { structLogs: object[] }).structLogs[0]!)
  await server.close()
})

test('the transactions of a block are traced one after the other', async (t) => {
  const { server, request, first, second, height } = await withTransfers()
  const data = [
    ...bytes(1, ethereum(first.raw)),
    ...bytes(1, ethereum(second.raw)),
    ...callTracer,
    ...number(5, height),
  ]
  const told = dataOf(await ask(server, 'TraceBlock', data, height - 1)) as { result: unknown }[]
  const wanted = await Promise.all(
    [first, second].map(({ hash }) => request('debug_traceTransaction', hash, { tracer: 'callTracer' })),
  )
  t.deepEqual(
    told,
    wanted.map((result) => ({ result })),
  )
  await server.close()
})

test('a call is traced on the state that was asked for', async (t) => {
  const { server, request, token, data, height } = await withTransfers()
  const call = { from: alice.address, to: token, data, gas: '0x2dc6c0' }
  const told = dataOf(
    await ask(
      server,
      'TraceCall',
      [...text(1, JSON.stringify(call)), ...number(2, 3_000_000), ...bytes(4, text(1, 'callTracer'))],
      height,
    ),
  )
  t.deepEqual(told, await request('debug_traceCall', call, 'latest', { tracer: 'callTracer' }))
  await server.close()
})

test('the configuration has the forks up to Prague, and no later one', async (t) => {
  const server = await start({ ports: 'none' })
  const answer = [...(await ask(server, 'Config', []))]
  t.deepEqual(answer.slice(-4), text(29, '0'))
  t.true(Buffer.from(answer).includes(Buffer.from(number(24, 31337))))
  await server.close()
})

const refused = test.macro(async (t, method: string, data: readonly number[], expected: RegExp) => {
  const server = await start({ ports: 'none' })
  await t.throwsAsync(ask(server, method, data), { message: expected })
  await server.close()
})

test('a trace of nothing is refused', refused, 'TraceTx', [], /InvalidArgument/)
test('a transaction that is none is refused', refused, 'TraceTx', bytes(1, bytes(6, [1, 2])), /InvalidArgument/)
test(
  'an unknown tracer is refused',
  refused,
  'TraceCall',
  [...text(1, `{"to":"${bob}"}`), ...number(2, 90_000), ...bytes(4, text(1, 'noSuchTracer'))],
  /noSuchTracer/,
)
test(
  'a tracer config that is no JSON is refused',
  refused,
  'TraceCall',
  [...text(1, `{"to":"${bob}"}`), ...number(2, 90_000), ...bytes(4, [...text(1, 'callTracer'), ...text(13, '{')])],
  /no JSON/,
)
test(
  'a trace after the next block is refused',
  refused,
  'TraceCall',
  [...text(1, `{"to":"${bob}"}`), ...number(5, 9)],
  /FailedPrecondition desc = requested height \[9\] must be less than or equal to current height \[\d\]/,
)
test(
  'a trace of a call in a block that nobody proposed is refused',
  refused,
  'TraceCall',
  [...text(1, '{'), ...bytes(3, [7])],
  /Internal desc = failed to load evm config: failed to obtain coinbase address: .* cosmosvalcons1qudr8gqx\. Error/,
)
test(
  'a trace of a block that nobody proposed is refused',
  refused,
  'TraceBlock',
  bytes(8, [7]),
  /Internal desc = failed to load evm config: unknown request$/,
)
