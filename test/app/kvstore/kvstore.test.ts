import { createHash } from 'node:crypto'
import test from 'ava'
import type { FinalizeBlockRequest } from '../../../src/app/abci.ts'
import { kvstore } from '../../../src/app/kvstore/kvstore.ts'
import type { AppState } from '../../../src/app/state.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const keyOf = (fill: number) => new Uint8Array(32).fill(fill)
const addressOf = (key: Uint8Array) => new Uint8Array(createHash('sha256').update(key).digest().subarray(0, 20))
const validatorTx = (key: Uint8Array, power: string) => `val=ed25519!${Buffer.from(key).toString('base64')}!${power}`

const { state: fresh, appHash: firstHash } = kvstore.initChain({
  time: { seconds: 0n, nanos: 0 },
  chainId: 'kv',
  initialHeight: 1n,
  appState: {},
  validators: [{ publicKey: { type: 'ed25519', bytes: keyOf(1) }, power: 300n }],
  consensusParams: {
    block: { maxBytes: 1000n, maxGas: -1n },
    validator: { publicKeyTypes: ['ed25519'] },
    evidence: { maxAgeBlocks: 1n, maxAgeNanos: 1n, maxBytes: 1n },
    version: { app: 0n },
    abci: { voteExtensionsEnableHeight: 0n },
  },
})

const codeOf = (state: AppState, tx: string) => kvstore.checkTx(state, bytes(tx), 'new').result.code

function block(state: AppState, txs: readonly string[], misbehavior: FinalizeBlockRequest['misbehavior'] = []) {
  const none = new Uint8Array(0)
  return kvstore.finalizeBlock(state, {
    height: state.height + 1n,
    time: { seconds: 0n, nanos: 0 },
    hash: none,
    txs: txs.map(bytes),
    misbehavior,
    proposerAddress: none,
    nextValidatorsHash: none,
    lastCommit: { round: 0, votes: [] },
  })
}

function ask(state: AppState, given: { path?: string; data: Uint8Array; prove?: boolean }) {
  return kvstore.query(
    state,
    { path: '', height: 0n, prove: false, ...given },
    {
      stateAt: () => undefined,
      latestHeight: 0n,
      earliestHeight: 0n,
      chainId: 'kv',
    },
  )
}

const verdict = test.macro({
  exec: (t, tx: string, code: number) => {
    t.is(codeOf(fresh, tx), code)
  },
  title: (_given, tx: string, code: number) => `CheckTx says ${code} to ${JSON.stringify(tx)}`,
})

for (const tx of ['a=b', 'a:b', 'val:1', validatorTx(keyOf(2), '5')]) test(verdict, tx, 0)
for (const tx of [
  '',
  'a',
  '=b',
  'a=',
  ':b',
  'a:',
  'a=b=c',
  'a:b=c',
  'val=1',
  'val=ed25519!AAAA!5',
  'val=ed25519!*!5',
  validatorTx(keyOf(2), '-1'),
  validatorTx(keyOf(2), 'x'),
  validatorTx(keyOf(2), '0'),
  validatorTx(keyOf(1), '0'),
  `val=secp256k1!${Buffer.alloc(33, 2).toString('base64')}!1`,
  `val=bls!${Buffer.from(keyOf(2)).toString('base64')}!1`,
  validatorTx(keyOf(2), '1152921504606846975'),
])
  test(verdict, tx, 2)

test('the app hash is the count of transactions as a signed varint in eight bytes', (t) => {
  t.deepEqual(firstHash, new Uint8Array(8))
  t.deepEqual(block(fresh, ['a=b']).result.appHash, Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0))
  const { state, result } = block(
    fresh,
    Array.from({ length: 64 }, (_, index) => `k${index}=v`),
  )
  t.deepEqual(result.appHash, Uint8Array.of(128, 1, 0, 0, 0, 0, 0, 0))
  t.is(kvstore.info(state).data, '{"size":64}')
  t.is(kvstore.info(state).version, '2.0.0')
})

test('a pair is found under its key, whichever of the two separators it was sent with', (t) => {
  const { state } = block(fresh, ['a=b', 'c:d'])
  for (const [key, value] of [
    ['a', 'b'],
    ['c', 'd'],
  ] as const) {
    const answer = ask(state, { data: bytes(key) })
    t.deepEqual([answer.value, answer.log, answer.index, answer.height], [bytes(value), 'exists', 0n, 1n])
  }
  t.is(ask(state, { data: bytes('a'), prove: true }).index, -1n)
  const missing = ask(state, { data: bytes('b') })
  t.deepEqual([missing.code, missing.value, missing.log], [0, undefined, 'does not exist'])
})

test('the events name the key first and the value second', (t) => {
  const [events = []] = block(fresh, ['a=b']).result.txResults.map((one) => one.events)
  t.deepEqual(
    events.map(({ type, attributes }) => [type, ...attributes.map(({ value, index }) => `${value} ${index}`)]),
    [
      ['app', 'Cosmoshi Netowoko true', 'a true', 'index is working true', 'index is working false'],
      ['app', 'Cosmoshi true', 'b true', 'index is working true', 'index is working false'],
    ],
  )
})

test('a validator transaction changes the set, and /val answers it as a delimited message', (t) => {
  const { state, result } = block(fresh, [validatorTx(keyOf(2), '300')])
  t.deepEqual(result.validatorUpdates, [{ publicKey: { type: 'ed25519', bytes: keyOf(2) }, power: 300n }])
  const { value, log } = ask(state, { path: '/val', data: keyOf(2) })
  t.deepEqual(value && Buffer.from(value).toString('hex'), `270a220a20${'02'.repeat(32)}10ac02`)
  t.is(log, '')
  t.is(codeOf(state, validatorTx(keyOf(2), '0')), 0)
  const without = block(state, [validatorTx(keyOf(2), '0')]).state
  t.is(ask(without, { path: '/val', data: keyOf(2) }).value, undefined)
})

test('a block that would leave no validator keeps the last one', (t) => {
  const { state } = block(fresh, [validatorTx(keyOf(2), '5')])
  const { result } = block(state, [validatorTx(keyOf(1), '0'), validatorTx(keyOf(2), '0')])
  t.deepEqual(
    result.validatorUpdates.map(({ publicKey }) => publicKey.bytes[0]),
    [1],
  )
})

test('a validator that voted twice loses one unit of power', (t) => {
  const { result } = block(
    fresh,
    [],
    [
      {
        type: 'duplicateVote',
        address: addressOf(keyOf(1)),
        power: 300n,
        height: 1n,
        time: { seconds: 0n, nanos: 0 },
        totalPower: 300n,
      },
    ],
  )
  t.deepEqual(
    result.validatorUpdates.map(({ power }) => power),
    [299n],
  )
})

test('a proposal takes what fits in bytes and in gas, in the order of arrival', (t) => {
  const candidates = ['a=b', 'c=d', 'e=f'].map((tx) => ({ tx: bytes(tx), info: undefined }))
  t.deepEqual(kvstore.prepareProposal(fresh, { candidates, maxTxBytes: 10n, maxGas: -1n }), [0, 1])
  t.deepEqual(kvstore.prepareProposal(fresh, { candidates, maxTxBytes: 100n, maxGas: 1n }), [0])
})

test('a proposal has = where a transaction came with :, and none that would stop a node', (t) => {
  const candidates = ['a:b', 'val:1', 'c=d'].map((tx) => ({ tx: bytes(tx), info: undefined }))
  t.deepEqual(kvstore.prepareProposal(fresh, { candidates, maxTxBytes: 100n, maxGas: -1n }), [0, 2])
  t.deepEqual(kvstore.rewritten?.(bytes('a:b')), bytes('a=b'))
  t.deepEqual(kvstore.rewritten?.(bytes('c=d')), bytes('c=d'))
})

test('a proposal changes a validator once, and leaves one', (t) => {
  const proposed = (...txs: readonly string[]) =>
    kvstore.prepareProposal(fresh, {
      candidates: txs.map((tx) => ({ tx: bytes(tx), info: undefined })),
      maxTxBytes: 1000n,
      maxGas: -1n,
    })
  const [added, again] = [validatorTx(keyOf(2), '5'), validatorTx(keyOf(2), '6')]
  const [removed, addedRemoved] = [validatorTx(keyOf(1), '0'), validatorTx(keyOf(2), '0')]
  t.deepEqual(proposed(added, again, 'a=b'), [0, 2])
  t.deepEqual(proposed(added, removed), [0, 1])
  t.deepEqual(proposed(removed, added), [1])
  t.deepEqual(proposed(added, addedRemoved, removed), [0, 2])
})
