/** Names for values that are known only once the session has been played: `${blockHash:deploy}`. */
export class Symbols {
  readonly #table = new Map<string, string>()

  set(name: string, value: string | number | bigint): void {
    this.#table.set(name, String(value))
  }

  /** Returns the value of a name; heights may be shifted: `height:transfer+1`. */
  get(name: string): string | undefined {
    const known = this.#table.get(name)
    if (known !== undefined) return known
    const shift = /^(height|heightHex):(.+)([+-]\d+)$/.exec(name)
    const base = shift && this.#table.get(`height:${shift[2]}`)
    if (!shift || base === null || base === undefined) return undefined
    const height = Number(base) + Number(shift[3])
    return shift[1] === 'height' ? String(height) : `0x${height.toString(16)}`
  }

  /** Names the facts of the block that a transaction is in. */
  setBlock(name: string, block: { height: number; hash: string; time: string; baseFee: string | undefined }): void {
    const hash = block.hash.toLowerCase()
    const [seconds = '', fraction = ''] = block.time.replace(/Z$/, '').split('.')
    const digits = fraction.padEnd(Math.ceil(fraction.length / 3) * 3, '0')
    const facts: Record<string, string | number | bigint> = {
      height: block.height,
      heightHex: `0x${block.height.toString(16)}`,
      blockHash: `0x${hash}`,
      blockHashUp: hash.toUpperCase(),
      blockHashB64: Buffer.from(hash, 'hex').toString('base64'),
      time: block.time,
      timeSeconds: `${seconds}Z`,
      timeGroups: digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`,
      unix: Date.parse(`${seconds}Z`) / 1000,
      nanos: Number(fraction.padEnd(9, '0')),
      timeHex: `0x${Math.floor(Date.parse(block.time) / 1000).toString(16)}`,
      ...(block.baseFee === undefined
        ? {}
        : {
            baseFeeHex: block.baseFee,
            baseFee: BigInt(block.baseFee),
          }),
    }
    for (const [fact, value] of Object.entries(facts)) this.set(`${fact}:${name}`, value)
  }
}

/** Returns a request with every `${…}` replaced; `"${#name}"` alone becomes a number. */
export function resolve(value: unknown, symbols: Symbols): unknown {
  if (typeof value === 'string') {
    const number = /^\$\{#([^}]+)\}$/.exec(value)?.[1]
    if (number !== undefined) return Number(need(number, symbols))
    return value.replace(/\$\{([^}]+)\}/g, (_, name: string) => need(name, symbols))
  }
  if (Array.isArray(value)) return value.map((inner) => resolve(inner, symbols))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [resolve(key, symbols) as string, resolve(inner, symbols)]),
  )
}

function need(name: string, symbols: Symbols): string {
  const value = symbols.get(name)
  if (value === undefined) throw new Error(`no symbol ${name}`)
  return value
}
