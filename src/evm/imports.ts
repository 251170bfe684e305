import { callAnswer, hostAnswer, putAccount } from './abi.ts'
import { runHostCall } from './host.ts'
import { type Instance, type Running, runningIn } from './instance.ts'
import { cursorAt, getU256, refreshed } from './memory.ts'
import type { EvmStep } from './types.ts'

/** Copies bytes into a buffer that the engine passed to an import. */
function fill(instance: Instance, buffer: number, bytes: Uint8Array): void {
  const at = instance.exports.buffer_reserve(buffer, bytes.length) >>> 0
  refreshed(instance.memory).bytes.set(bytes, at)
}

/** Stores the first exception and tells the engine to abort the transaction. */
function threw(running: Running, error: unknown): number {
  running.thrown ??= { error }
  return hostAnswer.threw
}

/**
 * Returns the functions that the engine imports (`engine/src/door.rs`). They never throw into the
 * engine.
 */
export function hostImports(self: () => Instance): Record<string, unknown> {
  return { ...stateImports(self), ...hookImports(self) }
}

function copied({ memory }: Instance, at: number, length: number): Uint8Array {
  const from = at >>> 0
  return refreshed(memory).bytes.slice(from, from + length)
}

function stateImports(self: () => Instance): Record<string, unknown> {
  return {
    read_account(address: number, out: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        const account = running.read.account(copied(instance, address, 20))
        if (account === undefined) return hostAnswer.absent
        putAccount(cursorAt(instance.memory, out >>> 0), account)
        return hostAnswer.ok
      } catch (error) {
        return threw(running, error)
      }
    },
    read_slot(address: number, key: number, out: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        const value = running.read.slot(copied(instance, address, 20), copied(instance, key, 32))
        if (value === undefined) return hostAnswer.absent
        refreshed(instance.memory).bytes.set(value, out >>> 0)
        return hostAnswer.ok
      } catch (error) {
        return threw(running, error)
      }
    },
    read_code(hash: number, buffer: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        fill(instance, buffer, running.read.code(copied(instance, hash, 32)))
        return hostAnswer.ok
      } catch (error) {
        return threw(running, error)
      }
    },
    read_block_hash(height: bigint, out: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        const hash = running.read.blockHash(BigInt.asUintN(64, height))
        if (hash === undefined) return hostAnswer.absent
        refreshed(instance.memory).bytes.set(hash, out >>> 0)
        return hostAnswer.ok
      } catch (error) {
        return threw(running, error)
      }
    },
  }
}

function hookImports(self: () => Instance): Record<string, unknown> {
  return {
    host_call(call: number, frame: number, buffer: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        const { answer, returned } = runHostCall(instance, call >>> 0, frame)
        if (returned !== undefined) fill(instance, buffer, returned)
        return running.thrown === undefined ? answer : callAnswer.threw
      } catch (error) {
        return threw(running, error)
      }
    },
    step(pc: number, opcode: number, gas: bigint, depth: number, stack: number, height: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        const shown = { pc, opcode, gas: BigInt.asUintN(64, gas), depth }
        running.onStep?.(stepAt(instance, shown, [stack >>> 0, height]))
        return hostAnswer.ok
      } catch (error) {
        return threw(running, error)
      }
    },
    script_event(event: number, view: number): number {
      const running = runningIn(self())
      try {
        const goesOn = running.onScriptEvent?.(event >>> 0, view) === true
        return goesOn ? hostAnswer.ok : hostAnswer.absent
      } catch (error) {
        return threw(running, error)
      }
    },
    write_trace(at: number, length: number): number {
      const instance = self()
      const running = runningIn(instance)
      try {
        running.writeTrace?.(copied(instance, at, length))
        return hostAnswer.ok
      } catch (error) {
        return threw(running, error)
      }
    },
  }
}

/** Returns a step whose stack is copied on access: the copy is most of a step's cost. */
function stepAt({ memory }: Instance, step: Omit<EvmStep, 'stack'>, [at, height]: [number, number]): EvmStep {
  return {
    ...step,
    get stack() {
      const { view } = refreshed(memory)
      return Array.from({ length: height }, (_, index) => getU256(view, at + 32 * index))
    },
  }
}
