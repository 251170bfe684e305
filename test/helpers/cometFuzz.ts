/** Random messages and queries against CometBFT RPC in this process, over `kvApp`. */
import test from 'ava'
import fc from 'fast-check'
import { cometTable } from '../../src/rpc/comet/index.ts'
import type { Output } from '../../src/node/output.ts'
import { CometNode } from './cometNode.ts'

const node = new CometNode({ rpcUnsafe: true }).blocks('a=1', 'b=1 c=2', '')

const scraps = fc.constantFrom(
  '',
  ' ',
  '0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '"1"',
  '"',
  '""',
  '"a"',
  "'",
  'null',
  'true',
  '[]',
  '[1]',
  '{}',
  '{"a":1}',
  '0x',
  '0x1',
  '0xff',
  'AA==',
  '%',
  '%41',
  '+',
  ';',
  '&',
  '=',
  '\u0000',
  'é',
  '😀',
  '\ud800',
  '<',
  '99999999999999999999',
  "tm.event='Tx'",
  'tx.height>0',
  'AND',
  'EXISTS',
)
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  scraps,
  fc.array(scraps, { maxLength: 4 }).map((all) => all.join('')),
)
const names = cometTable.methods.map(({ name }) => name)
const method = fc.constantFrom(...names)
const paramNames = [...new Set(cometTable.methods.flatMap(({ params }) => params.map(({ name }) => name)))]
const paramName = fc.constantFrom(...paramNames)

/** One reply to each request, or one that is owed; no bug on the way. */
function isAnswered(outputs: readonly Output[], owedBefore: number): boolean {
  const replies = outputs.filter(({ kind }) => kind === 'reply').length
  const owed = node.node.owed.length - owedBefore
  return replies + owed === 1 && !outputs.some((one) => one.kind === 'log' && one.level === 'error')
}

type Assert = { deepEqual: (a: unknown, b: unknown) => unknown }
type Runs = { readonly seed: number; readonly numRuns: number }

function survives(t: Assert, runs: Runs, arbitrary: fc.Arbitrary<Parameters<CometNode['send']>[0]>): void {
  const found = fc.check(
    fc.property(arbitrary, (request) => {
      const owed = node.node.owed.length
      return isAnswered(node.send(request), owed)
    }),
    runs,
  )
  t.deepEqual(found.counterexample, null)
}

const params = fc.oneof(
  fc.dictionary(paramName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 1 }),
)
const call = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue({ maxDepth: 0 })),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
    method: fc.oneof(method, fc.string(), fc.jsonValue({ maxDepth: 0 })),
    params,
  },
  { requiredKeys: ['method'] },
)
const message = fc.oneof(
  call.map((one) => JSON.stringify(one)),
  fc.array(call, { maxLength: 12 }).map((all) => JSON.stringify(all)),
  fc.tuple(call, fc.nat(60), text).map(([one, at, scrap]) => {
    const whole = JSON.stringify(one)
    return whole.slice(0, at) + scrap + whole.slice(at)
  }),
  text,
)

/** Declares the tests; a longer run draws more of the same sequence. */
export function fuzz(numRuns: number): void {
  const runs = { seed: 38, numRuns }
  test('no path and no query goes unanswered or finds a bug', (t) => {
    const query = fc
      .array(fc.tuple(fc.oneof(paramName, text), text), { maxLength: 4 })
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
    const path = fc.oneof(
      method.map((name) => `/${name}`),
      text.map((part) => `/${part}`),
    )
    survives(
      t,
      runs,
      fc.tuple(path, query, fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS')).map(([at, rest, verb]) => ({
        verb,
        target: `${at}?${rest}`,
        contentType: 'application/x-www-form-urlencoded',
        body: verb === 'POST' ? rest : '',
      })),
    )
  })

  test('no posted message goes unanswered or finds a bug', (t) => {
    survives(
      t,
      runs,
      message.map((body) => ({ body })),
    )
  })

  test('no message of a connection goes unanswered or finds a bug', (t) => {
    survives(
      t,
      runs,
      message.map((body) => ({ transport: 'ws', target: '/websocket', connection: 1, body })),
    )
  })

  test('no query finds a bug', (t) => {
    let connection = 1
    const names = fc.constantFrom('tx_search', 'block_search', 'subscribe', 'unsubscribe')
    survives(
      t,
      runs,
      fc.tuple(fc.array(condition, { minLength: 1, maxLength: 4 }), names).map(([all, name]) => ({
        transport: 'ws' as const,
        target: '/websocket',
        connection: ++connection,
        body: JSON.stringify({ id: 1, method: name, params: { query: queryOf(all) } }),
      })),
    )
  })

  test('a query is refused exactly when the grammar refuses it', (t) => {
    // A quote that is open at the end is one to the node, whatever it began.
    const closed = condition.filter(([, , operand]) => operand !== "'")
    const found = fc.check(
      fc.property(fc.array(closed, { minLength: 1, maxLength: 4 }), (all) => {
        const { error, result } = node.call('block_search', { query: queryOf(all) })
        return all.every(isValid) ? result !== undefined : /^offset \d+: /.test(error?.data ?? '')
      }),
      runs,
    )
    t.deepEqual(found.counterexample, null)
  })
}

type Parts = readonly [tag: string, operator: string, operand: string]

const tags = fc.constantFrom('tx.height', 'block.height', 'tx.hash', 'app.key', 'app', 'tm.event', 'é._-1', '', '1a')
const operators = fc.constantFrom('=', '<', '<=', '>', '>=', ' CONTAINS ', ' EXISTS', '!=', '')
const operands = fc.constantFrom(
  "'a'",
  "''",
  '1',
  '1.5',
  '01',
  'TIME 2025-01-01T00:00:00Z',
  'DATE 2025-01-01',
  'DATE 2025-13-01',
  '-1',
  'x',
  '',
  "'",
)
const condition: fc.Arbitrary<Parts> = fc.oneof(
  fc.tuple(tags, operators, operands),
  fc.tuple(
    fc.constantFrom('app.key', 'block.height'),
    fc.constantFrom('=', '>', ' CONTAINS '),
    fc.constantFrom("'a'", '3'),
  ),
)

function queryOf(all: readonly Parts[]): string {
  return all.map((parts) => parts.join('')).join(' AND ')
}

/** The grammar of `comet-rpc.md` §4.1, said again. */
function isValid([tag, operator, operand]: Parts): boolean {
  if (!/^[\p{L}_][\p{L}\d._-]*$/u.test(tag)) return false
  const isText = /^'[^']*'$/.test(operand)
  const isOrdered = /^\d+(\.\d+)?$|^TIME 2025|^DATE 2025-01-01$/.test(operand)
  if (operator === ' EXISTS') return operand === ''
  if (operator === ' CONTAINS ') return isText
  return operator === '=' ? isText || isOrdered : ['<', '<=', '>', '>='].includes(operator) && isOrdered
}
