import test from 'ava'
import fc from 'fast-check'
import { writeJson } from '../../src/codec/goJsonWrite.ts'
import { commit, vote } from '../../src/codec/votes.ts'

const bytes = fc.uint8Array({ minLength: 1, maxLength: 32 })
const time = fc.record({ seconds: fc.bigInt({ min: 0n, max: 253402300799n }), nanos: fc.nat(999_999_999) })
const height = fc.bigInt({ min: 0n, max: 2n ** 62n })
const small = fc.nat(1000)
const blockId = fc.record({ hash: bytes, parts: fc.record({ total: small, hash: bytes }) })
const signature = fc.record({ flag: fc.nat(3), address: bytes, time, signature: bytes })
const votes = fc.record({
  type: small,
  height,
  round: small,
  blockId,
  time,
  validatorAddress: bytes,
  validatorIndex: small,
  signature: bytes,
})
const commits = fc.record({ height, round: small, blockId, signatures: fc.array(signature, { maxLength: 4 }) })

test('commits read back from JSON and from protobuf', (t) => {
  fc.assert(
    fc.property(commits, (one) => {
      t.deepEqual(commit.codec.read(writeJson(commit.toJson(one)), ''), one)
      t.deepEqual(commit.message.decode(commit.message.encode(one)), one)
    }),
    { seed: 1, numRuns: 50 },
  )
})

test('votes read back from JSON and from protobuf', (t) => {
  fc.assert(
    fc.property(votes, (one) => {
      t.deepEqual(vote.codec.read(writeJson(vote.toJson(one)), ''), one)
      t.deepEqual(vote.message.decode(vote.message.encode(one)), one)
    }),
    { seed: 2, numRuns: 50 },
  )
})

test('a missing signature of a commit is null in JSON, and vote extensions always are', (t) => {
  const none = new Uint8Array(0)
  const id = { hash: none, parts: { total: 0, hash: none } }
  const absent = { flag: 1, address: none, time: { seconds: -62135596800n, nanos: 0 }, signature: none }
  t.is(
    writeJson(commit.toJson({ height: 1n, round: 0, blockId: id, signatures: [absent] })),
    '{"height":"1","round":0,"block_id":{"hash":"","parts":{"total":0,"hash":""}},"signatures":' +
      '[{"block_id_flag":1,"validator_address":"","timestamp":"0001-01-01T00:00:00Z","signature":null}]}',
  )
  const empty = { type: 2, height: 1n, round: 0, blockId: id, time: absent.time, validatorAddress: none }
  const { extension, extension_signature: proof } = vote.toJson({ ...empty, validatorIndex: 0, signature: none })
  t.deepEqual([extension, proof], [null, null])
})
