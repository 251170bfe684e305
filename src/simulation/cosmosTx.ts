/** Cosmos transactions of a scenario, signed with the node's keys (cosmos-sdk SIGN_MODE_DIRECT). */
import { addressText } from '../app/evmd/address.ts'
import { waiting } from '../chain/mempool.ts'
import { latestQuery } from '../node/latestQuery.ts'
import { ethSecp256k1PubKey, typeUrls } from '../codec/messages/cosmosEvm.ts'
import {
  type Any,
  AuthInfo,
  BaseAccount,
  type Fee,
  MsgBeginRedelegate,
  MsgDelegate,
  MsgSend,
  MsgUndelegate,
  MsgVote,
  MsgWithdrawDelegatorReward,
  QueryAccountRequest,
  QueryAccountResponse,
  SignDoc,
  SignMode,
  TxBody,
  TxRaw,
} from '../codec/messages/cosmos.ts'
import type { Codec } from '../codec/schema/codecs.ts'
import { keccak256 } from '../crypto/hash.ts'
import { secp256k1 } from '../crypto/secp256k1.ts'
import { concatBytes, equalBytes } from '../data/bytes.ts'
import { SimError } from '../errors.ts'
import type { Node } from '../node/node.ts'
import type { PlannedCosmosTx, PlannedMessage } from '../plan/action.ts'
import type { World } from '../node/world.ts'
import { signingKeyOf } from '../rpc/eth/keys.ts'
import { ethereumOf } from '../rpc/eth/lookup.ts'
import type { Context } from '../rpc/method.ts'
import type { Facts } from '../scenario/facts.ts'
import { addressOf, operatorNamed } from './names.ts'

/**
 * Returns the signed bytes of a planned transaction. The default fee is twice the chain's current
 * minimum.
 */
export function signedCosmosTx(context: Context, planned: PlannedCosmosTx, facts: Facts): Uint8Array {
  const { world, node } = context
  const from = addressOf(world, node, planned.from, facts)
  const key = signingKeyOf(context, from)
  const { number, sequence } = accountOf(world, node, from)
  const messages = planned.messages.map((one) => messageOf(one, { world, node, from, facts }))
  const bodyBytes = TxBody.encode({ messages, memo: planned.memo })
  const publicKey = {
    typeUrl: typeUrls.ethSecp256k1,
    value: ethSecp256k1PubKey.encode({ key: secp256k1.publicKey(key.privateKey, true) }),
  }
  const modeInfo = { single: { mode: SignMode.SIGN_MODE_DIRECT } }
  const signerInfos = [{ publicKey, modeInfo, sequence: planned.sequence ?? sequence }]
  const authInfoBytes = AuthInfo.encode({ signerInfos, fee: feeOf(context, planned) })
  const { chainId } = node.chain.genesis
  const payload = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber: number })
  const { r, s } = secp256k1.sign(keccak256(payload), key.privateKey)
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [concatBytes([r, s])] })
}

function feeOf(context: Context, { gas, fee }: PlannedCosmosTx): Fee {
  const view = ethereumOf(context)
  const { app } = context.node.chain
  const { coin: paid, minGasPrice } = view.params(app)
  const base = view.nextBaseFee(app)
  const price = base > minGasPrice ? base : minGasPrice
  const coin = fee ?? { denom: paid.denom, amount: (1n + (2n * price * gas - 1n) / paid.factor).toString() }
  return { amount: [coin], gasLimit: gas, payer: '', granter: '' }
}

/** Returns the number of an account and its next sequence, counting its mempool transactions. */
function accountOf(world: World, { chain, settings }: Node, address: Uint8Array): { number: bigint; sequence: bigint } {
  const text = addressText(settings, address)
  const data = QueryAccountRequest.encode({ address: text })
  const { value, log } = latestQuery(world, chain, '/cosmos.auth.v1beta1.Query/Account', data)
  const account = value === undefined ? undefined : QueryAccountResponse.decode(value).account
  if (account === undefined) throw new NoAccount(text, log)
  const { accountNumber, sequence } = BaseAccount.decode(account.value)
  const ahead = waiting(chain.mempool).filter(
    ({ info }) => info !== undefined && equalBytes(info.sender, address),
  ).length
  return { number: accountNumber, sequence: sequence + BigInt(ahead) }
}

type Sender = {
  readonly world: World
  readonly node: Node
  readonly from: Uint8Array
  readonly facts: Facts
}

function messageOf(one: PlannedMessage, { world, node, from, facts }: Sender): Any {
  const sender = addressText(node.settings, from)
  const operator = (name: string) => addressText(node.settings, operatorNamed(world, { node, facts }, name), 'operator')
  switch (one.type) {
    case 'send': {
      const toAddress = addressText(node.settings, addressOf(world, node, one.to, facts))
      return packed(MsgSend, { fromAddress: sender, toAddress, amount: [one.coins] })
    }
    case 'delegate':
      return packed(MsgDelegate, {
        delegatorAddress: sender,
        validatorAddress: operator(one.validator),
        amount: one.coins,
      })
    case 'undelegate':
      return packed(MsgUndelegate, {
        delegatorAddress: sender,
        validatorAddress: operator(one.validator),
        amount: one.coins,
      })
    case 'redelegate':
      return packed(MsgBeginRedelegate, {
        delegatorAddress: sender,
        validatorSrcAddress: operator(one.source),
        validatorDstAddress: operator(one.target),
        amount: one.coins,
      })
    case 'withdrawRewards':
      return packed(MsgWithdrawDelegatorReward, { delegatorAddress: sender, validatorAddress: operator(one.validator) })
    case 'vote':
      return packed(MsgVote, { proposalId: one.proposal, voter: sender, option: one.option })
    case 'raw':
      return { typeUrl: one.typeUrl, value: one.value }
  }
}

function packed<Value>({ typeUrl, encode }: Codec<Value>, value: Value): Any {
  return { typeUrl, value: encode(value) }
}

/** The chain has no account at this address, because it never received anything. */
export class NoAccount extends SimError {
  constructor(address: string, log: string) {
    super('NO_ACCOUNT', `${address} has no account: ${log}`, { hint: 'Give it a balance first.' })
  }
}

/** Returns the context of a client that may use the node's keys. */
export function trustedContext(world: World, node: Node): Context {
  return {
    world,
    node: { ...node, settings: { ...node.settings, allowInsecureUnlock: true } },
    woken: undefined,
    caller: {
      side: 'eth',
      transport: 'post',
      connection: undefined,
      id: '1',
      trusted: true,
      seq: 0,
      timeMs: node.nowMs,
    },
  }
}
