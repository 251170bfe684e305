/** Nodes that are behind or disagree, as clients of both interfaces see them. */
import test from 'ava'
import { createPublicClient, createWalletClient, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import type { Server } from '../../src/index.ts'
import { chainOf, startLocal } from '../helpers/server.ts'

const account = mnemonicToAccount('test test test test test test test test test test test junk')

function viemOf({ urls }: Server) {
  const shared = {
    chain: chainOf(urls.eth),
    transport: http(urls.eth, { retryCount: 0 }),
    cacheTime: 0,
  }
  return { reader: createPublicClient(shared), writer: createWalletClient({ ...shared, account }) }
}

async function times<Value>(count: number, ask: () => Promise<Value>): Promise<Value[]> {
  const found: Value[] = []
  for (let asked = 0; asked < count; asked++) found.push(await ask())
  return found
}

test('two nodes behind one address disagree by turns, on both interfaces', async (t) => {
  await using server = await startLocal()
  server.mine(6)
  const height = Number(server.simulation().node.chain.height)
  await server.fault('behind', { effect: { stale: { lag: '2 blocks', flip: true } }, match: { iface: 'eth' } })
  const { reader } = viemOf(server)
  t.deepEqual(await times(4, async () => Number(await reader.getBlockNumber())), [
    height - 2,
    height,
    height - 2,
    height,
  ])
  await server.fault('other', { effect: { stale: { lag: '3 blocks', flip: true } }, match: { iface: 'comet' } })
  const comet = await Comet38Client.connect(server.urls.comet)
  t.deepEqual(await times(3, async () => (await comet.status()).syncInfo.latestBlockHeight), [
    height - 3,
    height,
    height - 3,
  ])
  comet.disconnect()
})

test('a node that is behind by time does not know what was made since', async (t) => {
  await using server = await startLocal({ pace: 'manual' })
  const { reader } = viemOf(server)
  server.mine(2)
  const before = Number(server.simulation().node.chain.height)
  await server.advance('10s')
  server.mine(3)
  await server.fault('behind', { effect: { stale: { lag: '4s' } } })
  t.is(Number(await reader.getBlockNumber()), before)
  t.is(
    await reader.getBlock({ blockNumber: BigInt(before + 1) }).catch(({ name }: Error) => name),
    'BlockNotFoundError',
  )
  await server.advance('4s')
  t.is(Number(await reader.getBlockNumber()), before + 3)
})

test('a nonce read from a node that is behind is an old one, and writing still works', async (t) => {
  await using server = await startLocal()
  const { reader, writer } = viemOf(server)
  const send = (nonce: number) =>
    writer.sendTransaction({
      to: account.address,
      value: 1n,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    })
  await send(0)
  await server.fault('behind', { match: { method: 'eth_getTransactionCount' }, effect: { stale: { lag: '1 block' } } })
  t.is(await reader.getTransactionCount({ address: account.address }), 0)
  const error = await t.throwsAsync(send(0))
  t.regex(String(error), /nonce/i)
  await send(1)
  t.is(await reader.getTransactionCount({ address: account.address }), 1)
})

test('receipts, logs and searches come later than their block', async (t) => {
  await using server = await startLocal()
  const { reader, writer } = viemOf(server)
  const comet = await Comet38Client.connect(server.urls.comet)
  await server.fault('late', { effect: { indexLag: '2 blocks' } })
  const hash = await writer.sendTransaction({ to: account.address, value: 1n })
  const height = server.simulation().node.chain.height
  const tx = (await comet.block(Number(height))).block.txs[0] ?? new Uint8Array(0)
  const cometHash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(tx)))
  const seen = async () => [
    await reader.getTransactionReceipt({ hash }).then(
      ({ status }) => status,
      ({ name }: Error) => name,
    ),
    await comet.tx({ hash: cometHash }).then(
      ({ height: at }) => at,
      ({ message }: Error) => /not found/.test(message),
    ),
    (await comet.txSearch({ query: `tx.height=${height}` })).totalCount,
  ]
  t.is(Number(await reader.getBlockNumber()), Number(height))
  t.is((await reader.getBlock()).transactions.length, 1)
  t.deepEqual(await seen(), ['TransactionReceiptNotFoundError', true, 0])
  server.mine(1)
  t.deepEqual(await seen(), ['TransactionReceiptNotFoundError', true, 0])
  server.mine(1)
  t.deepEqual(await seen(), ['success', Number(height), 1])
  comet.disconnect()
})
