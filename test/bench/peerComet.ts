/**
 * Rows of CometBFT RPC. No real node runs here: its figures are of the issue that asked for these
 * rows, two cores of another machine, so their ratios are rough.
 */
import { bech32Of } from '../../src/codec/bech32.ts'
import { bytesOfHex } from '../../src/codec/hex.ts'
import { QueryBalanceRequest } from '../../src/codec/messages/cosmos.ts'
import { callOf, getOf, load } from './load.ts'
import { ask, askAll } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { startProgram } from './peerNodes.ts'
import { first, senders, transfers } from './peerWork.ts'

const [connections, milliseconds, transactions] = [16, 1200, 600]

const balanceOfFirst = {
  path: '/cosmos.bank.v1beta1.Query/Balance',
  data: Buffer.from(
    QueryBalanceRequest.encode({ address: bech32Of('cosmos', bytesOfHex(first)), denom: 'atest' }),
  ).toString('hex'),
}

type CometPlace = { readonly height: string; readonly hash: string }

/** A read; `theirs`: answers a second of a real node. `place` names a block and one of its transactions. */
export type CometRead = {
  readonly name: string
  readonly theirs: number
  readonly atLeast: number
  readonly request: (url: string, place: CometPlace) => Buffer
}

const post =
  (method: string, paramsOf: (place: CometPlace) => unknown): CometRead['request'] =>
  (url, place) =>
    callOf(url, method, paramsOf(place))
const firstBlock = () => ({ height: '1' })
const ofTransactions = ({ height }: CometPlace) => ({ query: `tx.height=${height}`, per_page: '30' })

export const cometReads: readonly CometRead[] = [
  { name: 'GET status', theirs: 25_000, atLeast: 1, request: (url) => getOf(url, '/status') },
  { name: 'POST validators', theirs: 33_000, atLeast: 1, request: post('validators', () => ({})) },
  { name: 'POST commit', theirs: 24_000, atLeast: 1, request: post('commit', firstBlock) },
  { name: 'POST block', theirs: 5400, atLeast: 3, request: post('block', firstBlock) },
  { name: 'GET tx', theirs: 5500, atLeast: 3, request: (url, { hash }) => getOf(url, `/tx?hash=0x${hash}`) },
  {
    name: 'bank balance by abci_query',
    theirs: 5400,
    atLeast: 3,
    request: post('abci_query', () => balanceOfFirst),
  },
  {
    name: 'block_results of many transactions',
    theirs: 99,
    atLeast: 20,
    request: post('block_results', ({ height }) => ({ height })),
  },
  { name: 'tx_search of many transactions', theirs: 225, atLeast: 20, request: post('tx_search', ofTransactions) },
]

/** Returns the rows, on a chain with a block of 600 transfers. */
export async function cometRows(_: Anvil): Promise<Row[]> {
  const node = await startProgram(['eth', 'comet'], ['--accounts', String(senders)])
  const { eth = '', comet = '' } = node.urls
  try {
    await ask(eth, 'evm_setAutomine', false)
    const raws = await transfers(transactions, 0)
    await askAll(
      eth,
      raws.map((raw) => ['eth_sendRawTransaction', raw]),
    )
    await ask(eth, 'evm_mine')
    const height = String(Number(await ask(eth, 'eth_blockNumber')))
    const { txs } = (await ask(comet, 'tx_search', `tx.height=${height}`, false, '1', '1', 'asc')) as {
      txs: { hash: string }[]
    }
    const place = { height, hash: txs[0]?.hash ?? '' }
    const shown: Row[] = []
    for (const { name, request, theirs, atLeast } of cometReads) {
      const run = () =>
        load({ url: comet, pid: node.process.pid, requests: [request(comet, place)], connections, milliseconds })
      await run()
      const { perSecond, micros } = await run()
      shown.push({
        name: `${name}, ${connections} at a time`,
        unit: '/s',
        ours: perSecond,
        theirs,
        peer: 'real node',
        atLeast,
        micros,
      })
    }
    return shown
  } finally {
    node.stop()
  }
}
