/**
 * Every operation that CometBFT v0.38 documents, on every transport: parameters that it documents
 * are taken, results have the members and types that it documents. `cometOperations.json` holds the
 * facts: `?` after a name is a member that may be missing, after a type a value that may be null.
 */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { WebSocket } from 'ws'
import { cometTable } from '../../src/rpc/comet/index.ts'
import { startLocal } from '../helpers/server.ts'
import { excepted } from './cometExceptions.ts'

type Shape = string | readonly Shape[] | { readonly [member: string]: Shape }
type Operation = { readonly params: Readonly<Record<string, string>>; readonly result: Shape }
type Facts = {
  readonly shapes: Readonly<Record<string, Shape>>
  readonly operations: Readonly<Record<string, Operation>>
}

const { shapes, operations } = JSON.parse(
  readFileSync(new URL('../../../test/conformance/cometOperations.json', import.meta.url), 'utf8'),
) as Facts

/** Returns where a value is not of a shape. */
function complaints(shape: Shape, value: unknown, path: string): string[] {
  if (typeof shape === 'string')
    return shape.startsWith('@')
      ? complaints(shapes[shape.slice(1)] ?? 'unknown', value, path)
      : typeComplaints(shape, value, path)
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path}: array, not ${nameOf(value)}`]
    return value.flatMap((item) => complaints(shape[0] as Shape, item, `${path}[]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${path}: object, not ${nameOf(value)}`]
  }
  return Object.entries(shape).flatMap(([key, inner]) => {
    const name = key.replace(/\?$/, '')
    if (name in value) return complaints(inner, Reflect.get(value, name), `${path}.${name}`)
    return key.endsWith('?') ? [] : [`${path}.${name}: missing`]
  })
}

function typeComplaints(type: string, value: unknown, path: string): string[] {
  if (type.endsWith('?') && value === null) return []
  const wanted = type.replace(/\?$/, '')
  const isRight = wanted === 'any' || wanted === nameOf(value) || (wanted === 'integer' && Number.isSafeInteger(value))
  return isRight ? [] : [`${path}: ${wanted}, not ${nameOf(value)}`]
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/**
 * What is asked of a chain with a block and a transaction, by operation; the bytes are no
 * transaction.
 */
const base64 = Buffer.from('x').toString('base64')
const peer = `${'0'.repeat(40)}@127.0.0.1:1`
const asked = (
  tx: string,
  block: string,
  evidence: unknown,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  abci_query: { path: '/app/version', data: '', height: '0', prove: false },
  block: { height: '2' },
  block_by_hash: { hash: block },
  block_results: { height: '2' },
  block_search: { query: 'block.height=2', page: '1', per_page: '10', order_by: 'asc' },
  blockchain: { minHeight: '1', maxHeight: '2' },
  broadcast_tx_async: { tx: base64 },
  broadcast_tx_commit: { tx: base64 },
  broadcast_tx_sync: { tx: base64 },
  check_tx: { tx: base64 },
  commit: { height: '2' },
  consensus_params: { height: '2' },
  broadcast_evidence: { evidence },
  dial_peers: { peers: [peer], persistent: false, unconditional: false, private: false },
  dial_seeds: { seeds: [peer] },
  genesis_chunked: { chunk: '0' },
  header: { height: '2' },
  header_by_hash: { hash: Buffer.from(block, 'base64').toString('hex') },
  tx: { hash: tx, prove: true },
  tx_search: { query: 'tx.height>0', prove: true, page: '1', per_page: '10', order_by: 'asc' },
  unconfirmed_txs: { limit: '1' },
  validators: { height: '2', page: '1', per_page: '10' },
})

/** As URI arguments: hashes in hex, texts in quotes, lists as JSON. */
function uriOf(name: string, value: unknown): string {
  if (name === 'hash') {
    return `0x${Buffer.from(String(value), isHex(value) ? 'hex' : 'base64').toString('hex')}`
  }
  if (name === 'tx') return '0x78'
  if (typeof value !== 'string') return encodeURIComponent(JSON.stringify(value))
  return /^\d+$/.test(value) ? value : encodeURIComponent(JSON.stringify(value))
}

const isHex = (value: unknown) => /^[0-9a-f]{64}$/.test(String(value))

type Answer = { readonly result?: unknown; readonly error?: unknown }
type Transport = (method: string, params: Readonly<Record<string, unknown>>) => Promise<Answer>

async function transportsOf(url: string): Promise<{
  all: Readonly<Record<string, Transport>>
  close: () => void
}> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  await new Promise((done) => {
    socket.once('open', done)
  })
  const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return {
    close: () => socket.terminate(),
    all: {
      GET: async (method, params) => {
        const query = Object.entries(params)
          .map(([name, value]) => `${name}=${uriOf(name, value)}`)
          .join('&')
        return (await (await fetch(`${url}/${method}?${query}`)).json()) as Answer
      },
      POST: async (method, params) =>
        (await (await fetch(url, { method: 'POST', body: message(method, params) })).json()) as Answer,
      WebSocket: (method, params) =>
        new Promise((done) => {
          socket.once('message', (data) => done(JSON.parse(String(data)) as Answer))
          socket.send(message(method, params))
        }),
    },
  }
}

test('every documented operation answers as documented, on every transport', async (t) => {
  await using server = await startLocal({ rpcUnsafe: true, validators: 4 })
  const { all, close } = await transportsOf(server.urls.comet)
  const [account = ''] = (await ethereum(server.urls.eth, 'eth_accounts')) as string[]
  await ethereum(server.urls.eth, 'eth_sendTransaction', [{ from: account, to: account, value: '0x1' }])
  const post = all['POST']
  if (post === undefined) return t.fail()
  const { result: found } = (await post('tx_search', { query: 'tx.height>0' })) as {
    result: { txs: { hash: string }[] }
  }
  const { result: block } = (await post('block', { height: '2' })) as {
    result: { block_id: { hash: string } }
  }
  const base64Of = (hex = '') => Buffer.from(hex, 'hex').toString('base64')
  const evidence = await doubleSign(post)
  const params = asked(base64Of(found.txs[0]?.hash), base64Of(block.block_id.hash), evidence)
  const used = new Set<string>()
  const wrong: string[] = []
  for (const [name, { result: shape }] of Object.entries(operations)) {
    for (const [transport, call] of Object.entries(all)) {
      const answer = await call(name, params[name] ?? {})
      const list =
        answer.error === undefined
          ? complaints(shape, bare(name, answer.result), name)
          : [`${name}: ${JSON.stringify(answer.error)}`]
      for (const one of list) {
        const exception = Object.keys(excepted).find((pattern) => matches(pattern, transport, one))
        if (exception === undefined) wrong.push(`${transport} ${one}`)
        else used.add(exception)
      }
    }
  }
  close()
  t.deepEqual(wrong, [])
  t.deepEqual(
    Object.keys(excepted).filter((one) => !used.has(one)),
    [],
    'an exception that nothing needs',
  )
})

/**
 * The document has the header itself where the node puts it into a member; what it is made of is
 * compared.
 */
function bare(name: string, result: unknown): unknown {
  if (name !== 'header' && name !== 'header_by_hash') return result
  return (result as { header?: unknown }).header
}

/** Evidence of the latest block, which is known and may come again. */
async function doubleSign(post: Transport): Promise<unknown> {
  const {
    result: { validators },
  } = (await post('validators', {})) as {
    result: { validators: { address: string }[] }
  }
  await post('cause_double_sign', { private_key_address: validators[0]?.address })
  await post('advance_blocks', { num_blocks: '1' })
  const { result } = (await post('block', {})) as {
    result: { block: { evidence: { evidence: unknown[] } } }
  }
  return result.block.evidence.evidence[0]
}

/** `*` stands for anything; a pattern with a transport before it holds there only. */
function matches(pattern: string, transport: string, complaint: string): boolean {
  const text = pattern.includes(' / ') ? `${transport} / ${complaint}` : complaint
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')}$`).test(text)
}

async function ethereum(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await answer.json()) as { result: unknown }).result
}

test('every documented operation and parameter is in the table', (t) => {
  for (const [name, { params }] of Object.entries(operations)) {
    const method = cometTable.methods.find((one) => one.name === name)
    const known = method?.params.map((one) => one.name) ?? []
    const missing = Object.keys(params)
      .map((one) => one.replace(/\?$/, ''))
      .filter((one) => !known.includes(one))
    // The document calls them peers; the node takes seeds.
    t.deepEqual(missing, name === 'dial_seeds' ? ['peers'] : [], name)
  }
})
