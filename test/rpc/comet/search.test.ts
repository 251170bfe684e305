import test from 'ava'
import { CometNode } from '../../helpers/cometNode.ts'

/** Blocks 1 to 4 with the keys a; b, c; none; a again (other bytes). Values are not indexed. */
const node = new CometNode().blocks('a=1', 'b=1 c=22', '', 'a=2')

type Found = {
  readonly txs?: readonly {
    readonly height: string; readonly index: number
  }[]; readonly total_count?: string,
}

function txs(query: string, rest: Record<string, unknown> = {}): string {
  const { result, error } = node.call('tx_search', { query, ...rest })
  if (error !== undefined) return error.data ?? ''
  const { txs: found = [] } = result as Found
  return found.map(({ height, index }) => `${height}/${index}`).join(' ')
}

function blocks(query: string, rest: Record<string, unknown> = {}): string {
  const { result, error } = node.call('block_search', { query, ...rest })
  if (error !== undefined) return error.data ?? ''
  const { blocks: found } = result as {
    blocks: readonly { block: { header: { height: string } } }[],
  }
  return found.map(({ block }) => block.header.height).join(' ')
}

const finds = test.macro({
  title: (_, query: string, found: string) =>
    `tx_search ${query} finds ${found === '' ? 'nothing' : found}`,
  exec: (t, query: string, found: string) => { t.is(txs(query), found) },
})

test(finds, 'tx.height=2', '2/0 2/1')
test(finds, "tx.height='2'", '2/0 2/1')
test(finds, 'tx.height=2.0', '')
test(finds, 'tx.height=02', '')
test(finds, 'tx.height=0', '')
test(finds, "tx.height='x'", '')
test(finds, 'tx.height>1', '2/0 2/1 4/0')
test(finds, 'tx.height>=2 AND tx.height<4', '2/0 2/1')
test(finds, 'tx.height>1.5 AND tx.height<2.5', '2/0 2/1')
test(finds, 'tx.height=1 AND tx.height>0', '1/0 2/0 2/1 4/0')
test(finds, 'tx.height=1 AND tx.height=2', '1/0')
test(finds, 'tx.height EXISTS AND tx.height=1', '1/0 2/0 2/1 4/0')
test(finds, "tx.height CONTAINS '2'", '2/0 2/1')
test(finds, "app.key='a'", '1/0 4/0')
test(finds, "app.key='a' AND tx.height=4", '4/0')
test(finds, "app.key='a' AND tx.height<4", '1/0')
test(finds, "app.key='a' AND tx.height=4.7", '4/0')
test(finds, 'app.key EXISTS', '1/0 2/0 2/1 4/0')
test(finds, 'app.key EXISTS AND tx.height=2', '2/0 2/1')
test(finds, "app.key CONTAINS ''", '1/0 2/0 2/1 4/0')
test(finds, "app.key CONTAINS 'b' AND app.key EXISTS", '2/0')
test(finds, "app.secret='1'", '')
test(finds, 'app EXISTS', '')
test(finds, "tm.event='Tx'", '')
test(finds, "app.key='a' AND app.key='b'", '')
test(finds, "tx.height EXISTS AND app.key='a'", '')
test(finds, 'app.key>1', '')
test(
  finds, "tx.hash='zz'",
  "error during searching for a hash in the query: encoding/hex: invalid byte: U+007A 'z'"
)
test(finds, 'tx.hash EXISTS', 'error while retrieving the result: transaction hash cannot be empty')

test('a hash makes everything else void, in either case of letters', (t) => {
  const { result } = node.call('tx_search', { query: 'tx.height=1' })
  const { hash } = (result as { txs: readonly { hash: string }[] }).txs[0] ?? { hash: '' }
  t.is(txs(`tx.hash='${hash}' AND tx.height=4`), '1/0')
  t.is(txs(`tx.hash='${hash.toLowerCase()}'`), '1/0')
})

test('transactions come oldest first and pages are counted from one', (t) => {
  t.is(txs('tx.height>0', { order_by: 'desc' }), '4/0 2/1 2/0 1/0')
  t.is(txs('tx.height>0', { per_page: '3', page: '2' }), '4/0')
  t.is(
    txs('tx.height>0', { per_page: '3', page: '3' }), 'page should be within [1, 2] range, given 3'
  )
  t.is(txs('tx.height>0', { page: '0' }), 'page should be within [1, 1] range, given 0')
  t.is(txs('tx.height>0', { per_page: '0' }), '1/0 2/0 2/1 4/0')
  t.is(
    txs('tx.height>0', { order_by: 'ASC' }),
    'expected order_by to be either `asc` or `desc` or empty'
  )
})

test('bytes that were included twice are found once, at their last place', (t) => {
  const twice = new CometNode().blocks('a=1', 'b=1')
  twice.command({ type: 'flushMempool' })
  twice.blocks('a=1')
  const { result } = twice.call('tx_search', { query: "app.key='a'" })
  t.like(result, { total_count: '1', txs: [{ height: '3' }] })
})

test('blocks come newest first', (t) => {
  t.is(blocks('block.height<=3'), '3 2 1')
  t.is(blocks('block.height<=3', { order_by: 'asc', per_page: '2', page: '2' }), '3')
  t.is(blocks('block.height=2'), '2')
  t.is(blocks('block.height=2.9'), '2')
  t.is(blocks('block.height=1 AND block.height=2'), '1')
  t.is(blocks('block.height=9'), '')
  t.is(blocks('block.height EXISTS AND block.height=1'), '')
  t.is(blocks("block.height CONTAINS '1'"), '')
  t.is(blocks("tm.event='NewBlock'"), '')
})

test('an index that is off says so before it reads the query', (t) => {
  const off = new CometNode({ indexer: 'null' }).blocks('a=1')
  t.is(off.call('tx_search', { query: '=' }).error?.data, 'transaction indexing is disabled')
  t.is(off.call('block_search', { query: '=' }).error?.data, 'block indexing is disabled')
  t.is(off.call('tx', { hash: 'AAAA' }).error?.data, 'transaction indexing is disabled')
})
