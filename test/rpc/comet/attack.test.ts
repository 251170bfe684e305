import test from 'ava'
import { CometNode } from '../../helpers/cometNode.ts'

type Attack = { type: string; value: Record<string, unknown> & { ByzantineValidators: { voting_power: string }[] } }

/** A chain of three blocks of which one validator attacks; `made` is the evidence in the next block. */
function attacked(kind: string, validators = 1): { node: CometNode; evidence: Attack } {
  const node = new CometNode({}, validators).blocks('', '', '')
  const before = node.node
  const { result } = node.call('validators', { height: '3' })
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  node.call('cause_light_client_attack', { private_key_address: address, misbehaviour_type: kind })
  const { block } = node.blocks('').call('block').result as { block: { evidence: { evidence: Attack[] } } }
  node.node = before
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

test('a lunatic header is taken from a height before it', (t) => {
  const { node, evidence } = attacked('Lunatic')
  t.regex(refusal(node, evidence), /expected the conflicting block to be correctly derived yet it wasn't/)
  const earlier = { ...evidence.value, CommonHeight: '2', Timestamp: timeOf(node, '2') }
  t.is(refusal(node, { ...evidence, value: earlier }), 'none')
})

test('amnesia names nobody', (t) => {
  const { node, evidence } = attacked('Amnesia')
  t.regex(refusal(node, evidence), /expected 0 byzantine validators from evidence but got 1/)
  t.is(refusal(node, { ...evidence, value: { ...evidence.value, ByzantineValidators: [] } }), 'none')
})

test('what a third or less signed is refused', (t) => {
  const { node, evidence } = attacked('Equivocation', 4)
  t.regex(refusal(node, evidence), /invalid commit from conflicting block: .*insufficient voting power: got 10, needed more than 26/)
})

const refused = test.macro((t, change: object, text: RegExp) => {
  const { node, evidence } = attacked('Equivocation')
  t.regex(refusal(node, { ...evidence, value: { ...evidence.value, ...change } }), text)
})

test('a total power that is not ours is refused', refused, { TotalVotingPower: '11' }, /does not match \(11 != 10\)/)
test('no power is refused', refused, { TotalVotingPower: '0' }, /ValidateBasic failed: negative or zero total voting power/)
test('a height ahead is refused', refused, { CommonHeight: '9' }, /common height is ahead of the conflicting block height \(9 > 3\)/)
test('another time is refused', refused, { Timestamp: '2020-01-01T00:00:00Z' }, /evidence has a different time/)
test('no block is refused', refused, { ConflictingBlock: null }, /conflicting block is nil/)
test('a block without a set is refused', refused, { ConflictingBlock: { signed_header: null } }, /conflicting block missing header/)

test('an unknown kind of attack is refused', (t) => {
  const node = new CometNode({}, 1).blocks('')
  const { result } = node.call('validators', { height: '1' })
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  const { error } = node.call('cause_light_client_attack', { private_key_address: address, misbehaviour_type: 'x' })
  t.regex(error?.data ?? '', /must be one of Equivocation, Lunatic, Amnesia/)
})
