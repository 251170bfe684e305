import { createHash } from 'node:crypto'
import test from 'ava'
import type { WireBlockId, WireCommit, WireHeader } from '../../helpers/cometJson.ts'
import { CometNode } from '../../helpers/cometNode.ts'

type Attack = {
  type: string
  value: Record<string, unknown> & { ByzantineValidators: { voting_power: string }[] }
}

/** A chain of four blocks, and evidence that one validator attacks the third. */
function attacked(kind: string, validators = 1): { node: CometNode; evidence: Attack } {
  const node = new CometNode({}, validators).blocks('', '', '')
  const before = node.node
  const { result } = node.call('validators', { height: '3' })
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  node.call('cause_light_client_attack', { private_key_address: address, misbehaviour_type: kind })
  const { block } = node.blocks('').call('block').result as {
    block: { evidence: { evidence: Attack[] } }
  }
  node.node = before
  node.blocks('')
  const [evidence] = block.evidence.evidence
  if (evidence === undefined) throw new Error('no evidence')
  return { node, evidence }
}

function timeOf(node: CometNode, height: string): string {
  return (node.call('header', { height }).result as { header: { time: string } }).header.time
}

function refusal(node: CometNode, evidence: Attack): string {
  return String(node.call('broadcast_evidence', { evidence }).error?.data ?? 'none')
}

test('an equivocation that the whole power signed is taken, once', (t) => {
  const { node, evidence } = attacked('Equivocation')
  t.is(evidence.type, 'tendermint/LightClientAttackEvidence')
  t.is(refusal(node, evidence), 'none')
  t.is(node.node.chain.evidence.length, 1)
  t.is(refusal(node, evidence), 'none')
  t.is(node.node.chain.evidence.length, 1)
})

test('evidence in a block is known until the block is taken back', (t) => {
  const { node, evidence } = attacked('Equivocation')
  t.is(refusal(node, evidence), 'none')
  node.blocks('')
  t.is(refusal(node, evidence), 'none')
  t.is(node.node.chain.evidence.length, 0)
  node.command({ type: 'rollback', depth: 1n })
  t.is(refusal(node, evidence), 'none')
  t.is(node.node.chain.evidence.length, 1)
})

test('a lunatic header is taken from a height before it', (t) => {
  const { node, evidence } = attacked('Lunatic')
  t.regex(refusal(node, evidence), /expected the conflicting block to be correctly derived yet it wasn't/)
  const earlier = { ...evidence.value, CommonHeight: '2', Timestamp: timeOf(node, '2') }
  t.is(refusal(node, { ...evidence, value: earlier }), 'none')
})

test('amnesia names nobody', (t) => {
  const { node, evidence } = attacked('Amnesia')
  t.regex(
    refusal(node, evidence),
    /expected nil validators from an amnesia light client attack but got 1\. Evidence: L/,
  )
  t.is(refusal(node, { ...evidence, value: { ...evidence.value, ByzantineValidators: [] } }), 'none')
})

test('what two thirds or less signed is refused', (t) => {
  const { node, evidence } = attacked('Equivocation', 4)
  t.regex(
    refusal(node, evidence),
    /: Invalid evidence: invalid commit from conflicting block: invalid commit -- insufficient voting power: got 10, needed more than 26\. Evidence: /,
  )
})

test('what a third or less of the common set signed is refused', (t) => {
  const { node, evidence } = attacked('Lunatic', 4)
  const earlier = {
    ...evidence,
    value: { ...evidence.value, CommonHeight: '2', Timestamp: timeOf(node, '2') },
  }
  t.regex(
    refusal(node, earlier),
    /: skipping verification of conflicting block failed: invalid commit -- insufficient voting power: got 10, needed more than 13\. /,
  )
})

test('an attack on the newest block is refused: the block after it carries its commit', (t) => {
  const { node, evidence } = attacked('Equivocation')
  node.command({ type: 'rollback', depth: 1n })
  t.regex(refusal(node, evidence), /: Invalid evidence: don't have commit at height #3\. /)
})

type Path = readonly (string | number)[]

/** The evidence with another value at a place inside. */
function changed(value: unknown, [first, ...rest]: Path, to: unknown): unknown {
  if (first === undefined) return to
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[first] = changed(copy[first], rest, to)
  return copy
}

const refused = test.macro((t, path: Path, to: unknown, text: string) => {
  const { node, evidence } = attacked('Equivocation')
  const data = refusal(node, { ...evidence, value: changed(evidence.value, path, to) as Attack['value'] })
  t.is(data.replace(/[0-9A-F]{64}/g, 'HASH').replace(/\. Evidence: L[\s\S]*/, ''), text)
})

const basic = 'evidence.ValidateBasic failed: '
const light = `${basic}invalid conflicting light block: `
const pool = 'failed to add evidence: Invalid evidence: '
const header = ['ConflictingBlock', 'signed_header', 'header'] as const
const commit = ['ConflictingBlock', 'signed_header', 'commit'] as const
const signature = [...commit, 'signatures', 0] as const
const set = ['ConflictingBlock', 'validator_set'] as const
const size = 'expected size to be 32 bytes, got 1 bytes'

test('no block', refused, ['ConflictingBlock'], null, `${basic}conflicting block is nil`)
test('no header', refused, header, null, `${basic}conflicting block missing header`)
test('no power', refused, ['TotalVotingPower'], '0', `${basic}negative or zero total voting power`)
test('no height', refused, ['CommonHeight'], '0', `${basic}negative or zero common height`)
test(
  'a height ahead',
  refused,
  ['CommonHeight'],
  '9',
  `${basic}common height is ahead of the conflicting block height (9 > 3)`,
)
test('no set', refused, set, null, `${light}missing validator set`)
test('no commit', refused, commit, null, `${light}invalid signed header: missing commit`)
test(
  'another protocol',
  refused,
  [...header, 'version'],
  { block: '10' },
  `${light}invalid signed header: invalid header: block protocol is incorrect: got: 10, want: 11 `,
)
test(
  'a long chain id',
  refused,
  [...header, 'chain_id'],
  'x'.repeat(51),
  `${light}invalid signed header: invalid header: chainID is too long; got: 51, max: 50`,
)
test(
  'a short hash in the last block id',
  refused,
  [...header, 'last_block_id', 'parts', 'hash'],
  'AA',
  `${light}invalid signed header: invalid header: wrong LastBlockID: wrong PartSetHeader: wrong Hash: ${size}`,
)
test(
  'a short data hash',
  refused,
  [...header, 'data_hash'],
  'AA',
  `${light}invalid signed header: invalid header: wrong DataHash: ${size}`,
)
test(
  'a short results hash',
  refused,
  [...header, 'last_results_hash'],
  'AA',
  `${light}invalid signed header: invalid header: wrong LastResultsHash: ${size}`,
)
test(
  'a short proposer',
  refused,
  [...header, 'proposer_address'],
  'AA',
  `${light}invalid signed header: invalid header: invalid ProposerAddress length; got: 1, expected: 20`,
)
test(
  'a negative round',
  refused,
  [...commit, 'round'],
  -1,
  `${light}invalid signed header: invalid commit: negative Round`,
)
test(
  'a commit for nothing',
  refused,
  [...commit, 'block_id'],
  {},
  `${light}invalid signed header: invalid commit: commit cannot be for nil block`,
)
test(
  'a commit without signatures',
  refused,
  [...commit, 'signatures'],
  [],
  `${light}invalid signed header: invalid commit: no signatures in commit`,
)
test(
  'a flag that is none',
  refused,
  [...signature, 'block_id_flag'],
  4,
  `${light}invalid signed header: invalid commit: wrong CommitSig #0: unknown BlockIDFlag: 4`,
)
test(
  'an absence with an address',
  refused,
  [...signature, 'block_id_flag'],
  1,
  `${light}invalid signed header: invalid commit: wrong CommitSig #0: validator address is present`,
)
test(
  'no signature',
  refused,
  [...signature, 'signature'],
  null,
  `${light}invalid signed header: invalid commit: wrong CommitSig #0: signature is missing`,
)
test(
  'another height',
  refused,
  [...commit, 'height'],
  '2',
  `${light}invalid signed header: header and commit height mismatch: 3 vs 2`,
)
test(
  'another header',
  refused,
  [...header, 'app_hash'],
  'AA',
  `${light}invalid signed header: commit signs block HASH, header is block HASH`,
)
test(
  'an empty set',
  refused,
  [...set, 'validators'],
  [],
  `${light}invalid validator set: validator set is nil or empty`,
)
test(
  'a null in the set',
  refused,
  [...set, 'validators', 0],
  null,
  `${light}invalid validator set: invalid validator #0: nil validator`,
)
test(
  'a validator without a key',
  refused,
  [...set, 'validators', 0, 'pub_key'],
  null,
  `${light}invalid validator set: invalid validator #0: validator does not have a public key`,
)
test(
  'negative power',
  refused,
  [...set, 'validators', 0, 'voting_power'],
  '-1',
  `${light}invalid validator set: invalid validator #0: validator has negative voting power`,
)
test(
  'no proposer',
  refused,
  [...set, 'proposer'],
  null,
  `${light}invalid validator set: proposer failed validate basic, error: nil validator`,
)
test(
  'another set',
  refused,
  [...set, 'validators', 0, 'voting_power'],
  '11',
  `${light}expected validator hash of header to match validator set hash (HASH != HASH)`,
)
test(
  'another time',
  refused,
  ['Timestamp'],
  '2020-01-01T00:00:00Z',
  `${pool}evidence has a different time to the block it is associated with (2020-01-01 00:00:00 +0000 UTC != 2025-01-01 00:00:02 +0000 UTC)`,
)
test(
  'another total power',
  refused,
  ['TotalVotingPower'],
  '11',
  `${pool}total voting power from the evidence and our validator set does not match (11 != 10)`,
)
test(
  'another culprit',
  refused,
  ['ByzantineValidators'],
  [],
  `${pool}expected 1 byzantine validators from evidence but got 0`,
)
test(
  'a culprit of another power',
  refused,
  ['ByzantineValidators', 0, 'voting_power'],
  '9',
  `${pool}evidence contained unexpected byzantine validator power; expected 10, got 9`,
)

test('a wrong signature is named by its place', (t) => {
  const { node, evidence } = attacked('Equivocation')
  const other = Buffer.alloc(64, 7)
  const value = changed(evidence.value, [...signature, 'signature'], other.toString('base64')) as Attack['value']
  t.true(
    refusal(node, { ...evidence, value }).startsWith(
      `${pool}invalid commit from conflicting block: wrong signature (#0): ${other.toString('hex').toUpperCase()}. Evidence: `,
    ),
  )
})

test('a block without a signed header makes a real node panic, and it goes on', (t) => {
  const { node, evidence } = attacked('Equivocation')
  const value = changed(evidence.value, ['ConflictingBlock', 'signed_header'], null) as Attack['value']
  const reply = node.post({
    jsonrpc: '2.0',
    id: 1,
    method: 'broadcast_evidence',
    params: { evidence: { ...evidence, value } },
  })
  t.is(reply.status, 500)
  t.regex(reply.body, /nil pointer dereference/)
  t.is(refusal(node, evidence), 'none')
})

test('a refusal ends with the evidence as Go prints it', (t) => {
  const { node, evidence } = attacked('Equivocation')
  const value = { ...evidence.value, TotalVotingPower: '11' } as unknown as {
    ConflictingBlock: {
      signed_header: { header: WireHeader; commit: WireCommit }
      validator_set: {
        validators: { address: string; pub_key: { value: string }; proposer_priority: string }[]
      }
    }
  }
  const {
    signed_header: { header: head, commit: signed },
    validator_set: {
      validators: [one],
    },
  } = value.ConflictingBlock
  const [by] = signed.signatures
  const id = ({ hash, parts }: WireBlockId) => `${hash}:${parts.total}:${(parts.hash || '0'.repeat(12)).slice(0, 12)}`
  const goTime = (text = '') => text.replace('T', ' ').replace('Z', ' +0000 UTC')
  const hex = (base64: string | null | undefined) =>
    Buffer.from(base64 ?? '', 'base64')
      .toString('hex')
      .toUpperCase()
  const validator = `Validator{${one?.address} PubKeyEd25519{${hex(one?.pub_key.value)}} VP:10 A:${one?.proposer_priority}}`
  const expected = `LightClientAttackEvidence{
		ConflictingBlock: LightBlock{
  SignedHeader{
    Header{
      Version:        {11 0}
      ChainID:        kv-1
      Height:         3
      Time:           ${goTime(head.time)}
      LastBlockID:    ${id(head.last_block_id)}
      LastCommit:     ${head.last_commit_hash}
      Data:           ${head.data_hash}
      Validators:     ${head.validators_hash}
      NextValidators: ${head.next_validators_hash}
      App:            ${head.app_hash}
      Consensus:      ${head.consensus_hash}
      Results:        ${head.last_results_hash}
      Evidence:       ${head.evidence_hash}
      Proposer:       ${head.proposer_address}
    }#${signed.block_id.hash}
    Commit{
      Height:     3
      Round:      0
      BlockID:    ${id(signed.block_id)}
      Signatures:
        CommitSig{${hex(by?.signature).slice(0, 12)} by ${by?.validator_address.slice(0, 12)} on 2 @ ${by?.timestamp}}
    }#
  }
  ValidatorSet{
    Proposer: ${validator}
    Validators:
      ${validator}
  }
}, 
		CommonHeight: 3, 
		ByzatineValidators: [${validator}], 
		TotalVotingPower: 11, 
		Timestamp: ${goTime(head.time)}}#`
  const data = refusal(node, { ...evidence, value: value as unknown as Attack['value'] })
  const text = data.slice(data.indexOf('LightClient'))
  t.is(text.slice(0, -64), expected)
  const hashed = Buffer.concat([Buffer.from(signed.block_id.hash, 'hex').subarray(0, 31), Buffer.from([0, 6])])
  t.is(text.slice(-64), createHash('sha256').update(hashed).digest('hex').toUpperCase())
})

test('an unknown kind of attack is refused', (t) => {
  const node = new CometNode({}, 1).blocks('')
  const { result } = node.call('validators', { height: '1' })
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  const { error } = node.call('cause_light_client_attack', { private_key_address: address, misbehaviour_type: 'x' })
  t.regex(error?.data ?? '', /must be one of Equivocation, Lunatic, Amnesia/)
})
