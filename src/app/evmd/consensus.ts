/** Consensus parameters as the application stores them (cosmos-sdk x/consensus). */
import { bytes, int64, message, nested, repeated, text, uint64 } from '../../codec/protobuf/message.ts'
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

const wire = message<Wire>({
  1: ['block', nested(message<{ maxBytes: bigint; maxGas: bigint }>({
    1: ['maxBytes', int64], 2: ['maxGas', int64],
  }))],
  2: ['evidence', nested(message<{ maxAgeBlocks: bigint; maxAge: Duration | undefined; maxBytes: bigint }>({
    1: ['maxAgeBlocks', int64],
    2: ['maxAge', nested(message<Duration>({ 1: ['seconds', int64], 2: ['nanos', int64] }))],
    3: ['maxBytes', int64],
  }))],
  3: ['validator', nested(message<{ types: readonly string[] }>({ 1: ['types', repeated(text)] }))],
  4: ['version', nested(message<{ app: bigint }>({ 1: ['app', uint64] }))],
  5: ['abci', nested(message<{ height: bigint }>({ 1: ['height', int64] }))],
})

const key = new TextEncoder().encode('Consensus')
const second = 1_000_000_000n

/** Returns the parameters; the SDK reads them before every transaction, which costs gas. */
export function consensusParams(context: Context): ConsensusParams {
  return paramsOf(wire.decode(context.store('consensus').get(key) ?? new Uint8Array(0)))
}

/** The parts of the parameters that x/gov may change, each as the bytes of its message. */
export type ConsensusParts = {
  readonly block: Uint8Array
  readonly evidence: Uint8Array
  readonly validator: Uint8Array
  readonly abci: Uint8Array
}

const parts = message<ConsensusParts>({
  1: ['block', bytes], 2: ['evidence', bytes], 3: ['validator', bytes], 5: ['abci', bytes],
})

/** Returns the parameters in the parts. */
export function decodeParts(given: ConsensusParts): Omit<ConsensusParams, 'version'> {
  const { version: _, ...decoded } = paramsOf(wire.decode(parts.encode(given)))
  return decoded
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

/** Stores the parameters. */
export function setConsensusParams(context: Context, params: ConsensusParams): void {
  const { maxAgeBlocks, maxAgeNanos, maxBytes } = params.evidence
  const maxAge = { seconds: maxAgeNanos / second, nanos: maxAgeNanos % second }
  context.store('consensus').set(key, wire.encode({
    block: params.block,
    evidence: { maxAgeBlocks, maxAge, maxBytes },
    validator: { types: params.validator.publicKeyTypes },
    version: params.version,
    abci: { height: params.abci.voteExtensionsEnableHeight },
  }))
}

/** Returns the gas limit of a block as the EVM sees it: no limit is the largest number. */
export function blockGasLimit(maxGas: bigint): bigint {
  return maxGas === -1n ? (1n << 64n) - 1n : maxGas
}
