import test from 'ava'
import { toJson } from '../../../src/codec/schema/protoJson.ts'
import { fromJson } from '../../../src/codec/schema/protoJsonRead.ts'
import { namedCodec } from '../../../src/codec/schema/codecs.ts'
import { writeJson } from '../../../src/codec/goJsonWrite.ts'

test('a redelegation has the JSON of Go instead of protobuf', (t) => {
  const name = 'cosmos.staking.v1beta1.RedelegationResponse'
  const entry = namedCodec('cosmos.staking.v1beta1.RedelegationEntry').decode(new Uint8Array(0))
  const entries = [
    {
      redelegationEntry: {
        ...entry,
        creationHeight: 14n,
        completionTime: { seconds: 0n, nanos: 500_000_000 },
        initialBalance: '2',
        unbondingId: 3n,
      },
      balance: '1',
    },
    { redelegationEntry: { ...entry, completionTime: { seconds: 0n, nanos: 120_000 } }, balance: '1' },
  ]
  const whole = namedCodec(name).encode({
    redelegation: { delegatorAddress: 'a', validatorSrcAddress: 'b', validatorDstAddress: 'c', entries: [] },
    entries,
  })
  const json = writeJson(toJson(name, namedCodec(name).decode(whole)))
  t.true(json.includes('"validator_dst_address":"c","entries":null},"entries":[{"redelegation_entry":'), json)
  t.true(json.includes('"creation_height":14,"completion_time":"1970-01-01T00:00:00.5Z","initial_balance":"2"'), json)
  t.true(json.includes('"unbonding_id":3},"balance":"1"}'), json)
  t.true(json.includes('{"redelegation_entry":{"completion_time":"1970-01-01T00:00:00.00012Z",'), json)
})

test('a key of P-256 is base64 in JSON, as other keys are', (t) => {
  const name = 'cosmos.crypto.secp256r1.PubKey'
  const bytes = Uint8Array.of(0x0a, 2, 3, 0xff)
  t.is(writeJson(toJson(name, namedCodec(name).decode(bytes))), '{"key":"A/8="}')
  t.deepEqual(namedCodec(name).encode(fromJson(name, { key: 'A/8=' })), bytes)
})
