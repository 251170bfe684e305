/** Evidence of misbehavior in a genesis document. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import test from 'ava'
import { packedOfJson } from '../../../../src/codec/schema/protoJsonRead.ts'
import { start } from '../../../../src/index.ts'
import { person, startMessages } from '../../../helpers/messageChain.ts'

type Document = { app_state: Record<string, unknown> }

const fault = {
  '@type': '/cosmos.evidence.v1beta1.Equivocation',
  height: '7',
  time: '2026-11-20T10:00:00.000000005Z',
  power: '100',
  consensus_address: 'cosmosvalcons1kzag900ze6ty7cltfxm7q4fgve8n500urunarr',
}

function withEvidence(...evidence: readonly object[]): string {
  const document = JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
  document.app_state['evidence'] = { evidence }
  return JSON.stringify(document)
}

const hashOf = (height: bigint) =>
  createHash('sha256')
    .update(
      Equivocation.encode({
        height,
        time: { seconds: BigInt(Date.parse('2026-11-20T10:00:00Z') / 1_000), nanos: 5 },
        power: 100n,
        consensusAddress: fault.consensus_address,
      }).finish(),
    )
    .digest('hex')

test('evidence of the genesis is listed in the order of its hashes, and found by its hash', async (t) => {
  const later = { ...fault, height: '8' }
  await using server = await start({ ports: 'free', genesis: withEvidence(fault, later) })
  const ask = async (path: string) =>
    (await fetch(`${server.urls.rest}/cosmos/evidence/v1beta1/evidence${path}`)).json()
  const { evidence } = (await ask('')) as { evidence: unknown }
  t.deepEqual(evidence, hashOf(7n) < hashOf(8n) ? [fault, later] : [later, fault])
  t.deepEqual(await ask(`/${hashOf(8n).toUpperCase()}`), { evidence: later })
})

test('evidence of the genesis cannot be submitted again', (t) => {
  const chain = startMessages({ edit: (state) => Object.assign(state, { evidence: { evidence: [fault] } }) })
  const submit = {
    '@type': '/cosmos.evidence.v1beta1.MsgSubmitEvidence',
    submitter: person(0).address,
    evidence: fault,
  }
  const { codespace, code, log } = chain.send(person(0), packedOfJson(submit))
  t.is(`${codespace} ${code}`, 'evidence 5')
  t.regex(log, new RegExp(`: ${hashOf(7n).toUpperCase()}: evidence already exists$`))
})

const refused = test.macro(async (t, genesis: string, message: string) => {
  const error = await t.throwsAsync(start({ ports: 'none', genesis }), { code: 'INVALID_GENESIS' })
  t.true(error?.message.startsWith(`genesis: app_state.evidence.${message}`), error?.message)
})

const accepted = 'must be evidence that evmd accepts:'

test(
  'evidence without a type is refused with its place',
  refused,
  withEvidence({}),
  `evidence[0] must be a google.protobuf.Any: Any JSON doesn't have '@type'`,
)
test(
  'what is no evidence is refused with its place',
  refused,
  withEvidence(fault, { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'a', description: 'b' }),
  `evidence[1] ${accepted} no concrete type registered for type URL /cosmos.gov.v1beta1.TextProposal`,
)
test(
  'evidence with an unknown member is refused with its place',
  refused,
  withEvidence({ ...fault, extra: '1' }),
  `evidence[0] must be a google.protobuf.Any: can't unmarshal Any nested proto `,
)
test(
  'evidence of the same misbehavior twice is refused, as on the node',
  refused,
  withEvidence(fault, fault),
  `evidence[1] ${accepted} evidence with hash ${hashOf(7n).toUpperCase()} already exists`,
)
test(
  'evidence of a height before the first is refused, as on the node',
  refused,
  withEvidence({ ...fault, height: '0' }),
  `evidence[0] ${accepted} invalid equivocation height: 0`,
)
test(
  'evidence of a time before 1970 is refused, as on the node',
  refused,
  withEvidence({ ...fault, time: '1969-12-31T23:59:59.5Z' }),
  `evidence[0] ${accepted} invalid equivocation time: 1969-12-31 23:59:59.5 +0000 UTC`,
)
test(
  'evidence against a validator without power is refused, as on the node',
  refused,
  withEvidence({ ...fault, power: '-1' }),
  `evidence[0] ${accepted} invalid equivocation validator power: -1`,
)
test(
  'evidence against nobody is refused, as on the node',
  refused,
  withEvidence({ ...fault, consensus_address: '' }),
  `evidence[0] ${accepted} invalid equivocation validator consensus address: `,
)
