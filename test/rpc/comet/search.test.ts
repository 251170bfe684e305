import test from 'ava'
import fc from 'fast-check'
import { CometNode } from '../../helpers/cometNode.ts'

/** Blocks 1 to 4 with the keys a; b, c; none; a again (other bytes). Values are not indexed. */
const node = new CometNode().blocks('a=1', 'b=1 c=22', '', 'a=2')

type Found = {
  readonly txs?: readonly {
    readonly height: string
    readonly index: number
  }[]
  readonly total_count?: string
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
    blocks: readonly { block: { header: { height: string } } }[]
  }
  return found.map(({ block }) => block.header.height).join(' ')
}

const finds = test.macro({
  title: (_, query: string, found: string) => `tx_search ${query} finds ${found === '' ? 'nothing' : found}`,
  exec: (t, query: string, found: string) => {
    t.is(txs(query), found)
  },
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
test(finds, "tx.hash='zz'", "error during searching for a hash in the query: encoding/hex: invalid byte: U+007A 'z'")
test(finds, 'tx.hash EXISTS', 'error while retrieving the result: transaction hash cannot be empty')

/**
 * Keys that are numbers, one a block: 7, 12, 0.5, .25, 1e2, -3, 5 behind a tab, 10²⁰ and the one
 * above it, a word.
 */
const numbers = new CometNode().blocks(
  '7=1',
  '12=1',
  '0.5=1',
  '.25=1',
  '1e2=1',
  '-3=1',
  '\t5=1',
  '100000000000000000000=1',
  '100000000000000000001=1',
  '8atom=1',
)

const findsNumbers = test.macro({
  title: (_, query: string, found: string) =>
    `of numbers, tx_search ${query} finds ${found === '' ? 'nothing' : found}`,
  exec: (t, query: string, found: string) => {
    const { result } = numbers.call('tx_search', { query })
    t.is((result as Found).txs?.map(({ height }) => height).join(' '), found)
  },
})

test(findsNumbers, 'app.key>0', '1 2 3 4 5 7 8 9')
test(findsNumbers, 'app.key<1', '3 4 6')
test(findsNumbers, 'app.key>=7 AND app.key<=12', '1 2')
test(findsNumbers, 'app.key>7 AND app.key<12', '')
test(findsNumbers, 'app.key>7 AND app.key<=12', '2')
test(findsNumbers, 'app.key>100000000000000000000', '9')
test(findsNumbers, 'app.key<=100000000000000000000 AND app.key>100', '8')
test(findsNumbers, 'app.key>12 AND app.key>0', '1 2 3 4 5 7 8 9')
test(findsNumbers, 'app.key>=0 AND app.key>12', '2 5 8 9')
test(findsNumbers, 'app.key>0 AND app.key<10 AND tx.height<4', '1 3')
test(findsNumbers, "app.key>0 AND app.key CONTAINS '2'", '2 4 5')
test(findsNumbers, "app.key>0 AND app.key='12' AND app.key EXISTS", '2')
test(findsNumbers, 'app.key>TIME 2013-05-03T14:45:00Z', '')
test(findsNumbers, 'app.key>0 AND app.key<DATE 2013-05-03', '')
test(findsNumbers, 'app.key EXISTS AND tx.height>DATE 2013-05-03', '')
test(findsNumbers, 'app.key EXISTS AND tx.height>5 AND tx.height>8', '9 10')

test('ranges of an attribute find what looking at every transaction finds, while transactions come', (t) => {
  const chain = new CometNode()
  const keys: string[] = []
  const value = fc.oneof(
    fc.integer({ min: 0, max: 40 }).map(String),
    fc.constantFrom('1.5', '007', 'x', '39.25', '1e1'),
  )
  const step = fc.record({ key: value, low: fc.nat(40), high: fc.nat(40), least: fc.boolean(), most: fc.boolean() })
  fc.assert(
    fc.property(step, ({ key, low, high, least, most }) => {
      chain.blocks(`${key}=${keys.length}`)
      keys.push(key)
      const query = `app.key>${least ? '=' : ''}${low} AND app.key<${most ? '=' : ''}${high}`
      const { result } = chain.call('tx_search', { query, per_page: '100' })
      const wanted = keys.flatMap((text, index) => {
        const number = Number(text)
        return (least ? number >= low : number > low) && (most ? number <= high : number < high)
          ? [String(index + 1)]
          : []
      })
      t.is((result as Found).total_count, String(wanted.length))
      t.deepEqual(
        (result as Found).txs?.map(({ height }) => height),
        wanted,
      )
    }),
    { seed: 6, numRuns: 90 },
  )
})

test('a hash makes everything else void, in either case of letters', (t) => {
  const { result } = node.call('tx_search', { query: 'tx.height=1' })
  const { hash } = (result as { txs: readonly { hash: string }[] }).txs[0] ?? { hash: '' }
  t.is(txs(`tx.hash='${hash}' AND tx.height=4`), '1/0')
  t.is(txs(`tx.hash='${hash.toLowerCase()}'`), '1/0')
})

test('transactions come oldest first and pages are counted from one', (t) => {
  t.is(txs('tx.height>0', { order_by: 'desc' }), '4/0 2/1 2/0 1/0')
  t.is(txs('tx.height>0', { per_page: '3', page: '2' }), '4/0')
  t.is(txs('tx.height>0', { per_page: '3', page: '3' }), 'page should be within [1, 2] range, given 3')
  t.is(txs('tx.height>0', { page: '0' }), 'page should be within [1, 1] range, given 0')
  t.is(txs('tx.height>0', { per_page: '0' }), '1/0 2/0 2/1 4/0')
  t.is(txs('tx.height>0', { order_by: 'ASC' }), 'expected order_by to be either `asc` or `desc` or empty')
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
