/**
 * cosmjs over one WebSocket: calls and several queries at once, one twice, left and taken up again.
 */
import { calculateFee, coin, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { DirectEthSecp256k1Wallet } from '@cosmjs/proto-signing'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { fromHex, toBech32 } from '@cosmjs/encoding'
import { CosmjsSocket } from '../../helpers/cosmjsSocket.ts'
import { fresh, keys, plain, sleep, whyOf, type Where } from './stage.ts'

export async function cometSockets({ comet }: Where): Promise<unknown> {
  const live = Comet38Client.create(new CosmjsSocket(comet))
  const signer = await DirectEthSecp256k1Wallet.fromKey(fromHex(keys[3].slice(2)), 'cosmos')
  const [{ address: me } = { address: '' }] = await signer.getAccounts()
  const to = toBech32('cosmos', fromHex(fresh(0xd00d).slice(2)))
  const client = await SigningStargateClient.createWithSigner(live, signer, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 150,
  })
  const [heights, again, sends, anyTx]: [number[], number[], number[], number[]] = [[], [], [], []]
  const blocks = live.subscribeNewBlock()
  const first = blocks.subscribe({
    next: ({ header }) => {
      heights.push(header.height)
    },
    error: () => {},
  })
  const mine = live.subscribeTx(`message.sender='${me}' AND transfer.recipient='${to}'`).subscribe({
    next: ({ result }) => {
      sends.push(result.code)
    },
    error: () => {},
  })
  const every = live.subscribeTx().subscribe({
    next: ({ height }) => {
      anyTx.push(height)
    },
    error: () => {},
  })
  const fee = calculateFee(200_000, GasPrice.fromString('2000000000atest'))
  const sent = await client.sendTokens(me, to, [coin('5', 'atest')], fee, 'one')
  first.unsubscribe()
  await sleep(600)
  const second = live.subscribeNewBlock().subscribe({
    next: ({ header }) => {
      again.push(header.height)
    },
    error: () => {},
  })
  const two = await client.sendTokens(me, to, [coin('6', 'atest')], fee, 'two')
  await sleep(900)
  for (const one of [second, mine, every]) one.unsubscribe()
  const [status, search, blocksFound, info, count] = await Promise.all([
    live.status(),
    live.txSearch({ query: `transfer.recipient='${to}'`, order_by: 'desc' }),
    live.blockSearch({ query: `block.height <= ${sent.height}`, page: 1, per_page: 2 }),
    live.abciInfo(),
    live.numUnconfirmedTxs(),
  ])
  const balance = await client.getBalance(to, 'atest')
  const pages = await live.validatorsAll(sent.height)
  const missing = await whyOf(live.block(99_999_999))
  live.disconnect()
  const direct = await Promise.all(
    [
      `/block?height=${sent.height}`,
      `/tx?hash=0x${sent.transactionHash}`,
      '/abci_query?path="/app/version"',
      '/health',
      `/header?height=${two.height}`,
      '/tx_search?query="tx.height>1"&per_page=1',
      '/nothing',
      '/block?height=x',
    ].map(async (path) => {
      const response = await fetch(`${comet}${path}`)
      const text = await response.text()
      return [response.status, Object.keys((text.startsWith('{') ? JSON.parse(text) : { text }) as object).join()]
    }),
  )
  const isWhole = (list: readonly number[]) =>
    list.length > 0 && list.every((one, at) => at === 0 || one === (list[at - 1] ?? 0) + 1)
  // cosmjs keeps the listeners of a query that was left: when it is taken up again, each event is told twice.
  const once = again.filter((one, at) => one !== again[at - 1])
  return plain({
    sent: [sent.code, sent.transactionHash, sent.height],
    two: [two.code, two.height],
    sends,
    heard: anyTx.length >= 2,
    isWhole: [isWhole(heights), isWhole(once)],
    up: status.syncInfo.catchingUp,
    found: search.txs.map(({ result }) => result.code),
    blocks: blocksFound.blocks.length,
    balance,
    app: info.data !== undefined,
    pending: count.total,
    validators: pages.total,
    missing,
    direct,
  })
}
