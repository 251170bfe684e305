/**
 * OpenEthereum's `vmTrace`, as Anvil writes it: the instructions of each call with the memory before
 * and the values pushed by each; `ex.used` is the gas left before the instruction.
 */
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { isPrecompile } from '../../app/stateOverrides.ts'
import { serverError } from '../eth/errors.ts'
import type { StructLog } from '../eth/structLog.ts'

/** The struct logger stops after this many bytes of JSON. */
const bytesMost = 32 * 1024 * 1024

/** The configuration of the trace from which `vmTraceOf` reads. */
export const vmTraceConfig = {
  tracer: '',
  config: JSON.stringify({ enableMemory: true, disableStorage: true, limit: bytesMost }),
}

/** Returns the code of an address. */
type CodeOf = (address: Uint8Array) => Uint8Array

/**
 * Returns the trace of a transaction from its steps; `to` is undefined for a contract creation.
 * Throws for steps of more than 32 MiB, at which the struct logger stops.
 */
export function vmTraceOf(trace: Plain, to: Uint8Array | undefined, codeOf: CodeOf): PlainObject {
  const { structLogs: steps } = trace as unknown as { readonly structLogs: readonly StructLog[] }
  if (JSON.stringify(steps).length - 2 > bytesMost) {
    throw serverError('expected at most 32 MiB of instructions, received more; use debug_traceTransaction with a limit')
  }
  const reading: Reading = { steps, codeOf, at: 0 }
  return frameOf(reading, to === undefined ? '0x' : hexOf(codeOf(to)))
}

/** `at` is the index of the next step. */
type Reading = { readonly steps: readonly StructLog[]; readonly codeOf: CodeOf; at: number }

function frameOf(reading: Reading, code: string): PlainObject {
  const { steps } = reading
  const depth = steps[reading.at]?.depth
  const ops: PlainObject[] = []
  for (let step = steps[reading.at]; step !== undefined && step.depth === depth; step = steps[reading.at]) {
    reading.at += 1
    const { op, pc } = step
    const memory = (step.memory ?? []).map((word) => word.replace(/^0x/, '')).join('')
    ops.push({
      cost: costOf(step, steps[reading.at]),
      ex: {
        used: step.gas,
        push: pushedBy(step, steps[reading.at]),
        mem: { off: memory.length / 2, data: `0x${memory}` },
        store: null,
      },
      pc,
      sub: subOf(reading, step),
      op,
    })
  }
  return { code, ops }
}

const isCall = (op: string) => /^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL)$/.test(op)
const isCreate = (op: string) => op === 'CREATE' || op === 'CREATE2'

/** A failed instruction costs the gas that was left; a creation also what its code was given. */
function costOf({ op, gas, gasCost, depth }: StructLog, next: StructLog | undefined): number {
  const given = isCreate(op) && next?.depth === depth + 1 ? next.gas : 0
  return Math.min(gasCost + given, gas)
}

function pushedBy({ op, depth }: StructLog, next: StructLog | undefined): readonly string[] {
  const count = pushesOf(op)
  return count === 0 || next?.depth !== depth ? [] : (next.stack ?? []).slice(-count)
}

const pushNothing = new Set(
  `STOP POP MSTORE MSTORE8 SSTORE TSTORE JUMP JUMPI JUMPDEST MCOPY CALLDATACOPY CODECOPY EXTCODECOPY RETURNDATACOPY
  RETURN REVERT INVALID SELFDESTRUCT`.split(/\s+/),
)

/** Returns how many values Anvil shows: a swap and a copy of the stack show all that they touch. */
function pushesOf(op: string): number {
  const [, count] = /^(?:DUP|SWAP)(\d+)$/.exec(op) ?? []
  if (count !== undefined) return Number(count) + 1
  return pushNothing.has(op) || /^LOG\d$/.test(op) || isCall(op) || isCreate(op) ? 0 : 1
}

function subOf(reading: Reading, { op, depth, stack = [] }: StructLog): PlainObject | null {
  if (!isCall(op) && !isCreate(op)) return null
  const next = reading.steps[reading.at]
  const isEntered = next?.depth === depth + 1
  if (isCreate(op)) return isEntered ? frameOf(reading, '0x') : null
  const target = bytesOfHex(`0x${(stack.at(-2) ?? '').replace(/^0x/, '').padStart(40, '0').slice(-40)}`)
  const code = hexOf(reading.codeOf(target))
  if (isEntered) return frameOf(reading, code)
  return next?.depth !== depth || isPrecompile(target) ? null : { code, ops: [] }
}
