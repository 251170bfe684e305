import { TxError } from './txError.ts'

const limits = { client: [4, 64], connection: [10, 64], channel: [8, 64], port: [2, 128] } as const

/** Checks an IBC identifier of the given kind (ICS-24). Throws IBC's `invalid identifier`. */
export function checkIbcId(kind: keyof typeof limits, id: string): void {
  const [least, most] = limits[kind]
  const wrong = wrongId(id, least, most)
  if (wrong === undefined) return
  throw new TxError(`${wrong}: invalid identifier`, { code: 2, codespace: 'host' })
}

/** The type of a chain's client for itself, which is also that client's identifier. */
export const localType = '09-localhost'

/** Returns the parts of a client's identifier, `{type}-{number}`; undefined if it is none (ibc-go ParseClientIdentifier). */
export function clientParts(id: string): { readonly type: string; readonly number: bigint } | undefined {
  if (id === localType) return { type: id, number: 0n }
  const [, type, number] = /^(\w+(?:[\w-]+\w)?)-(\d{1,20})$/.exec(id) ?? []
  return type === undefined ? undefined : { type, number: BigInt(number ?? 0) }
}

/** Returns the error text for a channel identifier in parameters; undefined if it is valid. */
export function wrongChannel(id: string): string | undefined {
  const wrong = wrongId(id, ...limits.channel)
  return wrong && `${wrong}: invalid identifier: invalid channel identifier`
}

function wrongId(id: string, least: number, most: number): string | undefined {
  if (id.trim() === '') return 'identifier cannot be blank'
  if (id.includes('/')) return `identifier ${id} cannot contain separator '/'`
  const { length } = new TextEncoder().encode(id)
  if (length < least || length > most) {
    return `identifier ${id} has invalid length: ${length}, ` + `must be between ${least}-${most} characters`
  }
  return /^[a-zA-Z0-9._+\-#[\]<>]+$/.test(id)
    ? undefined
    : `identifier ${id} must contain only ` +
        "alphanumeric or the following characters: '.', '_', '+', '-', '#', '[', ']', '<', '>'"
}
