import test from 'ava'
import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { AminoTypes, defaultRegistryTypes, createDefaultAminoConverters } from '@cosmjs/stargate'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { Registry } from '@cosmjs/proto-signing'
import { aminoSignText } from '../../../src/codec/aminoJson.ts'
import { AminoError } from '../../../src/codec/schema/amino.ts'
import { Fee } from '../../../src/codec/messages/cosmos.ts'

const registry = new Registry(defaultRegistryTypes)
const types = new AminoTypes(createDefaultAminoConverters())
const amount = { denom: 'atest', amount: '5' }
const delegation = { delegatorAddress: 'cosmos1a', validatorAddress: 'cosmosvaloper1b', amount }
const description = {
  moniker: 'm',
  identity: 'i',
  website: 'w',
  securityContact: 's',
  details: 'd',
}
const coins = [amount, { denom: 'uatom', amount: '0' }]

const messages: readonly (readonly [string, object])[] = [
  ['/cosmos.bank.v1beta1.MsgSend', { fromAddress: 'cosmos1a', toAddress: 'cosmos1b', amount: coins }],
  ['/cosmos.bank.v1beta1.MsgMultiSend', { inputs: [{ address: 'a', coins }], outputs: [{ address: 'b', coins }] }],
  ['/cosmos.staking.v1beta1.MsgDelegate', delegation],
  ['/cosmos.staking.v1beta1.MsgUndelegate', delegation],
  [
    '/cosmos.staking.v1beta1.MsgBeginRedelegate',
    { delegatorAddress: 'a', validatorSrcAddress: 'b', validatorDstAddress: 'c', amount },
  ],
  ['/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward', { delegatorAddress: 'a', validatorAddress: 'b' }],
  ['/cosmos.gov.v1beta1.MsgVote', { proposalId: 7n, voter: 'a', option: 1 }],
  ['/cosmos.gov.v1beta1.MsgDeposit', { proposalId: 7n, depositor: 'a', amount: coins }],
  [
    '/cosmos.gov.v1beta1.MsgVoteWeighted',
    { proposalId: 7n, voter: 'a', options: [{ option: 1, weight: '700000000000000000' }] },
  ],
  [
    '/cosmos.gov.v1beta1.MsgSubmitProposal',
    {
      proposer: 'a',
      initialDeposit: coins,
      content: Any.fromPartial({
        typeUrl: '/cosmos.gov.v1beta1.TextProposal',
        value: TextProposal.encode({ title: 't', description: 'd' }).finish(),
      }),
    },
  ],
  [
    '/cosmos.staking.v1beta1.MsgCreateValidator',
    {
      description,
      delegatorAddress: 'a',
      validatorAddress: 'b',
      value: amount,
      minSelfDelegation: '1',
      commission: {
        rate: '100000000000000000',
        maxRate: '2000000000000000000',
        maxChangeRate: '1',
      },
      pubkey: Any.fromPartial({
        typeUrl: '/cosmos.crypto.ed25519.PubKey',
        value: PubKey.encode({ key: new Uint8Array(32).fill(7) }).finish(),
      }),
    },
  ],
  [
    '/cosmos.staking.v1beta1.MsgEditValidator',
    {
      description,
      validatorAddress: 'b',
      commissionRate: '100000000000000000',
      minSelfDelegation: '2',
    },
  ],
  ['/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation', { ...delegation, creationHeight: 7n }],
  ['/cosmos.distribution.v1beta1.MsgSetWithdrawAddress', { delegatorAddress: 'a', withdrawAddress: 'b' }],
  ['/cosmos.distribution.v1beta1.MsgFundCommunityPool', { amount: coins, depositor: 'a' }],
  [
    '/cosmos.vesting.v1beta1.MsgCreateVestingAccount',
    { fromAddress: 'a', toAddress: 'b', amount: coins, endTime: 9n, delayed: true },
  ],
  [
    '/ibc.applications.transfer.v1.MsgTransfer',
    {
      sourcePort: 'transfer',
      sourceChannel: 'channel-0',
      token: amount,
      sender: 'a',
      receiver: 'b',
      timeoutHeight: { revisionNumber: 1n, revisionHeight: 2n },
      timeout: undefined,
      timeoutTimestamp: 3n,
      memo: 'm',
    },
  ],
]
for (const [typeUrl, value] of messages) {
  test(`the text to sign is that of cosmjs: ${typeUrl}`, (t) => {
    const memo = 'a <b> & "c" \u2028é'
    const fee = { amount: [amount], gas: '200000' }
    const theirs = makeSignDoc([types.toAmino({ typeUrl, value })], fee, 'chain-1', memo, 3, 4)
    const ours = aminoSignText({
      chainId: 'chain-1',
      accountNumber: 3n,
      sequence: 4n,
      timeoutHeight: 0n,
      timeout: undefined,
      memo,
      fee: { amount: [amount], gasLimit: 200_000n, payer: '', granter: '' },
      messages: [registry.encodeAsAny({ typeUrl, value })],
    })
    // cosmjs leaves U+2028 as it is; Go does not.
    t.is(ours.replace('\\u2028', '\u2028'), Buffer.from(serializeSignDoc(theirs)).toString())
  })
}

test('a message without an amino form is refused by name', (t) => {
  const messages = [{ typeUrl: '/x.Y', value: new Uint8Array(0) }]
  const doc = {
    chainId: '',
    accountNumber: 0n,
    sequence: 0n,
    timeoutHeight: 0n,
    timeout: undefined,
    memo: '',
    fee: Fee.decode(new Uint8Array(0)),
    messages,
  }
  t.regex(t.throws(() => aminoSignText(doc), { instanceOf: AminoError })?.message ?? '', /\/x\.Y/)
})
