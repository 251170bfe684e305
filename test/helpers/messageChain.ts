/**
 * A chain of one for tests of modules: signed messages, time jumps, absent and faulty validators.
 * Validators join and leave the set two blocks after the block that says so, as in CometBFT.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { Fee, SignDoc, TxBody, AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { createHash } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { privateKeyToAccount } from 'viem/accounts'
import type { FinalizeBlockResult, Misbehavior, TxResult, ValidatorUpdate } from '../../src/app/abci.ts'
import type { EthereumView } from '../../src/app/ethereumView.ts'
import type { Application, CheckTxOutcome } from '../../src/app/application.ts'
import { createDraft } from '../../src/app/draft.ts'
import { createEvmd } from '../../src/app/evmd/evmd.ts'
import type { AppState } from '../../src/app/state.ts'
import { ed25519Address } from '../../src/crypto/ed25519.ts'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { testEngine } from './engine.ts'
import { chainId, requestOf, type Document } from './evmdChain.ts'

const engine = testEngine()
const phrase = 'test test test test test test test test test test test junk'
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(phrase))
const { sign } = secp256k1

export type Person = {
  readonly key: Uint8Array
  readonly publicKey: Uint8Array
  readonly address: string
  readonly operator: string
  /** Whether the key is Ethereum's: hashes by Keccak. */
  readonly isEthereum?: boolean
}

/** An account of profile local at Ethereum's path. */
export function ethereumPerson(index: number): Person & { readonly hex: `0x${string}` } {
  const key = root.derive(`m/44'/60'/0'/0/${index}`).privateKey ?? new Uint8Array(32)
  const { address: hex } = privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`)
  const bytes = Buffer.from(hex.slice(2), 'hex')
  return {
    key,
    publicKey: secp256k1.getPublicKey(key, true),
    hex,
    isEthereum: true,
    address: toBech32('cosmos', bytes),
    operator: toBech32('cosmosvaloper', bytes),
  }
}

/** An account of profile local at cosmjs' default path. */
export function person(index: number): Person {
  const key = root.derive(`m/44'/118'/0'/0/${index}`).privateKey ?? new Uint8Array(32)
  const publicKey = secp256k1.getPublicKey(key, true)
  const hash = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest()
  const bytes = hash('ripemd160', hash('sha256', publicKey))
  return {
    key,
    publicKey,
    address: toBech32('cosmos', bytes),
    operator: toBech32('cosmosvaloper', bytes),
  }
}

/** A message, encoded by a type of cosmjs-types. */
export function any<Value>(
  type: {
    readonly typeUrl: string
    fromPartial(value: never): Value
    encode(value: Value): { finish(): Uint8Array }
  },
  value: Partial<Record<keyof Value, unknown>>,
): Any {
  const whole = type.fromPartial(value as never)
  return Any.fromPartial({ typeUrl: type.typeUrl, value: type.encode(whole).finish() })
}

export type TxOptions = {
  readonly gas?: bigint
  readonly fee?: string
  readonly memo?: string
  readonly timeoutHeight?: bigint
  readonly granter?: string
  readonly payer?: string
  readonly sequence?: bigint
}

export type MessageChain = {
  readonly application: Application
  readonly ethereum: EthereumView
  state: AppState
  /** Seconds since 1970 of the last block. */
  time: bigint
  /** Addresses of validators, in hex, that do not sign. */
  readonly absent: Set<string>
  /** Bugs that came to light in the last block. */
  incidents: readonly string[]
  validators: readonly ValidatorUpdate[]
  readonly block: (txs?: readonly Uint8Array[], misbehavior?: readonly Misbehavior[]) => FinalizeBlockResult
  readonly jump: (seconds: number) => FinalizeBlockResult
  readonly check: (tx: Uint8Array) => CheckTxOutcome['result']
  readonly query: (path: string, data: Uint8Array) => Uint8Array
  readonly account: (address: string) => { number: bigint; sequence: bigint }
  readonly signed: (from: Person, messages: readonly Any[], options?: TxOptions) => Uint8Array
  /** Entries of a module's store below a prefix byte. */
  readonly store: (name: string, prefix: number) => Iterable<readonly [Uint8Array, Uint8Array]>
  /** Runs a transaction in a block of its own. */
  readonly send: (from: Person, message: Any | readonly Any[], options?: TxOptions) => TxResult
}

export const feeOf = (gas: bigint): string => (gas * 2_000_000_000n).toString()

/** Starts profile local with some validators; `edit` may change its genesis document. */
export function startMessages({
  validators = 1,
  edit = () => {},
}: {
  validators?: number
  edit?: (state: Any2) => void
} = {}): MessageChain {
  const settings = { ...profileSettings('local'), validators }
  const { application, ethereum } = createEvmd({ engine, settings })
  const document: Document = JSON.parse(genesisDocument(settings, new TextEncoder().encode('seed')))
  edit(document.app_state as Any2)
  const begun = application.initChain(requestOf(document))
  // The sets of the block before, of the next one and of the one after it.
  let sets = [begun.validators, begun.validators, begun.validators] as readonly (readonly ValidatorUpdate[])[]
  const block: MessageChain['block'] = (txs = [], misbehavior = []) => {
    const height = chain.state.height + 1n
    chain.time += 1n
    const votes = (sets[0] ?? []).map(({ publicKey, power }) => {
      const address = ed25519Address(publicKey.bytes)
      return { address, power, signed: !chain.absent.has(Buffer.from(address).toString('hex')) }
    })
    const done = application.finalizeBlock(chain.state, {
      height,
      time: { seconds: chain.time, nanos: 0 },
      hash: new Uint8Array(32).fill(Number(height & 255n)),
      txs,
      proposerAddress: ed25519Address(sets[1]?.[0]?.publicKey.bytes ?? new Uint8Array(32)),
      nextValidatorsHash: new Uint8Array(32),
      misbehavior,
      lastCommit: { round: 0, votes: height === 1n ? [] : votes },
    })
    sets = [sets[1] ?? [], sets[2] ?? [], updated(sets[2] ?? [], done.result.validatorUpdates)]
    chain.validators = sets[2] ?? []
    chain.state = application.commit(done.state)
    chain.incidents = done.incidents ?? []
    return done.result
  }
  const query: MessageChain['query'] = (path, data) => {
    const { height } = chain.state
    const answer = application.query(
      chain.state,
      { path, data, height: 0n, prove: false },
      { stateAt: () => chain.state, latestHeight: height, earliestHeight: 1n, chainId },
    )
    if (answer.code !== 0) throw new Error(answer.log)
    return answer.value ?? new Uint8Array(0)
  }
  const account = (address: string): { number: bigint; sequence: bigint } => {
    const answer = query('/cosmos.auth.v1beta1.Query/Account', QueryAccountRequest.encode({ address }).finish())
    const base = BaseAccount.decode(baseOf(QueryAccountResponse.decode(answer).account))
    return { number: base.accountNumber, sequence: base.sequence }
  }
  const signed: MessageChain['signed'] = (from, messages, options = {}) => {
    const { number, sequence } = account(from.address)
    return signTx(from, messages, { ...options, number, sequence: options.sequence ?? sequence })
  }
  const chain: MessageChain = {
    application,
    ethereum,
    state: begun.state,
    time: 1_735_689_600n,
    absent: new Set(),
    incidents: [],
    validators: begun.validators,
    block,
    query,
    account,
    signed,
    jump: (seconds) => {
      chain.time += BigInt(seconds)
      return block()
    },
    store: (name, prefix) =>
      createDraft(chain.state)
        .raw(name)
        .iterate({ start: Uint8Array.of(prefix), end: Uint8Array.of(prefix + 1) }),
    check: (tx) => application.checkTx(chain.state, tx, 'new').result,
    send: (from, message, options) => {
      const list = Array.isArray(message) ? message : [message]
      const [result] = block([signed(from, list, options)]).txResults
      if (result === undefined) throw new Error('no result')
      return result
    },
  }
  block()
  return chain
}

type Any2 = Record<string, Record<string, never>>

function updated(set: readonly ValidatorUpdate[], updates: readonly ValidatorUpdate[]): readonly ValidatorUpdate[] {
  const name = ({ publicKey }: ValidatorUpdate) => Buffer.from(publicKey.bytes).toString('hex')
  const all = new Map(set.map((each) => [name(each), each]))
  for (const each of updates) all.set(name(each), each)
  return [...all.values()].filter(({ power }) => power > 0n)
}

/**
 * The base account stands first in every other kind, however deep; itself it begins with an
 * address.
 */
function baseOf(account: Any | undefined): Uint8Array {
  let value = account?.value ?? new Uint8Array(0)
  while (inner(value)[0] === 10) value = inner(value)
  return value
}

function inner(value: Uint8Array): Uint8Array {
  const length = (value[1] ?? 0) < 128 ? (value[1] ?? 0) : ((value[1] ?? 0) & 127) | ((value[2] ?? 0) << 7)
  const start = (value[1] ?? 0) < 128 ? 2 : 3
  return value.slice(start, start + length)
}

/** Returns a transaction signed directly. */
export function signTx(
  from: Person,
  messages: readonly Any[],
  {
    gas = 500_000n,
    fee,
    memo = '',
    timeoutHeight = 0n,
    granter = '',
    payer = '',
    number,
    sequence,
  }: TxOptions & { readonly number: bigint; readonly sequence: bigint },
): Uint8Array {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo, timeoutHeight })).finish()
  const publicKey = Any.fromPartial({
    typeUrl: from.isEthereum === true ? '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' : '/cosmos.crypto.secp256k1.PubKey',
    value: PubKey.encode({ key: from.publicKey }).finish(),
  })
  const amount = fee === undefined ? feeOf(gas) : fee
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [{ publicKey, modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } }, sequence }],
      fee: Fee.fromPartial({
        amount: amount === '' ? [] : [{ denom: 'atest', amount }],
        gasLimit: gas,
        granter,
        payer,
      }),
    }),
  ).finish()
  const doc = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber: number }).finish()
  const signature = from.isEthereum === true ? sign(keccak_256(doc), from.key, { prehash: false }) : sign(doc, from.key)
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
}
