/** What users asked of other tools (`peers.md` §4), A: failures of nodes and networks. */
import anyTest, { type TestFn } from 'ava'
import { createPublicClient, http } from 'viem'
import { withChain, type ChainContext } from '../../src/shell/testing/ava.ts'
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
  chain.eth.request<{ number: string; hash: string; timestamp: string; transactions: string[] }>({ method: 'eth_getBlockByNumber', params: [tag, false] })

test('demand 1: receipts are lost at a rate, transactions never mined, logs missing, heads dropped', async (t) => {
  const { chain } = t.context
  const hash = await send(chain)
  const end = await chain.fault('lost', { match: { method: 'eth_getTransactionReceipt' }, select: { probability: '1/2' }, effect: { nullResult: true } })
  const receipts = await Promise.all(Array.from({ length: 40 }, () => chain.eth.request({ method: 'eth_getTransactionReceipt', params: [hash] })))
  const lost = receipts.filter((one) => one === null).length
  t.true(lost > 8 && lost < 32, String(lost))
  end()
  const logs = await chain.fault('no logs', { match: { method: 'eth_getLogs' }, effect: { nullResult: true } })
  t.is(await chain.eth.request({ method: 'eth_getLogs', params: [{}] }), null)
  logs()
  const { heard, close } = await messages(chain.urls.ethWs, ['newHeads'])
  const deaf = await chain.fault('deaf', { match: { subscription: 'newHeads' }, effect: { ws: { drop: true } } })
  chain.mine(2)
  deaf()
  chain.mine(3)
  await eventually(() => heard.length === 3)
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
  t.is(first.transactions.length, 1)
})

test('demand 3: after a rollback hashes, receipts and both sides tell the same story', async (t) => {
  const { chain } = t.context
  const hash = await send(chain)
  const { number } = await block(chain, 'latest')
  await chain.eth.request({ method: 'anvil_rollback', params: [1] })
  t.is(await chain.eth.request({ method: 'eth_getTransactionByHash', params: [hash] }), null)
  t.is(await block(chain, number), null as never)
  const { sync_info: { latest_block_height: height } } = await chain.comet.call<{ sync_info: { latest_block_height: string } }>('status')
  t.is(BigInt(height), BigInt(number) - 1n)
})

test("demand 4: a provider's limit on logs comes in the provider's own words", async (t) => {
  const { chain } = t.context
  await chain.fault('limit', { match: { method: 'eth_getLogs' }, effect: { provider: 'infuraResults' } })
  const client = createPublicClient({ transport: http(chain.urls.eth, { retryCount: 0 }) })
  const error = await t.throwsAsync(client.getLogs({ fromBlock: 0n }))
  t.regex(String(error), /query returned more than 10000 results/)
})

test('demand 5: a client that is refused with 429 or 500 tries again and gets through', async (t) => {
  const { chain } = t.context
  const seen: string[] = []
  for (const status of [429, 500, 503]) {
    await chain.fault('refused', { match: { method: 'eth_chainId' }, select: { count: 2, per: 'attempt' }, effect: { http: { status } } })
    seen.push(String(await createPublicClient({ transport: http(chain.urls.eth, { retryDelay: 1 }) }).getChainId()))
  }
  t.deepEqual(seen, ['31337', '31337', '31337'])
})

test('demand 7: a transaction is pending until a block is made', async (t) => {
  const { chain } = t.context
  await chain.eth.request({ method: 'evm_setAutomine', params: [false] })
  const hash = await send(chain)
  const at = async () => (await chain.eth.request<{ blockNumber: string | null }>({ method: 'eth_getTransactionByHash', params: [hash] })).blockNumber
  t.is(await at(), null)
  t.is(await chain.eth.request({ method: 'eth_getTransactionReceipt', params: [hash] }), null)
  chain.mine()
  t.regex(String(await at()), /^0x/)
})
