import { createHash } from 'node:crypto'
import {
  calculateExistenceRoot,
  ics23,
  iavlSpec,
  tendermintSpec,
  verifyMembership,
  verifyNonMembership,
} from '@confio/ics23'
import test from 'ava'
import { appHashOf, commitStores, emptyStores, proveKey } from '../../src/app/multiStore.ts'
import { storeNames } from '../../src/app/evmd/storeNames.ts'

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

function stores() {
  const changes = new Map([
    ['bank', ['a', 'c', 'e', 'g'].map((name) => [text(name), text(`value ${name}`)] as const)],
    ['evm', [[text('x'), text('y')] as const]],
  ])
  return commitStores(emptyStores(storeNames), changes, 5n)
}

for (const [key, value] of [
  ['c', 'value c'],
  ['d', undefined],
  ['z', undefined],
] as const) {
  test(`ics23 verifies that ${key} is ${value === undefined ? 'absent' : 'there'} under the app hash`, (t) => {
    const all = stores()
    const [inTree, inHash] = proveKey(all, 'bank', text(key)) ?? []
    const outer = ics23.CommitmentProof.decode(inHash?.data ?? new Uint8Array(0))
    const inner = ics23.CommitmentProof.decode(inTree?.data ?? new Uint8Array(0))
    const root = outer.exist?.value ?? new Uint8Array(0)
    t.true(verifyMembership(outer, tendermintSpec, appHashOf(all), text('bank'), root))
    t.is(
      value === undefined
        ? verifyNonMembership(inner, iavlSpec, root, text(key))
        : verifyMembership(inner, iavlSpec, root, text(key), text(value)),
      true,
    )
    const exist = outer.exist
    t.deepEqual(exist && Uint8Array.from(calculateExistenceRoot(exist)), appHashOf(all))
  })
}

test('an unknown store and an empty key have no proof', (t) => {
  t.is(proveKey(stores(), 'nope', text('a')), undefined)
  t.is(proveKey(stores(), 'bank', new Uint8Array(0)), undefined)
})

test('an empty store is under the app hash, and a key is absent from it without neighbours', (t) => {
  const all = stores()
  const [inTree, inHash] = proveKey(all, 'gov', text('a')) ?? []
  const inner = ics23.CommitmentProof.decode(inTree?.data ?? new Uint8Array(0))
  t.deepEqual(inner.toJSON(), { nonexist: { key: Buffer.from('a').toString('base64') } })
  const outer = ics23.CommitmentProof.decode(inHash?.data ?? new Uint8Array(0))
  const root = createHash('sha256').digest()
  t.true(verifyMembership(outer, tendermintSpec, appHashOf(all), text('gov'), root))
})
