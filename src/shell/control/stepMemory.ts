/** The memory of the EVM at one opcode step, which is too large to trace for all steps. */
import type { StepMemory } from '../../dashboard/core/traceShapes.ts'
import { loadScripts } from '../scripts/loading.ts'
import { traced } from './traced.ts'
import type { Instance } from '../ports.ts'

/** Maximum number of bytes shown. */
const bytesMost = 16_384

/**
 * Resolves with the memory before a step as 0x-prefixed hex, cut off after 16,384 bytes, and with
 * its whole size. Throws `NoTrace`.
 */
export async function stepMemory(instance: Instance, hash: string, step: number): Promise<StepMemory> {
  await loadScripts()
  const tracer = `{
    at: 0, told: { size: 0, data: '0x' },
    step: function (log) {
      if (this.at++ !== ${step}) return
      var size = log.memory.length()
      this.told = { size: size, data: toHex(log.memory.slice(0, Math.min(size, ${bytesMost}))) }
    },
    fault: function () {},
    result: function () { return this.told },
  }`
  return traced(instance, hash, { tracer }) as StepMemory
}
