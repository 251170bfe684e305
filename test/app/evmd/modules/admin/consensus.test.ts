import test from 'ava'
import { consensusParams, type ConsensusUpdate } from '../../../../../src/app/evmd/consensus.ts'
import { updateConsensus } from '../../../../../src/app/evmd/modules/admin/consensus.ts'
import { startChain } from '../../../../helpers/evmdChain.ts'
import { contextOf } from '../../../../helpers/precompiles.ts'

const good: ConsensusUpdate = {
  authority: 'gov',
  block: { maxBytes: 1_000_000n, maxGas: -1n },
  evidence: { maxAgeBlocks: 9n, maxAge: { seconds: 60n, nanos: 0n }, maxBytes: 10_000n },
  validator: { types: ['ed25519'] },
  abci: undefined,
}

test('an update of the consensus parameters takes their place and is told', (t) => {
  const context = contextOf(startChain())
  updateConsensus(context, good)
  const { block, evidence, abci } = consensusParams(context)
  t.deepEqual(block, { maxBytes: 1_000_000n, maxGas: -1n })
  t.deepEqual(evidence, { maxAgeBlocks: 9n, maxAgeNanos: 60_000_000_000n, maxBytes: 10_000n })
  t.is(abci.voteExtensionsEnableHeight, 0n)
  t.is(
    context.events.at(-1)?.attributes[1]?.value,
    'block:<max_bytes:1000000 max_gas:-1 > evidence:<max_age_num_blocks:9 max_age_duration:' +
      '<seconds:60 > max_bytes:10000 > validator:<pub_key_types:"ed25519" > version:<> ',
  )
})

const refusals: Readonly<Record<string, readonly [Partial<ConsensusUpdate>, RegExp]>> = {
  'without a part': [{ evidence: undefined }, /^all parameters must be present$/],
  'with empty blocks': [{ block: { maxBytes: 0n, maxGas: 0n } }, /MaxBytes cannot be 0/],
  'with endless blocks': [{ block: { maxBytes: -2n, maxGas: 0n } }, /must be -1 or greater than 0/],
  'with huge blocks': [{ block: { maxBytes: 1n << 40n, maxGas: 0n } }, /is too big/],
  'with negative gas': [{ block: { maxBytes: 1_000_000n, maxGas: -2n } }, /MaxGas must be greater/],
  'with evidence that is never too old': [
    { evidence: { maxAgeBlocks: 0n, maxAge: { seconds: 1n, nanos: 0n }, maxBytes: 1n } },
    /MaxAgeNumBlocks must be greater than 0/,
  ],
  'with evidence without an age': [
    { evidence: { maxAgeBlocks: 1n, maxAge: undefined, maxBytes: 1n } },
    /MaxAgeDuration must be/,
  ],
  'with evidence larger than a block': [
    { evidence: { maxAgeBlocks: 1n, maxAge: { seconds: 1n, nanos: 0n }, maxBytes: 1_000_001n } },
    /greater than upper bound, 1000001 > 1000000/,
  ],
  'without types of keys': [{ validator: { types: [] } }, /must be greater than 0/],
  'with an unknown type of key': [
    { validator: { types: ['ed25519', 'x'] } },
    /PubKeyTypes\[1\], x, is an unknown pubkey type/,
  ],
  'with extensions in the past': [{ abci: { height: -1n } }, /cannot be negative/],
}

for (const [name, [change, message]] of Object.entries(refusals)) {
  test(`an update ${name} is refused and changes nothing`, (t) => {
    const context = contextOf(startChain())
    const before = consensusParams(context)
    t.throws(() => updateConsensus(context, { ...good, ...change }), { message })
    t.deepEqual(consensusParams(context), before)
  })
}
