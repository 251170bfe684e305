/** Traces of a transaction: its calls and the state that it changed. */
import { bytesOfHex } from '../../codec/hex.ts'
import type { CallView, Changed, Frame } from '../../dashboard/core/traceShapes.ts'
import type { KnownAbis } from './abis.ts'
import type { ContractShape, FunctionShape } from './abiShapes.ts'
import { calledFunction, decodeArgs, decodeCall, decodeError, type DecodedArg } from './decodeCall.ts'
import { calledBy } from './contracts.ts'
import { labelsOf } from './names.ts'
import type { SourceLine, SoliditySources } from './sourceMaps.ts'
import { failureSource } from './stepViews.ts'
import { traced } from './traced.ts'
import type { Instance } from '../ports.ts'

/** Returns the calls of a mined transaction as a tree. Throws `NoTrace`. */
export function callsView(
  instance: Instance,
  hash: string,
  { known, sources }: { readonly known: KnownAbis; readonly sources: SoliditySources },
): CallView {
  const frame = traced(instance, hash, { tracer: 'callTracer' }) as Frame
  const failedAt = frame.error === undefined ? undefined : failureSource(instance, hash, sources)
  return named(frame, instance, known, failedAt)
}

/** Returns a frame and its inner frames with functions, results and errors decoded. */
export function named(frame: Frame, instance: Instance, known: KnownAbis, failedAt?: SourceLine): CallView {
  return framed(frame, { instance, known, failedAt, labels: labelsOf(instance), contracts: new Map() })
}

type Naming = {
  readonly failedAt: SourceLine | undefined
  readonly instance: Instance
  readonly known: KnownAbis
  readonly labels: ReadonlyMap<string, string>
  /** Contracts that were already looked up, by address. */
  readonly contracts: Map<string, ContractShape | undefined>
}

function framed(frame: Frame, naming: Naming): CallView {
  const { calls = [], ...rest } = frame
  const { known, labels } = naming
  const failed = rest.error !== undefined
  const inner = calls.map((one) => framed(one, naming))
  const isOrigin = failed && inner.every(({ error }) => error === undefined)
  const called = contractIn(naming, rest.to)
  return {
    ...rest,
    label: labels.get((rest.to ?? '').toLowerCase()) ?? null,
    decoded: rest.type.startsWith('CREATE') ? null : decodeCall(bytesOfHex(rest.input), known, called),
    returned:
      failed || rest.output === undefined
        ? null
        : returnedOf(calledFunction(bytesOfHex(rest.input), known, called), rest.output),
    failure: failed && rest.output !== undefined ? decodeError(bytesOfHex(rest.output), known) : null,
    isOrigin,
    source: isOrigin ? (naming.failedAt ?? null) : null,
    calls: inner,
  }
}

function contractIn({ instance, known, contracts }: Naming, to = ''): ContractShape | undefined {
  if (to !== '' && !contracts.has(to)) contracts.set(to, calledBy(instance, bytesOfHex(to.toLowerCase()), known))
  return contracts.get(to)
}

function returnedOf(shape: FunctionShape | undefined, output: string): readonly DecodedArg[] | null {
  if (shape === undefined || shape.outputs.length === 0) return null
  try {
    return decodeArgs(shape.outputs, bytesOfHex(output))
  } catch {
    return null
  }
}

type Account = {
  readonly balance?: string
  readonly nonce?: number
  readonly code?: string
  readonly storage?: Readonly<Record<string, string>>
}
export type Diff = { readonly pre: Readonly<Record<string, Account>>; readonly post: Readonly<Record<string, Account>> }

/** Parameters that make geth's tracer return the values before and after. */
export const diffing = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

/**
 * Returns the state that a mined transaction changed, by address, with the values before and after.
 * Throws `NoTrace`.
 */
export function changesView(instance: Instance, hash: string): readonly Changed[] {
  return changesOf(instance, traced(instance, hash, diffing) as Diff)
}

/** Returns the values that differ, by address. */
export function changesOf(instance: Instance, { pre, post }: Diff): readonly Changed[] {
  const labels = labelsOf(instance)
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])]
  return addresses.map((address) => {
    const [before, after] = [pre[address] ?? {}, post[address] ?? {}]
    const plain = (['balance', 'nonce', 'code'] as const).flatMap((field) =>
      after[field] === undefined || after[field] === before[field]
        ? []
        : [{ field, before: text(before[field]), after: text(after[field]) }],
    )
    const slots = [...new Set([...Object.keys(before.storage ?? {}), ...Object.keys(after.storage ?? {})])]
    return {
      address,
      label: labels.get(address.toLowerCase()) ?? null,
      changes: [
        ...plain,
        ...slots.map((slot) => ({
          field: slot,
          before: before.storage?.[slot] ?? '0x0',
          after: after.storage?.[slot] ?? '0x0',
        })),
      ],
    }
  })
}

const text = (value: string | number | undefined) => (value === undefined ? null : String(value))
