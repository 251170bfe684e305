/**
 * State changes of a transaction in OpenEthereum's form: `"="` for unchanged values, `{"*": {from,
 * to}}` for changed ones, `{"+": new}` for added and `{"-": old}` for removed ones.
 */
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { quantityOf } from '../../codec/hex.ts'

type Account = {
  readonly balance?: string
  readonly nonce?: number
  readonly code?: string
  readonly storage?: Readonly<Record<string, string>>
}

/** Output of the `prestateTracer` in `diffMode`; `post` has changed values only. */
export type Prestate = {
  readonly pre: Readonly<Record<string, Account>>
  readonly post: Readonly<Record<string, Account>>
}

/** Returns the changes by account. */
export function stateDiffOf({ pre, post }: Prestate): PlainObject {
  const accounts = [...new Set([...Object.keys(pre), ...Object.keys(post)])].sort()
  return Object.fromEntries(accounts.map((one) => [one, accountDiff(pre[one], post[one])]))
}

function accountDiff(before: Account | undefined, after: Account | undefined): PlainObject {
  const [old, now] = [membersOf(before), membersOf(after)]
  const change =
    before === undefined
      ? (name: Name) => ({ '+': now[name] ?? empty[name] })
      : after === undefined
        ? (name: Name) => ({ '-': old[name] ?? empty[name] })
        : (name: Name) => changeOf(old[name] ?? empty[name], now[name] ?? old[name] ?? empty[name])
  return {
    balance: change('balance'),
    code: change('code'),
    nonce: change('nonce'),
    storage: storageDiff(before, after),
  }
}

type Name = 'balance' | 'code' | 'nonce'

const empty: Readonly<Record<Name, string>> = { balance: '0x0', code: '0x', nonce: '0x0' }

function membersOf({ balance, code, nonce }: Account = {}): Partial<Record<Name, string>> {
  return {
    ...(balance === undefined ? {} : { balance }),
    ...(code === undefined ? {} : { code }),
    ...(nonce === undefined ? {} : { nonce: quantityOf(BigInt(nonce)) }),
  }
}

const zero = `0x${'00'.repeat(32)}`

function storageDiff(before: Account | undefined, after: Account | undefined): PlainObject {
  const [old, now] = [before?.storage ?? {}, after?.storage ?? {}]
  const slots = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
  return Object.fromEntries(
    slots.map((slot) => {
      const [from, to] = [old[slot] ?? zero, now[slot] ?? zero]
      if (before === undefined) return [slot, { '+': to }]
      return [slot, after === undefined ? { '-': from } : changeOf(from, to)]
    }),
  )
}

function changeOf(from: string, to: string): Plain {
  return from === to ? '=' : { '*': { from, to } }
}
