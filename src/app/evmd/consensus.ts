/** Consensus parameters as the application stores them (cosmos-sdk x/consensus). */
import { maxUint64 } from '../../codec/goIntegers.ts'
import { int64, message, nested, repeated, text, uint64 } from '../../codec/protobuf/message.ts'
import { remembered } from '../../data/remembered.ts'
import type { ConsensusParams } from '../abci.ts'
import type { Context } from './context.ts'

type Duration = { seconds: bigint; nanos: bigint }
type Wire = {
  block: { maxBytes: bigint; maxGas: bigint } | undefined
  evidence: { maxAgeBlocks: bigint; maxAge: Duration | undefined; maxBytes: bigint } | undefined
  validator: { types: readonly string[] } | undefined
  version: { app: bigint } | undefined
  abci: { height: bigint } | undefined
}

const block = nested(
  message<{ maxBytes: bigint; maxGas: bigint }>({
    1: ['maxBytes', int64],
    2: ['maxGas', int64],
  }),
)
const evidence = nested(
  message<{
    maxAgeBlocks: bigint
    maxAge: Duration | undefined
    maxBytes: bigint
  }>({
    1: ['maxAgeBlocks', int64],
    2: ['maxAge', nested(message<Duration>({ 1: ['seconds', int64], 2: ['nanos', int64] }))],
    3: ['maxBytes', int64],
  }),
)
const validator = nested(message<{ types: readonly string[] }>({ 1: ['types', repeated(text)] }))
const abci = nested(message<{ height: bigint }>({ 1: ['height', int64] }))
const wire = message<Wire>({
  1: ['block', block],
  2: ['evidence', evidence],
  3: ['validator', validator],
  4: ['version', nested(message<{ app: bigint }>({ 1: ['app', uint64] }))],
  5: ['abci', abci],
})

/** The parameters that x/gov may change. A missing part is undefined. */
export type ConsensusUpdate = Omit<Wire, 'version'> & { authority: string }
export const consensusUpdate = message<ConsensusUpdate>({
  1: ['authority', text],
  2: ['block', block],
  3: ['evidence', evidence],
  4: ['validator', validator],
  5: ['abci', abci],
})

const key = new TextEncoder().encode('Consensus')
const second = 1_000_000_000n

/**
 * Returns the consensus parameters. The SDK reads them before every transaction, which costs gas.
 */
export function consensusParams(context: Context): ConsensusParams {
  return storedParams(context.store('consensus').get(key) ?? noBytes)
}

const noBytes = new Uint8Array(0)
const storedParams = remembered((stored: Uint8Array): ConsensusParams => paramsOf(wire.decode(stored)))

/** Returns the parameters after an update. */
export function updatedParams(params: ConsensusParams, update: ConsensusUpdate): ConsensusParams {
  const asked = paramsOf({ ...update, version: undefined })
  const abci = update.abci === undefined ? params.abci : asked.abci
  return { ...asked, version: { app: 0n }, abci }
}

function paramsOf(value: Wire): ConsensusParams {
  const maxAge = value.evidence?.maxAge
  return {
    block: { maxBytes: value.block?.maxBytes ?? 0n, maxGas: value.block?.maxGas ?? 0n },
    evidence: {
      maxAgeBlocks: value.evidence?.maxAgeBlocks ?? 0n,
      maxAgeNanos: (maxAge?.seconds ?? 0n) * second + (maxAge?.nanos ?? 0n),
      maxBytes: value.evidence?.maxBytes ?? 0n,
    },
    validator: { publicKeyTypes: value.validator?.types ?? [] },
    version: { app: value.version?.app ?? 0n },
    abci: { voteExtensionsEnableHeight: value.abci?.height ?? 0n },
  }
}

/** Stores the consensus parameters. */
export function setConsensusParams(context: Context, params: ConsensusParams): void {
  const { maxAgeBlocks, maxAgeNanos, maxBytes } = params.evidence
  const maxAge = { seconds: maxAgeNanos / second, nanos: maxAgeNanos % second }
  context.store('consensus').set(
    key,
    wire.encode({
      block: params.block,
      evidence: { maxAgeBlocks, maxAge, maxBytes },
      validator: { types: params.validator.publicKeyTypes },
      version: params.version,
      abci: { height: params.abci.voteExtensionsEnableHeight },
    }),
  )
}

/** Returns the block gas limit as the EVM sees it. Without a limit, it is the largest number. */
export function blockGasLimit(maxGas: bigint): bigint {
  return maxGas === -1n ? maxUint64 : maxGas
}
