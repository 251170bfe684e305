/**
 * Ethereum JSON-RPC over a world that stands still: for decoders, framing and texts, which need no chain.
 */
import type { EthereumView } from '../../src/app/ethereumView.ts'
import type { AppState } from '../../src/app/state.ts'
import type { Chain } from '../../src/chain/chain.ts'
import { emptyMempool } from '../../src/chain/mempool.ts'
import { writeJson, type Plain } from '../../src/codec/goJsonWrite.ts'
import { bytesOfHex } from '../../src/codec/hex.ts'
import { ethAddressOfKey } from '../../src/crypto/keys.ts'
import { emptyIndex } from '../../src/data/appendIndex.ts'
import { emptyHashIndex } from '../../src/data/hashIndex.ts'
import { emptyMap } from '../../src/data/persistentMap.ts'
import { emptySegments } from '../../src/data/segments.ts'
import type { Answer } from '../../src/node/answer.ts'
import type { RequestInput, Stamp } from '../../src/node/input.ts'
import type { Node } from '../../src/node/node.ts'
import type { NodeKey, World } from '../../src/node/world.ts'
import type { Dialect } from '../../src/rpc/dialect.ts'
import { ethSide } from '../../src/rpc/sides.ts'
import { WaitingReply, type Context } from '../../src/rpc/method.ts'
import type { Call, Framed } from '../../src/rpc/transport.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { requestWith } from './requests.ts'

export const dialect: Dialect = ethSide.dialect

const header = {
  height: 50n,
  timeSeconds: 1_700_000_000n,
  timeNanos: 0,
  chainId: '9001',
  proposerAddress: new Uint8Array(20),
  hash: new Uint8Array(32),
}
const app = { height: 50n, transient: { header, baseFee: 1_000_000_000n } } as unknown as AppState

/**
 * No account has anything, the recorded dev0 sent 40 transactions; the base fee is 1 gwei; nothing
 * can be run.
 */
const view = {
  account: (_state: unknown, address: Uint8Array) => ({
    wei: 0n,
    nonce: address[0] === 0xc6 ? 40n : 0n,
    codeHash: new Uint8Array(32),
    exists: true,
  }),
  code: () => new Uint8Array(0),
  slot: () => new Uint8Array(32),
  params: () => ({
    chainId: 262_144n,
    denom: 'atest',
    fork: 'prague',
    minGasPrice: 0n,
    minGasMultiplier: 5n * 10n ** 17n,
    elasticityMultiplier: 2n,
    baseFeeChangeDenominator: 8n,
    noBaseFee: false,
  }),
  operatorOf: () => new Uint8Array(20),
  nextBaseFee: () => 1_000_000_000n,
  isImpersonated: () => false,
  estimate: () => 21_000n,
  decode: (raw: Uint8Array) => ({ raw, hash: new Uint8Array(32), from: new Uint8Array(20) }),
  wrap: ({ raw }: { raw: Uint8Array }) => raw,
  recoverAuthorization: (signed: object) => ({ ...signed, authority: undefined }),
} as unknown as EthereumView

const history = {
  first: 1n,
  base: 1n,
  stateBase: 1n,
  records: emptySegments(),
  states: emptySegments(),
  blockByHash: emptyHashIndex,
  txByHash: emptyHashIndex,
  ethTxByHash: emptyHashIndex,
  repeatedTxs: emptyMap,
  txs: emptySegments(),
  firstTx: 0,
  events: emptySegments(),
  txEvents: emptyIndex(),
  blockEvents: emptyIndex(),
  logs: emptyIndex(),
}

const chain = {
  height: 0n,
  app,
  history,
  mempool: emptyMempool,
  genesis: {
    seed: new Uint8Array(32),
    document: '',
  },
  policy: { mode: 'auto', intervalMs: 0n, lazy: false, paused: false },
  lastBlockTime: { seconds: 1_700_000_000n, nanos: 0 },
  lastBlockId: { hash: new Uint8Array(0) },
  consensusParams: { block: { maxBytes: 1n, maxGas: 1n } },
} as unknown as Chain

/** The keys of the recorded node, in its order. */
export function recordedKeys(
  keys: readonly { readonly name: string; readonly privateKey: string }[],
): readonly NodeKey[] {
  return keys.map(({ name, privateKey }) => {
    const bytes = bytesOfHex(privateKey)
    return { name, privateKey: bytes, address: ethAddressOfKey(bytes) }
  })
}

export type Stub = { readonly world: World; readonly node: Node }

/** Returns a world and node of a profile, with settings changed. */
export function stub(settings: Partial<Settings> = {}, keyring: readonly NodeKey[] = []): Stub {
  const world = { ethereum: view, keyring, version: '0.1.0' } as unknown as World
  const node = {
    chain,
    settings: {
      ...profileSettings('evmd'),
      ...settings,
    },
    nowMs: 0n,
    filters: new Map(),
    checkpoints: [],
    subscriptions: { comet: new Map(), eth: new Map() },
  } as unknown as Node
  return { world, node }
}

/** Returns the context of a call over HTTP. */
export function contextOf({ world, node }: Stub, transport: 'post' | 'ws' = 'post'): Context {
  return {
    world,
    node,
    woken: undefined,
    caller: {
      side: 'eth',
      transport,
      connection: transport === 'ws' ? 1 : undefined,
      id: '1',
      trusted: true,
      seq: 1,
      timeMs: 0n,
    },
  }
}

const request: RequestInput & Stamp = {
  ...requestWith({ host: '127.0.0.1:8545' }),
  seq: 1,
  timeMs: 0n,
  session: '',
}

/** Returns the response to a request; commands answer as if they had given the id `0x1`. */
export function ask(where: Stub, changed: Partial<RequestInput>): Framed {
  const message = ethSide.read({ ...request, ...changed }, where.node, where.world)
  if (message.kind === 'response') return message.framed
  const transport = changed.transport === 'ws' ? 'ws' : 'post'
  return message.frame(message.calls.map((call) => answer(contextOf(where, transport), call)))
}

function answer(context: Context, call: Call): Answer {
  try {
    const method = dialect.table.byName.get(call.name)
    if (method === undefined || !dialect.allows(method, context)) {
      return { ok: false, error: dialect.unknownMethod(call.name, context) }
    }
    const params = dialect.decodeParams(method, call.params, context)
    if (method.kind !== 'query') method.command(context, params)
    const result =
      method.kind === 'query' ? method.read(context, params) : method.reply(context, { type: 'id', id: '0x1' }, params)
    if (result instanceof WaitingReply) return { ok: undefined }
    return { ok: true, text: writeJson(method.result.encode(result) as Plain) }
  } catch (error) {
    return { ok: false, error: dialect.errorOf(error, context) }
  }
}
