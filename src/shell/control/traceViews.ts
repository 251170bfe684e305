/** What happened inside a transaction: its calls, the state it changed, and its opcode steps. */
import { bytesOfHex } from '../../codec/hex.ts'
import { SimError } from '../../errors.ts'
import type { KnownAbis } from './abis.ts'
import { decodeArgs, decodeCall, decodeError, type DecodedArg, type DecodedCall } from './decodeCall.ts'
import { commonFunctions } from './commonAbis.ts'
import { labelsOf } from './names.ts'
import type { Instance } from '../ports.ts'

export type Frame = {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly gas: string
  readonly gasUsed: string
  readonly input: string
  readonly output?: string
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: readonly Frame[]
}

export type CallView = Omit<Frame, 'calls'> & {
  readonly label: string | null
  readonly decoded: DecodedCall | null
  readonly returned: readonly DecodedArg[] | null
  readonly failure: DecodedCall | null
  /** The innermost frame that failed: where the error began. */
  readonly isOrigin: boolean
  readonly calls: readonly CallView[]
}

/** Returns the calls of a mined transaction as a tree. Throws `NoTrace`. */
export function callsView(instance: Instance, hash: string, known: KnownAbis): CallView {
  const frame = traced(instance, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])
  return named(frame as Frame, known, labelsOf(instance))
}

/** Returns a frame and those inside it with their functions, results and errors decoded. */
export function named(frame: Frame, known: KnownAbis, labels: ReadonlyMap<string, string>): CallView {
  const { calls = [], ...rest } = frame
  const failed = rest.error !== undefined
  const inner = calls.map((one) => named(one, known, labels))
  return {
    ...rest,
    label: labels.get((rest.to ?? '').toLowerCase()) ?? null,
    decoded: rest.type.startsWith('CREATE') ? null : decodeCall(bytesOfHex(rest.input), known),
    returned: failed || rest.output === undefined ? null : returnedOf(rest.input, rest.output, known),
    failure: failed && rest.output !== undefined ? decodeError(bytesOfHex(rest.output), known) : null,
    isOrigin: failed && inner.every(({ error }) => error === undefined),
    calls: inner,
  }
}

function returnedOf(input: string, output: string, known: KnownAbis): readonly DecodedArg[] | null {
  const selector = input.slice(0, 10)
  const shape = known.functions.get(selector) ?? commonFunctions.get(selector)
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

/** How geth's tracer is asked for values before and after. */
export const diffing = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

/** Returns what a mined transaction changed, by address: values before and after. Throws `NoTrace`. */
export function changesView(instance: Instance, hash: string) {
  return changesOf(instance, traced(instance, 'debug_traceTransaction', [hash, diffing]) as Diff)
}

/** Returns the values that differ, by address. */
export function changesOf(instance: Instance, { pre, post }: Diff) {
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

type Step = {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
}

/** A trace is cut after so many bytes, as geth counts them. */
const stepBytesMost = 64 * 1024 * 1024

/** Returns a page of the opcode steps of a transaction with their stacks. Throws `NoTrace`. */
export function stepsView(
  instance: Instance,
  hash: string,
  { from, limit }: { readonly from: number; readonly limit: number },
) {
  const config = { disableStorage: true, enableMemory: false, limit: stepBytesMost }
  const told = traced(instance, 'debug_traceTransaction', [hash, config]) as { readonly structLogs: readonly Step[] }
  const { structLogs } = told
  return {
    rows: structLogs.slice(from, from + limit).map((step, index) => ({ ...step, index: from + index })),
    next: structLogs.length > from + limit ? from + limit : null,
  }
}

function traced(instance: Instance, method: string, params: readonly unknown[]): unknown {
  const told = instance.peek('eth', method, params)
  if ('result' in told) return told.result
  throw new NoTrace(told.error.message)
}

/** A transaction that cannot be traced: it has no Ethereum part, or its block is gone. */
export class NoTrace extends SimError {
  constructor(why: string) {
    super('NO_TRACE', `the transaction cannot be traced: ${why}`)
  }
}
