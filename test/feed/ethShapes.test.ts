import test from 'ava'
import type { EthereumTx } from '../../src/chain/block.ts'
import { bytesOfHex } from '../../src/codec/hex.ts'
import { newHeadJson } from '../../src/feed/ethHeads.ts'
import { blockJson, headerJson, minedTxJson, pendingTxJson, receiptJson } from '../../src/feed/ethShapes.ts'
import { golden } from '../golden.ts'
import { recordOf } from '../helpers/ethRecords.ts'

type Wants = Readonly<
  Record<
    string,
    {
      readonly body: { readonly result?: Readonly<Record<string, unknown>> | null }
    }
  >
>
type Session = {
  readonly txs: Readonly<Record<string, { readonly raw?: string; readonly ethHash?: string }>>
}

const { txs } = golden<Session>('session.json')
const wanted = golden<Wants>('want/b-transactions.json')

test('recorded transactions are shown member for member', (t) => {
  let compared = 0
  for (const [name, tx] of Object.entries(txs)) {
    const want = wanted[`eth_getTransactionByHash ${name}`]?.body.result
    if (tx.raw === undefined || tx.ethHash === undefined || want === undefined || want === null) continue
    const price = String(want['gasPrice'])
    const record = recordOf(16n, [
      {
        raw: bytesOfHex(tx.raw),
        hash: bytesOfHex(tx.ethHash),
        from: bytesOfHex(String(want['from'])),
        ...(price.startsWith('0x') ? { price: BigInt(price) } : {}),
      },
    ])
    const found = minedTxJson(record, record.ethereum.transactions[0] as EthereumTx)
    t.deepEqual(Object.keys(found), Object.keys(want), name)
    for (const [key, value] of Object.entries(want)) {
      const isOfBlock = ['blockHash', 'blockNumber', 'transactionIndex'].includes(key) || String(value).includes('${')
      if (!isOfBlock) t.deepEqual(found[key], value, `${name}.${key}`)
    }
    compared++
  }
  t.true(compared > 25)
})

test('a waiting transaction has no block and shows its cap', (t) => {
  const raw = txs['dynamicFee']?.raw ?? ''
  const shown = pendingTxJson({
    raw: bytesOfHex(raw),
    hash: new Uint8Array(32),
    from: new Uint8Array(20),
  })
  t.is(shown['blockHash'], null)
  t.is(shown['transactionIndex'], null)
  t.is(shown['gasPrice'], shown['maxFeePerGas'])
})

const keysOf = (file: string, name: string): string[] =>
  Object.keys(golden<Wants>(`want/${file}.json`)[name]?.body.result ?? {})

test('blocks, headers and receipts have the recorded members in the recorded order', (t) => {
  const raw = bytesOfHex(txs['transfer']?.raw ?? '')
  const record = recordOf(16n, [{ raw }])
  t.deepEqual(Object.keys(blockJson(record, false)), keysOf('b-blocks', 'eth_getBlockByNumber height 1'))
  t.deepEqual(Object.keys(headerJson(record)), keysOf('b-blocks', 'eth_getHeaderByNumber height 1'))
  const receipt = receiptJson(record, record.ethereum.transactions[0] as EthereumTx, 21_000n)
  t.deepEqual(Object.keys(receipt), keysOf('b-receipts', 'eth_getTransactionReceipt transfer'))
})

test('the first block has a parent of zeros', (t) => {
  t.is(headerJson(recordOf(1n))['parentHash'], `0x${'00'.repeat(32)}`)
})

test('a new head is the header, or the stand-in of the node', (t) => {
  const record = recordOf(2n)
  t.deepEqual(newHeadJson(record, false), headerJson(record))
  const standIn = newHeadJson(record, true)
  t.is(standIn['transactionsRoot'], `0x${'08'.repeat(32)}`)
  t.is(standIn['gasLimit'], '0x0')
  t.not(standIn['hash'], headerJson(record)['hash'])
})
