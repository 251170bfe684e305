/** Codecs and types of SDK messages that several modules use. */
import { codecOf } from '../schema/codecs.ts'
import type { MessageTypes } from '../schema/messageTypes.ts'

export type Any = MessageTypes['google.protobuf.Any']
export const Any = codecOf('google.protobuf.Any')
export type Coin = MessageTypes['cosmos.base.v1beta1.Coin']
export type TxRaw = MessageTypes['cosmos.tx.v1beta1.TxRaw']
export const TxRaw = codecOf('cosmos.tx.v1beta1.TxRaw')
export type TxBody = MessageTypes['cosmos.tx.v1beta1.TxBody']
export const TxBody = codecOf('cosmos.tx.v1beta1.TxBody')
export const AuthInfo = codecOf('cosmos.tx.v1beta1.AuthInfo')
export type Fee = MessageTypes['cosmos.tx.v1beta1.Fee']
export const Fee = codecOf('cosmos.tx.v1beta1.Fee')
export type ModeInfo = MessageTypes['cosmos.tx.v1beta1.ModeInfo']
export const SignDoc = codecOf('cosmos.tx.v1beta1.SignDoc')
export const SignDocDirectAux = codecOf('cosmos.tx.v1beta1.SignDocDirectAux')
export const SimulateRequest = codecOf('cosmos.tx.v1beta1.SimulateRequest')
export const SimulateResponse = codecOf('cosmos.tx.v1beta1.SimulateResponse')
export const Secp256k1PubKey = codecOf('cosmos.crypto.secp256k1.PubKey')
export const Ed25519PubKey = codecOf('cosmos.crypto.ed25519.PubKey')
export const LegacyAminoPubKey = codecOf('cosmos.crypto.multisig.LegacyAminoPubKey')
export type CompactBitArray = MessageTypes['cosmos.crypto.multisig.v1beta1.CompactBitArray']
export const MultiSignature = codecOf('cosmos.crypto.multisig.v1beta1.MultiSignature')
export const BaseAccount = codecOf('cosmos.auth.v1beta1.BaseAccount')
export const ModuleAccount = codecOf('cosmos.auth.v1beta1.ModuleAccount')
export type AuthParams = MessageTypes['cosmos.auth.v1beta1.Params']
export const AuthParams = codecOf('cosmos.auth.v1beta1.Params')
export const QueryAccountRequest = codecOf('cosmos.auth.v1beta1.QueryAccountRequest')
export const QueryAccountResponse = codecOf('cosmos.auth.v1beta1.QueryAccountResponse')
export const QueryModuleAccountsResponse = codecOf('cosmos.auth.v1beta1.QueryModuleAccountsResponse')
export const AuthQueryParamsResponse = codecOf('cosmos.auth.v1beta1.QueryParamsResponse')
export type Metadata = MessageTypes['cosmos.bank.v1beta1.Metadata']
export const Metadata = codecOf('cosmos.bank.v1beta1.Metadata')
export type BankParams = MessageTypes['cosmos.bank.v1beta1.Params']
export const BankParams = codecOf('cosmos.bank.v1beta1.Params')
export const QueryBalanceRequest = codecOf('cosmos.bank.v1beta1.QueryBalanceRequest')
export const QueryBalanceResponse = codecOf('cosmos.bank.v1beta1.QueryBalanceResponse')
export const QueryDenomMetadataRequest = codecOf('cosmos.bank.v1beta1.QueryDenomMetadataRequest')
export const QueryDenomMetadataResponse = codecOf('cosmos.bank.v1beta1.QueryDenomMetadataResponse')
export const BankQueryParamsResponse = codecOf('cosmos.bank.v1beta1.QueryParamsResponse')
export const QuerySupplyOfRequest = codecOf('cosmos.bank.v1beta1.QuerySupplyOfRequest')
export const QuerySupplyOfResponse = codecOf('cosmos.bank.v1beta1.QuerySupplyOfResponse')
export type MsgMultiSend = MessageTypes['cosmos.bank.v1beta1.MsgMultiSend']
export const MsgMultiSend = codecOf('cosmos.bank.v1beta1.MsgMultiSend')
export const MsgMultiSendResponse = codecOf('cosmos.bank.v1beta1.MsgMultiSendResponse')
export type MsgSend = MessageTypes['cosmos.bank.v1beta1.MsgSend']
export const MsgSend = codecOf('cosmos.bank.v1beta1.MsgSend')
export const MsgSendResponse = codecOf('cosmos.bank.v1beta1.MsgSendResponse')
export const MsgBeginRedelegate = codecOf('cosmos.staking.v1beta1.MsgBeginRedelegate')
export const MsgDelegate = codecOf('cosmos.staking.v1beta1.MsgDelegate')
export const MsgUndelegate = codecOf('cosmos.staking.v1beta1.MsgUndelegate')
export const MsgWithdrawDelegatorReward = codecOf('cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward')
export const MsgVote = codecOf('cosmos.gov.v1beta1.MsgVote')

/** The signing mode of a signature (cosmos.tx.signing.v1beta1.SignMode). */
export type SignMode = number
export const SignMode = {
  SIGN_MODE_UNSPECIFIED: 0,
  SIGN_MODE_DIRECT: 1,
  SIGN_MODE_TEXTUAL: 2,
  SIGN_MODE_DIRECT_AUX: 3,
  SIGN_MODE_LEGACY_AMINO_JSON: 127,
  SIGN_MODE_EIP_191: 191,
} as const

/** Returns the body in a transaction's bytes. Throws `ProtobufError` for bytes that are no transaction. */
export function txBodyOf(tx: Uint8Array): TxBody {
  return TxBody.decode(TxRaw.decode(tx).bodyBytes)
}
