/** Parameters of x/vm: who may create and call contracts, and active precompiles. */
import test from 'ava'
import { getAddress, hexToBytes, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { genesisDocument } from '../../../src/app/evmd/genesisDocument.ts'
import type { Submitted } from '../../../src/chain/outcome.ts'
import { submittedHash } from '../../../src/rpc/eth/broadcast.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { evmChainId, startChain } from '../../helpers/evmdChain.ts'

const phrase = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(phrase)
const bob = mnemonicToAccount(phrase, { addressIndex: 1 })

type Access = { readonly access_type: string; readonly access_control_list: readonly string[] }
const open: Access = { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] }
const closed: Access = { ...open, access_type: 'ACCESS_TYPE_RESTRICTED' }
const forAlice: Access = { access_type: 'ACCESS_TYPE_PERMISSIONED', access_control_list: [alice.address] }
const withoutAlice: Access = { ...open, access_control_list: [alice.address] }

const contract = getAddress(`0x${'cc'.repeat(20)}`)
// Both return the result of the instruction as a word.
const creates = '5f5f5ff05f5260205ff3'
const calls = `5f5f5f5f5f73${bob.address.slice(2)}5af15f5260205ff3`

function start(access: { create?: Access; call?: Access }, precompiles?: readonly string[]) {
  const document = JSON.parse(genesisDocument(profileSettings('local'), new TextEncoder().encode('seed')))
  const { params } = document.app_state.evm
  Object.assign(params.access_control, access)
  if (precompiles !== undefined) params.active_static_precompiles = precompiles
  const chain = startChain({ document: JSON.stringify(document) })
  const { ethereum } = chain
  const sign = async (from: typeof alice, to: Hex | undefined) =>
    hexToBytes(
      await from.signTransaction({
        ...{ type: 'eip1559', chainId: evmChainId, gas: 100_000n, nonce: 0, data: '0x', value: 5n },
        ...{ maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 0n, ...(to === undefined ? {} : { to }) },
      }),
    )
  chain.block()
  return {
    send: async (from: typeof alice, to?: Hex) =>
      chain.one(ethereum.wrap(chain.state, ethereum.decode(await sign(from, to)))),
    call: async (from: typeof alice, to?: Hex) => {
      const context = chain.state.transient.header
      const rest = { gasCap: 50_000_000n, gasBudget: undefined, overrides: [], blockOverride: {} }
      const { tx } = ethereum.decode(await sign(from, to))
      return ethereum.call(chain.state, { context, ...rest, tx })
    },
    /** Returns what code at an address returns to a caller, and the trace of its calls. */
    run: async (from: typeof alice, code: string) => {
      const { tx } = ethereum.decode(await sign(from, contract))
      const none = { balance: undefined, nonce: undefined, state: undefined, stateDiff: undefined }
      const overrides = [
        { ...none, address: hexToBytes(contract), code: hexToBytes(`0x${code}`), movePrecompileTo: undefined },
      ]
      const context = chain.state.transient.header
      const call = { context, tx, gasCap: 0n, gasBudget: undefined, overrides, blockOverride: {} }
      const traced = ethereum.trace(chain.state, { context, call, tracer: 'callTracer', config: '' })
      const { output } = ethereum.call(chain.state, call)
      const { calls = [] } = JSON.parse(traced) as { calls?: readonly { type: string; error?: string }[] }
      return { isDone: output.some((byte) => byte !== 0), calls: calls.map(({ type, error }) => [type, error]) }
    },
    wei: ({ address }: typeof alice) => ethereum.account(chain.state, hexToBytes(address)).wei,
  }
}

test('nobody creates contracts or sends coins once both are restricted', async (t) => {
  const chain = start({ create: closed, call: closed })
  const created = await chain.send(alice)
  t.deepEqual([created.codespace, created.code], ['evm', 5])
  t.is(created.log, 'failed to create new contract: EVM create operation is disabled')
  const sent = await chain.send(alice, bob.address)
  t.deepEqual([sent.codespace, sent.code], ['evm', 6])
  t.is(sent.log, 'failed to perform a call: EVM Call operation is disabled')
  const refused = { admitted: false, mined: undefined, check: sent } as unknown as Submitted
  t.throws(() => submittedHash({ ...refused, type: 'submitted' }, ''), {
    message: 'failed to perform a call: EVM Call operation is disabled: EVM Call operation is disabled',
  })
})

const cases: readonly (readonly [string, Access, typeof alice, typeof alice])[] = [
  ['those whom a list allows', forAlice, alice, bob],
  ['all but those whom a list excludes', withoutAlice, bob, alice],
]
for (const [who, access, allowed, denied] of cases) {
  test(`${who} create contracts`, async (t) => {
    const chain = start({ create: access })
    t.false(failed(await chain.send(allowed)))
    t.true(failed(await chain.send(denied)))
    const { status, reason, gasUsed } = await chain.call(denied)
    t.is(status, 'halt')
    t.is(reason?.detail, `caller address ${denied.address} does not have permission to deploy contracts`)
    t.is(gasUsed, 53_000n)
  })

  test(`${who} send coins`, async (t) => {
    const chain = start({ call: access })
    const [before, others] = [chain.wei(bob), chain.wei(alice)]
    t.true(failed(await chain.send(denied, allowed.address)))
    const [kept, spent] = denied === bob ? [others, before - chain.wei(bob)] : [before, others - chain.wei(alice)]
    t.is(chain.wei(allowed), kept)
    t.true(spent > 0n, 'the fee')
    t.false(failed(await chain.send(allowed, denied.address)))
    const { reason } = await chain.call(denied, allowed.address)
    t.is(reason?.detail, `caller address ${denied.address} does not have permission to perform a call`)
  })
}

test('a precompile whose address is spelled without 0x is listed, but not active', async (t) => {
  const staking = '0000000000000000000000000000000000000800'
  const chain = start({}, [staking])
  t.is((await chain.call(alice, `0x${staking}`)).status, 'success')
  t.false(failed(await chain.send(alice, bob.address)))
})

function failed({ events }: Awaited<ReturnType<ReturnType<typeof start>['send']>>): boolean {
  return events.some(({ attributes }) => attributes.some(({ key }) => key === 'ethereumTxFailed'))
}

const inside = test.macro(
  async (t, access: Access, what: 'create' | 'call', who: typeof alice, told: readonly unknown[]) => {
    const chain = start({ [what]: access })
    const { isDone, calls: traced } = await chain.run(who, what === 'create' ? creates : calls)
    t.is(isDone, told === created || told === called)
    t.deepEqual(traced, told.length === 0 ? [] : [told])
  },
)
const forContract: Access = { ...forAlice, access_control_list: [contract] }
const withoutContract: Access = { ...open, access_control_list: [contract] }
const created = ['CREATE', undefined]
const called = ['CALL', undefined]
const forbidden = ['CALL', `caller address ${contract} does not have permission to perform a call`]

test('a contract creates for a signer whom a list allows', inside, forAlice, 'create', alice, created)
test('a contract that a list allows creates for anybody', inside, forContract, 'create', bob, created)
test('no other contract creates, which tracers do not hear of', inside, forAlice, 'create', bob, [])
test('a contract that a list excludes calls nobody', inside, withoutContract, 'call', bob, forbidden)
test('other contracts call', inside, withoutAlice, 'call', bob, called)
