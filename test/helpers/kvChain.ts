/** A chain of four validators over `kvApp`, and the worlds it runs in. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { Chain, ChainClock, ChainWorld } from '../../src/chain/chain.ts'
import type { BlockPolicy } from '../../src/chain/command.ts'
import { firstChain, parseGenesis } from '../../src/chain/genesis.ts'
import { validatorAddress } from '../../src/chain/validators.ts'
import { kvApp } from './kvApp.ts'
import { toHex } from './cometJson.ts'
import type { MempoolLimits } from '../../src/chain/mempool.ts'
import { type Retention, keepsAll } from '../../src/chain/history.ts'

const limits: MempoolLimits = {
  takesNothing: false,
  size: 5000,
  maxTxsBytes: 1_000_000n,
  maxTxBytes: 1000,
  cacheSize: 100,
  keepInvalid: false,
  recheck: true,
  ttlBlocks: 0n,
  ttlMs: 0n,
  priceBumpPercent: undefined,
}
const policy: BlockPolicy = { mode: 'auto', intervalMs: 1000n, lazy: false, paused: false }

export type KvKey = {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly raw: Uint8Array
  readonly address: string
}

function makeKey(): KvKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(12))
  return {
    privateKey,
    publicKey,
    raw,
    address: toHex(validatorAddress({ type: 'ed25519', bytes: raw })),
  }
}

export function kvChain(
  given: {
    validators?: number
    limits?: Partial<MempoolLimits>
    retention?: Partial<Retention>
    clock?: Partial<ChainClock>
    policy?: Partial<BlockPolicy>
  } = {},
): { world: ChainWorld; chain: Chain; keys: readonly KvKey[] } {
  const keys = Array.from({ length: given.validators ?? 1 }, makeKey)
  const byAddress = new Map(keys.map((one) => [one.address, one]))
  const world: ChainWorld = {
    app: kvApp,
    ethereum: undefined,
    limits: { ...limits, ...given.limits },
    retention: { ...keepsAll, ...given.retention },
    signers: {
      sign: (address, message) => {
        const key = byAddress.get(toHex(address))
        return key && new Uint8Array(sign(null, message, key.privateKey))
      },
    },
  }
  const genesis = parseGenesis(
    JSON.stringify({
      genesis_time: '2025-01-01T00:00:00Z',
      chain_id: 'kv-1',
      initial_height: '1',
      validators: keys.map(({ raw }) => ({
        pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(raw).toString('base64') },
        power: '10',
      })),
    }),
    new Uint8Array(32),
  )
  const clock: ChainClock = {
    source: 'logical',
    blockTimeMs: 1000n,
    startMs: 0n,
    offsetMs: 0n,
    next: undefined,
    step: undefined,
    ...given.clock,
  }
  return {
    world,
    keys,
    chain: firstChain(world, genesis, { policy: { ...policy, ...given.policy }, clock }),
  }
}
