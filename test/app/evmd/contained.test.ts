/** A bug in any part of the application fails one transaction or hook, and the block is made. */
import { cosmosAddressing } from '../../helpers/addressing.ts'
import test from 'ava'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { encodeFunctionData, hexToBytes, type Hex } from 'viem'
import { addressOf } from '../../../src/app/evmd/address.ts'
import { beginHooks, endHooks } from '../../../src/app/evmd/hooks.ts'
import { findPrecompile } from '../../../src/app/evmd/precompiles/directory.ts'
import { handlers } from '../../../src/app/evmd/messages.ts'
import { secp256k1 } from '../../../src/crypto/secp256k1.ts'
import { AssertionFailed } from '../../../src/errors.ts'
import { any, type MessageChain, person, startMessages } from '../../helpers/messageChain.ts'
import { abi, alice as deployer, at, caller, contextOf, startCaller, stateOf } from '../../helpers/precompiles.ts'

const [alice, bob] = [person(0), person(1)]
const hundred = [{ denom: 'atest', amount: '100' }]
const sendOf = (chain: MessageChain): Uint8Array =>
  chain.signed(bob, [any(MsgSend, { fromAddress: bob.address, toAddress: alice.address, amount: hundred })])

/** What bugs throw: errors of every kind, and what is no error at all. */
const thrown: readonly unknown[] = [
  new TypeError('planted'),
  new RangeError('planted'),
  new AssertionFailed('planted'),
  'planted',
  null,
]

/** Runs with other members in an object, which are then as before. */
function planted(target: object, members: object, run: () => void): void {
  const before = membersOf(target, members)
  Object.assign(target, members)
  try {
    run()
  } finally {
    Object.assign(target, before)
  }
}

async function plantedMeanwhile(target: object, members: object, run: () => Promise<void>): Promise<void> {
  const before = membersOf(target, members)
  Object.assign(target, members)
  try {
    await run()
  } finally {
    Object.assign(target, before)
  }
}

function membersOf(target: object, like: object): object {
  return Object.fromEntries(Object.keys(like).map((name) => [name, Reflect.get(target, name)]))
}

function throws(index: number): () => never {
  return () => {
    throw thrown[index % thrown.length]
  }
}

/** Does all that a hook does, and throws then. */
function lateThrow(hook: unknown, index: number): (...given: readonly unknown[]) => void {
  const run = hook as (...given: readonly unknown[]) => void
  return (...given) => {
    run(...given)
    throws(index)()
  }
}

const shared = startMessages()

// A grant without an authorization does not get as far as its handler.
const granted = any(MsgGrant, { grant: { authorization: any(GenericAuthorization, { msg: MsgSend.typeUrl }) } })

for (const [index, [typeUrl, handler]] of Object.entries(handlers).entries()) {
  test.serial(`a throw while ${typeUrl} runs fails that transaction alone`, (t) => {
    const chain = shared
    const members = {
      signers: () => [addressOf(cosmosAddressing, alice.address)],
      validate: undefined,
      run: throws(index),
    }
    const { sequence } = chain.account(alice.address)
    planted(handler, members, () => {
      const bad = chain.signed(alice, [typeUrl === granted.typeUrl ? granted : { typeUrl, value: new Uint8Array(0) }])
      const good = typeUrl === MsgSend.typeUrl ? [] : [sendOf(chain)]
      const { txResults } = chain.block([bad, ...good])
      t.is(txResults[0]?.code, 111_222, txResults[0]?.log)
      t.is(txResults[0]?.log, 'recovered: a bug in chainstage; its log says more: panic')
      t.true(
        txResults.slice(1).every(({ code }) => code === 0),
        txResults[1]?.log,
      )
      t.is(chain.incidents.length, 1)
      t.regex(chain.incidents[0] ?? '', /^transaction [0-9a-f]{64} \(deliver, height \d+\)\n/)
    })
    t.is(chain.account(alice.address).sequence, sequence + 1n)
  })
}

for (const [stage, hooks] of [
  ['BeginBlock', beginHooks],
  ['EndBlock', endHooks],
] as const) {
  for (const [index, hook] of hooks.entries()) {
    test.serial(`a throw in ${stage} of ${hook.name} takes back that hook alone`, (t) => {
      planted(hook, { run: lateThrow(hook.run, index) }, () => {
        const { txResults, validatorUpdates } = shared.block([sendOf(shared)])
        t.is(txResults[0]?.code, 0)
        t.deepEqual(validatorUpdates, [])
        t.is(shared.incidents.length, 1)
        t.true(shared.incidents[0]?.startsWith(`${stage} of ${hook.name} (height `))
      })
      shared.block()
      t.deepEqual(shared.incidents, [])
    })
  }
}

test.serial('a hook that throws leaves no change behind', (t) => {
  const [mint] = beginHooks
  const before = stateOf(shared, ['mint'])
  planted(mint ?? {}, { run: lateThrow(mint?.run, 0) }, () => {
    shared.block()
  })
  t.deepEqual(stateOf(shared, ['mint']), before)
  shared.block()
  t.notDeepEqual(stateOf(shared, ['mint']), before)
})

test.serial('a throw in the ante chain refuses the transaction, in a check and in a block', (t) => {
  const tx = sendOf(shared)
  planted(secp256k1, { verify: throws(0) }, () => {
    const { result, incidents } = shared.application.checkTx(shared.state, tx, 'new')
    t.is(result.code, 111_222)
    t.regex(incidents?.[0] ?? '', /^transaction \w+ \(check, height \d+\)\nTypeError: planted/)
    t.is(shared.block([tx]).txResults[0]?.code, 111_222)
    t.regex(shared.incidents[0] ?? '', /deliver/)
  })
  t.is(shared.block([tx]).txResults[0]?.code, 0)
})

test.serial('a throw while a signature is recovered fails the transaction', async (t) => {
  const { chain } = await startCaller()
  const raw = hexToBytes(
    await deployer.signTransaction({
      type: 'legacy',
      chainId: 31_337,
      gas: 21_000n,
      gasPrice: 2_000_000_000n,
      nonce: 2,
      to: caller,
    }),
  )
  const wrapped = chain.ethereum.wrap(chain.state, chain.ethereum.decode(raw)).slice()
  // Another signature: those that were recovered before are remembered.
  const last = Buffer.from(wrapped).indexOf(Buffer.from(raw)) + raw.length - 1
  wrapped[last] = (wrapped[last] ?? 0) ^ 1
  planted(secp256k1, { recover: throws(0) }, () => {
    const [result] = chain.block(wrapped).txResults
    t.is(result?.code, 111_222, result?.log)
    t.is(chain.incidents.length, 1)
  })
})

test.serial('a throw in any precompile fails the transaction, however deep it happens', async (t) => {
  const { chain, send, call } = await startCaller()
  const context = contextOf(chain)
  type Target = { address: Hex; data: Hex; target: object; plain: object }
  const targets = Object.values(at).flatMap((address): readonly Target[] => {
    const found = findPrecompile(context, hexToBytes(address))
    if (found.kind === 'missing') return []
    return found.kind === 'plain'
      ? [{ address, data: '0x00000000', target: found, plain: {} }]
      : [...found.methods()].map(([selector, target]) => ({
          address,
          data: selector as Hex,
          target,
          plain: { inputs: [] },
        }))
  })
  t.true(targets.length >= 60, `${targets.length} functions`)
  for (const [index, { address, data, target, plain }] of targets.entries()) {
    const nested = encodeFunctionData({ abi, functionName: 'forward', args: [address, data] })
    for (const [to, input] of [
      [address, data],
      [caller, nested],
    ] as const) {
      await plantedMeanwhile(target, { ...plain, run: throws(index) }, async () => {
        const result = await send(to, input)
        t.is(result.code, 111_222, `${address} ${data}: ${result.log}`)
        t.is(chain.incidents.length, 1)
        t.throws(() => call(to, input), { any: true })
      })
    }
  }
  t.is((await send(caller, '0x', 1n)).code, 0)
})
