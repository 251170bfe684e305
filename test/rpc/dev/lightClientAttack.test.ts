import test from 'ava'
import { start } from '../../../src/index.ts'

type Block = { block: { evidence: { evidence: { type: string; value: Attack }[] } } }
type Attack = {
  CommonHeight: string
  ByzantineValidators: { address: string }[] | null
  ConflictingBlock: { SignedHeader?: unknown; signed_header: { header: { height: string; app_hash: string }; commit: { round: number } } }
}

const attacks = test.macro(async (t, kind: string, commonHeight: string, byzantine: number) => {
  await using chain = await start({ ports: 'none', settings: { validators: 4 } })
  chain.mine(3)
  const { validators: [first] } = await chain.comet.call<{ validators: { address: string }[] }>('validators')
  await chain.comet.call('cause_light_client_attack', { private_key_address: first?.address, misbehaviour_type: kind })
  chain.mine()
  const { block: { evidence: { evidence: [found] } } } = await chain.comet.call<Block>('block', { height: '5' })
  t.is(found?.type, 'tendermint/LightClientAttackEvidence')
  t.is(found?.value.CommonHeight, commonHeight)
  t.is(found?.value.ByzantineValidators?.length ?? 0, byzantine)
  const told = JSON.stringify(found)
  t.true(told.includes('"height":"4"'))
  // The chain goes on.
  t.is(chain.mine(), 6)
})
test('a lunatic signs a state that never was', attacks, 'Lunatic', '3', 1)
test('an equivocator signs another block', attacks, 'Equivocation', '4', 1)
test('amnesia signs in another round, and nobody can be named', attacks, 'Amnesia', '4', 0)

test('an attack of no known kind is refused', async (t) => {
  await using chain = await start({ ports: 'none' })
  await t.throwsAsync(chain.comet.call('cause_light_client_attack', { private_key_address: '00', misbehaviour_type: 'Rage' }),
    { message: /./ })
  t.is(chain.mine(), 2)
})
