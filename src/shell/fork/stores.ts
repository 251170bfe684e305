/** Reads an account from the other chain's stores through CometBFT RPC. */
import { bech32Prefixes } from '../../settings/bech32Prefix.ts'
import type { Fact } from '../../app/forked.ts'
import type { AddressTexts } from '../../app/evmd/address.ts'
import { readBase64 } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { bytes, message, repeated, text, uint64 } from '../../codec/protobuf/message.ts'
import { concatBytes } from '../../data/bytes.ts'
import { membersOf } from '../../data/members.ts'
import { parsedJson } from '../../data/parsedJson.ts'
import type { ForkSource } from './source.ts'
import { BadFact } from './unanswered.ts'

/** The last block of the other chain, and the addresses of that chain. */
export type ForkedAt = { readonly height: bigint; readonly addressTexts: AddressTexts }

type Page = { limit: bigint }
const page = message<Page>({ 3: ['limit', uint64] })
const request = message<{
  address: string
  page: Uint8Array
}>({ 1: ['address', text], 2: ['page', bytes] })

const denomRequest = message<{ denom: string }>({ 1: ['denom', text] })

type Coins = { items: readonly Uint8Array[] }
const coin = message<{ denom: string; amount: string }>({ 1: ['denom', text], 2: ['amount', text] })
const answered = message<Coins>({ 1: ['items', repeated(bytes)] })

/** Maximum number of denominations to fetch for an account. */
const coinsMost = 1000n

/**
 * Resolves with the account as x/auth stores it, and its coins. Either is missing if the other
 * chain refuses the query. Rejects with `BadFact` or an error of `source.ts`.
 */
export async function storesOf(
  source: ForkSource,
  { height, addressTexts }: ForkedAt,
  address: Uint8Array,
): Promise<Pick<Extract<Fact, { type: 'account' }>, 'stored' | 'coins'>> {
  const asked = request.encode({ address: addressTexts.account(address), page: page.encode({ limit: coinsMost }) })
  const [stored, balances] = await Promise.all([
    query(source, height, { path: '/store/acc/key', data: concatBytes([Uint8Array.of(1), address]) }),
    query(source, height, { path: '/cosmos.bank.v1beta1.Query/AllBalances', data: asked }),
  ])
  return {
    ...(stored === undefined ? {} : { stored }),
    ...(balances === undefined ? {} : { coins: answered.decode(balances).items.map(coinOf) }),
  }
}

/** Resolves with the supply of a denomination, or undefined if the other chain does not tell it. */
export async function supplyOf(source: ForkSource, height: bigint, denom: string): Promise<bigint | undefined> {
  const data = denomRequest.encode({ denom })
  const answer = await query(source, height, { path: '/cosmos.bank.v1beta1.Query/SupplyOf', data })
  const [item] = answer === undefined ? [] : answered.decode(answer).items
  const amount = item === undefined ? 0n : coinOf(item).amount
  return amount > 0n ? amount : undefined
}

/** Resolves with the prefix of the other chain's addresses, or undefined if that chain does not tell it. */
export async function bech32PrefixOf(source: ForkSource, height: bigint): Promise<string | undefined> {
  const answer = await query(source, height, { path: '/cosmos.auth.v1beta1.Query/Bech32Prefix', data: nothing })
  const prefix = answer === undefined ? '' : prefixAnswer.decode(answer).prefix
  return bech32Prefixes.test(prefix) ? prefix : undefined
}

const nothing = new Uint8Array(0)
const prefixAnswer = message<{ prefix: string }>({ 1: ['prefix', text] })

async function query(
  source: ForkSource,
  height: bigint,
  { path, data }: { path: string; data: Uint8Array },
): Promise<Uint8Array | undefined> {
  const asked = { path, data: plainHexOf(data), height: String(height), prove: false }
  const params = { form: 'json', text: JSON.stringify(asked) } as const
  const answer = await source.ask({ side: 'comet', method: 'abci_query', params })
  const response = answer.ok === true ? membersOf(membersOf(parsedJson(answer.text))['response']) : { code: 1 }
  if (response['code'] !== 0) return undefined
  const value = readBase64(String(response['value'] ?? ''))
  return typeof value === 'string' ? undefined : value
}

function coinOf(item: Uint8Array): { denom: string; amount: bigint } {
  const { denom, amount } = coin.decode(item)
  if (!/^\d+$/.test(amount)) throw new BadFact('AllBalances', `the amount ${amount.slice(0, 80)}`)
  return { denom, amount: BigInt(amount) }
}
