/**
 * `--quirks sane` differs from the recorded node where `saneDifferences.json5` says, nowhere else.
 */
import test from 'ava'
import { quirks } from '../../src/settings/quirks.ts'
import { play, sideB, type How } from './run.ts'
import { differences, differing, exceptions } from './sane.ts'

/** Quirks of Ethereum JSON-RPC that no recorded answer shows. */
const unseen: Readonly<Record<string, string>> = {
  'access-list-dropped': 'no recorded transaction has both a gas price and an access list',
  'last-fee-required': 'no recorded fee covers the next block and not the last one',
  'logs-above-head-refused': 'no recorded range begins in the chain and ends above it',
  'client-version-build': 'the recorded answer is another in each build',
  'failed-delegations-dropped': 'no recorded transaction both delegates and fails',
  'funded-constructor-cannot-end': 'no recorded contract ends in its constructor',
  'accounts-for-any-page': 'no recorded request comes from a page',
  'trace-nonce-kept': 'no recorded transaction delegates its own sender',
  'trace-call-next-fee': 'no recorded trace of a message reads the base fee',
  'coinbase-cold': 'no recorded contract reads the account of COINBASE or of address 0',
  'uncommitted-tx-hides-block': 'every recorded transaction could be committed',
  'legacy-proposals-panic': 'no recorded proposal is of v1beta1',
  'trace-keys-sorted': 'answers are compared without the order of their keys',
}

const differs = test.macro(async (t, names: readonly string[], settings: Record<string, unknown>, how: How = {}) => {
  const { files } = await play(names, settings, { ...how, quirks: ['sane'] })
  for (const { name, cases, missed } of files) {
    const listed = differing(name)
    const found = new Set(missed.map(({ one }) => one.name))
    t.log(`${name}: ${listed.size} of ${cases.length} differ`)
    t.deepEqual(
      [...found].filter((one) => !listed.has(one) && exceptions[name]?.[one] === undefined),
      [],
      `${name}: these differ and are not listed`,
    )
    t.deepEqual(
      [...listed].filter((one) => !found.has(one)),
      [],
      `${name}: these are listed and do not differ`,
    )
  }
})

test.serial('sane differs on purpose alone', differs, sideB, {}, { isSession: true })
test.serial('sane differs on purpose alone with the EVM mempool on', differs, ['v-mempool-b'], { mempoolMaxTxs: 0 })
test.serial('sane differs on purpose alone with default namespaces', differs, ['v-restricted-b'], {
  ethApi: ['eth', 'net', 'web3'],
})

test('differences are listed by quirks that there are', (t) => {
  const known = Object.keys(quirks)
  t.deepEqual(
    Object.keys(differences).filter((name) => !known.includes(name)),
    [],
  )
  t.deepEqual(
    Object.keys(unseen).filter((name) => name in differences),
    [],
  )
  const ofOtherSides = [
    'comet-index-lag',
    'empty-first-checks',
    'abci-info-wire',
    'fee-left-out-of-simulation',
    'no-grpc-health',
    'few-cors-headers',
    'websocket-any-origin',
  ]
  t.deepEqual(known.filter((name) => !(name in differences || name in unseen)).sort(), ofOtherSides.sort())
})
