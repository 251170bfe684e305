/** What a node answers about its state, turned into facts, or into an error that says what came. */
import { bech32PrefixOf } from '../../../src/shell/fork/stores.ts'
import { cosmosTexts } from '../../helpers/addressing.ts'
import test from 'ava'
import { distinctTexts } from '../../../src/data/distinctTexts.ts'
import { hexOf } from '../../../src/codec/hex.ts'
import { factsOf } from '../../../src/shell/fork/facts.ts'
import { errorAnswer } from '../../../src/shell/fork/forking.ts'
import type { ForkSource } from '../../../src/shell/fork/source.ts'
import { ForkAway } from '../../../src/shell/fork/unanswered.ts'

const address = new Uint8Array(20).fill(7)
const wanted = [{ type: 'account', address }] as const

/** Returns a node that gives each method the same result, as JSON text; the others fail with an error. */
function nodeWith(
  results: Readonly<Record<string, string>>,
  error: unknown = new ForkAway('it', 'a call', 'no response'),
): ForkSource {
  return {
    name: 'the node',
    has: (side) => side === 'eth',
    ask: ({ method }) => {
      const text = results[method]
      return text === undefined ? Promise.reject(error) : Promise.resolve({ ok: true, text })
    },
  }
}

const at = { height: 9n, addressTexts: cosmosTexts }
const usual = { eth_getBalance: '"0x10"', eth_getTransactionCount: '"0x2"', eth_getCode: '"0x6001"' }

test('an account has the balance, nonce and code that the node gives', async (t) => {
  const [fact] = await factsOf(nodeWith(usual), at, wanted)
  t.deepEqual(fact, { type: 'account', address, wei: 16n, nonce: 2n, code: Uint8Array.of(0x60, 1) })
})

test('a node may write zero as 0x', async (t) => {
  const [fact] = await factsOf(
    nodeWith({ ...usual, eth_getBalance: '"0x"', eth_getTransactionCount: '"0x"' }),
    at,
    wanted,
  )
  t.like(fact, { wei: 0n, nonce: 0n })
})

for (const [title, text] of [
  ['a number', '5'],
  ['no hex digits', '"0xz"'],
  ['no JSON', '{'],
] as const) {
  test(`a balance that is ${title} is refused with what came`, async (t) => {
    await t.throwsAsync(factsOf(nodeWith({ ...usual, eth_getBalance: text }), at, wanted), {
      code: 'STATE_MISSING',
      message: `chainstage: account ${hexOf(address)} at height 9 is unknown: unexpected response to eth_getBalance: ${text}`,
    })
  })
}

test('a node that does not answer is named as such, and a bug stays a bug', async (t) => {
  const misses = distinctTexts()
  const away = await t.throwsAsync(factsOf(nodeWith({}), at, wanted), { code: 'STATE_MISSING' })
  t.like(errorAnswer(away, misses), { ok: false, error: { code: -32071 } })
  const bug = await t.throwsAsync(factsOf(nodeWith({}, new TypeError('x is not a function')), at, wanted), {
    instanceOf: TypeError,
  })
  t.deepEqual(errorAnswer(bug, misses), {
    ok: false,
    error: { code: -32603, message: 'Internal error', data: '"a bug in chainstage: x is not a function"' },
  })
})

for (const [title, prefix, taken] of [
  ['that tells one', 'mantra', 'mantra'],
  ['whose prefix is none', 'Cosmos ', undefined],
] as const) {
  test(`the prefix of a chain ${title} is ${taken ?? 'unknown'}`, async (t) => {
    const value = Buffer.concat([Buffer.of(10, prefix.length), Buffer.from(prefix)]).toString('base64')
    const text = JSON.stringify({ response: { code: 0, value } })
    const source: ForkSource = { name: 'the node', has: () => true, ask: () => Promise.resolve({ ok: true, text }) }
    t.is(await bech32PrefixOf(source, 9n), taken)
  })
}
