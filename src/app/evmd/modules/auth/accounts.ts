/** Accounts in the store `acc` (cosmos-sdk x/auth keeper). */
import { Any, BaseAccount, ModuleAccount } from '../../../../codec/messages/cosmos.ts'
import { always, message, nested, repeated, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { remembered } from '../../../../data/remembered.ts'
import { assert } from '../../../../errors.ts'
import { type Addressing, moduleAddress, modulePermissions } from '../../address.ts'
import type { StoredForm } from '../../../store.ts'
import type { Context } from '../../context.ts'
import { bigEndian, keptKeys, storeKey } from '../../storeKeys.ts'
import { addressed, anyMessage } from '../../wire.ts'
import { decodeVesting, encodeVesting, type Vesting } from './vesting.ts'

const baseAccountUrl = '/cosmos.auth.v1beta1.BaseAccount'
const moduleAccountUrl = '/cosmos.auth.v1beta1.ModuleAccount'

/** An account. `publicKey` is an Any of a key type; with `module`, it is a module account. */
export type Account = {
  readonly address: Uint8Array
  readonly publicKey: Any | undefined
  readonly number: bigint
  readonly sequence: bigint
  readonly module: { readonly name: string; readonly permissions: readonly string[] } | undefined
  /** Coins that are locked for a time. */
  readonly vesting?: Vesting | undefined
}

/** Returns the account of an address, or undefined. */
export function getAccount(context: Context, address: Uint8Array): Account | undefined {
  return context.store('acc').read(accountStoreKey(address), accountCodec(context).form)
}

/** Returns the address of the account with a number, or undefined. */
export function addressByNumber(context: Context, number: bigint): Uint8Array | undefined {
  return context.store('acc').get(numberKey(number))
}

/** Returns whether an account exists; cheaper than reading it. */
export function hasAccount(context: Context, address: Uint8Array): boolean {
  return context.store('acc').has(accountStoreKey(address))
}

/** Yields every account ordered by address, including addresses that are not 20 bytes long. */
export function* allAccounts(context: Context): Generator<Account> {
  for (const [key, value] of context.draft.raw('acc').iterate({ start: Uint8Array.of(1), end: Uint8Array.of(2) })) {
    yield { ...storedAccount(value), address: key.slice(1) }
  }
}

/** Stores an account and its entry in the index by number. */
export function setAccount(context: Context, account: Account): void {
  const store = context.store('acc')
  // The SDK's indexed map reads the account before writing it, to remove outdated index entries.
  const key = accountStoreKey(account.address)
  const { form } = accountCodec(context)
  const before = store.read(key, form)
  const indexKey = numberKey(account.number)
  if (before === undefined) {
    assert(!store.has(indexKey), `account number ${account.number} is taken`)
    store.set(indexKey, account.address)
  } else store.rewrite(indexKey, account.address)
  const isCounted =
    before !== undefined &&
    account.vesting === undefined &&
    account.publicKey === before.publicKey &&
    account.module === before.module
  // A sequence can always be encoded later. Any other change is encoded now, so that an error fails
  // only this transaction.
  if (isCounted) store.write(key, account, form)
  else store.set(key, form.encode(account))
}

/** Removes the account of a contract that destroyed itself. */
export function removeAccount(context: Context, account: Account): void {
  context.store('acc').delete(numberKey(account.number))
  context.store('acc').delete(accountStoreKey(account.address))
}

/** Creates and stores an account with the next account number. */
export function createAccount(context: Context, address: Uint8Array): Account {
  const account = newAccount(context, address)
  setAccount(context, account)
  return account
}

/** Returns a new account with the next account number, without storing it. */
export function newAccount(context: Context, address: Uint8Array): Account {
  const number = nextNumber(context)
  return { address, publicKey: undefined, number, sequence: 0n, module: undefined }
}

/** Returns a module's account, creating it if it does not exist. */
export function moduleAccount(context: Context, name: string): Account {
  const address = moduleAddress(name)
  const known = getAccount(context, address)
  if (known !== undefined) return known
  const module = { name, permissions: modulePermissions[name] ?? [] }
  const account = { ...newAccount(context, address), module }
  setAccount(context, account)
  return account
}

/** Returns an account as an Any, the form of query responses. */
export function anyOfAccount(at: Addressing, account: Account): Any {
  return accountCodec(at).toAny(account)
}

type Base = Pick<Account, 'address' | 'publicKey' | 'number' | 'sequence'>
type Module = { base: Base; name: string; permissions: readonly string[] }

// The address comes from the key, because decoding it from bech32 would cost more than all other
// fields.
type Stored = Omit<Account, 'address'>

const accountCodec = addressed(({ account: accountField }) => {
  // Encoded by hand. The generated code allocates 8 kB buffers, most of a block's allocations.
  const baseMessage = message<Base>({
    1: ['address', accountField],
    2: ['publicKey', nested(anyMessage)],
    3: ['number', uint64],
    4: ['sequence', uint64],
  })
  const moduleMessage = message<Module>({
    1: ['base', always(baseMessage)],
    2: ['name', text],
    3: ['permissions', repeated(text)],
  })
  const toAny = (account: Account): Any => {
    const { vesting, module } = account
    if (vesting !== undefined) return encodeVesting(vesting, baseMessage.encode(account))
    if (module === undefined) return { typeUrl: baseAccountUrl, value: baseMessage.encode(account) }
    return { typeUrl: moduleAccountUrl, value: moduleMessage.encode({ base: account, ...module }) }
  }
  const encode = (account: Account): Uint8Array => {
    const value = anyMessage.encode(toAny(account))
    if (account.vesting === undefined) storedAccount.keep(value, account)
    return value
  }
  const form: StoredForm<Account> = {
    encode,
    decode: (value, key) => ({ ...storedAccount(value), address: key.slice(1) }),
  }
  return { toAny, form }
})

const storedAccount = remembered((value: Uint8Array): Stored => accountOf(Any.decode(value)))

function accountOf(any: Any): Stored {
  const whole = any.typeUrl === moduleAccountUrl ? ModuleAccount.decode(any.value) : undefined
  const locked = any.typeUrl === baseAccountUrl ? undefined : decodeVesting(any)
  const base = whole?.baseAccount ?? BaseAccount.decode(locked?.base ?? any.value)
  return {
    publicKey: base.pubKey,
    number: base.accountNumber,
    sequence: base.sequence,
    module: whole && { name: whole.name, permissions: whole.permissions },
    vesting: locked?.vesting,
  }
}

const sequenceKey = Uint8Array.of(2)
const numberPrefix = new TextEncoder().encode('accountNumber')

/** Returns the next account number and increments it. */
export function nextNumber(context: Context): bigint {
  const store = context.store('acc')
  const value = store.get(sequenceKey)
  const next = value === undefined ? 0n : new DataView(value.buffer, value.byteOffset).getBigUint64(0)
  store.set(sequenceKey, bigEndian(next + 1n))
  return next
}

/** Continues account numbers at `first` if it is above the next number. */
export function skipNumbers(context: Context, first: bigint): void {
  context.store('acc').set(sequenceKey, bigEndian(first))
}

const accountKeys = keptKeys((address) => storeKey(1, address))

/** Returns the key of an account. */
export function accountStoreKey(address: Uint8Array): Uint8Array {
  return accountKeys(address, '')
}

function numberKey(number: bigint): Uint8Array {
  const key = new Uint8Array(numberPrefix.length + 8)
  key.set(numberPrefix)
  new DataView(key.buffer).setBigUint64(numberPrefix.length, number)
  return key
}
