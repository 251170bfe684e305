/** Every member of a header is in its hash, its wire form and its JSON. */
import test from 'ava'
import type { Header } from '../../src/chain/block.ts'
import { headerHash } from '../../src/chain/hashing.ts'
import { eachHeaderHash, headerHashes, headerHashNames } from '../../src/codec/headerHashes.ts'
import * as wire from '../../src/codec/protobuf/comet.ts'
import { headerJson } from '../../src/feed/cometShapes.ts'

const bytesOf = (fill: number) => new Uint8Array(32).fill(fill)

const header: Header = {
  version: { block: 11n, app: 1n },
  chainId: 'test-1',
  height: 5n,
  time: { seconds: 7n, nanos: 9 },
  lastBlockId: { hash: bytesOf(1), parts: { total: 1, hash: bytesOf(2) } },
  ...eachHeaderHash((json) => bytesOf(json.length)),
}

/** The header with one member changed, for each of its members. */
const changed: readonly (readonly [string, Header])[] = [
  ['version', { ...header, version: { block: 11n, app: 2n } }],
  ['chainId', { ...header, chainId: 'test-2' }],
  ['height', { ...header, height: 6n }],
  ['time', { ...header, time: { seconds: 8n, nanos: 9 } }],
  ['lastBlockId', { ...header, lastBlockId: { ...header.lastBlockId, hash: bytesOf(3) } }],
  ...headerHashNames.map((name) => [name, { ...header, [name]: bytesOf(200) }] as const),
]

test('a change of any member changes the hash, the wire form and the JSON of a header', (t) => {
  t.deepEqual(changed.map(([name]) => name).toSorted(), Object.keys(header).toSorted())
  for (const [name, other] of changed) {
    t.notDeepEqual(headerHash(other), headerHash(header), name)
    t.notDeepEqual(wire.header.encode(other), wire.header.encode(header), name)
    t.notDeepEqual(headerJson(other), headerJson(header), name)
    t.deepEqual(wire.header.decode(wire.header.encode(other)), other, name)
  }
})

test('the byte members have the field numbers and the JSON names of CometBFT, in its order', (t) => {
  t.deepEqual(Object.values(headerHashes), [
    'last_commit_hash',
    'data_hash',
    'validators_hash',
    'next_validators_hash',
    'consensus_hash',
    'app_hash',
    'last_results_hash',
    'evidence_hash',
    'proposer_address',
  ])
  const proposer = wire.header.encode({
    ...header,
    ...eachHeaderHash(() => new Uint8Array(0)),
    proposerAddress: Uint8Array.of(1),
  })
  t.deepEqual([...proposer.slice(-3)], [(14 << 3) | 2, 1, 1])
})
