/** Searches for an account's transactions in a fork and the other chain. */
import test from 'ava'
import { start, type Server } from '../../../src/index.ts'
import { startLocal, startPruning } from '../../helpers/server.ts'

const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const friend = `0x${'f1'.repeat(20)}`
const creation = '0x6001600c60003960016000f300'

type Tx = { readonly hash: string; readonly blockNumber: string }
type Page = {
  readonly txs: readonly Tx[]
  readonly receipts: readonly { readonly transactionHash: string }[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

const ask = ({ eth }: Server, method: string, ...params: readonly unknown[]) => eth.request({ method, params })

const send = async (server: Server, more: object = { to: friend, value: '0x1' }) =>
  String(await ask(server, 'eth_sendTransaction', { from: owner, ...more }))

/** Sends this many transfers in blocks of their own. Resolves with their hashes, the newest first. */
async function sent(server: Server, count: number): Promise<readonly string[]> {
  const hashes: string[] = []
  while (hashes.length < count) hashes.unshift(await send(server))
  return hashes
}

const forkOf = (other: Server) => start({ ports: 'free', fork: { from: [other.urls.eth], timeoutMs: 300_000 } })

/** Returns a function that reads all pages of a search, as Otterscan does, and checks their receipts. */
function pagesOf(
  server: Server,
  size: number,
): (method: 'Before' | 'After') => Promise<readonly (readonly string[])[]> {
  return async (method) => {
    const pages: (readonly string[])[] = []
    for (let block = 0; pages.length < 20; ) {
      const page = (await ask(server, `ots_searchTransactions${method}`, owner, block, size)) as Page
      const hashes = page.txs.map(({ hash }) => hash)
      if (page.receipts.some(({ transactionHash }, at) => transactionHash !== hashes[at])) throw new Error('receipts')
      // The search may end before the oldest block, which has no transactions.
      if (hashes.length > 0) pages.push(hashes)
      const next = method === 'Before' ? page.txs.at(-1) : page.txs[0]
      if (next === undefined || (method === 'Before' ? page.lastPage : page.firstPage)) break
      block = Number(next.blockNumber)
    }
    return pages
  }
}

test('the pages of an account contain the transactions of both chains', async (t) => {
  await using other = await startLocal()
  const before = await sent(other, 4)
  await using fork = await forkOf(other)
  await sent(other, 2)
  const all = [...(await sent(fork, 3)), ...before]
  for (const size of [1, 2, 3, 5, 7, 50]) {
    const read = pagesOf(fork, size)
    const parts = Array.from({ length: Math.ceil(all.length / size) }, (_, at) => at * size)
    t.deepEqual(
      await read('Before'),
      parts.map((at) => all.slice(at, at + size)),
      `before ${size}`,
    )
    t.deepEqual(
      await read('After'),
      parts.map((at) =>
        all
          .toReversed()
          .slice(at, at + size)
          .reverse(),
      ),
      `after ${size}`,
    )
  }
})

test('a fork of a fork, too', async (t) => {
  await using first = await startLocal()
  const oldest = await sent(first, 2)
  await using second = await forkOf(first)
  const middle = await sent(second, 2)
  await using third = await forkOf(second)
  const all = [...(await sent(third, 1)), ...middle, ...oldest]
  t.deepEqual(await pagesOf(third, 50)('Before'), [all])
  t.deepEqual(
    (await pagesOf(third, 2)('After')).flatMap((page) => page.toReversed()),
    all.toReversed(),
  )
})

test('a transaction of a sender and the creator of a contract are found in both chains up to the fork', async (t) => {
  await using other = await startLocal()
  const created = await send(other, { data: creation })
  const { contractAddress: below } = (await ask(other, 'eth_getTransactionReceipt', created)) as Receipt
  await using fork = await forkOf(other)
  const later = await send(other, { data: creation })
  const { contractAddress: above } = (await ask(other, 'eth_getTransactionReceipt', later)) as Receipt
  const find = (nonce: number) => ask(fork, 'ots_getTransactionBySenderAndNonce', owner, nonce)
  t.is(await find(0), created)
  t.is(await find(1), null)
  t.like(await ask(fork, 'eth_getTransactionBySenderAndNonce', owner, '0x0'), { hash: created })
  t.deepEqual(await ask(fork, 'ots_getContractCreator', below), { hash: created, creator: owner })
  t.is(await ask(fork, 'ots_getContractCreator', above), null)
  const ours = await send(fork, { data: creation, gas: '0x20000' })
  t.is(await find(1), ours)
  t.deepEqual(await ask(fork, 'ots_getContractCreator', above), { hash: ours, creator: owner })
})

type Receipt = { readonly contractAddress: string }

test('a fork of a node without these methods finds its own transactions', async (t) => {
  await using other = await startLocal({ ethApi: ['eth', 'net', 'web3'] })
  await using fork = await forkOf(other)
  const [hash = ''] = await sent(fork, 1)
  t.deepEqual(await pagesOf(fork, 5)('Before'), [[hash]])
  t.deepEqual(await pagesOf(fork, 5)('After'), [[hash]])
  t.is(await ask(fork, 'ots_getTransactionBySenderAndNonce', owner, 0), hash)
  t.is(await ask(fork, 'ots_getContractCreator', friend), null)
})

test('a page after a pruned block begins with the first block that is left', async (t) => {
  await using server = await startPruning(5)
  server.mine(20)
  const [hash = ''] = await sent(server, 1)
  t.deepEqual(await pagesOf(server, 5)('After'), [[hash]])
})
