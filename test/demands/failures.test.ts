/** What users asked of other tools (`peers.md` §4), A: failures of nodes and networks. */
import anyTest, { type TestFn } from 'ava'
import { createPublicClient, encodeFunctionData, http, type Abi, type Hex } from 'viem'
import { withChain, type ChainContext } from '../../src/shell/testing/ava.ts'
import { demoToken } from '../helpers/contracts.ts'
import { messages } from '../helpers/heads.ts'
import { eventually } from '../helpers/server.ts'

const test = anyTest as TestFn<ChainContext>
withChain(test, { settings: { pace: 'manual' } })

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
type Chain = ChainContext['chain']
const send = (chain: Chain, more: object = {}) =>
  chain.eth.request<string>({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1', ...more }] })
const block = (chain: Chain, tag: string) =>
  chain.eth.request<{
    number: string
    hash: string
    timestamp: string
    transactions: string[]
  }>({ method: 'eth_getBlockByNumber', params: [tag, false] })

/** How many of so many answers hold. */
async function times(count: number, holds: () => Promise<boolean>): Promise<number> {
  const found = await Promise.all(Array.from({ length: count }, holds))
  return found.filter((one) => one).length
}

test('demand 1: receipts are lost at a rate or come late, and a transaction is never mined', async (t) => {
  const { chain } = t.context
  const receiptOf = (hash: string) => chain.eth.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const hash = await send(chain)
  const end = await chain.fault('lost', {
    match: { method: 'eth_getTransactionReceipt' },
    select: { probability: '1/2' },
    effect: { nullResult: true },
  })
  const lost = await times(40, async () => (await receiptOf(hash)) === null)
  t.true(lost > 8 && lost < 32, String(lost))
  end()
  const late = await chain.fault('late', { effect: { indexLag: '2 blocks' } })
  const second = await send(chain)
  t.is(await receiptOf(second), null)
  chain.mine(2)
  t.not(await receiptOf(second), null)
  late()
  chain.operate({ type: 'holdNext', rule: { name: 'never', nth: 1, matched: 0 } })
  const never = await send(chain)
  chain.mine(5)
  t.is(await receiptOf(never), null)
  t.is(
    (await chain.eth.request<{ blockNumber: null }>({ method: 'eth_getTransactionByHash', params: [never] }))
      .blockNumber,
    null,
  )
})

test('demand 1, logs and events: one of three logs is missing, and half of the heads are dropped', async (t) => {
  const { chain } = t.context
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const hash = await chain.eth.request<string>({
    method: 'eth_sendTransaction',
    params: [{ from, data: bytecode, gas: '0x300000' }],
  })
  const { contractAddress: token } = await chain.eth.request<{
    contractAddress: string
  }>({ method: 'eth_getTransactionReceipt', params: [hash] })
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 1n] })
  for (let sent = 0; sent < 2; sent++) {
    await send(chain, { to: token, value: '0x0', data, gas: '0x20000' })
  }
  const logs = async () =>
    (
      await chain.eth.request<{ logIndex: string; blockNumber: string }[]>({
        method: 'eth_getLogs',
        params: [{ fromBlock: '0x1', address: token }],
      })
    ).map(({ blockNumber }) => blockNumber)
  const all = await logs()
  t.is(all.length, 3)
  const whole = await chain.fault('missing', { match: { method: 'eth_getLogs' }, effect: { mutate: { remove: '/1' } } })
  t.deepEqual(await logs(), [all[0], all[2]])
  whole()
  const { heard, close } = await messages(chain.urls.ethWs, ['newHeads'])
  const deaf = await chain.fault('deaf', {
    match: { subscription: 'newHeads' },
    select: { probability: '1/2' },
    effect: { ws: { drop: true } },
  })
  chain.mine(40)
  deaf()
  const last = chain.mine(1)
  await eventually(() => heard.some((text) => String(text).includes(`"number":"0x${last.toString(16)}"`)))
  t.true(heard.length > 8 && heard.length < 34, String(heard.length))
  close()
})

test('demand 2: blocks are taken back and others with chosen transactions stand in their place', async (t) => {
  const { chain } = t.context
  await send(chain)
  const lost = await send(chain)
  const before = await block(chain, 'latest')
  await chain.eth.request({ method: 'anvil_reorg', params: [2, [[{ from, to, value: '0x7' }, 0]]] })
  const after = await block(chain, before.number)
  t.not(after.hash, before.hash)
  t.is(await chain.eth.request({ method: 'eth_getTransactionReceipt', params: [lost] }), null)
  const first = await block(chain, `0x${(BigInt(before.number) - 1n).toString(16)}`)
  const [chosen = ''] = first.transactions
  t.is(first.transactions.length, 1)
  t.like(await chain.eth.request<object>({ method: 'eth_getTransactionByHash', params: [chosen] }), {
    from,
    to,
    value: '0x7',
  })
})

test('demand 3: after a rollback hashes, receipts and both sides tell the same story', async (t) => {
  const { chain } = t.context
  const hash = await send(chain)
  const { number } = await block(chain, 'latest')
  await chain.eth.request({ method: 'anvil_rollback', params: [1] })
  t.is(await chain.eth.request({ method: 'eth_getTransactionByHash', params: [hash] }), null)
  t.is(await block(chain, number), null as never)
  const {
    sync_info: { latest_block_height: height },
  } = await chain.comet.call<{
    sync_info: { latest_block_height: string }
  }>('status')
  t.is(BigInt(height), BigInt(number) - 1n)
})

const limits = [
  ['infuraResults', 200, -32005, /query returned more than 10000 results/],
  ['quicknodeRange', 413, -32614, /eth_getLogs is limited to a 10,000 range/],
  ['infura', 429, -32005, /project ID request rate exceeded/],
  ['alchemy', 429, 429, /compute units per second/],
  ['alchemyMonthly', 403, -32600, /Monthly capacity limit exceeded/],
  ['quicknode', 200, -32007, /request limit reached/],
] as const
for (const [provider, status, code, words] of limits) {
  test(`demand 4: the limit ${provider} has the status, the code and the words of its provider`, async (t) => {
    const { chain } = t.context
    await chain.fault('limit', { match: { method: 'eth_getLogs' }, effect: { provider } })
    const answer = await fetch(chain.urls.eth, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":7,"method":"eth_getLogs","params":[{}]}',
    })
    const { id, error } = (await answer.json()) as {
      id: number
      error: { code: number; message: string }
    }
    t.deepEqual([answer.status, id, error.code], [status, 7, code])
    t.regex(error.message, words)
  })
}

test('demand 5: a client that is refused with 429 or 500, or not answered, tries again and gets through', async (t) => {
  const { chain } = t.context
  const effects = [
    { http: { status: 429 } },
    { http: { status: 500 } },
    { http: { status: 503 } },
    { timeout: '10ms' },
    { reset: 'beforeHeaders' },
  ] as const
  for (const effect of effects) {
    await chain.fault('refused', { match: { method: 'eth_chainId' }, select: { count: 2, per: 'attempt' }, effect })
    const before = chain.journal().calls.length
    const client = createPublicClient({ transport: http(chain.urls.eth, { retryDelay: 1 }) })
    t.is(await client.getChainId(), 31337)
    t.is(chain.journal().calls.length - before, 3, JSON.stringify(effect))
  }
})

test('demand 7: a transaction is pending until a block is made', async (t) => {
  const { chain } = t.context
  await chain.eth.request({ method: 'evm_setAutomine', params: [false] })
  const hash = await send(chain)
  const at = async () =>
    (await chain.eth.request<{ blockNumber: string | null }>({ method: 'eth_getTransactionByHash', params: [hash] }))
      .blockNumber
  t.is(await at(), null)
  t.is(await chain.eth.request({ method: 'eth_getTransactionReceipt', params: [hash] }), null)
  chain.mine()
  t.regex(String(await at()), /^0x/)
})
