/** Keys and tokens of NATS logins: nkeys, and the JWTs of an operator, its accounts and their users. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** The first byte of a public key, by the kind of its owner (nats-io/nkeys). */
const prefixes = { operator: 14 << 3, account: 0, user: 20 << 3 } as const
const seedPrefix = 18 << 3

export type Nkey = { readonly publicKey: string; readonly seed: string; readonly key: KeyObject }

/** Returns a new key. Its seed is secret. */
export function newNkey(kind: keyof typeof prefixes): Nkey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const prefix = prefixes[kind]
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const shown = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    publicKey: encoded([prefix], shown),
    seed: encoded([seedPrefix | (prefix >> 5), (prefix & 31) << 3], secret),
    key: privateKey,
  }
}

/** Returns prefix, key and their CRC-16 (XMODEM, low byte first) in base32. */
function encoded(prefix: readonly number[], key: Uint8Array): string {
  const bytes = [...prefix, ...key]
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return base32([...bytes, crc & 0xff, crc >> 8])
}

function base32(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

type Claims = { readonly name: string; readonly of: Nkey; readonly by: Nkey; readonly nats: object }

/** Returns a JWT about a key, signed by another one. */
function tokenOf({ name, of, by, nats }: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { jti: name, iat: 1_700_000_000, iss: by.publicKey, name, sub: of.publicKey }
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ ...claims, nats: { ...nats, version: 2 } })}`
  return `${signed}.${sign(null, Buffer.from(signed), by.key).toString('base64url')}`
}

const unlimited = { subs: -1, data: -1, payload: -1 }
const accountLimits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
const stored = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }

export type OperatorSetup = {
  /** The lines of the server's configuration. */
  readonly config: string
  /** Returns a credentials file of a new user; `isKnown` tells whether its account signed it. */
  readonly credentials: (isKnown: boolean) => { readonly file: string; readonly seed: string; readonly token: string }
}

/** Returns an operator with one account that may use JetStream, and its system account. */
export function newOperator(): OperatorSetup {
  const operator = newNkey('operator')
  const [account, system] = [newNkey('account'), newNkey('account')]
  const ofAccount = (name: string, of: Nkey, limits: object) =>
    tokenOf({ name, of, by: operator, nats: { type: 'account', limits } })
  const config = [
    `operator: ${tokenOf({ name: 'operator', of: operator, by: operator, nats: { type: 'operator' } })}`,
    `system_account: ${system.publicKey}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    `  ${account.publicKey}: ${ofAccount('fleet', account, { ...accountLimits, ...stored })}`,
    `  ${system.publicKey}: ${ofAccount('system', system, accountLimits)}`,
    '}',
  ].join('\n')
  const credentials = (isKnown: boolean) => {
    const user = newNkey('user')
    const by = isKnown ? account : newNkey('account')
    const token = tokenOf({ name: 'member', of: user, by, nats: { type: 'user', pub: {}, sub: {}, ...unlimited } })
    const file = [
      ...['-----BEGIN NATS USER JWT-----', token, '------END NATS USER JWT------', ''],
      ...['-----BEGIN USER NKEY SEED-----', user.seed, '------END USER NKEY SEED------', ''],
    ].join('\n')
    return { file, seed: user.seed, token }
  }
  return { config, credentials }
}
