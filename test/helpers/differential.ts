/** Runs the same random transactions through the engine and through @ethereumjs/vm. */
import { createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTx } from '@ethereumjs/tx'
import {
  Address,
  bytesToHex,
  createAccount,
  createAddressFromPrivateKey,
  eoaCode7702SignAuthorization,
} from '@ethereumjs/util'
import { createVM, runTx, type VM } from '@ethereumjs/vm'
import type { EvmAuthorization, EvmResult, EvmTx } from '../../src/evm/types.ts'
import type { Engine } from '../../src/evm/engine.ts'
import { type Draw, drawFrom, pick, randomProgram } from './randomTx.ts'
import { address, apply, baseEnv, emptyWorld, put, readOf, setSlot, toHex, txOf, word, type World } from './state.ts'
import { stateRoot } from './stateRoot.ts'

const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague })
const keys = [1, 2, 3, 4].map((seed) => word(0x1000 + seed))
/** Accounts that have keys and money in every twin. */
export const senders = keys.map((key) => createAddressFromPrivateKey(key).bytes)
const contracts = [1, 2, 3, 4, 5, 6].map((index) => address(0xb0 + index))
// Not 10: the oracle has no trusted setup for KZG proofs.
const precompiles = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14].map((index) => address(index))
const targets = [...contracts, ...contracts, ...senders, ...precompiles, address(0xdead)]
const env = { ...baseEnv, blockGasLimit: 30_000_000n, coinbase: address(0xc0) }
const block = createBlock(
  {
    header: {
      number: env.height,
      timestamp: env.timestampSeconds,
      gasLimit: env.blockGasLimit,
      baseFeePerGas: env.baseFee,
      coinbase: new Address(env.coinbase),
      mixHash: env.prevRandao,
    },
  },
  { common, skipConsensusFormatValidation: true },
)

/** One thing that differed, told so that it can be run again. */
export type Difference = {
  seed: number
  index: number
  what: string
  engine: unknown
  oracle: unknown
}

async function start(draw: Draw, world: World): Promise<VM> {
  const vm = await createVM({ common })
  const state = vm.stateManager
  const add = async (at: Uint8Array, balance: bigint, bytes: Uint8Array, nonce: bigint) => {
    put(world, at, { balance, nonce, code: bytes })
    await state.putAccount(new Address(at), createAccount({ balance, nonce }))
    if (bytes.length > 0) await state.putCode(new Address(at), bytes)
  }
  for (const at of senders) await add(at, 10n ** 20n, new Uint8Array(), 0n)
  for (const at of contracts) {
    await add(at, BigInt(draw(50)), randomProgram(draw, targets), 1n)
    for (const key of [0, 1]) {
      const value = draw(3)
      setSlot(world, at, word(key), word(value))
      if (value > 0) await state.putStorage(new Address(at), word(key), Uint8Array.of(value))
    }
  }
  return vm
}

type Authorizing = {
  authorizations: EvmAuthorization[]
  signed: ReturnType<typeof eoaCode7702SignAuthorization>[]
}

function authorize(draw: Draw, world: World): Authorizing {
  const made = Array.from({ length: 1 + draw(2) }, () => {
    const which = draw(keys.length)
    const [key, authority] = [keys[which], senders[which]]
    if (key === undefined || authority === undefined) throw new Error('no such key')
    const known = world.accounts.get(toHex(authority))?.nonce ?? 0n
    const nonce = known + BigInt(pick(draw, [0, 0, 1]))
    const [chainId, to] = [BigInt(pick(draw, [0, 1, 1, 2])), pick(draw, [...contracts, new Uint8Array(20)])]
    const signed = eoaCode7702SignAuthorization(
      {
        chainId: `0x${chainId.toString(16)}`,
        address: bytesToHex(to),
        nonce: `0x${nonce.toString(16)}`,
      },
      key,
    )
    return { authorization: { chainId, address: to, nonce, authority }, signed }
  })
  return {
    authorizations: made.map(({ authorization }) => authorization),
    signed: made.map(({ signed }) => signed),
  }
}

function randomTx(draw: Draw, world: World): { tx: EvmTx; signed: Authorizing['signed'] } {
  const from = pick(draw, senders)
  const type = pick(draw, [0, 1, 2, 2, 4] as const)
  const { authorizations, signed } =
    type === 4
      ? authorize(draw, world)
      : {
          authorizations: [],
          signed: [],
        }
  const to = type !== 4 && draw(6) === 0 ? undefined : pick(draw, targets)
  const accessList =
    type === 0 || draw(2) === 0 ? [] : [{ address: pick(draw, contracts), slots: [word(draw(3)), word(draw(3))] }]
  const data =
    to === undefined ? randomProgram(draw, targets) : Uint8Array.from({ length: draw(80) }, () => draw(3) * draw(256))
  const tx = txOf({
    type,
    from,
    to,
    data,
    accessList,
    authorizations,
    value: BigInt(draw(3) === 0 ? draw(100) : 0),
    nonce: (world.accounts.get(toHex(from))?.nonce ?? 0n) + (draw(40) === 0 ? 1n : 0n),
    gasLimit: BigInt(pick(draw, [20_000, 60_000, 90_000, 200_000, 400_000]) + draw(5_000)),
    gasPrice: BigInt(7 + draw(20)),
    priorityFee: type >= 2 ? BigInt(draw(7)) : undefined,
  })
  return { tx, signed }
}

function oracleTx(tx: EvmTx, signed: Authorizing['signed']) {
  const fees =
    tx.priorityFee === undefined
      ? { gasPrice: tx.gasPrice }
      : { maxFeePerGas: tx.gasPrice, maxPriorityFeePerGas: tx.priorityFee }
  const lists =
    tx.type === 0
      ? {}
      : {
          accessList: tx.accessList.map(({ address: at, slots }) => ({
            address: bytesToHex(at),
            storageKeys: slots.map(bytesToHex),
          })),
        }
  const made = createTx(
    {
      type: tx.type,
      nonce: tx.nonce,
      gasLimit: tx.gasLimit,
      value: tx.value,
      data: tx.data,
      chainId: tx.type === 0 ? undefined : 1n,
      ...(tx.to === undefined ? {} : { to: new Address(tx.to) }),
      ...fees,
      ...lists,
      ...(tx.type === 4 ? { authorizationList: signed } : {}),
    },
    { common, freeze: false },
  )
  // Signing costs more than running, and is not what is compared.
  return Object.assign(made, { getSenderAddress: () => new Address(tx.from), isSigned: () => true })
}

type Outcome = { status: EvmResult['status']; gasUsed: bigint; logs: string }

async function oracle(vm: VM, tx: EvmTx, signed: Authorizing['signed']): Promise<Outcome> {
  try {
    const { execResult, totalGasSpent } = await runTx(vm, { tx: oracleTx(tx, signed), block })
    const error = execResult.exceptionError?.error
    const status = error === undefined ? 'success' : error === 'revert' ? 'revert' : 'halt'
    const logs = status === 'success' ? (execResult.logs ?? []) : []
    return {
      status,
      gasUsed: totalGasSpent,
      logs: logs.map(([at, topics, data]) => [at, ...topics, data].map(toHex).join(' ')).join('\n'),
    }
  } catch {
    return { status: 'refused', gasUsed: 0n, logs: '' }
  }
}

function outcomeOf({ status, gasUsed, logs }: EvmResult): Outcome {
  return {
    status,
    gasUsed,
    logs: logs.map(({ address: at, topics, data }) => [at, ...topics, data].map(toHex).join(' ')).join('\n'),
  }
}

/** The engine over a world of maps, and the oracle over the same accounts. */
export type Twin = { engine: Engine; world: World; vm: VM }

type Step = {
  result: EvmResult
  difference: { what: string; engine: unknown; oracle: unknown } | undefined
}

/** Returns a twin in which the senders have 100 ether and nothing else exists. */
export async function newTwin(engine: Engine): Promise<Twin> {
  const world = emptyWorld()
  const vm = await createVM({ common })
  for (const at of senders) {
    put(world, at, { balance: 10n ** 20n })
    await vm.stateManager.putAccount(new Address(at), createAccount({ balance: 10n ** 20n }))
  }
  return { engine, world, vm }
}

/** Runs a transaction on both sides, applies it, and returns what differed. */
export async function step({ engine, world, vm }: Twin, tx: EvmTx, signed: Authorizing['signed'] = []): Promise<Step> {
  const result = engine.execute(env, tx, readOf(world))
  const ours = outcomeOf(result)
  const told = await oracle(vm, tx, signed)
  // The oracle calls bad input of a curve precompile a revert, while it takes all the gas.
  const isCurve = result.reason?.kind === 'PrecompileError' && told.status === 'revert'
  const theirs: Outcome = isCurve ? { ...told, status: 'halt' } : told
  apply(world, result.diff)
  const key = (['status', 'gasUsed', 'logs'] as const).find((name) => ours[name] !== theirs[name])
  if (key === undefined) return { result, difference: undefined }
  const what = `${key} (${result.reason?.kind ?? ''}, type ${tx.type})`
  return { result, difference: { what, engine: ours[key], oracle: theirs[key] } }
}

/** Returns the state roots of both sides. */
export async function roots({ world, vm }: Twin): Promise<readonly [string, string]> {
  return [toHex(stateRoot(world)), toHex(await vm.stateManager.getStateRoot())]
}

/**
 * Runs that many transactions one after another and returns the first difference, if there is one.
 */
export async function compare(engine: Engine, seed: number, count: number): Promise<Difference | undefined> {
  const draw = drawFrom(seed)
  const world = emptyWorld()
  const twin = { engine, world, vm: await start(draw, world) }
  for (let index = 0; index < count; index += 1) {
    const { tx, signed } = randomTx(draw, world)
    const { difference } = await step(twin, tx, signed)
    if (difference !== undefined) return { seed, index, ...difference }
  }
  const [ours, theirs] = await roots(twin)
  return ours === theirs
    ? undefined
    : {
        seed,
        index: count,
        what: 'state root',
        engine: ours,
        oracle: theirs,
      }
}
