/** Loads accounts, balances and denominations from a genesis document. */
import type { Metadata } from '../../../codec/messages/cosmos.ts'
import { type Addressing, addressOf, moduleAddress, prefixOf } from '../address.ts'
import { type Coin, coinsText } from '../coins.ts'
import type { Context } from '../context.ts'
import { moduleAccount, nextNumber, setAccount } from '../modules/auth/accounts.ts'
import { setAuthParams } from '../modules/auth/params.ts'
import { allBalances, everyBalance, setBalance, setSupply } from '../modules/bank/balances.ts'
import { setBankParams, setMetadata, setSendEnabled } from '../modules/bank/params.ts'
import { anyMessage } from '../wire.ts'
import { publicKeyOf } from './publicKey.ts'
import { decodeVesting, type Vesting } from '../modules/auth/vesting.ts'
import {
  flag,
  integer,
  InvalidGenesis,
  list,
  memberOf,
  messageIn,
  placed,
  section,
  type Section,
  text,
  texts,
} from './read.ts'

/** Loads x/auth: parameters, then accounts with their account numbers from the document. */
export function loadAuth(context: Context, auth: Section): void {
  const params = section(auth, 'params')
  setAuthParams(context, {
    maxMemoCharacters: integer(params, 'max_memo_characters'),
    txSigLimit: integer(params, 'tx_sig_limit'),
    txSizeCostPerByte: integer(params, 'tx_size_cost_per_byte'),
    sigVerifyCostEd25519: integer(params, 'sig_verify_cost_ed25519'),
    sigVerifyCostSecp256k1: integer(params, 'sig_verify_cost_secp256k1'),
  })
  const all = list(auth, 'accounts').map(baseOf)
  const sorted = all.toSorted((a, b) => Number(integer(a.base, 'account_number') - integer(b.base, 'account_number')))
  for (const { base, module, vesting } of sorted) {
    const key = memberOf(base, 'pub_key')
    setAccount(context, {
      address: addressIn(context, base),
      publicKey: key === null || key === undefined ? undefined : publicKeyOf(section(base, 'pub_key')),
      number: nextNumber(context),
      sequence: integer(base, 'sequence'),
      module,
      vesting,
    })
  }
  moduleAccount(context, 'fee_collector')
}

/** Returns the address of an account, in one of the forms that the node reads. Throws `InvalidGenesis`. */
function addressIn(at: Addressing, from: Section): Uint8Array {
  const expected = `an address that begins with ${prefixOf(at, 'account')}`
  return placed(`${from.path}.address`, expected, () => addressOf(at, text(from, 'address')))
}

/** Loads x/bank. Throws `InvalidGenesis` if the supply is not the sum of the balances. */
export function loadBank(context: Context, bank: Section): void {
  const params = section(bank, 'params')
  setBankParams(context, {
    sendEnabled: [],
    defaultSendEnabled: flag(params, 'default_send_enabled'),
  })
  for (const each of list(bank, 'send_enabled')) {
    setSendEnabled(context, text(each, 'denom'), flag(each, 'enabled'))
  }
  for (const balance of list(bank, 'balances')) {
    const address = addressIn(context, balance)
    for (const coin of list(balance, 'coins')) {
      setBalance(context, address, { denom: text(coin, 'denom'), amount: integer(coin, 'amount') })
    }
  }
  loadSupply(context, bank)
  for (const metadata of list(bank, 'denom_metadata')) setMetadata(context, metadataOf(metadata))
}

function loadSupply(context: Context, bank: Section): void {
  const totals = new Map<string, bigint>()
  for (const { denom, amount } of everyBalance(context)) {
    totals.set(denom, (totals.get(denom) ?? 0n) + amount)
  }
  for (const coin of list(bank, 'supply')) {
    const total = totals.get(text(coin, 'denom')) ?? 0n
    if (total !== integer(coin, 'amount')) {
      throw new InvalidGenesis(`${coin.path}.amount`, `the sum of the balances, ${total}`)
    }
  }
  for (const [denom, amount] of totals) setSupply(context, { denom, amount })
}

/** Throws `InvalidGenesis` with a path unless the account of a module holds these coins and no others. */
export function checkHoldings(
  context: Context,
  module: string,
  { path, coins }: { path: string; coins: readonly Coin[] },
): void {
  const held = coinsText(allBalances(context, moduleAddress(module)))
  const wanted = coinsText(coins)
  if (held !== wanted) throw new InvalidGenesis(path, `in sum what the account ${module} holds: ${held}, not ${wanted}`)
}

function metadataOf(each: Section): Metadata {
  return {
    description: text(each, 'description'),
    denomUnits: list(each, 'denom_units').map((unit) => ({
      denom: text(unit, 'denom'),
      exponent: Number(integer(unit, 'exponent')),
      aliases: [...texts(unit, 'aliases')],
    })),
    base: text(each, 'base'),
    display: text(each, 'display'),
    name: text(each, 'name'),
    symbol: text(each, 'symbol'),
    uri: text(each, 'uri'),
    uriHash: text(each, 'uri_hash'),
  }
}

type Loaded = {
  readonly base: Section
  readonly module: { readonly name: string; readonly permissions: readonly string[] } | undefined
  readonly vesting: Vesting | undefined
}

function baseOf(account: Section): Loaded {
  const type = text(account, '@type')
  if (type === '/cosmos.auth.v1beta1.BaseAccount') {
    return { base: account, module: undefined, vesting: undefined }
  }
  if (type === '/cosmos.auth.v1beta1.ModuleAccount') {
    const module = { name: text(account, 'name'), permissions: texts(account, 'permissions') }
    return { base: section(account, 'base_account'), module, vesting: undefined }
  }
  const isVesting = type.startsWith('/cosmos.vesting.')
  const found = isVesting ? decodeVesting(messageIn(account, 'google.protobuf.Any', anyMessage)) : undefined
  if (found === undefined) {
    throw new InvalidGenesis(`${account.path}.@type`, 'BaseAccount, ModuleAccount or a vesting account')
  }
  const { vesting } = found
  return { base: section(section(account, 'base_vesting_account'), 'base_account'), module: undefined, vesting }
}
