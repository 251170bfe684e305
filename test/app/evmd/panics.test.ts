/** Transactions on which evmd panics: they fail with code 111222, and the block is made. */
import { cosmosAddressing } from '../../helpers/addressing.ts'
import test from 'ava'
import { MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgExecLegacyContent, MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgSubmitProposal as OldSubmit } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { hexToBytes } from 'viem'
import { accountText, govModule } from '../../../src/app/evmd/address.ts'
import { packedOfJson } from '../../../src/codec/schema/protoJsonRead.ts'
import { genesisDocument } from '../../../src/app/evmd/genesisDocument.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { evmChainId, startChain, type TestChain } from '../../helpers/evmdChain.ts'
import { any, ethereumPerson, person, signTx, startMessages } from '../../helpers/messageChain.ts'
import { alice } from '../../helpers/precompiles.ts'

const missing = '0x0000000000000000000000000000000000000807'

/** A chain on whose list of active precompiles the missing one stands. */
function listing(): TestChain {
  const document = JSON.parse(genesisDocument(profileSettings('local'), new TextEncoder().encode('seed')))
  document.app_state.evm.params.active_static_precompiles.push(missing)
  return startChain({ document: JSON.stringify(document) })
}

const calls: Readonly<Record<string, (gas: bigint) => object>> = {
  'a transaction to a precompile that the node lacks': (gas) => ({ to: missing, gas, nonce: 0 }),
  'value sent to a precompile that the node lacks': (gas) => ({ to: missing, gas, nonce: 0, value: 1n }),
}

for (const [name, made] of Object.entries(calls)) {
  test(`${name} makes the node panic`, async (t) => {
    const chain = listing()
    const raw = await alice.signTransaction({
      type: 'eip1559',
      chainId: evmChainId,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 0n,
      ...made(100_000n),
    })
    const { code, codespace, log, gasUsed, gasWanted, events } = chain.one(
      chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw))),
    )
    t.is(`${codespace} ${code}`, 'undefined 111222')
    t.is(log, `recovered: precompiled contract not stored in memory: ${missing}\nstack:\n: panic`)
    t.deepEqual([gasUsed, gasWanted], [0n, 100_000n])
    t.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['tx', 'ethereum_tx'],
    )
    t.deepEqual(chain.incidents, [])
    t.is(chain.ethereum.account(chain.state, hexToBytes(alice.address)).nonce, 1n)
  })
}

const bob = person(1)
const content = any(TextProposal, { title: 'old', description: 'text' })
const coins = [{ denom: 'atest', amount: '10000000' }]
const proposals: Readonly<Record<string, Any>> = {
  'a proposal of v1beta1': any(OldSubmit, { content, initialDeposit: coins, proposer: bob.address }),
  'a proposal of v1beta1 without content': any(OldSubmit, { initialDeposit: coins, proposer: bob.address }),
  'content of v1beta1 in a proposal of v1': any(MsgSubmitProposal, {
    messages: [any(MsgExecLegacyContent, { content, authority: accountText(cosmosAddressing, govModule) })],
    initialDeposit: coins,
    proposer: bob.address,
    title: 'a',
    summary: 'b',
  }),
}

for (const [name, message] of Object.entries(proposals)) {
  test(`${name} makes the node panic, under a quirk`, (t) => {
    const { account } = startMessages()
    const own = account(bob.address)
    const tx = signTx(bob, [message], own)
    const chain = startChain({ settings: { quirks: ['legacy-proposals-panic'] } })
    chain.block()
    const { code, log } = chain.one(tx)
    t.is(code, 111222, log)
    t.is(log, 'recovered: runtime error: invalid memory address or nil pointer dereference\n' + 'stack:\n: panic')
    t.deepEqual(chain.incidents, [])
    t.is(chain.block().txResults.length, 0)
  })
}

const conversions: Readonly<Record<string, object>> = {
  "turning the EVM's coin into tokens of another account": {
    '@type': '/cosmos.evm.erc20.v1.MsgConvertCoin',
    coin: { denom: 'atest', amount: '5' },
    receiver: alice.address,
    sender: bob.address,
  },
  "turning tokens of the EVM's coin into coins of another account": {
    '@type': '/cosmos.evm.erc20.v1.MsgConvertERC20',
    contract_address: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    amount: '5',
    receiver: bob.address,
    sender: ethereumPerson(1).hex,
  },
}
for (const [name, json] of Object.entries(conversions)) {
  test(`${name} makes the node panic`, (t) => {
    const chain = startMessages()
    const sender = name.includes('into tokens') ? bob : ethereumPerson(1)
    const { codespace, code, log } = chain.send(sender, packedOfJson(json))
    t.is(`${codespace} ${code}`, 'undefined 111222')
    t.is(log, 'recovered: runtime error: invalid memory address or nil pointer dereference\nstack:\n: panic')
  })
}

test('an authorization to stake without a type makes the node panic', (t) => {
  const chain = startMessages()
  const authorization = { typeUrl: '/cosmos.staking.v1beta1.StakeAuthorization', value: new Uint8Array(0) }
  const grant = any(MsgGrant, { granter: bob.address, grantee: person(0).address, grant: { authorization } })
  const { codespace, code, log } = chain.check(chain.signed(bob, [grant]))
  t.is(`${codespace} ${code}`, 'undefined 111222')
  const type = 'cannot normalize authz type with types.AuthorizationType'
  t.is(log, `recovered: ${type}: unknown authorization type\nstack:\n: panic`)
})
