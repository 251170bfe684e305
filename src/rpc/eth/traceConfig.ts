/** Trace configurations (`cosmos-evm-rpc.md` §2.10). */
import { bool, defaulting, integer, memberOf, mismatch, object, optional, text, type Codec } from '../../codec/codec.ts'
import { DecodeError, insideStruct } from '../../codec/decodeError.ts'
import type { Json } from '../../codec/goJson.ts'
import { goDurationNanos, InvalidDuration } from '../../settings/duration.ts'
import { grpcText, serverError } from './errors.ts'
import { blockOverride, rawOverrides } from './overrides.ts'
import { goUint64 } from './params.ts'

/**
 * The tracer's name ('' for geth's struct logger), and its own configuration as JSON text. Options
 * of the struct logger are members beside the name.
 */
export type TraceConfig = {
  readonly tracer: string
  readonly config: string
  readonly limit: bigint
  readonly timeout: string
  /**
   * Whether a failed transaction ends as it does on Ethereum, with its gas. Unless it is set, the
   * quirk `trace-charged-gas` decides.
   */
  readonly endsFailed?: boolean
}

export const plainConfig: TraceConfig = { tracer: '', config: '{}', limit: 0n, timeout: '' }

type GoConfig = {
  readonly tracer: string
  readonly timeout: string
  readonly reexec: bigint
  readonly limit: bigint
  readonly disableStack: boolean
  readonly disableStorage: boolean
  readonly enableMemory: boolean
  readonly enableReturnData: boolean
  readonly debug: boolean
  readonly overrides: undefined
}

// The node reads the forks and does not use them.
const unread: Codec<undefined> = {
  schema: { type: 'object' },
  decode: (wire, path) => {
    if (wire.type !== 'object' && wire.type !== 'null') throw mismatch(wire, path, 'types.ChainConfig')
  },
  encode: () => null,
}

const goConfig: Codec<GoConfig> = object<GoConfig>(
  {
    tracer: defaulting(text(), ''),
    timeout: defaulting(text(), ''),
    reexec: defaulting(goUint64, 0n),
    limit: defaulting(integer('int32'), 0n),
    disableStack: defaulting(bool, false),
    disableStorage: defaulting(bool, false),
    enableMemory: defaulting(bool, false),
    enableReturnData: defaulting(bool, false),
    debug: defaulting(bool, false),
    overrides: defaulting(unread, undefined),
  },
  { goType: 'types.TraceConfig' },
)

/** Codec of a trace configuration; the tracer's own configuration is passed on unread. */
export const traceConfig: Codec<TraceConfig | undefined> = optional({
  schema: { type: 'object' },
  decode: configOf,
  encode: () => null,
})

function configOf(wire: Json, path: string): TraceConfig {
  const { tracer, limit, timeout } = checked(wire, path)
  const own = wire.type === 'object' ? memberOf(wire, 'tracerConfig') : undefined
  return { tracer, limit, timeout, config: tracer === '' ? wire.raw : (own?.raw ?? '{}') }
}

/** The configuration of `debug_traceCall`, with the overrides of geth as they were sent. */
export type TraceCallConfig = TraceConfig & {
  readonly stateOverrides: Json | undefined
  readonly blockOverrides: Json | undefined
}

export const traceCallConfig: Codec<TraceCallConfig | undefined> = optional({
  schema: { type: 'object', properties: { stateOverrides: rawOverrides.schema, blockOverrides: blockOverride.schema } },
  decode: (wire: Json, path: string): TraceCallConfig => {
    const sent = (name: string) => (wire.type === 'object' ? memberOf(wire, name) : undefined)
    const overrides = { stateOverrides: sent('stateOverrides'), blockOverrides: sent('blockOverrides') }
    return { ...configOf(wire, path), ...overrides }
  },
  encode: () => null,
})

// The node's type embeds another with the same name, which appears in error texts.
function checked(wire: Json, path: string): GoConfig {
  try {
    return goConfig.decode(wire, path)
  } catch (error) {
    if (!(error instanceof DecodeError) || wire.type !== 'object') throw error
    throw insideStruct(error, { structName: 'TraceConfig', field: 'TraceConfig' })
  }
}

/** Throws the application's error for a configuration that was decoded but is invalid. */
export function checkTraceConfig(config: TraceConfig): void {
  checkLimit(config)
  const { timeout } = config
  try {
    if (timeout !== '') goDurationNanos(timeout)
  } catch (error) {
    if (!(error instanceof InvalidDuration)) throw error
    throw serverError(grpcText('InvalidArgument', `timeout value: ${error.message}`))
  }
}

/** Throws the application's error for a negative limit. */
export function checkLimit({ limit }: TraceConfig = plainConfig): void {
  if (limit < 0n) throw serverError(grpcText('InvalidArgument', `output limit cannot be negative, got ${limit}`))
}
