/** Random and spoilt messages to Ethereum JSON-RPC of a whole chain in this process. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import type { Output } from '../../src/node/output.ts'
import { ethTable } from '../../src/rpc/eth/index.ts'
import { digest } from '../../src/simulation/digest.ts'
import { emptyJournal } from '../../src/simulation/journal.ts'
import { localSimulation, type Asked } from './ethSimulation.ts'

const cases = new URL('../../../test/golden/cases/', import.meta.url)

type Case = { readonly interface: string; readonly via: string; readonly request: unknown }

/** What was posted to the recorded nodes; `${…}` names what was captured there. */
const recorded = readdirSync(cases)
  .filter((name) => /^(?:v-.*-)?b(?:-|\.)/.test(name))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, cases), 'utf8')) as Case[])
  .filter(({ via }) => via === 'post')
  .map(({ request }) => request)

const ethApi = ['eth', 'web3', 'net', 'txpool', 'debug', 'personal', 'miner', 'admin']
const actions = ethTable.methods.filter(({ kind }) => kind !== 'query').map(({ name }) => name)
const names = ethTable.methods.map(({ name }) => name)
const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const word = `0x${'00'.repeat(31)}01`

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    account,
    word,
    '0x',
    '0x0',
    '0x1',
    '0x01',
    '0xffffffffffffffff',
    `0x${'f'.repeat(64)}`,
    'latest',
    'pending',
    'earliest',
    'safe',
    'finalized',
    '',
    '0',
    0,
    1,
    -1,
    1.5,
    1e30,
    null,
    true,
    false,
    [],
    {},
    [[]],
    '0x60006000f3',
    '0xg',
    '\u0000',
    'é',
    '\ud800',
  ),
  fc.jsonValue({ maxDepth: 1 }),
)
const memberName = fc.constantFrom(
  'from',
  'to',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'value',
  'nonce',
  'data',
  'input',
  'accessList',
  'chainId',
  'blockNumber',
  'blockHash',
  'fromBlock',
  'toBlock',
  'address',
  'topics',
  'tracer',
  'tracerConfig',
  'stateOverrides',
  'balance',
  'code',
  account,
  'storageKeys',
  'authorizationList',
  'type',
  'timeout',
  'limit',
)
const members = fc.dictionary(memberName, leaf, { maxKeys: 4 })
const param = fc.oneof(leaf, members, fc.array(fc.oneof(leaf, members), { maxLength: 3 }))
const call = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.jsonValue({ maxDepth: 0 })),
    id: fc.oneof({ weight: 9, arbitrary: fc.nat() }, fc.jsonValue({ maxDepth: 1 })),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string(), fc.jsonValue({ maxDepth: 0 })),
    params: fc.oneof({ weight: 9, arbitrary: fc.array(param, { maxLength: 4 }) }, fc.jsonValue({ maxDepth: 1 })),
  },
  { requiredKeys: ['method'] },
)
const spoilt = fc
  .tuple(
    fc.constantFrom(...recorded),
    fc.nat(200),
    fc.nat(8),
    fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('"', '[', '}', ',', '0x', 'null')),
  )
  .map(([request, at, gone, scrap]) => {
    const text = typeof request === 'string' ? request : JSON.stringify(request)
    return text.slice(0, at) + scrap + text.slice(at + gone)
  })
const message = fc.oneof(
  { weight: 5, arbitrary: call.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.array(call, { maxLength: 5 }).map((all) => JSON.stringify(all)) },
  { weight: 3, arbitrary: spoilt },
  { weight: 1, arbitrary: fc.string() },
)

/**
 * Whether a message names no method that changes; what stands after a message is not looked at, as
 * in Go.
 */
function onlyReads(body: string): boolean {
  return !actions.some((name) => body.includes(name)) && !body.includes('\\u')
}

/**
 * Whether a text is what JSON-RPC answers: one result or error, a list of them, or nothing to
 * notifications.
 */
function isAnswer(text: string): boolean {
  if (text === '') return true
  return [JSON.parse(text) as unknown].flat().every((one) => {
    if (typeof one !== 'object' || one === null || Reflect.get(one, 'jsonrpc') !== '2.0') {
      return false
    }
    const error: unknown = Reflect.get(one, 'error')
    if ('result' in one === (error !== undefined)) return false
    return (
      error === undefined ||
      (typeof error === 'object' &&
        error !== null &&
        Number.isInteger(Reflect.get(error, 'code')) &&
        typeof Reflect.get(error, 'message') === 'string')
    )
  })
}

/** The state without what counts calls. */
const stateOf = (chain: Asked) => digest({ ...chain.simulation(), journal: emptyJournal })

function complaintOf(outputs: readonly Output[], isOwed: boolean): string | undefined {
  const replies = outputs.flatMap((one) => (one.kind === 'reply' ? [one] : []))
  if (outputs.some((one) => one.kind === 'log' && one.level === 'error')) return 'a bug'
  if (replies.length !== (isOwed ? 0 : 1)) return `${replies.length} replies`
  const [reply] = replies
  if (reply === undefined || (reply.status >= 400 && reply.status < 500)) return undefined
  return reply.status < 500 && isAnswer(reply.body) ? undefined : `${reply.status} ${reply.body}`
}

/** Declares the tests; a longer run draws more of the same sequence. */
export function fuzz(numRuns: number): void {
  for (const quirks of [[], ['faithful']]) {
    test(`${numRuns / 2} messages with quirks ${quirks.join() || 'off'} are answered, and reading changes nothing`, (t) => {
      const chain = localSimulation({ ethApi, quirks })
      chain.call('eth_sendTransaction', { from: account, to: account, value: '0x1' })
      const found = fc.check(
        fc.property(message, (body) => {
          const [owed, before] = [chain.simulation().node.owed.length, onlyReads(body) ? stateOf(chain) : '']
          const outputs = chain.send(body)
          const isOwed = chain.simulation().node.owed.length > owed
          const complaint = complaintOf(outputs, isOwed)
          if (complaint !== undefined) throw new Error(complaint)
          if (before !== '' && !isOwed && stateOf(chain) !== before) {
            throw new Error('reading changed the state')
          }
        }),
        { seed: 8545, numRuns: numRuns / 2 },
      )
      t.deepEqual([found.counterexample, found.errorInstance], [null, null])
    })
  }
}
